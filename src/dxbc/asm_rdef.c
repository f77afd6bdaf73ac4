/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "base/bytes.h"
#include "dxbc/asm.h"
#include "dxbc/rdef.h"
#include "dxbc/rdef_text.h"

static bool too_large(const struct agpu_asm *assembler, const char *what, uint32_t value)
{
    return agpu_asm_error(assembler, AGPU_DIAG_DXBC_VALUE, "%s of %u is out of range", what, value);
}

static bool check_present(const struct agpu_asm *assembler)
{
    return assembler->rdef.present ||
           agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "reflection data begin with .rdef");
}

/* ---- The head ----------------------------------------------------------------------------------------- */

bool agpu_asm_rdef(struct agpu_asm *assembler)
{
    struct agpu_rdef *rdef = &assembler->rdef.rdef;
    if (assembler->rdef.present)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "there is an .rdef already");
    assembler->rdef.present = true;
    uint32_t major = assembler->program.major, minor = assembler->program.minor;
    uint32_t program = agpu_rdef_program_type(assembler->program.stage);
    const struct agpu_asm_option options[] = {
        {"flags",   &rdef->compile_flags,   0},
        {"slots",   &rdef->interface_slots, 0},
        {"major",   &major,                 0},
        {"minor",   &minor,                 0},
        {"program", &program,               0},
    };
    if (!agpu_asm_string(assembler, &rdef->creator) ||
        !agpu_asm_options(assembler, options, AGPU_COUNT_OF(options)))
        return false;
    if (major > UINT8_MAX || minor > UINT8_MAX || program > UINT16_MAX)
        return too_large(assembler, "a model or program type", major > minor ? major : minor);
    rdef->major = (uint8_t)major;
    rdef->minor = (uint8_t)minor;
    rdef->program_type = (uint16_t)program;
    return true;
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

static bool read_binding_register(struct agpu_asm *assembler, struct agpu_rdef_binding *binding)
{
    const char *file = agpu_rdef_register_file(binding->input_type);
    agpu_asm_skip_blanks(assembler);
    return agpu_asm_expect(assembler, file) && agpu_asm_register_number(assembler, &binding->bind_point);
}

/* "float4": the last digit is the number of components. */
static bool read_binding_type(struct agpu_asm *assembler, struct agpu_rdef_binding *binding)
{
    const char *word;
    const size_t length = agpu_asm_word(assembler, &word);
    size_t letters = length;
    if (length > 1 && isalpha((unsigned char)word[length - 2]) && word[length - 1] >= '1' &&
        word[length - 1] <= '4')
        letters--;
    if (length == 0 || !agpu_value_of(&agpu_names_rdef_return_type, word, letters, &binding->return_type)) {
        assembler->at -= length;
        if (length != 0 && isdigit((unsigned char)word[0]))
            return agpu_asm_number(assembler, &binding->return_type);
        return agpu_asm_expected(assembler, agpu_names_rdef_return_type.what);
    }
    if (letters < length)
        binding->flags |= (uint32_t)(word[letters] - '1') << AGPU_RDEF_BINDING_COMPONENTS_SHIFT;
    return true;
}

/* Words such as "2d" begin with a digit, so a number is what is no word. */
static bool read_binding_dimension(struct agpu_asm *assembler, struct agpu_rdef_binding *binding)
{
    const char *word;
    const size_t length = agpu_asm_word(assembler, &word);
    if (agpu_value_of(&agpu_names_rdef_dimension, word, length, &binding->dimension))
        return true;
    assembler->at -= length;
    if (length != 0 && isdigit((unsigned char)word[0]))
        return agpu_asm_number(assembler, &binding->dimension);
    return agpu_asm_expected(assembler, agpu_names_rdef_dimension.what);
}

static bool is_option(const struct agpu_asm_option *options, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].word) == length && memcmp(options[i].word, word, length) == 0)
            return true;
    return false;
}

static bool read_binding_options(struct agpu_asm *assembler, struct agpu_rdef_binding *binding)
{
    uint32_t flags = 0, samples = UINT32_MAX, stride = UINT32_MAX;
    const struct agpu_asm_option options[] = {
        {"count",       &binding->bind_count, 0                            },
        {"samples",     &samples,             0                            },
        {"stride",      &stride,              0                            },
        {"flags",       &flags,               0                            },
        {"space",       &binding->space,      0                            },
        {"id",          &binding->id,         0                            },
        {"user_packed", &binding->flags,      AGPU_RDEF_BINDING_USER_PACKED},
        {"comparison",  &binding->flags,      AGPU_RDEF_BINDING_COMPARISON },
        {"unused",      &binding->flags,      AGPU_RDEF_BINDING_UNUSED     },
    };
    const char *word;
    const size_t length = agpu_asm_word(assembler, &word);
    assembler->at -= length;
    if (length != 0 && !is_option(options, AGPU_COUNT_OF(options), word, length) &&
        (!read_binding_type(assembler, binding) || !read_binding_dimension(assembler, binding)))
        return false;
    if (!agpu_asm_options(assembler, options, AGPU_COUNT_OF(options)))
        return false;
    binding->flags |= flags;
    binding->sample_count = samples != UINT32_MAX ? samples
                            : stride != UINT32_MAX
                                ? stride
                                : agpu_rdef_default_samples(binding->input_type, binding->dimension);
    return true;
}

bool agpu_asm_rdef_binding(struct agpu_asm *assembler)
{
    struct agpu_rdef_binding binding = {.bind_count = 1};
    return check_present(assembler) &&
           agpu_asm_name(assembler, &agpu_names_rdef_input_type, &binding.input_type) &&
           agpu_asm_string(assembler, &binding.name) && read_binding_register(assembler, &binding) &&
           read_binding_options(assembler, &binding) &&
           (agpu_vec_push(&assembler->rdef.bindings, binding) || agpu_asm_no_memory(assembler));
}

/* ---- Types -------------------------------------------------------------------------------------------- */

/* The type with a number, which must be complete: not the one whose members are being read. */
static struct agpu_asm_type *find_type(const struct agpu_asm *assembler, uint32_t number, bool for_member)
{
    const struct agpu_asm_rdef *rdef = &assembler->rdef;
    const size_t index = (size_t)(uintptr_t)agpu_map_get(&rdef->type_numbers, (uint64_t)number + 1);
    if (index != 0 && !(for_member && index == rdef->types.count))
        return &rdef->types.data[index - 1];
    agpu_asm_error(assembler, AGPU_DIAG_DXBC_NAME, "there is no type %u before this line", number);
    return NULL;
}

static bool refer(const struct agpu_asm *assembler, struct agpu_asm_type *from,
                  const struct agpu_asm_type *to)
{
    if (to->depth + 1 > from->depth)
        from->depth = to->depth + 1;
    if (from->depth <= AGPU_RDEF_DEEPEST_TYPE)
        return true;
    return agpu_asm_error(assembler, AGPU_DIAG_DXBC_LIMIT, "types nest more than %d deep",
                          AGPU_RDEF_DEEPEST_TYPE);
}

/* "4x3". */
static bool read_size(struct agpu_asm *assembler, struct agpu_rdef_type *type)
{
    uint32_t rows, columns;
    agpu_asm_skip_blanks(assembler);
    if (!agpu_asm_register_number(assembler, &rows) || !agpu_asm_expect(assembler, "x") ||
        !agpu_asm_register_number(assembler, &columns))
        return false;
    if (rows > UINT16_MAX || columns > UINT16_MAX)
        return too_large(assembler, "a size", rows > columns ? rows : columns);
    type->rows = (uint16_t)rows;
    type->columns = (uint16_t)columns;
    return true;
}

/* The number of another type in an option; UINT32_MAX when the option is missing. */
static bool read_reference(struct agpu_asm *assembler, struct agpu_asm_type *entry, uint32_t number,
                           const struct agpu_rdef_type **type)
{
    if (number == UINT32_MAX)
        return true;
    const struct agpu_asm_type *found = find_type(assembler, number, false);
    if (found == NULL || !refer(assembler, entry, found))
        return false;
    *type = found->type;
    return true;
}

static bool share_members(struct agpu_asm *assembler, struct agpu_asm_type *entry, uint32_t number)
{
    const struct agpu_asm_type *owner = find_type(assembler, number, false);
    if (owner == NULL)
        return false;
    entry->shares_members = true;
    entry->first_member = owner->first_member;
    entry->type->member_count = owner->type->member_count;
    if (owner->depth > entry->depth)
        entry->depth = owner->depth;
    return true;
}

static bool read_type_options(struct agpu_asm *assembler, struct agpu_asm_type *entry)
{
    uint32_t elements = 0, pointed = UINT32_MAX, base = UINT32_MAX, owner = UINT32_MAX;
    const struct agpu_asm_option options[] = {
        {"elements", &elements, 0},
        {"class",    &pointed,  0},
        {"base",     &base,     0},
        {"members",  &owner,    0},
    };
    if (!agpu_asm_options(assembler, options, AGPU_COUNT_OF(options)))
        return false;
    if (elements > UINT16_MAX)
        return too_large(assembler, "a number of elements", elements);
    entry->type->element_count = (uint16_t)elements;
    return read_reference(assembler, entry, pointed, &entry->type->interface_class) &&
           read_reference(assembler, entry, base, &entry->type->base_class) &&
           (owner == UINT32_MAX || share_members(assembler, entry, owner));
}

bool agpu_asm_rdef_type(struct agpu_asm *assembler)
{
    struct agpu_asm_rdef *rdef = &assembler->rdef;
    struct agpu_asm_type entry = {.type = AGPU_ARENA_NEW(&assembler->names, struct agpu_rdef_type),
                                  .first_member = rdef->members.count,
                                  .first_interface = rdef->interfaces.count,
                                  .depth = 1};
    uint32_t number, type_class, base_type;
    if (entry.type == NULL)
        return agpu_asm_no_memory(assembler);
    if (!check_present(assembler) || !agpu_asm_number(assembler, &number))
        return false;
    if (agpu_map_get(&rdef->type_numbers, (uint64_t)number + 1) != NULL)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_NAME, "there is a type %u already", number);
    if (!agpu_asm_name(assembler, &agpu_names_rdef_class, &type_class) ||
        !agpu_asm_name(assembler, &agpu_names_rdef_base_type, &base_type) ||
        !read_size(assembler, entry.type))
        return false;
    if (type_class > UINT16_MAX || base_type > UINT16_MAX)
        return too_large(assembler, "a class or base type", type_class);
    entry.type->type_class = (uint16_t)type_class;
    entry.type->base_type = (uint16_t)base_type;
    agpu_asm_skip_blanks(assembler);
    if (agpu_asm_peek(assembler) == '"' && !agpu_asm_string(assembler, &entry.type->name))
        return false;
    if (!read_type_options(assembler, &entry))
        return false;
    if (!agpu_vec_push(&rdef->types, entry) ||
        !agpu_map_put(&rdef->type_numbers, (uint64_t)number + 1, (void *)(uintptr_t)rdef->types.count))
        return agpu_asm_no_memory(assembler);
    return true;
}

bool agpu_asm_rdef_implements(struct agpu_asm *assembler)
{
    struct agpu_asm_rdef *rdef = &assembler->rdef;
    uint32_t number;
    if (rdef->types.count == 0)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, ".implements follows a .type");
    if (!agpu_asm_number(assembler, &number))
        return false;
    const struct agpu_asm_type *type = find_type(assembler, number, true);
    struct agpu_asm_type *parent = &agpu_vec_last(&rdef->types);
    if (type == NULL || !refer(assembler, parent, type))
        return false;
    parent->type->interface_count++;
    return agpu_vec_push(&rdef->interfaces, type->type) || agpu_asm_no_memory(assembler);
}

bool agpu_asm_rdef_member(struct agpu_asm *assembler)
{
    struct agpu_asm_rdef *rdef = &assembler->rdef;
    struct agpu_rdef_member member = {0};
    uint32_t number = UINT32_MAX;
    const struct agpu_asm_option options[] = {
        {"type",   &number,        0},
        {"offset", &member.offset, 0},
    };
    if (rdef->types.count == 0 || agpu_vec_last(&rdef->types).shares_members)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX,
                              ".member follows a .type with members of its own");
    if (!agpu_asm_string(assembler, &member.name) ||
        !agpu_asm_options(assembler, options, AGPU_COUNT_OF(options)))
        return false;
    struct agpu_asm_type *parent = &agpu_vec_last(&rdef->types);
    const struct agpu_asm_type *type = find_type(assembler, number, true);
    if (type == NULL || !refer(assembler, parent, type))
        return false;
    if (parent->type->member_count == UINT16_MAX)
        return too_large(assembler, "a number of members", UINT16_MAX + 1u);
    parent->type->member_count++;
    member.type = type->type;
    return agpu_vec_push(&rdef->members, member) || agpu_asm_no_memory(assembler);
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

bool agpu_asm_rdef_buffer(struct agpu_asm *assembler)
{
    struct agpu_asm_buffer buffer = {.first_variable = assembler->rdef.variables.count};
    const struct agpu_asm_option options[] = {
        {"size",        &buffer.buffer.size,  0},
        {"user_packed", &buffer.buffer.flags, 1},
        {"flags",       &buffer.buffer.flags, 0},
    };
    return check_present(assembler) &&
           agpu_asm_name(assembler, &agpu_names_rdef_buffer_kind, &buffer.buffer.kind) &&
           agpu_asm_string(assembler, &buffer.buffer.name) &&
           agpu_asm_options(assembler, options, AGPU_COUNT_OF(options)) &&
           (agpu_vec_push(&assembler->rdef.buffers, buffer) || agpu_asm_no_memory(assembler));
}

/* `default` and as many dwords as the variable is large. */
static bool read_default(struct agpu_asm *assembler, struct agpu_rdef_variable *variable)
{
    if (agpu_asm_at_line_end(assembler))
        return true;
    if (!agpu_asm_expect(assembler, "default"))
        return false;
    assembler->data.count = 0;
    do {
        uint32_t bits;
        bool is_integer;
        if (!agpu_asm_bits(assembler, &bits, &is_integer))
            return false;
        if (!agpu_vec_push(&assembler->data, bits))
            return agpu_asm_no_memory(assembler);
    } while (agpu_asm_accept(assembler, ","));
    if (assembler->data.count * 4 != variable->size)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_VALUE,
                              "a variable of %u bytes has a default value of %zu", variable->size,
                              assembler->data.count * 4);
    variable->default_value =
        agpu_arena_memdup(&assembler->names, assembler->data.data, variable->size, _Alignof(uint32_t));
    return variable->default_value != NULL || agpu_asm_no_memory(assembler);
}

bool agpu_asm_rdef_variable(struct agpu_asm *assembler)
{
    struct agpu_asm_rdef *rdef = &assembler->rdef;
    struct agpu_rdef_variable variable = {.first_texture = AGPU_REGISTER_NONE,
                                          .first_sampler = AGPU_REGISTER_NONE};
    uint32_t number = UINT32_MAX, flags = 0;
    const struct agpu_asm_option options[] = {
        {"type",                &number,                 0                                     },
        {"offset",              &variable.offset,        0                                     },
        {"size",                &variable.size,          0                                     },
        {"used",                &variable.flags,         AGPU_RDEF_VARIABLE_USED               },
        {"user_packed",         &variable.flags,         AGPU_RDEF_VARIABLE_USER_PACKED        },
        {"interface_pointer",   &variable.flags,         AGPU_RDEF_VARIABLE_INTERFACE_POINTER  },
        {"interface_parameter", &variable.flags,         AGPU_RDEF_VARIABLE_INTERFACE_PARAMETER},
        {"flags",               &flags,                  0                                     },
        {"texture",             &variable.first_texture, 0                                     },
        {"textures",            &variable.texture_count, 0                                     },
        {"sampler",             &variable.first_sampler, 0                                     },
        {"samplers",            &variable.sampler_count, 0                                     },
    };
    if (rdef->buffers.count == 0)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, ".variable follows a .buffer");
    if (!agpu_asm_string(assembler, &variable.name) ||
        !agpu_asm_options(assembler, options, AGPU_COUNT_OF(options)))
        return false;
    const struct agpu_asm_type *type = find_type(assembler, number, false);
    if (type == NULL || !read_default(assembler, &variable))
        return false;
    variable.type = type->type;
    variable.flags |= flags;
    agpu_vec_last(&rdef->buffers).buffer.variable_count++;
    return agpu_vec_push(&rdef->variables, variable) || agpu_asm_no_memory(assembler);
}

/* ---- The whole ---------------------------------------------------------------------------------------- */

const struct agpu_rdef *agpu_asm_rdef_finish(struct agpu_asm *assembler)
{
    struct agpu_asm_rdef *data = &assembler->rdef;
    for (size_t i = 0; i < data->types.count; i++) {
        const struct agpu_asm_type *entry = &data->types.data[i];
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
        if (!agpu_vec_push(&data->cbuffers, buffer)) {
            agpu_asm_no_memory(assembler);
            return NULL;
        }
    }
    data->rdef.bindings = data->bindings.data;
    data->rdef.binding_count = (uint32_t)data->bindings.count;
    data->rdef.cbuffers = data->cbuffers.data;
    data->rdef.cbuffer_count = (uint32_t)data->cbuffers.count;
    return &data->rdef;
}
