# SPDX-License-Identifier: MIT
"""The library in a headless Chromium on SwiftShader: every scene against native SwiftShader with a browser's limits,
the npm package from its tarball, the playground, the interface's words against @webgpu/types."""
import gzip
import json
import os
import shutil
import subprocess
import time

import report

FOLDER = "build/web"
SETUP = ["--cross-file", "cross/wasm32.ini", "-Dplatform=web", "-Dtests=false", "-Dwerror=true",
         "--buildtype=minsize"]
BROWSER = os.environ.get("AEROGPU_CHROMIUM", "chromium-headless-shell")
LABEL = "web"
DRIVER, LIMITS = "swiftshader", "browser"
MOST_BYTES, MOST_ZIPPED_BYTES = 700_000, 270_000
SECONDS = 1800
NATIVE_SECONDS = 180
NATIVE_BATCH = 8


class Web:
    """The checks of the suite; `tool` and `in_parallel` are those of run_tests.py."""

    def __init__(self, results, root, jobs):
        self.results, self.root, self.jobs = results, root, jobs

    def check(self, name, problems):
        if problems:
            self.results.bad(LABEL, name, "; ".join(problems))
        else:
            self.results.good()

    def name(self, path):
        return os.path.relpath(path, self.root)

    def node(self, script, *arguments):
        """The objects that a script of tests/web prints, and what it says of its own problems."""
        done = subprocess.run(["node", f"tests/web/{script}", FOLDER, *arguments], check=False, timeout=SECONDS,
                              capture_output=True, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr[-2000:]

    def sizes(self):
        with open(f"{FOLDER}/web/package/aerogpu.wasm", "rb") as file:
            module = file.read()
        with open(f"{FOLDER}/web/package/aerogpu.wasm.gz", "rb") as file:
            contents = file.read()
        zipped = len(contents)
        self.check("zipped", [] if gzip.decompress(contents) == module else ["the package has another module zipped"])
        print(f"web: the module has {len(module)} bytes, {zipped} zipped", flush=True)
        self.check("size", [f"{len(module)} bytes, {zipped} zipped, should be below {MOST_BYTES}, {MOST_ZIPPED_BYTES}"]
                   if len(module) >= MOST_BYTES or zipped >= MOST_ZIPPED_BYTES else [])

    def named(self, script, least, *arguments):
        """Scripts whose lines are tests."""
        lines, problem = self.node(script, *arguments)
        for line in lines:
            self.check(line["name"], [line["log"] or "failed"] if line["result"] != "passed" else [])
        if len(lines) < least:
            self.results.bad(LABEL, script, f"{len(lines)} results: {problem}")
        return lines

    def playground(self, page_folder):
        """Clicks through it; the pictures of the page are a part of the report, if there is one."""
        lines = self.named("playground.mjs", 11, f"{FOLDER}/playground")
        if page_folder is not None:
            report.write_pictures(page_folder, "playground",
                                  [(line["name"], line["result"], line["picture"]) for line in lines])

    def scenes(self, scenes, tool, in_parallel):
        started = time.monotonic()
        shares = [scenes[i::self.jobs] for i in range(min(self.jobs, len(scenes)))]
        reports = {}
        for _, (lines, problem) in in_parallel(lambda share: self.node("scenes.mjs", *share), shares):
            left = [line["left"] for line in lines if "left" in line]
            self.check("what is left", [] if left == [{"live": 0, "pending": 0}] else [f"{left} {problem}"])
            reports |= {self.name(line["path"]): line for line in lines if "path" in line}
        print(f"web: {len(reports)} scenes in {time.monotonic() - started:.1f} s", flush=True)
        if not reports:
            return
        native = self.native([name for name, report in reports.items()
                              if report["hashes"] or report["result"] != "passed"], tool, in_parallel)
        for scene in scenes:
            self.scene(self.name(scene), reports.get(self.name(scene)), native)

    def native(self, names, tool, in_parallel):
        """What the tool says of scenes that show something or did not pass."""
        batches = [names[i:i + NATIVE_BATCH] for i in range(0, len(names), NATIVE_BATCH)]
        found = {}
        for batch, (_, objects, _) in in_parallel(
                lambda batch: tool(["run", *batch, "--json", "--strict", "--driver", DRIVER, "--limits", LIMITS,
                                    "-o", f"{FOLDER}/native"], NATIVE_SECONDS * NATIVE_BATCH), batches):
            found |= dict(zip(batch, objects))
        return found

    def scene(self, name, report, native):
        if report is None:
            self.results.bad(LABEL, name, "no result")
            return
        here = native.get(name)
        problems = [*report["problems"], *report.get("uncaptured", [])]
        if here is None and (report["hashes"] or report["result"] != "passed"):
            problems.append("the tool has no result")
        elif here is not None and here["result"] != report["result"]:
            problems.append(f"{report['result']} in the browser, {here['result']} natively")
        elif here is not None and [present["xxh3"] for present in here["presents"]] != report["hashes"]:
            problems.append("the pictures are not the native ones")
        if report["result"] == "skipped" and not problems:
            self.results.skip(LABEL, name, report["log"].strip())
            return
        if report["result"] != "passed":
            problems.insert(0, report["log"].strip() or report["result"])
        self.check(name, problems)


def build(results):
    if not os.path.exists(f"{FOLDER}/build.ninja"):
        shutil.rmtree(FOLDER, ignore_errors=True)
        subprocess.run(["meson", "setup", FOLDER, *SETUP], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["ninja", "-C", FOLDER], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0:
        print("\n".join(line for line in done.stdout.splitlines() if "error" in line or "FAILED" in line)[-4000:])
        results.bad(LABEL, "build", f"{FOLDER} does not build")
    return done.returncode == 0


def suite(results, root, jobs, scenes, tool, in_parallel, page_folder):
    if shutil.which(BROWSER) is None:
        results.skip(LABEL, "browser", f"there is no {BROWSER}")
        return
    if not build(results):
        return
    web = Web(results, root, jobs)
    web.sizes()
    web.named("packed.mjs", 2)
    web.named("types.mjs", 60)
    web.named("package.mjs", 20)
    web.playground(page_folder)
    web.scenes(scenes, tool, in_parallel)
