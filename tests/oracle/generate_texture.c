/* SPDX-License-Identifier: MIT
 *
 * Statements on textures, all of which give single texels: loads, and samples by point samplers at places
 * that are nowhere near the middle of two texels or levels.
 *
 *     t3 2D, 3 levels: integers     t4 array of 3 slices, 2 levels: tame floats     t5 2D depth, eighths
 *     t6 2D of 4 samples: tame floats     t7 2D: tame floats     u4 2D: a texel a thread
 */
#include "generate.h"

#include <stdio.h>

#define UINT2D "(texture2d)(uint,uint,uint,uint)"
#define FLOAT2D "(texture2d)(float,float,float,float)"
#define FLOAT2DARRAY "(texture2darray)(float,float,float,float)"

/* Coordinates in r17: centres of texels of an 8 by 8 level from 0 to 2, and a slice from 0 to 3. Places
 * between four texels for gathering. */
static void make_coordinates(struct generator *g, bool corners)
{
    char bits[OPERAND_TEXT];
    generate_bits(g, '\0', bits);
    generate_line(g, "and r17.xyz, %s, l(15, 15, 3, 0)", bits);
    generate_line(g, "utof r17.xyz, r17.xyzx");
    generate_line(g, "mad r17.xy, r17.xyxx, l(0.125, 0.125, 0.0, 0.0), l(%s)",
                  corners ? "0.125, 0.125, 0.0, 0.0" : "0.0625, 0.0625, 0.0, 0.0");
}

/* Offsets in texels, or none. */
static const char *pick_offsets(struct generator *g)
{
    static const char *const offsets[] = {"", "_aoffimmi", "_aoffimmi", ""};
    return offsets[generate_pick(g, 4)];
}

static const char *offset_text(struct generator *g, const char *suffix)
{
    static const char *const texts[] = {"(1,-2,0)", "(-8,7,0)", "(0,3,0)"};
    return *suffix != '\0' ? texts[generate_pick(g, 3)] : "";
}

/* Half of the addresses are outside. */
static void load(struct generator *g)
{
    char bits[OPERAND_TEXT];
    const char *offset = pick_offsets(g);
    generate_bits(g, '\0', bits);
    if (generate_chance(g, 30)) {
        generate_line(g, "and r17.xyzw, %s, l(15, 7, 0, 0)", bits);
        generate_line(g,
                      "ldms_indexable(texture2dms)(float,float,float,float) r%u.%s, r17.xyzw, t6.xyzw, l(%u)",
                      4 + generate_pick(g, 4), generate_mask(g), generate_pick(g, 4));
        return;
    }
    generate_line(g, "and r17.xyzw, %s, l(15, 7, 0, 3)", bits);
    generate_line(g, "ld%s_indexable%s" UINT2D " r%u.%s, r17.xyzw, t3.zwxy", offset, offset_text(g, offset),
                  generate_pick(g, 4), generate_mask(g));
}

static void sample(struct generator *g)
{
    const uint32_t to = 4 + generate_pick(g, 4);
    const char *mask = generate_mask(g), *offset = pick_offsets(g);
    make_coordinates(g, false);
    switch (generate_pick(g, 3)) {
    case 0:
        generate_line(g, "sample_l%s_indexable%s" FLOAT2DARRAY " r%u.%s, r17.xyzx, t4.yzwx, s0, l(%s)",
                      offset, offset_text(g, offset), to, mask, generate_chance(g, 50) ? "0.0" : "1.0");
        break;
    case 1:
        generate_line(g,
                      "sample_d%s_indexable%s" FLOAT2DARRAY " r%u.%s, r17.xyzx, t4.xyzw, s0, "
                      "l(%s, 0.0, 0.0, 0.0), l(0.0, 0.03125, 0.0, 0.0)",
                      offset, offset_text(g, offset), to, mask, generate_chance(g, 50) ? "0.03125" : "0.25");
        break;
    default:
        generate_line(g, "sample_c_lz%s_indexable%s" FLOAT2D " r%u.%s, r17.xyxx, t5.xxxx, s1, l(%s)", offset,
                      offset_text(g, offset), to, mask, generate_chance(g, 50) ? "0.4375" : "0.8125");
        break;
    }
}

static void gather(struct generator *g)
{
    char bits[OPERAND_TEXT];
    const uint32_t to = 4 + generate_pick(g, 4);
    const char *mask = generate_mask(g);
    const char channel = "xyzw"[generate_pick(g, 4)];
    make_coordinates(g, true);
    generate_bits(g, '\0', bits);
    switch (generate_pick(g, 4)) {
    case 0:
        generate_line(g, "gather4_indexable" FLOAT2DARRAY " r%u.%s, r17.xyzx, t4.wxyz, s0.%c", to, mask,
                      channel);
        break;
    case 1:
        generate_line(g, "gather4_c_indexable" FLOAT2D " r%u.%s, r17.xyxx, t5.xyzw, s1.x, l(0.4375)", to,
                      mask);
        break;
    case 2:
        generate_line(g, "and r16.xy, %s, l(63, 63, 0, 0)", bits);
        generate_line(g, "gather4_po_indexable" FLOAT2D " r%u.%s, r17.xyxx, r16.xyxx, t7.xyzw, s0.%c", to,
                      mask, channel);
        break;
    default:
        generate_line(g, "and r16.xy, %s, l(63, 63, 0, 0)", bits);
        generate_line(
            g, "gather4_po_c_indexable" FLOAT2D " r%u.%s, r17.xyxx, r16.xyxx, t5.xyzw, s1.x, l(0.8125)", to,
            mask);
        break;
    }
}

static void query(struct generator *g)
{
    char scalar[OPERAND_TEXT];
    if (generate_chance(g, 30)) {
        generate_line(g, "sampleinfo_uint r%u.%s, t6.xyzw", generate_pick(g, 4), generate_mask(g));
        return;
    }
    if (generate_chance(g, 30)) { /* the standard positions, and one that is none */
        generate_line(g, "and r8.x, %s, l(7)", generate_scalar(g, scalar));
        generate_line(g, "samplepos r%u.%s, t6.%s, r8.x", 4 + generate_pick(g, 4), generate_mask(g),
                      generate_chance(g, 50) ? "xyzw" : "yxxz");
        return;
    }
    generate_line(g, "and r8.x, %s, l(3)", generate_scalar(g, scalar));
    if (generate_chance(g, 50))
        generate_line(g, "resinfo_indexable" UINT2D "_uint r%u.%s, r8.x, t3.xyzw", generate_pick(g, 4),
                      generate_mask(g));
    else
        generate_line(g, "resinfo_indexable" FLOAT2DARRAY "_uint r%u.%s, r8.x, t4.wzyx", generate_pick(g, 4),
                      generate_mask(g));
}

static void own_texel(struct generator *g)
{
    if (generate_chance(g, 50)) {
        generate_line(g, "mov r17.xyzw, vThreadGroupID.yyyy");
        generate_line(g, "mov r17.x, r14.w");
        generate_line(g, "store_uav_typed u4.xyzw, r17.xyyy, r%u.zwxy", generate_pick(g, 4));
    } else {
        generate_line(g, "mov r17.xyzw, vThreadGroupID.yyyy");
        generate_line(g, "mov r17.x, r14.w");
        generate_line(g, "ld_uav_typed_indexable" UINT2D " r%u.%s, r17.xyyy, u4.xyzw", generate_pick(g, 4),
                      generate_mask(g));
    }
}

void generate_texture(struct generator *g)
{
    const uint32_t kind = generate_pick(g, 100), before = generate_unit(g);
    g->forms[FORM_TEXTURE]++;
    if (kind < 25)
        load(g);
    else if (kind < 50)
        sample(g);
    else if (kind < 75)
        gather(g);
    else if (kind < 87)
        query(g);
    else
        own_texel(g);
    generate_unit_end(g, before);
}

void generate_texture_declarations(struct generator *g)
{
    static const char *const lines[] = {
        "dcl_sampler s0, mode_default",
        "dcl_sampler s1, mode_comparison",
        "dcl_resource_texture2d (uint,uint,uint,uint) t3",
        "dcl_resource_texture2darray (float,float,float,float) t4",
        "dcl_resource_texture2d (float,float,float,float) t5",
        "dcl_resource_texture2dms(4) (float,float,float,float) t6",
        "dcl_resource_texture2d (float,float,float,float) t7",
        "dcl_uav_typed_texture2d (uint,uint,uint,uint) u4",
    };
    for (size_t i = 0; i < AG_COUNT_OF(lines); i++)
        generate_line(g, "%s", lines[i]);
}
