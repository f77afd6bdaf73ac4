/* SPDX-License-Identifier: MIT
 *
 * The throttle: drivers keep commands, bind groups and scratch buffers until the GPU has finished with them,
 * and the throttle bounds them. Commands that hold too much are submitted early (flush.h), and a stream waits
 * between two packets while the work in flight holds too much.
 */
#ifndef AG_EXEC_RECORD_THROTTLE_H
#define AG_EXEC_RECORD_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/record/recorder.h"

/* The commands of a draw behind which a stream looks whether it has to wait. */
#define AG_HEAVY_DRAW 256u

/* ---- Counting ----------------------------------------------------------------------------------------- */

/* Notes a new bind group for the commands being recorded. */
void ag_throttle_add_group(struct ag_recorder *recorder);

/* Commands and bindings are many and small: whether there is room for them is looked at now and then. */
#define AG_THROTTLE_FEW 32
#define AG_THROTTLE_SMALL_UPLOADS (UINT64_C(64) << 10)

/* Notes that a command binds a bind group with this number of dynamic offsets. */
static inline void ag_throttle_add_binding(struct ag_recorder *recorder, uint32_t offset_count)
{
    struct ag_throttle *throttle = &recorder->throttle;
    throttle->open.dynamic_bindings += offset_count != 0;
    throttle->grew |= throttle->bounds_bindings && throttle->open.dynamic_bindings % AG_THROTTLE_FEW == 0;
}

/* Notes a scratch buffer of this size for the commands being recorded. */
void ag_throttle_add_bytes(struct ag_recorder *recorder, uint64_t bytes);

/* Notes bytes that the CPU uploads, whether the commands being recorded read them or the queue writes them.
 */
static inline void ag_throttle_add_upload(struct ag_recorder *recorder, uint64_t bytes)
{
    struct ag_throttle *throttle = &recorder->throttle;
    const uint64_t before = throttle->open.uploads / AG_THROTTLE_SMALL_UPLOADS;
    throttle->open.uploads += bytes;
    throttle->grew |= throttle->open.uploads / AG_THROTTLE_SMALL_UPLOADS != before;
}

/* Notes commands that are being recorded: packets, and passes and draws inside a packet. */
void ag_throttle_add_commands(struct ag_recorder *recorder, uint64_t count);

/* Notes a render pass of a target with so many subresources. */
void ag_throttle_add_pass(struct ag_recorder *recorder, uint64_t subresources);

/* Notes texels that commands being recorded copy, resolve or filter, or threads of kernels that they run.
 * They are work for software drivers, a piece of which is to end in a moment; and nothing for others. */
void ag_throttle_add_texels(struct ag_recorder *recorder, uint64_t texels);
void ag_throttle_add_threads(struct ag_recorder *recorder, uint64_t threads);

/* Notes a draw of so many vertices, each of whose primitives may cover so many texels, of all samples. What a
 * draw is for the GPU nobody knows before, since each primitive may cover all texels or none: it counts as if
 * one did, so that very many draws over large targets are no single piece of work. */
static inline void ag_throttle_add_draw(struct ag_recorder *recorder, uint64_t texels, uint64_t vertices)
{
    struct ag_throttle *throttle = &recorder->throttle;
    const uint64_t commands = (texels >> throttle->texels_shift) + (vertices >> throttle->vertices_shift);
    throttle->open.commands += commands;
    throttle->grew |= commands >= AG_HEAVY_DRAW;
}

/* The commands recorded so far were submitted; `serial` is the signal that follows them. */
void ag_throttle_submitted(struct ag_recorder *recorder, uint64_t serial);

/* The commands recorded so far were dropped. */
void ag_throttle_dropped(struct ag_recorder *recorder);

/* Sets the bound on bytes of scratch buffers in flight; uploads may hold an eighth of it. */
void ag_throttle_bound(struct ag_recorder *recorder, uint64_t in_flight_bytes);

/* ---- Limits ------------------------------------------------------------------------------------------- */

/* Whether anything is held since the last submission. */
bool ag_throttle_holds(const struct ag_recorder *recorder);

/* Whether the commands being recorded hold too much and have to be submitted. */
bool ag_throttle_open_is_full(const struct ag_recorder *recorder);

/* False while the work in flight and the commands being recorded together hold too much. */
bool ag_throttle_has_room(struct ag_recorder *recorder);

/* The signal behind the newest work in flight. 0 when no work is in flight, as of the last poll. */
uint64_t ag_throttle_last(struct ag_recorder *recorder);

/* The signal behind the oldest work in flight, for a stream to wait for. 0 when no work is in flight. */
uint64_t ag_throttle_first(const struct ag_recorder *recorder);

#endif
