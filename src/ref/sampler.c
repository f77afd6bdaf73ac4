/* SPDX-License-Identifier: MIT
 *
 * The reference sampler, section 7.18: addresses, levels of detail and filters. Coordinates, weights and
 * levels are not rounded to fixed point. options.perturb moves them by the eighth fractional bit, which is
 * the precision of hardware; it does not move a level that the shader gives and that eight bits represent.
 */
#include <assert.h>
#include <math.h>

#include "ref/number.h"
#include "ref/texture.h"

/* ---- Addresses ---------------------------------------------------------------------------------------- */

/* Section 7.18.6. NaN selects texel 0, as its conversion to fixed point would. */
static float reduce_range(float u, uint32_t mode)
{
    if (isnan(u))
        return 0.0f;
    switch (mode) {
    case AG_REF_WRAP:
        return isinf(u) ? 0.0f : u - floorf(u);
    case AG_REF_MIRROR:
        return isinf(u) ? 0.0f : (u / 2 - truncf(u / 2)) * 2;
    default:
        return fmaxf(-10.0f, fminf(10.0f, u));
    }
}

/* Section 7.18.9. False when the border colour takes the texel's place. */
static bool wrap_address(int64_t *texel, int64_t size, uint32_t mode)
{
    const int64_t t = *texel;
    assert(size > 0);
    if (t >= 0 && t < size)
        return true;
    const int64_t mirrored = t < 0 ? -t - 1 : t;
    switch (mode) {
    case AG_REF_WRAP:
        *texel = t % size < 0 ? t % size + size : t % size;
        return true;
    case AG_REF_MIRROR:
        *texel = mirrored / size & 1 ? size - mirrored % size - 1 : mirrored % size;
        return true;
    case AG_REF_CLAMP:
        *texel = t < 0 ? 0 : size - 1;
        return true;
    case AG_REF_MIRROR_ONCE:
        *texel = mirrored < size ? mirrored : size - 1;
        return true;
    case AG_REF_BORDER:
        return false;
    default:
        *texel = 0;
        return true;
    }
}

/* ---- Texels ------------------------------------------------------------------------------------------- */

/* One mip, as a filter reads it. */
struct level {
    const struct ag_ref_sampling *sampling;
    uint32_t mip;
    uint32_t layer; /* the array layer; of a cube, the layer of its first face */
    uint32_t face;  /* of a cube */
    uint32_t axes;
    bool is_cube;
    float coordinate[3]; /* normalised, on the face of a cube */
    float reference;     /* quantised to the format */
};

static bool is_integer(const struct ag_ref_format *format)
{
    return format->kind == AG_REF_UINT || format->kind == AG_REF_SINT || format->kind == AG_REF_TYPELESS;
}

/* Section 7.18.9.1: the components of the border colour that the format has, clamped to the format's
 * range. */
static void load_border(const struct ag_ref_sampling *sampling, uint32_t value[4])
{
    const struct ag_ref_format *format = &sampling->view->format;
    static const uint8_t zeros[16];
    ag_ref_format_load(format, zeros, value);
    const bool is_unorm = format->kind == AG_REF_UNORM || format->kind == AG_REF_UNORM_SRGB;
    for (uint32_t i = 0; i < 4; i++) {
        if (format->channel[i].bits == 0 && !(format->kind == AG_REF_SHARED_EXP && i < 3))
            continue;
        float c = sampling->sampler->border_color[i];
        if (format->kind == AG_REF_UINT || format->kind == AG_REF_TYPELESS) {
            value[i] = ag_ref_to_uint((double)c);
            continue;
        }
        if (format->kind == AG_REF_SINT) {
            value[i] = ag_ref_to_int((double)c);
            continue;
        }
        if (is_unorm)
            c = fmaxf(0.0f, fminf(1.0f, c));
        else if (format->kind == AG_REF_SNORM)
            c = fmaxf(-1.0f, fminf(1.0f, c));
        value[i] = ag_bits_from_float(c);
    }
}

static bool compare(uint32_t function, float reference, float texel)
{
    switch (function) {
    case AG_REF_LESS:
        return reference < texel;
    case AG_REF_EQUAL:
        return reference == texel;
    case AG_REF_LESS_EQUAL:
        return reference <= texel;
    case AG_REF_GREATER:
        return reference > texel;
    case AG_REF_NOT_EQUAL:
        return reference != texel;
    case AG_REF_GREATER_EQUAL:
        return reference >= texel;
    case AG_REF_ALWAYS:
        return true;
    default:
        return false;
    }
}

/* Section 22.4.19: replaces the texel by the result of the comparison. */
static void compare_texel(const struct level *level, uint32_t value[4])
{
    const float texel = ag_float_from_bits(ag_ref_flush(value[0]));
    const bool passes = compare(level->sampling->sampler->comparison, level->reference, texel);
    for (uint32_t i = 0; i < 4; i++)
        value[i] = passes ? AG_REF_ONE : 0;
}

static void finish_texel(const struct level *level, const struct ag_ref_texel *texel, uint32_t value[4])
{
    ag_ref_load_texel(level->sampling->view, texel, value);
    if (level->sampling->compares)
        compare_texel(level, value);
}

static void fetch_plain(const struct level *level, const int64_t at[3], uint32_t value[4])
{
    const struct ag_ref_sampling *sampling = level->sampling;
    int64_t wrapped[3] = {at[0], at[1], at[2]};
    bool inside = true;
    for (uint32_t axis = 0; axis < level->axes; axis++) {
        const uint32_t size = ag_ref_mip_size(sampling->view, level->mip, axis);
        inside &= wrap_address(&wrapped[axis], size, sampling->sampler->address[axis]);
    }
    if (!inside) {
        load_border(sampling, value);
        if (sampling->compares)
            compare_texel(level, value);
        return;
    }
    const struct ag_ref_texel texel = {.x = (uint32_t)wrapped[0],
                                       .y = (uint32_t)wrapped[1],
                                       .z = (uint32_t)wrapped[2],
                                       .layer = level->layer,
                                       .mip = level->mip};
    finish_texel(level, &texel, value);
}

static void fetch_face(const struct level *level, int64_t x, int64_t y, uint32_t value[4])
{
    const int64_t size = ag_ref_mip_size(level->sampling->view, level->mip, 0);
    uint32_t face = level->face;
    if (x < 0 || x >= size || y < 0 || y >= size)
        ag_ref_cube_neighbour((uint32_t)size, &face, &x, &y);
    const struct ag_ref_texel texel = {
        .x = (uint32_t)x, .y = (uint32_t)y, .layer = level->layer + face, .mip = level->mip};
    finish_texel(level, &texel, value);
}

/* There is no texel beyond a corner of a cube. It is the average of the three others, so that its weight is
 * distributed equally (section 7.18.12). */
static void fetch_corner(const struct level *level, int64_t x, int64_t y, uint32_t value[4])
{
    const int64_t last = ag_ref_mip_size(level->sampling->view, level->mip, 0) - 1;
    const int64_t inner_x = x < 0 ? 0 : last, inner_y = y < 0 ? 0 : last;
    uint32_t three[3][4];
    fetch_face(level, inner_x, inner_y, three[0]);
    fetch_face(level, x, inner_y, three[1]);
    fetch_face(level, inner_x, y, three[2]);
    for (uint32_t i = 0; i < 4; i++) {
        const double sum = (double)ag_float_from_bits(three[0][i]) + (double)ag_float_from_bits(three[1][i]) +
                           (double)ag_float_from_bits(three[2][i]);
        value[i] =
            is_integer(&level->sampling->view->format) ? three[0][i] : ag_bits_from_float((float)(sum / 3.0));
    }
    if (level->sampling->rounds_corners && !level->sampling->compares) {
        const struct ag_ref_format *format = &level->sampling->view->format;
        uint8_t texel[16] = {0};
        ag_ref_format_store(format, value, texel);
        ag_ref_format_load(format, texel, value);
    }
}

static void fetch(const struct level *level, const int64_t at[3], uint32_t value[4])
{
    if (!level->is_cube) {
        fetch_plain(level, at, value);
        return;
    }
    const int64_t size = ag_ref_mip_size(level->sampling->view, level->mip, 0);
    const bool x_out = at[0] < 0 || at[0] >= size, y_out = at[1] < 0 || at[1] >= size;
    if (x_out && y_out)
        fetch_corner(level, at[0], at[1], value);
    else
        fetch_face(level, at[0], at[1], value);
}

/* ---- One mip ------------------------------------------------------------------------------------------ */

/* Quantises the reference as a depth value would be, by storing and loading it in the format. */
static float quantise_reference(const struct ag_ref_format *format, float reference)
{
    uint8_t texel[16] = {0};
    uint32_t value[4] = {ag_ref_flush(ag_bits_from_float(reference))};
    if (is_integer(format) || format->kind == AG_REF_SHARED_EXP || format->channel[0].bits == 0)
        return reference;
    ag_ref_format_store(format, value, texel);
    ag_ref_format_load(format, texel, value);
    return ag_float_from_bits(ag_ref_flush(value[0]));
}

static struct level open_level(const struct ag_ref_sampling *sampling, uint32_t mip)
{
    const struct ag_ref_view *view = sampling->view;
    struct level level = {.sampling = sampling, .mip = mip, .axes = ag_ref_axes(view)};
    level.is_cube = ag_ref_is_cube(view);
    memcpy(level.coordinate, sampling->coordinate, sizeof level.coordinate);
    const float slice = sampling->coordinate[level.is_cube ? 3 : level.axes < 3 ? level.axes : 0];
    if (view->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY)
        level.layer = 6 * ag_ref_array_slice(slice, view->layers / 6);
    else if (view->dimension == AGPU_DIMENSION_TEXTURE1DARRAY ||
             view->dimension == AGPU_DIMENSION_TEXTURE2DARRAY)
        level.layer = ag_ref_array_slice(slice, view->layers);
    if (level.is_cube)
        level.face = ag_ref_cube_face(sampling->coordinate, level.coordinate);
    if (sampling->compares)
        level.reference = quantise_reference(&view->format, sampling->reference);
    return level;
}

/* The texel at or before the coordinate along an axis, after a shift by `shift` texels, and the fraction
 * behind it. */
static int64_t find_texel(const struct level *level, uint32_t axis, float shift, float *fraction)
{
    const struct ag_ref_sampling *sampling = level->sampling;
    const float size = (float)ag_ref_mip_size(sampling->view, level->mip, axis);
    const uint32_t mode = level->is_cube ? AG_REF_CLAMP : sampling->sampler->address[axis];
    const float scaled =
        reduce_range(level->coordinate[axis], mode) * size - shift + sampling->texel_error[axis];
    *fraction = scaled - floorf(scaled);
    return (int64_t)floorf(scaled) + (level->is_cube ? 0 : sampling->offset[axis]);
}

static void sample_point(const struct level *level, uint32_t value[4])
{
    int64_t at[3] = {0};
    float fraction;
    for (uint32_t axis = 0; axis < level->axes; axis++) {
        at[axis] = find_texel(level, axis, 0.0f, &fraction);
        const int64_t last = ag_ref_mip_size(level->sampling->view, level->mip, axis) - 1;
        if (level->is_cube)
            at[axis] = at[axis] < 0 ? 0 : at[axis] > last ? last : at[axis];
    }
    fetch(level, at, value);
}

/* A texel with weight 0 is not read, so that NaN or infinity in it does not matter. */
static void sample_linear(const struct level *level, uint32_t value[4])
{
    int64_t base[3] = {0};
    float fraction[3] = {0};
    double sum[4] = {0};
    for (uint32_t axis = 0; axis < level->axes; axis++)
        base[axis] = find_texel(level, axis, 0.5f, &fraction[axis]);
    for (uint32_t corner = 0; corner < 1u << level->axes; corner++) {
        int64_t at[3] = {base[0], base[1], base[2]};
        double weight = 1.0;
        for (uint32_t axis = 0; axis < level->axes; axis++) {
            const bool upper = corner >> axis & 1;
            at[axis] += upper;
            weight *= upper ? (double)fraction[axis] : 1.0 - (double)fraction[axis];
        }
        if (weight == 0.0)
            continue;
        uint32_t texel[4];
        fetch(level, at, texel);
        for (uint32_t i = 0; i < 4; i++)
            sum[i] += weight * (double)ag_float_from_bits(texel[i]);
    }
    for (uint32_t i = 0; i < 4; i++)
        value[i] = ag_bits_from_float((float)sum[i]);
}

/* ---- Levels of detail --------------------------------------------------------------------------------- */

/* A derivative in units of texels of mip 0. */
static void scale_derivative(const struct ag_ref_sampling *sampling, const float *derivative, float scaled[3])
{
    float along[3] = {derivative[0], derivative[1], derivative[2]};
    if (ag_ref_is_cube(sampling->view))
        ag_ref_cube_derivative(sampling->coordinate, derivative, along);
    for (uint32_t axis = 0; axis < 3; axis++)
        scaled[axis] = axis < ag_ref_axes(sampling->view)
                           ? along[axis] * (float)ag_ref_mip_size(sampling->view, 0, axis)
                           : 0.0f;
}

static bool is_anisotropic(const struct ag_ref_sampling *sampling)
{
    const enum agpu_resource_dimension dimension = sampling->view->dimension;
    return (sampling->sampler->filter & AG_REF_FILTER_ANISOTROPIC) != 0 && sampling->dx != NULL &&
           (dimension == AGPU_DIMENSION_TEXTURE2D || dimension == AGPU_DIMENSION_TEXTURE2DARRAY);
}

static float length_of(const float v[3])
{
    return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Section 7.18.11, without the optional transformation of the ellipse to its axes. */
static float anisotropic_lod(const struct ag_ref_sampling *sampling, const float dx[3], const float dy[3],
                             struct ag_ref_lod *lod)
{
    const uint32_t limit = sampling->sampler->max_anisotropy;
    const float most = (float)(limit < 1 ? 1 : limit > 16 ? 16 : limit);
    const bool is_major_x = length_of(dx) > length_of(dy);
    const float *major = is_major_x ? dx : dy;
    const float major_length = length_of(major);
    const float area = fabsf(dx[0] * dy[1] - dx[1] * dy[0]);
    float ratio = major_length * major_length / area;
    float minor_length = area / major_length;
    if (!(ratio <= most)) {
        ratio = most;
        minor_length = major_length / ratio;
    }
    if (minor_length < 1.0f)
        ratio = fmaxf(1.0f, ratio * minor_length);
    lod->taps = (uint32_t)ceilf(ratio);
    lod->line[0] = major[0] / (float)sampling->view->width;
    lod->line[1] = major[1] / (float)sampling->view->height;
    return log2f(minor_length);
}

static float computed_lod(const struct ag_ref_sampling *sampling, struct ag_ref_lod *lod)
{
    if (sampling->dx == NULL)
        return sampling->lod;
    float dx[3], dy[3];
    scale_derivative(sampling, sampling->dx, dx);
    scale_derivative(sampling, sampling->dy, dy);
    const bool has_area = length_of(dx) > 0.0f && length_of(dy) > 0.0f;
    if (is_anisotropic(sampling) && has_area && isfinite(length_of(dx)) && isfinite(length_of(dy)))
        return anisotropic_lod(sampling, dx, dy, lod);
    return log2f(fmaxf(length_of(dx), length_of(dy)));
}

struct ag_ref_lod ag_ref_find_lod(const struct ag_ref_sampling *sampling)
{
    const struct ag_ref_view *view = sampling->view;
    const struct ag_ref_sampler *sampler = sampling->sampler;
    const float last_mip = (float)(view->mips - 1);
    struct ag_ref_lod lod = {.taps = 1};
    lod.unclamped = computed_lod(sampling, &lod) + sampler->mip_lod_bias + sampling->bias;
    const bool is_exact = sampling->dx == NULL && lod.unclamped * 256.0f == floorf(lod.unclamped * 256.0f);
    lod.unclamped += is_exact ? 0.0f : sampling->lod_error;
    lod.clamped = fmaxf(sampler->min_lod, fminf(sampler->max_lod, lod.unclamped));
    lod.clamped = fmaxf(lod.clamped, view->min_lod);
    lod.out_of_range = view->min_lod > last_mip;
    if (sampling->has_lod_clamp) {
        lod.clamped = fmaxf(lod.clamped, sampling->lod_clamp);
        lod.out_of_range |= sampling->lod_clamp > last_mip || sampling->lod_clamp > sampler->max_lod;
    }
    return lod;
}

/* ---- Filters ------------------------------------------------------------------------------------------ */

static void sample_level(const struct ag_ref_sampling *sampling, uint32_t mip, bool linear, uint32_t value[4])
{
    const struct level level = open_level(sampling, mip);
    if (linear)
        sample_linear(&level, value);
    else
        sample_point(&level, value);
}

/* One isotropic sample, from one or two mips. */
static void sample_mips(const struct ag_ref_sampling *sampling, float lod, bool magnifies, uint32_t value[4])
{
    const uint32_t filter = sampling->sampler->filter;
    const bool all_linear = (filter & AG_REF_FILTER_ANISOTROPIC) != 0;
    const bool can_filter = !is_integer(&sampling->view->format) || sampling->compares;
    const uint32_t wanted = magnifies ? AG_REF_FILTER_MAG_LINEAR : AG_REF_FILTER_MIN_LINEAR;
    const bool linear = can_filter && (all_linear || (filter & wanted) != 0);
    const uint32_t last = sampling->view->mips - 1;
    const float in_range = fmaxf(0.0f, fminf(lod, (float)last));
    if (!can_filter || !(all_linear || filter & AG_REF_FILTER_MIP_LINEAR)) {
        sample_level(sampling, (uint32_t)floorf(in_range + 0.5f), linear, value);
        return;
    }
    const uint32_t mip = (uint32_t)in_range;
    const float weight = in_range - (float)mip;
    sample_level(sampling, mip, linear, value);
    if (weight == 0.0f)
        return;
    uint32_t coarser[4];
    sample_level(sampling, mip + 1, linear, coarser);
    for (uint32_t i = 0; i < 4; i++) {
        const double a = (double)ag_float_from_bits(value[i]), b = (double)ag_float_from_bits(coarser[i]);
        value[i] = ag_bits_from_float((float)(a * (1.0 - (double)weight) + b * (double)weight));
    }
}

static void sample_line(const struct ag_ref_sampling *sampling, const struct ag_ref_lod *lod,
                        uint32_t value[4])
{
    double sum[4] = {0};
    for (uint32_t tap = 0; tap < lod->taps; tap++) {
        const float along = ((float)tap + 0.5f) / (float)lod->taps - 0.5f;
        struct ag_ref_sampling moved = *sampling;
        moved.coordinate[0] += along * lod->line[0];
        moved.coordinate[1] += along * lod->line[1];
        sample_mips(&moved, lod->clamped, lod->clamped <= 0.0f, value);
        for (uint32_t i = 0; i < 4; i++)
            sum[i] += (double)ag_float_from_bits(value[i]);
    }
    for (uint32_t i = 0; i < 4; i++)
        value[i] = ag_bits_from_float((float)(sum[i] / (double)lod->taps));
}

static bool can_sample(const struct ag_ref_view *view)
{
    return ag_ref_is_texture(view) && ag_ref_texture_size(view) != 0 &&
           (!ag_ref_is_cube(view) || view->layers >= 6);
}

/* The result when no mip is left: 0 in the format's components, defaults in the others. */
static void out_of_range(const struct ag_ref_view *view, uint32_t value[4])
{
    static const uint8_t zeros[16];
    ag_ref_format_load(&view->format, zeros, value);
}

void ag_ref_sample(const struct ag_ref_sampling *sampling, uint32_t value[4])
{
    memset(value, 0, 4 * sizeof *value);
    if (!can_sample(sampling->view))
        return;
    const struct ag_ref_lod lod = ag_ref_find_lod(sampling);
    if (lod.out_of_range)
        out_of_range(sampling->view, value);
    else if (lod.taps > 1 && !is_integer(&sampling->view->format))
        sample_line(sampling, &lod, value);
    else
        sample_mips(sampling, lod.clamped, lod.clamped <= 0.0f, value);
}

void ag_ref_gather(const struct ag_ref_sampling *sampling, uint32_t channel, uint32_t value[4])
{
    static const uint8_t step_x[4] = {0, 1, 1, 0}, step_y[4] = {1, 1, 0, 0};
    memset(value, 0, 4 * sizeof *value);
    if (!can_sample(sampling->view) || ag_ref_axes(sampling->view) != 2)
        return;
    const struct level level = open_level(sampling, 0);
    float fraction;
    const int64_t x = find_texel(&level, 0, 0.5f, &fraction), y = find_texel(&level, 1, 0.5f, &fraction);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t texel[4];
        if (sampling->view->min_lod >= 1.0f)
            out_of_range(sampling->view, texel);
        else
            fetch(&level, (const int64_t[3]){x + step_x[i], y + step_y[i], 0}, texel);
        value[i] = texel[channel & 3];
    }
}
