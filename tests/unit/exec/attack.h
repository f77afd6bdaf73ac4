/* SPDX-License-Identifier: MIT
 *
 * Streams that are short and mean very much work or memory, run against an executor with small budgets.
 * Whatever a guest sends, a call of the embedder works a bounded time on its thread, the process keeps within
 * its budgets, another context's frame is shown, a reset drops what is left, the device goes on with the next
 * frame, and destroying it does not wait for the attack. What each attack took is printed.
 *
 * How long a call takes depends on the machine and on the driver. What depends on our code alone is counted
 * with slices of one step each: what a step calls of WebGPU, and what it copies.
 */
#ifndef AG_TESTS_EXEC_ATTACK_H
#define AG_TESTS_EXEC_ATTACK_H

#include <stddef.h>
#include <stdint.h>

#include "host.h"

#define ATTACK_PIPELINES 64 /* the option pipeline_count */
#define ATTACK_TURN_MS 500
#define ATTACK_RGBA (AEROGPU_EXT_FORMAT_BASE | 28) /* DXGI_FORMAT_R8G8B8A8_UNORM */

struct CMUnitTest;

/* The host of the attack at hand. */
extern struct host attacked;

/* What the calls of submit() and poll() took so far. */
struct attack_times {
    uint64_t longest_ns;         /* the longest call, of this thread's own time */
    uint64_t poll_ns, submit_ns; /* the most that a call of either spent in our code */
    uint64_t library_ns;         /* the most that one function of WebGPU took */
    const char *library;         /* that function */
    uint64_t most_calls;         /* of WebGPU, in one call */
    uint64_t most_bytes;         /* that WebGPU copied in one call */
};

/* Submits the attack in one context and a frame in another, which is shown whatever the attack does. Then the
 * attack once more, during which the guest resets the device and shows a frame; and once more, during which
 * the executor is destroyed. */
void attack(const char *name, struct agpu_writer *writer);
/* The same of a stream in words: `head` once and `body` so many times. */
void attack_of_text(const char *name, const char *head, const char *body, uint32_t times);

/* Parts of an attack. What an embedder calls is between the first two, and counts as a poll. */
uint64_t attack_begin_call(void);
void attack_end_poll(struct attack_times *times, uint64_t begin_ns);
void attack_submit(struct agpu_writer *writer, const struct aerogpu_alloc_entry *allocations, uint32_t count,
                   struct attack_times *times);
/* Polls until nothing is outstanding, or for `most_ns` at most. */
void attack_work(struct attack_times *times, uint64_t most_ns);
void attack_check_times(const char *name, const struct attack_times *times);

uint64_t attack_now_ns(void);

/* Bytes of memory that the process has had more than at the last call of attack_note_memory(). */
void attack_note_memory(void);
void attack_check_memory(const char *name);

/* A target of four by four pixels is made, cleared to `red`, presented and destroyed. */
void attack_write_frame(struct agpu_writer *writer, float red);
/* The packets of a stream in words. */
void attack_write_text(struct agpu_writer *writer, const char *text);
/* Shaders that draw white points in the middle, and the state for them. */
void attack_write_points(struct agpu_writer *writer);

/* Runs the tests; the arguments are the driver, then perhaps "steps", then perhaps a filter. */
_Noreturn void attack_main(int argc, char **argv, const char *name, const struct CMUnitTest *tests,
                           size_t count);

#endif
