cs_5_0
dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u0
dcl_input vThreadID.xy
dcl_temps 2
dcl_thread_group 8, 8, 1
ushr r0.xy, vThreadID.xyxx, l(3, 3, 0, 0)
iadd r0.x, r0.y, r0.x
and r0.x, r0.x, l(1)
utof r1.x, r0.x
add r1.z, l(1.0), -r1.x
mov r1.yw, l(0.0, 0.0, 0.0, 1.0)
store_uav_typed u0.xyzw, vThreadID.xyyy, r1.xyzw
ret
