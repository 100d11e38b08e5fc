#ifndef POD_PJRT_PLUGIN_H
#define POD_PJRT_PLUGIN_H

/*
 * plugin - a PJRT plugin that is loaded into this process, with its functions as calls that fail as others do here.
 *
 *     pod_pjrt_plugin plugin;
 *     status = pod_pjrt_open("/opt/libtpu.so", &plugin, &error);
 *     pod_pjrt_topology_create create = {.head = POD_PJRT_HEAD(create), .name = "v5e:2x2", .name_size = 7};
 *     status = pod_pjrt_do(&plugin, POD_PJRT_TopologyDescription_Create, &create, &error);
 *
 * A plugin stays until the process ends: none can be unloaded.
 */

#include "base/error.h"
#include "interface.h"

/* The head of a structure of arguments. */
#define POD_PJRT_HEAD(arguments)                                                                                       \
    {                                                                                                                  \
        .size = sizeof(arguments)                                                                                      \
    }

typedef struct pod_pjrt_plugin {
    const char *path; /* borrowed */
    const pod_pjrt_api *api;
} pod_pjrt_plugin;

/* Loads a plugin and initialises it. POD_ERROR_NOT_FOUND: the file cannot be loaded; POD_ERROR_UNSUPPORTED: it is no
 * plugin, or of a version that is not understood. */
POD_CHECKED pod_status pod_pjrt_open(const char *path, pod_pjrt_plugin *plugin, pod_error *error);

/* Whether the plugin has a function. */
bool pod_pjrt_has(const pod_pjrt_plugin *plugin, pod_pjrt_call call);

/* Calls a function of the plugin. POD_ERROR_UNSUPPORTED: the plugin is too old to have it; POD_ERROR_STATE: it failed,
 * with the plugin's own words. */
POD_CHECKED pod_status pod_pjrt_do(const pod_pjrt_plugin *plugin, pod_pjrt_call call, void *arguments,
                                   pod_error *error);

/* Copies a text's first line into room for it; NULL is an empty text. */
void pod_pjrt_copy_line(char *to, size_t room, const char *text, size_t size);

/* The same of the text of an object that a call gives (pod_pjrt_object_text); empty where that fails. */
void pod_pjrt_ask_line(const pod_pjrt_plugin *plugin, pod_pjrt_call call, void *object, char *to, size_t room);

#endif
