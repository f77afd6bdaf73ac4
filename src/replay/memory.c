/* SPDX-License-Identifier: MIT
 *
 * Serves the reads of a replay from the reads of the capture, in the order of each range.
 */
#include "replay/memory.h"

#include <string.h>

#include "base/bytes.h"

/* A read that was not recorded as such is searched in this many records around the cursor. */
#define NEIGHBOURHOOD 4096u

static struct replay_queue *find_queue(const struct ag_map *map, uint64_t gpa, uint64_t size)
{
    struct replay_queue *queue = ag_map_get(map, ag_hash_combine(gpa, size));
    while (queue != NULL && (queue->gpa != gpa || queue->size != size))
        queue = queue->other;
    return queue;
}

static bool append(struct replay_memory *memory, struct ag_map *map, const struct ag_capture_record *record)
{
    const uint64_t key = ag_hash_combine(record->access.gpa, record->access.size);
    struct replay_queue *queue = find_queue(map, record->access.gpa, record->access.size);
    if (queue == NULL) {
        queue = AG_ARENA_NEW(&memory->arena, struct replay_queue);
        if (queue == NULL)
            return false;
        queue->gpa = record->access.gpa;
        queue->size = record->access.size;
        queue->end = &queue->next;
        queue->other = ag_map_get(map, key);
        if (!ag_map_put(map, key, queue))
            return false;
    }
    struct replay_access *access = AG_ARENA_NEW(&memory->arena, struct replay_access);
    if (access == NULL)
        return false;
    access->record = record;
    *queue->end = access;
    queue->end = &access->next;
    return true;
}

bool replay_memory_init(struct replay_memory *memory, const struct ag_capture *capture)
{
    *memory = (struct replay_memory){.capture = capture};
    for (size_t i = 0; i < capture->records.count; i++) {
        const struct ag_capture_record *record = &capture->records.data[i];
        if ((record->fourcc == AG_CAPTURE_PAGE && !append(memory, &memory->reads, record)) ||
            (record->fourcc == AG_CAPTURE_WRIT && !append(memory, &memory->writes, record)))
            return false;
    }
    return true;
}

void replay_memory_fini(struct replay_memory *memory)
{
    ag_map_fini(&memory->reads);
    ag_map_fini(&memory->writes);
    ag_arena_fini(&memory->arena);
}

static const struct ag_capture_record *take(const struct ag_map *map, uint64_t gpa, size_t size)
{
    struct replay_queue *queue = find_queue(map, gpa, size);
    if (queue == NULL || queue->next == NULL)
        return NULL;
    const struct ag_capture_record *record = queue->next->record;
    queue->next = queue->next->next;
    if (queue->next == NULL)
        queue->end = &queue->next;
    return record;
}

static const uint8_t *part_of(const struct ag_capture_record *record, uint64_t gpa, size_t size)
{
    const struct ag_capture_access *access = &record->access;
    const bool inside = record->fourcc == AG_CAPTURE_PAGE && record->bytes != NULL && gpa >= access->gpa &&
                        ag_range_fits(gpa - access->gpa, size, access->size);
    return inside ? record->bytes + (gpa - access->gpa) : NULL;
}

/* Another version of the library may read memory in other pieces than the recording one did. Their bytes are
 * in records nearby. */
static const uint8_t *find_part(const struct replay_memory *memory, uint64_t gpa, size_t size)
{
    const struct ag_capture *capture = memory->capture;
    for (size_t i = memory->cursor; i < capture->records.count && i < memory->cursor + NEIGHBOURHOOD; i++) {
        const uint8_t *part = part_of(&capture->records.data[i], gpa, size);
        if (part != NULL)
            return part;
    }
    for (size_t i = memory->cursor; i > 0 && i + NEIGHBOURHOOD > memory->cursor; i--) {
        const uint8_t *part = part_of(&capture->records.data[i - 1], gpa, size);
        if (part != NULL)
            return part;
    }
    return NULL;
}

bool replay_memory_read(struct replay_memory *memory, uint64_t gpa, void *to, size_t size)
{
    const struct ag_capture_record *record = take(&memory->reads, gpa, size);
    const uint8_t *bytes = record != NULL ? record->bytes : find_part(memory, gpa, size);
    if (bytes != NULL)
        memcpy(to, bytes, size);
    return bytes != NULL;
}

bool replay_memory_is_writable(const struct replay_memory *memory, uint64_t gpa, size_t size)
{
    const struct replay_queue *queue = find_queue(&memory->writes, gpa, size);
    return queue == NULL || queue->next == NULL ||
           (queue->next->record->access.flags & AG_CAPTURE_ACCESS_FAILED) == 0;
}

const struct ag_capture_record *replay_memory_take_write(struct replay_memory *memory, uint64_t gpa,
                                                         size_t size)
{
    return take(&memory->writes, gpa, size);
}
