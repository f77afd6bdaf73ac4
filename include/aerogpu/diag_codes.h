/* SPDX-License-Identifier: MIT
 *
 * The one table of diagnostic codes: X(NAME, slug, error register).
 *
 * Slugs are `layer.problem` and never change their meaning; new ones are added at the end of their layer's
 * block. The third column is what the device's ERROR_CODE register shows when the problem ends a submission
 * (spec: the error codes of abi/pci.h): NONE 0, CMD_DECODE 1, OOB 2, BACKEND 3, INTERNAL 0xFFFF.
 */
#ifndef AEROGPU_DIAG_CODES_H
#define AEROGPU_DIAG_CODES_H

#define AGPU_DIAG_CODES(X)                                                                                   \
    /* base */                                                                                               \
    X(OUT_OF_MEMORY, "base.out-of-memory", INTERNAL)                                                         \
    X(FILE_UNREADABLE, "base.file-unreadable", NONE)                                                         \
    X(FILE_UNWRITABLE, "base.file-unwritable", NONE)                                                         \
    AGPU_DIAG_CODES_ABI(X)                                                                                   \
    AGPU_DIAG_CODES_DXBC(X)                                                                                  \
    AGPU_DIAG_CODES_TRANSLATE(X)                                                                             \
    AGPU_DIAG_CODES_GPU(X)                                                                                   \
    AGPU_DIAG_CODES_EXEC(X)                                                                                  \
    AGPU_DIAG_CODES_DEVICE(X)                                                                                \
    AGPU_DIAG_CODES_CAPTURE(X)                                                                               \
    AGPU_DIAG_CODES_SCENE(X)                                                                                 \
    AGPU_DIAG_CODES_CLI(X)                                                                                   \
    AGPU_DIAG_CODES_REF(X)

/* The stream and its text form. */
#define AGPU_DIAG_CODES_ABI(X)                                                                               \
    X(ABI_STREAM_HEADER, "abi.stream-header", CMD_DECODE)                                                    \
    X(ABI_STREAM_SIZE, "abi.stream-size", OOB)                                                               \
    X(ABI_PACKET_SIZE, "abi.packet-size", CMD_DECODE)                                                        \
    X(ABI_PACKET_PAYLOAD, "abi.packet-payload", CMD_DECODE)                                                  \
    X(ABI_STAGE, "abi.stage", CMD_DECODE)                                                                    \
    X(ABI_SPACE, "abi.no-space", NONE)                                                                       \
    X(ABI_INPUT_LAYOUT, "abi.input-layout", BACKEND)                                                         \
    X(ABI_TEXT_SYNTAX, "abi.text-syntax", NONE)                                                              \
    X(ABI_TEXT_NAME, "abi.text-name", NONE)                                                                  \
    X(ABI_TEXT_VALUE, "abi.text-value", NONE)                                                                \
    X(ABI_TEXT_SOURCE, "abi.text-source", NONE)

/* Containers, signatures, tokens, assembly. */
#define AGPU_DIAG_CODES_DXBC(X)                                                                              \
    X(DXBC_CONTAINER, "dxbc.container", BACKEND)                                                             \
    X(DXBC_CHECKSUM, "dxbc.checksum", BACKEND)                                                               \
    X(DXBC_CHUNK, "dxbc.chunk", BACKEND)                                                                     \
    X(DXBC_NO_PROGRAM, "dxbc.no-program", BACKEND)                                                           \
    X(DXBC_MODEL, "dxbc.model", BACKEND)                                                                     \
    X(DXBC_TRUNCATED, "dxbc.truncated", BACKEND)                                                             \
    X(DXBC_OPCODE, "dxbc.opcode", BACKEND)                                                                   \
    X(DXBC_OPERAND, "dxbc.operand", BACKEND)                                                                 \
    X(DXBC_SIGNATURE, "dxbc.signature", BACKEND)                                                             \
    X(DXBC_LIMIT, "dxbc.limit", BACKEND)                                                                     \
    X(DXBC_REFLECTION, "dxbc.reflection", NONE)                                                              \
    X(DXBC_SYNTAX, "dxbc.syntax", NONE)                                                                      \
    X(DXBC_NAME, "dxbc.name", NONE)                                                                          \
    X(DXBC_VALUE, "dxbc.value", NONE)                                                                        \
    X(DXBC_UNDECLARED, "dxbc.undeclared", BACKEND)                                                           \
    X(DXBC_REDECLARED, "dxbc.redeclared", BACKEND)                                                           \
    X(DXBC_REGISTER_RANGE, "dxbc.register-range", BACKEND)                                                   \
    X(DXBC_INDEX, "dxbc.index", BACKEND)                                                                     \
    X(DXBC_DECLARATION, "dxbc.declaration", BACKEND)                                                         \
    X(DXBC_DECLARATION_ORDER, "dxbc.declaration-order", BACKEND)                                             \
    X(DXBC_MISSING_DECLARATION, "dxbc.missing-declaration", BACKEND)                                         \
    X(DXBC_DESTINATION, "dxbc.destination", BACKEND)                                                         \
    X(DXBC_SOURCE, "dxbc.source", BACKEND)                                                                   \
    X(DXBC_COMPONENTS, "dxbc.components", BACKEND)                                                           \
    X(DXBC_MODIFIER, "dxbc.modifier", BACKEND)                                                               \
    X(DXBC_RESOURCE, "dxbc.resource", BACKEND)                                                               \
    X(DXBC_STAGE, "dxbc.stage", BACKEND)                                                                     \
    X(DXBC_FEATURE, "dxbc.feature", BACKEND)                                                                 \
    X(DXBC_NESTING, "dxbc.nesting", BACKEND)                                                                 \
    X(DXBC_JUMP, "dxbc.jump", BACKEND)                                                                       \
    X(DXBC_CASE, "dxbc.case", BACKEND)                                                                       \
    X(DXBC_LABEL, "dxbc.label", BACKEND)                                                                     \
    X(DXBC_RETURN, "dxbc.return", BACKEND)                                                                   \
    X(DXBC_PHASE, "dxbc.phase", BACKEND)                                                                     \
    X(DXBC_THREAD_GROUP, "dxbc.thread-group", BACKEND)                                                       \
    X(DXBC_SIGNATURE_MISMATCH, "dxbc.signature-mismatch", BACKEND)

/* From DXBC to WGSL. */
#define AGPU_DIAG_CODES_TRANSLATE(X)                                                                         \
    X(TRANSLATE_STAGE, "translate.stage", BACKEND)                                                           \
    X(TRANSLATE_OPCODE, "translate.opcode", BACKEND)                                                         \
    X(TRANSLATE_OPERAND, "translate.operand", BACKEND)                                                       \
    X(TRANSLATE_RESOURCE, "translate.resource", BACKEND)                                                     \
    X(TRANSLATE_SYSTEM_VALUE, "translate.system-value", BACKEND)                                             \
    X(TRANSLATE_FLOW, "translate.flow", BACKEND)                                                             \
    X(TRANSLATE_LIMIT, "translate.limit", BACKEND)                                                           \
    X(TRANSLATE_IGNORED, "translate.ignored", BACKEND)                                                       \
    X(TRANSLATE_INVALID_IR, "translate.invalid-ir", INTERNAL)                                                \
    X(TRANSLATE_INVALID_WGSL, "translate.invalid-wgsl", INTERNAL)

/* The WebGPU library, adapters, devices. */
#define AGPU_DIAG_CODES_GPU(X)                                                                               \
    X(GPU_NO_LIBRARY, "gpu.no-library", BACKEND)                                                             \
    X(GPU_SYMBOL, "gpu.symbol", BACKEND)                                                                     \
    X(GPU_NO_ADAPTER, "gpu.no-adapter", BACKEND)                                                             \
    X(GPU_NO_DEVICE, "gpu.no-device", BACKEND)                                                               \
    X(GPU_FEATURE, "gpu.feature", BACKEND)                                                                   \
    X(GPU_LIMIT, "gpu.limit", BACKEND)                                                                       \
    X(GPU_VALIDATION, "gpu.validation", INTERNAL)                                                            \
    X(GPU_OUT_OF_MEMORY, "gpu.out-of-memory", BACKEND)                                                       \
    X(GPU_LOST, "gpu.lost", BACKEND)

/* Execution of packets. */
#define AGPU_DIAG_CODES_EXEC(X)                                                                              \
    X(EXEC_HANDLE, "exec.handle", BACKEND)                                                                   \
    X(EXEC_ARGUMENT, "exec.argument", BACKEND)                                                               \
    X(EXEC_RANGE, "exec.range", BACKEND)                                                                     \
    X(EXEC_FORMAT, "exec.format", BACKEND)                                                                   \
    X(EXEC_ALLOCATION, "exec.allocation", BACKEND)                                                           \
    X(EXEC_GUEST_MEMORY, "exec.guest-memory", OOB)                                                           \
    X(EXEC_SHARED_SURFACE, "exec.shared-surface", BACKEND)                                                   \
    X(EXEC_REFUSED_OBJECT, "exec.refused-object", BACKEND)                                                   \
    X(EXEC_UNDEFINED_DRAW, "exec.undefined-draw", NONE)                                                      \
    X(EXEC_WORK, "exec.work", BACKEND)                                                                       \
    X(EXEC_UNSUPPORTED, "exec.unsupported", BACKEND)

/* Registers, ring, submissions. */
#define AGPU_DIAG_CODES_DEVICE(X)                                                                            \
    X(DEVICE_RING, "device.ring", CMD_DECODE)                                                                \
    X(DEVICE_RING_RANGE, "device.ring-range", OOB)                                                           \
    X(DEVICE_DESCRIPTOR, "device.descriptor", CMD_DECODE)                                                    \
    X(DEVICE_DESCRIPTOR_RANGE, "device.descriptor-range", OOB)                                               \
    X(DEVICE_ALLOC_TABLE, "device.alloc-table", CMD_DECODE)                                                  \
    X(DEVICE_ALLOC_TABLE_RANGE, "device.alloc-table-range", OOB)                                             \
    X(DEVICE_GUEST_MEMORY, "device.guest-memory", OOB)                                                       \
    X(DEVICE_QUEUE_FULL, "device.queue-full", BACKEND)                                                       \
    X(DEVICE_SCANOUT, "device.scanout", NONE)                                                                \
    X(DEVICE_CURSOR, "device.cursor", NONE)                                                                  \
    X(DEVICE_ARGUMENT, "device.argument", NONE)

/* Captures. */
#define AGPU_DIAG_CODES_CAPTURE(X)                                                                           \
    X(CAPTURE_UNWRITABLE, "capture.unwritable", NONE)                                                        \
    X(CAPTURE_FORMAT, "capture.format", NONE)                                                                \
    X(CAPTURE_VERSION, "capture.version", NONE)                                                              \
    X(CAPTURE_CHECKSUM, "capture.checksum", NONE)                                                            \
    X(CAPTURE_CHUNK, "capture.chunk", NONE)                                                                  \
    X(CAPTURE_TRUNCATED, "capture.truncated", NONE)                                                          \
    X(CAPTURE_LIMIT, "capture.limit", NONE)                                                                  \
    X(CAPTURE_RANGE, "capture.range", NONE)                                                                  \
    X(CAPTURE_DIFFERS, "capture.differs", NONE)

/* Scene files and traces. */
#define AGPU_DIAG_CODES_SCENE(X)                                                                             \
    X(SCENE_SYNTAX, "scene.syntax", NONE)                                                                    \
    X(SCENE_NAME, "scene.name", NONE)                                                                        \
    X(SCENE_VALUE, "scene.value", NONE)                                                                      \
    X(SCENE_EXPECT, "scene.expect", NONE)                                                                    \
    X(SCENE_TODO_PASSES, "scene.todo-passes", NONE)                                                          \
    X(SCENE_UNEXPECTED_ERROR, "scene.unexpected-error", NONE)                                                \
    X(SCENE_UNEXPECTED_WARNING, "scene.unexpected-warning", NONE)                                            \
    X(SCENE_TIMEOUT, "scene.timeout", NONE)                                                                  \
    X(SCENE_UNSUPPORTED_INPUT, "scene.unsupported-input", NONE)                                              \
    X(SCENE_PNG, "scene.png", NONE)                                                                          \
    X(SCENE_SETUP, "scene.setup", NONE)                                                                      \
    X(SCENE_TRACE, "scene.trace", NONE)                                                                      \
    X(SCENE_TRACE_ABI, "scene.trace-abi", NONE)                                                              \
    X(SCENE_TRACE_NO_TARGET, "scene.trace-no-target", NONE)                                                  \
    X(SCENE_TRACE_NO_SHADERS, "scene.trace-no-shaders", NONE)                                                \
    X(SCENE_TRACE_SHADER, "scene.trace-shader", NONE)

/* The command line tool. */
#define AGPU_DIAG_CODES_CLI(X)                                                                               \
    X(CLI_USAGE, "cli.usage", NONE)                                                                          \
    X(CLI_UNSUPPORTED, "cli.unsupported", NONE)                                                              \
    X(CLI_CHILD, "cli.child", NONE)

/* The reference interpreter of the tests. */
#define AGPU_DIAG_CODES_REF(X)                                                                               \
    X(REF_STAGE, "ref.stage", NONE)                                                                          \
    X(REF_OPCODE, "ref.opcode", NONE)                                                                        \
    X(REF_OPERAND, "ref.operand", NONE)                                                                      \
    X(REF_FLOW, "ref.flow", NONE)                                                                            \
    X(REF_LIMIT, "ref.limit", NONE)                                                                          \
    X(REF_BUDGET, "ref.budget", NONE)                                                                        \
    X(REF_BARRIER, "ref.barrier", NONE)                                                                      \
    X(REF_INSTANCE, "ref.instance", NONE)

#endif
