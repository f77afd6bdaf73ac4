/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "abi/input_layout.h"
#include "aerogpu/stream.h"
#include "diag_log.h"
#include "format/formats.h"

struct blob {
    struct aerogpu_input_layout_blob_header header;
    struct aerogpu_input_layout_element_dxgi elements[33];
};

/* A position of 12 bytes and a colour after it in slot 0, an instance's matrix row in slot 3. */
static struct blob sample_blob(void)
{
    return (struct blob){
        .header = {.magic = 0x59414C49,                                                        .version = 1, .element_count = 3},
        .elements = {{.semantic_name_hash = 0x7808E88A, .dxgi_format = AG_DXGI_R32G32B32_FLOAT},
                   {.semantic_name_hash = 0xE7C308F8,
                      .dxgi_format = AG_DXGI_R32G32B32A32_FLOAT,
                      .aligned_byte_offset = 0xffffffff},
                   {.semantic_name_hash = 0x0BC45413,
                      .semantic_index = 1,
                      .dxgi_format = AG_DXGI_R32G32B32A32_FLOAT,
                      .input_slot = 3,
                      .aligned_byte_offset = 0xffffffff,
                      .input_slot_class = 1,
                      .instance_data_step_rate = 1}                                                                            },
    };
}

#define SAMPLE_BYTES (16 + 3 * 28)

static void test_parse(void **state)
{
    (void)state;
    const struct blob blob = sample_blob();
    struct ag_input_layout layout;
    assert_int_equal(ag_input_layout_parse(&layout, &blob, SAMPLE_BYTES, ag_place_none(), NULL), AGPU_OK);
    assert_int_equal(layout.element_count, 3);
    assert_int_equal(layout.elements[1].semantic_name_hash, 0xE7C308F8);
    assert_int_equal(layout.elements[2].semantic_index, 1);
    assert_int_equal(layout.elements[2].input_slot, 3);
    assert_int_equal(layout.elements[2].input_slot_class, AG_INPUT_PER_INSTANCE);
    /* Surplus bytes are ignored, an empty layout is one. */
    assert_int_equal(ag_input_layout_parse(&layout, &blob, sizeof blob, ag_place_none(), NULL), AGPU_OK);
    const struct blob empty = {
        .header = {.magic = 0x59414C49, .version = 1}
    };
    assert_int_equal(ag_input_layout_parse(&layout, &empty, 16, ag_place_none(), NULL), AGPU_OK);
    assert_int_equal(layout.element_count, 0);
}

static void refused(const void *blob, size_t size, uint64_t offset)
{
    struct diag_log log;
    diag_log_init(&log);
    struct ag_input_layout layout;
    assert_int_equal(ag_input_layout_parse(&layout, blob, size, ag_place_offset(100), &log.sink),
                     AGPU_REFUSED);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_ABI_INPUT_LAYOUT);
    assert_int_equal(log.place.offset, 100 + offset);
}

static void test_malformed_blobs(void **state)
{
    (void)state;
    struct blob blob = sample_blob();
    refused(&blob, 0, 0);
    refused(&blob, 15, 0);
    refused(&blob, SAMPLE_BYTES - 1, SAMPLE_BYTES - 1);
    blob.header.version = 2;
    refused(&blob, SAMPLE_BYTES, 4);
    blob = sample_blob();
    blob.header.element_count = 33;
    refused(&blob, sizeof blob, 8);
    blob.header.element_count = 0xffffffff;
    refused(&blob, sizeof blob, 8);
    blob = sample_blob();
    blob.elements[1].input_slot = 32;
    refused(&blob, SAMPLE_BYTES, 16 + 28 + 12);
    blob = sample_blob();
    blob.elements[2].input_slot_class = 2;
    refused(&blob, SAMPLE_BYTES, 16 + 2 * 28 + 20);
    blob = sample_blob();
    blob.elements[2].input_slot = 0; /* slot 0 is per vertex */
    refused(&blob, SAMPLE_BYTES, 16 + 2 * 28 + 20);
}

static void test_direct3d9_form_is_refused(void **state)
{
    (void)state;
    const uint8_t declaration[16] = {0, 0, 0, 0, 2, 0, 0, 0, 0xff, 0, 0, 0, 17, 0, 0, 0};
    struct diag_log log;
    diag_log_init(&log);
    struct ag_input_layout layout;
    assert_int_equal(
        ag_input_layout_parse(&layout, declaration, sizeof declaration, ag_place_none(), &log.sink),
        AGPU_REFUSED);
    assert_non_null(strstr(log.message, "Direct3D 9"));
    assert_int_equal(log.place.offset, AGPU_DIAG_NO_OFFSET);
}

static void test_append_offsets(void **state)
{
    (void)state;
    const struct blob blob = sample_blob();
    struct ag_input_layout layout;
    assert_int_equal(ag_input_layout_parse(&layout, &blob, SAMPLE_BYTES, ag_place_none(), NULL), AGPU_OK);
    const uint32_t sizes[] = {10, 16, 16};
    assert_int_equal(ag_input_layout_resolve(&layout, sizes, ag_place_none(), NULL), AGPU_OK);
    assert_int_equal(layout.elements[0].aligned_byte_offset, 0);
    assert_int_equal(layout.elements[1].aligned_byte_offset, 12); /* 10 rounded up */
    assert_int_equal(layout.elements[2].aligned_byte_offset, 0);  /* another slot */
}

static void test_append_offsets_of_small_elements(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 1, 2, 1, 4, 2, 8, 1}, offsets[] = {0, 1, 2, 4, 8, 12, 16, 24};
    struct ag_input_layout layout = {.element_count = 8};
    for (uint32_t i = 0; i < 8; i++)
        layout.elements[i].aligned_byte_offset = AG_INPUT_LAYOUT_APPEND;
    assert_int_equal(ag_input_layout_resolve(&layout, sizes, ag_place_none(), NULL), AGPU_OK);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(layout.elements[i].aligned_byte_offset, offsets[i]);
}

static void test_offsets_past_4_gib_are_refused(void **state)
{
    (void)state;
    struct blob blob = sample_blob();
    blob.elements[0].aligned_byte_offset = 0xfffffff0;
    struct ag_input_layout layout;
    assert_int_equal(ag_input_layout_parse(&layout, &blob, SAMPLE_BYTES, ag_place_none(), NULL), AGPU_OK);
    const uint32_t sizes[] = {12, 16, 16};
    assert_int_equal(ag_input_layout_resolve(&layout, sizes, ag_place_none(), NULL), AGPU_REFUSED);
}

static void test_semantic_hash(void **state)
{
    (void)state;
    assert_int_equal(agpu_semantic_hash("POSITION", 8), 0x7808E88A);
    assert_int_equal(agpu_semantic_hash("Color", 5), 0xE7C308F8);
    assert_int_equal(agpu_semantic_hash("texcoord7", 8), 0x0BC45413);
    assert_int_equal(agpu_semantic_hash("", 0), 0x811C9DC5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_malformed_blobs),
        cmocka_unit_test(test_direct3d9_form_is_refused),
        cmocka_unit_test(test_append_offsets),
        cmocka_unit_test(test_append_offsets_of_small_elements),
        cmocka_unit_test(test_offsets_past_4_gib_are_refused),
        cmocka_unit_test(test_semantic_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
