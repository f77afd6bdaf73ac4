/* SPDX-License-Identifier: MIT */
#include "exec/bind/shader_program.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/compute_pipeline.h"
#include "exec/bind/kept_pipelines.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/bind/shader.h"
#include "exec/bind/shader_parsing.h"
#include "exec/bind/shader_source.h"
#include "exec/bind/translation.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/stream_output_declaration.h"
#include "gpu/compilation.h"
#include "kernel/stream_output.h"

#define MAX_IDLE_PROGRAMS 1024

static void destroy_program(struct ag_binder *binder, struct ag_shader_program *program)
{
    struct ag_shader_variant *variant = program->variants;
    ag_kept_pipelines_forget(binder, program);
    if (variant) {
        ag_pipelines_forget_program(binder, program);
        ag_compute_pipelines_forget_program(binder, program);
    }
    while (variant) {
        struct ag_shader_variant *next = variant->next;
        ag_shader_variant_destroy(binder, variant);
        variant = next;
    }
    ag_host_memory_give(binder->host, program->account, program->host_bytes);
    ag_map_fini(&program->variants_by_key);
    ag_compilation_release(program->translation);
    ag_shader_text_release(program->text);
    free(program->sharings);
    free(program);
}

/* ---- Idle programs ------------------------------------------------------------------------------------ */

/* Programs without a handle are kept for guests that make them again, those that were let go last. */

static void wake(struct ag_binder *binder, struct ag_shader_program *program)
{
    ag_shared_cache_remove(&binder->host->accounts, &binder->idle, &program->idle);
}

static void destroy_idle(struct ag_binder *binder, struct ag_shader_program *program)
{
    wake(binder, program);
    ag_map_remove(&binder->programs, program->hash);
    destroy_program(binder, program);
}

/* Drops idle programs until the context at work may have so many bytes more: its own, then those of contexts
 * that have more memory than it has. */
static void make_room(struct ag_binder *binder, uint64_t bytes)
{
    while (!ag_host_memory_has(binder->host, bytes)) {
        struct ag_shader_program *spare =
            ag_shared_cache_spare(&binder->idle, binder->host->accounts.current, AG_MEMORY_OF_HOST);
        if (!spare)
            return;
        destroy_idle(binder, spare);
    }
}

/* ---- Programs ----------------------------------------------------------------------------------------- */

/* Translates once with default options, so that a shader that cannot be translated is refused when it is
 * created. */
static enum ag_outcome check_program(struct ag_binder *binder, struct ag_shader_program *program)
{
    if (program->passes_through)
        return AG_DONE;
    const enum ag_outcome outcome = ag_shader_translate_once(binder, program);
    program->refused = outcome == AG_SKIPPED;
    return program->refused ? AG_DONE : outcome;
}

static bool writes_place(const struct agpu_signature *output, const struct ag_stream_output_place *place)
{
    for (uint32_t i = 0; i < output->count; i++) {
        const struct agpu_signature_element *element = &output->elements[i];
        if (element->stream == place->stream && element->register_index == place->source / 4u &&
            (element->mask >> (place->source & 3) & 1))
            return true;
    }
    return false;
}

/* Direct3D's runtime looks for names in the signature, the packet has register numbers. */
static void check_stream_output(struct ag_binder *binder, const struct ag_shader_program *program)
{
    const struct ag_stream_output_declaration *declaration = program->stream_output;
    const struct agpu_signature *output = &program->shader->output;
    for (uint32_t i = 0; declaration && output->count && i < declaration->place_count; i++) {
        const struct ag_stream_output_place *place = &declaration->places[i];
        if (writes_place(output, place))
            continue;
        ag_host_report(binder->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                       "stream output takes o%u.%c of stream %u, which the shader does not write: it is 0",
                       place->source / 4u, "xyzw"[place->source & 3], place -> stream);
    }
}

/* ---- Creation ----------------------------------------------------------------------------------------- */

static bool is_of(const struct ag_shader_program *program, const struct ag_shader_source *source)
{
    const struct ag_shader_source own = {program->bytes, program->size};
    return ag_shader_sources_are_equal(&own, source);
}

/* Gives up the creation at which a stream has paused that does not go on. */
static void drop_creation(struct ag_binder *binder)
{
    struct ag_program_creation *const creation = &binder->creation;
    ag_compilation_release(creation->parsing);
    if (creation->program)
        destroy_program(binder, creation->program);
    else if (creation->parsing)
        ag_host_memory_give(binder->host, creation->account, creation->host_bytes);
    *creation = (struct ag_program_creation){0};
}

/* Whether the creation at which a stream has paused goes on. */
static bool goes_on(const struct ag_program_creation *creation, const struct ag_shader_source *source)
{
    return creation->parsing   ? ag_shader_parsing_is_of(creation->parsing, source)
           : creation->program ? is_of(creation->program, source)
                               : false;
}

static enum agpu_status begin_creation(struct ag_binder *binder, const struct ag_shader_source *source)
{
    struct ag_host *const host = binder->host;
    const uint64_t bytes = AG_HOST_OBJECT_BYTES + source->size * (uint64_t)AG_HOST_SHADER_FACTOR;
    drop_creation(binder);
    make_room(binder, bytes);
    const enum agpu_status status = ag_host_memory_charge(host, bytes);
    if (status != AGPU_OK)
        return status;
    struct ag_compilation *const parsing = ag_shader_parsing_begin(binder, source);
    if (!parsing) {
        ag_host_memory_give(host, host->accounts.current, bytes);
        ag_host_no_memory(host);
        return AGPU_NO_MEMORY;
    }
    binder->creation = (struct ag_program_creation){
        .parsing = parsing,
        .host_bytes = bytes,
        .account = host->accounts.current,
    };
    return AGPU_OK;
}

static enum agpu_status take_parsed(struct ag_binder *binder, uint64_t hash)
{
    struct ag_program_creation *const creation = &binder->creation;
    struct ag_compilation *const parsing = creation->parsing;
    creation->parsing = NULL;
    const enum agpu_status status =
        ag_shader_parsing_end(parsing, &binder->host->reports.sink, &creation->program);
    if (status != AGPU_OK) {
        ag_host_memory_give(binder->host, creation->account, creation->host_bytes);
        *creation = (struct ag_program_creation){0};
        return status;
    }
    struct ag_shader_program *const program = creation->program;
    program->id = ag_host_id(binder->host);
    program->hash = hash;
    program->host_bytes = creation->host_bytes;
    program->account = creation->account;
    check_stream_output(binder, program);
    return AGPU_OK;
}

/* Parses and judges the program, as far as the worker has come. Null when it has not, when the source is no
 * shader, or when memory is exhausted (reported; *status says which). */
static struct ag_shader_program *create_program(struct ag_binder *binder,
                                                const struct ag_shader_source *source, uint64_t hash,
                                                enum agpu_status *status)
{
    struct ag_program_creation *const creation = &binder->creation;
    if (!goes_on(creation, source)) {
        *status = begin_creation(binder, source);
        if (*status != AGPU_OK)
            return NULL;
    }
    if (creation->parsing) {
        if (ag_translation_wait(binder, creation->parsing, "") == AG_PENDING)
            return NULL;
        *status = take_parsed(binder, hash);
        if (*status != AGPU_OK)
            return NULL;
    }
    const enum ag_outcome outcome = check_program(binder, creation->program);
    if (outcome == AG_PENDING)
        return NULL;
    struct ag_shader_program *const program = creation->program;
    *creation = (struct ag_program_creation){0};
    if (outcome == AG_DONE)
        return program;
    destroy_program(binder, program);
    *status = AGPU_NO_MEMORY;
    return NULL;
}

/* The program of this source, found or new. Null as create_program() says. */
static struct ag_shader_program *get_program(struct ag_binder *binder, const struct ag_shader_source *source,
                                             enum agpu_status *status)
{
    uint64_t hash = ag_hash_bytes(source->bytes, source->size);
    struct ag_shader_program *program = ag_map_get(&binder->programs, hash);
    if (program && is_of(program, source)) {
        if (program->references == 0)
            wake(binder, program);
        if (program->refused)
            ag_host_skip_refused(binder->host, program->refusal.code, "%s", program->refusal.message);
        return program;
    }
    const bool clash = program != NULL; /* of a program with another source */
    program = create_program(binder, source, hash, status);
    if (!program)
        return NULL;
    if (!clash && !ag_map_put(&binder->programs, hash, program)) {
        destroy_program(binder, program);
        *status = ag_host_no_memory(binder->host);
        return NULL;
    }
    ag_kept_pipelines_expect(binder, program);
    return program;
}

static void drop_reference(struct ag_binder *binder, struct ag_shader_program *program)
{
    if (--program->references > 0)
        return;
    if (ag_map_get(&binder->programs, program->hash) != program) {
        destroy_program(binder, program);
        return;
    }
    if (binder->idle.recent.count >= MAX_IDLE_PROGRAMS)
        destroy_idle(binder, ag_shared_cache_victim(&binder->idle, program->account, MAX_IDLE_PROGRAMS));
    ag_shared_cache_add(&binder->host->accounts, &binder->idle, &program->idle, program, program->account);
}

enum agpu_status ag_shader_create(struct ag_binder *binder, uint32_t handle, enum agpu_stage stage,
                                  const struct ag_shader_source *source)
{
    if (handle == 0)
        return ag_host_malformed(binder->host, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name a shader");
    enum agpu_status status = AGPU_OK;
    binder->creates_shader = true;
    struct ag_shader_program *program = get_program(binder, source, &status);
    binder->creates_shader = false;
    if (!program)
        return status;
    if (program->references++ == 0)
        program->handle = handle;
    enum agpu_stage actual = program->shader->program.stage;
    if (actual != stage) {
        drop_reference(binder, program);
        return ag_host_fail(binder->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "the packet says %s, the bytes are a %s shader", agpu_stage_name(stage),
                            agpu_stage_name(actual));
    }
    struct ag_shader_program *old = ag_map_get(&binder->shaders, handle);
    if (!ag_map_put(&binder->shaders, handle, program)) {
        drop_reference(binder, program);
        return ag_host_no_memory(binder->host);
    }
    binder->recent_shaders[handle % AG_RECENT_SHADERS] = (struct ag_recent_shader){handle, program};
    if (old)
        drop_reference(binder, old);
    return AGPU_OK;
}

void ag_shader_release(struct ag_binder *binder, uint32_t handle)
{
    struct ag_shader_program *program = ag_map_remove(&binder->shaders, handle);
    struct ag_recent_shader *recent = &binder->recent_shaders[handle % AG_RECENT_SHADERS];
    if (recent->handle == handle)
        *recent = (struct ag_recent_shader){0};
    if (program)
        drop_reference(binder, program);
}

/* Programs that lose their last handle are kept for nobody. */
static void clear_handle(struct ag_binder *binder, uint32_t handle)
{
    struct ag_shader_program *const program = ag_map_remove(&binder->shaders, handle);
    if (--program->references > 0)
        return;
    if (ag_map_get(&binder->programs, program->hash) == program)
        ag_map_remove(&binder->programs, program->hash);
    destroy_program(binder, program);
}

bool ag_shaders_clear_part(struct ag_binder *binder, size_t *cursor)
{
    uint64_t handle;
    void *value;
    drop_creation(binder);
    if (ag_map_next(&binder->shaders, cursor, &handle, &value)) {
        clear_handle(binder, (uint32_t)handle);
        --*cursor; /* removing may have moved another entry to this place */
        return true;
    }
    if (binder->idle.recent.count) {
        destroy_idle(binder, binder->idle.recent.oldest->member);
        return true;
    }
    memset(binder->recent_shaders, 0, sizeof binder->recent_shaders);
    ag_map_fini(&binder->shaders);
    ag_map_fini(&binder->programs);
    return false;
}
