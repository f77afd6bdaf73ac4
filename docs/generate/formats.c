/* SPDX-License-Identifier: MIT
 *
 * Writes docs/formats.md from the table of formats.
 *
 *     formats                 to standard output
 *     formats --check FILE    fails when FILE has another text
 */
#include <inttypes.h>

#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "document.h"
#include "format/format.h"

static const char introduction[] =
    "# Formats\n"
    "\n"
    "This file is generated from `src/format/formats.h`; the test `docs/formats` tells when it is out of "
    "step, "
    "and the\n"
    "build writes the right text to `docs/formats.md` in its own folder.\n"
    "\n"
    "A guest names a format by the ABI's number, or by `0x80000000 | No.` for those of DXGI. *Bytes* are "
    "those "
    "of a\n"
    "texel, or of a block with its texels. *Kept as* is WebGPU's texture; `converted` says that bytes change "
    "on "
    "the way.\n"
    "Textures of typeless formats are kept as the one named there, and as another where views ask for it. "
    "*Can* holds\n"
    "what `READ_CAPS` answers to CheckFormatSupport; words with a star depend on the device: blending and "
    "filtering 32-bit\n"
    "floats. Video formats have names in texts; textures, views and vertex elements of them are refused.\n"
    "\n"
    "| No. | Format | ABI | Bytes | Components | Family | Kept as | Can |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- |\n";

struct word {
    uint32_t bits, bits2;
    const char *text;
};

#define BIT(name) AEROGPU_EXT_FORMAT_SUPPORT_##name, 0
#define BIT2(name) 0, AEROGPU_EXT_FORMAT_SUPPORT2_##name

static const struct word words[] = {
    {BIT(IA_VERTEX_BUFFER),            "vertex"          },
    {BIT(IA_INDEX_BUFFER),             "index"           },
    {BIT(SO_BUFFER),                   "stream output"   },
    {BIT(TEXTURE1D),                   "1D"              },
    {BIT(TEXTURE2D),                   "2D"              },
    {BIT(TEXTURE3D),                   "3D"              },
    {BIT(SHADER_LOAD),                 "load"            },
    {BIT(SHADER_SAMPLE),               "sample"          },
    {BIT(SHADER_SAMPLE_COMPARISON),    "compare"         },
    {BIT(RENDER_TARGET),               "target"          },
    {BIT(BLENDABLE),                   "blend"           },
    {BIT(DEPTH_STENCIL),               "depth"           },
    {BIT(MULTISAMPLE_RENDERTARGET),    "multisample"     },
    {BIT(MULTISAMPLE_RESOLVE),         "resolve"         },
    {BIT(MIP_AUTOGEN),                 "mips"            },
    {BIT(TYPED_UNORDERED_ACCESS_VIEW), "unordered access"},
    {BIT2(UAV_ATOMIC_ADD),             "atomics"         },
    {BIT2(OUTPUT_MERGER_LOGIC_OP),     "logic operations"},
    {BIT(DISPLAY),                     "display"         },
};

static bool has(const struct ag_format_support *support, const struct word *word)
{
    return (support->bits & word->bits) != 0 || (support->bits2 & word->bits2) != 0;
}

static void put_word(struct ag_strbuf *out, const char **separator, const char *word, bool depends)
{
    ag_strbuf_printf(out, "%s%s%s", *separator, word, depends ? "\\*" : "");
    *separator = ", ";
}

static void put_capabilities(struct ag_strbuf *out, uint32_t dxgi, const struct ag_host_format *format)
{
    const struct ag_format_support always = ag_format_support(dxgi, false);
    const struct ag_format_support sometimes = ag_format_support(dxgi, true);
    const char *separator = " ";
    for (size_t i = 0; i < AG_COUNT_OF(words); i++) {
        if (has(&sometimes, &words[i]))
            put_word(out, &separator, words[i].text, !has(&always, &words[i]));
        if (words[i].bits == AEROGPU_EXT_FORMAT_SUPPORT_SHADER_SAMPLE && has(&sometimes, &words[i]))
            put_word(out, &separator, "filter", !ag_host_format_has(format, AG_FORMAT_FILTERABLE));
    }
}

static const char *components_of(const struct ag_host_format *format)
{
    static const char *const numbers[] = {
        [AG_NUMBER_FLOAT] = "float", [AG_NUMBER_UNORM] = "unorm", [AG_NUMBER_SNORM] = "snorm",
        [AG_NUMBER_UINT] = "uint",   [AG_NUMBER_SINT] = "sint",
    };
    static const char *const classes[] = {
        [AG_CLASS_TYPELESS] = "typeless",
        [AG_CLASS_VIDEO] = "video",
    };
    if (format->class == AG_CLASS_TYPELESS || format->class == AG_CLASS_VIDEO)
        return classes[format->class];
    return ag_host_format_has(format, AG_FORMAT_SRGB) ? "sRGB" : numbers[format->number];
}

static void put_kept(struct ag_strbuf *out, const struct ag_host_format *format)
{
    const struct ag_host_format *host = ag_host_format(format->host),
                                *depth = ag_host_format(format->host_depth);
    if (host) {
        ag_strbuf_printf(out, " `%s`", host->name);
        if (depth && depth != host)
            ag_strbuf_printf(out, ", depth `%s`", depth->name);
    } else if (format->texture_name) {
        ag_strbuf_printf(out, " %s%s", format->texture_name,
                         format->conversion != AG_CONVERT_NONE || format->block_width == 2 ? ", converted"
                                                                                           : "");
    }
}

static void put_format(struct ag_strbuf *out, uint32_t dxgi, const struct ag_host_format *format)
{
    const struct ag_host_format *family = ag_host_format(format->typeless);
    if (dxgi <= AG_DXGI_LAST)
        ag_strbuf_printf(out, "| %" PRIu32 " |", dxgi);
    else
        ag_strbuf_append(out, "| |");
    ag_strbuf_printf(out, " `%s` |", format->name);
    if (format->abi_format)
        ag_strbuf_printf(out, " %u", format->abi_format);
    ag_strbuf_append(out, " |");
    if (format->bytes)
        ag_strbuf_printf(out, " %u", format->bytes);
    if (format->block_width > 1)
        ag_strbuf_printf(out, " for %ux%u", format->block_width, format->block_height);
    ag_strbuf_printf(out, " | %s%s |", format->class == AG_CLASS_DEPTH ? "depth " : "",
                     components_of(format));
    if (family)
        ag_strbuf_printf(out, " `%s`", family->name);
    ag_strbuf_append(out, " |");
    put_kept(out, format);
    ag_strbuf_append(out, " |");
    put_capabilities(out, dxgi, format);
    ag_strbuf_append(out, " |\n");
}

/* What guests may name: DXGI's formats, and the ABI's that DXGI lacks. */
int main(int argc, char **argv)
{
    struct ag_strbuf out = {0};
    ag_strbuf_append(&out, introduction);
    for (uint32_t number = 1; number < AG_DXGI_COUNT; number++) {
        const struct ag_host_format *format =
            number <= AG_DXGI_LAST ? ag_dxgi_format(number) : ag_host_format(number);
        if (format && (number <= AG_DXGI_LAST || format->abi_format))
            put_format(&out, number, format);
    }
    return document_finish(&out, argc, argv);
}
