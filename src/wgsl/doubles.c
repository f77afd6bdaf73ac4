/* SPDX-License-Identifier: MIT
 *
 * Double-precision arithmetic, which WGSL lacks, in integers: IEEE 754 binary64 with denormals, rounded to
 * nearest even.
 *
 * A double is a vec2<u32>: low word, high word. Arithmetic unpacks it into a Wide: the sign (bit 31), the
 * exponent, and a 128-bit significand whose highest word comes first. Bit 127 has the value 1.0; zero has no
 * bit set.
 *
 * Results are rounded once, at the end (wide_round). That is correct because a right shift keeps a sticky
 * bit: if it loses any 1, the lowest bit becomes 1. A subtraction can cancel many bits only when the
 * exponents differ by at most one, and then the shift loses nothing.
 */
#include "wgsl/helpers.h"

/* clang-format off */
const struct ag_wgsl_helper_row ag_wgsl_double_helpers[AG_WGSL_HELPER_COUNT - AG_WGSL_FIRST_DOUBLE] = {
#define ROW(helper) [AG_WGSL_##helper - AG_WGSL_FIRST_DOUBLE]
    ROW(WIDE) = {"Wide",
        "struct Wide {\n"
        "    sign: u32,\n"
        "    exponent: i32,\n"
        "    bits: vec4<u32>,\n"
        "}\n", {0}, true},
    ROW(WIDE_SHIFT_LEFT) = {"wide_shift_left",
        "fn wide_shift_left(v: vec4<u32>, count: u32) -> vec4<u32> {\n"
        "    var r = v;\n"
        "    if ((count & 64u) != 0u) {\n"
        "        r = vec4<u32>(r.zw, 0u, 0u);\n"
        "    }\n"
        "    if ((count & 32u) != 0u) {\n"
        "        r = vec4<u32>(r.yzw, 0u);\n"
        "    }\n"
        "    let s = count & 31u;\n"
        "    if (s != 0u) {\n"
        "        r = (r << vec4<u32>(s)) | (vec4<u32>(r.yzw, 0u) >> vec4<u32>(32u - s));\n"
        "    }\n"
        "    return r;\n"
        "}\n", {0}, true},
    ROW(WIDE_SHIFT_RIGHT) = {"wide_shift_right",
        "fn wide_shift_right(v: vec4<u32>, distance: u32) -> vec4<u32> {\n"
        "    let count = min(distance, 127u);\n"
        "    var r = v;\n"
        "    var lost = 0u;\n"
        "    if ((count & 64u) != 0u) {\n"
        "        lost = r.z | r.w;\n"
        "        r = vec4<u32>(0u, 0u, r.xy);\n"
        "    }\n"
        "    if ((count & 32u) != 0u) {\n"
        "        lost |= r.w;\n"
        "        r = vec4<u32>(0u, r.xyz);\n"
        "    }\n"
        "    let s = count & 31u;\n"
        "    if (s != 0u) {\n"
        "        lost |= r.w << (32u - s);\n"
        "        r = (r >> vec4<u32>(s)) | (vec4<u32>(0u, r.xyz) << vec4<u32>(32u - s));\n"
        "    }\n"
        "    r.w |= select(0u, 1u, lost != 0u);\n"
        "    return r;\n"
        "}\n", {0}, true},
    ROW(WIDE_ADD) = {"wide_add",
        "fn wide_add(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {\n"
        "    let sum = a + b;\n"
        "    let carry = select(vec4<u32>(), vec4<u32>(1u), sum < a);\n"
        "    let z = sum.z + carry.w;\n"
        "    let over_z = carry.z | select(0u, 1u, z < sum.z);\n"
        "    let y = sum.y + over_z;\n"
        "    let over_y = carry.y | select(0u, 1u, y < sum.y);\n"
        "    return vec4<u32>(sum.x + over_y, y, z, sum.w);\n"
        "}\n", {0}, true},
    ROW(WIDE_NORMAL) = {"wide_normal",
        "fn wide_normal(x: Wide) -> Wide {\n"
        "    var zeros = countLeadingZeros(x.bits.x);\n"
        "    if (zeros == 32u) {\n"
        "        zeros += countLeadingZeros(x.bits.y);\n"
        "    }\n"
        "    if (zeros == 64u) {\n"
        "        zeros += countLeadingZeros(x.bits.z);\n"
        "    }\n"
        "    if (zeros == 96u) {\n"
        "        zeros += countLeadingZeros(x.bits.w);\n"
        "    }\n"
        "    return Wide(x.sign, x.exponent - i32(zeros), wide_shift_left(x.bits, zeros));\n"
        "}\n", {AG_WGSL_WIDE, AG_WGSL_WIDE_SHIFT_LEFT}, true},
    ROW(WIDE_FROM) = {"wide_from",
        "fn wide_from(a: vec2<u32>) -> Wide {\n"
        "    let exponent = (a.y >> 20u) & 0x7ffu;\n"
        "    let hidden = select(0u, 0x80000000u, exponent != 0u);\n"
        "    let high = hidden | ((a.y & 0xfffffu) << 11u) | (a.x >> 21u);\n"
        "    let bits = vec4<u32>(high, a.x << 11u, 0u, 0u);\n"
        "    return wide_normal(Wide(a.y & 0x80000000u, i32(max(exponent, 1u)) - 1023, bits));\n"
        "}\n", {AG_WGSL_WIDE_NORMAL}, true},
    ROW(WIDE_ROUND) = {"wide_round",
        "fn wide_round(x: Wide) -> vec2<u32> {\n"
        "    let n = wide_normal(x);\n"
        "    if (n.bits.x == 0u) {\n"
        "        return vec2<u32>(0u, n.sign);\n"
        "    }\n"
        "    let biased = n.exponent + 1023;\n"
        "    if (biased >= 2047) {\n"
        "        return vec2<u32>(0u, n.sign | 0x7ff00000u);\n"
        "    }\n"
        "    let bits = wide_shift_right(n.bits, u32(max(1 - biased, 0)));\n"
        "    let low = (bits.x << 21u) | (bits.y >> 11u);\n"
        "    let rest = bits.y & 0x7ffu;\n"
        "    let odd = ((bits.z | bits.w) != 0u) || ((low & 1u) != 0u);\n"
        "    let up = select(0u, 1u, rest > 0x400u || (rest == 0x400u && odd));\n"
        "    let carry = select(0u, up, low == 0xffffffffu);\n"
        "    let high = (u32(max(biased, 1) - 1) << 20u) + (bits.x >> 11u) + carry;\n"
        "    return vec2<u32>(low + up, n.sign | high);\n"
        "}\n", {AG_WGSL_WIDE_NORMAL, AG_WGSL_WIDE_SHIFT_RIGHT}, true},
    ROW(WIDE_LESS) = {"wide_less",
        "fn wide_less(a: vec4<u32>, b: vec4<u32>) -> bool {\n"
        "    if (a.x != b.x) {\n"
        "        return a.x < b.x;\n"
        "    }\n"
        "    if (a.y != b.y) {\n"
        "        return a.y < b.y;\n"
        "    }\n"
        "    if (a.z != b.z) {\n"
        "        return a.z < b.z;\n"
        "    }\n"
        "    return a.w < b.w;\n"
        "}\n", {0}, true},
    ROW(WIDE_SUM) = {"wide_sum",
        "fn wide_sum(a: Wide, b: Wide) -> vec2<u32> {\n"
        "    if (a.bits.x == 0u && b.bits.x == 0u) {\n"
        "        return vec2<u32>(0u, a.sign & b.sign);\n"
        "    }\n"
        "    if (a.bits.x == 0u) {\n"
        "        return wide_round(b);\n"
        "    }\n"
        "    if (b.bits.x == 0u) {\n"
        "        return wide_round(a);\n"
        "    }\n"
        "    var large = a;\n"
        "    var small = b;\n"
        "    if (b.exponent > a.exponent || (b.exponent == a.exponent && wide_less(a.bits, b.bits))) {\n"
        "        large = b;\n"
        "        small = a;\n"
        "    }\n"
        "    let x = wide_shift_right(large.bits, 1u);\n"
        "    var y = wide_shift_right(small.bits, u32(large.exponent - small.exponent) + 1u);\n"
        "    if (large.sign != small.sign) {\n"
        "        y = wide_add(~y, vec4<u32>(0u, 0u, 0u, 1u));\n"
        "    }\n"
        "    let sum = wide_add(x, y);\n"
        "    if (all(sum == vec4<u32>())) {\n"
        "        return vec2<u32>();\n"
        "    }\n"
        "    return wide_round(Wide(large.sign, large.exponent + 1, sum));\n"
        "}\n", {AG_WGSL_WIDE_ROUND, AG_WGSL_WIDE_LESS, AG_WGSL_WIDE_ADD}, true},
    ROW(WIDE_PRODUCT) = {"wide_product",
        "fn wide_product(a: Wide, b: Wide) -> Wide {\n"
        "    let ll = vec4<u32>(0u, 0u, umulhi(a.bits.y, b.bits.y), a.bits.y * b.bits.y);\n"
        "    let lh = vec4<u32>(0u, umulhi(a.bits.y, b.bits.x), a.bits.y * b.bits.x, 0u);\n"
        "    let hl = vec4<u32>(0u, umulhi(a.bits.x, b.bits.y), a.bits.x * b.bits.y, 0u);\n"
        "    let hh = vec4<u32>(umulhi(a.bits.x, b.bits.x), a.bits.x * b.bits.x, 0u, 0u);\n"
        "    let bits = wide_add(wide_add(ll, lh), wide_add(hl, hh));\n"
        "    return wide_normal(Wide(a.sign ^ b.sign, a.exponent + b.exponent + 1, bits));\n"
        "}\n", {AG_WGSL_WIDE_NORMAL, AG_WGSL_WIDE_ADD, AG_WGSL_UMULHI}, true},
    ROW(DNAN) = {"dnan",
        "fn dnan(a: vec2<u32>) -> bool {\n"
        "    let size = a.y & 0x7fffffffu;\n"
        "    return size > 0x7ff00000u || (size == 0x7ff00000u && a.x != 0u);\n"
        "}\n", {0}, true},
    ROW(DINF) = {"dinf",
        "fn dinf(a: vec2<u32>) -> bool {\n"
        "    return (a.y & 0x7fffffffu) == 0x7ff00000u && a.x == 0u;\n"
        "}\n", {0}, true},
    ROW(DZERO) = {"dzero",
        "fn dzero(a: vec2<u32>) -> bool {\n"
        "    return (a.x | (a.y << 1u)) == 0u;\n"
        "}\n", {0}, true},
    /* Total order of numbers that are not NaN, with -0 before +0. */
    ROW(DBEFORE) = {"dbefore",
        "fn dbefore(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    let x = select(a ^ vec2<u32>(0u, 0x80000000u), ~a, a.y >= 0x80000000u);\n"
        "    let y = select(b ^ vec2<u32>(0u, 0x80000000u), ~b, b.y >= 0x80000000u);\n"
        "    return x.y < y.y || (x.y == y.y && x.x < y.x);\n"
        "}\n", {0}, true},
    ROW(DADD) = {"dadd",
        "fn dadd(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    if (dnan(a) || dnan(b) || (dinf(a) && dinf(b) && a.y != b.y)) {\n"
        "        return vec2<u32>(0u, 0x7ff80000u);\n"
        "    }\n"
        "    if (dinf(a) || dinf(b)) {\n"
        "        return select(b, a, dinf(a));\n"
        "    }\n"
        "    return wide_sum(wide_from(a), wide_from(b));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DINF, AG_WGSL_WIDE_FROM, AG_WGSL_WIDE_SUM}, true},
    ROW(DMUL) = {"dmul",
        "fn dmul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    if (dnan(a) || dnan(b) || (dinf(a) && dzero(b)) || (dzero(a) && dinf(b))) {\n"
        "        return vec2<u32>(0u, 0x7ff80000u);\n"
        "    }\n"
        "    if (dinf(a) || dinf(b)) {\n"
        "        return vec2<u32>(0u, ((a.y ^ b.y) & 0x80000000u) | 0x7ff00000u);\n"
        "    }\n"
        "    return wide_round(wide_product(wide_from(a), wide_from(b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DINF, AG_WGSL_DZERO, AG_WGSL_WIDE_FROM,
                AG_WGSL_WIDE_PRODUCT, AG_WGSL_WIDE_ROUND}, true},
    ROW(DFMA) = {"dfma",
        "fn dfma(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>) -> vec2<u32> {\n"
        "    let endless = dinf(a) || dinf(b);\n"
        "    let product = vec2<u32>(0u, ((a.y ^ b.y) & 0x80000000u) | 0x7ff00000u);\n"
        "    if (dnan(a) || dnan(b) || dnan(c) || (endless && (dzero(a) || dzero(b)))) {\n"
        "        return vec2<u32>(0u, 0x7ff80000u);\n"
        "    }\n"
        "    if (endless && dinf(c) && product.y != c.y) {\n"
        "        return vec2<u32>(0u, 0x7ff80000u);\n"
        "    }\n"
        "    if (endless || dinf(c)) {\n"
        "        return select(c, product, endless);\n"
        "    }\n"
        "    return wide_sum(wide_product(wide_from(a), wide_from(b)), wide_from(c));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DINF, AG_WGSL_DZERO, AG_WGSL_WIDE_FROM,
                AG_WGSL_WIDE_PRODUCT, AG_WGSL_WIDE_SUM}, true},
    ROW(DDIV) = {"ddiv",
        "fn ddiv(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    let sign = (a.y ^ b.y) & 0x80000000u;\n"
        "    if (dnan(a) || dnan(b) || (dinf(a) && dinf(b)) || (dzero(a) && dzero(b))) {\n"
        "        return vec2<u32>(0u, 0x7ff80000u);\n"
        "    }\n"
        "    if (dinf(a) || dzero(b)) {\n"
        "        return vec2<u32>(0u, sign | 0x7ff00000u);\n"
        "    }\n"
        "    if (dzero(a) || dinf(b)) {\n"
        "        return vec2<u32>(0u, sign);\n"
        "    }\n"
        "    let x = wide_from(a);\n"
        "    let y = wide_from(b);\n"
        "    let divisor = wide_shift_right(y.bits, 11u).xy;\n"
        "    var rest = wide_shift_right(x.bits, 11u).xy;\n"
        "    var quotient = vec2<u32>();\n"
        "    for (var i = 0u; i < 64u; i++) {\n"
        "        quotient = vec2<u32>((quotient.x << 1u) | (quotient.y >> 31u), quotient.y << 1u);\n"
        "        if (rest.x > divisor.x || (rest.x == divisor.x && rest.y >= divisor.y)) {\n"
        "            let under = select(0u, 1u, rest.y < divisor.y);\n"
        "            rest = vec2<u32>(rest.x - divisor.x - under, rest.y - divisor.y);\n"
        "            quotient.y |= 1u;\n"
        "        }\n"
        "        rest = vec2<u32>((rest.x << 1u) | (rest.y >> 31u), rest.y << 1u);\n"
        "    }\n"
        "    let more = select(0u, 1u, (rest.x | rest.y) != 0u);\n"
        "    return wide_round(Wide(sign, x.exponent - y.exponent, vec4<u32>(quotient, 0u, more)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DINF, AG_WGSL_DZERO, AG_WGSL_WIDE_FROM,
                AG_WGSL_WIDE_SHIFT_RIGHT, AG_WGSL_WIDE_ROUND}, true},
    ROW(DRCP) = {"drcp",
        "fn drcp(a: vec2<u32>) -> vec2<u32> {\n"
        "    return ddiv(vec2<u32>(0u, 0x3ff00000u), a);\n"
        "}\n", {AG_WGSL_DDIV}, true},
    ROW(DMIN) = {"dmin",
        "fn dmin(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    return select(b, a, dnan(b) || (!dnan(a) && dbefore(a, b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DBEFORE}, true},
    ROW(DMAX) = {"dmax",
        "fn dmax(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    return select(a, b, dnan(a) || (!dnan(b) && dbefore(a, b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DBEFORE}, true},
    ROW(DSATURATE) = {"dsat",
        "fn dsat(a: vec2<u32>) -> vec2<u32> {\n"
        "    return dmin(dmax(a, vec2<u32>()), vec2<u32>(0u, 0x3ff00000u));\n"
        "}\n", {AG_WGSL_DMIN, AG_WGSL_DMAX}, true},
    ROW(DLT) = {"dlt",
        "fn dlt(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    return !dnan(a) && !dnan(b) && !(dzero(a) && dzero(b)) && dbefore(a, b);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DBEFORE}, true},
    ROW(DGE) = {"dge",
        "fn dge(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    return !dnan(a) && !dnan(b) && ((dzero(a) && dzero(b)) || !dbefore(a, b));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DBEFORE}, true},
    ROW(DEQ) = {"deq",
        "fn deq(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    return !dnan(a) && (all(a == b) || (dzero(a) && dzero(b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO}, true},
    ROW(DNE) = {"dne",
        "fn dne(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    return !deq(a, b);\n"
        "}\n", {AG_WGSL_DEQ}, true},
    ROW(DTOF) = {"dtof",
        "fn dtof(a: vec2<u32>) -> f32 {\n"
        "    let sign = a.y & 0x80000000u;\n"
        "    if (dnan(a)) {\n"
        "        return bitcast<f32>(sign | 0x7fc00000u);\n"
        "    }\n"
        "    let x = wide_from(a);\n"
        "    let biased = x.exponent + 127;\n"
        "    if (biased >= 255) {\n"
        "        return bitcast<f32>(sign | 0x7f800000u);\n"
        "    }\n"
        "    let bits = wide_shift_right(x.bits, u32(max(1 - biased, 0)));\n"
        "    let whole = bits.x >> 8u;\n"
        "    let rest = bits.x & 0xffu;\n"
        "    let odd = ((bits.y | bits.z | bits.w) != 0u) || ((whole & 1u) != 0u);\n"
        "    let up = select(0u, 1u, rest > 0x80u || (rest == 0x80u && odd));\n"
        "    return bitcast<f32>(sign | ((u32(max(biased, 1) - 1) << 23u) + whole + up));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_WIDE_FROM, AG_WGSL_WIDE_SHIFT_RIGHT}, true},
    ROW(FTOD) = {"ftod",
        "fn ftod(x: f32) -> vec2<u32> {\n"
        "    let bits = bitcast<u32>(x);\n"
        "    let sign = bits & 0x80000000u;\n"
        "    let exponent = (bits >> 23u) & 0xffu;\n"
        "    let fraction = bits & 0x007fffffu;\n"
        "    if (exponent == 0xffu) {\n"
        "        let quiet = select(0u, 0x80000u, fraction != 0u);\n"
        "        return vec2<u32>(fraction << 29u, sign | 0x7ff00000u | quiet | (fraction >> 3u));\n"
        "    }\n"
        "    let whole = (fraction << 8u) | select(0u, 0x80000000u, exponent != 0u);\n"
        "    return wide_round(Wide(sign, i32(max(exponent, 1u)) - 127, vec4<u32>(whole, 0u, 0u, 0u)));\n"
        "}\n", {AG_WGSL_WIDE_ROUND}, true},
    ROW(DTOI) = {"dtoi",
        "fn dtoi(a: vec2<u32>) -> i32 {\n"
        "    let x = wide_from(a);\n"
        "    if (dnan(a) || x.exponent < 0) {\n"
        "        return 0;\n"
        "    }\n"
        "    let size = i32(x.bits.x >> u32(31 - min(x.exponent, 31)));\n"
        "    let value = select(size, -size, x.sign != 0u);\n"
        "    let limit = select(0x7fffffff, -0x7fffffff - 1, x.sign != 0u);\n"
        "    return select(value, limit, x.exponent >= 31);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_WIDE_FROM}, true},
    ROW(DTOU) = {"dtou",
        "fn dtou(a: vec2<u32>) -> u32 {\n"
        "    let x = wide_from(a);\n"
        "    if (dnan(a) || x.exponent < 0 || x.sign != 0u) {\n"
        "        return 0u;\n"
        "    }\n"
        "    return select(x.bits.x >> u32(31 - min(x.exponent, 31)), 0xffffffffu, x.exponent > 31);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_WIDE_FROM}, true},
    ROW(ITOD) = {"itod",
        "fn itod(x: i32) -> vec2<u32> {\n"
        "    let sign = bitcast<u32>(x) & 0x80000000u;\n"
        "    return wide_round(Wide(sign, 31, vec4<u32>(bitcast<u32>(abs(x)), 0u, 0u, 0u)));\n"
        "}\n", {AG_WGSL_WIDE_ROUND}, true},
    ROW(UTOD) = {"utod",
        "fn utod(x: u32) -> vec2<u32> {\n"
        "    return wide_round(Wide(0u, 31, vec4<u32>(x, 0u, 0u, 0u)));\n"
        "}\n", {AG_WGSL_WIDE_ROUND}, true},
#undef ROW
};
/* clang-format on */
