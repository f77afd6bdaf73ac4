/* SPDX-License-Identifier: MIT
 *
 * The guest's contexts and what their bindings become: shader modules, pipelines, bind groups.
 */
#ifndef AG_EXEC_BIND_BINDER_H
#define AG_EXEC_BIND_BINDER_H

#include <stdint.h>

#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/record/upload_ring.h"
#include "gpu/webgpu.h"
#include "wgsl/draw_block.h"

struct ag_blitter;
struct ag_copier;
struct ag_host;
struct ag_objects;
struct ag_recorder;

/* The draw block of a draw, filled in as groups are bound. */
struct ag_draw_block {
    uint8_t bytes[AG_DRAW_BLOCK_BYTES];
};

/* A copy of one subresource, of which a draw brings the part that it covers up to date. */
struct ag_target_copy {
    WGPUTexture gpu;
    WGPUTextureView view;
    uint64_t id;
    WGPUTextureFormat format;
    uint32_t width, height;
};

struct ag_bound_range {
    WGPUBuffer buffer;
    uint64_t id, offset;
    uint64_t size;  /* of the binding: at least what the module needs */
    uint64_t bound; /* bytes that the guest bound; zeros follow */
};

/* Where the bytes of a constant went, so that equal ones go there only once. */
#define AG_CONSTANT_CACHE 64

struct ag_constant_entry {
    uint64_t version, offset, bound, need; /* key */
    uint64_t epoch;                        /* of the ring */
    struct ag_bound_range range;
};

struct ag_binder {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;
    struct ag_copier *copier;

    uint32_t loop_budget; /* as the translator takes it: 0 is none */

    struct ag_map contexts; /* struct ag_context */
    struct ag_map shaders;  /* struct ag_shader_program, by handle */
    struct ag_map programs; /* by the hash of their content; of two with one hash the second is not cached */
    uint32_t idle_programs; /* that no handle names */
    struct ag_map pipelines, compute_pipelines;

    struct ag_target_copy target_copies[AGPU_MAX_RENDER_TARGETS];
    struct ag_constant_entry constants[AG_CONSTANT_CACHE];
    WGPUBuffer uav_counters; /* of the draw or dispatch being recorded; null until one needs it */
    uint64_t uav_counters_id;
    struct ag_draw_block last_block; /* what the upload ring holds at last_block_slice */
    struct ag_upload_slice last_block_slice;
    uint64_t last_block_epoch;
};

#endif
