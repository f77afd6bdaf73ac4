/* SPDX-License-Identifier: MIT
 *
 * The GPU runs out of memory for buffers that the host makes for itself while a context works. That context
 * ends; the host keeps nothing of what is missing, so that the same work is done for another context, also
 * when that had begun.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/text.h"
#include "exec/expand/counted_draw.h"
#include "exec/record/upload_ring.h"
#include "exec/submit/exec.h"
#include "format/formats.h"
#include "gpu/webgpu.h"
#include "host.h"

/* The linker's names: __wrap_f is called for f, __real_f is f. NOLINTBEGIN(bugprone-reserved-identifier) */
WGPUBuffer __real_ag_wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *descriptor);
WGPUBuffer __wrap_ag_wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *descriptor);
bool __real_ag_upload_ring_alloc(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice);
bool __wrap_ag_upload_ring_alloc(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice);

static struct {
    bool is_short;
    uint32_t missing; /* buffers */
    bool is_ring_short;
    uint32_t ring_slices; /* that are to be had before one is not */
} memory;

bool __wrap_ag_upload_ring_alloc(struct ag_recorder *recorder, uint64_t size, struct ag_upload_slice *slice)
{
    if (!memory.is_ring_short || memory.ring_slices-- > 0)
        return __real_ag_upload_ring_alloc(recorder, size, slice);
    memory.is_ring_short = false;
    return false;
}

WGPUBuffer __wrap_ag_wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *descriptor)
{
    WGPUBufferDescriptor larger = *descriptor;
    if (!memory.is_short || descriptor->mappedAtCreation)
        return __real_ag_wgpuDeviceCreateBuffer(device, descriptor);
    memory.missing++;
    wgpuDeviceInjectError(device, WGPUErrorType_OutOfMemory, (WGPUStringView){"no memory", 9});
    larger.size = UINT64_C(1) << 60; /* more than any device has, so that the buffer cannot be used */
    return __real_ag_wgpuDeviceCreateBuffer(device, &larger);
}
/* NOLINTEND(bugprone-reserved-identifier) */

static struct host host;
static bool is_null; /* the driver, which draws nothing */

enum { VERTEX = 101, GEOMETRY, PIXEL, COMPUTE, HULL, DOMAIN };

#define TARGET                                                                                               \
    "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=1 height=1 "    \
    "mip_levels=1 array_layers=1\n"

static void assemble(uint32_t handle, enum agpu_stream_stage stage, const char *listing)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    host_assemble_shader(&writer, handle, stage, listing);
    host_run_ok(&host, &writer);
    agpu_writer_fini(&writer);
}

/* Does the work for a context for which memory is short, and for one for which there is some. */
static void assert_others_go_on(const char *objects, const char *work)
{
    host.context_id = 1;
    assert_int_equal(host_run_text(&host, objects), AEROGPU_ERROR_NONE);
    memory.missing = 0;
    memory.is_short = true;
    assert_int_equal(host_run_text(&host, work), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_OUT_OF_MEMORY);
    memory.is_short = false;
    assert_true(memory.missing > 0);
    for (host.context_id = 2; host.context_id <= 3; host.context_id++) {
        const uint32_t error = host_run_text(&host, work);
        if (error)
            print_message("%s\n", host.first_message);
        assert_int_equal(error, AEROGPU_ERROR_NONE);
        assert_int_equal(host.diag_count, 0);
    }
    host.context_id = 1;
    assert_int_equal(host_run_text(&host, work), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_OUT_OF_MEMORY);
}

#define COPIED_TEXTURE                                                                                       \
    "CREATE_TEXTURE2D texture_handle=11 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=4 height=2 "         \
    "mip_levels=1 array_layers=1\n"

/* Needs a buffer of the host, since WebGPU copies nothing within one subresource. */
#define BUFFERED_COPY "COPY_TEXTURE2D dst_texture=11 src_texture=11 dst_x=2 width=2 height=2\n"

static void copied_texels(void **state)
{
    (void)state;
    host_reset(&host);
    assert_others_go_on(COPIED_TEXTURE, BUFFERED_COPY);
}

static void create_expanded_shaders(void)
{
    assemble(VERTEX, AGPU_STREAM_STAGE_VERTEX,
             "vs_5_0\n.in SV_VertexID0 v0.x uint vertex_id\n.out SV_Position0 o0.xyzw float position\n"
             "dcl_input_sgv v0.x, vertex_id\ndcl_output_siv o0.xyzw, position\ndcl_temps 1\n"
             "utof r0.x, v0.x\nadd o0.x, r0.x, l(-0.5)\nmov o0.yzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    assemble(GEOMETRY, AGPU_STREAM_STAGE_GEOMETRY,
             "gs_5_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float position\n"
             "dcl_input_siv v[1][0].xyzw, position\ndcl_inputprimitive point\ndcl_stream m0\n"
             "dcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\ndcl_maxout 9\n"
             "mov o0.xyzw, v[0][0].xyzw\nemit_stream m0\nret\n");
    assemble(PIXEL, AGPU_STREAM_STAGE_PIXEL,
             "ps_5_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
             "mov o0.xyzw, l(1.0, 0.0, 0.0, 1.0)\nret\n");
}

#define EXPANDED_STATE "BIND_SHADERS vs=101 gs=102 ps=103\nSET_PRIMITIVE_TOPOLOGY topology=POINTLIST\n"

/* The buffers of expanded draws. */
static void expanded_draws(void **state)
{
    (void)state;
    host_reset(&host);
    create_expanded_shaders();
    assert_others_go_on(TARGET, "SET_RENDER_TARGETS colors=[1]\n"
                                "SET_VIEWPORT width_f32=1 height_f32=1 max_depth_f32=1\n" EXPANDED_STATE
                                "DRAW vertex_count=1 instance_count=1\n");
}

/* Of two equal draws one misses a slice of the upload ring, and the other is whole: what the first one did
 * not make is not there for the second. */
static void slices(void **state)
{
    (void)state;
    host_reset(&host);
    create_expanded_shaders();
    assert_int_equal(host_run_text(&host,
                                   "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET|SCANOUT "
                                   "format=R8G8B8A8_UNORM width=2 height=1 mip_levels=1 array_layers=1\n"
                                   "SET_RENDER_TARGETS colors=[1]\n"
                                   "SET_VIEWPORT width_f32=2 height_f32=1 max_depth_f32=1\n" EXPANDED_STATE),
                     AEROGPU_ERROR_NONE);
    uint32_t tried = 0;
    for (bool is_missing = true; is_missing; tried++) {
        assert_int_equal(host_run_text(&host, "DRAW vertex_count=1 instance_count=1\n"), AEROGPU_ERROR_NONE);
        memory.is_ring_short = true;
        memory.ring_slices = tried;
        assert_int_equal(host_run_text(&host, "CLEAR flags=COLOR color_rgba_f32=[0 0 1 1]\n"
                                              "DRAW vertex_count=2 instance_count=1\n"
                                              "DRAW vertex_count=2 instance_count=1\nPRESENT\n"),
                         AEROGPU_ERROR_NONE);
        is_missing = !memory.is_ring_short;
        memory.is_ring_short = false;
        for (uint32_t x = 0; x < 2 && !is_null; x++)
            assert_int_equal(host_pixel(&host, x, 0), 0xFF0000FF);
    }
    assert_true(tried > 2);
}

/* Lines of listings: the factors of a quad as a hull shader declares and writes them, and as a
 * domain shader has them. */
#define QUAD_FACTORS                                                                                         \
    ".patch SV_TessFactor0 o0.x float quad_edge_tess_factor\n"                                               \
    ".patch SV_TessFactor1 o1.x float quad_edge_tess_factor\n"                                               \
    ".patch SV_TessFactor2 o2.x float quad_edge_tess_factor\n"                                               \
    ".patch SV_TessFactor3 o3.x float quad_edge_tess_factor\n"                                               \
    ".patch SV_InsideTessFactor0 o4.x float quad_inside_tess_factor\n"                                       \
    ".patch SV_InsideTessFactor1 o5.x float quad_inside_tess_factor\n"
#define QUAD_FACTOR_OUTPUTS                                                                                  \
    "dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\n"                                                     \
    "dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor\n"                                                     \
    "dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor\n"                                                     \
    "dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor\n"                                                     \
    "dcl_output_siv o4.x, finalQuadUInsideTessFactor\n"                                                      \
    "dcl_output_siv o5.x, finalQuadVInsideTessFactor\n"
#define QUAD_FACTORS_READ                                                                                    \
    ".patch SV_TessFactor0 vpc0.x float quad_edge_tess_factor read=0x0\n"                                    \
    ".patch SV_TessFactor1 vpc1.x float quad_edge_tess_factor read=0x0\n"                                    \
    ".patch SV_TessFactor2 vpc2.x float quad_edge_tess_factor read=0x0\n"                                    \
    ".patch SV_TessFactor3 vpc3.x float quad_edge_tess_factor read=0x0\n"                                    \
    ".patch SV_InsideTessFactor0 vpc4.x float quad_inside_tess_factor read=0x0\n"                            \
    ".patch SV_InsideTessFactor1 vpc5.x float quad_inside_tess_factor read=0x0\n"

/* A patch for each vertex, which covers the pixel of its number, in up to 128 triangles; or a point there. */
static void create_joining_draws(void)
{
    const struct aerogpu_input_layout_element_dxgi element = {
        .semantic_name_hash = agpu_semantic_hash("POSITION", 8), .dxgi_format = AG_DXGI_R32_FLOAT};
    const struct aerogpu_vertex_buffer_binding stream = {.buffer = 2, .stride_bytes = 4};
    static const float places[16] = {0, 0, 0, 0, 1, 1, 1, 1, 4, 4, 4, 4, 5, 5, 5, 5};
    struct agpu_writer writer;
    assemble(VERTEX, AGPU_STREAM_STAGE_VERTEX,
             "vs_5_0\n.in POSITION0 v0.x float\n.out SV_Position0 o0.xyzw float position\n"
             "dcl_input v0.x\ndcl_output_siv o0.xyzw, position\nmov o0.x, v0.x\n"
             "mov o0.yzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    assemble(GEOMETRY, AGPU_STREAM_STAGE_GEOMETRY,
             "gs_5_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float position\n"
             "dcl_input_siv v[1][0].xyzw, position\ndcl_inputprimitive point\ndcl_stream m0\n"
             "dcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\ndcl_maxout 9\n"
             "mad o0.x, v[0][0].x, l(0.25), l(-0.875)\nmov o0.yzw, v[0][0].yyzw\nemit_stream m0\nret\n");
    assemble(HULL, AGPU_STREAM_STAGE_HULL,
             "hs_5_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float "
             "position\n" QUAD_FACTORS
             "hs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
             "dcl_tessellator_domain domain_quad\ndcl_tessellator_partitioning partitioning_integer\n"
             "dcl_tessellator_output_primitive output_triangle_cw\ndcl_hs_max_tessfactor l(8.0)\n"
             "hs_fork_phase\n" QUAD_FACTOR_OUTPUTS
             "mov o0.x, l(1.0)\nmov o1.x, l(1.0)\nmov o2.x, l(1.0)\nmov o3.x, l(1.0)\n"
             "mov o4.x, l(1.0)\nmov o5.x, l(1.0)\nret\n");
    assemble(DOMAIN, AGPU_STREAM_STAGE_DOMAIN,
             "ds_5_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float "
             "position\n" QUAD_FACTORS_READ
             "dcl_input_control_point_count 1\ndcl_tessellator_domain domain_quad\n"
             "dcl_input vicp[1][0].xyzw\ndcl_input vDomain.xy\ndcl_output_siv o0.xyzw, position\n"
             "dcl_temps 1\nadd r0.xy, vicp[0][0].xyxx, vDomain.xyxx\n"
             "mad o0.xy, r0.xyxx, l(0.25, -2.0, 0.0, 0.0), l(-1.0, 1.0, 0.0, 0.0)\n"
             "mov o0.zw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    assemble(PIXEL, AGPU_STREAM_STAGE_PIXEL,
             "ps_5_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
             "mov o0.xyzw, l(1.0, 0.0, 0.0, 1.0)\nret\n");
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, 2, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, sizeof places, 0, 0);
    agpu_write_upload_resource(&writer, 2, 0, places, sizeof places);
    agpu_write_create_input_layout_dxgi(&writer, 7, &element, 1);
    agpu_write_set_input_layout(&writer, 7);
    agpu_write_set_vertex_buffers(&writer, 0, 1, &stream);
    host_run_ok(&host, &writer);
    agpu_writer_fini(&writer);
    assert_int_equal(host_run_text(&host,
                                   "CREATE_TEXTURE2D texture_handle=1 usage_flags=RENDER_TARGET|SCANOUT "
                                   "format=R8G8B8A8_UNORM width=8 height=1 mip_levels=1 array_layers=1\n"
                                   "SET_RENDER_TARGETS colors=[1]\n"
                                   "SET_VIEWPORT width_f32=8 height_f32=1 max_depth_f32=1\n"),
                     AEROGPU_ERROR_NONE);
}

/* A picture with two draws, one behind the other, between which `between` is set. */
static void draw_two(const char *between, uint32_t first, uint32_t count)
{
    char text[512];
    snprintf(text, sizeof text,
             "CLEAR flags=COLOR color_rgba_f32=[0 0 1 1]\n"
             "DRAW vertex_count=%u instance_count=1 first_vertex=%u\n%s"
             "DRAW vertex_count=%u instance_count=1 first_vertex=%u\nPRESENT\n",
             count, first, between, count, first + count);
    assert_int_equal(host_run_text(&host, text), AEROGPU_ERROR_NONE);
}

/* Draws of other places are made before draws of which one misses a slice: those are left out, and show
 * nothing of what was made before. */
static void try_joined(const char *between, uint32_t first, uint32_t count)
{
    uint32_t tried = 0;
    for (bool is_missing = true; is_missing; tried++) {
        draw_two(between, first + 8, count);
        for (uint32_t x = 0; x < 8 && !is_null; x++)
            assert_int_equal(host_pixel(&host, x, 0), x / 2 == 2 ? 0xFF0000FF : 0x0000FFFF);
        memory.is_ring_short = true;
        memory.ring_slices = tried;
        draw_two(between, first, count);
        is_missing = !memory.is_ring_short;
        memory.is_ring_short = false;
        for (uint32_t x = 0; x < 8 && !is_null; x++) {
            const uint32_t pixel = host_pixel(&host, x, 0);
            assert_true(pixel == 0x0000FFFF || (x < 2 && pixel == 0xFF0000FF));
            assert_true(is_missing || x >= 2 || pixel == 0xFF0000FF);
        }
    }
    assert_true(tried > 2);
}

static void joined_draws(void **state)
{
    static const char set[] = "SET_VIEWPORT width_f32=8 height_f32=1 max_depth_f32=1\n";
    const uint64_t *const uses = &ag_exec_of(host.executor)->batch.uses;
    const uint64_t before = *uses;
    (void)state;
    host_reset(&host);
    create_joining_draws();
    assert_int_equal(host_run_text(&host, "BIND_SHADERS vs=101 gs=102 ps=103\n"
                                          "SET_PRIMITIVE_TOPOLOGY topology=POINTLIST\n"),
                     AEROGPU_ERROR_NONE);
    try_joined("", 3, 1);
    assert_int_equal(host_run_text(&host, "BIND_SHADERS vs=101 hs=105 ds=106 ps=103\n"
                                          "SET_PRIMITIVE_TOPOLOGY topology=PATCHLIST_1\n"),
                     AEROGPU_ERROR_NONE);
    try_joined("", 3, 1);
    try_joined(set, 3, 1);
    try_joined(set, 0, 4); /* with arguments of the GPU */
    assert_true(*uses > before + 16);
}

/* What is bound where the guest has bound nothing. */
static void dummies(void **state)
{
    (void)state;
    host_reset(&host);
    assemble(COMPUTE, AGPU_STREAM_STAGE_COMPUTE,
             "cs_5_0\ndcl_constantbuffer cb0[4], immediateIndexed\ndcl_resource_raw t0\ndcl_uav_raw u0\n"
             "dcl_temps 1\ndcl_thread_group 1, 1, 1\nld_raw r0.x, l(0), t0.xxxx\n"
             "iadd r0.x, r0.x, cb0[1].x\nstore_raw u0.x, l(0), r0.x\nret\n");
    assert_others_go_on("CREATE_BUFFER buffer_handle=1 usage_flags=STORAGE size_bytes=64\n",
                        "BIND_SHADERS cs=104\n"
                        "DISPATCH group_count_x=1 group_count_y=1 group_count_z=1\n");
}

/* Patches that cover the target once each. Their factors are 1 and 2 in turn, which nothing but the shader
 * knows: by their declarations they might become very many triangles. */
static void assemble_patches(void)
{
    assemble(VERTEX, AGPU_STREAM_STAGE_VERTEX,
             "vs_5_0\n.in SV_VertexID0 v0.x uint vertex_id\n.out CORNER0 o0.xyzw float\n"
             "dcl_input_sgv v0.x, vertex_id\ndcl_output o0.xyzw\n"
             "mov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    assemble(HULL, AGPU_STREAM_STAGE_HULL,
             "hs_5_0\n.in CORNER0 v0.xyzw float\n.out CORNER0 o0.xyzw float\n" QUAD_FACTORS
             "hs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
             "dcl_tessellator_domain domain_quad\ndcl_tessellator_partitioning partitioning_integer\n"
             "dcl_tessellator_output_primitive output_triangle_cw\nhs_fork_phase\ndcl_input "
             "vPrim\n" QUAD_FACTOR_OUTPUTS
             "dcl_temps 1\nand r0.x, vPrim, l(1)\niadd r0.x, r0.x, l(1)\nutof r0.x, r0.x\n"
             "mov o0.x, r0.x\nmov o1.x, r0.x\nmov o2.x, r0.x\nmov o3.x, r0.x\n"
             "mov o4.x, r0.x\nmov o5.x, r0.x\nret\n");
    assemble(DOMAIN, AGPU_STREAM_STAGE_DOMAIN,
             "ds_5_0\n.in CORNER0 v0.xyzw float\n.out SV_Position0 o0.xyzw float position\n"
             ".out FAR0 o31.xyzw float\n" QUAD_FACTORS_READ
             "dcl_input_control_point_count 1\ndcl_tessellator_domain domain_quad\n"
             "dcl_input vDomain.xy\ndcl_output_siv o0.xyzw, position\ndcl_output o31.xyzw\n"
             "mad o0.xy, vDomain.xyxx, l(2.0, -2.0, 0.0, 0.0), l(-1.0, 1.0, 0.0, 0.0)\n"
             "mov o0.zw, l(0.0, 0.0, 0.0, 1.0)\nmov o31.xyzw, l(1.0, 1.0, 1.0, 1.0)\nret\n");
    assemble(PIXEL, AGPU_STREAM_STAGE_PIXEL,
             "ps_5_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
             "mov o0.xyzw, l(1.0, 0.0, 0.0, 1.0)\nret\n");
}

/* Patches of 32 triangles that cover the target together, of each of which a geometry shader makes a point.
 * All of these add 1 to what is there. */
static void assemble_adding_patches(void)
{
    assemble_patches();
    assemble(HULL, AGPU_STREAM_STAGE_HULL,
             "hs_5_0\n.in CORNER0 v0.xyzw float\n.out CORNER0 o0.xyzw float\n" QUAD_FACTORS
             "hs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
             "dcl_tessellator_domain domain_quad\ndcl_tessellator_partitioning partitioning_integer\n"
             "dcl_tessellator_output_primitive output_triangle_cw\ndcl_hs_max_tessfactor l(4.0)\n"
             "hs_fork_phase\n" QUAD_FACTOR_OUTPUTS
             "mov o0.x, l(4.0)\nmov o1.x, l(4.0)\nmov o2.x, l(4.0)\nmov o3.x, l(4.0)\n"
             "mov o4.x, l(4.0)\nmov o5.x, l(4.0)\nret\n");
    assemble(GEOMETRY, AGPU_STREAM_STAGE_GEOMETRY,
             "gs_5_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Position0 o0.xyzw float position\n"
             "dcl_input_siv v[3][0].xyzw, position\ndcl_inputprimitive triangle\ndcl_stream m0\n"
             "dcl_outputtopology pointlist\ndcl_output_siv o0.xyzw, position\ndcl_maxout 1\n"
             "mov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nemit_stream m0\nret\n");
    assemble(PIXEL, AGPU_STREAM_STAGE_PIXEL,
             "ps_5_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
             "mov o0.xyzw, l(0.003921569, 0.0, 0.0, 1.0)\nret\n");
}

/* Submits a stream in its text form without waiting. */
static void submit_text(const char *text)
{
    uint8_t *stream;
    size_t size;
    struct agpu_writer writer;
    assert_int_equal(agpu_text_assemble(text, strlen(text), NULL, NULL, &stream, &size), AGPU_OK);
    agpu_writer_init_growing(&writer, NULL);
    host.raw_stream = stream;
    host.raw_size = (uint32_t)size;
    host_submit(&host, &writer, NULL, 0);
    agpu_writer_fini(&writer);
    agpu_free(stream);
}

/* A context counts the patches of a draw while the host hears that memory ran out for another context. The
 * patches are gone with the host's buffers, and made and counted again. */
static void counted_draws(void **state)
{
    static const char work[] = "SET_RENDER_TARGETS colors=[1]\n"
                               "SET_VIEWPORT width_f32=1 height_f32=1 max_depth_f32=1\n"
                               "CLEAR flags=COLOR color_rgba_f32=[0 0 1 1]\n"
                               "BIND_SHADERS vs=101 hs=105 ds=106 ps=103\n"
                               "SET_PRIMITIVE_TOPOLOGY topology=PATCHLIST_1\n"
                               "DRAW vertex_count=1024 instance_count=1\nPRESENT\n";
    (void)state;
    host_reset(&host);
    assemble_patches();
    assert_int_equal(host_run_text(&host, TARGET COPIED_TEXTURE), AEROGPU_ERROR_NONE);
    host.context_id = 2;
    assert_int_equal(host_run_text(&host, work), AEROGPU_ERROR_NONE);
    assert_true(is_null || host_pixel(&host, 0, 0) == 0xff0000ff);
    host.context_id = 1;
    memory.missing = 0;
    memory.is_short = true;
    submit_text(BUFFERED_COPY);
    memory.is_short = false;
    assert_true(memory.missing > 0);
    host.context_id = 2;
    host.last_error = UINT32_MAX;
    const uint64_t draws = host_counters(&host).draws;
    submit_text(work);
    assert_int_equal(host_counters(&host).draws, draws); /* the stream pauses for the count */
    host_wait(&host);
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_OUT_OF_MEMORY); /* of the first context */
    assert_int_equal(host_counters(&host).draws, draws + 1);
    assert_int_equal(host.present_count, 2);
    assert_true(is_null || host_pixel(&host, 0, 0) == 0xff0000ff);
}

/* What is drawn in parts while the buffers of the host are made anew between all of them is whole. */
static void draw_divided(const char *shaders, uint32_t sum)
{
    struct ag_exec *exec = ag_exec_of(host.executor);
    char text[1024];
    uint32_t pauses = 0;
    snprintf(text, sizeof text,
             "SET_RENDER_TARGETS colors=[1]\nSET_VIEWPORT width_f32=1 height_f32=1 max_depth_f32=1\n"
             "SET_BLEND_STATE state={enable=1 src_factor=ONE dst_factor=ONE blend_op=ADD color_write_mask=15 "
             "src_factor_alpha=ONE dst_factor_alpha=ONE blend_op_alpha=ADD sample_mask=0xFFFFFFFF}\n"
             "CLEAR flags=COLOR color_rgba_f32=[0 0 0 1]\n%s"
             "SET_PRIMITIVE_TOPOLOGY topology=PATCHLIST_1\n"
             "DRAW vertex_count=5 instance_count=1\nPRESENT\n",
             shaders);
    host.last_error = UINT32_MAX;
    submit_text(text);
    for (struct ag_draw_place last = {0}; host.executor->poll(host.executor);) {
        const struct ag_draw_place *at = &exec->expander.counted->place;
        if (!at->goes_on || (at->number == last.number && at->first == last.first))
            continue;
        exec->is_short = true;
        last = *at;
        pauses++;
    }
    assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
    assert_true(pauses >= 4);
    assert_true(is_null || host_pixel(&host, 0, 0) == (sum << 24 | 0xff));
}

static void divided_draws(void **state)
{
    struct ag_throttle *throttle = &ag_exec_of(host.executor)->recorder.throttle;
    const struct ag_throttle before = *throttle;
    (void)state;
    host_reset(&host);
    assemble_adding_patches();
    assert_int_equal(host_run_text(&host, TARGET), AEROGPU_ERROR_NONE);
    throttle->step_vertices = 10; /* 5 patches become 160 points, or 480 vertices */
    throttle->most_open.commands = throttle->most_in_flight.commands = 1;
    draw_divided("BIND_SHADERS vs=101 gs=102 hs=105 ds=106 ps=103\n", 5 * 32);
    draw_divided("BIND_SHADERS vs=101 hs=105 ds=106 ps=103\n", 5);
    throttle->step_vertices = before.step_vertices;
    throttle->most_open = before.most_open;
    throttle->most_in_flight = before.most_in_flight;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copied_texels), cmocka_unit_test(expanded_draws), cmocka_unit_test(slices),
        cmocka_unit_test(joined_draws),  cmocka_unit_test(dummies),        cmocka_unit_test(counted_draws),
        cmocka_unit_test(divided_draws),
    };
    if (argc != 2)
        return 1;
    is_null = strcmp(argv[1], "null") == 0;
    const int opened = host_open(&host, argv[1], NULL);
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests_name("exec/shortage", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
