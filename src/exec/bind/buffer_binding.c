/* SPDX-License-Identifier: MIT */
#include "exec/bind/buffer_binding.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/group_builder.h"
#include "exec/bind/typed_buffer.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/dummy.h"
#include "exec/state/state.h"
#include "exec/transfer/buffer_upload.h"
#include "format/format.h"

uint32_t ag_binding_element_bytes(const struct agpu_binding *binding)
{
    if (binding->structure_stride)
        return binding->structure_stride;
    return binding->dimension == AGPU_DIMENSION_BUFFER ? 16 : 4; /* typed elements have four words */
}

/* Clamps a range to the buffer. A size of 0 means the rest of the buffer. */
void ag_binding_clamp_range(const struct ag_buffer *buffer, uint64_t *offset, uint64_t *size)
{
    if (*offset > buffer->size)
        *offset = buffer->size;
    if (*size == 0 || *size > buffer->size - *offset)
        *size = buffer->size - *offset;
}

/* Binds from an aligned offset at or below `offset`; the draw block tells the shader the difference. */
enum ag_outcome ag_bind_buffer_range(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                     struct ag_buffer *buffer, uint64_t offset, uint64_t size,
                                     struct ag_bind_item *item)
{
    struct ag_binder *binder = builder->binder;
    uint64_t alignment = binder->host->limits.minStorageBufferOffsetAlignment;
    ag_binding_clamp_range(buffer, &offset, &size);
    uint64_t base = offset & ~(alignment - 1), first = offset - base;
    uint64_t end = ag_align_up(buffer->size, 4);
    uint64_t length = ag_align_up(first + size, 4);
    if (length < binding->bytes)
        length = ag_align_up(binding->bytes, 4);
    if (length > binder->host->limits.maxStorageBufferBindingSize)
        return ag_host_skip_refused(binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "buffer slot %u of the %s is a view of %" PRIu64
                                    " bytes, more than the device binds",
                                    binding->slot, agpu_stage_name(builder->stage), size);
    if (length == 0)
        length = 4;
    if (base + length > end) { /* the rest is less than a binding must have, which therefore begins earlier */
        uint64_t least = length < end ? length : end;
        base = (end - least) & ~(alignment - 1);
        first = offset - base;
        length = end - base;
    }
    if (length < binding->bytes)
        return ag_host_skip_refused(
            binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
            "buffer slot %u of the %s needs %" PRIu64 " bytes and its buffer has %" PRIu64, binding->slot,
            agpu_stage_name(builder->stage), binding->bytes, buffer->size);
    item->id = buffer->id;
    item->buffer = buffer->gpu;
    item->offset = base;
    item->size = length;
    ag_group_set_view(builder, binding, (uint32_t)first, (uint32_t)size,
                      (uint32_t)(size / ag_binding_element_bytes(binding)));
    return AG_DONE;
}

static bool is_typed(const struct agpu_binding *binding)
{
    return binding->dimension == AGPU_DIMENSION_BUFFER && !binding->structure_stride;
}

static bool is_four_words(const struct ag_host_format *format)
{
    return format->vertex_bytes == 16;
}

/* Binds the elements of a typed view as four words each, which is what shaders load (X61). */
static enum ag_outcome bind_widened(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                    struct ag_buffer_view *view, struct ag_bind_item *item)
{
    const enum ag_outcome outcome = ag_buffer_view_widen(builder->binder, view);
    if (outcome != AG_DONE)
        return outcome;
    item->buffer = view->widened.gpu;
    item->id = view->widened.id;
    item->size = view->count * UINT64_C(16);
    ag_group_set_view(builder, binding, 0, (uint32_t)item->size, view->count);
    ag_group_set_view_end(builder, binding, ag_format_is_opaque(view->format));
    return AG_DONE;
}

enum ag_outcome ag_bind_srv_buffer(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                   struct ag_bind_item *item)
{
    struct ag_resource_slot *slot = &builder->context->stages[builder->stage].resources[binding->slot];
    if (slot->handle && !slot->buffer && !slot->view) {
        slot->buffer = ag_handle_buffer(builder->binder->objects, slot->handle);
        if (!slot->buffer)
            ag_group_warn_handle(builder, AG_SPACE_RESOURCES, "t", binding->slot, slot->handle);
        if (!slot->buffer || ag_context_writes_buffer(builder->context, slot->buffer))
            *slot = (struct ag_resource_slot){0};
    }
    if (!slot->buffer) {
        item->buffer = ag_dummy_zeros(builder->binder->recorder, &item->id);
        item->size = ag_align_up(binding->bytes > 16 ? binding->bytes : 16, 4);
        ag_group_set_view(builder, binding, 0, 0, 0);
        return AG_DONE;
    }
    if (!ag_buffer_use(builder->binder->copier, slot->buffer))
        return AG_STOPPED;
    struct ag_buffer_view *view = slot->bound ? &slot->bound->buffer : NULL;
    if (view && is_typed(binding) && view->format && !is_four_words(view->format))
        return bind_widened(builder, binding, view, item);
    return ag_bind_buffer_range(builder, binding, slot->buffer, view ? view->offset : slot->offset,
                                view ? view->size : slot->size, item);
}
