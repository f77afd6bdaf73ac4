/* SPDX-License-Identifier: MIT
 *
 * The string builder.
 */
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/number.h"

#define SHORT_TEXT 256

void ag_strbuf_fini(struct ag_strbuf *buffer)
{
    free(buffer->data);
    *buffer = (struct ag_strbuf){0};
}

void ag_strbuf_clear(struct ag_strbuf *buffer)
{
    buffer->length = 0;
    buffer->failed = false;
    if (buffer->data != NULL)
        buffer->data[0] = '\0';
}

bool ag_strbuf_grow(struct ag_strbuf *buffer, size_t more)
{
    if (buffer->failed)
        return false;
    if (more >= SIZE_MAX - buffer->length) {
        buffer->failed = true;
        return false;
    }
    const size_t need = buffer->length + more + 1;
    if (need <= buffer->capacity)
        return true;
    size_t capacity = buffer->capacity < 512 ? 1024 : buffer->capacity * 2;
    if (capacity < need)
        capacity = need;
    char *data = realloc(buffer->data, capacity);
    if (data == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void ag_strbuf_append_unsigned(struct ag_strbuf *buffer, uint32_t value)
{
    char text[AG_UNSIGNED_TEXT_BYTES];
    ag_strbuf_append_bytes(buffer, text, ag_unsigned_text(value, text));
}

void ag_strbuf_append_repeat(struct ag_strbuf *buffer, char c, size_t count)
{
    if (!ag_strbuf_reserve(buffer, count))
        return;
    memset(buffer->data + buffer->length, c, count);
    buffer->length += count;
    buffer->data[buffer->length] = '\0';
}

void ag_strbuf_vprintf(struct ag_strbuf *buffer, const char *format, va_list arguments)
{
    if (!ag_strbuf_reserve(buffer, SHORT_TEXT))
        return;
    const size_t room = buffer->capacity - buffer->length;
    const size_t length = ag_format(buffer->data + buffer->length, room, format, arguments);
    if (length < room)
        buffer->length += length;
    else if (ag_strbuf_reserve(buffer, length))
        buffer->length += ag_format(buffer->data + buffer->length, length + 1, format, arguments);
    buffer->data[buffer->length] = '\0';
}

void ag_strbuf_printf(struct ag_strbuf *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_strbuf_vprintf(buffer, format, arguments);
    va_end(arguments);
}

void ag_strbuf_append_float(struct ag_strbuf *buffer, float value)
{
    char text[AG_NUMBER_TEXT_BYTES];
    ag_strbuf_append_bytes(buffer, text, ag_float_text(value, text));
}

void ag_strbuf_append_double(struct ag_strbuf *buffer, double value)
{
    char text[AG_NUMBER_TEXT_BYTES];
    ag_strbuf_append_bytes(buffer, text, ag_double_text(value, text));
}

void ag_strbuf_append_fixed(struct ag_strbuf *buffer, double value, uint32_t decimals)
{
    char text[AG_NUMBER_TEXT_BYTES];
    ag_strbuf_append_bytes(buffer, text, ag_fixed_text(value, decimals, text));
}

const char *ag_strbuf_text(const struct ag_strbuf *buffer)
{
    return buffer->data != NULL ? buffer->data : "";
}

char *ag_strbuf_steal(struct ag_strbuf *buffer)
{
    if (!ag_strbuf_reserve(buffer, 0)) {
        ag_strbuf_fini(buffer);
        return NULL;
    }
    buffer->data[buffer->length] = '\0';
    char *text = buffer->data;
    *buffer = (struct ag_strbuf){0};
    return text;
}
