# SPDX-License-Identifier: MIT
"""Dear ImGui's example for Direct3D 11, from Debian's source package."""
import os
import subprocess

import fetch
import frame
import programs

VERSION = "1.86+ds-1"
MINGW = "x86_64-w64-mingw32-g++"
SOURCES = ("examples/example_win32_directx11/main.cpp", "backends/imgui_impl_win32.cpp", "backends/imgui_impl_dx11.cpp",
           "imgui.cpp", "imgui_demo.cpp", "imgui_draw.cpp", "imgui_tables.cpp", "imgui_widgets.cpp")


class ImGui(programs.Programs):
    programs = frame.Client.programs | {MINGW: "g++-mingw-w64-x86-64-posix"}

    def prepare(self, cache):
        tree = fetch.debian_source(cache, "imgui", VERSION, "bookworm")
        folder = os.path.join(os.path.abspath(cache), self.name)
        os.makedirs(folder, exist_ok=True)
        program = os.path.join(folder, "example.exe")
        self.names, self.commands = ["example"], [[program]]
        header = os.path.join(frame.HERE, "imgui_client.h")
        if os.path.exists(program) and os.path.getmtime(program) > os.path.getmtime(header):
            return
        done = subprocess.run([MINGW, "-O0", "-w", '-DCLIENT_CASE="example"', "-include", header, "-I", tree, "-I",
                               os.path.join(tree, "backends"), *(os.path.join(tree, source) for source in SOURCES), "-static",
                               "-ld3d11", "-ldxgi", "-ld3dcompiler_47", "-ldwmapi", "-lgdi32", "-limm32", "-luuid",
                               "-o", program], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr[-2000:])


EXAMPLE = ImGui("imgui")
