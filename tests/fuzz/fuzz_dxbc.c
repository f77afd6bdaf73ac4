/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a shader: parsing and listing it must neither crash nor hang.
 */
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct agpu_shader *shader = NULL;
    if (agpu_shader_parse(data, size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader) == AGPU_OK) {
        char *text = NULL;
        size_t length = 0;
        agpu_disassemble(shader, AGPU_DISASM_FULL | AGPU_DISASM_OFFSETS | AGPU_DISASM_RAW, NULL, &text,
                         &length);
        agpu_free(text);
    }
    agpu_shader_destroy(shader);
    return 0;
}
