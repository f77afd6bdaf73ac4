/* SPDX-License-Identifier: MIT
 *
 * What a run came to, as JSON and as text.
 */
#ifndef AG_CLI_REPORT_H
#define AG_CLI_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "aerogpu/cache.h"
#include "scene/scene.h"

/* Adds result, skip_reason, checks, presents, counters, cache (null for none) and times_ms. `pngs` holds the
 * path of each present's picture; null when none was written. */
void cli_report_json(json_t *object, const struct ag_scene_report *report, char *const *pngs,
                     const struct agpu_cache *cache);

/* The same fields for an input that never ran. */
void cli_report_json_nothing(json_t *object);

void cli_report_text(FILE *to, const char *file, const struct ag_scene_report *report);

#endif
