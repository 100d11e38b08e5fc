/* hdf5_file - bytes of an HDF5 file that is read, and how many of them. */

#include "formats/hdf5.h"

#include <string.h>

#include "base/context.h"

pod_status pod_format_hdf5_malformed(const pod_hdf5 *self, uint64_t offset, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT, "%s: /%.*s: %s, at offset %llu", self->file, (int)self->path_size,
                         self->path, what, (unsigned long long)offset);
}

pod_status pod_format_hdf5_unsupported(const pod_hdf5 *self, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_UNSUPPORTED, "%s: /%.*s: %s", self->file, (int)self->path_size, self->path,
                         what);
}

static pod_status read_at(pod_hdf5 *self, uint64_t address, void *to, size_t size, pod_error *error)
{
    if (address > self->size || size > self->size - address)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "%s: /%.*s: %llu bytes at offset %llu are asked for, but the file has %llu: it is "
                             "truncated or damaged",
                             self->file, (int)self->path_size, self->path, (unsigned long long)size,
                             (unsigned long long)address, (unsigned long long)self->size);
    if (size == 0)
        return POD_OK;
    if (self->reader == NULL) {
        memcpy(to, self->bytes + address, size);
        return POD_OK;
    }
    pod_format_reader_seek(self->reader, address);
    return pod_format_read_needed(self->reader, to, size, "a part of the HDF5 file", error);
}

pod_status pod_format_hdf5_read_data(pod_hdf5 *self, uint64_t address, void *to, uint64_t size, pod_error *error)
{
    if (size > self->data)
        return pod_format_hdf5_malformed(self, address, "the arrays of the file have more bytes than the file", error);
    self->data -= size;
    return read_at(self, address, to, (size_t)size, error);
}

pod_status pod_format_hdf5_charge(pod_hdf5 *self, uint64_t address, uint64_t size, pod_error *error)
{
    if (size > self->structures)
        return pod_format_hdf5_malformed(self, address, "the file's structures are in circles or shared too often",
                                         error);
    self->structures -= size;
    return POD_OK;
}

pod_status pod_format_hdf5_read_fixed(pod_hdf5 *self, uint64_t address, unsigned char *to, size_t size,
                                      pod_error *error)
{
    const pod_status status = pod_format_hdf5_charge(self, address, size, error);
    return status == POD_OK ? read_at(self, address, to, size, error) : status;
}

pod_status pod_format_hdf5_read_structure(pod_hdf5 *self, uint64_t address, uint64_t size, unsigned char **bytes,
                                          pod_error *error)
{
    *bytes = NULL;
    pod_status status = pod_format_hdf5_charge(self, address, size, error);
    if (status == POD_OK && size > self->size)
        status = pod_format_hdf5_malformed(self, address, "a structure is larger than the file", error);
    if (status != POD_OK)
        return status;
    unsigned char *made = pod_allocate(self->context, (size_t)size + 1);
    if (made == NULL)
        return pod_error_memory(error, "a part of an HDF5 file", (size_t)size);
    status = read_at(self, address, made, (size_t)size, error);
    if (status != POD_OK)
        pod_free(self->context, made);
    else
        *bytes = made;
    return status;
}
