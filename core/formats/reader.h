#ifndef POD_FORMATS_READER_H
#define POD_FORMATS_READER_H

/*
 * reader - the bytes of a file from its beginning, decompressed on the way.
 *
 *     pod_reader *reader;
 *     status = pod_format_reader_open(context, "train.gz", POD_COMPRESSION_AUTO, &reader, &error);
 *     while ((status = pod_format_reader_read(reader, block, sizeof block, &got, &error)) == POD_OK) ...
 *     pod_format_reader_close(reader);
 *
 * Holds one block of the file and the state of zlib, however long the file is. For one thread at a
 * time.
 */

#include "moonpod/status.h"

typedef enum pod_compression {
    POD_COMPRESSION_NONE,
    POD_COMPRESSION_GZIP,   /* RFC 1952, any number of members */
    POD_COMPRESSION_ZLIB,   /* RFC 1950 */
    POD_COMPRESSION_AUTO,   /* gzip when the file begins so, none otherwise */
    POD_COMPRESSION_DEFLATE /* RFC 1951, as in zip archives */
} pod_compression;

typedef struct pod_reader pod_reader;

/* Opens a file; nothing is read yet. On success *reader is the caller's, to end with pod_format_reader_close(). */
POD_CHECKED pod_status pod_format_reader_open(pod_context *context, const char *path, pod_compression compression,
                                              pod_reader **reader, pod_error *error);

/* Opens `size` bytes of a file from `begin` on, as if they were a file: a member of an archive. */
POD_CHECKED pod_status pod_format_reader_open_part(pod_context *context, const char *path, uint64_t begin,
                                                   uint64_t size, pod_compression compression, pod_reader **reader,
                                                   pod_error *error);

/* Opens bytes that stand in memory and stay there until the reader is closed. `name` is what messages call them. */
POD_CHECKED pod_status pod_format_reader_open_memory(pod_context *context, const char *name, const void *bytes,
                                                     size_t size, pod_reader **reader, pod_error *error);

/* Reads 1 to `size` bytes, as many as there are without waiting for the file's end; *got receives how
 * many. POD_END at the end of the data. A damaged or truncated stream fails with POD_ERROR_FORMAT and the
 * offset in the file. */
POD_CHECKED pod_status pod_format_reader_read(pod_reader *reader, void *bytes, size_t size, size_t *got,
                                              pod_error *error);

/* Reads exactly `size` bytes. POD_END when there is none any more; POD_ERROR_FORMAT with file and offset
 * when the data ends in between: `what` ("the header") says what is cut short. */
POD_CHECKED pod_status pod_format_reader_read_all(pod_reader *reader, void *bytes, size_t size, const char *what,
                                                  pod_error *error);

/* Goes to a byte of a file of known size that is read as it is; the end and what is behind it give POD_END. */
void pod_format_reader_seek(pod_reader *reader, uint64_t offset);

/* Checks that `bytes` of what a reader gives may be held at once. What is unpacked on the way, or comes from what is no
 * file of a known size, may be far more than is on the disk: the application bounds it (see
 * pod_context_options.unpacked_bytes). `what` ("a record") is what would be held. */
POD_CHECKED pod_status pod_format_reader_check_room(const pod_reader *reader, uint64_t bytes, const char *what,
                                                    pod_error *error);

/* Whether somebody wants what runs to end. */
typedef struct pod_stop {
    bool (*is_asked)(const void *context);
    const void *context; /* borrowed */
} pod_stop;

/* Sets when reading fails with POD_ERROR_INTERRUPTED, also while it waits for a pipe; default: when the context is
 * interrupted. */
void pod_format_reader_set_stop(pod_reader *reader, pod_stop stop);

/* Returns the offset of the next byte in the decompressed data. */
uint64_t pod_format_reader_offset(const pod_reader *reader);

/* Returns the checksum (CRC-32) of the data read so far; only of readers of parts. */
uint32_t pod_format_reader_crc32(const pod_reader *reader);

/* Returns the bytes of the file itself, or of the part; 0 for a pipe or a device. */
uint64_t pod_format_reader_file_size(const pod_reader *reader);

/* POD_ERROR_FORMAT for a pipe or a device: for what cannot be read without the file's size. */
POD_CHECKED pod_status pod_format_reader_check_sized(const pod_reader *reader, pod_error *error);

/* Returns whether what comes is decompressed on the way. Known once something was read. */
bool pod_format_reader_is_compressed(const pod_reader *reader);

/* Returns the path as given; borrowed until the reader is closed. */
const char *pod_format_reader_path(const pod_reader *reader);

/* NULL is allowed. */
void pod_format_reader_close(pod_reader *reader);

#endif
