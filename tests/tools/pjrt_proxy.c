/*
 * pjrt_proxy - a plugin of PJRT for tests: XLA's plugin for CPUs, whose compiler does what a program's sizes say.
 * A program with an array of 4242 rows aborts it, one of 4243 hangs, one of 4244 ends the process, one of 4245 has no
 * memory; of one of 4246 it does not know the option `fewer_copies`; each other is compiled.
 *
 * A copy of it under the name "one_owner.so" is a plugin of devices with one owner at a time, as those of TPUs are: it
 * compiles for their topology without them.
 *
 * MOONPOD_TEST_RECORD names a folder in which each program's text is kept.
 *
 * Elements that it may read where they lie, until their buffer has ended, have to be the same then, however slow a
 * device is: a host that has written to them is aborted.
 */

#define _GNU_SOURCE /* dladdr(), memmem() */
#include "backends/pjrt/interface.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char real_path[] = "build/plugins/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so";
static const char fewer_copies[] = "cpu_copy_insertion_use_region_analysis";
static const char topology_bytes[] = "the devices that there are";

enum { CALLS = 256 };

static struct {
    pod_pjrt_head head;
    struct {
        pod_pjrt_head head;
        int major, minor;
    } version;
    pod_pjrt_function calls[CALLS];
} api;

static const pod_pjrt_api *real;

static bool has(const pod_pjrt_program *program, const char *text)
{
    return memmem(program->code, program->code_size, text, strlen(text)) != NULL;
}

static void record(const pod_pjrt_program *program)
{
    char path[4096];
    static int count;
    const char *folder = getenv("MOONPOD_TEST_RECORD");
    if (folder == NULL)
        return;
    snprintf(path, sizeof path, "%s/%d_%d.mlir", folder, (int)getpid(), count++);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(program->code, 1, program->code_size, file) != program->code_size || fclose(file) != 0)
        abort();
}

/* Returns whether the program has no memory. */
static bool do_what_it_says(const pod_pjrt_program *program)
{
    record(program);
    if (has(program, "tensor<4242x")) {
        fprintf(stderr, "F0000 compiler.cc:7] Check failed: rows != 4242\n*** a stack ***\n");
        abort();
    }
    while (has(program, "tensor<4243x"))
        pause();
    if (has(program, "tensor<4244x"))
        exit(3);
    return has(program, "tensor<4245x");
}

/* What a plugin fails with whose device has no memory: a buffer that is much too large. */
static pod_pjrt_failure *fail_for_memory(void *client)
{
    const int64_t sizes[] = {INT64_C(1) << 58};
    pod_pjrt_devices devices = {.head = {.size = sizeof devices}, .client = client};
    (void)real->calls[POD_PJRT_Client_AddressableDevices](&devices);
    pod_pjrt_from_host from = {.head = {.size = sizeof from},
                               .client = client,
                               .data = sizes,
                               .type = POD_PJRT_F32,
                               .sizes = sizes,
                               .rank = 1,
                               .device = devices.devices[0]};
    return real->calls[POD_PJRT_Client_BufferFromHostBuffer](&from);
}

static pod_pjrt_failure *compile_for_client(void *at)
{
    pod_pjrt_client_compile *arguments = at;
    if (do_what_it_says(arguments->program))
        return fail_for_memory(arguments->client);
    char options[4096];
    const char *name = memmem(arguments->options, arguments->option_size, fewer_copies, sizeof fewer_copies - 1);
    if (has(arguments->program, "tensor<4246x") && name != NULL && arguments->option_size <= sizeof options) {
        memcpy(options, arguments->options, arguments->option_size);
        options[name - arguments->options - 1] = '-';
        arguments->options = options;
    }
    return real->calls[POD_PJRT_Client_Compile](at);
}

/* ---- elements that are lent ------------------------------------------------------------------------------- */

enum { LOANS = 256 }; /* at a time */

static struct {
    const void *buffer, *done; /* NULL: it has ended */
    const unsigned char *elements;
    size_t bytes;
    uint64_t sum; /* as they were */
} loans[LOANS];
static pthread_mutex_t of_loans = PTHREAD_MUTEX_INITIALIZER;

static uint64_t sum_up(const unsigned char *elements, size_t bytes)
{
    uint64_t sum = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ elements[i]) * 1099511628211u;
    return sum;
}

static size_t bytes_of(const pod_pjrt_from_host *from)
{
    static const size_t sizes[] = {
        [POD_PJRT_PRED] = 1, [POD_PJRT_S8] = 1,  [POD_PJRT_S16] = 2,  [POD_PJRT_S32] = 4, [POD_PJRT_S64] = 8,
        [POD_PJRT_U8] = 1,   [POD_PJRT_U16] = 2, [POD_PJRT_U32] = 4,  [POD_PJRT_U64] = 8, [POD_PJRT_F16] = 2,
        [POD_PJRT_F32] = 4,  [POD_PJRT_F64] = 8, [POD_PJRT_BF16] = 2,
    };
    size_t bytes = sizes[from->type];
    for (size_t i = 0; i < from->rank; i++)
        bytes *= (size_t)from->sizes[i];
    return bytes;
}

static pod_pjrt_failure *lend(void *at)
{
    pod_pjrt_from_host *from = at;
    pod_pjrt_failure *failure = real->calls[POD_PJRT_Client_BufferFromHostBuffer](at);
    if (failure != NULL || from->semantics != POD_PJRT_ZERO_COPY)
        return failure;
    pthread_mutex_lock(&of_loans);
    size_t i = 0;
    while (i < LOANS && (loans[i].buffer != NULL || loans[i].done != NULL))
        i++;
    if (i == LOANS)
        abort();
    loans[i].buffer = from->buffer;
    loans[i].done = from->done;
    loans[i].elements = from->data;
    loans[i].bytes = bytes_of(from);
    loans[i].sum = sum_up(loans[i].elements, loans[i].bytes);
    pthread_mutex_unlock(&of_loans);
    return NULL;
}

/* A buffer, or the event by which elements are their owner's again, ends. */
static void end_loan(const void *ends)
{
    pthread_mutex_lock(&of_loans);
    for (size_t i = 0; i < LOANS; i++) {
        if (ends == NULL || (loans[i].buffer != ends && loans[i].done != ends))
            continue;
        if (sum_up(loans[i].elements, loans[i].bytes) != loans[i].sum) {
            fprintf(stderr, "what a device was lent was written to\n");
            abort();
        }
        *(loans[i].buffer == ends ? &loans[i].buffer : &loans[i].done) = NULL;
    }
    pthread_mutex_unlock(&of_loans);
}

static pod_pjrt_failure *end_buffer(void *at)
{
    end_loan(((pod_pjrt_object *)at)->object);
    return real->calls[POD_PJRT_Buffer_Destroy](at);
}

static pod_pjrt_failure *end_event(void *at)
{
    end_loan(((pod_pjrt_object *)at)->object);
    return real->calls[POD_PJRT_Event_Destroy](at);
}

/* ---- devices with one owner ------------------------------------------------------------------------------- */

static pod_pjrt_failure *tell_platform(void *at)
{
    pod_pjrt_object_text *text = at;
    text->text = "imaginary";
    text->text_size = strlen(text->text);
    return NULL;
}

static pod_pjrt_failure *give_topology(void *at)
{
    ((pod_pjrt_object_of *)at)->of = (void *)topology_bytes;
    return NULL;
}

static void keep_static(void *serialized)
{
    (void)serialized;
}

static pod_pjrt_failure *write_topology(void *at)
{
    pod_pjrt_serialize *made = at;
    made->bytes = topology_bytes;
    made->size = sizeof topology_bytes;
    made->end = keep_static;
    return NULL;
}

static pod_pjrt_failure *read_topology(void *at)
{
    pod_pjrt_topology_read *read = at;
    if (read->size != sizeof topology_bytes || memcmp(read->bytes, topology_bytes, read->size) != 0)
        abort();
    read->topology = (void *)topology_bytes;
    return NULL;
}

/* Nobody else may have the devices: this file is locked as long as the process has them. */
static pod_pjrt_failure *take_devices(void *at)
{
    Dl_info info;
    const int file = dladdr((void *)take_devices, &info) != 0 ? open(info.dli_fname, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0 || flock(file, LOCK_EX | LOCK_NB) != 0) {
        fprintf(stderr, "the devices have an owner already\n");
        abort();
    }
    return real->calls[POD_PJRT_Client_Create](at);
}

/* The real plugin compiles for the devices of a client alone: one is made for it. */
static pod_pjrt_failure *compile_for_topology(void *at)
{
    pod_pjrt_compile *arguments = at;
    (void)do_what_it_says(arguments->program);
    pod_pjrt_client_create create = {.head = {.size = sizeof create}};
    pod_pjrt_failure *failure = real->calls[POD_PJRT_Client_Create](&create);
    pod_pjrt_client_compile compile = {.head = {.size = sizeof compile},
                                       .client = create.client,
                                       .program = arguments->program,
                                       .options = arguments->options,
                                       .option_size = arguments->option_size};
    if (failure == NULL)
        failure = real->calls[POD_PJRT_Client_Compile](&compile);
    pod_pjrt_object_of of = {.head = {.size = sizeof of}, .object = compile.executable};
    if (failure == NULL)
        failure = real->calls[POD_PJRT_LoadedExecutable_GetExecutable](&of);
    arguments->executable = of.of;
    return failure;
}

static void have_one_owner(void)
{
    api.calls[POD_PJRT_Client_Create] = take_devices;
    api.calls[POD_PJRT_Client_PlatformName] = tell_platform;
    api.calls[POD_PJRT_Client_TopologyDescription] = give_topology;
    api.calls[POD_PJRT_TopologyDescription_Serialize] = write_topology;
    api.calls[POD_PJRT_TopologyDescription_Deserialize] = read_topology;
    api.calls[POD_PJRT_Compile] = compile_for_topology;
}

__attribute__((visibility("default"))) const void *GetPjrtApi(void);

const void *GetPjrtApi(void)
{
    Dl_info info;
    void *library = dlopen(real_path, RTLD_NOW | RTLD_LOCAL);
    const pod_pjrt_api *(*get)(void);
    *(void **)&get = library != NULL ? dlsym(library, "GetPjrtApi") : NULL;
    real = get != NULL ? get() : NULL;
    if (real == NULL || real->head.size > sizeof api)
        return NULL;
    memcpy(&api, real, real->head.size);
    api.calls[POD_PJRT_Client_Compile] = compile_for_client;
    api.calls[POD_PJRT_Client_BufferFromHostBuffer] = lend;
    api.calls[POD_PJRT_Buffer_Destroy] = end_buffer;
    api.calls[POD_PJRT_Event_Destroy] = end_event;
    if (dladdr((void *)have_one_owner, &info) != 0 && strstr(info.dli_fname, "/one_owner.so") != NULL)
        have_one_owner();
    return &api;
}
