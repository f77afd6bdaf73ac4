/* SPDX-License-Identifier: MIT
 *
 * Writes what a device's tap reports as chunks. Bytes that the capture already contains are written as their
 * hash.
 */
#include "aerogpu/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/table.h"
#include "capture/writer.h"

struct agpu_capture_recorder {
    struct ag_capture_writer writer;
    struct agpu_device_tap tap;
    char *text;
    bool no_pictures;
    uint64_t now_ns, written_ns; /* the clock, and the last time that the capture contains */
};

static void add_access(struct agpu_capture_recorder *recorder, uint32_t fourcc,
                       const struct agpu_device_access *from, bool needs_bytes)
{
    struct ag_capture_access access = {.gpa = from->gpa, .size = from->size};
    if (from->by_executor)
        access.flags |= AG_CAPTURE_ACCESS_EXECUTOR;
    if (from->data == NULL)
        access.flags |= AG_CAPTURE_ACCESS_FAILED;
    else if (!needs_bytes)
        access.flags |= AG_CAPTURE_ACCESS_NO_BYTES;
    ag_capture_write_access(&recorder->writer, fourcc, &access, needs_bytes ? from->data : NULL);
}

static void on_read(void *user, const struct agpu_device_access *access)
{
    add_access(user, AG_CAPTURE_PAGE, access, true);
}

/* Records write-backs only: all other writes of the device follow from what is recorded. */
static void on_write(void *user, const struct agpu_device_access *access)
{
    add_access(user, AG_CAPTURE_WRIT, access, access->by_executor);
}

/* ---- Events -------------------------------------------------------------------------------------------- */

static void write_event(struct agpu_capture_recorder *recorder, uint32_t fourcc, const void *payload,
                        size_t size)
{
    ag_capture_write_chunk(&recorder->writer, fourcc, payload, size);
}

static void write_time(struct agpu_capture_recorder *recorder, bool ticks)
{
    const struct ag_capture_time time = {.now_ns = recorder->now_ns, .ticks = ticks};
    if (!ticks && recorder->now_ns == recorder->written_ns)
        return;
    recorder->written_ns = recorder->now_ns;
    write_event(recorder, AG_CAPTURE_TIME, &time, sizeof time);
}

static void on_created(void *user, const struct agpu_device_options *options, uint64_t now_ns)
{
    struct agpu_capture_recorder *recorder = user;
    const struct ag_capture_info info = {
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .refresh_millihertz = options->refresh_millihertz,
        .flags = options->pci_decode_off ? AG_CAPTURE_INFO_DECODE_OFF : 0,
        .text_bytes = (uint32_t)strlen(recorder->text),
        .now_ns = now_ns,
    };
    recorder->now_ns = recorder->written_ns = now_ns;
    ag_capture_write_parts(&recorder->writer, AG_CAPTURE_INFO, &info, sizeof info, recorder->text,
                           info.text_bytes);
}

static void on_config_write(void *user, uint32_t offset, uint32_t size, uint32_t value)
{
    const struct ag_capture_config config = {.offset = offset, .size = size, .value = value};
    write_time(user, false);
    write_event(user, AG_CAPTURE_CONF, &config, sizeof config);
}

static void on_mmio_write(void *user, uint64_t offset, uint32_t size, uint64_t value)
{
    const struct ag_capture_mmio mmio = {.offset = offset, .value = value, .size = size};
    const bool is_bell = offset < AEROGPU_MMIO_REG_DOORBELL + 4 && offset + size > AEROGPU_MMIO_REG_DOORBELL;
    write_time(user, false);
    write_event(user, is_bell ? AG_CAPTURE_BELL : AG_CAPTURE_MMIO, &mmio, sizeof mmio);
}

static void on_vram_write(void *user, uint64_t offset, const void *from, size_t size)
{
    struct agpu_capture_recorder *recorder = user;
    ag_capture_write_parts(&recorder->writer, AG_CAPTURE_VRAM, &offset, sizeof offset, from, size);
}

static void on_time(void *user, uint64_t now_ns, bool ticks)
{
    struct agpu_capture_recorder *recorder = user;
    recorder->now_ns = now_ns;
    /* Between vblanks the time is recorded only with the next event that depends on it. */
    if (ticks)
        write_time(recorder, true);
}

static void on_submitted(void *user, const struct agpu_submission *submission, uint64_t stream_gpa)
{
    const struct ag_capture_submission payload = {
        .number = submission->number,
        .context_id = submission->context_id,
        .flags = submission->flags,
        .stream_size = submission->stream_size,
        .fence = submission->fence,
        .stream_gpa = stream_gpa,
        .allocation_count = submission->allocation_count,
        .has_allocation_table = submission->has_allocation_table,
    };
    struct agpu_capture_recorder *recorder = user;
    ag_capture_write_parts(&recorder->writer, AG_CAPTURE_SUBM, &payload, sizeof payload,
                           submission->allocations,
                           (size_t)submission->allocation_count * sizeof *submission->allocations);
}

static void on_presented(void *user, const struct agpu_present *present)
{
    struct agpu_capture_recorder *recorder = user;
    const struct ag_capture_present head = {
        .submission = present->submission,
        .scanout_id = present->scanout_id,
        .flags = present->flags,
        .width = present->width,
        .height = present->height,
        .format = present->format,
        .hash = ag_hash_bytes(present->pixels, (size_t)present->width * present->height * 4),
    };
    ag_capture_write_present(&recorder->writer, &head, recorder->no_pictures ? NULL : present->pixels);
}

static void on_executed(void *user, uint32_t submission, uint32_t error)
{
    const struct ag_capture_done payload = {.submission = submission, .error = error};
    write_event(user, AG_CAPTURE_DONE, &payload, sizeof payload);
}

static void on_completed(void *user, uint32_t submission, uint64_t fence, uint32_t error)
{
    const struct ag_capture_fence payload = {.submission = submission, .error = error, .fence = fence};
    write_event(user, AG_CAPTURE_FENC, &payload, sizeof payload);
}

/* ---- The recorder -------------------------------------------------------------------------------------- */

enum agpu_status agpu_capture_recorder_create(const struct agpu_capture_options *given,
                                              const struct agpu_diag_sink *sink,
                                              struct agpu_capture_recorder **result)
{
    struct agpu_capture_options options;
    ag_table_read(&options, sizeof options, AG_MEMBER_END(struct agpu_capture_options, no_pictures), given);
    const char *text = options.text != NULL ? options.text : "";
    struct agpu_capture_recorder *recorder = calloc(1, sizeof *recorder);
    *result = NULL;
    if (recorder == NULL)
        return ag_report_no_memory(sink);
    recorder->no_pictures = options.no_pictures;
    recorder->text = malloc(strlen(text) + 1);
    if (recorder->text != NULL)
        memcpy(recorder->text, text, strlen(text) + 1);
    ag_capture_writer_init(&recorder->writer, options.write, options.user);
    recorder->tap = (struct agpu_device_tap){
        .size = sizeof recorder->tap,
        .created = on_created,
        .config_write = on_config_write,
        .mmio_write = on_mmio_write,
        .vram_write = on_vram_write,
        .time = on_time,
        .memory_read = on_read,
        .memory_write = on_write,
        .submitted = on_submitted,
        .presented = on_presented,
        .executed = on_executed,
        .completed = on_completed,
        .user = recorder,
    };
    const enum agpu_status status = recorder->text != NULL ? ag_capture_writer_status(&recorder->writer, sink)
                                                           : ag_report_no_memory(sink);
    if (status != AGPU_OK)
        agpu_capture_recorder_destroy(recorder);
    else
        *result = recorder;
    return status;
}

const struct agpu_device_tap *agpu_capture_recorder_tap(struct agpu_capture_recorder *recorder)
{
    return &recorder->tap;
}

enum agpu_status agpu_capture_recorder_finish(struct agpu_capture_recorder *recorder,
                                              const struct agpu_diag_sink *sink)
{
    return ag_capture_writer_finish(&recorder->writer, sink);
}

void agpu_capture_recorder_destroy(struct agpu_capture_recorder *recorder)
{
    if (recorder == NULL)
        return;
    ag_capture_writer_fini(&recorder->writer);
    free(recorder->text);
    free(recorder);
}
