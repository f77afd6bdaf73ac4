// Four integers from the index of the sample.
ps_5_0
.in SV_SampleIndex0 v0.x uint sampleIndex
.out SV_Target0 o0.xyzw uint
dcl_globalFlags refactoringAllowed
dcl_input_ps_sgv constant v0.x, sampleIndex
dcl_output o0.xyzw
dcl_temps 1
imad o0.xyzw, v0.xxxx, l(10, 10, 10, 10), l(1, 2, 3, 4)
ret
