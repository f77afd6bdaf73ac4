/* SPDX-License-Identifier: MIT
 *
 * Any bytes as what a driver gets: a token stream of the size it states, behind it entries of signatures, and
 * the whole once more as the text of signatures.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"

#define MOST_ENTRIES 64
#define ENTRY_BYTES 12

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse_as_driver(const uint8_t *data, size_t size, uint32_t dwords)
{
    struct agpu_driver_element entries[MOST_ENTRIES];
    const size_t program = (size_t)dwords * 4;
    uint32_t count = (uint32_t)((size - program) / ENTRY_BYTES);
    if (count > MOST_ENTRIES)
        count = MOST_ENTRIES;
    if (!agpu_driver_elements_read(data + program, count, ENTRY_BYTES, entries))
        abort();
    const struct agpu_driver_signatures signatures = {
        .input = entries,
        .input_count = count / 3,
        .output = entries + count / 3,
        .output_count = count / 3,
        .patch_constant = entries + (size_t)2 * (count / 3),
        .patch_constant_count = count / 3,
    };
    struct agpu_shader *shader = NULL;
    if (agpu_shader_parse_driver(data, program, &signatures, NULL, &shader) == AGPU_OK) {
        char *text = NULL;
        size_t length = 0;
        (void)agpu_validate(shader, NULL);
        (void)agpu_disassemble(shader, AGPU_DISASM_FULL, NULL, &text, &length);
        agpu_free(text);
    }
    agpu_shader_destroy(shader);
}

/* Signatures that are read, written and read again are the same text. */
static void round_trip_text(const uint8_t *data, size_t size)
{
    static const uint32_t nothing[] = {0x00010040, 3, 0x0100003e};
    struct agpu_signature_set *set = NULL, *again = NULL;
    struct agpu_shader *shader = NULL;
    char *text = NULL;
    size_t length = 0;
    if (agpu_signature_set_read((const char *)data, size, AGPU_STAGE_VERTEX, NULL, &set) == AGPU_OK &&
        agpu_shader_parse_tokens(nothing, sizeof nothing, set, NULL, &shader) == AGPU_OK &&
        agpu_signatures_write(shader, NULL, &text, &length) == AGPU_OK &&
        agpu_signature_set_read(text, length, AGPU_STAGE_VERTEX, NULL, &again) != AGPU_OK)
        abort();
    agpu_free(text);
    agpu_signature_set_destroy(set);
    agpu_signature_set_destroy(again);
    agpu_shader_destroy(shader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t dwords;
    if (size >= 8) {
        memcpy(&dwords, data + 4, sizeof dwords);
        if (dwords >= 2 && dwords <= size / 4)
            parse_as_driver(data, size, dwords);
    }
    round_trip_text(data, size);
    return 0;
}
