/* Exported programs whose header has the right length whatever else is not: what opens runs within its own memory, and
 * what does not says why. */

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exported_cases.h"
#include "moonpod/exported.h"
#include "test_system.h"

/* An input is the header's text, a NUL and the data. A context has so much memory, and a run so much time. */
enum { MOST_BYTES = 4 << 20, MOST_MICROSECONDS = 100000 };

/* ---- memory and time that end ---- */

static size_t held;

static void *resize(void *context, void *pointer, size_t old_size, size_t new_size)
{
    (void)context;
    if (new_size > old_size && held - old_size + new_size > MOST_BYTES)
        return NULL;
    held = held - (pointer != NULL ? old_size : 0) + new_size;
    if (new_size > 0)
        return realloc(pointer, new_size);
    free(pointer);
    return NULL;
}

static pod_context *running;

static void stop(int signal)
{
    (void)signal;
    pod_context_interrupt(running);
}

/* ---- reading ---- */

/* Turns an input into a file. */
static void write_file(const unsigned char *input, size_t size)
{
    const unsigned char *end = memchr(input, 0, size);
    const uint64_t length = end != NULL ? (uint64_t)(end - input) : size;
    FILE *file = fopen(fuzz_path, "wb");
    if (file == NULL)
        fuzz_die("exported", "the file cannot be written");
    fwrite(&length, 1, sizeof length, file);
    fwrite(input, 1, (size_t)length, file);
    if (end != NULL)
        fwrite(end + 1, 1, size - (size_t)length - 1, file);
    if (fclose(file) != 0)
        fuzz_die("exported", "the file cannot be written");
}

static size_t bytes_of(const pod_exported *net, bool outputs)
{
    const pod_exported_description about = pod_exported_describe(net);
    size_t bytes = 0;
    for (size_t i = 0; i < (outputs ? about.output_count : about.input_count); i++)
        bytes += outputs ? pod_exported_output(net, i).bytes : pod_exported_input(net, i).bytes;
    return bytes;
}

static void run(pod_exported *net)
{
    const pod_exported_description about = pod_exported_describe(net);
    const int64_t rows = about.size_count > 0 ? about.sizes[0] : 1;
    const size_t in = bytes_of(net, false) * (size_t)rows, out = bytes_of(net, true) * (size_t)rows;
    const void **inputs = calloc(about.input_count + 1, sizeof *inputs);
    void **outputs = calloc(about.output_count + 1, sizeof *outputs);
    unsigned char *from = malloc(in + 1), *to = malloc(out + 1); /* what is written past their ends is caught */
    pod_error error;
    size_t from_place = 0, to_place = 0;
    memset(from, 1, in + 1);
    for (size_t i = 0; i < about.input_count; i++, from_place += pod_exported_input(net, i - 1).bytes * (size_t)rows)
        inputs[i] = from + from_place;
    for (size_t i = 0; i < about.output_count; i++, to_place += pod_exported_output(net, i - 1).bytes * (size_t)rows)
        outputs[i] = to + to_place;
    system_set_timer(MOST_MICROSECONDS, stop);
    if (pod_exported_run(net, rows, inputs, outputs, &error) != POD_OK && error.message[0] == '\0')
        fuzz_die("exported", "a failure of a run without a message");
    system_set_timer(0, stop);
    free(inputs);
    free(outputs);
    free(from);
    free(to);
}

static void read_exported(pod_context *context)
{
    static unsigned char input[FUZZ_MOST];
    const pod_context_options options = {.allocator = {resize, NULL}, .threads = 1};
    pod_exported *net = NULL;
    pod_error error;
    (void)context;
    write_file(input, fuzz_load(input));
    held = 0;
    if (pod_context_new(&options, &running, &error) != POD_OK)
        fuzz_die("exported", "no context");
    const size_t before = held;
    error.message[0] = '\0';
    const pod_status status = pod_exported_open(running, fuzz_path, &net, &error);
    if ((status == POD_OK) != (net != NULL))
        fuzz_die("exported", "a success without a program, or a failure with one");
    if (status != POD_OK && strstr(error.message, fuzz_path) == NULL && status != POD_ERROR_MEMORY)
        fuzz_die("exported", "a failure without the file's path");
    if (net != NULL)
        run(net);
    pod_exported_close(net);
    if (held != before)
        fuzz_die("exported", "memory is still held");
    pod_context_release(running);
    pod_buffer_list weights;
    if (pod_weights_read(context, fuzz_path, &weights, &error) == POD_OK)
        pod_buffer_list_clear(&weights);
}

/* ---- inputs to begin with ---- */

/* Turns the file at fuzz_path into an input. */
static void put_file(void)
{
    static unsigned char bytes[FUZZ_MOST];
    const size_t size = fuzz_load(bytes);
    uint64_t length;
    memcpy(&length, bytes, sizeof length);
    memmove(bytes, bytes + sizeof length, (size_t)length);
    bytes[length] = '\0';
    memmove(bytes + length + 1, bytes + sizeof length + length, size - sizeof length - (size_t)length);
    fuzz_put(bytes, size - sizeof length + 1);
}

static const char loop_signature[] =
    "{\"inputs\":[{\"dtype\":\"int32\",\"name\":\"x\",\"shape\":[]}],"
    "\"outputs\":[{\"dtype\":\"int32\",\"name\":\"y\",\"shape\":[]}],\"sizes\":[],\"weights\":[]}";

static const char loop_text[] =
    "module @m {\nfunc.func public @main(%x: tensor<i32>) -> tensor<i32> {\n"
    "%c = stablehlo.constant dense<9> : tensor<i32>\n"
    "%0 = stablehlo.while(%i = %x) : tensor<i32>\ncond {\n"
    "%p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %p : tensor<i1>\n"
    "} do {\n%n = stablehlo.add %i, %c : tensor<i32>\nstablehlo.return %n : tensor<i32>\n}\n"
    "return %0 : tensor<i32>\n}\n}\n";

static void write_exported(pod_context *context)
{
    const char *const loop[] = {"format", "moonpod",   "kind",         "exported", "version",
                                "1.0",    "signature", loop_signature, "program",  loop_text};
    for (int counts = 0; counts < 2; counts++) {
        if (!exported_write_valid(context, fuzz_path, counts != 0))
            fuzz_die("exported", "cannot write");
        put_file();
    }
    if (!exported_write(context, fuzz_path, loop, 5))
        fuzz_die("exported", "cannot write");
    put_file();
}

const fuzz_target fuzz_exported[] = {
    {"exported", write_exported, read_exported},
    {0},
};
