/* SPDX-License-Identifier: MIT
 *
 * The runner in the role of the guest driver: it sets up the device, fills the ring and waits for fences.
 * (Spec: ABI 4.3, 4.5.)
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aerogpu/abi/ring.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "scene/run.h"

#define RING_ENTRIES 64u
#define RING_STRIDE 64u
#define RING_BYTES ((uint32_t)sizeof(struct aerogpu_ring_header) + RING_ENTRIES * RING_STRIDE)
#define RING_GPA SCENE_RUNNER_GPA
#define FENCE_GPA (SCENE_RUNNER_GPA + 0x10000)
#define BUFFERS_GPA (SCENE_RUNNER_GPA + 0x20000)
#define PAGE_BYTES 4096u
#define FALLBACK_PERIOD_NS 16666667u
#define DEFAULT_TIMEOUT_MS 30000u

double scene_clock_ms(void)
{
    return (double)ag_clock_ns() * 1e-6;
}

/* ---- Registers ----------------------------------------------------------------------------------------- */

uint32_t scene_guest_read(struct scene_run *run, uint32_t offset)
{
    return (uint32_t)agpu_device_mmio_read(run->device, offset, 4);
}

void scene_guest_write(struct scene_run *run, uint32_t offset, uint32_t value)
{
    /* After a reset the device numbers submissions from 0 again, and the entries of the ring are gone. */
    if (offset == AEROGPU_MMIO_REG_RING_CONTROL && (value & AEROGPU_RING_CONTROL_RESET) != 0)
        run->sent.count = 0;
    agpu_device_mmio_write(run->device, offset, 4, value);
    if (offset == AEROGPU_MMIO_REG_RING_CONTROL && (value & AEROGPU_RING_CONTROL_RESET) != 0)
        run->error_count = scene_guest_read(run, AEROGPU_MMIO_REG_ERROR_COUNT);
}

uint64_t scene_guest_completed_fence(struct scene_run *run)
{
    uint32_t high, low, again;
    do {
        high = scene_guest_read(run, AEROGPU_MMIO_REG_COMPLETED_FENCE_HI);
        low = scene_guest_read(run, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO);
        again = scene_guest_read(run, AEROGPU_MMIO_REG_COMPLETED_FENCE_HI);
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

/* ---- The device's callbacks ---------------------------------------------------------------------------- */

static void set_irq(void *user, bool asserted)
{
    ((struct scene_run *)user)->irq_line = asserted;
}

static uint8_t *copy_pixels(struct scene_run *run, const uint8_t *pixels, size_t size)
{
    uint8_t *copy = malloc(size != 0 ? size : 1);
    if (copy == NULL)
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for a picture");
    else if (size != 0)
        memcpy(copy, pixels, size);
    return copy;
}

static void presented(void *user, const struct agpu_present *present)
{
    struct scene_run *run = user;
    const size_t size = (size_t)present->width * present->height * 4;
    free(run->picture.pixels);
    run->picture =
        (struct scene_picture){present->width, present->height, copy_pixels(run, present->pixels, size)};
    run->picture_is_new = true;
    const uint32_t number = run->present_count++;
    if (run->options->max_presents != 0 && number >= run->options->max_presents)
        return;
    const struct ag_scene_present kept = {
        .number = number,
        .submission = present->submission,
        .width = present->width,
        .height = present->height,
        .pixels = copy_pixels(run, present->pixels, size),
    };
    if (kept.pixels != NULL && !ag_vec_push(&run->report->presents, kept)) {
        free(kept.pixels);
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for a picture");
    }
}

/* ---- Setting up ---------------------------------------------------------------------------------------- */

static void write_u64(struct scene_run *run, uint32_t offset_low, uint32_t offset_high, uint64_t value)
{
    scene_guest_write(run, offset_high, (uint32_t)(value >> 32));
    scene_guest_write(run, offset_low, (uint32_t)value);
}

static bool make_ring(struct scene_run *run)
{
    uint8_t *ring = scene_memory_add(&run->memory, RING_GPA, RING_BYTES);
    uint8_t *page = scene_memory_add(&run->memory, FENCE_GPA, PAGE_BYTES);
    if (ring == NULL || page == NULL)
        return false;
    const struct aerogpu_ring_header header = {
        .magic = AEROGPU_RING_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .size_bytes = RING_BYTES,
        .entry_count = RING_ENTRIES,
        .entry_stride_bytes = RING_STRIDE,
    };
    memcpy(ring, &header, sizeof header);
    ag_store_u32(page, AEROGPU_FENCE_PAGE_MAGIC);
    ag_store_u32(page + 4, AEROGPU_ABI_VERSION_U32);
    return true;
}

static uint64_t current_time(void *user)
{
    return ((const struct scene_run *)user)->now_ns;
}

enum agpu_status scene_guest_create_device(struct scene_run *run)
{
    const struct agpu_device_callbacks callbacks = {
        .memory = scene_memory_callbacks(&run->memory),
        .set_irq = set_irq,
        .presented = presented,
        .diagnostics = {scene_note_diag, run},
        .user = run,
        .now_ns = current_time,
    };
    /* Scenes expect each of their diagnostics. */
    const struct agpu_device_options device_options = {.size = sizeof device_options,
                                                       .tap = run->options->tap,
                                                       .diagnostics_per_second = AGPU_NO_DIAGNOSTICS_LIMIT};
    return agpu_device_create(&device_options, &callbacks, run->executor, run->now_ns, &run->device);
}

bool scene_guest_init(struct scene_run *run)
{
    run->next_gpa = BUFFERS_GPA;
    if (!make_ring(run) || scene_guest_create_device(run) != AGPU_OK) {
        scene_abort(run, AGPU_DIAG_SCENE_SETUP, "the device cannot be set up");
        return false;
    }
    write_u64(run, AEROGPU_MMIO_REG_RING_GPA_LO, AEROGPU_MMIO_REG_RING_GPA_HI, RING_GPA);
    scene_guest_write(run, AEROGPU_MMIO_REG_RING_SIZE_BYTES, RING_BYTES);
    if ((scene_guest_read(run, AEROGPU_MMIO_REG_FEATURES_LO) & AEROGPU_FEATURE_FENCE_PAGE) != 0)
        write_u64(run, AEROGPU_MMIO_REG_FENCE_GPA_LO, AEROGPU_MMIO_REG_FENCE_GPA_HI, FENCE_GPA);
    scene_guest_write(run, AEROGPU_MMIO_REG_IRQ_ENABLE,
                      AEROGPU_IRQ_FENCE | AEROGPU_IRQ_SCANOUT_VBLANK | AEROGPU_IRQ_ERROR);
    scene_guest_write(run, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
    return true;
}

static void free_buffers(struct scene_run *run)
{
    for (size_t i = 0; i < run->buffers.count; i++)
        scene_memory_remove(&run->memory, run->buffers.data[i]);
    run->buffers.count = 0;
}

void scene_guest_fini(struct scene_run *run)
{
    static const struct agpu_executor_events no_events = {0};
    static const struct agpu_guest_memory no_memory = {0};
    struct agpu_executor *executor = run->executor;
    agpu_device_destroy(run->device);
    /* The run is over: whatever the executor reports while it is destroyed must not reach this object. */
    if (executor)
        executor->attach(executor, &no_events, &no_memory);
    free_buffers(run);
    ag_vec_fini(&run->buffers);
    ag_vec_fini(&run->sent);
    ag_vec_fini(&run->allocations);
    scene_memory_fini(&run->memory);
}

/* ---- Submitting ---------------------------------------------------------------------------------------- */

/* Adds guest memory for a command buffer or a table. The memory stays until the device is idle. */
static uint8_t *add_buffer(struct scene_run *run, size_t size, uint64_t *gpa)
{
    *gpa = run->next_gpa;
    uint8_t *bytes = scene_memory_add(&run->memory, *gpa, size);
    if (bytes == NULL || !ag_vec_push(&run->buffers, *gpa)) {
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for a submission");
        return NULL;
    }
    run->next_gpa += ag_align_up(size, PAGE_BYTES) + PAGE_BYTES;
    return bytes;
}

static struct aerogpu_alloc_entry entry_of(const struct scene_allocation *allocation)
{
    return (struct aerogpu_alloc_entry){
        .alloc_id = allocation->id,
        .flags = allocation->readonly ? AEROGPU_ALLOC_FLAG_READONLY : AEROGPU_ALLOC_FLAG_NONE,
        .gpa = allocation->gpa,
        .size_bytes = allocation->size,
    };
}

static bool add_table(struct scene_run *run, const struct scene_allocation *more,
                      struct aerogpu_submit_desc *desc)
{
    const size_t count = run->allocations.count + (more != NULL);
    if (count == 0)
        return true;
    const size_t size =
        sizeof(struct aerogpu_alloc_table_header) + count * sizeof(struct aerogpu_alloc_entry);
    uint64_t gpa;
    uint8_t *table = add_buffer(run, size, &gpa);
    if (table == NULL)
        return false;
    const struct aerogpu_alloc_table_header header = {
        .magic = AEROGPU_ALLOC_TABLE_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
        .size_bytes = (uint32_t)size,
        .entry_count = (uint32_t)count,
        .entry_stride_bytes = sizeof(struct aerogpu_alloc_entry),
    };
    memcpy(table, &header, sizeof header);
    struct aerogpu_alloc_entry entry;
    for (size_t i = 0; i < run->allocations.count; i++) {
        entry = entry_of(&run->allocations.data[i]);
        memcpy(table + sizeof header + i * sizeof entry, &entry, sizeof entry);
    }
    if (more != NULL) {
        entry = entry_of(more);
        memcpy(table + size - sizeof entry, &entry, sizeof entry);
    }
    desc->alloc_table_gpa = gpa;
    desc->alloc_table_size_bytes = (uint32_t)size;
    return true;
}

/* Waits until the ring has a free slot. */
static bool wait_for_slot(struct scene_run *run)
{
    uint8_t head[4];
    for (;;) {
        if (!scene_memory_read(&run->memory, RING_GPA + offsetof(struct aerogpu_ring_header, head), head, 4))
            return false;
        if (run->tail - ag_load_u32(head) < RING_ENTRIES)
            return true;
        if (!scene_guest_finish(run))
            return false;
    }
}

bool scene_guest_submit(struct scene_run *run, const struct scene_submit *submit, uint64_t fence,
                        const struct scene_allocation *staging)
{
    struct aerogpu_submit_desc desc = {
        .desc_size_bytes = sizeof desc,
        .flags = submit->flags,
        .context_id = submit->context_id,
        .signal_fence = fence,
    };
    if (submit->stream.size != 0) {
        uint8_t *buffer = add_buffer(run, submit->stream.size, &desc.cmd_gpa);
        if (buffer == NULL)
            return false;
        memcpy(buffer, submit->stream.data, submit->stream.size);
        desc.cmd_size_bytes = (uint32_t)submit->stream.size;
    }
    if ((!submit->no_allocations && !add_table(run, staging, &desc)) || !wait_for_slot(run))
        return false;
    const uint64_t slot =
        RING_GPA + sizeof(struct aerogpu_ring_header) + (uint64_t)(run->tail % RING_ENTRIES) * RING_STRIDE;
    uint8_t tail[4];
    scene_memory_write(&run->memory, slot, &desc, sizeof desc);
    ag_store_u32(tail, ++run->tail);
    scene_memory_write(&run->memory, RING_GPA + offsetof(struct aerogpu_ring_header, tail), tail,
                       sizeof tail);
    const struct scene_sent sent = {fence, staging == NULL ? submit : NULL};
    if (!ag_vec_push(&run->sent, sent)) {
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for a submission");
        return false;
    }
    scene_guest_write(run, AEROGPU_MMIO_REG_DOORBELL, 1);
    return true;
}

/* ---- Waiting ------------------------------------------------------------------------------------------- */

/* Replaces the picture of the last present by what scanout 0 shows, when the scanout is on. */
static void take_scanout(struct scene_run *run)
{
    uint32_t width, height;
    uint8_t *pixels;
    if (!run->picture_is_new)
        return;
    run->picture_is_new = false;
    if (scene_guest_read(run, AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 0 ||
        agpu_device_read_scanout(run->device, &width, &height, &pixels) != AGPU_OK)
        return;
    free(run->picture.pixels);
    run->picture = (struct scene_picture){width, height, pixels};
    if (run->report->presents.count == 0 ||
        ag_vec_last(&run->report->presents).number + 1 != run->present_count)
        return;
    struct ag_scene_present *kept = &ag_vec_last(&run->report->presents);
    free(kept->pixels);
    kept->width = width;
    kept->height = height;
    kept->pixels = copy_pixels(run, pixels, (size_t)width * height * 4);
}

enum idle_state {
    IDLE,     /* nothing is outstanding */
    HELD,     /* a fence waits for a vblank */
    TOO_LONG, /* the time limit was hit */
};

bool scene_guest_is_past_limit(const struct scene_run *run, double start_ms)
{
    const uint32_t limit_ms = run->options->timeout_ms != 0 ? run->options->timeout_ms : DEFAULT_TIMEOUT_MS;
    return scene_clock_ms() - start_ms > (double)limit_ms;
}

static enum idle_state wait_for_executor(struct scene_run *run)
{
    struct agpu_executor *executor = run->executor;
    const double start = scene_clock_ms();
    enum idle_state state;
    long sleep_ns = 50000;
    for (;;) {
        state = IDLE;
        if (!agpu_device_poll(run->device, run->now_ns))
            break;
        /* The device may have handed a submission to the executor just now, so both are asked again. */
        if (!executor->poll(executor) &&
            (!agpu_device_poll(run->device, run->now_ns) || !executor->poll(executor))) {
            state = agpu_device_poll(run->device, run->now_ns) ? HELD : IDLE;
            break;
        }
        state = TOO_LONG;
        if (scene_guest_is_past_limit(run, start))
            break;
        if (agpu_executor_has_more(executor))
            continue;
        const struct timespec pause = {0, sleep_ns};
        nanosleep(&pause, NULL);
        sleep_ns = sleep_ns < 200000 ? sleep_ns + 10000 : sleep_ns;
    }
    run->wait_ms += scene_clock_ms() - start;
    return state;
}

static void note_idle(struct scene_run *run, enum idle_state state)
{
    take_scanout(run);
    scene_note_silent_error(run);
    if (state == IDLE)
        free_buffers(run);
}

static bool give_up(struct scene_run *run)
{
    scene_abort(run, AGPU_DIAG_SCENE_TIMEOUT, "the submission did not complete within the time limit");
    return false;
}

bool scene_guest_settle(struct scene_run *run)
{
    const enum idle_state state = wait_for_executor(run);
    if (state == TOO_LONG)
        return give_up(run);
    note_idle(run, state);
    return !run->aborted;
}

bool scene_guest_finish(struct scene_run *run)
{
    const double start = scene_clock_ms();
    enum idle_state state;
    while ((state = wait_for_executor(run)) == HELD && !run->aborted) {
        const uint64_t next = agpu_device_next_event_ns(run->device);
        if (next == UINT64_MAX || scene_guest_is_past_limit(run, start))
            return give_up(run);
        run->now_ns = next > run->now_ns ? next : run->now_ns + 1;
    }
    if (state == TOO_LONG)
        return give_up(run);
    note_idle(run, state);
    return !run->aborted;
}

void scene_guest_tick(struct scene_run *run)
{
    const uint64_t next = agpu_device_next_event_ns(run->device);
    uint64_t period = scene_guest_read(run, AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS);
    if (period == 0)
        period = FALLBACK_PERIOD_NS;
    run->now_ns = next != UINT64_MAX && next > run->now_ns ? next : run->now_ns + period;
    agpu_device_poll(run->device, run->now_ns);
}
