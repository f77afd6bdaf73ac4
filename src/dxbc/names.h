/* SPDX-License-Identifier: MIT
 *
 * The words of the listing for enumerated values: one list each, read by the disassembler and the assembler
 * (dxbc-format 2.2, 2.3, 4.6, 5.4).
 */
#ifndef AG_DXBC_NAMES_H
#define AG_DXBC_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ag_name_list {
    const char *what;         /* for messages: "an interpolation mode" */
    const char *const *names; /* by number; null where a number has no word */
    uint32_t count;
};

extern const struct ag_name_list ag_names_dimension;
extern const struct ag_name_list ag_names_return_type;
extern const struct ag_name_list ag_names_interpolation;
extern const struct ag_name_list ag_names_system_name;  /* in *_siv and *_sgv declarations */
extern const struct ag_name_list ag_names_system_value; /* in signatures */
/* The short words in the compiler's signature tables. */
extern const struct ag_name_list ag_names_sysvalue_table;
extern const struct ag_name_list ag_names_global_flag; /* by bit number */
extern const struct ag_name_list ag_names_output_topology;
extern const struct ag_name_list ag_names_primitive;
extern const struct ag_name_list ag_names_domain;
extern const struct ag_name_list ag_names_partitioning;
extern const struct ag_name_list ag_names_tessellator_output;
extern const struct ag_name_list ag_names_sampler_mode;
extern const struct ag_name_list ag_names_access; /* of constant buffers */
extern const struct ag_name_list ag_names_min_precision;
extern const struct ag_name_list ag_names_component_type;
extern const struct ag_name_list ag_names_resinfo_type;
extern const struct ag_name_list ag_names_sync_flag; /* by bit number */
extern const struct ag_name_list ag_names_feature;   /* bits of the SFI0 chunk, by bit number */
extern const struct ag_name_list ag_names_statistic; /* dwords of the STAT chunk, by index */
extern const struct ag_name_list ag_names_rdef_class;
extern const struct ag_name_list ag_names_rdef_base_type;
extern const struct ag_name_list ag_names_rdef_buffer_kind;
extern const struct ag_name_list ag_names_rdef_input_type;
extern const struct ag_name_list ag_names_rdef_return_type;
extern const struct ag_name_list ag_names_rdef_dimension;

/* The word for a value, or null. */
const char *ag_name_of(const struct ag_name_list *list, uint32_t value);

/* Finds the value of a word of `length` bytes. */
bool ag_value_of(const struct ag_name_list *list, const char *text, size_t length, uint32_t *value);

/* Finds the value of the longest word that `text` begins with; interpolation modes consist of several
 * words. */
bool ag_longest_value_of(const struct ag_name_list *list, const char *text, size_t length, uint32_t *value,
                         size_t *used);

#endif
