// T0 through s0 at the place and the level in the first constant buffer.
ps_5_0
.in SV_Position0 v0.xyzw float position read=0x3
.out SV_Target0 o0.xyzw float
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[2], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 2
sample_l r0.xyzw, cb0[0].xyxx, t0.xyzw, s0, cb0[0].w
mov o0.xyzw, r0.xyzw
ret
