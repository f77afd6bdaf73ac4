/* SPDX-License-Identifier: MIT
 *
 * What the shader commands tell about a parsed shader, as text and as JSON.
 */
#ifndef AG_CLI_SHADER_H
#define AG_CLI_SHADER_H

#include "aerogpu/dxbc.h"
#include "base/strbuf.h"
#include "cli/input.h"

/* Parses the input, with flags of enum agpu_parse_flag; with --json adds ok, stage, model, signatures,
 * cbuffers and resources to its object. The caller destroys *shader. */
enum agpu_status cli_shader_load(struct cli_input *input, uint32_t flags, struct agpu_shader **shader);

/* Adds stage and model alone. */
void cli_shader_stage_json(json_t *object, const struct agpu_shader *shader);

/* The summary that `aerogpu info` prints. */
void cli_shader_describe(const struct agpu_shader *shader, const char *file, struct ag_strbuf *text);

#endif
