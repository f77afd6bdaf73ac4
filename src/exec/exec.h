/* SPDX-License-Identifier: MIT
 *
 * The WebGPU executor from the inside: what every file of this layer shares.
 *
 * Packets are decoded and recorded inside submit(), into one command encoder that stays open until the
 * submission ends, a FLUSH or a present. CPU writes to a resource that the open encoder has not used go
 * through the queue, which puts them before the encoder; others go through staging memory inside it.
 */
#ifndef AG_EXEC_EXEC_H
#define AG_EXEC_EXEC_H

#include "aerogpu/executor.h"
#include "aerogpu/stream.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/vec.h"
#include "exec/bind.h"
#include "exec/clear_rects.h"
#include "exec/context.h"
#include "exec/depth_write.h"
#include "exec/draw.h"
#include "exec/expand_pool.h"
#include "exec/fill.h"
#include "exec/generate_mips.h"
#include "exec/load.h"
#include "exec/pass.h"
#include "exec/query.h"
#include "exec/ring.h"
#include "exec/samples.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"

/* ---- Submissions -------------------------------------------------------------------------------------- */

enum ag_transfer_kind {
    AG_TRANSFER_PRESENT,
    AG_TRANSFER_BUFFER,
    AG_TRANSFER_TEXTURE,
    AG_TRANSFER_QUERY,
};

/* Bytes on their way from the GPU: a picture for the display, or a write-back into guest memory. */
struct ag_transfer {
    enum ag_transfer_kind kind;
    struct ag_readback *readback; /* null: QUERY */
    uint64_t size;
    struct agpu_place place;

    const struct ag_host_format *format; /* PRESENT, TEXTURE */
    uint32_t width, height;              /* texels; TEXTURE: texels or blocks */
    uint32_t host_pitch;
    uint64_t gpa, guest_pitch; /* all but PRESENT: where the first byte goes */
    uint64_t skipped;          /* BUFFER, TEXTURE: bytes of ours in front of it */
    uint64_t stencil_offset;   /* TEXTURE of depth with stencil: where that plane begins, a byte a texel */
    uint32_t stencil_pitch;
    struct ag_query_run *query; /* QUERY: a reference */
    uint32_t scanout_id, present_flags, abi_format;
};

/* What a stream waits for before it goes on; zeroed: nothing. */
struct ag_wait {
    uint64_t serial;                    /* of the queue's timeline; 0: none */
    const struct ag_readback *readback; /* begun, or null */
    bool again;                         /* the packet that waits is executed once more */
};

/* One submission, from submit() until its completion was announced. */
struct ag_job {
    struct ag_job *next;
    struct ag_exec *exec;
    uint32_t number, context_id;
    uint8_t *stream; /* kept until it is executed; null for a fence without a stream */
    uint32_t stream_size;
    struct agpu_stream_reader reader; /* from the start on: where execution goes on */
    struct aerogpu_alloc_entry *allocations;
    uint32_t allocation_count;
    bool has_allocation_table;

    bool started;  /* its packets are being executed, perhaps with pauses */
    bool recorded; /* all have been */
    struct ag_wait wait;
    struct ag_stream_frame *frame; /* the packets being read: the stream's, or a command list's */
    struct ag_readback *arguments; /* of the indirect draw that waits for them, or null */
    uint32_t listed_packets;       /* executed from command lists so far */
    bool stopped;                  /* a packet failed: write-backs are dropped */
    bool writes_back;
    bool orphaned; /* dropped by a reset; freed by its last error scope */
    bool refusal_reported;
    uint32_t error;
    uint32_t scopes; /* error scopes that have not answered */
    uint64_t serial; /* of the queue's timeline: its work is done when this is reached */
    AG_VEC(struct ag_transfer *) transfers; /* in packet order */
};

/* ---- Device-wide caches ------------------------------------------------------------------------------- */

/* Approximations that are worth a warning, but not one for each draw. */
enum ag_warning {
    AG_WARNING_LINES = 1 << 0,
    AG_WARNING_SAMPLES = 1 << 1,
};

struct ag_exec {
    struct agpu_executor table; /* first: the seam */
    struct agpu_gpu *gpu;
    WGPUDevice device;
    WGPUQueue queue;
    WGPULimits limits;
    struct ag_readback_pool *readbacks;
    bool check_packets;
    uint32_t loop_budget;       /* as the translator takes it: 0 is none */
    uint32_t work_budget;       /* as the options have it */
    ag_gpu_feature_set without; /* features that are not used */
    bool lost;                  /* reported; everything fails until a reset brings another device */
    bool starved;               /* an allocation failed on the GPU: objects may not exist */
    bool closing;
    uint32_t warned; /* enum ag_warning: said once */

    struct agpu_executor_events events;
    struct agpu_guest_memory memory;
    struct agpu_diag_sink sink; /* what layers below report into: adds the place */
    struct agpu_counters counts;
    struct ag_refusal last_error; /* for objects that are refused because of it */

    /* The job and packet being executed. */
    struct ag_job *job;
    struct ag_context *context;
    struct agpu_place place;
    struct ag_job *jobs, **jobs_end; /* in flight, in order */
    bool advancing;
    bool reset_wanted;     /* by a callback, while advancing */
    uint32_t orphan_count; /* jobs that error scopes still refer to */

    uint64_t next_id; /* of WebGPU objects; never reused, so caches cannot mistake one for another */

    WGPUCommandEncoder encoder;         /* open, or null */
    uint64_t encoder_number;            /* of the open or next encoder, from 1 */
    AG_VEC(WGPUCommandBuffer) recorded; /* what comes before the open encoder */
    WGPUCommandEncoder before;          /* uploads that come before the open pass, or null */
    uint64_t draw_number; /* counts draws, so that what a pass uses is told from what is older */
    struct ag_pass pass;
    struct ag_ring ring;
    AG_VEC(WGPUBuffer) kept; /* released with the next flush */
    struct ag_loads load;

    /* Guest objects. */
    bool has_level_floors; /* some texture had a least level set */
    struct ag_map handles; /* struct ag_handle: resources, aliases, views */
    struct ag_map shaders; /* struct ag_shader_program */
    struct ag_map samplers, input_layouts;
    struct ag_map ext_objects;        /* struct ag_ext_object */
    struct ag_map share_tokens;       /* struct ag_resource; retired tokens map to retired_token */
    struct ag_resource retired_token; /* names nothing */
    struct ag_map contexts;
    struct ag_map programs; /* by content hash; lists of collisions do not exist: a clash gets no cache */
    uint32_t idle_programs;

    struct ag_queries queries;

    /* Caches. */
    struct ag_map stage_layouts, pipelines, compute_pipelines, bind_groups;
    struct ag_dummies dummies;
    struct ag_destination destinations[AGPU_MAX_RENDER_TARGETS];
    struct ag_vertex_puller puller;
    struct ag_expand_pool expand_pool;
    struct ag_kernel texel_merger, texel_converter, byte_copier, texel_codec,
        plane_reader;                      /* made when first needed */
    struct ag_kernel texels, work_bounder; /* likewise */
    struct ag_filler filler;
    struct ag_rect_clearer rect_clearer;
    struct ag_depth_writer depth_writer;
    struct ag_stream_output_kernels stream_output; /* made when first needed */
    WGPUBuffer stream_output_state;                /* of the draw being recorded; null until one needs it */
    uint64_t stream_output_state_id;
    WGPUBuffer uav_counters; /* of the dispatch being recorded; null until one needs it */
    uint64_t uav_counters_id;
    struct ag_constant_entry constants[AG_CONSTANT_CACHE];
    struct ag_draw_block last_block; /* what the ring holds at last_block_slice */
    struct ag_ring_slice last_block_slice;
    uint64_t last_block_epoch;
};

static inline struct ag_exec *ag_exec_of(struct agpu_executor *executor)
{
    return (struct ag_exec *)executor;
}

static inline bool ag_exec_has(const struct ag_exec *exec, enum ag_gpu_feature feature)
{
    return ag_gpu_has(exec->gpu, feature) && !(exec->without >> feature & 1);
}

/* ---- Reporting (report.c) ------------------------------------------------------------------------------ */

/* Reports at the current packet. Errors become the submission's error code. */
void ag_exec_report(struct ag_exec *exec, enum agpu_diag_code code, enum agpu_severity severity,
                    const char *format, ...) AG_PRINTF(4, 5);

/* An error that stops the stream: reports and returns AGPU_REFUSED, for handlers to `return`. */
enum agpu_status ag_exec_fail(struct ag_exec *exec, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);

/* A warning with exec.unsupported, the first time only. */
void ag_exec_warn_once(struct ag_exec *exec, enum ag_warning warning, const char *text);

/* A draw or dispatch that needs what cannot be expressed: an error once per submission; the stream goes on.
 */
void ag_exec_skip_refused(struct ag_exec *exec, enum agpu_diag_code code, const char *format, ...)
    AG_PRINTF(3, 4);

/* Out of memory: reports and returns AGPU_NO_MEMORY. */
enum agpu_status ag_exec_no_memory(struct ag_exec *exec);

/* Sets up exec->sink. */
void ag_exec_report_init(struct ag_exec *exec);

/* ---- Encoders and submissions (encoder.c) -------------------------------------------------------------- */

static inline uint64_t ag_exec_id(struct ag_exec *exec)
{
    return ++exec->next_id;
}

/* The open encoder, outside of any pass: for copies. Pending clears stay pending. */
WGPUCommandEncoder ag_exec_encoder(struct ag_exec *exec);
/* Performs pending clears, ends the pass and hands everything recorded to the queue. */
void ag_exec_flush(struct ag_exec *exec);

/* True when the open encoder has used the resource, so that a write through the queue would come too early.
 */
static inline bool ag_exec_in_use(const struct ag_exec *exec, const struct ag_resource *resource)
{
    return resource->used_in == exec->encoder_number;
}

/* The open encoder uses it, for the current or last draw if it is about draws. */
static inline void ag_exec_mark_used(const struct ag_exec *exec, struct ag_resource *resource)
{
    resource->used_in = exec->encoder_number;
    resource->used_by = exec->draw_number;
}

/* The encoder for what the next draw needs and the open pass does not change: ahead of that pass, if there is
 * one. */
WGPUCommandEncoder ag_exec_ahead_encoder(struct ag_exec *exec);
/* The encoder for writing into a resource: ahead of the open pass when that does not use it, else outside of
 * any pass. */
WGPUCommandEncoder ag_exec_upload_encoder(struct ag_exec *exec, const struct ag_resource *resource);
/* Before a pass: what is recorded from here on may come after uploads that are still to be seen. */
void ag_exec_split(struct ag_exec *exec);

/* A new WebGPU buffer of at least `size` bytes, a multiple of 4. */
WGPUBuffer ag_exec_create_buffer(struct ag_exec *exec, uint64_t size, WGPUBufferUsage usage);

/* Scratch memory of the open encoder: released when it is submitted. Counts as load. */
void ag_exec_keep_until_flush(struct ag_exec *exec, WGPUBuffer buffer);

/* Adds a transfer of `size` bytes to the current job; null when memory is exhausted (reported). */
struct ag_transfer *ag_job_add_transfer(struct ag_exec *exec, enum ag_transfer_kind kind, uint64_t size);

/* ---- Jobs (job.c) ---------------------------------------------------------------------------------------
 */

struct ag_job *ag_job_create(struct ag_exec *exec, const struct agpu_submission *submission);
void ag_job_destroy(struct ag_job *job);
/* Starts what can start and completes what is done, in order. True while jobs are left. */
bool ag_jobs_advance(struct ag_exec *exec);
void ag_jobs_clear(struct ag_exec *exec);

/* ---- Error scopes (scope.c) ------------------------------------------------------------------------------
 */

/* Watches what WebGPU says about the calls until the pop; answers count in job->scopes. */
void ag_scopes_push(struct ag_exec *exec);
void ag_scopes_pop(struct ag_exec *exec);

/* ---- Guest memory (guest.c) -----------------------------------------------------------------------------
 */

/* The guest-physical address of [offset, offset + size) inside an allocation of the current submission.
 * Reports exec.allocation (no table, no entry, range, READONLY) and returns false. */
bool ag_guest_resolve(struct ag_exec *exec, uint32_t alloc_id, uint64_t offset, uint64_t size,
                      bool for_writing, uint64_t *gpa);
/* Reads guest memory; reports exec.guest-memory. */
bool ag_guest_read(struct ag_exec *exec, uint64_t gpa, void *to, uint64_t size);
/* Writes guest memory now; reports exec.guest-memory. */
bool ag_guest_write(struct ag_exec *exec, uint64_t gpa, const void *data, uint64_t size);

#endif
