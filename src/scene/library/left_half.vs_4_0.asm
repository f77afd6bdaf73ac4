// A triangle over the left half of the target, at depth 0.5.
vs_4_0
.in SV_VertexID0 v0.x uint vertex_id
.out SV_Position0 o0.xyzw float position
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_temps 1
ieq r0.xy, v0.xxxx, l(1, 2, 0, 0)
movc r0.zw, r0.yyyy, l(0.0, 0.0, 0.0, 9.0), l(0.0, 0.0, 0.0, -9.0)
movc o0.xy, r0.xxxx, l(-9.0, 0.0, 0.0, 0.0), r0.zwzz
mov o0.zw, l(0.0, 0.0, 0.5, 1.0)
ret
