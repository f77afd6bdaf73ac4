#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks `aerogpu run PROGRAM.exe` with a script that stands for Wine: what Wine is told, what lies in the prefix, what the
exit status is and what is said when something is missing. It also plays the program, as a client of the folder.

usage: check_program.py TOOL
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = os.path.abspath(sys.argv[1])

# Wine's loader: notes its arguments and environment; a prefix has a system32; a program does what the test says.
WINE = """#!/bin/sh
echo "$*" >> "$NOTES"
case "$1" in
wineboot.exe) mkdir -p "$WINEPREFIX/drive_c/windows/system32" ;;
reg) ;;
*)
    echo "overrides $WINEDLLOVERRIDES debug $WINEDEBUG prefix $WINEPREFIX" >> "$NOTES"
    [ -p "$AEROGPU_SHM/connect" ] && echo "server" >> "$NOTES"
    cp "$WINEPREFIX/drive_c/windows/system32/d3d11.dll" "$NOTES.dll"
    echo $$ > "$NOTES.pid.new" && mv "$NOTES.pid.new" "$NOTES.pid"
    eval "$PROGRAM"
    ;;
esac
"""


class Program(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.notes = self.path("notes")
        self.write("wine", WINE, 0o755)
        self.write("a game.exe", "MZ and so on")
        os.mkdir(self.path("dlls"))
        self.write("dlls/d3d11.dll", "first")
        self.write("dlls/dxgi.dll", "dxgi")
        self.environment = dict(os.environ, AEROGPU_WINE=self.path("wine"), XDG_CACHE_HOME=self.path("cache"),
                                XDG_RUNTIME_DIR=self.folder.name, AEROGPU_DLLS=self.path("dlls"), NOTES=self.notes,
                                PROGRAM="exit 0")
        # Debian's libwine has a wineserver that fails where the rest of Wine is not installed.
        self.write("wineserver", "#!/bin/sh\nexit 1\n", 0o755)
        self.environment["PATH"] = self.folder.name + ":" + os.environ["PATH"]
        for name in ("DISPLAY", "WINEDEBUG", "WINEDLLOVERRIDES"):
            self.environment.pop(name, None)

    def tearDown(self):
        left = [name for name in os.listdir(self.folder.name) if name.startswith("aerogpu-run-")]
        self.folder.cleanup()
        self.assertEqual(left, [])

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run_tool(self, *arguments, program="exit 0"):
        self.environment["PROGRAM"] = program
        return subprocess.run([TOOL, "run", *arguments], capture_output=True, text=True, env=self.environment,
                              check=False, timeout=120)

    def test_what_wine_is_told(self):
        result = self.run_tool(self.path("a game.exe"), "--", "--level", "3", program="exit 42")
        self.assertEqual(result.returncode, 42, result.stderr)
        lines = self.read("notes").split("\n")
        self.assertEqual(lines[:4], ["wineboot.exe -i",
                                     "reg add HKCU\\Software\\Wine\\Drivers /v Graphics /t REG_SZ /d null /f",
                                     "wineboot.exe -k",
                                     self.path("a game.exe") + " --level 3"])
        self.assertEqual(lines[4:6], ["overrides d3d11,dxgi=n;winedbg.exe=d;mscoree,mshtml= debug -all,err+module prefix " +
                                      self.path("cache/aerogpu/wine"), "server"])

    def test_the_prefix_is_made_once_and_dlls_are_renewed(self):
        self.environment["WINEDLLOVERRIDES"] = "winmm=b"
        for content in ("first", "second"):
            self.write("dlls/d3d11.dll", content)
            self.assertEqual(self.run_tool(self.path("a game.exe")).returncode, 0)
            self.assertEqual(self.read("notes.dll"), content)
        notes = self.read("notes")
        self.assertEqual(notes.count("wineboot.exe -i"), 1)
        self.assertIn("mshtml=;winmm=b", notes)
        self.environment["DISPLAY"] = ":77"
        self.assertEqual(self.run_tool(self.path("a game.exe")).returncode, 0)
        self.assertIn("/d x11 /f", self.read("notes"))

    def test_ends(self):
        self.assertEqual(self.run_tool(self.path("a game.exe"), program="kill -SEGV $$").returncode, 128 + signal.SIGSEGV)
        result = self.run_tool(self.path("a game.exe"), "--timeout", "0.3", program="exec sleep 60")
        self.assertEqual(result.returncode, 4)
        self.assertIn("scene.timeout", result.stderr)

    def test_a_killed_tool_takes_the_program_along(self):
        self.environment["PROGRAM"] = "exec sleep 60"
        with subprocess.Popen([TOOL, "run", self.path("a game.exe")], env=self.environment) as tool:
            while not os.path.exists(self.notes + ".pid") and tool.poll() is None:
                time.sleep(0.02)
            tool.kill()
        child = int(self.read("notes.pid"))
        for _ in range(3000):  # a minute, on a machine that others use
            if not self.is_alive(child):
                break
            time.sleep(0.02)
        self.assertFalse(self.is_alive(child))
        # What the killed one left goes with the next.
        self.assertEqual(self.run_tool(self.path("a game.exe")).returncode, 0)

    @staticmethod
    def is_alive(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def test_what_is_missing(self):
        self.environment["AEROGPU_DLLS"] = self.folder.name
        result = self.run_tool(self.path("a game.exe"))
        self.assertEqual(result.returncode, 3)
        self.assertIn("cli.missing", result.stderr)
        self.assertIn("has no d3d11.dll and dxgi.dll", result.stderr)
        self.environment["AEROGPU_DLLS"] = self.path("dlls")
        self.write("wine", "#!/bin/sh\nexit 1\n", 0o755)
        result = self.run_tool(self.path("a game.exe"))
        self.assertEqual(result.returncode, 3)
        self.assertIn("cannot make a prefix", result.stderr)

    def test_programs_of_32_bits(self):
        game, windows = self.path("old.exe"), os.path.join(self.path("cache"), "aerogpu/wine/drive_c/windows")
        for machine, status in ((b"\x64\x86", 0), (b"\x4c\x01", 3)):
            with open(game, "wb") as file:
                file.write(b"MZ".ljust(0x3C, b"\0") + b"\x40\0\0\0PE\0\0" + machine)
            result = self.run_tool(game)
            self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn("the package wine32", result.stderr)
        os.mkdir(f"{windows}/syswow64")
        self.write(f"{windows}/syswow64/ntdll.dll", "Wine's")
        result = self.run_tool(game)
        self.assertEqual(result.returncode, 3)
        self.assertIn("dlls32", result.stderr)
        self.write("dlls/d3d1132.dll", "first of 32 bits")
        self.write("dlls/dxgi32.dll", "dxgi of 32 bits")
        self.assertEqual(self.run_tool(game).returncode, 0)
        self.assertEqual(self.read(f"{windows}/syswow64/d3d11.dll"), "first of 32 bits")
        self.assertEqual(self.read(f"{windows}/system32/d3d11.dll"), "first")
        self.assertIn("overrides d3d11,dxgi=n;", self.read("notes"))

    def test_usage(self):
        for arguments in (("a game.exe", "other"), ("a game.exe", "other", "--", "more")):
            result = self.run_tool(self.path(arguments[0]), *arguments[1:])
            self.assertEqual(result.returncode, 2)
        self.assertFalse(os.path.exists(self.notes))

    def test_json(self):
        result = self.run_tool("--json", self.path("a game.exe"), program="exit 5")
        self.assertEqual(result.returncode, 5)
        self.assertIn('"result":"failed","exit_status":5,"devices":0,"presents":0', result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
