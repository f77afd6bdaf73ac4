/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/private_data.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct rt_private_item {
    struct rt_private_item *next;
    GUID guid;
    IUnknown *unknown; /* NULL for plain bytes */
    UINT size;
    unsigned char bytes[];
};

static void lock(struct rt_private_data *data)
{
    while (atomic_flag_test_and_set_explicit(&data->busy, memory_order_acquire)) {
    }
}

static void unlock(struct rt_private_data *data)
{
    atomic_flag_clear_explicit(&data->busy, memory_order_release);
}

/* References of the program's objects are changed outside of the lock: that runs the program's code. */
static void end_item(struct rt_private_item *item)
{
    if (item && item->unknown)
        item->unknown->lpVtbl->Release(item->unknown);
    free(item);
}

void rt_private_data_init(struct rt_private_data *data)
{
    atomic_flag_clear(&data->busy);
    data->first = NULL;
}

void rt_private_data_fini(struct rt_private_data *data)
{
    while (data->first) {
        struct rt_private_item *item = data->first;
        data->first = item->next;
        end_item(item);
    }
}

static struct rt_private_item **find(struct rt_private_data *data, REFGUID guid)
{
    struct rt_private_item **at = &data->first;
    while (*at && !IsEqualGUID(&(*at)->guid, guid))
        at = &(*at)->next;
    return at;
}

/* Takes the item of a GUID out of the list; puts another in its place unless that is NULL. */
static struct rt_private_item *exchange(struct rt_private_data *data, REFGUID guid,
                                        struct rt_private_item *item)
{
    struct rt_private_item **at, *before;
    lock(data);
    at = find(data, guid);
    before = *at;
    if (before)
        *at = before->next;
    if (item) {
        item->next = data->first;
        data->first = item;
    }
    unlock(data);
    return before;
}

static struct rt_private_item *make(REFGUID guid, UINT size, const void *bytes, IUnknown *unknown)
{
    struct rt_private_item *item = malloc(sizeof(*item) + size);
    if (!item)
        return NULL;
    item->next = NULL;
    item->guid = *guid;
    item->unknown = unknown;
    item->size = size;
    memcpy(item->bytes, bytes, size);
    return item;
}

HRESULT rt_private_data_set(struct rt_private_data *data, REFGUID guid, UINT size, const void *bytes)
{
    struct rt_private_item *item = NULL, *before;
    bool is_changed;
    if (bytes) {
        item = make(guid, size, bytes, NULL);
        if (!item)
            return E_OUTOFMEMORY;
    }
    before = exchange(data, guid, item);
    is_changed = item || before;
    end_item(before);
    return is_changed ? S_OK : S_FALSE;
}

HRESULT rt_private_data_set_interface(struct rt_private_data *data, REFGUID guid, const IUnknown *unknown)
{
    /* The method's parameter is constant, references of an object are not part of what it points to. */
    union {
        const IUnknown *given;
        IUnknown *held;
    } pointer = {.given = unknown};
    struct rt_private_item *item = make(guid, sizeof(pointer.held), &pointer.held, pointer.held);
    if (!item)
        return E_OUTOFMEMORY;
    if (pointer.held)
        pointer.held->lpVtbl->AddRef(pointer.held);
    end_item(exchange(data, guid, item));
    return S_OK;
}

HRESULT rt_private_data_get(struct rt_private_data *data, REFGUID guid, UINT *size, void *bytes)
{
    IUnknown *unknown = NULL;
    const struct rt_private_item *item;
    HRESULT result = S_OK;
    UINT room;
    if (!size)
        return E_INVALIDARG;
    lock(data);
    item = *find(data, guid);
    room = *size;
    *size = item ? item->size : 0;
    if (!item) {
        result = DXGI_ERROR_NOT_FOUND;
    } else if (bytes && room < item->size) {
        result = DXGI_ERROR_MORE_DATA;
    } else if (bytes) {
        memcpy(bytes, item->bytes, item->size);
        unknown = item->unknown;
        if (unknown)
            unknown->lpVtbl->AddRef(unknown);
    }
    unlock(data);
    return result;
}
