/* Pictures: what hostile bytes cannot do. What good ones become is compared with TensorFlow by
 * tests/lua/image_golden_spec.lua. */

#include "file_cases.h"

#include <zlib.h>

#include "formats/picture.h"
#include "image_cases.h"
#include "moonpod/data.h"

#define MOST 1024

static pod_context *context;

/* Decodes bytes into a buffer that is released again. */
static pod_status try_decode(pod_image_decoder *decoder, const unsigned char *bytes, size_t size,
                             const pod_image_options *options, pod_error *error)
{
    pod_image_type type;
    pod_buffer *buffer;
    pod_status status = pod_image_describe(decoder, bytes, size, options, &type, error);
    if (status == POD_OK)
        status = pod_buffer_new(context, type.dtype, &type.shape, &buffer, error);
    if (status != POD_OK)
        return status;
    status = pod_image_decode(decoder, bytes, size, options, &type, pod_buffer_data(buffer), error);
    pod_buffer_release(buffer);
    return status;
}

static pod_image_decoder *new_decoder(void)
{
    pod_image_decoder *decoder = NULL;
    pod_error error;
    ASSERT_OK(pod_image_decoder_new(context, &decoder, &error));
    return decoder;
}

static size_t case_bytes(const char *name, unsigned char *bytes)
{
    for (size_t i = 0; i < IMAGE_CASES; i++)
        if (strcmp(name, image_cases[i].name) == 0)
            return from_hex(image_cases[i].hex, bytes);
    FAIL("there is no picture '%s'", name);
}

TEST(every_byte_may_be_damaged)
{
    for (size_t i = 0; i < IMAGE_CASES; i++) {
        unsigned char bytes[MOST], damaged[MOST];
        pod_image_decoder *decoder = new_decoder();
        pod_error error;
        const size_t size = from_hex(image_cases[i].hex, bytes);
        ASSERT_OK(try_decode(decoder, bytes, size, NULL, &error));
        for (size_t at = 0; at < size; at++)
            for (unsigned flip = 1; flip < 256; flip <<= 1) {
                memcpy(damaged, bytes, size);
                damaged[at] ^= (unsigned char)flip;
                error.message[0] = '\0';
                const pod_status status = try_decode(decoder, damaged, size, NULL, &error);
                ASSERT(status == POD_OK || error.message[0] != '\0');
            }
        pod_image_decoder_free(decoder);
    }
}

TEST(a_png_notices_every_flipped_bit_of_what_it_needs)
{
    unsigned char bytes[MOST], damaged[MOST];
    pod_image_decoder *decoder = new_decoder();
    pod_error error;
    const size_t size = case_bytes("png_grey", bytes);
    const size_t text = 8 + 25, text_size = 12 + 12; /* the comment has no bearing */
    for (size_t at = 0; at < size - 12; at++) {
        if (at >= text && at < text + text_size)
            continue;
        memcpy(damaged, bytes, size);
        damaged[at] ^= 1;
        ASSERT_EQ(POD_ERROR_FORMAT, try_decode(decoder, damaged, size, NULL, &error));
    }
    pod_image_decoder_free(decoder);
}

TEST(pictures_may_be_cut_anywhere)
{
    for (size_t i = 0; i < IMAGE_CASES; i++) {
        unsigned char bytes[MOST];
        pod_image_decoder *decoder = new_decoder();
        pod_error error;
        const size_t size = from_hex(image_cases[i].hex, bytes);
        for (size_t cut = 0; cut + 14 < size; cut++)
            ASSERT_EQ(POD_ERROR_FORMAT, try_decode(decoder, bytes, cut, NULL, &error));
        pod_image_decoder_free(decoder);
    }
}

/* libjpeg-turbo takes such a file for good and says nothing of a width. */
TEST(a_jpeg_of_tables_alone_is_no_picture)
{
    pod_image_decoder *decoder = new_decoder();
    pod_error error;
    for (int i = 0; i < 2; i++)
        ASSERT_FAILS(POD_ERROR_FORMAT, "no picture in the file",
                     try_decode(decoder, (const unsigned char *)"\xff\xd8\xff\xd9", (size_t)(4 - i), NULL, &error));
    pod_image_decoder_free(decoder);
}

/* Puts another number into a PNG's header, and the checksum that belongs to it. */
static void change_header(unsigned char *png, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        png[16 + at + (size_t)i] = (unsigned char)(value >> (24 - 8 * i));
    const uint32_t sum = (uint32_t)crc32(0, png + 12, 17);
    for (int i = 0; i < 4; i++)
        png[29 + i] = (unsigned char)(sum >> (24 - 8 * i));
}

TEST(sizes_that_a_header_claims_are_not_believed)
{
    static const struct {
        uint32_t width, height;
        const char *message;
    } claims[] = {
        {0, 6, "no pixels"},
        {8, 0x80000000u, "too large"},
        {0x7fffffff, 0x7fffffff, "are allowed (max_pixels)"},
        {8000, 8000, "claims more pixels than the data can hold"},
        {8, 7, "fewer pixels than the header says"},
        {8, 5, "more pixels than the header says"},
    };
    unsigned char bytes[MOST];
    pod_error error;
    const size_t size = case_bytes("png_rgb", bytes);
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        pod_context *own;
        pod_image_decoder *decoder;
        pod_image_type type = {POD_U8, {3, {claims[i].height, claims[i].width, 3}}};
        ASSERT_OK(pod_context_new(NULL, &own, &error));
        ASSERT_OK(pod_image_decoder_new(own, &decoder, &error));
        change_header(bytes, 0, claims[i].width);
        change_header(bytes, 4, claims[i].height);
        unsigned char pixels[8 * 7 * 3];
        ASSERT_EQ(POD_ERROR_FORMAT, pod_image_decode(decoder, bytes, size, NULL, &type, pixels, &error));
        ASSERT_CONTAINS(claims[i].message, error.message);
        ASSERT(pod_context_memory(own).peak_bytes < 65536);
        pod_image_decoder_free(decoder);
        pod_context_release(own);
    }
}

TEST(sizes_that_a_jpeg_claims_are_not_believed)
{
    unsigned char bytes[MOST];
    pod_image_decoder *decoder = new_decoder();
    pod_error error;
    const size_t size = case_bytes("jpeg_grey", bytes);
    size_t frame = 0;
    while (bytes[frame] != 0xff || bytes[frame + 1] != 0xc0)
        frame++;
    memcpy(bytes + frame + 5, "\x1f\x40\x1f\x40", 4);
    ASSERT_EQ(POD_ERROR_FORMAT, try_decode(decoder, bytes, size, NULL, &error));
    ASSERT_CONTAINS("claims 8000x8000 pixels", error.message);
    memcpy(bytes + frame + 5, "\xff\xff\xff\xff", 4);
    ASSERT_EQ(POD_ERROR_FORMAT, try_decode(decoder, bytes, size, NULL, &error));
    pod_image_decoder_free(decoder);
}

/* TurboJPEG has memory of its own, which counts: three bytes a pixel of this one, which comes in scans. */
TEST(memory_of_another_library_counts)
{
    unsigned char bytes[MOST];
    const size_t size = case_bytes("jpeg_progressive", bytes);
    size_t frame = 0;
    while (bytes[frame] != 0xff || bytes[frame + 1] != 0xc2)
        frame++;
    memcpy(bytes + frame + 5, "\x01\x00\x01\x00", 4); /* 256x256, most of them not there */
    for (uint64_t most = 1 << 20; most >= 1 << 18; most /= 4) {
        pod_context *own;
        pod_image_decoder *decoder;
        pod_image_type type;
        pod_error error;
        const pod_context_options options = {.memory_limit = most, .threads = 1};
        static unsigned char pixels[256 * 256 * 3];
        ASSERT_OK(pod_context_new(&options, &own, &error));
        ASSERT_OK(pod_image_decoder_new(own, &decoder, &error));
        ASSERT_OK(pod_image_describe(decoder, bytes, size, NULL, &type, &error));
        const uint64_t before = pod_context_memory(own).current_bytes;
        ASSERT_EQ(most < 1 << 20 ? POD_ERROR_MEMORY : POD_ERROR_FORMAT,
                  pod_image_decode(decoder, bytes, size, NULL, &type, pixels, &error));
        ASSERT(most < 1 << 20 || pod_context_memory(own).peak_bytes >= before + 3 * 256 * 256);
        ASSERT_EQ(before, pod_context_memory(own).current_bytes);
        pod_image_decoder_free(decoder);
        pod_context_release(own);
    }
}

TEST(messages_tell_the_offset)
{
    unsigned char bytes[MOST];
    pod_image_decoder *decoder = new_decoder();
    pod_error error;
    const size_t size = case_bytes("png_grey", bytes);
    bytes[size - 12 - 6] ^= 1; /* in the last piece of pixels */
    ASSERT_EQ(POD_ERROR_FORMAT, try_decode(decoder, bytes, size, NULL, &error));
    ASSERT_CONTAINS("PNG, offset 57: the checksum of a chunk differs", error.message);
    pod_image_decoder_free(decoder);
}

TEST(other_formats_are_refused)
{
    pod_image_decoder *decoder = new_decoder();
    pod_error error;
    unsigned char bytes[MOST];
    const pod_image_options only_jpeg = {.format = POD_IMAGE_JPEG};
    ASSERT_EQ(POD_ERROR_FORMAT, try_decode(decoder, (const unsigned char *)"GIF89a", 6, NULL, &error));
    ASSERT_CONTAINS("a picture of PNG or JPEG is expected, but the bytes do not begin like one", error.message);
    ASSERT_EQ(POD_ERROR_FORMAT, try_decode(decoder, bytes, 0, NULL, &error));
    ASSERT_CONTAINS("there are no bytes", error.message);
    const size_t size = case_bytes("png_rgb", bytes);
    ASSERT_EQ(POD_ERROR_FORMAT, try_decode(decoder, bytes, size, &only_jpeg, &error));
    ASSERT_CONTAINS("a JPEG is expected, but this is a PNG", error.message);
    pod_image_decoder_free(decoder);
}

TEST(options_that_make_no_sense_are_refused)
{
    static const pod_image_options wrong[] = {
        {.channels = 2},   {.channels = -1},           {.dtype = POD_S32},
        {.height = 5},     {.width = -1, .height = 4}, {.height = 1 << 20, .width = 1 << 20},
        {.max_pixels = -1}};
    pod_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ASSERT(pod_format_image_check_options(&wrong[i], &error) < 0);
    ASSERT_OK(pod_format_image_check_options(NULL, &error));
    pod_image_decoder *decoder = new_decoder();
    unsigned char bytes[MOST], pixels[4];
    const size_t size = case_bytes("png_rgb", bytes);
    const pod_image_type other = {POD_U8, {3, {2, 2, 1}}};
    ASSERT_EQ(POD_ERROR_SHAPE, pod_image_decode(decoder, bytes, size, NULL, &other, pixels, &error));
    ASSERT_CONTAINS("becomes uint8 (6, 8, 3), but uint8 (2, 2, 1) is expected", error.message);
    pod_image_decoder_free(decoder);
}

TEST(a_decoder_keeps_its_memory)
{
    unsigned char bytes[MOST], pixels[8 * 6 * 3];
    pod_image_decoder *decoder = new_decoder();
    pod_error error;
    pod_image_type type;
    const size_t size = case_bytes("png_rgb", bytes);
    ASSERT_OK(pod_image_describe(decoder, bytes, size, NULL, &type, &error));
    ASSERT_OK(pod_image_decode(decoder, bytes, size, NULL, &type, pixels, &error));
    const uint64_t before = pod_context_memory(context).allocations;
    for (int i = 0; i < 10; i++)
        ASSERT_OK(pod_image_decode(decoder, bytes, size, NULL, &type, pixels, &error));
    ASSERT_EQ(before, pod_context_memory(context).allocations);
    pod_image_decoder_free(decoder);
}

/* ---- stages ---- */

/* Texts that are examples with a picture; number `damaged` has one bit too many. */
static pod_dataset *examples(size_t count, size_t damaged)
{
    const char *texts[64];
    size_t sizes[64];
    pod_bytes encoded[64];
    unsigned char bytes[MOST];
    pod_dataset *dataset = NULL;
    pod_error error;
    const size_t size = case_bytes("png_rgb", bytes);
    for (size_t i = 0; i < count; i++) {
        const int64_t label = (int64_t)i;
        bytes[60] ^= i == damaged;
        const pod_bytes picture = {bytes, size};
        const pod_feature features[] = {
            {{"image", 5}, POD_FEATURE_BYTES, 1, &picture, NULL, NULL},
            {{"label", 5}, POD_FEATURE_INT64, 1, NULL, NULL, &label},
        };
        ASSERT_OK(pod_example_encode(context, &(pod_example){2, features, NULL}, &encoded[i], &error));
        bytes[60] ^= i == damaged;
        texts[i] = encoded[i].data;
        sizes[i] = encoded[i].size;
    }
    ASSERT_OK(pod_dataset_from_texts(context, texts, sizes, count, &dataset, &error));
    for (size_t i = 0; i < count; i++)
        pod_bytes_free(context, &encoded[i]);
    return dataset;
}

static pod_dataset *parsed(pod_dataset *input, int64_t threads)
{
    const pod_image_options image = {.format = POD_IMAGE_PNG};
    const pod_feature_spec specs[] = {{.name = "image", .dtype = POD_U8, .shape = {3, {6, 8, 3}}, .image = &image},
                                      {.name = "label", .dtype = POD_S64}};
    pod_dataset *alone = NULL, *dataset = NULL;
    pod_error error;
    ASSERT_OK(pod_dataset_parse_examples(input, specs, 2, &alone, &error));
    ASSERT_OK(pod_dataset_parallel(alone, &(pod_parallel_options){.threads = threads}, &dataset, &error));
    pod_dataset_release(input);
    pod_dataset_release(alone);
    return dataset;
}

/* Takes all elements, in order; returns how many there are, and how it ended. */
static int64_t walk(pod_dataset *dataset, pod_status *status, pod_error *last)
{
    pod_error error;
    pod_dataset_iterator *iterator = NULL;
    pod_buffer *parts[2];
    unsigned char bytes[MOST], pixels[8 * 6 * 3];
    pod_image_decoder *decoder = new_decoder();
    const pod_image_type type = {POD_U8, {3, {6, 8, 3}}};
    const size_t size = case_bytes("png_rgb", bytes);
    int64_t count = 0;
    ASSERT_OK(pod_image_decode(decoder, bytes, size, NULL, &type, pixels, &error));
    ASSERT_OK(pod_dataset_iterator_open(dataset, NULL, &iterator, &error));
    while ((*status = pod_dataset_iterator_next(iterator, parts, last)) == POD_OK) {
        ASSERT(memcmp(pixels, pod_buffer_data(parts[0]), sizeof pixels) == 0);
        ASSERT_EQ(count, *(const int64_t *)pod_buffer_data(parts[1]));
        pod_buffer_release(parts[0]);
        pod_buffer_release(parts[1]);
        count++;
    }
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    pod_image_decoder_free(decoder);
    return count;
}

TEST(examples_hold_pictures)
{
    for (int64_t threads = 1; threads <= 3; threads += 2) {
        pod_status status;
        pod_error error;
        ASSERT_EQ(60, walk(parsed(examples(60, 64), threads), &status, &error));
        ASSERT_EQ(POD_END, status);
    }
}

TEST(a_damaged_picture_is_told_by_its_element)
{
    for (int64_t threads = 1; threads <= 3; threads += 2) {
        pod_status status;
        pod_error error;
        ASSERT_EQ(17, walk(parsed(examples(60, 17), threads), &status, &error));
        ASSERT_EQ(POD_ERROR_FORMAT, status);
        ASSERT_CONTAINS("parse_example, element 17: feature 'image': PNG, offset 57: ", error.message);
    }
}

TEST(files_are_read_and_decoded)
{
    unsigned char bytes[MOST];
    pod_dataset *names = NULL, *dataset = NULL;
    pod_dataset_iterator *iterator = NULL;
    pod_buffer *parts[2];
    pod_error error;
    const char *paths[] = {path, "/nowhere/at/all.png"};
    const pod_image_options image = {.height = 3, .width = 4, .channels = 1};
    const pod_decode_output outputs[] = {{.component = 0, .is_path = true, .image = &image, .shape = {3, {3, 4, 1}}},
                                         {.component = 0}};
    write_file(bytes, case_bytes("png_rgb", bytes));
    ASSERT_OK(pod_dataset_from_texts(context, paths, NULL, 2, &names, &error));
    ASSERT_OK(pod_dataset_decode(names, outputs, 2, &dataset, &error));
    ASSERT_OK(pod_dataset_iterator_open(dataset, NULL, &iterator, &error));
    ASSERT_OK(pod_dataset_iterator_next(iterator, parts, &error));
    ASSERT_EQ(POD_F32, pod_buffer_dtype(parts[0]));
    ASSERT_EQ(12, pod_shape_elements(pod_buffer_shape(parts[0])));
    ASSERT_EQ(strlen(path), pod_buffer_bytes(parts[1]));
    pod_buffer_release(parts[0]);
    pod_buffer_release(parts[1]);
    ASSERT(pod_dataset_iterator_next(iterator, parts, &error) < 0);
    ASSERT_CONTAINS("decode, element 1: ", error.message);
    ASSERT_CONTAINS("/nowhere/at/all.png", error.message);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    write_file("GIF", 3);
    ASSERT_OK(pod_dataset_decode(names, outputs, 1, &dataset, &error));
    ASSERT_OK(pod_dataset_iterator_open(dataset, NULL, &iterator, &error));
    ASSERT_EQ(POD_ERROR_FORMAT, pod_dataset_iterator_next(iterator, parts, &error));
    ASSERT_CONTAINS(path, error.message);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
    pod_dataset_release(names);
    remove(path);
}

TEST(announcements_that_cannot_be_are_refused)
{
    const pod_image_options grey = {.channels = 1};
    pod_dataset *numbers = NULL, *dataset = NULL, *texts = examples(1, 1);
    pod_error error;
    pod_decode_output output = {.component = 0, .image = &grey, .shape = {3, {4, 4, 3}}};
    ASSERT_EQ(POD_ERROR_SHAPE, pod_dataset_decode(texts, &output, 1, &dataset, &error));
    output.shape = (pod_shape){2, {4, 4}};
    ASSERT_EQ(POD_ERROR_SHAPE, pod_dataset_decode(texts, &output, 1, &dataset, &error));
    output.component = 1;
    ASSERT_EQ(POD_ERROR_ARGUMENT, pod_dataset_decode(texts, &output, 1, &dataset, &error));
    ASSERT_OK(pod_dataset_range(context, 0, 3, 1, &numbers, &error));
    output.component = 0;
    ASSERT_EQ(POD_ERROR_DTYPE, pod_dataset_decode(numbers, &output, 1, &dataset, &error));
    pod_dataset_release(numbers);
    pod_dataset_release(texts);
}

static unsigned char fed[MOST];
static size_t fed_size;

/* Describes and decodes what was fed with an own context. */
static pod_status decode_resized(pod_context *own, pod_error *error)
{
    const pod_image_options options = {.height = 5, .width = 3};
    pod_image_decoder *decoder;
    pod_image_type type;
    float pixels[5 * 3 * 4];
    pod_status status = pod_image_decoder_new(own, &decoder, error);
    if (status != POD_OK)
        return status;
    status = pod_image_describe(decoder, fed, fed_size, &options, &type, error);
    if (status == POD_OK)
        status = pod_image_decode(decoder, fed, fed_size, &options, &type, pixels, error);
    pod_image_decoder_free(decoder);
    return status;
}

TEST(every_allocation_may_fail_without_a_leak)
{
    for (size_t i = 0; i < IMAGE_CASES; i++) {
        fed_size = from_hex(image_cases[i].hex, fed);
        every_allocation_may_fail(decode_resized);
    }
}

/* Takes all elements of pictures that are parsed, and of files that are decoded. */
static pod_status take_all(pod_dataset *dataset, pod_error *error)
{
    const pod_iterator_options options = {.no_threads = true};
    pod_dataset_iterator *iterator;
    pod_buffer *parts[2];
    pod_status status = pod_dataset_iterator_open(dataset, &options, &iterator, error);
    if (status != POD_OK)
        return status;
    while ((status = pod_dataset_iterator_next(iterator, parts, error)) == POD_OK) {
        pod_buffer_release(parts[0]);
        pod_buffer_release(parts[1]);
    }
    pod_dataset_iterator_close(iterator);
    return status == POD_END ? POD_OK : status;
}

static pod_status take_parsed(pod_context *own, pod_error *error)
{
    const pod_image_options image = {.channels = 3};
    const int64_t label = 3;
    const pod_bytes picture = {fed, fed_size};
    const pod_feature features[] = {{{"image", 5}, POD_FEATURE_BYTES, 1, &picture, NULL, NULL},
                                    {{"label", 5}, POD_FEATURE_INT64, 1, NULL, NULL, &label}};
    const pod_feature_spec specs[] = {{.name = "image", .dtype = POD_U8, .shape = {3, {-1, -1, 3}}, .image = &image},
                                      {.name = "label", .dtype = POD_S64}};
    pod_bytes encoded;
    pod_dataset *texts = NULL, *dataset = NULL;
    pod_status status = pod_example_encode(own, &(pod_example){2, features, NULL}, &encoded, error);
    if (status != POD_OK)
        return status;
    const char *const list[] = {encoded.data, encoded.data};
    const size_t sizes[] = {encoded.size, encoded.size};
    status = pod_dataset_from_texts(own, list, sizes, 2, &texts, error);
    if (status == POD_OK)
        status = pod_dataset_parse_examples(texts, specs, 2, &dataset, error);
    if (status == POD_OK)
        status = take_all(dataset, error);
    pod_bytes_free(own, &encoded);
    pod_dataset_release(dataset);
    pod_dataset_release(texts);
    return status;
}

static pod_status take_files(pod_context *own, pod_error *error)
{
    const pod_image_options image = {.height = 3, .width = 4, .channels = 1};
    const pod_decode_output outputs[] = {{.component = 0, .is_path = true, .image = &image, .shape = {3, {3, 4, 1}}},
                                         {.component = 0, .is_path = true}};
    const char *const paths[] = {path, path};
    pod_dataset *names = NULL, *dataset = NULL;
    pod_status status = pod_dataset_from_texts(own, paths, NULL, 2, &names, error);
    if (status == POD_OK)
        status = pod_dataset_decode(names, outputs, 2, &dataset, error);
    if (status == POD_OK)
        status = take_all(dataset, error);
    pod_dataset_release(dataset);
    pod_dataset_release(names);
    return status;
}

TEST(every_allocation_of_stages_may_fail_without_a_leak)
{
    fed_size = case_bytes("png_palette", fed);
    every_allocation_may_fail(take_parsed);
    write_file(fed, fed_size);
    every_allocation_may_fail(take_files);
    remove(path);
}

TEST_MAIN(context = test_context(NULL); choose_path("image"); RUN(every_byte_may_be_damaged);
          RUN(a_png_notices_every_flipped_bit_of_what_it_needs); RUN(pictures_may_be_cut_anywhere);
          RUN(a_jpeg_of_tables_alone_is_no_picture); RUN(sizes_that_a_header_claims_are_not_believed);
          RUN(sizes_that_a_jpeg_claims_are_not_believed); RUN(memory_of_another_library_counts);
          RUN(messages_tell_the_offset); RUN(other_formats_are_refused); RUN(options_that_make_no_sense_are_refused);
          RUN(a_decoder_keeps_its_memory); RUN(examples_hold_pictures); RUN(a_damaged_picture_is_told_by_its_element);
          RUN(files_are_read_and_decoded); RUN(announcements_that_cannot_be_are_refused);
          RUN(every_allocation_may_fail_without_a_leak); RUN(every_allocation_of_stages_may_fail_without_a_leak);
          pod_context_release(context))
