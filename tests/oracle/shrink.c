/* SPDX-License-Identifier: MIT
 *
 * Smaller programs that fail as well. First one program of the module alone; then lines go in ever shorter
 * runs. What does not assemble any more, never ends or agrees is put back. A construct also loses its frame
 * alone.
 */
#include <stdlib.h>
#include <string.h>

#include "world.h"

#define CANDIDATES 8u

struct shrinker {
    struct agpu_gpu *gpu;
    const struct listing *listing;
    uint64_t seed;
    enum oracle_outcome outcome; /* what the failure is: a program fails as well when it fails in this way */
    bool *keep;
    bool *candidates; /* CANDIDATES times as many as lines */
    uint32_t candidate_count;
};

/* Takes the first candidate that still fails. */
static bool settle(struct shrinker *s)
{
    const size_t lines = s->listing->lines.count;
    struct attempt *attempts = calloc(CANDIDATES, sizeof *attempts);
    bool found = false;
    for (uint32_t i = 0; i < s->candidate_count && attempts != NULL; i++)
        attempt_prepare(&attempts[i], s->listing, s->candidates + i * lines, s->seed);
    if (attempts != NULL)
        attempts_run(s->gpu, attempts, s->candidate_count);
    for (uint32_t i = 0; i < s->candidate_count && attempts != NULL; i++) {
        if (!found && attempts[i].verdict == VERDICT_DIFFERS && attempts[i].job.outcome == s->outcome) {
            memcpy(s->keep, s->candidates + i * lines, lines * sizeof(bool));
            found = true;
        }
        attempt_fini(&attempts[i]);
    }
    free(attempts);
    s->candidate_count = 0;
    return found;
}

static bool *new_candidate(struct shrinker *s)
{
    const size_t lines = s->listing->lines.count;
    bool *candidate = s->candidates + s->candidate_count++ * lines;
    memcpy(candidate, s->keep, lines * sizeof(bool));
    return candidate;
}

/* One program of the module alone. */
static bool keep_one_program(struct shrinker *s)
{
    const size_t lines = s->listing->lines.count;
    bool any = false;
    for (uint32_t program = 0; program < MODULE_PROGRAMS && !any; program++) {
        bool *candidate = new_candidate(s);
        for (size_t i = 0; i < lines; i++) {
            const uint8_t owner = s->listing->lines.data[i].program;
            candidate[i] = owner == FRAME_LINE || owner == program;
        }
        if (s->candidate_count == CANDIDATES || program + 1 == MODULE_PROGRAMS)
            any = settle(s);
    }
    return any;
}

/* A line and those of its unit. */
static void drop_unit(const struct shrinker *s, bool *candidate, size_t at)
{
    const struct line *lines = s->listing->lines.data;
    if (lines[at].unit == FIXED_UNIT)
        return;
    candidate[at] = false;
    for (size_t i = s->listing->fixed; i < s->listing->lines.count && lines[at].unit != 0; i++)
        candidate[i] = candidate[i] && lines[i].unit != lines[at].unit;
}

/* Runs of `length` kept lines. */
static bool drop_runs(struct shrinker *s, size_t length)
{
    const size_t lines = s->listing->lines.count;
    bool any = false;
    for (size_t at = s->listing->fixed; at < lines;) {
        size_t left = length;
        bool *candidate = new_candidate(s);
        for (; at < lines && left > 0; at++) {
            left -= candidate[at];
            if (candidate[at])
                drop_unit(s, candidate, at);
        }
        if (s->candidate_count == CANDIDATES || at == lines)
            any = settle(s) || any;
    }
    return any;
}

static bool starts(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* The frame of the construct that opens at a line: all lines of it that are flow of its own. */
static void drop_frame(const struct shrinker *s, bool *candidate, size_t open)
{
    uint32_t depth = 0;
    for (size_t i = open; i < s->listing->lines.count; i++) {
        const char *line = s->listing->lines.data[i].text;
        const bool ends = starts(line, "endif") || starts(line, "endloop") || starts(line, "endswitch");
        depth += starts(line, "if_") || starts(line, "loop") || starts(line, "switch");
        if (depth == 1 && (i == open || ends || starts(line, "else") || starts(line, "case") ||
                           starts(line, "default") || starts(line, "break") || starts(line, "continue")))
            candidate[i] = false;
        if (ends && --depth == 0)
            return;
    }
}

static bool drop_frames(struct shrinker *s)
{
    bool any = false;
    for (size_t i = s->listing->fixed; i < s->listing->lines.count; i++) {
        const char *line = s->listing->lines.data[i].text;
        if (!s->keep[i] || !(starts(line, "if_") || starts(line, "loop") || starts(line, "switch")))
            continue;
        drop_frame(s, new_candidate(s), i);
        any = settle(s) || any;
    }
    return any;
}

void shrink(struct agpu_gpu *gpu, const struct listing *listing, uint64_t seed, enum oracle_outcome outcome,
            bool *keep)
{
    const size_t lines = listing->lines.count;
    struct shrinker s = {.gpu = gpu, .listing = listing, .seed = seed, .outcome = outcome, .keep = keep};
    s.candidates = calloc(CANDIDATES * lines, sizeof(bool));
    for (size_t i = 0; i < lines; i++)
        keep[i] = true;
    bool any = s.candidates != NULL;
    if (any)
        keep_one_program(&s);
    for (uint32_t round = 0; any && round < 4; round++) {
        any = false;
        for (size_t length = 32; length > 0; length /= 2)
            any = drop_runs(&s, length) || any;
        any = drop_frames(&s) || any;
    }
    free(s.candidates);
}
