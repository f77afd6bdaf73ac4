/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "abi/packet_names.h"
#include "abi/packet_walk.h"
#include "aerogpu/stream_writer.h"
#include "base/bytes.h"
#include "format/format.h"

/* The opcodes as the ABI's list of packets gives them. The extension's stand in docs/abi-extension.md, which
 * tests/layering/packets.py compares with the list of packets. */
struct expected_packet {
    uint32_t opcode;
    uint32_t size;
    uint32_t minor;
    const char *name;
};

static const struct expected_packet expected[] = {
    {0x000, 8,  0, "NOP"                         },
    {0x001, 8,  0, "DEBUG_MARKER"                },
    {0x100, 40, 0, "CREATE_BUFFER"               },
    {0x101, 56, 0, "CREATE_TEXTURE2D"            },
    {0x102, 16, 0, "DESTROY_RESOURCE"            },
    {0x103, 32, 0, "RESOURCE_DIRTY_RANGE"        },
    {0x104, 32, 0, "UPLOAD_RESOURCE"             },
    {0x105, 48, 1, "COPY_BUFFER"                 },
    {0x106, 64, 1, "COPY_TEXTURE2D"              },
    {0x107, 44, 3, "CREATE_TEXTURE_VIEW"         },
    {0x108, 16, 3, "DESTROY_TEXTURE_VIEW"        },
    {0x200, 24, 0, "CREATE_SHADER_DXBC"          },
    {0x201, 16, 0, "DESTROY_SHADER"              },
    {0x202, 24, 0, "BIND_SHADERS"                },
    {0x203, 24, 0, "SET_SHADER_CONSTANTS_F"      },
    {0x204, 20, 0, "CREATE_INPUT_LAYOUT"         },
    {0x205, 16, 0, "DESTROY_INPUT_LAYOUT"        },
    {0x206, 16, 0, "SET_INPUT_LAYOUT"            },
    {0x207, 24, 4, "SET_SHADER_CONSTANTS_I"      },
    {0x208, 24, 4, "SET_SHADER_CONSTANTS_B"      },
    {0x300, 60, 0, "SET_BLEND_STATE"             },
    {0x301, 28, 0, "SET_DEPTH_STENCIL_STATE"     },
    {0x302, 32, 0, "SET_RASTERIZER_STATE"        },
    {0x400, 48, 0, "SET_RENDER_TARGETS"          },
    {0x401, 32, 0, "SET_VIEWPORT"                },
    {0x402, 24, 0, "SET_SCISSOR"                 },
    {0x500, 16, 0, "SET_VERTEX_BUFFERS"          },
    {0x501, 24, 0, "SET_INDEX_BUFFER"            },
    {0x502, 16, 0, "SET_PRIMITIVE_TOPOLOGY"      },
    {0x510, 24, 0, "SET_TEXTURE"                 },
    {0x511, 24, 0, "SET_SAMPLER_STATE"           },
    {0x512, 16, 0, "SET_RENDER_STATE"            },
    {0x520, 28, 1, "CREATE_SAMPLER"              },
    {0x521, 16, 1, "DESTROY_SAMPLER"             },
    {0x522, 24, 1, "SET_SAMPLERS"                },
    {0x523, 24, 1, "SET_CONSTANT_BUFFERS"        },
    {0x524, 24, 2, "SET_SHADER_RESOURCE_BUFFERS" },
    {0x525, 24, 2, "SET_UNORDERED_ACCESS_BUFFERS"},
    {0x600, 36, 0, "CLEAR"                       },
    {0x601, 24, 0, "DRAW"                        },
    {0x602, 28, 0, "DRAW_INDEXED"                },
    {0x603, 24, 2, "DISPATCH"                    },
    {0x700, 16, 0, "PRESENT"                     },
    {0x701, 24, 0, "PRESENT_EX"                  },
    {0x710, 24, 0, "EXPORT_SHARED_SURFACE"       },
    {0x711, 24, 0, "IMPORT_SHARED_SURFACE"       },
    {0x712, 24, 1, "RELEASE_SHARED_SURFACE"      },
    {0x720, 16, 0, "FLUSH"                       },
};

static void test_every_opcode_has_its_row(void **state)
{
    (void)state;
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    assert_true(count > AG_COUNT_OF(expected));
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(ag_packet_info(table[i].opcode), &table[i]);
        assert_ptr_equal(ag_packet_info_by_name(table[i].name, strlen(table[i].name)), &table[i]);
        assert_int_equal(AEROGPU_EXT_IS_OPCODE(table[i].opcode), i >= AG_COUNT_OF(expected));
        assert_int_equal(strncmp(table[i].name, "EXT_", 4) == 0, i >= AG_COUNT_OF(expected));
        if (i >= AG_COUNT_OF(expected))
            continue;
        assert_int_equal(table[i].opcode, expected[i].opcode);
        assert_string_equal(table[i].name, expected[i].name);
        assert_int_equal(table[i].fixed.size, expected[i].size);
        assert_int_equal(table[i].minor, expected[i].minor);
    }
}

static void test_opcodes_ascend(void **state)
{
    (void)state;
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 1; i < count; i++)
        assert_true(table[i - 1].opcode < table[i].opcode);
}

static void test_unknown_opcodes_have_no_row(void **state)
{
    (void)state;
    static const uint32_t unknown[] = {2,     0xff,       0x109,      0x209,      0x303,
                                       0x721, 0x7fffffff, 0x80000000, 0x8000010c, 0xffffffff};
    for (size_t i = 0; i < AG_COUNT_OF(unknown); i++)
        assert_null(ag_packet_info(unknown[i]));
    assert_null(ag_packet_info_by_name("DRA", 3));
    assert_null(ag_packet_info_by_name("DRAWN", 5));
    assert_null(ag_packet_info_by_name("", 0));
}

static uint32_t scalar_size(uint8_t type)
{
    switch ((enum ag_field_type)type) {
    case AG_FIELD_U8:
        return 1;
    case AG_FIELD_U32:
    case AG_FIELD_I32:
    case AG_FIELD_F32:
    case AG_FIELD_HANDLE:
        return 4;
    case AG_FIELD_U64:
        return 8;
    case AG_FIELD_STRUCT:
        break;
    }
    return 0;
}

/* The fields follow one another from `start` to `size`, without gap or overlap. */
static void check_covered(const struct ag_struct_info *info, uint32_t start)
{
    uint32_t offset = start;
    for (uint32_t i = 0; i < info->field_count; i++) {
        const struct ag_field_info *field = &info->fields[i];
        assert_int_equal(field->offset, offset);
        assert_true(field->count >= 1);
        if (field->type == AG_FIELD_STRUCT) {
            assert_non_null(field->nested);
            check_covered(field->nested, 0);
            offset += (uint32_t)field->nested->size * field->count;
        } else {
            assert_null(field->nested);
            offset += scalar_size(field->type) * field->count;
        }
    }
    assert_int_equal(offset, info->size);
}

static void test_fields_cover_the_structures(void **state)
{
    (void)state;
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++) {
        check_covered(&table[i].fixed, 8);
        if (table[i].extended != NULL) {
            assert_int_equal(table[i].extended_size, table[i].extended->size);
            check_covered(table[i].extended, table[i].fixed.size);
        }
        if (table[i].payload.element != NULL)
            check_covered(table[i].payload.element, 0);
    }
}

static const struct ag_field_info *field_at(const struct ag_struct_info *info, uint32_t offset)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        if (info->fields[i].offset == offset)
            return &info->fields[i];
    }
    return NULL;
}

static void test_payload_counts_are_fields(void **state)
{
    (void)state;
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++) {
        const struct ag_payload_info *payload = &table[i].payload;
        const bool is_counted = payload->kind == AG_PAYLOAD_BYTES || payload->kind == AG_PAYLOAD_ARRAY ||
                                payload->kind == AG_PAYLOAD_WORDS;
        assert_int_equal(is_counted, payload->count_offset != 0);
        assert_int_equal(payload->kind == AG_PAYLOAD_ARRAY, payload->element != NULL);
        assert_int_equal(payload->kind == AG_PAYLOAD_WORDS, payload->word != NULL);
        if (!is_counted)
            continue;
        const struct ag_field_info *field = field_at(&table[i].fixed, payload->count_offset);
        assert_non_null(field);
        assert_int_equal(field->type, payload->count_is_u64 ? AG_FIELD_U64 : AG_FIELD_U32);
        assert_non_null(payload->field_name);
    }
}

/* Stage words are the fields with the stages' names, whichever packets have them. */
static void test_stage_words(void **state)
{
    (void)state;
    size_t count, found = 0;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++) {
        uint32_t stage = 0, stage_ex = 0;
        for (uint32_t k = 0; k < table[i].fixed.field_count; k++) {
            const struct ag_field_info *field = &table[i].fixed.fields[k];
            if (strstr(field->name, "stage") != NULL && field->type == AG_FIELD_U32 && field->names != NULL)
                assert_ptr_equal(field->names, &ag_names_shader_stage);
            stage = field->names == &ag_names_shader_stage ? field->offset : stage;
            stage_ex = field->names == &ag_names_stage_ex ? field->offset : stage_ex;
        }
        assert_int_equal(table[i].stage_offset, stage);
        assert_int_equal(table[i].stage_ex_offset, stage_ex);
        found += stage != 0 || stage_ex != 0;
    }
    assert_true(found >= 11); /* packets of the ABI */
}

static uint32_t named_value(const char *packet, const char *field_name, const char *value)
{
    const struct agpu_packet_info *info = ag_packet_info_by_name(packet, strlen(packet));
    assert_non_null(info);
    for (uint32_t i = 0; i < info->fixed.field_count; i++) {
        const struct ag_field_info *field = &info->fixed.fields[i];
        if (strcmp(field->name, field_name) != 0 || field->names == NULL)
            continue;
        if (field->names->formats && ag_abi_format_from_name(value, strlen(value)))
            return ag_abi_format_from_name(value, strlen(value));
        for (uint32_t j = 0; j < field->names->count; j++) {
            if (strcmp(field->names->values[j].name, value) == 0)
                return field->names->values[j].value;
        }
    }
    fail_msg("%s.%s has no value %s", packet, field_name, value);
    return 0;
}

static void test_names_of_values(void **state)
{
    (void)state;
    assert_int_equal(named_value("CREATE_BUFFER", "usage_flags", "STORAGE"), 128);
    assert_int_equal(named_value("CREATE_TEXTURE2D", "format", "BC7_RGBA_UNORM_SRGB"), 71);
    assert_int_equal(named_value("SET_PRIMITIVE_TOPOLOGY", "topology", "TRIANGLESTRIP_ADJ"), 13);
    assert_int_equal(named_value("SET_PRIMITIVE_TOPOLOGY", "topology", "PATCHLIST_32"), 64);
    assert_int_equal(named_value("CREATE_SHADER_DXBC", "stage", "GEOMETRY"), 3);
    assert_int_equal(named_value("CREATE_SHADER_DXBC", "reserved0", "DOMAIN"), 4);
    assert_int_equal(named_value("CLEAR", "flags", "STENCIL"), 4);
    assert_int_equal(named_value("PRESENT", "flags", "VSYNC"), 1);
    assert_int_equal(named_value("SET_INDEX_BUFFER", "format", "UINT32"), 1);
    assert_int_equal(named_value("EXT_CREATE_TEXTURE", "misc_flags", "TEXTURECUBE"), 4);
    assert_int_equal(named_value("EXT_CREATE_VIEW", "dimension", "TEXTURE3D"), 8);
    assert_int_equal(named_value("EXT_CREATE_SAMPLER", "filter", "ANISOTROPIC"), 0x40);
    assert_int_equal(named_value("EXT_CREATE_RASTERIZER_STATE", "fill_mode", "SOLID"), 3);
    assert_int_equal(named_value("EXT_CREATE_QUERY", "type", "SO_STATISTICS_STREAM3"), 14);
}

/* Text forms split flags bit by bit: each value is one bit, and none is twice. */
static void check_names(const struct ag_struct_info *info)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        if (info->fields[i].nested != NULL)
            check_names(info->fields[i].nested);
        const struct ag_name_set *names = info->fields[i].names;
        for (uint32_t j = 0; names != NULL && j < names->count; j++) {
            const uint32_t value = names->values[j].value;
            if (names->flags)
                assert_true(value != 0 && (value & (value - 1)) == 0);
            for (uint32_t k = 0; k < j; k++) {
                assert_int_not_equal(value, names->values[k].value);
                assert_string_not_equal(names->values[j].name, names->values[k].name);
            }
        }
    }
}

static void test_name_sets_are_unambiguous(void **state)
{
    (void)state;
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++)
        check_names(&table[i].fixed);
}

/* ---- Effects and roles --------------------------------------------------------------------------------- */

/* What the fields of one packet say together. */
struct summary {
    uint32_t roles;       /* bits by enum ag_role */
    uint32_t bound;       /* states that fields are bound to or have slots and counts of */
    uint32_t allocations; /* roles of allocations */
};

static bool names_nothing(enum ag_role role)
{
    return role == AG_ROLE_NONE || role > AG_ROLE_LAST_OF_NAMES;
}

static void check_field(const struct ag_field_info *field, struct summary *summary)
{
    const enum ag_role role = (enum ag_role)field->role;
    const bool has_state = role == AG_ROLE_BINDS || role == AG_ROLE_SLOT || role == AG_ROLE_COUNT;
    if (field->type == AG_FIELD_HANDLE || strstr(field->name, "alloc_id") != NULL ||
        strstr(field->name, "token") != NULL)
        assert_false(names_nothing(role));
    assert_int_equal(names_nothing(role), field->object == AG_OBJECT_NONE);
    assert_int_equal(has_state, field->state != AG_STATE_NONE);
    assert_int_equal(strstr(field->name, "alloc_id") != NULL, field->object == AG_OBJECT_ALLOCATION);
    assert_int_equal(field->type == AG_FIELD_U64 && role != AG_ROLE_NONE, field->object == AG_OBJECT_TOKEN);
    assert_true(field->state < AG_STATE_COUNT);
    if (field->names != NULL && field->names == &ag_names_copy_flags)
        assert_int_equal(role, AG_ROLE_WRITE_BACK);
    summary->roles |= UINT32_C(1) << role;
    summary->bound |= has_state ? AG_STATE_BIT(field->state) : 0;
    if (field->object == AG_OBJECT_ALLOCATION)
        summary->allocations |= UINT32_C(1) << role;
}

static void check_struct(const struct ag_struct_info *info, struct summary *summary)
{
    for (uint32_t i = 0; i < info->field_count; i++) {
        check_field(&info->fields[i], summary);
        if (info->fields[i].nested != NULL)
            check_struct(info->fields[i].nested, summary);
    }
}

static struct summary summarise(const struct agpu_packet_info *info)
{
    struct summary summary = {0};
    check_struct(&info->fixed, &summary);
    if (info->extended != NULL)
        check_struct(info->extended, &summary);
    if (info->payload.element != NULL)
        check_struct(info->payload.element, &summary);
    if (info->payload.word != NULL)
        check_field(info->payload.word, &summary);
    return summary;
}

#define ROLE_BIT(role) (UINT32_C(1) << AG_ROLE_##role)

/* Which roles fields may have for the sake of an effect, and of which at least one must be there. */
static const struct effect_rule {
    uint32_t effect, roles;
} effect_rules[] = {
    {AG_EFFECT_OBJECTS,        ROLE_BIT(CREATES) | ROLE_BIT(DESTROYS)       },
    {AG_EFFECT_UPLOADS,        ROLE_BIT(WRITES)                             },
    {AG_EFFECT_DISCARDS,       ROLE_BIT(DISCARDS)                           },
    {AG_EFFECT_CHANGES,        ROLE_BIT(CHANGES)                            },
    {AG_EFFECT_COPIES,         ROLE_BIT(WRITES) | ROLE_BIT(READS_AND_WRITES)},
    {AG_EFFECT_CLEARS,         ROLE_BIT(WRITES)                             },
    {AG_EFFECT_CLEARS_TARGETS, ROLE_BIT(CLEARED)                            },
    {AG_EFFECT_QUERIES,        ROLE_BIT(BEGINS) | ROLE_BIT(ENDS)            },
    {AG_EFFECT_EXECUTES,       ROLE_BIT(EXECUTES)                           },
    {AG_EFFECT_PRESENTS,       ROLE_BIT(PRESENTED) | ROLE_BIT(READS)        },
    {AG_EFFECT_ENDS_CONTEXT,   ROLE_BIT(CONTEXT)                            },
};

#define PREDICATED_EFFECTS                                                                                   \
    (AG_EFFECT_DRAWS | AG_EFFECT_DISPATCHES | AG_EFFECT_COPIES | AG_EFFECT_CLEARS | AG_EFFECT_CLEARS_TARGETS)
#define IMMEDIATE_EFFECTS                                                                                    \
    (AG_EFFECT_OBJECTS | AG_EFFECT_PRESENTS | AG_EFFECT_FLUSHES | AG_EFFECT_ENDS_CONTEXT)

/* Every packet says what it does, and its fields say the same. */
static void test_every_packet_has_effects(void **state)
{
    (void)state;
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t effects = table[i].effects;
        const struct summary summary = summarise(&table[i]);
        if (effects == 0 || ((effects & AG_EFFECT_NOTHING) != 0 && effects != AG_EFFECT_NOTHING))
            fail_msg("%s does not say what it does", table[i].name);
        for (size_t k = 0; k < AG_COUNT_OF(effect_rules); k++) {
            if ((effects & effect_rules[k].effect) != 0 && (summary.roles & effect_rules[k].roles) == 0)
                fail_msg("%s has no field for its effect %x", table[i].name, effect_rules[k].effect);
        }
        /* A predicate decides over work, and a command list holds nothing that makes, shows or tells. */
        assert_int_equal((effects & PREDICATED_EFFECTS) != 0 ||
                             ((effects & AG_EFFECT_UPLOADS) != 0 && !table[i].immediate),
                         table[i].predicated);
        assert_int_equal((effects & IMMEDIATE_EFFECTS) != 0 || effects == AG_EFFECT_ANSWERS ||
                             ((effects & AG_EFFECT_UPLOADS) != 0 && !table[i].predicated),
                         table[i].immediate);
        assert_int_equal((effects & AG_EFFECT_SETS) != 0, table[i].sets != 0);
        assert_int_equal((effects & AG_EFFECT_ANSWERS) != 0, (summary.allocations & ROLE_BIT(WRITES)) != 0);
        assert_int_equal(table[i].keep_count != 0, (summary.roles & ROLE_BIT(KEEPS)) != 0);
        assert_int_equal(summary.bound & ~table[i].sets, 0);
        assert_int_equal(table[i].replaces & ~table[i].sets, 0);
        assert_int_equal(table[i].sets & ~AG_STATES_ALL, 0);
    }
}

/* A role says nothing that the packet's effects do not. */
static void test_roles_have_their_effect(void **state)
{
    (void)state;
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++) {
        const struct summary summary = summarise(&table[i]);
        const uint32_t effects = table[i].effects;
        const uint32_t reads =
            AG_EFFECT_UPLOADS | AG_EFFECT_COPIES | AG_EFFECT_DRAWS | AG_EFFECT_DISPATCHES | AG_EFFECT_ANSWERS;
        const struct effect_rule rules[] = {
            {AG_EFFECT_OBJECTS,                                                           ROLE_BIT(CREATES) | ROLE_BIT(MADE_OF) | ROLE_BIT(DESTROYS) | ROLE_BIT(PARTS)},
            {AG_EFFECT_DISCARDS,                                                          ROLE_BIT(DISCARDS)                                                          },
            {AG_EFFECT_CHANGES,                                                           ROLE_BIT(CHANGES)                                                           },
            {AG_EFFECT_SETS,                                                              ROLE_BIT(BINDS) | ROLE_BIT(SLOT) | ROLE_BIT(COUNT)                          },
            {AG_EFFECT_SETS | AG_EFFECT_EXECUTES,                                         ROLE_BIT(KEEPS)                                                             },
            {AG_EFFECT_COPIES,                                                            ROLE_BIT(READS_AND_WRITES) | ROLE_BIT(WRITE_BACK)                           },
            {AG_EFFECT_UPLOADS | AG_EFFECT_COPIES | AG_EFFECT_CLEARS | AG_EFFECT_ANSWERS, ROLE_BIT(WRITES)                                                            },
            {reads,                                                                       ROLE_BIT(READS)                                                             },
            {AG_EFFECT_CLEARS_TARGETS,                                                    ROLE_BIT(CLEARED)                                                           },
            {AG_EFFECT_QUERIES,                                                           ROLE_BIT(BEGINS) | ROLE_BIT(ENDS)                                           },
            {AG_EFFECT_EXECUTES,                                                          ROLE_BIT(EXECUTES)                                                          },
            {AG_EFFECT_ENDS_CONTEXT,                                                      ROLE_BIT(CONTEXT)                                                           },
            {AG_EFFECT_PRESENTS,                                                          ROLE_BIT(PRESENTED)                                                         },
        };
        for (size_t k = 0; k < AG_COUNT_OF(rules); k++) {
            if ((summary.roles & rules[k].roles) != 0 && (effects & rules[k].effect) == 0)
                fail_msg("%s has a field for an effect %x that it does not have", table[i].name,
                         rules[k].effect);
        }
    }
}

static uint32_t fields_of_state(const struct agpu_packet_info *info, enum ag_role role, enum ag_state of)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < info->fixed.field_count; i++)
        found += info->fixed.fields[i].role == role && info->fixed.fields[i].state == of;
    return found;
}

/* Slots and counts say where bindings go: each state of a packet has at most one of either, none without
 * bindings. */
static void test_slots_belong_to_bindings(void **state)
{
    (void)state;
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++) {
        const struct ag_payload_info *payload = &table[i].payload;
        for (uint32_t k = 1; k < AG_STATE_COUNT; k++) {
            const enum ag_state of = (enum ag_state)k;
            uint32_t bound = fields_of_state(&table[i], AG_ROLE_BINDS, of);
            bound += payload->word != NULL && payload->word->state == of;
            for (uint32_t f = 0; payload->element != NULL && f < payload->element->field_count; f++)
                bound += payload->element->fields[f].state == of;
            assert_true(fields_of_state(&table[i], AG_ROLE_SLOT, of) <= (bound != 0 ? 1u : 0u));
            assert_true(fields_of_state(&table[i], AG_ROLE_COUNT, of) <= (bound != 0 ? 1u : 0u));
        }
    }
}

/* ---- Walking ------------------------------------------------------------------------------------------- */

struct visited {
    uint64_t values[16];
    uint32_t indices[16];
    uint8_t roles[16];
    uint32_t count, packets;
};

static void keep_item(void *user, const struct ag_packet_item *item)
{
    struct visited *visited = user;
    assert_true(visited->count < AG_COUNT_OF(visited->values));
    visited->values[visited->count] = item->value;
    visited->indices[visited->count] = item->index;
    visited->roles[visited->count++] = item->field->role;
}

static void keep_packet(void *user, const struct agpu_packet *packet)
{
    struct visited *visited = user;
    visited->packets++;
    ag_packet_visit(packet, keep_item, visited);
}

static struct visited visit_only_packet(struct agpu_writer *writer)
{
    struct visited visited = {0};
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    assert_int_equal(agpu_writer_finish(writer), AGPU_OK);
    assert_int_equal(agpu_stream_reader_init(&reader, writer->data, writer->size, NULL), AGPU_OK);
    assert_true(agpu_stream_next(&reader, &packet));
    ag_packet_visit_all(&packet, keep_packet, &visited);
    agpu_writer_fini(writer);
    return visited;
}

static void test_a_walk_sees_words_of_handles(void **state)
{
    (void)state;
    const uint32_t views[] = {7, 0, 9};
    const struct aerogpu_cmd_ext_set_shader_resources set = {.start_slot = 5};
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_SET_SHADER_RESOURCES, &set, sizeof set, views, sizeof views);
    const struct visited visited = visit_only_packet(&writer);
    assert_int_equal(visited.count, 4);
    assert_int_equal(visited.roles[0], AG_ROLE_SLOT);
    assert_int_equal(visited.values[0], 5);
    assert_int_equal(visited.roles[3], AG_ROLE_BINDS);
    assert_int_equal(visited.values[3], 9);
    assert_int_equal(visited.indices[3], 2);
}

/* The geometry shader of the short form is a word that means nothing in the long one. */
static void test_a_walk_knows_forms(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_bind_shaders(&writer, 1, 2, 3, 4);
    struct visited visited = visit_only_packet(&writer);
    assert_int_equal(visited.count, 4);
    assert_int_equal(visited.values[3], 4);
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_bind_shaders_ex(&writer, (const aerogpu_handle_t[]){1, 2, 3, 4, 5, 6});
    visited = visit_only_packet(&writer);
    assert_int_equal(visited.count, 6);
}

static void test_a_walk_goes_into_lists(void **state)
{
    (void)state;
    const struct aerogpu_cmd_ext_create_command_list list = {.object_handle = 3};
    struct agpu_writer inner, writer;
    agpu_writer_init_growing(&inner, NULL);
    agpu_write_copy_buffer(&inner, 1, 0, 2, 0, 4, 0);
    agpu_write_draw(&inner, 3, 1, 0, 0);
    const size_t header = sizeof(struct aerogpu_cmd_stream_header);
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_COMMAND_LIST, &list, sizeof list, inner.data + header,
                      inner.size - header);
    agpu_writer_fini(&inner);
    const struct visited visited = visit_only_packet(&writer);
    assert_int_equal(visited.packets, 3);
    assert_int_equal(visited.count, 4); /* the list's handle; two buffers and flags of the copy */
    assert_int_equal(visited.roles[0], AG_ROLE_CREATES);
    assert_int_equal(visited.roles[1], AG_ROLE_WRITES);
    assert_int_equal(visited.values[2], 2);
}

/* What no column makes less changes everything; what is set is among what changes. */
static void test_packets_change_all_that_is_not_told(void **state)
{
    const uint32_t inputs = AG_STATE_BIT(AG_STATE_SHADER_RESOURCES) | AG_STATE_BIT(AG_STATE_VERTEX_BUFFERS);
    size_t count;
    const struct agpu_packet_info *const table = ag_packet_table(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const uint32_t changes = ag_packet_changes(&table[i]);
        const bool draws = table[i].effects == AG_EFFECT_DRAWS, sets = table[i].effects == AG_EFFECT_SETS;
        if (draws || table[i].effects == AG_EFFECT_NOTHING)
            assert_int_equal(changes, 0);
        else if (!sets && !table[i].at_once)
            assert_int_equal(changes, AG_CHANGES_ALL);
        assert_int_equal(changes & table[i].sets, table[i].sets);
        if (sets && table[i].sets & AG_STATE_BIT(AG_STATE_UNORDERED_ACCESS))
            assert_int_equal(changes & inputs, inputs);
    }
    assert_int_equal(ag_packet_changes(ag_packet_info(AEROGPU_CMD_UPLOAD_RESOURCE)), AG_CHANGES_CONTENTS);
    assert_int_equal(ag_packet_changes(ag_packet_info(AEROGPU_CMD_RESOURCE_DIRTY_RANGE)), AG_CHANGES_ALL);
    assert_int_equal(ag_packet_changes(ag_packet_info(AEROGPU_CMD_SET_SCISSOR)),
                     AG_STATE_BIT(AG_STATE_SCISSORS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_opcode_has_its_row),
        cmocka_unit_test(test_packets_change_all_that_is_not_told),
        cmocka_unit_test(test_opcodes_ascend),
        cmocka_unit_test(test_unknown_opcodes_have_no_row),
        cmocka_unit_test(test_fields_cover_the_structures),
        cmocka_unit_test(test_payload_counts_are_fields),
        cmocka_unit_test(test_stage_words),
        cmocka_unit_test(test_names_of_values),
        cmocka_unit_test(test_name_sets_are_unambiguous),
        cmocka_unit_test(test_every_packet_has_effects),
        cmocka_unit_test(test_roles_have_their_effect),
        cmocka_unit_test(test_slots_belong_to_bindings),
        cmocka_unit_test(test_a_walk_sees_words_of_handles),
        cmocka_unit_test(test_a_walk_knows_forms),
        cmocka_unit_test(test_a_walk_goes_into_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
