/* SPDX-License-Identifier: MIT
 *
 * The one table of diagnostic codes: X(number, NAME, slug, error register).
 *
 * Slugs are `layer.problem`. Neither a slug nor its number ever changes or goes, so that programs may keep
 * both; new ones get the next number of their layer, which has a thousand. The last column is what the
 * device's ERROR_CODE register shows when the problem ends a submission (spec: the error codes of abi/pci.h):
 * NONE 0, CMD_DECODE 1, OOB 2, BACKEND 3, INTERNAL 0xFFFF. The numbers are fixed since 0.2.
 */
#ifndef AEROGPU_DIAG_CODES_H
#define AEROGPU_DIAG_CODES_H

#define AGPU_DIAG_CODES(X)                                                                                   \
    /* base */                                                                                               \
    X(1001, OUT_OF_MEMORY, "base.out-of-memory", INTERNAL)                                                   \
    X(1002, FILE_UNREADABLE, "base.file-unreadable", NONE)                                                   \
    X(1003, FILE_UNWRITABLE, "base.file-unwritable", NONE)                                                   \
    AGPU_DIAG_CODES_ABI(X)                                                                                   \
    AGPU_DIAG_CODES_DXBC(X)                                                                                  \
    AGPU_DIAG_CODES_TRANSLATE(X)                                                                             \
    AGPU_DIAG_CODES_GPU(X)                                                                                   \
    AGPU_DIAG_CODES_EXEC(X)                                                                                  \
    AGPU_DIAG_CODES_DEVICE(X)                                                                                \
    AGPU_DIAG_CODES_CAPTURE(X)                                                                               \
    AGPU_DIAG_CODES_SCENE(X)                                                                                 \
    AGPU_DIAG_CODES_CLI(X)                                                                                   \
    AGPU_DIAG_CODES_REF(X)                                                                                   \
    AGPU_DIAG_CODES_SNAPSHOT(X)                                                                              \
    AGPU_DIAG_CODES_SERVE(X)                                                                                 \
    AGPU_DIAG_CODES_CACHE(X)

/* The stream and its text form. */
#define AGPU_DIAG_CODES_ABI(X)                                                                               \
    X(2001, ABI_STREAM_HEADER, "abi.stream-header", CMD_DECODE)                                              \
    X(2002, ABI_STREAM_SIZE, "abi.stream-size", OOB)                                                         \
    X(2003, ABI_PACKET_SIZE, "abi.packet-size", CMD_DECODE)                                                  \
    X(2004, ABI_PACKET_PAYLOAD, "abi.packet-payload", CMD_DECODE)                                            \
    X(2005, ABI_STAGE, "abi.stage", CMD_DECODE)                                                              \
    X(2006, ABI_SPACE, "abi.no-space", NONE)                                                                 \
    X(2007, ABI_INPUT_LAYOUT, "abi.input-layout", BACKEND)                                                   \
    X(2008, ABI_TEXT_SYNTAX, "abi.text-syntax", NONE)                                                        \
    X(2009, ABI_TEXT_NAME, "abi.text-name", NONE)                                                            \
    X(2010, ABI_TEXT_VALUE, "abi.text-value", NONE)                                                          \
    X(2011, ABI_TEXT_SOURCE, "abi.text-source", NONE)

/* Containers, signatures, tokens, assembly. */
#define AGPU_DIAG_CODES_DXBC(X)                                                                              \
    X(3001, DXBC_CONTAINER, "dxbc.container", BACKEND)                                                       \
    X(3002, DXBC_CHECKSUM, "dxbc.checksum", BACKEND)                                                         \
    X(3003, DXBC_CHUNK, "dxbc.chunk", BACKEND)                                                               \
    X(3004, DXBC_NO_PROGRAM, "dxbc.no-program", BACKEND)                                                     \
    X(3005, DXBC_MODEL, "dxbc.model", BACKEND)                                                               \
    X(3006, DXBC_TRUNCATED, "dxbc.truncated", BACKEND)                                                       \
    X(3007, DXBC_OPCODE, "dxbc.opcode", BACKEND)                                                             \
    X(3008, DXBC_OPERAND, "dxbc.operand", BACKEND)                                                           \
    X(3009, DXBC_SIGNATURE, "dxbc.signature", BACKEND)                                                       \
    X(3010, DXBC_LIMIT, "dxbc.limit", BACKEND)                                                               \
    X(3011, DXBC_REFLECTION, "dxbc.reflection", NONE)                                                        \
    X(3012, DXBC_SYNTAX, "dxbc.syntax", NONE)                                                                \
    X(3013, DXBC_NAME, "dxbc.name", NONE)                                                                    \
    X(3014, DXBC_VALUE, "dxbc.value", NONE)                                                                  \
    X(3015, DXBC_UNDECLARED, "dxbc.undeclared", BACKEND)                                                     \
    X(3016, DXBC_REDECLARED, "dxbc.redeclared", BACKEND)                                                     \
    X(3017, DXBC_REGISTER_RANGE, "dxbc.register-range", BACKEND)                                             \
    X(3018, DXBC_INDEX, "dxbc.index", BACKEND)                                                               \
    X(3019, DXBC_DECLARATION, "dxbc.declaration", BACKEND)                                                   \
    X(3020, DXBC_DECLARATION_ORDER, "dxbc.declaration-order", BACKEND)                                       \
    X(3021, DXBC_MISSING_DECLARATION, "dxbc.missing-declaration", BACKEND)                                   \
    X(3022, DXBC_DESTINATION, "dxbc.destination", BACKEND)                                                   \
    X(3023, DXBC_SOURCE, "dxbc.source", BACKEND)                                                             \
    X(3024, DXBC_COMPONENTS, "dxbc.components", BACKEND)                                                     \
    X(3025, DXBC_MODIFIER, "dxbc.modifier", BACKEND)                                                         \
    X(3026, DXBC_RESOURCE, "dxbc.resource", BACKEND)                                                         \
    X(3027, DXBC_STAGE, "dxbc.stage", BACKEND)                                                               \
    X(3028, DXBC_FEATURE, "dxbc.feature", BACKEND)                                                           \
    X(3029, DXBC_NESTING, "dxbc.nesting", BACKEND)                                                           \
    X(3030, DXBC_JUMP, "dxbc.jump", BACKEND)                                                                 \
    X(3031, DXBC_CASE, "dxbc.case", BACKEND)                                                                 \
    X(3032, DXBC_LABEL, "dxbc.label", BACKEND)                                                               \
    X(3033, DXBC_RETURN, "dxbc.return", BACKEND)                                                             \
    X(3034, DXBC_PHASE, "dxbc.phase", BACKEND)                                                               \
    X(3035, DXBC_THREAD_GROUP, "dxbc.thread-group", BACKEND)                                                 \
    X(3036, DXBC_SIGNATURE_MISMATCH, "dxbc.signature-mismatch", BACKEND)

/* From DXBC to WGSL. */
#define AGPU_DIAG_CODES_TRANSLATE(X)                                                                         \
    X(4001, TRANSLATE_STAGE, "translate.stage", BACKEND)                                                     \
    X(4002, TRANSLATE_OPCODE, "translate.opcode", BACKEND)                                                   \
    X(4003, TRANSLATE_OPERAND, "translate.operand", BACKEND)                                                 \
    X(4004, TRANSLATE_RESOURCE, "translate.resource", BACKEND)                                               \
    X(4005, TRANSLATE_SYSTEM_VALUE, "translate.system-value", BACKEND)                                       \
    X(4006, TRANSLATE_FLOW, "translate.flow", BACKEND)                                                       \
    X(4007, TRANSLATE_LIMIT, "translate.limit", BACKEND)                                                     \
    X(4008, TRANSLATE_IGNORED, "translate.ignored", BACKEND)                                                 \
    X(4009, TRANSLATE_INVALID_IR, "translate.invalid-ir", INTERNAL)                                          \
    X(4010, TRANSLATE_INVALID_WGSL, "translate.invalid-wgsl", INTERNAL)                                      \
    X(4011, TRANSLATE_COST, "translate.cost", BACKEND)

/* The WebGPU library, adapters, devices. */
#define AGPU_DIAG_CODES_GPU(X)                                                                               \
    X(5001, GPU_NO_LIBRARY, "gpu.no-library", BACKEND)                                                       \
    X(5002, GPU_SYMBOL, "gpu.symbol", BACKEND)                                                               \
    X(5003, GPU_NO_ADAPTER, "gpu.no-adapter", BACKEND)                                                       \
    X(5004, GPU_NO_DEVICE, "gpu.no-device", BACKEND)                                                         \
    X(5005, GPU_FEATURE, "gpu.feature", BACKEND)                                                             \
    X(5006, GPU_LIMIT, "gpu.limit", BACKEND)                                                                 \
    X(5007, GPU_VALIDATION, "gpu.validation", INTERNAL)                                                      \
    X(5008, GPU_OUT_OF_MEMORY, "gpu.out-of-memory", BACKEND)                                                 \
    X(5009, GPU_LOST, "gpu.lost", BACKEND)                                                                   \
    X(5010, GPU_PROCESS, "gpu.process", BACKEND)                                                             \
    X(5011, GPU_HANG, "gpu.hang", BACKEND)                                                                   \
    X(5012, GPU_LIBRARY_VERSION, "gpu.library-version", BACKEND)

/* Execution of packets. */
#define AGPU_DIAG_CODES_EXEC(X)                                                                              \
    X(6001, EXEC_HANDLE, "exec.handle", BACKEND)                                                             \
    X(6002, EXEC_ARGUMENT, "exec.argument", BACKEND)                                                         \
    X(6003, EXEC_RANGE, "exec.range", BACKEND)                                                               \
    X(6004, EXEC_FORMAT, "exec.format", BACKEND)                                                             \
    X(6005, EXEC_ALLOCATION, "exec.allocation", BACKEND)                                                     \
    X(6006, EXEC_GUEST_MEMORY, "exec.guest-memory", OOB)                                                     \
    X(6007, EXEC_SHARED_SURFACE, "exec.shared-surface", BACKEND)                                             \
    X(6008, EXEC_REFUSED_OBJECT, "exec.refused-object", BACKEND)                                             \
    X(6009, EXEC_UNDEFINED_DRAW, "exec.undefined-draw", NONE)                                                \
    X(6010, EXEC_WORK, "exec.work", BACKEND)                                                                 \
    X(6011, EXEC_UNSUPPORTED, "exec.unsupported", BACKEND)                                                   \
    X(6012, EXEC_MEMORY, "exec.memory", BACKEND)                                                             \
    X(6013, EXEC_COMPILE, "exec.compile", BACKEND)                                                           \
    X(6014, EXEC_TIME, "exec.time", BACKEND)

/* Registers, ring, submissions. */
#define AGPU_DIAG_CODES_DEVICE(X)                                                                            \
    X(7001, DEVICE_RING, "device.ring", CMD_DECODE)                                                          \
    X(7002, DEVICE_RING_RANGE, "device.ring-range", OOB)                                                     \
    X(7003, DEVICE_DESCRIPTOR, "device.descriptor", CMD_DECODE)                                              \
    X(7004, DEVICE_DESCRIPTOR_RANGE, "device.descriptor-range", OOB)                                         \
    X(7005, DEVICE_ALLOC_TABLE, "device.alloc-table", CMD_DECODE)                                            \
    X(7006, DEVICE_ALLOC_TABLE_RANGE, "device.alloc-table-range", OOB)                                       \
    X(7007, DEVICE_GUEST_MEMORY, "device.guest-memory", OOB)                                                 \
    X(7008, DEVICE_QUEUE_FULL, "device.queue-full", BACKEND)                                                 \
    X(7009, DEVICE_SCANOUT, "device.scanout", NONE)                                                          \
    X(7010, DEVICE_CURSOR, "device.cursor", NONE)                                                            \
    X(7011, DEVICE_ARGUMENT, "device.argument", NONE)                                                        \
    X(7012, DEVICE_DIAGNOSTICS, "device.diagnostics", NONE)

/* Captures. */
#define AGPU_DIAG_CODES_CAPTURE(X)                                                                           \
    X(8001, CAPTURE_UNWRITABLE, "capture.unwritable", NONE)                                                  \
    X(8002, CAPTURE_FORMAT, "capture.format", NONE)                                                          \
    X(8003, CAPTURE_VERSION, "capture.version", NONE)                                                        \
    X(8004, CAPTURE_CHECKSUM, "capture.checksum", NONE)                                                      \
    X(8005, CAPTURE_CHUNK, "capture.chunk", NONE)                                                            \
    X(8006, CAPTURE_TRUNCATED, "capture.truncated", NONE)                                                    \
    X(8007, CAPTURE_LIMIT, "capture.limit", NONE)                                                            \
    X(8008, CAPTURE_RANGE, "capture.range", NONE)                                                            \
    X(8009, CAPTURE_DIFFERS, "capture.differs", NONE)

/* Scene files and traces. */
#define AGPU_DIAG_CODES_SCENE(X)                                                                             \
    X(9001, SCENE_SYNTAX, "scene.syntax", NONE)                                                              \
    X(9002, SCENE_NAME, "scene.name", NONE)                                                                  \
    X(9003, SCENE_VALUE, "scene.value", NONE)                                                                \
    X(9004, SCENE_EXPECT, "scene.expect", NONE)                                                              \
    X(9005, SCENE_TODO_PASSES, "scene.todo-passes", NONE)                                                    \
    X(9006, SCENE_UNEXPECTED_ERROR, "scene.unexpected-error", NONE)                                          \
    X(9007, SCENE_TIMEOUT, "scene.timeout", NONE)                                                            \
    X(9008, SCENE_UNSUPPORTED_INPUT, "scene.unsupported-input", NONE)                                        \
    X(9009, SCENE_PNG, "scene.png", NONE)                                                                    \
    X(9010, SCENE_SETUP, "scene.setup", NONE)                                                                \
    X(9011, SCENE_TRACE, "scene.trace", NONE)                                                                \
    X(9012, SCENE_TRACE_ABI, "scene.trace-abi", NONE)                                                        \
    X(9013, SCENE_TRACE_NO_TARGET, "scene.trace-no-target", NONE)                                            \
    X(9014, SCENE_TRACE_NO_SHADERS, "scene.trace-no-shaders", NONE)                                          \
    X(9015, SCENE_TRACE_SHADER, "scene.trace-shader", NONE)                                                  \
    X(9016, SCENE_UNEXPECTED_WARNING, "scene.unexpected-warning", NONE)

/* The command line tool. */
#define AGPU_DIAG_CODES_CLI(X)                                                                               \
    X(10001, CLI_USAGE, "cli.usage", NONE)                                                                   \
    X(10002, CLI_UNSUPPORTED, "cli.unsupported", NONE)                                                       \
    X(10003, CLI_CHILD, "cli.child", NONE)                                                                   \
    X(10004, CLI_MISSING, "cli.missing", NONE)

/* The reference interpreter of the tests. */
#define AGPU_DIAG_CODES_REF(X)                                                                               \
    X(11001, REF_STAGE, "ref.stage", NONE)                                                                   \
    X(11002, REF_OPCODE, "ref.opcode", NONE)                                                                 \
    X(11003, REF_OPERAND, "ref.operand", NONE)                                                               \
    X(11004, REF_FLOW, "ref.flow", NONE)                                                                     \
    X(11005, REF_LIMIT, "ref.limit", NONE)                                                                   \
    X(11006, REF_BUDGET, "ref.budget", NONE)                                                                 \
    X(11007, REF_BARRIER, "ref.barrier", NONE)                                                               \
    X(11008, REF_INSTANCE, "ref.instance", NONE)

/* Snapshots of a device. */
#define AGPU_DIAG_CODES_SNAPSHOT(X)                                                                          \
    X(12001, SNAPSHOT_UNWRITABLE, "snapshot.unwritable", NONE)                                               \
    X(12002, SNAPSHOT_FORMAT, "snapshot.format", NONE)                                                       \
    X(12003, SNAPSHOT_VERSION, "snapshot.version", NONE)                                                     \
    X(12004, SNAPSHOT_LIMIT, "snapshot.limit", NONE)                                                         \
    X(12005, SNAPSHOT_DIFFERS, "snapshot.differs", NONE)                                                     \
    X(12006, SNAPSHOT_UNSUPPORTED, "snapshot.unsupported", NONE)                                             \
    X(12007, SNAPSHOT_STATE, "snapshot.state", NONE)

/* The server of devices. */
#define AGPU_DIAG_CODES_SERVE(X)                                                                             \
    X(13001, SERVE_ADDRESS, "serve.address", NONE)                                                           \
    X(13002, SERVE_CLIENT, "serve.client", NONE)

/* Persistent caches. */
#define AGPU_DIAG_CODES_CACHE(X) X(14001, CACHE_FOLDER, "cache.folder", NONE)

#endif
