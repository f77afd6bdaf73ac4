/* SPDX-License-Identifier: MIT
 *
 * Formats diagnostics and hands them to the sink.
 */
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/pci.h"

struct code_info {
    const char *slug;
    uint32_t error_register;
};

static const struct code_info code_table[AGPU_DIAG_CODE_COUNT] = {
#define CODE_ROW(name, code_slug, error) [AGPU_DIAG_##name] = {code_slug, AEROGPU_ERROR_##error},
    AGPU_DIAG_CODES(CODE_ROW)
#undef CODE_ROW
};

const char *agpu_diag_slug(enum agpu_diag_code code)
{
    return (unsigned)code < AGPU_DIAG_CODE_COUNT ? code_table[code].slug : "base.unknown";
}

enum agpu_diag_code agpu_diag_code_from_slug(const char *slug)
{
    for (unsigned i = 0; i < AGPU_DIAG_CODE_COUNT; i++) {
        if (strcmp(code_table[i].slug, slug) == 0)
            return (enum agpu_diag_code)i;
    }
    return AGPU_DIAG_CODE_COUNT;
}

uint32_t agpu_diag_error_register(enum agpu_diag_code code)
{
    return (unsigned)code < AGPU_DIAG_CODE_COUNT ? code_table[code].error_register
                                                 : (uint32_t)AEROGPU_ERROR_INTERNAL;
}

void ag_report_va(const struct agpu_diag_sink *sink, enum agpu_diag_code code, enum agpu_severity severity,
                  struct agpu_place place, const char *format, va_list arguments)
{
    if (sink == NULL || sink->report == NULL)
        return;
    char message[1024];
    vsnprintf(message, sizeof message, format, arguments);
    const struct agpu_diag diag = {.code = code, .severity = severity, .place = place, .message = message};
    sink->report(sink->user, &diag);
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
