/* SPDX-License-Identifier: MIT */
#include "exec/snapshot/contexts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "base/archive.h"
#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/context_set.h"
#include "exec/bind/packed_context.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/object/sampler.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/snapshot/sections.h"
#include "exec/state/rect.h"
#include "exec/state/slots.h"
#include "exec/state/state.h"

/* The archive, and where handles are looked up. */
struct context_archive {
    struct ag_archive *archive;
    struct ag_objects *objects;
};

static bool refuse(struct ag_archive *archive, const char *what, uint32_t handle)
{
    return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                             "handle %" PRIu32 " is bound as %s and is none", handle, what);
}

/* ---- Objects in slots -------------------------------------------------------------------------------- */

/* Writes a handle, or looks up what it names; null when it is 0, or after a report. */
static struct ag_handle *archive_handle(struct context_archive *to, uint32_t *handle)
{
    ag_archive_u32(to->archive, handle, UINT32_MAX);
    if (!to->archive->loads || *handle == 0)
        return NULL;
    struct ag_handle *entry = ag_handle_find(to->objects, *handle);
    if (!entry)
        refuse(to->archive, "an object", *handle);
    return entry;
}

static void archive_buffer(struct context_archive *to, struct ag_buffer **buffer)
{
    uint32_t handle = *buffer ? (*buffer)->resource.handle : 0;
    const struct ag_handle *entry = archive_handle(to, &handle);
    if (!entry)
        return;
    if (entry->kind != AG_HANDLE_ALIAS && !entry->view && entry->resource->kind == AG_RESOURCE_BUFFER)
        *buffer = (struct ag_buffer *)entry->resource;
    else
        refuse(to->archive, "a buffer", handle);
}

/* A view of a texture, or the texture that the view of all of it is of. */
static void archive_texture_view(struct context_archive *to, struct ag_texture_view **view)
{
    uint32_t handle = !*view ? 0 : (*view)->handle ? (*view)->handle : (*view)->texture->resource.handle;
    struct ag_handle *entry = archive_handle(to, &handle);
    if (!entry)
        return;
    if (entry->resource->kind != AG_RESOURCE_TEXTURE || entry->kind == AG_HANDLE_ALIAS)
        refuse(to->archive, "a texture", handle);
    else
        *view = entry->view ? &entry->view->texture : &((struct ag_texture *)entry->resource)->whole;
}

static void archive_view(struct context_archive *to, struct ag_view **view, enum aerogpu_ext_view_kind kind,
                         bool plain)
{
    uint32_t handle = *view ? (*view)->handle : 0;
    const struct ag_handle *entry = archive_handle(to, &handle);
    if (!entry)
        return;
    if (entry->view && (entry->view->kind == kind || (plain && entry->view->kind == AG_VIEW_PLAIN)))
        *view = entry->view;
    else
        refuse(to->archive, "a view", handle);
}

/* ---- Slots ------------------------------------------------------------------------------------------- */

static void archive_word(struct context_archive *to, void *slot)
{
    ag_archive_u32(to->archive, slot, UINT32_MAX);
}

static void archive_resource(struct context_archive *to, void *at)
{
    struct ag_resource_slot *slot = at;
    ag_archive_u32(to->archive, &slot->handle, UINT32_MAX);
    archive_view(to, &slot->bound, AEROGPU_EXT_VIEW_SHADER_RESOURCE, true);
    if (!slot->bound) {
        archive_texture_view(to, &slot->view);
        archive_buffer(to, &slot->buffer);
        if (slot->view && slot->buffer)
            refuse(to->archive, "two things", slot->handle);
    } else if (to->archive->loads && slot->bound->resource->kind == AG_RESOURCE_TEXTURE) {
        slot->view = &slot->bound->texture;
    } else if (to->archive->loads) {
        slot->buffer = slot->bound->buffer.buffer;
    }
    ag_archive_u32(to->archive, &slot->offset, UINT32_MAX);
    ag_archive_u32(to->archive, &slot->size, UINT32_MAX);
}

static void archive_buffer_range(struct context_archive *to, struct ag_buffer_slot *slot)
{
    ag_archive_u32(to->archive, &slot->handle, UINT32_MAX);
    ag_archive_u32(to->archive, &slot->offset, UINT32_MAX);
    ag_archive_u32(to->archive, &slot->size, UINT32_MAX);
    ag_archive_u32(to->archive, &slot->initial_count, UINT32_MAX);
}

static void archive_constant_buffer(struct context_archive *to, void *slot)
{
    archive_buffer_range(to, slot);
    archive_buffer(to, &((struct ag_buffer_slot *)slot)->buffer);
}

static void archive_uav(struct context_archive *to, void *at)
{
    struct ag_buffer_slot *slot = at;
    archive_buffer_range(to, slot);
    archive_view(to, &slot->bound, AEROGPU_EXT_VIEW_UNORDERED_ACCESS, false);
    if (!slot->bound)
        archive_buffer(to, &slot->buffer);
    else if (to->archive->loads)
        slot->buffer = slot->bound->buffer.buffer;
}

static void archive_sampler(struct context_archive *to, void *at)
{
    struct ag_sampler_slot *slot = at;
    bool bound = slot->sampler != NULL;
    ag_archive_u32(to->archive, &slot->handle, UINT32_MAX);
    ag_archive_bool(to->archive, &bound);
    if (!to->archive->loads || !bound)
        return;
    slot->sampler = ag_map_get(&to->objects->samplers, slot->handle);
    if (!slot->sampler)
        refuse(to->archive, "a sampler", slot->handle);
}

static void archive_vertex_buffer(struct context_archive *to, void *at)
{
    struct ag_vertex_buffer_slot *slot = at;
    ag_archive_u32(to->archive, &slot->handle, UINT32_MAX);
    archive_buffer(to, &slot->buffer);
    ag_archive_u32(to->archive, &slot->stride, UINT32_MAX);
    ag_archive_u32(to->archive, &slot->offset, UINT32_MAX);
}

static void archive_target(struct context_archive *to, void *at)
{
    struct ag_target_slot *slot = at;
    ag_archive_u32(to->archive, &slot->handle, UINT32_MAX);
    archive_texture_view(to, &slot->view);
}

static void archive_stream_output(struct context_archive *to, void *at)
{
    struct ag_stream_output_target *slot = at;
    ag_archive_u32(to->archive, &slot->handle, UINT32_MAX);
    archive_buffer(to, &slot->buffer);
}

/* Slots that are not empty, each with its number. */
static void archive_slots(struct context_archive *to, void *slots, uint32_t limit, size_t bytes,
                          void (*archive_slot)(struct context_archive *to, void *slot))
{
    uint32_t used = 0;
    for (uint32_t i = 0; !to->archive->loads && i < limit; i++)
        used += !ag_archive_is_zero((uint8_t *)slots + i * bytes, bytes);
    ag_archive_count(to->archive, &used, 2 * sizeof(uint32_t));
    for (uint32_t i = 0; used > 0 && ag_archive_is_ok(to->archive); i++) {
        uint32_t index = i;
        if (!to->archive->loads && ag_archive_is_zero((uint8_t *)slots + i * bytes, bytes))
            continue;
        ag_archive_u32(to->archive, &index, limit - 1);
        archive_slot(to, (uint8_t *)slots + index * bytes);
        used--;
    }
}

#define SLOTS(to, slots, function) archive_slots(to, slots, AG_COUNT_OF(slots), sizeof(slots)[0], function)

/* ---- Stages ------------------------------------------------------------------------------------------ */

#define REGISTER_BYTES ((size_t)AG_CONSTANT_REGISTERS * 16)

/* Registers up to the last byte that is not 0. */
static void archive_registers(struct ag_archive *archive, uint8_t **registers)
{
    bool exists = *registers != NULL;
    uint32_t used = 0;
    ag_archive_bool(archive, &exists);
    if (!exists)
        return;
    if (archive->loads)
        *registers = calloc(1, REGISTER_BYTES);
    if (!*registers) {
        ag_archive_no_memory(archive);
        return;
    }
    for (used = archive->loads ? 0 : (uint32_t)REGISTER_BYTES; used > 0 && (*registers)[used - 1] == 0;)
        used--;
    ag_archive_u32(archive, &used, (uint32_t)REGISTER_BYTES);
    ag_archive_bytes(archive, *registers, used);
}

static const struct ag_field instance_fields[] = {
    AG_FIELD(struct aerogpu_ext_class_instance, function_table, UINT32_MAX),
    AG_FIELD(struct aerogpu_ext_class_instance, constant_buffer, UINT32_MAX),
    AG_FIELD(struct aerogpu_ext_class_instance, constant_offset_bytes, UINT32_MAX),
    AG_FIELD(struct aerogpu_ext_class_instance, texture, UINT32_MAX),
    AG_FIELD(struct aerogpu_ext_class_instance, sampler, UINT32_MAX),
};

static void archive_instances(struct ag_archive *archive, struct ag_class_instances **instances)
{
    bool exists = *instances != NULL;
    ag_archive_bool(archive, &exists);
    if (!exists)
        return;
    if (archive->loads)
        *instances = calloc(1, sizeof **instances);
    if (!*instances) {
        ag_archive_no_memory(archive);
        return;
    }
    ag_archive_u32(archive, &(*instances)->count, AG_MAX_CLASS_INSTANCES);
    for (uint32_t i = 0; i < (*instances)->count; i++) {
        struct aerogpu_ext_class_instance *slot = &(*instances)->slots[i];
        ag_archive_fields(archive, instance_fields, AG_COUNT_OF(instance_fields), slot);
        if (slot->function_table != AEROGPU_EXT_ALL && slot->constant_offset_bytes % 16 != 0)
            ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "class instance %" PRIu32 " is impossible",
                              i);
    }
}

static void archive_stage(struct context_archive *to, struct ag_host *host, struct ag_stage_bindings *stage)
{
    SLOTS(to, stage->resources, archive_resource);
    SLOTS(to, stage->samplers, archive_sampler);
    SLOTS(to, stage->cbuffers, archive_constant_buffer);
    SLOTS(to, stage->uavs, archive_uav);
    for (uint32_t i = 0; to->archive->loads && i < AG_UAV_SLOTS; i++)
        ag_stage_set_uav(stage, i, stage->uavs[i]);
    if (to->archive->loads)
        stage->resource_count = AG_RESOURCE_SLOTS;
    archive_registers(to->archive, &stage->constants.floats);
    archive_registers(to->archive, &stage->constants.integers);
    archive_registers(to->archive, &stage->constants.bools);
    archive_instances(to->archive, &stage->instances);
    if (to->archive->loads)
        stage->constants.version = ag_host_id(host);
}

/* ---- State ------------------------------------------------------------------------------------------- */

#define BLEND_TARGET(i)                                                                                      \
    AG_FIELD(struct ag_context, blend.targets[i].enable, 1),                                                 \
        AG_FIELD(struct ag_context, blend.targets[i].logic_enable, 1),                                       \
        AG_FIELD(struct ag_context, blend.targets[i].source, AEROGPU_EXT_BLEND_INV_SRC1_ALPHA),              \
        AG_FIELD(struct ag_context, blend.targets[i].destination, AEROGPU_EXT_BLEND_INV_SRC1_ALPHA),         \
        AG_FIELD(struct ag_context, blend.targets[i].operation, AEROGPU_EXT_BLEND_OP_MAX),                   \
        AG_FIELD(struct ag_context, blend.targets[i].source_alpha, AEROGPU_EXT_BLEND_INV_SRC1_ALPHA),        \
        AG_FIELD(struct ag_context, blend.targets[i].destination_alpha, AEROGPU_EXT_BLEND_INV_SRC1_ALPHA),   \
        AG_FIELD(struct ag_context, blend.targets[i].operation_alpha, AEROGPU_EXT_BLEND_OP_MAX),             \
        AG_FIELD(struct ag_context, blend.targets[i].logic, AEROGPU_EXT_LOGIC_OP_OR_INVERTED),               \
        AG_FIELD(struct ag_context, blend.targets[i].write_mask, 0xF)

#define STENCIL_FACE(face)                                                                                   \
    AG_FIELD(struct ag_context, depth_stencil.face.fail, AEROGPU_EXT_STENCIL_OP_DECR),                       \
        AG_FIELD(struct ag_context, depth_stencil.face.depth_fail, AEROGPU_EXT_STENCIL_OP_DECR),             \
        AG_FIELD(struct ag_context, depth_stencil.face.pass, AEROGPU_EXT_STENCIL_OP_DECR),                   \
        AG_FIELD(struct ag_context, depth_stencil.face.comparison, AEROGPU_EXT_COMPARISON_ALWAYS)

_Static_assert(AGPU_MAX_RENDER_TARGETS == 8, "there are fields for eight targets");

static const struct ag_field context_fields[] = {
    AG_FIELD(struct ag_context, ended, 1),
    AG_FIELD_ARRAY(struct ag_context, shaders, shaders[0], UINT32_MAX),
    AG_FIELD(struct ag_context, input_layout_handle, UINT32_MAX),
    AG_FIELD(struct ag_context, index_buffer.handle, UINT32_MAX),
    AG_FIELD(struct ag_context, index_buffer.wide, 1),
    AG_FIELD(struct ag_context, index_buffer.offset, UINT32_MAX),
    AG_FIELD(struct ag_context, topology, UINT32_MAX),
    AG_FIELD(struct ag_context, blend.alpha_to_coverage, 1),
    AG_FIELD(struct ag_context, blend.independent, 1),
    BLEND_TARGET(0),
    BLEND_TARGET(1),
    BLEND_TARGET(2),
    BLEND_TARGET(3),
    BLEND_TARGET(4),
    BLEND_TARGET(5),
    BLEND_TARGET(6),
    BLEND_TARGET(7),
    AG_FIELD_ARRAY(struct ag_context, blend_factor, blend_factor[0], UINT32_MAX),
    AG_FIELD(struct ag_context, sample_mask, UINT32_MAX),
    AG_FIELD(struct ag_context, depth_stencil.depth_enable, 1),
    AG_FIELD(struct ag_context, depth_stencil.depth_write, 1),
    AG_FIELD(struct ag_context, depth_stencil.depth_comparison, AEROGPU_EXT_COMPARISON_ALWAYS),
    AG_FIELD(struct ag_context, depth_stencil.stencil_enable, 1),
    AG_FIELD(struct ag_context, depth_stencil.read_mask, UINT8_MAX),
    AG_FIELD(struct ag_context, depth_stencil.write_mask, UINT8_MAX),
    STENCIL_FACE(front),
    STENCIL_FACE(back),
    AG_FIELD(struct ag_context, stencil_reference, UINT8_MAX),
    AG_FIELD(struct ag_context, rasterizer.fill, AEROGPU_EXT_FILL_SOLID),
    AG_FIELD(struct ag_context, rasterizer.cull, AEROGPU_EXT_CULL_BACK),
    AG_FIELD(struct ag_context, rasterizer.front_counter_clockwise, 1),
    AG_FIELD(struct ag_context, rasterizer.depth_clip, 1),
    AG_FIELD(struct ag_context, rasterizer.scissor, 1),
    AG_FIELD(struct ag_context, rasterizer.multisample, 1),
    AG_FIELD(struct ag_context, rasterizer.antialiased_line, 1),
    AG_FIELD(struct ag_context, rasterizer.forced_samples, 16),
    AG_FIELD(struct ag_context, rasterizer.depth_bias, UINT32_MAX),
    AG_FIELD(struct ag_context, rasterizer.depth_bias_clamp, UINT32_MAX),
    AG_FIELD(struct ag_context, rasterizer.slope_scaled_depth_bias, UINT32_MAX),
    AG_FIELD_ARRAY(struct ag_context, viewports, viewports[0].x, UINT32_MAX),
    AG_FIELD(struct ag_context, viewport_count, AG_VIEWPORT_SLOTS),
    AG_FIELD_ARRAY(struct ag_context, scissors, scissors[0].left, UINT64_MAX),
    AG_FIELD(struct ag_context, scissor_count, AG_VIEWPORT_SLOTS),
    AG_FIELD(struct ag_context, target_count, AGPU_MAX_RENDER_TARGETS),
    AG_FIELD(struct ag_context, predicate, UINT32_MAX),
    AG_FIELD(struct ag_context, predicate_skips, 1),
    AG_FIELD(struct ag_context, d3d9_reported, 1),
};

static void restore_names(struct context_archive *to, struct ag_context *context, bool has_layout)
{
    if (has_layout)
        context->input_layout = ag_map_get(&to->objects->input_layouts, context->input_layout_handle);
    if (has_layout && !context->input_layout)
        refuse(to->archive, "an input layout", context->input_layout_handle);
    for (uint32_t i = 0; i < 4; i++)
        context->blend_factor[i] = ag_blend_constant(ag_bits_from_float(context->blend_factor[i]));
    for (uint32_t i = 0; i < AG_VIEWPORT_SLOTS; i++)
        if (ag_viewport_is_off(&context->viewports[i]))
            context->viewports[i] = (struct ag_viewport){0};
}

static void archive_context(struct context_archive *to, struct ag_host *host, struct ag_context *context)
{
    bool has_layout = context->input_layout != NULL;
    ag_archive_fields(to->archive, context_fields, AG_COUNT_OF(context_fields), context);
    ag_archive_bool(to->archive, &has_layout);
    if (to->archive->loads)
        restore_names(to, context, has_layout);
    archive_buffer(to, &context->index_buffer.buffer);
    SLOTS(to, context->vertex_buffers, archive_vertex_buffer);
    SLOTS(to, context->targets, archive_target);
    archive_slots(to, &context->depth_target, 1, sizeof context->depth_target, archive_target);
    SLOTS(to, context->stream_outputs, archive_stream_output);
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++)
        archive_stage(to, host, &context->stages[stage]);
    SLOTS(to, context->render_states, archive_word);
    archive_slots(to, context->sampler_states, sizeof context->sampler_states / sizeof(uint32_t),
                  sizeof(uint32_t), archive_word);
}

/* ---- Saving ------------------------------------------------------------------------------------------ */

static bool save_context(struct ag_execution *rooms, struct ag_archive *archive, struct ag_context *context)
{
    struct context_archive to = {archive, rooms->objects};
    ag_archive_begin(archive, AG_SECTION_CONTEXT, 1);
    ag_archive_u32(archive, &context->id, UINT32_MAX);
    archive_context(&to, rooms->host, context);
    return ag_archive_end(archive);
}

static bool save_packed(struct ag_execution *rooms, struct ag_archive *archive)
{
    const struct ag_context_set *set = &rooms->binder->contexts;
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (ag_map_next(&set->packed, &cursor, &id, &value)) {
        struct ag_context *context = ag_context_unpack(value, set->fresh, (uint32_t)id);
        const bool saved = context ? save_context(rooms, archive, context) : ag_archive_no_memory(archive);
        ag_context_destroy(context);
        if (!saved)
            return false;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct ag_context *x = *(struct ag_context *const *)a, *y = *(struct ag_context *const *)b;
    return (x->used > y->used) - (x->used < y->used);
}

/* Contexts that wait come first, then all other contexts by their use, so that each waits or not as before.
 */
bool ag_contexts_save(struct ag_execution *rooms, struct ag_archive *archive)
{
    struct ag_context *live[AG_LIVE_CONTEXTS];
    uint32_t count = 0;
    size_t cursor = 0;
    uint64_t id;
    void *value;
    if (!save_packed(rooms, archive))
        return false;
    while (count < AG_LIVE_CONTEXTS && ag_map_next(&rooms->binder->contexts.live, &cursor, &id, &value))
        live[count++] = value;
    qsort(live, count, sizeof live[0], compare);
    for (uint32_t i = 0; i < count; i++)
        if (!save_context(rooms, archive, live[i]))
            return false;
    return ag_archive_is_ok(archive);
}

/* ---- Loading ----------------------------------------------------------------------------------------- */

static bool load_context(struct ag_execution *rooms, struct ag_archive *archive)
{
    const struct ag_context_set *set = &rooms->binder->contexts;
    struct context_archive from = {archive, rooms->objects};
    uint32_t id = 0;
    ag_archive_begin(archive, AG_SECTION_CONTEXT, 1);
    ag_archive_u32(archive, &id, UINT32_MAX);
    if (ag_map_get(&set->live, id) || ag_map_get(&set->packed, id))
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "context %" PRIu32 " is there twice",
                                 id);
    struct ag_context *context = ag_archive_is_ok(archive) ? ag_context_get(rooms->binder, id) : NULL;
    if (!context)
        return ag_archive_fail(archive, AGPU_REFUSED);
    archive_context(&from, rooms->host, context);
    return ag_archive_end(archive);
}

bool ag_contexts_load(struct ag_execution *rooms, struct ag_archive *archive)
{
    while (ag_archive_next_is(archive, AG_SECTION_CONTEXT))
        if (!load_context(rooms, archive))
            return false;
    return ag_archive_is_ok(archive);
}
