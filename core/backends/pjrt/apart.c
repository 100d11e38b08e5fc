/* apart - see apart.h. */

#include "apart.h"

#include "options.h"

#include "base/context.h"

#include <string.h>

/* What a child is asked. */
typedef enum apart_question { TAKE_DEVICES, COMPILE } apart_question;

/* A request begins with this; behind it are the bytes of each part. */
typedef struct apart_request {
    apart_question question;
    uint64_t text, options, topology; /* sizes; without a topology the child takes devices */
} apart_request;

/* Appends the plugin's bytes of an object; false where it gives none. */
static bool append_bytes(const pod_pjrt_plugin *plugin, pod_pjrt_call call, const void *object, pod_text *to)
{
    pod_pjrt_serialize made = {.head = POD_PJRT_HEAD(made), .object = object};
    if (pod_pjrt_do(plugin, call, &made, NULL) != POD_OK)
        return false;
    pod_text_append_bytes(to, made.bytes, made.size);
    if (made.end != NULL)
        made.end(made.serialized);
    return true;
}

/* The same of a program that is loaded: none where the plugin gives none. */
static void append_loaded(const pod_pjrt_device *device, void *loaded, pod_text *to)
{
    pod_pjrt_object_of of = {.head = POD_PJRT_HEAD(of), .object = loaded};
    if (pod_pjrt_do(&device->plugin, POD_PJRT_LoadedExecutable_GetExecutable, &of, NULL) != POD_OK)
        return;
    (void)append_bytes(&device->plugin, POD_PJRT_Executable_Serialize, of.of, to);
    pod_pjrt_end_object(device, POD_PJRT_Executable_Destroy, of.of);
}

static pod_pjrt_program program_of(const pod_pjrt_module *module)
{
    return (pod_pjrt_program){.head = {.size = sizeof(pod_pjrt_program)},
                              .code = (char *)module->text,
                              .code_size = module->text_size,
                              .format = "mlir",
                              .format_size = 4};
}

/* Compiles for the devices of a client. */
static pod_status compile_and_load(const pod_pjrt_device *device, const pod_pjrt_module *module, void **executable,
                                   pod_error *error)
{
    const pod_pjrt_program program = program_of(module);
    pod_pjrt_client_compile compile = {.head = POD_PJRT_HEAD(compile),
                                       .client = device->client,
                                       .program = &program,
                                       .options = module->options,
                                       .option_size = module->option_size};
    const pod_status status = pod_pjrt_do(&device->plugin, POD_PJRT_Client_Compile, &compile, error);
    *executable = status == POD_OK ? compile.executable : NULL;
    return status;
}

/* ---- in the child ------------------------------------------------------------------------------------------- */

static pod_status compile_for_topology(const pod_pjrt_plugin *plugin, const pod_pjrt_module *module,
                                       const pod_bytes *topology, pod_text *answer, pod_error *error)
{
    const pod_pjrt_program program = program_of(module);
    pod_pjrt_topology_read read = {.head = POD_PJRT_HEAD(read), .bytes = topology->data, .size = topology->size};
    pod_status status = pod_pjrt_do(plugin, POD_PJRT_TopologyDescription_Deserialize, &read, error);
    if (status != POD_OK)
        return status;
    pod_pjrt_compile compile = {.head = POD_PJRT_HEAD(compile),
                                .topology = read.topology,
                                .program = &program,
                                .options = module->options,
                                .option_size = module->option_size};
    status = pod_pjrt_do(plugin, POD_PJRT_Compile, &compile, error);
    pod_pjrt_object end = {.head = POD_PJRT_HEAD(end), .object = compile.executable};
    if (status == POD_OK) {
        (void)append_bytes(plugin, POD_PJRT_Executable_Serialize, compile.executable, answer);
        (void)!pod_pjrt_do(plugin, POD_PJRT_Executable_Destroy, &end, NULL);
    }
    return status;
}

/* Compiles for devices that the child has taken. */
static pod_status compile_for_devices(const pod_pjrt_device *device, const pod_pjrt_module *module, pod_text *answer,
                                      pod_error *error)
{
    void *executable;
    const pod_status status = compile_and_load(device, module, &executable, error);
    if (status == POD_OK)
        append_loaded(device, executable, answer);
    pod_pjrt_end_object(device, POD_PJRT_LoadedExecutable_Destroy, executable);
    return status;
}

/* Of pod_pjrt_child: what it opens stays for its next request. */
static pod_status answer_request(void *at, const pod_bytes *bytes, pod_text *answer, pod_error *error)
{
    pod_pjrt_device *device = at;
    apart_request request;
    memcpy(&request, bytes->data, sizeof request);
    const char *text = (const char *)bytes->data + sizeof request, *options = text + request.text;
    const pod_pjrt_module module = {text, options, request.text, request.options};
    const pod_bytes topology = {options + request.options, request.topology};
    if (topology.size > 0)
        pod_pjrt_set_environment();
    pod_status status = device->plugin.api == NULL ? pod_pjrt_open(device->path, &device->plugin, error) : POD_OK;
    if (status == POD_OK && topology.size == 0 && device->client == NULL)
        status = pod_pjrt_take_devices(device, device->base.description.count, error);
    if (status != POD_OK)
        return status;
    if (request.question == TAKE_DEVICES)
        pod_text_append(answer, device->base.description.platform);
    else if (topology.size == 0)
        status = compile_for_devices(device, &module, answer, error);
    else
        status = compile_for_topology(&device->plugin, &module, &topology, answer, error);
    return status;
}

/* ---- in this process ---------------------------------------------------------------------------------------- */

static bool is_cpu(const pod_pjrt_device *device)
{
    return strcmp(device->base.description.platform, "cpu") == 0;
}

pod_status pod_pjrt_try_apart(pod_pjrt_device *device, int seconds, pod_error *error)
{
    pod_context *context = device->base.context;
    const pod_pjrt_child child = {.what = device->path, .work = answer_request, .at = device};
    const apart_request request = {.question = TAKE_DEVICES};
    pod_bytes platform = {0};
    pod_status status = pod_pjrt_begin_children(context, &child, &device->children, error);
    if (status == POD_OK)
        status =
            pod_pjrt_ask_child(device->children, &(pod_bytes){&request, sizeof request}, seconds, &platform, error);
    if (status == POD_OK && (platform.size != 3 || memcmp(platform.data, "cpu", 3) != 0))
        pod_pjrt_end_child(device->children); /* it has what this process takes */
    pod_bytes_free(context, &platform);
    return status;
}

pod_status pod_pjrt_find_apart(pod_pjrt_device *device, pod_error *error)
{
    pod_pjrt_object_of of = {.head = POD_PJRT_HEAD(of), .object = device->client};
    device->is_apart = is_cpu(device);
    if (!device->is_apart && pod_pjrt_has(&device->plugin, POD_PJRT_TopologyDescription_Deserialize) &&
        pod_pjrt_has(&device->plugin, POD_PJRT_Compile) &&
        pod_pjrt_do(&device->plugin, POD_PJRT_Client_TopologyDescription, &of, NULL) == POD_OK)
        device->is_apart =
            append_bytes(&device->plugin, POD_PJRT_TopologyDescription_Serialize, of.of, &device->topology);
    return device->topology.failed ? pod_error_memory(error, "a topology", 0) : POD_OK;
}

static pod_status ask_to_compile(pod_pjrt_device *device, const pod_pjrt_module *module, pod_bytes *program,
                                 pod_error *error)
{
    const pod_text *topology = &device->topology;
    const apart_request request = {COMPILE, module->text_size, module->option_size, topology->length};
    pod_text text;
    pod_text_init(&text, device->base.context);
    pod_text_append_bytes(&text, &request, sizeof request);
    pod_text_append_bytes(&text, module->text, module->text_size);
    pod_text_append_bytes(&text, module->options, module->option_size);
    pod_text_append_bytes(&text, topology->data, topology->length);
    const pod_status status = text.failed ? pod_error_memory(error, "a program", module->text_size)
                                          : pod_pjrt_ask_child(device->children, &(pod_bytes){text.data, text.length},
                                                               device->compile_seconds, program, error);
    pod_text_clear(&text);
    return status;
}

void *pod_pjrt_load_bytes(const pod_pjrt_device *device, const pod_bytes *program)
{
    pod_pjrt_deserialize load = {
        .head = POD_PJRT_HEAD(load), .client = device->client, .bytes = program->data, .size = program->size};
    const pod_status status = program->size > 0
                                  ? pod_pjrt_do(&device->plugin, POD_PJRT_Executable_DeserializeAndLoad, &load, NULL)
                                  : POD_ERROR_NOT_FOUND;
    return status == POD_OK ? load.executable : NULL;
}

pod_status pod_pjrt_compile_module(pod_pjrt_device *device, const pod_pjrt_module *module, void **executable,
                                   pod_bytes *program, pod_error *error)
{
    pod_status status = POD_OK;
    *executable = NULL;
    *program = (pod_bytes){0};
    if (device->is_apart)
        status = ask_to_compile(device, module, program, error);
    if (status == POD_OK)
        *executable = pod_pjrt_load_bytes(device, program);
    if (status != POD_OK || *executable != NULL)
        return status;
    pod_bytes_free(device->base.context, program); /* which the plugin does not take back */
    status = compile_and_load(device, module, executable, error);
    if (status == POD_OK && !device->is_apart) {
        pod_text text;
        pod_text_init(&text, device->base.context);
        append_loaded(device, *executable, &text);
        program->size = text.failed ? 0 : text.length;
        program->data = pod_text_take(&text);
    }
    return status;
}
