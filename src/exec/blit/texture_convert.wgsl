// SPDX-License-Identifier: MIT
//
// Converts the texels of a 16-bit format between RGBA8 and floats.

struct Convert { bits: vec4<u32>, width: u32, height: u32, from_pitch: u32, to_pitch: u32, widens: u32 }
@group(0) @binding(0) var<uniform> convert: Convert;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let x = number % convert.width;
    let y = number / convert.width;
    if (y >= convert.height) { return; }
    let most = max((vec4<u32>(1u) << convert.bits) - 1u, vec4<u32>(1u));
    if (convert.widens != 0u) {
        let host = source[y * convert.from_pitch + x];
        let bytes = (vec4<u32>(host) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u);
        let value = (bytes * most + 127u) / 255u;
        for (var c = 0u; c < 4u; c++) {
            result[y * convert.to_pitch + x * 4u + c] =
                bitcast<u32>(normalized(i32(value[c]), i32(most[c])));
        }
        return;
    }
    var host = 0u;
    for (var c = 0u; c < 4u; c++) {
        let exact = bitcast<f32>(source[y * convert.from_pitch + x * 4u + c]);
        let value = u32(exact * f32(most[c]) + 0.5);
        host |= ((value * 255u + most[c] / 2u) / most[c]) << (8u * c);
    }
    result[y * convert.to_pitch + x] = host;
}
