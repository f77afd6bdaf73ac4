/* SPDX-License-Identifier: MIT
 *
 * What a guest driver puts beside its command streams, as text and JSON: submission descriptors, allocation
 * tables, and rings with their slots (spec: ABI 4.2).
 */
#ifndef AG_CLI_DUMP_RING_H
#define AG_CLI_DUMP_RING_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "cli/input.h"

/* Whether the input is one of these: it begins with the magic of a table or a ring; or with none, and with
 * the size of a descriptor. */
bool cli_is_ring_data(const struct cli_input *input);

/* Prints every structure as a line of its fields that are not 0, and puts the same into the object of --json
 * as `structures`. What does not fit into the input is an error; the rest is printed nevertheless. */
enum cli_exit cli_dump_ring_data(struct cli_input *input, struct ag_strbuf *text);

#endif
