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

/* Fills in the binding's vec4<u32> among the views of the draw block, if the module reads it. */
void ag_group_set_view(struct ag_group_builder *builder, const struct agpu_binding *binding, uint32_t x,
                       uint32_t y, uint32_t z)
{
    const struct agpu_module *module = builder->module;
    if (builder->rows) {
        uint32_t *row = builder->rows + 4 * (size_t)binding->overflow_row;
        row[0] = x;
        row[1] = y;
        row[2] = z;
        row[3] = 0;
        return;
    }
    for (uint32_t i = 0; i < module->view_count; i++) {
        uint32_t entry = module->view_base + i;
        if (module->views[i] != binding->binding || entry >= AG_DRAW_BLOCK_VIEW_COUNT)
            continue;
        uint8_t *to = builder->block->bytes + AG_DRAW_BLOCK_VIEWS + 16 * (size_t)entry;
        ag_store_u32(to, x);
        ag_store_u32(to + 4, y);
        ag_store_u32(to + 8, z);
        ag_store_u32(to + 12, 0);
    }
}

/* Fills in the fourth word of that vec4<u32>, which ag_group_set_view() leaves 0. */
void ag_group_set_view_end(struct ag_group_builder *builder, const struct agpu_binding *binding, uint32_t w)
{
    const struct agpu_module *module = builder->module;
    if (builder->rows)
        builder->rows[4 * (size_t)binding->overflow_row + 3] = w;
    for (uint32_t i = 0; i < module->view_count && !builder->rows; i++)
        if (module->views[i] == binding->binding && module->view_base + i < AG_DRAW_BLOCK_VIEW_COUNT)
            ag_store_u32(
                builder->block->bytes + AG_DRAW_BLOCK_VIEWS + 16 * ((size_t)module->view_base + i) + 12, w);
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
