#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Line coverage of each layer of src by the unit tests, the scenes on lavapipe and the corpus.

usage: coverage.py run | table | lines FILE...

`run` builds and runs everything and prints the table, `table` prints what the last run left, `lines` the lines of
sources that it did not reach.
"""
import collections
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = "build/coverage"
OPTIONS = ["-Db_coverage=true", "-Doptimization=0", "-Ddebug=false"]
TOOL = f"{BUILD}/src/cli/aerogpu"
# Folders whose programs are built; random programs and random packets are no tests that repeat.
PROGRAMS = ("src/cli/", "tests/unit/", "tests/corpus/")
JOBS = os.cpu_count() or 1
BATCH = 24  # scenes and shaders per process
SHARED = os.environ.get("AGPU_SHARED", "../shared")  # genuine shaders and recorded streams, where there are any


def build():
    if not os.path.exists(f"{BUILD}/build.ninja"):
        subprocess.run(["meson", "setup", BUILD, *OPTIONS], env=dict(os.environ, CC=os.environ.get("CC", "gcc")),
                       check=True, stdout=subprocess.DEVNULL)
    introspected = subprocess.run(["meson", "introspect", BUILD, "--targets"], check=True, capture_output=True)
    names = [os.path.relpath(target["filename"][0], os.path.join(ROOT, BUILD))
             for target in json.loads(introspected.stdout) if target["type"] == "executable"]
    subprocess.run(["ninja", "-C", BUILD, "--quiet", f"-j{JOBS}", *(n for n in names if n.startswith(PROGRAMS))],
                   check=True)
    for name in glob.glob(f"{BUILD}/**/*.gcda", recursive=True):
        os.remove(name)


def in_batches(command, names):
    """Runs a command on many files; what it makes of them is another test's business."""
    argument = "\0".join(names).encode()
    subprocess.run(["xargs", "-0", f"-P{JOBS}", f"-n{BATCH}", *command], input=argument, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run():
    environment = dict(os.environ)
    suites = [*sorted(os.listdir("tests/unit")), "corpus"]
    if os.path.isdir(SHARED):
        environment["AGPU_SHARED"] = os.path.abspath(SHARED)
    subprocess.run(["meson", "test", "-C", BUILD, "--no-rebuild", f"--num-processes={JOBS}", "--timeout-multiplier=16",
                    *(f"--suite={suite}" for suite in suites)], env=environment, check=False)
    shaders = sorted(glob.glob("tests/corpus/**/*.dxbc", recursive=True) +
                     glob.glob("demo/shaders/**/*.dxbc", recursive=True) +
                     glob.glob(f"{SHARED}/corpus/fxc/**/*.dxbc", recursive=True))
    in_batches([TOOL, "translate"], shaders)
    in_batches([TOOL, "disasm", "--full"], shaders)
    scenes = sorted(glob.glob("tests/scenes/**/*.scene", recursive=True) + glob.glob("demo/*.scene"))
    in_batches([TOOL, "run", "--driver", "lavapipe", "-o", f"{BUILD}/scenes"], scenes)


def counts():
    """How often each line of each source ran."""
    lines = collections.defaultdict(collections.Counter)
    notes = sorted(os.path.relpath(name, BUILD) for name in glob.glob(f"{BUILD}/src/**/*.gcno", recursive=True))
    for at in range(0, len(notes), BATCH):
        done = subprocess.run(["gcov", "--json-format", "--stdout", *notes[at:at + BATCH]], cwd=BUILD, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for text in done.stdout.splitlines():
            for file in json.loads(text)["files"]:
                name = os.path.relpath(os.path.join(BUILD, file["file"]), ".")
                if name.startswith("src/"):
                    for line in file["lines"]:
                        lines[name][line["line_number"]] += line["count"]
    return lines


def table():
    """The table, as docs/coverage.md has it."""
    total, reached = collections.Counter(), collections.Counter()
    for name, lines in counts().items():
        for layer in (name.split("/")[1], "all"):
            total[layer] += len(lines)
            reached[layer] += sum(1 for count in lines.values() if count)
    print("| Layer | Lines | Reached | Share |\n|---|---:|---:|---:|")
    for layer in sorted(total, key=lambda layer: (layer == "all", layer)):
        name = layer if layer == "all" else f"`{layer}`"
        print(f"| {name} | {total[layer]} | {reached[layer]} | {100 * reached[layer] / total[layer]:.1f} % |")


def unreached(names):
    found = counts()
    for name in names:
        if name not in found:
            sys.exit(f"coverage: {name} is not in {BUILD}")
        with open(name, encoding="utf-8") as file:
            text = file.read().split("\n")
        for number, count in sorted(found[name].items()):
            if not count:
                print(f"{name}:{number}: {text[number - 1]}")


def main():
    os.chdir(ROOT)
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "run" and len(sys.argv) == 2:
        build()
        run()
    if what in ("run", "table") and len(sys.argv) == 2:
        table()
    elif what == "lines":
        unreached(sys.argv[2:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
