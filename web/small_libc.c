/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library in few bytes, in place of fast ones: a page loads the module over a network.
 * strstr() looks through short texts, qsort() sorts few things, by a heap. WebAssembly has instructions for
 * copies, but browsers leave the module for them, which takes longer than copying few bytes: what runs for
 * every draw calls these functions (meson.build).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FEW_BYTES 256
#define WORD sizeof(uint64_t)

/* The loops are no calls of the functions that they are in. */
#define COPIES(function) __attribute__((target("bulk-memory"), no_builtin(function)))

COPIES("memcpy") void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    if (size > FEW_BYTES)
        return __builtin_memcpy(to, from, size);
    unsigned char *at = to;
    const unsigned char *source = from;
    for (uint64_t word; size >= WORD; size -= WORD, at += WORD, source += WORD) {
        __builtin_memcpy(&word, source, WORD);
        __builtin_memcpy(at, &word, WORD);
    }
    for (; size != 0; size--)
        *at++ = *source++;
    return to;
}

COPIES("memmove") void *memmove(void *to, const void *from, size_t size)
{
    return __builtin_memmove(to, from, size);
}

COPIES("memset") void *memset(void *to, int byte, size_t size)
{
    if (size > FEW_BYTES)
        return __builtin_memset(to, byte, size);
    unsigned char *at = to;
    const uint64_t word = (unsigned char)byte * UINT64_C(0x0101010101010101);
    for (; size >= WORD; size -= WORD, at += WORD)
        __builtin_memcpy(at, &word, WORD);
    for (; size != 0; size--)
        *at++ = (unsigned char)byte;
    return to;
}

void *memchr(const void *bytes, int byte, size_t size)
{
    for (const unsigned char *at = bytes; size != 0; at++, size--)
        if (*at == (unsigned char)byte)
            return (void *)(size_t)at;
    return NULL;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *left = a, *right = b;
    for (; size != 0; left++, right++, size--)
        if (*left != *right)
            return *left - *right;
    return 0;
}

size_t strnlen(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length] != '\0')
        length++;
    return length;
}

size_t strlen(const char *text)
{
    return strnlen(text, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t size)
{
    for (; size != 0; a++, b++, size--)
        if (*a != *b || *a == '\0')
            return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

char *strchr(const char *text, int wanted)
{
    for (; *text != (char)wanted; text++)
        if (*text == '\0')
            return NULL;
    return (char *)(size_t)text;
}

static bool is_among(char letter, const char *letters)
{
    while (*letters != '\0' && *letters != letter)
        letters++;
    return *letters != '\0';
}

size_t strspn(const char *text, const char *letters)
{
    size_t length = 0;
    while (is_among(text[length], letters))
        length++;
    return length;
}

size_t strcspn(const char *text, const char *letters)
{
    size_t length = 0;
    while (text[length] != '\0' && !is_among(text[length], letters))
        length++;
    return length;
}

char *strstr(const char *text, const char *wanted)
{
    const size_t length = strlen(wanted);
    for (; strncmp(text, wanted, length) != 0; text++)
        if (*text == '\0')
            return NULL;
    return (char *)(size_t)text;
}

static void swap(char *a, char *b, size_t size)
{
    for (; size != 0; size--, a++, b++) {
        const char kept = *a;
        *a = *b;
        *b = kept;
    }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *a, const void *b))
{
    char *const elements = base;
    for (size_t heaped = count / 2, end = count; end > 1;) {
        if (heaped != 0)
            heaped--;
        else
            swap(elements, elements + --end * size, size);
        for (size_t parent = heaped, child; (child = 2 * parent + 1) < end; parent = child) {
            if (child + 1 < end && compare(elements + child * size, elements + (child + 1) * size) < 0)
                child++;
            if (compare(elements + parent * size, elements + child * size) >= 0)
                break;
            swap(elements + parent * size, elements + child * size, size);
        }
    }
}
