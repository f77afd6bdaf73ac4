/* SPDX-License-Identifier: MIT
 *
 * The pipeline statistics of a draw or dispatch that the CPU knows (D3D11.3 20.4.7). The GPU counts the
 * others.
 */
#ifndef AG_EXEC_DRAW_STATISTICS_H
#define AG_EXEC_DRAW_STATISTICS_H

#include <stdint.h>

struct ag_context;
struct ag_draw;
struct ag_drawer;

/* Add the counts of a draw or dispatch of the guest to all queries that want them. */
void ag_queries_count_draw(struct ag_drawer *drawer, const struct ag_context *context,
                           const struct ag_draw *draw);
void ag_queries_count_dispatch(struct ag_drawer *drawer, const uint32_t groups[3], const uint32_t threads[3]);

#endif
