/* SPDX-License-Identifier: MIT
 *
 * The texts of the helper functions, and the code that writes them.
 *
 * The texts are templates: $n is the number of lanes, empty for scalars; $f $u $i $b are the float, unsigned,
 * signed and boolean types of that width. The texts are in most modules, hence their short names: of a float
 * x, b are the bits, m those without the sign, s the sign. NaN and infinity are recognised by their bits,
 * never by float comparisons, because WGSL implementations may assume that neither exists.
 */
#include "wgsl/helpers.h"

#include <string.h>

#include "wgsl/emit.h"
#include "wgsl/filter_text.h"

#define NONE AG_WGSL_NO_HELPER

/* clang-format off */
static const struct ag_wgsl_helper_row helpers[AG_WGSL_FIRST_DOUBLE] = {
    [AG_WGSL_IS_NAN] = {"is_nan",
        "fn is_nan$n(x: $f) -> $b {\n"
        "\treturn (bitcast<$u>(x) & $u(0x7fffffff)) > $u(0x7f800000);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_NUMBER] = {"number",
        "fn number$n(x: $f) -> $f {\n"
        "\treturn select(x, $f(), is_nan$n(x));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_HALF_RANGE] = {"half_range",
        "fn half_range$n(x: $f) -> $f {\n"
        "\tlet m = bitcast<$u>(x) & $u(0x7fffffff);\n"
        "\tlet l = clamp(bitcast<$f>(bitcast<$u>(x) & $u(0xffffe000)), $f(-65504.0), $f(65504.0));\n"
        "\tlet d = trunc(x * 16777216.0) * 5.9604644775390625e-8;\n"
        "\treturn select(select(d, l, m >= $u(0x38800000)), x, m >= $u(0x7f800000));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_OPAQUE] = {"opaque",
        "fn opaque$n(b: $u) -> $u {\n"
        "\treturn b | $u(opaque_zero);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_EXACT] = {"exact",
        "fn exact$n(b: $u) -> $f {\n"
        "\treturn bitcast<$f>(b ^ $u(draw.zero));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_KEEP] = {"keep",
        "fn keep$n(x: $f) -> $f {\n"
        "\treturn exact$n(bitcast<$u>(x));\n"
        "}\n", {AG_WGSL_EXACT, NONE}, false},
    [AG_WGSL_LT] = {"lt",
        "fn lt$n(a: $f, b: $f) -> $b {\n"
        "\treturn (a < b) & !(is_nan$n(a) | is_nan$n(b));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_GE] = {"ge",
        "fn ge$n(a: $f, b: $f) -> $b {\n"
        "\treturn (a >= b) & !(is_nan$n(a) | is_nan$n(b));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_EQ] = {"eq",
        "fn eq$n(a: $f, b: $f) -> $b {\n"
        "\treturn (a == b) & !(is_nan$n(a) | is_nan$n(b));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_NE] = {"ne",
        "fn ne$n(a: $f, b: $f) -> $b {\n"
        "\treturn (a != b) | is_nan$n(a) | is_nan$n(b);\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_MIN] = {"fmin",
        "fn fmin$n(a: $f, b: $f) -> $f {\n"
        "\treturn select(select(min(a, b), a, is_nan$n(b)), b, is_nan$n(a));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_MAX] = {"fmax",
        "fn fmax$n(a: $f, b: $f) -> $f {\n"
        "\treturn select(select(max(a, b), a, is_nan$n(b)), b, is_nan$n(a));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_SATURATE] = {"sat",
        "fn sat$n(x: $f) -> $f {\n"
        "\treturn select(clamp(x, $f(0.0), $f(1.0)), $f(0.0), is_nan$n(x));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_FRC] = {"frc",
        "fn frc$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet m = b & $u(0x7fffffff);\n"
        "\tlet r = select(clamp(x - floor(x), $f(0.0), $f(0.99999994)), $f(0.0), m < $u(0x800000));\n"
        "\treturn select(r, bitcast<$f>(b | $u(0x7fc00000)), m >= $u(0x7f800000));\n"
        "}\n", {NONE, NONE}, false},
    /* D3D11.3 22.10.15 and 22.10.16: denormals are flushed to zero before rounding. */
    [AG_WGSL_ROUND_NI] = {"round_ni",
        "fn round_ni$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet z = bitcast<$f>(b & $u(0x80000000));\n"
        "\treturn select(floor(x), z, (b & $u(0x7fffffff)) < $u(0x800000));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_ROUND_PI] = {"round_pi",
        "fn round_pi$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet z = bitcast<$f>(b & $u(0x80000000));\n"
        "\treturn select(ceil(x), z, (b & $u(0x7fffffff)) < $u(0x800000));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_RCP] = {"rcp",
        "fn rcp$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet m = b & $u(0x7fffffff);\n"
        "\tlet s = b & $u(0x80000000);\n"
        "\treturn bitcast<$f>(select(select(select(bitcast<$u>($f(1.0) / x), s | $u(0x7f800000), "
        "m < $u(0x800000)), s, m == $u(0x7f800000)), b, m > $u(0x7f800000)));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_RSQ] = {"rsq",
        "fn rsq$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet m = b & $u(0x7fffffff);\n"
        "\tlet s = b & $u(0x80000000);\n"
        "\treturn bitcast<$f>(select(select(select(select(bitcast<$u>(inverseSqrt(x)), $u(0u), "
        "b == $u(0x7f800000)), $u(0x7fc00000u), s != $u(0)), s | $u(0x7f800000), m < $u(0x800000)), b, "
        "m > $u(0x7f800000)));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_SQRT] = {"fsqrt",
        "fn fsqrt$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet m = b & $u(0x7fffffff);\n"
        "\treturn bitcast<$f>(select(select(select(bitcast<$u>(sqrt(x)), $u(0x7fc00000u), "
        "b > $u(0x80000000)), b & $u(0x80000000), m < $u(0x800000)), b, "
        "(m > $u(0x7f800000)) | (b == $u(0x7f800000))));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_EXP] = {"fexp",
        "fn fexp$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet m = b & $u(0x7fffffff);\n"
        "\treturn bitcast<$f>(select(select(select(bitcast<$u>(exp2(x)), $u(0x7f800000u), "
        "(x >= $f(128.0)) | (b == $u(0x7f800000))), $u(0u), (x < $f(-150.0)) | (b == $u(0xff800000))), "
        "b, m > $u(0x7f800000)));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_LOG] = {"flog",
        "fn flog$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet m = b & $u(0x7fffffff);\n"
        "\treturn bitcast<$f>(select(select(select(bitcast<$u>(log2(x)), $u(0x7fc00000u), "
        "b > $u(0x80000000)), $u(0xff800000u), m < $u(0x800000)), b, "
        "(m > $u(0x7f800000)) | (b == $u(0x7f800000))));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_REDUCE] = {"reduce_angle",
        "fn reduce_angle$n(x: $f) -> $f {\n"
        "\tlet n = round(x * $f(0.15915494));\n"
        "\treturn fma(n, $f(1.7484555e-7), fma(n, $f(-6.2831855), x));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_SIN] = {"fsin",
        "fn fsin$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet m = b & $u(0x7fffffff);\n"
        "\treturn bitcast<$f>(select(select(bitcast<$u>(clamp(sin(reduce_angle$n(x)), $f(-1.0), "
        "$f(1.0))), b & $u(0x80000000), m < $u(0x800000)), b | $u(0x7fc00000), m >= $u(0x7f800000)));\n"
        "}\n", {AG_WGSL_REDUCE, NONE}, false},
    [AG_WGSL_COS] = {"fcos",
        "fn fcos$n(x: $f) -> $f {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet m = b & $u(0x7fffffff);\n"
        "\tlet r = bitcast<$u>(clamp(cos(reduce_angle$n(x)), $f(-1.0), $f(1.0)));\n"
        "\treturn bitcast<$f>(select(r, b | $u(0x7fc00000), m >= $u(0x7f800000)));\n"
        "}\n", {AG_WGSL_REDUCE, NONE}, false},
    [AG_WGSL_DOT2] = {"dp2",
        "fn dp2(a: vec2f, b: vec2f) -> f32 {\n"
        "\treturn fma(a.y, b.y, a.x * b.x);\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_DOT3] = {"dp3",
        "fn dp3(a: vec3f, b: vec3f) -> f32 {\n"
        "\treturn fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_DOT4] = {"dp4",
        "fn dp4(a: vec4f, b: vec4f) -> f32 {\n"
        "\treturn fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, a.x * b.x)));\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_FTOI] = {"ftoi",
        "fn ftoi$n(x: $f) -> $i {\n"
        "\tlet r = $i(clamp(x, $f(-2147483648.0), $f(2147483520.0)));\n"
        "\treturn select(select(r, $i(0x7fffffff), x >= $f(2147483648.0)), $i(0), is_nan$n(x));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_FTOU] = {"ftou",
        "fn ftou$n(x: $f) -> $u {\n"
        "\tlet r = $u(clamp(x, $f(0.0), $f(4294967040.0)));\n"
        "\treturn select(select(r, $u(0xffffffffu), x >= $f(4294967296.0)), $u(0u), is_nan$n(x));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    /* Rounds toward zero. Finite values beyond the range of halves become the largest half; infinity stays
     * infinity. */
    [AG_WGSL_F32TOF16] = {"f32tof16",
        "fn f32tof16$n(x: $f) -> $u {\n"
        "\tlet b = bitcast<$u>(x);\n"
        "\tlet m = b & $u(0x7fffffff);\n"
        "\tlet e = m >> $u(23);\n"
        "\tlet f = (m & $u(0x7fffff)) | $u(0x800000);\n"
        "\tlet d = f >> min($u(126u) - min(e, $u(126u)), $u(31u));\n"
        "\treturn select(select(select(select((m - $u(0x38000000)) >> $u(13), d, e < $u(113)), "
        "$u(0x7bffu), m >= $u(0x47800000)), $u(0x7c00u), m == $u(0x7f800000)), "
        "$u(0x7e00u) | ((m >> $u(13)) & $u(0x3ff)), "
        "m > $u(0x7f800000)) | ((b >> $u(16)) & $u(0x8000));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_F16TOF32] = {"f16tof32",
        "fn f16tof32$n(x: $u) -> $f {\n"
        "\tlet e = (x >> $u(10)) & $u(31);\n"
        "\tlet f = x & $u(0x3ff);\n"
        "\tlet d = bitcast<$u>($f(f) * $f(5.9604644775390625e-8));\n"
        "\treturn bitcast<$f>(select(select(((e + $u(112)) << $u(23)) | (f << $u(13)), d, e == $u(0)), "
        "$u(0x7f800000u) | (f << $u(13)), e == $u(31)) | ((x & $u(0x8000)) << $u(16)));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_UDIV] = {"udiv",
        "fn udiv$n(a: $u, b: $u) -> $u {\n"
        "\treturn select(a / max(b, $u(1u)), $u(0xffffffffu), b == $u(0));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_UMOD] = {"umod",
        "fn umod$n(a: $u, b: $u) -> $u {\n"
        "\treturn select(a % max(b, $u(1u)), $u(0xffffffffu), b == $u(0));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_UMULHI] = {"umulhi",
        "fn umulhi$n(a: $u, b: $u) -> $u {\n"
        "\tlet al = a & $u(0xffff);\n"
        "\tlet ah = a >> $u(16);\n"
        "\tlet bl = b & $u(0xffff);\n"
        "\tlet bh = b >> $u(16);\n"
        "\tlet lh = al * bh;\n"
        "\tlet hl = ah * bl;\n"
        "\tlet mid = ((al * bl) >> $u(16)) + (lh & $u(0xffff)) + (hl & $u(0xffff));\n"
        "\treturn ah * bh + (lh >> $u(16)) + (hl >> $u(16)) + (mid >> $u(16));\n"
        "}\n", {NONE, NONE}, false},
    /* With select() in place of the masks, Mesa 25.0 computes 0x80000000 for some zeros. */
    [AG_WGSL_IMULHI] = {"imulhi",
        "fn imulhi$n(a: $i, b: $i) -> $i {\n"
        "\tlet high = bitcast<$i>(umulhi$n(bitcast<$u>(a), bitcast<$u>(b)));\n"
        "\treturn high - (b & (a >> $u(31))) - (a & (b >> $u(31)));\n"
        "}\n", {AG_WGSL_UMULHI, NONE}, false},
    [AG_WGSL_CARRY] = {"carry",
        "fn carry$n(a: $u, b: $u) -> $u {\n"
        "\treturn select($u(0u), $u(1u), a + b < a);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_BORROW] = {"borrow",
        "fn borrow$n(a: $u, b: $u) -> $u {\n"
        "\treturn select($u(0u), $u(1u), a < b);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_FIRSTBIT_HI] = {"firstbit_hi",
        "fn firstbit_hi$n(x: $u) -> $u {\n"
        "\treturn select(countLeadingZeros(x), $u(0xffffffffu), x == $u(0));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_FIRSTBIT_SHI] = {"firstbit_shi",
        "fn firstbit_shi$n(x: $i) -> $u {\n"
        "\tlet b = bitcast<$u>(select(x, ~x, x < $i(0)));\n"
        "\treturn select(countLeadingZeros(b), $u(0xffffffffu), b == $u(0));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_UBFE] = {"ubfe",
        "fn ubfe$n(w: $u, n: $u, x: $u) -> $u {\n"
        "\tlet m = ($u(1u) << (w & $u(31))) - $u(1);\n"
        "\treturn (x >> (n & $u(31))) & m;\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_IBFE] = {"ibfe",
        "fn ibfe$n(width: $u, n: $u, x: $i) -> $i {\n"
        "\tlet w = width & $u(31);\n"
        "\tlet o = n & $u(31);\n"
        "\tlet end = min(w + o, $u(32u));\n"
        "\tlet top = x << (($u(32u) - end) & $u(31));\n"
        "\treturn select(top >> (($u(32u) - (end - o)) & $u(31)), $i(0), w == $u(0));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_BFI] = {"bfi",
        "fn bfi$n(w: $u, n: $u, x: $u, base: $u) -> $u {\n"
        "\tlet o = n & $u(31);\n"
        "\tlet m = (($u(1u) << (w & $u(31))) - $u(1)) << o;\n"
        "\treturn ((x << o) & m) | (base & ~m);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_MSAD] = {"msad",
        "fn msad$n(reference: $u, source: $u, sum: $u) -> $u {\n"
        "\tvar r = sum;\n"
        "\tfor (var i = 0u; i < 32u; i += 8u) {\n"
        "\t\tlet a = (reference >> $u(i)) & $u(255);\n"
        "\t\tlet b = (source >> $u(i)) & $u(255);\n"
        "\t\tlet next = r + select(max(a, b) - min(a, b), $u(0u), a == $u(0));\n"
        "\t\tr = select(next, $u(0xffffffffu), next < r);\n"
        "\t}\n"
        "\treturn r;\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_SLICE] = {"slice",
        "fn slice(z: f32) -> i32 {\n"
        "\treturn select(i32(clamp(round(z), 0.0, 65535.0)), 0, is_nan(z));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, true},
    [AG_WGSL_SHARED_DECISION] = {"shared_decision",
        "fn shared_decision(value: u32, invocation: u32) -> u32 {\n"
        "\tif (invocation == 0u) {\n"
        "\t\tdecision = value;\n"
        "\t}\n"
        "\treturn workgroupUniformLoad(&decision);\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_SPEND] = {"spend",
        "fn spend(price: u32) -> bool {\n"
        "\tif (loop_budget < price) {\n"
        "\t\tloop_budget = 0u;\n"
        "\t\treturn true;\n"
        "\t}\n"
        "\tloop_budget -= price;\n"
        "\treturn false;\n"
        "}\n", {NONE, NONE}, true},
    /* Drivers disagree about infinite levels and biases. */
    [AG_WGSL_MIP_LEVEL] = {"mip_level",
        "fn mip_level(x: f32) -> f32 {\n"
        "\treturn clamp(x, -64.0, 64.0);\n"
        "}\n", {NONE, NONE}, true},
    /* A reference value is clamped to [0, 1] if the depth format is UNORM. `about` is the third word of a
     * texture's view. */
    [AG_WGSL_REFERENCE] = {"reference",
        "fn reference(x: f32, about: u32) -> f32 {\n"
        "\treturn select(x, clamp(x, 0.0, 1.0), (about & 1u) != 0u);\n"
        "}\n", {NONE, NONE}, true},
    /* D3D11.3 7.18.9. `mode` is a D3D11_TEXTURE_ADDRESS_MODE; the result -1 means the border. */
    [AG_WGSL_TEXEL_ADDRESS] = {"texel_address",
        "fn texel_address(i: i32, n: i32, mode: u32) -> i32 {\n"
        "\tlet turn = (i % (2 * n) + 2 * n) % (2 * n);\n"
        "\tswitch mode & 7u {\n"
        "\t\tcase 1u: {\n"
        "\t\t\treturn turn % n;\n"
        "\t\t}\n"
        "\t\tcase 2u: {\n"
        "\t\t\treturn select(turn, 2 * n - 1 - turn, turn >= n);\n"
        "\t\t}\n"
        "\t\tcase 4u: {\n"
        "\t\t\treturn select(-1, i, i >= 0 && i < n);\n"
        "\t\t}\n"
        "\t\tcase 5u: {\n"
        "\t\t\treturn min(select(i, -1 - i, i < 0), n - 1);\n"
        "\t\t}\n"
        "\t\tdefault: {\n"
        "\t\t\treturn clamp(i, 0, n - 1);\n"
        "\t\t}\n"
        "\t}\n"
        "}\n", {NONE, NONE}, true},
    /* Components that the format lacks are not taken from the border colour (D3D11.3 7.18.9.1). `about` is an
     * AG_VIEW_BORDER. */
    [AG_WGSL_BORDER] = {"border",
        "fn border(s: u32, about: u32) -> vec4f {\n"
        "\tvar color = bitcast<vec4f>(sampler_states[s * 2u]);\n"
        "\tif ((about & 16u) != 0u) {\n"
        "\t\tcolor = clamp(color, vec4f(), vec4f(1.0));\n"
        "\t}\n"
        "\tif ((about & 32u) != 0u) {\n"
        "\t\tcolor = clamp(color, vec4f(-1.0), vec4f(1.0));\n"
        "\t}\n"
        "\tlet there = (vec4u(about) & vec4u(1u, 2u, 4u, 8u)) != vec4u();\n"
        "\treturn select(vec4f(0.0, 0.0, 0.0, 1.0), color, there);\n"
        "}\n", {NONE, NONE}, true},
    /* A D3D11_COMPARISON_FUNC minus 1 is a bit set of passing outcomes: 1 less, 2 equal, 4 greater. */
    [AG_WGSL_COMPARED] = {"compared",
        "fn compared(x: f32, texel: f32, s: u32) -> f32 {\n"
        "\tlet passing = (sampler_states[s * 2u + 1u].x >> 24u) - 1u;\n"
        "\tlet outcome = select(0u, 1u, lt(x, texel)) | select(0u, 2u, eq(x, texel)) | "
        "select(0u, 4u, lt(texel, x));\n"
        "\tlet passes = select((passing & outcome) != 0u, (passing & 5u) == 5u, outcome == 0u);\n"
        "\treturn select(0.0, 1.0, passes);\n"
        "}\n", {AG_WGSL_LT, AG_WGSL_EQ, NONE}, true},
    /* Where a direction meets a cube: two coordinates in the face, from 0 to 1, and the face (D3D11.3 7.18.7). */
    [AG_WGSL_CUBE_FACE] = {"cube_face",
        "fn cube_face(p: vec3f) -> vec3f {\n"
        "\tlet a = abs(p);\n"
        "\tvar q = vec4f(-p.z * sign(p.x), -p.y, a.x, select(0.0, 1.0, p.x < 0.0));\n"
        "\tif (a.z >= a.x && a.z >= a.y) {\n"
        "\t\tq = vec4f(select(p.x, -p.x, p.z < 0.0), -p.y, a.z, select(4.0, 5.0, p.z < 0.0));\n"
        "\t} else if (a.y >= a.x) {\n"
        "\t\tq = vec4f(p.x, select(p.z, -p.z, p.y < 0.0), a.y, select(2.0, 3.0, p.y < 0.0));\n"
        "\t}\n"
        "\treturn vec3f(q.xy / q.z * 0.5 + 0.5, q.w);\n"
        "}\n", {NONE, NONE}, true},
    /* The texel of a cube at a place of a face's grid, or beyond one of its edges: place and face. */
    [AG_WGSL_CUBE_TEXEL] = {"cube_texel",
        "fn cube_texel(face: u32, at: vec2i, size: i32) -> vec3i {\n"
        "\tif (all((at >= vec2i()) & (at < vec2i(size)))) {\n"
        "\t\treturn vec3i(at, i32(face));\n"
        "\t}\n"
        "\tlet q = vec2f(at * 2 + 1) / f32(size) - 1.0;\n"
        "\tvar p = vec3f(q.x, -q.y, 1.0);\n"
        "\tswitch face {\n"
        "\t\tcase 0u: {\n"
        "\t\t\tp = vec3f(1.0, -q.y, -q.x);\n"
        "\t\t}\n"
        "\t\tcase 1u: {\n"
        "\t\t\tp = vec3f(-1.0, -q.y, q.x);\n"
        "\t\t}\n"
        "\t\tcase 2u: {\n"
        "\t\t\tp = vec3f(q.x, 1.0, q.y);\n"
        "\t\t}\n"
        "\t\tcase 3u: {\n"
        "\t\t\tp = vec3f(q.x, -1.0, -q.y);\n"
        "\t\t}\n"
        "\t\tcase 5u: {\n"
        "\t\t\tp = vec3f(-q.x, -q.y, -1.0);\n"
        "\t\t}\n"
        "\t\tdefault: {\n"
        "\t\t}\n"
        "\t}\n"
        "\tlet place = cube_face(p);\n"
        "\treturn vec3i(clamp(vec2i(place.xy * f32(size)), vec2i(), vec2i(size - 1)), "
        "i32(place.z));\n"
        "}\n", {AG_WGSL_CUBE_FACE, NONE}, true},
    /* Textures in the arena (arena.c): r is the first row of the record, `kind` 1 a volume, 2 cubes, 4 integers. */
    [AG_WGSL_ARENA_TEXEL] = {"arena_texel",
        "fn arena_texel(r: u32, p: vec3u, level: u32) -> vec4u {\n"
        "\tlet size = max(overflow[r + 1u].xy >> vec2u(level), vec2u(1u));\n"
        "\tlet texel = (p.z * size.y + p.y) * size.x + p.x;\n"
        "\tlet encoding = (overflow[r].z >> 4u) & 15u;\n"
        "\tlet step = select(select(1u, 2u, encoding == 2u), 4u, encoding == 0u);\n"
        "\tlet at = overflow[r + 2u + (level >> 2u)][level & 3u] + step * texel;\n"
        "\tlet last = step - 1u;\n"
        "\tlet words = vec4u(arena[at], arena[at + min(1u, last)], arena[at + min(2u, last)], "
        "arena[at + last]);\n"
        "\tif (encoding == 0u) {\n"
        "\t\treturn words;\n"
        "\t}\n"
        "\tlet one = select(0x3f800000u, 1u, encoding == 4u);\n"
        "\tlet halves = vec4f(unpack2x16float(words.x), unpack2x16float(words.y));\n"
        "\tlet packed = bitcast<vec4u>(select(unpack4x8unorm(words.x), halves, encoding == 2u));\n"
        "\treturn select(packed, vec4u(words.x, 0u, 0u, one), encoding >= 3u);\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_ARENA_TAP] = {"arena_tap",
        "fn arena_tap(r: u32, kind: u32, at: vec3i, size: vec3i, level: u32, slice: u32, s: "
        "u32) -> vec4u {\n"
        "\tif ((kind & 2u) != 0u) {\n"
        "\t\tlet cube = cube_texel(slice % 6u, at.xy, size.x);\n"
        "\t\treturn arena_texel(r, vec3u(vec2u(cube.xy), slice - slice % 6u + u32(cube.z)), "
        "level);\n"
        "\t}\n"
        AG_FILTER_ADDRESS
        "\t\tlet color = border(s, overflow[r].w);\n"
        "\t\treturn select(bitcast<vec4u>(color), bitcast<vec4u>(vec4i(color)), (kind "
        "& 4u) != 0u);\n"
        "\t}\n"
        "\treturn arena_texel(r, vec3u(vec2u(i.xy), select(slice, u32(i.z), (kind & 1u) != "
        "0u)), level);\n"
        "}\n", {AG_WGSL_ARENA_TEXEL, AG_WGSL_CUBE_TEXEL, AG_WGSL_TEXEL_ADDRESS, AG_WGSL_BORDER, NONE}, true},
    /* Coordinates with the slice: of a cube those in its face. */
    [AG_WGSL_ARENA_PLACE] = {"arena_place",
        "fn arena_place(r: u32, kind: u32, p: vec3f, slice: u32) -> vec4f {\n"
        "\tlet slices = overflow[r + 1u].z;\n"
        "\tif ((kind & 2u) == 0u) {\n"
        "\t\treturn vec4f(p, f32(min(slice, slices - 1u)));\n"
        "\t}\n"
        "\tlet q = cube_face(p);\n"
        "\treturn vec4f(q.xy, 0.5, f32(min(slice, slices / 6u - 1u) * 6u) + q.z);\n"
        "}\n", {AG_WGSL_CUBE_FACE, NONE}, true},
    [AG_WGSL_ARENA_AT] = {"arena_at",
        "fn arena_at(r: u32, kind: u32, p: vec4f, level: u32, linear: bool, offset: vec3i, s: "
        "u32, compares: bool, x: f32) -> vec4f {\n"
        "\tlet whole = overflow[r + 1u].xyz;\n"
        "\tlet size = max(vec3u(whole.xy, select(1u, whole.z, (kind & 1u) != 0u)) >> "
        "vec3u(level), vec3u(1u));\n"
        AG_FILTER_AT("p.xyz", "bitcast<vec4f>(arena_tap(r, kind, first + vec3i(corner), "
                              "vec3i(size), level, u32(p.w), s))"),
        {AG_WGSL_ARENA_TAP, AG_WGSL_COMPARED, NONE}, true},
    [AG_WGSL_ARENA_SAMPLED] = {"arena_sampled",
        "fn arena_sampled(r: u32, kind: u32, p: vec3f, lod: f32, offset: vec3i, slice: u32, s: "
        "u32, compares: bool, x: f32) -> vec4f {\n"
        "\tlet state = sampler_states[s * 2u + 1u];\n"
        "\tlet bounds = bitcast<vec2f>(state.zw);\n"
        "\tlet least = max(bounds.x, f32(overflow[r].z >> 8u) / 256.0);\n"
        AG_FILTER_LEVEL("least", "overflow[r + 1u].w")
        "\tlet place = arena_place(r, kind, p, slice);\n"
        "\tlet low = select(floor(level + 0.5), floor(level), (state.x & 1u) != 0u);\n"
        "\tlet second = max(level - low, 0.0);\n"
        "\tlet levels = select(1u, 2u, (state.x & 1u) != 0u && second > 0.0);\n"
        "\tvar sum = vec4f();\n"
        "\tfor (var i = 0u; i < levels; i++) {\n"
        "\t\tlet texels = arena_at(r, kind, place, u32(low) + i, linear, offset, s, compares, x);\n"
        "\t\tsum = select(texels, mix(sum, texels, second), i > 0u);\n"
        "\t}\n"
        "\treturn sum;\n"
        "}\n", {AG_WGSL_ARENA_PLACE, AG_WGSL_ARENA_AT, NONE}, true},
    /* Four texels of the most detailed level, in the order of gather4 (sheet 6.5). */
    [AG_WGSL_ARENA_GATHERED] = {"arena_gathered",
        "fn arena_gathered(r: u32, kind: u32, p: vec3f, offset: vec3i, slice: u32, s: u32, "
        "channel: u32, compares: bool, x: f32) -> vec4u {\n"
        "\tlet size = vec3u(overflow[r + 1u].xy, 1u);\n"
        "\tlet place = arena_place(r, kind, p, slice);\n"
        AG_FILTER_FOUR("place.xyz", "vec4u",
            "arena_tap(r, kind, first + corner, vec3i(size), 0u, u32(place.w), s)")
        "\t\tfour[c] = select(tap[channel], bitcast<u32>(compared(x, bitcast<f32>(tap.x), s)), "
        "compares);\n"
        "\t}\n"
        "\treturn four;\n"
        "}\n", {AG_WGSL_ARENA_PLACE, AG_WGSL_ARENA_TAP, AG_WGSL_COMPARED, NONE}, true},
    /* Triangles whose three w are 0 have no area inside the clip volume (D3D11.3 15.4.1), but some devices draw
     * them. Behind the eye all devices clip them; of other triangles the vertex moves by nothing that floats
     * can tell. */
    [AG_WGSL_NONZERO_W] = {"nonzero_w",
        "fn nonzero_w(p: vec4f) -> vec4f {\n"
        "\treturn vec4f(p.xyz, select(p.w, " AG_WGSL_LEAST_W ", p.w == 0.0));\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_SAMPLE_POSITION] = {"sample_position",
        "fn sample_position(count: u32, index: u32) -> vec2f {\n"
        "\tif (index >= count || (count != 2u && count != 4u && count != 8u)) {\n"
        "\t\treturn vec2f();\n"
        "\t}\n"
        "\tvar places = vec2u(0xfb135d79u, 0x1f7d39b5u);\n"
        "\tif (count == 4u) {\n"
        "\t\tplaces = vec2u(0xa2e6u, 0xea62u);\n"
        "\t} else if (count == 2u) {\n"
        "\t\tplaces = vec2u(0x4cu);\n"
        "\t}\n"
        "\treturn vec2f((places >> vec2u(index * 4u)) & vec2u(15u)) * 0.0625 - 0.5;\n"
        "}\n", {NONE, NONE}, true},
    /* A guest's target of two or eight samples has four on the host (decision X40). These functions convert
     * sample indices and sample masks between host and guest. */
    [AG_WGSL_HOST_SAMPLE] = {"host_sample",
        "fn host_sample(count: u32, index: u32) -> u32 {\n"
        "\tlet table = select(select(0x7a1cu, 0xe4u, count == 4u), 3u, count == 2u);\n"
        "\treturn (table >> (index * 2u)) & 3u;\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_GUEST_SAMPLE] = {"guest_sample",
        "fn guest_sample(count: u32, index: u32) -> u32 {\n"
        "\tlet table = select(select(0x3210u, 0x1420u, count == 8u), 0x0101u, count == 2u);\n"
        "\treturn (table >> (index * 4u)) & 7u;\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_GUEST_MASK] = {"guest_mask",
        "fn guest_mask(count: u32, mask: u32) -> u32 {\n"
        "\tif (count == 2u) {\n"
        "\t\treturn select(0u, 1u, (mask & 10u) != 0u) | select(0u, 2u, (mask & 5u) != 0u);\n"
        "\t}\n"
        "\tif (count == 8u) {\n"
        "\t\treturn select(0u, 0x09u, (mask & 1u) != 0u) | select(0u, 0x84u, (mask & 2u) != 0u) |\n"
        "\t\t\t   select(0u, 0x30u, (mask & 4u) != 0u) | select(0u, 0x42u, (mask & 8u) != 0u);\n"
        "\t}\n"
        "\treturn mask;\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_HOST_MASK] = {"host_mask",
        "fn host_mask(count: u32, mask: u32) -> u32 {\n"
        "\tif (count == 2u) {\n"
        "\t\treturn ((mask & 1u) * 10u) | (((mask >> 1u) & 1u) * 5u);\n"
        "\t}\n"
        "\tif (count == 8u) {\n"
        "\t\treturn select(0u, 1u, (mask & 0x09u) != 0u) | select(0u, 2u, (mask & 0x84u) != 0u) |\n"
        "\t\t\t   select(0u, 4u, (mask & 0x30u) != 0u) | select(0u, 8u, (mask & 0x42u) != 0u);\n"
        "\t}\n"
        "\treturn mask;\n"
        "}\n", {NONE, NONE}, true},
    /* The offset of the centroid from the pixel's centre: that of the first covered sample, if the pixel is
     * covered in part (sheet 9.4). */
    [AG_WGSL_CENTROID] = {"centroid",
        "fn centroid(count: u32, coverage: u32) -> vec2f {\n"
        "\tif (coverage == 0u || countOneBits(coverage) >= count) {\n"
        "\t\treturn vec2f();\n"
        "\t}\n"
        "\treturn sample_position(count, firstTrailingBit(coverage));\n"
        "}\n", {AG_WGSL_SAMPLE_POSITION, NONE}, true},
};
/* clang-format on */

static const struct ag_wgsl_helper_row *row_of(enum ag_wgsl_helper helper)
{
    return helper < AG_WGSL_FIRST_DOUBLE ? &helpers[helper]
                                         : &ag_wgsl_double_helpers[helper - AG_WGSL_FIRST_DOUBLE];
}

/* A scalar constructor around a literal, or around an unsigned name, is superfluous: $f(0.0) is written as
 * 0.0. The result is the length of the argument, or 0 if the constructor must stay. */
static size_t plain_argument(const char *type)
{
    if (type[1] != '(')
        return 0;
    const char *literal = type + 2 + (type[2] == '-');
    bool is_number = *literal >= '0' && *literal <= '9';
    if (!is_number && type[0] != 'u')
        return 0;
    size_t length = strspn(type + 2, "abcdefghijklmnopqrstuvwxyz_.-0123456789");
    return type[2 + length] == ')' ? length : 0;
}

static void write_template(struct ag_strbuf *out, const char *text, uint32_t width)
{
    for (const char *c = text; *c != '\0'; c++) {
        size_t before = strcspn(c, "$");
        ag_strbuf_append_bytes(out, c, before);
        c += before;
        if (*c == '\0')
            break;
        c++;
        size_t plain = width == 1 ? plain_argument(c) : 0;
        if (plain > 0) {
            ag_strbuf_append_bytes(out, c + 2, plain);
            c += plain + 2;
            continue;
        }
        switch (*c) {
        case 'n':
            if (width > 1)
                ag_strbuf_printf(out, "%u", width);
            break;
        case 'f':
            ag_strbuf_append(out, ag_wgsl_type(AG_IR_F32, width));
            break;
        case 'u':
            ag_strbuf_append(out, ag_wgsl_type(AG_IR_U32, width));
            break;
        case 'i':
            ag_strbuf_append(out, ag_wgsl_type(AG_IR_I32, width));
            break;
        case 'b':
            ag_strbuf_append(out, ag_wgsl_type(AG_IR_BOOL, width));
            break;
        }
    }
}

void ag_wgsl_require(struct ag_wgsl_emitter *emitter, enum ag_wgsl_helper helper, uint32_t width)
{
    const struct ag_wgsl_helper_row *row = row_of(helper);
    if (row->one_width)
        width = 1;
    if (emitter->helper_widths[helper] >> width & 1)
        return;
    emitter->helper_widths[helper] |= (uint8_t)(1u << width);
    for (uint32_t i = 0; i < sizeof row->needs && row->needs[i] != NONE; i++)
        ag_wgsl_require(emitter, (enum ag_wgsl_helper)row->needs[i], width);
    if (helper == AG_WGSL_OPAQUE)
        emitter->uses_opaque_zero = true;
    if (helper == AG_WGSL_EXACT)
        emitter->uses_draw_block = true;
    write_template(&emitter->functions, row->text, width);
    ag_strbuf_append_char(&emitter->functions, '\n');
}

void ag_wgsl_call(struct ag_wgsl_emitter *emitter, enum ag_wgsl_helper helper, uint32_t width)
{
    ag_wgsl_require(emitter, helper, width);
    ag_strbuf_append(&emitter->body, row_of(helper)->name);
    if (!row_of(helper)->one_width && width > 1)
        ag_strbuf_append_unsigned(&emitter->body, width);
}
