#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the examples under Wine, with the project's DLLs, and looks at what they have presented: texels that each one's
file of expectations names, and the corners of the triangle. Skipped (77) where there is no Wine.

usage: check_examples.py ROOT TOOL DLLS PROGRAM...
"""
import os
import shutil
import subprocess
import sys
import tempfile

TOLERANCE = 3
FRAMES = 3


def read_expectations(path):
    """{(x, y): (red, green, blue)}"""
    with open(path, encoding="ascii") as file:
        rows = [[int(word) for word in line.split()] for line in file if line.strip() and not line.startswith("#")]
    return {(row[0], row[1]): tuple(row[2:5]) for row in rows}


def corner_problems(at):
    """The triangle's corners are red, green and blue."""
    top, right, left = at(160, 30), at(282, 213), at(38, 213)
    return [] if top[0] > 230 and right[1] > 230 and left[2] > 230 else [f"corners {top} {right} {left}"]


def picture_problems(picture, expectations, is_triangle):
    width, _, pixels = picture

    def at(x, y):
        return tuple(pixels[(y * width + x) * 4:(y * width + x) * 4 + 3])

    problems = [f"{place}: {at(*place)} instead of {wanted}" for place, wanted in expectations.items()
                if any(abs(a - b) > TOLERANCE for a, b in zip(at(*place), wanted))]
    return problems + (corner_problems(at) if is_triangle else [])


def run(tool, program, environment):
    """The pictures that the program has presented."""
    import png  # pylint: disable=import-outside-toplevel
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tool, "run", "--strict", "--driver", "lavapipe", "--frames", str(FRAMES), "-o", folder, program],
                       env=environment, stdin=subprocess.DEVNULL, check=True)
        return {name: png.read(os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if name.endswith(".png")}


def example_problems(root, tool, program, environment):
    example = os.path.splitext(os.path.basename(program))[0]
    wanted = read_expectations(os.path.join(root, "guest", "examples", f"{example}.expect"))
    is_triangle = example == "triangle"
    pictures = run(tool, program, environment)
    problems = [] if len(pictures) == FRAMES else [f"{len(pictures)} pictures instead of {FRAMES}"]
    for name, picture in pictures.items():
        if picture[:2] != ((320, 240) if is_triangle else (64, 64)):
            problems.append(f"{name}: {picture[0]}x{picture[1]}")
            continue
        problems += [f"{name} at {problem}" for problem in picture_problems(picture, wanted, is_triangle)]
    return [f"{example}: {problem}" for problem in problems]


def end_server(cache):
    """Wine's server writes into the prefix for some seconds after the last program."""
    server = shutil.which("wineserver", path=os.environ.get("PATH", "") + ":/usr/lib/wine")
    if server:
        environment = dict(os.environ, WINEPREFIX=os.path.join(cache, "aerogpu", "wine"))
        for word in ("-k", "-w"):
            subprocess.run([server, word], env=environment, stdin=subprocess.DEVNULL, check=False)


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    root, tool, dlls, *programs = (os.path.abspath(argument) for argument in sys.argv[1:])
    sys.path.insert(0, os.path.join(root, "script", "lib"))
    if not any(shutil.which(name) for name in ("wine", "wine64")):
        print("no Wine: Debian's package wine64")
        return 77
    problems = []
    with tempfile.TemporaryDirectory() as cache:
        environment = dict(os.environ, XDG_CACHE_HOME=cache, AEROGPU_DLLS=dlls)
        for program in programs:
            problems += example_problems(root, tool, program, environment)
        end_server(cache)
    for problem in problems:
        print(problem)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
