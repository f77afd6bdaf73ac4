/* SPDX-License-Identifier: MIT */
#include "capture/dependencies.h"

#include <stdlib.h>
#include <string.h>

#include "abi/packet_walk.h"
#include "base/bytes.h"

#define STAGES AGPU_STREAM_STAGE_COUNT

/* What a cut may leave out or change. Everything else stays: state and objects, and uploads, whose bytes the
 * capture has anyway. */
#define LISTED_EFFECTS                                                                                       \
    (AG_EFFECT_DRAWS | AG_EFFECT_DISPATCHES | AG_EFFECT_COPIES | AG_EFFECT_CLEARS |                          \
     AG_EFFECT_CLEARS_TARGETS | AG_EFFECT_ANSWERS | AG_EFFECT_QUERIES | AG_EFFECT_EXECUTES |                 \
     AG_EFFECT_PRESENTS)
#define SHADER_WORK (AG_EFFECT_DRAWS | AG_EFFECT_DISPATCHES)

/* Handles as a guest context bound them; 0 is none. */
struct bound_context {
    struct bound_context *next; /* in the list of those that have ended */
    uint32_t slots[];           /* of all states: see first_slot() */
};

struct named_resource {
    uint32_t resource;
    bool simple; /* the name is that of all of the resource: one mip, one layer, no view */
};

struct tracker {
    struct ag_dependencies *list;
    struct ag_arena arena;
    struct ag_map handles;  /* struct named_resource by handle */
    struct ag_map tokens;   /* struct named_resource by share token */
    struct ag_map queries;  /* that have begun, by handle */
    uint32_t query_count;   /* of them */
    struct ag_map contexts; /* struct bound_context by id */
    struct bound_context *context, *ended;
    uint32_t slots[AG_STATE_COUNT +
                   1]; /* of a state: its first among a context's; at the end how many there are */
    uint32_t submission;
    bool has_error; /* of the submission */
    bool failed;    /* out of memory */
};

/* ---- Names --------------------------------------------------------------------------------------------- */

static void add_name(struct tracker *tracker, struct ag_map *map, uint64_t key, uint32_t resource,
                     bool simple)
{
    struct named_resource *name = AG_ARENA_NEW(&tracker->arena, struct named_resource);
    if (name == NULL || !ag_map_put(map, key, name)) {
        tracker->failed = true;
        return;
    }
    *name = (struct named_resource){resource, simple};
}

static void begin_query(struct tracker *tracker, uint64_t handle)
{
    if (ag_map_get(&tracker->queries, handle) != NULL)
        return;
    if (ag_map_put(&tracker->queries, handle, tracker))
        tracker->query_count++;
    else
        tracker->failed = true;
}

static void end_query(struct tracker *tracker, uint64_t handle)
{
    if (ag_map_remove(&tracker->queries, handle) != NULL)
        tracker->query_count--;
}

/* What a packet gives a name to. */
struct naming {
    struct tracker *tracker;
    struct ag_packet_item created, made_of; /* null fields: none */
    bool has_parts, is_one_part;
};

static bool names_a_resource(const struct ag_packet_item *item)
{
    return ag_object_is_resource(item->field->object) || item->field->object == AG_OBJECT_TOKEN;
}

static void note_name(void *user, const struct ag_packet_item *item)
{
    struct naming *naming = user;
    switch ((enum ag_role)item->field->role) {
    case AG_ROLE_CREATES:
        if (names_a_resource(item))
            naming->created = *item;
        break;
    case AG_ROLE_MADE_OF:
        if (names_a_resource(item))
            naming->made_of = *item;
        break;
    case AG_ROLE_PARTS:
        naming->is_one_part = naming->is_one_part && item->value == 1;
        naming->has_parts = true;
        break;
    case AG_ROLE_BEGINS:
        begin_query(naming->tracker, item->value);
        break;
    case AG_ROLE_ENDS:
        end_query(naming->tracker, item->value);
        break;
    case AG_ROLE_DESTROYS:
        /* A destroyed resource keeps its number: something may still be bound to it. */
        if (item->field->object == AG_OBJECT_ANY)
            end_query(naming->tracker, item->value);
        break;
    default:
        break;
    }
}

static struct ag_map *names_of(struct tracker *tracker, const struct ag_packet_item *item)
{
    return item->field->object == AG_OBJECT_TOKEN ? &tracker->tokens : &tracker->handles;
}

static void note_names(struct tracker *tracker, const struct agpu_packet *packet)
{
    struct naming naming = {.tracker = tracker, .is_one_part = true};
    ag_packet_visit(packet, note_name, &naming);
    if (naming.created.field == NULL)
        return;
    struct ag_map *map = names_of(tracker, &naming.created);
    if (naming.made_of.field == NULL) {
        /* Textures whose parts the table does not count may have any: slices, samples, planes. */
        add_name(tracker, map, naming.created.value, tracker->list->resource_count++,
                 naming.is_one_part &&
                     (naming.has_parts || naming.created.field->object == AG_OBJECT_BUFFER));
        return;
    }
    const struct named_resource *known = ag_map_get(names_of(tracker, &naming.made_of), naming.made_of.value);
    if (known != NULL)
        add_name(tracker, map, naming.created.value, known->resource,
                 known->simple && naming.created.field->object != AG_OBJECT_VIEW);
}

static void note_stencil_field(void *user, const struct ag_packet_item *item)
{
    struct tracker *tracker = user;
    if (item->field->role == AG_ROLE_STENCIL_ENABLE && item->value != 0)
        tracker->list->has_stencil = true;
}

static void note_stencil(void *user, const struct agpu_packet *packet)
{
    ag_packet_visit(packet, note_stencil_field, user);
}

/* ---- Bindings ------------------------------------------------------------------------------------------ */

static void lay_out_slots(struct tracker *tracker)
{
    for (uint32_t state = 0; state < AG_STATE_COUNT; state++) {
        const struct ag_state_info *info = ag_state_info((enum ag_state)state);
        tracker->slots[state + 1] = tracker->slots[state] + info->slots * (info->staged ? STAGES : 1u);
    }
}

/* The pixel stage is the first, and that of bindings beside targets. */
static uint32_t first_slot(const struct tracker *tracker, enum ag_state state, enum agpu_stream_stage stage)
{
    const struct ag_state_info *info = ag_state_info(state);
    return tracker->slots[state] + (info->staged && stage < STAGES ? (uint32_t)stage * info->slots : 0);
}

struct binding {
    struct tracker *tracker;
    const struct agpu_packet *packet;
    uint32_t states;                 /* that the packet sets */
    uint32_t starts[AG_STATE_COUNT]; /* slots of the first value */
    uint32_t counts[AG_STATE_COUNT]; /* of the values that count */
};

static void note_number(void *user, const struct ag_packet_item *item)
{
    struct binding *binding = user;
    const uint32_t value = item->value < UINT32_MAX ? (uint32_t)item->value : UINT32_MAX;
    if (item->field->role == AG_ROLE_SLOT)
        binding->starts[item->field->state] = value;
    if (item->field->role == AG_ROLE_COUNT)
        binding->counts[item->field->state] = value;
}

static void note_binding(void *user, const struct ag_packet_item *item)
{
    const struct binding *binding = user;
    const enum ag_state state = (enum ag_state)item->field->state;
    if (item->field->role != AG_ROLE_BINDS || (binding->states & AG_STATE_BIT(state)) == 0 ||
        item->index >= binding->counts[state])
        return;
    const uint32_t start = binding->starts[state], slots = ag_state_info(state)->slots;
    if (start < slots && item->index < slots - start)
        binding->tracker->context
            ->slots[first_slot(binding->tracker, state, binding->packet->stage) + start + item->index] =
            (uint32_t)item->value;
}

static void unbind(struct tracker *tracker, uint32_t first, uint32_t count)
{
    if (count != 0)
        memset(tracker->context->slots + first, 0, count * sizeof *tracker->context->slots);
}

static void end_context(struct tracker *tracker, uint64_t id)
{
    struct bound_context *context = ag_map_get(&tracker->contexts, id);
    if (context == tracker->context) {
        unbind(tracker, 0, tracker->slots[AG_STATE_COUNT]);
    } else if (context != NULL) {
        ag_map_remove(&tracker->contexts, id);
        context->next = tracker->ended;
        tracker->ended = context;
    }
}

static void note_bindings(struct tracker *tracker, const struct agpu_packet *packet)
{
    struct ag_packet_item ended;
    if (ag_packet_does(packet, AG_EFFECT_ENDS_CONTEXT) &&
        ag_packet_find(packet, AG_ROLE_CONTEXT, AG_OBJECT_NONE, &ended))
        end_context(tracker, ended.value);
    struct binding binding = {.tracker = tracker, .packet = packet, .states = ag_packet_states(packet)};
    if (binding.states == 0)
        return;
    for (uint32_t state = 0; state < AG_STATE_COUNT; state++) {
        binding.counts[state] = UINT32_MAX;
        if ((packet->info->replaces & binding.states & AG_STATE_BIT(state)) != 0)
            unbind(tracker, first_slot(tracker, (enum ag_state)state, packet->stage),
                   ag_state_info((enum ag_state)state)->slots);
    }
    if (binding.states == AG_STATES_ALL)
        unbind(tracker, 0, tracker->slots[AG_STATE_COUNT]);
    ag_packet_visit(packet, note_number, &binding);
    ag_packet_visit(packet, note_binding, &binding);
}

/* ---- Uses ---------------------------------------------------------------------------------------------- */

/* The uses of one packet while they are listed. */
struct use_list {
    struct tracker *tracker;
    struct ag_dependency *packet;
};

static void use(struct tracker *tracker, uint64_t handle, bool whole, uint32_t *count)
{
    const struct named_resource *known = handle != 0 ? ag_map_get(&tracker->handles, handle) : NULL;
    if (known == NULL)
        return;
    const struct ag_resource_use entry = {.resource = known->resource, .whole = whole && known->simple};
    if (tracker->list->uses.count < UINT32_MAX && ag_vec_push(&tracker->list->uses, entry))
        (*count)++;
    else
        tracker->failed = true;
}

static void use_bound(struct tracker *tracker, enum ag_state_access access, uint32_t *count)
{
    for (uint32_t state = 0; state < AG_STATE_COUNT; state++) {
        if (ag_state_info((enum ag_state)state)->access != access)
            continue;
        for (uint32_t i = tracker->slots[state]; i < tracker->slots[state + 1]; i++)
            use(tracker, tracker->context->slots[i], false, count);
    }
}

static void use_read(void *user, const struct ag_packet_item *item)
{
    const struct use_list *list = user;
    if (ag_object_is_resource(item->field->object) &&
        (item->field->role == AG_ROLE_READS || item->field->role == AG_ROLE_READS_AND_WRITES))
        use(list->tracker, item->value, false, &list->packet->read_count);
}

static void use_written(void *user, const struct ag_packet_item *item)
{
    const struct use_list *list = user;
    if (ag_object_is_resource(item->field->object) &&
        (item->field->role == AG_ROLE_WRITES || item->field->role == AG_ROLE_READS_AND_WRITES))
        use(list->tracker, item->value, false, &list->packet->write_count);
}

static void clear_targets(struct tracker *tracker, struct ag_dependency *packet, uint32_t flags)
{
    const uint32_t *colors = tracker->context->slots + tracker->slots[AG_STATE_COLOR_TARGETS];
    const uint32_t depth_stencil = tracker->context->slots[tracker->slots[AG_STATE_DEPTH_STENCIL_TARGET]];
    for (uint32_t i = 0; i < AEROGPU_MAX_RENDER_TARGETS && (flags & AEROGPU_CLEAR_COLOR) != 0; i++)
        use(tracker, colors[i], true, &packet->write_count);
    if ((flags & AEROGPU_CLEAR_DEPTH) == 0) {
        if ((flags & AEROGPU_CLEAR_STENCIL) != 0)
            use(tracker, depth_stencil, false, &packet->write_count);
        return;
    }
    const uint32_t before = packet->write_count;
    use(tracker, depth_stencil, true, &packet->write_count);
    if (packet->write_count != before)
        ag_vec_last(&tracker->list->uses).only_depth = (flags & AEROGPU_CLEAR_STENCIL) == 0;
}

static void list_uses(struct tracker *tracker, const struct agpu_packet *packet, struct ag_dependency *entry)
{
    struct use_list list = {tracker, entry};
    struct ag_packet_item flags;
    if ((entry->effects & SHADER_WORK) != 0)
        use_bound(tracker, AG_ACCESS_READ, &entry->read_count);
    if (ag_packet_find(packet, AG_ROLE_PRESENTED, AG_OBJECT_NONE, &flags))
        use(tracker, tracker->context->slots[tracker->slots[AG_STATE_COLOR_TARGETS]], false,
            &entry->read_count);
    ag_packet_visit(packet, use_read, &list);
    ag_packet_visit(packet, use_written, &list);
    if ((entry->effects & SHADER_WORK) != 0)
        use_bound(tracker, AG_ACCESS_WRITE, &entry->write_count);
    if ((entry->effects & AG_EFFECT_DRAWS) != 0)
        use_bound(tracker, AG_ACCESS_DRAW_WRITE, &entry->write_count);
    if ((entry->effects & AG_EFFECT_CLEARS_TARGETS) != 0 &&
        ag_packet_find(packet, AG_ROLE_CLEARED, AG_OBJECT_NONE, &flags))
        clear_targets(tracker, entry, (uint32_t)flags.value);
}

/* What the guest is told: what is written back, or an allocation that takes an answer. */
static void find_quiet(const struct agpu_packet *packet, struct ag_dependency *entry)
{
    struct ag_packet_item item;
    if (ag_packet_find(packet, AG_ROLE_WRITE_BACK, AG_OBJECT_NONE, &item))
        entry->quiet_mask = ~(uint32_t)AEROGPU_COPY_FLAG_WRITEBACK_DST;
    else if (!ag_packet_find(packet, AG_ROLE_WRITES, AG_OBJECT_ALLOCATION, &item))
        return;
    entry->quiet = (uint16_t)item.offset;
}

static void list_packet(struct tracker *tracker, const struct agpu_packet *packet)
{
    if (packet->info != NULL && (packet->info->effects & LISTED_EFFECTS) == 0)
        return;
    struct ag_dependency entry = {
        .submission = tracker->submission,
        .offset = packet->offset,
        .effects = packet->info != NULL ? packet->info->effects : 0,
        .first_use = (uint32_t)tracker->list->uses.count,
        .verbatim = ag_vec_last(&tracker->list->verbatim),
    };
    /* What a query counts somebody may ask for, and a predicate decides more than its own draws. */
    entry.needed = tracker->has_error || (entry.effects & AG_EFFECT_QUERIES) != 0 ||
                   ((entry.effects & SHADER_WORK) != 0 && tracker->query_count != 0);
    list_uses(tracker, packet, &entry);
    find_quiet(packet, &entry);
    if (!ag_vec_push(&tracker->list->packets, entry))
        tracker->failed = true;
}

/* ---- The list ------------------------------------------------------------------------------------------ */

static struct bound_context *find_context(struct tracker *tracker, uint32_t id)
{
    const size_t size =
        sizeof(struct bound_context) + tracker->slots[AG_STATE_COUNT] * sizeof tracker->context->slots[0];
    struct bound_context *context = ag_map_get(&tracker->contexts, id);
    if (context != NULL)
        return context;
    context = tracker->ended;
    if (context != NULL)
        tracker->ended = context->next;
    else
        context = ag_arena_alloc(&tracker->arena, size, sizeof(void *));
    if (context == NULL || !ag_map_put(&tracker->contexts, id, context))
        return NULL;
    memset(context, 0, size);
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
        if (ag_packet_does(&packet, AG_EFFECT_EXECUTES))
            return true;
    }
    return false;
}

static void list_submission(struct tracker *tracker, const struct ag_capture_submission_info *info)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    /* Where it stopped decides what it made: such a stream stays as it is. */
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
        ag_packet_visit_all(&packet, note_stencil, tracker);
        note_names(tracker, &packet);
        note_bindings(tracker, &packet);
        list_packet(tracker, &packet);
    }
}

/* A reset of the ring takes every object along. */
static void forget(struct tracker *tracker)
{
    ag_map_clear(&tracker->handles);
    ag_map_clear(&tracker->tokens);
    ag_map_clear(&tracker->queries);
    tracker->query_count = 0;
    ag_map_clear(&tracker->contexts);
}

bool ag_dependencies_list(const struct ag_capture *capture, const struct ag_capture_summary *summary,
                          uint32_t to, struct ag_dependencies *dependencies)
{
    struct tracker tracker = {.list = dependencies};
    *dependencies = (struct ag_dependencies){0};
    lay_out_slots(&tracker);
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
    ag_map_fini(&tracker.contexts);
    ag_arena_fini(&tracker.arena);
    return !tracker.failed;
}

/* ---- What is needed ------------------------------------------------------------------------------------ */

static bool writes_needed(const struct ag_dependencies *list, const struct ag_dependency *packet,
                          const bool *live)
{
    for (uint32_t i = 0; i < packet->write_count; i++) {
        if (live[list->uses.data[packet->first_use + packet->read_count + i].resource])
            return true;
    }
    return false;
}

/* What must be there before the packet, for it and for what follows. */
static void update_live(const struct ag_dependencies *list, const struct ag_dependency *packet, bool *live)
{
    const uint32_t count = packet->read_count + packet->write_count;
    if (count == 0)
        return;
    const struct ag_resource_use *uses = list->uses.data + packet->first_use;
    for (uint32_t i = packet->read_count; i < count; i++)
        live[uses[i].resource] = !uses[i].whole || (uses[i].only_depth && list->has_stencil);
    for (uint32_t i = 0; i < packet->read_count; i++)
        live[uses[i].resource] = true;
}

bool ag_dependencies_mark(struct ag_dependencies *dependencies, uint32_t from, uint32_t to)
{
    bool *live = calloc((size_t)dependencies->resource_count + 1, sizeof *live);
    bool anything = false; /* may be needed, for nobody knows what comes of it */
    if (live == NULL)
        return false;
    for (size_t i = dependencies->packets.count; i-- > 0;) {
        struct ag_dependency *packet = &dependencies->packets.data[i];
        const bool inside = packet->submission >= from && packet->submission <= to;
        if (packet->submission > to) {
            packet->needed = false;
            continue;
        }
        const bool is_opaque = packet->effects == 0 || (packet->effects & AG_EFFECT_EXECUTES) != 0;
        const bool only_answers = packet->effects == AG_EFFECT_ANSWERS && !packet->verbatim;
        const bool goes = (packet->effects & AG_EFFECT_PRESENTS) != 0 || only_answers;
        anything = anything || is_opaque;
        packet->needed = inside || is_opaque ||
                         (!goes && (packet->needed || packet->verbatim || anything ||
                                    writes_needed(dependencies, packet, live)));
        if (packet->needed)
            update_live(dependencies, packet, live);
    }
    free(live);
    return true;
}

void ag_dependencies_fini(struct ag_dependencies *dependencies)
{
    ag_vec_fini(&dependencies->packets);
    ag_vec_fini(&dependencies->uses);
    ag_vec_fini(&dependencies->verbatim);
}
