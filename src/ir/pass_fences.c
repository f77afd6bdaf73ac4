/* SPDX-License-Identifier: MIT
 *
 * Gives WGSL's form to what D3D says about the order of memory accesses without a barrier for threads:
 * `globallycoherent` views and fences.
 *
 * WGSL has no fence. Where every thread of a group certainly comes by, a barrier in its place does no harm.
 * Elsewhere, as in views that are coherent, the accesses become atomic: what one thread stores then reaches
 * the others, but nothing promises in which order two words do, which is told.
 */
#include "ir/pass.h"

#define FENCED_UAVS (AGPU_SYNC_UAV_MEMORY_GROUP | AGPU_SYNC_UAV_MEMORY_GLOBAL)

struct fences {
    struct ag_ir_program *program;
    uint32_t divergent; /* the flags of all fences that are no barriers: enum agpu_sync_flag */
};

static bool is_fence(const struct ag_ir_stmt *stmt)
{
    return stmt->kind == AG_IR_BARRIER && !(stmt->sync & AGPU_SYNC_THREADS_IN_GROUP) && stmt->sync != 0;
}

/* Turns the fences that all threads reach into barriers. False behind a statement that some threads may not
 * come back from. */
static bool make_barriers(struct ag_ir_block *block)
{
    for (struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        if (is_fence(stmt))
            stmt->sync |= AGPU_SYNC_THREADS_IN_GROUP;
        if (stmt->kind == AG_IR_RETURN)
            return false;
        if (ag_ir_is_always(stmt) ? !make_barriers(stmt->body)
                                  : ag_ir_stmt_jumps(stmt, (struct ag_ir_jumps){.returns = true}))
            return false;
    }
    return true;
}

static void note_fence(void *user, struct ag_ir_stmt *stmt)
{
    struct fences *fences = user;
    if (!is_fence(stmt))
        return;
    if (fences->program->stage != AGPU_STAGE_COMPUTE && !(stmt->sync & FENCED_UAVS))
        return;
    fences->divergent |= stmt->sync;
    ag_ir_warn(fences->program, AGPU_DIAG_TRANSLATE_IGNORED, stmt->offset,
               "a fence that not all threads of a group certainly reach has no counterpart in WGSL: the "
               "accesses become atomic, their order is the driver's");
}

/* Whether an access of the resource can be atomic: WGSL has no atomics on storage textures. */
static bool has_words(const struct ag_ir_resource *resource)
{
    const bool is_texture = resource->dimension >= AGPU_DIMENSION_TEXTURE1D &&
                            resource->dimension <= AGPU_DIMENSION_TEXTURECUBEARRAY;
    return !is_texture || resource->wide || resource->atomic;
}

static void make_atomic(struct ag_ir_program *program, struct ag_ir_resource *resource)
{
    if (has_words(resource))
        resource->atomic = true;
    else
        ag_ir_warn(program, AGPU_DIAG_TRANSLATE_IGNORED, resource->offset,
                   "u%u is coherent, which WGSL's storage textures are not", resource->slot);
}

static bool writes_views(const struct ag_ir_program *program)
{
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        if (resource->space == AGPU_SPACE_UAV && (resource->stored || resource->atomic))
            return true;
    }
    return false;
}

void ag_ir_pass_fences(struct ag_ir_program *program)
{
    struct fences fences = {.program = program};
    const bool writes = writes_views(program);
    if (program->stage == AGPU_STAGE_COMPUTE)
        make_barriers(program->body);
    ag_ir_walk(program->body, note_fence, &fences);
    for (size_t i = 0; i < program->resources.count; i++) {
        struct ag_ir_resource *resource = &program->resources.data[i];
        const bool is_view =
            writes && resource->space == AGPU_SPACE_UAV && (resource->stored || resource->loaded);
        const bool is_shared = resource->space == AGPU_SPACE_INTERNAL;
        if ((is_view && (resource->coherent || (fences.divergent & FENCED_UAVS))) ||
            (is_shared && (fences.divergent & AGPU_SYNC_GROUP_SHARED_MEMORY)))
            make_atomic(program, resource);
        if (is_view && resource->ordered)
            ag_ir_warn(program, AGPU_DIAG_TRANSLATE_IGNORED, resource->offset,
                       "u%u is rasterizer ordered, which WebGPU has nothing like: pixels at one place access "
                       "it in any order",
                       resource->slot);
    }
}
