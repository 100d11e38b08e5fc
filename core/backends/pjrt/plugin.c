/* plugin - loads a PJRT plugin and calls its functions. */

#include "plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

static const char *name_of(pod_pjrt_call call)
{
    switch (call) {
#define CASE(name, place)                                                                                              \
    case POD_PJRT_##name:                                                                                              \
        return "PJRT_" #name;
        POD_PJRT_CALLS(CASE)
#undef CASE
    }
    return "a function of PJRT";
}

static bool has(const pod_pjrt_api *api, pod_pjrt_call call)
{
    return offsetof(pod_pjrt_api, calls) + ((size_t)call + 1) * sizeof(pod_pjrt_function) <= api->head.size &&
           api->calls[call] != NULL;
}

bool pod_pjrt_has(const pod_pjrt_plugin *plugin, pod_pjrt_call call)
{
    return has(plugin->api, call);
}

static bool is_for_memory(const pod_pjrt_plugin *plugin, pod_pjrt_failure *failure)
{
    pod_pjrt_failure_code code = {.head = POD_PJRT_HEAD(code), .failure = failure};
    return has(plugin->api, POD_PJRT_Error_GetCode) && plugin->api->calls[POD_PJRT_Error_GetCode](&code) == NULL &&
           code.code == POD_PJRT_NO_MEMORY;
}

/* Writes what the plugin says into the error, and ends the failure. */
static pod_status take_failure(const pod_pjrt_plugin *plugin, pod_pjrt_failure *failure, pod_error *error)
{
    pod_pjrt_failure_use use = {.head = POD_PJRT_HEAD(use), .failure = failure};
    (void)plugin->api->calls[POD_PJRT_Error_Message](&use);
    const size_t size = use.message_size > INT_MAX ? INT_MAX : use.message_size;
    const pod_status status = pod_error_set(
        error, POD_ERROR_STATE, "%s%.*s",
        is_for_memory(plugin, failure) ? "a device has no memory for this; a smaller batch or more devices "
                                         "need less of each: "
                                       : "",
        use.message != NULL ? (int)size : 0, use.message != NULL ? use.message : "");
    pod_pjrt_failure_use end = {.head = {.size = offsetof(pod_pjrt_failure_use, message)}, .failure = failure};
    (void)plugin->api->calls[POD_PJRT_Error_Destroy](&end);
    return status;
}

pod_status pod_pjrt_do(const pod_pjrt_plugin *plugin, pod_pjrt_call call, void *arguments, pod_error *error)
{
    if (!has(plugin->api, call))
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "the plugin %s (PJRT %d.%d) has no %s: install a newer one",
                             plugin->path, plugin->api->version.major, plugin->api->version.minor, name_of(call));
    pod_pjrt_failure *failure = plugin->api->calls[call](arguments);
    return failure == NULL ? POD_OK : take_failure(plugin, failure, error);
}

pod_status pod_pjrt_open(const char *path, pod_pjrt_plugin *plugin, pod_error *error)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *why = dlerror();
        return pod_error_set(error, POD_ERROR_NOT_FOUND, "the plugin cannot be loaded: %s", why != NULL ? why : path);
    }
    const pod_pjrt_api *(*get)(void);
    *(void **)&get = dlsym(library, "GetPjrtApi");
    const pod_pjrt_api *api = get != NULL ? get() : NULL;
    if (api == NULL || !has(api, POD_PJRT_Error_Destroy) || !has(api, POD_PJRT_Error_Message))
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "%s is no PJRT plugin: it has no GetPjrtApi that answers",
                             path);
    if (api->version.major != 0)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED, "%s is a plugin of PJRT %d.%d; 0.x is understood", path,
                             api->version.major, api->version.minor);
    *plugin = (pod_pjrt_plugin){.path = path, .api = api};
    pod_pjrt_head none = {.size = sizeof none}; /* of Plugin_Initialize: it has no arguments */
    return pod_pjrt_do(plugin, POD_PJRT_Plugin_Initialize, &none, error);
}

void pod_pjrt_copy_line(char *to, size_t room, const char *text, size_t size)
{
    if (text == NULL)
        size = 0;
    const char *end = size > 0 ? memchr(text, '\n', size) : NULL;
    if (end != NULL)
        size = (size_t)(end - text);
    if (size >= room)
        size = room - 1;
    if (size > 0)
        memcpy(to, text, size);
    to[size] = '\0';
}

void pod_pjrt_ask_line(const pod_pjrt_plugin *plugin, pod_pjrt_call call, void *object, char *to, size_t room)
{
    pod_pjrt_object_text text = {.head = POD_PJRT_HEAD(text), .object = object};
    const pod_status status = pod_pjrt_do(plugin, call, &text, NULL);
    pod_pjrt_copy_line(to, room, status == POD_OK ? text.text : NULL, text.text_size);
}
