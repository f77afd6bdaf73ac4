#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares docs/architecture.md with the tree: every file that the page names is there, and every .c file of the
layers is named, by itself or by a pattern, so that a newcomer finds each behaviour in two hops.

usage: architecture.py ROOT
"""
import fnmatch
import os
import re
import sys

PAGE = "docs/architecture.md"
FILE = re.compile(r"^(?:[\w*]+/)*[\w*]+\.(?:c|h|wgsl|html)$")


def rows(text):
    """The folder and the file names of each row of the tables under "Where things are"."""
    layer = room = ""
    for line in text[text.index("## Where things are"):].split("\n"):
        if line.startswith("## ") and "Where things are" not in line:
            return
        if line.startswith("### "):
            words = re.findall(r"`(\w+)`", line)
            layer, room = (words[0], "") if len(words) == 1 else ("", "")
            continue
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3:
            room = re.sub("`", "", cells[0]) or room
            yield f"{layer}/{room}", re.findall(r"`([^`]+)`", cells[1])
        elif len(cells) == 2:
            yield layer, re.findall(r"`([^`]+)`", cells[0])


def patterns(text):
    """The files that the page names, as patterns under src/; a bare name stands in the folder of the one before."""
    for folder, names in rows(text):
        for name in names:
            if name.endswith("/") or not FILE.match(name):
                continue
            if name.startswith("*/"):
                yield f"src/{folder.split('/')[0]}/{name}"
                continue
            if "/" in name:
                folder = os.path.dirname(name)
            yield f"src/{folder}/{os.path.basename(name)}" if folder else f"src/{name}"


def guest_problems(root, text):
    """The table of the guest's side names every .c file of the folders that it has, and no others."""
    section = text[text.index("## The guest's side"):].split("\n## ")[0]
    named, folder = set(), ""
    for name in re.findall(r"`((?:\w+/)?\w+\.c)`", section):
        folder = os.path.dirname(name) or folder
        named.add(f"guest/{folder}/{os.path.basename(name)}")
    there = {f"guest/{folder}/{name}" for folder in {os.path.basename(os.path.dirname(name)) for name in named}
             for name in os.listdir(os.path.join(root, "guest", folder)) if name.endswith(".c")}
    return [f"{PAGE}: {name} does not exist" for name in sorted(named - there)] + \
        [f"{PAGE} does not name {name}" for name in sorted(there - named)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = sys.argv[1]
    with open(os.path.join(root, PAGE), encoding="utf-8") as file:
        text = file.read()
    files = sorted(os.path.relpath(os.path.join(folder, name), root)
                   for folder, _, names in os.walk(os.path.join(root, "src")) for name in names)
    named = list(patterns(text))
    problems = [f"{PAGE}: {pattern} does not exist" for pattern in named if not fnmatch.filter(files, pattern)]
    problems += [f"{PAGE} does not name {name}" for name in files
                 if name.endswith(".c") and not any(fnmatch.fnmatchcase(name, pattern) for pattern in named)]
    path = text[text.index("## The path of a frame"):text.index("## Where things are")]
    folder = ""
    for name in re.findall(r"`((?:\w+/)*\w+\.[ch])`", path):
        folder = os.path.dirname(name) or folder
        if f"src/{folder}/{os.path.basename(name)}" not in files:
            problems.append(f"{PAGE}: {name} on the path of a frame does not exist")
    problems += guest_problems(root, text)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
