#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the playground together: a folder of static files, with the demos.

Files of a folder `worker` keep it; the others stand side by side.

usage: assemble_playground.py demo_folder folder stamp file...
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


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    demo, folder, stamp, *files = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    for file in files:
        above = os.path.basename(os.path.dirname(file))
        copy(file, os.path.join(folder, above if above == WORKER else "", os.path.basename(file)))
    for pattern in DEMO_FILES:
        for file in glob.glob(os.path.join(demo, pattern)):
            copy(file, os.path.join(folder, "demo", os.path.relpath(file, demo)))
    with open(stamp, "w", encoding="utf-8"):
        pass


main()
