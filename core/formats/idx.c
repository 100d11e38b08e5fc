/*
 * idx - arrays in the format of the MNIST files: two zero bytes, type, number of axes, their sizes as
 * big-endian u32, then the elements, big-endian, row-major.
 */

#include "moonpod/data.h"

#include <string.h>

#include "base/context.h"
#include "formats/reader.h"

/* Deflate makes at most 1032 bytes of one; a header that claims more lies. */
#define MOST_EXPANSION 1032
/* Claims up to this size are believed, larger ones of compressed files are counted first. */
#define TRUSTED_BYTES ((uint64_t)256 << 20)

typedef struct idx_header {
    pod_dtype dtype;
    pod_shape shape;
    uint64_t data_bytes;
} idx_header;

static pod_dtype dtype_of_code(unsigned code)
{
    switch (code) {
    case 0x08:
        return POD_U8;
    case 0x09:
        return POD_S8;
    case 0x0b:
        return POD_S16;
    case 0x0c:
        return POD_S32;
    case 0x0d:
        return POD_F32;
    case 0x0e:
        return POD_F64;
    default:
        return POD_DTYPE_NONE;
    }
}

static pod_status need(pod_reader *reader, void *bytes, size_t size, const char *what,
                       pod_error *error)
{
    const pod_status status = pod_reader_read_all(reader, bytes, size, what, error);
    if (status != POD_END)
        return status;
    return pod_error_set(error, POD_ERROR_FORMAT, "%s: the file ends at offset %llu, before %s",
                         pod_reader_path(reader), (unsigned long long)pod_reader_offset(reader),
                         what);
}

static pod_status read_header(pod_reader *reader, idx_header *header, pod_error *error)
{
    unsigned char bytes[4];
    pod_status status = need(reader, bytes, 4, "the IDX header", error);
    if (status != POD_OK)
        return status;
    header->dtype = dtype_of_code(bytes[2]);
    header->shape.rank = bytes[3];
    if (bytes[0] != 0 || bytes[1] != 0 || header->dtype == POD_DTYPE_NONE ||
        header->shape.rank < 1 || header->shape.rank > POD_MAX_RANK)
        return pod_error_set(error, POD_ERROR_FORMAT,
                             "%s is no IDX file: it begins with %02x %02x %02x %02x at offset 0; an "
                             "IDX file begins with 00 00, a type 08 to 0e and 01 to 08 axes",
                             pod_reader_path(reader), bytes[0], bytes[1], bytes[2], bytes[3]);
    header->data_bytes = pod_dtype_size(header->dtype);
    for (int32_t i = 0; i < header->shape.rank; i++) {
        status = need(reader, bytes, 4, "the sizes of its axes", error);
        if (status != POD_OK)
            return status;
        const uint32_t size = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
                              (uint32_t)bytes[2] << 8 | bytes[3];
        header->shape.dims[i] = size;
        if (__builtin_mul_overflow(header->data_bytes, size, &header->data_bytes))
            header->data_bytes = UINT64_MAX / 2; /* more than any file; a size 0 may still follow */
    }
    return POD_OK;
}

/* Counts how many bytes of data a file really has, up to the claim. */
static pod_status count_data(pod_context *context, const char *path, uint64_t claim,
                             uint64_t *counted, pod_error *error)
{
    char block[16384];
    idx_header header;
    pod_reader *reader;
    size_t got;

    *counted = 0;
    pod_status status = pod_reader_open(context, path, POD_COMPRESSION_AUTO, &reader, error);
    if (status != POD_OK)
        return status;
    status = read_header(reader, &header, error);
    while (status == POD_OK && *counted < claim) {
        status = pod_reader_read(reader, block, sizeof block, &got, error);
        *counted += got;
    }
    pod_reader_close(reader);
    return status == POD_END ? POD_OK : status;
}

/* Refuses claims that the file cannot keep, before memory is taken for them. */
static pod_status check_claim(pod_context *context, pod_reader *reader, const idx_header *header,
                              pod_error *error)
{
    char text[POD_SHAPE_TEXT_SIZE];
    const uint64_t file = pod_reader_file_size(reader);
    uint64_t most = file - (file < pod_reader_offset(reader) ? file : pod_reader_offset(reader));
    if (pod_reader_is_compressed(reader)) {
        most = file > UINT64_MAX / MOST_EXPANSION ? UINT64_MAX : file * MOST_EXPANSION;
        if (header->data_bytes > TRUSTED_BYTES && header->data_bytes <= most) {
            const pod_status status = count_data(context, pod_reader_path(reader),
                                                 header->data_bytes, &most, error);
            if (status != POD_OK)
                return status;
        }
    }
    if (header->data_bytes <= most)
        return POD_OK;
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s is truncated: its header, which ends at offset %llu, announces %s %s = "
                         "%llu bytes, but the file has at most %llu",
                         pod_reader_path(reader), (unsigned long long)pod_reader_offset(reader),
                         pod_dtype_name(header->dtype), pod_shape_format(&header->shape, text),
                         (unsigned long long)header->data_bytes, (unsigned long long)most);
}

/* Turns big-endian elements into the host's. */
static void swap_elements(pod_buffer *buffer)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const size_t size = pod_dtype_size(pod_buffer_dtype(buffer));
    unsigned char *bytes = pod_buffer_data(buffer);
    for (size_t i = 0; size > 1 && i < pod_buffer_bytes(buffer); i += size)
        for (size_t low = 0; low < size / 2; low++) {
            const unsigned char byte = bytes[i + low];
            bytes[i + low] = bytes[i + size - 1 - low];
            bytes[i + size - 1 - low] = byte;
        }
#else
    (void)buffer;
#endif
}

static pod_status check_end(pod_reader *reader, pod_error *error)
{
    unsigned char byte;
    size_t got;
    const pod_status status = pod_reader_read(reader, &byte, 1, &got, error);
    if (status == POD_END)
        return POD_OK;
    if (status != POD_OK)
        return status;
    return pod_error_set(error, POD_ERROR_FORMAT,
                         "%s: the array that the header announces ends at offset %llu, but the data "
                         "goes on",
                         pod_reader_path(reader),
                         (unsigned long long)pod_reader_offset(reader) - 1);
}

static pod_status read_array(pod_context *context, pod_reader *reader, pod_buffer **buffer,
                             pod_error *error)
{
    idx_header header = {0};
    pod_status status = read_header(reader, &header, error);
    if (status == POD_OK)
        status = check_claim(context, reader, &header, error);
    if (status == POD_OK)
        status = pod_buffer_new(context, header.dtype, &header.shape, buffer, error);
    if (status != POD_OK)
        return status;
    if (pod_buffer_bytes(*buffer) > 0)
        status = need(reader, pod_buffer_data(*buffer), pod_buffer_bytes(*buffer),
                      "the elements of the array", error);
    if (status == POD_OK)
        status = check_end(reader, error);
    if (status != POD_OK) {
        pod_buffer_release(*buffer);
        *buffer = NULL;
        return status;
    }
    swap_elements(*buffer);
    return POD_OK;
}

pod_status pod_idx_read(pod_context *context, const char *path, pod_buffer **buffer,
                        pod_error *error)
{
    pod_reader *reader;
    *buffer = NULL;
    pod_status status = pod_reader_open(context, path, POD_COMPRESSION_AUTO, &reader, error);
    if (status != POD_OK)
        return status;
    status = read_array(context, reader, buffer, error);
    pod_reader_close(reader);
    return status;
}
