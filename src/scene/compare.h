/* SPDX-License-Identifier: MIT
 *
 * Measures of how alike two pictures of the same size are.
 */
#ifndef AG_SCENE_COMPARE_H
#define AG_SCENE_COMPARE_H

#include <stdint.h>

/* Returns the peak signal-to-noise ratio over red, green and blue in dB, and 1000 for equal pictures. */
double scene_psnr(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height);

/* Returns the structural similarity of luma (Rec. 709 weights), the mean over windows of 8x8 pixels that are
 * 4 pixels apart. Equal pictures have 1. */
double scene_ssim(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height);

#endif
