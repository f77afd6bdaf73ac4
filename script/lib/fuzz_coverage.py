#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which functions of src the short runs of fuzz targets reach, with what fuzzers have found.

usage: fuzz_coverage.py TARGET...

Builds with clang's counters, runs replay_TARGET over seeds and corpora, and prints a table with a row for each layer,
then the functions of src/exec that nothing reached.
"""
import collections
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = "build/fuzz-coverage"
CORPORA = "build/fuzz/out/corpus"  # what script/fuzz left
COUNTERS = "-fprofile-instr-generate"
OPTIONS = ["-Doptimization=1", "-Ddebug=false", f"-Dc_args={COUNTERS} -fcoverage-mapping", f"-Dc_link_args={COUNTERS}"]
LISTED = "src/exec/"


def build(targets):
    """The programs of the targets, and what they take: a number of changed seeds, and folders."""
    if not os.path.exists(f"{BUILD}/build.ninja"):
        subprocess.run(["meson", "setup", BUILD, *OPTIONS], env=dict(os.environ, CC=os.environ.get("CC", "clang")),
                       check=True, stdout=subprocess.DEVNULL)
    shown = subprocess.run(["meson", "introspect", BUILD, "--tests"], check=True, capture_output=True)
    tests = {os.path.basename(test["cmd"][0]).removeprefix("replay_"): test["cmd"] for test in json.loads(shown.stdout)
             if os.path.basename(test["cmd"][0]).startswith("replay_")}
    unknown = [target for target in targets if target not in tests]
    if unknown:
        sys.exit(f"fuzz: there is no target {unknown[0]}")
    chosen = {target: tests[target] for target in targets or tests}
    seeds = [f"tests/fuzz/{noun}_seeds.stamp" for noun in ("exec", "process", "snapshot") if noun in chosen]
    subprocess.run(["ninja", "-C", BUILD, "--quiet", *(f"tests/fuzz/replay_{target}" for target in chosen), *seeds],
                   check=True)
    return chosen


def run(chosen):
    """Runs everything and returns the merged counters."""
    for name in glob.glob(f"{BUILD}/*.profraw"):
        os.remove(name)
    for target, command in chosen.items():
        corpus = f"{CORPORA}/fuzz_{target}"
        subprocess.run([*command, *([corpus] if os.path.isdir(corpus) and os.listdir(corpus) else [])], check=True,
                       env=dict(os.environ, LLVM_PROFILE_FILE=f"{BUILD}/{target}.profraw"), stdout=subprocess.DEVNULL)
    merged = f"{BUILD}/all.profdata"
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-o", merged, *sorted(glob.glob(f"{BUILD}/*.profraw"))],
                   check=True)
    return merged


def functions(chosen, merged):
    """How often each function of src ran, those of headers once."""
    programs = [command[0] for command in chosen.values()]
    objects = [word for program in programs[1:] for word in ("-object", program)]
    shown = subprocess.run(["llvm-cov", "export", "-instr-profile", merged, programs[0], *objects], check=True,
                           stdout=subprocess.PIPE)
    counts = collections.Counter()
    for function in json.loads(shown.stdout)["data"][0]["functions"]:
        file = os.path.relpath(os.path.join(BUILD, function["filenames"][0]), ".")
        if file.startswith("src/"):
            counts[file, function["name"].rpartition(":")[2]] += function["count"]
    return counts


def main():
    os.chdir(ROOT)
    chosen = build(sys.argv[1:])
    counts = functions(chosen, run(chosen))
    total, reached = collections.Counter(), collections.Counter()
    for (file, _), count in counts.items():
        for layer in (file.split("/")[1], "all"):
            total[layer] += 1
            reached[layer] += count != 0
    print("| Layer | Functions | Reached | Share |\n|---|---:|---:|---:|")
    for layer in sorted(total, key=lambda layer: (layer == "all", layer)):
        name = layer if layer == "all" else f"`{layer}`"
        print(f"| {name} | {total[layer]} | {reached[layer]} | {100 * reached[layer] / total[layer]:.1f} % |")
    for (file, name), count in sorted(counts.items()):
        if not count and file.startswith(LISTED):
            print(f"never reached: {file}: {name}()")


if __name__ == "__main__":
    main()
