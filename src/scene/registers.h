/* SPDX-License-Identifier: MIT
 *
 * The names of BAR0 registers, interrupts, error codes, submit flags and counters in scenes.
 */
#ifndef AG_SCENE_REGISTERS_H
#define AG_SCENE_REGISTERS_H

#include "abi/packet.h"
#include "abi/text_lexer.h"

/* The offsets of registers by their names without AEROGPU_MMIO_REG_. */
extern const struct ag_name_set scene_register_names;
extern const struct ag_name_set scene_irq_names;
extern const struct ag_name_set scene_error_names;
extern const struct ag_name_set scene_submit_flag_names;

/* Reads the name of a format as the value of a register that holds one. Returns false, with nothing
 * reported, for any other register or item. */
bool scene_register_value(const struct ag_text_item *item, uint32_t offset, uint64_t *number);

/* Returns the name of a value, or null. */
const char *scene_name_of(const struct ag_name_set *set, uint32_t value);

/* Finds the offset of a counter in struct agpu_counters. Returns false for an unknown name. */
bool scene_counter_offset(const char *name, size_t length, size_t *offset);

#endif
