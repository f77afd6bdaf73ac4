/* SPDX-License-Identifier: MIT
 *
 * The page's head and style: report.html beside this file, which the build turns into an array.
 */
#ifndef AG_CLI_HTML_PAGE_H
#define AG_CLI_HTML_PAGE_H

#include <stddef.h>

extern const char ag_report_html[];
extern const size_t ag_report_html_length;

#endif
