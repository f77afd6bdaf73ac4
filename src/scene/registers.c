/* SPDX-License-Identifier: MIT
 *
 * The tables of names that scenes use for registers, interrupts, errors, flags and counters.
 */
#include "scene/registers.h"

#include <string.h>

#include "abi/packet_names.h"
#include "abi/text_value.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/ring.h"
#include "base/bytes.h"
#include "scene/scene.h"

/* clang-format off */
#define REGISTER(name)       {#name, AEROGPU_MMIO_REG_##name}
#define COUNTER(name)        {#name, offsetof(struct agpu_counters, name)}
#define SET(array, is_flags) {.values = array, .count = AG_COUNT_OF(array), .flags = is_flags}
/* clang-format on */

static const struct ag_name_value register_values[] = {
    REGISTER(MAGIC),
    REGISTER(ABI_VERSION),
    REGISTER(FEATURES_LO),
    REGISTER(FEATURES_HI),
    REGISTER(RING_GPA_LO),
    REGISTER(RING_GPA_HI),
    REGISTER(RING_SIZE_BYTES),
    REGISTER(RING_CONTROL),
    REGISTER(FENCE_GPA_LO),
    REGISTER(FENCE_GPA_HI),
    REGISTER(COMPLETED_FENCE_LO),
    REGISTER(COMPLETED_FENCE_HI),
    REGISTER(DOORBELL),
    REGISTER(IRQ_STATUS),
    REGISTER(IRQ_ENABLE),
    REGISTER(IRQ_ACK),
    REGISTER(ERROR_CODE),
    REGISTER(ERROR_FENCE_LO),
    REGISTER(ERROR_FENCE_HI),
    REGISTER(ERROR_COUNT),
    REGISTER(SCANOUT0_ENABLE),
    REGISTER(SCANOUT0_WIDTH),
    REGISTER(SCANOUT0_HEIGHT),
    REGISTER(SCANOUT0_FORMAT),
    REGISTER(SCANOUT0_PITCH_BYTES),
    REGISTER(SCANOUT0_FB_GPA_LO),
    REGISTER(SCANOUT0_FB_GPA_HI),
    REGISTER(SCANOUT0_VBLANK_SEQ_LO),
    REGISTER(SCANOUT0_VBLANK_SEQ_HI),
    REGISTER(SCANOUT0_VBLANK_TIME_NS_LO),
    REGISTER(SCANOUT0_VBLANK_TIME_NS_HI),
    REGISTER(SCANOUT0_VBLANK_PERIOD_NS),
    REGISTER(CURSOR_ENABLE),
    REGISTER(CURSOR_X),
    REGISTER(CURSOR_Y),
    REGISTER(CURSOR_HOT_X),
    REGISTER(CURSOR_HOT_Y),
    REGISTER(CURSOR_WIDTH),
    REGISTER(CURSOR_HEIGHT),
    REGISTER(CURSOR_FORMAT),
    REGISTER(CURSOR_FB_GPA_LO),
    REGISTER(CURSOR_FB_GPA_HI),
    REGISTER(CURSOR_PITCH_BYTES),
    REGISTER(EXT_VERSION),
    REGISTER(EXT_GPU_LOSSES),
};
const struct ag_name_set scene_register_names = SET(register_values, false);

bool scene_register_value(const struct ag_text_item *item, uint32_t offset, uint64_t *number)
{
    uint32_t format;
    if ((offset != AEROGPU_MMIO_REG_SCANOUT0_FORMAT && offset != AEROGPU_MMIO_REG_CURSOR_FORMAT) ||
        item->name != NULL || item->value.kind != AG_TEXT_WORD ||
        !ag_text_names(&item->value, &ag_names_format, &format))
        return false;
    *number = format;
    return true;
}

static const struct ag_name_value irq_values[] = {
    {"FENCE",          AEROGPU_IRQ_FENCE         },
    {"SCANOUT_VBLANK", AEROGPU_IRQ_SCANOUT_VBLANK},
    {"ERROR",          AEROGPU_IRQ_ERROR         },
};
const struct ag_name_set scene_irq_names = SET(irq_values, true);

static const struct ag_name_value error_values[] = {
    {"NONE",       AEROGPU_ERROR_NONE      },
    {"CMD_DECODE", AEROGPU_ERROR_CMD_DECODE},
    {"OOB",        AEROGPU_ERROR_OOB       },
    {"BACKEND",    AEROGPU_ERROR_BACKEND   },
    {"INTERNAL",   AEROGPU_ERROR_INTERNAL  },
};
const struct ag_name_set scene_error_names = SET(error_values, false);

static const struct ag_name_value submit_flag_values[] = {
    {"PRESENT", AEROGPU_SUBMIT_FLAG_PRESENT},
    {"NO_IRQ",  AEROGPU_SUBMIT_FLAG_NO_IRQ },
};
const struct ag_name_set scene_submit_flag_names = SET(submit_flag_values, true);

struct counter {
    const char *name;
    size_t offset;
};

static const struct counter counters[] = {
    COUNTER(submissions),
    COUNTER(packets),
    COUNTER(packets_skipped),
    COUNTER(draws),
    COUNTER(draws_skipped),
    COUNTER(dispatches),
    COUNTER(clears),
    COUNTER(copies),
    COUNTER(uploads),
    COUNTER(presents),
    COUNTER(render_passes),
    COUNTER(pipelines),
    COUNTER(pipeline_hits),
    COUNTER(shaders_translated),
    COUNTER(bind_groups_created),
    COUNTER(bind_groups_live),
    COUNTER(bind_groups_in_flight),
    COUNTER(scratch_bytes_in_flight),
    COUNTER(streams_paused),
    COUNTER(upload_bytes),
    COUNTER(constant_bytes),
    COUNTER(writeback_bytes),
    COUNTER(readback_bytes),
    COUNTER(translate_ns),
    COUNTER(pipeline_ns),
    COUNTER(overflowing_stages),
    COUNTER(arena_bytes),
    COUNTER(shaders_cached),
    COUNTER(pipelines_ahead),
};
_Static_assert(offsetof(struct agpu_counters, submissions) + AG_COUNT_OF(counters) * sizeof(uint64_t) ==
                   sizeof(struct agpu_counters),
               "a counter has no name");

const char *scene_name_of(const struct ag_name_set *set, uint32_t value)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->values[i].value == value)
            return set->values[i].name;
    }
    return NULL;
}

bool scene_counter_offset(const char *name, size_t length, size_t *offset)
{
    for (size_t i = 0; i < AG_COUNT_OF(counters); i++) {
        if (strlen(counters[i].name) == length && memcmp(counters[i].name, name, length) == 0) {
            *offset = counters[i].offset;
            return true;
        }
    }
    return false;
}

void ag_counters_visit(const struct agpu_counters *values,
                       void (*visit)(void *user, const char *name, uint64_t value), void *user)
{
    for (size_t i = 0; i < AG_COUNT_OF(counters); i++)
        visit(user, counters[i].name, ag_load_u64((const char *)values + counters[i].offset));
}
