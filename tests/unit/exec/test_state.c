/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <float.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "exec/state/state.h"
#include "format/format.h"
#include "gpu/webgpu.h"

static void starts_with_direct3d_defaults(void **state)
{
    (void)state;
    struct ag_blend_desc blend;
    struct ag_depth_stencil_desc depth;
    struct ag_rasterizer_desc raster;
    ag_blend_default(&blend);
    ag_depth_stencil_default(&depth);
    ag_rasterizer_default(&raster);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(blend.targets[i].enable, 0);
        assert_int_equal(blend.targets[i].write_mask, 15);
    }
    assert_int_equal(depth.depth_enable, 1);
    assert_int_equal(depth.depth_comparison, AEROGPU_EXT_COMPARISON_LESS);
    assert_int_equal(depth.read_mask, 255);
    assert_int_equal(raster.cull, AEROGPU_EXT_CULL_BACK);
    assert_int_equal(raster.fill, AEROGPU_EXT_FILL_SOLID);
    assert_int_equal(raster.depth_clip, 1);
    assert_int_equal(raster.front_counter_clockwise, 0);
    assert_int_equal(raster.scissor, 0);
    assert_int_equal(raster.multisample, 0);
    assert_int_equal(raster.antialiased_line, 0);
    assert_int_equal(raster.forced_samples, 0);
    assert_int_equal(raster.depth_bias, 0);
    assert_true(raster.depth_bias_clamp == 0 && raster.slope_scaled_depth_bias == 0);
    assert_int_equal(blend.alpha_to_coverage, 0);
    assert_int_equal(blend.independent, 0);
    assert_int_equal(blend.targets[7].logic_enable, 0);
    assert_int_equal(blend.targets[7].logic, AEROGPU_EXT_LOGIC_OP_NOOP);
    assert_int_equal(depth.depth_write, 1);
    assert_int_equal(depth.stencil_enable, 0);
    assert_int_equal(depth.write_mask, 255);
    const struct ag_stencil_face *faces[] = {&depth.front, &depth.back};
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(faces[i]->fail, AEROGPU_EXT_STENCIL_OP_KEEP);
        assert_int_equal(faces[i]->depth_fail, AEROGPU_EXT_STENCIL_OP_KEEP);
        assert_int_equal(faces[i]->pass, AEROGPU_EXT_STENCIL_OP_KEEP);
        assert_int_equal(faces[i]->comparison, AEROGPU_EXT_COMPARISON_ALWAYS);
    }
}

/* Unknown numbers: source ONE, destination ZERO, operation ADD, comparison ALWAYS, cull unchanged. */
static void takes_unknown_numbers_as_the_abi_says(void **state)
{
    (void)state;
    const struct aerogpu_blend_state wire = {.enable = 2,
                                             .src_factor = 99,
                                             .dst_factor = 99,
                                             .blend_op = 99,
                                             .color_write_mask = 0xF5,
                                             .src_factor_alpha = 99,
                                             .dst_factor_alpha = 8,
                                             .blend_op_alpha = 5};
    const struct aerogpu_depth_stencil_state wire_depth = {.depth_enable = 1, .depth_func = 8};
    const struct aerogpu_rasterizer_state wire_raster = {
        .cull_mode = 3, .fill_mode = 1, .flags = 1, .depth_bias = -5};
    struct ag_blend_desc blend;
    struct ag_depth_stencil_desc depth;
    struct ag_rasterizer_desc raster;
    ag_blend_from_abi(&wire, &blend);
    const struct ag_blend_target *target = ag_blend_target_of(&blend, 3);
    assert_int_equal(target->enable, 1);
    assert_int_equal(target->source, AEROGPU_EXT_BLEND_ONE);
    assert_int_equal(target->destination, AEROGPU_EXT_BLEND_ZERO);
    assert_int_equal(target->operation, AEROGPU_EXT_BLEND_OP_ADD);
    assert_int_equal(target->source_alpha, AEROGPU_EXT_BLEND_ONE);
    assert_int_equal(target->destination_alpha, AEROGPU_EXT_BLEND_ZERO);
    assert_int_equal(target->operation_alpha, AEROGPU_EXT_BLEND_OP_ADD);
    assert_int_equal(target->write_mask, 5);
    ag_depth_stencil_from_abi(&wire_depth, &depth);
    assert_int_equal(depth.depth_comparison, AEROGPU_EXT_COMPARISON_ALWAYS);
    ag_rasterizer_default(&raster);
    raster.cull = AEROGPU_EXT_CULL_FRONT;
    ag_rasterizer_from_abi(&wire_raster, &raster);
    assert_int_equal(raster.cull, AEROGPU_EXT_CULL_FRONT);
    assert_int_equal(raster.fill, AEROGPU_EXT_FILL_WIREFRAME);
    assert_int_equal(raster.depth_clip, 0);
    assert_int_equal(raster.depth_bias, -5);
}

static void maps_abi_numbers(void **state)
{
    (void)state;
    static const uint8_t factors[] = {AEROGPU_EXT_BLEND_ZERO,         AEROGPU_EXT_BLEND_ONE,
                                      AEROGPU_EXT_BLEND_SRC_ALPHA,    AEROGPU_EXT_BLEND_INV_SRC_ALPHA,
                                      AEROGPU_EXT_BLEND_DEST_ALPHA,   AEROGPU_EXT_BLEND_INV_DEST_ALPHA,
                                      AEROGPU_EXT_BLEND_BLEND_FACTOR, AEROGPU_EXT_BLEND_INV_BLEND_FACTOR};
    struct ag_blend_desc blend;
    struct ag_sampler_desc sampler;
    for (uint32_t i = 0; i < 8; i++) {
        const struct aerogpu_blend_state wire = {.src_factor = i, .dst_factor = 7 - i, .blend_op = i % 5};
        ag_blend_from_abi(&wire, &blend);
        assert_int_equal(blend.targets[0].source, factors[i]);
        assert_int_equal(blend.targets[0].destination, factors[7 - i]);
        assert_int_equal(blend.targets[0].operation, i % 5 + 1);
    }
    struct aerogpu_cmd_create_sampler wire = {.filter = 1, .address_u = 1, .address_v = 2};
    assert_true(ag_sampler_from_abi(&wire, &sampler));
    assert_int_equal(sampler.filter, 0x15);
    assert_int_equal(sampler.address_u, AEROGPU_EXT_ADDRESS_WRAP);
    assert_int_equal(sampler.address_v, AEROGPU_EXT_ADDRESS_MIRROR);
    assert_int_equal(sampler.address_w, AEROGPU_EXT_ADDRESS_CLAMP);
    wire.address_w = 3;
    assert_false(ag_sampler_from_abi(&wire, &sampler));
    wire.address_w = 0;
    wire.filter = 2;
    assert_false(ag_sampler_from_abi(&wire, &sampler));
}

static void blends_without_alpha(void **state)
{
    (void)state;
    const struct ag_host_format *x8 = ag_host_format(AG_DXGI_B8G8R8X8_UNORM);
    const struct ag_host_format *a8 = ag_host_format(AG_DXGI_B8G8R8A8_UNORM);
    struct ag_blend_target target = {
        .enable = 1,
        .source = AEROGPU_EXT_BLEND_DEST_ALPHA,
        .destination = AEROGPU_EXT_BLEND_INV_DEST_ALPHA,
        .operation = AEROGPU_EXT_BLEND_OP_ADD,
        .source_alpha = AEROGPU_EXT_BLEND_SRC_ALPHA_SAT,
        .destination_alpha = AEROGPU_EXT_BLEND_ONE,
        .operation_alpha = AEROGPU_EXT_BLEND_OP_ADD,
        .write_mask = 15,
    };
    WGPUBlendState blend;
    WGPUColorWriteMask mask;
    assert_true(ag_blend_to_webgpu(&target, x8, 0, &blend, &mask));
    assert_int_equal(blend.color.srcFactor, WGPUBlendFactor_One);
    assert_int_equal(blend.color.dstFactor, WGPUBlendFactor_Zero);
    assert_int_equal(blend.alpha.srcFactor, WGPUBlendFactor_One);
    assert_int_equal(mask, 7);
    assert_true(ag_blend_to_webgpu(&target, a8, 0, &blend, &mask));
    assert_int_equal(blend.color.srcFactor, WGPUBlendFactor_DstAlpha);
    assert_int_equal(mask, 15);
    target.operation = AEROGPU_EXT_BLEND_OP_MAX; /* WebGPU wants ONE, Direct3D ignores the factors */
    assert_true(ag_blend_to_webgpu(&target, a8, 0, &blend, &mask));
    assert_int_equal(blend.color.srcFactor, WGPUBlendFactor_One);
    assert_int_equal(blend.color.dstFactor, WGPUBlendFactor_One);
    target.enable = 0;
    assert_false(ag_blend_to_webgpu(&target, a8, 0, &blend, &mask));
    target.enable = 1;
    assert_false(ag_blend_uses_source1(&target));
    target.destination_alpha = AEROGPU_EXT_BLEND_INV_SRC1_ALPHA;
    assert_true(ag_blend_uses_source1(&target));
}

static void biases_triangles_only(void **state)
{
    (void)state;
    struct ag_depth_stencil_desc depth;
    struct ag_rasterizer_desc raster;
    WGPUDepthStencilState out;
    ag_depth_stencil_default(&depth);
    ag_rasterizer_default(&raster);
    raster.depth_bias = 7;
    depth.stencil_enable = 1;
    depth.read_mask = 3;
    ag_depth_stencil_to_webgpu(&depth, &raster, AG_DEPTH_BIAS_OF_DRIVER, ag_host_format(AG_DXGI_D32_FLOAT),
                               &out);
    assert_int_equal(out.depthBias, 7);
    ag_depth_stencil_to_webgpu(&depth, &raster, AG_DEPTH_BIAS_OF_VERTEX,
                               ag_host_format(AG_DXGI_D24_UNORM_S8_UINT), &out);
    assert_int_equal(out.depthBias, 0); /* the vertex shader's */
    assert_int_equal(out.stencilReadMask, 3);
    assert_int_equal(out.depthCompare, WGPUCompareFunction_Less);
    ag_depth_stencil_to_webgpu(&depth, &raster, AG_DEPTH_BIAS_NOWHERE, ag_host_format(AG_DXGI_D32_FLOAT),
                               &out);
    assert_int_equal(out.depthBias, 0);
    assert_int_equal(out.stencilReadMask, 255); /* no stencil there */
    depth.depth_enable = 0;
    ag_depth_stencil_to_webgpu(&depth, &raster, AG_DEPTH_BIAS_OF_DRIVER, ag_host_format(AG_DXGI_D32_FLOAT),
                               &out);
    assert_int_equal(out.depthCompare, WGPUCompareFunction_Always);
    assert_int_equal(out.depthWriteEnabled, WGPUOptionalBool_False);
}

/* D3D11.3 15.10: steps of 2^-24 and 2^-16. */
static void biases_unorm_depth_in_the_shader(void **state)
{
    (void)state;
    const struct ag_host_format *d24 = ag_host_format(AG_DXGI_D24_UNORM_S8_UINT);
    const struct ag_host_format *d16 = ag_host_format(AG_DXGI_D16_UNORM);
    const struct ag_host_format *d32 = ag_host_format(AG_DXGI_D32_FLOAT);
    struct ag_rasterizer_desc raster;
    ag_rasterizer_default(&raster);
    assert_int_equal(ag_depth_bias_place(&raster, d16, AG_FACES_FILLED, 1, false), AG_DEPTH_BIAS_NOWHERE);
    raster.depth_bias = 1 << 12;
    assert_int_equal(ag_depth_bias_place(&raster, d16, AG_FACES_FILLED, 1, false), AG_DEPTH_BIAS_OF_VERTEX);
    assert_int_equal(ag_depth_bias_place(&raster, d24, AG_FACES_FILLED, 4, false), AG_DEPTH_BIAS_OF_VERTEX);
    assert_int_equal(ag_depth_bias_place(&raster, d24, AG_FACES_FILLED, 1, true), AG_DEPTH_BIAS_OF_PIXEL);
    assert_int_equal(ag_depth_bias_place(&raster, d32, AG_FACES_FILLED, 1, false), AG_DEPTH_BIAS_OF_DRIVER);
    assert_int_equal(ag_depth_bias_place(&raster, d32, AG_FACES_EDGES, 1, false), AG_DEPTH_BIAS_OF_EDGES);
    assert_int_equal(ag_depth_bias_place(&raster, d16, AG_FACES_NONE, 1, false), AG_DEPTH_BIAS_NOWHERE);
    assert_true(ag_depth_bias_constant(&raster, d16) == 0.0625f);
    assert_true(ag_depth_bias_constant(&raster, d24) == 0.000244140625f);
    assert_true(ag_depth_bias_constant(&raster, d32) == 4096);
    raster.depth_bias_clamp = 0.03125f;
    assert_true(ag_depth_bias_clamped(&raster, d16) == 0.03125f);
    raster.depth_bias_clamp = -0.03125f;
    assert_true(ag_depth_bias_clamped(&raster, d16) == 0.0625f);
    raster.slope_scaled_depth_bias = 1;
    assert_int_equal(ag_depth_bias_place(&raster, d16, AG_FACES_FILLED, 1, false), AG_DEPTH_BIAS_OF_PIXEL);
    assert_int_equal(ag_depth_bias_place(&raster, d16, AG_FACES_FILLED, 4, false), AG_DEPTH_BIAS_OF_VERTEX);
    raster.depth_bias = -(1 << 12);
    assert_true(ag_depth_bias_clamped(&raster, d16) == -0.03125f);
    raster.depth_bias = 0;
    assert_int_equal(ag_depth_bias_place(&raster, d16, AG_FACES_FILLED, 1, false), AG_DEPTH_BIAS_OF_DRIVER);
}

static void rounds_depth_of_24_bits(void **state)
{
    (void)state;
    const struct ag_host_format *d24 = ag_host_format(AG_DXGI_D24_UNORM_S8_UINT);
    struct ag_depth_stencil_desc depth;
    ag_depth_stencil_default(&depth);
    assert_true(ag_depth_is_rounded(&depth, d24, 1));
    assert_false(ag_depth_is_rounded(&depth, d24, 4));
    assert_false(ag_depth_is_rounded(&depth, ag_host_format(AG_DXGI_D16_UNORM), 1));
    assert_false(ag_depth_is_rounded(&depth, ag_host_format(AG_DXGI_D32_FLOAT), 1));
    depth.depth_comparison = AEROGPU_EXT_COMPARISON_ALWAYS;
    assert_true(ag_depth_is_rounded(&depth, d24, 1));
    depth.depth_write = 0;
    assert_false(ag_depth_is_rounded(&depth, d24, 1));
}

static void makes_samplers(void **state)
{
    (void)state;
    struct ag_sampler_desc desc;
    WGPUSamplerDescriptor out;
    const char *missing;
    ag_sampler_default(&desc);
    assert_true(ag_sampler_to_webgpu(&desc, &out, &missing));
    assert_int_equal(out.minFilter, WGPUFilterMode_Linear);
    assert_true(out.lodMinClamp <= 0 && out.lodMaxClamp >= 16);
    desc.filter = 0x55;
    desc.max_anisotropy = 0; /* means 1 */
    assert_true(ag_sampler_to_webgpu(&desc, &out, &missing));
    assert_int_equal(out.maxAnisotropy, 1);
    desc.max_anisotropy = 400;
    desc.min_lod = 5;
    desc.max_lod = 2; /* MinLOD wins */
    assert_true(ag_sampler_to_webgpu(&desc, &out, &missing));
    assert_int_equal(out.maxAnisotropy, 16);
    assert_true(out.lodMinClamp <= 5 && out.lodMinClamp >= 5 && out.lodMaxClamp >= 5);
    desc.address_u = AEROGPU_EXT_ADDRESS_BORDER; /* the shader's: cubes still need a sampler */
    assert_true(ag_sampler_to_webgpu(&desc, &out, &missing));
    assert_int_equal(out.addressModeU, WGPUAddressMode_ClampToEdge);
    desc.filter = AEROGPU_EXT_FILTER_MINIMUM;
    assert_false(ag_sampler_to_webgpu(&desc, &out, &missing));
    assert_non_null(missing);
    desc.filter |= AEROGPU_EXT_FILTER_COMPARISON;
    assert_false(ag_sampler_to_webgpu(&desc, &out, &missing));
}

/* A plane of float samples: the shader's output has the factors of source and constants, WebGPU those of the
 * target's own component. */
static void blends_planes_of_samples(void **state)
{
    (void)state;
    const struct ag_host_format *four = ag_host_format(AG_DXGI_R32G32B32A32_FLOAT);
    const struct ag_host_format *two = ag_host_format(AG_DXGI_R32G32_FLOAT);
    struct ag_blend_target target = {.enable = 1,
                                     .source = AEROGPU_EXT_BLEND_BLEND_FACTOR,
                                     .destination = AEROGPU_EXT_BLEND_INV_DEST_COLOR,
                                     .operation = AEROGPU_EXT_BLEND_OP_SUBTRACT,
                                     .source_alpha = AEROGPU_EXT_BLEND_DEST_ALPHA,
                                     .destination_alpha = AEROGPU_EXT_BLEND_SRC1_ALPHA,
                                     .operation_alpha = AEROGPU_EXT_BLEND_OP_ADD,
                                     .write_mask = 0xA};
    WGPUBlendState blend;
    WGPUColorWriteMask mask;
    struct ag_target_factors factors = ag_blend_factors(&target, four);
    assert_int_equal(factors.source, AEROGPU_EXT_BLEND_BLEND_FACTOR);
    assert_int_equal(factors.destination, 0);
    assert_int_equal(factors.source_alpha, 0);
    assert_int_equal(factors.destination_alpha, AEROGPU_EXT_BLEND_SRC1_ALPHA);
    assert_true(ag_blend_plane_to_webgpu(&target, four, 1, &blend, &mask));
    assert_int_equal(blend.color.operation, WGPUBlendOperation_Subtract);
    assert_int_equal(blend.color.srcFactor, WGPUBlendFactor_One);
    assert_int_equal(blend.color.dstFactor, WGPUBlendFactor_OneMinusDst);
    assert_int_equal(mask, WGPUColorWriteMask_Red);
    assert_true(ag_blend_plane_to_webgpu(&target, four, 3, &blend, &mask));
    assert_int_equal(blend.color.srcFactor, WGPUBlendFactor_Dst);
    assert_int_equal(blend.color.dstFactor, WGPUBlendFactor_SrcAlpha);
    ag_blend_plane_to_webgpu(&target, four, 2, &blend, &mask);
    assert_int_equal(mask, WGPUColorWriteMask_None);
    assert_false(ag_blend_crosses_planes(&target, four));
    target.destination = AEROGPU_EXT_BLEND_INV_DEST_ALPHA;
    assert_true(ag_blend_crosses_planes(&target, four));
    assert_false(ag_blend_crosses_planes(&target, two));
    assert_int_equal(ag_blend_factors(&target, two).destination, AEROGPU_EXT_BLEND_ZERO);
    target.enable = 0;
    assert_int_equal(ag_blend_factors(&target, four).source, 0);
    assert_false(ag_blend_plane_to_webgpu(&target, four, 0, &blend, &mask));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_with_direct3d_defaults),
        cmocka_unit_test(takes_unknown_numbers_as_the_abi_says),
        cmocka_unit_test(maps_abi_numbers),
        cmocka_unit_test(blends_without_alpha),
        cmocka_unit_test(biases_triangles_only),
        cmocka_unit_test(biases_unorm_depth_in_the_shader),
        cmocka_unit_test(rounds_depth_of_24_bits),
        cmocka_unit_test(makes_samplers),
        cmocka_unit_test(blends_planes_of_samples),
    };
    return cmocka_run_group_tests_name("exec/state", tests, NULL, NULL);
}
