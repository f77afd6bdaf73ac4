#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the library and builds a program with what pkg-config says, and with nothing else.

usage: check_install.py BUILD PROGRAM HEADERS CASE

BUILD is the build folder, HEADERS that of the public headers, PROGRAM a source that compiles as C and as C++ and ends with 77 when there is no
driver. CASE is files (what is installed), or LANGUAGE-LIBRARY: c11 or cpp17, shared or static.
"""
import glob
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
LANGUAGES = {"c11": ["gcc", "-std=c11"], "cpp17": ["g++", "-std=c++17", "-x", "c++"]}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode not in (0, SKIPPED):
        sys.exit(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return done


def install(build, folder):
    """The prefix. Nothing is rebuilt: the test runs inside a build that may be at work."""
    run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", folder])
    found = [path for path in glob.glob(folder + "/**/aerogpu.pc", recursive=True)]
    if len(found) != 1:
        sys.exit(f"{len(found)} files aerogpu.pc")
    return found[0]


def check_files(folder, pc, headers):
    library = os.path.dirname(os.path.dirname(pc))
    missing = [name for name in ("libaerogpu.a", "libaerogpu.so", "libaerogpu.so.0")
               if not os.path.exists(os.path.join(library, name))]
    installed = {os.path.relpath(path, folder) for path in glob.glob(folder + "/**/*", recursive=True)}
    for header in glob.glob(headers + "/**/*.h", recursive=True):
        name = os.path.join("include", "aerogpu", os.path.relpath(header, headers))
        if not any(path.endswith(name) for path in installed):
            missing.append(name)
    for end in ("man1/aerogpu.1", "bin/aerogpu"):
        if not any(path.endswith(end) for path in installed):
            missing.append(end)
    private = [path for path in installed if path.endswith(".h") and "/include/aerogpu/" not in path]
    inside = [path for path in installed if os.path.basename(path).startswith("libaerogpu-")]
    if missing or private or inside:
        sys.exit(f"missing {missing}, private headers {private}, private libraries {inside}")


def pkg_config(pc, folder, options):
    """What a consumer of the folder sees, as if it were the root of the file system."""
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.dirname(pc))
    prefix = subprocess.run(["pkg-config", "--variable=prefix", "aerogpu"], env=environment, text=True,
                            capture_output=True, check=True).stdout.strip()
    done = run(["pkg-config", f"--define-variable=prefix={folder}{prefix}", *options, "aerogpu"], env=environment)
    return shlex.split(done.stdout)


def check_program(folder, pc, program, language, linking):
    compiler = LANGUAGES[language]
    if shutil.which(compiler[0]) is None:
        print(f"skipped: no {compiler[0]}")
        sys.exit(SKIPPED)
    library = os.path.dirname(os.path.dirname(pc))
    if linking == "static":
        for shared in glob.glob(library + "/libaerogpu.so*"):
            os.remove(shared)
    flags = pkg_config(pc, folder, ["--cflags"])
    libraries = pkg_config(pc, folder, ["--libs"] + (["--static"] if linking == "static" else []))
    output = os.path.join(folder, "program")
    run([*compiler, *WARNINGS, program, *flags, "-x", "none", *libraries, "-o", output])
    environment = dict(os.environ, LD_LIBRARY_PATH=library)
    linked = subprocess.run(["ldd", output], env=environment, capture_output=True, text=True, check=True).stdout
    if ("libaerogpu.so" in linked) != (linking == "shared"):
        sys.exit(f"not linked as asked:\n{linked}")
    done = run([output], env=environment)
    print(done.stdout + done.stderr)
    sys.exit(done.returncode)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    build, program, headers, case = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        pc = install(build, folder)
        if case == "files":
            check_files(folder, pc, headers)
        else:
            language, linking = case.split("-")
            check_program(folder, pc, program, language, linking)


if __name__ == "__main__":
    main()
