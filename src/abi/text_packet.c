/* SPDX-License-Identifier: MIT
 *
 * Assembles packets from statements of the text form.
 */
#include "abi/text_packet.h"

#include <stdlib.h>
#include <string.h>

#include "abi/packet.h"
#include "abi/packet_names.h"
#include "abi/text_value.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "base/table.h"

/* The packet that is being assembled. */
struct packet_builder {
    struct ag_text_assembler *assembler;
    struct ag_text_reader *reader;
    const struct agpu_packet_info *info;
    uint8_t fixed[256]; /* the fixed structure, and behind it the fields of the extended form */
    bool extended;
    bool has_count, has_payload;
    bool has_extended_stage; /* the name of the stage gave the stage_ex word, too */
    struct ag_strbuf payload, padding, tail;
};

void ag_text_assembler_init(struct ag_text_assembler *assembler, const struct agpu_text_sources *sources)
{
    *assembler = (struct ag_text_assembler){.sources = sources};
    ag_text_assembler_begin(assembler, AEROGPU_ABI_VERSION_U32);
}

void ag_text_assembler_fini(struct ag_text_assembler *assembler)
{
    ag_text_handles_fini(&assembler->handles);
    ag_strbuf_fini(&assembler->packets);
    ag_strbuf_fini(&assembler->trailing);
}

void ag_text_assembler_begin(struct ag_text_assembler *assembler, uint32_t abi_version)
{
    assembler->header = (struct aerogpu_cmd_stream_header){
        .magic = AEROGPU_CMD_STREAM_MAGIC,
        .abi_version = abi_version,
    };
    assembler->has_size = false;
    ag_strbuf_clear(&assembler->packets);
    ag_strbuf_clear(&assembler->trailing);
}

/* ---- Fields -------------------------------------------------------------------------------------------- */

static bool refuse_value(struct ag_text_reader *reader, const struct ag_text_value *value, const char *what)
{
    ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_VALUE, value->line, value->column, "%s", what);
    return false;
}

static bool refuse_item(struct ag_text_reader *reader, enum agpu_diag_code code,
                        const struct ag_text_item *item, const char *what)
{
    ag_text_refuse(reader, code, item->line, item->column, "%s", what);
    return false;
}

bool ag_text_read_handle(struct ag_text_assembler *assembler, struct ag_text_reader *reader,
                         const struct ag_text_value *value, uint32_t *number)
{
    uint64_t plain;
    if (ag_text_unsigned(value, UINT32_MAX, &plain)) {
        *number = (uint32_t)plain;
        return true;
    }
    if (value->kind != AG_TEXT_HANDLE)
        return refuse_value(reader, value, "a handle is expected");
    switch (ag_text_handle(&assembler->handles, value->text, value->length, number)) {
    case AG_TEXT_HANDLE_OK:
        return true;
    case AG_TEXT_HANDLE_TAKEN:
        return refuse_value(reader, value, "this handle number already belongs to a name");
    case AG_TEXT_HANDLE_RANGE:
        return refuse_value(reader, value, "a handle has 32 bits");
    case AG_TEXT_HANDLE_NO_MEMORY:
        reader->status = ag_report_no_memory(reader->sink);
        return false;
    }
    return false;
}

bool ag_text_abi_version(const struct ag_text_value *value, uint32_t *version)
{
    uint64_t number;
    if (ag_text_unsigned(value, UINT32_MAX, &number)) {
        *version = (uint32_t)number;
        return true;
    }
    const char *dot = value->kind == AG_TEXT_NUMBER ? memchr(value->text, '.', value->length) : NULL;
    if (dot == NULL)
        return false;
    struct ag_text_value major = *value, minor = *value;
    uint64_t major_number, minor_number;
    major.length = (size_t)(dot - value->text);
    minor.text = dot + 1;
    minor.length = value->length - major.length - 1;
    if (!ag_text_unsigned(&major, UINT16_MAX, &major_number) ||
        !ag_text_unsigned(&minor, UINT16_MAX, &minor_number))
        return false;
    *version = (uint32_t)(major_number << 16 | minor_number);
    return true;
}

static bool read_address(struct packet_builder *builder, const struct ag_text_value *value, uint64_t *number)
{
    const struct agpu_text_sources *sources = builder->assembler->sources;
    char *name = ag_arena_strndup(&builder->reader->arena, value->text, value->length);
    if (name == NULL) {
        builder->reader->status = ag_report_no_memory(builder->reader->sink);
        return false;
    }
    if (sources == NULL || sources->address == NULL || !sources->address(sources->user, name, number)) {
        ag_text_refuse(builder->reader, AGPU_DIAG_ABI_TEXT_NAME, value->line, value->column,
                       "no guest memory has the name @%.*s", (int)(value->length < 100 ? value->length : 100),
                       value->text);
        return false;
    }
    return ag_add_u64(*number, value->offset, number) ||
           refuse_value(builder->reader, value, "the address passes the end of memory");
}

static bool read_number(struct packet_builder *builder, uint8_t type, const struct ag_text_value *value,
                        uint64_t *number)
{
    const uint64_t limit = type == AG_FIELD_U8 ? UINT8_MAX : type == AG_FIELD_U64 ? UINT64_MAX : UINT32_MAX;
    uint32_t bits;
    if (value->kind == AG_TEXT_BLOB) {
        if (!read_address(builder, value, number))
            return false;
        return *number <= limit || refuse_value(builder->reader, value, "the address does not fit the field");
    }
    if (ag_text_unsigned(value, limit, number))
        return true;
    if (type == AG_FIELD_U32 && ag_text_scalar_bits(AG_TEXT_U32, value, &bits)) {
        *number = bits;
        return true;
    }
    ag_text_refuse(builder->reader, AGPU_DIAG_ABI_TEXT_VALUE, value->line, value->column,
                   "a number up to %llu is expected", (unsigned long long)limit);
    return false;
}

static size_t scalar_bytes(uint8_t type)
{
    return type == AG_FIELD_U8 ? 1 : type == AG_FIELD_U64 ? 8 : 4;
}

/* Reads one number of a field's type into `to`. */
static bool read_scalar(struct packet_builder *builder, uint8_t type, const struct ag_name_set *names,
                        const struct ag_text_value *value, uint8_t *to)
{
    uint64_t number = 0;
    uint32_t bits = 0;
    if (names != NULL) {
        if (!ag_text_names(value, names, &bits))
            return refuse_value(builder->reader, value,
                                names->flags ? "unknown flag, or no number of 32 bits"
                                             : "unknown name, or no number of 32 bits");
        number = bits;
    } else if (type == AG_FIELD_HANDLE) {
        if (!ag_text_read_handle(builder->assembler, builder->reader, value, &bits))
            return false;
        number = bits;
    } else if (type == AG_FIELD_F32) {
        if (!ag_text_float(value, &bits))
            return refuse_value(builder->reader, value, "a float is expected");
        number = bits;
    } else if (type == AG_FIELD_I32) {
        if (!ag_text_scalar_bits(AG_TEXT_I32, value, &bits))
            return refuse_value(builder->reader, value, "a signed number of 32 bits is expected");
        number = bits;
    } else if (!read_number(builder, type, value, &number)) {
        return false;
    }
    memcpy(to, &number, scalar_bytes(type));
    return true;
}

static const struct ag_field_info *find_field(const struct ag_struct_info *info,
                                              const struct ag_text_item *item)
{
    for (unsigned i = 0; info != NULL && i < info->field_count; i++) {
        if (ag_text_is_field(item, info->fields[i].name))
            return &info->fields[i];
    }
    return NULL;
}

static bool read_struct(struct packet_builder *builder, const struct ag_struct_info *info,
                        const struct ag_text_value *value, uint8_t *to);

static bool read_field(struct packet_builder *builder, const struct ag_field_info *field,
                       const struct ag_text_value *value, uint8_t *base)
{
    uint8_t *to = base + field->offset;
    if (field->type == AG_FIELD_STRUCT)
        return read_struct(builder, field->nested, value, to);
    if (field->count <= 1)
        return read_scalar(builder, field->type, field->names, value, to);
    if (value->kind != AG_TEXT_LIST || value->item_count > field->count) {
        ag_text_refuse(builder->reader, AGPU_DIAG_ABI_TEXT_VALUE, value->line, value->column,
                       "a list of up to %u values is expected", field->count);
        return false;
    }
    for (size_t i = 0; i < value->item_count; i++) {
        if (!read_scalar(builder, field->type, field->names, &value->items[i].value,
                         to + i * scalar_bytes(field->type)))
            return false;
    }
    return true;
}

static bool is_repeated(const struct ag_text_item *items, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (items[i].name != NULL && items[i].name_length == items[index].name_length &&
            memcmp(items[i].name, items[index].name, items[i].name_length) == 0)
            return true;
    }
    return false;
}

static bool read_struct(struct packet_builder *builder, const struct ag_struct_info *info,
                        const struct ag_text_value *value, uint8_t *to)
{
    if (value->kind != AG_TEXT_STRUCT)
        return refuse_value(builder->reader, value, "a structure {name=value ...} is expected");
    for (size_t i = 0; i < value->item_count; i++) {
        const struct ag_text_item *item = &value->items[i];
        const struct ag_field_info *field = find_field(info, item);
        if (field == NULL)
            return refuse_item(builder->reader, AGPU_DIAG_ABI_TEXT_NAME, item,
                               "the structure has no such field");
        /* If there are more items than fields, one of the first items is a repetition; so the search is
         * bounded. */
        if (i > info->field_count || is_repeated(value->items, i))
            return refuse_item(builder->reader, AGPU_DIAG_ABI_TEXT_NAME, item, "the field is given twice");
        if (!read_field(builder, field, &item->value, to))
            return false;
    }
    return true;
}

/* ---- Payloads ------------------------------------------------------------------------------------------ */

static bool read_elements(struct packet_builder *builder, const struct ag_text_value *value)
{
    const struct ag_struct_info *element = builder->info->payload.element;
    uint8_t bytes[256];
    for (size_t i = 0; i < value->item_count; i++) {
        memset(bytes, 0, sizeof bytes);
        if (!read_struct(builder, element, &value->items[i].value, bytes))
            return false;
        ag_strbuf_append_bytes(&builder->payload, bytes, element->size);
    }
    return true;
}

/* Reads the trailing array or text of a packet, which is written as a field. */
static bool read_payload_field(struct packet_builder *builder, const struct ag_text_item *item)
{
    const struct ag_payload_info *payload = &builder->info->payload;
    const struct ag_text_value *value = &item->value;
    builder->has_payload = true;
    if (payload->kind == AG_PAYLOAD_TEXT) {
        if (value->kind != AG_TEXT_STRING)
            return refuse_value(builder->reader, value, "a text in quotes is expected");
        ag_strbuf_append_bytes(&builder->payload, value->text, value->length);
        return true;
    }
    if (value->kind != AG_TEXT_LIST)
        return refuse_value(builder->reader, value, "a list is expected");
    if (payload->kind == AG_PAYLOAD_ARRAY)
        return read_elements(builder, value);
    const uint8_t type = payload->kind == AG_PAYLOAD_WORDS ? payload->word->type : AG_FIELD_U8;
    for (size_t i = 0; i < value->item_count; i++) {
        uint8_t word[8];
        if (!read_scalar(builder, type, NULL, &value->items[i].value, word))
            return false;
        ag_strbuf_append_bytes(&builder->payload, word, scalar_bytes(type));
    }
    return true;
}

/* The value of the count field for the given payload; false when no value fits. */
static bool count_payload(const struct packet_builder *builder, uint64_t *count)
{
    const struct ag_payload_info *payload = &builder->info->payload;
    size_t unit = 1;
    if (payload->kind == AG_PAYLOAD_ARRAY)
        unit = payload->element->size;
    else if (payload->kind == AG_PAYLOAD_WORDS)
        unit = (size_t)payload->words_per_count * 4;
    *count = builder->payload.length / unit;
    return builder->payload.length % unit == 0;
}

static bool has_count_field(const struct ag_payload_info *payload)
{
    return payload->kind == AG_PAYLOAD_BYTES || payload->kind == AG_PAYLOAD_ARRAY ||
           payload->kind == AG_PAYLOAD_WORDS;
}

/* ---- Packets ------------------------------------------------------------------------------------------- */

/* Whether the field is a stage and the value the name of one that takes two words: COMPUTE and a stage_ex. */
static bool names_extended_stage(const struct agpu_packet_info *info, const struct ag_field_info *field,
                                 const struct ag_text_value *value, uint32_t *stage_ex)
{
    uint32_t word;
    return info->stage_offset != 0 && info->stage_ex_offset != 0 && field->offset == info->stage_offset &&
           value->kind == AG_TEXT_WORD && !ag_text_names(value, &ag_names_shader_stage, &word) &&
           ag_text_names(value, &ag_names_stage_ex, stage_ex) && *stage_ex != AEROGPU_SHADER_STAGE_EX_NONE;
}

static bool read_extended_stage(struct packet_builder *builder, const struct ag_text_value *value,
                                uint32_t stage_ex)
{
    const struct agpu_packet_info *info = builder->info;
    if ((builder->assembler->header.abi_version & UINT16_MAX) < AEROGPU_STAGE_EX_MIN_ABI_MINOR)
        return refuse_value(builder->reader, value, "this stage is known from ABI 1.3 on");
    ag_store_u32(builder->fixed + info->stage_offset, AEROGPU_SHADER_STAGE_COMPUTE);
    ag_store_u32(builder->fixed + info->stage_ex_offset, stage_ex);
    builder->has_extended_stage = true;
    return true;
}

static bool read_packet_item(struct packet_builder *builder, const struct ag_text_item *item)
{
    const struct agpu_packet_info *info = builder->info;
    const struct ag_field_info *field = find_field(&info->fixed, item);
    uint32_t stage_ex;
    if (field != NULL) {
        if (names_extended_stage(info, field, &item->value, &stage_ex))
            return read_extended_stage(builder, &item->value, stage_ex);
        builder->has_count |= has_count_field(&info->payload) && field->offset == info->payload.count_offset;
        return read_field(builder, field, &item->value, builder->fixed);
    }
    field = find_field(info->extended, item);
    if (field != NULL) {
        builder->extended = true;
        return read_field(builder, field, &item->value, builder->fixed);
    }
    if (info->payload.field_name != NULL && ag_text_is_field(item, info->payload.field_name))
        return read_payload_field(builder, item);
    const bool padding = ag_text_is_field(item, "padding");
    if (padding || ag_text_is_field(item, "tail")) {
        if (!ag_text_hex_bytes(&item->value, padding ? &builder->padding : &builder->tail))
            return refuse_value(builder->reader, &item->value, "bytes such as hex0102 are expected");
        return true;
    }
    ag_text_refuse(builder->reader, AGPU_DIAG_ABI_TEXT_NAME, item->line, item->column, "%s has no field %.*s",
                   info->name, (int)(item->name_length < 100 ? item->name_length : 100), item->name);
    return false;
}

static bool read_packet_items(struct packet_builder *builder, const struct ag_text_statement *statement)
{
    bool has_color_count = false, has_stage_ex = false;
    size_t colors = 0;
    for (size_t i = 1; i < statement->item_count; i++) {
        const struct ag_text_item *item = &statement->items[i];
        if (item->name == NULL)
            return refuse_item(builder->reader, AGPU_DIAG_ABI_TEXT_SYNTAX, item, "name=value is expected");
        if (i > 64 || is_repeated(statement->items, i))
            return refuse_item(builder->reader, AGPU_DIAG_ABI_TEXT_NAME, item, "the field is given twice");
        if (!read_packet_item(builder, item))
            return false;
        has_color_count |= ag_text_is_field(item, "color_count");
        has_stage_ex |= ag_text_is_field(item, "reserved0");
        if (has_stage_ex && builder->has_extended_stage)
            return refuse_item(builder->reader, AGPU_DIAG_ABI_TEXT_NAME, item,
                               "the name of this stage gives reserved0 already");
        if (ag_text_is_field(item, "colors"))
            colors = item->value.item_count;
    }
    if (builder->info->opcode == AEROGPU_CMD_SET_RENDER_TARGETS && !has_color_count)
        ag_store_u32(builder->fixed + offsetof(struct aerogpu_cmd_set_render_targets, color_count),
                     (uint32_t)colors);
    return true;
}

static bool read_packet_payload(struct packet_builder *builder, const struct ag_text_statement *statement)
{
    const struct ag_payload_info *payload = &builder->info->payload;
    if (statement->has_data) {
        if (payload->kind == AG_PAYLOAD_NONE || builder->has_payload)
            return refuse_item(builder->reader, AGPU_DIAG_ABI_TEXT_SYNTAX, statement->items,
                               "the packet takes no data, or has them already");
        if (!ag_text_data(builder->reader, statement->data, statement->data_count,
                          builder->assembler->sources, &builder->payload))
            return false;
    }
    if (!has_count_field(payload) || builder->has_count)
        return true;
    uint64_t count;
    if (!count_payload(builder, &count) || (!payload->count_is_u64 && count > UINT32_MAX))
        return refuse_item(builder->reader, AGPU_DIAG_ABI_TEXT_VALUE, statement->items,
                           "the data do not make whole elements");
    memcpy(builder->fixed + payload->count_offset, &count, payload->count_is_u64 ? 8 : 4);
    return true;
}

/* Reads the block behind a packet that contains packets. The statement's memory is invalid once this has
 * begun. */
static bool read_packet_block(struct packet_builder *builder)
{
    struct ag_text_assembler *assembler = builder->assembler;
    struct ag_text_statement statement;
    const struct ag_strbuf outer = assembler->packets;
    bool more;
    assembler->packets = (struct ag_strbuf){0};
    while ((more = ag_text_next(builder->reader, &statement)) && !statement.closes)
        ag_text_assembler_add(assembler, builder->reader, &statement);
    builder->payload = assembler->packets;
    assembler->packets = outer;
    const uint32_t size = (uint32_t)builder->payload.length;
    if (!builder->has_count)
        ag_store_u32(builder->fixed + builder->info->payload.count_offset, size);
    return more;
}

static void append_packet(struct packet_builder *builder)
{
    const struct agpu_packet_info *info = builder->info;
    struct ag_strbuf *out = &builder->assembler->packets;
    const size_t start = out->length;
    ag_strbuf_append_bytes(out, builder->fixed, builder->extended ? info->extended_size : info->fixed.size);
    ag_strbuf_append_bytes(out, builder->payload.data, builder->payload.length);
    ag_strbuf_append_bytes(out, builder->padding.data, builder->padding.length);
    while (!out->failed && (out->length - start) % 4 != 0)
        ag_strbuf_append_char(out, '\0');
    ag_strbuf_append_bytes(out, builder->tail.data, builder->tail.length);
    while (!out->failed && (out->length - start) % 4 != 0)
        ag_strbuf_append_char(out, '\0');
    out->failed |= builder->payload.failed || builder->padding.failed || builder->tail.failed;
    if (!out->failed) {
        ag_store_u32(out->data + start, info->opcode);
        ag_store_u32(out->data + start + 4, (uint32_t)(out->length - start));
    }
}

static void add_packet(struct packet_builder *builder, const struct ag_text_statement *statement)
{
    const bool block = statement->opens;
    if (block && (!builder->info->payload.packets || statement->has_data)) {
        refuse_item(builder->reader, AGPU_DIAG_ABI_TEXT_SYNTAX, statement->items,
                    "the packet holds no block");
        builder->reader->stopped = true;
    } else if (read_packet_items(builder, statement) &&
               (block ? read_packet_block(builder) : read_packet_payload(builder, statement))) {
        append_packet(builder);
    } else {
        /* After an error in a block, errors in its packets would only repeat it. */
        builder->reader->stopped |= block;
    }
    ag_strbuf_fini(&builder->payload);
    ag_strbuf_fini(&builder->padding);
    ag_strbuf_fini(&builder->tail);
}

/* Assembles `packet 0xN`, a packet of any opcode and any bytes. */
static bool add_raw_packet(struct ag_text_assembler *assembler, struct ag_text_reader *reader,
                           const struct ag_text_statement *statement)
{
    struct ag_strbuf *out = &assembler->packets;
    const size_t start = out->length;
    uint64_t opcode, size_bytes;
    bool has_size = false;
    if (statement->item_count < 2 || statement->items[1].name != NULL ||
        !ag_text_unsigned(&statement->items[1].value, UINT32_MAX, &opcode))
        return refuse_item(reader, AGPU_DIAG_ABI_TEXT_VALUE, statement->items,
                           "an opcode follows the word packet");
    for (size_t i = 2; i < statement->item_count; i++) {
        const struct ag_text_item *item = &statement->items[i];
        if (!ag_text_is_field(item, "size_bytes") || has_size ||
            !ag_text_unsigned(&item->value, UINT32_MAX, &size_bytes))
            return refuse_item(reader, AGPU_DIAG_ABI_TEXT_NAME, item, "the only field is size_bytes=number");
        has_size = true;
    }
    const uint32_t header[2] = {(uint32_t)opcode, 0};
    ag_strbuf_append_bytes(out, header, sizeof header);
    if (!ag_text_data(reader, statement->data, statement->data_count, assembler->sources, out))
        return false;
    while (!out->failed && (out->length - start) % 4 != 0)
        ag_strbuf_append_char(out, '\0');
    if (!out->failed)
        ag_store_u32(out->data + start + 4,
                     has_size ? (uint32_t)size_bytes : (uint32_t)(out->length - start));
    return true;
}

static bool read_stream_line(struct ag_text_assembler *assembler, struct ag_text_reader *reader,
                             const struct ag_text_statement *statement)
{
    for (size_t i = 1; i < statement->item_count; i++) {
        const struct ag_text_item *item = &statement->items[i];
        uint64_t number;
        if (ag_text_is_field(item, "abi_version")) {
            if (!ag_text_abi_version(&item->value, &assembler->header.abi_version))
                return refuse_item(reader, AGPU_DIAG_ABI_TEXT_VALUE, item,
                                   "a version such as 0x10004 is expected");
            continue;
        }
        if (!ag_text_unsigned(&item->value, UINT32_MAX, &number))
            return refuse_item(reader, AGPU_DIAG_ABI_TEXT_VALUE, item, "a number up to 32 bits is expected");
        if (ag_text_is_field(item, "magic")) {
            assembler->header.magic = (uint32_t)number;
        } else if (ag_text_is_field(item, "flags")) {
            assembler->header.flags = (uint32_t)number;
        } else if (ag_text_is_field(item, "reserved0")) {
            assembler->header.reserved0 = (uint32_t)number;
        } else if (ag_text_is_field(item, "reserved1")) {
            assembler->header.reserved1 = (uint32_t)number;
        } else if (ag_text_is_field(item, "size_bytes")) {
            assembler->header.size_bytes = (uint32_t)number;
            assembler->has_size = true;
        } else {
            return refuse_item(reader, AGPU_DIAG_ABI_TEXT_NAME, item, "the stream header has no such field");
        }
    }
    return !statement->has_data || refuse_item(reader, AGPU_DIAG_ABI_TEXT_SYNTAX, statement->items,
                                               "the stream header takes no data");
}

void ag_text_assembler_add(struct ag_text_assembler *assembler, struct ag_text_reader *reader,
                           const struct ag_text_statement *statement)
{
    const struct ag_text_item *head = statement->items;
    const struct agpu_packet_info *info =
        statement->closes || head->name != NULL || head->value.kind != AG_TEXT_WORD
            ? NULL
            : ag_packet_info_by_name(head->value.text, head->value.length);
    if (statement->closes || (statement->opens && info == NULL) || head->name != NULL ||
        head->value.kind != AG_TEXT_WORD) {
        ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_SYNTAX, statement->line, statement->column,
                       "the name of a packet is expected");
        return;
    }
    const bool raw = ag_text_is_word(head, "raw");
    if (raw || ag_text_is_word(head, "trailing")) {
        if (statement->item_count > 1)
            refuse_item(reader, AGPU_DIAG_ABI_TEXT_SYNTAX, &statement->items[1], "only data may follow");
        else
            ag_text_data(reader, statement->data, statement->data_count, assembler->sources,
                         raw ? &assembler->packets : &assembler->trailing);
    } else if (ag_text_is_word(head, "stream")) {
        read_stream_line(assembler, reader, statement);
    } else if (ag_text_is_word(head, "packet")) {
        add_raw_packet(assembler, reader, statement);
    } else {
        struct packet_builder builder = {.assembler = assembler, .reader = reader, .info = info};
        if (info != NULL)
            add_packet(&builder, statement);
        else
            ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_NAME, head->line, head->column, "unknown packet %.*s",
                           (int)(head->value.length < 100 ? head->value.length : 100), head->value.text);
    }
    if (assembler->packets.length > AGPU_STREAM_MAX_BYTES && reader->status == AGPU_OK)
        ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_VALUE, statement->line, statement->column,
                       "the stream is longer than %u bytes", AGPU_STREAM_MAX_BYTES);
}

enum agpu_status ag_text_assembler_finish(struct ag_text_assembler *assembler, struct ag_text_reader *reader,
                                          uint8_t **data, size_t *size)
{
    struct aerogpu_cmd_stream_header *header = &assembler->header;
    *data = NULL;
    *size = 0;
    if (reader->status != AGPU_OK)
        return reader->status;
    const size_t total = sizeof *header + assembler->packets.length + assembler->trailing.length;
    uint8_t *bytes = assembler->packets.failed || assembler->trailing.failed ? NULL : malloc(total);
    if (bytes == NULL) {
        reader->status = ag_report_no_memory(reader->sink);
        return reader->status;
    }
    if (!assembler->has_size)
        header->size_bytes = (uint32_t)(sizeof *header + assembler->packets.length);
    memcpy(bytes, header, sizeof *header);
    if (assembler->packets.length != 0)
        memcpy(bytes + sizeof *header, assembler->packets.data, assembler->packets.length);
    if (assembler->trailing.length != 0)
        memcpy(bytes + sizeof *header + assembler->packets.length, assembler->trailing.data,
               assembler->trailing.length);
    *data = bytes;
    *size = total;
    return AGPU_OK;
}

enum agpu_status agpu_text_assemble(const char *text, size_t length, const struct agpu_text_sources *sources,
                                    const struct agpu_diag_sink *sink, uint8_t **data, size_t *size)
{
    struct ag_text_assembler assembler;
    struct ag_text_reader reader;
    struct ag_text_statement statement;
    struct agpu_text_sources all;
    ag_table_read(&all, sizeof all, AG_MEMBER_END(struct agpu_text_sources, user), sources);
    ag_text_assembler_init(&assembler, &all);
    ag_text_reader_init(&reader, text, length, sink);
    while (ag_text_next(&reader, &statement))
        ag_text_assembler_add(&assembler, &reader, &statement);
    const enum agpu_status status = ag_text_assembler_finish(&assembler, &reader, data, size);
    ag_text_reader_fini(&reader);
    ag_text_assembler_fini(&assembler);
    return status;
}
