/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a command stream: the reader stays inside them, and every stream that it can frame prints as
 * text that assembles to the same bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "aerogpu/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Touches every byte that a packet claims, so that a sanitizer sees what is out of bounds. */
static uint32_t touch(const struct agpu_packet *packet)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < packet->size; i++)
        sum += packet->data[i];
    for (uint32_t i = 0; i < packet->payload_size; i++)
        sum += packet->payload[i];
    for (uint32_t i = 0; i < packet->tail_size; i++)
        sum += packet->tail[i];
    return sum;
}

static volatile uint32_t touched;

static void read_packets(const uint8_t *data, size_t size, bool lenient)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (agpu_stream_reader_init(&reader, data, size, NULL) != AGPU_OK)
        return;
    reader.lenient = lenient;
    while (agpu_stream_next(&reader, &packet))
        touched = touched + touch(&packet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_packets(data, size, false);
    read_packets(data, size, true);
    char *text = NULL;
    size_t length = 0;
    if (agpu_text_dump(data, size, NULL, NULL, &text, &length) == AGPU_OK) {
        uint8_t *back = NULL;
        size_t back_size = 0;
        if (agpu_text_assemble(text, length, NULL, NULL, &back, &back_size) != AGPU_OK || back_size != size ||
            memcmp(back, data, size) != 0)
            abort();
        agpu_free(back);
    }
    agpu_free(text);
    return 0;
}
