// SPDX-License-Identifier: MIT
//
// Replaces some bytes of one texel or block.

struct Merge { bytes: vec4<u32>, mask: vec4<u32>, shift: vec4<u32>, bits: vec4<u32>, kind: u32 }
@group(0) @binding(0) var<uniform> merge: Merge;
@group(0) @binding(1) var<storage, read_write> unit: array<u32, 4>;

fn mixed(old: u32, word: u32) -> u32 {
    return (old & ~merge.mask[word]) | (merge.bytes[word] & merge.mask[word]);
}
fn merge_packed() {
    var old = 0u;
    for (var c = 0u; c < 4u; c++) {
        let most = (1u << merge.bits[c]) - 1u;
        let narrow = (extractBits(unit[0], 8u * c, 8u) * most + 127u) / 255u;
        let exact = u32(bitcast<f32>(unit[c]) * f32(most) + 0.5);
        old |= select(exact, narrow, merge.kind == 2u) << merge.shift[c];
    }
    let v = mixed(old, 0u);
    var host = 0u;
    for (var c = 0u; c < 4u; c++) {
        let most = (1u << merge.bits[c]) - 1u;
        let value = select(extractBits(v, merge.shift[c], merge.bits[c]), 1u, most == 0u);
        let whole = max(most, 1u);
        host |= ((value * 255u + whole / 2u) / whole) << (8u * c);
        if (merge.kind == 3u) { unit[c] = bitcast<u32>(normalized(i32(value), i32(whole))); }
    }
    if (merge.kind == 2u) { unit[0] = host; }
}
@compute @workgroup_size(1)
fn main() {
    if (merge.kind >= 2u) {
        merge_packed();
        return;
    }
    for (var word = 0u; word < 4u; word++) { unit[word] = mixed(unit[word], word); }
    if (merge.kind == 1u) { unit[0] |= 0xFF000000u; }
}
