/* SPDX-License-Identifier: MIT
 *
 * What geometry shaders emit. Outputs keep their values afterwards (decision D13), so an emit is no more than
 * a look at them.
 */
#include "ir/build.h"

static void emit_vertex(struct agpu_ir_builder *builder, const struct agpu_instruction *insn, uint32_t stream)
{
    const struct agpu_ir_program *program = builder->program;
    struct agpu_ir_stmt *stmt = agpu_ir_emit(builder, AGPU_IR_EMIT, insn->offset);
    struct agpu_ir_expr **values = agpu_ir_collect_outputs(builder);
    if (stmt == NULL || values == NULL)
        return;
    for (size_t i = 0; i < program->outputs.count; i++)
        if (program->outputs.data[i].stream != stream)
            values[i] = NULL;
    stmt->stream = stream;
    stmt->outputs = values;
}

void agpu_ir_build_emit(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                        const struct agpu_ir_row *row)
{
    const struct agpu_operand *o = insn->operand_count > 0 ? &insn->operands[0] : NULL;
    uint64_t stream = o == NULL || o->index_count == 0 ? 0 : o->index[0].immediate;
    if (stream >= AGPU_IR_MAX_STREAMS) {
        agpu_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_OPERAND, insn->offset, "there is no stream %u",
                       (uint32_t)stream);
        return;
    }
    if (row->detail & AGPU_IR_EMITS)
        emit_vertex(builder, insn, (uint32_t)stream);
    if (row->detail & AGPU_IR_CUTS) {
        struct agpu_ir_stmt *stmt = agpu_ir_emit(builder, AGPU_IR_CUT, insn->offset);
        if (stmt != NULL)
            stmt->stream = (uint32_t)stream;
    }
}
