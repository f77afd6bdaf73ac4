// Microsoft (R) HLSL Shader Compiler 6.3.9600.16384
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float       
// TEXCOORD                 0   xy          1     NONE   float   xy  
// COLOR                    0   xyzw        2     NONE   float   xyzw
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
//
ps_4_0
.chunk RDEF 164
.hex 00000000 00000000 02000000 1c000000 0004ffff 00810000 70000000 5c000000
.hex 03000000 00000000 00000000 00000000 00000000 01000000 01000000 6a000000
.hex 02000000 05000000 04000000 ffffffff 00000000 01000000 0d000000 61746c61
.hex 735f7361 6d706c65 72006174 6c617300 4d696372 6f736f66 74202852 2920484c
.hex 534c2053 68616465 7220436f 6d70696c 65722036 2e332e39 3630302e 31363338
.hex 3400abab
.chunk ISGN
.chunk OSGN
.chunk SHDR
.chunk STAT 116
.hex 03000000 01000000 00000000 03000000 01000000 00000000 00000000 01000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 01000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000
.in SV_Position0 v0.xyzw float position read=0x0
.in TEXCOORD0 v1.xy float
.in COLOR0 v2.xyzw float
.out SV_Target0 o0.xyzw float
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_input_ps linear v2.xyzw
dcl_output o0.xyzw
dcl_temps 1
sample r0.xyzw, v1.xyxx, t0.xyzw, s0
mul o0.xyzw, r0.xyzw, v2.xyzw
ret
// Approximately 3 instruction slots used
