# SPDX-License-Identifier: MIT
"""Khronos' conformance tests of WebGL 1 (npm's package gl-conformance) in Windows Node, over ANGLE on Direct3D 11. The addon of
npm's package gl has no build for Windows: webgl.js takes its place. Many checks fail wherever they run, for want of a browser
around them, so a case passes if as many of its checks pass and fail as on Wine's own Direct3D over llvmpipe:
gl_conformance_counts.toml."""
import json
import os
import re
import shutil
import threading
import tomllib

import angle
import dawn
import fetch
import frame
import programs
import wines_own

CONFORMANCE = ("gl-conformance", "2.0.9",
               "sha512-HkRdl6dKJI0QDMyF3q3EPaApd/tEKlUHVtb13GT7IkFMw5kRxs45j3U1TVYHOjZwvuu6x2dQGAFGpoLBqkpUBg==")
PACKAGES = (
    CONFORMANCE,
    ("koffi", "2.12.4", "sha512-pDP8/lI/ahfxHYatUBbZagkfCuBGoGUj4kGQn/PDSelfb/CNHAk2oKnGcSNytQMGhy/ashE5Fm0vTm5sVSWGqw=="),
    ("bit-twiddle", "1.0.2",
     "sha512-B9UhK0DKFZhoTFcfvAzhqsjStvGJp9vYWf3+6SNTtdSQnvIgfkHbgHrg/e4+TH71N2GDu8tpmCVoyfrL1d7ntA=="),
    ("glsl-tokenizer", "2.1.5",
     "sha512-XSZEJ/i4dmz3Pmbnpsy3cKh7cotvFlBiZnDOwnj/05EwNp2XrhQ4XKJxT7/pDt4kp4YcpRSKz8eTV7S+mwV6MA=="),
)
# What the canvas of the cases parses colours with.
COLOR = (
    ("color", "0.11.4", "sha512-Ajpjd8asqZ6EdxQeqGzU5WBhhTfJ/0cA4Wlbre7e5vXfmDSmda7Ov6jeKoru+b0vHcb1CqvuroTHp5zIWzhVMA=="),
    ("color-convert", "1.9.3",
     "sha512-QfAUtd+vFdAtFQcC8CCyYt1fYWxSqAiK2cSD6zDB8N3cpsEBAvRxp9zOGg6G/SHHJYAT88/az/IuDGALsNVbGg=="),
    ("color-string", "0.3.0",
     "sha512-sz29j1bmSDfoAxKIEU6zwoIZXN6BrFbAMIhfYCNyiZXBDuU/aiHlN84lp/xDzL2ubyFhLDobHIlU1X70XRrMDA=="),
    ("color-name", "1.1.3", "sha512-72fSenhMw2HZMTVHeCA9KCmpEIbzWiQsjN+BHcBbS9vr1mtt+vJjPdksIBNUmKAW8TFUDPJK5SUU3QhE9NEXDw=="),
    ("clone", "1.0.4", "sha512-JQHZ2QMW6l3aH/j6xCqQThY/9OH4D/9ls34cgkUBiEeocRTU04tHfKPBsUK1PqZCUQM7GiA0IIXJSuXHI64Kbg=="),
)
COUNTS = os.path.join(frame.HERE, "gl_conformance_counts.toml")
# They wait for a page; compile for minutes, or measure how long they compile; end the process wherever they run.
LEFT_OUT = re.compile(r"index$|more_(functions_|conformance_webGLArrays)|glsl_bugs_(long-expressions|temp-expressions|nested-functions)|"
                      "glsl_misc_(large-loop-compile|shader-varying-packing-restrictions)")
DAILY = re.compile(r"attribs_|buffers_|programs_|renderbuffers_|state_")
EXTENSIONS = ("glDrawArraysInstancedANGLE", "glDrawElementsInstancedANGLE", "glVertexAttribDivisorANGLE")
TYPES = {"void": "void", "GLenum": "uint32", "GLuint": "uint32", "GLbitfield": "uint32", "GLint": "int32", "GLsizei": "int32",
         "GLfloat": "float", "GLclampf": "float", "GLboolean": "uint8", "GLintptr": "int64", "GLsizeiptr": "int64"}
AT_ONCE = 30  # cases of one process


def not_for_windows(folder, names):
    """What Windows Node does not need of a package."""
    if folder.endswith("build/koffi"):
        return [name for name in names if name != "win32_x64"]
    return [name for name in names if name in ("angle", "deps", "doc", "vendor")]


def parameter_type(text):
    """What koffi takes for a parameter; offsets into buffers are declared as pointers."""
    if "*" in text:
        return "int64" if re.search(r"\b(indices|pointer)$", text) and "**" not in text else "void *"
    return TYPES[text.split()[-2]]


def header_of(folder):
    """The functions and constants of gl2.h, and the functions of instancing."""
    with open(os.path.join(folder, "gl2.h"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(folder, "gl2ext.h"), encoding="utf-8") as file:
        extensions = file.read()
    functions = {}
    for result, name, parameters in re.findall(r"GL_APICALL (.+?) ?GL_APIENTRY (\w+) \((.*?)\);", text + extensions):
        if text.find(f" {name} (") < 0 and name not in EXTENSIONS:
            continue
        kinds = [] if parameters == "void" else [parameter_type(part.strip()) for part in parameters.split(",")]
        functions[name] = ["str" if "*" in result else TYPES[result], kinds]
    constants = {name: int(value, 16) if value.startswith("0x") else int(value)
                 for name, value in re.findall(r"#define GL_(\w+) +(0x[0-9A-Fa-f]+|\d+)$", text, flags=re.M)}
    return {"functions": functions, "constants": constants}


def counts_of(text):
    """Which counts a process tells, none of cases that took too long, and the case that it began and did not end."""
    counts, begun = {}, ""
    for word, name, rest in re.findall(r"^(start|late|case) (\S+) ?(.*)$", text, flags=re.M):
        begun = name if word == "start" else ""
        if word != "start":
            counts.setdefault(name, [int(number) for number in rest.split()])
    return counts, begun


class Conformance(frame.Client):
    name = "gl_conformance"
    is_daily = True
    seconds = 1200

    def __init__(self):
        self.lock, self.found, self.asked = threading.Lock(), {}, ()

    def prepare(self, cache):
        modules = {name: fetch.npm(cache, name, version, integrity) for name, version, integrity in PACKAGES + COLOR}
        gl = fetch.npm(cache, "gl", *angle.OLD[:2])
        node = os.path.join(fetch.npm(cache, *dawn.NODE), "bin", "node.exe")
        self.folder = os.path.join(os.path.abspath(cache), self.name)
        for name, package in (modules | {"gl": gl}).items():
            copy = os.path.join(self.folder, "node_modules", name)
            if not os.path.isdir(copy):
                shutil.copytree(package, copy, copy_function=os.link, ignore=not_for_windows)
        for file in (node, os.path.join(frame.HERE, "gl_conformance.js"),
                     *(os.path.join(gl, angle.OLD[2], f"{dll}.dll") for dll in ("libEGL", "libGLESv2", "d3dcompiler_47"))):
            shutil.copy(file, self.folder)
        bindings = os.path.join(self.folder, "node_modules", "bindings")
        os.makedirs(bindings, exist_ok=True)
        shutil.copy(os.path.join(frame.HERE, "webgl.js"), os.path.join(bindings, "index.js"))
        with open(os.path.join(bindings, "gl2.json"), "w", encoding="utf-8") as file:
            json.dump(header_of(os.path.join(angle.header_folder(cache), "GLES2")), file)
        names = [entry[:-3] for entry in sorted(os.listdir(os.path.join(modules[CONFORMANCE[0]], "node-test")))
                 if entry.endswith(".js")]
        self.all = [name for name in names if not LEFT_OUT.search(name)]
        with open(COUNTS, "rb") as file:
            self.counts = tomllib.load(file)
        self.names = [name for name in self.all if name in self.counts]

    def cases(self):
        return self.names

    def baseline(self):
        return set(self.names), {}

    def daily_cases(self):
        return [name for name in self.names if DAILY.match(name)]

    def run_part(self, names, run):
        """The counts of some cases, by one process after another as long as cases end them."""
        counts, left = {}, list(names)
        while left:
            path = os.path.join(os.path.abspath(frame.OUT), f"{self.name}-cases.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(left))
            told, begun = counts_of(run(CLIENT_CASES=programs.windows(path), NODE_SKIP_PLATFORM_CHECK="1"))
            counts |= told
            if begun:
                counts[begun] = []
            elif not told:
                break
            left = [name for name in left if name not in counts]
        return counts

    def ours(self, **variables):
        run = frame.run_program(self.tool, os.path.join(self.folder, "node.exe"), "gl_conformance.js", seconds=self.seconds,
                                **variables)
        with open(os.path.join(frame.OUT, f"{self.name}.txt"), "a", encoding="utf-8") as file:
            file.write(run.text + "".join(f"{diag['code']}: {diag['message']}\n" for diag in run.diags))
        return run.text

    def run_all(self, names, run):
        counts = {}
        for at in range(0, len(names), AT_ONCE):
            counts |= self.run_part(names[at:at + AT_ONCE], run)
        return counts

    def begin(self, cases):
        self.asked = cases

    def run(self, case):
        with self.lock:
            if case not in self.found:
                part = self.asked[self.asked.index(case):][:AT_ONCE] if case in self.asked else [case]
                self.found |= {name: [] for name in part} | self.run_part(part, self.ours)
        counts, right = self.found[case], self.counts.get(case)
        if counts == right:
            return frame.Outcome(True, "")
        return frame.Outcome(False, f"{counts or 'no end'} checks pass and fail, {right} on Wine's own")


CLIENT = Conformance()


def write_counts(path):
    """Makes the baseline: the counts on Wine's own Direct3D."""
    other = wines_own.WinesOwn(frame.CACHE)
    if not other.start():
        raise SystemExit("no Xvfb")

    def theirs(**variables):
        try:
            return other.run(os.path.join(CLIENT.folder, "node.exe"), "gl_conformance.js", seconds=CLIENT.seconds,
                             folder=CLIENT.folder, **variables)
        except wines_own.Failed as late:
            return late.args[1]

    counts = CLIENT.run_all(CLIENT.all, theirs)
    other.stop()
    with open(path, "w", encoding="utf-8") as file:
        file.write("# How many checks of a case pass and fail on Wine's own Direct3D over llvmpipe.\n")
        file.writelines(f'"{name}" = {counts[name]}\n' for name in CLIENT.all if counts.get(name))


if __name__ == "__main__":
    os.makedirs(frame.OUT, exist_ok=True)
    CLIENT.prepare(frame.CACHE)
    write_counts(COUNTS)
