/*
 * hdf5_read - reads HDF5: groups, arrays and texts, as Keras writes them.
 *
 * Why not libhdf5: of files with one to four bytes changed at random, Debian 12's (1.10.8) crashed or hung in about one
 * of two hundred, so it is nothing for files of others. It also would be 4 MB more, and prints. What is read here is
 * what h5py writes by default and by libver="latest": superblocks 0 to 3, groups of all kinds, arrays that lie in one
 * piece. What writes is hdf5_write.c. Fuzzed (tests/fuzz).
 */

#include <string.h>

#include "base/bytes.h"
#include "base/context.h"
#include "formats/hdf5.h"

/* Structures may be read so many times the file's size: once each, but for heaps that several share. */
#define MOST_STRUCTURES 16

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/* Reads what is below one object: its array and texts, or the members of a group. */
static pod_status read_object(pod_hdf5 *self, uint64_t address, int depth, pod_error *error);

static pod_status read_member(pod_hdf5 *self, const char *name, size_t name_size, uint64_t address, int depth,
                              pod_error *error)
{
    const size_t before = self->path_size;
    if (name_size == 0 || name_size > POD_HDF5_MOST_NAME || before + 1 + name_size > POD_HDF5_MOST_PATH ||
        memchr(name, '/', name_size) != NULL)
        return pod_format_hdf5_malformed(self, address, "a member has a name that is empty, too long or has a '/'",
                                         error);
    if (depth >= POD_HDF5_MOST_DEPTH)
        return pod_format_hdf5_malformed(self, address, "groups lie in groups more than 64 deep", error);
    if (before > 0)
        self->path[self->path_size++] = '/';
    memcpy(self->path + self->path_size, name, name_size);
    self->path_size += name_size;
    self->path[self->path_size] = '\0';
    const pod_status status = read_object(self, address, depth + 1, error);
    self->path_size = before;
    self->path[before] = '\0';
    return status;
}

static pod_status read_object(pod_hdf5 *self, uint64_t address, int depth, pod_error *error)
{
    pod_hdf5_object object = {0};
    pod_status status = pod_format_hdf5_object_read(self, address, &object, error);
    if (status == POD_OK)
        status = pod_format_hdf5_add_texts(self, &object, error);
    if (status == POD_OK && pod_format_hdf5_find(&object, POD_HDF5_LAYOUT) != NULL)
        status = pod_format_hdf5_add_array(self, &object, error);
    else if (status == POD_OK)
        status = pod_format_hdf5_each_member(self, &object, depth, read_member, error);
    pod_format_hdf5_object_clear(self, &object);
    return status;
}

/* Finds the root group by the superblock. */
static pod_status read_superblock(pod_hdf5 *self, uint64_t *root, pod_error *error)
{
    unsigned char block[100] = {0};
    const size_t size = self->size < sizeof block ? (size_t)self->size : sizeof block;
    pod_status status = pod_format_hdf5_read_fixed(self, 0, block, size, error);
    if (status != POD_OK)
        return status;
    if (size < 48 || memcmp(block, signature, sizeof signature) != 0)
        return pod_error_set(error, POD_ERROR_FORMAT, "%s is no HDF5 file: it does not begin as one, at offset 0",
                             self->file);
    const unsigned version = block[8];
    const unsigned char *sizes = version < 2 ? block + 13 : block + 9;
    const unsigned char *base = version == 0 ? block + 24 : version == 1 ? block + 28 : block + 12;
    if (version > 3 || sizes[0] != 8 || sizes[1] != 8 || pod_little_u64(base) != 0)
        return pod_format_hdf5_unsupported(
            self, "a superblock of version 0 to 3 with offsets of 8 bytes from the file's beginning is read", error);
    if (size < 96 && version < 2)
        return pod_format_hdf5_malformed(self, 0, "the superblock is truncated", error);
    *root = pod_little_u64(version < 2 ? base + 40 : base + 24);
    return POD_OK;
}

static pod_status read_all(pod_hdf5 *self, pod_error *error)
{
    uint64_t root = 0;
    self->collection = UINT64_MAX;
    self->data = self->size;
    self->structures = 65536 + (self->size > UINT64_MAX / 32 ? UINT64_MAX / 2 : self->size * MOST_STRUCTURES);
    pod_status status = read_superblock(self, &root, error);
    if (status == POD_OK)
        status = read_object(self, root, 0, error);
    pod_free(self->context, self->collection_bytes);
    if (status != POD_OK)
        pod_buffer_list_clear(self->list);
    return status;
}

static pod_status read_file(pod_hdf5 *self, pod_error *error)
{
    pod_status status = pod_format_reader_open(self->context, self->file, POD_COMPRESSION_NONE, &self->reader, error);
    if (status != POD_OK)
        return status;
    status = pod_format_reader_check_sized(self->reader, error);
    self->size = pod_format_reader_file_size(self->reader);
    if (status == POD_OK)
        status = read_all(self, error);
    pod_format_reader_close(self->reader);
    return status;
}

static pod_status read_archive(pod_hdf5 *self, const char *member, pod_error *error)
{
    pod_bytes bytes;
    pod_status status = pod_zip_read(self->context, self->file, member, &bytes, error);
    if (status != POD_OK)
        return status;
    self->bytes = bytes.data;
    self->size = bytes.size;
    status = read_all(self, error);
    if (status != POD_OK && error != NULL)
        pod_error_prepend(error, "member '%s': ", member);
    pod_bytes_free(self->context, &bytes);
    return status;
}

pod_status pod_hdf5_read(pod_context *context, const char *path, const char *member, pod_buffer_list *list,
                         pod_error *error)
{
    *list = (pod_buffer_list){.context = context};
    pod_hdf5 *self = pod_allocate_zeroed(context, 1, sizeof *self);
    if (self == NULL)
        return pod_error_memory(error, "a reader of HDF5", sizeof *self);
    self->context = context;
    self->file = path;
    self->list = list;
    const pod_status status = member == NULL ? read_file(self, error) : read_archive(self, member, error);
    pod_free(context, self);
    return status;
}
