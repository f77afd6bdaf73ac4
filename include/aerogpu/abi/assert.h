/* SPDX-License-Identifier: MIT
 *
 * Compile-time checks of the ABI headers, for C99, C11 and C++11 compilers alike.
 */
#ifndef AEROGPU_ABI_ASSERT_H
#define AEROGPU_ABI_ASSERT_H

#include <stddef.h>

#if defined(__cplusplus)
#define AEROGPU_STATIC_ASSERT_TEXT_(condition, text, ...) static_assert(condition, text)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define AEROGPU_STATIC_ASSERT_TEXT_(condition, text, ...) _Static_assert(condition, text)
#else
/* A repeated extern declaration of one type is valid, so equal line numbers in two headers do no harm. */
#define AEROGPU_STATIC_ASSERT_NAME_(line) aerogpu_static_assert_line_##line
#define AEROGPU_STATIC_ASSERT_NAME(line) AEROGPU_STATIC_ASSERT_NAME_(line)
#define AEROGPU_STATIC_ASSERT_TEXT_(condition, text, ...)                                                    \
    extern char AEROGPU_STATIC_ASSERT_NAME(__LINE__)[(condition) ? 1 : -1]
#endif
/* A condition and, if there is one, what is wrong otherwise. (Some compilers take what stands for three dots
 * as one argument of a macro, until another macro has expanded it.) */
#define AEROGPU_STATIC_ASSERT_EXPANDED_(text) text
#define AEROGPU_STATIC_ASSERT(...)                                                                           \
    AEROGPU_STATIC_ASSERT_EXPANDED_(AEROGPU_STATIC_ASSERT_TEXT_(__VA_ARGS__, "is not so", 0))

#define AEROGPU_ASSERT_SIZE(type, size)                                                                      \
    AEROGPU_STATIC_ASSERT(sizeof(type) == (size), "size of " #type " is not " #size)
#define AEROGPU_ASSERT_OFFSET(type, field, offset)                                                           \
    AEROGPU_STATIC_ASSERT(offsetof(type, field) == (offset),                                                 \
                          "offset of " #field " in " #type " is not " #offset)

#endif
