// Lifts the points of a patch onto the hills.
ds_5_0
.in CORNER0 v0.xy float
.out SV_Position0 o0.xyzw float position
.out POSITION0 o1.xyz float
.patch SV_TessFactor0 vpc0.x float quad_edge_tess_factor read=0x0
.patch SV_TessFactor1 vpc1.x float quad_edge_tess_factor read=0x0
.patch SV_TessFactor2 vpc2.x float quad_edge_tess_factor read=0x0
.patch SV_TessFactor3 vpc3.x float quad_edge_tess_factor read=0x0
.patch SV_InsideTessFactor0 vpc4.x float quad_inside_tess_factor read=0x0
.patch SV_InsideTessFactor1 vpc5.x float quad_inside_tess_factor read=0x0
dcl_input_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_constantbuffer cb0[8], immediateIndexed
dcl_input vicp[4][0].xy
dcl_input vDomain.xy
dcl_output_siv o0.xyzw, position
dcl_output o1.xyz
dcl_temps 3
add r0.xy, vicp[1][0].xyxx, -vicp[0][0].xyxx
mad r0.xy, r0.xyxx, vDomain.xxxx, vicp[0][0].xyxx
add r0.zw, vicp[3][0].xxxy, -vicp[2][0].xxxy
mad r0.zw, r0.zzzw, vDomain.xxxx, vicp[2][0].xxxy
add r0.zw, r0.zzzw, -r0.xxxy
mad r0.xy, r0.zwzz, vDomain.yyyy, r0.xyxx     // world x and z
// height = 0.9 sin(0.75 x + t) sin(0.65 z) + 0.32 sin(1.7 x + 1.3 z - t)
mad r1.x, r0.x, l(0.75), cb0[4].w
mul r1.y, r0.y, l(0.65)
mad r1.z, r0.x, l(1.7), -cb0[4].w
mad r1.z, r0.y, l(1.3), r1.z
sincos r1.xyz, null, r1.xyzx
mul r1.x, r1.x, r1.y
mul r1.x, r1.x, l(0.9)
mad r1.x, r1.z, l(0.32), r1.x
mul r2.xyzw, r0.xxxx, cb0[0].xyzw
mad r2.xyzw, r1.xxxx, cb0[1].xyzw, r2.xyzw
mad r2.xyzw, r0.yyyy, cb0[2].xyzw, r2.xyzw
add o0.xyzw, r2.xyzw, cb0[3].xyzw
mov o1.xz, r0.xxyx
mov o1.y, r1.x
ret
