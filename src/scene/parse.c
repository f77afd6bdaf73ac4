/* SPDX-License-Identifier: MIT
 *
 * The parser of scenes: one function for each statement.
 */
#include <string.h>

#include "abi/text_packet.h"
#include "base/bytes.h"
#include "gpu/feature.h"
#include "scene/library.h"
#include "scene/model.h"
#include "scene/shader.h"

#define MAX_MEMORY_BYTES (UINT64_C(1) << 30) /* of one `mem` */
#define MAX_TICKS 100000u                    /* of all statements together */

/* ---- Steps and objects --------------------------------------------------------------------------------- */

struct scene_step *scene_add_step(struct scene_cursor *cursor, enum scene_step_kind kind)
{
    struct scene_parser *parser = cursor->parser;
    const struct scene_step step = {
        .kind = kind,
        .line = cursor->statement->line,
        .column = cursor->statement->column,
    };
    if (!ag_vec_push(&parser->scene->steps, step)) {
        parser->reader->status = ag_report_no_memory(parser->sink);
        return NULL;
    }
    return &ag_vec_last(&parser->scene->steps);
}

static bool keep_bytes(struct scene_parser *parser, struct ag_strbuf *buffer, struct scene_bytes *bytes)
{
    bytes->size = buffer->length;
    bytes->data = buffer->failed
                      ? NULL
                      : ag_arena_memdup(&parser->scene->arena, ag_strbuf_text(buffer), buffer->length, 16);
    ag_strbuf_fini(buffer);
    if (bytes->data == NULL)
        parser->reader->status = ag_report_no_memory(parser->sink);
    return bytes->data != NULL;
}

/* Reads the data of the statement into memory of the scene. */
static bool read_data(struct scene_cursor *cursor, struct scene_bytes *bytes)
{
    struct scene_parser *parser = cursor->parser;
    struct ag_strbuf buffer = {0};
    if (!ag_text_data(parser->reader, cursor->statement->data, cursor->statement->data_count,
                      parser->assembler->sources, &buffer)) {
        ag_strbuf_fini(&buffer);
        return false;
    }
    return keep_bytes(parser, &buffer, bytes);
}

/* Takes a name such as @vertices, which must be new, and makes an object for it. */
static struct scene_object *take_new_object(struct scene_cursor *cursor)
{
    struct scene_parser *parser = cursor->parser;
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "a name such as @vertices", &item))
        return NULL;
    if (item->value.kind != AG_TEXT_BLOB || item->value.offset != 0) {
        scene_refuse(parser, AGPU_DIAG_SCENE_SYNTAX, item, "a name such as @vertices is expected");
        return NULL;
    }
    if (scene_find_object(parser->scene, item->value.text, item->value.length) != NULL) {
        scene_refuse(parser, AGPU_DIAG_SCENE_NAME, item, "the name is given twice");
        return NULL;
    }
    struct scene_object *object = AG_ARENA_NEW(&parser->scene->arena, struct scene_object);
    if (object == NULL) {
        parser->reader->status = ag_report_no_memory(parser->sink);
        return NULL;
    }
    object->name = scene_copy_text(parser, &item->value);
    return object->name != NULL ? object : NULL;
}

static void add_object(struct scene_parser *parser, struct scene_object *object)
{
    object->next = parser->scene->objects;
    parser->scene->objects = object;
}

/* ---- Statements ---------------------------------------------------------------------------------------- */

static void parse_title(struct scene_cursor *cursor)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "a title in quotes", &item) || !scene_take_end(cursor))
        return;
    if (item->value.kind != AG_TEXT_STRING)
        scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item, "a title in quotes is expected");
    else
        cursor->parser->scene->title = scene_copy_text(cursor->parser, &item->value);
}

static bool parse_requirement(struct scene_cursor *cursor, struct scene_requirement *requirement)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "a feature", &item))
        return false;
    if (item->value.kind != AG_TEXT_WORD)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item,
                            "a feature, limit.N>=V, ext or driver!=N");
    *requirement = (struct scene_requirement){.kind = SCENE_NEEDS_FEATURE};
    requirement->name = scene_copy_text(cursor->parser, &item->value);
    if (requirement->name == NULL)
        return false;
    if (ag_text_is_word(item, "ext")) {
        requirement->kind = SCENE_NEEDS_EXTENSION;
    } else if (ag_text_is_word(item, "driver")) {
        const struct ag_text_item *driver;
        requirement->kind = SCENE_NEEDS_DRIVER;
        if (!scene_take_operator(cursor, &requirement->comparison) ||
            !scene_take_item(cursor, "the name of a driver", &driver))
            return false;
        if (driver->value.kind != AG_TEXT_WORD || requirement->comparison > SCENE_NOT_EQUAL)
            return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, driver,
                                "drivers are compared by name");
        requirement->name = scene_copy_text(cursor->parser, &driver->value);
    } else if (strncmp(requirement->name, "limit.", 6) == 0) {
        requirement->kind = SCENE_NEEDS_LIMIT;
        requirement->name += 6;
        return scene_take_operator(cursor, &requirement->comparison) &&
               scene_take_number(cursor, "the limit's value", UINT64_MAX, &requirement->value);
    }
    return requirement->name != NULL;
}

static void parse_requires(struct scene_cursor *cursor)
{
    struct scene_requirement requirement;
    do {
        if (!parse_requirement(cursor, &requirement))
            return;
        if (!ag_vec_push(&cursor->parser->scene->requirements, requirement)) {
            cursor->parser->reader->status = ag_report_no_memory(cursor->parser->sink);
            return;
        }
    } while (scene_peek(cursor) != NULL);
    scene_take_end(cursor);
}

static void parse_without(struct scene_cursor *cursor)
{
    const struct ag_text_item *item;
    do {
        if (!scene_take_item(cursor, "a feature", &item))
            return;
        if (item->value.kind != AG_TEXT_WORD) {
            scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item, "a feature by its WebGPU name");
            return;
        }
        const char *name = scene_copy_text(cursor->parser, &item->value);
        if (name == NULL)
            return;
        if (ag_feature_named(name) == 0) {
            scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "nothing here uses a feature %s", name);
            return;
        }
        if (!ag_vec_push(&cursor->parser->scene->without, name)) {
            cursor->parser->reader->status = ag_report_no_memory(cursor->parser->sink);
            return;
        }
    } while (scene_peek(cursor) != NULL);
    scene_take_end(cursor);
}

static void parse_blob(struct scene_cursor *cursor)
{
    struct scene_object *object = take_new_object(cursor);
    if (object == NULL)
        return;
    if (scene_peek(cursor) != NULL || !cursor->statement->has_data)
        scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, cursor->statement->items,
                     "a blob is a name and data");
    else if (read_data(cursor, &object->bytes))
        add_object(cursor->parser, object);
}

static bool is_free_memory(struct scene_cursor *cursor, const struct scene_object *object)
{
    const struct ag_text_item *at = cursor->statement->items;
    uint64_t end;
    if (object->memory_size == 0 || !ag_add_u64(object->gpa, object->memory_size - 1, &end))
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, at, "the memory has no bytes, or wraps");
    if (object->gpa < SCENE_RUNNER_GPA + SCENE_RUNNER_BYTES && end >= SCENE_RUNNER_GPA)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, at,
                            "the addresses from 0x700000000 to 0x7FFFFFFFF are the runner's own");
    for (const struct scene_object *other = cursor->parser->scene->objects; other != NULL;
         other = other->next) {
        if (other->is_memory && object->gpa < other->gpa + other->memory_size && other->gpa <= end)
            return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, at, "the memory overlaps @%s",
                                other->name);
    }
    return true;
}

static void parse_mem(struct scene_cursor *cursor)
{
    struct scene_object *object = take_new_object(cursor);
    if (object == NULL)
        return;
    bool has_address = false;
    uint64_t size = 0;
    const struct ag_text_item *item;
    for (; (item = scene_peek(cursor)) != NULL; cursor->at++) {
        if (ag_text_is_field(item, "at")) {
            if (!scene_field_number(cursor, item, UINT64_MAX, &object->gpa))
                return;
            has_address = true;
        } else if (ag_text_is_field(item, "size")) {
            if (!scene_field_number(cursor, item, MAX_MEMORY_BYTES, &size))
                return;
        } else {
            scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item, "guest memory has at= and size=");
            return;
        }
    }
    if (!read_data(cursor, &object->bytes))
        return;
    object->is_memory = true;
    object->memory_size = size != 0 ? (size_t)size : object->bytes.size;
    if (!has_address)
        scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, cursor->statement->items, "at= is missing");
    else if (object->bytes.size > object->memory_size)
        scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, cursor->statement->items,
                     "the data are longer than size=");
    else if (is_free_memory(cursor, object)) {
        add_object(cursor->parser, object);
        struct scene_step *step = scene_add_step(cursor, SCENE_STEP_MEMORY);
        if (step != NULL)
            step->as.object = object;
    }
}

static void parse_alloc(struct scene_cursor *cursor)
{
    uint64_t id;
    const struct ag_text_item *item;
    struct scene_allocation allocation = {0};
    if (!scene_take_number(cursor, "the id of the allocation", UINT32_MAX, &id) ||
        !scene_take_item(cursor, "the name of guest memory", &item))
        return;
    const struct scene_object *object = scene_need_object(cursor, item);
    if (object == NULL)
        return;
    if (!object->is_memory || item->value.offset >= object->memory_size) {
        scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "this is not inside guest memory");
        return;
    }
    allocation.id = (uint32_t)id;
    allocation.gpa = object->gpa + item->value.offset;
    allocation.size = object->memory_size - item->value.offset;
    item = scene_peek(cursor);
    if (item != NULL && ag_text_is_field(item, "size")) {
        if (!scene_field_number(cursor, item, UINT64_MAX, &allocation.size))
            return;
        cursor->at++;
        item = scene_peek(cursor);
    }
    if (item != NULL && ag_text_is_word(item, "readonly")) {
        allocation.readonly = true;
        cursor->at++;
    }
    struct scene_step *step = scene_take_end(cursor) ? scene_add_step(cursor, SCENE_STEP_ALLOC) : NULL;
    if (step != NULL)
        step->as.allocation = allocation;
}

static void parse_unalloc(struct scene_cursor *cursor)
{
    uint64_t id;
    if (!scene_take_number(cursor, "the id of the allocation", UINT32_MAX, &id) || !scene_take_end(cursor))
        return;
    struct scene_step *step = scene_add_step(cursor, SCENE_STEP_UNALLOC);
    if (step != NULL)
        step->as.allocation = (struct scene_allocation){.id = (uint32_t)id};
}

static void parse_tick(struct scene_cursor *cursor)
{
    uint64_t ticks = 1;
    const uint64_t left = MAX_TICKS - cursor->parser->ticks;
    if ((scene_peek(cursor) != NULL && !scene_take_number(cursor, "the number of ticks", left, &ticks)) ||
        !scene_take_end(cursor))
        return;
    cursor->parser->ticks += ticks;
    struct scene_step *step = scene_add_step(cursor, SCENE_STEP_TICK);
    if (step != NULL)
        step->as.ticks = ticks;
}

/* Reads the lines of an `asm` block. */
static bool read_listing(struct scene_parser *parser, bool bare, struct scene_bytes *bytes)
{
    const char *text;
    size_t size;
    uint32_t line;
    return ag_text_raw_block(parser->reader, &text, &size, &line) &&
           scene_assemble_shader(parser, text, size, line, bare, bytes);
}

/* Takes the name behind `library`. */
static bool take_library_shader(struct scene_cursor *cursor, bool bare, struct scene_bytes *bytes)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "the name of a shader in the library", &item))
        return false;
    const struct scene_library_shader *shader =
        item->value.kind == AG_TEXT_WORD ? scene_library_find(item->value.text, item->value.length) : NULL;
    if (shader == NULL)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item,
                            "the library has no shader with this name");
    return scene_take_end(cursor) &&
           scene_assemble_shader(cursor->parser, shader->text, shader->size, item->line, bare, bytes);
}

/* Takes the item file="f". */
static bool take_shader_file(struct scene_cursor *cursor, struct scene_bytes *bytes)
{
    const struct ag_text_item *item = scene_peek(cursor);
    char *path = scene_copy_text(cursor->parser, &item->value);
    cursor->at++;
    return path != NULL && scene_take_end(cursor) &&
           scene_read_file(cursor->parser, path, false, ag_place_text(item->line, item->column), bytes, NULL,
                           NULL);
}

static bool read_shader(struct scene_cursor *cursor, struct scene_bytes *bytes)
{
    struct scene_parser *parser = cursor->parser;
    const bool block = cursor->statement->opens;
    const struct ag_text_item *item = scene_peek(cursor);
    const bool bare = item != NULL && ag_text_is_word(item, "tokens");
    if (bare) {
        cursor->at++;
        item = scene_peek(cursor);
    }
    if (item != NULL && block && ag_text_is_word(item, "asm"))
        return read_listing(parser, bare, bytes);
    if (item != NULL && !block && ag_text_is_word(item, "library")) {
        cursor->at++;
        return take_library_shader(cursor, bare, bytes);
    }
    if (item != NULL && !block && !bare && ag_text_is_field(item, "file") &&
        item->value.kind == AG_TEXT_STRING)
        return take_shader_file(cursor, bytes);
    parser->reader->stopped |= block;
    return scene_refuse(parser, AGPU_DIAG_SCENE_SYNTAX, cursor->statement->items,
                        "a shader has file=\"...\", or library and a name, or asm and a block; tokens may "
                        "stand before library and asm");
}

static void parse_shader(struct scene_cursor *cursor)
{
    struct scene_object *object = take_new_object(cursor);
    if (object == NULL)
        cursor->parser->reader->stopped |= cursor->statement->opens;
    else if (read_shader(cursor, &object->bytes))
        add_object(cursor->parser, object);
}

static void add_expectation(struct scene_cursor *cursor, const char *todo)
{
    struct scene_expectation expectation = {.todo = todo};
    if (!scene_parse_expectation(cursor, &expectation) || !scene_take_end(cursor))
        return;
    struct scene_step *step = scene_add_step(cursor, SCENE_STEP_EXPECT);
    if (step != NULL)
        step->as.expectation = expectation;
}

static void parse_expect(struct scene_cursor *cursor)
{
    add_expectation(cursor, NULL);
}

static void parse_todo(struct scene_cursor *cursor)
{
    const struct ag_text_item *reason, *word;
    if (!scene_take_item(cursor, "a reason in quotes", &reason) || !scene_take_item(cursor, "expect", &word))
        return;
    if (reason->value.kind != AG_TEXT_STRING || !ag_text_is_word(word, "expect")) {
        scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, reason, "todo \"why\" expect ... is the form");
        return;
    }
    const char *todo = scene_copy_text(cursor->parser, &reason->value);
    if (todo != NULL)
        add_expectation(cursor, todo);
}

struct statement_kind {
    const char *word;
    void (*parse)(struct scene_cursor *cursor);
    bool has_block; /* the statement may open a block */
};

static const struct statement_kind statement_kinds[] = {
    {"title",    parse_title,         false},
    {"requires", parse_requires,      false},
    {"without",  parse_without,       false},
    {"blob",     parse_blob,          false},
    {"mem",      parse_mem,           false},
    {"alloc",    parse_alloc,         false},
    {"unalloc",  parse_unalloc,       false},
    {"scanout",  scene_parse_scanout, false},
    {"reg",      scene_parse_reg,     false},
    {"tick",     parse_tick,          false},
    {"shader",   parse_shader,        true },
    {"submit",   scene_parse_submit,  true },
    {"expect",   parse_expect,        false},
    {"todo",     parse_todo,          false},
};

static void parse_statement(struct scene_parser *parser, const struct ag_text_statement *statement)
{
    struct scene_cursor cursor = {parser, statement, 1};
    for (size_t i = 0; i < AG_COUNT_OF(statement_kinds); i++) {
        if (!ag_text_is_word(statement->items, statement_kinds[i].word))
            continue;
        if (!statement->opens || statement_kinds[i].has_block) {
            statement_kinds[i].parse(&cursor);
            return;
        }
    }
    scene_refuse(parser, AGPU_DIAG_SCENE_SYNTAX, statement->items, "no statement of scenes looks like this");
    /* The statements in the block of an unknown statement would only give more errors. */
    parser->reader->stopped |= statement->opens;
}

static void parse_header(struct scene_parser *parser)
{
    struct ag_text_statement statement;
    uint64_t version;
    if (!ag_text_next(parser->reader, &statement)) {
        if (parser->reader->status == AGPU_OK)
            ag_text_refuse(parser->reader, AGPU_DIAG_SCENE_SYNTAX, 1, 1, "the scene is empty");
        return;
    }
    if (statement.closes || statement.item_count != 2 || !ag_text_is_word(statement.items, "aerogpu-scene") ||
        !ag_text_unsigned(&statement.items[1].value, UINT64_MAX, &version))
        ag_text_refuse(parser->reader, AGPU_DIAG_SCENE_SYNTAX, statement.line, statement.column,
                       "a scene starts with: aerogpu-scene 1");
    else if (version != 1)
        scene_refuse(parser, AGPU_DIAG_SCENE_VALUE, &statement.items[1],
                     "this version of scenes is not known");
    else
        return;
    parser->reader->stopped = true;
}

/* ---- Sources of packet text ---------------------------------------------------------------------------- */

static bool blob_source(void *user, const char *name, const uint8_t **data, size_t *size)
{
    const struct scene_parser *parser = user;
    const struct scene_object *object = scene_find_object(parser->scene, name, strlen(name));
    if (object == NULL)
        return false;
    *data = object->bytes.data;
    *size = object->bytes.size;
    return true;
}

static bool address_source(void *user, const char *name, uint64_t *address)
{
    const struct scene_parser *parser = user;
    const struct scene_object *object = scene_find_object(parser->scene, name, strlen(name));
    if (object == NULL || !object->is_memory)
        return false;
    *address = object->gpa;
    return true;
}

static bool file_source(void *user, const char *path, bool picture, struct agpu_place place,
                        const uint8_t **data, size_t *size)
{
    struct scene_bytes bytes;
    uint32_t width, height;
    if (!scene_read_file(user, path, picture, place, &bytes, &width, &height))
        return false;
    *data = bytes.data;
    *size = bytes.size;
    return true;
}

enum agpu_status scene_parse(struct ag_scene *scene, const void *text, size_t size,
                             const struct agpu_diag_sink *sink)
{
    struct ag_text_reader reader;
    struct ag_text_assembler assembler;
    struct ag_text_statement statement;
    struct scene_parser parser = {.scene = scene, .reader = &reader, .assembler = &assembler, .sink = sink};
    const struct agpu_text_sources sources = {
        .blob = blob_source, .address = address_source, .file = file_source, .user = &parser};
    ag_text_reader_init(&reader, text, size, sink);
    ag_text_assembler_init(&assembler, &sources);
    parse_header(&parser);
    while (ag_text_next(&reader, &statement)) {
        if (statement.closes)
            ag_text_refuse(&reader, AGPU_DIAG_SCENE_SYNTAX, statement.line, statement.column,
                           "no block is open");
        else
            parse_statement(&parser, &statement);
    }
    const enum agpu_status status = reader.status;
    scene->handles = assembler.handles;
    assembler.handles = (struct ag_text_handles){0};
    ag_text_assembler_fini(&assembler);
    ag_text_reader_fini(&reader);
    return status;
}
