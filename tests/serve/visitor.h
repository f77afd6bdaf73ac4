/* SPDX-License-Identifier: MIT
 *
 * A client that comes through a folder, as programs under Wine do, and knows no more than how to ring.
 */
#ifndef AG_TESTS_SERVE_VISITOR_H
#define AG_TESTS_SERVE_VISITOR_H

#include <stdbool.h>
#include <stdint.h>

struct visitor {
    int memory, doorbell, interrupt;
    uint8_t *mapping;
    uint64_t size;
};

/* Asks the server of the folder for so much memory under a name. False: nobody is there. */
bool visitor_call(const char *folder, uint64_t name, uint64_t size);
/* Calls, and opens what the server lays down. False: there is no server, or no longer; close it, too. */
bool visitor_open(struct visitor *visitor, const char *folder, uint64_t name, uint64_t size);
void visitor_close(struct visitor *visitor);
/* False: the server is gone. */
bool visitor_ring(const struct visitor *visitor);

#endif
