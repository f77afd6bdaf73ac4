/* SPDX-License-Identifier: MIT
 *
 * Takes the items of a statement one by one, and reports what is missing.
 */
#include <stdio.h>
#include <string.h>

#include "scene/check.h"

bool scene_refuse(struct scene_parser *parser, enum agpu_diag_code code, const struct ag_text_item *item,
                  const char *format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ag_text_refuse(parser->reader, code, item->line, item->column, "%s", message);
    return false;
}

const struct ag_text_item *scene_peek(const struct scene_cursor *cursor)
{
    return cursor->at < cursor->statement->item_count ? &cursor->statement->items[cursor->at] : NULL;
}

bool scene_take_item(struct scene_cursor *cursor, const char *what, const struct ag_text_item **item)
{
    *item = scene_peek(cursor);
    if (*item == NULL || (*item)->name != NULL)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX,
                            *item != NULL ? *item
                                          : &cursor->statement->items[cursor->statement->item_count - 1],
                            "%s is missing here", what);
    cursor->at++;
    return true;
}

bool scene_take_number(struct scene_cursor *cursor, const char *what, uint64_t limit, uint64_t *number)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, what, &item))
        return false;
    return ag_text_unsigned(&item->value, limit, number) ||
           scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "%s is a number up to %llu", what,
                        (unsigned long long)limit);
}

bool scene_take_u32(struct scene_cursor *cursor, const char *what, uint32_t *number)
{
    uint64_t wide;
    if (!scene_take_number(cursor, what, UINT32_MAX, &wide))
        return false;
    *number = (uint32_t)wide;
    return true;
}

bool scene_take_operator(struct scene_cursor *cursor, enum scene_operator *comparison)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "an operator", &item))
        return false;
    for (int i = 0; i < SCENE_OPERATOR_COUNT; i++) {
        const char *text = scene_operator_text((enum scene_operator)i);
        if (item->value.kind == AG_TEXT_OPERATOR && item->value.length == strlen(text) &&
            memcmp(item->value.text, text, item->value.length) == 0) {
            *comparison = (enum scene_operator)i;
            return true;
        }
    }
    return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item,
                        "an operator is one of == != < <= > >=");
}

bool scene_field_number(struct scene_cursor *cursor, const struct ag_text_item *item, uint64_t limit,
                        uint64_t *number)
{
    return ag_text_unsigned(&item->value, limit, number) ||
           scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "%.*s is a number up to %llu",
                        (int)item->name_length, item->name, (unsigned long long)limit);
}

bool scene_take_end(struct scene_cursor *cursor)
{
    const struct ag_text_item *item = scene_peek(cursor);
    if (item != NULL)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item, "nothing may follow here");
    if (cursor->statement->has_data)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, cursor->statement->items,
                            "this statement takes no data");
    return true;
}

char *scene_copy_text(struct scene_parser *parser, const struct ag_text_value *value)
{
    char *text = ag_arena_strndup(&parser->scene->arena, value->text, value->length);
    if (text == NULL)
        parser->reader->status = ag_report_no_memory(parser->sink);
    return text;
}

struct scene_object *scene_find_object(const struct ag_scene *scene, const char *name, size_t length)
{
    for (struct scene_object *object = scene->objects; object != NULL; object = object->next) {
        if (strlen(object->name) == length && memcmp(object->name, name, length) == 0)
            return object;
    }
    return NULL;
}

const struct scene_object *scene_need_object(struct scene_cursor *cursor, const struct ag_text_item *item)
{
    const struct scene_object *object = NULL;
    if (item->value.kind != AG_TEXT_BLOB)
        scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item, "a name such as @memory is expected");
    else if ((object = scene_find_object(cursor->parser->scene, item->value.text, item->value.length)) ==
             NULL)
        scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item, "nothing has the name @%.*s",
                     (int)(item->value.length < 100 ? item->value.length : 100), item->value.text);
    return object;
}
