/* SPDX-License-Identifier: MIT
 *
 * The one table of SM4/SM5 opcodes. Decoder, disassembler, assembler, validator, translator and the generated
 * documentation all read it; nothing else lists opcodes.
 *
 *     X(number, NAME, "mnemonic", model, "operands", flags, stages)
 *
 * model     first shader model that has it: 40, 41 or 50.
 * operands  in stream order, separated by blanks, each two letters: D destination or S source, then its kind:
 *           f float32, i int32, u uint32, b raw 32 bits (pass unchanged), c condition (zero or not),
 *           B mask result (0 or ~0), d double (two components), R resource (t, u or g), P sampler, L label,
 *           M stream, I interface. Declarations list the operand they declare, if any; the dwords that follow
 *           it are described where they are decoded.
 *           Sources f and d take negate and absolute value, i two's complement negate, the others neither.
 * flags     AGPU_OPF_*, below.
 * stages    AGPU_STAGES_*; resources that need optional features (UAVs before SM5.0 pixel and compute
 *           shaders) are the validator's business.
 */
#ifndef AEROGPU_DXBC_OPCODES_H
#define AEROGPU_DXBC_OPCODES_H

enum agpu_opcode_flag {
    AGPU_OPF_NONE = 0,
    AGPU_OPF_SATURATE = 1 << 0,     /* bit 13 is _sat */
    AGPU_OPF_TEST = 1 << 1,         /* bit 18 is _nz / _z */
    AGPU_OPF_EXTENDED = 1 << 2,     /* may carry the resource dimension and return type tokens (5.0) */
    AGPU_OPF_OFFSETS = 1 << 3,      /* may carry immediate texel offsets */
    AGPU_OPF_MODIFIERS = 1 << 4,    /* its raw sources take negate and absolute, as floats */
    AGPU_OPF_DOUBLE = 1 << 5,       /* needs enableDoublePrecisionFloatOps */
    AGPU_OPF_DOUBLE_11_1 = 1 << 6,  /* needs enable11_1DoubleExtensions */
    AGPU_OPF_SHADER_11_1 = 1 << 7,  /* needs enable11_1ShaderExtensions */
    AGPU_OPF_TILED = 1 << 8,        /* tiled resource feedback */
    AGPU_OPF_RAW_4 = 1 << 9,        /* in 4.x outside compute shaders: needs enableRawAndStructuredBuffers */
    AGPU_OPF_DECLARATION = 1 << 10, /* a declaration or a hull shader phase marker */
};

#define AGPU_OPCODES(X)                                                                                      \
    X(0, ADD, "add", 40, "Df Sf Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                     \
    X(1, AND, "and", 40, "Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                         \
    X(2, BREAK, "break", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                             \
    X(3, BREAKC, "breakc", 40, "Sc", AGPU_OPF_TEST, AGPU_STAGES_ALL)                                         \
    X(4, CALL, "call", 40, "SL", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                             \
    X(5, CALLC, "callc", 40, "Sc SL", AGPU_OPF_TEST, AGPU_STAGES_ALL)                                        \
    X(6, CASE, "case", 40, "Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                             \
    X(7, CONTINUE, "continue", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                       \
    X(8, CONTINUEC, "continuec", 40, "Sc", AGPU_OPF_TEST, AGPU_STAGES_ALL)                                   \
    X(9, CUT, "cut", 40, "", AGPU_OPF_NONE, AGPU_STAGES_GS)                                                  \
    X(10, DEFAULT, "default", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(11, DERIV_RTX, "deriv_rtx", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_PS)                            \
    X(12, DERIV_RTY, "deriv_rty", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_PS)                            \
    X(13, DISCARD, "discard", 40, "Sc", AGPU_OPF_TEST, AGPU_STAGES_PS)                                       \
    X(14, DIV, "div", 40, "Df Sf Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                    \
    X(15, DP2, "dp2", 40, "Df Sf Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                    \
    X(16, DP3, "dp3", 40, "Df Sf Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                    \
    X(17, DP4, "dp4", 40, "Df Sf Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                    \
    X(18, ELSE, "else", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                              \
    X(19, EMIT, "emit", 40, "", AGPU_OPF_NONE, AGPU_STAGES_GS)                                               \
    X(20, EMIT_THEN_CUT, "emit_then_cut", 40, "", AGPU_OPF_NONE, AGPU_STAGES_GS)                             \
    X(21, ENDIF, "endif", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                            \
    X(22, ENDLOOP, "endloop", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(23, ENDSWITCH, "endswitch", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                    \
    X(24, EQ, "eq", 40, "DB Sf Sf", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                          \
    X(25, EXP, "exp", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                       \
    X(26, FRC, "frc", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                       \
    X(27, FTOI, "ftoi", 40, "Di Sf", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                         \
    X(28, FTOU, "ftou", 40, "Du Sf", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                         \
    X(29, GE, "ge", 40, "DB Sf Sf", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                          \
    X(30, IADD, "iadd", 40, "Di Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                      \
    X(31, IF, "if", 40, "Sc", AGPU_OPF_TEST, AGPU_STAGES_ALL)                                                \
    X(32, IEQ, "ieq", 40, "DB Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(33, IGE, "ige", 40, "DB Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(34, ILT, "ilt", 40, "DB Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(35, IMAD, "imad", 40, "Di Si Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                   \
    X(36, IMAX, "imax", 40, "Di Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                      \
    X(37, IMIN, "imin", 40, "Di Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                      \
    X(38, IMUL, "imul", 40, "Di Di Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                   \
    X(39, INE, "ine", 40, "DB Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(40, INEG, "ineg", 40, "Di Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                         \
    X(41, ISHL, "ishl", 40, "Di Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                      \
    X(42, ISHR, "ishr", 40, "Di Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                      \
    X(43, ITOF, "itof", 40, "Df Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                         \
    X(44, LABEL, "label", 40, "SL", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                          \
    X(45, LD, "ld", 40, "Db Si SR", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS, AGPU_STAGES_ALL)                   \
    X(46, LDMS, "ldms", 40, "Db Si SR Si", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS, AGPU_STAGES_ALL)            \
    X(47, LOG, "log", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                       \
    X(48, LOOP, "loop", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                              \
    X(49, LT, "lt", 40, "DB Sf Sf", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                          \
    X(50, MAD, "mad", 40, "Df Sf Sf Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                 \
    X(51, MIN, "min", 40, "Df Sf Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                    \
    X(52, MAX, "max", 40, "Df Sf Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                    \
    X(53, CUSTOMDATA, "customdata", 40, "", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                           \
    X(54, MOV, "mov", 40, "Db Sb", AGPU_OPF_SATURATE | AGPU_OPF_MODIFIERS, AGPU_STAGES_ALL)                  \
    X(55, MOVC, "movc", 40, "Db Sc Sb Sb", AGPU_OPF_SATURATE | AGPU_OPF_MODIFIERS, AGPU_STAGES_ALL)          \
    X(56, MUL, "mul", 40, "Df Sf Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                    \
    X(57, NE, "ne", 40, "DB Sf Sf", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                          \
    X(58, NOP, "nop", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                                \
    X(59, NOT, "not", 40, "Du Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                           \
    X(60, OR, "or", 40, "Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                          \
    X(61, RESINFO, "resinfo", 40, "Db Si SR", AGPU_OPF_EXTENDED, AGPU_STAGES_ALL)                            \
    X(62, RET, "ret", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                                \
    X(63, RETC, "retc", 40, "Sc", AGPU_OPF_TEST, AGPU_STAGES_ALL)                                            \
    X(64, ROUND_NE, "round_ne", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                             \
    X(65, ROUND_NI, "round_ni", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                             \
    X(66, ROUND_PI, "round_pi", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                             \
    X(67, ROUND_Z, "round_z", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                               \
    X(68, RSQ, "rsq", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                       \
    X(69, SAMPLE, "sample", 40, "Db Sf SR SP", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS, AGPU_STAGES_PS)         \
    X(70, SAMPLE_C, "sample_c", 40, "Db Sf SR SP Sf", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS, AGPU_STAGES_PS)  \
    X(71, SAMPLE_C_LZ, "sample_c_lz", 40, "Db Sf SR SP Sf", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS,            \
      AGPU_STAGES_ALL)                                                                                       \
    X(72, SAMPLE_L, "sample_l", 40, "Db Sf SR SP Sf", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS, AGPU_STAGES_ALL) \
    X(73, SAMPLE_D, "sample_d", 40, "Db Sf SR SP Sf Sf", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS,               \
      AGPU_STAGES_ALL)                                                                                       \
    X(74, SAMPLE_B, "sample_b", 40, "Db Sf SR SP Sf", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS, AGPU_STAGES_PS)  \
    X(75, SQRT, "sqrt", 40, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                     \
    X(76, SWITCH, "switch", 40, "Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(77, SINCOS, "sincos", 40, "Df Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                              \
    X(78, UDIV, "udiv", 40, "Du Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                   \
    X(79, ULT, "ult", 40, "DB Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(80, UGE, "uge", 40, "DB Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(81, UMUL, "umul", 40, "Du Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                   \
    X(82, UMAD, "umad", 40, "Du Su Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                   \
    X(83, UMAX, "umax", 40, "Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                      \
    X(84, UMIN, "umin", 40, "Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                      \
    X(85, USHR, "ushr", 40, "Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                      \
    X(86, UTOF, "utof", 40, "Df Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                         \
    X(87, XOR, "xor", 40, "Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                        \
    X(88, DCL_RESOURCE, "dcl_resource", 40, "DR", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                     \
    X(89, DCL_CONSTANTBUFFER, "dcl_constantbuffer", 40, "SR", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)         \
    X(90, DCL_SAMPLER, "dcl_sampler", 40, "SP", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                       \
    X(91, DCL_INDEXRANGE, "dcl_indexrange", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                 \
    X(92, DCL_OUTPUTTOPOLOGY, "dcl_outputtopology", 40, "", AGPU_OPF_DECLARATION, AGPU_STAGES_GS)            \
    X(93, DCL_INPUTPRIMITIVE, "dcl_inputprimitive", 40, "", AGPU_OPF_DECLARATION, AGPU_STAGES_GS)            \
    X(94, DCL_MAXOUT, "dcl_maxout", 40, "", AGPU_OPF_DECLARATION, AGPU_STAGES_GS)                            \
    X(95, DCL_INPUT, "dcl_input", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                           \
    X(96, DCL_INPUT_SGV, "dcl_input_sgv", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                   \
    X(97, DCL_INPUT_SIV, "dcl_input_siv", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                   \
    X(98, DCL_INPUT_PS, "dcl_input_ps", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_PS)                      \
    X(99, DCL_INPUT_PS_SGV, "dcl_input_ps_sgv", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_PS)              \
    X(100, DCL_INPUT_PS_SIV, "dcl_input_ps_siv", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_PS)             \
    X(101, DCL_OUTPUT, "dcl_output", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                        \
    X(102, DCL_OUTPUT_SGV, "dcl_output_sgv", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_GS)                 \
    X(103, DCL_OUTPUT_SIV, "dcl_output_siv", 40, "Db", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                \
    X(104, DCL_TEMPS, "dcl_temps", 40, "", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                            \
    X(105, DCL_INDEXABLETEMP, "dcl_indexableTemp", 40, "", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)            \
    X(106, DCL_GLOBALFLAGS, "dcl_globalFlags", 40, "", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                \
    X(108, LOD, "lod", 41, "Df Sf SR SP", AGPU_OPF_NONE, AGPU_STAGES_PS)                                     \
    X(109, GATHER4, "gather4", 41, "Db Sf SR SP", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS, AGPU_STAGES_ALL)     \
    X(110, SAMPLEPOS, "samplepos", 41, "Df SR Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                           \
    X(111, SAMPLEINFO, "sampleinfo", 41, "Db SR", AGPU_OPF_NONE, AGPU_STAGES_ALL)                            \
    X(113, HS_DECLS, "hs_decls", 50, "", AGPU_OPF_DECLARATION, AGPU_STAGES_HS)                               \
    X(114, HS_CONTROL_POINT_PHASE, "hs_control_point_phase", 50, "", AGPU_OPF_DECLARATION, AGPU_STAGES_HS)   \
    X(115, HS_FORK_PHASE, "hs_fork_phase", 50, "", AGPU_OPF_DECLARATION, AGPU_STAGES_HS)                     \
    X(116, HS_JOIN_PHASE, "hs_join_phase", 50, "", AGPU_OPF_DECLARATION, AGPU_STAGES_HS)                     \
    X(117, EMIT_STREAM, "emit_stream", 50, "DM", AGPU_OPF_NONE, AGPU_STAGES_GS)                              \
    X(118, CUT_STREAM, "cut_stream", 50, "DM", AGPU_OPF_NONE, AGPU_STAGES_GS)                                \
    X(119, EMIT_THEN_CUT_STREAM, "emit_then_cut_stream", 50, "DM", AGPU_OPF_NONE, AGPU_STAGES_GS)            \
    X(120, FCALL, "fcall", 50, "SI", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                         \
    X(121, BUFINFO, "bufinfo", 50, "Du SR", AGPU_OPF_EXTENDED, AGPU_STAGES_ALL)                              \
    X(122, DERIV_RTX_COARSE, "deriv_rtx_coarse", 50, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_PS)             \
    X(123, DERIV_RTX_FINE, "deriv_rtx_fine", 50, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_PS)                 \
    X(124, DERIV_RTY_COARSE, "deriv_rty_coarse", 50, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_PS)             \
    X(125, DERIV_RTY_FINE, "deriv_rty_fine", 50, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_PS)                 \
    X(126, GATHER4_C, "gather4_c", 50, "Db Sf SR SP Sf", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS,               \
      AGPU_STAGES_ALL)                                                                                       \
    X(127, GATHER4_PO, "gather4_po", 50, "Db Sf Si SR SP", AGPU_OPF_EXTENDED, AGPU_STAGES_ALL)               \
    X(128, GATHER4_PO_C, "gather4_po_c", 50, "Db Sf Si SR SP Sf", AGPU_OPF_EXTENDED, AGPU_STAGES_ALL)        \
    X(129, RCP, "rcp", 50, "Df Sf", AGPU_OPF_SATURATE, AGPU_STAGES_ALL)                                      \
    X(130, F32TOF16, "f32tof16", 50, "Du Sf", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                \
    X(131, F16TOF32, "f16tof32", 50, "Df Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                \
    X(132, UADDC, "uaddc", 50, "Du Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                \
    X(133, USUBB, "usubb", 50, "Du Du Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                \
    X(134, COUNTBITS, "countbits", 50, "Du Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                              \
    X(135, FIRSTBIT_HI, "firstbit_hi", 50, "Du Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                          \
    X(136, FIRSTBIT_LO, "firstbit_lo", 50, "Du Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                          \
    X(137, FIRSTBIT_SHI, "firstbit_shi", 50, "Du Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                        \
    X(138, UBFE, "ubfe", 50, "Du Su Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                  \
    X(139, IBFE, "ibfe", 50, "Di Si Si Si", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                  \
    X(140, BFI, "bfi", 50, "Du Su Su Su Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                 \
    X(141, BFREV, "bfrev", 50, "Du Su", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                      \
    X(142, SWAPC, "swapc", 50, "Db Db Sc Sb Sb", AGPU_OPF_NONE, AGPU_STAGES_ALL)                             \
    X(143, DCL_STREAM, "dcl_stream", 50, "DM", AGPU_OPF_DECLARATION, AGPU_STAGES_GS)                         \
    X(144, DCL_FUNCTION_BODY, "dcl_function_body", 50, "", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)            \
    X(145, DCL_FUNCTION_TABLE, "dcl_function_table", 50, "", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)          \
    X(146, DCL_INTERFACE, "dcl_interface", 50, "", AGPU_OPF_DECLARATION, AGPU_STAGES_ALL)                    \
    X(147, DCL_INPUT_CONTROL_POINT_COUNT, "dcl_input_control_point_count", 50, "", AGPU_OPF_DECLARATION,     \
      AGPU_STAGES_HS | AGPU_STAGES_DS)                                                                       \
    X(148, DCL_OUTPUT_CONTROL_POINT_COUNT, "dcl_output_control_point_count", 50, "", AGPU_OPF_DECLARATION,   \
      AGPU_STAGES_HS)                                                                                        \
    X(149, DCL_TESSELLATOR_DOMAIN, "dcl_tessellator_domain", 50, "", AGPU_OPF_DECLARATION,                   \
      AGPU_STAGES_HS | AGPU_STAGES_DS)                                                                       \
    X(150, DCL_TESSELLATOR_PARTITIONING, "dcl_tessellator_partitioning", 50, "", AGPU_OPF_DECLARATION,       \
      AGPU_STAGES_HS)                                                                                        \
    X(151, DCL_TESSELLATOR_OUTPUT_PRIMITIVE, "dcl_tessellator_output_primitive", 50, "",                     \
      AGPU_OPF_DECLARATION, AGPU_STAGES_HS)                                                                  \
    X(152, DCL_HS_MAX_TESSFACTOR, "dcl_hs_max_tessfactor", 50, "", AGPU_OPF_DECLARATION, AGPU_STAGES_HS)     \
    X(153, DCL_HS_FORK_PHASE_INSTANCE_COUNT, "dcl_hs_fork_phase_instance_count", 50, "",                     \
      AGPU_OPF_DECLARATION, AGPU_STAGES_HS)                                                                  \
    X(154, DCL_HS_JOIN_PHASE_INSTANCE_COUNT, "dcl_hs_join_phase_instance_count", 50, "",                     \
      AGPU_OPF_DECLARATION, AGPU_STAGES_HS)                                                                  \
    X(155, DCL_THREAD_GROUP, "dcl_thread_group", 40, "", AGPU_OPF_DECLARATION, AGPU_STAGES_CS)               \
    X(156, DCL_UAV_TYPED, "dcl_uav_typed", 50, "DR", AGPU_OPF_DECLARATION, AGPU_STAGES_PS | AGPU_STAGES_CS)  \
    X(157, DCL_UAV_RAW, "dcl_uav_raw", 40, "DR", AGPU_OPF_DECLARATION | AGPU_OPF_RAW_4,                      \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(158, DCL_UAV_STRUCTURED, "dcl_uav_structured", 40, "DR", AGPU_OPF_DECLARATION | AGPU_OPF_RAW_4,        \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(159, DCL_TGSM_RAW, "dcl_tgsm_raw", 50, "DR", AGPU_OPF_DECLARATION, AGPU_STAGES_CS)                     \
    X(160, DCL_TGSM_STRUCTURED, "dcl_tgsm_structured", 40, "DR", AGPU_OPF_DECLARATION, AGPU_STAGES_CS)       \
    X(161, DCL_RESOURCE_RAW, "dcl_resource_raw", 40, "DR", AGPU_OPF_DECLARATION | AGPU_OPF_RAW_4,            \
      AGPU_STAGES_ALL)                                                                                       \
    X(162, DCL_RESOURCE_STRUCTURED, "dcl_resource_structured", 40, "DR",                                     \
      AGPU_OPF_DECLARATION | AGPU_OPF_RAW_4, AGPU_STAGES_ALL)                                                \
    X(163, LD_UAV_TYPED, "ld_uav_typed", 50, "Db Si SR", AGPU_OPF_EXTENDED, AGPU_STAGES_PS | AGPU_STAGES_CS) \
    X(164, STORE_UAV_TYPED, "store_uav_typed", 50, "DR Si Sb", AGPU_OPF_NONE,                                \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(165, LD_RAW, "ld_raw", 40, "Db Si SR", AGPU_OPF_EXTENDED | AGPU_OPF_RAW_4, AGPU_STAGES_ALL)            \
    X(166, STORE_RAW, "store_raw", 40, "DR Si Sb", AGPU_OPF_RAW_4, AGPU_STAGES_PS | AGPU_STAGES_CS)          \
    X(167, LD_STRUCTURED, "ld_structured", 40, "Db Si Si SR", AGPU_OPF_EXTENDED | AGPU_OPF_RAW_4,            \
      AGPU_STAGES_ALL)                                                                                       \
    X(168, STORE_STRUCTURED, "store_structured", 40, "DR Si Si Sb", AGPU_OPF_RAW_4,                          \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(169, ATOMIC_AND, "atomic_and", 50, "DR Si Su", AGPU_OPF_NONE, AGPU_STAGES_PS | AGPU_STAGES_CS)         \
    X(170, ATOMIC_OR, "atomic_or", 50, "DR Si Su", AGPU_OPF_NONE, AGPU_STAGES_PS | AGPU_STAGES_CS)           \
    X(171, ATOMIC_XOR, "atomic_xor", 50, "DR Si Su", AGPU_OPF_NONE, AGPU_STAGES_PS | AGPU_STAGES_CS)         \
    X(172, ATOMIC_CMP_STORE, "atomic_cmp_store", 50, "DR Si Su Su", AGPU_OPF_NONE,                           \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(173, ATOMIC_IADD, "atomic_iadd", 50, "DR Si Si", AGPU_OPF_NONE, AGPU_STAGES_PS | AGPU_STAGES_CS)       \
    X(174, ATOMIC_IMAX, "atomic_imax", 50, "DR Si Si", AGPU_OPF_NONE, AGPU_STAGES_PS | AGPU_STAGES_CS)       \
    X(175, ATOMIC_IMIN, "atomic_imin", 50, "DR Si Si", AGPU_OPF_NONE, AGPU_STAGES_PS | AGPU_STAGES_CS)       \
    X(176, ATOMIC_UMAX, "atomic_umax", 50, "DR Si Su", AGPU_OPF_NONE, AGPU_STAGES_PS | AGPU_STAGES_CS)       \
    X(177, ATOMIC_UMIN, "atomic_umin", 50, "DR Si Su", AGPU_OPF_NONE, AGPU_STAGES_PS | AGPU_STAGES_CS)       \
    X(178, IMM_ATOMIC_ALLOC, "imm_atomic_alloc", 50, "Du DR", AGPU_OPF_NONE,                                 \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(179, IMM_ATOMIC_CONSUME, "imm_atomic_consume", 50, "Du DR", AGPU_OPF_NONE,                             \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(180, IMM_ATOMIC_IADD, "imm_atomic_iadd", 50, "Du DR Si Si", AGPU_OPF_NONE,                             \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(181, IMM_ATOMIC_AND, "imm_atomic_and", 50, "Du DR Si Su", AGPU_OPF_NONE,                               \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(182, IMM_ATOMIC_OR, "imm_atomic_or", 50, "Du DR Si Su", AGPU_OPF_NONE,                                 \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(183, IMM_ATOMIC_XOR, "imm_atomic_xor", 50, "Du DR Si Su", AGPU_OPF_NONE,                               \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(184, IMM_ATOMIC_EXCH, "imm_atomic_exch", 50, "Du DR Si Su", AGPU_OPF_NONE,                             \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(185, IMM_ATOMIC_CMP_EXCH, "imm_atomic_cmp_exch", 50, "Du DR Si Su Su", AGPU_OPF_NONE,                  \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(186, IMM_ATOMIC_IMAX, "imm_atomic_imax", 50, "Di DR Si Si", AGPU_OPF_NONE,                             \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(187, IMM_ATOMIC_IMIN, "imm_atomic_imin", 50, "Di DR Si Si", AGPU_OPF_NONE,                             \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(188, IMM_ATOMIC_UMAX, "imm_atomic_umax", 50, "Du DR Si Su", AGPU_OPF_NONE,                             \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(189, IMM_ATOMIC_UMIN, "imm_atomic_umin", 50, "Du DR Si Su", AGPU_OPF_NONE,                             \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(190, SYNC, "sync", 40, "", AGPU_OPF_NONE, AGPU_STAGES_PS | AGPU_STAGES_CS)                             \
    X(191, DADD, "dadd", 50, "Dd Sd Sd", AGPU_OPF_SATURATE | AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)               \
    X(192, DMAX, "dmax", 50, "Dd Sd Sd", AGPU_OPF_SATURATE | AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)               \
    X(193, DMIN, "dmin", 50, "Dd Sd Sd", AGPU_OPF_SATURATE | AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)               \
    X(194, DMUL, "dmul", 50, "Dd Sd Sd", AGPU_OPF_SATURATE | AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)               \
    X(195, DEQ, "deq", 50, "DB Sd Sd", AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)                                     \
    X(196, DGE, "dge", 50, "DB Sd Sd", AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)                                     \
    X(197, DLT, "dlt", 50, "DB Sd Sd", AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)                                     \
    X(198, DNE, "dne", 50, "DB Sd Sd", AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)                                     \
    X(199, DMOV, "dmov", 50, "Dd Sd", AGPU_OPF_SATURATE | AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)                  \
    X(200, DMOVC, "dmovc", 50, "Dd Sc Sd Sd", AGPU_OPF_SATURATE | AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)          \
    X(201, DTOF, "dtof", 50, "Df Sd", AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)                                      \
    X(202, FTOD, "ftod", 50, "Dd Sf", AGPU_OPF_DOUBLE, AGPU_STAGES_ALL)                                      \
    X(203, EVAL_SNAPPED, "eval_snapped", 50, "Df Sf Si", AGPU_OPF_NONE, AGPU_STAGES_PS)                      \
    X(204, EVAL_SAMPLE_INDEX, "eval_sample_index", 50, "Df Sf Si", AGPU_OPF_NONE, AGPU_STAGES_PS)            \
    X(205, EVAL_CENTROID, "eval_centroid", 50, "Df Sf", AGPU_OPF_NONE, AGPU_STAGES_PS)                       \
    X(206, DCL_GSINSTANCES, "dcl_gsinstances", 50, "", AGPU_OPF_DECLARATION, AGPU_STAGES_GS)                 \
    X(207, ABORT, "abort", 40, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                                           \
    X(208, DEBUG_BREAK, "debug_break", 50, "", AGPU_OPF_NONE, AGPU_STAGES_ALL)                               \
    X(210, DDIV, "ddiv", 50, "Dd Sd Sd", AGPU_OPF_SATURATE | AGPU_OPF_DOUBLE_11_1, AGPU_STAGES_ALL)          \
    X(211, DFMA, "dfma", 50, "Dd Sd Sd Sd", AGPU_OPF_SATURATE | AGPU_OPF_DOUBLE_11_1, AGPU_STAGES_ALL)       \
    X(212, DRCP, "drcp", 50, "Dd Sd", AGPU_OPF_SATURATE | AGPU_OPF_DOUBLE_11_1, AGPU_STAGES_ALL)             \
    X(213, MSAD, "msad", 50, "Du Su Su Su", AGPU_OPF_SHADER_11_1, AGPU_STAGES_ALL)                           \
    X(214, DTOI, "dtoi", 50, "Di Sd", AGPU_OPF_DOUBLE_11_1, AGPU_STAGES_ALL)                                 \
    X(215, DTOU, "dtou", 50, "Du Sd", AGPU_OPF_DOUBLE_11_1, AGPU_STAGES_ALL)                                 \
    X(216, ITOD, "itod", 50, "Dd Si", AGPU_OPF_DOUBLE_11_1, AGPU_STAGES_ALL)                                 \
    X(217, UTOD, "utod", 50, "Dd Su", AGPU_OPF_DOUBLE_11_1, AGPU_STAGES_ALL)                                 \
    X(219, GATHER4_S, "gather4_s", 50, "Db Du Sf SR SP",                                                     \
      AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED, AGPU_STAGES_ALL)                                \
    X(220, GATHER4_C_S, "gather4_c_s", 50, "Db Du Sf SR SP Sf",                                              \
      AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED, AGPU_STAGES_ALL)                                \
    X(221, GATHER4_PO_S, "gather4_po_s", 50, "Db Du Sf Si SR SP", AGPU_OPF_EXTENDED | AGPU_OPF_TILED,        \
      AGPU_STAGES_ALL)                                                                                       \
    X(222, GATHER4_PO_C_S, "gather4_po_c_s", 50, "Db Du Sf Si SR SP Sf", AGPU_OPF_EXTENDED | AGPU_OPF_TILED, \
      AGPU_STAGES_ALL)                                                                                       \
    X(223, LD_S, "ld_s", 50, "Db Du Si SR", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED,           \
      AGPU_STAGES_ALL)                                                                                       \
    X(224, LDMS_S, "ldms_s", 50, "Db Du Si SR Si", AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED,    \
      AGPU_STAGES_ALL)                                                                                       \
    X(225, LD_UAV_TYPED_S, "ld_uav_typed_s", 50, "Db Du Si SR", AGPU_OPF_EXTENDED | AGPU_OPF_TILED,          \
      AGPU_STAGES_PS | AGPU_STAGES_CS)                                                                       \
    X(226, LD_RAW_S, "ld_raw_s", 50, "Db Du Si SR", AGPU_OPF_EXTENDED | AGPU_OPF_TILED, AGPU_STAGES_ALL)     \
    X(227, LD_STRUCTURED_S, "ld_structured_s", 50, "Db Du Si Si SR", AGPU_OPF_EXTENDED | AGPU_OPF_TILED,     \
      AGPU_STAGES_ALL)                                                                                       \
    X(228, SAMPLE_L_S, "sample_l_s", 50, "Db Du Sf SR SP Sf",                                                \
      AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED, AGPU_STAGES_ALL)                                \
    X(229, SAMPLE_C_LZ_S, "sample_c_lz_s", 50, "Db Du Sf SR SP Sf",                                          \
      AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED, AGPU_STAGES_ALL)                                \
    X(230, SAMPLE_CL_S, "sample_cl_s", 50, "Db Du Sf SR SP Sf",                                              \
      AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED, AGPU_STAGES_PS)                                 \
    X(231, SAMPLE_B_CL_S, "sample_b_cl_s", 50, "Db Du Sf SR SP Sf Sf",                                       \
      AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED, AGPU_STAGES_PS)                                 \
    X(232, SAMPLE_D_CL_S, "sample_d_cl_s", 50, "Db Du Sf SR SP Sf Sf Sf",                                    \
      AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED, AGPU_STAGES_ALL)                                \
    X(233, SAMPLE_C_CL_S, "sample_c_cl_s", 50, "Db Du Sf SR SP Sf Sf",                                       \
      AGPU_OPF_EXTENDED | AGPU_OPF_OFFSETS | AGPU_OPF_TILED, AGPU_STAGES_PS)                                 \
    X(234, CHECK_ACCESS_FULLY_MAPPED, "check_access_fully_mapped", 50, "DB Su", AGPU_OPF_TILED,              \
      AGPU_STAGES_ALL)

#endif
