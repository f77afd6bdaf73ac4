// SPDX-License-Identifier: MIT
//
// Converts a plane of depth or stencil to texels of a colour format.

struct Plane { width: u32, rows: u32, from_pitch: u32, to_pitch: u32, stencil: u32 }
@group(0) @binding(0) var<uniform> plane: Plane;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

fn stencil_at(row: u32, x: u32) -> u32 {
    return extractBits(source[row * plane.from_pitch + (x >> 2u)], 8u * (x & 3u), 8u);
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let row = number / plane.width;
    let x = number % plane.width;
    if (row >= plane.rows) { return; }
    if (plane.stencil != 0u) {
        if ((x & 1u) != 0u) { return; }
        result[row * plane.to_pitch + (x >> 1u)] =
            (stencil_at(row, x) << 8u) | (stencil_at(row, x + 1u) << 24u);
        return;
    }
    let raw = extractBits(source[row * plane.from_pitch + (x >> 1u)], 16u * (x & 1u), 16u);
    result[row * plane.to_pitch + x] = bitcast<u32>(normalized(i32(raw), 65535));
}
