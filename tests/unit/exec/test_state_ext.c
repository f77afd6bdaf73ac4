/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "exec/state/state.h"
#include "exec/state/state_ext.h"
#include "format/format.h"
#include "gpu/webgpu.h"
#include "wgsl/options.h"

#define NAN_BITS 0x7fc00000u
#define INFINITY_BITS 0x7f800000u

static const struct aerogpu_ext_blend_target adding = {
    .blend_enable = 1,
    .src_blend = AEROGPU_EXT_BLEND_ONE,
    .dest_blend = AEROGPU_EXT_BLEND_ONE,
    .blend_op = AEROGPU_EXT_BLEND_OP_ADD,
    .src_blend_alpha = AEROGPU_EXT_BLEND_ONE,
    .dest_blend_alpha = AEROGPU_EXT_BLEND_ZERO,
    .blend_op_alpha = AEROGPU_EXT_BLEND_OP_MAX,
    .write_mask = 15,
};

static bool blends(const struct aerogpu_ext_blend_target *target)
{
    const struct aerogpu_cmd_ext_create_blend_state wire = {.target_count = 1};
    struct ag_blend_desc desc;
    return ag_blend_from_ext(&wire, target, &desc) == NULL;
}

/* D3D11_BLEND has two gaps; alpha takes no colours. */
static void knows_every_blend_factor(void **state)
{
    (void)state;
    for (uint32_t factor = 0; factor < 24; factor++) {
        bool exists = (factor >= 1 && factor <= 11) || (factor >= 14 && factor <= 19);
        bool is_color =
            factor == 3 || factor == 4 || factor == 9 || factor == 10 || factor == 16 || factor == 17;
        struct aerogpu_ext_blend_target target = adding;
        target.src_blend = factor;
        assert_int_equal(blends(&target), exists);
        target = adding;
        target.dest_blend = factor;
        assert_int_equal(blends(&target), exists);
        target = adding;
        target.src_blend_alpha = factor;
        assert_int_equal(blends(&target), exists && !is_color);
        target = adding;
        target.dest_blend_alpha = factor;
        assert_int_equal(blends(&target), exists && !is_color);
    }
    for (uint32_t operation = 0; operation < 8; operation++) {
        struct aerogpu_ext_blend_target target = adding;
        target.blend_op = operation;
        assert_int_equal(blends(&target), operation >= 1 && operation <= 5);
        target = adding;
        target.blend_op_alpha = operation;
        assert_int_equal(blends(&target), operation >= 1 && operation <= 5);
    }
}

static void takes_blend_states_in_full(void **state)
{
    (void)state;
    const struct aerogpu_cmd_ext_create_blend_state wire = {
        .alpha_to_coverage_enable = 9, .independent_blend_enable = 1, .target_count = 2};
    const struct aerogpu_ext_blend_target targets[] = {adding, {.write_mask = 5}};
    struct ag_blend_desc desc;
    assert_null(ag_blend_from_ext(&wire, targets, &desc));
    assert_int_equal(desc.alpha_to_coverage, 1);
    assert_int_equal(desc.targets[0].enable, 1);
    assert_int_equal(desc.targets[0].destination, AEROGPU_EXT_BLEND_ONE);
    assert_int_equal(desc.targets[0].operation_alpha, AEROGPU_EXT_BLEND_OP_MAX);
    assert_int_equal(desc.targets[1].enable, 0);
    assert_int_equal(desc.targets[1].source, AEROGPU_EXT_BLEND_ONE); /* off: the default */
    assert_int_equal(desc.targets[1].write_mask, 5);
    assert_int_equal(desc.targets[2].write_mask, 15);
    assert_ptr_equal(ag_blend_target_of(&desc, 1), &desc.targets[1]);
}

static void checks_logic_operations(void **state)
{
    (void)state;
    for (uint32_t operation = 0; operation < 18; operation++) {
        const struct aerogpu_ext_blend_target target = {
            .logic_op_enable = 1, .logic_op = operation, .write_mask = 15};
        assert_int_equal(blends(&target), operation <= 15);
    }
    struct aerogpu_ext_blend_target both = adding;
    both.logic_op_enable = 1;
    assert_false(blends(&both));
    const struct aerogpu_ext_blend_target logic = {.logic_op_enable = 1, .write_mask = 15};
    const struct aerogpu_cmd_ext_create_blend_state independent = {.independent_blend_enable = 1,
                                                                   .target_count = 1};
    struct ag_blend_desc desc;
    assert_non_null(ag_blend_from_ext(&independent, &logic, &desc));
}

/* Both bits in every combination: source 1100, target 1010. */
static void knows_every_logic_operation(void **state)
{
    (void)state;
    static const uint8_t results[16] = {
        0x0, 0xF, 0xC, 0x3, 0xA, 0x5, 0x8, 0x7, 0xE, 0x1, 0x6, 0x9, 0x4, 0x2, 0xD, 0xB,
    };
    struct ag_blend_target target = {.write_mask = 15};
    assert_int_equal(ag_blend_logic(&target), 0);
    target.logic_enable = 1;
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t s = results[i] >> 2;
        target.logic = (uint8_t)i;
        const uint8_t logic = ag_blend_logic(&target);
        if (i == AEROGPU_EXT_LOGIC_OP_NOOP) {
            assert_int_equal(logic, 0); /* the write mask is */
            continue;
        }
        assert_int_equal(logic, AG_LOGIC | results[i]);
        /* Alike for both bits of the target: the upper half is 00 or 11, and so is the lower. */
        bool ignores = (s == 0 || s == 3) && ((results[i] & 3) == 0 || (results[i] & 3) == 3);
        assert_int_equal(ag_logic_reads(logic), !ignores);
    }
    WGPUBlendState blend;
    WGPUColorWriteMask mask;
    target.logic = AEROGPU_EXT_LOGIC_OP_NOOP;
    assert_false(ag_blend_to_webgpu(&target, ag_host_format(AG_DXGI_R8_UINT), 0, &blend, &mask));
    assert_int_equal(mask, 0);
}

static bool stencils(struct aerogpu_cmd_ext_create_depth_stencil_state wire)
{
    struct ag_depth_stencil_desc desc;
    return ag_depth_stencil_from_ext(&wire, &desc) == NULL;
}

static void checks_what_is_switched_on(void **state)
{
    (void)state;
    const struct aerogpu_ext_stencil_face good = {8, 1, 3, 8};
    struct ag_depth_stencil_desc desc;
    const struct aerogpu_cmd_ext_create_depth_stencil_state zeros = {0};
    assert_null(ag_depth_stencil_from_ext(&zeros, &desc));
    assert_int_equal(desc.depth_enable, 0);
    for (uint32_t n = 0; n < 11; n++) {
        bool exists = n >= 1 && n <= 8;
        assert_int_equal(
            stencils((struct aerogpu_cmd_ext_create_depth_stencil_state){.depth_enable = 1, .depth_func = n}),
            exists);
        for (uint32_t field = 0; field < 4; field++) {
            struct aerogpu_ext_stencil_face face = good;
            uint32_t *fields[] = {&face.fail_op, &face.depth_fail_op, &face.pass_op, &face.func};
            *fields[field] = n;
            assert_int_equal(stencils((struct aerogpu_cmd_ext_create_depth_stencil_state){
                                 .stencil_enable = 1, .front_face = face, .back_face = good}),
                             exists);
            assert_int_equal(stencils((struct aerogpu_cmd_ext_create_depth_stencil_state){
                                 .stencil_enable = 1, .front_face = good, .back_face = face}),
                             exists);
            assert_true(stencils((struct aerogpu_cmd_ext_create_depth_stencil_state){.front_face = face}));
        }
    }
    const struct aerogpu_cmd_ext_create_depth_stencil_state faces = {
        .stencil_enable = 1,
        .stencil_read_mask = 0x12,
        .stencil_write_mask = 0x34,
        .front_face = {4, 5, 6, 7},
        .back_face = good
    };
    assert_null(ag_depth_stencil_from_ext(&faces, &desc));
    assert_int_equal(desc.read_mask, 0x12);
    assert_int_equal(desc.write_mask, 0x34);
    assert_int_equal(desc.front.fail, 4);
    assert_int_equal(desc.front.depth_fail, 5);
    assert_int_equal(desc.front.pass, 6);
    assert_int_equal(desc.front.comparison, 7);
    assert_int_equal(desc.back.fail, 8);
}

static void checks_rasterizer_states(void **state)
{
    (void)state;
    const struct aerogpu_cmd_ext_create_rasterizer_state good = {.fill_mode = 3, .cull_mode = 1};
    struct ag_rasterizer_desc desc;
    assert_null(ag_rasterizer_from_ext(&good, &desc));
    for (uint32_t n = 0; n < 20; n++) {
        struct aerogpu_cmd_ext_create_rasterizer_state wire = good;
        wire.fill_mode = n;
        assert_int_equal(ag_rasterizer_from_ext(&wire, &desc) == NULL, n == 2 || n == 3);
        wire = good;
        wire.cull_mode = n;
        assert_int_equal(ag_rasterizer_from_ext(&wire, &desc) == NULL, n >= 1 && n <= 3);
        wire = good;
        wire.forced_sample_count = n;
        assert_int_equal(ag_rasterizer_from_ext(&wire, &desc) == NULL,
                         n == 0 || n == 1 || n == 4 || n == 8 || n == 16);
    }
    struct aerogpu_cmd_ext_create_rasterizer_state wire = good;
    wire.depth_bias_clamp_f32 = NAN_BITS;
    assert_non_null(ag_rasterizer_from_ext(&wire, &desc));
    wire = good;
    wire.slope_scaled_depth_bias_f32 = INFINITY_BITS;
    assert_non_null(ag_rasterizer_from_ext(&wire, &desc));
}

static const char *sampler_problem(uint32_t filter, uint32_t address, uint32_t anisotropy,
                                   uint32_t comparison)
{
    const struct aerogpu_cmd_ext_create_sampler wire = {.filter = filter,
                                                        .address_u = 1,
                                                        .address_v = address,
                                                        .address_w = 5,
                                                        .max_anisotropy = anisotropy,
                                                        .comparison_func = comparison};
    struct ag_sampler_desc desc;
    return ag_sampler_from_ext(&wire, &desc);
}

/* The values of D3D11_FILTER. */
static void knows_every_filter(void **state)
{
    (void)state;
    static const uint32_t filters[] = {0x00, 0x01, 0x04, 0x05, 0x10, 0x11, 0x14, 0x15, 0x55};
    for (uint32_t n = 0; n < 0x400; n++) {
        bool exists = false;
        for (uint32_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
            exists |= (n & ~0x180u) == filters[i];
        assert_int_equal(sampler_problem(n, 1, 1, 1) == NULL, exists);
    }
    for (uint32_t n = 0; n < 8; n++)
        assert_int_equal(sampler_problem(0, n, 1, 1) == NULL, n >= 1 && n <= 5);
    assert_non_null(sampler_problem(0x55, 1, 17, 1));
    assert_null(sampler_problem(0x15, 1, 17, 1)); /* nobody looks at it */
    assert_non_null(sampler_problem(0x80, 1, 1, 0));
    assert_null(sampler_problem(0x100, 1, 1, 0));
}

static void bounds_levels(void **state)
{
    (void)state;
    static const struct {
        float bias;
        bool fits;
    } rows[] = {
        {-16,    true },
        {15.99f, true },
        {0,      true },
        {16,     false},
        {-16.1f, false}
    };
    struct aerogpu_cmd_ext_create_sampler wire = {.address_u = 1, .address_v = 1, .address_w = 1};
    struct ag_sampler_desc desc;
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wire.mip_lod_bias_f32 = ag_bits_from_float(rows[i].bias);
        assert_int_equal(ag_sampler_from_ext(&wire, &desc) == NULL, rows[i].fits);
    }
    wire.mip_lod_bias_f32 = NAN_BITS;
    assert_non_null(ag_sampler_from_ext(&wire, &desc));
    wire.mip_lod_bias_f32 = 0;
    wire.min_lod_f32 = INFINITY_BITS;
    assert_null(ag_sampler_from_ext(&wire, &desc));
    wire.min_lod_f32 = NAN_BITS;
    assert_non_null(ag_sampler_from_ext(&wire, &desc));
}

static void emulates_what_webgpu_lacks(void **state)
{
    (void)state;
    static const struct {
        uint32_t filter;
        uint8_t u, v, w;
        float bias;
        bool emulated;
    } rows[] = {
        {0x15, 1, 2, 3, 0, false},
        {0x15, 4, 1, 1, 0, true },
        {0x15, 1, 5, 1, 0, true },
        {0x15, 1, 1, 4, 0, true },
        {0x15, 1, 1, 1, 2, false},
        {0x95, 1, 1, 1, 2, true },
        {0x95, 1, 1, 1, 0, false},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ag_sampler_desc desc = {.filter = rows[i].filter,
                                             .address_u = rows[i].u,
                                             .address_v = rows[i].v,
                                             .address_w = rows[i].w,
                                             .mip_lod_bias = rows[i].bias};
        assert_int_equal(ag_sampler_is_emulated(&desc), rows[i].emulated);
    }
}

/* D3D11.3 7.18.9.1. */
static void knows_what_a_border_is(void **state)
{
    (void)state;
    static const struct {
        uint32_t dxgi, border;
    } rows[] = {
        {AG_DXGI_R8G8B8A8_UNORM,     15 | 16},
        {AG_DXGI_B8G8R8X8_UNORM,     7 | 16 },
        {AG_DXGI_R8G8B8A8_SNORM,     15 | 32},
        {AG_DXGI_R32G32B32A32_FLOAT, 15     },
        {AG_DXGI_R16G16_FLOAT,       3      },
        {AG_DXGI_R8_UNORM,           1 | 16 },
        {AG_DXGI_R32_UINT,           1      },
        {AG_DXGI_D24_UNORM_S8_UINT,  1 | 16 },
        {AG_DXGI_D32_FLOAT,          1      },
        {AG_DXGI_BC1_UNORM,          15 | 16},
        {AG_DXGI_BC5_SNORM,          3 | 32 },
        {AG_DXGI_BC6H_UF16,          7      },
        {AG_DXGI_R11G11B10_FLOAT,    7      },
        {AG_DXGI_R10G10B10A2_UNORM,  15 | 16},
        {AG_DXGI_B5G6R5_UNORM,       7 | 16 },
        {AG_DXGI_R9G9B9E5_SHAREDEXP, 7      },
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(ag_format_border(ag_host_format(rows[i].dxgi)), rows[i].border);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_every_blend_factor),   cmocka_unit_test(takes_blend_states_in_full),
        cmocka_unit_test(checks_logic_operations),    cmocka_unit_test(knows_every_logic_operation),
        cmocka_unit_test(checks_what_is_switched_on), cmocka_unit_test(checks_rasterizer_states),
        cmocka_unit_test(knows_every_filter),         cmocka_unit_test(bounds_levels),
        cmocka_unit_test(emulates_what_webgpu_lacks), cmocka_unit_test(knows_what_a_border_is),
    };
    return cmocka_run_group_tests_name("exec/state_ext", tests, NULL, NULL);
}
