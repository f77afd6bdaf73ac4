/* SPDX-License-Identifier: MIT
 *
 * WebGPU's error scopes.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "gpu/device.h"
#include "gpu/gpu.h"
#include "gpu/request.h"

struct pending_scope {
    ag_error_scope_callback callback;
    void *user;
};

static void give_up(void *user)
{
    struct pending_scope *const pending = user;
    pending->callback(pending->user, WGPUErrorType_Unknown, "the device is abandoned");
    free(pending);
}

static void open_waiting(struct agpu_gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->waiting_scope_count; i++)
        wgpuDevicePushErrorScope(ag_gpu_device(gpu), gpu->waiting_scopes[i]);
    gpu->waiting_scope_count = 0;
}

WGPUDevice ag_gpu_maker(struct agpu_gpu *gpu)
{
    open_waiting(gpu);
    return ag_gpu_device(gpu);
}

WGPUQueue ag_gpu_writer(struct agpu_gpu *gpu)
{
    open_waiting(gpu);
    return ag_gpu_queue(gpu);
}

void ag_gpu_push_error_scope(struct agpu_gpu *gpu, WGPUErrorFilter filter)
{
    const bool waits = filter != WGPUErrorFilter_Validation;
    if (!waits || gpu->waiting_scope_count == AG_COUNT_OF(gpu->waiting_scopes))
        open_waiting(gpu);
    if (waits)
        gpu->waiting_scopes[gpu->waiting_scope_count++] = filter;
    else
        wgpuDevicePushErrorScope(ag_gpu_device(gpu), filter);
}

static void on_scope_popped(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                            void *userdata1, void *userdata2)
{
    (void)userdata2;
    struct pending_scope *const pending = userdata1 != NULL ? ag_gpu_request_end(userdata1) : NULL;
    if (pending == NULL)
        return;
    char text[AG_WEBGPU_MESSAGE_SIZE];
    if (status != WGPUPopErrorScopeStatus_Success)
        type = WGPUErrorType_Unknown;
    pending->callback(pending->user, type, ag_webgpu_message(message, text, sizeof text));
    free(pending);
}

bool ag_gpu_pop_error_scope(struct agpu_gpu *gpu, ag_error_scope_callback callback, void *user)
{
    if (gpu->waiting_scope_count != 0) {
        gpu->waiting_scope_count--;
        callback(user, WGPUErrorType_NoError, "");
        return true;
    }
    struct pending_scope *const pending = malloc(sizeof *pending);
    struct ag_gpu_request *request = NULL;
    if (pending != NULL) {
        *pending = (struct pending_scope){.callback = callback, .user = user};
        request = ag_gpu_request_begin(ag_gpu_link(gpu), give_up, pending);
    }
    const WGPUPopErrorScopeCallbackInfo info = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_scope_popped,
        .userdata1 = request,
    };
    wgpuDevicePopErrorScope(ag_gpu_device(gpu), info);
    if (request == NULL)
        free(pending);
    return request != NULL;
}
