// SPDX-License-Identifier: MIT
//
// Texels of any format, packed, and as shaders see them: four words each.

struct Texels {
    shift: vec4<u32>, bits: vec4<u32>, values: vec4<u32>, window: vec4<u32>,
    width: u32, rows: u32, slices: u32, number: u32,
    bytes: u32, row_pitch: u32, slice_pitch: u32, first_byte: u32,
    row_words: u32, one: u32, filled: u32, as_bits: u32,
    norm_bits: u32,
}
@group(0) @binding(0) var<uniform> texels: Texels;
@group(0) @binding(1) var<storage, read_write> bytes: array<u32>;
@group(0) @binding(2) var<storage, read_write> wide: array<u32>;

fn float_of(raw: u32, bits: u32) -> u32 {
    let mantissa_bits = select(bits - 5u, 10u, bits == 16u);
    let sign = select(0u, (raw & 0x8000u) << 16u, bits == 16u);
    let mantissa = extractBits(raw, 0u, mantissa_bits);
    let exponent = extractBits(raw, mantissa_bits, 5u);
    if (exponent == 31u) { return sign | 0x7F800000u | (mantissa << (23u - mantissa_bits)); }
    if (exponent == 0u) {
        let step = bitcast<f32>((113u - mantissa_bits) << 23u);
        return sign | bitcast<u32>(f32(mantissa) * step);
    }
    return sign | ((exponent + 112u) << 23u) | (mantissa << (23u - mantissa_bits));
}
// The ends are exact (D3D11.3 3.2.3.5): drivers divide to within a few units in the last place.
fn normalized(value: i32, whole: i32) -> f32 {
    return select(select(f32(value) / f32(whole), 1.0, value == whole), -1.0, value <= -whole);
}
fn decode(raw: u32, bits: u32) -> u32 {
    let extended = bitcast<i32>(raw << (32u - bits)) >> (32u - bits);
    switch (texels.number) {
        case 0u: { if (bits == 32u) { return raw; } return float_of(raw, bits); }
        case 1u: { return bitcast<u32>(normalized(i32(raw), i32((1u << bits) - 1u))); }
        case 2u: { return bitcast<u32>(normalized(extended, i32((1u << (bits - 1u)) - 1u))); }
        case 4u: { return bitcast<u32>(extended); }
        default: { return raw; }
    }
}

// Towards zero; of those without a sign, what is negative is 0 (D3D11.3 3.2.2).
fn small_float(value: u32, bits: u32) -> u32 {
    let mantissa_bits = select(bits - 5u, 10u, bits == 16u);
    let sign = select(0u, (value >> 16u) & 0x8000u, bits == 16u);
    let size = value & 0x7FFFFFFFu;
    let infinity = 31u << mantissa_bits;
    if (size > 0x7F800000u) { return sign | infinity | (1u << (mantissa_bits - 1u)); }
    if (bits != 16u && value != size) { return 0u; }
    if (size == 0x7F800000u) { return sign | infinity; }
    let exponent = size >> 23u;
    if (exponent >= 143u) { return sign | (infinity - 1u); }
    let rest = 23u - mantissa_bits;
    if (exponent >= 113u) {
        return sign | ((exponent - 112u) << mantissa_bits) | ((size & 0x7FFFFFu) >> rest);
    }
    let lost = 113u - exponent + rest;
    if (lost > 24u) { return sign; }
    return sign | (((size & 0x7FFFFFu) | 0x800000u) >> lost);
}
fn normalised(value: u32, least: f32) -> f32 {
    if ((value & 0x7FFFFFFFu) > 0x7F800000u) { return 0.0; }
    return clamp(bitcast<f32>(value), least, 1.0);
}
fn encode_number(value: u32, bits: u32) -> u32 {
    let mask = 0xFFFFFFFFu >> (32u - bits);
    if (texels.as_bits != 0u) { return value & mask; }
    switch (texels.number) {
        case 0u: { if (bits == 32u) { return value; } return small_float(value, bits); }
        case 1u: { return u32(normalised(value, 0.0) * f32(mask) + 0.5); }
        case 2u: {
            let scaled = normalised(value, -1.0) * f32(mask >> 1u);
            return bitcast<u32>(i32(scaled + select(0.5, -0.5, scaled < 0.0))) & mask;
        }
        case 3u: { return min(value, mask); }
        case 4u: {
            let most = bitcast<i32>(mask >> 1u);
            return bitcast<u32>(clamp(bitcast<i32>(value), -most - 1, most)) & mask;
        }
        default: { return value; }
    }
}
// Normalised numbers that are packed as floats are those that their own bits would have been.
fn encode(value: u32, bits: u32) -> u32 {
    if (texels.norm_bits == 0u) { return encode_number(value, bits); }
    return decode(encode_number(value, texels.norm_bits), texels.norm_bits);
}

fn row_start(row: u32, slice: u32) -> u32 {
    return texels.first_byte + slice * texels.slice_pitch + row * texels.row_pitch;
}
@compute @workgroup_size(64)
fn unpack(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let texel = id.x + id.y * (groups.x * 64u);
    let row = texel / texels.width;
    let slice = row / texels.rows;
    if (slice >= texels.slices) { return; }
    let address = row_start(row % texels.rows, slice) + (texel % texels.width) * texels.bytes;
    for (var c = 0u; c < 4u; c++) {
        let bits = texels.bits[c];
        var value = select(0u, texels.one, c == 3u);
        if (bits != 0u) {
            let shift = texels.shift[c];
            let word = bytes[(address >> 2u) + (shift >> 5u)];
            value = extractBits(word, (shift & 31u) + 8u * (address & 3u), bits);
            if (texels.norm_bits == 0u) { value = decode(value, bits); }
        }
        wide[texel * 4u + c] = value;
    }
}

fn encode_word(texel: u32, word: u32) -> u32 {
    var result = 0u;
    for (var c = 0u; c < 4u; c++) {
        let bits = texels.bits[c];
        let shift = texels.shift[c];
        if (bits == 0u || (shift >> 5u) != word) { continue; }
        var value = texels.values[c];
        if (texels.filled == 0u) { value = wide[texel * 4u + c]; }
        result |= encode(value, bits) << (shift & 31u);
    }
    return result;
}
@compute @workgroup_size(64)
fn pack(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let word = number % texels.row_words;
    let row = (number / texels.row_words) % texels.rows;
    let slice = number / texels.row_words / texels.rows;
    if (slice >= texels.slices || row < texels.window.y || row >= texels.window.w) { return; }
    let start = row_start(row, slice);
    let first = (slice * texels.rows + row) * texels.width;
    let at = (start >> 2u) + word;
    let size = min(texels.bytes, 4u);
    var result = bytes[at];
    for (var byte = 0u; byte < 4u; byte += size) {
        let address = at * 4u + byte;
        if (address < start) { continue; }
        let x = (address - start) / texels.bytes;
        if (x < texels.window.x || x >= texels.window.z) { continue; }
        let part = encode_word(first + x, ((address - start) % texels.bytes) >> 2u);
        result = insertBits(result, part, 8u * byte, 8u * size);
    }
    bytes[at] = result;
}
