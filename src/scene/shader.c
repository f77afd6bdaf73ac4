/* SPDX-License-Identifier: MIT
 *
 * Assembles the shaders of a scene, and reports errors with the lines of the scene.
 */
#include "scene/shader.h"

#include "aerogpu/dxbc.h"

/* A sink that turns lines of a listing into lines of the scene. */
struct line_shift {
    const struct agpu_diag_sink *sink;
    uint32_t first_line;
    uint32_t count;
};

static void report_shifted(void *user, const struct agpu_diag *diag)
{
    struct line_shift *shift = user;
    struct agpu_diag moved = *diag;
    /* A problem of the whole program has no line, and is shown where the listing starts. */
    moved.place.line = diag->place.line != 0 ? diag->place.line + shift->first_line - 1 : shift->first_line;
    moved.place.column = diag->place.line != 0 ? diag->place.column : 1;
    shift->count++;
    if (shift->sink != NULL && shift->sink->report != NULL)
        shift->sink->report(shift->sink->user, &moved);
}

/* Keeps the tokens of a container alone, as a driver gets them. */
static bool keep_tokens(struct scene_parser *parser, const uint8_t *container, size_t size,
                        struct scene_bytes *bytes)
{
    struct agpu_shader *shader = NULL;
    if (agpu_shader_parse(container, size, 0, parser->sink, &shader) != AGPU_OK)
        return false;
    bytes->size = shader->program.token_count * sizeof shader->program.tokens[0];
    bytes->data = ag_arena_memdup(&parser->scene->arena, shader->program.tokens, bytes->size, 16);
    agpu_shader_destroy(shader);
    return true;
}

bool scene_assemble_shader(struct scene_parser *parser, const char *text, size_t size, uint32_t line,
                           bool bare, struct scene_bytes *bytes)
{
    struct line_shift shift = {.sink = parser->sink, .first_line = line};
    const struct agpu_diag_sink sink = {report_shifted, &shift};
    uint8_t *container = NULL;
    size_t container_size = 0;
    enum agpu_status status = agpu_assemble(text, size, &sink, &container, &container_size);
    if (status == AGPU_OK) {
        if (!bare) {
            bytes->size = container_size;
            bytes->data = ag_arena_memdup(&parser->scene->arena, container, container_size, 16);
        } else if (!keep_tokens(parser, container, container_size, bytes)) {
            bytes->data = NULL;
        }
        agpu_free(container);
        if (bytes->data == NULL)
            parser->reader->status = ag_report_no_memory(parser->sink);
        return bytes->data != NULL;
    }
    if (shift.count == 0)
        ag_text_refuse(parser->reader, AGPU_DIAG_SCENE_SYNTAX, line, 1, "the shader cannot be assembled");
    parser->reader->status = status;
    return false;
}
