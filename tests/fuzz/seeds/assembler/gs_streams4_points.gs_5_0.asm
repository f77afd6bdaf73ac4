// Microsoft (R) HLSL Shader Compiler 6.3.9600.16384
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
// W                        0   x           1     NONE   float   x   
// SV_PrimitiveID           0    N/A    vPrim   PRIMID    uint    YES
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// m0:SV_Position           0   xyzw        0      POS   float   xyzw
// m0:W                     0   x           1     NONE   float   x   
// m1:VEL                   0   xyz         0     NONE   float   xyz 
// m1:ID                    0   x           1     NONE    uint   x   
// m2:KEY                   0   xy          0     NONE     int   xy  
// m3:X                     0   xyzw        0     NONE   float   xyzw
// m3:Y                     0   xyzw        1     NONE   float   xyzw
//
gs_5_0
.chunk RDEF 112
.hex 00000000 00000000 00000000 3c000000 00055347 00810000 3c000000 52443131
.hex 3c000000 18000000 20000000 28000000 24000000 0c000000 00000000 4d696372
.hex 6f736f66 74202852 2920484c 534c2053 68616465 7220436f 6d70696c 65722036
.hex 2e332e39 3630302e 31363338 3400abab
.chunk ISGN
.chunk OSG5
.chunk SHEX
.chunk STAT 148
.hex 15000000 01000000 00000000 0a000000 01000000 01000000 01000000 01000000
.hex 01000000 00000000 00000000 00000000 03000000 04000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 01000000
.hex 01000000 08000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000
.in SV_Position0 v0.xyzw float position
.in W0 v1.x float
.in SV_PrimitiveID0 vPrim.x uint primitive_id
.out SV_Position0 o0.xyzw float position
.out W0 o1.x float
.out VEL0 o0.xyz float stream=1
.out ID0 o1.x uint stream=1
.out KEY0 o0.xy int stream=2
.out X0 o0.xyzw float stream=3
.out Y0 o1.xyzw float stream=3
dcl_globalFlags refactoringAllowed
dcl_input_siv v[1][0].xyzw, position
dcl_input v[1][1].x
dcl_input vPrim
dcl_temps 1
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_output o1.x
dcl_stream m1
dcl_outputtopology pointlist
dcl_output o0.xyz
dcl_output o1.x
dcl_stream m2
dcl_outputtopology pointlist
dcl_output o0.xy
dcl_stream m3
dcl_outputtopology pointlist
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_maxout 8
mov o0.xyzw, v[0][0].xyzw
mov o1.x, v[0][1].x
emit_stream m0
and r0.x, vPrim, l(1)
if_nz r0.x
  mov o0.xyz, v[0][0].zyxz
  mov o1.x, vPrim
  emit_stream m1
  cut_stream m1
endif
ineg r0.x, vPrim
mov o0.x, vPrim
mov o0.y, r0.x
emit_stream m2
add r0.xyzw, v[0][0].xyzw, v[0][0].xyzw
mov o0.xyzw, r0.xyzw
mov o1.xyzw, v[0][1].xxxx
emit_stream m3
cut_stream m3
cut_stream m0
ret
// Approximately 21 instruction slots used
