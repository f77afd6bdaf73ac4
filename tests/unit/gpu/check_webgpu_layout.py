#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares src/gpu/webgpu_{enums,structs}.h with the pinned package's own description of its library.

usage: check_webgpu_layout.py source-root compiler...

The package bun-webgpu describes structures and numbers in its index.js. What it says becomes static
assertions, which the compiler checks against the headers. Exits with 77 when the package is neither in
node_modules nor in the folder that AEROGPU_BUN_WEBGPU names.
"""
import os
import re
import subprocess
import sys

SIZES = {"u16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "f64": 8, "pointer": 8, "char*": 8, "WGPUBool": 4}

# One description for all callbacks of the same shape.
ALIASES = {
    "WGPUCallbackInfo": [
        "WGPUBufferMapCallbackInfo", "WGPUCompilationInfoCallbackInfo", "WGPUDeviceLostCallbackInfo",
        "WGPUCreateComputePipelineAsyncCallbackInfo", "WGPUCreateRenderPipelineAsyncCallbackInfo",
        "WGPUPopErrorScopeCallbackInfo", "WGPUQueueWorkDoneCallbackInfo", "WGPURequestAdapterCallbackInfo",
        "WGPURequestDeviceCallbackInfo",
    ],
}
RENAMED_FIELDS = {("WGPUBindGroupLayoutEntry", "_alignment0"): "bindingArraySize"}
# Here the description goes on with members of a structure that would be chained to it.
ENDS_AFTER = {"WGPULimits": "maxImmediateSize"}
UNUSED_STRUCTS = {"WGPUExternalTextureBindingLayout", "ZWGPUWorkaroundCopyTextureAndMap"}
# The variable that holds the numbers of an enumeration, where it is not named like it.
ENUM_VARIABLES = {
    "WGPUFeatureName": "WGPUFeatureNameDef",
    "WGPUPowerPreference": "PowerPreference",
    "WGPUQueueWorkDoneStatus": "QueueWorkDoneStatus",
    "WGPUPopErrorScopeStatus": "PopErrorScopeStatus",
    "WGPURequestAdapterStatus": "RequestAdapterStatus",
    "WGPURequestDeviceStatus": "RequestDeviceStatus",
    "WGPUMapAsyncStatus": "AsyncStatus",
    "WGPUWGSLLanguageFeatureName": "WGPUWGSLLanguageFeatureNameDef",
    "WGPUBufferUsage": "BufferUsageFlags",
    "WGPUTextureUsage": "TextureUsageFlags",
    "WGPUShaderStage": "ShaderStageFlags",
    "WGPUMapMode": "MapModeFlags",
}
# Not in the description: numbers that the package has no use for.
UNKNOWN_ENUMS = {
    "WGPUAdapterType", "WGPUBufferMapState", "WGPUCompilationInfoRequestStatus", "WGPUCompilationMessageType",
    "WGPUCreatePipelineAsyncStatus", "WGPULoggingType", "WGPUStatus", "WGPUWaitStatus",
}


def plain(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def number(text):
    text = text.rstrip("n")
    if "<<" in text:
        base, shift = text.split("<<")
        return int(base) << int(shift)
    return int(text, 0)


def read_enums(text):
    enums = {}
    for name, body in re.findall(r"var (\w+) = (?:defineEnum\()?\{\n(.*?)\n\}", text, re.DOTALL):
        entries = re.findall(r'^  (?:"([^"]+)"|(\w+)): ([0-9a-fA-FxXn]+(?: << \d+)?),?$', body, re.MULTILINE)
        enums[name] = {plain(quoted or bare): number(value) for quoted, bare, value in entries}
    return enums


class Structs:
    """Sizes and member offsets as the package computes them."""

    def __init__(self, text):
        self.fields = {}
        self.enums = set(re.findall(r"var (\w+) = defineEnum\(", text))
        for name, body in re.findall(r"var (\w+)Struct = defineStruct\(\[\n(.*?)\n\]", text, re.DOTALL):
            self.fields[name] = self.read_fields(body)
        string_view = re.search(r"var WGPUStringView = defineStruct\(\[\n(.*?)\n\]", text, re.DOTALL)
        self.fields["WGPUStringView"] = self.read_fields(string_view.group(1))

    @staticmethod
    def read_fields(body):
        found = re.findall(r'^  \["(\w+)", (\[[^]]+\]|"[^"]+"|\w+(?:\(\))?)(.*)$', body, re.MULTILINE)
        return [(name, kind.strip('"'), "asPointer: true" in rest) for name, kind, rest in found]

    def measure(self, kind, as_pointer):
        if as_pointer or kind.startswith("[") or kind == "objectPtr()":
            return 8, 8
        if kind in SIZES:
            return SIZES[kind], SIZES[kind]
        if kind in self.enums:
            return 4, 4
        size, alignment, _ = self.layout(kind.removesuffix("Struct"))
        return size, alignment

    def layout(self, name):
        offset, widest, places = 0, 1, []
        for field, kind, as_pointer in self.fields[name]:
            size, alignment = self.measure(kind, as_pointer)
            offset = -(-offset // alignment) * alignment
            places.append((field, offset))
            offset += size
            widest = max(widest, alignment)
            if ENDS_AFTER.get(name) == field:
                break
        return -(-offset // widest) * widest, widest, places


def struct_assertions(structs, header):
    for described in structs.fields:
        if described in UNUSED_STRUCTS:
            continue
        size, _, places = structs.layout(described)
        for name in ALIASES.get(described, [described]):
            if f"}} {name};" not in header:
                sys.exit(f"the headers have no {name}")
            yield f'_Static_assert(sizeof({name}) == {size}, "size of {name}");'
            for field, offset in places:
                field = RENAMED_FIELDS.get((name, field), field)
                yield f'_Static_assert(offsetof({name}, {field}) == {offset}, "{name}.{field}");'


def enum_assertions(enums, header):
    names = re.findall(r"\b(WGPU[A-Z]\w*?)_(\w+)(?: =|\s+\(\()", header)
    for enum, value in names:
        if enum in UNKNOWN_ENUMS or value in ("Force32", "None"):
            continue
        described = enums.get(ENUM_VARIABLES.get(enum, enum))
        if described is None or plain(value) not in described:
            sys.exit(f"the package does not describe {enum}_{value}")
        yield f'_Static_assert({enum}_{value} == {described[plain(value)]}, "{enum}_{value}");'


def main():
    root, compiler = sys.argv[1], sys.argv[2:]
    package = os.environ.get("AEROGPU_BUN_WEBGPU", os.path.join(root, "node_modules/bun-webgpu"))
    try:
        with open(os.path.join(package, "index.js"), encoding="utf-8") as description:
            text = description.read()
    except FileNotFoundError:
        print("skipped: the npm package bun-webgpu (0.1.7) is not installed")
        sys.exit(77)
    header = ""
    for name in ("webgpu_enums.h", "webgpu_structs.h"):
        with open(os.path.join(root, "src/gpu", name), encoding="utf-8") as source:
            header += source.read()
    lines = ["#include <stddef.h>", '#include "gpu/webgpu_enums.h"', '#include "gpu/webgpu_structs.h"']
    lines += struct_assertions(Structs(text), header)
    lines += enum_assertions(read_enums(text), header)
    command = compiler + ["-std=c11", "-fsyntax-only", "-I", os.path.join(root, "src"), "-xc", "-"]
    result = subprocess.run(command, input="\n".join(lines) + "\n", text=True, check=False)
    print(f"{sum('_Static_assert' in line for line in lines)} facts compared")
    sys.exit(result.returncode)


main()
