#ifndef POD_FORMATS_WRITER_H
#define POD_FORMATS_WRITER_H

/*
 * writer - files that are written whole or not at all, compressed on the way where that is asked for.
 *
 *     pod_writer *writer;
 *     status = pod_format_writer_open(context, path, POD_COMPRESSION_NONE, &writer, &error);
 *     ... pod_format_writer_write(writer, bytes, size, &error) ...
 *     status = pod_format_writer_commit(writer, &error);     -- or pod_format_writer_abandon(writer)
 *
 * Until it is committed a file has another name, so nobody sees half of it, and an older file of the name stays. For
 * one thread at a time.
 */

#include "formats/reader.h"

/* What writes records, for hosts, is what writes bytes. */
typedef struct pod_record_writer pod_writer;

/* Makes a directory with the permissions `mode`, less those that the process withholds; one that is there is no
 * failure. The second makes those above it, too, and fails where a file has the name. */
POD_CHECKED pod_status pod_format_make_directory(pod_context *context, const char *path, int mode, pod_error *error);
POD_CHECKED pod_status pod_format_make_folders(pod_context *context, const char *path, int mode, pod_error *error);

/* Sees the name of a located file or folder onto the disk. Returns 0 or libuv's code. */
int pod_format_sync_name(const char *path);

/* Writes all bytes to a file, at `offset` or, with -1, where it stands. Returns 0 or libuv's code. */
int pod_format_write_all(int file, const void *bytes, size_t size, int64_t offset);

/* Opens a file for writing, the target where the path is a symbolic link; `compression` must not be AUTO. On success
 * *writer is the caller's, to end with pod_format_writer_commit() or pod_format_writer_abandon(). */
POD_CHECKED pod_status pod_format_writer_open(pod_context *context, const char *path, pod_compression compression,
                                              pod_writer **writer, pod_error *error);

/* Writes bytes. After a failure all calls fail like it, and no file is published. */
POD_CHECKED pod_status pod_format_writer_write(pod_writer *writer, const void *bytes, size_t size, pod_error *error);

/* The same where what fails is told by the writer's end. */
void pod_format_writer_put(pod_writer *writer, const void *bytes, size_t size);

/* Returns how many bytes were written, before compression. */
uint64_t pod_format_writer_offset(const pod_writer *writer);

/* Completes the file, sees it onto the disk and gives it its name. Ends the writer, also when it fails: the file is
 * then not there. */
POD_CHECKED pod_status pod_format_writer_commit(pod_writer *writer, pod_error *error);

/* Completes the file where `status` is POD_OK, else deletes it and returns the status. Ends the writer. */
POD_CHECKED pod_status pod_format_writer_end(pod_writer *writer, pod_status status, pod_error *error);

/* Ends the writer; the file is deleted. NULL is allowed. */
void pod_format_writer_abandon(pod_writer *writer);

#endif
