/* npz - zip archives of .npy files, as NumPy makes them (see zip.c). */

#include "base/error.h"
#include "formats/array_file.h"
#include "formats/zip.h"

#include <string.h>

static pod_status read_member(const pod_zip *zip, const pod_zip_member *entry, pod_buffer_list *list, pod_error *error)
{
    pod_reader *reader;
    pod_buffer *buffer;
    pod_status status = pod_format_zip_open_member(zip->context, zip->path, entry, &reader, error);
    if (status != POD_OK)
        return status;
    status = pod_format_npy_read_from(zip->context, reader, &buffer, error);
    if (status == POD_OK)
        status = pod_format_zip_check_member(zip, entry, reader, error);
    else if (error != NULL)
        pod_error_prepend(error, "member '%.*s': ", (int)entry->name_size, entry->name);
    pod_format_reader_close(reader);
    if (status == POD_OK) {
        /* NumPy names members "weights.npy" */
        size_t size = entry->name_size;
        if (size > 4 && memcmp(entry->name + size - 4, ".npy", 4) == 0)
            size -= 4;
        status = pod_format_list_add(list, entry->name, size, buffer, error);
    }
    pod_buffer_release(buffer);
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
