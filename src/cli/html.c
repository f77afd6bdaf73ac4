/* SPDX-License-Identifier: MIT */
#include "cli/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/html_page.h"
#include "scene/png.h"

#define MOST_PLAIN_PRESENTS 4u /* of one input: without anything expected of them, or as expected */
#define DIFFERENCE_GAIN 16u    /* rounding must be seen */
#define ENLARGED_EDGE 192u     /* pictures are made as large by a whole factor */
#define KNOWN_SHARE 16u        /* an expected picture of which less is known shows nothing */

/* ---- Text ---------------------------------------------------------------------------------------------- */

static void append_escaped(struct ag_strbuf *page, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            ag_strbuf_append(page, "&amp;");
            break;
        case '<':
            ag_strbuf_append(page, "&lt;");
            break;
        case '>':
            ag_strbuf_append(page, "&gt;");
            break;
        case '"':
            ag_strbuf_append(page, "&quot;");
            break;
        default:
            ag_strbuf_append_char(page, *text);
            break;
        }
    }
}

static void append_base64(struct ag_strbuf *page, const uint8_t *data, size_t size)
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
        ag_strbuf_append(page, group);
    }
}

/* ---- Pictures ------------------------------------------------------------------------------------------ */

/* Small pictures are enlarged so that pixels can be told apart. */
static void append_picture(struct ag_strbuf *page, const char *caption, const uint8_t *pixels, uint32_t width,
                           uint32_t height)
{
    const uint32_t edge = width > height ? width : height;
    const uint32_t scale = edge != 0 && edge < ENLARGED_EDGE ? (ENLARGED_EDGE + edge - 1) / edge : 1;
    uint8_t *png = NULL;
    size_t size = 0;
    if (ag_png_encode(pixels, width, height, NULL, &png, &size) != AGPU_OK) {
        ag_strbuf_printf(page, "<p>%s: %ux%u, no picture</p>\n", caption, width, height);
        return;
    }
    ag_strbuf_printf(page,
                     "<figure><img%s width=\"%u\" height=\"%u\" alt=\"%s\" src=\"data:image/png;base64,",
                     scale > 1 ? " class=\"enlarged\"" : "", width * scale, height * scale, caption);
    append_base64(page, png, size);
    ag_strbuf_printf(page, "\"><figcaption>%s</figcaption></figure>\n", caption);
    free(png);
}

/* What is presented is opaque, whatever its alpha; null without memory. */
static uint8_t *opaque_copy(const struct ag_scene_present *present, const uint8_t *pixels)
{
    const size_t count = (size_t)present->width * present->height;
    uint8_t *const copy = malloc(count * 4 + 1);
    for (size_t i = 0; i < count && copy != NULL; i++) {
        memcpy(copy + i * 4, pixels + i * 4, 3);
        copy[i * 4 + 3] = 255;
    }
    return copy;
}

static void append_actual(struct ag_strbuf *page, const struct ag_scene_present *present, const char *caption)
{
    uint8_t *const picture = opaque_copy(present, present->pixels);
    if (picture != NULL)
        append_picture(page, caption, picture, present->width, present->height);
    page->failed = page->failed || picture == NULL;
    free(picture);
}

struct comparison {
    size_t known, different; /* pixels */
    uint32_t most;           /* between two channels */
};

/* How far a pixel is from what is expected; alpha, which has no colour of its own, as grey. */
static uint32_t pixel_difference(const uint8_t *want, const uint8_t *got, uint8_t *shown)
{
    uint32_t most = 0;
    memset(shown, 0, 3);
    for (size_t c = 0; c < 4; c++) {
        const uint32_t distance = (uint32_t)(want[c] > got[c] ? want[c] - got[c] : got[c] - want[c]);
        const uint32_t bright = distance * DIFFERENCE_GAIN < 255 ? distance * DIFFERENCE_GAIN : 255;
        most = distance > most ? distance : most;
        for (size_t to = c < 3 ? c : 0; to < (c < 3 ? c + 1 : 3); to++)
            shown[to] = shown[to] > bright ? shown[to] : (uint8_t)bright;
    }
    return most;
}

/* Compares, and makes the picture of the differences, in which what is not known is transparent. */
static struct comparison compare(const struct ag_scene_present *present, uint8_t *picture)
{
    struct comparison comparison = {0};
    const size_t pixels = (size_t)present->width * present->height;
    memset(picture, 0, pixels * 4);
    for (size_t i = 0; i < pixels; i++) {
        if (!present->known[i])
            continue;
        const uint32_t most =
            pixel_difference(present->expected + i * 4, present->pixels + i * 4, picture + i * 4);
        picture[i * 4 + 3] = 255;
        comparison.known++;
        comparison.different += most != 0;
        comparison.most = most > comparison.most ? most : comparison.most;
    }
    return comparison;
}

static void append_expected(struct ag_strbuf *page, const struct ag_scene_present *present)
{
    uint8_t *const picture = opaque_copy(present, present->expected);
    for (size_t i = 0; picture != NULL && i < (size_t)present->width * present->height; i++)
        picture[i * 4 + 3] = present->known[i] ? 255 : 0;
    if (picture != NULL)
        append_picture(page, "expected", picture, present->width, present->height);
    page->failed = page->failed || picture == NULL;
    free(picture);
}

/* A present of which something is expected. Expected pixels and differences are shown when there are enough
 * of them to see, and where the input did not simply pass every difference. */
static void append_comparison(struct ag_strbuf *page, const struct ag_scene_present *present,
                              bool is_plain_pass)
{
    const size_t pixels = (size_t)present->width * present->height;
    uint8_t *const differences = malloc(pixels * 4 + 1);
    if (differences == NULL) {
        page->failed = true;
        return;
    }
    const struct comparison comparison = compare(present, differences);
    const bool shows =
        (comparison.different != 0 && !is_plain_pass) || comparison.known >= pixels / KNOWN_SHARE;
    ag_strbuf_append(page, "<div class=\"pictures\">\n");
    if (shows)
        append_expected(page, present);
    append_actual(page, present, "actual");
    if (shows)
        append_picture(page, "difference, 16 times", differences, present->width, present->height);
    ag_strbuf_printf(page, "</div>\n<p class=\"about\">present %u, %ux%u: %zu of %zu expected pixels differ",
                     present->number, present->width, present->height, comparison.different,
                     comparison.known);
    ag_strbuf_printf(page, comparison.different != 0 ? ", by at most %u</p>\n" : "</p>\n", comparison.most);
    free(differences);
}

/* Whether there is nothing to see in a difference. */
static bool is_as_expected(const struct ag_scene_present *present)
{
    const size_t pixels = (size_t)present->width * present->height;
    for (size_t i = 0; i < pixels; i++) {
        if (present->known[i] && memcmp(present->expected + i * 4, present->pixels + i * 4, 4) != 0)
            return false;
    }
    return true;
}

/* A present of which nothing is expected: several stand side by side. */
static void append_plain_present(struct ag_strbuf *page, const struct ag_scene_present *present)
{
    char caption[64];
    snprintf(caption, sizeof caption, "present %u, %ux%u", present->number, present->width, present->height);
    append_actual(page, present, caption);
}

static bool has_todo(const struct ag_scene_report *report)
{
    for (size_t i = 0; report != NULL && i < report->checks.count; i++) {
        if (report->checks.data[i].todo != NULL)
            return true;
    }
    return false;
}

/* Nothing in it needs to be looked at. */
static bool is_plain_pass(const struct ag_scene_report *report)
{
    return report->result != AG_SCENE_FAILED && !has_todo(report);
}

static void append_presents(struct ag_strbuf *page, const struct ag_scene_report *report)
{
    size_t plain = 0;
    bool is_open = false; /* a row of presents of which nothing is expected */
    for (size_t i = 0; i < report->presents.count; i++) {
        const struct ag_scene_present *const present = &report->presents.data[i];
        const bool expects = present->expected != NULL && present->known != NULL;
        if (present->pixels == NULL)
            continue;
        if ((!expects || is_as_expected(present)) && plain++ >= MOST_PLAIN_PRESENTS)
            continue;
        if (is_open == expects)
            ag_strbuf_append(page, expects ? "</div>\n" : "<div class=\"pictures\">\n");
        is_open = !expects;
        if (expects)
            append_comparison(page, present, is_plain_pass(report));
        else
            append_plain_present(page, present);
    }
    ag_strbuf_append(page, is_open ? "</div>\n" : "");
    if (plain > MOST_PLAIN_PRESENTS)
        ag_strbuf_printf(page, "<p class=\"about\">%zu more presents, none of which differs</p>\n",
                         plain - MOST_PLAIN_PRESENTS);
}

/* ---- Values -------------------------------------------------------------------------------------------- */

static void append_cell(struct ag_strbuf *page, const char *class_name, const char *text)
{
    ag_strbuf_printf(page, "<td class=\"%s\">", class_name);
    append_escaped(page, text != NULL ? text : "");
    ag_strbuf_append(page, "</td>");
}

static void append_checks(struct ag_strbuf *page, const struct ag_scene_report *report)
{
    if (report->checks.count == 0)
        return;
    ag_strbuf_printf(page, "<details%s><summary>%zu check%s</summary>\n",
                     is_plain_pass(report) ? "" : " open", report->checks.count,
                     report->checks.count == 1 ? "" : "s");
    ag_strbuf_append(page, "<table><tr><th>line</th><th>check</th><th>result</th><th>expected</th>"
                           "<th>actual</th><th></th></tr>\n");
    for (size_t i = 0; i < report->checks.count; i++) {
        const struct ag_scene_check *const check = &report->checks.data[i];
        const char *const result = ag_scene_result_name(check->result);
        if (check->line != 0)
            ag_strbuf_printf(page, "<tr><td>%u</td>", check->line);
        else
            ag_strbuf_append(page, "<tr><td></td>");
        append_cell(page, "kind", check->kind);
        append_cell(page, result, check->todo != NULL ? "todo" : result);
        append_cell(page, "value", check->want);
        append_cell(page, "value", check->got);
        append_cell(page, "todo", check->todo);
        ag_strbuf_append(page, "</tr>\n");
    }
    ag_strbuf_append(page, "</table></details>\n");
}

/* What is known of where: "line 3", "byte 16", "submission 0, packet 7". */
static void append_place(struct ag_strbuf *page, const json_t *diag)
{
    static const struct {
        const char *key, *word;
    } parts[] = {
        {"line",       "line"      },
        {"offset",     "byte"      },
        {"submission", "submission"},
        {"packet",     "packet"    }
    };
    const char *between = "";
    ag_strbuf_append(page, "<td class=\"place\">");
    for (size_t i = 0; i < AG_COUNT_OF(parts); i++) {
        const json_t *const number = json_object_get(diag, parts[i].key);
        if (!json_is_integer(number))
            continue;
        ag_strbuf_printf(page, "%s%s %" PRIu64, between, parts[i].word, (uint64_t)json_integer_value(number));
        between = ", ";
    }
    ag_strbuf_append(page, "</td>");
}

static void append_diags(struct ag_strbuf *page, const json_t *diags)
{
    const size_t count = json_array_size(diags);
    for (size_t i = 0; i < count; i++) {
        const json_t *const diag = json_array_get(diags, i);
        const char *const severity = json_string_value(json_object_get(diag, "severity"));
        const char *const code = json_string_value(json_object_get(diag, "code"));
        const char *const message = json_string_value(json_object_get(diag, "message"));
        ag_strbuf_append(page, i == 0 ? "<table>\n<tr>" : "<tr>");
        append_place(page, diag);
        append_cell(page, severity != NULL && strcmp(severity, "error") == 0 ? "failed" : "kind", severity);
        append_cell(page, "code", code);
        append_cell(page, "value", message);
        ag_strbuf_append(page, i + 1 == count ? "</tr>\n</table>\n" : "</tr>\n");
    }
}

static void append_summary(struct ag_strbuf *page, const char *adapter, const struct ag_scene_report *report)
{
    const struct agpu_counters *const counters = &report->counters;
    ag_strbuf_append(page, "<p class=\"about\">");
    ag_strbuf_append_fixed(page, report->total_ms, 1);
    ag_strbuf_printf(page,
                     " ms; %" PRIu64 " packets, %" PRIu64 " draws, %" PRIu64 " dispatches, %" PRIu64
                     " pipelines, %" PRIu64 " shaders",
                     counters->packets, counters->draws, counters->dispatches, counters->pipelines,
                     counters->shaders_translated);
    ag_strbuf_append(page, adapter[0] != '\0' ? "; " : "");
    append_escaped(page, adapter);
    ag_strbuf_append(page, "</p>\n");
    if (report->skip_reason != NULL) {
        ag_strbuf_append(page, "<p>");
        append_escaped(page, report->skip_reason);
        ag_strbuf_append(page, "</p>\n");
    }
}

/* ---- The page ------------------------------------------------------------------------------------------ */

void cli_html_begin(struct ag_strbuf *page)
{
    ag_strbuf_append_bytes(page, ag_report_html, ag_report_html_length);
}

void cli_html_end(struct ag_strbuf *page)
{
    ag_strbuf_append(page, "</main>\n</body></html>\n");
}

/* script/test puts the sections of many pages into one: it looks for the two comments. */
void cli_html_section(struct ag_strbuf *page, const char *file, const char *title, const char *adapter,
                      const struct ag_scene_report *report, const json_t *diags)
{
    const char *const result = ag_scene_result_name(report != NULL ? report->result : AG_SCENE_FAILED);
    ag_strbuf_printf(page, "<!-- input -->\n<section class=\"%s%s\"><h2>", result,
                     has_todo(report) ? " todo" : "");
    append_escaped(page, file);
    ag_strbuf_printf(page, "</h2><span class=\"badge\">%s</span>%s\n<p class=\"about\">", result,
                     has_todo(report) ? "<span class=\"badge todo\">todo</span>" : "");
    append_escaped(page, title);
    ag_strbuf_append(page, "</p>\n");
    if (report != NULL) {
        append_presents(page, report);
        append_checks(page, report);
    }
    append_diags(page, diags);
    if (report != NULL)
        append_summary(page, adapter, report);
    ag_strbuf_append(page, "</section>\n<!-- end of input -->\n");
}
