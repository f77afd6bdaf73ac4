/* SPDX-License-Identifier: MIT
 *
 * Command lists: packets that a deferred context of the guest recorded. The packets are checked when the list
 * is created; submit/stream.c executes them.
 */
#ifndef AG_EXEC_PACKET_COMMAND_LIST_H
#define AG_EXEC_PACKET_COMMAND_LIST_H

#include <stdint.h>

#include "exec/object/ext_object.h"

struct ag_command_list {
    struct ag_ext_object object; /* the first member */
    uint32_t minor;              /* the minor ABI version of the stream that created the list */
    uint32_t size;               /* bytes of packets */
    uint8_t bytes[];
};

#endif
