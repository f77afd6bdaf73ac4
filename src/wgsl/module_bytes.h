/* SPDX-License-Identifier: MIT
 *
 * Modules as bytes, for the persistent cache. The bytes are for the same build of the library alone.
 */
#ifndef AG_WGSL_MODULE_BYTES_H
#define AG_WGSL_MODULE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/translate.h"
#include "base/strbuf.h"

/* Appends the bytes of a module; ag_strbuf.failed tells when memory was exhausted. */
void ag_module_write(struct ag_strbuf *bytes, const struct agpu_module *module);

/* The module of such bytes, which the caller owns. Null when they are not those of a module, or memory is
 * exhausted (not reported). */
struct agpu_module *ag_module_read(const uint8_t *bytes, size_t size);

#endif
