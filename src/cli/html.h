/* SPDX-License-Identifier: MIT
 *
 * A page about runs: expected, actual and difference pictures, and the values of every check. It needs
 * nothing beside it.
 */
#ifndef AG_CLI_HTML_H
#define AG_CLI_HTML_H

#include <jansson.h>

#include "base/strbuf.h"
#include "scene/scene.h"

/* The page around the sections. */
void cli_html_begin(struct ag_strbuf *page);
void cli_html_end(struct ag_strbuf *page);

/* A section about one input. `adapter` is "" when none was opened; `report` is null when it never ran;
 * `diags` is the list of its diagnostics as JSON. */
void cli_html_section(struct ag_strbuf *page, const char *file, const char *title, const char *adapter,
                      const struct ag_scene_report *report, const json_t *diags);

#endif
