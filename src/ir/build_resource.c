/* SPDX-License-Identifier: MIT
 *
 * Declarations of constant buffers, textures, buffers, unordered access views, samplers and group shared
 * memory.
 */
#include "dxbc/declaration.h"
#include "ir/build.h"
#include "wgsl/binding.h"

void ag_ir_refuse_declaration(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                              enum agpu_diag_code code, const char *problem)
{
    ag_ir_refuse(builder->program, code, dcl->offset, "%s: %s", agpu_opcode_info(dcl->opcode)->mnemonic,
                 problem);
}

uint32_t ag_ir_data_at(const struct agpu_instruction *dcl, uint32_t index)
{
    return index < dcl->data_count ? dcl->data[index] : 0;
}

static uint32_t slot_limit(enum agpu_binding_space space)
{
    switch (space) {
    case AGPU_SPACE_CBUFFER:
        return AG_BINDING_TEXTURE - AG_BINDING_CBUFFER;
    case AGPU_SPACE_RESOURCE:
        return AG_BINDING_SAMPLER - AG_BINDING_TEXTURE;
    case AGPU_SPACE_SAMPLER:
        return AG_BINDING_UAV - AG_BINDING_SAMPLER;
    case AGPU_SPACE_UAV:
        return AG_BINDING_STAGE_INTERNAL - AG_BINDING_UAV;
    case AGPU_SPACE_INTERNAL:
        return 4096;
    }
    return 0;
}

static const char *rdef_name(const struct ag_ir_builder *builder, enum agpu_binding_space space,
                             uint32_t slot)
{
    const struct agpu_rdef *rdef = builder->shader->rdef;
    for (uint32_t i = 0; rdef != NULL && i < rdef->binding_count; i++) {
        const struct agpu_rdef_binding *binding = &rdef->bindings[i];
        bool fits;
        switch (binding->input_type) {
        case 0:
            fits = space == AGPU_SPACE_CBUFFER;
            break;
        case 1:
        case 2:
        case 5:
        case 7:
            fits = space == AGPU_SPACE_RESOURCE;
            break;
        case 3:
            fits = space == AGPU_SPACE_SAMPLER;
            break;
        default:
            fits = space == AGPU_SPACE_UAV;
            break;
        }
        if (fits && slot >= binding->bind_point && slot - binding->bind_point < binding->bind_count)
            return binding->name;
    }
    return NULL;
}

static bool is_ranged(const struct ag_ir_program *program, enum agpu_binding_space space)
{
    return program->major == 5 && program->minor >= 1 && space != AGPU_SPACE_INTERNAL;
}

static struct ag_ir_resource *add_resource(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                                           enum agpu_binding_space space,
                                           enum agpu_resource_dimension dimension)
{
    struct ag_ir_program *program = builder->program;
    const struct agpu_operand *o = &dcl->operands[0];
    bool ranged = is_ranged(program, space);
    uint64_t id = o->index[0].immediate, slot = ranged ? o->index[1].immediate : id;
    if (o->index_count < (ranged ? 3 : 1) || slot >= slot_limit(space) || dimension >= AGPU_DIMENSION_COUNT) {
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_RESOURCE, "no such register or dimension");
        return NULL;
    }
    for (size_t i = 0; i < program->resources.count; i++) {
        if (program->resources.data[i].space == space && program->resources.data[i].slot == slot) {
            ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_RESOURCE,
                                     ranged ? "one register in two register spaces"
                                            : "a register declared twice");
            return NULL;
        }
    }
    struct ag_ir_resource resource = {
        .space = (uint8_t)space,
        .dimension = (uint8_t)dimension,
        .return_type = AGPU_RETURN_MIXED,
        .id = (uint32_t)id,
        .slot = (uint32_t)slot,
        .offset = dcl->offset,
        .name = space == AGPU_SPACE_INTERNAL ? NULL : rdef_name(builder, space, (uint32_t)slot),
    };
    if (!ag_vec_push(&program->resources, resource)) {
        ag_ir_no_memory(program);
        return NULL;
    }
    return &ag_vec_last(&program->resources);
}

static void set_access(struct ag_ir_resource *resource, const struct agpu_instruction *dcl)
{
    const bool is_view = resource->space == AGPU_SPACE_UAV;
    resource->coherent = is_view && (dcl->controls & AG_CONTROL_GLOBALLY_COHERENT) != 0;
    resource->ordered = is_view && (dcl->controls & AG_CONTROL_RASTERIZER_ORDERED) != 0;
}

/* Views that differ from the declaration: their class replaces the declared one. */
static void apply_facts(const struct ag_ir_builder *builder, struct ag_ir_resource *resource,
                        uint8_t declared_type)
{
    static const uint8_t types[] = {
        [AG_TEXTURE_FLOAT] = AGPU_RETURN_FLOAT,
        [AG_TEXTURE_SINT] = AGPU_RETURN_SINT,
        [AG_TEXTURE_UINT] = AGPU_RETURN_UINT,
    };
    const uint8_t *facts = builder->options->texture_facts;
    const bool is_texture = resource->dimension >= AGPU_DIMENSION_TEXTURE1D &&
                            resource->dimension <= AGPU_DIMENSION_TEXTURECUBEARRAY;
    if (facts == NULL || resource->space != AGPU_SPACE_RESOURCE || !is_texture)
        return;
    const uint8_t fact = facts[resource->slot];
    resource->return_type = fact & AG_TEXTURE_CLASS ? types[fact & AG_TEXTURE_CLASS] : declared_type;
    resource->facts = fact;
}

/* Whether there are typed views of a dimension: no unordered access views of samples or of cubes. */
static bool is_typed_dimension(enum agpu_resource_dimension dimension, enum agpu_binding_space space)
{
    const uint32_t stored = 1u << AGPU_DIMENSION_BUFFER | 1u << AGPU_DIMENSION_TEXTURE1D |
                            1u << AGPU_DIMENSION_TEXTURE2D | 1u << AGPU_DIMENSION_TEXTURE3D |
                            1u << AGPU_DIMENSION_TEXTURE1DARRAY | 1u << AGPU_DIMENSION_TEXTURE2DARRAY;
    const uint32_t read = stored | 1u << AGPU_DIMENSION_TEXTURE2DMS | 1u << AGPU_DIMENSION_TEXTURE2DMSARRAY |
                          1u << AGPU_DIMENSION_TEXTURECUBE | 1u << AGPU_DIMENSION_TEXTURECUBEARRAY;
    return (space == AGPU_SPACE_UAV ? stored : read) >> dimension & 1;
}

static void declare_view(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                         enum agpu_binding_space space)
{
    struct ag_ir_resource *resource = add_resource(builder, dcl, space, agpu_dcl_dimension(dcl));
    if (resource == NULL)
        return;
    if (!is_typed_dimension(agpu_dcl_dimension(dcl), space)) {
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_RESOURCE,
                                 "a dimension that its views cannot have");
        return;
    }
    set_access(resource, dcl);
    uint32_t types = ag_ir_data_at(dcl, 0);
    resource->return_type = types & 15;
    resource->sample_count = (uint8_t)agpu_dcl_sample_count(dcl);
    /* Loads from buffers give words, whatever the declaration calls them: tbuffers are mixed. A texture's
     * texels have a type. */
    const uint32_t last =
        resource->dimension == AGPU_DIMENSION_BUFFER ? AGPU_RETURN_CONTINUED : AGPU_RETURN_FLOAT;
    if (resource->return_type < AGPU_RETURN_UNORM || resource->return_type > last)
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_RESOURCE,
                                 "a return type that is not supported");
    apply_facts(builder, resource, resource->return_type);
}

static void declare_buffer(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                           enum agpu_binding_space space, bool structured)
{
    struct ag_ir_resource *resource = add_resource(
        builder, dcl, space, structured ? AGPU_DIMENSION_STRUCTURED_BUFFER : AGPU_DIMENSION_RAW_BUFFER);
    if (resource == NULL)
        return;
    set_access(resource, dcl);
    resource->stride = structured ? ag_ir_data_at(dcl, 0) : 0;
    if (structured && (resource->stride == 0 || resource->stride % 4 != 0 || resource->stride > 4096))
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_RESOURCE, "a stride that is not possible");
}

static void declare_shared_memory(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                                  bool structured)
{
    struct ag_ir_resource *resource =
        add_resource(builder, dcl, AGPU_SPACE_INTERNAL,
                     structured ? AGPU_DIMENSION_STRUCTURED_BUFFER : AGPU_DIMENSION_RAW_BUFFER);
    if (resource == NULL)
        return;
    resource->stride = structured ? ag_ir_data_at(dcl, 0) : 0;
    resource->count = structured ? ag_ir_data_at(dcl, 1) : ag_ir_data_at(dcl, 0);
    uint64_t bytes = structured ? (uint64_t)resource->stride * resource->count : resource->count;
    if (bytes == 0 || bytes > 32768 || bytes % 4 != 0 || resource->stride % 4 != 0)
        ag_ir_refuse_declaration(builder, dcl, AGPU_DIAG_TRANSLATE_LIMIT,
                                 "shared memory of an impossible size");
}

static void declare_cbuffer(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    struct ag_ir_resource *resource = add_resource(builder, dcl, AGPU_SPACE_CBUFFER, AGPU_DIMENSION_UNKNOWN);
    if (resource == NULL)
        return;
    bool ranged = builder->program->major == 5 && builder->program->minor >= 1;
    resource->count = ranged                             ? ag_ir_data_at(dcl, 0)
                      : dcl->operands[0].index_count > 1 ? (uint32_t)dcl->operands[0].index[1].immediate
                                                         : 0;
    resource->dynamic_declared = dcl->controls & 1;
}

/* Shader model 5.1 declares ranges of registers: repeats the declaration for the registers behind the
 * first. */
static void declare_rest_of_range(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    struct ag_ir_program *program = builder->program;
    if (program->status != AGPU_OK || program->resources.count == 0)
        return;
    struct ag_ir_resource next = ag_vec_last(&program->resources);
    if (next.offset != dcl->offset || !is_ranged(program, (enum agpu_binding_space)next.space))
        return;
    uint64_t last = dcl->operands[0].index[2].immediate,
             limit = slot_limit((enum agpu_binding_space)next.space);
    const bool is_view = dcl->opcode == AGPU_OP_DCL_RESOURCE;
    for (next.slot++; next.slot <= last && next.slot < limit; next.slot++) {
        if (is_view)
            apply_facts(builder, &next, ag_ir_data_at(dcl, 0) & 15);
        if (!ag_vec_push(&program->resources, next)) {
            ag_ir_no_memory(program);
            return;
        }
    }
}

bool ag_ir_declare_resource(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    switch (dcl->opcode) {
    case AGPU_OP_DCL_RESOURCE:
        declare_view(builder, dcl, AGPU_SPACE_RESOURCE);
        break;
    case AGPU_OP_DCL_UAV_TYPED:
        declare_view(builder, dcl, AGPU_SPACE_UAV);
        break;
    case AGPU_OP_DCL_RESOURCE_RAW:
    case AGPU_OP_DCL_RESOURCE_STRUCTURED:
        declare_buffer(builder, dcl, AGPU_SPACE_RESOURCE, dcl->opcode == AGPU_OP_DCL_RESOURCE_STRUCTURED);
        break;
    case AGPU_OP_DCL_UAV_RAW:
    case AGPU_OP_DCL_UAV_STRUCTURED:
        declare_buffer(builder, dcl, AGPU_SPACE_UAV, dcl->opcode == AGPU_OP_DCL_UAV_STRUCTURED);
        break;
    case AGPU_OP_DCL_TGSM_RAW:
    case AGPU_OP_DCL_TGSM_STRUCTURED:
        declare_shared_memory(builder, dcl, dcl->opcode == AGPU_OP_DCL_TGSM_STRUCTURED);
        break;
    case AGPU_OP_DCL_CONSTANTBUFFER:
        declare_cbuffer(builder, dcl);
        break;
    case AGPU_OP_DCL_SAMPLER: {
        struct ag_ir_resource *sampler =
            add_resource(builder, dcl, AGPU_SPACE_SAMPLER, AGPU_DIMENSION_UNKNOWN);
        if (sampler != NULL)
            sampler->is_comparison = (dcl->controls & 15) == 1;
        break;
    }
    default:
        return false;
    }
    declare_rest_of_range(builder, dcl);
    return true;
}
