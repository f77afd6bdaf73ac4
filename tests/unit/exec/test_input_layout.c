/* SPDX-License-Identifier: MIT
 *
 * Input layouts against vertex shader signatures, and the intervals of dirty bytes. No GPU.
 */
#include "../../support/test.h"

#include <stdlib.h>
#include <string.h>

#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/input_layout.h"
#include "exec/object/objects.h"
#include "exec/object/objects_life.h"
#include "format/format.h"

static struct ag_host host;
static struct ag_objects objects;
static struct agpu_diag last;

static void remember(void *user, const struct agpu_diag *diag)
{
    (void)user;
    last = *diag;
}

static int set_up(void **state)
{
    (void)state;
    ag_map_fini(&objects.input_layouts); /* of the test before */
    memset(&host, 0, sizeof host);
    host.host_memory.limit_bytes = UINT64_MAX;
    ag_reporter_init(&host);
    host.reports.embedder = (struct agpu_diag_sink){.report = remember};
    ag_objects_init(&objects, &host);
    return 0;
}

#define POSITION 0x7808E88Au
#define COLOR 0xE7C308F8u
#define TEXCOORD 0x0BC45413u
#define APPEND 0xFFFFFFFFu

struct blob {
    struct aerogpu_input_layout_blob_header header;
    struct aerogpu_input_layout_element_dxgi elements[4];
};

static struct ag_input_layout_object *create(const struct blob *blob)
{
    struct ag_input_layout layout;
    const size_t size = sizeof blob->header + blob->header.element_count * sizeof blob->elements[0];
    if (ag_input_layout_parse(&layout, blob, size, host.reports.place, &host.reports.sink) != AGPU_OK ||
        ag_input_layout_object_add(&objects, 1, &layout, false) != AGPU_OK)
        return NULL;
    return ag_map_remove(&objects.input_layouts, 1);
}

/* POSITION0 in v0, TEXCOORD1 in v1, COLOR0 in v3, and a generated value. */
static const struct agpu_signature_element inputs[] = {
    {.semantic_name = "Position",        .register_index = 0, .mask = 15                   },
    {.semantic_name = "TexCoord",        .semantic_index = 1, .register_index = 1,           .mask = 3},
    {.semantic_name = "SV_VertexID",                                  .register_index = 2,                        .mask = 1, .system_value = AGPU_SV_VERTEX_ID},
    {.semantic_name = "COLOR", .register_index = 3,                    .mask = 15                         },
};
static const struct agpu_shader shader = {
    .input = {inputs, 4}
};

static void matches_by_hash_and_index(void **state)
{
    (void)state;
    int8_t elements[AGPU_MAX_REGISTERS];
    const struct blob blob = {
        {AEROGPU_INPUT_LAYOUT_BLOB_MAGIC,                 1, 4, 0},
        {{COLOR, 0, AG_DXGI_R8G8B8A8_UNORM, 15, 4, 0, 0},
         {POSITION, 0, AG_DXGI_R32G32B32_FLOAT, 0, 0, 0, 0},
         {TEXCOORD, 1, AG_DXGI_R16G16_FLOAT, 0, APPEND, 0, 0},
         {TEXCOORD, 0, AG_DXGI_R32G32_FLOAT, 0, APPEND, 0, 0}    },
    };
    struct ag_input_layout_object *layout = create(&blob);
    assert_non_null(layout);
    assert_int_equal(layout->elements[2].offset, 12);
    assert_int_equal(layout->elements[3].offset, 16); /* nobody reads it, but it takes its place */
    assert_true(ag_input_layout_object_match(&objects, layout, &shader, elements));
    assert_int_equal(elements[0], 1);
    assert_int_equal(elements[1], 2);
    assert_int_equal(elements[2], -1); /* generated, never fetched */
    assert_int_equal(elements[3], 0);
    assert_true(ag_input_layout_object_match(&objects, NULL, &shader, elements));
    assert_int_equal(elements[0], -1);
    free(layout);
}

static void refuses_two_for_one(void **state)
{
    (void)state;
    const struct blob blob = {
        {AEROGPU_INPUT_LAYOUT_BLOB_MAGIC, 1, 2, 0},
        {{COLOR, 0, AG_DXGI_R8G8B8A8_UNORM, 0, 0, 0, 0},                              {COLOR, 0, AG_DXGI_R8G8B8A8_UNORM, 0, 4, 0, 0}                              },
    };
    assert_null(create(&blob));
    assert_int_equal(last.code, AGPU_DIAG_EXEC_ARGUMENT);
}

/* Two elements of the signature share a register, and each has an element of the layout. */
static void skips_two_for_one_register(void **state)
{
    (void)state;
    static struct agpu_signature_element halves[] = {
        {.semantic_name = "COLOR", .mask = 3 },
        { .semantic_name = "COLOR",     .semantic_index = 1, .mask = 12},
    };
    static const struct agpu_shader shared = {
        .input = {halves, 2}
    };
    int8_t elements[AGPU_MAX_REGISTERS];
    const struct blob blob = {
        {AEROGPU_INPUT_LAYOUT_BLOB_MAGIC, 1, 2, 0},
        {{COLOR, 0, AG_DXGI_R8G8B8A8_UNORM, 0, 0, 0, 0},                              {COLOR, 1, AG_DXGI_R8G8B8A8_UNORM, 0, 4, 0, 0}                              },
    };
    struct ag_input_layout_object *layout = create(&blob);
    assert_non_null(layout);
    assert_false(ag_input_layout_object_match(&objects, layout, &shared, elements));
    assert_int_equal(last.code, AGPU_DIAG_EXEC_UNDEFINED_DRAW);
    free(layout);
}

static void refuses_bad_blobs(void **state)
{
    (void)state;
    struct blob blob = {
        {AEROGPU_INPUT_LAYOUT_BLOB_MAGIC, 1, 1, 0},
        {{COLOR, 0, AG_DXGI_R8G8B8A8_UNORM, 32, 0, 0, 0}                             }
    };
    assert_null(create(&blob)); /* slot 32 */
    blob.elements[0].input_slot = 0;
    blob.elements[0].input_slot_class = 2;
    assert_null(create(&blob));
    blob.elements[0].input_slot_class = 0;
    blob.header.version = 2;
    assert_null(create(&blob));
    blob.header.version = 1;
    blob.elements[0].dxgi_format = 9999; /* known when a draw fetches it */
    struct ag_input_layout_object *layout = create(&blob);
    assert_non_null(layout);
    assert_null(layout->elements[0].format);
    free(layout);
    blob.elements[0].dxgi_format = AG_DXGI_B5G6R5_FLOAT; /* the host's own */
    layout = create(&blob);
    assert_non_null(layout);
    assert_null(layout->elements[0].format);
    free(layout);
}

static void unites_intervals(void **state)
{
    (void)state;
    const struct ag_interval empty = {5, 5}, a = {8, 16}, b = {24, 32};
    struct ag_interval sum = ag_interval_union(a, b);
    assert_int_equal(sum.begin, 8);
    assert_int_equal(sum.end, 32);
    sum = ag_interval_union(empty, b);
    assert_int_equal(sum.begin, 24);
    assert_int_equal(sum.end, 32);
    sum = ag_interval_union(a, empty);
    assert_int_equal(sum.begin, 8);
    assert_int_equal(sum.end, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(matches_by_hash_and_index, set_up),
        cmocka_unit_test_setup(refuses_two_for_one, set_up),
        cmocka_unit_test_setup(skips_two_for_one_register, set_up),
        cmocka_unit_test_setup(refuses_bad_blobs, set_up),
        cmocka_unit_test(unites_intervals),
    };
    return cmocka_run_group_tests_name("exec/input_layout", tests, NULL, NULL);
}
