// SPDX-License-Identifier: MIT
//
// The tessellator (D3D11 functional specification 11.7). Two kernels: `place` finds how many points and primitives
// each patch makes and where they go, `emit` writes them, one workgroup for each patch.
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
}

@group(0) @binding(0) var<uniform> tessellation: Tessellation;
@group(0) @binding(1) var<storage, read> patches: array<u32>;
@group(0) @binding(2) var<storage, read> factors: array<u32>;
@group(0) @binding(3) var<storage, read_write> starts: array<vec2<u32>>; // of each patch: point, primitive
@group(0) @binding(4) var<storage, read_write> points: array<u32>;
@group(0) @binding(5) var<storage, read_write> primitives: array<u32>;

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
    whole: bool, // the patch is one undivided primitive
}

fn segments_of(axis: u32, factor: u32) -> u32 {
    return make_axis(axis, factor).points - 1u;
}

fn make_shape(from_factors: Factors) -> Shape {
    var shape: Shape;
    shape.sides = tessellation.domain + 1u;
    shape.whole = all(from_factors.edges == vec4<u32>(one)) && all(from_factors.inside == vec2<u32>(one));
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
    } else {
        let shape = make_shape(from_factors);
        if (shape.whole) {
            count = vec2<u32>(shape.sides, shape.sides - 2u);
        } else {
            count = vec2<u32>(ring_start(shape, shape.rings) + shape.core,
                              band_start(shape, band_count(shape)) + strip_count(shape));
        }
    }
    return select(count, count.xx, tessellation.output == output_point);
}

// ---- Where patches begin --------------------------------------------------------------------------------------

const place_threads = 256u;
var<workgroup> sums: array<vec2<u32>, place_threads>;

fn patch_count() -> u32 {
    return min(patches[0], min(arrayLength(&starts), arrayLength(&factors) / factor_words));
}

// The header of a list: its length, and the workgroups of a dispatch with one invocation for each entry.
fn list_header(count: u32) -> vec4<u32> {
    let groups = (count + 63u) / 64u;
    return vec4<u32>(count, min(groups, 65535u), (groups + 65534u) / 65535u, 1u);
}

@compute @workgroup_size(place_threads)
fn place(@builtin(local_invocation_index) thread: u32) {
    let count = patch_count();
    var total = vec2<u32>(0u);
    for (var first = 0u; first < count; first += place_threads) {
        var own = vec2<u32>(0u);
        if (first + thread < count) {
            own = count_patch(read_factors(first + thread));
        }
        sums[thread] = own;
        for (var reach = 1u; reach < place_threads; reach *= 2u) {
            workgroupBarrier();
            var sum = sums[thread];
            if (thread >= reach) {
                sum += sums[thread - reach];
            }
            workgroupBarrier();
            sums[thread] = sum;
        }
        workgroupBarrier();
        if (first + thread < count) {
            starts[first + thread] = total + sums[thread] - own;
        }
        total += sums[place_threads - 1u];
        workgroupBarrier();
    }
    if (thread == 0u) {
        let point_header = list_header(total.x);
        let primitive_header = list_header(total.y);
        for (var word = 0u; word < header_words; word++) {
            points[word] = point_header[word];
            primitives[word] = primitive_header[word];
        }
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

fn ring_point(shape: Shape, ring: u32, side: u32, position: u32) -> vec2<u32> {
    let number = select(side_axis(shape, side), side, ring == 0u);
    let axis = axes[number];
    let rises = side == 1u || (side == 2u && shape.sides == 4u);
    let along = place_on(axis, select(axis.points - 1u - ring - position, ring + position, rises));
    if (shape.sides == 3u) {
        // Two thirds, since the three sides meet in the middle of a triangle.
        let depth = (place_on(axes[inside_u], ring) * 0xaaaau + 0x8000u) >> 16u;
        let free = along - ((depth + 1u) >> 1u);
        switch (side) {
            case 0u: { return vec2<u32>(depth, free); }
            case 1u: { return vec2<u32>(free, depth); }
            default: { return vec2<u32>(free, one - free - depth); }
        }
    }
    let across = axes[inside_u + inside_v - side_axis(shape, side)];
    let depth = place_on(across, select(across.points - 1u - ring, ring, side < 2u));
    return select(vec2<u32>(along, depth), vec2<u32>(depth, along), (side & 1u) == 0u);
}

fn core_point(shape: Shape, position: u32) -> vec2<u32> {
    if (shape.sides == 3u) {
        return vec2<u32>(0x5555u);
    }
    if (is_wide(shape)) {
        return vec2<u32>(place_on(axes[inside_u], shape.rings + position), 0x8000u);
    }
    return vec2<u32>(0x8000u, place_on(axes[inside_v], shape.inside.y - shape.rings - position));
}

fn emit_points(shape: Shape, to: Target, thread: u32) {
    let core = ring_start(shape, shape.rings);
    var ring = 0u;
    for (var number = thread; number < core + shape.core; number += emit_threads) {
        if (number >= core) {
            write_point(to, number, core_point(shape, number - core));
            continue;
        }
        while (number >= ring_start(shape, ring + 1u)) {
            ring++;
        }
        var position = number - ring_start(shape, ring);
        var side = 0u;
        while (position >= side_segments(shape, ring, side)) {
            position -= side_segments(shape, ring, side);
            side++;
        }
        write_point(to, number, ring_point(shape, ring, side, position));
    }
}

// ---- Triangles --------------------------------------------------------------------------------------------------

fn write_triangle(to: Target, number: u32, corners: vec3<u32>) {
    let word = header_words + (to.start.y + number) * 4u;
    let ordered = select(corners, corners.xzy, tessellation.output == output_ccw) + to.start.x;
    primitives[word] = to.primitive_id;
    primitives[word + 1u] = ordered.x;
    primitives[word + 2u] = ordered.y;
    primitives[word + 3u] = ordered.z;
}

// The number of a point on a side. The last point of a side is the first point of the next.
fn point_number(shape: Shape, ring: u32, side: u32, position: u32) -> u32 {
    let start = ring_start(shape, ring);
    if (ring == shape.rings) {
        let last = shape.core - 1u;
        switch ((side + select(1u, 0u, is_wide(shape))) & 3u) {
            case 0u: { return start; }
            case 1u: { return start + position; }
            case 2u: { return start + last; }
            default: { return start + last - position; }
        }
    }
    var number = position;
    var size = 0u;
    for (var before = 0u; before < shape.sides; before++) {
        let segments = side_segments(shape, ring, before);
        number += select(0u, segments, before < side);
        size += segments;
    }
    return start + select(number, 0u, number == size);
}

struct Band {
    ring: u32, // the outer ring of the band
    side: u32,
}

fn outer(shape: Shape, band: Band, position: u32) -> u32 {
    return point_number(shape, band.ring, band.side, position);
}

fn inner(shape: Shape, band: Band, position: u32) -> u32 {
    return point_number(shape, band.ring + 1u, band.side, position);
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

// Ring 0 and ring 1 may have different numbers of segments. The work is divided by place: 32 places of the
// first half, the middle, and the 32 places of the second half, which mirror the first.
const middle_place = 32u;
const place_count = 65u;

fn emit_edge_place(shape: Shape, to: Target, side: u32, place: u32, first: u32) {
    let band = Band(0u, side);
    let outside = outer_places[side];
    let inside = inner_places[side];
    let outer_odd = axes[side].odd;
    let inner_odd = axes[side_axis(shape, side)].odd;
    if (place < middle_place) {
        let before = (1u << place) - 1u;
        var o = countOneBits(outside & before);
        var i = countOneBits(inside & before);
        if (((inside >> place) & 1u) != 0u) {
            write_triangle(to, first + o + i,
                           vec3<u32>(inner(shape, band, i), outer(shape, band, o), inner(shape, band, i + 1u)));
            i++;
        }
        if (((outside >> place) & 1u) != 0u) {
            write_triangle(to, first + o + i,
                           vec3<u32>(outer(shape, band, o), outer(shape, band, o + 1u), inner(shape, band, i)));
        }
        return;
    }
    var o = countOneBits(outside);
    var i = countOneBits(inside);
    if (place == middle_place) {
        if (inner_odd != 0u) {
            write_triangle(to, first + o + i,
                           vec3<u32>(inner(shape, band, i), outer(shape, band, o), inner(shape, band, i + 1u)));
            i++;
        }
        if (outer_odd != 0u) {
            write_triangle(to, first + o + i,
                           vec3<u32>(inner(shape, band, i), outer(shape, band, o), outer(shape, band, o + 1u)));
        }
        return;
    }
    let mirror = place_count - 1u - place;
    o += outer_odd + countOneBits((outside >> mirror) >> 1u);
    i += inner_odd + countOneBits((inside >> mirror) >> 1u);
    if (((outside >> mirror) & 1u) != 0u) {
        write_triangle(to, first + o + i,
                       vec3<u32>(outer(shape, band, o), outer(shape, band, o + 1u), inner(shape, band, i)));
        o++;
    }
    if (((inside >> mirror) & 1u) != 0u) {
        write_triangle(to, first + o + i,
                       vec3<u32>(inner(shape, band, i), outer(shape, band, o), inner(shape, band, i + 1u)));
    }
}

fn emit_edges(shape: Shape, to: Target, thread: u32) {
    for (var work = thread; work < shape.sides * place_count; work += emit_threads) {
        let side = work / place_count;
        var first = 0u;
        for (var before = 0u; before < side; before++) {
            first += side_segments(shape, 0u, before) + side_segments(shape, 1u, before);
        }
        emit_edge_place(shape, to, side, work % place_count, first);
    }
}

// Inside ring 0 a side has two segments fewer than the same side of the ring around it: the band between them
// consists of quads, each cut toward the middle, and a triangle at either end.
fn band_triangle(shape: Shape, band: Band, number: u32) -> vec3<u32> {
    let segments = side_segments(shape, band.ring + 1u, band.side);
    if (number == 0u || number == 2u * segments + 1u) {
        let o = select(segments + 1u, 0u, number == 0u);
        let i = select(segments, 0u, number == 0u);
        return vec3<u32>(outer(shape, band, o), outer(shape, band, o + 1u), inner(shape, band, i));
    }
    let square = (number - 1u) >> 1u;
    let second = (number & 1u) == 0u;
    let o = vec2<u32>(outer(shape, band, square + 1u), outer(shape, band, square + 2u));
    let i = vec2<u32>(inner(shape, band, square), inner(shape, band, square + 1u));
    if (square < (segments + 1u) / 2u) {
        return select(vec3<u32>(o.x, i.y, i.x), vec3<u32>(o.x, o.y, i.y), second);
    }
    return select(vec3<u32>(i.x, o.x, o.y), vec3<u32>(i.x, o.y, i.y), second);
}

fn emit_bands(shape: Shape, to: Target, thread: u32) {
    let bands = band_count(shape);
    let end = band_start(shape, bands);
    var ring = 1u;
    for (var number = band_start(shape, 1u) + thread; number < end; number += emit_threads) {
        while (number >= band_start(shape, ring + 1u)) {
            ring++;
        }
        var band = Band(ring, 0u);
        var within = number - band_start(shape, ring);
        var size = 2u * side_segments(shape, ring + 1u, 0u) + 2u;
        while (within >= size) {
            within -= size;
            band.side++;
            size = 2u * side_segments(shape, ring + 1u, band.side) + 2u;
        }
        write_triangle(to, number, band_triangle(shape, band, within));
    }
}

fn strip_triangle(shape: Shape, number: u32) -> vec3<u32> {
    let ring = shape.rings - 1u;
    if (shape.sides == 3u) {
        return vec3<u32>(point_number(shape, ring, 0u, 0u), point_number(shape, ring, 1u, 0u),
                         point_number(shape, ring, 2u, 0u));
    }
    let side = u32(is_wide(shape));
    let segments = side_segments(shape, ring, side);
    let square = number >> 1u;
    let second = (number & 1u) != 0u;
    let o = vec2<u32>(point_number(shape, ring, side, square), point_number(shape, ring, side, square + 1u));
    let i = vec2<u32>(point_number(shape, ring, side + 2u, segments - square),
                      point_number(shape, ring, side + 2u, segments - square - 1u));
    if (is_wide(shape) || axes[inside_v].odd == 0u) {
        return select(vec3<u32>(i.x, o.x, o.y), vec3<u32>(i.x, o.y, i.y), second);
    }
    if (square == segments / 2u) {
        return select(vec3<u32>(o.x, i.y, i.x), vec3<u32>(o.x, o.y, i.y), second);
    }
    return select(vec3<u32>(o.x, o.y, i.x), vec3<u32>(i.x, o.y, i.y), second);
}

fn emit_strip(shape: Shape, to: Target, thread: u32) {
    let first = band_start(shape, band_count(shape));
    for (var number = thread; number < strip_count(shape); number += emit_threads) {
        write_triangle(to, first + number, strip_triangle(shape, number));
    }
}

// ---- Patches ----------------------------------------------------------------------------------------------------

fn emit_whole(shape: Shape, to: Target, thread: u32) {
    if (thread != 0u) {
        return;
    }
    if (shape.sides == 3u) {
        write_point(to, 0u, vec2<u32>(0u, one));
        write_point(to, 1u, vec2<u32>(0u, 0u));
        write_point(to, 2u, vec2<u32>(one, 0u));
    } else {
        write_point(to, 0u, vec2<u32>(0u, 0u));
        write_point(to, 1u, vec2<u32>(one, 0u));
        write_point(to, 2u, vec2<u32>(one, one));
        write_point(to, 3u, vec2<u32>(0u, one));
    }
    if (tessellation.output == output_point) {
        return;
    }
    if (shape.sides == 3u) {
        write_triangle(to, 0u, vec3<u32>(0u, 1u, 2u));
    } else {
        write_triangle(to, 0u, vec3<u32>(0u, 1u, 3u));
        write_triangle(to, 1u, vec3<u32>(1u, 2u, 3u));
    }
}

fn emit_lines(to: Target, thread: u32) {
    let lines = axes[0].points - 1u;
    let row = axes[1].points;
    for (var number = thread; number < lines * row; number += emit_threads) {
        write_point(to, number, vec2<u32>(place_on(axes[1], number % row), place_on(axes[0], number / row)));
    }
    if (tessellation.output == output_point) {
        return;
    }
    let segments = row - 1u;
    for (var number = thread; number < lines * segments; number += emit_threads) {
        let word = header_words + (to.start.y + number) * 3u;
        let point = to.start.x + number / segments * row + number % segments;
        primitives[word] = to.primitive_id;
        primitives[word + 1u] = point;
        primitives[word + 2u] = point + 1u;
    }
}

@compute @workgroup_size(emit_threads)
fn emit(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * groups.x;
    if (index >= patch_count()) {
        return;
    }
    let own = read_factors(index);
    if (own.culled) {
        return;
    }
    let to = Target(starts[index], index, patches[header_words + index * tessellation.patch_words]);
    if (thread < 6u) {
        axes[thread] = make_axis(thread, select(own.inside[thread & 1u], own.edges[thread & 3u], thread < inside_u));
    }
    workgroupBarrier();
    if (tessellation.domain == domain_isoline) {
        emit_lines(to, thread);
        return;
    }
    let shape = make_shape(own);
    if (shape.whole) {
        emit_whole(shape, to, thread);
        return;
    }
    if (thread < shape.sides) {
        let edge = axes[thread];
        let inside = axes[side_axis(shape, thread)];
        outer_places[thread] = occupied(edge.half - edge.odd);
        inner_places[thread] = occupied(inside.half - inside.odd) & ~1u;
    }
    workgroupBarrier();
    emit_points(shape, to, thread);
    if (tessellation.output == output_point) {
        return;
    }
    emit_edges(shape, to, thread);
    emit_bands(shape, to, thread);
    emit_strip(shape, to, thread);
}
