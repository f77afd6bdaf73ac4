/* SPDX-License-Identifier: MIT
 *
 * A growing text (or byte) buffer. Running out of memory is remembered: later appends do nothing, and the
 * caller asks once at the end.
 */
#ifndef AG_BASE_STRBUF_H
#define AG_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"

struct ag_strbuf {
    char *data;    /* NUL-terminated once anything was appended; null before */
    size_t length; /* bytes without the NUL */
    size_t capacity;
    bool failed; /* an append ran out of memory */
};

/* A zeroed buffer is valid and empty. */
void ag_strbuf_fini(struct ag_strbuf *buffer);
void ag_strbuf_clear(struct ag_strbuf *buffer);

/* Reserves space for `more` bytes and a NUL behind the text; false when an append failed. */
bool ag_strbuf_grow(struct ag_strbuf *buffer, size_t more);

static inline bool ag_strbuf_reserve(struct ag_strbuf *buffer, size_t more)
{
    const bool has_room = more < buffer->capacity - buffer->length && !buffer->failed;
    return has_room || ag_strbuf_grow(buffer, more);
}

/* ag_strbuf_append_bytes() and the two functions below are inline, because most texts are short literals. */
static inline void ag_strbuf_append_bytes(struct ag_strbuf *buffer, const void *data, size_t size)
{
    if (!ag_strbuf_reserve(buffer, size))
        return;
    if (size != 0)
        memcpy(buffer->data + buffer->length, data, size);
    buffer->length += size;
    buffer->data[buffer->length] = '\0';
}

static inline void ag_strbuf_append(struct ag_strbuf *buffer, const char *text)
{
    ag_strbuf_append_bytes(buffer, text, strlen(text));
}

static inline void ag_strbuf_append_char(struct ag_strbuf *buffer, char c)
{
    if (!ag_strbuf_reserve(buffer, 1))
        return;
    buffer->data[buffer->length++] = c;
    buffer->data[buffer->length] = '\0';
}

void ag_strbuf_append_unsigned(struct ag_strbuf *buffer, uint32_t value);
void ag_strbuf_append_repeat(struct ag_strbuf *buffer, char c, size_t count);
void ag_strbuf_printf(struct ag_strbuf *buffer, const char *format, ...) AG_PRINTF(2, 3);
void ag_strbuf_vprintf(struct ag_strbuf *buffer, const char *format, va_list arguments) AG_PRINTF(2, 0);

/* Append the shortest decimal text that reads back to the same bits, always with a '.' or an exponent; for
 * NaN and infinity the caller prints their bits. */
void ag_strbuf_append_float(struct ag_strbuf *buffer, float value);
void ag_strbuf_append_double(struct ag_strbuf *buffer, double value);

/* With places behind the point, from 1 to 9, for people. */
void ag_strbuf_append_fixed(struct ag_strbuf *buffer, double value, uint32_t decimals);

/* The text, "" when empty. The buffer owns the memory. */
const char *ag_strbuf_text(const struct ag_strbuf *buffer);

/* Hands the text to the caller, who frees it with free(), and empties the buffer; null when an append
 * failed. */
char *ag_strbuf_steal(struct ag_strbuf *buffer);

#endif
