// SPDX-License-Identifier: MIT
//
// Converts UNORM and SNORM components of 8 and 16 bits to floats and back, and packed floats of 11, 11 and 10 bits
// to halves, which have the same exponents, and back, towards zero. Adds a fourth component, which is 1, to three of 32 bits,
// and drops it.

struct Codec { components: u32, height: u32, bits: u32, number: u32, from_pitch: u32, to_pitch: u32,
    row_words: u32 }
@group(0) @binding(0) var<uniform> codec: Codec;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(64)
fn expand(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let row = number / codec.components;
    if (row >= codec.height) { return; }
    let component = number % codec.components;
    let bit = component * codec.bits;
    let value = (source[row * codec.from_pitch + bit / 32u] >> (bit % 32u)) & ((1u << codec.bits) - 1u);
    result[row * codec.to_pitch + component] = number_of(value, codec.bits, codec.number);
}

@compute @workgroup_size(64)
fn pack(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let row = number / codec.row_words;
    if (row >= codec.height) { return; }
    let word = number % codec.row_words;
    let each = 32u / codec.bits;
    var value = 0u;
    for (var i = 0u; i < each; i++) {
        let component = word * each + i;
        if (component < codec.components) {
            value |=
                packed_number(source[row * codec.from_pitch + component], codec.bits, codec.number) << (i * codec.bits);
        }
    }
    result[row * codec.to_pitch + word] = value;
}

@compute @workgroup_size(64)
fn expand_packed(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let row = number / codec.components;
    if (row >= codec.height) { return; }
    let texel = number % codec.components;
    let word = source[row * codec.from_pitch + texel];
    let place = row * codec.to_pitch + 2u * texel;
    result[place] = ((word & 0x7FFu) << 4u) | (((word >> 11u) & 0x7FFu) << 20u);
    result[place + 1u] = ((word >> 22u) << 5u) | 0x3C000000u;
}

// The upper bits of a half. Negative numbers are 0, and a NaN stays one (D3D11.3 3.2.2).
fn packed_half(half: u32, lost: u32) -> u32 {
    if ((half & 0x7FFFu) > 0x7C00u) { return 0x7E00u >> lost; }
    return select(half >> lost, 0u, (half & 0x8000u) != 0u);
}

@compute @workgroup_size(64)
fn pack_packed(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let row = number / codec.components;
    if (row >= codec.height) { return; }
    let texel = number % codec.components;
    let place = row * codec.from_pitch + 2u * texel;
    let xy = source[place];
    let z = source[place + 1u] & 0xFFFFu;
    result[row * codec.to_pitch + texel] =
        packed_half(xy & 0xFFFFu, 4u) | (packed_half(xy >> 16u, 4u) << 11u) | (packed_half(z, 5u) << 22u);
}

// Components are texels here.
@compute @workgroup_size(64)
fn expand_three(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let row = number / codec.components;
    if (row >= codec.height) { return; }
    let texel = number % codec.components;
    let first = row * codec.from_pitch + 3u * texel;
    let place = row * codec.to_pitch + 4u * texel;
    for (var c = 0u; c < 3u; c++) { result[place + c] = source[first + c]; }
    result[place + 3u] = select(1u, 0x3F800000u, codec.number == 0u);
}

@compute @workgroup_size(64)
fn pack_three(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let row = number / codec.row_words;
    if (row >= codec.height) { return; }
    let word = number % codec.row_words;
    result[row * codec.to_pitch + word] = source[row * codec.from_pitch + word / 3u * 4u + word % 3u];
}
