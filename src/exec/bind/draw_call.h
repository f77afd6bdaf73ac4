/* SPDX-License-Identifier: MIT
 *
 * The arguments of a draw, as D3D11's Draw calls have them.
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
    bool repeats; /* a further part of a draw that was made in parts: the guest sees one draw, so that queries
                   * and stream output do not count this one */
};

#endif
