/* ask - what a program takes by an installed compiler, which runs in a child process. */

#define _GNU_SOURCE /* memmem() */
#include "child.h"
#include "options.h"
#include "plugin.h"
#include "timing.h"

#include "base/context.h"
#include "base/decimal.h"
#include "moonpod/compiler.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_SECONDS = 600, MOST_DEVICES = 1 << 16 };

typedef struct ask {
    pod_context *context;
    const pod_compiler_question *question;
    pod_text options;
} ask;

static void read_version(const pod_pjrt_plugin *plugin, void *topology, pod_compiled_memory *memory)
{
    memory->major = plugin->api->version.major;
    memory->minor = plugin->api->version.minor;
    pod_pjrt_ask_line(plugin, POD_PJRT_TopologyDescription_PlatformVersion, topology, memory->version,
                      sizeof memory->version);
}

/* Reads a size as XLA writes it, "17.91G". Returns -1 where none stands there. */
static int64_t read_size(const char *text)
{
    static const char units[] = "KMGT";
    const size_t length = strspn(text, "0123456789.");
    double number;
    if (!pod_number_read(text, length, &number) || number > 1e6)
        return -1;
    const char *unit = text[length] != '\0' ? strchr(units, text[length]) : NULL;
    return (int64_t)ldexp(number, unit != NULL ? 10 * (int)(unit - units + 1) : 0);
}

/* What compilers say of a program that does not fit: since 2026 "the total memory required for HLO temporaries (17.91G)
 * exceeds available HBM (15.75G)", before "Ran out of memory in memory space hbm. Used 17.91G of 15.75G hbm". */
static bool read_refusal(const char *text, pod_compiled_memory *memory)
{
    static const char *const before[] = {"memory required for HLO temporaries (", "memory space hbm. Used "};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *found = strstr(text, before[i]);
        memory->need = found != NULL ? read_size(found + strlen(before[i])) : -1;
        if (memory->need >= 0) {
            pod_pjrt_copy_line(memory->refusal, sizeof memory->refusal, text, strlen(text));
            return true;
        }
    }
    memory->need = 0;
    return false;
}

/* What a plugin is told of devices besides their name. */
typedef struct topology_options {
    pod_pjrt_named list[2];
} topology_options;

static pod_pjrt_named named_text(const char *name, const char *text)
{
    return (pod_pjrt_named){.head = {.size = sizeof(pod_pjrt_named)},
                            .name = name,
                            .name_size = strlen(name),
                            .type = POD_PJRT_VALUE_TEXT,
                            .value.text = text,
                            .value_size = strlen(text)};
}

/* A GPU is described by its figures; devices of TPUs have names, and each core of a v4 would be a device for libtpu. */
static pod_pjrt_topology_create describe_devices(const char *topology, topology_options *options)
{
    const bool is_gpu = strncmp(topology, "gpu_device_info", strlen("gpu_device_info")) == 0;
    const bool is_joined = strncmp(topology, "v4:", 3) == 0;
    const char *name = is_gpu ? "one" : topology;
    options->list[0] = is_gpu ? named_text("target_config", topology) : named_text("chip_config_name", "megacore");
    options->list[1] = named_text("topology", "1x1x1"); /* slices, hosts of each, GPUs of each */
    return (pod_pjrt_topology_create){.head = {.size = sizeof(pod_pjrt_topology_create)},
                                      .name = name,
                                      .name_size = strlen(name),
                                      .options = is_gpu || is_joined ? options->list : NULL,
                                      .option_count = is_gpu ? 2 : is_joined};
}

static pod_status compile(const pod_pjrt_plugin *plugin, const ask *asked, pod_compiled_memory *memory,
                          pod_error *error)
{
    const pod_compiler_question *question = asked->question;
    topology_options options;
    pod_pjrt_topology_create create = describe_devices(question->topology, &options);
    pod_status status = pod_pjrt_do(plugin, POD_PJRT_TopologyDescription_Create, &create, error);
    if (status != POD_OK)
        return status;
    read_version(plugin, create.topology, memory);
    const pod_pjrt_program program = {.head = POD_PJRT_HEAD(program),
                                      .code = (char *)question->module,
                                      .code_size = question->module_size,
                                      .format = "mlir",
                                      .format_size = 4};
    pod_pjrt_compile arguments = {.head = POD_PJRT_HEAD(arguments),
                                  .topology = create.topology,
                                  .program = &program,
                                  .options = asked->options.data,
                                  .option_size = asked->options.length};
    status = pod_pjrt_do(plugin, POD_PJRT_Compile, &arguments, error);
    if (status != POD_OK)
        return status == POD_ERROR_STATE && read_refusal(error->message, memory) ? POD_OK : status;
    pod_pjrt_memory_stats stats = {.head = POD_PJRT_HEAD(stats), .executable = arguments.executable};
    status = pod_pjrt_do(plugin, POD_PJRT_Executable_GetCompiledMemoryStats, &stats, error);
    memory->arguments = stats.arguments;
    memory->outputs = stats.outputs;
    memory->temporaries = stats.temporaries;
    memory->aliases = stats.aliases;
    memory->code = stats.code;
    memory->need = stats.arguments + stats.outputs - stats.aliases + stats.temporaries;
    memory->fits = status == POD_OK;
    return status == POD_OK && question->times
               ? pod_pjrt_read_times(asked->context, plugin, arguments.executable, &memory->time, error)
               : status;
}

/* Of pod_pjrt_child. What the plugin made goes with the process. */
static pod_status answer_question(void *at, const pod_bytes *request, pod_text *answer, pod_error *error)
{
    const ask *asked = at;
    pod_compiled_memory memory = {0};
    pod_pjrt_plugin plugin;
    (void)request;
    pod_pjrt_set_environment();
    pod_status status = pod_pjrt_open(asked->question->plugin, &plugin, error);
    if (status == POD_OK)
        status = compile(&plugin, asked, &memory, error);
    pod_text_append_bytes(answer, &memory, sizeof memory);
    return status;
}

/* Ends texts that the child may have damaged: what a plugin does to its process ends there. */
static void end_texts(pod_compiled_memory *memory)
{
    memory->version[sizeof memory->version - 1] = '\0';
    memory->refusal[sizeof memory->refusal - 1] = '\0';
    pod_compiled_time *time = &memory->time;
    time->count = time->count < 0 || time->count > POD_COMPILED_LONGEST ? 0 : time->count;
    for (int i = 0; i < POD_COMPILED_LONGEST; i++)
        time->longest[i].name[sizeof time->longest[i].name - 1] = '\0';
}

static bool is_shardy(const pod_compiler_question *question)
{
    return memmem(question->module, question->module_size, "sdy.mesh", 8) != NULL;
}

static pod_status ask_child(ask *asked, pod_compiled_memory *memory, pod_error *error)
{
    const pod_compiler_question *question = asked->question;
    const pod_pjrt_child child = {.what = question->plugin, .work = answer_question, .at = asked};
    const int seconds = question->seconds > 0 ? question->seconds : DEFAULT_SECONDS;
    pod_pjrt_children *children;
    pod_bytes answer = {0};
    pod_status status = pod_pjrt_begin_children(asked->context, &child, &children, error);
    if (status == POD_OK)
        status = pod_pjrt_ask_child(children, &answer, seconds, &answer, error);
    if (status == POD_OK && answer.size != sizeof *memory)
        status = pod_error_set(error, POD_ERROR_STATE, "%s gave a damaged answer", question->plugin);
    if (status == POD_OK)
        memcpy(memory, answer.data, sizeof *memory);
    end_texts(memory);
    pod_bytes_free(asked->context, &answer);
    pod_pjrt_end_children(children);
    return status;
}

pod_status pod_compiler_memory(pod_context *context, const pod_compiler_question *question, pod_compiled_memory *memory,
                               pod_error *error)
{
    *memory = (pod_compiled_memory){0};
    if (pod_context_is_guest(context))
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "a sandbox may load no compiler");
    const int32_t replicas = question->replicas > 0 ? question->replicas : 1;
    const int32_t partitions = question->partitions > 0 ? question->partitions : 1;
    if (replicas > MOST_DEVICES / partitions)
        return pod_error_set(error, POD_ERROR_VALUE, "a module for %d replicas of %d partitions: %d devices at most",
                             replicas, partitions, MOST_DEVICES);
    ask asked = {.context = context, .question = question};
    pod_text_init(&asked.options, context);
    pod_pjrt_write_options(&asked.options, replicas, partitions, is_shardy(question));
    const pod_status status =
        asked.options.failed ? pod_error_memory(error, "options", 0) : ask_child(&asked, memory, error);
    pod_text_clear(&asked.options);
    return status;
}
