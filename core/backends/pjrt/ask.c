/* ask - what a program takes by an installed compiler, which runs in a child process. */

#define _GNU_SOURCE /* pipe2(), close_range() */
#include "child.h"
#include "options.h"
#include "plugin.h"

#include "base/context.h"
#include "moonpod/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SECONDS = 600, MOST_DEVICES = 1 << 16 };

/* What the child sends. */
typedef struct ask_answer {
    pod_error error;
    pod_compiled_memory memory;
} ask_answer;

typedef struct ask {
    const pod_compiler_question *question;
    pod_text options;
    ask_answer answer;
} ask;

/* libtpu would ask the cloud which machine this is, refuse while another process has it, and write its log files. */
static void set_environment(void)
{
    static const char *const values[][2] = {
        {"TPU_SKIP_MDS_QUERY", "1"},           {"ALLOW_MULTIPLE_LIBTPU_LOAD", "1"},
        {"TPU_WORKER_HOSTNAMES", "localhost"}, {"TPU_ACCELERATOR_TYPE", "v5litepod-4"},
        {"TPU_LOG_DIR", "disabled"},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        (void)setenv(values[i][0], values[i][1], 1);
}

static void read_version(const pod_pjrt_plugin *plugin, void *topology, pod_compiled_memory *memory)
{
    memory->major = plugin->api->version.major;
    memory->minor = plugin->api->version.minor;
    pod_pjrt_object_text version = {.head = POD_PJRT_HEAD(version), .object = topology};
    if (pod_pjrt_do(plugin, POD_PJRT_TopologyDescription_PlatformVersion, &version, NULL) != POD_OK ||
        version.text == NULL)
        return;
    const char *end = memchr(version.text, '\n', version.text_size);
    const size_t size = end != NULL ? (size_t)(end - version.text) : version.text_size;
    snprintf(memory->version, sizeof memory->version, "%.*s", (int)(size < 127 ? size : 127), version.text);
}

static pod_status compile(const pod_pjrt_plugin *plugin, const ask *asked, pod_compiled_memory *memory,
                          pod_error *error)
{
    const pod_compiler_question *question = asked->question;
    pod_pjrt_topology_create create = {
        .head = POD_PJRT_HEAD(create), .name = question->topology, .name_size = strlen(question->topology)};
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
        return status;
    pod_pjrt_memory_stats stats = {.head = POD_PJRT_HEAD(stats), .executable = arguments.executable};
    status = pod_pjrt_do(plugin, POD_PJRT_Executable_GetCompiledMemoryStats, &stats, error);
    memory->arguments = stats.arguments;
    memory->outputs = stats.outputs;
    memory->temporaries = stats.temporaries;
    memory->aliases = stats.aliases;
    memory->code = stats.code;
    return status;
}

/* In the child. What the plugin made goes with the process. */
static void do_work(void *at)
{
    ask *asked = at;
    set_environment();
    pod_pjrt_plugin plugin;
    pod_error *error = &asked->answer.error;
    if (pod_pjrt_open(asked->question->plugin, &plugin, error) == POD_OK)
        (void)compile(&plugin, asked, &asked->answer.memory, error);
}

static bool is_shardy(const pod_compiler_question *question)
{
    return memmem(question->module, question->module_size, "sdy.mesh", 8) != NULL;
}

pod_status pod_compiler_memory(pod_context *context, const pod_compiler_question *question, pod_compiled_memory *memory,
                               pod_error *error)
{
    *memory = (pod_compiled_memory){0};
    const int32_t replicas = question->replicas > 0 ? question->replicas : 1;
    const int32_t partitions = question->partitions > 0 ? question->partitions : 1;
    if (replicas > MOST_DEVICES / partitions)
        return pod_error_set(error, POD_ERROR_VALUE, "a module for %d replicas of %d partitions: %d devices at most",
                             replicas, partitions, MOST_DEVICES);
    ask asked = {.question = question};
    pod_text_init(&asked.options, context);
    pod_pjrt_write_options(&asked.options, replicas, partitions, is_shardy(question));
    pod_status status = asked.options.failed
                            ? pod_error_memory(error, "options", 0)
                            : pod_pjrt_run_child(context,
                                                 &(pod_pjrt_child){.what = question->plugin,
                                                                   .work = do_work,
                                                                   .at = &asked,
                                                                   .answer = &asked.answer,
                                                                   .answer_size = sizeof asked.answer,
                                                                   .seconds = question->seconds > 0 ? question->seconds
                                                                                                    : DEFAULT_SECONDS},
                                                 error);
    pod_text_clear(&asked.options);
    if (status != POD_OK)
        return status;
    if (asked.answer.error.status != POD_OK)
        return pod_error_set(error, asked.answer.error.status, "%s", asked.answer.error.message);
    *memory = asked.answer.memory;
    return POD_OK;
}
