/* SPDX-License-Identifier: MIT */
#include "exec/submit/turn.h"

#include <stddef.h>

#include "base/clock.h"
#include "exec/host/account.h"

/* An embedder that does not poll for longer counts as one that polls so rarely: a guest is not to blame. */
#define LONGEST_GAP_NS (UINT64_C(100) * 1000000)

/* What the account has counted begins anew when a submission of another context was completed since. */
static void begin_round(const struct ag_turn *turn, struct ag_account *account)
{
    const uint64_t round = turn->completed - account->completed;
    if (account->round == round)
        return;
    account->round = round;
    account->work_ns = account->compile_ns = 0;
}

void ag_turn_begin_call(struct ag_turn *turn)
{
    struct ag_account *account = turn->waits_for;
    if (!account)
        return;
    begin_round(turn, account);
    const uint64_t gap = ag_clock_ns() - turn->since_ns;
    *(turn->is_compiler ? &account->compile_ns : &account->work_ns) +=
        gap < LONGEST_GAP_NS ? gap : LONGEST_GAP_NS;
    turn->waits_for = NULL;
}

void ag_turn_work(struct ag_turn *turn, struct ag_account *account, uint64_t work_ns)
{
    begin_round(turn, account);
    account->work_ns += work_ns;
}

void ag_turn_wait(struct ag_turn *turn, struct ag_account *account, bool is_compiler)
{
    turn->waits_for = account;
    turn->is_compiler = is_compiler;
    turn->since_ns = ag_clock_ns();
}

bool ag_turn_is_over(const struct ag_turn *turn, struct ag_account *account)
{
    begin_round(turn, account);
    return account->work_ns >= turn->length_ns;
}

uint64_t ag_turn_patience_ns(const struct ag_turn *turn, struct ag_account *account)
{
    begin_round(turn, account);
    return account->compile_ns < turn->length_ns ? turn->length_ns - account->compile_ns : 0;
}

void ag_turn_note_completed(struct ag_turn *turn, struct ag_account *account)
{
    turn->completed++;
    account->completed++;
}
