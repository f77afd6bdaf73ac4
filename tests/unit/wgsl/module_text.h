/* SPDX-License-Identifier: MIT
 *
 * Translating listings, and asking what the module says.
 */
#ifndef AG_TESTS_MODULE_TEXT_H
#define AG_TESTS_MODULE_TEXT_H

#include "../../support/shader_text.h"

#include "aerogpu/translate.h"
#include "wgsl/options.h"

static inline struct agpu_module *translate(const char *text, const struct ag_translate_options *options)
{
    struct first_error error = {0};
    const struct agpu_diag_sink sink = {keep_first_error, &error};
    struct agpu_shader *shader = shader_from_text(text);
    struct agpu_module *module;
    if (ag_translate(shader, options, &sink, &module) != AGPU_OK)
        print_error("%s\n", error.message);
    assert_non_null(module);
    agpu_shader_destroy(shader);
    return module;
}

static inline const struct agpu_binding *binding_at(const struct agpu_module *module, uint32_t group,
                                                    uint32_t binding)
{
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (module->bindings[i].group == group && module->bindings[i].binding == binding)
            return &module->bindings[i];
    return NULL;
}

static inline void assert_has(const struct agpu_module *module, const char *text)
{
    if (strstr(module->wgsl, text) == NULL)
        print_error("no '%s' in\n%s\n", text, module->wgsl);
    assert_non_null(strstr(module->wgsl, text));
}

static inline void assert_lacks(const struct agpu_module *module, const char *text)
{
    if (strstr(module->wgsl, text) != NULL)
        print_error("'%s' in\n%s\n", text, module->wgsl);
    assert_null(strstr(module->wgsl, text));
}

static inline unsigned count_of(const struct agpu_module *module, const char *text)
{
    unsigned count = 0;
    for (const char *c = module->wgsl; (c = strstr(c, text)) != NULL; c++)
        count++;
    return count;
}

#endif
