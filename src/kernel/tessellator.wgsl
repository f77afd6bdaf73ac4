// SPDX-License-Identifier: MIT
//
// The tessellator (D3D11 functional specification 11.7). `count` finds how many points and primitives each patch makes,
// `place` where they go. The lists have room for a part of them: a step is as many patches as fit. `emit_placed` writes
// the points and primitives of a step. If there is but one step, others of its kind find where they go for themselves, and
// of few patches how many there are. Code is in few places, since drivers' compilers, which inline everything, are what users wait for.
// Variables of workgroups are small, since SwiftShader compiles a store for each word that WebGPU has cleared: what one thread
// can read or compute again is not kept for it, and what all need of a patch is kept for one patch at a time.
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
    step: u32, // the one that is emitted
    chunk: u32, // patches that a workgroup emits at a time: 32 at most
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
const no_split = 0xffu;

// Float bits. Bits of non-negative floats compare like the floats.
const float_1 = 0x3f800000;
const float_1_and_half_step = 0x3f800040; // the step is that of the fixed point numbers
const float_1_and_step = 0x3f800080;
const float_2 = 0x40000000;
const float_63 = 0x427c0000;
const float_64 = 0x42800000;
const float_infinity = 0x7f800000;

// ---- Factors ----------------------------------------------------------------------------------------------

fn is_integer(axis: u32) -> bool {
    return (tessellation.partitioning <= partitioning_pow2) | ((tessellation.domain == domain_isoline) & (axis == 0u));
}

fn is_odd(axis: u32, factor: u32) -> bool {
    let is_odd_number = (((factor >> 16u) & 1u) == 1u) & !((axis >= inside_u) & (factor == one));
    return select(tessellation.partitioning == partitioning_odd, is_odd_number, is_integer(axis));
}

fn lowest(axis: u32) -> i32 {
    return select(float_1, float_2, !is_integer(axis) & (tessellation.partitioning == partitioning_even));
}

fn clamp_factor(axis: u32, bits: i32, low: i32) -> i32 {
    let high = select(float_64, float_63, !is_integer(axis) & (tessellation.partitioning == partitioning_odd));
    let is_number = bits <= float_infinity;
    return select(low, clamp(bits, low, max(low, min(high, bitcast<i32>(tessellation.max_factor)))), is_number);
}

// Converts a factor to fixed point: from 1 to 64, rounded to nearest even, or up to a whole number. These operations on
// floats are exact everywhere, and less to compile than shifts by computed distances.
fn fix_factor(axis: u32, bits: i32) -> u32 {
    let factor = bitcast<f32>(bits);
    return select(u32(round(factor * 65536.0)), u32(ceil(factor)) << 16u, is_integer(axis));
}

fn edge_count() -> u32 {
    return tessellation.domain + 1u;
}

// Points and primitives of a patch that is not divided.
fn whole_count() -> vec2<u32> {
    return vec2<u32>(edge_count(), edge_count() - 2u);
}

// ---- Axes -------------------------------------------------------------------------------------------------

struct Axis {
    fraction: u32, // size of the partial segment that half an axis has besides the whole ones
    segments: u32,
    split: u32, // the point of half an axis that the fraction adds
    units: vec2<u32>, // the size of a segment if only the whole ones were there, and if the partial one were whole
}

// Half an axis in fixed point.
fn half_of(number: u32, factor: u32) -> u32 {
    let half = (factor + 1u) >> 1u;
    return half + select(0u, 0x8000u, is_odd(number, factor) | (half == 0x8000u));
}

fn segments_of(number: u32, factor: u32) -> u32 {
    return 2u * ((half_of(number, factor) + fraction_mask) >> 16u) - u32(is_odd(number, factor));
}

// In an odd axis the half segment in the middle counts as a whole one.
fn make_axis(number: u32, factor: u32) -> Axis {
    let odd = u32(is_odd(number, factor));
    let half = half_of(number, factor);
    let whole = half >> 16u;
    let fraction = half & fraction_mask;
    let base = whole - odd;
    let added = select(2u * (base ^ (1u << firstLeadingBit(base))) + 1u, 0u, base == 0u);
    let segments = 2u * vec2<u32>(whole, whole + u32(fraction != 0u)) - odd;
    return Axis(fraction, segments.y, select(no_split, added, fraction != 0u),
                (vec2<u32>(0x20000u) + segments) / (2u * segments));
}

// An axis in words: the first has all but units.
fn packed_axis(axis: Axis) -> vec4<u32> {
    return vec4<u32>(axis.fraction | (axis.segments << 16u) | (axis.split << 24u),
                     occupied(axis.segments >> 1u), axis.units);
}

fn segments_in(axis: vec4<u32>) -> u32 {
    return (axis.x >> 16u) & 0xffu;
}

// The position of a point. As the fraction grows, points move from where the whole number of segments would
// put them to where the next larger number would.
fn place_on(axis: vec4<u32>, point: u32) -> u32 {
    let segments = segments_in(axis);
    let half = (segments + 1u) >> 1u;
    let fraction = axis.x & fraction_mask;
    let mirrored = point >= half;
    let near = select(point, segments - point, mirrored);
    let coarse = (near - u32(near > axis.x >> 24u)) * axis.z;
    let fine = near * axis.w;
    let place = (coarse * (one - fraction) + fine * fraction + 0x8000u) >> 16u;
    return select(select(place, one - place, mirrored), 0x8000u, near == half);
}

// ---- The shape of a patch -----------------------------------------------------------------------------------

struct Shape {
    sides: u32, // of a ring: 3 or 4
    edges: vec4<u32>, // segments of each edge, where points and triangles are made, as are the next
    edge_starts: vec4<u32>, // the first point of each edge
    inside: vec2<u32>, // segments of the inside axes, ring 0 included
    outline: u32, // points of ring 0
    frame: u32, // points that ring 0 would have if the inside axes subdivided its edges
    rings: u32,
    core: u32, // points on the row in the middle; 0: the innermost ring is one segment wide
}

fn make_shape(outline: u32, inside: vec2<u32>) -> Shape {
    var shape: Shape;
    shape.sides = tessellation.domain + 1u;
    shape.outline = outline;
    shape.inside = inside;
    shape.frame = select(3u * inside.x, 2u * (inside.x + inside.y), shape.sides == 4u);
    let narrow = min(inside.x, inside.y) + 1u;
    shape.rings = narrow >> 1u;
    shape.core = select(0u, max(inside.x, inside.y) + 1u - 2u * shape.rings, (narrow & 1u) == 1u);
    return shape;
}

fn is_wide(shape: Shape) -> bool {
    return shape.inside.x > shape.inside.y;
}

// The number of a ring's first point. For ring number `rings` it is the first point of the row in the middle.
fn ring_start(shape: Shape, ring: u32) -> u32 {
    return select(shape.outline + (ring - 1u) * shape.frame - shape.sides * ring * (ring - 1u), 0u, ring == 0u);
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
    let quads = max(shape.inside.x, shape.inside.y) - 2u * (shape.rings - 1u);
    return select(select(2u * quads, 1u, shape.sides == 3u), 0u, shape.core != 0u);
}

// The segments of the inside axis that a side of a ring is along. Both are the same for triangles.
fn inside_segments(shape: Shape, side: u32) -> u32 {
    return select(shape.inside.x, shape.inside.y, (side & 1u) == 0u);
}

// The first segment of each side of a ring, or of the parts of the middle row that replace the sides.
fn side_starts(shape: Shape, ring: u32) -> vec4<u32> {
    let segments = shape.inside - 2u * ring;
    let both = segments.x + segments.y;
    return select(vec4<u32>(0u, segments.y, both, both + segments.y), shape.edge_starts, ring == 0u);
}

// Which side something is on. Of three sides, the start of the fourth is behind the end.
fn side_at(starts: vec4<u32>, place: u32) -> u32 {
    return u32(place >= starts.y) + u32(place >= starts.z) + u32(place >= starts.w);
}

// ---- Counts ---------------------------------------------------------------------------------------------------

struct Patch {
    is_culled: bool,
    is_whole: bool, // a triangle or quad that is not divided
    is_raised: bool, // odd partitioning rounds the inside factors up to more than 1
    count: vec2<u32>, // points and primitives
}

// Of the numbers of segments of the first and the second edge, and of the inside axes.
fn count_patch(edges: vec2<u32>, outline: u32, inside: vec2<u32>) -> vec2<u32> {
    let shape = make_shape(outline, inside);
    let filled = vec2<u32>(ring_start(shape, shape.rings) + shape.core,
                           band_start(shape, band_count(shape)) + strip_count(shape));
    let lines = vec2<u32>(edges.x * (edges.y + 1u), edges.x * edges.y);
    return select(filled, lines, tessellation.domain == domain_isoline);
}

// The axes of a domain in turn: its edges, then the inside ones.
fn axis_at(place: u32) -> u32 {
    return select(place + inside_u - edge_count(), place, place < edge_count());
}

fn factor_at(number: u32, axis: u32) -> i32 {
    return bitcast<i32>(factors[number * factor_words + axis]);
}

fn fixed_factor(number: u32, axis: u32, is_raised: bool) -> u32 {
    let least = select(0, float_1_and_step, is_raised & (axis >= inside_u));
    return fix_factor(axis, max(clamp_factor(axis, factor_at(number, axis), lowest(axis)), least));
}

// The loops have no constant bounds, so that compilers do not repeat what is in them.
fn read_patch(number: u32) -> Patch {
    var own: Patch;
    let places = 2u * tessellation.domain;
    for (var place = 0u; place < places; place++) {
        let axis = axis_at(place);
        let factor = factor_at(number, axis);
        let is_edge = axis < inside_u;
        own.is_culled |= is_edge & ((factor <= 0) | (factor > float_infinity));
        own.is_raised |= (is_edge | (tessellation.domain == domain_quad)) & (factor > float_1_and_half_step) &
                         (factor <= float_infinity);
    }
    own.is_raised &= (tessellation.partitioning == partitioning_odd) &
                     (bitcast<i32>(tessellation.max_factor) > float_1_and_half_step);
    own.is_whole = tessellation.domain != domain_isoline;
    var edges = vec2<u32>();
    var outline = 0u;
    var inside = vec2<u32>();
    for (var place = 0u; place < places; place++) {
        let axis = axis_at(place);
        let factor = fixed_factor(number, axis, own.is_raised);
        own.is_whole &= factor == one;
        let segments = segments_of(axis, factor);
        outline += select(0u, segments, axis < inside_u);
        edges = select(edges, vec2<u32>(segments), vec2<bool>(axis == 0u, axis == 1u));
        inside = select(inside, vec2<u32>(segments), vec2<bool>(axis == inside_u, axis >= inside_u));
    }
    own.count = select(count_patch(edges, outline, inside), whole_count(), own.is_whole);
    own.count = select(own.count, own.count.xx, tessellation.output == output_point);
    own.count = select(own.count, vec2<u32>(), own.is_culled);
    return own;
}

// ---- Where patches begin --------------------------------------------------------------------------------------

const group_patches = 64u;
const group_entries = 65u;
const start_header = 2u;
const place_threads = 64u;
var<workgroup> sums: array<vec2<u32>, group_patches>;

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

// The header of a list is its length, and the workgroups of a dispatch with one invocation for each entry.
fn write_totals(total: vec2<u32>) {
    let groups = (total + 63u) >> vec2<u32>(6u);
    let columns = min(groups, vec2<u32>(65535u));
    let rows = (groups + 65534u) / 65535u;
    var point_header = vec4<u32>(total.x, columns.x, rows.x, 1u);
    var primitive_header = vec4<u32>(total.y, columns.y, rows.y, 1u);
    var draw = vec4<u32>(total.y * tessellation.drawn, 1u, 0u, 0u);
    for (var word = 0u; word < header_words; word++) {
        points[word] = point_header.x;
        primitives[word] = primitive_header.x;
        arguments[word] = draw.x;
        arguments[header_words + word] = draw.x;
        point_header = point_header.yzwx;
        primitive_header = primitive_header.yzwx;
        draw = draw.yzwx;
    }
}

// The sum of the values of a workgroup's threads up to and with this one. Threads do not add up by steps, since drivers
// that run them one after another compile what is between barriers for long.
fn scan(thread: u32, value: vec2<u32>) -> vec2<u32> {
    sums[thread] = value;
    workgroupBarrier();
    var sum = vec2<u32>();
    for (var before = 0u; before <= thread; before++) {
        sum += sums[before];
    }
    return sum;
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

@compute @workgroup_size(group_patches)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
         @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * groups.x;
    let number = index * group_patches + thread;
    let exists = number < patch_count();
    var own = vec2<u32>(0u);
    if (exists) {
        own = read_patch(number).count;
    }
    let sum = scan(thread, own);
    if (exists) {
        starts[start_entry(number)] = sum - own;
    }
    if (thread == group_patches - 1u && index < groups_of(tessellation.patch_limit)) {
        starts[group_entry(index)] = sum;
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
    var start = scan(thread, own) - own;
    for (var group = first; group < end; group++) {
        let made = starts[group_entry(group)];
        starts[group_entry(group)] = start;
        start += made;
    }
    if (thread == place_threads - 1u) {
        starts[0] = start;
    }
    storageBarrier();
    if (thread == 0u) {
        plan_steps();
    }
}

// ---- Points ---------------------------------------------------------------------------------------------------

const emit_threads = 64u;
var<workgroup> axes: array<vec4<u32>, 6>; // packed

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
}

// Where a point is: on a side of a ring, or for ring number `rings` on the row in the middle.
struct Spot {
    ring: u32,
    side: u32,
    position: u32,
}

fn find_spot(shape: Shape, number: u32) -> Spot {
    var ring = 0u;
    while ((ring < shape.rings) & (number >= ring_start(shape, ring + 1u))) {
        ring++;
    }
    let within = number - ring_start(shape, ring);
    let starts = side_starts(shape, ring);
    let side = select(side_at(starts, within), 0u, ring == shape.rings);
    return Spot(ring, side, within - starts[side]);
}

// Points of axes: the numbers of the axes and those of the points.
struct Marks {
    axes: vec2<u32>,
    points: vec2<u32>,
}

// The marks that a point of a triangle or quad is made of: along the side, and toward the middle.
fn marks_of(shape: Shape, spot: Spot) -> Marks {
    let is_quad = shape.sides == 4u;
    let row = spot.ring == shape.rings;
    let is_even = (spot.side & 1u) == 0u;
    let rises = (spot.side == 1u) | ((spot.side == 2u) & is_quad);
    let near = (spot.side < 2u) | !is_quad;
    let at = spot.ring + spot.position;
    let along = select(inside_segments(shape, spot.side), shape.edges[spot.side], spot.ring == 0u);
    let across = inside_segments(shape, spot.side + 1u);
    let along_axis = select(select(inside_u, inside_v, is_quad & is_even), spot.side, spot.ring == 0u);
    let across_axis = select(inside_u, inside_v, is_quad & !is_even);
    let marks = Marks(vec2<u32>(along_axis, across_axis),
                      vec2<u32>(select(along - at, at, rises), select(across - spot.ring, spot.ring, near)));
    let wide = is_wide(shape);
    return Marks(select(marks.axes, vec2<u32>(select(inside_v, inside_u, wide)), row),
                 select(marks.points, vec2<u32>(select(shape.inside.y - at, at, wide)), row));
}

fn coordinates(shape: Shape, spot: Spot, places: vec2<u32>) -> vec2<u32> {
    let row = select(vec2<u32>(0x8000u, places.x), vec2<u32>(places.x, 0x8000u), is_wide(shape));
    // Two thirds, since the three sides meet in the middle of a triangle.
    let depth = (places.y * 0xaaaau + 0x8000u) >> 16u;
    let free = places.x - ((depth + 1u) >> 1u);
    let far = select(vec2<u32>(free, depth), vec2<u32>(free, one - free - depth), spot.side == 2u);
    let tri = select(select(far, vec2<u32>(depth, free), spot.side == 0u), vec2<u32>(0x5555u), spot.ring == shape.rings);
    let quad = select(select(places, places.yx, (spot.side & 1u) == 0u), row, spot.ring == shape.rings);
    return select(quad, tri, shape.sides == 3u);
}

fn emit_points(shape: Shape, to: Target, count: u32, thread: u32) {
    let is_lines = tessellation.domain == domain_isoline;
    for (var number = thread; number < count; number += emit_threads) {
        var spot = Spot();
        let line = number / (shape.edges.y + 1u);
        var marks = Marks(vec2<u32>(1u, 0u), vec2<u32>(number - line * (shape.edges.y + 1u), line));
        if (!is_lines) {
            spot = find_spot(shape, number);
            marks = marks_of(shape, spot);
        }
        var places: vec2<u32>;
        for (var i = 0u; i < 2u; i++) {
            places = vec2<u32>(places.y, place_on(axes[marks.axes.x], marks.points.x));
            marks = Marks(marks.axes.yx, marks.points.yx);
        }
        if (!is_lines) {
            places = coordinates(shape, spot, places);
        }
        write_point(to, number, places);
    }
}

// ---- Triangles --------------------------------------------------------------------------------------------------

// The number of a point on a side. The last point of a side is the first point of the next.
fn point_number(shape: Shape, spot: Spot) -> u32 {
    let last = shape.core - 1u;
    let part = (spot.side + select(1u, 0u, is_wide(shape))) & 3u; // of the row in the middle
    let on_row = select(select(0u, last, part == 2u), select(spot.position, last - spot.position, part == 3u), (part & 1u) != 0u);
    let size = select(shape.frame - 2u * shape.sides * spot.ring, shape.outline, spot.ring == 0u);
    let number = side_starts(shape, spot.ring)[spot.side] + spot.position;
    return ring_start(shape, spot.ring) + select(select(number, 0u, number == size), on_row, spot.ring == shape.rings);
}

// The corners of a triangle between two rings: positions on a side of the outer ring, or of the inner ring.
struct Triangle {
    ring: u32, // the outer one
    sides: vec3<u32>,
    positions: vec3<u32>,
    inner: vec3<u32>, // 1: on the inner ring
}

// Of a segment of one of the rings, and a point of the other one; `o` and `i` are where they are.
fn on_edge(ring: u32, side: u32, o: u32, i: u32, is_inner: bool) -> Triangle {
    return Triangle(ring, vec3<u32>(side), select(vec3<u32>(o, o + 1u, i), vec3<u32>(i, o, i + 1u), is_inner),
                    vec3<u32>(u32(is_inner), 0u, 1u));
}

// Which segments half an axis has when it grows by one segment at a time: bit n is set if place n of 32 has a
// segment. The first segment is in place 0, and later ones halve the largest gaps, so that finer axes have
// all segments of coarser ones.
fn occupied(count: u32) -> u32 {
    var places = u32(count != 0u);
    var gap = 32u;
    var place = 16u;
    for (var segment = 1u; segment < count; segment++) {
        places |= 1u << place;
        place += gap;
        if (place >= 32u) {
            gap >>= 1u;
            place = gap >> 1u;
        }
    }
    return places;
}

// Ring 0 and ring 1 may have different numbers of segments. Their triangles follow the places of the first half, of
// which each has one of the inner segment and then one of the outer segment, then the middle, then the places of the
// second half, which mirror the first.
fn edge_triangle(shape: Shape, side: u32, number: u32) -> Triangle {
    let is_v = (shape.sides == 4u) & ((side & 1u) == 0u);
    let places = vec2<u32>(axes[side].y, axes[select(inside_u, inside_v, is_v)].y & ~1u); // of ring 0 and ring 1
    let odd = vec2<u32>(shape.edges[side], inside_segments(shape, side)) & vec2<u32>(1u);
    let total = countOneBits(places);
    let half = total.x + total.y;
    let mirrored = number >= half + odd.x + odd.y;
    let is_middle = (number >= half) & !mirrored;
    let within = select(number, 2u * half + odd.x + odd.y - 1u - number, mirrored);
    var bit = 1u; // that of the place
    var before = vec2<u32>(); // how many segments the places before it have
    for (var step = 16u; step != 0u; step >>= 1u) {
        let next = bit << step;
        let reached = countOneBits(places & vec2<u32>(next - 1u));
        if (reached.x + reached.y <= within) {
            bit = next;
            before = reached;
        }
    }
    let has = select(vec2<u32>(), vec2<u32>(1u), (places & vec2<u32>(bit)) != vec2<u32>());
    let starts_place = (has.y != 0u) & (within == before.x + before.y);
    let is_inner = select(starts_place, (odd.y != 0u) & (number == half), is_middle);
    var at = before + vec2<u32>(0u, select(has.y, 0u, is_inner));
    at = select(at, total + odd + total - before - has + vec2<u32>(select(0u, has.x, is_inner), 0u), mirrored);
    at = select(at, total + vec2<u32>(0u, select(odd.y, 0u, is_inner)), is_middle);
    var triangle = on_edge(0u, side, at.x, at.y, is_inner);
    if (is_middle & !is_inner) {
        triangle.positions = triangle.positions.zxy;
        triangle.inner = triangle.inner.zxy;
    }
    return triangle;
}

// Inside ring 0 a side has two segments fewer than the same side of the ring around it: the band between them
// consists of quads, each cut toward the middle, and a triangle at either end.
fn band_triangle(shape: Shape, ring: u32, side: u32, number: u32) -> Triangle {
    let segments = inside_segments(shape, side) - 2u * (ring + 1u);
    let is_first = number == 0u;
    let is_last = number == 2u * segments + 1u;
    let square = (number - 1u) >> 1u;
    let second = (number & 1u) == 0u;
    let o = select(select(square + 1u, segments + 1u, is_last), 0u, is_first);
    let i = select(select(square + 1u, segments, is_last), 0u, is_first);
    var triangle = on_edge(ring, side, o, i, false);
    if (!is_first & !is_last) {
        if (square >= (segments + 1u) / 2u) {
            triangle.positions = vec3<u32>(square, square + select(1u, 2u, second), square + select(2u, 1u, second));
            triangle.inner = vec3<u32>(1u, 0u, u32(second));
        } else if (!second) {
            triangle.positions = vec3<u32>(square + 1u, square + 1u, square);
            triangle.inner = vec3<u32>(0u, 1u, 1u);
        }
    }
    return triangle;
}

// Of the innermost ring, if it is one segment wide.
fn strip_triangle(shape: Shape, number: u32) -> Triangle {
    let ring = shape.rings - 1u;
    let side = u32(is_wide(shape));
    let far = side + 2u;
    let segments = inside_segments(shape, side) - 2u * ring;
    let square = number >> 1u;
    let second = (number & 1u) != 0u;
    let o = vec2<u32>(square, square + 1u);
    let i = vec2<u32>(segments - square, segments - square - 1u);
    let across = vec3<u32>(far, side, far); // two corners on the far side
    let along = vec3<u32>(side, side, far);
    var sides = select(vec3<u32>(far, side, side), across, second);
    var positions = select(vec3<u32>(i.x, o.x, o.y), vec3<u32>(i.x, o.y, i.y), second);
    if (!is_wide(shape) & ((shape.inside.y & 1u) != 0u)) {
        let is_middle = square == segments / 2u;
        sides = select(select(along, across, second), select(vec3<u32>(side, far, far), along, second), is_middle);
        positions = select(select(vec3<u32>(o.x, o.y, i.x), vec3<u32>(i.x, o.y, i.y), second),
                           select(vec3<u32>(o.x, i.y, i.x), vec3<u32>(o.x, o.y, i.y), second), is_middle);
    }
    let is_tri = shape.sides == 3u;
    return Triangle(ring, select(sides, vec3<u32>(0u, 1u, 2u), is_tri), select(positions, vec3<u32>(), is_tri), vec3<u32>());
}

// The triangles of a patch are numbered from the edges inward, side by side.
fn triangle_at(shape: Shape, number: u32) -> Triangle {
    let bands = band_count(shape);
    var ring = 0u;
    while ((ring < bands) & (number >= band_start(shape, ring + 1u))) {
        ring++;
    }
    let within = number - select(band_start(shape, ring), 0u, ring == 0u);
    let starts = side_starts(shape, ring) + side_starts(shape, ring + 1u);
    let side = side_at(starts, within);
    var triangle: Triangle;
    if (ring == bands) {
        triangle = strip_triangle(shape, within);
    } else if (ring == 0u) {
        triangle = edge_triangle(shape, side, within - starts[side]);
    } else {
        triangle = band_triangle(shape, ring, side, within - starts[side]);
    }
    return triangle;
}

fn wound(corners: vec3<u32>) -> vec3<u32> {
    return select(corners, corners.xzy, tessellation.output == output_ccw);
}

fn whole_corners(sides: u32, number: u32) -> vec3<u32> {
    return wound(select(vec3<u32>(number, number + 1u, 3u), vec3<u32>(0u, 1u, 2u), sides == 3u));
}

fn corners_of(shape: Shape, number: u32) -> vec3<u32> {
    var triangle = triangle_at(shape, number);
    var corners: vec3<u32>;
    for (var corner = 0u; corner < 3u; corner++) {
        let spot = Spot(triangle.ring + triangle.inner.x, triangle.sides.x, triangle.positions.x);
        corners = vec3<u32>(corners.yz, point_number(shape, spot));
        triangle = Triangle(triangle.ring, triangle.sides.yzx, triangle.positions.yzx, triangle.inner.yzx);
    }
    return wound(corners);
}

fn line_ends(shape: Shape, number: u32) -> vec3<u32> {
    let point = number + number / shape.edges.y;
    return vec3<u32>(point, point + 1u, 0u);
}

fn write_primitive(to: Target, number: u32, corners: u32, points_of: vec3<u32>) {
    var ends = points_of;
    let word = header_words + (to.start.y + number) * (corners + 1u);
    primitives[word] = to.primitive_id;
    for (var corner = 0u; corner < corners; corner++) {
        primitives[word + 1u + corner] = to.start.x + ends.x;
        ends = ends.yzx;
    }
}

// Points are primitives of one corner.
fn corner_count() -> u32 {
    return select(min(tessellation.domain + 1u, 3u), 1u, tessellation.output == output_point);
}

fn emit_primitives(shape: Shape, to: Target, count: u32, thread: u32) {
    let corners = corner_count();
    for (var number = thread; number < count; number += emit_threads) {
        var ends = vec3<u32>(number);
        if (corners == 2u) {
            ends = line_ends(shape, number);
        } else if (corners == 3u) {
            ends = corners_of(shape, number);
        }
        write_primitive(to, number, corners, ends);
    }
}

// ---- Patches ----------------------------------------------------------------------------------------------------

// By one thread, without axes. A culled patch with a fixed place has primitives without an area.
fn emit_whole(to: Target, is_culled: bool) {
    let sides = edge_count();
    for (var number = 0u; number < sides; number++) {
        let quad = vec2<bool>((number == 1u) | (number == 2u), number >= 2u);
        let ends = select(vec2<bool>(number == 2u, number == 0u), quad, vec2<bool>(sides == 4u));
        write_point(to, number, select(vec2<u32>(), vec2<u32>(one), ends));
    }
    let corners = corner_count();
    let primitive_count = select(sides - 2u, sides, corners == 1u);
    for (var number = 0u; number < primitive_count; number++) {
        let ends = select(whole_corners(sides, number), vec3<u32>(number), corners == 1u);
        write_primitive(to, number, corners, select(ends, vec3<u32>(), is_culled));
    }
}

const count_bits = 14u;
const count_mask = 0x3fffu;
const divided_bit = 0x10000000u; // the workgroup emits the patch
const raised_bit = 0x20000000u;

// What the workgroup knows of the patches that its threads have read.
var<workgroup> packed_counts: array<u32, emit_threads>; // and the flags below
var<workgroup> groups_before: array<atomic<u32>, 2>; // points and primitives of groups of patches
var<workgroup> divided: vec2<u32>; // bit n: the patch that thread n has read
var<workgroup> step_patches: vec2<u32>; // the first patch of the step, and the one behind its last

// The patch that the workgroup emits.
var<workgroup> emitted: Target;
var<workgroup> emitted_count: vec2<u32>; // points and primitives

// By all threads.
fn emit_divided(number: u32, is_raised: bool, thread: u32) {
    if (thread < 6u) {
        axes[thread] = packed_axis(make_axis(thread, fixed_factor(number, thread, is_raised)));
    }
    workgroupBarrier();
    let edges = vec4<u32>(segments_in(axes[0]), segments_in(axes[1]), segments_in(axes[2]), segments_in(axes[3]));
    let inside = vec2<u32>(segments_in(axes[inside_u]), segments_in(axes[inside_v]));
    var shape = make_shape(edges.x + edges.y + edges.z + select(0u, edges.w, edge_count() == 4u),
                           select(inside, inside.xx, edge_count() == 3u));
    shape.edges = edges;
    shape.edge_starts = vec4<u32>(0u, edges.x, edges.x + edges.y, edges.x + edges.y + edges.z);
    emit_points(shape, emitted, emitted_count.x, thread);
    emit_primitives(shape, emitted, emitted_count.y, thread);
    workgroupBarrier();
}

// How the kernels that emit know where patches go. Few patches of one step are counted by each workgroup that emits some of
// them: each of its threads reads one. Of more, each workgroup adds up the counts of the groups in front of its own, unless
// there are so many groups or steps that `place` has done so. Patches that are whole or culled may have fixed places.
const counts_few = 0u;
const adds_groups = 1u;
const is_placed = 2u;
const has_fixed_places = 3u;

fn find_step(mode: u32) -> vec2<u32> {
    var step = vec2<u32>();
    if (mode != is_placed || tessellation.steps == 1u) {
        step = vec2<u32>(0u, patch_count());
    } else if (tessellation.step < starts[1].x) {
        step = starts[step_entry(tessellation.step)];
    }
    return step;
}

fn add_groups(begin: u32, end: u32, thread: u32) {
    for (var group = begin + thread; group < end; group += emit_threads) {
        let count = starts[group_entry(group)];
        atomicAdd(&groups_before[0], count.x);
        atomicAdd(&groups_before[1], count.y);
    }
}

// The first point and primitive of the patch that a thread has read. The workgroup's patches from `first` on are of one
// group or two.
fn find_start(mode: u32, number: u32, first: u32, thread: u32) -> vec2<u32> {
    var start = vec2<u32>();
    if (mode == has_fixed_places) {
        start = number * whole_count();
    }
    if (mode == adds_groups) {
        start = vec2<u32>(atomicLoad(&groups_before[0]), atomicLoad(&groups_before[1]));
    }
    for (var before = 0u; (before < thread) & (mode == counts_few); before++) {
        let packed = packed_counts[before];
        start += vec2<u32>(packed, packed >> count_bits) & vec2<u32>(count_mask);
    }
    if ((mode == adds_groups || mode == is_placed) && number < patch_count()) {
        let group = number / group_patches;
        if (mode == is_placed || group > first / group_patches) {
            start += starts[group_entry(select(group - 1u, group, mode == is_placed))];
        }
        start += starts[start_entry(number)];
    }
    return start;
}

fn find_divided(count: u32) -> vec2<u32> {
    var bits = vec2<u32>();
    var bit = vec2<u32>(1u, 0u);
    for (var slot = 0u; slot < count; slot++) {
        bits |= select(vec2<u32>(), bit, (packed_counts[slot] & divided_bit) != 0u);
        bit = (bit << vec2<u32>(1u)) | vec2<u32>(0u, bit.x >> 31u);
    }
    return bits;
}

// Workgroups take chunks of the step's patches in turn. A chunk's undivided patches have a thread each, others the whole
// workgroup. Of few patches all are read, whatever the chunk has. The thread of the last patch knows the step's totals.
fn emit(mode: u32, group: u32, groups: u32, thread: u32) {
    if (thread == 0u) {
        step_patches = find_step(mode);
    }
    let step = workgroupUniformLoad(&step_patches);
    var step_start = vec2<u32>();
    if (mode == is_placed && tessellation.steps > 1u) {
        step_start = start_of(step.x);
    }
    var is_last = (step.x >= step.y) & (group == 0u) & (thread == 0u);
    var end = vec2<u32>();
    var groups_added = 0u;
    for (var first = step.x + group * tessellation.chunk; first < step.y; first += groups * tessellation.chunk) {
        let first_read = select(first, 0u, mode == counts_few);
        let read = min(step.y - first_read, select(tessellation.chunk, emit_threads, mode == counts_few));
        let number = first_read + thread;
        var own: Patch;
        if (thread < read) {
            own = read_patch(number);
        }
        if (mode == has_fixed_places) {
            own.count = whole_count();
        }
        let is_own = (number >= first) & (number < min(first + tessellation.chunk, step.y));
        let is_whole = own.is_whole | own.is_culled | (mode == has_fixed_places);
        packed_counts[thread] = own.count.x | (own.count.y << count_bits) | select(0u, divided_bit, is_own & !is_whole) |
                                select(0u, raised_bit, own.is_raised);
        if (mode == adds_groups) {
            add_groups(groups_added, first / group_patches, thread);
            groups_added = first / group_patches;
        }
        workgroupBarrier();
        let to = Target(find_start(mode, number, first, thread) - step_start, number,
                        patches[header_words + number * tessellation.patch_words]);
        if (is_own & (number == step.y - 1u)) {
            is_last = true;
            end = to.start + own.count;
        }
        if (thread == 0u) {
            divided = find_divided(read);
        }
        var left = workgroupUniformLoad(&divided);
        if (is_own & is_whole & (!own.is_culled | (mode == has_fixed_places))) {
            emit_whole(to, own.is_culled);
        }
        for (var slot = 0u; (slot < read) & (mode != has_fixed_places); slot++) {
            if ((left.x & 1u) != 0u) {
                if (thread == slot) {
                    emitted = to;
                    emitted_count = own.count;
                }
                emit_divided(first_read + slot, (packed_counts[slot] & raised_bit) != 0u, thread);
            }
            left = (left >> vec2<u32>(1u)) | vec2<u32>(left.y << 31u, 0u);
        }
    }
    if (is_last) {
        write_totals(end);
    }
}

@compute @workgroup_size(emit_threads)
fn emit_few(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
            @builtin(local_invocation_index) thread: u32) {
    emit(counts_few, group.x, groups.x, thread);
}

@compute @workgroup_size(emit_threads)
fn emit_added(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
              @builtin(local_invocation_index) thread: u32) {
    emit(adds_groups, group.x, groups.x, thread);
}

@compute @workgroup_size(emit_threads)
fn emit_placed(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
               @builtin(local_invocation_index) thread: u32) {
    emit(is_placed, group.x, groups.x, thread);
}

@compute @workgroup_size(emit_threads)
fn emit_fixed(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
              @builtin(local_invocation_index) thread: u32) {
    emit(has_fixed_places, group.x, groups.x, thread);
}
