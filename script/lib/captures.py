# SPDX-License-Identifier: MIT
"""Captures of varied scenes: recorded on one driver, replayed on another, cut, unpacked and damaged. Those of Windows programs
lie in tests/captures: they were recorded under Wine, and replay without."""
import glob
import os
import subprocess
import time

RECORDED_ON = "lavapipe"
SECONDS = 120
SCENES = [
    "demo/instances", "demo/mesh", "tests/scenes/p0_depth_test", "tests/scenes/p0_alpha_blending",
    "tests/scenes/p0_texture_mirror_point", "tests/scenes/compute/append", "tests/scenes/compute/guest_backed_uav",
    "tests/scenes/compute/writeback_of_uav", "tests/scenes/constants/dirty_range_between_draws",
    "tests/scenes/copies/allocation_moves", "tests/scenes/copies/buffer_writeback",
    "tests/scenes/copies/buffer_past_end", "tests/scenes/copies/rendered_writeback", "tests/scenes/present/flip", "tests/scenes/present/later_fences_wait",
    "tests/scenes/present/x8_target", "tests/scenes/sharing/export_import",
    "tests/scenes/ext_lists/executes_other_lists", "tests/scenes/ext_queries/occlusion_over_submissions",
    "tests/scenes/ext_stream_output/draw_auto", "tests/scenes/ext_resources/all_mips",
    "tests/scenes/ext_shaders/bare_tokens",
]
# Of these the last submission is cut out: what it needs is made by lists, stream output and views before it.
CUT_SCENES = [scene for scene in SCENES if "/ext_" in scene]


class Captures:
    """The checks on captures; `tool` runs the tool, which is at `executable`, as run_tests.py does."""

    def __init__(self, results, tool, executable, folder):
        self.results, self.tool, self.executable, self.folder = results, tool, executable, folder
        os.makedirs(folder, exist_ok=True)

    def check(self, name, good, why):
        if good:
            self.results.good()
        else:
            self.results.bad("captures", name, why)

    def path(self, scene):
        return os.path.join(self.folder, scene.replace("/", "-") + ".agpucap")

    def run(self, *arguments):
        status, objects, messages = self.tool([*arguments, "--json"], SECONDS)
        return status, objects[0] if objects else {}, messages[-400:]

    def record(self, scene):
        status, _, why = self.run("run", scene + ".scene", "--driver", RECORDED_ON, "--capture", self.path(scene))
        self.check(f"record {scene}", status == 0 and os.path.exists(self.path(scene)), why)
        return status == 0

    def replay(self, path, driver, presents=None):
        """A replay passes, compares something, and shows as many presents as it should."""
        status, run, why = self.run("run", path, "--driver", driver)
        good = status == 0 and bool(run.get("checks"))
        if presents is not None:
            good = good and len(run["presents"]) == presents
        self.check(f"replay {os.path.basename(path)} on {driver}", good, why)

    def replays_programs(self):
        """guest/examples, as they were recorded: what they drew looks the same today."""
        paths = sorted(glob.glob("tests/captures/*.agpucap"))
        self.check("captures of programs", len(paths) > 0, "there are none")
        for path in paths:
            _, recorded, why = self.run("capture", "info", path)
            presents = recorded.get("presents", 0)
            self.check(f"{os.path.basename(path)} shows something", presents > 0, why)
            for driver in ("lavapipe", "swiftshader"):
                self.replay(path, driver, presents=presents)

    def trims(self):
        """Frames out of an animation: only their draws remain, and they look as they did."""
        whole, part = self.path("demo/mesh"), os.path.join(self.folder, "trimmed.agpucap")
        status, _, why = self.run("capture", "trim", whole, "--from", "10", "--to", "12", "-o", part)
        self.check("trim", status == 0, why)
        _, before, _ = self.run("capture", "info", whole)
        _, after, why = self.run("capture", "info", part)
        frames = [entry["presents"] for entry in after.get("list", [])]
        self.check("trim leaves three frames", frames == [0] * 10 + [1] * 3, f"presents {frames}: {why}")
        self.check("trim leaves what they need", 0 < after.get("draws", 0) < before.get("draws", 0) // 5,
                   f"{after.get('draws')} of {before.get('draws')} draws")
        for driver in ("lavapipe", "swiftshader"):
            self.replay(part, driver, presents=3)
        status, _, _ = self.run("capture", "trim", whole, "--from", "1000", "-o", part)
        self.check("trim past the end", status == 1, f"status {status}")

    def trims_extension(self):
        """The last submission of a scene needs what packets of the extension did before."""
        part = os.path.join(self.folder, "trimmed-extension.agpucap")
        for scene in CUT_SCENES:
            _, before, why = self.run("capture", "info", self.path(scene))
            last = len(before.get("list", [])) - 1
            status, _, why = self.run("capture", "trim", self.path(scene), "--from", str(last), "-o", part)
            self.check(f"trim {scene}", status == 0 and last >= 0, why)
            for driver in ("lavapipe", "swiftshader"):
                self.replay(part, driver)

    def extracts(self):
        status, found, why = self.run("capture", "extract", self.path("tests/scenes/p0_texture_mirror_point"), "-o",
                                      os.path.join(self.folder, "extracted"))
        self.check("extract", status == 0 and found["textures"] and found["presents"] and found["streams"], why)
        shaders = [shader["path"] for shader in found.get("shaders", [])]
        self.check("extract finds shaders", len(shaders) >= 2, f"{shaders}")
        for path in shaders:
            status, _, why = self.run("info", path)
            self.check(f"shader {os.path.basename(path)}", status == 0, why)
        status, found, why = self.run("capture", "extract", self.path("tests/scenes/ext_shaders/bare_tokens"), "-o",
                                      os.path.join(self.folder, "extracted-tokens"))
        tokens = [(shader["stage"], os.path.splitext(shader["path"])[1]) for shader in found.get("shaders", [])]
        self.check("extract finds bare tokens", tokens == [("vs", ".tokens"), ("ps", ".tokens")], f"{tokens}: {why}")

    def records_replays(self):
        """A replay that is recorded gives the same capture, but for who made it."""
        again = os.path.join(self.folder, "again.agpucap")
        for scene in ("demo/mesh", "tests/scenes/compute/writeback_of_uav"):
            status, _, why = self.run("run", self.path(scene), "--driver", RECORDED_ON, "--capture", again)
            self.check(f"record the replay of {scene}", status == 0, why)
            _, first, _ = self.run("capture", "info", self.path(scene))
            _, second, why = self.run("capture", "info", again)
            self.check(f"the replay of {scene} is whole", first.get("list") == second.get("list"), why)
            self.replay(again, "swiftshader")

    def survives(self):
        """What was recorded until the process was killed replays, and says that it was cut."""
        path = os.path.join(self.folder, "killed.agpucap")
        for least in (1, 1 << 16, 1 << 20):
            if os.path.exists(path):
                os.remove(path)
            recording = subprocess.Popen([self.executable, "run", "demo/mesh.scene", "--driver", RECORDED_ON, "--capture",
                                          path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            end = time.monotonic() + SECONDS
            while time.monotonic() < end and not (os.path.exists(path) and os.path.getsize(path) >= least):
                time.sleep(0.001)
            recording.kill()
            recording.wait()
            status, found, why = self.run("run", path, "--driver", RECORDED_ON)
            codes = [diag["code"] for diag in found.get("diags", []) if diag["severity"] != "note"]
            self.check(f"killed after {least} bytes", status == 0 and codes == ["capture.truncated"],
                       f"status {status}, {codes}: {why}")

    def damage(self):
        """Any flipped bit is found; a cut file is read up to the cut."""
        with open(self.path("tests/scenes/p0_depth_test"), "rb") as file:
            data = file.read()
        path = os.path.join(self.folder, "damaged.agpucap")
        for at in [0, 5, 9, 17, 30, 45] + [len(data) * i // 16 for i in range(1, 16)] + [len(data) - 1]:
            broken = bytearray(data)
            broken[at] ^= 1 << at % 8
            with open(path, "wb") as file:
                file.write(broken)
            status, found, why = self.run("capture", "info", path)
            codes = [diag["code"] for diag in found.get("diags", []) if diag["severity"] == "error"]
            self.check(f"bit {at % 8} of byte {at}", status == 1 and codes and codes[0].startswith("capture."),
                       f"status {status}, {codes}: {why}")
        with open(path, "wb") as file:
            file.write(data[:-20])
        status, found, why = self.run("capture", "info", path)
        codes = [diag["code"] for diag in found.get("diags", [])]
        self.check("a cut capture", status == 0 and codes == ["capture.truncated"], f"status {status}, {codes}: {why}")


def suite(results, tool, executable, folder):
    captures = Captures(results, tool, executable, folder)
    recorded = [scene for scene in SCENES if captures.record(scene)]
    for scene in recorded:
        for driver in ("lavapipe", "swiftshader"):
            captures.replay(captures.path(scene), driver)
    captures.replays_programs()
    captures.trims()
    captures.trims_extension()
    captures.extracts()
    captures.records_replays()
    captures.survives()
    captures.damage()
