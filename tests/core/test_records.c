/* Record files and tf.train.Example: golden bytes, damage, and what hostile files get. */

#include "file_cases.h"

#include "formats/crc32c.h"

static pod_context *context;

TEST(checksums_are_castagnoli_s)
{
    unsigned char zeros[32] = {0}, bytes[300];
    ASSERT_EQ(0xe3069283, pod_format_crc32c("123456789", 9));
    ASSERT_EQ(0xc78ab0e5, pod_format_crc32c_mask(pod_format_crc32c("123456789", 9)));
    ASSERT_EQ(0, pod_format_crc32c("", 0));
    ASSERT_EQ(0xa282ead8, pod_format_crc32c_mask(0));
    ASSERT_EQ(0x8a9136aa, pod_format_crc32c(zeros, sizeof zeros));
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 13);
    for (size_t begin = 0; begin < 9; begin++)
        for (size_t size = 0; size + begin < sizeof bytes; size++)
            ASSERT_EQ(pod_format_crc32c_portable(bytes + begin, size), pod_format_crc32c(bytes + begin, size));
}

static void write_records(const char *compression, size_t count, const char *const *records)
{
    pod_record_writer *writer;
    pod_error error;
    ASSERT_OK(pod_record_writer_open(context, path, compression, &writer, &error));
    for (size_t i = 0; i < count; i++)
        ASSERT_OK(pod_record_writer_write(writer, records[i], strlen(records[i]), &error));
    ASSERT_OK(pod_record_writer_close(writer, &error));
}

TEST(records_have_the_framing_of_tfrecord)
{
    write_records(NULL, 1, (const char *const[]){"abc"});
    expect_file("0300000000000000 b099490e 616263 6e57f121");
    write_records("none", 1, (const char *const[]){""});
    expect_file("0000000000000000 29039807 d8ea82a2");
}

TEST(records_are_read_back_whatever_the_compression)
{
    static const char *const compressions[] = {NULL, "gzip", "zlib", "gzip"};
    static const char *const readers[] = {"auto", "gzip", "zlib", "auto"};
    static const char *const records[] = {"one", "", "a third record"};
    for (int i = 0; i < 4; i++) {
        pod_record_reader *reader;
        pod_error error;
        const void *bytes;
        size_t size;
        write_records(compressions[i], 3, records);
        ASSERT_OK(pod_record_reader_open(context, path, readers[i], &reader, &error));
        for (int j = 0; j < 3; j++) {
            ASSERT_OK(pod_record_reader_next(reader, &bytes, &size, &error));
            ASSERT_EQ(strlen(records[j]), size);
            ASSERT_EQ(0, memcmp(records[j], bytes, size));
        }
        ASSERT_EQ(POD_END, pod_record_reader_next(reader, &bytes, &size, &error));
        ASSERT_EQ(POD_END, pod_record_reader_next(reader, &bytes, &size, &error));
        pod_record_reader_close(reader);
    }
}

/* Reads all records of the file; returns the status that ended it. */
static pod_status read_all(pod_error *error)
{
    pod_record_reader *reader;
    const void *bytes;
    size_t size;
    pod_status status = pod_record_reader_open(context, path, "auto", &reader, error);
    while (status == POD_OK)
        status = pod_record_reader_next(reader, &bytes, &size, error);
    pod_record_reader_close(reader);
    return status;
}

TEST(a_flipped_bit_is_found_in_each_field)
{
    unsigned char bytes[64];
    pod_error error;
    write_records(NULL, 2, (const char *const[]){"abc", "defg"});
    const size_t size = read_file(bytes, sizeof bytes);
    ASSERT_EQ(39, size);
    for (size_t i = 19; i < size; i++) {
        const size_t place = i - 19;
        bytes[i] ^= 0x10;
        write_file(bytes, size);
        ASSERT_FAILS(POD_ERROR_FORMAT, "corrupted record at offset 19", read_all(&error));
        ASSERT_CONTAINS(path, error.message);
        ASSERT_CONTAINS(place < 12 ? "checksum of its length" : "checksum of its data", error.message);
        bytes[i] ^= 0x10;
    }
}

TEST(a_truncated_file_is_told_with_its_offset)
{
    unsigned char bytes[64];
    pod_error error;
    write_records(NULL, 2, (const char *const[]){"abc", "defg"});
    const size_t size = read_file(bytes, sizeof bytes);
    for (size_t cut = 20; cut < size; cut++) {
        write_file(bytes, cut);
        ASSERT_FAILS(POD_ERROR_FORMAT, "19", read_all(&error));
    }
    write_file(bytes, 19);
    ASSERT_EQ(POD_END, read_all(&error));
    write_file(bytes, 0);
    ASSERT_EQ(POD_END, read_all(&error));
}

/* A file that is a record's header alone, whose length has 2 to the power of 8 * place times `byte` bytes. */
static void claim_length(int place, unsigned char byte, const char *message)
{
    unsigned char header[12] = {0};
    pod_error error;
    header[place] = byte;
    const uint32_t crc = pod_format_crc32c_mask(pod_format_crc32c(header, 8));
    for (int i = 0; i < 4; i++)
        header[8 + i] = (unsigned char)(crc >> 8 * i);
    const uint64_t before = pod_context_memory(context).peak_bytes;
    write_file(header, sizeof header);
    ASSERT_FAILS(POD_ERROR_FORMAT, message, read_all(&error));
    ASSERT(pod_context_memory(context).peak_bytes - before < (4 << 20));
}

TEST(a_claimed_length_takes_no_memory)
{
    claim_length(3, 64, "the record at offset 0 is cut short"); /* 1 GiB */
    claim_length(4, 16, "claims 68719476736 bytes; 2 GiB are the most");
}

TEST(a_file_is_there_whole_or_not_at_all)
{
    pod_record_writer *writer;
    pod_error error;
    write_records(NULL, 1, (const char *const[]){"old"});
    ASSERT_OK(pod_record_writer_open(context, path, NULL, &writer, &error));
    ASSERT_OK(pod_record_writer_write(writer, "new", 3, &error));
    expect_file("0300000000000000 b099490e 6f6c64 4cea8ca4");
    pod_record_writer_abandon(writer);
    pod_record_writer_abandon(NULL);
    expect_file("0300000000000000 b099490e 6f6c64 4cea8ca4");
    ASSERT_FAILS(POD_ERROR_NOT_FOUND, "/nowhere/at/all: cannot create",
                 pod_record_writer_open(context, "/nowhere/at/all", NULL, &writer, &error));
    ASSERT(writer == NULL);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "unknown compression 'bzip2'; it is none, gzip or zlib",
                 pod_record_writer_open(context, path, "bzip2", &writer, &error));
}

/* ---- examples ---- */

static pod_feature named(const char *name, pod_feature_kind kind, size_t count)
{
    return (pod_feature){.name = {name, strlen(name)}, .kind = kind, .count = count};
}

static void expect_encoding(const char *hex, const pod_feature *feature)
{
    pod_bytes encoded;
    pod_error error;
    ASSERT_OK(pod_example_encode(context, &(pod_example){1, feature, NULL}, &encoded, &error));
    expect_bytes(hex, encoded.data, encoded.size);
    pod_bytes_free(context, &encoded);
}

TEST(examples_have_golden_bytes)
{
    static const int64_t ages[] = {29}, negative[] = {-1};
    static const float numbers[] = {1, 2};
    static const pod_bytes texts[] = {{"hi", 2}};
    pod_feature age = named("age", POD_FEATURE_INT64, 1);
    age.integers = ages;
    expect_encoding("0a0e0a0c0a0361676512051a030a011d", &age);
    pod_feature x = named("x", POD_FEATURE_FLOAT, 2);
    x.floats = numbers;
    expect_encoding("0a130a110a0178120c120a0a080000803f00000040", &x);
    pod_feature s = named("s", POD_FEATURE_BYTES, 1);
    s.bytes = texts;
    expect_encoding("0a0d0a0b0a017312060a040a026869", &s);
    age.integers = negative; /* ten bytes */
    expect_encoding("0a170a150a03616765120e1a0c0a0affffffffffffffffff01", &age);
    const pod_feature empty = named("e", POD_FEATURE_INT64, 0);
    expect_encoding("0a090a070a016512021a00", &empty);
}

static void decode(const char *hex, unsigned char *bytes, pod_example *example)
{
    pod_error error;
    const size_t size = from_hex(hex, bytes);
    ASSERT_OK(pod_example_decode(context, bytes, size, example, &error));
}

TEST(examples_are_decoded_packed_or_not_in_any_order)
{
    unsigned char bytes[256];
    pod_example example;
    decode("0a0e0a0c0a0361676512051a030a011d", bytes, &example);
    ASSERT_EQ(1, example.count);
    const pod_feature *age = pod_example_find(&example, "age");
    ASSERT(age != NULL && age->kind == POD_FEATURE_INT64 && age->count == 1);
    ASSERT_EQ(29, age->integers[0]);
    ASSERT(pod_example_find(&example, "ag") == NULL);
    pod_example_clear(&example);

    /* value before key, floats unpacked */
    decode("0a150a13 120e120c 0d0000803f 0d00000040 1800 0a0178", bytes, &example);
    const pod_feature *x = pod_example_find(&example, "x");
    ASSERT(x != NULL && x->kind == POD_FEATURE_FLOAT && x->count == 2);
    ASSERT_NUMBER(2, x->floats[1]);
    pod_example_clear(&example);

    /* integers unpacked, unknown fields before and behind */
    decode("1805 0a100a0e 0a016e 12091a07 0805 08ffffff01 2001", bytes, &example);
    const pod_feature *n = pod_example_find(&example, "n");
    ASSERT(n != NULL && n->count == 2);
    ASSERT_EQ(5, n->integers[0]);
    pod_example_clear(&example);

    /* the last of the same name counts */
    decode("0a180a0a 0a0161 12051a030a0101 0a0a 0a0161 12051a030a0102", bytes, &example);
    ASSERT_EQ(1, example.count);
    ASSERT_EQ(2, example.features[0].integers[0]);
    pod_example_clear(&example);

    decode("", bytes, &example);
    ASSERT_EQ(0, example.count);
    pod_example_clear(&example);
}

/* Puts an entry { name of four digits, int64 list of one value } at `at` and returns its end. */
static unsigned char *put_entry(unsigned char *at, unsigned name, unsigned value)
{
    static const unsigned char form[] = {0x0a, 13, 0x0a, 4, '0', '0', '0', '0', 0x12, 5, 0x1a, 3, 0x0a, 1, 0};
    memcpy(at, form, sizeof form);
    for (int i = 0; i < 4; i++, name /= 36)
        at[4 + i] = (unsigned char)("0123456789abcdefghijklmnopqrstuvwxyz"[name % 36]);
    at[14] = (unsigned char)value;
    return at + sizeof form;
}

/* As many names as may be, then doubles of them: what has a name last counts, at the place of the first. */
TEST(many_features_are_told_apart)
{
    const unsigned names = 65536, doubles = 200000;
    const size_t size = 15 * (size_t)(names + doubles);
    unsigned char *bytes = malloc(size + 16), *at = bytes + 6;
    pod_example example;
    pod_error error;
    for (unsigned i = 0; i < names; i++)
        at = put_entry(at, i, 1);
    for (unsigned i = 0; i < doubles; i++)
        at = put_entry(at, i % 7 == 0 ? 3 : names - 1, i % 7 == 0 ? 5 : 9);
    bytes[0] = 0x0a; /* the size in five bytes */
    for (int i = 0; i < 5; i++)
        bytes[1 + i] = (unsigned char)((size >> 7 * i & 0x7f) | (i < 4 ? 0x80 : 0));
    ASSERT_OK(pod_example_decode(context, bytes, size + 6, &example, &error));
    ASSERT_EQ(names, example.count);
    for (unsigned i = 0; i < names; i++)
        ASSERT_EQ(i == 3 ? 5 : i == names - 1 ? 9 : 1, example.features[i].integers[0]);
    ASSERT(pod_example_find(&example, "z000")->integers[0] == 1);
    pod_example_clear(&example);
    (void)put_entry(bytes + 6 + 15 * (size_t)names, names, 1);
    ASSERT_FAILS(POD_ERROR_FORMAT, "more than 65536 features",
                 pod_example_decode(context, bytes, size + 6, &example, &error));
    free(bytes);
}

TEST(malformed_examples_are_refused_with_their_offset)
{
    static const char *const cases[][2] = {
        {"0a", "a number is cut short at offset 1"},
        {"0a05", "a field is longer than what it is in at offset 2"},
        {"0a0e0a0c0a0361676512051a030a01", "longer than what it is in"},
        {"0b", "unknown type at offset 1"},
        {"0affffffffffffffffffff01", "more than ten bytes"},
        {"0a0b0a090a016112041a020d01", "cut short"},
        {"0a0c0a0a0a01611205120308 01 00", "does not have its list's type"},
    };
    unsigned char bytes[256];
    pod_example example;
    pod_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t size = from_hex(cases[i][0], bytes);
        ASSERT_FAILS(POD_ERROR_FORMAT, cases[i][1], pod_example_decode(context, bytes, size, &example, &error));
        ASSERT(example.memory == NULL);
    }
}

static pod_status code_and_decode(pod_context *poor, pod_error *error)
{
    static const int64_t numbers[300] = {-7};
    pod_feature feature = named("numbers", POD_FEATURE_INT64, 300);
    pod_bytes encoded;
    pod_example example;
    feature.integers = numbers;
    pod_status status = pod_example_encode(poor, &(pod_example){1, &feature, NULL}, &encoded, error);
    if (status != POD_OK)
        return status;
    status = pod_example_decode(poor, encoded.data, encoded.size, &example, error);
    pod_example_clear(&example);
    pod_bytes_free(poor, &encoded);
    return status;
}

static pod_status write_and_read(pod_context *poor, pod_error *error)
{
    pod_record_writer *writer;
    pod_record_reader *reader;
    const void *bytes;
    size_t size;
    pod_status status = pod_record_writer_open(poor, path, "gzip", &writer, error);
    if (status != POD_OK)
        return status;
    status = pod_record_writer_write(writer, "abc", 3, error);
    if (status != POD_OK) {
        pod_record_writer_abandon(writer);
        return status;
    }
    status = pod_record_writer_close(writer, error);
    if (status == POD_OK)
        status = pod_record_reader_open(poor, path, "gzip", &reader, error);
    if (status != POD_OK)
        return status;
    status = pod_record_reader_next(reader, &bytes, &size, error);
    pod_record_reader_close(reader);
    return status;
}

TEST(every_allocation_may_fail_without_a_leak)
{
    every_allocation_may_fail(code_and_decode);
    every_allocation_may_fail(write_and_read);
}

TEST_MAIN(context = test_context(NULL); choose_path("records"); RUN(checksums_are_castagnoli_s);
          RUN(records_have_the_framing_of_tfrecord); RUN(records_are_read_back_whatever_the_compression);
          RUN(a_flipped_bit_is_found_in_each_field); RUN(a_truncated_file_is_told_with_its_offset);
          RUN(a_claimed_length_takes_no_memory); RUN(a_file_is_there_whole_or_not_at_all);
          RUN(examples_have_golden_bytes); RUN(examples_are_decoded_packed_or_not_in_any_order);
          RUN(malformed_examples_are_refused_with_their_offset); RUN(many_features_are_told_apart);
          RUN(every_allocation_may_fail_without_a_leak); unlink(path); pod_context_release(context))
