/* SPDX-License-Identifier: MIT
 *
 * Command lists: packets that a deferred context recorded, checked when the list is made.
 */
#ifndef AG_EXEC_PACKET_COMMAND_LIST_H
#define AG_EXEC_PACKET_COMMAND_LIST_H

#include <stdint.h>

#include "exec/object/ext_object.h"

struct ag_command_list {
    struct ag_ext_object object; /* first */
    uint32_t minor;              /* of the stream that made it */
    uint32_t size;
    uint8_t bytes[];
};

#endif
