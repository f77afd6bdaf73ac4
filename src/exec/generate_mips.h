/* SPDX-License-Identifier: MIT */
#ifndef AGPU_EXEC_GENERATE_MIPS_H
#define AGPU_EXEC_GENERATE_MIPS_H

#include "base/map.h"
#include "exec/object.h"

/* Made when first needed. */
struct agpu_mip_generator {
    WGPUBindGroupLayout layouts[2]; /* of layers, of volumes */
    struct agpu_map pipelines;      /* WGPURenderPipeline by format and dimension */
};

/* Each mip of the view from the one before it: the mean of 2x2 texels, of volumes 2x2x2. Reported when not
 * AGPU_OK. */
enum agpu_status agpu_generate_mips(struct agpu_exec *exec, struct agpu_texture_view *view);
void agpu_mip_generator_fini(struct agpu_mip_generator *generator);

#endif
