/* SPDX-License-Identifier: MIT
 *
 * Snapshots of a device (docs/snapshots.md): a header, what the executor writes, and then registers,
 * outstanding submissions and VRAM. The executor comes first, since its contents take time to read while the
 * guest may go on with the registers.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "aerogpu/stream.h"
#include "base/archive.h"
#include "base/bytes.h"
#include "device/state.h"

#define TAG_HEADER AG_ARCHIVE_TAG('A', 'G', 'P', 'U')
#define TAG_REGISTERS AG_ARCHIVE_TAG('R', 'E', 'G', 'S')
#define TAG_SUBMISSION AG_ARCHIVE_TAG('D', 'S', 'U', 'B')
#define TAG_VRAM AG_ARCHIVE_TAG('V', 'R', 'A', 'M')
#define TAG_END AG_ARCHIVE_TAG('D', 'E', 'N', 'D')

#define VRAM_CHUNK_BYTES (UINT64_C(1) << 20)

static const struct agpu_diag_sink *sink_of(const struct agpu_device *device)
{
    return &device->callbacks.diagnostics;
}

static enum agpu_status refuse(const struct agpu_device *device, enum agpu_diag_code code, const char *text)
{
    ag_report(sink_of(device), code, AGPU_ERROR, ag_place_none(), "%s", text);
    return AGPU_REFUSED;
}

/* ---- Header -------------------------------------------------------------------------------------------- */

/* What has to be the same where a snapshot is loaded. */
struct header {
    uint32_t abi_version, extension, period_ns;
};

static const struct ag_field header_fields[] = {
    AG_FIELD(struct header, abi_version, UINT32_MAX),
    AG_FIELD(struct header, extension, UINT32_MAX),
    AG_FIELD(struct header, period_ns, UINT32_MAX),
};

static bool archive_header(struct agpu_device *device, struct ag_archive *archive)
{
    const struct header own = {AEROGPU_ABI_VERSION_U32, device->extension, device->vblank.period_ns};
    struct header header = own;
    ag_archive_begin(archive, TAG_HEADER, 1);
    ag_archive_fields(archive, header_fields, AG_COUNT_OF(header_fields), &header);
    if (!ag_archive_end(archive))
        return false;
    if (header.abi_version >> 16 != own.abi_version >> 16 || header.extension > own.extension)
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_VERSION,
                                 "the snapshot is of a guest interface 0x%08" PRIx32
                                 " with extension %" PRIu32 ", which this device does not have",
                                 header.abi_version, header.extension);
    if (header.period_ns != own.period_ns || header.extension != own.extension)
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_DIFFERS,
                                 "the snapshot is of a device with a vblank every %" PRIu32
                                 " ns and extension %" PRIu32,
                                 header.period_ns, header.extension);
    return true;
}

/* ---- Registers ----------------------------------------------------------------------------------------- */

/* Times of the embedder's clock as they are seen from the moment of the snapshot. */
struct times {
    uint64_t since_boot_ns, until_tick_ns;
    uint32_t submission_count;
};

static const struct ag_field time_fields[] = {
    AG_FIELD(struct times, since_boot_ns, UINT64_MAX),
    AG_FIELD(struct times, until_tick_ns, UINT64_MAX),
    AG_FIELD(struct times, submission_count, AG_OUTSTANDING_LIMIT),
};

#define PICTURE_FIELDS(name)                                                                                 \
    AG_FIELD(struct agpu_device, name.enable, UINT32_MAX),                                                   \
        AG_FIELD(struct agpu_device, name.width, UINT32_MAX),                                                \
        AG_FIELD(struct agpu_device, name.height, UINT32_MAX),                                               \
        AG_FIELD(struct agpu_device, name.format, UINT32_MAX),                                               \
        AG_FIELD(struct agpu_device, name.pitch_bytes, UINT32_MAX),                                          \
        AG_FIELD(struct agpu_device, name.address.gpa, UINT64_MAX),                                          \
        AG_FIELD(struct agpu_device, name.address.low, UINT32_MAX)

static const struct ag_field register_fields[] = {
    AG_FIELD_ARRAY(struct agpu_device, config, config[0], UINT32_MAX),
    AG_FIELD(struct agpu_device, ring.gpa, UINT64_MAX),
    AG_FIELD(struct agpu_device, ring.size_bytes, UINT32_MAX),
    AG_FIELD(struct agpu_device, ring.control, AEROGPU_RING_CONTROL_ENABLE),
    AG_FIELD(struct agpu_device, ring.doorbell_pending, 1),
    AG_FIELD(struct agpu_device, ring.reset_pending, 1),
    AG_FIELD(struct agpu_device, irq.status, UINT32_MAX),
    AG_FIELD(struct agpu_device, irq.enable, UINT32_MAX),
    AG_FIELD(struct agpu_device, error.code, UINT32_MAX),
    AG_FIELD(struct agpu_device, error.count, UINT32_MAX),
    AG_FIELD(struct agpu_device, error.fence, UINT64_MAX),
    AG_FIELD(struct agpu_device, vblank.sequence, UINT64_MAX),
    AG_FIELD(struct agpu_device, vblank.time_ns, UINT64_MAX),
    PICTURE_FIELDS(scanout),
    PICTURE_FIELDS(cursor),
    AG_FIELD(struct agpu_device, cursor_x, UINT32_MAX),
    AG_FIELD(struct agpu_device, cursor_y, UINT32_MAX),
    AG_FIELD(struct agpu_device, cursor_hot_x, UINT32_MAX),
    AG_FIELD(struct agpu_device, cursor_hot_y, UINT32_MAX),
    AG_FIELD(struct agpu_device, gpu_losses, UINT32_MAX),
    AG_FIELD(struct agpu_device, next_submission, UINT32_MAX),
    AG_FIELD(struct agpu_device, queue.completed, UINT64_MAX),
    AG_FIELD(struct agpu_device, queue.page_gpa, UINT64_MAX),
    AG_FIELD(struct agpu_device, queue.page_stale, 1),
};

static bool archive_registers(struct agpu_device *device, struct ag_archive *archive, struct times *times)
{
    ag_archive_begin(archive, TAG_REGISTERS, 1);
    ag_archive_fields(archive, time_fields, AG_COUNT_OF(time_fields), times);
    ag_archive_fields(archive, register_fields, AG_COUNT_OF(register_fields), device);
    return ag_archive_end(archive);
}

/* ---- Outstanding submissions --------------------------------------------------------------------------- */

static const struct ag_field submission_fields[] = {
    AG_FIELD(struct pending_submission, submission.number, UINT32_MAX),
    AG_FIELD(struct pending_submission, submission.context_id, UINT32_MAX),
    AG_FIELD(struct pending_submission, submission.flags, UINT32_MAX),
    AG_FIELD(struct pending_submission, submission.fence, UINT64_MAX),
    AG_FIELD(struct pending_submission, submission.has_allocation_table, 1),
    AG_FIELD(struct pending_submission, size_bytes, AG_QUEUE_LIMIT_BYTES),
    AG_FIELD(struct pending_submission, state, SUBMISSION_DONE),
    AG_FIELD(struct pending_submission, error, UINT32_MAX),
    AG_FIELD(struct pending_submission, wants_irq, 1),
    AG_FIELD(struct pending_submission, vblanks, AEROGPU_EXT_MOST_SYNC_INTERVAL),
    AG_FIELD(struct pending_submission, paced, 1),
    AG_FIELD(struct pending_submission, merged, 1),
};

/* The bytes of a submission that the executor has not got yet. */
static void archive_buffers(struct ag_archive *archive, struct pending_submission *pending)
{
    uint64_t stream_bytes = pending->submission.stream_size;
    uint64_t table_bytes = pending->submission.allocation_count * (uint64_t)sizeof *pending->allocations;
    uint8_t *table = (uint8_t *)pending->allocations;
    ag_archive_block(archive, &pending->stream, &stream_bytes);
    ag_archive_block(archive, &table, &table_bytes);
    pending->allocations = (struct aerogpu_alloc_entry *)(void *)table;
    if (!archive->loads)
        return;
    pending->submission.stream = pending->stream;
    pending->submission.stream_size = (uint32_t)stream_bytes;
    pending->submission.allocations = pending->allocations;
    pending->submission.allocation_count = (uint32_t)(table_bytes / sizeof *pending->allocations);
    pending->size_bytes = stream_bytes + table_bytes;
    if (stream_bytes > AGPU_STREAM_MAX_BYTES || table_bytes > AG_ALLOC_TABLE_LIMIT_BYTES ||
        table_bytes % sizeof *pending->allocations != 0)
        ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "a submission that waits has impossible sizes");
}

static bool archive_submission(struct ag_archive *archive, struct pending_submission *pending)
{
    ag_archive_begin(archive, TAG_SUBMISSION, 1);
    ag_archive_fields(archive, submission_fields, AG_COUNT_OF(submission_fields), pending);
    if (pending->state == SUBMISSION_QUEUED)
        archive_buffers(archive, pending);
    return ag_archive_end(archive);
}

static bool save_submissions(const struct agpu_device *device, struct ag_archive *archive)
{
    for (struct pending_submission *pending = device->queue.oldest; pending; pending = pending->next)
        if (!archive_submission(archive, pending))
            return false;
    return true;
}

static bool is_sound(const struct agpu_device *device, const struct pending_submission *pending)
{
    const struct pending_submission *before = device->queue.newest;
    return pending->submission.number < device->next_submission &&
           (!before || before->submission.number < pending->submission.number);
}

static bool load_submissions(struct agpu_device *device, struct ag_archive *archive, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct pending_submission *pending = calloc(1, sizeof *pending);
        if (!pending)
            return ag_archive_no_memory(archive);
        bool done = archive_submission(archive, pending);
        if (done && !is_sound(device, pending))
            done = ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                                     "submission %" PRIu32 " is out of order", pending->submission.number);
        if (done && pending->state == SUBMISSION_QUEUED)
            done = ag_submission_check(device, pending) || ag_archive_fail(archive, AGPU_REFUSED);
        if (!done) {
            ag_submission_free(pending);
            return false;
        }
        ag_submission_queue_restore(device, pending);
    }
    return true;
}

/* ---- VRAM ---------------------------------------------------------------------------------------------- */

static bool save_vram(const struct agpu_device *device, struct ag_archive *archive)
{
    for (uint64_t at = 0; device->vram && at < AEROGPU_PCI_BAR1_SIZE_BYTES; at += VRAM_CHUNK_BYTES) {
        if (ag_archive_is_zero(device->vram + at, (size_t)VRAM_CHUNK_BYTES))
            continue;
        ag_archive_begin(archive, TAG_VRAM, 1);
        ag_archive_u64(archive, &at, UINT64_MAX);
        ag_archive_bytes(archive, device->vram + at, (size_t)VRAM_CHUNK_BYTES);
        if (!ag_archive_end(archive))
            return false;
    }
    return true;
}

static bool load_vram(struct agpu_device *device, struct ag_archive *archive)
{
    while (ag_archive_next_is(archive, TAG_VRAM)) {
        uint64_t at = 0;
        if (!device->vram)
            device->vram = calloc(1, AEROGPU_PCI_BAR1_SIZE_BYTES);
        if (!device->vram)
            return ag_archive_no_memory(archive);
        ag_archive_begin(archive, TAG_VRAM, 1);
        ag_archive_u64(archive, &at, AEROGPU_PCI_BAR1_SIZE_BYTES - VRAM_CHUNK_BYTES);
        ag_archive_bytes(archive, device->vram + at, (size_t)VRAM_CHUNK_BYTES);
        if (!ag_archive_end(archive))
            return false;
    }
    return ag_archive_is_ok(archive);
}

static bool archive_end(struct ag_archive *archive)
{
    ag_archive_begin(archive, TAG_END, 1);
    return ag_archive_end(archive);
}

/* ---- Saving -------------------------------------------------------------------------------------------- */

static bool executor_saves(const struct agpu_executor *executor)
{
    return AG_EXECUTOR_HAS(executor, load) && executor->save_begin && executor->save_poll &&
           executor->save_cancel && executor->load;
}

static bool has_running(const struct agpu_device *device)
{
    for (const struct pending_submission *pending = device->queue.oldest; pending; pending = pending->next)
        if (pending->state == SUBMISSION_RUNNING)
            return true;
    return false;
}

static void end_save(struct agpu_device *device)
{
    ag_archive_fini(device->save);
    free(device->save);
    device->save = NULL;
}

enum agpu_status agpu_device_save_begin(struct agpu_device *device, const struct agpu_snapshot_writer *writer)
{
    if (device->save)
        return refuse(device, AGPU_DIAG_SNAPSHOT_STATE, "a snapshot of the device is being saved already");
    if (!executor_saves(device->executor))
        return refuse(device, AGPU_DIAG_SNAPSHOT_UNSUPPORTED, "this executor has no snapshots");
    if (!ag_pci_dma_enabled(device) && has_running(device))
        return refuse(device, AGPU_DIAG_SNAPSHOT_STATE,
                      "the guest has switched bus mastering off while its work is executed");
    device->save = calloc(1, sizeof *device->save);
    if (!device->save)
        return ag_report_no_memory(sink_of(device));
    ag_archive_init_writer(device->save, writer, sink_of(device));
    const enum agpu_status status = archive_header(device, device->save)
                                        ? device->executor->save_begin(device->executor, writer)
                                        : device->save->status;
    if (status != AGPU_OK)
        end_save(device);
    return status;
}

/* The nanoseconds to the next vblank, or to where it would be: the phase is kept while there is none. */
static uint64_t until_tick(const struct agpu_device *device)
{
    const uint64_t tick = device->vblank.next_tick_ns, now = device->now_ns,
                   period = device->vblank.period_ns;
    return tick > now ? tick - now : period ? period - (now - tick) % period : 0;
}

static bool save_device(struct agpu_device *device, struct ag_archive *archive)
{
    struct times times = {
        .since_boot_ns = device->now_ns - device->boot_ns,
        .until_tick_ns = until_tick(device),
        .submission_count = device->queue.count,
    };
    return archive_registers(device, archive, &times) && save_submissions(device, archive) &&
           save_vram(device, archive) && archive_end(archive);
}

enum agpu_save_state agpu_device_save_poll(struct agpu_device *device)
{
    if (!device->save) {
        refuse(device, AGPU_DIAG_SNAPSHOT_STATE, "no snapshot of the device is being saved");
        return AGPU_SAVE_FAILED;
    }
    ag_device_poll_executor(device);
    ag_irq_update(device);
    enum agpu_save_state state = device->executor->save_poll(device->executor);
    if (state == AGPU_SAVE_BUSY)
        return state;
    /* The executor's last completions belong to the snapshot. */
    ag_submission_queue_advance(device);
    ag_irq_update(device);
    if (state == AGPU_SAVE_DONE && !save_device(device, device->save))
        state = AGPU_SAVE_FAILED;
    end_save(device);
    return state;
}

void agpu_device_save_cancel(struct agpu_device *device)
{
    if (!device->save)
        return;
    device->executor->save_cancel(device->executor);
    end_save(device);
}

/* ---- Loading ------------------------------------------------------------------------------------------- */

static bool is_fresh(const struct agpu_device *device)
{
    return device->next_submission == 0 && !device->queue.oldest && !device->vram &&
           device->queue.completed == 0;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    uint64_t result;
    return ag_add_u64(a, b, &result) ? result : UINT64_MAX;
}

static bool load_device(struct agpu_device *device, struct ag_archive *archive)
{
    struct times times = {0};
    if (!archive_registers(device, archive, &times))
        return false;
    ag_pci_restore(device);
    device->boot_ns = device->now_ns - times.since_boot_ns; /* differences of both are what counts */
    device->vblank.next_tick_ns = sum(device->now_ns, times.until_tick_ns);
    return load_submissions(device, archive, times.submission_count) && load_vram(device, archive) &&
           archive_end(archive);
}

static bool load(struct agpu_device *device, const struct agpu_snapshot_reader *reader,
                 struct ag_archive *archive)
{
    if (!archive_header(device, archive))
        return false;
    const enum agpu_status status = device->executor->load(device->executor, reader);
    return status == AGPU_OK ? load_device(device, archive) : ag_archive_fail(archive, status);
}

/* A device that could not be loaded is one that was just made. */
static void begin_again(struct agpu_device *device, const struct agpu_device *before)
{
    ag_submission_queue_reset(device);
    device->executor->reset(device->executor);
    free(device->vram);
    *device = *before;
}

enum agpu_status agpu_device_load(struct agpu_device *device, const struct agpu_snapshot_reader *reader,
                                  uint64_t now_ns)
{
    if (!is_fresh(device) || device->save)
        return refuse(device, AGPU_DIAG_SNAPSHOT_STATE,
                      "a snapshot is loaded into a device that has done nothing");
    if (device->tap.mmio_write || device->tap.submitted)
        return refuse(device, AGPU_DIAG_SNAPSHOT_UNSUPPORTED,
                      "a device that is recorded is not loaded: the recording would lack what came before");
    if (!executor_saves(device->executor))
        return refuse(device, AGPU_DIAG_SNAPSHOT_UNSUPPORTED, "this executor has no snapshots");
    if (now_ns > device->now_ns)
        device->now_ns = now_ns;
    struct ag_archive archive;
    ag_archive_init_reader(&archive, reader, sink_of(device));
    const struct agpu_device before = *device;
    const enum agpu_status status = load(device, reader, &archive) ? AGPU_OK : archive.status;
    ag_archive_fini(&archive);
    if (status != AGPU_OK)
        begin_again(device, &before);
    else
        ag_irq_update(device);
    return status;
}
