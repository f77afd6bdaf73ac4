/* SPDX-License-Identifier: MIT
 *
 * Measures how alike two pictures are.
 */
#include "scene/compare.h"

#include <math.h>
#include <stddef.h>

#define WINDOW 8u
#define STEP 4u

double scene_psnr(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height)
{
    const size_t pixels = (size_t)width * height;
    double sum = 0;
    for (size_t i = 0; i < pixels * 4; i++) {
        const double difference = (double)a[i] - (double)b[i];
        sum += i % 4 == 3 ? 0 : difference * difference;
    }
    return sum == 0 ? 1000.0 : 10.0 * log10(255.0 * 255.0 * 3.0 * (double)pixels / sum);
}

static double luma(const uint8_t *rgba)
{
    return 0.2126 * rgba[0] + 0.7152 * rgba[1] + 0.0722 * rgba[2];
}

static double window_ssim(const uint8_t *a, const uint8_t *b, uint32_t pitch, uint32_t columns, uint32_t rows)
{
    static const double c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
    double sum_a = 0, sum_b = 0, square_a = 0, square_b = 0, product = 0;
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < columns; x++) {
            const size_t at = ((size_t)y * pitch + x) * 4;
            const double va = luma(a + at), vb = luma(b + at);
            sum_a += va;
            sum_b += vb;
            square_a += va * va;
            square_b += vb * vb;
            product += va * vb;
        }
    }
    const double count = (double)columns * rows, mean_a = sum_a / count, mean_b = sum_b / count;
    const double variance_a = square_a / count - mean_a * mean_a,
                 variance_b = square_b / count - mean_b * mean_b;
    const double covariance = product / count - mean_a * mean_b;
    return (2 * mean_a * mean_b + c1) * (2 * covariance + c2) /
           ((mean_a * mean_a + mean_b * mean_b + c1) * (variance_a + variance_b + c2));
}

double scene_ssim(const uint8_t *a, const uint8_t *b, uint32_t width, uint32_t height)
{
    const uint32_t columns = width < WINDOW ? width : WINDOW, rows = height < WINDOW ? height : WINDOW;
    double sum = 0;
    uint64_t windows = 0;
    if (width == 0 || height == 0)
        return 1;
    for (uint32_t y = 0; y + rows <= height; y += STEP) {
        for (uint32_t x = 0; x + columns <= width; x += STEP) {
            const size_t at = ((size_t)y * width + x) * 4;
            sum += window_ssim(a + at, b + at, width, columns, rows);
            windows++;
        }
    }
    return sum / (double)windows;
}
