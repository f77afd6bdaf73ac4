/* SPDX-License-Identifier: MIT
 *
 * Options of the command line. A subcommand has one table of them; parsing, --help and the man page are made
 * from it.
 */
#ifndef AG_CLI_OPTIONS_H
#define AG_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/gpu.h"

struct cli_range {
    uint32_t first, last; /* both included */
};

/* What the uses of an option that may be repeated say, in their order; the texts are in argv. */
struct cli_texts {
    const char **texts;
    uint32_t count;
};

/* The values of every option of every command; each command reads those of its own table. */
struct cli_options {
    bool help, json;
    const char *output;
    bool full, offsets, raw, tokens; /* disasm, info, validate, asm */
    const char *signatures;
    const char *reflect; /* translate */
    bool annotate;
    uint32_t flavour;  /* enum agpu_flavour */
    uint32_t validate; /* bits in the order of the option's words */
    enum agpu_driver driver;
    const char *library;
    enum agpu_limits limits; /* run */
    struct cli_texts without;
    struct cli_range packets; /* dump */
    uint32_t timeout_ms, gpu_limit_ms, frames, slice_us, invocations, snapshots;
    bool gif, contact_sheet, check_packets, strict, aero_dialect, process, translate_in_calls; /* run */
    const char *capture, *report;
    uint32_t from, to;
    bool man;                 /* help */
    const char *socket, *shm; /* serve */
    bool window, log;         /* serve, run */
    uint32_t clients, client_memory;
    const char *dlls;  /* run */
    const char *cache; /* run, cache */
    bool no_cache;
};

enum cli_option_kind {
    CLI_FLAG,    /* bool */
    CLI_TEXT,    /* const char * into argv */
    CLI_NUMBER,  /* uint32_t, decimal or 0x */
    CLI_SECONDS, /* uint32_t of milliseconds; the argument is seconds, with a fraction */
    CLI_RANGE,   /* struct cli_range; the argument is N or A..B */
    CLI_WORD,    /* uint32_t: index of one of `words` */
    CLI_WORDS,   /* uint32_t of bits; a comma-separated list of `words`; without argument the first one */
    CLI_DRIVER,  /* enum agpu_driver */
    CLI_LIMITS,  /* enum agpu_limits */
    CLI_FEATURE, /* struct cli_texts; one name of a WebGPU feature more */
};

struct cli_option {
    const char *name; /* long form without dashes */
    char letter;      /* short form, or 0 */
    enum cli_option_kind kind;
    uint16_t offset;          /* of its value in struct cli_options */
    const char *argument;     /* what help calls the argument; null for flags */
    const char *help;         /* one sentence, lower-case start, no full stop */
    const char *const *words; /* null-terminated; CLI_WORD and CLI_WORDS */
};

#define CLI_OPTION_VALUE(field) ((uint16_t)offsetof(struct cli_options, field))

/* Rows that several tables share. */
#define CLI_OPTION_OUTPUT(text)                                                                              \
    {                                                                                                        \
        "output", 'o', CLI_TEXT, CLI_OPTION_VALUE(output), "PATH", text, NULL                                \
    }
#define CLI_OPTION_SIGNATURES                                                                                \
    {                                                                                                        \
        "signatures", 0, CLI_TEXT, CLI_OPTION_VALUE(signatures), "FILE",                                     \
            "the input is a bare token stream, its signatures are the .in, .out and .patch lines of FILE",   \
            NULL                                                                                             \
    }
#define CLI_OPTION_DRIVER                                                                                    \
    {                                                                                                        \
        "driver", 0, CLI_DRIVER, CLI_OPTION_VALUE(driver), "NAME",                                           \
            "run on this driver instead of AEROGPU_DRIVER or the first adapter found", NULL                  \
    }
#define CLI_OPTION_LIBRARY                                                                                   \
    {                                                                                                        \
        "lib", 0, CLI_TEXT, CLI_OPTION_VALUE(library), "FILE", "load this WebGPU library", NULL              \
    }

#define CLI_OPTION_CACHE                                                                                     \
    {                                                                                                        \
        "cache", 0, CLI_TEXT, CLI_OPTION_VALUE(cache), "DIR",                                                \
            "keep what is compiled for later runs in this directory, by default aerogpu in XDG_CACHE_HOME "  \
            "or ~/.cache",                                                                                   \
            NULL                                                                                             \
    }
#define CLI_OPTION_NO_CACHE                                                                                  \
    {                                                                                                        \
        "no-cache", 0, CLI_FLAG, CLI_OPTION_VALUE(no_cache), NULL, "neither use nor keep what was compiled", \
            NULL                                                                                             \
    }

/* --help and --json, which every command has. */
extern const struct cli_option cli_common_options[2];

struct cli_command;
struct cli_arguments;

/* Parses what follows the command's name. Options and inputs may be mixed; "--" ends the options, "-" is an
 * input. False after a message on standard error. `arguments` starts zeroed; its inputs and lists are freed
 * by cli_arguments_fini(). */
bool cli_parse(const struct cli_command *command, int argc, char **argv, struct cli_arguments *arguments);
void cli_arguments_fini(struct cli_arguments *arguments);

/* A number as options take them; false when `text` is anything else. */
bool cli_parse_number(const char *text, uint32_t *number);

#endif
