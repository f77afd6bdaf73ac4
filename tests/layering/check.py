#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks on the text of the project itself: layers, sizes, licences, words, names of scenes, labels and so on.

usage: check.py ROOT CHECK
"""
import os
import re
import stat
import subprocess
import sys

# What a layer may include besides itself, and nothing else. docs/architecture.md draws the same picture.
LAYERS = {
    "base": {"guest"},
    "cache": {"base"},
    "format": {"guest", "base", "webgpu"},
    "abi": {"guest", "base", "format"},
    "dxbc": {"base"},
    "ir": {"base", "dxbc", "translate"},
    "wgsl": {"base", "dxbc", "translate", "ir"},
    "gpu": {"base", "cache", "webgpu"},
    "kernel": {"base", "dxbc", "translate", "gpu"},
    "exec": {"guest", "base", "format", "abi", "dxbc", "translate", "ir", "wgsl", "cache", "gpu", "kernel", "executor"},
    "process": {"guest", "base", "cache", "abi", "gpu", "executor", "exec"},
    "device": {"guest", "base", "format", "abi", "executor"},
    "capture": {"guest", "base", "abi", "executor", "device"},
    "scene": {"guest", "base", "format", "abi", "dxbc", "gpu", "executor", "device"},
    "replay": {"guest", "base", "format", "abi", "exec", "executor", "device", "capture", "scene"},
    "serve": {"guest", "base", "gpu", "executor", "process", "device"},
    "ref": {"base", "dxbc"},
}
# The guest's side, which is the other machine's code: of the host it knows the ABI. A transport in one process with
# the device knows the device's public headers, too.
GUEST_LAYERS = {
    "core": {"guest"},
    "umd": {"guest", "guest/core"},
    "d3d11": {"guest", "guest/core", "guest/umd", "guest/transport"},
    "transport": {"guest", "guest/core", "base", "executor", "device"},
}
LAYERS["cli"] = set(LAYERS) | {"guest", "translate", "executor"}

# The rooms of a layer that has folders, from top to bottom: a file includes headers of its own room and of rooms
# below it.
ROOMS = {
    "exec": ["submit", "snapshot", "packet", "expand", "draw", "bind", "transfer", "blit", "record", "object", "state", "host"],
}
# The most nouns, .c files with their headers, of such a layer that include each other in a circle.
LARGEST_CYCLE = 5

# The layer that a public header speaks for. Three are seams rather than layers: "guest", the freestanding ABI,
# "translate", what ir and wgsl offer together, and "executor", between device and exec. Of "translate" others see
# the public header alone, the executor the private headers, too. A private seam is "webgpu", the numbers of WebGPU's
# C ABI without its functions.
PUBLIC = {
    "aerogpu/api.h": "base",
    "aerogpu/version.h": "base",
    "aerogpu/diag.h": "base",
    "aerogpu/diag_codes.h": "base",
    "aerogpu/snapshot.h": "base",
    "aerogpu/dxbc.h": "dxbc",
    "aerogpu/dxbc_opcodes.h": "dxbc",
    "aerogpu/stream.h": "abi",
    "aerogpu/stream_writer.h": "abi",
    "aerogpu/text.h": "abi",
    "aerogpu/translate.h": "translate",
    "wgsl/binding.h": "translate",
    "wgsl/draw_block.h": "translate",
    "wgsl/overflow.h": "translate",
    "wgsl/expansion.h": "translate",
    "wgsl/linkage.h": "translate",
    "wgsl/options.h": "translate",
    "aerogpu/cache.h": "cache",
    "aerogpu/gpu.h": "gpu",
    "aerogpu/executor.h": "executor",
    "aerogpu/process_executor.h": "process",
    "aerogpu/device.h": "device",
    "aerogpu/capture.h": "capture",
}
PUBLIC_MAY = {
    "base": set(),
    "dxbc": {"base"},
    "abi": {"base", "guest"},
    "translate": {"base", "dxbc"},
    "cache": {"base"},
    "gpu": {"base", "cache"},
    "executor": {"base", "cache", "guest"},
    "process": {"base", "gpu", "executor"},
    "device": {"base", "guest", "executor"},
    "capture": {"base", "guest", "executor", "device"},
    "guest": set(),
}

# Headers that the build makes.
GENERATED = {"cache/source_version.h", "gpu/webgpu_names.h", "guest/d3d11/guest_formats.h"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
CODE = (".c", ".h", ".py", ".mjs", ".js")

# Character classes keep this file from finding itself.
WORDS = re.compile(
    r"(?:^|[^.\w])/wor[k]/|/far[m]/|(?:^|[^.\w])/tm[p]/|clau[d]e|chatgp[t]|language mode[l]|\bai assistan[t]"
    r"|\bsubagen[t]|this sessio[n]|registry\.npmj[s]", re.I | re.M)
MARKS = re.compile(r"\bTO[D]O\b|\bFIXM[E]\b|\bXX[X]\b|\bHAC[K]\b|not implemente[d]|\bplaceholde[r]|\bstu[b]s?\b")
BINARY = (".dxbc", ".png", ".gif", ".bin", ".acmd", ".agpucap", ".aerogputrace")


def project_files(root):
    """Every file that belongs to the project, relative to the root."""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "-co", "--exclude-standard"],
                                capture_output=True, check=False)
    except FileNotFoundError:
        listed = None
    if listed and listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:
        names = []
        for folder, folders, files in os.walk(root):
            folders[:] = [f for f in folders if f not in (".git", "node_modules", ".cache", "__pycache__", "out") and
                          not f.startswith("build")]
            names += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return sorted(name for name in set(names) if os.path.isfile(os.path.join(root, name)))


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def layer_of_header(header):
    if header.startswith("aerogpu/abi/"):
        return "guest"
    if header.startswith("guest/"):
        return "/".join(header.split("/")[:2])
    if header == "gpu/webgpu_enums.h":
        return "webgpu"
    return PUBLIC.get(header) or header.split("/")[0]


def check_layers(root, files):
    for name in files:
        parts = name.split("/")
        if not name.endswith((".c", ".h")):
            continue
        if "/".join(parts[1:]) in PUBLIC and parts[0] == "src":
            layer = PUBLIC["/".join(parts[1:])]
            may = PUBLIC_MAY[layer]
        elif parts[0] == "src" and len(parts) > 2:
            layer, may = parts[1], LAYERS.get(parts[1])
            if may is None:
                yield f"{name}: there is no layer {layer}"
                continue
        elif parts[0] == "guest" and len(parts) > 2 and parts[1] in GUEST_LAYERS:
            layer, may = "/".join(parts[:2]), GUEST_LAYERS[parts[1]]
        elif parts[0] == "include":
            header = "/".join(parts[1:])
            layer = layer_of_header(header)
            if layer not in PUBLIC_MAY:
                yield f"{name}: no layer is known for this public header"
                continue
            may = PUBLIC_MAY[layer]
        else:
            continue
        for header in INCLUDE.findall(read(root, name)):
            target = layer_of_header(header)
            private = parts[0] == "include" and not header.startswith("aerogpu/")
            if "/" not in header or private:
                yield f'{name}: "{header}" should be "layer/file.h" or "aerogpu/file.h"'
            elif header not in GENERATED and not any(os.path.exists(os.path.join(root, top, header))
                                                     for top in ("src", "include", ".")):
                yield f'{name}: "{header}" does not exist'
            elif target != layer and target not in may:
                yield f'{name}: layer {layer} must not include "{header}" of {target}'


def check_rooms(root, files):
    """No file of a layer with rooms stands outside of them, and none includes a header of a room above its own."""
    for name in files:
        parts = name.split("/")
        if not name.endswith((".c", ".h")) or parts[0] != "src" or parts[1] not in ROOMS:
            continue
        layer, rooms = parts[1], ROOMS[parts[1]]
        if len(parts) != 4 or parts[2] not in rooms:
            yield f"{name}: should be in one of the rooms {', '.join(rooms)}"
            continue
        for header in INCLUDE.findall(read(root, name)):
            target = header.split("/")
            if target[0] == layer and rooms.index(target[1]) < rooms.index(parts[2]):
                yield f'{name}: room {parts[2]} must not include "{header}" of {target[1]}, which is above it'


def arrows_of(root, names):
    """Which nouns of a layer include which others; a noun is a .c file with its header."""
    arrows = {name[:-2]: set() for name in names}
    for name in names:
        arrows[name[:-2]] |= {f"src/{header}"[:-2] for header in INCLUDE.findall(read(root, name))} & set(arrows)
    return arrows


def cycles(arrows):
    """The sets of nodes that reach each other (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in arrows[node]:
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            at = stack.index(node)
            found.append(stack[at:])
            del stack[at:]

    for node in arrows:
        if node not in number:
            visit(node)
    return [group for group in found if len(group) > 1]


def check_cycles(root, files):
    sys.setrecursionlimit(10000)
    for layer in ROOMS:
        names = [name for name in files if name.startswith(f"src/{layer}/") and name.endswith((".c", ".h"))]
        for group in cycles(arrows_of(root, names)):
            if len(group) > LARGEST_CYCLE:
                yield f"{len(group)} nouns include each other in a circle: {' '.join(sorted(group))}"


def check_sizes(root, files):
    for name in files:
        if name.endswith(CODE) or name.startswith("script/"):
            lines = read(root, name).count("\n")
            if lines > 1000:
                yield f"{name}: {lines} lines; split it by noun"


def check_licences(root, files):
    for name in files:
        if name.endswith(CODE) or name.startswith(("script/", ".ci/")):
            if "SPDX-License-Identifier: MIT" not in "\n".join(read(root, name).split("\n")[:3]):
                yield f"{name}: no SPDX line at the top"


def check_run_bits(root, files):
    for name in files:
        script = re.fullmatch(r"script/[^/]+|\.ci/[^/]+", name) is not None
        if script and not os.stat(os.path.join(root, name)).st_mode & stat.S_IXUSR:
            yield f"{name}: no run bit"


def check_words(root, files):
    for name in files:
        if name.endswith(BINARY):
            continue
        for number, line in enumerate(read(root, name).split("\n"), 1):
            if WORDS.search(line):
                yield f"{name}:{number}: names a machine's path, a registry or how the text was made"
            if name.endswith(CODE) and MARKS.search(line):
                yield f"{name}:{number}: a mark of unfinished work"


def check_webgpu(root, files):
    """The loader demands every function of webgpu.h, so that none is there which nothing calls."""
    called = set()
    for name in files:
        if name.endswith((".c", ".h")) and name != "src/gpu/webgpu.h":
            called |= set(re.findall(r"\bwgpu[A-Z]\w*", read(root, name)))
    for function in re.findall(r"\b(wgpu[A-Z]\w*)\(", read(root, "src/gpu/webgpu.h")):
        if function not in called:
            yield f"src/gpu/webgpu.h: nothing calls {function}"
    yield from check_makers(root, files)


# What may run out of memory or fail by itself is made inside of error scopes for that, which ag_gpu_maker() and
# ag_gpu_writer() open.
MAKERS = r"\bwgpuDeviceCreate(?:Buffer|Texture|BindGroup|QuerySet|ShaderModule|(?:Render|Compute)Pipeline(?:Async)?)\("
WRITERS = r"\bwgpuQueueWrite(?:Buffer|Texture)\("


def check_makers(root, files):
    for name in files:
        # src/gpu/shader.c makes modules on a thread, too.
        if not name.endswith(".c") or not name.startswith("src/") or name == "src/gpu/shader.c":
            continue
        text = read(root, name)
        for calls, maker in ((MAKERS, "ag_gpu_maker("), (WRITERS, "ag_gpu_writer(")):
            for made in re.finditer(calls, text):
                if not text.startswith(maker, made.end()):
                    yield f"{name}:{text.count(chr(10), 0, made.start()) + 1}: the call is not with {maker})"


def check_scene_names(root, files):
    """A scene goes by its name without folder: in decisions, and in the names of the pictures that it writes."""
    scenes = {}
    for name in files:
        if name.endswith(".scene"):
            scenes.setdefault(os.path.basename(name), []).append(name)
    for names in scenes.values():
        if len(names) > 1:
            yield f"scenes of one name: {' '.join(names)}"
    if not scenes:
        yield "there are no scenes"


# Descriptors of what is made before there is anything to tell apart.
WITHOUT_LABEL = ("Instance", "DawnToggles", "DawnCacheDevice")


def check_labels(root, files):
    """Whatever the library makes of WebGPU has a label: messages and captures of frames name it."""
    for name in files:
        if not name.endswith(".c") or not name.startswith(("src/exec/", "src/kernel/", "src/gpu/")):
            continue
        text = read(root, name)
        for made in re.finditer(r"\bWGPU(\w+)Descriptor (\w+)\s*[=;]", text):
            kind, variable = made.groups()
            function = text[made.start():text.find("\n}\n", made.start())]
            initialiser = function[:function.find(";")]
            if kind not in WITHOUT_LABEL and not re.search(r"\.label\s*=", initialiser) and \
                    not re.search(rf"\b{variable}\.label\s*=", function):
                line = text.count("\n", 0, made.start()) + 1
                yield f"{name}:{line}: {variable}, a WGPU{kind}Descriptor, has no label"
        for call in re.finditer(r"\b(wgpu\w+(?:Create[A-Z]\w+|Begin\w+Pass|Finish))\([^;]*\bNULL\);", text):
            line = text.count("\n", 0, call.start()) + 1
            yield f"{name}:{line}: {call.group(1)}() gets no descriptor, hence no label"


CHECKS = {
    "labels": check_labels,
    "layers": check_layers,
    "rooms": check_rooms,
    "cycles": check_cycles,
    "sizes": check_sizes,
    "licences": check_licences,
    "run-bits": check_run_bits,
    "words": check_words,
    "webgpu": check_webgpu,
    "scene-names": check_scene_names,
}


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in CHECKS:
        sys.exit(__doc__ + "checks: " + " ".join(CHECKS))
    root = sys.argv[1]
    problems = list(CHECKS[sys.argv[2]](root, project_files(root)))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
