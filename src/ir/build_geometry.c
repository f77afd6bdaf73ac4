/* SPDX-License-Identifier: MIT
 *
 * The emit and cut instructions of geometry shaders. Outputs keep their values after an emit (decision D13),
 * so EMIT only reads them.
 */
#include "ir/build.h"

static void emit_vertex(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t stream)
{
    const struct ag_ir_program *program = builder->program;
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_EMIT, insn->offset);
    struct ag_ir_expr **values = ag_ir_collect_outputs(builder);
    if (stmt == NULL || values == NULL)
        return;
    for (size_t i = 0; i < program->outputs.count; i++)
        if (program->outputs.data[i].stream != stream)
            values[i] = NULL;
    stmt->stream = stream;
    stmt->outputs = values;
}

void ag_ir_build_emit(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                      const struct ag_ir_row *row)
{
    const struct agpu_operand *o = insn->operand_count > 0 ? &insn->operands[0] : NULL;
    uint64_t stream = o == NULL || o->index_count == 0 ? 0 : o->index[0].immediate;
    if (stream >= AG_IR_MAX_STREAMS) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_OPERAND, insn->offset, "there is no stream %u",
                     (uint32_t)stream);
        return;
    }
    if (row->detail & AG_IR_EMITS)
        emit_vertex(builder, insn, (uint32_t)stream);
    if (row->detail & AG_IR_CUTS) {
        struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_CUT, insn->offset);
        if (stmt != NULL)
            stmt->stream = (uint32_t)stream;
    }
}
