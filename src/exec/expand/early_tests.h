/* SPDX-License-Identifier: MIT
 *
 * Draws whose pixel shader has forceEarlyDepthStencil: depth and stencil are tested, written and counted
 * before the shader runs, whatever it stores, discards or leaves out (D3D11.3 17.11). WebGPU tests behind
 * such shaders. So these draws have two passes: one in which the shader runs with depth and stencil to read,
 * and stores only where they let it, and one without a pixel shader, which tests, writes and counts. Where a
 * primitive may hide the next one of its draw, each primitive has two such passes.
 */
#ifndef AG_EXEC_EXPAND_EARLY_TESTS_H
#define AG_EXEC_EXPAND_EARLY_TESTS_H

#include <stdbool.h>

#include "exec/host/outcome.h"

struct ag_attachments;
struct ag_context;
struct ag_draw;
struct ag_expander;

enum ag_early_way {
    AG_EARLY_WAY_PLAIN,        /* tests behind the shader give the same */
    AG_EARLY_WAY_SHADES,       /* the first pass alone, which counts, too */
    AG_EARLY_WAY_WHOLE,        /* two passes */
    AG_EARLY_WAY_BY_PRIMITIVE, /* two passes for each primitive: the draw has to be expanded */
};

/* How the draw is made. `expanded`: compute passes make its primitives in any case. AG_SKIPPED: it cannot be
 * made (reported). */
enum ag_outcome ag_early_tests_decide(struct ag_expander *expander, const struct ag_context *context,
                                      const struct ag_draw *draw, const struct ag_attachments *attachments,
                                      bool expanded, enum ag_early_way *way);

/* Records the draw in a way other than AG_EARLY_WAY_PLAIN. */
enum ag_outcome ag_early_tests_draw(struct ag_expander *expander, struct ag_context *context,
                                    const struct ag_draw *draw, const struct ag_attachments *attachments,
                                    bool expanded, enum ag_early_way way);

#endif
