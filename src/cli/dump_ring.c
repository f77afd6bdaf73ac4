/* SPDX-License-Identifier: MIT */
#include "cli/dump_ring.h"

#include <inttypes.h>
#include <stdarg.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/diag.h"
#include "base/bytes.h"

/* ---- Structures ---------------------------------------------------------------------------------------- */

enum field_kind {
    FIELD_NUMBER,
    FIELD_ADDRESS,
    FIELD_VERSION,
    FIELD_SUBMIT_FLAGS,
    FIELD_ALLOC_FLAGS,
};

struct field {
    const char *name; /* null behind the last one */
    size_t offset, size;
    enum field_kind kind;
};

#define FIELD(structure, member, kind)                                                                       \
    {                                                                                                        \
#member, offsetof(struct structure, member), sizeof(((struct structure *)NULL)->member), kind        \
    }

static const struct field ring_fields[] = {
    FIELD(aerogpu_ring_header, abi_version, FIELD_VERSION),
    FIELD(aerogpu_ring_header, size_bytes, FIELD_NUMBER),
    FIELD(aerogpu_ring_header, entry_count, FIELD_NUMBER),
    FIELD(aerogpu_ring_header, entry_stride_bytes, FIELD_NUMBER),
    FIELD(aerogpu_ring_header, flags, FIELD_ADDRESS),
    FIELD(aerogpu_ring_header, head, FIELD_NUMBER),
    FIELD(aerogpu_ring_header, tail, FIELD_NUMBER),
    {NULL, 0, 0, FIELD_NUMBER},
};

static const struct field descriptor_fields[] = {
    FIELD(aerogpu_submit_desc, desc_size_bytes, FIELD_NUMBER),
    FIELD(aerogpu_submit_desc, flags, FIELD_SUBMIT_FLAGS),
    FIELD(aerogpu_submit_desc, context_id, FIELD_NUMBER),
    FIELD(aerogpu_submit_desc, engine_id, FIELD_NUMBER),
    FIELD(aerogpu_submit_desc, cmd_gpa, FIELD_ADDRESS),
    FIELD(aerogpu_submit_desc, cmd_size_bytes, FIELD_NUMBER),
    FIELD(aerogpu_submit_desc, alloc_table_gpa, FIELD_ADDRESS),
    FIELD(aerogpu_submit_desc, alloc_table_size_bytes, FIELD_NUMBER),
    FIELD(aerogpu_submit_desc, signal_fence, FIELD_NUMBER),
    {NULL, 0, 0, FIELD_NUMBER},
};

static const struct field table_fields[] = {
    FIELD(aerogpu_alloc_table_header, abi_version, FIELD_VERSION),
    FIELD(aerogpu_alloc_table_header, size_bytes, FIELD_NUMBER),
    FIELD(aerogpu_alloc_table_header, entry_count, FIELD_NUMBER),
    FIELD(aerogpu_alloc_table_header, entry_stride_bytes, FIELD_NUMBER),
    {NULL, 0, 0, FIELD_NUMBER},
};

static const struct field entry_fields[] = {
    FIELD(aerogpu_alloc_entry, alloc_id, FIELD_NUMBER),
    FIELD(aerogpu_alloc_entry, flags, FIELD_ALLOC_FLAGS),
    FIELD(aerogpu_alloc_entry, gpa, FIELD_ADDRESS),
    FIELD(aerogpu_alloc_entry, size_bytes, FIELD_NUMBER),
    {NULL, 0, 0, FIELD_NUMBER},
};

/* ---- Printing ------------------------------------------------------------------------------------------ */

/* One input on its way to text and JSON. */
struct dump {
    struct cli_input *input;
    struct ag_strbuf *text;
    json_t *structures; /* null without --json */
};

static void AG_PRINTF(4, 5)
    fail(struct dump *dump, enum agpu_diag_code code, uint64_t offset, const char *format, ...)
{
    struct agpu_place place = AGPU_NO_PLACE;
    place.offset = offset;
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(&dump->input->sink, code, AGPU_ERROR, place, format, arguments);
    va_end(arguments);
}

static void print_flags(struct ag_strbuf *text, uint64_t value, const char *const names[], uint32_t count)
{
    const char *separator = "";
    for (uint32_t i = 0; i < count; i++) {
        if ((value >> i & 1) == 0)
            continue;
        ag_strbuf_printf(text, "%s%s", separator, names[i]);
        separator = "|";
    }
    if (value >> count != 0)
        ag_strbuf_printf(text, "%s0x%" PRIX64, separator, value >> count << count);
}

static void print_value(struct ag_strbuf *text, enum field_kind kind, uint64_t value)
{
    static const char *const submit_flags[] = {"PRESENT", "NO_IRQ"};
    static const char *const alloc_flags[] = {"READONLY"};
    switch (kind) {
    case FIELD_ADDRESS:
        ag_strbuf_printf(text, "0x%" PRIX64, value);
        break;
    case FIELD_VERSION:
        ag_strbuf_printf(text, "%" PRIu64 ".%" PRIu64, value >> 16, value & 0xFFFF);
        break;
    case FIELD_SUBMIT_FLAGS:
        print_flags(text, value, submit_flags, AG_COUNT_OF(submit_flags));
        break;
    case FIELD_ALLOC_FLAGS:
        print_flags(text, value, alloc_flags, AG_COUNT_OF(alloc_flags));
        break;
    default:
        ag_strbuf_printf(text, "%" PRIu64, value);
    }
}

static void print_structure(struct dump *dump, const char *name, const struct field *fields, uint64_t offset)
{
    const uint8_t *const bytes = dump->input->data + offset;
    json_t *const object = dump->structures ? json_pack("{s:s}", "kind", name) : NULL;
    ag_strbuf_append(dump->text, name);
    for (const struct field *field = fields; field->name; field++) {
        const uint64_t value =
            field->size == 8 ? ag_load_u64(bytes + field->offset) : ag_load_u32(bytes + field->offset);
        if (object)
            json_object_set_new(object, field->name, json_integer((json_int_t)value));
        if (value == 0)
            continue;
        ag_strbuf_printf(dump->text, " %s=", field->name);
        print_value(dump->text, field->kind, value);
    }
    ag_strbuf_append(dump->text, "\n");
    if (object)
        json_array_append_new(dump->structures, object);
}

/* ---- Inputs -------------------------------------------------------------------------------------------- */

/* How many elements of `element_bytes`, a stride apart and behind a header, are in the input. What is not
 * there is told. */
static uint32_t count_elements(struct dump *dump, uint32_t header_bytes, uint32_t element_bytes,
                               uint32_t count, uint32_t stride, enum agpu_diag_code code)
{
    if (stride < element_bytes) {
        fail(dump, code, 16, "elements of %u bytes have a stride of %u", element_bytes, stride);
        return 0;
    }
    const uint64_t rest = dump->input->size - header_bytes;
    const uint64_t fitting = rest < element_bytes ? 0 : (rest - element_bytes) / stride + 1;
    if (fitting >= count)
        return count;
    fail(dump, code, dump->input->size, "%u elements are said to follow, %" PRIu64 " do", count, fitting);
    return (uint32_t)fitting;
}

static void dump_table(struct dump *dump)
{
    const uint8_t *const bytes = dump->input->data;
    const uint32_t header = sizeof(struct aerogpu_alloc_table_header);
    const uint32_t size = ag_load_u32(bytes + offsetof(struct aerogpu_alloc_table_header, size_bytes));
    const uint32_t stride =
        ag_load_u32(bytes + offsetof(struct aerogpu_alloc_table_header, entry_stride_bytes));
    const uint32_t said = ag_load_u32(bytes + offsetof(struct aerogpu_alloc_table_header, entry_count));
    print_structure(dump, "alloc_table", table_fields, 0);
    if (size < header || size > dump->input->size)
        fail(dump, AGPU_DIAG_DEVICE_ALLOC_TABLE, 8, "a table of %u bytes in an input of %zu", size,
             dump->input->size);
    const uint32_t count = count_elements(dump, header, sizeof(struct aerogpu_alloc_entry), said, stride,
                                          AGPU_DIAG_DEVICE_ALLOC_TABLE);
    for (uint32_t i = 0; i < count; i++)
        print_structure(dump, "alloc_entry", entry_fields, header + (uint64_t)i * stride);
}

static void dump_ring(struct dump *dump)
{
    const uint8_t *const bytes = dump->input->data;
    const uint32_t header = sizeof(struct aerogpu_ring_header);
    const uint32_t stride = ag_load_u32(bytes + offsetof(struct aerogpu_ring_header, entry_stride_bytes));
    const uint32_t said = ag_load_u32(bytes + offsetof(struct aerogpu_ring_header, entry_count));
    print_structure(dump, "ring", ring_fields, 0);
    const uint32_t count = count_elements(dump, header, sizeof(struct aerogpu_submit_desc), said, stride,
                                          AGPU_DIAG_DEVICE_DESCRIPTOR);
    for (uint32_t i = 0; i < count; i++)
        print_structure(dump, "submit_desc", descriptor_fields, header + (uint64_t)i * stride);
}

static void dump_descriptor(struct dump *dump)
{
    print_structure(dump, "submit_desc", descriptor_fields, 0);
}

static const struct kind {
    uint32_t magic, least_bytes;
    void (*dump)(struct dump *dump);
} kinds[] = {
    {AEROGPU_ALLOC_TABLE_MAGIC, sizeof(struct aerogpu_alloc_table_header), dump_table     },
    {AEROGPU_RING_MAGIC,        sizeof(struct aerogpu_ring_header),        dump_ring      },
    {0,                         sizeof(struct aerogpu_submit_desc),        dump_descriptor},
};

/* The kind of the input; null when a command stream or something else is in there. */
static const struct kind *kind_of(const struct cli_input *input)
{
    const uint32_t first = input->size >= 4 ? ag_load_u32(input->data) : 0;
    for (size_t i = 0; i < AG_COUNT_OF(kinds); i++) {
        const bool fits =
            kinds[i].magic ? first == kinds[i].magic : first >= kinds[i].least_bytes && first <= input->size;
        if (fits && input->size >= kinds[i].least_bytes)
            return &kinds[i];
    }
    return NULL;
}

bool cli_is_ring_data(const struct cli_input *input)
{
    return kind_of(input) != NULL;
}

enum cli_exit cli_dump_ring_data(struct cli_input *input, struct ag_strbuf *text)
{
    struct dump dump = {.input = input, .text = text};
    if (input->arguments->options.json)
        dump.structures = json_array();
    kind_of(input)->dump(&dump);
    if (dump.structures)
        json_object_set_new(input->object, "structures", dump.structures);
    return cli_exit_of(input->diags.errors ? AGPU_REFUSED : AGPU_OK, &input->diags);
}
