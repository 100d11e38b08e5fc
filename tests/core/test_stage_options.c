/* What datasets are not made of: options, types and shapes that each stage refuses, by what it says. */

#include "data_cases.h"

static pod_context *context;
static pod_error error;

/* What the last call made, which is nothing. */
static pod_dataset *made;

#define REFUSES(status, part, call)                                                                                    \
    do {                                                                                                               \
        ASSERT_FAILS(status, part, call);                                                                              \
        ASSERT(made == NULL);                                                                                          \
    } while (0)

/* Elements of so many axes of size 1, or as many components of numbers. */
static pod_dataset *deep(int axes)
{
    pod_dataset *dataset = range_of(context, 4);
    for (int i = 0; i < axes; i++)
        dataset = batch(dataset, 1, true);
    return dataset;
}

static pod_dataset *wide(size_t count)
{
    pod_dataset *inputs[POD_MAX_COMPONENTS], *dataset;
    for (size_t i = 0; i < count; i++)
        inputs[i] = range_of(context, 4);
    ASSERT_OK(pod_dataset_zip(inputs, count, &dataset, &error));
    for (size_t i = 0; i < count; i++)
        pod_dataset_release(inputs[i]);
    return dataset;
}

/* Elements that are a line of a file each; the file is not looked for. */
static pod_dataset *lines(void)
{
    const char *path = "/no such file";
    pod_dataset *dataset;
    const pod_files_options options = {.kind = POD_FILE_LINES};
    ASSERT_OK(pod_dataset_files(context, &path, 1, &options, &dataset, &error));
    return dataset;
}

TEST(batches_refuse)
{
    pod_dataset *full = deep(POD_MAX_RANK), *row = deep(1), *text = lines();
    const pod_shape small = {1, {0}}, other = {2, {1, 1}};
    REFUSES(POD_ERROR_SHAPE, "batch cannot stack component 0: it has 8 axes already",
            pod_dataset_batch(full, &(pod_batch_options){.size = 2}, &made, &error));
    REFUSES(POD_ERROR_SHAPE, "padded_batch cannot stack component 0: it has 8 axes already",
            pod_dataset_padded_batch(full, &(pod_padded_batch_options){.size = 2}, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "the size of a batch is 0",
            pod_dataset_padded_batch(row, &(pod_padded_batch_options){.size = 0}, &made, &error));
    REFUSES(POD_ERROR_SHAPE, "padded_batch: component 0 is (1,), which cannot be filled up to (0,)",
            pod_dataset_padded_batch(row, &(pod_padded_batch_options){.size = 2, .shapes = &small}, &made, &error));
    REFUSES(POD_ERROR_SHAPE, "which cannot be filled up to (1, 1)",
            pod_dataset_padded_batch(row, &(pod_padded_batch_options){.size = 2, .shapes = &other}, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "a window of size 0, shift 0 and stride 1",
            pod_dataset_window(row, &(pod_window_options){.size = 0}, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "size times stride at most 2^31",
            pod_dataset_window(row, &(pod_window_options){.size = 1 << 20, .stride = 1 << 20}, &made, &error));
    REFUSES(POD_ERROR_UNSUPPORTED, "window cannot stack component 0: it is text or has 8 axes",
            pod_dataset_window(full, &(pod_window_options){.size = 2}, &made, &error));
    REFUSES(POD_ERROR_UNSUPPORTED, "window cannot stack component 0: it is text",
            pod_dataset_window(text, &(pod_window_options){.size = 2}, &made, &error));
    pod_dataset_release(full);
    pod_dataset_release(row);
    pod_dataset_release(text);
}

TEST(what_joins_datasets_refuses)
{
    pod_dataset *all = wide(POD_MAX_COMPONENTS), *row = deep(1), *scalar = range_of(context, 4);
    REFUSES(POD_ERROR_ARGUMENT, "concatenate needs at least one dataset",
            pod_dataset_concatenate(NULL, 0, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "zip needs at least one dataset", pod_dataset_zip(NULL, 0, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "zip would give elements of more than 64 components",
            pod_dataset_zip((pod_dataset *[]){all, row}, 2, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "numbering elements of 64 components: there is no room for one more",
            pod_dataset_number(all, 1, &made, &error));
    REFUSES(POD_ERROR_DTYPE, "choose_from_datasets: the choices must be int64 scalars",
            pod_dataset_choose(&scalar, 1, row, true, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "distribute: 1 hosts with 0 pieces, 1 a step, are not possible",
            pod_dataset_hosts(&row, 1, &(pod_hosts_options){.pieces_a_step = 1}, &made, &error));
    REFUSES(POD_ERROR_SHAPE, "distribute: component 0 is no batch: it has no rows",
            pod_dataset_hosts(&scalar, 1, &(pod_hosts_options){.pieces = 1, .pieces_a_step = 1}, &made, &error));
    pod_dataset_release(all);
    pod_dataset_release(row);
    pod_dataset_release(scalar);
}

static pod_status expand(void *own, pod_buffer *const *components, pod_dataset **dataset, pod_error *failure)
{
    (void)own, (void)components, (void)dataset, (void)failure;
    FAIL("nothing is asked for");
}

TEST(turns_and_threads_refuse)
{
    static const struct {
        pod_interleave_options options;
        const char *message;
    } cases[] = {
        {{.cycle_length = -1}, "the cycle length of interleave is -1; it must be 1 to 4096"},
        {{.cycle_length = 4097}, "the cycle length of interleave is 4097"},
        {{.block_length = -1}, "the block length of interleave is -1; it must be at least 1"},
        {{.threads = -2}, "the number of parallel calls of interleave is -2; it is -1 (AUTOTUNE) or 0 to 4096"},
        {{.threads = 4097}, "the number of parallel calls of interleave is 4097"}};
    const pod_expansion expansion = {.expand = expand};
    const pod_component component = {.dtype = POD_S64};
    pod_dataset *scalar = range_of(context, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        REFUSES(POD_ERROR_ARGUMENT, cases[i].message,
                pod_dataset_interleave(scalar, &expansion, &component, 1, &cases[i].options, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "stage 'range' cannot run on several threads",
            pod_dataset_parallel(scalar, &(pod_parallel_options){.threads = 2}, &made, &error));
    pod_dataset *text = lines(), *decoded;
    ASSERT_OK(pod_dataset_decode(text, &(pod_decode_output){.component = 0}, 1, &decoded, &error));
    REFUSES(POD_ERROR_ARGUMENT, "257",
            pod_dataset_parallel(decoded, &(pod_parallel_options){.threads = 257}, &made, &error));
    pod_dataset_release(decoded);
    pod_dataset_release(text);
    pod_dataset_release(scalar);
}

TEST(what_reads_files_refuses)
{
    const char *path = "/no such file";
    const pod_csv_column behind = {.index = 3, .dtype = POD_F32}, before = {.index = -1, .dtype = POD_F32};
    const pod_csv_column without = {.index = 0, .dtype = POD_DTYPE_NONE};
    REFUSES(POD_ERROR_ARGUMENT, "1 to 64 columns are read, not 0",
            pod_dataset_csv(context, &path, 1, &(pod_csv_options){.column_count = 0}, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "column 3 of rows of 3 fields; columns count from 0",
            pod_dataset_csv(context, &path, 1,
                            &(pod_csv_options){.columns = &behind, .column_count = 1, .field_count = 3}, &made,
                            &error));
    REFUSES(
        POD_ERROR_ARGUMENT, "column -1 of rows",
        pod_dataset_csv(context, &path, 1, &(pod_csv_options){.columns = &before, .column_count = 1}, &made, &error));
    REFUSES(
        POD_ERROR_DTYPE, "column 0 has no type",
        pod_dataset_csv(context, &path, 1, &(pod_csv_options){.columns = &without, .column_count = 1}, &made, &error));
    pod_files_options pieces = {.kind = POD_FILE_PIECES, .record_bytes = 0};
    REFUSES(POD_ERROR_ARGUMENT, "fixed-length records of 0 bytes after a header of 0",
            pod_dataset_files(context, &path, 1, &pieces, &made, &error));
    pieces = (pod_files_options){.kind = POD_FILE_PIECES, .record_bytes = 8, .compression = "gzip"};
    REFUSES(POD_ERROR_UNSUPPORTED, "fixed-length records are not read from compressed files",
            pod_dataset_files(context, &path, 1, &pieces, &made, &error));
}

TEST(what_parses_and_decodes_refuses)
{
    pod_dataset *text = lines(), *scalar = range_of(context, 4);
    pod_buffer *value;
    ASSERT_OK(pod_buffer_new(context, POD_F32, &(pod_shape){1, {3}}, &value, &error));
    const pod_feature_spec any = {.name = "a", .dtype = POD_F32, .shape = {2, {2, -1}}},
                           bytes = {.name = "b", .dtype = POD_F32, .shape = {1, {-1}}, .text = true};
    const pod_feature_spec wrong = {.name = "c", .dtype = POD_F32, .shape = {1, {2}}, .default_value = value};
    const pod_feature_spec plain = {.name = "d", .dtype = POD_F32, .shape = {1, {2}}};
    REFUSES(POD_ERROR_ARGUMENT, "1 to 64 features are parsed, not 0",
            pod_dataset_parse_examples(text, NULL, 0, &made, &error));
    REFUSES(POD_ERROR_DTYPE, "examples are parsed from elements that are one string of bytes",
            pod_dataset_parse_examples(scalar, &plain, 1, &made, &error));
    REFUSES(POD_ERROR_SHAPE, "feature 'a' is to be (2, -1): sizes must be known",
            pod_dataset_parse_examples(text, &any, 1, &made, &error));
    REFUSES(POD_ERROR_DTYPE, "feature 'b' is text, which is uint8 (-1,)",
            pod_dataset_parse_examples(text, &bytes, 1, &made, &error));
    REFUSES(POD_ERROR_SHAPE, "the default of feature 'c' does not have its type and shape",
            pod_dataset_parse_examples(text, &wrong, 1, &made, &error));
    REFUSES(POD_ERROR_ARGUMENT, "1 to 64 components are decoded, not 0",
            pod_dataset_decode(text, NULL, 0, &made, &error));
    pod_buffer_release(value);
    pod_dataset_release(text);
    pod_dataset_release(scalar);
}

TEST_MAIN(context = test_context(NULL); RUN(batches_refuse); RUN(what_joins_datasets_refuses);
          RUN(turns_and_threads_refuse); RUN(what_reads_files_refuses); RUN(what_parses_and_decodes_refuses);
          pod_context_release(context))
