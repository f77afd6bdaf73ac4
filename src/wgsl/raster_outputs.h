/* SPDX-License-Identifier: MIT
 *
 * What a vertex, domain or geometry shader declares for the rasterizer: the places of system values among its
 * output registers.
 */
#ifndef AG_WGSL_RASTER_OUTPUTS_H
#define AG_WGSL_RASTER_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"

#define AG_WGSL_MAX_DISTANCES 8

struct ag_wgsl_component {
    uint8_t number, component;
};

struct ag_wgsl_distances {
    struct ag_wgsl_component components[AG_WGSL_MAX_DISTANCES];
    uint32_t count;
};

struct ag_wgsl_raster_outputs {
    bool has_position, has_layer, has_viewport;
    uint8_t position;
    struct ag_wgsl_component layer, viewport;
    struct ag_wgsl_distances clip, cull;
};

/* Reads the declarations of a program for one stream; registers from `register_count` on are ignored. False
 * when there are more distances than D3D11 allows. */
bool ag_wgsl_read_raster_outputs(const struct agpu_program *program, uint32_t stream, uint32_t register_count,
                                 struct ag_wgsl_raster_outputs *raster);

#endif
