// The four samples of every texel of t0 beside each other, as unsigned integers.
ps_5_0
.in SV_Position0 v0.xyzw float position read=0x3
.out SV_Target0 o0.xyzw uint
dcl_globalFlags refactoringAllowed
dcl_resource_texture2dms(4) (uint,uint,uint,uint) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 2
ftou r0.xy, v0.xyxx
and r1.x, r0.x, l(3)
ushr r0.x, r0.x, l(2)
mov r0.zw, l(0, 0, 0, 0)
ldms_indexable(texture2dms)(uint,uint,uint,uint) o0.xyzw, r0.xyzw, t0.xyzw, r1.x
ret
