/* SPDX-License-Identifier: MIT
 *
 * The binder: the guest's contexts, and what their bindings become in WebGPU: shader modules, pipelines and
 * bind groups. The executor owns the only struct ag_binder; draw and expand call the binder's functions for
 * each draw and dispatch, packet handlers change contexts and shaders.
 */
#ifndef AG_EXEC_BIND_BINDER_H
#define AG_EXEC_BIND_BINDER_H

#include <stdint.h>

#include "abi/packet_effect.h"
#include "aerogpu/translate.h"
#include "base/arena.h"
#include "base/map.h"
#include "exec/bind/pipeline_versions.h"
#include "exec/bind/texture_array.h"
#include "exec/host/shared_cache.h"
#include "exec/record/resident_block.h"
#include "gpu/webgpu.h"
#include "wgsl/draw_block.h"

struct ag_account;
struct ag_blitter;
struct ag_buffer;
struct ag_compilation;
struct ag_context;
struct ag_copier;
struct ag_host;
struct ag_objects;
struct ag_pipeline_ahead;
struct ag_recorder;
struct ag_shader_program;

/* The uniform block that every translated shader can read (wgsl/draw_block.h): numbers of the draw, and
 * sizes and offsets of views, which are filled in as bind groups are made. */
struct ag_draw_block {
    uint8_t bytes[AG_DRAW_BLOCK_BYTES];
};

/* A copy of a render target for logic operations (target_copy.h). */
struct ag_target_copy {
    WGPUTexture gpu;
    WGPUTextureView view;
    uint64_t id;
    WGPUTextureFormat format;
    uint32_t width, height;
};

/* A plane of the depth target, for tests in front of the pixel shader; null while no such draw is made. */
struct ag_early_texture {
    WGPUTextureView view;
    uint64_t id;
};

/* The range of a buffer that is bound as a constant buffer. */
struct ag_bound_range {
    WGPUBuffer buffer;
    uint64_t id, offset;
    uint64_t size;  /* bytes of the binding, at least what the module declares */
    uint64_t bound; /* bytes that the guest bound; zeros follow in the binding */
};

/* The bytes of a constant buffer. */
struct ag_constant_source {
    const uint8_t *bytes;     /* what the CPU knows, which `offset` is counted from; else null */
    struct ag_buffer *buffer; /* null when no buffer is bound */
    uint64_t version, offset;
    uint64_t bound;                  /* bytes that the shader sees */
    uint32_t slot_offset, slot_size; /* the range in the slot */
};

/* The bytes of unordered access views: what the draw or dispatch being recorded has of each buffer, whichever
 * of its stages. */
struct ag_uav_arena {
    WGPUBuffer gpu;
    uint64_t id, size;
    uint64_t filled; /* bytes up to the end of the last part */
    uint32_t count;
    struct {
        WGPUBuffer gpu;
        uint64_t id, offset, bytes;
        uint64_t first; /* in the arena */
    } parts[AG_UAV_SLOTS];
};

#define AG_CONSTANT_CACHE 64

/* A constant buffer that was uploaded, so that equal bytes are uploaded once (constant_buffer.c). The
 * first line is the key; the range has all bytes of the slice, and is valid in one epoch of the upload ring.
 */
struct ag_constant_entry {
    uint64_t version, offset, bound;
    uint64_t epoch;
    struct ag_bound_range range;
};

/* The guest's contexts (context_set.h). */
struct ag_context_set {
    struct ag_map live;    /* struct ag_context, by id */
    struct ag_map packed;  /* struct ag_packed_context, by id */
    struct ag_map ended;   /* the ids whose contexts ended with a WebGPU device that was replaced */
    uint64_t packed_bytes; /* of all of them */
    struct ag_map left;    /* struct ag_packed_context of a guest that has reset, to be freed */
    size_t left_cursor;
    uint64_t clock; /* counts uses of contexts */
    /* A new context, which others are compared with, and room for another one; null before the first use. */
    struct ag_context *fresh, *image;
};

/* The pipelines that are to be begun before draws need them (kept_pipelines.h). */
struct ag_pipelines_ahead {
    struct ag_pipeline_ahead *first, *last; /* a list */
    uint32_t count;
};

/* The newest shader among handles that are equal modulo how many there are; all zero where it was destroyed.
 */
#define AG_RECENT_SHADERS 1024
struct ag_recent_shader {
    uint32_t handle;
    struct ag_shader_program *program;
};

/* A program that the worker parses, or translates once to judge it (shader_program.c). All zero when there is
 * none. */
struct ag_program_creation {
    struct ag_compilation *parsing; /* null: it is parsed */
    struct ag_shader_program *program;
    uint64_t host_bytes; /* charged to the account */
    struct ag_account *account;
};

struct ag_binder {
    struct ag_host *host;
    struct agpu_cache *cache; /* or null */
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;
    struct ag_copier *copier;

    struct ag_context_set contexts;

    struct ag_arena translation; /* what translations work in, empty between them */
    /* Shaders. The guest's handles name programs; equal sources share a program, by the hash of the
     * source. A program whose hash another one has is not shared. */
    struct ag_map shaders; /* struct ag_shader_program, by handle */
    struct ag_recent_shader recent_shaders[AG_RECENT_SHADERS];
    struct ag_map programs;                  /* struct ag_shader_program, by hash */
    struct ag_program_creation creation;     /* the one at which the stream pauses */
    struct ag_shared_cache idle;             /* programs without a handle, by when they lost their last one */
    uint32_t most_invocations;               /* of a workgroup; 0: the device's limit */
    uint32_t compile_cost_ms, private_bytes; /* the translator's options; UINT32_MAX: no limit */
    bool translates_in_calls;                /* the option translate_in_calls */
    bool packs_nothing; /* constant buffers have bindings of their own: for tests, which compare both ways */
    uint32_t loop_budget; /* the translator's option: the most iterations of a loop; 0: no limit */

    /* Pipelines, by the hash of their keys (pipeline.h). */
    struct ag_map pipelines;         /* struct ag_pipeline */
    struct ag_map compute_pipelines; /* struct ag_compute_pipeline */
    struct ag_shared_cache recent_pipelines, recent_compute;
    struct ag_pipeline_memo pipeline_memo;
    struct ag_pipelines_ahead ahead;
    uint32_t pipeline_count;      /* the option of that name: the most of each kind that are kept */
    uint64_t pipeline_timeout_ns; /* for making one; UINT64_MAX: none */
    uint64_t patience_ns;         /* what other contexts wait for a pipeline; UINT64_MAX: nobody waits */
    uint64_t taken_ms;            /* that drivers take for pipelines the packet at hand uses first */
    uint64_t awaited_compilation; /* ag_compilation_serial() for which the packet at hand pauses; or 0 */
    bool may_pause;               /* the packet at hand has had no effect yet (pipeline_wait.h) */
    bool creates_shader;          /* what is waited for is the creation of a shader */
    bool awaits_creation;         /* with awaited_compilation: the packet creates a shader */

    /* Buffers and textures for the draw or dispatch being recorded: copies of render targets, uploaded
     * constant buffers, the counters of unordered access views (null before the first use), and the last
     * draw block with its slice in an epoch of the upload ring. */
    struct ag_target_copy target_copies[AGPU_MAX_RENDER_TARGETS];
    struct ag_early_texture early_textures[2]; /* depth, stencil */
    struct ag_constant_entry constants[AG_CONSTANT_CACHE];
    WGPUBuffer uav_counters;
    uint64_t uav_counters_id;
    struct ag_uav_arena uav_arena;
    struct ag_texture_arrays texture_arrays;
    struct ag_resident_block last_block;
};

#endif
