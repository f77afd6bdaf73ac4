/* SPDX-License-Identifier: MIT
 *
 * The adapter: the device behind a bus, and what it can do.
 */
#include "guest/core/memory.h"
#include "guest/umd/device.h"

/* D3D_FEATURE_LEVEL_11_1, from which on a stage has 64 unordered access views. */
#define FEATURE_LEVEL_11_1 0xb100u

/* Of the extension: presents that name what they show. */
#define LEAST_EXT_VERSION 2u

enum umd_status umd_status_from(enum guest_status status)
{
    static const enum umd_status statuses[] = {
        [GUEST_OK] = UMD_OK,
        [GUEST_NO_MEMORY] = UMD_NO_MEMORY,
        [GUEST_TIMEOUT] = UMD_WAS_STILL_DRAWING,
        [GUEST_DEVICE_LOST] = UMD_DEVICE_REMOVED,
        [GUEST_UNSUPPORTED] = UMD_UNSUPPORTED,
    };
    return statuses[status];
}

/* ---- Capabilities -------------------------------------------------------------------------------------- */

/* What a question costs of the block of answers. */
#define ANSWER_BYTES 64u
#define ANSWERS (1 + UMD_FORMATS * (1 + UMD_SAMPLE_COUNTS))

void umd_ask_caps(struct guest_stream *stream, enum aerogpu_ext_caps kind, uint32_t parameter0,
                  uint32_t parameter1, uint64_t offset)
{
    struct aerogpu_cmd_ext_read_caps *packet =
        guest_stream_packet(stream, AEROGPU_CMD_EXT_READ_CAPS, sizeof *packet);
    packet->kind = kind;
    packet->parameter0 = parameter0;
    packet->parameter1 = parameter1;
    packet->target_alloc_id = GUEST_HEAP_ALLOC_ID;
    packet->target_offset_bytes = offset;
}

static void ask(struct guest_stream *stream, const struct guest_block *block, uint32_t *answer,
                enum aerogpu_ext_caps kind, uint32_t parameter0, uint32_t parameter1)
{
    umd_ask_caps(stream, kind, parameter0, parameter1, block->offset + (uint64_t)(*answer)++ * ANSWER_BYTES);
}

static void ask_all(struct guest_stream *stream, const struct guest_block *block)
{
    uint32_t answer = 0;
    ask(stream, block, &answer, AEROGPU_EXT_CAPS_FEATURES, 0, 0);
    for (uint32_t format = 0; format < UMD_FORMATS; format++) {
        ask(stream, block, &answer, AEROGPU_EXT_CAPS_FORMAT_SUPPORT, AEROGPU_EXT_FORMAT(format), 0);
        for (uint32_t i = 0; i < UMD_SAMPLE_COUNTS; i++)
            ask(stream, block, &answer, AEROGPU_EXT_CAPS_MULTISAMPLE_QUALITY, AEROGPU_EXT_FORMAT(format),
                UINT32_C(1) << i);
    }
}

static void take_answers(struct umd_adapter *adapter, const uint8_t *bytes)
{
    memcpy(&adapter->features, bytes, sizeof adapter->features);
    bytes += ANSWER_BYTES;
    for (uint32_t format = 0; format < UMD_FORMATS; format++) {
        struct umd_format_caps *caps = &adapter->formats[format];
        memcpy(&caps->support, bytes, sizeof caps->support);
        memcpy(&caps->support2, bytes + 4, sizeof caps->support2);
        bytes += ANSWER_BYTES;
        for (uint32_t i = 0; i < UMD_SAMPLE_COUNTS; i++, bytes += ANSWER_BYTES)
            memcpy(&caps->levels[i], bytes, sizeof caps->levels[i]);
    }
}

static enum guest_status read_caps(struct umd_adapter *adapter, struct guest_stream *stream)
{
    struct guest_block block;
    uint64_t fence;
    enum guest_status status = guest_block_allocate(adapter->guest, ANSWERS * ANSWER_BYTES, &block);
    if (status != GUEST_OK)
        return status;
    memset(block.bytes, 0, ANSWERS * ANSWER_BYTES);
    ask_all(stream, &block);
    struct aerogpu_cmd_ext_destroy_context *end =
        guest_stream_packet(stream, AEROGPU_CMD_EXT_DESTROY_CONTEXT, sizeof *end);
    end->context_id = stream->context_id;
    end->reserved0 = 0;
    status = guest_stream_submit(stream, AEROGPU_SUBMIT_FLAG_NONE, &fence);
    if (status == GUEST_OK)
        status = guest_device_wait(adapter->guest, fence, UINT64_MAX);
    if (status != GUEST_OK) {
        guest_block_free_after(adapter->guest, &block, guest_device_submitted_fence(adapter->guest));
        return status;
    }
    take_answers(adapter, block.bytes);
    guest_block_free(adapter->guest, &block);
    return GUEST_OK;
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static enum guest_status start(struct umd_adapter *adapter, const struct guest_bus *bus)
{
    enum guest_status status = guest_device_create(bus, &adapter->guest);
    if (status != GUEST_OK)
        return status;
    if (guest_device_ext_version(adapter->guest) < LEAST_EXT_VERSION)
        return GUEST_UNSUPPORTED;
    struct guest_stream *stream = bus->allocator.allocate(bus->allocator.user, sizeof *stream);
    if (stream == NULL)
        return GUEST_NO_MEMORY;
    guest_stream_init(stream, adapter->guest, guest_device_new_context(adapter->guest), 0);
    status = read_caps(adapter, stream);
    guest_stream_fini(stream);
    bus->allocator.release(bus->allocator.user, stream);
    return status;
}

enum umd_status umd_open_adapter(const struct guest_bus *bus, struct umd_adapter **result)
{
    const struct guest_allocator *allocator = &bus->allocator;
    *result = NULL;
    struct umd_adapter *adapter = allocator->allocate(allocator->user, sizeof *adapter);
    if (adapter == NULL)
        return UMD_NO_MEMORY;
    memset(adapter, 0, sizeof *adapter);
    const enum guest_status status = start(adapter, bus);
    if (status != GUEST_OK) {
        guest_device_destroy(adapter->guest);
        allocator->release(allocator->user, adapter);
        return umd_status_from(status);
    }
    *result = adapter;
    return UMD_OK;
}

void umd_close_adapter(struct umd_adapter *adapter)
{
    if (adapter == NULL)
        return;
    const struct guest_allocator allocator = *guest_device_allocator(adapter->guest);
    guest_device_destroy(adapter->guest);
    allocator.release(allocator.user, adapter);
}

/* ---- What it says -------------------------------------------------------------------------------------- */

struct guest_device *umd_adapter_guest(struct umd_adapter *adapter)
{
    return adapter->guest;
}

const struct aerogpu_ext_features *umd_adapter_features(const struct umd_adapter *adapter)
{
    return &adapter->features;
}

uint32_t umd_adapter_uav_slots(const struct umd_adapter *adapter)
{
    return adapter->features.feature_level >= FEATURE_LEVEL_11_1 ? 64 : 8;
}

void umd_check_format_support(const struct umd_adapter *adapter, uint32_t format, uint32_t *support,
                              uint32_t *support2)
{
    static const struct umd_format_caps none;
    const struct umd_format_caps *caps = format < UMD_FORMATS ? &adapter->formats[format] : &none;
    *support = caps->support;
    *support2 = caps->support2;
}

uint32_t umd_check_multisample_quality_levels(const struct umd_adapter *adapter, uint32_t format,
                                              uint32_t sample_count)
{
    for (uint32_t i = 0; i < UMD_SAMPLE_COUNTS && format < UMD_FORMATS; i++)
        if (UINT32_C(1) << i == sample_count)
            return adapter->formats[format].levels[i];
    return 0;
}
