#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a WebAssembly module anew so that it is zipped better and does the same.

usage: pack_wasm.py input.wasm output.wasm ADDRESS

Tables and texts are packed better than deflate can, put at the address, and unpacked by web/unpack.c, which has to be
a part of the module. Functions may number their locals as they like: each gets numbers with which its code repeats
code in front of it, as far as deflate looks back. Two locals that an instruction takes stand in the order that does
so. How many locals there are is rounded up, so that it is often the same; compilers drop those that nothing uses.
"""
import lzma
import random
import sys
import zlib

HEADER = b"\0asm\1\0\0\0"
TYPES, FUNCTIONS, CODE, DATA, DATA_COUNT = 1, 3, 10, 11, 12
FUNCTION_TYPE, I32_CONST, END = 0x60, 0x41, 0x0B
LOCAL_GET = 0x20
LOCAL_ACCESSES = (LOCAL_GET, 0x21, 0x22)
BR_TABLE, PREFIX = 0x0E, 0xFC

# What stands behind an instruction: so many LEB128 numbers, or bytes.
NUMBERS = {0x02: 1, 0x03: 1, 0x04: 1, 0x0C: 1, 0x0D: 1, 0x10: 1, 0x11: 2, 0x23: 1, 0x24: 1, 0x3F: 1, 0x40: 1, 0x41: 1,
           0x42: 1, **dict.fromkeys(LOCAL_ACCESSES, 1), **dict.fromkeys(range(0x28, 0x3F), 2)}
BYTES = {0x43: 4, 0x44: 8}
PLAIN = {0x00, 0x01, 0x05, 0x0B, 0x0F, 0x1A, 0x1B, *range(0x45, 0xC5)}
# What instructions become when their operands change places: integers' arithmetic and comparisons.
SYMMETRICAL = (0x46, 0x47, 0x51, 0x52, 0x6A, 0x6C, 0x71, 0x72, 0x73, 0x7C, 0x7E, 0x83, 0x84, 0x85)
LESS_THAN = (0x48, 0x49, 0x4C, 0x4D, 0x53, 0x54, 0x57, 0x58)  # or equal; two further on is greater than, or equal
MIRRORED = {**{opcode: opcode for opcode in SYMMETRICAL}, **{opcode: opcode + 2 for opcode in LESS_THAN},
            **{opcode + 2: opcode for opcode in LESS_THAN}}
PREFIXED_NUMBERS = {**dict.fromkeys(range(8), 0), 10: 2, 11: 1}

LZMA = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 0, "pb": 0, "nice_len": 273,
        "depth": 1000}
LOCAL_COUNTS = [8 << n for n in range(14)]
WINDOW = 32000
TRIALS, TRIALS_A_LOCAL = 600, 60


def read_number(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return number, at


def read_signed(data, at):
    number, end = read_number(data, at)
    return number - (1 << 7 * (end - at)) if data[end - 1] & 0x40 else number, end


def number_bytes(number):
    result = bytearray()
    while number >= 0x80:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    result.append(number)
    return bytes(result)


def signed_bytes(number):
    result = bytearray()
    while not -0x40 <= number < 0x40:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    result.append(number & 0x7F)
    return bytes(result)


def sized(data):
    return number_bytes(len(data)) + data


def read_vector(section, read):
    """What `read(section, at)` finds, which tells where the next one begins."""
    count, at = read_number(section, 0)
    found = []
    for _ in range(count):
        one, at = read(section, at)
        found.append(one)
    return found


def vector_bytes(found):
    return number_bytes(len(found)) + b"".join(found)


# ---- Data ---------------------------------------------------------------------------------------------------


def read_segment(section, at):
    if section[at] != 0 or section[at + 1] != I32_CONST:
        sys.exit("a data segment is not at a constant address of memory 0")
    address, at = read_signed(section, at + 2)
    size, at = read_number(section, at + 1)
    return (address, section[at:at + size]), at + size


def pack_segments(segments, packed_at):
    """One segment at that address, which web/unpack.c unpacks to where the first one began."""
    first = min(address for address, _ in segments)
    contents = bytearray()
    for address, data in sorted(segments):
        contents += bytes(address - first - len(contents)) + data
    packed = lzma.compress(contents, lzma.FORMAT_RAW, filters=[LZMA])
    if packed_at + len(packed) > first // 2:
        sys.exit(f"{len(packed)} bytes leave too little of the stack to what unpacks them")
    return bytes([0, I32_CONST]) + signed_bytes(packed_at) + bytes([END]) + sized(packed)


# ---- Code ---------------------------------------------------------------------------------------------------


def read_parameter_count(section, at):
    if section[at] != FUNCTION_TYPE:
        sys.exit("a type is none of a function")
    parameters, at = read_number(section, at + 1)
    results, at = read_number(section, at + parameters)
    return parameters, at + results


def read_sized(section, at):
    size, at = read_number(section, at)
    return section[at:at + size], at + size


def instruction_end(code, at):
    """Where the instruction behind the one at `at` begins."""
    opcode = code[at]
    at += 1
    if opcode == PREFIX:
        opcode, at = read_number(code, at)
        numbers = PREFIXED_NUMBERS[opcode]
    elif opcode == BR_TABLE:
        numbers = 1 + read_number(code, at)[0] + 1
    elif opcode in PLAIN or opcode in BYTES:
        return at + BYTES.get(opcode, 0)
    else:
        numbers = NUMBERS[opcode]
    for _ in range(numbers):
        _, at = read_number(code, at)
    return at


class Function:
    """Its code as bytes and, between them, numbers of locals. Locals are in groups, one behind another, whose locals
    have a type in common."""

    def __init__(self, body, parameters):
        group_count, at = read_number(body, 0)
        self.head, self.groups, renamed = number_bytes(group_count), [], list(range(parameters))
        end = parameters
        for _ in range(group_count):
            count, at = read_number(body, at)
            rounded = next(size for size in LOCAL_COUNTS if size >= count)
            self.head += number_bytes(rounded) + body[at:at + 1]
            self.groups.append(range(end, end + rounded))
            renamed += range(end, end + count)
            end += rounded
            at += 1
        self.parts = self.read(body, at, renamed)
        self.used = sorted({part for part in self.parts if isinstance(part, int) and part >= parameters})
        self.numbers = list(range(end))
        self.pairs = [at for at in range(1, len(self.parts) - 2, 2) if self.is_pair(at)]

    @staticmethod
    def read(body, at, renamed):
        parts, start = [], at
        while at < len(body):
            end = instruction_end(body, at)
            if body[at] in LOCAL_ACCESSES:
                parts += [body[start:at + 1], renamed[read_number(body, at + 1)[0]]]
                start = end
            at = end
        return parts + [body[start:at]]

    def is_pair(self, at):
        """Whether an instruction takes two locals whose places may be exchanged."""
        before, left, between, right, behind = self.parts[at - 1:at + 4]
        return (before[-1] == LOCAL_GET and between == bytes([LOCAL_GET]) and left != right
                and behind[0] in MIRRORED)

    def exchange(self, at):
        self.parts[at], self.parts[at + 2] = self.parts[at + 2], self.parts[at]
        behind = self.parts[at + 3]
        self.parts[at + 3] = bytes([MIRRORED[behind[0]]]) + behind[1:]

    def bytes(self):
        return self.head + b"".join(
            [number_bytes(self.numbers[part]) if isinstance(part, int) else part for part in self.parts])

    def order_pairs(self, cost):
        least = cost(self.bytes())
        for pair in self.pairs:
            self.exchange(pair)
            price = cost(self.bytes())
            if price < least:
                least = price
            else:
                self.exchange(pair)

    def renumber(self, cost, chance):
        """Exchanges numbers of locals as long as that does not cost more."""
        least = cost(self.bytes())
        owners = {number: number for group in self.groups for number in group}
        groups = {number: group for group in self.groups for number in group}
        for _ in range(min(TRIALS, TRIALS_A_LOCAL * len(self.used))):
            local = chance.choice(self.used)
            old = self.numbers[local]
            new = chance.choice(groups[old])
            other = owners[new]
            self.numbers[local], self.numbers[other] = new, old
            price = cost(self.bytes())
            if price <= least:
                least = price
                owners[old], owners[new] = other, local
            else:
                self.numbers[local], self.numbers[other] = old, new


def zipped_size(data, window):
    """Codes of a fixed length make the sizes of short texts comparable."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_FIXED, window)
    return len(deflate.compress(data)) + len(deflate.flush())


def pack_code(section, parameter_counts):
    chance = random.Random(1)
    bodies, window = [], b"\0"
    for body, parameters in zip(read_vector(section, read_sized), parameter_counts):
        function = Function(body, parameters)

        def cost(data, before=window):
            return zipped_size(data, before)

        function.order_pairs(cost)
        function.renumber(cost, chance)
        function.order_pairs(cost)
        bodies.append(sized(function.bytes()))
        window = (window + bodies[-1])[-WINDOW:]
    return vector_bytes(bodies)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        module = file.read()
    if not module.startswith(HEADER):
        sys.exit(f"{sys.argv[1]} is no WebAssembly module")
    sections, at = [], len(HEADER)
    while at < len(module):
        contents, end = read_sized(module, at + 1)
        sections.append((module[at], contents))
        at = end
    found = dict(sections)
    parameters = read_vector(found[TYPES], read_parameter_count)
    types = read_vector(found[FUNCTIONS], read_number)
    packed = {DATA: vector_bytes([pack_segments(read_vector(found[DATA], read_segment), int(sys.argv[3]))]),
              DATA_COUNT: number_bytes(1),
              CODE: pack_code(found[CODE], [parameters[number] for number in types])}
    with open(sys.argv[2], "wb") as file:
        file.write(HEADER + b"".join(bytes([number]) + sized(packed.get(number, contents))
                                     for number, contents in sections))


main()
