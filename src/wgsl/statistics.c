/* SPDX-License-Identifier: MIT
 *
 * Measures of how readable a module is: bitcasts, lines and bytes in relation to the program's instructions.
 */
#include <string.h>

#include "aerogpu/dxbc_opcodes.h"
#include "aerogpu/translate.h"

static uint32_t count_instructions(const struct agpu_program *program)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_opcode_info *const info = agpu_opcode_info(program->instructions[i].opcode);
        count += info != NULL && !(info->flags & AGPU_OPF_DECLARATION) &&
                 program->instructions[i].opcode != AGPU_OP_CUSTOMDATA;
    }
    return count;
}

void agpu_module_count(const struct agpu_module *module, const struct agpu_shader *shader,
                       struct agpu_module_statistics *statistics)
{
    *statistics = (struct agpu_module_statistics){
        .instructions = count_instructions(&shader->program),
        .bytes = module->wgsl_length,
    };
    uint32_t line = 0;
    const char *cast = strstr(module->wgsl, "bitcast<");
    for (const char *at = module->wgsl; *at != '\0'; line++) {
        const char *const end = at + strcspn(at, "\n");
        const bool is_program = line < module->line_count && module->line_offsets[line] != UINT32_MAX;
        statistics->lines += is_program;
        for (; cast != NULL && cast < end; cast = strstr(cast + 1, "bitcast<"))
            statistics->bitcasts += is_program;
        at = *end == '\0' ? end : end + 1;
    }
}
