/* SPDX-License-Identifier: MIT */
#include "fake_executor.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "base/diag.h"

#define MAX_PENDING 64u

struct pending {
    uint32_t number, error, polls;
};

struct fake_executor {
    struct agpu_executor base; /* first: the table is the object */
    const struct fake_executor_options *options;
    struct agpu_executor_events events;
    struct agpu_guest_memory memory;
    struct agpu_counters counters;
    struct pending pending[MAX_PENDING];
    uint32_t pending_count;
    uint32_t staging_id; /* allocation of the resource created last */
};

static void present(struct fake_executor *fake, const struct agpu_submission *submission)
{
    const struct fake_executor_options *options = fake->options;
    const struct agpu_present shown = {
        .submission = submission->number,
        .width = options->width,
        .height = options->height,
        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .pixels = options->pixels,
    };
    fake->counters.presents++;
    if (options->pixels != NULL)
        fake->events.presented(fake->events.user, &shown);
}

static void store(struct fake_executor *fake, const struct agpu_submission *submission, uint64_t offset,
                  size_t size)
{
    for (uint32_t i = 0; i < submission->allocation_count; i++) {
        if (submission->allocations[i].alloc_id == fake->staging_id && size <= fake->options->content_size &&
            offset <= fake->options->content_size - size)
            fake->memory.write(fake->memory.user, submission->allocations[i].gpa,
                               fake->options->content + offset, size);
    }
    fake->counters.copies++;
}

/* The content is one row of texels of four bytes, whatever the row that is asked for. */
static void store_row(struct fake_executor *fake, const struct agpu_submission *submission,
                      const struct aerogpu_cmd_copy_texture2d *copy)
{
    store(fake, submission, 4 * (uint64_t)copy->src_x, 4 * (size_t)copy->width);
}

static void complain(struct fake_executor *fake, enum agpu_diag_code code, enum agpu_severity severity,
                     const struct agpu_packet *packet, uint32_t submission)
{
    struct agpu_place place = AGPU_NO_PLACE;
    place.submission = submission;
    place.packet = packet->index;
    ag_report(&fake->events.diagnostics, code, severity, place, "the test asked for it");
}

static uint32_t fail(struct fake_executor *fake, const struct agpu_packet *packet, uint32_t submission)
{
    const enum agpu_diag_code code =
        (enum agpu_diag_code)(packet->size >= 12 ? ag_load_u32(packet->data + 8) : 0);
    complain(fake, code, AGPU_ERROR, packet, submission);
    return agpu_diag_error_register(code);
}

static void warn(struct fake_executor *fake, const struct agpu_packet *packet, uint32_t submission)
{
    char slug[64] = "";
    if (packet->payload_size >= sizeof slug)
        return;
    memcpy(slug, packet->payload, packet->payload_size);
    const enum agpu_diag_code code = agpu_diag_code_from_slug(slug);
    if (code != AGPU_DIAG_NONE)
        complain(fake, code, AGPU_WARNING, packet, submission);
}

static struct pending execute(struct fake_executor *fake, const struct agpu_submission *submission)
{
    struct pending done = {.number = submission->number, .polls = fake->options->polls};
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (submission->stream == NULL ||
        agpu_stream_reader_init(&reader, submission->stream, submission->stream_size, NULL) != AGPU_OK)
        return done;
    while (agpu_stream_next(&reader, &packet)) {
        fake->counters.packets++;
        if (packet.opcode == AEROGPU_CMD_PRESENT)
            present(fake, submission);
        else if (packet.opcode == AEROGPU_CMD_CREATE_BUFFER)
            fake->staging_id = AGPU_PACKET(&packet, create_buffer)->backing_alloc_id;
        else if (packet.opcode == AEROGPU_CMD_CREATE_TEXTURE2D)
            fake->staging_id = AGPU_PACKET(&packet, create_texture2d)->backing_alloc_id;
        else if (packet.opcode == AEROGPU_CMD_COPY_BUFFER)
            store(fake, submission, AGPU_PACKET(&packet, copy_buffer)->src_offset_bytes,
                  AGPU_PACKET(&packet, copy_buffer)->size_bytes);
        else if (packet.opcode == AEROGPU_CMD_COPY_TEXTURE2D)
            store_row(fake, submission, AGPU_PACKET(&packet, copy_texture2d));
        else if (fake->options->plain)
            continue;
        else if (packet.opcode == FAKE_ERROR_OPCODE)
            done.error = fail(fake, &packet, submission->number);
        else if (packet.opcode == AEROGPU_CMD_DEBUG_MARKER)
            warn(fake, &packet, submission->number);
        else if (packet.opcode == FAKE_HANG_OPCODE)
            done.polls = UINT32_MAX;
    }
    return done;
}

static void fake_submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    struct fake_executor *fake = (struct fake_executor *)executor;
    const struct pending done = execute(fake, submission);
    fake->counters.submissions++;
    if (done.polls == 0 || fake->pending_count == MAX_PENDING)
        fake->events.completed(fake->events.user, done.number, done.error);
    else
        fake->pending[fake->pending_count++] = done;
}

static bool fake_poll(struct agpu_executor *executor)
{
    struct fake_executor *fake = (struct fake_executor *)executor;
    if (fake->pending_count == 0)
        return false;
    struct pending *oldest = &fake->pending[0];
    if (oldest->polls != UINT32_MAX && --oldest->polls == 0) {
        const struct pending done = *oldest;
        fake->pending_count--;
        memmove(oldest, oldest + 1, fake->pending_count * sizeof *oldest);
        fake->events.completed(fake->events.user, done.number, done.error);
    }
    return fake->pending_count != 0;
}

static void fake_reset(struct agpu_executor *executor)
{
    struct fake_executor *fake = (struct fake_executor *)executor;
    fake->pending_count = 0;
    fake->counters = (struct agpu_counters){0};
}

static void fake_destroy(struct agpu_executor *executor)
{
    free(executor);
}

static void fake_attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                        const struct agpu_guest_memory *memory)
{
    struct fake_executor *fake = (struct fake_executor *)executor;
    fake->events = *events;
    fake->memory = *memory;
}

static void fake_counters(struct agpu_executor *executor, struct agpu_counters *counters)
{
    struct agpu_counters counts = ((struct fake_executor *)executor)->counters;
    counts.size = counters->size;
    *counters = counts;
}

struct agpu_executor *fake_executor_create(const struct fake_executor_options *options)
{
    struct fake_executor *fake = calloc(1, sizeof *fake);
    if (fake == NULL)
        return NULL;
    fake->options = options;
    fake->base = (struct agpu_executor){
        .submit = fake_submit,
        .poll = fake_poll,
        .reset = fake_reset,
        .destroy = fake_destroy,
        .attach = fake_attach,
        .counters = fake_counters,
    };
    return &fake->base;
}
