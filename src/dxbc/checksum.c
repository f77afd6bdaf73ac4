/* SPDX-License-Identifier: MIT
 *
 * The container's digest: MD5, but with a different last block (dxbc-format 1.4).
 */
#include "dxbc/container.h"

#include "base/bytes.h"

#define BLOCK_BYTES 64
#define DIGEST_START 20 /* the digest covers everything behind itself */

/* floor(2^32 * |sin(i + 1)|) */
static const uint32_t sine_table[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static inline uint32_t step(uint32_t a, uint32_t b, uint32_t mixed, uint32_t word, unsigned turn)
{
    const uint32_t sum = a + mixed + word;
    return b + (sum << turn | sum >> (32 - turn));
}

/* Four steps at a time, after which the four registers are in their original order. Each step waits for the
 * one before, whose result is `b` of the first: what needs it comes last. */
static void compress(uint32_t state[4], const uint8_t block[BLOCK_BYTES])
{
    const uint32_t *const sines = sine_table;
    uint32_t words[16];
    memcpy(words, block, sizeof words);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (uint32_t i = 0; i < 16; i += 4) {
        a = step(a, b, d ^ (b & (c ^ d)), words[i] + sines[i], 7);
        d = step(d, a, c ^ (a & (b ^ c)), words[i + 1] + sines[i + 1], 12);
        c = step(c, d, b ^ (d & (a ^ b)), words[i + 2] + sines[i + 2], 17);
        b = step(b, c, a ^ (c & (d ^ a)), words[i + 3] + sines[i + 3], 22);
    }
    for (uint32_t i = 16; i < 32; i += 4) {
        a = step(a, b, (b & d) + (c & ~d), words[(5 * i + 1) % 16] + sines[i], 5);
        d = step(d, a, (a & c) + (b & ~c), words[(5 * i + 6) % 16] + sines[i + 1], 9);
        c = step(c, d, (d & b) + (a & ~b), words[(5 * i + 11) % 16] + sines[i + 2], 14);
        b = step(b, c, (c & a) + (d & ~a), words[(5 * i + 16) % 16] + sines[i + 3], 20);
    }
    for (uint32_t i = 32; i < 48; i += 4) {
        a = step(a, b, b ^ (c ^ d), words[(3 * i + 5) % 16] + sines[i], 4);
        d = step(d, a, a ^ (b ^ c), words[(3 * i + 8) % 16] + sines[i + 1], 11);
        c = step(c, d, d ^ (a ^ b), words[(3 * i + 11) % 16] + sines[i + 2], 16);
        b = step(b, c, c ^ (d ^ a), words[(3 * i + 14) % 16] + sines[i + 3], 23);
    }
    for (uint32_t i = 48; i < 64; i += 4) {
        a = step(a, b, c ^ (b | ~d), words[7 * i % 16] + sines[i], 6);
        d = step(d, a, b ^ (a | ~c), words[(7 * i + 7) % 16] + sines[i + 1], 10);
        c = step(c, d, a ^ (d | ~b), words[(7 * i + 14) % 16] + sines[i + 2], 15);
        b = step(b, c, d ^ (c | ~a), words[(7 * i + 21) % 16] + sines[i + 3], 21);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void agpu_dxbc_checksum(const void *container, size_t size, uint8_t digest[16])
{
    const uint8_t *message = (const uint8_t *)container + DIGEST_START;
    const size_t length = size - DIGEST_START;
    const size_t rest = length % BLOCK_BYTES;
    const uint32_t bits = (uint32_t)(length * 8);
    const uint32_t tail = bits >> 2 | 1;
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

    for (size_t at = 0; at + BLOCK_BYTES <= length; at += BLOCK_BYTES)
        compress(state, message + at);

    uint8_t block[BLOCK_BYTES] = {0};
    const uint8_t *rest_bytes = message + (length - rest);
    if (rest < BLOCK_BYTES - 8) {
        ag_store_u32(block, bits);
        memcpy(block + 4, rest_bytes, rest);
        block[4 + rest] = 0x80;
    } else {
        memcpy(block, rest_bytes, rest);
        block[rest] = 0x80;
        compress(state, block);
        memset(block, 0, sizeof block);
        ag_store_u32(block, bits);
    }
    ag_store_u32(block + BLOCK_BYTES - 4, tail);
    compress(state, block);
    memcpy(digest, state, sizeof state);
}
