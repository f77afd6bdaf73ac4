/* SPDX-License-Identifier: MIT */
#include "exec/bind/typed_buffer.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "exec/bind/binder.h"
#include "exec/blit/element_fetch.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/view.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

enum ag_outcome ag_buffer_view_widen(struct ag_binder *binder, struct ag_buffer_view *view)
{
    const uint64_t bytes = ag_buffer_view_widened_bytes(view);
    struct ag_label label;
    if (bytes > binder->host->limits.maxStorageBufferBindingSize ||
        view->buffer->size > binder->host->limits.maxStorageBufferBindingSize)
        return ag_host_skip_refused(binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "a typed view of %" PRIu32 " elements of a buffer of %" PRIu64
                                    " bytes is more than the device binds",
                                    view->count, view->buffer->size);
    if (!view->widened.gpu) {
        struct ag_account *account = binder->host->accounts.current;
        if (!ag_gpu_memory_take(binder->host, account, bytes))
            return ag_host_skip_memory(binder->host, bytes);
        view->widened.account = account;
        view->widened.gpu = ag_host_create_buffer(
            binder->host, bytes, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc,
            ag_label_format(&label, "elements of buffer %" PRIu32, view->buffer->resource.handle));
        view->widened.id = ag_host_id(binder->host);
        view->widened.version = 0; /* no contents have this version */
    }
    if (view->widened.version != view->buffer->version) {
        if (!ag_element_fetch_view(binder->blitter, view, view->widened.gpu, view->widened.id))
            return AG_OUT_OF_MEMORY;
        view->widened.version = view->buffer->version;
    }
    return AG_DONE;
}
