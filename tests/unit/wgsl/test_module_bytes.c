/* SPDX-License-Identifier: MIT
 *
 * Modules as bytes and back, and bytes that are none.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/translate.h"
#include "support/corpus.h"
#include "wgsl/module_bytes.h"
#include "wgsl/options.h"

static unsigned modules;

static void assert_same_array(const void *left, const void *right, size_t bytes)
{
    if (bytes != 0)
        assert_memory_equal(left, right, bytes);
}

static void assert_same(const struct agpu_module *a, const struct agpu_module *b)
{
    assert_int_equal(a->wgsl_length, b->wgsl_length);
    assert_string_equal(a->wgsl, b->wgsl);
    assert_string_equal(a->entry_point, b->entry_point);
    assert_int_equal(a->stage, b->stage);
    assert_int_equal(a->flavour, b->flavour);
    assert_int_equal(a->binding_count, b->binding_count);
    assert_same_array(a->bindings, b->bindings, a->binding_count * sizeof a->bindings[0]);
    assert_int_equal(a->unbound_count, b->unbound_count);
    assert_same_array(a->unbound, b->unbound, a->unbound_count * sizeof a->unbound[0]);
    assert_int_equal(a->overflow_count, b->overflow_count);
    assert_int_equal(a->overflow_rows, b->overflow_rows);
    assert_same_array(a->overflow, b->overflow, a->overflow_count * sizeof a->overflow[0]);
    assert_int_equal(a->packed_count, b->packed_count);
    assert_same_array(a->packed, b->packed, a->packed_count * sizeof a->packed[0]);
    assert_int_equal(a->input_count, b->input_count);
    assert_same_array(a->inputs, b->inputs, a->input_count * sizeof a->inputs[0]);
    assert_int_equal(a->output_count, b->output_count);
    assert_same_array(a->outputs, b->outputs, a->output_count * sizeof a->outputs[0]);
    assert_int_equal(a->uses_draw_block, b->uses_draw_block);
    assert_int_equal(a->view_count, b->view_count);
    assert_int_equal(a->view_base, b->view_base);
    assert_same_array(a->views, b->views, a->view_count * sizeof a->views[0]);
    assert_int_equal(a->needs, b->needs);
    assert_memory_equal(a->workgroup_size, b->workgroup_size, sizeof a->workgroup_size);
    assert_int_equal(a->workgroup_bytes, b->workgroup_bytes);
    assert_memory_equal(&a->expansion, &b->expansion, sizeof a->expansion);
    assert_int_equal(a->writes_depth, b->writes_depth);
    assert_int_equal(a->discards, b->discards);
    assert_int_equal(a->early_depth_stencil, b->early_depth_stencil);
    assert_int_equal(a->per_sample, b->per_sample);
    assert_int_equal(a->writes_sample_mask, b->writes_sample_mask);
    assert_int_equal(a->writes_memory, b->writes_memory);
    assert_int_equal(a->counted, b->counted);
    assert_int_equal(a->line_count, b->line_count);
    assert_same_array(a->line_offsets, b->line_offsets, a->line_count * sizeof a->line_offsets[0]);
    assert_int_equal(a->compile_ms, b->compile_ms);
    assert_int_equal(a->private_bytes, b->private_bytes);
}

/* A module that is read out of bytes that are none can be looked at from end to end. */
static void walk(const struct agpu_module *module)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < module->binding_count; i++)
        sum += module->bindings[i].slot;
    for (uint32_t i = 0; i < module->overflow_count; i++)
        sum += module->overflow[i].slot;
    for (uint32_t i = 0; i < module->packed_count; i++)
        sum += module->packed[i].slot;
    for (uint32_t i = 0; i < module->input_count; i++)
        sum += module->inputs[i].register_index;
    for (uint32_t i = 0; i < module->line_count; i++)
        sum += module->line_offsets[i] & 1;
    assert_int_equal(module->wgsl[module->wgsl_length], '\0');
    assert_true(strlen(module->entry_point) < 1u << 30 && sum < UINT32_MAX);
}

/* A copy without room behind it, which the sanitizers watch. */
static struct agpu_module *read_exactly(const char *bytes, size_t size)
{
    uint8_t *const copy = malloc(size != 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    struct agpu_module *const module = ag_module_read(copy, size);
    free(copy);
    return module;
}

static void harm(const struct ag_strbuf *bytes)
{
    for (size_t size = 0; size < bytes->length; size++) {
        struct agpu_module *const module = read_exactly(bytes->data, size);
        if (module != NULL)
            walk(module);
        agpu_module_destroy(module);
    }
    const size_t most =
        sizeof(struct agpu_module) + 512 < bytes->length ? sizeof(struct agpu_module) + 512 : bytes->length;
    for (size_t i = 0; i < most; i++) {
        static const uint8_t changes[] = {1, 0x80, 0xff};
        for (size_t j = 0; j < sizeof changes; j++) {
            bytes->data[i] = (char)(bytes->data[i] ^ changes[j]);
            struct agpu_module *const module = read_exactly(bytes->data, bytes->length);
            if (module != NULL)
                walk(module);
            agpu_module_destroy(module);
            bytes->data[i] = (char)(bytes->data[i] ^ changes[j]);
        }
    }
}

static bool visit(void *user, const struct ag_corpus_file *file)
{
    struct agpu_shader *shader;
    struct agpu_module *module;
    const struct ag_translate_options options = {.packing = {.few_bytes = 1024}};
    (void)user;
    assert_int_equal(agpu_shader_parse(file->data, file->size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader),
                     AGPU_OK);
    if (ag_translate(shader, &options, NULL, &module) == AGPU_OK) {
        struct ag_strbuf bytes = {0};
        ag_module_write(&bytes, module);
        assert_false(bytes.failed);
        struct agpu_module *const again = read_exactly(bytes.data, bytes.length);
        assert_non_null(again);
        assert_same(module, again);
        if (modules++ % 16 == 0)
            harm(&bytes);
        agpu_module_destroy(again);
        ag_strbuf_fini(&bytes);
    }
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
    return true;
}

static const char *directory;

static void every_shader(void **state)
{
    (void)state;
    assert_true(ag_corpus_walk(directory, ".dxbc", visit, NULL) > 0);
    assert_true(modules > 50);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shader)};
    directory = argc > 1 ? argv[1] : ".";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
