/* SPDX-License-Identifier: MIT
 *
 * A guest's driver over a device in the same process, and what tests of it need again and again.
 */
#ifndef AG_TESTS_GUEST_RIG_H
#define AG_TESTS_GUEST_RIG_H

#include "guest/transport/in_process.h"
#include "guest/umd/umd.h"

/* DXGI_FORMAT */
#define R32_UINT 42u
#define R16_UINT 57u
#define R8G8B8A8_UNORM 28u
#define R32G32B32A32_FLOAT 2u
#define R32G32B32_UINT 7u

struct rig {
    struct agpu_gpu *gpu;
    struct agpu_executor *executor;
    struct guest_in_process *transport;
    struct umd_adapter *adapter;
    struct umd_device *device;
    struct umd_context *context;
    struct guest_errors errors;
    uint32_t diag_count; /* errors and warnings */
    uint32_t present_count, present_width, present_height, present_swap_chain;
    uint8_t present_texel[4]; /* the first one of the last present */
};

/* 0, 77 where the driver is not installed, or 1. Each test begins with a device of its own, with
 * `memory_bytes` of shared memory (0: the transport's default), and ends without a diagnostic. */
int rig_open(struct rig *rig, const char *driver_name);
void rig_close(struct rig *rig);
void rig_begin(struct rig *rig, uint64_t memory_bytes);
void rig_end(struct rig *rig);

struct umd_shader *rig_shader(struct rig *rig, enum umd_stage stage, const char *listing);
struct umd_resource *rig_resource(struct rig *rig, const struct umd_resource_desc *desc, const void *data,
                                  uint32_t row_pitch);
struct umd_resource *rig_buffer(struct rig *rig, uint32_t size, uint32_t usage, uint32_t bind_flags,
                                const void *data);
struct umd_resource *rig_texture(struct rig *rig, uint32_t width, uint32_t height, uint32_t bind_flags,
                                 uint32_t sample_count);
struct umd_view *rig_view(struct rig *rig, struct umd_resource *resource, uint32_t kind, uint32_t dimension);

/* A target of R8G8B8A8_UNORM that is bound, cleared to black, with a viewport over all of it. */
struct rig_target {
    struct umd_resource *texture;
    struct umd_view *view;
};
struct rig_target rig_target(struct rig *rig, struct umd_context *context, uint32_t width, uint32_t height,
                             uint32_t sample_count);
void rig_bind_target(struct umd_context *context, const struct rig_target *target, uint32_t width,
                     uint32_t height);
void rig_free_target(struct rig *rig, struct rig_target *target);

/* Writes with a map of the immediate context or another. */
void rig_write(struct umd_context *context, struct umd_resource *resource, enum umd_map type, uint32_t offset,
               const void *bytes, uint32_t size);

/* What the host has, through a staging copy. Texels are 0xAABBGGRR. */
void rig_read_buffer(struct rig *rig, struct umd_resource *buffer, void *to, uint32_t size);
uint32_t rig_texel(struct rig *rig, struct umd_resource *texture, uint32_t x, uint32_t y);

#define RED 0xFF0000FFu
#define GREEN 0xFF00FF00u
#define BLUE 0xFFFF0000u
#define BLACK 0xFF000000u

/* Shaders: a triangle over the whole target; positions as they are; one colour, or that of the constants. */
extern const char full_screen_vs[], position_vs[], white_ps[], constant_color_ps[];

#endif
