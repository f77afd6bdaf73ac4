// Corners of patches: world x and z.
vs_5_0
.in POSITION0 v0.xy float
.out CORNER0 o0.xy float
dcl_input v0.xy
dcl_output o0.xy
mov o0.xy, v0.xyxx
ret
