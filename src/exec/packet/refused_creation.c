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

struct noting {
    struct ag_host *host;
    bool failed;
};

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

static void note(void *user, const struct ag_packet_item *item)
{
    const struct noting *noting = user;
    const bool creates = item->field->role == AG_ROLE_CREATES;
    enum ag_handle_space space;
    if ((!creates && item->field->role != AG_ROLE_DESTROYS) || item->value == 0 ||
        !find_space(item->field->object, &space))
        return;
    if (!noting->failed)
        ag_refused_handle_forget(noting->host, space, (uint32_t)item->value);
    else if (creates)
        ag_refused_handle_add(noting->host, space, (uint32_t)item->value);
}

void ag_note_refused_creation(struct ag_host *host, const struct agpu_packet *packet, enum agpu_status status)
{
    struct noting noting = {host, status != AGPU_OK};
    if ((noting.failed || host->refused_handles.count) && ag_packet_does(packet, AG_EFFECT_OBJECTS))
        ag_packet_visit(packet, note, &noting);
}
