/* SPDX-License-Identifier: MIT */
#include "exec/bind/overflow_arena.h"

#include <stdlib.h>

#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/record/bind_group.h"

bool ag_overflow_arena_init(struct ag_overflow_arena *arena, const struct agpu_module *module)
{
    *arena = (struct ag_overflow_arena){0};
    if (module->overflow_count)
        arena->parts = calloc(module->overflow_count, sizeof *arena->parts);
    return arena->parts || !module->overflow_count;
}

void ag_overflow_arena_fini(struct ag_binder *binder, struct ag_overflow_arena *arena)
{
    if (arena->gpu) {
        ag_bind_groups_forget(binder->recorder, arena->id);
        wgpuBufferRelease(arena->gpu);
    }
    free(arena->parts);
    *arena = (struct ag_overflow_arena){0};
}
