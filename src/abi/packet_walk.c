/* SPDX-License-Identifier: MIT */
#include "abi/packet_walk.h"

#include "base/bytes.h"

struct walk {
    const struct agpu_packet *packet;
    ag_packet_visitor visit;
    void *user;
};

static uint32_t scalar_bytes(uint8_t type)
{
    return type == AG_FIELD_U8 ? 1 : type == AG_FIELD_U64 ? 8 : 4;
}

static uint64_t load_scalar(uint8_t type, const uint8_t *from)
{
    if (type == AG_FIELD_U8)
        return *from;
    return type == AG_FIELD_U64 ? ag_load_u64(from) : ag_load_u32(from);
}

/* The short form of BIND_SHADERS has a handle in a word that means nothing in the longer ones. */
static bool is_meant(const struct agpu_packet *packet, const struct ag_field_info *field)
{
    return packet->info->extended == NULL || field->type == AG_FIELD_HANDLE ||
           packet->size == packet->info->fixed.size;
}

/* `at` is where the structure begins in the packet; `index` is that of the element it is, or 0. */
static void visit_struct(const struct walk *walk, const struct ag_struct_info *info, uint32_t at,
                         uint32_t index)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        const struct ag_field_info *field = &info->fields[i];
        if (field->type == AG_FIELD_STRUCT)
            visit_struct(walk, field->nested, at + field->offset, index);
        if (field->role == AG_ROLE_NONE || !is_meant(walk->packet, field))
            continue;
        for (uint32_t j = 0; j < field->count; j++) {
            const uint32_t offset = at + field->offset + j * scalar_bytes(field->type);
            const struct ag_packet_item item = {
                .field = field,
                .offset = offset,
                .index = index + j,
                .value = load_scalar(field->type, walk->packet->data + offset),
            };
            walk->visit(walk->user, &item);
        }
    }
}

static void visit_fixed(const struct walk *walk)
{
    const struct agpu_packet_info *info = walk->packet->info;
    visit_struct(walk, &info->fixed, 0, 0);
    if (info->extended != NULL && walk->packet->size >= info->extended_size)
        visit_struct(walk, info->extended, 0, 0);
}

static bool has_role(const struct ag_struct_info *info)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        if (info->fields[i].role != AG_ROLE_NONE ||
            (info->fields[i].nested != NULL && has_role(info->fields[i].nested)))
            return true;
    }
    return false;
}

static void visit_payload(const struct walk *walk)
{
    const struct agpu_packet *packet = walk->packet;
    const struct ag_payload_info *payload = &packet->info->payload;
    struct ag_struct_info element = {0};
    if (payload->kind == AG_PAYLOAD_ARRAY)
        element = *payload->element;
    else if (payload->kind == AG_PAYLOAD_WORDS)
        element = (struct ag_struct_info){payload->word, 1, 4};
    if (packet->payload_size == 0 || !has_role(&element))
        return;
    const uint32_t start = (uint32_t)(packet->payload - packet->data);
    for (uint32_t i = 0; i < packet->payload_size / element.size; i++)
        visit_struct(walk, &element, start + i * element.size, i);
}

void ag_packet_visit(const struct agpu_packet *packet, ag_packet_visitor visit, void *user)
{
    const struct walk walk = {packet, visit, user};
    if (packet->info == NULL)
        return;
    visit_fixed(&walk);
    visit_payload(&walk);
}

/* ---- One of them --------------------------------------------------------------------------------------- */

struct search {
    enum ag_role role;
    enum ag_object object;
    struct ag_packet_item *item;
    bool found;
};

static void compare(void *user, const struct ag_packet_item *item)
{
    struct search *search = user;
    if (search->found || item->field->role != search->role ||
        (search->object != AG_OBJECT_NONE && item->field->object != search->object))
        return;
    *search->item = *item;
    search->found = true;
}

bool ag_packet_find(const struct agpu_packet *packet, enum ag_role role, enum ag_object object,
                    struct ag_packet_item *item)
{
    struct search search = {role, object, item, false};
    const struct walk walk = {packet, compare, &search};
    if (packet->info != NULL)
        visit_fixed(&walk);
    return search.found;
}

uint32_t ag_packet_states(const struct agpu_packet *packet)
{
    const struct agpu_packet_info *info = packet->info;
    struct ag_packet_item flags;
    if (info == NULL)
        return 0;
    uint32_t states = (info->effects & AG_EFFECT_SETS_DEFAULTS) != 0 ? AG_STATES_ALL : info->sets;
    if (info->keep_count == 0 || !ag_packet_find(packet, AG_ROLE_KEEPS, AG_OBJECT_NONE, &flags))
        return states;
    for (uint32_t i = 0; i < info->keep_count; i++) {
        if ((flags.value & info->keeps[i].flag) != 0)
            states &= ~info->keeps[i].states;
    }
    return states;
}

/* ---- Packets in packets -------------------------------------------------------------------------------- */

static void visit_deep(const struct agpu_packet *packet, uint32_t depth,
                       void (*visit)(void *user, const struct agpu_packet *packet), void *user)
{
    struct agpu_stream_reader reader;
    struct agpu_packet inner;
    visit(user, packet);
    if (depth == AG_PACKET_MAX_DEPTH || packet->info == NULL || !packet->info->payload.packets ||
        agpu_stream_reader_init_packets(&reader, packet->minor, packet->payload, packet->payload_size,
                                        NULL) != AGPU_OK)
        return;
    while (agpu_stream_next(&reader, &inner))
        visit_deep(&inner, depth + 1, visit, user);
}

void ag_packet_visit_all(const struct agpu_packet *packet,
                         void (*visit)(void *user, const struct agpu_packet *packet), void *user)
{
    visit_deep(packet, 0, visit, user);
}
