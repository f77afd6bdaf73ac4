# SPDX-License-Identifier: MIT
"""Reads and writes PNG files as the tool writes them: 8-bit RGBA, not interlaced."""
import struct
import zlib


def chunks(data):
    at = 8
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def paeth(left, up, corner):
    guess = left + up - corner
    near = min(abs(guess - left), abs(guess - up), abs(guess - corner))
    return next(value for value in (left, up, corner) if abs(guess - value) == near)


def unfilter(kind, row, above):
    for i in range(len(row)):
        left = row[i - 4] if i >= 4 else 0
        corner = above[i - 4] if i >= 4 else 0
        row[i] = row[i] + (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind] & 255


def read(path):
    """Width, height and the rows as RGBA8."""
    with open(path, "rb") as file:
        data = file.read()
    parts = list(chunks(data))
    width, height, depth, colour = struct.unpack_from(">IIBB", dict(parts)[b"IHDR"])
    if data[:8] != b"\x89PNG\r\n\x1a\n" or (depth, colour) != (8, 6):
        raise ValueError(f"{path} is no 8-bit RGBA picture")
    packed = zlib.decompress(b"".join(part for kind, part in parts if kind == b"IDAT"))
    above, rows = bytearray(4 * width), bytearray()
    for y in range(height):
        line = packed[y * (4 * width + 1):(y + 1) * (4 * width + 1)]
        row = bytearray(line[1:])
        unfilter(line[0], row, above)
        rows += row
        above = row
    return width, height, bytes(rows)


def write(path, width, height, pixels):
    """Writes rows of RGBA8."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + pixels[4 * width * y:4 * width * (y + 1)] for y in range(height))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
