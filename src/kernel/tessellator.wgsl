// SPDX-License-Identifier: MIT
//
// The tessellator (D3D11 functional specification 11.7). `count` finds how many points and primitives each patch makes,
// `place` where they go. The lists have room for a part of them: a step is as many patches as fit. `emit` writes the
// points and primitives of a step.
//
// Everything is integer arithmetic in units of 1/65536, so that every device gives the same points and the two
// patches at an edge agree. An axis is a row of points from 0 to 1, symmetric about the middle. Points lie in
// rings around the middle of the patch: ring 0 is the patch's edges, each with an axis of its own; the rings inside
// use the axes of the inside factors, less one segment at either end for every ring. A side of a ring leaves its
// last point to the next side.

struct Tessellation {
    domain: u32,
    partitioning: u32,
    output: u32,
    max_factor: u32, // float bits
    patch_words: u32, // words of an entry in `patches`
    drawn: u32, // vertices that the draw has for each primitive
    patch_limit: u32, // the most patches
    steps: u32, // the most of them
    step: u32, // the one that `emit` writes
    chunk: u32, // patches that a workgroup of `emit` takes at a time: 32 at most
    step_limit: vec2<u32>, // points and primitives of a step
}

@group(0) @binding(0) var<uniform> tessellation: Tessellation;
@group(0) @binding(1) var<storage, read> patches: array<u32>;
@group(0) @binding(2) var<storage, read> factors: array<u32>;
// Of points and primitives: how many; then, by group of patches, how many, later the number of the first, and for each of
// the group's patches the number of the first among the group's. The second entry is the number of steps, and behind the
// groups are the patches of each step: the first, and the one behind the last.
@group(0) @binding(3) var<storage, read_write> starts: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> points: array<u32>;
@group(0) @binding(5) var<storage, read_write> primitives: array<u32>;
@group(0) @binding(6) var<storage, read_write> arguments: array<u32>; // of the indirect draw, and of its first piece

const header_words = 4u;
const point_words = 4u;
const factor_words = 8u;

const domain_isoline = 1u;
const domain_tri = 2u;
const domain_quad = 3u;
const partitioning_pow2 = 2u;
const partitioning_odd = 3u;
const partitioning_even = 4u;
const output_point = 1u;
const output_line = 2u;
const output_ccw = 4u;

const one = 0x10000u;
const fraction_mask = 0xffffu;
const inside_u = 4u; // index of the axis; axes 0 to 3 are the edges
const inside_v = 5u;

// Float bits. Bits of non-negative floats compare like the floats.
const float_1 = 0x3f800000;
const float_1_and_half_step = 0x3f800040; // the step is that of the fixed point numbers
const float_1_and_step = 0x3f800080;
const float_2 = 0x40000000;
const float_63 = 0x427c0000;
const float_64 = 0x42800000;
const float_infinity = 0x7f800000;

// ---- Factors ----------------------------------------------------------------------------------------------

struct Factors {
    edges: vec4<u32>,
    inside: vec2<u32>,
    culled: bool,
}

fn is_integer(axis: u32) -> bool {
    return tessellation.partitioning <= partitioning_pow2 || (tessellation.domain == domain_isoline && axis == 0u);
}

fn is_odd(axis: u32, factor: u32) -> bool {
    if (is_integer(axis)) {
        return ((factor >> 16u) & 1u) == 1u && !(axis >= inside_u && factor == one);
    }
    return tessellation.partitioning == partitioning_odd;
}

fn lowest(axis: u32) -> i32 {
    return select(float_1, float_2, !is_integer(axis) && tessellation.partitioning == partitioning_even);
}

fn clamp_factor(axis: u32, bits: i32, low: i32) -> i32 {
    let high = select(float_64, float_63, !is_integer(axis) && tessellation.partitioning == partitioning_odd);
    if (bits > float_infinity) {
        return low; // not a number
    }
    return clamp(bits, low, max(low, min(high, bitcast<i32>(tessellation.max_factor))));
}

// Converts a factor to fixed point: from 1 to 64, rounded to nearest even, or up to a whole number.
fn fix_factor(axis: u32, bits: i32) -> u32 {
    let exponent = (u32(bits) >> 23u) - 127u;
    let mantissa = (u32(bits) & 0x7fffffu) | 0x800000u;
    if (is_integer(axis)) {
        let shift = 23u - exponent;
        return ((mantissa + (1u << shift) - 1u) >> shift) << 16u;
    }
    let shift = 7u - exponent;
    let kept = mantissa >> shift;
    return (mantissa + (1u << (shift - 1u)) - 1u + (kept & 1u)) >> shift;
}

fn edge_count() -> u32 {
    return tessellation.domain + 1u;
}

fn read_factors(index: u32) -> Factors {
    var result = Factors(vec4<u32>(one), vec2<u32>(one), false);
    let first = index * factor_words;
    var clamped = vec4<i32>(float_1);
    for (var axis = 0u; axis < edge_count(); axis++) {
        let bits = bitcast<i32>(factors[first + axis]);
        result.culled |= bits <= 0 || bits > float_infinity;
        clamped[axis] = clamp_factor(axis, bits, lowest(axis));
        result.edges[axis] = fix_factor(axis, clamped[axis]);
    }
    if (tessellation.domain == domain_isoline) {
        return result;
    }
    let inside = vec2<i32>(bitcast<i32>(factors[first + inside_u]), bitcast<i32>(factors[first + inside_v]));
    let low = lowest(inside_u);
    var insides = vec2<i32>(clamp_factor(inside_u, inside.x, low), float_1);
    if (tessellation.domain == domain_quad) {
        insides.y = clamp_factor(inside_v, inside.y, low);
    }
    if (tessellation.partitioning == partitioning_odd &&
        (any(clamped > vec4<i32>(float_1_and_half_step)) ||
         (tessellation.domain == domain_quad && any(insides > vec2<i32>(float_1_and_half_step))))) {
        insides = max(insides, vec2<i32>(float_1_and_step));
    }
    result.inside.x = fix_factor(inside_u, insides.x);
    if (tessellation.domain == domain_quad) {
        result.inside.y = fix_factor(inside_v, insides.y);
    } else {
        result.inside.y = result.inside.x;
    }
    return result;
}

// ---- Axes -------------------------------------------------------------------------------------------------

struct Axis {
    whole: u32, // whole segments of half an axis; in an odd axis the half segment in the middle counts as one
    fraction: u32, // size of the partial segment that half an axis has besides
    half: u32, // segments of half an axis, the partial segment included
    split: u32, // the point of half an axis that the fraction adds
    odd: u32, // the middle is in a segment, not on a point
    points: u32,
}

fn make_axis(number: u32, factor: u32) -> Axis {
    let odd = is_odd(number, factor);
    var half = (factor + 1u) >> 1u;
    half += select(0u, 0x8000u, odd || half == 0x8000u);
    var axis = Axis(half >> 16u, half & fraction_mask, 0u, 0xffffffffu, u32(odd), 0u);
    axis.half = axis.whole + u32(axis.fraction != 0u);
    axis.points = 2u * axis.half + select(1u, 0u, odd);
    if (axis.fraction != 0u) {
        let base = select(axis.whole, axis.whole - 1u, odd);
        if (base == 0u) {
            axis.split = 0u;
        } else {
            axis.split = 2u * (base ^ (1u << firstLeadingBit(base))) + 1u;
        }
    }
    return axis;
}

fn reciprocal(count: u32) -> u32 {
    return (0x20000u + count) / (2u * count);
}

// The position of a point. As the fraction grows, points move from where the whole number of segments would
// put them to where the next larger number would.
fn place_on(axis: Axis, point: u32) -> u32 {
    let mirrored = point >= axis.half;
    let near = select(point, 2u * axis.half - axis.odd - point, mirrored);
    if (near == axis.half) {
        return 0x8000u;
    }
    let coarse = (near - u32(near > axis.split)) * reciprocal(2u * axis.whole - axis.odd);
    let fine = near * reciprocal(2u * axis.half - axis.odd);
    let place = (coarse * (one - axis.fraction) + fine * axis.fraction + 0x8000u) >> 16u;
    return select(place, one - place, mirrored);
}

// ---- The shape of a patch -----------------------------------------------------------------------------------

struct Shape {
    sides: u32, // of a ring: 3 or 4
    edges: vec4<u32>, // segments of each edge
    inside: vec2<u32>, // segments of the inside axes, ring 0 included
    outline: u32, // points of ring 0
    frame: u32, // points that ring 0 would have if the inside axes subdivided its edges
    rings: u32,
    core: u32, // points on the row in the middle; 0: the innermost ring is one segment wide
}

fn segments_of(axis: u32, factor: u32) -> u32 {
    return make_axis(axis, factor).points - 1u;
}

// Whether a triangle or quad is not divided.
fn is_whole(from_factors: Factors) -> bool {
    return !from_factors.culled && tessellation.domain != domain_isoline &&
           all(from_factors.edges == vec4<u32>(one)) && all(from_factors.inside == vec2<u32>(one));
}

fn make_shape(from_factors: Factors) -> Shape {
    var shape: Shape;
    shape.sides = tessellation.domain + 1u;
    for (var side = 0u; side < shape.sides; side++) {
        shape.edges[side] = segments_of(side, from_factors.edges[side]);
        shape.outline += shape.edges[side];
    }
    shape.inside = vec2<u32>(segments_of(inside_u, from_factors.inside.x), segments_of(inside_v, from_factors.inside.y));
    shape.frame = select(3u * shape.inside.x, 2u * (shape.inside.x + shape.inside.y), shape.sides == 4u);
    let narrow = min(shape.inside.x, shape.inside.y) + 1u;
    shape.rings = narrow >> 1u;
    shape.core = select(0u, max(shape.inside.x, shape.inside.y) + 1u - 2u * shape.rings, (narrow & 1u) == 1u);
    return shape;
}

fn is_wide(shape: Shape) -> bool {
    return shape.inside.x > shape.inside.y;
}

// The number of a ring's first point. For ring number `rings` it is the first point of the row in the middle.
fn ring_start(shape: Shape, ring: u32) -> u32 {
    if (ring == 0u) {
        return 0u;
    }
    return shape.outline + (ring - 1u) * shape.frame - shape.sides * ring * (ring - 1u);
}

// The number of the first triangle between a ring other than ring 0 and the next ring inside.
fn band_start(shape: Shape, ring: u32) -> u32 {
    return shape.outline + shape.frame - 2u * shape.sides + (ring - 1u) * 2u * (shape.frame - shape.sides) -
           2u * shape.sides * ring * (ring - 1u);
}

fn band_count(shape: Shape) -> u32 {
    return shape.rings - select(1u, 0u, shape.core != 0u);
}

// How many triangles fill the innermost ring if it is one segment wide.
fn strip_count(shape: Shape) -> u32 {
    if (shape.core != 0u) {
        return 0u;
    }
    if (shape.sides == 3u) {
        return 1u;
    }
    return 2u * (max(shape.inside.x, shape.inside.y) - 2u * (shape.rings - 1u));
}

fn side_axis(shape: Shape, side: u32) -> u32 {
    return select(inside_u, inside_v, shape.sides == 4u && (side & 1u) == 0u);
}

// The segments of a ring's side, or of the part of the middle row that replaces the side.
fn side_segments(shape: Shape, ring: u32, side: u32) -> u32 {
    if (ring == 0u) {
        return shape.edges[side];
    }
    return shape.inside[side_axis(shape, side) - inside_u] - 2u * ring;
}

// How many points and primitives a patch has.
fn count_patch(from_factors: Factors) -> vec2<u32> {
    var count = vec2<u32>(0u);
    if (from_factors.culled) {
        return count;
    }
    if (tessellation.domain == domain_isoline) {
        let lines = segments_of(0u, from_factors.edges.x);
        let segments = segments_of(1u, from_factors.edges.y);
        count = vec2<u32>(lines * (segments + 1u), lines * segments);
    } else if (is_whole(from_factors)) {
        count = vec2<u32>(edge_count(), edge_count() - 2u);
    } else {
        let shape = make_shape(from_factors);
        count = vec2<u32>(ring_start(shape, shape.rings) + shape.core,
                          band_start(shape, band_count(shape)) + strip_count(shape));
    }
    return select(count, count.xx, tessellation.output == output_point);
}

// ---- Where patches begin --------------------------------------------------------------------------------------

const group_patches = 64u;
const group_entries = 65u;
const start_header = 2u;
const place_threads = 256u;
var<workgroup> sums: array<vec2<u32>, place_threads>;

fn patch_count() -> u32 {
    return min(patches[0], tessellation.patch_limit);
}

fn groups_of(patch_total: u32) -> u32 {
    return (patch_total + group_patches - 1u) / group_patches;
}

fn group_entry(group: u32) -> u32 {
    return start_header + group * group_entries;
}

fn start_entry(patch_number: u32) -> u32 {
    return group_entry(0u) + patch_number + patch_number / group_patches + 1u;
}

fn step_entry(step: u32) -> u32 {
    return group_entry(groups_of(tessellation.patch_limit)) + step;
}

// The number of a patch's first point and primitive.
fn start_of(patch_number: u32) -> vec2<u32> {
    if (patch_number >= patch_count()) {
        return starts[0];
    }
    return starts[group_entry(patch_number / group_patches)] + starts[start_entry(patch_number)];
}

// The header of a list: its length, and the workgroups of a dispatch with one invocation for each entry.
fn list_header(count: u32) -> vec4<u32> {
    let groups = (count + 63u) / 64u;
    return vec4<u32>(count, min(groups, 65535u), (groups + 65534u) / 65535u, 1u);
}

fn write_totals(total: vec2<u32>) {
    let point_header = list_header(total.x);
    let primitive_header = list_header(total.y);
    let draw = vec4<u32>(total.y * tessellation.drawn, 1u, 0u, 0u);
    for (var word = 0u; word < header_words; word++) {
        points[word] = point_header[word];
        primitives[word] = primitive_header[word];
        arguments[word] = draw[word];
        arguments[header_words + word] = draw[word];
    }
}

// The sum of the values of a workgroup's threads up to and with this one.
fn scan(thread: u32, threads: u32, value: vec2<u32>) -> vec2<u32> {
    sums[thread] = value;
    for (var reach = 1u; reach < threads; reach *= 2u) {
        workgroupBarrier();
        var sum = sums[thread];
        if (thread >= reach) {
            sum += sums[thread - reach];
        }
        workgroupBarrier();
        sums[thread] = sum;
    }
    workgroupBarrier();
    return sums[thread];
}

// The patch behind the last one of a step that begins with `first`.
fn step_end(first: u32) -> u32 {
    let start = start_of(first);
    var end = first + 1u;
    var beyond = patch_count();
    if (all(starts[0] - start <= tessellation.step_limit)) {
        return beyond;
    }
    while (beyond - end > 1u) {
        let middle = (end + beyond) / 2u;
        if (all(start_of(middle) - start <= tessellation.step_limit)) {
            end = middle;
        } else {
            beyond = middle;
        }
    }
    return end;
}

fn plan_steps() {
    var step = 0u;
    for (var first = 0u; first < patch_count() && step < tessellation.steps; step++) {
        let end = step_end(first);
        starts[step_entry(step)] = vec2<u32>(first, end);
        first = end;
    }
    starts[1] = vec2<u32>(step, 0u);
}

// Few patches that are one step are counted by each workgroup that emits some of them.
fn is_few() -> bool {
    return tessellation.patch_limit <= group_patches && tessellation.steps == 1u;
}

// If there is but one group, `place` is not dispatched.
@compute @workgroup_size(group_patches)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * groups.x;
    let number = index * group_patches + thread;
    let exists = number < patch_count();
    var own = vec2<u32>(0u);
    if (exists) {
        own = count_patch(read_factors(number));
    }
    let sum = scan(thread, group_patches, own);
    if (exists) {
        starts[start_entry(number)] = sum - own;
    }
    let alone = tessellation.patch_limit <= group_patches;
    if (thread == group_patches - 1u && index < groups_of(tessellation.patch_limit)) {
        starts[group_entry(index)] = select(sum, vec2<u32>(0u), alone);
        if (alone) {
            starts[0] = sum;
        }
    }
    storageBarrier();
    if (alone && tessellation.steps > 1u && thread == 0u) {
        plan_steps();
    }
}

// Each thread adds up the counts of groups that follow one another.
@compute @workgroup_size(place_threads)
fn place(@builtin(local_invocation_index) thread: u32) {
    let groups = groups_of(patch_count());
    let each = (groups + place_threads - 1u) / place_threads;
    let first = min(thread * each, groups);
    let end = min(first + each, groups);
    var own = vec2<u32>(0u);
    for (var group = first; group < end; group++) {
        own += starts[group_entry(group)];
    }
    var start = scan(thread, place_threads, own) - own;
    for (var group = first; group < end; group++) {
        let made = starts[group_entry(group)];
        starts[group_entry(group)] = start;
        start += made;
    }
    if (thread == place_threads - 1u) {
        starts[0] = start;
    }
    storageBarrier();
    if (tessellation.steps > 1u && thread == 0u) {
        plan_steps();
    }
}

// ---- Points ---------------------------------------------------------------------------------------------------

const emit_threads = 64u;
var<workgroup> axes: array<Axis, 6>;

struct Target {
    start: vec2<u32>, // first point and primitive
    patch_number: u32,
    primitive_id: u32,
}

fn write_point(to: Target, number: u32, at: vec2<u32>) {
    let word = header_words + (to.start.x + number) * point_words;
    points[word] = bitcast<u32>(f32(at.x) / 65536.0);
    points[word + 1u] = bitcast<u32>(f32(at.y) / 65536.0);
    points[word + 2u] = to.patch_number;
    points[word + 3u] = to.primitive_id;
    if (tessellation.output == output_point) {
        let primitive = header_words + (to.start.y + number) * 2u;
        primitives[primitive] = to.primitive_id;
        primitives[primitive + 1u] = to.start.x + number;
    }
}

// Where a point is: on a side of a ring, or for ring number `rings` on the row in the middle.
struct Spot {
    ring: u32,
    side: u32,
    position: u32,
}

fn find_spot(shape: Shape, number: u32) -> Spot {
    let core = ring_start(shape, shape.rings);
    if (number >= core) {
        return Spot(shape.rings, 0u, number - core);
    }
    var spot = Spot(0u, 0u, number);
    while (number >= ring_start(shape, spot.ring + 1u)) {
        spot.ring++;
    }
    spot.position -= ring_start(shape, spot.ring);
    while (spot.position >= side_segments(shape, spot.ring, spot.side)) {
        spot.position -= side_segments(shape, spot.ring, spot.side);
        spot.side++;
    }
    return spot;
}

// A point of an axis: its number and that of the axis.
struct Mark {
    axis: u32,
    point: u32,
}

// The marks that a point of a triangle or quad is made of: along the side, and toward the middle.
fn marks_of(shape: Shape, spot: Spot) -> array<Mark, 2> {
    if (spot.ring == shape.rings) {
        let mark = Mark(inside_v, shape.inside.y - shape.rings - spot.position);
        let wide = Mark(inside_u, shape.rings + spot.position);
        if (is_wide(shape)) {
            return array<Mark, 2>(wide, wide);
        }
        return array<Mark, 2>(mark, mark);
    }
    let along = select(side_axis(shape, spot.side), spot.side, spot.ring == 0u);
    let rises = spot.side == 1u || (spot.side == 2u && shape.sides == 4u);
    let at = spot.ring + spot.position;
    let across = select(inside_u + inside_v - side_axis(shape, spot.side), inside_u, shape.sides == 3u);
    let near = spot.side < 2u || shape.sides == 3u;
    return array<Mark, 2>(Mark(along, select(axes[along].points - 1u - at, at, rises)),
                          Mark(across, select(axes[across].points - 1u - spot.ring, spot.ring, near)));
}

fn coordinates(shape: Shape, spot: Spot, places: array<u32, 2>) -> vec2<u32> {
    let along = places[0];
    if (spot.ring == shape.rings) {
        let row = select(vec2<u32>(0x8000u, along), vec2<u32>(along, 0x8000u), is_wide(shape));
        return select(row, vec2<u32>(0x5555u), shape.sides == 3u);
    }
    if (shape.sides == 4u) {
        return select(vec2<u32>(along, places[1]), vec2<u32>(places[1], along), (spot.side & 1u) == 0u);
    }
    // Two thirds, since the three sides meet in the middle of a triangle.
    let depth = (places[1] * 0xaaaau + 0x8000u) >> 16u;
    let free = along - ((depth + 1u) >> 1u);
    switch (spot.side) {
        case 0u: { return vec2<u32>(depth, free); }
        case 1u: { return vec2<u32>(free, depth); }
        default: { return vec2<u32>(free, one - free - depth); }
    }
}

fn emit_points(shape: Shape, to: Target, count: u32, thread: u32) {
    let is_lines = tessellation.domain == domain_isoline;
    for (var number = thread; number < count; number += emit_threads) {
        var spot = Spot();
        var marks = array<Mark, 2>(Mark(1u, number % axes[1].points), Mark(0u, number / axes[1].points));
        if (!is_lines) {
            spot = find_spot(shape, number);
            marks = marks_of(shape, spot);
        }
        var places: array<u32, 2>;
        for (var i = 0u; i < 2u; i++) {
            places[i] = place_on(axes[marks[i].axis], marks[i].point);
        }
        var at = vec2<u32>(places[0], places[1]);
        if (!is_lines) {
            at = coordinates(shape, spot, places);
        }
        write_point(to, number, at);
    }
}

// ---- Triangles --------------------------------------------------------------------------------------------------

// The number of a point on a side. The last point of a side is the first point of the next.
fn point_number(shape: Shape, spot: Spot) -> u32 {
    let start = ring_start(shape, spot.ring);
    if (spot.ring == shape.rings) {
        let last = shape.core - 1u;
        switch ((spot.side + select(1u, 0u, is_wide(shape))) & 3u) {
            case 0u: { return start; }
            case 1u: { return start + spot.position; }
            case 2u: { return start + last; }
            default: { return start + last - spot.position; }
        }
    }
    var number = spot.position;
    var size = 0u;
    for (var before = 0u; before < shape.sides; before++) {
        let segments = side_segments(shape, spot.ring, before);
        number += select(0u, segments, before < spot.side);
        size += segments;
    }
    return start + select(number, 0u, number == size);
}

// The corners of a triangle between two rings: positions on a side of the outer ring, or of the inner ring.
struct Triangle {
    ring: u32, // the outer one
    sides: vec3<u32>,
    positions: vec3<u32>,
    inner: vec3<u32>, // 1: on the inner ring
}

fn on_inner_edge(ring: u32, side: u32, i: u32, o: u32) -> Triangle {
    return Triangle(ring, vec3<u32>(side), vec3<u32>(i, o, i + 1u), vec3<u32>(1u, 0u, 1u));
}

fn on_outer_edge(ring: u32, side: u32, o: u32, i: u32) -> Triangle {
    return Triangle(ring, vec3<u32>(side), vec3<u32>(o, o + 1u, i), vec3<u32>(0u, 0u, 1u));
}

// Which segments half an axis has when it grows by one segment at a time: bit n is set if place n of 32 has a
// segment. The first segment is in place 0, and later ones halve the largest gaps, so that finer axes have
// all segments of coarser ones.
fn occupied(count: u32) -> u32 {
    var places = u32(count != 0u);
    for (var segment = 1u; segment < count; segment++) {
        let level = firstLeadingBit(segment);
        places |= 1u << ((2u * (segment - (1u << level)) + 1u) << (4u - level));
    }
    return places;
}

var<workgroup> outer_places: array<u32, 4>;
var<workgroup> inner_places: array<u32, 4>;

// How many triangles the places before one have.
fn before_place(outside: u32, inside: u32, place: u32) -> u32 {
    let before = (1u << place) - 1u;
    return countOneBits(outside & before) + countOneBits(inside & before);
}

// Ring 0 and ring 1 may have different numbers of segments. Their triangles follow the places of the first half, of
// which each has one of the inner segment and then one of the outer segment, then the middle, then the places of the
// second half, which mirror the first.
fn edge_triangle(shape: Shape, side: u32, number: u32, size: u32) -> Triangle {
    let outside = outer_places[side];
    let inside = inner_places[side];
    let outer_odd = axes[side].odd;
    let inner_odd = axes[side_axis(shape, side)].odd;
    let half = countOneBits(outside) + countOneBits(inside);
    let mirrored = number >= half + outer_odd + inner_odd;
    var o = countOneBits(outside);
    var i = countOneBits(inside);
    if (number >= half && !mirrored) {
        if (inner_odd != 0u && number == half) {
            return on_inner_edge(0u, side, i, o);
        }
        i += inner_odd;
        return Triangle(0u, vec3<u32>(side), vec3<u32>(i, o, o + 1u), vec3<u32>(1u, 0u, 0u));
    }
    let within = select(number, size - 1u - number, mirrored);
    var place = 0u;
    for (var step = 16u; step != 0u; step >>= 1u) {
        if (before_place(outside, inside, place + step) <= within) {
            place += step;
        }
    }
    let has_inner = (inside >> place) & 1u;
    let has_outer = (outside >> place) & 1u;
    let is_inner = has_inner != 0u && within == before_place(outside, inside, place);
    if (mirrored) {
        o += outer_odd + countOneBits((outside >> place) >> 1u) + select(0u, has_outer, is_inner);
        i += inner_odd + countOneBits((inside >> place) >> 1u);
    } else {
        let before = (1u << place) - 1u;
        o = countOneBits(outside & before);
        i = countOneBits(inside & before) + select(has_inner, 0u, is_inner);
    }
    if (is_inner) {
        return on_inner_edge(0u, side, i, o);
    }
    return on_outer_edge(0u, side, o, i);
}

// Inside ring 0 a side has two segments fewer than the same side of the ring around it: the band between them
// consists of quads, each cut toward the middle, and a triangle at either end.
fn band_triangle(shape: Shape, ring: u32, side: u32, number: u32) -> Triangle {
    let segments = side_segments(shape, ring + 1u, side);
    if (number == 0u || number == 2u * segments + 1u) {
        return on_outer_edge(ring, side, select(segments + 1u, 0u, number == 0u),
                             select(segments, 0u, number == 0u));
    }
    let square = (number - 1u) >> 1u;
    let second = (number & 1u) == 0u;
    var triangle = on_outer_edge(ring, side, square + 1u, square + 1u);
    if (square < (segments + 1u) / 2u) {
        if (!second) {
            triangle.positions = vec3<u32>(square + 1u, square + 1u, square);
            triangle.inner = vec3<u32>(0u, 1u, 1u);
        }
        return triangle;
    }
    triangle.positions = select(vec3<u32>(square, square + 1u, square + 2u),
                                vec3<u32>(square, square + 2u, square + 1u), second);
    triangle.inner = select(vec3<u32>(1u, 0u, 0u), vec3<u32>(1u, 0u, 1u), second);
    return triangle;
}

// Of the innermost ring, if it is one segment wide.
fn strip_triangle(shape: Shape, number: u32) -> Triangle {
    let ring = shape.rings - 1u;
    if (shape.sides == 3u) {
        return Triangle(ring, vec3<u32>(0u, 1u, 2u), vec3<u32>(0u), vec3<u32>(0u));
    }
    let side = u32(is_wide(shape));
    let segments = side_segments(shape, ring, side);
    let square = number >> 1u;
    let second = (number & 1u) != 0u;
    let o = vec2<u32>(square, square + 1u);
    let i = vec2<u32>(segments - square, segments - square - 1u);
    let across = vec3<u32>(side + 2u, side, side + 2u); // two corners on the far side
    let along = vec3<u32>(side, side, side + 2u);
    if (!is_wide(shape) && axes[inside_v].odd != 0u) {
        if (square == segments / 2u) {
            let sides = select(vec3<u32>(side, side + 2u, side + 2u), along, second);
            return Triangle(ring, sides, select(vec3<u32>(o.x, i.y, i.x), vec3<u32>(o.x, o.y, i.y), second), vec3<u32>(0u));
        }
        return Triangle(ring, select(along, across, second),
                        select(vec3<u32>(o.x, o.y, i.x), vec3<u32>(i.x, o.y, i.y), second), vec3<u32>(0u));
    }
    return Triangle(ring, select(vec3<u32>(side + 2u, side, side), across, second),
                    select(vec3<u32>(i.x, o.x, o.y), vec3<u32>(i.x, o.y, i.y), second), vec3<u32>(0u));
}

// The triangles of a patch are numbered from the edges inward, side by side.
fn triangle_at(shape: Shape, number: u32) -> Triangle {
    let bands = band_count(shape);
    if (number >= band_start(shape, bands)) {
        return strip_triangle(shape, number - band_start(shape, bands));
    }
    var ring = 0u;
    var side = 0u;
    var within = number;
    if (number >= band_start(shape, 1u)) {
        ring = 1u;
        while (number >= band_start(shape, ring + 1u)) {
            ring++;
        }
        within -= band_start(shape, ring);
    }
    var size = side_triangles(shape, ring, 0u);
    while (within >= size) {
        within -= size;
        side++;
        size = side_triangles(shape, ring, side);
    }
    if (ring == 0u) {
        return edge_triangle(shape, side, within, size);
    }
    return band_triangle(shape, ring, side, within);
}

fn side_triangles(shape: Shape, ring: u32, side: u32) -> u32 {
    return side_segments(shape, ring, side) + side_segments(shape, ring + 1u, side);
}

fn wound(corners: vec3<u32>) -> vec3<u32> {
    return select(corners, corners.xzy, tessellation.output == output_ccw);
}

fn whole_corners(sides: u32, number: u32) -> vec3<u32> {
    return wound(select(vec3<u32>(number, number + 1u, 3u), vec3<u32>(0u, 1u, 2u), sides == 3u));
}

fn corners_of(shape: Shape, number: u32) -> vec3<u32> {
    let triangle = triangle_at(shape, number);
    var corners: vec3<u32>;
    for (var corner = 0u; corner < 3u; corner++) {
        corners[corner] = point_number(shape, Spot(triangle.ring + triangle.inner[corner], triangle.sides[corner],
                                                   triangle.positions[corner]));
    }
    return wound(corners);
}

fn line_ends(number: u32) -> vec3<u32> {
    let segments = axes[1].points - 1u;
    let point = number / segments * axes[1].points + number % segments;
    return vec3<u32>(point, point + 1u, 0u);
}

fn write_primitive(to: Target, number: u32, corners: u32, ends: vec3<u32>) {
    let word = header_words + (to.start.y + number) * (corners + 1u);
    primitives[word] = to.primitive_id;
    for (var corner = 0u; corner < corners; corner++) {
        primitives[word + 1u + corner] = to.start.x + ends[corner];
    }
}

fn emit_primitives(shape: Shape, to: Target, count: u32, thread: u32) {
    let is_lines = tessellation.domain == domain_isoline;
    let corners = select(3u, 2u, is_lines);
    for (var number = thread; number < count; number += emit_threads) {
        var ends: vec3<u32>;
        if (is_lines) {
            ends = line_ends(number);
        } else {
            ends = corners_of(shape, number);
        }
        write_primitive(to, number, corners, ends);
    }
}

// ---- Patches ----------------------------------------------------------------------------------------------------

// By one thread, without axes.
fn emit_whole(to: Target) {
    let sides = edge_count();
    let quad = array<vec2<u32>, 4>(vec2<u32>(0u), vec2<u32>(one, 0u), vec2<u32>(one), vec2<u32>(0u, one));
    let tri = array<vec2<u32>, 4>(vec2<u32>(0u, one), vec2<u32>(0u), vec2<u32>(one, 0u), vec2<u32>());
    for (var number = 0u; number < sides; number++) {
        write_point(to, number, select(tri[number], quad[number], sides == 4u));
    }
    if (tessellation.output != output_point) {
        for (var number = 0u; number < sides - 2u; number++) {
            write_primitive(to, number, 3u, whole_corners(sides, number));
        }
    }
}

// By all threads.
fn emit_divided(to: Target, own: Factors, thread: u32) {
    let count = count_patch(own);
    if (thread < 6u) {
        axes[thread] = make_axis(thread, select(own.inside[thread & 1u], own.edges[thread & 3u], thread < inside_u));
    }
    workgroupBarrier();
    let shape = make_shape(own);
    if (thread < 4u) {
        let edge = axes[thread];
        let inside = axes[side_axis(shape, thread)];
        outer_places[thread] = occupied(edge.half - edge.odd);
        inner_places[thread] = occupied(inside.half - inside.odd) & ~1u;
    }
    workgroupBarrier();
    emit_points(shape, to, count.x, thread);
    if (tessellation.output != output_point) {
        emit_primitives(shape, to, count.y, thread);
    }
    workgroupBarrier();
}

var<workgroup> step_patches: vec2<u32>; // the first patch of the step, and the one behind its last
var<workgroup> divided: atomic<u32>; // bit n: patch n of the chunk is divided
var<workgroup> divided_patches: u32; // the same, for all threads to read

fn find_step() -> vec2<u32> {
    if (tessellation.steps == 1u) {
        return vec2<u32>(0u, patch_count());
    }
    if (tessellation.step >= starts[1].x) {
        return vec2<u32>(0u);
    }
    return starts[step_entry(tessellation.step)];
}

// Counts the patches, if they are few.
fn count_few(thread: u32) {
    var own = vec2<u32>(0u);
    if (thread < patch_count()) {
        own = count_patch(read_factors(thread));
    }
    scan(thread, group_patches, own);
}

// Like start_of(), also of few patches.
fn known_start(patch_number: u32) -> vec2<u32> {
    if (!is_few()) {
        return start_of(patch_number);
    }
    return select(vec2<u32>(0u), sums[max(patch_number, 1u) - 1u], patch_number > 0u);
}

fn target_of(patch_number: u32, step_start: vec2<u32>) -> Target {
    return Target(known_start(patch_number) - step_start, patch_number,
                  patches[header_words + patch_number * tessellation.patch_words]);
}

// Workgroups take chunks of the step's patches in turn. A chunk's undivided patches have a thread each, others the whole
// workgroup.
@compute @workgroup_size(emit_threads)
fn emit(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) thread: u32) {
    if (thread == 0u) {
        step_patches = find_step();
    }
    if (is_few()) {
        count_few(thread);
    }
    let step = workgroupUniformLoad(&step_patches);
    let step_start = known_start(step.x);
    if (group.x == 0u && thread == 0u) {
        write_totals(select(vec2<u32>(0u), known_start(step.y) - step_start, step.x < step.y));
    }
    for (var first = step.x + group.x * tessellation.chunk; first < step.y; first += groups.x * tessellation.chunk) {
        if (thread == 0u) {
            atomicStore(&divided, 0u);
        }
        workgroupBarrier();
        if (thread < min(tessellation.chunk, step.y - first)) {
            let own = read_factors(first + thread);
            if (is_whole(own)) {
                emit_whole(target_of(first + thread, step_start));
            } else if (!own.culled) {
                atomicOr(&divided, 1u << thread);
            }
        }
        workgroupBarrier();
        if (thread == 0u) {
            divided_patches = atomicLoad(&divided);
        }
        for (var left = workgroupUniformLoad(&divided_patches); left != 0u; left &= left - 1u) {
            let number = first + firstTrailingBit(left);
            emit_divided(target_of(number, step_start), read_factors(number), thread);
        }
    }
}
