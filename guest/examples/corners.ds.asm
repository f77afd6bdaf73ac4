ds_5_0
.in PLACE0 v0.xyzw float
.out SV_Position0 o0.xyzw float position
.out COLOR0 o1.xyzw float
.patch SV_TessFactor0 vpc0.x float tri_edge_tess_factor read=0x0
.patch SV_TessFactor1 vpc1.x float tri_edge_tess_factor read=0x0
.patch SV_TessFactor2 vpc2.x float tri_edge_tess_factor read=0x0
.patch SV_InsideTessFactor0 vpc3.x float tri_inside_tess_factor read=0x0
dcl_input_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_input vicp[3][0].xyzw
dcl_input vDomain.xyz
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 1
mul r0.xyzw, vicp[0][0].xyzw, vDomain.xxxx
mad r0.xyzw, vicp[1][0].xyzw, vDomain.yyyy, r0.xyzw
mad o0.xyzw, vicp[2][0].xyzw, vDomain.zzzz, r0.xyzw
mov o1.xyz, vDomain.xyzx
mov o1.w, l(1.0)
ret
