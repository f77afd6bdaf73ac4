/* SPDX-License-Identifier: MIT
 *
 * What Wine's tests need to be built by mingw alone, and how one process runs some functions of them only.
 * Included before the first line of the tests, whose list of functions wine_tests.py has put behind
 * is_wanted().
 */
#ifndef AEROGPU_TESTS_CLIENTS_WINE_TESTS_H
#define AEROGPU_TESTS_CLIENTS_WINE_TESTS_H

#include <stdlib.h>
#include <string.h>

/* Attributes that Wine's own headers define, and mingw's do not. */
#define __WINE_ALLOC_SIZE(...)
#define __WINE_DEALLOC(...)
#define __WINE_MALLOC

/* Declared by Wine's debugging header, and part of its import library. */
const char *__cdecl __wine_dbg_strdup(const char *text)
{
    return _strdup(text);
}

/* Whether a name is one of those, with commas between, that the variable AEROGPU_CLIENT_CASES has. */
static inline int is_wanted(const char *name)
{
    const char *cases = getenv("AEROGPU_CLIENT_CASES");
    const size_t length = strlen(name);
    while (cases != NULL && *cases != '\0') {
        const size_t word = strcspn(cases, ",");
        if (word == length && memcmp(cases, name, length) == 0)
            return 1;
        cases += word + (cases[word] == ',');
    }
    return 0;
}

#endif
