ps_4_0
.in SV_Position0 v0.xyzw float position
.out SV_Target0 o0.xyzw float
dcl_constantbuffer CB0[1], immediateIndexed
dcl_output o0.xyzw
mov o0.xyzw, cb0[0].xyzw
ret
