/* SPDX-License-Identifier: MIT
 *
 * The checks of numbers in textures, buffers and guest memory.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/half.h"
#include "scene/check.h"
#include "scene/run.h"

#define MAX_PRINTED 16u /* values of a list that are printed */

static uint32_t load_scalar(enum ag_text_scalar scalar, const uint8_t *from)
{
    uint32_t bits = 0;
    memcpy(&bits, from, ag_text_scalar_bytes(scalar));
    return bits;
}

static void print_scalar(struct ag_strbuf *out, enum ag_text_scalar scalar, uint32_t bits)
{
    switch (scalar) {
    case AG_TEXT_U8:
    case AG_TEXT_U16:
    case AG_TEXT_U32:
        ag_strbuf_printf(out, "%u", bits);
        break;
    case AG_TEXT_I32:
        ag_strbuf_printf(out, "%d", (int32_t)bits);
        break;
    case AG_TEXT_F16:
        ag_text_print_float(out, ag_bits_from_float(ag_float_from_half((uint16_t)bits)));
        break;
    case AG_TEXT_F32:
        ag_text_print_float(out, bits);
        break;
    case AG_TEXT_SCALAR_COUNT:
        break;
    }
}

/* Maps the bit pattern of a float to an integer that grows with the value, so that neighbours are one apart.
 */
static int64_t order_of(uint32_t bits, uint32_t sign)
{
    return (bits & sign) != 0 ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static bool is_nan(enum ag_text_scalar scalar, uint32_t bits)
{
    return scalar == AG_TEXT_F16 ? (bits & 0x7fff) > 0x7c00 : (bits & 0x7fffffff) > 0x7f800000;
}

/* Compares two values. Without a tolerance the bits must be the same, except that every NaN equals every
 * other: hardware chooses which NaN it makes. */
static bool is_near(enum ag_text_scalar scalar, uint32_t want, uint32_t got, uint32_t ulps)
{
    const bool is_float = scalar == AG_TEXT_F16 || scalar == AG_TEXT_F32;
    if (is_float && (is_nan(scalar, want) || is_nan(scalar, got)))
        return is_nan(scalar, want) && is_nan(scalar, got);
    if (ulps == 0)
        return want == got;
    int64_t a = want, b = got;
    if (is_float) {
        const uint32_t sign = scalar == AG_TEXT_F16 ? 0x8000 : UINT32_C(0x80000000);
        a = order_of(want, sign);
        b = order_of(got, sign);
    } else if (scalar == AG_TEXT_I32) {
        a = (int32_t)want;
        b = (int32_t)got;
    }
    return (a > b ? a - b : b - a) <= (int64_t)ulps;
}

/* Makes -0 the same as 0 when the scene compares floats as numbers. */
static uint32_t normalise(const struct scene_expectation *expectation, uint32_t bits)
{
    const uint32_t sign = expectation->scalar == AG_TEXT_F16 ? 0x8000 : UINT32_C(0x80000000);
    return expectation->equal && bits == sign ? 0 : bits;
}

static void print_values(struct ag_strbuf *out, enum ag_text_scalar scalar, const uint32_t *values,
                         size_t count)
{
    ag_strbuf_append(out, ag_text_scalar_name(scalar));
    for (size_t i = 0; i < count && i < MAX_PRINTED; i++) {
        ag_strbuf_append_char(out, ' ');
        print_scalar(out, scalar, values[i]);
    }
    if (count > MAX_PRINTED)
        ag_strbuf_printf(out, " and %zu more", count - MAX_PRINTED);
}

static int compare_bits(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Compares bytes with the expectation's values. Both are sorted first when the order does not matter. */
static void judge_values(const struct scene_expectation *expectation, const uint8_t *bytes,
                         struct scene_finding *finding)
{
    const size_t count = expectation->value_count, unit = ag_text_scalar_bytes(expectation->scalar);
    uint32_t *want = malloc(count * sizeof *want), *got = malloc(count * sizeof *got);
    if (want != NULL && got != NULL) {
        size_t bad = 0, first = 0;
        for (size_t i = 0; i < count; i++) {
            want[i] = normalise(expectation, expectation->values[i]);
            got[i] = normalise(expectation, load_scalar(expectation->scalar, bytes + i * unit));
        }
        if (expectation->unordered) {
            qsort(want, count, sizeof *want, compare_bits);
            qsort(got, count, sizeof *got, compare_bits);
        }
        for (size_t i = 0; i < count; i++) {
            if (!is_near(expectation->scalar, want[i], got[i], expectation->tolerance) && bad++ == 0)
                first = i;
        }
        print_values(&finding->got, expectation->scalar, got, count);
        if (bad != 0)
            ag_strbuf_printf(&finding->got, "; %zu of %zu differ, first value %zu", bad, count, first);
        finding->passed = bad == 0;
    } else {
        ag_strbuf_append(&finding->got, "out of memory");
    }
    free(want);
    free(got);
}

static void print_want(const struct scene_expectation *expectation, struct scene_finding *finding)
{
    print_values(&finding->want, expectation->scalar, expectation->values, expectation->value_count);
    if (expectation->tolerance != 0)
        ag_strbuf_printf(&finding->want, " ulps=%u", expectation->tolerance);
    if (expectation->equal)
        ag_strbuf_append(&finding->want, " equal");
    if (expectation->unordered)
        ag_strbuf_append(&finding->want, " unordered");
}

/* ---- Texels -------------------------------------------------------------------------------------------- */

static bool read_texels(struct scene_run *run, const struct scene_expectation *expectation,
                        struct scene_texels *texels, struct scene_finding *finding)
{
    const struct scene_texel_rect rect = {
        .mip = expectation->mip,
        .layer = expectation->layer,
        .x = expectation->x,
        .y = expectation->y,
        .width = expectation->width,
        .height = expectation->height,
    };
    print_want(expectation, finding);
    return scene_read_texels(run, expectation->handle, &rect, texels, &finding->got);
}

void scene_check_texel(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding)
{
    struct scene_texels texel;
    if (!read_texels(run, expectation, &texel, finding))
        return;
    if (expectation->value_count * ag_text_scalar_bytes(expectation->scalar) > texel.unit)
        ag_strbuf_printf(&finding->got, "a texel has %u bytes", texel.unit);
    else
        judge_values(expectation, texel.bytes, finding);
    free(texel.bytes);
}

/* Tells whether a texel has these values, and stores the values that the texel has in `got`. */
static bool has_values(const struct scene_expectation *expectation, const uint32_t *values, uint32_t count,
                       const uint8_t *texel, uint32_t *got)
{
    const size_t bytes = ag_text_scalar_bytes(expectation->scalar);
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        got[i] = normalise(expectation, load_scalar(expectation->scalar, texel + i * bytes));
        good &=
            is_near(expectation->scalar, normalise(expectation, values[i]), got[i], expectation->tolerance);
    }
    return good;
}

/* Compares every texel with `count` values. The values of a texel begin `stride` values behind those of the
 * texel before; a stride of 0 compares all texels with the same values. */
static void judge_texels(const struct scene_expectation *expectation, const struct scene_texels *texels,
                         uint32_t count, uint32_t stride, struct scene_finding *finding)
{
    const size_t texel_count = (size_t)texels->columns * texels->rows;
    size_t bad = 0;
    for (size_t i = 0; i < texel_count; i++) {
        uint32_t got[SCENE_MAX_TEXEL_BYTES];
        if (has_values(expectation, expectation->values + i * stride, count, texels->bytes + i * texels->unit,
                       got) ||
            bad++ != 0)
            continue;
        print_values(&finding->got, expectation->scalar, got, count);
        ag_strbuf_printf(&finding->got, " in column %zu of row %zu", i % texels->columns,
                         i / texels->columns);
    }
    finding->passed = bad == 0;
    if (bad == 0)
        ag_strbuf_append(&finding->got, "the same");
    else
        ag_strbuf_printf(&finding->got, ", %zu of %zu differ", bad, texel_count);
}

void scene_check_texels(struct scene_run *run, const struct scene_expectation *expectation,
                        struct scene_finding *finding)
{
    const size_t bytes = expectation->value_count * ag_text_scalar_bytes(expectation->scalar);
    struct scene_texels texels;
    if (!read_texels(run, expectation, &texels, finding))
        return;
    const size_t count = (size_t)texels.columns * texels.rows;
    if (bytes <= texels.unit)
        judge_texels(expectation, &texels, expectation->value_count, 0, finding);
    else if (expectation->value_count % count == 0 && bytes / count <= texels.unit)
        judge_texels(expectation, &texels, (uint32_t)(expectation->value_count / count),
                     (uint32_t)(expectation->value_count / count), finding);
    else
        ag_strbuf_printf(&finding->got, "%zu texels of %u bytes", count, texels.unit);
    free(texels.bytes);
}

/* ---- Buffers and guest memory -------------------------------------------------------------------------- */

/* Allocates room for as many bytes as the expectation has values. */
static uint8_t *value_room(const struct scene_expectation *expectation, size_t *size)
{
    *size = expectation->value_count * ag_text_scalar_bytes(expectation->scalar);
    return malloc(*size);
}

void scene_check_buffer(struct scene_run *run, const struct scene_expectation *expectation,
                        struct scene_finding *finding)
{
    size_t size;
    uint8_t *bytes = value_room(expectation, &size);
    print_want(expectation, finding);
    if (bytes == NULL)
        ag_strbuf_append(&finding->got, "out of memory");
    else if (scene_read_buffer(run, expectation->handle, expectation->number, bytes, size, &finding->got))
        judge_values(expectation, bytes, finding);
    free(bytes);
}

void scene_check_mem(struct scene_run *run, const struct scene_expectation *expectation,
                     struct scene_finding *finding)
{
    size_t size;
    uint8_t *bytes = value_room(expectation, &size);
    print_want(expectation, finding);
    if (bytes == NULL)
        ag_strbuf_append(&finding->got, "out of memory");
    else if (!scene_memory_read(&run->memory, expectation->gpa, bytes, size))
        ag_strbuf_append(&finding->got, "past the end of the memory");
    else
        judge_values(expectation, bytes, finding);
    free(bytes);
}
