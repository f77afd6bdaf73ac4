/* SPDX-License-Identifier: MIT
 *
 * How alike two pictures of the same size are.
 */
#ifndef AG_SCENE_COMPARE_H
#define AG_SCENE_COMPARE_H

#include <stdint.h>

/* Peak signal-to-noise ratio over red, green and blue, in dB; 1000 for equal pictures. */
double scene_psnr(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height);

/* Structural similarity of luma (Rec. 709 weights), the mean over windows of 8x8 pixels, 4 apart; 1 for equal
 * pictures. */
double scene_ssim(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height);

#endif
