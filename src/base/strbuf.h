/* SPDX-License-Identifier: MIT
 *
 * A growing text (or byte) buffer. Running out of memory is remembered: later appends do nothing, and the
 * caller asks once at the end.
 */
#ifndef AGPU_BASE_STRBUF_H
#define AGPU_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"

struct agpu_strbuf {
    char *data;    /* always NUL-terminated once anything was appended; null before */
    size_t length; /* bytes without the NUL */
    size_t capacity;
    bool failed; /* an append ran out of memory */
};

/* A zeroed buffer is an empty one. */
void agpu_strbuf_fini(struct agpu_strbuf *buffer);
void agpu_strbuf_clear(struct agpu_strbuf *buffer);

/* Grows the buffer so that `more` bytes and a NUL follow its text; false when an append failed. */
bool agpu_strbuf_grow(struct agpu_strbuf *buffer, size_t more);

static inline bool agpu_strbuf_reserve(struct agpu_strbuf *buffer, size_t more)
{
    const bool has_room = more < buffer->capacity - buffer->length && !buffer->failed;
    return has_room || agpu_strbuf_grow(buffer, more);
}

/* Inline, as are the next two: most texts are short literals. */
static inline void agpu_strbuf_append_bytes(struct agpu_strbuf *buffer, const void *data, size_t size)
{
    if (!agpu_strbuf_reserve(buffer, size))
        return;
    if (size != 0)
        memcpy(buffer->data + buffer->length, data, size);
    buffer->length += size;
    buffer->data[buffer->length] = '\0';
}

static inline void agpu_strbuf_append(struct agpu_strbuf *buffer, const char *text)
{
    agpu_strbuf_append_bytes(buffer, text, strlen(text));
}

static inline void agpu_strbuf_append_char(struct agpu_strbuf *buffer, char c)
{
    if (!agpu_strbuf_reserve(buffer, 1))
        return;
    buffer->data[buffer->length++] = c;
    buffer->data[buffer->length] = '\0';
}

void agpu_strbuf_append_unsigned(struct agpu_strbuf *buffer, uint32_t value);
void agpu_strbuf_append_repeat(struct agpu_strbuf *buffer, char c, size_t count);
void agpu_strbuf_printf(struct agpu_strbuf *buffer, const char *format, ...) AGPU_PRINTF(2, 3);
void agpu_strbuf_vprintf(struct agpu_strbuf *buffer, const char *format, va_list arguments) AGPU_PRINTF(2, 0);

/* The shortest decimal text of a float that reads back to the same bits, always with a '.' or an exponent;
 * NaN and infinity have no such text: the caller prints their bits. */
void agpu_strbuf_append_float(struct agpu_strbuf *buffer, float value);
void agpu_strbuf_append_double(struct agpu_strbuf *buffer, double value);

/* The text, "" when empty. Owned by the buffer. */
const char *agpu_strbuf_text(const struct agpu_strbuf *buffer);

/* Hands the text to the caller, who frees it with free(); null when an append failed. Empties the buffer. */
char *agpu_strbuf_steal(struct agpu_strbuf *buffer);

#endif
