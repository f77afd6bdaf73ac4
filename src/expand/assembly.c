/* SPDX-License-Identifier: MIT */
#include "expand/assembly.h"

#include <string.h>

#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "expand/kernels.h"

enum { FIND, WRITE, COPY, STRIP };

/* Numbers of D3D_PRIMITIVE_TOPOLOGY, which the ABI shares; 6 is its triangle fan. */
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
    [10] = {4, 0, 1, 2, 4}, /* the same with adjacency */
    [11] = {0, 3, 1, 2, 4},
      [12] = {6, 0, 1, 3, 6},
      [13] = {0, 5, 2, 3, 6},
};

bool agpu_assembly_init(struct agpu_assembly *assembly, uint32_t topology, bool neighbours)
{
    *assembly = (struct agpu_assembly){.topology = topology, .step = 1};
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

uint32_t agpu_assembly_primitives(const struct agpu_assembly *assembly, uint32_t vertices)
{
    if (assembly->list_vertices)
        return vertices / assembly->list_vertices;
    return vertices <= assembly->first_end ? 0 : (vertices - 1 - assembly->first_end) / assembly->step + 1;
}

void agpu_assembly_kernels_init(struct agpu_assembly_kernels *kernels, struct agpu_gpu *gpu)
{
    const struct agpu_kernel_desc desc = {
        .label = "input assembly",
        .wgsl = agpu_assembly_wgsl,
        .wgsl_length = agpu_assembly_wgsl_length,
        .binding_count = 5,
        .written = 1u << 2 | 1u << 3 | 1u << 4,
        .block_bytes = AGPU_ASSEMBLY_BLOCK_BYTES,
        .entries = {[FIND] = "find", [WRITE] = "write", [COPY] = "copy", [STRIP] = "strip"},
    };
    agpu_kernel_init(&kernels->kernel, gpu, &desc);
}

void agpu_assembly_kernels_fini(struct agpu_assembly_kernels *kernels)
{
    agpu_kernel_fini(&kernels->kernel);
}

/* Of the block's last word, which only stripping reads. */
#define BASE_VERTEX_AT (17 * 4)

void agpu_assembly_block(const struct agpu_assembly *assembly, const struct agpu_assembly_indices *indices,
                         uint32_t vertices, bool restarts, const struct agpu_assembly_part *part,
                         uint8_t block[AGPU_ASSEMBLY_BLOCK_BYTES])
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
    memset(block, 0, AGPU_ASSEMBLY_BLOCK_BYTES);
    for (size_t i = 0; i < AGPU_COUNT_OF(words); i++)
        agpu_store_u32(block + 4 * i, words[i]);
}

void agpu_assembly_strip_block(const struct agpu_assembly *assembly,
                               const struct agpu_assembly_indices *indices,
                               const struct agpu_assembly_draw *draw,
                               uint8_t block[AGPU_ASSEMBLY_BLOCK_BYTES])
{
    const struct agpu_assembly_part part = {.instances = draw->instances,
                                            .first_instance = draw->first_instance};
    agpu_assembly_block(assembly, indices, draw->vertices, true, &part, block);
    agpu_store_u32(block + BASE_VERTEX_AT, (uint32_t)draw->base_vertex);
}

void agpu_assembly_record_strip(const struct agpu_assembly_kernels *kernels, WGPUComputePassEncoder pass,
                                const struct agpu_assembly_buffers *buffers, uint32_t vertices)
{
    const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS] = {
        buffers->block, buffers->indices, buffers->runs, buffers->vertices, buffers->primitives};
    if (!agpu_kernel_bind(&kernels->kernel, pass, ranges))
        return;
    agpu_kernel_dispatch(&kernels->kernel, pass, COPY, vertices);
    agpu_kernel_dispatch_one(&kernels->kernel, pass, STRIP);
}

void agpu_assembly_record(const struct agpu_assembly_kernels *kernels, WGPUComputePassEncoder pass,
                          const struct agpu_assembly_buffers *buffers, const struct agpu_assembly_part *part,
                          bool finds)
{
    const struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS] = {
        buffers->block, buffers->indices, buffers->runs, buffers->vertices, buffers->primitives};
    if (!agpu_kernel_bind(&kernels->kernel, pass, ranges))
        return;
    if (finds)
        agpu_kernel_dispatch_one(&kernels->kernel, pass, FIND);
    agpu_kernel_dispatch(&kernels->kernel, pass, WRITE, (uint64_t)part->primitives * part->instances);
}
