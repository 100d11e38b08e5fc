#ifndef MOONPOD_COMPILER_H
#define MOONPOD_COMPILER_H

/*
 * compiler - asks an installed compiler of accelerators, a plugin of PJRT such as libtpu.so, what a program takes.
 *
 *     const char module[] = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }";
 *     pod_compiler_question question = {.plugin = "/opt/libtpu.so", .topology = "v5e:2x2", .module = module};
 *     question.module_size = sizeof module - 1;
 *     pod_compiled_memory memory;
 *     status = pod_compiler_memory(context, &question, &memory, &error);
 *
 * No accelerator is needed: the plugin compiles for devices that are described to it. It runs in a child process, so
 * that one that aborts, hangs or writes harms nobody.
 */

#include "moonpod/status.h"

POD_BEGIN_C

typedef struct pod_compiler_question {
    const char *plugin;   /* path of the shared library */
    const char *topology; /* the devices as the plugin names them: "v5e:2x2"; a GPU as XLA's GpuTargetConfigProto has
                           * it, as text: "gpu_device_info {..}" */
    const char *module;   /* StableHLO, as text or as MLIR bytecode */
    size_t module_size;
    int32_t replicas, partitions; /* devices that the module is for; 0: 1 */
    int32_t seconds;              /* until the compiler is ended; 0: 600 */
    bool times;                   /* what it thinks of times is asked, too */
} pod_compiler_question;

#define POD_COMPILED_LONGEST 10

/* A kernel as its compiler has it. */
typedef struct pod_compiled_kernel {
    double cycles; /* that it is estimated to take, in all its runs */
    int32_t line;  /* of the module: of its convolution, or its own; 0: it is not told */
    char name[60]; /* "convolution_add_fusion.3" */
} pod_compiled_kernel;

/* What the compiler estimates of times. Cycles are those of one core's clock; nothing is told of copies that run beside
 * kernels. */
typedef struct pod_compiled_time {
    double cycles;                        /* the sum of all kernels that have any */
    int32_t kernels, without;             /* with and without an estimate, loops' turns once */
    int32_t loops;                        /* whose turns it does not tell: `cycles` have one of each */
    double flops, bytes, transcendentals; /* of its cost analysis, with one turn of each loop */
    int32_t count;                        /* of the longest */
    pod_compiled_kernel longest[POD_COMPILED_LONGEST];
} pod_compiled_time;

/* Bytes of one device, as its compiler has placed them. Of a program that does not fit it tells the need alone. */
typedef struct pod_compiled_memory {
    bool fits;
    int64_t need; /* arguments + outputs - aliases + temporaries */
    int64_t arguments, outputs, temporaries;
    int64_t aliases; /* of the outputs those that take over an argument */
    int64_t code;
    int32_t major, minor;   /* of the plugin's PJRT */
    char version[128];      /* what the plugin says of itself, its first line */
    pod_compiled_time time; /* where it was asked for */
    char refusal[256];      /* what the compiler says of a program that does not fit, its first line; else empty */
} pod_compiled_memory;

/* Compiles the module and tells its memory. POD_ERROR_NOT_FOUND: there is no such plugin; POD_ERROR_UNSUPPORTED: it is
 * none, or too old; POD_ERROR_STATE: the compiler refused the module, in its own words, died or took too long;
 * POD_ERROR_INTERRUPTED. Of a sandbox's context, and on systems without fork(): POD_ERROR_UNSUPPORTED.
 */
POD_API POD_CHECKED pod_status pod_compiler_memory(pod_context *context, const pod_compiler_question *question,
                                                   pod_compiled_memory *memory, pod_error *error);

POD_END_C

#endif
