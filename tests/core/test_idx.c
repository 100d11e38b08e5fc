/* IDX files, plain and through gzip: what is read, and what is refused. */

#include "data_cases.h"

#include <unistd.h>
#include <zlib.h>

#include "moonpod/formats.h"
#include "test_path.h"

static pod_context *context;
static char path[64];

static void write_file(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ASSERT(file != NULL && fwrite(bytes, 1, size, file) == size);
    ASSERT_EQ(0, fclose(file));
}

static void write_gzip(const char *mode, const void *bytes, size_t size)
{
    gzFile file = gzopen(path, mode);
    ASSERT(file != NULL && gzwrite(file, bytes, (unsigned)size) == (int)size);
    ASSERT_EQ(Z_OK, gzclose(file));
}

static const unsigned char small[] = {0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6};

TEST(bytes_are_read_as_they_stand)
{
    pod_buffer *array;
    pod_error error;
    for (int packed = 0; packed < 2; packed++) {
        if (packed)
            write_gzip("wb", small, sizeof small);
        else
            write_file(small, sizeof small);
        ASSERT_OK(pod_idx_read(context, path, &array, &error));
        ASSERT_EQ(POD_U8, pod_buffer_dtype(array));
        ASSERT(pod_shape_equal(&(pod_shape){2, {2, 3}}, pod_buffer_shape(array)));
        ASSERT_EQ(0, memcmp(small + 12, pod_buffer_data(array), 6));
        pod_buffer_release(array);
    }
}

TEST(wider_elements_are_big_endian)
{
    static const unsigned char shorts[] = {0, 0, 0x0b, 1, 0, 0, 0, 2, 0xff, 0xfe, 0x01, 0x02};
    static const unsigned char doubles[] = {0, 0, 0x0e, 1, 0, 0, 0, 1, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0};
    pod_buffer *array;
    pod_error error;
    write_file(shorts, sizeof shorts);
    ASSERT_OK(pod_idx_read(context, path, &array, &error));
    ASSERT_EQ(POD_S16, pod_buffer_dtype(array));
    ASSERT_EQ(-2, ((int16_t *)pod_buffer_data(array))[0]);
    ASSERT_EQ(258, ((int16_t *)pod_buffer_data(array))[1]);
    pod_buffer_release(array);
    write_file(doubles, sizeof doubles);
    ASSERT_OK(pod_idx_read(context, path, &array, &error));
    ASSERT_NUMBER(1.5, *(double *)pod_buffer_data(array));
    pod_buffer_release(array);
}

TEST(members_of_a_gzip_file_are_joined)
{
    pod_buffer *array;
    pod_error error;
    write_gzip("wb", small, 7);
    write_gzip("ab", small + 7, sizeof small - 7);
    ASSERT_OK(pod_idx_read(context, path, &array, &error));
    ASSERT_EQ(0, memcmp(small + 12, pod_buffer_data(array), 6));
    pod_buffer_release(array);
}

static void expect_refusal(const char *part)
{
    pod_buffer *array = NULL;
    pod_error error;
    const uint64_t before = pod_context_memory(context).current_bytes;
    const pod_status status = pod_idx_read(context, path, &array, &error);
    if (status != POD_ERROR_FORMAT || !strstr(error.message, part) || !strstr(error.message, path))
        FAIL("expected \"%s\", got %s \"%s\"", part, pod_status_name(status), status < 0 ? error.message : "");
    ASSERT(array == NULL);
    ASSERT_EQ(before, pod_context_memory(context).current_bytes);
}

TEST(a_truncated_file_is_named_with_its_offset)
{
    for (size_t size = 0; size < sizeof small; size++) {
        write_file(small, size);
        expect_refusal(size < 12 ? "offset" : "offset 12");
    }
}

TEST(a_truncated_or_damaged_gzip_file_is_named_with_its_offset)
{
    unsigned char packed[256];
    write_gzip("wb", small, sizeof small);
    FILE *file = fopen(path, "rb");
    const size_t size = fread(packed, 1, sizeof packed, file);
    fclose(file);
    for (size_t cut = 2; cut < size; cut++) {
        write_file(packed, cut);
        expect_refusal("offset");
    }
    packed[size - 6] ^= 1; /* the checksum */
    write_file(packed, size);
    expect_refusal("damaged near offset");
}

TEST(data_behind_the_array_is_refused)
{
    unsigned char more[sizeof small + 1] = {0};
    memcpy(more, small, sizeof small);
    write_file(more, sizeof more);
    expect_refusal("ends at offset 18, but the data goes on");
    write_gzip("wb", more, sizeof more);
    expect_refusal("ends at offset 18, but the data goes on");
}

TEST(other_files_are_refused)
{
    static const unsigned char no_type[] = {0, 0, 7, 1, 0, 0, 0, 0};
    static const unsigned char no_axes[] = {0, 0, 8, 0};
    static const unsigned char many_axes[64] = {0, 0, 8, 9};
    write_file(no_type, sizeof no_type);
    expect_refusal("is no IDX file: it begins with 00 00 07 01");
    write_file(no_axes, sizeof no_axes);
    expect_refusal("is no IDX file");
    write_file(many_axes, sizeof many_axes);
    expect_refusal("is no IDX file");
}

TEST(a_hostile_header_takes_no_memory)
{
    static const unsigned char huge[] = {0,    0,    8,    3,    0x7f, 0xff, 0xff, 0xff,
                                         0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff};
    static unsigned char large[400000] = {0, 0, 8, 1, 0x18, 0, 0, 0};
    const uint64_t before = pod_context_memory(context).peak_bytes;
    write_file(huge, sizeof huge);
    expect_refusal("is truncated");
    write_gzip("wb", huge, sizeof huge);
    expect_refusal("is truncated");
    uint32_t state = 1;
    for (size_t i = 8; i < sizeof large; i++) { /* does not compress: 400 MB could hide in it */
        state = state * 1664525 + 1013904223;
        large[i] = (unsigned char)(state >> 24);
    }
    write_gzip("wb", large, sizeof large);
    expect_refusal("= 402653184 bytes, but the file has 399992");
    ASSERT(pod_context_memory(context).peak_bytes - before < (1 << 20));
}

TEST(a_missing_file_is_not_found)
{
    pod_buffer *array;
    pod_error error;
    unlink(path);
    ASSERT_FAILS(POD_ERROR_NOT_FOUND, path, pod_idx_read(context, path, &array, &error));
    ASSERT_FAILS(POD_ERROR_IO, "is a directory", pod_idx_read(context, "/", &array, &error));
}

static pod_status read_small(pod_context *poor, pod_error *error)
{
    pod_buffer *array;
    const pod_status status = pod_idx_read(poor, path, &array, error);
    pod_buffer_release(array);
    return status;
}

TEST(every_allocation_may_fail_without_a_leak)
{
    write_file(small, sizeof small);
    every_allocation_may_fail(read_small);
    write_gzip("wb", small, sizeof small);
    every_allocation_may_fail(read_small);
}

TEST_MAIN(context = test_context(NULL); test_path(path, sizeof path, "idx"); RUN(bytes_are_read_as_they_stand);
          RUN(wider_elements_are_big_endian); RUN(members_of_a_gzip_file_are_joined);
          RUN(a_truncated_file_is_named_with_its_offset);
          RUN(a_truncated_or_damaged_gzip_file_is_named_with_its_offset); RUN(data_behind_the_array_is_refused);
          RUN(other_files_are_refused); RUN(a_hostile_header_takes_no_memory); RUN(a_missing_file_is_not_found);
          RUN(every_allocation_may_fail_without_a_leak); unlink(path); pod_context_release(context))
