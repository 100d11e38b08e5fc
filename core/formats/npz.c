/* npz - zip archives of .npy files, as NumPy makes them (see zip.c). */

#include "base/checked.h"
#include "base/context.h"
#include "formats/pickle.h"
#include "formats/zip.h"

#include <string.h>

/* Adds an array of Python's objects, whose header is read: the rest is a pickle. */
static pod_status read_objects(const pod_zip *zip, const pod_zip_member *entry, pod_reader *reader, const char *name,
                               pod_buffer_list *list, pod_error *error)
{
    uint64_t left;
    if (pod_subtract_overflows(entry->size, pod_format_reader_offset(reader), &left))
        return pod_error_set(error, POD_ERROR_FORMAT, "%s: a member has fewer bytes than its header", zip->path);
    return pod_format_pickle_read(zip->context, reader, left, name, list, error);
}

/* NumPy names members "weights.npy". */
static char *name_of(const pod_zip *zip, const pod_zip_member *entry)
{
    size_t size = entry->name_size;
    if (size > 4 && memcmp(entry->name + size - 4, ".npy", 4) == 0)
        size -= 4;
    char *name = pod_allocate_zeroed(zip->context, size + 1, 1);
    if (name != NULL)
        memcpy(name, entry->name, size);
    return name;
}

static pod_status read_named(const pod_zip *zip, const pod_zip_member *entry, const char *name, pod_buffer_list *list,
                             pod_error *error)
{
    pod_reader *reader;
    pod_buffer *buffer = NULL;
    bool objects = false;
    pod_status status = pod_format_zip_open_member(zip->context, zip->path, entry, &reader, error);
    if (status != POD_OK)
        return status;
    status = pod_format_npy_read_from(zip->context, reader, &objects, &buffer, error);
    if (status == POD_OK)
        status = objects ? read_objects(zip, entry, reader, name, list, error)
                         : pod_format_list_add(list, name, strlen(name), buffer, error);
    if (status == POD_OK)
        status = pod_format_zip_check_member(zip, entry, reader, error);
    else if (error != NULL)
        pod_error_prepend(error, "member '%.*s': ", (int)entry->name_size, entry->name);
    pod_format_reader_close(reader);
    pod_buffer_release(buffer);
    return status;
}

static pod_status read_member(const pod_zip *zip, const pod_zip_member *entry, pod_buffer_list *list, pod_error *error)
{
    char *name = name_of(zip, entry);
    if (name == NULL)
        return pod_error_memory(error, "a name", entry->name_size);
    const pod_status status = read_named(zip, entry, name, list, error);
    pod_free(zip->context, name);
    return status;
}

pod_status pod_npz_read(pod_context *context, const char *path, pod_buffer_list *list, pod_error *error)
{
    pod_zip zip;
    pod_zip_member entry = {0};
    *list = (pod_buffer_list){.context = context};
    pod_status status = pod_format_zip_open(context, path, &zip, error);
    if (status != POD_OK)
        return status;
    while (status == POD_OK && (status = pod_format_zip_next(&zip, &entry, error)) == POD_OK)
        status = read_member(&zip, &entry, list, error);
    pod_format_zip_close(&zip);
    if (status == POD_END)
        return POD_OK;
    pod_buffer_list_clear(list);
    return status;
}
