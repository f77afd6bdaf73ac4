#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the guest's runtime has to know of formats without asking the device, out of the one list of formats.

usage: generate_guest_formats.py src/format/formats.h OUTPUT.h
"""
import re
import sys

LAST = 132  # Rows behind it are the host's own.
ROW = re.compile(r"X\((\w+), (\d+), ([A-Z]+)\(")


def rows(text):
    """Name, number, first word and the rest of each row."""
    text = re.sub(r"\\\n\s*", "", text[text.index("#define AG_FORMATS(X)"):])
    starts = list(ROW.finditer(text))
    for row, end in zip(starts, [row.start() for row in starts[1:]] + [len(text)]):
        yield row.group(1), int(row.group(2)), row.group(3), text[row.end():end]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        table = [row for row in rows(file.read()) if row[1] <= LAST]
    number_of = {name: number for name, number, _, _ in table}
    lines = []
    for name, number, word, rest in table:
        family = re.search(r"FAMILY\((\w+)\)", rest)
        parent = number_of[f"{family.group(1)}_TYPELESS"] if family else number
        numbers = re.search(r"[^_]NUMBERS\((\w+)", rest)
        flags = []
        if word == "TYPELESS":
            flags.append("RT_FORMAT_TYPELESS")
        if re.match(r"D\d", name):
            flags.append("RT_FORMAT_DEPTH")
            if "S8" in name:
                flags.append("RT_FORMAT_STENCIL")
        if numbers and numbers.group(1) in ("UINT", "SINT"):
            flags.append("RT_FORMAT_INTEGER")
        if numbers and numbers.group(1) == "SNORM" and not name.startswith("BC"):
            flags.append("RT_FORMAT_SNORM")
        lines.append(f"    [{number}] = {{{parent}, {' | '.join(flags) or '0'}}}, /* {name} */")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("/* Made by tools/generate_guest_formats.py. */\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
