/*
 * idx - arrays in the format of the MNIST files: two zero bytes, type, number of axes, their sizes as
 * big-endian u32, then the elements, big-endian, row-major.
 */

#include "base/bytes.h"
#include "base/checked.h"
#include "moonpod/formats.h"

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "formats/array_file.h"

/* Claims up to this size are believed, larger ones of compressed files are counted first. */
#define TRUSTED_BYTES ((uint64_t)256 << 20)

static pod_status read_header(pod_reader *reader, pod_claim *header, pod_error *error)
{
    unsigned char bytes[4];
    pod_status status = pod_format_read_needed(reader, bytes, 4, "the IDX header", error);
    if (status != POD_OK)
        return status;
    for (size_t i = 0; i < POD_DTYPES_NAMED; i++)
        if (bytes[2] != 0 && pod_format_dtypes[i].idx == bytes[2])
            header->dtype = pod_format_dtypes[i].dtype;
    header->shape.rank = bytes[3];
    if (bytes[0] != 0 || bytes[1] != 0 || header->dtype == POD_DTYPE_NONE || header->shape.rank < 1 ||
        header->shape.rank > POD_MAX_RANK)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "%s is no IDX file: it begins with %02x %02x %02x %02x at offset 0; an "
                             "IDX file begins with 00 00, a type 08 to 0e and 01 to 08 axes",
                             pod_format_reader_path(reader), bytes[0], bytes[1], bytes[2], bytes[3]);
    for (int32_t i = 0; i < header->shape.rank; i++) {
        status = pod_format_read_needed(reader, bytes, 4, "the sizes of its axes", error);
        if (status != POD_OK)
            return status;
        header->shape.dims[i] = pod_big_u32(bytes);
    }
    return POD_OK;
}

/* Counts how many bytes of data a file really has, up to the claim. */
static pod_status count_data(pod_context *context, const char *path, uint64_t claim, uint64_t *counted,
                             pod_error *error)
{
    char block[16384];
    pod_claim header = {0};
    pod_reader *reader;
    size_t got;

    *counted = 0;
    pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_AUTO, &reader, error);
    if (status != POD_OK)
        return status;
    status = read_header(reader, &header, error);
    while (status == POD_OK && *counted < claim) {
        status = pod_format_reader_read(reader, block, sizeof block, &got, error);
        *counted += got;
    }
    pod_format_reader_close(reader);
    return status == POD_END ? POD_OK : status;
}

/* Refuses claims that the file cannot keep, before memory is taken for them. */
static pod_status check_claim(pod_context *context, pod_reader *reader, pod_claim *header, pod_error *error)
{
    char what[POD_CLAIM_TEXT_SIZE];
    uint64_t counted;
    pod_status status = pod_format_check_claim(reader, header, error);
    if (status != POD_OK || !pod_format_reader_is_compressed(reader) || header->bytes <= TRUSTED_BYTES)
        return status;
    status = count_data(context, pod_format_reader_path(reader), header->bytes, &counted, error);
    if (status != POD_OK || counted >= header->bytes)
        return status;
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s is truncated: its header, which ends at offset %llu, announces %s = %llu "
                         "bytes, but the file has %llu",
                         pod_format_reader_path(reader), (unsigned long long)pod_format_reader_offset(reader),
                         pod_format_claim_text(header, what), (unsigned long long)header->bytes,
                         (unsigned long long)counted);
}

static pod_status read_array(pod_context *context, pod_reader *reader, pod_buffer **buffer, pod_error *error)
{
    pod_claim header = {0};
    pod_status status = read_header(reader, &header, error);
    if (status == POD_OK)
        status = check_claim(context, reader, &header, error);
    if (status == POD_OK)
        status = pod_format_read_elements(context, reader, &header, buffer, error);
    if (status != POD_OK)
        return status;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    pod_format_swap_elements(*buffer);
#endif
    return POD_OK;
}

pod_status pod_idx_read(pod_context *context, const char *path, pod_buffer **buffer, pod_error *error)
{
    pod_reader *reader;
    *buffer = NULL;
    pod_status status = pod_format_reader_open(context, path, POD_COMPRESSION_AUTO, &reader, error);
    if (status != POD_OK)
        return status;
    status = read_array(context, reader, buffer, error);
    pod_format_reader_close(reader);
    return status;
}

/* ---- writing ---- */

static void write_header(pod_writer *writer, const pod_buffer *buffer)
{
    const pod_shape *shape = pod_buffer_shape(buffer);
    unsigned char header[4 + 4 * POD_MAX_RANK] = {0, 0, pod_format_names_of(pod_buffer_dtype(buffer))->idx,
                                                  (unsigned char)shape->rank};
    for (int32_t i = 0; i < shape->rank; i++)
        pod_put_big_u32(header + 4 + 4 * i, (uint64_t)shape->dims[i]);
    pod_format_writer_put(writer, header, 4 + 4 * (size_t)shape->rank);
}

/* Writes the elements big-endian, a block at a time. */
static void write_elements(pod_writer *writer, const pod_buffer *buffer)
{
    const size_t size = pod_dtype_size(pod_buffer_dtype(buffer));
    const unsigned char *bytes = pod_buffer_data(buffer);
    unsigned char block[4096];
    for (size_t done = 0; done < pod_buffer_bytes(buffer);) {
        const size_t left = pod_buffer_bytes(buffer) - done;
        const size_t part = left < sizeof block ? left : sizeof block;
        for (size_t i = 0; i < part; i++) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            block[i] = bytes[done + i / size * size + size - 1 - i % size];
#else
            block[i] = bytes[done + i];
#endif
        }
        pod_format_writer_put(writer, block, part);
        done += part;
    }
}

static pod_status check_writable(const pod_buffer *buffer, const char *path, pod_error *error)
{
    const pod_shape *shape = pod_buffer_shape(buffer);
    char text[POD_SHAPE_TEXT_SIZE];
    bool fits = shape->rank > 0 && pod_format_names_of(pod_buffer_dtype(buffer))->idx != 0;
    for (int32_t i = 0; i < shape->rank; i++)
        fits = fits && shape->dims[i] <= UINT32_MAX;
    if (fits)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                         "%s: IDX files cannot hold %s %s: elements are uint8, int8, int16, int32, "
                         "float32 or float64, and there is at least one axis",
                         path, pod_dtype_name(pod_buffer_dtype(buffer)), pod_shape_format(shape, text));
}

pod_status pod_idx_write(pod_context *context, const char *path, const pod_buffer *buffer, pod_error *error)
{
    pod_writer *writer;
    const size_t length = strlen(path);
    const bool packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
    pod_status status = check_writable(buffer, path, error);
    if (status == POD_OK)
        status =
            pod_format_writer_open(context, path, packed ? POD_COMPRESSION_GZIP : POD_COMPRESSION_NONE, &writer, error);
    if (status != POD_OK)
        return status;
    write_header(writer, buffer);
    write_elements(writer, buffer);
    return pod_format_writer_commit(writer, error);
}
