/* SPDX-License-Identifier: MIT
 *
 * The range of numbers of a target. Direct3D clamps what was blended to the range of a UNORM or SNORM target
 * (D3D11.3 17.5). Where the components are floats on the host (AG_CONVERT_FLOATS) WebGPU does not, so that
 * draws clamp them: with the lesser of what is there and 1, and with the greater of it and 0 or -1.
 */
#ifndef AG_EXEC_RECORD_TARGET_RANGE_H
#define AG_EXEC_RECORD_TARGET_RANGE_H

struct ag_attachments;
struct ag_recorder;

/* Clamps the targets that exceed their range, outside a pass. */
void ag_target_ranges_clamp(struct ag_recorder *recorder, const struct ag_attachments *attachments);

/* Releases the objects of the device. */
void ag_target_ranges_clear(struct ag_recorder *recorder);

#endif
