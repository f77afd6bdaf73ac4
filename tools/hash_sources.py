#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a header with the number of the sources that entries of the persistent cache depend on.

usage: hash_sources.py OUTPUT DEPFILE FOLDER...

Every file of the folders counts, so that nothing that changes a translation can be forgotten.
"""
import hashlib
import os
import sys


def main():
    output, depfile, *folders = sys.argv[1:]
    names = []
    for folder in folders:
        for parent, children, files in os.walk(folder):
            children.sort()
            names += [(os.path.relpath(os.path.join(parent, name), os.path.dirname(folder)), os.path.join(parent, name))
                      for name in files if name.endswith((".c", ".h", ".wgsl", ".build"))]
    digest = hashlib.sha256()
    for short, path in sorted(names):
        with open(path, "rb") as file:
            text = file.read()
        digest.update(f"{short.replace(os.sep, '/')} {len(text)}\n".encode() + text)
    with open(output, "w", encoding="utf-8") as file:
        file.write("/* Made by tools/hash_sources.py. */\n"
                   f"#define AG_SOURCE_VERSION UINT64_C(0x{digest.hexdigest()[:16]})\n")
    with open(depfile, "w", encoding="utf-8") as file:
        file.write(output + ": " + " ".join(path.replace(" ", "\\ ") for _, path in names) + "\n")


if __name__ == "__main__":
    main()
