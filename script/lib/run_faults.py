#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants faults in a copy of the tree, one after the other, and runs the tests that should notice.

usage: run_faults.py [--record] [--check] [NAME-PATTERN...]

A fault of tests/faults/*.toml has a name, a file, the text `old`, which stands there exactly once, the text `new`
and `tests`, from fast to slow: names of unit tests (`wgsl/lowering`, `ref/*`) or scenes (`scenes/compute/*`), which
run on lavapipe, with options of `aerogpu run` that stand behind them (`scenes/views/* --snapshots 1`). A fault is
caught when a test fails, crashes or does not end. One that no test catches is a failure; so is one that does not build,
or whose text is not found. --check only looks for the files, texts and scenes, as the test `layering/faults` does. What
became of each fault is kept in build/faults, so that --record can write what several runs of a part each have found.
"""
import fnmatch
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = "build/faults"
TREE = f"{FOLDER}/tree"
BUILD = f"{FOLDER}/build"
RECORD = "docs/faults.md"
RESULTS = f"{FOLDER}/results.json"
TOOL = "src/cli/aerogpu"
SOUND_SECONDS = 1800  # without a fault, on a machine that others use, too
TEST_SECONDS = 120  # with a fault, and so many times what the test takes without
TEST_TIMES = 3
JOBS = os.environ.get("AEROGPU_JOBS", str(os.cpu_count() or 1))


def read_faults():
    faults = []
    for path in sorted(glob.glob("tests/faults/*.toml")):
        with open(path, "rb") as file:
            for fault in tomllib.load(file)["fault"]:
                fault["table"] = os.path.basename(path)[:-len(".toml")]
                faults.append(fault)
    names = [fault["name"] for fault in faults]
    if len(set(names)) != len(names):
        sys.exit("faults: a name stands twice")
    return faults


def planted(fault, root):
    """The text of the file with the fault, or None where its old text does not stand exactly once."""
    with open(f"{root}/{fault['file']}", encoding="utf-8") as file:
        text = file.read()
    if text.count(fault["old"]) != 1 or fault["old"] == fault["new"]:
        return None
    return text.replace(fault["old"], fault["new"])


def scenes_of(pattern, root):
    return sorted(glob.glob(f"{root}/tests/{pattern.split()[0]}.scene"))


def staleness(fault):
    """Why the fault cannot be planted in the project as it is, or None."""
    if not os.path.isfile(fault["file"]):
        return f"there is no file {fault['file']}"
    if planted(fault, ".") is None:
        return f"its text does not stand exactly once in {fault['file']}"
    for pattern in fault["tests"]:
        if pattern.startswith("scenes/") and not scenes_of(pattern, "."):
            return f"no scene is called {pattern}"
    return None


def copy_tree():
    """What git knows and does not ignore, uncommitted changes included; unchanged files keep their times."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], check=True, capture_output=True)
    names = {name for name in listed.stdout.decode().split("\0") if name and os.path.isfile(name)}
    for folder, _, files in os.walk(TREE):
        for name in files:
            path = os.path.join(folder, name)
            if os.path.relpath(path, TREE) not in names:
                os.remove(path)
    for name in names:
        to = f"{TREE}/{name}"
        with open(name, "rb") as file:
            content = file.read()
        if os.path.exists(to):
            with open(to, "rb") as file:
                if file.read() == content:
                    continue
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copyfile(name, to)
        shutil.copymode(name, to)


def introspect(what):
    shown = subprocess.run(["meson", "introspect", BUILD, what], check=True, capture_output=True, text=True)
    return json.loads(shown.stdout)


def meson_tests():
    """Unit tests by name: their command, environment and what is built for them."""
    folder = os.path.abspath(BUILD)
    files = {target["id"]: os.path.relpath(target["filename"][0], folder) for target in introspect("--targets")}
    tests = {}
    for test in introspect("--tests"):
        if not os.path.relpath(test["cmd"][0], folder).startswith(".."):
            tests[test["name"]] = (test["cmd"], dict(os.environ, **test["env"]), [files[id] for id in test["depends"]])
    return tests


class Runner:
    def __init__(self):
        self.tests = meson_tests()
        self.sound = {}  # test -> whether it passes without a fault
        self.seconds = {}  # ... and how long it takes
        self.environment = dict(os.environ)

    def find(self, patterns):
        """The tests of a fault, in its order."""
        found = []
        for pattern in patterns:
            if pattern.startswith("scenes/"):
                found.append((pattern, scenes_of(pattern, TREE)))
                continue
            names = [name for name in self.tests if fnmatch.fnmatchcase(name, pattern)]
            if not names:
                sys.exit(f"faults: no test is called {pattern}")
            found += [(name, None) for name in names]
        return found

    def build(self, test):
        targets = [TOOL] if test[1] else self.tests[test[0]][2]
        done = subprocess.run(["ninja", "-C", BUILD, f"-j{JOBS}", *targets], check=False, capture_output=True, text=True)
        return done.returncode == 0, done.stdout

    def passes(self, test, seconds):
        name, scenes = test
        if scenes:
            command = [f"{BUILD}/{TOOL}", "run", *scenes, "--driver", "lavapipe", "--timeout", str(round(seconds)),
                       "-o", f"{FOLDER}/pictures", *name.split()[1:]]
            environment, folder = self.environment, "."
        else:
            command, environment, _ = self.tests[name]
            folder = BUILD
        try:
            done = subprocess.run(command, check=False, timeout=seconds, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=environment, cwd=folder)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode in (0, 77)

    def is_sound(self, test):
        if test[0] not in self.sound:
            built, log = self.build(test)
            if not built:
                sys.exit(f"faults: the tree does not build\n{log[-2000:]}")
            started = time.monotonic()
            self.sound[test[0]] = self.passes(test, SOUND_SECONDS)
            self.seconds[test[0]] = time.monotonic() - started
        return self.sound[test[0]]

    def run(self, fault):
        """What became of a fault: a word, and the test that caught it."""
        tests = self.find(fault["tests"])
        unsound = [test[0] for test in tests if not self.is_sound(test)]
        if unsound:
            return "unsound", f"{unsound[0]} fails without it"
        text = planted(fault, TREE)
        path = f"{TREE}/{fault['file']}"
        with open(path, encoding="utf-8") as file:
            original = file.read()
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            for test in tests:
                built, log = self.build(test)
                if not built:
                    return "unsound", "it does not build: " + log[-300:]
                if not self.passes(test, TEST_SECONDS + TEST_TIMES * self.seconds[test[0]]):
                    return "caught", test[0]
            return "missed", ""
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(original)


def set_up():
    os.makedirs(TREE, exist_ok=True)
    copy_tree()
    library = os.path.abspath("node_modules/bun-webgpu-linux-x64/libwebgpu_wrapper.so")
    os.environ.setdefault("AEROGPU_WEBGPU_LIB", library)
    if not os.path.exists(f"{BUILD}/build.ninja"):
        subprocess.run(["meson", "setup", BUILD, TREE, "-Doptimization=1", "-Ddebug=false", "-Dwarning_level=0"],
                       check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", BUILD, f"-j{JOBS}", "build.ninja"], check=True, stdout=subprocess.DEVNULL)


def key_of(fault):
    """A fault that was changed is another one."""
    return json.dumps([fault[key] for key in ("name", "file", "old", "new", "tests")])


def read_results():
    """The outcome and the test of the last run of each fault, by its key."""
    try:
        with open(RESULTS, encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return {}


def keep_result(fault, outcome, test):
    results = read_results() | {key_of(fault): [outcome, test]}
    with open(f"{RESULTS}.new", "w", encoding="utf-8") as file:
        json.dump(results, file)
    os.replace(f"{RESULTS}.new", RESULTS)


def read_record():
    """What the record says of faults by name: the file and the test."""
    with open(RECORD, encoding="utf-8") as file:
        rows = re.findall(r"^\| (.*) \| `(.*)` \| `(.*)` \|$", file.read(), re.MULTILINE)
    return {name: (file, test) for name, file, test in rows}


def last_result(fault, kept, recorded):
    """The outcome and the test of the last run, which may have been on another machine."""
    file, test = recorded.get(fault["name"], ("", ""))
    is_same = file == fault["file"] and any(fnmatch.fnmatchcase(test, pattern) for pattern in fault["tests"])
    return kept.get(key_of(fault)) or (["caught", test] if is_same else ["not run", ""])


def record(faults):
    kept, recorded = read_results(), read_record()
    results = [(fault, *last_result(fault, kept, recorded)) for fault in faults]
    caught = sum(outcome == "caught" for _, outcome, _ in results)
    counts = [(sum(outcome == name for _, outcome, _ in results), name) for name in ("missed", "unsound", "not run")]
    others = "".join(f", {count} {'was' if count == 1 else 'were'} {name}" for count, name in counts if count)
    lines = ["# Planted faults", "",
             "`script/faults` changes one place of the source at a time and runs the tests that should notice; what it",
             "changes is in `tests/faults`. This is the result of the last run of each, written by `script/faults --record`:",
             f"{caught} of {len(results)} faults were caught{others}.", ""]
    for table in dict.fromkeys(fault["table"] for fault, _, _ in results):
        lines += [f"## {table.capitalize()}", "", "| Fault | File | Caught by |", "| --- | --- | --- |"]
        lines += [f"| {fault['name']} | `{fault['file']}` | {'`' + test + '`' if outcome == 'caught' else '**' + outcome + '**'} |"
                  for fault, outcome, test in results if fault["table"] == table]
        lines.append("")
    with open(RECORD, "w", encoding="utf-8") as file:
        file.write("\n".join(lines[:-1]) + "\n")


def main():
    os.chdir(ROOT)
    options = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    patterns = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if any(option not in ("--record", "--check") for option in options):
        sys.exit(__doc__)
    every_fault = read_faults()
    faults = [fault for fault in every_fault
              if not patterns or any(fnmatch.fnmatchcase(fault["name"], pattern) for pattern in patterns)]
    stale = [(fault, why) for fault in faults if (why := staleness(fault))]
    for fault, why in stale:
        print(f"stale   {fault['name']}: {why}", flush=True)
    if "--check" in options:
        print(f"{len(faults) - len(stale)} of {len(faults)} faults can be planted")
    if not faults:
        sys.exit("faults: no name matches")
    if stale or "--check" in options:
        sys.exit(1 if stale else 0)
    set_up()
    runner = Runner()
    results = []
    for fault in faults:
        started = time.monotonic()
        outcome, test = runner.run(fault)
        results.append(outcome)
        keep_result(fault, outcome, test)
        print(f"{outcome:7} {fault['name']}: {test or 'no test notices'} ({time.monotonic() - started:.0f} s)", flush=True)
    if "--record" in options:
        record(every_fault)
    caught = results.count("caught")
    print(f"{caught} of {len(results)} faults caught")
    sys.exit(0 if results and caught == len(results) else 1)


if __name__ == "__main__":
    main()
