/* SPDX-License-Identifier: MIT
 *
 * Which constant buffers share a uniform buffer, and where they lie in it.
 */
#include "module_text.h"

#include <stdio.h>

#include "wgsl/binding.h"

#define BUFFERS 4

/* A pixel shader that adds up the last registers of b1 to b4, of which b2 holds integers and b3 is indexed.
 */
static struct agpu_module *translate_sum(const uint32_t registers[BUFFERS],
                                         const struct ag_translate_options *options)
{
    char text[2048] = "ps_5_0\n.out SV_Target0 o0.xyzw float\n";
    size_t length = strlen(text);
    for (uint32_t i = 0; i < BUFFERS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "dcl_constantbuffer CB%u[%u], %s\n",
                                   (unsigned)i + 1, (unsigned)registers[i],
                                   i == 2 ? "dynamicIndexed" : "immediateIndexed");
    snprintf(text + length, sizeof text - length,
             "dcl_output o0.xyzw\ndcl_temps 2\n"
             "utof r0.xyzw, cb2[%u].xyzw\nadd r0.xyzw, r0.xyzw, cb1[%u].xyzw\n"
             "ftou r1.x, r0.x\nadd r0.xyzw, r0.xyzw, cb3[r1.x + 1].xyzw\nadd o0.xyzw, r0.xyzw, "
             "cb4[%u].xyzw\nret\n",
             (unsigned)registers[1] - 1, (unsigned)registers[0] - 1, (unsigned)registers[3] - 1);
    return translate(text, options);
}

static void assert_part(const struct agpu_module *module, uint32_t part, uint32_t slot, uint32_t offset,
                        uint32_t bytes)
{
    assert_true(part < module->packed_count);
    assert_int_equal(module->packed[part].space, AGPU_SPACE_CBUFFER);
    assert_int_equal(module->packed[part].slot, slot);
    assert_int_equal(module->packed[part].pack_offset, offset);
    assert_int_equal(module->packed[part].bytes, bytes);
}

static void small_ones_share(void **state)
{
    (void)state;
    const struct ag_translate_options options = {.packing = {.few_bytes = 512}};
    struct agpu_module *module = translate_sum((const uint32_t[]){1, 2, 4, 3}, &options);
    const struct agpu_binding *pack = binding_at(module, AG_GROUP_PIXEL, AG_BINDING_CONSTANT_PACK);
    assert_non_null(pack);
    assert_true(ag_is_constant_pack(pack));
    assert_int_equal(pack->kind, AGPU_BIND_UNIFORM_BUFFER);
    assert_int_equal(pack->bytes, 160);
    for (uint32_t slot = 1; slot <= BUFFERS; slot++)
        assert_null(binding_at(module, AG_GROUP_PIXEL, AG_BINDING_CBUFFER + slot));
    assert_int_equal(module->packed_count, 4);
    assert_part(module, 0, 1, 0, 16);
    assert_part(module, 1, 2, 16, 32);
    assert_part(module, 2, 3, 48, 64);
    assert_part(module, 3, 4, 112, 48);
    assert_has(module, "struct Constants {\n\tcb1: array<vec4f, 1>,\n\tcb2: array<vec4u, 2>,\n"
                       "\tcb3: array<vec4f, 4>,\n\tcb4: array<vec4f, 3>,\n}\n"
                       "@group(1) @binding(30) var<uniform> constants: Constants;\n");
    assert_has(module, "constants.cb1[0]");
    assert_has(module, "constants.cb4[2]");
    /* The pack has zeros behind what is bound, so that nothing is asked of the draw block. */
    assert_has(module, "select(vec4f(), constants.cb3[index], index < 4u)");
    assert_int_equal(module->view_count, 0);
    agpu_module_destroy(module);
}

static void others_stay(void **state)
{
    (void)state;
    const struct ag_translate_options few = {.packing = {.few_bytes = 64}};
    struct agpu_module *module = translate_sum((const uint32_t[]){1, 2, 4, 3}, &few);
    assert_int_equal(module->packed_count, 2);
    assert_part(module, 0, 1, 0, 16);
    assert_part(module, 1, 2, 16, 32);
    assert_non_null(binding_at(module, AG_GROUP_PIXEL, AG_BINDING_CBUFFER + 3));
    assert_non_null(binding_at(module, AG_GROUP_PIXEL, AG_BINDING_CBUFFER + 4));
    assert_int_equal(binding_at(module, AG_GROUP_PIXEL, AG_BINDING_CONSTANT_PACK)->bytes, 48);
    agpu_module_destroy(module);

    const struct ag_translate_options none = {.packing = {.few_bytes = 40}};
    module = translate_sum((const uint32_t[]){1, 2, 4, 3}, &none);
    assert_int_equal(module->packed_count, 0); /* nobody shares with b1 */
    assert_int_equal(binding_at(module, AG_GROUP_PIXEL, AG_BINDING_CBUFFER + 1)->bytes, 16);
    agpu_module_destroy(module);

    const struct ag_translate_options apart = {
        .packing = {.few_bytes = 512, .apart = 1u << 1 | 1u << 4}
    };
    module = translate_sum((const uint32_t[]){1, 2, 4, 3}, &apart);
    assert_int_equal(module->packed_count, 2);
    assert_part(module, 0, 2, 0, 32);
    assert_part(module, 1, 3, 32, 64);
    agpu_module_destroy(module);
}

/* The smallest ones until few are left, and no more than so many bytes. */
static void many_make_room(void **state)
{
    (void)state;
    const struct ag_translate_options two = {
        .packing = {.few_bytes = 32, .most_bytes = 4096, .few_buffers = 2}
    };
    struct agpu_module *module = translate_sum((const uint32_t[]){100, 20, 30, 40}, &two);
    assert_int_equal(module->packed_count, 2);
    assert_part(module, 0, 2, 0, 320);
    assert_part(module, 1, 3, 320, 480);
    agpu_module_destroy(module);

    const struct ag_translate_options most = {
        .packing = {.few_bytes = 32, .most_bytes = 1440}
    };
    module = translate_sum((const uint32_t[]){100, 20, 30, 40}, &most);
    assert_int_equal(module->packed_count, 3);
    agpu_module_destroy(module);
}

/* What is more than the device binds shares, whatever its size. */
static void others_are_told_to(void **state)
{
    (void)state;
    const struct ag_overflow overflow = {.packed = 1u << 1 | 1u << 4};
    const struct ag_translate_options options = {.overflow = &overflow};
    struct agpu_module *module = translate_sum((const uint32_t[]){1000, 20, 30, 2000}, &options);
    assert_int_equal(module->packed_count, 2);
    assert_part(module, 0, 1, 0, 16000);
    assert_part(module, 1, 4, 16000, 32000);
    assert_int_equal(module->overflow_count, 0);
    agpu_module_destroy(module);
}

/* Longer ranges than are declared are storage buffers, which tell their length. */
static void long_ranges_stay(void **state)
{
    (void)state;
    const struct ag_translate_options options = {.packing = {.few_bytes = 512}, .storage_cbuffers = 1u << 3};
    struct agpu_module *module = translate_sum((const uint32_t[]){1, 2, 4, 3}, &options);
    assert_int_equal(module->packed_count, 3);
    assert_int_equal(binding_at(module, AG_GROUP_PIXEL, AG_BINDING_CBUFFER + 3)->kind,
                     AGPU_BIND_STORAGE_BUFFER_READ);
    agpu_module_destroy(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_ones_share), cmocka_unit_test(others_stay),
        cmocka_unit_test(many_make_room),   cmocka_unit_test(others_are_told_to),
        cmocka_unit_test(long_ranges_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
