// A soft disc with a bright core, added to what is behind it.
ps_5_0
.in SV_Position0 v0.xyzw float position read=0x0
.in TEXCOORD0 v1.xyz float
.out SV_Target0 o0.xyzw float
dcl_input_ps linear v1.xyz
dcl_output o0.xyzw
dcl_temps 2
dp2 r0.x, v1.xyxx, v1.xyxx
add_sat r0.x, -r0.x, l(1.0)
mul r0.y, r0.x, r0.x
mul r0.z, r0.y, r0.y
mul r0.z, r0.z, r0.z
mul r0.z, r0.z, r0.y
mul r0.y, r0.y, l(0.45)
add r1.xyz, v1.zzzz, l(0.0, 2.1, 4.2, 0.0)
sincos r1.xyz, null, r1.xyzx
mad r1.xyz, r1.xyzx, l(0.25, 0.25, 0.25, 0.0), l(0.75, 0.55, 0.5, 0.0)
mad o0.xyz, r1.xyzx, r0.yyyy, r0.zzzz
mov o0.w, l(1.0)
ret
