// Microsoft (R) HLSL Shader Compiler 6.3.9600.16384
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// no elements
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// no elements
//
cs_5_0
.chunk RDEF 504
.hex 03000000 a4000000 03000000 3c000000 00055343 00810000 c4010000 52443131
.hex 3c000000 18000000 20000000 28000000 24000000 0c000000 00000000 9c000000
.hex 05000000 06000000 01000000 10000000 00000000 01000000 00000000 9e000000
.hex 05000000 06000000 01000000 10000000 01000000 01000000 00000000 a0000000
.hex 06000000 06000000 01000000 10000000 00000000 01000000 00000000 61006200
.hex 6f00abab 9c000000 01000000 ec000000 10000000 00000000 03000000 9e000000
.hex 01000000 48010000 10000000 00000000 03000000 a0000000 01000000 9c010000
.hex 10000000 00000000 03000000 14010000 00000000 10000000 02000000 24010000
.hex 00000000 ffffffff 00000000 ffffffff 00000000 24456c65 6d656e74 0075696e
.hex 743400ab 01001300 01000400 00000000 00000000 00000000 00000000 00000000
.hex 00000000 1d010000 14010000 00000000 10000000 02000000 78010000 00000000
.hex ffffffff 00000000 ffffffff 00000000 696e7434 00ababab 01000200 01000400
.hex 00000000 00000000 00000000 00000000 00000000 00000000 70010000 14010000
.hex 00000000 10000000 02000000 24010000 00000000 ffffffff 00000000 ffffffff
.hex 00000000 4d696372 6f736f66 74202852 2920484c 534c2053 68616465 7220436f
.hex 6d70696c 65722036 2e332e39 3630302e 31363338 3400abab
.chunk ISGN
.chunk OSGN
.chunk SHEX
.chunk STAT 148
.hex 19000000 07000000 00000000 01000000 00000000 06000000 00000000 01000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 02000000
.hex 00000000 00000000 00000000 01000000 02000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 06000000
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 16
dcl_resource_structured t1, 16
dcl_uav_structured u0, 16
dcl_input vThreadID.x
dcl_temps 7
dcl_thread_group 64, 1, 1
imul null, r0.x, vThreadID.x, l(6)
ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r1.xyzw, vThreadID.x, l(0), t0.xyzw
countbits r2.xyzw, r1.xyzw
store_structured u0.xyzw, r0.x, l(0), r2.xyzw
imad r0.y, vThreadID.x, l(6), l(1)
bfrev r2.xyzw, r1.xyzw
store_structured u0.xyzw, r0.y, l(0), r2.xyzw
firstbit_hi r3.xyzw, r1.xyzw
iadd r3.xyzw, -r3.xyzw, l(31, 31, 31, 31)
movc r3.xyzw, r1.xyzw, r3.xyzw, l(-1,-1,-1,-1)
firstbit_lo r1.xyzw, r1.xyzw
imad r4.xyzw, vThreadID.xxxx, l(6, 6, 6, 6), l(2, 3, 4, 5)
store_structured u0.xyzw, r4.x, l(0), r3.xyzw
mov r2.y, r3.y
ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r3.xyzw, vThreadID.x, l(0), t1.xyzw
firstbit_shi r5.xyzw, r3.xyzw
ieq r6.xyzw, r5.xyzw, l(-1, -1, -1, -1)
iadd r5.xyzw, -r5.xyzw, l(31, 31, 31, 31)
movc r5.xyzw, r6.xyzw, l(-1,-1,-1,-1), r5.xyzw
store_structured u0.xyzw, r4.y, l(0), r5.xyzw
store_structured u0.xyzw, r4.z, l(0), r1.xyzw
firstbit_lo r2.x, r3.x
countbits r2.z, r3.z
store_structured u0.xyzw, r4.w, l(0), r2.xyzw
ret
// Approximately 25 instruction slots used
