/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "dxbc/asm.h"
#include "dxbc/disasm.h"

struct agpu_signature_memory {
    struct agpu_signature_set set;
    struct agpu_arena names;
    agpu_element_vec input, output, patch;
};

static bool read_lines(struct agpu_asm *assembler)
{
    for (agpu_asm_skip_lines(assembler); assembler->at < assembler->length; agpu_asm_skip_lines(assembler)) {
        const bool hull = assembler->program.stage == AGPU_STAGE_HULL;
        bool good = false;
        if (agpu_asm_accept(assembler, ".in "))
            good = agpu_asm_signature_element(assembler, &assembler->input, false);
        else if (agpu_asm_accept(assembler, ".out "))
            good = agpu_asm_signature_element(assembler, &assembler->output, true);
        else if (agpu_asm_accept(assembler, ".patch "))
            good = agpu_asm_signature_element(assembler, &assembler->patch, hull);
        else
            agpu_asm_expected(assembler, ".in, .out or .patch");
        if (!good || !agpu_asm_expect_line_end(assembler))
            return false;
    }
    return !assembler->open_comment;
}

/* Takes what the assembler collected. */
static void take(struct agpu_signature_memory *memory, struct agpu_asm *assembler)
{
    memory->names = assembler->names;
    memory->input = assembler->input;
    memory->output = assembler->output;
    memory->patch = assembler->patch;
    assembler->names = (struct agpu_arena){0};
    assembler->input = assembler->output = assembler->patch = (agpu_element_vec){0};
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
        return agpu_report_no_memory(sink);
    struct agpu_asm assembler;
    agpu_asm_init(&assembler, text, length, sink);
    assembler.program.stage = stage;
    const bool good = read_lines(&assembler);
    const enum agpu_status status = good ? AGPU_OK : assembler.out_of_memory ? AGPU_NO_MEMORY : AGPU_REFUSED;
    if (good) {
        take(memory, &assembler);
        *set = &memory->set;
    } else {
        free(memory);
    }
    agpu_asm_fini(&assembler);
    return status;
}

void agpu_signature_set_destroy(struct agpu_signature_set *set)
{
    if (set == NULL || set->memory == NULL)
        return;
    struct agpu_signature_memory *memory = set->memory;
    agpu_arena_fini(&memory->names);
    agpu_vec_fini(&memory->input);
    agpu_vec_fini(&memory->output);
    agpu_vec_fini(&memory->patch);
    free(memory);
}

enum agpu_status agpu_signatures_write(const struct agpu_shader *shader, const struct agpu_diag_sink *sink,
                                       char **text, size_t *length)
{
    struct agpu_strbuf out = {0};
    agpu_list_signature_directives(&out, shader);
    *length = out.length;
    *text = agpu_strbuf_steal(&out);
    return *text == NULL ? agpu_report_no_memory(sink) : AGPU_OK;
}
