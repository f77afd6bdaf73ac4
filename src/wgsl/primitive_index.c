/* SPDX-License-Identifier: MIT */
#include "wgsl/primitive_index.h"

#include <string.h>

#include "base/strbuf.h"

#define ENABLE "enable primitive_index;"
#define BUILTIN "@builtin(primitive_index)"

/* A location beyond those that linked stages use. */
#define LOCATION "@location(63) @interpolate(flat)"

char *ag_wgsl_replace_primitive_index(const struct agpu_module *module)
{
    struct ag_strbuf out = {0};
    const char *at = module->wgsl;
    const char *enable = strstr(at, ENABLE);
    if (enable != NULL) {
        ag_strbuf_append_bytes(&out, at, (size_t)(enable - at));
        at = enable + strlen(ENABLE);
    }
    for (const char *next; (next = strstr(at, BUILTIN)) != NULL; at = next + strlen(BUILTIN)) {
        ag_strbuf_append_bytes(&out, at, (size_t)(next - at));
        ag_strbuf_append(&out, LOCATION);
    }
    ag_strbuf_append(&out, at);
    char *const text = ag_strbuf_steal(&out);
    ag_strbuf_fini(&out);
    return text;
}
