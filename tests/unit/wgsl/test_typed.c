/* SPDX-License-Identifier: MIT
 *
 * Typed views by value, on a driver: storage textures of every format, typed buffers. Usage: test_typed
 * driver
 */
#include "../../support/shader_text.h"

#include "base/bytes.h"
#include "compute_run.h"
#include "module_text.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/options.h"

#define TEXELS 2
#define MOST_WORDS (4 * TEXELS)
#define HEAD "cs_5_0\ndcl_globalFlags refactoringAllowed\n"

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

static void run(struct agpu_module *module, const struct compute_buffer *buffers, size_t count)
{
    compute_dispatch(gpu, module, buffers, count, 1);
    if (gpu_log.count != 0)
        print_error("%s\n", gpu_log.message);
    assert_int_equal(gpu_log.count, 0);
    agpu_module_destroy(module);
}

/* The draw block of a module whose only view besides the one given is of `out_bytes` at u0. */
static void fill_views(const struct agpu_module *module, uint32_t *block, uint32_t binding,
                       const uint32_t view[4], uint32_t out_bytes)
{
    memset(block, 0, AG_DRAW_BLOCK_BYTES);
    for (uint32_t i = 0; i < module->view_count; i++) {
        uint32_t *entry = block + AG_DRAW_BLOCK_VIEWS / 4 + 4 * (module->view_base + i);
        if (module->views[i] == binding)
            memcpy(entry, view, 4 * sizeof view[0]);
        else
            entry[1] = out_bytes;
    }
}

/* ---- Storage textures (D3D11.3 3.2.3, 22.4.20) --------------------------------------------------------- */

#define ONE 0x3f800000
#define MINUS_ONE 0xbf800000

/* clang-format off */
static const struct format {
    enum agpu_storage_format format;
    WGPUTextureFormat host;
    const char *type;  /* of a component, in the declaration */
    const char *value; /* stored */
    uint32_t words;    /* of a texel */
    uint32_t stored[4], texel[4], loaded[4];
} formats[] = {
    {AGPU_STORAGE_RGBA8_UNORM, WGPUTextureFormat_RGBA8Unorm, "unorm", "0.2, 2.0, -1.0, 0x7fc00000", 1,
     {0x0000ff33}, {0xff00ff00}, {0, ONE, 0, ONE}},
    {AGPU_STORAGE_RGBA8_SNORM, WGPUTextureFormat_RGBA8Snorm, "snorm", "1.0, -1.0, -7.0, 0x7fc00000", 1,
     {0x0081817f}, {0x0080817f}, {ONE, MINUS_ONE, MINUS_ONE, 0}},
    {AGPU_STORAGE_RGBA8_UINT, WGPUTextureFormat_RGBA8Uint, "uint", "1, 255, 1000, 0", 1,
     {0x00ffff01}, {0xff030201}, {1, 2, 3, 255}},
    {AGPU_STORAGE_RGBA8_SINT, WGPUTextureFormat_RGBA8Sint, "sint", "-1, 127, 1000, -1000", 1,
     {0x807f7fff}, {0x80ff7f01}, {1, 127, UINT32_MAX, (uint32_t)-128}},
    {AGPU_STORAGE_RGBA16_UINT, WGPUTextureFormat_RGBA16Uint, "uint", "1, 70000, 65535, 7", 2,
     {0xffff0001, 0x0007ffff}, {0x00020001, 0xffff0003}, {1, 2, 3, 65535}},
    {AGPU_STORAGE_RGBA16_SINT, WGPUTextureFormat_RGBA16Sint, "sint", "-1, 70000, -70000, 7", 2,
     {0x7fffffff, 0x00078000}, {0x8000ffff, 0x00030002}, {UINT32_MAX, (uint32_t)-32768, 2, 3}},
    {AGPU_STORAGE_RGBA16_FLOAT, WGPUTextureFormat_RGBA16Float, "float", "1.0, -1.0, 0.5, 65504.0", 2,
     {0xbc003c00, 0x7bff3800}, {0x3c000000, 0xbc003800}, {0, ONE, 0x3f000000, MINUS_ONE}},
    {AGPU_STORAGE_RGBA16_FLOAT, WGPUTextureFormat_RGBA16Float, "float", "100000.0, -1.0, 65520.0, -2147483648.0", 2,
     {0xbc007bff, 0xfbff7bff}, {0x3c000000, 0xbc003800}, {0, ONE, 0x3f000000, MINUS_ONE}},
    {AGPU_STORAGE_RGBA8_UNORM, WGPUTextureFormat_RGBA8Unorm, "float", "0.2, 2.0, -1.0, 0x7fc00000", 1,
     {0x0000ff33}, {0xff00ff00}, {0, ONE, 0, ONE}},
    {AGPU_STORAGE_R32_UINT, WGPUTextureFormat_R32Uint, "uint", "-7, 2, 3, 4", 1,
     {(uint32_t)-7}, {0xfedcba98}, {0xfedcba98, 0, 0, 1}},
    {AGPU_STORAGE_R32_SINT, WGPUTextureFormat_R32Sint, "sint", "-7, 2, 3, 4", 1,
     {(uint32_t)-7}, {0xfedcba98}, {0xfedcba98, 0, 0, 1}},
    {AGPU_STORAGE_R32_FLOAT, WGPUTextureFormat_R32Float, "float", "-1.0, 2.0, 3.0, 4.0", 1,
     {MINUS_ONE}, {0x40490fdb}, {0x40490fdb, 0, 0, ONE}},
    {AGPU_STORAGE_RG32_UINT, WGPUTextureFormat_RG32Uint, "uint", "-7, 2, 3, 4", 2,
     {(uint32_t)-7, 2}, {0xfedcba98, 5}, {0xfedcba98, 5, 0, 1}},
    {AGPU_STORAGE_RG32_SINT, WGPUTextureFormat_RG32Sint, "sint", "-7, 2, 3, 4", 2,
     {(uint32_t)-7, 2}, {0xfedcba98, 5}, {0xfedcba98, 5, 0, 1}},
    {AGPU_STORAGE_RG32_FLOAT, WGPUTextureFormat_RG32Float, "float", "-1.0, 1.0, 3.0, 4.0", 2,
     {MINUS_ONE, ONE}, {0x40490fdb, ONE}, {0x40490fdb, ONE, 0, ONE}},
    {AGPU_STORAGE_RGBA32_UINT, WGPUTextureFormat_RGBA32Uint, "uint", "-7, 2, 3, 4", 4,
     {(uint32_t)-7, 2, 3, 4}, {9, 8, 7, 6}, {9, 8, 7, 6}},
    {AGPU_STORAGE_RGBA32_SINT, WGPUTextureFormat_RGBA32Sint, "sint", "-7, 2, 3, 4", 4,
     {(uint32_t)-7, 2, 3, 4}, {9, 8, 7, 6}, {9, 8, 7, 6}},
    {AGPU_STORAGE_RGBA32_FLOAT, WGPUTextureFormat_RGBA32Float, "float", "-1.0, 1.0, 0.5, 0.0", 4,
     {MINUS_ONE, ONE, 0x3f000000, 0}, {0, ONE, 0x40490fdb, MINUS_ONE}, {0, ONE, 0x40490fdb, MINUS_ONE}},
};
/* clang-format on */

static struct agpu_module *translate_format(const struct format *format, const char *code)
{
    uint8_t uav_formats[AGPU_MAX_UAVS] = {0};
    const struct ag_translate_options options = {.uav_formats = uav_formats};
    char text[1024];
    uav_formats[1] = (uint8_t)format->format;
    snprintf(text, sizeof text,
             HEAD "dcl_uav_raw u0\ndcl_uav_typed_texture2d (%s,%s,%s,%s) u1\ndcl_temps 2\n"
                  "dcl_thread_group 1, 1, 1\n%sret\n",
             format->type, format->type, format->type, format->type, code);
    return translate(text, &options);
}

/* Stores clamp to what the format has; a NaN is 0 where it has none; outside of the view nothing happens. */
static void stores_convert(void **state)
{
    static const uint32_t block[AG_DRAW_BLOCK_BYTES / 4];
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(formats); i++) {
        const struct format *format = &formats[i];
        uint32_t texels[MOST_WORDS];
        char code[512];
        snprintf(code, sizeof code,
                 "store_uav_typed u1.xyzw, l(1, 0, 0, 0), l(%s)\n"
                 "store_uav_typed u1.xyzw, l(2, 0, 0, 0), l(1, 1, 1, 1)\n"
                 "store_uav_typed u1.xyzw, l(0, 1, 0, 0), l(1, 1, 1, 1)\n",
                 format->value);
        const struct compute_buffer buffers[] = {
            {.group = AG_GROUP_COMPUTE,
             .binding = AG_BINDING_UAV + 1,
             .out = texels,
             .words = (size_t)format->words * TEXELS,
             .texels = TEXELS,
             .format = format->host},
            compute_draw_block(block),
        };
        run(translate_format(format, code), buffers, AG_COUNT_OF(buffers));
        for (uint32_t w = 0; w < format->words; w++) {
            if (texels[format->words + w] != format->stored[w])
                print_error("format %d word %u\n", (int)format->format, w);
            assert_int_equal(texels[w], 0);
            assert_int_equal(texels[format->words + w], format->stored[w]);
        }
    }
}

static bool has_alpha(const struct format *format)
{
    return format->format < AGPU_STORAGE_R32_UINT || format->format > AGPU_STORAGE_RG32_FLOAT;
}

/* What a format lacks is 0, 0, 1, also outside of the view, where all else is 0. */
static void loads_convert(void **state)
{
    (void)state;
    for (size_t i = 0; i < AG_COUNT_OF(formats); i++) {
        const struct format *format = &formats[i];
        static const uint32_t no_view[4];
        uint32_t texels[MOST_WORDS] = {0}, out[8], block[AG_DRAW_BLOCK_BYTES / 4];
        memcpy(texels + format->words, format->texel, format->words * sizeof texels[0]);
        struct agpu_module *module = translate_format(
            format, "ld_uav_typed r0.xyzw, l(1, 0, 0, 0), u1.xyzw\nstore_raw u0.xyzw, l(0), r0.xyzw\n"
                    "ld_uav_typed r0.xyzw, l(2, 0, 0, 0), u1.xyzw\nstore_raw u0.xyzw, l(16), r0.xyzw\n");
        fill_views(module, block, UINT32_MAX, no_view, sizeof out);
        const struct compute_buffer buffers[] = {
            {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_UAV, .out = out, .words = 8},
            { .group = AG_GROUP_COMPUTE,
             .binding = AG_BINDING_UAV + 1,
             .in = texels,
             .words = (size_t)format->words * TEXELS,
             .texels = TEXELS,
             .format = format->host},
            compute_draw_block(block),
        };
        run(module, buffers, AG_COUNT_OF(buffers));
        for (uint32_t c = 0; c < 8; c++) {
            uint32_t expected = c < 4 || (c == 7 && !has_alpha(format)) ? format->loaded[c & 3] : 0;
            if (out[c] != expected)
                print_error("format %d component %u\n", (int)format->format, c);
            assert_int_equal(out[c], expected);
        }
    }
}

/* ---- Typed buffers: four words an element -------------------------------------------------------------- */

#define ELEMENTS 4
static const uint32_t part_of_buffer[4] = {16, 32, 2, 0}; /* elements 1 and 2 */

static void typed_buffers_load(void **state)
{
    uint32_t elements[4 * ELEMENTS], out[12], block[AG_DRAW_BLOCK_BYTES / 4];
    (void)state;
    for (uint32_t i = 0; i < AG_COUNT_OF(elements); i++)
        elements[i] = 100 + i;
    struct agpu_module *module =
        translate(HEAD "dcl_resource_buffer (sint,sint,sint,sint) t0\ndcl_uav_raw u0\ndcl_temps 2\n"
                       "dcl_thread_group 1, 1, 1\n"
                       "ld r0.xyzw, l(0, 0, 0, 0), t0.wzyx\nstore_raw u0.xyzw, l(0), r0.xyzw\n"
                       "ld r0.xyzw, l(1, 0, 0, 0), t0.xyzw\nstore_raw u0.xyzw, l(16), r0.xyzw\n"
                       "ld r0.xyzw, l(2, 0, 0, 0), t0.xyzw\nstore_raw u0.xyzw, l(32), r0.xyzw\nret\n",
                  NULL);
    fill_views(module, block, AG_BINDING_TEXTURE, part_of_buffer, sizeof out);
    const struct compute_buffer buffers[] = {
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_TEXTURE, .in = elements, .words = 4 * ELEMENTS},
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_UAV,     .out = out,     .words = 12          },
        compute_draw_block(block),
    };
    run(module, buffers, AG_COUNT_OF(buffers));
    static const uint32_t expected[12] = {107, 106, 105, 104, 108, 109, 110, 111, 0, 0, 0, 0};
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(out[i], expected[i]);
}

static void typed_buffers_store(void **state)
{
    uint32_t elements[4 * ELEMENTS], out[4], block[AG_DRAW_BLOCK_BYTES / 4];
    (void)state;
    struct agpu_module *module = translate(
        HEAD "dcl_uav_raw u0\ndcl_uav_typed_buffer (uint,uint,uint,uint) u1\ndcl_temps 2\n"
             "dcl_thread_group 1, 1, 1\n"
             "store_uav_typed u1.xyzw, l(0, 0, 0, 0), l(1, 2, 3, 4)\n"
             "store_uav_typed u1.xyzw, l(1, 0, 0, 0), l(5, 6, 7, 8)\n"
             "store_uav_typed u1.xyzw, l(2, 0, 0, 0), l(9, 9, 9, 9)\n"
             "store_uav_typed u1.xyzw, l(-1, 0, 0, 0), l(9, 9, 9, 9)\n"
             "ld_uav_typed r0.xyzw, l(1, 0, 0, 0), u1.yxwz\nstore_raw u0.xyzw, l(0), r0.xyzw\nret\n",
        NULL);
    fill_views(module, block, AG_BINDING_UAV + 1, part_of_buffer, sizeof out);
    const struct compute_buffer buffers[] = {
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_UAV,     .out = out,      .words = 4           },
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_UAV + 1, .out = elements, .words = 4 * ELEMENTS},
        compute_draw_block(block),
    };
    run(module, buffers, AG_COUNT_OF(buffers));
    for (uint32_t i = 0; i < 4 * ELEMENTS; i++)
        assert_int_equal(elements[i], i >= 4 && i < 12 ? i - 3 : 0);
    static const uint32_t expected[4] = {6, 5, 8, 7};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(out[i], expected[i]);
}

/* ---- Wide views of textures: four words a texel ------------------------------------------------------- */

static void wide_textures_work(void **state)
{
    static const uint32_t view[4] = {2, 1, 2, 64}; /* width, height, slices, bytes */
    static const struct ag_translate_options options = {.wide_uavs = true};
    uint32_t texels[16], out[8], block[AG_DRAW_BLOCK_BYTES / 4];
    (void)state;
    struct agpu_module *module =
        translate(HEAD "dcl_uav_raw u0\ndcl_uav_typed_texture2darray (uint,uint,uint,uint) u1\ndcl_temps 2\n"
                       "dcl_thread_group 1, 1, 1\n"
                       "store_uav_typed u1.xyzw, l(1, 0, 1, 0), l(5, 6, 7, 8)\n"
                       "store_uav_typed u1.xyzw, l(2, 0, 0, 0), l(9, 9, 9, 9)\n"
                       "store_uav_typed u1.xyzw, l(0, 1, 0, 0), l(9, 9, 9, 9)\n"
                       "store_uav_typed u1.xyzw, l(0, 0, 2, 0), l(9, 9, 9, 9)\n"
                       "atomic_iadd u1, l(1, 0, 0, 0), l(3)\n"
                       "ld_uav_typed r0.xyzw, l(1, 0, 1, 0), u1.wzyx\nstore_raw u0.xyzw, l(0), r0.xyzw\n"
                       "resinfo_uint r0.xyzw, l(0), u1.xyzw\nstore_raw u0.xyzw, l(16), r0.xyzw\nret\n",
                  &options);
    fill_views(module, block, AG_BINDING_UAV + 1, view, sizeof out);
    const struct compute_buffer buffers[] = {
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_UAV,     .out = out,    .words = 8 },
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_UAV + 1, .out = texels, .words = 16},
        compute_draw_block(block),
    };
    run(module, buffers, AG_COUNT_OF(buffers));
    static const uint32_t stored[16] = {[4] = 3, [12] = 5, [13] = 6, [14] = 7, [15] = 8};
    static const uint32_t loaded[8] = {8, 7, 6, 5, 2, 1, 2, 1};
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(texels[i], stored[i]);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(out[i], loaded[i]);
}

/* ---- Arrays of multisampled textures: a layer for each sample of each slice (decision L6) -------------- */

static void samples_of_slices_load(void **state)
{
    static const uint32_t view[4] = {1, 2, 0, 4}; /* two slices of four samples */
    static const char *const places[] = {"l(1, 0, 0, 0), t0.xyzw, l(3)", "l(0, 0, 1, 0), t0.xyzw, l(0)",
                                         "l(1, 0, 1, 0), t0.xyzw, l(2)", "l(0, 0, 0, 0), t0.xyzw, l(4)",
                                         "l(0, 0, 2, 0), t0.xyzw, l(0)", "l(2, 0, 0, 0), t0.xyzw, l(0)"};
    static const uint32_t expected[] = {31, 40, 61, 0, 0, 0}; /* ten a layer and one a texel */
    uint32_t texels[8][2], out[AG_COUNT_OF(places)], block[AG_DRAW_BLOCK_BYTES / 4];
    (void)state;
    for (uint32_t layer = 0; layer < 8; layer++)
        for (uint32_t x = 0; x < 2; x++)
            texels[layer][x] = layer * 10 + x;
    char text[1024];
    int length = snprintf(text, sizeof text,
                          HEAD "dcl_resource_texture2dmsarray(4) (uint,uint,uint,uint) t0\ndcl_uav_raw u0\n"
                               "dcl_temps 2\ndcl_thread_group 1, 1, 1\n");
    for (size_t i = 0; i < AG_COUNT_OF(places); i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "ldms r0.xyzw, %s\nstore_raw u0.x, l(%u), r0.x\n", places[i], (unsigned)i * 4);
    snprintf(text + length, sizeof text - (size_t)length, "ret\n");
    struct agpu_module *module = translate(text, NULL);
    fill_views(module, block, AG_BINDING_TEXTURE, view, sizeof out);
    const struct compute_buffer buffers[] = {
        {.group = AG_GROUP_COMPUTE, .binding = AG_BINDING_UAV, .out = out, .words = AG_COUNT_OF(out)},
        compute_draw_block(block),
        { .group = AG_GROUP_COMPUTE,
         .binding = AG_BINDING_TEXTURE,
         .in = texels[0],
         .words = 16,
         .texels = 2,
         .layers = 8,
         .format = WGPUTextureFormat_R32Uint},
    };
    run(module, buffers, AG_COUNT_OF(buffers));
    for (size_t i = 0; i < AG_COUNT_OF(out); i++)
        assert_int_equal(out[i], expected[i]);
}

int main(int argc, char **argv)
{
    const int opened = compute_open(argc, argv, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_convert),         cmocka_unit_test(loads_convert),
        cmocka_unit_test(typed_buffers_load),     cmocka_unit_test(typed_buffers_store),
        cmocka_unit_test(samples_of_slices_load), cmocka_unit_test(wide_textures_work),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/typed", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
