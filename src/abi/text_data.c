/* SPDX-License-Identifier: MIT
 *
 * Assembles the data behind ':'.
 */
#include "abi/text_data.h"

#include <string.h>

#include "abi/text_layout.h"
#include "abi/text_value.h"
#include "base/bytes.h"

#define MAX_PICTURE_SIDE 16384u

struct data_reader {
    struct ag_text_reader *reader;
    const struct agpu_text_sources *sources;
    const struct ag_text_item *items; /* the items behind the word that names the form */
    size_t count;
    const struct ag_text_item *head; /* the word that names the form */
    struct ag_strbuf *out;
};

static bool refuse(struct data_reader *data, enum agpu_diag_code code, const struct ag_text_item *item,
                   const char *what)
{
    ag_text_refuse(data->reader, code, item->line, item->column, "%s", what);
    return false;
}

static bool read_scalars(struct data_reader *data, enum ag_text_scalar scalar)
{
    for (size_t i = 0; i < data->count; i++) {
        const struct ag_text_item *item = &data->items[i];
        uint32_t bits;
        if (item->name != NULL || !ag_text_scalar_bits(scalar, &item->value, &bits)) {
            ag_text_refuse(data->reader, AGPU_DIAG_ABI_TEXT_VALUE, item->line, item->column,
                           "this is no value of type %s", ag_text_scalar_name(scalar));
            return false;
        }
        ag_strbuf_append_bytes(data->out, &bits, ag_text_scalar_bytes(scalar));
    }
    return true;
}

static bool read_hex(struct data_reader *data)
{
    for (size_t i = 0; i < data->count; i++) {
        if (data->items[i].name != NULL || !ag_text_hex_bytes(&data->items[i].value, data->out))
            return refuse(data, AGPU_DIAG_ABI_TEXT_VALUE, &data->items[i],
                          "pairs of hexadecimal digits are expected");
    }
    return true;
}

static char *copy_name(struct data_reader *data, const struct ag_text_value *value)
{
    char *name = ag_arena_strndup(&data->reader->arena, value->text, value->length);
    if (name == NULL)
        data->reader->status = ag_report_no_memory(data->reader->sink);
    return name;
}

static bool read_blob(struct data_reader *data)
{
    const uint8_t *bytes;
    size_t size;
    const struct ag_text_value *value = &data->head->value;
    if (data->count != 0)
        return refuse(data, AGPU_DIAG_ABI_TEXT_SYNTAX, &data->items[0], "nothing may follow the blob");
    char *name = copy_name(data, value);
    if (name == NULL)
        return false;
    if (data->sources == NULL || data->sources->blob == NULL ||
        !data->sources->blob(data->sources->user, name, &bytes, &size))
        return refuse(data, AGPU_DIAG_ABI_TEXT_NAME, data->head, "no blob has this name");
    if (value->offset > size)
        return refuse(data, AGPU_DIAG_ABI_TEXT_VALUE, data->head, "the offset is past the end of the blob");
    ag_strbuf_append_bytes(data->out, bytes + value->offset, size - (size_t)value->offset);
    return true;
}

static bool read_file(struct data_reader *data, bool picture)
{
    const uint8_t *bytes;
    size_t size;
    if (data->count != 1 || data->items[0].name != NULL || data->items[0].value.kind != AG_TEXT_STRING)
        return refuse(data, AGPU_DIAG_ABI_TEXT_SYNTAX, data->head,
                      "a path in quotes is expected, and nothing else");
    const struct ag_text_item *item = &data->items[0];
    if (item->value.length == 0 || memchr(item->value.text, 0, item->value.length) != NULL)
        return refuse(data, AGPU_DIAG_ABI_TEXT_VALUE, item, "this is no path");
    char *path = copy_name(data, &item->value);
    if (path == NULL)
        return false;
    if (data->sources == NULL || data->sources->file == NULL)
        return refuse(data, AGPU_DIAG_ABI_TEXT_SOURCE, item, "files cannot be read here");
    if (!data->sources->file(data->sources->user, path, picture, ag_place_text(item->line, item->column),
                             &bytes, &size)) {
        if (data->reader->status == AGPU_OK)
            data->reader->status = AGPU_REFUSED;
        return false;
    }
    ag_strbuf_append_bytes(data->out, bytes, size);
    return true;
}

/* ---- Generators ---------------------------------------------------------------------------------------- */

struct picture {
    uint64_t width, height, bytes;
    uint64_t cell, seed, blue, alpha;
    uint8_t color[2][4];
    bool swap;
};

struct picture_field {
    const char *name;
    size_t offset; /* offset of the number in struct picture */
    uint64_t limit;
};

static const struct picture_field picture_fields[] = {
    {"width",  offsetof(struct picture, width),  MAX_PICTURE_SIDE },
    {"height", offsetof(struct picture, height), MAX_PICTURE_SIDE },
    {"bytes",  offsetof(struct picture, bytes),  (uint64_t)1 << 26},
    {"cell",   offsetof(struct picture, cell),   MAX_PICTURE_SIDE },
    {"seed",   offsetof(struct picture, seed),   UINT64_MAX       },
    {"blue",   offsetof(struct picture, blue),   255              },
    {"alpha",  offsetof(struct picture, alpha),  255              },
};

static bool read_color(struct data_reader *data, const struct ag_text_item *item, uint8_t color[4])
{
    const struct ag_text_value *list = &item->value;
    uint64_t channel;
    if (list->kind != AG_TEXT_LIST || list->item_count != 4)
        return refuse(data, AGPU_DIAG_ABI_TEXT_VALUE, item, "a colour is [r g b a], 0 to 255");
    for (size_t i = 0; i < 4; i++) {
        if (!ag_text_unsigned(&list->items[i].value, 255, &channel))
            return refuse(data, AGPU_DIAG_ABI_TEXT_VALUE, item, "a colour is [r g b a], 0 to 255");
        color[i] = (uint8_t)channel;
    }
    return true;
}

static bool read_picture_field(struct data_reader *data, const struct ag_text_item *item,
                               struct picture *picture)
{
    if (ag_text_is_field(item, "color0"))
        return read_color(data, item, picture->color[0]);
    if (ag_text_is_field(item, "color1"))
        return read_color(data, item, picture->color[1]);
    if (ag_text_is_field(item, "format")) {
        const struct ag_text_item value = {.value = item->value};
        picture->swap = ag_text_is_word(&value, "B8G8R8A8_UNORM");
        return picture->swap || ag_text_is_word(&value, "R8G8B8A8_UNORM") ||
               refuse(data, AGPU_DIAG_ABI_TEXT_VALUE, item, "the format is R8G8B8A8_UNORM or B8G8R8A8_UNORM");
    }
    for (size_t i = 0; i < AG_COUNT_OF(picture_fields); i++) {
        if (!ag_text_is_field(item, picture_fields[i].name))
            continue;
        uint64_t number;
        if (!ag_text_unsigned(&item->value, picture_fields[i].limit, &number))
            return refuse(data, AGPU_DIAG_ABI_TEXT_VALUE, item, "the number is out of range");
        memcpy((char *)picture + picture_fields[i].offset, &number, sizeof number);
        return true;
    }
    return refuse(data, AGPU_DIAG_ABI_TEXT_NAME, item, "generators have no such field");
}

static void append_pixel(struct ag_strbuf *out, const struct picture *picture, const uint8_t rgba[4])
{
    const uint8_t swapped[4] = {rgba[2], rgba[1], rgba[0], rgba[3]};
    ag_strbuf_append_bytes(out, picture->swap ? swapped : rgba, 4);
}

static void paint_checker(struct ag_strbuf *out, const struct picture *picture)
{
    for (uint64_t y = 0; y < picture->height; y++) {
        for (uint64_t x = 0; x < picture->width; x++)
            append_pixel(out, picture, picture->color[(x / picture->cell + y / picture->cell) & 1]);
    }
}

static void paint_gradient(struct ag_strbuf *out, const struct picture *picture)
{
    const uint64_t last_x = picture->width > 1 ? picture->width - 1 : 1;
    const uint64_t last_y = picture->height > 1 ? picture->height - 1 : 1;
    for (uint64_t y = 0; y < picture->height; y++) {
        for (uint64_t x = 0; x < picture->width; x++) {
            const uint8_t rgba[4] = {(uint8_t)(x * 255 / last_x), (uint8_t)(y * 255 / last_y),
                                     (uint8_t)picture->blue, (uint8_t)picture->alpha};
            append_pixel(out, picture, rgba);
        }
    }
}

/* SplitMix64, which gives the same bytes on every host. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void paint_noise(struct ag_strbuf *out, const struct picture *picture)
{
    uint64_t state = picture->seed;
    const uint64_t bytes = picture->bytes != 0 ? picture->bytes : picture->width * picture->height * 4;
    for (uint64_t at = 0; at < bytes; at += 8) {
        const uint64_t random = next_random(&state);
        ag_strbuf_append_bytes(out, &random, bytes - at < 8 ? (size_t)(bytes - at) : 8);
    }
}

struct generator {
    const char *name;
    void (*paint)(struct ag_strbuf *out, const struct picture *picture);
    bool takes_bytes;
};

static const struct generator generators[] = {
    {"checker",  paint_checker,  false},
    {"gradient", paint_gradient, false},
    {"noise",    paint_noise,    true },
};

static bool generate(struct data_reader *data, const struct generator *generator)
{
    struct picture picture = {
        .cell = 8, .alpha = 255, .color = {{0, 0, 0, 255}, {255, 255, 255, 255}}
    };
    for (size_t i = 0; i < data->count; i++) {
        if (data->items[i].name == NULL)
            return refuse(data, AGPU_DIAG_ABI_TEXT_SYNTAX, &data->items[i], "a field is expected");
        if (!read_picture_field(data, &data->items[i], &picture))
            return false;
    }
    const bool sized = picture.width != 0 && picture.height != 0;
    if (picture.cell == 0 || (!sized && !(generator->takes_bytes && picture.bytes != 0)) ||
        picture.width * picture.height > (1u << 24))
        return refuse(data, AGPU_DIAG_ABI_TEXT_VALUE, data->head,
                      "the size of the picture is missing or too large");
    generator->paint(data->out, &picture);
    return true;
}

bool ag_text_data(struct ag_text_reader *reader, const struct ag_text_item *items, size_t count,
                  const struct agpu_text_sources *sources, struct ag_strbuf *out)
{
    if (count == 0)
        return true;
    struct data_reader data = {reader, sources, items + 1, count - 1, items, out};
    if (items->name != NULL)
        return refuse(&data, AGPU_DIAG_ABI_TEXT_SYNTAX, items, "the form of the data is expected");
    if (items->value.kind == AG_TEXT_BLOB)
        return read_blob(&data);
    const enum ag_text_scalar scalar = ag_text_scalar_from_word(items);
    if (scalar != AG_TEXT_SCALAR_COUNT)
        return read_scalars(&data, scalar);
    if (ag_text_is_word(items, "hex"))
        return read_hex(&data);
    if (ag_text_is_word(items, "file") || ag_text_is_word(items, "png"))
        return read_file(&data, ag_text_is_word(items, "png"));
    if (ag_text_is_word(items, "layout"))
        return ag_text_layout(reader, data.items, data.count, out);
    for (size_t i = 0; i < AG_COUNT_OF(generators); i++) {
        if (ag_text_is_word(items, generators[i].name))
            return generate(&data, &generators[i]);
    }
    return refuse(
        &data, AGPU_DIAG_ABI_TEXT_NAME, items,
        "the form of data is u8, u16, u32, i32, f16, f32, hex, file, png, checker, gradient, noise, layout "
        "or @blob");
}
