/* SPDX-License-Identifier: MIT
 *
 * A row of the comparison: the same frames as a stream and as WebGPU called by hand, with the same picture.
 */
#ifndef AG_BENCH_COMPARE_ROW_H
#define AG_BENCH_COMPARE_ROW_H

#include "bench/compare/rig.h"

/* What both sides are to show after a frame. */
struct row_pictures {
    uint8_t *stream, *raw; /* `bytes` each; null: the row shows nothing */
    size_t bytes;
};

struct row {
    const char *name;
    const char *what; /* for people */
    uint32_t items;   /* of a frame: costs are told for each */
    uint32_t variant; /* of the functions' own */
    bool with_polls;  /* what is done in polls counts, too: pictures that come back */
    /* Makes what the frames of both sides need. Null: it cannot be made. */
    void *(*open)(struct rig *rig, const struct row *row);
    void (*close)(struct rig *rig, void *state);
    /* Writes a frame into a stream; nothing of this is measured. */
    void (*write)(void *state, struct agpu_writer *writer, uint32_t frame);
    /* In place of `write`: submits a frame and waits until it is done; all of this is measured. */
    void (*run)(struct rig *rig, void *state);
    /* Records and submits the same frame by hand, and with `with_polls` waits for what comes back; all of
     * this is measured. */
    void (*record)(struct rig *rig, void *state, uint32_t frame);
    /* The pictures after the last frame; false when they cannot be had. */
    bool (*show)(struct rig *rig, void *state, struct row_pictures *pictures);
};

/* For `show`: what the textures of both sides hold, of 4 bytes a texel. */
bool row_show_textures(struct rig *rig, uint32_t stream, WGPUTexture raw, uint32_t width, uint32_t height,
                       struct row_pictures *pictures);

extern const struct row draw_rows[], transfer_rows[], dispatch_rows[], expansion_rows[], submission_rows[],
    buffer_rows[], frame_rows[], chain_rows[];
extern const uint32_t draw_row_count, transfer_row_count, dispatch_row_count, expansion_row_count,
    submission_row_count, buffer_row_count, frame_row_count, chain_row_count;

#endif
