/* SPDX-License-Identifier: MIT
 *
 * A dispatch that keeps a software driver busy for as long as a test says.
 */
#ifndef AG_TESTS_EXEC_BUSY_WORK_H
#define AG_TESTS_EXEC_BUSY_WORK_H

#include <string.h>

#include "host.h"

enum { BUSY_WORK_BUFFER = 1000, BUSY_WORK_SHADER };

#define BUSY_WORK_HANG 200000000 /* iterations, which are not done within any test */

/* Takes a processor a second for each thousand million iterations of all threads. */
static const char *const busy_work_shader = "cs_5_0\n"
                                            "dcl_constantbuffer cb0[1], immediateIndexed\n"
                                            "dcl_uav_raw u0\n"
                                            "dcl_input vThreadID.x\n"
                                            "dcl_temps 2\n"
                                            "dcl_thread_group 128, 1, 1\n"
                                            "mov r0.x, vThreadID.x\n"
                                            "mov r0.y, l(0)\n"
                                            "loop\n"
                                            "  uge r0.z, r0.y, cb0[0].x\n"
                                            "  breakc_nz r0.z\n"
                                            "  imad r0.x, r0.x, l(1664525), l(1013904223)\n"
                                            "  iadd r0.y, r0.y, l(1)\n"
                                            "endloop\n"
                                            "and r1.x, vThreadID.x, l(15)\n"
                                            "ishl r1.x, r1.x, l(2)\n"
                                            "store_raw u0.x, r1.x, r0.x\n"
                                            "ret\n";

static inline void busy_work_write(struct agpu_writer *writer, uint32_t iterations)
{
    float constants[4] = {0};
    const struct aerogpu_unordered_access_buffer_binding binding = {.buffer = BUSY_WORK_BUFFER};
    host_assemble_shader(writer, BUSY_WORK_SHADER, AGPU_STREAM_STAGE_COMPUTE, busy_work_shader);
    agpu_write_create_buffer(writer, BUSY_WORK_BUFFER, AEROGPU_RESOURCE_USAGE_STORAGE, 64, 0, 0);
    agpu_write_set_unordered_access_buffers(writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &binding);
    agpu_write_bind_shaders(writer, 0, 0, BUSY_WORK_SHADER, 0);
    memcpy(constants, &iterations, sizeof iterations);
    agpu_write_set_shader_constants_f(writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, constants);
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_COMPUTE, 16, 1, 1);
}

#endif
