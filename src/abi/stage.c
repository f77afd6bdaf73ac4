/* SPDX-License-Identifier: MIT
 *
 * Encodes and decodes the shader stage of a packet.
 */
#include "aerogpu/stream.h"

static bool decode_extended(uint32_t stage_ex, enum agpu_stream_stage *effective)
{
    switch (stage_ex) {
    case AEROGPU_SHADER_STAGE_EX_NONE:
    case AEROGPU_SHADER_STAGE_EX_COMPUTE:
        *effective = AGPU_STREAM_STAGE_COMPUTE;
        return true;
    case AEROGPU_SHADER_STAGE_EX_GEOMETRY:
        *effective = AGPU_STREAM_STAGE_GEOMETRY;
        return true;
    case AEROGPU_SHADER_STAGE_EX_HULL:
        *effective = AGPU_STREAM_STAGE_HULL;
        return true;
    case AEROGPU_SHADER_STAGE_EX_DOMAIN:
        *effective = AGPU_STREAM_STAGE_DOMAIN;
        return true;
    }
    return false;
}

bool agpu_stage_decode(uint32_t stage, uint32_t stage_ex, uint32_t stream_minor,
                       enum agpu_stream_stage *effective)
{
    switch (stage) {
    case AEROGPU_SHADER_STAGE_VERTEX:
        *effective = AGPU_STREAM_STAGE_VERTEX;
        return true;
    case AEROGPU_SHADER_STAGE_PIXEL:
        *effective = AGPU_STREAM_STAGE_PIXEL;
        return true;
    case AEROGPU_SHADER_STAGE_GEOMETRY:
        *effective = AGPU_STREAM_STAGE_GEOMETRY;
        return true;
    case AEROGPU_SHADER_STAGE_COMPUTE:
        if (stream_minor >= AEROGPU_STAGE_EX_MIN_ABI_MINOR)
            return decode_extended(stage_ex, effective);
        *effective = AGPU_STREAM_STAGE_COMPUTE;
        return true;
    }
    return false;
}

bool agpu_stage_encode(enum agpu_stream_stage effective, uint32_t stream_minor, uint32_t *stage,
                       uint32_t *stage_ex)
{
    *stage = AEROGPU_SHADER_STAGE_COMPUTE;
    *stage_ex = AEROGPU_SHADER_STAGE_EX_NONE;
    switch (effective) {
    case AGPU_STREAM_STAGE_PIXEL:
        *stage = AEROGPU_SHADER_STAGE_PIXEL;
        return true;
    case AGPU_STREAM_STAGE_VERTEX:
        *stage = AEROGPU_SHADER_STAGE_VERTEX;
        return true;
    case AGPU_STREAM_STAGE_GEOMETRY:
        *stage = AEROGPU_SHADER_STAGE_GEOMETRY;
        return true;
    case AGPU_STREAM_STAGE_HULL:
        *stage_ex = AEROGPU_SHADER_STAGE_EX_HULL;
        return stream_minor >= AEROGPU_STAGE_EX_MIN_ABI_MINOR;
    case AGPU_STREAM_STAGE_DOMAIN:
        *stage_ex = AEROGPU_SHADER_STAGE_EX_DOMAIN;
        return stream_minor >= AEROGPU_STAGE_EX_MIN_ABI_MINOR;
    case AGPU_STREAM_STAGE_COMPUTE:
        return true;
    case AGPU_STREAM_STAGE_NONE:
        return false;
    }
    return false;
}
