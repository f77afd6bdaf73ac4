/* SPDX-License-Identifier: MIT
 *
 * Writing command streams ("ACMD"): one function per packet, over a fixed span or a growing buffer. For guest
 * drivers, generators and tests; it needs malloc for growing buffers and nothing else.
 *
 *     struct agpu_writer writer;
 *     agpu_writer_init_growing(&writer, NULL);
 *     agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 0, 0, 1}, 1.0f, 0);
 *     agpu_write_present(&writer, 0, AEROGPU_PRESENT_FLAG_VSYNC);
 *     if (agpu_writer_finish(&writer) == AGPU_OK)
 *         submit(writer.data, writer.size);
 *     agpu_writer_fini(&writer);
 *
 * Errors stick: after the first one the write functions do nothing, and finish returns it. Packet headers,
 * reserved words, stage words, counts and padding are the writer's business. Values are not validated beyond
 * that: a stream may say anything that the ABI can spell. Handles are the guest's own numbers, 0 unbinds.
 * A writer belongs to one thread at a time. (Spec: ABI sections 5-7.)
 */
#ifndef AEROGPU_STREAM_WRITER_H
#define AEROGPU_STREAM_WRITER_H

#include "aerogpu/api.h"
#include "aerogpu/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

struct agpu_writer {
    /* For reading: the stream so far. `data` moves when a growing buffer grows. */
    uint8_t *data;
    size_t size;             /* bytes, stream header included */
    enum agpu_status status; /* the first error, AGPU_OK before */
    uint32_t minor;          /* ABI minor of the stream; see agpu_writer_set_minor() */

    /* The writer's own. */
    size_t capacity;
    bool growing;
    const struct agpu_diag_sink *sink;
};

/* Starts a stream of ABI 1.4 in the caller's memory, which the writer borrows; it never writes past
 * `capacity` bytes. `sink` may be null and is borrowed. A span too small for a stream header is the writer's
 * first error. fini is not needed. */
AGPU_API void agpu_writer_init_span(struct agpu_writer *writer, void *memory, size_t capacity,
                                    const struct agpu_diag_sink *sink);

/* Starts a stream of ABI 1.4 in memory of its own, up to AGPU_STREAM_MAX_BYTES. Free it with fini. */
AGPU_API void agpu_writer_init_growing(struct agpu_writer *writer, const struct agpu_diag_sink *sink);
AGPU_API void agpu_writer_fini(struct agpu_writer *writer);

/* Declares another ABI minor, before the first packet. Below AEROGPU_STAGE_EX_MIN_ABI_MINOR the hull and
 * domain stages cannot be written. */
AGPU_API void agpu_writer_set_minor(struct agpu_writer *writer, uint32_t minor);

/* Stores the size in the stream header and returns the first error, if any:
 *   AGPU_REFUSED    abi.no-space: the span, or AGPU_STREAM_MAX_BYTES, is exhausted; the stream ends with the
 *                   last packet that fitted. abi.stage: a stage that this minor or packet cannot spell.
 *                   abi.packet-payload: more than the packet holds. abi.packet-size: see
 *                   agpu_write_packet()
 *   AGPU_NO_MEMORY  a growing buffer could not grow
 * More packets may follow, with another finish after them. */
AGPU_API enum agpu_status agpu_writer_finish(struct agpu_writer *writer);

/* Starts over in the same memory, keeping the minor and forgetting errors. */
AGPU_API void agpu_writer_reset(struct agpu_writer *writer);

/* ---- Generic ------------------------------------------------------------------------------------------- */

/* Any packet: an opcode and the bytes behind its 8-byte header, padded with zeros to a multiple of 4. */
AGPU_API void agpu_write_raw(struct agpu_writer *writer, uint32_t opcode, const void *bytes, size_t size);

/* Any packet of the ABI or of the extension (aerogpu/abi/ext.h) from its structure of `size` bytes, header
 * included, and the `payload_size` bytes behind it: data, elements, words or packets, as the packet has them;
 * their count is not read from the structure. Stage words are as given: const struct
 * aerogpu_cmd_ext_set_viewports set = {0}; agpu_write_packet(&writer, AEROGPU_CMD_EXT_SET_VIEWPORTS, &set,
 * sizeof set, viewports, sizeof viewports); abi.packet-size: an opcode that this library does not know, or a
 * structure of another size. abi.packet-payload: a payload that the packet does not have, or that ends within
 * an element. */
AGPU_API void agpu_write_packet(struct agpu_writer *writer, uint32_t opcode, const void *packet, size_t size,
                                const void *payload, size_t payload_size);

/* `size` zero bytes behind the header; a multiple of 4 or rounded up to one. */
AGPU_API void agpu_write_nop(struct agpu_writer *writer, size_t size);

/* UTF-8 text, without its terminator. */
AGPU_API void agpu_write_debug_marker(struct agpu_writer *writer, const char *text);

/* ---- Resources ----------------------------------------------------------------------------------------- */

/* `usage` is enum aerogpu_resource_usage_flags; `size_bytes` a multiple of 4, not 0; `alloc_id` 0 makes it
 * host-owned. */
AGPU_API void agpu_write_create_buffer(struct agpu_writer *writer, aerogpu_handle_t buffer, uint32_t usage,
                                       uint64_t size_bytes, uint32_t alloc_id, uint32_t alloc_offset_bytes);

/* Structure arguments, here and below: their `hdr` and reserved fields are not read. */
AGPU_API void agpu_write_create_texture2d(struct agpu_writer *writer,
                                          const struct aerogpu_cmd_create_texture2d *texture);
AGPU_API void agpu_write_create_texture_view(struct agpu_writer *writer,
                                             const struct aerogpu_cmd_create_texture_view *view);
AGPU_API void agpu_write_destroy_resource(struct agpu_writer *writer, aerogpu_handle_t resource);
AGPU_API void agpu_write_destroy_texture_view(struct agpu_writer *writer, aerogpu_handle_t view);

/* Bytes of a guest-backed resource that the CPU changed, relative to its first backing byte. */
AGPU_API void agpu_write_resource_dirty_range(struct agpu_writer *writer, aerogpu_handle_t resource,
                                              uint64_t offset_bytes, uint64_t size_bytes);

/* `data` is copied. Textures: offsets in the packed layout. */
AGPU_API void agpu_write_upload_resource(struct agpu_writer *writer, aerogpu_handle_t resource,
                                         uint64_t offset_bytes, const void *data, size_t size_bytes);

/* `flags` is enum aerogpu_copy_flags. */
AGPU_API void agpu_write_copy_buffer(struct agpu_writer *writer, aerogpu_handle_t destination,
                                     uint64_t destination_offset_bytes, aerogpu_handle_t source,
                                     uint64_t source_offset_bytes, uint64_t size_bytes, uint32_t flags);
AGPU_API void agpu_write_copy_texture2d(struct agpu_writer *writer,
                                        const struct aerogpu_cmd_copy_texture2d *copy);

/* ---- Shaders and constants ----------------------------------------------------------------------------- */

/* `dxbc` is a whole DXBC container; it is copied. */
AGPU_API void agpu_write_create_shader_dxbc(struct agpu_writer *writer, aerogpu_handle_t shader,
                                            enum agpu_stream_stage stage, const void *dxbc,
                                            uint32_t size_bytes);
AGPU_API void agpu_write_destroy_shader(struct agpu_writer *writer, aerogpu_handle_t shader);

/* Replaces all six bindings. The short form of 24 bytes; `gs` travels in reserved0. */
AGPU_API void agpu_write_bind_shaders(struct agpu_writer *writer, aerogpu_handle_t vs, aerogpu_handle_t ps,
                                      aerogpu_handle_t cs, aerogpu_handle_t gs);

/* The extended form of 36 bytes: handles by stage. gs is mirrored into reserved0 for old hosts. */
AGPU_API void agpu_write_bind_shaders_ex(struct agpu_writer *writer,
                                         const aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT]);

/* `count` registers of four values each, read from `values`. */
AGPU_API void agpu_write_set_shader_constants_f(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                                uint32_t start_register, uint32_t count, const float *values);
AGPU_API void agpu_write_set_shader_constants_i(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                                uint32_t start_register, uint32_t count,
                                                const int32_t *values);

/* `count` registers, one value each; the packet repeats it as 0 or 1 in the register's four words. */
AGPU_API void agpu_write_set_shader_constants_b(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                                uint32_t start_register, uint32_t count, const bool *values);

/* ---- Input assembler ----------------------------------------------------------------------------------- */

/* A blob of any kind, copied as it is. */
AGPU_API void agpu_write_create_input_layout(struct agpu_writer *writer, aerogpu_handle_t layout,
                                             const void *blob, uint32_t size_bytes);

/* The same from elements, whose names go through agpu_semantic_hash(): the blob's header is added. */
AGPU_API void agpu_write_create_input_layout_dxgi(struct agpu_writer *writer, aerogpu_handle_t layout,
                                                  const struct aerogpu_input_layout_element_dxgi *elements,
                                                  uint32_t count);

AGPU_API void agpu_write_destroy_input_layout(struct agpu_writer *writer, aerogpu_handle_t layout);
AGPU_API void agpu_write_set_input_layout(struct agpu_writer *writer, aerogpu_handle_t layout);
AGPU_API void agpu_write_set_vertex_buffers(struct agpu_writer *writer, uint32_t start_slot, uint32_t count,
                                            const struct aerogpu_vertex_buffer_binding *bindings);

/* `format` is enum aerogpu_index_format. */
AGPU_API void agpu_write_set_index_buffer(struct agpu_writer *writer, aerogpu_handle_t buffer,
                                          uint32_t format, uint32_t offset_bytes);

/* `topology` is enum aerogpu_primitive_topology. */
AGPU_API void agpu_write_set_primitive_topology(struct agpu_writer *writer, uint32_t topology);

/* ---- Pipeline state ------------------------------------------------------------------------------------ */

AGPU_API void agpu_write_set_blend_state(struct agpu_writer *writer, const struct aerogpu_blend_state *state);
AGPU_API void agpu_write_set_depth_stencil_state(struct agpu_writer *writer,
                                                 const struct aerogpu_depth_stencil_state *state);
AGPU_API void agpu_write_set_rasterizer_state(struct agpu_writer *writer,
                                              const struct aerogpu_rasterizer_state *state);

/* `count` colour targets, 0 leaves a gap. More than AEROGPU_MAX_RENDER_TARGETS: abi.packet-payload. */
AGPU_API void agpu_write_set_render_targets(struct agpu_writer *writer, uint32_t count,
                                            const aerogpu_handle_t *colors, aerogpu_handle_t depth_stencil);
AGPU_API void agpu_write_set_viewport(struct agpu_writer *writer, float x, float y, float width, float height,
                                      float min_depth, float max_depth);
AGPU_API void agpu_write_set_scissor(struct agpu_writer *writer, int32_t x, int32_t y, int32_t width,
                                     int32_t height);

/* ---- Binding tables ------------------------------------------------------------------------------------ */

/* `texture` is a texture or a texture view. */
AGPU_API void agpu_write_set_texture(struct agpu_writer *writer, enum agpu_stream_stage stage, uint32_t slot,
                                     aerogpu_handle_t texture);

/* `filter` is enum aerogpu_sampler_filter, addresses are enum aerogpu_sampler_address_mode. */
AGPU_API void agpu_write_create_sampler(struct agpu_writer *writer, aerogpu_handle_t sampler, uint32_t filter,
                                        uint32_t address_u, uint32_t address_v, uint32_t address_w);
AGPU_API void agpu_write_destroy_sampler(struct agpu_writer *writer, aerogpu_handle_t sampler);
AGPU_API void agpu_write_set_samplers(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                      uint32_t start_slot, uint32_t count, const aerogpu_handle_t *samplers);
AGPU_API void agpu_write_set_constant_buffers(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                              uint32_t start_slot, uint32_t count,
                                              const struct aerogpu_constant_buffer_binding *bindings);
AGPU_API void
agpu_write_set_shader_resource_buffers(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                       uint32_t start_slot, uint32_t count,
                                       const struct aerogpu_shader_resource_buffer_binding *bindings);
AGPU_API void
agpu_write_set_unordered_access_buffers(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                        uint32_t start_slot, uint32_t count,
                                        const struct aerogpu_unordered_access_buffer_binding *bindings);

/* Direct3D 9 only. SET_SAMPLER_STATE has no stage_ex word: hull and domain are errors. */
AGPU_API void agpu_write_set_sampler_state(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                           uint32_t slot, uint32_t state, uint32_t value);
AGPU_API void agpu_write_set_render_state(struct agpu_writer *writer, uint32_t state, uint32_t value);

/* ---- Work ---------------------------------------------------------------------------------------------- */

/* `flags` is enum aerogpu_clear_flags; `color` is R G B A, null for black and transparent. */
AGPU_API void agpu_write_clear(struct agpu_writer *writer, uint32_t flags, const float color[4], float depth,
                               uint32_t stencil);
AGPU_API void agpu_write_draw(struct agpu_writer *writer, uint32_t vertex_count, uint32_t instance_count,
                              uint32_t first_vertex, uint32_t first_instance);
AGPU_API void agpu_write_draw_indexed(struct agpu_writer *writer, uint32_t index_count,
                                      uint32_t instance_count, uint32_t first_index, int32_t base_vertex,
                                      uint32_t first_instance);

/* Runs the compute shader, or with minor 3 the shader bound as geometry, hull or domain; vertex and pixel are
 * errors. */
AGPU_API void agpu_write_dispatch(struct agpu_writer *writer, enum agpu_stream_stage stage,
                                  uint32_t group_count_x, uint32_t group_count_y, uint32_t group_count_z);

/* ---- Presentation, sharing, flush ---------------------------------------------------------------------- */

/* `flags` is enum aerogpu_present_flags. */
AGPU_API void agpu_write_present(struct agpu_writer *writer, uint32_t scanout_id, uint32_t flags);
AGPU_API void agpu_write_present_ex(struct agpu_writer *writer, uint32_t scanout_id, uint32_t flags,
                                    uint32_t d3d9_present_flags);

/* `token` is not 0 and unique over all time. */
AGPU_API void agpu_write_export_shared_surface(struct agpu_writer *writer, aerogpu_handle_t resource,
                                               uint64_t token);
AGPU_API void agpu_write_import_shared_surface(struct agpu_writer *writer, aerogpu_handle_t alias,
                                               uint64_t token);
AGPU_API void agpu_write_release_shared_surface(struct agpu_writer *writer, uint64_t token);
AGPU_API void agpu_write_flush(struct agpu_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
