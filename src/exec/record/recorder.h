/* SPDX-License-Identifier: MIT
 *
 * What is being recorded for the GPU: the open encoder and pass, the uploads in front of them, bind groups,
 * query slots, and how much of all that is in flight.
 */
#ifndef AG_EXEC_RECORD_RECORDER_H
#define AG_EXEC_RECORD_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_effect.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "base/vec.h"
#include "gpu/webgpu.h"

struct ag_frame_ring;
struct ag_host;
struct ag_objects;
struct ag_query_run;
struct ag_query_set;
struct ag_texture;
struct ag_texture_view;

/* What a draw renders to: one mip and layer each. Zeroed before it is filled. */
struct ag_attachments {
    struct ag_texture_view *colors[AGPU_MAX_RENDER_TARGETS];
    struct ag_texture_view *depth;
    uint32_t color_count;
    uint32_t width, height; /* of the colour targets, else of the depth target */
    uint32_t sample_count;  /* of all targets; 0 without any */
    bool uncounted; /* queries count nothing of what is drawn: a further part of one draw of the guest */
};

/* WebGPU wants all attachments of one size. Where the depth target is larger, the pass draws into a copy of
 * each colour target with the depth target's size, which is copied back when the pass ends. */
struct ag_resized_attachment {
    WGPUTexture texture; /* null: the target itself is attached */
    WGPUTextureView view;
};

#define AG_MAX_PENDING_CLEARS 16

enum ag_clear_aspect {
    AG_CLEAR_ASPECT_COLOR = 1 << 0,
    AG_CLEAR_ASPECT_DEPTH = 1 << 1,
    AG_CLEAR_ASPECT_STENCIL = 1 << 2,
};

struct ag_pending_clear {
    struct ag_texture_view *view;
    uint32_t mip, layer; /* of the texture */
    uint32_t aspects;    /* enum ag_clear_aspect */
    WGPUColor color;
    float depth;
    uint32_t stencil;
};

struct ag_pass {
    WGPURenderPassEncoder encoder; /* null: no pass is open */
    struct ag_attachments attachments;
    uint64_t first_draw; /* number of the draw that opened it */

    struct ag_pending_clear pending[AG_MAX_PENDING_CLEARS];
    uint32_t pending_count;

    struct ag_resized_attachment stand_ins[AGPU_MAX_RENDER_TARGETS];

    /* What the encoder was last told. */
    const void *pipeline;
    WGPUBindGroup groups[4];
    bool blend_constant_set, stencil_set, viewport_set, scissor_set;
    float blend_constant[4];
    uint32_t stencil_reference;
    float viewport[6];
    uint32_t scissor[4];
};

struct ag_upload_ring {
    struct ag_frame_ring *frames;
    uint64_t epoch; /* changes when slices end: those of an older one are gone. From 1 */
};

#define AG_THROTTLE_SUBMISSIONS 64

struct ag_throttle_load {
    uint64_t groups;
    uint64_t moves; /* bindings with dynamic offsets; lavapipe makes a group of each while it executes them */
    uint64_t bytes;
};

struct ag_throttle {
    struct ag_throttle_load open;      /* of commands not submitted yet */
    struct ag_throttle_load in_flight; /* of all below */
    struct {
        uint64_t serial; /* of the queue's timeline: it is gone when this is reached */
        struct ag_throttle_load load;
    } submitted[AG_THROTTLE_SUBMISSIONS];
    uint32_t submitted_count;
};

enum ag_query_set_kind {
    AG_QUERY_SET_OCCLUSION,
    AG_QUERY_SET_TIMESTAMP, /* nanoseconds */
    AG_QUERY_SET_COUNT,     /* words that are copied out of buffers */
    AG_QUERY_SET_KIND_COUNT
};

/* What the executor holds. */
struct ag_queries {
    AG_VEC(struct ag_query_run *) active;
    struct ag_query_set *open[AG_QUERY_SET_KIND_COUNT];
    struct ag_query_set *full;     /* to be read, the newest first */
    struct ag_query_set *pass_set; /* occlusion slots of the open pass, or null; a reference */
    bool sampling;                 /* a slot of it is being counted */
    uint32_t context_id;           /* of the stream being executed: its queries count */
};

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
    } textures[4][8][2]; /* sample type, dimension, multisampled */
    struct {
        WGPUSampler gpu;
        uint64_t id;
    } samplers[3]; /* filtering, not filtering, comparing */
    struct ag_texture *target;
};

struct ag_recorder {
    struct ag_host *host;
    struct ag_objects *objects;

    const char *packet_label;           /* of the packet whose commands are recorded alone, or null */
    WGPUCommandEncoder encoder;         /* open, or null */
    uint64_t encoder_number;            /* of the open or next encoder, from 1 */
    AG_VEC(WGPUCommandBuffer) recorded; /* what comes before the open encoder */
    WGPUCommandEncoder before;          /* uploads that come before the open pass, or null */
    uint64_t draw_number;               /* counts draws, to tell what a pass uses from what is older */
    struct ag_pass pass;
    struct ag_upload_ring ring;
    AG_VEC(WGPUBuffer) kept; /* released with the next flush */
    struct ag_throttle throttle;
    struct ag_queries queries;

    struct ag_map stage_layouts; /* struct ag_stage_layout, by the hash of their keys */
    struct ag_map bind_groups;   /* cached, by the hash of their contents */
    struct ag_dummies dummies;
};

#endif
