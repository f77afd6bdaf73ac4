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
    uint16_t code, error_register;
};

/* Ascending by number. */
static const struct code_info code_table[] = {
#define CODE_ROW(number, name, slug, error) {AGPU_DIAG_##name, AEROGPU_ERROR_##error},
    AGPU_DIAG_CODES(CODE_ROW)
#undef CODE_ROW
};

/* In the same order, one behind the other: pointers to them would take more bytes of a page's module. */
static const struct {
#define CODE_SLUG(number, name, slug, error) char of_##name[sizeof slug];
    AGPU_DIAG_CODES(CODE_SLUG)
#undef CODE_SLUG
} slugs = {
#define CODE_SLUG(number, name, slug, error) slug,
    AGPU_DIAG_CODES(CODE_SLUG)
#undef CODE_SLUG
};

static const struct code_info *find_code(enum agpu_diag_code code)
{
    for (size_t i = 0; i < AG_COUNT_OF(code_table); i++) {
        if (code_table[i].code == code)
            return &code_table[i];
    }
    return NULL;
}

static const char *next_slug(const char *slug)
{
    return slug + strlen(slug) + 1;
}

const char *agpu_diag_slug(enum agpu_diag_code code)
{
    const struct code_info *const info = find_code(code);
    const char *slug = (const char *)&slugs;
    if (info == NULL)
        return "base.unknown";
    for (const struct code_info *row = code_table; row < info; row++)
        slug = next_slug(slug);
    return slug;
}

enum agpu_diag_code agpu_diag_code_from_slug(const char *slug)
{
    const char *of_row = (const char *)&slugs;
    for (size_t i = 0; i < AG_COUNT_OF(code_table); i++, of_row = next_slug(of_row)) {
        if (strcmp(of_row, slug) == 0)
            return (enum agpu_diag_code)code_table[i].code;
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
