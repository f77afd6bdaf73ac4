/* SPDX-License-Identifier: MIT
 *
 * GPU processes come and go: their start, their end by themselves, and their end because they are silent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "process/owner.h"

/* The least time between two starts: a guest that crashes its process again and again costs so much. */
#define START_INTERVAL_NS UINT64_C(100000000)
/* After this part of the time limit without a word, the process is asked for one. */
#define PING_PART 4

/* ---- The start ---------------------------------------------------------------------------------------- */

static bool send_start(struct ag_owner *owner)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_START, owner->epoch);
    int descriptors[AG_DESCRIPTORS] = {owner->child.shared_descriptor};
    memcpy(descriptors + 1, owner->regions, owner->region_count * sizeof *descriptors);
    uint8_t *const bytes = ag_channel_reserve(&owner->channel, &message, (uint32_t)owner->start.length);
    memcpy(bytes, owner->start.data, owner->start.length); /* the ring is empty: there is room */
    const enum ag_channel_result result =
        ag_channel_send_descriptors(&owner->channel, &message, descriptors, 1 + owner->region_count);
    close(owner->child.shared_descriptor);
    owner->child.shared_descriptor = -1;
    return result == AG_CHANNEL_DONE;
}

static void listen_to(const struct ag_owner *owner)
{
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(owner->notifier, EPOLL_CTL_ADD, owner->child.socket, &event);
    if (owner->child.error >= 0)
        epoll_ctl(owner->notifier, EPOLL_CTL_ADD, owner->child.error, &event);
}

void ag_owner_connect(struct ag_owner *owner, const struct ag_child *child)
{
    owner->child = *child;
    owner->state = AG_OWNER_STARTING;
    owner->failure = AGPU_OK;
    owner->device_is_lost = false;
    owner->epoch = owner->pings = owner->pongs = 0;
    owner->heard_ns = owner->progress_ns = ag_clock_ns();
    ag_channel_init(&owner->channel, child->socket, child->shared, false);
    listen_to(owner);
}

void ag_owner_start(struct ag_owner *owner)
{
    char problem[256];
    const uint64_t now = ag_clock_ns();
    if (owner->state != AG_OWNER_ABSENT || !ag_child_has_ended(&owner->child) ||
        (owner->started_ns != 0 && now - owner->started_ns < START_INTERVAL_NS))
        return;
    struct ag_child child;
    owner->started_ns = now;
    ag_error_relay_begin(&owner->error_relay);
    if (!ag_child_start(&child, owner->program, (const char *const *)owner->arguments,
                        (const char *const *)owner->environment, problem, sizeof problem)) {
        owner->failure = AGPU_MISSING;
        ag_owner_lose(owner, AGPU_DIAG_GPU_PROCESS, problem);
        return;
    }
    ag_owner_connect(owner, &child);
    if (!send_start(owner))
        ag_owner_notice_end(owner);
}

/* ---- The end ------------------------------------------------------------------------------------------ */

void ag_owner_drop_process(struct ag_owner *owner)
{
    ag_error_relay_end(&owner->error_relay, &owner->child.error);
    ag_child_kill(&owner->child); /* closing its descriptors takes them out of the notifier */
    ag_owner_clear_waiting(owner);
    ag_owner_drop_picture(owner);
}

/* As the executor does with a lost WebGPU device: one error for all, BACKEND for each that is in flight. */
void ag_owner_lose(struct ag_owner *owner, enum agpu_diag_code code, const char *cause)
{
    const uint32_t error = agpu_diag_error_register(AGPU_DIAG_GPU_LOST);
    if (owner->state == AG_OWNER_STARTING && owner->failure == AGPU_OK)
        owner->failure = AGPU_INTERNAL;
    owner->state = AG_OWNER_LOST;
    ag_owner_drop_process(owner);
    ag_report(&owner->gpu_sink, code, AGPU_ERROR, ag_place_none(), "%s", cause);
    ag_owner_lose_snapshot(owner, false);
    if (!owner->device_is_lost)
        ag_owner_tell_loss(owner);
    while (ag_owner_in_flight(owner) != 0 && !owner->reset_is_wanted)
        ag_owner_complete(owner, error);
}

void ag_owner_notice_end(struct ag_owner *owner)
{
    char how[64], cause[128];
    ag_child_wait(&owner->child, owner->end_wait_ns);
    ag_child_describe_end(&owner->child, how, sizeof how);
    snprintf(cause, sizeof cause, "the GPU device was lost: the GPU process %s", how);
    ag_owner_lose(owner, AGPU_DIAG_GPU_LOST, cause);
}

/* ---- Time --------------------------------------------------------------------------------------------- */

static void lose_for(struct ag_owner *owner, const char *what, uint64_t limit_ns)
{
    char cause[160];
    snprintf(cause, sizeof cause, "the GPU device was lost: the GPU process %s within %llu ms", what,
             (unsigned long long)(limit_ns / 1000000));
    ag_owner_lose(owner, AGPU_DIAG_GPU_LOST, cause);
}

static void send_ping(struct ag_owner *owner, uint64_t now)
{
    struct ag_message message = ag_message_of(AG_MESSAGE_PING, owner->epoch);
    message.as.ping = ++owner->pings;
    owner->ping_ns = now;
    if (!ag_owner_send(owner, &message, NULL, 0))
        owner->pongs = owner->pings; /* no memory: asked again later */
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A limit counts from the last word of the process, and is looked at only when there is none to be read: time
 * in which nobody polled is not the fault of the process. */
void ag_owner_check_time(struct ag_owner *owner, bool heard_something)
{
    if (!ag_owner_has_process(owner))
        return;
    const uint64_t now = ag_clock_ns();
    heard_something |= owner->save.has_held; /* nobody asks for it */
    if (heard_something)
        owner->heard_ns = now;
    const bool has_work = ag_owner_has_work(owner);
    const bool is_asked = owner->pings != owner->pongs;
    if (ag_owner_load_is_late(owner)) {
        lose_for(owner, "did not load a snapshot", owner->submission_timeout_ns * AG_LOAD_TIMES);
        return;
    }
    if (heard_something)
        return;
    if (owner->state == AG_OWNER_STARTING) {
        if (now - owner->heard_ns >= owner->start_timeout_ns)
            lose_for(owner, "opened no GPU", owner->start_timeout_ns);
    } else if (is_asked && now - later(owner->ping_ns, owner->heard_ns) >= owner->hang_timeout_ns) {
        lose_for(owner, "did not answer", owner->hang_timeout_ns);
    } else if (has_work && now - owner->progress_ns >= owner->submission_timeout_ns) {
        lose_for(owner, "made no progress", owner->submission_timeout_ns);
    } else if (has_work && !is_asked && owner->hang_timeout_ns != UINT64_MAX &&
               now - owner->heard_ns >= owner->hang_timeout_ns / PING_PART) {
        send_ping(owner, now);
    }
}
