/* own_file - what is common to the files that Lua writes, and the weights in them. */

#include "formats/own_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "moonpod/exported.h"

/* The newest major version that is read. */
#define MAJOR 1

const char *pod_format_own_text(const pod_buffer_list *list, const char *key)
{
    for (size_t i = 0; i < list->text_count; i++)
        if (strcmp(list->texts[2 * i], key) == 0)
            return list->texts[2 * i + 1];
    return NULL;
}

/* Reads "MAJOR.MINOR": digits, a point, digits. Returns the major version; -1 for another text. */
static long major_of(const char *version)
{
    const size_t digits = strspn(version, "0123456789");
    const char *minor = version + digits + 1;
    if (digits == 0 || digits > 6 || version[digits] != '.' || *minor == '\0' ||
        minor[strspn(minor, "0123456789")] != '\0')
        return -1;
    return strtol(version, NULL, 10);
}

pod_status pod_format_check_own(const pod_buffer_list *list, const char *kind, pod_error *error)
{
    const char *format = pod_format_own_text(list, "format"), *version = pod_format_own_text(list, "version");
    const char *found = pod_format_own_text(list, "kind");
    if (format == NULL || strcmp(format, "moonpod") != 0 || version == NULL || found == NULL)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "a safetensors file, but none that Moonpod wrote: its metadata has no format \"moonpod\" "
                             "with version and kind");
    const long major = major_of(version);
    if (major < 1)
        return pod_error_set(error, POD_ERROR_FORMAT, "the version '%.32s' is none; it is written as \"%d.0\"", version,
                             MAJOR);
    if (major > MAJOR)
        return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                             "a newer Moonpod wrote this file: its version is %.32s, and %d.x is read here", version,
                             MAJOR);
    if (kind != NULL && strcmp(found, kind) != 0)
        return pod_error_set(error, POD_ERROR_FORMAT, "this is a file of kind '%.32s', not '%s'", found, kind);
    return POD_OK;
}

/* ---- weights ---- */

/* What is no weight stands below a first name that no layer has. */
static bool is_reserved(const char *name)
{
    static const char *const reserved[] = {"optimizer", "random", "metrics", "iterator", "variables"};
    const size_t first = strcspn(name, "/");
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strlen(reserved[i]) == first && strncmp(name, reserved[i], first) == 0)
            return true;
    return false;
}

static void drop_reserved(pod_buffer_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (is_reserved(list->entries[i].name)) {
            pod_buffer_release(list->entries[i].buffer);
            pod_free(list->context, list->entries[i].name);
        } else {
            list->entries[kept++] = list->entries[i];
        }
    }
    list->count = kept;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const pod_named_buffer *)a)->name, ((const pod_named_buffer *)b)->name);
}

pod_status pod_weights_read(pod_context *context, const char *path, pod_buffer_list *list, pod_error *error)
{
    pod_status status = pod_safetensors_read(context, path, list, error);
    if (status != POD_OK)
        return status;
    status = pod_format_check_own(list, NULL, error);
    if (status != POD_OK) {
        pod_buffer_list_clear(list);
        pod_error_prepend(error, "%s: ", path);
        return status;
    }
    drop_reserved(list);
    if (list->count > 0)
        qsort(list->entries, list->count, sizeof *list->entries, compare_names);
    return POD_OK;
}

pod_buffer *pod_weights_find(const pod_buffer_list *list, const char *name)
{
    const pod_named_buffer wanted = {.name = (char *)(uintptr_t)name};
    const pod_named_buffer *found =
        list->count > 0 ? bsearch(&wanted, list->entries, list->count, sizeof wanted, compare_names) : NULL;
    return found != NULL ? found->buffer : NULL;
}
