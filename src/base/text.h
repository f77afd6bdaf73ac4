/* SPDX-License-Identifier: MIT
 *
 * Text, whatever the locale: words that are compared, and text of others that people read.
 */
#ifndef AG_BASE_TEXT_H
#define AG_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether two words are equal apart from the case of ASCII letters. */
bool ag_same_word(const char *a, const char *b);

/* Puts '?' in the place of control characters, which a terminal would obey: those of ASCII, and U+0080 to
 * U+009F in UTF-8. NULs stay. */
void ag_text_make_plain(char *text, size_t size);

#endif
