/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>

static void remember(void *user, const struct agpu_diag *diag)
{
    struct harness *harness = user;
    harness->last_code = diag->code;
    harness->errors += diag->severity == AGPU_ERROR;
    harness->warnings += diag->severity == AGPU_WARNING;
    if (getenv("REF_VERBOSE") != NULL)
        print_message("%s: %s\n", agpu_diag_slug(diag->code), diag->message);
}

enum agpu_status harness_try(struct harness *harness, const char *listing)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    *harness = (struct harness){0};
    harness->sink = (struct agpu_diag_sink){remember, harness};
    if (agpu_assemble(listing, strlen(listing), &harness->sink, &bytes, &size) != AGPU_OK)
        fail_msg("the listing does not assemble:\n%s", listing);
    assert_int_equal(agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, &harness->sink, &harness->shader),
                     AGPU_OK);
    agpu_free(bytes);
    harness->errors = harness->warnings = 0;
    return ag_ref_program_create(harness->shader, &harness->sink, &harness->program);
}

void harness_open(struct harness *harness, const char *listing)
{
    assert_int_equal(harness_try(harness, listing), AGPU_OK);
}

void harness_close(struct harness *harness)
{
    ag_ref_program_destroy(harness->program);
    agpu_shader_destroy(harness->shader);
    *harness = (struct harness){0};
}

void harness_vertex(const char *body, uint32_t flags, const uint32_t (*input)[4], uint32_t input_count,
                    struct ag_ref_invocation *vertex)
{
    char listing[8192];
    struct harness harness;
    snprintf(
        listing, sizeof listing,
        "vs_5_0\n"
        "dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions | "
        "enable11_1ShaderExtensions\n"
        "dcl_input v0.xyzw\ndcl_input v1.xyzw\ndcl_input v2.xyzw\ndcl_input v3.xyzw\n"
        "dcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_output o2.xyzw\ndcl_output o3.xyzw\n"
        "dcl_temps 8\n%s\nret\n",
        body);
    harness_open(&harness, listing);
    memset(vertex, 0, sizeof *vertex);
    for (uint32_t i = 0; i < input_count; i++)
        memcpy(vertex->input[i], input[i], sizeof vertex->input[i]);
    const struct ag_ref_options options = {.flags = flags};
    assert_int_equal(ag_ref_run_vertex(harness.program, NULL, &options, &harness.sink, vertex), AGPU_OK);
    harness_close(&harness);
}

uint32_t harness_op(const char *mnemonic, uint32_t flags, uint32_t source_count, uint32_t a, uint32_t b,
                    uint32_t c, uint32_t d)
{
    static const char *const sources[] = {"", ", v0.xyzw", ", v1.xyzw", ", v2.xyzw", ", v3.xyzw"};
    const uint32_t value[4] = {a, b, c, d};
    uint32_t input[4][4];
    char body[256];
    struct ag_ref_invocation vertex;
    for (uint32_t i = 0; i < 16; i++)
        input[i / 4][i % 4] = value[i / 4];
    snprintf(body, sizeof body, "%s o0.xyzw%s%s%s%s", mnemonic, sources[source_count > 0 ? 1 : 0],
             sources[source_count > 1 ? 2 : 0], sources[source_count > 2 ? 3 : 0],
             sources[source_count > 3 ? 4 : 0]);
    harness_vertex(body, flags, (const uint32_t(*)[4])input, 4, &vertex);
    assert_memory_equal(&vertex.output[0][0], &vertex.output[0][1], 3 * sizeof(uint32_t));
    return vertex.output[0][0];
}

enum agpu_status harness_compute(struct harness *harness, const char *declarations, const char *body,
                                 uint32_t x, struct ag_ref_bindings *bindings, uint32_t *memory,
                                 uint32_t words)
{
    static const uint32_t one_group[3] = {1, 1, 1};
    char listing[8192];
    struct ag_ref_view views[4] = {0};
    snprintf(listing, sizeof listing,
             "cs_5_0\ndcl_globalFlags refactoringAllowed\n%s\ndcl_uav_raw u0\n"
             "dcl_input vThreadIDInGroupFlattened\ndcl_input vThreadID.xyz\ndcl_temps 8\n"
             "dcl_thread_group %u, 1, 1\n%s\nret\n",
             declarations, x, body);
    harness_open(harness, listing);
    struct ag_ref_bindings local = bindings != NULL ? *bindings : (struct ag_ref_bindings){0};
    for (uint32_t i = 1; i < local.unordered_count && i < 4; i++)
        views[i] = local.unordered[i];
    views[0] = (struct ag_ref_view){
        .dimension = AGPU_DIMENSION_RAW_BUFFER, .data = memory, .size = (uint64_t)words * 4};
    if (local.unordered_count < 1)
        local.unordered_count = 1;
    struct ag_ref_view *theirs = local.unordered;
    local.unordered = views;
    const enum agpu_status status =
        ag_ref_dispatch(harness->program, &local, NULL, &harness->sink, one_group);
    for (uint32_t i = 1; i < local.unordered_count && i < 4; i++)
        theirs[i].counter = views[i].counter;
    return status;
}
