/* SPDX-License-Identifier: MIT
 *
 * A sink that keeps the first diagnostic and counts them all.
 */
#ifndef AG_TESTS_NOTES_H
#define AG_TESTS_NOTES_H

#include <stdio.h>

#include "aerogpu/diag.h"

struct notes {
    uint32_t count, line, column;
    enum agpu_diag_code code;
    char message[200];
};

static inline void note(void *user, const struct agpu_diag *diag)
{
    struct notes *notes = user;
    if (notes->count++ != 0)
        return;
    notes->line = diag->place.line;
    notes->column = diag->place.column;
    notes->code = diag->code;
    snprintf(notes->message, sizeof notes->message, "%s", diag->message);
}

#endif
