/* SPDX-License-Identifier: MIT
 *
 * The tables and texts of the module, which tools/pack_wasm.py packed as raw LZMA (lc, lp and pb are 0):
 * deflate, with which servers send the module, makes a tenth more of them. They are unpacked before anything
 * else runs, from the far end of the stack, which nothing has used by then. What is here has no table of its
 * own.
 */
#include <stddef.h>
#include <stdint.h>

#define STATES 12
#define LITERAL_STATES 7 /* states below it are behind a literal */
#define LENGTH_PROBABILITIES (2 + 2 * 8 + 256)
#define SLOTS 64
#define EVEN (1 << 10) /* a probability of 11 bits */

extern uint8_t __global_base[]; /* where tables begin, says the linker */

struct unpacking {
    const uint8_t *from;
    uint32_t range, code;
    uint16_t is_match[STATES], is_repeated[STATES], is_older[3][STATES], is_long[STATES];
    uint16_t lengths[2][LENGTH_PROBABILITIES]; /* of new and of repeated distances */
    uint16_t slots[4][SLOTS], low_bits[115], aligned_bits[16], literals[3 * 256];
};

static void refill(struct unpacking *unpacking)
{
    if (unpacking->range >> 24 == 0) {
        unpacking->range <<= 8;
        unpacking->code = unpacking->code << 8 | *unpacking->from++;
    }
}

static uint32_t read_bit(struct unpacking *unpacking, uint16_t *probability)
{
    const uint32_t bound = (unpacking->range >> 11) * *probability;
    const uint32_t bit = unpacking->code >= bound;
    if (bit) {
        unpacking->range -= bound;
        unpacking->code -= bound;
        *probability = (uint16_t)(*probability - (*probability >> 5));
    } else {
        unpacking->range = bound;
        *probability = (uint16_t)(*probability + ((2 * EVEN - *probability) >> 5));
    }
    refill(unpacking);
    return bit;
}

/* The highest bit first. */
static uint32_t read_tree(struct unpacking *unpacking, uint16_t *probabilities, unsigned bits)
{
    uint32_t node = 1;
    for (unsigned i = 0; i < bits; i++)
        node = node << 1 | read_bit(unpacking, &probabilities[node]);
    return node - (1u << bits);
}

static uint32_t read_reversed_tree(struct unpacking *unpacking, uint16_t *probabilities, unsigned bits)
{
    uint32_t node = 1, value = 0;
    for (unsigned i = 0; i < bits; i++) {
        const uint32_t bit = read_bit(unpacking, &probabilities[node]);
        node = node << 1 | bit;
        value |= bit << i;
    }
    return value;
}

static uint8_t read_literal(struct unpacking *unpacking)
{
    return (uint8_t)read_tree(unpacking, unpacking->literals, 8);
}

/* A literal that differs from the byte at the last distance. */
static uint8_t read_other_literal(struct unpacking *unpacking, uint32_t like)
{
    uint32_t node = 1;
    while (node < 256) {
        const uint32_t likely = like >> 7 & 1;
        const uint32_t bit = read_bit(unpacking, &unpacking->literals[(1 + likely) * 256 + node]);
        like <<= 1;
        node = node << 1 | bit;
        if (bit != likely)
            while (node < 256)
                node = node << 1 | read_bit(unpacking, &unpacking->literals[node]);
    }
    return (uint8_t)node;
}

static uint32_t read_length(struct unpacking *unpacking, uint16_t *probabilities)
{
    if (read_bit(unpacking, &probabilities[0]) == 0)
        return 2 + read_tree(unpacking, &probabilities[2], 3);
    if (read_bit(unpacking, &probabilities[1]) == 0)
        return 10 + read_tree(unpacking, &probabilities[2 + 8], 3);
    return 18 + read_tree(unpacking, &probabilities[2 + 16], 8);
}

/* Less by one than the distance. All bits are set at the end. */
static uint32_t read_distance(struct unpacking *unpacking, uint32_t length)
{
    const uint32_t slot = read_tree(unpacking, unpacking->slots[length < 6 ? length - 2 : 3], 6);
    if (slot < 4)
        return slot;
    const unsigned bits = (slot >> 1) - 1;
    uint32_t distance = (2 | (slot & 1)) << bits;
    if (slot < 14)
        return distance + read_reversed_tree(unpacking, &unpacking->low_bits[distance - slot], bits);
    uint32_t middle = 0;
    for (unsigned i = 4; i < bits; i++) {
        unpacking->range >>= 1;
        const uint32_t bit = unpacking->code >= unpacking->range;
        unpacking->code -= bit ? unpacking->range : 0;
        middle = middle << 1 | bit;
        refill(unpacking);
    }
    return distance + (middle << 4) + read_reversed_tree(unpacking, unpacking->aligned_bits, 4);
}

static unsigned read_age(struct unpacking *unpacking, uint32_t state)
{
    unsigned age = 0;
    while (age < 3 && read_bit(unpacking, &unpacking->is_older[age][state]) != 0)
        age++;
    return age;
}

/* One of the last four distances becomes the first of them. */
static void choose_distance(uint32_t distances[4], unsigned age)
{
    const uint32_t distance = distances[age];
    for (; age > 0; age--)
        distances[age] = distances[age - 1];
    distances[0] = distance;
}

static void write_contents(struct unpacking *unpacking, uint8_t *to)
{
    uint32_t state = 0, distances[4] = {0};
    for (;;) {
        const uint32_t behind_literal = state < LITERAL_STATES;
        uint32_t length = 1;
        if (read_bit(unpacking, &unpacking->is_match[state]) == 0) {
            *to = behind_literal ? read_literal(unpacking)
                                 : read_other_literal(unpacking, to[-1 - (int)distances[0]]);
            to++;
            state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
            continue;
        }
        if (read_bit(unpacking, &unpacking->is_repeated[state]) == 0) {
            for (unsigned i = 3; i > 0; i--)
                distances[i] = distances[i - 1];
            length = read_length(unpacking, unpacking->lengths[0]);
            distances[0] = read_distance(unpacking, length);
            if (distances[0] == UINT32_MAX)
                return;
            state = behind_literal ? 7 : 10;
        } else {
            const unsigned age = read_age(unpacking, state);
            if (age == 0 && read_bit(unpacking, &unpacking->is_long[state]) == 0) {
                state = behind_literal ? 9 : 11;
            } else {
                choose_distance(distances, age);
                length = read_length(unpacking, unpacking->lengths[1]);
                state = behind_literal ? 8 : 11;
            }
        }
        for (; length > 0; length--, to++)
            *to = to[-1 - (int)distances[0]];
    }
}

__attribute__((constructor(101))) static void unpack(void)
{
    struct unpacking unpacking = {.from = (const uint8_t *)AG_PACKED_AT + 1, .range = UINT32_MAX};
    for (uint16_t *probability = unpacking.is_match; probability < unpacking.literals + 3 * 256;
         probability++)
        *probability = EVEN;
    for (unsigned i = 0; i < 4; i++)
        unpacking.code = unpacking.code << 8 | *unpacking.from++;
    write_contents(&unpacking, __global_base);
}
