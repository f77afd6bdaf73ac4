// Opaque red.
ps_4_0
.out SV_Target0 o0.xyzw float
dcl_output o0.xyzw
mov o0.xyzw, l(1.0, 0.0, 0.0, 1.0)
ret
