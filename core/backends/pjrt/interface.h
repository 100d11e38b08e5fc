#ifndef POD_PJRT_INTERFACE_H
#define POD_PJRT_INTERFACE_H

/*
 * interface - the part of OpenXLA's PJRT C interface that is called here, with its layout in memory, as its
 * documentation has it (openxla.org/xla/pjrt, version 0.90).
 *
 * A plugin has one function, GetPjrtApi, which returns a table of functions. Each takes one structure of arguments and
 * results, that begins with its size. Later versions add fields and functions at the end and move none, so that a
 * caller of one version and a plugin of another understand each other: what a plugin does not know of is left zero,
 * and a function is there where the size of the table says so.
 */

#include <stddef.h>
#include <stdint.h>

typedef struct pod_pjrt_failure pod_pjrt_failure; /* PJRT_Error */

/* What each structure begins with. */
typedef struct pod_pjrt_head {
    size_t size; /* of the whole structure */
    void *extension;
} pod_pjrt_head;

/* X(name, place): the functions, by their place in the table. */
#define POD_PJRT_CALLS(X)                                                                                              \
    X(Error_Destroy, 0)                                                                                                \
    X(Error_Message, 1)                                                                                                \
    X(Plugin_Initialize, 3)                                                                                            \
    X(Executable_GetCostAnalysis, 46)                                                                                  \
    X(Executable_OptimizedProgram, 48)                                                                                 \
    X(TopologyDescription_Create, 82)                                                                                  \
    X(TopologyDescription_PlatformVersion, 85)                                                                         \
    X(Compile, 89)                                                                                                     \
    X(Executable_GetCompiledMemoryStats, 96)

typedef enum pod_pjrt_call {
#define NAMED(name, place) POD_PJRT_##name = place,
    POD_PJRT_CALLS(NAMED)
#undef NAMED
} pod_pjrt_call;

typedef pod_pjrt_failure *(*pod_pjrt_function)(void *arguments);

typedef struct pod_pjrt_api {
    pod_pjrt_head head;
    struct {
        pod_pjrt_head head;
        int major, minor;
    } version;
    pod_pjrt_function calls[];
} pod_pjrt_api;

/* of Error_Destroy and of Error_Message, which return nothing */
typedef struct pod_pjrt_failure_use {
    pod_pjrt_head head;
    pod_pjrt_failure *failure;
    const char *message; /* results; the message lives as long as the failure */
    size_t message_size;
} pod_pjrt_failure_use;

/* of TopologyDescription_Create: devices that need not be there */
typedef struct pod_pjrt_topology_create {
    pod_pjrt_head head;
    const char *name; /* as the plugin names them: "v5e:2x2" */
    size_t name_size;
    const void *options; /* named values; none are given */
    size_t option_count;
    void *topology; /* result */
} pod_pjrt_topology_create;

/* of TopologyDescription_PlatformVersion */
typedef struct pod_pjrt_object_text {
    pod_pjrt_head head;
    void *object;
    const char *text; /* result, which lives as long as the object */
    size_t text_size;
} pod_pjrt_object_text;

/* A program: "mlir" is StableHLO as text or bytecode. */
typedef struct pod_pjrt_program {
    pod_pjrt_head head;
    char *code;
    size_t code_size;
    const char *format;
    size_t format_size;
} pod_pjrt_program;

/* of Compile */
typedef struct pod_pjrt_compile {
    pod_pjrt_head head;
    const void *topology;
    const pod_pjrt_program *program;
    const char *options; /* a message CompileOptionsProto */
    size_t option_size;
    void *client;     /* may be NULL */
    void *executable; /* result */
} pod_pjrt_compile;

/* of Executable_GetCompiledMemoryStats; results are bytes of one device */
typedef struct pod_pjrt_memory_stats {
    pod_pjrt_head head;
    void *executable;
    int64_t code, arguments, outputs, aliases, temporaries;
    int64_t host_code, host_arguments, host_outputs, host_aliases, host_temporaries;
    int64_t peak, total; /* 0 from plugins that do not say */
} pod_pjrt_memory_stats;

/* of Executable_OptimizedProgram: of a program without `code` its size is told, else the code */
typedef struct pod_pjrt_optimized {
    pod_pjrt_head head;
    void *executable;
    pod_pjrt_program *program;
} pod_pjrt_optimized;

enum { POD_PJRT_VALUE_FLOAT = 3 };

/* A value with a name. */
typedef struct pod_pjrt_named {
    pod_pjrt_head head;
    const char *name;
    size_t name_size;
    int type; /* of PJRT_NamedValue_Type */
    union {
        const char *text;
        int64_t integer;
        float real;
    } value;
    size_t value_size;
} pod_pjrt_named;

/* of Executable_GetCostAnalysis */
typedef struct pod_pjrt_cost {
    pod_pjrt_head head;
    void *executable;
    size_t count;                 /* results */
    const pod_pjrt_named *values; /* that live as long as the executable */
} pod_pjrt_cost;

#endif
