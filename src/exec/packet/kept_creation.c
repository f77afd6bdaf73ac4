/* SPDX-License-Identifier: MIT */
#include "exec/packet/kept_creation.h"

#include "abi/packet.h"
#include "abi/packet_effect.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/stream.h"
#include "base/map.h"
#include "exec/object/creation.h"
#include "exec/object/ext_object.h"
#include "exec/object/handle.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/object/sampler.h"
#include "exec/object/view.h"

bool ag_creation_is_kept(const struct agpu_packet *packet, struct ag_packet_item *item)
{
    return ag_packet_does(packet, AG_EFFECT_OBJECTS) && packet->opcode != AEROGPU_CMD_IMPORT_SHARED_SURFACE &&
           ag_packet_find(packet, AG_ROLE_CREATES, AG_OBJECT_NONE, item) &&
           item->field->object != AG_OBJECT_SHADER && item->field->object != AG_OBJECT_TOKEN &&
           item->field->object != AG_OBJECT_ALLOCATION;
}

struct ag_creation **ag_creation_of(struct ag_objects *objects, const struct ag_packet_item *item)
{
    const uint32_t handle = (uint32_t)item->value;
    if (ag_object_is_resource(item->field->object)) {
        struct ag_handle *entry = ag_handle_find(objects, handle);
        return !entry ? NULL : entry->view ? &entry->view->creation : &entry->resource->creation;
    }
    if (item->field->object == AG_OBJECT_SAMPLER) {
        struct ag_sampler *sampler = ag_map_get(&objects->samplers, handle);
        return sampler ? &sampler->creation : NULL;
    }
    if (item->field->object == AG_OBJECT_INPUT_LAYOUT) {
        struct ag_input_layout_object *layout = ag_map_get(&objects->input_layouts, handle);
        return layout ? &layout->creation : NULL;
    }
    struct ag_ext_object *object = ag_map_get(&objects->ext_objects, handle);
    return object ? &object->creation : NULL;
}

void ag_creation_keep(struct ag_objects *objects, const struct agpu_packet *packet)
{
    struct ag_packet_item item;
    if (!ag_creation_is_kept(packet, &item))
        return;
    struct ag_creation **creation = ag_creation_of(objects, &item);
    /* A command list has the packets of its payload itself. */
    const bool has_payload = item.field->object == AG_OBJECT_COMMAND_LIST;
    if (creation)
        ag_creation_set(objects->host, creation, packet,
                        has_payload ? (uint32_t)(packet->payload - packet->data) : packet->size);
}

void ag_creation_take_back(struct ag_objects *objects, const struct agpu_packet *packet)
{
    struct ag_packet_item item;
    if (!ag_creation_is_kept(packet, &item))
        return;
    struct ag_creation **creation = ag_creation_of(objects, &item);
    if (!creation || *creation)
        return;
    if (ag_object_is_resource(item.field->object))
        ag_handle_destroy_resource(objects, (uint32_t)item.value);
    else if (item.field->object == AG_OBJECT_COMMAND_LIST)
        ag_ext_object_destroy(objects, (uint32_t)item.value);
}
