/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/stream.h"

struct ag_job *ag_job_create(struct ag_exec *exec, const struct agpu_submission *submission)
{
    struct ag_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    job->exec = exec;
    job->number = submission->number;
    job->context_id = submission->context_id;
    job->has_allocation_table = submission->has_allocation_table;
    if (submission->stream) {
        job->stream = malloc(submission->stream_size ? submission->stream_size : 1);
        if (!job->stream) {
            ag_job_destroy(job);
            return NULL;
        }
        memcpy(job->stream, submission->stream, submission->stream_size);
        job->stream_size = submission->stream_size;
    }
    if (submission->allocation_count) {
        size_t size = submission->allocation_count * sizeof *job->allocations;
        job->allocations = malloc(size);
        if (!job->allocations) {
            ag_job_destroy(job);
            return NULL;
        }
        memcpy(job->allocations, submission->allocations, size);
        job->allocation_count = submission->allocation_count;
    }
    return job;
}

static void drop_transfers(struct ag_job *job)
{
    for (size_t i = 0; i < job->transfers.count; i++) {
        ag_readback_release(job->exec->readbacks, job->transfers.data[i]->readback);
        ag_query_run_release(job->exec, job->transfers.data[i]->query);
        free(job->transfers.data[i]);
    }
    ag_vec_fini(&job->transfers);
}

void ag_job_destroy(struct ag_job *job)
{
    if (!job)
        return;
    drop_transfers(job);
    ag_stream_drop(job);
    ag_readback_release(job->exec->readbacks, job->arguments);
    free(job->stream);
    free(job->allocations);
    free(job);
}

/* ---- Starting ----------------------------------------------------------------------------------------- */

/* Executes packets until the stream ends or waits. */
static void run(struct ag_exec *exec, struct ag_job *job)
{
    job->started = true;
    job->wait = (struct ag_wait){0};
    exec->job = job;
    exec->place = ag_place_none();
    exec->place.submission = job->number;
    ag_stream_execute(exec);
    exec->job = NULL;
    exec->place = ag_place_none();
    if (!job->recorded)
        return;
    for (size_t i = 0; i < job->transfers.count; i++)
        if (job->transfers.data[i]->readback)
            ag_readback_begin(job->transfers.data[i]->readback);
    job->serial = ag_gpu_signal(exec->gpu);
    free(job->stream);
    job->stream = NULL;
}

/* Guest memory may only be read once the write-backs of earlier submissions are in it. */
static bool may_run(struct ag_exec *exec, const struct ag_job *job)
{
    if (job->started)
        return ag_stream_may_go_on(exec, job);
    if (!job->has_allocation_table)
        return true;
    for (const struct ag_job *earlier = exec->jobs; earlier != job; earlier = earlier->next)
        if (earlier->writes_back)
            return false;
    return true;
}

/* ---- Completing --------------------------------------------------------------------------------------- */

static void present(struct ag_exec *exec, const struct ag_job *job, const struct ag_transfer *transfer,
                    const uint8_t *data)
{
    size_t row_bytes = (size_t)transfer->width * 4;
    uint8_t *pixels = malloc(row_bytes * transfer->height);
    if (!pixels) {
        ag_exec_no_memory(exec);
        return;
    }
    for (uint32_t y = 0; y < transfer->height; y++)
        ag_host_format_display_row(transfer->format, data + (size_t)y * transfer->host_pitch,
                                   pixels + y * row_bytes, transfer->width);
    const struct agpu_present picture = {
        .submission = job->number,
        .scanout_id = transfer->scanout_id,
        .flags = transfer->present_flags,
        .width = transfer->width,
        .height = transfer->height,
        .format = transfer->abi_format,
        .pixels = pixels,
    };
    if (exec->events.presented)
        exec->events.presented(exec->events.user, &picture);
    free(pixels);
}

static void write_back_texture(struct ag_exec *exec, const struct ag_transfer *transfer, const uint8_t *data)
{
    const struct ag_host_format *format = transfer->format;
    size_t row_bytes = (size_t)transfer->width * format->bytes;
    uint8_t *row = malloc(row_bytes ? row_bytes : 1);
    if (!row) {
        ag_exec_no_memory(exec);
        return;
    }
    for (uint32_t y = 0; y < transfer->height; y++) {
        const uint8_t *host = data + transfer->skipped + (size_t)y * transfer->host_pitch;
        if (transfer->stencil_pitch)
            ag_host_format_pack_planes(format, host,
                                       data + transfer->stencil_offset + (size_t)y * transfer->stencil_pitch,
                                       row, transfer->width);
        else
            ag_host_format_pack_row(format, host, row, transfer->width);
        if (!ag_guest_write(exec, transfer->gpa + y * transfer->guest_pitch, row, row_bytes))
            break;
    }
    free(row);
}

/* That the result is there is the last that a guest sees of it. */
static void write_query_result(struct ag_exec *exec, const struct ag_transfer *transfer)
{
    struct aerogpu_ext_query_result result;
    const uint32_t size = ag_query_run_result(transfer->query, &result), flag = sizeof result.is_ready;
    if (ag_guest_write(exec, transfer->gpa + flag, (const uint8_t *)&result + flag, size - flag))
        ag_guest_write(exec, transfer->gpa, &result, flag);
}

static void finish_transfer(struct ag_exec *exec, const struct ag_job *job, struct ag_transfer *transfer)
{
    const uint8_t *data = transfer->readback ? ag_readback_data(transfer->readback) : NULL;
    exec->place = transfer->place;
    if (exec->lost || (transfer->readback && !data)) {
        ag_exec_report(exec, exec->lost ? AGPU_DIAG_GPU_LOST : AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_ERROR,
                       "the GPU's bytes could not be read back");
        return;
    }
    switch (transfer->kind) {
    case AG_TRANSFER_PRESENT:
        present(exec, job, transfer, data);
        break;
    case AG_TRANSFER_BUFFER:
        if (!job->stopped)
            ag_guest_write(exec, transfer->gpa, data + transfer->skipped, transfer->size);
        break;
    case AG_TRANSFER_TEXTURE:
        if (!job->stopped)
            write_back_texture(exec, transfer, data);
        break;
    case AG_TRANSFER_QUERY:
        if (!job->stopped)
            write_query_result(exec, transfer);
        break;
    }
}

static bool is_done(struct ag_exec *exec, const struct ag_job *job)
{
    if (!job->recorded || job->scopes)
        return false;
    if (!exec->lost && ag_gpu_completed_serial(exec->gpu) < job->serial)
        return false;
    for (size_t i = 0; i < job->transfers.count; i++) {
        const struct ag_transfer *transfer = job->transfers.data[i];
        if (transfer->readback && ag_readback_state(transfer->readback) == AG_READBACK_PENDING && !exec->lost)
            return false;
        if (transfer->query && !ag_query_run_is_ready(exec, transfer->query))
            return false;
    }
    return true;
}

static void complete(struct ag_exec *exec, struct ag_job *job)
{
    exec->job = job;
    for (size_t i = 0; i < job->transfers.count && !exec->reset_wanted; i++)
        finish_transfer(exec, job, job->transfers.data[i]);
    exec->job = NULL;
    exec->place = ag_place_none();
    if (exec->reset_wanted)
        return;
    exec->jobs = job->next;
    if (!exec->jobs)
        exec->jobs_end = &exec->jobs;
    uint32_t number = job->number, error = job->error;
    ag_job_destroy(job);
    if (exec->events.completed)
        exec->events.completed(exec->events.user, number, error);
}

static void notice_loss(struct ag_exec *exec)
{
    if (exec->lost || !ag_gpu_is_lost(exec->gpu))
        return;
    exec->lost = true;
    for (struct ag_job *job = exec->jobs; job; job = job->next)
        if (job->error == AEROGPU_ERROR_NONE)
            job->error = agpu_diag_error_register(AGPU_DIAG_GPU_LOST);
}

bool ag_jobs_advance(struct ag_exec *exec)
{
    if (exec->advancing) /* a callback of ours called back */
        return exec->jobs != NULL;
    exec->advancing = true;
    notice_loss(exec);
    for (;;) {
        for (struct ag_job *job = exec->jobs; job; job = job->next)
            if (!job->recorded) {
                if (may_run(exec, job))
                    run(exec, job);
                if (!job->recorded)
                    break; /* later ones wait behind it: streams run in order */
            }
        if (!exec->jobs || !is_done(exec, exec->jobs))
            break;
        complete(exec, exec->jobs);
        if (exec->reset_wanted)
            break;
    }
    exec->advancing = false;
    if (exec->reset_wanted)
        exec->table.reset(&exec->table);
    return exec->jobs != NULL;
}

void ag_jobs_clear(struct ag_exec *exec)
{
    while (exec->jobs) {
        struct ag_job *job = exec->jobs;
        exec->jobs = job->next;
        if (job->scopes) { /* its error scopes still answer to it: the last one frees it */
            drop_transfers(job);
            job->orphaned = true;
            exec->orphan_count++;
            continue;
        }
        ag_job_destroy(job);
    }
    exec->jobs_end = &exec->jobs;
}
