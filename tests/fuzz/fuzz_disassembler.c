/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a shader: every kind of listing of it can be made, a full listing assembles, and the assembled
 * shader has the same program.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Containers may be laid out in ways that no listing keeps, programs may not. */
static void reassemble(const struct agpu_shader *shader, const char *text, size_t length)
{
    size_t size = 0;
    uint8_t *bytes = NULL;
    struct agpu_shader *again = NULL;
    if (agpu_assemble(text, length, NULL, &bytes, &size) == AGPU_OK &&
        (agpu_shader_parse(bytes, size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &again) != AGPU_OK ||
         again->program.token_count != shader->program.token_count ||
         memcmp(again->program.tokens, shader->program.tokens, (size_t)shader->program.token_count * 4) != 0))
        abort();
    agpu_shader_destroy(again);
    agpu_free(bytes);
}

static void list(const struct agpu_shader *shader, uint32_t flags)
{
    char *text = NULL;
    size_t length = 0;
    if (agpu_disassemble(shader, flags, NULL, &text, &length) != AGPU_OK || strlen(text) != length)
        abort();
    if (flags & AGPU_DISASM_FULL)
        reassemble(shader, text, length);
    agpu_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct agpu_shader *shader = NULL;
    if (agpu_shader_parse(data, size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader) == AGPU_OK) {
        list(shader, AGPU_DISASM_DEFAULT);
        list(shader, AGPU_DISASM_FULL | AGPU_DISASM_OFFSETS | AGPU_DISASM_RAW);
    }
    agpu_shader_destroy(shader);
    return 0;
}
