/* SPDX-License-Identifier: MIT */
#include "exec/packet/refused_creation.h"

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet.h"
#include "abi/packet_effect.h"
#include "abi/packet_walk.h"
#include "aerogpu/stream.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"

static bool find_space(uint8_t object, enum ag_handle_space *space)
{
    if (ag_object_is_resource(object))
        *space = AG_SPACE_RESOURCES;
    else if (object == AG_OBJECT_SHADER)
        *space = AG_SPACE_SHADERS;
    else if (object == AG_OBJECT_INPUT_LAYOUT)
        *space = AG_SPACE_INPUT_LAYOUTS;
    else if (object == AG_OBJECT_SAMPLER)
        *space = AG_SPACE_SAMPLERS;
    else if (object >= AG_OBJECT_SIGNATURE && object <= AG_OBJECT_ANY)
        *space = AG_SPACE_EXT_OBJECTS;
    else
        return false;
    return true;
}

/* ---- Before the handler ------------------------------------------------------------------------------- */

struct parts {
    const struct ag_host *host;
    bool refused;
};

static void look_at_part(void *user, const struct ag_packet_item *item)
{
    struct parts *parts = user;
    enum ag_handle_space space;
    if (item->field->role == AG_ROLE_MADE_OF && find_space(item->field->object, &space))
        parts->refused |= ag_handle_is_refused(parts->host, space, (uint32_t)item->value);
}

bool ag_creation_is_of_refused(const struct ag_host *host, const struct agpu_packet *packet)
{
    struct parts parts = {.host = host};
    if (host->refused_handles.count)
        ag_packet_visit(packet, look_at_part, &parts);
    return parts.refused;
}

/* ---- After the handler -------------------------------------------------------------------------------- */

struct settling {
    struct ag_host *host;
    bool failed;
    bool created; /* a handle other than 0 was to be created */
};

static void settle(void *user, const struct ag_packet_item *item)
{
    struct settling *settling = user;
    const bool creates = item->field->role == AG_ROLE_CREATES;
    enum ag_handle_space space;
    if ((!creates && item->field->role != AG_ROLE_DESTROYS) || item->value == 0)
        return;
    settling->created |= creates;
    if (!find_space(item->field->object, &space))
        return;
    if (!settling->failed)
        ag_refused_handle_forget(settling->host, space, (uint32_t)item->value);
    else if (creates)
        ag_refused_handle_add(settling->host, space, (uint32_t)item->value);
}

enum agpu_status ag_creation_settle(struct ag_host *host, const struct agpu_packet *packet,
                                    enum agpu_status status)
{
    struct settling settling = {.host = host, .failed = status != AGPU_OK};
    if (host->reports.malformed || (!settling.failed && !host->refused_handles.count))
        return status;
    ag_packet_visit(packet, settle, &settling);
    return status == AGPU_REFUSED && settling.created ? AGPU_OK : status;
}
