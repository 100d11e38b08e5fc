/* PNG: pictures put together chunk by chunk, of every kind of pixel, and what is refused of them. What the large ones
 * of other programs become is compared with TensorFlow by tests/lua/image_golden_spec.lua. */

#include <string.h>
#include <zlib.h>

#include "test.h"

#include "moonpod/image.h"

static pod_context *context;

/* A picture in the making. */
typedef struct png {
    unsigned char bytes[1024];
    size_t size;
} png;

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void add_chunk(png *p, const char *kind, const void *data, size_t size)
{
    unsigned char *at = p->bytes + p->size;
    ASSERT(p->size + size + 12 <= sizeof p->bytes);
    put_u32(at, (uint32_t)size);
    memcpy(at + 4, kind, 4);
    memcpy(at + 8, data, size);
    put_u32(at + 8 + size, (uint32_t)crc32(0, at + 4, (unsigned)size + 4));
    p->size += size + 12;
}

/* Begins a picture of one row. */
static png begin(uint32_t width, int depth, int colour)
{
    unsigned char header[13] = {[8] = (unsigned char)depth, [9] = (unsigned char)colour};
    png p = {"\x89PNG\r\n\x1a\n", 8};
    put_u32(header, width);
    put_u32(header + 4, 1);
    add_chunk(&p, "IHDR", header, sizeof header);
    return p;
}

/* Adds the row, its filter first, and the end. */
static void end(png *p, const void *row, size_t size)
{
    unsigned char packed[256];
    unsigned long length = sizeof packed;
    ASSERT_EQ(Z_OK, compress(packed, &length, row, size));
    add_chunk(p, "IDAT", packed, length);
    add_chunk(p, "IEND", "", 0);
}

/* Decodes into `pixels`, which has room for 64 bytes. */
static pod_status decode(const png *p, int32_t channels, pod_dtype dtype, void *pixels, pod_error *error)
{
    const pod_image_options options = {.channels = channels, .dtype = dtype};
    pod_image_decoder *decoder;
    pod_image_type type;
    *error = (pod_error){0};
    ASSERT_EQ(POD_OK, pod_image_decoder_new(context, &decoder, error));
    pod_status status = pod_image_describe(decoder, p->bytes, p->size, &options, &type, error);
    if (status == POD_OK)
        ASSERT((size_t)pod_shape_elements(&type.shape) * pod_dtype_size(type.dtype) <= 64);
    if (status == POD_OK)
        status = pod_image_decode(decoder, p->bytes, p->size, &options, &type, pixels, error);
    pod_image_decoder_free(decoder);
    return status;
}

enum { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGBA = 6 };

TEST(every_kind_of_pixel_becomes_rgba)
{
    static const struct {
        int depth, colour;
        unsigned char row[9];
        size_t size;
        unsigned char rgba[4];
    } cases[] = {
        {1, GREY, {0, 0x80}, 2, {255, 255, 255, 255}}, {2, GREY, {0, 0x40}, 2, {85, 85, 85, 255}},
        {8, GREY, {0, 7}, 2, {7, 7, 7, 255}},          {16, GREY, {0, 7, 200}, 3, {7, 7, 7, 255}},
        {8, RGB, {0, 1, 2, 3}, 4, {1, 2, 3, 255}},     {16, RGB, {0, 1, 9, 2, 9, 3, 9}, 7, {1, 2, 3, 255}},
        {8, GREY_ALPHA, {0, 5, 6}, 3, {5, 5, 5, 6}},   {16, GREY_ALPHA, {0, 5, 9, 6, 9}, 5, {5, 5, 5, 6}},
        {8, RGBA, {0, 1, 2, 3, 4}, 5, {1, 2, 3, 4}},   {16, RGBA, {0, 1, 9, 2, 9, 3, 9, 4, 9}, 9, {1, 2, 3, 4}},
    };
    unsigned char pixels[64];
    pod_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        png p = begin(1, cases[i].depth, cases[i].colour);
        end(&p, cases[i].row, cases[i].size);
        ASSERT_OK(decode(&p, 4, POD_U8, pixels, &error));
        ASSERT_EQ(0, memcmp(cases[i].rgba, pixels, 4));
    }
}

TEST(pixels_of_16_bits_keep_them)
{
    uint16_t pixels[32];
    pod_error error;
    png p = begin(1, 16, GREY_ALPHA);
    end(&p, "\0\x12\x34\x56\x78", 5);
    ASSERT_OK(decode(&p, 4, POD_U16, pixels, &error));
    ASSERT_EQ(0x1234, pixels[0]);
    ASSERT_EQ(0x1234, pixels[2]);
    ASSERT_EQ(0x5678, pixels[3]);
    p = begin(1, 8, RGB); /* 255 becomes 65535 */
    end(&p, "\0\xff\x01\x00", 4);
    ASSERT_OK(decode(&p, 3, POD_U16, pixels, &error));
    ASSERT_EQ(65535, pixels[0]);
    ASSERT_EQ(257, pixels[1]);
    ASSERT_EQ(0, pixels[2]);
}

/* One value, or one colour, or entries of the palette. */
TEST(what_a_picture_says_is_transparent)
{
    unsigned char pixels[64];
    pod_error error;
    png p = begin(2, 8, GREY);
    add_chunk(&p, "tRNS", "\0\x07", 2);
    end(&p, "\0\x07\x08", 3);
    ASSERT_OK(decode(&p, 4, POD_U8, pixels, &error));
    ASSERT_EQ(0, memcmp("\x07\x07\x07\0\x08\x08\x08\xff", pixels, 8));
    p = begin(2, 8, RGB);
    add_chunk(&p, "tRNS", "\0\1\0\2\0\3", 6);
    end(&p, "\0\1\2\3\1\2\4", 7);
    ASSERT_OK(decode(&p, 4, POD_U8, pixels, &error));
    ASSERT_EQ(0, memcmp("\1\2\3\0\1\2\4\xff", pixels, 8));
    p = begin(2, 1, PALETTE);
    add_chunk(&p, "PLTE", "\1\2\3\4\5\6", 6);
    add_chunk(&p, "tRNS", "\x09", 1);
    end(&p, "\0\x40", 2);
    ASSERT_OK(decode(&p, 4, POD_U8, pixels, &error));
    ASSERT_EQ(0, memcmp("\1\2\3\x09\4\5\6\xff", pixels, 8));
}

TEST(palettes_that_cannot_be_are_refused)
{
    unsigned char pixels[64];
    pod_error error;
    png p = begin(1, 8, PALETTE);
    add_chunk(&p, "PLTE", "\1\2", 2);
    ASSERT_FAILS(POD_ERROR_FORMAT, "the palette has a wrong size", decode(&p, 3, POD_U8, pixels, &error));
    p = begin(1, 8, PALETTE);
    add_chunk(&p, "PLTE", "", 0);
    ASSERT_FAILS(POD_ERROR_FORMAT, "the palette has a wrong size", decode(&p, 3, POD_U8, pixels, &error));
    p = begin(1, 8, PALETTE);
    end(&p, "\0\0", 2);
    ASSERT_FAILS(POD_ERROR_FORMAT, "the palette is missing", decode(&p, 3, POD_U8, pixels, &error));
    p = begin(1, 8, PALETTE);
    add_chunk(&p, "PLTE", "\1\2\3", 3);
    end(&p, "\0\1", 2); /* the second of one colour */
    ASSERT_FAILS(POD_ERROR_FORMAT, "a colour of the palette, that does not exist",
                 decode(&p, 3, POD_U8, pixels, &error));
}

TEST(transparency_that_cannot_be_is_refused)
{
    static const struct {
        int colour;
        size_t size;
    } cases[] = {{GREY, 6}, {RGB, 2}, {GREY_ALPHA, 2}, {RGBA, 6}, {PALETTE, 2}};
    unsigned char pixels[64];
    pod_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        png p = begin(1, 8, cases[i].colour);
        if (cases[i].colour == PALETTE)
            add_chunk(&p, "PLTE", "\1\2\3", 3);
        add_chunk(&p, "tRNS", "\0\0\0\0\0", cases[i].size);
        end(&p, "\0\0\0\0\0", 5);
        ASSERT_FAILS(POD_ERROR_FORMAT, "the transparency has a wrong size", decode(&p, 4, POD_U8, pixels, &error));
    }
}

TEST(filters_and_chunks_that_do_not_exist_are_refused)
{
    unsigned char pixels[64];
    pod_error error;
    png p = begin(1, 8, GREY); /* copied as it is */
    end(&p, "\5\7", 2);
    ASSERT_FAILS(POD_ERROR_FORMAT, "a row has a filter", decode(&p, 1, POD_U8, pixels, &error));
    ASSERT_FAILS(POD_ERROR_FORMAT, "a row has a filter", decode(&p, 3, POD_U8, pixels, &error));
    p = begin(1, 8, GREY);
    add_chunk(&p, "NEED", "", 0);
    end(&p, "\0\7", 2);
    ASSERT_FAILS(POD_ERROR_FORMAT, "an unknown chunk is needed", decode(&p, 1, POD_U8, pixels, &error));
    p = begin(1, 8, GREY);
    add_chunk(&p, "IEND", "", 0);
    ASSERT_FAILS(POD_ERROR_FORMAT, "the picture has no pixels", decode(&p, 1, POD_U8, pixels, &error));
    p = begin(1, 4, RGB); /* depths of other colours */
    end(&p, "\0\7", 2);
    ASSERT_FAILS(POD_ERROR_FORMAT, "a colour type, depth or method that PNG does not have",
                 decode(&p, 1, POD_U8, pixels, &error));
}

TEST(an_image_that_was_encoded_is_decoded)
{
    pod_error error;
    for (int64_t channels = 1; channels <= 4; channels++) {
        pod_buffer *image = NULL;
        pod_bytes encoded;
        unsigned char pixels[3 * 5 * 4];
        const pod_shape shape = {3, {3, 5, channels}};
        ASSERT_OK(pod_buffer_new(context, POD_U8, &shape, &image, &error));
        unsigned char *from = pod_buffer_data(image);
        for (int64_t i = 0; i < 3 * 5 * channels; i++)
            from[i] = (unsigned char)(i * i + 3 * i);
        ASSERT_OK(pod_image_encode_png(context, image, &encoded, &error));
        png p = {.size = encoded.size};
        ASSERT(encoded.size <= sizeof p.bytes);
        memcpy(p.bytes, encoded.data, encoded.size);
        pod_bytes_free(context, &encoded);
        ASSERT_OK(decode(&p, 0, POD_U8, pixels, &error));
        ASSERT(memcmp(pixels, from, (size_t)(3 * 5 * channels)) == 0);
        pod_buffer_release(image);
    }
    pod_buffer *wrong = NULL;
    pod_bytes encoded;
    ASSERT_OK(pod_buffer_new(context, POD_F32, &(pod_shape){3, {1, 1, 1}}, &wrong, &error));
    ASSERT_FAILS(POD_ERROR_DTYPE, "is uint8, not float32", pod_image_encode_png(context, wrong, &encoded, &error));
    pod_buffer_release(wrong);
    ASSERT_OK(pod_buffer_new(context, POD_U8, &(pod_shape){3, {1, 1, 5}}, &wrong, &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "1 to 4 channels", pod_image_encode_png(context, wrong, &encoded, &error));
    pod_buffer_release(wrong);
}

TEST(pictures_are_encoded_as_jpeg_or_refused)
{
    pod_image_decoder *decoder = NULL;
    pod_buffer *image = NULL;
    pod_bytes encoded;
    pod_error error;
    ASSERT_OK(pod_image_decoder_new(context, &decoder, &error));
    ASSERT_OK(pod_buffer_new(context, POD_U8, &(pod_shape){3, {5, 9, 3}}, &image, &error));
    memset(pod_buffer_data(image), 200, pod_buffer_bytes(image));
    const pod_jpeg_options small = {.quality = 30, .full_colours = true};
    const pod_jpeg_options *const ways[] = {NULL, &small};
    for (int way = 0; way < 2; way++) {
        unsigned char pixels[5 * 9 * 3];
        const pod_image_type type = {POD_U8, {3, {5, 9, 3}}};
        ASSERT_OK(pod_image_encode_jpeg(context, image, ways[way], &encoded, &error));
        ASSERT_OK(pod_image_decode(decoder, encoded.data, encoded.size, NULL, &type, pixels, &error));
        ASSERT_NEAR(200, (double)pixels[0], 0, 2); /* the mean of a block is a multiple of up to 27 / 8 */
        ASSERT_NEAR(200, (double)pixels[5 * 9 * 3 - 1], 0, 2);
        pod_bytes_free(context, &encoded);
    }
    const pod_jpeg_options wrong = {.quality = 101};
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "quality of a JPEG is from 1 to 100, not 101",
                 pod_image_encode_jpeg(context, image, &wrong, &encoded, &error));
    pod_buffer_release(image);
    ASSERT_OK(pod_buffer_new(context, POD_U8, &(pod_shape){3, {5, 9, 4}}, &image, &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "1 or 3 channels", pod_image_encode_jpeg(context, image, NULL, &encoded, &error));
    pod_buffer_release(image);
    pod_image_decoder_free(decoder);
}

TEST_MAIN(context = test_context(NULL); RUN(every_kind_of_pixel_becomes_rgba); RUN(pixels_of_16_bits_keep_them);
          RUN(what_a_picture_says_is_transparent); RUN(palettes_that_cannot_be_are_refused);
          RUN(transparency_that_cannot_be_is_refused); RUN(filters_and_chunks_that_do_not_exist_are_refused);
          RUN(an_image_that_was_encoded_is_decoded); RUN(pictures_are_encoded_as_jpeg_or_refused);
          pod_context_release(context))
