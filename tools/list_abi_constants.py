#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the constants of the guest ABI's headers as a C table, so that the compiler says their values.

usage: list_abi_constants.py header... output.h

The output is `X(name)` for every enumerator and every macro without parameters that has a number.
"""
import re
import sys

ENUMERATOR = re.compile(r"^    (AEROGPU_\w+)(?: = [^,]+)?,", re.MULTILINE)
MACRO = re.compile(r"^#define (AEROGPU_\w+) +(?=[\d(A-Z])(?!.*\bsizeof\b)", re.MULTILINE)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    names = {}
    for header in sys.argv[1:-1]:
        with open(header, encoding="utf-8") as file:
            text = file.read()
        names |= dict.fromkeys(ENUMERATOR.findall(text) + MACRO.findall(text))
    with open(sys.argv[-1], "w", encoding="utf-8") as file:
        file.write("".join(f"X({name})\n" for name in names))


main()
