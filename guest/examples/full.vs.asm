vs_4_0
.in SV_VertexID0 v0.x uint vertex_id
.out SV_Position0 o0.xyzw float position
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_temps 1
and r0.x, v0.x, l(1)
ushr r0.y, v0.x, l(1)
utof r0.xy, r0.xyxx
mad o0.xy, r0.xyxx, l(4.0, -4.0, 0.0, 0.0), l(-1.0, 1.0, 0.0, 0.0)
mov o0.zw, l(0.0, 0.0, 0.5, 1.0)
ret
