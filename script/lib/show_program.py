#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows a program that nobody wrote for this project: Dear ImGui's example for Direct3D 11 under Wine, or says what it
needs. Its last frame becomes PICTURE.

usage: show_program.py TOOL PICTURE
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[1:1] = [os.path.join(ROOT, "tests", "clients")]

# pylint: disable=wrong-import-position
import fetch
import frame
import imgui


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tool, picture = (os.path.abspath(argument) for argument in sys.argv[1:])
    os.makedirs(frame.CACHE, exist_ok=True)
    try:
        imgui.EXAMPLE.find_programs()
        imgui.EXAMPLE.prepare(frame.CACHE)
    except fetch.Unavailable as lacking:
        print(f"Dear ImGui's example is not shown: {lacking}. With Wine and mingw (apt-get install wine64 "
              "gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64-posix) it is.")
        return 0
    (program, *_), = imgui.EXAMPLE.commands
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([tool, "run", "--driver", frame.DRIVER, "-o", folder, program], check=False, cwd=folder,
                              env=dict(os.environ, CLIENT_FOLDER=folder), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL)
        frames = glob.glob(os.path.join(folder, "*.png"))
        if done.returncode != 0 or not frames:
            print(f"Dear ImGui's example ended with status {done.returncode} and {len(frames)} frames")
            return 1
        shutil.copy(max(frames, key=lambda path: int(path.rpartition("-")[2][:-4])), picture)
    print(f"A Windows program, Dear ImGui's example for Direct3D 11, under Wine: {picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
