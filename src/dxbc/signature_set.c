/* SPDX-License-Identifier: MIT
 *
 * Signatures as text: agpu_signature_set_read() reads a set of them, agpu_signatures_write() writes a
 * shader's.
 */
#include <stdlib.h>

#include "dxbc/asm.h"
#include "dxbc/disasm.h"

struct agpu_signature_memory {
    struct agpu_signature_set set;
    struct ag_arena names;
    ag_element_vec input, output, patch;
};

static bool read_lines(struct ag_asm *assembler)
{
    for (ag_asm_skip_lines(assembler); assembler->at < assembler->length; ag_asm_skip_lines(assembler)) {
        const bool hull = assembler->program.stage == AGPU_STAGE_HULL;
        bool good = false;
        if (ag_asm_accept(assembler, ".in "))
            good = ag_asm_signature_element(assembler, &assembler->input, false);
        else if (ag_asm_accept(assembler, ".out "))
            good = ag_asm_signature_element(assembler, &assembler->output, true);
        else if (ag_asm_accept(assembler, ".patch "))
            good = ag_asm_signature_element(assembler, &assembler->patch, hull);
        else
            ag_asm_expected(assembler, ".in, .out or .patch");
        if (!good || !ag_asm_expect_line_end(assembler))
            return false;
    }
    return !assembler->open_comment;
}

/* Takes over what the assembler has collected. */
static void take(struct agpu_signature_memory *memory, struct ag_asm *assembler)
{
    memory->names = assembler->names;
    memory->input = assembler->input;
    memory->output = assembler->output;
    memory->patch = assembler->patch;
    assembler->names = (struct ag_arena){0};
    assembler->input = assembler->output = assembler->patch = (ag_element_vec){0};
    memory->set.input = (struct agpu_signature){memory->input.data, (uint32_t)memory->input.count};
    memory->set.output = (struct agpu_signature){memory->output.data, (uint32_t)memory->output.count};
    memory->set.patch_constant = (struct agpu_signature){memory->patch.data, (uint32_t)memory->patch.count};
    memory->set.memory = memory;
}

enum agpu_status agpu_signature_set_read(const char *text, size_t length, enum agpu_stage stage,
                                         const struct agpu_diag_sink *sink, struct agpu_signature_set **set)
{
    *set = NULL;
    struct agpu_signature_memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL)
        return ag_report_no_memory(sink);
    struct ag_asm assembler;
    ag_asm_init(&assembler, text, length, sink);
    assembler.program.stage = stage;
    const bool good = read_lines(&assembler);
    const enum agpu_status status = good ? AGPU_OK : assembler.out_of_memory ? AGPU_NO_MEMORY : AGPU_REFUSED;
    if (good) {
        take(memory, &assembler);
        *set = &memory->set;
    } else {
        free(memory);
    }
    ag_asm_fini(&assembler);
    return status;
}

void agpu_signature_set_destroy(struct agpu_signature_set *set)
{
    if (set == NULL || set->memory == NULL)
        return;
    struct agpu_signature_memory *memory = set->memory;
    ag_arena_fini(&memory->names);
    ag_vec_fini(&memory->input);
    ag_vec_fini(&memory->output);
    ag_vec_fini(&memory->patch);
    free(memory);
}

enum agpu_status agpu_signatures_write(const struct agpu_shader *shader, const struct agpu_diag_sink *sink,
                                       char **text, size_t *length)
{
    struct ag_strbuf out = {0};
    ag_list_signature_directives(&out, shader);
    *length = out.length;
    *text = ag_strbuf_steal(&out);
    return *text == NULL ? ag_report_no_memory(sink) : AGPU_OK;
}
