/* SPDX-License-Identifier: MIT
 *
 * Compares what a scene requires with the adapter and the device.
 */
#include "scene/requires.h"

#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/gpu.h"
#include "scene/check.h"

static bool has_feature(const struct agpu_adapter_info *info, const char *name)
{
    for (uint32_t i = 0; i < info->feature_count; i++) {
        if (strcmp(info->features[i], name) == 0)
            return true;
    }
    return false;
}

static const struct agpu_adapter_limit *find_limit(const struct agpu_adapter_info *info, const char *name)
{
    for (uint32_t i = 0; i < info->limit_count; i++) {
        if (strcmp(info->limits[i].name, name) == 0)
            return &info->limits[i];
    }
    return NULL;
}

/* Prints why a requirement is not met, or nothing when the requirement is met. */
static void judge(struct scene_run *run, const struct scene_requirement *requirement,
                  const struct agpu_adapter_info *info, struct ag_strbuf *cause)
{
    const struct agpu_adapter_limit *limit;
    switch (requirement->kind) {
    case SCENE_NEEDS_FEATURE:
        if (!has_feature(info, requirement->name))
            ag_strbuf_printf(cause, "the adapter has no %s", requirement->name);
        break;
    case SCENE_NEEDS_LIMIT:
        limit = find_limit(info, requirement->name);
        if (limit == NULL || !scene_compare(requirement->comparison, limit->value, requirement->value))
            ag_strbuf_printf(cause, "limit %s is %llu, not %s %llu", requirement->name,
                             limit != NULL ? (unsigned long long)limit->value : 0,
                             scene_operator_text(requirement->comparison),
                             (unsigned long long)requirement->value);
        break;
    case SCENE_NEEDS_EXTENSION:
        if ((scene_guest_read(run, AEROGPU_MMIO_REG_FEATURES_HI) & (uint32_t)(AEROGPU_EXT_FEATURE >> 32)) ==
            0)
            ag_strbuf_append(cause, "the device has no extension opcodes");
        break;
    case SCENE_NEEDS_DRIVER:
        if ((strcmp(info->driver, requirement->name) == 0) != (requirement->comparison == SCENE_EQUAL))
            ag_strbuf_printf(cause, "the driver is %s", info->driver);
        break;
    }
}

const char *scene_unmet_requirement(struct scene_run *run)
{
    static const struct agpu_adapter_info none = {.driver = "none"};
    const struct agpu_adapter_info *const info =
        run->options->adapter != NULL ? run->options->adapter : &none;
    struct ag_strbuf cause = {0};
    for (size_t i = 0; i < run->scene->requirements.count && cause.length == 0; i++)
        judge(run, &run->scene->requirements.data[i], info, &cause);
    if (cause.failed)
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for the report");
    const char *kept = NULL;
    if (cause.length != 0)
        kept = scene_keep_text(run, ag_strbuf_text(&cause));
    ag_strbuf_fini(&cause);
    return kept;
}
