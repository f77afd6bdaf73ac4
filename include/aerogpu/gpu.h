/* SPDX-License-Identifier: MIT
 *
 * The WebGPU implementation, adapters and the device that everything else runs on.
 *
 * The library is found at run time (dlopen): `library` of the options, else the environment variable
 * AEROGPU_WEBGPU_LIB, else where script/bootstrap puts it, else the system's search path. One process uses
 * one WebGPU library: the first that was loaded. All calls for one agpu_gpu come from one thread.
 *
 * WebGPU's objects have labels that name the guest's. In programs that RenderDoc launches (its variable
 * ENABLE_VULKAN_RENDERDOC_CAPTURE is in the environment) the driver gets the labels, too, so that captures of
 * frames show them.
 */
#ifndef AEROGPU_GPU_H
#define AEROGPU_GPU_H

#include "aerogpu/api.h"
#include "aerogpu/cache.h"
#include "aerogpu/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

enum agpu_driver {
    AGPU_DRIVER_DEFAULT,     /* AEROGPU_DRIVER of the environment, else the first adapter found */
    AGPU_DRIVER_LAVAPIPE,    /* Mesa's software Vulkan */
    AGPU_DRIVER_SWIFTSHADER, /* Chromium's software Vulkan */
    AGPU_DRIVER_NATIVE,      /* the machine's own GPU */
    AGPU_DRIVER_NULL,        /* Dawn's Null backend: validates, computes nothing, needs no driver */
};

/* "lavapipe", "swiftshader", "native", "null"; AGPU_DRIVER_DEFAULT is "default". */
AGPU_API const char *agpu_driver_name(enum agpu_driver driver);
AGPU_API bool agpu_driver_from_name(const char *name, enum agpu_driver *driver);

/* What a device is made with: the features and limits of its adapter, or less of them, so that a program can
 * see on one machine what it does on others. The device really lacks what it is made without: WebGPU refuses
 * its use. */
enum agpu_limits {
    AGPU_LIMITS_ADAPTER, /* every feature that the executor can use, the adapter's own limits */
    /* What pages get from Chromium on common hardware, as far as the adapter has it: WebGPU's optional
     * features but no experimental ones, 10 storage buffers a stage, 128 bytes of colour a sample, 256
     * invocations a workgroup, timestamps in steps of 100 microseconds. */
    AGPU_LIMITS_BROWSER,
    AGPU_LIMITS_DEFAULT, /* WebGPU's default limits and no optional feature, which every device has */
};

/* "adapter", "browser", "default". */
AGPU_API const char *agpu_limits_name(enum agpu_limits limits);
AGPU_API bool agpu_limits_from_name(const char *name, enum agpu_limits *limits);

/* Zero is the default of every field. */
struct agpu_gpu_options {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    enum agpu_driver driver;
    const char *library; /* path of the WebGPU library */
    void *instance;      /* WGPUInstance of the embedder, with `device`; the embedder keeps both alive */
    void *device;        /* WGPUDevice of the embedder, which has the features and limits that it has */

    /* For devices that are made here. `without` are names of WebGPU features, as WebGPU spells them, that the
     * device is not made with; names that nothing asks for change nothing. */
    enum agpu_limits limits;
    const char *const *without;
    uint32_t without_count;

    /* Null: none. Keeps what the WebGPU library's compiler and the driver's have made, for later devices. The
     * cache outlives the gpu. For devices that are made here. Since 0.2 */
    struct agpu_cache *cache;
};

/* Path of the Vulkan driver manifest of a software driver: AEROGPU_LAVAPIPE_ICD or AEROGPU_SWIFTSHADER_ICD of
 * the environment, else where script/bootstrap and the distributions put it. False when there is none, `size`
 * bytes do not hold it, or the driver is not a software Vulkan driver. A program that wants exactly this
 * driver sets VK_DRIVER_FILES to it before agpu_gpu_create(); the library itself never changes the
 * environment. */
AGPU_API bool agpu_driver_icd_path(enum agpu_driver driver, char *path, size_t size);

struct agpu_gpu;

/* Loads the library, picks an adapter and makes a device with what the options leave of its features and
 * limits. AGPU_MISSING (codes gpu.no-library, gpu.symbol, gpu.no-adapter, gpu.no-device, gpu.library-version)
 * when there is nothing to run on; the message says what was tried. May take long: drivers are loaded here.
 * The sink is kept: errors that no call expected (gpu.validation, gpu.out-of-memory) and the loss of the
 * device (gpu.lost) go to it, from inside the later calls that notice them. */
AGPU_API enum agpu_status agpu_gpu_create(const struct agpu_gpu_options *options,
                                          const struct agpu_diag_sink *sink, struct agpu_gpu **gpu);
/* Accepts null. Everything made from it must be gone; work of the GPU may be in flight. Never waits. Of an
 * embedder's device some memory is kept until WebGPU has answered what was asked, at the latest when the
 * embedder releases the instance. */
AGPU_API void agpu_gpu_destroy(struct agpu_gpu *gpu);

/* Gives a gpu on an embedder's device (WGPUInstance and WGPUDevice) another one, in place of one that was
 * lost or will be: the executor uses it from the guest's next reset of the lost device on, and at its next
 * poll when the guest has reset it since. The last one given counts. AGPU_REFUSED, reported to the gpu's
 * sink, for a device that was made here, which replaces itself. Since 0.2 */
AGPU_API enum agpu_status agpu_gpu_replace_device(struct agpu_gpu *gpu, void *instance, void *device);

struct agpu_adapter_limit {
    const char *name; /* as WebGPU spells it */
    uint64_t value;
};

struct agpu_adapter_info {
    uint32_t size;               /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    const char *name;            /* the adapter's own description */
    const char *driver;          /* one of agpu_driver_name()'s words */
    const char *backend;         /* the API below WebGPU: "vulkan", "null", ... */
    const char *library;         /* path of the WebGPU library in use */
    const char *const *features; /* names of the WebGPU features the device has, as WebGPU spells them */
    uint32_t feature_count;
    const struct agpu_adapter_limit *limits;
    uint32_t limit_count;
};

/* Strings and arrays belong to the gpu. */
AGPU_API void agpu_gpu_info(const struct agpu_gpu *gpu, struct agpu_adapter_info *info);

/* Calls `visit` for every adapter of options->driver, AGPU_DRIVER_DEFAULT for all, without making devices.
 * What WebGPU does not tell apart is seen once: of several Vulkan drivers it shows the best, so a program
 * that lists all of them calls once per driver with VK_DRIVER_FILES set. Finding none is AGPU_OK with no
 * visit; AGPU_MISSING is for the library. AGPU_DRIVER_NULL has no features here, though its devices accept
 * what every feature adds. Strings are valid during the visit. options->instance and device are not used. */
AGPU_API enum agpu_status
agpu_gpu_list_adapters(const struct agpu_gpu_options *options, const struct agpu_diag_sink *sink,
                       void (*visit)(void *user, const struct agpu_adapter_info *info), void *user);

/* Compiles a WGSL module. On AGPU_REFUSED the first error's message and position (line and column from 1) are
 * reported with the code translate.invalid-wgsl. AGPU_INTERNAL with gpu.lost when the device is gone. Works
 * on the Null driver. Waits for the compiler. */
AGPU_API enum agpu_status agpu_gpu_check_wgsl(struct agpu_gpu *gpu, const char *wgsl, size_t length,
                                              const struct agpu_diag_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
