/* reader - files as streams of bytes, through zlib where they are compressed. */

#include "formats/reader.h"

#include <assert.h>
#include <string.h>
#include <sys/stat.h>
#include <uv.h>

#include "base/context.h"
#include "base/system/system.h"
#include "formats/located.h"
#include "formats/zlib_or_none.h"

#define BLOCK_SIZE ((size_t)64 << 10)
/* How often a wait for a pipe looks whether it is to end. */
#define WAIT_MS 50

struct pod_reader {
    pod_context *context; /* shared */
    char *path;
    uv_file file;
    const unsigned char *memory; /* borrowed: what is read in place of a file */
    uint64_t file_size;
    uint64_t file_offset; /* of the byte behind the block, in the file or the part */
    uint64_t begin;       /* of the part in the file */
    bool is_part;
    bool is_placed;  /* by a seek: the file's own place no longer counts */
    uint32_t crc;    /* of the data of a part */
    uint64_t offset; /* of the next byte of data */
    pod_compression asked;
    bool begun; /* the first block is read, so what `asked` means is known */
    bool sized; /* a regular file */
    pod_stop stop;
    bool compressed, inflates, many_members;
    bool ended;        /* the data is complete */
    bool member_ended; /* between members */
    z_stream stream;   /* next_in, avail_in: what is left of the block, also without compression */
    unsigned char block[BLOCK_SIZE];
};

static bool is_interrupted(const void *context)
{
    return pod_context_is_interrupted(context);
}

static pod_status check_stop(const pod_reader *reader, pod_error *error)
{
    if (!reader->stop.is_asked(reader->stop.context))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_INTERRUPTED, "%s: interrupted at offset %llu", reader->path,
                         (unsigned long long)reader->offset);
}

/* Waits until a pipe, a terminal or the like has bytes or was closed. */
static pod_status wait_for_bytes(const pod_reader *reader, pod_error *error)
{
    pod_status status;
    do
        status = check_stop(reader, error);
    while (status == POD_OK && !pod_system_wait_for_bytes(reader->file, WAIT_MS));
    return status;
}

/* Reads what there is, `size` bytes at most; at the end 0, and below it a failure. */
static int read_some(pod_reader *reader, size_t size, int64_t place)
{
    uv_fs_t request;
    if (reader->memory != NULL) {
        memcpy(reader->block, reader->memory + place, size);
        return (int)size;
    }
    const uv_buf_t buffer = uv_buf_init((char *)reader->block, (unsigned)size);
    const int got = uv_fs_read(NULL, &request, reader->file, &buffer, 1, place, NULL);
    uv_fs_req_cleanup(&request);
    return got;
}

/* Fills the block when it is empty. At the end of the file it stays so. */
static pod_status refill(pod_reader *reader, pod_error *error)
{
    if (reader->stream.avail_in > 0)
        return POD_OK;
    const uint64_t left = reader->file_size - reader->file_offset; /* of a part */
    assert(!reader->is_part || reader->file_offset <= reader->file_size);
    const size_t size = reader->is_part && left < BLOCK_SIZE ? (size_t)left : BLOCK_SIZE;
    const bool is_placed = reader->is_part || reader->is_placed;
    const int64_t place = is_placed ? (int64_t)(reader->begin + reader->file_offset) : -1; /* -1: go on */
    pod_status status;
    int got = UV_EAGAIN;
    do { /* a signal, or another reader, may come in between */
        status = reader->sized ? check_stop(reader, error) : wait_for_bytes(reader, error);
        if (status == POD_OK)
            got = size > 0 ? read_some(reader, size, place) : 0;
    } while (status == POD_OK && (got == UV_EAGAIN || got == UV_EINTR));
    if (status != POD_OK)
        return status;
    if (got < 0)
        return pod_error_set(error, POD_ERROR_IO, "%s: cannot read at offset %llu: %s", reader->path,
                             (unsigned long long)reader->file_offset, uv_strerror(got));
    reader->stream.next_in = reader->block;
    assert((size_t)got <= size && size <= BLOCK_SIZE);
    reader->stream.avail_in = (unsigned)got;
    reader->file_offset += (uint64_t)got;
    return POD_OK;
}

static pod_status open_file(pod_reader *reader, pod_error *error)
{
    uv_fs_t request;
    /* of a pipe that nobody writes to yet, opening would wait, and could not be interrupted */
    int result = pod_format_open_located(reader->context, reader->path, UV_FS_O_RDONLY | UV_FS_O_NONBLOCK, 0);
    if (result < 0)
        return pod_error_set(error, result == UV_ENOENT ? POD_ERROR_NOT_FOUND : POD_ERROR_IO, "%s: cannot open: %s",
                             reader->path, uv_strerror(result));
    reader->file = result;
    result = uv_fs_fstat(NULL, &request, reader->file, NULL);
    if (result == 0)
        reader->file_size = request.statbuf.st_size;
    const uint64_t kind = result == 0 ? request.statbuf.st_mode & S_IFMT : 0;
    uv_fs_req_cleanup(&request);
    if (result < 0) /* how many records it has would be told by a size that is not known */
        return pod_error_set(error, POD_ERROR_IO, "%s: cannot look at it: %s", reader->path, uv_strerror(result));
    reader->sized = kind == S_IFREG;
    if (kind == S_IFDIR)
        return pod_error_set(error, POD_ERROR_IO, "%s is a directory", reader->path);
    return POD_OK;
}

void pod_format_reader_seek(pod_reader *reader, uint64_t offset)
{
    const uint64_t consumed = reader->stream.next_in != NULL ? (uint64_t)(reader->stream.next_in - reader->block) : 0;
    const uint64_t begin = reader->file_offset - reader->stream.avail_in - consumed;
    reader->is_placed = true;
    reader->offset = offset;
    if (offset >= begin && offset < reader->file_offset) {
        reader->stream.avail_in = (unsigned)(reader->file_offset - offset);
        reader->stream.next_in = reader->block + (offset - begin);
        assert(reader->stream.next_in + reader->stream.avail_in <= reader->block + BLOCK_SIZE);
        return;
    }
    reader->file_offset = offset < reader->file_size ? offset : reader->file_size;
    reader->stream.avail_in = 0;
    reader->stream.next_in = reader->block;
}

static bool begins_like_gzip(const pod_reader *reader)
{
    return reader->stream.avail_in >= 2 && reader->block[0] == 0x1f && reader->block[1] == 0x8b;
}

static pod_status start_inflating(pod_reader *reader, pod_error *error)
{
    const pod_compression compression = reader->asked;
    if (compression == POD_COMPRESSION_NONE || (compression == POD_COMPRESSION_AUTO && !begins_like_gzip(reader)))
        return POD_OK;
    const int bits = compression == POD_COMPRESSION_DEFLATE ? -MAX_WBITS
                     : compression == POD_COMPRESSION_ZLIB  ? MAX_WBITS
                                                            : 16 + MAX_WBITS;
    reader->compressed = true;
    reader->many_members = bits > MAX_WBITS;
    reader->stream.zalloc = pod_format_zlib_allocate;
    reader->stream.zfree = pod_format_zlib_free;
    reader->stream.opaque = reader->context;
    const int result = inflateInit2(&reader->stream, bits);
    if (result != Z_OK)
        return pod_format_zlib_refused(result, "decompressing", 40000, error);
    reader->inflates = true;
    return POD_OK;
}

/* Reads the first block, by which AUTO decides. */
static pod_status begin(pod_reader *reader, pod_error *error)
{
    pod_status status = refill(reader, error);
    if (status == POD_OK)
        status = start_inflating(reader, error);
    reader->begun = status == POD_OK;
    return status;
}

static pod_status check_part(const pod_reader *reader, uint64_t size, pod_error *error)
{
    if (reader->begin <= reader->file_size && size <= reader->file_size - reader->begin &&
        reader->file_size <= INT64_MAX)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s: %llu bytes from offset %llu on are announced, but the file has %llu", reader->path,
                         (unsigned long long)size, (unsigned long long)reader->begin,
                         (unsigned long long)reader->file_size);
}

/* NULL when there is no memory. */
static pod_reader *make_reader(pod_context *context, pod_compression compression, pod_error *error)
{
    pod_reader *made = pod_allocate(context, sizeof *made);
    if (made == NULL) {
        (void)pod_error_memory(error, "a reader", sizeof *made);
        return NULL;
    }
    memset(made, 0, offsetof(pod_reader, block));
    made->context = pod_context_retain(context);
    made->file = -1;
    made->asked = compression;
    made->stop = (pod_stop){is_interrupted, context};
    return made;
}

static pod_status open_reader(pod_context *context, const char *path, const uint64_t *begin, uint64_t size,
                              pod_compression compression, pod_reader **reader, pod_error *error)
{
    *reader = NULL;
    pod_reader *made = make_reader(context, compression, error);
    if (made == NULL)
        return POD_ERROR_MEMORY;
    pod_status status = pod_locate_file(context, path, &made->path, error);
    if (status == POD_OK)
        status = open_file(made, error);
    if (status == POD_OK && begin != NULL) {
        made->begin = *begin;
        status = check_part(made, size, error);
        made->is_part = true;
        made->file_size = size;
    }
    if (status != POD_OK) {
        pod_format_reader_close(made);
        return status;
    }
    *reader = made;
    return POD_OK;
}

pod_status pod_format_reader_open(pod_context *context, const char *path, pod_compression compression,
                                  pod_reader **reader, pod_error *error)
{
    return open_reader(context, path, NULL, 0, compression, reader, error);
}

pod_status pod_format_reader_open_part(pod_context *context, const char *path, uint64_t begin, uint64_t size,
                                       pod_compression compression, pod_reader **reader, pod_error *error)
{
    return open_reader(context, path, &begin, size, compression, reader, error);
}

pod_status pod_format_reader_open_memory(pod_context *context, const char *name, const void *bytes, size_t size,
                                         pod_reader **reader, pod_error *error)
{
    *reader = NULL;
    pod_reader *made = make_reader(context, POD_COMPRESSION_NONE, error);
    if (made == NULL)
        return POD_ERROR_MEMORY;
    made->path = pod_copy_text(context, name);
    if (made->path == NULL) {
        pod_format_reader_close(made);
        return pod_error_memory(error, "a reader", strlen(name) + 1);
    }
    made->memory = bytes;
    made->file_size = size;
    made->is_part = made->sized = true;
    *reader = made;
    return POD_OK;
}

static pod_status read_plain(pod_reader *reader, void *bytes, size_t size, size_t *got, pod_error *error)
{
    const pod_status status = refill(reader, error);
    if (status != POD_OK)
        return status;
    *got = size < reader->stream.avail_in ? size : reader->stream.avail_in;
    memcpy(bytes, reader->stream.next_in, *got);
    reader->stream.next_in += *got;
    reader->stream.avail_in -= (unsigned)*got;
    return *got > 0 ? POD_OK : POD_END;
}

/* The offset in the file that decompression has come to. */
static unsigned long long compressed_offset(const pod_reader *reader)
{
    return (unsigned long long)(reader->file_offset - reader->stream.avail_in);
}

static pod_status damaged(pod_reader *reader, int result, pod_error *error)
{
    if (result == Z_MEM_ERROR)
        return pod_error_memory(error, "decompressing", 40000);
    return pod_error_set(error, POD_ERROR_FORMAT, "%s: the compressed data is damaged near offset %llu: %s",
                         reader->path, compressed_offset(reader),
                         reader->stream.msg != NULL ? reader->stream.msg : "no such stream");
}

/* At the end of a member: begins the next one, or ends the data. Zeros that pad the file's end count for
 * nothing, as with gzip itself. */
static pod_status end_member(pod_reader *reader, pod_error *error)
{
    pod_status status;
    while ((status = refill(reader, error)) == POD_OK && reader->stream.avail_in > 0 &&
           reader->stream.next_in[0] == 0) {
        reader->stream.next_in++;
        reader->stream.avail_in--;
    }
    if (status != POD_OK)
        return status;
    reader->member_ended = false;
    reader->ended = reader->stream.avail_in == 0;
    if (reader->ended)
        return POD_OK;
    if (!reader->many_members)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "%s: the compressed data ends at offset %llu, but the file goes on", reader->path,
                             compressed_offset(reader));
    const int result = inflateReset(&reader->stream);
    return result == Z_OK ? POD_OK : damaged(reader, result, error);
}

/* Decompresses into what next_out and avail_out describe, until some bytes came or the member ended. */
static pod_status inflate_some(pod_reader *reader, size_t size, pod_error *error)
{
    while (reader->stream.avail_out == size && !reader->member_ended) {
        const pod_status status = refill(reader, error);
        if (status != POD_OK)
            return status;
        if (reader->stream.avail_in == 0)
            return pod_error_set(error, POD_ERROR_FORMAT,
                                 "%s: the file is truncated: its compressed data does not end "
                                 "before the file does, at offset %llu",
                                 reader->path, (unsigned long long)reader->file_offset);
        const int result = inflate(&reader->stream, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return damaged(reader, result, error);
        reader->member_ended = result == Z_STREAM_END;
    }
    return POD_OK;
}

static pod_status read_inflated(pod_reader *reader, void *bytes, size_t size, size_t *got, pod_error *error)
{
    if (size > UINT32_MAX / 2)
        size = UINT32_MAX / 2;
    while (!reader->ended) {
        pod_status status = reader->member_ended ? end_member(reader, error) : POD_OK;
        if (status != POD_OK || reader->ended)
            return status != POD_OK ? status : POD_END;
        reader->stream.next_out = bytes;
        reader->stream.avail_out = (unsigned)size;
        status = inflate_some(reader, size, error);
        *got = size - reader->stream.avail_out;
        if (status != POD_OK || *got > 0)
            return status;
    }
    return POD_END;
}

pod_status pod_format_reader_read(pod_reader *reader, void *bytes, size_t size, size_t *got, pod_error *error)
{
    *got = 0;
    if (size == 0)
        return POD_OK;
    pod_status status = reader->begun ? POD_OK : begin(reader, error);
    if (status != POD_OK)
        return status;
    status = reader->compressed ? read_inflated(reader, bytes, size, got, error)
                                : read_plain(reader, bytes, size, got, error);
    if (status != POD_OK) {
        *got = 0;
        return status;
    }
    assert(*got > 0 && *got <= size);
    reader->offset += *got;
    if (reader->is_part)
        reader->crc = (uint32_t)crc32_z(reader->crc, bytes, *got);
    return POD_OK;
}

pod_status pod_format_reader_read_all(pod_reader *reader, void *bytes, size_t size, const char *what, pod_error *error)
{
    const uint64_t begin = reader->offset;
    size_t filled = 0;
    while (filled < size) {
        size_t got;
        const pod_status status = pod_format_reader_read(reader, (char *)bytes + filled, size - filled, &got, error);
        if (status == POD_END && filled > 0)
            return pod_error_set(error, POD_ERROR_FORMAT,
                                 "%s: the file ends within %s: %zu bytes from offset %llu on are "
                                 "needed, but only %zu are there",
                                 reader->path, what, size, (unsigned long long)begin, filled);
        if (status != POD_OK)
            return status;
        filled += got;
    }
    return POD_OK;
}

pod_status pod_format_reader_check_room(const pod_reader *reader, uint64_t bytes, const char *what, pod_error *error)
{
    const uint64_t most = pod_context_unpacked_bytes(reader->context);
    if (bytes <= most || (reader->sized && !reader->compressed))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_MEMORY,
                         "%s: %s has more than the %llu bytes that may be unpacked at once, at offset %llu; "
                         "pod_context_set_unpacked_bytes() allows more",
                         reader->path, what, (unsigned long long)most, (unsigned long long)reader->offset);
}

void pod_format_reader_set_stop(pod_reader *reader, pod_stop stop)
{
    reader->stop = stop;
}

uint64_t pod_format_reader_offset(const pod_reader *reader)
{
    return reader->offset;
}

uint32_t pod_format_reader_crc32(const pod_reader *reader)
{
    return reader->crc;
}

uint64_t pod_format_reader_file_size(const pod_reader *reader)
{
    return reader->file_size;
}

pod_status pod_format_reader_check_sized(const pod_reader *reader, pod_error *error)
{
    if (reader->sized)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s is a pipe or a device: its size is not known before its end; copy it to a file first",
                         reader->path);
}

bool pod_format_reader_is_compressed(const pod_reader *reader)
{
    return reader->compressed;
}

const char *pod_format_reader_path(const pod_reader *reader)
{
    return reader->path;
}

void pod_format_reader_close(pod_reader *reader)
{
    uv_fs_t request;
    if (reader == NULL)
        return;
    if (reader->inflates)
        (void)inflateEnd(&reader->stream);
    if (reader->file >= 0) {
        (void)uv_fs_close(NULL, &request, reader->file, NULL);
        uv_fs_req_cleanup(&request);
    }
    pod_context *context = reader->context;
    pod_free(context, reader->path);
    pod_free(context, reader);
    pod_context_release(context);
}
