/* SPDX-License-Identifier: MIT
 *
 * Guest memory as a GPU process sees it: regions that it has mapped, and for all else requests to the owner.
 * Reads wait for the answer. Write-backs do not: their rows are gathered, and go before the completion of
 * their submission.
 */
#include <string.h>

#include "base/bytes.h"
#include "process/gpu_process.h"

static uint8_t *find_mapped(const struct ag_gpu_process *process, uint64_t gpa, size_t size)
{
    for (uint32_t i = 0; i < process->region_count; i++) {
        const struct ag_mapped_region *const region = &process->regions[i];
        if (gpa >= region->gpa && ag_range_fits(gpa - region->gpa, size, region->size))
            return region->bytes + (gpa - region->gpa);
    }
    return NULL;
}

/* Sends a request and waits for its answer, which a reset makes false. */
static bool ask(struct ag_gpu_process *process, struct ag_message *message, uint8_t *to, uint32_t size)
{
    process->is_waiting = true;
    process->is_answered = false;
    process->answer_to = to;
    process->answer_size = size;
    ag_gpu_process_send(process, message);
    while (!process->ended && !process->is_answered && !ag_gpu_process_reset_is_due(process))
        ag_gpu_process_wait(process);
    process->is_waiting = false;
    return process->is_answered && process->answer_is_good;
}

/* The bytes of an access that are asked for next; 0 when the access wraps, or nobody may be asked any more.
 */
static uint32_t next_piece(struct ag_gpu_process *process, uint64_t gpa, size_t size, size_t done)
{
    if (size - 1 > UINT64_MAX - gpa || process->ended || ag_gpu_process_reset_is_due(process))
        return 0;
    return ag_piece_of(size - done);
}

static bool read_piece(struct ag_gpu_process *process, uint64_t gpa, uint8_t *to, uint32_t size)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_READ, process->epoch);
    message.as.read = (struct ag_read_message){gpa, size};
    return ask(process, &message, to, size);
}

static bool read_memory(void *user, uint64_t gpa, void *to, size_t size)
{
    struct ag_gpu_process *const process = user;
    const uint8_t *const mapped = find_mapped(process, gpa, size);
    if (mapped != NULL) {
        memcpy(to, mapped, size);
        return true;
    }
    ag_remote_memory_flush(process);
    for (size_t done = 0; done < size;) {
        const uint32_t piece = next_piece(process, gpa, size, done);
        if (piece == 0 || !read_piece(process, gpa + done, (uint8_t *)to + done, piece))
            return false;
        done += piece;
    }
    return true;
}

static bool write_piece(struct ag_gpu_process *process, uint64_t gpa, const uint8_t *from, uint32_t size)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_WRITE, process->epoch);
    uint8_t *const bytes = ag_gpu_process_reserve(process, &message, size);
    if (bytes == NULL)
        return false;
    memcpy(bytes, from, size);
    message.as.write = (struct ag_write_message){.gpa = gpa,
                                                 .pitch = size,
                                                 .row_bytes = size,
                                                 .rows = 1,
                                                 .place = AGPU_NO_PLACE,
                                                 .opcode = AG_NO_OPCODE,
                                                 .is_waited_for = true};
    return ask(process, &message, NULL, 0);
}

static bool write_memory(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct ag_gpu_process *const process = user;
    uint8_t *const mapped = find_mapped(process, gpa, size);
    if (mapped != NULL) {
        memcpy(mapped, from, size);
        return true;
    }
    ag_remote_memory_flush(process);
    for (size_t done = 0; done < size;) {
        const uint32_t piece = next_piece(process, gpa, size, done);
        if (piece == 0 || !write_piece(process, gpa + done, (const uint8_t *)from + done, piece))
            return false;
        done += piece;
    }
    return true;
}

static const void *map_memory(void *user, uint64_t gpa, size_t size)
{
    return find_mapped(user, gpa, size);
}

struct agpu_guest_memory ag_remote_memory(struct ag_gpu_process *process)
{
    return (struct agpu_guest_memory){.size = sizeof(struct agpu_guest_memory),
                                      .read = read_memory,
                                      .write = write_memory,
                                      .user = process,
                                      .map = map_memory};
}

/* ---- Write-backs -------------------------------------------------------------------------------------- */

void ag_remote_memory_flush(struct ag_gpu_process *process)
{
    struct ag_row_batch *const batch = &process->batch;
    if (batch->next == NULL)
        return;
    batch->next = NULL;
    ag_gpu_process_send(process, &batch->message);
}

/* Whether a row continues the batch: one pitch behind the last row, for the same packet. */
static bool joins(const struct ag_row_batch *batch, uint64_t gpa, size_t size, const struct agpu_place *place)
{
    const struct ag_write_message *const write = &batch->message.as.write;
    if (batch->next == NULL || size != write->row_bytes || size > batch->room ||
        write->rows == AG_WRITE_ROWS || place->submission != write->place.submission ||
        place->packet != write->place.packet)
        return false;
    return write->rows == 1 ? gpa > write->gpa : gpa == write->gpa + write->rows * write->pitch;
}

static void begin_batch(struct ag_gpu_process *process, uint64_t gpa, uint32_t size,
                        const struct agpu_place *place, const char *packet_name)
{
    struct ag_row_batch *const batch = &process->batch;
    batch->message = ag_message_of(AG_MESSAGE_WRITE, process->epoch);
    batch->next = ag_gpu_process_reserve(process, &batch->message, AG_PIECE_BYTES);
    batch->room = AG_PIECE_BYTES;
    batch->message.size = 0;
    batch->message.as.write = (struct ag_write_message){
        .gpa = gpa,
        .pitch = size,
        .row_bytes = size,
        .place = *place,
        .opcode = ag_message_opcode(packet_name),
    };
}

static void add_row(struct ag_gpu_process *process, uint64_t gpa, const void *from, uint32_t size)
{
    struct ag_row_batch *const batch = &process->batch;
    struct ag_write_message *const write = &batch->message.as.write;
    if (batch->next == NULL) /* the owner is gone */
        return;
    if (write->rows == 1)
        write->pitch = gpa - write->gpa;
    memcpy(batch->next, from, size);
    batch->next += size;
    batch->room -= size;
    batch->message.size += size;
    write->rows++;
}

void ag_remote_memory_post(void *user, uint64_t gpa, const void *from, size_t size,
                           const struct agpu_place *place, const char *packet_name)
{
    struct ag_gpu_process *const process = user;
    uint8_t *const mapped = find_mapped(process, gpa, size);
    if (mapped != NULL) {
        memcpy(mapped, from, size);
        return;
    }
    for (size_t done = 0; done < size && !process->ended;) {
        const uint32_t piece = ag_piece_of(size - done);
        if (!joins(&process->batch, gpa + done, piece, place)) {
            ag_remote_memory_flush(process);
            begin_batch(process, gpa + done, piece, place, packet_name);
        }
        add_row(process, gpa + done, (const uint8_t *)from + done, piece);
        done += piece;
    }
}
