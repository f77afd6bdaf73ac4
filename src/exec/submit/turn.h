/* SPDX-License-Identifier: MIT
 *
 * Turns: for how long one context keeps others waiting. Streams run in the order of the ring, so that the
 * submissions behind a stream wait for its work on the embedder's thread, for what it waits for on the GPU,
 * and for compilers of its pipelines. All of that counts for the context of the stream, while a submission of
 * another context waits, until one of another context is completed. A context whose work takes longer than a
 * turn ends; pipelines that take longer are not waited for.
 */
#ifndef AG_EXEC_SUBMIT_TURN_H
#define AG_EXEC_SUBMIT_TURN_H

#include <stdbool.h>
#include <stdint.h>

struct ag_account;

struct ag_turn {
    uint64_t length_ns; /* UINT64_MAX: turns have no end */
    uint64_t completed; /* submissions of all contexts */

    /* What the last call of submit() or poll() has left waiting; null: nothing, or nobody waits behind. */
    struct ag_account *waits_for;
    bool is_compiler; /* it waits for a compiler; else for the GPU, or for delivery */
    uint64_t since_ns;
};

/* A call of submit() or poll() begins: what its predecessor left waiting has waited until now. */
void ag_turn_begin_call(struct ag_turn *turn);

/* Others wait for the account: for so much work of the call at hand, and from here on. */
void ag_turn_work(struct ag_turn *turn, struct ag_account *account, uint64_t work_ns);
void ag_turn_wait(struct ag_turn *turn, struct ag_account *account, bool is_compiler);

/* Whether other contexts have waited for a turn for work of the account. */
bool ag_turn_is_over(const struct ag_turn *turn, struct ag_account *account);

/* For how long others may still wait for compilers of the account's pipelines. */
uint64_t ag_turn_patience_ns(const struct ag_turn *turn, struct ag_account *account);

/* A submission of the account is completed. */
void ag_turn_note_completed(struct ag_turn *turn, struct ag_account *account);

#endif
