/* SPDX-License-Identifier: MIT
 *
 * The lines of the text form: statements, values and blocks, one statement at a time.
 *
 *     struct ag_text_reader reader;
 *     struct ag_text_statement statement;
 *     ag_text_reader_init(&reader, text, size, sink);
 *     while (ag_text_next(&reader, &statement))
 *         ...
 *     status = reader.status;
 *     ag_text_reader_fini(&reader);
 *
 * A statement ends at ';' or at the end of its line; '#' starts a comment. '{' at the end of a line opens a
 * block, a lone '}' closes it. What numbers and names mean is decided where they are used (text_value.h): the
 * same characters may be a number in one place and hexadecimal bytes in another.
 */
#ifndef AG_ABI_TEXT_LEXER_H
#define AG_ABI_TEXT_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

#define AG_TEXT_MAX_BYTES ((size_t)1 << 30) /* of a text */
#define AG_TEXT_MAX_DEPTH 8                 /* of nested lists and structures, and of blocks */
#define AG_TEXT_MAX_ERRORS 20

enum ag_text_kind {
    AG_TEXT_NUMBER,   /* int, 0xHEX, float or f32:HEX, as written */
    AG_TEXT_WORD,     /* NAME{|NAME}, as written */
    AG_TEXT_STRING,   /* "text", escapes resolved; may hold zero bytes */
    AG_TEXT_HANDLE,   /* $h: `text` is the name without '$'; items: the numbers of $h[...] */
    AG_TEXT_BLOB,     /* @b[+int]: `text` is the name without '@' */
    AG_TEXT_LIST,     /* [values]: items without names */
    AG_TEXT_STRUCT,   /* {fields}: items with names */
    AG_TEXT_OPERATOR, /* == != < <= > >= */
};

struct ag_text_item;

struct ag_text_value {
    enum ag_text_kind kind;
    uint32_t line, column;
    const char *text; /* not NUL-terminated */
    size_t length;
    uint64_t offset; /* AG_TEXT_BLOB: the +int */
    const struct ag_text_item *items;
    size_t item_count;
};

struct ag_text_item {
    const char *name; /* null: a plain value, not a field; not NUL-terminated */
    size_t name_length;
    uint32_t line, column;
    struct ag_text_value value;
};

struct ag_text_statement {
    uint32_t line, column;
    bool closes;                      /* a lone '}': nothing else is set */
    bool opens;                       /* a block follows */
    const struct ag_text_item *items; /* values and fields in the order written; at least one */
    size_t item_count;
    bool has_data; /* a ':' with the items behind it */
    const struct ag_text_item *data;
    size_t data_count;
};

struct ag_text_reader {
    const char *text;
    size_t size;
    size_t position;
    size_t line_start;
    uint32_t line;
    uint32_t depth;       /* of open blocks */
    uint32_t error_count; /* reported so far */
    bool stopped;         /* no more statements: the syntax is broken, or there were too many errors */
    enum agpu_status status;
    const struct agpu_diag_sink *sink;
    struct ag_arena arena; /* of the current statement */
};

/* `text` and `sink` (may be null) are borrowed. Texts above AG_TEXT_MAX_BYTES are refused. */
void ag_text_reader_init(struct ag_text_reader *reader, const char *text, size_t size,
                         const struct agpu_diag_sink *sink);
void ag_text_reader_fini(struct ag_text_reader *reader);

/* Reads the next statement. False at the end of the text, after a syntax error, and after AG_TEXT_MAX_ERRORS
 * errors of any kind; reader->status tells which. The statement's memory is valid until the next call. A
 * block that is open at the end of the text is an error. */
bool ag_text_next(struct ag_text_reader *reader, struct ag_text_statement *statement);

/* Takes the lines of the block that the last statement has opened, up to and including the lone '}', for
 * blocks in another language. The bytes belong to the text; `line` is the number of their first line. */
bool ag_text_raw_block(struct ag_text_reader *reader, const char **text, size_t *size, uint32_t *line);

/* Reports an error in the text and sets the reader's status to AGPU_REFUSED. Reading may continue, so that
 * one run shows several errors. */
void ag_text_refuse(struct ag_text_reader *reader, enum agpu_diag_code code, uint32_t line, uint32_t column,
                    const char *format, ...) AG_PRINTF(5, 6);

/* The value of a hexadecimal digit, or -1. */
int ag_text_hex_digit(char c);

/* Digits, or 0x and hexadecimal digits, as a number; false for anything else and past 64 bits. */
bool ag_text_digits(const char *text, size_t length, uint64_t *number);

/* Whether the item is a plain word, or a field with this name. */
bool ag_text_is_word(const struct ag_text_item *item, const char *word);
bool ag_text_is_field(const struct ag_text_item *item, const char *name);

#endif
