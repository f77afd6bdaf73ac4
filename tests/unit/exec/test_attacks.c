/* SPDX-License-Identifier: MIT
 *
 * Streams that are short and mean very much work or memory (attack.h): read-backs, memory, clears and copies,
 * compilers, searches, resets.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/text.h"
#include "attack.h"

/* ---- Read-backs ---------------------------------------------------------------------------------------- */

static void reads_of_many_slices(void **state)
{
    (void)state;
    attack_of_text(
        "40 readings of 2,048 slices",
        "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE3D format=DXGI_R8G8B8A8_UNORM width=4 "
        "height=4 depth=2048 mip_levels=1 array_size=1 sample_count=1 bind_flags=SHADER_RESOURCE\n",
        "EXT_READ_SUBRESOURCE resource_handle=1 target_alloc_id=1\n", 40);
}

static void large_pictures(void **state)
{
    (void)state;
    attack_of_text(
        "20 presents of 4,096 by 2,048",
        "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=4096 "
        "height=2048 mip_levels=1 array_layers=1\nSET_RENDER_TARGETS colors=[1]\n",
        "PRESENT\n", 20);
}

/* ---- Memory of the GPU --------------------------------------------------------------------------------- */

static void clears_of_large_textures(void **state)
{
    (void)state;
    attack_of_text(
        "clears of 2,048 textures of 1 MiB", "",
        "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE2D format=DXGI_R8G8B8A8_UNORM width=512 "
        "height=512 depth=1 "
        "mip_levels=1 array_size=1 sample_count=1 bind_flags=UNORDERED_ACCESS\n"
        "EXT_CREATE_VIEW view_handle=2 resource_handle=1 kind=UNORDERED_ACCESS dimension=TEXTURE2D "
        "mip_level_count=1 array_layer_count=1\n"
        "EXT_CLEAR_UNORDERED_ACCESS_VIEW view_handle=2 values=[1 2 3 4]\n"
        "EXT_DESTROY_VIEW view_handle=2\nDESTROY_RESOURCE resource_handle=1\n",
        2048);
}

static void volumes_of_zeros(void **state)
{
    (void)state;
    attack_of_text(
        "64 volumes of 64 MiB", "",
        "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE3D format=DXGI_R8G8B8A8_UNORM width=256 "
        "height=256 depth=256 mip_levels=1 array_size=1 sample_count=1 bind_flags=SHADER_RESOURCE\n"
        "DESTROY_RESOURCE resource_handle=1\n",
        64);
}

static void very_many_small_objects(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t i = 1; i <= 200000; i++)
        agpu_write_create_buffer(&writer, i, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 0, 0);
    attack("200,000 small buffers", &writer);
    for (uint32_t i = 1; i <= 200000; i++)
        host_write_texture(&writer, i, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
    attack("200,000 small textures", &writer);
    for (uint32_t i = 1; i <= 200000; i++)
        agpu_write_create_sampler(&writer, i, 0, 0, 0, 0);
    attack("200,000 samplers", &writer);
    agpu_writer_fini(&writer);
}

static void uploads_of_one_buffer(void **state)
{
    (void)state;
    enum { BYTES = 1 << 20 };
    struct agpu_writer writer;
    uint8_t *bytes = calloc(1, BYTES);
    assert_non_null(bytes);
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, 1, AEROGPU_RESOURCE_USAGE_STORAGE, BYTES, 0, 0);
    for (uint32_t i = 0; i < 48; i++)
        agpu_write_upload_resource(&writer, 1, 0, bytes, BYTES);
    attack("48 uploads of 1 MiB", &writer);
    agpu_writer_fini(&writer);
    free(bytes);
}

/* One packet with very many bytes for resource 1, which `head` makes. */
static void attack_with_upload(const char *name, const char *head, uint64_t offset, uint32_t size)
{
    struct agpu_writer writer;
    uint8_t *bytes = calloc(1, size);
    assert_non_null(bytes);
    agpu_writer_init_growing(&writer, NULL);
    attack_write_text(&writer, head);
    agpu_write_upload_resource(&writer, 1, offset, bytes, size);
    attack(name, &writer);
    agpu_writer_fini(&writer);
    free(bytes);
}

/* The queue, commands and the processor write them: buffers that are not in use, in use, begin inside a word,
 * and whose bytes the processor keeps; texels as they are, converted, and decoded when their texture is made.
 */
static void uploads_of_many_bytes(void **state)
{
    (void)state;
    enum { BYTES = 24 << 20 };
    attack_with_upload("an upload of 24 MiB",
                       "CREATE_BUFFER buffer_handle=1 usage_flags=STORAGE size_bytes=25165824\n", 0, BYTES);
    attack_with_upload("the same into a buffer in use",
                       "CREATE_BUFFER buffer_handle=1 usage_flags=STORAGE size_bytes=25165828\n"
                       "CREATE_BUFFER buffer_handle=2 usage_flags=STORAGE size_bytes=4\n"
                       "COPY_BUFFER dst_buffer=2 src_buffer=1 size_bytes=4\n",
                       4, BYTES);
    attack_with_upload("the same from the second byte on",
                       "CREATE_BUFFER buffer_handle=1 usage_flags=STORAGE size_bytes=25165828\n", 1, BYTES);
    attack_with_upload("the same into an index buffer",
                       "CREATE_BUFFER buffer_handle=1 usage_flags=INDEX_BUFFER size_bytes=25165824\n", 0,
                       BYTES);
    attack_with_upload(
        "the same into a texture",
        "CREATE_TEXTURE2D texture_handle=1 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=2048 "
        "height=3072 mip_levels=1 array_layers=1\n",
        0, BYTES);
    attack_with_upload("8 MiB of texels of 16 bits",
                       "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE2D format=DXGI_B5G6R5_UNORM "
                       "width=2048 height=2048 depth=1 mip_levels=1 array_size=1 sample_count=1 "
                       "bind_flags=SHADER_RESOURCE\n",
                       0, 8 << 20);
    attack_with_upload("texels of two pixels each, made and uploaded",
                       "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE2D format=DXGI_R8G8_B8G8_UNORM "
                       "width=4096 height=2048 depth=1 mip_levels=1 array_size=1 sample_count=1 "
                       "bind_flags=SHADER_RESOURCE\n",
                       0, 16 << 20);
}

static void copies_between_index_buffers(void **state)
{
    (void)state;
    attack_of_text("20 copies of 24 MiB that the processor knows",
                   "CREATE_BUFFER buffer_handle=1 usage_flags=INDEX_BUFFER size_bytes=25165824\n"
                   "CREATE_BUFFER buffer_handle=2 usage_flags=INDEX_BUFFER size_bytes=25165824\n",
                   "COPY_BUFFER dst_buffer=2 src_buffer=1 size_bytes=25165824\n"
                   "EXT_COPY_RESOURCE dst_resource=1 src_resource=2\n",
                   10);
}

static void lists_of_many_packets(void **state)
{
    (void)state;
    enum { PACKETS = 800000, BYTES = 24 << 20 };
    struct agpu_writer writer, packets;
    uint8_t *bytes = calloc(1, BYTES);
    struct aerogpu_cmd_ext_create_command_list list = {.object_handle = 1};
    const size_t head = sizeof(struct aerogpu_cmd_stream_header);
    assert_non_null(bytes);
    agpu_writer_init_growing(&writer, NULL);
    agpu_writer_init_growing(&packets, NULL);
    for (uint32_t i = 0; i < PACKETS; i++)
        agpu_write_set_scissor(&packets, 0, 0, 1, 1);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_COMMAND_LIST, &list, sizeof list, packets.data + head,
                      packets.size - head);
    attack("a command list of 800,000 packets", &writer);
    agpu_writer_reset(&packets);
    agpu_write_upload_resource(&packets, 1, 0, bytes, BYTES);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_COMMAND_LIST, &list, sizeof list, packets.data + head,
                      packets.size - head);
    attack("a command list with an upload of 24 MiB", &writer);
    agpu_writer_fini(&packets);
    agpu_writer_fini(&writer);
    free(bytes);
}

/* ---- Work ---------------------------------------------------------------------------------------------- */

enum { RECTS = 16000, SLICES = 2048 };

/* A texture with very many slices, and a view of all of them. */
static void write_slices(struct agpu_writer *writer, uint32_t dimension, uint32_t dxgi, uint32_t bind_flags,
                         uint32_t view_kind)
{
    const bool is_volume = dimension == AEROGPU_EXT_RESOURCE_TEXTURE3D;
    const struct aerogpu_cmd_ext_create_texture texture = {
        .texture_handle = 1,
        .dimension = dimension,
        .format = AEROGPU_EXT_FORMAT_BASE | dxgi,
        .width = 16,
        .height = 16,
        .depth = is_volume ? SLICES : 1,
        .mip_levels = 1,
        .array_size = is_volume ? 1 : SLICES,
        .sample_count = 1,
        .bind_flags = bind_flags,
    };
    const struct aerogpu_cmd_ext_create_view view = {
        .view_handle = 2,
        .resource_handle = 1,
        .kind = view_kind,
        .format = AEROGPU_EXT_FORMAT_BASE | dxgi,
        .dimension = is_volume ? AEROGPU_EXT_DIMENSION_TEXTURE3D : AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY,
        .mip_level_count = 1,
        .array_layer_count = SLICES,
    };
    agpu_writer_init_growing(writer, NULL);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_TEXTURE, &texture, sizeof texture, NULL, 0);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_VIEW, &view, sizeof view, NULL, 0);
}

/* `clear` is a packet with so many rectangles of a texel each, which are this function's. */
static void attack_with_rectangles(const char *name, struct agpu_writer *writer, uint32_t opcode,
                                   const void *clear, size_t size)
{
    struct aerogpu_ext_rect *rects = calloc(RECTS, sizeof *rects);
    assert_non_null(rects);
    for (uint32_t i = 0; i < RECTS; i++)
        rects[i] = (struct aerogpu_ext_rect){.right = 1, .bottom = 1};
    agpu_write_packet(writer, opcode, clear, size, rects, RECTS * sizeof *rects);
    attack(name, writer);
    agpu_writer_fini(writer);
    free(rects);
}

static void rectangles_of_many_slices(void **state)
{
    (void)state;
    const struct aerogpu_cmd_ext_clear_render_target_view clear = {.view_handle = 2, .rect_count = RECTS};
    struct agpu_writer writer;
    write_slices(&writer, AEROGPU_EXT_RESOURCE_TEXTURE3D, 28, AEROGPU_EXT_BIND_RENDER_TARGET,
                 AEROGPU_EXT_VIEW_RENDER_TARGET);
    attack_with_rectangles("a clear of 16,000 rectangles, 2,048 slices", &writer,
                           AEROGPU_CMD_EXT_CLEAR_RENDER_TARGET_VIEW, &clear, sizeof clear);
}

static void rectangles_of_unordered_slices(void **state)
{
    (void)state;
    const struct aerogpu_cmd_ext_clear_unordered_access_view clear = {.view_handle = 2, .rect_count = RECTS};
    struct agpu_writer writer;
    write_slices(&writer, AEROGPU_EXT_RESOURCE_TEXTURE3D, 28, AEROGPU_EXT_BIND_UNORDERED_ACCESS,
                 AEROGPU_EXT_VIEW_UNORDERED_ACCESS);
    attack_with_rectangles("the same of an unordered access view", &writer,
                           AEROGPU_CMD_EXT_CLEAR_UNORDERED_ACCESS_VIEW, &clear, sizeof clear);
}

static void rectangles_of_depth(void **state)
{
    (void)state;
    const struct aerogpu_cmd_ext_clear_depth_stencil_view clear = {
        .view_handle = 2, .flags = AEROGPU_EXT_CLEAR_DEPTH, .rect_count = RECTS};
    struct agpu_writer writer;
    write_slices(&writer, AEROGPU_EXT_RESOURCE_TEXTURE2D, 40, AEROGPU_EXT_BIND_DEPTH_STENCIL,
                 AEROGPU_EXT_VIEW_DEPTH_STENCIL);
    attack_with_rectangles("the same of a depth-stencil view", &writer,
                           AEROGPU_CMD_EXT_CLEAR_DEPTH_STENCIL_VIEW, &clear, sizeof clear);
}

static void mips_of_many_layers(void **state)
{
    (void)state;
    attack_of_text("40 times 6 mips of 2,048 layers",
                   "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE2D format=DXGI_R8G8B8A8_UNORM "
                   "width=64 height=64 depth=1 mip_levels=7 array_size=2048 sample_count=1 "
                   "bind_flags=SHADER_RESOURCE|RENDER_TARGET misc_flags=GENERATE_MIPS\n"
                   "EXT_CREATE_VIEW view_handle=2 resource_handle=1 kind=SHADER_RESOURCE "
                   "dimension=TEXTURE2DARRAY mip_level_count=7 array_layer_count=2048\n",
                   "EXT_GENERATE_MIPS view_handle=2\n", 40);
}

static void resolves_of_large_textures(void **state)
{
    (void)state;
    attack_of_text("200 resolves of 1,024x1,024 texels",
                   "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE2D format=DXGI_R8G8B8A8_UNORM "
                   "width=1024 height=1024 depth=1 mip_levels=1 array_size=1 sample_count=4 "
                   "bind_flags=RENDER_TARGET\n"
                   "EXT_CREATE_TEXTURE texture_handle=2 dimension=TEXTURE2D format=DXGI_R8G8B8A8_UNORM "
                   "width=1024 height=1024 depth=1 mip_levels=1 array_size=1 sample_count=1 "
                   "bind_flags=RENDER_TARGET\n",
                   "EXT_RESOLVE_SUBRESOURCE dst_texture=2 src_texture=1 format=DXGI_R8G8B8A8_UNORM\n", 200);
}

static void regions_of_many_slices(void **state)
{
    (void)state;
    attack_of_text("400 regions of 2,048 slices onto themselves",
                   "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE3D format=DXGI_R8G8B8A8_UNORM "
                   "width=16 height=16 depth=2048 mip_levels=1 array_size=1 sample_count=1 "
                   "bind_flags=SHADER_RESOURCE\n",
                   "EXT_COPY_SUBRESOURCE_REGION dst_resource=1 src_resource=1 dst_x=8 box_flags=BOX "
                   "box={right=8 bottom=16 back=2048}\n",
                   400);
}

static void counts_without_end(void **state)
{
    (void)state;
    attack_of_text("100,000 counts of structures",
                   "EXT_CREATE_BUFFER buffer_handle=1 size_bytes=64 bind_flags=UNORDERED_ACCESS "
                   "misc_flags=BUFFER_STRUCTURED structure_stride_bytes=4\n"
                   "EXT_CREATE_BUFFER buffer_handle=2 size_bytes=64 bind_flags=SHADER_RESOURCE\n"
                   "EXT_CREATE_VIEW view_handle=3 resource_handle=1 kind=UNORDERED_ACCESS "
                   "dimension=BUFFER element_count=16 flags=APPEND\n",
                   "EXT_COPY_STRUCTURE_COUNT dst_buffer=2 src_view=3\n", 100000);
}

static void lists_that_execute_lists(void **state)
{
    (void)state;
    attack_of_text(
        "command lists 7 deep, 8 wide",
        "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=4 height=4 "
        "mip_levels=1 array_layers=1\n"
        "CREATE_TEXTURE2D texture_handle=2 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=4 height=4 "
        "mip_levels=1 array_layers=1\n"
        "EXT_CREATE_COMMAND_LIST object_handle=10 {\n"
        "  SET_RENDER_TARGETS colors=[1]\n  CLEAR flags=COLOR color_rgba_f32=[1 0 0 1]\n"
        "  COPY_TEXTURE2D dst_texture=2 src_texture=1 width=4 height=4\n}\n"
#define LIST(number, inner)                                                                                  \
    "EXT_CREATE_COMMAND_LIST object_handle=" number                                                          \
    " {\n" EIGHT("  EXT_EXECUTE_COMMAND_LIST list_handle=" inner "\n") "}\n"
#define EIGHT(text) text text text text text text text text
        LIST("11", "10") LIST("12", "11") LIST("13", "12") LIST("14", "13") LIST("15", "14") LIST("16", "15"),
        "EXT_EXECUTE_COMMAND_LIST list_handle=16\n", 8);
}

static void copies_of_many_subresources(void **state)
{
    (void)state;
    attack_of_text("400 copies of 1,024 layers and 4 mips",
                   EIGHT("") "EXT_CREATE_TEXTURE texture_handle=1 dimension=TEXTURE2D "
                             "format=DXGI_R8G8B8A8_UNORM width=8 height=8 depth=1 "
                             "mip_levels=4 array_size=1024 sample_count=1 bind_flags=SHADER_RESOURCE\n"
                             "EXT_CREATE_TEXTURE texture_handle=2 dimension=TEXTURE2D "
                             "format=DXGI_R8G8B8A8_UNORM width=8 height=8 depth=1 "
                             "mip_levels=4 array_size=1024 sample_count=1 bind_flags=SHADER_RESOURCE\n",
                   "EXT_COPY_RESOURCE dst_resource=2 src_resource=1\n", 400);
}

static void queries_over_passes(void **state)
{
    (void)state;
    struct agpu_writer writer;
    const uint32_t target = 1;
    agpu_writer_init_growing(&writer, NULL);
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       1, 1);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    for (uint32_t i = 1; i <= 4000; i++) {
        const struct aerogpu_cmd_ext_create_query query = {.object_handle = i,
                                                           .type = AEROGPU_EXT_QUERY_OCCLUSION};
        const struct aerogpu_cmd_ext_begin_query begin = {.query_handle = i};
        agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_QUERY, &query, sizeof query, NULL, 0);
        agpu_write_packet(&writer, AEROGPU_CMD_EXT_BEGIN_QUERY, &begin, sizeof begin, NULL, 0);
    }
    attack_write_points(&writer);
    for (uint32_t i = 0; i < 4000; i++) {
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0}, 1, 0);
        agpu_write_draw(&writer, 1, 1, 0, 0);
    }
    attack("4,000 queries over 4,000 passes", &writer);
    agpu_writer_fini(&writer);
}

static void scans_past_the_end(void **state)
{
    (void)state;
    struct agpu_writer writer;
    const uint32_t target = 1;
    agpu_writer_init_growing(&writer, NULL);
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       1, 1);
    agpu_write_create_buffer(&writer, 2, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER, 16 << 20, 0, 0);
    attack_write_points(&writer);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    agpu_write_set_index_buffer(&writer, 2, AEROGPU_INDEX_FORMAT_UINT32, 0);
    for (uint32_t i = 0; i < 200; i++) {
        const uint32_t word = UINT32_MAX;
        agpu_write_upload_resource(&writer, 2, i * UINT64_C(4), &word, sizeof word);
        agpu_write_draw_indexed(&writer, UINT32_C(0x7FFFFF00) - i, 1, i, 0, 0);
    }
    attack("200 scans of indices past the end", &writer);
    agpu_writer_fini(&writer);
}

/* ---- Compilers ----------------------------------------------------------------------------------------- */

/* A compute shader with `line` so many times. */
static void write_costly_shader(struct agpu_writer *writer, uint32_t number, const char *head,
                                const char *line, uint32_t times)
{
    const size_t size = 512 + strlen(head) + strlen(line) * times;
    char *listing = malloc(size);
    assert_non_null(listing);
    char *end =
        listing +
        snprintf(listing, size,
                 "cs_5_0\ndcl_globalFlags enableDoublePrecisionFloatOps | "
                 "enable11_1DoubleExtensions\ndcl_uav_raw u0\ndcl_temps 2\n%sld_raw r0.xyzw, l(0), u0.xyzw\n"
                 "mov r1.xyzw, l(1.0, 2.0, 3.0, 4.0)\n",
                 head);
    for (uint32_t i = 0; i < times; i++)
        end += snprintf(end, size - (size_t)(end - listing), "%s", line);
    snprintf(end, size - (size_t)(end - listing), "store_raw u0.xyzw, l(0), r0.xyzw\nret\n");
    host_assemble_shader(writer, number, AGPU_STREAM_STAGE_COMPUTE, listing);
    free(listing);
}

static void attack_compilers(const char *name, uint32_t shaders, const char *head, const char *line,
                             uint32_t times)
{
    const struct aerogpu_unordered_access_buffer_binding binding = {.buffer = 1};
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, 1, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 0, 0);
    agpu_write_set_unordered_access_buffers(&writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &binding);
    for (uint32_t i = 1; i <= shaders; i++) {
        write_costly_shader(&writer, i, head, line, times + i); /* none is another one */
        agpu_write_bind_shaders(&writer, 0, 0, i, 0);
        agpu_write_dispatch(&writer, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
    }
    attack(name, &writer);
    agpu_writer_fini(&writer);
}

/* Shaders that would take compilers minutes are refused by their estimate. */
static void shaders_that_compile_for_minutes(void **state)
{
    (void)state;
    attack_compilers("4,094 variables of each of 1,024 threads", 1,
                     "dcl_indexableTemp x0[4094], 4\ndcl_thread_group 1024, 1, 1\n",
                     "mov x0[r0.x + 0].xyzw, r1.xyzw\nmov r0.xyzw, x0[r0.y + 0].xyzw\n", 1);
    attack_compilers("2,000 sincos", 1, "dcl_thread_group 16, 4, 1\n", "sincos r0.xyzw, r1.xyzw, r0.xyzw\n",
                     2000);
    attack_compilers("5,000 divisions of doubles", 1, "dcl_thread_group 16, 4, 1\n",
                     "ddiv r0.xy, r0.xyxy, r1.xyxy\nsync_g_t\n", 5000);
}

/* Many that are below the estimate: pipelines that are not made yet are not waited for when other contexts
 * have waited for a turn. */
static void pipelines_that_compile_one_by_one(void **state)
{
    (void)state;
    attack_compilers("16 shaders of some 40 sincos", 16, "dcl_thread_group 16, 4, 1\n",
                     "sincos r0.xyzw, r1.xyzw, r0.xyzw\n", 32);
}

/* ---- Searches ------------------------------------------------------------------------------------------ */

/* Of texture 1. */
static void write_views(struct agpu_writer *writer)
{
    host_write_texture(writer, 1, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
    for (uint32_t i = 0; i < 12000; i++) {
        const struct aerogpu_cmd_create_texture_view view = {.view_handle = 10 + i,
                                                             .texture_handle = 1,
                                                             .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                                             .mip_level_count = 1,
                                                             .array_layer_count = 1};
        agpu_write_create_texture_view(writer, &view);
    }
}

static void views_that_are_destroyed(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_views(&writer);
    for (uint32_t i = 0; i < 12000; i++)
        agpu_write_destroy_texture_view(&writer, 10 + i);
    attack("12,000 views of a texture, oldest first", &writer);
    agpu_writer_fini(&writer);
}

/* While many contexts live, each with all of its slots in use. */
static void views_that_go_with_their_texture(void **state)
{
    (void)state;
    enum { CONTEXTS = 128 };
    struct agpu_writer writer;
    struct attack_times times = {0};
    agpu_writer_init_growing(&writer, NULL);
    for (attacked.context_id = 10; attacked.context_id < 10 + CONTEXTS; attacked.context_id++) {
        attack_write_text(&writer, "SET_TEXTURE shader_stage=VERTEX slot=127 texture=1\n"
                                   "SET_TEXTURE shader_stage=PIXEL slot=127 texture=1\n"
                                   "SET_TEXTURE shader_stage=GEOMETRY slot=127 texture=1\n"
                                   "SET_TEXTURE shader_stage=COMPUTE slot=127 texture=1\n");
        attack_submit(&writer, NULL, 0, &times);
    }
    attack_work(&times, UINT64_MAX);
    attacked.context_id = 1;
    write_views(&writer);
    agpu_write_destroy_resource(&writer, 1);
    attack("12,000 views of a texture that is destroyed", &writer);
    agpu_writer_fini(&writer);
}

/* Each of very many contexts has all of them bound. */
static void objects_of_very_many_contexts(void **state)
{
    (void)state;
    enum { CONTEXTS = 20000 };
    static const char *const ends[] = {
        "DESTROY_TEXTURE_VIEW view_handle=2\n",
        "DESTROY_SAMPLER sampler_handle=3\n",
        "DESTROY_RESOURCE resource_handle=4\n",
        "DESTROY_RESOURCE resource_handle=1\n",
    };
    struct agpu_writer writer;
    struct attack_times times = {0};
    agpu_writer_init_growing(&writer, NULL);
    attack_write_text(&writer,
                      "CREATE_TEXTURE2D texture_handle=1 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=1 "
                      "height=1 mip_levels=1 array_layers=1\n"
                      "CREATE_TEXTURE_VIEW view_handle=2 texture_handle=1 format=R8G8B8A8_UNORM "
                      "mip_level_count=1 array_layer_count=1\n"
                      "CREATE_SAMPLER sampler_handle=3\n"
                      "CREATE_BUFFER buffer_handle=4 usage_flags=VERTEX_BUFFER size_bytes=64\n");
    attack_submit(&writer, NULL, 0, &times);
    for (attacked.context_id = 10; attacked.context_id < 10 + CONTEXTS; attacked.context_id++) {
        attack_write_text(&writer, "SET_TEXTURE shader_stage=PIXEL slot=0 texture=1\n"
                                   "SET_TEXTURE shader_stage=PIXEL slot=1 texture=2\n"
                                   "SET_SAMPLERS shader_stage=PIXEL samplers=[3]\n"
                                   "SET_VERTEX_BUFFERS bindings=[{buffer=4 stride_bytes=16}]\n");
        attack_submit(&writer, NULL, 0, &times);
        attack_work(&times, 0);
    }
    attack_work(&times, UINT64_MAX);
    times = (struct attack_times){0};
    attacked.context_id = 1;
    for (uint32_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        attack_write_text(&writer, ends[i]);
        attack_submit(&writer, NULL, 0, &times);
        attack_work(&times, UINT64_MAX);
    }
    attack_check_times("objects that 20,000 contexts have bound", &times);
    for (attacked.context_id = 10; attacked.context_id < 10 + CONTEXTS; attacked.context_id += 97) {
        attack_write_points(&writer);
        attack_write_frame(&writer, 1);
        agpu_write_draw(&writer, 1, 1, 0, 0);
        agpu_write_destroy_shader(&writer, 1);
        agpu_write_destroy_shader(&writer, 2);
        assert_int_equal(host_run(&attacked, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    }
    host_reset(&attacked);
    agpu_writer_fini(&writer);
}

/* Of texture 1. */
static void write_tokens(struct agpu_writer *writer)
{
    host_write_texture(writer, 1, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
    for (uint32_t i = 1; i <= 60000; i++)
        agpu_write_export_shared_surface(writer, 1, UINT64_C(2) * i);
}

static void tokens_that_are_retired(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_tokens(&writer);
    for (uint32_t i = 60000; i > 0; i--)
        agpu_write_release_shared_surface(&writer, UINT64_C(2) * i);
    attack("60,000 share tokens", &writer);
    agpu_writer_fini(&writer);
}

/* Each token that is retired is in front of all that are retired before. */
static void tokens_that_go_with_their_texture(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_tokens(&writer);
    agpu_write_destroy_resource(&writer, 1);
    attack("60,000 tokens of a texture that is destroyed", &writer);
    agpu_writer_fini(&writer);
}

static void tables_of_many_allocations(void **state)
{
    (void)state;
    enum { ALLOCATIONS = 500000 };
    struct aerogpu_alloc_entry *entries = calloc(ALLOCATIONS, sizeof *entries);
    struct agpu_writer writer;
    struct attack_times times = {0};
    assert_non_null(entries);
    for (uint32_t i = 0; i < ALLOCATIONS; i++)
        entries[i] =
            (struct aerogpu_alloc_entry){.alloc_id = i + 1, .gpa = GUEST_BASE, .size_bytes = GUEST_BYTES};
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t i = 0; i < 10000; i++) {
        agpu_write_create_buffer(&writer, 1, AEROGPU_RESOURCE_USAGE_STORAGE, 4096, ALLOCATIONS - i, 0);
        agpu_write_destroy_resource(&writer, 1);
    }
    attack_submit(&writer, entries, ALLOCATIONS, &times);
    attack_work(&times, UINT64_MAX);
    attack_check_times("10,000 look-ups among 500,000 allocations", &times);
    assert_int_equal(attacked.last_error, AEROGPU_ERROR_NONE);
    host_reset(&attacked);
    agpu_writer_fini(&writer);
    free(entries);
}

static void shaders_that_are_dropped(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t i = 0; i < 1500; i++) {
        char listing[256];
        snprintf(listing, sizeof listing,
                 "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
                 "mov o0.xyzw, l(%u.0, 1.0, 1.0, 1.0)\nret\n",
                 i);
        host_assemble_shader(&writer, 1, AGPU_STREAM_STAGE_PIXEL, listing);
        agpu_write_destroy_shader(&writer, 1);
    }
    attack("1,500 shaders that are destroyed at once", &writer);
    agpu_writer_fini(&writer);
}

/* A pipeline for each depth bias. A pipeline that was dropped is made again when it is needed. */
static void pipelines_without_end(void **state)
{
    (void)state;
    enum { STATES = 3 * ATTACK_PIPELINES };
    struct agpu_writer writer;
    const uint32_t target = 1;
    agpu_writer_init_growing(&writer, NULL);
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       1, 1);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    attack_write_points(&writer);
    for (uint32_t i = 0; i <= STATES; i++) {
        const struct aerogpu_rasterizer_state raster = {.depth_bias = (int32_t)(i % STATES)};
        agpu_write_set_rasterizer_state(&writer, &raster);
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0}, 1, 0);
        agpu_write_draw(&writer, 1, 1, 0, 0);
    }
    agpu_write_present(&writer, 0, 0);
    assert_int_equal(host_run(&attacked, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    assert_int_equal(host_pixel(&attacked, 0, 0), 0xFFFFFFFF);
    assert_true(host_counters(&attacked).pipelines > STATES);
    host_reset(&attacked);
    agpu_writer_fini(&writer);
}

/* ---- Resets -------------------------------------------------------------------------------------------- */

/* A guest that submits and resets at once gets no more memory than a guest that waits. */
static void resets_in_a_loop(void **state)
{
    (void)state;
    struct agpu_writer writer;
    struct attack_times times = {0};
    agpu_writer_init_growing(&writer, NULL);
    attack_note_memory();
    for (uint32_t i = 0; i < 60; i++) {
        const uint32_t target = 1;
        host_write_ext_texture(&writer, 1, ATTACK_RGBA, 4096, 1024, AEROGPU_EXT_BIND_RENDER_TARGET);
        agpu_write_set_render_targets(&writer, 1, &target, 0);
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
        agpu_write_present(&writer, 0, 0);
        attack_submit(&writer, NULL, 0, &times);
        for (uint32_t n = 0; n < 4; n++)
            attacked.executor->poll(attacked.executor);
        host_reset(&attacked);
    }
    attack_write_frame(&writer, 1);
    assert_int_equal(host_run(&attacked, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    attack_check_times("60 submissions, each reset at once", &times);
    attack_check_memory("60 submissions, each reset at once");
    agpu_writer_fini(&writer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_of_many_slices),
        cmocka_unit_test(large_pictures),
        cmocka_unit_test(clears_of_large_textures),
        cmocka_unit_test(volumes_of_zeros),
        cmocka_unit_test(very_many_small_objects),
        cmocka_unit_test(uploads_of_one_buffer),
        cmocka_unit_test(uploads_of_many_bytes),
        cmocka_unit_test(copies_between_index_buffers),
        cmocka_unit_test(lists_of_many_packets),
        cmocka_unit_test(rectangles_of_many_slices),
        cmocka_unit_test(rectangles_of_unordered_slices),
        cmocka_unit_test(rectangles_of_depth),
        cmocka_unit_test(mips_of_many_layers),
        cmocka_unit_test(resolves_of_large_textures),
        cmocka_unit_test(regions_of_many_slices),
        cmocka_unit_test(counts_without_end),
        cmocka_unit_test(lists_that_execute_lists),
        cmocka_unit_test(copies_of_many_subresources),
        cmocka_unit_test(queries_over_passes),
        cmocka_unit_test(scans_past_the_end),
        cmocka_unit_test(shaders_that_compile_for_minutes),
        cmocka_unit_test(pipelines_that_compile_one_by_one),
        cmocka_unit_test(views_that_are_destroyed),
        cmocka_unit_test(views_that_go_with_their_texture),
        cmocka_unit_test(objects_of_very_many_contexts),
        cmocka_unit_test(tokens_that_are_retired),
        cmocka_unit_test(tokens_that_go_with_their_texture),
        cmocka_unit_test(tables_of_many_allocations),
        cmocka_unit_test(shaders_that_are_dropped),
        cmocka_unit_test(pipelines_without_end),
        cmocka_unit_test(resets_in_a_loop),
    };
    attack_main(argc, argv, "exec/attacks", tests, sizeof tests / sizeof tests[0]);
}
