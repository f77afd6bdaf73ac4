/* SPDX-License-Identifier: MIT */
#include "cli/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scene/png.h"

#define MOST_PLAIN_PRESENTS 4u /* of one input: without anything expected of them, or as expected */
#define DIFFERENCE_GAIN 16u    /* rounding must be seen */

/* script/test puts the sections of many pages into one: it looks for the two comments. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>AeroGPU runs</title>\n<style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color:#1c1c1c}\n"
    "h1{font-size:1.5em}h2{font-size:1.1em;margin:0;display:inline}\n"
    "section{border:1px solid #d4d4d4;border-left:6px solid #999;border-radius:4px;margin:1em 0;padding:.8em "
    "1em}\n"
    "section.passed{border-left-color:#2a8a3e}section.failed{border-left-color:#c62828}\n"
    "section.skipped{border-left-color:#b58900}\n"
    ".badge{font-size:.85em;font-weight:600;padding:.1em "
    ".5em;border-radius:3px;background:#eee;margin-left:.5em}\n"
    ".passed>.badge,td.passed{color:#1d6b2d}.failed>.badge,td.failed{color:#b71c1c}\n"
    ".skipped>.badge,td.skipped{color:#7a5c00}\n"
    ".about{color:#666;font-size:.9em}\n"
    "table{border-collapse:collapse;margin:.6em 0}td,th{padding:.15em .8em .15em 0;text-align:left;"
    "vertical-align:top}th{font-weight:600;border-bottom:1px solid #ccc}\n"
    "td.value{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}\n"
    ".pictures{display:flex;flex-wrap:wrap;gap:1em;margin:.6em 0}figure{margin:0}figcaption{font-size:.85em;"
    "color:#555}\n"
    "img{image-rendering:pixelated;min-width:128px;max-width:22em;border:1px solid #bbb;background:"
    "repeating-conic-gradient(#ddd 0 25%,#fff 0 50%) 0 0/16px 16px}\n"
    "label{margin-right:1em}\n"
    "#only-failed:checked~main section:not(.failed),#only-passed:checked~main section:not(.passed),\n"
    "#only-skipped:checked~main section:not(.skipped),#only-todo:checked~main section:not(.todo)"
    "{display:none}\n"
    "</style></head><body>\n<h1>AeroGPU runs</h1>\n"
    "<input type=\"radio\" name=\"show\" id=\"all\" checked><label for=\"all\">all</label>\n"
    "<input type=\"radio\" name=\"show\" id=\"only-failed\"><label for=\"only-failed\">failed</label>\n"
    "<input type=\"radio\" name=\"show\" id=\"only-passed\"><label for=\"only-passed\">passed</label>\n"
    "<input type=\"radio\" name=\"show\" id=\"only-todo\"><label for=\"only-todo\">with a todo</label>\n"
    "<input type=\"radio\" name=\"show\" id=\"only-skipped\"><label for=\"only-skipped\">skipped</label>\n"
    "<main>\n";

/* ---- Text ---------------------------------------------------------------------------------------------- */

static void append_escaped(struct agpu_strbuf *page, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            agpu_strbuf_append(page, "&amp;");
            break;
        case '<':
            agpu_strbuf_append(page, "&lt;");
            break;
        case '>':
            agpu_strbuf_append(page, "&gt;");
            break;
        case '"':
            agpu_strbuf_append(page, "&quot;");
            break;
        default:
            agpu_strbuf_append_char(page, *text);
            break;
        }
    }
}

static void append_base64(struct agpu_strbuf *page, const uint8_t *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t left = size - i < 3 ? (uint32_t)(size - i) : 3;
        uint32_t bits = (uint32_t)data[i] << 16;
        bits |= left > 1 ? (uint32_t)data[i + 1] << 8 : 0;
        bits |= left > 2 ? data[i + 2] : 0;
        const char group[5] = {digits[bits >> 18], digits[bits >> 12 & 63],
                               left > 1 ? digits[bits >> 6 & 63] : '=', left > 2 ? digits[bits & 63] : '=',
                               '\0'};
        agpu_strbuf_append(page, group);
    }
}

/* ---- Pictures ------------------------------------------------------------------------------------------ */

static void append_picture(struct agpu_strbuf *page, const char *caption, const uint8_t *pixels,
                           uint32_t width, uint32_t height)
{
    uint8_t *png = NULL;
    size_t size = 0;
    if (agpu_png_encode(pixels, width, height, NULL, &png, &size) != AGPU_OK) {
        agpu_strbuf_printf(page, "<p>%s: %ux%u, no picture</p>\n", caption, width, height);
        return;
    }
    agpu_strbuf_printf(page, "<figure><img width=\"%u\" alt=\"%s\" src=\"data:image/png;base64,", width,
                       caption);
    append_base64(page, png, size);
    agpu_strbuf_printf(page, "\"><figcaption>%s</figcaption></figure>\n", caption);
    free(png);
}

/* Expected pixels on nothing, and how far the actual ones are from them. */
static void append_comparison(struct agpu_strbuf *page, const struct agpu_scene_present *present)
{
    const size_t pixels = (size_t)present->width * present->height;
    uint8_t *const picture = calloc(pixels + 1, 4);
    size_t known = 0, different = 0;
    if (picture == NULL) {
        page->failed = true;
        return;
    }
    for (size_t i = 0; i < pixels; i++) {
        if (present->known[i])
            memcpy(picture + i * 4, present->expected + i * 4, 4);
    }
    append_picture(page, "expected", picture, present->width, present->height);
    append_picture(page, "actual", present->pixels, present->width, present->height);
    memset(picture, 0, pixels * 4);
    for (size_t i = 0; i < pixels; i++) {
        uint32_t most = 0;
        for (size_t c = 0; c < 4 && present->known[i]; c++) {
            const int want = present->expected[i * 4 + c], got = present->pixels[i * 4 + c];
            const uint32_t distance = (uint32_t)(want > got ? want - got : got - want);
            const uint32_t shown = distance * DIFFERENCE_GAIN < 255 ? distance * DIFFERENCE_GAIN : 255;
            most = distance > most ? distance : most;
            /* Alpha has no colour of its own: it is shown as grey. */
            for (size_t to = c < 3 ? c : 0; to < (c < 3 ? c + 1 : 3); to++)
                picture[i * 4 + to] = picture[i * 4 + to] > shown ? picture[i * 4 + to] : (uint8_t)shown;
        }
        picture[i * 4 + 3] = present->known[i] ? 255 : 0;
        known += present->known[i];
        different += most != 0;
    }
    append_picture(page, "difference, 16 times", picture, present->width, present->height);
    agpu_strbuf_printf(page, "<p class=\"about\">%zu of %zu known pixels differ</p>\n", different, known);
    free(picture);
}

/* Whether there is nothing to see in a difference. */
static bool is_as_expected(const struct agpu_scene_present *present)
{
    const size_t pixels = (size_t)present->width * present->height;
    for (size_t i = 0; i < pixels; i++) {
        if (present->known[i] && memcmp(present->expected + i * 4, present->pixels + i * 4, 4) != 0)
            return false;
    }
    return true;
}

static void append_presents(struct agpu_strbuf *page, const struct agpu_scene_report *report)
{
    size_t plain = 0;
    for (size_t i = 0; i < report->presents.count; i++) {
        const struct agpu_scene_present *const present = &report->presents.data[i];
        const bool has_expected = present->expected != NULL && present->known != NULL;
        if (present->pixels == NULL)
            continue;
        if ((!has_expected || is_as_expected(present)) && plain++ >= MOST_PLAIN_PRESENTS)
            continue;
        agpu_strbuf_printf(
            page, "<p class=\"about\">present %u, %ux%u, xxh3 %016" PRIx64 "</p>\n<div class=\"pictures\">\n",
            present->number, present->width, present->height, present->hash);
        if (has_expected)
            append_comparison(page, present);
        else
            append_picture(page, "actual", present->pixels, present->width, present->height);
        agpu_strbuf_append(page, "</div>\n");
    }
    if (plain > MOST_PLAIN_PRESENTS)
        agpu_strbuf_printf(page, "<p class=\"about\">%zu more presents, all as expected</p>\n",
                           plain - MOST_PLAIN_PRESENTS);
}

/* ---- Values -------------------------------------------------------------------------------------------- */

static void append_cell(struct agpu_strbuf *page, const char *class_name, const char *text)
{
    agpu_strbuf_printf(page, "<td class=\"%s\">", class_name);
    append_escaped(page, text != NULL ? text : "");
    agpu_strbuf_append(page, "</td>");
}

static void append_checks(struct agpu_strbuf *page, const struct agpu_scene_report *report)
{
    if (report->checks.count == 0)
        return;
    agpu_strbuf_append(page, "<table><tr><th>line</th><th>check</th><th>result</th><th>expected</th>"
                             "<th>actual</th><th></th></tr>\n");
    for (size_t i = 0; i < report->checks.count; i++) {
        const struct agpu_scene_check *const check = &report->checks.data[i];
        const char *const result = agpu_scene_result_name(check->result);
        if (check->line != 0)
            agpu_strbuf_printf(page, "<tr><td>%u</td>", check->line);
        else
            agpu_strbuf_append(page, "<tr><td></td>");
        append_cell(page, "kind", check->kind);
        append_cell(page, result, check->todo != NULL ? "todo" : result);
        append_cell(page, "value", check->want);
        append_cell(page, "value", check->got);
        append_cell(page, "todo", check->todo);
        agpu_strbuf_append(page, "</tr>\n");
    }
    agpu_strbuf_append(page, "</table>\n");
}

static void append_diags(struct agpu_strbuf *page, const json_t *diags)
{
    const size_t count = json_array_size(diags);
    for (size_t i = 0; i < count; i++) {
        const json_t *const diag = json_array_get(diags, i);
        const char *const severity = json_string_value(json_object_get(diag, "severity"));
        const char *const code = json_string_value(json_object_get(diag, "code"));
        const char *const message = json_string_value(json_object_get(diag, "message"));
        agpu_strbuf_append(page, i == 0 ? "<table>\n<tr>" : "<tr>");
        append_cell(page, "kind", severity);
        append_cell(page, "value", code);
        append_cell(page, "value", message);
        agpu_strbuf_append(page, i + 1 == count ? "</tr>\n</table>\n" : "</tr>\n");
    }
}

static bool has_todo(const struct agpu_scene_report *report)
{
    for (size_t i = 0; report != NULL && i < report->checks.count; i++) {
        if (report->checks.data[i].todo != NULL)
            return true;
    }
    return false;
}

static void append_summary(struct agpu_strbuf *page, const struct agpu_scene_report *report)
{
    const struct agpu_counters *const counters = &report->counters;
    agpu_strbuf_printf(page,
                       "<p class=\"about\">%.1f ms; %" PRIu64 " packets, %" PRIu64 " draws, %" PRIu64
                       " dispatches, %" PRIu64 " pipelines, %" PRIu64 " shaders</p>\n",
                       report->total_ms, counters->packets, counters->draws, counters->dispatches,
                       counters->pipelines, counters->shaders_translated);
    if (report->skip_reason != NULL) {
        agpu_strbuf_append(page, "<p>");
        append_escaped(page, report->skip_reason);
        agpu_strbuf_append(page, "</p>\n");
    }
}

/* ---- The page ------------------------------------------------------------------------------------------ */

void cli_html_begin(struct agpu_strbuf *page)
{
    agpu_strbuf_append(page, head);
}

void cli_html_end(struct agpu_strbuf *page)
{
    agpu_strbuf_append(page, "</main>\n</body></html>\n");
}

void cli_html_section(struct agpu_strbuf *page, const char *file, const char *title, const char *adapter,
                      const struct agpu_scene_report *report, const json_t *diags)
{
    const char *const result = agpu_scene_result_name(report != NULL ? report->result : AGPU_SCENE_FAILED);
    agpu_strbuf_printf(page, "<!-- input -->\n<section class=\"%s%s\"><h2>", result,
                       has_todo(report) ? " todo" : "");
    append_escaped(page, file);
    agpu_strbuf_printf(page, "</h2><span class=\"badge\">%s</span>\n<p class=\"about\">", result);
    append_escaped(page, title);
    agpu_strbuf_append(page, title[0] != '\0' && adapter[0] != '\0' ? "; " : "");
    append_escaped(page, adapter);
    agpu_strbuf_append(page, "</p>\n");
    if (report != NULL) {
        append_presents(page, report);
        append_checks(page, report);
    }
    append_diags(page, diags);
    if (report != NULL)
        append_summary(page, report);
    agpu_strbuf_append(page, "</section>\n<!-- end of input -->\n");
}
