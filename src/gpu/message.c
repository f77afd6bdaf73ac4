/* SPDX-License-Identifier: MIT
 *
 * Conversion of WebGPU's strings and messages.
 */
#include <stdbool.h>
#include <string.h>

#include "gpu/gpu.h"

#define TRACE_LINE "    at "

WGPUStringView ag_webgpu_string(const char *text)
{
    return (WGPUStringView){text, WGPU_STRLEN};
}

static size_t line_length(const char *text, size_t left)
{
    const char *const end = memchr(text, '\n', left);
    return end != NULL ? (size_t)(end - text) : left;
}

static bool is_trace_line(const char *line, size_t length)
{
    return length > strlen(TRACE_LINE) && memcmp(line, TRACE_LINE, strlen(TRACE_LINE)) == 0;
}

static size_t leading_blanks(const char *line, size_t length)
{
    size_t count = 0;
    while (count < length && line[count] == ' ')
        count++;
    return count;
}

const char *ag_webgpu_message(WGPUStringView message, char *text, size_t size)
{
    const char *from = message.data;
    size_t left = from == NULL ? 0 : message.length == WGPU_STRLEN ? strlen(from) : message.length;
    size_t used = 0;
    while (left > 0) {
        const size_t length = line_length(from, left);
        const size_t blanks = is_trace_line(from, length) ? length : leading_blanks(from, length);
        if (blanks < length && used > 0 && used + 1 < size)
            text[used++] = ' ';
        for (size_t i = blanks; i < length && used + 1 < size; i++)
            text[used++] = from[i];
        const size_t taken = length < left ? length + 1 : length;
        from += taken;
        left -= taken;
    }
    text[used] = '\0';
    return text;
}
