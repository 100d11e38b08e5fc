/* writer - files that are written whole or not at all. */

#include "formats/writer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "base/context.h"
#include "base/system/system.h"
#include "formats/located.h"
#include "formats/symlinks.h"
#include "formats/unfinished.h"
#include "formats/zlib_or_none.h"
#include "moonpod/formats.h"

#define BLOCK_SIZE   ((size_t)64 << 10)
#define MOST_AT_ONCE ((unsigned)1 << 30) /* bytes that one call of the system is given */

struct pod_record_writer {
    pod_context *context; /* shared */
    char *path;
    char *temporary; /* the name until commit */
    uv_file file;
    bool made; /* the temporary file is there */
    int mode;  /* the permissions of the file that it comes in the place of, or below 0 where there is none */
    uint64_t offset;
    pod_error failure; /* what went wrong first, if its status says so: the file is damaged from there on */
    size_t filled;     /* bytes of the block */
    bool deflates;
    z_stream stream;
    unsigned char block[BLOCK_SIZE]; /* what the file gets next */
};

/* Gives the file a name in the same directory for the time until it is whole: a number of those that are cleaned up,
 * or, where so many write one file, the clock and the writer's place. */
static void name_temporary(pod_writer *writer, size_t size, unsigned number)
{
    if (number < POD_UNFINISHED_NAMES)
        snprintf(writer->temporary, size, "%s.%x" POD_UNFINISHED_SUFFIX, writer->path, number);
    else
        snprintf(writer->temporary, size, "%s.%llx%llx" POD_UNFINISHED_SUFFIX, writer->path,
                 (unsigned long long)uv_hrtime(), (unsigned long long)(uintptr_t)writer >> 6);
}

/* Opens the file under its name of now, for nobody who may not see the one before; returns 0 or libuv's code. */
static int open_file(pod_writer *writer)
{
    const int flags = UV_FS_O_WRONLY | UV_FS_O_CREAT | UV_FS_O_EXCL,
              mode = writer->mode < 0 ? 0666 : writer->mode | 0600;
    const int opened = pod_format_open_located(writer->context, writer->temporary, flags, mode);
    writer->made = opened >= 0;
    const int result = pod_system_leave_streams(opened);
    if (result < 0)
        return result;
    writer->file = result;
    return 0;
}

static int close_file(pod_writer *writer)
{
    uv_fs_t request;
    if (writer->file < 0)
        return 0;
    const int result = uv_fs_close(NULL, &request, writer->file, NULL);
    uv_fs_req_cleanup(&request);
    writer->file = -1;
    return result;
}

/* Makes the file under a name that no other writer has, and that nobody takes for one left behind. Those of processes
 * that ended are deleted. */
static pod_status make_file(pod_writer *writer, pod_error *error)
{
    const size_t size = strlen(writer->path) + 40;
    int result = UV_EEXIST;
    writer->mode = pod_format_mode_located(writer->context, writer->path);
    writer->temporary = pod_allocate(writer->context, size);
    if (writer->temporary == NULL)
        return pod_error_memory(error, "a path", size);
    for (unsigned number = 0; number < POD_UNFINISHED_NAMES; number++) {
        name_temporary(writer, size, number);
        pod_format_remove_unheld(writer->context, writer->temporary);
    }
    for (unsigned number = 0; result == UV_EEXIST; number++) {
        name_temporary(writer, size, number);
        result = open_file(writer);
        if (result == 0 && !pod_format_hold_unfinished((int)writer->file)) {
            (void)close_file(writer);
            writer->made = false;
            result = UV_EEXIST;
        }
    }
    if (result < 0)
        return pod_error_set(error, result == UV_ENOENT ? POD_ERROR_NOT_FOUND : POD_ERROR_IO, "%s: cannot create: %s",
                             writer->path, uv_strerror(result));
    return POD_OK;
}

static pod_status start_deflating(pod_writer *writer, pod_compression compression, pod_error *error)
{
    if (compression == POD_COMPRESSION_NONE)
        return POD_OK;
    writer->stream = pod_format_zlib_stream(writer->context);
    const int result =
        deflateInit2(&writer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                     compression == POD_COMPRESSION_GZIP ? 16 + MAX_WBITS : MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    if (result != Z_OK)
        return pod_format_zlib_refused(result, "compressing", 270000, error);
    writer->deflates = true;
    return POD_OK;
}

pod_status pod_format_writer_open(pod_context *context, const char *path, pod_compression compression,
                                  pod_writer **writer, pod_error *error)
{
    *writer = NULL;
    assert(compression != POD_COMPRESSION_AUTO);
    pod_writer *made = pod_allocate(context, sizeof *made);
    if (made == NULL)
        return pod_error_memory(error, "a writer", sizeof *made);
    memset(made, 0, offsetof(pod_writer, block));
    made->context = pod_context_retain(context);
    made->file = -1;
    char *located;
    pod_status status = pod_locate_file(context, path, &located, error);
    if (status == POD_OK)
        status = pod_format_follow_links(context, located, &made->path, error);
    pod_free(context, located);
    if (status == POD_OK)
        status = start_deflating(made, compression, error);
    if (status == POD_OK)
        status = make_file(made, error);
    if (status != POD_OK) {
        pod_format_writer_abandon(made);
        return status;
    }
    *writer = made;
    return POD_OK;
}

/* Remembers the first failure, which every later call tells. */
static pod_status fail(pod_writer *writer, pod_error *error, const char *what, int reason)
{
    if (writer->failure.status == POD_OK)
        (void)pod_error_set(&writer->failure, POD_ERROR_IO, "%s: %s: %s", writer->path, what, uv_strerror(reason));
    if (error != NULL)
        *error = writer->failure;
    return writer->failure.status;
}

int pod_format_write_all(int file, const void *bytes, size_t size, int64_t offset)
{
    for (size_t done = 0; done < size;) {
        uv_fs_t request;
        const size_t left = size - done;
        const unsigned part = left < MOST_AT_ONCE ? (unsigned)left : MOST_AT_ONCE;
        const uv_buf_t rest = uv_buf_init((char *)(uintptr_t)bytes + done, part);
        const int wrote = uv_fs_write(NULL, &request, file, &rest, 1, offset < 0 ? -1 : offset + (int64_t)done, NULL);
        uv_fs_req_cleanup(&request);
        if (wrote <= 0)
            return wrote < 0 ? wrote : UV_EIO;
        done += (size_t)wrote;
    }
    return 0;
}

static pod_status write_out(pod_writer *writer, const unsigned char *bytes, size_t size, pod_error *error)
{
    const int result = pod_format_write_all((int)writer->file, bytes, size, -1);
    return result < 0 ? fail(writer, error, "cannot write", result) : POD_OK;
}

/* Writes the block to the file. */
static pod_status empty_block(pod_writer *writer, pod_error *error)
{
    const size_t filled = writer->filled;
    writer->filled = 0;
    return write_out(writer, writer->block, filled, error);
}

static pod_status write_plain(pod_writer *writer, const unsigned char *bytes, size_t size, pod_error *error)
{
    while (size > 0) {
        if (writer->filled == 0 && size >= BLOCK_SIZE) /* no need to go through the block */
            return write_out(writer, bytes, size, error);
        const size_t room = BLOCK_SIZE - writer->filled;
        const size_t part = size < room ? size : room;
        memcpy(writer->block + writer->filled, bytes, part);
        writer->filled += part;
        bytes += part;
        size -= part;
        const pod_status status = writer->filled == BLOCK_SIZE ? empty_block(writer, error) : POD_OK;
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

/* Compresses what next_in describes; with Z_FINISH also what zlib holds back. */
static pod_status deflate_all(pod_writer *writer, int flush, pod_error *error)
{
    for (;;) {
        writer->stream.next_out = writer->block + writer->filled;
        writer->stream.avail_out = (unsigned)(BLOCK_SIZE - writer->filled);
        const int result = deflate(&writer->stream, flush);
        writer->filled = BLOCK_SIZE - writer->stream.avail_out;
        const bool full = writer->stream.avail_out == 0;
        if (full) {
            const pod_status status = empty_block(writer, error);
            if (status != POD_OK)
                return status;
        }
        if (result == Z_STREAM_ERROR)
            return fail(writer, error, "cannot compress", UV_EINVAL);
        if (result == Z_STREAM_END || (!full && flush != Z_FINISH))
            return POD_OK;
    }
}

pod_status pod_format_writer_write(pod_writer *writer, const void *bytes, size_t size, pod_error *error)
{
    const unsigned char *from = bytes;
    if (writer->failure.status != POD_OK)
        return fail(writer, error, NULL, 0);
    writer->offset += size;
    if (!writer->deflates)
        return write_plain(writer, from, size, error);
    while (size > 0) {
        const unsigned part = size < UINT32_MAX / 2 ? (unsigned)size : UINT32_MAX / 2;
        writer->stream.next_in = (unsigned char *)(uintptr_t)from;
        writer->stream.avail_in = part;
        const pod_status status = deflate_all(writer, Z_NO_FLUSH, error);
        if (status != POD_OK)
            return status;
        from += part;
        size -= part;
    }
    return POD_OK;
}

void pod_format_writer_put(pod_writer *writer, const void *bytes, size_t size)
{
    const pod_status status = pod_format_writer_write(writer, bytes, size, NULL);
    (void)status; /* the writer remembers it */
}

uint64_t pod_format_writer_offset(const pod_writer *writer)
{
    return writer->offset;
}

int pod_format_sync_name(const char *path)
{
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    if (length >= sizeof folder)
        return UV_ENAMETOOLONG;
    if (slash != NULL)
        snprintf(folder, sizeof folder, "%.*s", length > 0 ? (int)length : 1, path);
    return pod_system_sync_names(folder);
}

/* What came of giving a file a name, and that name seen onto the disk. */
static pod_status end_rename(int result, const char *to, pod_error *error)
{
    if (result < 0)
        return pod_error_set(error, POD_ERROR_IO, "%s: cannot give the file this name: %s", to, uv_strerror(result));
    result = pod_format_sync_name(to);
    if (result < 0)
        return pod_error_set(error, POD_ERROR_IO, "%s: cannot see the file's name onto the disk: %s", to,
                             uv_strerror(result));
    return POD_OK;
}

pod_status pod_move_file(pod_context *context, const char *from, const char *to, pod_error *error)
{
    char *old = NULL, *new = NULL;
    pod_status status = pod_locate_file(context, from, &old, error);
    if (status == POD_OK)
        status = pod_locate_file(context, to, &new, error);
    if (status == POD_OK)
        status = end_rename(pod_format_rename_located(context, old, new), new, error);
    pod_free(context, old);
    pod_free(context, new);
    return status;
}

/* Sees the file onto the disk and gives it its name. */
static pod_status publish(pod_writer *writer, pod_error *error)
{
    uv_fs_t request;
    if (writer->mode >= 0) { /* else it has what the process gives its files */
        (void)uv_fs_fchmod(NULL, &request, writer->file, writer->mode, NULL); /* no failure where there are none */
        uv_fs_req_cleanup(&request);
    }
    const int result = uv_fs_fsync(NULL, &request, writer->file, NULL);
    uv_fs_req_cleanup(&request);
    if (result < 0)
        return fail(writer, error, "cannot complete the file", result);
    /* Open yet: who cleans up would else take it for one that was left behind. Not longer: to see the name onto the
     * disk the folder is opened, and there may be no number left for it. */
    const int named = pod_format_rename_located(writer->context, writer->temporary, writer->path);
    writer->made = named < 0;
    (void)close_file(writer);
    return end_rename(named, writer->path, error);
}

pod_status pod_format_writer_commit(pod_writer *writer, pod_error *error)
{
    pod_status status = writer->failure.status == POD_OK ? POD_OK : fail(writer, error, NULL, 0);
    if (status == POD_OK && writer->deflates) {
        writer->stream.avail_in = 0;
        status = deflate_all(writer, Z_FINISH, error);
    }
    if (status == POD_OK)
        status = empty_block(writer, error);
    if (status == POD_OK)
        status = publish(writer, error);
    pod_format_writer_abandon(writer);
    return status;
}

pod_status pod_format_writer_end(pod_writer *writer, pod_status status, pod_error *error)
{
    if (status == POD_OK)
        return pod_format_writer_commit(writer, error);
    pod_format_writer_abandon(writer);
    return status;
}

void pod_format_writer_abandon(pod_writer *writer)
{
    if (writer == NULL)
        return;
    if (writer->deflates)
        (void)deflateEnd(&writer->stream);
    (void)close_file(writer);
    if (writer->made)
        (void)pod_format_remove_located(writer->context, writer->temporary);
    pod_context *context = writer->context;
    pod_free(context, writer->temporary);
    pod_free(context, writer->path);
    pod_free(context, writer);
    pod_context_release(context);
}
