#ifndef POD_INPUT_ELEMENT_FILE_H
#define POD_INPUT_ELEMENT_FILE_H

/*
 * element_file - the elements of a dataset in a file: what save() writes, load() reads, and caches in files
 * are.
 *
 * A record file (checksums, compressed where asked for). The first record is text:
 *
 *     moonpod dataset 2
 *     float32 784
 *     int32
 *     text
 *     note {1,2}
 *
 * a line a component with its sizes (-1: they differ from element to element), and whatever the writer
 * wants to find again. Each further record is a byte 0 and an element: for each component the sizes that
 * the first record does not tell (u64, little-endian) and its data. The last record is a byte 1 and the
 * number of elements (u64), so that a file that was cut is not taken for whole.
 */

#include "input/stage.h"
#include "moonpod/formats.h"

typedef struct pod_element_writer {
    pod_context *context; /* borrowed */
    pod_record_writer *records;
    const pod_component *components; /* borrowed */
    size_t width;
    unsigned char *bytes; /* of a record */
    size_t room;
    uint64_t count;
} pod_element_writer;

/* Begins a file of elements like `components`, which live as long as the writer. `note` is one line. End with
 * one of the two below. */
pod_status pod_input_element_writer_open(pod_element_writer *writer, pod_context *context, const char *path,
                                         const char *compression, const pod_component *components, size_t width,
                                         const char *note, pod_error *error);

/* Appends elements, which stay the caller's. */
pod_status pod_input_element_writer_add(pod_element_writer *writer, const pod_part *parts, size_t count,
                                        pod_error *error);

/* Completes the file; ends the writer, also when that fails: the file is then not there. */
pod_status pod_input_element_writer_commit(pod_element_writer *writer, pod_error *error);

/* Ends the writer without a file; one that is not open is allowed. */
void pod_input_element_writer_abandon(pod_element_writer *writer);

typedef struct pod_element_reader {
    pod_context *context; /* borrowed */
    pod_record_reader *records;
    char *path;
    pod_component components[POD_MAX_COMPONENTS];
    size_t width;
    char *note;
    uint64_t count; /* elements given */
    bool ended;
} pod_element_reader;

/* Opens a file. On failure there is nothing to close. */
pod_status pod_input_element_reader_open(pod_element_reader *reader, pod_context *context, const char *path,
                                         pod_error *error);

/* Makes the next element: parts[0 .. width-1], each a share for the taker. */
pod_status pod_input_element_reader_next(pod_element_reader *reader, pod_part *parts, pod_error *error);

/* Returns the number of elements as the end of a file tells it, POD_CARDINALITY_UNKNOWN when it does not: files
 * that are compressed do not. */
int64_t pod_input_element_file_count(pod_context *context, const char *path);

/* One that is not open is allowed. */
void pod_input_element_reader_close(pod_element_reader *reader);

#endif
