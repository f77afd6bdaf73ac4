// Microsoft (R) HLSL Shader Compiler 6.3.9600.16384
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_VertexID              0   x           0   VERTID    uint   x   
// SV_InstanceID            0   x           1   INSTID    uint   x   
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Position              0   xyzw        0      POS   float   xyzw
// ID                       0   xy          1     NONE    uint   xy  
//
vs_4_0
.chunk RDEF 80
.hex 00000000 00000000 00000000 1c000000 0004feff 00810000 1c000000 4d696372
.hex 6f736f66 74202852 2920484c 534c2053 68616465 7220436f 6d70696c 65722036
.hex 2e332e39 3630302e 31363338 3400abab
.chunk ISGN
.chunk OSGN
.chunk SHDR
.chunk STAT 116
.hex 0c000000 01000000 00000000 04000000 03000000 00000000 02000000 01000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 03000000 00000000 03000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000
.in SV_VertexID0 v0.x uint vertex_id
.in SV_InstanceID0 v1.x uint instance_id
.out SV_Position0 o0.xyzw float position
.out ID0 o1.xy uint
dcl_input_sgv v0.x, vertex_id
dcl_input_sgv v1.x, instance_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_temps 1
and r0.x, v0.x, l(1)
utof r0.x, r0.x
mad o0.x, r0.x, l(2.0), l(-1.0)
ushr r0.x, v0.x, l(1)
utof r0.x, r0.x
mad o0.y, r0.x, l(2.0), l(-1.0)
utof r0.x, v1.x
mul o0.z, r0.x, l(0.1)
mov o0.w, l(1.0)
mov o1.x, v0.x
mov o1.y, v1.x
ret
// Approximately 12 instruction slots used
