/* SPDX-License-Identifier: MIT
 *
 * Why a device is removed: the host is gone, has lost its GPU, or has ended a context of the device, since it
 * took too long or memory of the GPU was missing. Of the last the guest sees errors, which have other causes,
 * too: so after an error each context is asked for a word. What an ended one is asked is not executed.
 */
#include "guest/core/memory.h"
#include "guest/umd/context.h"

/* What it can do has every host something to say of. */
#define ANY_FORMAT AEROGPU_EXT_FORMAT(28) /* R8G8B8A8_UNORM */
#define ANSWER_BYTES 64u
#define CONTEXTS 2u

void umd_removal_init(struct umd_device *device)
{
    struct guest_errors errors;
    guest_device_errors(device->guest, &errors);
    device->removal =
        (struct umd_removal){.gpu_losses = guest_device_gpu_losses(device->guest), .errors = errors.count};
}

void umd_removal_fini(struct umd_device *device)
{
    guest_block_free_after(device->guest, &device->removal.answers, device->removal.fence);
}

void umd_remove_device(struct umd_device *device, enum umd_removed_reason reason)
{
    uint32_t none = UMD_NOT_REMOVED;
    atomic_compare_exchange_strong(&device->removed, &none, (uint32_t)reason);
}

void umd_device_fails(struct umd_device *device, enum guest_status status)
{
    if (status == GUEST_DEVICE_LOST)
        umd_remove_device(device, UMD_REMOVED_GONE);
    else if (status != GUEST_OK)
        umd_remove_device(device, UMD_REMOVED_INTERNAL_ERROR);
}

bool umd_device_is_removed(struct umd_device *device)
{
    return atomic_load_explicit(&device->removed, memory_order_relaxed) != UMD_NOT_REMOVED;
}

/* ---- Contexts ------------------------------------------------------------------------------------------ */

/* A submission of its own, to any context. */
static enum guest_status ask_context(struct umd_device *device, struct guest_stream *stream,
                                     uint32_t context_id, uint32_t number)
{
    struct umd_removal *removal = &device->removal;
    guest_stream_init(stream, device->guest, context_id, GUEST_PACKET_BYTES);
    umd_ask_caps(stream, AEROGPU_EXT_CAPS_FORMAT_SUPPORT, ANY_FORMAT, 0,
                 removal->answers.offset + (uint64_t)number * ANSWER_BYTES);
    const enum guest_status status = guest_stream_submit(stream, AEROGPU_SUBMIT_FLAG_NONE, &removal->fence);
    guest_stream_fini(stream);
    return status;
}

/* Under the user's lock. What has no memory now is asked another time. */
static void ask_contexts(struct umd_device *device, uint32_t errors)
{
    struct umd_removal *removal = &device->removal;
    struct guest_stream *stream = umd_allocate(device, sizeof *stream);
    enum guest_status status = stream != NULL ? GUEST_OK : GUEST_NO_MEMORY;
    if (status == GUEST_OK)
        status = guest_block_allocate(device->guest, CONTEXTS * ANSWER_BYTES, &removal->answers);
    if (status == GUEST_OK) {
        memset(removal->answers.bytes, 0, CONTEXTS * ANSWER_BYTES);
        const uint32_t ids[CONTEXTS] = {device->creations.context_id, device->immediate->stream.context_id};
        for (uint32_t i = 0; i < CONTEXTS && status == GUEST_OK; i++)
            status = ask_context(device, stream, ids[i], i);
        if (status != GUEST_OK)
            guest_block_free_after(device->guest, &removal->answers,
                                   guest_device_submitted_fence(device->guest));
    }
    if (status == GUEST_OK)
        removal->errors = errors;
    umd_release(device, stream);
}

/* Under the user's lock, once they have answered. */
static void hear_contexts(struct umd_device *device)
{
    struct umd_removal *removal = &device->removal;
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        uint32_t support;
        memcpy(&support, removal->answers.bytes + (size_t)i * ANSWER_BYTES, sizeof support);
        if (support == 0)
            umd_remove_device(device, UMD_REMOVED_HUNG);
    }
    guest_block_free(device->guest, &removal->answers);
}

/* Asks, unless they are being asked. The fence after which they have answered; 0: nobody is asked. */
static uint64_t ask_after_errors(struct umd_device *device, uint32_t errors)
{
    struct umd_removal *removal = &device->removal;
    guest_device_lock_user(device->guest);
    if (removal->answers.bytes == NULL && errors != removal->errors)
        ask_contexts(device, errors);
    const uint64_t fence = removal->answers.bytes != NULL ? removal->fence : 0;
    guest_device_unlock_user(device->guest);
    return fence;
}

/* Whether they have answered a question that was asked after other errors. */
static bool look_for_ended_contexts(struct umd_device *device, uint32_t errors, bool wait)
{
    struct umd_removal *removal = &device->removal;
    const uint64_t fence = ask_after_errors(device, errors);
    if (fence == 0)
        return false;
    const enum guest_status status = guest_device_wait(device->guest, fence, wait ? UINT64_MAX : 0);
    umd_device_fails(device, status == GUEST_TIMEOUT ? GUEST_OK : status);
    if (status != GUEST_OK)
        return false;
    guest_device_lock_user(device->guest);
    /* Another thread may have heard them, and asked again. */
    if (removal->answers.bytes != NULL && removal->fence == fence)
        hear_contexts(device);
    const bool are_newer = removal->errors != errors;
    guest_device_unlock_user(device->guest);
    return are_newer;
}

/* Whoever waits wants answers to the errors that there are now, not to earlier ones alone. */
static void look_at_contexts(struct umd_device *device, bool wait)
{
    struct guest_errors errors;
    guest_device_errors(device->guest, &errors);
    if (look_for_ended_contexts(device, errors.count, wait) && wait && !umd_device_is_removed(device))
        look_for_ended_contexts(device, errors.count, wait);
}

/* ---- The reason ---------------------------------------------------------------------------------------- */

enum umd_removed_reason umd_device_removed_reason(struct umd_device *device, bool wait)
{
    if (umd_device_is_removed(device))
        return (enum umd_removed_reason)atomic_load(&device->removed);
    if (guest_device_is_lost(device->guest))
        umd_remove_device(device, UMD_REMOVED_GONE);
    else if (guest_device_gpu_losses(device->guest) != device->removal.gpu_losses)
        umd_remove_device(device, UMD_REMOVED_HUNG);
    else
        look_at_contexts(device, wait);
    return (enum umd_removed_reason)atomic_load(&device->removed);
}

enum umd_status umd_device_check(struct umd_device *device)
{
    return umd_device_removed_reason(device, true) == UMD_NOT_REMOVED ? UMD_OK : UMD_DEVICE_REMOVED;
}

void umd_device_errors(struct umd_device *device, struct guest_errors *errors)
{
    guest_device_errors(device->guest, errors);
}
