/* SPDX-License-Identifier: MIT
 *
 * Random command streams that are well-formed: every packet of the table, fields with names, odd and reserved
 * values, payloads of any length, padding that is not zero, surplus bytes, unknown opcodes. The same seed
 * gives the same bytes everywhere.
 */
#ifndef AG_TEST_STREAM_GENERATOR_H
#define AG_TEST_STREAM_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random_source {
    uint64_t state;
};

/* A number of 64 random bits, one below `limit`, and a chance of 1 in n. */
uint64_t random_bits(struct random_source *random);
uint32_t random_below(struct random_source *random, uint32_t limit);
bool random_chance(struct random_source *random, uint32_t n);

/* Zero is the default of every field: a stream of up to 16 packets with all oddities. */
struct stream_generator_options {
    uint32_t max_packets;
    uint32_t max_payload_bytes; /* default 200 */
    bool plain;       /* reserved words and padding 0, stages valid, no surplus bytes, known opcodes only */
    bool no_trailing; /* no bytes behind the stream */
};

/* A stream with its trailing bytes; `options` may be null. The caller frees it with free(); null when out of
 * memory. */
uint8_t *generate_stream(uint64_t seed, const struct stream_generator_options *options, size_t *size);

#endif
