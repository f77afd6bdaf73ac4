/* SPDX-License-Identifier: MIT
 *
 * A program's entry is a list of records, the oldest first. Programs of one pipeline have it in their lists,
 * each with the hash of the source of the other: another program with that hash only begins a pipeline that
 * nobody needs.
 */
#include "exec/bind/kept_pipelines.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "cache/cache.h"
#include "exec/bind/binder.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/host/host.h"
#include "format/format.h"
#include "gpu/compilation.h"
#include "gpu/feature.h"
#include "kernel/stream_output.h"
#include "wgsl/expansion.h"

/* The most pipelines of a program's list, and of all that wait. */
#define MOST_RECORDS 32u
#define MOST_AHEAD 512u
/* The most that are compiled at a time: pipelines of draws wait behind them. */
#define MOST_BEGUN 4u

/* Zeroed before it is filled, so that its bytes can be compared. */
struct record {
    struct ag_pipeline_key key; /* without the programs' ids */
    uint64_t partner;           /* hash of the other program */
    uint8_t is_pixel;           /* the program is the pixel shader */
    uint8_t has_partner;
};

struct ag_pipeline_ahead {
    struct ag_pipeline_ahead *next;
    struct ag_shader_program *vertex, *pixel; /* pixel may be null */
    struct ag_pipeline_key key;
};

/* ---- Entries ------------------------------------------------------------------------------------------ */

/* What pipelines depend on besides their key: what the device is made with. */
struct circumstances {
    uint64_t record_bytes, features;
    WGPULimits limits;
};

/* Copies the members alone: libraries leave anything between them, which differs from run to run. */
static void copy_limits(const WGPULimits *from, WGPULimits *to)
{
#define MEMBERS(first, last)                                                                                 \
    {                                                                                                        \
        offsetof(WGPULimits, first), offsetof(WGPULimits, last) + sizeof from->last                          \
    }
    const struct {
        size_t begin, end;
    } members[] = {
        MEMBERS(maxTextureDimension1D, maxUniformBuffersPerShaderStage),
        MEMBERS(maxUniformBufferBindingSize, maxVertexBuffers),
        MEMBERS(maxBufferSize, maxImmediateSize),
    };
#undef MEMBERS
    for (size_t i = 0; i < AG_COUNT_OF(members); i++)
        memcpy((char *)to + members[i].begin, (const char *)from + members[i].begin,
               members[i].end - members[i].begin);
}

static void make_key(const struct ag_binder *binder, const struct ag_shader_program *program,
                     struct ag_strbuf *key)
{
    struct circumstances circumstances;
    memset(&circumstances, 0, sizeof circumstances);
    circumstances.record_bytes = sizeof(struct record);
    for (uint32_t i = 0; i < AG_GPU_FEATURE_COUNT; i++)
        circumstances.features |= (uint64_t)ag_host_has(binder->host, (enum ag_gpu_feature)i) << i;
    copy_limits(&binder->host->limits, &circumstances.limits);
    ag_strbuf_append_bytes(key, &circumstances, sizeof circumstances);
    ag_strbuf_append_bytes(key, program->bytes, program->size);
}

/* The records of a program; `data` is null when there are none. */
static bool load(const struct ag_binder *binder, const struct ag_strbuf *key, struct ag_cache_value *value)
{
    if (key->failed || !ag_cache_load(binder->cache, AG_CACHE_PIPELINES, key->data, key->length, value))
        return false;
    if (value->size % sizeof(struct record) == 0 && value->size / sizeof(struct record) <= MOST_RECORDS)
        return true;
    ag_cache_value_fini(value);
    ag_cache_refuse(binder->cache, AG_CACHE_PIPELINES);
    return false;
}

static bool has(const struct ag_cache_value *value, const struct record *record)
{
    for (size_t at = 0; at < value->size; at += sizeof *record)
        if (memcmp(value->data + at, record, sizeof *record) == 0)
            return true;
    return false;
}

/* Adds a record to the list of a program, in place of the oldest one when the list is full. */
static void add(struct ag_binder *binder, const struct ag_shader_program *program,
                const struct record *record)
{
    struct ag_strbuf key = {0}, list = {0};
    struct ag_cache_value old = {0};
    make_key(binder, program, &key);
    load(binder, &key, &old);
    if (!key.failed && !has(&old, record)) {
        const size_t dropped = old.size == MOST_RECORDS * sizeof *record ? sizeof *record : 0;
        if (old.size != 0)
            ag_strbuf_append_bytes(&list, old.data + dropped, old.size - dropped);
        ag_strbuf_append_bytes(&list, record, sizeof *record);
        if (!list.failed)
            ag_cache_store(binder->cache, AG_CACHE_PIPELINES, key.data, key.length, list.data, list.length);
    }
    ag_cache_value_fini(&old);
    ag_strbuf_fini(&list);
    ag_strbuf_fini(&key);
}

/* Pipelines whose shaders cause remarks are made when a draw needs them, for the place of the remarks. */
static bool is_silent(const struct ag_shader_variant *variant)
{
    return !variant || (!variant->has_remarks && !variant->arena);
}

void ag_kept_pipelines_note(struct ag_binder *binder, const struct ag_pipeline *pipeline)
{
    struct record record;
    if (!binder->cache || !is_silent(pipeline->vertex) || !is_silent(pipeline->pixel))
        return;
    const struct ag_shader_program *const vertex = pipeline->vertex_program, *const pixel =
                                                                                 pipeline->pixel_program;
    memset(&record, 0, sizeof record);
    memcpy(&record.key, &pipeline->key, sizeof record.key);
    record.key.vertex_id = record.key.pixel_id = 0;
    record.has_partner = pixel != NULL;
    record.partner = pixel ? pixel->hash : 0;
    add(binder, vertex, &record);
    if (!pixel)
        return;
    record.is_pixel = 1;
    record.partner = vertex->hash;
    add(binder, pixel, &record);
}

/* ---- Pipelines ahead of draws ------------------------------------------------------------------------- */

/* What indexes tables, here or in the translator, is in bounds: an entry of a cache may be anybody's. */

static bool is_vertex_state(const struct ag_pipeline_key *key)
{
    const struct ag_vertex_state *const state = &key->vertex;
    bool good = state->buffer_count <= AG_MAX_VERTEX_BUFFERS && state->attribute_count <= AGPU_MAX_REGISTERS;
    for (uint32_t i = 0; good && i < state->attribute_count; i++)
        good = state->attributes[i].buffer < state->buffer_count &&
               state->attributes[i].location < AGPU_MAX_REGISTERS;
    for (uint32_t i = 0; i < AGPU_MAX_REGISTERS; i++)
        good &= key->attribute_classes[i] <= AGPU_ATTRIBUTE_ABSENT;
    return good;
}

static bool is_aliases(const struct ag_uav_aliases *aliases)
{
    bool good = true;
    for (uint32_t i = 0; i < AG_UAV_SLOTS; i++)
        good &= aliases->slots[i] <= i; /* a slot before has the variable */
    for (uint32_t i = 0; i < AG_STORAGE_TEXTURE_SLOTS; i++)
        good &= aliases->formats[i] < AGPU_STORAGE_FORMAT_COUNT;
    return good;
}

/* Pipelines whose stages run in the vertex shader are not kept. */
static bool is_key(const struct ag_pipeline_key *key)
{
    static const struct ag_inlined_key none;
    bool good =
        memcmp(&key->inlined, &none, sizeof none) == 0 && key->target_count <= AGPU_MAX_RENDER_TARGETS &&
        is_vertex_state(key) && is_aliases(&key->aliases) && ag_depth_stencil_is_known(&key->depth_stencil) &&
        (!key->depth_format || ag_host_format(key->depth_format)) && key->expanded.vertices <= 3 &&
        key->expanded.culled <= AG_CULLED_COUNTER_CLOCKWISE &&
        key->expanded.record_registers <= AGPU_MAX_REGISTERS && key->expanded.stream < AG_STREAM_OUTPUT_SLOTS;
    for (uint32_t i = 0; good && i < AGPU_MAX_RENDER_TARGETS; i++)
        good =
            (!key->formats[i] || ag_host_format(key->formats[i])) && ag_blend_target_is_known(&key->blend[i]);
    return good;
}

/* Whether a pipeline of the key begins with the program. */
static bool is_producer(const struct ag_pipeline_key *key, const struct ag_shader_program *program)
{
    const enum agpu_stage stage = program->shader->program.stage;
    return stage == AGPU_STAGE_VERTEX ||
           (key->expanded.vertices && (stage == AGPU_STAGE_GEOMETRY || stage == AGPU_STAGE_DOMAIN));
}

static bool is_usable(const struct ag_shader_program *program)
{
    return program && !program->refused && !program->passes_through;
}

static void expect(struct ag_binder *binder, struct ag_shader_program *program, const struct record *record)
{
    struct ag_pipelines_ahead *const ahead = &binder->ahead;
    struct ag_shader_program *const partner =
        record->has_partner ? ag_map_get(&binder->programs, record->partner) : NULL;
    struct ag_shader_program *const vertex = record->is_pixel ? partner : program;
    struct ag_shader_program *const pixel = record->is_pixel ? program : partner;
    if (ahead->count >= MOST_AHEAD || !is_key(&record->key) || !is_usable(vertex) ||
        !is_producer(&record->key, vertex) ||
        (record->has_partner && (!is_usable(pixel) || pixel->shader->program.stage != AGPU_STAGE_PIXEL)))
        return;
    struct ag_pipeline_ahead *const added = malloc(sizeof *added);
    if (!added) /* a draw makes the pipeline */
        return;
    added->next = NULL;
    added->vertex = vertex;
    added->pixel = pixel;
    memcpy(&added->key, &record->key, sizeof added->key);
    added->key.vertex_id = vertex->id;
    added->key.pixel_id = pixel ? pixel->id : 0;
    if (ahead->last)
        ahead->last->next = added;
    else
        ahead->first = added;
    ahead->last = added;
    ahead->count++;
}

void ag_kept_pipelines_expect(struct ag_binder *binder, struct ag_shader_program *program)
{
    struct ag_strbuf key = {0};
    struct ag_cache_value list;
    if (!binder->cache || !is_usable(program))
        return;
    make_key(binder, program, &key);
    if (load(binder, &key, &list)) {
        for (size_t at = 0; at < list.size; at += sizeof(struct record)) {
            struct record record;
            memcpy(&record, list.data + at, sizeof record);
            expect(binder, program, &record);
        }
        ag_cache_value_fini(&list);
    }
    ag_strbuf_fini(&key);
}

void ag_kept_pipelines_forget(struct ag_binder *binder, const struct ag_shader_program *program)
{
    struct ag_pipelines_ahead *const ahead = &binder->ahead;
    struct ag_pipeline_ahead *last = NULL;
    for (struct ag_pipeline_ahead **place = &ahead->first; *place;) {
        struct ag_pipeline_ahead *const one = *place;
        if (one->vertex == program || one->pixel == program) {
            *place = one->next;
            ahead->count--;
            free(one);
        } else {
            last = one;
            place = &one->next;
        }
    }
    ahead->last = last;
}

bool ag_kept_pipelines_step(struct ag_binder *binder)
{
    struct ag_pipelines_ahead *const ahead = &binder->ahead;
    struct ag_pipeline_ahead *const next = ahead->first;
    if (!next || ag_compilations_pending(binder->host->gpu) >= MOST_BEGUN ||
        !ag_pipeline_begin_ahead(binder, &next->key, next->vertex, next->pixel))
        return false;
    ahead->first = next->next;
    if (!ahead->first)
        ahead->last = NULL;
    ahead->count--;
    free(next);
    return ahead->first != NULL;
}
