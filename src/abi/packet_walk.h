/* SPDX-License-Identifier: MIT
 *
 * Walking a packet by the packet table: what it names and does with that, without knowing the packet.
 */
#ifndef AG_ABI_PACKET_WALK_H
#define AG_ABI_PACKET_WALK_H

#include "abi/packet.h"
#include "aerogpu/stream.h"

/* One value of a field that has a role. */
struct ag_packet_item {
    const struct ag_field_info *field;
    uint32_t offset; /* in the packet */
    uint32_t index;  /* in the field's array or in the payload; else 0 */
    uint64_t value;
};

typedef void (*ag_packet_visitor)(void *user, const struct ag_packet_item *item);

/* Visits the values of all fields with a role, in the order of the bytes. Unknown packets have none. */
void ag_packet_visit(const struct agpu_packet *packet, ag_packet_visitor visit, void *user);

/* The first value with that role; of names, only of that kind of object: AG_OBJECT_NONE is any. Payloads are
 * not searched. */
bool ag_packet_find(const struct agpu_packet *packet, enum ag_role role, enum ag_object object,
                    struct ag_packet_item *item);

/* Lists in lists are packets that no host executes: deeper ones are not looked at. */
#define AG_PACKET_MAX_DEPTH 8u

/* Visits a packet and those that it holds, as command lists do, and so on. */
void ag_packet_visit_all(const struct agpu_packet *packet,
                         void (*visit)(void *user, const struct agpu_packet *packet), void *user);

/* The states that a packet sets, all of them after AG_EFFECT_SETS_DEFAULTS, without those that its flags
 * keep. */
uint32_t ag_packet_states(const struct agpu_packet *packet);

static inline bool ag_packet_does(const struct agpu_packet *packet, uint32_t effects)
{
    return packet->info != NULL && (packet->info->effects & effects) != 0;
}

#endif
