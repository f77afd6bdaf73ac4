/* SPDX-License-Identifier: MIT
 *
 * Any bytes as the text form: assembling it must neither crash nor hang, and what comes out is a stream that
 * prints.
 */
#include <stdlib.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *stream = NULL;
    size_t stream_size = 0;
    if (agpu_text_assemble((const char *)data, size, NULL, NULL, &stream, &stream_size) == AGPU_OK) {
        char *text = NULL;
        size_t length = 0;
        (void)agpu_text_dump(stream, stream_size, NULL, NULL, &text, &length);
        agpu_free(text);
    }
    agpu_free(stream);
    return 0;
}
