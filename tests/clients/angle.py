# SPDX-License-Identifier: MIT
"""ANGLE, a whole OpenGL ES driver over Direct3D 11, by programs of our own. npm's package gl has its DLLs: of 2016 with
OpenGL ES 2, and a modern one with OpenGL ES 3."""
import os
import re
import shutil
import subprocess

import fetch
import frame
import programs

HEADERS = {"EGL": "libegl-dev", "GLES2": "libgles-dev", "GLES3": "libgles-dev", "KHR": "libgl-dev"}


def header_folder(cache):
    """A folder with Khronos' headers and no others of the system's."""
    folder = os.path.join(os.path.abspath(cache), "khronos")
    os.makedirs(folder, exist_ok=True)
    for name, package in HEADERS.items():
        if not os.path.isdir(f"/usr/include/{name}"):
            raise fetch.Unavailable(f"the package {package} is not installed")
        if not os.path.lexists(os.path.join(folder, name)):
            os.symlink(f"/usr/include/{name}", os.path.join(folder, name))
    return folder


class Angle(programs.Programs):
    def __init__(self, name, source, version, integrity, dlls):
        super().__init__(name)
        self.source, self.version, self.integrity, self.dlls = source, version, integrity, dlls

    def prepare(self, cache):
        package = fetch.npm(cache, "gl", self.version, self.integrity)
        folder = os.path.join(os.path.abspath(cache), self.name)
        os.makedirs(folder, exist_ok=True)
        for dll in ("libEGL.dll", "libGLESv2.dll", "d3dcompiler_47.dll"):
            shutil.copy(os.path.join(package, self.dlls, dll), folder)
        source = os.path.join(frame.HERE, f"{self.source}.c")
        program = os.path.join(folder, f"{self.source}.exe")
        done = subprocess.run(["x86_64-w64-mingw32-gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror",
                               *(["-DCLIENT_ES3"] if self.source == "gles3" else []), "-I", header_folder(cache), source,
                               os.path.join(frame.HERE, "gles.c"), os.path.join(folder, "libEGL.dll"),
                               os.path.join(folder, "libGLESv2.dll"), "-o", program],
                              check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr[-2000:])
        self.commands = [[program]]
        with open(source, encoding="utf-8") as file:
            self.names = re.findall(r"\bCASE\((?!name\))(\w+)\)", file.read())


OLD = ("8.1.6", "sha512-BcvkgW+jWiX2SjTddgq4lOfkFmeiKE/n1N3zFnq/JlSwemIvQvH1rLURz5oMdfp4ZT5bzseuIOE608zQI0DRYA==",
       "deps/windows/dll/x64")
MODERN = ("9.0.0-rc.10", "sha512-G6lYaWoan0d2d8UO0UmaSS8zqyyZwYt6q2dFVJ2hD62sRWUwkMIH+Jp7gEoQesLlo28Nzelh+GIYz1qOUa5WmQ==",
          "deps/windows/dll")
OLD_ES2 = Angle("angle_2016", "gles2", *OLD)
ES2 = Angle("angle_es2", "gles2", *MODERN)
ES3 = Angle("angle_es3", "gles3", *MODERN)
# Wine's own Direct3D draws points though the rasterizer is switched off.
ES3.wrong_there = ("feedback_is_drawn",)
ES2.is_daily = True
ES3.is_daily = True
