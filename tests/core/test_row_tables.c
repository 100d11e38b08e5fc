/* Batches whose rows stay where they are: what an infeed gives, and what programs make of it. */

#include "data_cases.h"
#include "engine/run_state.h"
#include "program_run.h"

static pod_context *context;
static pod_error error;

/* A buffer of u8 with elements that differ from row to row. */
static pod_buffer *bytes_of(int64_t rows, int64_t columns)
{
    pod_buffer *buffer;
    ASSERT_OK(pod_buffer_new(context, POD_U8, &(pod_shape){2, {rows, columns}}, &buffer, &error));
    unsigned char *to = pod_buffer_data(buffer);
    for (int64_t i = 0; i < rows * columns; i++)
        to[i] = (unsigned char)(i * 7 + i / columns * 13);
    return buffer;
}

/* A dataset of `rows` rows of `columns` bytes, and one byte as their label. */
static pod_dataset *pictures(int64_t rows, int64_t columns)
{
    pod_dataset *dataset;
    pod_buffer *buffers[] = {bytes_of(rows, columns), bytes_of(rows, 1)};
    ASSERT_OK(pod_dataset_from_slices(context, buffers, 2, &dataset, &error));
    pod_buffer_release(buffers[0]);
    pod_buffer_release(buffers[1]);
    return dataset;
}

static pod_dataset *shuffled(int64_t rows, int64_t columns, int64_t size)
{
    return prefetch(batch(repeat(shuffle(pictures(rows, columns), 16, 3), 2), size, false), 2);
}

static void release(pod_buffer **buffers)
{
    pod_buffer_release(buffers[0]);
    pod_buffer_release(buffers[1]);
}

/* ---- what the infeed gives ---------------------------------------------------------------------------- */

TEST(rows_stay_where_they_are_and_are_those_that_next_gives)
{
    pod_dataset *dataset = shuffled(37, 100, 8);
    pod_dataset_iterator *by_address, *whole;
    const pod_iterator_options first = {.epoch = 1};
    ASSERT_OK(pod_dataset_iterator_open(dataset, &first, &by_address, &error));
    ASSERT_OK(pod_dataset_iterator_open(dataset, &first, &whole, &error));
    const pod_infeed infeed = pod_dataset_iterator_infeed(by_address);
    const bool by_rows[] = {true, true};
    int batches = 0, tables = 0;
    for (;; batches++) {
        pod_buffer *given[2], *expected[2];
        pod_infeed_rows rows[2] = {{0}};
        pod_component next[2];
        const pod_status status = pod_dataset_iterator_peek(by_address, next, &error);
        ASSERT_EQ(status, pod_dataset_iterator_next(whole, expected, &error));
        if (status == POD_END)
            break;
        ASSERT_OK(infeed.next_rows(infeed.context, by_rows, given, rows, 2, &error));
        ASSERT(!rows[1].by_address); /* of a byte: not worth it */
        const pod_shape *shape = pod_buffer_shape(expected[0]);
        ASSERT(pod_shape_equal(shape, &next[0].shape) && next[0].dtype == POD_U8);
        const unsigned char *wanted = pod_buffer_data(expected[0]);
        for (int64_t i = 0; rows[0].by_address && i < shape->dims[0]; i++) {
            const uint64_t *table = pod_buffer_data(given[0]);
            ASSERT(memcmp((const void *)(uintptr_t)table[i], wanted + i * 100, 100) == 0);
        }
        if (rows[0].by_address)
            ASSERT(rows[0].dtype == POD_U8 && pod_shape_equal(shape, &rows[0].shape));
        else
            ASSERT(memcmp(pod_buffer_data(given[0]), wanted, pod_buffer_bytes(given[0])) == 0);
        ASSERT(memcmp(pod_buffer_data(given[1]), pod_buffer_data(expected[1]), pod_buffer_bytes(expected[1])) == 0);
        tables += rows[0].by_address;
        release(given);
        release(expected);
    }
    ASSERT_EQ(10, batches); /* of 74 rows; those that were made before the first question are whole */
    ASSERT(tables >= 6);
    pod_dataset_iterator_close(by_address);
    pod_dataset_iterator_close(whole);
    pod_dataset_release(dataset);
}

TEST(who_asks_for_values_gets_them_after_rows)
{
    pod_dataset *dataset = repeat(batch(pictures(24, 64), 4, false), -1);
    pod_dataset_iterator *iterator = open_iterator(dataset);
    const pod_infeed infeed = pod_dataset_iterator_infeed(iterator);
    const bool rows_first[] = {true, false}, none[] = {false, false};
    pod_buffer *given[2];
    pod_buffer *all = bytes_of(24, 64);
    const char *expected = pod_buffer_data(all);
    for (int i = 0; i < 12; i++) {
        pod_infeed_rows rows[2] = {{0}};
        if (i % 3 == 0)
            ASSERT_OK(infeed.next_rows(infeed.context, rows_first, given, rows, 2, &error));
        else if (i % 3 == 1)
            ASSERT_OK(pod_dataset_iterator_next(iterator, given, &error));
        else
            ASSERT_OK(infeed.next_rows(infeed.context, none, given, rows, 2, &error));
        ASSERT_EQ(i % 3 == 0, rows[0].by_address);
        if (!rows[0].by_address)
            ASSERT(memcmp(pod_buffer_data(given[0]), expected + i % 6 * 256, 256) == 0);
        release(given);
    }
    pod_buffer_release(all);
    pod_dataset_iterator_close(iterator);
    pod_dataset_release(dataset);
}

TEST(elements_that_do_not_stay_are_copied)
{
    pod_dataset *inputs[] = {cache(batch(pictures(8, 64), 1, false)), shuffle(batch(pictures(8, 64), 2, false), 4, 1)};
    for (int i = 0; i < 2; i++) {
        pod_dataset *dataset = batch(inputs[i], 2, false);
        pod_dataset_iterator *iterator = open_iterator(dataset);
        const pod_infeed infeed = pod_dataset_iterator_infeed(iterator);
        const bool by_rows[] = {true, true};
        pod_infeed_rows rows[2] = {{0}};
        pod_buffer *given[2];
        for (int j = 0; j < 2; j++) {
            ASSERT_OK(infeed.next_rows(infeed.context, by_rows, given, rows, 2, &error));
            ASSERT(!rows[0].by_address && !rows[1].by_address);
            release(given);
        }
        pod_dataset_iterator_close(iterator);
        pod_dataset_release(dataset);
    }
}

/* ---- what programs make of it -------------------------------------------------------------------------- */

/* Values per element of a batch of bytes; `table`: by a loop that is a table. */
static pod_graph *reader(int64_t rows, int64_t columns, bool table)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "reader", &graph, &error));
    const pod_shape shape = {2, {rows, columns}};
    pod_node *x = pod_graph_parameter(graph, POD_U8, &shape, "x");
    pod_node *y = pod_graph_parameter(graph, POD_U8, &(pod_shape){2, {rows, 1}}, "y");
    pod_node *wide = pod_graph_convert(graph, x, POD_F32);
    pod_node *scale = pod_graph_scalar(graph, POD_F32, 0.37, &shape);
    pod_node *scaled = pod_graph_multiply(graph, wide, scale);
    pod_graph_add_output(graph, pod_graph_convert(graph, y, POD_S32));
    pod_graph_add_output(graph, table ? pod_graph_convert(graph, scaled, POD_BF16) : scaled);
    if (!table)
        pod_graph_add_output(graph, pod_graph_convert(graph, wide, POD_BF16));
    ASSERT_OK(pod_graph_check(graph, &error));
    return graph;
}

static void check_batches(int64_t rows, int64_t columns, int threads, bool table)
{
    pod_dataset *dataset = shuffled(3 * rows, columns, rows);
    pod_graph *graph = reader(rows, columns, table);
    const size_t outputs = pod_graph_output_count(graph);
    pod_program *program;
    ASSERT_OK(pod_context_set_threads(context, threads, &error));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    ASSERT(program->reads_rows[0] && program->reads_rows[1]);
    pod_dataset_iterator *by_address, *whole;
    const pod_iterator_options first = {.epoch = 1};
    ASSERT_OK(pod_dataset_iterator_open(dataset, &first, &by_address, &error));
    ASSERT_OK(pod_dataset_iterator_open(dataset, &first, &whole, &error));
    const pod_infeed infeed = pod_dataset_iterator_infeed(by_address);
    const pod_run_options how = {.infeed = &infeed, .infeed_count = 2};
    for (int step = 0; step < 6; step++) {
        pod_buffer *none[2] = {NULL}, *arguments[2], *results[3], *expected[3];
        pod_run_report report;
        ASSERT_OK(pod_program_run(program, none, results, &how, &report, &error));
        ASSERT_EQ(1, report.steps);
        ASSERT(program->run_state->infed_rows[0].by_address || step == 0);
        ASSERT_OK(pod_dataset_iterator_next(whole, arguments, &error));
        ASSERT_OK(pod_program_run(program, arguments, expected, NULL, NULL, &error));
        for (size_t i = 0; i < outputs; i++) {
            ASSERT(memcmp(pod_buffer_data(expected[i]), pod_buffer_data(results[i]), pod_buffer_bytes(expected[i])) ==
                   0);
            pod_buffer_release(expected[i]);
            pod_buffer_release(results[i]);
        }
        release(arguments);
    }
    pod_dataset_iterator_close(by_address);
    pod_dataset_iterator_close(whole);
    pod_program_free(program);
    pod_graph_free(graph);
    pod_dataset_release(dataset);
}

TEST(programs_read_rows_where_they_lie)
{
    const int64_t columns[] = {64, 100, 784, 1024, 3000};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        for (int threads = 1; threads <= 3; threads++)
            for (int table = 0; table < 2; table++)
                check_batches(96, columns[i], threads, table);
}

/* Gives tables of its own making. */
typedef struct feeder {
    pod_buffer *table;
    pod_infeed_rows rows;
} feeder;

static pod_status feed_nothing(void *given, pod_buffer **slots, size_t count, pod_error *out)
{
    (void)given, (void)slots, (void)count;
    return pod_error_set(out, POD_ERROR_STATE, "next_rows() comes in its place");
}

static pod_status feed_rows(void *given, const bool *by_rows, pod_buffer **slots, pod_infeed_rows *rows, size_t count,
                            pod_error *out)
{
    feeder *f = given;
    (void)by_rows, (void)out;
    ASSERT(count == 1 && !rows[0].by_address);
    slots[0] = pod_buffer_retain(f->table);
    rows[0] = f->rows;
    return POD_OK;
}

static pod_status run_fed(pod_program *program, feeder *f, pod_buffer **results)
{
    const pod_infeed infeed = {.next = feed_nothing, .context = f, .next_rows = feed_rows};
    const pod_run_options how = {.infeed = &infeed, .infeed_count = 1};
    pod_buffer *none = NULL;
    return pod_program_run(program, &none, results, &how, NULL, &error);
}

/* Negates a reshaped parameter: a loop's blocks then have several rows, and parts of them. */
static pod_program *compile_reshaped(const pod_shape *given, const pod_shape *read, bool transposed)
{
    pod_graph *graph;
    pod_program *program;
    ASSERT_OK(pod_graph_new(context, "reshaped", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_F32, given, "x");
    x = pod_graph_reshape(graph, x, read);
    if (transposed)
        x = pod_graph_transpose(graph, x, &(pod_axes){2, {1, 0}});
    pod_graph_add_output(graph, pod_graph_negate(graph, x));
    ASSERT_OK(pod_graph_check(graph, &error));
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    pod_graph_free(graph);
    return program;
}

/* Rows of floats in the opposite order of memory. */
static feeder backwards(pod_buffer *data, const pod_shape *shape)
{
    feeder f = {.rows = {true, POD_F32, *shape}};
    const int64_t rows = shape->dims[0];
    const size_t bytes = pod_buffer_bytes(data) / (size_t)rows;
    ASSERT_OK(pod_buffer_new(context, POD_U64, &(pod_shape){1, {rows}}, &f.table, &error));
    for (int64_t i = 0; i < rows; i++)
        ((uint64_t *)pod_buffer_data(f.table))[i] =
            (uintptr_t)((char *)pod_buffer_data(data) + (size_t)(rows - 1 - i) * bytes);
    return f;
}

TEST(blocks_and_rows_may_cross)
{
    const pod_shape given = {2, {90, 5}}, read[] = {{1, {450}}, {2, {10, 45}}, {2, {225, 2}}};
    pod_buffer *data, *result;
    ASSERT_OK(pod_buffer_new(context, POD_F32, &given, &data, &error));
    for (int i = 0; i < 450; i++)
        ((float *)pod_buffer_data(data))[i] = (float)i;
    feeder f = backwards(data, &given);
    for (int form = 0; form < 3; form++) {
        pod_program *program = compile_reshaped(&given, &read[form], false);
        ASSERT(program->reads_rows[0]);
        ASSERT_OK(run_fed(program, &f, &result));
        for (int i = 0; i < 450; i++)
            ASSERT_NUMBER(-((89 - i / 5) * 5 + i % 5), ((float *)pod_buffer_data(result))[i]);
        pod_buffer_release(result);
        pod_program_free(program);
    }
    pod_buffer_release(f.table);
    pod_buffer_release(data);
}

/* Rows of five bytes, read two by two: what a thread begins with may lie within a row. */
TEST(tables_of_bytes_and_rows_may_cross)
{
    const pod_shape given = {2, {600002, 5}}, read = {2, {1500005, 2}};
    pod_buffer *data = bytes_of(600002, 5), *result, *none = NULL;
    pod_graph *graph;
    pod_program *program;
    ASSERT_OK(pod_graph_new(context, "bytes", &graph, &error));
    pod_node *x = pod_graph_reshape(graph, pod_graph_parameter(graph, POD_U8, &given, "x"), &read);
    x = pod_graph_multiply(graph, pod_graph_convert(graph, x, POD_F32), pod_graph_scalar(graph, POD_F32, 0.5, &read));
    pod_graph_add_output(graph, pod_graph_convert(graph, x, POD_BF16));
    ASSERT_OK(pod_graph_check(graph, &error));
    feeder f = backwards(data, &given);
    f.rows.dtype = POD_U8;
    const pod_infeed infeed = {.next = feed_nothing, .context = &f, .next_rows = feed_rows};
    const pod_run_options how = {.infeed = &infeed, .infeed_count = 1};
    for (int threads = 1; threads <= 3; threads++) {
        ASSERT_OK(pod_context_set_threads(context, threads, &error));
        ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
        ASSERT(program->reads_rows[0] && program->function->instructions[0]->loop->table);
        ASSERT_OK(pod_program_run(program, &none, &result, &how, NULL, &error));
        for (int i = 0; i < 3000010; i++) {
            float value;
            pod_convert(POD_BF16, (uint16_t *)pod_buffer_data(result) + i, POD_F32, &value, 1);
            const unsigned char byte = ((unsigned char *)pod_buffer_data(data))[(600001 - i / 5) * 5 + i % 5];
            ASSERT_NUMBER(byte * 0.5, value);
        }
        pod_buffer_release(result);
        pod_program_free(program);
    }
    pod_graph_free(graph);
    pod_buffer_release(f.table);
    pod_buffer_release(data);
}

TEST(tables_are_checked)
{
    const pod_shape given = {2, {90, 5}}, flat = {1, {450}}, square = {2, {90, 5}};
    pod_buffer *data, *result;
    ASSERT_OK(pod_buffer_new(context, POD_F32, &given, &data, &error));
    pod_program *program = compile_reshaped(&given, &flat, false);
    pod_program *other = compile_reshaped(&given, &square, true);
    ASSERT(!other->reads_rows[0]);
    feeder f = backwards(data, &given);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "rows of argument 0", run_fed(other, &f, &result));
    feeder wrong = f;
    wrong.rows.dtype = POD_S32;
    ASSERT_FAILS(POD_ERROR_DTYPE, "has type int32", run_fed(program, &wrong, &result));
    wrong = f;
    wrong.rows.shape.dims[0] = 91;
    ASSERT_FAILS(POD_ERROR_SHAPE, "has shape (91, 5)", run_fed(program, &wrong, &result));
    wrong = f;
    wrong.table = data;
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "a table of another form", run_fed(program, &wrong, &result));
    ASSERT_OK(run_fed(program, &f, &result));
    pod_buffer_release(result);
    pod_buffer_release(f.table);
    pod_buffer_release(data);
    pod_program_free(program);
    pod_program_free(other);
}

TEST_MAIN(context = test_context(NULL); RUN(rows_stay_where_they_are_and_are_those_that_next_gives);
          RUN(who_asks_for_values_gets_them_after_rows); RUN(elements_that_do_not_stay_are_copied);
          RUN(programs_read_rows_where_they_lie); RUN(blocks_and_rows_may_cross);
          RUN(tables_of_bytes_and_rows_may_cross); RUN(tables_are_checked); pod_context_release(context))
