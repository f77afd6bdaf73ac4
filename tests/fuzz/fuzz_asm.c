/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a listing: assembling it must neither crash nor hang, and what comes out parses.
 */
#include <stdlib.h>

#include "aerogpu/dxbc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = NULL;
    size_t bytes_size = 0;
    if (agpu_assemble((const char *)data, size, NULL, &bytes, &bytes_size) == AGPU_OK) {
        struct agpu_shader *shader = NULL;
        if (agpu_shader_parse(bytes, bytes_size, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &shader) != AGPU_OK)
            abort();
        agpu_shader_destroy(shader);
    }
    agpu_free(bytes);
    return 0;
}
