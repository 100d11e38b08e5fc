/* The library as one file: trains y = 3 x + 1, predicts by an exported graph's text, and asks for formats that are off.
 */

#include "moonpod.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int passed, failed;

static void check(int holds, const char *what)
{
    passed += holds;
    failed += !holds;
    if (!holds)
        printf("failed: %s\n", what);
}

static pod_program *compile(pod_context *context, pod_error *error)
{
    const pod_shape scalar = {0, {0}}, rows = {1, {8}};
    pod_graph *g;
    pod_program *program = NULL;
    if (pod_graph_new(context, "step", &g, error) != POD_OK)
        return NULL;
    pod_node *weights[] = {pod_graph_parameter(g, POD_F32, &scalar, "w"),
                           pod_graph_parameter(g, POD_F32, &scalar, "b")};
    pod_node *x = pod_graph_parameter(g, POD_F32, &rows, "x"), *y = pod_graph_parameter(g, POD_F32, &rows, "y");
    pod_node *w = pod_graph_broadcast_to(g, weights[0], &rows), *b = pod_graph_broadcast_to(g, weights[1], &rows);
    pod_node *guess = pod_graph_add(g, pod_graph_multiply(g, w, x), b);
    pod_node *wrong = pod_graph_subtract(g, guess, y), *gradients[2];
    pod_node *loss = pod_graph_reduce(g, "reduce_sum", pod_graph_multiply(g, wrong, wrong), NULL, false);
    if (pod_graph_gradient(g, loss, NULL, weights, 2, gradients, error) == POD_OK) {
        pod_node *rate = pod_graph_scalar(g, POD_F32, 0.01, NULL);
        for (size_t i = 0; i < 2; i++) {
            pod_graph_add_output(g, pod_graph_subtract(g, weights[i], pod_graph_multiply(g, rate, gradients[i])));
            pod_graph_set_alias(g, i, i);
        }
        pod_graph_add_output(g, guess);
        if (pod_graph_check(g, error) == POD_OK && pod_program_compile(context, g, NULL, &program, error) != POD_OK)
            program = NULL;
    }
    pod_graph_free(g);
    return program;
}

static void train_and_predict(pod_context *context, pod_buffer *const buffers[4])
{
    pod_error error = {0};
    pod_program *program = compile(context, &error);
    check(program != NULL, error.message);
    float *x = pod_buffer_data(buffers[2]), *y = pod_buffer_data(buffers[3]);
    for (int i = 0; i < 8; i++) {
        x[i] = (float)i / 4 - 1;
        y[i] = 3 * x[i] + 1;
    }
    const pod_run_options options = {.steps = 500};
    pod_buffer *results[3] = {NULL};
    check(pod_program_run(program, buffers, results, &options, NULL, &error) == POD_OK, "it trains");
    const float *guess = pod_buffer_data(results[2]);
    for (int i = 0; i < 8; i++)
        check(fabsf(guess[i] - y[i]) < 1e-3f, "it predicts");
    pod_buffer_release(results[2]);
    pod_program_free(program);
}

static void refuse(pod_context *context, pod_buffer *x)
{
    pod_error error = {0};
    pod_buffer_list list = {0};
    pod_record_writer *writer = NULL;
    (void)list;
    check(pod_record_writer_open(context, "amalgamated.gz", "gzip", &writer, &error) == POD_ERROR_UNSUPPORTED &&
              strstr(error.message, "zlib") != NULL,
          "gzip is off, and says so");
    check(pod_npy_write(context, "amalgamated.npy", x, &error) == POD_OK, "plain files are written");
    pod_buffer *read = NULL;
    check(pod_npy_read(context, "amalgamated.npy", &read, &error) == POD_OK &&
              memcmp(pod_buffer_data(read), pod_buffer_data(x), pod_buffer_bytes(x)) == 0,
          "and read");
    pod_buffer_release(read);
}

int main(void)
{
    static const pod_shape scalar = {0, {0}}, rows = {1, {8}};
    pod_error error = {0};
    pod_context *context;
    pod_buffer *buffers[4];
    if (pod_context_new(NULL, &context, &error) != POD_OK)
        return puts(error.message), 1;
    check(strcmp(pod_context_isa(context), "portable") == 0, "the kernels are the portable ones");
    for (int i = 0; i < 4; i++)
        if (pod_buffer_new(context, POD_F32, i < 2 ? &scalar : &rows, &buffers[i], &error) != POD_OK)
            return puts(error.message), 1;
    train_and_predict(context, buffers);
    refuse(context, buffers[2]);
    for (int i = 0; i < 4; i++)
        pod_buffer_release(buffers[i]);
    pod_context_release(context);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
