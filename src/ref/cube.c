/* SPDX-License-Identifier: MIT
 *
 * Cube maps, sections 5.3.8, 7.18.7, 7.18.11 and 7.18.12.
 */
#include "ref/texture.h"

#include <math.h>

/* The orientation of a face: its major axis and direction, and the signed axes of its u and v. */
struct face {
    uint8_t major, u, v;
    float major_sign, u_sign, v_sign;
};

static const struct face faces[6] = {
    {0, 2, 1, +1.0f, -1.0f, -1.0f},
    {0, 2, 1, -1.0f, +1.0f, -1.0f},
    {1, 0, 2, +1.0f, +1.0f, +1.0f},
    {1, 0, 2, -1.0f, +1.0f, -1.0f},
    {2, 0, 1, +1.0f, +1.0f, -1.0f},
    {2, 0, 1, -1.0f, -1.0f, -1.0f},
};

/* If components are equal, z is preferred to y, and y to x. */
static uint32_t find_face(const float direction[3])
{
    const float x = fabsf(direction[0]), y = fabsf(direction[1]), z = fabsf(direction[2]);
    const uint32_t major = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    return 2 * major + (direction[major] < 0.0f ? 1 : 0);
}

uint32_t ag_ref_cube_face(const float direction[3], float position[2])
{
    const uint32_t number = find_face(direction);
    const struct face *face = &faces[number];
    const float major = fabsf(direction[face->major]);
    position[0] = face->u_sign * direction[face->u] / major * 0.5f + 0.5f;
    position[1] = face->v_sign * direction[face->v] / major * 0.5f + 0.5f;
    return number;
}

void ag_ref_cube_derivative(const float direction[3], const float derivative[3], float on_face[2])
{
    const struct face *face = &faces[find_face(direction)];
    const float major = fabsf(direction[face->major]);
    const float along_major = face->major_sign * derivative[face->major];
    const float u = face->u_sign * direction[face->u], du = face->u_sign * derivative[face->u];
    const float v = face->v_sign * direction[face->v], dv = face->v_sign * derivative[face->v];
    on_face[0] = 0.5f * (major * du - u * along_major) / (major * major);
    on_face[1] = 0.5f * (major * dv - v * along_major) / (major * major);
}

/* The neighbour of a texel at an edge: the direction of the centre of the texel one step outside the face
 * hits it. */
void ag_ref_cube_neighbour(uint32_t size, uint32_t *face, int64_t *x, int64_t *y)
{
    const struct face *from = &faces[*face];
    const float scale = (float)size;
    float direction[3], position[2];
    direction[from->major] = from->major_sign;
    direction[from->u] = from->u_sign * ((2.0f * (float)*x + 1.0f) / scale - 1.0f);
    direction[from->v] = from->v_sign * ((2.0f * (float)*y + 1.0f) / scale - 1.0f);
    *face = ag_ref_cube_face(direction, position);
    *x = (int64_t)fminf(floorf(position[0] * scale), scale - 1.0f);
    *y = (int64_t)fminf(floorf(position[1] * scale), scale - 1.0f);
}
