/* SPDX-License-Identifier: MIT
 *
 * An executor for tests without a GPU: every PRESENT shows a given picture, copies with write-back store
 * given bytes, a chosen opcode is an error, a debug marker with a diagnostic's code is a warning, and
 * completion may take some polls.
 */
#ifndef AG_TEST_FAKE_EXECUTOR_H
#define AG_TEST_FAKE_EXECUTOR_H

#include "aerogpu/executor.h"

#define FAKE_ERROR_OPCODE 0x7F0u /* its first word is an enum agpu_diag_code */
#define FAKE_HANG_OPCODE 0x7F1u  /* the submission never completes */

struct fake_executor_options {
    uint32_t polls; /* until a submission completes; 0: inside submit */
    uint32_t width, height;
    const uint8_t *pixels;  /* RGBA8 of every present */
    const uint8_t *content; /* of every resource: what copies with write-back store */
    size_t content_size;
    bool plain; /* markers and the two opcodes above mean nothing */
};

/* `options` is borrowed. Null when out of memory; free with agpu_executor_destroy. */
struct agpu_executor *fake_executor_create(const struct fake_executor_options *options);

#endif
