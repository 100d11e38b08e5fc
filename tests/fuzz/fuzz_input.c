/* What datasets read: states of iterators, files of elements, and datasets of lines, pieces, records and tables. */

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "moonpod/data.h"

/* Goes through a dataset; takes it. */
static void walk(pod_dataset *dataset)
{
    pod_dataset_iterator *iterator;
    pod_buffer *element[POD_MAX_COMPONENTS];
    pod_error error = {.message = ""};
    if (pod_dataset_iterator_open(dataset, &(pod_iterator_options){.no_threads = true}, &iterator, &error) == POD_OK) {
        pod_status status;
        while ((status = pod_dataset_iterator_next(iterator, element, &error)) == POD_OK)
            for (size_t i = 0; i < pod_dataset_component_count(dataset); i++)
                pod_buffer_release(element[i]);
        if (status < 0 && error.message[0] == '\0')
            fuzz_die("input", "a failure without a message");
        pod_dataset_iterator_close(iterator);
    }
    pod_dataset_release(dataset);
}

/* ---- states of iterators ---- */

static pod_dataset *numbers(pod_context *context)
{
    pod_dataset *range, *mixed;
    if (pod_dataset_range(context, 0, 20, 1, &range, NULL) != POD_OK ||
        pod_dataset_shuffle(range, &(pod_shuffle_options){.buffer_size = 5, .seed = 1}, &mixed, NULL) != POD_OK)
        fuzz_die("state", "no dataset");
    pod_dataset_release(range);
    return mixed;
}

static void write_state(pod_context *context)
{
    pod_dataset *dataset = numbers(context);
    pod_dataset_iterator *iterator;
    if (pod_dataset_iterator_open(dataset, NULL, &iterator, NULL) != POD_OK ||
        pod_dataset_iterator_save(iterator, fuzz_path, NULL) != POD_OK)
        fuzz_die("state", "cannot write");
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

static void read_state(pod_context *context)
{
    pod_dataset *dataset = numbers(context);
    pod_dataset_iterator *iterator;
    pod_buffer *element;
    pod_error error;
    if (pod_dataset_iterator_open(dataset, NULL, &iterator, &error) != POD_OK)
        fuzz_die("state", "no iterator");
    if (pod_dataset_iterator_load(iterator, fuzz_path, &error) == POD_OK &&
        pod_dataset_iterator_next(iterator, &element, &error) == POD_OK)
        pod_buffer_release(element);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

/* ---- files ---- */

static void write_elements(pod_context *context)
{
    static const char *const texts[] = {"one", "", "three"};
    pod_dataset *both[2], *dataset;
    if (pod_dataset_from_texts(context, texts, NULL, 3, &both[0], NULL) != POD_OK ||
        pod_dataset_range(context, 0, 3, 1, &both[1], NULL) != POD_OK ||
        pod_dataset_zip(both, 2, &dataset, NULL) != POD_OK ||
        pod_dataset_save(dataset, fuzz_path, NULL, "{1,2}", NULL) != POD_OK)
        fuzz_die("elements", "cannot write");
    pod_dataset_release(dataset);
    pod_dataset_release(both[0]);
    pod_dataset_release(both[1]);
}

static void read_elements(pod_context *context)
{
    pod_dataset *dataset;
    char *note;
    pod_error error;
    if (pod_dataset_load(context, fuzz_path, &dataset, &note, &error) != POD_OK)
        return;
    pod_text_free(context, note);
    walk(dataset);
}

static void read_files(pod_context *context, const pod_files_options *options)
{
    const char *paths[] = {fuzz_path};
    pod_dataset *dataset;
    if (pod_dataset_files(context, paths, 1, options, &dataset, NULL) == POD_OK)
        walk(dataset);
}

static void write_lines(pod_context *context)
{
    static const char text[] = "one\n\r\ntwo\r\nthree";
    (void)context;
    fuzz_put(text, sizeof text - 1);
}

static void read_lines(pod_context *context)
{
    read_files(context, &(pod_files_options){.kind = POD_FILE_LINES, .compression = "auto"});
    read_files(context,
               &(pod_files_options){.kind = POD_FILE_PIECES, .record_bytes = 3, .header_bytes = 2, .footer_bytes = 1});
}

static void write_table(pod_context *context)
{
    static const char text[] = "a,b,c\n1,2.5,x\n-3,,\"y \"\"z\"\"\"\n";
    (void)context;
    fuzz_put(text, sizeof text - 1);
}

static void read_table(pod_context *context)
{
    static const pod_csv_column columns[] = {
        {.index = 0, .dtype = POD_S32},
        {.index = 1, .dtype = POD_F32, .has_default = true, .default_value = 7},
        {.index = 2, .text = true},
    };
    const pod_csv_options options = {.columns = columns, .column_count = 3, .has_header = true, .compression = "auto"};
    const char *paths[] = {fuzz_path};
    pod_dataset *dataset;
    char **names;
    size_t count;
    if (pod_csv_names(context, fuzz_path, &options, &names, &count, NULL) == POD_OK)
        pod_csv_names_free(context, names);
    if (pod_dataset_csv(context, paths, 1, &options, &dataset, NULL) == POD_OK)
        walk(dataset);
}

/* A feature of each kind, from one record file. */
static void write_parsed(pod_context *context)
{
    static const int64_t integers[] = {1, -2};
    static const float floats[] = {0.5f};
    static const pod_bytes texts[] = {{"abc", 3}};
    const pod_feature features[] = {
        {{"i", 1}, POD_FEATURE_INT64, 2, NULL, NULL, integers},
        {{"f", 1}, POD_FEATURE_FLOAT, 1, NULL, floats, NULL},
        {{"t", 1}, POD_FEATURE_BYTES, 1, texts, NULL, NULL},
    };
    pod_bytes encoded;
    if (pod_example_encode(context, &(pod_example){3, features, NULL}, &encoded, NULL) != POD_OK)
        fuzz_die("parsed", "cannot encode");
    fuzz_put(encoded.data, encoded.size);
    pod_bytes_free(context, &encoded);
}

static void read_parsed(pod_context *context)
{
    static unsigned char bytes[FUZZ_MOST];
    static const pod_feature_spec specs[] = {
        {.name = "i", .dtype = POD_S64, .shape = {1, {2}}},
        {.name = "f", .dtype = POD_F32, .shape = {1, {-1}}},
        {.name = "t", .dtype = POD_U8, .shape = {1, {-1}}, .text = true},
    };
    const size_t size = fuzz_load(bytes);
    const char *text = (const char *)bytes;
    pod_dataset *records, *dataset;
    if (pod_dataset_from_texts(context, &text, &size, 1, &records, NULL) != POD_OK)
        fuzz_die("parsed", "no dataset");
    const pod_status status = pod_dataset_parse_examples(records, specs, 3, &dataset, NULL);
    pod_dataset_release(records);
    if (status == POD_OK)
        walk(dataset);
}

const fuzz_target fuzz_inputs[] = {
    {"state", write_state, read_state}, {"elements", write_elements, read_elements}, {"lines", write_lines, read_lines},
    {"table", write_table, read_table}, {"parsed", write_parsed, read_parsed},       {0},
};
