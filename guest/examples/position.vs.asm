vs_4_0
.in POSITION0 v0.xyzw float
.out SV_Position0 o0.xyzw float position
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
mov o0.xyzw, v0.xyzw
ret
