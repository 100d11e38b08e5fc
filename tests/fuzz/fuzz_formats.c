/* The readers of arrays, records, tables and pictures: whatever the file, they end, and give what is in it or a
 * message. */

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "formats/csv.h"
#include "formats/json.h"
#include "formats/pickle.h"
#include "formats/record.h"
#include "image_cases.h"
#include "moonpod/data.h"
#include "moonpod/events.h"
#include "moonpod/formats.h"
#include "pickle_cases.h"

/* ---- what is fuzzed: reads fuzz_path ---- */

static void release_list(pod_status status, pod_buffer_list *list)
{
    if (status == POD_OK)
        pod_buffer_list_clear(list);
}

static void read_idx(pod_context *context)
{
    pod_buffer *buffer = NULL;
    pod_error error;
    if (pod_idx_read(context, fuzz_path, &buffer, &error) == POD_OK)
        pod_buffer_release(buffer);
}

static void read_npy(pod_context *context)
{
    pod_buffer *buffer = NULL;
    pod_error error;
    if (pod_npy_read(context, fuzz_path, &buffer, &error) == POD_OK)
        pod_buffer_release(buffer);
}

static void read_npz(pod_context *context)
{
    pod_buffer_list list;
    pod_error error;
    release_list(pod_npz_read(context, fuzz_path, &list, &error), &list);
}

static void read_safetensors(pod_context *context)
{
    pod_buffer_list list;
    pod_error error;
    release_list(pod_safetensors_read(context, fuzz_path, &list, &error), &list);
}

static void read_hdf5(pod_context *context)
{
    pod_buffer_list list;
    pod_error error;
    release_list(pod_hdf5_read(context, fuzz_path, NULL, &list, &error), &list);
}

static void read_zip(pod_context *context)
{
    pod_bytes bytes;
    pod_error error;
    if (pod_zip_read(context, fuzz_path, "bias.npy", &bytes, &error) == POD_OK)
        pod_bytes_free(context, &bytes);
}

static void read_pickle(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    const size_t size = fuzz_load(bytes);
    pod_buffer_list list = {.context = context};
    pod_error error;
    pod_reader *reader;
    if (pod_format_reader_open_memory(context, "pickle", bytes, size, &reader, &error) != POD_OK)
        fuzz_die("pickle", "no reader");
    if (pod_format_pickle_read(context, reader, size, "it", &list, &error) != POD_OK && error.message[0] == '\0')
        fuzz_die("pickle", "a failure without a message");
    pod_buffer_list_clear(&list);
    pod_format_reader_close(reader);
}

static void read_tar(pod_context *context)
{
    static const char *const members[] = {"set/train"};
    pod_buffer_list list;
    pod_error error;
    release_list(pod_tar_read_pickles(context, fuzz_path, &(pod_tar_wanted){members, 1, &list}, &error), &list);
}

static void read_records(pod_context *context)
{
    pod_record_reader *reader;
    pod_error error;
    const void *bytes;
    size_t size;
    if (pod_record_reader_open(context, fuzz_path, "auto", &reader, &error) != POD_OK)
        return;
    while (pod_record_reader_next(reader, &bytes, &size, &error) == POD_OK) {
    }
    pod_record_reader_close(reader);
}

static void read_event_file(pod_context *context, const char *path)
{
    pod_event_reader *reader;
    pod_event_value value;
    pod_error error;
    if (pod_event_reader_open(context, path, &reader, &error) != POD_OK)
        return;
    while (pod_event_reader_next(reader, &value, &error) == POD_OK)
        if (value.tag.size > FUZZ_MOST || value.plugin.size > FUZZ_MOST)
            fuzz_die("events", "a name is longer than the file");
    pod_event_reader_close(reader);
}

static void read_events(pod_context *context)
{
    read_event_file(context, fuzz_path);
}

/* The bytes of an event, in a record whose checksums are right. */
static void read_event(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    unsigned char header[POD_RECORD_HEADER], footer[POD_RECORD_FOOTER];
    char path[512];
    const size_t size = fuzz_load(bytes);
    pod_format_record_frame(bytes, size, header, footer);
    snprintf(path, sizeof path, "%s.record", fuzz_path);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(header, sizeof header, 1, file) != 1 || fwrite(bytes, 1, size, file) != size ||
        fwrite(footer, sizeof footer, 1, file) != 1 || fclose(file) != 0)
        fuzz_die("event", "cannot write");
    read_event_file(context, path);
    remove(path);
}

static void read_example(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    const size_t size = fuzz_load(bytes);
    pod_example example;
    pod_bytes encoded;
    pod_error error;
    if (pod_example_decode(context, bytes, size, &example, &error) != POD_OK)
        return;
    if (pod_example_encode(context, &example, &encoded, &error) == POD_OK) {
        pod_example again;
        if (pod_example_decode(context, encoded.data, encoded.size, &again, &error) != POD_OK)
            fuzz_die("example", "what was encoded is not decoded");
        if (again.count != example.count)
            fuzz_die("example", "features were lost");
        pod_example_clear(&again);
        pod_bytes_free(context, &encoded);
    }
    pod_example_clear(&example);
}

/* Takes a value of any kind, as readers do: they know which comes, here its first character tells. */
static pod_status walk_json(pod_json *json, pod_error *error)
{
    int64_t number;
    char *text;
    bool more;
    const char first = json->at < json->end ? *json->at : '\0';
    if (first != '{' && first != '[' && first != '"')
        return pod_format_json_read_int64(json, &number, error);
    if (first == '"') {
        const pod_status status = pod_format_json_read_text(json, &text, error);
        pod_free(json->context, text);
        return status;
    }
    pod_status status = pod_format_json_enter(json, first, error);
    while (status == POD_OK && (status = pod_format_json_next(json, &more, error)) == POD_OK && more) {
        if (first == '{') {
            status = pod_format_json_read_key(json, &text, error);
            pod_free(json->context, text);
        }
        if (status == POD_OK)
            status = walk_json(json, error);
    }
    return status;
}

static void read_json(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    const size_t size = fuzz_load(bytes);
    pod_error error;
    pod_json json;
    pod_format_json_begin(&json, context, (const char *)bytes, size);
    if (walk_json(&json, &error) == POD_OK && pod_format_json_end(&json, &error) != POD_OK)
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
    if (pod_format_csv_open(context, fuzz_path, POD_COMPRESSION_AUTO, ',', &csv, &error) != POD_OK)
        return;
    while (pod_format_csv_next(csv, &fields, &count, &error) == POD_OK)
        for (size_t i = 0; i < count; i++) {
            if (fields[i].text[fields[i].size] != '\0')
                fuzz_die("csv", "a field is not terminated");
            (void)pod_format_csv_read_double(&fields[i], &number);
            (void)pod_format_csv_read_int64(&fields[i], &integer);
        }
    pod_format_csv_close(csv);
}

static void read_image(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    const size_t size = fuzz_load(bytes);
    const pod_image_options options = {.max_pixels = 1 << 20};
    pod_image_decoder *decoder;
    pod_image_type type;
    pod_error error;
    pod_buffer *buffer;
    if (pod_image_decoder_new(context, &decoder, &error) != POD_OK)
        fuzz_die("image", "no decoder");
    if (pod_image_describe(decoder, bytes, size, &options, &type, &error) == POD_OK &&
        pod_buffer_new(context, type.dtype, &type.shape, &buffer, &error) == POD_OK) {
        if (pod_image_decode(decoder, bytes, size, &options, &type, pod_buffer_data(buffer), &error) < 0 &&
            error.message[0] == '\0')
            fuzz_die("image", "a failure without a message");
        pod_buffer_release(buffer);
    }
    pod_image_decoder_free(decoder);
}

/* ---- valid files to begin with: written to fuzz_path ---- */

static pod_buffer *numbers(pod_context *context, pod_dtype dtype, const pod_shape *shape)
{
    pod_buffer *buffer;
    if (pod_buffer_new(context, dtype, shape, &buffer, NULL) != POD_OK)
        fuzz_die("fuzz", "no memory");
    unsigned char *bytes = pod_buffer_data(buffer);
    for (size_t i = 0; i < pod_buffer_bytes(buffer); i++)
        bytes[i] = (unsigned char)(i * 7);
    return buffer;
}

static void write_idx(pod_context *context)
{
    pod_buffer *buffer = numbers(context, POD_S16, &(pod_shape){3, {3, 4, 5}});
    if (pod_idx_write(context, fuzz_path, buffer, NULL) != POD_OK)
        fuzz_die("idx", "cannot write");
    pod_buffer_release(buffer);
}

static void write_idx_gzip(pod_context *context)
{
    pod_buffer *buffer = numbers(context, POD_U8, &(pod_shape){2, {30, 40}});
    char other[512];
    snprintf(other, sizeof other, "%s.gz", fuzz_path);
    (void)remove(fuzz_path); /* not every system renames onto a file */
    if (pod_idx_write(context, other, buffer, NULL) != POD_OK || rename(other, fuzz_path) != 0)
        fuzz_die("idx.gz", "cannot write");
    pod_buffer_release(buffer);
}

static void write_npy(pod_context *context)
{
    pod_buffer *buffer = numbers(context, POD_F32, &(pod_shape){2, {6, 7}});
    if (pod_npy_write(context, fuzz_path, buffer, NULL) != POD_OK)
        fuzz_die("npy", "cannot write");
    pod_buffer_release(buffer);
}

static void write_pickle(pod_context *context)
{
    (void)context;
    fuzz_put(pickled_dictionary, sizeof pickled_dictionary - 1);
    fuzz_put(pickled_lists, sizeof pickled_lists - 1);
}

/* One member, behind a folder. */
static void write_tar(pod_context *context)
{
    unsigned char block[2048 + sizeof pickled_dictionary] = {0};
    static const char *const names[] = {"set/", "set/train"};
    (void)context;
    for (int i = 0; i < 2; i++) {
        unsigned char *header = block + 512 * i;
        unsigned sum = 0;
        snprintf((char *)header, 100, "%s", names[i]);
        snprintf((char *)header + 124, 12, "%011o", i == 0 ? 0 : (unsigned)sizeof pickled_dictionary - 1);
        memset(header + 148, ' ', 8);
        header[156] = i == 0 ? '5' : '0';
        for (int byte = 0; byte < 512; byte++)
            sum += header[byte];
        snprintf((char *)header + 148, 7, "%06o", sum);
    }
    memcpy(block + 1024, pickled_dictionary, sizeof pickled_dictionary - 1);
    fuzz_put(block, 2048);
}

/* Calls `write` with three named arrays. */
static void with_list(pod_context *context, pod_status (*write)(pod_context *context, const pod_buffer_list *list))
{
    pod_named_buffer entries[] = {
        {(char *)"layer/kernel", numbers(context, POD_F32, &(pod_shape){2, {4, 5}})},
        {(char *)"bias", numbers(context, POD_BF16, &(pod_shape){1, {5}})},
        {(char *)"steps", numbers(context, POD_S64, &(pod_shape){0})},
    };
    static const char *const texts[] = {"format", "pt"};
    const pod_buffer_list list = {.count = 3, .entries = entries, .text_count = 1, .texts = (char **)(uintptr_t)texts};
    if (write(context, &list) != POD_OK)
        fuzz_die("fuzz", "cannot write arrays");
    for (int i = 0; i < 3; i++)
        pod_buffer_release(entries[i].buffer);
}

static pod_status npz_stored(pod_context *context, const pod_buffer_list *list)
{
    return pod_npz_write(context, fuzz_path, list, false, NULL);
}

static pod_status npz_packed(pod_context *context, const pod_buffer_list *list)
{
    return pod_npz_write(context, fuzz_path, list, true, NULL);
}

static pod_status safetensors(pod_context *context, const pod_buffer_list *list)
{
    return pod_safetensors_write(context, fuzz_path, list, NULL);
}

static pod_status hdf5(pod_context *context, const pod_buffer_list *list)
{
    static const char *const texts[] = {"layer@name", "dense", "@root", "a text"};
    pod_buffer_list with_texts = *list;
    with_texts.text_count = 2;
    with_texts.texts = (char **)(uintptr_t)texts;
    return pod_hdf5_write(context, fuzz_path, &with_texts, NULL);
}

static void write_hdf5(pod_context *context)
{
    with_list(context, hdf5);
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
        fuzz_die("example", "cannot encode");
}

static void write_example(pod_context *context)
{
    pod_bytes encoded;
    encode(context, &encoded);
    fuzz_put(encoded.data, encoded.size);
    pod_bytes_free(context, &encoded);
}

static void write_records(pod_context *context)
{
    pod_record_writer *writer;
    pod_bytes encoded;
    encode(context, &encoded);
    if (pod_record_writer_open(context, fuzz_path, NULL, &writer, NULL) != POD_OK ||
        pod_record_writer_write(writer, encoded.data, encoded.size, NULL) != POD_OK ||
        pod_record_writer_write(writer, "", 0, NULL) != POD_OK || pod_record_writer_close(writer, NULL) != POD_OK)
        fuzz_die("records", "cannot write");
    pod_bytes_free(context, &encoded);
}

/* Makes an event file and returns its bytes. */
static pod_bytes make_events(pod_context *context)
{
    static const pod_shape one = {0}, pixel = {4, {1, 1, 1, 1}};
    char folder[512];
    pod_event_writer *writer;
    pod_buffer *pixels = NULL;
    pod_bytes text = {"hi", 2}, file = {0};
    snprintf(folder, sizeof folder, "%s.events", fuzz_path);
    if (pod_event_writer_open(context, folder, NULL, &writer, NULL) != POD_OK ||
        pod_buffer_new(context, POD_U8, &pixel, &pixels, NULL) != POD_OK ||
        pod_event_scalar(writer, 7, "loss", 0.5, NULL) != POD_OK ||
        pod_event_histogram(writer, -1, "h", pixels, 2, NULL) != POD_OK ||
        pod_event_image(writer, 1, "i", pixels, 1, NULL) != POD_OK ||
        pod_event_text(writer, 1, "t", &one, &text, NULL) != POD_OK || pod_event_writer_flush(writer, NULL) != POD_OK ||
        pod_file_read(context, pod_event_writer_path(writer), &file, NULL) != POD_OK)
        fuzz_die("events", "cannot write");
    remove(pod_event_writer_path(writer));
    remove(folder);
    (void)pod_event_writer_close(writer, NULL);
    pod_buffer_release(pixels);
    return file;
}

static void write_events(pod_context *context)
{
    pod_bytes file = make_events(context);
    fuzz_put(file.data, file.size);
    pod_bytes_free(context, &file);
}

/* Those of the records, one by one; and one of another writer: a plain number, and a tensor of one in a list. */
static void write_event(pod_context *context)
{
    static const unsigned char other[] = {9,  0, 0,   0,  0,  0, 0, 0xf0, 0x3f, 16, 3,  42, 32,   10,  10,
                                          10, 1, 'a', 21, 0,  0, 0, 63,   10,   18, 10, 1,  'b',  66,  13,
                                          8,  2, 18,  0,  50, 8, 0, 0,    0,    0,  0,  0,  0xf0, 0x3f};
    pod_bytes file = make_events(context);
    const unsigned char *bytes = file.data;
    for (size_t at = 0, size; at + POD_RECORD_HEADER < file.size; at += POD_RECORD_HEADER + size + POD_RECORD_FOOTER) {
        size = (size_t)pod_little_u64(bytes + at);
        fuzz_put(bytes + at + POD_RECORD_HEADER, size);
    }
    fuzz_put(other, sizeof other);
    pod_bytes_free(context, &file);
}

static void write_json(pod_context *context)
{
    static const char text[] = "{\"a\": [1, -2.5e-3, true, null, \"\\u00e4\\n\"], \"b\": {\"c\": {}, \"d\": []}}";
    (void)context;
    fuzz_put(text, sizeof text - 1);
}

static void write_csv(pod_context *context)
{
    static const char text[] = "name,age\r\n\"Smith, \"\"J\"\"\",30\n\n\"line\nbreak\",-1.5e3\n";
    (void)context;
    fuzz_put(text, sizeof text - 1);
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
    fuzz_put(bytes, size);
}

#define IMAGE_WRITER(name)                                                                                             \
    static void write_##name(pod_context *context)                                                                     \
    {                                                                                                                  \
        (void)context;                                                                                                 \
        write_image(#name);                                                                                            \
    }

IMAGE_WRITER(png_rgb)
IMAGE_WRITER(png_palette)
IMAGE_WRITER(jpeg_grey)
IMAGE_WRITER(jpeg_progressive)

const fuzz_target fuzz_formats[] = {
    {"idx", write_idx, read_idx},
    {"idx_gzip", write_idx_gzip, read_idx},
    {"npy", write_npy, read_npy},
    {"npz", write_npz, read_npz},
    {"npz_packed", write_npz_packed, read_npz},
    {"safetensors", write_safetensors, read_safetensors},
    {"hdf5", write_hdf5, read_hdf5},
    {"zip", write_npz_packed, read_zip},
    {"pickle", write_pickle, read_pickle},
    {"tar", write_tar, read_tar},
    {"records", write_records, read_records},
    {"example", write_example, read_example},
    {"events", write_events, read_events},
    {"event", write_event, read_event},
    {"json", write_json, read_json},
    {"csv", write_csv, read_csv},
    {"png", write_png_rgb, read_image},
    {"png_palette", write_png_palette, read_image},
    {"jpeg", write_jpeg_grey, read_image},
    {"jpeg_progressive", write_jpeg_progressive, read_image},
    {0},
};
