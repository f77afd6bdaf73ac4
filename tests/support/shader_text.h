/* SPDX-License-Identifier: MIT
 *
 * Shaders as listings inside tests, and a sink that keeps the first error.
 */
#ifndef AG_TESTS_SHADER_TEXT_H
#define AG_TESTS_SHADER_TEXT_H

#include "test.h"

#include <stdio.h>
#include <string.h>

#include "aerogpu/dxbc.h"

struct first_error {
    enum agpu_diag_code code;
    uint64_t offset;
    char message[512];
    unsigned count;
};

static inline void keep_first_error(void *user, const struct agpu_diag *diag)
{
    struct first_error *first = user;
    if (diag->severity != AGPU_ERROR || first->count++ > 0)
        return;
    first->code = diag->code;
    first->offset = diag->place.offset;
    snprintf(first->message, sizeof first->message, "%s", diag->message);
}

/* The shader of a listing; the caller destroys it. */
static inline struct agpu_shader *shader_from_text(const char *text)
{
    struct first_error error = {0};
    const struct agpu_diag_sink sink = {keep_first_error, &error};
    uint8_t *bytes;
    size_t size;
    struct agpu_shader *shader;
    if (agpu_assemble(text, strlen(text), &sink, &bytes, &size) != AGPU_OK ||
        agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, &sink, &shader) != AGPU_OK) {
        print_error("%s\n", error.message);
        fail();
        return NULL;
    }
    agpu_free(bytes);
    return shader;
}

#endif
