/* SPDX-License-Identifier: MIT
 *
 * Reading and writing little-endian numbers at any alignment, and arithmetic that cannot wrap unseen.
 * Hosts are little-endian, so these are plain copies.
 */
#ifndef AG_BASE_BYTES_H
#define AG_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "AeroGPU hosts are little-endian"
#endif

static inline uint16_t ag_load_u16(const void *from)
{
    uint16_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline uint32_t ag_load_u32(const void *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline uint64_t ag_load_u64(const void *from)
{
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void ag_store_u16(void *to, uint16_t value)
{
    memcpy(to, &value, sizeof value);
}

static inline void ag_store_u32(void *to, uint32_t value)
{
    memcpy(to, &value, sizeof value);
}

static inline void ag_store_u64(void *to, uint64_t value)
{
    memcpy(to, &value, sizeof value);
}

static inline uint64_t ag_lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline float ag_float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t ag_bits_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Store the sum or product in *out; false when it does not fit 64 bits. */
static inline bool ag_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    *out = a + b;
    return *out >= a;
}

static inline bool ag_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    *out = a * b;
    return a == 0 || *out / a == b;
}

/* Whether [offset, offset + size) lies inside [0, limit). */
static inline bool ag_range_fits(uint64_t offset, uint64_t size, uint64_t limit)
{
    return offset <= limit && size <= limit - offset;
}

static inline uint64_t ag_align_up(uint64_t value, uint64_t power_of_two)
{
    return (value + power_of_two - 1) & ~(power_of_two - 1);
}

/* Copies bytes, a few registers of constants without a call. */
static inline void ag_copy_few(void *to, const void *from, size_t size)
{
    if (size == 16)
        memcpy(to, from, 16);
    else if (size == 32)
        memcpy(to, from, 32);
    else if (size == 64)
        memcpy(to, from, 64);
    else if (size != 0)
        memcpy(to, from, size);
}

#define AG_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
