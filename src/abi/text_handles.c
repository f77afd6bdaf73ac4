/* SPDX-License-Identifier: MIT
 *
 * The table of handle names.
 */
#include "abi/text_handles.h"

#include <string.h>

struct handle_entry {
    const char *name; /* null: the handle was mentioned as a number */
    size_t length;
    uint32_t number;
};

void ag_text_handles_fini(struct ag_text_handles *handles)
{
    ag_map_fini(&handles->by_name);
    ag_map_fini(&handles->by_number);
    ag_arena_fini(&handles->arena);
    *handles = (struct ag_text_handles){0};
}

static struct handle_entry *add(struct ag_text_handles *handles, const char *name, size_t length,
                                uint32_t number)
{
    struct handle_entry *entry = AG_ARENA_NEW(&handles->arena, struct handle_entry);
    if (entry == NULL)
        return NULL;
    entry->number = number;
    entry->length = length;
    if (name != NULL) {
        entry->name = ag_arena_strndup(&handles->arena, name, length);
        if (entry->name == NULL)
            return NULL;
    }
    return ag_map_put(&handles->by_number, number, entry) ? entry : NULL;
}

static uint32_t free_number(struct ag_text_handles *handles)
{
    do
        handles->last++;
    while (handles->last == 0 || ag_map_get(&handles->by_number, handles->last) != NULL);
    return handles->last;
}

static enum ag_text_handle_result number_of_digits(struct ag_text_handles *handles, const char *text,
                                                   size_t length, uint32_t *number)
{
    uint64_t total = 0;
    for (size_t i = 0; i < length && total <= UINT32_MAX; i++)
        total = total * 10 + (uint64_t)(text[i] - '0');
    if (total > UINT32_MAX)
        return AG_TEXT_HANDLE_RANGE;
    *number = (uint32_t)total;
    const struct handle_entry *entry = ag_map_get(&handles->by_number, total);
    if (entry != NULL)
        return entry->name == NULL ? AG_TEXT_HANDLE_OK : AG_TEXT_HANDLE_TAKEN;
    return add(handles, NULL, 0, *number) != NULL ? AG_TEXT_HANDLE_OK : AG_TEXT_HANDLE_NO_MEMORY;
}

enum ag_text_handle_result ag_text_handle(struct ag_text_handles *handles, const char *text, size_t length,
                                          uint32_t *number)
{
    size_t digits = 0;
    while (digits < length && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    if (digits == length)
        return number_of_digits(handles, text, length, number);
    uint64_t key = ag_hash_bytes(text, length);
    const struct handle_entry *entry;
    while ((entry = ag_map_get(&handles->by_name, key)) != NULL) {
        if (entry->length == length && memcmp(entry->name, text, length) == 0) {
            *number = entry->number;
            return AG_TEXT_HANDLE_OK;
        }
        key++;
    }
    *number = free_number(handles);
    struct handle_entry *fresh = add(handles, text, length, *number);
    if (fresh == NULL || !ag_map_put(&handles->by_name, key, fresh))
        return AG_TEXT_HANDLE_NO_MEMORY;
    return AG_TEXT_HANDLE_OK;
}
