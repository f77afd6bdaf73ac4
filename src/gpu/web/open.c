/* SPDX-License-Identifier: MIT
 *
 * In a browser adapters and devices come by promises, which only the page can wait for: it lends its device.
 */
#include "base/diag.h"
#include "gpu/device.h"

enum agpu_status ag_gpu_open(struct agpu_gpu *gpu, const struct agpu_gpu_options *options)
{
    (void)options;
    ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
              "a page asks for its device itself and lends it");
    return AGPU_MISSING;
}

enum ag_gpu_revival ag_gpu_reopen(struct agpu_gpu *gpu)
{
    ag_report(&gpu->sink, AGPU_DIAG_GPU_NO_DEVICE, AGPU_ERROR, ag_place_none(),
              "a page replaces a lost device itself");
    return AG_GPU_GONE;
}
