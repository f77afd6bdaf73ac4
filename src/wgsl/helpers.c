/* SPDX-License-Identifier: MIT
 *
 * The texts of the helper functions, and the code that writes them.
 *
 * The texts are templates: $n is the number of lanes, empty for scalars; $f $u $i $b are the float, unsigned,
 * signed and boolean types of that width. NaN and infinity are recognised by their bits, never by float
 * comparisons, because WGSL implementations may assume that neither exists.
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
        "    return (bitcast<$u>(x) & $u(0x7fffffffu)) > $u(0x7f800000u);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_NUMBER] = {"number",
        "fn number$n(x: $f) -> $f {\n"
        "    return select(x, $f(), is_nan$n(x));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_HALF_RANGE] = {"half_range",
        "fn half_range$n(x: $f) -> $f {\n"
        "    let size = bitcast<$u>(x) & $u(0x7fffffffu);\n"
        "    let large = clamp(bitcast<$f>(bitcast<$u>(x) & $u(0xffffe000u)), $f(-65504.0), $f(65504.0));\n"
        "    let small = trunc(x * 16777216.0) * 5.9604644775390625e-8;\n"
        "    return select(select(small, large, size >= $u(0x38800000u)), x, size >= $u(0x7f800000u));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_OPAQUE] = {"opaque",
        "fn opaque$n(bits: $u) -> $u {\n"
        "    return bits | $u(opaque_zero);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_EXACT] = {"exact",
        "fn exact$n(bits: $u) -> $f {\n"
        "    return bitcast<$f>(bits ^ $u(draw.zero));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_KEEP] = {"keep",
        "fn keep$n(x: $f) -> $f {\n"
        "    return exact$n(bitcast<$u>(x));\n"
        "}\n", {AG_WGSL_EXACT, NONE}, false},
    [AG_WGSL_LT] = {"lt",
        "fn lt$n(a: $f, b: $f) -> $b {\n"
        "    return (a < b) & !(is_nan$n(a) | is_nan$n(b));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_GE] = {"ge",
        "fn ge$n(a: $f, b: $f) -> $b {\n"
        "    return (a >= b) & !(is_nan$n(a) | is_nan$n(b));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_EQ] = {"eq",
        "fn eq$n(a: $f, b: $f) -> $b {\n"
        "    return (a == b) & !(is_nan$n(a) | is_nan$n(b));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_NE] = {"ne",
        "fn ne$n(a: $f, b: $f) -> $b {\n"
        "    return (a != b) | is_nan$n(a) | is_nan$n(b);\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_MIN] = {"fmin",
        "fn fmin$n(a: $f, b: $f) -> $f {\n"
        "    return select(select(min(a, b), a, is_nan$n(b)), b, is_nan$n(a));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_MAX] = {"fmax",
        "fn fmax$n(a: $f, b: $f) -> $f {\n"
        "    return select(select(max(a, b), a, is_nan$n(b)), b, is_nan$n(a));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_SATURATE] = {"sat",
        "fn sat$n(x: $f) -> $f {\n"
        "    return select(clamp(x, $f(0.0), $f(1.0)), $f(0.0), is_nan$n(x));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_FRC] = {"frc",
        "fn frc$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let size = bits & $u(0x7fffffffu);\n"
        "    let part = select(clamp(x - floor(x), $f(0.0), $f(0.99999994)), $f(0.0), size < $u(0x00800000u));\n"
        "    return select(part, bitcast<$f>(bits | $u(0x7fc00000u)), size >= $u(0x7f800000u));\n"
        "}\n", {NONE, NONE}, false},
    /* D3D11.3 22.10.15 and 22.10.16: denormals are flushed to zero before rounding. */
    [AG_WGSL_ROUND_NI] = {"round_ni",
        "fn round_ni$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let zero = bitcast<$f>(bits & $u(0x80000000u));\n"
        "    return select(floor(x), zero, (bits & $u(0x7fffffffu)) < $u(0x00800000u));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_ROUND_PI] = {"round_pi",
        "fn round_pi$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let zero = bitcast<$f>(bits & $u(0x80000000u));\n"
        "    return select(ceil(x), zero, (bits & $u(0x7fffffffu)) < $u(0x00800000u));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_RCP] = {"rcp",
        "fn rcp$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let size = bits & $u(0x7fffffffu);\n"
        "    let sign = bits & $u(0x80000000u);\n"
        "    var r = bitcast<$u>($f(1.0) / x);\n"
        "    r = select(r, sign | $u(0x7f800000u), size < $u(0x00800000u));\n"
        "    r = select(r, sign, size == $u(0x7f800000u));\n"
        "    return bitcast<$f>(select(r, bits, size > $u(0x7f800000u)));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_RSQ] = {"rsq",
        "fn rsq$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let size = bits & $u(0x7fffffffu);\n"
        "    let sign = bits & $u(0x80000000u);\n"
        "    var r = bitcast<$u>(inverseSqrt(x));\n"
        "    r = select(r, $u(0u), bits == $u(0x7f800000u));\n"
        "    r = select(r, $u(0x7fc00000u), sign != $u(0u));\n"
        "    r = select(r, sign | $u(0x7f800000u), size < $u(0x00800000u));\n"
        "    return bitcast<$f>(select(r, bits, size > $u(0x7f800000u)));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_SQRT] = {"fsqrt",
        "fn fsqrt$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let size = bits & $u(0x7fffffffu);\n"
        "    var r = bitcast<$u>(sqrt(x));\n"
        "    r = select(r, $u(0x7fc00000u), bits > $u(0x80000000u));\n"
        "    r = select(r, bits & $u(0x80000000u), size < $u(0x00800000u));\n"
        "    return bitcast<$f>(select(r, bits, (size > $u(0x7f800000u)) | (bits == $u(0x7f800000u))));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_EXP] = {"fexp",
        "fn fexp$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let size = bits & $u(0x7fffffffu);\n"
        "    var r = bitcast<$u>(exp2(x));\n"
        "    r = select(r, $u(0x7f800000u), (x >= $f(128.0)) | (bits == $u(0x7f800000u)));\n"
        "    r = select(r, $u(0u), (x < $f(-150.0)) | (bits == $u(0xff800000u)));\n"
        "    return bitcast<$f>(select(r, bits, size > $u(0x7f800000u)));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_LOG] = {"flog",
        "fn flog$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let size = bits & $u(0x7fffffffu);\n"
        "    var r = bitcast<$u>(log2(x));\n"
        "    r = select(r, $u(0x7fc00000u), bits > $u(0x80000000u));\n"
        "    r = select(r, $u(0xff800000u), size < $u(0x00800000u));\n"
        "    return bitcast<$f>(select(r, bits, (size > $u(0x7f800000u)) | (bits == $u(0x7f800000u))));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_REDUCE] = {"reduce_angle",
        "fn reduce_angle$n(x: $f) -> $f {\n"
        "    let turns = round(x * $f(0.15915494));\n"
        "    return fma(turns, $f(1.7484555e-7), fma(turns, $f(-6.2831855), x));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_SIN] = {"fsin",
        "fn fsin$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let size = bits & $u(0x7fffffffu);\n"
        "    var r = bitcast<$u>(clamp(sin(reduce_angle$n(x)), $f(-1.0), $f(1.0)));\n"
        "    r = select(r, bits & $u(0x80000000u), size < $u(0x00800000u));\n"
        "    return bitcast<$f>(select(r, bits | $u(0x7fc00000u), size >= $u(0x7f800000u)));\n"
        "}\n", {AG_WGSL_REDUCE, NONE}, false},
    [AG_WGSL_COS] = {"fcos",
        "fn fcos$n(x: $f) -> $f {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let size = bits & $u(0x7fffffffu);\n"
        "    let r = bitcast<$u>(clamp(cos(reduce_angle$n(x)), $f(-1.0), $f(1.0)));\n"
        "    return bitcast<$f>(select(r, bits | $u(0x7fc00000u), size >= $u(0x7f800000u)));\n"
        "}\n", {AG_WGSL_REDUCE, NONE}, false},
    [AG_WGSL_DOT2] = {"dp2",
        "fn dp2(a: vec2<f32>, b: vec2<f32>) -> f32 {\n"
        "    return fma(a.y, b.y, a.x * b.x);\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_DOT3] = {"dp3",
        "fn dp3(a: vec3<f32>, b: vec3<f32>) -> f32 {\n"
        "    return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_DOT4] = {"dp4",
        "fn dp4(a: vec4<f32>, b: vec4<f32>) -> f32 {\n"
        "    return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, a.x * b.x)));\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_FTOI] = {"ftoi",
        "fn ftoi$n(x: $f) -> $i {\n"
        "    let r = $i(clamp(x, $f(-2147483648.0), $f(2147483520.0)));\n"
        "    return select(select(r, $i(0x7fffffff), x >= $f(2147483648.0)), $i(0), is_nan$n(x));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    [AG_WGSL_FTOU] = {"ftou",
        "fn ftou$n(x: $f) -> $u {\n"
        "    let r = $u(clamp(x, $f(0.0), $f(4294967040.0)));\n"
        "    return select(select(r, $u(0xffffffffu), x >= $f(4294967296.0)), $u(0u), is_nan$n(x));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, false},
    /* Rounds toward zero. Finite values beyond the range of halves become the largest half; infinity stays
     * infinity. */
    [AG_WGSL_F32TOF16] = {"f32tof16",
        "fn f32tof16$n(x: $f) -> $u {\n"
        "    let bits = bitcast<$u>(x);\n"
        "    let size = bits & $u(0x7fffffffu);\n"
        "    let exponent = size >> $u(23u);\n"
        "    let fraction = (size & $u(0x007fffffu)) | $u(0x00800000u);\n"
        "    let small = fraction >> min($u(126u) - min(exponent, $u(126u)), $u(31u));\n"
        "    var r = select((size - $u(0x38000000u)) >> $u(13u), small, exponent < $u(113u));\n"
        "    r = select(r, $u(0x7bffu), size >= $u(0x47800000u));\n"
        "    r = select(r, $u(0x7c00u), size == $u(0x7f800000u));\n"
        "    r = select(r, $u(0x7e00u) | ((size >> $u(13u)) & $u(0x3ffu)), size > $u(0x7f800000u));\n"
        "    return r | ((bits >> $u(16u)) & $u(0x8000u));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_F16TOF32] = {"f16tof32",
        "fn f16tof32$n(x: $u) -> $f {\n"
        "    let exponent = (x >> $u(10u)) & $u(31u);\n"
        "    let fraction = x & $u(0x3ffu);\n"
        "    let small = bitcast<$u>($f(fraction) * $f(5.9604644775390625e-8));\n"
        "    var r = select(((exponent + $u(112u)) << $u(23u)) | (fraction << $u(13u)), small, exponent == $u(0u));\n"
        "    r = select(r, $u(0x7f800000u) | (fraction << $u(13u)), exponent == $u(31u));\n"
        "    return bitcast<$f>(r | ((x & $u(0x8000u)) << $u(16u)));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_UDIV] = {"udiv",
        "fn udiv$n(a: $u, b: $u) -> $u {\n"
        "    return select(a / max(b, $u(1u)), $u(0xffffffffu), b == $u(0u));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_UMOD] = {"umod",
        "fn umod$n(a: $u, b: $u) -> $u {\n"
        "    return select(a % max(b, $u(1u)), $u(0xffffffffu), b == $u(0u));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_UMULHI] = {"umulhi",
        "fn umulhi$n(a: $u, b: $u) -> $u {\n"
        "    let al = a & $u(0xffffu);\n"
        "    let ah = a >> $u(16u);\n"
        "    let bl = b & $u(0xffffu);\n"
        "    let bh = b >> $u(16u);\n"
        "    let lh = al * bh;\n"
        "    let hl = ah * bl;\n"
        "    let mid = ((al * bl) >> $u(16u)) + (lh & $u(0xffffu)) + (hl & $u(0xffffu));\n"
        "    return ah * bh + (lh >> $u(16u)) + (hl >> $u(16u)) + (mid >> $u(16u));\n"
        "}\n", {NONE, NONE}, false},
    /* With select() in place of the masks, Mesa 25.0 computes 0x80000000 for some zeros. */
    [AG_WGSL_IMULHI] = {"imulhi",
        "fn imulhi$n(a: $i, b: $i) -> $i {\n"
        "    let high = bitcast<$i>(umulhi$n(bitcast<$u>(a), bitcast<$u>(b)));\n"
        "    return high - (b & (a >> $u(31u))) - (a & (b >> $u(31u)));\n"
        "}\n", {AG_WGSL_UMULHI, NONE}, false},
    [AG_WGSL_CARRY] = {"carry",
        "fn carry$n(a: $u, b: $u) -> $u {\n"
        "    return select($u(0u), $u(1u), a + b < a);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_BORROW] = {"borrow",
        "fn borrow$n(a: $u, b: $u) -> $u {\n"
        "    return select($u(0u), $u(1u), a < b);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_FIRSTBIT_HI] = {"firstbit_hi",
        "fn firstbit_hi$n(x: $u) -> $u {\n"
        "    return select(countLeadingZeros(x), $u(0xffffffffu), x == $u(0u));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_FIRSTBIT_SHI] = {"firstbit_shi",
        "fn firstbit_shi$n(x: $i) -> $u {\n"
        "    let bits = bitcast<$u>(select(x, ~x, x < $i(0)));\n"
        "    return select(countLeadingZeros(bits), $u(0xffffffffu), bits == $u(0u));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_UBFE] = {"ubfe",
        "fn ubfe$n(width: $u, offset: $u, x: $u) -> $u {\n"
        "    let mask = ($u(1u) << (width & $u(31u))) - $u(1u);\n"
        "    return (x >> (offset & $u(31u))) & mask;\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_IBFE] = {"ibfe",
        "fn ibfe$n(width: $u, offset: $u, x: $i) -> $i {\n"
        "    let w = width & $u(31u);\n"
        "    let o = offset & $u(31u);\n"
        "    let end = min(w + o, $u(32u));\n"
        "    let top = x << (($u(32u) - end) & $u(31u));\n"
        "    return select(top >> (($u(32u) - (end - o)) & $u(31u)), $i(0), w == $u(0u));\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_BFI] = {"bfi",
        "fn bfi$n(width: $u, offset: $u, x: $u, base: $u) -> $u {\n"
        "    let o = offset & $u(31u);\n"
        "    let mask = (($u(1u) << (width & $u(31u))) - $u(1u)) << o;\n"
        "    return ((x << o) & mask) | (base & ~mask);\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_MSAD] = {"msad",
        "fn msad$n(reference: $u, source: $u, sum: $u) -> $u {\n"
        "    var r = sum;\n"
        "    for (var i = 0u; i < 32u; i += 8u) {\n"
        "        let a = (reference >> $u(i)) & $u(255u);\n"
        "        let b = (source >> $u(i)) & $u(255u);\n"
        "        let next = r + select(max(a, b) - min(a, b), $u(0u), a == $u(0u));\n"
        "        r = select(next, $u(0xffffffffu), next < r);\n"
        "    }\n"
        "    return r;\n"
        "}\n", {NONE, NONE}, false},
    [AG_WGSL_SLICE] = {"slice",
        "fn slice(z: f32) -> i32 {\n"
        "    return select(i32(clamp(round(z), 0.0, 65535.0)), 0, is_nan(z));\n"
        "}\n", {AG_WGSL_IS_NAN, NONE}, true},
    [AG_WGSL_SHARED_DECISION] = {"shared_decision",
        "fn shared_decision(value: u32, invocation: u32) -> u32 {\n"
        "    if (invocation == 0u) {\n"
        "        decision = value;\n"
        "    }\n"
        "    return workgroupUniformLoad(&decision);\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_SPEND] = {"spend",
        "fn spend(price: u32) -> bool {\n"
        "    if (loop_budget < price) {\n"
        "        loop_budget = 0u;\n"
        "        return true;\n"
        "    }\n"
        "    loop_budget -= price;\n"
        "    return false;\n"
        "}\n", {NONE, NONE}, true},
    /* Drivers disagree about infinite levels and biases. */
    [AG_WGSL_MIP_LEVEL] = {"mip_level",
        "fn mip_level(x: f32) -> f32 {\n"
        "    return clamp(x, -64.0, 64.0);\n"
        "}\n", {NONE, NONE}, true},
    /* A reference value is clamped to [0, 1] if the depth format is UNORM. `about` is the third word of a
     * texture's view. */
    [AG_WGSL_REFERENCE] = {"reference",
        "fn reference(x: f32, about: u32) -> f32 {\n"
        "    return select(x, clamp(x, 0.0, 1.0), (about & 1u) != 0u);\n"
        "}\n", {NONE, NONE}, true},
    /* D3D11.3 7.18.9. `mode` is a D3D11_TEXTURE_ADDRESS_MODE; the result -1 means the border. */
    [AG_WGSL_TEXEL_ADDRESS] = {"texel_address",
        "fn texel_address(i: i32, n: i32, mode: u32) -> i32 {\n"
        "    let turn = (i % (2 * n) + 2 * n) % (2 * n);\n"
        "    switch mode & 7u {\n"
        "        case 1u: {\n"
        "            return turn % n;\n"
        "        }\n"
        "        case 2u: {\n"
        "            return select(turn, 2 * n - 1 - turn, turn >= n);\n"
        "        }\n"
        "        case 4u: {\n"
        "            return select(-1, i, i >= 0 && i < n);\n"
        "        }\n"
        "        case 5u: {\n"
        "            return min(select(i, -1 - i, i < 0), n - 1);\n"
        "        }\n"
        "        default: {\n"
        "            return clamp(i, 0, n - 1);\n"
        "        }\n"
        "    }\n"
        "}\n", {NONE, NONE}, true},
    /* Components that the format lacks are not taken from the border colour (D3D11.3 7.18.9.1). `about` is an
     * AG_VIEW_BORDER. */
    [AG_WGSL_BORDER] = {"border",
        "fn border(s: u32, about: u32) -> vec4<f32> {\n"
        "    var color = bitcast<vec4<f32>>(sampler_states[s * 2u]);\n"
        "    if ((about & 16u) != 0u) {\n"
        "        color = clamp(color, vec4<f32>(), vec4<f32>(1.0));\n"
        "    }\n"
        "    if ((about & 32u) != 0u) {\n"
        "        color = clamp(color, vec4<f32>(-1.0), vec4<f32>(1.0));\n"
        "    }\n"
        "    let there = (vec4<u32>(about) & vec4<u32>(1u, 2u, 4u, 8u)) != vec4<u32>();\n"
        "    return select(vec4<f32>(0.0, 0.0, 0.0, 1.0), color, there);\n"
        "}\n", {NONE, NONE}, true},
    /* A D3D11_COMPARISON_FUNC minus 1 is a bit set of passing outcomes: 1 less, 2 equal, 4 greater. */
    [AG_WGSL_COMPARED] = {"compared",
        "fn compared(x: f32, texel: f32, s: u32) -> f32 {\n"
        "    let passing = (sampler_states[s * 2u + 1u].x >> 24u) - 1u;\n"
        "    let outcome = select(0u, 1u, lt(x, texel)) | select(0u, 2u, eq(x, texel)) | "
        "select(0u, 4u, lt(texel, x));\n"
        "    let passes = select((passing & outcome) != 0u, (passing & 5u) == 5u, outcome == 0u);\n"
        "    return select(0.0, 1.0, passes);\n"
        "}\n", {AG_WGSL_LT, AG_WGSL_EQ, NONE}, true},
    /* Where a direction meets a cube: two coordinates in the face, from 0 to 1, and the face (D3D11.3 7.18.7). */
    [AG_WGSL_CUBE_FACE] = {"cube_face",
        "fn cube_face(p: vec3<f32>) -> vec3<f32> {\n"
        "    let a = abs(p);\n"
        "    var q = vec4<f32>(-p.z * sign(p.x), -p.y, a.x, select(0.0, 1.0, p.x < 0.0));\n"
        "    if (a.z >= a.x && a.z >= a.y) {\n"
        "        q = vec4<f32>(select(p.x, -p.x, p.z < 0.0), -p.y, a.z, select(4.0, 5.0, p.z < 0.0));\n"
        "    } else if (a.y >= a.x) {\n"
        "        q = vec4<f32>(p.x, select(p.z, -p.z, p.y < 0.0), a.y, select(2.0, 3.0, p.y < 0.0));\n"
        "    }\n"
        "    return vec3<f32>(q.xy / q.z * 0.5 + 0.5, q.w);\n"
        "}\n", {NONE, NONE}, true},
    /* The texel of a cube at a place of a face's grid, or beyond one of its edges: place and face. */
    [AG_WGSL_CUBE_TEXEL] = {"cube_texel",
        "fn cube_texel(face: u32, at: vec2<i32>, size: i32) -> vec3<i32> {\n"
        "    if (all((at >= vec2<i32>()) & (at < vec2<i32>(size)))) {\n"
        "        return vec3<i32>(at, i32(face));\n"
        "    }\n"
        "    let q = vec2<f32>(at * 2 + 1) / f32(size) - 1.0;\n"
        "    var p = vec3<f32>(q.x, -q.y, 1.0);\n"
        "    switch face {\n"
        "        case 0u: {\n"
        "            p = vec3<f32>(1.0, -q.y, -q.x);\n"
        "        }\n"
        "        case 1u: {\n"
        "            p = vec3<f32>(-1.0, -q.y, q.x);\n"
        "        }\n"
        "        case 2u: {\n"
        "            p = vec3<f32>(q.x, 1.0, q.y);\n"
        "        }\n"
        "        case 3u: {\n"
        "            p = vec3<f32>(q.x, -1.0, -q.y);\n"
        "        }\n"
        "        case 5u: {\n"
        "            p = vec3<f32>(-q.x, -q.y, -1.0);\n"
        "        }\n"
        "        default: {\n"
        "        }\n"
        "    }\n"
        "    let place = cube_face(p);\n"
        "    return vec3<i32>(clamp(vec2<i32>(place.xy * f32(size)), vec2<i32>(), vec2<i32>(size - 1)), "
        "i32(place.z));\n"
        "}\n", {AG_WGSL_CUBE_FACE, NONE}, true},
    /* Textures in the arena (arena.c): r is the first row of the record, `kind` 1 a volume, 2 cubes, 4 integers. */
    [AG_WGSL_ARENA_TEXEL] = {"arena_texel",
        "fn arena_texel(r: u32, p: vec3<u32>, level: u32) -> vec4<u32> {\n"
        "    let size = max(overflow[r + 1u].xy >> vec2<u32>(level), vec2<u32>(1u));\n"
        "    let texel = (p.z * size.y + p.y) * size.x + p.x;\n"
        "    let encoding = (overflow[r].z >> 4u) & 15u;\n"
        "    let step = select(select(1u, 2u, encoding == 2u), 4u, encoding == 0u);\n"
        "    let at = overflow[r + 2u + (level >> 2u)][level & 3u] + step * texel;\n"
        "    let last = step - 1u;\n"
        "    let words = vec4<u32>(arena[at], arena[at + min(1u, last)], arena[at + min(2u, last)], "
        "arena[at + last]);\n"
        "    if (encoding == 0u) {\n"
        "        return words;\n"
        "    }\n"
        "    let one = select(0x3f800000u, 1u, encoding == 4u);\n"
        "    let halves = vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));\n"
        "    let packed = bitcast<vec4<u32>>(select(unpack4x8unorm(words.x), halves, encoding == 2u));\n"
        "    return select(packed, vec4<u32>(words.x, 0u, 0u, one), encoding >= 3u);\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_ARENA_TAP] = {"arena_tap",
        "fn arena_tap(r: u32, kind: u32, at: vec3<i32>, size: vec3<i32>, level: u32, slice: u32, s: "
        "u32) -> vec4<u32> {\n"
        "    if ((kind & 2u) != 0u) {\n"
        "        let cube = cube_texel(slice % 6u, at.xy, size.x);\n"
        "        return arena_texel(r, vec3<u32>(vec2<u32>(cube.xy), slice - slice % 6u + u32(cube.z)), "
        "level);\n"
        "    }\n"
        AG_FILTER_ADDRESS
        "        let color = border(s, overflow[r].w);\n"
        "        return select(bitcast<vec4<u32>>(color), bitcast<vec4<u32>>(vec4<i32>(color)), (kind "
        "& 4u) != 0u);\n"
        "    }\n"
        "    return arena_texel(r, vec3<u32>(vec2<u32>(i.xy), select(slice, u32(i.z), (kind & 1u) != "
        "0u)), level);\n"
        "}\n", {AG_WGSL_ARENA_TEXEL, AG_WGSL_CUBE_TEXEL, AG_WGSL_TEXEL_ADDRESS, AG_WGSL_BORDER, NONE}, true},
    /* Coordinates with the slice: of a cube those in its face. */
    [AG_WGSL_ARENA_PLACE] = {"arena_place",
        "fn arena_place(r: u32, kind: u32, p: vec3<f32>, slice: u32) -> vec4<f32> {\n"
        "    let slices = overflow[r + 1u].z;\n"
        "    if ((kind & 2u) == 0u) {\n"
        "        return vec4<f32>(p, f32(min(slice, slices - 1u)));\n"
        "    }\n"
        "    let q = cube_face(p);\n"
        "    return vec4<f32>(q.xy, 0.5, f32(min(slice, slices / 6u - 1u) * 6u) + q.z);\n"
        "}\n", {AG_WGSL_CUBE_FACE, NONE}, true},
    [AG_WGSL_ARENA_AT] = {"arena_at",
        "fn arena_at(r: u32, kind: u32, p: vec4<f32>, level: u32, linear: bool, offset: vec3<i32>, s: "
        "u32, compares: bool, x: f32) -> vec4<f32> {\n"
        "    let whole = overflow[r + 1u].xyz;\n"
        "    let size = max(vec3<u32>(whole.xy, select(1u, whole.z, (kind & 1u) != 0u)) >> "
        "vec3<u32>(level), vec3<u32>(1u));\n"
        AG_FILTER_AT("p.xyz", "bitcast<vec4<f32>>(arena_tap(r, kind, first + vec3<i32>(corner), "
                              "vec3<i32>(size), level, u32(p.w), s))"),
        {AG_WGSL_ARENA_TAP, AG_WGSL_COMPARED, NONE}, true},
    [AG_WGSL_ARENA_SAMPLED] = {"arena_sampled",
        "fn arena_sampled(r: u32, kind: u32, p: vec3<f32>, lod: f32, offset: vec3<i32>, slice: u32, s: "
        "u32, compares: bool, x: f32) -> vec4<f32> {\n"
        "    let state = sampler_states[s * 2u + 1u];\n"
        "    let bounds = bitcast<vec2<f32>>(state.zw);\n"
        "    let least = max(bounds.x, f32(overflow[r].z >> 8u) / 256.0);\n"
        AG_FILTER_LEVEL("least", "overflow[r + 1u].w")
        "    let place = arena_place(r, kind, p, slice);\n"
        "    let low = select(floor(level + 0.5), floor(level), (state.x & 1u) != 0u);\n"
        "    let second = max(level - low, 0.0);\n"
        "    let levels = select(1u, 2u, (state.x & 1u) != 0u && second > 0.0);\n"
        "    var sum = vec4<f32>();\n"
        "    for (var i = 0u; i < levels; i++) {\n"
        "        let texels = arena_at(r, kind, place, u32(low) + i, linear, offset, s, compares, x);\n"
        "        sum = select(texels, mix(sum, texels, second), i > 0u);\n"
        "    }\n"
        "    return sum;\n"
        "}\n", {AG_WGSL_ARENA_PLACE, AG_WGSL_ARENA_AT, NONE}, true},
    /* Four texels of the most detailed level, in the order of gather4 (sheet 6.5). */
    [AG_WGSL_ARENA_GATHERED] = {"arena_gathered",
        "fn arena_gathered(r: u32, kind: u32, p: vec3<f32>, offset: vec3<i32>, slice: u32, s: u32, "
        "channel: u32, compares: bool, x: f32) -> vec4<u32> {\n"
        "    let size = vec3<u32>(overflow[r + 1u].xy, 1u);\n"
        "    let place = arena_place(r, kind, p, slice);\n"
        AG_FILTER_FOUR("place.xyz", "vec4<u32>",
            "arena_tap(r, kind, first + corner, vec3<i32>(size), 0u, u32(place.w), s)")
        "        four[c] = select(tap[channel], bitcast<u32>(compared(x, bitcast<f32>(tap.x), s)), "
        "compares);\n"
        "    }\n"
        "    return four;\n"
        "}\n", {AG_WGSL_ARENA_PLACE, AG_WGSL_ARENA_TAP, AG_WGSL_COMPARED, NONE}, true},
    /* Triangles whose three w are 0 have no area inside the clip volume (D3D11.3 15.4.1), but some devices draw
     * them. Behind the eye all devices clip them; of other triangles the vertex moves by nothing that floats
     * can tell. */
    [AG_WGSL_NONZERO_W] = {"nonzero_w",
        "fn nonzero_w(position: vec4<f32>) -> vec4<f32> {\n"
        "    return vec4<f32>(position.xyz, select(position.w, " AG_WGSL_LEAST_W ", position.w == 0.0));\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_SAMPLE_POSITION] = {"sample_position",
        "fn sample_position(count: u32, index: u32) -> vec2<f32> {\n"
        "    if (index >= count || (count != 2u && count != 4u && count != 8u)) {\n"
        "        return vec2<f32>();\n"
        "    }\n"
        "    var places = vec2<u32>(0xfb135d79u, 0x1f7d39b5u);\n"
        "    if (count == 4u) {\n"
        "        places = vec2<u32>(0xa2e6u, 0xea62u);\n"
        "    } else if (count == 2u) {\n"
        "        places = vec2<u32>(0x4cu);\n"
        "    }\n"
        "    return vec2<f32>((places >> vec2<u32>(index * 4u)) & vec2<u32>(15u)) * 0.0625 - 0.5;\n"
        "}\n", {NONE, NONE}, true},
    /* A guest's target of two or eight samples has four on the host (decision X40). These functions convert
     * sample indices and sample masks between host and guest. */
    [AG_WGSL_HOST_SAMPLE] = {"host_sample",
        "fn host_sample(count: u32, index: u32) -> u32 {\n"
        "    let table = select(select(0x7a1cu, 0xe4u, count == 4u), 3u, count == 2u);\n"
        "    return (table >> (index * 2u)) & 3u;\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_GUEST_SAMPLE] = {"guest_sample",
        "fn guest_sample(count: u32, index: u32) -> u32 {\n"
        "    let table = select(select(0x3210u, 0x1420u, count == 8u), 0x0101u, count == 2u);\n"
        "    return (table >> (index * 4u)) & 7u;\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_GUEST_MASK] = {"guest_mask",
        "fn guest_mask(count: u32, mask: u32) -> u32 {\n"
        "    if (count == 2u) {\n"
        "        return select(0u, 1u, (mask & 10u) != 0u) | select(0u, 2u, (mask & 5u) != 0u);\n"
        "    }\n"
        "    if (count == 8u) {\n"
        "        return select(0u, 0x09u, (mask & 1u) != 0u) | select(0u, 0x84u, (mask & 2u) != 0u) |\n"
        "               select(0u, 0x30u, (mask & 4u) != 0u) | select(0u, 0x42u, (mask & 8u) != 0u);\n"
        "    }\n"
        "    return mask;\n"
        "}\n", {NONE, NONE}, true},
    [AG_WGSL_HOST_MASK] = {"host_mask",
        "fn host_mask(count: u32, mask: u32) -> u32 {\n"
        "    if (count == 2u) {\n"
        "        return ((mask & 1u) * 10u) | (((mask >> 1u) & 1u) * 5u);\n"
        "    }\n"
        "    if (count == 8u) {\n"
        "        return select(0u, 1u, (mask & 0x09u) != 0u) | select(0u, 2u, (mask & 0x84u) != 0u) |\n"
        "               select(0u, 4u, (mask & 0x30u) != 0u) | select(0u, 8u, (mask & 0x42u) != 0u);\n"
        "    }\n"
        "    return mask;\n"
        "}\n", {NONE, NONE}, true},
    /* The offset of the centroid from the pixel's centre: that of the first covered sample, if the pixel is
     * covered in part (sheet 9.4). */
    [AG_WGSL_CENTROID] = {"centroid",
        "fn centroid(count: u32, coverage: u32) -> vec2<f32> {\n"
        "    if (coverage == 0u || countOneBits(coverage) >= count) {\n"
        "        return vec2<f32>();\n"
        "    }\n"
        "    return sample_position(count, firstTrailingBit(coverage));\n"
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
