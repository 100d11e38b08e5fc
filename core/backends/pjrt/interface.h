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

#include <stdbool.h>
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
    X(Error_GetCode, 2)                                                                                                \
    X(Plugin_Initialize, 3)                                                                                            \
    X(Event_Destroy, 5)                                                                                                \
    X(Event_Await, 8)                                                                                                  \
    X(Client_Create, 10)                                                                                               \
    X(Client_Destroy, 11)                                                                                              \
    X(Client_PlatformName, 12)                                                                                         \
    X(Client_PlatformVersion, 14)                                                                                      \
    X(Client_AddressableDevices, 16)                                                                                   \
    X(Client_Compile, 20)                                                                                              \
    X(Client_BufferFromHostBuffer, 22)                                                                                 \
    X(DeviceDescription_Kind, 26)                                                                                      \
    X(Device_GetDescription, 29)                                                                                       \
    X(Device_MemoryStats, 34)                                                                                          \
    X(Executable_Destroy, 40)                                                                                          \
    X(Executable_GetCostAnalysis, 46)                                                                                  \
    X(Executable_OptimizedProgram, 48)                                                                                 \
    X(Executable_Serialize, 49)                                                                                        \
    X(LoadedExecutable_Destroy, 50)                                                                                    \
    X(LoadedExecutable_GetExecutable, 51)                                                                              \
    X(LoadedExecutable_Execute, 55)                                                                                    \
    X(Executable_DeserializeAndLoad, 56)                                                                               \
    X(Buffer_Destroy, 58)                                                                                              \
    X(Buffer_ToHostBuffer, 70)                                                                                         \
    X(TopologyDescription_Create, 82)                                                                                  \
    X(TopologyDescription_PlatformVersion, 85)                                                                         \
    X(TopologyDescription_Serialize, 87)                                                                               \
    X(Compile, 89)                                                                                                     \
    X(Client_TopologyDescription, 95)                                                                                  \
    X(Executable_GetCompiledMemoryStats, 96)                                                                           \
    X(TopologyDescription_Deserialize, 114)

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

/* of Error_GetCode */
typedef struct pod_pjrt_failure_code {
    pod_pjrt_head head;
    pod_pjrt_failure *failure;
    int code; /* result */
} pod_pjrt_failure_code;

enum { POD_PJRT_NO_MEMORY = 8 }; /* of its codes: RESOURCE_EXHAUSTED */

enum { POD_PJRT_VALUE_TEXT = 0, POD_PJRT_VALUE_INTEGER = 1, POD_PJRT_VALUE_FLOAT = 3 };

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

/* of TopologyDescription_Create: devices that need not be there */
typedef struct pod_pjrt_topology_create {
    pod_pjrt_head head;
    const char *name; /* as the plugin names them: "v5e:2x2" */
    size_t name_size;
    const pod_pjrt_named *options;
    size_t option_count;
    void *topology; /* result */
} pod_pjrt_topology_create;

/* of TopologyDescription_PlatformVersion, Client_PlatformName, Client_PlatformVersion and DeviceDescription_Kind */
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

/* of Executable_GetCostAnalysis */
typedef struct pod_pjrt_cost {
    pod_pjrt_head head;
    void *executable;
    size_t count;                 /* results */
    const pod_pjrt_named *values; /* that live as long as the executable */
} pod_pjrt_cost;

/* ---- devices that are there: clients, buffers, runs ------------------------------------------------------ */

/* of Event_Destroy, Client_Destroy, LoadedExecutable_Destroy, Buffer_Destroy and Event_Await */
typedef struct pod_pjrt_object {
    pod_pjrt_head head;
    void *object;
} pod_pjrt_object;

/* of Device_GetDescription, of Client_TopologyDescription, and of LoadedExecutable_GetExecutable, whose result is the
 * caller's */
typedef struct pod_pjrt_object_of {
    pod_pjrt_head head;
    void *object;
    void *of; /* result */
} pod_pjrt_object_of;

/* A number that a plugin may leave out. */
typedef struct pod_pjrt_told {
    int64_t value;
    bool is_told;
} pod_pjrt_told;

/* of Device_MemoryStats; results are bytes */
typedef struct pod_pjrt_device_memory {
    pod_pjrt_head head;
    void *device;
    int64_t used;
    pod_pjrt_told peak, allocations, largest_allocation, limit, reserved, peak_reserved, reservable, largest_free;
    pod_pjrt_told pool, peak_pool;
} pod_pjrt_device_memory;

/* of Client_Create */
typedef struct pod_pjrt_client_create {
    pod_pjrt_head head;
    const pod_pjrt_named *options;
    size_t option_count;
    void *get, *get_with, *put, *put_with; /* what hosts of several processes share: none */
    void *client;                          /* result */
    void *try_get, *try_get_with;
} pod_pjrt_client_create;

/* of Client_AddressableDevices */
typedef struct pod_pjrt_devices {
    pod_pjrt_head head;
    void *client;
    void *const *devices; /* results */
    size_t count;
} pod_pjrt_devices;

/* of Client_Compile */
typedef struct pod_pjrt_client_compile {
    pod_pjrt_head head;
    void *client;
    const pod_pjrt_program *program;
    const char *options; /* a message CompileOptionsProto */
    size_t option_size;
    void *executable; /* result: one that is loaded */
} pod_pjrt_client_compile;

/* of Executable_Serialize and of TopologyDescription_Serialize */
typedef struct pod_pjrt_serialize {
    pod_pjrt_head head;
    const void *object;
    const char *bytes; /* results, which live as long as `serialized` */
    size_t size;
    void *serialized;
    void (*end)(void *serialized);
} pod_pjrt_serialize;

/* of TopologyDescription_Deserialize */
typedef struct pod_pjrt_topology_read {
    pod_pjrt_head head;
    const char *bytes;
    size_t size;
    void *topology; /* result */
} pod_pjrt_topology_read;

/* of Executable_DeserializeAndLoad */
typedef struct pod_pjrt_deserialize {
    pod_pjrt_head head;
    void *client;
    const char *bytes;
    size_t size;
    void *executable;    /* result: one that is loaded */
    const char *options; /* NULL: those of the bytes */
    size_t option_size;
} pod_pjrt_deserialize;

/* PJRT_Buffer_Type */
typedef enum pod_pjrt_type {
    POD_PJRT_NONE,
    POD_PJRT_PRED,
    POD_PJRT_S8,
    POD_PJRT_S16,
    POD_PJRT_S32,
    POD_PJRT_S64,
    POD_PJRT_U8,
    POD_PJRT_U16,
    POD_PJRT_U32,
    POD_PJRT_U64,
    POD_PJRT_F16,
    POD_PJRT_F32,
    POD_PJRT_F64,
    POD_PJRT_BF16
} pod_pjrt_type;

enum { POD_PJRT_ONLY_DURING_CALL = 0, POD_PJRT_ZERO_COPY = 2 }; /* of PJRT_HostBufferSemantics */

/* of Client_BufferFromHostBuffer */
typedef struct pod_pjrt_from_host {
    pod_pjrt_head head;
    void *client;
    const void *data;
    int type;
    const int64_t *sizes;
    size_t rank;
    const int64_t *strides; /* none: row-major */
    size_t stride_count;
    int semantics;
    void *device, *memory, *layout;
    void *done, *buffer; /* results: an event and the buffer, the caller's */
} pod_pjrt_from_host;

/* PJRT_Buffer_MemoryLayout without tiles */
typedef struct pod_pjrt_layout {
    pod_pjrt_head head;
    struct {
        pod_pjrt_head head;
        const int64_t *minor_to_major;
        size_t rank;
        const int64_t *tiles;
        const size_t *tile_ranks;
        size_t tile_count;
    } tiled;
    int type; /* 0: tiled */
} pod_pjrt_layout;

/* of Buffer_ToHostBuffer */
typedef struct pod_pjrt_to_host {
    pod_pjrt_head head;
    void *buffer;
    const pod_pjrt_layout *layout;
    void *data;
    size_t size;
    void *event; /* result */
} pod_pjrt_to_host;

typedef struct pod_pjrt_execute_options {
    pod_pjrt_head head;
    void *send, *receive;
    size_t send_count, receive_count;
    int launch;
    const int64_t *kept; /* arguments that are not donated, although the program says so */
    size_t kept_count;
    void *context;
    const char *location;
    size_t task_count;
    void *tasks, *incarnations;
    void *later[8]; /* plugins refuse a structure that is shorter than theirs, and take a longer one */
} pod_pjrt_execute_options;

/* of LoadedExecutable_Execute */
typedef struct pod_pjrt_execute {
    pod_pjrt_head head;
    void *executable;
    const pod_pjrt_execute_options *options;
    void *const *const *arguments; /* of each device */
    size_t device_count, argument_count;
    void **const *outputs;
    void **events; /* of each device: the caller's */
    void *device;
} pod_pjrt_execute;

#endif
