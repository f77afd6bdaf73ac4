/* SPDX-License-Identifier: MIT
 *
 * Translations in the persistent cache. What cannot be translated, or was translated with a remark, is not
 * kept, so that a guest's diagnostics are the same with a cache and without.
 */
#ifndef AG_EXEC_BIND_SHADER_CACHE_H
#define AG_EXEC_BIND_SHADER_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "aerogpu/diag.h"
#include "aerogpu/translate.h"

struct ag_binder;
struct ag_shader_program;
struct ag_translate_options;
struct ag_variant_key;

/* A translation that the cache did not have, between load and store. */
struct ag_shader_cache_entry {
    struct agpu_diag_sink sink; /* what the translator reports to; forwards */
    const struct agpu_diag_sink *next;
    struct agpu_cache *cache; /* null: the translation is not kept */
    void *key;                /* all that the translation depends on */
    size_t key_size;
    bool has_reports;
};

/* The translation of a program for a variant, which the caller owns. False when the cache has none: the
 * entry's sink is then for the translator, and ag_shader_cache_store() ends the entry. */
bool ag_shader_cache_load(struct ag_shader_cache_entry *entry, struct ag_binder *binder,
                          const struct ag_shader_program *program, const struct ag_variant_key *variant,
                          const struct ag_translate_options *options, struct agpu_module **module);
/* `module` is null when there is none. */
void ag_shader_cache_store(struct ag_shader_cache_entry *entry, const struct agpu_module *module);
/* Ends an entry whose translation nobody wants any more; after ag_shader_cache_store() there is nothing to
 * end. */
void ag_shader_cache_drop(struct ag_shader_cache_entry *entry);

#endif
