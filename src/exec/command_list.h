/* SPDX-License-Identifier: MIT
 *
 * Command lists: packets that a deferred context recorded, checked when the list is made.
 */
#ifndef AGPU_EXEC_COMMAND_LIST_H
#define AGPU_EXEC_COMMAND_LIST_H

#include "exec/ext_object.h"

struct agpu_command_list {
    struct agpu_ext_object object; /* first */
    uint32_t minor;                /* of the stream that made it */
    uint32_t size;
    uint8_t bytes[];
};

#endif
