#ifndef POD_TESTS_EXPORTED_CASES_H
#define POD_TESTS_EXPORTED_CASES_H

/* exported_cases - files of exported programs, written without Lua. */

#include <string.h>

#include "base/context.h"
#include "moonpod/builders.h"
#include "moonpod/exchange.h"
#include "moonpod/formats.h"

enum { EXPORTED_IN = 3, EXPORTED_OUT = 2 };

/* y = tanh(x w + b), in `rows` rows; with `counts` a fourth parameter counts the runs. Returns the text, for
 * pod_text_free(). NULL where there is no memory. */
static inline char *exported_text(pod_context *context, int64_t rows, bool counts)
{
    pod_graph *graph;
    char *text = NULL;
    if (pod_graph_new(context, "net", &graph, NULL) != POD_OK)
        return NULL;
    pod_node *w = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {EXPORTED_IN, EXPORTED_OUT}}, "w");
    pod_node *b = pod_graph_parameter(graph, POD_F32, &(pod_shape){1, {EXPORTED_OUT}}, "b");
    pod_node *count = counts ? pod_graph_parameter(graph, POD_F32, &(pod_shape){0}, "count") : NULL;
    pod_node *x = pod_graph_parameter(graph, POD_F32, &(pod_shape){2, {rows, EXPORTED_IN}}, "x");
    pod_node *y = pod_graph_tanh(graph, pod_graph_add(graph, pod_graph_matmul(graph, x, w), b));
    if (counts)
        y = pod_graph_add(graph, y, count);
    pod_graph_add_output(graph, y);
    if (counts) {
        pod_graph_add_output(graph, pod_graph_add(graph, count, pod_graph_scalar(graph, POD_F32, 1, NULL)));
        pod_graph_set_alias(graph, 1, 2);
    }
    if (pod_exchange_write(graph, &text, NULL) != POD_OK)
        text = NULL;
    pod_graph_free(graph);
    return text;
}

static const char exported_signature[] = "{\"inputs\":[{\"dtype\":\"float32\",\"name\":\"x\",\"shape\":[3]}],"
                                         "\"outputs\":[{\"dtype\":\"float32\",\"name\":\"y\",\"shape\":[2]}],"
                                         "\"precision\":\"highest\",\"sizes\":[2,5],\"weights\":[\"net/w\",\"net/b\"]}";

static const char exported_counting[] = "{\"inputs\":[{\"dtype\":\"float32\",\"name\":\"x\",\"shape\":[3]}],"
                                        "\"outputs\":[{\"dtype\":\"float32\",\"name\":\"y\",\"shape\":[2]}],"
                                        "\"sizes\":[2,5],\"weights\":[\"net/w\",\"net/b\",\"count\"]}";

/* Makes a buffer of numbers that are the same each time. */
static inline pod_buffer *exported_numbers(pod_context *context, int32_t rank, int64_t rows, int64_t columns)
{
    pod_buffer *buffer;
    if (pod_buffer_new(context, POD_F32, &(pod_shape){rank, {rows, columns}}, &buffer, NULL) != POD_OK)
        return NULL;
    float *values = pod_buffer_data(buffer);
    for (size_t i = 0; i < pod_buffer_bytes(buffer) / sizeof *values; i++)
        values[i] = (float)((double)(i * 7 % 11) / 11 - 0.4);
    return buffer;
}

/* Writes a file with these texts (key, text, ...) and the weights net/w, net/b and count. */
static inline bool exported_write(pod_context *context, const char *path, const char *const *texts, size_t text_count)
{
    pod_named_buffer entries[] = {
        {(char *)(uintptr_t) "net/w", exported_numbers(context, 2, EXPORTED_IN, EXPORTED_OUT)},
        {(char *)(uintptr_t) "net/b", exported_numbers(context, 1, EXPORTED_OUT, 0)},
        {(char *)(uintptr_t) "count", exported_numbers(context, 0, 0, 0)},
        {(char *)(uintptr_t) "optimizer/iteration", exported_numbers(context, 0, 0, 0)},
    };
    const pod_buffer_list list = {
        .count = 4, .entries = entries, .text_count = text_count, .texts = (char **)(uintptr_t)texts};
    bool ok = true;
    for (int i = 0; i < 4; i++)
        ok = ok && entries[i].buffer != NULL;
    ok = ok && pod_safetensors_write(context, path, &list, NULL) == POD_OK;
    for (int i = 0; i < 4; i++)
        pod_buffer_release(entries[i].buffer);
    return ok;
}

/* Writes a whole file of two sizes: 2 and 5 rows. */
static inline bool exported_write_valid(pod_context *context, const char *path, bool counts)
{
    char *two = exported_text(context, 2, counts), *five = exported_text(context, 5, counts);
    const char *const texts[] = {
        "format",    "moonpod", "kind",      "exported",  "version",
        "1.0",       "name",    "net",       "signature", counts ? exported_counting : exported_signature,
        "program.2", two,       "program.5", five};
    const bool ok = two != NULL && five != NULL && exported_write(context, path, texts, 7);
    pod_text_free(context, two);
    pod_text_free(context, five);
    return ok;
}

#endif
