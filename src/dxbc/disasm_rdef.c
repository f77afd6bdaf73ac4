/* SPDX-License-Identifier: MIT
 *
 * Lists reflection data as directives (dxbc/rdef_text.h).
 */
#include <inttypes.h>

#include "base/bytes.h"
#include "base/map.h"
#include "dxbc/disasm.h"
#include "dxbc/rdef.h"
#include "dxbc/rdef_text.h"

#define DIMENSION_2DMS 6
#define DIMENSION_2DMSARRAY 7

/* The types listed so far and their numbers. */
struct lister {
    struct ag_strbuf *out;
    struct ag_map numbers; /* the address of a type to its number + 1 */
    /* The address of a member array to the number + 1 of the type that lists the members. */
    struct ag_map owners;
    uint32_t type_count;
    size_t start, limit; /* start of the text in `out`, and its maximum length */
    bool failed;
};

const char *ag_rdef_register_file(uint32_t input_type)
{
    static const char *const files[AG_RDEF_INPUT_TYPE_COUNT] = {
        [AG_RDEF_CBUFFER] = "cb",      [AG_RDEF_TBUFFER] = "t",     [AG_RDEF_TEXTURE] = "t",
        [AG_RDEF_SAMPLER] = "s",       [AG_RDEF_RW_TYPED] = "u",    [AG_RDEF_STRUCTURED] = "t",
        [AG_RDEF_RW_STRUCTURED] = "u", [AG_RDEF_BYTEADDRESS] = "t", [AG_RDEF_RW_BYTEADDRESS] = "u",
        [AG_RDEF_APPEND] = "u",        [AG_RDEF_CONSUME] = "u",     [AG_RDEF_RW_STRUCTURED_COUNTER] = "u",
    };
    return input_type < AG_RDEF_INPUT_TYPE_COUNT ? files[input_type] : "?";
}

uint32_t ag_rdef_default_samples(uint32_t input_type, uint32_t dimension)
{
    const bool counted = dimension == DIMENSION_2DMS || dimension == DIMENSION_2DMSARRAY;
    const bool typed =
        input_type == AG_RDEF_TBUFFER || input_type == AG_RDEF_TEXTURE || input_type == AG_RDEF_RW_TYPED;
    return typed && !counted ? UINT32_MAX : 0;
}

/* Gives up when the text becomes too long: many records of a hostile chunk may share one long name. */
static bool fits(struct lister *lister)
{
    if (lister->out->length - lister->start > lister->limit)
        lister->failed = true;
    return !lister->failed && !lister->out->failed;
}

static void list_option(struct ag_strbuf *out, const char *word, uint32_t value, uint32_t usual)
{
    if (value != usual)
        ag_strbuf_printf(out, " %s=%" PRIu32, word, value);
}

static void list_flags(struct ag_strbuf *out, uint32_t flags)
{
    if (flags != 0)
        ag_strbuf_printf(out, " flags=0x%" PRIx32, flags);
}

static void list_bit(struct ag_strbuf *out, const char *word, uint32_t flags, uint32_t bit)
{
    if (flags & bit)
        ag_strbuf_printf(out, " %s", word);
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

static void list_binding(struct ag_strbuf *out, const struct agpu_rdef_binding *binding)
{
    ag_strbuf_append(out, ".binding ");
    ag_list_name(out, &ag_names_rdef_input_type, binding->input_type);
    ag_strbuf_append_char(out, ' ');
    ag_list_quoted(out, binding->name);
    ag_strbuf_printf(out, " %s%" PRIu32, ag_rdef_register_file(binding->input_type), binding->bind_point);
    uint32_t flags = binding->flags;
    if (binding->return_type != 0 || binding->dimension != 0) {
        ag_strbuf_append_char(out, ' ');
        ag_list_name(out, &ag_names_rdef_return_type, binding->return_type);
        const uint32_t components = flags & AG_RDEF_BINDING_COMPONENTS;
        if (components != 0 && ag_name_of(&ag_names_rdef_return_type, binding->return_type) != NULL) {
            ag_strbuf_printf(out, "%" PRIu32, (components >> AG_RDEF_BINDING_COMPONENTS_SHIFT) + 1);
            flags &= ~(uint32_t)AG_RDEF_BINDING_COMPONENTS;
        }
        ag_strbuf_append_char(out, ' ');
        ag_list_name(out, &ag_names_rdef_dimension, binding->dimension);
    }
    const bool typed = ag_rdef_default_samples(binding->input_type, 0) != 0;
    list_option(out, "count", binding->bind_count, 1);
    list_option(out, typed ? "samples" : "stride", binding->sample_count,
                ag_rdef_default_samples(binding->input_type, binding->dimension));
    list_bit(out, "user_packed", flags, AG_RDEF_BINDING_USER_PACKED);
    list_bit(out, "comparison", flags, AG_RDEF_BINDING_COMPARISON);
    list_bit(out, "unused", flags, AG_RDEF_BINDING_UNUSED);
    list_flags(out, flags & ~(uint32_t)AG_RDEF_BINDING_WORDS);
    list_option(out, "space", binding->space, 0);
    list_option(out, "id", binding->id, 0);
    ag_strbuf_append_char(out, '\n');
}

/* ---- Types -------------------------------------------------------------------------------------------- */

static uint64_t address(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static uint32_t number_of(const struct ag_map *map, const void *pointer)
{
    return (uint32_t)((uintptr_t)ag_map_get(map, address(pointer)) - 1);
}

static bool is_known(const struct ag_map *map, const void *pointer)
{
    return ag_map_get(map, address(pointer)) != NULL;
}

static void know(struct lister *lister, struct ag_map *map, const void *pointer, uint32_t number)
{
    if (!ag_map_put(map, address(pointer), (void *)((uintptr_t)number + 1)))
        lister->out->failed = true;
}

static void list_type(struct lister *lister, const struct agpu_rdef_type *type);

static void list_members(struct lister *lister, const struct agpu_rdef_type *type)
{
    for (uint32_t i = 0; i < type->member_count && fits(lister); i++) {
        ag_strbuf_append(lister->out, ".member ");
        ag_list_quoted(lister->out, type->members[i].name);
        ag_strbuf_printf(lister->out, " type=%" PRIu32 " offset=%" PRIu32 "\n",
                         number_of(&lister->numbers, type->members[i].type), type->members[i].offset);
    }
}

static void list_type_line(struct lister *lister, const struct agpu_rdef_type *type, uint32_t number)
{
    struct ag_strbuf *out = lister->out;
    ag_strbuf_printf(out, ".type %" PRIu32 " ", number);
    ag_list_name(out, &ag_names_rdef_class, type->type_class);
    ag_strbuf_append_char(out, ' ');
    ag_list_name(out, &ag_names_rdef_base_type, type->base_type);
    ag_strbuf_printf(out, " %ux%u", type->rows, type->columns);
    if (type->name != NULL) {
        ag_strbuf_append_char(out, ' ');
        ag_list_quoted(out, type->name);
    }
    list_option(out, "elements", type->element_count, 0);
    if (type->interface_class != NULL)
        ag_strbuf_printf(out, " class=%" PRIu32, number_of(&lister->numbers, type->interface_class));
    if (type->base_class != NULL)
        ag_strbuf_printf(out, " base=%" PRIu32, number_of(&lister->numbers, type->base_class));
    if (type->member_count != 0 && is_known(&lister->owners, type->members))
        ag_strbuf_printf(out, " members=%" PRIu32, number_of(&lister->owners, type->members));
    ag_strbuf_append_char(out, '\n');
}

/* A type is listed after the types that it consists of. */
static void list_type(struct lister *lister, const struct agpu_rdef_type *type)
{
    if (!fits(lister) || is_known(&lister->numbers, type))
        return;
    const bool shared = type->member_count != 0 && is_known(&lister->owners, type->members);
    for (uint32_t i = 0; i < type->member_count && !shared; i++)
        list_type(lister, type->members[i].type);
    if (type->interface_class != NULL)
        list_type(lister, type->interface_class);
    if (type->base_class != NULL)
        list_type(lister, type->base_class);
    for (uint32_t i = 0; i < type->interface_count; i++)
        list_type(lister, type->interfaces[i]);
    const uint32_t number = lister->type_count++;
    know(lister, &lister->numbers, type, number);
    list_type_line(lister, type, number);
    for (uint32_t i = 0; i < type->interface_count; i++)
        ag_strbuf_printf(lister->out, ".implements %" PRIu32 "\n",
                         number_of(&lister->numbers, type->interfaces[i]));
    if (type->member_count == 0 || shared)
        return;
    list_members(lister, type);
    know(lister, &lister->owners, type->members, number);
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

static void list_default(struct ag_strbuf *out, const struct agpu_rdef_variable *variable)
{
    ag_strbuf_append(out, " default");
    for (uint32_t i = 0; i < variable->size / 4; i++)
        ag_strbuf_printf(out, "%s 0x%08" PRIx32, i == 0 ? "" : ",",
                         ag_load_u32(variable->default_value + (size_t)i * 4));
}

static void list_variable(struct lister *lister, const struct agpu_rdef_variable *variable)
{
    struct ag_strbuf *out = lister->out;
    list_type(lister, variable->type);
    ag_strbuf_append(out, ".variable ");
    ag_list_quoted(out, variable->name);
    ag_strbuf_printf(out, " type=%" PRIu32 " offset=%" PRIu32 " size=%" PRIu32,
                     number_of(&lister->numbers, variable->type), variable->offset, variable->size);
    list_bit(out, "used", variable->flags, AG_RDEF_VARIABLE_USED);
    list_bit(out, "user_packed", variable->flags, AG_RDEF_VARIABLE_USER_PACKED);
    list_bit(out, "interface_pointer", variable->flags, AG_RDEF_VARIABLE_INTERFACE_POINTER);
    list_bit(out, "interface_parameter", variable->flags, AG_RDEF_VARIABLE_INTERFACE_PARAMETER);
    list_flags(out, variable->flags & ~(uint32_t)AG_RDEF_VARIABLE_WORDS);
    list_option(out, "texture", variable->first_texture, AGPU_REGISTER_NONE);
    list_option(out, "textures", variable->texture_count, 0);
    list_option(out, "sampler", variable->first_sampler, AGPU_REGISTER_NONE);
    list_option(out, "samplers", variable->sampler_count, 0);
    if (variable->default_value != NULL)
        list_default(out, variable);
    ag_strbuf_append_char(out, '\n');
}

static void list_buffer(struct lister *lister, const struct agpu_rdef_cbuffer *cbuffer)
{
    struct ag_strbuf *out = lister->out;
    ag_strbuf_append(out, ".buffer ");
    ag_list_name(out, &ag_names_rdef_buffer_kind, cbuffer->kind);
    ag_strbuf_append_char(out, ' ');
    ag_list_quoted(out, cbuffer->name);
    ag_strbuf_printf(out, " size=%" PRIu32, cbuffer->size);
    list_flags(out, cbuffer->flags);
    ag_strbuf_append_char(out, '\n');
    for (uint32_t i = 0; i < cbuffer->variable_count && fits(lister); i++)
        list_variable(lister, &cbuffer->variables[i]);
}

bool ag_list_rdef(struct ag_strbuf *out, const struct agpu_program *program, const struct agpu_rdef *rdef,
                  size_t limit)
{
    struct lister lister = {.out = out, .start = out->length, .limit = limit};
    ag_strbuf_append(out, ".rdef ");
    ag_list_quoted(out, rdef->creator);
    list_flags(out, rdef->compile_flags);
    list_option(out, "slots", rdef->interface_slots, 0);
    list_option(out, "major", rdef->major, program->major);
    list_option(out, "minor", rdef->minor, program->minor);
    list_option(out, "program", rdef->program_type, ag_rdef_program_type(program->stage));
    ag_strbuf_append_char(out, '\n');
    for (uint32_t i = 0; i < rdef->binding_count && fits(&lister); i++)
        list_binding(out, &rdef->bindings[i]);
    for (uint32_t i = 0; i < rdef->cbuffer_count && fits(&lister); i++)
        list_buffer(&lister, &rdef->cbuffers[i]);
    ag_map_fini(&lister.numbers);
    ag_map_fini(&lister.owners);
    return !lister.failed && !out->failed;
}
