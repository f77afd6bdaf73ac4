/* SPDX-License-Identifier: MIT
 *
 * Double-precision arithmetic, which WGSL lacks, in integers: IEEE 754 binary64 with denormals, rounded to
 * nearest even.
 *
 * A double is a vec2<u32>: low word, high word. A significand has its highest word first; unpack_double()
 * makes one whose bit 63 has the value 1.0 (zero has no bit set), and products and sums of products have 128
 * bits.
 *
 * Results are rounded once, at the end (pack). That is correct because a right shift keeps a sticky bit: if
 * it loses any 1, the lowest bit becomes 1. A subtraction can cancel many bits only when the exponents differ
 * by at most one, and then the shift loses nothing.
 *
 * Drivers inline every call, and branches take their compilers more time than anything else. There are none:
 * special operands are computed like others, and their results are chosen afterwards.
 */
#include "wgsl/helpers.h"

/* clang-format off */
const struct ag_wgsl_helper_row ag_wgsl_double_helpers[AG_WGSL_HELPER_COUNT - AG_WGSL_FIRST_DOUBLE] = {
#define ROW(helper) [AG_WGSL_##helper - AG_WGSL_FIRST_DOUBLE]
    ROW(LEADING_ZEROS64) = {"leading_zeros64",
        "fn leading_zeros64(v: vec2<u32>) -> u32 {\n"
        "    return select(countLeadingZeros(v.x), 32u + countLeadingZeros(v.y), v.x == 0u);\n"
        "}\n", {0}, true},
    ROW(SHIFT_LEFT64) = {"shift_left64",
        "fn shift_left64(v: vec2<u32>, count: u32) -> vec2<u32> {\n"
        "    let w = select(v, vec2<u32>(v.y, 0u), (count & 32u) != 0u);\n"
        "    let s = count & 31u;\n"
        "    return vec2<u32>((w.x << s) | ((w.y >> 1u) >> (31u - s)), w.y << s);\n"
        "}\n", {0}, true},
    ROW(SHIFT_RIGHT64) = {"shift_right64",
        "fn shift_right64(v: vec2<u32>, count: u32) -> vec2<u32> {\n"
        "    let w = select(v, vec2<u32>(0u, v.x), (count & 32u) != 0u);\n"
        "    let s = count & 31u;\n"
        "    let lost = (w.y & ((1u << s) - 1u)) | select(0u, v.y, (count & 32u) != 0u);\n"
        "    return vec2<u32>(w.x >> s, (w.y >> s) | ((w.x << 1u) << (31u - s)) | min(lost, 1u));\n"
        "}\n", {0}, true},
    ROW(SHIFT_LEFT128) = {"shift_left128",
        "fn shift_left128(v: vec4<u32>, count: u32) -> vec4<u32> {\n"
        "    let u = select(v, vec4<u32>(v.zw, 0u, 0u), (count & 64u) != 0u);\n"
        "    let w = select(u, vec4<u32>(u.yzw, 0u), (count & 32u) != 0u);\n"
        "    let s = vec4<u32>(count & 31u);\n"
        "    return (w << s) | ((vec4<u32>(w.yzw, 0u) >> vec4<u32>(1u)) >> (vec4<u32>(31u) - s));\n"
        "}\n", {0}, true},
    ROW(SHIFT_RIGHT128) = {"shift_right128",
        "fn shift_right128(v: vec4<u32>, count: u32) -> vec4<u32> {\n"
        "    let u = select(v, vec4<u32>(0u, 0u, v.xy), (count & 64u) != 0u);\n"
        "    let w = select(u, vec4<u32>(0u, u.xyz), (count & 32u) != 0u);\n"
        "    let s = vec4<u32>(count & 31u);\n"
        "    let lost = select(0u, v.z | v.w, (count & 64u) != 0u) | select(0u, u.w, (count & 32u) != 0u) |\n"
        "               (w.w & ((1u << s.w) - 1u));\n"
        "    let r = (w >> s) | ((vec4<u32>(0u, w.xyz) << vec4<u32>(1u)) << (vec4<u32>(31u) - s));\n"
        "    return vec4<u32>(r.xyz, r.w | min(lost, 1u));\n"
        "}\n", {0}, true},
    ROW(LESS128) = {"less128",
        "fn less128(a: vec4<u32>, b: vec4<u32>) -> bool {\n"
        "    let less = a < b;\n"
        "    let same = a == b;\n"
        "    return less.x | (same.x & (less.y | (same.y & (less.z | (same.z & less.w)))));\n"
        "}\n", {0}, true},
    ROW(ADD128) = {"add128",
        "fn add128(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {\n"
        "    let sum = a + b;\n"
        "    let carry = select(vec4<u32>(), vec4<u32>(1u), sum < a);\n"
        "    let z = sum.z + carry.w;\n"
        "    let over_z = carry.z | select(0u, 1u, z < sum.z);\n"
        "    let y = sum.y + over_z;\n"
        "    let over_y = carry.y | select(0u, 1u, y < sum.y);\n"
        "    return vec4<u32>(sum.x + over_y, y, z, sum.w);\n"
        "}\n", {0}, true},
    ROW(PRODUCT128) = {"product128",
        "fn product128(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {\n"
        "    let low = a.xxyy * b.xyxy;\n"
        "    let high = vec4<u32>(umulhi(a.x, b.x), umulhi(a.x, b.y), umulhi(a.y, b.x), umulhi(a.y, b.y));\n"
        "    let cross = add128(vec4<u32>(0u, high.y, low.y, 0u), vec4<u32>(0u, high.z, low.z, 0u));\n"
        "    return add128(vec4<u32>(high.x, low.x, high.w, low.w), cross);\n"
        "}\n", {AG_WGSL_ADD128, AG_WGSL_UMULHI}, true},
    ROW(UNPACKED) = {"Unpacked",
        "struct Unpacked {\n"
        "    exponent: i32,\n"
        "    bits: vec2<u32>,\n"
        "}\n", {0}, true},
    ROW(UNPACK_DOUBLE) = {"unpack_double",
        "fn unpack_double(a: vec2<u32>) -> Unpacked {\n"
        "    let exponent = (a.y >> 20u) & 0x7ffu;\n"
        "    let high = ((a.y & 0xfffffu) << 11u) | (a.x >> 21u) | select(0u, 0x80000000u, exponent != 0u);\n"
        "    let bits = vec2<u32>(high, a.x << 11u);\n"
        "    let zeros = leading_zeros64(bits);\n"
        "    return Unpacked(i32(max(exponent, 1u)) - 1023 - i32(zeros), shift_left64(bits, zeros));\n"
        "}\n", {AG_WGSL_UNPACKED, AG_WGSL_LEADING_ZEROS64, AG_WGSL_SHIFT_LEFT64}, true},
    /* `biased` is at least 1, and 1 where the highest bit is 0. */
    ROW(PACK_DOUBLE) = {"pack_double",
        "fn pack_double(sign: u32, biased: i32, bits: vec2<u32>) -> vec2<u32> {\n"
        "    let cut = (bits.x << 21u) | (bits.y >> 11u);\n"
        "    let up = ((bits.y & 0x7ffu) + 0x3ffu + (cut & 1u)) >> 11u;\n"
        "    let low = cut + up;\n"
        "    let carry = select(0u, 1u, low < up);\n"
        "    let high = select(u32(biased - 1) << 20u, 0u, bits.x == 0u) + (bits.x >> 11u) + carry;\n"
        "    return select(vec2<u32>(low, sign | high), vec2<u32>(0u, sign | 0x7ff00000u), biased >= 2047);\n"
        "}\n", {0}, true},
    ROW(ROUND_DOUBLE) = {"round_double",
        "fn round_double(sign: u32, exponent: i32, bits: vec2<u32>) -> vec2<u32> {\n"
        "    let biased = exponent + 1023;\n"
        "    return pack_double(sign, max(biased, 1), shift_right64(bits, u32(clamp(1 - biased, 0, 63))));\n"
        "}\n", {AG_WGSL_PACK_DOUBLE, AG_WGSL_SHIFT_RIGHT64}, true},
    ROW(DNAN) = {"dnan",
        "fn dnan(a: vec2<u32>) -> bool {\n"
        "    let size = a.y & 0x7fffffffu;\n"
        "    return (size > 0x7ff00000u) | ((size == 0x7ff00000u) & (a.x != 0u));\n"
        "}\n", {0}, true},
    ROW(DZERO) = {"dzero",
        "fn dzero(a: vec2<u32>) -> bool {\n"
        "    return (a.x | (a.y << 1u)) == 0u;\n"
        "}\n", {0}, true},
    /* Infinity or NaN. */
    ROW(DSPECIAL) = {"dspecial",
        "fn dspecial(a: vec2<u32>) -> bool {\n"
        "    return (a.y & 0x7ff00000u) == 0x7ff00000u;\n"
        "}\n", {0}, true},
    /* Total order of numbers that are not NaN, with -0 before +0. */
    ROW(DBEFORE) = {"dbefore",
        "fn dbefore(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    let x = select(a ^ vec2<u32>(0u, 0x80000000u), ~a, a.y >= 0x80000000u);\n"
        "    let y = select(b ^ vec2<u32>(0u, 0x80000000u), ~b, b.y >= 0x80000000u);\n"
        "    return (x.y < y.y) | ((x.y == y.y) & (x.x < y.x));\n"
        "}\n", {0}, true},
    /* Bit 62 of the significands has the value 1.0 here. The result of a subtraction that is small enough to be a
     * denormal is exact. */
    ROW(DADD) = {"dadd",
        "fn dadd(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    let sizes = vec2<u32>(a.y, b.y) & vec2<u32>(0x7fffffffu);\n"
        "    let swap = (sizes.x < sizes.y) | ((sizes.x == sizes.y) & (a.x < b.x));\n"
        "    let x = select(a, b, swap);\n"
        "    let y = select(b, a, swap);\n"
        "    let high = vec2<u32>(x.y, y.y);\n"
        "    let low = vec2<u32>(x.x, y.x);\n"
        "    let exponent = (high >> vec2<u32>(20u)) & vec2<u32>(0x7ffu);\n"
        "    let hidden = select(vec2<u32>(), vec2<u32>(0x40000000u), exponent != vec2<u32>());\n"
        "    let tops = ((high & vec2<u32>(0xfffffu)) << vec2<u32>(10u)) | (low >> vec2<u32>(22u)) | hidden;\n"
        "    let biased = max(exponent, vec2<u32>(1u));\n"
        "    let small = shift_right64(vec2<u32>(tops.y, low.y << 10u), min(biased.x - biased.y, 63u));\n"
        "    let minus = (x.y ^ y.y) >> 31u;\n"
        "    let addend = small ^ vec2<u32>(0u - minus);\n"
        "    let part = (low.x << 10u) + addend.y;\n"
        "    let carry = select(0u, 1u, part < addend.y);\n"
        "    let end = part + minus;\n"
        "    let sum = vec2<u32>(tops.x + addend.x + carry + select(0u, 1u, end < part), end);\n"
        "    let shift = min(leading_zeros64(sum), biased.x);\n"
        "    let sign = select(x.y, x.y & y.y, (sum.x | sum.y) == 0u) & 0x80000000u;\n"
        "    let r = pack_double(sign, i32(biased.x + 1u - shift), shift_left64(sum, shift));\n"
        "    let invalid = dnan(x) | (dspecial(y) & (minus != 0u));\n"
        "    return select(select(r, x, dspecial(x)), vec2<u32>(0u, 0x7ff80000u), invalid);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DSPECIAL, AG_WGSL_SHIFT_RIGHT64, AG_WGSL_SHIFT_LEFT64, AG_WGSL_LEADING_ZEROS64, AG_WGSL_PACK_DOUBLE}, true},
    ROW(DMUL) = {"dmul",
        "fn dmul(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    let x = unpack_double(a);\n"
        "    let y = unpack_double(b);\n"
        "    let sign = (a.y ^ b.y) & 0x80000000u;\n"
        "    let product = product128(x.bits, y.bits);\n"
        "    let bits = vec2<u32>(product.x, product.y | min(product.z | product.w, 1u));\n"
        "    let shift = 1u - (product.x >> 31u);\n"
        "    let r = round_double(sign, x.exponent + y.exponent + 1 - i32(shift), shift_left64(bits, shift));\n"
        "    let invalid = dnan(a) | dnan(b) | ((dspecial(a) | dspecial(b)) & (dzero(a) | dzero(b)));\n"
        "    let endless = select(r, vec2<u32>(0u, sign | 0x7ff00000u), dspecial(a) | dspecial(b));\n"
        "    return select(endless, vec2<u32>(0u, 0x7ff80000u), invalid);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DSPECIAL, AG_WGSL_UNPACK_DOUBLE, AG_WGSL_PRODUCT128, AG_WGSL_ROUND_DOUBLE}, true},
    /* Zeros get an exponent below all others. */
    ROW(DFMA) = {"dfma",
        "fn dfma(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>) -> vec2<u32> {\n"
        "    let p = unpack_double(a);\n"
        "    let q = unpack_double(b);\n"
        "    let r = unpack_double(c);\n"
        "    let signs = vec2<u32>(a.y ^ b.y, c.y) & vec2<u32>(0x80000000u);\n"
        "    let wide = product128(p.bits, q.bits);\n"
        "    let shift = 1u - (wide.x >> 31u);\n"
        "    let product = shift_left128(wide, shift);\n"
        "    let addend = vec4<u32>(r.bits, 0u, 0u);\n"
        "    let places = vec2<i32>(p.exponent + q.exponent + 1 - i32(shift), r.exponent);\n"
        "    let exponents = select(places, vec2<i32>(-5000), vec2<u32>(wide.x, r.bits.x) == vec2<u32>());\n"
        "    let swap = (exponents.x < exponents.y) | ((exponents.x == exponents.y) & less128(product, addend));\n"
        "    let e = select(exponents, exponents.yx, swap);\n"
        "    let s = select(signs, signs.yx, swap);\n"
        "    let large = shift_right128(select(product, addend, swap), 1u);\n"
        "    let small = shift_right128(select(addend, product, swap), u32(min(e.x - e.y + 1, 127)));\n"
        "    let minus = (s.x ^ s.y) >> 31u;\n"
        "    let negated = add128(small ^ vec4<u32>(0u - minus), vec4<u32>(0u, 0u, 0u, minus));\n"
        "    let sum = add128(large, negated);\n"
        "    let zeros = select(leading_zeros64(sum.xy), 64u + leading_zeros64(sum.zw), (sum.x | sum.y) == 0u);\n"
        "    let normal = shift_left128(sum, zeros);\n"
        "    let bits = vec2<u32>(normal.x, normal.y | min(normal.z | normal.w, 1u));\n"
        "    let rounded = round_double(select(s.x, s.x & s.y, normal.x == 0u), e.x + 1 - i32(zeros), bits);\n"
        "    let infinite = dspecial(a) | dspecial(b);\n"
        "    let product_or_addend = vec2<u32>(0u, select(signs.y, signs.x, infinite) | 0x7ff00000u);\n"
        "    let endless = select(rounded, product_or_addend, infinite | dspecial(c));\n"
        "    let invalid = dnan(a) | dnan(b) | dnan(c) | (infinite & (dzero(a) | dzero(b))) |\n"
        "                  (infinite & dspecial(c) & (signs.x != signs.y));\n"
        "    return select(endless, vec2<u32>(0u, 0x7ff80000u), invalid);\n"
        "}\n", {AG_WGSL_UNPACK_DOUBLE, AG_WGSL_PRODUCT128, AG_WGSL_SHIFT_LEFT128, AG_WGSL_SHIFT_RIGHT128, AG_WGSL_LESS128,
                AG_WGSL_ROUND_DOUBLE, AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DSPECIAL}, true},
    ROW(DDIV) = {"ddiv",
        "fn ddiv(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    let x = unpack_double(a);\n"
        "    let y = unpack_double(b);\n"
        "    let sign = (a.y ^ b.y) & 0x80000000u;\n"
        "    let divisor = shift_right64(y.bits, 11u);\n"
        "    var rest = shift_right64(x.bits, 11u);\n"
        "    var quotient = vec2<u32>();\n"
        "    for (var i = 0u; i < 64u; i++) {\n"
        "        let under = select(0u, 1u, rest.y < divisor.y);\n"
        "        let goes = (rest.x > divisor.x) | ((rest.x == divisor.x) & (under == 0u));\n"
        "        rest = select(rest, vec2<u32>(rest.x - divisor.x - under, rest.y - divisor.y), goes);\n"
        "        rest = vec2<u32>((rest.x << 1u) | (rest.y >> 31u), rest.y << 1u);\n"
        "        quotient = vec2<u32>((quotient.x << 1u) | (quotient.y >> 31u), (quotient.y << 1u) | select(0u, 1u, goes));\n"
        "    }\n"
        "    let shift = 1u - (quotient.x >> 31u);\n"
        "    let bits = shift_left64(quotient, shift) | vec2<u32>(0u, min(rest.x | rest.y, 1u));\n"
        "    let r = round_double(sign, x.exponent - y.exponent - i32(shift), bits);\n"
        "    let endless = select(r, vec2<u32>(0u, sign | 0x7ff00000u), dspecial(a) | dzero(b));\n"
        "    let finite = select(endless, vec2<u32>(0u, sign), (dzero(a) | dspecial(b)) & !dspecial(a));\n"
        "    let invalid = dnan(a) | dnan(b) | (dspecial(a) & dspecial(b)) | (dzero(a) & dzero(b));\n"
        "    return select(finite, vec2<u32>(0u, 0x7ff80000u), invalid);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DSPECIAL, AG_WGSL_DZERO, AG_WGSL_UNPACK_DOUBLE, AG_WGSL_ROUND_DOUBLE}, true},
    ROW(DRCP) = {"drcp",
        "fn drcp(a: vec2<u32>) -> vec2<u32> {\n"
        "    return ddiv(vec2<u32>(0u, 0x3ff00000u), a);\n"
        "}\n", {AG_WGSL_DDIV}, true},
    ROW(DMIN) = {"dmin",
        "fn dmin(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    return select(b, a, dnan(b) | (!dnan(a) & dbefore(a, b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DBEFORE}, true},
    ROW(DMAX) = {"dmax",
        "fn dmax(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n"
        "    return select(a, b, dnan(a) | (!dnan(b) & dbefore(a, b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DBEFORE}, true},
    ROW(DSATURATE) = {"dsat",
        "fn dsat(a: vec2<u32>) -> vec2<u32> {\n"
        "    return dmin(dmax(a, vec2<u32>()), vec2<u32>(0u, 0x3ff00000u));\n"
        "}\n", {AG_WGSL_DMIN, AG_WGSL_DMAX}, true},
    ROW(DLT) = {"dlt",
        "fn dlt(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    return !(dnan(a) | dnan(b) | (dzero(a) & dzero(b))) & dbefore(a, b);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DBEFORE}, true},
    ROW(DGE) = {"dge",
        "fn dge(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    return !(dnan(a) | dnan(b)) & ((dzero(a) & dzero(b)) | !dbefore(a, b));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DBEFORE}, true},
    ROW(DEQ) = {"deq",
        "fn deq(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    return !dnan(a) & (all(a == b) | (dzero(a) & dzero(b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO}, true},
    ROW(DNE) = {"dne",
        "fn dne(a: vec2<u32>, b: vec2<u32>) -> bool {\n"
        "    return !deq(a, b);\n"
        "}\n", {AG_WGSL_DEQ}, true},
    /* All double denormals are below the floats. */
    ROW(DTOF) = {"dtof",
        "fn dtof(a: vec2<u32>) -> f32 {\n"
        "    let sign = a.y & 0x80000000u;\n"
        "    let biased = i32((a.y >> 20u) & 0x7ffu) - 896;\n"
        "    let top = 0x80000000u | ((a.y & 0xfffffu) << 11u) | (a.x >> 21u) | min(a.x << 11u, 1u);\n"
        "    let s = u32(clamp(1 - biased, 0, 31));\n"
        "    let bits = (top >> s) | min(top & ((1u << s) - 1u), 1u);\n"
        "    let whole = bits >> 8u;\n"
        "    let up = ((bits & 0xffu) + 0x7fu + (whole & 1u)) >> 8u;\n"
        "    let r = select((u32(max(biased, 1) - 1) << 23u) + whole + up, 0x7f800000u, biased >= 255);\n"
        "    return bitcast<f32>(sign | select(r, 0x7fc00000u, dnan(a)));\n"
        "}\n", {AG_WGSL_DNAN}, true},
    /* The double whole / 2^31 * 2^(biased - 1023). */
    ROW(DWHOLE) = {"dwhole",
        "fn dwhole(sign: u32, biased: u32, whole: u32) -> vec2<u32> {\n"
        "    let zeros = countLeadingZeros(whole);\n"
        "    let bits = whole << (zeros & 31u);\n"
        "    let high = ((biased - 1u - zeros) << 20u) + (bits >> 11u);\n"
        "    return select(vec2<u32>(bits << 21u, sign | high), vec2<u32>(0u, sign), whole == 0u);\n"
        "}\n", {0}, true},
    ROW(FTOD) = {"ftod",
        "fn ftod(x: f32) -> vec2<u32> {\n"
        "    let bits = bitcast<u32>(x);\n"
        "    let sign = bits & 0x80000000u;\n"
        "    let exponent = (bits >> 23u) & 0xffu;\n"
        "    let fraction = bits & 0x007fffffu;\n"
        "    let quiet = select(0u, 0x80000u, fraction != 0u);\n"
        "    let special = vec2<u32>(fraction << 29u, sign | 0x7ff00000u | quiet | (fraction >> 3u));\n"
        "    let whole = (fraction << 8u) | select(0u, 0x80000000u, exponent != 0u);\n"
        "    return select(dwhole(sign, max(exponent, 1u) + 896u, whole), special, exponent == 0xffu);\n"
        "}\n", {AG_WGSL_DWHOLE}, true},
    ROW(DTOI) = {"dtoi",
        "fn dtoi(a: vec2<u32>) -> i32 {\n"
        "    let exponent = i32((a.y >> 20u) & 0x7ffu) - 1023;\n"
        "    let bits = 0x80000000u | ((a.y & 0xfffffu) << 11u) | (a.x >> 21u);\n"
        "    let size = i32(bits >> u32(clamp(31 - exponent, 0, 31)));\n"
        "    let negative = a.y >= 0x80000000u;\n"
        "    let limit = select(0x7fffffff, -0x7fffffff - 1, negative);\n"
        "    let value = select(select(size, -size, negative), limit, exponent >= 31);\n"
        "    return select(value, 0, dnan(a) | (exponent < 0));\n"
        "}\n", {AG_WGSL_DNAN}, true},
    ROW(DTOU) = {"dtou",
        "fn dtou(a: vec2<u32>) -> u32 {\n"
        "    let exponent = i32((a.y >> 20u) & 0x7ffu) - 1023;\n"
        "    let bits = 0x80000000u | ((a.y & 0xfffffu) << 11u) | (a.x >> 21u);\n"
        "    let value = select(bits >> u32(clamp(31 - exponent, 0, 31)), 0xffffffffu, exponent > 31);\n"
        "    return select(value, 0u, dnan(a) | (exponent < 0) | (a.y >= 0x80000000u));\n"
        "}\n", {AG_WGSL_DNAN}, true},
    ROW(ITOD) = {"itod",
        "fn itod(x: i32) -> vec2<u32> {\n"
        "    return dwhole(bitcast<u32>(x) & 0x80000000u, 1054u, bitcast<u32>(abs(x)));\n"
        "}\n", {AG_WGSL_DWHOLE}, true},
    ROW(UTOD) = {"utod",
        "fn utod(x: u32) -> vec2<u32> {\n"
        "    return dwhole(0u, 1054u, x);\n"
        "}\n", {AG_WGSL_DWHOLE}, true},
#undef ROW
};
/* clang-format on */
