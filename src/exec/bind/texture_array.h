/* SPDX-License-Identifier: MIT
 *
 * Texture arrays: copies of textures of one format, size and number of mips as layers of an array, for stages
 * that have more textures than the device binds (texture_sharing.h). The binder owns the arrays. A texture is
 * copied once for all shaders, and again when its contents have changed; layers that were not used for long
 * make room for others.
 */
#ifndef AG_EXEC_BIND_TEXTURE_ARRAY_H
#define AG_EXEC_BIND_TEXTURE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_binder;
struct ag_texture_view;

/* What the textures of an array have in common. Without padding, so that bytes can be compared. */
struct ag_texture_class {
    uint32_t format; /* WGPUTextureFormat */
    uint32_t width, height, mips;
};

struct ag_array_layer {
    uint64_t source;  /* the id of the WebGPU view that was copied; 0: the layer is free */
    uint64_t version; /* of the contents that were copied, if `stored` */
    bool stored;
    uint64_t used; /* when, in struct ag_texture_arrays.clock */
};

struct ag_texture_array {
    struct ag_texture_class class;
    WGPUTexture gpu; /* null while there are no layers */
    WGPUTextureView view;
    uint64_t id, bytes;
    struct ag_account *account; /* that is charged: of the context whose draw needed so many layers */
    uint32_t layer_count;
    struct ag_array_layer *layers;
};

struct ag_texture_arrays {
    AG_VEC(struct ag_texture_array *) all;
    struct ag_map by_source; /* struct ag_texture_array, by the id of a layer's source */
    uint64_t clock;          /* counts stages that use arrays */
};

/* The class of a view that can be copied into an array. False when it cannot. */
bool ag_texture_class_of(const struct ag_texture_view *view, struct ag_texture_class *class);

/* Begins a stage: the layers that it gets keep their places until some more stages have begun. */
void ag_texture_arrays_begin(struct ag_binder *binder);

/* Gives the view a layer of the array of its class, made when there is none, without a copy. The WebGPU
 * texture may be replaced by a larger one, so that the array is bound when all layers are given.
 * AG_SKIPPED: the budget of GPU memory does not allow it (reported). */
enum ag_outcome ag_texture_array_take(struct ag_binder *binder, struct ag_texture_view *view,
                                      struct ag_texture_array **array, uint32_t *layer);

/* Copies the view, which is up to date, into its layer, unless the layer has this version of the contents.
 * May end the open pass. Returns how many bytes were copied. */
uint64_t ag_texture_array_store(struct ag_binder *binder, struct ag_texture_array *array, uint32_t layer,
                                const struct ag_texture_view *view, uint64_t version);

/* A WebGPU view dies: the layer that has its texels is free. */
void ag_texture_arrays_forget(struct ag_binder *binder, uint64_t id);

void ag_texture_arrays_clear(struct ag_binder *binder);

#endif
