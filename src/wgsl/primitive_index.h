/* SPDX-License-Identifier: MIT
 *
 * Modules that need the WebGPU feature primitive-index, for compilers that do not know it.
 */
#ifndef AG_WGSL_PRIMITIVE_INDEX_H
#define AG_WGSL_PRIMITIVE_INDEX_H

#include "aerogpu/translate.h"

/* The module's text with the primitive's number as a flat input at a location instead of the built-in value,
 * line by line: WGSL that compiles if, and only if, the module does. The caller frees it. Null when memory
 * runs out. */
char *ag_wgsl_replace_primitive_index(const struct agpu_module *module);

#endif
