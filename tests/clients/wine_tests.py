# SPDX-License-Identifier: MIT
"""Wine's own tests of Direct3D 11 and 10 and of DXGI, a case for each function, and those of Direct2D, which is Wine's and draws
by Direct3D. They are built from Debian's source package with mingw's headers, run, and never committed. Checks that Wine marks as
its own gaps count as any others, but those of Direct2D."""
import os
import re
import subprocess
import threading

import fetch
import frame

VERSION = "8.0~repack-4"
FAILURES = ("Test failed:", "Test marked todo:")
WIDL = "x86_64-w64-mingw32-widl"
# They wait for a query in 500 sleeps of 10 ms, which a hundred draws to 67 million pixels take longer than on a busy
# machine without a GPU.
SLEEPS, MORE_SLEEPS = "i < 500;", "i < 10000;"


def patient(source):
    if SLEEPS not in source:
        raise ValueError("the tests do not wait for queries as they did")
    return source.replace(SLEEPS, MORE_SLEEPS)


def without_direct3d12(source):
    """Without its calls that return structures, which mingw's headers have no macros for."""
    return re.sub(r"(\w+) = ID3D12\w+_Get\w+\(\w+\);", r"memset(&\1, 0, sizeof(\1));", source)


def direct2d(source):
    """With functions for calls that return structures, which mingw's compiler takes, and without words of Wine's."""
    return "\n".join(("#define COBJMACROS", "#include <windef.h>", "#undef FORCEINLINE", "#define FORCEINLINE __inline__",
                      "#define WIDL_C_INLINE_WRAPPERS", "#define INITGUID", '#define debugstr_w(text) ""',
                      '#define debugstr_guid(id) ""', source))


def selected(source):
    """The tests with each call in their list of functions behind a question, and the functions' names. Those of DXGI run
    on Direct3D 10; on Direct3D 12, which is not this project's, none is run."""
    head, start, body = source.partition("START_TEST(")
    body = re.sub(r"^[ \t]+run_on_d3d12\(.*$", "", body, flags=re.M)
    names = []

    def ask(match):
        name = re.findall(r"\btest_\w+", match.group(0))[-1]
        names.append(name)
        return re.sub(r"\S", f'if (is_wanted("{name}")) \\g<0>', match.group(0), count=1)

    body = re.sub(r"^[ \t]+(?:(?:queue_\w+|run_on_d3d10)\([^;]*\btest_\w+\)|test_\w+\(\));", ask, body, flags=re.M)
    return head + start + body, names


def import_library(folder, dll, function):
    """A library of one function, for a DLL that mingw has none for."""
    definition = os.path.join(folder, f"{dll}.def")
    with open(definition, "w", encoding="ascii") as file:
        file.write(f"LIBRARY {dll}.dll\nEXPORTS\n{function}\n")
    subprocess.run(["x86_64-w64-mingw32-dlltool", "-d", definition, "-l", os.path.join(folder, f"lib{dll}.a")], check=True)


class WineTests(frame.Client):
    jobs = 2
    seconds = 120
    failures = FAILURES
    interfaces = ()  # headers that mingw does not have, of Wine's descriptions

    def __init__(self, dll, libraries, prepared):
        self.dll, self.name = dll, f"wine_{dll}"
        self.libraries, self.prepared = libraries, prepared
        self.names, self.program, self.lock = [], "", threading.Lock()

    def prepare(self, cache):
        tree = fetch.debian_source(cache, "wine", VERSION, "bookworm")
        with open(os.path.join(tree, "dlls", self.dll, "tests", f"{self.dll}.c"), encoding="utf-8") as file:
            text, self.names = selected(self.prepared(file.read()))
        folder = os.path.join(os.path.abspath(cache), self.name)
        self.program = os.path.join(folder, f"{self.dll}_test.exe")
        os.makedirs(os.path.join(folder, "include"), exist_ok=True)
        source = os.path.join(folder, f"{self.dll}.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        for name in ("wine", "ddk/d3dkmthk.h", "d3dukmdt.h"):
            header = os.path.join(folder, "include", name)
            os.makedirs(os.path.dirname(header), exist_ok=True)
            if not os.path.lexists(header):
                os.symlink(os.path.join(tree, "include", name), header)
        for name in self.interfaces:
            subprocess.run([WIDL, "-I", os.path.join(tree, "include"), "-h", "-o", os.path.join(folder, "include", f"{name}.h"),
                            os.path.join(tree, "include", f"{name}.idl")], check=True)
        import_library(folder, "d3d10_1", "D3D10CreateDevice1")
        glue = os.path.join(frame.HERE, "wine_tests.h")
        done = subprocess.run(["x86_64-w64-mingw32-gcc", "-O0", "-w", "-DSTANDALONE", "-include", glue, "-I",
                               os.path.join(folder, "include"), source, "-o", self.program,
                               "-L", folder, *(f"-l{library}" for library in self.libraries)], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr[-2000:])

    def cases(self):
        return self.names

    def run(self, case):
        run = frame.run_program(self.tool, self.program, self.dll, "--single", seconds=self.seconds,
                                AEROGPU_CLIENT_CASES=case)
        with open(os.path.join(frame.OUT, f"{self.name}-{case}.txt"), "w", encoding="utf-8") as file:
            file.write(run.text + "".join(f"{diag['code']}: {diag['message']}\n" for diag in run.diags))
        failures = [line for line in run.text.split("\n") if any(word in line for word in self.failures)]
        return frame.judged(run, failures)


D3D11 = WineTests("d3d11", ["d3d11", "dxgi", "user32", "gdi32", "uuid"], patient)
D3D10CORE = WineTests("d3d10core", ["d3d10", "d3d11", "dxgi", "user32", "gdi32", "uuid"], patient)
DXGI = WineTests("dxgi", ["dxgi", "d3d10_1", "d3d11", "user32", "gdi32", "advapi32", "uuid"],
                 without_direct3d12)
D3D11.is_daily = True
DIRECT2D = WineTests("d2d1", ["d2d1", "dwrite", "d3d10_1", "d3d11", "dxgi", "user32", "gdi32", "ole32", "uuid"], direct2d)
DIRECT2D.programs = frame.Client.programs | {WIDL: "mingw-w64-tools"}
DIRECT2D.failures = FAILURES[:1]
DIRECT2D.interfaces = ("d2d1", "d2d1_1", "d2d1_2", "d2d1_3", "d2d1effectauthor", "d2d1effects", "d2d1effects_1", "d2d1effects_2",
                       "dcommon", "dwrite")
