/* SPDX-License-Identifier: MIT
 *
 * The text of signature elements:
 *
 *     .in POSITION0 v0.xyz float
 *     .out SV_Position0 o0.xyzw float position
 *     .patch SV_TessFactor0 o0.x float tri_edge_tess_factor
 *
 * A directive, the semantic name with its index, the register with its mask, the component type, then what is
 * not the default, in any order: the system value, `read=MASK` (inputs; default: all of the mask),
 * `unwritten=MASK` (outputs; default: all outside the mask), `stream=N`, `precision=WORD`. A name that ends
 * in a digit or has other characters than letters, digits and '_' stands in quotes in front of its index. A
 * register outside the register files is one of the words oDepth, oDepthGE, oDepthLE, oMask, oStencilRef,
 * vPrim or NONE.
 */
#ifndef AG_DXBC_SIGNATURE_TEXT_H
#define AG_DXBC_SIGNATURE_TEXT_H

#include "aerogpu/dxbc.h"

/* The default of the read or write mask: an input is read as a whole; an output never writes outside its
 * mask. */
uint8_t ag_signature_default_rw_mask(uint8_t mask, bool outputs);

#endif
