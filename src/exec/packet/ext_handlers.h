/* SPDX-License-Identifier: MIT
 *
 * The handlers of the extension's packets by opcode.
 */
#ifndef AG_EXEC_PACKET_EXT_HANDLERS_H
#define AG_EXEC_PACKET_EXT_HANDLERS_H

#include <stdint.h>

#include "exec/packet/handlers.h"

/* The handler of an opcode of the extension, or null. */
ag_packet_handler ag_ext_packet_handler_of(uint32_t opcode);

#endif
