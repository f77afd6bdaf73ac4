/* SPDX-License-Identifier: MIT
 *
 * Command streams as text: printing a stream, and making a stream from text.
 *
 *     CREATE_BUFFER buffer_handle=$1 usage_flags=VERTEX_BUFFER size_bytes=24
 *     UPLOAD_RESOURCE resource_handle=$1 : f32 -1 -1  -1 3  3 -1
 *     SET_VERTEX_BUFFERS bindings=[{buffer=$1 stride_bytes=8}]
 *     CLEAR flags=COLOR color_rgba_f32=[0 0 1 1] ; DRAW vertex_count=3 instance_count=1
 *     packet 0x7F0 : hex 01020304
 *
 * A packet is its name, fields in any order, and behind ':' its bytes. Absent fields are 0; byte sizes and
 * counts follow from what is there unless they are given. Lines of packets are separated by ';' or the end of
 * the line, '#' starts a comment. `$7` is handle 7; `$name` is a handle that gets the first free number, from
 * 1, where it is first mentioned. Scenes (docs/scenes.md) embed the same lines.
 *
 * Printing loses nothing: assembling what was printed gives the same bytes, for every input whose stream
 * header is sound, unknown opcodes, surplus bytes and malformed packets included. Beside the packets there
 * are the lines
 *
 *     stream abi_version=0x10003 flags=1 reserved0=2 reserved1=3 size_bytes=64   header fields that are not
 *                                                                                 as usual
 *     raw : hex 0102          bytes in the stream that are no packet
 *     trailing : hex 0102     bytes after the stream's size_bytes
 *
 * and the fields `tail=hex0102` (bytes after what is known of a packet), `padding=hex01` (padding that is not
 * zero) and, on `packet`, `size_bytes=` (a size word that does not match the bytes).
 */
#ifndef AEROGPU_TEXT_H
#define AEROGPU_TEXT_H

#include "aerogpu/api.h"
#include "aerogpu/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero is the default of every field. A range leaves out the `trailing` line. */
struct agpu_text_dump_options {
    uint32_t size;         /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    uint32_t first_packet; /* number of the first packet printed, from 0 */
    uint32_t packet_count; /* how many; 0 is all that follow */
    bool offsets;          /* a comment with the packet's number and offset behind each line */
};

/* Prints a stream of `size` bytes, one packet a line; `options` may be null. The header must be sound (magic,
 * 24 bytes, size_bytes between 24 and `size`): otherwise AGPU_REFUSED with abi.stream-header or
 * abi.stream-size. Malformed packets are printed as `packet`, and as `raw` where no packet can be told, each
 * with a warning. The caller frees *text with agpu_free(). Any thread. */
AGPU_API enum agpu_status agpu_text_dump(const void *data, size_t size,
                                         const struct agpu_text_dump_options *options,
                                         const struct agpu_diag_sink *sink, char **text, size_t *length);

/* What a text may refer to outside itself. All functions may be null: such references are then refused. What
 * they hand out belongs to them and stays valid until the assembler returns. */
struct agpu_text_sources {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    /* The bytes of @name; false when there is no such blob. */
    bool (*blob)(void *user, const char *name, const uint8_t **data, size_t *size);
    /* The guest address of @name as a number. */
    bool (*address)(void *user, const char *name, uint64_t *address);
    /* A file's bytes, or with `picture` a PNG's pixels as RGBA8 rows; false when it cannot be read, which the
     * function reports itself. */
    bool (*file)(void *user, const char *path, bool picture, struct agpu_place place, const uint8_t **data,
                 size_t *size);
    void *user;
};

/* Makes a stream from text, with bytes of `trailing` lines behind it. Errors are AGPU_REFUSED with abi.text-*
 * codes, each with line and column; the text is read to its end, so that all errors are reported. `sources`
 * may be null. The caller frees *data with agpu_free(). Limits: 1 GiB of text, 64 MiB of stream. Any thread.
 */
AGPU_API enum agpu_status agpu_text_assemble(const char *text, size_t length,
                                             const struct agpu_text_sources *sources,
                                             const struct agpu_diag_sink *sink, uint8_t **data, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
