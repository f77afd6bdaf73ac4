/* SPDX-License-Identifier: MIT
 *
 * The recorder: commands on their way to the GPU's queue. It has the open command encoder and render pass,
 * the clears and uploads that belong in front of them, the caches of bind groups and their layouts, queries,
 * and a count of what the work in flight holds. The executor owns the only struct ag_recorder; rooms above
 * record through the headers of this room, each of which has one member of the struct as its subject.
 */
#ifndef AG_EXEC_RECORD_RECORDER_H
#define AG_EXEC_RECORD_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_effect.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "base/vec.h"
#include "exec/host/recency.h"
#include "exec/record/bind_group.h"
#include "gpu/webgpu.h"

struct ag_frame_ring;
struct ag_frame_window;
struct ag_host;
struct ag_objects;
struct ag_query_run;
struct ag_query_set;
struct ag_recalled_group;
struct ag_texture;
struct ag_texture_view;

/* ---- The open pass (pass.h) --------------------------------------------------------------------------- */

/* The passes of a draw whose tests come before its pixel shader (expand/early_tests.h). */
enum ag_early_pass {
    AG_EARLY_NO,
    AG_EARLY_SHADES, /* the shader runs where it is visible; depth and stencil are read only */
    AG_EARLY_TESTS,  /* without a pixel shader: depth and stencil are tested, written and counted */
};

#define AG_PASS_VERTEX_BUFFERS 8

/* The attachments of a render pass: the first mip and layer of each view. The struct is zeroed before it
 * is filled, so that its bytes can be compared. */
struct ag_attachments {
    struct ag_texture_view *colors[AGPU_MAX_RENDER_TARGETS];
    struct ag_texture_view *depth;
    uint32_t color_count;
    uint32_t width, height; /* of the colour targets, or of the depth target when there are none */
    uint32_t sample_count;  /* of all targets; 0 when there are none */
    /* Queries do not count the draws: they repeat a draw of the guest that is counted already. */
    bool uncounted;
    bool unshaded; /* no pixel shader, while its invocations are counted */
    uint8_t early; /* enum ag_early_pass */
    /* Targets whose blending may leave the range of their numbers, which WebGPU does not know, as bits: they
     * are clamped when the pass ends (target_range.h). `exceeds_each`: behind each draw. */
    uint8_t exceeds_most, exceeds_least;
    bool exceeds_each;
};

/* A colour target's copy that has the size of the depth target (attachment_resizing.h). */
struct ag_resized_attachment {
    WGPUTexture texture; /* null when the colour target itself is attached */
    WGPUTextureView view;
};

/* Encoders that begin with a pass, so that commands may come ahead of it (encoder.h). */
struct ag_fronts {
    uint32_t unused; /* so many in a row had no commands ahead of them */
    uint32_t missed; /* how often there were commands for the front of a pass that had none */
};

#define AG_MAX_PENDING_CLEARS 16

enum ag_clear_aspect {
    AG_CLEAR_ASPECT_COLOR = 1 << 0,
    AG_CLEAR_ASPECT_DEPTH = 1 << 1,
    AG_CLEAR_ASPECT_STENCIL = 1 << 2,
};

/* A clear that waits to become a load operation. */
struct ag_pending_clear {
    struct ag_texture_view *view;
    uint32_t mip, layer; /* of the texture */
    uint32_t aspects;    /* enum ag_clear_aspect */
    WGPUColor color;
    float depth;
    uint32_t stencil;
};

/* A bind group with its dynamic offsets as an encoder has it. */
struct ag_pass_group {
    WGPUBindGroup gpu;
    uint32_t offsets[AG_MAX_DYNAMIC_OFFSETS];
    uint32_t offset_count;
};

/* A range of a buffer as an encoder has it for vertices or indices. */
struct ag_pass_range {
    WGPUBuffer buffer;
    uint64_t offset, size;
};

struct ag_pass {
    WGPURenderPassEncoder encoder; /* null when no pass is open */
    struct ag_attachments attachments;
    struct ag_resized_attachment resized[AGPU_MAX_RENDER_TARGETS];
    uint64_t first_draw; /* the number of the draw that opened the pass */
    bool has_front;      /* the pass begins its encoder, so that commands may come ahead of it */

    /* The pipeline, bind groups, buffers and dynamic state that the encoder has, so that draws set only what
     * changes. The encoder keeps the objects alive, so that no other object has their handles meanwhile. */
    const void *pipeline;
    struct ag_pass_group groups[4];
    struct ag_pass_range vertices[AG_PASS_VERTEX_BUFFERS], indices;
    WGPUIndexFormat index_format;
    float blend_constant[4];
    uint32_t stencil_reference;
    float viewport[6];
    uint32_t scissor[4];

    /* Clears that no pass has performed yet, whether a pass is open or not. */
    struct ag_pending_clear pending[AG_MAX_PENDING_CLEARS];
    uint32_t pending_count;
};

/* ---- Uploads and the throttle (upload_ring.h, throttle.h) --------------------------------------------- */

struct ag_upload_ring {
    struct ag_frame_ring *frames;
    struct ag_frame_window *const *window; /* of `frames` (ag_frame_ring_window()) */
    /* Of slices: what the device wants of uniform and storage buffers, or a little more. */
    uint32_t alignment;
    /* Grows, from 1, with every submission: a slice of an older epoch is no longer valid. */
    uint64_t epoch;
};

#define AG_THROTTLE_SUBMISSIONS 64
#define AG_PASS_COMMANDS 8

/* What a driver holds for commands. */
struct ag_throttle_load {
    uint64_t commands;         /* a render pass counts as AG_PASS_COMMANDS */
    uint64_t groups;           /* bind groups */
    uint64_t dynamic_bindings; /* bindings with dynamic offsets: bind groups while lavapipe executes them */
    uint64_t bytes;            /* of scratch buffers */
    uint64_t uploads;          /* bytes from the CPU, which the host and the device hold a copy of each */
};

struct ag_throttle {
    struct ag_throttle_load most_open, most_in_flight;
    uint32_t vertices_shift, texels_shift; /* of draws: two to that power of either are a command */
    uint64_t step_vertices;            /* of an expanded draw, at a time; 0: as many as memory has room for */
    bool bounds_bindings;              /* those with dynamic offsets have a limit */
    bool grew;                         /* by more than a few commands since there was room */
    struct ag_throttle_load open;      /* for commands that are not submitted yet */
    struct ag_throttle_load in_flight; /* for all of `submitted` */
    /* Work in flight, the oldest first. The GPU is done with it when the queue has reached the serial. */
    struct {
        uint64_t serial;
        struct ag_throttle_load load;
    } submitted[AG_THROTTLE_SUBMISSIONS];
    uint32_t submitted_count;
};

/* ---- Queries (query.h, query_set.h) ------------------------------------------------------------------- */

enum ag_query_set_kind {
    AG_QUERY_SET_OCCLUSION,
    AG_QUERY_SET_TIMESTAMP, /* nanoseconds */
    AG_QUERY_SET_COUNT,     /* 32-bit counts that are copied out of buffers */
    AG_QUERY_SET_KIND_COUNT
};

struct ag_queries {
    AG_VEC(struct ag_query_run *) active;               /* the runs that count */
    struct ag_query_set *open[AG_QUERY_SET_KIND_COUNT]; /* sets with free slots, or null */
    struct ag_query_set *full;                          /* the list of closed sets, the newest first */
    struct ag_query_set *reading, **reading_end;        /* sets whose read-back has begun, in order */
    /* The occlusion query set of the open pass (a reference, or null), and whether an occlusion query is
     * open. */
    struct ag_query_set *pass_set;
    bool sampling;
    uint32_t part_count; /* numbers of the GPU that all runs have together */
    /* The context being executed: only runs of its queries count. */
    uint32_t context_id;
};

/* ---- Dummies (dummy.h) -------------------------------------------------------------------------------- */

struct ag_dummies {
    WGPUBuffer zeros;
    uint64_t zeros_id;
    struct {
        WGPUBuffer gpu;
        uint64_t id;
    } sinks[AG_UAV_SLOTS];
    struct {
        WGPUTexture gpu;
        WGPUTextureView view;
        uint64_t id;
    } textures[4][8][2]; /* by sample type, view dimension, multisampled or not */
    struct {
        WGPUSampler gpu;
        uint64_t id;
    } samplers[3]; /* filtering, non-filtering, comparison */
    struct ag_texture *target;
};

/* ---- Ranges of targets (target_range.h) --------------------------------------------------------------- */

struct ag_target_ranges {
    WGPUShaderModule module;               /* null before its first use, as the pipelines are */
    WGPURenderPipeline pipelines[3][3][2]; /* by bound, components and samples */
};

/* ---- The recorder ------------------------------------------------------------------------------------- */

struct ag_recorder {
    struct ag_host *host;
    struct ag_objects *objects;

    /* Commands in the order of their submission: finished command buffers, the encoder for commands ahead
     * of the open pass, and the open encoder. Both encoders may be null (encoder.h). The command buffers
     * behind a null one are submitted on their own. */
    AG_VEC(WGPUCommandBuffer) recorded;
    bool blends_alike; /* the driver would blend all targets of a pass alike (ag_recorder_note_colors) */
    WGPUCommandEncoder ahead_encoder;
    WGPUComputePassEncoder ahead_pass; /* open on `ahead_encoder`; may be null */
    WGPUCommandEncoder encoder;
    struct ag_fronts fronts;
    /* A compute pass of dispatches that is open on `encoder`, its pipeline and its group of the draw block;
     * may be null. */
    WGPUComputePassEncoder compute_pass;
    WGPUComputePipeline compute_pipeline;
    struct ag_pass_group compute_block;
    /* The signal behind all that was submitted, by the last flush; 0: that had nothing to signal. */
    uint64_t flushed_serial;
    /* The name of the packet whose commands have encoders of their own; else null. */
    const char *packet_label;
    /* Counts flushes, from 1, and draws: what ag_resource.used_in and used_by are compared with. */
    uint64_t encoder_number;
    uint64_t draw_number;
    /* Counts command buffers that there was no memory for, that a reset dropped, or that WebGPU refused. */
    uint64_t buffers_lost;
    struct ag_pass pass;
    /* Who is told before the open pass ends, so as to record what belongs ahead of it; null: nobody. */
    void (*pass_ends)(void *user);
    void *pass_ends_user;
    uint64_t pass_number; /* counts passes: the number of the open pass, or of the last one */

    /* Memory for the recorded commands: the upload ring, scratch buffers to release with the next flush,
     * and what the drivers hold. */
    struct ag_upload_ring ring;
    AG_VEC(WGPUBuffer) scratch_buffers;
    struct ag_throttle throttle;

    struct ag_queries queries;

    /* Caches. Bind group layouts are struct ag_bind_group_layout, by the hash of their keys; bind groups are
     * private to bind_group.c, by the hash of their contents. */
    struct ag_map bind_group_layouts;
    struct ag_bind_group_layout *empty_layout,
        *draw_block_layout; /* two of them; null before their first use */
    struct ag_map bind_groups;
    struct ag_recency_list recent_groups;
    struct ag_recalled_group *recalled_groups; /* private to bind_group.c; null before the first one */
    void *recalled_memory;                     /* which has the table somewhere */
    uint64_t groups_destroyed;                 /* counts bind groups that left the cache */
    struct ag_map bound_objects; /* those that bind groups hold, by their ids: private to bind_group.c */
    struct ag_dummies dummies;
    struct ag_target_ranges ranges;
};

#endif
