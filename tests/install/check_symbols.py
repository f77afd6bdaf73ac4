#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the symbols of the library with what the public headers declare.

usage: check_symbols.py NM INCLUDE SHARED STATIC

Every function of the headers has AGPU_API before it and begins with agpu_. The shared library exports these and
nothing else; what else the static one defines for other files begins with ag_, so that it meets no symbol of the
program that links it. Names that begin with two underscores belong to the compiler (sanitizers, coverage).
"""
import os
import re
import subprocess
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
MACRO = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*(?:\\\n(?:[^\n\\]|\\.)*)*", re.M)
DECLARATION = re.compile(r"^(?!static |typedef )((?:\w+[ *\n]+)+)(\w+)\([^;{]*\);", re.M)


def declared(include):
    """Names of the functions that the headers declare, and complaints."""
    names, problems = set(), []
    for folder, _, files in os.walk(include):
        for file in sorted(files):
            with open(os.path.join(folder, file), encoding="utf-8") as header:
                text = MACRO.sub("", COMMENT.sub("", header.read()))
            for before, name in DECLARATION.findall(text):
                if not before.startswith("AGPU_API "):
                    problems.append(f"{file}: {name} has no AGPU_API")
                if not name.startswith("agpu_"):
                    problems.append(f"{file}: {name} does not begin with agpu_")
                names.add(name)
    return names, problems


def defined(nm, options, library):
    output = subprocess.run([nm, *options, "--defined-only", library], capture_output=True, text=True, check=True)
    rows = [line.split() for line in output.stdout.splitlines()]
    return {row[2].split("@")[0] for row in rows if len(row) == 3 and row[1] in "ABCDGRSTVWi"
            and not row[2].startswith("__")}


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    nm, include, shared, static = sys.argv[1:]
    names, problems = declared(include)
    if not names:
        problems.append("no header declares a function")
    exported = defined(nm, ["--dynamic"], shared)
    problems += [f"{name} is declared but not exported" for name in sorted(names - exported)]
    problems += [f"{name} is exported but not declared" for name in sorted(exported - names)]
    everything = defined(nm, ["--extern-only"], static)
    problems += [f"{name} is declared but not in the static library" for name in sorted(names - everything)]
    problems += [f"{name} is private, but does not begin with ag_" for name in sorted(everything - names)
                 if not name.startswith("ag_")]
    for problem in problems:
        print(problem)
    print(f"{len(names)} functions, {len(everything)} symbols of the static library")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
