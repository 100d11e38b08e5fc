/*
 * pjrt_plugin - a plugin of PJRT for tests, whose compiler does what the topology's name says: "abort", "exit", "hang",
 * "full" (the program does not fit), "old" (a function is missing), "refuse". Any other name compiles: its memory is
 * told from the module's size and the options.
 *
 * A copy of it under one of these names is a plugin of devices: "device_abort.so" and "device_hang.so" do so when its
 * devices are taken, "device_full.so" has no memory for what it is sent or compiles, "device_one.so" has one device,
 * which tells of its memory.
 */

#define _GNU_SOURCE /* dladdr() */
#include "backends/pjrt/interface.h"

#include <dlfcn.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pod_pjrt_failure {
    char text[256];
    int code;
};

typedef struct executable {
    int64_t module_size, option_size, option_sum;
} executable;

static char topology_name[64];

static pod_pjrt_failure *fail(const char *text)
{
    pod_pjrt_failure *failure = calloc(1, sizeof *failure);
    snprintf(failure->text, sizeof failure->text, "%s", text);
    return failure;
}

static pod_pjrt_failure *destroy_error(void *at)
{
    pod_pjrt_failure_use *use = at;
    free(use->failure);
    return NULL;
}

static pod_pjrt_failure *tell_error(void *at)
{
    pod_pjrt_failure_use *use = at;
    use->message = use->failure->text;
    use->message_size = strlen(use->failure->text);
    return NULL;
}

static pod_pjrt_failure *initialize(void *at)
{
    (void)at;
    puts("the plugin says hello"); /* which nobody may see */
    fflush(stdout);
    return NULL;
}

static pod_pjrt_failure *create_topology(void *at)
{
    pod_pjrt_topology_create *create = at;
    if (create->name_size >= sizeof topology_name)
        return fail("there is no such topology");
    const bool joined = create->option_count == 1 && strcmp(create->options[0].name, "chip_config_name") == 0 &&
                        strcmp(create->options[0].value.text, "megacore") == 0;
    if (joined != (strncmp(create->name, "v4:", 3) == 0))
        return fail("the cores of a chip of v4 are one device, and no others");
    memcpy(topology_name, create->name, create->name_size);
    create->topology = topology_name;
    return NULL;
}

static pod_pjrt_failure *tell_version(void *at)
{
    pod_pjrt_object_text *version = at;
    version->text = "compiler of tests\nwith a second line";
    version->text_size = strlen(version->text);
    return NULL;
}

static pod_pjrt_failure *compile(void *at)
{
    pod_pjrt_compile *arguments = at;
    fprintf(stderr, "compiling\nCheck failed: %s\n", topology_name);
    if (strcmp(topology_name, "abort") == 0)
        abort();
    if (strcmp(topology_name, "exit") == 0)
        exit(3);
    while (strcmp(topology_name, "hang") == 0)
        pause();
    if (strcmp(topology_name, "refuse") == 0)
        return fail("INVALID_ARGUMENT: no such op");
    if (strcmp(topology_name, "full") == 0)
        return fail("E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total memory required for HLO temporaries "
                    "(17.50G) exceeds available HBM (15.75G). HLO module: big.\nSee elsewhere");
    executable *made = calloc(1, sizeof *made);
    made->module_size = (int64_t)arguments->program->code_size;
    made->option_size = (int64_t)arguments->option_size;
    for (size_t i = 0; i < arguments->option_size; i++)
        made->option_sum += (unsigned char)arguments->options[i];
    arguments->executable = made;
    return NULL;
}

static pod_pjrt_failure *tell_memory(void *at)
{
    pod_pjrt_memory_stats *stats = at;
    const executable *of = stats->executable;
    stats->arguments = of->module_size;
    stats->outputs = of->option_size;
    stats->temporaries = of->option_sum;
    stats->aliases = 1;
    stats->code = 5;
    return NULL;
}

/* ---- devices ------------------------------------------------------------------------------------------------ */

static const char *own_name(void)
{
    Dl_info info;
    const char *slash = dladdr((void *)own_name, &info) != 0 ? strrchr(info.dli_fname, '/') : NULL;
    return slash != NULL ? slash + 1 : "";
}

static bool is_named(const char *name)
{
    return strcmp(own_name(), name) == 0;
}

static pod_pjrt_failure *tell_code(void *at)
{
    pod_pjrt_failure_code *use = at;
    use->code = use->failure->code;
    return NULL;
}

static pod_pjrt_failure *create_client(void *at)
{
    static int client;
    fprintf(stderr, "no such machine\n");
    if (is_named("device_abort.so"))
        abort();
    while (is_named("device_hang.so"))
        pause();
    ((pod_pjrt_client_create *)at)->client = &client;
    return NULL;
}

static pod_pjrt_failure *end_object(void *at)
{
    (void)at;
    return NULL;
}

static pod_pjrt_failure *tell_platform(void *at)
{
    pod_pjrt_object_text *text = at;
    text->text = "imaginary";
    text->text_size = strlen(text->text);
    return NULL;
}

static pod_pjrt_failure *tell_devices(void *at)
{
    static int device;
    static void *const all[] = {&device};
    pod_pjrt_devices *devices = at;
    devices->devices = all;
    devices->count = 1;
    return NULL;
}

static pod_pjrt_failure *fail_for_memory(void *at)
{
    (void)at;
    pod_pjrt_failure *failure = fail("allocating 17179869184 bytes");
    failure->code = 8; /* RESOURCE_EXHAUSTED */
    return failure;
}

static pod_pjrt_failure *tell_use(void *at)
{
    pod_pjrt_device_memory *memory = at;
    memory->used = 3 << 20;
    memory->peak = (pod_pjrt_told){5 << 20, true};
    memory->limit = (pod_pjrt_told){1 << 30, true};
    memory->largest_free = (pod_pjrt_told){(1 << 29), true};
    return NULL;
}

/* ---- the optimised program --------------------------------------------------------------------------------- */

/* A message that is being written; lengths are below 128 or take two bytes. */
typedef struct message {
    size_t size;
    char bytes[1024];
} message;

static void put_number(message *to, unsigned number, unsigned value)
{
    for (number <<= 3; number > 127; number >>= 7)
        to->bytes[to->size++] = (char)(number | 128);
    to->bytes[to->size++] = (char)number;
    for (; value > 127; value >>= 7)
        to->bytes[to->size++] = (char)(value | 128);
    to->bytes[to->size++] = (char)value;
}

static void put(message *to, unsigned number, const void *bytes, size_t size)
{
    const size_t begin = to->size;
    put_number(to, number, (unsigned)size);
    to->bytes[begin] = (char)(to->bytes[begin] | 2); /* the type of what has a length */
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void put_instruction(message *to, const char *name, const char *opcode, unsigned line, unsigned called,
                            const char *notes)
{
    message made = {.size = 0}, metadata = {.size = 0};
    put_number(&metadata, 4, line);
    put(&made, 1, name, strlen(name));
    put(&made, 2, opcode, strlen(opcode));
    put(&made, 7, metadata.bytes, metadata.size);
    if (called != 0)
        put_number(&made, 38, called);
    put(&made, 43, notes, strlen(notes));
    put(to, 2, made.bytes, made.size);
}

/* What a kernel without a line computes: an op of line 9, which one is computed from that has lost its own. */
static void write_lost(message *to)
{
    message made = {.size = 0}, numbers = {.size = 0};
    put(&made, 1, "bitcast.1", 9);
    put_number(&made, 35, 62);
    put_number(&numbers, 0, 61);
    put(&made, 36, numbers.bytes + 1, numbers.size - 1);
    put(to, 2, made.bytes, made.size);
    message of = {.size = 0}, metadata = {.size = 0};
    put_number(&metadata, 4, 9);
    put(&of, 1, "add.1", 5);
    put(&of, 7, metadata.bytes, metadata.size);
    put_number(&of, 35, 61);
    put(to, 2, of.bytes, of.size);
    put_number(to, 5, 6);
    put_number(to, 6, 62);
}

/* A copy of an argument, which has no line, and the op of line 3 that reads it. */
static void write_copy(message *to)
{
    static const char notes[] = "{\"estimated_cycles\":\"750\"}";
    message made = {.size = 0}, reader = {.size = 0}, metadata = {.size = 0}, numbers = {.size = 0};
    put(&made, 1, "copy.1", 6);
    put(&made, 2, "copy", 4);
    put_number(&made, 35, 71);
    put(&made, 43, notes, sizeof notes - 1);
    put(to, 2, made.bytes, made.size);
    put_number(&numbers, 0, 71);
    put_number(&metadata, 4, 3);
    put(&reader, 2, "bitcast", 7);
    put(&reader, 7, metadata.bytes, metadata.size);
    put(&reader, 36, numbers.bytes + 1, numbers.size - 1);
    put(to, 2, reader.bytes, reader.size);
}

/* A kernel with a convolution, a copy, a loop of three turns of a kernel, and a sort. Of the topology "turns" it is not
 * told how many turns. */
static void write_program(message *to)
{
    message entry = {.size = 0}, fused = {.size = 0}, lost = {.size = 0}, body = {.size = 0}, module = {.size = 0};
    put_instruction(&fused, "convolution.1", "convolution", 4, 0, "");
    put_number(&fused, 5, 5);
    put_instruction(&body, "fusion.2", "fusion", 0, 6, "{\"estimated_cycles\":\"1000\"}");
    put_number(&body, 5, 8);
    write_lost(&lost);
    put_instruction(&entry, "p", "parameter", 1, 0, "");
    put_instruction(&entry, "fusion.1", "fusion", 2, 5, "{\"x\":1,\"estimated_cycles\":\"1500\"}");
    const char *turns = strcmp(topology_name, "turns") == 0 ? "{}" : "{\"known_trip_count\":{\"n\":\"3\"}}";
    write_copy(&entry);
    put_instruction(&entry, "while.1", "while", 7, 8, turns);
    put_instruction(&entry, "sort.1", "sort", 8, 0, "{}");
    put_number(&entry, 5, 200);
    put(&module, 3, fused.bytes, fused.size);
    put(&module, 3, lost.bytes, lost.size);
    put(&module, 3, body.bytes, body.size);
    put(&module, 3, entry.bytes, entry.size);
    put_number(&module, 6, 200);
    put(to, 1, module.bytes, module.size);
}

/* Of the topology "cut" half of it. */
static pod_pjrt_failure *tell_program(void *at)
{
    pod_pjrt_optimized *optimized = at;
    message program = {.size = 0};
    write_program(&program);
    if (strcmp(topology_name, "cut") == 0)
        program.size /= 2;
    if (optimized->program->code != NULL)
        memcpy(optimized->program->code, program.bytes, program.size);
    optimized->program->code_size = program.size;
    return NULL;
}

static pod_pjrt_failure *tell_cost(void *at)
{
    static const pod_pjrt_named values[] = {
        {.name = "flops", .name_size = 5, .type = POD_PJRT_VALUE_FLOAT, .value = {.real = 2097152}},
        {.name = "bytes accessed", .name_size = 14, .type = POD_PJRT_VALUE_FLOAT, .value = {.real = 4096}},
    };
    pod_pjrt_cost *cost = at;
    cost->count = 2;
    cost->values = values;
    return NULL;
}

static struct {
    pod_pjrt_head head;
    struct {
        pod_pjrt_head head;
        int major, minor;
    } version;
    pod_pjrt_function calls[POD_PJRT_Executable_GetCompiledMemoryStats + 1];
} api = {
    .head = {sizeof api, NULL},
    .version = {{sizeof api.version, NULL}, 0, 90},
    .calls = {[POD_PJRT_Error_Destroy] = destroy_error,
              [POD_PJRT_Error_GetCode] = tell_code,
              [POD_PJRT_Error_Message] = tell_error,
              [POD_PJRT_Plugin_Initialize] = initialize,
              [POD_PJRT_TopologyDescription_Create] = create_topology,
              [POD_PJRT_TopologyDescription_PlatformVersion] = tell_version,
              [POD_PJRT_Compile] = compile,
              [POD_PJRT_Executable_OptimizedProgram] = tell_program,
              [POD_PJRT_Executable_GetCostAnalysis] = tell_cost,
              [POD_PJRT_Executable_GetCompiledMemoryStats] = tell_memory},
};

__attribute__((visibility("default"))) const void *GetPjrtApi(void);

/* MOONPOD_TEST_PLUGIN: "old" lacks the last function, "new" is of a major version to come. */
const void *GetPjrtApi(void)
{
    const char *kind = getenv("MOONPOD_TEST_PLUGIN");
    if (kind != NULL && strcmp(kind, "old") == 0)
        api.head.size -= sizeof(pod_pjrt_function);
    if (kind != NULL && strcmp(kind, "new") == 0)
        api.version.major = 1;
    if (strncmp(own_name(), "device_", 7) == 0) {
        api.calls[POD_PJRT_Client_Create] = create_client;
        api.calls[POD_PJRT_Client_Destroy] = end_object;
        api.calls[POD_PJRT_Client_PlatformName] = tell_platform;
        api.calls[POD_PJRT_Client_AddressableDevices] = tell_devices;
        api.calls[POD_PJRT_Device_MemoryStats] = is_named("device_one.so") ? tell_use : NULL;
        api.calls[POD_PJRT_Client_Compile] = api.calls[POD_PJRT_Client_BufferFromHostBuffer] = fail_for_memory;
    }
    return &api;
}
