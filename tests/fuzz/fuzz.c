/*
 * fuzz - feeds damaged files to every reader. A valid file of each format is changed at random (bits, bytes,
 * lengths, pieces cut out, doubled and moved); whatever comes of it, a reader must end, give an array or a
 * message, hold nothing afterwards and take little memory.
 *
 *     fuzz N [SEED [TARGET]]       N inputs a target; SEED (default 1) and N give the same inputs again
 *
 * Built with sanitizers by tests/fuzz/run. An input that ends the process lies in /tmp/moonpod-fuzz-input.
 * With -DPOD_LIBFUZZER and clang's -fsanitize=fuzzer the first byte chooses the target.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "base/random.h"
#include "formats/csv.h"
#include "formats/json.h"
#include "image_cases.h"
#include "moonpod/data.h"
#include "moonpod/formats.h"

#define PATH      "/tmp/moonpod-fuzz-input"
#define MOST      65536
#define MOST_HELD ((uint64_t)64 << 20)

static void die(const char *target, const char *what)
{
    fprintf(stderr, "fuzz: %s: %s\n", target, what);
    abort();
}

/* ---- what is fuzzed: reads PATH ---- */

static void release_list(pod_status status, pod_buffer_list *list)
{
    if (status == POD_OK)
        pod_buffer_list_clear(list);
}

static void read_idx(pod_context *context)
{
    pod_buffer *buffer = NULL;
    pod_error error;
    if (pod_idx_read(context, PATH, &buffer, &error) == POD_OK)
        pod_buffer_release(buffer);
}

static void read_npy(pod_context *context)
{
    pod_buffer *buffer = NULL;
    pod_error error;
    if (pod_npy_read(context, PATH, &buffer, &error) == POD_OK)
        pod_buffer_release(buffer);
}

static void read_npz(pod_context *context)
{
    pod_buffer_list list;
    pod_error error;
    release_list(pod_npz_read(context, PATH, &list, &error), &list);
}

static void read_safetensors(pod_context *context)
{
    pod_buffer_list list;
    pod_error error;
    release_list(pod_safetensors_read(context, PATH, &list, &error), &list);
}

static void read_records(pod_context *context)
{
    pod_record_reader *reader;
    pod_error error;
    const void *bytes;
    size_t size;
    if (pod_record_reader_open(context, PATH, "auto", &reader, &error) != POD_OK)
        return;
    while (pod_record_reader_next(reader, &bytes, &size, &error) == POD_OK) {
    }
    pod_record_reader_close(reader);
}

static size_t load(unsigned char *bytes)
{
    FILE *file = fopen(PATH, "rb");
    const size_t size = file != NULL ? fread(bytes, 1, MOST, file) : 0;
    if (file != NULL)
        fclose(file);
    return size;
}

static void read_example(pod_context *context)
{
    static unsigned char bytes[MOST];
    const size_t size = load(bytes);
    pod_example example;
    pod_bytes encoded;
    pod_error error;
    if (pod_example_decode(context, bytes, size, &example, &error) != POD_OK)
        return;
    if (pod_example_encode(context, &example, &encoded, &error) == POD_OK) {
        pod_example again;
        if (pod_example_decode(context, encoded.data, encoded.size, &again, &error) != POD_OK)
            die("example", "what was encoded is not decoded");
        if (again.count != example.count)
            die("example", "features were lost");
        pod_example_clear(&again);
        pod_bytes_free(context, &encoded);
    }
    pod_example_clear(&example);
}

static void read_json(pod_context *context)
{
    static unsigned char bytes[MOST];
    const size_t size = load(bytes);
    pod_error error;
    pod_json json;
    pod_json_begin(&json, context, (const char *)bytes, size);
    if (pod_json_skip(&json, &error) == POD_OK && pod_json_end(&json, &error) != POD_OK)
        return;
}

static void read_csv(pod_context *context)
{
    pod_csv *csv;
    const pod_csv_field *fields;
    size_t count;
    double number;
    int64_t integer;
    pod_error error;
    if (pod_csv_open(context, PATH, POD_COMPRESSION_AUTO, ',', &csv, &error) != POD_OK)
        return;
    while (pod_csv_next(csv, &fields, &count, &error) == POD_OK)
        for (size_t i = 0; i < count; i++) {
            if (fields[i].text[fields[i].size] != '\0')
                die("csv", "a field is not terminated");
            (void)pod_csv_read_double(&fields[i], &number);
            (void)pod_csv_read_int64(&fields[i], &integer);
        }
    pod_csv_close(csv);
}

static void read_image(pod_context *context)
{
    static unsigned char bytes[MOST];
    const size_t size = load(bytes);
    const pod_image_options options = {.max_pixels = 1 << 20};
    pod_image_decoder *decoder;
    pod_image_type type;
    pod_error error;
    pod_buffer *buffer;
    if (pod_image_decoder_new(context, &decoder, &error) != POD_OK)
        die("image", "no decoder");
    if (pod_image_describe(decoder, bytes, size, &options, &type, &error) == POD_OK &&
        pod_buffer_new(context, type.dtype, &type.shape, &buffer, &error) == POD_OK) {
        if (pod_image_decode(decoder, bytes, size, &options, &type, pod_buffer_data(buffer), &error) <
                0 &&
            error.message[0] == '\0')
            die("image", "a failure without a message");
        pod_buffer_release(buffer);
    }
    pod_image_decoder_free(decoder);
}

/* ---- valid files to begin with: written to PATH ---- */

static void put(const void *bytes, size_t size)
{
    FILE *file = fopen(PATH, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        die("fuzz", "cannot write " PATH);
}

static pod_buffer *numbers(pod_context *context, pod_dtype dtype, const pod_shape *shape)
{
    pod_buffer *buffer;
    if (pod_buffer_new(context, dtype, shape, &buffer, NULL) != POD_OK)
        die("fuzz", "no memory");
    unsigned char *bytes = pod_buffer_data(buffer);
    for (size_t i = 0; i < pod_buffer_bytes(buffer); i++)
        bytes[i] = (unsigned char)(i * 7);
    return buffer;
}

static void write_idx(pod_context *context)
{
    pod_buffer *buffer = numbers(context, POD_S16, &(pod_shape){3, {3, 4, 5}});
    if (pod_idx_write(context, PATH, buffer, NULL) != POD_OK)
        die("idx", "cannot write");
    pod_buffer_release(buffer);
}

static void write_idx_gzip(pod_context *context)
{
    pod_buffer *buffer = numbers(context, POD_U8, &(pod_shape){2, {30, 40}});
    if (pod_idx_write(context, PATH ".gz", buffer, NULL) != POD_OK || rename(PATH ".gz", PATH) != 0)
        die("idx.gz", "cannot write");
    pod_buffer_release(buffer);
}

static void write_npy(pod_context *context)
{
    pod_buffer *buffer = numbers(context, POD_F32, &(pod_shape){2, {6, 7}});
    if (pod_npy_write(context, PATH, buffer, NULL) != POD_OK)
        die("npy", "cannot write");
    pod_buffer_release(buffer);
}

/* Calls `write` with three named arrays. */
static void with_list(pod_context *context,
                      pod_status (*write)(pod_context *context, const pod_buffer_list *list))
{
    pod_named_buffer entries[] = {
        {(char *)"layer/kernel", numbers(context, POD_F32, &(pod_shape){2, {4, 5}})},
        {(char *)"bias", numbers(context, POD_BF16, &(pod_shape){1, {5}})},
        {(char *)"steps", numbers(context, POD_S64, &(pod_shape){0})},
    };
    static const char *const texts[] = {"format", "pt"};
    const pod_buffer_list list = {.count = 3,
                                  .entries = entries,
                                  .text_count = 1,
                                  .texts = (char **)(uintptr_t)texts};
    if (write(context, &list) != POD_OK)
        die("fuzz", "cannot write arrays");
    for (int i = 0; i < 3; i++)
        pod_buffer_release(entries[i].buffer);
}

static pod_status npz_stored(pod_context *context, const pod_buffer_list *list)
{
    return pod_npz_write(context, PATH, list, false, NULL);
}

static pod_status npz_packed(pod_context *context, const pod_buffer_list *list)
{
    return pod_npz_write(context, PATH, list, true, NULL);
}

static pod_status safetensors(pod_context *context, const pod_buffer_list *list)
{
    return pod_safetensors_write(context, PATH, list, NULL);
}

static void write_npz(pod_context *context)
{
    with_list(context, npz_stored);
}

static void write_npz_packed(pod_context *context)
{
    with_list(context, npz_packed);
}

static void write_safetensors(pod_context *context)
{
    with_list(context, safetensors);
}

static void encode(pod_context *context, pod_bytes *encoded)
{
    static const int64_t integers[] = {1, -2, 3000000000};
    static const float floats[] = {0.5f, -1, 2};
    static const pod_bytes texts[] = {{"abc", 3}, {"", 0}};
    const pod_feature features[] = {
        {{"integers", 8}, POD_FEATURE_INT64, 3, NULL, NULL, integers},
        {{"floats", 6}, POD_FEATURE_FLOAT, 3, NULL, floats, NULL},
        {{"texts", 5}, POD_FEATURE_BYTES, 2, texts, NULL, NULL},
    };
    if (pod_example_encode(context, &(pod_example){3, features, NULL}, encoded, NULL) != POD_OK)
        die("example", "cannot encode");
}

static void write_example(pod_context *context)
{
    pod_bytes encoded;
    encode(context, &encoded);
    put(encoded.data, encoded.size);
    pod_bytes_free(context, &encoded);
}

static void write_records(pod_context *context)
{
    pod_record_writer *writer;
    pod_bytes encoded;
    encode(context, &encoded);
    if (pod_record_writer_open(context, PATH, NULL, &writer, NULL) != POD_OK ||
        pod_record_writer_write(writer, encoded.data, encoded.size, NULL) != POD_OK ||
        pod_record_writer_write(writer, "", 0, NULL) != POD_OK ||
        pod_record_writer_close(writer, NULL) != POD_OK)
        die("records", "cannot write");
    pod_bytes_free(context, &encoded);
}

static void write_json(pod_context *context)
{
    static const char text[] =
        "{\"a\": [1, -2.5e-3, true, null, \"\\u00e4\\n\"], \"b\": {\"c\": {}, \"d\": []}}";
    (void)context;
    put(text, sizeof text - 1);
}

static void write_csv(pod_context *context)
{
    static const char text[] = "name,age\r\n\"Smith, \"\"J\"\"\",30\n\n\"line\nbreak\",-1.5e3\n";
    (void)context;
    put(text, sizeof text - 1);
}

static void write_image(const char *name)
{
    unsigned char bytes[1024];
    size_t size = 0;
    const char *hex = NULL;
    for (size_t i = 0; i < IMAGE_CASES; i++)
        if (strcmp(name, image_cases[i].name) == 0)
            hex = image_cases[i].hex;
    for (; hex != NULL && hex[0] != '\0'; hex += 2) {
        unsigned value = 0;
        (void)sscanf(hex, "%2x", &value);
        bytes[size++] = (unsigned char)value;
    }
    put(bytes, size);
}

#define IMAGE_WRITER(name)                                                                         \
    static void write_##name(pod_context *context)                                                 \
    {                                                                                              \
        (void)context;                                                                             \
        write_image(#name);                                                                        \
    }

IMAGE_WRITER(png_rgb)
IMAGE_WRITER(png_palette)
IMAGE_WRITER(jpeg_grey)
IMAGE_WRITER(jpeg_progressive)

static const struct target {
    const char *name;
    void (*write)(pod_context *context);
    void (*read)(pod_context *context);
} targets[] = {
    {"idx", write_idx, read_idx},
    {"idx.gz", write_idx_gzip, read_idx},
    {"npy", write_npy, read_npy},
    {"npz", write_npz, read_npz},
    {"npz packed", write_npz_packed, read_npz},
    {"safetensors", write_safetensors, read_safetensors},
    {"records", write_records, read_records},
    {"example", write_example, read_example},
    {"json", write_json, read_json},
    {"csv", write_csv, read_csv},
    {"png", write_png_rgb, read_image},
    {"png palette", write_png_palette, read_image},
    {"jpeg", write_jpeg_grey, read_image},
    {"jpeg progressive", write_jpeg_progressive, read_image},
};

#define TARGETS (sizeof targets / sizeof targets[0])

/* Reads PATH and looks at what is left of it. */
static void run(const struct target *target)
{
    pod_context *context;
    if (pod_context_new(&(pod_context_options){.threads = 1}, &context, NULL) != POD_OK)
        die(target->name, "no context");
    const pod_memory_stats before = pod_context_memory(context);
    target->read(context);
    const pod_memory_stats after = pod_context_memory(context);
    if (after.current_bytes != before.current_bytes)
        die(target->name, "memory is still held");
    if (after.peak_bytes > MOST_HELD)
        die(target->name, "too much memory was taken");
    pod_context_release(context);
}

#ifdef POD_LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    put(bytes + 1, size - 1);
    run(&targets[bytes[0] % TARGETS]);
    return 0;
}

#else

/* ---- damage ---- */

static const uint64_t tempting[] = {0,          1,          0x7f,       0x80,         0xff,
                                    0x7fff,     0xffff,     0x7fffffff, 0x80000000u,  0xffffffffu,
                                    1ull << 32, 1ull << 62, 1ull << 63, UINT64_MAX - 8, UINT64_MAX};

static size_t damage(unsigned char *bytes, size_t size, pod_random_stream *random)
{
    const size_t at = size > 0 ? (size_t)pod_random_below(random, size) : 0;
    const size_t left = size - at;
    size_t count;
    switch (pod_random_below(random, 7)) {
    case 0: /* a bit */
        if (size > 0)
            bytes[at] ^= (unsigned char)(1u << pod_random_below(random, 8));
        return size;
    case 1: /* a byte */
        if (size > 0)
            bytes[at] = (unsigned char)pod_random_next(random);
        return size;
    case 2: /* a number, in either byte order */
    {
        const uint64_t value =
            tempting[pod_random_below(random, sizeof tempting / sizeof tempting[0])];
        const size_t wide = (size_t)1 << pod_random_below(random, 4);
        const bool big = pod_random_below(random, 2) == 0;
        for (size_t i = 0; i < wide && i < left; i++)
            bytes[at + i] = (unsigned char)(value >> 8 * (big ? wide - 1 - i : i));
        return size;
    }
    case 3: /* cut the end off */
        return at;
    case 4: /* cut a piece out */
        count = left > 0 ? (size_t)pod_random_below(random, left < 64 ? left : 64) : 0;
        memmove(bytes + at, bytes + at + count, left - count);
        return size - count;
    case 5: /* double a piece */
        count = left > 0 ? (size_t)pod_random_below(random, left < 64 ? left : 64) : 0;
        if (size + count > MOST)
            return size;
        memmove(bytes + at + count, bytes + at, left);
        return size + count;
    default: /* copy a piece elsewhere */
        count = left > 0 ? (size_t)pod_random_below(random, left < 16 ? left : 16) : 0;
        if (size > count)
            memmove(bytes + pod_random_below(random, size - count), bytes + at, count);
        return size;
    }
}

static void fuzz(const struct target *target, long count, uint64_t seed)
{
    static unsigned char valid[MOST], bytes[MOST];
    pod_context *context;
    if (pod_context_new(NULL, &context, NULL) != POD_OK)
        die(target->name, "no context");
    target->write(context);
    pod_context_release(context);
    const size_t size = load(valid);
    run(target);
    for (long i = 0; i < count; i++) {
        pod_random_stream random;
        size_t changed = size;
        pod_random_stream_init(&random, seed, (uint64_t)i);
        memcpy(bytes, valid, size);
        for (uint64_t changes = 1 + pod_random_below(&random, 4); changes > 0; changes--)
            changed = damage(bytes, changed, &random);
        put(bytes, changed);
        run(target);
    }
    printf("%-12s %ld inputs\n", target->name, count);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 1000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (size_t i = 0; i < TARGETS; i++)
        if (argc < 4 || strcmp(argv[3], targets[i].name) == 0)
            fuzz(&targets[i], count, seed + i);
    unlink(PATH);
    return 0;
}

#endif
