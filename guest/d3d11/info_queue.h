/* SPDX-License-Identifier: MIT
 *
 * Messages of the runtime for whoever debugs a program: what a call was dropped for. ID3D11InfoQueue reads
 * them.
 */
#ifndef RT_D3D11_INFO_QUEUE_H
#define RT_D3D11_INFO_QUEUE_H

#include "guest/d3d11/message_filter.h"
#include "guest/d3d11/platform.h"

struct rt_stored_message;

struct rt_info_queue {
    bool is_on;
    bool is_muted;
    struct rt_mutex mutex;
    UINT64 limit;
    struct rt_stored_message **messages;
    UINT64 count;
    UINT64 allowed, denied, discarded;
    struct rt_filter *storage, *retrieval; /* stacks */
    /* What stops a program in its debugger. */
    bool breaks_on_category[D3D11_MESSAGE_CATEGORY_SHADER + 1];
    bool breaks_on_severity[D3D11_MESSAGE_SEVERITY_MESSAGE + 1];
    D3D11_MESSAGE_ID *break_ids;
    UINT break_id_count;
    UINT debug_features; /* of ID3D11Debug */
};

void rt_info_queue_init(struct rt_info_queue *queue, bool is_on);
void rt_info_queue_fini(struct rt_info_queue *queue);

/* Does nothing without a debug device. */
void rt_message_add(struct rt_info_queue *queue, D3D11_MESSAGE_ID id);

static inline void rt_message(struct rt_info_queue *queue, D3D11_MESSAGE_ID id)
{
    if (queue->is_on)
        rt_message_add(queue, id);
}

#endif
