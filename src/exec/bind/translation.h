/* SPDX-License-Identifier: MIT
 *
 * Translations of programs. Those that take long are made by the gpu's worker: the packet that needs one
 * pauses its stream meanwhile (pipeline_wait.h).
 */
#ifndef AG_EXEC_BIND_TRANSLATION_H
#define AG_EXEC_BIND_TRANSLATION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "wgsl/options.h"
#include "wgsl/overflow.h"

struct ag_binder;
struct ag_compilation;
struct ag_shader_program;
struct ag_variant_key;

/* The source of a program and what was parsed of it, which nobody changes. The worker may need them longer
 * than the program does. */
struct ag_shader_text {
    atomic_uint references;
    uint8_t *bytes;
    size_t size;
    struct agpu_shader *shader; /* null until it is parsed */
};

/* Drops a reference; on any thread. Accepts null. */
void ag_shader_text_release(struct ag_shader_text *text);

/* Whether work on a source is done in the call: it takes hardly longer than to hand it to the worker, or the
 * embedder wants that of all. */
bool ag_translates_in_call(const struct ag_binder *binder, size_t source_bytes);

/* The translation of a program for a key. *translation is null at first, and keeps what the worker does from
 * call to call; AG_DONE and every refusal leave it null. AG_SKIPPED with an empty refusal, and AG_PENDING:
 * see ag_translation_wait(). */
enum ag_outcome ag_translate_program(struct ag_binder *binder, const struct ag_shader_program *program,
                                     const struct ag_variant_key *key, const struct ag_overflow *overflow,
                                     struct ag_compilation **translation, struct agpu_module **module,
                                     bool *has_remarks, struct ag_refusal *refusal);

/* What the key says of the vertex shader that draws what compute passes have made. */
struct ag_expanded_options ag_expanded_options_of(const struct ag_variant_key *key);

#endif
