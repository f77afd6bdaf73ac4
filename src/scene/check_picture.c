/* SPDX-License-Identifier: MIT
 *
 * The checks of the last present's picture.
 */
#include "scene/check.h"
#include "scene/compare.h"
#include "scene/run.h"

#define LIKENESS_DECIMALS 4

static void print_rgba(struct ag_strbuf *out, const uint8_t rgba[4])
{
    ag_strbuf_printf(out, "%u %u %u %u", rgba[0], rgba[1], rgba[2], rgba[3]);
}

static bool is_near(const uint8_t *a, const uint8_t *b, uint32_t tolerance)
{
    for (int i = 0; i < 4; i++) {
        const uint32_t difference = a[i] > b[i] ? (uint32_t)(a[i] - b[i]) : (uint32_t)(b[i] - a[i]);
        if (difference > tolerance)
            return false;
    }
    return true;
}

static bool has_picture(const struct scene_run *run, struct scene_finding *finding)
{
    if (run->picture.pixels == NULL)
        ag_strbuf_append(&finding->got, "nothing was presented");
    return run->picture.pixels != NULL;
}

static const uint8_t *pixel_at(const struct scene_picture *picture, uint32_t x, uint32_t y)
{
    return picture->pixels + ((size_t)y * picture->width + x) * 4;
}

static void print_wanted_color(const struct scene_expectation *expectation, struct scene_finding *finding)
{
    print_rgba(&finding->want, expectation->rgba);
    if (expectation->tolerance != 0)
        ag_strbuf_printf(&finding->want, " tol=%u", expectation->tolerance);
}

void scene_check_pixel(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding)
{
    print_wanted_color(expectation, finding);
    if (!has_picture(run, finding))
        return;
    if (expectation->x >= run->picture.width || expectation->y >= run->picture.height) {
        ag_strbuf_printf(&finding->got, "outside the picture of %ux%u", run->picture.width,
                         run->picture.height);
        return;
    }
    const uint8_t *pixel = pixel_at(&run->picture, expectation->x, expectation->y);
    scene_note_expected(run, expectation, 1, 1, NULL);
    print_rgba(&finding->got, pixel);
    finding->passed = is_near(pixel, expectation->rgba, expectation->tolerance);
}

void scene_check_rect(struct scene_run *run, const struct scene_expectation *expectation,
                      struct scene_finding *finding)
{
    const struct scene_picture *picture = &run->picture;
    uint64_t bad = 0;
    print_wanted_color(expectation, finding);
    if (!has_picture(run, finding))
        return;
    if (expectation->x > picture->width || expectation->width > picture->width - expectation->x ||
        expectation->y > picture->height || expectation->height > picture->height - expectation->y) {
        ag_strbuf_printf(&finding->got, "outside the picture of %ux%u", picture->width, picture->height);
        return;
    }
    scene_note_expected(run, expectation, expectation->width, expectation->height, NULL);
    for (uint32_t y = expectation->y; y < expectation->y + expectation->height; y++) {
        for (uint32_t x = expectation->x; x < expectation->x + expectation->width; x++) {
            const uint8_t *pixel = pixel_at(picture, x, y);
            if (is_near(pixel, expectation->rgba, expectation->tolerance))
                continue;
            if (bad++ == 0) {
                print_rgba(&finding->got, pixel);
                ag_strbuf_printf(&finding->got, " at %u %u", x, y);
            }
        }
    }
    finding->passed = bad == 0;
    if (finding->passed)
        print_rgba(&finding->got, expectation->rgba);
    else
        ag_strbuf_printf(&finding->got, ", %llu of %llu pixels differ", (unsigned long long)bad,
                         (unsigned long long)expectation->width * expectation->height);
}

void scene_check_count(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding)
{
    const size_t pixels = (size_t)run->picture.width * run->picture.height;
    uint64_t count = 0;
    ag_strbuf_printf(&finding->want, "%s %llu", scene_operator_text(expectation->comparison),
                     (unsigned long long)expectation->number);
    if (!has_picture(run, finding))
        return;
    for (size_t i = 0; i < pixels; i++)
        count += is_near(run->picture.pixels + i * 4, expectation->rgba, 0);
    ag_strbuf_printf(&finding->got, "%llu", (unsigned long long)count);
    finding->passed = scene_compare(expectation->comparison, count, expectation->number);
}

/* Compares the sizes of two pictures, and notes the expected picture for the report when they are the same.
 */
static bool has_same_size(struct scene_run *run, const struct scene_expectation *expectation,
                          struct scene_finding *finding)
{
    if (!has_picture(run, finding))
        return false;
    if (run->picture.width == expectation->width && run->picture.height == expectation->height) {
        scene_note_expected(run, expectation, expectation->width, expectation->height, expectation->picture);
        return true;
    }
    ag_strbuf_printf(&finding->got, "%ux%u pixels instead of %ux%u", run->picture.width, run->picture.height,
                     expectation->width, expectation->height);
    return false;
}

void scene_check_image(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding)
{
    const size_t pixels = (size_t)expectation->width * expectation->height;
    uint64_t bad = 0;
    size_t first = 0;
    ag_strbuf_printf(&finding->want, "%s tol=%u bad=%llu", expectation->name, expectation->tolerance,
                     (unsigned long long)expectation->number);
    if (!has_same_size(run, expectation, finding))
        return;
    for (size_t i = 0; i < pixels; i++) {
        if (is_near(run->picture.pixels + i * 4, expectation->picture + i * 4, expectation->tolerance))
            continue;
        if (bad++ == 0)
            first = i;
    }
    finding->passed = bad <= expectation->number;
    ag_strbuf_printf(&finding->got, "%llu pixels differ", (unsigned long long)bad);
    if (bad == 0)
        return;
    ag_strbuf_printf(&finding->got, ", the first at %zu %zu: ", first % expectation->width,
                     first / expectation->width);
    print_rgba(&finding->got, run->picture.pixels + first * 4);
    ag_strbuf_append(&finding->got, " instead of ");
    print_rgba(&finding->got, expectation->picture + first * 4);
}

static void print_wanted_likeness(struct ag_strbuf *want, const struct scene_expectation *expectation)
{
    ag_strbuf_printf(want, "%s min=", expectation->name);
    ag_strbuf_append_fixed(want, expectation->minimum, LIKENESS_DECIMALS);
}

static void judge_likeness(const struct scene_expectation *expectation, double likeness,
                           struct scene_finding *finding)
{
    ag_strbuf_append_fixed(&finding->got, likeness, LIKENESS_DECIMALS);
    finding->passed = likeness >= expectation->minimum;
}

void scene_check_psnr(struct scene_run *run, const struct scene_expectation *expectation,
                      struct scene_finding *finding)
{
    print_wanted_likeness(&finding->want, expectation);
    if (has_same_size(run, expectation, finding))
        judge_likeness(
            expectation,
            scene_psnr(run->picture.pixels, expectation->picture, expectation->width, expectation->height),
            finding);
}

void scene_check_ssim(struct scene_run *run, const struct scene_expectation *expectation,
                      struct scene_finding *finding)
{
    print_wanted_likeness(&finding->want, expectation);
    if (has_same_size(run, expectation, finding))
        judge_likeness(
            expectation,
            scene_ssim(run->picture.pixels, expectation->picture, expectation->width, expectation->height),
            finding);
}
