/* SPDX-License-Identifier: MIT
 *
 * Status codes and diagnostics: how every part of the library says what went wrong.
 *
 * A function that can fail returns an `enum agpu_status`; what exactly failed, and where, goes to the
 * diagnostics callback that the caller handed in. The library itself never prints, aborts or exits.
 */
#ifndef AEROGPU_DIAG_H
#define AEROGPU_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/api.h"
#include "aerogpu/diag_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. Anything but AGPU_OK has been reported through the diagnostics callback. */
enum agpu_status {
    AGPU_OK = 0,
    AGPU_REFUSED,   /* the input is malformed or asks for something that is not supported */
    AGPU_MISSING,   /* a library, driver or device feature is not there */
    AGPU_NO_MEMORY, /* the host ran out of memory; objects are left as they were */
    AGPU_INTERNAL,  /* our own fault: a check of the library's own work failed */
};

enum agpu_severity {
    AGPU_NOTE,
    AGPU_WARNING,
    AGPU_ERROR,
};

/* One line of the table in diag_codes.h. A newer library may report numbers that are not here. */
/* clang-format off */
enum agpu_diag_code {
    AGPU_DIAG_NONE = 0, /* no code at all */
#define AGPU_DIAG_ENUM(number, name, slug, error) AGPU_DIAG_##name = number,
    AGPU_DIAG_CODES(AGPU_DIAG_ENUM)
#undef AGPU_DIAG_ENUM
};
/* clang-format on */

/* The slug of a code, `layer.problem`. It is stable: scripts and tests may match on it. "base.unknown" for
 * numbers that are no code of this library. */
AGPU_API const char *agpu_diag_slug(enum agpu_diag_code code);

/* The code with this slug, or AGPU_DIAG_NONE. */
AGPU_API enum agpu_diag_code agpu_diag_code_from_slug(const char *slug);

/* The value (enum aerogpu_error_code of abi/pci.h) that the device's error register shows for a code;
 * AEROGPU_ERROR_INTERNAL for numbers that are no code of this library. */
AGPU_API uint32_t agpu_diag_error_register(enum agpu_diag_code code);

#define AGPU_DIAG_NO_OFFSET UINT64_MAX
#define AGPU_DIAG_NO_INDEX UINT32_MAX

/* Where a problem is. Fields that do not apply hold the value named in the comment. */
struct agpu_place {
    uint64_t offset;     /* byte offset in a binary input; AGPU_DIAG_NO_OFFSET */
    uint32_t line;       /* line of a text input, from 1; 0 */
    uint32_t column;     /* column of a text input in bytes, from 1; 0 */
    uint32_t submission; /* number since the device was created or reset, from 0; AGPU_DIAG_NO_INDEX */
    uint32_t packet;     /* number of the packet in its stream, from 0; AGPU_DIAG_NO_INDEX */
};

#define AGPU_NO_PLACE                                                                                        \
    {                                                                                                        \
        AGPU_DIAG_NO_OFFSET, 0, 0, AGPU_DIAG_NO_INDEX, AGPU_DIAG_NO_INDEX                                    \
    }

struct agpu_diag {
    enum agpu_diag_code code;
    enum agpu_severity severity;
    struct agpu_place place;
    const char *message; /* one sentence, lower-case start, no full stop; valid during the callback only */
    /* The name of the packet at place.packet, as agpu_packet_name() has it ("EXT_CREATE_VIEW"); null: no
     * packet, or one without a name. Messages do not repeat the name. */
    const char *packet_name;
};

/* ---- Tables that grow -----------------------------------------------------------------------------------
 *
 * Structures of options, callbacks and counters that a program fills in or hands in to be filled begin with
 * `uint32_t size`: their sizeof, or 0 for the structure as it was in 0.2, so that initialisers need not name
 * it. Later versions add members at the end, whose zero is the default. The library reads and writes no more
 * than `size` bytes, takes what is behind them as zero, and ignores members that it does not know itself. So
 * programs and libraries of different versions fit together; a program that needs a later member to be heeded
 * asks agpu_version(). Set what the library fills in to zero or to {.size = sizeof ...} before the call. */

/* Receives diagnostics. Two members for ever: it has no size. Called on the thread that made the failing
 * call, before that call returns. A null `report` drops them. The structure is copied by whoever keeps it;
 * `user` stays the caller's. */
struct agpu_diag_sink {
    void (*report)(void *user, const struct agpu_diag *diag);
    void *user;
};

/* Frees memory that a function of this library handed out. Accepts null. */
AGPU_API void agpu_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
