/* SPDX-License-Identifier: MIT
 *
 * Sources of shaders become programs: parsed, checked, and looked through for what they declare. The gpu's
 * worker does so with large ones.
 */
#ifndef AG_EXEC_BIND_SHADER_PARSING_H
#define AG_EXEC_BIND_SHADER_PARSING_H

#include <stdbool.h>

#include "aerogpu/diag.h"

struct ag_binder;
struct ag_compilation;
struct ag_shader_program;
struct ag_shader_source;

/* Copies the source and begins. Null when memory is exhausted (not reported). */
struct ag_compilation *ag_shader_parsing_begin(const struct ag_binder *binder,
                                               const struct ag_shader_source *source);

/* Whether a parsing is of a source. */
bool ag_shader_parsing_is_of(const struct ag_compilation *parsing, const struct ag_shader_source *source);

/* Reports what was found, and ends a parsing that is done. On AGPU_OK the caller owns the program, which has
 * no id, account or handle yet. */
enum agpu_status ag_shader_parsing_end(struct ag_compilation *parsing, const struct agpu_diag_sink *sink,
                                       struct ag_shader_program **program);

#endif
