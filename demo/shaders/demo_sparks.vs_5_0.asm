// Sparks drift around where they are; w is their phase.
vs_5_0
.in POSITION0 v0.xyzw float
.out POSITION0 o0.xyzw float
dcl_constantbuffer cb0[8], immediateIndexed
dcl_input v0.xyzw
dcl_output o0.xyzw
dcl_temps 1
mad r0.xyz, cb0[4].wwww, l(1.0, 1.3, 0.7, 0.0), v0.wwww
sincos r0.xyz, null, r0.xyzx
mad o0.xyz, r0.xyzx, l(0.3, 0.2, 0.3, 0.0), v0.xyzx
mov o0.w, v0.w
ret
