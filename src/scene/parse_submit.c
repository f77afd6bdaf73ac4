/* SPDX-License-Identifier: MIT
 *
 * The statement `submit`: a submission and the packets of its stream.
 */
#include <stdlib.h>

#include "abi/text_packet.h"
#include "scene/model.h"
#include "scene/registers.h"

typedef AG_VEC(struct scene_packet_line) packet_lines;

static bool parse_submit_item(struct scene_cursor *cursor, const struct ag_text_item *item,
                              struct scene_submit *submit, uint32_t *abi_version)
{
    uint64_t number;
    if (ag_text_is_word(item, "nowait")) {
        submit->no_wait = true;
        return true;
    }
    if (ag_text_is_field(item, "context")) {
        if (!scene_field_number(cursor, item, UINT32_MAX, &number))
            return false;
        submit->context_id = (uint32_t)number;
        return true;
    }
    if (ag_text_is_field(item, "fence")) {
        submit->has_fence = true;
        return scene_field_number(cursor, item, UINT64_MAX, &submit->fence);
    }
    if (ag_text_is_field(item, "flags"))
        return ag_text_names(&item->value, &scene_submit_flag_names, &submit->flags) ||
               scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "flags are PRESENT and NO_IRQ");
    if (ag_text_is_field(item, "abi"))
        return ag_text_abi_version(&item->value, abi_version) ||
               scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "a version such as 1.3 or 0x10003");
    const struct ag_text_item value = {.value = item->value};
    if (ag_text_is_field(item, "alloc") && ag_text_is_word(&value, "none")) {
        submit->no_allocations = true;
        return true;
    }
    return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item,
                        "a submission has context=, fence=, flags=, abi=, alloc=none and nowait");
}

/* Notes where the text has the packet that comes next in the stream. */
static bool note_packet(const struct scene_parser *parser, packet_lines *lines,
                        const struct ag_text_statement *packet)
{
    const struct scene_packet_line line = {
        .offset = (uint32_t)(sizeof(struct aerogpu_cmd_stream_header) + parser->assembler->packets.length),
        .line = packet->line,
        .column = packet->column,
    };
    return ag_vec_push(lines, line);
}

/* Reads the packets of a submission's block into a stream. */
static bool read_stream(struct scene_parser *parser, uint32_t abi_version, packet_lines *lines,
                        struct scene_bytes *stream)
{
    struct ag_text_statement packet;
    uint8_t *data;
    size_t size;
    bool noted = true;
    ag_text_assembler_begin(parser->assembler, abi_version);
    while (ag_text_next(parser->reader, &packet) && !packet.closes) {
        noted &= note_packet(parser, lines, &packet);
        ag_text_assembler_add(parser->assembler, parser->reader, &packet);
    }
    if (ag_text_assembler_finish(parser->assembler, parser->reader, &data, &size) != AGPU_OK)
        return false;
    stream->data = noted ? ag_arena_memdup(&parser->scene->arena, data, size, 16) : NULL;
    stream->size = size;
    free(data);
    return stream->data != NULL;
}

static bool parse_stream(struct scene_parser *parser, uint32_t abi_version, struct scene_submit *submit)
{
    packet_lines lines = {0};
    bool good = read_stream(parser, abi_version, &lines, &submit->stream);
    if (good && lines.count != 0) {
        submit->line_count = (uint32_t)lines.count;
        submit->lines = ag_arena_memdup(&parser->scene->arena, lines.data, lines.count * sizeof lines.data[0],
                                        _Alignof(struct scene_packet_line));
        good = submit->lines != NULL;
    }
    ag_vec_fini(&lines);
    if (!good && parser->reader->status == AGPU_OK)
        parser->reader->status = ag_report_no_memory(parser->sink);
    return good;
}

void scene_parse_submit(struct scene_cursor *cursor)
{
    struct scene_submit submit = {.line = cursor->statement->line, .column = cursor->statement->column};
    uint32_t abi_version = AEROGPU_ABI_VERSION_U32;
    const struct ag_text_item *item;
    bool good = true;
    for (; good && (item = scene_peek(cursor)) != NULL; cursor->at++)
        good = parse_submit_item(cursor, item, &submit, &abi_version);
    good = good && scene_take_end(cursor);
    if (cursor->statement->opens && !parse_stream(cursor->parser, abi_version, &submit))
        return;
    struct scene_step *step = good ? scene_add_step(cursor, SCENE_STEP_SUBMIT) : NULL;
    if (step != NULL)
        step->as.submit = submit;
}
