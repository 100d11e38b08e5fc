#ifndef POD_FORMATS_HDF5_H
#define POD_FORMATS_HDF5_H

/*
 * hdf5 - what the reader of HDF5 files (hdf5_read.c) is made of: bytes at an offset (hdf5_file.c), the messages of an
 * object's header (hdf5_object.c), the members of a group (hdf5_group.c, hdf5_dense.c), an object's array and texts
 * (hdf5_value.c).
 *
 * Nothing in a file is trusted: each structure is read within the file, and all of them together are no more than
 * some times the file's size, so files whose structures are shared or go in circles end.
 */

#include "formats/array_file.h"

enum { POD_HDF5_MOST_NAME = 1024, POD_HDF5_MOST_PATH = 4096, POD_HDF5_MOST_DEPTH = 64 };

/* Types of the messages in an object's header. */
enum {
    POD_HDF5_DATASPACE = 0x01,
    POD_HDF5_LINK_INFO = 0x02,
    POD_HDF5_DATATYPE = 0x03,
    POD_HDF5_LINK = 0x06,
    POD_HDF5_EXTERNAL = 0x07,
    POD_HDF5_LAYOUT = 0x08,
    POD_HDF5_FILTERS = 0x0b,
    POD_HDF5_ATTRIBUTE = 0x0c,
    POD_HDF5_CONTINUATION = 0x10,
    POD_HDF5_SYMBOL_TABLE = 0x11
};

/* A file that is being read. */
typedef struct pod_hdf5 {
    pod_context *context;
    const char *file;   /* how messages name it; borrowed */
    pod_reader *reader; /* NULL: it is `bytes`, of `size` */
    const unsigned char *bytes;
    uint64_t size;
    uint64_t structures, data; /* bytes that may still be read of either */
    uint64_t collection;       /* the address of the global heap collection in memory */
    unsigned char *collection_bytes;
    size_t collection_size;
    char path[POD_HDF5_MOST_PATH + 1]; /* of the object that is being read */
    size_t path_size;
    pod_buffer_list *list;
} pod_hdf5;

/* A message of an object's header; `data` lies in one of the object's blocks. */
typedef struct pod_hdf5_message {
    uint16_t type;
    uint8_t flags;
    const unsigned char *data;
    size_t size;
} pod_hdf5_message;

/* The header of an object, {0} at first. */
typedef struct pod_hdf5_object {
    pod_hdf5_message *messages;
    size_t count, room;
    unsigned char **blocks;
    size_t block_count, block_room;
} pod_hdf5_object;

/* What a group's member is read by. */
typedef pod_status (*pod_hdf5_visit)(pod_hdf5 *self, const char *name, size_t name_size, uint64_t address, int depth,
                                     pod_error *error);

/* Sets an error of the format, with the file, the object's path and the offset. */
pod_status pod_format_hdf5_malformed(const pod_hdf5 *self, uint64_t offset, const char *what, pod_error *error);

/* The same for what the format has and this reader has not. */
pod_status pod_format_hdf5_unsupported(const pod_hdf5 *self, const char *what, pod_error *error);

/* Counts bytes that are read or made of the file's structures; fails where they are more than a file can have. */
POD_CHECKED pod_status pod_format_hdf5_charge(pod_hdf5 *self, uint64_t address, uint64_t size, pod_error *error);

/* Reads `size` bytes at `address`, an array's elements, into `to`. */
POD_CHECKED pod_status pod_format_hdf5_read_data(pod_hdf5 *self, uint64_t address, void *to, uint64_t size,
                                                 pod_error *error);

/* Reads a structure of `size` bytes at `address`. *bytes is the caller's to pod_free(). */
POD_CHECKED pod_status pod_format_hdf5_read_structure(pod_hdf5 *self, uint64_t address, uint64_t size,
                                                      unsigned char **bytes, pod_error *error);

/* Reads a small structure of fixed size, as above, into `to`. */
POD_CHECKED pod_status pod_format_hdf5_read_fixed(pod_hdf5 *self, uint64_t address, unsigned char *to, size_t size,
                                                  pod_error *error);

/* Reads the header of the object at `address`; ends with pod_format_hdf5_object_clear(), also when it fails. */
POD_CHECKED pod_status pod_format_hdf5_object_read(pod_hdf5 *self, uint64_t address, pod_hdf5_object *object,
                                                   pod_error *error);
void pod_format_hdf5_object_clear(pod_hdf5 *self, pod_hdf5_object *object);

/* Returns the first message of a type, or NULL. */
const pod_hdf5_message *pod_format_hdf5_find(const pod_hdf5_object *object, uint16_t type);

/* Calls `visit` with each member of a group. */
POD_CHECKED pod_status pod_format_hdf5_each_member(pod_hdf5 *self, const pod_hdf5_object *group, int depth,
                                                   pod_hdf5_visit visit, pod_error *error);

/* Calls `visit` with each member of a group whose links lie in a fractal heap (hdf5_dense.c); `info` is its message. */
POD_CHECKED pod_status pod_format_hdf5_each_dense(pod_hdf5 *self, const pod_hdf5_message *info, int depth,
                                                  pod_hdf5_visit visit, pod_error *error);

/* Calls `visit` with what a link message says. */
POD_CHECKED pod_status pod_format_hdf5_visit_link(pod_hdf5 *self, const unsigned char *link, size_t size, int depth,
                                                  pod_hdf5_visit visit, pod_error *error);

/* Adds the array of a dataset to the list, by the path of self. */
POD_CHECKED pod_status pod_format_hdf5_add_array(pod_hdf5 *self, const pod_hdf5_object *object, pod_error *error);

/* Adds an object's attributes that are single texts to the list, as "path@name". */
POD_CHECKED pod_status pod_format_hdf5_add_texts(pod_hdf5 *self, const pod_hdf5_object *object, pod_error *error);

#endif
