/* SPDX-License-Identifier: MIT
 *
 * The parsers of what follows `expect`, one for each kind of check.
 */

#include "abi/text_packet.h"
#include "base/bytes.h"
#include "scene/check.h"
#include "scene/registers.h"

static bool take_channels(struct scene_cursor *cursor, uint8_t rgba[4])
{
    for (int i = 0; i < 4; i++) {
        uint64_t channel;
        if (!scene_take_number(cursor, "a colour channel", 255, &channel))
            return false;
        rgba[i] = (uint8_t)channel;
    }
    return true;
}

/* Takes the next item as a number if the item is a field of this name; any other item stays where it is. */
static bool take_number_field(struct scene_cursor *cursor, const char *name, uint32_t *number)
{
    const struct ag_text_item *item = scene_peek(cursor);
    uint64_t wide;
    if (item == NULL || !ag_text_is_field(item, name))
        return true;
    if (!scene_field_number(cursor, item, UINT32_MAX, &wide))
        return false;
    *number = (uint32_t)wide;
    cursor->at++;
    return true;
}

static bool parse_pixel(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    return scene_take_u32(cursor, "x", &expectation->x) && scene_take_u32(cursor, "y", &expectation->y) &&
           take_channels(cursor, expectation->rgba) &&
           take_number_field(cursor, "tol", &expectation->tolerance);
}

static bool parse_rect(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    return scene_take_u32(cursor, "x", &expectation->x) && scene_take_u32(cursor, "y", &expectation->y) &&
           scene_take_u32(cursor, "the width", &expectation->width) &&
           scene_take_u32(cursor, "the height", &expectation->height) &&
           take_channels(cursor, expectation->rgba) &&
           take_number_field(cursor, "tol", &expectation->tolerance);
}

static bool parse_count(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    return take_channels(cursor, expectation->rgba) &&
           scene_take_operator(cursor, &expectation->comparison) &&
           scene_take_number(cursor, "the number of pixels", UINT64_MAX, &expectation->number);
}

static bool take_picture(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    struct scene_bytes bytes;
    if (!scene_take_item(cursor, "the path of a PNG in quotes", &item))
        return false;
    if (item->value.kind != AG_TEXT_STRING)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item,
                            "the path of a PNG in quotes is expected");
    expectation->name = scene_copy_text(cursor->parser, &item->value);
    if (expectation->name == NULL ||
        !scene_read_file(cursor->parser, expectation->name, true, ag_place_text(item->line, item->column),
                         &bytes, &expectation->width, &expectation->height))
        return false;
    expectation->picture = bytes.data;
    return true;
}

static bool parse_image(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    uint32_t bad = 0;
    if (!take_picture(cursor, expectation) || !take_number_field(cursor, "tol", &expectation->tolerance) ||
        !take_number_field(cursor, "bad", &bad))
        return false;
    expectation->number = bad;
    return true;
}

static bool parse_likeness(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    if (!take_picture(cursor, expectation))
        return false;
    item = scene_peek(cursor);
    if (item == NULL || !ag_text_is_field(item, "min") ||
        !ag_text_double(&item->value, &expectation->minimum))
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX,
                            item != NULL ? item : &cursor->statement->items[cursor->at - 1],
                            "min= with a number is expected");
    cursor->at++;
    return true;
}

/* Takes the options that may follow values, in any order. */
static bool take_value_options(struct scene_cursor *cursor, struct scene_expectation *expectation,
                               bool may_be_unordered)
{
    const bool is_float = expectation->scalar == AG_TEXT_F16 || expectation->scalar == AG_TEXT_F32;
    const struct ag_text_item *item;
    for (; (item = scene_peek(cursor)) != NULL; cursor->at++) {
        uint64_t ulps;
        if (ag_text_is_field(item, "ulps")) {
            if (!scene_field_number(cursor, item, UINT32_MAX, &ulps))
                return false;
            expectation->tolerance = (uint32_t)ulps;
        } else if (ag_text_is_word(item, "equal")) {
            if (!is_float)
                return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item,
                                    "only f16 and f32 have a -0 that is equal to 0");
            expectation->equal = true;
        } else if (may_be_unordered && ag_text_is_word(item, "unordered")) {
            expectation->unordered = true;
        } else {
            return true;
        }
    }
    return true;
}

/* Takes a type and the values behind it. */
static bool take_values(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "a type", &item))
        return false;
    expectation->scalar = ag_text_scalar_from_word(item);
    if (expectation->scalar == AG_TEXT_SCALAR_COUNT)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item,
                            "a type is u8, u16, u32, i32, f16 or f32");
    const size_t first = cursor->at;
    size_t count = 0;
    while ((item = scene_peek(cursor)) != NULL && item->name == NULL && item->value.kind == AG_TEXT_NUMBER) {
        cursor->at++;
        count++;
    }
    if (count == 0)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, &cursor->statement->items[first - 1],
                            "values are missing behind the type");
    uint32_t *values = AG_ARENA_ARRAY(&cursor->parser->scene->arena, uint32_t, count);
    if (values == NULL) {
        cursor->parser->reader->status = ag_report_no_memory(cursor->parser->sink);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        item = &cursor->statement->items[first + i];
        if (!ag_text_scalar_bits(expectation->scalar, &item->value, &values[i]))
            return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "this is no value of type %s",
                                ag_text_scalar_name(expectation->scalar));
    }
    expectation->values = values;
    expectation->value_count = (uint32_t)count;
    return true;
}

static bool take_handle(struct scene_cursor *cursor, struct scene_expectation *expectation,
                        const struct ag_text_item **item)
{
    if (!scene_take_item(cursor, "a handle", item))
        return false;
    expectation->name = scene_copy_text(cursor->parser, &(*item)->value);
    return expectation->name != NULL && ag_text_read_handle(cursor->parser->assembler, cursor->parser->reader,
                                                            &(*item)->value, &expectation->handle);
}

/* Takes a texture with its mip and layer: $texture[mip,layer]. */
static bool take_subresource(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    uint64_t mip = 0, layer = 0;
    if (!take_handle(cursor, expectation, &item))
        return false;
    const struct ag_text_value *value = &item->value;
    if (value->item_count > 2 ||
        (value->item_count > 0 && !ag_text_unsigned(&value->items[0].value, UINT32_MAX, &mip)) ||
        (value->item_count > 1 && !ag_text_unsigned(&value->items[1].value, UINT32_MAX, &layer)))
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item,
                            "a subresource is $texture[mip,layer]");
    expectation->mip = (uint32_t)mip;
    expectation->layer = (uint32_t)layer;
    return true;
}

static bool parse_texel(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    expectation->width = expectation->height = 1;
    return take_subresource(cursor, expectation) && scene_take_u32(cursor, "x", &expectation->x) &&
           scene_take_u32(cursor, "y", &expectation->y) && take_values(cursor, expectation) &&
           take_value_options(cursor, expectation, false);
}

static bool parse_texels(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    if (!take_subresource(cursor, expectation) || !scene_take_u32(cursor, "x", &expectation->x) ||
        !scene_take_u32(cursor, "y", &expectation->y) ||
        !scene_take_u32(cursor, "the width", &expectation->width) ||
        !scene_take_u32(cursor, "the height", &expectation->height))
        return false;
    if (expectation->width == 0 || expectation->height == 0)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, &cursor->statement->items[cursor->at - 1],
                            "a rectangle has a width and a height");
    return take_values(cursor, expectation) && take_value_options(cursor, expectation, false);
}

static bool parse_buffer(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    return take_handle(cursor, expectation, &item) &&
           scene_take_number(cursor, "the offset", UINT64_MAX, &expectation->number) &&
           take_values(cursor, expectation) && take_value_options(cursor, expectation, true);
}

static bool parse_mem(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "guest memory such as @memory+0", &item))
        return false;
    const struct scene_object *object = scene_need_object(cursor, item);
    if (object == NULL)
        return false;
    if (!object->is_memory)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "this is not guest memory");
    expectation->name = object->name;
    expectation->number = item->value.offset;
    expectation->gpa = object->gpa + item->value.offset;
    return take_values(cursor, expectation) && take_value_options(cursor, expectation, false);
}

static bool parse_fence(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    return scene_take_number(cursor, "the fence", UINT64_MAX, &expectation->number);
}

static bool parse_irq(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    do {
        uint32_t cause;
        if (!scene_take_item(cursor, "an interrupt", &item))
            return false;
        if (!ag_text_names(&item->value, &scene_irq_names, &cause))
            return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item,
                                "interrupts are FENCE, SCANOUT_VBLANK and ERROR, or NONE");
        expectation->word |= cause;
    } while (scene_peek(cursor) != NULL);
    return true;
}

static bool parse_reg(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "the name of a register", &item))
        return false;
    if (!ag_text_names(&item->value, &scene_register_names, &expectation->word))
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item, "no register has this name");
    item = scene_peek(cursor);
    if (item != NULL && scene_register_value(item, expectation->word, &expectation->number)) {
        cursor->at++;
        return true;
    }
    return scene_take_number(cursor, "the value", UINT32_MAX, &expectation->number);
}

/* Reads the fields fence= and packet=. For any other item *known becomes false, and nothing is reported. */
static bool parse_problem_place(struct scene_cursor *cursor, const struct ag_text_item *item,
                                struct scene_expectation *expectation, bool *known)
{
    uint64_t number;
    *known = true;
    if (ag_text_is_field(item, "fence")) {
        expectation->has_fence = true;
        return scene_field_number(cursor, item, UINT64_MAX, &expectation->fence);
    }
    if (ag_text_is_field(item, "packet")) {
        expectation->has_packet = true;
        if (!scene_field_number(cursor, item, UINT32_MAX, &number))
            return false;
        expectation->packet = (uint32_t)number;
        return true;
    }
    *known = false;
    return false;
}

static bool take_diag_code(struct scene_cursor *cursor, const struct ag_text_item *item,
                           struct scene_expectation *expectation)
{
    const char *slug = scene_copy_text(cursor->parser, &item->value);
    expectation->has_diag = true;
    expectation->diag = slug != NULL ? agpu_diag_code_from_slug(slug) : AGPU_DIAG_NONE;
    return expectation->diag != AGPU_DIAG_NONE ||
           scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item, "no diagnostic has this code");
}

static bool parse_error_field(struct scene_cursor *cursor, const struct ag_text_item *item,
                              struct scene_expectation *expectation)
{
    bool known;
    if (parse_problem_place(cursor, item, expectation, &known))
        return true;
    if (known)
        return false;
    if (!ag_text_is_field(item, "diag") || item->value.kind != AG_TEXT_WORD)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item,
                            "an error has fence=, packet= and diag=");
    return take_diag_code(cursor, item, expectation);
}

static bool parse_error(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "an error code", &item))
        return false;
    if (!ag_text_names(&item->value, &scene_error_names, &expectation->word))
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item,
                            "errors are NONE, CMD_DECODE, OOB, BACKEND and INTERNAL");
    for (; (item = scene_peek(cursor)) != NULL; cursor->at++) {
        if (!parse_error_field(cursor, item, expectation))
            return false;
    }
    return true;
}

static bool parse_warning(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    bool known;
    if (!scene_take_item(cursor, "the code of a warning, or NONE", &item))
        return false;
    if (item->value.kind != AG_TEXT_WORD)
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_SYNTAX, item,
                            "the code of a warning such as exec.undefined, or NONE, is expected");
    if (ag_text_is_word(item, "NONE"))
        return true;
    if (!take_diag_code(cursor, item, expectation))
        return false;
    for (; (item = scene_peek(cursor)) != NULL; cursor->at++) {
        if (parse_problem_place(cursor, item, expectation, &known))
            continue;
        if (!known)
            scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item, "a warning has fence= and packet=");
        return false;
    }
    return true;
}

static bool parse_counter(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "the name of a counter", &item))
        return false;
    if (item->value.kind != AG_TEXT_WORD ||
        !scene_counter_offset(item->value.text, item->value.length, &expectation->offset))
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item, "no counter has this name");
    expectation->name = scene_copy_text(cursor->parser, &item->value);
    return expectation->name != NULL && scene_take_operator(cursor, &expectation->comparison) &&
           scene_take_number(cursor, "the counter's value", UINT64_MAX, &expectation->number);
}

static const struct scene_check_kind check_kinds[] = {
    {"pixel",   parse_pixel,    scene_check_pixel  },
    {"rect",    parse_rect,     scene_check_rect   },
    {"count",   parse_count,    scene_check_count  },
    {"image",   parse_image,    scene_check_image  },
    {"psnr",    parse_likeness, scene_check_psnr   },
    {"ssim",    parse_likeness, scene_check_ssim   },
    {"texel",   parse_texel,    scene_check_texel  },
    {"texels",  parse_texels,   scene_check_texels },
    {"buffer",  parse_buffer,   scene_check_buffer },
    {"mem",     parse_mem,      scene_check_mem    },
    {"fence",   parse_fence,    scene_check_fence  },
    {"irq",     parse_irq,      scene_check_irq    },
    {"reg",     parse_reg,      scene_check_reg    },
    {"error",   parse_error,    scene_check_error  },
    {"warning", parse_warning,  scene_check_warning},
    {"counter", parse_counter,  scene_check_counter},
};

bool scene_parse_expectation(struct scene_cursor *cursor, struct scene_expectation *expectation)
{
    const struct ag_text_item *item;
    if (!scene_take_item(cursor, "what to expect", &item))
        return false;
    for (size_t i = 0; i < AG_COUNT_OF(check_kinds); i++) {
        if (!ag_text_is_word(item, check_kinds[i].word))
            continue;
        expectation->kind = &check_kinds[i];
        return check_kinds[i].parse(cursor, expectation);
    }
    return scene_refuse(
        cursor->parser, AGPU_DIAG_SCENE_NAME, item,
        "expect knows pixel, rect, count, image, psnr, ssim, texel, texels, buffer, mem, fence, irq, reg, "
        "error, warning and counter");
}

const char *scene_operator_text(enum scene_operator comparison)
{
    static const char *const names[SCENE_OPERATOR_COUNT] = {
        [SCENE_EQUAL] = "==",      [SCENE_NOT_EQUAL] = "!=", [SCENE_LESS] = "<",
        [SCENE_LESS_EQUAL] = "<=", [SCENE_GREATER] = ">",    [SCENE_GREATER_EQUAL] = ">=",
    };
    return names[comparison];
}

bool scene_compare(enum scene_operator comparison, uint64_t left, uint64_t right)
{
    switch (comparison) {
    case SCENE_EQUAL:
        return left == right;
    case SCENE_NOT_EQUAL:
        return left != right;
    case SCENE_LESS:
        return left < right;
    case SCENE_LESS_EQUAL:
        return left <= right;
    case SCENE_GREATER:
        return left > right;
    case SCENE_GREATER_EQUAL:
        return left >= right;
    case SCENE_OPERATOR_COUNT:
        break;
    }
    return false;
}
