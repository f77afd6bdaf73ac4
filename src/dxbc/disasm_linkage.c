/* SPDX-License-Identifier: MIT
 *
 * Lists class linkage (dxbc/class_linkage.h).
 */
#include <inttypes.h>

#include "dxbc/class_linkage.h"
#include "dxbc/disasm.h"

static void list_option(struct ag_strbuf *out, const char *word, uint32_t value, uint32_t usual)
{
    if (value != usual)
        ag_strbuf_printf(out, " %s=%" PRIu32, word, value);
}

static void list_slots(struct ag_strbuf *out, const struct ag_class_linkage *linkage,
                       const struct ag_linkage_slots *slots)
{
    ag_strbuf_printf(out, ".slots %" PRIu32, slots->count);
    for (uint32_t i = 0; i < slots->choice_count; i++) {
        const struct ag_linkage_choice *choice = &linkage->choices.data[slots->first_choice + i];
        ag_strbuf_printf(out, "%s %" PRIu32 ":ft%" PRIu32, i == 0 ? "" : ",", choice->class_number,
                         choice->table);
    }
    ag_strbuf_append_char(out, '\n');
}

static void list_class(struct ag_strbuf *out, const struct ag_linkage_class *entry)
{
    ag_strbuf_append(out, ".class ");
    ag_list_quoted(out, entry->name);
    list_option(out, "stride", entry->stride, 0);
    list_option(out, "textures", entry->textures, 0);
    list_option(out, "samplers", entry->samplers, 0);
    list_option(out, "unknown", entry->unknown, 0);
    ag_strbuf_append_char(out, '\n');
}

static void list_instance(struct ag_strbuf *out, const struct ag_linkage_instance *entry)
{
    ag_strbuf_append(out, ".instance ");
    ag_list_quoted(out, entry->name);
    ag_strbuf_printf(out, " class=%" PRIu32, entry->class_number);
    list_option(out, "elements", entry->elements, 1);
    list_option(out, "buffer", entry->buffer, 0);
    list_option(out, "offset", entry->offset, 0);
    list_option(out, "texture", entry->texture, AG_LINKAGE_NONE);
    list_option(out, "sampler", entry->sampler, AG_LINKAGE_NONE);
    ag_strbuf_append_char(out, '\n');
}

bool ag_list_class_linkage(struct ag_strbuf *out, const struct agpu_dxbc_chunk *chunk)
{
    struct ag_class_linkage linkage;
    const bool good = ag_class_linkage_read(chunk, &linkage);
    if (good) {
        ag_strbuf_append(out, ".linkage");
        list_option(out, "stray0", linkage.stray[0], 0);
        list_option(out, "stray1", linkage.stray[1], 0);
        ag_strbuf_append_char(out, '\n');
        for (size_t i = 0; i < linkage.slots.count; i++)
            list_slots(out, &linkage, &linkage.slots.data[i]);
        for (size_t i = 0; i < linkage.classes.count; i++)
            list_class(out, &linkage.classes.data[i]);
        for (size_t i = 0; i < linkage.instances.count; i++)
            list_instance(out, &linkage.instances.data[i]);
    }
    out->failed |= linkage.out_of_memory;
    ag_class_linkage_fini(&linkage);
    return good;
}
