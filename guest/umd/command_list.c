/* SPDX-License-Identifier: MIT
 *
 * Command lists: the packets of a deferred context, handed to the host once and executed by name.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"
#include "guest/umd/dynamic.h"
#include "guest/umd/map.h"

static uint32_t recorded_bytes(const struct umd_context *context)
{
    return context->packets != NULL ? (uint32_t)(context->stream.at - context->packets) : 0;
}

/* The deferred context is as new, but keeps its memory. */
static void start_over(struct umd_context *context)
{
    context->stream.at = context->packets != NULL ? context->packets : context->stream.sink;
    context->stream.end =
        context->packets != NULL ? context->packets + context->packet_capacity : context->stream.sink;
    context->out_of_memory = false;
    context->ended = context->written = (struct umd_noted){0};
    umd_forget_deferred_maps(context);
    umd_context_forget_state(context);
}

void umd_note_in_list(struct umd_context *context, struct umd_noted *noted, void *object)
{
    for (uint32_t i = 0; i < noted->count; i++)
        if (noted->objects[i] == object)
            return;
    if (noted->count == noted->capacity) {
        const uint32_t capacity = noted->capacity != 0 ? noted->capacity * 2 : 16;
        void **objects = umd_grow(context->device, noted->objects, noted->count * sizeof *objects,
                                  (uint64_t)capacity * sizeof *objects);
        if (objects == NULL) {
            context->out_of_memory = true;
            return;
        }
        noted->objects = objects;
        noted->capacity = capacity;
    }
    noted->objects[noted->count++] = object;
}

static bool write_list(struct umd_context *deferred, aerogpu_handle_t handle)
{
    struct umd_device *device = deferred->device;
    struct aerogpu_cmd_ext_create_command_list *packet;
    const uint32_t bytes = recorded_bytes(deferred);
    packet = umd_begin_long_creation(device, AEROGPU_CMD_EXT_CREATE_COMMAND_LIST,
                                     sizeof *packet + (uint64_t)bytes);
    if (packet != NULL) {
        packet->object_handle = handle;
        packet->size_bytes = bytes;
        if (bytes != 0)
            memcpy(packet + 1, deferred->packets, bytes);
    }
    umd_end_creation(device);
    return packet != NULL;
}

/* What the deferred context has noted is the list's from now on. */
static struct umd_command_list *make_list(struct umd_context *deferred)
{
    struct umd_device *device = deferred->device;
    struct umd_command_list *list = deferred->out_of_memory ? NULL : umd_make_object(device, sizeof *list);
    if (list == NULL)
        return NULL;
    if (!write_list(deferred, list->object.handle)) {
        umd_give_up_object(device, list);
        return NULL;
    }
    list->ended = deferred->ended;
    list->written = deferred->written;
    deferred->ended = deferred->written = (struct umd_noted){0};
    return list;
}

enum umd_status umd_create_command_list(struct umd_context *deferred, struct umd_command_list **list)
{
    *list = make_list(deferred);
    umd_release(deferred->device, deferred->ended.objects);
    umd_release(deferred->device, deferred->written.objects);
    start_over(deferred);
    return *list != NULL ? UMD_OK : UMD_NO_MEMORY;
}

void umd_destroy_command_list(struct umd_device *device, struct umd_command_list *list)
{
    if (list == NULL)
        return;
    umd_release(device, list->ended.objects);
    umd_release(device, list->written.objects);
    umd_destroy_object(device, list, AEROGPU_CMD_EXT_DESTROY_OBJECT);
}

/* What the list's packets do is known to the driver as what they do now. */
static void note_effects(struct umd_context *context, const struct umd_command_list *list)
{
    for (uint32_t i = 0; i < list->ended.count; i++) {
        struct umd_query *query = list->ended.objects[i];
        query->was_ended = true;
        query->ticket = umd_context_ticket(context);
    }
    for (uint32_t i = 0; i < list->written.count; i++)
        umd_resource_was_written(context, list->written.objects[i], AEROGPU_EXT_ALL);
}

void umd_execute_command_list(struct umd_context *context, struct umd_command_list *list, bool restore_state)
{
    if (!context->is_deferred)
        umd_settle_all(context);
    struct aerogpu_cmd_ext_execute_command_list *packet =
        umd_packet(context, AEROGPU_CMD_EXT_EXECUTE_COMMAND_LIST, sizeof *packet);
    packet->list_handle = umd_handle(list);
    packet->flags = restore_state ? AEROGPU_EXT_EXECUTE_RESTORE_STATE : 0;
    if (!context->is_deferred)
        note_effects(context, list);
    if (!restore_state)
        umd_context_forget_state(context);
}
