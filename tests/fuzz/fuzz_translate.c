/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a shader that a guest hands over: translating it for each use, and drawing what it makes, must
 * neither crash nor hang, and must not find its own IR invalid.
 */
#include <stdlib.h>

#include "aerogpu/translate.h"
#include "wgsl/expansion.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void watch(void *user, const struct agpu_diag *diag)
{
    (void)user;
    if (diag->code == AGPU_DIAG_TRANSLATE_INVALID_IR)
        abort();
}

static void draw(const struct agpu_shader *shader, const struct agpu_diag_sink *sink)
{
    struct ag_linkage linkage;
    struct agpu_module *module = NULL;
    if (ag_link_expanded(shader, 0, shader, AGPU_MAX_REGISTERS, sink, &linkage) != AGPU_OK)
        return;
    const struct ag_expanded_options options = {.linkage = &linkage,
                                                .vertices = 3,
                                                .edges = true,
                                                .culled = AG_CULLED_COUNTER_CLOCKWISE,
                                                .record_registers = 16,
                                                .layers = 5,
                                                .selects_viewport = true};
    ag_translate_expanded_vertex(shader, &options, sink, &module);
    agpu_module_destroy(module);
}

/* As a part of a draw's vertex shader, if it can be one. */
static void inline_part(const struct agpu_shader *shader, const struct agpu_diag_sink *sink)
{
    static const enum agpu_flavour flavours[AGPU_STAGE_COUNT] = {
        [AGPU_STAGE_VERTEX] = AGPU_FLAVOUR_VERTEX_AS_COMPUTE,
        [AGPU_STAGE_GEOMETRY] = AGPU_FLAVOUR_GEOMETRY,
        [AGPU_STAGE_HULL] = AGPU_FLAVOUR_HULL_PATCH,
        [AGPU_STAGE_DOMAIN] = AGPU_FLAVOUR_DOMAIN,
    };
    const struct ag_translate_options options = {.flavour = flavours[shader->program.stage],
                                                 .is_inlined = true,
                                                 .loop_budget = 1 << 12,
                                                 .input_registers = 16,
                                                 .patch_registers = 8};
    struct agpu_module *module = NULL;
    if (options.flavour == AGPU_FLAVOUR_DEFAULT)
        return;
    ag_translate(shader, &options, sink, &module);
    agpu_module_destroy(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum agpu_flavour flavours[] = {AGPU_FLAVOUR_DEFAULT, AGPU_FLAVOUR_VERTEX_AS_COMPUTE,
                                                 AGPU_FLAVOUR_HULL_POINTS};
    const struct agpu_diag_sink sink = {watch, NULL};
    struct agpu_shader *shader = NULL;
    if (agpu_shader_parse(data, size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader) == AGPU_OK) {
        for (size_t i = 0; i < sizeof flavours / sizeof flavours[0]; i++) {
            const struct ag_translate_options options = {.flavour = flavours[i],
                                                         .annotate = i != 2,
                                                         .is_terse = true,
                                                         .loop_budget = 1 << 12,
                                                         .no_depth_target = i == 1,
                                                         .workgroup.invocations = i == 1 ? 7 : 0};
            struct agpu_module *module = NULL;
            ag_translate(shader, &options, &sink, &module);
            agpu_module_destroy(module);
        }
        inline_part(shader, &sink);
        draw(shader, &sink);
    }
    agpu_shader_destroy(shader);
    return 0;
}
