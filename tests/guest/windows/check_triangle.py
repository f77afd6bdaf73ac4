#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the example with a triangle under Wine, with the project's DLLs, and looks at what it has presented. Skipped (77)
where there is no Wine.

usage: check_triangle.py ROOT TOOL PROGRAM DLLS
"""
import os
import shutil
import subprocess
import sys
import tempfile

BACKGROUND = (51, 51, 51)  # 0.2 of 255
TOLERANCE = 3


def is_near(pixel, wanted):
    return all(abs(a - b) <= TOLERANCE for a, b in zip(pixel, wanted))


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    root, tool, program, dlls = (os.path.abspath(argument) for argument in sys.argv[1:])
    sys.path.insert(0, os.path.join(root, "script", "lib"))
    import png  # pylint: disable=import-outside-toplevel
    if not any(shutil.which(name) for name in ("wine", "wine64")):
        print("no Wine: Debian's package wine64")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"), AEROGPU_DLLS=dlls)
        subprocess.run([tool, "run", "--strict", "--driver", "lavapipe", "--frames", "3", "-o", folder, program],
                       env=environment, stdin=subprocess.DEVNULL, check=True)
        pictures = sorted(name for name in os.listdir(folder) if name.endswith(".png"))
        if len(pictures) != 3:
            print(f"{len(pictures)} pictures instead of 3")
            return 1
        for name in pictures:
            width, height, pixels = png.read(os.path.join(folder, name))
            at = lambda x, y: pixels[(y * width + x) * 4:(y * width + x) * 4 + 3]
            if (width, height) != (320, 240):
                print(f"{name}: {width}x{height}")
                return 1
            # The corners are red, green and blue; the middle of the lower edge is between the latter.
            checks = {(2, 2): BACKGROUND, (317, 2): BACKGROUND, (160, 230): BACKGROUND}
            problems = [f"{name} at {place}: {tuple(at(*place))}" for place, wanted in checks.items()
                        if not is_near(at(*place), wanted)]
            top, right, left = at(160, 30), at(282, 213), at(38, 213)
            if not (top[0] > 230 and right[1] > 230 and left[2] > 230):
                problems.append(f"{name}: corners {tuple(top)} {tuple(right)} {tuple(left)}")
            for problem in problems:
                print(problem)
            if problems:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
