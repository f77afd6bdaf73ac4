/* SPDX-License-Identifier: MIT
 *
 * Writes docs/opcodes.md from the opcode table.
 *
 *     opcodes                 to standard output
 *     opcodes --check FILE    fails when FILE has another text
 */
#include <inttypes.h>

#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "document.h"

static const char introduction[] =
    "# Opcodes\n"
    "\n"
    "This file is generated from `include/aerogpu/dxbc_opcodes.h`; the test `docs/opcodes` tells when it is "
    "out of\n"
    "step, and the build writes the right text to `docs/opcodes.md` in its own folder.\n"
    "\n"
    "Operands stand in the order of the tokens: `D` is a destination, `S` a source, the letter behind it "
    "says what\n"
    "it holds: `f` float, `i` int, `u` uint, `b` 32 bits that pass unchanged, `c` a condition, `B` 0 or ~0, "
    "`d`\n"
    "double, `R` a resource, `P` a sampler, `L` a label, `M` a stream, `I` an interface. Under *takes*, "
    "`sat` is\n"
    "saturation, `test` `_z` or `_nz`, `typed` the dimension and return type of its resource in 5.0, "
    "`offsets`\n"
    "immediate texel offsets. Sources that hold `f` and `d` take negation and absolute value, `i` negation;\n"
    "`b` takes neither but under `-||`. Opcodes of `ps cs` that work on unordered access views are there in\n"
    "every stage of a device that has the feature. `dcl` stands for declarations without an operand.\n"
    "\n"
    "| No. | Hex | Mnemonic | Model | Operands | Takes | Needs | Stages |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- |\n";

struct word {
    uint16_t flag;
    const char *text;
};

static const struct word takes[] = {
    {AGPU_OPF_SATURATE,  "sat"    },
    {AGPU_OPF_TEST,      "test"   },
    {AGPU_OPF_EXTENDED,  "typed"  },
    {AGPU_OPF_OFFSETS,   "offsets"},
    {AGPU_OPF_MODIFIERS, "-\\|\\|"},
};

static const struct word needs[] = {
    {AGPU_OPF_DOUBLE,      "enableDoublePrecisionFloatOps"               },
    {AGPU_OPF_DOUBLE_11_1, "enable11_1DoubleExtensions"                  },
    {AGPU_OPF_SHADER_11_1, "enable11_1ShaderExtensions"                  },
    {AGPU_OPF_TILED,       "tiled resources"                             },
    {AGPU_OPF_RAW_4,       "in 4.x but cs: enableRawAndStructuredBuffers"},
};

static void put_words(struct ag_strbuf *out, const struct word *words, size_t count, uint16_t flags)
{
    const char *separator = " ";
    ag_strbuf_append(out, " |");
    for (size_t i = 0; i < count; i++) {
        if ((flags & words[i].flag) == 0)
            continue;
        ag_strbuf_append(out, separator);
        ag_strbuf_append(out, words[i].text);
        separator = ", ";
    }
}

static void put_stages(struct ag_strbuf *out, uint8_t stages)
{
    static const enum agpu_stage order[] = {AGPU_STAGE_VERTEX, AGPU_STAGE_PIXEL,  AGPU_STAGE_GEOMETRY,
                                            AGPU_STAGE_HULL,   AGPU_STAGE_DOMAIN, AGPU_STAGE_COMPUTE};
    ag_strbuf_append(out, " |");
    if (stages == AGPU_STAGES_ALL)
        ag_strbuf_append(out, " all");
    for (size_t i = 0; stages != AGPU_STAGES_ALL && i < AG_COUNT_OF(order); i++)
        if (stages >> order[i] & 1)
            ag_strbuf_printf(out, " %s", agpu_stage_name(order[i]));
    ag_strbuf_append(out, " |\n");
}

static void put_opcode(struct ag_strbuf *out, uint32_t number, const struct agpu_opcode_info *info)
{
    ag_strbuf_printf(out, "| %" PRIu32 " | 0x%02" PRIx32 " | `%s` | %u.%u |", number, number, info->mnemonic,
                     info->model / 10, info->model % 10);
    if (info->operands[0] != '\0')
        ag_strbuf_printf(out, " %s", info->operands);
    else if (info->flags & AGPU_OPF_DECLARATION)
        ag_strbuf_append(out, " dcl");
    put_words(out, takes, AG_COUNT_OF(takes), info->flags);
    put_words(out, needs, AG_COUNT_OF(needs), info->flags);
    put_stages(out, info->stages);
}

static void put_document(struct ag_strbuf *out)
{
    ag_strbuf_append(out, introduction);
    for (uint32_t i = 0; i < AGPU_OPCODE_LIMIT; i++)
        if (agpu_opcode_info(i) != NULL)
            put_opcode(out, i, agpu_opcode_info(i));
}

int main(int argc, char **argv)
{
    struct ag_strbuf out = {0};
    put_document(&out);
    return document_finish(&out, argc, argv);
}
