// SPDX-License-Identifier: MIT
//
// Unpacks texels of any format to four words each, and packs them again.

struct Texels {
    shift: vec4<u32>, bits: vec4<u32>, values: vec4<u32>, window: vec4<u32>,
    width: u32, rows: u32, slices: u32, number: u32,
    bytes: u32, row_pitch: u32, slice_pitch: u32, first_byte: u32,
    row_words: u32, one: u32, filled: u32, as_bits: u32,
    norm_bits: u32, words: u32,
}
@group(0) @binding(0) var<uniform> texels: Texels;
@group(0) @binding(1) var<storage, read_write> bytes: array<u32>;
@group(0) @binding(2) var<storage, read_write> wide: array<u32>;

fn encode_number(value: u32, bits: u32) -> u32 {
    if (texels.as_bits != 0u) { return value & (0xFFFFFFFFu >> (32u - bits)); }
    return packed_number(value, bits, texels.number);
}
// A UNORM or SNORM component that is packed as a float is rounded to a value that the guest's bits can have.
fn encode(value: u32, bits: u32) -> u32 {
    if (texels.norm_bits == 0u) { return encode_number(value, bits); }
    return number_of(encode_number(value, texels.norm_bits), texels.norm_bits, texels.number);
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
    for (var c = 0u; c < texels.words; c++) {
        let bits = texels.bits[c];
        var value = select(0u, texels.one, c == 3u);
        if (bits != 0u) {
            let shift = texels.shift[c];
            let word = bytes[(address >> 2u) + (shift >> 5u)];
            value = extractBits(word, (shift & 31u) + 8u * (address & 3u), bits);
            if (texels.norm_bits == 0u) { value = number_of(value, bits, texels.number); }
        }
        wide[texel * texels.words + c] = value;
    }
}

fn encode_word(texel: u32, word: u32) -> u32 {
    var result = 0u;
    for (var c = 0u; c < 4u; c++) {
        let bits = texels.bits[c];
        let shift = texels.shift[c];
        if (bits == 0u || (shift >> 5u) != word) { continue; }
        var value = texels.values[c];
        if (texels.filled == 0u) { value = wide[texel * texels.words + c]; }
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
