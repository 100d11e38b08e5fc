/* whole_file - all bytes of a file at once. */

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/growth.h"
#include "base/sha256.h"
#include "formats/writer.h"
#include "moonpod/formats.h"

#define STEP ((size_t)64 << 10)

/* Holds what was read so far. */
typedef struct content {
    char *bytes;
    size_t size, room;
} content;

/* Makes room for some bytes more. */
static pod_status grow(pod_context *context, const pod_reader *reader, content *read, pod_error *error)
{
    if (read->size < read->room)
        return POD_OK;
    const size_t first = (size_t)pod_format_reader_file_size(reader) + STEP;
    const pod_status status = pod_format_reader_check_room(reader, read->size + 1, "it", error);
    return status != POD_OK ? status
                            : pod_grow(context, &read->bytes, &read->room, read->size + 1,
                                       (pod_growth){1, first, .what = "a file"}, error);
}

pod_status pod_file_read(pod_context *context, const char *path, pod_bytes *bytes, pod_error *error)
{
    pod_reader *reader;
    content read = {0};
    *bytes = (pod_bytes){0};
    pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_NONE, &reader, error);
    if (status != POD_OK)
        return status;
    while (status == POD_OK) {
        size_t got = 0;
        status = grow(context, reader, &read, error);
        if (status == POD_OK)
            status = pod_format_reader_read(reader, read.bytes + read.size, read.room - read.size, &got, error);
        read.size += got;
    }
    pod_format_reader_close(reader);
    if (status < 0) {
        pod_free(context, read.bytes);
        return status;
    }
    *bytes = (pod_bytes){read.bytes, read.size};
    return POD_OK;
}

pod_status pod_file_write(pod_context *context, const char *path, const void *bytes, size_t size, pod_error *error)
{
    pod_writer *writer;
    const pod_status status = pod_format_writer_open(context, path, POD_COMPRESSION_NONE, &writer, error);
    if (status != POD_OK)
        return status;
    pod_format_writer_put(writer, bytes, size);
    return pod_format_writer_commit(writer, error);
}

void pod_sha256_text(const void *bytes, size_t size, char text[65])
{
    pod_sha256 hash;
    unsigned char digest[POD_SHA256_SIZE];
    pod_sha256_begin(&hash);
    pod_sha256_add(&hash, bytes, size);
    pod_sha256_end(&hash, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}
