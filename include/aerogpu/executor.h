/* SPDX-License-Identifier: MIT
 *
 * The seam between the device (registers, ring, fences) and whatever executes command streams: the WebGPU
 * executor of this library, a null executor, or one in another process (a submission bridge).
 *
 * Submissions are handed over complete: the device has copied stream and allocation table out of guest memory
 * and checked descriptor and table; the executor never sees the ring. Guest memory is reached through
 * callbacks, during submit() and poll() only.
 */
#ifndef AEROGPU_EXECUTOR_H
#define AEROGPU_EXECUTOR_H

#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/api.h"
#include "aerogpu/cache.h"
#include "aerogpu/diag.h"
#include "aerogpu/snapshot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The embedder's guest-physical memory. Both calls copy exactly `size` bytes or return false and copy
 * nothing (the range is not RAM, or wraps). Called on the thread that calls into the device. Guest processors
 * may poll what is written (the fence page, the ring's head): aligned words are to be stored whole, as memcpy
 * does. */
struct agpu_guest_memory {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    bool (*read)(void *user, uint64_t gpa, void *to, size_t size);
    bool (*write)(void *user, uint64_t gpa, const void *from, size_t size);
    void *user;
    /* Where the host has the bytes of a range, so that textures are uploaded from there without a copy in
     * between; null where it has none in one piece, which read() then copies. Called as read() is; what it
     * returns is read before the call into the device or the executor returns. May be null. Since 0.2 */
    const void *(*map)(void *user, uint64_t gpa, size_t size);
    void *reserved; /* 0: room for more, since other structures contain this one. Since 0.2 */
};

/* One submission. Pointers are valid until submit() returns; an executor that works later keeps copies, or
 * what give() gives it. */
struct agpu_submission {
    uint32_t number;     /* counts from 0 since the device was created or reset */
    uint32_t context_id; /* bindings and state are per context (spec: ABI 15, choice 38) */
    uint32_t flags;      /* AEROGPU_SUBMIT_FLAG_* */
    uint64_t fence;
    const uint8_t *stream; /* whole ACMD stream, header included; null for a submission that only fences */
    uint32_t stream_size;  /* bytes: the stream header's size_bytes, checked */
    const struct aerogpu_alloc_entry *allocations; /* checked: unique non-zero ids, ranges without overflow */
    uint32_t allocation_count;
    bool has_allocation_table;
    /* Null, or what submit() may call to have `stream` and `allocations` for its own, where they are not
     * null. The executor passes each to free() when it needs it no longer. Since 0.2 */
    void (*give)(void *user);
    void *user;
    /* The next submission follows at once: a call of the device's owner hands over several, and is to last no
     * longer than one, so that an executor works behind the last of them. Since 0.2 */
    bool has_next;
};

/* The bytes of a pixel, in their order. */
enum agpu_pixel_order {
    AGPU_PIXELS_RGBA8,
    AGPU_PIXELS_BGRA8,
};

/* A picture handed to the display. */
struct agpu_present {
    uint32_t submission; /* number of the submission */
    uint32_t scanout_id;
    uint32_t flags; /* AEROGPU_PRESENT_FLAG_* */
    uint32_t width, height;
    uint32_t format; /* enum aerogpu_format of the presented target */
    /* RGBA8, rows top to bottom, 4 * width bytes each, sRGB-encoded values as stored; X8 formats have alpha
     * 255. Valid during the callback only. Null where nobody looked (agpu_executor_events). Owners that take
     * any layout look at pitch_bytes and order. */
    const uint8_t *pixels;
    /* EXT_PRESENT, which shows a window of the guest's and no scanout: its numbers, and AGPU_NO_SCANOUT in
     * scanout_id. 0 in other presents. Since 0.2 */
    uint32_t swap_chain, sync_interval;
    uint32_t pitch_bytes; /* from row to row; 0: 4 * width. Since 0.2 */
    uint32_t order;       /* enum agpu_pixel_order. Since 0.2 */
};

#define AGPU_NO_SCANOUT UINT32_MAX

/* What a shader that loads a texel gets. Alpha means nothing to displays. */
enum agpu_shown_encoding {
    AGPU_SHOWN_ENCODED, /* sRGB-encoded values, as pixels of agpu_present are */
    AGPU_SHOWN_LINEAR,  /* to be encoded as sRGB; 1 is white */
    AGPU_SHOWN_BIASED,  /* ten bits, encoded: 384 / 1023 is black, 894 / 1023 is white */
};

/* A picture that is still on the GPU. Since 0.2 */
struct agpu_shown {
    uint32_t scanout_id;
    uint32_t flags; /* AEROGPU_PRESENT_FLAG_* */
    uint32_t width, height;
    uint32_t swap_chain, sync_interval; /* as of agpu_present */
    /* The WGPUDevice and the WGPUTexture, with the usages CopySrc and TextureBinding; one level of one layer
     * is shown. What is submitted to the device's queue during the callback sees the picture; later
     * submissions may see what the guest draws next. */
    void *device, *texture;
    uint32_t mip, layer;
    uint32_t encoding; /* enum agpu_shown_encoding */
};

/* What the executor tells its owner. All calls come from inside submit(), poll() or reset() of that executor,
 * on the caller's thread. */
struct agpu_executor_events {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    /* A present packet's picture; in packet order, before completed() of its submission. */
    void (*presented)(void *user, const struct agpu_present *present);
    /* The submission is done: GPU work finished, write-backs stored in guest memory. In submission order.
     * `error` is enum aerogpu_error_code, AEROGPU_ERROR_NONE when all went well. */
    void (*completed)(void *user, uint32_t submission, uint32_t error);
    struct agpu_diag_sink diagnostics;
    void *user; /* for presented, completed and device_lost */
    /* The GPU device was lost, or hung and is abandoned: every object is gone, and submissions of the
     * contexts that there are fail until a reset. Called once for each loss, before completed() of what was
     * in flight. Since 0.2 */
    void (*device_lost)(void *user);
    /* Whether anybody looks at the pictures of EXT_PRESENT packets that are executed now. Where nobody does,
     * they are not read back, and presented() comes with no pixels. May be null: somebody looks where there
     * is a presented(). An executor in another process asks when it takes a submission. Since 0.2 */
    bool (*looks)(void *user);
    /* A present packet's texture, before the next packet is executed, for owners that show it without reading
     * it back. Returns whether it is to be read back, too; otherwise presented() comes with no pixels. May be
     * null, and is never called by executors in another process: pictures are then read back. Since 0.2 */
    bool (*shown)(void *user, const struct agpu_shown *shown);
    /* Whether presented() takes pixels as the GPU keeps them, which costs no pass over them: RGBA8 or BGRA8,
     * with any pitch, and any alpha in X8 formats. Those of other formats are RGBA8. Since 0.2 */
    bool takes_any_layout;
    /* What the owner does with a picture before presented(), a part in each call, so that the executor may
     * give the thread back in between: called with the same picture until it returns true. May be null, and
     * executors need not call it: presented() then does all that is left. Since 0.2 */
    bool (*prepare)(void *user, const struct agpu_present *present);
};

/* Counters since creation or reset; names are those of `expect counter` in scenes and of run's JSON. */
struct agpu_counters {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    uint64_t submissions, packets, packets_skipped;
    uint64_t draws, draws_skipped, dispatches, clears, copies, uploads, presents;
    uint64_t render_passes, pipelines, pipeline_hits, shaders_translated;
    uint64_t bind_groups_created, bind_groups_live;
    uint64_t bind_groups_in_flight;   /* the most at a time that work made which the GPU had not finished */
    uint64_t scratch_bytes_in_flight; /* the same of bytes of scratch memory */
    uint64_t streams_paused;          /* times that a stream waited, because the GPU had too much to do */
    uint64_t upload_bytes, constant_bytes, writeback_bytes, readback_bytes;
    /* Host time spent: by the translator, and from the begin to the end of making shader modules and
     * pipelines, several of which may be made at the same time. */
    uint64_t translate_ns, pipeline_ns;
    /* Stages of draws and dispatches with more resources than the device binds, which share bindings, and the
     * bytes that were copied for them. Since 0.2 */
    uint64_t overflowing_stages, arena_bytes;
    /* How many of shaders_translated came out of a cache instead. Since 0.2 */
    uint64_t shaders_cached;
    /* Pipelines that were begun before a draw needed them, because they were made in an earlier run. Those
     * that a draw has needed since are among `pipelines`. Since 0.2 */
    uint64_t pipelines_ahead;
};

/* Counters of one context of the guest, since it was used first or the executor was reset: its memory counts
 * on where objects are left, the rest is forgotten for contexts that have no memory and no submission in
 * flight when 1,024 such contexts were used later. Since 0.2 */
struct agpu_context_counters {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h) */
    uint32_t context_id;
    /* Bytes that count for the context in the budgets (context_memory_percent), and the most there were. */
    uint64_t gpu_bytes, most_gpu_bytes, host_bytes, most_host_bytes;
    uint64_t refusals;    /* objects, draws and submissions that the budgets had no memory for */
    uint64_t submissions; /* that were completed */
    /* Of the embedder's thread, for streams of the context; and the longest turn, of one submission. */
    uint64_t work_ns, longest_turn_ns;
    /* From submit() to completed(), of all submissions together; and the longest. */
    uint64_t latency_ns, longest_latency_ns;
    uint64_t hangs; /* submissions that stopped because of gpu_timeout_ms or turn_ms */
};

/* An executor: a table of functions and its state. Owned by whoever created it; a device only borrows. */
struct agpu_executor {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    /* Takes one submission. Never blocks on the GPU. Malformed streams are not an error of this call: they
     * complete with an error code. */
    void (*submit)(struct agpu_executor *executor, const struct agpu_submission *submission);
    /* Lets finished work complete. Never blocks. Returns true while submissions are outstanding. */
    bool (*poll)(struct agpu_executor *executor);
    /* Drops every object, binding and pending submission; nothing of the dropped work is reported later. The
     * WebGPU executor asks for a new device here when the old one was lost, and is not ready() until a poll
     * finds it there; where the embedder lent the device, see agpu_gpu_replace_device(). */
    void (*reset)(struct agpu_executor *executor);
    /* Frees the executor, with work in flight, too. Never waits. */
    void (*destroy)(struct agpu_executor *executor);
    /* Where events and guest memory go; set once by the owner before the first submit. */
    void (*attach)(struct agpu_executor *executor, const struct agpu_executor_events *events,
                   const struct agpu_guest_memory *memory);
    /* May be null. Fills in what the table of the caller holds: see its size. */
    void (*counters)(struct agpu_executor *executor, struct agpu_counters *counters);
    /* Whether submit() may be called now. May be null: always. An executor whose work is done elsewhere says
     * false while nobody is there to do it; the device then keeps submissions, asks again at every poll, and
     * past 256 of them or 128 MiB drops the oldest: its fence completes with AEROGPU_ERROR_BACKEND and it is
     * never submitted (spec: ABI 14). */
    bool (*ready)(struct agpu_executor *executor);
    /* The version of the extension that it executes (aerogpu/abi/ext.h), which the device then offers; 0:
     * none. */
    uint32_t extension;
    /* Whether the last call of submit(), poll() or reset() gave the thread back with work left that needs no
     * GPU, so that poll() should be called again at once. May be null: never. Since 0.2 */
    bool (*has_more)(struct agpu_executor *executor);

    /* Snapshots, which agpu_device_save_begin() and agpu_device_load() are made of. All four may be null: the
     * executor has none. Since 0.2
     *
     * Begin: the executor starts no submission from here on, finishes the one that has begun, and then writes
     * all that it holds, submissions that have not begun included. The writer is copied. save_poll() goes on
     * with that, besides poll(); with the answer DONE or FAILED, which has been reported, the save is over
     * and submissions are executed again. Cancel ends a save before. */
    enum agpu_status (*save_begin)(struct agpu_executor *executor, const struct agpu_snapshot_writer *writer);
    enum agpu_save_state (*save_poll)(struct agpu_executor *executor);
    void (*save_cancel)(struct agpu_executor *executor);
    /* Reads what a save has written, no byte more, into an executor that has executed nothing. AGPU_REFUSED
     * and AGPU_NO_MEMORY (reported): reset() follows. Submissions that had not begun are outstanding then. */
    enum agpu_status (*load)(struct agpu_executor *executor, const struct agpu_snapshot_reader *reader);
    /* May be null: the executor counts nothing for each context. See agpu_executor_visit_contexts().
     * Since 0.2 */
    void (*visit_contexts)(struct agpu_executor *executor,
                           void (*visit)(void *user, const struct agpu_context_counters *counters),
                           void *user);
};

/* An executor that decodes nothing and completes every submission inside submit(), with no error; presents
 * show nothing. Its only counter is `submissions`. Null when out of memory; free with agpu_executor_destroy.
 */
AGPU_API struct agpu_executor *agpu_null_executor_create(void);

struct agpu_gpu;

/* Zero is the default of every field. */
struct agpu_executor_options {
    uint32_t size;      /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    bool check_packets; /* an error scope per packet instead of per submission: slow, names the packet */

    /* Iterations that one invocation of a shader may make in loops that may never end, all of them together,
     * before it leaves them (aerogpu/translate.h). 0: AGPU_DEFAULT_LOOP_BUDGET; AGPU_NO_LOOP_BUDGET: any
     * number, so that a guest can hang the device. That a budget was spent is not reported: no stage can say
     * so but by memory that all of its invocations may write, which WebGPU gives to some stages only. */
    uint32_t loop_budget;

    /* Vertices that one draw may have, those of all instances together, and threads that one dispatch may.
     * More than that is work that no guest waits for and that WebGPU cannot stop: such a draw or dispatch is
     * not made (exec.work). Arguments that the GPU wrote are bounded there, which nothing reports. 0:
     * AGPU_DEFAULT_WORK_BUDGET; AGPU_NO_WORK_BUDGET: any number, so that a guest can hang the device. */
    uint32_t work_budget;

    /* Names of WebGPU features, as WebGPU spells them, that are not used although the device may have them,
     * so that what stands in for them can be tested. Names that nothing asks for change nothing. */
    const char *const *without;
    uint32_t without_count;

    /* Microseconds after which a call of submit() or poll() gives the thread back; the next poll() goes on. A
     * call takes longer by the packet, picture or write-back that was begun. 0: AGPU_DEFAULT_SLICE_US;
     * AGPU_NO_SLICE: a call does all that it can. Since 0.2 */
    uint32_t slice_us;

    /* Bytes of GPU memory that the objects of the guest may take together, with the copies of them that the
     * executor keeps; an object counts as 4 KiB more than its contents. A creation beyond that is refused
     * (exec.memory), and so is a draw that needs a copy; the stream goes on. Memory in flight comes on top
     * (in_flight_bytes, readback_bytes). 0: AGPU_DEFAULT_GPU_MEMORY_BYTES; UINT64_MAX: any number, so that a
     * guest can exhaust the host. Since 0.2 */
    uint64_t gpu_memory_bytes;

    /* The most invocations that a workgroup of a compute shader has, where that is less than the device's
     * limit; those of a larger thread group run several threads each, one after another. 0: the device's
     * limit. For tests. Since 0.2 */
    uint32_t most_invocations;

    /* Bytes of host memory that the guest's objects and its submissions that wait may take together: contents
     * that the CPU keeps, parsed shaders, command lists, states, queries, views; an object counts as 4 KiB
     * more than its contents, and a shader as 64 bytes for each of its source. A creation beyond that is
     * refused (exec.memory) and the stream goes on; a submission beyond that is not executed and completes
     * with AEROGPU_ERROR_INTERNAL. 0: AGPU_DEFAULT_HOST_MEMORY_BYTES; UINT64_MAX: any number. Since 0.2 */
    uint64_t host_memory_bytes;

    /* Pipelines that are kept for later draws, and as many for later dispatches. Beyond that, the one that
     * was not used for the longest time, of the contexts that have more than an equal part, is dropped, and
     * is made again when it is needed. At least 64. 0:
     * AGPU_DEFAULT_PIPELINE_COUNT. Since 0.2 */
    uint32_t pipeline_count;

    /* Bytes of scratch memory that work in flight may hold before streams wait for the GPU, or what one draw
     * takes; an eighth of it for uploads, of which the host keeps a copy until then. Expanded draws keep as
     * much scratch memory for the next ones, and what the largest may take: 288 MiB. 0:
     * AGPU_DEFAULT_IN_FLIGHT_BYTES. Since 0.2 */
    uint64_t in_flight_bytes;

    /* Bytes of read-backs for guest memory and the display that may be under way before streams wait for
     * their delivery, or what a part of one packet reads: 4 MiB, a picture, or a depth texture. There are
     * 1,024 at most. 0: AGPU_DEFAULT_READBACK_BYTES. Since 0.2 */
    uint64_t readback_bytes;

    /* Milliseconds that the GPU may take for one piece of work: what a submission, or a part of one, records
     * between two signals of the queue. Time counts while the embedder polls. A GPU that takes longer hangs:
     * the submission completes with gpu.hang, all others in flight with an error, and their contexts end
     * (device_lost of the events). The WebGPU device is abandoned, since no work of a GPU can be stopped: a
     * thread destroys the device when the GPU is done, which may be never; a software driver keeps its
     * processors busy until then. Another device takes its place at once, of up to four that hang at a time,
     * which makes the call of poll() take longer. A reset replaces a device that has made no progress for a
     * second. Destroying the executor and its agpu_gpu waits for this long at most.
     * 0: AGPU_DEFAULT_GPU_TIMEOUT_MS; AGPU_NO_GPU_TIMEOUT: for ever. Since 0.2 */
    uint32_t gpu_timeout_ms;

    /* Milliseconds that making one pipeline may take. The stream whose draw or dispatch needs a pipeline
     * pauses until the driver, on threads of its own, has made it; then that call goes on, or is skipped with
     * exec.compile. The driver's thread is left to its work. While other contexts wait, see turn_ms. 0:
     * AGPU_DEFAULT_PIPELINE_TIMEOUT_MS; AGPU_NO_PIPELINE_TIMEOUT: for ever. Since 0.2 */
    uint32_t pipeline_timeout_ms;

    /* Milliseconds for which submissions of other contexts wait for a context until one of them is completed:
     * for its work on the embedder's thread, and for what its streams wait for on the GPU. A submission that
     * takes longer stops with exec.time, and its context ends until EXT_DESTROY_CONTEXT or a reset. Others
     * wait as long again for pipelines of a context; then a draw or dispatch whose pipeline is not made yet
     * is skipped with exec.compile, and the context goes on. 0: AGPU_DEFAULT_TURN_MS; AGPU_NO_TURN: for ever.
     * Since 0.2 */
    uint32_t turn_ms;

    /* Milliseconds that a software driver's compiler is estimated to take for one shader, and bytes of
     * variables that the threads of a workgroup have of their own: most_compile_ms and most_private_bytes of
     * aerogpu/translate.h. A shader over them is not created (translate.cost). 0:
     * AGPU_DEFAULT_COMPILE_COST_MS, AGPU_DEFAULT_PRIVATE_BYTES; AGPU_NO_COMPILE_COST, AGPU_NO_PRIVATE_BYTES:
     * any number. Since 0.2 */
    uint32_t compile_cost_ms;
    uint32_t private_bytes;

    /* What one context may have of gpu_memory_bytes and of host_memory_bytes while the others have nothing,
     * in percent; the rest is kept for them. Where several contexts have much, none may have more than P /
     * (100 - P) times what remains free, so that there is always room for another context's frame. Objects
     * count for the context that made them, whoever uses them, until they are destroyed and the GPU has let
     * them go; a copy that a draw needs counts for the context that draws, a submission that waits for its
     * own. A creation beyond that is refused like one beyond the budget. What is in flight is not shared out:
     * streams wait for it in the order of the ring. 100: one context may have all. 0:
     * AGPU_DEFAULT_CONTEXT_MEMORY_PERCENT. Since 0.2 */
    uint32_t context_memory_percent;

    /* Null: none. Keeps translations of shaders for later executors, and which pipelines were made of them,
     * which are begun when the shaders are created again. The cache outlives the executor. Since 0.2 */
    struct agpu_cache *cache;

    /* Large shaders are translated, and modules of all shaders made, in the calls that need them, instead of
     * by a thread of the agpu_gpu's for which streams pause. What streams do is the same. Since 0.2 */
    bool translate_in_calls;
};

#define AGPU_DEFAULT_LOOP_BUDGET (UINT32_C(1) << 24)
#define AGPU_NO_LOOP_BUDGET UINT32_MAX
#define AGPU_DEFAULT_WORK_BUDGET (UINT32_C(1) << 31)
#define AGPU_NO_WORK_BUDGET UINT32_MAX
#define AGPU_DEFAULT_SLICE_US 2000
#define AGPU_DEFAULT_GPU_MEMORY_BYTES (UINT64_C(4) << 30)
#define AGPU_DEFAULT_HOST_MEMORY_BYTES (UINT64_C(1) << 30)
#define AGPU_DEFAULT_PIPELINE_COUNT 4096
#define AGPU_DEFAULT_IN_FLIGHT_BYTES (UINT64_C(512) << 20)
#define AGPU_DEFAULT_READBACK_BYTES (UINT64_C(256) << 20)
#define AGPU_LEAST_PIPELINE_COUNT 64
#define AGPU_NO_SLICE UINT32_MAX
#define AGPU_DEFAULT_GPU_TIMEOUT_MS 10000
#define AGPU_NO_GPU_TIMEOUT UINT32_MAX
#define AGPU_DEFAULT_PIPELINE_TIMEOUT_MS 30000
#define AGPU_NO_PIPELINE_TIMEOUT UINT32_MAX
#define AGPU_DEFAULT_TURN_MS 10000
#define AGPU_NO_TURN UINT32_MAX
#define AGPU_DEFAULT_COMPILE_COST_MS 12000
#define AGPU_NO_COMPILE_COST UINT32_MAX
#define AGPU_DEFAULT_PRIVATE_BYTES (UINT32_C(8) << 20)
#define AGPU_NO_PRIVATE_BYTES UINT32_MAX
#define AGPU_DEFAULT_CONTEXT_MEMORY_PERCENT 90

/* The WebGPU executor on a device of aerogpu/gpu.h, which is borrowed and must outlive it; one gpu may serve
 * several executors, one after the other. `options` may be null. `sink` (may be null) is for this call only:
 * later diagnostics go where attach() says. Free with agpu_executor_destroy.
 * AGPU_NO_MEMORY: *executor is null. */
AGPU_API enum agpu_status agpu_webgpu_executor_create(struct agpu_gpu *gpu,
                                                      const struct agpu_executor_options *options,
                                                      const struct agpu_diag_sink *sink,
                                                      struct agpu_executor **executor);

/* Calls the table's has_more; false where an executor has none. Since 0.2 */
AGPU_API bool agpu_executor_has_more(struct agpu_executor *executor);

/* Calls `visit` for each context that the executor has counted something for, those with lower numbers first;
 * not at all where an executor counts nothing. One in another process tells of the first 4,096 contexts, as
 * they were when the last submission completed, or later. `visit` calls nothing of the executor. Since 0.2 */
AGPU_API void agpu_executor_visit_contexts(struct agpu_executor *executor,
                                           void (*visit)(void *user,
                                                         const struct agpu_context_counters *counters),
                                           void *user);

/* Calls the table's destroy; accepts null. */
AGPU_API void agpu_executor_destroy(struct agpu_executor *executor);

#ifdef __cplusplus
}
#endif

#endif
