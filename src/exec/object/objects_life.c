/* SPDX-License-Identifier: MIT */
#include "exec/object/objects_life.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/object/ext_object.h"
#include "exec/object/handle.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/object/sampler.h"
#include "exec/object/token_set.h"

void ag_objects_init(struct ag_objects *objects, struct ag_host *host)
{
    *objects = (struct ag_objects){.host = host};
}

/* ---- What is left ------------------------------------------------------------------------------------- */

static bool free_share_token(struct ag_objects *objects, void *token)
{
    (void)objects;
    free(token);
    return false;
}

static bool free_handle(struct ag_objects *objects, void *entry)
{
    return ag_handle_free_part(objects, entry);
}

static bool free_sampler(struct ag_objects *objects, void *sampler)
{
    ag_sampler_destroy(objects, sampler);
    return false;
}

static bool free_input_layout(struct ag_objects *objects, void *layout)
{
    ag_input_layout_destroy(objects, layout);
    return false;
}

static bool free_ext_object(struct ag_objects *objects, void *object)
{
    ag_ext_object_free(objects, object);
    return false;
}

/* The maps, in the order in which they are emptied. */
static const struct {
    size_t map, left;
    /* Frees a value, or a part of it: true when there is more of it. */
    bool (*free_value)(struct ag_objects *objects, void *value);
    uint32_t at_once; /* a resource is much work */
} kinds[] = {
#define KIND(map, free_value, at_once)                                                                       \
    {                                                                                                        \
        offsetof(struct ag_objects, map), offsetof(struct ag_objects, left.map), free_value, at_once         \
    }
    KIND(handles, free_handle, 1),          KIND(share_tokens, free_share_token, 64),
    KIND(samplers, free_sampler, 8),        KIND(input_layouts, free_input_layout, 32),
    KIND(ext_objects, free_ext_object, 32),
#undef KIND
};

static struct ag_map *map_at(struct ag_objects *objects, size_t offset)
{
    return (struct ag_map *)((char *)objects + offset);
}

void ag_objects_leave(struct ag_objects *objects)
{
    while (ag_objects_free_part(objects))
        continue;
    for (size_t i = 0; i < AG_COUNT_OF(kinds); i++) {
        struct ag_map *const map = map_at(objects, kinds[i].map);
        *map_at(objects, kinds[i].left) = *map;
        *map = (struct ag_map){0};
    }
    ag_token_set_fini(&objects->retired_tokens);
    ag_recent_handles_clear(objects);
}

bool ag_objects_free_part(struct ag_objects *objects)
{
    struct ag_left_objects *const left = &objects->left;
    size_t kind = 0;
    uint64_t key;
    void *value;
    while (kind < AG_COUNT_OF(kinds) && map_at(objects, kinds[kind].left)->capacity == 0)
        kind++;
    if (kind == AG_COUNT_OF(kinds))
        return false;
    struct ag_map *const map = map_at(objects, kinds[kind].left);
    for (uint32_t i = 0; i < kinds[kind].at_once; i++) {
        if (!ag_map_next(map, &left->cursor, &key, &value)) {
            ag_map_fini(map);
            left->cursor = 0;
            break;
        }
        if (kinds[kind].free_value(objects, value))
            left->cursor--;
    }
    return true;
}
