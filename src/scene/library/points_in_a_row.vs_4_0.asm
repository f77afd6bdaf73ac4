// Points in eight columns, from the vertex id, with colours.
vs_4_0
.in SV_VertexID0 v0.x uint vertex_id
.in COLOR0 v1.xyzw float
.out SV_Position0 o0.xyzw float position
.out COLOR0 o1.xyzw float
dcl_input_sgv v0.x, vertex_id
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 1
utof r0.x, v0.x
mad o0.x, r0.x, l(0.25), l(-0.875)
mov o0.yzw, l(0.0, 0.0, 0.5, 1.0)
mov o1.xyzw, v1.xyzw
ret
