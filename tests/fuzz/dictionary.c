/* SPDX-License-Identifier: MIT
 *
 * Writes the dictionaries of targets for the fuzzer, from the tables that the library reads with.
 *
 *     fuzz_dictionary TARGET...
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/packet.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/dxbc.h"
#include "dxbc/names.h"
#include "format/format.h"

static const struct ag_name_list *const lists[] = {
    &ag_names_dimension,
    &ag_names_return_type,
    &ag_names_interpolation,
    &ag_names_system_name,
    &ag_names_system_value,
    &ag_names_global_flag,
    &ag_names_output_topology,
    &ag_names_primitive,
    &ag_names_domain,
    &ag_names_partitioning,
    &ag_names_tessellator_output,
    &ag_names_sampler_mode,
    &ag_names_access,
    &ag_names_min_precision,
    &ag_names_component_type,
    &ag_names_sync_flag,
    &ag_names_feature,
    &ag_names_statistic,
    &ag_names_rdef_class,
    &ag_names_rdef_base_type,
    &ag_names_rdef_buffer_kind,
    &ag_names_rdef_input_type,
    &ag_names_rdef_return_type,
    &ag_names_rdef_dimension,
};

static const char *const directives[] = {
    ".in ",
    ".out ",
    ".patch ",
    ".rdef \"",
    ".binding ",
    ".buffer ",
    ".variable \"",
    ".type ",
    ".member ",
    ".stat ",
    ".features ",
    ".implements ",
    ".chunk ",
    ".hex ",
    ".digest ",
    ".tokens 0x",
    "[stray ",
    "l(",
    "d(",
    "_sat",
    "_aoffimmi(",
    "_indexable(",
    "[precise(",
    "vs_4_0\\x0a",
    "ps_4_0\\x0a",
    "ps_5_0\\x0a",
    "gs_4_0\\x0a",
    "gs_5_0\\x0a",
    "hs_5_0\\x0a",
    "ds_5_0\\x0a",
    "cs_4_0\\x0a",
    "cs_5_0\\x0a",
    "v0.xyzw",
    "o0.xyzw",
    "r0.xyzw",
    "x0[r0.x + 1].xyzw",
    "cb0[0].xyzw",
    "icb[r0.x].xyzw",
    "t0.xyzw",
    "s0",
    "u0.xyzw",
    "g0",
    "vicp[0][0].xyzw",
    "vocp[0][0].xyzw",
    "vpc0.xyzw",
    "vThreadID.xyz",
    "-|r0.xxxx|",
};

static void write_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        printf(*text == '"' ? "\\%c" : "%c", *text);
    printf("\"\n");
}

static void write_word(uint32_t value)
{
    printf("\"\\x%02" PRIX32 "\\x%02" PRIX32 "\\x%02" PRIX32 "\\x%02" PRIX32 "\"\n", value & 0xff,
           value >> 8 & 0xff, value >> 16 & 0xff, value >> 24);
}

static void write_assembler(void)
{
    for (uint32_t i = 0; i < AGPU_OPCODE_LIMIT; i++) {
        const struct agpu_opcode_info *info = agpu_opcode_info(i);
        if (info != NULL && info->mnemonic != NULL)
            write_string(info->mnemonic);
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (uint32_t k = 0; k < lists[i]->count; k++)
            if (lists[i]->names[k] != NULL)
                write_string(lists[i]->names[k]);
    }
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        write_string(directives[i]);
}

/* Opcode tokens with a likely length, and the version tokens. */
static void write_tokens(void)
{
    for (uint32_t i = 0; i < AGPU_OPCODE_LIMIT; i++) {
        const struct agpu_opcode_info *info = agpu_opcode_info(i);
        if (info != NULL && info->mnemonic != NULL)
            write_word(i | (1 + 2 * (uint32_t)info->operand_count) << 24);
    }
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++) {
        write_word(stage << 16 | 0x40);
        write_word(stage << 16 | 0x50);
    }
    write_word(0x00100000); /* an operand with four components, one index */
    write_word(0x80000001); /* an extended token */
}

static void write_container(void)
{
    static const char *const chunks[] = {"DXBC", "RDEF", "ISGN", "OSGN", "PCSG", "SHDR",
                                         "SHEX", "STAT", "SFI0", "ISG1", "OSG1", "OSG5",
                                         "PSG1", "IFCE", "SDBG", "SPDB", "Aon9", "RD11"};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++)
        write_string(chunks[i]);
    write_tokens();
}

static void write_formats(void)
{
    for (uint32_t dxgi = 1; dxgi < AG_DXGI_COUNT; dxgi++) {
        const struct ag_host_format *format = ag_host_format(dxgi);
        if (format != NULL && format->abi_name != NULL)
            write_string(format->abi_name);
        if (format != NULL && dxgi <= AG_DXGI_LAST)
            printf("\"DXGI_%s\"\n", format->name);
    }
}

static void write_text(void)
{
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++) {
        write_string(table[i].name);
        for (uint32_t k = 0; k < table[i].fixed.field_count; k++) {
            const struct ag_field_info *field = &table[i].fixed.fields[k];
            printf("\" %s=\"\n", field->name);
            for (uint32_t v = 0; field->names != NULL && v < field->names->count; v++)
                write_string(field->names->values[v].name);
        }
    }
    write_formats();
    write_string("stream abi_version=");
    write_string(" : hex ");
    write_string(" : f32 ");
}

static void write_stream(void)
{
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++)
        write_word(table[i].opcode);
    write_word(AEROGPU_CMD_STREAM_MAGIC);
    write_word(AEROGPU_RING_MAGIC);
    write_word(AEROGPU_ALLOC_TABLE_MAGIC);
}

static void write_capture(void)
{
    static const char *const chunks[] = {"AGCAP", "INFO", "CONF", "MMIO", "BELL", "VRAM", "TIME",
                                         "SUBM",  "PAGE", "WRIT", "PRES", "DONE", "FENC", "END "};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++)
        write_string(chunks[i]);
    write_stream();
}

static void write_scene(void)
{
    static const char *const words[] = {
        "mem ",      "alloc ",   "unalloc ", "shader ",  "submit ", "expect ",  "blob ", "reg ", "tick ",
        "requires ", "without ", "pixel ",   "buffer ",  "fence ",  "counter ", "todo ", "@",    "$",
        "{",         "}",        "file ",    "library ", "texels ", "warning ", "equal"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        write_string(words[i]);
    write_text();
    write_assembler();
}

/* Streams with shaders in them. */
static void write_work(void)
{
    write_stream();
    write_tokens();
}

static bool write_dictionary(const char *target)
{
    static const struct {
        const char *name;
        void (*write)(void);
    } targets[] = {
        {"assembler",    write_assembler},
        {"capture",      write_capture  },
        {"container",    write_container},
        {"device",       write_stream   },
        {"disassembler", write_container},
        {"exec",         write_work     },
        {"process",      write_stream   },
        {"scene",        write_scene    },
        {"shared",       write_stream   },
        {"snapshot",     write_work     },
        {"stream",       write_stream   },
        {"text",         write_text     },
        {"tokens",       write_tokens   },
        {"translate",    write_tokens   },
    };
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (strcmp(target, targets[i].name) == 0) {
            targets[i].write();
            return true;
        }
    }
    fprintf(stderr, "fuzz_dictionary: there is no target %s\n", target);
    return false;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!write_dictionary(argv[i]))
            return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
