/* SPDX-License-Identifier: MIT
 *
 * Damaged containers: whatever happens to the bytes, parsing ends with a status. Run under the sanitizers.
 */
#include "support.h"

#include "base/bytes.h"

static const char *const files[] = {
    "vs_palette.vs_4_0.dxbc",          "ps_min16.ps_5_0.dxbc",
    "hs_quad_pow2_point.hs_5_0.dxbc",  "gs_streams4_points.gs_5_0.dxbc",
    "ps_interface_lights.ps_5_0.dxbc", "ps_message.ps_5_0.dxbc",
};

/* Parses a copy that ends where the input ends, and lists and reassembles what was accepted. */
static void exercise(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size == 0 ? 1 : size);
    assert_non_null(copy);
    memcpy(copy, data, size);
    struct agpu_shader *shader;
    const enum agpu_status status = agpu_shader_parse(copy, size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader);
    free(copy);
    assert_true(status == AGPU_OK || status == AGPU_REFUSED || status == AGPU_NO_MEMORY);
    assert_true((status == AGPU_OK) == (shader != NULL));
    if (shader == NULL)
        return;
    char *text;
    size_t length;
    assert_int_equal(agpu_disassemble(shader, AGPU_DISASM_FULL, NULL, &text, &length), AGPU_OK);
    uint8_t *bytes;
    size_t rebuilt;
    if (agpu_assemble(text, length, NULL, &bytes, &rebuilt) == AGPU_OK)
        agpu_free(bytes);
    agpu_free(text);
    agpu_shader_destroy(shader);
}

static void every_truncation(void **state)
{
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(files); i++) {
        size_t size;
        uint8_t *data = load(files[i], &size);
        for (size_t cut = 0; cut < size; cut++) {
            exercise(data, cut);
            if (cut < 32)
                continue;
            /* The header agrees with the cut, so that the chunks are reached. */
            const uint32_t total = ag_load_u32(data + 24);
            ag_store_u32(data + 24, (uint32_t)cut);
            exercise(data, cut);
            ag_store_u32(data + 24, total);
        }
        free(data);
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void random_damage(void **state)
{
    (void)state;
    uint32_t seed = 12345;
    for (size_t i = 0; i < AG_COUNT_OF(files); i++) {
        size_t size;
        uint8_t *data = load(files[i], &size);
        uint8_t *damaged = malloc(size);
        assert_non_null(damaged);
        for (int round = 0; round < 1500; round++) {
            memcpy(damaged, data, size);
            const uint32_t flips = 1 + next_random(&seed) % 4;
            for (uint32_t k = 0; k < flips; k++)
                damaged[next_random(&seed) % size] ^= (uint8_t)(1u << next_random(&seed) % 8);
            exercise(damaged, size);
        }
        free(damaged);
        free(data);
    }
}

static void random_text(void **state)
{
    (void)state;
    uint32_t seed = 99;
    struct agpu_shader *shader = parse_file("ps_feedback_sample.ps_5_0.dxbc");
    char *text;
    size_t length;
    assert_int_equal(agpu_disassemble(shader, AGPU_DISASM_FULL, NULL, &text, &length), AGPU_OK);
    agpu_shader_destroy(shader);
    char *damaged = malloc(length);
    assert_non_null(damaged);
    for (int round = 0; round < 2000; round++) {
        memcpy(damaged, text, length);
        for (uint32_t k = 0; k < 2; k++)
            damaged[next_random(&seed) % length] = (char)(' ' + next_random(&seed) % 95);
        uint8_t *bytes;
        size_t size;
        const size_t cut = round % 2 == 0 ? length : next_random(&seed) % length;
        if (agpu_assemble(damaged, cut, NULL, &bytes, &size) == AGPU_OK)
            agpu_free(bytes);
    }
    free(damaged);
    agpu_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_truncation),
        cmocka_unit_test(random_damage),
        cmocka_unit_test(random_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
