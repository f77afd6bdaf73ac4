/* SPDX-License-Identifier: MIT
 *
 * Double-precision arithmetic, which WGSL lacks, in integers: IEEE 754 binary64 with denormals, rounded to
 * nearest even.
 *
 * A double is a vec2u: low word, high word. A significand has its highest word first; unpack_double()
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
        "fn leading_zeros64(v: vec2u) -> u32 {\n"
        "\treturn select(countLeadingZeros(v.x), 32u + countLeadingZeros(v.y), v.x == 0u);\n"
        "}\n", {0}, true},
    ROW(SHIFT_LEFT64) = {"shift_left64",
        "fn shift_left64(v: vec2u, count: u32) -> vec2u {\n"
        "\tlet w = select(v, vec2u(v.y, 0u), (count & 32u) != 0u);\n"
        "\tlet s = count & 31u;\n"
        "\treturn vec2u((w.x << s) | ((w.y >> 1u) >> (31u - s)), w.y << s);\n"
        "}\n", {0}, true},
    ROW(SHIFT_RIGHT64) = {"shift_right64",
        "fn shift_right64(v: vec2u, count: u32) -> vec2u {\n"
        "\tlet w = select(v, vec2u(0u, v.x), (count & 32u) != 0u);\n"
        "\tlet s = count & 31u;\n"
        "\tlet lost = (w.y & ((1u << s) - 1u)) | select(0u, v.y, (count & 32u) != 0u);\n"
        "\treturn vec2u(w.x >> s, (w.y >> s) | ((w.x << 1u) << (31u - s)) | min(lost, 1u));\n"
        "}\n", {0}, true},
    ROW(SHIFT_LEFT128) = {"shift_left128",
        "fn shift_left128(v: vec4u, count: u32) -> vec4u {\n"
        "\tlet u = select(v, vec4u(v.zw, 0u, 0u), (count & 64u) != 0u);\n"
        "\tlet w = select(u, vec4u(u.yzw, 0u), (count & 32u) != 0u);\n"
        "\tlet s = vec4u(count & 31u);\n"
        "\treturn (w << s) | ((vec4u(w.yzw, 0u) >> vec4u(1u)) >> (vec4u(31u) - s));\n"
        "}\n", {0}, true},
    ROW(SHIFT_RIGHT128) = {"shift_right128",
        "fn shift_right128(v: vec4u, count: u32) -> vec4u {\n"
        "\tlet u = select(v, vec4u(0u, 0u, v.xy), (count & 64u) != 0u);\n"
        "\tlet w = select(u, vec4u(0u, u.xyz), (count & 32u) != 0u);\n"
        "\tlet s = vec4u(count & 31u);\n"
        "\tlet lost = select(0u, v.z | v.w, (count & 64u) != 0u) | select(0u, u.w, (count & 32u) != 0u) |\n"
        "\t\t\t   (w.w & ((1u << s.w) - 1u));\n"
        "\tlet r = (w >> s) | ((vec4u(0u, w.xyz) << vec4u(1u)) << (vec4u(31u) - s));\n"
        "\treturn vec4u(r.xyz, r.w | min(lost, 1u));\n"
        "}\n", {0}, true},
    ROW(LESS128) = {"less128",
        "fn less128(a: vec4u, b: vec4u) -> bool {\n"
        "\tlet less = a < b;\n"
        "\tlet same = a == b;\n"
        "\treturn less.x | (same.x & (less.y | (same.y & (less.z | (same.z & less.w)))));\n"
        "}\n", {0}, true},
    ROW(ADD128) = {"add128",
        "fn add128(a: vec4u, b: vec4u) -> vec4u {\n"
        "\tlet sum = a + b;\n"
        "\tlet carry = select(vec4u(), vec4u(1u), sum < a);\n"
        "\tlet z = sum.z + carry.w;\n"
        "\tlet over_z = carry.z | select(0u, 1u, z < sum.z);\n"
        "\tlet y = sum.y + over_z;\n"
        "\tlet over_y = carry.y | select(0u, 1u, y < sum.y);\n"
        "\treturn vec4u(sum.x + over_y, y, z, sum.w);\n"
        "}\n", {0}, true},
    ROW(PRODUCT128) = {"product128",
        "fn product128(a: vec2u, b: vec2u) -> vec4u {\n"
        "\tlet low = a.xxyy * b.xyxy;\n"
        "\tlet high = vec4u(umulhi(a.x, b.x), umulhi(a.x, b.y), umulhi(a.y, b.x), umulhi(a.y, b.y));\n"
        "\tlet cross = add128(vec4u(0u, high.y, low.y, 0u), vec4u(0u, high.z, low.z, 0u));\n"
        "\treturn add128(vec4u(high.x, low.x, high.w, low.w), cross);\n"
        "}\n", {AG_WGSL_ADD128, AG_WGSL_UMULHI}, true},
    ROW(UNPACKED) = {"Unpacked",
        "struct Unpacked {\n"
        "\texponent: i32,\n"
        "\tbits: vec2u,\n"
        "}\n", {0}, true},
    ROW(UNPACK_DOUBLE) = {"unpack_double",
        "fn unpack_double(a: vec2u) -> Unpacked {\n"
        "\tlet exponent = (a.y >> 20u) & 0x7ffu;\n"
        "\tlet high = ((a.y & 0xfffffu) << 11u) | (a.x >> 21u) | select(0u, 0x80000000u, exponent != 0u);\n"
        "\tlet bits = vec2u(high, a.x << 11u);\n"
        "\tlet zeros = leading_zeros64(bits);\n"
        "\treturn Unpacked(i32(max(exponent, 1u)) - 1023 - i32(zeros), shift_left64(bits, zeros));\n"
        "}\n", {AG_WGSL_UNPACKED, AG_WGSL_LEADING_ZEROS64, AG_WGSL_SHIFT_LEFT64}, true},
    /* `biased` is at least 1, and 1 where the highest bit is 0. */
    ROW(PACK_DOUBLE) = {"pack_double",
        "fn pack_double(sign: u32, biased: i32, bits: vec2u) -> vec2u {\n"
        "\tlet cut = (bits.x << 21u) | (bits.y >> 11u);\n"
        "\tlet up = ((bits.y & 0x7ffu) + 0x3ffu + (cut & 1u)) >> 11u;\n"
        "\tlet low = cut + up;\n"
        "\tlet carry = select(0u, 1u, low < up);\n"
        "\tlet high = select(u32(biased - 1) << 20u, 0u, bits.x == 0u) + (bits.x >> 11u) + carry;\n"
        "\treturn select(vec2u(low, sign | high), vec2u(0u, sign | 0x7ff00000u), biased >= 2047);\n"
        "}\n", {0}, true},
    ROW(ROUND_DOUBLE) = {"round_double",
        "fn round_double(sign: u32, exponent: i32, bits: vec2u) -> vec2u {\n"
        "\tlet biased = exponent + 1023;\n"
        "\treturn pack_double(sign, max(biased, 1), shift_right64(bits, u32(clamp(1 - biased, 0, 63))));\n"
        "}\n", {AG_WGSL_PACK_DOUBLE, AG_WGSL_SHIFT_RIGHT64}, true},
    ROW(DNAN) = {"dnan",
        "fn dnan(a: vec2u) -> bool {\n"
        "\tlet size = a.y & 0x7fffffffu;\n"
        "\treturn (size > 0x7ff00000u) | ((size == 0x7ff00000u) & (a.x != 0u));\n"
        "}\n", {0}, true},
    ROW(DZERO) = {"dzero",
        "fn dzero(a: vec2u) -> bool {\n"
        "\treturn (a.x | (a.y << 1u)) == 0u;\n"
        "}\n", {0}, true},
    /* Infinity or NaN. */
    ROW(DSPECIAL) = {"dspecial",
        "fn dspecial(a: vec2u) -> bool {\n"
        "\treturn (a.y & 0x7ff00000u) == 0x7ff00000u;\n"
        "}\n", {0}, true},
    /* Total order of numbers that are not NaN, with -0 before +0. */
    ROW(DBEFORE) = {"dbefore",
        "fn dbefore(a: vec2u, b: vec2u) -> bool {\n"
        "\tlet x = select(a ^ vec2u(0u, 0x80000000u), ~a, a.y >= 0x80000000u);\n"
        "\tlet y = select(b ^ vec2u(0u, 0x80000000u), ~b, b.y >= 0x80000000u);\n"
        "\treturn (x.y < y.y) | ((x.y == y.y) & (x.x < y.x));\n"
        "}\n", {0}, true},
    /* Bit 62 of the significands has the value 1.0 here. The result of a subtraction that is small enough to be a
     * denormal is exact. */
    ROW(DADD) = {"dadd",
        "fn dadd(a: vec2u, b: vec2u) -> vec2u {\n"
        "\tlet sizes = vec2u(a.y, b.y) & vec2u(0x7fffffffu);\n"
        "\tlet swap = (sizes.x < sizes.y) | ((sizes.x == sizes.y) & (a.x < b.x));\n"
        "\tlet x = select(a, b, swap);\n"
        "\tlet y = select(b, a, swap);\n"
        "\tlet high = vec2u(x.y, y.y);\n"
        "\tlet low = vec2u(x.x, y.x);\n"
        "\tlet exponent = (high >> vec2u(20u)) & vec2u(0x7ffu);\n"
        "\tlet hidden = select(vec2u(), vec2u(0x40000000u), exponent != vec2u());\n"
        "\tlet tops = ((high & vec2u(0xfffffu)) << vec2u(10u)) | (low >> vec2u(22u)) | hidden;\n"
        "\tlet biased = max(exponent, vec2u(1u));\n"
        "\tlet small = shift_right64(vec2u(tops.y, low.y << 10u), min(biased.x - biased.y, 63u));\n"
        "\tlet minus = (x.y ^ y.y) >> 31u;\n"
        "\tlet addend = small ^ vec2u(0u - minus);\n"
        "\tlet part = (low.x << 10u) + addend.y;\n"
        "\tlet carry = select(0u, 1u, part < addend.y);\n"
        "\tlet end = part + minus;\n"
        "\tlet sum = vec2u(tops.x + addend.x + carry + select(0u, 1u, end < part), end);\n"
        "\tlet shift = min(leading_zeros64(sum), biased.x);\n"
        "\tlet sign = select(x.y, x.y & y.y, (sum.x | sum.y) == 0u) & 0x80000000u;\n"
        "\tlet r = pack_double(sign, i32(biased.x + 1u - shift), shift_left64(sum, shift));\n"
        "\tlet invalid = dnan(x) | (dspecial(y) & (minus != 0u));\n"
        "\treturn select(select(r, x, dspecial(x)), vec2u(0u, 0x7ff80000u), invalid);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DSPECIAL, AG_WGSL_SHIFT_RIGHT64, AG_WGSL_SHIFT_LEFT64, AG_WGSL_LEADING_ZEROS64, AG_WGSL_PACK_DOUBLE}, true},
    ROW(DMUL) = {"dmul",
        "fn dmul(a: vec2u, b: vec2u) -> vec2u {\n"
        "\tlet x = unpack_double(a);\n"
        "\tlet y = unpack_double(b);\n"
        "\tlet sign = (a.y ^ b.y) & 0x80000000u;\n"
        "\tlet product = product128(x.bits, y.bits);\n"
        "\tlet bits = vec2u(product.x, product.y | min(product.z | product.w, 1u));\n"
        "\tlet shift = 1u - (product.x >> 31u);\n"
        "\tlet r = round_double(sign, x.exponent + y.exponent + 1 - i32(shift), shift_left64(bits, shift));\n"
        "\tlet invalid = dnan(a) | dnan(b) | ((dspecial(a) | dspecial(b)) & (dzero(a) | dzero(b)));\n"
        "\tlet endless = select(r, vec2u(0u, sign | 0x7ff00000u), dspecial(a) | dspecial(b));\n"
        "\treturn select(endless, vec2u(0u, 0x7ff80000u), invalid);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DSPECIAL, AG_WGSL_UNPACK_DOUBLE, AG_WGSL_PRODUCT128, AG_WGSL_ROUND_DOUBLE}, true},
    /* Zeros get an exponent below all others. */
    ROW(DFMA) = {"dfma",
        "fn dfma(a: vec2u, b: vec2u, c: vec2u) -> vec2u {\n"
        "\tlet p = unpack_double(a);\n"
        "\tlet q = unpack_double(b);\n"
        "\tlet r = unpack_double(c);\n"
        "\tlet signs = vec2u(a.y ^ b.y, c.y) & vec2u(0x80000000u);\n"
        "\tlet wide = product128(p.bits, q.bits);\n"
        "\tlet shift = 1u - (wide.x >> 31u);\n"
        "\tlet product = shift_left128(wide, shift);\n"
        "\tlet addend = vec4u(r.bits, 0u, 0u);\n"
        "\tlet places = vec2i(p.exponent + q.exponent + 1 - i32(shift), r.exponent);\n"
        "\tlet exponents = select(places, vec2i(-5000), vec2u(wide.x, r.bits.x) == vec2u());\n"
        "\tlet swap = (exponents.x < exponents.y) | ((exponents.x == exponents.y) & less128(product, addend));\n"
        "\tlet e = select(exponents, exponents.yx, swap);\n"
        "\tlet s = select(signs, signs.yx, swap);\n"
        "\tlet large = shift_right128(select(product, addend, swap), 1u);\n"
        "\tlet small = shift_right128(select(addend, product, swap), u32(min(e.x - e.y + 1, 127)));\n"
        "\tlet minus = (s.x ^ s.y) >> 31u;\n"
        "\tlet negated = add128(small ^ vec4u(0u - minus), vec4u(0u, 0u, 0u, minus));\n"
        "\tlet sum = add128(large, negated);\n"
        "\tlet zeros = select(leading_zeros64(sum.xy), 64u + leading_zeros64(sum.zw), (sum.x | sum.y) == 0u);\n"
        "\tlet normal = shift_left128(sum, zeros);\n"
        "\tlet bits = vec2u(normal.x, normal.y | min(normal.z | normal.w, 1u));\n"
        "\tlet rounded = round_double(select(s.x, s.x & s.y, normal.x == 0u), e.x + 1 - i32(zeros), bits);\n"
        "\tlet infinite = dspecial(a) | dspecial(b);\n"
        "\tlet product_or_addend = vec2u(0u, select(signs.y, signs.x, infinite) | 0x7ff00000u);\n"
        "\tlet endless = select(rounded, product_or_addend, infinite | dspecial(c));\n"
        "\tlet invalid = dnan(a) | dnan(b) | dnan(c) | (infinite & (dzero(a) | dzero(b))) |\n"
        "\t\t\t\t  (infinite & dspecial(c) & (signs.x != signs.y));\n"
        "\treturn select(endless, vec2u(0u, 0x7ff80000u), invalid);\n"
        "}\n", {AG_WGSL_UNPACK_DOUBLE, AG_WGSL_PRODUCT128, AG_WGSL_SHIFT_LEFT128, AG_WGSL_SHIFT_RIGHT128, AG_WGSL_LESS128,
                AG_WGSL_ROUND_DOUBLE, AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DSPECIAL}, true},
    ROW(DDIV) = {"ddiv",
        "fn ddiv(a: vec2u, b: vec2u) -> vec2u {\n"
        "\tlet x = unpack_double(a);\n"
        "\tlet y = unpack_double(b);\n"
        "\tlet sign = (a.y ^ b.y) & 0x80000000u;\n"
        "\tlet divisor = shift_right64(y.bits, 11u);\n"
        "\tvar rest = shift_right64(x.bits, 11u);\n"
        "\tvar quotient = vec2u();\n"
        "\tfor (var i = 0u; i < 64u; i++) {\n"
        "\t\tlet under = select(0u, 1u, rest.y < divisor.y);\n"
        "\t\tlet goes = (rest.x > divisor.x) | ((rest.x == divisor.x) & (under == 0u));\n"
        "\t\trest = select(rest, vec2u(rest.x - divisor.x - under, rest.y - divisor.y), goes);\n"
        "\t\trest = vec2u((rest.x << 1u) | (rest.y >> 31u), rest.y << 1u);\n"
        "\t\tquotient = vec2u((quotient.x << 1u) | (quotient.y >> 31u), (quotient.y << 1u) | select(0u, 1u, goes));\n"
        "\t}\n"
        "\tlet shift = 1u - (quotient.x >> 31u);\n"
        "\tlet bits = shift_left64(quotient, shift) | vec2u(0u, min(rest.x | rest.y, 1u));\n"
        "\tlet r = round_double(sign, x.exponent - y.exponent - i32(shift), bits);\n"
        "\tlet endless = select(r, vec2u(0u, sign | 0x7ff00000u), dspecial(a) | dzero(b));\n"
        "\tlet finite = select(endless, vec2u(0u, sign), (dzero(a) | dspecial(b)) & !dspecial(a));\n"
        "\tlet invalid = dnan(a) | dnan(b) | (dspecial(a) & dspecial(b)) | (dzero(a) & dzero(b));\n"
        "\treturn select(finite, vec2u(0u, 0x7ff80000u), invalid);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DSPECIAL, AG_WGSL_DZERO, AG_WGSL_UNPACK_DOUBLE, AG_WGSL_ROUND_DOUBLE}, true},
    ROW(DRCP) = {"drcp",
        "fn drcp(a: vec2u) -> vec2u {\n"
        "\treturn ddiv(vec2u(0u, 0x3ff00000u), a);\n"
        "}\n", {AG_WGSL_DDIV}, true},
    ROW(DMIN) = {"dmin",
        "fn dmin(a: vec2u, b: vec2u) -> vec2u {\n"
        "\treturn select(b, a, dnan(b) | (!dnan(a) & dbefore(a, b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DBEFORE}, true},
    ROW(DMAX) = {"dmax",
        "fn dmax(a: vec2u, b: vec2u) -> vec2u {\n"
        "\treturn select(a, b, dnan(a) | (!dnan(b) & dbefore(a, b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DBEFORE}, true},
    ROW(DSATURATE) = {"dsat",
        "fn dsat(a: vec2u) -> vec2u {\n"
        "\treturn dmin(dmax(a, vec2u()), vec2u(0u, 0x3ff00000u));\n"
        "}\n", {AG_WGSL_DMIN, AG_WGSL_DMAX}, true},
    ROW(DLT) = {"dlt",
        "fn dlt(a: vec2u, b: vec2u) -> bool {\n"
        "\treturn !(dnan(a) | dnan(b) | (dzero(a) & dzero(b))) & dbefore(a, b);\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DBEFORE}, true},
    ROW(DGE) = {"dge",
        "fn dge(a: vec2u, b: vec2u) -> bool {\n"
        "\treturn !(dnan(a) | dnan(b)) & ((dzero(a) & dzero(b)) | !dbefore(a, b));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO, AG_WGSL_DBEFORE}, true},
    ROW(DEQ) = {"deq",
        "fn deq(a: vec2u, b: vec2u) -> bool {\n"
        "\treturn !dnan(a) & (all(a == b) | (dzero(a) & dzero(b)));\n"
        "}\n", {AG_WGSL_DNAN, AG_WGSL_DZERO}, true},
    ROW(DNE) = {"dne",
        "fn dne(a: vec2u, b: vec2u) -> bool {\n"
        "\treturn !deq(a, b);\n"
        "}\n", {AG_WGSL_DEQ}, true},
    /* All double denormals are below the floats. */
    ROW(DTOF) = {"dtof",
        "fn dtof(a: vec2u) -> f32 {\n"
        "\tlet sign = a.y & 0x80000000u;\n"
        "\tlet biased = i32((a.y >> 20u) & 0x7ffu) - 896;\n"
        "\tlet top = 0x80000000u | ((a.y & 0xfffffu) << 11u) | (a.x >> 21u) | min(a.x << 11u, 1u);\n"
        "\tlet s = u32(clamp(1 - biased, 0, 31));\n"
        "\tlet bits = (top >> s) | min(top & ((1u << s) - 1u), 1u);\n"
        "\tlet whole = bits >> 8u;\n"
        "\tlet up = ((bits & 0xffu) + 0x7fu + (whole & 1u)) >> 8u;\n"
        "\tlet r = select((u32(max(biased, 1) - 1) << 23u) + whole + up, 0x7f800000u, biased >= 255);\n"
        "\treturn bitcast<f32>(sign | select(r, 0x7fc00000u, dnan(a)));\n"
        "}\n", {AG_WGSL_DNAN}, true},
    /* The double whole / 2^31 * 2^(biased - 1023). */
    ROW(DWHOLE) = {"dwhole",
        "fn dwhole(sign: u32, biased: u32, whole: u32) -> vec2u {\n"
        "\tlet zeros = countLeadingZeros(whole);\n"
        "\tlet bits = whole << (zeros & 31u);\n"
        "\tlet high = ((biased - 1u - zeros) << 20u) + (bits >> 11u);\n"
        "\treturn select(vec2u(bits << 21u, sign | high), vec2u(0u, sign), whole == 0u);\n"
        "}\n", {0}, true},
    ROW(FTOD) = {"ftod",
        "fn ftod(x: f32) -> vec2u {\n"
        "\tlet bits = bitcast<u32>(x);\n"
        "\tlet sign = bits & 0x80000000u;\n"
        "\tlet exponent = (bits >> 23u) & 0xffu;\n"
        "\tlet fraction = bits & 0x007fffffu;\n"
        "\tlet quiet = select(0u, 0x80000u, fraction != 0u);\n"
        "\tlet special = vec2u(fraction << 29u, sign | 0x7ff00000u | quiet | (fraction >> 3u));\n"
        "\tlet whole = (fraction << 8u) | select(0u, 0x80000000u, exponent != 0u);\n"
        "\treturn select(dwhole(sign, max(exponent, 1u) + 896u, whole), special, exponent == 0xffu);\n"
        "}\n", {AG_WGSL_DWHOLE}, true},
    ROW(DTOI) = {"dtoi",
        "fn dtoi(a: vec2u) -> i32 {\n"
        "\tlet exponent = i32((a.y >> 20u) & 0x7ffu) - 1023;\n"
        "\tlet bits = 0x80000000u | ((a.y & 0xfffffu) << 11u) | (a.x >> 21u);\n"
        "\tlet size = i32(bits >> u32(clamp(31 - exponent, 0, 31)));\n"
        "\tlet negative = a.y >= 0x80000000u;\n"
        "\tlet limit = select(0x7fffffff, -0x7fffffff - 1, negative);\n"
        "\tlet value = select(select(size, -size, negative), limit, exponent >= 31);\n"
        "\treturn select(value, 0, dnan(a) | (exponent < 0));\n"
        "}\n", {AG_WGSL_DNAN}, true},
    ROW(DTOU) = {"dtou",
        "fn dtou(a: vec2u) -> u32 {\n"
        "\tlet exponent = i32((a.y >> 20u) & 0x7ffu) - 1023;\n"
        "\tlet bits = 0x80000000u | ((a.y & 0xfffffu) << 11u) | (a.x >> 21u);\n"
        "\tlet value = select(bits >> u32(clamp(31 - exponent, 0, 31)), 0xffffffffu, exponent > 31);\n"
        "\treturn select(value, 0u, dnan(a) | (exponent < 0) | (a.y >= 0x80000000u));\n"
        "}\n", {AG_WGSL_DNAN}, true},
    ROW(ITOD) = {"itod",
        "fn itod(x: i32) -> vec2u {\n"
        "\treturn dwhole(bitcast<u32>(x) & 0x80000000u, 1054u, bitcast<u32>(abs(x)));\n"
        "}\n", {AG_WGSL_DWHOLE}, true},
    ROW(UTOD) = {"utod",
        "fn utod(x: u32) -> vec2u {\n"
        "\treturn dwhole(0u, 1054u, x);\n"
        "}\n", {AG_WGSL_DWHOLE}, true},
#undef ROW
};
/* clang-format on */
