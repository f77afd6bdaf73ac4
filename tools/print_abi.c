/* SPDX-License-Identifier: MIT
 *
 * Prints the table of packets and the constants of the guest ABI as JSON, from which the package for browsers
 * has them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "abi/packet.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/ring.h"

static const char *const types[] = {
    [AG_FIELD_U8] = "u8",   [AG_FIELD_U32] = "u32",    [AG_FIELD_I32] = "i32",       [AG_FIELD_U64] = "u64",
    [AG_FIELD_F32] = "f32", [AG_FIELD_HANDLE] = "u32", [AG_FIELD_STRUCT] = "struct",
};

static const char *const payloads[] = {
    [AG_PAYLOAD_NONE] = "none",   [AG_PAYLOAD_BYTES] = "bytes", [AG_PAYLOAD_ARRAY] = "elements",
    [AG_PAYLOAD_WORDS] = "words", [AG_PAYLOAD_TEXT] = "text",   [AG_PAYLOAD_ANY] = "any",
};

static void print_struct(const struct ag_struct_info *info)
{
    printf("{\"size\": %u, \"fields\": [", info->size);
    for (uint32_t i = 0; i < info->field_count; i++) {
        const struct ag_field_info *const field = &info->fields[i];
        printf("%s{\"name\": \"%s\", \"offset\": %u, \"type\": \"%s\", \"count\": %u", i ? ", " : "",
               field->name, field->offset, types[field->type], field->count);
        if (field->nested != NULL) {
            printf(", \"nested\": ");
            print_struct(field->nested);
        }
        printf("}");
    }
    printf("]}");
}

static void print_payload(const struct ag_payload_info *payload)
{
    printf("{\"kind\": \"%s\"", payloads[payload->kind]);
    if (payload->kind != AG_PAYLOAD_NONE)
        printf(", \"name\": \"%s\"", payload->field_name != NULL ? payload->field_name : "data");
    if (payload->count_offset != 0)
        printf(", \"countOffset\": %u, \"countType\": \"%s\"", payload->count_offset,
               payload->count_is_u64 ? "u64" : "u32");
    if (payload->word != NULL)
        printf(", \"word\": \"%s\", \"wordsPerCount\": %u", types[payload->word->type],
               payload->words_per_count);
    if (payload->element != NULL) {
        printf(", \"element\": ");
        print_struct(payload->element);
    }
    printf("}");
}

static void print_packet(const struct agpu_packet_info *packet)
{
    printf("{\"name\": \"%s\", \"opcode\": %" PRIu32 ", \"minor\": %u, \"fixed\": ", packet->name,
           packet->opcode, packet->minor);
    print_struct(&packet->fixed);
    printf(", \"payload\": ");
    print_payload(&packet->payload);
    if (packet->extended != NULL) {
        printf(", \"extendedSize\": %u, \"extended\": ", packet->extended_size);
        print_struct(packet->extended);
    }
    printf("}");
}

int main(void)
{
    static const struct {
        const char *name;
        int64_t value;
    } constants[] = {
#define X(constant) {#constant, (int64_t)(constant)},
#include "abi_constants.h"
#undef X
    };
    size_t count;
    const struct agpu_packet_info *const packets = ag_packet_table(&count);
    printf("{\"packets\": [\n");
    for (size_t i = 0; i < count; i++) {
        print_packet(&packets[i]);
        printf("%s\n", i + 1 < count ? "," : "");
    }
    printf("],\n\"constants\": {\n");
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        printf("%s\"%s\": %" PRId64, i ? ",\n" : "", constants[i].name, constants[i].value);
    printf("\n}}\n");
    return ferror(stdout) ? 1 : 0;
}
