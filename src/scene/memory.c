/* SPDX-License-Identifier: MIT
 *
 * Guest-physical memory as a sorted list of regions.
 */
#include "scene/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* Returns the index of the first region that ends behind `gpa`. */
static size_t find_region(const struct scene_memory *memory, uint64_t gpa)
{
    size_t low = 0, high = memory->regions.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct scene_region *region = &memory->regions.data[middle];
        if (gpa >= region->gpa && gpa - region->gpa >= region->size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint8_t *scene_memory_add(struct scene_memory *memory, uint64_t gpa, size_t size)
{
    uint64_t end;
    const size_t at = find_region(memory, gpa);
    if (size == 0 || !ag_add_u64(gpa, size - 1, &end) ||
        (at < memory->regions.count && memory->regions.data[at].gpa <= end) ||
        !ag_vec_reserve(&memory->regions, memory->regions.count + 1))
        return NULL;
    uint8_t *bytes = calloc(1, size);
    if (bytes == NULL)
        return NULL;
    struct scene_region *slot = &memory->regions.data[at];
    memmove(slot + 1, slot, (memory->regions.count - at) * sizeof *slot);
    *slot = (struct scene_region){gpa, size, bytes};
    memory->regions.count++;
    return bytes;
}

void scene_memory_remove(struct scene_memory *memory, uint64_t gpa)
{
    const size_t at = find_region(memory, gpa);
    if (at == memory->regions.count || memory->regions.data[at].gpa != gpa)
        return;
    struct scene_region *slot = &memory->regions.data[at];
    free(slot->bytes);
    memory->regions.count--;
    memmove(slot, slot + 1, (memory->regions.count - at) * sizeof *slot);
}

void scene_memory_fini(struct scene_memory *memory)
{
    for (size_t i = 0; i < memory->regions.count; i++)
        free(memory->regions.data[i].bytes);
    ag_vec_fini(&memory->regions);
}

/* Tells whether every byte of the range is RAM. */
static bool is_ram(const struct scene_memory *memory, uint64_t gpa, size_t size)
{
    size_t at = find_region(memory, gpa);
    while (size > 0) {
        if (at == memory->regions.count || memory->regions.data[at].gpa > gpa)
            return false;
        const struct scene_region *region = &memory->regions.data[at++];
        const uint64_t left = region->size - (gpa - region->gpa);
        if (size <= left)
            return true;
        size -= (size_t)left;
        gpa += left;
        if (gpa == 0)
            return false;
    }
    return true;
}

bool scene_memory_read(const struct scene_memory *memory, uint64_t gpa, void *to, size_t size)
{
    if (!is_ram(memory, gpa, size))
        return false;
    uint8_t *out = to;
    for (size_t at = find_region(memory, gpa); size > 0; at++) {
        const struct scene_region *region = &memory->regions.data[at];
        const size_t offset = (size_t)(gpa - region->gpa), left = region->size - offset;
        const size_t part = size < left ? size : left;
        memcpy(out, region->bytes + offset, part);
        out += part;
        gpa += part;
        size -= part;
    }
    return true;
}

bool scene_memory_write(struct scene_memory *memory, uint64_t gpa, const void *from, size_t size)
{
    if (!is_ram(memory, gpa, size))
        return false;
    const uint8_t *in = from;
    for (size_t at = find_region(memory, gpa); size > 0; at++) {
        struct scene_region *region = &memory->regions.data[at];
        const size_t offset = (size_t)(gpa - region->gpa), left = region->size - offset;
        const size_t part = size < left ? size : left;
        memcpy(region->bytes + offset, in, part);
        in += part;
        gpa += part;
        size -= part;
    }
    return true;
}

static bool read_callback(void *user, uint64_t gpa, void *to, size_t size)
{
    return scene_memory_read(user, gpa, to, size);
}

static bool write_callback(void *user, uint64_t gpa, const void *from, size_t size)
{
    return scene_memory_write(user, gpa, from, size);
}

static const void *map_callback(void *user, uint64_t gpa, size_t size)
{
    const struct scene_memory *const memory = user;
    const size_t at = find_region(memory, gpa);
    if (at == memory->regions.count || memory->regions.data[at].gpa > gpa)
        return NULL;
    const struct scene_region *region = &memory->regions.data[at];
    const uint64_t offset = gpa - region->gpa;
    return size <= region->size - offset ? region->bytes + offset : NULL;
}

struct agpu_guest_memory scene_memory_callbacks(struct scene_memory *memory)
{
    return (struct agpu_guest_memory){
        .read = read_callback, .write = write_callback, .user = memory, .map = map_callback};
}
