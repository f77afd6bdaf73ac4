#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the npm package together in a folder, from which `npm pack` makes a tarball.

usage: assemble_web_package.py version folder stamp file...
"""
import json
import os
import shutil
import sys

MANIFEST = {
    "name": "aerogpu",
    "description": "The AeroGPU paravirtual Direct3D 10/11 device for machine emulators in browsers, on WebGPU",
    "license": "MIT",
    "type": "module",
    "main": "aerogpu.js",
    "types": "aerogpu.d.ts",
    "exports": {".": {"types": "./aerogpu.d.ts", "default": "./aerogpu.js"},
                "./abi": {"types": "./abi.d.ts", "default": "./abi.js"}, "./aerogpu.wasm": "./aerogpu.wasm",
                "./aerogpu.wasm.gz": "./aerogpu.wasm.gz"},
    "sideEffects": False,
    # The declarations name WebGPU's types; programs in JavaScript do without.
    "peerDependencies": {"@webgpu/types": "*"},
    "peerDependenciesMeta": {"@webgpu/types": {"optional": True}},
}


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    version, folder, stamp, *files = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for file in files:
        shutil.copy(file, os.path.join(folder, os.path.basename(file)))
    manifest = dict(MANIFEST, version=version, files=sorted(map(os.path.basename, files)))
    with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=2)
        file.write("\n")
    with open(stamp, "w", encoding="utf-8"):
        pass


main()
