/* SPDX-License-Identifier: MIT */
#include "exec/bind/storage_texture.h"

#include <stdint.h>
#include <string.h>

#include "aerogpu/dxbc_opcodes.h"
#include "aerogpu/translate.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/group_builder.h"
#include "exec/bind/shader.h"
#include "exec/bind/uav.h"
#include "exec/host/host.h"
#include "exec/object/resource.h"
#include "exec/object/storage_format.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/transfer/texture_pull.h"

/* ---- What a shader declares --------------------------------------------------------------------------- */

static void note_declaration(struct ag_shader_program *program, const struct agpu_instruction *dcl)
{
    const struct agpu_operand *operand = &dcl->operands[0];
    const uint32_t index = operand->index_count == 3 ? 1 : 0;
    if (dcl->operand_count == 0 || operand->index_count == 0 ||
        agpu_dcl_dimension(dcl) == AGPU_DIMENSION_BUFFER)
        return;
    const uint64_t slot = operand->index[index].immediate;
    if (slot >= AG_STORAGE_TEXTURE_SLOTS ||
        (operand->index_count == 3 && operand->index[2].immediate != slot)) /* a range of slots */
        return;
    program->writable[slot].dimension = (uint8_t)agpu_dcl_dimension(dcl);
    program->writable[slot].return_type = (uint8_t)(dcl->data_count ? dcl->data[0] & 15 : 0);
    program->writable[slot].range = (uint32_t)operand->index[0].immediate;
}

static void note_access(struct ag_shader_program *program, const struct agpu_instruction *instruction,
                        const struct agpu_operand *operand)
{
    for (uint32_t slot = 0; slot < AG_STORAGE_TEXTURE_SLOTS; slot++) {
        struct ag_writable_texture *texture = &program->writable[slot];
        if (operand->index_count && !operand->index[0].relative &&
            operand->index[0].immediate != texture->range)
            continue;
        const bool loads =
            instruction->opcode == AGPU_OP_LD_UAV_TYPED || instruction->opcode == AGPU_OP_LD_UAV_TYPED_S;
        const bool asks = instruction->opcode == AGPU_OP_RESINFO;
        texture->loaded |= loads;
        texture->has_atomics |= !loads && !asks && instruction->opcode != AGPU_OP_STORE_UAV_TYPED;
    }
}

static bool is_declaration(const struct agpu_instruction *instruction)
{
    return instruction->opcode == AGPU_OP_DCL_UAV_TYPED || instruction->opcode == AGPU_OP_DCL_UAV_RAW ||
           instruction->opcode == AGPU_OP_DCL_UAV_STRUCTURED;
}

void ag_storage_textures_note(struct ag_shader_program *program)
{
    const struct agpu_program *instructions = &program->shader->program;
    for (uint32_t i = 0; i < instructions->instruction_count; i++)
        if (instructions->instructions[i].opcode == AGPU_OP_DCL_UAV_TYPED)
            note_declaration(program, &instructions->instructions[i]);
    for (uint32_t i = 0; i < instructions->instruction_count; i++) {
        const struct agpu_instruction *instruction = &instructions->instructions[i];
        for (uint32_t j = 0; j < instruction->operand_count && !is_declaration(instruction); j++)
            if (instruction->operands[j].type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW)
                note_access(program, instruction, &instruction->operands[j]);
    }
}

/* ---- Choice ------------------------------------------------------------------------------------------- */

static enum ag_host_class class_of(uint32_t return_type)
{
    return return_type == AGPU_RETURN_SINT   ? AG_CLASS_SINT
           : return_type == AGPU_RETURN_UINT ? AG_CLASS_UINT
                                             : AG_CLASS_FLOAT;
}

/* A view of WebGPU has all slices of a volume. */
static bool has_all_slices(const struct ag_texture_view *view)
{
    return view->texture->dimension != AG_TEXTURE_3D ||
           (view->base_layer == 0 && view->layer_count == ag_texture_slices(view->texture, view->base_mip));
}

static bool collides(const struct ag_buffer_slot *slots, const struct ag_shader_program *program,
                     uint32_t slot)
{
    for (uint32_t i = 0; i < AG_UAV_SLOTS && program->uav_slots >> i; i++)
        if (i != slot && (program->uav_slots >> i & 1) && ag_uavs_collide(&slots[i], &slots[slot]))
            return true;
    return false;
}

static enum agpu_storage_format format_in(const struct ag_binder *binder, const struct ag_buffer_slot *slots,
                                          const struct ag_shader_program *program, uint32_t slot)
{
    const struct ag_writable_texture *declared = &program->writable[slot];
    const struct agpu_binding binding = {.dimension = declared->dimension};
    const struct ag_view *view = slots[slot].bound;
    if (!declared->dimension || !view || view->resource->kind != AG_RESOURCE_TEXTURE ||
        !ag_uav_fits(&binding, &slots[slot]))
        return AGPU_STORAGE_BY_TYPE;
    const struct ag_texture_view *texture = &view->texture;
    const struct ag_host_format *const made_as = texture->cast ? texture->format : texture->texture->format;
    const enum agpu_storage_format format = ag_storage_format(binder->host, texture->format);
    const bool fits = texture->format->class == class_of(declared->return_type) &&
                      ag_texture_is_storage(binder->host, texture->texture, made_as) &&
                      (!(declared->loaded || declared->has_atomics) || ag_storage_format_loads(format)) &&
                      has_all_slices(texture) && texture->mip_count == 1 && !collides(slots, program, slot);
    return fits ? format : AGPU_STORAGE_BY_TYPE;
}

void ag_storage_textures_choose(const struct ag_binder *binder, const struct ag_context *context,
                                enum agpu_stage stage, const struct ag_shader_program *program,
                                struct ag_uav_aliases *aliases)
{
    const struct ag_buffer_slot *slots = context->stages[stage].uavs;
    uint32_t room = binder->host->limits.maxStorageTexturesPerShaderStage;
    memset(aliases->formats, 0, sizeof aliases->formats);
    for (uint32_t i = 0; i < AG_STORAGE_TEXTURE_SLOTS && program->uav_slots >> i && room > 0; i++) {
        aliases->formats[i] = (uint8_t)format_in(binder, slots, program, i);
        room -= aliases->formats[i] != AGPU_STORAGE_BY_TYPE && !program->writable[i].has_atomics;
    }
}

/* ---- Binding ------------------------------------------------------------------------------------------ */

enum ag_outcome ag_storage_texture_bind(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                        struct ag_view *view, struct ag_bind_item *item)
{
    static const enum ag_view_dimension dimensions[] = {
        [AEROGPU_EXT_DIMENSION_TEXTURE1D] = AG_VIEW_DIMENSION_2D,
        [AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY] = AG_VIEW_DIMENSION_2D_ARRAY,
        [AEROGPU_EXT_DIMENSION_TEXTURE2D] = AG_VIEW_DIMENSION_2D,
        [AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY] = AG_VIEW_DIMENSION_2D_ARRAY,
        [AEROGPU_EXT_DIMENSION_TEXTURE3D] = AG_VIEW_DIMENSION_3D,
    };
    if (!ag_view_contents_use(builder->binder->copier, view))
        return AG_STOPPED;
    ag_group_set_view(builder, binding, view->texture.mip_count, view->texture.layer_count, 0);
    item->view = ag_view_of_dimension(builder->binder->objects, &view->texture,
                                      dimensions[view->texture.dimension], &item->id);
    return AG_DONE;
}
