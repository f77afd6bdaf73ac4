/* SPDX-License-Identifier: MIT
 *
 * In a browser the WebGPU library is the page's: the functions of gpu/webgpu.h are imports of the module.
 */
#include "gpu/library.h"

#include <stddef.h>

#include "base/diag.h"

enum agpu_status ag_webgpu_load(const char *path, const struct agpu_diag_sink *sink)
{
    if (path == NULL || path[0] == '\0')
        return AGPU_OK;
    ag_report(sink, AGPU_DIAG_GPU_NO_LIBRARY, AGPU_ERROR, ag_place_none(),
              "cannot load the WebGPU library %s: a page has the browser's", path);
    return AGPU_MISSING;
}

const char *ag_webgpu_library_path(void)
{
    return "navigator.gpu";
}
