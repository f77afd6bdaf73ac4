// Control points of patches: the vertex id in every component of CORNER.
vs_5_0
.in SV_VertexID0 v0.x uint vertex_id
.out CORNER0 o0.xyzw float
dcl_input_sgv v0.x, vertex_id
dcl_output o0.xyzw
dcl_temps 1
utof r0.x, v0.x
mov o0.xyzw, r0.xxxx
ret
