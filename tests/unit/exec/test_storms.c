/* SPDX-License-Identifier: MIT
 *
 * More attacks (attack.h): very many objects that are used once, draws of very many primitives, large
 * resources in guest memory, presents and fences without end, shaders that are barely taken.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "attack.h"

#define TARGET                                                                                               \
    "CREATE_TEXTURE2D texture_handle=1000 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=16 "         \
    "height=16 mip_levels=1 array_layers=1\nSET_RENDER_TARGETS colors=[1000]\n"

/* ---- Objects that are used once ------------------------------------------------------------------------ */

static void queries_that_end_at_once(void **state)
{
    (void)state;
    attack_of_text("20,000 queries with results", TARGET "EXT_CREATE_QUERY object_handle=1 type=OCCLUSION\n",
                   "EXT_BEGIN_QUERY query_handle=1\nEXT_END_QUERY query_handle=1 result_alloc_id=1\n", 20000);
}

static void casts_that_change_places(void **state)
{
    (void)state;
    attack_of_text(
        "2,000 clears of 1,024 layers by casts",
        "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE2D format=DXGI_R8G8B8A8_TYPELESS width=16 "
        "height=16 depth=1 mip_levels=5 array_size=1024 sample_count=1 "
        "bind_flags=RENDER_TARGET|SHADER_RESOURCE|UNORDERED_ACCESS\n"
        "EXT_CREATE_VIEW view_handle=2 resource_handle=1 kind=RENDER_TARGET format=DXGI_R8G8B8A8_UNORM "
        "dimension=TEXTURE2DARRAY mip_level_count=1 array_layer_count=1024\n"
        "EXT_CREATE_VIEW view_handle=3 resource_handle=1 kind=RENDER_TARGET format=DXGI_R8G8B8A8_UINT "
        "dimension=TEXTURE2DARRAY mip_level_count=1 array_layer_count=1024\n"
        "EXT_CREATE_VIEW view_handle=4 resource_handle=1 kind=UNORDERED_ACCESS format=DXGI_R32_UINT "
        "dimension=TEXTURE2DARRAY mip_level_count=1 array_layer_count=1024\n",
        "EXT_CLEAR_RENDER_TARGET_VIEW view_handle=2\nEXT_CLEAR_RENDER_TARGET_VIEW view_handle=3\n"
        "EXT_CLEAR_UNORDERED_ACCESS_VIEW view_handle=4\n",
        2000);
}

/* Shaders that sample, and draw a triangle over the whole target. */
static void write_sampling(struct agpu_writer *writer)
{
    host_assemble_shader(writer, 1, AGPU_STREAM_STAGE_VERTEX,
                         "vs_5_0\n.in SV_VertexID0 v0.x uint vertex_id\n"
                         ".out SV_Position0 o0.xyzw float position\ndcl_input_sgv v0.x, vertex_id\n"
                         "dcl_output_siv o0.xyzw, position\ndcl_temps 1\nieq r0.xy, v0.xxxx, l(1, 2, 0, 0)\n"
                         "movc o0.x, r0.x, l(3.0), l(-1.0)\nmovc o0.y, r0.y, l(3.0), l(-1.0)\n"
                         "mov o0.zw, l(0.0, 0.0, 0.5, 1.0)\nret\n");
    host_assemble_shader(writer, 2, AGPU_STREAM_STAGE_PIXEL,
                         "ps_5_0\n.out SV_Target0 o0.xyzw float\n"
                         "dcl_resource_texture2d (float,float,float,float) t0\ndcl_output o0.xyzw\n"
                         "ld o0.xyzw, l(0, 0, 0, 0), t0.xyzw\nret\n");
    agpu_write_bind_shaders(writer, 1, 2, 0, 0);
    agpu_write_set_viewport(writer, 0, 0, 16, 16, 0, 1);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
}

static void write_target(struct agpu_writer *writer, uint32_t width, uint32_t height)
{
    const uint32_t target = 1000;
    host_write_texture(writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       width, height);
    agpu_write_set_render_targets(writer, 1, &target, 0);
}

static void textures_that_one_draw_reads(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_target(&writer, 16, 16);
    write_sampling(&writer);
    for (uint32_t i = 0; i < 10000; i++) {
        host_write_texture(&writer, 10, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4);
        agpu_write_set_texture(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 10);
        agpu_write_draw(&writer, 3, 1, 0, 0);
        agpu_write_destroy_resource(&writer, 10);
    }
    attack("10,000 textures, a draw reads each", &writer);
    agpu_writer_fini(&writer);
}

static void constants_of_all_slots(void **state)
{
    (void)state;
    enum { SLOTS = 14, BYTES = 65536 };
    static uint8_t bytes[BYTES];
    struct aerogpu_constant_buffer_binding bindings[SLOTS];
    struct agpu_writer writer;
    char listing[2048], *end = listing;
    agpu_writer_init_growing(&writer, NULL);
    write_target(&writer, 16, 16);
    write_sampling(&writer);
    end += snprintf(end, 256, "ps_5_0\n.out SV_Target0 o0.xyzw float\n");
    for (uint32_t i = 0; i < SLOTS; i++)
        end += snprintf(end, 64, "dcl_constantbuffer CB%u[4096], dynamicIndexed\n", i);
    end += snprintf(end, 128, "dcl_output o0.xyzw\ndcl_temps 2\nmov r0.x, cb0[1].x\nmov r1.xyzw, l(0)\n");
    for (uint32_t i = 0; i < SLOTS; i++)
        end += snprintf(end, 64, "add r1.xyzw, r1.xyzw, cb%u[r0.x + 0].xyzw\n", i);
    snprintf(end, 64, "mov o0.xyzw, r1.xyzw\nret\n");
    host_assemble_shader(&writer, 3, AGPU_STREAM_STAGE_PIXEL, listing);
    agpu_write_bind_shaders(&writer, 1, 3, 0, 0);
    for (uint32_t i = 0; i < SLOTS; i++) {
        agpu_write_create_buffer(&writer, 10 + i, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, BYTES, 0, 0);
        agpu_write_upload_resource(&writer, 10 + i, 0, bytes, BYTES);
        bindings[i] = (struct aerogpu_constant_buffer_binding){.buffer = 10 + i, .size_bytes = BYTES};
    }
    agpu_write_set_constant_buffers(&writer, AGPU_STREAM_STAGE_PIXEL, 0, SLOTS, bindings);
    for (uint32_t i = 0; i < 5000; i++) {
        for (uint32_t k = 0; k < SLOTS; k++)
            agpu_write_upload_resource(&writer, 10 + k, i % 4096 * 16, bytes, 16);
        agpu_write_draw(&writer, 3, 1, 0, 0);
    }
    attack("5,000 draws with 896 KiB of constants", &writer);
    agpu_writer_fini(&writer);
}

/* ---- Draws --------------------------------------------------------------------------------------------- */

static void strips_of_cut_values(void **state)
{
    (void)state;
    enum { INDICES = 262144 };
    struct agpu_writer writer;
    uint16_t *indices = malloc(INDICES * sizeof *indices);
    assert_non_null(indices);
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = i % 4 == 3 ? UINT16_MAX : (uint16_t)i;
    agpu_writer_init_growing(&writer, NULL);
    write_target(&writer, 16, 16);
    attack_write_points(&writer);
    agpu_write_create_buffer(&writer, 10, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER, INDICES * sizeof *indices, 0,
                             0);
    agpu_write_upload_resource(&writer, 10, 0, indices, INDICES * sizeof *indices);
    agpu_write_set_index_buffer(&writer, 10, AEROGPU_INDEX_FORMAT_UINT16, 0);
    agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_TRIANGLEFAN);
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t word = i;
        agpu_write_upload_resource(&writer, 10, i * UINT64_C(4), &word, sizeof word);
        agpu_write_draw_indexed(&writer, INDICES - i, 1, 0, 0, 0);
    }
    attack("400 fans of 262,144 indices with cut values", &writer);
    agpu_writer_fini(&writer);
    free(indices);
}

static void large_index_buffers(void **state)
{
    (void)state;
    struct agpu_writer writer;
    const uint32_t word = UINT32_MAX, arguments[5] = {3, 1, 1, 0, 0};
    const struct aerogpu_cmd_ext_draw_indexed_instanced_indirect indirect = {.buffer = 11};
    agpu_writer_init_growing(&writer, NULL);
    write_target(&writer, 16, 16);
    attack_write_points(&writer);
    agpu_write_create_buffer(&writer, 11, AEROGPU_RESOURCE_USAGE_STORAGE, sizeof arguments, 0, 0);
    agpu_write_upload_resource(&writer, 11, 0, arguments, sizeof arguments);
    for (uint32_t i = 0; i < 20; i++) {
        agpu_write_create_buffer(&writer, 10, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER, 32 << 20, 0, 0);
        agpu_write_upload_resource(&writer, 10, 0, &word, sizeof word);
        agpu_write_upload_resource(&writer, 10, (32 << 20) - 4, &word, sizeof word);
        agpu_write_set_index_buffer(&writer, 10, AEROGPU_INDEX_FORMAT_UINT32, i % 2);
        if (i % 4 < 2)
            agpu_write_draw_indexed(&writer, 3, 1, 1, 0, 0);
        else
            agpu_write_packet(&writer, AEROGPU_CMD_EXT_DRAW_INDEXED_INSTANCED_INDIRECT, &indirect,
                              sizeof indirect, NULL, 0);
        agpu_write_destroy_resource(&writer, 10);
    }
    attack("20 index buffers of 32 MiB", &writer);
    agpu_writer_fini(&writer);
}

static void geometry_of_many_points(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_target(&writer, 16, 16);
    attack_write_points(&writer);
    host_assemble_shader(
        &writer, 3, AGPU_STREAM_STAGE_GEOMETRY,
        "gs_5_0\n.in SV_Position0 v0.xyzw float position\n"
        ".out SV_Position0 o0.xyzw float position\ndcl_input_siv v[1][0].xyzw, position\n"
        "dcl_temps 1\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\n"
        "dcl_output_siv o0.xyzw, position\ndcl_maxout 256\nmov r0.x, l(0)\nloop\n"
        "uge r0.y, r0.x, l(256)\nbreakc_nz r0.y\nmov o0.xyzw, v[0][0].xyzw\n"
        "emit_stream m0\niadd r0.x, r0.x, l(1)\nendloop\nret\n");
    agpu_write_bind_shaders(&writer, 1, 2, 0, 3);
    for (uint32_t i = 0; i < 256; i++)
        agpu_write_draw(&writer, 1 << 12, 1, i, 0);
    attack("256 draws of 2^12 points, 256 vertices each", &writer);
    agpu_writer_fini(&writer);
}

static void patches_of_greatest_factors(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_target(&writer, 16, 16);
    attack_write_points(&writer);
    host_assemble_shader(&writer, 3, AGPU_STREAM_STAGE_HULL,
                         "hs_5_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float\n"
                         ".patch SV_TessFactor0 o0.x float line_density_tess_factor\n"
                         ".patch SV_TessFactor1 o1.x float line_detail_tess_factor\nhs_decls\n"
                         "dcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
                         "dcl_tessellator_domain domain_isoline\n"
                         "dcl_tessellator_partitioning partitioning_integer\n"
                         "dcl_tessellator_output_primitive output_line\nhs_fork_phase\n"
                         "dcl_output_siv o0.x, finalLineDensityTessFactor\n"
                         "dcl_output_siv o1.x, finalLineDetailTessFactor\nmov o0.x, l(64.0)\n"
                         "mov o1.x, l(64.0)\nret\n");
    host_assemble_shader(
        &writer, 4, AGPU_STREAM_STAGE_DOMAIN,
        "ds_5_0\n.in SV_Position0 v0.xyzw float\n.out SV_Position0 o0.xyzw float position\n"
        ".patch SV_TessFactor0 vpc0.x float line_density_tess_factor read=0x0\n"
        ".patch SV_TessFactor1 vpc1.x float line_detail_tess_factor read=0x0\n"
        "dcl_input_control_point_count 1\ndcl_tessellator_domain domain_isoline\ndcl_input vDomain.xy\n"
        "dcl_output_siv o0.xyzw, position\nmov o0.xy, vDomain.xyxx\nmov o0.zw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    agpu_write_bind_shaders_ex(&writer, (const uint32_t[AGPU_STREAM_STAGE_COUNT]){
                                            [AGPU_STREAM_STAGE_VERTEX] = 1,
                                            [AGPU_STREAM_STAGE_PIXEL] = 2,
                                            [AGPU_STREAM_STAGE_HULL] = 3,
                                            [AGPU_STREAM_STAGE_DOMAIN] = 4,
                                        });
    agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_PATCHLIST_1);
    for (uint32_t i = 0; i < 64; i++)
        agpu_write_draw(&writer, 1 << 11, 1, i, 0);
    attack("64 draws of 2^11 patches, factors of 64", &writer);
    agpu_writer_fini(&writer);
}

/* More texels than a GPU fills before the timeout, in very many draws. */
static void layers_of_large_targets(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_target(&writer, 4096, 4096);
    write_sampling(&writer);
    host_write_texture(&writer, 10, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4);
    agpu_write_set_texture(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 10);
    agpu_write_set_viewport(&writer, 0, 0, 4096, 4096, 0, 1);
    for (uint32_t i = 0; i < 20000; i++)
        agpu_write_draw(&writer, 3, 1, 0, 0);
    attack("20,000 layers of 4,096 by 4,096 texels", &writer);
    agpu_writer_fini(&writer);
}

/* ---- Guest memory -------------------------------------------------------------------------------------- */

static void large_resources_of_guest_memory(void **state)
{
    (void)state;
    enum { MOST = 48 << 20, SIDE = 2048 };
    const struct aerogpu_alloc_entry entry = {.alloc_id = 1, .gpa = GUEST_BASE, .size_bytes = MOST};
    struct attack_times times = {0};
    struct agpu_writer writer;
    const struct aerogpu_cmd_create_texture2d texture = {.texture_handle = 2,
                                                         .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
                                                         .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                                         .width = SIDE,
                                                         .height = SIDE,
                                                         .mip_levels = 1,
                                                         .array_layers = 1,
                                                         .backing_alloc_id = 1,
                                                         .row_pitch_bytes = SIDE * 4};
    agpu_writer_init_growing(&writer, NULL);
    attacked.is_endless = true;
    agpu_write_create_buffer(&writer, 1, AEROGPU_RESOURCE_USAGE_STORAGE, MOST, 1, 0);
    agpu_write_create_buffer(&writer, 3, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 0, 0);
    agpu_write_create_texture2d(&writer, &texture);
    write_target(&writer, 16, 16);
    write_sampling(&writer);
    agpu_write_set_texture(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 2);
    for (uint32_t i = 0; i < 4; i++) {
        agpu_write_resource_dirty_range(&writer, 1, 0, MOST);
        agpu_write_copy_buffer(&writer, 3, 0, 1, 0, 16, 0);
        agpu_write_resource_dirty_range(&writer, 2, 0, SIDE * SIDE * 4);
        agpu_write_draw(&writer, 3, 1, 0, 0);
    }
    attack_submit(&writer, &entry, 1, &times);
    attack_work(&times, UINT64_MAX);
    assert_int_equal(attacked.last_error, AEROGPU_ERROR_NONE);
    attack_check_times("4 times 64 MiB of guest memory", &times);
    host_reset(&attacked);
    attacked.is_endless = false;
    agpu_writer_fini(&writer);
}

/* ---- Presents and fences ------------------------------------------------------------------------------- */

static void presents_of_many_swap_chains(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_target(&writer, 64, 64);
    for (uint32_t i = 0; i < 20000; i++) {
        const struct aerogpu_cmd_ext_present present = {.texture_handle = 1000, .swap_chain = i + 1};
        agpu_write_packet(&writer, AEROGPU_CMD_EXT_PRESENT, &present, sizeof present, NULL, 0);
    }
    attack("presents to 20,000 swap chains", &writer);
    agpu_writer_fini(&writer);
}

static void fences_of_many_contexts(void **state)
{
    (void)state;
    struct attack_times times = {0};
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    attack_note_memory();
    for (uint32_t i = 0; i < 20000; i++) {
        attacked.context_id = i;
        agpu_write_set_viewport(&writer, 0, 0, 1, 1, 0, 1);
        attack_submit(&writer, NULL, 0, &times);
    }
    attack_work(&times, UINT64_MAX);
    attack_check_times("20,000 submissions of as many contexts", &times);
    attack_check_memory("20,000 submissions of as many contexts");
    host_reset(&attacked);
    attack_write_frame(&writer, 1);
    assert_int_equal(host_run(&attacked, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    agpu_writer_fini(&writer);
}

/* ---- Shaders ------------------------------------------------------------------------------------------- */

static void write_long_shader(struct agpu_writer *writer, uint32_t handle, uint32_t lines)
{
    const char *const line = "mad r0.xyzw, r0.xyzw, r0.wxyz, l(1.0, 2.0, 3.0, 4.0)\n";
    const size_t size = 512 + strlen(line) * lines;
    char *listing = malloc(size), *end = listing;
    assert_non_null(listing);
    end += snprintf(end, size,
                    "cs_5_0\ndcl_uav_raw u0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
                    "ld_raw r0.xyzw, l(%u), u0.xyzw\n",
                    handle * 16);
    for (uint32_t i = 0; i < lines; i++, end += strlen(line))
        memcpy(end, line, strlen(line) + 1);
    snprintf(end, size - (size_t)(end - listing), "store_raw u0.xyzw, l(0), r0.xyzw\nret\n");
    host_assemble_shader(writer, handle, AGPU_STREAM_STAGE_COMPUTE, listing);
    free(listing);
}

static void long_shaders(void **state)
{
    (void)state;
    const struct aerogpu_unordered_access_buffer_binding binding = {.buffer = 1};
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, 1, AEROGPU_RESOURCE_USAGE_STORAGE, 4096, 0, 0);
    agpu_write_set_unordered_access_buffers(&writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &binding);
    for (uint32_t i = 2; i < 6; i++) {
        write_long_shader(&writer, i, 4000);
        agpu_write_bind_shaders(&writer, 0, 0, i, 0);
        agpu_write_dispatch(&writer, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
    }
    attack("4 shaders of 4,000 instructions", &writer);
    agpu_writer_fini(&writer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_that_end_at_once),
        cmocka_unit_test(casts_that_change_places),
        cmocka_unit_test(textures_that_one_draw_reads),
        cmocka_unit_test(constants_of_all_slots),
        cmocka_unit_test(strips_of_cut_values),
        cmocka_unit_test(large_index_buffers),
        cmocka_unit_test(geometry_of_many_points),
        cmocka_unit_test(patches_of_greatest_factors),
        cmocka_unit_test(layers_of_large_targets),
        cmocka_unit_test(large_resources_of_guest_memory),
        cmocka_unit_test(presents_of_many_swap_chains),
        cmocka_unit_test(fences_of_many_contexts),
        cmocka_unit_test(long_shaders),
    };
    attack_main(argc, argv, "exec/storms", tests, sizeof tests / sizeof tests[0]);
}
