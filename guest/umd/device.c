/* SPDX-License-Identifier: MIT
 *
 * Devices: their streams, what is created and what ends.
 */
#include "guest/umd/device.h"

#include "guest/core/memory.h"
#include "guest/umd/context.h"
#include "guest/umd/resource.h"

/* ---- Private memory ------------------------------------------------------------------------------------ */

void *umd_allocate(struct umd_device *device, uint64_t size)
{
    const struct guest_allocator *allocator = guest_device_allocator(device->guest);
    if (size > SIZE_MAX / 2)
        return NULL;
    void *memory = allocator->allocate(allocator->user, size != 0 ? (size_t)size : 1);
    if (memory != NULL)
        memset(memory, 0, (size_t)size);
    return memory;
}

void umd_release(struct umd_device *device, void *memory)
{
    const struct guest_allocator *allocator = guest_device_allocator(device->guest);
    allocator->release(allocator->user, memory);
}

void *umd_grow(struct umd_device *device, void *memory, size_t used, uint64_t size)
{
    void *grown = umd_allocate(device, size);
    if (grown == NULL)
        return NULL;
    if (used != 0)
        memcpy(grown, memory, used);
    umd_release(device, memory);
    return grown;
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static struct umd_device *make_device(struct umd_adapter *adapter)
{
    const struct guest_allocator *allocator = guest_device_allocator(adapter->guest);
    struct umd_device *device = allocator->allocate(allocator->user, sizeof *device);
    if (device == NULL)
        return NULL;
    memset(device, 0, sizeof *device);
    device->adapter = adapter;
    device->guest = adapter->guest;
    device->immediate = umd_allocate(device, sizeof *device->immediate);
    if (device->immediate == NULL) {
        umd_release(device, device);
        return NULL;
    }
    return device;
}

enum umd_status umd_create_device(struct umd_adapter *adapter, struct umd_device **result)
{
    struct umd_device *device = make_device(adapter);
    *result = device;
    if (device == NULL)
        return UMD_NO_MEMORY;
    umd_removal_init(device);
    guest_stream_init(&device->creations, device->guest, guest_device_new_context(device->guest), 0);
    umd_context_init(device->immediate, device, false);
    return UMD_OK;
}

static void end_context(struct guest_stream *stream, uint32_t context_id)
{
    struct aerogpu_cmd_ext_destroy_context *packet =
        guest_stream_packet(stream, AEROGPU_CMD_EXT_DESTROY_CONTEXT, sizeof *packet);
    packet->context_id = context_id;
    packet->reserved0 = 0;
}

void umd_destroy_device(struct umd_device *device)
{
    if (device == NULL)
        return;
    umd_context_submit(device->immediate);
    end_context(&device->creations, device->immediate->stream.context_id);
    end_context(&device->creations, device->creations.context_id);
    guest_device_lock_user(device->guest);
    umd_write_endings(device, &device->creations);
    guest_stream_submit(&device->creations, AEROGPU_SUBMIT_FLAG_NONE, NULL);
    guest_device_unlock_user(device->guest);
    umd_removal_fini(device);
    guest_stream_fini(&device->creations);
    umd_context_fini(device->immediate);
    umd_release(device, device->immediate);
    umd_release(device, device->endings);
    umd_release(device, device);
}

struct umd_adapter *umd_device_adapter(struct umd_device *device)
{
    return device->adapter;
}

struct umd_context *umd_immediate_context(struct umd_device *device)
{
    return device->immediate;
}

void umd_watch_submissions(struct umd_device *device, void (*before)(void *user), void *user)
{
    device->before_submission = before;
    device->user_of_before = user;
}

/* ---- Creations ----------------------------------------------------------------------------------------- */

void *umd_begin_creation(struct umd_device *device, uint32_t opcode, uint32_t size)
{
    guest_device_lock_user(device->guest);
    return guest_stream_packet(&device->creations, opcode, size);
}

void *umd_begin_long_creation(struct umd_device *device, uint32_t opcode, uint64_t size)
{
    guest_device_lock_user(device->guest);
    return guest_stream_long_packet(&device->creations, opcode, size);
}

void umd_end_creation(struct umd_device *device)
{
    const enum guest_status status = device->creations.status;
    guest_device_unlock_user(device->guest);
    if (status != GUEST_OK)
        umd_device_fails(device, status);
}

enum guest_status umd_submit_creations(struct umd_device *device)
{
    guest_device_lock_user(device->guest);
    const enum guest_status status = guest_stream_submit(&device->creations, AEROGPU_SUBMIT_FLAG_NONE, NULL);
    guest_device_unlock_user(device->guest);
    return status;
}

/* ---- Ends ---------------------------------------------------------------------------------------------- */

/* All packets that end objects have the handle behind their header, and one more word. */
static void write_ending(struct umd_device *device, struct guest_stream *stream, struct umd_ending *ending)
{
    if (ending->handle != 0) {
        struct aerogpu_cmd_ext_destroy_object *packet =
            guest_stream_packet(stream, ending->opcode, sizeof *packet);
        packet->object_handle = ending->handle;
        packet->reserved0 = 0;
    }
    guest_stream_retire(stream, &ending->block);
    if (ending->resource != NULL)
        umd_resource_release(device, ending->resource, stream);
}

void umd_write_endings(struct umd_device *device, struct guest_stream *stream)
{
    for (uint32_t i = 0; i < device->ending_count; i++)
        write_ending(device, stream, &device->endings[i]);
    device->object_count -= device->ending_count;
    device->ending_count = 0;
}

/* Room for the ends of so many objects. */
static bool reserve_endings(struct umd_device *device, uint32_t count)
{
    if (count <= device->ending_capacity)
        return true;
    const uint32_t capacity = device->ending_capacity != 0 ? device->ending_capacity * 2 : 64;
    struct umd_ending *endings = umd_grow(device, device->endings, device->ending_count * sizeof *endings,
                                          (uint64_t)capacity * sizeof *endings);
    if (endings == NULL)
        return false;
    device->endings = endings;
    device->ending_capacity = capacity;
    return true;
}

aerogpu_handle_t umd_new_object_handle(struct umd_device *device)
{
    guest_device_lock_user(device->guest);
    const bool has_room = reserve_endings(device, device->object_count + 1);
    device->object_count += has_room;
    guest_device_unlock_user(device->guest);
    return has_room ? guest_device_new_handle(device->guest) : 0;
}

void umd_end_object(struct umd_device *device, const struct umd_ending *ending, bool by_immediate)
{
    guest_device_lock_user(device->guest);
    if (!by_immediate && !atomic_load_explicit(&device->immediate_has_packets, memory_order_acquire)) {
        struct umd_ending now = *ending;
        write_ending(device, &device->creations, &now);
        device->object_count--;
    } else {
        device->endings[device->ending_count++] = *ending;
    }
    guest_device_unlock_user(device->guest);
}

/* ---- Objects of one handle ----------------------------------------------------------------------------- */

void *umd_make_object(struct umd_device *device, size_t size)
{
    struct umd_object *object = umd_allocate(device, size);
    if (object == NULL)
        return NULL;
    object->handle = umd_new_object_handle(device);
    if (object->handle != 0)
        return object;
    umd_release(device, object);
    return NULL;
}

void umd_give_up_object(struct umd_device *device, void *object)
{
    guest_device_lock_user(device->guest);
    device->object_count--;
    guest_device_unlock_user(device->guest);
    umd_release(device, object);
}

void umd_destroy_object(struct umd_device *device, void *object, uint32_t opcode)
{
    if (object == NULL)
        return;
    const struct umd_ending ending = {.opcode = opcode, .handle = umd_handle(object)};
    umd_end_object(device, &ending, false);
    umd_release(device, object);
}

/* ---- Fences -------------------------------------------------------------------------------------------- */

uint64_t umd_completed_fence(struct umd_device *device)
{
    return guest_device_completed_fence(device->guest);
}

enum umd_status umd_wait_for_fence(struct umd_device *device, uint64_t fence, uint64_t timeout_ns)
{
    const enum guest_status status = guest_device_wait(device->guest, fence, timeout_ns);
    umd_device_fails(device, status == GUEST_TIMEOUT ? GUEST_OK : status);
    return umd_status_from(status);
}
