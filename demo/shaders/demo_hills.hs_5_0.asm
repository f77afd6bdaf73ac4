// Each edge is divided by its distance to the eye, from its own two corners only, so that neighbours agree.
hs_5_0
.in CORNER0 v0.xy float
.out CORNER0 o0.xy float
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
dcl_tessellator_partitioning partitioning_fractional_odd
dcl_tessellator_output_primitive output_triangle_ccw
dcl_constantbuffer cb0[8], immediateIndexed
hs_fork_phase
dcl_hs_fork_phase_instance_count 4
dcl_input vForkInstanceID
dcl_input vicp[4][0].xy
dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor
dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor
dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor
dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor
dcl_temps 2
dcl_indexrange o0.x 4
mov r1.x, vForkInstanceID.x
ieq r0.x, r1.x, l(2)
ieq r0.y, r1.x, l(3)
and r0.xy, r0.xyxx, l(1, 2, 0, 0)
iadd r0.x, r0.x, r0.y                         // the first corner: 0 0 1 2
ieq r0.y, r1.x, l(1)
movc r0.y, r0.y, l(1), l(3)
movc r0.y, r1.x, r0.y, l(2)                   // the second: 2 1 3 3
add r0.xy, vicp[r0.x + 0][0].xyxx, vicp[r0.y + 0][0].xyxx
mad r0.xz, r0.xxyx, l(0.5, 0.0, 0.5, 0.0), -cb0[4].xxzx
mov r0.y, cb0[4].y
dp3 r0.x, r0.xyzx, r0.xyzx
sqrt r0.x, r0.x
div r0.x, cb0[5].w, r0.x
max r0.x, r0.x, l(1.0)
min o[r1.x + 0].x, r0.x, l(32.0)
ret
hs_join_phase
dcl_input vpc0.x
dcl_input vpc1.x
dcl_input vpc2.x
dcl_input vpc3.x
dcl_output_siv o4.x, finalQuadUInsideTessFactor
dcl_output_siv o5.x, finalQuadVInsideTessFactor
dcl_temps 1
add r0.x, vpc1.x, vpc3.x
add r0.y, vpc0.x, vpc2.x
mul o4.x, r0.x, l(0.5)
mul o5.x, r0.y, l(0.5)
ret
