/* SPDX-License-Identifier: MIT */
#include "abi/text_handles.h"

#include <string.h>

struct handle_entry {
    const char *name; /* null: mentioned as a number */
    size_t length;
    uint32_t number;
};

void agpu_text_handles_fini(struct agpu_text_handles *handles)
{
    agpu_map_fini(&handles->by_name);
    agpu_map_fini(&handles->by_number);
    agpu_arena_fini(&handles->arena);
    *handles = (struct agpu_text_handles){0};
}

static struct handle_entry *add(struct agpu_text_handles *handles, const char *name, size_t length,
                                uint32_t number)
{
    struct handle_entry *entry = AGPU_ARENA_NEW(&handles->arena, struct handle_entry);
    if (entry == NULL)
        return NULL;
    entry->number = number;
    entry->length = length;
    if (name != NULL) {
        entry->name = agpu_arena_strndup(&handles->arena, name, length);
        if (entry->name == NULL)
            return NULL;
    }
    return agpu_map_put(&handles->by_number, number, entry) ? entry : NULL;
}

static uint32_t free_number(struct agpu_text_handles *handles)
{
    do
        handles->last++;
    while (handles->last == 0 || agpu_map_get(&handles->by_number, handles->last) != NULL);
    return handles->last;
}

static enum agpu_text_handle_result number_of_digits(struct agpu_text_handles *handles, const char *text,
                                                     size_t length, uint32_t *number)
{
    uint64_t total = 0;
    for (size_t i = 0; i < length && total <= UINT32_MAX; i++)
        total = total * 10 + (uint64_t)(text[i] - '0');
    if (total > UINT32_MAX)
        return AGPU_TEXT_HANDLE_RANGE;
    *number = (uint32_t)total;
    const struct handle_entry *entry = agpu_map_get(&handles->by_number, total);
    if (entry != NULL)
        return entry->name == NULL ? AGPU_TEXT_HANDLE_OK : AGPU_TEXT_HANDLE_TAKEN;
    return add(handles, NULL, 0, *number) != NULL ? AGPU_TEXT_HANDLE_OK : AGPU_TEXT_HANDLE_NO_MEMORY;
}

enum agpu_text_handle_result agpu_text_handle(struct agpu_text_handles *handles, const char *text,
                                              size_t length, uint32_t *number)
{
    size_t digits = 0;
    while (digits < length && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    if (digits == length)
        return number_of_digits(handles, text, length, number);
    uint64_t key = agpu_hash_bytes(text, length);
    const struct handle_entry *entry;
    while ((entry = agpu_map_get(&handles->by_name, key)) != NULL) {
        if (entry->length == length && memcmp(entry->name, text, length) == 0) {
            *number = entry->number;
            return AGPU_TEXT_HANDLE_OK;
        }
        key++;
    }
    *number = free_number(handles);
    struct handle_entry *fresh = add(handles, text, length, *number);
    if (fresh == NULL || !agpu_map_put(&handles->by_name, key, fresh))
        return AGPU_TEXT_HANDLE_NO_MEMORY;
    return AGPU_TEXT_HANDLE_OK;
}
