/* SPDX-License-Identifier: MIT */
#include "wgsl/raster_outputs.h"

static struct ag_wgsl_component first_component(uint32_t number, uint32_t mask)
{
    struct ag_wgsl_component first = {.number = (uint8_t)number};
    while (first.component < 3 && !(mask >> first.component & 1))
        first.component++;
    return first;
}

static bool add_distances(struct ag_wgsl_distances *distances, uint32_t number, uint32_t mask)
{
    for (uint32_t c = 0; c < 4; c++) {
        if (!(mask >> c & 1))
            continue;
        if (distances->count == AG_WGSL_MAX_DISTANCES)
            return false;
        distances->components[distances->count++] = (struct ag_wgsl_component){(uint8_t)number, (uint8_t)c};
    }
    return true;
}

static bool read_system_value(struct ag_wgsl_raster_outputs *raster, uint32_t name, uint32_t number,
                              uint32_t mask)
{
    switch (name) {
    case AGPU_NAME_POSITION:
        raster->has_position = true;
        raster->position = (uint8_t)number;
        break;
    case AGPU_NAME_RENDER_TARGET_ARRAY_INDEX:
        raster->has_layer = true;
        raster->layer = first_component(number, mask);
        break;
    case AGPU_NAME_VIEWPORT_ARRAY_INDEX:
        raster->has_viewport = true;
        raster->viewport = first_component(number, mask);
        break;
    case AGPU_NAME_CLIP_DISTANCE:
        return add_distances(&raster->clip, number, mask);
    case AGPU_NAME_CULL_DISTANCE:
        return add_distances(&raster->cull, number, mask);
    default:
        break;
    }
    return true;
}

bool ag_wgsl_read_raster_outputs(const struct agpu_program *program, uint32_t stream, uint32_t register_count,
                                 struct ag_wgsl_raster_outputs *raster)
{
    uint64_t declared = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        const struct agpu_operand *operand = dcl->operands;
        if (dcl->opcode == AGPU_OP_DCL_STREAM && dcl->operand_count > 0)
            declared = operand->index[0].immediate;
        if (declared != stream || dcl->opcode != AGPU_OP_DCL_OUTPUT_SIV || dcl->operand_count == 0 ||
            dcl->data_count == 0 || operand->type != AGPU_OPERAND_OUTPUT || operand->index_count != 1 ||
            operand->index[0].immediate >= register_count)
            continue;
        if (!read_system_value(raster, dcl->data[0], (uint32_t)operand->index[0].immediate, operand->mask))
            return false;
    }
    return raster->clip.count + raster->cull.count <= AG_WGSL_MAX_DISTANCES;
}
