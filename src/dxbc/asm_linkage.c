/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "dxbc/asm.h"

static bool check_present(const struct agpu_asm *assembler)
{
    return assembler->has_linkage ||
           agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "class linkage begins with a .linkage line");
}

/* Every number of the options has 16 bits. */
static bool read_options(struct agpu_asm *assembler, const struct agpu_asm_option *options, size_t count)
{
    if (!agpu_asm_options(assembler, options, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (*options[i].value > UINT16_MAX)
            return agpu_asm_error(assembler, AGPU_DIAG_DXBC_VALUE, "%s does not fit in 16 bits",
                                  options[i].word);
    }
    return true;
}

bool agpu_asm_linkage(struct agpu_asm *assembler)
{
    const struct agpu_asm_option options[] = {
        {"stray0", &assembler->linkage.stray[0], 0},
        {"stray1", &assembler->linkage.stray[1], 0},
    };
    if (assembler->has_linkage)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "there is a .linkage already");
    assembler->has_linkage = true;
    return agpu_asm_options(assembler, options, AGPU_COUNT_OF(options));
}

/* `2:ft5`. */
static bool read_choice(struct agpu_asm *assembler, struct agpu_linkage_slots *slots)
{
    struct agpu_linkage_choice choice;
    if (!agpu_asm_register_number(assembler, &choice.class_number))
        return false;
    if (choice.class_number > UINT16_MAX)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_VALUE, "the number of a class has 16 bits");
    if (!agpu_asm_expect(assembler, ":ft") || !agpu_asm_register_number(assembler, &choice.table))
        return false;
    slots->choice_count++;
    return agpu_vec_push(&assembler->linkage.choices, choice) || agpu_asm_no_memory(assembler);
}

bool agpu_asm_linkage_slots(struct agpu_asm *assembler)
{
    struct agpu_linkage_slots slots = {.first_choice = assembler->linkage.choices.count};
    if (!check_present(assembler) || !agpu_asm_number(assembler, &slots.count))
        return false;
    if (!agpu_asm_at_line_end(assembler)) {
        do
            if (!read_choice(assembler, &slots))
                return false;
        while (agpu_asm_accept(assembler, ","));
    }
    return agpu_vec_push(&assembler->linkage.slots, slots) || agpu_asm_no_memory(assembler);
}

bool agpu_asm_linkage_class(struct agpu_asm *assembler)
{
    struct agpu_linkage_class entry = {0};
    const struct agpu_asm_option options[] = {
        {"stride",   &entry.stride,   0},
        {"textures", &entry.textures, 0},
        {"samplers", &entry.samplers, 0},
        {"unknown",  &entry.unknown,  0},
    };
    return check_present(assembler) && agpu_asm_string(assembler, &entry.name) &&
           read_options(assembler, options, AGPU_COUNT_OF(options)) &&
           (agpu_vec_push(&assembler->linkage.classes, entry) || agpu_asm_no_memory(assembler));
}

bool agpu_asm_linkage_instance(struct agpu_asm *assembler)
{
    struct agpu_linkage_instance entry = {
        .elements = 1, .texture = AGPU_LINKAGE_NONE, .sampler = AGPU_LINKAGE_NONE};
    const struct agpu_asm_option options[] = {
        {"class",    &entry.class_number, 0},
        {"elements", &entry.elements,     0},
        {"buffer",   &entry.buffer,       0},
        {"offset",   &entry.offset,       0},
        {"texture",  &entry.texture,      0},
        {"sampler",  &entry.sampler,      0},
    };
    return check_present(assembler) && agpu_asm_string(assembler, &entry.name) &&
           read_options(assembler, options, AGPU_COUNT_OF(options)) &&
           (agpu_vec_push(&assembler->linkage.instances, entry) || agpu_asm_no_memory(assembler));
}
