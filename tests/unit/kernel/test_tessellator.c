/* SPDX-License-Identifier: MIT
 *
 * What the tessellator makes of given factors: usage: test_tessellator driver
 *
 * Expectations follow D3D11 functional specification 11.7: where points are from the factor and the
 * partitioning (in units of 1/65536), their order from ring 0 inwards, one side after the other.
 */
#include "tessellate.h"

#include "../../support/test.h"

#include <math.h>

#include "base/bytes.h"
#include "tessellator_names.h"

static struct driver driver;

static void run(enum ag_tessellator_domain domain, enum ag_tessellator_partitioning partitioning,
                enum ag_tessellator_output output, const struct patch_factors *factors, uint32_t patches,
                struct tessellate_result *result)
{
    const struct ag_tessellation tessellation = {
        .domain = domain, .partitioning = partitioning, .output = output, .control_points = 3};
    tessellate(&driver, &tessellation, factors, patches, result);
}

static void expect_points(const struct tessellate_result *result, const uint32_t (*places)[2], uint32_t count)
{
    assert_int_equal(result->point_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(ag_bits_from_float(result->points[i].u),
                         ag_bits_from_float((float)places[i][0] / 65536));
        assert_int_equal(ag_bits_from_float(result->points[i].v),
                         ag_bits_from_float((float)places[i][1] / 65536));
        assert_int_equal(result->points[i].patch, 0);
        assert_int_equal(result->points[i].primitive_id, 100);
    }
}

/* `corners` has result->words - 1 points for each primitive. */
static void expect_primitives(const struct tessellate_result *result, const uint32_t *corners, uint32_t count)
{
    assert_int_equal(result->primitive_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(result->primitives[i * result->words], 100);
        for (uint32_t c = 1; c < result->words; c++)
            assert_int_equal(result->primitives[i * result->words + c], *corners++);
    }
}

/* ---- One axis ----------------------------------------------------------------------------------------- */

/* The points of an edge, which those of an isoline show. */
static void test_axis(void **state)
{
    static const struct {
        enum ag_tessellator_partitioning partitioning;
        float factor;
        uint32_t count, places[9];
    } rows[] = {
        {INTEGER, 1,     2, {0, 65536}                                   },
        {INTEGER, 2,     3, {0, 32768, 65536}                            },
        {INTEGER, 3,     4, {0, 21845, 43691, 65536}                     },
        {INTEGER, 2.25F, 4, {0, 21845, 43691, 65536}                     },
        {POW2,    4,     5, {0, 16384, 32768, 49152, 65536}              },
        {POW2,    2.25F, 4, {0, 21845, 43691, 65536}                     },
        {INTEGER, 0.25F, 2, {0, 65536}                                   },
        {ODD,     1,     2, {0, 65536}                                   },
        {ODD,     0.5F,  2, {0, 65536}                                   },
        {ODD,     1.5F,  4, {0, 5461, 60075, 65536}                      },
        {ODD,     2.5F,  4, {0, 16384, 49152, 65536}                     },
        {ODD,     3,     4, {0, 21845, 43691, 65536}                     },
        {ODD,     3.5F,  6, {0, 19661, 22937, 42599, 45875, 65536}       },
        {EVEN,    1,     3, {0, 32768, 65536}                            },
        {EVEN,    2,     3, {0, 32768, 65536}                            },
        {EVEN,    2.5F,  5, {0, 28672, 32768, 36864, 65536}              },
        {EVEN,    4,     5, {0, 16384, 32768, 49152, 65536}              },
        {EVEN,    5,     7, {0, 13654, 19115, 32768, 46421, 51882, 65536}},
    };
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(rows); i++) {
        const struct patch_factors factors = {
            {1, rows[i].factor},
            {0}
        };
        struct tessellate_result result;
        uint32_t places[9][2] = {{0}};
        for (uint32_t p = 0; p < rows[i].count; p++)
            places[p][0] = rows[i].places[p];
        run(ISOLINE, rows[i].partitioning, POINT, &factors, 1, &result);
        expect_points(&result, (const uint32_t(*)[2])places, rows[i].count);
        tessellate_free(&result);
    }
}

/* ---- Small patches, in full --------------------------------------------------------------------------- */

static void test_whole_triangle(void **state)
{
    static const enum ag_tessellator_partitioning partitionings[] = {INTEGER, POW2, ODD};
    static const uint32_t places[][2] = {
        {0,     65536},
        {0,     0    },
        {65536, 0    }
    };
    static const uint32_t clockwise[] = {0, 1, 2}, counterclockwise[] = {0, 2, 1};
    const struct patch_factors factors = {
        {1,  1, 1},
        {1}
    };
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(partitionings); i++) {
        struct tessellate_result result;
        run(TRI, partitionings[i], CW, &factors, 1, &result);
        expect_points(&result, places, 3);
        expect_primitives(&result, clockwise, 1);
        tessellate_free(&result);
        run(TRI, partitionings[i], CCW, &factors, 1, &result);
        expect_points(&result, places, 3);
        expect_primitives(&result, counterclockwise, 1);
        tessellate_free(&result);
    }
}

static void test_whole_quad(void **state)
{
    static const uint32_t places[][2] = {
        {0,     0    },
        {65536, 0    },
        {65536, 65536},
        {0,     65536}
    };
    static const uint32_t clockwise[] = {0, 1, 3, 1, 2, 3}, points[] = {0, 1, 2, 3};
    const struct patch_factors factors = {
        {1,  1, 1, 1},
        {1, 1 }
    };
    struct tessellate_result result;
    (void)state;
    run(QUAD, ODD, CW, &factors, 1, &result);
    expect_points(&result, places, 4);
    expect_primitives(&result, clockwise, 2);
    tessellate_free(&result);
    run(QUAD, INTEGER, POINT, &factors, 1, &result);
    expect_points(&result, places, 4);
    expect_primitives(&result, points, 4);
    tessellate_free(&result);
}

/* The middle is one point, a third of each corner; a fan around it. */
static void test_triangle_of_2(void **state)
{
    static const uint32_t places[][2] = {
        {0,      65536 },
        {0,      32768 },
        {0,      0     },
        {32768,  0     },
        {65536,  0     },
        {32768,  32768 },
        {0x5555, 0x5555}
    };
    static const uint32_t fan[] = {0, 1, 6, 1, 2, 6, 2, 3, 6, 3, 4, 6, 4, 5, 6, 5, 0, 6};
    const struct patch_factors factors = {
        {2,  2, 2},
        {2}
    };
    struct tessellate_result result;
    (void)state;
    run(TRI, EVEN, CW, &factors, 1, &result);
    expect_points(&result, places, 7);
    expect_primitives(&result, fan, 6);
    tessellate_free(&result);
    run(TRI, INTEGER, CW, &factors, 1, &result);
    expect_points(&result, places, 7);
    expect_primitives(&result, fan, 6);
    tessellate_free(&result);
}

/* An inside factor of 1 counts as even when an edge is divided: the same middle, fewer points around it. */
static void test_triangle_with_one_divided_edge(void **state)
{
    static const uint32_t places[][2] = {
        {0,      65536 },
        {0,      32768 },
        {0,      0     },
        {65536,  0     },
        {0x5555, 0x5555}
    };
    static const uint32_t fan[] = {0, 1, 4, 1, 2, 4, 4, 2, 3, 4, 3, 0};
    const struct patch_factors factors = {
        {2,  1, 1},
        {1}
    };
    struct tessellate_result result;
    (void)state;
    run(TRI, INTEGER, CW, &factors, 1, &result);
    expect_points(&result, places, 5);
    expect_primitives(&result, fan, 4);
    tessellate_free(&result);
}

/* Ring 1 is a triangle at two thirds of a third from the edges. */
static void test_triangle_of_3(void **state)
{
    const uint32_t t = 21845, depth = 14563; /* two thirds of t */
    const uint32_t near = t - (depth + 1) / 2, far = 43691 - (depth + 1) / 2;
    const uint32_t places[][2] = {
        {0,     65536              },
        {0,     43691              },
        {0,     t                  },
        {0,     0                  },
        {t,     0                  },
        {43691, 0                  },
        {65536, 0                  },
        {43691, t                  },
        {t,     43691              },
        {depth, far                },
        {near,  depth              },
        {far,   65536 - far - depth},
    };
    const struct patch_factors factors = {
        {3,  3, 3},
        {3}
    };
    struct tessellate_result result;
    (void)state;
    run(TRI, ODD, CW, &factors, 1, &result);
    expect_points(&result, places, 12);
    assert_int_equal(result.primitive_count, 13);
    assert_int_equal(result.primitives[12 * 4 + 1], 9);
    assert_int_equal(result.primitives[12 * 4 + 2], 10);
    assert_int_equal(result.primitives[12 * 4 + 3], 11);
    tessellate_free(&result);
}

static void test_quad_of_2(void **state)
{
    static const uint32_t places[][2] = {
        {0,     65536},
        {0,     32768},
        {0,     0    },
        {32768, 0    },
        {65536, 0    },
        {65536, 32768},
        {65536, 65536},
        {32768, 65536},
        {32768, 32768}
    };
    static const uint32_t fan[] = {0, 1, 8, 1, 2, 8, 2, 3, 8, 3, 4, 8, 4, 5, 8, 5, 6, 8, 6, 7, 8, 7, 0, 8};
    const struct patch_factors factors = {
        {2,  2, 2, 2},
        {2, 2 }
    };
    struct tessellate_result result;
    (void)state;
    run(QUAD, EVEN, CW, &factors, 1, &result);
    expect_points(&result, places, 9);
    expect_primitives(&result, fan, 8);
    tessellate_free(&result);
}

/* U is divided in 4, V in 2: the middle is a row of three points. */
static void test_wide_quad(void **state)
{
    static const uint32_t places[][2] = {
        {0,     65536},
        {0,     0    },
        {65536, 0    },
        {65536, 65536},
        {16384, 32768},
        {32768, 32768},
        {49152, 32768},
    };
    static const uint32_t triangles[] = {4, 0, 1, 4, 1, 5, 5, 1, 2, 5, 2, 6,
                                         6, 2, 3, 6, 3, 5, 5, 3, 0, 5, 0, 4};
    const struct patch_factors factors = {
        {1,  1, 1, 1},
        {4, 2 }
    };
    struct tessellate_result result;
    (void)state;
    run(QUAD, INTEGER, CW, &factors, 1, &result);
    expect_points(&result, places, 7);
    expect_primitives(&result, triangles, 8);
    tessellate_free(&result);
}

static void test_isolines(void **state)
{
    static const uint32_t places[][2] = {
        {0,     0    },
        {21845, 0    },
        {43691, 0    },
        {65536, 0    },
        {0,     32768},
        {21845, 32768},
        {43691, 32768},
        {65536, 32768}
    };
    static const uint32_t lines[] = {0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7};
    const struct patch_factors factors = {
        {1.5F, 3  },
        {NAN,  NAN}
    };
    struct tessellate_result result;
    (void)state;
    run(ISOLINE, ODD, LINE, &factors, 1, &result); /* the density is 2: its partitioning is integer */
    expect_points(&result, places, 8);
    expect_primitives(&result, lines, 6);
    tessellate_free(&result);
}

/* ---- Factors ------------------------------------------------------------------------------------------ */

static void test_counts(void **state)
{
    static const struct {
        enum ag_tessellator_domain domain;
        enum ag_tessellator_partitioning partitioning;
        struct patch_factors factors;
        uint32_t points, triangles;
    } rows[] = {
        {TRI,  INTEGER, {{3, 3, 3}, {3}},             12,   13  },
        {TRI,  INTEGER, {{2.25F, 3, 3}, {2.5F}},      12,   13  },
        {TRI,  INTEGER, {{4, 4, 4}, {4}},             19,   24  },
        {TRI,  INTEGER, {{64, 64, 64}, {64}},         3169, 6144},
        {TRI,  INTEGER, {{100, INFINITY, 64}, {65}},  3169, 6144},
        {TRI,  INTEGER, {{1, 1, 1}, {2}},             4,    3   },
        {TRI,  INTEGER, {{1, 1, 1}, {NAN}},           3,    1   },
        {TRI,  INTEGER, {{1, 1, 1}, {-5}},            3,    1   },
        {TRI,  INTEGER, {{1, 1, 1}, {-INFINITY}},     3,    1   },
        {TRI,  INTEGER, {{0.5F, 0.25F, 1e-30F}, {0}}, 3,    1   },
        {TRI,  ODD,     {{2, 2, 2}, {2}},             12,   13  },
        {TRI,  ODD,     {{64, 64, 64}, {64}},         3072, 5953},
        {TRI,  ODD,     {{1, 1, 1}, {1.5F}},          6,    7   }, /* a ring inside of three points */
        {TRI,  ODD,     {{1.5F, 1, 1}, {1}},          8,    9   }, /* the inside is a little more than 1 */
        {TRI,  ODD,     {{1.0000038F, 1, 1}, {1}},    3,    1   }, /* half of half a step */
        {TRI,  ODD,     {{1.0000153F, 1, 1}, {1}},    8,    9   }, /* one step */
        {TRI,  EVEN,    {{1, 1, 1}, {1}},             7,    6   },
        {TRI,  EVEN,    {{NAN, 1, 1}, {1}},           0,    0   },
        {QUAD, INTEGER, {{3, 3, 3, 3}, {3, 3}},       16,   18  },
        {QUAD, INTEGER, {{64, 64, 64, 64}, {64, 64}}, 4225, 8192},
        {QUAD, INTEGER, {{1, 1, 1, 1}, {1, 2}},       5,    4   }, /* both are even: one point in the middle */
        {QUAD, INTEGER, {{1, 1, 1, 1}, {NAN, 0}},     4,    2   },
        {QUAD, EVEN,    {{3, 3, 3, 3}, {3, 3}},       25,   32  },
        {QUAD, ODD,     {{1, 1, 1, 1}, {1, 3}},       8,    10  }, /* U is a little more than 1 */
        {QUAD, POW2,    {{4, 4, 4, 4}, {4, 4}},       25,   32  },
    };
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(rows); i++) {
        struct tessellate_result result;
        run(rows[i].domain, rows[i].partitioning, CW, &rows[i].factors, 1, &result);
        if (result.point_count != rows[i].points || result.primitive_count != rows[i].triangles)
            print_error("row %zu\n", i);
        assert_int_equal(result.point_count, rows[i].points);
        assert_int_equal(result.primitive_count, rows[i].triangles);
        tessellate_free(&result);
    }
}

/* A hull shader's promise bounds what its factors can ask for. */
static void test_max_factor(void **state)
{
    static const struct patch_factors factors = {
        {64,  64, 64, 64},
        {64, 64  }
    };
    const struct ag_tessellation tessellation = {
        .domain = QUAD, .partitioning = EVEN, .output = CW, .max_factor = 3, .control_points = 1};
    struct tessellate_result result;
    (void)state;
    tessellate(&driver, &tessellation, &factors, 1, &result);
    assert_int_equal(result.point_count, 25);
    assert_int_equal(result.primitive_count, 32);
    tessellate_free(&result);
}

/* ---- Several patches ---------------------------------------------------------------------------------- */

static void test_culled(void **state)
{
    static const struct patch_factors factors[] = {
        {{1, 1, 1},         {1}},
        {{0, 1, 1},         {1}},
        {{1, -0.0F, 1},     {1}},
        {{1, 1, -2},        {1}},
        {{NAN, 1, 1},       {1}},
        {{1, 1, NAN},       {1}},
        {{1, -INFINITY, 1}, {1}},
        {{2, 1, 1},         {1}},
    };
    struct tessellate_result result;
    (void)state;
    run(TRI, INTEGER, CW, factors, AG_COUNT_OF(factors), &result);
    assert_int_equal(result.point_count, 3 + 5);
    assert_int_equal(result.primitive_count, 1 + 4);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(result.points[i].patch, i < 3 ? 0 : 7);
        assert_int_equal(result.points[i].primitive_id, i < 3 ? 100 : 107);
    }
    assert_int_equal(result.primitives[0], 100);
    assert_int_equal(result.primitives[4], 107);
    assert_int_equal(result.primitives[5], 3); /* its points come after those of patch 0 */
    tessellate_free(&result);
}

static void test_culled_isolines(void **state)
{
    static const struct patch_factors factors[] = {
        {{0, 1},   {0}},
        {{1, NAN}, {0}},
        {{-1, 1},  {0}},
        {{1, 0},   {0}}
    };
    struct tessellate_result result;
    (void)state;
    run(ISOLINE, EVEN, LINE, factors, AG_COUNT_OF(factors), &result);
    assert_int_equal(result.point_count, 0);
    assert_int_equal(result.primitive_count, 0);
    assert_int_equal(result.point_header[1], 0);
    assert_int_equal(result.primitive_header[1], 0);
    tessellate_free(&result);
}

#define MOST_PATCHES 17000

/* Groups of patches of different sizes, and the dispatches for what follows. */
static void make_many(uint32_t patches)
{
    const struct ag_tessellation tessellation = {
        .domain = TRI, .partitioning = INTEGER, .output = CW, .max_factor = 2, .control_points = 3};
    static struct patch_factors factors[MOST_PATCHES];
    struct tessellate_result result;
    uint32_t point = 0, triangle = 0;
    for (uint32_t i = 0; i < patches; i++) {
        const float factor = (float)(i % 3); /* nothing, a triangle, six */
        factors[i] = (struct patch_factors){
            {factor,  factor, factor},
            {factor}
        };
    }
    tessellate(&driver, &tessellation, factors, patches, &result);
    for (uint32_t i = 0; i < patches; i++) {
        static const uint32_t points[] = {0, 3, 7}, triangles[] = {0, 1, 6};
        const uint32_t first = point;
        for (uint32_t p = 0; p < points[i % 3]; p++, point++)
            assert_int_equal(result.points[point].patch, i);
        for (uint32_t t = 0; t < triangles[i % 3]; t++, triangle++) {
            assert_int_equal(result.primitives[4 * triangle], 100 + i);
            assert_int_equal(result.primitives[4 * triangle + 1], first + t);
        }
    }
    assert_int_equal(result.point_count, point);
    assert_int_equal(result.primitive_count, triangle);
    assert_int_equal(result.point_header[1], (point + 63) / 64);
    assert_int_equal(result.point_header[2], 1);
    assert_int_equal(result.point_header[3], 1);
    assert_int_equal(result.primitive_header[1], (triangle + 63) / 64);
    assert_int_equal(result.arguments[0], triangle * DRAWN_VERTICES);
    assert_int_equal(result.arguments[1], 1);
    assert_int_equal(result.arguments[2], 0);
    assert_int_equal(result.arguments[3], 0);
    tessellate_free(&result);
}

/* As many as `place` is for; of which workgroups add up groups, to the last of them; and few. */
static void test_many_patches(void **state)
{
    (void)state;
    make_many(MOST_PATCHES);
    make_many(16384);
    make_many(5000);
    make_many(65);
    make_many(64);
}

/* Patches that are not divided keep their places, also where they are culled. */
static void test_fixed_places(void **state)
{
    enum { PATCHES = 300 };
    const struct ag_tessellation tessellation = {.domain = QUAD,
                                                 .partitioning = INTEGER,
                                                 .output = CCW,
                                                 .max_factor = 1,
                                                 .control_points = 4,
                                                 .has_fixed_places = true};
    static struct patch_factors factors[PATCHES];
    struct tessellate_result result;
    (void)state;
    for (uint32_t i = 0; i < PATCHES; i++)
        factors[i] = (struct patch_factors){
            {1,                   i % 3 == 1 ? NAN : 1, 5, i % 3 == 2 ? 0 : 1},
            {1, 0                    }
        };
    tessellate(&driver, &tessellation, factors, PATCHES, &result);
    assert_int_equal(result.point_count, 4 * PATCHES);
    assert_int_equal(result.primitive_count, 2 * PATCHES);
    for (uint32_t i = 0; i < PATCHES; i++) {
        static const uint32_t corners[2][3] = {
            {0, 3, 1},
            {1, 3, 2}
        };
        for (uint32_t p = 0; p < 4; p++)
            assert_int_equal(result.points[4 * i + p].patch, i);
        for (uint32_t t = 0; t < 2; t++) {
            const uint32_t *const primitive = &result.primitives[4 * (2 * i + t)];
            assert_int_equal(primitive[0], 100 + i);
            for (uint32_t c = 0; c < 3; c++)
                assert_int_equal(primitive[1 + c], 4 * i + (i % 3 == 0 ? corners[t][c] : 0));
        }
    }
    tessellate_free(&result);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axis),
        cmocka_unit_test(test_whole_triangle),
        cmocka_unit_test(test_whole_quad),
        cmocka_unit_test(test_triangle_of_2),
        cmocka_unit_test(test_triangle_with_one_divided_edge),
        cmocka_unit_test(test_triangle_of_3),
        cmocka_unit_test(test_quad_of_2),
        cmocka_unit_test(test_wide_quad),
        cmocka_unit_test(test_isolines),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_max_factor),
        cmocka_unit_test(test_culled),
        cmocka_unit_test(test_culled_isolines),
        cmocka_unit_test(test_many_patches),
        cmocka_unit_test(test_fixed_places),
    };
    const int opened = driver_open(argc, argv, &driver);
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    driver_close(&driver);
    return failed;
}
