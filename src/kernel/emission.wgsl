// SPDX-License-Identifier: MIT
//
// From what geometry shaders emitted into one stream to a list of primitives, in the order of Direct3D: by input
// primitive, by instance, by emission (D3D11 functional specification 13.5). `count` finds how many primitives each
// invocation made, `place` where they go, `write` makes the list.

struct Emission {
    max_vertices: u32, // of an invocation
    instances: u32, // of the shader, for each input primitive
    vertices: u32, // of an output primitive: 1, 2 or 3
    stream: u32, // whose primitives are listed
}

@group(0) @binding(0) var<uniform> emission: Emission;
@group(0) @binding(1) var<storage, read> inputs: array<u32>; // list of the shader's input primitives
@group(0) @binding(2) var<storage, read> emits: array<u32>;
// By invocation: how many primitives; later the number of its first primitive.
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> primitives: array<u32>;

const header_words = 4u;
const emit_strip = 2u;
const stream_shift = 2u;
const scan_threads = 256u;

fn invocation_count() -> u32 {
    return inputs[0] * emission.instances;
}

fn is_drawn(word: u32) -> bool {
    return (word >> stream_shift) == emission.stream;
}

@compute @workgroup_size(64)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    if (number >= invocation_count()) {
        return;
    }
    var length = 0u; // vertices in the current strip
    var made = 0u;
    for (var i = 0u; i < emission.max_vertices; i++) {
        let word = emits[number * emission.max_vertices + i];
        if (word == 0u) {
            break;
        }
        if (!is_drawn(word)) {
            continue;
        }
        length = select(length + 1u, 1u, (word & emit_strip) != 0u);
        made += u32(length >= emission.vertices);
    }
    counts[number] = made;
}

var<workgroup> sums: array<u32, scan_threads>;

@compute @workgroup_size(scan_threads)
fn place(@builtin(local_invocation_index) thread: u32) {
    let invocations = invocation_count();
    var placed = 0u;
    for (var base = 0u; base < invocations; base += scan_threads) {
        let number = base + thread;
        var own = 0u;
        if (number < invocations) {
            own = counts[number];
        }
        sums[thread] = own;
        for (var distance = 1u; distance < scan_threads; distance *= 2u) {
            workgroupBarrier();
            var sum = sums[thread];
            if (thread >= distance) {
                sum += sums[thread - distance];
            }
            workgroupBarrier();
            sums[thread] = sum;
        }
        workgroupBarrier();
        if (number < invocations) {
            counts[number] = placed + sums[thread] - own;
        }
        placed += sums[scan_threads - 1u];
        workgroupBarrier();
    }
    if (thread == 0u) {
        primitives[0] = placed;
    }
}

// Every second triangle of a strip has two vertices swapped; the first vertex stays (8.10).
@compute @workgroup_size(64)
fn write(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    if (number >= invocation_count()) {
        return;
    }
    var length = 0u;
    var before = vec2<u32>();
    var entry = header_words + counts[number] * (emission.vertices + 1u);
    for (var i = 0u; i < emission.max_vertices; i++) {
        let record = number * emission.max_vertices + i;
        let word = emits[record];
        if (word == 0u) {
            break;
        }
        if (!is_drawn(word)) {
            continue;
        }
        length = select(length + 1u, 1u, (word & emit_strip) != 0u);
        if (length >= emission.vertices) {
            let turned = (length & 1u) == 0u;
            var corners = vec3<u32>(record, 0u, 0u);
            if (emission.vertices == 2u) {
                corners = vec3<u32>(before.y, record, 0u);
            } else if (emission.vertices == 3u) {
                corners = vec3<u32>(before.x, select(before.y, record, turned), select(record, before.y, turned));
            }
            primitives[entry] = 0u;
            for (var corner = 0u; corner < emission.vertices; corner++) {
                primitives[entry + 1u + corner] = corners[corner];
            }
            entry += emission.vertices + 1u;
        }
        before = vec2<u32>(before.y, record);
    }
}
