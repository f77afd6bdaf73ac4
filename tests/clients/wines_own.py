# SPDX-License-Identifier: MIT
"""The same programs on Wine's own Direct3D, over llvmpipe and an X server without a screen: what pictures are compared
with. Where there is no Xvfb, they are compared with nothing."""
import atexit
import os
import shutil
import subprocess
import tempfile

SECONDS = 120


class Failed(Exception):
    """The programs did not come to their end on the other side: why, and perhaps what they had said."""


def told_by(words):
    return words.read().decode(errors="replace").replace("\r", "")


class WinesOwn:
    def __init__(self, cache):
        self.prefix = os.path.join(os.path.abspath(cache), "wines-own")
        self.server, self.environment = None, None

    def start(self):
        """Starts the X server, and makes the prefix; whether they are there."""
        if self.environment is not None:
            return True
        if not shutil.which("Xvfb"):
            return False
        reading, writing = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
                                       pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.stop)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        if not number:
            return False
        self.environment = dict(os.environ, DISPLAY=f":{number}", WINEPREFIX=self.prefix, WINEDEBUG="-all",
                                WINEDLLOVERRIDES="winedbg.exe=d;mscoree,mshtml=", LIBGL_ALWAYS_SOFTWARE="1")
        if not os.path.isdir(self.prefix):
            self.run("wineboot.exe", "-i")
        return True

    def run(self, program, *arguments, seconds=SECONDS, folder=None, **variables):
        """The program's words, once it has ended."""
        wine = shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"
        # A file, not a pipe: some programs do not start with one.
        with tempfile.TemporaryFile() as words:
            try:
                subprocess.run([wine, program, *arguments], check=False, timeout=seconds, cwd=folder,
                               env=dict(self.environment, **variables), stdin=subprocess.DEVNULL, stdout=words,
                               stderr=subprocess.STDOUT)
            except subprocess.TimeoutExpired as late:
                words.seek(0)
                raise Failed(str(late), told_by(words)) from late
            words.seek(0)
            return told_by(words)

    def stop(self):
        if self.server is not None:
            self.server.terminate()
            self.server.wait()
