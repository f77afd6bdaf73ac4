/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/packet_walk.h"
#include "base/bytes.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "capture/capture.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/picture.h"
#include "replay/textures.h"

/* A capture that was read, for the words that `capture` takes. */
struct session {
    struct cli_diags diags;
    struct agpu_diag_sink sink;
    const struct cli_options *options;
    struct ag_capture *capture;
    json_t *object; /* with --json */
};

/* ---- info ---------------------------------------------------------------------------------------------- */

static json_t *submission_json(const struct ag_capture_submission_info *info, size_t number)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:I}", "n", (json_int_t)number,
                     "context", (json_int_t)info->head.context_id, "fence", (json_int_t)info->head.fence,
                     "flags", (json_int_t)info->head.flags, "bytes", (json_int_t)info->head.stream_size,
                     "packets", (json_int_t)info->counts.packets, "draws", (json_int_t)info->counts.draws,
                     "dispatches", (json_int_t)info->counts.dispatches, "presents",
                     (json_int_t)info->counts.presents, "completed", info->completed, "error",
                     (json_int_t)info->error);
}

static struct ag_capture_draw_counts total_of(const struct ag_capture_summary *summary)
{
    struct ag_capture_draw_counts total = {0};
    for (size_t i = 0; i < summary->submissions.count; i++) {
        const struct ag_capture_draw_counts *const counts = &summary->submissions.data[i].counts;
        total.packets += counts->packets;
        total.draws += counts->draws;
        total.dispatches += counts->dispatches;
        total.presents += counts->presents;
    }
    return total;
}

static void info_json(const struct session *session, const struct ag_capture_summary *summary)
{
    const struct ag_capture_draw_counts total = total_of(summary);
    json_t *const list = json_array();
    for (size_t i = 0; i < summary->submissions.count; i++)
        json_array_append_new(list, submission_json(&summary->submissions.data[i], i));
    json_object_set_new(session->object, "text", cli_json_text(session->capture->text));
    json_object_set_new(session->object, "complete", json_boolean(session->capture->complete));
    json_object_set_new(session->object, "submissions", json_integer((json_int_t)summary->submissions.count));
    json_object_set_new(session->object, "draws", json_integer((json_int_t)total.draws));
    json_object_set_new(session->object, "dispatches", json_integer((json_int_t)total.dispatches));
    json_object_set_new(session->object, "presents", json_integer((json_int_t)summary->presents));
    json_object_set_new(session->object, "writebacks", json_integer((json_int_t)summary->writebacks));
    json_object_set_new(session->object, "memory_bytes", json_integer((json_int_t)summary->memory_bytes));
    json_object_set_new(session->object, "list", list);
}

static void info_text(const struct session *session, const struct ag_capture_summary *summary)
{
    const struct ag_capture_draw_counts total = total_of(summary);
    char recorder[512];
    snprintf(recorder, sizeof recorder, "%s", session->capture->text);
    ag_text_make_plain(recorder, strlen(recorder));
    printf("recorded by %s%s\n", recorder[0] != '\0' ? recorder : "nobody who says so",
           session->capture->complete ? "" : "; cut");
    printf("%zu submissions, %" PRIu64 " packets, %" PRIu64 " draws, %" PRIu64 " dispatches, %" PRIu64
           " presents, %" PRIu64 " write-backs, %" PRIu64 " bytes of guest memory\n",
           summary->submissions.count, total.packets, total.draws, total.dispatches, summary->presents,
           summary->writebacks, summary->memory_bytes);
    if (summary->submissions.count != 0)
        printf("%6s %8s %10s %9s %8s %6s %11s %9s  %s\n", "n", "context", "fence", "bytes", "packets",
               "draws", "dispatches", "presents", "result");
    for (size_t i = 0; i < summary->submissions.count; i++) {
        const struct ag_capture_submission_info *const info = &summary->submissions.data[i];
        char result[32] = "never completed";
        if (info->completed && info->error == AG_CAPTURE_ANY_ERROR)
            snprintf(result, sizeof result, "not compared");
        else if (info->completed)
            snprintf(result, sizeof result, info->error != 0 ? "error %u" : "good", info->error);
        printf("%6zu %8u %10" PRIu64 " %9u %8" PRIu64 " %6" PRIu64 " %11" PRIu64 " %9" PRIu64 "  %s\n", i,
               info->head.context_id, info->head.fence, info->head.stream_size, info->counts.packets,
               info->counts.draws, info->counts.dispatches, info->counts.presents, result);
    }
}

static enum cli_exit show_info(struct session *session)
{
    struct ag_capture_summary summary;
    const enum agpu_status status = ag_capture_summarise(session->capture, &session->sink, &summary);
    if (status == AGPU_OK && session->object != NULL)
        info_json(session, &summary);
    else if (status == AGPU_OK)
        info_text(session, &summary);
    ag_capture_summary_fini(&summary);
    return cli_exit_of(status, &session->diags);
}

/* ---- trim ---------------------------------------------------------------------------------------------- */

static bool append(void *user, const void *data, size_t size)
{
    struct ag_strbuf *const text = user;
    ag_strbuf_append_bytes(text, data, size);
    return !text->failed;
}

static enum cli_exit trim(struct session *session)
{
    const struct cli_options *const options = session->options;
    struct ag_strbuf bytes = {0};
    const enum agpu_status status =
        ag_capture_trim(session->capture, options->from, options->to, append, &bytes, &session->sink);
    enum cli_exit exit_status = cli_exit_of(status, &session->diags);
    if (status == AGPU_OK && !cli_write_file(options->output, bytes.data, bytes.length, &session->sink))
        exit_status = CLI_EXIT_REFUSED;
    if (session->object != NULL)
        json_object_set_new(session->object, "bytes", json_integer((json_int_t)bytes.length));
    ag_strbuf_fini(&bytes);
    return exit_status;
}

/* ---- extract ------------------------------------------------------------------------------------------- */

struct extraction {
    struct session *session;
    json_t *shaders, *textures, *streams;
    uint32_t submission;
    bool failed;
};

/* Tells of a file that was written, or not for want of what `good` says. Releases its path, and returns it
 * for JSON. */
static json_t *note_file(struct extraction *extraction, char *path, bool good)
{
    json_t *const text = cli_json_text(path);
    if (!good)
        extraction->failed = true;
    if (extraction->session->object == NULL && path != NULL)
        printf("%s\n", path);
    free(path);
    return text;
}

static json_t *write_extract(struct extraction *extraction, const char *suffix, const void *data, size_t size)
{
    char *const path = cli_path(extraction->session->options->output, "", suffix);
    return note_file(extraction, path,
                     path != NULL && cli_write_file(path, data, size, &extraction->session->sink));
}

static json_t *write_extracted_picture(struct extraction *extraction, const char *suffix,
                                       const struct cli_picture *picture)
{
    char *const path = cli_path(extraction->session->options->output, "", suffix);
    return note_file(extraction, path,
                     path != NULL && cli_write_png(path, picture->pixels, picture->width, picture->height,
                                                   &extraction->session->sink));
}

/* A container, or the tokens that a driver gets; a geometry stage that hands on what comes has no bytes. */
static void extract_shader(struct extraction *extraction, const struct agpu_packet *packet, uint32_t handle,
                           uint32_t program)
{
    static const char *const stages[] = {"ps", "vs", "gs", "hs", "ds", "cs"};
    const char *const stage = program < AG_COUNT_OF(stages) ? stages[program] : "none";
    const bool is_container = packet->payload_size >= 4 && memcmp(packet->payload, "DXBC", 4) == 0;
    char suffix[96];
    if (packet->payload_size == 0)
        return;
    snprintf(suffix, sizeof suffix, "shader-%u-%u-%s-%u.%s", extraction->submission, packet->index, stage,
             handle, is_container ? "dxbc" : "tokens");
    json_t *const path = write_extract(extraction, suffix, packet->payload, packet->payload_size);
    json_array_append_new(extraction->shaders,
                          json_pack("{s:o, s:I, s:s, s:I, s:I}", "path", path, "handle", (json_int_t)handle,
                                    "stage", stage, "submission", (json_int_t)extraction->submission,
                                    "packet", (json_int_t)packet->index));
}

static void extract_texture(void *user, const struct ag_capture_texture *texture)
{
    struct extraction *const extraction = user;
    char suffix[96];
    snprintf(suffix, sizeof suffix, "texture-%u-%u-%u-mip%u-layer%u.png", texture->submission,
             texture->packet, texture->handle, texture->mip, texture->layer);
    const struct cli_picture picture = {texture->width, texture->height, texture->pixels};
    json_t *const path = write_extracted_picture(extraction, suffix, &picture);
    json_array_append_new(extraction->textures,
                          json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "path", path, "handle",
                                    (json_int_t)texture->handle, "mip", (json_int_t)texture->mip, "layer",
                                    (json_int_t)texture->layer, "width", (json_int_t)texture->width, "height",
                                    (json_int_t)texture->height, "submission",
                                    (json_int_t)texture->submission, "packet", (json_int_t)texture->packet));
}

static void extract_submission(struct extraction *extraction, const struct ag_capture_submission_info *info)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    char suffix[64];
    if (info->stream == NULL)
        return;
    snprintf(suffix, sizeof suffix, "stream-%u.acmd", extraction->submission);
    json_array_append_new(extraction->streams,
                          write_extract(extraction, suffix, info->stream, info->head.stream_size));
    if (agpu_stream_reader_init(&reader, info->stream, info->head.stream_size, NULL) != AGPU_OK)
        return;
    while (agpu_stream_next(&reader, &packet)) {
        struct ag_packet_item shader, program;
        if (!ag_packet_find(&packet, AG_ROLE_CREATES, AG_OBJECT_SHADER, &shader))
            continue;
        const bool has_program = ag_packet_find(&packet, AG_ROLE_PROGRAM, AG_OBJECT_NONE, &program);
        extract_shader(extraction, &packet, (uint32_t)shader.value,
                       has_program ? (uint32_t)program.value : packet.stage);
    }
}

static void extract_presents(struct extraction *extraction, json_t *list)
{
    uint32_t number = 0;
    for (size_t i = 0; i < extraction->session->capture->records.count; i++) {
        const struct ag_capture_record *const record = &extraction->session->capture->records.data[i];
        if (record->fourcc != AG_CAPTURE_PRES || record->bytes == NULL)
            continue;
        const struct ag_capture_present *const present = AG_CAPTURE_AS(record, present);
        char suffix[32];
        snprintf(suffix, sizeof suffix, "present-%u.png", number++);
        const struct cli_picture picture = {present->width, present->height,
                                            (uint8_t *)(uintptr_t)record->bytes};
        json_array_append_new(list, write_extracted_picture(extraction, suffix, &picture));
    }
}

static enum cli_exit extract(struct session *session)
{
    struct extraction extraction = {session, json_array(), json_array(), json_array(), 0, false};
    json_t *const presents = json_array();
    struct ag_capture_summary summary = {0};
    if (!cli_make_directory(session->options->output, &session->sink))
        extraction.failed = true;
    else
        extraction.failed = ag_capture_summarise(session->capture, &session->sink, &summary) != AGPU_OK;
    for (size_t i = 0; i < summary.submissions.count && !extraction.failed; i++) {
        extraction.submission = (uint32_t)i;
        if (i >= session->options->from && i <= session->options->to)
            extract_submission(&extraction, &summary.submissions.data[i]);
    }
    if (!extraction.failed &&
        replay_visit_textures(session->capture, &summary, session->options->from, session->options->to,
                              extract_texture, &extraction, &session->sink) != AGPU_OK)
        extraction.failed = true;
    if (!extraction.failed)
        extract_presents(&extraction, presents);
    ag_capture_summary_fini(&summary);
    json_t *const object = session->object != NULL ? session->object : json_object();
    json_object_set_new(object, "streams", extraction.streams);
    json_object_set_new(object, "shaders", extraction.shaders);
    json_object_set_new(object, "textures", extraction.textures);
    json_object_set_new(object, "presents", presents);
    if (session->object == NULL)
        json_decref(object);
    return extraction.failed ? CLI_EXIT_REFUSED : CLI_EXIT_GOOD;
}

/* ---- The command --------------------------------------------------------------------------------------- */

static const struct action {
    const char *word;
    enum cli_exit (*run)(struct session *session);
    bool needs_output;
} actions[] = {
    {"info",    show_info, false},
    {"trim",    trim,      true },
    {"extract", extract,   true },
};

static const struct action *find_action(const char *word)
{
    for (size_t i = 0; i < AG_COUNT_OF(actions); i++) {
        if (strcmp(actions[i].word, word) == 0)
            return &actions[i];
    }
    return NULL;
}

static enum cli_exit run_action(struct session *session, const struct action *action, const char *path)
{
    uint8_t *data = NULL;
    size_t size = 0;
    if (!cli_read_file(path, &session->sink, &data, &size))
        return CLI_EXIT_REFUSED;
    const enum agpu_status status = ag_capture_read(data, size, &session->sink, &session->capture);
    free(data);
    return status == AGPU_OK ? action->run(session) : cli_exit_of(status, &session->diags);
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    const struct cli_options *const options = &arguments->options;
    const struct action *const action = find_action(arguments->inputs[0]);
    const char *const path = arguments->inputs[1];
    struct session session = {.options = options};
    if (action == NULL) {
        cli_usage_error("capture: '%s' is none of info, trim and extract", arguments->inputs[0]);
        return CLI_EXIT_USAGE;
    }
    if (action->needs_output && options->output == NULL) {
        cli_usage_error("capture: %s needs a path after -o", action->word);
        return CLI_EXIT_USAGE;
    }
    cli_diags_init(&session.diags, path);
    session.sink = cli_diags_sink(&session.diags);
    if (options->json) {
        session.object = json_object();
        json_object_set_new(session.object, "file", cli_json_text(path));
    }
    enum cli_exit exit_status = run_action(&session, action, path);
    if (session.object != NULL) {
        json_object_set(session.object, "diags", session.diags.list);
        if (!cli_print_json(session.object))
            exit_status = CLI_EXIT_UNWRITABLE;
    }
    exit_status = cli_diags_exit(&session.diags, exit_status);
    ag_capture_destroy(session.capture);
    cli_diags_fini(&session.diags);
    return exit_status;
}

static const struct cli_option options[] = {
    CLI_OPTION_OUTPUT("write the trimmed capture to this file, or what is extracted into this directory"),
    {"from", 0, CLI_NUMBER, CLI_OPTION_VALUE(from), "N", "the first submission, by default 0",       NULL},
    {"to",   0, CLI_NUMBER, CLI_OPTION_VALUE(to),   "N", "the last submission, by default the last", NULL},
};

const struct cli_command cli_command_capture = {
    .name = "capture",
    .synopsis = "info|trim|extract FILE",
    .summary = "inspect and cut captures",
    .description =
        "Captures are recordings of whole runs, made with run --capture or by an emulator; run replays them. "
        "info lists their submissions with packets, draws and presents. trim keeps a range of submissions "
        "and "
        "what it needs of those before it. extract writes the range's command streams, shaders and textures, "
        "and "
        "the recorded presents.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 2,
    .most_inputs = 2,
    .run = run,
};
