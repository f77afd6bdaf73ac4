/* SPDX-License-Identifier: MIT
 *
 * The rest of the driver's work on a software GPU: compute, counters, queries, predicates, command lists,
 * tessellation, stream output, objects that end while they are in use.
 */
#include <string.h>

#include "rig.h"
#include "tests/support/test.h"

#define POINTLIST 1u
#define TRIANGLELIST 4u
#define PATCHLIST_1 33u

static struct rig rig;

static void bind_stages(struct umd_context *context, struct umd_shader *vs, struct umd_shader *ps)
{
    umd_set_shader(context, UMD_STAGE_VERTEX, vs, NULL, 0);
    umd_set_shader(context, UMD_STAGE_PIXEL, ps, NULL, 0);
    umd_ia_set_topology(context, TRIANGLELIST);
}

/* ---- Compute ------------------------------------------------------------------------------------------- */

static const char square_cs[] = "cs_5_0\n"
                                "dcl_globalFlags refactoringAllowed\n"
                                "dcl_uav_raw u0\n"
                                "dcl_input vThreadID.x\n"
                                "dcl_temps 1\n"
                                "dcl_thread_group 8, 1, 1\n"
                                "imul null, r0.x, vThreadID.x, vThreadID.x\n"
                                "ishl r0.y, vThreadID.x, l(2)\n"
                                "store_raw u0.x, r0.y, r0.x\n"
                                "ret\n";

static struct umd_view *raw_view(struct umd_resource *buffer, uint32_t words)
{
    const struct umd_view_desc desc = {
        .kind = AEROGPU_EXT_VIEW_UNORDERED_ACCESS,
        .format = 39, /* R32_TYPELESS */
        .dimension = AEROGPU_EXT_DIMENSION_BUFFER,
        .flags = AEROGPU_EXT_VIEW_FLAG_RAW,
        .element_count = words,
    };
    struct umd_view *view;
    assert_int_equal(umd_create_view(rig.device, buffer, &desc, &view), UMD_OK);
    return view;
}

static void shaders_compute(void **state)
{
    (void)state;
    uint32_t words[64];
    static const uint32_t groups[4] = {4, 1, 1, 0};
    rig_begin(&rig, 0);
    const struct umd_resource_desc desc = {
        .dimension = UMD_BUFFER,
        .width = sizeof words,
        .bind_flags = AEROGPU_EXT_BIND_UNORDERED_ACCESS,
        .misc_flags = AEROGPU_EXT_MISC_BUFFER_ALLOW_RAW_VIEWS,
    };
    const struct umd_resource_desc arguments_desc = {
        .dimension = UMD_BUFFER, .width = 16, .misc_flags = AEROGPU_EXT_MISC_DRAWINDIRECT_ARGS};
    struct umd_resource *buffer = rig_resource(&rig, &desc, NULL, 0);
    struct umd_resource *arguments = rig_resource(&rig, &arguments_desc, groups, 0);
    struct umd_view *view = raw_view(buffer, 64);
    struct umd_shader *cs = rig_shader(&rig, UMD_STAGE_COMPUTE, square_cs);
    umd_set_shader(rig.context, UMD_STAGE_COMPUTE, cs, NULL, 0);
    umd_cs_set_unordered_access_views(rig.context, 0, 1, &view, NULL);
    umd_clear_unordered_access_view_uint(rig.context, view, (const uint32_t[4]){7, 7, 7, 7});
    umd_dispatch(rig.context, 2, 1, 1);
    rig_read_buffer(&rig, buffer, words, sizeof words);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words[i], i < 16 ? i * i : 7);
    umd_dispatch_indirect(rig.context, arguments, 0);
    rig_read_buffer(&rig, buffer, words, sizeof words);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words[i], i < 32 ? i * i : 7);
    umd_clear_state(rig.context);
    umd_destroy_view(rig.device, view);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_resource(rig.device, arguments);
    umd_destroy_shader(rig.device, cs);
    rig_end(&rig);
}

static const char last_slot_cs[] = "cs_5_0\n"
                                   "dcl_globalFlags refactoringAllowed\n"
                                   "dcl_uav_raw u63\n"
                                   "dcl_thread_group 1, 1, 1\n"
                                   "store_raw u63.x, l(8), l(63)\n"
                                   "ret\n";

/* The last of the 64 slots of feature level 11_1, and arguments that the program maps. */
static void the_last_slot_is_stored_to(void **state)
{
    (void)state;
    static const uint32_t groups[3] = {1, 1, 1};
    uint32_t words[4];
    rig_begin(&rig, 0);
    const struct umd_resource_desc desc = {
        .dimension = UMD_BUFFER,
        .width = sizeof words,
        .bind_flags = AEROGPU_EXT_BIND_UNORDERED_ACCESS,
        .misc_flags = AEROGPU_EXT_MISC_BUFFER_ALLOW_RAW_VIEWS,
    };
    const struct umd_resource_desc arguments_desc = {
        .dimension = UMD_BUFFER,
        .width = 16384,
        .usage = UMD_USAGE_DYNAMIC,
        .bind_flags = AEROGPU_EXT_BIND_VERTEX_BUFFER,
        .cpu_access = UMD_CPU_WRITE,
        .misc_flags = AEROGPU_EXT_MISC_DRAWINDIRECT_ARGS,
    };
    assert_int_equal(umd_adapter_uav_slots(rig.adapter), 64);
    struct umd_resource *buffer = rig_resource(&rig, &desc, NULL, 0);
    struct umd_resource *arguments = rig_resource(&rig, &arguments_desc, NULL, 0);
    struct umd_view *view = raw_view(buffer, 4);
    struct umd_shader *cs = rig_shader(&rig, UMD_STAGE_COMPUTE, last_slot_cs);
    umd_set_shader(rig.context, UMD_STAGE_COMPUTE, cs, NULL, 0);
    umd_cs_set_unordered_access_views(rig.context, 63, 1, &view, NULL);
    rig_write(rig.context, arguments, UMD_MAP_WRITE_DISCARD, 8000, groups, sizeof groups);
    umd_dispatch_indirect(rig.context, arguments, 8000);
    rig_read_buffer(&rig, buffer, words, sizeof words);
    assert_int_equal(words[1], 0);
    assert_int_equal(words[2], 63);
    umd_clear_state(rig.context);
    umd_destroy_view(rig.device, view);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_resource(rig.device, arguments);
    umd_destroy_shader(rig.device, cs);
    rig_end(&rig);
}

static const char append_cs[] = "cs_5_0\n"
                                "dcl_globalFlags refactoringAllowed\n"
                                "dcl_uav_structured_opc u0, 4\n"
                                "dcl_temps 1\n"
                                "dcl_thread_group 3, 1, 1\n"
                                "imm_atomic_alloc r0.x, u0\n"
                                "store_structured u0.x, r0.x, l(0), l(5)\n"
                                "ret\n";

static void counters_count(void **state)
{
    (void)state;
    uint32_t words[8], counts[4];
    static const uint32_t two = 2;
    rig_begin(&rig, 0);
    const struct umd_resource_desc desc = {
        .dimension = UMD_BUFFER,
        .width = sizeof words,
        .bind_flags = AEROGPU_EXT_BIND_UNORDERED_ACCESS,
        .misc_flags = AEROGPU_EXT_MISC_BUFFER_STRUCTURED,
        .structure_stride = 4,
    };
    const struct umd_view_desc view_desc = {
        .kind = AEROGPU_EXT_VIEW_UNORDERED_ACCESS,
        .dimension = AEROGPU_EXT_DIMENSION_BUFFER,
        .flags = AEROGPU_EXT_VIEW_FLAG_APPEND,
        .element_count = 8,
    };
    struct umd_resource *buffer = rig_resource(&rig, &desc, NULL, 0);
    struct umd_resource *count =
        rig_buffer(&rig, sizeof counts, UMD_USAGE_DEFAULT, AEROGPU_EXT_BIND_SHADER_RESOURCE, NULL);
    struct umd_view *view;
    assert_int_equal(umd_create_view(rig.device, buffer, &view_desc, &view), UMD_OK);
    struct umd_shader *cs = rig_shader(&rig, UMD_STAGE_COMPUTE, append_cs);
    umd_set_shader(rig.context, UMD_STAGE_COMPUTE, cs, NULL, 0);
    umd_cs_set_unordered_access_views(rig.context, 0, 1, &view, &two);
    umd_dispatch(rig.context, 1, 1, 1);
    umd_copy_structure_count(rig.context, count, 4, view);
    /* The counter stays when the view is set without a count. */
    umd_cs_set_unordered_access_views(rig.context, 0, 1, &view, NULL);
    umd_dispatch(rig.context, 1, 1, 1);
    umd_copy_structure_count(rig.context, count, 8, view);
    rig_read_buffer(&rig, count, counts, sizeof counts);
    rig_read_buffer(&rig, buffer, words, sizeof words);
    assert_int_equal(counts[1], 5);
    assert_int_equal(counts[2], 8);
    assert_int_equal(words[1], 0);
    assert_int_equal(words[2], 5);
    assert_int_equal(words[7], 5);
    umd_clear_state(rig.context);
    umd_destroy_view(rig.device, view);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_resource(rig.device, count);
    umd_destroy_shader(rig.device, cs);
    rig_end(&rig);
}

/* ---- Queries ------------------------------------------------------------------------------------------- */

static void get_data(struct umd_query *query, void *data, uint32_t size)
{
    enum umd_status status;
    while ((status = umd_query_get_data(rig.context, query, data, size, false)) == UMD_WAS_STILL_DRAWING)
        umd_wait_idle(rig.context);
    assert_int_equal(status, UMD_OK);
}

static void queries_answer(void **state)
{
    (void)state;
    struct umd_query *occlusion, *event, *statistics, *disjoint, *timestamp;
    uint64_t samples = 0, numbers[11] = {0}, when[2] = {0}, time = 0;
    uint32_t done = 0;
    rig_begin(&rig, 0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    struct umd_shader *vs = rig_shader(&rig, UMD_STAGE_VERTEX, full_screen_vs);
    struct umd_shader *ps = rig_shader(&rig, UMD_STAGE_PIXEL, white_ps);
    assert_int_equal(umd_create_query(rig.device, AEROGPU_EXT_QUERY_OCCLUSION, 0, &occlusion), UMD_OK);
    assert_int_equal(umd_create_query(rig.device, AEROGPU_EXT_QUERY_EVENT, 0, &event), UMD_OK);
    assert_int_equal(umd_create_query(rig.device, AEROGPU_EXT_QUERY_PIPELINE_STATISTICS, 0, &statistics),
                     UMD_OK);
    assert_int_equal(umd_create_query(rig.device, AEROGPU_EXT_QUERY_TIMESTAMP_DISJOINT, 0, &disjoint),
                     UMD_OK);
    assert_int_equal(umd_create_query(rig.device, AEROGPU_EXT_QUERY_TIMESTAMP, 0, &timestamp), UMD_OK);
    assert_int_equal(umd_query_data_bytes(occlusion), 8);
    assert_int_equal(umd_query_data_bytes(event), 4);
    assert_int_equal(umd_query_data_bytes(statistics), 88);
    assert_int_equal(umd_query_data_bytes(disjoint), 16);
    assert_int_equal(umd_query_get_data(rig.context, occlusion, &samples, 8, false), UMD_INVALID);
    bind_stages(rig.context, vs, ps);
    for (uint32_t draws = 1; draws < 4; draws++) {
        umd_query_begin(rig.context, disjoint);
        umd_query_begin(rig.context, occlusion);
        umd_query_begin(rig.context, statistics);
        for (uint32_t i = 0; i < draws; i++)
            umd_draw(rig.context, 3, 1, 0, 0);
        umd_query_end(rig.context, statistics);
        umd_query_end(rig.context, occlusion);
        umd_query_end(rig.context, timestamp);
        umd_query_end(rig.context, disjoint);
        umd_query_end(rig.context, event);
        assert_int_equal(umd_query_get_data(rig.context, occlusion, &samples, 8, true),
                         UMD_WAS_STILL_DRAWING);
        get_data(occlusion, &samples, 8);
        get_data(statistics, numbers, sizeof numbers);
        get_data(disjoint, when, sizeof when);
        get_data(timestamp, &time, sizeof time);
        get_data(event, &done, 4);
        assert_int_equal(samples, 256 * draws);
        assert_int_equal(numbers[0], 3 * draws); /* vertices of the input assembler */
        assert_int_equal(done, 1);
        assert_true(when[0] != 0);
        done = 0;
    }
    umd_clear_state(rig.context);
    umd_destroy_query(rig.device, occlusion);
    umd_destroy_query(rig.device, event);
    umd_destroy_query(rig.device, statistics);
    umd_destroy_query(rig.device, disjoint);
    umd_destroy_query(rig.device, timestamp);
    umd_destroy_shader(rig.device, vs);
    umd_destroy_shader(rig.device, ps);
    rig_free_target(&rig, &target);
    rig_end(&rig);
}

/* A predicate stops draws, but no bytes of mapped memory. */
static void predicates_stop_draws_alone(void **state)
{
    (void)state;
    static const float green[4] = {0, 1, 0, 1};
    struct umd_query *predicate;
    rig_begin(&rig, 0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    struct umd_resource *constants =
        rig_buffer(&rig, 64, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_CONSTANT_BUFFER, NULL);
    struct umd_shader *vs = rig_shader(&rig, UMD_STAGE_VERTEX, full_screen_vs);
    struct umd_shader *ps = rig_shader(&rig, UMD_STAGE_PIXEL, constant_color_ps);
    assert_int_equal(umd_create_query(rig.device, AEROGPU_EXT_QUERY_OCCLUSION_PREDICATE, 0, &predicate),
                     UMD_OK);
    bind_stages(rig.context, vs, ps);
    umd_set_constant_buffers(rig.context, UMD_STAGE_PIXEL, 0, 1, &constants, NULL, NULL);
    umd_query_begin(rig.context, predicate);
    umd_query_end(rig.context, predicate);
    umd_set_predication(rig.context, predicate, false);
    rig_write(rig.context, constants, UMD_MAP_WRITE_DISCARD, 0, green, sizeof green);
    umd_draw(rig.context, 3, 1, 0, 0);
    umd_set_predication(rig.context, NULL, false);
    assert_int_equal(rig_texel(&rig, target.texture, 2, 2), BLACK);
    umd_draw(rig.context, 3, 1, 0, 0);
    assert_int_equal(rig_texel(&rig, target.texture, 2, 2), GREEN);
    umd_clear_state(rig.context);
    umd_destroy_query(rig.device, predicate);
    umd_destroy_resource(rig.device, constants);
    umd_destroy_shader(rig.device, vs);
    umd_destroy_shader(rig.device, ps);
    rig_free_target(&rig, &target);
    rig_end(&rig);
}

/* ---- Command lists ------------------------------------------------------------------------------------- */

/* A list with constants of its own, executed twice, between draws of the immediate context. */
static void lists_are_executed(void **state)
{
    (void)state;
    static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
    struct umd_context *deferred;
    struct umd_command_list *list, *empty;
    struct umd_query *occlusion;
    uint64_t samples = 0;
    rig_begin(&rig, 0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    struct umd_resource *constants =
        rig_buffer(&rig, 65536, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_CONSTANT_BUFFER, NULL);
    struct umd_shader *vs = rig_shader(&rig, UMD_STAGE_VERTEX, full_screen_vs);
    struct umd_shader *ps = rig_shader(&rig, UMD_STAGE_PIXEL, constant_color_ps);
    assert_int_equal(umd_create_query(rig.device, AEROGPU_EXT_QUERY_OCCLUSION, 0, &occlusion), UMD_OK);
    assert_int_equal(umd_create_deferred_context(rig.device, &deferred), UMD_OK);
    assert_true(umd_context_is_deferred(deferred));
    rig_bind_target(deferred, &target, 16, 16);
    bind_stages(deferred, vs, ps);
    umd_set_constant_buffers(deferred, UMD_STAGE_PIXEL, 0, 1, &constants, NULL, NULL);
    rig_write(deferred, constants, UMD_MAP_WRITE_DISCARD, 0, red, sizeof red);
    umd_query_begin(deferred, occlusion);
    umd_draw(deferred, 3, 1, 0, 0);
    umd_query_end(deferred, occlusion);
    assert_int_equal(umd_create_command_list(deferred, &list), UMD_OK);
    assert_int_equal(umd_create_command_list(deferred, &empty), UMD_OK);
    assert_int_equal(umd_query_get_data(rig.context, occlusion, &samples, 8, false), UMD_INVALID);
    bind_stages(rig.context, vs, ps);
    umd_set_constant_buffers(rig.context, UMD_STAGE_PIXEL, 0, 1, &constants, NULL, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        rig_write(rig.context, constants, UMD_MAP_WRITE_DISCARD, 0, green, sizeof green);
        umd_draw(rig.context, 3, 1, 0, 0);
        assert_int_equal(rig_texel(&rig, target.texture, 5, 5), GREEN);
        umd_execute_command_list(rig.context, list, true);
        umd_execute_command_list(rig.context, empty, true);
        assert_int_equal(rig_texel(&rig, target.texture, 5, 5), RED);
        get_data(occlusion, &samples, 8);
        assert_int_equal(samples, 256);
    }
    /* Without restoring, nothing is bound afterwards. */
    umd_execute_command_list(rig.context, list, false);
    rig_bind_target(rig.context, &target, 16, 16);
    umd_clear_render_target_view(rig.context, target.view, (const float[4]){0, 0, 1, 1}, 0, NULL);
    assert_int_equal(rig_texel(&rig, target.texture, 5, 5), BLUE);
    bind_stages(rig.context, vs, ps);
    umd_set_constant_buffers(rig.context, UMD_STAGE_PIXEL, 0, 1, &constants, NULL, NULL);
    rig_write(rig.context, constants, UMD_MAP_WRITE_DISCARD, 0, green, sizeof green);
    umd_draw(rig.context, 3, 1, 0, 0);
    assert_int_equal(rig_texel(&rig, target.texture, 5, 5), GREEN);
    umd_clear_state(rig.context);
    umd_destroy_command_list(rig.device, list);
    umd_destroy_command_list(rig.device, empty);
    umd_destroy_deferred_context(deferred);
    umd_destroy_query(rig.device, occlusion);
    umd_destroy_resource(rig.device, constants);
    umd_destroy_shader(rig.device, vs);
    umd_destroy_shader(rig.device, ps);
    rig_free_target(&rig, &target);
    rig_end(&rig);
}

/* A list that draws vertices which the immediate context maps before and after its recording. */
static void lists_see_mapped_vertices(void **state)
{
    (void)state;
    static const float far_away[3][4] = {
        {5, 5, 0, 1},
        {5, 6, 0, 1},
        {6, 5, 0, 1}
    };
    static const float everywhere[3][4] = {
        {-1, 1,  0, 1},
        {3,  1,  0, 1},
        {-1, -3, 0, 1}
    };
    const struct aerogpu_ext_input_element element = {.format = R32G32B32A32_FLOAT};
    const uint32_t stride = 16, offset = 0;
    struct umd_context *deferred;
    struct umd_command_list *list;
    struct umd_input_layout *layout;
    rig_begin(&rig, 0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    struct umd_resource *buffer =
        rig_buffer(&rig, 16384, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_VERTEX_BUFFER, NULL);
    struct umd_shader *vs = rig_shader(&rig, UMD_STAGE_VERTEX, position_vs);
    struct umd_shader *ps = rig_shader(&rig, UMD_STAGE_PIXEL, white_ps);
    assert_int_equal(umd_create_input_layout(rig.device, &element, 1, &layout), UMD_OK);
    assert_int_equal(umd_create_deferred_context(rig.device, &deferred), UMD_OK);
    rig_write(rig.context, buffer, UMD_MAP_WRITE_DISCARD, 0, far_away, sizeof far_away);
    rig_bind_target(deferred, &target, 16, 16);
    bind_stages(deferred, vs, ps);
    umd_ia_set_input_layout(deferred, layout);
    umd_ia_set_vertex_buffers(deferred, 0, 1, &buffer, &stride, &offset);
    umd_draw(deferred, 3, 1, 0, 0);
    assert_int_equal(umd_create_command_list(deferred, &list), UMD_OK);
    umd_execute_command_list(rig.context, list, true);
    assert_int_equal(rig_texel(&rig, target.texture, 8, 8), BLACK);
    rig_write(rig.context, buffer, UMD_MAP_WRITE_DISCARD, 0, everywhere, sizeof everywhere);
    umd_execute_command_list(rig.context, list, true);
    assert_int_equal(rig_texel(&rig, target.texture, 8, 8), 0xFFFFFFFF);
    umd_clear_state(rig.context);
    umd_destroy_command_list(rig.device, list);
    umd_destroy_deferred_context(deferred);
    umd_destroy_input_layout(rig.device, layout);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_shader(rig.device, vs);
    umd_destroy_shader(rig.device, ps);
    rig_free_target(&rig, &target);
    rig_end(&rig);
}

/* A list that writes a staging resource, and one long enough to grow. */
static void lists_copy_to_staging(void **state)
{
    (void)state;
    static const uint32_t words[4] = {11, 22, 33, 44};
    struct umd_mapped_subresource mapped;
    struct umd_context *deferred;
    struct umd_command_list *list;
    rig_begin(&rig, 0);
    struct umd_resource *buffer =
        rig_buffer(&rig, 16, UMD_USAGE_DEFAULT, AEROGPU_EXT_BIND_VERTEX_BUFFER, NULL);
    struct umd_resource *staging = rig_buffer(&rig, 16, UMD_USAGE_STAGING, 0, NULL);
    assert_int_equal(umd_create_deferred_context(rig.device, &deferred), UMD_OK);
    for (uint32_t i = 0; i < 5000; i++)
        umd_ia_set_topology(deferred, TRIANGLELIST);
    umd_resource_update_subresource(deferred, buffer, 0, NULL, words, 0, 0, 0);
    umd_resource_copy(deferred, staging, buffer);
    assert_int_equal(umd_create_command_list(deferred, &list), UMD_OK);
    umd_destroy_deferred_context(deferred);
    assert_int_equal(umd_resource_map(rig.context, staging, 0, UMD_MAP_READ, 0, &mapped), UMD_OK);
    assert_int_equal(((const uint32_t *)mapped.data)[0], 0);
    umd_resource_unmap(rig.context, staging, 0);
    umd_execute_command_list(rig.context, list, false);
    assert_int_equal(umd_resource_map(rig.context, staging, 0, UMD_MAP_READ, 0, &mapped), UMD_OK);
    assert_memory_equal(mapped.data, words, sizeof words);
    umd_resource_unmap(rig.context, staging, 0);
    umd_destroy_command_list(rig.device, list);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_resource(rig.device, staging);
    rig_end(&rig);
}

/* ---- Stages that WebGPU does not have ---------------------------------------------------------------- */

static const char control_point_vs[] = "vs_5_0\n"
                                       ".in SV_VertexID0 v0.x uint vertex_id\n"
                                       ".out CORNER0 o0.xyzw float\n"
                                       "dcl_input_sgv v0.x, vertex_id\n"
                                       "dcl_output o0.xyzw\n"
                                       "dcl_temps 1\n"
                                       "utof r0.x, v0.x\n"
                                       "mov o0.xyzw, r0.xxxx\n"
                                       "ret\n";
static const char line_hs[] = "hs_5_0\n"
                              ".in CORNER0 v0.xyzw float\n"
                              ".out CORNER0 o0.xyzw float\n"
                              ".patch SV_TessFactor0 o0.x float line_density_tess_factor\n"
                              ".patch SV_TessFactor1 o1.x float line_detail_tess_factor\n"
                              "hs_decls\n"
                              "dcl_input_control_point_count 1\n"
                              "dcl_output_control_point_count 1\n"
                              "dcl_tessellator_domain domain_isoline\n"
                              "dcl_tessellator_partitioning partitioning_integer\n"
                              "dcl_tessellator_output_primitive output_line\n"
                              "hs_fork_phase\n"
                              "dcl_output_siv o0.x, finalLineDensityTessFactor\n"
                              "dcl_output_siv o1.x, finalLineDetailTessFactor\n"
                              "mov o0.x, l(2.0)\n"
                              "mov o1.x, l(4.0)\n"
                              "ret\n";
static const char line_ds[] =
    "ds_5_0\n"
    ".in CORNER0 v0.xyzw float\n"
    ".out SV_Position0 o0.xyzw float position\n"
    ".patch SV_TessFactor0 vpc0.x float line_density_tess_factor read=0x0\n"
    ".patch SV_TessFactor1 vpc1.x float line_detail_tess_factor read=0x0\n"
    "dcl_input_control_point_count 1\n"
    "dcl_tessellator_domain domain_isoline\n"
    "dcl_input vDomain.xy\n"
    "dcl_output_siv o0.xyzw, position\n"
    "mad o0.xy, vDomain.xyxx, l(4.0, -1.3333334, 0.0, 0.0), l(-2.0, 0.6666667, 0.0, "
    "0.0)\n"
    "mov o0.zw, l(0.0, 0.0, 0.0, 1.0)\n"
    "ret\n";

/* Lines of constant v: a density of 2 has them at 0 and one half, none at 1 (D3D11.3 11.7.8). */
static void patches_are_tessellated(void **state)
{
    (void)state;
    rig_begin(&rig, 0);
    struct rig_target target = rig_target(&rig, rig.context, 8, 3, 1);
    struct umd_shader *vs = rig_shader(&rig, UMD_STAGE_VERTEX, control_point_vs);
    struct umd_shader *hs = rig_shader(&rig, UMD_STAGE_HULL, line_hs);
    struct umd_shader *ds = rig_shader(&rig, UMD_STAGE_DOMAIN, line_ds);
    struct umd_shader *ps = rig_shader(&rig, UMD_STAGE_PIXEL, white_ps);
    bind_stages(rig.context, vs, ps);
    umd_set_shader(rig.context, UMD_STAGE_HULL, hs, NULL, 0);
    umd_set_shader(rig.context, UMD_STAGE_DOMAIN, ds, NULL, 0);
    umd_ia_set_topology(rig.context, PATCHLIST_1);
    umd_draw(rig.context, 1, 1, 0, 0);
    for (uint32_t x = 0; x < 8; x++) {
        assert_int_equal(rig_texel(&rig, target.texture, x, 0), 0xFFFFFFFF);
        assert_int_equal(rig_texel(&rig, target.texture, x, 1), 0xFFFFFFFF);
        assert_int_equal(rig_texel(&rig, target.texture, x, 2), BLACK);
    }
    umd_clear_state(rig.context);
    umd_destroy_shader(rig.device, vs);
    umd_destroy_shader(rig.device, hs);
    umd_destroy_shader(rig.device, ds);
    umd_destroy_shader(rig.device, ps);
    rig_free_target(&rig, &target);
    rig_end(&rig);
}

static const char data_vs[] = "vs_5_0\n"
                              ".in SV_VertexID0 v0.x uint vertex_id\n"
                              ".out SV_Position0 o0.xyzw float position\n"
                              ".out DATA0 o1.xyzw uint\n"
                              "dcl_globalFlags refactoringAllowed\n"
                              "dcl_input_sgv v0.x, vertex_id\n"
                              "dcl_output_siv o0.xyzw, position\n"
                              "dcl_output o1.xyzw\n"
                              "imad o1.xyzw, v0.xxxx, l(10, 10, 10, 10), l(1, 2, 3, 4)\n"
                              "mov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\n"
                              "ret\n";
static const char show_vs[] = "vs_5_0\n"
                              ".in DATA0 v0.xyz uint\n"
                              ".out SV_Position0 o0.xyzw float position\n"
                              "dcl_globalFlags refactoringAllowed\n"
                              "dcl_input v0.x\n"
                              "dcl_output_siv o0.xyzw, position\n"
                              "dcl_temps 1\n"
                              "utof r0.x, v0.x\n"
                              "mad o0.x, r0.x, l(0.025), l(-0.8375)\n"
                              "mov o0.yzw, l(0.0, 0.8125, 0.0, 1.0)\n"
                              "ret\n";

/* What a vertex shader made lies in a buffer, and as many points are drawn from there. */
static void stream_output_is_drawn(void **state)
{
    (void)state;
    static const struct aerogpu_ext_stream_output_element element = {.register_index = 1, .mask = 7};
    static const struct umd_stream_output declaration = {
        .elements = &element, .count = 1, .rasterized_stream = AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED};
    const struct aerogpu_ext_input_element input = {.format = R32G32B32_UINT};
    const struct umd_shader_desc gs_desc = {.stage = UMD_STAGE_GEOMETRY, .stream_output = &declaration};
    const uint32_t stride = 12, offset = 0;
    uint32_t words[18];
    struct umd_shader *gs;
    struct umd_input_layout *layout;
    rig_begin(&rig, 0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    struct umd_resource *buffer = rig_buffer(
        &rig, 256, UMD_USAGE_DEFAULT, AEROGPU_EXT_BIND_VERTEX_BUFFER | AEROGPU_EXT_BIND_STREAM_OUTPUT, NULL);
    struct umd_shader *make = rig_shader(&rig, UMD_STAGE_VERTEX, data_vs);
    struct umd_shader *show = rig_shader(&rig, UMD_STAGE_VERTEX, show_vs);
    struct umd_shader *ps = rig_shader(&rig, UMD_STAGE_PIXEL, white_ps);
    assert_int_equal(umd_create_shader(rig.device, &gs_desc, &gs), UMD_OK);
    assert_int_equal(umd_create_input_layout(rig.device, &input, 1, &layout), UMD_OK);
    umd_set_shader(rig.context, UMD_STAGE_VERTEX, make, NULL, 0);
    umd_set_shader(rig.context, UMD_STAGE_GEOMETRY, gs, NULL, 0);
    umd_ia_set_topology(rig.context, TRIANGLELIST);
    umd_so_set_targets(rig.context, 1, &buffer, &offset);
    umd_draw(rig.context, 6, 1, 0, 0);
    umd_so_set_targets(rig.context, 0, NULL, NULL);
    umd_set_shader(rig.context, UMD_STAGE_GEOMETRY, NULL, NULL, 0);
    bind_stages(rig.context, show, ps);
    umd_ia_set_topology(rig.context, POINTLIST);
    umd_ia_set_input_layout(rig.context, layout);
    umd_ia_set_vertex_buffers(rig.context, 0, 1, &buffer, &stride, &offset);
    umd_draw_auto(rig.context);
    rig_read_buffer(&rig, buffer, words, sizeof words);
    for (uint32_t i = 0; i < 18; i++)
        assert_int_equal(words[i], i / 3 * 10 + i % 3 + 1);
    /* The middles of columns 1, 3, 5, 7, 9, 11: 0.025 * (10 n + 1) - 0.8375 is (2 n + 1.5) / 8 - 1. */
    for (uint32_t x = 0; x < 12; x++)
        assert_int_equal(rig_texel(&rig, target.texture, x, 1), x % 2 == 1 ? 0xFFFFFFFF : BLACK);
    umd_clear_state(rig.context);
    umd_destroy_input_layout(rig.device, layout);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_shader(rig.device, make);
    umd_destroy_shader(rig.device, show);
    umd_destroy_shader(rig.device, gs);
    umd_destroy_shader(rig.device, ps);
    rig_free_target(&rig, &target);
    rig_end(&rig);
}

/* ---- Ends ---------------------------------------------------------------------------------------------- */

/* Objects that a program lets go of right behind the draw that used them. */
static void objects_end_behind_their_use(void **state)
{
    (void)state;
    rig_begin(&rig, 0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    for (uint32_t i = 0; i < 100; i++) {
        const float color[64] = {0, (float)(i + 1) / 100, 0, 1};
        struct umd_shader *vs = rig_shader(&rig, UMD_STAGE_VERTEX, full_screen_vs);
        struct umd_shader *ps = rig_shader(&rig, UMD_STAGE_PIXEL, constant_color_ps);
        struct umd_resource *constants =
            rig_buffer(&rig, 256, UMD_USAGE_IMMUTABLE, AEROGPU_EXT_BIND_CONSTANT_BUFFER, color);
        struct umd_resource *unused =
            rig_buffer(&rig, 65536, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_VERTEX_BUFFER, NULL);
        rig_write(rig.context, unused, UMD_MAP_WRITE_DISCARD, 0, color, sizeof color);
        bind_stages(rig.context, vs, ps);
        umd_set_constant_buffers(rig.context, UMD_STAGE_PIXEL, 0, 1, &constants, NULL, NULL);
        umd_draw(rig.context, 3, 1, 0, 0);
        umd_set_constant_buffers(rig.context, UMD_STAGE_PIXEL, 0, 1, NULL, NULL, NULL);
        umd_set_shader(rig.context, UMD_STAGE_VERTEX, NULL, NULL, 0);
        umd_set_shader(rig.context, UMD_STAGE_PIXEL, NULL, NULL, 0);
        umd_destroy_resource(rig.device, constants);
        umd_destroy_resource(rig.device, unused);
        umd_destroy_shader(rig.device, vs);
        umd_destroy_shader(rig.device, ps);
        if (i % 10 == 0)
            assert_int_equal(umd_flush(rig.context, NULL), UMD_OK);
    }
    assert_int_equal(rig_texel(&rig, target.texture, 9, 9), GREEN);
    rig_free_target(&rig, &target);
    rig_end(&rig);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaders_compute),
        cmocka_unit_test(the_last_slot_is_stored_to),
        cmocka_unit_test(counters_count),
        cmocka_unit_test(queries_answer),
        cmocka_unit_test(predicates_stop_draws_alone),
        cmocka_unit_test(lists_are_executed),
        cmocka_unit_test(lists_see_mapped_vertices),
        cmocka_unit_test(lists_copy_to_staging),
        cmocka_unit_test(patches_are_tessellated),
        cmocka_unit_test(stream_output_is_drawn),
        cmocka_unit_test(objects_end_behind_their_use),
    };
    if (argc < 2)
        return 1;
    const int opened = rig_open(&rig, argv[1]);
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests_name("guest/work", tests, NULL, NULL);
    rig_close(&rig);
    return failed;
}
