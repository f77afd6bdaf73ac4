/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "base/diag.h"

static void every_code_has_a_slug_of_its_own(void **state)
{
    (void)state;
    for (unsigned i = 0; i < AGPU_DIAG_CODE_COUNT; i++) {
        const char *slug = agpu_diag_slug((enum agpu_diag_code)i);
        assert_non_null(slug);
        assert_non_null(strchr(slug, '.'));
        assert_int_equal(agpu_diag_code_from_slug(slug), i);
    }
    assert_int_equal(agpu_diag_code_from_slug("no.such-thing"), AGPU_DIAG_CODE_COUNT);
}

static void codes_map_to_the_error_register(void **state)
{
    (void)state;
    assert_int_equal(agpu_diag_error_register(AGPU_DIAG_ABI_PACKET_SIZE), 1);
    assert_int_equal(agpu_diag_error_register(AGPU_DIAG_ABI_STREAM_SIZE), 2);
    assert_int_equal(agpu_diag_error_register(AGPU_DIAG_EXEC_HANDLE), 3);
    assert_int_equal(agpu_diag_error_register(AGPU_DIAG_GPU_VALIDATION), 0xFFFF);
    assert_int_equal(agpu_diag_error_register(AGPU_DIAG_CLI_USAGE), 0);
}

struct seen {
    unsigned count;
    enum agpu_diag_code code;
    uint64_t offset;
    size_t length;
};

static void record(void *user, const struct agpu_diag *diag)
{
    struct seen *seen = user;
    seen->count++;
    seen->code = diag->code;
    seen->offset = diag->place.offset;
    seen->length = strlen(diag->message);
}

static void reports_reach_the_sink(void **state)
{
    (void)state;
    struct seen seen = {0};
    const struct agpu_diag_sink sink = {record, &seen};
    ag_report(&sink, AGPU_DIAG_DXBC_CHUNK, AGPU_ERROR, ag_place_offset(40), "chunk %u is odd", 3u);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.code, AGPU_DIAG_DXBC_CHUNK);
    assert_int_equal(seen.offset, 40);
    assert_int_equal(seen.length, strlen("chunk 3 is odd"));
    ag_report(&sink, AGPU_DIAG_DXBC_CHUNK, AGPU_ERROR, ag_place_none(), "%2000d", 1);
    assert_int_equal(seen.length, 1023);
    ag_report(NULL, AGPU_DIAG_DXBC_CHUNK, AGPU_ERROR, ag_place_none(), "nobody listens");
    assert_int_equal(seen.count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_a_slug_of_its_own),
        cmocka_unit_test(codes_map_to_the_error_register),
        cmocka_unit_test(reports_reach_the_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
