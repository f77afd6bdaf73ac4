/* SPDX-License-Identifier: MIT
 *
 * The structure comes first, with numbers in place of its pointers, then what the pointers lead to, in the
 * order of the table.
 */
#include "wgsl/module_bytes.h"

#include <string.h>

#include "base/bytes.h"
#include "wgsl/emit.h"
#include "wgsl/options.h"

/* An array of a module. */
struct part {
    size_t pointer, count, element_bytes;
};

#define PART(member, number)                                                                                 \
    {                                                                                                        \
        offsetof(struct agpu_module, member), offsetof(struct agpu_module, number),                          \
            sizeof *((struct agpu_module *)0)->member                                                        \
    }

static const struct part parts[] = {
    PART(bindings, binding_count),  PART(unbound, unbound_count), PART(overflow, overflow_count),
    PART(inputs, input_count),      PART(outputs, output_count),  PART(views, view_count),
    PART(line_offsets, line_count), PART(packed, packed_count),
};

static const void *pointer_of(const struct agpu_module *module, const struct part *part)
{
    const void *pointer;
    memcpy(&pointer, (const uint8_t *)module + part->pointer, sizeof pointer);
    return pointer;
}

static uint32_t count_of(const struct agpu_module *module, const struct part *part)
{
    uint32_t count;
    memcpy(&count, (const uint8_t *)module + part->count, sizeof count);
    return count;
}

void ag_module_write(struct ag_strbuf *bytes, const struct agpu_module *module)
{
    struct agpu_module head;
    const void *const none = NULL;
    memcpy(&head, module, sizeof head);
    head.wgsl = head.entry_point = NULL;
    head.memory = NULL;
    for (size_t i = 0; i < AG_COUNT_OF(parts); i++)
        memcpy((uint8_t *)&head + parts[i].pointer, &none, sizeof none);
    ag_strbuf_append_bytes(bytes, &head, sizeof head);
    for (size_t i = 0; i < AG_COUNT_OF(parts); i++)
        ag_strbuf_append_bytes(bytes, pointer_of(module, &parts[i]),
                               count_of(module, &parts[i]) * parts[i].element_bytes);
    ag_strbuf_append_bytes(bytes, module->wgsl, module->wgsl_length + 1);
    ag_strbuf_append_bytes(bytes, module->entry_point, strlen(module->entry_point) + 1);
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

/* Copies so many elements into the module's memory. Null when they are not there. */
static const void *take(struct agpu_module *module, const uint8_t **next, size_t *left, uint64_t count,
                        size_t element_bytes)
{
    const uint64_t size = count * element_bytes;
    if (size > *left)
        return NULL;
    void *const copy =
        ag_arena_alloc_raw(&module->memory->arena, size != 0 ? (size_t)size : 1, sizeof(uint64_t));
    if (copy == NULL)
        return NULL;
    if (size != 0)
        memcpy(copy, *next, (size_t)size);
    *next += size;
    *left -= (size_t)size;
    return copy;
}

static bool read_parts(struct agpu_module *module, const uint8_t **next, size_t *left)
{
    for (size_t i = 0; i < AG_COUNT_OF(parts); i++) {
        const void *const data =
            take(module, next, left, count_of(module, &parts[i]), parts[i].element_bytes);
        if (data == NULL)
            return false;
        memcpy((uint8_t *)module + parts[i].pointer, &data, sizeof data);
    }
    if (module->wgsl_length >= *left)
        return false;
    module->wgsl = take(module, next, left, (uint64_t)module->wgsl_length + 1, 1);
    module->entry_point = module->wgsl != NULL && *left != 0 ? take(module, next, left, *left, 1) : NULL;
    return module->entry_point != NULL && module->wgsl[module->wgsl_length] == '\0';
}

/* The registers of a space that bindings name. */
static uint32_t slots_of(uint32_t space)
{
    static const uint16_t slots[] = {
        [AGPU_SPACE_CBUFFER] = 16,        [AGPU_SPACE_RESOURCE] = AG_MAX_TEXTURES, [AGPU_SPACE_SAMPLER] = 16,
        [AGPU_SPACE_UAV] = AGPU_MAX_UAVS, [AGPU_SPACE_INTERNAL] = UINT16_MAX,
    };
    return space < AG_COUNT_OF(slots) ? slots[space] : 0;
}

static bool are_bindings(const struct agpu_binding *bindings, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (bindings[i].group > 3 || bindings[i].kind > AGPU_BIND_COMPARISON_SAMPLER ||
            bindings[i].slot >= slots_of(bindings[i].space) || bindings[i].sample_type > AGPU_SAMPLE_UINT ||
            bindings[i].storage_format >= AGPU_STORAGE_FORMAT_COUNT ||
            bindings[i].texture_array > AG_TEXTURE_ARRAYS)
            return false;
    return true;
}

static bool are_values(const struct agpu_stage_value *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (values[i].register_index >= AGPU_MAX_REGISTERS && values[i].register_index != 0xFF)
            return false;
    return true;
}

/* Direct3D 11's limits. */
#define MOST_CONTROL_POINTS 32u
#define MOST_INSTANCES 32u
#define MOST_VERTICES 1024u
#define MOST_FACTOR 64u

static bool is_expansion(const struct agpu_expansion *expansion)
{
    return expansion->input_registers <= AGPU_MAX_REGISTERS &&
           expansion->record_registers <= AGPU_MAX_REGISTERS &&
           expansion->patch_registers <= AGPU_MAX_REGISTERS && expansion->vertices <= MOST_CONTROL_POINTS &&
           expansion->output_points <= MOST_CONTROL_POINTS && expansion->instances <= MOST_INSTANCES &&
           expansion->max_vertices <= MOST_VERTICES && expansion->most_factor <= MOST_FACTOR;
}

/* Whether the parts fill the uniform buffer that they share, or each of its sets, one behind the other: what
 * is in none of them is not written before a draw. */
static bool is_pack(const struct agpu_module *module)
{
    uint64_t bytes = 0, end = 0;
    uint32_t packs = 0;
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (ag_is_constant_pack(&module->bindings[i])) {
            bytes = module->bindings[i].bytes;
            packs++;
        }
    if (packs != (module->packed_count != 0) || module->packed_count > AG_PACK_PARTS || bytes > UINT32_MAX)
        return false;
    for (uint32_t i = 0; i < module->packed_count; i++) {
        const struct agpu_binding *part = &module->packed[i];
        if (part->space != AGPU_SPACE_CBUFFER || part->pack_offset != end || part->bytes % 16 != 0 ||
            part->bytes > bytes - end)
            return false;
        end += part->bytes;
    }
    return module->constant_sets <= AG_MOST_CONSTANT_SETS &&
           ag_constant_pack_bytes(module->constant_sets, end) == bytes &&
           are_bindings(module->packed, module->packed_count);
}

/* Whether what indexes tables elsewhere, or is multiplied there, is in bounds. */
static bool is_sane(const struct agpu_module *module)
{
    return module->flavour < AGPU_FLAVOUR_COUNT && module->stage < AGPU_STAGE_COUNT &&
           is_expansion(&module->expansion) && module->overflow_rows <= UINT16_MAX &&
           are_bindings(module->bindings, module->binding_count) &&
           are_bindings(module->unbound, module->unbound_count) &&
           are_bindings(module->overflow, module->overflow_count) && is_pack(module) &&
           are_values(module->inputs, module->input_count) &&
           are_values(module->outputs, module->output_count);
}

struct agpu_module *ag_module_read(const uint8_t *bytes, size_t size)
{
    if (size < sizeof(struct agpu_module) || bytes[size - 1] != '\0')
        return NULL;
    struct agpu_module *const module = ag_wgsl_module_new();
    if (module == NULL)
        return NULL;
    struct agpu_module_memory *const memory = module->memory;
    memcpy(module, bytes, sizeof *module);
    module->memory = memory;
    const uint8_t *next = bytes + sizeof *module;
    size_t left = size - sizeof *module;
    if (read_parts(module, &next, &left) && is_sane(module))
        return module;
    agpu_module_destroy(module);
    return NULL;
}
