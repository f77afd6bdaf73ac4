/* SPDX-License-Identifier: MIT
 *
 * Entry functions of thread groups that the device has no workgroup for: the workgroup has one dimension, and
 * an invocation stands for as many threads as it takes (ag_ir_choose_workgroup(), ag_ir_pass_threads()).
 *
 * Thread `turn * workgroup + invocation` of the group is the invocation's at that turn, so that neighbours
 * access neighbours' memory at the same time.
 */
#include "wgsl/emit.h"

/* ---- Decisions ---------------------------------------------------------------------------------------- */

#define MOST_SHARED_BYTES 32768 /* Direct3D's */

/* The group shared memory that lends its first word for decisions, because there is no room for a variable of
 * theirs; AG_IR_NONE: there is room, or no memory that can be read uniformly. */
static uint32_t lender(const struct ag_wgsl_emitter *emitter)
{
    const uint32_t limit = emitter->options->workgroup.storage_bytes;
    uint32_t bytes = AG_WGSL_SHARED_BYTES(1), found = AG_IR_NONE;
    for (uint32_t i = 0; i < emitter->program->resources.count; i++) {
        const struct ag_ir_resource *resource = &emitter->program->resources.data[i];
        if (resource->space != AGPU_SPACE_INTERNAL || !resource->used)
            continue;
        bytes += AG_WGSL_SHARED_BYTES(ag_wgsl_shared_words(resource));
        if (!resource->atomic && ag_wgsl_shared_words(resource) != 0)
            found = i;
    }
    return bytes > (limit != 0 ? limit : MOST_SHARED_BYTES) ? found : AG_IR_NONE;
}

bool ag_wgsl_has_decision(const struct ag_wgsl_emitter *emitter)
{
    return emitter->program->shares_conditions && !emitter->borrows_decision;
}

void ag_wgsl_require_decision(struct ag_wgsl_emitter *emitter)
{
    const uint32_t memory = lender(emitter);
    if (memory == AG_IR_NONE) {
        ag_wgsl_require(emitter, AG_WGSL_SHARED_DECISION, 1);
        return;
    }
    const char *name = ag_wgsl_resource_name(emitter, memory);
    if (!emitter->borrows_decision)
        ag_strbuf_printf(&emitter->functions,
                         "fn shared_decision(value: u32, invocation: u32) -> u32 {\n"
                         "\tworkgroupBarrier();\n"
                         "\tlet kept = %s[0];\n"
                         "\tworkgroupBarrier();\n"
                         "\tif (invocation == 0u) {\n"
                         "\t\t%s[0] = value;\n"
                         "\t}\n"
                         "\tlet decided = workgroupUniformLoad(&%s[0]);\n"
                         "\tif (invocation == 0u) {\n"
                         "\t\t%s[0] = kept;\n"
                         "\t}\n"
                         "\tworkgroupBarrier();\n"
                         "\treturn decided;\n"
                         "}\n\n",
                         name, name, name, name);
    emitter->borrows_decision = true;
}

/* ---- Entry functions ---------------------------------------------------------------------------------- */

static bool is_used(const struct ag_wgsl_emitter *emitter, enum ag_ir_input_kind kind)
{
    for (size_t i = 0; i < emitter->inputs.count; i++)
        if (emitter->inputs.data[i].used &&
            emitter->program->inputs.data[emitter->inputs.data[i].index].kind == kind)
            return true;
    return false;
}

static bool uses_group(const struct ag_wgsl_emitter *emitter)
{
    return is_used(emitter, AG_IR_INPUT_GROUP_ID) || is_used(emitter, AG_IR_INPUT_THREAD_ID);
}

/* Whether the function runs the whole program for each thread, one after another. */
static bool runs_alone(const struct ag_wgsl_emitter *emitter)
{
    return emitter->program->turns > 1 && !emitter->program->has_turn_loops;
}

static uint32_t thread_count(const struct ag_ir_program *program)
{
    return program->thread_group[0] * program->thread_group[1] * program->thread_group[2];
}

/* SV_GroupThreadID and SV_DispatchThreadID of the thread with the index `thread_index`. */
static void write_ids(struct ag_wgsl_emitter *emitter)
{
    const uint32_t *group = emitter->program->thread_group;
    const bool is_flat = group[1] == 1 && group[2] == 1;
    if (!is_used(emitter, AG_IR_INPUT_THREAD_ID) && !is_used(emitter, AG_IR_INPUT_THREAD_ID_IN_GROUP))
        return;
    if (is_flat)
        ag_wgsl_line(emitter, "let thread_id_in_group = vec3u(thread_index, 0u, 0u);");
    else
        ag_wgsl_line(emitter,
                     "let thread_id_in_group = vec3u(thread_index %% %uu, thread_index / %uu %% %uu, "
                     "thread_index / %uu);",
                     group[0], group[0], group[1], group[0] * group[1]);
    if (is_used(emitter, AG_IR_INPUT_THREAD_ID))
        ag_wgsl_line(emitter, "let thread_id = group_id * vec3u(%uu, %uu, %uu) + thread_id_in_group;",
                     group[0], group[1], group[2]);
}

static void write_main(struct ag_wgsl_emitter *emitter)
{
    ag_wgsl_line(emitter, "@compute @workgroup_size(%u, %u, %u)", emitter->program->workgroup[0],
                 emitter->program->workgroup[1], emitter->program->workgroup[2]);
    ag_wgsl_open(emitter, "fn main(%s@builtin(local_invocation_index) invocation: u32)",
                 uses_group(emitter) ? "@builtin(workgroup_id) group_id: vec3u, " : "");
}

void ag_wgsl_open_group(struct ag_wgsl_emitter *emitter)
{
    emitter->invocation = "invocation";
    if (runs_alone(emitter)) {
        ag_wgsl_open(emitter, "fn thread(%sthread_index: u32)",
                     uses_group(emitter) ? "group_id: vec3u, " : "");
    } else {
        write_main(emitter);
        ag_wgsl_line(emitter, "let thread_index = invocation;");
    }
    write_ids(emitter);
}

void ag_wgsl_close_group(struct ag_wgsl_emitter *emitter)
{
    if (!runs_alone(emitter))
        return;
    emitter->offset = AG_IR_NONE;
    ag_strbuf_append_char(&emitter->body, '\n');
    if (!ag_vec_push(&emitter->body_lines, emitter->offset))
        ag_ir_no_memory(emitter->program);
    write_main(emitter);
    ag_wgsl_open(emitter, "for (var index = invocation; index < %uu; index += %uu)",
                 thread_count(emitter->program), emitter->program->workgroup[0]);
    ag_wgsl_line(emitter, uses_group(emitter) ? "thread(group_id, index);" : "thread(index);");
    ag_wgsl_close(emitter);
    ag_wgsl_close(emitter);
}

void ag_wgsl_threads(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    const struct ag_ir_program *program = emitter->program;
    ag_wgsl_open(emitter, "for (var turn = 0u; turn < %uu; turn++)", program->turns);
    ag_wgsl_line(emitter, "let thread_index = turn * %uu + invocation;", program->workgroup[0]);
    if (program->has_idle_turns)
        ag_wgsl_line(emitter, "if (thread_index >= %uu) { continue; }", thread_count(program));
    write_ids(emitter);
    emitter->in_threads = true;
    ag_wgsl_block(emitter, stmt->body);
    emitter->in_threads = false;
    ag_wgsl_close(emitter);
}

const char *ag_wgsl_turn(const struct ag_wgsl_emitter *emitter)
{
    return !emitter->program->has_turn_loops ? "" : emitter->in_threads ? "[turn]" : "[0]";
}

void ag_wgsl_variable(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *out,
                      const struct ag_ir_variable *variable)
{
    /* Names are short, most of all those for compilers. */
    for (const char *name = variable->name == NULL ? "unnamed" : variable->name; *name != '\0'; name++)
        ag_strbuf_append_char(out, *name);
    if (variable->by_thread)
        ag_strbuf_append(out, ag_wgsl_turn(emitter));
}
