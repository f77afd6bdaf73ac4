/* SPDX-License-Identifier: MIT */
#include "kept_draw_objects.h"

#include <stdio.h>

#include "../../support/test.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "format/formats.h"
#include "host.h"

static const char *const vertex_shaders[] = {
    /* Position, colour. */
    "vs_4_0\n.in POSITION0 v0.xy float\n.in COLOR0 v1.xyzw float\n.in TEXCOORD0 v2.xy float\n"
    ".out SV_Position0 o0.xyzw float position\n.out COLOR0 o1.xyzw float\n.out TEXCOORD0 o2.xyzw float\n"
    "dcl_constantbuffer CB0[2], immediateIndexed\ndcl_input v0.xy\ndcl_input v1.xyzw\ndcl_input v2.xy\n"
    "dcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\ndcl_output o2.xyzw\n"
    "add o0.xy, v0.xyxx, cb0[0].xyxx\nmov o0.z, cb0[0].z\nmov o0.w, l(1.0)\n"
    "add o1.xyzw, v1.xyzw, cb0[1].xyzw\nmov o2.xyzw, v2.xyxy\nret\n",
    /* A second constant buffer, no colours. */
    "vs_4_0\n.in POSITION0 v0.xy float\n.in TEXCOORD0 v2.xy float\n"
    ".out SV_Position0 o0.xyzw float position\n.out COLOR0 o1.xyzw float\n.out TEXCOORD0 o2.xyzw float\n"
    "dcl_constantbuffer CB0[1], immediateIndexed\ndcl_constantbuffer CB2[3], immediateIndexed\n"
    "dcl_input v0.xy\ndcl_input v2.xy\n"
    "dcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\ndcl_output o2.xyzw\n"
    "add o0.xy, v0.xyxx, cb0[0].xyxx\nmov o0.z, cb0[0].z\nmov o0.w, l(1.0)\n"
    "mov o1.xyzw, cb2[2].xyzw\nmov o2.xyzw, v2.xyxy\nret\n",
    /* The numbers of vertex and instance, which the draw block shifts. */
    "vs_4_0\n.in POSITION0 v0.xy float\n.in SV_VertexID0 v1.x uint vertex_id\n"
    ".in SV_InstanceID0 v2.x uint instance_id\n"
    ".out SV_Position0 o0.xyzw float position\n.out COLOR0 o1.xyzw float\n.out TEXCOORD0 o2.xyzw float\n"
    "dcl_input v0.xy\ndcl_input_sgv v1.x, vertex_id\ndcl_input_sgv v2.x, instance_id\n"
    "dcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\ndcl_output o2.xyzw\ndcl_temps 1\n"
    "mov o0.xy, v0.xyxx\nmov o0.zw, l(0.0, 0.0, 0.5, 1.0)\n"
    "utof r0.x, v1.x\nutof r0.y, v2.x\nmul o1.xyzw, r0.xyxy, l(0.002, 0.2, 0.001, 0.1)\n"
    "mov o2.xyzw, l(0.5, 0.5, 0.5, 0.5)\nret\n",
    /* A buffer, and constants with a computed index. */
    "vs_5_0\n.in POSITION0 v0.xy float\n.in SV_InstanceID0 v2.x uint instance_id\n"
    ".out SV_Position0 o0.xyzw float position\n.out COLOR0 o1.xyzw float\n.out TEXCOORD0 o2.xyzw float\n"
    "dcl_constantbuffer CB1[2], dynamicIndexed\ndcl_resource_raw t1\n"
    "dcl_input v0.xy\ndcl_input_sgv v2.x, instance_id\n"
    "dcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\ndcl_output o2.xyzw\ndcl_temps 2\n"
    "mov o0.xy, v0.xyxx\nmov o0.zw, l(0.0, 0.0, 0.25, 1.0)\n"
    "ld_raw r0.xyzw, l(16), t1.xyzw\nmov r1.x, v2.x\nadd o1.xyzw, r0.xyzw, cb1[r1.x + 1].xyzw\n"
    "mov o2.xyzw, l(0.5, 0.5, 0.5, 0.5)\nret\n",
};

const char *const pixel_shaders[] = {
    "ps_4_0\n.in SV_Position0 v0.xyzw float position\n.in COLOR0 v1.xyzw float\n"
    ".in TEXCOORD0 v2.xyzw float\n.out SV_Target0 o0.xyzw float\n"
    "dcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v1.xyzw\nret\n",
    /* A texture and constants. */
    "ps_4_0\n.in SV_Position0 v0.xyzw float position\n.in COLOR0 v1.xyzw float\n"
    ".in TEXCOORD0 v2.xyzw float\n.out SV_Target0 o0.xyzw float\n"
    "dcl_constantbuffer CB0[1], immediateIndexed\n"
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_input_ps linear v2.xy\ndcl_output o0.xyzw\ndcl_temps 1\nsample r0.xyzw, v2.xyxx, t0.xyzw, s0\n"
    "mad o0.xyzw, cb0[0].xyzw, l(0.5, 0.5, 0.5, 0.5), r0.xyzw\nret\n",
    /* A texture, its size, constants. */
    "ps_4_0\n.in SV_Position0 v0.xyzw float position\n.in COLOR0 v1.xyzw float\n"
    ".in TEXCOORD0 v2.xyzw float\n.out SV_Target0 o0.xyzw float\n"
    "dcl_constantbuffer CB0[1], immediateIndexed\n"
    "dcl_sampler s1, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_resource_texture2d (float,float,float,float) t2\n"
    "dcl_input_ps linear v2.xy\ndcl_output o0.xyzw\ndcl_temps 2\n"
    "resinfo_uint r0.xyzw, l(0), t0.xyzw\nutof r0.xyzw, r0.xyzw\n"
    "mul r0.xyzw, r0.xyzw, l(0.05, 0.05, 0.05, 0.05)\nsample r1.xyzw, v2.xyxx, t2.xyzw, s1\n"
    "add r0.xyzw, r0.xyzw, cb0[0].xyzw\nmad o0.xyzw, r1.xyzw, l(0.5, 0.5, 0.5, 0.5), r0.xyzw\nret\n",
    /* A buffer. */
    "ps_5_0\n.in SV_Position0 v0.xyzw float position\n.in COLOR0 v1.xyzw float\n"
    ".in TEXCOORD0 v2.xyzw float\n.out SV_Target0 o0.xyzw float\n"
    "dcl_resource_raw t1\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n"
    "ld_raw r0.xyzw, l(0), t1.xyzw\nmad o0.xyzw, v1.xyzw, l(0.5, 0.5, 0.5, 0.5), r0.xyzw\nret\n",
    /* A texture and constants of three buffers. */
    "ps_4_0\n.in SV_Position0 v0.xyzw float position\n.in COLOR0 v1.xyzw float\n"
    ".in TEXCOORD0 v2.xyzw float\n.out SV_Target0 o0.xyzw float\n"
    "dcl_constantbuffer CB0[1], immediateIndexed\ndcl_constantbuffer CB1[2], immediateIndexed\n"
    "dcl_constantbuffer CB2[3], dynamicIndexed\n"
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_input_ps linear v2.xy\ndcl_output o0.xyzw\ndcl_temps 2\nsample r0.xyzw, "
    "v2.xyxx, t0.xyzw, s0\n"
    "mul r1.x, cb1[1].x, l(2.5)\nftou r1.x, r1.x\n"
    "mad r0.xyzw, cb2[r1.x + 0].xyzw, l(0.3, 0.3, 0.3, 0.3), r0.xyzw\n"
    "mad o0.xyzw, cb0[0].xyzw, l(0.5, 0.5, 0.5, 0.5), r0.xyzw\nret\n",
};

/* Triangles, moved; and one of each two, as a strip that is cut, with the other one's colour. */
static const char *const geometry_shaders[] = {
    "gs_4_0\n.in SV_Position0 v0.xyzw float position\n.in COLOR0 v1.xyzw float\n"
    ".in TEXCOORD0 v2.xyzw float\n.out SV_Position0 o0.xyzw float position\n"
    ".out COLOR0 o1.xyzw float\n.out TEXCOORD0 o2.xyzw float\n"
    "dcl_constantbuffer CB0[2], immediateIndexed\ndcl_input_siv v[3][0].xyzw, position\n"
    "dcl_input v[3][1].xyzw\ndcl_input v[3][2].xyzw\ndcl_temps 2\ndcl_inputprimitive triangle\n"
    "dcl_outputtopology trianglestrip\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\n"
    "dcl_output o2.xyzw\ndcl_maxout 3\nmov r0.x, l(0)\nloop\nige r0.y, r0.x, l(3)\nbreakc_nz r0.y\n"
    "mov r1.xyzw, v[r0.x + 0][0].xyzw\nadd o0.xy, r1.xyxx, cb0[0].xyxx\nmov o0.zw, r1.zwzw\n"
    "mad o1.xyzw, cb0[1].xyzw, l(0.25, 0.25, 0.25, 0.25), v[r0.x + 0][1].xyzw\n"
    "mov o2.xyzw, v[r0.x + 0][2].xyzw\nemit\niadd r0.x, r0.x, l(1)\nendloop\nret\n",
    "gs_4_0\n.in SV_Position0 v0.xyzw float position\n.in COLOR0 v1.xyzw float\n"
    ".in TEXCOORD0 v2.xyzw float\n.in SV_PrimitiveID0 vPrim.x uint primitive_id\n"
    ".out SV_Position0 o0.xyzw float position\n.out COLOR0 o1.xyzw float\n"
    ".out TEXCOORD0 o2.xyzw float\ndcl_input_siv v[3][0].xyzw, position\ndcl_input v[3][1].xyzw\n"
    "dcl_input v[3][2].xyzw\ndcl_input vPrim\ndcl_temps 1\ndcl_inputprimitive triangle\n"
    "dcl_outputtopology trianglestrip\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\n"
    "dcl_output o2.xyzw\ndcl_maxout 6\nand r0.x, vPrim, l(1)\nif_nz r0.x\nmov o0.xyzw, v[0][0].xyzw\n"
    "mov o1.xyzw, l(1.0, 0.0, 1.0, 1.0)\nmov o2.xyzw, v[0][2].xyzw\nemit\ncut\nendif\n"
    "mov o0.xyzw, v[0][0].xyzw\nmov o1.xyzw, v[2][1].xyzw\nmov o2.xyzw, v[0][2].xyzw\nemit\n"
    "mov o0.xyzw, v[1][0].xyzw\nmov o2.xyzw, v[1][2].xyzw\nemit\n"
    "mov o0.xyzw, v[2][0].xyzw\nmov o2.xyzw, v[2][2].xyzw\nemit\nret\n",
};

/* Patches of three corners, divided as constants say, or left out; moved, and coloured as they are divided.
 */
static const char hull_declarations[] =
    "hs_5_0\n.in SV_Position0 v0.xyzw float position\n.in COLOR0 v1.xyzw float\n"
    ".in TEXCOORD0 v2.xyzw float\n.out SV_Position0 o0.xyzw float position\n.out COLOR0 o1.xyzw float\n"
    ".out TEXCOORD0 o2.xyzw float\n"
    ".patch SV_TessFactor0 o0.x float tri_edge_tess_factor\n"
    ".patch SV_TessFactor1 o1.x float tri_edge_tess_factor\n"
    ".patch SV_TessFactor2 o2.x float tri_edge_tess_factor\n"
    ".patch SV_InsideTessFactor0 o3.x float tri_inside_tess_factor\n"
    "hs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
    "dcl_tessellator_output_primitive output_triangle_cw\n";
static const char factors_of_constants[] =
    "dcl_constantbuffer CB0[2], immediateIndexed\nhs_fork_phase\ndcl_temps 1\n"
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n"
    "mad r0.x, cb0[1].y, l(4.0), l(-0.5)\nmov o0.x, r0.x\nmov o1.x, r0.x\nmov o2.x, r0.x\nmov o3.x, "
    "r0.x\nret\n";
/* Patches that are not divided, and left out where their first corner has little red. */
static const char factors_of_corners[] =
    "hs_fork_phase\ndcl_input vicp[3][1].xyzw\ndcl_temps 1\n"
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n"
    "lt r0.x, vicp[0][1].x, l(0.2)\nmovc o0.x, r0.x, l(0.0), l(1.0)\nmov o1.x, l(1.0)\nmov o2.x, l(1.0)\n"
    "mov o3.x, l(1.0)\nret\n";
static const char domain_shader[] =
    "ds_5_0\n.in SV_Position0 v0.xyzw float position\n.in COLOR0 v1.xyzw float\n"
    ".in TEXCOORD0 v2.xyzw float\n.out SV_Position0 o0.xyzw float position\n.out COLOR0 o1.xyzw float\n"
    ".out TEXCOORD0 o2.xyzw float\n"
    ".patch SV_TessFactor0 vpc0.x float tri_edge_tess_factor read=0x0\n"
    ".patch SV_TessFactor1 vpc1.x float tri_edge_tess_factor read=0x0\n"
    ".patch SV_TessFactor2 vpc2.x float tri_edge_tess_factor read=0x0\n"
    ".patch SV_InsideTessFactor0 vpc3.x float tri_inside_tess_factor read=0x0\n"
    "dcl_input_control_point_count 3\ndcl_tessellator_domain domain_tri\n"
    "dcl_constantbuffer CB0[2], immediateIndexed\ndcl_input vicp[3][0].xyzw\ndcl_input vicp[3][1].xyzw\n"
    "dcl_input vicp[3][2].xyzw\ndcl_input vDomain.xyz\ndcl_output_siv o0.xyzw, position\n"
    "dcl_output o1.xyzw\ndcl_output o2.xyzw\ndcl_temps 2\n"
    "mul r0.xyzw, vDomain.xxxx, vicp[0][0].xyzw\nmad r0.xyzw, vDomain.yyyy, vicp[1][0].xyzw, r0.xyzw\n"
    "mad r0.xyzw, vDomain.zzzz, vicp[2][0].xyzw, r0.xyzw\nadd o0.xy, r0.xyxx, cb0[0].xyxx\n"
    "mov o0.zw, r0.zwzw\nmul r1.xyzw, vDomain.xyzx, l(0.25, 0.25, 0.25, 0.25)\n"
    "add o1.xyzw, r1.xyzw, vicp[0][1].xyzw\nmov o2.xyzw, vicp[1][2].xyzw\nret\n";

/* Adds to the words of a buffer that draws read as vertices, constants or resources. */
static const char compute_shader[] = "cs_5_0\ndcl_uav_raw u0\ndcl_thread_group 1, 1, 1\n"
                                     "store_raw u0.xyzw, l(0), l(0.1, 0.7, 0.3, 0.9)\nret\n";

/* ---- Chance ------------------------------------------------------------------------------------------- */

uint32_t below(struct kept_draw_world *world, uint32_t limit)
{
    world->random ^= world->random << 13;
    world->random ^= world->random >> 7;
    world->random ^= world->random << 17;
    return (uint32_t)((world->random >> 20) % limit);
}

float fraction(struct kept_draw_world *world)
{
    return (float)below(world, 16) / 16;
}

/* ---- Contents ----------------------------------------------------------------------------------------- */

/* Cells from the top left one on; `shift` moves them by a part of a cell. */
void upload_positions(struct kept_draw_world *world, uint32_t handle, float shift)
{
    static const float corners[CORNERS][2] = {
        {0, 0},
        {1, 0},
        {0, 1},
        {0, 1},
        {1, 0},
        {1, 1}
    };
    static float vertices[VERTICES][VERTEX_BYTES / 4];
    const float side = 2.0f / CELLS_A_SIDE;
    for (uint32_t i = 0; i < VERTICES; i++) {
        const uint32_t cell = i / CORNERS;
        const float *const corner = corners[i % CORNERS];
        vertices[i][0] = -1 + side * ((float)(cell % CELLS_A_SIDE) + (0.1f + 0.8f * corner[0]) + shift);
        vertices[i][1] = 1 - side * ((float)(cell / CELLS_A_SIDE) + (0.1f + 0.8f * corner[1]) + shift);
        vertices[i][2] = corner[0];
        vertices[i][3] = corner[1];
    }
    agpu_write_upload_resource(world->writer, handle, 0, vertices, sizeof vertices);
}

void upload_floats(struct kept_draw_world *world, uint32_t handle, uint32_t offset, uint32_t count)
{
    float values[VERTICES * COLOR_BYTES / 4];
    for (uint32_t i = 0; i < count; i++)
        values[i] = fraction(world);
    agpu_write_upload_resource(world->writer, handle, offset, values, count * sizeof values[0]);
}

/* Registers whose first one moves a vertex by little. */
void upload_constants(struct kept_draw_world *world, uint32_t handle, uint32_t first, uint32_t count)
{
    float values[CONSTANT_BYTES / 16][4];
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < 4; j++)
            values[i][j] = fraction(world) * (j < 2 && i % 2 == 0 ? 0.03f : 0.9f);
    agpu_write_upload_resource(world->writer, handle, first * 16, values, count * sizeof values[0]);
}

void upload_indices(struct kept_draw_world *world, uint32_t handle, bool has_cut)
{
    static const uint8_t orders[4][CORNERS] = {
        {0, 1, 2, 3, 4, 5}, /* both triangles */
        {5, 4, 3, 2, 1, 0},
        {0, 1, 2, 0, 1, 2}, /* one of them */
        {5, 3, 4, 5, 3, 4}
    };
    const uint8_t *const order = orders[below(world, 4)];
    uint32_t wide[4 * CORNERS];
    uint16_t narrow[4 * CORNERS];
    for (uint32_t i = 0; i < 4 * CORNERS; i++)
        narrow[i] = (uint16_t)(wide[i] = order[i % CORNERS] + i / CORNERS * CORNERS);
    if (has_cut) {
        wide[4] = UINT32_MAX;
        narrow[4] = UINT16_MAX;
    }
    if (handle == HANDLE_INDICES)
        agpu_write_upload_resource(world->writer, handle, 0, wide, sizeof wide);
    else
        agpu_write_upload_resource(world->writer, handle, 0, narrow, sizeof narrow);
}

void upload_texture(struct kept_draw_world *world, uint32_t handle)
{
    uint32_t texels[TEXTURE_SIZE * TEXTURE_SIZE];
    for (uint32_t i = 0; i < AG_COUNT_OF(texels); i++)
        texels[i] = below(world, 1u << 24) | 0xFF000000;
    agpu_write_upload_resource(world->writer, handle, 0, texels, sizeof texels);
}

/* ---- Objects ------------------------------------------------------------------------------------------ */

void write_buffer(struct kept_draw_world *world, uint32_t handle, uint32_t size)
{
    const uint32_t usage = AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER | AEROGPU_RESOURCE_USAGE_INDEX_BUFFER |
                           AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER | AEROGPU_RESOURCE_USAGE_STORAGE;
    agpu_write_create_buffer(world->writer, handle, usage, size, 0, 0);
}

void write_colors(struct kept_draw_world *world, uint32_t number)
{
    agpu_write_create_buffer(world->writer, HANDLE_COLORS + number, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER,
                             VERTICES * COLOR_BYTES, number == 1 ? WORLD_ALLOCATION : 0,
                             number == 1 ? BACKED_COLORS_AT : 0);
}

void write_sampler(struct kept_draw_world *world, uint32_t handle)
{
    const struct aerogpu_cmd_ext_create_sampler sampler = {
        .sampler_handle = handle,
        .filter = below(world, 2) ? AEROGPU_EXT_FILTER_MAG_LINEAR | AEROGPU_EXT_FILTER_MIN_LINEAR : 0,
        .address_u = 1 + below(world, 4),
        .address_v = 1 + below(world, 4),
        .address_w = AEROGPU_EXT_ADDRESS_CLAMP,
        .mip_lod_bias_f32 = below(world, 4) == 0 ? ag_bits_from_float(0.5f) : 0,
        .max_anisotropy = 1,
        .comparison_func = 1,
        .border_color_f32 = {ag_bits_from_float(0.25f), 0, ag_bits_from_float(1), ag_bits_from_float(1)},
        .max_lod_f32 = ag_bits_from_float(8),
    };
    if (below(world, 2))
        agpu_write_create_sampler(world->writer, handle, below(world, 2), below(world, 3), below(world, 3),
                                  0);
    else
        agpu_write_packet(world->writer, AEROGPU_CMD_EXT_CREATE_SAMPLER, &sampler, sizeof sampler, NULL, 0);
}

static void write_layouts(struct kept_draw_world *world)
{
    struct aerogpu_input_layout_element_dxgi elements[3] = {
        {.semantic_name_hash = agpu_semantic_hash("POSITION", 8), .dxgi_format = AG_DXGI_R32G32_FLOAT},
        { .semantic_name_hash = agpu_semantic_hash("TEXCOORD",                                                 8),
         .dxgi_format = AG_DXGI_R32G32_FLOAT,
         .aligned_byte_offset = 8},
        {                                                                     .semantic_name_hash = agpu_semantic_hash("COLOR",                                                 5),
         .dxgi_format = AG_DXGI_R32G32B32A32_FLOAT,
         .input_slot = 1},
    };
    agpu_write_create_input_layout_dxgi(world->writer, HANDLE_LAYOUTS, elements, 3);
    elements[2].input_slot_class = 1; /* by instance */
    elements[2].instance_data_step_rate = below(world, 2);
    agpu_write_create_input_layout_dxgi(world->writer, HANDLE_LAYOUTS + 1, elements, 3);
    elements[2].input_slot_class = elements[2].instance_data_step_rate = 0;
    elements[2].input_slot = 2;
    agpu_write_create_input_layout_dxgi(world->writer, HANDLE_LAYOUTS + 2, elements, 3);
}

/* Hull shaders that may make few triangles of a patch, or many, or one. */
static void write_patch_shaders(struct kept_draw_world *world)
{
    static const struct {
        const char *most, *factors;
    } shaders[] = {
        {"4",  factors_of_constants},
        {"24", factors_of_constants},
        {"1",  factors_of_corners  },
    };
    char text[2048];
    for (uint32_t i = 0; i < AG_COUNT_OF(shaders); i++) {
        const int length = snprintf(text, sizeof text, "%sdcl_hs_max_tessfactor l(%s.0)\n%s",
                                    hull_declarations, shaders[i].most, shaders[i].factors);
        assert_true((size_t)length < sizeof text);
        host_assemble_shader(world->writer, HANDLE_HULL_SHADERS + i, AGPU_STREAM_STAGE_HULL, text);
    }
    host_assemble_shader(world->writer, HANDLE_DOMAIN_SHADER, AGPU_STREAM_STAGE_DOMAIN, domain_shader);
}

void write_objects(struct kept_draw_world *world)
{
    for (uint32_t i = 0; i < 2; i++) {
        host_write_texture(world->writer, HANDLE_TARGETS + i,
                           AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_TEXTURE |
                               AEROGPU_RESOURCE_USAGE_SCANOUT,
                           AEROGPU_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
        write_buffer(world, HANDLE_POSITIONS + i, VERTICES * VERTEX_BYTES);
        upload_positions(world, HANDLE_POSITIONS + i, 0.05f * (float)i);
        write_colors(world, i);
        upload_floats(world, HANDLE_COLORS + i, 0, VERTICES * COLOR_BYTES / 4);
        write_buffer(world, HANDLE_INDICES + i, 4 * CORNERS * (i == 0 ? 4 : 2));
        upload_indices(world, HANDLE_INDICES + i, false);
        write_buffer(world, HANDLE_CONSTANTS + i, CONSTANT_BYTES);
        upload_constants(world, HANDLE_CONSTANTS + i, 0, CONSTANT_BYTES / 16);
        write_buffer(world, HANDLE_STORAGES + i, STORAGE_BYTES);
        upload_floats(world, HANDLE_STORAGES + i, 0, STORAGE_BYTES / 4);
    }
    agpu_write_create_buffer(world->writer, HANDLE_CONSTANTS + 2, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER,
                             BACKED_BYTES, WORLD_ALLOCATION, 0);
    host_write_texture(world->writer, HANDLE_DEPTH, AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL,
                       AEROGPU_FORMAT_D24_UNORM_S8_UINT, SIZE, SIZE);
    for (uint32_t i = 0; i < 4; i++) {
        host_write_texture(world->writer, HANDLE_TEXTURES + i, AEROGPU_RESOURCE_USAGE_TEXTURE,
                           AEROGPU_FORMAT_R8G8B8A8_UNORM, TEXTURE_SIZE, i == 3 ? 1 : TEXTURE_SIZE);
        if (i != 3)
            upload_texture(world, HANDLE_TEXTURES + i);
        write_sampler(world, HANDLE_SAMPLERS + i);
        host_assemble_shader(world->writer, HANDLE_VERTEX_SHADERS + i, AGPU_STREAM_STAGE_VERTEX,
                             vertex_shaders[i]);
        host_assemble_shader(world->writer, HANDLE_PIXEL_SHADERS + i, AGPU_STREAM_STAGE_PIXEL,
                             pixel_shaders[i]);
    }
    host_assemble_shader(world->writer, HANDLE_PIXEL_SHADERS + 4, AGPU_STREAM_STAGE_PIXEL, pixel_shaders[4]);
    host_write_texture(world->writer, HANDLE_CLEARED_TEXTURE,
                       AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                       AEROGPU_FORMAT_R8G8B8A8_UNORM, TEXTURE_SIZE, TEXTURE_SIZE);
    const struct aerogpu_cmd_create_texture2d backed = {
        .texture_handle = HANDLE_BACKED_TEXTURE,
        .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .width = TEXTURE_SIZE,
        .height = TEXTURE_SIZE,
        .mip_levels = 1,
        .array_layers = 1,
        .row_pitch_bytes = 4 * TEXTURE_SIZE,
        .backing_alloc_id = WORLD_ALLOCATION,
        .backing_offset_bytes = BACKED_COLORS_AT,
    };
    agpu_write_create_texture2d(world->writer, &backed);
    host_assemble_shader(world->writer, HANDLE_COMPUTE_SHADER, AGPU_STREAM_STAGE_COMPUTE, compute_shader);
    for (uint32_t i = 0; i < AG_COUNT_OF(geometry_shaders); i++)
        host_assemble_shader(world->writer, HANDLE_GEOMETRY_SHADERS + i, AGPU_STREAM_STAGE_GEOMETRY,
                             geometry_shaders[i]);
    write_patch_shaders(world);
    write_layouts(world);
}

void write_states(struct kept_draw_world *world)
{
    const struct aerogpu_cmd_ext_create_blend_state blend = {.object_handle = HANDLE_OBJECTS,
                                                             .target_count = 1};
    const struct aerogpu_ext_blend_target target = {
        .blend_enable = 1,
        .src_blend = AEROGPU_EXT_BLEND_ONE,
        .dest_blend = AEROGPU_EXT_BLEND_BLEND_FACTOR,
        .blend_op = AEROGPU_EXT_BLEND_OP_ADD,
        .src_blend_alpha = AEROGPU_EXT_BLEND_ONE,
        .dest_blend_alpha = AEROGPU_EXT_BLEND_ZERO,
        .blend_op_alpha = AEROGPU_EXT_BLEND_OP_ADD,
        .logic_op = AEROGPU_EXT_LOGIC_OP_NOOP,
        .write_mask = 15,
    };
    const struct aerogpu_ext_stencil_face face = {.fail_op = AEROGPU_EXT_STENCIL_OP_KEEP,
                                                  .depth_fail_op = AEROGPU_EXT_STENCIL_OP_KEEP,
                                                  .pass_op = AEROGPU_EXT_STENCIL_OP_KEEP,
                                                  .func = AEROGPU_EXT_COMPARISON_LESS_EQUAL};
    const struct aerogpu_cmd_ext_create_depth_stencil_state stencil = {.object_handle = HANDLE_OBJECTS + 1,
                                                                       .depth_func =
                                                                           AEROGPU_EXT_COMPARISON_ALWAYS,
                                                                       .stencil_enable = 1,
                                                                       .stencil_read_mask = 255,
                                                                       .front_face = face,
                                                                       .back_face = face};
    agpu_write_packet(world->writer, AEROGPU_CMD_EXT_CREATE_BLEND_STATE, &blend, sizeof blend, &target,
                      sizeof target);
    agpu_write_packet(world->writer, AEROGPU_CMD_EXT_CREATE_DEPTH_STENCIL_STATE, &stencil, sizeof stencil,
                      NULL, 0);
}
