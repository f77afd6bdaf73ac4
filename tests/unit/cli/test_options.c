/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <string.h>

#include "base/bytes.h"
#include "cli/command.h"

static const char *const words[] = {"module", "pipeline", NULL};

static const struct cli_option table[] = {
    CLI_OPTION_OUTPUT("where to"),
    {"full",     'f', CLI_FLAG,    CLI_OPTION_VALUE(full),       NULL,   "all",           NULL },
    {"packets",  0,   CLI_RANGE,   CLI_OPTION_VALUE(packets),    "A..B", "which",         NULL },
    {"frames",   0,   CLI_NUMBER,  CLI_OPTION_VALUE(frames),     "N",    "how many",      NULL },
    {"timeout",  0,   CLI_SECONDS, CLI_OPTION_VALUE(timeout_ms), "S",    "how long",      NULL },
    {"flavour",  0,   CLI_WORD,    CLI_OPTION_VALUE(flavour),    "NAME", "one word",      words},
    {"validate", 0,   CLI_WORDS,   CLI_OPTION_VALUE(validate),   "WHAT", "several words", words},
    CLI_OPTION_DRIVER,
};

static const struct cli_command command = {
    .name = "sample",
    .options = table,
    .option_count = AG_COUNT_OF(table),
    .least_inputs = 1,
    .most_inputs = 2,
};

/* Parses a null-terminated list of words. */
static bool parse(char **argv, struct cli_arguments *arguments)
{
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    *arguments = (struct cli_arguments){0};
    return cli_parse(&command, argc, argv, arguments);
}

static bool accepts(char **argv)
{
    struct cli_arguments arguments;
    const bool good = parse(argv, &arguments);
    cli_arguments_fini(&arguments);
    return good;
}

#define WORDS(...) ((char *[]){__VA_ARGS__, NULL})

static void options_and_inputs_mix(void **state)
{
    (void)state;
    struct cli_arguments arguments;
    assert_true(parse(WORDS("one", "-o", "out", "-f", "--frames=0x10", "-"), &arguments));
    assert_string_equal(arguments.options.output, "out");
    assert_true(arguments.options.full);
    assert_int_equal(arguments.options.frames, 16);
    assert_int_equal(arguments.input_count, 2);
    assert_string_equal(arguments.inputs[0], "one");
    assert_string_equal(arguments.inputs[1], "-");
    cli_arguments_fini(&arguments);
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    struct cli_arguments arguments;
    assert_true(parse(WORDS("-foX", "--", "--full"), &arguments));
    assert_string_equal(arguments.options.output, "X");
    assert_string_equal(arguments.inputs[0], "--full");
    cli_arguments_fini(&arguments);
}

static void values_have_their_kinds(void **state)
{
    (void)state;
    struct cli_arguments arguments;
    assert_true(parse(WORDS("i", "--packets", "3..7", "--timeout", "0.25", "--flavour", "pipeline",
                            "--validate", "--driver", "null"),
                      &arguments));
    assert_int_equal(arguments.options.packets.first, 3);
    assert_int_equal(arguments.options.packets.last, 7);
    assert_int_equal(arguments.options.timeout_ms, 250);
    assert_int_equal(arguments.options.flavour, 1);
    assert_int_equal(arguments.options.validate, 1);
    assert_int_equal(arguments.options.driver, AGPU_DRIVER_NULL);
    cli_arguments_fini(&arguments);

    assert_true(parse(WORDS("i", "--validate=module,pipeline", "--packets", "5"), &arguments));
    assert_int_equal(arguments.options.validate, 3);
    assert_int_equal(arguments.options.packets.first, 5);
    assert_int_equal(arguments.options.packets.last, 5);
    cli_arguments_fini(&arguments);

    assert_true(parse(WORDS("i", "--packets", "5.."), &arguments));
    assert_int_equal(arguments.options.packets.last, UINT32_MAX);
    cli_arguments_fini(&arguments);
}

static void wrong_usage_is_refused(void **state)
{
    (void)state;
    assert_false(accepts(WORDS("-o")));
    assert_false(accepts(WORDS("i", "--no-such-option")));
    assert_false(accepts(WORDS("i", "-x")));
    assert_false(accepts(WORDS("i", "--full=yes")));
    assert_false(accepts(WORDS("i", "--frames", "-1")));
    assert_false(accepts(WORDS("i", "--frames", "4294967296")));
    assert_false(accepts(WORDS("i", "--frames", "ten")));
    assert_false(accepts(WORDS("i", "--timeout", "-1")));
    assert_false(accepts(WORDS("i", "--timeout", "nan")));
    assert_false(accepts(WORDS("i", "--packets", "7..3")));
    assert_false(accepts(WORDS("i", "--validate=everything")));
    assert_false(accepts(WORDS("i", "--driver", "abacus")));
    assert_false(accepts(WORDS("--full")));
    assert_false(accepts(WORDS("a", "b", "c")));
}

static void help_needs_no_input(void **state)
{
    (void)state;
    assert_true(accepts(WORDS("--help")));
    assert_true(accepts(WORDS("-h")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_and_inputs_mix),  cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(values_have_their_kinds), cmocka_unit_test(wrong_usage_is_refused),
        cmocka_unit_test(help_needs_no_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
