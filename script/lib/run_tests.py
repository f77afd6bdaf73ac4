#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the project's tests and counts them one by one.

usage: run_tests.py [--report DIR] [SUITE...]

Suites: gcc (unit tests, warnings are errors), asan (unit tests with ASan and UBSan), corpus, scenes, pipelines
(the project's own shaders drawn on each driver), demo, captures, traces (of the reference project), web (the library in
a headless Chromium), clients (a few minutes of programs of others, where Wine is installed).
Without arguments all of them run. Four take long and only run when they are asked for: --kills kills a GPU process a
thousand times, and clients and servers of `aerogpu serve` for ten minutes, --snapshots saves every demo at a hundred
random moments and changes bytes of the snapshots, --pipelines draws the genuine shaders too, --oracle compares with the
reference interpreter what the daily run leaves out: the other half of them on each driver, three times as many random
programs. `--clients [NAME...]`
fetches programs of others and runs them under Wine (docs/clients.md); NAME/CASE,CASE runs some cases of one. The last
line is `N passed, N failed, N skipped`.
"""
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(1, os.path.join(ROOT, "tests", "clients"))

# pylint: disable=wrong-import-position
import captures
import clients
import frame
import png
import report
import web

ALLOWED_SKIPS = "tests/allowed-skips.txt"
REFUSALS = "tests/corpus/refused.txt"
TRACE_PICTURES = "tests/traces/pictures.txt"
TRACES = "../shared/corpus/aero/traces"
DRIVERS = ("lavapipe", "swiftshader")
LIMITS = ("browser", "default")  # devices that the scenes run on beside the adapter's own
# Whose scenes run in a GPU process, too, which saves and loads: one process for each scene and snapshot.
PROCESS_FOLDERS = ("present", "runner", "sharing", "ext_queries")
INVOCATIONS = 24  # of a workgroup, so that thread groups of tests are larger
JOBS = os.cpu_count() or 1
os.environ["AEROGPU_CACHE"] = ""  # what a test is about is done, not found in the cache of an earlier run
TOOL = "build/test-gcc/src/cli/aerogpu"
ASAN_TOOL = "build/test-asan/src/cli/aerogpu"
PIPELINES = "build/test-gcc/tests/corpus/corpus_pipelines"
PIPELINE_SKIPS = "tests/corpus/pipelines.txt"
OWN_SHADERS = ["tests/corpus/own/dxbc", "demo/shaders"]
OUT = "build/test-out"
REPORT = []  # the folder that --report names
REPORT_PARTS = f"{OUT}/report"
SCENE_SECONDS = 180
SANITIZERS_FILE = "script/lib/sanitizers.env"
GCC_OPTIONS = ["-Dwerror=true"]
ASAN_OPTIONS = ["-Dwerror=true", "-Db_sanitize=address,undefined", "-Db_lundef=false"]
BATCH = 64  # corpus files per process
SCENE_BATCH = 8  # scenes per process: opening a device takes longer than most of them

# Shaders whose stored checksum is not that of their content, and what commands refuse them with that do more than list.
WRONG_SHADERS = {
    "cyclecounter.ps_5_0.5ea29ff0.dxbc": "dxbc.checksum",
    "indexabletemp4.ps_5_0.56d2e359.dxbc": "dxbc.checksum",
}


def sanitizers():
    """Their options; drivers allocate very much, which the sanitizer need not remember for long."""
    with open(os.path.join(ROOT, SANITIZERS_FILE), encoding="utf-8") as file:
        options = dict(line.strip().split("=", 1) for line in file if line.strip() and not line.startswith("#"))
    options["ASAN_OPTIONS"] += ":malloc_context_size=12:quarantine_size_mb=32"
    return options


SANITIZERS = sanitizers()


class Results:
    """What every single test came to."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []
        self.allowed = read_allowed_skips()

    def good(self):
        self.passed += 1

    def bad(self, suite, name, why=""):
        self.failed.append((suite, name))
        print(f"FAIL {suite} {name}" + (f": {why}" if why else ""), flush=True)

    def skip(self, suite, name, why):
        """A skip that has to be in the list of allowed ones."""
        self.known_gap(suite, name, why)
        if not any(suite == a and fnmatch.fnmatchcase(name, b) for a, b in self.allowed):
            self.bad(suite, name, f"this skip is not in {ALLOWED_SKIPS}")

    def known_gap(self, suite, name, why):
        """A skip whose reason is checked in where it happens: a `todo` line of a scene."""
        self.skipped.append((suite, name))
        print(f"skip {suite} {name}: {why}", flush=True)

    def count(self):
        return self.passed, len(self.failed), len(self.skipped)


def read_allowed_skips():
    """Lines of `suite-or-driver name-glob reason`."""
    allowed = []
    with open(ALLOWED_SKIPS, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split(None, 2)
            if words and len(words) < 3:
                sys.exit(f"{ALLOWED_SKIPS}:{number}: a skip needs a suite, a name and a reason")
            if words:
                allowed.append((words[0], words[1]))
    return allowed


def indent(text, lines=40):
    """The end of a log, so that a failure can be read where it is reported."""
    return "\n".join("    " + line for line in text.rstrip().split("\n")[-lines:])


# ---- Builds and unit tests -----------------------------------------------------------------------------


def build(folder, compiler, options, targets=()):
    environment = dict(os.environ, CC=compiler)
    if not os.path.exists(f"{folder}/build.ninja"):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["meson", "setup", folder, *options], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
    done = subprocess.run(["ninja", "-C", folder, f"-j{JOBS}", *targets], env=environment, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stdout.split("\n") if "error" in line or line.startswith("FAILED")]
        print(indent("\n".join(errors[:30] or [done.stdout]), 30))
    return done.returncode == 0


def unit_tests(results, suite, folder, compiler, options, setup="everyday"):
    if not build(folder, compiler, options):
        results.bad(suite, "build", f"{folder} does not build")
        return
    log = f"{folder}/meson-logs/testlog-{setup}.json"
    if os.path.exists(log):
        os.remove(log)
    environment = dict(os.environ, **SANITIZERS)
    if os.path.isdir("../shared"):
        environment.setdefault("AGPU_SHARED", os.path.abspath("../shared"))
    only = [f"--suite={setup}"] if setup != "everyday" else []
    subprocess.run(["meson", "test", "-C", folder, "--no-rebuild", f"--num-processes={JOBS}", f"--setup={setup}",
                    *only], env=environment, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with open(log, encoding="utf-8") as file:
            tests = [json.loads(line) for line in file]
    except OSError:
        tests = []
    if not tests:
        results.bad(suite, "unit tests", "none ran")
    for test in tests:
        name = test["name"].split(" / ")[-1]
        if test["result"] == "OK" or test["result"] == "EXPECTEDFAIL":
            results.good()
        elif test["result"] == "SKIP":
            results.skip(suite, name, "skipped itself")
        else:
            results.bad(suite, name, test["result"].lower())
            print(indent((test.get("stdout") or "") + (test.get("stderr") or "")))


def gcc_suite(results):
    unit_tests(results, "gcc", "build/test-gcc", "gcc", GCC_OPTIONS)
    dlls_of_32_bits(results, "build/test-gcc", GCC_OPTIONS)


def dlls_of_32_bits(results, folder, options):
    """They are built where their compiler was when the folder was set up."""
    with open(f"{folder}/build.ninja", encoding="utf-8") as file:
        if "dlls32" not in file.read():
            return
    if build(folder, "gcc", options, ["dlls32"]):
        results.good()
    else:
        results.bad("gcc", "dlls32", "the DLLs of 32 bits do not build")


def asan_suite(results):
    unit_tests(results, "asan", "build/test-asan", "clang", ASAN_OPTIONS)


def snapshot_suite(results):
    """What changed bytes do is looked at by the sanitizers."""
    unit_tests(results, "snapshots", "build/test-gcc", "gcc", GCC_OPTIONS, "moments")
    unit_tests(results, "snapshots", "build/test-asan", "clang", ASAN_OPTIONS, "changes")


# ---- The tool -------------------------------------------------------------------------------------------


def objects_in(output):
    """The JSON objects of what the tool printed, a line each; the last line may be cut off."""
    objects = []
    for line in output.decode(errors="replace").split("\n"):
        if line.startswith("{"):
            try:
                objects.append(json.loads(line))
            except ValueError:
                pass
    return objects


def tool(arguments, seconds, program=TOOL):
    """Runs the tool; gives the exit status (None: out of time), its JSON objects and its messages."""
    environment = dict(os.environ, **SANITIZERS)
    try:
        done = subprocess.run([program, *arguments], check=False, timeout=seconds, capture_output=True,
                              env=environment)
        status = done.returncode
    except subprocess.TimeoutExpired as expired:
        done, status = expired, None
    return status, objects_in(done.stdout or b""), (done.stderr or b"").decode(errors="replace")


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        yield from zip(items, pool.map(function, items))


def batches(files, size=BATCH):
    return [files[i:i + size] for i in range(0, len(files), size)]


# ---- Corpus ---------------------------------------------------------------------------------------------


def refusal_reason(entry):
    return "; ".join(f"{d['code']}: {d['message']}" for d in entry["diags"] if d["severity"] == "error")[:300]


def read_refusals():
    """Lines of `name-glob code reason`: what the translator refuses on purpose."""
    with open(REFUSALS, encoding="utf-8") as file:
        lines = [line.split("#")[0].split(None, 2) for line in file]
    return [(line[0], line[1]) for line in lines if len(line) == 3]


def refused_as_it_should(name, entry, refusals):
    codes = {d["code"] for d in entry["diags"] if d["severity"] == "error"}
    name = os.path.basename(name)
    wanted = {WRONG_SHADERS[name]} if name in WRONG_SHADERS else {
        code for glob_, code in refusals if fnmatch.fnmatchcase(name, glob_)}
    return bool(codes) and codes <= wanted


def corpus_check(results, command, files, refusals=()):
    """One check per file: the command accepts it, or refuses it for the reason that is written down."""
    accepted = refused = 0

    def run(batch):
        return tool([*command, "--json", *batch], 600)

    for batch, (status, objects, messages) in in_parallel(run, batches(files)):
        by_file = {entry["file"]: entry for entry in objects}
        for name in batch:
            entry = by_file.get(name)
            if entry is None:
                why = "out of time" if status is None else f"no result, status {status}: {messages[-300:]}"
                results.bad("corpus", f"{command[0]} {os.path.relpath(name, ROOT)}", why)
            elif entry["ok"]:
                results.good()
                accepted += 1
            elif refused_as_it_should(name, entry, refusals):
                results.good()
                refused += 1
            else:
                results.bad("corpus", f"{command[0]} {os.path.relpath(name, ROOT)}", refusal_reason(entry))
    print(f"corpus: {command[0]} accepts {accepted} of {len(files)} files and refuses {refused} as it should",
          flush=True)


def roundtrip(name):
    """Whether listing and assembling a shader gives back its bytes; the messages when not."""
    listing = subprocess.run([TOOL, "disasm", "--full", name], check=False, capture_output=True)
    back = subprocess.run([TOOL, "asm", "-"], input=listing.stdout, check=False, capture_output=True)
    with open(name, "rb") as file:
        same = back.stdout == file.read()
    return same, (listing.stderr + back.stderr).decode(errors="replace")[-300:]


def corpus_roundtrips(results, files):
    passed = 0
    for name, (same, why) in in_parallel(roundtrip, files):
        if same:
            results.good()
            passed += 1
        else:
            results.bad("corpus", f"asm {os.path.relpath(name, ROOT)}", why or "other bytes")
    print(f"corpus: asm gives back {passed} of {len(files)} files", flush=True)


def corpus_suite(results):
    if not os.path.exists(TOOL) and not build("build/test-gcc", "gcc", GCC_OPTIONS):
        results.bad("corpus", "build")
        return
    files = sorted(glob.glob("tests/corpus/**/*.dxbc", recursive=True) +
                   glob.glob("demo/shaders/**/*.dxbc", recursive=True))
    genuine = sorted(glob.glob("../shared/corpus/fxc/**/*.dxbc", recursive=True))
    if not files:
        results.bad("corpus", "own shaders", "none found")
    if not genuine:
        results.skip("corpus", "fxc", "the genuine shaders are not beside this checkout")
    files += genuine
    corpus_check(results, ["disasm"], files)
    corpus_roundtrips(results, files)
    corpus_check(results, ["translate", "--validate=module"], files, read_refusals())


# ---- Pipelines ------------------------------------------------------------------------------------------


def read_pipeline_skips():
    """Lines of `driver  part of the cause  reason`, with two blanks between."""
    with open(PIPELINE_SKIPS, encoding="utf-8") as file:
        lines = [re.split(r"\s{2,}", line.split("#")[0].strip(), maxsplit=2) for line in file]
    return [(line[0], line[1]) for line in lines if len(line) == 3]


def pipelines_on(results, driver, paths):
    """Every vertex, pixel and compute shader is drawn, or left out for a cause that is written down."""
    skips = read_pipeline_skips()
    environment = dict(os.environ, **SANITIZERS)
    done = subprocess.run([PIPELINES, "-j", str(JOBS), driver, *paths], check=False, capture_output=True, text=True,
                          env=environment)
    for line in done.stdout.splitlines():
        words = line.split(None, 1)
        if words and words[0] in ("refused", "slow", "failed"):
            name, why = words[1].split(": ", 1)
            name = f"pipeline {os.path.relpath(name, ROOT)}"
            if words[0] != "failed" and any(fnmatch.fnmatchcase(driver, a) and b in why for a, b in skips):
                results.known_gap(driver, name, why)
            else:
                results.bad(driver, name, why)
    summary = re.search(r"(\d+) vertex, (\d+) pixel and (\d+) compute shaders drawn", done.stdout)
    if done.returncode == 77:
        results.skip(driver, "pipelines", "the driver is not installed")
    elif summary is None:
        results.bad(driver, "pipelines", f"no result, status {done.returncode}")
        print(indent(done.stdout + done.stderr))
    else:
        results.passed += sum(int(count) for count in summary.groups())
        print(done.stdout.splitlines()[-1], flush=True)


def pipeline_suite(results, paths):
    if not os.path.exists(PIPELINES) and not build("build/test-gcc", "gcc", GCC_OPTIONS):
        results.bad("pipelines", "build")
        return
    for driver in DRIVERS:
        pipelines_on(results, driver, paths)


# ---- Scenes ---------------------------------------------------------------------------------------------


def scene_result(results, driver, path, scene, messages):
    """One check per scene; `scene` is what the tool says of it."""
    name = os.path.relpath(path, ROOT)
    if scene["result"] == "skipped":
        results.skip(driver, name, scene.get("skip_reason") or "no reason given")
    elif scene["result"] == "passed":
        results.good()
    else:
        results.bad(driver, name, scene["result"])
        for check in scene.get("checks") or []:
            if check["result"] == "failed":
                print(f"    line {check['line']}: {check['kind']}: want {check['want']}, got {check['got']}")
        print(indent("\n".join(line for line in messages.split("\n") if name in line), 20))
    if scene["result"] == "passed":
        for check in scene.get("checks") or []:
            if check["result"] == "skipped":
                results.known_gap(driver, f"{name}:{check['line']}", "todo: " + check["todo"])


def statuses_of(objects):
    """What the tool may exit with: 3 where a scene is skipped; those of failures are theirs."""
    outcomes = {scene["result"] for scene in objects}
    if outcomes <= {"passed", "skipped"}:
        return [3] if "skipped" in outcomes else [0]
    return range(1, 256)


def has_thread_groups(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return "dcl_thread_group" in file.read()


def same_pictures(results, label, path, scene, pictures):
    """A device that is saved and loaded shows what one shows that goes on."""
    shown = [present["xxh3"] for present in scene.get("presents") or []]
    if pictures.setdefault(path, shown) != shown:
        results.bad(label, os.path.relpath(path, ROOT), "the pictures are others")


def run_scenes(results, scenes, driver, program=TOOL, label=None, limits="adapter", invocations=0, snapshots=0,
               pictures=None, options=()):
    label = label or driver
    started = time.monotonic()

    def run(paths):
        page = ["--report", report.folder(REPORT_PARTS, label, os.path.relpath(paths[0], ROOT))] if REPORT else []
        return tool(["run", *paths, "--json", "--strict", "--driver", driver, "--limits", limits,
                     "--invocations", str(invocations), "--snapshots", str(snapshots),
                     "--timeout", str(SCENE_SECONDS - 20), "-o", f"{OUT}/{label}", *options, *page], SCENE_SECONDS * len(paths), program)

    todo = batches(scenes, 1 if REPORT else SCENE_BATCH)
    while todo:
        again = []
        for paths, (status, objects, messages) in in_parallel(run, todo):
            for path, scene in zip(paths, objects):
                scene_result(results, label, path, scene, messages)
                if pictures is not None:
                    same_pictures(results, label, path, scene, pictures)
            done = len(objects)
            if done < len(paths):
                results.bad(label, os.path.relpath(paths[done], ROOT),
                            "out of time" if status is None else f"no result, status {status}")
                print(indent(messages))
                again += batches(paths[done + 1:], SCENE_BATCH)
            elif status not in statuses_of(objects):
                results.bad(label, " ".join(os.path.relpath(path, ROOT) for path in paths), f"status {status}")
                print(indent(messages))
        todo = again
    print(f"{label}: {len(scenes)} scenes in {time.monotonic() - started:.1f} s", flush=True)


def scene_suite(results, pattern, suite):
    if not os.path.exists(TOOL) and not build("build/test-gcc", "gcc", GCC_OPTIONS):
        results.bad(suite, "build")
        return
    scenes = sorted(glob.glob(pattern, recursive=True))
    if not scenes:
        results.bad(suite, pattern, "no scene found")
        return
    pictures = {}
    for driver in DRIVERS:
        run_scenes(results, scenes, driver, pictures=pictures if driver == "lavapipe" else None)
    run_scenes(results, scenes, "lavapipe", label="snapshots", snapshots=1, pictures=pictures)
    processed = [path for path in scenes if os.path.basename(os.path.dirname(path)) in PROCESS_FOLDERS]
    if processed:
        run_scenes(results, processed, "lavapipe", label="process-snapshots", snapshots=1, pictures=pictures,
                   options=["--process"])
    for limits in LIMITS:
        run_scenes(results, scenes, "lavapipe", label=f"limits-{limits}", limits=limits)
    grouped = [path for path in scenes if has_thread_groups(path)]
    if grouped:
        run_scenes(results, grouped, "lavapipe", label="invocations", invocations=INVOCATIONS)
    if os.path.exists(ASAN_TOOL):
        run_scenes(results, scenes, "lavapipe", ASAN_TOOL, "asan-lavapipe")


# ---- Traces of the reference project --------------------------------------------------------------------


def trace_outcome(driver, name):
    """The SHA-256 of the trace's last picture, or the code of its refusal."""
    status, objects, messages = tool(["run", f"{TRACES}/{name}.aerogputrace", "--aero-dialect", "--json",
                                      "--driver", driver, "-o", f"{OUT}/traces-{driver}"], SCENE_SECONDS)
    if status is None or not objects:
        return f"status {status}: {messages[-300:]}"
    refusals = [diag["code"] for diag in objects[0]["diags"] if diag["severity"] == "error"]
    if refusals or not objects[0]["presents"]:
        return refusals[0] if refusals else "nothing presented"
    width, height, rows = png.read(objects[0]["presents"][-1]["png"])
    return hashlib.sha256(struct.pack("<II", width, height) + rows).hexdigest()


def trace_suite(results):
    if not os.path.exists(TOOL) and not build("build/test-gcc", "gcc", GCC_OPTIONS):
        results.bad("traces", "build")
        return
    if not os.path.isdir(TRACES):
        results.skip("traces", "aero", "the traces of the reference project are not beside this checkout")
        return
    with open(TRACE_PICTURES, encoding="utf-8") as file:
        wanted = dict(line.split() for line in file if line.strip() and not line.startswith("#"))
    for driver in DRIVERS:
        for name, got in in_parallel(lambda name, on=driver: trace_outcome(on, name), sorted(wanted)):
            if got == wanted[name]:
                results.good()
            else:
                results.bad("traces", f"{name} on {driver}", f"want {wanted[name]}, got {got}")


# ---- Captures -------------------------------------------------------------------------------------------


def capture_suite(results):
    if not os.path.exists(TOOL) and not build("build/test-gcc", "gcc", GCC_OPTIONS):
        results.bad("captures", "build")
        return
    captures.suite(results, tool, TOOL, f"{OUT}/captures")


def web_suite(results):
    if not os.path.exists(TOOL) and not build("build/test-gcc", "gcc", GCC_OPTIONS):
        results.bad("web", "build")
        return
    scenes = sorted(glob.glob("tests/scenes/**/*.scene", recursive=True) + glob.glob("demo/*.scene"))
    web.suite(results, ROOT, JOBS, [os.path.join(ROOT, scene) for scene in scenes], tool, in_parallel,
              report.folder(REPORT_PARTS, "web", "playground") if REPORT else None)


def client_suite(results, wanted, daily=False):
    """The named clients, or cases of them (NAME/CASE,CASE); or what is run every day, where Wine is installed."""
    if daily and not frame.has_wine():
        results.skip("clients", "daily", "Wine is not installed")
        return
    if not build("build/test-gcc", "gcc", GCC_OPTIONS):
        results.bad("clients", "build")
        return
    chosen = [name.partition("/") for name in wanted or clients.CLIENTS if not daily or clients.CLIENTS[name].is_daily]
    frame.suite(results, [(clients.CLIENTS[name], [case for case in cases.split(",") if case])
                          for name, _, cases in chosen], TOOL,
                (lambda name: report.folder(REPORT_PARTS, "clients", name)) if REPORT else None, daily)


def take_client_names(arguments):
    """Removes from the arguments, and gives, the names that follow `--clients`."""
    names = []
    if "--clients" in arguments:
        at = arguments.index("--clients") + 1
        while at < len(arguments) and arguments[at].partition("/")[0] in clients.CLIENTS:
            names.append(arguments.pop(at))
    return names


SUITES = {
    "gcc": gcc_suite,
    "asan": asan_suite,
    "corpus": corpus_suite,
    "scenes": lambda results: scene_suite(results, "tests/scenes/**/*.scene", "scenes"),
    "pipelines": lambda results: pipeline_suite(results, OWN_SHADERS),
    "demo": lambda results: scene_suite(results, "demo/*.scene", "demo"),
    "captures": capture_suite,
    "traces": trace_suite,
    "web": web_suite,
    "clients": lambda results: client_suite(results, [], daily=True),
}

# Take too long for every day.
ON_DEMAND = {
    "--oracle": lambda results: unit_tests(results, "oracle", "build/test-gcc", "gcc", GCC_OPTIONS, "long"),
    "--kills": lambda results: unit_tests(results, "kills", "build/test-gcc", "gcc", GCC_OPTIONS, "kills"),
    "--snapshots": snapshot_suite,
    "--pipelines": lambda results: pipeline_suite(results, OWN_SHADERS + ["../shared/corpus/fxc"]),
}


def main():
    os.chdir(ROOT)
    arguments = sys.argv[1:]
    if "--report" in arguments[:-1]:
        at = arguments.index("--report")
        REPORT.append(os.path.join(os.environ.get("CALLED_FROM", ""), arguments[at + 1]))
        del arguments[at:at + 2]
        shutil.rmtree(REPORT_PARTS, ignore_errors=True)
    chosen = take_client_names(arguments)
    wanted = arguments or list(SUITES)
    suites = SUITES | ON_DEMAND | {"--clients": lambda results: client_suite(results, chosen)}
    if any(name not in suites for name in wanted):
        sys.exit(__doc__)
    results = Results()
    started = time.monotonic()
    for name in wanted:
        before = results.count()
        print(f"== {name}", flush=True)
        suites[name](results)
        after = results.count()
        print(f"== {name}: {after[0] - before[0]} passed, {after[1] - before[1]} failed, "
              f"{after[2] - before[2]} skipped after {time.monotonic() - started:.0f} s", flush=True)
        if after == before:
            results.bad(name, "suite", "nothing ran")
    if REPORT:
        print(f"{report.merge(REPORT_PARTS, REPORT[0])} scenes in {REPORT[0]}/index.html")
    passed, failed, skipped = results.count()
    if failed:
        print("failed:")
        for suite, name in results.failed:
            print(f"  {suite} {name}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed or passed == 0 else 0)


if __name__ == "__main__":
    main()
