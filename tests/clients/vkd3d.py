# SPDX-License-Identifier: MIT
"""vkd3d's shader_runner with its Direct3D 11 executor: HLSL that the genuine compiler of the npm package gl compiles, a
case for each file of tests/hlsl. Its source comes from the folder that AEROGPU_VKD3D_SOURCE names, since Debian has no
version of it that has the executor; it is built by mingw, run, and never committed."""
import glob
import os
import shutil
import subprocess

import angle
import fetch
import frame

WIDL = "x86_64-w64-mingw32-widl"
# The runner tells by a failed check that there is no compiler for Direct3D 12.
NO_COMPILER = "Failed to load dxcompiler"


def made_of(command):
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])


class ShaderRunner(frame.Client):
    name = "vkd3d"
    programs = frame.Client.programs | {WIDL: "mingw-w64-tools"}
    jobs = 2
    seconds = 100

    def prepare(self, cache):
        self.source = os.environ.get("AEROGPU_VKD3D_SOURCE", "")
        if not os.path.exists(os.path.join(self.source, "tests", "shader_runner_d3d11.c")):
            raise fetch.Unavailable("AEROGPU_VKD3D_SOURCE names no source of vkd3d 1.10 to 1.17")
        folder = os.path.join(os.path.abspath(cache), self.name)
        headers = os.path.join(folder, "include")
        os.makedirs(headers, exist_ok=True)
        package = fetch.npm(cache, "gl", angle.ES3.version, angle.ES3.integrity)
        shutil.copy(os.path.join(package, angle.ES3.dlls, "d3dcompiler_47.dll"), folder)
        include, tests = os.path.join(self.source, "include"), os.path.join(self.source, "tests")
        for path in [*glob.glob(os.path.join(include, "*.idl")), os.path.join(tests, "dxcompiler.idl")]:
            name = os.path.basename(path)[:-4]
            if name != "vkd3d_unknown":  # a part of others
                made_of([WIDL, "-I", include, "-h", "-o", os.path.join(headers, f"{name}.h"), path])
        open(os.path.join(headers, "config.h"), "w", encoding="utf-8").close()
        self.program = os.path.join(folder, "shader_runner.exe")
        made_of(["x86_64-w64-mingw32-gcc", "-O1", "-w", "-municode", "-DVKD3D_CROSSTEST=1", "-D__USE_MINGW_ANSI_STDIO=0",
                 "-I", headers, "-I", include, "-I", os.path.join(include, "private"), "-I", tests,
                 os.path.join(tests, "shader_runner.c"), os.path.join(tests, "shader_runner_d3d11.c"),
                 os.path.join(frame.HERE, "vkd3d_others.c"), "-o", self.program,
                 "-ldxgi", "-lgdi32", "-ld3dcompiler_47", "-lversion"])

    def path_of(self, case):
        return os.path.join(os.path.abspath(self.source), "tests", "hlsl", f"{case}.shader_test")

    def cases(self):
        return sorted(os.path.basename(path)[:-len(".shader_test")] for path in glob.glob(self.path_of("*")))

    def run(self, case):
        path = "Z:" + self.path_of(case).replace("/", "\\")
        run = frame.run_program(self.tool, self.program, path, seconds=self.seconds,
                                WINEDLLOVERRIDES="d3dcompiler_47=n,b")
        with open(os.path.join(frame.OUT, f"{self.name}-{case}.txt"), "w", encoding="utf-8") as file:
            file.write(run.text)
        failures = [line for line in run.text.split("\n") if "Test failed:" in line and NO_COMPILER not in line]
        return frame.judged(run, failures)


CLIENT = ShaderRunner()
