// The texel of t0 at the pixel's own place.
ps_4_0
.in SV_Position0 v0.xyzw float position read=0x3
.out SV_Target0 o0.xyzw float
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 2
ftoi r0.xy, v0.xyxx
mov r0.zw, l(0, 0, 0, 0)
ld r0.xyzw, r0.xyzw, t0.xyzw
mov o0.xyzw, r0.xyzw
ret
