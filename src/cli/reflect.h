/* SPDX-License-Identifier: MIT
 *
 * The reflection data of a translated module as JSON.
 */
#ifndef AG_CLI_REFLECT_H
#define AG_CLI_REFLECT_H

#include <jansson.h>

#include "aerogpu/gpu.h"
#include "aerogpu/translate.h"

/* Names of the flavours by their number, null-terminated. */
extern const char *const cli_flavour_names[];

/* The first WebGPU feature that the module needs and the device lacks, or null. */
const char *cli_missing_need(uint32_t bits, const struct agpu_adapter_info *info);

/* Adds what whoever builds pipelines needs: stage, flavour, entry_point, needs, bindings, inputs, outputs,
 * views, workgroup_size, expansion and what the module does. */
void cli_reflect(json_t *object, const struct agpu_module *module);

#endif
