/* SPDX-License-Identifier: MIT
 *
 * Compiles WGSL to check it, and waits for the compiler.
 */
#include "base/diag.h"
#include "gpu/gpu.h"
#include "gpu/wait.h"

struct check {
    const struct agpu_diag_sink *sink;
    enum agpu_status status;
};

static void take_compilation_info(WGPUCompilationInfoRequestStatus request,
                                  const WGPUCompilationInfo *compilation_info, void *userdata1,
                                  void *userdata2)
{
    (void)userdata2;
    struct check *const check = userdata1;
    if (request != WGPUCompilationInfoRequestStatus_Success)
        return;
    check->status = AGPU_OK;
    for (size_t i = 0; i < compilation_info->messageCount; i++) {
        const WGPUCompilationMessage *const message = &compilation_info->messages[i];
        if (message->type != WGPUCompilationMessageType_Error)
            continue;
        char text[AG_WEBGPU_MESSAGE_SIZE];
        ag_report(check->sink, AGPU_DIAG_TRANSLATE_INVALID_WGSL, AGPU_ERROR,
                  ag_place_text((uint32_t)message->lineNum, (uint32_t)message->linePos), "%s",
                  ag_webgpu_message(message->message, text, sizeof text));
        check->status = AGPU_REFUSED;
        return;
    }
}

static void ignore_error(void *user, WGPUErrorType type, const char *message)
{
    (void)user;
    (void)type;
    (void)message;
}

enum agpu_status agpu_gpu_check_wgsl(struct agpu_gpu *gpu, const char *wgsl, size_t length,
                                     const struct agpu_diag_sink *sink)
{
    struct check check = {.sink = sink, .status = AGPU_INTERNAL};
    const WGPUCompilationInfoCallbackInfo callback = {
        .mode = WGPUCallbackMode_WaitAnyOnly,
        .callback = take_compilation_info,
        .userdata1 = &check,
    };
    ag_gpu_push_error_scope(gpu, WGPUErrorFilter_Validation);
    const WGPUShaderModule module = ag_gpu_create_shader(gpu, wgsl, length, "checked module");
    ag_gpu_pop_error_scope(gpu, ignore_error, NULL);
    const WGPUFuture future = wgpuShaderModuleGetCompilationInfo(module, callback);
    ag_wait_future(ag_gpu_instance(gpu), future, UINT64_MAX);
    wgpuShaderModuleRelease(module);
    if (check.status == AGPU_INTERNAL)
        ag_report(sink, AGPU_DIAG_GPU_LOST, AGPU_ERROR, ag_place_none(),
                  "the WGSL compiler gave no answer: the device is gone");
    return check.status;
}
