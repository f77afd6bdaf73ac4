/* SPDX-License-Identifier: MIT
 *
 * Finds the line of an error or a warning, and holds both back until the scene had its chance to expect them.
 */
#include "scene/problem.h"

#include "aerogpu/stream.h"
#include "scene/registers.h"
#include "scene/run.h"

/* ---- Where a problem is -------------------------------------------------------------------------------- */

/* Returns what the scene submitted under this number. Returns null for the runner's own submissions and for
 * AGPU_DIAG_NO_INDEX. */
static const struct scene_submit *submit_of(const struct scene_run *run, uint32_t submission)
{
    return submission < run->sent.count ? run->sent.data[submission].submit : NULL;
}

static uint64_t fence_of(const struct scene_run *run, uint32_t submission)
{
    return submission < run->sent.count ? run->sent.data[submission].fence : 0;
}

/* Returns the name of a packet, "" for a packet without a name, or null when the stream has no such packet;
 * *offset is where the packet begins. The reader stops at a malformed packet, and stays on the first byte of
 * the packet. */
static const char *find_packet(const struct scene_submit *submit, uint32_t index, uint32_t *offset)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (submit->stream.size == 0 ||
        agpu_stream_reader_init(&reader, submit->stream.data, submit->stream.size, NULL) != AGPU_OK)
        return NULL;
    reader.lenient = true;
    while (reader.index < index && agpu_stream_next(&reader, &packet))
        ;
    if (reader.index != index)
        return NULL;
    *offset = reader.offset;
    if (!agpu_stream_next(&reader, &packet))
        return "";
    const char *name = agpu_packet_name(packet.opcode);
    return name != NULL ? name : "";
}

/* Stores the line of the text that wrote this byte of the stream. */
static void place_at(const struct scene_submit *submit, uint32_t offset, struct agpu_place *place)
{
    for (uint32_t i = 0; i < submit->line_count && submit->lines[i].offset <= offset; i++) {
        place->line = submit->lines[i].line;
        place->column = submit->lines[i].column;
    }
}

/* Returns the diagnostic with the line of the packet in the scene, and with fence and packet in its message.
 * The message names the fence rather than the number of the submission, as scenes do in `expect error`. */
static struct agpu_diag place_in_scene(struct scene_run *run, const struct agpu_diag *diag)
{
    struct agpu_diag placed = *diag;
    const struct scene_submit *submit = submit_of(run, diag->place.submission);
    placed.message = scene_keep_text(run, diag->message);
    if (submit == NULL || submit->line == 0)
        return placed;
    struct ag_strbuf message = {0};
    uint32_t offset = 0;
    const bool has_packet = diag->place.packet != AGPU_DIAG_NO_INDEX;
    const char *name = has_packet ? find_packet(submit, diag->place.packet, &offset) : NULL;
    placed.place.line = submit->line;
    placed.place.column = submit->column;
    if (name != NULL)
        place_at(submit, offset, &placed.place);
    if (diag->packet_name != NULL)
        name = diag->packet_name;
    ag_strbuf_printf(&message, "%s (fence %llu", diag->message,
                     (unsigned long long)fence_of(run, diag->place.submission));
    if (has_packet)
        ag_strbuf_printf(&message, ", packet %u", diag->place.packet);
    if (name != NULL && name[0] != '\0')
        ag_strbuf_printf(&message, " %s", name);
    ag_strbuf_append(&message, ")");
    placed.message = scene_keep_text(run, ag_strbuf_text(&message));
    ag_strbuf_fini(&message);
    return placed;
}

/* ---- Noting -------------------------------------------------------------------------------------------- */

static void note(struct scene_run *run, const struct scene_problem *problem)
{
    if (!ag_vec_push(&run->problems, *problem))
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for an error");
}

void scene_note_diag(void *user, const struct agpu_diag *diag)
{
    struct scene_run *run = user;
    if (run->quiet != NULL) {
        if (diag->severity == AGPU_ERROR)
            ag_strbuf_printf(run->quiet, "%s%s", run->quiet->length != 0 ? "; " : "", diag->message);
        return;
    }
    const struct ag_scene_diag kept = {place_in_scene(run, diag)};
    if (!ag_vec_push(&run->report->diags, kept))
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for an error");
    const struct scene_problem problem = {
        .diag = kept.diag,
        .code = diag->code,
        .error_register = agpu_diag_error_register(diag->code),
        .submission = diag->place.submission,
        .packet = diag->place.packet,
        .fence = fence_of(run, diag->place.submission),
    };
    if (diag->severity == AGPU_NOTE)
        scene_pass_on(run, &problem, AGPU_NOTE);
    else
        note(run, &problem);
}

void scene_note_silent_error(struct scene_run *run)
{
    const uint32_t count = scene_guest_read(run, AEROGPU_MMIO_REG_ERROR_COUNT);
    if (count == run->error_count)
        return;
    run->error_count = count;
    if (run->quiet != NULL || scene_has_problem(run, AGPU_ERROR))
        return;
    const struct scene_problem problem = {
        .diag = {.severity = AGPU_ERROR,
                 .place = AGPU_NO_PLACE,
                 .message = "the error registers changed without a message"},
        .code = AGPU_DIAG_NONE,
        .error_register = scene_guest_read(run, AEROGPU_MMIO_REG_ERROR_CODE),
        .submission = AGPU_DIAG_NO_INDEX,
        .packet = AGPU_DIAG_NO_INDEX,
        .fence = (uint64_t)scene_guest_read(run, AEROGPU_MMIO_REG_ERROR_FENCE_HI) << 32 |
                 scene_guest_read(run, AEROGPU_MMIO_REG_ERROR_FENCE_LO),
    };
    note(run, &problem);
}

bool scene_has_problem(const struct scene_run *run, enum agpu_severity severity)
{
    for (size_t i = 0; i < run->problems.count; i++) {
        if (run->problems.data[i].diag.severity == severity)
            return true;
    }
    return false;
}

/* ---- Answering ----------------------------------------------------------------------------------------- */

void scene_pass_on(const struct scene_run *run, const struct scene_problem *problem,
                   enum agpu_severity severity)
{
    struct agpu_diag diag = problem->diag;
    diag.severity = severity;
    if (problem->code != AGPU_DIAG_NONE && run->sink != NULL && run->sink->report != NULL)
        run->sink->report(run->sink->user, &diag);
}

static bool is_same_mistake(const struct scene_problem *a, const struct scene_problem *b)
{
    return a->diag.severity == b->diag.severity && a->submission == b->submission &&
           (a->diag.severity == AGPU_ERROR ? a->error_register == b->error_register : a->code == b->code);
}

void scene_mark_expected(struct scene_run *run, const struct scene_problem *found)
{
    const struct scene_problem wanted = *found;
    for (size_t i = 0; i < run->problems.count; i++) {
        struct scene_problem *problem = &run->problems.data[i];
        if (problem->expected || !is_same_mistake(problem, &wanted))
            continue;
        problem->expected = true;
        scene_pass_on(run, problem, AGPU_NOTE);
    }
}

static void fail_for(struct scene_run *run, const struct scene_problem *problem)
{
    const bool is_error = problem->diag.severity == AGPU_ERROR;
    const char *slug = problem->code != AGPU_DIAG_NONE ? agpu_diag_slug(problem->code) : "";
    const char *name = scene_name_of(&scene_error_names, problem->error_register);
    const uint32_t line = problem->diag.place.line != 0 ? problem->diag.place.line : run->line;
    const uint32_t column = problem->diag.place.line != 0 ? problem->diag.place.column : 1;
    struct ag_strbuf got = {0};
    if (is_error)
        ag_strbuf_printf(&got, "%s ", name != NULL ? name : "?");
    ag_strbuf_printf(&got, "fence=%llu", (unsigned long long)problem->fence);
    if (problem->packet != AGPU_DIAG_NO_INDEX)
        ag_strbuf_printf(&got, " packet=%u", problem->packet);
    if (problem->diag.place.line == 0 && problem->diag.packet_name != NULL)
        ag_strbuf_printf(&got, " %s", problem->diag.packet_name);
    ag_strbuf_printf(&got, " diag=%s: %s", slug, problem->diag.message);
    const struct ag_scene_check check = {
        .line = line,
        .kind = is_error ? "error" : "warning",
        .result = AG_SCENE_FAILED,
        .want = is_error ? "no error" : "no warning",
        .got = ag_strbuf_text(&got),
    };
    scene_add_check(run, &check);
    if (is_error)
        ag_report(run->sink, AGPU_DIAG_SCENE_UNEXPECTED_ERROR, AGPU_ERROR, ag_place_text(line, column),
                  "an error that no expect names: %s", ag_strbuf_text(&got));
    else
        ag_report(run->sink, AGPU_DIAG_SCENE_UNEXPECTED_WARNING, AGPU_ERROR, ag_place_text(line, column),
                  "a warning that no expect names: %s", ag_strbuf_text(&got));
    if (is_error && problem->error_register == AEROGPU_ERROR_INTERNAL)
        run->report->status = AGPU_INTERNAL;
    ag_strbuf_fini(&got);
}

void scene_report_unexpected(struct scene_run *run)
{
    for (size_t i = 0; i < run->problems.count && !run->aborted; i++) {
        const struct scene_problem *problem = &run->problems.data[i];
        if (problem->expected)
            continue;
        scene_pass_on(run, problem, problem->diag.severity);
        if (problem->diag.severity == AGPU_ERROR || run->options->strict)
            fail_for(run, problem);
    }
    run->problems.count = 0;
}
