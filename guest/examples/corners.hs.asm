hs_5_0
.in PLACE0 v0.xyzw float
.out PLACE0 o0.xyzw float
.patch SV_TessFactor0 o0.x float tri_edge_tess_factor
.patch SV_TessFactor1 o1.x float tri_edge_tess_factor
.patch SV_TessFactor2 o2.x float tri_edge_tess_factor
.patch SV_InsideTessFactor0 o3.x float tri_inside_tess_factor
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
hs_fork_phase
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_output_siv o3.x, finalTriInsideTessFactor
mov o0.x, l(4.0)
mov o1.x, l(4.0)
mov o2.x, l(4.0)
mov o3.x, l(4.0)
ret
