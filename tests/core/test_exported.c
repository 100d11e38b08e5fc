/* Exported programs and weights, loaded without Lua: what they compute, what files are refused, what fails cleanly. */

#include "test.h"

#include <time.h>

#include "base/text.h"
#include "count_threads.h"
#include "exported_cases.h"
#include "moonpod/exported.h"
#include "test_path.h"

static pod_context *context;
static pod_error error;
static char path[256];

static void write_valid(bool counts)
{
    if (!exported_write_valid(context, path, counts))
        FAIL("the file cannot be written");
}

static pod_exported *open_valid(bool counts)
{
    pod_exported *net;
    write_valid(counts);
    ASSERT_OK(pod_exported_open(context, path, &net, &error));
    return net;
}

/* What the net of exported_text() gives for a row. */
static void expect_row(const float *x, const float *y)
{
    pod_buffer *w = exported_numbers(context, 2, EXPORTED_IN, EXPORTED_OUT);
    pod_buffer *b = exported_numbers(context, 1, EXPORTED_OUT, 0);
    const float *weights = pod_buffer_data(w), *biases = pod_buffer_data(b);
    for (int j = 0; j < EXPORTED_OUT; j++) {
        double sum = (double)biases[j];
        for (int k = 0; k < EXPORTED_IN; k++)
            sum += (double)x[k] * (double)weights[k * EXPORTED_OUT + j];
        ASSERT_NEAR(tanh(sum), (double)y[j], 1e-6, 1e-7);
    }
    pod_buffer_release(w);
    pod_buffer_release(b);
}

enum { MOST_ROWS = 23 };

/* The bytes of the valid file, in memory of just that size; *size receives how many. */
static unsigned char *read_bytes(size_t *size)
{
    FILE *file = fopen(path, "rb");
    ASSERT(file != NULL);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    ASSERT(bytes != NULL && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

TEST(bytes_in_memory_are_opened_as_a_file_is)
{
    const float x[EXPORTED_IN] = {0.25F, -1};
    float expected[EXPORTED_OUT], y[EXPORTED_OUT];
    size_t size;
    pod_exported *net = open_valid(false);
    ASSERT_OK(pod_exported_run(net, 1, (const void *[]){x}, (void *[]){expected}, &error));
    pod_exported_close(net);
    unsigned char *bytes = read_bytes(&size);
    ASSERT_OK(pod_exported_open_memory(context, bytes, size, &net, &error));
    free(bytes); /* none of them is kept */
    ASSERT_OK(pod_exported_run(net, 1, (const void *[]){x}, (void *[]){y}, &error));
    ASSERT(memcmp(expected, y, sizeof y) == 0);
    pod_exported_close(net);
}

TEST(bytes_that_are_cut_are_refused)
{
    size_t size;
    write_valid(false);
    unsigned char *bytes = read_bytes(&size);
    for (size_t kept = 0; kept < size; kept += kept < 64 || kept + 64 > size ? 1 : 17) {
        unsigned char *cut = malloc(kept + !kept); /* what is read behind its end is seen by ASan */
        pod_exported *net;
        memcpy(cut, bytes, kept);
        ASSERT_FAILS(POD_ERROR_FORMAT, "the bytes", pod_exported_open_memory(context, cut, kept, &net, &error));
        ASSERT(net == NULL);
        free(cut);
    }
    free(bytes);
}

TEST(any_number_of_rows_is_run)
{
    pod_exported *net = open_valid(false);
    float x[MOST_ROWS * EXPORTED_IN], y[MOST_ROWS * EXPORTED_OUT + 1];
    for (int i = 0; i < MOST_ROWS * EXPORTED_IN; i++)
        x[i] = (float)(i % 13) / 13 - 0.5f;
    for (int rows = 0; rows <= MOST_ROWS; rows++) {
        const void *inputs[] = {x};
        void *outputs[] = {y};
        memset(y, 0, sizeof y);
        y[rows * EXPORTED_OUT] = 99;
        ASSERT_OK(pod_exported_run(net, rows, inputs, outputs, &error));
        for (int i = 0; i < rows; i++)
            expect_row(x + i * EXPORTED_IN, y + i * EXPORTED_OUT);
        ASSERT_NUMBER(99, (double)y[rows * EXPORTED_OUT]);
    }
    pod_exported_close(net);
}

TEST(a_program_says_what_it_is)
{
    pod_exported *net = open_valid(false);
    const pod_exported_description about = pod_exported_describe(net);
    const char *name;
    ASSERT_TEXT("net", about.name);
    ASSERT(about.structure == NULL && !about.keeps_state);
    ASSERT_EQ(1, about.input_count);
    ASSERT_EQ(1, about.output_count);
    ASSERT_EQ(2, about.weight_count);
    ASSERT_EQ(2, about.size_count);
    ASSERT_EQ(2, about.sizes[0]);
    ASSERT_EQ(5, about.sizes[1]);
    const pod_exported_value input = pod_exported_input(net, 0), output = pod_exported_output(net, 0);
    ASSERT_TEXT("x", input.name);
    ASSERT_EQ(POD_F32, input.dtype);
    ASSERT_EQ(1, input.shape.rank);
    ASSERT_EQ(3, input.shape.dims[0]);
    ASSERT_EQ(12, input.bytes);
    ASSERT_TEXT("y", output.name);
    ASSERT_EQ(8, output.bytes);
    ASSERT_EQ(8, pod_buffer_bytes(pod_exported_weight(net, 1, &name)));
    ASSERT_TEXT("net/b", name);
    pod_exported_close(net);
}

TEST(values_may_lie_anywhere)
{
    pod_exported *net = open_valid(false);
    char x[6 * EXPORTED_IN * sizeof(float) + 1], y[6 * EXPORTED_OUT * sizeof(float) + 3];
    float row[EXPORTED_IN] = {0.25f, -1, 2}, result[EXPORTED_OUT];
    const void *inputs[] = {x + 1};
    void *outputs[] = {y + 3};
    for (size_t i = 0; i < 6; i++)
        memcpy(x + 1 + i * sizeof row, row, sizeof row);
    ASSERT_OK(pod_exported_run(net, 6, inputs, outputs, &error));
    for (size_t i = 0; i < 6; i++) {
        memcpy(result, y + 3 + i * sizeof result, sizeof result);
        expect_row(row, result);
    }
    pod_exported_close(net);
}

TEST(state_is_kept_and_its_rows_are_not_divided)
{
    pod_exported *net = open_valid(true);
    const float x[5 * EXPORTED_IN] = {0};
    float first[5 * EXPORTED_OUT], second[5 * EXPORTED_OUT];
    const void *inputs[] = {x};
    ASSERT(pod_exported_describe(net).keeps_state);
    ASSERT_OK(pod_exported_run(net, 5, inputs, (void *[]){first}, &error));
    ASSERT_OK(pod_exported_run(net, 2, inputs, (void *[]){second}, &error));
    ASSERT_NEAR((double)first[0] + 1, (double)second[0], 1e-6, 0);
    pod_buffer *count = pod_exported_weight(net, 2, NULL);
    *(float *)pod_buffer_data(count) = 40;
    pod_buffer_note_write(count);
    ASSERT_OK(pod_exported_run(net, 5, inputs, (void *[]){second}, &error));
    ASSERT_NEAR((double)first[0] + 40.4, (double)second[0], 1e-6, 0);
    ASSERT_FAILS(POD_ERROR_VALUE, "batch_sizes", pod_exported_run(net, 7, inputs, (void *[]){first}, &error));
    ASSERT_FAILS(POD_ERROR_VALUE, "-1 rows", pod_exported_run(net, -1, inputs, (void *[]){first}, &error));
    ASSERT_NEAR(41, (double)*(float *)pod_buffer_data(count), 1e-6, 0);
    pod_exported_close(net);
}

TEST(an_interrupt_ends_a_run)
{
    pod_exported *net = open_valid(false);
    const float x[2 * EXPORTED_IN] = {0};
    float y[2 * EXPORTED_OUT];
    pod_context_interrupt(context);
    ASSERT_FAILS(POD_ERROR_INTERRUPTED, "'net' was interrupted",
                 pod_exported_run(net, 2, (const void *[]){x}, (void *[]){y}, &error));
    ASSERT(pod_context_clear_interrupt(context));
    ASSERT_OK(pod_exported_run(net, 2, (const void *[]){x}, (void *[]){y}, &error));
    pod_exported_close(net);
}

TEST(runs_take_no_memory_and_start_no_thread)
{
    test_allocator allocator = {.granted = -1};
    const pod_context_options options = {.allocator = {test_resize, &allocator}, .threads = 1};
    pod_context *own = test_context(&options);
    pod_exported *net;
    const float x[7 * EXPORTED_IN] = {0};
    float y[7 * EXPORTED_OUT];
    const int threads = count_entries("/proc/self/task");
    write_valid(false);
    ASSERT_OK(pod_exported_open(own, path, &net, &error));
    ASSERT_OK(pod_exported_run(net, 7, (const void *[]){x}, (void *[]){y}, &error));
    const long taken = allocator.allocations;
    for (int rows = 0; rows < 8; rows++)
        ASSERT_OK(pod_exported_run(net, rows, (const void *[]){x}, (void *[]){y}, &error));
    ASSERT_EQ(taken, allocator.allocations);
    ASSERT(count_threads(threads) <= threads);
    pod_exported_close(net);
    pod_context_release(own);
    ASSERT_EQ(0, allocator.live);
}

/* ---- what is refused ---- */

/* Writes a file whose text of a key is another, or missing, and opens it. */
static pod_status open_changed(const char *key, const char *text)
{
    pod_exported *net = NULL;
    char *two = exported_text(context, 2, false), *five = exported_text(context, 5, false);
    const char *texts[] = {"format",    "moonpod",          "kind",      "exported", "version",   "1.0", "name", "net",
                           "signature", exported_signature, "program.2", two,        "program.5", five};
    for (int i = 0; i < 7; i++)
        if (strcmp(texts[2 * i], key) == 0)
            texts[2 * i + (text == NULL ? 0 : 1)] = text == NULL ? "other" : text;
    if (!exported_write(context, path, texts, 7))
        FAIL("the file cannot be written");
    pod_text_free(context, two);
    pod_text_free(context, five);
    const pod_status status = pod_exported_open(context, path, &net, &error);
    if ((status == POD_OK) != (net != NULL))
        FAIL("%s is no failure without a program", pod_status_name(status));
    if (status != POD_OK && strstr(error.message, path) == NULL)
        FAIL("the path is missing in: %s", error.message);
    pod_exported_close(net);
    return status;
}

TEST(versions_are_checked)
{
    ASSERT_OK(open_changed("version", "1.9"));
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "a newer Moonpod wrote this file: its version is 2.0",
                 open_changed("version", "2.0"));
    ASSERT_FAILS(POD_ERROR_FORMAT, "the version 'one' is none", open_changed("version", "one"));
    ASSERT_FAILS(POD_ERROR_FORMAT, "the version '1' is none", open_changed("version", "1"));
    ASSERT_FAILS(POD_ERROR_FORMAT, "the version '99999999.0' is none", open_changed("version", "99999999.0"));
    ASSERT_FAILS(POD_ERROR_FORMAT, "none that Moonpod wrote", open_changed("format", "pt"));
    ASSERT_FAILS(POD_ERROR_FORMAT, "none that Moonpod wrote", open_changed("version", NULL));
    ASSERT_FAILS(POD_ERROR_FORMAT, "of kind 'weights', not 'exported'", open_changed("kind", "weights"));
}

TEST(what_contradicts_itself_is_refused)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "an object is expected"},
        {"{}", "inputs, outputs, sizes or weights are missing"},
        {"{\"inputs\":[],\"outputs\":[],\"sizes\":[2,5],\"weights\":[]}", "but the signature 0 weights"},
        {"{\"inputs\":[],\"outputs\":[],\"sizes\":[2,2],\"weights\":[]}", "do not ascend"},
        {"{\"inputs\":[],\"outputs\":[],\"sizes\":[0],\"weights\":[]}", "do not ascend"},
        {"{\"inputs\":[],\"outputs\":[],\"sizes\":[2],\"weights\":[\"nobody\"]}", "a weight 'nobody', which is not"},
        {"{\"inputs\":[],\"inputs\":[]}", "a double field"},
        {"{\"more\":[]}", "an unknown"},
        {"{\"inputs\":[{\"dtype\":\"complex64\"}]}", "'complex64' are not known"},
        {"{\"inputs\":[{\"shape\":[1,1,1,1,1,1,1,1,1]}]}", "more than 8"},
        {"{\"inputs\":[{\"shape\":[-1]}]}", "negative"},
        {"{\"inputs\":[{\"dtype\":\"f32\",\"name\":\"x\",\"shape\":[4611686018427387904]}]}", "too large"},
        {"{\"inputs\":[{\"dtype\":\"f32\",\"name\":\"x\",\"shape\":[3]}],\"outputs\":[{\"dtype\":\"f32\",\"name\":"
         "\"y\","
         "\"shape\":[3]}],\"sizes\":[2,5],\"weights\":[\"net/w\",\"net/b\"]}",
         "output 'y' is float32 (2, 3), but the program has float32 (2, 2)"},
        {"{\"inputs\":[{\"dtype\":\"f64\",\"name\":\"x\",\"shape\":[3]}],\"outputs\":[],\"sizes\":[2,5],\"weights\":["
         "\"net/w\",\"net/b\"]}",
         "input 'x' is float64 (2, 3), but the program has float32 (2, 3)"},
        {"{\"inputs\":[{\"dtype\":\"f32\",\"name\":\"x\",\"shape\":[3]}],\"outputs\":[],\"sizes\":[2,5],\"weights\":["
         "\"net/b\",\"net/w\"]}",
         "weight 'net/b' is float32 (2,), but the program has float32 (3, 2)"},
        {"{\"inputs\":[{\"dtype\":\"f32\",\"name\":\"x\",\"shape\":[3]}],\"outputs\":[],\"sizes\":[2,5],\"weights\":["
         "\"net/w\",\"net/b\"]}",
         "1 outputs, but the signature 0"},
        {"{\"inputs\":[{\"dtype\":\"f32\",\"name\":\"x\",\"shape\":[1,1,1,1,1,1,1,1]}],\"outputs\":[],\"sizes\":[2,5],"
         "\"weights\":[]}",
         "more than 8 axes with its rows"},
        {"{\"inputs\":[],\"outputs\":[],\"sizes\":[3],\"weights\":[]}", "'program.3' is missing"},
        {"{\"inputs\":[],\"outputs\":[],\"sizes\":[],\"weights\":[]}", "'program' is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const pod_status status = open_changed("signature", cases[i].text);
        if (status >= 0 || strstr(error.message, cases[i].part) == NULL)
            FAIL("signature %s gave %s, expected %s", cases[i].text, status < 0 ? error.message : "success",
                 cases[i].part);
    }
    ASSERT_FAILS(POD_ERROR_FORMAT, "the signature is missing", open_changed("signature", NULL));
    ASSERT_FAILS(POD_ERROR_FORMAT, "program.5:1:1: ", open_changed("program.5", "func"));
    char *counting = exported_text(context, 5, true);
    ASSERT_FAILS(POD_ERROR_FORMAT, "has 4 parameters", open_changed("program.5", counting));
    pod_text_free(context, counting);
}

TEST(an_input_cannot_be_state)
{
    ASSERT_FAILS(POD_ERROR_FORMAT, "is updated, but is no weight",
                 open_changed("program.2", "module @m { func.func public @main(%w: tensor<3x2xf32>, %b: tensor<2xf32>, "
                                           "%x: tensor<2x3xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<2x2xf32>, "
                                           "tensor<2x3xf32>) {\n%c = stablehlo.constant dense<0.0> : tensor<2x2xf32>\n"
                                           "return %c, %x : tensor<2x2xf32>, tensor<2x3xf32>\n}\n}\n"));
}

TEST(unknown_ops_are_named)
{
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "stablehlo.fft",
                 open_changed("program.2", "module @m { func.func public @main(%w: tensor<3x2xf32>, %b: tensor<2xf32>, "
                                           "%x: tensor<2x3xf32>) -> tensor<2x2xf32> {\n"
                                           "%0 = \"stablehlo.fft\"(%b) : (tensor<2xf32>) -> tensor<2x2xf32>\n"
                                           "return %0 : tensor<2x2xf32>\n}\n}\n"));
}

/* ---- damaged files ---- */

static unsigned char *read_all(size_t *size)
{
    pod_bytes bytes;
    ASSERT_OK(pod_file_read(context, path, &bytes, &error));
    unsigned char *copy = malloc(bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    *size = bytes.size;
    pod_bytes_free(context, &bytes);
    return copy;
}

static void write_all(const unsigned char *bytes, size_t size)
{
    remove(path); /* what is cut to nothing and written again a file system may take to the disk at once */
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        FAIL("the file cannot be written");
}

/* Opens and runs what is at the path, if it opens. */
static pod_status try(void)
{
    pod_exported *net = NULL;
    pod_status status = pod_exported_open(context, path, &net, &error);
    if (status != POD_OK && (net != NULL || error.message[0] == '\0'))
        FAIL("a failure with a program, or without a message");
    if (status == POD_OK) {
        const float x[2 * EXPORTED_IN] = {0};
        float y[2 * EXPORTED_OUT];
        const pod_exported_description about = pod_exported_describe(net);
        if (about.input_count == 1 && about.output_count == 1 && pod_exported_input(net, 0).bytes <= sizeof x / 2 &&
            pod_exported_output(net, 0).bytes <= sizeof y / 2)
            (void)!pod_exported_run(net, 2, (const void *[]){x}, (void *[]){y}, &error);
    }
    pod_exported_close(net);
    return status;
}

TEST(a_file_cut_short_anywhere_is_refused)
{
    size_t size;
    write_valid(true);
    unsigned char *bytes = read_all(&size);
    for (size_t i = 0; i < size; i++) {
        write_all(bytes, i);
        if (try() == POD_OK)
            FAIL("a file of %zu of %zu bytes is opened", i, size);
    }
    write_all(bytes, size);
    ASSERT_OK(try());
    free(bytes);
}

TEST(a_changed_byte_does_no_harm)
{
    size_t size, opened = 0;
    write_valid(true);
    unsigned char *bytes = read_all(&size);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (unsigned char)(1u << i % 8);
        write_all(bytes, size);
        opened += try() == POD_OK;
        bytes[i] ^= (unsigned char)(1u << i % 8);
    }
    ASSERT(opened < size / 4);
    free(bytes);
}

/* ---- large files ---- */

/* Writes a program with so many weights, which it does not look at, and so many other texts. Returns the CPU seconds of
 * opening it. */
static double open_many(size_t count)
{
    pod_text text, signature;
    pod_text_init(&text, context);
    pod_text_init(&signature, context);
    pod_named_buffer *entries = calloc(count, sizeof *entries);
    char(*names)[32] = calloc(count, sizeof *names);
    const char **texts = calloc(2 * count + 10, sizeof *texts);
    pod_buffer *scalar = exported_numbers(context, 0, 0, 0);
    pod_text_append(&text, "module @m {\nfunc.func public @main(%x: tensor<f32>");
    pod_text_append(&signature, "{\"inputs\":[],\"outputs\":[{\"dtype\":\"f32\",\"name\":\"y\",\"shape\":[]}],"
                                "\"sizes\":[],\"weights\":[\"w0\"");
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "w%zu", i);
        entries[i] = (pod_named_buffer){names[i], scalar};
        texts[2 * i] = names[i];
        texts[2 * i + 1] = "";
        if (i > 0)
            pod_text_format(&text, ", %%a%zu: tensor<f32>", i);
        if (i > 0)
            pod_text_format(&signature, ",\"w%zu\"", i);
    }
    pod_text_append(&text, ") -> tensor<f32> {\nreturn %x : tensor<f32>\n}\n}\n");
    pod_text_append(&signature, "]}");
    char *program = pod_text_take(&text), *said = pod_text_take(&signature);
    const char *const last[] = {"format", "moonpod", "kind",  "exported",  "version",
                                "1.0",    "program", program, "signature", said};
    memcpy(texts + 2 * count, last, sizeof last);
    const pod_buffer_list list = {
        .count = count, .entries = entries, .text_count = count + 5, .texts = (char **)(uintptr_t)texts};
    ASSERT_OK(pod_safetensors_write(context, path, &list, &error));
    pod_exported *net;
    const clock_t began = clock();
    ASSERT_OK(pod_exported_open(context, path, &net, &error));
    const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    ASSERT_EQ((long long)count, pod_exported_describe(net).weight_count);
    pod_exported_close(net);
    pod_free(context, program);
    pod_free(context, said);
    pod_buffer_release(scalar);
    free(entries);
    free(names);
    free(texts);
    return seconds;
}

TEST(time_is_in_proportion_to_the_file)
{
    open_many(1000);
    const double some = open_many(4000), many = open_many(32000);
    if (many > 30 * some + 0.1) /* were it quadratic: 64 times */
        FAIL("%g s for 4000 weights, %g s for 32000", some, many);
}

/* ---- weights ---- */

TEST(weights_are_read_by_name)
{
    pod_buffer_list list;
    write_valid(false);
    ASSERT_OK(pod_weights_read(context, path, &list, &error));
    ASSERT_EQ(3, list.count);
    ASSERT_TEXT("count", list.entries[0].name);
    ASSERT(pod_weights_find(&list, "optimizer/iteration") == NULL);
    ASSERT(pod_weights_find(&list, "net") == NULL);
    const pod_buffer *w = pod_weights_find(&list, "net/w");
    ASSERT(w != NULL);
    ASSERT_EQ(24, pod_buffer_bytes(w));
    pod_buffer_list_clear(&list);
    ASSERT(pod_weights_find(&(pod_buffer_list){0}, "net/w") == NULL);
}

TEST(weights_of_others_are_refused)
{
    pod_buffer_list list;
    ASSERT_OK(exported_write(context, path, (const char *const[]){"format", "pt"}, 1) ? POD_OK : POD_ERROR_IO);
    ASSERT_FAILS(POD_ERROR_FORMAT, "none that Moonpod wrote", pod_weights_read(context, path, &list, &error));
    ASSERT_CONTAINS(path, error.message);
    const char *const newer[] = {"format", "moonpod", "kind", "weights", "version", "3.1"};
    ASSERT_OK(exported_write(context, path, newer, 3) ? POD_OK : POD_ERROR_IO);
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "3.1, and 1.x is read here", pod_weights_read(context, path, &list, &error));
    ASSERT_FAILS(POD_ERROR_NOT_FOUND, "/nowhere/x", pod_weights_read(context, "/nowhere/x", &list, &error));
}

/* ---- memory that fails ---- */

static pod_status open_and_run(pod_context *own, pod_error *failure)
{
    pod_exported *net;
    const float x[7 * EXPORTED_IN] = {0};
    float y[7 * EXPORTED_OUT];
    pod_status status = pod_exported_open(own, path, &net, failure);
    if (status == POD_OK)
        status = pod_exported_run(net, 7, (const void *[]){x}, (void *[]){y}, failure);
    pod_exported_close(net);
    return status;
}

static pod_status read_weights(pod_context *own, pod_error *failure)
{
    pod_buffer_list list;
    const pod_status status = pod_weights_read(own, path, &list, failure);
    if (status == POD_OK)
        pod_buffer_list_clear(&list);
    return status;
}

TEST(every_allocation_of_opening_and_running_may_fail)
{
    write_valid(false);
    every_allocation_may_fail(open_and_run);
}

TEST(every_allocation_of_reading_weights_may_fail)
{
    write_valid(false);
    every_allocation_may_fail(read_weights);
}

static void run_all(void)
{
    context = test_context(NULL);
    test_path(path, sizeof path, "exported");
    RUN(bytes_in_memory_are_opened_as_a_file_is);
    RUN(bytes_that_are_cut_are_refused);
    RUN(any_number_of_rows_is_run);
    RUN(a_program_says_what_it_is);
    RUN(values_may_lie_anywhere);
    RUN(state_is_kept_and_its_rows_are_not_divided);
    RUN(an_interrupt_ends_a_run);
    RUN(runs_take_no_memory_and_start_no_thread);
    RUN(versions_are_checked);
    RUN(what_contradicts_itself_is_refused);
    RUN(an_input_cannot_be_state);
    RUN(unknown_ops_are_named);
    RUN(a_file_cut_short_anywhere_is_refused);
    RUN(a_changed_byte_does_no_harm);
    RUN(time_is_in_proportion_to_the_file);
    RUN(weights_are_read_by_name);
    RUN(weights_of_others_are_refused);
    RUN(every_allocation_of_opening_and_running_may_fail);
    RUN(every_allocation_of_reading_weights_may_fail);
    unlink(path);
    pod_context_release(context);
}

TEST_MAIN(run_all())
