/* SPDX-License-Identifier: MIT
 *
 * One run of a scene: guest memory, the device, the driver's ring, and what happened so far.
 */
#ifndef AG_SCENE_RUN_H
#define AG_SCENE_RUN_H

#include "aerogpu/device.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "scene/memory.h"
#include "scene/model.h"
#include "scene/problem.h"

/* What went to the ring under one submission number. */
struct scene_sent {
    uint64_t fence;
    const struct scene_submit *submit; /* the scene's; null for the runner's own, which read resources back */
};

/* A texture or buffer, as its create packet described it. */
struct scene_resource {
    bool is_texture;
    uint32_t format, width, height;
    uint32_t handle;               /* of the resource itself: views and aliases name it */
    uint32_t base_mip, base_layer; /* of views */
    uint64_t size_bytes;           /* of buffers */
    bool is_ext;                   /* made by the extension, which also reads it */
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
    bool aborted; /* nothing more can be run: a time limit, or no memory */

    struct scene_memory memory;
    struct agpu_device *device;
    uint64_t now_ns; /* the virtual clock */
    bool irq_line;
    double wait_ms;

    /* The driver's side of the ring. */
    uint32_t tail;
    uint64_t next_gpa;
    AG_VEC(uint64_t) buffers;       /* addresses of command buffers and tables that can go when all is done */
    AG_VEC(struct scene_sent) sent; /* by submission number */
    uint64_t last_fence;
    AG_VEC(struct scene_allocation) allocations;

    /* What the guest made. */
    struct ag_arena arena;
    struct ag_map resources; /* struct scene_resource by handle */
    struct ag_map tokens;    /* struct scene_resource by share token */

    /* What happened. */
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

/* Makes the device, the ring and the fence page, and enables everything. */
bool scene_guest_init(struct scene_run *run);
void scene_guest_fini(struct scene_run *run);

uint32_t scene_guest_read(struct scene_run *run, uint32_t offset);
void scene_guest_write(struct scene_run *run, uint32_t offset, uint32_t value);
uint64_t scene_guest_completed_fence(struct scene_run *run);

/* Puts one submission on the ring and rings the doorbell. With `staging`, which joins the table of its
 * allocations, the submission is the runner's own. */
bool scene_guest_submit(struct scene_run *run, const struct scene_submit *submit, uint64_t fence,
                        const struct scene_allocation *staging);

/* Lets the executor finish what it has; the clock stands still. False when the time limit was hit. */
bool scene_guest_settle(struct scene_run *run);
/* The same, and lets vblanks go by until no fence waits. */
bool scene_guest_finish(struct scene_run *run);
/* The host's own clock. */
double scene_clock_ms(void);
/* A vblank period goes by. */
void scene_guest_tick(struct scene_run *run);

/* ---- What streams make: resources.c ------------------------------------------------------------------- */

void scene_note_resources(struct scene_run *run, const void *stream, size_t size);
const struct scene_resource *scene_find_resource(const struct scene_run *run, uint32_t handle);

/* ---- Reading resources back through the protocol: readback.c ------------------------------------------ */

/* `size` bytes of a buffer from `offset`; false with the reason in `problem`. */
bool scene_read_buffer(struct scene_run *run, uint32_t handle, uint64_t offset, void *to, size_t size,
                       struct ag_strbuf *problem);

#define SCENE_MAX_TEXEL_BYTES 16u /* of a texel or block of any format */

/* A rectangle of one mip and layer, in texels; its width and height are at least 1. */
struct scene_texel_rect {
    uint32_t mip, layer;
    uint32_t x, y, width, height;
};

/* Texels as they are stored, or the blocks that hold them, row after row. */
struct scene_texels {
    uint8_t *bytes; /* the caller frees them */
    uint32_t unit;  /* bytes of a texel or block */
    uint32_t columns, rows;
};

/* Reads a rectangle of any format; false with the reason in `problem`. */
bool scene_read_texels(struct scene_run *run, uint32_t handle, const struct scene_texel_rect *rect,
                       struct scene_texels *texels, struct ag_strbuf *problem);

/* ---- Expected pictures: expected.c --------------------------------------------------------------------- */

/* Notes that a part of the last present, at the expectation's x and y, should be `picture`, or, where that is
 * null, all of the expectation's colour. The part lies inside the present. */
void scene_note_expected(struct scene_run *run, const struct scene_expectation *expectation, uint32_t width,
                         uint32_t height, const uint8_t *picture);

/* ---- The report: run.c -------------------------------------------------------------------------------- */

/* Copies a check and its texts into the report. */
void scene_add_check(struct scene_run *run, const struct ag_scene_check *check);

/* A copy that lives as long as the report; "" after aborting the run for want of memory. */
const char *scene_keep_text(struct scene_run *run, const char *text);
void scene_abort(struct scene_run *run, enum agpu_diag_code code, const char *message);

#endif
