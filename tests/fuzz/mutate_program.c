/* SPDX-License-Identifier: MIT
 *
 * Changes shaders so that most of them are still shaders: the container stays as it is, dwords of its program
 * change to what may stand there. Bytes at random would seldom get past the parser.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "random.h"

#define HEADER_BYTES 32
#define NOP (UINT32_C(1) << 24 | AGPU_OP_NOP)

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

struct program {
    uint8_t *tokens;
    uint32_t count; /* dwords, the version and the length included */
};

static bool find_program(uint8_t *data, size_t size, struct program *program)
{
    const uint32_t chunks = size < HEADER_BYTES ? 0 : ag_load_u32(data + 28);
    for (uint32_t i = 0; i < chunks && HEADER_BYTES + 4 * ((size_t)i + 1) <= size; i++) {
        const uint32_t at = ag_load_u32(data + HEADER_BYTES + 4 * (size_t)i);
        if (at > size - 8 || (memcmp(data + at, "SHDR", 4) != 0 && memcmp(data + at, "SHEX", 4) != 0))
            continue;
        const uint32_t bytes = ag_load_u32(data + at + 4);
        *program = (struct program){data + at + 8, bytes / 4};
        return bytes <= size - at - 8 && program->count > 3;
    }
    return false;
}

static uint32_t token(const struct program *program, uint32_t index)
{
    return ag_load_u32(program->tokens + 4 * (size_t)index);
}

static void set_token(const struct program *program, uint32_t index, uint32_t value)
{
    ag_store_u32(program->tokens + 4 * (size_t)index, value);
}

static uint32_t length_at(const struct program *program, uint32_t index)
{
    const uint32_t first = token(program, index);
    uint32_t length = first >> 24 & 0x7f;
    if ((first & 0x7ff) == AGPU_OP_CUSTOMDATA)
        length = index + 1 < program->count ? token(program, index + 1) : 0;
    return length == 0 || length > program->count - index ? 0 : length;
}

/* The start of an instruction at random, and its length; 0 when there is none. */
static uint32_t pick(const struct program *program, uint64_t *random, uint32_t *length)
{
    uint32_t count = 0, chosen = 0;
    for (uint32_t at = 2; at < program->count; at += *length) {
        *length = length_at(program, at);
        if (*length == 0)
            break;
        if (next_random(random) % ++count == 0)
            chosen = at;
    }
    *length = chosen != 0 ? length_at(program, chosen) : 0;
    return chosen;
}

/* An opcode that takes the same operands. */
static void change_opcode(const struct program *program, uint32_t at, uint64_t *random)
{
    const uint32_t old = token(program, at);
    const struct agpu_opcode_info *info = agpu_opcode_info(old & 0x7ff);
    for (int tries = 0; info != NULL && info->operands != NULL && tries < 64; tries++) {
        const uint32_t number = next_random(random) % AGPU_OPCODE_LIMIT;
        const struct agpu_opcode_info *other = agpu_opcode_info(number);
        if (other == NULL || other->mnemonic == NULL || other->operand_count != info->operand_count)
            continue;
        set_token(program, at, (old & ~UINT32_C(0x7ff)) | number);
        return;
    }
}

/* The tokens of another instruction of the same length. */
static void copy_instruction(const struct program *program, uint32_t at, uint32_t length, uint64_t *random)
{
    for (int tries = 0; tries < 16; tries++) {
        uint32_t other_length;
        const uint32_t other = pick(program, random, &other_length);
        if (other != at && other_length == length) {
            memmove(program->tokens + 4 * (size_t)at, program->tokens + 4 * (size_t)other,
                    4 * (size_t)length);
            return;
        }
    }
}

static void change_dword(const struct program *program, uint32_t at, uint64_t *random)
{
    static const uint32_t corners[] = {0,          1,          2,          3,          0x7f,       0xff,
                                       0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 0x80000000, 0xffffffff,
                                       0x7fffffff, 0x00000001, 0x4f000000, 0x47800000};
    const uint32_t old = token(program, at);
    switch (next_random(random) % 5) {
    case 0: /* a swizzle or a mask */
        set_token(program, at, (old & ~UINT32_C(0xff0)) | (next_random(random) & 0xff) << 4);
        break;
    case 1: /* a register number */
        set_token(program, at, next_random(random) % 8);
        break;
    case 2: /* an immediate */
        set_token(program, at, corners[next_random(random) % AG_COUNT_OF(corners)]);
        break;
    case 3: /* an operand's file */
        set_token(program, at,
                  (old & ~UINT32_C(0xff000)) | next_random(random) % AGPU_OPERAND_TYPE_COUNT << 12);
        break;
    default:
        set_token(program, at, old ^ UINT32_C(1) << next_random(random) % 32);
        break;
    }
}

static void change(const struct program *program, uint64_t *random)
{
    uint32_t length;
    const uint32_t at = pick(program, random, &length);
    if (length == 0)
        return;
    switch (next_random(random) % 8) {
    case 0:
        change_opcode(program, at, random);
        break;
    case 1:
        copy_instruction(program, at, length, random);
        break;
    case 2:
        for (uint32_t i = 0; i < length; i++)
            set_token(program, at + i, NOP);
        break;
    case 3: /* saturate, test, interpolation and the like */
        set_token(program, at, token(program, at) ^ UINT32_C(1) << (11 + next_random(random) % 13));
        break;
    default:
        change_dword(program, at + next_random(random) % length, random);
        break;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t random = seed;
    struct program program;
    if (next_random(&random) % 8 == 0 || !find_program(data, size, &program))
        return LLVMFuzzerMutate(data, size, max_size);
    for (uint32_t changes = 1 + next_random(&random) % 3; changes > 0; changes--)
        change(&program, &random);
    return size;
}
