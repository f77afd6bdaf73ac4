/* SPDX-License-Identifier: MIT
 *
 * A stream of the shared corpus, packet by packet as its index lists it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "abi/input_layout.h"
#include "aerogpu/stream.h"

static const struct {
    uint32_t opcode, size;
} expected[] = {
    {0x100, 40 },
    {0x104, 116},
    {0x100, 40 },
    {0x104, 40 },
    {0x101, 56 },
    {0x200, 304},
    {0x200, 268},
    {0x204, 92 },
    {0x202, 24 },
    {0x206, 16 },
    {0x500, 32 },
    {0x501, 24 },
    {0x502, 16 },
    {0x400, 48 },
    {0x401, 32 },
    {0x600, 36 },
    {0x602, 28 },
    {0x700, 16 },
};

static int fail(const char *what)
{
    printf("cmd_triangle_sm4.bin: %s\n", what);
    return 1;
}

static int check_layout(const struct agpu_packet *packet)
{
    struct ag_input_layout layout;
    if (ag_input_layout_parse(&layout, packet->payload, packet->payload_size, ag_place_none(), NULL) !=
        AGPU_OK)
        return fail("the input layout does not parse");
    if (layout.element_count != 2 || layout.elements[0].semantic_name_hash != 0x7808E88A ||
        layout.elements[1].semantic_name_hash != 0xE7C308F8 || layout.elements[1].aligned_byte_offset != 12)
        return fail("the input layout is not POSITION and COLOR");
    return 0;
}

static int check_stream(const uint8_t *data, size_t size)
{
    const uint32_t count = sizeof expected / sizeof *expected;
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (agpu_stream_reader_init(&reader, data, size, NULL) != AGPU_OK)
        return fail("the stream header is refused");
    uint32_t seen = 0;
    while (agpu_stream_next(&reader, &packet)) {
        if (seen == count || packet.opcode != expected[seen].opcode || packet.size != expected[seen].size ||
            packet.info == NULL || packet.tail_size != 0)
            return fail("a packet differs from the index");
        if (packet.opcode == AEROGPU_CMD_CREATE_INPUT_LAYOUT && check_layout(&packet) != 0)
            return 1;
        seen++;
    }
    if (reader.status != AGPU_OK || seen != count)
        return fail("there are not 18 packets");
    return 0;
}

int main(void)
{
    const char *shared = getenv("AGPU_SHARED");
    char path[4096];
    if (shared != NULL)
        snprintf(path, sizeof path, "%s/corpus/aero/cmd/cmd_triangle_sm4.bin", shared);
    FILE *file = shared != NULL ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        printf("skipped: no corpus (AGPU_SHARED names the folder that holds corpus/)\n");
        return 77;
    }
    static uint8_t data[1 << 16];
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    return check_stream(data, size);
}
