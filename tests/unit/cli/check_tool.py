#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the contract of the command line tool: exit statuses, messages, JSON.

usage: check_tool.py TOOL ROOT
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest

TOOL, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SHADERS = os.path.join(ROOT, "tests/corpus/own/dxbc")
GOOD = os.path.join(SHADERS, "vs_ids.vs_4_0.dxbc")
PIXEL = os.path.join(ROOT, "demo/shaders/demo_ui.ps_4_0.dxbc")

DIAGNOSTIC_KEYS = {"code", "severity", "message", "line", "col", "offset", "submission", "packet",
                   "packet_name"}
STREAM_TEXT = b"CREATE_BUFFER buffer_handle=$1 usage_flags=VERTEX_BUFFER size_bytes=24\nDRAW vertex_count=3\nFLUSH\n"

# Of what run() takes away, what says where WebGPU is.
LIBRARY = {k: v for k, v in os.environ.items() if k == "AEROGPU_WEBGPU_LIB"}


def run(*arguments, data=None, environment=None):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("AEROGPU_")}
    return subprocess.run([TOOL, *arguments], input=data, capture_output=True, check=False,
                          env=dict(clean, **(environment or {})))


class Usage(unittest.TestCase):
    def test_without_a_command(self):
        done = run()
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, b"")
        self.assertIn(b"translate", done.stderr)

    def test_help_goes_to_standard_output(self):
        for arguments in (["--help"], ["help"], ["help", "run"], ["run", "--help"], ["help", "--man"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 0, arguments)
            self.assertTrue(done.stdout, arguments)
            self.assertEqual(done.stderr, b"", arguments)

    def test_every_option_is_in_help_and_manual(self):
        manual = run("help", "--man").stdout.decode().replace("\\-", "-")
        for command, options in {
                "disasm": ["--full", "--offsets", "--raw", "--tokens"],
                "asm": ["--tokens", "--output"],
                "translate": ["--reflect", "--annotate", "--flavour", "--validate", "--driver"],
                "dump": ["--packets"],
                "run": ["--driver", "--lib", "--timeout", "--frames", "--gif", "--contact-sheet", "--capture",
                        "--check-packets", "--strict", "--aero-dialect", "--report", "--limits", "--without", "--slice",
                        "--process", "--invocations", "--snapshots", "--cache", "--no-cache"],
                "serve": ["--cache", "--no-cache"],
                "cache": ["--cache"],
                "capture": ["--from", "--to"]}.items():
            text = run(command, "--help").stdout.decode()
            for option in options + ["--json", "--help"]:
                self.assertIn(option, text, command)
                self.assertIn(option, manual, command)

    def test_wrong_usage(self):
        for arguments in (["fly"], ["disasm"], ["disasm", "--fly", GOOD], ["asm", "-o"], ["adapters", "x"],
                          ["run", "--driver", "abacus", "x"], ["run", "--gif", "x"], ["capture", "fly", "x"],
                          ["capture", "trim", "x"], ["run", "--capture", "x", "y", "z"], ["run", "--snapshots", "1", "--capture", "x", "y"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertRegex(done.stderr.decode(), r"^aerogpu: error: cli\.usage: ", arguments)

    def test_unknown_driver_in_the_environment(self):
        done = run("run", GOOD, environment={"AEROGPU_DRIVER": "abacus"})
        self.assertEqual(done.returncode, 2)

    def test_report_of_what_never_ran(self):
        with tempfile.TemporaryDirectory() as folder:
            path, page = os.path.join(folder, "a & b.scene"), os.path.join(folder, "page", "index.html")
            with open(path, "w", encoding="utf-8") as file:
                file.write("aerogpu-scene 1\nexpect <nothing>\n")
            self.assertEqual(run("run", path, "--report", os.path.dirname(page)).returncode, 1)
            with open(page, encoding="utf-8") as file:
                text = file.read()
            self.assertIn("a &amp; b.scene", text)
            self.assertIn('<section class="failed">', text)
            self.assertRegex(text, r'<td class="place">line 2</td>.*>(scene|abi)\.[a-z-]+<')
            self.assertIn('data-count="section.failed"', text)
            self.assertEqual(text.count("<!-- input -->"), 1)
            self.assertNotIn("http", text)

    def test_what_is_not_there_says_so(self):
        self.assertEqual(run("capture", "info", GOOD).returncode, 1)
        scene = os.path.join(ROOT, "tests/scenes/p0_triangle.scene")
        done = run("run", scene, "--lib", "/nonexistent/libwebgpu.so")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"gpu.no-library", done.stderr)


class Shaders(unittest.TestCase):
    def test_missing_file(self):
        done = run("disasm", "no-such-file")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^no-such-file: error: base\.file-unreadable: ")

    def test_binary_messages_carry_the_offset(self):
        with open(GOOD, "rb") as file:
            data = bytearray(file.read())
        data[40] ^= 0xff
        done = run("validate", "-", data=bytes(data))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^<stdin>:\+\d+: error: dxbc\.[a-z-]+: [^\n]*[^.\n]\n")

    def test_the_largest_status_wins(self):
        done = run("validate", GOOD, "no-such-file", GOOD)
        self.assertEqual(done.returncode, 1)

    def test_outputs_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "file")
            with open(place, "wb"):
                pass
            text = run("disasm", GOOD).stdout
            for arguments in (["disasm", GOOD, "-o", place + "/x"], ["asm", "-", "-o", place + "/x"],
                              ["translate", GOOD, "-o", place + "/x"], ["translate", GOOD, "--reflect", place + "/x"]):
                done = run(*arguments, data=text)
                self.assertEqual(done.returncode, 5, (arguments, done.stderr))
                self.assertIn(b": error: base.file-unwritable: ", done.stderr)
        for arguments in (["disasm", GOOD], ["info", "--json", GOOD], ["help", "run"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([TOOL, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 5, arguments)

    def test_inputs_are_bounded(self):
        done = run("validate", "/dev/zero")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^/dev/zero: error: base\.file-unreadable: ")

    def test_json_of_a_shader(self):
        done = run("info", "--json", GOOD, PIXEL)
        self.assertEqual(done.returncode, 0)
        first, second = [json.loads(line) for line in done.stdout.decode().splitlines()]
        self.assertLessEqual({"file", "ok", "stage", "model", "signatures", "cbuffers", "resources", "diags"},
                             set(first))
        self.assertEqual((first["file"], first["ok"], first["stage"]), (GOOD, True, "vs"))
        names = [e["name"].upper() for e in first["signatures"]["input"]]
        self.assertEqual(sorted(names), ["SV_INSTANCEID", "SV_VERTEXID"])
        self.assertEqual(second["stage"], "ps")
        self.assertEqual({r["space"] for r in second["resources"]}, {"t", "s"})

    def test_tokens_with_signatures_beside_them(self):
        listing = (b"vs_4_0\n.in POSITION0 v0.xyz float\n.out SV_Position0 o0.xyzw float position\n"
                   b"dcl_input v0.xyz\ndcl_output_siv o0.xyzw, position\nmov o0.xyzw, v0.xyzx\nret\n")
        lines = listing.split(b"\n")
        with tempfile.TemporaryDirectory() as folder:
            tokens, signatures = os.path.join(folder, "tokens"), os.path.join(folder, "signatures")
            done = run("asm", "-", "--tokens", "-o", tokens, "--signatures", signatures, data=listing)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(tokens, "rb") as file:
                self.assertEqual(file.read(4), bytes([0x40, 0, 1, 0]))
            with open(signatures, "rb") as file:
                self.assertEqual(file.read(), b"\n".join(lines[1:3]) + b"\n")
            for command in ("info", "validate", "disasm"):
                done = run(command, tokens, "--tokens", "--signatures", signatures)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn(lines[1] + b"\n" + lines[2] + b"\n" + lines[3], done.stdout)
            with open(signatures, "wb") as file:
                file.write(b".in POSITION0 v0.xy float\n")
            done = run("validate", tokens, "--signatures", signatures)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"dxbc.signature-mismatch", done.stderr)
            with open(signatures, "wb") as file:
                file.write(b"\nnonsense\n")
            done = run("info", "--json", tokens, "--signatures", signatures)
            self.assertEqual(done.returncode, 1)
            self.assertIn(signatures.encode() + b":2:1: error: dxbc.syntax", done.stderr)
            self.assertEqual(json.loads(done.stdout)["diags"][0]["line"], 2)

    def test_facts_of_a_shader(self):
        listing = (b"cs_5_0\ndcl_uav_raw u1\ndcl_temps 1\ndcl_tgsm_raw g0, 64\ndcl_thread_group 8, 4, 2\n"
                   b"iadd r0.x, l(1), l(2)\nstore_raw u1.x, l(0), r0.x\nret\n")
        shader = run("asm", "-", "-o", "-", data=listing)
        done = run("info", "--json", "-", data=shader.stdout)
        self.assertEqual(done.returncode, 0)
        entry = json.loads(done.stdout)
        self.assertEqual((entry["thread_group"], entry["shared_bytes"]), ([8, 4, 2], 64))
        self.assertEqual((entry["statistics"]["instructions"], entry["statistics"]["temps"]), (3, 1))
        self.assertEqual({k: v for k, v in entry["statistics"]["classes"].items() if v},
                         {"int": 1, "store": 1, "flow": 1})
        self.assertEqual([(r["space"], r["slot"], r["dimension"]) for r in entry["resources"]],
                         [("u", 1, "raw_buffer")])
        text = run("info", "-", data=shader.stdout).stdout.decode()
        self.assertIn("thread group 8 x 4 x 2, 64 bytes of shared memory", text)

    def test_json_of_a_refusal(self):
        done = run("info", "--json", "-", data=b"DXBC but not really")
        self.assertEqual(done.returncode, 1)
        entry = json.loads(done.stdout)
        self.assertFalse(entry["ok"])
        self.assertEqual(set(entry["diags"][0]), DIAGNOSTIC_KEYS)

    def test_listing_and_assembling_give_the_same_bytes(self):
        with open(PIXEL, "rb") as file:
            data = file.read()
        listing = run("disasm", "--full", PIXEL)
        self.assertEqual(listing.returncode, 0)
        back = run("asm", "-", "-o", "-", data=listing.stdout)
        self.assertEqual(back.returncode, 0, back.stderr)
        self.assertEqual(back.stdout, data)

    def test_a_wrong_checksum_is_no_obstacle_to_reading(self):
        with open(PIXEL, "rb") as file:
            data = bytearray(file.read())
        data[4] ^= 0xff
        listing = run("disasm", "--full", "-", data=bytes(data))
        self.assertEqual(listing.returncode, 0)
        self.assertRegex(listing.stderr.decode(), r"^<stdin>:\+4: warning: dxbc\.checksum: ")
        back = run("asm", "-", "-o", "-", data=listing.stdout)
        self.assertEqual(back.returncode, 0, back.stderr)
        self.assertEqual(back.stdout, bytes(data))
        self.assertEqual(run("info", "-", data=bytes(data)).returncode, 0)
        for command in ("validate", "translate"):
            self.assertEqual(run(command, "-", data=bytes(data)).returncode, 1)

    def test_translation(self):
        done = run("translate", GOOD)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"@vertex", done.stdout)
        with tempfile.TemporaryDirectory() as folder:
            done = run("translate", "--json", "--reflect", folder + "/reflect", "-o", folder + "/out", GOOD, PIXEL)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(os.listdir(folder + "/out")), ["demo_ui.ps_4_0.wgsl", "vs_ids.vs_4_0.wgsl"])
            self.assertEqual(len(os.listdir(folder + "/reflect")), 2)
        entry = json.loads(done.stdout.splitlines()[1])
        self.assertLessEqual({"file", "ok", "needs", "bindings", "diags"}, set(entry))
        found = {(b["space"], b["slot"], b["group"], b["binding"]) for b in entry["bindings"]}
        self.assertLessEqual({("resource", 0, 1, 32), ("sampler", 0, 1, 160)}, found)

    def test_pipelines(self):
        # A depth texture beside a plain sampler, which WebGPU's automatic layout refuses; then SV_PrimitiveID.
        for name in ("ps_gather_channels.ps_5_0.dxbc", "cs_texture_sampling.cs_5_0.dxbc"):
            done = run("translate", "--validate=pipeline", "--driver", "lavapipe", os.path.join(SHADERS, name),
                       environment=LIBRARY)
            if done.returncode == 3:
                self.skipTest("no such driver here")
            self.assertEqual(done.returncode, 0, done.stderr)
        done = run("translate", "--validate=pipeline", "--driver", "lavapipe",
                   os.path.join(SHADERS, "ps_frontface40.ps_4_0.dxbc"), environment=LIBRARY)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"gpu.feature: not checked: the module needs the feature primitive-index", done.stderr)
        done = run("translate", "--validate=module", os.path.join(SHADERS, "ps_frontface40.ps_4_0.dxbc"),
                   environment=LIBRARY)
        self.assertEqual(done.returncode, 0, done.stderr)


class Streams(unittest.TestCase):
    def test_dump_and_assemble_are_inverse(self):
        stream = run("assemble", "-", "-o", "-", data=STREAM_TEXT)
        self.assertEqual(stream.returncode, 0, stream.stderr)
        text = run("dump", "-", data=stream.stdout)
        self.assertEqual(text.returncode, 0, text.stderr)
        again = run("assemble", "-", "-o", "-", data=text.stdout)
        self.assertEqual(again.stdout, stream.stdout)

    def test_ranges_of_packets(self):
        stream = run("assemble", "-", "-o", "-", data=STREAM_TEXT).stdout
        self.assertEqual(run("dump", "-", "--packets", "1..1", data=stream).stdout.split(b" ")[0], b"DRAW")
        both = run("dump", "-", "--packets", "1..2", data=stream).stdout.decode()
        self.assertEqual(re.findall(r"^[A-Z_]+", both, re.M), ["DRAW", "FLUSH"])

    def test_descriptors_and_tables(self):
        descriptor = struct.pack("<4IQ2IQ2I2Q", 64, 3, 5, 0, 0x123456789000, 4096, 0, 0x2000, 88, 0, 7, 0)
        done = run("dump", "-", data=descriptor)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.decode(),
                         "submit_desc desc_size_bytes=64 flags=PRESENT|NO_IRQ context_id=5 cmd_gpa=0x123456789000 "
                         "cmd_size_bytes=4096 alloc_table_gpa=0x2000 alloc_table_size_bytes=88 signal_fence=7\n")
        entries = struct.pack("<2I3Q", 1, 1, 0x100000, 8192, 0) + struct.pack("<2I3Q", 2, 0, 0, 16, 0)
        table = struct.pack("<6I", 0x434F4C41, 0x10004, 88, 2, 32, 0) + entries
        done = run("dump", "-", data=table)
        self.assertEqual(done.stdout.decode(),
                         "alloc_table abi_version=1.4 size_bytes=88 entry_count=2 entry_stride_bytes=32\n"
                         "alloc_entry alloc_id=1 flags=READONLY gpa=0x100000 size_bytes=8192\n"
                         "alloc_entry alloc_id=2 size_bytes=16\n")
        document = json.loads(run("dump", "--json", "-", data=table).stdout)
        self.assertTrue(document["ok"])
        self.assertEqual(document["structures"][1],
                         {"kind": "alloc_entry", "alloc_id": 1, "flags": 1, "gpa": 0x100000, "size_bytes": 8192})
        cut = run("dump", "-", data=table[:60])
        self.assertEqual(cut.returncode, 1)
        self.assertIn(b"device.alloc-table: 2 elements are said to follow, 1 do\n", cut.stderr)
        self.assertEqual(cut.stdout.count(b"alloc_entry"), 1)
        ring = struct.pack("<10I3Q", 0x474E5241, 0x10004, 192, 2, 64, 0, 0, 1, 0, 0, 0, 0, 0) + 2 * descriptor
        done = run("dump", "-", data=ring)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(re.findall(r"^\w+", done.stdout.decode(), re.M), ["ring", "submit_desc", "submit_desc"])
        self.assertIn(b"tail=1\n", done.stdout)
        self.assertEqual(run("dump", "-", data=table[:20]).returncode, 1)

    def test_text_messages_carry_line_and_column(self):
        done = run("assemble", "-", data=b"FLUSH\nNO_SUCH_PACKET x=1\n")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^<stdin>:2:\d+: error: abi\.")

    def test_messages_of_bare_streams_name_the_packet(self):
        stream = run("assemble", "-", "-o", "-", data=b"FLUSH\nDRAW vertex_count=3 instance_count=1\n").stdout
        done = run("run", "--json", "--driver", "null", "-", data=stream, environment=LIBRARY)
        if done.returncode == 3:
            self.skipTest("no WebGPU library here")
        self.assertRegex(done.stderr.decode(), r"(?m)^<stdin>:\+\d+: warning: exec\.undefined-draw: a draw without "
                                               r"a vertex shader is skipped \(submission 0, packet 1 DRAW\)$")
        entry = json.loads(done.stdout)["diags"][0]
        self.assertEqual((entry["packet"], entry["packet_name"]), (1, "DRAW"))

    def test_inputs_may_be_pipes(self):
        done = run("run", "/dev/stdin", data=b"aerogpu-scene 1\nno such statement\n")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"^/dev/stdin:2:1: error: scene\.syntax: ")

    def test_scenes_are_checked_before_a_driver_is_asked_for(self):
        done = run("run", "--json", "-", data=b"aerogpu-scene 1\nno such statement\n")
        self.assertEqual(done.returncode, 1, done.stderr)
        entry = json.loads(done.stdout)
        self.assertLessEqual({"file", "result", "skip_reason", "checks", "presents", "counters", "contexts", "times_ms", "diags"},
                             set(entry))
        self.assertEqual(entry["result"], "failed")
        self.assertEqual(entry["diags"][0]["line"], 2)

    def test_scenes_read_files_beside_them_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "scenes"))
            scene = os.path.join(folder, "scenes", "a.scene")
            with open(GOOD, "rb") as file:
                shader = file.read()
            for place in ("outside.dxbc", "scenes/beside..dxbc"):
                with open(os.path.join(folder, place), "wb") as file:
                    file.write(shader)
            for path, code in (("beside..dxbc", "scene.name"), ("../outside.dxbc", "base.file-unreadable"),
                               (os.path.join(folder, "outside.dxbc"), "base.file-unreadable"),
                               ("./../scenes/beside..dxbc", "base.file-unreadable"), ("/dev/zero", "base.file-unreadable"),
                               (".", "base.file-unreadable"), ("none", "base.file-unreadable")):
                with open(scene, "w", encoding="utf-8") as file:
                    file.write(f'aerogpu-scene 1\nshader @s file="{path}"\nshader @t library no_such_shader\n')
                done = run("run", "--json", scene)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(json.loads(done.stdout)["diags"][0]["code"], code, path)

    def test_ticks_of_a_scene_are_bounded(self):
        for text in (b"tick 100001", b"tick 18446744073709551615", b"tick 60000\ntick 60000"):
            done = run("run", "-", data=b"aerogpu-scene 1\n" + text + b"\n")
            self.assertEqual(done.returncode, 1, text)
            self.assertRegex(done.stderr.decode(), r"^<stdin>:\d+:\d+: error: ")

    def test_a_capture_is_not_recorded_over_its_input(self):
        with tempfile.TemporaryDirectory() as folder:
            path, link = os.path.join(folder, "a.scene"), os.path.join(folder, "b")
            text = b"aerogpu-scene 1\nsubmit { FLUSH }\n"
            with open(path, "wb") as file:
                file.write(text)
            os.symlink(path, link)
            for target in (path, link, os.path.join(folder, ".", "a.scene")):
                done = run("run", path, "--capture", target)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertRegex(done.stderr.decode(), r"^aerogpu: error: cli\.usage: ")
            with open(path, "rb") as file:
                self.assertEqual(file.read(), text)

    def test_scenes_name_the_shaders_of_the_library(self):
        done = run("run", "--json", "-", data=b"aerogpu-scene 1\nshader @s library no_such_shader\n")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.decode(), r"^<stdin>:2:19: error: scene\.name: ")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
