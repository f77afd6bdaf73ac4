/* SPDX-License-Identifier: MIT */
#include "pipeline_bind.h"

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc_opcodes.h"
#include "format/formats.h"

#define MOST_WRITTEN 8
#define EDGE 16            /* of the targets as well */
#define MOST_INSTANCES 253 /* D3D11_SHADER_MAX_INTERFACES */

static uint32_t wire_stage(enum agpu_stage stage)
{
    return stage == AGPU_STAGE_VERTEX  ? AEROGPU_SHADER_STAGE_VERTEX
           : stage == AGPU_STAGE_PIXEL ? AEROGPU_SHADER_STAGE_PIXEL
                                       : AEROGPU_SHADER_STAGE_COMPUTE;
}

/* ---- Class instances ----------------------------------------------------------------------------------- */

/* A declaration has: first slot, call sites, tables and array length, the tables. */
static uint32_t fill_slots(const struct agpu_instruction *dcl, struct aerogpu_ext_class_instance *instances)
{
    const uint32_t end = dcl->data[0] + (dcl->data[2] >> 16);
    for (uint32_t i = dcl->data[0]; i < end && i < MOST_INSTANCES; i++)
        instances[i].function_table = dcl->data[3];
    return end < MOST_INSTANCES ? end : MOST_INSTANCES;
}

void pipeline_bind_instances(struct agpu_writer *writer, const struct agpu_program *program)
{
    struct aerogpu_ext_class_instance instances[MOST_INSTANCES] = {{0}};
    const struct aerogpu_cmd_ext_set_class_instances set = {.shader_stage = wire_stage(program->stage)};
    uint32_t count = 0;
    for (uint32_t i = 0; i < MOST_INSTANCES; i++)
        instances[i].function_table = AEROGPU_EXT_ALL;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        const uint32_t end =
            dcl->opcode == AGPU_OP_DCL_INTERFACE && dcl->data_count > 3 ? fill_slots(dcl, instances) : 0;
        count = end > count ? end : count;
    }
    if (count > 0)
        agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_CLASS_INSTANCES, &set, sizeof set, instances,
                          count * sizeof instances[0]);
}

/* ---- Textures that are written ------------------------------------------------------------------------- */

/* What a texture of a declared dimension is, as a resource and as a view. */
static const struct {
    uint8_t resource, view;
    bool is_flat, is_deep; /* one texel high; several slices of a volume */
} shapes[AGPU_DIMENSION_COUNT] = {
    [AGPU_DIMENSION_TEXTURE1D] = {AEROGPU_EXT_RESOURCE_TEXTURE1D, AEROGPU_EXT_DIMENSION_TEXTURE1D,      true,
                                  false                                                                             },
    [AGPU_DIMENSION_TEXTURE1DARRAY] = {AEROGPU_EXT_RESOURCE_TEXTURE1D, AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY,
                                  true,                                                                        false},
    [AGPU_DIMENSION_TEXTURE2D] = {AEROGPU_EXT_RESOURCE_TEXTURE2D, AEROGPU_EXT_DIMENSION_TEXTURE2D,      false,
                                  false                                                                             },
    [AGPU_DIMENSION_TEXTURE2DARRAY] = {AEROGPU_EXT_RESOURCE_TEXTURE2D, AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY,
                                  false,                                                                       false},
    [AGPU_DIMENSION_TEXTURE3D] = {AEROGPU_EXT_RESOURCE_TEXTURE3D, AEROGPU_EXT_DIMENSION_TEXTURE3D,      false,
                                  true                                                                              },
};

/* Single words where there are any, which may be loaded and have atomics. */
static uint32_t format_of(const struct agpu_instruction *dcl)
{
    switch (dcl->data_count > 0 ? dcl->data[0] & 15 : 0) {
    case AGPU_RETURN_UNORM:
        return AEROGPU_EXT_FORMAT(AG_DXGI_R8G8B8A8_UNORM);
    case AGPU_RETURN_SNORM:
        return AEROGPU_EXT_FORMAT(AG_DXGI_R8G8B8A8_SNORM);
    case AGPU_RETURN_SINT:
        return AEROGPU_EXT_FORMAT(AG_DXGI_R32_SINT);
    case AGPU_RETURN_UINT:
        return AEROGPU_EXT_FORMAT(AG_DXGI_R32_UINT);
    default:
        return AEROGPU_EXT_FORMAT(AG_DXGI_R32_FLOAT);
    }
}

static void write_view(struct agpu_writer *writer, uint32_t view, uint32_t resource, uint32_t kind,
                       uint32_t dimension)
{
    const struct aerogpu_cmd_ext_create_view create = {
        .view_handle = view,
        .resource_handle = resource,
        .kind = kind,
        .dimension = dimension,
        .mip_level_count = 1,
        .array_layer_count = AEROGPU_EXT_ALL,
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_VIEW, &create, sizeof create, NULL, 0);
}

static void write_texture(struct agpu_writer *writer, const struct agpu_instruction *dcl, uint32_t texture,
                          uint32_t view)
{
    const enum agpu_resource_dimension dimension = agpu_dcl_dimension(dcl);
    const struct aerogpu_cmd_ext_create_texture create = {
        .texture_handle = texture,
        .dimension = shapes[dimension].resource,
        .format = format_of(dcl),
        .width = EDGE,
        .height = shapes[dimension].is_flat ? 1 : EDGE,
        .depth = shapes[dimension].is_deep ? EDGE : 1,
        .mip_levels = 1,
        .array_size = 1,
        .sample_count = 1,
        .bind_flags = AEROGPU_EXT_BIND_UNORDERED_ACCESS,
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_CREATE_TEXTURE, &create, sizeof create, NULL, 0);
    write_view(writer, view, texture, AEROGPU_EXT_VIEW_UNORDERED_ACCESS, shapes[dimension].view);
}

/* The register, also where model 5.1 has ranges; or MOST_WRITTEN. */
static uint64_t written_slot(const struct agpu_program *program, const struct agpu_instruction *dcl)
{
    const bool ranged = program->major == 5 && program->minor >= 1;
    if (dcl->opcode != AGPU_OP_DCL_UAV_TYPED || dcl->operand_count == 0 ||
        dcl->operands[0].index_count < (ranged ? 2 : 1) || agpu_dcl_dimension(dcl) >= AGPU_DIMENSION_COUNT ||
        shapes[agpu_dcl_dimension(dcl)].resource == 0)
        return MOST_WRITTEN;
    return dcl->operands[0].index[ranged ? 1 : 0].immediate;
}

static void write_targets(struct agpu_writer *writer, uint32_t first, uint32_t color, uint32_t depth,
                          const struct aerogpu_ext_unordered_access_binding *bindings)
{
    const struct aerogpu_cmd_ext_set_render_targets set = {
        .color_count = 1,
        .depth_stencil = first + 1,
        .colors = {first},
        .uav_start_slot = 1,
        .uav_count = MOST_WRITTEN - 1,
    };
    write_view(writer, first, color, AEROGPU_EXT_VIEW_RENDER_TARGET, AEROGPU_EXT_DIMENSION_TEXTURE2D);
    write_view(writer, first + 1, depth, AEROGPU_EXT_VIEW_DEPTH_STENCIL, AEROGPU_EXT_DIMENSION_TEXTURE2D);
    agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_RENDER_TARGETS, &set, sizeof set, bindings + 1,
                      (MOST_WRITTEN - 1) * sizeof bindings[0]);
}

void pipeline_bind_written(struct agpu_writer *writer, const struct agpu_program *program, uint32_t first,
                           uint32_t color, uint32_t depth)
{
    struct aerogpu_ext_unordered_access_binding bindings[MOST_WRITTEN] = {{0}};
    const struct aerogpu_cmd_ext_set_unordered_access_views set = {.shader_stage =
                                                                       AEROGPU_SHADER_STAGE_COMPUTE};
    bool any = false;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const uint64_t slot = written_slot(program, &program->instructions[i]);
        if (slot >= MOST_WRITTEN || bindings[slot].view != 0)
            continue;
        const uint32_t texture = first + 2 + 2 * (uint32_t)slot;
        write_texture(writer, &program->instructions[i], texture, texture + 1);
        bindings[slot].view = texture + 1;
        any = true;
    }
    if (any && program->stage == AGPU_STAGE_PIXEL)
        write_targets(writer, first, color, depth, bindings);
    else if (any && program->stage == AGPU_STAGE_COMPUTE)
        agpu_write_packet(writer, AEROGPU_CMD_EXT_SET_UNORDERED_ACCESS_VIEWS, &set, sizeof set, bindings,
                          sizeof bindings);
}
