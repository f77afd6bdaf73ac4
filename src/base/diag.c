/* SPDX-License-Identifier: MIT
 *
 * Formats diagnostics and hands them to the sink.
 */
#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "base/format.h"
#include "base/text.h"

struct code_info {
    enum agpu_diag_code code;
    uint32_t error_register;
    const char *slug;
};

/* Ascending by number. */
static const struct code_info code_table[] = {
#define CODE_ROW(number, name, slug, error) {AGPU_DIAG_##name, AEROGPU_ERROR_##error, slug},
    AGPU_DIAG_CODES(CODE_ROW)
#undef CODE_ROW
};

static const struct code_info *find_code(enum agpu_diag_code code)
{
    size_t low = 0, high = AG_COUNT_OF(code_table);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (code_table[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < AG_COUNT_OF(code_table) && code_table[low].code == code ? &code_table[low] : NULL;
}

const char *agpu_diag_slug(enum agpu_diag_code code)
{
    const struct code_info *const info = find_code(code);
    return info != NULL ? info->slug : "base.unknown";
}

enum agpu_diag_code agpu_diag_code_from_slug(const char *slug)
{
    for (size_t i = 0; i < AG_COUNT_OF(code_table); i++) {
        if (strcmp(code_table[i].slug, slug) == 0)
            return code_table[i].code;
    }
    return AGPU_DIAG_NONE;
}

uint32_t agpu_diag_error_register(enum agpu_diag_code code)
{
    const struct code_info *const info = find_code(code);
    return info != NULL ? info->error_register : (uint32_t)AEROGPU_ERROR_INTERNAL;
}

/* Everything of `diag` but the message is filled in. */
static void report(const struct agpu_diag_sink *sink, struct agpu_diag *diag, const char *format,
                   va_list arguments)
{
    if (sink == NULL || sink->report == NULL)
        return;
    char message[1024];
    ag_format(message, sizeof message, format, arguments);
    ag_text_make_plain(message, strlen(message)); /* names in shaders are any bytes */
    diag->message = message;
    sink->report(sink->user, diag);
}

void ag_report_va(const struct agpu_diag_sink *sink, enum agpu_diag_code code, enum agpu_severity severity,
                  struct agpu_place place, const char *format, va_list arguments)
{
    struct agpu_diag diag = {.code = code, .severity = severity, .place = place};
    report(sink, &diag, format, arguments);
}

void ag_report_packet(const struct agpu_diag_sink *sink, enum agpu_diag_code code, struct agpu_place place,
                      const char *packet_name, const char *format, ...)
{
    struct agpu_diag diag = {
        .code = code, .severity = AGPU_ERROR, .place = place, .packet_name = packet_name};
    va_list arguments;
    va_start(arguments, format);
    report(sink, &diag, format, arguments);
    va_end(arguments);
}

void ag_report(const struct agpu_diag_sink *sink, enum agpu_diag_code code, enum agpu_severity severity,
               struct agpu_place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(sink, code, severity, place, format, arguments);
    va_end(arguments);
}

enum agpu_status ag_report_no_memory(const struct agpu_diag_sink *sink)
{
    ag_report(sink, AGPU_DIAG_OUT_OF_MEMORY, AGPU_ERROR, ag_place_none(), "out of memory");
    return AGPU_NO_MEMORY;
}

struct agpu_place ag_place_none(void)
{
    return (struct agpu_place)AGPU_NO_PLACE;
}

struct agpu_place ag_place_offset(uint64_t offset)
{
    struct agpu_place place = AGPU_NO_PLACE;
    place.offset = offset;
    return place;
}

struct agpu_place ag_place_text(uint32_t line, uint32_t column)
{
    struct agpu_place place = AGPU_NO_PLACE;
    place.line = line;
    place.column = column;
    return place;
}

void agpu_free(void *memory)
{
    free(memory);
}
