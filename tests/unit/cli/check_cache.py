#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs scenes with the persistent cache: a warm run translates and compiles nothing, and pictures are the same
whatever the cache has.

usage: check_cache.py TOOL ROOT DRIVER
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL, ROOT, DRIVER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
SCENES = [os.path.join(ROOT, name) for name in (
    "tests/scenes/p0_triangle.scene", "tests/scenes/p0_alpha_blending.scene", "tests/scenes/p0_depth_test.scene",
    "tests/scenes/p0_instancing.scene", "demo/ui.scene", "demo/mesh.scene")]
SKIPPED, MISSING = 77, 3


def start(folder, *arguments):
    """A run of all scenes; `folder` is None without a cache."""
    cache = ["--no-cache"] if folder is None else ["--cache", folder]
    command = [TOOL, "run", "--json", "--driver", DRIVER, *cache, *arguments, *SCENES]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process):
    output, errors = process.communicate()
    if process.returncode not in (0, MISSING):
        raise AssertionError(f"status {process.returncode}: {errors.decode()}")
    reports = [json.loads(line) for line in output.decode().splitlines()]
    if len(reports) != len(SCENES):
        raise AssertionError(f"{len(reports)} of {len(SCENES)} scenes: {errors.decode()}")
    return reports


def run(folder, *arguments):
    return finish(start(folder, *arguments))


def pictures(reports):
    return [(report["result"], [present["xxh3"] for present in report["presents"]]) for report in reports]


def total(reports, counter):
    return sum(report["counters"][counter] for report in reports)


def entries(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".entry"))


class Cache(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.parent = tempfile.TemporaryDirectory()
        cls.folder = os.path.join(cls.parent.name, "cache")
        cls.cold = run(cls.folder)
        cls.plain = pictures(run(None))

    @classmethod
    def tearDownClass(cls):
        cls.parent.cleanup()

    def another(self, name):
        """A copy of the folder of the cold run."""
        folder = os.path.join(self.parent.name, name)
        subprocess.run(["cp", "-r", self.folder, folder], check=True)
        return folder

    def test_scenes_pass(self):
        self.assertEqual([result for result, _ in self.plain], ["passed"] * len(SCENES))
        self.assertEqual(pictures(self.cold), self.plain)

    def test_without_a_cache_there_is_none(self):
        reports = run(None)
        self.assertEqual([report["cache"] for report in reports], [None] * len(SCENES))
        self.assertEqual(total(reports, "shaders_cached"), 0)

    def test_a_cold_run_fills_the_cache(self):
        last = self.cold[-1]["cache"]
        self.assertGreater(last["modules"]["stores"], 0)
        self.assertGreater(last["blobs"]["stores"], 0)
        self.assertEqual(last["refused"], 0)
        self.assertGreater(len(entries(self.folder)), 0)

    def test_a_warm_run_translates_and_compiles_nothing(self):
        reports = run(self.another("warm"))
        last = reports[-1]["cache"]
        self.assertGreater(total(reports, "shaders_translated"), 0)
        self.assertEqual(total(reports, "shaders_cached"), total(reports, "shaders_translated"))
        self.assertEqual(total(reports, "shaders_translated"), total(self.cold, "shaders_translated"))
        self.assertEqual(total(reports, "pipelines"), total(self.cold, "pipelines"))
        for kind in ("modules", "pipelines", "blobs"):
            self.assertGreater(last[kind]["loads"], 0, kind)
            self.assertEqual(last[kind]["hits"], last[kind]["loads"], kind)
            self.assertEqual(last[kind]["stores"], 0, kind)
        self.assertEqual(pictures(reports), self.plain)

    def test_other_limits_have_entries_of_their_own(self):
        folder = self.another("limits")
        self.assertEqual(pictures(run(folder, "--limits", "default", "--invocations", "24")), self.plain)
        self.assertEqual(pictures(run(folder)), self.plain)

    def test_damaged_entries_are_written_anew(self):
        folder = self.another("damaged")
        for number, name in enumerate(entries(folder)):
            path = os.path.join(folder, name)
            with open(path, "r+b") as file:
                content = bytearray(file.read())
                content[number * 7919 % len(content)] ^= 1 + number % 255
                file.seek(0)
                file.write(content[:len(content) // 2] if number % 5 == 0 else content)
                file.truncate()
        reports = run(folder)
        self.assertGreater(reports[-1]["cache"]["refused"], 0)
        self.assertEqual(total(reports, "shaders_cached"), total(self.cold, "shaders_cached"))
        self.assertEqual(pictures(reports), self.plain)
        reports = run(folder)
        self.assertEqual(reports[-1]["cache"]["refused"], 0)
        self.assertEqual(total(reports, "shaders_cached"), total(reports, "shaders_translated"))

    def test_foreign_entries_are_ignored(self):
        folder = self.another("foreign")
        names = entries(folder)
        contents = []
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                contents.append(file.read())
        for name, content in zip(names, contents[1:] + contents[:1]):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        reports = run(folder)
        self.assertGreater(reports[-1]["cache"]["refused"], 0)
        self.assertEqual(total(reports, "shaders_cached"), total(self.cold, "shaders_cached"))
        self.assertEqual(pictures(reports), self.plain)

    def test_a_folder_that_cannot_be_written_to(self):
        folder = self.another("read-only")
        for name in entries(folder)[::2]:
            os.unlink(os.path.join(folder, name))
        os.chmod(folder, 0o500)
        try:
            self.assertEqual(pictures(run(folder)), self.plain)
        finally:
            os.chmod(folder, 0o700)

    def test_two_processes(self):
        folder = os.path.join(self.parent.name, "two")
        both = [start(folder), start(folder)]
        for process in both:
            reports = finish(process)
            self.assertEqual(pictures(reports), self.plain)
            self.assertEqual(reports[-1]["cache"]["refused"], 0)
        reports = run(folder)
        self.assertEqual(total(reports, "shaders_cached"), total(reports, "shaders_translated"))

    def test_gpu_processes_have_translations_of_their_own(self):
        folder = self.another("process")
        found = [run(folder, "--process") for _ in range(2)]
        self.assertEqual(total(found[0], "shaders_cached"), total(self.cold, "shaders_cached"))
        self.assertEqual(total(found[1], "shaders_cached"), total(found[1], "shaders_translated"))
        for reports in found:
            self.assertEqual(pictures(reports), self.plain)
        self.assertEqual(found[1][-1]["cache"]["blobs"]["loads"], 0)
        cold = os.path.join(self.parent.name, "of-processes")
        run(cold, "--process")
        reports = run(cold)
        self.assertEqual(total(reports, "shaders_cached"), total(self.cold, "shaders_cached"))

    def test_info_and_clear(self):
        folder = self.another("cleared")
        with open(os.path.join(folder, "notes"), "w", encoding="utf-8") as file:
            file.write("not the cache's")
        sizes = [os.path.getsize(os.path.join(folder, name)) for name in entries(folder)]
        blocks = sum((size + 4095) // 4096 for size in sizes)
        info = json.loads(subprocess.run([TOOL, "cache", "info", "--json", "--cache", folder], check=True,
                                         capture_output=True).stdout)
        self.assertEqual(info, {"folder": folder, "entries": len(sizes), "bytes": 4096 * blocks})
        cleared = json.loads(subprocess.run([TOOL, "cache", "clear", "--json", "--cache", folder], check=True,
                                            capture_output=True).stdout)
        self.assertEqual(cleared, info)
        self.assertEqual(os.listdir(folder), ["notes"])


class Folder(unittest.TestCase):
    """Which folder the tool takes; no driver is needed."""

    def ask(self, environment, *arguments):
        clean = {k: v for k, v in os.environ.items()
                 if k not in ("AEROGPU_CACHE", "XDG_CACHE_HOME", "HOME")}
        done = subprocess.run([TOOL, "cache", "info", "--json", *arguments], env=dict(clean, **environment),
                              check=True, capture_output=True)
        return json.loads(done.stdout)["folder"]

    def test_where(self):
        self.assertEqual(self.ask({"HOME": "/h"}), "/h/.cache/aerogpu")
        self.assertEqual(self.ask({"HOME": "/h", "XDG_CACHE_HOME": "/x"}), "/x/aerogpu")
        self.assertEqual(self.ask({"HOME": "/h", "AEROGPU_CACHE": "/a"}), "/a")
        self.assertEqual(self.ask({"HOME": "/h", "AEROGPU_CACHE": "/a"}, "--cache", "/o"), "/o")
        self.assertEqual(self.ask({"HOME": "/h", "AEROGPU_CACHE": ""}, "--cache", "/o"), "/o")
        self.assertIsNone(self.ask({"HOME": "/h", "AEROGPU_CACHE": ""}))
        self.assertIsNone(self.ask({"HOME": "/h", "AEROGPU_CACHE": "/a"}, "--cache", ""))
        self.assertIsNone(self.ask({}))

    def test_wrong_word(self):
        self.assertEqual(subprocess.run([TOOL, "cache", "fill"], check=False, capture_output=True).returncode, 2)

    def test_a_folder_that_is_none(self):
        done = subprocess.run([TOOL, "run", "--cache", os.path.join(TOOL, "below"), SCENES[0]], check=False,
                              capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cache.folder", done.stderr)


if __name__ == "__main__":
    probe = subprocess.run([TOOL, "run", "--no-cache", "--driver", DRIVER, SCENES[0]], check=False,
                           capture_output=True)
    if probe.returncode == MISSING:
        print(f"skipped: {DRIVER} is not installed")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
