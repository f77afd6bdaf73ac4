// SPDX-License-Identifier: MIT
//
// A list of primitives is drawn in pieces: the primitives of patches that follow one another. Finds where pieces begin
// in the list, whose entries begin with the numbers of their patches, in order.

struct Pieces {
    drawn: u32, // vertices that the draw has for each primitive
    words: u32, // of an entry of the list
    count: u32,
    first_patches: array<vec4<u32>, 64>, // of each piece
}

@group(0) @binding(0) var<uniform> pieces: Pieces;
@group(0) @binding(1) var<storage, read> list: array<u32>;
@group(0) @binding(2) var<storage, read_write> arguments: array<vec4<u32>>; // of the whole list, and of each piece

const header_words = 4u;

// The piece's first primitive.
fn start_of(piece: u32) -> u32 {
    var first = 0u;
    var end = list[0];
    if (piece == pieces.count) {
        return end;
    }
    let first_patch = pieces.first_patches[piece / 4u][piece % 4u];
    while (first < end) {
        let middle = (first + end) / 2u;
        if (list[header_words + middle * pieces.words] < first_patch) {
            first = middle + 1u;
        } else {
            end = middle;
        }
    }
    return first;
}

@compute @workgroup_size(64)
fn place(@builtin(global_invocation_id) id: vec3<u32>) {
    let piece = id.x;
    if (piece >= pieces.count) {
        return;
    }
    let first = start_of(piece);
    arguments[piece + 1u] = vec4<u32>((start_of(piece + 1u) - first) * pieces.drawn, 1u, first * pieces.drawn, 0u);
}
