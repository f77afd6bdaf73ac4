/* SPDX-License-Identifier: MIT
 *
 * The table of packets.
 */
#include "abi/packet.h"

#include <string.h>

#include "abi/packet_fields.h"
#include "abi/packet_fields_ext.h"
#include "abi/packet_list.h"

/* ---- Columns of the list ------------------------------------------------------------------------------- */

/* clang-format off */
#define IMMEDIATE  .immediate = true
#define PREDICATED .predicated = true
#define AT_ONCE    .at_once = true
#define DOES(effect)             .effects = AG_EFFECT_##effect
#define DOES_BOTH(first, second) .effects = AG_EFFECT_##first | AG_EFFECT_##second
#define STATE(state)             AG_STATE_BIT(AG_STATE_##state)
#define SETS(states)             .effects = AG_EFFECT_SETS, .sets = (states)
#define REPLACES(states)         .replaces = (states)
#define KEEPS(array)             .keeps = (array), .keep_count = AG_COUNT_OF(array)
#define LONGER(type)             .extended = &type##_info, .extended_size = sizeof(struct aerogpu_cmd_##type)
#define STAGE(type, member) .stage_offset = offsetof(struct aerogpu_cmd_##type, member)
#define STAGE_EX(type) .stage_ex_offset = offsetof(struct aerogpu_cmd_##type, reserved0)
#define ANYTHING .payload = {.kind = AG_PAYLOAD_ANY}
#define TEXT     .payload = {.kind = AG_PAYLOAD_TEXT, .field_name = "text"}
#define BYTES(type, member)                                                                                  \
    .payload = {.kind = AG_PAYLOAD_BYTES,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .field_name = "data"}
#define BYTES_U64(type, member)                                                                              \
    .payload = {.kind = AG_PAYLOAD_BYTES,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .count_is_u64 = true,                                                                        \
                .field_name = "data"}
#define PACKETS(type, member)                                                                                \
    .payload = {.kind = AG_PAYLOAD_BYTES,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .packets = true,                                                                             \
                .field_name = "data"}
#define WORDS(type, member, per_count, kind_of_word, name_of_field)                                          \
    .payload = {.kind = AG_PAYLOAD_WORDS,                                                                  \
                .words_per_count = per_count,                                                                \
                .word = &kind_of_word,                                                                       \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .field_name = name_of_field}
#define ELEMENTS(type, member, name_of_field, info)                                                          \
    .payload = {.kind = AG_PAYLOAD_ARRAY,                                                                  \
                .count_offset = offsetof(struct aerogpu_cmd_##type, member),                                 \
                .field_name = name_of_field,                                                                 \
                .element = &info}
#define BINDINGS(type, member, info) ELEMENTS(type, member, "bindings", info)


/* ---- What the columns point to ------------------------------------------------------------------------- */

static const struct ag_state_info states[AG_STATE_COUNT] = {
    [AG_STATE_SHADER_RESOURCES] = {AG_RESOURCE_SLOTS, true, AG_ACCESS_READ},
    [AG_STATE_CONSTANT_BUFFERS] = {AG_CBUFFER_SLOTS, true, AG_ACCESS_READ},
    [AG_STATE_VERTEX_BUFFERS] = {AG_VERTEX_BUFFER_SLOTS, false, AG_ACCESS_READ},
    [AG_STATE_INDEX_BUFFER] = {1, false, AG_ACCESS_READ},
    [AG_STATE_UNORDERED_ACCESS] = {AG_UAV_SLOTS, true, AG_ACCESS_WRITE},
    [AG_STATE_STREAM_OUTPUT_TARGETS] = {AEROGPU_EXT_MAX_STREAM_OUTPUT_BUFFERS, false, AG_ACCESS_DRAW_WRITE},
    [AG_STATE_COLOR_TARGETS] = {AEROGPU_MAX_RENDER_TARGETS, false, AG_ACCESS_DRAW_WRITE},
    [AG_STATE_DEPTH_STENCIL_TARGET] = {1, false, AG_ACCESS_DRAW_WRITE},
};

#define NUMBER_WORD(name, type) {name, NULL, NULL, 0, AG_FIELD_##type, 1, AG_ROLE_NONE, AG_OBJECT_NONE, AG_STATE_NONE}
#define BOUND_WORD(name, object, state)                                                                      \
    {name, NULL, NULL, 0, AG_FIELD_HANDLE, 1, AG_ROLE_BINDS, AG_OBJECT_##object, AG_STATE_##state}
static const struct ag_field_info float_word = NUMBER_WORD("data", F32);
static const struct ag_field_info integer_word = NUMBER_WORD("data", I32);
static const struct ag_field_info bool_word = NUMBER_WORD("data", U32);
static const struct ag_field_info sampler_word = BOUND_WORD("samplers", SAMPLER, SAMPLERS);
static const struct ag_field_info view_word = BOUND_WORD("views", VIEW, SHADER_RESOURCES);

static const struct ag_kept_states kept_targets[] = {
    {AEROGPU_EXT_KEEP_RENDER_TARGETS, STATE(COLOR_TARGETS) | STATE(DEPTH_STENCIL_TARGET)},
    {AEROGPU_EXT_KEEP_UNORDERED_ACCESS_VIEWS, STATE(UNORDERED_ACCESS)},
};
static const struct ag_kept_states kept_by_lists[] = {
    {AEROGPU_EXT_EXECUTE_RESTORE_STATE, AG_STATES_ALL},
};

/* ---- The table ----------------------------------------------------------------------------------------- */

#define ROW(symbol, ...) ROW_##symbol,
enum { AG_PACKET_LIST(ROW, ROW) };

#define HEADER(symbol, name_of_handler, added, ...)                                                          \
    {.opcode = AEROGPU_CMD_##symbol, .row = ROW_##symbol, .name = #symbol, .minor = added,                                        \
     .fixed = {NULL, 0, sizeof(struct aerogpu_cmd_hdr)}, __VA_ARGS__},
#define PACKET(symbol, type, added, ...)                                                                     \
    {.opcode = AEROGPU_CMD_##symbol, .row = ROW_##symbol, .name = #symbol, .minor = added,                                        \
     .fixed = STRUCT_INFO(aerogpu_cmd_##type, type##_fields), __VA_ARGS__},

const struct agpu_packet_info ag_packet_rows[] = {AG_PACKET_LIST(HEADER, PACKET)};

#define INDEX(symbol, ...) AG_PACKET_PLACE(, AEROGPU_CMD_##symbol) = ROW_##symbol,
const uint8_t ag_packet_places[2][AG_PACKET_GROUPS][AG_GROUP_PACKETS] = {AG_PACKET_LIST(INDEX, INDEX)};
/* clang-format on */

const struct ag_state_info *ag_state_info(enum ag_state state)
{
    return &states[state];
}

/* What a view or a buffer that becomes an output leaves: the inputs (D3D11.3 5.3.9.4), and other outputs. */
#define OUTPUTS                                                                                              \
    (STATE(COLOR_TARGETS) | STATE(DEPTH_STENCIL_TARGET) | STATE(UNORDERED_ACCESS) |                          \
     STATE(STREAM_OUTPUT_TARGETS))
#define INPUTS                                                                                               \
    (STATE(SHADER_RESOURCES) | STATE(CONSTANT_BUFFERS) | STATE(VERTEX_BUFFERS) | STATE(INDEX_BUFFER))
/* What a packet of the extension initializes that ABI 1.4 leaves open. */
#define OPEN_STATES (STATE(VIEWPORTS) | STATE(SCISSORS))

uint32_t ag_packet_changes(const struct agpu_packet_info *info)
{
    switch (info->effects) {
    case AG_EFFECT_NOTHING:
    case AG_EFFECT_DRAWS:
        return 0;
    case AG_EFFECT_UPLOADS:
        return info->at_once ? AG_CHANGES_CONTENTS : AG_CHANGES_ALL;
    case AG_EFFECT_SETS:
        return info->sets | (info->sets & OUTPUTS ? OUTPUTS | INPUTS : 0) |
               (info->opcode >= AG_OPCODE_EXTENSION ? OPEN_STATES : 0);
    default:
        return AG_CHANGES_ALL;
    }
}

const struct agpu_packet_info *ag_packet_info_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < AG_COUNT_OF(ag_packet_rows); i++) {
        if (strlen(ag_packet_rows[i].name) == length && memcmp(ag_packet_rows[i].name, name, length) == 0)
            return &ag_packet_rows[i];
    }
    return NULL;
}

const struct agpu_packet_info *ag_packet_table(size_t *count)
{
    *count = AG_COUNT_OF(ag_packet_rows);
    return ag_packet_rows;
}
