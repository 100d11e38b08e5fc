/* NPY, NPZ and safetensors: golden bytes of the formats' own libraries, damage, hostile files. */

#include "file_cases.h"

#include <zlib.h>

static pod_context *context;

static pod_buffer *counting(pod_dtype dtype, const pod_shape *shape)
{
    pod_buffer *buffer;
    pod_error error;
    ASSERT_OK(pod_buffer_new(context, dtype, shape, &buffer, &error));
    for (int64_t i = 0; i < pod_shape_elements(shape); i++) {
        const double value = (double)i;
        pod_convert(POD_F64, &value, dtype, (char *)pod_buffer_data(buffer) + (size_t)i * pod_dtype_size(dtype), 1);
    }
    return buffer;
}

static bool same_content(const pod_buffer *a, const pod_buffer *b)
{
    return pod_buffer_dtype(a) == pod_buffer_dtype(b) && pod_shape_equal(pod_buffer_shape(a), pod_buffer_shape(b)) &&
           memcmp(pod_buffer_data(a), pod_buffer_data(b), pod_buffer_bytes(a)) == 0;
}

/* ---- npy ---- */

/* Writes a .npy file of version 1 with a header and data as given. */
static void write_npy(const char *header, const void *data, size_t size)
{
    unsigned char bytes[1024] = "\x93NUMPY\x01";
    const size_t length = strlen(header);
    bytes[7] = 0;
    bytes[8] = (unsigned char)length;
    bytes[9] = (unsigned char)(length >> 8);
    memcpy(bytes + 10, header, length);
    memcpy(bytes + 10 + length, data, size);
    write_file(bytes, 10 + length + size);
}

TEST(npy_files_are_those_of_numpy)
{
    unsigned char bytes[256];
    pod_error error;
    pod_buffer *array = counting(POD_S16, &(pod_shape){2, {2, 3}});
    ASSERT_OK(pod_npy_write(context, path, array, &error));
    ASSERT_EQ(128 + 12, read_file(bytes, sizeof bytes));
    ASSERT_EQ(0, memcmp(bytes, "\x93NUMPY\x01\x00\x76\x00", 10));
    ASSERT_EQ(0, memcmp(bytes + 10, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }  ", 61));
    ASSERT_EQ('\n', bytes[127]);
    expect_bytes("000001000200030004000500", bytes + 128, 12);
    pod_buffer_release(array);
}

TEST(npy_arrays_of_all_types_are_read_back)
{
    static const pod_shape shapes[] = {{0, {0}}, {1, {5}}, {3, {2, 3, 4}}, {2, {0, 7}}};
    pod_error error;
    for (int dtype = POD_DTYPE_NONE + 1; dtype < POD_DTYPE_END; dtype++)
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            pod_buffer *array = counting((pod_dtype)dtype, &shapes[i]), *back;
            ASSERT_OK(pod_npy_write(context, path, array, &error));
            ASSERT_OK(pod_npy_read(context, path, &back, &error));
            ASSERT(same_content(array, back));
            pod_buffer_release(array);
            pod_buffer_release(back);
        }
}

TEST(npy_files_of_other_orders_become_row_major)
{
    static const int32_t columns[] = {0, 3, 1, 4, 2, 5};
    static const unsigned char big[] = {0, 1, 0, 2};
    pod_buffer *array, *expected = counting(POD_S32, &(pod_shape){2, {2, 3}});
    pod_error error;
    write_npy("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }\n", columns, sizeof columns);
    ASSERT_OK(pod_npy_read(context, path, &array, &error));
    ASSERT(same_content(expected, array));
    pod_buffer_release(array);
    write_npy("{\"shape\": (2L,), 'fortran_order':False,'descr':'>u2'}", big, sizeof big);
    ASSERT_OK(pod_npy_read(context, path, &array, &error));
    ASSERT_EQ(2, ((uint16_t *)pod_buffer_data(array))[1]);
    pod_buffer_release(array);
    pod_buffer_release(expected);
}

TEST(malformed_npy_files_are_refused)
{
    static const char *const cases[][2] = {
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", "is truncated"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "type '<c8' are not supported"},
        {"{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }", "arrays of records"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "'|O' are not supported"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }", "a size is expected"},
        {"{'descr': '<i4', 'fortran_order': Maybe, 'shape': (1,), }", "True or False"},
        {"{'descr': '<i4', 'fortran_order': False}", "and nothing else"},
        {"{'descr': '<i4', 'descr': '<i4'}", "unknown or there twice"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (1,), } x", "and nothing else"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "too large"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", "is truncated"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", "more than 8 axes"},
        {"", "a dictionary is expected"},
    };
    static const int32_t data[] = {1, 2};
    pod_buffer *array;
    pod_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_npy(cases[i][0], data, sizeof data);
        const pod_status status = pod_npy_read(context, path, &array, &error);
        ASSERT(status == POD_ERROR_FORMAT || status == POD_ERROR_UNSUPPORTED);
        ASSERT_CONTAINS(cases[i][1], error.message);
        ASSERT_CONTAINS(path, error.message);
        ASSERT(array == NULL);
    }
    write_npy("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", data, sizeof data);
    ASSERT_FAILS(POD_ERROR_FORMAT, "but the data goes on", pod_npy_read(context, path, &array, &error));
    write_file("\x93NUMPY\x04\x00", 8);
    ASSERT_FAILS(POD_ERROR_FORMAT, "no npy file of version 1 to 3", pod_npy_read(context, path, &array, &error));
    write_file("\x93NU", 3);
    ASSERT_FAILS(POD_ERROR_FORMAT, "npy header", pod_npy_read(context, path, &array, &error));
}

/* ---- lists ---- */

static pod_named_buffer entries[3];

static pod_buffer_list three_arrays(void)
{
    entries[0] = (pod_named_buffer){(char *)"dense/kernel", counting(POD_F32, &(pod_shape){2, {3, 4}})};
    entries[1] = (pod_named_buffer){(char *)"b", counting(POD_U8, &(pod_shape){1, {3}})};
    entries[2] = (pod_named_buffer){(char *)"a", counting(POD_BF16, &(pod_shape){0})};
    return (pod_buffer_list){.count = 3, .entries = entries};
}

static void release_three(void)
{
    for (int i = 0; i < 3; i++)
        pod_buffer_release(entries[i].buffer);
}

static const pod_buffer *find(const pod_buffer_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->entries[i].name, name) == 0)
            return list->entries[i].buffer;
    FAIL("there is no '%s'", name);
}

TEST(npz_archives_are_read_back_stored_and_deflated)
{
    const pod_buffer_list list = three_arrays();
    pod_buffer_list back;
    pod_error error;
    for (int compress = 0; compress < 2; compress++) {
        ASSERT_OK(pod_npz_write(context, path, &list, compress, &error));
        ASSERT_OK(pod_npz_read(context, path, &back, &error));
        ASSERT_EQ(3, back.count);
        for (int i = 0; i < 3; i++) {
            ASSERT_TEXT(entries[i].name, back.entries[i].name);
            ASSERT(same_content(entries[i].buffer, back.entries[i].buffer));
        }
        pod_buffer_list_clear(&back);
    }
    ASSERT_OK(pod_npz_write(context, path, &(pod_buffer_list){0}, false, &error));
    ASSERT_OK(pod_npz_read(context, path, &back, &error));
    ASSERT_EQ(0, back.count);
    pod_buffer_list_clear(&back);
    release_three();
}

TEST(damage_in_npz_archives_is_found)
{
    unsigned char bytes[4096];
    const pod_buffer_list list = three_arrays();
    pod_buffer_list back;
    pod_error error;
    ASSERT_OK(pod_npz_write(context, path, &list, false, &error));
    const size_t size = read_file(bytes, sizeof bytes);
    for (size_t cut = 0; cut < size; cut += 7) {
        write_file(bytes, cut);
        ASSERT_FAILS(POD_ERROR_FORMAT, path, pod_npz_read(context, path, &back, &error));
        ASSERT_EQ(0, back.count);
    }
    bytes[30 + 16 + 128 + 5] ^= 1; /* an element of the first array */
    write_file(bytes, size);
    ASSERT_FAILS(POD_ERROR_FORMAT, "the checksum of member 'dense/kernel.npy'",
                 pod_npz_read(context, path, &back, &error));
    /* whatever one byte is, reading ends */
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit += 3) {
            bytes[i] ^= (unsigned char)(1 << bit);
            write_file(bytes, size);
            if (pod_npz_read(context, path, &back, &error) == POD_OK)
                pod_buffer_list_clear(&back);
            bytes[i] ^= (unsigned char)(1 << bit);
        }
    release_three();
}

TEST(safetensors_files_are_those_of_its_own_library)
{
    unsigned char bytes[1024];
    static const char *const texts[] = {"format", "pt"};
    pod_buffer_list list = three_arrays(), back;
    pod_error error;
    list.text_count = 1;
    list.texts = (char **)(uintptr_t)texts;
    ASSERT_OK(pod_safetensors_write(context, path, &list, &error));
    static const char header[] = "{\"__metadata__\":{\"format\":\"pt\"},"
                                 "\"dense/kernel\":{\"dtype\":\"F32\",\"shape\":[3,4],\"data_offsets\":[0,48]},"
                                 "\"a\":{\"dtype\":\"BF16\",\"shape\":[],\"data_offsets\":[48,50]},"
                                 "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[50,53]}}";
    const size_t size = read_file(bytes, sizeof bytes), text = sizeof header - 1;
    ASSERT_EQ((text + 7) / 8 * 8, bytes[0] | bytes[1] << 8);
    ASSERT_EQ(8 + (text + 7) / 8 * 8 + 53, size);
    ASSERT_EQ(0, memcmp(header, bytes + 8, text));
    ASSERT_OK(pod_safetensors_read(context, path, &back, &error));
    ASSERT_EQ(3, back.count);
    ASSERT_EQ(1, back.text_count);
    ASSERT_TEXT("pt", back.texts[1]);
    for (int i = 0; i < 3; i++)
        ASSERT(same_content(entries[i].buffer, find(&back, entries[i].name)));
    pod_buffer_list_clear(&back);
    release_three();
}

static void write_safetensors(const char *header, size_t data)
{
    unsigned char bytes[1024] = {0};
    const size_t length = strlen(header);
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)length >> 8 * i);
    memcpy(bytes + 8, header, length);
    write_file(bytes, 8 + length + data);
}

TEST(malformed_safetensors_files_are_refused)
{
    static const struct {
        const char *header;
        size_t data;
        const char *message;
    } cases[] = {
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4, "have another size"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}", 3, "begins at 1"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", 3, "2 bytes of data, but the file has 3"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", 1, "but the file has 1"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
         "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
         2, "'a' is there twice"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},"
         "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}}",
         3, "begins at 1, but that before it ends at 2"},
        {"{\"a\":{\"dtype\":\"F8_E4M3\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
         "'F8_E4M3', which are not supported"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[-1],\"data_offsets\":[0,1]}}", 1, "negative"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1, "lacks dtype, shape or data_offsets"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,0]}}", 1, "are no range"},
        {"{\"a\":{\"dtype\":\"U8\",\"colour\":1}}", 1, "unknown or a double field"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1.5],\"data_offsets\":[0,1]}}", 1, "an integer is expected"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[9223372036854775808],\"data_offsets\":[0,1]}}", 1,
         "does not fit 64 bits"},
        {"{\"a\":{\"dtype\":\"F64\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,1]}}", 1,
         "have another size"},
        {"{} x", 0, "the text goes on after its value"},
        {"[]", 0, "an object is expected"},
        {"{\"__metadata__\":{\"a\":1}}", 0, "a text is expected"},
        {"{\"\xff\":1}", 0, "not UTF-8"},
        {"{\"a\\u0000b\":1}", 0, "malformed escape"},
        {"{\"a\"", 0, "a colon is expected"},
        {"", 0, "an object is expected"},
    };
    pod_buffer_list list;
    pod_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_safetensors(cases[i].header, cases[i].data);
        const pod_status status = pod_safetensors_read(context, path, &list, &error);
        ASSERT(status == POD_ERROR_FORMAT || status == POD_ERROR_UNSUPPORTED);
        ASSERT_CONTAINS(cases[i].message, error.message);
        ASSERT_CONTAINS(path, error.message);
        ASSERT_EQ(0, list.count);
    }
    write_file("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10);
    ASSERT_FAILS(POD_ERROR_FORMAT, "the header claims 9223372036854775807 bytes",
                 pod_safetensors_read(context, path, &list, &error));
}

TEST(names_with_quotes_and_accents_survive)
{
    static char name[] = "a \"quoted\\\" name, \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\n\x01";
    pod_named_buffer entry = {name, counting(POD_S64, &(pod_shape){1, {1}})};
    const pod_buffer_list list = {.count = 1, .entries = &entry};
    pod_buffer_list back;
    pod_error error;
    ASSERT_OK(pod_safetensors_write(context, path, &list, &error));
    ASSERT_OK(pod_safetensors_read(context, path, &back, &error));
    ASSERT_TEXT(name, back.entries[0].name);
    pod_buffer_list_clear(&back);
    pod_buffer_release(entry.buffer);
    write_safetensors("{\"\\u00e4\\ud83d\\ude00\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
    ASSERT_OK(pod_safetensors_read(context, path, &back, &error));
    ASSERT_TEXT("\xc3\xa4\xf0\x9f\x98\x80", back.entries[0].name);
    pod_buffer_list_clear(&back);
}

static pod_status write_and_read(pod_context *poor, pod_error *error)
{
    pod_buffer *array;
    pod_buffer_list list;
    pod_status status = pod_buffer_new(poor, POD_F32, &(pod_shape){2, {3, 4}}, &array, error);
    if (status != POD_OK)
        return status;
    pod_named_buffer entry = {(char *)"w", array};
    const pod_buffer_list one = {.count = 1, .entries = &entry};
    status = pod_safetensors_write(poor, path, &one, error);
    if (status == POD_OK)
        status = pod_safetensors_read(poor, path, &list, error);
    if (status == POD_OK) {
        pod_buffer_list_clear(&list);
        status = pod_npz_write(poor, path, &one, true, error);
    }
    if (status == POD_OK)
        status = pod_npz_read(poor, path, &list, error);
    if (status == POD_OK)
        pod_buffer_list_clear(&list);
    pod_buffer_release(array);
    return status;
}

TEST(every_allocation_may_fail_without_a_leak)
{
    every_allocation_may_fail(write_and_read);
}

/* ---- small files that would become large ---- */

static void put_le(unsigned char **at, unsigned long value, int bytes)
{
    for (int i = 0; i < bytes; i++, value >>= 8)
        *(*at)++ = (unsigned char)value;
}

/* An archive of `count` members that are all the same bytes of the file: a stored array of 8 bytes. */
static size_t overlapping_archive(unsigned char *bytes, unsigned count)
{
    unsigned char array[256], *at = bytes;
    pod_error error;
    pod_buffer *buffer = counting(POD_S64, &(pod_shape){1, {1}});
    ASSERT_OK(pod_npy_write(context, path, buffer, &error));
    pod_buffer_release(buffer);
    const size_t size = read_file(array, sizeof array);
    const unsigned long crc = crc32(0, array, (unsigned)size);
    put_le(&at, 0x04034b50, 4);
    put_le(&at, 20, 10);
    put_le(&at, crc, 4);
    put_le(&at, size, 4);
    put_le(&at, size, 4);
    put_le(&at, 1, 4);
    *at++ = 'a';
    memcpy(at, array, size);
    at += size;
    const unsigned long begin = (unsigned long)(at - bytes);
    for (unsigned i = 0; i < count; i++) {
        put_le(&at, 0x02014b50, 4);
        put_le(&at, 20, 2);
        put_le(&at, 20, 2);
        put_le(&at, 0, 8);
        put_le(&at, crc, 4);
        put_le(&at, size, 4);
        put_le(&at, size, 4);
        put_le(&at, 1, 2);
        put_le(&at, 0, 8);
        put_le(&at, 0, 8);
        *at++ = (unsigned char)('a' + i);
    }
    const unsigned long directory = (unsigned long)(at - bytes) - begin;
    put_le(&at, 0x06054b50, 4);
    put_le(&at, 0, 4);
    put_le(&at, count, 2);
    put_le(&at, count, 2);
    put_le(&at, directory, 4);
    put_le(&at, begin, 4);
    put_le(&at, 0, 2);
    return (size_t)(at - bytes);
}

TEST(members_of_an_archive_may_not_overlap)
{
    unsigned char bytes[2048];
    pod_buffer_list list;
    pod_error error;
    size_t size = overlapping_archive(bytes, 1);
    write_file(bytes, size);
    ASSERT_OK(pod_npz_read(context, path, &list, &error));
    pod_buffer_list_clear(&list);
    size = overlapping_archive(bytes, 3);
    write_file(bytes, size);
    ASSERT_FAILS(POD_ERROR_FORMAT, "has members that overlap, at offset 0", pod_npz_read(context, path, &list, &error));
    ASSERT_EQ(0, list.count);
}

TEST(a_directory_that_is_larger_than_its_archive_takes_no_memory)
{
    unsigned char bytes[2048];
    pod_buffer_list list;
    pod_error error;
    const size_t size = overlapping_archive(bytes, 1);
    for (size_t field = 0; field < 2; field++) { /* its size, then its offset */
        unsigned char *at = bytes + size - 10 + 4 * field;
        const unsigned char kept = at[3];
        at[3] = 1; /* 16 MiB more */
        write_file(bytes, size);
        const uint64_t before = pod_context_memory(context).peak_bytes;
        ASSERT_FAILS(POD_ERROR_FORMAT, "the directory of the zip archive claims",
                     pod_npz_read(context, path, &list, &error));
        ASSERT(pod_context_memory(context).peak_bytes - before < 1 << 20);
        at[3] = kept;
    }
}

/* The same archive of one member with its sizes and places in 64 bits. */
static size_t archive64(unsigned char *bytes)
{
    unsigned char extra[28], *at = extra;
    const size_t size = overlapping_archive(bytes, 1), begin = size - 22 - 47, end = size - 22;
    unsigned char *central = bytes + begin, record[22];
    memcpy(record, bytes + end, sizeof record);
    put_le(&at, 1, 2);
    put_le(&at, 24, 2);
    for (int i = 0; i < 2; i++, at += 8) { /* the size of the data, and in the file */
        memset(at, 0, 8);
        memcpy(at, central + 20, 4);
    }
    put_le(&at, 0, 8);
    memset(central + 20, 0xff, 8);
    memset(central + 42, 0xff, 4);
    central[30] = sizeof extra;
    memcpy(bytes + end, extra, sizeof extra);
    at = bytes + end + sizeof extra;
    const unsigned long directory64 = (unsigned long)(at - bytes);
    put_le(&at, 0x06064b50, 4);
    put_le(&at, 44, 8);
    put_le(&at, 45, 2);
    put_le(&at, 45, 2);
    put_le(&at, 0, 8);
    put_le(&at, 1, 8);
    put_le(&at, 1, 8);
    put_le(&at, 47 + sizeof extra, 8);
    put_le(&at, begin, 8);
    put_le(&at, 0x07064b50, 4);
    put_le(&at, 0, 4);
    put_le(&at, directory64, 8);
    put_le(&at, 1, 4);
    memset(record + 8, 0xff, 12);
    memcpy(at, record, sizeof record);
    return (size_t)(at - bytes) + sizeof record;
}

TEST(archives_may_have_sizes_of_64_bits)
{
    unsigned char bytes[2048];
    pod_buffer_list list;
    pod_error error;
    const size_t size = archive64(bytes), extra = size - 22 - 20 - 56 - 28;
    write_file(bytes, size);
    ASSERT_OK(pod_npz_read(context, path, &list, &error));
    ASSERT_EQ(1, list.count);
    ASSERT_TEXT("a", list.entries[0].name);
    pod_buffer_list_clear(&list);
    bytes[size - 22 - 12]++; /* where the directory is */
    write_file(bytes, size);
    ASSERT_FAILS(POD_ERROR_FORMAT, "the zip64 directory is not where it should be",
                 pod_npz_read(context, path, &list, &error));
    bytes[size - 22 - 12]--;
    bytes[extra + 2] = 16; /* the third has no room */
    write_file(bytes, size);
    ASSERT_FAILS(POD_ERROR_FORMAT, "the directory of the zip archive is malformed",
                 pod_npz_read(context, path, &list, &error));
    bytes[extra + 2] = 25; /* longer than there is */
    write_file(bytes, size);
    ASSERT_FAILS(POD_ERROR_FORMAT, "the directory of the zip archive is malformed",
                 pod_npz_read(context, path, &list, &error));
    bytes[extra + 2] = 24;
    bytes[extra + 4]++;
    write_file(bytes, size);
    ASSERT_FAILS(POD_ERROR_FORMAT, "bytes, not the", pod_npz_read(context, path, &list, &error));
}

/* More than 16 bits count. */
TEST(archives_may_have_many_members)
{
    enum { COUNT = 65536 };
    static char names[COUNT][8];
    pod_named_buffer *many = malloc(COUNT * sizeof *many);
    pod_buffer *one = counting(POD_U8, &(pod_shape){1, {1}});
    pod_buffer_list back;
    pod_error error;
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "%d", i);
        many[i] = (pod_named_buffer){names[i], one};
    }
    const pod_buffer_list list = {.count = COUNT, .entries = many};
    ASSERT_OK(pod_npz_write(context, path, &list, false, &error));
    ASSERT_OK(pod_npz_read(context, path, &back, &error));
    ASSERT_EQ(COUNT, back.count);
    ASSERT_TEXT("65535", back.entries[COUNT - 1].name);
    ASSERT(same_content(one, back.entries[COUNT - 1].buffer));
    pod_buffer_list_clear(&back);
    pod_buffer_release(one);
    free(many);
}

TEST(names_that_a_file_cannot_have_are_refused)
{
    enum { LONG = 65532 };
    const pod_buffer_list list = three_arrays();
    pod_error error;
    char *name = malloc(LONG + 1);
    memset(name, 'a', LONG);
    name[LONG] = '\0';
    entries[1].name = name;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "the name of array 1 is too long",
                 pod_npz_write(context, path, &list, false, &error));
    entries[1].name = entries[2].name;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "two arrays are named 'a'", pod_safetensors_write(context, path, &list, &error));
    free(name);
    release_three();
}

TEST(what_an_archive_unpacks_to_is_bounded)
{
    pod_buffer_list list = three_arrays(), back;
    pod_error error;
    ASSERT_OK(pod_npz_write(context, path, &list, true, &error));
    pod_context_set_unpacked_bytes(context, 400);
    ASSERT_FAILS(POD_ERROR_MEMORY, "more than the 400 that may be unpacked",
                 pod_npz_read(context, path, &back, &error));
    ASSERT_OK(pod_npz_write(context, path, &list, false, &error));
    ASSERT_OK(pod_npz_read(context, path, &back, &error)); /* stored members are as large as the file */
    pod_buffer_list_clear(&back);
    pod_context_set_unpacked_bytes(context, 0);
    release_three();
}

/* Counts the bytes that are asked for. */
static void *count_bytes(void *total, void *pointer, size_t old_size, size_t new_size)
{
    (void)old_size;
    *(uint64_t *)total += new_size;
    if (new_size > 0)
        return realloc(pointer, new_size);
    free(pointer);
    return NULL;
}

TEST(memory_for_metadata_is_linear_in_the_file)
{
    uint64_t asked = 0;
    const pod_context_options options = {.allocator = {count_bytes, &asked}, .threads = 1};
    const size_t texts = 20000;
    char *header = malloc(32 * texts), *at = header + 8;
    pod_buffer_list list;
    pod_error error;
    at += sprintf(at, "{\"__metadata__\":{");
    for (size_t i = 0; i < texts; i++)
        at += sprintf(at, "%s\"%zx\":\"\"", i > 0 ? "," : "", i);
    at += sprintf(at, "}}");
    const size_t size = (size_t)(at - header);
    for (int i = 0; i < 8; i++)
        header[i] = (char)((uint64_t)(size - 8) >> 8 * i);
    write_file(header, size);
    free(header);
    pod_context *counted = test_context(&options);
    asked = 0;
    ASSERT_OK(pod_safetensors_read(counted, path, &list, &error));
    ASSERT_EQ(texts, list.text_count);
    ASSERT_EQ(0, strcmp("4e1f", list.texts[2 * (texts - 1)]));
    pod_buffer_list_clear(&list);
    pod_context_release(counted);
    ASSERT(asked < 100 * (uint64_t)size); /* a block a text; of all texts anew with each it would be 16,000 times */
}

TEST_MAIN(context = test_context(NULL); choose_path("arrays"); RUN(npy_files_are_those_of_numpy);
          RUN(npy_arrays_of_all_types_are_read_back); RUN(npy_files_of_other_orders_become_row_major);
          RUN(malformed_npy_files_are_refused); RUN(npz_archives_are_read_back_stored_and_deflated);
          RUN(damage_in_npz_archives_is_found); RUN(safetensors_files_are_those_of_its_own_library);
          RUN(malformed_safetensors_files_are_refused); RUN(names_with_quotes_and_accents_survive);
          RUN(members_of_an_archive_may_not_overlap); RUN(a_directory_that_is_larger_than_its_archive_takes_no_memory);
          RUN(archives_may_have_sizes_of_64_bits); RUN(archives_may_have_many_members);
          RUN(names_that_a_file_cannot_have_are_refused); RUN(what_an_archive_unpacks_to_is_bounded);
          RUN(memory_for_metadata_is_linear_in_the_file); RUN(every_allocation_may_fail_without_a_leak); unlink(path);
          pod_context_release(context))
