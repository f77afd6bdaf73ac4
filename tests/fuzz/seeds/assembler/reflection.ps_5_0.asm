ps_5_0
.rdef "compiler" flags=0x100 slots=1
.binding sampler "shadow" s1 comparison
.binding texture "albedo" t0 float4 2d
.binding texture "samples" t2 float4 2dms samples=4
.binding structured "lights" t4 mixed buffer count=2 stride=32
.binding cbuffer "C" cb0 user_packed
.buffer cbuffer "C" size=96
.type 0 vector float 1x3 "float3"
.type 1 struct void 1x3 "Light"
.member "colour" type=0 offset=0
.variable "one" type=1 offset=0 size=12 default 1.0, 2.0, 3.0
.type 2 struct void 1x3 "Light" elements=2 members=1
.variable "two" type=2 offset=16 size=28 used texture=1 textures=2
.stat 37 instructions=1 sample=2
.features doubles 0x800000000
ret
