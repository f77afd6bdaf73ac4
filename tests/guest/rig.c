/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "tests/support/test.h"
#include "tests/unit/gpu/fixture.h"

const char full_screen_vs[] = "vs_4_0\n"
                              ".in SV_VertexID0 v0.x uint vertex_id\n"
                              ".out SV_Position0 o0.xyzw float position\n"
                              "dcl_input_sgv v0.x, vertex_id\n"
                              "dcl_output_siv o0.xyzw, position\n"
                              "dcl_temps 1\n"
                              "and r0.x, v0.x, l(1)\n"
                              "ushr r0.y, v0.x, l(1)\n"
                              "utof r0.xy, r0.xyxx\n"
                              "mad o0.xy, r0.xyxx, l(4.0, -4.0, 0.0, 0.0), l(-1.0, 1.0, 0.0, 0.0)\n"
                              "mov o0.zw, l(0.0, 0.0, 0.5, 1.0)\n"
                              "ret\n";
const char position_vs[] = "vs_4_0\n"
                           ".in POSITION0 v0.xyzw float\n"
                           ".out SV_Position0 o0.xyzw float position\n"
                           "dcl_input v0.xyzw\n"
                           "dcl_output_siv o0.xyzw, position\n"
                           "mov o0.xyzw, v0.xyzw\n"
                           "ret\n";
const char white_ps[] = "ps_4_0\n"
                        ".out SV_Target0 o0.xyzw float\n"
                        "dcl_output o0.xyzw\n"
                        "mov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)\n"
                        "ret\n";
const char constant_color_ps[] = "ps_4_0\n"
                                 ".in SV_Position0 v0.xyzw float position\n"
                                 ".out SV_Target0 o0.xyzw float\n"
                                 "dcl_constantbuffer CB0[1], immediateIndexed\n"
                                 "dcl_output o0.xyzw\n"
                                 "mov o0.xyzw, cb0[0].xyzw\n"
                                 "ret\n";

/* ---- Life ---------------------------------------------------------------------------------------------- */

static void on_diag(void *user, const struct agpu_diag *diag)
{
    struct rig *rig = user;
    if (diag->severity == AGPU_NOTE)
        return;
    rig->diag_count++;
    fprintf(stderr, "%s (packet %u, %s): %s\n", agpu_diag_slug(diag->code), diag->place.packet,
            diag->packet_name != NULL ? diag->packet_name : "", diag->message);
}

static void on_presented(void *user, const struct agpu_present *present)
{
    struct rig *rig = user;
    rig->present_count++;
    rig->present_width = present->width;
    rig->present_height = present->height;
    rig->present_swap_chain = present->swap_chain;
    memcpy(rig->present_texel, present->pixels, 4);
}

/* On a busy machine nothing but a hang takes so long, and tests may take a little longer. */
#define LIMIT_MS 100000u

int rig_open(struct rig *rig, const char *driver_name)
{
    const struct agpu_executor_options options = {.size = sizeof options,
                                                  .gpu_timeout_ms = LIMIT_MS,
                                                  .pipeline_timeout_ms = LIMIT_MS,
                                                  .turn_ms = LIMIT_MS};
    enum agpu_driver driver;
    struct diag_log log;
    memset(rig, 0, sizeof *rig);
    if (!agpu_driver_from_name(driver_name, &driver))
        return 1;
    const int result = fixture_open(driver, &log, &rig->gpu);
    if (result != 0)
        return result;
    return agpu_webgpu_executor_create(rig->gpu, &options, &log.sink, &rig->executor) == AGPU_OK ? 0 : 1;
}

void rig_close(struct rig *rig)
{
    agpu_executor_destroy(rig->executor);
    agpu_gpu_destroy(rig->gpu);
}

void rig_begin(struct rig *rig, uint64_t memory_bytes)
{
    const struct guest_in_process_options options = {
        .executor = rig->executor,
        .memory_bytes = memory_bytes,
        .presented = on_presented,
        .diagnostics = {on_diag, rig},
        .user = rig,
    };
    rig->diag_count = rig->present_count = 0;
    rig->transport = guest_in_process_create(&options);
    assert_non_null(rig->transport);
    assert_int_equal(umd_open_adapter(guest_in_process_bus(rig->transport), &rig->adapter), UMD_OK);
    assert_int_equal(umd_create_device(rig->adapter, &rig->device), UMD_OK);
    rig->context = umd_immediate_context(rig->device);
}

void rig_end(struct rig *rig)
{
    assert_int_equal(umd_wait_idle(rig->context), UMD_OK);
    umd_device_errors(rig->device, &rig->errors);
    assert_int_equal(umd_device_removed_reason(rig->device, true), UMD_NOT_REMOVED);
    umd_destroy_device(rig->device);
    umd_close_adapter(rig->adapter);
    guest_in_process_destroy(rig->transport);
    assert_int_equal(rig->errors.count, 0);
    assert_int_equal(rig->diag_count, 0);
}

/* ---- Objects ------------------------------------------------------------------------------------------- */

struct umd_shader *rig_shader(struct rig *rig, enum umd_stage stage, const char *listing)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct umd_shader *shader;
    assert_int_equal(agpu_assemble(listing, strlen(listing), NULL, &bytes, &size), AGPU_OK);
    const struct umd_shader_desc desc = {.stage = stage, .code = bytes, .size_bytes = (uint32_t)size};
    assert_int_equal(umd_create_shader(rig->device, &desc, &shader), UMD_OK);
    agpu_free(bytes);
    return shader;
}

struct umd_resource *rig_resource(struct rig *rig, const struct umd_resource_desc *desc, const void *data,
                                  uint32_t row_pitch)
{
    const struct umd_subresource_data initial = {data, row_pitch, 0};
    struct umd_resource *resource;
    assert_int_equal(umd_create_resource(rig->device, desc, data != NULL ? &initial : NULL, &resource),
                     UMD_OK);
    return resource;
}

struct umd_resource *rig_buffer(struct rig *rig, uint32_t size, uint32_t usage, uint32_t bind_flags,
                                const void *data)
{
    const struct umd_resource_desc desc = {
        .dimension = UMD_BUFFER,
        .width = size,
        .usage = usage,
        .bind_flags = bind_flags,
        .cpu_access = usage == UMD_USAGE_DYNAMIC   ? UMD_CPU_WRITE
                      : usage == UMD_USAGE_STAGING ? UMD_CPU_READ | UMD_CPU_WRITE
                                                   : 0,
    };
    return rig_resource(rig, &desc, data, 0);
}

static struct umd_resource_desc texture_desc(uint32_t width, uint32_t height)
{
    return (struct umd_resource_desc){
        .dimension = UMD_TEXTURE2D,
        .format = R8G8B8A8_UNORM,
        .width = width,
        .height = height,
        .depth = 1,
        .mip_levels = 1,
        .array_size = 1,
        .sample_count = 1,
    };
}

struct umd_resource *rig_texture(struct rig *rig, uint32_t width, uint32_t height, uint32_t bind_flags,
                                 uint32_t sample_count)
{
    struct umd_resource_desc desc = texture_desc(width, height);
    desc.bind_flags = bind_flags;
    desc.sample_count = sample_count;
    return rig_resource(rig, &desc, NULL, 0);
}

struct umd_view *rig_view(struct rig *rig, struct umd_resource *resource, uint32_t kind, uint32_t dimension)
{
    const struct umd_view_desc desc = {
        .kind = kind,
        .dimension = dimension,
        .element_count = AEROGPU_EXT_ALL,
        .mip_level_count = 1,
        .array_layer_count = 1,
    };
    struct umd_view *view;
    assert_int_equal(umd_create_view(rig->device, resource, &desc, &view), UMD_OK);
    return view;
}

/* ---- Targets ------------------------------------------------------------------------------------------- */

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void rig_bind_target(struct umd_context *context, const struct rig_target *target, uint32_t width,
                     uint32_t height)
{
    const struct aerogpu_ext_viewport viewport = {.width_f32 = bits_of((float)width),
                                                  .height_f32 = bits_of((float)height),
                                                  .max_depth_f32 = bits_of(1)};
    const struct umd_render_targets set = {.target_count = 1, .targets = &target->view};
    umd_set_render_targets(context, &set);
    umd_set_viewports(context, 1, &viewport);
}

struct rig_target rig_target(struct rig *rig, struct umd_context *context, uint32_t width, uint32_t height,
                             uint32_t sample_count)
{
    struct rig_target target;
    target.texture = rig_texture(rig, width, height, AEROGPU_EXT_BIND_RENDER_TARGET, sample_count);
    target.view =
        rig_view(rig, target.texture, AEROGPU_EXT_VIEW_RENDER_TARGET,
                 sample_count > 1 ? AEROGPU_EXT_DIMENSION_TEXTURE2DMS : AEROGPU_EXT_DIMENSION_TEXTURE2D);
    rig_bind_target(context, &target, width, height);
    umd_clear_render_target_view(context, target.view, (const float[4]){0, 0, 0, 1}, 0, NULL);
    return target;
}

void rig_free_target(struct rig *rig, struct rig_target *target)
{
    umd_destroy_view(rig->device, target->view);
    umd_destroy_resource(rig->device, target->texture);
}

/* ---- Bytes --------------------------------------------------------------------------------------------- */

void rig_write(struct umd_context *context, struct umd_resource *resource, enum umd_map type, uint32_t offset,
               const void *bytes, uint32_t size)
{
    struct umd_mapped_subresource mapped;
    assert_int_equal(umd_resource_map(context, resource, 0, type, 0, &mapped), UMD_OK);
    memcpy((uint8_t *)mapped.data + offset, bytes, size);
    umd_resource_unmap(context, resource, 0);
}

void rig_read_buffer(struct rig *rig, struct umd_resource *buffer, void *to, uint32_t size)
{
    struct umd_mapped_subresource mapped;
    struct umd_resource *staging = rig_buffer(rig, size, UMD_USAGE_STAGING, 0, NULL);
    const struct aerogpu_ext_box box = {.right = size, .bottom = 1, .back = 1};
    umd_resource_copy_region(rig->context, staging, 0, 0, 0, 0, buffer, 0, &box);
    assert_int_equal(umd_resource_map(rig->context, staging, 0, UMD_MAP_READ, 0, &mapped), UMD_OK);
    memcpy(to, mapped.data, size);
    umd_resource_unmap(rig->context, staging, 0);
    umd_destroy_resource(rig->device, staging);
}

uint32_t rig_texel(struct rig *rig, struct umd_resource *texture, uint32_t x, uint32_t y)
{
    const struct umd_resource_desc *shape = umd_resource_get_desc(texture);
    struct umd_resource_desc desc = texture_desc(shape->width, shape->height);
    struct umd_mapped_subresource mapped;
    uint32_t texel;
    desc.usage = UMD_USAGE_STAGING;
    desc.cpu_access = UMD_CPU_READ;
    struct umd_resource *staging = rig_resource(rig, &desc, NULL, 0);
    umd_resource_copy(rig->context, staging, texture);
    assert_int_equal(umd_resource_map(rig->context, staging, 0, UMD_MAP_READ, 0, &mapped), UMD_OK);
    memcpy(&texel, (const uint8_t *)mapped.data + (size_t)y * mapped.row_pitch + (size_t)x * 4, 4);
    umd_resource_unmap(rig->context, staging, 0);
    umd_destroy_resource(rig->device, staging);
    return texel;
}
