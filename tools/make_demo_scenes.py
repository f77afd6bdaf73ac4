#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the scenes and textures of demo/: geometry, matrices and layouts as packet text.

The scenes are checked in; run this only to change them. Usage: tools/make_demo_scenes.py [demo]
"""
import math
import pathlib
import struct
import sys
import zlib

WIDTH, HEIGHT = 480, 270
FRAMES = 30


# ---- Vectors and matrices (column vectors, row lists) --------------------------------------------------

def normalized(v):
    length = math.sqrt(sum(c * c for c in v))
    return [c / length for c in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def multiply(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def translation(x, y, z):
    return [[1, 0, 0, x], [0, 1, 0, y], [0, 0, 1, z], [0, 0, 0, 1]]


def scaling(x, y, z):
    return [[x, 0, 0, 0], [0, y, 0, 0], [0, 0, z, 0], [0, 0, 0, 1]]


def rotation_y(angle):
    c, s = math.cos(angle), math.sin(angle)
    return [[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1]]


def rotation_x(angle):
    c, s = math.cos(angle), math.sin(angle)
    return [[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]]


def look_at(eye, target):
    """A left-handed view matrix, as Direct3D programs use it."""
    z = normalized([t - e for t, e in zip(target, eye)])
    x = normalized(cross([0, 1, 0], z))
    y = cross(z, x)
    return [x + [-dot(x, eye)], y + [-dot(y, eye)], z + [-dot(z, eye)], [0, 0, 0, 1]]


def perspective(fov_y, aspect, near, far):
    h = 1 / math.tan(fov_y / 2)
    return [[h / aspect, 0, 0, 0], [0, h, 0, 0],
            [0, 0, far / (far - near), -near * far / (far - near)], [0, 0, 1, 0]]


def inverse(m):
    a = [list(map(float, row)) + [float(i == j) for j in range(4)] for i, row in enumerate(m)]
    for column in range(4):
        pivot = max(range(column, 4), key=lambda r: abs(a[r][column]))
        a[column], a[pivot] = a[pivot], a[column]
        a[column] = [v / a[column][column] for v in a[column]]
        for row in range(4):
            if row != column:
                a[row] = [v - a[row][column] * w for v, w in zip(a[row], a[column])]
    return [row[4:] for row in a]


def registers(matrix):
    """A matrix as HLSL's default packing stores it: one column a register."""
    return [matrix[row][column] for column in range(4) for row in range(4)]


# ---- Meshes: flat lists of position, normal, uv, and triangle indices ------------------------------------

def torus(major, minor, around, across):
    vertices, indices = [], []
    for i in range(around + 1):
        u = i / around * 2 * math.pi
        for j in range(across + 1):
            v = j / across * 2 * math.pi
            normal = [math.cos(u) * math.cos(v), math.sin(v), math.sin(u) * math.cos(v)]
            vertices.append([major * math.cos(u) + minor * normal[0], minor * normal[1],
                             major * math.sin(u) + minor * normal[2], *normal, 6 * i / around, 2 * j / across])
    for i in range(around):
        for j in range(across):
            a = i * (across + 1) + j
            b = a + across + 1
            indices += [a, a + 1, b, a + 1, b + 1, b]
    return vertices, indices


def cube():
    vertices, indices = [], []
    for axis in range(3):
        for side in (-1, 1):
            normal = [0, 0, 0]
            normal[axis] = side
            first = len(vertices)
            for b, c in ((-1, -1), (-1, 1), (1, 1), (1, -1)):
                position = [0, 0, 0]
                position[axis] = side
                position[(axis + 1) % 3] = b
                position[(axis + 2) % 3] = c
                vertices.append([*position, *normal, (b + 1) / 2, (c + 1) / 2])
            quad = [first, first + 1, first + 2, first, first + 2, first + 3]
            indices += quad if side < 0 else quad[::-1]
    return vertices, indices


def ground(size, repeat):
    corners = ((-1, -1), (-1, 1), (1, 1), (1, -1))
    return [[x * size, 0, z * size, 0, 1, 0, (x + 1) / 2 * repeat, (z + 1) / 2 * repeat] for x, z in corners], \
        [0, 1, 2, 0, 2, 3]


# ---- Pictures ------------------------------------------------------------------------------------------

def write_png(path, width, height, rows):
    """RGBA8, rows top to bottom."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    raw = b"".join(b"\0" + bytes(row) for row in rows)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def noise(x, y):
    n = (x * 1619 + y * 31337) & 0x7FFFFFFF
    n = ((n << 13) ^ n) & 0x7FFFFFFF
    return ((n * (n * n * 15731 + 789221) + 1376312589) & 0x7FFFFFFF) / 0x7FFFFFFF


def bricks(size):
    """Linear values are not wanted here: bytes as an artist would paint them."""
    picture = []
    for y in range(size):
        row = []
        for x in range(size):
            course = y * 8 // size
            shifted = (x + (size // 8 if course % 2 else 0)) % size
            brick = shifted * 4 // size
            mortar = (y * 8) % size < size // 12 or (shifted * 4) % size < size // 12
            shade = 0.75 + 0.25 * noise(brick + 7 * course, course) + 0.12 * (noise(x, y) - 0.5)
            colour = (0.72, 0.70, 0.66) if mortar else (0.74, 0.38, 0.27)
            row += [max(0, min(255, round(255 * c * shade))) for c in colour] + [255]
        picture.append(row)
    return picture


def half_size(picture):
    size = len(picture) // 2
    return [[(picture[2 * y][8 * x + c] + picture[2 * y][8 * x + 4 + c] + picture[2 * y + 1][8 * x + c] +
              picture[2 * y + 1][8 * x + 4 + c] + 2) // 4 for x in range(size) for c in range(4)]
            for y in range(size)]


# Five columns by seven rows, one hexadecimal pair a row, left column in bit 4.
GLYPHS = {
    "A": "0E11111F111111", "B": "1E11111E11111E", "C": "0E11101010110E", "D": "1E11111111111E",
    "E": "1F10101E10101F", "F": "1F10101E101010", "G": "0E11101713110F", "H": "1111111F111111",
    "I": "0E04040404040E", "J": "0702020202120C", "K": "11121418141211", "L": "1010101010101F",
    "M": "111B1515111111", "N": "11191513111111", "O": "0E11111111110E", "P": "1E11111E101010",
    "Q": "0E11111115120D", "R": "1E11111E141211", "S": "0F10100E01011E", "T": "1F040404040404",
    "U": "1111111111110E", "V": "11111111110A04", "W": "11111115151B11", "X": "11110A040A1111",
    "Y": "11110A04040404", "Z": "1F01020408101F", "0": "0E11131519110E", "1": "040C040404040E",
    "2": "0E11010204081F", "3": "1F02040201110E", "4": "02060A121F0202", "5": "1F101E0101110E",
    "6": "0608101E11110E", "7": "1F010204080808", "8": "0E11110E11110E", "9": "0E11110F01020C",
    ".": "00000000000C0C", ":": "000C0C000C0C00", "%": "19190204081313", "-": "0000001F000000",
    "/": "01010204081010", "+": "0004041F040400", "!": "04040404040004", "'": "0C040800000000",
}
CELL = 8
ATLAS = 128


def atlas_cells():
    """Where each glyph stands in the atlas, in texels."""
    return {letter: (CELL * (i % 16), CELL * (i // 16)) for i, letter in enumerate(GLYPHS)}


def ui_atlas():
    """Glyphs on top; below them a white block at (0, 64) and a soft disc of 48 texels at (64, 64)."""
    coverage = [[0] * ATLAS for _ in range(ATLAS)]
    for letter, (left, top) in atlas_cells().items():
        bits = bytes.fromhex(GLYPHS[letter])
        for y, row in enumerate(bits):
            for x in range(5):
                coverage[top + y][left + x] = 255 if row >> (4 - x) & 1 else 0
    for y in range(64, 128):
        for x in range(0, 48):
            coverage[y][x] = 255
        for x in range(64, 112):
            distance = math.hypot(x + 0.5 - 88, y + 0.5 - 88)
            coverage[y][x] = max(0, min(255, round(255 * (23 - distance) / 2)))
    return [[byte for value in row for byte in (255, 255, 255, value)] for row in coverage]


# ---- Scene text ----------------------------------------------------------------------------------------

def number(value):
    text = f"{value:.6g}"
    return "0" if text == "-0" else text


class Scene:
    def __init__(self, title, first_comment):
        self.lines = ["aerogpu-scene 1", f"# {first_comment}", f'title "{title}"', ""]

    def line(self, text=""):
        self.lines.append(text)

    def floats(self, head, values):
        """A statement with f32 data."""
        self.line(head + " : f32 " + " ".join(map(number, values)))

    def blob_floats(self, name, rows):
        words = "  ".join(" ".join(number(v) for v in row) for row in rows)
        self.line(f"blob {name} : f32 {words}")

    def blob_integers(self, name, kind, values):
        self.line(f"blob {name} : {kind} " + " ".join(map(str, values)))

    def shader(self, name, file):
        self.line(f'shader {name} file="shaders/{file}.dxbc"')

    def listing(self, name, path):
        """A shader written by hand: its listing becomes part of the scene."""
        self.line(f"shader {name} asm {{")
        for line in path.read_text().splitlines():
            self.line("  " + line)
        self.line("}")

    def write(self, path):
        path.write_text("\n".join(self.lines) + "\n")


def buffer(scene, handle, usage, size, blob=None):
    scene.line(f"  CREATE_BUFFER buffer_handle={handle} usage_flags={usage} size_bytes={size}")
    if blob:
        scene.line(f"  UPLOAD_RESOURCE resource_handle={handle} : {blob}")


def target(scene, handle, usage, pixel_format, width=WIDTH, height=HEIGHT):
    scene.line(f"  CREATE_TEXTURE2D texture_handle={handle} usage_flags={usage} format={pixel_format} "
               f"width={width} height={height} mip_levels=1 array_layers=1")


def viewport(scene, width=WIDTH, height=HEIGHT):
    scene.line(f"  SET_VIEWPORT width_f32={width} height_f32={height} max_depth_f32=1")


def brick_texture(scene, textures):
    """A mip chain, one picture a level."""
    picture, level, offset = bricks(128), 0, 0
    scene.line("  CREATE_TEXTURE2D texture_handle=$bricks usage_flags=TEXTURE format=R8G8B8A8_UNORM "
               "width=128 height=128 mip_levels=8 array_layers=1")
    while True:
        size = len(picture)
        write_png(textures / f"bricks-{level}.png", size, size, picture)
        scene.line(f'  UPLOAD_RESOURCE resource_handle=$bricks offset_bytes={offset} '
                   f': png "textures/bricks-{level}.png"')
        if size == 1:
            return
        offset += size * size * 4
        picture, level = half_size(picture), level + 1


VERTEX_LAYOUT = ("POSITION0 R32G32B32_FLOAT slot=0 offset=0 NORMAL0 R32G32B32_FLOAT slot=0 offset=12 "
                 "TEXCOORD0 R32G32_FLOAT slot=0 offset=24")


def mesh_objects(scene):
    """Vertex and index buffers of the meshes, as blobs."""
    counts = {}
    for name, (vertices, indices) in {"torus": torus(1.0, 0.42, 40, 20), "cube": cube(),
                                      "ground": ground(12, 12)}.items():
        scene.blob_floats(f"@{name}_vertices", vertices)
        scene.blob_integers(f"@{name}_indices", "u16", indices)
        counts[name] = (len(vertices), len(indices))
    return counts


def mesh_buffers(scene, counts):
    for name, (vertices, indices) in counts.items():
        buffer(scene, f"${name}_vb", "VERTEX_BUFFER", 32 * vertices, f"@{name}_vertices")
        buffer(scene, f"${name}_ib", "INDEX_BUFFER", (2 * indices + 3) // 4 * 4, f"@{name}_indices")


def mesh_shaders(scene):
    scene.line("  CREATE_SHADER_DXBC shader_handle=$mesh_vs stage=VERTEX : @mesh_vs")
    scene.line("  CREATE_SHADER_DXBC shader_handle=$mesh_ps stage=PIXEL : @mesh_ps")
    scene.line(f"  CREATE_INPUT_LAYOUT input_layout_handle=$mesh_layout : layout {VERTEX_LAYOUT}")
    buffer(scene, "$frame_cb", "CONSTANT_BUFFER", 128)
    buffer(scene, "$object_cb", "CONSTANT_BUFFER", 80)
    scene.line("  CREATE_SAMPLER sampler_handle=$linear filter=LINEAR address_u=REPEAT address_v=REPEAT "
               "address_w=REPEAT")


def draw_mesh(scene, counts, mesh, world, tint):
    """Object constants change between draws of one frame, as a program's discard maps do."""
    scene.floats("  UPLOAD_RESOURCE resource_handle=$object_cb", registers(world) + tint)
    scene.line(f"  SET_VERTEX_BUFFERS bindings=[{{buffer=${mesh}_vb stride_bytes=32}}]; "
               f"SET_INDEX_BUFFER buffer=${mesh}_ib format=UINT16; "
               f"DRAW_INDEXED index_count={counts[mesh][1]} instance_count=1")


def bind_mesh(scene, fog, eye, view_projection, light):
    fog_density, fog_colour = fog
    scene.floats("  UPLOAD_RESOURCE resource_handle=$frame_cb",
                 registers(view_projection) + eye + [fog_density] + light + [48] +
                 [0.95, 0.9, 0.8, 0.28] + fog_colour + [1])
    scene.line("  BIND_SHADERS vs=$mesh_vs ps=$mesh_ps; SET_INPUT_LAYOUT input_layout_handle=$mesh_layout; "
               "SET_PRIMITIVE_TOPOLOGY topology=TRIANGLELIST")
    scene.line("  SET_CONSTANT_BUFFERS shader_stage=VERTEX bindings=[{buffer=$frame_cb size_bytes=128} "
               "{buffer=$object_cb size_bytes=80}]")
    scene.line("  SET_CONSTANT_BUFFERS shader_stage=PIXEL bindings=[{buffer=$frame_cb size_bytes=128} "
               "{buffer=$object_cb size_bytes=80}]")
    scene.line("  SET_TEXTURE shader_stage=PIXEL slot=0 texture=$bricks; "
               "SET_SAMPLERS shader_stage=PIXEL samplers=[$linear]")
    scene.line("  SET_DEPTH_STENCIL_STATE state={depth_enable=1 depth_write_enable=1 depth_func=LESS}")
    scene.line("  SET_RASTERIZER_STATE state={cull_mode=BACK}")


def mesh_world(time):
    """The objects of the mesh scenes: mesh, world matrix, tint."""
    yield "ground", translation(0, -1.1, 0), [0.8, 0.85, 0.8, 1]
    yield "torus", multiply(translation(0, 0.45, 0), multiply(rotation_y(time), rotation_x(0.9))), [1, 1, 1, 1]
    for i in range(6):
        angle = time * 0.35 + i * math.pi / 3
        world = multiply(translation(2.7 * math.cos(angle), -0.6 + 0.25 * math.sin(2 * angle), 2.7 * math.sin(angle)),
                         multiply(rotation_y(-angle * 2), scaling(0.42, 0.42, 0.42)))
        tint = [0.65 + 0.35 * math.cos(i), 0.65 + 0.35 * math.cos(i + 2), 0.65 + 0.35 * math.cos(i + 4), 1]
        yield "cube", world, tint


def camera(time, height=2.5, target_height=0.0):
    angle = 0.6 + 0.12 * time
    eye = [6.2 * math.sin(angle), height, -6.2 * math.cos(angle)]
    view = look_at(eye, [0, target_height, 0])
    return eye, view, perspective(math.radians(45), WIDTH / HEIGHT, 0.1, 60)


LIGHT = normalized([-0.5, -1, 0.35])


def make_mesh(out):
    scene = Scene("textured, lit and fogged meshes", "Thirty frames: depth test, mip-mapped texture, constants per "
                  "frame and per object.")
    scene.shader("@mesh_vs", "demo_mesh.vs_4_0")
    scene.shader("@mesh_ps", "demo_mesh.ps_4_0")
    counts = mesh_objects(scene)
    scene.line()
    scene.line("submit context=1 fence=1 {")
    mesh_buffers(scene, counts)
    mesh_shaders(scene)
    brick_texture(scene, out / "textures")
    target(scene, "$colour", "RENDER_TARGET|SCANOUT", "B8G8R8A8_UNORM")
    target(scene, "$depth", "DEPTH_STENCIL", "D32_FLOAT")
    scene.line("}")
    fog_colour = [0.62, 0.70, 0.78]
    for frame in range(FRAMES):
        time = frame * 2 * math.pi / 180 * 2
        eye, view, projection = camera(time)
        scene.line(f"submit context=1 fence={frame + 2} flags=PRESENT {{")
        scene.line("  SET_RENDER_TARGETS color_count=1 depth_stencil=$depth colors=[$colour]")
        viewport(scene)
        scene.line(f"  CLEAR flags=COLOR|DEPTH color_rgba_f32=[{' '.join(map(number, fog_colour))} 1] depth_f32=1")
        bind_mesh(scene, (0.035, fog_colour), eye, multiply(projection, view), LIGHT)
        for mesh, world, tint in mesh_world(time):
            draw_mesh(scene, counts, mesh, world, tint)
        scene.line("  PRESENT")
        scene.line("}")
    scene.line(f"expect fence {FRAMES + 1}")
    scene.line(f"expect counter draws == {FRAMES * 8} ; expect counter pipelines == 1")
    scene.line("expect pixel 2 2 158 179 199 255 tol=1   # the fog's colour is the sky's")
    scene.write(out / "mesh.scene")


# ---- User interface ------------------------------------------------------------------------------------

class Batch:
    """Quads in pixel coordinates: position, uv, colour."""

    def __init__(self):
        self.vertices, self.indices = [], []

    def quad(self, x, y, w, h, uv, colour):
        first = len(self.vertices)
        u0, v0, u1, v1 = (c / ATLAS for c in uv)
        self.vertices += [[x, y, u0, v0, *colour], [x + w, y, u1, v0, *colour],
                          [x + w, y + h, u1, v1, *colour], [x, y + h, u0, v1, *colour]]
        self.indices += [first, first + 1, first + 2, first, first + 2, first + 3]

    def rectangle(self, x, y, w, h, colour):
        self.quad(x, y, w, h, (8, 72, 40, 104), colour)

    def disc(self, x, y, diameter, colour):
        self.quad(x, y, diameter, diameter, (64, 64, 112, 112), colour)

    def text(self, x, y, scale, colour, text):
        cells = atlas_cells()
        for letter in text.upper():
            if letter in cells:
                left, top = cells[letter]
                self.quad(x, y, 5 * scale, 7 * scale, (left, top, left + 5, top + 7), colour)
            x += 6 * scale
        return x


def make_ui(out):
    write_png(out / "textures" / "ui_atlas.png", ATLAS, ATLAS, ui_atlas())
    scene = Scene("user interface", "A 2D batch: alpha blending in three passes, scissored scrolling list.")
    back, panel, rows = Batch(), Batch(), Batch()
    for i in range(24):
        shade = 0.10 + 0.012 * i
        back.rectangle(0, i * HEIGHT / 24, WIDTH, HEIGHT / 24 + 1, [shade * 0.7, shade * 0.9, shade * 1.6, 1])
    for i in range(14):
        back.disc(40 + 71 * i % 460 - 30, 23 * i % 250 - 20, 50 + 13 * (i % 5), [0.35, 0.55, 1.0, 0.10])
    panel.rectangle(34, 30, 300, 214, [0, 0, 0, 0.35])
    panel.rectangle(28, 24, 300, 214, [0.13, 0.15, 0.20, 0.92])
    panel.rectangle(28, 24, 300, 26, [0.22, 0.40, 0.78, 1])
    panel.text(38, 30, 2, [1, 1, 1, 1], "AeroGPU settings")
    panel.disc(304, 28, 18, [0.95, 0.36, 0.32, 1])
    for i, (label, value) in enumerate((("Brightness", 0.75), ("Volume", 0.4), ("Detail", 0.9))):
        top = 62 + 26 * i
        panel.text(40, top, 2, [0.85, 0.88, 0.95, 1], label)
        panel.rectangle(176, top + 4, 130, 6, [0.30, 0.33, 0.40, 1])
        panel.rectangle(176, top + 4, 130 * value, 6, [0.35, 0.70, 1.0, 1])
        panel.disc(176 + 130 * value - 7, top, 14, [1, 1, 1, 1])
    panel.rectangle(40, 142, 276, 84, [0.07, 0.08, 0.11, 1])
    names = ["Triangle", "Constants", "Textures", "Depth test", "Alpha blend", "Instancing", "Shadows", "Terrain"]
    for i, name in enumerate(names):
        top = 132 + 18 * i
        rows.rectangle(40, top, 276, 17, [0.16, 0.30, 0.52, 1] if i == 3 else [1, 1, 1, 0.03 * (i % 2)])
        rows.text(48, top + 2, 2, [0.92, 0.94, 1, 1], name)
        rows.text(256, top + 2, 2, [0.55, 0.95, 0.60, 1], f"{97 - 11 * i}%")
    toast = Batch()
    toast.rectangle(348, 196, 116, 44, [0.10, 0.55, 0.30, 0.80])
    toast.text(358, 204, 2, [1, 1, 1, 1], "60 fps")
    toast.text(358, 222, 1, [0.85, 1, 0.88, 1], "vsync: on")
    for name, batch in (("back", back), ("panel", panel), ("rows", rows), ("toast", toast)):
        scene.blob_floats(f"@{name}_vertices", batch.vertices)
        scene.blob_integers(f"@{name}_indices", "u16", batch.indices)
    scene.shader("@ui_vs", "demo_ui.vs_4_0")
    scene.shader("@ui_ps", "demo_ui.ps_4_0")
    scene.line()
    scene.line("submit context=1 fence=1 flags=PRESENT {")
    for name, batch in (("back", back), ("panel", panel), ("rows", rows), ("toast", toast)):
        buffer(scene, f"${name}_vb", "VERTEX_BUFFER", 32 * len(batch.vertices), f"@{name}_vertices")
        buffer(scene, f"${name}_ib", "INDEX_BUFFER", 2 * len(batch.indices), f"@{name}_indices")
    buffer(scene, "$screen_cb", "CONSTANT_BUFFER", 16)
    scene.line("  CREATE_SHADER_DXBC shader_handle=$ui_vs stage=VERTEX : @ui_vs")
    scene.line("  CREATE_SHADER_DXBC shader_handle=$ui_ps stage=PIXEL : @ui_ps")
    scene.line("  CREATE_INPUT_LAYOUT input_layout_handle=$ui_layout : layout POSITION0 R32G32_FLOAT slot=0 offset=0 "
               "TEXCOORD0 R32G32_FLOAT slot=0 offset=8 COLOR0 R32G32B32A32_FLOAT slot=0 offset=16")
    scene.line(f"  CREATE_TEXTURE2D texture_handle=$atlas usage_flags=TEXTURE format=R8G8B8A8_UNORM "
               f"width={ATLAS} height={ATLAS} mip_levels=1 array_layers=1")
    scene.line('  UPLOAD_RESOURCE resource_handle=$atlas : png "textures/ui_atlas.png"')
    scene.line("  CREATE_SAMPLER sampler_handle=$nearest filter=NEAREST")
    scene.line("  CREATE_SAMPLER sampler_handle=$smooth filter=LINEAR")
    target(scene, "$colour", "RENDER_TARGET|SCANOUT", "B8G8R8X8_UNORM")
    scene.line("  SET_RENDER_TARGETS color_count=1 colors=[$colour]")
    viewport(scene)
    scene.line("  CLEAR flags=COLOR color_rgba_f32=[0 0 0 1]")
    scene.floats("  UPLOAD_RESOURCE resource_handle=$screen_cb", [2 / WIDTH, 2 / HEIGHT, 0, 0])
    scene.line("  BIND_SHADERS vs=$ui_vs ps=$ui_ps; SET_INPUT_LAYOUT input_layout_handle=$ui_layout; "
               "SET_PRIMITIVE_TOPOLOGY topology=TRIANGLELIST")
    scene.line("  SET_CONSTANT_BUFFERS shader_stage=VERTEX bindings=[{buffer=$screen_cb size_bytes=16}]")
    scene.line("  SET_TEXTURE shader_stage=PIXEL slot=0 texture=$atlas")
    scene.line("  SET_BLEND_STATE state={enable=1 src_factor=SRC_ALPHA dst_factor=INV_SRC_ALPHA color_write_mask=15 "
               "src_factor_alpha=ONE dst_factor_alpha=INV_SRC_ALPHA sample_mask=0xFFFFFFFF}")
    scene.line("  SET_DEPTH_STENCIL_STATE")

    def draw(name, batch, sampler):
        scene.line(f"  SET_SAMPLERS shader_stage=PIXEL samplers=[{sampler}]; "
                   f"SET_VERTEX_BUFFERS bindings=[{{buffer=${name}_vb stride_bytes=32}}]; "
                   f"SET_INDEX_BUFFER buffer=${name}_ib format=UINT16; "
                   f"DRAW_INDEXED index_count={len(batch.indices)} instance_count=1")

    scene.line("  SET_RASTERIZER_STATE state={cull_mode=NONE}")
    draw("back", back, "$smooth")
    draw("panel", panel, "$nearest")
    scene.line("  SET_RASTERIZER_STATE state={cull_mode=NONE scissor_enable=1}; "
               "SET_SCISSOR x=40 y=142 width=276 height=84")
    draw("rows", rows, "$nearest")
    scene.line("  SET_RASTERIZER_STATE state={cull_mode=NONE}")
    draw("toast", toast, "$nearest")
    scene.line("  PRESENT")
    scene.line("}")
    scene.line("expect fence 1 ; expect counter draws == 4")
    scene.line("expect pixel 180 30 56 102 199 255 tol=8   # title bar")
    scene.write(out / "ui.scene")


# ---- Instances -----------------------------------------------------------------------------------------

def make_instances(out):
    scene = Scene("one hundred instances", "One draw: a 3x4 matrix and a packed colour per instance, moved by "
                  "SV_InstanceID.")
    vertices, indices = cube()
    scene.blob_floats("@cube_vertices", [v[:6] for v in vertices])
    scene.blob_integers("@cube_indices", "u16", indices)
    words = []
    for i in range(100):
        x, z = i % 10 - 4.5, i // 10 - 4.5
        m = multiply(translation(1.35 * x, 0, 1.35 * z), multiply(rotation_y(0.17 * i), scaling(0.45, 0.45, 0.45)))
        red, green, blue = (round(127 + 120 * math.sin(0.31 * i + phase)) for phase in (0, 2.1, 4.2))
        for value in m[0] + m[1] + m[2]:
            words.append("0x%08X" % struct.unpack("<I", struct.pack("<f", value))[0])
        words.append("0x%08X" % (red | green << 8 | blue << 16 | 0xFF000000))
    scene.line("blob @instances : u32 " + " ".join(words))
    scene.shader("@vs", "demo_instances.vs_4_0")
    scene.shader("@ps", "demo_instances.ps_4_0")
    eye = [8.5, 8, -11.5]
    view_projection = multiply(perspective(math.radians(42), WIDTH / HEIGHT, 0.1, 60), look_at(eye, [0, -0.6, 0]))
    scene.line()
    scene.line("submit context=1 fence=1 flags=PRESENT {")
    buffer(scene, "$cube_vb", "VERTEX_BUFFER", 24 * len(vertices), "@cube_vertices")
    buffer(scene, "$cube_ib", "INDEX_BUFFER", 2 * len(indices), "@cube_indices")
    buffer(scene, "$instance_vb", "VERTEX_BUFFER", 52 * 100, "@instances")
    buffer(scene, "$frame_cb", "CONSTANT_BUFFER", 80)
    scene.floats("  UPLOAD_RESOURCE resource_handle=$frame_cb", registers(view_projection) + normalized([-0.35, -0.85, 0.6]) + [1.3])
    scene.line("  CREATE_SHADER_DXBC shader_handle=$vs stage=VERTEX : @vs")
    scene.line("  CREATE_SHADER_DXBC shader_handle=$ps stage=PIXEL : @ps")
    rows = " ".join(f"INSTANCE{i} {'R32_UINT' if i == 3 else 'R32G32B32A32_FLOAT'} slot=1 offset={16 * i} "
                    f"slot_class=1 step_rate=1" for i in range(4))
    scene.line("  CREATE_INPUT_LAYOUT input_layout_handle=$layout : layout POSITION0 R32G32B32_FLOAT slot=0 offset=0 "
               f"NORMAL0 R32G32B32_FLOAT slot=0 offset=12 {rows}")
    target(scene, "$colour", "RENDER_TARGET|SCANOUT", "B8G8R8A8_UNORM")
    target(scene, "$depth", "DEPTH_STENCIL", "D24_UNORM_S8_UINT")
    scene.line("  SET_RENDER_TARGETS color_count=1 depth_stencil=$depth colors=[$colour]")
    viewport(scene)
    scene.line("  CLEAR flags=COLOR|DEPTH color_rgba_f32=[0.07 0.08 0.11 1] depth_f32=1")
    scene.line("  BIND_SHADERS vs=$vs ps=$ps; SET_INPUT_LAYOUT input_layout_handle=$layout; "
               "SET_PRIMITIVE_TOPOLOGY topology=TRIANGLELIST")
    scene.line("  SET_VERTEX_BUFFERS bindings=[{buffer=$cube_vb stride_bytes=24} "
               "{buffer=$instance_vb stride_bytes=52}]; SET_INDEX_BUFFER buffer=$cube_ib format=UINT16")
    scene.line("  SET_CONSTANT_BUFFERS shader_stage=VERTEX bindings=[{buffer=$frame_cb size_bytes=80}]")
    scene.line("  SET_CONSTANT_BUFFERS shader_stage=PIXEL bindings=[{buffer=$frame_cb size_bytes=80}]")
    scene.line("  SET_DEPTH_STENCIL_STATE state={depth_enable=1 depth_write_enable=1 depth_func=LESS}")
    scene.line("  SET_RASTERIZER_STATE state={cull_mode=BACK}")
    scene.line(f"  DRAW_INDEXED index_count={len(indices)} instance_count=100")
    scene.line("  PRESENT")
    scene.line("}")
    scene.line("expect fence 1 ; expect counter draws == 1")
    scene.line("expect pixel 2 2 18 20 28 255 tol=1   # the clear colour shows in the corner")
    scene.write(out / "instances.scene")


# ---- Post-processing -----------------------------------------------------------------------------------

def make_post(out):
    scene = Scene("sky, meshes and a post-processing pass", "Two passes: a render target of the first is sampled "
                  "by the second, which needs no vertex buffer.")
    for name in ("mesh", "post"):
        scene.shader(f"@{name}_vs", f"demo_{name}.vs_4_0")
        scene.shader(f"@{name}_ps", f"demo_{name}.ps_4_0")
    scene.shader("@sky_ps", "demo_sky.ps_4_0")
    counts = mesh_objects(scene)
    time = 1.0
    eye, view, projection = camera(time, height=0.9, target_height=1.15)
    scene.line()
    scene.line("submit context=1 fence=1 flags=PRESENT {")
    mesh_buffers(scene, counts)
    mesh_shaders(scene)
    brick_texture(scene, out / "textures")
    scene.line("  CREATE_SHADER_DXBC shader_handle=$post_vs stage=VERTEX : @post_vs")
    scene.line("  CREATE_SHADER_DXBC shader_handle=$post_ps stage=PIXEL : @post_ps")
    scene.line("  CREATE_SHADER_DXBC shader_handle=$sky_ps stage=PIXEL : @sky_ps")
    scene.line("  CREATE_SAMPLER sampler_handle=$clamp filter=LINEAR")
    buffer(scene, "$sky_cb", "CONSTANT_BUFFER", 112)
    buffer(scene, "$post_cb", "CONSTANT_BUFFER", 32)
    target(scene, "$scene", "RENDER_TARGET|TEXTURE", "R8G8B8A8_UNORM")
    target(scene, "$depth", "DEPTH_STENCIL", "D32_FLOAT")
    target(scene, "$back", "RENDER_TARGET|SCANOUT", "B8G8R8A8_UNORM")
    sun = normalized([0.95, -0.42, -0.75])
    rotation_only = [row[:3] + [0] for row in view[:3]] + [[0, 0, 0, 1]]
    scene.floats("  UPLOAD_RESOURCE resource_handle=$sky_cb",
                 registers(inverse(multiply(projection, rotation_only))) + sun + [3.0] +
                 [0.18, 0.36, 0.72, 0.52] + [0.74, 0.80, 0.86, 0.30])
    scene.floats("  UPLOAD_RESOURCE resource_handle=$post_cb",
                 [1 / WIDTH, 1 / HEIGHT, 0.75, 1.0, 0.85, 0.8, 0, 0])
    scene.line("  SET_RENDER_TARGETS color_count=1 depth_stencil=$depth colors=[$scene]")
    viewport(scene)
    scene.line("  CLEAR flags=COLOR|DEPTH color_rgba_f32=[0 0 0 1] depth_f32=1")
    scene.line("  BIND_SHADERS vs=$post_vs ps=$sky_ps; SET_INPUT_LAYOUT; SET_DEPTH_STENCIL_STATE; "
               "SET_RASTERIZER_STATE state={cull_mode=NONE}")
    scene.line("  SET_CONSTANT_BUFFERS shader_stage=PIXEL bindings=[{buffer=$sky_cb size_bytes=112}]")
    scene.line("  DRAW vertex_count=3 instance_count=1")
    bind_mesh(scene, (0.02, [0.74, 0.80, 0.86]), eye, multiply(projection, view), LIGHT)
    for mesh, world, tint in mesh_world(time):
        draw_mesh(scene, counts, mesh, world, tint)
    scene.line("  SET_RENDER_TARGETS color_count=1 colors=[$back]")
    scene.line("  BIND_SHADERS vs=$post_vs ps=$post_ps; SET_INPUT_LAYOUT; SET_DEPTH_STENCIL_STATE; "
               "SET_RASTERIZER_STATE state={cull_mode=NONE}")
    scene.line("  SET_TEXTURE shader_stage=PIXEL slot=0 texture=$scene; SET_SAMPLERS shader_stage=PIXEL "
               "samplers=[$clamp]")
    scene.line("  SET_CONSTANT_BUFFERS shader_stage=PIXEL bindings=[{buffer=$post_cb size_bytes=32}]")
    scene.line("  DRAW vertex_count=3 instance_count=1")
    scene.line("  PRESENT")
    scene.line("}")
    scene.line("expect fence 1 ; expect counter draws == 10 ; expect counter render_passes == 2")
    scene.write(out / "post.scene")


# ---- Hills ---------------------------------------------------------------------------------------------

HILL_FRAMES = 8
STAGES = {"vs": "VERTEX", "hs": "HULL", "ds": "DOMAIN", "gs": "GEOMETRY", "ps": "PIXEL"}


def nearest_spark(sparks, time, view_projection):
    """The pixel of the nearest spark that is well inside the picture."""
    seen = []
    for x, y, z, phase in sparks:
        point = [x + 0.3 * math.sin(time + phase), y + 0.2 * math.sin(1.3 * time + phase),
                 z + 0.3 * math.sin(0.7 * time + phase), 1]
        clip = [dot(row, point) for row in view_projection]
        across, down = (clip[0] / clip[3] + 1) / 2 * WIDTH, (1 - clip[1] / clip[3]) / 2 * HEIGHT
        if 16 < across < WIDTH - 16 and 16 < down < HEIGHT - 16:
            seen.append((clip[3], int(across), int(down)))
    return min(seen)[1:]


def make_hills(out):
    scene = Scene("tessellated hills and billboards", "Quad patches, divided by their distance to the eye and lifted "
                  "by the domain shader; one geometry shader\n# outlines the triangles, another one makes squares of "
                  "points.")
    shaders = [("hills", stage) for stage in STAGES] + [("sparks", stage) for stage in ("vs", "gs", "ps")]
    for name, stage in shaders:
        scene.listing(f"@{name}_{stage}", out / "shaders" / f"demo_{name}.{stage}_5_0.asm")
    scene.shader("@post_vs", "demo_post.vs_4_0")
    scene.shader("@sky_ps", "demo_sky.ps_4_0")
    side, count = 4.0, 6
    corners = []
    for row in range(count):
        for column in range(count):
            x, z = (column - count / 2) * side, row * side - 2
            corners += [[x, z], [x + side, z], [x, z + side], [x + side, z + side]]
    scene.blob_floats("@corners", corners)
    sparks = [[9 * noise(i, 1) - 4.5, 0.9 + 1.5 * noise(i, 2), 1 + 9 * noise(i, 3), 2 * math.pi * noise(i, 4)]
              for i in range(64)]
    scene.blob_floats("@points", sparks)
    scene.line()
    scene.line("submit context=1 fence=1 {")
    buffer(scene, "$corners", "VERTEX_BUFFER", 8 * len(corners), "@corners")
    buffer(scene, "$points", "VERTEX_BUFFER", 16 * len(sparks), "@points")
    buffer(scene, "$frame_cb", "CONSTANT_BUFFER", 128)
    buffer(scene, "$sky_cb", "CONSTANT_BUFFER", 112)
    for name, stage in shaders:
        scene.line(f"  CREATE_SHADER_DXBC shader_handle=${name}_{stage} stage={STAGES[stage]} : @{name}_{stage}")
    scene.line("  CREATE_SHADER_DXBC shader_handle=$post_vs stage=VERTEX : @post_vs")
    scene.line("  CREATE_SHADER_DXBC shader_handle=$sky_ps stage=PIXEL : @sky_ps")
    scene.line("  CREATE_INPUT_LAYOUT input_layout_handle=$corner_layout : layout POSITION0 R32G32_FLOAT slot=0 offset=0")
    scene.line("  CREATE_INPUT_LAYOUT input_layout_handle=$point_layout : layout POSITION0 R32G32B32A32_FLOAT slot=0 "
               "offset=0")
    target(scene, "$colour", "RENDER_TARGET|SCANOUT", "B8G8R8A8_UNORM")
    target(scene, "$depth", "DEPTH_STENCIL", "D32_FLOAT")
    scene.line("  SET_RENDER_TARGETS color_count=1 depth_stencil=$depth colors=[$colour]")
    viewport(scene)
    for stage in ("vs", "hs", "ds", "gs"):
        scene.line(f"  SET_CONSTANT_BUFFERS shader_stage={STAGES[stage]} "
                   "bindings=[{buffer=$frame_cb size_bytes=128}]")
    scene.line("}")
    horizon = [0.80, 0.52, 0.46]
    sun = normalized([0.45, -0.30, -1])
    projection = perspective(math.radians(50), WIDTH / HEIGHT, 0.1, 60)
    for frame in range(HILL_FRAMES):
        time = frame / HILL_FRAMES * 2 * math.pi
        eye = [0.5 * math.sin(time), 2.3, -3.2 + 0.5 * math.cos(time)]
        view = look_at(eye, [0, 0.75, 4])
        rotation_only = [row[:3] + [0] for row in view[:3]] + [[0, 0, 0, 1]]
        scene.line(f"submit context=1 fence={frame + 2} flags=PRESENT {{")
        scene.line("  CLEAR flags=DEPTH depth_f32=1")
        scene.floats("  UPLOAD_RESOURCE resource_handle=$frame_cb",
                     registers(multiply(projection, view)) + eye + [time] + [-c for c in sun] + [56] +
                     horizon + [0.006] + [0.16 * projection[0][0], 0.16 * projection[1][1], 0, 0])
        scene.floats("  UPLOAD_RESOURCE resource_handle=$sky_cb",
                     registers(inverse(multiply(projection, rotation_only))) + sun + [time] +
                     [0.10, 0.12, 0.34, 0.42] + horizon + [0.35])
        scene.line("  BIND_SHADERS vs=$post_vs ps=$sky_ps; SET_INPUT_LAYOUT; SET_DEPTH_STENCIL_STATE; "
                   "SET_BLEND_STATE state={color_write_mask=15 sample_mask=0xFFFFFFFF}; "
                   "SET_RASTERIZER_STATE state={cull_mode=NONE}; SET_PRIMITIVE_TOPOLOGY topology=TRIANGLELIST")
        scene.line("  SET_CONSTANT_BUFFERS shader_stage=PIXEL bindings=[{buffer=$sky_cb size_bytes=112}]")
        scene.line("  DRAW vertex_count=3 instance_count=1")
        scene.line("  BIND_SHADERS vs=$hills_vs hs=$hills_hs ds=$hills_ds gs=$hills_gs ps=$hills_ps; "
                   "SET_INPUT_LAYOUT input_layout_handle=$corner_layout; SET_PRIMITIVE_TOPOLOGY topology=PATCHLIST_4")
        scene.line("  SET_CONSTANT_BUFFERS shader_stage=PIXEL bindings=[{buffer=$frame_cb size_bytes=128}]")
        scene.line("  SET_DEPTH_STENCIL_STATE state={depth_enable=1 depth_write_enable=1 depth_func=LESS}; "
                   "SET_RASTERIZER_STATE state={cull_mode=BACK}")
        scene.line("  SET_VERTEX_BUFFERS bindings=[{buffer=$corners stride_bytes=8}]; "
                   f"DRAW vertex_count={len(corners)} instance_count=1")
        scene.line("  BIND_SHADERS vs=$sparks_vs gs=$sparks_gs ps=$sparks_ps; "
                   "SET_INPUT_LAYOUT input_layout_handle=$point_layout; SET_PRIMITIVE_TOPOLOGY topology=POINTLIST")
        scene.line("  SET_DEPTH_STENCIL_STATE state={depth_enable=1 depth_func=LESS}; SET_BLEND_STATE state={enable=1 "
                   "src_factor=ONE dst_factor=ONE color_write_mask=15 src_factor_alpha=ONE dst_factor_alpha=ZERO "
                   "sample_mask=0xFFFFFFFF}")
        scene.line("  SET_VERTEX_BUFFERS bindings=[{buffer=$points stride_bytes=16}]; "
                   f"DRAW vertex_count={len(sparks)} instance_count=1")
        scene.line("  PRESENT")
        scene.line("}")
    scene.line(f"expect fence {HILL_FRAMES + 1} ; expect counter draws == {HILL_FRAMES * 3}")
    x, y = nearest_spark(sparks, time, multiply(projection, view))
    scene.line(f"expect pixel {x} {y} 255 255 255 255 tol=1   # the core of the nearest spark")
    sky = " ".join(str(round(255 * c)) for c in horizon)
    scene.line(f"expect count {sky} 255 < {WIDTH * HEIGHT // 20}   # below the horizon are hills")
    scene.write(out / "hills.scene")


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
    (out / "textures").mkdir(parents=True, exist_ok=True)
    for make in (make_mesh, make_ui, make_instances, make_post, make_hills):
        make(out)


if __name__ == "__main__":
    main()
