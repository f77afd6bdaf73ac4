#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes files as C arrays of bytes: NAME=FILE becomes `static const unsigned char NAME[]`.

usage: embed_bytes.py OUTPUT.h NAME=FILE...
"""
import sys


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], "w", encoding="ascii", newline="\n") as out:
        out.write("/* Made by tools/embed_bytes.py. */\n")
        for argument in sys.argv[2:]:
            name, _, path = argument.partition("=")
            with open(path, "rb") as file:
                data = file.read()
            out.write(f"static const unsigned char {name}[] = {{\n")
            for start in range(0, len(data), 24):
                out.write("    " + ", ".join(str(byte) for byte in data[start:start + 24]) + ",\n")
            out.write("};\n")


if __name__ == "__main__":
    main()
