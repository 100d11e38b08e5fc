/* record - files of checked records. */

#include "formats/record.h"

#include <string.h>

#include "base/bytes.h"
#include "base/context.h"
#include "base/growth.h"
#include "formats/crc32c.h"
#include "moonpod/formats.h"

struct pod_record_reader {
    pod_context *context; /* shared */
    pod_reader *reader;
    unsigned char *record; /* the last one */
    size_t room;
    bool grows; /* the file may end within its last record, which then is not there yet */
};

/* A record is read in steps of this size, so that memory follows the data and not the claimed length. */
/* What a protocol buffer can have. */
#define LONGEST_RECORD ((uint64_t)1 << 31)
#define STEP           ((size_t)1 << 20)

pod_status pod_format_compression_from_name(const char *name, bool allow_auto, pod_compression *compression,
                                            pod_error *error)
{
    *compression = POD_COMPRESSION_NONE;
    if (name == NULL || strcmp(name, "none") == 0)
        return POD_OK;
    *compression = strcmp(name, "gzip") == 0                 ? POD_COMPRESSION_GZIP
                   : strcmp(name, "zlib") == 0               ? POD_COMPRESSION_ZLIB
                   : allow_auto && strcmp(name, "auto") == 0 ? POD_COMPRESSION_AUTO
                                                             : POD_COMPRESSION_NONE;
    if (*compression != POD_COMPRESSION_NONE)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_ARGUMENT, "unknown compression '%s'; it is none, gzip%s zlib%s", name,
                         allow_auto ? "," : " or", allow_auto ? " or auto" : "");
}

void pod_format_record_frame(const void *bytes, size_t size, unsigned char header[POD_RECORD_HEADER],
                             unsigned char footer[POD_RECORD_FOOTER])
{
    pod_put_little_u64(header, size);
    pod_put_little_u32(header + 8, pod_format_crc32c_mask(pod_format_crc32c(header, 8)));
    pod_put_little_u32(footer, pod_format_crc32c_mask(pod_format_crc32c(bytes, size)));
}

pod_status pod_format_record_write(pod_writer *writer, const void *bytes, size_t size, pod_error *error)
{
    unsigned char header[POD_RECORD_HEADER], footer[POD_RECORD_FOOTER];
    pod_format_record_frame(bytes, size, header, footer);
    pod_format_writer_put(writer, header, sizeof header);
    pod_format_writer_put(writer, bytes, size);
    return pod_format_writer_write(writer, footer, sizeof footer, error);
}

pod_status pod_record_writer_open(pod_context *context, const char *path, const char *compression,
                                  pod_record_writer **writer, pod_error *error)
{
    pod_compression kind;
    *writer = NULL;
    const pod_status status = pod_format_compression_from_name(compression, false, &kind, error);
    return status == POD_OK ? pod_format_writer_open(context, path, kind, writer, error) : status;
}

pod_status pod_record_writer_write(pod_record_writer *writer, const void *bytes, size_t size, pod_error *error)
{
    return pod_format_record_write(writer, bytes, size, error);
}

pod_status pod_record_writer_close(pod_record_writer *writer, pod_error *error)
{
    return pod_format_writer_commit(writer, error);
}

void pod_record_writer_abandon(pod_record_writer *writer)
{
    pod_format_writer_abandon(writer);
}

pod_status pod_record_reader_open(pod_context *context, const char *path, const char *compression,
                                  pod_record_reader **reader, pod_error *error)
{
    pod_compression kind;
    *reader = NULL;
    pod_status status = pod_format_compression_from_name(compression, true, &kind, error);
    if (status != POD_OK)
        return status;
    pod_record_reader *made = pod_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL)
        return pod_error_memory(error, "a record reader", sizeof *made);
    status = pod_format_reader_open(context, path, kind, &made->reader, error);
    if (status != POD_OK) {
        pod_free(context, made);
        return status;
    }
    made->context = pod_context_retain(context);
    *reader = made;
    return POD_OK;
}

void pod_format_record_reader_set_grows(pod_record_reader *reader)
{
    reader->grows = true;
}

void pod_format_record_reader_set_stop(pod_record_reader *reader, pod_stop stop)
{
    pod_format_reader_set_stop(reader->reader, stop);
}

static pod_status corrupted(const pod_record_reader *reader, uint64_t offset, const char *what, pod_error *error)
{
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s: corrupted record at offset %llu: the checksum of its %s does not fit",
                         pod_format_reader_path(reader->reader), (unsigned long long)offset, what);
}

/* Reads exactly `size` bytes. Of a file that grows those may be missing: POD_END. */
static pod_status take(pod_record_reader *reader, void *bytes, size_t size, const char *what, pod_error *error)
{
    size_t filled = 0, got;
    if (!reader->grows)
        return pod_format_reader_read_all(reader->reader, bytes, size, what, error);
    for (; filled < size; filled += got) {
        const pod_status status =
            pod_format_reader_read(reader->reader, (char *)bytes + filled, size - filled, &got, error);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

/* Reads exactly `size` bytes in the middle of a record. */
static pod_status need(pod_record_reader *reader, void *bytes, size_t size, uint64_t offset, pod_error *error)
{
    const pod_status status = take(reader, bytes, size, "a record", error);
    if (status < 0 && error != NULL)
        pod_error_prepend(error, "the record at offset %llu: ", (unsigned long long)offset);
    if (status != POD_END || reader->grows)
        return status;
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s: the record at offset %llu is cut short: the file ends at offset %llu",
                         pod_format_reader_path(reader->reader), (unsigned long long)offset,
                         (unsigned long long)pod_format_reader_offset(reader->reader));
}

static pod_status grow(pod_record_reader *reader, size_t size, pod_error *error)
{
    return pod_grow(reader->context, &reader->record, &reader->room, size,
                    (pod_growth){1, .first = STEP, .what = "a record"}, error);
}

static pod_status read_data(pod_record_reader *reader, uint64_t length, uint64_t offset, pod_error *error)
{
    size_t done = 0;
    pod_status status = pod_format_reader_check_room(reader->reader, length, "a record", error);
    if (status == POD_OK)
        status = grow(reader, 1, error);
    while (status == POD_OK && done < length) {
        const size_t step = length - done < STEP ? (size_t)(length - done) : STEP;
        status = grow(reader, done + step, error);
        if (status == POD_OK)
            status = need(reader, reader->record + done, step, offset, error);
        done += step;
    }
    return status;
}

pod_status pod_record_reader_next(pod_record_reader *reader, const void **bytes, size_t *size, pod_error *error)
{
    unsigned char header[POD_RECORD_HEADER], footer[POD_RECORD_FOOTER];
    const uint64_t offset = pod_format_reader_offset(reader->reader);

    *bytes = NULL;
    *size = 0;
    pod_status status = take(reader, header, sizeof header, "a record's header", error);
    if (status != POD_OK)
        return status;
    if (pod_little_u32(header + 8) != pod_format_crc32c_mask(pod_format_crc32c(header, 8)))
        return corrupted(reader, offset, "length", error);
    const uint64_t length = pod_little_u64(header);
    if (length > LONGEST_RECORD)
        return pod_error_set(
            error, POD_ERROR_FORMAT, "%s: the record at offset %llu claims %llu bytes; 2 GiB are the most",
            pod_format_reader_path(reader->reader), (unsigned long long)offset, (unsigned long long)length);
    status = read_data(reader, length, offset, error);
    if (status == POD_OK)
        status = need(reader, footer, sizeof footer, offset, error);
    if (status != POD_OK)
        return status;
    if (pod_little_u32(footer) != pod_format_crc32c_mask(pod_format_crc32c(reader->record, (size_t)length)))
        return corrupted(reader, offset, "data", error);
    *bytes = reader->record;
    *size = (size_t)length;
    return POD_OK;
}

void pod_record_reader_close(pod_record_reader *reader)
{
    if (reader == NULL)
        return;
    pod_context *context = reader->context;
    pod_format_reader_close(reader->reader);
    pod_free(context, reader->record);
    pod_free(context, reader);
    pod_context_release(context);
}
