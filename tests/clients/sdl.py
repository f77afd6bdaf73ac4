# SPDX-License-Identifier: MIT
"""SDL 2 from Debian's source package, with its test programs as clients of its Direct3D 11 renderer, which they have to
draw by, and its own automatic tests of renderers."""
import os
import re
import shutil
import subprocess

import fetch
import frame
import programs

VERSION = "2.26.5+dfsg-1"
TESTS = ("testsprite2", "testdraw2", "testgeometry", "testrendertarget", "testrendercopyex", "testscale", "testviewport",
         "testintersections", "teststreaming", "testyuv", "testoverlay2")
WITHOUT = ("shared", "audio", "joystick", "haptic", "sensor", "hidapi", "video-vulkan", "video-opengl", "video-opengles")
LIBRARIES = ("mingw32", "SDL2main", "SDL2_test", "SDL2", "m", "user32", "gdi32", "winmm", "imm32", "ole32", "oleaut32",
             "shell32", "setupapi", "version", "uuid")
SECONDS = 3600  # for a library that a busy machine compiles
AUTOMATION = "testautomation"
MINGW = "x86_64-w64-mingw32-gcc"


def compile_library(tree, folder):
    """SDL as a static library; it takes minutes."""
    build = os.path.join(folder, "build")
    os.makedirs(build)
    compiler = f"ccache {MINGW}" if shutil.which("ccache") else MINGW
    options = {"seconds": SECONDS, "cwd": build, "env": dict(os.environ, CC=compiler, CFLAGS="-O1 -w")}
    fetch.run([os.path.join(tree, "configure"), "--host=x86_64-w64-mingw32", f"--prefix={folder}",
               *(f"--disable-{part}" for part in WITHOUT)], "SDL", **options)
    fetch.run(["make", f"-j{os.cpu_count()}", f"prefix={folder}", "install"], "SDL", **options)
    shutil.rmtree(build)


class Sdl(programs.Programs):
    variables = {"SDL_RENDER_DRIVER": "direct3d11"}

    def compile(self, folder, library, sources, name, *options):
        program = os.path.join(folder, f"{name}.exe")
        done = subprocess.run([MINGW, "-O1", "-w", "-Dmain=SDL_main", "-I", os.path.join(library, "include", "SDL2"), *options,
                               *sources, "-L", os.path.join(library, "lib"), *(f"-l{name}" for name in LIBRARIES),
                               "-static", "-o", program], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr[-2000:])
        self.commands.append([program])

    def prepare(self, cache):
        if not shutil.which("make"):
            raise fetch.Unavailable("the package make is not installed")
        tree = fetch.debian_source(cache, "libsdl2", VERSION, "bookworm")
        library = fetch.once(os.path.join(os.path.abspath(cache), f"sdl-{VERSION}"), lambda folder: compile_library(tree, folder))
        folder = os.path.join(os.path.abspath(cache), self.name)
        os.makedirs(folder, exist_ok=True)
        tests = os.path.join(tree, "test")
        self.commands = []
        for entry in os.listdir(tests):
            if entry.endswith((".bmp", ".dat")):
                shutil.copy(os.path.join(tests, entry), folder)
        self.prepare_programs(folder, library, tests)

    def prepare_programs(self, folder, library, tests):
        """Compiles what the client consists of."""
        raise NotImplementedError


class SdlTests(Sdl):
    def prepare_programs(self, folder, library, tests):
        self.names = TESTS
        for name in TESTS:
            sources = [os.path.join(tests, f"{source}.c") for source in (name, "testutils", "testyuv_cvt")]
            self.compile(folder, library, sources, name, f'-DCLIENT_CASE="{name}"', "-include",
                         os.path.join(frame.HERE, "sdl_client.h"))


class SdlAutomation(Sdl):
    """SDL's own tests of a renderer. Those that it has switched off are none."""

    def prepare_programs(self, folder, library, tests):
        sources = sorted(os.path.join(tests, entry) for entry in os.listdir(tests)
                         if entry.startswith(AUTOMATION) and entry.endswith(".c"))
        self.compile(folder, library, sources, AUTOMATION, "-include", os.path.join(frame.HERE, "sdl_automation.h"))
        self.commands[-1] += ["--filter", "Render"]
        with open(os.path.join(tests, f"{AUTOMATION}_render.c"), encoding="utf-8") as file:
            self.names = re.findall(r'"(render_\w+)", "[^"]*", TEST_ENABLED', file.read())

    def outcomes(self, text):
        return {name: "" if result == "Passed" else result
                for name, result in re.findall(r"Test '(render_\w+)': (Passed|Failed.*)", text)}


TESTS_OF_SDL = SdlTests("sdl_tests")
AUTOMATION_OF_SDL = SdlAutomation("sdl_automation")
