// SPDX-License-Identifier: MIT
//
// From what geometry shaders emitted into one stream to a list of primitives, in the order of Direct3D: by input
// primitive, by instance, by emission (D3D11 functional specification 13.5). `count` finds how many primitives each
// invocation made and where they go among those of its workgroup, `place` where those of each workgroup go, `write`
// makes the list. `make` is all of them for so few invocations that one workgroup does.

struct Emission {
    max_vertices: u32, // of an invocation
    instances: u32, // of the shader, for each input primitive
    vertices: u32, // of an output primitive: 1, 2 or 3
    stream: u32, // whose primitives are listed
    drawn: u32, // vertices that the draw has for each primitive
}

@group(0) @binding(0) var<uniform> emission: Emission;
@group(0) @binding(1) var<storage, read> inputs: array<u32>; // list of the shader's input primitives
@group(0) @binding(2) var<storage, read> emits: array<u32>;
// By workgroup: how many primitives, later the number of the first one; then for each of its invocations the number of
// the first primitive among the workgroup's.
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> primitives: array<u32>;
@group(0) @binding(5) var<storage, read_write> arguments: array<u32>; // of the indirect draw

const header_words = 4u;
const emit_strip = 2u;
const stream_shift = 2u;
const group_threads = 64u;
const group_words = 65u;

fn invocation_count() -> u32 {
    return inputs[0] * emission.instances;
}

fn is_drawn(word: u32) -> bool {
    return (word >> stream_shift) == emission.stream;
}

// The primitives of an invocation; 0 for those beyond the last.
fn primitives_of(number: u32) -> u32 {
    if (number >= invocation_count()) {
        return 0u;
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
    return made;
}

// Every second triangle of a strip has two vertices swapped; the first vertex stays (8.10).
fn write_primitives(number: u32, first: u32) {
    if (number >= invocation_count()) {
        return;
    }
    var length = 0u;
    var before = vec2<u32>();
    var entry = header_words + first * (emission.vertices + 1u);
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

fn write_count(count: u32) {
    primitives[0] = count;
    arguments[0] = count * emission.drawn;
    arguments[1] = 1u;
    arguments[2] = 0u;
    arguments[3] = 0u;
}

var<workgroup> sums: array<u32, group_threads>; // small, since SwiftShader compiles a store for each word

// The sum of the values of a workgroup's threads up to and with this one. Threads do not add up by steps, since drivers
// that run them one after another compile what is between barriers for long.
fn scan(thread: u32, value: u32) -> u32 {
    sums[thread] = value;
    workgroupBarrier();
    var sum = 0u;
    for (var before = 0u; before <= thread; before++) {
        sum += sums[before];
    }
    return sum;
}

@compute @workgroup_size(group_threads)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * groups.x;
    let number = index * group_threads + thread;
    let own = primitives_of(number);
    let sum = scan(thread, own);
    if (number < invocation_count()) {
        counts[index * group_words + 1u + thread] = sum - own;
    }
    if (thread == group_threads - 1u && index * group_threads < invocation_count()) {
        counts[index * group_words] = sum;
    }
}

// Each thread adds up the counts of workgroups that follow one another.
@compute @workgroup_size(group_threads)
fn place(@builtin(local_invocation_index) thread: u32) {
    let groups = (invocation_count() + group_threads - 1u) / group_threads;
    let each = (groups + group_threads - 1u) / group_threads;
    let first = min(thread * each, groups);
    let end = min(first + each, groups);
    var own = 0u;
    for (var group = first; group < end; group++) {
        own += counts[group * group_words];
    }
    var start = scan(thread, own) - own;
    for (var group = first; group < end; group++) {
        let made = counts[group * group_words];
        counts[group * group_words] = start;
        start += made;
    }
    if (thread == group_threads - 1u) {
        write_count(start);
    }
}

@compute @workgroup_size(group_threads)
fn write(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * groups.x;
    let words = index * group_words;
    write_primitives(index * group_threads + thread, counts[words] + counts[words + 1u + thread]);
}

@compute @workgroup_size(group_threads)
fn make(@builtin(local_invocation_index) thread: u32) {
    let own = primitives_of(thread);
    let sum = scan(thread, own);
    write_primitives(thread, sum - own);
    if (thread == group_threads - 1u) {
        write_count(sum);
    }
}
