# SPDX-License-Identifier: MIT
"""Pictures that a client leaves (PAM files of RGBA8), beside those of the same client on another Direct3D or WebGPU."""
import os
import re

import png
import report

TOLERANCE = 1  # of 255, in each channel: rounding
GAIN = 16  # of the difference picture: rounding must be seen


def read(path):
    """Width, height and the rows as RGBA8; None if there is no such picture."""
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        data = file.read()
    head = re.match(rb"P7\nWIDTH (\d+)\nHEIGHT (\d+)\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", data)
    width, height = int(head[1]), int(head[2])
    pixels = data[head.end():]
    if len(pixels) != 4 * width * height:
        raise ValueError(f"{path} is cut short")
    return width, height, pixels


def differ(ours, theirs):
    """Why two pictures are not the same within the tolerance; nothing if they are."""
    if ours[:2] != theirs[:2]:
        return f"{ours[0]}x{ours[1]} instead of {theirs[0]}x{theirs[1]}"
    strays, largest = set(), 0
    if ours[2] != theirs[2]:
        for at, (a, b) in enumerate(zip(ours[2], theirs[2])):
            if abs(a - b) > TOLERANCE:
                strays.add(at // 4)
                largest = max(largest, abs(a - b))
    if not strays:
        return ""
    first = min(strays)
    return f"{len(strays)} pixels differ, by up to {largest}, the first at {first % ours[0]},{first // ours[0]}"


def difference(ours, theirs):
    pixels = bytearray(min(255, GAIN * abs(a - b)) for a, b in zip(ours[2], theirs[2]))
    pixels[3::4] = b"\xff" * (len(pixels) // 4)
    return ours[0], ours[1], bytes(pixels)


class Page:
    """The pictures of one client."""

    def __init__(self, folder, title):
        self.folder, self.title, self.rows = folder, title, []

    def add(self, case, what, picture):
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, f"{case}-{what.replace(' ', '-')}.png")
        png.write(path, *picture)
        self.rows.append((case, what, path))

    def compare(self, case, ours, theirs, whose):
        """Adds two pictures and their difference; why they are not the same."""
        why = differ(ours, theirs)
        self.add(case, "the project's", ours)
        self.add(case, whose, theirs)
        if ours[:2] == theirs[:2]:
            self.add(case, f"difference times {GAIN}" if not why else why, difference(ours, theirs))
        return why

    def write(self, to):
        report.write_pictures(to, self.title, self.rows)
