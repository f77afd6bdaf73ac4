/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a listing: assembling it must neither crash nor hang, what comes out parses, and its full
 * listing gives the same container.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void reassemble(const struct agpu_shader *shader, const uint8_t *bytes, size_t bytes_size)
{
    char *text = NULL;
    uint8_t *again = NULL;
    size_t length = 0, again_size = 0;
    if (agpu_disassemble(shader, AGPU_DISASM_FULL, NULL, &text, &length) != AGPU_OK ||
        agpu_assemble(text, length, NULL, &again, &again_size) != AGPU_OK || again_size != bytes_size ||
        memcmp(again, bytes, bytes_size) != 0)
        abort();
    agpu_free(again);
    agpu_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = NULL;
    size_t bytes_size = 0;
    if (agpu_assemble((const char *)data, size, NULL, &bytes, &bytes_size) == AGPU_OK) {
        struct agpu_shader *shader = NULL;
        if (agpu_shader_parse(bytes, bytes_size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader) != AGPU_OK)
            abort();
        reassemble(shader, bytes, bytes_size);
        agpu_shader_destroy(shader);
    }
    agpu_free(bytes);
    return 0;
}
