// A square that faces the eye for each spark.
gs_5_0
.in POSITION0 v0.xyzw float
.out SV_Position0 o0.xyzw float position
.out TEXCOORD0 o1.xyz float
dcl_constantbuffer cb0[8], immediateIndexed
dcl_input v[1][0].xyzw
dcl_temps 3
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xyz
dcl_maxout 4
mul r0.xyzw, v[0][0].xxxx, cb0[0].xyzw
mad r0.xyzw, v[0][0].yyyy, cb0[1].xyzw, r0.xyzw
mad r0.xyzw, v[0][0].zzzz, cb0[2].xyzw, r0.xyzw
add r0.xyzw, r0.xyzw, cb0[3].xyzw
mov r1.z, v[0][0].w
mov r2.x, l(0)
loop
  ige r2.y, r2.x, l(4)
  breakc_nz r2.y
  and r2.y, r2.x, l(1)
  ushr r2.z, r2.x, l(1)
  utof r2.yz, r2.yyzy
  mad r1.x, r2.y, l(2.0), l(-1.0)
  mad r1.y, r2.z, l(-2.0), l(1.0)
  mad o0.xy, r1.xyxx, cb0[7].xyxx, r0.xyxx
  mov o0.zw, r0.zzzw
  mov o1.xyz, r1.xyzx
  emit_stream m0
  iadd r2.x, r2.x, l(1)
endloop
ret
