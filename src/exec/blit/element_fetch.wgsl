// SPDX-License-Identifier: MIT
//
// Reads elements of a buffer in any format and writes each as four words.

struct Element {
    shift: vec4<u32>, bits: vec4<u32>,
    first: u32, count: u32, rate: u32, base: u32,
    stride: u32, limit: u32, bytes: u32, number: u32,
    out_first: u32, out_stride: u32, one: u32, numbered: u32,
    origin: u32,
}
@group(0) @binding(0) var<uniform> element: Element;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> entries: array<u32>;
@group(0) @binding(3) var<storage, read> vertices: array<u32>;

fn word_at(address: u32) -> u32 {
    let shift = (address & 3u) * 8u;
    let low = source[address >> 2u];
    if (shift == 0u) { return low; }
    return (low >> shift) | (source[(address >> 2u) + 1u] << (32u - shift));
}

@compute @workgroup_size(64)
fn pull(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let entry = id.x + id.y * (groups.x * 64u);
    if (entry >= select(element.count, vertices[0], element.numbered != 0u)) { return; }
    var step = entry;
    if (element.numbered != 0u) { step = vertices[4u + entry * 2u + (element.numbered - 1u)]; }
    var number = element.first;
    if (element.rate != 0u) { number += step / element.rate; }
    let address = element.base + element.stride * number;
    let inside = element.limit >= element.bytes && address - element.origin <= element.limit - element.bytes;
    for (var c = 0u; c < 4u; c++) {
        let bits = element.bits[c];
        var value = select(0u, element.one, c == 3u);
        if (bits != 0u) {
            value = 0u;
            if (inside) {
                let shift = element.shift[c];
                let word = word_at(address + (shift >> 5u) * 4u);
                value = number_of(extractBits(word, shift & 31u, bits), bits, element.number);
            }
        }
        entries[element.out_first + entry * element.out_stride + c] = value;
    }
}
