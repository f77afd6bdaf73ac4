/* SPDX-License-Identifier: MIT
 *
 * Reading command streams ("ACMD"): framing, bounds and stage words of bytes that nobody vouches for.
 *
 *     struct agpu_stream_reader reader;
 *     struct agpu_packet packet;
 *     if (agpu_stream_reader_init(&reader, data, size, sink) != AGPU_OK)
 *         return reader.status;
 *     while (agpu_stream_next(&reader, &packet)) {
 *         if (packet.opcode == AEROGPU_CMD_DRAW)
 *             draw(AGPU_PACKET(&packet, draw));
 *     }
 *     return reader.status;
 *
 * Nothing is copied or allocated: packets point into the caller's bytes, which must not change meanwhile
 * (copy guest memory first). Streams are aligned to 4 bytes at best; the ABI's structures are byte-packed, so
 * pointers to them are valid at any address and may be used without copying. Any thread may read; a reader
 * belongs to one thread at a time. (Spec: ABI sections 5-7 and rules S1-S3 of 4.4.)
 */
#ifndef AEROGPU_STREAM_H
#define AEROGPU_STREAM_H

#include "aerogpu/abi/cmd.h"
#include "aerogpu/api.h"
#include "aerogpu/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Longer streams are refused (spec: ABI 14). */
#define AGPU_STREAM_MAX_BYTES (UINT32_C(64) << 20)

/* ---- Stages -------------------------------------------------------------------------------------------- */

/* The shader stage that a packet means, whichever way it is spelled. The numbers are DXBC program types. */
enum agpu_stream_stage {
    AGPU_STREAM_STAGE_PIXEL = 0,
    AGPU_STREAM_STAGE_VERTEX = 1,
    AGPU_STREAM_STAGE_GEOMETRY = 2,
    AGPU_STREAM_STAGE_HULL = 3,
    AGPU_STREAM_STAGE_DOMAIN = 4,
    AGPU_STREAM_STAGE_COMPUTE = 5,
    AGPU_STREAM_STAGE_COUNT,
    AGPU_STREAM_STAGE_NONE = AGPU_STREAM_STAGE_COUNT /* the packet has no stage */
};

/* The effective stage of a stage word and its stage_ex word (enum aerogpu_shader_stage and
 * aerogpu_shader_stage_ex) in a stream of that ABI minor; false when they name none. (Spec: ABI 6.1.) */
AGPU_API bool agpu_stage_decode(uint32_t stage, uint32_t stage_ex, uint32_t stream_minor,
                                enum agpu_stream_stage *effective);

/* The words that spell a stage; geometry as stage word 3, which every minor reads. False when the minor
 * cannot say it: hull and domain need AEROGPU_STAGE_EX_MIN_ABI_MINOR. */
AGPU_API bool agpu_stage_encode(enum agpu_stream_stage effective, uint32_t stream_minor, uint32_t *stage,
                                uint32_t *stage_ex);

/* ---- Packets ------------------------------------------------------------------------------------------- */

struct agpu_packet_info; /* the packet's row in the library's packet table */

/* One packet. All pointers point into the stream. */
struct agpu_packet {
    uint32_t index;      /* number in the stream, from 0; skipped packets count */
    uint32_t opcode;     /* enum aerogpu_cmd_opcode, or a number that this library does not know */
    uint32_t offset;     /* of its first byte, from the start of the stream */
    uint32_t size;       /* bytes, header included */
    uint32_t minor;      /* ABI minor of the stream it is in */
    const uint8_t *data; /* its first byte */

    const struct agpu_packet_info *info; /* null: unknown opcode; all fields below are then empty */
    enum agpu_stream_stage stage;        /* effective stage; AGPU_STREAM_STAGE_NONE for packets without one */

    /* What follows the fixed structure: whole, in bounds and without its padding. A debug marker's text is
     * not NUL-terminated. */
    const uint8_t *payload;
    uint32_t payload_size;  /* bytes */
    uint32_t payload_count; /* elements: bindings, registers, handles; bytes for data and text */

    /* Bytes after everything known about the packet: fields of later minors. To be ignored. */
    const uint8_t *tail;
    uint32_t tail_size;
};

/* The packet's structure: AGPU_PACKET(&packet, draw) is a `const struct aerogpu_cmd_draw *`. Valid for
 * packets that the reader handed out with that opcode. BIND_SHADERS: see agpu_packet_shaders(). */
#define AGPU_PACKET(packet, name) ((const struct aerogpu_cmd_##name *)(const void *)(packet)->data)

/* Word `index` of the payload, or 0 past its end. */
AGPU_API uint32_t agpu_packet_word(const struct agpu_packet *packet, uint32_t index);

/* Element `index` of a payload of bindings, or null past its end:
 *     const struct aerogpu_vertex_buffer_binding *binding = agpu_packet_element(&packet, i); */
AGPU_API const void *agpu_packet_element(const struct agpu_packet *packet, uint32_t index);

/* The six handles of a BIND_SHADERS packet, indexed by stage, 0 = unbound: 36 bytes and more carry gs, hs and
 * ds; in exactly 24 bytes reserved0 is the geometry shader; between them (28 and 32) neither is there.
 * (Spec: ABI 7.2 and choice 23.) */
AGPU_API void agpu_packet_shaders(const struct agpu_packet *packet,
                                  aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT]);

/* "CREATE_BUFFER" and so on: the enumerator without AEROGPU_CMD_; null for unknown opcodes. */
AGPU_API const char *agpu_packet_name(uint32_t opcode);

/* The hash of a semantic's name, without its index, as input-layout elements hold it: FNV-1a of the
 * upper-case ASCII bytes. `name` need not be NUL-terminated. (Spec: ABI 9.1.) */
AGPU_API uint32_t agpu_semantic_hash(const char *name, size_t length);

/* ---- Streams ------------------------------------------------------------------------------------------- */

struct agpu_stream_reader {
    /* Set by init, for reading. */
    struct aerogpu_cmd_stream_header header;
    uint32_t minor;          /* of header.abi_version */
    enum agpu_status status; /* AGPU_OK until something malformed was met */

    /* May be set after init. */
    uint32_t submission; /* goes into the places of diagnostics; default AGPU_DIAG_NO_INDEX */
    /* hand out malformed packets of known opcodes as unknown ones, when their size_bytes still leads to the
     * next packet, instead of stopping: for tools. Default false */
    bool lenient;

    /* The reader's own. */
    const uint8_t *data;
    uint32_t offset;
    uint32_t index;
    const struct agpu_diag_sink *sink;
};

/* Checks the stream header at `data`. `size` is what the caller has, which may be more than the stream: bytes
 * past header.size_bytes are ignored. `data` and `sink` (may be null) are borrowed for the reader's life.
 * Errors: AGPU_REFUSED with abi.stream-header (too short, wrong magic or major, bad or excessive size) or
 * abi.stream-size (header.size_bytes exceeds `size`). The reader is then at its end. */
AGPU_API enum agpu_status agpu_stream_reader_init(struct agpu_stream_reader *reader, const void *data,
                                                  size_t size, const struct agpu_diag_sink *sink);

/* The same for packets without a stream header, as a command list of the extension holds them: they are those
 * of a stream of ABI 1.`minor`, and their offsets count from `data`. Errors: AGPU_REFUSED with
 * abi.stream-size when `size` is above AGPU_STREAM_MAX_BYTES. */
AGPU_API enum agpu_status agpu_stream_reader_init_packets(struct agpu_stream_reader *reader, uint32_t minor,
                                                          const void *data, size_t size,
                                                          const struct agpu_diag_sink *sink);

/* Fetches the next packet; false at the end and after an error, which `reader->status` tells apart. Unknown
 * opcodes are handed out with a null `info`; a caller that executes skips them. Known packets longer than
 * this library knows are accepted, shorter ones are errors: abi.packet-size (framing, fixed part),
 * abi.packet-payload (declared payload), abi.stage (stage words). Places hold the packet's offset and number.
 * After an error the reader stays at its end. */
AGPU_API bool agpu_stream_next(struct agpu_stream_reader *reader, struct agpu_packet *packet);

#ifdef __cplusplus
}
#endif

#endif
