/* SPDX-License-Identifier: MIT
 *
 * Shaders when an allocation fails: parsing, validation, the listing and the way back say so, and otherwise
 * make the same bytes as ever.
 *
 *     test_dxbc_no_memory DIRECTORY
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "support/corpus.h"
#include "support/failing_memory.h"

#define MORE_FAILURES 24 /* for each kind of work on a shader */

static const char *directory;
static unsigned shaders, failures;

static unsigned reports;

static void report(void *user, const struct agpu_diag *diag)
{
    (void)user;
    reports += diag->code == AGPU_DIAG_OUT_OF_MEMORY;
}

static const struct agpu_diag_sink sink = {.report = report};

/* Calls with memory running out, and their results: what is done must be right, what fails must say why. */
static bool check(enum agpu_status status, enum agpu_status expected, bool anything)
{
    const bool failed = failing_memory_disarm();
    assert_int_equal(status, failed ? AGPU_NO_MEMORY : expected);
    assert_true(failed == (reports != 0));
    assert_true(anything == (!failed && expected == AGPU_OK));
    reports = 0;
    return failed;
}

static const uint8_t *bytes; /* of the present shader */
static size_t byte_count;

static bool parses(void)
{
    struct agpu_shader *shader;
    const enum agpu_status status =
        agpu_shader_parse(bytes, byte_count, AGPU_PARSE_IGNORE_CHECKSUM, &sink, &shader);
    const bool failed = check(status, AGPU_OK, shader != NULL);
    bool has_reflection = false;
    for (uint32_t i = 0; shader != NULL && i < shader->chunk_count; i++)
        has_reflection |= shader->chunks[i].fourcc == AGPU_FOURCC('R', 'D', 'E', 'F');
    assert_true(shader == NULL || has_reflection == (shader->rdef != NULL));
    agpu_shader_destroy(shader);
    return failed;
}

static const struct agpu_shader *shader; /* the present one */
static enum agpu_status verdict;

static bool validates(void)
{
    const enum agpu_status status = agpu_validate(shader, &sink);
    return check(status, verdict, verdict == AGPU_OK && status == AGPU_OK);
}

static uint32_t flags;
static char *listing; /* of the present shader, with the present flags */
static size_t listing_length;

static bool lists(void)
{
    char *text;
    size_t length;
    const enum agpu_status status = agpu_disassemble(shader, flags, &sink, &text, &length);
    const bool failed = check(status, AGPU_OK, text != NULL);
    assert_true(failed || (text && length == listing_length && memcmp(text, listing, length) == 0));
    agpu_free(text);
    return failed;
}

static uint8_t *container; /* what the listing says */
static size_t container_size;

static bool assembles(void)
{
    uint8_t *made;
    size_t size;
    const enum agpu_status status = agpu_assemble(listing, listing_length, &sink, &made, &size);
    const bool failed = check(status, AGPU_OK, made != NULL);
    assert_true(failed || (made && size == container_size && memcmp(made, container, size) == 0));
    agpu_free(made);
    return failed;
}

static void try_listing(uint32_t listing_flags)
{
    flags = listing_flags;
    assert_int_equal(agpu_disassemble(shader, flags, &sink, &listing, &listing_length), AGPU_OK);
    failures += failing_memory_some(lists, MORE_FAILURES);
    assert_int_equal(agpu_assemble(listing, listing_length, &sink, &container, &container_size), AGPU_OK);
    failures += failing_memory_some(assembles, MORE_FAILURES);
    agpu_free(container);
    agpu_free(listing);
}

static bool writes_signatures(void)
{
    char *text;
    size_t length;
    const enum agpu_status status = agpu_signatures_write(shader, &sink, &text, &length);
    const bool failed = check(status, AGPU_OK, text != NULL);
    assert_true(failed || (text && length == listing_length && memcmp(text, listing, length) == 0));
    agpu_free(text);
    return failed;
}

static bool reads_signatures(void)
{
    struct agpu_signature_set *set;
    const enum agpu_status status =
        agpu_signature_set_read(listing, listing_length, shader->program.stage, &sink, &set);
    const bool failed = check(status, AGPU_OK, set != NULL);
    assert_true(failed || set->output.count == shader->output.count);
    agpu_signature_set_destroy(set);
    return failed;
}

static const struct agpu_signature_set *signatures;

static bool parses_tokens(void)
{
    struct agpu_shader *parsed;
    const enum agpu_status status = agpu_shader_parse_tokens(
        shader->program.tokens, shader->program.token_count * sizeof(uint32_t), signatures, &sink, &parsed);
    const bool failed = check(status, AGPU_OK, parsed != NULL);
    assert_true(failed || parsed->output.count == shader->output.count);
    agpu_shader_destroy(parsed);
    return failed;
}

static bool parses_driver_tokens(void)
{
    const struct agpu_driver_element elements[] = {
        {.system_value = AGPU_NAME_POSITION, .register_index = 0, .mask = 15},
        {.register_index = 1,                                  .mask = 3                                  },
    };
    const struct agpu_driver_signatures driver = {
        .input = elements + 1, .input_count = 1, .output = elements, .output_count = 2};
    struct agpu_shader *parsed;
    const enum agpu_status status = agpu_shader_parse_driver(
        shader->program.tokens, shader->program.token_count * sizeof(uint32_t), &driver, &sink, &parsed);
    const bool failed = check(status, AGPU_OK, parsed != NULL);
    assert_true(failed || parsed->output.count == 2);
    agpu_shader_destroy(parsed);
    return failed;
}

static void try_signatures(void)
{
    struct agpu_signature_set *set;
    assert_int_equal(agpu_signatures_write(shader, &sink, &listing, &listing_length), AGPU_OK);
    failures += failing_memory_some(writes_signatures, MORE_FAILURES);
    failures += failing_memory_some(reads_signatures, MORE_FAILURES);
    assert_int_equal(agpu_signature_set_read(listing, listing_length, shader->program.stage, &sink, &set),
                     AGPU_OK);
    signatures = set;
    failures += failing_memory_some(parses_tokens, MORE_FAILURES);
    failures += failing_memory_some(parses_driver_tokens, MORE_FAILURES);
    agpu_signature_set_destroy(set);
    agpu_free(listing);
}

static bool visit(void *user, const struct ag_corpus_file *file)
{
    struct agpu_shader *parsed;
    (void)user;
    bytes = file->data;
    byte_count = file->size;
    assert_int_equal(agpu_shader_parse(bytes, byte_count, AGPU_PARSE_IGNORE_CHECKSUM, NULL, &parsed),
                     AGPU_OK);
    shader = parsed;
    verdict = agpu_validate(shader, NULL);
    failures += failing_memory_some(parses, MORE_FAILURES);
    failures += failing_memory_some(validates, MORE_FAILURES);
    try_listing(AGPU_DISASM_FULL);
    try_listing(AGPU_DISASM_OFFSETS | AGPU_DISASM_RAW);
    try_signatures();
    agpu_shader_destroy(parsed);
    shaders++;
    return true;
}

static void every_shader(void **state)
{
    (void)state;
    assert_true(ag_corpus_walk(directory, ".dxbc", visit, NULL) > 0);
    print_message("%u shaders, %u failures\n", shaders, failures);
    assert_true(shaders > 100);
    assert_true(failures > 50 * shaders);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shader)};
    if (argc != 2)
        return 1;
    directory = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
