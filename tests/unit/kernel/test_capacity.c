/* SPDX-License-Identifier: MIT
 *
 * How much a patch can make, from D3D11 functional specification 11.7: counted by hand in its rings.
 */
#include "../../support/test.h"

#include <math.h>

#include "base/bytes.h"
#include "tessellator_names.h"

static void test_capacity(void **state)
{
    static const struct {
        struct ag_tessellation tessellation;
        struct ag_tessellation_capacity capacity;
    } rows[] = {
        {{TRI, INTEGER, CW, 1, 3},        {3, 1, 3}      },
        {{TRI, INTEGER, CW, 1.5F, 3},     {7, 6, 3}      },
        {{TRI, INTEGER, CCW, 2, 3},       {7, 6, 3}      },
        {{TRI, POW2, CW, 3, 3},           {12, 13, 3}    },
        {{TRI, INTEGER, CW, 4, 3},        {19, 24, 3}    },
        {{TRI, INTEGER, POINT, 4, 3},     {19, 19, 1}    },
        {{TRI, INTEGER, CW, 64, 3},       {3169, 6144, 3}},
        {{TRI, INTEGER, CW, 0, 3},        {3169, 6144, 3}}, /* nothing declared */
        {{TRI, INTEGER, CW, 1000, 3},     {3169, 6144, 3}},
        {{TRI, INTEGER, CW, NAN, 3},      {3169, 6144, 3}},
        {{TRI, ODD, CW, 1, 3},            {3, 1, 3}      },
        {{TRI, ODD, CW, 1.5F, 3},         {12, 13, 3}    },
        {{TRI, ODD, CW, 3, 3},            {12, 13, 3}    },
        {{TRI, ODD, CW, 64, 3},           {3072, 5953, 3}}, /* 63 */
        {{TRI, EVEN, CW, 1, 3},           {7, 6, 3}      }, /* never less than 2 */
        {{TRI, EVEN, CW, 2.5F, 3},        {19, 24, 3}    },
        {{QUAD, INTEGER, CW, 1, 4},       {4, 2, 3}      },
        {{QUAD, INTEGER, CW, 2, 4},       {9, 8, 3}      },
        {{QUAD, INTEGER, CW, 3, 4},       {16, 18, 3}    },
        {{QUAD, EVEN, CW, 3, 4},          {25, 32, 3}    },
        {{QUAD, EVEN, POINT, 64, 4},      {4225, 4225, 1}},
        {{QUAD, EVEN, CCW, 64, 4},        {4225, 8192, 3}},
        {{QUAD, ODD, CW, 64, 4},          {4096, 7938, 3}},
        {{ISOLINE, INTEGER, LINE, 3, 2},  {12, 9, 2}     },
        {{ISOLINE, INTEGER, POINT, 3, 2}, {12, 12, 1}    },
        {{ISOLINE, ODD, LINE, 2, 2},      {8, 6, 2}      }, /* the density is a whole number: 2 lines of 3 */
        {{ISOLINE, EVEN, LINE, 64, 2},    {4160, 4096, 2}},
    };
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(rows); i++) {
        struct ag_tessellation_capacity capacity;
        ag_tessellation_capacity(&rows[i].tessellation, &capacity);
        if (capacity.points != rows[i].capacity.points || capacity.primitives != rows[i].capacity.primitives)
            print_error("row %zu: %d points, %d primitives\n", i, (int)capacity.points,
                        (int)capacity.primitives);
        assert_int_equal(capacity.points, rows[i].capacity.points);
        assert_int_equal(capacity.primitives, rows[i].capacity.primitives);
        assert_int_equal(capacity.vertices, rows[i].capacity.vertices);
    }
}

static void test_valid(void **state)
{
    (void)state;
    for (int domain = ISOLINE; domain <= (int)QUAD; domain++) {
        for (int output = POINT; output <= (int)CCW; output++) {
            const struct ag_tessellation tessellation = {.domain = (enum ag_tessellator_domain)domain,
                                                         .partitioning = INTEGER,
                                                         .output = (enum ag_tessellator_output)output};
            const bool valid = output == POINT || (output == LINE) == (domain == ISOLINE);
            assert_int_equal(ag_tessellation_valid(&tessellation), valid);
        }
    }
}

static void test_block(void **state)
{
    static const struct ag_tessellation tessellation = {QUAD, ODD, CCW, 2.5F, 7};
    uint8_t block[AG_TESSELLATION_BLOCK_BYTES];
    (void)state;
    const struct ag_tessellator_part part = {.patches = 5000, .steps = 9, .points = 70, .primitives = 80};
    ag_tessellation_block(&tessellation, &part, 4, 6, block);
    const uint32_t words[] = {3, 3, 4, 0x40200000, 8, 6, 5000, 9, 4, 5, 70, 80};
    for (size_t i = 0; i < AG_COUNT_OF(words); i++)
        assert_int_equal(ag_load_u32(block + 4 * i), words[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
