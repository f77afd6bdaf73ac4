#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever speaks of packets knows those of src/abi/packet_list.h, each of them and no others: the ABI headers and their
asserted layouts, the writer, the page of the extension, the scenes, and the fuzzer of packets.

usage: packets.py ROOT
"""
import pathlib
import re
import sys

ABI = "include/aerogpu/abi"


class Project:
    def __init__(self, root):
        self.root, self.problems = pathlib.Path(root), []

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def compare(self, where, found, packets):
        """Both ways: what is missing, and what there is no packet for."""
        self.problems += [f"{where}: {name} is missing" for name in packets if name not in found]
        self.problems += [f"{where}: there is no packet {name}" for name in sorted(set(found) - set(packets))]


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def check_headers(project, packets):
    """Opcodes of both headers, and every structure with its size and the offset of each member."""
    base, ext = without_comments(project.read(f"{ABI}/cmd.h")), without_comments(project.read(f"{ABI}/ext.h"))
    found = re.findall(r"^\s*AEROGPU_CMD_(\w+) = 0x", base, re.M)
    found += re.findall(r"^#define AEROGPU_CMD_(EXT_\w+) AEROGPU_EXT_OPCODE\(", ext, re.M)
    project.compare("opcodes", found, packets)
    for text, layout in ((base, "cmd_layout.h"), (ext, "ext_layout.h")):
        asserted = project.read(f"{ABI}/{layout}")
        for name, body in re.findall(r"^struct (\w+) \{(.*?)^\}", text, re.M | re.S):
            if f"AEROGPU_ASSERT_SIZE(struct {name}, " not in asserted:
                project.problems.append(f"{layout}: the size of {name} is missing")
            for member in re.findall(r"(\w+)(?:\[\w+\])?;", body):
                if f"AEROGPU_ASSERT_OFFSET(struct {name}, {member}, " not in asserted:
                    project.problems.append(f"{layout}: the offset of {name}.{member} is missing")


def check_writer(project, packets):
    """A function for each packet of the ABI; the extension's go through agpu_write_packet()."""
    header = project.read("include/aerogpu/stream_writer.h")
    found = {name.upper() for name in re.findall(r"^AGPU_API void\s+agpu_write_(\w+)\(", header, re.M)}
    forms = {"RAW", "PACKET", "BIND_SHADERS_EX", "CREATE_INPUT_LAYOUT_DXGI"}
    project.compare("stream_writer.h", found - forms, [name for name in packets if not name.startswith("EXT_")])


def check_page(project, packets):
    """The table of docs/abi-extension.md, with the numbers of the header and in their order."""
    header = project.read(f"{ABI}/ext.h")
    numbers = {name: int(number, 16) for name, number in
               re.findall(r"^#define AEROGPU_CMD_(EXT_\w+) AEROGPU_EXT_OPCODE\((0x\w+)\)", header, re.M)}
    rows = re.findall(r"^\| (0x\w+) \| `(EXT_\w+)` \| \S", project.read("docs/abi-extension.md"), re.M)
    project.compare("docs/abi-extension.md", [name for _, name in rows],
                    [name for name in packets if name.startswith("EXT_")])
    project.problems += [f"docs/abi-extension.md: {name} is not {number}" for number, name in rows
                         if int(number, 16) != numbers.get(name)]
    if sorted(rows, key=lambda row: int(row[0], 16)) != rows:
        project.problems.append("docs/abi-extension.md: the numbers do not ascend")


def check_uses(project, packets):
    """Some scene and the fuzzer's world of packets use each."""
    words = set()
    for scene in (project.root / "tests/scenes").rglob("*.scene"):
        words |= set(re.findall(r"^\s*([A-Z][A-Z0-9_]+)\b", scene.read_text(encoding="utf-8"), re.M))
    world = "".join(path.read_text(encoding="utf-8") for path in (project.root / "tests/fuzz").glob("packet_world*.c"))
    for name in packets:
        if name not in words:
            project.problems.append(f"tests/scenes: no scene uses {name}")
        if not re.search(rf"\bAEROGPU_CMD_{name}\b|\bagpu_write_{name.lower()}(?:_ex|_dxgi)?\b", world):
            project.problems.append(f"tests/fuzz: packet_world*.c never writes {name}")


def main():
    project = Project(sys.argv[1])
    packets = re.findall(r"^\s*(?:PACKET|HEADER)\((\w+), ", project.read("src/abi/packet_list.h"), re.M)
    if len(packets) < 90:
        project.problems.append("packet_list.h: the packets were not found")
    for check in (check_headers, check_writer, check_page, check_uses):
        check(project, packets)
    for problem in project.problems:
        print(problem)
    return 1 if project.problems else 0


if __name__ == "__main__":
    sys.exit(main())
