/* SPDX-License-Identifier: MIT
 *
 * Assembles statements of the text form into the bytes of streams. One assembler makes many streams, which
 * share handle names as the submissions of a guest share handles.
 */
#ifndef AG_ABI_TEXT_PACKET_H
#define AG_ABI_TEXT_PACKET_H

#include "abi/text_data.h"
#include "abi/text_handles.h"
#include "aerogpu/abi/cmd.h"

struct ag_text_assembler {
    const struct agpu_text_sources *sources; /* may be null */
    struct ag_text_handles handles;
    struct aerogpu_cmd_stream_header header; /* header of the current stream; size_bytes is 0 unless given */
    bool has_size;                           /* header.size_bytes is given */
    struct ag_strbuf packets;
    struct ag_strbuf trailing;
};

/* `sources` is borrowed. */
void ag_text_assembler_init(struct ag_text_assembler *assembler, const struct agpu_text_sources *sources);
void ag_text_assembler_fini(struct ag_text_assembler *assembler);

/* Starts a stream. */
void ag_text_assembler_begin(struct ag_text_assembler *assembler, uint32_t abi_version);

/* Adds a packet, or takes a `stream`, `raw` or `trailing` line. Errors are reported through the reader and
 * noted in its status. */
void ag_text_assembler_add(struct ag_text_assembler *assembler, struct ag_text_reader *reader,
                           const struct ag_text_statement *statement);

/* Ends the stream and returns all its bytes in one block, which the caller frees with free(). `place` is
 * where a stream that is too long is reported. */
enum agpu_status ag_text_assembler_finish(struct ag_text_assembler *assembler, struct ag_text_reader *reader,
                                          uint8_t **data, size_t *size);

/* The number of a `$h` value; a value without a number is reported. */
bool ag_text_read_handle(struct ag_text_assembler *assembler, struct ag_text_reader *reader,
                         const struct ag_text_value *value, uint32_t *number);

/* Reads an ABI version: 0x10003, or 1.3. */
bool ag_text_abi_version(const struct ag_text_value *value, uint32_t *version);

#endif
