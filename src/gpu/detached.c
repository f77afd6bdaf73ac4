/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "gpu/detached.h"

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* The thread runs code of this library, which the program may unload meanwhile. */
static void keep_code_loaded(void *(*run)(void *user))
{
    Dl_info info;
    if (dladdr((void *)(uintptr_t)run, &info) != 0 && info.dli_fname != NULL)
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

/* What a thread raises itself: a handler that is blocked would be no handler, as the one of a GPU process
 * that answers calls which its filter catches. */
static const int own[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};

static bool start(void *(*run)(void *user), void *user, int state, pthread_t *thread)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    keep_code_loaded(run);
    pthread_attr_setdetachstate(&attributes, state);
    sigfillset(&all);
    for (size_t i = 0; i < AG_COUNT_OF(own); i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(thread, &attributes, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

bool ag_detached_start(void *(*run)(void *user), void *user)
{
    pthread_t thread;
    return start(run, user, PTHREAD_CREATE_DETACHED, &thread);
}

bool ag_joinable_start(void *(*run)(void *user), void *user, pthread_t *thread)
{
    return start(run, user, PTHREAD_CREATE_JOINABLE, thread);
}
