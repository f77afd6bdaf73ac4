/* SPDX-License-Identifier: MIT
 *
 * Storage textures: their formats, loads and stores. Those that are buffers in WGSL are in memory.c.
 */
#include "wgsl/emit.h"
#include "wgsl/shape.h"

enum agpu_storage_format ag_wgsl_storage_format(const struct ag_wgsl_emitter *emitter,
                                                const struct ag_ir_resource *resource)
{
    const uint8_t *formats = emitter->options->uav_formats;
    if (formats != NULL && formats[resource->slot] != 0 &&
        formats[resource->slot] < AGPU_STORAGE_FORMAT_COUNT)
        return (enum agpu_storage_format)formats[resource->slot];
    switch (resource->return_type) {
    case AGPU_RETURN_SINT:
        return resource->loaded ? AGPU_STORAGE_R32_SINT : AGPU_STORAGE_RGBA32_SINT;
    case AGPU_RETURN_UINT:
        return resource->loaded ? AGPU_STORAGE_R32_UINT : AGPU_STORAGE_RGBA32_UINT;
    case AGPU_RETURN_UNORM:
        return resource->loaded ? AGPU_STORAGE_R32_FLOAT : AGPU_STORAGE_RGBA8_UNORM;
    case AGPU_RETURN_SNORM:
        return resource->loaded ? AGPU_STORAGE_R32_FLOAT : AGPU_STORAGE_RGBA8_SNORM;
    default:
        return resource->loaded ? AGPU_STORAGE_R32_FLOAT : AGPU_STORAGE_RGBA32_FLOAT;
    }
}

enum agpu_storage_access ag_wgsl_storage_access(const struct ag_ir_resource *resource)
{
    return !resource->loaded  ? AGPU_STORAGE_WRITE
           : resource->stored ? AGPU_STORAGE_READ_WRITE
                              : AGPU_STORAGE_READ;
}

/* ---- Stores ------------------------------------------------------------------------------------------- */

/* Converts a texel where WGSL leaves the result to the driver: NaN becomes 0 in a normalised format, half
 * floats are rounded towards zero, and values out of the format's range are clamped, except for infinities of
 * half floats (D3D11.3 3.2.2 and 3.2.3). */
static void append_converted(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *store)
{
    static const struct {
        const char *before, *after;
        uint8_t helper; /* what `before` calls, or AG_WGSL_NO_HELPER */
    } conversions[AGPU_STORAGE_FORMAT_COUNT] = {
        [AGPU_STORAGE_RGBA8_UNORM] = {"number4(",     ")",                              AG_WGSL_NUMBER    },
        [AGPU_STORAGE_RGBA8_SNORM] = {"number4(",     ")",                              AG_WGSL_NUMBER    },
        [AGPU_STORAGE_BGRA8_UNORM] = {"number4(",     ")",                              AG_WGSL_NUMBER    },
        [AGPU_STORAGE_RGBA16_FLOAT] = {"half_range4(", ")",                              AG_WGSL_HALF_RANGE},
        [AGPU_STORAGE_RGBA8_UINT] = {"min(",         ", vec4u(255u))",                 AG_WGSL_NO_HELPER },
        [AGPU_STORAGE_RGBA8_SINT] = {"clamp(",       ", vec4i(-128), vec4i(127))",     AG_WGSL_NO_HELPER },
        [AGPU_STORAGE_RGBA16_UINT] = {"min(",         ", vec4u(65535u))",               AG_WGSL_NO_HELPER },
        [AGPU_STORAGE_RGBA16_SINT] = {"clamp(",       ", vec4i(-32768), vec4i(32767))", AG_WGSL_NO_HELPER },
    };
    const struct ag_ir_resource *resource = &emitter->program->resources.data[store->access->resource];
    enum agpu_storage_format format = ag_wgsl_storage_format(emitter, resource);
    bool converts = conversions[format].before != NULL;
    if (converts) {
        if (conversions[format].helper != AG_WGSL_NO_HELPER)
            ag_wgsl_require(emitter, (enum ag_wgsl_helper)conversions[format].helper, 4);
        ag_strbuf_append(&emitter->body, conversions[format].before);
    }
    ag_wgsl_expr(emitter, store->args[1], ag_ir_resource_type(resource), false);
    if (converts)
        ag_strbuf_append(&emitter->body, conversions[format].after);
}

void ag_wgsl_store_storage_texel(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    struct ag_strbuf *out = &emitter->body;
    const struct ag_ir_resource *resource = &emitter->program->resources.data[expr->access->resource];
    const struct ag_wgsl_shape *shape = ag_wgsl_shape(resource);
    uint32_t t = emitter->temporaries++;
    ag_wgsl_line_start(emitter);
    ag_strbuf_printf(out, "let p%u = ", t);
    ag_wgsl_expr(emitter, expr->args[0], AG_IR_U32, false);
    ag_strbuf_append_char(out, ';');
    ag_wgsl_line_end(emitter);
    ag_wgsl_line_start(emitter);
    if (emitter->guards_writes)
        ag_strbuf_append(out, "if (discarded == 0u) { ");
    ag_strbuf_printf(out, "textureStore(%s, ", ag_wgsl_resource_name(emitter, expr->access->resource));
    if (shape->is_1d && shape->is_array)
        ag_strbuf_printf(out, "vec2u(p%u.x, 0u), p%u.y, ", t, t);
    else if (shape->is_1d)
        ag_strbuf_printf(out, "vec2u(p%u, 0u), ", t);
    else if (shape->is_array)
        ag_strbuf_printf(out, "p%u.xy, p%u.z, ", t, t);
    else
        ag_strbuf_printf(out, "p%u, ", t);
    append_converted(emitter, expr);
    ag_strbuf_append(out, emitter->guards_writes ? "); }" : ");");
    ag_wgsl_line_end(emitter);
}

/* ---- Loads -------------------------------------------------------------------------------------------- */

static bool has_alpha(enum agpu_storage_format format)
{
    return format < AGPU_STORAGE_R32_UINT || format > AGPU_STORAGE_RG32_FLOAT;
}

static void write_texel_helper(struct ag_wgsl_emitter *emitter, uint32_t id, const char *coordinates)
{
    struct ag_strbuf *out = &emitter->functions;
    const struct ag_ir_resource *resource = &emitter->program->resources.data[id];
    const struct ag_wgsl_shape *shape = ag_wgsl_shape(resource);
    const char *name = ag_wgsl_resource_name(emitter, id);
    const char *result = ag_wgsl_type(ag_ir_resource_type(resource), 4);
    ag_strbuf_printf(out, "fn %s_texel(p: %s) -> %s {\n\tlet size = textureDimensions(%s);\n\tif (%s", name,
                     coordinates, result, name, ag_wgsl_texel_outside(shape));
    if (shape->is_array)
        ag_strbuf_printf(out, "textureNumLayers(%s)", name);
    ag_strbuf_printf(out, ") {\n\t\treturn %s(0, 0, 0, %d);\n\t}\n\treturn textureLoad(%s, %s);\n}\n\n",
                     result, has_alpha(ag_wgsl_storage_format(emitter, resource)) ? 0 : 1, name,
                     ag_wgsl_texel_place(shape));
}

void ag_wgsl_load_storage_texel(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const uint32_t id = expr->access->resource;
    if (ag_wgsl_need(emitter, id, AG_WGSL_STORAGE_TEXEL))
        write_texel_helper(emitter, id, ag_wgsl_type(AG_IR_U32, expr->args[0]->width));
    ag_strbuf_printf(&emitter->body, "%s_texel(", ag_wgsl_resource_name(emitter, id));
    ag_wgsl_expr(emitter, expr->args[0], AG_IR_U32, false);
    ag_strbuf_append_char(&emitter->body, ')');
}
