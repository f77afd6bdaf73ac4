/* SPDX-License-Identifier: MIT
 *
 * Tracks what the packets of a capture read and write, and marks which of them a range needs.
 */
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

/* The handles that a guest context has bound; 0 is none. */
struct work_context {
    uint32_t id;
    struct work_context *next;
    uint32_t colors[AEROGPU_MAX_RENDER_TARGETS], depth_stencil;
    uint32_t textures[STAGES][TEXTURE_SLOTS]; /* t registers: textures and buffers */
    uint32_t constants[STAGES][CONSTANT_SLOTS];
    uint32_t uavs[STAGES][UAV_SLOTS];
    uint32_t vertex_buffers[VERTEX_SLOTS], index_buffer;
    uint32_t streams[AEROGPU_EXT_MAX_STREAM_OUTPUT_BUFFERS];
};

struct work_handle {
    uint32_t resource;
    bool simple; /* the handle is the whole resource: one mip, one layer, no view */
};

struct work_tracker {
    struct ag_capture_work_list *list;
    struct ag_arena arena;
    struct ag_map handles; /* handle to struct work_handle */
    struct ag_map tokens;  /* share token to struct work_handle */
    struct ag_map queries; /* handle to a query that has begun */
    uint32_t query_count;  /* entries of `queries` */
    struct work_context *contexts, *context;
    uint32_t submission;
    bool has_error; /* of the current submission */
    bool failed;    /* out of memory */
};

/* ---- Resources ----------------------------------------------------------------------------------------- */

static struct work_handle *add_handle(struct work_tracker *tracker, struct ag_map *map, uint64_t key,
                                      uint32_t resource, bool simple)
{
    struct work_handle *handle = AG_ARENA_NEW(&tracker->arena, struct work_handle);
    if (handle == NULL || !ag_map_put(map, key, handle)) {
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

/* Makes `handle` another name of what `from` names in `map`. */
static void alias(struct work_tracker *tracker, const struct ag_map *map, uint64_t from, uint32_t handle,
                  bool is_view)
{
    const struct work_handle *known = ag_map_get(map, from);
    if (known != NULL)
        add_handle(tracker, &tracker->handles, handle, known->resource, known->simple && !is_view);
}

/* ---- Work ---------------------------------------------------------------------------------------------- */

static void use(struct work_tracker *tracker, uint32_t handle, bool whole, uint32_t *count)
{
    const struct work_handle *known = handle != 0 ? ag_map_get(&tracker->handles, handle) : NULL;
    if (known == NULL)
        return;
    const struct ag_capture_use entry = {.resource = known->resource, .whole = whole && known->simple};
    if (tracker->list->uses.count < UINT32_MAX && ag_vec_push(&tracker->list->uses, entry))
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

static void read_bindings(struct work_tracker *tracker, struct ag_capture_work *work)
{
    const struct work_context *context = tracker->context;
    use_all(tracker, context->textures[0], STAGES * TEXTURE_SLOTS, &work->read_count);
    use_all(tracker, context->constants[0], STAGES * CONSTANT_SLOTS, &work->read_count);
    use_all(tracker, context->vertex_buffers, VERTEX_SLOTS, &work->read_count);
    use(tracker, context->index_buffer, false, &work->read_count);
}

static void write_targets(struct work_tracker *tracker, struct ag_capture_work *work)
{
    const struct work_context *context = tracker->context;
    use_all(tracker, context->colors, AEROGPU_MAX_RENDER_TARGETS, &work->write_count);
    use(tracker, context->depth_stencil, false, &work->write_count);
}

static void clear_targets(struct work_tracker *tracker, struct ag_capture_work *work, uint32_t flags)
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
        ag_vec_last(&tracker->list->uses).only_depth = (flags & AEROGPU_CLEAR_STENCIL) == 0;
}

/* What a kind of packet does apart from what is bound. Offsets are those of words in the packet; 0: there is
 * none. */
struct work_row {
    uint32_t opcode;
    enum ag_capture_work_kind kind;
    bool answers;         /* reports something to the guest and does nothing else */
    bool stays;           /* changes state, too, so it is always kept */
    uint16_t read, write; /* handles of the resources or views that are read and written */
    uint16_t quiet;       /* the word that controls what the guest is told */
    uint32_t quiet_mask;  /* bits of that word that do not control it */
};

#define AT(packet, member) (uint16_t) offsetof(struct aerogpu_cmd_##packet, member)
#define WRITES_BACK(packet)                                                                                  \
    .quiet = AT(packet, flags), .quiet_mask = ~(uint32_t)AEROGPU_COPY_FLAG_WRITEBACK_DST

/* clang-format off */
static const struct work_row rows[] = {
    {AEROGPU_CMD_DRAW, .kind = AG_CAPTURE_DRAW},
    {AEROGPU_CMD_DRAW_INDEXED, .kind = AG_CAPTURE_DRAW},
    {AEROGPU_CMD_DISPATCH, .kind = AG_CAPTURE_DISPATCH},
    {AEROGPU_CMD_COPY_BUFFER, .read = AT(copy_buffer, src_buffer), .write = AT(copy_buffer, dst_buffer),
     WRITES_BACK(copy_buffer)},
    {AEROGPU_CMD_COPY_TEXTURE2D, .read = AT(copy_texture2d, src_texture), .write = AT(copy_texture2d, dst_texture),
     WRITES_BACK(copy_texture2d)},
    {AEROGPU_CMD_EXT_READ_SUBRESOURCE, .answers = true, .read = AT(ext_read_subresource, resource_handle)},
    {AEROGPU_CMD_EXT_READ_CAPS, .answers = true},
    {AEROGPU_CMD_EXT_COPY_RESOURCE, .read = AT(ext_copy_resource, src_resource),
     .write = AT(ext_copy_resource, dst_resource), WRITES_BACK(ext_copy_resource)},
    {AEROGPU_CMD_EXT_COPY_SUBRESOURCE_REGION, .read = AT(ext_copy_subresource_region, src_resource),
     .write = AT(ext_copy_subresource_region, dst_resource), WRITES_BACK(ext_copy_subresource_region)},
    {AEROGPU_CMD_EXT_COPY_STRUCTURE_COUNT, .read = AT(ext_copy_structure_count, src_view),
     .write = AT(ext_copy_structure_count, dst_buffer), WRITES_BACK(ext_copy_structure_count)},
    {AEROGPU_CMD_EXT_RESOLVE_SUBRESOURCE, .read = AT(ext_resolve_subresource, src_texture),
     .write = AT(ext_resolve_subresource, dst_texture), WRITES_BACK(ext_resolve_subresource)},
    {AEROGPU_CMD_EXT_GENERATE_MIPS, .read = AT(ext_generate_mips, view_handle),
     .write = AT(ext_generate_mips, view_handle)},
    {AEROGPU_CMD_EXT_CLEAR_RENDER_TARGET_VIEW, .write = AT(ext_clear_render_target_view, view_handle)},
    {AEROGPU_CMD_EXT_CLEAR_DEPTH_STENCIL_VIEW, .write = AT(ext_clear_depth_stencil_view, view_handle)},
    {AEROGPU_CMD_EXT_CLEAR_UNORDERED_ACCESS_VIEW, .write = AT(ext_clear_unordered_access_view, view_handle)},
    {AEROGPU_CMD_EXT_DRAW_INSTANCED_INDIRECT, .kind = AG_CAPTURE_DRAW, .read = AT(ext_draw_instanced_indirect, buffer)},
    {AEROGPU_CMD_EXT_DRAW_INDEXED_INSTANCED_INDIRECT, .kind = AG_CAPTURE_DRAW,
     .read = AT(ext_draw_indexed_instanced_indirect, buffer)},
    {AEROGPU_CMD_EXT_DISPATCH_INDIRECT, .kind = AG_CAPTURE_DISPATCH, .read = AT(ext_dispatch_indirect, buffer)},
    {AEROGPU_CMD_EXT_DRAW_AUTO, .kind = AG_CAPTURE_DRAW},
    {AEROGPU_CMD_EXT_END_QUERY, .stays = true, .quiet = AT(ext_end_query, result_alloc_id)},
};
/* clang-format on */

static const struct work_row *find_row(uint32_t opcode)
{
    for (size_t i = 0; i < AG_COUNT_OF(rows); i++) {
        if (rows[i].opcode == opcode)
            return &rows[i];
    }
    return NULL;
}

enum ag_capture_work_kind ag_capture_work_kind_of(uint32_t opcode)
{
    const struct work_row *row = find_row(opcode);
    return row != NULL ? row->kind : AG_CAPTURE_OTHER;
}

static void use_row(struct work_tracker *tracker, const struct work_row *row, const uint8_t *packet,
                    struct ag_capture_work *work)
{
    const struct work_context *context = tracker->context;
    if (row->kind != AG_CAPTURE_OTHER)
        read_bindings(tracker, work);
    if (row->read != 0)
        use(tracker, ag_load_u32(packet + row->read), false, &work->read_count);
    if (row->write != 0)
        use(tracker, ag_load_u32(packet + row->write), false, &work->write_count);
    if (row->kind != AG_CAPTURE_OTHER)
        use_all(tracker, context->uavs[0], STAGES * UAV_SLOTS, &work->write_count);
    if (row->kind == AG_CAPTURE_DRAW) {
        use_all(tracker, context->streams, AEROGPU_EXT_MAX_STREAM_OUTPUT_BUFFERS, &work->write_count);
        write_targets(tracker, work);
    }
    /* The guest may ask for the result of any query, and a predicate affects more than its own draws. */
    work->needed = work->needed || row->stays || (row->kind != AG_CAPTURE_OTHER && tracker->query_count != 0);
    work->answers = row->answers;
    work->quiet = row->quiet;
    work->quiet_mask = row->quiet_mask;
}

/* Adds the packet to the list if it is work. */
static void add_work(struct work_tracker *tracker, const struct agpu_packet *packet)
{
    const struct work_row *row = packet->info != NULL ? find_row(packet->opcode) : NULL;
    struct ag_capture_work work = {
        .submission = tracker->submission,
        .offset = packet->offset,
        .opcode = packet->opcode,
        .first_use = (uint32_t)tracker->list->uses.count,
        .needed = tracker->has_error,
        .verbatim = ag_vec_last(&tracker->list->verbatim),
    };
    if (row != NULL) {
        use_row(tracker, row, packet->data, &work);
    } else if (packet->info == NULL || packet->opcode == AEROGPU_CMD_EXT_EXECUTE_COMMAND_LIST) {
        work.opaque = true;
    } else if (packet->opcode == AEROGPU_CMD_CLEAR) {
        clear_targets(tracker, &work, AGPU_PACKET(packet, clear)->flags);
    } else if (packet->opcode == AEROGPU_CMD_PRESENT || packet->opcode == AEROGPU_CMD_PRESENT_EX) {
        use(tracker, tracker->context->colors[0], false, &work.read_count);
    } else {
        return;
    }
    if (!ag_vec_push(&tracker->list->work, work))
        tracker->failed = true;
}

/* ---- Packets that bind and name ------------------------------------------------------------------------ */

/* Takes handles from bindings: every kind of binding begins with its handle. */
static void bind(const struct agpu_packet *packet, uint32_t start, uint32_t count, uint32_t *slots,
                 uint32_t slot_count)
{
    for (uint32_t i = 0; i < count && start < slot_count && i < slot_count - start; i++) {
        const void *binding = agpu_packet_element(packet, i);
        if (binding != NULL)
            slots[start + i] = ag_load_u32(binding);
    }
}

static void bind_views(struct work_context *context, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_render_targets *wire = AGPU_PACKET(packet, ext_set_render_targets);
    if ((wire->flags & AEROGPU_EXT_KEEP_RENDER_TARGETS) == 0) {
        memset(context->colors, 0, sizeof context->colors);
        for (uint32_t i = 0; i < wire->color_count && i < AEROGPU_MAX_RENDER_TARGETS; i++)
            context->colors[i] = wire->colors[i];
        context->depth_stencil = wire->depth_stencil;
    }
    if ((wire->flags & AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS) == 0) {
        uint32_t *uavs = context->uavs[AGPU_STREAM_STAGE_PIXEL];
        memset(uavs, 0, UAV_SLOTS * sizeof *uavs);
        bind(packet, wire->uav_start_slot, packet->payload_count, uavs, UAV_SLOTS);
    }
}

static void unbind_all(struct work_context *context)
{
    *context = (struct work_context){.id = context->id, .next = context->next};
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
    case AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS: /* both packets have the same fields */
        bind(packet, array->start_slot, packet->payload_count, context->textures[stage], TEXTURE_SLOTS);
        break;
    case AEROGPU_CMD_SET_UNORDERED_ACCESS_BUFFERS:
        bind(packet, array->start_slot, packet->payload_count, context->uavs[stage], UAV_SLOTS);
        break;
    case AEROGPU_CMD_EXT_SET_RENDER_TARGETS:
        bind_views(context, packet);
        break;
    case AEROGPU_CMD_EXT_SET_SHADER_RESOURCES:
        bind(packet, array->start_slot, packet->payload_count, context->textures[stage], TEXTURE_SLOTS);
        break;
    case AEROGPU_CMD_EXT_SET_UNORDERED_ACCESS_VIEWS:
        bind(packet, array->start_slot, packet->payload_count, context->uavs[stage], UAV_SLOTS);
        break;
    case AEROGPU_CMD_EXT_SET_STREAM_OUTPUT_TARGETS:
        memset(context->streams, 0, sizeof context->streams);
        bind(packet, 0, packet->payload_count, context->streams, AEROGPU_EXT_MAX_STREAM_OUTPUT_BUFFERS);
        break;
    case AEROGPU_CMD_EXT_EXECUTE_COMMAND_LIST:
        if ((AGPU_PACKET(packet, ext_execute_command_list)->flags & AEROGPU_EXT_EXECUTE_RESTORE_STATE) != 0)
            break;
        unbind_all(context);
        break;
    case AEROGPU_CMD_EXT_CLEAR_STATE:
        unbind_all(context);
        break;
    default:
        break;
    }
}

static void begin_query(struct work_tracker *tracker, uint32_t handle)
{
    if (ag_map_get(&tracker->queries, handle) != NULL)
        return;
    if (ag_map_put(&tracker->queries, handle, tracker))
        tracker->query_count++;
    else
        tracker->failed = true;
}

static void end_query(struct work_tracker *tracker, uint32_t handle)
{
    if (ag_map_remove(&tracker->queries, handle) != NULL)
        tracker->query_count--;
}

/* Keeps the number of a destroyed handle, because something may still be bound to it. */
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
    case AEROGPU_CMD_EXT_CREATE_BUFFER:
        create(tracker, AGPU_PACKET(packet, ext_create_buffer)->buffer_handle, true);
        break;
    case AEROGPU_CMD_EXT_CREATE_TEXTURE:
        create(tracker, AGPU_PACKET(packet, ext_create_texture)->texture_handle, false);
        break;
    case AEROGPU_CMD_EXT_CREATE_VIEW:
        alias(tracker, &tracker->handles, AGPU_PACKET(packet, ext_create_view)->resource_handle,
              AGPU_PACKET(packet, ext_create_view)->view_handle, true);
        break;
    case AEROGPU_CMD_EXT_BEGIN_QUERY:
        begin_query(tracker, AGPU_PACKET(packet, ext_begin_query)->query_handle);
        break;
    case AEROGPU_CMD_EXT_END_QUERY:
        end_query(tracker, AGPU_PACKET(packet, ext_end_query)->query_handle);
        break;
    case AEROGPU_CMD_EXT_DESTROY_OBJECT:
        end_query(tracker, AGPU_PACKET(packet, ext_destroy_object)->object_handle);
        break;
    case AEROGPU_CMD_EXPORT_SHARED_SURFACE:
        known = ag_map_get(&tracker->handles, AGPU_PACKET(packet, export_shared_surface)->resource_handle);
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
        context = AG_ARENA_NEW(&tracker->arena, struct work_context);
        if (context == NULL)
            return NULL;
        context->id = id;
        context->next = tracker->contexts;
        tracker->contexts = context;
    }
    return context;
}

static bool executes_list(const struct ag_capture_submission_info *info)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (info->stream == NULL ||
        agpu_stream_reader_init(&reader, info->stream, info->head.stream_size, NULL) != AGPU_OK)
        return false;
    while (agpu_stream_next(&reader, &packet)) {
        if (packet.opcode == AEROGPU_CMD_EXT_EXECUTE_COMMAND_LIST)
            return true;
    }
    return false;
}

static void list_submission(struct work_tracker *tracker, const struct ag_capture_submission_info *info)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    /* A stream that failed is kept verbatim, because its results depend on where it stopped; so is one that
     * executes command lists, because what lists report to the guest is unknown. */
    tracker->has_error = info->error != 0;
    if (!ag_vec_push(&tracker->list->verbatim, executes_list(info)))
        tracker->failed = true;
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
            if (packet.opcode == AEROGPU_CMD_EXT_CREATE_DEPTH_STENCIL_STATE)
                tracker->list->has_stencil |=
                    AGPU_PACKET(&packet, ext_create_depth_stencil_state)->stencil_enable != 0;
            note_names(tracker, &packet);
            note_bindings(tracker->context, &packet);
        }
        add_work(tracker, &packet);
    }
}

/* Forgets all objects, because a reset of the ring destroys them. */
static void forget(struct work_tracker *tracker)
{
    ag_map_clear(&tracker->handles);
    ag_map_clear(&tracker->tokens);
    ag_map_clear(&tracker->queries);
    tracker->query_count = 0;
    tracker->contexts = NULL;
}

bool ag_capture_list_work(const struct ag_capture *capture, const struct ag_capture_summary *summary,
                          uint32_t to, struct ag_capture_work_list *list)
{
    struct work_tracker tracker = {.list = list};
    *list = (struct ag_capture_work_list){0};
    for (size_t i = 0; i < capture->records.count && !tracker.failed; i++) {
        const struct ag_capture_record *record = &capture->records.data[i];
        if (ag_capture_is_reset(record))
            forget(&tracker);
        if (record->fourcc != AG_CAPTURE_SUBM)
            continue;
        if (tracker.submission > to)
            break;
        list_submission(&tracker, &summary->submissions.data[tracker.submission]);
        tracker.submission++;
    }
    ag_map_fini(&tracker.handles);
    ag_map_fini(&tracker.tokens);
    ag_map_fini(&tracker.queries);
    ag_arena_fini(&tracker.arena);
    return !tracker.failed;
}

/* ---- What is needed ------------------------------------------------------------------------------------ */

static bool writes_needed(const struct ag_capture_work_list *list, const struct ag_capture_work *work,
                          const bool *live)
{
    for (uint32_t i = 0; i < work->write_count; i++) {
        if (live[list->uses.data[work->first_use + work->read_count + i].resource])
            return true;
    }
    return false;
}

/* Updates which resources are live before a packet, from those that are live after it. */
static void update_live(const struct ag_capture_work_list *list, const struct ag_capture_work *work,
                        bool *live)
{
    const uint32_t count = work->read_count + work->write_count;
    if (count == 0)
        return;
    const struct ag_capture_use *uses = list->uses.data + work->first_use;
    for (uint32_t i = work->read_count; i < count; i++)
        live[uses[i].resource] = !uses[i].whole || (uses[i].only_depth && list->has_stencil);
    for (uint32_t i = 0; i < work->read_count; i++)
        live[uses[i].resource] = true;
}

bool ag_capture_mark_needed(struct ag_capture_work_list *list, uint32_t from, uint32_t to)
{
    bool *live = calloc((size_t)list->resource_count + 1, sizeof *live);
    bool opaque = false;
    if (live == NULL)
        return false;
    for (size_t i = list->work.count; i-- > 0;) {
        struct ag_capture_work *work = &list->work.data[i];
        const bool is_present = work->opcode == AEROGPU_CMD_PRESENT || work->opcode == AEROGPU_CMD_PRESENT_EX;
        const bool inside = work->submission >= from && work->submission <= to;
        if (work->submission > to) {
            work->needed = false;
            continue;
        }
        opaque = opaque || work->opaque;
        const bool goes = is_present || (work->answers && !work->verbatim);
        work->needed =
            inside || work->opaque ||
            (!goes && (work->needed || work->verbatim || opaque || writes_needed(list, work, live)));
        if (work->needed)
            update_live(list, work, live);
    }
    free(live);
    return true;
}

void ag_capture_work_fini(struct ag_capture_work_list *list)
{
    ag_vec_fini(&list->work);
    ag_vec_fini(&list->uses);
    ag_vec_fini(&list->verbatim);
}
