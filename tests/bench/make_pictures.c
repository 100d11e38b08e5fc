/*
 * make_pictures FILE COUNT: writes a TFRecord file of COUNT examples { image: PNG, 28 x 28 grey; label: int64 },
 * the pictures of Fashion-MNIST over and over, as PNG encoders write them: the filter of each row that leaves the
 * smallest differences, compressed by zlib.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "moonpod/formats.h"

#define SIDE   28
#define FOLDER "/usr/share/datasets/fashion-mnist/"

static void fail(const char *what)
{
    fprintf(stderr, "make_pictures: %s\n", what);
    exit(1);
}

static int paeth(int left, int above, int corner)
{
    const int guess = left + above - corner;
    const int a = abs(guess - left), b = abs(guess - above), c = abs(guess - corner);
    return a <= b && a <= c ? left : b <= c ? above : corner;
}

/* Writes a row as a filter leaves it; returns the sum of the differences. */
static int filter_row(int filter, const uint8_t *row, const uint8_t *above, uint8_t *out)
{
    int sum = 0;
    out[0] = (uint8_t)filter;
    for (int x = 0; x < SIDE; x++) {
        const int left = x > 0 ? row[x - 1] : 0, up = above != NULL ? above[x] : 0;
        const int corner = x > 0 && above != NULL ? above[x - 1] : 0;
        const int expected[] = {0, left, up, (left + up) / 2, paeth(left, up, corner)};
        out[x + 1] = (uint8_t)(row[x] - expected[filter]);
        sum += abs((int8_t)out[x + 1]);
    }
    return sum;
}

static uint8_t *put32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        *to++ = (uint8_t)(value >> (24 - 8 * i));
    return to;
}

static uint8_t *put_chunk(uint8_t *to, const char *type, const void *data, size_t size)
{
    to = put32(to, (uint32_t)size);
    uint8_t *begin = to;
    memcpy(to, type, 4);
    if (size > 0)
        memcpy(to + 4, data, size);
    to += 4 + size;
    return put32(to, (uint32_t)crc32(0, begin, (uInt)(4 + size)));
}

static size_t encode(const uint8_t *pixels, uint8_t png[4096])
{
    static const uint8_t signature[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};
    uint8_t rows[SIDE * (SIDE + 1)], packed[2048], header[13] = {0};
    uLongf size = sizeof packed;
    for (int y = 0; y < SIDE; y++) {
        const uint8_t *row = pixels + y * SIDE, *above = y > 0 ? row - SIDE : NULL;
        uint8_t *to = rows + y * (SIDE + 1);
        int best = 0, least = INT32_MAX;
        for (int filter = 0; filter < 5; filter++) {
            const int sum = filter_row(filter, row, above, to);
            if (sum < least) {
                least = sum;
                best = filter;
            }
        }
        filter_row(best, row, above, to);
    }
    if (compress2(packed, &size, rows, sizeof rows, 6) != Z_OK)
        fail("zlib failed");
    put32(header, SIDE);
    put32(header + 4, SIDE);
    header[8] = 8; /* bits; the colour type is 0, grey */
    memcpy(png, signature, sizeof signature);
    uint8_t *end = put_chunk(png + 8, "IHDR", header, sizeof header);
    end = put_chunk(end, "IDAT", packed, size);
    end = put_chunk(end, "IEND", NULL, 0);
    return (size_t)(end - png);
}

static pod_bytes make_record(pod_context *context, const uint8_t *pixels, int64_t label)
{
    uint8_t png[4096];
    const pod_bytes image = {.data = png, .size = encode(pixels, png)};
    const pod_feature features[] = {{.name = {"image", 5}, .kind = POD_FEATURE_BYTES, .count = 1, .bytes = &image},
                                    {.name = {"label", 5}, .kind = POD_FEATURE_INT64, .count = 1, .integers = &label}};
    const pod_example example = {.count = 2, .features = features};
    pod_bytes encoded;
    pod_error error;
    if (pod_example_encode(context, &example, &encoded, &error) != POD_OK)
        fail(error.message);
    return encoded;
}

int main(int count, char **arguments)
{
    pod_context *context;
    pod_buffer *images, *labels;
    pod_record_writer *writer;
    pod_error error;
    const long records = count == 3 ? atol(arguments[2]) : 0;
    if (records < 1)
        fail("usage: make_pictures FILE COUNT");
    if (pod_context_new(NULL, &context, &error) != POD_OK ||
        pod_idx_read(context, FOLDER "train-images-idx3-ubyte.gz", &images, &error) != POD_OK ||
        pod_idx_read(context, FOLDER "train-labels-idx1-ubyte.gz", &labels, &error) != POD_OK ||
        pod_record_writer_open(context, arguments[1], "none", &writer, &error) != POD_OK)
        fail(error.message);
    const long pictures = (long)pod_buffer_shape(images)->dims[0];
    const uint8_t *pixels = pod_buffer_data(images), *classes = pod_buffer_data(labels);
    pod_bytes *made = calloc((size_t)pictures, sizeof *made);
    if (made == NULL)
        fail("no memory");
    for (long i = 0; i < records; i++) {
        pod_bytes *record = &made[i % pictures];
        if (record->data == NULL)
            *record = make_record(context, pixels + i % pictures * SIDE * SIDE, classes[i % pictures]);
        if (pod_record_writer_write(writer, record->data, record->size, &error) != POD_OK)
            fail(error.message);
    }
    for (long i = 0; i < pictures; i++)
        pod_bytes_free(context, &made[i]);
    free(made);
    if (pod_record_writer_close(writer, &error) != POD_OK)
        fail(error.message);
    pod_buffer_release(images);
    pod_buffer_release(labels);
    pod_context_release(context);
    return 0;
}
