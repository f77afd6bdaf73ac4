/* SPDX-License-Identifier: MIT */
#include "exec/object/objects_life.h"

#include <stdlib.h>

#include "base/map.h"
#include "exec/host/host.h"
#include "exec/object/ext_object.h"
#include "exec/object/handle.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/object/sampler.h"
#include "exec/object/share.h"
#include "exec/object/token_set.h"

void ag_objects_init(struct ag_objects *objects, struct ag_host *host)
{
    *objects = (struct ag_objects){.host = host};
}

void ag_objects_clear(struct ag_objects *objects)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    ag_handles_clear(objects);
    ag_share_tokens_clear(objects);
    ag_token_set_fini(&objects->retired_tokens);
    while (ag_map_next(&objects->samplers, &cursor, &key, &value))
        ag_sampler_destroy(objects, value);
    ag_map_fini(&objects->samplers);
    cursor = 0;
    while (ag_map_next(&objects->input_layouts, &cursor, &key, &value))
        ag_input_layout_destroy(objects, value);
    ag_map_fini(&objects->input_layouts);
    ag_ext_objects_clear(objects);
}
