/* SPDX-License-Identifier: MIT
 *
 * Comparison of text, which does not depend on the locale.
 */
#ifndef AG_BASE_TEXT_H
#define AG_BASE_TEXT_H

#include <stdbool.h>

/* Whether two words are equal apart from the case of ASCII letters. */
bool ag_same_word(const char *a, const char *b);

#endif
