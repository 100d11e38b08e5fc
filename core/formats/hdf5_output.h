#ifndef POD_FORMATS_HDF5_OUTPUT_H
#define POD_FORMATS_HDF5_OUTPUT_H

/* hdf5_output - the structures of an HDF5 file while they are made, in memory: numbers, texts, objects. */

#include "base/text.h"
#include "formats/hdf5.h"

/* Holds what is written under a path: an array, or a text ("path@name"). */
typedef struct pod_hdf5_item {
    const char *path; /* NUL-terminated; borrowed, as all below */
    size_t size;      /* of the path, without "@name" */
    const pod_buffer *buffer;
    const char *attribute, *text; /* or NULL */
    uint64_t collection;          /* of the text */
    uint32_t index;
} pod_hdf5_item;

/* The structures: their addresses are lengths of `bytes`. */
typedef struct pod_hdf5_output {
    pod_context *context;
    pod_text bytes;
    pod_hdf5_item *items;
    size_t count;
    uint64_t data; /* where the next array's elements go */
    pod_error *error;
} pod_hdf5_output;

/* Returns how many bytes are missing to a multiple of 8. */
size_t pod_format_hdf5_padding(size_t size);

/* Append bytes; a number of `size` bytes, 1 to 8, the low one first; zeros. */
void pod_format_hdf5_put(pod_hdf5_output *self, const void *bytes, size_t size);
void pod_format_hdf5_put_number(pod_hdf5_output *self, uint64_t value, size_t size);
void pod_format_hdf5_put_zeros(pod_hdf5_output *self, size_t count);

/* Appends the texts of all items, and tells the items where they are. */
void pod_format_hdf5_put_texts(pod_hdf5_output *self);

/* Begin an object's header of so many messages, and a message; what they return their ends take. */
size_t pod_format_hdf5_begin_object(pod_hdf5_output *self, size_t messages);
void pod_format_hdf5_end_object(pod_hdf5_output *self, size_t begin);
size_t pod_format_hdf5_begin_message(pod_hdf5_output *self, unsigned type, unsigned flags);
void pod_format_hdf5_end_message(pod_hdf5_output *self, size_t begin);

/* Appends the four messages of an array, and gives its elements their place. */
void pod_format_hdf5_put_array(pod_hdf5_output *self, const pod_buffer *buffer);

/* Appends the message of an attribute. */
void pod_format_hdf5_put_attribute(pod_hdf5_output *self, const pod_hdf5_item *one);

#endif
