/* png_write - pictures as PNG: one chunk of pixels, each row with the filter that leaves the least. */

#include "formats/png_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/context.h"
#include "formats/png_rows.h"
#include "formats/zlib_or_none.h"
#include "moonpod/image.h"

#define HEADER_BYTES 13
/* Length, kind and checksum of a chunk. */
#define CHUNK_BYTES 12
#define FILTERS     5

static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static unsigned char predict(int filter, int left, int up, int corner)
{
    const int slope = left + up - corner;
    const int by_left = abs(slope - left), by_up = abs(slope - up), by_corner = abs(slope - corner);
    switch (filter) {
    case 1:
        return (unsigned char)left;
    case 2:
        return (unsigned char)up;
    case 3:
        return (unsigned char)((left + up) / 2);
    case 4:
        return (unsigned char)(by_left <= by_up && by_left <= by_corner ? left : by_up <= by_corner ? up : corner);
    default:
        return 0;
    }
}

/* Filters a row into `to`; `above` is NULL for the first. Returns how much is left, by absolute values. */
static uint64_t filter_row(int filter, const unsigned char *row, const unsigned char *above, size_t pixel, size_t size,
                           unsigned char *to)
{
    uint64_t sum = 0;
    to[0] = (unsigned char)filter;
    for (size_t i = 0; i < size; i++) {
        const int left = i >= pixel ? row[i - pixel] : 0, up = above != NULL ? above[i] : 0;
        const int corner = i >= pixel && above != NULL ? above[i - pixel] : 0;
        const unsigned char rest = (unsigned char)(row[i] - predict(filter, left, up, corner));
        to[i + 1] = rest;
        sum += rest < 128 ? rest : 256u - rest;
    }
    return sum;
}

static void filter_rows(const pod_png_pixels *picture, const unsigned char *pixels, unsigned char *to)
{
    const size_t pixel = (size_t)picture->channels, size = (size_t)picture->width * pixel;
    for (int64_t y = 0; y < picture->height; y++, to += size + 1) {
        const unsigned char *row = pixels + (size_t)y * size, *above = y > 0 ? row - size : NULL;
        int best = 0;
        uint64_t least = UINT64_MAX;
        for (int filter = 0; filter < FILTERS; filter++) {
            const uint64_t sum = filter_row(filter, row, above, pixel, size, to);
            best = sum < least ? filter : best;
            least = sum < least ? sum : least;
        }
        (void)filter_row(best, row, above, pixel, size, to);
    }
}

/* Completes a chunk whose content is there. Returns where the next one begins. */
static unsigned char *put_chunk(unsigned char *at, const char *kind, size_t size)
{
    pod_put_big_u32(at, size);
    memcpy(at + 4, kind, 4);
    return pod_put_big_u32(at + 8 + size, crc32_z(0, at + 4, size + 4));
}

static unsigned char *put_header(unsigned char *at, const pod_png_pixels *picture)
{
    static const unsigned char colours[] = {POD_PNG_GREY, POD_PNG_GREY_ALPHA, POD_PNG_RGB, POD_PNG_RGBA};
    memcpy(at, signature, sizeof signature);
    at += sizeof signature;
    pod_put_big_u32(at + 8, (uint64_t)picture->width);
    pod_put_big_u32(at + 12, (uint64_t)picture->height);
    at[16] = 8;
    at[17] = colours[picture->channels - 1];
    memset(at + 18, 0, 3); /* the only methods, not interlaced */
    return put_chunk(at, "IHDR", HEADER_BYTES);
}

/* Compresses rows behind `begun` bytes of a new block. */
static pod_status compress_rows(pod_context *context, const unsigned char *rows, size_t size, size_t begun,
                                unsigned char **block, size_t *packed, pod_error *error)
{
    z_stream stream = pod_format_zlib_stream(context);
    const int result = deflateInit(&stream, Z_DEFAULT_COMPRESSION);
    if (result != Z_OK)
        return pod_format_zlib_refused(result, "compressing", 270000, error);
    const size_t bound = deflateBound(&stream, size);
    *block = pod_allocate(context, begun + bound + (size_t)3 * CHUNK_BYTES);
    if (*block == NULL) {
        (void)deflateEnd(&stream);
        return pod_error_memory(error, "a picture", bound);
    }
    stream.next_in = (unsigned char *)(uintptr_t)rows;
    stream.avail_in = (unsigned)size;
    stream.next_out = *block + begun;
    stream.avail_out = (unsigned)bound;
    (void)deflate(&stream, Z_FINISH); /* all of it fits */
    *packed = stream.total_out;
    (void)deflateEnd(&stream);
    return POD_OK;
}

pod_status pod_format_png_encode(pod_context *context, const pod_png_pixels *picture, const unsigned char *pixels,
                                 pod_bytes *encoded, pod_error *error)
{
    const size_t rows_size = (size_t)picture->height * ((size_t)picture->width * (size_t)picture->channels + 1);
    const size_t begun = sizeof signature + HEADER_BYTES + 2 * CHUNK_BYTES - 4;
    size_t packed = 0;
    unsigned char *block = NULL;
    *encoded = (pod_bytes){0};
    if (picture->height > INT32_MAX || picture->width > INT32_MAX || rows_size > UINT32_MAX / 2)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a picture of %lld x %lld pixels is too large for PNG",
                             (long long)picture->height, (long long)picture->width);
    unsigned char *rows = pod_allocate(context, rows_size);
    if (rows == NULL)
        return pod_error_memory(error, "a picture", rows_size);
    filter_rows(picture, pixels, rows);
    const pod_status status = compress_rows(context, rows, rows_size, begun, &block, &packed, error);
    pod_free(context, rows);
    if (status != POD_OK)
        return status;
    unsigned char *at = put_header(block, picture);
    at = put_chunk(at, "IDAT", packed);
    at = put_chunk(at, "IEND", 0);
    *encoded = (pod_bytes){block, (size_t)(at - block)};
    return POD_OK;
}

pod_status pod_image_encode_png(pod_context *context, const pod_buffer *image, pod_bytes *encoded, pod_error *error)
{
    const pod_shape *shape = pod_buffer_shape(image);
    *encoded = (pod_bytes){0};
    if (pod_buffer_dtype(image) != POD_U8)
        return pod_error_set(error, POD_ERROR_DTYPE, "a picture for PNG is uint8, not %s",
                             pod_dtype_name(pod_buffer_dtype(image)));
    if (shape->rank != 3 || shape->dims[0] < 1 || shape->dims[1] < 1 || shape->dims[2] < 1 || shape->dims[2] > 4)
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "a picture for PNG is (height, width, channels) with 1 to 4 channels and no size of 0");
    const pod_png_pixels picture = {shape->dims[0], shape->dims[1], (int)shape->dims[2]};
    return pod_format_png_encode(context, &picture, pod_buffer_data(image), encoded, error);
}
