// Tells the pixels of each triangle how far its edges are.
gs_5_0
.in SV_Position0 v0.xyzw float position
.in POSITION0 v1.xyz float
.out SV_Position0 o0.xyzw float position
.out POSITION0 o1.xyz float
.out EDGES0 o2.xyz float
dcl_input_siv v[3][0].xyzw, position
dcl_input v[3][1].xyz
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xyz
dcl_output o2.xyz
dcl_maxout 3
mov o0.xyzw, v[0][0].xyzw
mov o1.xyz, v[0][1].xyzx
mov o2.xyz, l(1.0, 0.0, 0.0, 0.0)
emit_stream m0
mov o0.xyzw, v[1][0].xyzw
mov o1.xyz, v[1][1].xyzx
mov o2.xyz, l(0.0, 1.0, 0.0, 0.0)
emit_stream m0
mov o0.xyzw, v[2][0].xyzw
mov o1.xyz, v[2][1].xyzx
mov o2.xyz, l(0.0, 0.0, 1.0, 0.0)
emit_stream m0
ret
