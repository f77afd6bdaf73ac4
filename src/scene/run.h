/* SPDX-License-Identifier: MIT
 *
 * The state of one run of a scene: guest memory, the device, the driver's ring, and what happened so far.
 */
#ifndef AG_SCENE_RUN_H
#define AG_SCENE_RUN_H

#include "aerogpu/device.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "scene/memory.h"
#include "scene/model.h"
#include "scene/problem.h"

/* A submission that went to the ring. */
struct scene_sent {
    uint64_t fence;
    const struct scene_submit *submit; /* null: the runner's own, to read a resource back */
};

/* A texture or buffer as the packet that created it describes it. */
struct scene_resource {
    bool is_texture;
    uint32_t format, width, height;
    uint32_t handle;               /* of the resource that a view or an alias stands for */
    uint32_t base_mip, base_layer; /* of views */
    uint64_t size_bytes;           /* of buffers */
    bool is_ext;                   /* a packet of the extension made it, and another one reads it */
    bool is_volume;                /* its layers are slices of the one subresource of a mip */
    uint32_t mips;                 /* of the extension's textures */
};

struct scene_picture {
    uint32_t width, height;
    uint8_t *pixels; /* owned; null: nothing was presented */
};

struct scene_run {
    const struct ag_scene *scene;
    const struct ag_scene_options *options;
    const struct agpu_diag_sink *sink;
    struct ag_scene_report *report;
    struct agpu_executor *executor; /* the option's, or what took its place after a snapshot */
    bool aborted;                   /* the run ends early: a time limit was hit, or memory ran out */

    struct scene_memory memory;
    struct agpu_device *device;
    uint64_t now_ns; /* the virtual clock */
    bool irq_line;
    double start_ms, wait_ms;

    /* The ring as the driver sees it. */
    uint32_t tail;
    uint64_t next_gpa;
    AG_VEC(uint64_t) buffers;       /* addresses of command buffers and tables that can go when all is done */
    AG_VEC(struct scene_sent) sent; /* by submission number */
    uint64_t last_fence;
    AG_VEC(struct scene_allocation) allocations;

    /* What the streams created. */
    struct ag_arena arena;
    struct ag_map resources; /* struct scene_resource by handle */
    struct ag_map tokens;    /* struct scene_resource by share token */

    /* What happened so far. */
    uint32_t line;                         /* of the step that runs */
    AG_VEC(struct scene_problem) problems; /* since the last submission */
    uint32_t error_count;                  /* of the register, when it was last looked at */
    struct scene_picture picture;          /* of the last present */
    uint32_t present_count;
    bool picture_is_new;      /* presented since the device was last idle */
    struct agpu_counters own; /* what the runner's own submissions added */
    struct ag_strbuf *quiet;  /* set while the runner reads back: errors go there */
};

/* ---- The driver: guest.c ------------------------------------------------------------------------------ */

/* Creates the device, the ring and the fence page, and enables the ring and all interrupts. */
bool scene_guest_init(struct scene_run *run);
void scene_guest_fini(struct scene_run *run);

uint32_t scene_guest_read(struct scene_run *run, uint32_t offset);
void scene_guest_write(struct scene_run *run, uint32_t offset, uint32_t value);
uint64_t scene_guest_completed_fence(struct scene_run *run);

/* Saves the device, and goes on with another one on another executor, which has loaded the snapshot
 * (snapshot.c). Aborts the run when either fails. */
void scene_guest_replace(struct scene_run *run);

/* Creates a device on run->executor. */
enum agpu_status scene_guest_create_device(struct scene_run *run);

/* Puts one submission on the ring and rings the doorbell. With `staging`, which joins the table of its
 * allocations, the submission is the runner's own. */
bool scene_guest_submit(struct scene_run *run, const struct scene_submit *submit, uint64_t fence,
                        const struct scene_allocation *staging);

/* Lets the executor finish its work while the virtual clock stands still. Returns false when the time limit
 * was hit. */
bool scene_guest_settle(struct scene_run *run);
/* Lets the executor finish its work, and lets vblanks go by until no fence waits for one. */
bool scene_guest_finish(struct scene_run *run);
/* Whether what began at a time on scene_clock_ms() has taken longer than the options allow. */
bool scene_guest_is_past_limit(const struct scene_run *run, double start_ms);
/* Returns the time of the host's clock. */
double scene_clock_ms(void);
/* Lets one vblank period go by. */
void scene_guest_tick(struct scene_run *run);

/* ---- What streams make: resources.c ------------------------------------------------------------------- */

void scene_note_resources(struct scene_run *run, const void *stream, size_t size);
const struct scene_resource *scene_find_resource(const struct scene_run *run, uint32_t handle);

/* ---- Reading resources back through the protocol: readback.c ------------------------------------------ */

/* Reads `size` bytes of a buffer from `offset`. Returns false with the reason in `problem`. */
bool scene_read_buffer(struct scene_run *run, uint32_t handle, uint64_t offset, void *to, size_t size,
                       struct ag_strbuf *problem);

#define SCENE_MAX_TEXEL_BYTES 16u /* of a texel or block of any format */

/* A rectangle of texels in one mip of one layer. Its width and height are at least 1. */
struct scene_texel_rect {
    uint32_t mip, layer;
    uint32_t x, y, width, height;
};

/* Texels as they are stored, row after row. In compressed formats, these are the blocks that hold the texels.
 */
struct scene_texels {
    uint8_t *bytes; /* the caller frees them */
    uint32_t unit;  /* bytes of a texel or block */
    uint32_t columns, rows;
};

/* Reads a rectangle of a texture of any format. Returns false with the reason in `problem`. */
bool scene_read_texels(struct scene_run *run, uint32_t handle, const struct scene_texel_rect *rect,
                       struct scene_texels *texels, struct ag_strbuf *problem);

/* ---- Expected pictures: expected.c --------------------------------------------------------------------- */

/* Notes what a part of the last present should look like: `picture`, or the expectation's colour everywhere
 * when `picture` is null. The part begins at the expectation's x and y and lies inside the present. */
void scene_note_expected(struct scene_run *run, const struct scene_expectation *expectation, uint32_t width,
                         uint32_t height, const uint8_t *picture);

/* ---- A run, step by step: run.c ------------------------------------------------------------------------ */

/* Makes the guest. Returns false when there is nothing to be run, for a reason in the report. Whoever begins
 * a run ends it, and finishes the report. */
bool scene_run_begin(struct scene_run *run, const struct ag_scene *scene,
                     const struct ag_scene_options *options, const struct agpu_diag_sink *sink,
                     struct ag_scene_report *report);
void scene_run_step(struct scene_run *run, const struct scene_step *step);
void scene_run_end(struct scene_run *run);

/* ---- The report: run.c -------------------------------------------------------------------------------- */

/* Copies a check and its texts into the report. */
void scene_add_check(struct scene_run *run, const struct ag_scene_check *check);

/* Copies a text into the memory of the report. When memory runs out, the run is aborted and the copy is "".
 */
const char *scene_keep_text(struct scene_run *run, const char *text);
void scene_abort(struct scene_run *run, enum agpu_diag_code code, const char *message);

#endif
