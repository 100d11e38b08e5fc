/*
 * Predicts with a model that was trained in Lua: no Lua anywhere, and no thread but this one.
 *
 * In Lua: model:export("net.safetensors"). Here: ./predict net.safetensors x.npy y.npy reads rows of the model's input
 * from a file of NumPy, prints what the model is and how long the rows took, and writes a row of output for each. With
 * one argument it prints what the model is.
 *
 *     cc predict.c $(pkg-config --cflags --libs moonpod) -o predict
 */

#include <moonpod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void fail(const char *what, const pod_error *error)
{
    fprintf(stderr, "%s: %s (%s)\n", what, error->message, pod_status_name(error->status));
    exit(1);
}

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        pod_error error;                                                                                               \
        if ((call) != POD_OK)                                                                                          \
            fail(#call, &error);                                                                                       \
    } while (0)

static void print_value(const char *what, const pod_exported_value *value)
{
    char shape[POD_SHAPE_TEXT_SIZE];
    printf("%s %s: %s %s\n", what, value->name, pod_dtype_name(value->dtype), pod_shape_format(&value->shape, shape));
}

static void print_model(const pod_exported *model)
{
    const pod_exported_description about = pod_exported_describe(model);
    size_t bytes = 0;
    for (size_t i = 0; i < about.weight_count; i++)
        bytes += pod_buffer_bytes(pod_exported_weight(model, i, NULL));
    printf("%s: %zu weights of %zu bytes; rows at once:", about.name, about.weight_count, bytes);
    for (size_t i = 0; i < about.size_count; i++)
        printf(" %lld", (long long)about.sizes[i]);
    printf("\n");
    for (size_t i = 0; i < about.input_count; i++) {
        const pod_exported_value input = pod_exported_input(model, i);
        print_value("input", &input);
    }
    for (size_t i = 0; i < about.output_count; i++) {
        const pod_exported_value output = pod_exported_output(model, i);
        print_value("output", &output);
    }
}

/* The weights alone, by name, for hosts with code of their own for the model. */
static void print_weights(pod_context *context, const char *path)
{
    pod_buffer_list weights;
    char shape[POD_SHAPE_TEXT_SIZE];
    TRY(pod_weights_read(context, path, &weights, &error));
    for (size_t i = 0; i < weights.count; i++) {
        const pod_buffer *weight = pod_weights_find(&weights, weights.entries[i].name);
        printf("weight %s: %s %s\n", weights.entries[i].name, pod_dtype_name(pod_buffer_dtype(weight)),
               pod_shape_format(pod_buffer_shape(weight), shape));
    }
    pod_buffer_list_clear(&weights);
}

/* Rows have the axis of rows in front. */
static pod_shape with_rows(pod_shape shape, int64_t rows)
{
    memmove(shape.dims + 1, shape.dims, sizeof shape.dims - sizeof shape.dims[0]);
    shape.dims[0] = rows;
    shape.rank++;
    return shape;
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void predict(pod_context *context, pod_exported *model, const char *from, const char *to)
{
    const pod_exported_description about = pod_exported_describe(model);
    if (about.input_count != 1 || about.output_count != 1 || about.size_count == 0) {
        fprintf(stderr, "%s takes no rows of one input, or gives other than one output\n", about.name);
        exit(1);
    }
    const pod_exported_value input = pod_exported_input(model, 0), output = pod_exported_output(model, 0);
    pod_buffer *x, *y;
    TRY(pod_npy_read(context, from, &x, &error));
    const int64_t rows = pod_buffer_shape(x)->rank > 0 ? pod_buffer_shape(x)->dims[0] : 0;
    const pod_shape given = with_rows(input.shape, rows), made = with_rows(output.shape, rows);
    if (pod_buffer_dtype(x) != input.dtype || !pod_shape_equal(pod_buffer_shape(x), &given)) {
        fprintf(stderr, "%s has no rows of the input\n", from);
        exit(1);
    }
    TRY(pod_buffer_new(context, output.dtype, &made, &y, &error));
    const void *inputs[] = {pod_buffer_data(x)};
    void *outputs[] = {pod_buffer_data(y)};
    const double began = seconds();
    TRY(pod_exported_run(model, rows, inputs, outputs, &error));
    printf("%lld rows in %.3f ms\n", (long long)rows, 1e3 * (seconds() - began));
    TRY(pod_npy_write(context, to, y, &error));
    pod_buffer_release(x);
    pod_buffer_release(y);
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: predict net.safetensors [x.npy y.npy]\n");
        return 2;
    }
    const pod_context_options options = {.threads = 1};
    pod_context *context;
    pod_exported *model;
    TRY(pod_context_new(&options, &context, &error));
    TRY(pod_exported_open(context, argv[1], &model, &error));
    print_model(model);
    if (argc == 2)
        print_weights(context, argv[1]);
    else
        predict(context, model, argv[2], argv[3]);
    pod_exported_close(model);
    pod_context_release(context);
    return 0;
}
