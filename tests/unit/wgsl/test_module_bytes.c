/* SPDX-License-Identifier: MIT
 *
 * Modules as bytes and back, and bytes that are none.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "module_text.h"
#include "support/corpus.h"
#include "wgsl/binding.h"
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

/* Whether bytes of a module with another part of the pack, or another pack, are still a module. */
static bool is_module_with(const struct agpu_module *module, uint32_t index, int32_t moved, int32_t longer,
                           int32_t longer_pack)
{
    struct agpu_module changed;
    struct agpu_binding parts[AG_PACK_PARTS], bindings[64];
    assert_true(module->packed_count <= AG_PACK_PARTS && module->binding_count <= AG_COUNT_OF(bindings));
    memcpy(&changed, module, sizeof changed);
    memcpy(parts, module->packed, module->packed_count * sizeof parts[0]);
    memcpy(bindings, module->bindings, module->binding_count * sizeof bindings[0]);
    parts[index].pack_offset = (uint32_t)((int64_t)parts[index].pack_offset + moved);
    parts[index].bytes = (uint64_t)((int64_t)parts[index].bytes + longer);
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (ag_is_constant_pack(&bindings[i]))
            bindings[i].bytes = (uint64_t)((int64_t)bindings[i].bytes + longer_pack);
    changed.packed = parts;
    changed.bindings = bindings;
    struct ag_strbuf bytes = {0};
    ag_module_write(&bytes, &changed);
    assert_false(bytes.failed);
    struct agpu_module *const read = read_exactly(bytes.data, bytes.length);
    const bool is_read = read != NULL;
    agpu_module_destroy(read);
    ag_strbuf_fini(&bytes);
    return is_read;
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

/* Bytes of a pack that are in no part would be what earlier frames left in the ring of uploads. */
static void packs_have_no_gaps(void **state)
{
    const struct ag_translate_options options = {.packing = {.few_bytes = 1024}};
    (void)state;
    struct agpu_module *const module = translate("ps_5_0\n.out SV_Target0 o0.xyzw float\n"
                                                 "dcl_constantbuffer CB0[2], immediateIndexed\n"
                                                 "dcl_constantbuffer CB1[3], immediateIndexed\n"
                                                 "dcl_output o0.xyzw\n"
                                                 "add o0.xyzw, cb0[1].xyzw, cb1[2].xyzw\n"
                                                 "ret\n",
                                                 &options);
    assert_int_equal(module->packed_count, 2);
    assert_true(is_module_with(module, 1, 0, 0, 0));
    assert_true(is_module_with(module, 1, 0, 16, 16));
    assert_false(is_module_with(module, 1, 0, 0, 16));   /* a gap at the end */
    assert_false(is_module_with(module, 1, 16, 0, 16));  /* a gap in between */
    assert_false(is_module_with(module, 0, 16, 0, 0));   /* a gap at the beginning, and parts that overlap */
    assert_false(is_module_with(module, 1, -16, 16, 0)); /* parts that overlap */
    assert_false(is_module_with(module, 1, 0, 16, 0));   /* a part that leaves the pack */
    assert_false(is_module_with(module, 1, 0, -16, 0));  /* a part that is too short */
    assert_false(is_module_with(module, 1, 0, 4, 4));    /* a part that ends within a register */
    agpu_module_destroy(module);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shader), cmocka_unit_test(packs_have_no_gaps)};
    directory = argc > 1 ? argv[1] : ".";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
