/* SPDX-License-Identifier: MIT
 *
 * The text of reflection data (RDEF), one record a line:
 *
 *     .rdef "Microsoft (R) HLSL Shader Compiler 10.1" flags=0x100
 *     .binding texture "albedo" t0 float4 2d
 *     .binding structured "lights" t1 mixed buffer stride=32
 *     .buffer cbuffer "Camera" size=64
 *     .type 0 matrix_columns float 4x4 "float4x4"
 *     .variable "viewProjection" type=0 offset=0 size=64 used
 *     .type 1 struct void 1x4 "Light"
 *     .member "colour" type=2 offset=0
 *
 * A variable belongs to the last `.buffer`, a member to the last `.type`. Types are numbered, and named
 * before they are used; a number is one record of the chunk, so equal types may have several. The order of
 * texts and records in the chunk follows from the order of bindings, buffers, variables and members
 * (dxbc-format 3.4).
 *
 * .rdef: the creator; flags=N slots=N; major=N minor=N program=N unless they are the program's
 *
 * .binding: kind, name, register, then for what has one the return type with the number of components, and
 * the dimension; count=N (1 when missing) samples=N stride=N user_packed comparison unused flags=N space=N
 * id=N
 *
 * .type: number, class, base type, rows x columns, name; elements=N, class=N (the class that an interface
 * pointer points to), base=N, members=N (has the members of that type, not its own)
 *
 * .implements: the number of an interface of the last `.type`
 *
 * .member: type=N offset=N
 *
 * .buffer: kind, name; size=N user_packed flags=N
 *
 * .variable: type=N offset=N size=N used user_packed interface_pointer interface_parameter flags=N texture=N
 * textures=N sampler=N samplers=N, last `default` and the dwords of the value
 */
#ifndef AG_DXBC_RDEF_TEXT_H
#define AG_DXBC_RDEF_TEXT_H

#include "aerogpu/dxbc.h"

enum ag_rdef_binding_flag {
    AG_RDEF_BINDING_USER_PACKED = 1 << 0,
    AG_RDEF_BINDING_COMPARISON = 1 << 1,
    AG_RDEF_BINDING_COMPONENTS = 3 << 2, /* the number of components minus one */
    AG_RDEF_BINDING_UNUSED = 1 << 4,
    AG_RDEF_BINDING_WORDS = AG_RDEF_BINDING_USER_PACKED | AG_RDEF_BINDING_COMPARISON | AG_RDEF_BINDING_UNUSED,
};
#define AG_RDEF_BINDING_COMPONENTS_SHIFT 2

enum ag_rdef_variable_flag {
    AG_RDEF_VARIABLE_USER_PACKED = 1 << 0,
    AG_RDEF_VARIABLE_USED = 1 << 1,
    AG_RDEF_VARIABLE_INTERFACE_POINTER = 1 << 2,
    AG_RDEF_VARIABLE_INTERFACE_PARAMETER = 1 << 3,
    AG_RDEF_VARIABLE_WORDS = 0xf,
};

/* Kinds of bindings (input_type). */
enum ag_rdef_input_type {
    AG_RDEF_CBUFFER = 0,
    AG_RDEF_TBUFFER = 1,
    AG_RDEF_TEXTURE = 2,
    AG_RDEF_SAMPLER = 3,
    AG_RDEF_RW_TYPED = 4,
    AG_RDEF_STRUCTURED = 5,
    AG_RDEF_RW_STRUCTURED = 6,
    AG_RDEF_BYTEADDRESS = 7,
    AG_RDEF_RW_BYTEADDRESS = 8,
    AG_RDEF_APPEND = 9,
    AG_RDEF_CONSUME = 10,
    AG_RDEF_RW_STRUCTURED_COUNTER = 11,
    AG_RDEF_INPUT_TYPE_COUNT
};

/* The register file of a kind of binding: "cb", "t", "s" or "u", or "?" for an unknown kind. */
const char *ag_rdef_register_file(uint32_t input_type);

/* The sample count of a binding whose text gives none. */
uint32_t ag_rdef_default_samples(uint32_t input_type, uint32_t dimension);

#endif
