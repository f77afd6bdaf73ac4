/* SPDX-License-Identifier: MIT
 *
 * WGSL that filters texels, for the functions that read a texture (sampler.c) and for those that read the
 * arena (helpers.c). The texts are parts of functions with the parameters of t#_tap, t#_at, t#_sampled and
 * t#_gathered. Arguments are WGSL, or printf's conversions where the text is a format.
 */
#ifndef AG_WGSL_FILTER_TEXT_H
#define AG_WGSL_FILTER_TEXT_H

/* Declares i, the texel that the sampler's address modes make of `at`, and begins the branch for texels
 * outside, where i is negative. */
#define AG_FILTER_ADDRESS                                                                                    \
    "    let modes = sampler_states[s * 2u + 1u].x;\n"                                                       \
    "    let i = vec3<i32>(texel_address(at.x, size.x, modes >> 12u), texel_address(at.y, size.y, modes >> " \
    "15u), texel_address(at.z, size.z, modes >> 18u));\n"                                                    \
    "    if (any(i < vec3<i32>())) {\n"

/* The rest of a function that filters within a level of `size` texels. `place`: the coordinates; `tap`: the
 * texel at first + vec3<i32>(corner). */
#define AG_FILTER_AT(place, tap)                                                                             \
    "    let scaled = " place " * vec3<f32>(size) - select(0.0, 0.5, linear);\n"                             \
    "    let low = floor(scaled);\n"                                                                         \
    "    let weight = select(vec3<f32>(), scaled - low, linear);\n"                                          \
    "    let first = vec3<i32>(low) + offset;\n"                                                             \
    "    var sum = vec4<f32>();\n"                                                                           \
    "    for (var c = 0u; c < select(1u, 8u, linear); c++) {\n"                                              \
    "        let corner = vec3<u32>(c & 1u, (c >> 1u) & 1u, c >> 2u);\n"                                     \
    "        let w = select(1.0 - weight, weight, corner != vec3<u32>());\n"                                 \
    "        if (w.x * w.y * w.z > 0.0) {\n"                                                                 \
    "            let tap = " tap ";\n"                                                                       \
    "            sum += w.x * w.y * w.z * select(tap, vec4<f32>(compared(x, tap.x, s)), compares);\n"        \
    "        }\n"                                                                                            \
    "    }\n"                                                                                                \
    "    return sum;\n"                                                                                      \
    "}\n"

/* Declares `level` and whether the filter within levels is linear, of `bounds`, `state` and `lod`. */
#define AG_FILTER_LEVEL(least, levels)                                                                       \
    "    let wanted = max(min(lod + bitcast<f32>(state.y), bounds.y), " least ");\n"                         \
    "    let level = clamp(wanted, 0.0, f32(" levels " - 1u));\n"                                            \
    "    let linear = (state.x & select(0x10u, 0x4u, wanted <= 0.0)) != 0u;\n"

/* Begins the loop over the four texels of a gather, in the order of gather4 (sheet 6.5). `place`: the
 * coordinates; `tap`: the texel at first + corner. */
#define AG_FILTER_FOUR(place, type, tap)                                                                     \
    "    let first = vec3<i32>(floor(" place " * vec3<f32>(size) - 0.5)) + offset;\n"                        \
    "    var four = " type "();\n"                                                                           \
    "    for (var c = 0u; c < 4u; c++) {\n"                                                                  \
    "        let corner = vec3<i32>(select(0, 1, c == 1u || c == 2u), select(0, 1, c < 2u), 0);\n"           \
    "        let tap = " tap ";\n"

#endif
