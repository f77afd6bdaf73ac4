/* SPDX-License-Identifier: MIT
 *
 * Packets that bind objects to slots, as nearly all frames send them before their draws: known objects, to
 * stages that draws have. They are executed without what other packets may need; nothing is reported.
 */
#ifndef AG_EXEC_PACKET_PLAIN_BINDING_H
#define AG_EXEC_PACKET_PLAIN_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/packet/handlers.h"

/* What executes packets of this opcode in short. Null: nothing does. */
ag_short_handler ag_plain_binding(uint32_t opcode);

#endif
