ps_5_0
.chunk RDEF
.rdef "Microsoft (R) HLSL Shader Compiler 6.3.9600.16384" flags=0x8100 slots=5
.binding cbuffer "C" cb0
.buffer interfaces "$ThisPointer" size=16
.type 0 interface_class void 1x0 "Light"
.type 1 interface_pointer interface_pointer 1x4 "Light" elements=4 class=0
.variable "lights" type=1 offset=1 size=4 used interface_pointer
.type 2 interface_class void 1x0 "Brdf"
.type 3 interface_pointer interface_pointer 1x4 "Brdf" class=2
.variable "brdf" type=3 offset=0 size=1 used interface_pointer
.buffer cbuffer "C" size=144
.type 4 vector float 1x3 "float3"
.type 5 struct void 1x6 "Dir"
.implements 0
.member "d" type=4 offset=0
.member "c" type=4 offset=16
.variable "dd" type=5 offset=0 size=28 used
.type 6 scalar float 1x1 "float"
.type 7 struct void 1x7 "Pt" elements=2
.implements 0
.member "pos" type=4 offset=0
.member "r" type=6 offset=12
.member "c" type=4 offset=16
.variable "pp" type=7 offset=32 size=60 used
.type 8 struct void 1x1 "Lambert"
.implements 2
.member "kd" type=6 offset=0
.variable "la" type=8 offset=96 size=4 used
.type 9 struct void 1x1 "Wrap"
.implements 2
.member "w" type=6 offset=0
.variable "wr" type=9 offset=112 size=4 used
.type 10 vector float 1x3 "float3"
.variable "ld" type=10 offset=116 size=12 used
.type 11 scalar int 1x1 "int"
.variable "n" type=11 offset=128 size=4 used
.chunk ISGN
.chunk OSGN
.chunk IFCE 244
.hex 04000000 04000000 02000000 05000000 74000000 44000000 24000000 00000000
.hex 4a7bce05 01000000 02000000 b4000000 b8000000 04000000 02000000 c0000000
.hex c4000000 dc000000 00000100 00000000 e4000000 00000100 00000000 ec000000
.hex 00000200 00000000 f0000000 00000200 00000000 cc000000 03000100 00000000
.hex ffffffff d0000000 02000200 00000200 ffffffff d4000000 01000100 00000600
.hex ffffffff d8000000 00000100 00000700 ffffffff 00000100 00000000 01000000
.hex 02000300 02000000 03000000 646400ab 707000ab 6c6100ab 777200ab 57726170
.hex 00ababab 4c616d62 65727400 507400ab 44697200
.chunk SHEX
.chunk STAT
.stat 37 instructions=39 temps=4 declarations=3 float=18 int=2 static_flow=5 dynamic_flow=1 mov=9
.in P0 v0.xyz float
.in N0 v1.xyz float
.out SV_Target0 o0.xyzw float
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[9], immediateIndexed
dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_body fb3
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_function_table ft2 = {fb2}
dcl_function_table ft3 = {fb3}
dcl_interface fp0[1][1] = {ft0, ft1}
dcl_interface_dynamicindexed fp1[4][1] = {ft2, ft3}
dcl_input_ps linear v0.xyz
dcl_input_ps linear v1.xyz
dcl_output o0.xyzw
dcl_temps 4
dp3 r0.x, v1.xyzx, cb0[7].yzwy
fcall fp0[0][0]
mov r0.xzw, r0.yyyy
mov r1.x, l(0)
loop
  ige r1.y, r1.x, cb0[8].x
  breakc_nz r1.y
  fcall fp1[r1.x + 0][0]
  add r0.xzw, r0.xxzw, r2.xxyz
  iadd r1.x, r1.x, l(1)
endloop
mov o0.xyz, r0.xzwx
mov o0.w, l(1.0)
ret
label fb0
mov r0.zw, this[0].yyyx
add r1.x, r0.x, cb[r0.w + 0][r0.z + 0].x
add r0.z, l(1.0), cb[r0.w + 0][r0.z + 0].x
div_sat r0.y, r1.x, r0.z
ret
label fb1
mov_sat r0.x, r0.x
mov r0.zw, this[0].yyyx
mul r0.y, r0.x, cb[r0.w + 0][r0.z + 0].x
ret
label fb2
mov r1.yz, this[r1.x + 1].yyxy
add r3.xyz, -v0.xyzx, cb[r1.z + 0][r1.y + 0].xyzx
dp3 r1.w, r3.xyzx, r3.xyzx
rsq r2.w, r1.w
mul r3.xyz, r2.wwww, r3.xyzx
dp3_sat r2.w, v1.xyzx, r3.xyzx
mul r3.xyz, r2.wwww, cb[r1.z + 0][r1.y + 1].xyzx
sqrt r1.w, r1.w
div r1.y, r1.w, cb[r1.z + 0][r1.y + 0].w
add_sat r1.y, -r1.y, l(1.0)
mul r2.xyz, r1.yyyy, r3.xyzx
ret
label fb3
mov r1.yz, this[r1.x + 1].yyxy
dp3_sat r1.w, v1.xyzx, cb[r1.z + 0][r1.y + 0].xyzx
mul r2.xyz, r1.wwww, cb[r1.z + 0][r1.y + 1].xyzx
ret
