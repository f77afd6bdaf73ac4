/* SPDX-License-Identifier: MIT */
#include "capture/work.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"

#define TEXTURE_SLOTS 128u
#define CONSTANT_SLOTS 14u
#define UAV_SLOTS 64u
#define VERTEX_SLOTS 32u
#define STAGES AGPU_STREAM_STAGE_COUNT

/* Handles as a guest context bound them; 0 is none. */
struct work_context {
    uint32_t id;
    struct work_context *next;
    uint32_t colors[AEROGPU_MAX_RENDER_TARGETS], depth_stencil;
    uint32_t textures[STAGES][TEXTURE_SLOTS]; /* t registers: textures and buffers */
    uint32_t constants[STAGES][CONSTANT_SLOTS];
    uint32_t uavs[STAGES][UAV_SLOTS];
    uint32_t vertex_buffers[VERTEX_SLOTS], index_buffer;
};

struct work_handle {
    uint32_t resource;
    bool simple; /* the handle is all of the resource: one mip, one layer, no view */
};

struct work_tracker {
    struct capture_work_list *list;
    struct agpu_arena arena;
    struct agpu_map handles; /* struct work_handle by handle */
    struct agpu_map tokens;  /* struct work_handle by share token */
    struct work_context *contexts, *context;
    uint32_t submission;
    bool has_error; /* of the submission */
    bool failed;    /* out of memory */
};

/* ---- Resources ----------------------------------------------------------------------------------------- */

static struct work_handle *add_handle(struct work_tracker *tracker, struct agpu_map *map, uint64_t key,
                                      uint32_t resource, bool simple)
{
    struct work_handle *handle = AGPU_ARENA_NEW(&tracker->arena, struct work_handle);
    if (handle == NULL || !agpu_map_put(map, key, handle)) {
        tracker->failed = true;
        return NULL;
    }
    *handle = (struct work_handle){resource, simple};
    return handle;
}

static void create(struct work_tracker *tracker, uint32_t handle, bool simple)
{
    add_handle(tracker, &tracker->handles, handle, tracker->list->resource_count++, simple);
}

/* Another name of what `from` names in `map`. */
static void alias(struct work_tracker *tracker, const struct agpu_map *map, uint64_t from, uint32_t handle,
                  bool is_view)
{
    const struct work_handle *known = agpu_map_get(map, from);
    if (known != NULL)
        add_handle(tracker, &tracker->handles, handle, known->resource, known->simple && !is_view);
}

/* ---- Work ---------------------------------------------------------------------------------------------- */

static void use(struct work_tracker *tracker, uint32_t handle, bool whole, uint32_t *count)
{
    const struct work_handle *known = handle != 0 ? agpu_map_get(&tracker->handles, handle) : NULL;
    if (known == NULL)
        return;
    const struct capture_use entry = {.resource = known->resource, .whole = whole && known->simple};
    if (tracker->list->uses.count < UINT32_MAX && agpu_vec_push(&tracker->list->uses, entry))
        (*count)++;
    else
        tracker->failed = true;
}

static void use_all(struct work_tracker *tracker, const uint32_t *handles, uint32_t handle_count,
                    uint32_t *count)
{
    for (uint32_t i = 0; i < handle_count; i++)
        use(tracker, handles[i], false, count);
}

static void read_bindings(struct work_tracker *tracker, struct capture_work *work)
{
    const struct work_context *context = tracker->context;
    use_all(tracker, context->textures[0], STAGES * TEXTURE_SLOTS, &work->read_count);
    use_all(tracker, context->constants[0], STAGES * CONSTANT_SLOTS, &work->read_count);
    use_all(tracker, context->vertex_buffers, VERTEX_SLOTS, &work->read_count);
    use(tracker, context->index_buffer, false, &work->read_count);
}

static void write_targets(struct work_tracker *tracker, struct capture_work *work)
{
    const struct work_context *context = tracker->context;
    use_all(tracker, context->colors, AEROGPU_MAX_RENDER_TARGETS, &work->write_count);
    use(tracker, context->depth_stencil, false, &work->write_count);
}

static void clear_targets(struct work_tracker *tracker, struct capture_work *work, uint32_t flags)
{
    const struct work_context *context = tracker->context;
    for (uint32_t i = 0; i < AEROGPU_MAX_RENDER_TARGETS && (flags & AEROGPU_CLEAR_COLOR) != 0; i++)
        use(tracker, context->colors[i], true, &work->write_count);
    if ((flags & AEROGPU_CLEAR_DEPTH) == 0) {
        if ((flags & AEROGPU_CLEAR_STENCIL) != 0)
            use(tracker, context->depth_stencil, false, &work->write_count);
        return;
    }
    const uint32_t before = work->write_count;
    use(tracker, context->depth_stencil, true, &work->write_count);
    if (work->write_count != before)
        agpu_vec_last(&tracker->list->uses).only_depth = (flags & AEROGPU_CLEAR_STENCIL) == 0;
}

/* Adds the packet if it is work. */
static void add_work(struct work_tracker *tracker, const struct agpu_packet *packet)
{
    struct work_context *context = tracker->context;
    struct capture_work work = {
        .submission = tracker->submission,
        .offset = packet->offset,
        .opcode = packet->opcode,
        .first_use = (uint32_t)tracker->list->uses.count,
        .needed = tracker->has_error,
    };
    switch (packet->opcode) {
    case AEROGPU_CMD_DRAW:
    case AEROGPU_CMD_DRAW_INDEXED:
        read_bindings(tracker, &work);
        use_all(tracker, context->uavs[0], STAGES * UAV_SLOTS, &work.write_count);
        write_targets(tracker, &work);
        break;
    case AEROGPU_CMD_DISPATCH:
        read_bindings(tracker, &work);
        use_all(tracker, context->uavs[0], STAGES * UAV_SLOTS, &work.write_count);
        break;
    case AEROGPU_CMD_CLEAR:
        clear_targets(tracker, &work, AGPU_PACKET(packet, clear)->flags);
        break;
    case AEROGPU_CMD_COPY_BUFFER:
        use(tracker, AGPU_PACKET(packet, copy_buffer)->src_buffer, false, &work.read_count);
        use(tracker, AGPU_PACKET(packet, copy_buffer)->dst_buffer, false, &work.write_count);
        break;
    case AEROGPU_CMD_COPY_TEXTURE2D:
        use(tracker, AGPU_PACKET(packet, copy_texture2d)->src_texture, false, &work.read_count);
        use(tracker, AGPU_PACKET(packet, copy_texture2d)->dst_texture, false, &work.write_count);
        break;
    case AEROGPU_CMD_PRESENT:
    case AEROGPU_CMD_PRESENT_EX:
        use(tracker, context->colors[0], false, &work.read_count);
        break;
    default:
        if (packet->info != NULL && packet->opcode < AEROGPU_EXT_OPCODE_BASE)
            return;
        work.opaque = true;
        break;
    }
    if (!agpu_vec_push(&tracker->list->work, work))
        tracker->failed = true;
}

/* ---- Packets that bind and name ------------------------------------------------------------------------ */

/* Handles are the first word of every kind of binding. */
static void bind(const struct agpu_packet *packet, uint32_t start, uint32_t count, uint32_t *slots,
                 uint32_t slot_count)
{
    for (uint32_t i = 0; i < count && start < slot_count && i < slot_count - start; i++) {
        const void *binding = agpu_packet_element(packet, i);
        if (binding != NULL)
            slots[start + i] = agpu_load_u32(binding);
    }
}

static void note_bindings(struct work_context *context, const struct agpu_packet *packet)
{
    const uint32_t stage = packet->stage < STAGES ? packet->stage : 0;
    const struct aerogpu_cmd_set_constant_buffers *array = AGPU_PACKET(packet, set_constant_buffers);
    switch (packet->opcode) {
    case AEROGPU_CMD_SET_RENDER_TARGETS:
        memcpy(context->colors, AGPU_PACKET(packet, set_render_targets)->colors, sizeof context->colors);
        context->depth_stencil = AGPU_PACKET(packet, set_render_targets)->depth_stencil;
        break;
    case AEROGPU_CMD_SET_TEXTURE:
        if (AGPU_PACKET(packet, set_texture)->slot < TEXTURE_SLOTS)
            context->textures[stage][AGPU_PACKET(packet, set_texture)->slot] =
                AGPU_PACKET(packet, set_texture)->texture;
        break;
    case AEROGPU_CMD_SET_VERTEX_BUFFERS:
        bind(packet, AGPU_PACKET(packet, set_vertex_buffers)->start_slot, packet->payload_count,
             context->vertex_buffers, VERTEX_SLOTS);
        break;
    case AEROGPU_CMD_SET_INDEX_BUFFER:
        context->index_buffer = AGPU_PACKET(packet, set_index_buffer)->buffer;
        break;
    case AEROGPU_CMD_SET_CONSTANT_BUFFERS:
        bind(packet, array->start_slot, packet->payload_count, context->constants[stage], CONSTANT_SLOTS);
        break;
    case AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS: /* the same layout, as is the next */
        bind(packet, array->start_slot, packet->payload_count, context->textures[stage], TEXTURE_SLOTS);
        break;
    case AEROGPU_CMD_SET_UNORDERED_ACCESS_BUFFERS:
        bind(packet, array->start_slot, packet->payload_count, context->uavs[stage], UAV_SLOTS);
        break;
    default:
        break;
    }
}

/* What is destroyed keeps its number: something may still be bound to it. */
static void note_names(struct work_tracker *tracker, const struct agpu_packet *packet)
{
    const struct work_handle *known;
    switch (packet->opcode) {
    case AEROGPU_CMD_CREATE_BUFFER:
        create(tracker, AGPU_PACKET(packet, create_buffer)->buffer_handle, true);
        break;
    case AEROGPU_CMD_CREATE_TEXTURE2D:
        create(tracker, AGPU_PACKET(packet, create_texture2d)->texture_handle,
               AGPU_PACKET(packet, create_texture2d)->mip_levels == 1 &&
                   AGPU_PACKET(packet, create_texture2d)->array_layers == 1);
        break;
    case AEROGPU_CMD_CREATE_TEXTURE_VIEW:
        alias(tracker, &tracker->handles, AGPU_PACKET(packet, create_texture_view)->texture_handle,
              AGPU_PACKET(packet, create_texture_view)->view_handle, true);
        break;
    case AEROGPU_CMD_EXPORT_SHARED_SURFACE:
        known = agpu_map_get(&tracker->handles, AGPU_PACKET(packet, export_shared_surface)->resource_handle);
        if (known != NULL)
            add_handle(tracker, &tracker->tokens, AGPU_PACKET(packet, export_shared_surface)->share_token,
                       known->resource, known->simple);
        break;
    case AEROGPU_CMD_IMPORT_SHARED_SURFACE:
        alias(tracker, &tracker->tokens, AGPU_PACKET(packet, import_shared_surface)->share_token,
              AGPU_PACKET(packet, import_shared_surface)->out_resource_handle, false);
        break;
    default:
        break;
    }
}

/* ---- The list ------------------------------------------------------------------------------------------ */

static struct work_context *find_context(struct work_tracker *tracker, uint32_t id)
{
    struct work_context *context = tracker->contexts;
    while (context != NULL && context->id != id)
        context = context->next;
    if (context == NULL) {
        context = AGPU_ARENA_NEW(&tracker->arena, struct work_context);
        if (context == NULL)
            return NULL;
        context->id = id;
        context->next = tracker->contexts;
        tracker->contexts = context;
    }
    return context;
}

static void list_submission(struct work_tracker *tracker, const struct capture_submission_info *info)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    /* Where it stopped decides what it made: such a stream stays as it is. */
    tracker->has_error = info->error != 0;
    tracker->context = find_context(tracker, info->head.context_id);
    if (tracker->context == NULL)
        tracker->failed = true;
    if (tracker->failed || info->stream == NULL ||
        agpu_stream_reader_init(&reader, info->stream, info->head.stream_size, NULL) != AGPU_OK)
        return;
    while (!tracker->failed && agpu_stream_next(&reader, &packet)) {
        if (packet.info != NULL) {
            if (packet.opcode == AEROGPU_CMD_SET_DEPTH_STENCIL_STATE)
                tracker->list->has_stencil |=
                    AGPU_PACKET(&packet, set_depth_stencil_state)->state.stencil_enable != 0;
            note_names(tracker, &packet);
            note_bindings(tracker->context, &packet);
        }
        add_work(tracker, &packet);
    }
}

/* A reset of the ring takes every object along. */
static void forget(struct work_tracker *tracker)
{
    agpu_map_clear(&tracker->handles);
    agpu_map_clear(&tracker->tokens);
    tracker->contexts = NULL;
}

bool capture_list_work(const struct agpu_capture *capture, const struct capture_summary *summary, uint32_t to,
                       struct capture_work_list *list)
{
    struct work_tracker tracker = {.list = list};
    *list = (struct capture_work_list){0};
    for (size_t i = 0; i < capture->records.count && !tracker.failed; i++) {
        const struct capture_record *record = &capture->records.data[i];
        if (capture_is_reset(record))
            forget(&tracker);
        if (record->fourcc != CAPTURE_SUBM)
            continue;
        if (tracker.submission > to)
            break;
        list_submission(&tracker, &summary->submissions.data[tracker.submission]);
        tracker.submission++;
    }
    agpu_map_fini(&tracker.handles);
    agpu_map_fini(&tracker.tokens);
    agpu_arena_fini(&tracker.arena);
    return !tracker.failed;
}

/* ---- What is needed ------------------------------------------------------------------------------------ */

static bool writes_needed(const struct capture_work_list *list, const struct capture_work *work,
                          const bool *live)
{
    for (uint32_t i = 0; i < work->write_count; i++) {
        if (live[list->uses.data[work->first_use + work->read_count + i].resource])
            return true;
    }
    return false;
}

/* What must be there before the packet, for it and for what follows. */
static void update_live(const struct capture_work_list *list, const struct capture_work *work, bool *live)
{
    const uint32_t count = work->read_count + work->write_count;
    if (count == 0)
        return;
    const struct capture_use *uses = list->uses.data + work->first_use;
    for (uint32_t i = work->read_count; i < count; i++)
        live[uses[i].resource] = !uses[i].whole || (uses[i].only_depth && list->has_stencil);
    for (uint32_t i = 0; i < work->read_count; i++)
        live[uses[i].resource] = true;
}

bool capture_mark_needed(struct capture_work_list *list, uint32_t from, uint32_t to)
{
    bool *live = calloc((size_t)list->resource_count + 1, sizeof *live);
    bool opaque = false;
    if (live == NULL)
        return false;
    for (size_t i = list->work.count; i-- > 0;) {
        struct capture_work *work = &list->work.data[i];
        const bool is_present = work->opcode == AEROGPU_CMD_PRESENT || work->opcode == AEROGPU_CMD_PRESENT_EX;
        const bool inside = work->submission >= from && work->submission <= to;
        if (work->submission > to) {
            work->needed = false;
            continue;
        }
        opaque = opaque || work->opaque;
        work->needed = inside || work->opaque ||
                       (!is_present && (work->needed || opaque || writes_needed(list, work, live)));
        if (work->needed)
            update_live(list, work, live);
    }
    free(live);
    return true;
}

void capture_work_fini(struct capture_work_list *list)
{
    agpu_vec_fini(&list->work);
    agpu_vec_fini(&list->uses);
}
