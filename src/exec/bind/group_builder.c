/* SPDX-License-Identifier: MIT */
#include "exec/bind/group_builder.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/record/bind_group.h"
#include "wgsl/draw_block.h"

/* The binding's vec4<u32>: a row of the overflow block, or one of the views of the draw block. Null when the
 * module does not read it. */
static uint8_t *view_of(const struct ag_group_builder *builder, const struct agpu_binding *binding)
{
    const struct agpu_module *module = builder->module;
    if (builder->rows)
        return (uint8_t *)(builder->rows + 4 * (size_t)binding->overflow_row);
    for (uint32_t i = 0; i < module->view_count && module->view_base + i < AG_DRAW_BLOCK_VIEW_COUNT; i++)
        if (module->views[i] == binding->binding)
            return builder->block->bytes + AG_DRAW_BLOCK_VIEWS + 16 * ((size_t)module->view_base + i);
    return NULL;
}

void ag_group_set_range(struct ag_bind_item *item, const struct ag_bound_range *range)
{
    item->id = range->id;
    item->buffer = range->buffer;
    item->offset = range->offset;
    item->size = range->size;
}

bool ag_group_tells(const struct ag_group_builder *builder, const struct agpu_binding *binding)
{
    return view_of(builder, binding) != NULL;
}

void ag_group_set_view(struct ag_group_builder *builder, const struct agpu_binding *binding, uint32_t x,
                       uint32_t y, uint32_t z)
{
    uint8_t *const to = view_of(builder, binding);
    if (!to)
        return;
    ag_store_u32(to, x);
    ag_store_u32(to + 4, y);
    ag_store_u32(to + 8, z);
    ag_store_u32(to + 12, 0);
}

void ag_group_set_view_end(struct ag_group_builder *builder, const struct agpu_binding *binding, uint32_t w)
{
    uint8_t *const to = view_of(builder, binding);
    if (to)
        ag_store_u32(to + 12, w);
}

void ag_group_warn_handle(struct ag_group_builder *builder, enum ag_handle_space space, const char *what,
                          uint32_t slot, uint32_t handle)
{
    ag_host_warn_handle(builder->binder->host, space, handle,
                        "%s%" PRIu32 " of the %s: handle %" PRIu32 " names nothing fit", what, slot,
                        agpu_stage_name(builder->stage), handle);
}

/* Reports writable bindings that overlap, which WebGPU refuses. */
enum ag_outcome ag_group_check_aliases(struct ag_group_builder *builder, const struct ag_bind_item *item)
{
    for (uint32_t i = 0; i < builder->count; i++) {
        const struct ag_bind_item *other = &builder->items[i];
        if (other->id == item->id && other->buffer && other->offset < item->offset + item->size &&
            item->offset < other->offset + other->size)
            return ag_host_skip_refused(
                builder->binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                "the %s has two views of the same bytes of a buffer, one of them writable",
                agpu_stage_name(builder->stage));
    }
    return AG_DONE;
}
