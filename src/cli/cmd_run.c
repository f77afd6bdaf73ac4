/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aerogpu/process_executor.h"
#include "base/bytes.h"
#include "capture/capture.h"
#include "cli/cache.h"
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/html.h"
#include "cli/input.h"
#include "cli/picture.h"
#include "cli/program.h"
#include "cli/recording.h"
#include "cli/report.h"
#include "replay/replay.h"
#include "scene/scene.h"

#define GIF_DELAY_MS 100
#define WATCHDOG_GRACE_S 10
#define DEFAULT_TIMEOUT_MS 30000 /* of the scene runner */

/* What the inputs of one call share. */
struct run_session {
    struct cli_session session;
    enum agpu_driver driver;
    struct agpu_adapter_info adapter; /* of the input at hand; its name is null while there is none */
    bool adapter_is_printed;
    struct agpu_cache *cache;       /* or null */
    struct agpu_executor *executor; /* of the input at hand */
    cli_pictures sheet;             /* of every present, for the contact sheet */
    struct ag_strbuf page;          /* sections of the report */
};

/* ---- The time limit ----------------------------------------------------------------------------------- */

/* The runner ends a submission that takes too long; this ends everything else: a shader that is translated or
 * compiled for ever, a driver that does not come back. */
static void out_of_time(int number)
{
    (void)number;
    static const char message[] = "aerogpu: error: scene.timeout: the input is not done in time\n";
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
        _Exit(CLI_EXIT_FAULT);
    _Exit(CLI_EXIT_FAULT);
}

/* Starts the limit of an input; 0 ends the limit before. */
static void watch(uint32_t timeout_ms)
{
    const struct sigaction action = {.sa_handler = out_of_time};
    sigaction(SIGALRM, &action, NULL);
    alarm(timeout_ms != 0 ? timeout_ms / 1000 + WATCHDOG_GRACE_S : 0);
}

/* ---- Pictures ----------------------------------------------------------------------------------------- */

/* Paths of the pictures of one run, one per present. */
struct paths {
    char **pngs; /* null when there is no directory for them */
    size_t count;
};

static void paths_fini(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->pngs[i]);
    free(paths->pngs);
}

static bool paths_init(struct paths *paths, const char *folder, const char *stem,
                       const struct ag_scene_report *report)
{
    *paths = (struct paths){.pngs = calloc(report->presents.count + 1, sizeof(char *))};
    while (paths->pngs != NULL && paths->count < report->presents.count) {
        char name[32];
        snprintf(name, sizeof name, "-%" PRIu32 ".png", report->presents.data[paths->count].number);
        char *const path = cli_path(folder, stem, name);
        if (path == NULL)
            return false;
        paths->pngs[paths->count++] = path;
    }
    return paths->pngs != NULL;
}

static bool collect(struct cli_input *input, const struct ag_scene_report *report, cli_pictures *pictures)
{
    for (size_t i = 0; i < report->presents.count; i++) {
        const struct ag_scene_present *const present = &report->presents.data[i];
        struct cli_picture copy = cli_picture_copy(present->pixels, present->width, present->height);
        if (copy.pixels == NULL || !ag_vec_push(pictures, copy)) {
            cli_picture_fini(&copy);
            ag_report_no_memory(&input->sink);
            return false;
        }
    }
    return true;
}

static enum cli_exit write_animation(struct cli_input *input, const char *stem,
                                     const struct ag_scene_report *report)
{
    cli_pictures pictures = {0};
    char *const path = cli_path(input->arguments->options.output, stem, ".gif");
    const bool good = path != NULL && collect(input, report, &pictures) &&
                      (pictures.count == 0 || cli_write_gif(path, &pictures, GIF_DELAY_MS, &input->sink));
    cli_pictures_fini(&pictures);
    free(path);
    return good ? CLI_EXIT_GOOD : CLI_EXIT_REFUSED;
}

static enum cli_exit write_pngs(struct cli_input *input, const char *stem,
                                const struct ag_scene_report *report, struct paths *paths)
{
    if (!paths_init(paths, input->arguments->options.output, stem, report))
        return cli_exit_of(ag_report_no_memory(&input->sink), &input->diags);
    enum cli_exit exit_status = CLI_EXIT_GOOD;
    for (size_t i = 0; i < report->presents.count; i++) {
        const struct ag_scene_present *const present = &report->presents.data[i];
        if (!cli_write_png(paths->pngs[i], present->pixels, present->width, present->height, &input->sink))
            exit_status = CLI_EXIT_REFUSED;
    }
    return exit_status;
}

static enum cli_exit write_pictures(struct cli_input *input, const struct ag_scene_report *report,
                                    struct paths *paths)
{
    struct run_session *const session = input->user;
    const struct cli_options *const options = &input->arguments->options;
    *paths = (struct paths){0};
    enum cli_exit exit_status = CLI_EXIT_GOOD;
    if (options->contact_sheet && !collect(input, report, &session->sheet))
        exit_status = CLI_EXIT_FAULT;
    if (options->output == NULL)
        return exit_status;
    char *const stem = cli_stem(input->path);
    if (stem == NULL || !cli_make_directory(options->output, &input->sink)) {
        free(stem);
        return CLI_EXIT_REFUSED;
    }
    exit_status = cli_worse(exit_status, write_pngs(input, stem, report, paths));
    if (options->gif)
        exit_status = cli_worse(exit_status, write_animation(input, stem, report));
    free(stem);
    return exit_status;
}

static enum cli_exit write_contact_sheet(const struct cli_arguments *arguments, struct run_session *session)
{
    if (!arguments->options.contact_sheet || session->sheet.count == 0)
        return CLI_EXIT_GOOD;
    struct cli_diags diags;
    cli_diags_init(&diags, NULL);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    struct cli_picture sheet = cli_contact_sheet(&session->sheet);
    char *const path = cli_path(arguments->options.output, "contact-sheet", ".png");
    const bool good = sheet.pixels != NULL && path != NULL &&
                      cli_write_png(path, sheet.pixels, sheet.width, sheet.height, &sink);
    const enum cli_exit exit_status = cli_diags_exit(&diags, good ? CLI_EXIT_GOOD : CLI_EXIT_REFUSED);
    free(path);
    cli_picture_fini(&sheet);
    cli_diags_fini(&diags);
    return exit_status;
}

/* ---- Running ------------------------------------------------------------------------------------------ */

static enum cli_exit exit_of_report(const struct ag_scene_report *report)
{
    switch (report->result) {
    case AG_SCENE_PASSED:
        return CLI_EXIT_GOOD;
    case AG_SCENE_SKIPPED:
        return CLI_EXIT_MISSING;
    case AG_SCENE_FAILED:
        break;
    }
    return report->status == AGPU_INTERNAL || report->status == AGPU_NO_MEMORY ? CLI_EXIT_FAULT
                                                                               : CLI_EXIT_REFUSED;
}

/* What there is to run: one of the two. */
struct runnable {
    struct ag_scene *scene;
    struct ag_capture *capture;
};

static enum agpu_status load(struct cli_input *input, struct runnable *runnable)
{
    const uint32_t flags = input->arguments->options.aero_dialect ? AG_SCENE_LOAD_AERO_DIALECT : 0;
    if (ag_capture_probe(input->data, input->size))
        return ag_capture_read(input->data, input->size, &input->sink, &runnable->capture);
    return ag_scene_load(input->path, input->data, input->size, flags, &input->sink, &runnable->scene);
}

static void add_section(struct cli_input *input, const char *title, const struct ag_scene_report *report)
{
    struct run_session *const session = input->user;
    char adapter[512] = "";
    if (session->adapter.name != NULL)
        snprintf(adapter, sizeof adapter, "%s, %s", session->adapter.name, session->adapter.driver);
    cli_html_section(&session->page, input->diags.file, title, adapter, report, input->diags.list);
}

/* The page about all inputs. */
static enum cli_exit write_report(const struct cli_arguments *arguments, struct run_session *session)
{
    const char *const folder = arguments->options.report;
    struct cli_diags diags;
    if (folder == NULL)
        return CLI_EXIT_GOOD;
    cli_diags_init(&diags, NULL);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    cli_html_end(&session->page);
    char *const path = cli_path(folder, "index", ".html");
    bool good = path != NULL && !session->page.failed;
    if (!good)
        ag_report_no_memory(&sink);
    good = good && cli_make_directory(folder, &sink) &&
           cli_write_file(path, session->page.data, session->page.length, &sink);
    const enum cli_exit exit_status = cli_diags_exit(&diags, good ? CLI_EXIT_GOOD : CLI_EXIT_REFUSED);
    free(path);
    cli_diags_fini(&diags);
    return exit_status;
}

/* An executor in this process, on the GPU that all inputs share. */
static enum agpu_status open_executor(struct cli_input *input, const struct agpu_gpu_options *gpu_options,
                                      const struct agpu_executor_options *executor_options,
                                      struct agpu_executor **executor)
{
    struct run_session *const session = input->user;
    const enum agpu_status status = cli_session_open(&session->session, gpu_options);
    if (status != AGPU_OK)
        return status;
    agpu_gpu_info(session->session.gpu, &session->adapter);
    return agpu_webgpu_executor_create(session->session.gpu, executor_options, &input->sink, executor);
}

/* An executor in a GPU process of its own, which is this program again. */
static enum agpu_status open_process(struct cli_input *input, const struct agpu_gpu_options *gpu_options,
                                     const struct agpu_executor_options *executor_options,
                                     struct agpu_executor **executor)
{
    struct run_session *const session = input->user;
    const uint32_t timeout_ms = input->arguments->options.timeout_ms;
    const struct agpu_process_executor_options options = {
        .size = sizeof options,
        .program = "/proc/self/exe",
        .gpu = gpu_options,
        .executor = executor_options,
        .hang_timeout_ms = timeout_ms != 0 ? timeout_ms : DEFAULT_TIMEOUT_MS,
        .submission_timeout_ms = timeout_ms != 0 ? timeout_ms : DEFAULT_TIMEOUT_MS,
    };
    cli_driver_select(session->driver);
    enum agpu_status status = agpu_process_executor_create(&options, &input->sink, executor);
    if (status != AGPU_OK)
        return status;
    status = agpu_process_executor_wait(*executor, AGPU_NO_TIMEOUT);
    if (status == AGPU_OK && agpu_process_executor_info(*executor, &session->adapter))
        return AGPU_OK;
    agpu_executor_destroy(*executor);
    return status;
}

static enum agpu_status open_any(struct cli_input *input, const struct runnable *runnable,
                                 struct agpu_executor **executor)
{
    struct run_session *const session = input->user;
    const struct cli_options *const options = &input->arguments->options;
    struct agpu_gpu_options gpu_options = cli_gpu_options(options, session->driver);
    gpu_options.cache = session->cache;
    struct agpu_executor_options executor_options = {.size = sizeof executor_options,
                                                     .check_packets = options->check_packets,
                                                     .slice_us = options->slice_us,
                                                     .most_invocations = options->invocations,
                                                     .gpu_timeout_ms = options->gpu_limit_ms,
                                                     .cache = session->cache,
                                                     .translate_in_calls = options->translate_in_calls};
    if (!executor_options.gpu_timeout_ms)
        executor_options.gpu_timeout_ms = options->timeout_ms ? options->timeout_ms : DEFAULT_TIMEOUT_MS;
    executor_options.pipeline_timeout_ms = executor_options.gpu_timeout_ms;
    if (runnable->scene != NULL)
        executor_options.without = ag_scene_without(runnable->scene, &executor_options.without_count);
    return (options->process ? open_process : open_executor)(input, &gpu_options, &executor_options,
                                                             executor);
}

/* What an executor was made for. */
struct renewal {
    struct cli_input *input;
    const struct runnable *runnable;
};

/* Another executor in place of the input's. */
static struct agpu_executor *renew(void *user)
{
    const struct renewal *const renewal = user;
    struct run_session *const session = renewal->input->user;
    agpu_executor_destroy(session->executor);
    session->executor = NULL;
    open_any(renewal->input, renewal->runnable, &session->executor);
    return session->executor;
}

/* Runs it with a recorder, which is not there without --capture. */
static enum cli_exit execute(struct cli_input *input, const struct runnable *runnable,
                             const struct agpu_device_tap *tap)
{
    struct run_session *const session = input->user;
    struct renewal renewal = {input, runnable};
    const struct cli_options *const options = &input->arguments->options;
    const struct ag_scene_options scene_options = {
        .executor = session->executor,
        .adapter = &session->adapter,
        .tap = tap,
        .strict = options->strict,
        .keep_expected = options->report != NULL,
        .timeout_ms = options->timeout_ms,
        .max_presents = options->frames,
        .snapshot_period = options->snapshots,
        .renew = renew,
        .user = &renewal,
    };
    struct ag_scene_report report;
    cli_progress("running %s", input->path);
    if (runnable->capture != NULL)
        ag_replay_run(runnable->capture, &scene_options, &input->sink, &report);
    else
        ag_scene_run(runnable->scene, &scene_options, &input->sink, &report);
    cli_progress(NULL);
    struct paths paths;
    const enum cli_exit exit_status =
        cli_worse(exit_of_report(&report), write_pictures(input, &report, &paths));
    if (options->json)
        cli_report_json(input->object, &report, paths.pngs, session->cache);
    else
        cli_report_text(stdout, input->diags.file, &report);
    if (options->report != NULL)
        add_section(input, runnable->scene != NULL ? ag_scene_title(runnable->scene) : "", &report);
    paths_fini(&paths);
    ag_scene_report_fini(&report);
    return exit_status;
}

static enum cli_exit execute_recorded(struct cli_input *input, const struct runnable *runnable)
{
    struct run_session *const session = input->user;
    struct cli_recording recording;
    enum agpu_status status =
        cli_recording_begin(&recording, input->arguments->options.capture, &session->adapter, &input->sink);
    if (status != AGPU_OK)
        return cli_diags_exit(&input->diags, cli_exit_of(status, &input->diags));
    const enum cli_exit exit_status = execute(input, runnable, cli_recording_tap(&recording));
    status = cli_recording_end(&recording, &input->sink);
    return status == AGPU_OK ? exit_status : cli_worse(exit_status, cli_exit_of(status, &input->diags));
}

static enum cli_exit run_loaded(struct cli_input *input, const struct runnable *runnable)
{
    struct run_session *const session = input->user;
    const struct cli_options *const options = &input->arguments->options;
    const enum agpu_status status = open_any(input, runnable, &session->executor);
    if (status != AGPU_OK) {
        if (options->report != NULL)
            add_section(input, "", NULL);
        return cli_exit_of(status, &input->diags);
    }
    if (!session->adapter_is_printed && !options->json)
        printf("adapter: %s (%s, %s)\n", session->adapter.name, session->adapter.driver,
               session->adapter.backend);
    session->adapter_is_printed = true;
    const enum cli_exit exit_status =
        options->capture != NULL ? execute_recorded(input, runnable) : execute(input, runnable, NULL);
    agpu_executor_destroy(session->executor);
    session->executor = NULL;
    session->adapter = (struct agpu_adapter_info){0};
    return exit_status;
}

static enum cli_exit run_input(struct cli_input *input)
{
    struct run_session *const session = input->user;
    struct runnable runnable = {0};
    if (input->object != NULL)
        cli_report_json_nothing(input->object);
    session->session.current = &input->sink;
    watch(input->arguments->options.timeout_ms);
    const enum agpu_status status = load(input, &runnable);
    if (status != AGPU_OK && input->arguments->options.report != NULL)
        add_section(input, "", NULL);
    const enum cli_exit exit_status =
        status == AGPU_OK ? run_loaded(input, &runnable) : cli_exit_of(status, &input->diags);
    ag_scene_destroy(runnable.scene);
    ag_capture_destroy(runnable.capture);
    session->session.current = NULL;
    watch(0);
    return exit_status;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Options that do not go together. */
static bool check_options(const struct cli_arguments *arguments)
{
    const struct cli_options *const options = &arguments->options;
    if ((options->gif || options->contact_sheet) && options->output == NULL)
        return cli_usage_error("run: --gif and --contact-sheet need a directory after -o");
    if (options->capture != NULL && arguments->input_count != 1)
        return cli_usage_error("run: --capture records one input, not %u", arguments->input_count);
    if (options->capture != NULL && options->snapshots != 0)
        return cli_usage_error("run: --capture cannot record a device that is loaded by --snapshots");
    if (options->capture != NULL && is_same_file(options->capture, arguments->inputs[0]))
        return cli_usage_error("run: --capture would write over its input, %s", options->capture);
    return true;
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    const struct cli_options *const options = &arguments->options;
    struct run_session session = {0};
    struct cli_diags diags;
    if (cli_is_program(arguments->inputs[0])) {
        if (arguments->input_count == 1 || arguments->first_behind == 1)
            return cli_run_program(arguments);
        cli_usage_error(
            "run: the arguments of a program stand behind --, and no other input beside a program");
        return CLI_EXIT_USAGE;
    }
    cli_diags_init(&diags, NULL);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    enum cli_exit exit_status = cli_driver_wanted(options, &sink, &session.driver) && check_options(arguments)
                                    ? CLI_EXIT_GOOD
                                    : CLI_EXIT_USAGE;
    if (exit_status == CLI_EXIT_GOOD)
        exit_status = cli_exit_of(cli_cache_open(options, &sink, &session.cache), &diags);
    cli_diags_fini(&diags);
    if (exit_status != CLI_EXIT_GOOD)
        return exit_status;
    if (options->report != NULL)
        cli_html_begin(&session.page);
    exit_status = cli_for_each_input(arguments, run_input, &session);
    exit_status = cli_worse(exit_status, write_contact_sheet(arguments, &session));
    exit_status = cli_worse(exit_status, write_report(arguments, &session));
    ag_strbuf_fini(&session.page);
    cli_pictures_fini(&session.sheet);
    cli_session_close(&session.session);
    agpu_cache_destroy(session.cache);
    return exit_status;
}

static const struct cli_option options[] = {
    CLI_OPTION_OUTPUT("write every present into this directory as INPUT-N.png"),
    CLI_OPTION_DRIVER,
    CLI_OPTION_LIBRARY,
    CLI_OPTION_CACHE,
    CLI_OPTION_NO_CACHE,
    {"limits",             0, CLI_LIMITS,  CLI_OPTION_VALUE(limits),             "LEVEL",
      "make the device with the features and limits of the adapter, of browsers, or of the WebGPU standard",                               NULL},
    {"without",            0, CLI_FEATURE, CLI_OPTION_VALUE(without),            "FEATURE",
      "make the device without this WebGPU feature; may be repeated",                                                                      NULL},
    {"timeout",            0, CLI_SECONDS, CLI_OPTION_VALUE(timeout_ms),         "S",
      "give up on a submission after this time, by default 30 seconds, and, if given, on an input 10 seconds "
     "later",                                                                                                                              NULL},
    {"gpu-timeout",        0, CLI_SECONDS, CLI_OPTION_VALUE(gpu_limit_ms),       "S",
      "take a GPU that stands still for so long for lost, by default as long as --timeout",                                                NULL},
    {"frames",             0, CLI_NUMBER,  CLI_OPTION_VALUE(frames),             "N",       "keep only the first presents",               NULL},
    {"gif",                0, CLI_FLAG,    CLI_OPTION_VALUE(gif),                NULL,      "also write the presents as an animation",    NULL},
    {"contact-sheet",      0, CLI_FLAG,    CLI_OPTION_VALUE(contact_sheet),      NULL,
      "also write contact-sheet.png with every present of every input",                                                                    NULL},
    {"check-packets",      0, CLI_FLAG,    CLI_OPTION_VALUE(check_packets),      NULL,
      "name the packet of every WebGPU error; slow",                                                                                       NULL},
    {"invocations",        0, CLI_NUMBER,  CLI_OPTION_VALUE(invocations),        "N",
      "run thread groups of compute shaders in workgroups of at most N invocations",                                                       NULL},
    {"snapshots",          0, CLI_NUMBER,  CLI_OPTION_VALUE(snapshots),          "N",
      "after every N submissions of a scene, save the device, load the snapshot into another one and go on "
     "there",                                                                                                                              NULL},
    {"slice",              0, CLI_NUMBER,  CLI_OPTION_VALUE(slice_us),           "US",
      "microseconds of work between two polls, by default 2000",                                                                           NULL},
    {"translate-in-calls", 0, CLI_FLAG,    CLI_OPTION_VALUE(translate_in_calls), NULL,
      "translate shaders and make their modules without a thread for that",                                                                NULL},
    {"process",            0, CLI_FLAG,    CLI_OPTION_VALUE(process),            NULL,      "execute in a GPU process of its own",        NULL},
    {"strict",             0, CLI_FLAG,    CLI_OPTION_VALUE(strict),             NULL,
      "a warning that no expect of its scene names fails the scene",                                                                       NULL},
    {"capture",            0, CLI_TEXT,    CLI_OPTION_VALUE(capture),            "FILE",    "record the run of one input into this file",
      NULL                                                                                                                                     },
    {"aero-dialect",       0, CLI_FLAG,    CLI_OPTION_VALUE(aero_dialect),       NULL,
      "shaders have the token encoding of the reference project's traces",                                                                 NULL},
    {"dlls",               0, CLI_TEXT,    CLI_OPTION_VALUE(dlls),               "DIR",
      "give a Windows program the d3d11.dll and dxgi.dll of this directory",                                                               NULL},
    {"window",             0, CLI_FLAG,    CLI_OPTION_VALUE(window),             NULL,
      "ask a Windows program to show its windows, as where there is an X server",                                                          NULL},
    {"log",                0, CLI_FLAG,    CLI_OPTION_VALUE(log),                NULL,      "tell of the devices of a Windows program",   NULL},
    {"report",             0, CLI_TEXT,    CLI_OPTION_VALUE(report),             "DIR",
      "write DIR/index.html with expected, actual and difference pictures and every check",                                                NULL},
};

const struct cli_command cli_command_run = {
    .name = "run",
    .synopsis = "FILE... | PROGRAM.exe [-- ARGUMENTS]",
    .summary = "execute scenes, command streams, captures, traces and Windows programs",
    .description =
        "Executes scenes, raw ACMD streams, captures and traces of the reference project on the "
        "whole device, ring and fences included, checks what scenes expect and what captures "
        "recorded, and keeps what they present. A scene that needs a feature this machine lacks is skipped, "
        "with status 3. A Windows program runs under Wine with this project's Direct3D; its presents are "
        "kept, "
        "after --frames of them it is ended, and its exit status is passed on.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 1,
    .most_inputs = UINT32_MAX,
    .run = run,
};
