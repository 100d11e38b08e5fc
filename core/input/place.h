#ifndef POD_INPUT_PLACE_H
#define POD_INPUT_PLACE_H

/*
 * place - where an iterator is, as bytes that a later process goes on from.
 *
 * As every stage gives the same elements for the same number of a pass, a place is that number and a
 * count of elements; neither buffers nor random numbers have to be kept. The bytes are text:
 *
 *     moonpod iterator 1
 *     epoch 3 0
 *     position 17
 *     stage range from 0 by 1: 10 elements of int64 ()
 *     stage shuffle buffer size 10, seed 5: 10 elements of int64 ()
 *     crc32c 89abcdef
 *
 * with a line for each stage that has a say in what the elements are, inputs first.
 */

#include "moonpod/formats.h"

#include "base/text.h"
#include "input/stage.h"

typedef struct pod_place {
    pod_pass_number pass;
    int64_t position; /* elements of the pass that came already */
} pod_place;

/* Appends a line for each stage that has a say in what the elements are, inputs first. */
void pod_input_place_describe(const pod_dataset *dataset, pod_text *to);

/* Writes a place of an iterator over `dataset`. *bytes is the caller's, to free with pod_bytes_free(). */
pod_status pod_input_place_write(const pod_dataset *dataset, pod_place place, pod_bytes *bytes, pod_error *error);

/* Reads one. Fails where the bytes are damaged or of a dataset of other stages, and says which. */
pod_status pod_input_place_read(const pod_dataset *dataset, const void *bytes, size_t size, pod_place *place,
                                pod_error *error);

/* Bytes to a file, whole or not at all, and from it; for messages the caller adds the path. */
pod_status pod_input_place_save(pod_context *context, const char *path, const pod_bytes *bytes, pod_error *error);
pod_status pod_input_place_load(pod_context *context, const char *path, pod_bytes *bytes, pod_error *error);

#endif
