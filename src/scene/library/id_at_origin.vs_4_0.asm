// Points at the origin with the vertex id as ID.
vs_4_0
.in SV_VertexID0 v0.x uint vertex_id
.out SV_Position0 o0.xyzw float position
.out ID0 o1.x uint
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1.x
mov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)
mov o1.x, v0.x
ret
