/* SPDX-License-Identifier: MIT */
#include "exec/record/bind_group_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/packet_effect.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/object/storage_format.h"
#include "exec/record/bind_group.h"
#include "exec/record/recorder.h"
#include "gpu/gpu.h"
#include "gpu/webgpu.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"

WGPUTextureViewDimension ag_binding_view_dimension(const struct agpu_binding *binding)
{
    static const uint8_t dimensions[AGPU_DIMENSION_COUNT] = {
        [AGPU_DIMENSION_TEXTURE1D] = WGPUTextureViewDimension_2D,
        [AGPU_DIMENSION_TEXTURE2D] = WGPUTextureViewDimension_2D,
        [AGPU_DIMENSION_TEXTURE2DMS] = WGPUTextureViewDimension_2D,
        [AGPU_DIMENSION_TEXTURE3D] = WGPUTextureViewDimension_3D,
        [AGPU_DIMENSION_TEXTURECUBE] = WGPUTextureViewDimension_Cube,
        [AGPU_DIMENSION_TEXTURE1DARRAY] = WGPUTextureViewDimension_2DArray,
        [AGPU_DIMENSION_TEXTURE2DARRAY] = WGPUTextureViewDimension_2DArray,
        [AGPU_DIMENSION_TEXTURE2DMSARRAY] = WGPUTextureViewDimension_2DArray,
        [AGPU_DIMENSION_TEXTURECUBEARRAY] = WGPUTextureViewDimension_CubeArray,
    };
    if (binding->faces)
        return WGPUTextureViewDimension_2DArray;
    if (binding->dimension >= AGPU_DIMENSION_COUNT)
        return WGPUTextureViewDimension_Undefined;
    return (WGPUTextureViewDimension)dimensions[binding->dimension];
}

/* One binding in a layout's key. The key is zeroed before it is filled, so that its bytes can be compared. */
struct layout_entry {
    uint64_t bytes;
    uint16_t binding;
    uint8_t kind;      /* enum agpu_binding_kind */
    uint8_t stages;    /* WGPUShaderStage bits */
    uint8_t dimension; /* WGPUTextureViewDimension */
    uint8_t sample_type;
    uint8_t multisampled;
    uint8_t dynamic;
    uint8_t filtered;       /* of samplers: the shader filters */
    uint8_t storage_format; /* of storage textures: enum agpu_storage_format */
    uint8_t storage_access; /* likewise: enum agpu_storage_access */
    uint8_t padding[5];
};

struct ag_bind_group_layout_key {
    uint32_t count;
    uint32_t padding;
    struct layout_entry entries[AG_MAX_STAGE_BINDINGS]; /* a stored key ends behind entries[count - 1] */
};

static size_t key_bytes(uint32_t count)
{
    return offsetof(struct ag_bind_group_layout_key, entries) + count * sizeof(struct layout_entry);
}

uint32_t ag_dynamic_uniforms(const WGPULimits *limits, enum agpu_stage stage)
{
    const uint32_t most = AG_MAX_DYNAMIC_OFFSETS - 2;
    const uint32_t all = limits->maxDynamicUniformBuffersPerPipelineLayout - 1;
    const uint32_t vertex = all / 2 < most ? all / 2 : most;
    const uint32_t pixel = all - vertex < most ? all - vertex : most;
    switch (stage) {
    case AGPU_STAGE_VERTEX:
        return vertex;
    case AGPU_STAGE_PIXEL:
        return pixel;
    case AGPU_STAGE_COMPUTE:
    case AGPU_STAGE_GEOMETRY:
    case AGPU_STAGE_HULL:
    case AGPU_STAGE_DOMAIN:
        return all < most ? all : most;
    case AGPU_STAGE_COUNT:
        break;
    }
    return 0;
}

/* How many uniform buffers of the module's group have dynamic offsets. Stages in a draw's vertex shader share
 * those of its stage. */
static uint32_t budget_of(const WGPULimits *limits, const struct agpu_module *module)
{
    const uint32_t vertex = ag_dynamic_uniforms(limits, AGPU_STAGE_VERTEX);
    if (!module->is_inlined)
        return ag_dynamic_uniforms(limits, module->stage);
    return module->flavour == AGPU_FLAVOUR_VERTEX ? vertex - vertex / 2 : vertex / 2;
}

bool ag_flavour_expands(enum agpu_flavour flavour)
{
    return flavour >= AGPU_FLAVOUR_VERTEX_AS_COMPUTE;
}

static WGPUShaderStage stage_bit(const struct agpu_module *module)
{
    return module->flavour == AGPU_FLAVOUR_VERTEX || module->is_inlined ? WGPUShaderStage_Vertex
           : module->flavour == AGPU_FLAVOUR_PIXEL                      ? WGPUShaderStage_Fragment
                                                                        : WGPUShaderStage_Compute;
}

static WGPUTextureSampleType texture_sample_type(const struct layout_entry *entry)
{
    static const WGPUTextureSampleType types[] = {
        [AGPU_SAMPLE_FLOAT] = WGPUTextureSampleType_Float,
        [AGPU_SAMPLE_UNFILTERABLE_FLOAT] = WGPUTextureSampleType_UnfilterableFloat,
        [AGPU_SAMPLE_DEPTH] = WGPUTextureSampleType_Depth,
        [AGPU_SAMPLE_SINT] = WGPUTextureSampleType_Sint,
        [AGPU_SAMPLE_UINT] = WGPUTextureSampleType_Uint,
    };
    return types[entry->sample_type];
}

WGPUSamplerBindingType ag_sampler_binding_type(enum agpu_binding_kind kind, bool filtered)
{
    if (kind == AGPU_BIND_COMPARISON_SAMPLER)
        return WGPUSamplerBindingType_Comparison;
    return filtered ? WGPUSamplerBindingType_Filtering : WGPUSamplerBindingType_NonFiltering;
}

static const WGPUStorageTextureAccess storage_accesses[] = {
    [AGPU_STORAGE_WRITE] = WGPUStorageTextureAccess_WriteOnly,
    [AGPU_STORAGE_READ] = WGPUStorageTextureAccess_ReadOnly,
    [AGPU_STORAGE_READ_WRITE] = WGPUStorageTextureAccess_ReadWrite,
};

static void fill_webgpu_entry(const struct layout_entry *entry, WGPUBindGroupLayoutEntry *out)
{
    memset(out, 0, sizeof *out);
    out->binding = entry->binding;
    out->visibility = entry->stages;
    switch ((enum agpu_binding_kind)entry->kind) {
    case AGPU_BIND_UNIFORM_BUFFER:
        out->buffer.type = WGPUBufferBindingType_Uniform;
        break;
    case AGPU_BIND_STORAGE_BUFFER_READ:
        out->buffer.type = WGPUBufferBindingType_ReadOnlyStorage;
        break;
    case AGPU_BIND_STORAGE_BUFFER_READ_WRITE:
        out->buffer.type = WGPUBufferBindingType_Storage;
        break;
    case AGPU_BIND_SAMPLED_TEXTURE:
        out->texture.sampleType = texture_sample_type(entry);
        out->texture.viewDimension = (WGPUTextureViewDimension)entry->dimension;
        out->texture.multisampled = entry->multisampled;
        break;
    case AGPU_BIND_SAMPLER:
    case AGPU_BIND_COMPARISON_SAMPLER:
        out->sampler.type = ag_sampler_binding_type((enum agpu_binding_kind)entry->kind, entry->filtered);
        break;
    case AGPU_BIND_STORAGE_TEXTURE:
        out->storageTexture.access = storage_accesses[entry->storage_access];
        out->storageTexture.format =
            ag_storage_format_texture((enum agpu_storage_format)entry->storage_format);
        out->storageTexture.viewDimension = (WGPUTextureViewDimension)entry->dimension;
        break;
    }
    if (out->buffer.type != WGPUBufferBindingType_BindingNotUsed) {
        out->buffer.hasDynamicOffset = entry->dynamic;
        out->buffer.minBindingSize = entry->bytes;
    }
}

static const char *label_of(const struct ag_bind_group_layout_key *key)
{
    switch (key->count ? key->entries[0].stages : 0) {
    case 0:
        return "no bindings";
    case WGPUShaderStage_Vertex:
        return "bindings of the vertex shader";
    case WGPUShaderStage_Fragment:
        return "bindings of the pixel shader";
    case WGPUShaderStage_Compute:
        return "bindings in compute";
    default:
        return "block of the draw";
    }
}

static struct ag_bind_group_layout *create_layout(struct ag_recorder *recorder,
                                                  const struct ag_bind_group_layout_key *key, size_t key_size)
{
    struct ag_bind_group_layout *layout = calloc(1, sizeof *layout);
    WGPUBindGroupLayoutEntry *entries = calloc(key->count + 1, sizeof *entries);
    struct ag_bind_group_layout_key *copy = malloc(key_size);
    if (!layout || !entries || !copy) {
        free(layout);
        free(entries);
        free(copy);
        ag_host_no_memory(recorder->host);
        return NULL;
    }
    memcpy(copy, key, key_size);
    layout->key = copy;
    layout->key_size = key_size;
    layout->id = ag_host_id(recorder->host);
    for (uint32_t i = 0; i < key->count; i++) {
        fill_webgpu_entry(&key->entries[i], &entries[i]);
        layout->dynamic_uniforms += key->entries[i].dynamic &&
                                    key->entries[i].kind == AGPU_BIND_UNIFORM_BUFFER &&
                                    key->entries[i].binding != AG_BINDING_CONSTANT_PACK;
    }
    layout->label = label_of(key);
    const WGPUBindGroupLayoutDescriptor descriptor = {
        .label = ag_webgpu_string(layout->label), .entryCount = key->count, .entries = entries};
    layout->gpu = wgpuDeviceCreateBindGroupLayout(recorder->host->device, &descriptor);
    free(entries);
    return layout;
}

static void destroy_layout(struct ag_bind_group_layout *layout)
{
    wgpuBindGroupLayoutRelease(layout->gpu);
    free(layout->key);
    free(layout);
}

static struct ag_bind_group_layout *get_layout(struct ag_recorder *recorder,
                                               const struct ag_bind_group_layout_key *key)
{
    size_t size = key_bytes(key->count);
    uint64_t hash = ag_hash_bytes(key, size);
    /* Layouts are dropped only all at once, so that a hash that another layout has is just counted up. */
    for (;; hash++) {
        struct ag_bind_group_layout *layout = ag_map_get(&recorder->bind_group_layouts, hash);
        if (layout && (layout->key_size != size || memcmp(layout->key, key, size) != 0))
            continue;
        if (layout)
            return layout;
        layout = create_layout(recorder, key, size);
        if (layout && !ag_map_put(&recorder->bind_group_layouts, hash, layout)) {
            destroy_layout(layout);
            ag_host_no_memory(recorder->host);
            return NULL;
        }
        return layout;
    }
}

static bool check_binding(const struct agpu_binding *binding, enum agpu_stage stage,
                          struct ag_refusal *refusal)
{
    if (binding->space == AGPU_SPACE_INTERNAL && binding->binding != AG_BINDING_ICB &&
        binding->binding != AG_BINDING_UAV_COUNTERS && binding->binding != AG_BINDING_SAMPLER_STATES &&
        binding->binding != AG_BINDING_CLASS_INSTANCES && binding->binding != AG_BINDING_OVERFLOW &&
        binding->binding != AG_BINDING_CONSTANT_PACK && binding->binding != AG_BINDING_ARENA &&
        binding->binding != AG_BINDING_UAV_ARENA && binding->kind != AGPU_BIND_SAMPLED_TEXTURE &&
        binding->group != AG_GROUP_INTERNAL) {
        ag_refusal_set(refusal, AGPU_DIAG_EXEC_UNSUPPORTED,
                       "the %s needs internal binding %u, which is not supported", agpu_stage_name(stage),
                       binding->binding);
        return false;
    }
    static const uint16_t limits[] = {
        [AGPU_SPACE_CBUFFER] = AG_CBUFFER_SLOTS,
        [AGPU_SPACE_RESOURCE] = AG_RESOURCE_SLOTS,
        [AGPU_SPACE_SAMPLER] = AG_SAMPLER_SLOTS,
        [AGPU_SPACE_UAV] = AG_UAV_SLOTS,
    };
    if (binding->space != AGPU_SPACE_INTERNAL && binding->slot >= limits[binding->space]) {
        ag_refusal_set(refusal, AGPU_DIAG_EXEC_UNSUPPORTED, "the %s uses slot %u, which does not exist",
                       agpu_stage_name(stage), binding->slot);
        return false;
    }
    return true;
}

/* Checks the numbers of bindings against the device's limits for one stage. */
static bool check_counts(const struct ag_recorder *recorder, const struct agpu_module *module,
                         struct ag_refusal *refusal)
{
    const WGPULimits *limits = &recorder->host->limits;
    const struct {
        uint32_t kinds, limit;
        const char *what;
    } rows[] = {
        {1u << AGPU_BIND_UNIFORM_BUFFER,                                                  limits->maxUniformBuffersPerShaderStage,  "uniform buffers" },
        {1u << AGPU_BIND_STORAGE_BUFFER_READ | 1u << AGPU_BIND_STORAGE_BUFFER_READ_WRITE,
         limits->maxStorageBuffersPerShaderStage,                                                                                   "storage buffers" },
        {1u << AGPU_BIND_STORAGE_TEXTURE,                                                 limits->maxStorageTexturesPerShaderStage, "storage textures"},
        {1u << AGPU_BIND_SAMPLED_TEXTURE,                                                 limits->maxSampledTexturesPerShaderStage, "textures"        },
        {1u << AGPU_BIND_SAMPLER | 1u << AGPU_BIND_COMPARISON_SAMPLER,                    limits->maxSamplersPerShaderStage,
         "samplers"                                                                                                                                   },
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < module->binding_count; i++)
            count += rows[row].kinds >> module->bindings[i].kind & 1;
        if (count <= rows[row].limit)
            continue;
        ag_refusal_set(refusal, AGPU_DIAG_GPU_LIMIT, "the %s uses %" PRIu32 " %s, the device binds %" PRIu32,
                       agpu_stage_name(module->stage), count, rows[row].what, rows[row].limit);
        return false;
    }
    if (module->view_base + module->view_count > AG_DRAW_BLOCK_VIEW_COUNT) {
        ag_refusal_set(refusal, AGPU_DIAG_TRANSLATE_LIMIT, "more than %d bindings need the draw block",
                       AG_DRAW_BLOCK_VIEW_COUNT);
        return false;
    }
    return true;
}

static void fill_entry(const struct agpu_binding *binding, WGPUShaderStage stages, bool dynamic,
                       struct layout_entry *entry)
{
    entry->binding = binding->binding;
    entry->kind = binding->kind;
    entry->stages = (uint8_t)stages;
    entry->bytes = binding->bytes;
    entry->dynamic = dynamic;
    if (binding->kind == AGPU_BIND_SAMPLER)
        entry->filtered = binding->filtered;
    if (binding->kind == AGPU_BIND_UNIFORM_BUFFER)
        entry->bytes = (binding->bytes + 15) & ~UINT64_C(15);
    if (binding->kind == AGPU_BIND_SAMPLED_TEXTURE) {
        entry->dimension = (uint8_t)ag_binding_view_dimension(binding);
        entry->multisampled = binding->multisampled;
        entry->sample_type = binding->sample_type;
        if (binding->sample_type == AGPU_SAMPLE_FLOAT && !binding->filtered)
            entry->sample_type = AGPU_SAMPLE_UNFILTERABLE_FLOAT;
    }
    if (binding->kind == AGPU_BIND_STORAGE_TEXTURE) {
        entry->dimension = (uint8_t)ag_binding_view_dimension(binding);
        entry->storage_format = (uint8_t)binding->storage_format;
        entry->storage_access = binding->storage_access;
    }
}

void ag_binding_layout_entry(const struct agpu_module *module, const struct agpu_binding *binding,
                             WGPUBindGroupLayoutEntry *out)
{
    struct layout_entry entry = {0};
    fill_entry(binding, stage_bit(module), false, &entry);
    fill_webgpu_entry(&entry, out);
}

static void add_draw_block(struct ag_bind_group_layout_key *key)
{
    struct layout_entry *entry = &key->entries[key->count++];
    entry->binding = AG_BINDING_DRAW_BLOCK;
    entry->kind = AGPU_BIND_UNIFORM_BUFFER;
    entry->stages = (uint8_t)(WGPUShaderStage_Vertex | WGPUShaderStage_Fragment | WGPUShaderStage_Compute);
    entry->bytes = AG_DRAW_BLOCK_BYTES;
    entry->dynamic = 1;
}

/* Adds the module's bindings in group 3 (`internal`) or those in the group of its stage, without the draw
 * block. */
static bool add_bindings(const WGPULimits *limits, const struct agpu_module *module, bool internal,
                         struct ag_bind_group_layout_key *key, struct ag_refusal *refusal)
{
    uint32_t budget = budget_of(limits, module) - (module->packed_count != 0);
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if ((binding->group == AG_GROUP_INTERNAL) != internal ||
            (internal && binding->binding == AG_BINDING_DRAW_BLOCK))
            continue;
        if (!check_binding(binding, module->stage, refusal))
            return false;
        if (key->count == AG_MAX_STAGE_BINDINGS - 1) {
            ag_refusal_set(refusal, AGPU_DIAG_EXEC_UNSUPPORTED, "the %s uses more than %d resources",
                           agpu_stage_name(module->stage), AG_MAX_STAGE_BINDINGS - 1);
            return false;
        }
        const bool always = ag_is_constant_pack(binding) || binding->binding == AG_BINDING_OVERFLOW;
        const bool uniform = binding->kind == AGPU_BIND_UNIFORM_BUFFER && budget > 0 && !always;
        budget -= uniform;
        fill_entry(binding, stage_bit(module), uniform || always, &key->entries[key->count++]);
    }
    for (uint32_t i = 0; i < module->unbound_count; i++)
        if (!check_binding(&module->unbound[i], module->stage, refusal))
            return false;
    for (uint32_t i = 0; i < module->packed_count; i++)
        if (!check_binding(&module->packed[i], module->stage, refusal))
            return false;
    for (uint32_t i = 0; i < module->overflow_count; i++)
        if (!check_binding(&module->overflow[i], module->stage, refusal))
            return false;
    return true;
}

static enum ag_outcome refuse(struct ag_recorder *recorder, const struct ag_refusal *refusal)
{
    ag_host_report(recorder->host, refusal->code, AGPU_ERROR, "%s", refusal->message);
    return AG_SKIPPED;
}

enum ag_outcome ag_bind_group_layout_get(struct ag_recorder *recorder, const struct agpu_module *module,
                                         struct ag_bind_group_layout **layout, struct ag_refusal *refusal)
{
    struct ag_bind_group_layout_key key;
    memset(&key, 0, sizeof key);
    if (!check_counts(recorder, module, refusal) ||
        !add_bindings(&recorder->host->limits, module, false, &key, refusal))
        return refuse(recorder, refusal);
    *layout = get_layout(recorder, &key);
    return *layout ? AG_DONE : AG_OUT_OF_MEMORY;
}

enum ag_outcome ag_bind_group_layout_of_expansion(struct ag_recorder *recorder,
                                                  const struct agpu_module *module,
                                                  struct ag_bind_group_layout **layout,
                                                  struct ag_refusal *refusal)
{
    struct ag_bind_group_layout_key key;
    memset(&key, 0, sizeof key);
    if (!add_bindings(&recorder->host->limits, module, true, &key, refusal))
        return refuse(recorder, refusal);
    if (module->uses_draw_block || module->flavour == AGPU_FLAVOUR_VERTEX)
        add_draw_block(&key);
    *layout = get_layout(recorder, &key);
    return *layout ? AG_DONE : AG_OUT_OF_MEMORY;
}

struct ag_bind_group_layout *ag_bind_group_layout_of_draw_block(struct ag_recorder *recorder)
{
    struct ag_bind_group_layout_key key;
    if (recorder->draw_block_layout)
        return recorder->draw_block_layout;
    memset(&key, 0, sizeof key);
    add_draw_block(&key);
    recorder->draw_block_layout = get_layout(recorder, &key);
    return recorder->draw_block_layout;
}

struct ag_bind_group_layout *ag_bind_group_layout_empty(struct ag_recorder *recorder)
{
    struct ag_bind_group_layout_key key;
    if (recorder->empty_layout)
        return recorder->empty_layout;
    memset(&key, 0, sizeof key);
    recorder->empty_layout = get_layout(recorder, &key);
    return recorder->empty_layout;
}

void ag_bind_group_layouts_clear(struct ag_recorder *recorder)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&recorder->bind_group_layouts, &cursor, &key, &value))
        destroy_layout(value);
    ag_map_fini(&recorder->bind_group_layouts);
    recorder->draw_block_layout = recorder->empty_layout = NULL;
}

WGPUPipelineLayout ag_pipeline_layout_create(struct ag_recorder *recorder,
                                             const struct ag_bind_group_layout *const layouts[4],
                                             uint32_t count, const char *label)
{
    WGPUBindGroupLayout gpu[4];
    for (uint32_t i = 0; i < count; i++)
        gpu[i] = layouts[i]->gpu;
    const WGPUPipelineLayoutDescriptor descriptor = {
        .label = ag_webgpu_string(label), .bindGroupLayoutCount = count, .bindGroupLayouts = gpu};
    return wgpuDeviceCreatePipelineLayout(recorder->host->device, &descriptor);
}
