/* SPDX-License-Identifier: MIT
 *
 * The formats of WebGPU's storage textures, which shaders store to and load from without a sampler.
 */
#ifndef AG_EXEC_OBJECT_STORAGE_FORMAT_H
#define AG_EXEC_OBJECT_STORAGE_FORMAT_H

#include <stdbool.h>

#include "aerogpu/translate.h"
#include "gpu/webgpu.h"

struct ag_host;
struct ag_host_format;

/* The storage format whose texels are those of the format, or AGPU_STORAGE_BY_TYPE: the device has none. */
enum agpu_storage_format ag_storage_format(const struct ag_host *host, const struct ag_host_format *format);

/* WebGPU's texture format of a storage format. */
WGPUTextureFormat ag_storage_format_texture(enum agpu_storage_format format);

/* Whether shaders may load from a storage texture that they store to. */
bool ag_storage_format_loads(enum agpu_storage_format format);

#endif
