/* SPDX-License-Identifier: MIT
 *
 * How large a module may be for its program. Text grows with the tokens, helper functions are written once,
 * and subroutines and resources chosen at run time have bounds of their own (ir/build_plan.c,
 * ir/build_choice.c).
 */
#ifndef AG_TESTS_MODULE_SIZE_H
#define AG_TESTS_MODULE_SIZE_H

#include "aerogpu/translate.h"

#define MODULE_BYTES (32u << 10) /* of helpers and declarations */
#define MODULE_BYTES_PER_TOKEN 64u

static inline bool module_is_bounded(const struct agpu_shader *shader, const struct agpu_module *module)
{
    return module->wgsl_length <= MODULE_BYTES + (size_t)shader->program.token_count * MODULE_BYTES_PER_TOKEN;
}

#endif
