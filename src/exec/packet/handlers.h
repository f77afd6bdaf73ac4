/* SPDX-License-Identifier: MIT
 *
 * One handler for each packet. When a handler does not return AGPU_OK, the handler has reported why and the
 * stream stops. submit/stream.c calls the handlers, with packets whose size and opcode abi/ has checked.
 */
#ifndef AG_EXEC_PACKET_HANDLERS_H
#define AG_EXEC_PACKET_HANDLERS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_list.h"
#include "aerogpu/diag.h"

struct ag_execution;
struct agpu_packet;
struct agpu_packet_info;

typedef enum agpu_status (*ag_packet_handler)(struct ag_execution *execution,
                                              const struct agpu_packet *packet);

/* Executes a packet that only sets state, if nothing is to be reported: tells the kept draw what `changes`,
 * if it does. The stream has `size` bytes of it, with all of its members. False: the packet was left. */
typedef bool (*ag_short_handler)(struct ag_execution *execution, const uint8_t *data, uint32_t size,
                                 uint32_t changes);

/* Declares ag_on_create_buffer() and so on, one handler for each packet of the list. A missing handler is
 * an error of the linker. */
#define AG_HANDLER(symbol, name, ...)                                                                        \
    enum agpu_status ag_on_##name(struct ag_execution *execution, const struct agpu_packet *packet);
AG_PACKET_LIST(AG_HANDLER, AG_HANDLER)
#undef AG_HANDLER

/* The handler of a row of the packet table. */
ag_packet_handler ag_packet_handler_of(const struct agpu_packet_info *info);

#define AG_ONE(...) +1
enum { AG_PACKET_ROWS = AG_PACKET_LIST(AG_ONE, AG_ONE) };
#undef AG_ONE

/* What the executor asks of the packet table before each packet, by rows of the table. */
struct ag_packet_plan {
    ag_packet_handler handler;
    ag_short_handler in_short; /* or null */
    uint32_t changes;          /* ag_packet_changes() */
    uint32_t opcode;
    /* Packets of `fixed_size` bytes and of `unit` bytes for each of a count, which is at an offset, if there
     * is a payload. 0: of other sizes. */
    uint32_t fixed_size;
    uint16_t unit, count_offset;
    bool makes_objects, is_predicated, has_stage;
    /* Such packets are many, and what they take of budgets is noted where they take it. */
    bool is_light;
    bool is_inert; /* the packet calls nothing of WebGPU */
    /* A light packet that is done in one part, makes no object and leaves predicates alone: several of them
     * are executed in turn. */
    bool is_calm;
};

void ag_packet_plans_init(struct ag_packet_plan plans[AG_PACKET_ROWS]);

#endif
