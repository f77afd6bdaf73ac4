/* SPDX-License-Identifier: MIT
 *
 * What the tests of this layer share: files of tests/data/dxbc, and a sink that keeps the last diagnostic.
 */
#ifndef AG_TESTS_DXBC_SUPPORT_H
#define AG_TESTS_DXBC_SUPPORT_H

#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/corpus.h"
#include "aerogpu/dxbc.h"

struct last_diag {
    struct agpu_diag diag;
    char message[512];
    unsigned errors, warnings;
};

static inline void keep_diag(void *user, const struct agpu_diag *diag)
{
    struct last_diag *last = user;
    last->diag = *diag;
    snprintf(last->message, sizeof last->message, "%s", diag->message);
    last->diag.message = last->message;
    if (diag->severity == AGPU_ERROR)
        last->errors++;
    else if (diag->severity == AGPU_WARNING)
        last->warnings++;
}

static inline struct agpu_diag_sink sink_of(struct last_diag *last)
{
    *last = (struct last_diag){0};
    return (struct agpu_diag_sink){keep_diag, last};
}

/* A file of tests/data/dxbc; the caller frees it. */
static inline uint8_t *load(const char *name, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", DXBC_DATA, name);
    uint8_t *data = ag_corpus_read_file(path, size);
    assert_non_null(data);
    return data;
}

static inline struct agpu_shader *parse_file(const char *name)
{
    size_t size;
    uint8_t *data = load(name, &size);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse(data, size, AGPU_PARSE_DEFAULT, NULL, &shader), AGPU_OK);
    free(data);
    return shader;
}

/* A shader from bare tokens: version token, length and the given ones. */
static inline enum agpu_status parse_tokens(uint32_t version, const uint32_t *tokens, size_t count,
                                            const struct agpu_diag_sink *sink, struct agpu_shader **shader)
{
    uint32_t stream[256] = {version, (uint32_t)count + 2};
    assert_true(count + 2 <= 256);
    memcpy(stream + 2, tokens, count * sizeof *tokens);
    return agpu_shader_parse(stream, (count + 2) * 4, AGPU_PARSE_DEFAULT, sink, shader);
}

#define VS_4_0 0x00010040u
#define PS_4_0 0x00000040u
#define PS_5_0 0x00000050u
#define PS_5_1 0x00000051u

/* The shader of a listing; `last` has what assembling and parsing reported. */
static inline struct agpu_shader *shader_of(const char *text, struct last_diag *last)
{
    const struct agpu_diag_sink sink = sink_of(last);
    uint8_t *bytes;
    size_t size;
    if (agpu_assemble(text, strlen(text), &sink, &bytes, &size) != AGPU_OK)
        fail_msg("%u:%u: %s in\n%s", last->diag.place.line, last->diag.place.column, last->message, text);
    struct agpu_shader *shader;
    assert_int_equal(agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, &sink, &shader), AGPU_OK);
    agpu_free(bytes);
    return shader;
}

#endif
