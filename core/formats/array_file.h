#ifndef POD_FORMATS_ARRAY_FILE_H
#define POD_FORMATS_ARRAY_FILE_H

/* array_file - what the formats of arrays share. */

#include "formats/reader.h"
#include "formats/writer.h"
#include "moonpod/formats.h"

/* Turns the elements of a buffer from the other byte order into the host's, or back. */
void pod_format_swap_elements(pod_buffer *buffer);

/* What formats call the types of elements; 0 and "" where they have none of a type. */
typedef struct pod_dtype_names {
    pod_dtype dtype;
    char npy[3], safetensors[5];
    unsigned char idx;
} pod_dtype_names;

#define POD_DTYPES_NAMED 13

extern const pod_dtype_names pod_format_dtypes[POD_DTYPES_NAMED];

/* Returns the names of a type, which is one that buffers have. */
const pod_dtype_names *pod_format_names_of(pod_dtype dtype);

/* Returns the type that NumPy calls by these two characters, POD_DTYPE_NONE where there is none such. */
pod_dtype pod_format_dtype_of_npy(const char code[2]);

/* What a header says that a file has. */
typedef struct pod_claim {
    pod_dtype dtype;
    pod_shape shape;
    uint64_t bytes; /* found by the check; more than any file where sizes overflow */
} pod_claim;

/* "uint8 (60000, 28, 28)" */
#define POD_CLAIM_TEXT_SIZE (POD_SHAPE_TEXT_SIZE + 16)
const char *pod_format_claim_text(const pod_claim *claim, char text[POD_CLAIM_TEXT_SIZE]);

/* Checks that the data can come from what is left of a reader, before memory is taken for them: what is compressed may
 * expand by 1032. */
POD_CHECKED pod_status pod_format_check_claim(pod_reader *reader, pod_claim *claim, pod_error *error);

/* Reads the elements of an array, behind which the data ends, as they stand in the file. */
POD_CHECKED pod_status pod_format_read_elements(pod_context *context, pod_reader *reader, const pod_claim *claim,
                                                pod_buffer **buffer, pod_error *error);

/* Reads exactly `size` bytes; the end of the file before them is an error. */
POD_CHECKED pod_status pod_format_read_needed(pod_reader *reader, void *bytes, size_t size, const char *what,
                                              pod_error *error);

/* Reads the bytes of one .npy file. Where its elements are Python's objects the reader is left behind the header, and
 * *objects is true; they are refused where it is NULL. */
POD_CHECKED pod_status pod_format_npy_read_from(pod_context *context, pod_reader *reader, bool *objects,
                                                pod_buffer **buffer, pod_error *error);

#define POD_NPY_HEADER_SIZE 512

/* Writes the header of a .npy file of a buffer (at most POD_NPY_HEADER_SIZE bytes) and returns its size. */
size_t pod_format_npy_header(const pod_buffer *buffer, char header[POD_NPY_HEADER_SIZE]);

/* Adds an entry to a list: `name` is copied, `buffer` shared. */
POD_CHECKED pod_status pod_format_list_add(pod_buffer_list *list, const char *name, size_t name_size,
                                           pod_buffer *buffer, pod_error *error);

/* Adds a text to a list; both are copied. */
POD_CHECKED pod_status pod_format_list_add_text(pod_buffer_list *list, const char *key, const char *value,
                                                pod_error *error);

#endif
