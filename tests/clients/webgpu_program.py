# SPDX-License-Identifier: MIT
"""Dawn by its C API: a WebGPU program of our own, built by mingw for npm's package bun-webgpu-win32-x64 and by gcc for the Dawn
that the project itself runs on. The first goes through Dawn on Direct3D 11, the project's Direct3D, the ring, and Dawn again."""
import os
import re
import shutil
import subprocess

import dawn
import fetch
import frame
import programs

BUN = ("bun-webgpu-win32-x64", "0.1.5",
       "sha512-zvnUl4EAsQbKsmZVu+lEJcH8axQ7MiCfqg2OmnHd6uw1THABmHaX0GbpKiHshdgadNN2Nf+4zDyTJB5YMcAdrA==")
SOURCE = "src"  # of the project, whose header of WebGPU is the program's, too
NATIVE = os.path.abspath(os.path.join("node_modules", "bun-webgpu-linux-x64"))


def compile_program(compiler, headers, library, program):
    source = os.path.join(frame.HERE, "webgpu_program.c")
    done = subprocess.run([compiler, "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-I", headers, "-I", SOURCE, source,
                           *library, "-o", program], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])


class WebgpuProgram(programs.Programs):
    whose = "Dawn on Vulkan"
    variables = {"CLIENT_BACKEND": "d3d11"}
    programs = frame.Client.programs | {"gcc": "gcc"}

    def prepare(self, cache):
        folder = os.path.join(os.path.abspath(cache), self.name)
        headers = os.path.join(folder, "include", "gpu")
        os.makedirs(headers, exist_ok=True)
        # Its functions have the library's names.
        open(os.path.join(headers, "webgpu_names.h"), "w", encoding="utf-8").close()
        library = os.path.join(folder, "webgpu_wrapper.dll")
        shutil.copy(os.path.join(fetch.npm(cache, *BUN), "webgpu_wrapper.dll"), library)
        shutil.copy(os.path.join(fetch.npm(cache, *dawn.DAWN), "dist", "win32-x64", "d3dcompiler_47.dll"), folder)
        program, self.native = (os.path.join(folder, name) for name in ("webgpu_program.exe", "webgpu_program"))
        compile_program("x86_64-w64-mingw32-gcc", os.path.dirname(headers), [library], program)
        compile_program("gcc", os.path.dirname(headers),
                        ["-L", NATIVE, "-l:libwebgpu_wrapper.so", f"-Wl,-rpath,{NATIVE}"], self.native)
        self.commands = [[program]]
        with open(os.path.join(frame.HERE, "webgpu_program.c"), encoding="utf-8") as file:
            self.names = re.findall(r"\bCASE\((?!name\))(\w+)\)", file.read())

    def run_others(self, folder):
        return dawn.run_on_vulkan([self.native], os.path.dirname(self.native), folder, self.seconds)


CLIENT = WebgpuProgram("webgpu_program")
CLIENT.is_daily = True
