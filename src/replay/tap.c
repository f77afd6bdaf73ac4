/* SPDX-License-Identifier: MIT */
#include "replay/tap.h"

#define TELL_RECORDER(taps, function, ...)                                                                   \
    do {                                                                                                     \
        const struct agpu_device_tap *const recorder = &((struct replay_tap *)(taps))->recorder;             \
        if (recorder->function != NULL)                                                                      \
            recorder->function(recorder->user, __VA_ARGS__);                                                 \
    } while (false)

static void on_created(void *user, const struct agpu_device_options *options, uint64_t now_ns)
{
    TELL_RECORDER(user, created, options, now_ns);
}

static void on_config_write(void *user, uint32_t offset, uint32_t size, uint32_t value)
{
    TELL_RECORDER(user, config_write, offset, size, value);
}

static void on_mmio_write(void *user, uint64_t offset, uint32_t size, uint64_t value)
{
    TELL_RECORDER(user, mmio_write, offset, size, value);
}

static void on_vram_write(void *user, uint64_t offset, const void *from, size_t size)
{
    TELL_RECORDER(user, vram_write, offset, from, size);
}

static void on_time(void *user, uint64_t now_ns, bool ticks)
{
    TELL_RECORDER(user, time, now_ns, ticks);
}

static void on_memory_read(void *user, const struct agpu_device_access *access)
{
    TELL_RECORDER(user, memory_read, access);
}

static void on_memory_write(void *user, const struct agpu_device_access *access)
{
    const struct agpu_device_tap *const replay = &((struct replay_tap *)user)->replay;
    TELL_RECORDER(user, memory_write, access);
    replay->memory_write(replay->user, access);
}

static void on_submitted(void *user, const struct agpu_submission *submission, uint64_t stream_gpa)
{
    TELL_RECORDER(user, submitted, submission, stream_gpa);
}

static void on_presented(void *user, const struct agpu_present *present)
{
    TELL_RECORDER(user, presented, present);
}

static void on_executed(void *user, uint32_t submission, uint32_t error)
{
    const struct agpu_device_tap *const replay = &((struct replay_tap *)user)->replay;
    TELL_RECORDER(user, executed, submission, error);
    replay->executed(replay->user, submission, error);
}

static void on_completed(void *user, uint32_t submission, uint64_t fence, uint32_t error)
{
    const struct agpu_device_tap *const replay = &((struct replay_tap *)user)->replay;
    TELL_RECORDER(user, completed, submission, fence, error);
    replay->completed(replay->user, submission, fence, error);
}

struct agpu_device_tap replay_tap(struct replay_tap *taps)
{
    return (struct agpu_device_tap){
        .size = sizeof(struct agpu_device_tap),
        .created = on_created,
        .config_write = on_config_write,
        .mmio_write = on_mmio_write,
        .vram_write = on_vram_write,
        .time = on_time,
        .memory_read = on_memory_read,
        .memory_write = on_memory_write,
        .submitted = on_submitted,
        .presented = on_presented,
        .executed = on_executed,
        .completed = on_completed,
        .user = taps,
    };
}
