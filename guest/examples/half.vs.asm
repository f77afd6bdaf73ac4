vs_4_0
.in POSITION0 v0.xyzw float
.out SV_Position0 o0.xyzw float position
dcl_input v0.xyzw
dcl_output_siv o0.xyzw, position
mul o0.xy, v0.xyxx, l(0.5, 0.5, 0.0, 0.0)
mov o0.zw, v0.xxzw
ret
