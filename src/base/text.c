/* SPDX-License-Identifier: MIT
 *
 * Words that are compared, and text without control characters.
 */
#include "base/text.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool ag_same_word(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

/* Whether two bytes are a control character in UTF-8. */
static bool is_control_pair(const char *text, size_t left)
{
    return left >= 2 && (unsigned char)text[0] == 0xC2 && (unsigned char)text[1] >= 0x80 &&
           (unsigned char)text[1] < 0xA0;
}

void ag_text_make_plain(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (is_control_pair(text + i, size - i))
            text[i] = text[i + 1] = '?';
        else if ((c < ' ' && c != '\0') || c == 0x7F)
            text[i] = '?';
    }
}
