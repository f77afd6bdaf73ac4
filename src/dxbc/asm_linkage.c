/* SPDX-License-Identifier: MIT
 *
 * Reads the directives of class linkage (dxbc/class_linkage.h).
 */
#include "base/bytes.h"
#include "dxbc/asm.h"

static bool check_present(const struct ag_asm *assembler)
{
    return assembler->has_linkage ||
           ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "class linkage begins with a .linkage line");
}

/* Reads options whose numbers all have 16 bits. */
static bool read_options(struct ag_asm *assembler, const struct ag_asm_option *options, size_t count)
{
    if (!ag_asm_options(assembler, options, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (*options[i].value > UINT16_MAX)
            return ag_asm_error(assembler, AGPU_DIAG_DXBC_VALUE, "%s does not fit in 16 bits",
                                options[i].word);
    }
    return true;
}

bool ag_asm_linkage(struct ag_asm *assembler)
{
    const struct ag_asm_option options[] = {
        {"stray0", &assembler->linkage.stray[0], 0},
        {"stray1", &assembler->linkage.stray[1], 0},
    };
    if (assembler->has_linkage)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "there is a .linkage already");
    assembler->has_linkage = true;
    return ag_asm_options(assembler, options, AG_COUNT_OF(options));
}

/* Reads a class and its function table, `2:ft5`. */
static bool read_choice(struct ag_asm *assembler, struct ag_linkage_slots *slots)
{
    struct ag_linkage_choice choice;
    if (!ag_asm_register_number(assembler, &choice.class_number))
        return false;
    if (choice.class_number > UINT16_MAX)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_VALUE, "the number of a class has 16 bits");
    if (!ag_asm_expect(assembler, ":ft") || !ag_asm_register_number(assembler, &choice.table))
        return false;
    slots->choice_count++;
    return ag_vec_push(&assembler->linkage.choices, choice) || ag_asm_no_memory(assembler);
}

bool ag_asm_linkage_slots(struct ag_asm *assembler)
{
    struct ag_linkage_slots slots = {.first_choice = assembler->linkage.choices.count};
    if (!check_present(assembler) || !ag_asm_number(assembler, &slots.count))
        return false;
    if (!ag_asm_at_line_end(assembler)) {
        do
            if (!read_choice(assembler, &slots))
                return false;
        while (ag_asm_accept(assembler, ","));
    }
    return ag_vec_push(&assembler->linkage.slots, slots) || ag_asm_no_memory(assembler);
}

bool ag_asm_linkage_class(struct ag_asm *assembler)
{
    struct ag_linkage_class entry = {0};
    const struct ag_asm_option options[] = {
        {"stride",   &entry.stride,   0},
        {"textures", &entry.textures, 0},
        {"samplers", &entry.samplers, 0},
        {"unknown",  &entry.unknown,  0},
    };
    return check_present(assembler) && ag_asm_string(assembler, &entry.name) &&
           read_options(assembler, options, AG_COUNT_OF(options)) &&
           (ag_vec_push(&assembler->linkage.classes, entry) || ag_asm_no_memory(assembler));
}

bool ag_asm_linkage_instance(struct ag_asm *assembler)
{
    struct ag_linkage_instance entry = {
        .elements = 1, .texture = AG_LINKAGE_NONE, .sampler = AG_LINKAGE_NONE};
    const struct ag_asm_option options[] = {
        {"class",    &entry.class_number, 0},
        {"elements", &entry.elements,     0},
        {"buffer",   &entry.buffer,       0},
        {"offset",   &entry.offset,       0},
        {"texture",  &entry.texture,      0},
        {"sampler",  &entry.sampler,      0},
    };
    return check_present(assembler) && ag_asm_string(assembler, &entry.name) &&
           read_options(assembler, options, AG_COUNT_OF(options)) &&
           (ag_vec_push(&assembler->linkage.instances, entry) || ag_asm_no_memory(assembler));
}
