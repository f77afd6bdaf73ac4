/* SPDX-License-Identifier: MIT
 *
 * The statements that write registers: `scanout` and `reg`.
 */
#include "abi/packet_names.h"
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "scene/model.h"
#include "scene/registers.h"

static void add_writes(struct scene_cursor *cursor, const struct scene_register_write *writes, uint32_t count)
{
    struct scene_parser *parser = cursor->parser;
    struct scene_register_write *copy =
        ag_arena_memdup(&parser->scene->arena, writes, count * sizeof *writes, 4);
    if (copy == NULL)
        parser->reader->status = ag_report_no_memory(parser->sink);
    struct scene_step *step = copy != NULL ? scene_add_step(cursor, SCENE_STEP_REGISTERS) : NULL;
    if (step == NULL)
        return;
    step->as.registers.writes = copy;
    step->as.registers.count = count;
}

/* Reads a number, or the address of guest memory. */
static bool read_address(struct scene_cursor *cursor, const struct ag_text_item *item, uint64_t *number)
{
    if (item->value.kind != AG_TEXT_BLOB)
        return ag_text_unsigned(&item->value, UINT64_MAX, number) ||
               scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "a number or @memory is expected");
    const struct scene_object *object = scene_need_object(cursor, item);
    if (object == NULL)
        return false;
    return (object->is_memory && ag_add_u64(object->gpa, item->value.offset, number)) ||
           scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "this is not in guest memory");
}

enum scanout_field {
    SCANOUT_WIDTH,
    SCANOUT_HEIGHT,
    SCANOUT_FORMAT,
    SCANOUT_PITCH,
    SCANOUT_ADDRESS,
    SCANOUT_ENABLE,
    SCANOUT_FIELD_COUNT
};

/* clang-format off */
static const struct {
    const char *name;
    uint32_t offset; /* of the register */
} scanout_fields[SCANOUT_FIELD_COUNT] = {
    [SCANOUT_WIDTH]   = {"width", AEROGPU_MMIO_REG_SCANOUT0_WIDTH},
    [SCANOUT_HEIGHT]  = {"height", AEROGPU_MMIO_REG_SCANOUT0_HEIGHT},
    [SCANOUT_FORMAT]  = {"format", AEROGPU_MMIO_REG_SCANOUT0_FORMAT},
    [SCANOUT_PITCH]   = {"pitch", AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES},
    [SCANOUT_ADDRESS] = {"fb", AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO},
    [SCANOUT_ENABLE]  = {"enable", AEROGPU_MMIO_REG_SCANOUT0_ENABLE},
};
/* clang-format on */

static unsigned find_scanout_field(const struct ag_text_item *item)
{
    unsigned field = 0;
    while (field < SCANOUT_FIELD_COUNT && !ag_text_is_field(item, scanout_fields[field].name))
        field++;
    return field;
}

static bool read_scanout_field(struct scene_cursor *cursor, const struct ag_text_item *item, unsigned field,
                               uint64_t *number)
{
    uint32_t format;
    if (field != SCANOUT_FORMAT)
        return read_address(cursor, item, number);
    if (!ag_text_names(&item->value, &ag_names_format, &format))
        return scene_refuse(cursor->parser, AGPU_DIAG_SCENE_VALUE, item, "unknown format");
    *number = format;
    return true;
}

/* Registers are written in the order of the text, except that the enable register always comes last. */
void scene_parse_scanout(struct scene_cursor *cursor)
{
    struct scene_register_write writes[16];
    uint32_t count = 0;
    uint64_t enable = 1, number = 0;
    const struct ag_text_item *item;
    for (; (item = scene_peek(cursor)) != NULL; cursor->at++) {
        const unsigned field = find_scanout_field(item);
        if (field == SCANOUT_FIELD_COUNT || count + 3 > AG_COUNT_OF(writes)) {
            scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, item,
                         "the scanout has width, height, format, pitch, fb and enable");
            return;
        }
        if (!read_scanout_field(cursor, item, field, &number))
            return;
        if (field == SCANOUT_ENABLE)
            enable = number;
        else
            writes[count++] = (struct scene_register_write){scanout_fields[field].offset, (uint32_t)number};
        if (field == SCANOUT_ADDRESS)
            writes[count++] =
                (struct scene_register_write){AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, (uint32_t)(number >> 32)};
    }
    writes[count++] = (struct scene_register_write){AEROGPU_MMIO_REG_SCANOUT0_ENABLE, (uint32_t)enable};
    if (scene_take_end(cursor))
        add_writes(cursor, writes, count);
}

void scene_parse_reg(struct scene_cursor *cursor)
{
    const struct ag_text_item *name, *value;
    struct scene_register_write write;
    uint64_t number = 0;
    if (!scene_take_item(cursor, "the name of a register", &name) ||
        !scene_take_item(cursor, "the value", &value) || !scene_take_end(cursor))
        return;
    if (!ag_text_names(&name->value, &scene_register_names, &write.offset))
        scene_refuse(cursor->parser, AGPU_DIAG_SCENE_NAME, name, "no register has this name");
    else if (scene_register_value(value, write.offset, &number) || read_address(cursor, value, &number)) {
        write.value = (uint32_t)number;
        add_writes(cursor, &write, 1);
    }
}
