/* SPDX-License-Identifier: MIT
 *
 * What render passes get with every draw is written down here, and JavaScript replays many of such commands
 * in one call: a call for each would take longer than what JavaScript does in it. web/webgpu.js has the other
 * side; each of its functions replays what was written before it does anything of its own.
 */
#include <stddef.h>
#include <string.h>

#include "gpu/webgpu.h"

#define COMMAND_WORDS 8192
#define DRAW_WORDS 7

/* tools/generate_webgpu_web.py gives JavaScript the numbers. */
enum command {
    COMMAND_DRAW, /* the last word says how many times */
    COMMAND_DRAW_INDEXED,
    COMMAND_SET_BIND_GROUP,
    COMMAND_SET_PIPELINE,
    COMMAND_SET_VERTEX_BUFFER,
    COMMAND_SET_INDEX_BUFFER,
    COMMAND_SET_VIEWPORT,
    COMMAND_SET_SCISSOR_RECT,
    COMMAND_SET_STENCIL_REFERENCE,
    COMMAND_RETAIN_BIND_GROUP,
    COMMAND_RELEASE_BIND_GROUP,
};

static struct {
    uint32_t count;
    uint32_t words[COMMAND_WORDS];
    uint32_t drawn; /* the words behind which the last DRAW is; COMMAND_WORDS: there is none */
} commands;

__attribute__((import_module("env"), import_name("replayCommands"))) void replay_commands(void);

__attribute__((export_name("gpu_commands"))) const void *gpu_commands(void);

/* Where JavaScript finds the number of words, and behind it the words. */
const void *gpu_commands(void)
{
    return &commands;
}

/* Room for the words of one command. Replaying leaves none. */
static uint32_t *append(enum command command, uint32_t words)
{
    if (commands.count + 1 + words > COMMAND_WORDS)
        replay_commands();
    if (commands.count == 0) /* what JavaScript replays by itself, too, leaves no DRAW */
        commands.drawn = COMMAND_WORDS;
    uint32_t *const to = &commands.words[commands.count];
    commands.count += 1 + words;
    *to = command;
    return to + 1;
}

static uint32_t handle(const void *object)
{
    return (uint32_t)(uintptr_t)object;
}

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void append_words(enum command command, const uint32_t *words, uint32_t count)
{
    memcpy(append(command, count), words, count * sizeof *words);
}

#define APPEND(command, ...)                                                                                 \
    append_words(command, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define LOW(value) (uint32_t)(value)
#define HIGH(value) (uint32_t)((value) >> 32)

void wgpuRenderPassEncoderDraw(WGPURenderPassEncoder pass, uint32_t vertices, uint32_t instances,
                               uint32_t first_vertex, uint32_t first_instance)
{
    uint32_t *const last = &commands.words[commands.drawn];
    if (commands.count == commands.drawn + DRAW_WORDS && last[1] == handle(pass) && last[2] == vertices &&
        last[3] == instances && last[4] == first_vertex && last[5] == first_instance) {
        last[6]++;
        return;
    }
    uint32_t *const words = append(COMMAND_DRAW, DRAW_WORDS - 1);
    commands.drawn = commands.count - DRAW_WORDS;
    words[0] = handle(pass);
    words[1] = vertices;
    words[2] = instances;
    words[3] = first_vertex;
    words[4] = first_instance;
    words[5] = 1;
}

void wgpuRenderPassEncoderDrawIndexed(WGPURenderPassEncoder pass, uint32_t indices, uint32_t instances,
                                      uint32_t first_index, int32_t base_vertex, uint32_t first_instance)
{
    APPEND(COMMAND_DRAW_INDEXED, handle(pass), indices, instances, first_index, (uint32_t)base_vertex,
           first_instance);
}

void wgpuRenderPassEncoderSetBindGroup(WGPURenderPassEncoder pass, uint32_t index, WGPUBindGroup group,
                                       size_t offset_count, const uint32_t *offsets)
{
    uint32_t *const words = append(COMMAND_SET_BIND_GROUP, 4 + (uint32_t)offset_count);
    words[0] = handle(pass);
    words[1] = index;
    words[2] = handle(group);
    words[3] = (uint32_t)offset_count;
    if (offset_count == 1) /* as a rule; copying many is a call */
        words[4] = offsets[0];
    else if (offset_count != 0)
        memcpy(&words[4], offsets, offset_count * sizeof *offsets);
}

void wgpuRenderPassEncoderSetPipeline(WGPURenderPassEncoder pass, WGPURenderPipeline pipeline)
{
    APPEND(COMMAND_SET_PIPELINE, handle(pass), handle(pipeline));
}

void wgpuRenderPassEncoderSetVertexBuffer(WGPURenderPassEncoder pass, uint32_t slot, WGPUBuffer buffer,
                                          uint64_t offset, uint64_t size)
{
    APPEND(COMMAND_SET_VERTEX_BUFFER, handle(pass), slot, handle(buffer), LOW(offset), HIGH(offset),
           LOW(size), HIGH(size));
}

void wgpuRenderPassEncoderSetIndexBuffer(WGPURenderPassEncoder pass, WGPUBuffer buffer,
                                         WGPUIndexFormat format, uint64_t offset, uint64_t size)
{
    APPEND(COMMAND_SET_INDEX_BUFFER, handle(pass), handle(buffer), format, LOW(offset), HIGH(offset),
           LOW(size), HIGH(size));
}

void wgpuRenderPassEncoderSetViewport(WGPURenderPassEncoder pass, float x, float y, float width, float height,
                                      float min_depth, float max_depth)
{
    APPEND(COMMAND_SET_VIEWPORT, handle(pass), bits(x), bits(y), bits(width), bits(height), bits(min_depth),
           bits(max_depth));
}

void wgpuRenderPassEncoderSetScissorRect(WGPURenderPassEncoder pass, uint32_t x, uint32_t y, uint32_t width,
                                         uint32_t height)
{
    APPEND(COMMAND_SET_SCISSOR_RECT, handle(pass), x, y, width, height);
}

void wgpuRenderPassEncoderSetStencilReference(WGPURenderPassEncoder pass, uint32_t reference)
{
    APPEND(COMMAND_SET_STENCIL_REFERENCE, handle(pass), reference);
}

void wgpuBindGroupAddRef(WGPUBindGroup group)
{
    APPEND(COMMAND_RETAIN_BIND_GROUP, handle(group));
}

void wgpuBindGroupRelease(WGPUBindGroup group)
{
    APPEND(COMMAND_RELEASE_BIND_GROUP, handle(group));
}
