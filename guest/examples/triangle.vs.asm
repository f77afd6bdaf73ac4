vs_4_0
.in POSITION0 v0.xy float
.in COLOR0 v1.xyzw float
.out SV_Position0 o0.xyzw float position
.out COLOR0 o1.xyzw float
dcl_input v0.xy
dcl_input v1.xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
mov o0.xy, v0.xyxx
mov o0.zw, l(0.0, 0.0, 0.0, 1.0)
mov o1.xyzw, v1.xyzw
ret
