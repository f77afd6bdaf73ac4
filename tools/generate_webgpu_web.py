#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the browser's side of src/gpu/webgpu.h needs to know of it.

usage: generate_webgpu_web.py webgpu_enums.h webgpu_structs.h webgpu.h commands.c shim.js abi.js layout.c imports.txt

abi.js has, for 32-bit pointers, the offsets and the readers of structures and the words of enumerations as
JavaScript's WebGPU spells them, and the numbers of commands; layout.c asserts the layout for the compiler; imports.txt lists the functions that
shim.js binds, so that the link fails with any other.
"""
import re
import sys

# Structures that shim.js reads as a whole, and those of which it uses the offsets.
READ = """Color Extent3D BufferDescriptor TextureDescriptor TextureViewDescriptor SamplerDescriptor
    BindGroupLayoutDescriptor PipelineLayoutDescriptor ComputePipelineDescriptor RenderPipelineDescriptor
    ComputePassDescriptor RenderPassDescriptor TexelCopyTextureInfo TexelCopyBufferInfo TexelCopyBufferLayout
    QuerySetDescriptor CommandEncoderDescriptor CommandBufferDescriptor""".split()
LAID_OUT = """AdapterInfo BindGroupDescriptor BindGroupEntry BufferMapCallbackInfo ChainedStruct FutureWaitInfo Limits
    CreateComputePipelineAsyncCallbackInfo CreateRenderPipelineAsyncCallbackInfo PopErrorScopeCallbackInfo
    QueueWorkDoneCallbackInfo ShaderModuleDescriptor
    ShaderSourceWGSL""".split()
# Enumerations of which the shim uses numbers by name.
NUMBERED = """BackendType AdapterType CreatePipelineAsyncStatus ErrorType MapAsyncStatus PopErrorScopeStatus
    QueueWorkDoneStatus SType Status WaitStatus""".split()
# Enumerations that functions take.
NAMED = "ErrorFilter FeatureName IndexFormat".split()

# Elements of a list that are left out when this member is 0.
LEFT_OUT = {"VertexBufferLayout": "stepMode", "ColorTargetState": "format", "RenderPassColorAttachment": "view"}
# Members that JavaScript has in the structure around them, and those that it does not have.
INLINED = {("TexelCopyBufferInfo", "layout")}
ABSENT = {("BindGroupLayoutEntry", "bindingArraySize")}

FEATURES = {
    "Depth32FloatStencil8": "depth32float-stencil8", "TextureCompressionBC": "texture-compression-bc",
    "TextureCompressionBCSliced3D": "texture-compression-bc-sliced-3d",
    "TextureCompressionETC2": "texture-compression-etc2", "TextureCompressionASTC": "texture-compression-astc",
    "TextureCompressionASTCSliced3D": "texture-compression-astc-sliced-3d", "ShaderF16": "shader-f16",
    "MSAARenderToSingleSampled": "msaa-render-to-single-sampled",
    "RG11B10UfloatRenderable": "rg11b10ufloat-renderable", "BGRA8UnormStorage": "bgra8unorm-storage",
}


def kebab(name):
    name = re.sub(r"^(\d)D", r"\1d", name).replace("_", "-")
    return re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", name).lower()


def texture_format(name):
    word = re.sub(r"srgb$", "-srgb", name.lower())
    word = re.sub(r"^(bc\d)(rgba|rg|r)(?=[us])", r"\1-\2-", word)
    word = re.sub(r"^bc6hrgb", "bc6h-rgb-", word)
    return re.sub(r"(?<=.)stencil8$", "-stencil8", word)


def spelling(enumeration, name):
    if name in ("Undefined", "BindingNotUsed"):
        return None
    if enumeration == "TextureFormat":
        return texture_format(name)
    if enumeration == "VertexFormat":
        return {"Unorm10_10_10_2": "unorm10-10-10-2", "Unorm8x4BGRA": "unorm8x4-bgra"}.get(name, name.lower())
    if enumeration == "FeatureName":
        return FEATURES.get(name, kebab(name))
    return kebab(name)


class Interface:
    """The declarations of the headers."""

    def __init__(self, enums_text, structs_text):
        text = re.sub(r"/\*.*?\*/", "", enums_text + structs_text, flags=re.DOTALL)
        self.enums = {}
        for name, body in re.findall(r"typedef enum WGPU(\w+) \{(.*?)\}", text, re.DOTALL):
            rows = re.findall(r"WGPU\w+?_(\w+) = (0x[0-9A-Fa-f]+|\d+)", body)
            self.enums[name] = [(row, int(number, 0)) for row, number in rows if row != "Force32"]
        self.flags = set(re.findall(r"typedef WGPUFlags WGPU(\w+);", text)) | {"Flags"}
        self.handles = set(re.findall(r"typedef struct WGPU\w+Impl \*WGPU(\w+);", text))
        self.structs = {}
        for name, body in re.findall(r"typedef struct WGPU(\w+) \{(.*?)\}", text, re.DOTALL):
            members = [" ".join(member.split()) for member in body.split(";") if member.strip()]
            self.structs[name] = [re.match(r"(.*?)(\w+)$", member).groups() for member in members]
        self.layouts = {}

    def kind(self, declared):
        """What a member is: (kind, size, alignment, name of the enumeration or structure)."""
        plain = {"uint32_t": ("u32", 4), "int32_t": ("i32", 4), "uint16_t": ("u16", 2), "float": ("f32", 4),
                 "double": ("f64", 8), "uint64_t": ("u64", 8), "size_t": ("size", 4), "WGPUBool": ("bool", 4),
                 "WGPUOptionalBool": ("optional", 4)}
        declared = re.sub(r"\bstruct ", "", declared).strip()
        if declared in plain:
            kind, size = plain[declared]
            return kind, size, size, None
        pointer = re.match(r"(?:const )?WGPU(\w+) ?\*$", declared)
        if pointer and pointer.group(1) != "ChainedStruct":
            name = pointer.group(1)
            if name in self.structs or name in self.enums or name in self.handles:
                return "pointer", 4, 4, name
        if "*" in declared or declared.endswith("Callback"):
            return "address", 4, 4, None
        name = declared.removeprefix("WGPU")
        if name in self.flags:
            return "flags", 8, 8, None
        if name == "StringView":
            return "string", 8, 4, None
        if name in self.handles:
            return "handle", 4, 4, name
        if name in self.enums:
            return "enum", 4, 4, name
        if name in self.structs:
            size, alignment, _ = self.layout(name)
            return "struct", size, alignment, name
        sys.exit(f"what is {declared}?")

    def layout(self, name):
        """(size, alignment, [(member, offset, kind, name)])"""
        if name not in self.layouts:
            offset, most, members = 0, 1, []
            for declared, member in self.structs[name]:
                kind, size, alignment, of = self.kind(declared)
                offset = -(-offset // alignment) * alignment
                members.append((member, offset, kind, of))
                offset += size
                most = max(most, alignment)
            self.layouts[name] = (-(-offset // most) * most, most, members)
        return self.layouts[name]


class Readers:
    """JavaScript functions that read structures; they use m, the memory of shim.js."""

    def __init__(self, interface):
        self.interface = interface
        self.functions = {}
        self.words = {}

    def enum(self, name):
        if name not in self.words:
            rows = [(number, spelling(name, row)) for row, number in self.interface.enums[name]]
            self.words[name] = {number: word for number, word in rows if word is not None}
        return f"{name}Words"

    def value(self, kind, of, at):
        word = f"m.words[({at}) >> 2]"
        if kind == "enum":
            return f"{self.enum(of)}[{word}]"
        if kind == "struct":
            return f"{self.struct(of)}(m, {at})"
        if kind == "handle":
            return f"m.object({word})"
        if kind == "pointer":
            return f"({word} ? {self.struct(of)}(m, {word}) : undefined)"
        return f"m.{kind}({at})"

    def element(self, of):
        if of in self.interface.structs:
            return self.struct(of), self.interface.layout(of)[0]
        if of in self.interface.enums:
            return f"(m, at) => {self.enum(of)}[m.words[at >> 2]]", 4
        return "(m, at) => m.object(m.words[at >> 2]) ?? null", 4

    def members(self, name, base=0):
        counted = None
        for member, offset, kind, of in self.interface.layout(name)[2]:
            offset += base
            if member == "nextInChain" or (name, member) in ABSENT:
                continue
            if kind == "size" and member.endswith("Count"):
                counted = offset
            elif counted is not None:
                reader, size = self.element(of)
                listed = f"m.list(p + {counted}, p + {offset}, {size}, {reader})"
                yield f"{member}: " + (f"Object.fromEntries({listed})" if of == "ConstantEntry" else listed)
                counted = None
            elif (name, member) in INLINED:
                yield from self.members(of, offset)
            elif member == "layout":
                yield f"{member}: {self.value(kind, of, f'p + {offset}')} ?? 'auto'"
            else:
                yield f"{member}: {self.value(kind, of, f'p + {offset}')}"

    def guard(self, name):
        """A structure that says in its first word that it is not there."""
        for member, offset, kind, of in self.interface.layout(name)[2]:
            if LEFT_OUT.get(name) == member:
                return f"m.words[(p + {offset}) >> 2] === 0 ? null : "
            if kind == "enum" and ("BindingNotUsed", 0) in self.interface.enums[of]:
                return f"m.words[(p + {offset}) >> 2] === 0 ? undefined : "
        return ""

    def struct(self, name):
        if name not in self.functions:
            self.functions[name] = None
            if name == "ConstantEntry":
                body = ", ".join(member.split(": ", 1)[1] for member in self.members(name))
                self.functions[name] = f"(m, p) => [{body}]"
            else:
                body = ", ".join(self.members(name))
                self.functions[name] = f"(m, p) => {self.guard(name)}({{{body}}})"
        return f"read{name}"


def numbered_commands(text):
    """The commands of render passes in the order of their enumeration."""
    body = re.search(r"enum command \{(.*?)\}", text, re.DOTALL).group(1)
    return re.findall(r"\b(COMMAND_\w+)", re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL))


def javascript(interface, commands):
    readers = Readers(interface)
    for name in READ:
        readers.struct(name)
    for name in NAMED:
        readers.enum(name)
    out = ["// Generated by tools/generate_webgpu_web.py from src/gpu/webgpu*.h and src/gpu/web/commands.c."]
    out.append(f"export const {', '.join(f'{name} = {number}' for number, name in enumerate(commands))};")
    out += [f"export const {name} = {{{', '.join(f'{row}: {number}' for row, number in interface.enums[name])}}};"
            for name in NUMBERED]
    for name in LAID_OUT:
        size, _, members = interface.layout(name)
        rows = ", ".join(f"{member}: {offset}" for member, offset, _, _ in members)
        out.append(f"export const {name} = {{bytes: {size}, {rows}}};")
    rows = ", ".join(f"['{member}', {offset}, {'true' if kind == 'u64' else 'false'}]"
                     for member, offset, kind, _ in interface.layout("Limits")[2] if member != "nextInChain")
    out.append(f"export const limitMembers = [{rows}];")
    for name, words in readers.words.items():
        rows = ", ".join(f"{number}: '{word}'" for number, word in words.items())
        out.append(f"export const {name}Words = {{{rows}}};")
    out += [f"export const read{name} = {body};" for name, body in readers.functions.items()]
    return "\n".join(out) + "\n"


def assertions(interface):
    out = ["/* Generated by tools/generate_webgpu_web.py: the layout that JavaScript was told. */",
           "#include <assert.h>", "#include <stddef.h>", "", '#include "gpu/webgpu.h"', ""]
    for name, (size, _, members) in interface.layouts.items():
        out.append(f'static_assert(sizeof(WGPU{name}) == {size}, "WGPU{name}");')
        out += [f'static_assert(offsetof(WGPU{name}, {member}) == {offset}, "WGPU{name}.{member}");'
                for member, offset, _, _ in members]
    return "\n".join(out) + "\n"


def bound(header, shim):
    declared = set(re.findall(r"\b(wgpu[A-Z]\w*)\(", header))
    functions = set(re.findall(r"^    (wgpu[A-Z]\w*)[:(]", shim, re.MULTILINE))
    if functions - declared:
        sys.exit(f"webgpu.h does not declare {', '.join(sorted(functions - declared))}")
    return "".join(f"{name}\n" for name in sorted(functions))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    if len(sys.argv) != 9:
        sys.exit(__doc__)
    interface = Interface(read(sys.argv[1]), read(sys.argv[2]))
    commands, shim = read(sys.argv[4]), read(sys.argv[5])
    write(sys.argv[6], javascript(interface, numbered_commands(commands)))
    write(sys.argv[7], assertions(interface))
    write(sys.argv[8], bound(read(sys.argv[3]), shim))


main()
