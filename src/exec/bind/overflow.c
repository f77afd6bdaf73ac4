/* SPDX-License-Identifier: MIT */
#include "exec/bind/overflow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/buffer_binding.h"
#include "exec/bind/constant_buffer.h"
#include "exec/bind/context.h"
#include "exec/bind/group_builder.h"
#include "exec/bind/overflow_arena.h"
#include "exec/bind/overflow_choice.h"
#include "exec/bind/texture_array.h"
#include "exec/bind/texture_binding.h"
#include "exec/bind/uav_arena.h"
#include "exec/bind/uav_binding.h"
#include "exec/blit/texel_arena.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/dummy.h"
#include "exec/record/encoder.h"
#include "exec/record/recorder.h"
#include "exec/record/upload_ring.h"
#include "exec/transfer/buffer_upload.h"
#include "kernel/kernel.h"
#include "wgsl/binding.h"
#include "wgsl/overflow.h"

#define ROW_BYTES 16
/* The arena begins with zeros, which the texel of an empty slot is. */
#define ZERO_BYTES 256
#define PART_ALIGNMENT 16

static uint32_t *row_of(const struct ag_group_builder *builder, const struct agpu_binding *binding,
                        uint32_t row)
{
    return builder->rows + 4 * ((size_t)binding->overflow_row + row);
}

/* ---- What the slots hold ------------------------------------------------------------------------------ */

static enum ag_outcome find_texture(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                    struct ag_overflow_part *part)
{
    const enum ag_outcome outcome = ag_resolve_texture(builder, binding, &part->view);
    if (outcome != AG_DONE || !part->view)
        return outcome;
    struct ag_texture_view *view = part->view;
    const uint64_t version =
        builder->context->stages[builder->stage].resources[binding->slot].view->texture->version;
    if (binding->texture_array) {
        part->wanted.version = version;
        return ag_texture_array_take(builder->binder, view, &part->array, &part->layer);
    }
    const bool volume = view->texture->dimension == AG_TEXTURE_3D;
    if (volume != (binding->dimension == AGPU_DIMENSION_TEXTURE3D)) {
        memset(row_of(builder, binding, AG_OVERFLOW_ROW_VIEW), 0, ROW_BYTES);
        part->view = NULL;
        return AG_DONE;
    }
    if (!ag_texel_levels_init(&part->levels, view))
        return ag_host_skip_refused(builder->binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "t%u of the %s has too many texels to be read from memory", binding->slot,
                                    agpu_stage_name(builder->stage));
    ag_view_of_dimension(builder->binder->objects, view,
                         volume ? AG_VIEW_DIMENSION_3D : AG_VIEW_DIMENSION_2D_ARRAY, &part->wanted.id);
    part->wanted.version = version;
    part->wanted.bytes = 4 * part->levels.words;
    return AG_DONE;
}

static enum ag_outcome find_buffer(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                   struct ag_overflow_part *part)
{
    const enum ag_outcome outcome = ag_bind_srv_buffer(builder, binding, &part->item);
    const struct ag_buffer *buffer = builder->context->stages[builder->stage].resources[binding->slot].buffer;
    if (outcome == AG_DONE && buffer && row_of(builder, binding, AG_OVERFLOW_ROW_VIEW)[1] != 0)
        part->wanted = (struct part_source){.id = part->item.id,
                                            .version = buffer->version,
                                            .offset = part->item.offset,
                                            .bytes = part->item.size};
    return outcome;
}

static enum ag_outcome find_uav(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                struct ag_overflow_part *part)
{
    const enum ag_outcome outcome = ag_bind_uav(builder, binding, &part->item);
    const uint32_t *row = row_of(builder, binding, AG_OVERFLOW_ROW_VIEW);
    const bool texture = binding->dimension >= AGPU_DIMENSION_TEXTURE1D &&
                         binding->dimension <= AGPU_DIMENSION_TEXTURECUBEARRAY;
    if (outcome == AG_DONE && row[texture ? 3 : 1] != 0)
        part->wanted =
            (struct part_source){.id = part->item.id, .offset = part->item.offset, .bytes = part->item.size};
    return outcome;
}

static enum ag_outcome find_part(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                 struct ag_overflow_part *part)
{
    part->view = NULL;
    part->array = NULL;
    part->item = (struct ag_bind_item){0};
    part->wanted = (struct part_source){0};
    switch ((enum agpu_binding_space)binding->space) {
    case AGPU_SPACE_CBUFFER:
        return ag_constants_find(builder->binder, builder->context, builder->stage, binding,
                                 &part->constants);
    case AGPU_SPACE_RESOURCE:
        return binding->kind == AGPU_BIND_SAMPLED_TEXTURE ? find_texture(builder, binding, part)
                                                          : find_buffer(builder, binding, part);
    case AGPU_SPACE_UAV:
        return find_uav(builder, binding, part);
    case AGPU_SPACE_SAMPLER:
    case AGPU_SPACE_INTERNAL:
        break;
    }
    return AG_SKIPPED;
}

/* ---- Arenas ------------------------------------------------------------------------------------------- */

/* Makes an arena of at least `size` bytes. *id changes when the arena is new, and its contents are zeros. */
static enum ag_outcome grow(struct ag_binder *binder, WGPUBuffer *gpu, uint64_t *id, uint64_t *capacity,
                            uint64_t size, const char *label)
{
    const uint64_t most = binder->host->limits.maxStorageBufferBindingSize & ~UINT64_C(15);
    if (size > most || size > UINT32_MAX)
        return ag_host_skip_refused(
            binder->host, AGPU_DIAG_GPU_LIMIT,
            "%" PRIu64 " bytes of resources share a binding; the device binds %" PRIu64 " bytes", size, most);
    if (*gpu && size <= *capacity)
        return AG_DONE;
    if (*gpu) {
        ag_bind_groups_forget(binder->recorder, *id);
        wgpuBufferRelease(*gpu);
    }
    size = ag_align_up(size + size / 4, 256);
    *capacity = size < most ? size : most;
    *gpu = ag_host_create_buffer(binder->host, *capacity,
                                 WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc,
                                 label);
    *id = ag_host_id(binder->host);
    return AG_DONE;
}

/* Whether the arena has the contents of the resource. */
static bool is_read(const struct agpu_binding *binding)
{
    return binding->space == AGPU_SPACE_RESOURCE && !binding->texture_array;
}

/* Gives each part a place and makes the arena. */
static enum ag_outcome place_parts(struct ag_group_builder *builder)
{
    const struct agpu_module *module = builder->module;
    struct ag_overflow_arena *arena = builder->arena;
    uint64_t size = ZERO_BYTES;
    for (uint32_t i = 0; i < module->overflow_count; i++) {
        if (!is_read(&module->overflow[i]))
            continue;
        arena->parts[i].wanted.first = size;
        size += ag_align_up(arena->parts[i].wanted.bytes, PART_ALIGNMENT);
    }
    const uint64_t id = arena->id;
    const enum ag_outcome outcome =
        grow(builder->binder, &arena->gpu, &arena->id, &arena->size, size, "resources without a binding");
    for (uint32_t i = 0; outcome == AG_DONE && id != arena->id && i < module->overflow_count; i++)
        arena->parts[i].stored = (struct part_source){0};
    return outcome;
}

static enum ag_outcome store_part(struct ag_group_builder *builder, struct ag_overflow_part *part)
{
    struct ag_binder *binder = builder->binder;
    const struct ag_overflow_arena *arena = builder->arena;
    const struct part_source *wanted = &part->wanted;
    if (wanted->bytes == 0 || memcmp(wanted, &part->stored, sizeof *wanted) == 0)
        return AG_DONE;
    part->stored = (struct part_source){0};
    if (part->view) {
        const struct ag_buffer_range to = {.buffer = arena->gpu, .size = arena->size, .id = arena->id};
        if (!ag_texel_levels_store(binder->blitter, &part->levels, part->view, &to,
                                   (uint32_t)(wanted->first / 4)))
            return AG_OUT_OF_MEMORY;
    } else {
        wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(binder->recorder), part->item.buffer,
                                             wanted->offset, arena->gpu, wanted->first, wanted->bytes);
    }
    binder->host->counts.arena_bytes += wanted->bytes;
    part->stored = *wanted;
    return AG_DONE;
}

/* Copies what changed, and forgets parts whose place another part took. */
static enum ag_outcome store_parts(struct ag_group_builder *builder)
{
    const struct agpu_module *module = builder->module;
    struct ag_overflow_part *parts = builder->arena->parts;
    for (uint32_t i = 0; i < module->overflow_count; i++)
        if (is_read(&module->overflow[i]) &&
            memcmp(&parts[i].wanted, &parts[i].stored, sizeof parts[i].wanted) != 0)
            parts[i].stored = (struct part_source){0};
    for (uint32_t i = 0; i < module->overflow_count; i++) {
        if (parts[i].array)
            builder->binder->host->counts.arena_bytes += ag_texture_array_store(
                builder->binder, parts[i].array, parts[i].layer, parts[i].view, parts[i].wanted.version);
        if (!is_read(&module->overflow[i]))
            continue;
        const enum ag_outcome outcome = store_part(builder, &parts[i]);
        if (outcome != AG_DONE)
            return outcome;
    }
    return AG_DONE;
}

/* The part of the arena with a range of a buffer, which another view or stage may have given to it. */
static uint64_t place_range(struct ag_uav_arena *arena, const struct ag_overflow_part *part)
{
    const struct part_source *wanted = &part->wanted;
    for (uint32_t i = 0; i < arena->count; i++)
        if (arena->parts[i].id == wanted->id && arena->parts[i].offset == wanted->offset &&
            arena->parts[i].bytes == wanted->bytes)
            return arena->parts[i].first;
    arena->parts[arena->count].gpu = part->item.buffer;
    arena->parts[arena->count].id = wanted->id;
    arena->parts[arena->count].offset = wanted->offset;
    arena->parts[arena->count].bytes = wanted->bytes;
    arena->parts[arena->count++].first = arena->filled;
    arena->filled += ag_align_up(wanted->bytes, AG_UAV_PART_ALIGNMENT);
    return arena->parts[arena->count - 1].first;
}

/* Adds the views of the stage to those of the draw. The arena has room for all of them from the first stage
 * on, whose bind group has the buffer. */
static enum ag_outcome place_uavs(struct ag_group_builder *builder)
{
    const struct agpu_module *module = builder->module;
    struct ag_uav_arena *arena = &builder->binder->uav_arena;
    if (!ag_uav_arena_needed(module))
        return AG_DONE;
    const enum ag_outcome outcome = grow(
        builder->binder, &arena->gpu, &arena->id, &arena->size,
        ag_uav_arena_bound(builder->binder, builder->context, builder->stage), "views without a binding");
    for (uint32_t i = 0; outcome == AG_DONE && i < module->overflow_count; i++) {
        struct ag_overflow_part *part = &builder->arena->parts[i];
        if (module->overflow[i].space == AGPU_SPACE_UAV && part->wanted.bytes)
            part->wanted.first = place_range(arena, part);
    }
    return outcome;
}

/* ---- The block ---------------------------------------------------------------------------------------- */

static void fill_texture(struct ag_group_builder *builder, const struct agpu_binding *binding,
                         const struct ag_overflow_part *part)
{
    uint32_t *size = row_of(builder, binding, AG_OVERFLOW_ROW_SIZE);
    uint32_t *levels = row_of(builder, binding, AG_OVERFLOW_ROW_LEVELS);
    const struct ag_texel_levels *from = &part->levels;
    if (!part->view) { /* one texel of zeros, also of each face of a cube */
        memcpy(size, (const uint32_t[]){1, 1, 6, 1}, ROW_BYTES);
        return;
    }
    memcpy(size, (const uint32_t[]){from->width, from->height, from->slices, from->count}, ROW_BYTES);
    for (uint32_t i = 0; i < from->count; i++)
        levels[i] = (uint32_t)(part->wanted.first / 4) + from->first[i];
    row_of(builder, binding, AG_OVERFLOW_ROW_VIEW)[2] |= (uint32_t)from->encoding
                                                         << AG_OVERFLOW_ENCODING_SHIFT;
}

/* How many bytes of a constant buffer the shader reads. */
static uint64_t constant_bytes(const struct agpu_binding *binding, uint64_t bound)
{
    return binding->kind == AGPU_BIND_UNIFORM_BUFFER && binding->bytes < bound ? binding->bytes : bound;
}

/* Completes the records. Returns the size of the block. */
static uint64_t fill_rows(struct ag_group_builder *builder)
{
    const struct agpu_module *module = builder->module;
    uint64_t size = module->overflow_rows * UINT64_C(16);
    for (uint32_t i = 0; i < module->overflow_count; i++) {
        const struct agpu_binding *binding = &module->overflow[i];
        struct ag_overflow_part *part = &builder->arena->parts[i];
        uint32_t *row = row_of(builder, binding, AG_OVERFLOW_ROW_VIEW);
        if (binding->space == AGPU_SPACE_CBUFFER) {
            const uint64_t bound = part->constants.bound;
            part->wanted.first = size;
            memcpy(row, (const uint32_t[]){(uint32_t)size, (uint32_t)bound, (uint32_t)(bound / 16), 0},
                   ROW_BYTES);
            size += ag_align_up(constant_bytes(binding, bound), ROW_BYTES);
        } else if (binding->texture_array) {
            row[1] = part->layer;
        } else if (binding->kind == AGPU_BIND_SAMPLED_TEXTURE) {
            fill_texture(builder, binding, part);
        } else if (binding->dimension >= AGPU_DIMENSION_TEXTURE1D &&
                   binding->dimension <= AGPU_DIMENSION_TEXTURECUBEARRAY) {
            row_of(builder, binding, AG_OVERFLOW_ROW_TEXELS)[0] = (uint32_t)part->wanted.first;
        } else {
            row[0] += (uint32_t)part->wanted.first;
        }
    }
    return size;
}

/* Puts constants that only the GPU knows into a copy of the block. */
static enum ag_outcome copy_constants(struct ag_group_builder *builder, struct ag_bind_item *block)
{
    struct ag_binder *binder = builder->binder;
    const struct agpu_module *module = builder->module;
    bool copied = false;
    for (uint32_t i = 0; i < module->overflow_count; i++) {
        const struct agpu_binding *binding = &module->overflow[i];
        const struct ag_overflow_part *part = &builder->arena->parts[i];
        const struct ag_constant_source *from = &part->constants;
        if (binding->space != AGPU_SPACE_CBUFFER || !from->buffer || from->bytes)
            continue;
        const uint64_t bytes = constant_bytes(binding, from->bound) & ~UINT64_C(3);
        if (from->offset % 4 != 0)
            return ag_host_skip_refused(binder->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                        "b%u of the %s, which the GPU wrote, begins at an offset of %" PRIu64
                                        ", which is not a multiple of 4",
                                        binding->slot, agpu_stage_name(builder->stage), from->offset);
        if (!ag_buffer_use(binder->copier, from->buffer))
            return AG_STOPPED;
        WGPUCommandEncoder encoder = ag_recorder_encoder(binder->recorder);
        if (!copied) {
            WGPUBuffer scratch = ag_recorder_scratch_buffer(binder->recorder, block->size,
                                                            WGPUBufferUsage_CopyDst | WGPUBufferUsage_Storage,
                                                            "overflow block");
            if (!scratch)
                return AG_OUT_OF_MEMORY;
            wgpuCommandEncoderCopyBufferToBuffer(encoder, block->buffer, block->offset, scratch, 0,
                                                 block->size);
            block->buffer = scratch;
            block->id = ag_host_id(binder->host);
            block->offset = 0;
            copied = true;
        }
        if (bytes)
            wgpuCommandEncoderCopyBufferToBuffer(encoder, from->buffer->gpu, from->offset, block->buffer,
                                                 part->wanted.first, bytes);
    }
    return AG_DONE;
}

static enum ag_outcome upload_block(struct ag_group_builder *builder, uint64_t size)
{
    const struct agpu_module *module = builder->module;
    struct ag_bind_item *block = &builder->overflow_items[0];
    struct ag_upload_slice slice;
    if (!ag_upload_ring_alloc(builder->binder->recorder, size, &slice))
        return AG_OUT_OF_MEMORY;
    memcpy(slice.bytes, builder->rows, (size_t)module->overflow_rows * ROW_BYTES);
    for (uint32_t i = 0; i < module->overflow_count; i++) {
        const struct ag_overflow_part *part = &builder->arena->parts[i];
        const struct ag_constant_source *from = &part->constants;
        if (module->overflow[i].space == AGPU_SPACE_CBUFFER && from->bytes)
            memcpy(slice.bytes + part->wanted.first, from->bytes + from->offset,
                   (size_t)constant_bytes(&module->overflow[i], from->bound));
    }
    *block = (struct ag_bind_item){
        .id = slice.id, .buffer = slice.gpu, .offset = slice.offset, .size = ag_align_up(size, ROW_BYTES)};
    return copy_constants(builder, block);
}

/* ---- Binding ------------------------------------------------------------------------------------------ */

static enum ag_outcome find_parts(struct ag_group_builder *builder)
{
    const struct agpu_module *module = builder->module;
    for (uint32_t i = 0; i < module->overflow_count; i++) {
        const enum ag_outcome outcome = find_part(builder, &module->overflow[i], &builder->arena->parts[i]);
        if (outcome != AG_DONE)
            return outcome;
    }
    return AG_DONE;
}

/* The arrays of textures; a dummy in place of one whose slots are empty. */
static void bind_arrays(struct ag_group_builder *builder)
{
    const struct agpu_module *module = builder->module;
    struct ag_bind_item *items = &builder->overflow_items[2];
    for (uint32_t i = 0; i < module->overflow_count; i++) {
        const struct ag_texture_array *array = builder->arena->parts[i].array;
        if (array)
            items[module->overflow[i].texture_array] =
                (struct ag_bind_item){.id = array->id, .view = array->view};
    }
    for (uint32_t i = 0; i < module->binding_count; i++) {
        struct ag_bind_item *item = &items[ag_overflow_array(&module->bindings[i])];
        if (ag_overflow_array(&module->bindings[i]) && !item->view)
            item->view = ag_dummy_texture(builder->binder->recorder,
                                          (enum agpu_sample_type)module->bindings[i].sample_type,
                                          WGPUTextureViewDimension_2DArray, false, &item->id);
    }
}

static enum ag_outcome make_all(struct ag_group_builder *builder)
{
    struct ag_binder *binder = builder->binder;
    ag_texture_arrays_begin(binder);
    enum ag_outcome outcome = find_parts(builder);
    if (outcome == AG_DONE)
        outcome = place_parts(builder);
    if (outcome == AG_DONE)
        outcome = store_parts(builder);
    if (outcome == AG_DONE)
        outcome = place_uavs(builder);
    if (outcome == AG_DONE)
        outcome = upload_block(builder, fill_rows(builder));
    builder->overflow_items[1] = (struct ag_bind_item){
        .id = builder->arena->id, .buffer = builder->arena->gpu, .size = builder->arena->size};
    builder->overflow_items[2] = (struct ag_bind_item){
        .id = binder->uav_arena.id, .buffer = binder->uav_arena.gpu, .size = binder->uav_arena.size};
    bind_arrays(builder);
    binder->host->counts.overflowing_stages++;
    return outcome;
}

enum ag_outcome ag_overflow_bind(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                 struct ag_bind_item *item)
{
    if (!builder->overflow_items[0].buffer) {
        builder->rows = calloc(builder->module->overflow_rows + 1, ROW_BYTES);
        if (!builder->rows) {
            ag_host_no_memory(builder->binder->host);
            return AG_OUT_OF_MEMORY;
        }
        const enum ag_outcome outcome = make_all(builder);
        free(builder->rows);
        builder->rows = NULL;
        if (outcome != AG_DONE)
            return outcome;
    }
    const uint32_t array = ag_overflow_array(binding);
    const struct ag_bind_item *made = &builder->overflow_items[array ? 2 + array
                                                               : binding->binding == AG_BINDING_OVERFLOW ? 0
                                                               : binding->binding == AG_BINDING_ARENA    ? 1
                                                                                                         : 2];
    const uint32_t number = item->binding;
    *item = *made;
    item->binding = number;
    return AG_DONE;
}
