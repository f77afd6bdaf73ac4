// SPDX-License-Identifier: MIT
//
// Stream output (D3D11 functional specification 14): the primitives of one stream, as lists, into buffers behind what is
// in them already. A primitive that does not fit all of its buffers is in none, nor is any behind it. `place` finds how
// many fit, which is none without buffers, `write` stores the components that the declaration names.

struct Output {
    vertices: u32, // of a primitive
    registers: u32, // of a record
    components: u32, // components that a vertex stores
    slots: u32, // bit n: the stream has buffer n
    strides: vec4<u32>, // bytes from vertex to vertex
    sizes: vec4<u32>, // bytes of the buffers
    stream: vec4<u32>, // x: its number
    places: array<vec4<u32>, 128>, // {component of the record, buffer, byte of the vertex, 0}
}

@group(0) @binding(0) var<uniform> output: Output;
@group(0) @binding(1) var<storage, read> primitives: array<u32>; // list
@group(0) @binding(2) var<storage, read> records: array<u32>;
@group(0) @binding(3) var<storage, read_write> state: State;
@group(0) @binding(4) var<storage, read_write> target0: array<u32>;
@group(0) @binding(5) var<storage, read_write> target1: array<u32>;
@group(0) @binding(6) var<storage, read_write> target2: array<u32>;
@group(0) @binding(7) var<storage, read_write> target3: array<u32>;

struct State {
    filled: array<u32, 4>, // bytes of each buffer
    first: array<u32, 4>, // byte where the primitives of this dispatch begin
    written: array<u32, 4>, // primitives of each stream that were stored so far
    needed: array<u32, 4>, // primitives of each stream, including those that did not fit
    count: u32, // primitives of this dispatch that fit
}

const header_words = 4u;

@compute @workgroup_size(1)
fn place() {
    let made = primitives[0];
    var fit = select(made, 0u, output.slots == 0u);
    for (var slot = 0u; slot < 4u; slot++) {
        if (((output.slots >> slot) & 1u) == 0u) {
            continue;
        }
        let filled = min(state.filled[slot], output.sizes[slot]);
        let bytes = output.strides[slot] * output.vertices;
        if (bytes != 0u) {
            fit = min(fit, (output.sizes[slot] - filled) / bytes);
        }
        state.first[slot] = filled;
    }
    for (var slot = 0u; slot < 4u; slot++) {
        if (((output.slots >> slot) & 1u) != 0u) {
            state.filled[slot] = state.first[slot] + fit * output.strides[slot] * output.vertices;
        }
    }
    state.count = fit;
    state.written[output.stream.x] += fit;
    state.needed[output.stream.x] += made;
}

fn store(slot: u32, byte: u32, value: u32) {
    switch (slot) {
        case 0u: {
            target0[byte / 4u] = value;
        }
        case 1u: {
            target1[byte / 4u] = value;
        }
        case 2u: {
            target2[byte / 4u] = value;
        }
        default: {
            target3[byte / 4u] = value;
        }
    }
}

@compute @workgroup_size(64)
fn write(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let primitive = number / output.vertices;
    if (primitive >= state.count) {
        return;
    }
    let corner = number % output.vertices;
    let record = primitives[header_words + primitive * (output.vertices + 1u) + 1u + corner];
    for (var i = 0u; i < output.components; i++) {
        let place = output.places[i];
        if (((output.slots >> place.y) & 1u) == 0u) {
            continue;
        }
        var value = 0u;
        if (place.x < output.registers * 4u) {
            value = records[record * output.registers * 4u + place.x];
        }
        store(place.y, state.first[place.y] + number * output.strides[place.y] + place.z, value);
    }
}
