/* SPDX-License-Identifier: MIT
 *
 * What holds for all factors (D3D11 functional specification 11.7.2, 11.7.13): triangles cover the domain
 * exactly once, each line between two inside triangles is used once in either direction, and the points of an
 * edge depend on nothing but its own factor; and the lists are those of the specification's reference, of
 * which there are digests: usage: test_properties driver
 */
#include "tessellate.h"

#include "../../support/test.h"

#include <math.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "tessellator_names.h"

enum { PATCHES = 48, MAX_SIDES = 4 };

static struct driver driver;
static uint32_t random_state = 1;

static uint32_t random_below(uint32_t end)
{
    random_state = random_state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)random_state * end) >> 32);
}

/* Small, large, whole, just above a whole number, and beyond what there is. */
static float random_factor(void)
{
    const float fraction = (float)random_below(1 << 16) / 65536;
    switch (random_below(6)) {
    case 0:
        return (float)(1 + random_below(8));
    case 1:
        return 1 + 7 * fraction;
    case 2:
        return (float)(1 + random_below(64));
    case 3:
        return 1 + 63 * fraction;
    case 4:
        return (float)(1 + random_below(16)) + 1.0F / 65536;
    default:
        return random_below(8) == 0 ? 1000.0F : 0.01F + 2 * fraction;
    }
}

static int64_t place(float coordinate)
{
    const float scaled = coordinate * 65536;
    assert_true(scaled >= 0 && scaled <= 65536 && floorf(scaled) == scaled);
    return (int64_t)scaled;
}

/* The primitives and points of one patch. */
struct patch {
    const struct domain_point *points;
    uint32_t first_point, point_count;
    const uint32_t *triangles; /* {SV_PrimitiveID, three points} */
    uint32_t triangle_count;
};

/* Patch n of the lists, after patch n - 1 in `patch`. */
static void next_patch(const struct tessellate_result *result, uint32_t n, struct patch *patch)
{
    if (n == 0)
        *patch = (struct patch){.triangles = result->primitives};
    patch->first_point += patch->point_count;
    patch->triangles += (size_t)patch->triangle_count * result->words;
    patch->points = result->points + patch->first_point;
    patch->point_count = patch->triangle_count = 0;
    while (patch->first_point + patch->point_count < result->point_count &&
           patch->points[patch->point_count].patch == n)
        patch->point_count++;
    const uint32_t *end = result->primitives + (size_t)result->primitive_count * result->words;
    for (const uint32_t *t = patch->triangles; t < end && *t == 100 + n; t += result->words)
        patch->triangle_count++;
    assert_true(patch->point_count <= result->capacity.points);
    assert_true(patch->triangle_count <= result->capacity.primitives);
}

/* ---- Coverage ----------------------------------------------------------------------------------------- */

static int64_t doubled_area(const struct domain_point *a, const struct domain_point *b,
                            const struct domain_point *c)
{
    return (place(b->u) - place(a->u)) * (place(c->v) - place(a->v)) -
           (place(b->v) - place(a->v)) * (place(c->u) - place(a->u));
}

static void check_areas(const struct patch *patch, enum ag_tessellator_domain domain, int sign)
{
    int64_t sum = 0;
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        const struct domain_point *corners[3];
        for (uint32_t c = 0; c < 3; c++) {
            const uint32_t number = patch->triangles[4 * t + 1 + c] - patch->first_point;
            assert_true(number < patch->point_count);
            corners[c] = &patch->points[number];
        }
        const int64_t area = doubled_area(corners[0], corners[1], corners[2]);
        assert_true(area * sign > -65536); /* rounding may turn over a sliver, less than one step thin */
        sum += area;
    }
    const int64_t square = INT64_C(65536) * 65536;
    assert_true(sum * sign == (domain == AG_DOMAIN_TRI ? square : 2 * square));
}

static int compare_lines(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Directed lines of all triangles: each at most once; those without a partner are the outline. */
static void check_lines(const struct patch *patch, uint32_t outline)
{
    const size_t count = (size_t)patch->triangle_count * 3;
    uint64_t *lines = malloc(count * sizeof *lines);
    assert_non_null(lines);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *corners = patch->triangles + 4 * (i / 3) + 1;
        lines[i] = (uint64_t)corners[i % 3] << 32 | corners[(i + 1) % 3];
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    uint32_t alone = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t back = lines[i] << 32 | lines[i] >> 32;
        assert_true(i == 0 || lines[i] != lines[i - 1]);
        alone += bsearch(&back, lines, count, sizeof *lines, compare_lines) == NULL;
    }
    assert_int_equal(alone, outline);
    free(lines);
}

/* ---- Edges -------------------------------------------------------------------------------------------- */

/* Where a point is along an edge of its domain, or -1 if it is not on it. */
static int64_t along_edge(enum ag_tessellator_domain domain, uint32_t edge, const struct domain_point *point)
{
    const int64_t u = place(point->u), v = place(point->v);
    if (domain == AG_DOMAIN_TRI && edge == 2)
        return u + v == 65536 ? u : -1;
    switch (edge) {
    case 0:
        return u == 0 ? v : -1;
    case 1:
        return v == 0 ? u : -1;
    case 2:
        return u == 65536 ? v : -1;
    default:
        return v == 65536 ? u : -1;
    }
}

/* The points of ring 0 that begin with `first` are where those of an isoline with the edge's factor are, and
 * so do not depend on other factors; from either end they are the same. */
static void check_edge(const struct patch *patch, enum ag_tessellator_domain domain, uint32_t edge,
                       uint32_t first, uint32_t outline, const struct patch *axis)
{
    const bool rises = edge == 1 || (edge == 2 && domain == AG_DOMAIN_QUAD);
    const uint32_t last = axis->point_count - 1;
    for (uint32_t i = 0; i <= last; i++) {
        const struct domain_point *point = &patch->points[(first + i) % outline];
        const int64_t at = place(axis->points[rises ? i : last - i].u);
        assert_true(along_edge(domain, edge, point) == at);
        assert_true(at == 65536 - place(axis->points[rises ? last - i : i].u));
    }
}

/* ---- Runs --------------------------------------------------------------------------------------------- */

static void run_domain(enum ag_tessellator_domain domain, enum ag_tessellator_partitioning partitioning,
                       enum ag_tessellator_output output)
{
    const uint32_t sides = domain == AG_DOMAIN_TRI ? 3 : 4;
    const struct ag_tessellation tessellation = {
        .domain = domain, .partitioning = partitioning, .output = output, .control_points = 32};
    const struct ag_tessellation line = {.domain = AG_DOMAIN_ISOLINE,
                                         .partitioning = partitioning,
                                         .output = AG_TESSELLATOR_LINE,
                                         .control_points = 1};
    struct patch_factors factors[PATCHES], edges[PATCHES * MAX_SIDES];
    struct tessellate_result result, axes;
    struct patch patch, line_patch, axis[MAX_SIDES];
    for (uint32_t i = 0; i < PATCHES; i++) {
        for (uint32_t edge = 0; edge < MAX_SIDES; edge++) {
            factors[i].edges[edge] = random_factor();
            edges[i * MAX_SIDES + edge] = (struct patch_factors){
                {1, factors[i].edges[edge]},
                {0}
            };
        }
        factors[i].inside[0] = random_factor();
        factors[i].inside[1] = random_factor();
    }
    tessellate(&driver, &tessellation, factors, PATCHES, &result);
    tessellate(&driver, &line, edges, PATCHES * MAX_SIDES, &axes);
    for (uint32_t i = 0; i < PATCHES; i++) {
        uint32_t outline = 0, first = 0;
        next_patch(&result, i, &patch);
        check_areas(&patch, domain, output == AG_TESSELLATOR_TRIANGLE_CW ? 1 : -1);
        for (uint32_t edge = 0; edge < MAX_SIDES; edge++) {
            next_patch(&axes, i * MAX_SIDES + edge, &line_patch);
            axis[edge] = line_patch;
            outline += edge < sides ? axis[edge].point_count - 1 : 0;
        }
        /* An undivided quad has an order of its own. */
        for (uint32_t edge = 0; edge < sides && patch.point_count > 4; edge++) {
            check_edge(&patch, domain, edge, first, outline, &axis[edge]);
            first += axis[edge].point_count - 1;
        }
        check_lines(&patch, outline);
    }
    tessellate_free(&axes);
    tessellate_free(&result);
}

static void test_coverage(void **state)
{
    (void)state;
    for (int domain = AG_DOMAIN_TRI; domain <= (int)AG_DOMAIN_QUAD; domain++) {
        for (int partitioning = AG_PARTITIONING_INTEGER; partitioning <= (int)AG_PARTITIONING_FRACTIONAL_EVEN;
             partitioning++) {
            run_domain((enum ag_tessellator_domain)domain, (enum ag_tessellator_partitioning)partitioning,
                       AG_TESSELLATOR_TRIANGLE_CW);
            run_domain((enum ag_tessellator_domain)domain, (enum ag_tessellator_partitioning)partitioning,
                       AG_TESSELLATOR_TRIANGLE_CCW);
        }
    }
}

/* FNV-1a of words. */
static uint64_t digest_add(uint64_t digest, uint32_t word)
{
    return (digest ^ word) * UINT64_C(1099511628211);
}

/* What the specification's reference (11.7.1: tessellator.cpp) makes of the same factors. */
static void test_reference(void **state)
{
    static const struct {
        enum ag_tessellator_domain domain;
        enum ag_tessellator_partitioning partitioning;
        uint64_t points, primitives;
    } rows[] = {
        {ISOLINE, INTEGER, UINT64_C(0xFC99C32B9A80BEED), UINT64_C(0xD5818FD28627C58E)},
        {ISOLINE, ODD,     UINT64_C(0x8440F85C350AC1E5), UINT64_C(0xC99A2D88956CCCBD)},
        {ISOLINE, EVEN,    UINT64_C(0x446D179F3A611E55), UINT64_C(0x8EE385402B15BCAD)},
        {TRI,     INTEGER, UINT64_C(0x9AFDF817B5382945), UINT64_C(0xE89E3538335958C7)},
        {TRI,     ODD,     UINT64_C(0x0B4E3A1BC92D0FB5), UINT64_C(0xA98A2CD28B865C4B)},
        {TRI,     EVEN,    UINT64_C(0x89BCF952312976B5), UINT64_C(0x91F52433AD815C37)},
        {QUAD,    INTEGER, UINT64_C(0x7184B07FE86DA945), UINT64_C(0x912DBB6308B3AE12)},
        {QUAD,    ODD,     UINT64_C(0xAFBFB4F226F33855), UINT64_C(0x7DA9D619C650F2C1)},
        {QUAD,    EVEN,    UINT64_C(0xD379AF8B873E1EC5), UINT64_C(0x223BDB9FF7BCB767)},
    };
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(rows); i++) {
        const struct ag_tessellation tessellation = {.domain = rows[i].domain,
                                                     .partitioning = rows[i].partitioning,
                                                     .output = rows[i].domain == ISOLINE ? LINE : CW,
                                                     .control_points = 3};
        uint64_t points = UINT64_C(14695981039346656037), primitives = points;
        struct patch_factors factors[PATCHES];
        struct tessellate_result result;
        random_state = 1;
        for (uint32_t p = 0; p < PATCHES; p++) {
            for (uint32_t edge = 0; edge < MAX_SIDES; edge++)
                factors[p].edges[edge] = random_factor();
            for (uint32_t axis = 0; axis < 2; axis++)
                factors[p].inside[axis] = random_factor();
        }
        tessellate(&driver, &tessellation, factors, PATCHES, &result);
        for (uint32_t p = 0; p < result.point_count; p++) {
            points = digest_add(points, ag_bits_from_float(result.points[p].u));
            points = digest_add(points, ag_bits_from_float(result.points[p].v));
        }
        for (uint32_t w = 0; w < result.primitive_count * result.words; w++)
            if (w % result.words != 0)
                primitives = digest_add(primitives, result.primitives[w]);
        assert_int_equal(points, rows[i].points);
        assert_int_equal(primitives, rows[i].primitives);
        tessellate_free(&result);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_coverage), cmocka_unit_test(test_reference)};
    const int opened = driver_open(argc, argv, &driver);
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    driver_close(&driver);
    return failed;
}
