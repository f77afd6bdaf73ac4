// SPDX-License-Identifier: MIT
//
// From one list of primitives to another: a part of it; and to the arguments of the draw that shows it.

struct Part {
    vertices: u32, // of a primitive
    first: u32, // first primitive of the part
    limit: u32, // most primitives of the part
}

@group(0) @binding(0) var<uniform> part: Part;
@group(0) @binding(1) var<storage, read> from_list: array<u32>;
@group(0) @binding(2) var<storage, read_write> to_list: array<u32>;

const header_words = 4u;

fn part_count() -> u32 {
    return min(from_list[0] - min(part.first, from_list[0]), part.limit);
}

@compute @workgroup_size(64)
fn copy(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    if (number == 0u) {
        to_list[0] = part_count();
    }
    if (number >= part_count()) {
        return;
    }
    let words = part.vertices + 1u;
    for (var word = 0u; word < words; word++) {
        to_list[header_words + number * words + word] = from_list[header_words + (part.first + number) * words + word];
    }
}

@compute @workgroup_size(1)
fn arguments() {
    to_list[0] = from_list[0] * part.vertices;
    to_list[1] = 1u;
    to_list[2] = 0u;
    to_list[3] = part.first;
}
