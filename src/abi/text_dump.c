/* SPDX-License-Identifier: MIT
 *
 * Prints streams in the text form.
 */
#include "aerogpu/text.h"

#include <inttypes.h>
#include <string.h>

#include "abi/packet.h"
#include "abi/packet_names.h"
#include "abi/text_layout.h"
#include "abi/text_value.h"
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "base/strbuf.h"
#include "base/table.h"

#define HEADER_BYTES ((uint32_t)sizeof(struct aerogpu_cmd_stream_header))
#define PACKET_HEADER_BYTES ((uint32_t)sizeof(struct aerogpu_cmd_hdr))
#define MAX_BLOCK_DEPTH 4
#define HEX_TOKEN_BYTES 32 /* bytes between two blanks */

/* Where the parts of a known packet are. */
struct packet_parts {
    uint32_t body; /* bytes of the fixed structure, extended form included if the packet has that */
    uint32_t payload, payload_size;
    uint32_t padding_size;
    uint32_t tail; /* offset of bytes behind everything known */
};

static bool is_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0)
            return false;
    }
    return true;
}

static uint64_t load_count(const struct ag_payload_info *payload, const uint8_t *packet)
{
    return payload->count_is_u64 ? ag_load_u64(packet + payload->count_offset)
                                 : ag_load_u32(packet + payload->count_offset);
}

/* Finds the parts of a packet; false when the packet is shorter than its fields say. */
static bool find_parts(const struct agpu_packet_info *info, const uint8_t *packet, uint32_t size,
                       struct packet_parts *parts)
{
    if (size < info->fixed.size)
        return false;
    const bool extended = info->extended != NULL && size >= info->extended_size;
    const uint32_t body = extended ? info->extended_size : info->fixed.size, rest = size - body;
    uint64_t bytes = 0;
    switch ((enum ag_payload_kind)info->payload.kind) {
    case AG_PAYLOAD_NONE:
        break;
    case AG_PAYLOAD_BYTES:
        bytes = load_count(&info->payload, packet);
        break;
    case AG_PAYLOAD_ARRAY:
        bytes = load_count(&info->payload, packet) * info->payload.element->size;
        break;
    case AG_PAYLOAD_WORDS:
        bytes = load_count(&info->payload, packet) * info->payload.words_per_count * 4;
        break;
    case AG_PAYLOAD_TEXT:
        bytes = rest;
        while (bytes > 0 && packet[body + bytes - 1] == 0)
            bytes--;
        break;
    case AG_PAYLOAD_ANY:
        bytes = rest;
        break;
    }
    if (bytes > rest || ag_align_up(bytes, 4) > rest)
        return false;
    *parts = (struct packet_parts){
        .body = body,
        .payload = body,
        .payload_size = (uint32_t)bytes,
        .padding_size = (uint32_t)(ag_align_up(bytes, 4) - bytes),
        .tail = body + (uint32_t)ag_align_up(bytes, 4),
    };
    return true;
}

/* ---- Fields -------------------------------------------------------------------------------------------- */

static size_t scalar_bytes(uint8_t type)
{
    return type == AG_FIELD_U8 ? 1 : type == AG_FIELD_U64 ? 8 : 4;
}

static void print_handle(struct ag_strbuf *out, uint32_t handle)
{
    ag_strbuf_printf(out, handle == 0 ? "%" PRIu32 : "$%" PRIu32, handle);
}

static void print_scalar(struct ag_strbuf *out, uint8_t type, const struct ag_name_set *names,
                         const uint8_t *from)
{
    uint64_t number = 0;
    memcpy(&number, from, scalar_bytes(type));
    const uint32_t word = (uint32_t)number;
    if (names != NULL)
        ag_text_print_names(out, names, word);
    else if (type == AG_FIELD_HANDLE)
        print_handle(out, word);
    else if (type == AG_FIELD_F32)
        ag_text_print_float(out, word);
    else if (type == AG_FIELD_I32)
        ag_strbuf_printf(out, "%" PRId32, (int32_t)word);
    else
        ag_strbuf_printf(out, number > 0xfffff ? "0x%" PRIX64 : "%" PRIu64, number);
}

static size_t field_bytes(const struct ag_field_info *field)
{
    return field->type == AG_FIELD_STRUCT ? field->nested->size : field->count * scalar_bytes(field->type);
}

static void print_struct(struct ag_strbuf *out, const struct ag_struct_info *info, const uint8_t *from);

static void print_field(struct ag_strbuf *out, const struct ag_field_info *field, const uint8_t *base)
{
    const uint8_t *from = base + field->offset;
    ag_strbuf_printf(out, "%s=", field->name);
    if (field->type == AG_FIELD_STRUCT) {
        print_struct(out, field->nested, from);
    } else if (field->count <= 1) {
        print_scalar(out, field->type, field->names, from);
    } else {
        size_t count = field->count;
        const size_t unit = scalar_bytes(field->type);
        while (count > 0 && is_zero(from + (count - 1) * unit, unit))
            count--;
        ag_strbuf_append_char(out, '[');
        for (size_t i = 0; i < count; i++) {
            if (i != 0)
                ag_strbuf_append_char(out, ' ');
            print_scalar(out, field->type, field->names, from + i * unit);
        }
        ag_strbuf_append_char(out, ']');
    }
}

static void print_struct(struct ag_strbuf *out, const struct ag_struct_info *info, const uint8_t *from)
{
    const char *separator = "";
    ag_strbuf_append_char(out, '{');
    for (unsigned i = 0; i < info->field_count; i++) {
        if (is_zero(from + info->fields[i].offset, field_bytes(&info->fields[i])))
            continue;
        ag_strbuf_append(out, separator);
        print_field(out, &info->fields[i], from);
        separator = " ";
    }
    ag_strbuf_append_char(out, '}');
}

/* Whether a field must be printed although it is 0, because assembling would otherwise give another value. */
static bool is_needed(const struct agpu_packet_info *info, const struct ag_field_info *field,
                      const uint8_t *packet)
{
    const size_t colors = offsetof(struct aerogpu_cmd_set_render_targets, colors);
    return info->opcode == AEROGPU_CMD_SET_RENDER_TARGETS &&
           field->offset == offsetof(struct aerogpu_cmd_set_render_targets, color_count) &&
           !is_zero(packet + colors, sizeof(struct aerogpu_cmd_set_render_targets) - colors);
}

/* The stage_ex of a stage that takes two words, COMPUTE and a stage_ex, and has a name; else NONE. */
static uint32_t extended_stage(const struct agpu_packet_info *info, const uint8_t *packet, uint32_t minor)
{
    if (info->stage_offset == 0 || info->stage_ex_offset == 0 || minor < AEROGPU_STAGE_EX_MIN_ABI_MINOR ||
        ag_load_u32(packet + info->stage_offset) != AEROGPU_SHADER_STAGE_COMPUTE)
        return AEROGPU_SHADER_STAGE_EX_NONE;
    const uint32_t stage_ex = ag_load_u32(packet + info->stage_ex_offset);
    return stage_ex == AEROGPU_SHADER_STAGE_EX_HULL || stage_ex == AEROGPU_SHADER_STAGE_EX_DOMAIN
               ? stage_ex
               : AEROGPU_SHADER_STAGE_EX_NONE;
}

static void print_extended_stage(struct ag_strbuf *out, const struct ag_field_info *stage, uint32_t stage_ex)
{
    ag_strbuf_printf(out, " %s=", stage->name);
    ag_text_print_names(out, &ag_names_stage_ex, stage_ex);
}

static void print_fields(struct ag_strbuf *out, const struct agpu_packet_info *info, const uint8_t *packet,
                         uint32_t minor)
{
    const uint32_t stage_ex = extended_stage(info, packet, minor);
    const struct ag_payload_info *payload = &info->payload;
    const bool counted = payload->kind == AG_PAYLOAD_BYTES || payload->kind == AG_PAYLOAD_ARRAY ||
                         payload->kind == AG_PAYLOAD_WORDS;
    for (unsigned i = 0; i < info->fixed.field_count; i++) {
        const struct ag_field_info *field = &info->fixed.fields[i];
        if (stage_ex != AEROGPU_SHADER_STAGE_EX_NONE && field->offset == info->stage_ex_offset)
            continue;
        if (stage_ex != AEROGPU_SHADER_STAGE_EX_NONE && field->offset == info->stage_offset) {
            print_extended_stage(out, field, stage_ex);
            continue;
        }
        if ((counted && field->offset == payload->count_offset) ||
            (is_zero(packet + field->offset, field_bytes(field)) && !is_needed(info, field, packet)))
            continue;
        ag_strbuf_append_char(out, ' ');
        print_field(out, field, packet);
    }
}

/* ---- Packets ------------------------------------------------------------------------------------------- */

static void print_hex_tokens(struct ag_strbuf *out, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += HEX_TOKEN_BYTES) {
        ag_strbuf_append_char(out, ' ');
        ag_text_print_hex(out, bytes + at, size - at < HEX_TOKEN_BYTES ? size - at : HEX_TOKEN_BYTES);
    }
}

static void print_hex_data(struct ag_strbuf *out, const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return;
    ag_strbuf_append(out, " : hex");
    print_hex_tokens(out, bytes, size);
}

static void print_array(struct ag_strbuf *out, const struct ag_payload_info *payload, const uint8_t *bytes,
                        size_t size)
{
    const size_t unit = payload->kind == AG_PAYLOAD_ARRAY ? payload->element->size : 4;
    ag_strbuf_printf(out, " %s=[", payload->field_name);
    for (size_t at = 0; at < size; at += unit) {
        if (at != 0)
            ag_strbuf_append_char(out, ' ');
        if (payload->kind == AG_PAYLOAD_ARRAY)
            print_struct(out, payload->element, bytes + at);
        else
            print_scalar(out, payload->word->type, NULL, bytes + at);
    }
    ag_strbuf_append_char(out, ']');
}

static void print_data(struct ag_strbuf *out, const struct agpu_packet_info *info, const uint8_t *bytes,
                       size_t size)
{
    if (info->opcode == AEROGPU_CMD_CREATE_INPUT_LAYOUT) {
        struct ag_strbuf layout = {0};
        const bool printed = ag_text_print_layout(&layout, bytes, size);
        if (printed)
            ag_strbuf_printf(out, " : %s", ag_strbuf_text(&layout));
        out->failed |= layout.failed;
        ag_strbuf_fini(&layout);
        if (printed)
            return;
    }
    print_hex_data(out, bytes, size);
}

static bool print_packet(struct ag_strbuf *out, const uint8_t *packet, uint32_t size, uint32_t minor,
                         unsigned depth);

/* Prints packets inside a packet as a block. False, with nothing printed, when they are malformed or nest
 * deeper than the text form allows. */
static bool print_block(struct ag_strbuf *out, const uint8_t *bytes, uint32_t size, uint32_t minor,
                        unsigned depth)
{
    struct ag_strbuf block = {0};
    uint32_t offset = 0;
    bool sound = size != 0 && depth < MAX_BLOCK_DEPTH;
    ag_strbuf_append(&block, " {\n");
    while (sound && offset < size) {
        const uint32_t left = size - offset;
        const uint32_t packet_size = left < PACKET_HEADER_BYTES ? 0 : ag_load_u32(bytes + offset + 4);
        sound = packet_size >= PACKET_HEADER_BYTES && packet_size % 4 == 0 && packet_size <= left;
        if (!sound)
            break;
        ag_strbuf_printf(&block, "%*s", 2 * (int)(depth + 1), "");
        sound = print_packet(&block, bytes + offset, packet_size, minor, depth + 1);
        ag_strbuf_append_char(&block, '\n');
        offset += packet_size;
    }
    ag_strbuf_printf(&block, "%*s}", 2 * (int)depth, "");
    if (sound)
        ag_strbuf_append_bytes(out, block.data, block.length);
    out->failed |= block.failed;
    ag_strbuf_fini(&block);
    return sound;
}

static void print_known(struct ag_strbuf *out, const struct agpu_packet_info *info, const uint8_t *packet,
                        uint32_t size, const struct packet_parts *parts, uint32_t minor, unsigned depth)
{
    const uint8_t *payload = packet + parts->payload, *padding = payload + parts->payload_size;
    ag_strbuf_append(out, info->name);
    print_fields(out, info, packet, minor);
    if (parts->body > info->fixed.size) {
        for (unsigned i = 0; i < info->extended->field_count; i++) {
            ag_strbuf_append_char(out, ' ');
            print_field(out, &info->extended->fields[i], packet);
        }
    }
    const uint8_t kind = info->payload.kind;
    if (parts->payload_size != 0 && (kind == AG_PAYLOAD_ARRAY || kind == AG_PAYLOAD_WORDS))
        print_array(out, &info->payload, payload, parts->payload_size);
    if (parts->payload_size != 0 && kind == AG_PAYLOAD_TEXT) {
        ag_strbuf_printf(out, " %s=", info->payload.field_name);
        ag_text_print_string(out, payload, parts->payload_size);
    }
    if (!is_zero(padding, parts->padding_size)) {
        ag_strbuf_append(out, " padding=hex");
        ag_text_print_hex(out, padding, parts->padding_size);
    }
    if (parts->tail < size) {
        ag_strbuf_append(out, " tail=hex");
        ag_text_print_hex(out, packet + parts->tail, size - parts->tail);
    }
    if (info->payload.packets && print_block(out, payload, parts->payload_size, minor, depth))
        return;
    if (kind == AG_PAYLOAD_BYTES || kind == AG_PAYLOAD_ANY)
        print_data(out, info, payload, parts->payload_size);
}

/* Prints one packet; false when it does not match the table's row for its opcode. */
static bool print_packet(struct ag_strbuf *out, const uint8_t *packet, uint32_t size, uint32_t minor,
                         unsigned depth)
{
    const uint32_t opcode = ag_load_u32(packet);
    const struct agpu_packet_info *info = ag_packet_info(opcode);
    struct packet_parts parts;
    const bool sound = info == NULL || find_parts(info, packet, size, &parts);
    if (info != NULL && sound) {
        print_known(out, info, packet, size, &parts, minor, depth);
        return true;
    }
    ag_strbuf_printf(out, "packet 0x%" PRIX32, opcode);
    print_hex_data(out, packet + PACKET_HEADER_BYTES, size - PACKET_HEADER_BYTES);
    return sound;
}

/* ---- Streams ------------------------------------------------------------------------------------------- */

static enum agpu_status check_header(const uint8_t *data, size_t size, const struct agpu_diag_sink *sink,
                                     struct aerogpu_cmd_stream_header *header)
{
    enum agpu_diag_code code = AGPU_DIAG_ABI_STREAM_HEADER;
    const char *what = NULL;
    if (size < HEADER_BYTES) {
        what = "the input is shorter than a stream header";
    } else {
        memcpy(header, data, sizeof *header);
        if (header->magic != AEROGPU_CMD_STREAM_MAGIC) {
            what = "the input does not start with ACMD";
        } else if (header->size_bytes < HEADER_BYTES) {
            what = "the stream says that it is shorter than its header";
        } else if (header->size_bytes > size) {
            code = AGPU_DIAG_ABI_STREAM_SIZE;
            what = "the stream says that it is longer than the input";
        }
    }
    if (what == NULL)
        return AGPU_OK;
    ag_report(sink, code, AGPU_ERROR, ag_place_offset(0), "%s", what);
    return AGPU_REFUSED;
}

static void print_stream_line(struct ag_strbuf *out, const struct aerogpu_cmd_stream_header *header)
{
    if (header->abi_version == AEROGPU_ABI_VERSION_U32 && header->flags == 0 && header->reserved0 == 0 &&
        header->reserved1 == 0)
        return;
    ag_strbuf_append(out, "stream");
    if (header->abi_version != AEROGPU_ABI_VERSION_U32)
        ag_strbuf_printf(out, " abi_version=0x%" PRIX32, header->abi_version);
    if (header->flags != 0)
        ag_strbuf_printf(out, " flags=0x%" PRIX32, header->flags);
    if (header->reserved0 != 0)
        ag_strbuf_printf(out, " reserved0=0x%" PRIX32, header->reserved0);
    if (header->reserved1 != 0)
        ag_strbuf_printf(out, " reserved1=0x%" PRIX32, header->reserved1);
    ag_strbuf_append_char(out, '\n');
}

static void warn(const struct agpu_diag_sink *sink, enum agpu_diag_code code, uint32_t offset, uint32_t index,
                 const char *what)
{
    struct agpu_place place = ag_place_offset(offset);
    place.packet = index;
    ag_report(sink, code, AGPU_WARNING, place, "%s", what);
}

static bool in_range(const struct agpu_text_dump_options *options, uint32_t index)
{
    return index >= options->first_packet &&
           (options->packet_count == 0 || index - options->first_packet < options->packet_count);
}

static void print_packets(struct ag_strbuf *out, const uint8_t *data, uint32_t size, uint32_t minor,
                          const struct agpu_text_dump_options *options, const struct agpu_diag_sink *sink)
{
    uint32_t offset = HEADER_BYTES, index = 0;
    while (offset < size) {
        const uint32_t left = size - offset;
        const uint32_t packet_size = left < PACKET_HEADER_BYTES ? 0 : ag_load_u32(data + offset + 4);
        const bool framed = packet_size >= PACKET_HEADER_BYTES && packet_size % 4 == 0 && packet_size <= left;
        if (in_range(options, index)) {
            if (!framed) {
                warn(sink, AGPU_DIAG_ABI_PACKET_SIZE, offset, index, "no packet can be told from here on");
                ag_strbuf_append(out, "raw : hex");
                print_hex_tokens(out, data + offset, left);
            } else if (!print_packet(out, data + offset, packet_size, minor, 0)) {
                warn(sink, AGPU_DIAG_ABI_PACKET_PAYLOAD, offset, index, "the packet is shorter than it says");
            }
            if (options->offsets)
                ag_strbuf_printf(out, "  # %" PRIu32 " +0x%" PRIX32, index, offset);
            ag_strbuf_append_char(out, '\n');
        }
        if (!framed)
            return;
        offset += packet_size;
        index++;
    }
}

enum agpu_status agpu_text_dump(const void *data, size_t size, const struct agpu_text_dump_options *given,
                                const struct agpu_diag_sink *sink, char **text, size_t *length)
{
    struct agpu_text_dump_options options;
    struct aerogpu_cmd_stream_header header;
    struct ag_strbuf out = {0};
    *text = NULL;
    *length = 0;
    ag_table_read(&options, sizeof options, AG_MEMBER_END(struct agpu_text_dump_options, offsets), given);
    const enum agpu_status status = check_header(data, size, sink, &header);
    if (status != AGPU_OK)
        return status;
    print_stream_line(&out, &header);
    print_packets(&out, data, header.size_bytes, header.abi_version & UINT16_MAX, &options, sink);
    if (size > header.size_bytes && options.first_packet == 0 && options.packet_count == 0) {
        ag_strbuf_append(&out, "trailing : hex");
        print_hex_tokens(&out, (const uint8_t *)data + header.size_bytes, size - header.size_bytes);
        ag_strbuf_append_char(&out, '\n');
    }
    *length = out.length;
    *text = ag_strbuf_steal(&out);
    return *text != NULL ? AGPU_OK : ag_report_no_memory(sink);
}
