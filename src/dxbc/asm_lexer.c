/* SPDX-License-Identifier: MIT
 *
 * Reads the words, numbers, strings and punctuation of a listing.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/format.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "dxbc/asm.h"

#define LONGEST_NUMBER 63

void ag_asm_init(struct ag_asm *assembler, const char *text, size_t length, const struct agpu_diag_sink *sink)
{
    *assembler = (struct ag_asm){.text = text, .length = length, .line = 1, .sink = sink};
}

void ag_asm_fini(struct ag_asm *assembler)
{
    ag_arena_fini(&assembler->names);
    ag_arena_fini(&assembler->scratch);
    ag_token_writer_fini(&assembler->writer);
    ag_vec_fini(&assembler->data);
    ag_vec_fini(&assembler->input);
    ag_vec_fini(&assembler->output);
    ag_vec_fini(&assembler->patch);
    ag_vec_fini(&assembler->rdef.bindings);
    ag_vec_fini(&assembler->rdef.types);
    ag_map_fini(&assembler->rdef.type_numbers);
    ag_vec_fini(&assembler->rdef.members);
    ag_vec_fini(&assembler->rdef.interfaces);
    ag_vec_fini(&assembler->rdef.buffers);
    ag_vec_fini(&assembler->rdef.cbuffers);
    ag_vec_fini(&assembler->rdef.variables);
    ag_class_linkage_fini(&assembler->linkage);
    ag_vec_fini(&assembler->statistics);
    ag_vec_fini(&assembler->chunks);
    ag_vec_fini(&assembler->hex);
}

/* ---- Errors ------------------------------------------------------------------------------------------- */

static void report(const struct ag_asm *assembler, size_t at, enum agpu_diag_code code, const char *format,
                   va_list arguments)
{
    const uint32_t column = (uint32_t)(at - assembler->line_start) + 1;
    ag_report_va(assembler->sink, code, AGPU_ERROR, ag_place_text(assembler->line, column), format,
                 arguments);
}

bool ag_asm_error(const struct ag_asm *assembler, enum agpu_diag_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(assembler, assembler->at, code, format, arguments);
    va_end(arguments);
    return false;
}

bool ag_asm_error_at(const struct ag_asm *assembler, size_t at, enum agpu_diag_code code, const char *format,
                     ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(assembler, at, code, format, arguments);
    va_end(arguments);
    return false;
}

/* Copies the rest of a line, at most 24 characters, for a message. */
static void quote_rest(const struct ag_asm *assembler, size_t at, char quote[32])
{
    size_t length = 0;
    while (length < 24 && at + length < assembler->length) {
        const char c = assembler->text[at + length];
        if (c == '\n' || c == '\r' || c == ',' || c == ' ')
            break;
        quote[length++] = c >= ' ' && c <= '~' ? c : '?';
    }
    quote[length] = '\0';
}

bool ag_asm_expected(const struct ag_asm *assembler, const char *what)
{
    if (assembler->open_comment)
        return false;
    char quote[32];
    quote_rest(assembler, assembler->at, quote);
    if (quote[0] == '\0' && ag_asm_peek(assembler) != ',')
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "expected %s before the end of the line", what);
    return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "expected %s instead of '%s'", what,
                        quote[0] == '\0' ? "," : quote);
}

bool ag_asm_no_memory(struct ag_asm *assembler)
{
    assembler->out_of_memory = true;
    ag_report_no_memory(assembler->sink);
    return false;
}

/* ---- Characters --------------------------------------------------------------------------------------- */

static char peek_ahead(const struct ag_asm *assembler, size_t ahead)
{
    const size_t at = assembler->at + ahead;
    return at < assembler->length ? assembler->text[at] : '\0';
}

char ag_asm_peek(const struct ag_asm *assembler)
{
    return peek_ahead(assembler, 0);
}

static void step(struct ag_asm *assembler)
{
    if (assembler->text[assembler->at++] == '\n') {
        assembler->line++;
        assembler->line_start = assembler->at;
    }
}

static void skip_block_comment(struct ag_asm *assembler)
{
    const uint32_t column = (uint32_t)(assembler->at - assembler->line_start) + 1;
    const struct agpu_place start = ag_place_text(assembler->line, column);
    assembler->at += 2;
    while (assembler->at < assembler->length) {
        if (ag_asm_peek(assembler) == '*' && peek_ahead(assembler, 1) == '/') {
            assembler->at += 2;
            return;
        }
        step(assembler);
    }
    assembler->open_comment = true;
    ag_report(assembler->sink, AGPU_DIAG_DXBC_SYNTAX, AGPU_ERROR, start,
              "expected '*/' behind the comment that starts here");
}

static void skip_line_comment(struct ag_asm *assembler)
{
    while (assembler->at < assembler->length && ag_asm_peek(assembler) != '\n')
        assembler->at++;
}

static void skip(struct ag_asm *assembler, bool lines)
{
    while (assembler->at < assembler->length) {
        const char c = ag_asm_peek(assembler);
        if (c == '/' && peek_ahead(assembler, 1) == '*')
            skip_block_comment(assembler);
        else if (c == '/' && peek_ahead(assembler, 1) == '/')
            skip_line_comment(assembler);
        else if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n'))
            step(assembler);
        else
            return;
    }
}

void ag_asm_skip_blanks(struct ag_asm *assembler)
{
    skip(assembler, false);
}

void ag_asm_skip_lines(struct ag_asm *assembler)
{
    skip(assembler, true);
}

bool ag_asm_at_line_end(struct ag_asm *assembler)
{
    ag_asm_skip_blanks(assembler);
    return assembler->at >= assembler->length || ag_asm_peek(assembler) == '\n';
}

bool ag_asm_expect_line_end(struct ag_asm *assembler)
{
    return ag_asm_at_line_end(assembler) || ag_asm_expected(assembler, "the end of the line");
}

bool ag_asm_accept(struct ag_asm *assembler, const char *text)
{
    ag_asm_skip_blanks(assembler);
    const size_t length = strlen(text);
    if (length > assembler->length - assembler->at ||
        memcmp(assembler->text + assembler->at, text, length) != 0)
        return false;
    assembler->at += length;
    if (text[length - 1] == ',')
        ag_asm_skip_lines(assembler);
    return true;
}

bool ag_asm_expect(struct ag_asm *assembler, const char *text)
{
    if (ag_asm_accept(assembler, text))
        return true;
    char what[16];
    ag_text_format(what, sizeof what, "'%s'", text);
    return ag_asm_expected(assembler, what);
}

size_t ag_asm_word(struct ag_asm *assembler, const char **word)
{
    ag_asm_skip_blanks(assembler);
    const size_t start = assembler->at;
    *word = assembler->text + start;
    for (char c = ag_asm_peek(assembler); isalnum((unsigned char)c) || c == '_'; c = ag_asm_peek(assembler))
        assembler->at++;
    return assembler->at - start;
}

/* ---- Quoted text -------------------------------------------------------------------------------------- */

int ag_asm_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_quoted_character(struct ag_asm *assembler, char *c)
{
    *c = ag_asm_peek(assembler);
    if (assembler->at >= assembler->length || *c == '\n')
        return ag_asm_expected(assembler, "'\"'");
    assembler->at++;
    if (*c != '\\')
        return true;
    const bool escape = ag_asm_peek(assembler) == 'x';
    const int high = escape ? ag_asm_hex_digit(peek_ahead(assembler, 1)) : -1;
    const int low = high < 0 ? -1 : ag_asm_hex_digit(peek_ahead(assembler, 2));
    if (low < 0 || (high == 0 && low == 0))
        return ag_asm_expected(assembler, "'x' and two hexadecimal digits");
    *c = (char)(high * 16 + low);
    assembler->at += 3;
    return true;
}

bool ag_asm_string(struct ag_asm *assembler, const char **text)
{
    struct ag_strbuf buffer = {0};
    if (!ag_asm_expect(assembler, "\""))
        return false;
    while (ag_asm_peek(assembler) != '"') {
        char c;
        if (!read_quoted_character(assembler, &c)) {
            ag_strbuf_fini(&buffer);
            return false;
        }
        ag_strbuf_append_char(&buffer, c);
    }
    assembler->at++;
    *text =
        buffer.failed ? NULL : ag_arena_strndup(&assembler->names, ag_strbuf_text(&buffer), buffer.length);
    ag_strbuf_fini(&buffer);
    return *text != NULL || ag_asm_no_memory(assembler);
}

/* ---- Numbers ------------------------------------------------------------------------------------------ */

/* Copies the characters of one number, sign included; false when there are none. */
static bool take_number(struct ag_asm *assembler, char number[LONGEST_NUMBER + 1], const char *what)
{
    ag_asm_skip_blanks(assembler);
    size_t length = 0;
    char previous = '\0';
    for (;;) {
        const char c = peek_ahead(assembler, length);
        const bool sign = c == '-' || c == '+';
        if (sign ? length != 0 && previous != 'e' && previous != 'E'
                 : !isdigit((unsigned char)c) && !isalpha((unsigned char)c) && c != '.')
            break;
        if (length == LONGEST_NUMBER)
            return ag_asm_expected(assembler, "a shorter number");
        number[length++] = c;
        previous = c;
    }
    number[length] = '\0';
    const char *digits = number[0] == '-' || number[0] == '+' ? number + 1 : number;
    if (!isdigit((unsigned char)digits[0]) && digits[0] != '.')
        return ag_asm_expected(assembler, what);
    assembler->at += length;
    return true;
}

static bool is_hexadecimal(const char *number)
{
    return number[0] == '0' && (number[1] == 'x' || number[1] == 'X');
}

static bool is_float(const char *number)
{
    return !is_hexadecimal(number) && strpbrk(number, ".eE") != NULL;
}

static bool bad_number(const struct ag_asm *assembler, const char *number, const char *why)
{
    return ag_asm_error_at(assembler, assembler->at - strlen(number), AGPU_DIAG_DXBC_VALUE, "'%s' %s", number,
                           why);
}

static bool parse_integer(const struct ag_asm *assembler, const char *number, int64_t least, int64_t most,
                          int64_t *value)
{
    char *end;
    errno = 0;
    *value = (int64_t)strtoll(number, &end, is_hexadecimal(number) ? 16 : 10);
    if (*end != '\0')
        return bad_number(assembler, number, "is not a number");
    if (errno != 0 || *value < least || *value > most)
        return bad_number(assembler, number, "is out of range");
    return true;
}

bool ag_asm_number(struct ag_asm *assembler, uint32_t *value)
{
    char number[LONGEST_NUMBER + 1];
    int64_t wide;
    if (!take_number(assembler, number, "a number") ||
        !parse_integer(assembler, number, 0, UINT32_MAX, &wide))
        return false;
    *value = (uint32_t)wide;
    return true;
}

bool ag_asm_register_number(struct ag_asm *assembler, uint32_t *value)
{
    const size_t start = assembler->at;
    uint64_t number = 0;
    if (!isdigit((unsigned char)ag_asm_peek(assembler)))
        return ag_asm_expected(assembler, "a register number");
    for (char c = ag_asm_peek(assembler); isdigit((unsigned char)c); c = ag_asm_peek(assembler)) {
        number = number * 10 + (uint64_t)(c - '0');
        if (number > UINT32_MAX)
            return ag_asm_error_at(assembler, start, AGPU_DIAG_DXBC_VALUE,
                                   "the register number is out of range");
        assembler->at++;
    }
    *value = (uint32_t)number;
    return true;
}

bool ag_asm_signed(struct ag_asm *assembler, int32_t least, int32_t most, int32_t *value)
{
    char number[LONGEST_NUMBER + 1];
    int64_t wide;
    if (!take_number(assembler, number, "a number") || !parse_integer(assembler, number, least, most, &wide))
        return false;
    *value = (int32_t)wide;
    return true;
}

bool ag_asm_bits(struct ag_asm *assembler, uint32_t *bits, bool *is_integer)
{
    char number[LONGEST_NUMBER + 1];
    if (!take_number(assembler, number, "a number"))
        return false;
    *is_integer = !is_float(number) && !is_hexadecimal(number);
    if (!is_float(number)) {
        int64_t wide;
        if (!parse_integer(assembler, number, INT32_MIN, UINT32_MAX, &wide))
            return false;
        *bits = (uint32_t)wide;
        return true;
    }
    float value;
    if (!ag_float_from_text(number, strlen(number), &value))
        return bad_number(assembler, number, "is not a number");
    if (isinf(value))
        return bad_number(assembler, number, "does not fit a 32-bit float");
    *bits = ag_bits_from_float(value);
    return true;
}

bool ag_asm_double_bits(struct ag_asm *assembler, uint64_t *bits)
{
    char number[LONGEST_NUMBER + 1];
    if (!take_number(assembler, number, "a number"))
        return false;
    const size_t length = strlen(number);
    if (number[length - 1] == 'l')
        number[length - 1] = '\0';
    char *end;
    errno = 0;
    if (is_hexadecimal(number)) {
        *bits = strtoull(number, &end, 16);
        return (*end == '\0' && errno == 0) || bad_number(assembler, number, "is not a 64-bit number");
    }
    double value;
    if (!ag_double_from_text(number, strlen(number), &value) || isinf(value))
        return bad_number(assembler, number, "is not a 64-bit float");
    memcpy(bits, &value, sizeof value);
    return true;
}

/* ---- Words of lists ----------------------------------------------------------------------------------- */

bool ag_asm_name(struct ag_asm *assembler, const struct ag_name_list *names, uint32_t *value)
{
    ag_asm_skip_blanks(assembler);
    if (isdigit((unsigned char)ag_asm_peek(assembler)))
        return ag_asm_number(assembler, value);
    const char *rest = assembler->text + assembler->at;
    size_t length = 0;
    while (assembler->at + length < assembler->length && strchr(",()[]{}|\r\n", rest[length]) == NULL)
        length++;
    size_t used;
    if (!ag_longest_value_of(names, rest, length, value, &used))
        return ag_asm_expected(assembler, names->what);
    assembler->at += used;
    return true;
}

static bool set_option(struct ag_asm *assembler, const struct ag_asm_option *option)
{
    if (option->bit == 0)
        return ag_asm_expect(assembler, "=") && ag_asm_number(assembler, option->value);
    *option->value |= option->bit;
    return true;
}

bool ag_asm_options(struct ag_asm *assembler, const struct ag_asm_option *options, size_t count)
{
    while (!ag_asm_at_line_end(assembler)) {
        const char *word;
        const size_t length = ag_asm_word(assembler, &word);
        size_t i = 0;
        while (i < count && (strlen(options[i].word) != length || memcmp(options[i].word, word, length) != 0))
            i++;
        if (i == count) {
            assembler->at -= length;
            return true;
        }
        if (!set_option(assembler, &options[i]))
            return false;
    }
    return true;
}
