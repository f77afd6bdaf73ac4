#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the playground together: a folder of static files, with the demos.

Files of a folder `worker` keep it; the others stand side by side. The npm package fzstd becomes one file, which begins
with its licence. The page names all that its script imports, so that browsers load it at once.

usage: assemble_playground.py demo_folder fzstd_folder folder stamp file...
"""
import glob
import os
import re
import shutil
import sys

DEMO_FILES = ("*.scene", "shaders/*.dxbc", "textures/*.png")
WORKER = "worker"


def copy(file, to):
    os.makedirs(os.path.dirname(to), exist_ok=True)
    shutil.copy(file, to)


def write_fzstd(package, to):
    texts = []
    for name in ("LICENSE", "esm/index.mjs"):
        with open(os.path.join(package, name), encoding="utf-8") as file:
            texts.append(file.read())
    with open(to, "w", encoding="utf-8") as file:
        file.write(f"/* fzstd\n\n{texts[0]}*/\n{texts[1]}")


def imported(folder, name, found):
    """Adds a script and all that it imports."""
    if name in found:
        return
    found.append(name)
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        for other in re.findall(r"\bfrom '\./(\S+\.js)';", file.read()):
            imported(folder, other, found)


def preload(folder):
    scripts, page = [], os.path.join(folder, "index.html")
    imported(folder, "playground.js", scripts)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    links = "".join(f'<link rel="modulepreload" href="{name}">\n' for name in scripts[1:])
    with open(page, "w", encoding="utf-8") as file:
        file.write(text.replace("<script type", links + "<script type", 1))


def main():
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    demo, fzstd, folder, stamp, *files = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    for file in files:
        above = os.path.basename(os.path.dirname(file))
        copy(file, os.path.join(folder, above if above == WORKER else "", os.path.basename(file)))
    write_fzstd(fzstd, os.path.join(folder, "fzstd.js"))
    for pattern in DEMO_FILES:
        for file in glob.glob(os.path.join(demo, pattern)):
            copy(file, os.path.join(folder, "demo", os.path.relpath(file, demo)))
    preload(folder)
    with open(stamp, "w", encoding="utf-8"):
        pass


main()
