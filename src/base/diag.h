/* SPDX-License-Identifier: MIT
 *
 * Reporting diagnostics from inside the library.
 */
#ifndef AG_BASE_DIAG_H
#define AG_BASE_DIAG_H

#include <stdarg.h>

#include "aerogpu/diag.h"

#if defined(__GNUC__)
#define AG_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
/* A function that callers in a hurry rarely call, and do not save registers for. */
#define AG_RARE __attribute__((cold, noinline))
/* Functions beside the shortest path of their callers. */
#define AG_NOINLINE __attribute__((noinline))
#else
#define AG_PRINTF(format_index, first)
#endif

/* Reports one diagnostic. `sink` may be null. Messages past 1023 bytes are cut. */
void ag_report(const struct agpu_diag_sink *sink, enum agpu_diag_code code, enum agpu_severity severity,
               struct agpu_place place, const char *format, ...) AG_PRINTF(5, 6);
void ag_report_va(const struct agpu_diag_sink *sink, enum agpu_diag_code code, enum agpu_severity severity,
                  struct agpu_place place, const char *format, va_list arguments) AG_PRINTF(5, 0);
/* Reports an error of a packet, whose name may be null. */
void ag_report_packet(const struct agpu_diag_sink *sink, enum agpu_diag_code code, struct agpu_place place,
                      const char *packet_name, const char *format, ...) AG_PRINTF(5, 6);

/* Reports an error without a place and returns AGPU_NO_MEMORY, so that callers can `return` it. */
enum agpu_status ag_report_no_memory(const struct agpu_diag_sink *sink);

/* A place of which only the byte offset, or only the line and column, is known. */
struct agpu_place ag_place_none(void);
struct agpu_place ag_place_offset(uint64_t offset);
struct agpu_place ag_place_text(uint32_t line, uint32_t column);

#endif
