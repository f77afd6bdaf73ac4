/* SPDX-License-Identifier: MIT
 *
 * Raw and structured memory (buffers and thread group shared memory), sections 22.4.10 to 22.4.13, and
 * atomics and UAV counters, sections 22.17.8 to 22.17.28.
 *
 * Addresses are linear and 64 bits wide; the low two bits of byte addresses are ignored (D9). Reads out of
 * range return 0 and writes out of range do nothing, in shared memory too (D7).
 */
#include "ref/number.h"
#include "ref/ops.h"
#include "ref/texture.h"

/* A range of words, and the stride of structures. */
struct memory {
    uint8_t *data;
    uint64_t size;
    uint32_t stride;
};

static struct memory find_memory(const struct ag_ref_thread *thread, const struct agpu_operand *operand)
{
    const struct ag_ref_program *program = thread->run->program;
    if (operand->type != AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY) {
        const struct ag_ref_view *view = ag_ref_resource(thread, operand);
        const bool has_stride = view->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER;
        return (struct memory){view->data, view->size, has_stride ? view->stride : 0};
    }
    const uint64_t number = ag_ref_operand_index(thread, operand, 0);
    if (number >= program->shared_count || thread->shared == NULL)
        return (struct memory){0};
    const struct ag_ref_shared *shared = &program->shared[number];
    return (struct memory){thread->shared + shared->first, shared->size, shared->stride};
}

static uint8_t *find_word(const struct memory *memory, uint64_t offset)
{
    const bool fits = memory->data != NULL && ag_range_fits(offset, 4, memory->size);
    return fits ? memory->data + offset : NULL;
}

/* The first byte of four consecutive words. */
static uint64_t window(const struct memory *memory, bool is_structured, const uint32_t address[2])
{
    return is_structured ? (uint64_t)address[0] * memory->stride + (address[1] & ~3u) : address[0] & ~3u;
}

static bool is_structured(const struct ag_ref_code *code)
{
    const uint32_t opcode = code->instruction->opcode;
    return opcode == AGPU_OP_LD_STRUCTURED || opcode == AGPU_OP_LD_STRUCTURED_S ||
           opcode == AGPU_OP_STORE_STRUCTURED;
}

static enum ag_ref_step run_load(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const bool structured = is_structured(code);
    const struct agpu_operand *resource = ag_ref_after_status(code, structured ? 3 : 2);
    const struct memory memory = find_memory(thread, resource);
    const uint32_t address[2] = {
        ag_ref_read_scalar(thread, ag_ref_after_status(code, 1), 'i'),
        structured ? ag_ref_read_scalar(thread, ag_ref_after_status(code, 2), 'i') : 0,
    };
    uint32_t value[4];
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t offset =
            window(&memory, structured, address) + UINT64_C(4) * (resource->swizzle[i] & 3u);
        const uint8_t *word = find_word(&memory, offset);
        value[i] = word != NULL ? ag_load_u32(word) : 0;
    }
    ag_ref_write_result(thread, code, 0, value);
    ag_ref_write_status(thread, code);
    return AG_REF_STEP_NEXT;
}

static enum ag_ref_step run_store(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const bool structured = is_structured(code);
    const struct agpu_operand *operands = code->instruction->operands;
    const struct memory memory = find_memory(thread, &operands[0]);
    const uint32_t address[2] = {
        ag_ref_read_scalar(thread, &operands[1], 'i'),
        structured ? ag_ref_read_scalar(thread, &operands[2], 'i') : 0,
    };
    uint32_t value[4];
    ag_ref_read(thread, &operands[structured ? 3 : 2], 'b', value);
    for (uint32_t i = 0; i < 4 && !ag_ref_is_inactive(thread); i++) {
        uint8_t *word = find_word(&memory, window(&memory, structured, address) + UINT64_C(4) * i);
        if (word != NULL && operands[0].mask >> i & 1)
            ag_store_u32(word, value[i]);
    }
    return AG_REF_STEP_NEXT;
}

ag_ref_run_fn ag_ref_buffer_run(uint32_t opcode)
{
    static const ag_ref_run_fn table[AGPU_OPCODE_LIMIT] = {
        [AGPU_OP_LD_RAW] = run_load,        [AGPU_OP_LD_RAW_S] = run_load,
        [AGPU_OP_LD_STRUCTURED] = run_load, [AGPU_OP_LD_STRUCTURED_S] = run_load,
        [AGPU_OP_STORE_RAW] = run_store,    [AGPU_OP_STORE_STRUCTURED] = run_store,
    };
    return table[opcode];
}

/* ---- Atomics ------------------------------------------------------------------------------------------ */

/* The word that an atomic operates on. Typed views are addressed like textures, other views by bytes. */
static uint8_t *find_atomic(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                            const uint32_t address[4])
{
    if (operand->type != AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY) {
        const struct ag_ref_view *view = ag_ref_resource(thread, operand);
        const bool is_linear = view->dimension == AGPU_DIMENSION_RAW_BUFFER ||
                               view->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER;
        if (!is_linear) {
            const struct ag_ref_texel texel = ag_ref_texel_address(view, address);
            return view->format.bytes == 4 ? ag_ref_find_texel(view, &texel) : NULL;
        }
    }
    const struct memory memory = find_memory(thread, operand);
    return find_word(&memory, window(&memory, memory.stride != 0, address));
}

/* imm_ forms write the old value to their destination: 0 when the address is out of range (D8). */
static enum ag_ref_step run_atomic(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct agpu_operand *operands = code->instruction->operands;
    const uint32_t memory_at = operands[0].type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW ||
                                       operands[0].type == AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY
                                   ? 0
                                   : 1;
    const uint32_t last = code->info->operand_count - 1u;
    uint32_t address[4], old = 0;
    ag_ref_read(thread, &operands[memory_at + 1], 'i', address);
    const uint32_t value = ag_ref_read_scalar(thread, &operands[last], 'u');
    const uint32_t compare = ag_ref_read_scalar(thread, &operands[memory_at + 2], 'u');
    uint8_t *word = find_atomic(thread, &operands[memory_at], address);
    if (word != NULL && !ag_ref_is_inactive(thread)) {
        old = ag_load_u32(word);
        ag_store_u32(word, ag_ref_atomic_ops[code->instruction->opcode](old, compare, value));
    }
    const uint32_t result[4] = {old, old, old, old};
    if (memory_at == 1)
        ag_ref_write_result(thread, code, 0, result);
    return AG_REF_STEP_NEXT;
}

/* alloc returns the counter before it is incremented, consume after it is decremented: sections 22.17.17 and
 * 22.17.18. */
static enum ag_ref_step run_counter(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct ag_ref_bindings *bindings = thread->run->bindings;
    const uint64_t slot = ag_ref_slot(thread, &code->instruction->operands[1]);
    uint32_t count = 0;
    if (slot < bindings->unordered_count && !ag_ref_is_inactive(thread)) {
        struct ag_ref_view *view = &bindings->unordered[slot];
        count = code->instruction->opcode == AGPU_OP_IMM_ATOMIC_ALLOC ? view->counter++ : --view->counter;
    }
    const uint32_t result[4] = {count, count, count, count};
    ag_ref_write_result(thread, code, 0, result);
    return AG_REF_STEP_NEXT;
}

ag_ref_run_fn ag_ref_atomic_run(uint32_t opcode)
{
    if (opcode == AGPU_OP_IMM_ATOMIC_ALLOC || opcode == AGPU_OP_IMM_ATOMIC_CONSUME)
        return run_counter;
    return ag_ref_atomic_ops[opcode] != NULL ? run_atomic : NULL;
}
