/* SPDX-License-Identifier: MIT
 *
 * What a guest does again and again costs the same each time: steady frames make no WebGPU objects, what they
 * allocate does not depend on how much they draw, and nothing is left of them. Counts, not times.
 */
#include <stdio.h>
#include <stdlib.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "gpu/webgpu.h"
#include "host.h"
#include "kernel/plan.h"
#include "support/test.h"

#define LARGE_BYTES (UINT64_C(2) << 20)

/* The linker's names: __wrap_f is called for f, __real_f is f. NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static struct {
    uint64_t allocations, objects, scopes, signals;
    int64_t live, live_beside_large; /* the latter when a large one was made last */
} counts;

void *__wrap_malloc(size_t size)
{
    counts.allocations++;
    counts.live++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    counts.allocations++;
    counts.live++;
    if (count * size >= LARGE_BYTES)
        counts.live_beside_large = counts.live;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    counts.allocations++;
    counts.live += memory == NULL;
    return __real_realloc(memory, size);
}

void __wrap_free(void *memory)
{
    counts.live -= memory != NULL;
    __real_free(memory);
}

/* Functions of WebGPU that make an object of a device. */
#define MAKER(object, function, description)                                                                 \
    object __real_##function(WGPUDevice device, const description *descriptor);                              \
    object __wrap_##function(WGPUDevice device, const description *descriptor);                              \
    object __wrap_##function(WGPUDevice device, const description *descriptor)                               \
    {                                                                                                        \
        counts.objects++;                                                                                    \
        return __real_##function(device, descriptor);                                                        \
    }
MAKER(WGPUBindGroup, ag_wgpuDeviceCreateBindGroup, WGPUBindGroupDescriptor)
MAKER(WGPUBindGroupLayout, ag_wgpuDeviceCreateBindGroupLayout, WGPUBindGroupLayoutDescriptor)
MAKER(WGPUPipelineLayout, ag_wgpuDeviceCreatePipelineLayout, WGPUPipelineLayoutDescriptor)
MAKER(WGPUSampler, ag_wgpuDeviceCreateSampler, WGPUSamplerDescriptor)
MAKER(WGPUShaderModule, ag_wgpuDeviceCreateShaderModule, WGPUShaderModuleDescriptor)
MAKER(WGPUTexture, ag_wgpuDeviceCreateTexture, WGPUTextureDescriptor)

/* Buffers that are too large for anything but what expanded draws keep. */
static struct {
    WGPUBuffer buffer;
    uint64_t bytes;
} large[64];

static uint64_t large_bytes(void)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < AG_COUNT_OF(large); i++)
        bytes += large[i].bytes;
    return bytes;
}

WGPUBuffer __real_ag_wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *descriptor);
WGPUBuffer __wrap_ag_wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *descriptor);
WGPUBuffer __wrap_ag_wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *descriptor)
{
    const WGPUBuffer buffer = __real_ag_wgpuDeviceCreateBuffer(device, descriptor);
    size_t i = 0;
    counts.objects++;
    if (!buffer || descriptor->size < LARGE_BYTES)
        return buffer;
    while (i < AG_COUNT_OF(large) && large[i].buffer)
        i++;
    assert_true(i < AG_COUNT_OF(large));
    large[i].buffer = buffer;
    large[i].bytes = descriptor->size;
    return buffer;
}

void __real_ag_wgpuBufferRelease(WGPUBuffer buffer);
void __wrap_ag_wgpuBufferRelease(WGPUBuffer buffer);
void __wrap_ag_wgpuBufferRelease(WGPUBuffer buffer)
{
    for (size_t i = 0; i < AG_COUNT_OF(large); i++)
        if (large[i].buffer == buffer) {
            large[i].buffer = NULL;
            large[i].bytes = 0;
        }
    __real_ag_wgpuBufferRelease(buffer);
}

WGPUTextureView __real_ag_wgpuTextureCreateView(WGPUTexture texture,
                                                const WGPUTextureViewDescriptor *descriptor);
WGPUTextureView __wrap_ag_wgpuTextureCreateView(WGPUTexture texture,
                                                const WGPUTextureViewDescriptor *descriptor);
WGPUTextureView __wrap_ag_wgpuTextureCreateView(WGPUTexture texture,
                                                const WGPUTextureViewDescriptor *descriptor)
{
    counts.objects++;
    return __real_ag_wgpuTextureCreateView(texture, descriptor);
}

void __real_ag_wgpuDevicePushErrorScope(WGPUDevice device, WGPUErrorFilter filter);
void __wrap_ag_wgpuDevicePushErrorScope(WGPUDevice device, WGPUErrorFilter filter);
void __wrap_ag_wgpuDevicePushErrorScope(WGPUDevice device, WGPUErrorFilter filter)
{
    counts.scopes++;
    __real_ag_wgpuDevicePushErrorScope(device, filter);
}

WGPUFuture __real_ag_wgpuQueueOnSubmittedWorkDone(WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo callback);
WGPUFuture __wrap_ag_wgpuQueueOnSubmittedWorkDone(WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo callback);
WGPUFuture __wrap_ag_wgpuQueueOnSubmittedWorkDone(WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo callback)
{
    counts.signals++;
    return __real_ag_wgpuQueueOnSubmittedWorkDone(queue, callback);
}
/* NOLINTEND(bugprone-reserved-identifier) */

enum {
    SIZE = 16,
    TEXTURES = 16,
    FEW_DRAWS = 100,
    MANY_DRAWS = 900, /* less than what ends an encoder on lavapipe */
    WARM_FRAMES = 12,
    FIRST_FRAMES = 200, /* in which the host's tables reach their sizes */
    FRAMES = 1000,
    SUBMISSIONS = 1024,
};

enum handle {
    HANDLE_TARGET = 1,
    HANDLE_VERTICES,
    HANDLE_CONSTANTS,
    HANDLE_LAYOUT,
    HANDLE_SAMPLER,
    HANDLE_VERTEX_SHADER,
    HANDLE_PIXEL_SHADERS = 10, /* two */
    HANDLE_TEXTURES = 20,
    HANDLE_PATCH_CONSTANTS = 40,
    HANDLE_HULL_SHADER,
    HANDLE_DOMAIN_SHADER,
    HANDLE_GEOMETRY_SHADER,
    HANDLE_OTHERS = 1000,
};

static struct host host;
static bool is_software; /* the driver, whose steps are short */

static const char vertex_shader[] =
    "vs_4_0\n.in POSITION0 v0.xy float\n.out SV_Position0 o0.xyzw float position\n"
    "dcl_constantbuffer CB0[1], immediateIndexed\ndcl_input v0.xy\n"
    "dcl_output_siv o0.xyzw, position\n"
    "add o0.xy, v0.xyxx, cb0[0].xyxx\nmov o0.zw, l(0.0, 0.0, 0.5, 1.0)\nret\n";
static const char *const pixel_shaders[2] = {
    "ps_4_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Target0 o0.xyzw float\n"
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_output o0.xyzw\nsample o0.xyzw, l(0.5, 0.5, 0.0, 0.0), t0.xyzw, s0\nret\n",
    "ps_4_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Target0 o0.xyzw float\n"
    "dcl_output o0.xyzw\nmov o0.xyzw, l(0.5, 0.25, 1.0, 1.0)\nret\n",
};

static const char hull_shader[] =
    "hs_5_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float position\n"
    ".patch SV_TessFactor0 o0.x float tri_edge_tess_factor\n"
    ".patch SV_TessFactor1 o1.x float tri_edge_tess_factor\n"
    ".patch SV_TessFactor2 o2.x float tri_edge_tess_factor\n"
    ".patch SV_InsideTessFactor0 o3.x float tri_inside_tess_factor\n"
    "hs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
    "dcl_tessellator_output_primitive output_triangle_cw\nhs_fork_phase\n"
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n"
    "mov o0.x, l(2.0)\nmov o1.x, l(2.0)\nmov o2.x, l(2.0)\nmov o3.x, l(2.0)\nret\n";
static const char domain_shader[] =
    "ds_5_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float position\n"
    ".patch SV_TessFactor0 vpc0.x float tri_edge_tess_factor read=0x0\n"
    ".patch SV_TessFactor1 vpc1.x float tri_edge_tess_factor read=0x0\n"
    ".patch SV_TessFactor2 vpc2.x float tri_edge_tess_factor read=0x0\n"
    ".patch SV_InsideTessFactor0 vpc3.x float tri_inside_tess_factor read=0x0\n"
    "dcl_input_control_point_count 3\ndcl_tessellator_domain domain_tri\n"
    "dcl_constantbuffer CB0[1], immediateIndexed\ndcl_input vicp[3][0].xyzw\ndcl_input vDomain.xyz\n"
    "dcl_output_siv o0.xyzw, position\ndcl_temps 1\nmul r0.xyzw, vDomain.xxxx, vicp[0][0].xyzw\n"
    "mad r0.xyzw, vDomain.yyyy, vicp[1][0].xyzw, r0.xyzw\n"
    "mad r0.xyzw, vDomain.zzzz, vicp[2][0].xyzw, r0.xyzw\nadd o0.xyzw, r0.xyzw, cb0[0].xyzw\nret\n";
/* Too many vertices for a vertex shader that does both stages. */
static const char geometry_shader[] =
    "gs_4_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float position\n"
    "dcl_input_siv v[3][0].xyzw, position\ndcl_inputprimitive triangle\n"
    "dcl_outputtopology trianglestrip\ndcl_output_siv o0.xyzw, position\ndcl_maxout 12\n"
    "mov o0.xyzw, v[0][0].xyzw\nemit\nmov o0.xyzw, v[1][0].xyzw\nemit\nmov o0.xyzw, v[2][0].xyzw\nemit\n"
    "ret\n";

static void write_objects(struct agpu_writer *writer)
{
    static const float triangle[6] = {-1, -1, 3, -1, -1, 3};
    const struct aerogpu_input_layout_element_dxgi element = {
        .semantic_name_hash = agpu_semantic_hash("POSITION", 8), .dxgi_format = 16};
    agpu_write_create_buffer(writer, HANDLE_VERTICES, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, sizeof triangle,
                             0, 0);
    agpu_write_upload_resource(writer, HANDLE_VERTICES, 0, triangle, sizeof triangle);
    agpu_write_create_buffer(writer, HANDLE_CONSTANTS, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, 16, 0, 0);
    host_write_texture(writer, HANDLE_TARGET, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                       AEROGPU_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
    for (uint32_t i = 0; i < TEXTURES; i++) {
        const uint32_t texel = 0xFF000000 + i;
        host_write_texture(writer, HANDLE_TEXTURES + i, AEROGPU_RESOURCE_USAGE_TEXTURE,
                           AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
        agpu_write_upload_resource(writer, HANDLE_TEXTURES + i, 0, &texel, sizeof texel);
    }
    agpu_write_create_sampler(writer, HANDLE_SAMPLER, 0, 0, 0, 0);
    agpu_write_create_input_layout_dxgi(writer, HANDLE_LAYOUT, &element, 1);
    host_assemble_shader(writer, HANDLE_VERTEX_SHADER, AGPU_STREAM_STAGE_VERTEX, vertex_shader);
    host_assemble_shader(writer, HANDLE_HULL_SHADER, AGPU_STREAM_STAGE_HULL, hull_shader);
    host_assemble_shader(writer, HANDLE_DOMAIN_SHADER, AGPU_STREAM_STAGE_DOMAIN, domain_shader);
    host_assemble_shader(writer, HANDLE_GEOMETRY_SHADER, AGPU_STREAM_STAGE_GEOMETRY, geometry_shader);
    agpu_write_create_buffer(writer, HANDLE_PATCH_CONSTANTS, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, 16, 0,
                             0);
    for (uint32_t i = 0; i < 2; i++)
        host_assemble_shader(writer, HANDLE_PIXEL_SHADERS + i, AGPU_STREAM_STAGE_PIXEL, pixel_shaders[i]);
}

static void write_bindings(struct agpu_writer *writer)
{
    const uint32_t target = HANDLE_TARGET, sampler = HANDLE_SAMPLER;
    const struct aerogpu_vertex_buffer_binding stream = {.buffer = HANDLE_VERTICES, .stride_bytes = 8};
    const struct aerogpu_constant_buffer_binding constants = {.buffer = HANDLE_CONSTANTS};
    const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE};
    agpu_write_set_input_layout(writer, HANDLE_LAYOUT);
    agpu_write_set_vertex_buffers(writer, 0, 1, &stream);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
    agpu_write_set_render_targets(writer, 1, &target, 0);
    agpu_write_set_viewport(writer, 0, 0, SIZE, SIZE, 0, 1);
    agpu_write_set_rasterizer_state(writer, &rasterizer);
    agpu_write_set_constant_buffers(writer, AGPU_STREAM_STAGE_VERTEX, 0, 1, &constants);
    agpu_write_set_samplers(writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &sampler);
    const struct aerogpu_constant_buffer_binding patches = {.buffer = HANDLE_PATCH_CONSTANTS};
    agpu_write_set_constant_buffers(writer, AGPU_STREAM_STAGE_DOMAIN, 0, 1, &patches);
}

/* A frame that changes constants, textures, shaders and state from draw to draw. */
static void write_frame(struct agpu_writer *writer, uint32_t draws)
{
    const float black[4] = {0, 0, 0, 1};
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, black, 1, 0);
    for (uint32_t i = 0; i < draws; i++) {
        const float constants[4] = {(float)(i % 7), 0, 0, 0};
        agpu_write_upload_resource(writer, HANDLE_CONSTANTS, 0, constants, sizeof constants);
        agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, 0, HANDLE_TEXTURES + i % TEXTURES);
        agpu_write_bind_shaders(writer, HANDLE_VERTEX_SHADER, HANDLE_PIXEL_SHADERS + i / 4 % 2, 0, 0);
        agpu_write_set_scissor(writer, 0, 0, (int32_t)(1 + i % SIZE), SIZE);
        agpu_write_draw(writer, 3, 1, 0, 0);
    }
}

/* A frame of patches with state and textures from draw to draw, sometimes other constants of their own, and
 * sometimes a geometry shader in their place. */
static void write_patches(struct agpu_writer *writer, uint32_t draws)
{
    const float black[4] = {0, 0, 0, 1};
    const aerogpu_handle_t patches[AGPU_STREAM_STAGE_COUNT] = {
        [AGPU_STREAM_STAGE_VERTEX] = HANDLE_VERTEX_SHADER,
        [AGPU_STREAM_STAGE_PIXEL] = HANDLE_PIXEL_SHADERS,
        [AGPU_STREAM_STAGE_HULL] = HANDLE_HULL_SHADER,
        [AGPU_STREAM_STAGE_DOMAIN] = HANDLE_DOMAIN_SHADER,
    };
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, black, 1, 0);
    for (uint32_t i = 0; i < draws; i++) {
        const float constants[4] = {(float)(i / 3), 0, 0, 0};
        if (i % 3 == 0)
            agpu_write_upload_resource(writer, HANDLE_PATCH_CONSTANTS, 0, constants, sizeof constants);
        if (i % 10 == 0) {
            agpu_write_bind_shaders_ex(writer, patches);
            agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_PATCHLIST_1 + 2);
        }
        if (i % 10 == 9) {
            agpu_write_bind_shaders(writer, HANDLE_VERTEX_SHADER, HANDLE_PIXEL_SHADERS, 0,
                                    HANDLE_GEOMETRY_SHADER);
            agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
        }
        agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, 0, HANDLE_TEXTURES + i % TEXTURES);
        agpu_write_set_scissor(writer, 0, 0, (int32_t)(1 + i % SIZE), SIZE);
        agpu_write_draw(writer, 3, 1, 3 * (i % 10), 0);
    }
}

static void run_ok(struct agpu_writer *writer)
{
    assert_int_equal(host_run(&host, writer, NULL, 0), AEROGPU_ERROR_NONE);
}

static void begin(struct agpu_writer *writer)
{
    host_reset(&host);
    agpu_writer_init_growing(writer, NULL);
    write_objects(writer);
    write_bindings(writer);
    run_ok(writer);
}

/* What one frame allocates and makes, once frames are steady. */
static void count_frame(struct agpu_writer *writer, void (*write)(struct agpu_writer *writer, uint32_t draws),
                        uint32_t draws, uint64_t *allocations, uint64_t *objects)
{
    for (uint32_t i = 0; i <= WARM_FRAMES; i++) {
        write(writer, draws);
        const uint64_t allocated = counts.allocations, made = counts.objects;
        run_ok(writer);
        *allocations = counts.allocations - allocated;
        *objects = counts.objects - made;
    }
}

static void make_nothing(void (*write)(struct agpu_writer *writer, uint32_t draws), uint32_t few_draws,
                         uint32_t many_draws)
{
    struct agpu_writer writer;
    uint64_t few, many, objects;
    begin(&writer);
    count_frame(&writer, write, few_draws, &few, &objects);
    assert_int_equal(objects, 0);
    count_frame(&writer, write, many_draws, &many, &objects);
    assert_int_equal(objects, 0);
    assert_int_equal(many, few);
    print_message("%u allocations a frame\n", (unsigned)few);
    agpu_writer_fini(&writer);
}

static void steady_frames_make_nothing(void **state)
{
    (void)state;
    make_nothing(write_frame, FEW_DRAWS, MANY_DRAWS);
}

static void steady_frames_of_patches_make_nothing(void **state)
{
    (void)state;
    make_nothing(write_patches, FEW_DRAWS / 5, FEW_DRAWS);
}

static void nothing_is_left_of_frames(void **state)
{
    struct agpu_writer writer;
    int64_t live = 0;
    (void)state;
    begin(&writer);
    for (uint32_t i = 0; i < FIRST_FRAMES + FRAMES; i++) {
        if (i == FIRST_FRAMES)
            live = counts.live;
        write_frame(&writer, FEW_DRAWS);
        run_ok(&writer);
    }
    assert_int_equal(counts.live, live);
    agpu_writer_fini(&writer);
}

/* Patches of any factors, with control points as they are, or with very many of them. */
static void write_free_hull_shader(struct agpu_writer *writer, aerogpu_handle_t handle, bool has_many_points)
{
    static const char head[] =
        "hs_5_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float position\n"
        ".patch SV_TessFactor0 o0.x float tri_edge_tess_factor\n"
        ".patch SV_TessFactor1 o1.x float tri_edge_tess_factor\n"
        ".patch SV_TessFactor2 o2.x float tri_edge_tess_factor\n"
        ".patch SV_InsideTessFactor0 o3.x float tri_inside_tess_factor\n"
        "hs_decls\ndcl_constantbuffer CB0[1], immediateIndexed\ndcl_input_control_point_count 3\n";
    static const char tail[] =
        "hs_fork_phase\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\n"
        "dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\ndcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\n"
        "dcl_output_siv o3.x, finalTriInsideTessFactor\nmov o0.x, cb0[0].x\nmov o1.x, cb0[0].x\n"
        "mov o2.x, cb0[0].x\nmov o3.x, cb0[0].x\nret\n";
    static const char tessellator[] =
        "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
        "dcl_tessellator_output_primitive output_triangle_cw\n";
    static const char many_points[] = "hs_control_point_phase\ndcl_input v[3][0].xyzw\ndcl_output o0.xyzw\n"
                                      "add o0.xyzw, v[0][0].xyzw, v[1][0].xyzw\nret\n";
    char listing[2048];
    snprintf(listing, sizeof listing, "%sdcl_output_control_point_count %d\n%s%s%s", head,
             has_many_points ? 32 : 3, tessellator, has_many_points ? many_points : "", tail);
    host_assemble_shader(writer, handle, AGPU_STREAM_STAGE_HULL, listing);
}

/* The large buffers that there are after a draw of so many triangles, which a geometry shader gets where
 * there is no hull shader. */
static uint64_t large_bytes_after(aerogpu_handle_t hull, uint32_t triangles)
{
    struct agpu_writer writer;
    const aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT] = {
        [AGPU_STREAM_STAGE_VERTEX] = HANDLE_VERTEX_SHADER,
        [AGPU_STREAM_STAGE_PIXEL] = HANDLE_PIXEL_SHADERS + 1,
        [AGPU_STREAM_STAGE_GEOMETRY] = hull ? 0 : HANDLE_GEOMETRY_SHADER,
        [AGPU_STREAM_STAGE_HULL] = hull,
        [AGPU_STREAM_STAGE_DOMAIN] = hull ? HANDLE_DOMAIN_SHADER : 0,
    };
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_bind_shaders_ex(&writer, shaders);
    agpu_write_set_primitive_topology(&writer, hull ? AEROGPU_TOPOLOGY_PATCHLIST_1 + 2
                                                    : AEROGPU_TOPOLOGY_TRIANGLELIST);
    agpu_write_draw(&writer, 3 * triangles, 1, 0, 0);
    run_ok(&writer);
    agpu_writer_fini(&writer);
    return large_bytes();
}

/* Draws of different shapes need different buffers. All of them together stay within what one draw may ask
 * for (D24), and an eighth. */
static void expanded_draws_keep_what_one_may_need(void **state)
{
    enum { HULL = HANDLE_OTHERS, HULL_OF_MANY };
    const uint64_t budget = AG_TESSELLATION_BUDGET;
    struct agpu_writer writer;
    (void)state;
    begin(&writer);
    write_free_hull_shader(&writer, HULL, false);
    write_free_hull_shader(&writer, HULL_OF_MANY, true);
    run_ok(&writer);
    agpu_writer_fini(&writer);
    const uint64_t before = large_bytes(), few = large_bytes_after(HULL, 1000);
    assert_true((is_software || few > before + budget / 2) && few <= before + budget / 8 * 9);
    const uint64_t many = large_bytes_after(HULL_OF_MANY, 300000);
    assert_true(many > few + budget / 2 && many <= before + 2 * (budget / 8 * 9));
    assert_true(large_bytes_after(0, 300000) <= before + 2 * (budget / 8 * 9));
    assert_true(large_bytes_after(HULL_OF_MANY, 300000) <= before + 2 * (budget / 8 * 9));
}

/* The signals of the queue for a draw of so many patches, none of which yields anything. */
static uint64_t signals_of(aerogpu_handle_t hull, uint32_t patches)
{
    large_bytes_after(hull, patches); /* pipelines are made */
    const uint64_t before = counts.signals;
    large_bytes_after(hull, patches);
    return counts.signals - before;
}

/* Steps that may become very much are submissions of their own where the processor is the GPU, so that nobody
 * waits for all of them at once (D24): 400 patches may become 7.1 million vertices, 100 less than 4 * 2^20.
 */
static void large_draws_are_submitted_in_steps(void **state)
{
    enum { HULL = HANDLE_OTHERS };
    struct agpu_writer writer;
    (void)state;
    begin(&writer);
    write_free_hull_shader(&writer, HULL, false);
    run_ok(&writer);
    agpu_writer_fini(&writer);
    const uint64_t one = signals_of(HULL, 100), several = signals_of(HULL, 400);
    assert_true(one <= 2);
    if (is_software)
        assert_true(several >= one + 6 && several <= one + 14);
    else
        assert_int_equal(several, one);
}

/* Makes objects and destroys them again. */
static void turn_over(struct agpu_writer *writer, uint32_t first)
{
    for (uint32_t i = 0; i < 100; i++) {
        host_write_texture(writer, first + 2 * i, AEROGPU_RESOURCE_USAGE_TEXTURE,
                           AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
        agpu_write_create_buffer(writer, first + 2 * i + 1, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 16, 0, 0);
    }
    for (uint32_t i = 0; i < 200; i++)
        agpu_write_destroy_resource(writer, first + i);
}

static void objects_cost_the_same_among_many(void **state)
{
    struct agpu_writer writer;
    uint64_t allocations[2], objects[2];
    (void)state;
    begin(&writer);
    for (uint32_t many = 0; many < 2; many++) {
        for (uint32_t i = 0; many && i < 10000; i++)
            agpu_write_create_buffer(&writer, HANDLE_OTHERS + i, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 16, 0,
                                     0);
        run_ok(&writer);
        for (uint32_t i = 0; i < WARM_FRAMES; i++) {
            const int64_t live = counts.live;
            turn_over(&writer, HANDLE_OTHERS + 100000);
            allocations[many] = counts.allocations;
            objects[many] = counts.objects;
            run_ok(&writer);
            allocations[many] = counts.allocations - allocations[many];
            objects[many] = counts.objects - objects[many];
            if (i)
                assert_int_equal(counts.live, live);
        }
    }
    assert_int_equal(allocations[1], allocations[0]);
    assert_int_equal(objects[1], objects[0]);
    agpu_writer_fini(&writer);
}

/* A clear alone is work. What makes nothing cannot run out of memory. */
static void work_has_an_error_scope_and_an_end(void **state)
{
    const float black[4] = {0, 0, 0, 1};
    struct agpu_writer writer;
    (void)state;
    begin(&writer);
    const uint64_t scopes = counts.scopes, signals = counts.signals;
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, black, 1, 0);
    host_submit(&host, &writer, NULL, 0);
    assert_int_equal(counts.scopes, scopes + 1);
    assert_true(counts.signals > signals);
    host_wait(&host);
    agpu_writer_fini(&writer);
}

static void what_is_made_has_error_scopes_for_memory(void **state)
{
    struct agpu_writer writer;
    (void)state;
    begin(&writer);
    const uint64_t scopes = counts.scopes, objects = counts.objects;
    agpu_write_create_buffer(&writer, HANDLE_OTHERS, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 256, 0, 0);
    agpu_write_destroy_resource(&writer, HANDLE_OTHERS);
    host_submit(&host, &writer, NULL, 0);
    assert_true(counts.objects > objects);
    assert_int_equal(counts.scopes, scopes + 3);
    host_wait(&host);
    agpu_writer_fini(&writer);
}

static void submissions_without_work_ask_for_nothing(void **state)
{
    struct agpu_writer writer;
    uint64_t allocations[2];
    (void)state;
    begin(&writer);
    write_frame(&writer, FEW_DRAWS);
    run_ok(&writer); /* with its pipelines */
    for (uint32_t many = 0; many < 2; many++) {
        write_frame(&writer, FEW_DRAWS);
        host_submit(&host, &writer, NULL, 0);
        const uint64_t scopes = counts.scopes, signals = counts.signals, objects = counts.objects;
        allocations[many] = counts.allocations;
        for (uint32_t i = 0; i < (many ? SUBMISSIONS : 1); i++) {
            agpu_write_set_viewport(&writer, 0, 0, SIZE, SIZE, 0, 1);
            host_submit(&host, &writer, NULL, 0);
        }
        allocations[many] = counts.allocations - allocations[many];
        assert_int_equal(counts.scopes, scopes);
        assert_int_equal(counts.signals, signals);
        assert_int_equal(counts.objects, objects);
        host_wait(&host);
    }
    assert_int_equal(allocations[1], SUBMISSIONS * allocations[0]);
    agpu_writer_fini(&writer);
}

/* What the processor keeps of a buffer is gone before it keeps as much of the next one. */
static void large_memory_goes_within_streams(void **state)
{
    (void)state;
    enum { BUFFER = 1, TIMES = 64 };
    struct agpu_writer writer;
    int64_t live = 0;
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t i = 1; i <= TIMES; i += TIMES - 1) {
        for (uint32_t n = 0; n < i; n++) {
            agpu_write_create_buffer(&writer, BUFFER, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER, 4 * LARGE_BYTES, 0,
                                     0);
            agpu_write_destroy_resource(&writer, BUFFER);
        }
        live = counts.live_beside_large;
        run_ok(&writer);
    }
    assert_true(counts.live_beside_large < live + TIMES / 4);
    agpu_writer_fini(&writer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_frames_make_nothing),
        cmocka_unit_test(steady_frames_of_patches_make_nothing),
        cmocka_unit_test(nothing_is_left_of_frames),
        cmocka_unit_test(expanded_draws_keep_what_one_may_need),
        cmocka_unit_test(objects_cost_the_same_among_many),
        cmocka_unit_test(work_has_an_error_scope_and_an_end),
        cmocka_unit_test(what_is_made_has_error_scopes_for_memory),
        cmocka_unit_test(submissions_without_work_ask_for_nothing),
        cmocka_unit_test(large_memory_goes_within_streams),
        cmocka_unit_test(large_draws_are_submitted_in_steps),
    };
    if (argc != 2)
        return 2;
    is_software = strcmp(argv[1], "null") != 0;
    int result = host_open(&host, argv[1], NULL);
    if (result == 0)
        result = cmocka_run_group_tests(tests, NULL, NULL);
    host_close(&host);
    return result;
}
