/* SPDX-License-Identifier: MIT
 *
 * Reads statements of the text form.
 */
#include "abi/text_lexer.h"

#include <string.h>

#include "base/bytes.h"

#define STATEMENT_BYTES ((size_t)1 << 31)

enum char_class {
    CHAR_SPACE = 1 << 0, /* between tokens of a line */
    CHAR_WORD = 1 << 1,  /* inside names, words and numbers */
    CHAR_START = 1 << 2, /* may start a word */
    CHAR_HEX = 1 << 3,
    CHAR_DIGIT = 1 << 4,
};

static unsigned class_of(char c)
{
    if (c == ' ' || c == '\t' || c == '\r')
        return CHAR_SPACE;
    if (c >= '0' && c <= '9')
        return CHAR_WORD | CHAR_HEX | CHAR_DIGIT;
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
        return CHAR_WORD | CHAR_START | CHAR_HEX;
    if ((c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '_')
        return CHAR_WORD | CHAR_START;
    if (c == '.' || c == '-')
        return CHAR_WORD;
    return 0;
}

/* A list of items that grows inside the statement's arena. */
struct item_list {
    struct ag_text_item *items;
    size_t count, capacity;
};

void ag_text_reader_init(struct ag_text_reader *reader, const char *text, size_t size,
                         const struct agpu_diag_sink *sink)
{
    *reader = (struct ag_text_reader){.text = text, .size = size, .line = 1, .sink = sink};
    ag_arena_init(&reader->arena, STATEMENT_BYTES);
    if (size > AG_TEXT_MAX_BYTES) {
        ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_SYNTAX, 1, 1, "the text has more than %zu bytes",
                       AG_TEXT_MAX_BYTES);
        reader->stopped = true;
    }
}

void ag_text_reader_fini(struct ag_text_reader *reader)
{
    ag_arena_fini(&reader->arena);
}

void ag_text_refuse(struct ag_text_reader *reader, enum agpu_diag_code code, uint32_t line, uint32_t column,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(reader->sink, code, AGPU_ERROR, ag_place_text(line, column), format, arguments);
    va_end(arguments);
    if (reader->status == AGPU_OK)
        reader->status = AGPU_REFUSED;
    if (++reader->error_count == AG_TEXT_MAX_ERRORS)
        reader->stopped = true;
}

bool ag_text_is_word(const struct ag_text_item *item, const char *word)
{
    return item->name == NULL && item->value.kind == AG_TEXT_WORD && item->value.length == strlen(word) &&
           memcmp(item->value.text, word, item->value.length) == 0;
}

bool ag_text_is_field(const struct ag_text_item *item, const char *name)
{
    return item->name != NULL && item->name_length == strlen(name) &&
           memcmp(item->name, name, item->name_length) == 0;
}

int ag_text_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool ag_text_digits(const char *text, size_t length, uint64_t *number)
{
    const bool hex = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    uint64_t total = 0;
    for (size_t i = hex ? 2 : 0; i < length; i++) {
        const int digit = ag_text_hex_digit(text[i]);
        if (digit < 0 || (!hex && digit > 9) || !ag_mul_u64(total, hex ? 16 : 10, &total) ||
            !ag_add_u64(total, (uint64_t)digit, &total))
            return false;
    }
    *number = total;
    return length > 0;
}

/* ---- Characters ---------------------------------------------------------------------------------------- */

/* The character `ahead` positions further; '\0' beyond the end. */
static char peek(const struct ag_text_reader *reader, size_t ahead)
{
    const size_t at = reader->position + ahead;
    return at < reader->size ? reader->text[at] : '\0';
}

static bool at_end(const struct ag_text_reader *reader)
{
    return reader->position >= reader->size;
}

static uint32_t column_of(const struct ag_text_reader *reader)
{
    return (uint32_t)(reader->position - reader->line_start + 1);
}

static bool refuse_here(struct ag_text_reader *reader, const char *what)
{
    ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_SYNTAX, reader->line, column_of(reader), "%s", what);
    return false;
}

static bool refuse_character(struct ag_text_reader *reader)
{
    const unsigned char c = (unsigned char)peek(reader, 0);
    if (c > ' ' && c < 0x7f)
        ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_SYNTAX, reader->line, column_of(reader), "unexpected '%c'",
                       c);
    else
        ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_SYNTAX, reader->line, column_of(reader),
                       "unexpected byte 0x%02X", c);
    return false;
}

static void skip_spaces(struct ag_text_reader *reader, bool commas)
{
    while (!at_end(reader) &&
           ((class_of(peek(reader, 0)) & CHAR_SPACE) != 0 || (commas && peek(reader, 0) == ',')))
        reader->position++;
}

static void skip_line(struct ag_text_reader *reader)
{
    const char *rest = reader->text + reader->position;
    const char *end = memchr(rest, '\n', reader->size - reader->position);
    reader->position = end != NULL ? (size_t)(end - reader->text) : reader->size;
}

/* Steps over the newline at the position. */
static void enter_line(struct ag_text_reader *reader)
{
    reader->position++;
    reader->line++;
    reader->line_start = reader->position;
}

static bool at_line_end(const struct ag_text_reader *reader)
{
    return at_end(reader) || peek(reader, 0) == '\n' || peek(reader, 0) == '#';
}

/* ---- Values -------------------------------------------------------------------------------------------- */

static bool push_item(struct ag_text_reader *reader, struct item_list *list, const struct ag_text_item *item)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity < 8 ? 8 : list->capacity * 2;
        struct ag_text_item *items = AG_ARENA_ARRAY(&reader->arena, struct ag_text_item, capacity);
        if (items == NULL) {
            reader->status = ag_report_no_memory(reader->sink);
            return false;
        }
        if (list->count != 0)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *item;
    return true;
}

static size_t run_length(const struct ag_text_reader *reader, size_t from, unsigned classes,
                         const char *extra)
{
    size_t length = from;
    for (;;) {
        const char c = peek(reader, length);
        if (c == '\0' || ((class_of(c) & classes) == 0 && strchr(extra, c) == NULL))
            return length;
        length++;
    }
}

static void take(struct ag_text_reader *reader, struct ag_text_value *value, size_t length)
{
    value->text = reader->text + reader->position;
    value->length = length;
    reader->position += length;
}

/* The character of the escape at the position, which is behind the backslash; -1 when there is none. */
static int read_escape(struct ag_text_reader *reader)
{
    const char c = peek(reader, 0);
    reader->position++;
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case '"':
    case '\\':
        return c;
    case 'x': {
        const int high = ag_text_hex_digit(peek(reader, 0)),
                  low = high < 0 ? -1 : ag_text_hex_digit(peek(reader, 1));
        if (low < 0)
            return -1;
        reader->position += 2;
        return high * 16 + low;
    }
    default:
        return -1;
    }
}

static bool read_string(struct ag_text_reader *reader, struct ag_text_value *value)
{
    reader->position++;
    /* Looks no further than the closing quote, because many strings may share a line. */
    size_t bound = 0;
    while (reader->position + bound < reader->size && peek(reader, bound) != '"' &&
           peek(reader, bound) != '\n')
        bound += peek(reader, bound) == '\\' ? 2 : 1;
    char *text = ag_arena_alloc(&reader->arena, bound + 1, 1);
    if (text == NULL) {
        reader->status = ag_report_no_memory(reader->sink);
        return false;
    }
    size_t length = 0;
    for (;;) {
        if (at_end(reader) || peek(reader, 0) == '\n')
            return refuse_here(reader, "the string does not end on its line");
        char c = peek(reader, 0);
        reader->position++;
        if (c == '"')
            break;
        if (c == '\\') {
            const int escaped = read_escape(reader);
            if (escaped < 0)
                return refuse_here(reader, "unknown escape: \\\" \\\\ \\n \\t and \\xHH exist");
            c = (char)(unsigned char)escaped;
        }
        text[length++] = c;
    }
    value->kind = AG_TEXT_STRING;
    value->text = text;
    value->length = length;
    return true;
}

static bool read_items(struct ag_text_reader *reader, struct item_list *list, char closing, unsigned depth);
static bool read_value(struct ag_text_reader *reader, struct ag_text_value *value, unsigned depth);

static bool read_group(struct ag_text_reader *reader, struct ag_text_value *value, char closing,
                       unsigned depth)
{
    if (depth >= AG_TEXT_MAX_DEPTH)
        return refuse_here(reader, "values are nested too deeply");
    reader->position++;
    struct item_list list = {0};
    if (!read_items(reader, &list, closing, depth + 1))
        return false;
    value->items = list.items;
    value->item_count = list.count;
    return true;
}

static bool read_handle(struct ag_text_reader *reader, struct ag_text_value *value, unsigned depth)
{
    reader->position++;
    value->kind = AG_TEXT_HANDLE;
    const size_t length = run_length(reader, 0, CHAR_WORD, "");
    if (length == 0)
        return refuse_here(reader, "a name or number follows '$'");
    take(reader, value, length);
    if (peek(reader, 0) != '[')
        return true;
    return read_group(reader, value, ']', depth);
}

static bool read_blob(struct ag_text_reader *reader, struct ag_text_value *value)
{
    reader->position++;
    value->kind = AG_TEXT_BLOB;
    const size_t length = run_length(reader, 0, CHAR_WORD, "");
    if (length == 0)
        return refuse_here(reader, "a name follows '@'");
    take(reader, value, length);
    if (peek(reader, 0) != '+')
        return true;
    reader->position++;
    const size_t digits = run_length(reader, 0, CHAR_WORD, "");
    if (!ag_text_digits(reader->text + reader->position, digits, &value->offset))
        return refuse_here(reader, "an offset in decimal or 0xHEX follows '+'");
    reader->position += digits;
    return true;
}

static bool read_operator(struct ag_text_reader *reader, struct ag_text_value *value)
{
    const char c = peek(reader, 0);
    const bool equals = peek(reader, 1) == '=';
    if ((c == '=' || c == '!') && !equals)
        return refuse_character(reader);
    value->kind = AG_TEXT_OPERATOR;
    take(reader, value, equals ? 2 : 1);
    return true;
}

static void read_word(struct ag_text_reader *reader, struct ag_text_value *value)
{
    size_t length = run_length(reader, 0, CHAR_WORD, "|");
    value->kind = AG_TEXT_WORD;
    if (length == 3 && memcmp(reader->text + reader->position, "f32", 3) == 0 && peek(reader, 3) == ':' &&
        (class_of(peek(reader, 4)) & CHAR_HEX) != 0) {
        value->kind = AG_TEXT_NUMBER;
        length = run_length(reader, 4, CHAR_WORD, "");
    }
    take(reader, value, length);
}

static bool read_value(struct ag_text_reader *reader, struct ag_text_value *value, unsigned depth)
{
    *value = (struct ag_text_value){.line = reader->line, .column = column_of(reader)};
    const char c = peek(reader, 0);
    switch (c) {
    case '"':
        return read_string(reader, value);
    case '$':
        return read_handle(reader, value, depth);
    case '@':
        return read_blob(reader, value);
    case '[':
        value->kind = AG_TEXT_LIST;
        return read_group(reader, value, ']', depth);
    case '{':
        value->kind = AG_TEXT_STRUCT;
        return read_group(reader, value, '}', depth);
    case '=':
    case '!':
    case '<':
    case '>':
        return read_operator(reader, value);
    default:
        break;
    }
    const unsigned classes = class_of(c);
    if ((classes & CHAR_DIGIT) != 0 || c == '-' || c == '+' || c == '.') {
        value->kind = AG_TEXT_NUMBER;
        take(reader, value, run_length(reader, 1, CHAR_WORD, "+|"));
        return true;
    }
    if ((classes & CHAR_START) == 0)
        return refuse_character(reader);
    read_word(reader, value);
    return true;
}

/* Reads a value, or name=value. */
static bool read_item(struct ag_text_reader *reader, struct ag_text_item *item, unsigned depth)
{
    *item = (struct ag_text_item){.line = reader->line, .column = column_of(reader)};
    if ((class_of(peek(reader, 0)) & CHAR_START) != 0) {
        const size_t length = run_length(reader, 0, CHAR_WORD, "");
        if (peek(reader, length) == '=' && peek(reader, length + 1) != '=') {
            item->name = reader->text + reader->position;
            item->name_length = length;
            reader->position += length + 1;
        }
    }
    return read_value(reader, &item->value, depth);
}

/* Reads the items of a list or structure up to its closing bracket. */
static bool read_items(struct ag_text_reader *reader, struct item_list *list, char closing, unsigned depth)
{
    for (;;) {
        skip_spaces(reader, true);
        if (at_line_end(reader) || peek(reader, 0) == ';')
            return refuse_here(reader, closing == ']' ? "a ']' is missing" : "a '}' is missing");
        if (peek(reader, 0) == closing) {
            reader->position++;
            return true;
        }
        struct ag_text_item item;
        if (!read_item(reader, &item, depth))
            return false;
        if ((closing == '}') != (item.name != NULL)) {
            ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_SYNTAX, item.line, item.column,
                           closing == '}' ? "a structure holds name=value"
                                          : "a list holds values without names");
            return false;
        }
        if (!push_item(reader, list, &item))
            return false;
    }
}

/* ---- Statements ---------------------------------------------------------------------------------------- */

/* Whether the '{' at the position is the last token of its line. */
static bool opens_block(const struct ag_text_reader *reader)
{
    size_t ahead = 1;
    while ((class_of(peek(reader, ahead)) & CHAR_SPACE) != 0)
        ahead++;
    const char c = peek(reader, ahead);
    return c == '\n' || c == '#' || reader->position + ahead >= reader->size;
}

static bool read_statement(struct ag_text_reader *reader, struct ag_text_statement *statement)
{
    struct item_list items = {0}, data = {0};
    for (;;) {
        skip_spaces(reader, false);
        if (at_line_end(reader) || peek(reader, 0) == ';')
            break;
        if (peek(reader, 0) == '{' && opens_block(reader)) {
            if (reader->depth == AG_TEXT_MAX_DEPTH)
                return refuse_here(reader, "blocks are nested too deeply");
            reader->position++;
            reader->depth++;
            statement->opens = true;
            break;
        }
        if (peek(reader, 0) == ':') {
            if (statement->has_data || items.count == 0)
                return refuse_character(reader);
            statement->has_data = true;
            reader->position++;
            continue;
        }
        struct ag_text_item item;
        if (!read_item(reader, &item, 0) || !push_item(reader, statement->has_data ? &data : &items, &item))
            return false;
    }
    if (items.count == 0)
        return refuse_here(reader, "a statement is missing in front of the block");
    statement->items = items.items;
    statement->item_count = items.count;
    statement->data = data.items;
    statement->data_count = data.count;
    return true;
}

static bool read_closing(struct ag_text_reader *reader, struct ag_text_statement *statement)
{
    if (reader->depth == 0)
        return refuse_here(reader, "no block is open");
    reader->position++;
    reader->depth--;
    statement->closes = true;
    skip_spaces(reader, false);
    if (!at_line_end(reader) && peek(reader, 0) != ';')
        return refuse_here(reader, "a '}' that closes a block stands alone");
    return true;
}

bool ag_text_next(struct ag_text_reader *reader, struct ag_text_statement *statement)
{
    *statement = (struct ag_text_statement){0};
    ag_arena_reset(&reader->arena);
    if (reader->stopped || reader->status == AGPU_NO_MEMORY)
        return false;
    for (;;) {
        skip_spaces(reader, false);
        if (at_end(reader))
            break;
        const char c = peek(reader, 0);
        if (c == '\n') {
            enter_line(reader);
        } else if (c == '#') {
            skip_line(reader);
        } else if (c == ';') {
            reader->position++;
        } else {
            statement->line = reader->line;
            statement->column = column_of(reader);
            reader->stopped =
                !(c == '}' ? read_closing(reader, statement) : read_statement(reader, statement));
            return !reader->stopped;
        }
    }
    if (reader->depth != 0)
        refuse_here(reader, "a block is not closed");
    reader->stopped = true;
    return false;
}

/* Whether the line at the position consists of '}' alone, or with a comment. */
static bool is_closing_line(const struct ag_text_reader *reader)
{
    size_t ahead = 0;
    while ((class_of(peek(reader, ahead)) & CHAR_SPACE) != 0)
        ahead++;
    if (peek(reader, ahead) != '}')
        return false;
    ahead++;
    while ((class_of(peek(reader, ahead)) & CHAR_SPACE) != 0)
        ahead++;
    const char c = peek(reader, ahead);
    return c == '\n' || c == '#' || c == ';' || reader->position + ahead >= reader->size;
}

bool ag_text_raw_block(struct ag_text_reader *reader, const char **text, size_t *size, uint32_t *line)
{
    skip_line(reader);
    if (!at_end(reader))
        enter_line(reader);
    const size_t start = reader->position;
    *line = reader->line;
    while (!at_end(reader)) {
        if (is_closing_line(reader)) {
            *text = reader->text + start;
            *size = reader->position - start;
            skip_spaces(reader, false);
            reader->position++;
            reader->depth--;
            return true;
        }
        skip_line(reader);
        if (!at_end(reader))
            enter_line(reader);
    }
    reader->stopped = true;
    return refuse_here(reader, "a block is not closed");
}
