/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/message_filter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct list {
    UINT *values;
    UINT count;
};

struct condition {
    struct list categories, severities, ids;
};

struct rt_filter {
    struct rt_filter *next;
    struct condition allows, denies;
};

static bool list_has(const struct list *list, UINT value)
{
    for (UINT i = 0; i < list->count; i++)
        if (list->values[i] == value)
            return true;
    return false;
}

static bool condition_meets(const struct condition *condition, D3D11_MESSAGE_CATEGORY category,
                            D3D11_MESSAGE_SEVERITY severity, D3D11_MESSAGE_ID id)
{
    return list_has(&condition->categories, (UINT)category) ||
           list_has(&condition->severities, (UINT)severity) || list_has(&condition->ids, (UINT)id);
}

static bool is_condition_empty(const struct condition *condition)
{
    return !condition->categories.count && !condition->severities.count && !condition->ids.count;
}

bool rt_filter_passes(const struct rt_filter *filter, D3D11_MESSAGE_CATEGORY category,
                      D3D11_MESSAGE_SEVERITY severity, D3D11_MESSAGE_ID id)
{
    if (!filter)
        return true;
    if (condition_meets(&filter->denies, category, severity, id))
        return false;
    return is_condition_empty(&filter->allows) || condition_meets(&filter->allows, category, severity, id);
}

static bool list_append(struct list *list, const UINT *values, UINT count)
{
    UINT *grown;
    if (count == 0)
        return true;
    grown = realloc(list->values, ((size_t)list->count + count) * sizeof(*grown));
    if (!grown)
        return false;
    memcpy(grown + list->count, values, count * sizeof(*grown));
    list->values = grown;
    list->count += count;
    return true;
}

/* Enumerations have the size of a UINT. */
_Static_assert(sizeof(D3D11_MESSAGE_ID) == sizeof(UINT), "lists of enumerations are lists of numbers");

static bool condition_append(struct condition *condition, const D3D11_INFO_QUEUE_FILTER_DESC *desc)
{
    return list_append(&condition->categories, (const UINT *)(const void *)desc->pCategoryList,
                       desc->NumCategories) &&
           list_append(&condition->severities, (const UINT *)(const void *)desc->pSeverityList,
                       desc->NumSeverities) &&
           list_append(&condition->ids, (const UINT *)(const void *)desc->pIDList, desc->NumIDs);
}

static bool condition_copy(struct condition *to, const struct condition *from)
{
    return list_append(&to->categories, from->categories.values, from->categories.count) &&
           list_append(&to->severities, from->severities.values, from->severities.count) &&
           list_append(&to->ids, from->ids.values, from->ids.count);
}

static void condition_free(struct condition *condition)
{
    free(condition->categories.values);
    free(condition->severities.values);
    free(condition->ids.values);
}

struct rt_filter *rt_filter_push(struct rt_filter **stack)
{
    struct rt_filter *filter = calloc(1, sizeof(*filter));
    if (!filter)
        return NULL;
    filter->next = *stack;
    *stack = filter;
    return filter;
}

void rt_filter_pop(struct rt_filter **stack)
{
    struct rt_filter *filter = *stack;
    if (!filter)
        return;
    *stack = filter->next;
    condition_free(&filter->allows);
    condition_free(&filter->denies);
    free(filter);
}

HRESULT rt_filter_append(struct rt_filter **stack, const D3D11_INFO_QUEUE_FILTER *given)
{
    if (!given)
        return E_INVALIDARG;
    if (!*stack && !rt_filter_push(stack))
        return E_OUTOFMEMORY;
    return condition_append(&(*stack)->allows, &given->AllowList) &&
                   condition_append(&(*stack)->denies, &given->DenyList)
               ? S_OK
               : E_OUTOFMEMORY;
}

static SIZE_T condition_bytes(const struct condition *condition)
{
    return ((SIZE_T)condition->categories.count + condition->severities.count + condition->ids.count) *
           sizeof(UINT);
}

static UINT *copy_list(const struct list *list, UINT **at)
{
    UINT *begin = *at;
    if (list->count == 0)
        return NULL;
    memcpy(begin, list->values, list->count * sizeof(UINT));
    *at += list->count;
    return begin;
}

static void copy_condition(const struct condition *condition, D3D11_INFO_QUEUE_FILTER_DESC *desc, UINT **at)
{
    desc->NumCategories = condition->categories.count;
    desc->pCategoryList = (D3D11_MESSAGE_CATEGORY *)(void *)copy_list(&condition->categories, at);
    desc->NumSeverities = condition->severities.count;
    desc->pSeverityList = (D3D11_MESSAGE_SEVERITY *)(void *)copy_list(&condition->severities, at);
    desc->NumIDs = condition->ids.count;
    desc->pIDList = (D3D11_MESSAGE_ID *)(void *)copy_list(&condition->ids, at);
}

/* The lists stand behind the structure in the program's memory. */
HRESULT rt_filter_get(const struct rt_filter *filter, D3D11_INFO_QUEUE_FILTER *out, SIZE_T *size)
{
    static const struct rt_filter none;
    const struct rt_filter *from = filter ? filter : &none;
    const SIZE_T needed = sizeof(*out) + condition_bytes(&from->allows) + condition_bytes(&from->denies);
    UINT *at;
    if (!size)
        return E_INVALIDARG;
    if (out && *size < needed)
        return E_INVALIDARG;
    *size = needed;
    if (!out)
        return S_OK;
    at = (UINT *)(void *)(out + 1);
    copy_condition(&from->allows, &out->AllowList, &at);
    copy_condition(&from->denies, &out->DenyList, &at);
    return S_OK;
}

HRESULT rt_filter_push_copy(struct rt_filter **stack)
{
    const struct rt_filter *from = *stack;
    struct rt_filter *made = rt_filter_push(stack);
    if (!made)
        return E_OUTOFMEMORY;
    if (!from)
        return S_OK;
    return condition_copy(&made->allows, &from->allows) && condition_copy(&made->denies, &from->denies)
               ? S_OK
               : E_OUTOFMEMORY;
}

UINT rt_filter_stack_size(const struct rt_filter *stack)
{
    UINT count = 0;
    for (; stack; stack = stack->next)
        count++;
    return count;
}
