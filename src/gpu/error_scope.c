/* SPDX-License-Identifier: MIT
 *
 * WebGPU's error scopes.
 */
#include <stdlib.h>

#include "gpu/gpu.h"

struct pending_scope {
    ag_error_scope_callback callback;
    void *user;
};

void ag_gpu_push_error_scope(struct agpu_gpu *gpu, WGPUErrorFilter filter)
{
    wgpuDevicePushErrorScope(ag_gpu_device(gpu), filter);
}

static void on_scope_popped(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                            void *userdata1, void *userdata2)
{
    (void)userdata2;
    struct pending_scope *const pending = userdata1;
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
    struct pending_scope *const pending = malloc(sizeof *pending);
    if (pending != NULL)
        *pending = (struct pending_scope){.callback = callback, .user = user};
    const WGPUPopErrorScopeCallbackInfo info = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = on_scope_popped,
        .userdata1 = pending,
    };
    wgpuDevicePopErrorScope(ag_gpu_device(gpu), info);
    return pending != NULL;
}
