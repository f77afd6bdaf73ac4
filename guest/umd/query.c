/* SPDX-License-Identifier: MIT
 *
 * Queries: the host stores each result in a block of the heap before the fence of the submission that ended
 * it.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"

/* How Direct3D hands a result over: words of 64 bits, the last one perhaps a BOOL. */
struct result_layout {
    uint8_t words;
    uint8_t bools; /* behind the words */
    uint8_t bytes;
};

static struct result_layout layout_of(uint32_t type)
{
    switch (type) {
    case AEROGPU_EXT_QUERY_OCCLUSION:
    case AEROGPU_EXT_QUERY_TIMESTAMP:
        return (struct result_layout){1, 0, 8};
    case AEROGPU_EXT_QUERY_TIMESTAMP_DISJOINT:
        return (struct result_layout){1, 1, 16};
    case AEROGPU_EXT_QUERY_PIPELINE_STATISTICS:
        return (struct result_layout){11, 0, 88};
    case AEROGPU_EXT_QUERY_SO_STATISTICS:
    case AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM0:
    case AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM1:
    case AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM2:
    case AEROGPU_EXT_QUERY_SO_STATISTICS_STREAM3:
        return (struct result_layout){2, 0, 16};
    default: /* events and predicates */
        return (struct result_layout){0, 1, 4};
    }
}

enum umd_status umd_create_query(struct umd_device *device, uint32_t type, uint32_t flags,
                                 struct umd_query **result)
{
    *result = NULL;
    struct umd_query *query = umd_allocate(device, sizeof *query);
    if (query == NULL)
        return UMD_NO_MEMORY;
    const enum guest_status status =
        guest_block_allocate(device->guest, sizeof(struct aerogpu_ext_query_result), &query->result);
    if (status == GUEST_OK)
        query->object.handle = umd_new_object_handle(device);
    if (query->object.handle == 0) {
        guest_block_free(device->guest, &query->result);
        umd_release(device, query);
        return status == GUEST_OK ? UMD_NO_MEMORY : umd_status_from(status);
    }
    memset(query->result.bytes, 0, sizeof(struct aerogpu_ext_query_result));
    query->type = type;
    struct aerogpu_cmd_ext_create_query *packet =
        umd_begin_creation(device, AEROGPU_CMD_EXT_CREATE_QUERY, sizeof *packet);
    packet->object_handle = query->object.handle;
    packet->type = type;
    packet->flags = flags;
    packet->reserved0 = 0;
    umd_end_creation(device);
    *result = query;
    return UMD_OK;
}

void umd_destroy_query(struct umd_device *device, struct umd_query *query)
{
    if (query == NULL)
        return;
    const struct umd_ending ending = {
        .opcode = AEROGPU_CMD_EXT_DESTROY_OBJECT, .handle = query->object.handle, .block = query->result};
    umd_end_object(device, &ending, false);
    umd_release(device, query);
}

void umd_query_begin(struct umd_context *context, struct umd_query *query)
{
    if (query->type == AEROGPU_EXT_QUERY_EVENT || query->type == AEROGPU_EXT_QUERY_TIMESTAMP)
        return;
    struct aerogpu_cmd_ext_begin_query *packet =
        umd_packet(context, AEROGPU_CMD_EXT_BEGIN_QUERY, sizeof *packet);
    packet->query_handle = umd_handle(query);
    packet->reserved0 = 0;
}

void umd_query_end(struct umd_context *context, struct umd_query *query)
{
    struct aerogpu_cmd_ext_end_query *packet = umd_packet(context, AEROGPU_CMD_EXT_END_QUERY, sizeof *packet);
    packet->query_handle = umd_handle(query);
    packet->result_alloc_id = GUEST_HEAP_ALLOC_ID;
    packet->result_offset_bytes = query->result.offset;
    if (context->is_deferred) {
        umd_note_in_list(context, &context->ended, query);
        return;
    }
    query->was_ended = true;
    query->ticket = umd_context_ticket(context);
}

uint32_t umd_query_data_bytes(const struct umd_query *query)
{
    return layout_of(query->type).bytes;
}

/* A submission that failed leaves no result: the query is over all the same, with zeros. */
static void store_result(const struct umd_query *query, void *data, uint32_t size_bytes)
{
    const struct result_layout layout = layout_of(query->type);
    struct aerogpu_ext_query_result result;
    uint8_t bytes[88] = {0};
    memcpy(&result, query->result.bytes, sizeof result);
    if (result.is_ready != 0) {
        memcpy(bytes, result.data, (size_t)layout.words * 8);
        const uint32_t value = layout.bools != 0 && result.data[layout.words] != 0;
        if (layout.bools != 0)
            memcpy(bytes + (size_t)layout.words * 8, &value, sizeof value);
    }
    if (data != NULL)
        memcpy(data, bytes, size_bytes < layout.bytes ? size_bytes : layout.bytes);
}

enum umd_status umd_query_get_data(struct umd_context *context, struct umd_query *query, void *data,
                                   uint32_t size_bytes, bool do_not_flush)
{
    if (!query->was_ended)
        return UMD_INVALID;
    if (umd_ticket_fence(context, query->ticket) == 0) {
        if (do_not_flush)
            return UMD_WAS_STILL_DRAWING;
        if (umd_context_submit(context) != UMD_OK)
            return UMD_DEVICE_REMOVED;
    }
    /* Looks once at what the device has done, which lets a device within the process go on. */
    const uint64_t fence = umd_ticket_fence(context, query->ticket);
    enum umd_status status = umd_wait_for_fence(context->device, fence, 0);
    if (status == UMD_OK)
        status = umd_device_check(context->device);
    if (status == UMD_OK)
        store_result(query, data, size_bytes);
    return status;
}
