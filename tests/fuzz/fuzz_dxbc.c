/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a shader: parsing, listing and checking it must neither crash nor hang, and the full listing
 * of a shader that is listed gives its program back.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Containers may be laid out in ways that no listing keeps, programs may not. */
static void reassemble(const struct agpu_shader *shader)
{
    char *text = NULL;
    size_t length = 0, bytes_size = 0;
    uint8_t *bytes = NULL;
    struct agpu_shader *again = NULL;
    agpu_disassemble(shader, AGPU_DISASM_FULL | AGPU_DISASM_OFFSETS | AGPU_DISASM_RAW, NULL, &text, &length);
    if (agpu_assemble(text, length, NULL, &bytes, &bytes_size) == AGPU_OK &&
        agpu_shader_parse(bytes, bytes_size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &again) == AGPU_OK &&
        (again->program.token_count != shader->program.token_count ||
         memcmp(again->program.tokens, shader->program.tokens, (size_t)shader->program.token_count * 4) != 0))
        abort();
    agpu_shader_destroy(again);
    agpu_free(bytes);
    agpu_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct agpu_shader *shader = NULL;
    if (agpu_shader_parse(data, size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader) == AGPU_OK) {
        struct agpu_shader_facts facts;
        agpu_shader_facts(shader, &facts);
        (void)agpu_validate(shader, NULL);
        reassemble(shader);
    }
    agpu_shader_destroy(shader);
    return 0;
}
