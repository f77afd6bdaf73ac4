/* SPDX-License-Identifier: MIT */
#include "cli/manual.h"

#include <string.h>

#include "aerogpu/version.h"
#include "base/bytes.h"

#define WIDTH 78

static const struct {
    enum cli_exit status;
    const char *text;
} exit_texts[] = {
    {CLI_EXIT_GOOD,       "all went well"                                                 },
    {CLI_EXIT_REFUSED,    "an input was refused or a check failed"                        },
    {CLI_EXIT_USAGE,      "wrong usage"                                                   },
    {CLI_EXIT_MISSING,    "a library, a driver or a feature is missing"                   },
    {CLI_EXIT_FAULT,      "our fault: WGSL that Dawn refuses, a lost device, a time limit"},
    {CLI_EXIT_UNWRITABLE, "an output could not be written in full"                        },
};

static const struct {
    const char *name, *text;
} variables[] = {
    {"AEROGPU_WEBGPU_LIB", "path of the WebGPU library, unless --lib names one"              },
    {"AEROGPU_DRIVER",     "lavapipe, swiftshader, native or null, unless --driver names one"},
};

/* Prints text wrapped at WIDTH, every line after the first indented. */
static void print_wrapped(FILE *to, const char *text, size_t indent)
{
    size_t column = indent;
    while (*text != '\0') {
        const size_t length = strcspn(text, " ");
        if (column + length > WIDTH && column > indent) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        }
        fprintf(to, "%.*s", (int)length, text);
        column += length + 1;
        text += length;
        if (*text == ' ') {
            text++;
            if (column + strcspn(text, " ") <= WIDTH)
                fputc(' ', to);
        }
    }
    fputc('\n', to);
}

static void option_head(const struct cli_option *option, char *text, size_t size)
{
    char letter[5] = "";
    if (option->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    if (option->kind == CLI_FLAG)
        snprintf(text, size, "%s--%s", letter, option->name);
    else if (option->kind == CLI_WORDS)
        snprintf(text, size, "%s--%s[=%s]", letter, option->name, option->argument);
    else
        snprintf(text, size, "%s--%s %s", letter, option->name, option->argument);
}

/* One of the words that an option takes; null behind the last. */
static const char *option_word(const struct cli_option *option, uint32_t index)
{
    if (option->kind == CLI_LIMITS)
        return index <= AGPU_LIMITS_DEFAULT ? agpu_limits_name((enum agpu_limits)index) : NULL;
    if (option->kind == CLI_DRIVER)
        return index < AGPU_DRIVER_NULL ? agpu_driver_name((enum agpu_driver)(index + 1)) : NULL;
    return option->words != NULL ? option->words[index] : NULL;
}

/* The help sentence, with the words an option takes. */
static void option_text(const struct cli_option *option, char *text, size_t size)
{
    const char *word;
    size_t used = (size_t)snprintf(text, size, "%s", option->help);
    for (uint32_t i = 0; (word = option_word(option, i)) != NULL && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? ": " : ", ", word);
}

static void print_options(FILE *to, const struct cli_option *options, uint32_t count)
{
    char head[64], text[512];
    for (uint32_t i = 0; i < count; i++) {
        option_head(&options[i], head, sizeof head);
        option_text(&options[i], text, sizeof text);
        fprintf(to, "  %-24s", head);
        if (strlen(head) > 23)
            fprintf(to, "\n%26s", "");
        print_wrapped(to, text, 26);
    }
}

void cli_print_help(FILE *to, const struct cli_command *command)
{
    fprintf(to, "usage: aerogpu %s [options] %s\n\n", command->name, command->synopsis);
    print_wrapped(to, command->description, 0);
    fputs("\noptions:\n", to);
    print_options(to, command->options, command->option_count);
    print_options(to, cli_common_options, AG_COUNT_OF(cli_common_options));
}

void cli_print_overview(FILE *to)
{
    fputs("usage: aerogpu COMMAND [options] [inputs]\n\ncommands:\n", to);
    for (uint32_t i = 0; cli_commands[i] != NULL; i++)
        fprintf(to, "  %-11s%s\n", cli_commands[i]->name, cli_commands[i]->summary);
    fputs("\nenvironment:\n", to);
    for (uint32_t i = 0; i < AG_COUNT_OF(variables); i++)
        fprintf(to, "  %-20s%s\n", variables[i].name, variables[i].text);
    fputs("\nexit status:\n", to);
    for (uint32_t i = 0; i < AG_COUNT_OF(exit_texts); i++)
        fprintf(to, "  %u  %s\n", (unsigned)exit_texts[i].status, exit_texts[i].text);
    fputs("\n'aerogpu COMMAND --help' tells more about a command.\n", to);
}

/* ---- The man page ------------------------------------------------------------------------------------- */

/* Text for roff: dashes stay dashes, and no line begins with a request. */
static void print_roff(FILE *to, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", to);
    for (; *text != '\0'; text++) {
        if (*text == '-')
            fputs("\\-", to);
        else if (*text == '\\')
            fputs("\\e", to);
        else
            fputc(*text, to);
    }
    fputc('\n', to);
}

static void print_roff_item(FILE *to, const char *head, const char *text)
{
    fputs(".TP\n.B ", to);
    print_roff(to, head);
    print_roff(to, text);
}

static void print_roff_options(FILE *to, const struct cli_option *options, uint32_t count)
{
    char head[64], text[512];
    for (uint32_t i = 0; i < count; i++) {
        option_head(&options[i], head, sizeof head);
        option_text(&options[i], text, sizeof text);
        print_roff_item(to, head, text);
    }
}

static void print_roff_command(FILE *to, const struct cli_command *command)
{
    fputs(".SS \"aerogpu ", to);
    fprintf(to, "%s [options] %s\"\n", command->name, command->synopsis);
    print_roff(to, command->description);
    print_roff_options(to, command->options, command->option_count);
}

void cli_print_man_page(FILE *to)
{
    fprintf(to, ".TH AEROGPU 1 \"\" \"aerogpu %s\"\n.SH NAME\n", agpu_version_string());
    print_roff(to, "aerogpu - run, inspect and convert AeroGPU command streams and Direct3D shaders");
    fputs(".SH SYNOPSIS\n.B aerogpu\n.I COMMAND\n[options] [inputs]\n.SH DESCRIPTION\n", to);
    print_roff(
        to, "AeroGPU is a paravirtual GPU: a guest driver sends Direct3D 10 and 11 as a command stream, and "
            "this host decodes it, translates its shaders to WGSL and executes it on WebGPU.");
    fputs(".PP\n", to);
    print_roff(to,
               "Messages go to standard error as file:line:col: severity: code: text, for binary files as "
               "file:+OFFSET:. Results go to standard output or to the path after -o. An input named - is "
               "standard input.");
    fputs(".SH COMMANDS\n", to);
    for (uint32_t i = 0; cli_commands[i] != NULL; i++)
        print_roff_command(to, cli_commands[i]);
    fputs(".SS \"Options of every command\"\n", to);
    print_roff_options(to, cli_common_options, AG_COUNT_OF(cli_common_options));
    fputs(".SH ENVIRONMENT\n", to);
    for (uint32_t i = 0; i < AG_COUNT_OF(variables); i++)
        print_roff_item(to, variables[i].name, variables[i].text);
    fputs(".SH \"EXIT STATUS\"\nWith several inputs the largest wins.\n", to);
    for (uint32_t i = 0; i < AG_COUNT_OF(exit_texts); i++) {
        const char digit[2] = {(char)('0' + (int)exit_texts[i].status), '\0'};
        print_roff_item(to, digit, exit_texts[i].text);
    }
}
