/* SPDX-License-Identifier: MIT
 *
 * What translated instructions compute on a driver, against the values that D3D11's specification names.
 * Usage: test_semantics driver
 *
 * Each case is one instruction between a load of r0-r3 and a store of r4, r5.
 */
#include "../../support/shader_text.h"

#include <math.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "compute_run.h"
#include "wgsl/options.h"

#define INPUT_WORDS 16
#define OUTPUT_WORDS 8
#define NO_NAN 0x7fc00000u /* as an expected value: any NaN */

static struct agpu_gpu *gpu;
static struct diag_log gpu_log;

enum compare { BITS, NEAR, ABSOLUTE };

struct semantic_case {
    const char *code;
    uint32_t in[INPUT_WORDS];
    uint32_t out[OUTPUT_WORDS];
    uint32_t used; /* bits: which words of the output count */
    enum compare compare;
};

#define RETURNS_FROM_LOOP                                                                                    \
    "mov r4.xyzw, l(0, 0, 0, 0)\ncall l1\niadd r4.z, r4.z, l(1)\nstore_raw u0.xyzw, l(0), r4.xyzw\nret\n"    \
    "label l1\nloop\nieq r4.y, r4.x, r0.x\nretc_nz r4.y\nswitch r4.x\ncase l(5)\nret\ndefault\nbreak\n"      \
    "endswitch\niadd r4.x, r4.x, l(1)\nendloop\nret\n"

/* clang-format off */
static const struct semantic_case cases[] = {
    /* moves keep every bit (sheet 1.1) */
    {"mov r4.xyzw, r0.xyzw\n", {0xffbfffca, 0x7fa00000, 0x00000001, 0x80000001},
        {0xffbfffca, 0x7fa00000, 0x00000001, 0x80000001}, 15, BITS},
    {"movc r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw\n", {0x80000000, 0, 1, 0x7fa00000, 1, 2, 3, 0x7fa00001, 5, 6, 7, 8},
        {1, 6, 3, 0x7fa00001}, 15, BITS},
    {"swapc r4.xyzw, r5.xyzw, r0.xyzw, r1.xyzw, r2.xyzw\n", {1, 0, 1, 0, 10, 11, 12, 13, 20, 21, 22, 23},
        {20, 11, 22, 13, 10, 21, 12, 23}, 255, BITS},
    /* sources before destinations (1.2) */
    {"mov r4.xyzw, r0.xyzw\nubfe r4.xyzw, l(8, 8, 8, 8), l(16, 16, 8, 8), r4.yxxy\n",
        {0x11223344, 0x55667788, 0, 0}, {0x66, 0x22, 0x33, 0x77}, 15, BITS},
    {"mov r4.xy, r0.xyxx\nudiv r4.x, r4.y, r4.x, r4.y\n", {17, 5}, {3, 2}, 3, BITS},
    /* comparisons (2.2) */
    {"eq r4.xyzw, r0.xyzw, r1.xyzw\n", {0x7fc00000, 0x3f800000, 0x80000000, 0x3f800000, 0x7fc00000, 0x7fc00000, 0, 0x3f800000},
        {0, 0, UINT32_MAX, UINT32_MAX}, 15, BITS},
    {"ne r4.xyzw, r0.xyzw, r1.xyzw\n", {0x7fc00000, 0x3f800000, 0x80000000, 0x3f800000, 0x7fc00000, 0x7fc00000, 0, 0x3f800000},
        {UINT32_MAX, UINT32_MAX, 0, 0}, 15, BITS},
    {"lt r4.xyzw, r0.xyzw, r1.xyzw\n", {0x7fc00000, 0xbf800000, 0xff800000, 0x3f800000, 0x3f800000, 0x3f800000, 0, 0x7fc00000},
        {0, UINT32_MAX, UINT32_MAX, 0}, 15, BITS},
    {"ge r4.xyzw, r0.xyzw, r1.xyzw\n", {0x7fc00000, 0x80000000, 0x7f800000, 0xbf800000, 0xff800000, 0, 0x7f7fffff, 0x3f800000},
        {0, UINT32_MAX, UINT32_MAX, 0}, 15, BITS},
    {"min r4.xyzw, r0.xyzw, r1.xyzw\n", {0x7fc00000, 0x3f800000, 0x40000000, 0xff800000, 0x3f800000, 0x7fc00000, 0x3f800000, 0},
        {0x3f800000, 0x3f800000, 0x3f800000, 0xff800000}, 15, BITS},
    {"max r4.xyzw, r0.xyzw, r1.xyzw\n", {0x7fc00000, 0x3f800000, 0x40000000, 0x7fc00000, 0x3f800000, 0x7fc00000, 0x3f800000, 0x7fc00000},
        {0x3f800000, 0x3f800000, 0x40000000, NO_NAN}, 15, BITS},
    {"mov_sat r4.xyzw, r0.xyzw\n", {0x7fc00000, 0x7f800000, 0xff800000, 0x3e800000},
        {0, 0x3f800000, 0, 0x3e800000}, 15, BITS},
    /* special values (2.4) */
    {"rcp r4.xyzw, r0.xyzw\n", {0xff800000, 0x80000000, 0x00000001, 0x7f800000},
        {0x80000000, 0xff800000, 0x7f800000, 0}, 15, BITS},
    {"rcp r4.xyzw, r0.xyzw\n", {0x40000000, 0x40400000, 0xc0800000, 0x7e000000},
        {0x3f000000, 0x3eaaaaab, 0xbe800000, 0x01000000}, 15, NEAR},
    {"rsq r4.xyzw, r0.xyzw\n", {0xff800000, 0xbf800000, 0x80000000, 0x7f800000},
        {NO_NAN, NO_NAN, 0xff800000, 0}, 15, BITS},
    {"rsq r4.xyzw, r0.xyzw\n", {0x40800000, 0x3f800000, 0x41800000, 0x3e800000},
        {0x3f000000, 0x3f800000, 0x3e800000, 0x40000000}, 15, NEAR},
    {"sqrt r4.xyzw, r0.xyzw\n", {0xbf800000, 0x80000000, 0x7f800000, 0x40800000},
        {NO_NAN, 0x80000000, 0x7f800000, 0x40000000}, 15, NEAR},
    {"log r4.xyzw, r0.xyzw\n", {0xbf800000, 0x80000000, 0x7f800000, 0x41000000},
        {NO_NAN, 0xff800000, 0x7f800000, 0x40400000}, 15, NEAR},
    {"exp r4.xyzw, r0.xyzw\n", {0xff800000, 0x7f800000, 0x00000001, 0x40400000},
        {0, 0x7f800000, 0x3f800000, 0x41000000}, 15, NEAR},
    /* the largest power of two, and the first that is none */
    {"exp r4.xyzw, r0.xyzw\n", {0x42fe0000, 0x43000000, 0xc2fc0000, 0xc3160001},
        {0x7f000000, 0x7f800000, 0x00800000, 0}, 15, NEAR},
    {"frc r4.xyzw, r0.xyzw\n", {0xbe800000, 0xaedbe6ff, 0x7f800000, 0x40200000},
        {0x3f400000, 0x3f7fffff, NO_NAN, 0x3f000000}, 15, BITS},
    {"sincos r4.xyzw, r5.xyzw, r0.xyzw\n", {0x7f800000, 0x80000000, 0x3fc90fdb, 0x439d1463},
        {NO_NAN, 0x80000000, 0x3f800000, 0, NO_NAN, 0x3f800000, 0, 0x3f800000}, 255, ABSOLUTE},
    {"round_ne r4.xyzw, r0.xyzw\n", {0x40200000, 0x40600000, 0x80000000, 0xbf000000},
        {0x40000000, 0x40800000, 0x80000000, 0x80000000}, 15, BITS},
    {"round_ni r4.x, r0.x\nround_pi r4.y, r0.y\nround_z r4.z, r0.z\nround_ni r4.w, r0.w\n", {0xbe800000, 0x3e800000, 0xbfc00000, 0x7f800000},
        {0xbf800000, 0x3f800000, 0xbf800000, 0x7f800000}, 15, BITS},
    {"round_ni r4.xy, r0.xyxx\nround_pi r4.zw, r0.zwzw\n", {0x80000001, 0x807fffff, 1, 0x007fffff},
        {0x80000000, 0x80000000, 0, 0}, 15, BITS},
    /* the largest float as a literal */
    {"add r4.x, r0.x, l(0x7f7fffff)\nmin r4.y, r0.y, l(0xff7fffff)\n", {0, 0}, {0x7f7fffff, 0xff7fffff}, 3, BITS},
    {"mul r4.x, r0.x, r1.x\nadd r4.y, r0.y, r1.y\nmul r4.z, r0.z, r1.z\ndiv r4.w, r0.w, r1.w\n",
        {0x7f800000, 0x7f800000, 0x40000000, 0x3f800000, 0, 0xff800000, 0x40400000, 0},
        {NO_NAN, NO_NAN, 0x40c00000, 0x7f800000}, 15, BITS},
    {"dp4 r4.x, r0.xyzw, r1.xyzw\ndp3 r4.y, r0.xyzx, r1.xyzx\ndp2 r4.z, r0.xyxx, r1.xyxx\n",
        {0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x3f800000, 0x40000000, 0x40400000, 0x40800000},
        {0x41f00000, 0x41600000, 0x40a00000}, 7, BITS},
    {"add r4.xy, |r0.xyxx|, -|r1.xyxx|\nmov r4.z, -r0.z\nmov r4.w, |r0.w|\n",
        {0xbf800000, 0xc0000000, 0x7f800000, 0xff800000, 0xbf000000, 0x3f800000},
        {0x3f000000, 0x3f800000, 0xff800000, 0x7f800000}, 15, BITS},
    /* modifiers of literals */
    {"add r4.x, r0.x, -|l(-2.0)|\nmul r4.y, r0.y, |l(-3.0)|\nmul r4.z, r0.z, -l(-4.0)\n",
        {0x40a00000, 0x3f800000, 0x3f800000}, {0x40400000, 0x40400000, 0x40800000}, 7, BITS},
    /* a comparison masks what it lets through */
    {"lt r4.xyzw, r0.xyzw, r1.xyzw\nand r4.xyzw, r4.xyzw, r2.xyzw\n",
        {0x3f800000, 0x40400000, 0xbf800000, 0x7fc00000, 0x40000000, 0x40000000, 0, 0x40000000,
         0x12345678, 0x87654321, 0x3f800000, 7}, {0x12345678, 0, 0x3f800000, 0}, 15, BITS},
    /* integers (3) */
    {"umul r4.xy, r5.xy, r0.xyxx, r1.xyxx\n", {UINT32_MAX, 7, 0, 0, UINT32_MAX, 6},
        {0xfffffffe, 0, 0, 0, 1, 42}, 0x33, BITS},
    {"imul r4.xy, r5.xy, r0.xyxx, r1.xyxx\n", {UINT32_MAX, 0x80000000, 0, 0, UINT32_MAX, 2},
        {0, UINT32_MAX, 0, 0, 1, 0}, 0x33, BITS},
    {"uaddc r4.x, r5.x, r0.x, r1.x\nusubb r4.y, r5.y, r0.y, r1.y\n", {UINT32_MAX, 1, 0, 0, 2, 2},
        {1, UINT32_MAX, 0, 0, 1, 1}, 0x33, BITS},
    {"udiv r4.xy, r5.xy, r0.xyxx, r1.xyxx\n", {17, 9, 0, 0, 5, 0}, {3, UINT32_MAX, 0, 0, 2, UINT32_MAX}, 0x33, BITS},
    {"ubfe r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw\n", {32, 8, 8, 31, 0, 28, 4, 1, 0xdeadbeef, 0xf0000000, 0x12345678, 0xffffffff},
        {0, 0xf, 0x67, 0x7fffffff}, 15, BITS},
    {"ibfe r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw\n", {4, 8, 8, 32, 28, 0, 0, 0, 0x80000000, 0xff, 0x7f, 0xffffffff},
        {0xfffffff8, 0xffffffff, 0x7f, 0}, 15, BITS},
    {"bfi r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw\n",
        {32, 8, 4, 0, 0, 28, 4, 0, 0xaaaaaaaa, 0xff, 0xf, 1, 0x12345678, 0x12345678, 0, 7},
        {0x12345678, 0xf2345678, 0xf0, 7}, 15, BITS},
    {"firstbit_hi r4.xyzw, r0.xyzw\nfirstbit_lo r5.xyzw, r0.xyzw\n", {0x10000000, 0, 1, UINT32_MAX},
        {3, UINT32_MAX, 31, 0, 28, UINT32_MAX, 0, 0}, 255, BITS},
    {"firstbit_shi r4.xyzw, r0.xyzw\n", {0xf0000000, 0, UINT32_MAX, 1}, {4, UINT32_MAX, UINT32_MAX, 31}, 15, BITS},
    {"countbits r4.xy, r0.xyxx\nbfrev r4.zw, r0.zwzw\n", {0xf0f0, 0, 0x12345678, 1}, {8, 0, 0x1e6a2c48, 0x80000000}, 15, BITS},
    {"ishl r4.x, r0.x, r1.x\nishr r4.y, r0.y, r1.y\nushr r4.z, r0.z, r1.z\nineg r4.w, r0.w\n",
        {3, 0x80000000, 0x80000000, 0x80000000, 33, 36, 63},
        {6, 0xf8000000, 1, 0x80000000}, 15, BITS},
    {"imin r4.x, r0.x, r1.x\nimax r4.y, r0.y, r1.y\numin r4.z, r0.z, r1.z\numax r4.w, r0.w, r1.w\n",
        {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 1, 1, 1}, {UINT32_MAX, 1, 1, UINT32_MAX}, 15, BITS},
    {"ilt r4.x, r0.x, r1.x\nult r4.y, r0.y, r1.y\nige r4.z, r0.z, r1.z\nuge r4.w, r0.w, r1.w\n",
        {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 1, 1, 1}, {UINT32_MAX, 0, 0, UINT32_MAX}, 15, BITS},
    {"imad r4.x, r0.x, r1.x, r2.x\niadd r4.y, r0.y, -r1.y\nxor r4.z, r0.z, r1.z\nnot r4.w, r0.w\n",
        {0x10000, 5, 0xff00ff00, 0, 0x10000, 7, 0x0ff00ff0, 0, 9}, {9, 0xfffffffe, 0xf0f0f0f0, UINT32_MAX}, 15, BITS},
    /* conversions (4) */
    {"ftoi r4.xyzw, r0.xyzw\n", {0x4f32d05e, 0xcf32d05e, 0xbff33333, 0x7fc00000},
        {0x7fffffff, 0x80000000, UINT32_MAX, 0}, 15, BITS},
    {"ftou r4.xyzw, r0.xyzw\n", {0x4f9502f9, 0x7f800000, 0xbf800000, 0x4f7fffff},
        {UINT32_MAX, UINT32_MAX, 0, 0xffffff00}, 15, BITS},
    {"itof r4.xy, r0.xyxx\nutof r4.zw, r0.zwzw\n", {UINT32_MAX, 0x80000000, UINT32_MAX, 7},
        {0xbf800000, 0xcf000000, 0x4f800000, 0x40e00000}, 15, BITS},
    {"f32tof16 r4.xyzw, r0.xyzw\n", {0x3f800000, 0x477fe000, 0x7f800000, 0x33800000},
        {0x3c00, 0x7bff, 0x7c00, 1}, 15, BITS},
    {"f32tof16 r4.xyzw, r0.xyzw\n", {0x477ff000, 0xbf801fff, 0x80000000, 0x387fc000},
        {0x7bff, 0xbc00, 0x8000, 0x3ff}, 15, BITS},
    {"f16tof32 r4.xyzw, r0.xyzw\n", {0x3c00, 1, 0xabcd7c00, 0x12348000},
        {0x3f800000, 0x33800000, 0x7f800000, 0x80000000}, 15, BITS},
    {"msad r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw\n", {0x01020304, 0xff00ff00, 0x000000ff, 0, 0x02020202, 0x00000000, 0, 0xffffffff, 10, 0, 0xffffff80, 3},
        {14, 510, UINT32_MAX, 3}, 15, BITS},
    /* memory: out of range reads 0, the low two bits of an address do not count (14, D9) */
    {"ld_raw r4.xyzw, r0.x, t0.xyzw\nld_raw r5.xy, r0.y, t0.xyxx\nld_raw r5.zw, r0.z, t0.xxxy\n",
        {56, 0x1000, 7, 0, 40, 50, 60, 70, 0, 0, 0, 0, 0, 0, 1001, 1002},
        {1001, 1002, 0, 0, 0, 0, 0x1000, 7}, 0xff, BITS},
    /* every component of bufinfo has the count (22.4.1) */
    {"bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r4.xyzw, t0.xyzw\n", {0}, {64, 64, 64, 64}, 15, BITS},
    /* atomics give the old value; out of range 0 and nothing happens (D8) */
    {"imm_atomic_umax r4.x, u0, l(28), l(7)\nimm_atomic_imin r4.y, u0, l(28), l(-3)\n"
     "imm_atomic_cmp_exch r4.z, u0, l(28), l(-3), l(9)\nimm_atomic_exch r4.w, u0, l(28), l(1)\n"
     "imm_atomic_iadd r5.x, u0, l(4096), l(1)\nimm_atomic_or r5.y, u0, l(28), l(6)\n"
     "imm_atomic_and r5.z, u0, l(28), l(3)\nimm_atomic_xor r5.w, u0, l(28), l(1)\n",
        {0}, {0, 7, 0xfffffffd, 9, 0, 1, 7, 3}, 255, BITS},
    /* group shared memory starts at 0 and has bounds of its own (7.6, D7) */
    {"ld_raw r4.x, l(4), g0.xxxx\nstore_raw g0.xy, l(8), r0.xyxx\nstore_raw g0.x, l(16), r0.xxxx\n"
     "sync_g_t\nld_raw r4.yzw, l(8), g0.xxyz\natomic_iadd g1, l(1, 4, 0, 0), l(5)\n"
     "imm_atomic_iadd r5.x, g1, l(1, 4, 0, 0), l(1)\nld_structured r5.yz, l(1), l(4), g1.xxyx\n"
     "ld_structured r5.w, l(2), l(0), g1.xxxx\n",
        {11, 22}, {0, 11, 22, 0, 5, 6, 0, 0}, 255, BITS},
    /* arrays: out of range reads 0, writes vanish (D5) */
    {"mov x0[0].xyzw, l(1, 2, 3, 4)\nmov x0[1].xyzw, l(5, 6, 7, 8)\nmov x0[r0.x + 0].x, l(99)\n"
     "mov r4.x, x0[r0.y + 0].z\nmov r4.y, x0[r0.x + 0].y\nmov r4.z, x0[r0.z + 0].x\nmov r4.w, x0[1].x\n",
        {9, 0, UINT32_MAX}, {3, 0, 0, 5}, 15, BITS},
    /* flow (5): a switch that falls through, a loop, breaks inside */
    {"mov r4.xyzw, l(0, 0, 0, 0)\nloop\nuge r4.y, r4.x, r0.x\nbreakc_nz r4.y\niadd r4.x, r4.x, l(1)\n"
     "switch r4.x\ncase l(2)\niadd r4.z, r4.z, l(10)\nbreak\ncase l(3)\niadd r4.z, r4.z, l(100)\ncase l(4)\n"
     "iadd r4.z, r4.z, l(1000)\nbreak\ndefault\ncontinue\nendswitch\niadd r4.w, r4.w, l(1)\nendloop\n",
        {6}, {6, UINT32_MAX, 2110, 3}, 15, BITS},
    /* falling through: from two labels, into the default and out of it, with a break on the way, inside another */
    {"mov r4.xyzw, l(0, 0, 0, 0)\nmov r5.xyzw, l(0, 0, 0, 0)\nloop\nige r3.x, r4.x, l(7)\nbreakc_nz r3.x\nmov r3.y, r4.x\n"
     "switch r4.x\ncase l(0)\ncase l(1)\niadd r4.y, r4.y, l(1)\nmov r4.x, l(5)\ndefault\niadd r4.z, r4.z, l(1)\nieq r3.x, r3.y, l(6)\n"
     "breakc_nz r3.x\nswitch r3.y\ncase l(0)\niadd r5.x, r5.x, l(1)\ncase l(3)\niadd r5.y, r5.y, l(1)\nendswitch\n"
     "case l(2)\niadd r4.w, r4.w, l(1)\nbreak\ncase l(9)\nbreak\nendswitch\niadd r4.x, r3.y, l(1)\nendloop\n",
        {0}, {7, 2, 6, 6, 1, 2}, 63, BITS},
    /* a subroutine that returns from inside a loop and a switch */
    {RETURNS_FROM_LOOP, {3}, {3, UINT32_MAX, 1}, 7, BITS},
    {RETURNS_FROM_LOOP, {9}, {5, 0, 1}, 7, BITS},
    {"if_nz r0.x\nmov r4.x, r0.y\nelse\nmov r4.x, r0.z\nendif\nif_z r0.x\nmov r4.y, r0.y\nelse\nmov r4.y, r0.z\nendif\n",
        {0x80000000, 5, 6}, {5, 6}, 3, BITS},
};
/* clang-format on */

static const char frame_text[] =
    "cs_5_0\n"
    "dcl_globalFlags refactoringAllowed | enable11_1ShaderExtensions\n"
    "dcl_resource_raw t0\n"
    "dcl_uav_raw u0\n"
    "dcl_temps 6\n"
    "dcl_indexableTemp x0[2], 4\n"
    "dcl_tgsm_raw g0, 16\n"
    "dcl_tgsm_structured g1, 8, 2\n"
    "dcl_thread_group 1, 1, 1\n"
    "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.xyzw, l(0), t0.xyzw\n"
    "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.xyzw, l(16), t0.xyzw\n"
    "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r2.xyzw, l(32), t0.xyzw\n"
    "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r3.xyzw, l(48), t0.xyzw\n"
    "%s"
    "store_raw u0.xyzw, l(0), r4.xyzw\n"
    "store_raw u0.xyzw, l(16), r5.xyzw\n"
    "ret\n";

/* ---- Comparing ---------------------------------------------------------------------------------------- */

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

static bool matches(uint32_t got, uint32_t want, enum compare compare)
{
    if (want == NO_NAN)
        return is_nan(got);
    if (got == want || compare == BITS)
        return got == want;
    double g = (double)ag_float_from_bits(got), w = (double)ag_float_from_bits(want);
    double limit = compare == NEAR ? fabs(w) * 0x1p-21 : 0.0008;
    return isfinite(g) && isfinite(w) && fabs(g - w) <= limit;
}

static bool check_case(const struct semantic_case *c)
{
    char text[4096];
    uint32_t out[OUTPUT_WORDS];
    snprintf(text, sizeof text, frame_text, c->code);
    struct agpu_shader *shader = shader_from_text(text);
    struct first_error error = {0};
    const struct agpu_diag_sink sink = {keep_first_error, &error};
    struct agpu_module *module;
    bool good = ag_translate(shader, NULL, &sink, &module) == AGPU_OK;
    if (!good) {
        print_error("%s%s\n", c->code, error.message);
    } else {
        compute_run(gpu, module, c->in, INPUT_WORDS, out, OUTPUT_WORDS, 1);
        for (uint32_t i = 0; i < OUTPUT_WORDS; i++) {
            if (!(c->used >> i & 1) || matches(out[i], c->out[i], c->compare))
                continue;
            print_error("%sword %u is 0x%08x, should be 0x%08x\n", c->code, i, out[i], c->out[i]);
            good = false;
        }
    }
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
    return good;
}

static void instructions_give_the_specified_values(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < AG_COUNT_OF(cases); i++)
        wrong += !check_case(&cases[i]);
    assert_int_equal(wrong, 0);
    assert_int_equal(gpu_log.count, 0);
}

int main(int argc, char **argv)
{
    const int opened = compute_open(argc, argv, &gpu_log, &gpu);
    if (opened != 0)
        return opened;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_give_the_specified_values),
    };
    const int failed = cmocka_run_group_tests_name("wgsl/semantics", tests, NULL, NULL);
    agpu_gpu_destroy(gpu);
    return failed;
}
