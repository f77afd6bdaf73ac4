/* SPDX-License-Identifier: MIT
 *
 * Records the input assembly kernels (assembly.wgsl).
 */
#include "kernel/assembly.h"

#include <string.h>

#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "kernel/kernels.h"

enum { FIND, WRITE, COPY, STRIP };

/* Values of D3D_PRIMITIVE_TOPOLOGY, which the ABI uses; its value 6, unused in D3D11, is the ABI's triangle
 * fan. */
enum { FIRST_PATCH_LIST = 33, LAST_PATCH_LIST = 64, TOPOLOGY_COUNT = 14 };

static const struct {
    uint8_t list_vertices, first_end, step;
    uint8_t corners, corners_with_neighbours;
} topologies[TOPOLOGY_COUNT] = {
    [1] = {1, 0, 1, 1, 1}, /* point list */
    [2] = {2, 0, 1, 2, 2}, /* line list */
    [3] = {0, 1, 1, 2, 2}, /* line strip */
    [4] = {3, 0, 1, 3, 3}, /* triangle list */
    [5] = {0, 2, 1, 3, 3}, /* triangle strip */
    [6] = {0, 2, 1, 3, 3}, /* triangle fan */
    [10] = {4, 0, 1, 2, 4}, /* line list, line strip, triangle list and triangle strip with adjacency */
    [11] = {0, 3, 1, 2, 4},
      [12] = {6, 0, 1, 3, 6},
      [13] = {0, 5, 2, 3, 6},
};

bool ag_assembly_init(struct ag_assembly *assembly, uint32_t topology, bool neighbours)
{
    *assembly = (struct ag_assembly){.topology = topology, .step = 1};
    if (topology >= FIRST_PATCH_LIST && topology <= LAST_PATCH_LIST) {
        assembly->list_vertices = topology - FIRST_PATCH_LIST + 1;
        assembly->corners = assembly->list_vertices;
        return true;
    }
    if (topology >= TOPOLOGY_COUNT || topologies[topology].corners == 0)
        return false;
    assembly->list_vertices = topologies[topology].list_vertices;
    assembly->first_end = topologies[topology].first_end;
    assembly->step = topologies[topology].step;
    assembly->corners =
        neighbours ? topologies[topology].corners_with_neighbours : topologies[topology].corners;
    assembly->neighbours = assembly->corners != topologies[topology].corners;
    return true;
}

uint32_t ag_assembly_primitives(const struct ag_assembly *assembly, uint32_t vertices)
{
    if (assembly->list_vertices)
        return vertices / assembly->list_vertices;
    return vertices <= assembly->first_end ? 0 : (vertices - 1 - assembly->first_end) / assembly->step + 1;
}

void ag_assembly_kernels_init(struct ag_assembly_kernels *kernels, struct agpu_gpu *gpu)
{
    const struct ag_kernel_desc desc = {
        .label = "input assembly",
        .wgsl = ag_assembly_wgsl,
        .wgsl_length = ag_assembly_wgsl_length,
        .binding_count = 5,
        .written = 1u << 2 | 1u << 3 | 1u << 4,
        .block_bytes = AG_ASSEMBLY_BLOCK_BYTES,
        .entries = {[FIND] = "find", [WRITE] = "write", [COPY] = "copy", [STRIP] = "strip"},
    };
    ag_kernel_init(&kernels->kernel, gpu, &desc);
}

void ag_assembly_kernels_fini(struct ag_assembly_kernels *kernels)
{
    ag_kernel_fini(&kernels->kernel);
}

/* The offset of the block's last word, which only the kernel `strip` reads. */
#define BASE_VERTEX_AT ((size_t)17 * 4)

void ag_assembly_block(const struct ag_assembly *assembly, const struct ag_assembly_indices *indices,
                       uint32_t vertices, bool restarts, const struct ag_assembly_part *part,
                       uint8_t block[AG_ASSEMBLY_BLOCK_BYTES])
{
    const uint32_t words[] = {
        assembly->topology,
        assembly->corners,
        assembly->neighbours,
        assembly->list_vertices,
        assembly->first_end,
        assembly->step,
        indices->bytes,
        indices->base,
        indices->limit,
        vertices,
        restarts,
        part->first,
        part->primitives,
        part->first_instance,
        part->instances,
        part->begin,
        part->end,
    };
    memset(block, 0, AG_ASSEMBLY_BLOCK_BYTES);
    for (size_t i = 0; i < AG_COUNT_OF(words); i++)
        ag_store_u32(block + 4 * i, words[i]);
}

void ag_assembly_strip_block(const struct ag_assembly *assembly, const struct ag_assembly_indices *indices,
                             const struct ag_assembly_draw *draw, uint8_t block[AG_ASSEMBLY_BLOCK_BYTES])
{
    const struct ag_assembly_part part = {.instances = draw->instances,
                                          .first_instance = draw->first_instance};
    ag_assembly_block(assembly, indices, draw->vertices, true, &part, block);
    ag_store_u32(block + BASE_VERTEX_AT, (uint32_t)draw->base_vertex);
}

bool ag_assembly_record_strip(struct ag_assembly_kernels *kernels, WGPUComputePassEncoder pass,
                              const struct ag_assembly_buffers *buffers, uint32_t vertices)
{
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {
        buffers->block, buffers->indices, buffers->runs, buffers->vertices, buffers->primitives};
    if (!ag_kernel_bind(&kernels->kernel, pass, ranges))
        return false;
    ag_kernel_dispatch(&kernels->kernel, pass, COPY, vertices);
    ag_kernel_dispatch_one(&kernels->kernel, pass, STRIP);
    return true;
}

bool ag_assembly_record(struct ag_assembly_kernels *kernels, WGPUComputePassEncoder pass,
                        const struct ag_assembly_buffers *buffers, const struct ag_assembly_part *part,
                        bool finds)
{
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {
        buffers->block, buffers->indices, buffers->runs, buffers->vertices, buffers->primitives};
    if (!ag_kernel_bind(&kernels->kernel, pass, ranges))
        return false;
    if (finds)
        ag_kernel_dispatch_one(&kernels->kernel, pass, FIND);
    ag_kernel_dispatch(&kernels->kernel, pass, WRITE, (uint64_t)part->primitives * part->instances);
    return true;
}
