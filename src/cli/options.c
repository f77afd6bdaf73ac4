/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/output.h"
#include "gpu/feature.h"

const struct cli_option cli_common_options[2] = {
    {"help", 'h', CLI_FLAG, CLI_OPTION_VALUE(help), NULL, "print this text",                 NULL},
    {"json", 0,   CLI_FLAG, CLI_OPTION_VALUE(json), NULL, "print one JSON object per input", NULL},
};

struct parser {
    const struct cli_command *command;
    struct cli_options *options;
    char **argv;
    int argc, at;
};

bool cli_parse_number(const char *text, uint32_t *number)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const unsigned long long value = strtoull(text, &end, hex ? 16 : 10);
    if (errno != 0 || *end != '\0' || value > UINT32_MAX)
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool parse_seconds(const char *text, uint32_t *milliseconds)
{
    double seconds;
    if (!ag_double_from_text(text, strlen(text), &seconds) || !isfinite(seconds) || seconds < 0 ||
        seconds > 4e6)
        return false;
    *milliseconds = (uint32_t)(seconds * 1000 + 0.5);
    return true;
}

static bool parse_range(const char *text, struct cli_range *range)
{
    const char *const dots = strstr(text, "..");
    if (dots == NULL) {
        range->last = 0;
        if (!cli_parse_number(text, &range->first))
            return false;
        range->last = range->first;
        return true;
    }
    char first[16];
    const size_t length = (size_t)(dots - text);
    if (length >= sizeof first)
        return false;
    memcpy(first, text, length);
    first[length] = '\0';
    *range = (struct cli_range){0, UINT32_MAX};
    return (length == 0 || cli_parse_number(first, &range->first)) &&
           (dots[2] == '\0' || cli_parse_number(dots + 2, &range->last)) && range->first <= range->last;
}

static bool parse_word(const char *const *words, const char *text, size_t length, uint32_t *index)
{
    for (uint32_t i = 0; words[i] != NULL; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool parse_words(const char *const *words, const char *text, uint32_t *bits)
{
    *bits = 0;
    for (;;) {
        const size_t length = strcspn(text, ",");
        uint32_t index;
        if (!parse_word(words, text, length, &index))
            return false;
        *bits |= 1u << index;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

static bool add_text(struct cli_texts *list, const char *text)
{
    const char **const longer = realloc(list->texts, (list->count + 1) * sizeof *longer);
    if (longer == NULL)
        return false;
    list->texts = longer;
    list->texts[list->count++] = text;
    return true;
}

static bool store(const struct cli_option *option, const char *text, struct cli_options *options)
{
    void *const value = (char *)options + option->offset;
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)value = true;
        return true;
    case CLI_TEXT:
        *(const char **)value = text;
        return true;
    case CLI_NUMBER:
        return cli_parse_number(text, value);
    case CLI_SECONDS:
        return parse_seconds(text, value);
    case CLI_RANGE:
        return parse_range(text, value);
    case CLI_WORD:
        return parse_word(option->words, text, strlen(text), value);
    case CLI_WORDS:
        return parse_words(option->words, text, value);
    case CLI_DRIVER:
        return agpu_driver_from_name(text, value);
    case CLI_LIMITS:
        return agpu_limits_from_name(text, value);
    case CLI_FEATURE:
        return ag_feature_named(text) != 0 && add_text(value, text);
    }
    return false;
}

static const struct cli_option *find_in(const struct cli_option *options, uint32_t count, const char *name,
                                        size_t length, char letter)
{
    for (uint32_t i = 0; i < count; i++) {
        const bool same =
            letter != 0 ? options[i].letter == letter
                        : strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0;
        if (same)
            return &options[i];
    }
    return NULL;
}

static const struct cli_option *find(const struct cli_command *command, const char *name, size_t length,
                                     char letter)
{
    const struct cli_option *const own =
        find_in(command->options, command->option_count, name, length, letter);
    return own != NULL ? own
                       : find_in(cli_common_options, AG_COUNT_OF(cli_common_options), name, length, letter);
}

static bool take(struct parser *parser, const struct cli_option *option, const char *word,
                 const char *attached)
{
    const char *const name = parser->command->name;
    const char *text = attached;
    if (option->kind == CLI_FLAG && attached != NULL)
        return cli_usage_error("%s: %s takes no argument", name, word);
    if (option->kind == CLI_WORDS && attached == NULL)
        text = option->words[0];
    if (option->kind != CLI_FLAG && text == NULL) {
        if (parser->at >= parser->argc)
            return cli_usage_error("%s: %s needs an argument", name, word);
        text = parser->argv[parser->at++];
    }
    if (!store(option, text, parser->options))
        return cli_usage_error("%s: '%s' is no %s for --%s", name, text, option->argument, option->name);
    return true;
}

static bool parse_long(struct parser *parser, const char *word)
{
    const char *const name = word + 2;
    const size_t length = strcspn(name, "=");
    const struct cli_option *const option = find(parser->command, name, length, 0);
    if (option == NULL)
        return cli_usage_error("%s: there is no option %.*s", parser->command->name, (int)length + 2, word);
    return take(parser, option, word, name[length] == '=' ? name + length + 1 : NULL);
}

static bool parse_letters(struct parser *parser, const char *word)
{
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const struct cli_option *const option = find(parser->command, "", 0, *letter);
        if (option == NULL)
            return cli_usage_error("%s: there is no option -%c", parser->command->name, *letter);
        if (option->kind != CLI_FLAG)
            return take(parser, option, word, letter[1] != '\0' ? letter + 1 : NULL);
        store(option, NULL, parser->options);
    }
    return true;
}

static bool check_inputs(const struct cli_command *command, const struct cli_arguments *arguments)
{
    if (arguments->options.help)
        return true;
    if (arguments->input_count < command->least_inputs)
        return cli_usage_error("%s: no input was named", command->name);
    if (arguments->input_count > command->most_inputs)
        return cli_usage_error("%s: '%s' is one input too many", command->name,
                               arguments->inputs[command->most_inputs]);
    return true;
}

bool cli_parse(const struct cli_command *command, int argc, char **argv, struct cli_arguments *arguments)
{
    struct parser parser = {command, &arguments->options, argv, argc, 0};
    arguments->options.packets.last = UINT32_MAX;
    arguments->options.to = UINT32_MAX;
    arguments->inputs = calloc((size_t)argc + 1, sizeof *arguments->inputs);
    if (arguments->inputs == NULL)
        return cli_usage_error("out of memory");
    bool options_ended = false;
    arguments->first_behind = UINT32_MAX;
    while (parser.at < argc) {
        const char *const word = argv[parser.at++];
        if (options_ended || word[0] != '-' || word[1] == '\0') {
            arguments->inputs[arguments->input_count++] = word;
        } else if (strcmp(word, "--") == 0) {
            options_ended = true;
            arguments->first_behind = arguments->input_count;
        } else if (!(word[1] == '-' ? parse_long(&parser, word) : parse_letters(&parser, word))) {
            return false;
        }
    }
    return check_inputs(command, arguments);
}

void cli_arguments_fini(struct cli_arguments *arguments)
{
    free(arguments->inputs);
    free(arguments->options.without.texts);
}
