/* SPDX-License-Identifier: MIT
 *
 * Which constant buffers share one uniform buffer, where a device binds fewer. No GPU.
 */
#include "../../support/test.h"

#include <stdint.h>

#include "aerogpu/translate.h"
#include "exec/bind/overflow_choice.h"
#include "gpu/webgpu.h"
#include "wgsl/overflow.h"

#define BUFFERS 14u
#define LARGEST UINT64_C(65536) /* that is bound as a uniform buffer */

static const WGPULimits limits = {
    .maxSampledTexturesPerShaderStage = 16,
    .maxSamplersPerShaderStage = 16,
    .maxStorageBuffersPerShaderStage = 8,
    .maxUniformBuffersPerShaderStage = 1,
    .maxUniformBufferBindingSize = LARGEST,
};

/* The bytes in the pack of a stage with constant buffers of 4,096 bytes each, and a last one that makes it
 * `bytes`. *slots: those in the pack. */
static uint64_t pack(uint64_t bytes, bool has_sets, struct ag_overflow *overflow)
{
    struct agpu_binding bindings[BUFFERS];
    uint64_t packed = 0;
    for (uint32_t i = 0; i < BUFFERS; i++)
        bindings[i] = (struct agpu_binding){.space = AGPU_SPACE_CBUFFER,
                                            .kind = AGPU_BIND_UNIFORM_BUFFER,
                                            .slot = (uint16_t)i,
                                            .bytes = i + 1 < BUFFERS ? 4096 : bytes - (BUFFERS - 1) * 4096};
    const struct agpu_module module = {
        .flavour = AGPU_FLAVOUR_HULL_PATCH, .bindings = bindings, .binding_count = BUFFERS};
    *overflow = (struct ag_overflow){0};
    assert_true(ag_overflow_choose(&limits, &module, has_sets, overflow));
    for (uint32_t i = 0; i < BUFFERS; i++)
        packed += overflow->packed >> i & 1 ? bindings[i].bytes : 0;
    return packed;
}

static void test_a_full_pack(void **state)
{
    struct ag_overflow overflow;
    (void)state;
    assert_int_equal(pack(LARGEST, false, &overflow), LARGEST);
    assert_int_equal(overflow.cbuffers, 0);
}

/* What a set is for takes 16 bytes. */
static void test_a_full_pack_of_sets(void **state)
{
    struct ag_overflow overflow;
    (void)state;
    assert_int_equal(pack(LARGEST - 16, true, &overflow), LARGEST - 16);
    assert_int_equal(overflow.cbuffers, 0);
    assert_true(pack(LARGEST, true, &overflow) + 16 <= LARGEST);
    assert_int_equal(overflow.packed | overflow.cbuffers, (1u << BUFFERS) - 1);
    assert_int_not_equal(overflow.cbuffers, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_pack),
        cmocka_unit_test(test_a_full_pack_of_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
