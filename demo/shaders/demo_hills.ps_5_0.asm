// Lit with the normal of the hills at each pixel; the edges of the triangles glow.
ps_5_0
.in SV_Position0 v0.xyzw float position read=0x0
.in POSITION0 v1.xyz float
.in EDGES0 v2.xyz float
.out SV_Target0 o0.xyzw float
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[8], immediateIndexed
dcl_input_ps linear v1.xyz
dcl_input_ps linear v2.xyz
dcl_output o0.xyzw
dcl_temps 6
mad r0.x, v1.x, l(0.75), cb0[4].w
mul r0.y, v1.z, l(0.65)
mad r0.z, v1.x, l(1.7), -cb0[4].w
mad r0.z, v1.z, l(1.3), r0.z
sincos r0.xyz, r1.xyz, r0.xyzx
mul r2.x, r1.x, r0.y
mul r2.x, r2.x, l(-0.675)
mad r2.x, r1.z, l(-0.544), r2.x
mul r2.z, r0.x, r1.y
mul r2.z, r2.z, l(-0.585)
mad r2.z, r1.z, l(-0.416), r2.z
mov r2.y, l(1.0)
dp3 r0.x, r2.xyzx, r2.xyzx
rsq r0.x, r0.x
mul r2.xyz, r2.xyzx, r0.xxxx                  // the normal
add r3.xyz, cb0[4].xyzx, -v1.xyzx
dp3 r3.w, r3.xyzx, r3.xyzx
sqrt r3.w, r3.w                               // how far the eye is
div r3.xyz, r3.xyzx, r3.wwww
// From the valleys' blue to the orange of the heights.
mad_sat r0.x, v1.y, l(0.45), l(0.5)
mad r1.xyz, r0.xxxx, l(0.85, 0.22, -0.14, 0.0), l(0.10, 0.16, 0.38, 0.0)
dp3_sat r0.y, r2.xyzx, cb0[5].xyzx
mad r0.y, r0.y, l(0.95), l(0.22)
mul r1.xyz, r1.xyzx, r0.yyyy
add r4.xyz, r3.xyzx, cb0[5].xyzx
dp3 r0.z, r4.xyzx, r4.xyzx
rsq r0.z, r0.z
mul r4.xyz, r4.xyzx, r0.zzzz
dp3_sat r0.z, r4.xyzx, r2.xyzx
log r0.z, r0.z
mul r0.z, r0.z, l(60.0)
exp r0.z, r0.z
mad r1.xyz, r0.zzzz, l(0.55, 0.42, 0.30, 0.0), r1.xyzx
// Edges: distances in pixels.
deriv_rtx r4.xyz, v2.xyzx
deriv_rty r5.xyz, v2.xyzx
add r4.xyz, |r4.xyzx|, |r5.xyzx|
div r4.xyz, v2.xyzx, r4.xyzx
min r0.w, r4.x, r4.y
min r0.w, r0.w, r4.z
add_sat r0.w, -r0.w, l(1.2)
mul r0.w, r0.w, l(0.4)
mad r1.xyz, r0.wwww, l(0.35, 0.75, 0.95, 0.0), r1.xyzx
// Fog.
mul r0.x, r3.w, -cb0[6].w
mul r0.x, r0.x, r3.w
exp r0.x, r0.x
add r1.xyz, r1.xyzx, -cb0[6].xyzx
mad o0.xyz, r0.xxxx, r1.xyzx, cb0[6].xyzx
mov o0.w, l(1.0)
ret
