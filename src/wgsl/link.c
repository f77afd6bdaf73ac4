/* SPDX-License-Identifier: MIT
 *
 * Links two stages: decides which registers the producer hands to the pixel shader, and how. D3D11 matches
 * them by register number and mask, never by semantic name (D3D11.3 4.4.3.2).
 */
#include <string.h>

#include "aerogpu/translate.h"
#include "base/diag.h"
#include "wgsl/linkage.h"

struct link {
    const struct agpu_shader *producer, *pixel;
    struct ag_linkage *linkage;
    uint8_t written[AGPU_MAX_REGISTERS];
    uint8_t places[AGPU_NAME_PRIMITIVE_ID + 1]; /* by system value: 1 + 4 * register + component, or 0 */
};

/* System values that the pixel shader sees as the producer wrote them. */
static bool links_by_name(const struct link *link, uint32_t name)
{
    return link->linkage->expanded &&
           (name == AGPU_NAME_RENDER_TARGET_ARRAY_INDEX || name == AGPU_NAME_VIEWPORT_ARRAY_INDEX ||
            (name == AGPU_NAME_PRIMITIVE_ID && link->producer->program.stage == AGPU_STAGE_GEOMETRY));
}

static uint8_t place_of(uint32_t number, uint32_t mask)
{
    const uint32_t component = mask & 1 ? 0 : mask & 2 ? 1 : mask & 4 ? 2 : 3;
    return (uint8_t)(1 + 4 * number + component);
}

/* System values that WebGPU provides to a pixel shader without a location. */
static bool is_builtin(const struct link *link, uint32_t name)
{
    return name == AGPU_NAME_POSITION || name == AGPU_NAME_IS_FRONT_FACE || name == AGPU_NAME_SAMPLE_INDEX ||
           (name == AGPU_NAME_PRIMITIVE_ID && !link->linkage->expanded);
}

static uint32_t register_of(const struct agpu_instruction *dcl, enum agpu_operand_type type)
{
    if (dcl->operand_count == 0 || dcl->operands[0].type != type || dcl->operands[0].index_count == 0)
        return AGPU_REGISTER_NONE;
    uint64_t number = dcl->operands[0].index[dcl->operands[0].index_count - 1].immediate;
    return number < AGPU_MAX_REGISTERS ? (uint32_t)number : AGPU_REGISTER_NONE;
}

/* Collects the output registers; of a geometry shader, those of the stream that is rasterized. */
static void find_written(struct link *link)
{
    const struct agpu_program *program = &link->producer->program;
    uint64_t stream = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        bool with_name = dcl->opcode == AGPU_OP_DCL_OUTPUT_SIV || dcl->opcode == AGPU_OP_DCL_OUTPUT_SGV;
        if (dcl->opcode == AGPU_OP_DCL_STREAM && dcl->operand_count > 0)
            stream = dcl->operands[0].index[0].immediate;
        if ((dcl->opcode != AGPU_OP_DCL_OUTPUT && !with_name) || stream != link->linkage->stream)
            continue;
        uint32_t r = register_of(dcl, AGPU_OPERAND_OUTPUT);
        const uint32_t name = with_name && dcl->data_count > 0 ? dcl->data[0] : AGPU_NAME_UNDEFINED;
        if (r != AGPU_REGISTER_NONE && name != AGPU_NAME_POSITION)
            link->written[r] |= dcl->operands[0].mask & 15;
        if (r != AGPU_REGISTER_NONE && links_by_name(link, name))
            link->places[name] = place_of(r, dcl->operands[0].mask);
    }
}

static bool is_integer(const struct agpu_signature *signature, uint32_t number, uint32_t mask)
{
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct agpu_signature_element *element = &signature->elements[i];
        if (element->register_index == number && (element->mask & mask) &&
            (element->component_type == AGPU_COMPONENT_UINT ||
             element->component_type == AGPU_COMPONENT_SINT))
            return true;
    }
    return false;
}

/* The components of a pixel shader's input that are a system value which the producer wrote, wherever it did.
 */
static uint8_t link_name(struct link *link, uint32_t name, uint32_t r, uint32_t mask)
{
    if (!links_by_name(link, name) || link->places[name] == 0)
        return (uint8_t)(mask & link->written[r]);
    for (uint32_t c = 0; c < 4; c++)
        if ((mask >> c & 1) && link->places[name] != 1 + 4 * r + c)
            link->linkage->registers[r].source[c] = link->places[name];
    return (uint8_t)(mask & 15);
}

static void read_declaration(struct link *link, const struct agpu_instruction *dcl)
{
    struct ag_linkage *linkage = link->linkage;
    bool with_name = dcl->opcode == AGPU_OP_DCL_INPUT_PS_SIV || dcl->opcode == AGPU_OP_DCL_INPUT_PS_SGV;
    uint32_t r = register_of(dcl, AGPU_OPERAND_INPUT);
    if ((dcl->opcode != AGPU_OP_DCL_INPUT_PS && !with_name) || r == AGPU_REGISTER_NONE)
        return;
    uint32_t name = with_name && dcl->data_count > 0 ? dcl->data[0] : AGPU_NAME_UNDEFINED;
    if (is_builtin(link, name))
        return;
    enum agpu_interpolation interpolation = agpu_dcl_interpolation(dcl);
    uint8_t mask = link_name(link, name, r, dcl->operands[0].mask);
    if (name == AGPU_NAME_PRIMITIVE_ID) {
        interpolation = AGPU_INTERPOLATE_CONSTANT;
        if (link->producer->program.stage != AGPU_STAGE_GEOMETRY)
            linkage->registers[r].primitive_id = mask = dcl->operands[0].mask & 15;
    }
    if (mask == 0)
        return;
    if (interpolation == AGPU_INTERPOLATE_UNDEFINED ||
        interpolation > AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE)
        interpolation = AGPU_INTERPOLATE_LINEAR;
    linkage->registers[r].mask |= mask;
    linkage->registers[r].interpolation = (uint8_t)interpolation;
    if (interpolation == AGPU_INTERPOLATE_CONSTANT || is_integer(&link->pixel->input, r, mask))
        linkage->registers[r].flat_uint = true;
}

static enum agpu_status make_linkage(struct link *link, uint32_t max_locations,
                                     const struct agpu_diag_sink *sink)
{
    const struct agpu_program *pixel = &link->pixel->program;
    struct ag_linkage *linkage = link->linkage;
    find_written(link);
    for (uint32_t i = 0; i < pixel->instruction_count; i++)
        read_declaration(link, &pixel->instructions[i]);
    for (uint32_t r = 0; r < AGPU_MAX_REGISTERS; r++)
        if (linkage->registers[r].interpolation != 0)
            linkage->registers[r].location = linkage->location_count++;
    if (linkage->location_count <= max_locations)
        return AGPU_OK;
    ag_report(sink, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_ERROR, ag_place_none(),
              "%u registers cross between the stages, the device has room for %u", linkage->location_count,
              max_locations);
    memset(linkage, 0, sizeof *linkage);
    return AGPU_REFUSED;
}

enum agpu_status ag_link(const struct agpu_shader *producer, const struct agpu_shader *pixel,
                         uint32_t max_locations, const struct agpu_diag_sink *sink,
                         struct ag_linkage *linkage)
{
    struct link link = {.producer = producer, .pixel = pixel, .linkage = linkage};
    memset(linkage, 0, sizeof *linkage);
    linkage->expanded = producer->program.stage != AGPU_STAGE_VERTEX;
    return pixel == NULL ? AGPU_OK : make_linkage(&link, max_locations, sink);
}

enum agpu_status ag_link_expanded(const struct agpu_shader *producer, uint32_t stream,
                                  const struct agpu_shader *pixel, uint32_t max_locations,
                                  const struct agpu_diag_sink *sink, struct ag_linkage *linkage)
{
    struct link link = {.producer = producer, .pixel = pixel, .linkage = linkage};
    memset(linkage, 0, sizeof *linkage);
    linkage->expanded = true;
    linkage->stream = (uint8_t)stream;
    return pixel == NULL ? AGPU_OK : make_linkage(&link, max_locations, sink);
}
