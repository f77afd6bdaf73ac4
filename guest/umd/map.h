/* SPDX-License-Identifier: MIT
 *
 * Memory of resources that the CPU maps: blocks of the heap which the host reads and writes by packets.
 */
#ifndef GUEST_UMD_MAP_H
#define GUEST_UMD_MAP_H

#include "guest/umd/context.h"

/* Lets the host write what it has newer of staging resources into their blocks: at the end of a submission,
 * so that a later Map finds the bytes there or waits for that submission alone. */
void umd_read_newer(struct umd_context *context);
void umd_forget_newer(struct umd_context *context, struct umd_subresource *subresource);

/* Private memory of a deferred context that was mapped for the list. */
void umd_forget_deferred_maps(struct umd_context *context);

#endif
