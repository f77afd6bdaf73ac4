/* SPDX-License-Identifier: MIT */
#include "pipeline_bind.h"

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc_opcodes.h"

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
