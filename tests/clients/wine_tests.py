# SPDX-License-Identifier: MIT
"""Wine's own tests of Direct3D 11 and 10, a case for each function. They are built from Debian's source package with
mingw's headers, run, and never committed. Checks that Wine marks as its own gaps count as any others."""
import os
import re
import subprocess
import threading

import fetch
import frame

VERSION = "8.0~repack-4"
FAILURES = ("Test failed:", "Test marked todo:")
# They wait for a query in 500 sleeps of 10 ms, which a hundred draws to 67 million pixels take longer than on a busy
# machine without a GPU.
SLEEPS, MORE_SLEEPS = "i < 500;", "i < 10000;"


def selected(source):
    """The tests with each call in their list of functions behind a question and patience, and the functions' names."""
    if SLEEPS not in source:
        raise ValueError("the tests do not wait for queries as they did")
    head, start, body = source.replace(SLEEPS, MORE_SLEEPS).partition("START_TEST(")
    names = []

    def ask(match):
        name = re.findall(r"\btest_\w+", match.group(0))[-1]
        names.append(name)
        return re.sub(r"\S", f'if (is_wanted("{name}")) \\g<0>', match.group(0), count=1)

    body = re.sub(r"^[ \t]+(?:queue_\w+\([^;]*\btest_\w+\)|test_\w+\(\));", ask, body, flags=re.M)
    return head + start + body, names


class WineTests(frame.Client):
    jobs = 2
    seconds = 120

    def __init__(self, dll, libraries):
        self.dll, self.name = dll, f"wine_{dll}"
        self.libraries = libraries
        self.names, self.program, self.lock = [], "", threading.Lock()

    def prepare(self, cache):
        tree = fetch.debian_source(cache, "wine", VERSION, "bookworm")
        with open(os.path.join(tree, "dlls", self.dll, "tests", f"{self.dll}.c"), encoding="utf-8") as file:
            text, self.names = selected(file.read())
        folder = os.path.join(os.path.abspath(cache), self.name)
        self.program = os.path.join(folder, f"{self.dll}_test.exe")
        os.makedirs(os.path.join(folder, "include"), exist_ok=True)
        source, headers = os.path.join(folder, f"{self.dll}.c"), os.path.join(folder, "include", "wine")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        if not os.path.lexists(headers):
            os.symlink(os.path.join(tree, "include", "wine"), headers)
        glue = os.path.join(frame.HERE, "wine_tests.h")
        done = subprocess.run(["x86_64-w64-mingw32-gcc", "-O0", "-w", "-DSTANDALONE", "-include", glue, "-I",
                               os.path.dirname(headers), source, "-o", self.program,
                               *(f"-l{library}" for library in self.libraries)], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr[-2000:])

    def cases(self):
        return self.names

    def run(self, case):
        run = frame.run_program(self.tool, self.program, self.dll, "--single", seconds=self.seconds,
                                AEROGPU_CLIENT_CASES=case)
        with open(os.path.join(frame.OUT, f"{self.name}-{case}.txt"), "w", encoding="utf-8") as file:
            file.write(run.text + "".join(f"{diag['code']}: {diag['message']}\n" for diag in run.diags))
        failures = [line for line in run.text.split("\n") if any(word in line for word in FAILURES)]
        return frame.judged(run, failures)


D3D11 = WineTests("d3d11", ["d3d11", "dxgi", "user32", "gdi32", "uuid"])
D3D10CORE = WineTests("d3d10core", ["d3d10", "d3d11", "dxgi", "user32", "gdi32", "uuid"])
D3D11.is_daily = True
