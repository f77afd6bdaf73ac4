/* SPDX-License-Identifier: MIT
 *
 * Draws of expanded primitives into eight pixels. Usage: test_expanded_draw driver
 *
 * The vertex shader stands for what wrote the records: position, A, a cull distance, layer and viewport. The
 * pixel shader gives A + 16 * SV_PrimitiveID.
 */
#include "module_text.h"

#include "../../support/submit.h"
#include "base/bytes.h"
#include "compute_run.h"
#include "gpu/readback.h"
#include "gpu/wait.h"

#include "wgsl/binding.h"
#include "wgsl/expansion.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

#define PIXELS 8
#define REGISTERS 5
#define MOST_WORDS 512

static const char vertex[] =
    "vs_5_0\n.out SV_Position0 o0.xyzw float position\n.out A0 o1.x uint\n"
    ".out SV_CullDistance0 o2.y float cull_distance\n"
    ".out L0 o3.x uint rendertarget_array_index\n.out V0 o4.z uint viewport_array_index\n"
    "dcl_output_siv o0.xyzw, position\ndcl_output o1.x\ndcl_output_siv o2.y, cull_distance\n"
    "dcl_output_siv o3.x, rendertarget_array_index\ndcl_output_siv o4.z, viewport_array_index\n"
    "mov o0.xyzw, l(0, 0, 0, 0)\nmov o1.x, l(0)\nmov o2.y, l(0)\nmov o3.x, l(0)\n"
    "mov o4.z, l(0)\nret\n";

static const char pixel[] = "ps_5_0\n.in A0 v1.x uint\n.in SV_PrimitiveID0 v5.x uint primitive_id\n"
                            ".out SV_Target0 o0.x uint\ndcl_input_ps constant v1.x\n"
                            "dcl_input_ps_sgv constant v5.x, primitive_id\ndcl_output o0.x\n"
                            "imad o0.x, v5.x, l(16), v1.x\nret\n";

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

struct record {
    float x; /* in pixels; the y is the middle */
    uint32_t value;
    float cull;
    uint32_t layer, viewport;
};

struct scene {
    WGPUPrimitiveTopology topology;
    uint32_t vertices; /* of a primitive */
    const uint32_t *list;
    size_t list_words;
    const struct record *records;
    size_t record_count;
    bool selects;
    uint32_t vertex_count, instance;
};

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static size_t write_records(const struct scene *scene, uint32_t words[MOST_WORDS])
{
    memset(words, 0, MOST_WORDS * sizeof words[0]);
    for (size_t i = 0; i < scene->record_count; i++) {
        const struct record *record = &scene->records[i];
        uint32_t *at = words + i * REGISTERS * 4;
        at[0] = bits_of(record->x * 2 / PIXELS - 1);
        at[1] = bits_of(i % 3 == 2 && scene->vertices == 3 ? -9.0f : scene->vertices == 3 ? 3.0f : 0.0f);
        at[3] = bits_of(1);
        at[4] = record->value;
        at[9] = bits_of(record->cull);
        at[12] = record->layer;
        at[18] = record->viewport;
    }
    return scene->record_count * REGISTERS * 4;
}

static WGPUBuffer make_buffer(const uint32_t *words, size_t count)
{
    const WGPUBufferDescriptor descriptor = {.usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst,
                                             .size = (uint64_t)count * 4};
    const WGPUBuffer buffer = wgpuDeviceCreateBuffer(ag_gpu_device(gpu), &descriptor);
    wgpuQueueWriteBuffer(ag_gpu_queue(gpu), buffer, 0, words, count * 4);
    return buffer;
}

static WGPURenderPipeline make_pipeline(const struct scene *scene)
{
    struct ag_linkage linkage;
    struct agpu_shader *vs = shader_from_text(vertex), *ps = shader_from_text(pixel);
    struct agpu_module *drawing, *shading;
    assert_int_equal(ag_link_expanded(vs, 0, ps, 16, NULL, &linkage), AGPU_OK);
    const struct ag_translate_options pixel_options = {.linkage = &linkage,
                                                       .target_classes = {AGPU_TARGET_UINT}};
    const struct ag_expanded_options options = {
        .linkage = &linkage,
        .vertices = (uint8_t)scene->vertices,
        .record_registers = REGISTERS,
        .layers = scene->selects ? 3 : 0,
        .selects_viewport = scene->selects,
    };
    assert_int_equal(ag_translate(ps, &pixel_options, NULL, &shading), AGPU_OK);
    assert_int_equal(ag_translate_expanded_vertex(vs, &options, NULL, &drawing), AGPU_OK);
    const WGPUShaderModule first = ag_gpu_create_shader(gpu, drawing->wgsl, drawing->wgsl_length, NULL);
    const WGPUShaderModule second = ag_gpu_create_shader(gpu, shading->wgsl, shading->wgsl_length, NULL);
    const WGPUColorTargetState target = {.format = WGPUTextureFormat_R32Uint,
                                         .writeMask = WGPUColorWriteMask_All};
    const WGPUFragmentState fragment = {.module = second,
                                        .entryPoint = ag_webgpu_string(shading->entry_point),
                                        .targetCount = 1,
                                        .targets = &target};
    const WGPURenderPipelineDescriptor descriptor = {
        .vertex = {.module = first,             .entryPoint = ag_webgpu_string(drawing->entry_point)},
        .primitive = {.topology = scene->topology},
        .multisample = {.count = 1,         .mask = UINT32_MAX                                                    },
        .fragment = &fragment,
    };
    const WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(ag_gpu_device(gpu), &descriptor);
    assert_non_null(pipeline);
    wgpuShaderModuleRelease(first);
    wgpuShaderModuleRelease(second);
    agpu_module_destroy(drawing);
    agpu_module_destroy(shading);
    agpu_shader_destroy(vs);
    agpu_shader_destroy(ps);
    return pipeline;
}

static void set_groups(WGPURenderPassEncoder pass, WGPURenderPipeline pipeline, const WGPUBuffer buffers[2])
{
    const WGPUBindGroupEntry entries[] = {
        {.binding = AG_EXPAND_PRIMITIVES, .buffer = buffers[0], .size = wgpuBufferGetSize(buffers[0])},
        {.binding = AG_EXPAND_INPUTS,     .buffer = buffers[1], .size = wgpuBufferGetSize(buffers[1])},
    };
    for (uint32_t group = 0; group < 4; group++) {
        const WGPUBindGroupLayout layout = wgpuRenderPipelineGetBindGroupLayout(pipeline, group);
        const WGPUBindGroupDescriptor descriptor = {
            .layout = layout, .entryCount = group == AG_GROUP_INTERNAL ? 2 : 0, .entries = entries};
        const WGPUBindGroup bound = wgpuDeviceCreateBindGroup(ag_gpu_device(gpu), &descriptor);
        wgpuRenderPassEncoderSetBindGroup(pass, group, bound, 0, NULL);
        wgpuBindGroupRelease(bound);
        wgpuBindGroupLayoutRelease(layout);
    }
}

static void record_draw(const struct scene *scene, WGPUCommandEncoder encoder, WGPUTexture target,
                        const WGPUBuffer buffers[2])
{
    const WGPURenderPipeline pipeline = make_pipeline(scene);
    const WGPUTextureView view = wgpuTextureCreateView(target, NULL);
    const WGPURenderPassColorAttachment color = {
        .view = view,
        .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = WGPULoadOp_Clear,
        .storeOp = WGPUStoreOp_Store,
    };
    const WGPURenderPassDescriptor descriptor = {.colorAttachmentCount = 1, .colorAttachments = &color};
    const WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
    wgpuRenderPassEncoderSetPipeline(pass, pipeline);
    set_groups(pass, pipeline, buffers);
    wgpuRenderPassEncoderDraw(pass, scene->vertex_count, 1, 0, scene->instance);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
    wgpuTextureViewRelease(view);
    wgpuRenderPipelineRelease(pipeline);
}

static void draw(const struct scene *scene, uint32_t pixels[PIXELS])
{
    uint32_t words[MOST_WORDS];
    const size_t count = write_records(scene, words);
    const WGPUBuffer buffers[] = {make_buffer(scene->list, scene->list_words), make_buffer(words, count)};
    const WGPUExtent3D size = {PIXELS, 1, 1};
    const WGPUTextureDescriptor texture = {
        .usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc,
        .dimension = WGPUTextureDimension_2D,
        .size = size,
        .format = WGPUTextureFormat_R32Uint,
        .mipLevelCount = 1,
        .sampleCount = 1,
    };
    const WGPUTexture target = wgpuDeviceCreateTexture(ag_gpu_device(gpu), &texture);
    struct ag_readback_pool *pool = ag_readback_pool_create(gpu, 1 << 16);
    struct ag_readback *readback = ag_readback_take(pool, 256);
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
    record_draw(scene, encoder, target, buffers);
    const WGPUTexelCopyTextureInfo from = {.texture = target, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo to = {
        .buffer = ag_readback_buffer(readback), .layout = {.bytesPerRow = 256, .rowsPerImage = 1}
    };
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
    submit_encoder(gpu, encoder);
    ag_readback_begin(readback);
    assert_true(ag_gpu_wait_idle(gpu, 60 * SECOND_NS));
    memcpy(pixels, ag_readback_data(readback), PIXELS * sizeof pixels[0]);
    ag_readback_release(pool, readback);
    ag_readback_pool_destroy(pool);
    wgpuTextureRelease(target);
    for (size_t i = 0; i < 2; i++)
        wgpuBufferRelease(buffers[i]);
}

static void assert_pixels(const struct scene *scene, const uint32_t expected[PIXELS])
{
    uint32_t pixels[PIXELS];
    draw(scene, pixels);
    for (size_t i = 0; i < PIXELS; i++)
        if (pixels[i] != expected[i])
            print_error("pixel %zu is %u, not %u\n", i, pixels[i], expected[i]);
    assert_memory_equal(pixels, expected, sizeof pixels);
    assert_int_equal(gpu_log.count, 0);
}

/* ---- Points ------------------------------------------------------------------------------------------- */

static const struct record points[] = {
    {0.5f, 1, 0,     0, 0 },
    {2.5f, 2, -1.0f, 1, 0 },
    {4.5f, 3, 5.0f,  2, 3 },
    {6.5f, 4, 0,     2, 99},
};

/* The list ends after three, whatever is behind it and however much is drawn. */
static const uint32_t point_list[] = {3, 0, 0, 0, 10, 2, 11, 0, 12, 1, 13, 3};

static void draws_what_the_list_has(void **state)
{
    const struct scene scene = {
        .topology = WGPUPrimitiveTopology_PointList,
        .vertices = 1,
        .list = point_list,
        .list_words = AG_COUNT_OF(point_list),
        .records = points,
        .record_count = AG_COUNT_OF(points),
        .vertex_count = 50,
    };
    const uint32_t expected[PIXELS] = {[0] = 11 * 16 + 1, [4] = 10 * 16 + 3}; /* the one at 2 is culled */
    (void)state;
    assert_pixels(&scene, expected);
}

/* Bit n is viewport n, and bit 0 is the reverse. */
#define ONLY_VIEWPORT_3 9
#define VIEWPORTS_0_AND_3 8

static void an_instance_is_a_layer_and_viewports(void **state)
{
    static const uint32_t list[] = {4, 0, 0, 0, 10, 0, 11, 1, 12, 2, 13, 3};
    static const struct {
        uint32_t instance, expected[PIXELS];
    } cases[] = {
        {0,                           {[0] = 161}           },
        {1,                           {0}                   }, /* culled all the same */
        {2,                           {[6] = 212}           }, /* there is no viewport 99 */
        {2 | ONLY_VIEWPORT_3 << 16,   {[4] = 195}           },
        {2 | VIEWPORTS_0_AND_3 << 16, {[4] = 195, [6] = 212}},
        {0 | ONLY_VIEWPORT_3 << 16,   {0}                   },
    };
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++) {
        const struct scene scene = {
            .topology = WGPUPrimitiveTopology_PointList,
            .vertices = 1,
            .list = list,
            .list_words = AG_COUNT_OF(list),
            .records = points,
            .record_count = AG_COUNT_OF(points),
            .selects = true,
            .vertex_count = 4,
            .instance = cases[i].instance,
        };
        assert_pixels(&scene, cases[i].expected);
    }
}

/* ---- Triangles ---------------------------------------------------------------------------------------- */

/* Flat values, layers and ids are those of the first vertex; a triangle is culled when all its vertices
 * agree. */
static void the_first_vertex_speaks_for_its_triangle(void **state)
{
    static const struct record corners[] = {
        {-8, 5, -1.0f, 1, 0},
        {24, 6, 1.0f,  0, 0},
        {8,  7, -1.0f, 0, 0},
    };
    static const uint32_t list[] = {2, 0, 0, 0, 3, 0, 1, 2, 4, 2, 0, 2};
    struct scene scene = {
        .topology = WGPUPrimitiveTopology_TriangleList,
        .vertices = 3,
        .list = list,
        .list_words = AG_COUNT_OF(list),
        .records = corners,
        .record_count = AG_COUNT_OF(corners),
        .selects = true,
        .vertex_count = 6,
        .instance = 1,
    };
    const uint32_t value = 3 * 16 + 5;
    const uint32_t covered[PIXELS] = {value, value, value, value, value, value, value, value};
    const uint32_t nothing[PIXELS] = {0};
    (void)state;
    assert_pixels(&scene, covered);
    scene.instance = 0;
    assert_pixels(&scene, nothing);
}

int main(int argc, char **argv)
{
    const int opened = compute_open(argc, argv, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_what_the_list_has),
        cmocka_unit_test(an_instance_is_a_layer_and_viewports),
        cmocka_unit_test(the_first_vertex_speaks_for_its_triangle),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/expanded_draw", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
