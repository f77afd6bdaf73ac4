/* SPDX-License-Identifier: MIT */
#include "exec/bind/texture_array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "format/format.h"
#include "gpu/label.h"

#define FIRST_LAYERS 8
/* An array that is larger than this takes layers from textures that wait rather than grow. */
#define ROOMY_BYTES (UINT64_C(256) << 20)
/* How many stages a layer keeps its place for: more than one draw has. */
#define STAGES_KEPT 8

/* ---- Classes ------------------------------------------------------------------------------------------ */

bool ag_texture_class_of(const struct ag_texture_view *view, struct ag_texture_class *class)
{
    const struct ag_texture *texture = view->texture;
    const struct ag_host_format *format = view->format;
    const WGPUExtent3D extent = ag_view_extent(view);
    const bool plane = format->class == AG_CLASS_DEPTH || ag_host_format_has(format, AG_FORMAT_STENCIL);
    if (texture->dimension == AG_TEXTURE_3D || texture->sample_count != 1 || texture->slices || plane ||
        extent.width % format->block_width || extent.height % format->block_height)
        return false;
    *class =
        (struct ag_texture_class){(uint32_t)format->texture, extent.width, extent.height, view->mip_count};
    return true;
}

static uint64_t layer_bytes(const struct ag_texture_class *class, const struct ag_host_format *format)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < class->mips; i++)
        bytes += ag_align_up(ag_mip_size(class->width, i), format->block_width) / format->block_width *
                 (ag_align_up(ag_mip_size(class->height, i), format->block_height) / format->block_height) *
                 format->host_bytes;
    return bytes;
}

/* The size of a mip for copies, which are of whole blocks. */
static WGPUExtent3D copied_size(const struct ag_texture_class *class, const struct ag_host_format *format,
                                uint32_t mip, uint32_t layers)
{
    return (WGPUExtent3D){(uint32_t)ag_align_up(ag_mip_size(class->width, mip), format->block_width),
                          (uint32_t)ag_align_up(ag_mip_size(class->height, mip), format->block_height),
                          layers};
}

/* ---- Arrays ------------------------------------------------------------------------------------------- */

static void drop_gpu(struct ag_binder *binder, struct ag_texture_array *array)
{
    if (!array->gpu)
        return;
    ag_bind_groups_forget(binder->recorder, array->id);
    ag_host_release_view(binder->host, array->view);
    wgpuTextureRelease(array->gpu);
    ag_gpu_memory_give(binder->host, array->account, array->bytes);
    array->gpu = NULL;
}

static WGPUTexture create_gpu(struct ag_binder *binder, const struct ag_texture_class *class, uint32_t layers)
{
    const WGPUTextureDescriptor descriptor = {
        .label = ag_webgpu_string("textures that share a binding"),
        .usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst | WGPUTextureUsage_TextureBinding,
        .dimension = WGPUTextureDimension_2D,
        .size = {class->width, class->height, layers},
        .format = (WGPUTextureFormat) class->format,
        .mipLevelCount = class->mips,
        .sampleCount = 1,
    };
    return wgpuDeviceCreateTexture(ag_gpu_maker(binder->host->gpu), &descriptor);
}

static WGPUTextureView create_view(const struct ag_texture_array *array)
{
    const WGPUTextureViewDescriptor descriptor = {
        .label = ag_webgpu_string("textures that share a binding"),
        .dimension = WGPUTextureViewDimension_2DArray,
        .mipLevelCount = array->class.mips,
        .arrayLayerCount = array->layer_count,
        .aspect = WGPUTextureAspect_All,
    };
    return wgpuTextureCreateView(array->gpu, &descriptor);
}

/* Puts a larger WebGPU texture in place of the array's, with the texels of the layers that there were. */
static enum ag_outcome grow(struct ag_binder *binder, struct ag_texture_array *array,
                            const struct ag_host_format *format, uint32_t layers)
{
    const uint64_t bytes = AG_GPU_OBJECT_BYTES + layers * layer_bytes(&array->class, format);
    struct ag_account *account = binder->host->accounts.current;
    if (!ag_gpu_memory_take(binder->host, account, bytes))
        return ag_host_skip_refused(binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "%" PRIu64 " bytes of textures share a binding; the budget of GPU memory "
                                    "does not have them",
                                    bytes);
    struct ag_array_layer *grown = realloc(array->layers, layers * sizeof *grown);
    if (!grown) {
        ag_gpu_memory_give(binder->host, account, bytes);
        ag_host_no_memory(binder->host);
        return AG_OUT_OF_MEMORY;
    }
    memset(grown + array->layer_count, 0, (layers - array->layer_count) * sizeof *grown);
    array->layers = grown;
    WGPUTexture gpu = create_gpu(binder, &array->class, layers);
    for (uint32_t i = 0; array->gpu && i < array->class.mips; i++) {
        const WGPUTexelCopyTextureInfo from = {.texture = array->gpu, .mipLevel = i};
        const WGPUTexelCopyTextureInfo to = {.texture = gpu, .mipLevel = i};
        const WGPUExtent3D size = copied_size(&array->class, format, i, array->layer_count);
        wgpuCommandEncoderCopyTextureToTexture(ag_recorder_encoder(binder->recorder), &from, &to, &size);
    }
    drop_gpu(binder, array);
    array->gpu = gpu;
    array->bytes = bytes;
    array->account = account;
    array->layer_count = layers;
    array->view = create_view(array);
    array->id = ag_host_id(binder->host);
    return AG_DONE;
}

static struct ag_texture_array *find_array(struct ag_binder *binder, const struct ag_texture_class *class)
{
    struct ag_texture_arrays *arrays = &binder->texture_arrays;
    for (size_t i = 0; i < arrays->all.count; i++)
        if (memcmp(&arrays->all.data[i]->class, class, sizeof *class) == 0)
            return arrays->all.data[i];
    struct ag_texture_array *array = calloc(1, sizeof *array);
    if (!array || !ag_vec_push(&arrays->all, array)) {
        free(array);
        ag_host_no_memory(binder->host);
        return NULL;
    }
    array->class = *class;
    return array;
}

static void destroy(struct ag_binder *binder, struct ag_texture_array *array)
{
    drop_gpu(binder, array);
    free(array->layers);
    free(array);
}

/* Takes an array out of the pool. */
static void drop(struct ag_binder *binder, const struct ag_texture_array *array)
{
    struct ag_texture_arrays *arrays = &binder->texture_arrays;
    for (size_t i = 0; i < arrays->all.count; i++)
        if (arrays->all.data[i] == array) {
            destroy(binder, arrays->all.data[i]);
            arrays->all.data[i] = arrays->all.data[--arrays->all.count];
            return;
        }
}

/* ---- Layers ------------------------------------------------------------------------------------------- */

static void free_layer(struct ag_binder *binder, struct ag_array_layer *layer)
{
    if (layer->source)
        ag_map_remove(&binder->texture_arrays.by_source, layer->source);
    *layer = (struct ag_array_layer){0};
}

/* A free layer, or else the layer that waits for the longest; the number of layers when all are in use. */
static uint32_t find_layer(const struct ag_texture_arrays *arrays, const struct ag_texture_array *array,
                           bool only_free)
{
    uint32_t found = array->layer_count;
    for (uint32_t i = 0; i < array->layer_count; i++) {
        const struct ag_array_layer *layer = &array->layers[i];
        if (!layer->source)
            return i;
        if (!only_free && layer->used + STAGES_KEPT < arrays->clock &&
            (found == array->layer_count || layer->used < array->layers[found].used))
            found = i;
    }
    return found;
}

static enum ag_outcome make_room(struct ag_binder *binder, struct ag_texture_array *array,
                                 const struct ag_host_format *format, uint32_t *layer)
{
    const uint32_t most = binder->host->limits.maxTextureArrayLayers;
    const uint32_t doubled = array->layer_count ? 2 * array->layer_count : FIRST_LAYERS;
    const uint32_t wanted = doubled < most ? doubled : most;
    const bool is_roomy = array->layer_count == most || array->bytes > ROOMY_BYTES;
    *layer = find_layer(&binder->texture_arrays, array, !is_roomy);
    if (*layer < array->layer_count)
        return AG_DONE;
    if (array->layer_count == most)
        return ag_host_skip_refused(binder->host, AGPU_DIAG_GPU_LIMIT,
                                    "a draw has more than %" PRIu32 " textures of one format and size that "
                                    "share a binding",
                                    most);
    return grow(binder, array, format, wanted);
}

void ag_texture_arrays_begin(struct ag_binder *binder)
{
    binder->texture_arrays.clock++;
}

enum ag_outcome ag_texture_array_take(struct ag_binder *binder, struct ag_texture_view *view,
                                      struct ag_texture_array **array, uint32_t *layer)
{
    struct ag_texture_arrays *arrays = &binder->texture_arrays;
    struct ag_texture_class class;
    uint64_t source;
    ag_view_of_dimension(binder->objects, view, AG_VIEW_DIMENSION_2D, &source);
    *array = ag_map_get(&arrays->by_source, source);
    if (*array) {
        *layer = 0;
        while ((*array)->layers[*layer].source != source)
            ++*layer;
        (*array)->layers[*layer].used = arrays->clock;
        return AG_DONE;
    }
    if (!ag_texture_class_of(view, &class))
        return AG_SKIPPED;
    *array = find_array(binder, &class);
    if (!*array)
        return AG_OUT_OF_MEMORY;
    const enum ag_outcome outcome = make_room(binder, *array, view->format, layer);
    if (outcome != AG_DONE) {
        if (!(*array)->gpu)
            drop(binder, *array);
        *array = NULL;
        return outcome;
    }
    struct ag_array_layer *place = &(*array)->layers[*layer];
    free_layer(binder, place);
    if (!ag_map_put(&arrays->by_source, source, *array)) {
        ag_host_no_memory(binder->host);
        return AG_OUT_OF_MEMORY;
    }
    *place = (struct ag_array_layer){.source = source, .used = arrays->clock};
    return AG_DONE;
}

uint64_t ag_texture_array_store(struct ag_binder *binder, struct ag_texture_array *array, uint32_t layer,
                                const struct ag_texture_view *view, uint64_t version)
{
    struct ag_array_layer *place = &array->layers[layer];
    if (place->stored && place->version == version)
        return 0;
    place->stored = true;
    place->version = version;
    for (uint32_t i = 0; i < array->class.mips; i++) {
        WGPUTexelCopyTextureInfo from = ag_view_place(view);
        const WGPUTexelCopyTextureInfo to = {
            .texture = array->gpu, .mipLevel = i, .origin = {0, 0, layer}
        };
        const WGPUExtent3D size = copied_size(&array->class, view->format, i, 1);
        from.mipLevel += i;
        wgpuCommandEncoderCopyTextureToTexture(ag_recorder_encoder(binder->recorder), &from, &to, &size);
    }
    return layer_bytes(&array->class, view->format);
}

/* ---- Life --------------------------------------------------------------------------------------------- */

void ag_texture_arrays_forget(struct ag_binder *binder, uint64_t id)
{
    struct ag_texture_arrays *arrays = &binder->texture_arrays;
    struct ag_texture_array *array = ag_map_get(&arrays->by_source, id);
    bool is_used = false;
    if (!array)
        return;
    for (uint32_t i = 0; i < array->layer_count; i++) {
        if (array->layers[i].source == id)
            free_layer(binder, &array->layers[i]);
        is_used |= array->layers[i].source != 0;
    }
    if (!is_used)
        drop(binder, array);
}

void ag_texture_arrays_clear(struct ag_binder *binder)
{
    struct ag_texture_arrays *arrays = &binder->texture_arrays;
    for (size_t i = 0; i < arrays->all.count; i++)
        destroy(binder, arrays->all.data[i]);
    ag_vec_fini(&arrays->all);
    ag_map_fini(&arrays->by_source);
    arrays->clock = 0;
}
