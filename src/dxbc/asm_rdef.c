/* SPDX-License-Identifier: MIT
 *
 * Reads the directives of reflection data (dxbc/rdef_text.h).
 */
#include <ctype.h>
#include <string.h>

#include "base/bytes.h"
#include "dxbc/asm.h"
#include "dxbc/rdef.h"
#include "dxbc/rdef_text.h"

static bool too_large(const struct ag_asm *assembler, const char *what, uint32_t value)
{
    return ag_asm_error(assembler, AGPU_DIAG_DXBC_VALUE, "%s of %u is out of range", what, value);
}

static bool check_present(const struct ag_asm *assembler)
{
    return assembler->rdef.present ||
           ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "reflection data begin with .rdef");
}

/* ---- The head ----------------------------------------------------------------------------------------- */

bool ag_asm_rdef(struct ag_asm *assembler)
{
    struct agpu_rdef *rdef = &assembler->rdef.rdef;
    if (assembler->rdef.present)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "there is an .rdef already");
    assembler->rdef.present = true;
    uint32_t major = assembler->program.major, minor = assembler->program.minor;
    uint32_t program = ag_rdef_program_type(assembler->program.stage);
    const struct ag_asm_option options[] = {
        {"flags",   &rdef->compile_flags,   0},
        {"slots",   &rdef->interface_slots, 0},
        {"major",   &major,                 0},
        {"minor",   &minor,                 0},
        {"program", &program,               0},
    };
    if (!ag_asm_string(assembler, &rdef->creator) ||
        !ag_asm_options(assembler, options, AG_COUNT_OF(options)))
        return false;
    if (major > UINT8_MAX || minor > UINT8_MAX || program > UINT16_MAX)
        return too_large(assembler, "a model or program type", major > minor ? major : minor);
    rdef->major = (uint8_t)major;
    rdef->minor = (uint8_t)minor;
    rdef->program_type = (uint16_t)program;
    return true;
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

static bool read_binding_register(struct ag_asm *assembler, struct agpu_rdef_binding *binding)
{
    const char *file = ag_rdef_register_file(binding->input_type);
    ag_asm_skip_blanks(assembler);
    return ag_asm_expect(assembler, file) && ag_asm_register_number(assembler, &binding->bind_point);
}

/* Reads a type such as "float4", whose last digit is the number of components. */
static bool read_binding_type(struct ag_asm *assembler, struct agpu_rdef_binding *binding)
{
    const char *word;
    const size_t length = ag_asm_word(assembler, &word);
    size_t letters = length;
    if (length > 1 && isalpha((unsigned char)word[length - 2]) && word[length - 1] >= '1' &&
        word[length - 1] <= '4')
        letters--;
    if (length == 0 || !ag_value_of(&ag_names_rdef_return_type, word, letters, &binding->return_type)) {
        assembler->at -= length;
        if (length != 0 && isdigit((unsigned char)word[0]))
            return ag_asm_number(assembler, &binding->return_type);
        return ag_asm_expected(assembler, ag_names_rdef_return_type.what);
    }
    if (letters < length)
        binding->flags |= (uint32_t)(word[letters] - '1') << AG_RDEF_BINDING_COMPONENTS_SHIFT;
    return true;
}

/* Words such as "2d" begin with a digit, so words are tried before numbers. */
static bool read_binding_dimension(struct ag_asm *assembler, struct agpu_rdef_binding *binding)
{
    const char *word;
    const size_t length = ag_asm_word(assembler, &word);
    if (ag_value_of(&ag_names_rdef_dimension, word, length, &binding->dimension))
        return true;
    assembler->at -= length;
    if (length != 0 && isdigit((unsigned char)word[0]))
        return ag_asm_number(assembler, &binding->dimension);
    return ag_asm_expected(assembler, ag_names_rdef_dimension.what);
}

static bool is_option(const struct ag_asm_option *options, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].word) == length && memcmp(options[i].word, word, length) == 0)
            return true;
    return false;
}

static bool read_binding_options(struct ag_asm *assembler, struct agpu_rdef_binding *binding)
{
    uint32_t flags = 0, samples = UINT32_MAX, stride = UINT32_MAX;
    const struct ag_asm_option options[] = {
        {"count",       &binding->bind_count, 0                          },
        {"samples",     &samples,             0                          },
        {"stride",      &stride,              0                          },
        {"flags",       &flags,               0                          },
        {"space",       &binding->space,      0                          },
        {"id",          &binding->id,         0                          },
        {"user_packed", &binding->flags,      AG_RDEF_BINDING_USER_PACKED},
        {"comparison",  &binding->flags,      AG_RDEF_BINDING_COMPARISON },
        {"unused",      &binding->flags,      AG_RDEF_BINDING_UNUSED     },
    };
    const char *word;
    const size_t length = ag_asm_word(assembler, &word);
    assembler->at -= length;
    if (length != 0 && !is_option(options, AG_COUNT_OF(options), word, length) &&
        (!read_binding_type(assembler, binding) || !read_binding_dimension(assembler, binding)))
        return false;
    if (!ag_asm_options(assembler, options, AG_COUNT_OF(options)))
        return false;
    binding->flags |= flags;
    binding->sample_count = samples != UINT32_MAX ? samples
                            : stride != UINT32_MAX
                                ? stride
                                : ag_rdef_default_samples(binding->input_type, binding->dimension);
    return true;
}

bool ag_asm_rdef_binding(struct ag_asm *assembler)
{
    struct agpu_rdef_binding binding = {.bind_count = 1};
    return check_present(assembler) &&
           ag_asm_name(assembler, &ag_names_rdef_input_type, &binding.input_type) &&
           ag_asm_string(assembler, &binding.name) && read_binding_register(assembler, &binding) &&
           read_binding_options(assembler, &binding) &&
           (ag_vec_push(&assembler->rdef.bindings, binding) || ag_asm_no_memory(assembler));
}

/* ---- Types -------------------------------------------------------------------------------------------- */

/* Finds a type by number. The type must be complete, so a type whose members are being read is not found. */
static struct ag_asm_type *find_type(const struct ag_asm *assembler, uint32_t number, bool for_member)
{
    const struct ag_asm_rdef *rdef = &assembler->rdef;
    const size_t index = (size_t)(uintptr_t)ag_map_get(&rdef->type_numbers, (uint64_t)number + 1);
    if (index != 0 && !(for_member && index == rdef->types.count))
        return &rdef->types.data[index - 1];
    ag_asm_error(assembler, AGPU_DIAG_DXBC_NAME, "there is no type %u before this line", number);
    return NULL;
}

static bool refer(const struct ag_asm *assembler, struct ag_asm_type *from, const struct ag_asm_type *to)
{
    if (to->depth + 1 > from->depth)
        from->depth = to->depth + 1;
    if (from->depth <= AG_RDEF_DEEPEST_TYPE)
        return true;
    return ag_asm_error(assembler, AGPU_DIAG_DXBC_LIMIT, "types nest more than %d deep",
                        AG_RDEF_DEEPEST_TYPE);
}

/* Reads rows and columns, "4x3". */
static bool read_size(struct ag_asm *assembler, struct agpu_rdef_type *type)
{
    uint32_t rows, columns;
    ag_asm_skip_blanks(assembler);
    if (!ag_asm_register_number(assembler, &rows) || !ag_asm_expect(assembler, "x") ||
        !ag_asm_register_number(assembler, &columns))
        return false;
    if (rows > UINT16_MAX || columns > UINT16_MAX)
        return too_large(assembler, "a size", rows > columns ? rows : columns);
    type->rows = (uint16_t)rows;
    type->columns = (uint16_t)columns;
    return true;
}

/* Resolves an option that names another type; the number is UINT32_MAX when the option is missing. */
static bool read_reference(struct ag_asm *assembler, struct ag_asm_type *entry, uint32_t number,
                           const struct agpu_rdef_type **type)
{
    if (number == UINT32_MAX)
        return true;
    const struct ag_asm_type *found = find_type(assembler, number, false);
    if (found == NULL || !refer(assembler, entry, found))
        return false;
    *type = found->type;
    return true;
}

static bool share_members(struct ag_asm *assembler, struct ag_asm_type *entry, uint32_t number)
{
    const struct ag_asm_type *owner = find_type(assembler, number, false);
    if (owner == NULL)
        return false;
    entry->shares_members = true;
    entry->first_member = owner->first_member;
    entry->type->member_count = owner->type->member_count;
    if (owner->depth > entry->depth)
        entry->depth = owner->depth;
    return true;
}

static bool read_type_options(struct ag_asm *assembler, struct ag_asm_type *entry)
{
    uint32_t elements = 0, pointed = UINT32_MAX, base = UINT32_MAX, owner = UINT32_MAX;
    const struct ag_asm_option options[] = {
        {"elements", &elements, 0},
        {"class",    &pointed,  0},
        {"base",     &base,     0},
        {"members",  &owner,    0},
    };
    if (!ag_asm_options(assembler, options, AG_COUNT_OF(options)))
        return false;
    if (elements > UINT16_MAX)
        return too_large(assembler, "a number of elements", elements);
    entry->type->element_count = (uint16_t)elements;
    return read_reference(assembler, entry, pointed, &entry->type->interface_class) &&
           read_reference(assembler, entry, base, &entry->type->base_class) &&
           (owner == UINT32_MAX || share_members(assembler, entry, owner));
}

bool ag_asm_rdef_type(struct ag_asm *assembler)
{
    struct ag_asm_rdef *rdef = &assembler->rdef;
    struct ag_asm_type entry = {.type = AG_ARENA_NEW(&assembler->names, struct agpu_rdef_type),
                                .first_member = rdef->members.count,
                                .first_interface = rdef->interfaces.count,
                                .depth = 1};
    uint32_t number, type_class, base_type;
    if (entry.type == NULL)
        return ag_asm_no_memory(assembler);
    if (!check_present(assembler) || !ag_asm_number(assembler, &number))
        return false;
    if (ag_map_get(&rdef->type_numbers, (uint64_t)number + 1) != NULL)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_NAME, "there is a type %u already", number);
    if (!ag_asm_name(assembler, &ag_names_rdef_class, &type_class) ||
        !ag_asm_name(assembler, &ag_names_rdef_base_type, &base_type) || !read_size(assembler, entry.type))
        return false;
    if (type_class > UINT16_MAX || base_type > UINT16_MAX)
        return too_large(assembler, "a class or base type", type_class);
    entry.type->type_class = (uint16_t)type_class;
    entry.type->base_type = (uint16_t)base_type;
    ag_asm_skip_blanks(assembler);
    if (ag_asm_peek(assembler) == '"' && !ag_asm_string(assembler, &entry.type->name))
        return false;
    if (!read_type_options(assembler, &entry))
        return false;
    if (!ag_vec_push(&rdef->types, entry) ||
        !ag_map_put(&rdef->type_numbers, (uint64_t)number + 1, (void *)(uintptr_t)rdef->types.count))
        return ag_asm_no_memory(assembler);
    return true;
}

bool ag_asm_rdef_implements(struct ag_asm *assembler)
{
    struct ag_asm_rdef *rdef = &assembler->rdef;
    uint32_t number;
    if (rdef->types.count == 0)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, ".implements follows a .type");
    if (!ag_asm_number(assembler, &number))
        return false;
    const struct ag_asm_type *type = find_type(assembler, number, true);
    struct ag_asm_type *parent = &ag_vec_last(&rdef->types);
    if (type == NULL || !refer(assembler, parent, type))
        return false;
    parent->type->interface_count++;
    return ag_vec_push(&rdef->interfaces, type->type) || ag_asm_no_memory(assembler);
}

bool ag_asm_rdef_member(struct ag_asm *assembler)
{
    struct ag_asm_rdef *rdef = &assembler->rdef;
    struct agpu_rdef_member member = {0};
    uint32_t number = UINT32_MAX;
    const struct ag_asm_option options[] = {
        {"type",   &number,        0},
        {"offset", &member.offset, 0},
    };
    if (rdef->types.count == 0 || ag_vec_last(&rdef->types).shares_members)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX,
                            ".member follows a .type with members of its own");
    if (!ag_asm_string(assembler, &member.name) || !ag_asm_options(assembler, options, AG_COUNT_OF(options)))
        return false;
    struct ag_asm_type *parent = &ag_vec_last(&rdef->types);
    const struct ag_asm_type *type = find_type(assembler, number, true);
    if (type == NULL || !refer(assembler, parent, type))
        return false;
    if (parent->type->member_count == UINT16_MAX)
        return too_large(assembler, "a number of members", UINT16_MAX + 1u);
    parent->type->member_count++;
    member.type = type->type;
    return ag_vec_push(&rdef->members, member) || ag_asm_no_memory(assembler);
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

bool ag_asm_rdef_buffer(struct ag_asm *assembler)
{
    struct ag_asm_buffer buffer = {.first_variable = assembler->rdef.variables.count};
    const struct ag_asm_option options[] = {
        {"size",        &buffer.buffer.size,  0},
        {"user_packed", &buffer.buffer.flags, 1},
        {"flags",       &buffer.buffer.flags, 0},
    };
    return check_present(assembler) &&
           ag_asm_name(assembler, &ag_names_rdef_buffer_kind, &buffer.buffer.kind) &&
           ag_asm_string(assembler, &buffer.buffer.name) &&
           ag_asm_options(assembler, options, AG_COUNT_OF(options)) &&
           (ag_vec_push(&assembler->rdef.buffers, buffer) || ag_asm_no_memory(assembler));
}

/* Reads `default` and as many dwords as the variable has. */
static bool read_default(struct ag_asm *assembler, struct agpu_rdef_variable *variable)
{
    if (ag_asm_at_line_end(assembler))
        return true;
    if (!ag_asm_expect(assembler, "default"))
        return false;
    assembler->data.count = 0;
    do {
        uint32_t bits;
        bool is_integer;
        if (!ag_asm_bits(assembler, &bits, &is_integer))
            return false;
        if (!ag_vec_push(&assembler->data, bits))
            return ag_asm_no_memory(assembler);
    } while (ag_asm_accept(assembler, ","));
    if (assembler->data.count * 4 != variable->size)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_VALUE,
                            "a variable of %u bytes has a default value of %zu", variable->size,
                            assembler->data.count * 4);
    variable->default_value =
        ag_arena_memdup(&assembler->names, assembler->data.data, variable->size, _Alignof(uint32_t));
    return variable->default_value != NULL || ag_asm_no_memory(assembler);
}

bool ag_asm_rdef_variable(struct ag_asm *assembler)
{
    struct ag_asm_rdef *rdef = &assembler->rdef;
    struct agpu_rdef_variable variable = {.first_texture = AGPU_REGISTER_NONE,
                                          .first_sampler = AGPU_REGISTER_NONE};
    uint32_t number = UINT32_MAX, flags = 0;
    const struct ag_asm_option options[] = {
        {"type",                &number,                 0                                   },
        {"offset",              &variable.offset,        0                                   },
        {"size",                &variable.size,          0                                   },
        {"used",                &variable.flags,         AG_RDEF_VARIABLE_USED               },
        {"user_packed",         &variable.flags,         AG_RDEF_VARIABLE_USER_PACKED        },
        {"interface_pointer",   &variable.flags,         AG_RDEF_VARIABLE_INTERFACE_POINTER  },
        {"interface_parameter", &variable.flags,         AG_RDEF_VARIABLE_INTERFACE_PARAMETER},
        {"flags",               &flags,                  0                                   },
        {"texture",             &variable.first_texture, 0                                   },
        {"textures",            &variable.texture_count, 0                                   },
        {"sampler",             &variable.first_sampler, 0                                   },
        {"samplers",            &variable.sampler_count, 0                                   },
    };
    if (rdef->buffers.count == 0)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, ".variable follows a .buffer");
    if (!ag_asm_string(assembler, &variable.name) ||
        !ag_asm_options(assembler, options, AG_COUNT_OF(options)))
        return false;
    const struct ag_asm_type *type = find_type(assembler, number, false);
    if (type == NULL || !read_default(assembler, &variable))
        return false;
    variable.type = type->type;
    variable.flags |= flags;
    ag_vec_last(&rdef->buffers).buffer.variable_count++;
    return ag_vec_push(&rdef->variables, variable) || ag_asm_no_memory(assembler);
}

/* ---- The whole ---------------------------------------------------------------------------------------- */

const struct agpu_rdef *ag_asm_rdef_finish(struct ag_asm *assembler)
{
    struct ag_asm_rdef *data = &assembler->rdef;
    for (size_t i = 0; i < data->types.count; i++) {
        const struct ag_asm_type *entry = &data->types.data[i];
        if (entry->type->member_count != 0)
            entry->type->members = data->members.data + entry->first_member;
        if (entry->type->interface_count != 0)
            entry->type->interfaces = data->interfaces.data + entry->first_interface;
    }
    data->cbuffers.count = 0;
    for (size_t i = 0; i < data->buffers.count; i++) {
        struct agpu_rdef_cbuffer buffer = data->buffers.data[i].buffer;
        if (buffer.variable_count != 0)
            buffer.variables = data->variables.data + data->buffers.data[i].first_variable;
        if (!ag_vec_push(&data->cbuffers, buffer)) {
            ag_asm_no_memory(assembler);
            return NULL;
        }
    }
    data->rdef.bindings = data->bindings.data;
    data->rdef.binding_count = (uint32_t)data->bindings.count;
    data->rdef.cbuffers = data->cbuffers.data;
    data->rdef.cbuffer_count = (uint32_t)data->cbuffers.count;
    return &data->rdef;
}
