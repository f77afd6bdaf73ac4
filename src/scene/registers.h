/* SPDX-License-Identifier: MIT
 *
 * The names of BAR0 registers, interrupts, error codes, submit flags and counters in scenes.
 */
#ifndef AG_SCENE_REGISTERS_H
#define AG_SCENE_REGISTERS_H

#include "abi/packet.h"
#include "abi/text_lexer.h"

/* Registers by name, without AEROGPU_MMIO_REG_; the value is the offset. */
extern const struct ag_name_set scene_register_names;
extern const struct ag_name_set scene_irq_names;
extern const struct ag_name_set scene_error_names;
extern const struct ag_name_set scene_submit_flag_names;

/* The value of a register that holds a format, where the item names one; else false, with nothing reported.
 */
bool scene_register_value(const struct ag_text_item *item, uint32_t offset, uint64_t *number);

/* The name of a value, or null. */
const char *scene_name_of(const struct ag_name_set *set, uint32_t value);

/* A counter's offset in struct agpu_counters by its name; false for unknown names. */
bool scene_counter_offset(const char *name, size_t length, size_t *offset);

#endif
