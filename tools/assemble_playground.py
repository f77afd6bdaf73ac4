#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the playground together: a folder of static files, with the demos.

Files of a folder `worker` keep it; the others stand side by side. The npm package fzstd becomes one file, which begins
with its licence.

usage: assemble_playground.py demo_folder fzstd_folder folder stamp file...
"""
import glob
import os
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
    with open(stamp, "w", encoding="utf-8"):
        pass


main()
