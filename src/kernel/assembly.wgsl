// SPDX-License-Identifier: MIT
//
// Input assembly: from a draw's vertices to lists of primitives and of the vertices they are made of, in the order
// of Direct3D (D3D11 functional specification 8.10 to 8.17). Each corner of a primitive is a vertex of its own.
//
// A primitive is named by the position of its last vertex in the draw and by the position at which its run began:
// index values of all ones end a run. Where there may be such values, `find` lists the primitives of a part of the
// draw in order; without them their positions are arithmetic. `write` makes the lists.
//
// For lists whose vertices are fetched by the draw itself, `copy` and `strip` make indices without such values.

struct Assembly {
    topology: u32, // as the ABI numbers them
    corners: u32, // of a primitive, for the next stage
    neighbours: u32, // 1: the next stage takes adjacent vertices
    list_vertices: u32, // of a primitive of a list; 0: a strip or fan
    first_end: u32, // strips, fans: number of the first primitive's last vertex, counted from the start of its run
    step: u32, // vertices from the last vertex of a primitive to that of the next
    index_bytes: u32, // 2, 4; 0: no indices
    index_base: u32, // byte of the draw's first index
    index_limit: u32, // bytes of the index buffer
    vertices: u32, // of an instance
    restarts: u32, // 1: `runs` has the primitives
    first_primitive: u32, // without restarts: number of this part's first primitive in the instance
    primitives: u32, // without restarts: how many primitives this part has
    first_instance: u32,
    instances: u32,
    begin: u32, // with restarts: this part's positions
    end: u32,
    base_vertex: u32, // of the draw that takes stripped indices
}

@group(0) @binding(0) var<uniform> assembly: Assembly;
@group(0) @binding(1) var<storage, read> indices: array<u32>;
// Word 0: primitives found; word 1: where the current run began; word 2: primitives of the instance before
// this part; word 3: unused. Two words for each primitive follow: the position of its last vertex, and where
// its run began.
@group(0) @binding(2) var<storage, read_write> runs: array<u32>;
@group(0) @binding(3) var<storage, read_write> vertices: array<u32>;
@group(0) @binding(4) var<storage, read_write> primitives: array<u32>;

const header_words = 4u;
const line_list_adj = 10u;
const line_strip_adj = 11u;
const triangle_list_adj = 12u;
const triangle_strip_adj = 13u;
const triangle_strip = 5u;
const triangle_fan = 6u;
const scan_threads = 256u;

// ---- Indices ----------------------------------------------------------------------------------------------

// Indices beyond the end of the buffer are 0 (8.5). One that is not aligned may have bytes of two words.
fn index_at(position: u32) -> u32 {
    let address = assembly.index_base + position * assembly.index_bytes;
    var value = 0u;
    if (assembly.index_limit >= assembly.index_bytes && address <= assembly.index_limit - assembly.index_bytes) {
        let shift = (address & 3u) * 8u;
        let low = indices[address >> 2u] >> shift;
        let high = indices[(address + assembly.index_bytes - 1u) >> 2u] << (32u - shift);
        value = (low | select(high, 0u, shift == 0u)) & select(0xffffffffu, 0xffffu, assembly.index_bytes == 2u);
    }
    return value;
}

fn is_cut(position: u32) -> bool {
    return index_at(position) == select(0xffffffffu, 0xffffu, assembly.index_bytes == 2u);
}

// ---- Primitives that restarts leave -----------------------------------------------------------------------

fn ends_primitive(number: u32) -> bool {
    if (assembly.list_vertices != 0u) {
        return number % assembly.list_vertices == assembly.list_vertices - 1u;
    }
    return number >= assembly.first_end && (number - assembly.first_end) % assembly.step == 0u;
}

var<workgroup> starts: array<u32, scan_threads>;
var<workgroup> sums: array<u32, scan_threads>;

// Inclusive scan of the workgroup: starts[t] becomes the maximum of starts[0 .. t], and sums[t] the sum of
// sums[0 .. t].
fn scan(thread: u32) {
    for (var distance = 1u; distance < scan_threads; distance *= 2u) {
        workgroupBarrier();
        var start = starts[thread];
        var sum = sums[thread];
        if (thread >= distance) {
            start = max(start, starts[thread - distance]);
            sum += sums[thread - distance];
        }
        workgroupBarrier();
        starts[thread] = start;
        sums[thread] = sum;
    }
    workgroupBarrier();
}

@compute @workgroup_size(scan_threads)
fn find(@builtin(local_invocation_index) thread: u32) {
    let resumes = assembly.begin != 0u;
    var run = select(0u, runs[1], resumes);
    let before = select(0u, runs[2] + runs[0], resumes);
    var found = 0u;
    for (var base = assembly.begin; base < assembly.end; base += scan_threads) {
        let position = base + thread;
        let cut = position < assembly.end && is_cut(position);
        starts[thread] = select(0u, position + 1u, cut);
        sums[thread] = 0u;
        scan(thread);
        let start = max(run, starts[thread]);
        let last_start = max(run, starts[scan_threads - 1u]);
        let ends = position < assembly.end && !cut && ends_primitive(position - start);
        workgroupBarrier();
        sums[thread] = u32(ends);
        scan(thread);
        if (ends) {
            let entry = header_words + (found + sums[thread] - 1u) * 2u;
            runs[entry] = position;
            runs[entry + 1u] = start;
        }
        run = last_start;
        found += sums[scan_threads - 1u];
        workgroupBarrier();
    }
    if (thread == 0u) {
        runs[0] = found;
        runs[1] = run;
        runs[2] = before;
    }
}

// ---- Lists without their restarts -------------------------------------------------------------------------

// Copies every index; `strip` then corrects the indices around restarts, which are rare.
@compute @workgroup_size(64)
fn copy(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let position = id.x + id.y * (groups.x * 64u);
    if (position < assembly.vertices) {
        vertices[position] = index_at(position);
    }
}

var<workgroup> restart_count: atomic<u32>;

fn has_restart(thread: u32) -> bool {
    for (var position = thread; position < assembly.vertices; position += scan_threads) {
        if (is_cut(position)) {
            atomicAdd(&restart_count, 1u);
            break;
        }
    }
    return workgroupUniformLoad(&restart_count) != 0u;
}

// Writes the indices of whole primitives over those that `copy` wrote, and the arguments of an indirect draw
// to `primitives`.
@compute @workgroup_size(scan_threads)
fn strip(@builtin(local_invocation_index) thread: u32) {
    let size = assembly.list_vertices;
    var run = 0u;
    var found = 0u;
    if (has_restart(thread)) {
        for (var base = 0u; base < assembly.vertices; base += scan_threads) {
            let position = base + thread;
            let cut = position < assembly.vertices && is_cut(position);
            starts[thread] = select(0u, position + 1u, cut);
            sums[thread] = 0u;
            scan(thread);
            let start = max(run, starts[thread]);
            let last_start = max(run, starts[scan_threads - 1u]);
            let ends = position < assembly.vertices && !cut && ends_primitive(position - start);
            workgroupBarrier();
            sums[thread] = u32(ends);
            scan(thread);
            for (var i = 0u; ends && i < size; i++) {
                vertices[(found + sums[thread] - 1u) * size + i] = index_at(position + 1u - size + i);
            }
            run = last_start;
            found += sums[scan_threads - 1u];
            workgroupBarrier();
        }
    } else {
        found = assembly.vertices / size;
    }
    if (thread == 0u) {
        primitives[0] = found * size;
        primitives[1] = assembly.instances;
        primitives[2] = 0u;
        primitives[3] = assembly.base_vertex;
        primitives[4] = assembly.first_instance;
    }
}

// ---- Corners ----------------------------------------------------------------------------------------------

fn run_goes_on(position: u32) -> bool {
    return position < assembly.vertices && !(assembly.restarts != 0u && is_cut(position));
}

// The adjacent vertex of triangle `k` in a strip with adjacency whose last vertex is at `last`; its number in
// the run (8.10).
fn strip_neighbour(k: u32, corner: u32, last: u32) -> u32 {
    let before = select(2u * k - 2u, 1u, k == 0u);
    let outer = 2u * k + 3u;
    var goes_on = true;
    for (var ahead = 1u; ahead <= 2u; ahead++) {
        goes_on = goes_on && run_goes_on(last + ahead);
    }
    let after = 2u * k + select(5u, 6u, goes_on);
    let odd = (k & 1u) != 0u;
    switch (corner) {
        case 1u: { return select(before, outer, odd); }
        case 3u: { return after; }
        default: { return select(outer, before, odd); }
    }
}

// Corner n of a triangle in a strip: every second triangle has its other two corners swapped (8.10).
fn strip_corner(k: u32, n: u32) -> u32 {
    return select(n, 3u - n, (k & 1u) != 0u && n != 0u);
}

// The number in the run of a primitive's corner.
fn corner_number(number: u32, corner: u32, last: u32) -> u32 {
    let alone = assembly.neighbours == 0u;
    if (assembly.list_vertices != 0u) {
        let first = number - (assembly.list_vertices - 1u);
        if (alone && assembly.topology == line_list_adj) {
            return first + 1u + corner;
        }
        if (alone && assembly.topology == triangle_list_adj) {
            return first + 2u * corner;
        }
        return first + corner;
    }
    let k = (number - assembly.first_end) / assembly.step;
    switch (assembly.topology) {
        case line_strip_adj: { return k + corner + select(0u, 1u, alone); }
        case triangle_strip: { return k + strip_corner(k, corner); }
        case triangle_fan: { return select(k + corner, 0u, corner == 0u); }
        case triangle_strip_adj: {
            if (alone) {
                return 2u * k + 2u * strip_corner(k, corner);
            }
            if ((corner & 1u) == 0u) {
                return 2u * k + 2u * strip_corner(k, corner >> 1u);
            }
            return strip_neighbour(k, corner, last);
        }
        default: { return k + corner; }
    }
}

// ---- Lists ------------------------------------------------------------------------------------------------

@compute @workgroup_size(64)
fn write(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = id.x + id.y * (groups.x * 64u);
    let restarts = assembly.restarts != 0u;
    let each = select(assembly.primitives, runs[0], restarts);
    let count = each * assembly.instances;
    if (number == 0u) {
        primitives[0] = count;
        vertices[0] = count * assembly.corners;
    }
    if (number >= count) {
        return;
    }
    let own = number % each;
    let instance = assembly.first_instance + number / each;
    var primitive = assembly.first_primitive + own;
    var last = primitive * assembly.step + assembly.first_end;
    var start = 0u;
    if (assembly.list_vertices != 0u) {
        last = (primitive + 1u) * assembly.list_vertices - 1u;
    }
    if (restarts) {
        primitive = runs[2] + own;
        last = runs[header_words + own * 2u];
        start = runs[header_words + own * 2u + 1u];
    }
    let entry = header_words + number * (assembly.corners + 1u);
    primitives[entry] = primitive;
    for (var corner = 0u; corner < assembly.corners; corner++) {
        let vertex = number * assembly.corners + corner;
        let position = start + corner_number(last - start, corner, last);
        var vertex_id = position;
        if (assembly.index_bytes != 0u) {
            vertex_id = index_at(position);
        }
        primitives[entry + 1u + corner] = vertex;
        vertices[header_words + vertex * 2u] = vertex_id;
        vertices[header_words + vertex * 2u + 1u] = instance;
    }
}
