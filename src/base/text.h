/* SPDX-License-Identifier: MIT
 *
 * Comparing text, the same in every locale.
 */
#ifndef AG_BASE_TEXT_H
#define AG_BASE_TEXT_H

#include <stdbool.h>

/* Whether two words are the same but for the case of ASCII letters. */
bool ag_same_word(const char *a, const char *b);

#endif
