/* SPDX-License-Identifier: MIT
 *
 * Double instructions on a driver against the processor's own doubles, which are IEEE 754 binary64 as D3D11
 * asks (22.14 to 22.17.6). Usage: test_doubles driver
 */
#include "../../support/shader_text.h"

#include <math.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "compute_run.h"
#include "wgsl/options.h"

#define GROUP 64
#define GROUPS 48
#define COUNT ((size_t)GROUP * GROUPS)
#define IN_WORDS 6
#define OUT_WORDS 32

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

static const char program[] =
    "cs_5_0\n"
    "dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions\n"
    "dcl_resource_raw t0\n"
    "dcl_uav_raw u0\n"
    "dcl_input vThreadID.x\n"
    "dcl_temps 8\n"
    "dcl_thread_group 64, 1, 1\n"
    "imul null, r7.x, vThreadID.x, l(24)\n"
    "ishl r7.y, vThreadID.x, l(7)\n"
    "ld_raw r0.xyzw, r7.x, t0.xyzw\n"
    "iadd r7.x, r7.x, l(16)\n"
    "ld_raw r1.xy, r7.x, t0.xyxx\n"
    "dadd r2.xy, r0.xyxy, r0.zwzw\n"
    "dmul r2.zw, r0.xyxy, r0.zwzw\n"
    "store_raw u0.xyzw, r7.y, r2.xyzw\n"
    "iadd r7.y, r7.y, l(16)\n"
    "dfma r2.xy, r0.xyxy, r0.zwzw, r1.xyxy\n"
    "ddiv r2.zw, r0.xyxy, r0.zwzw\n"
    "store_raw u0.xyzw, r7.y, r2.xyzw\n"
    "iadd r7.y, r7.y, l(16)\n"
    "drcp r2.xy, r0.xyxy\n"
    "dmin r2.zw, r0.xyxy, r0.zwzw\n"
    "store_raw u0.xyzw, r7.y, r2.xyzw\n"
    "iadd r7.y, r7.y, l(16)\n"
    "dmax r2.xy, r0.xyxy, r0.zwzw\n"
    "dmov_sat r2.zw, r0.xyxy\n"
    "store_raw u0.xyzw, r7.y, r2.xyzw\n"
    "iadd r7.y, r7.y, l(16)\n"
    "deq r2.x, r0.xyxy, r0.zwzw\n"
    "dlt r2.y, r0.xyxy, r0.zwzw\n"
    "dge r2.z, r0.xyxy, r0.zwzw\n"
    "dne r2.w, r0.xyxy, r0.zwzw\n"
    "store_raw u0.xyzw, r7.y, r2.xyzw\n"
    "iadd r7.y, r7.y, l(16)\n"
    "dtof r2.x, r0.xyxy\n"
    "dtoi r2.y, r0.xyxy\n"
    "dtou r2.z, r0.xyxy\n"
    "mov r2.w, l(0)\n"
    "store_raw u0.xyzw, r7.y, r2.xyzw\n"
    "iadd r7.y, r7.y, l(16)\n"
    "ftod r2.xy, r0.y\n"
    "itod r2.zw, r0.yyyy\n"
    "store_raw u0.xyzw, r7.y, r2.xyzw\n"
    "iadd r7.y, r7.y, l(16)\n"
    "utod r2.xy, r0.x\n"
    "dmovc r2.zw, r0.xxxx, -r0.zwzw, |r1.xyxy|\n"
    "store_raw u0.xyzw, r7.y, r2.xyzw\n"
    "ret\n";

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t to_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool is_nan(uint64_t bits)
{
    return (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

static const uint64_t edges[] = {
    0,
    UINT64_C(0x8000000000000000),
    1,
    UINT64_C(0x8000000000000001),
    UINT64_C(0x000fffffffffffff),
    UINT64_C(0x0010000000000000),
    UINT64_C(0x3ff0000000000000),
    UINT64_C(0xbff0000000000000),
    UINT64_C(0x3ff0000000000001),
    UINT64_C(0x3fefffffffffffff),
    UINT64_C(0x4340000000000000), /* 2 to the 53rd */
    UINT64_C(0x41dfffffffc00000), /* INT32_MAX */
    UINT64_C(0xc1e0000000000000), /* INT32_MIN */
    UINT64_C(0x41efffffffe00000), /* UINT32_MAX */
    UINT64_C(0x41f0000000000000),
    UINT64_C(0x36a0000000000000), /* the smallest float, and half of it */
    UINT64_C(0x3690000000000000),
    UINT64_C(0x47efffffefffffff), /* just below and at what rounds to an infinite float */
    UINT64_C(0x47effffff0000000),
    UINT64_C(0x3ff0000010000000), /* a tie between two floats */
    UINT64_C(0x7fefffffffffffff),
    UINT64_C(0x7ff0000000000000),
    UINT64_C(0xfff0000000000000),
    UINT64_C(0x7ff8000000000000),
    UINT64_C(0xfff0000000000001),
};

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Edge values, any bits, short fractions, and values of about the size of another, which cancel. */
static uint64_t make_operand(uint64_t *state, uint64_t other)
{
    const uint64_t r = next_random(state), kind = next_random(state) % 8;
    if (kind == 0)
        return edges[r % AG_COUNT_OF(edges)];
    if (kind == 1)
        return r & UINT64_C(0xfffffe0000000000);
    if (kind == 2)
        return (r & UINT64_C(0x800fffffffffffff)) | (UINT64_C(1023 - 4) + (r >> 52 & 63)) << 52;
    if (kind < 6)
        return (other ^ (r & UINT64_C(0x8000000000000000))) + (r & 7) - ((r >> 8 & 3) << (r >> 12 & 63) % 57);
    return r;
}

static void make_inputs(uint32_t *in)
{
    uint64_t state = 20, a, b, c;
    for (size_t i = 0; i < COUNT; i++) {
        a = make_operand(&state, UINT64_C(0x3ff8000000000000));
        b = make_operand(&state, a);
        c = make_operand(&state, to_bits(-(from_bits(a) * from_bits(b))));
        if (i < AG_COUNT_OF(edges) * AG_COUNT_OF(edges)) {
            a = edges[i / AG_COUNT_OF(edges)];
            b = edges[i % AG_COUNT_OF(edges)];
        }
        ag_store_u64(in + i * IN_WORDS, a);
        ag_store_u64(in + i * IN_WORDS + 2, b);
        ag_store_u64(in + i * IN_WORDS + 4, c);
    }
}

/* ---- Expectations ------------------------------------------------------------------------------------- */

static bool before(uint64_t a, uint64_t b)
{
    const uint64_t sign = UINT64_C(1) << 63;
    return (a & sign ? ~a : a | sign) < (b & sign ? ~b : b | sign);
}

static uint64_t minimum(uint64_t a, uint64_t b)
{
    return is_nan(a) ? b : is_nan(b) ? a : before(b, a) ? b : a;
}

static uint64_t maximum(uint64_t a, uint64_t b)
{
    return is_nan(a) ? b : is_nan(b) ? a : before(a, b) ? b : a;
}

static uint32_t to_int(double a)
{
    if (isnan(a))
        return 0;
    return a >= 2147483648.0 ? INT32_MAX : a <= -2147483648.0 ? 0x80000000 : (uint32_t)(int32_t)a;
}

static uint32_t to_uint(double a)
{
    if (isnan(a) || a <= 0)
        return 0;
    return a >= 4294967296.0 ? UINT32_MAX : (uint32_t)a;
}

static bool same_double(const char *name, const uint32_t *got, uint64_t want)
{
    const uint64_t bits = ag_load_u64(got);
    if (bits == want || (is_nan(bits) && is_nan(want)))
        return true;
    print_error("%s gives 0x%016llx, should be 0x%016llx\n", name, (unsigned long long)bits,
                (unsigned long long)want);
    return false;
}

static bool same_word(const char *name, uint32_t got, uint32_t want)
{
    if (got == want)
        return true;
    print_error("%s gives 0x%08x, should be 0x%08x\n", name, got, want);
    return false;
}

/* A NaN is a NaN; a denormal float may be lost on its way through a float32 register. */
static bool same_float(uint32_t got, float value)
{
    const uint32_t want = ag_bits_from_float(value);
    if (isnan(value) && (got & INT32_MAX) > 0x7f800000)
        return true;
    if ((want & 0x7f800000) == 0 && got == (want & 0x80000000))
        return true;
    return same_word("dtof", got, want);
}

static bool check_one(const uint32_t *in, const uint32_t *out)
{
    const uint64_t x = ag_load_u64(in), y = ag_load_u64(in + 2), z = ag_load_u64(in + 4);
    const double a = from_bits(x), b = from_bits(y), c = from_bits(z);
    const uint64_t low = (uint32_t)x, one = UINT64_C(0x3ff0000000000000);
    bool good = same_double("dadd", out, to_bits(a + b));
    good &= same_double("dmul", out + 2, to_bits(a * b));
    good &= same_double("dfma", out + 4, to_bits(fma(a, b, c)));
    good &= same_double("ddiv", out + 6, to_bits(a / b));
    good &= same_double("drcp", out + 8, to_bits(1.0 / a));
    good &= same_double("dmin", out + 10, minimum(x, y));
    good &= same_double("dmax", out + 12, maximum(x, y));
    good &= same_double("dmov_sat", out + 14, minimum(maximum(x, 0), one));
    good &= same_word("deq", out[16], a == b ? UINT32_MAX : 0);
    good &= same_word("dlt", out[17], a < b ? UINT32_MAX : 0);
    good &= same_word("dge", out[18], a >= b ? UINT32_MAX : 0);
    good &= same_word("dne", out[19], a != b ? UINT32_MAX : 0);
    good &= same_float(out[20], (float)a);
    good &= same_word("dtoi", out[21], to_int(a));
    good &= same_word("dtou", out[22], to_uint(a));
    good &= same_double("ftod", out + 24, to_bits((double)ag_float_from_bits(in[1])));
    good &= same_double("itod", out + 26, to_bits((double)(int32_t)in[1]));
    good &= same_double("utod", out + 28, to_bits((double)in[0]));
    good &= same_double("dmovc", out + 30, low != 0 ? y ^ UINT64_C(1) << 63 : z & INT64_MAX);
    if (!good)
        print_error("  of 0x%016llx, 0x%016llx, 0x%016llx\n", (unsigned long long)x, (unsigned long long)y,
                    (unsigned long long)z);
    return good;
}

static void doubles_are_binary64(void **state)
{
    (void)state;
    static uint32_t in[COUNT * IN_WORDS], out[COUNT * OUT_WORDS];
    struct agpu_shader *shader = shader_from_text(program);
    struct agpu_module *module;
    assert_int_equal(ag_translate(shader, NULL, NULL, &module), AGPU_OK);
    make_inputs(in);
    compute_run(gpu, module, in, AG_COUNT_OF(in), out, AG_COUNT_OF(out), GROUPS);
    unsigned wrong = 0;
    for (size_t i = 0; i < COUNT && wrong < 10; i++)
        wrong += !check_one(in + i * IN_WORDS, out + i * OUT_WORDS);
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
    assert_int_equal(wrong, 0);
    assert_int_equal(gpu_log.count, 0);
}

int main(int argc, char **argv)
{
    const int opened = compute_open(argc, argv, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_binary64),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/doubles", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
