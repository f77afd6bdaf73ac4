/* SPDX-License-Identifier: MIT */
#include "exec/bind/shader_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cache/cache.h"
#include "exec/bind/binder.h"
#include "exec/bind/shader.h"
#include "exec/host/host.h"
#include "wgsl/module_bytes.h"
#include "wgsl/options.h"

static void note_report(void *user, const struct agpu_diag *diag)
{
    struct ag_shader_cache_entry *const entry = user;
    entry->has_reports = true;
    if (entry->next->report != NULL)
        entry->next->report(entry->next->user, diag);
}

/* Processors that share a folder may differ in them. */
static const uint64_t layout[] = {sizeof(void *), sizeof(struct agpu_module)};

/* What the options point to is in the variant, but for the overflowing resources. */
static void make_key(struct ag_shader_cache_entry *entry, const struct ag_shader_program *program,
                     const struct ag_variant_key *variant, const struct ag_translate_options *options)
{
    struct ag_strbuf key = {0};
    struct ag_translate_options plain;
    memcpy(&plain, options, sizeof plain);
    plain.overflow = NULL;
    plain.linkage = NULL;
    plain.attribute_classes = plain.uav_aliases = plain.uav_formats = plain.texture_facts = NULL;
    ag_strbuf_append_bytes(&key, layout, sizeof layout);
    ag_strbuf_append_bytes(&key, &plain, sizeof plain);
    ag_strbuf_append_bytes(&key, variant, sizeof *variant);
    ag_strbuf_append_bytes(&key, options->overflow, sizeof *options->overflow);
    ag_strbuf_append_bytes(&key, program->bytes, program->size);
    if (key.failed)
        ag_strbuf_fini(&key);
    entry->key = key.data;
    entry->key_size = key.length;
}

bool ag_shader_cache_load(struct ag_shader_cache_entry *entry, struct ag_binder *binder,
                          const struct ag_shader_program *program, const struct ag_variant_key *variant,
                          const struct ag_translate_options *options, struct agpu_module **module)
{
    struct ag_cache_value value;
    *entry = (struct ag_shader_cache_entry){
        .sink = {note_report, entry},
        .next = &binder->host->reports.sink,
        .cache = binder->cache,
    };
    if (entry->cache == NULL)
        return false;
    make_key(entry, program, variant, options);
    if (entry->key == NULL ||
        !ag_cache_load(entry->cache, AG_CACHE_MODULES, entry->key, entry->key_size, &value))
        return false;
    *module = ag_module_read(value.data, value.size);
    ag_cache_value_fini(&value);
    if (*module == NULL) {
        ag_cache_refuse(entry->cache, AG_CACHE_MODULES);
        return false;
    }
    ag_shader_cache_drop(entry);
    return true;
}

void ag_shader_cache_store(struct ag_shader_cache_entry *entry, const struct agpu_module *module)
{
    struct ag_strbuf bytes = {0};
    if (entry->key != NULL && module != NULL && !entry->has_reports) {
        ag_module_write(&bytes, module);
        if (!bytes.failed)
            ag_cache_store(entry->cache, AG_CACHE_MODULES, entry->key, entry->key_size, bytes.data,
                           bytes.length);
    }
    ag_strbuf_fini(&bytes);
    ag_shader_cache_drop(entry);
}

void ag_shader_cache_drop(struct ag_shader_cache_entry *entry)
{
    free(entry->key);
    entry->key = NULL;
}
