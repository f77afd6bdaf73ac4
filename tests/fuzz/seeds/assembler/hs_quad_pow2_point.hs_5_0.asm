// Microsoft (R) HLSL Shader Compiler 6.3.9600.16384
//
// Patch Constant signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_TessFactor            0   x           0 QUADEDGE   float   x   
// SV_TessFactor            1   x           1 QUADEDGE   float   x   
// SV_TessFactor            2   x           2 QUADEDGE   float   x   
// SV_TessFactor            3   x           3 QUADEDGE   float   x   
// SV_InsideTessFactor      0   x           4  QUADINT   float   x   
// SV_InsideTessFactor      1   x           5  QUADINT   float   x   
//
// Input signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyzw        0     NONE   float   xyzw
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// POSITION                 0   xyzw        0     NONE   float   xyzw
//
hs_5_0
.chunk RDEF 112
.hex 00000000 00000000 00000000 3c000000 00055348 00810000 3c000000 52443131
.hex 3c000000 18000000 20000000 28000000 24000000 0c000000 00000000 4d696372
.hex 6f736f66 74202852 2920484c 534c2053 68616465 7220436f 6d70696c 65722036
.hex 2e332e39 3630302e 31363338 3400abab
.chunk ISGN
.chunk OSGN
.chunk PCSG
.chunk SHEX
.chunk STAT 148
.hex 10000000 01000000 00000000 07000000 04000000 02000000 01000000 05000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 02000000 01000000 01000000 00000000 0b000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 04000000 01000000
.hex 02000000 03000000 00000000 00000000 00000000
.in POSITION0 v0.xyzw float
.out POSITION0 o0.xyzw float
.patch SV_TessFactor0 o0.x float quad_edge_tess_factor
.patch SV_TessFactor1 o1.x float quad_edge_tess_factor
.patch SV_TessFactor2 o2.x float quad_edge_tess_factor
.patch SV_TessFactor3 o3.x float quad_edge_tess_factor
.patch SV_InsideTessFactor0 o4.x float quad_inside_tess_factor
.patch SV_InsideTessFactor1 o5.x float quad_inside_tess_factor
hs_decls
dcl_input_control_point_count 4
dcl_output_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_tessellator_partitioning partitioning_pow2
dcl_tessellator_output_primitive output_point
dcl_globalFlags refactoringAllowed
hs_fork_phase
dcl_input vPrim
dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor
dcl_temps 1
and r0.x, vPrim, l(3)
ishl r0.x, l(1), r0.x
itof o0.x, r0.x
ret
hs_fork_phase
dcl_input vicp[4][0].w
dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor
exp o1.x, vicp[0][0].w
ret
hs_fork_phase
dcl_input vicp[4][0].w
dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor
sqrt o2.x, vicp[1][0].w
ret
hs_fork_phase
dcl_input vicp[4][0].x
dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor
dcl_temps 1
lt r0.x, vicp[2][0].x, vicp[3][0].x
movc o3.x, r0.x, l(8.0), l(2.0)
ret
hs_join_phase
dcl_hs_join_phase_instance_count 2
dcl_input vpc0.x
dcl_input vpc1.x
dcl_input vpc2.x
dcl_input vpc3.x
dcl_input vJoinInstanceID
dcl_output_siv o4.x, finalQuadUInsideTessFactor
dcl_output_siv o5.x, finalQuadVInsideTessFactor
dcl_temps 1
dcl_indexrange o4.x 2
dcl_indexrange vpc0.x 4
iadd r0.x, -vJoinInstanceID.x, l(1)
max r0.x, vpc[r0.x + 0].x, vpc[r0.x + 2].x
mov r0.y, vJoinInstanceID.x
mov o[r0.y + 4].x, r0.x
ret
// Approximately 16 instruction slots used
