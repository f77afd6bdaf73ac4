/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"

struct code {
    unsigned number;
    const char *slug;
};

static const struct code codes[] = {
#define ROW(number, name, slug, error) {number, slug},
    AGPU_DIAG_CODES(ROW)
#undef ROW
};
enum { CODE_COUNT = sizeof codes / sizeof codes[0] };

static void every_code_has_a_slug_of_its_own(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CODE_COUNT; i++) {
        const enum agpu_diag_code code = (enum agpu_diag_code)codes[i].number;
        assert_string_equal(agpu_diag_slug(code), codes[i].slug);
        assert_int_equal(agpu_diag_code_from_slug(codes[i].slug), code);
        assert_non_null(strchr(codes[i].slug, '.'));
    }
    assert_int_equal(agpu_diag_code_from_slug("no.such-thing"), AGPU_DIAG_NONE);
}

static void numbers_rise_in_the_thousand_of_their_layer(void **state)
{
    (void)state;
    for (unsigned i = 1; i < CODE_COUNT; i++) {
        const size_t layer = strcspn(codes[i].slug, ".");
        const bool same_layer = strncmp(codes[i].slug, codes[i - 1].slug, layer + 1) == 0;
        assert_true(codes[i - 1].number < codes[i].number);
        assert_int_equal(codes[i].number / 1000 == codes[i - 1].number / 1000, same_layer);
    }
}

static void numbers_without_a_code_are_told(void **state)
{
    (void)state;
    const unsigned none[] = {
        0, 1, 1000, codes[0].number - 1, codes[CODE_COUNT - 1].number + 1, 0x7FFFFFFF, UINT32_MAX};
    for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_string_equal(agpu_diag_slug((enum agpu_diag_code)none[i]), "base.unknown");
        assert_int_equal(agpu_diag_error_register((enum agpu_diag_code)none[i]), 0xFFFF);
    }
}

/* diag_codes.txt has what releases had: those stay for ever. */
static void codes_are_those_of_the_list(void **state)
{
    (void)state;
    FILE *const file = fopen(DIAG_CODES, "r");
    assert_non_null(file);
    char line[200], slug[100];
    unsigned number, listed = 0, wrong = 0;
    bool seen[CODE_COUNT] = {false};
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%u %99s", &number, slug), 2);
        listed++;
        if (agpu_diag_code_from_slug(slug) != number) {
            print_error("%u %s is in the list, but the code is gone or has another number\n", number, slug);
            wrong++;
        }
        for (unsigned i = 0; i < CODE_COUNT; i++)
            seen[i] |= codes[i].number == number;
    }
    fclose(file);
    for (unsigned i = 0; i < CODE_COUNT; i++) {
        if (!seen[i]) {
            print_error("a new code: add the line `%u %s` to diag_codes.txt\n", codes[i].number,
                        codes[i].slug);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(listed, CODE_COUNT);
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
    const char *packet_name;
    char start[32];
};

static void record(void *user, const struct agpu_diag *diag)
{
    struct seen *seen = user;
    seen->count++;
    seen->code = diag->code;
    seen->offset = diag->place.offset;
    seen->length = strlen(diag->message);
    seen->packet_name = diag->packet_name;
    snprintf(seen->start, sizeof seen->start, "%s", diag->message);
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
    assert_null(seen.packet_name);
    ag_report_packet(&sink, AGPU_DIAG_ABI_PACKET_SIZE, ag_place_offset(24), "DRAW", "too short");
    assert_int_equal(seen.offset, 24);
    assert_string_equal(seen.packet_name, "DRAW");
}

/* What a guest names is quoted, and read in a terminal. */
static void messages_have_no_control_characters(void **state)
{
    (void)state;
    struct seen seen = {0};
    const struct agpu_diag_sink sink = {record, &seen};
    ag_report(&sink, AGPU_DIAG_DXBC_CHUNK, AGPU_ERROR, ag_place_none(), "'%s' is odd", "\x1b[2J\nA");
    assert_string_equal(seen.start, "'?[2J?A' is odd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_a_slug_of_its_own),
        cmocka_unit_test(numbers_rise_in_the_thousand_of_their_layer),
        cmocka_unit_test(numbers_without_a_code_are_told),
        cmocka_unit_test(codes_are_those_of_the_list),
        cmocka_unit_test(codes_map_to_the_error_register),
        cmocka_unit_test(reports_reach_the_sink),
        cmocka_unit_test(messages_have_no_control_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
