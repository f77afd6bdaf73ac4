/* SPDX-License-Identifier: MIT
 *
 * Filters of messages, in the stacks of ID3D11InfoQueue. The first filter of a stack is the newest; NULL lets
 * everything through.
 */
#ifndef RT_D3D11_MESSAGE_FILTER_H
#define RT_D3D11_MESSAGE_FILTER_H

#include "guest/d3d11/com.h"

#include <stdbool.h>

struct rt_filter;

bool rt_filter_passes(const struct rt_filter *filter, D3D11_MESSAGE_CATEGORY category,
                      D3D11_MESSAGE_SEVERITY severity, D3D11_MESSAGE_ID id);

/* An empty filter; NULL without memory. */
struct rt_filter *rt_filter_push(struct rt_filter **stack);
HRESULT rt_filter_push_copy(struct rt_filter **stack);
void rt_filter_pop(struct rt_filter **stack);
UINT rt_filter_stack_size(const struct rt_filter *stack);

/* Adds to the newest filter, which is made if there is none. */
HRESULT rt_filter_append(struct rt_filter **stack, const D3D11_INFO_QUEUE_FILTER *given);
/* As the methods of ID3D11InfoQueue answer: the size that is needed, and the filter if there is room for it.
 */
HRESULT rt_filter_get(const struct rt_filter *filter, D3D11_INFO_QUEUE_FILTER *out, SIZE_T *size);

#endif
