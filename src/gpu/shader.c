/* SPDX-License-Identifier: MIT
 *
 * Creates shader modules.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "gpu/compilation.h"
#include "gpu/device.h"
#include "gpu/label.h"
#include "gpu/worker.h"

static WGPUShaderModule create(WGPUDevice device, const char *wgsl, size_t length, const char *label)
{
    const WGPUStringView code = {wgsl, length};
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL}, .code = code};
    const WGPUShaderModuleDescriptor descriptor = {
        .nextInChain = &source.chain,
        .label = ag_webgpu_string(label),
    };
    return wgpuDeviceCreateShaderModule(device, &descriptor);
}

WGPUShaderModule ag_gpu_create_shader(struct agpu_gpu *gpu, const char *wgsl, size_t length,
                                      const char *label)
{
    const uint64_t start_ns = ag_clock_ns();
    const WGPUShaderModule module = create(ag_gpu_maker(gpu), wgsl, length, label);
    gpu->compile_ns += ag_clock_ns() - start_ns;
    return module;
}

/* ---- On the worker ------------------------------------------------------------------------------------- */

/* Has copies of all that the caller knows, who may let go of it at any time. */
struct module_task {
    struct ag_task task; /* first */
    WGPUDevice device;
    bool has_scope; /* the thread has error scopes of its own */
    uint64_t spent_ns;
    WGPUShaderModule module;
    struct ag_label label;
    char message[AG_WEBGPU_MESSAGE_SIZE];
    size_t length;
    char wgsl[];
};

static void note_error(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                       void *userdata1, void *userdata2)
{
    struct module_task *const task = userdata1;
    (void)userdata2;
    if (status == WGPUPopErrorScopeStatus_Success && type != WGPUErrorType_NoError)
        ag_webgpu_message(message, task->message, sizeof task->message);
}

static void run(struct ag_task *base)
{
    struct module_task *const task = (struct module_task *)base;
    const WGPUPopErrorScopeCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowSpontaneous, /* in the call */
        .callback = note_error,
        .userdata1 = task,
    };
    const uint64_t start_ns = ag_clock_ns();
    if (task->has_scope)
        wgpuDevicePushErrorScope(task->device, WGPUErrorFilter_Validation);
    task->module = create(task->device, task->wgsl, task->length, task->label.text);
    if (task->has_scope)
        wgpuDevicePopErrorScope(task->device, callback);
    task->spent_ns = ag_clock_ns() - start_ns;
}

static void destroy(struct ag_task *base)
{
    struct module_task *const task = (struct module_task *)base;
    if (task->module != NULL)
        wgpuShaderModuleRelease(task->module);
    wgpuDeviceRelease(task->device);
    free(task);
}

struct ag_compilation *ag_compile_module(struct agpu_gpu *gpu, const char *wgsl, size_t length,
                                         const char *label, bool at_once)
{
    struct module_task *const task = malloc(sizeof *task + length);
    if (task == NULL)
        return NULL;
    memset(task, 0, sizeof *task);
    task->task.run = run;
    task->task.destroy = destroy;
    task->has_scope = gpu->worker != NULL && !at_once;
    task->device = task->has_scope ? ag_gpu_device(gpu) : ag_gpu_maker(gpu);
    task->length = length;
    ag_label_format(&task->label, "%s", label);
    memcpy(task->wgsl, wgsl, length);
    wgpuDeviceAddRef(task->device);
    return ag_compile_task(gpu, &task->task, at_once);
}

WGPUShaderModule ag_compilation_take_module(struct agpu_gpu *gpu, struct ag_compilation *compilation,
                                            const char **message)
{
    struct module_task *const task = (struct module_task *)ag_compilation_task(compilation);
    const WGPUShaderModule module = task->module;
    task->module = NULL;
    *message = task->message;
    gpu->compile_ns += task->spent_ns;
    return module;
}
