/* SPDX-License-Identifier: MIT */
#include "dxbc/disasm.h"

#include <inttypes.h>

#include "base/bytes.h"
#include "dxbc/disasm_full.h"

#define INDENT 2
#define DEEPEST_INDENT 64 /* deeper levels stay there: text grows with the program, not with its square */

/* How an instruction changes the indentation: of itself, and of what follows. */
struct nesting {
    int8_t before;
    int8_t after;
};

static const struct nesting nesting_table[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_IF] = {0,  1},
      [AGPU_OP_ELSE] = {-1, 1},
      [AGPU_OP_ENDIF] = {-1, 0},
    [AGPU_OP_LOOP] = {0,  1},
      [AGPU_OP_ENDLOOP] = {-1, 0},
      [AGPU_OP_SWITCH] = {0,  1},
    [AGPU_OP_ENDSWITCH] = {-1, 0},
};

static bool starts_section(uint16_t opcode)
{
    return opcode == AGPU_OP_LABEL || opcode == AGPU_OP_HS_CONTROL_POINT_PHASE ||
           opcode == AGPU_OP_HS_FORK_PHASE || opcode == AGPU_OP_HS_JOIN_PHASE;
}

static void list_raw_tokens(struct agpu_strbuf *out, const struct agpu_program *program,
                            const struct agpu_instruction *instruction)
{
    agpu_strbuf_append(out, " //");
    for (uint32_t i = 0; i < instruction->length; i++)
        agpu_strbuf_printf(out, " %08" PRIx32, program->tokens[instruction->offset + i]);
}

static void list_line(struct agpu_strbuf *out, const struct agpu_program *program,
                      const struct agpu_instruction *instruction, uint32_t depth, uint32_t flags)
{
    if (flags & AGPU_DISASM_OFFSETS)
        agpu_strbuf_printf(out, "/* %6" PRIu32 " */ ", instruction->offset);
    agpu_strbuf_append_repeat(out, ' ', (size_t)(depth < DEEPEST_INDENT ? depth : DEEPEST_INDENT) * INDENT);
    const bool exact = (flags & AGPU_DISASM_FULL) == 0 || agpu_list_is_exact(program, instruction);
    if (!exact)
        agpu_list_tokens(out, program, instruction);
    else
        agpu_list_instruction(out, program, instruction);
    if ((flags & AGPU_DISASM_RAW) && exact)
        list_raw_tokens(out, program, instruction);
    agpu_strbuf_append_char(out, '\n');
}

static void list_program(struct agpu_strbuf *out, const struct agpu_program *program, uint32_t flags)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *instruction = &program->instructions[i];
        const struct nesting nesting = nesting_table[instruction->opcode];
        if (nesting.before < 0 && depth > 0)
            depth--;
        if (starts_section(instruction->opcode))
            depth = 0;
        list_line(out, program, instruction, depth, flags);
        if (nesting.after > 0)
            depth++;
    }
}

/* Everything but declarations, phase markers, custom data and labels. */
static uint32_t count_slots(const struct agpu_program *program)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const uint16_t opcode = program->instructions[i].opcode;
        if ((agpu_opcode_info(opcode)->flags & AGPU_OPF_DECLARATION) == 0 && opcode != AGPU_OP_LABEL)
            count++;
    }
    return count;
}

static void list_shader(struct agpu_strbuf *out, const struct agpu_shader *shader, uint32_t flags)
{
    const struct agpu_program *program = &shader->program;
    if (shader->rdef != NULL) {
        agpu_strbuf_append(out, "// ");
        for (const char *c = shader->rdef->creator; *c != '\0'; c++)
            agpu_strbuf_append_char(out, *c >= ' ' && *c <= '~' ? *c : '?');
        agpu_strbuf_append_char(out, '\n');
    }
    if (shader->chunk_count != 0)
        agpu_list_signature_tables(out, shader);
    agpu_strbuf_printf(out, "%s_%u_%u\n", agpu_stage_name(program->stage), program->major, program->minor);
    if (flags & AGPU_DISASM_FULL)
        agpu_list_chunks(out, shader);
    agpu_list_signature_directives(out, shader);
    list_program(out, program, flags);
    agpu_strbuf_printf(out, "// Approximately %" PRIu32 " instruction slots used\n", count_slots(program));
}

enum agpu_status agpu_disassemble(const struct agpu_shader *shader, uint32_t flags,
                                  const struct agpu_diag_sink *sink, char **text, size_t *length)
{
    struct agpu_strbuf out = {0};
    *text = NULL;
    *length = 0;
    list_shader(&out, shader, flags);
    const size_t size = out.length;
    *text = agpu_strbuf_steal(&out);
    if (*text == NULL)
        return agpu_report_no_memory(sink);
    *length = size;
    return AGPU_OK;
}
