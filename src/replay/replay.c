/* SPDX-License-Identifier: MIT
 *
 * The events of a capture become calls of a device's functions, in their order. What the guest did after it
 * saw a fence, it does here after that fence, however long this host needs for it.
 */
#include "replay/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aerogpu/device.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "replay/memory.h"
#include "replay/tap.h"
#include "replay/tolerance.h"

#define DEFAULT_TIMEOUT_MS 30000u
#define PAUSE_NS 100000

/* The write-backs of one submission, compared with the recorded ones. */
struct writebacks {
    uint64_t recorded, bytes, unrecorded;
    struct replay_difference difference;
};

struct replay {
    const struct ag_capture *capture;
    const struct ag_scene_options *options;
    const struct agpu_diag_sink *sink;
    struct ag_scene_report *report;
    struct replay_memory memory;
    struct agpu_device *device;
    struct replay_tap taps;
    uint64_t now_ns;
    double wait_ms;
    bool aborted;
    AG_VEC(const struct ag_capture_record *) presents; /* as recorded, in order */
    AG_VEC(const struct ag_capture_record *) fences;
    size_t presents_seen, fences_seen;
    struct writebacks writebacks; /* of the submission that runs */
};

static void give_up(struct replay *replay, enum agpu_diag_code code, const char *message)
{
    if (!replay->aborted)
        ag_report(replay->sink, code, AGPU_ERROR, ag_place_none(), "%s", message);
    replay->aborted = true;
    replay->report->result = AG_SCENE_FAILED;
    replay->report->status = code == AGPU_DIAG_OUT_OF_MEMORY ? AGPU_NO_MEMORY : AGPU_INTERNAL;
}

/* ---- Checks -------------------------------------------------------------------------------------------- */

/* Adds a check to the report, and frees both texts. */
static void add_check(struct replay *replay, const char *kind, bool passed, uint64_t offset,
                      struct ag_strbuf *want, struct ag_strbuf *got)
{
    struct ag_arena *arena = &replay->report->arena;
    const struct ag_scene_check check = {
        .kind = kind,
        .result = passed ? AG_SCENE_PASSED : AG_SCENE_FAILED,
        .want = ag_arena_strdup(arena, ag_strbuf_text(want)),
        .got = ag_arena_strdup(arena, ag_strbuf_text(got)),
    };
    if (!passed) {
        replay->report->result = AG_SCENE_FAILED;
        ag_report(replay->sink, AGPU_DIAG_CAPTURE_DIFFERS, AGPU_ERROR, ag_place_offset(offset),
                  "%s: recorded %s, got %s", kind, ag_strbuf_text(want), ag_strbuf_text(got));
    }
    if (check.want == NULL || check.got == NULL || want->failed || got->failed ||
        !ag_vec_push(&replay->report->checks, check))
        give_up(replay, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for the report");
    ag_strbuf_fini(want);
    ag_strbuf_fini(got);
}

static void print_difference(struct ag_strbuf *out, const struct replay_difference *difference,
                             const char *unit)
{
    if (difference->different == 0)
        ag_strbuf_append(out, "the same");
    else
        ag_strbuf_printf(out, "%" PRIu64 " of %" PRIu64 " %s differ, %" PRIu64 " by more than rounding",
                         difference->different, difference->count, unit, difference->far);
}

static void check_present(struct replay *replay, const struct ag_capture_record *record,
                          const struct ag_scene_present *present, const uint8_t *pixels)
{
    const struct ag_capture_present *recorded = AG_CAPTURE_AS(record, present);
    struct ag_strbuf want = {0}, got = {0};
    bool passed = recorded->width == present->width && recorded->height == present->height;
    ag_strbuf_printf(&want, "present %u: %ux%u xxh3 %016" PRIx64, present->number, recorded->width,
                     recorded->height, recorded->hash);
    if (!passed) {
        ag_strbuf_printf(&got, "%ux%u", present->width, present->height);
    } else if (present->hash == recorded->hash) {
        ag_strbuf_append(&got, "the same");
    } else if (record->bytes == NULL) {
        ag_strbuf_printf(&got, "xxh3 %016" PRIx64 "; the capture has no picture to compare with",
                         present->hash);
        passed = false;
    } else {
        const struct replay_difference difference =
            replay_compare_pictures(pixels, record->bytes, (size_t)present->width * present->height);
        print_difference(&got, &difference, "pixels");
        passed = replay_is_tolerated(&difference);
    }
    add_check(replay, "present", passed, record->offset, &want, &got);
}

static void on_executed(void *user, uint32_t submission, uint32_t error)
{
    struct replay *replay = user;
    const struct writebacks writebacks = replay->writebacks;
    struct ag_strbuf want = {0}, got = {0};
    replay->writebacks = (struct writebacks){0};
    (void)error; /* the check of the fence compares the error */
    if (writebacks.recorded == 0 && writebacks.unrecorded == 0)
        return;
    ag_strbuf_printf(&want, "submission %u: %" PRIu64 " write-backs of %" PRIu64 " bytes", submission,
                     writebacks.recorded, writebacks.bytes);
    if (writebacks.unrecorded != 0)
        ag_strbuf_printf(&got, "%" PRIu64 " write-backs that were not recorded", writebacks.unrecorded);
    else
        print_difference(&got, &writebacks.difference, "words");
    add_check(replay, "writeback", writebacks.unrecorded == 0 && replay_is_tolerated(&writebacks.difference),
              replay->memory.capture->records.data[replay->memory.cursor].offset, &want, &got);
}

static void print_fence(struct ag_strbuf *out, uint32_t submission, uint64_t fence, uint32_t error)
{
    ag_strbuf_printf(out, "submission %u, fence %" PRIu64 ", error %u", submission, fence, error);
}

static void on_completed(void *user, uint32_t submission, uint64_t fence, uint32_t error)
{
    struct replay *replay = user;
    const size_t at = replay->fences_seen++;
    if (at >= replay->fences.count)
        return; /* the recording ended before this fence */
    const struct ag_capture_record *record = replay->fences.data[at];
    const struct ag_capture_fence *recorded = AG_CAPTURE_AS(record, fence);
    struct ag_strbuf want = {0}, got = {0};
    print_fence(&want, recorded->submission, recorded->fence, recorded->error);
    print_fence(&got, submission, fence, error);
    add_check(replay, "fence",
              recorded->submission == submission && recorded->fence == fence &&
                  (recorded->error == error || recorded->error == AG_CAPTURE_ANY_ERROR),
              record->offset, &want, &got);
}

/* ---- The device's callbacks ---------------------------------------------------------------------------- */

static bool read_memory(void *user, uint64_t gpa, void *to, size_t size)
{
    return replay_memory_read(&((struct replay *)user)->memory, gpa, to, size);
}

static bool write_memory(void *user, uint64_t gpa, const void *from, size_t size)
{
    (void)from;
    return replay_memory_is_writable(&((struct replay *)user)->memory, gpa, size);
}

static void on_write(void *user, const struct agpu_device_access *access)
{
    struct replay *replay = user;
    struct writebacks *writebacks = &replay->writebacks;
    const struct ag_capture_record *record =
        replay_memory_take_write(&replay->memory, access->gpa, access->size);
    if (!access->by_executor || access->data == NULL)
        return;
    if (record == NULL || record->bytes == NULL) {
        writebacks->unrecorded++;
        return;
    }
    const struct replay_difference difference =
        replay_compare_bytes(access->data, record->bytes, access->size);
    writebacks->recorded++;
    writebacks->bytes += access->size;
    writebacks->difference.count += difference.count;
    writebacks->difference.different += difference.different;
    writebacks->difference.far += difference.far;
}

/* Keeps the recorded picture beside the present that was just kept. */
static void keep_expected(struct replay *replay, const struct ag_capture_record *record)
{
    struct ag_scene_present *present = &ag_vec_last(&replay->report->presents);
    const size_t pixels = (size_t)present->width * present->height;
    if (record->bytes == NULL || record->access.size != pixels * 4)
        return;
    if (!ag_scene_reserve_expected(present)) {
        give_up(replay, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for an expected picture");
        return;
    }
    memcpy(present->expected, record->bytes, pixels * 4);
    for (size_t i = 0; i < pixels; i++)
        present->known[i] = true;
}

static void on_presented(void *user, const struct agpu_present *present)
{
    struct replay *replay = user;
    const size_t size = (size_t)present->width * present->height * 4;
    const size_t at = replay->presents_seen++;
    struct ag_scene_present kept = {
        .number = (uint32_t)at,
        .submission = present->submission,
        .width = present->width,
        .height = present->height,
        .hash = ag_hash_bytes(present->pixels, size),
    };
    if (at < replay->presents.count)
        check_present(replay, replay->presents.data[at], &kept, present->pixels);
    if (replay->options->max_presents != 0 && at >= replay->options->max_presents)
        return;
    kept.pixels = malloc(size != 0 ? size : 1);
    if (kept.pixels == NULL || !ag_vec_push(&replay->report->presents, kept)) {
        free(kept.pixels);
        give_up(replay, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for a picture");
        return;
    }
    memcpy(kept.pixels, present->pixels, size);
    if (at < replay->presents.count && replay->options->keep_expected)
        keep_expected(replay, replay->presents.data[at]);
} /* cppcheck-suppress memleak ; the report has the copy */

/* An error that the guest causes was recorded as well, so a replay reports it as a note. */
static void report_diag(void *user, const struct agpu_diag *diag)
{
    struct replay *replay = user;
    struct ag_scene_diag kept = {*diag};
    if (diag->code == AGPU_DIAG_OUT_OF_MEMORY) {
        give_up(replay, AGPU_DIAG_OUT_OF_MEMORY, diag->message);
        return;
    }
    kept.diag.message = ag_arena_strdup(&replay->report->arena, diag->message);
    if (kept.diag.severity == AGPU_ERROR && agpu_diag_error_register(diag->code) != AEROGPU_ERROR_INTERNAL)
        kept.diag.severity = AGPU_NOTE;
    if (kept.diag.message == NULL || !ag_vec_push(&replay->report->diags, kept))
        give_up(replay, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for a diagnostic");
    else if (replay->sink != NULL && replay->sink->report != NULL)
        replay->sink->report(replay->sink->user, &kept.diag);
}

/* ---- Waiting ------------------------------------------------------------------------------------------- */

static bool is_late(const struct replay *replay, uint64_t start_ns)
{
    const uint32_t limit_ms =
        replay->options->timeout_ms != 0 ? replay->options->timeout_ms : DEFAULT_TIMEOUT_MS;
    return ag_clock_ns() - start_ns > (uint64_t)limit_ms * 1000000;
}

/* Polls until `fences` submissions completed, or the executor has nothing to do. */
static void wait_for(struct replay *replay, size_t fences)
{
    struct agpu_executor *executor = replay->options->executor;
    const uint64_t start = ag_clock_ns();
    while (!replay->aborted && agpu_device_poll(replay->device, replay->now_ns) &&
           replay->fences_seen < fences) {
        /* The device may have handed a submission to the executor just now, so both are asked again. */
        if (!executor->poll(executor) &&
            (!agpu_device_poll(replay->device, replay->now_ns) || !executor->poll(executor))) {
            agpu_device_poll(replay->device, replay->now_ns);
            break;
        }
        if (is_late(replay, start))
            give_up(replay, AGPU_DIAG_SCENE_TIMEOUT, "a submission did not complete within the time limit");
        if (agpu_executor_has_more(executor))
            continue;
        const struct timespec pause = {0, PAUSE_NS};
        nanosleep(&pause, NULL);
    }
    replay->wait_ms += (double)(ag_clock_ns() - start) * 1e-6;
}

/* Waits for as many completions as the guest had seen when it went on. */
static void wait_for_fences(struct replay *replay, size_t fences)
{
    const uint64_t start = ag_clock_ns();
    wait_for(replay, fences);
    /* A frame may wait for a vblank that came too early in the replay. The next vblank releases it. */
    while (!replay->aborted && replay->fences_seen < fences) {
        const size_t before = replay->fences_seen;
        const uint64_t next = agpu_device_next_event_ns(replay->device);
        if (next == UINT64_MAX)
            break;
        replay->now_ns = next > replay->now_ns ? next : replay->now_ns;
        wait_for(replay, fences);
        if (replay->fences_seen == before && !agpu_device_poll(replay->device, replay->now_ns))
            break;
        if (replay->fences_seen < fences && is_late(replay, start))
            give_up(replay, AGPU_DIAG_SCENE_TIMEOUT, "a submission did not complete within the time limit");
    }
}

/* ---- Events -------------------------------------------------------------------------------------------- */

static uint64_t current_time(void *user)
{
    return ((const struct replay *)user)->now_ns;
}

static void play_time(struct replay *replay, const struct ag_capture_time *time)
{
    if (time->ticks != 0)
        wait_for(replay, SIZE_MAX);
    if (time->now_ns > replay->now_ns)
        replay->now_ns = time->now_ns;
    if (time->ticks != 0)
        agpu_device_poll(replay->device, replay->now_ns);
}

static void play(struct replay *replay, const struct ag_capture_record *record, size_t *fences)
{
    struct agpu_device *device = replay->device;
    switch ((enum ag_capture_fourcc)record->fourcc) {
    case AG_CAPTURE_CONF:
        agpu_device_config_write(device, AG_CAPTURE_AS(record, config)->offset,
                                 AG_CAPTURE_AS(record, config)->size, AG_CAPTURE_AS(record, config)->value);
        break;
    case AG_CAPTURE_MMIO:
    case AG_CAPTURE_BELL:
        agpu_device_mmio_write(device, AG_CAPTURE_AS(record, mmio)->offset, AG_CAPTURE_AS(record, mmio)->size,
                               AG_CAPTURE_AS(record, mmio)->value);
        break;
    case AG_CAPTURE_VRAM:
        agpu_device_vram_write(device, ag_load_u64(record->payload), record->payload + sizeof(uint64_t),
                               record->size - sizeof(uint64_t));
        break;
    case AG_CAPTURE_TIME:
        play_time(replay, AG_CAPTURE_AS(record, time));
        break;
    case AG_CAPTURE_FENC:
        wait_for_fences(replay, ++*fences);
        break;
    case AG_CAPTURE_SUBM:
        replay->report->submissions++;
        break;
    case AG_CAPTURE_INFO:
    case AG_CAPTURE_PAGE:
    case AG_CAPTURE_WRIT:
    case AG_CAPTURE_PRES:
    case AG_CAPTURE_DONE:
    case AG_CAPTURE_END:
        break;
    }
}

static void check_missing(struct replay *replay, const char *kind, size_t seen, size_t recorded)
{
    struct ag_strbuf want = {0}, got = {0};
    /* A cut capture may lack the results of its last submissions. */
    if (seen == recorded || (seen > recorded && !replay->capture->complete))
        return;
    ag_strbuf_printf(&want, "%zu", recorded);
    ag_strbuf_printf(&got, "%zu", seen);
    add_check(replay, kind, false, 0, &want, &got);
}

static void play_all(struct replay *replay)
{
    const struct ag_capture *capture = replay->capture;
    size_t fences = 0;
    for (size_t i = 0; i < capture->records.count && !replay->aborted; i++) {
        replay->memory.cursor = i;
        play(replay, &capture->records.data[i], &fences);
    }
    if (replay->aborted)
        return;
    /* What a cut capture has of its last submissions may come before their fences. */
    wait_for(replay, replay->capture->complete ? replay->fences.count : SIZE_MAX);
    check_missing(replay, "presents", replay->presents_seen, replay->presents.count);
    if (replay->fences_seen < replay->fences.count)
        check_missing(replay, "fences", replay->fences_seen, replay->fences.count);
}

/* ---- Setting up ---------------------------------------------------------------------------------------- */

static bool collect(struct replay *replay)
{
    for (size_t i = 0; i < replay->capture->records.count; i++) {
        const struct ag_capture_record *record = &replay->capture->records.data[i];
        if ((record->fourcc == AG_CAPTURE_PRES && !ag_vec_push(&replay->presents, record)) ||
            (record->fourcc == AG_CAPTURE_FENC && !ag_vec_push(&replay->fences, record)))
            return false;
    }
    return replay_memory_init(&replay->memory, replay->capture);
}

static bool set_up(struct replay *replay)
{
    replay->taps.replay = (struct agpu_device_tap){
        .memory_write = on_write, .executed = on_executed, .completed = on_completed, .user = replay};
    if (replay->options->tap != NULL)
        replay->taps.recorder = *replay->options->tap;
    const struct agpu_device_tap tap = replay_tap(&replay->taps);
    const struct ag_capture_info *info = replay->capture->info;
    const struct agpu_device_options device_options = {
        .refresh_millihertz = info->refresh_millihertz,
        .pci_decode_off = (info->flags & AG_CAPTURE_INFO_DECODE_OFF) != 0,
        .tap = &tap,
    };
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = read_memory, .write = write_memory, .user = replay},
        .presented = on_presented,
        .diagnostics = {report_diag,                   replay                             },
        .user = replay,
        .now_ns = current_time,
    };
    replay->now_ns = info->now_ns;
    if (!collect(replay))
        give_up(replay, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for the capture");
    else if (agpu_device_create(&device_options, &callbacks, replay->options->executor, info->now_ns,
                                &replay->device) != AGPU_OK)
        give_up(replay, AGPU_DIAG_SCENE_SETUP, "the device cannot be set up");
    return !replay->aborted;
}

static void finish(struct replay *replay)
{
    static const struct agpu_executor_events no_events = {0};
    static const struct agpu_guest_memory no_memory = {0};
    struct agpu_executor *executor = replay->options->executor;
    replay->report->counters.size = sizeof replay->report->counters;
    if (executor->counters != NULL)
        executor->counters(executor, &replay->report->counters);
    agpu_device_destroy(replay->device);
    executor->attach(executor, &no_events, &no_memory);
    replay_memory_fini(&replay->memory);
    ag_vec_fini(&replay->presents);
    ag_vec_fini(&replay->fences);
    replay->report->wait_ms = replay->wait_ms;
}

enum agpu_status ag_replay_run(const struct ag_capture *capture, const struct ag_scene_options *options,
                               const struct agpu_diag_sink *sink, struct ag_scene_report *report)
{
    struct replay replay = {.capture = capture, .options = options, .sink = sink, .report = report};
    const uint64_t start = ag_clock_ns();
    *report = (struct ag_scene_report){.result = AG_SCENE_PASSED};
    if (set_up(&replay))
        play_all(&replay);
    finish(&replay);
    report->total_ms = (double)(ag_clock_ns() - start) * 1e-6;
    if (report->status != AGPU_OK)
        return report->status;
    return report->result == AG_SCENE_FAILED ? AGPU_REFUSED : AGPU_OK;
}
