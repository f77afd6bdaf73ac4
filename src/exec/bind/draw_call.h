/* SPDX-License-Identifier: MIT
 *
 * The arguments of a draw, as D3D11's Draw calls have them. Packet handlers fill the struct in.
 */
#ifndef AG_EXEC_BIND_DRAW_CALL_H
#define AG_EXEC_BIND_DRAW_CALL_H

#include <stdbool.h>
#include <stdint.h>

struct ag_draw {
    bool indexed;
    uint32_t count; /* vertices or indices */
    uint32_t instance_count;
    uint32_t first; /* vertex or index */
    int32_t base_vertex;
    uint32_t first_instance;
    /* The guest's draw is made several times, for different targets, and this is not the first time:
     * queries do not count the draw, and stream output is not written again. */
    bool repeats;
    bool streams_only; /* nothing is rasterized: another draw does that */
};

#endif
