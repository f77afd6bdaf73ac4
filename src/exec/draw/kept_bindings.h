/* SPDX-License-Identifier: MIT
 *
 * The bind groups of the kept draw: found again, made anew or moved to other constants, as what is bound
 * changes.
 */
#ifndef AG_EXEC_DRAW_KEPT_BINDINGS_H
#define AG_EXEC_DRAW_KEPT_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

struct ag_context;
struct ag_drawer;

/* What of the encoder's state is set again, and the work so far: the stages whose variant may be another one,
 * and the groups that are up to date. */
struct ag_kept_news {
    bool pipeline, area, state, vertices;
    bool layout;     /* the pipeline reads other slots of vertex buffers, or reads them in another way */
    bool rebound;    /* some stage's group was made anew, which may have changed the draw block */
    uint32_t groups; /* bit n: another group, or other offsets */
    uint32_t stages, recalled;
};

/* Notes the constant buffers that the stage's group was made with. False when the stage has bindings that a
 * kept draw cannot have. */
bool ag_kept_stage_note(struct ag_drawer *drawer, struct ag_context *context, uint32_t group);

/* Recalls the group of a stage whose textures or samplers changed. Where these and the constant buffers
 * decide on the shader's variant, the stage has the same variant still. */
void ag_kept_group_recall(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                          struct ag_kept_news *news);

/* Brings a stage's group up to date. False: the draw is prepared in whole. */
bool ag_kept_group_refresh(struct ag_drawer *drawer, struct ag_context *context, uint32_t group,
                           struct ag_kept_news *news);

/* Uploads the constant buffers of a stage that moves simply (struct ag_kept_stage), as far as they changed,
 * and sets its group at once. False also when something else changed: the draw is prepared in whole then. */
bool ag_kept_constants_follow(struct ag_drawer *drawer, uint32_t group);

/* Follows contents of constant buffers, and textures and samplers of stages (bit n of `bound`: stage n).
 * False: nothing was set, and the draw is as it was. */
bool ag_kept_bindings_follow(struct ag_drawer *drawer, struct ag_context *context, uint32_t bound);

#endif
