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
    "\tlet modes = sampler_states[s * 2u + 1u].x;\n"                                                         \
    "\tlet i = vec3i(texel_address(at.x, size.x, modes >> 12u), texel_address(at.y, size.y, modes >> "       \
    "15u), texel_address(at.z, size.z, modes >> 18u));\n"                                                    \
    "\tif (any(i < vec3i())) {\n"

/* The rest of a function that filters within a level of `size` texels. `place`: the coordinates; `tap`: the
 * texel at first + vec3i(corner). */
#define AG_FILTER_AT(place, tap)                                                                             \
    "\tlet scaled = " place " * vec3f(size) - select(0.0, 0.5, linear);\n"                                   \
    "\tlet low = floor(scaled);\n"                                                                           \
    "\tlet weight = select(vec3f(), scaled - low, linear);\n"                                                \
    "\tlet first = vec3i(low) + offset;\n"                                                                   \
    "\tvar sum = vec4f();\n"                                                                                 \
    "\tfor (var c = 0u; c < select(1u, 8u, linear); c++) {\n"                                                \
    "\t\tlet corner = vec3u(c & 1u, (c >> 1u) & 1u, c >> 2u);\n"                                             \
    "\t\tlet w = select(1.0 - weight, weight, corner != vec3u());\n"                                         \
    "\t\tif (w.x * w.y * w.z > 0.0) {\n"                                                                     \
    "\t\t\tlet tap = " tap ";\n"                                                                             \
    "\t\t\tsum += w.x * w.y * w.z * select(tap, vec4f(compared(x, tap.x, s)), compares);\n"                  \
    "\t\t}\n"                                                                                                \
    "\t}\n"                                                                                                  \
    "\treturn sum;\n"                                                                                        \
    "}\n"

/* Declares `level` and whether the filter within levels is linear, of `bounds`, `state` and `lod`. */
#define AG_FILTER_LEVEL(least, levels)                                                                       \
    "\tlet wanted = max(min(lod + bitcast<f32>(state.y), bounds.y), " least ");\n"                           \
    "\tlet level = clamp(wanted, 0.0, f32(" levels " - 1u));\n"                                              \
    "\tlet linear = (state.x & select(0x10u, 0x4u, wanted <= 0.0)) != 0u;\n"

/* Begins the loop over the four texels of a gather, in the order of gather4 (sheet 6.5). `place`: the
 * coordinates; `tap`: the texel at first + corner. */
#define AG_FILTER_FOUR(place, type, tap)                                                                     \
    "\tlet first = vec3i(floor(" place " * vec3f(size) - 0.5)) + offset;\n"                                  \
    "\tvar four = " type "();\n"                                                                             \
    "\tfor (var c = 0u; c < 4u; c++) {\n"                                                                    \
    "\t\tlet corner = vec3i(select(0, 1, c == 1u || c == 2u), select(0, 1, c < 2u), 0);\n"                   \
    "\t\tlet tap = " tap ";\n"

#endif
