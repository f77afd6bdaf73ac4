/* SPDX-License-Identifier: MIT
 *
 * Perturbs inexact results by about as much as sections 3.1.3.2 and 22.10 allow, up, down or not at all, so
 * that tests see which other results implementations may have.
 */
#include <math.h>

#include "ref/machine.h"
#include "ref/number.h"
#include "ref/ops.h"
#include "ref/texture.h"

/* The unit of an opcode's error: a unit in the last place of the largest term, a fraction of the result, or a
 * constant. */
enum rounding { EXACT = 0, TERMS, RELATIVE, RELATIVE_OR_ABSOLUTE, ABSOLUTE };

static const struct {
    uint8_t rounding;
    float amount;
} table[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_ADD] = {TERMS,                0x1p-23f},
      [AGPU_OP_MUL] = {TERMS,                0x1p-23f},
    [AGPU_OP_MAD] = {TERMS,                0x1p-23f},
      [AGPU_OP_DP2] = {TERMS,                0x1p-23f},
    [AGPU_OP_DP3] = {TERMS,                0x1p-23f},
      [AGPU_OP_DP4] = {TERMS,                0x1p-23f},
    [AGPU_OP_DIV] = {RELATIVE,             0x1p-22f},
      [AGPU_OP_SQRT] = {RELATIVE,             0x1p-22f},
    [AGPU_OP_RCP] = {RELATIVE,             0x1p-21f},
      [AGPU_OP_RSQ] = {RELATIVE,             0x1p-21f},
    [AGPU_OP_EXP] = {RELATIVE,             0x1p-21f},
      [AGPU_OP_LOG] = {RELATIVE_OR_ABSOLUTE, 0x1p-21f},
    [AGPU_OP_SINCOS] = {ABSOLUTE,             0x1p-11f},
};

bool ag_ref_may_perturb(const struct ag_ref_thread *thread, uint32_t opcode)
{
    return thread->run->perturb != 0 && table[opcode].rounding != EXACT;
}

/* -1, 0 or 1: pseudo-random by instruction that the thread runs, component and destination. */
static int direction(const struct ag_ref_thread *thread, uint32_t lane)
{
    uint64_t z = thread->run->perturb + thread->steps * UINT64_C(0x9e3779b97f4a7c15) + lane;
    z += ((uint64_t)thread->flattened_id << 32) + ((uint64_t)thread->group_id[0] << 48) +
         ((uint64_t)thread->lane << 40);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (int)((z ^ z >> 31) % 3) - 1;
}

/* Finds the terms of a sum: the products of a source's components, or the operands. */
static uint32_t find_terms(uint32_t opcode, const struct ag_ref_lane *lane, uint32_t source[4][4],
                           double terms[4])
{
    const double a = (double)ag_float_from_bits(lane->a), b = (double)ag_float_from_bits(lane->b);
    const uint32_t dots = opcode == AGPU_OP_DP2   ? 2
                          : opcode == AGPU_OP_DP3 ? 3
                          : opcode == AGPU_OP_DP4 ? 4
                                                  : 0;
    for (uint32_t i = 0; i < dots; i++)
        terms[i] = (double)ag_float_from_bits(source[0][i]) * (double)ag_float_from_bits(source[1][i]);
    if (dots != 0)
        return dots;
    terms[0] = opcode == AGPU_OP_ADD ? a : a * b;
    terms[1] = opcode == AGPU_OP_ADD ? b : opcode == AGPU_OP_MAD ? (double)ag_float_from_bits(lane->c) : 0;
    return 2;
}

/* The greatest power of two of which a finite number is a multiple. */
static double last_place(double number)
{
    int exponent;
    if (!isfinite(number))
        return 0;
    const int64_t digits = (int64_t)ldexp(frexp(number, &exponent), 53);
    return ldexp((double)(digits & -digits), exponent - 53);
}

/* How far the result may deviate. It is 0 if every order of evaluation gives the same result, because the
 * terms are multiples of a power of two that is large enough for no partial sum to be rounded. */
static double step_of(uint32_t opcode, const struct ag_ref_lane *lane, uint32_t source[4][4], double value)
{
    const double amount = (double)table[opcode].amount;
    double terms[4], sum = 0, greatest = 0, quantum = INFINITY;
    switch ((enum rounding)table[opcode].rounding) {
    case EXACT:
        return 0;
    case RELATIVE:
        return fabs(value) * amount;
    case RELATIVE_OR_ABSOLUTE:
        return fmax(fabs(value), 1.0) * amount;
    case ABSOLUTE:
        return amount;
    case TERMS:
        break;
    }
    const uint32_t count = find_terms(opcode, lane, source, terms);
    for (uint32_t i = 0; i < count; i++) {
        sum += fabs(terms[i]);
        greatest = fmax(greatest, fabs(terms[i]));
        quantum = terms[i] != 0 ? fmin(quantum, last_place(terms[i])) : quantum;
    }
    return sum <= quantum * 0x1p24 ? 0 : greatest * amount;
}

uint32_t ag_ref_perturb(const struct ag_ref_thread *thread, uint32_t opcode, const struct ag_ref_lane *lane,
                        uint32_t source[4][4], uint32_t component, uint32_t result)
{
    const double value = (double)ag_float_from_bits(result);
    const int towards = direction(thread, component);
    if (towards == 0 || !isfinite(value))
        return result;
    const double moved = value + towards * step_of(opcode, lane, source, value);
    return ag_ref_flush_by(ag_bits_from_float((float)moved), thread->run->flags);
}

/* Texel coordinates of each level and levels of detail become fixed point with eight fractional bits
 * (sections 7.18.8, 7.18.10 and 7.18.16.1). The average that replaces the missing texel at a cube's corner
 * may be rounded to the format. */
void ag_ref_perturb_sampling(const struct ag_ref_thread *thread, struct ag_ref_sampling *sampling)
{
    const struct ag_ref_view *view = sampling->view;
    const bool is_cube = ag_ref_is_cube(view);
    const uint32_t axes = is_cube ? 3 : ag_ref_axes(view);
    float *at = sampling->coordinate;
    const float longest = fmaxf(fabsf(at[0]), fmaxf(fabsf(at[1]), fabsf(at[2])));
    if (thread->run->perturb == 0)
        return;
    const float of_derivatives = is_cube ? thread->run->cube_lod_error : thread->run->lod_error;
    const float lod_error = sampling->dx != NULL ? fmaxf(of_derivatives, 0x1p-8f) : 0x1p-8f;
    sampling->lod_error = (float)direction(thread, 12) * lod_error;
    sampling->rounds_corners = direction(thread, 13) > 0;
    for (uint32_t i = 0; i < axes; i++) {
        sampling->texel_error[i] = (float)direction(thread, 8 + i) * 0x1p-8f;
        if (is_cube) /* another face may be hit */
            at[i] += sampling->texel_error[i] * longest / (float)ag_ref_mip_size(view, 0, 0);
    }
}

void ag_ref_perturb_coordinate(const struct ag_ref_thread *thread, float coordinate[4])
{
    for (uint32_t i = 0; i < 3 && thread->run->perturb != 0; i++)
        if (!isfinite(coordinate[i])) /* NaN and infinity may select any texel */
            coordinate[i] = 0.4f + 0.3f * (float)direction(thread, 8 + i);
}
