#ifndef POD_TESTS_REPLICA_CASES_H
#define POD_TESTS_REPLICA_CASES_H

/*
 * Checks replicated and mapped graphs against a loop over replicas: a builder makes the graph of
 * one core for any number of rows, and every replica's part of the result must be what that graph
 * gives for the rows of its shard.
 */

#include "evaluate.h"
#include "graph/node.h"
#include "test.h"

#define MAX_CASE_PARAMETERS 6

/* A graph in the making, of one core with `rows` rows. */
typedef struct replica_case {
    pod_graph *graph;
    int64_t rows;
    uint32_t variant;                  /* builders with several graphs choose by it */
    pod_op op;                         /* builders of several ops choose by it */
    bool is_rows[MAX_CASE_PARAMETERS]; /* axis 0 of the parameter is the rows */
    double low[MAX_CASE_PARAMETERS], high[MAX_CASE_PARAMETERS];
    uint32_t count;
} replica_case;

/* Makes the node to be checked; NULL when there is no such variant. */
typedef pod_node *case_builder(replica_case *c);

static inline pod_node *case_parameter(replica_case *c, bool is_rows, pod_dtype dtype, double low, double high,
                                       const pod_shape *shape)
{
    c->is_rows[c->count] = is_rows;
    c->low[c->count] = low;
    c->high[c->count] = high;
    c->count++;
    return pod_graph_parameter(c->graph, dtype, shape, "p");
}

#define SHAPE(...) (&(pod_shape){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}})
#define SCALAR     (&(pod_shape){0})

/* A parameter whose axis 0 is the shard's rows. */
static inline pod_node *rows_of(replica_case *c, pod_dtype dtype, const pod_shape *rest)
{
    pod_shape shape = {.rank = rest->rank + 1, .dims = {c->rows}};
    memcpy(shape.dims + 1, rest->dims, (size_t)rest->rank * sizeof(int64_t));
    return case_parameter(c, true, dtype, -2, 2, &shape);
}

/* A parameter of a shape that has nothing to do with rows. */
static inline pod_node *value_of(replica_case *c, pod_dtype dtype, const pod_shape *shape)
{
    return case_parameter(c, false, dtype, -2, 2, shape);
}

static inline pod_node *apply(replica_case *c, pod_op op, const pod_attributes *attributes, pod_node *a, pod_node *b,
                              pod_node *d)
{
    static const pod_attributes none = {0};
    pod_node *inputs[3] = {a, b, d};
    return pod_graph_apply(c->graph, op, inputs, (size_t)(a != NULL) + (b != NULL) + (d != NULL),
                           attributes ? attributes : &none, NULL, 0);
}

/* ---- numbers ---- */

static inline double case_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 40) / (double)(1 << 24);
}

static inline pod_buffer *case_buffer(pod_context *context, pod_dtype dtype, const pod_shape *shape)
{
    pod_error error;
    pod_buffer *buffer;
    ASSERT_OK(pod_buffer_new(context, dtype, shape, &buffer, &error));
    return buffer;
}

/* Random values; of integers whole ones. */
static inline pod_buffer *random_buffer(pod_context *context, pod_dtype dtype, const pod_shape *shape, double low,
                                        double high, uint64_t *state)
{
    pod_buffer *buffer = case_buffer(context, dtype, shape);
    int64_t count = pod_shape_elements(shape);
    size_t size = pod_dtype_size(dtype);
    for (int64_t i = 0; i < count; i++) {
        double value = low + (high - low) * case_random(state);
        if (!pod_dtype_is_float(dtype))
            value = floor(value);
        if (dtype == POD_BOOL)
            value = case_random(state) < 0.5;
        pod_convert(POD_F64, &value, dtype, (char *)pod_buffer_data(buffer) + (size_t)i * size, 1);
    }
    return buffer;
}

static inline double element_of(const pod_buffer *buffer, int64_t index)
{
    double value;
    pod_dtype dtype = pod_buffer_dtype(buffer);
    pod_convert(dtype, (char *)pod_buffer_data(buffer) + (size_t)index * pod_dtype_size(dtype), POD_F64, &value, 1);
    return value;
}

/* Copies rows low .. high - 1 of axis 0, into a buffer of the given shape. */
static inline pod_buffer *rows_between(pod_context *context, const pod_buffer *buffer, int64_t low,
                                       const pod_shape *shape)
{
    pod_buffer *part = case_buffer(context, pod_buffer_dtype(buffer), shape);
    const pod_shape *whole = pod_buffer_shape(buffer);
    size_t row = whole->dims[0] > 0 ? pod_buffer_bytes(buffer) / (size_t)whole->dims[0] : 0;
    memcpy(pod_buffer_data(part), (char *)pod_buffer_data(buffer) + (size_t)low * row, pod_buffer_bytes(part));
    return part;
}

/* Computes all outputs, which are the caller's to release. */
static inline pod_status evaluate_buffers(const pod_graph *graph, pod_buffer *const *arguments, pod_buffer **outputs,
                                          pod_error *error)
{
    pod_array *in = calloc(graph->parameter_count + 1, sizeof *in);
    pod_array *out = calloc(graph->output_count + 1, sizeof *out);
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        in[i] =
            (pod_array){pod_buffer_dtype(arguments[i]), *pod_buffer_shape(arguments[i]), pod_buffer_data(arguments[i])};
    pod_status status = evaluate_graph(graph, in, out, error);
    for (uint32_t i = 0; status == POD_OK && i < graph->output_count; i++) {
        outputs[i] = case_buffer(graph->context, out[i].dtype, &out[i].shape);
        memcpy(pod_buffer_data(outputs[i]), out[i].data, pod_buffer_bytes(outputs[i]));
    }
    evaluate_free(out, graph->output_count);
    free(in);
    free(out);
    return status;
}

/* ---- one comparison ---- */

typedef struct replica_run {
    pod_context *context;
    case_builder *build;
    uint32_t variant;
    pod_op op;
    int64_t replicas, rows; /* 0 rows: mapped over `replicas` elements of `chunk` rows */
    int64_t chunk;
    const pod_placement *placements;
    bool sum;     /* checks the sum over the replicas */
    bool refused; /* must be refused */
    const char *what;
} replica_run;

static inline int64_t run_length(const replica_run *run, int64_t replica)
{
    int64_t left = run->rows - replica * run->chunk;
    if (run->rows == 0)
        return run->chunk;
    return left < 0 ? 0 : left < run->chunk ? left : run->chunk;
}

/* Builds the graph of one core with so many rows; false when there is no such variant. */
static inline bool build_case(const replica_run *run, int64_t rows, replica_case *c)
{
    pod_error error;
    *c = (replica_case){.rows = rows, .variant = run->variant, .op = run->op};
    ASSERT_OK(pod_graph_new(run->context, "core", &c->graph, &error));
    pod_graph_set_location(c->graph, "step.lua:7");
    pod_node *y = run->build(c);
    if (y != NULL)
        pod_graph_add_output(c->graph, y);
    ASSERT_OK(pod_graph_check(c->graph, &error));
    if (y == NULL)
        pod_graph_free(c->graph);
    return y != NULL;
}

/* Makes the global values of the parameters. */
static inline void make_arguments(const replica_run *run, const replica_case *c, pod_buffer **arguments)
{
    uint64_t state = 42 + (uint64_t)run->variant;
    for (uint32_t i = 0; i < c->count; i++) {
        const pod_node *parameter = c->graph->parameters[i];
        pod_shape shape = *pod_node_shape(parameter, 0);
        if (run->placements[i] == POD_SPLIT)
            shape.dims[0] = run->rows;
        if (run->placements[i] == POD_PER_REPLICA) {
            memmove(shape.dims + 1, shape.dims, (POD_MAX_RANK - 1) * sizeof(int64_t));
            shape.rank++;
            shape.dims[0] = run->replicas;
        }
        arguments[i] = random_buffer(run->context, pod_node_dtype(parameter, 0), &shape, c->low[i], c->high[i], &state);
    }
}

/* Takes a replica's part of an argument: of short shards the first rows of what is not split. */
static inline pod_buffer *part_of(const replica_run *run, const replica_case *c, uint32_t index,
                                  const pod_buffer *argument, int64_t replica)
{
    const pod_shape *shape = pod_node_shape(c->graph->parameters[index], 0);
    if (run->placements[index] == POD_SPLIT)
        return rows_between(run->context, argument, replica * run->chunk, shape);
    if (run->placements[index] == POD_MIRRORED)
        return rows_between(run->context, argument, 0, shape);
    pod_shape whole = *pod_buffer_shape(argument);
    pod_shape stacked = {.rank = whole.rank, .dims = {1}};
    memcpy(stacked.dims + 1, whole.dims + 1, (POD_MAX_RANK - 1) * sizeof(int64_t));
    pod_buffer *own = rows_between(run->context, argument, replica, &stacked);
    pod_buffer *part = case_buffer(run->context, pod_buffer_dtype(own), shape);
    memcpy(pod_buffer_data(part), pod_buffer_data(own), pod_buffer_bytes(part));
    pod_buffer_release(own);
    return part;
}

/* What the core's graph gives for a replica. */
static inline pod_buffer *expected_of(const replica_run *run, pod_buffer *const *arguments, int64_t replica)
{
    replica_case c;
    pod_error error;
    pod_buffer *parts[MAX_CASE_PARAMETERS], *result;
    build_case(run, run_length(run, replica), &c);
    for (uint32_t i = 0; i < c.count; i++)
        parts[i] = part_of(run, &c, i, arguments[i], replica);
    ASSERT_OK(evaluate_buffers(c.graph, parts, &result, &error));
    for (uint32_t i = 0; i < c.count; i++)
        pod_buffer_release(parts[i]);
    pod_graph_free(c.graph);
    return result;
}

/* Visits the elements of a core's padded value: index within it, and within the replica's true
 * value, or -1 where it is padding. */
static inline int64_t true_index(const pod_shape *padded, const pod_shape *exact, int64_t index)
{
    int64_t place = 0, stride = 1;
    for (int32_t k = padded->rank - 1; k >= 0; k--) {
        int64_t at = index % padded->dims[k];
        index /= padded->dims[k];
        if (at >= exact->dims[k])
            return -1;
        place += at * stride;
        stride *= exact->dims[k];
    }
    return place;
}

static inline void compare_replica(const replica_run *run, const pod_buffer *result, const pod_buffer *expected,
                                   int64_t replica)
{
    const pod_shape *whole = pod_buffer_shape(result);
    pod_shape padded = {.rank = whole->rank - 1};
    memcpy(padded.dims, whole->dims + 1, (size_t)padded.rank * sizeof(int64_t));
    int64_t count = pod_shape_elements(&padded);
    for (int64_t i = 0; i < count; i++) {
        int64_t place = true_index(&padded, pod_buffer_shape(expected), i);
        double want = place < 0 ? 0 : element_of(expected, place);
        double got = element_of(result, replica * count + i);
        if (want != got && !(isnan(want) && isnan(got)) && !(fabs(want - got) <= 1e-5 + 1e-5 * fabs(want)))
            FAIL("%s, variant %u: %lld rows over %lld: replica %lld element %lld is %g, not %g", run->what,
                 run->variant, (long long)run->rows, (long long)run->replicas, (long long)replica, (long long)i, got,
                 want);
    }
}

static inline void compare_sum(const replica_run *run, const pod_buffer *result, pod_buffer *const *arguments)
{
    int64_t count = pod_shape_elements(pod_buffer_shape(result));
    double *sums = calloc((size_t)count + 1, sizeof *sums);
    for (int64_t replica = 0; replica < run->replicas; replica++) {
        pod_buffer *expected = expected_of(run, arguments, replica);
        for (int64_t i = 0; i < count; i++) {
            int64_t place = true_index(pod_buffer_shape(result), pod_buffer_shape(expected), i);
            sums[i] += place < 0 ? 0 : element_of(expected, place);
        }
        pod_buffer_release(expected);
    }
    for (int64_t i = 0; i < count; i++) {
        double got = element_of(result, i);
        if (sums[i] != got && !(isnan(sums[i]) && isnan(got)) && !(fabs(sums[i] - got) <= 1e-4 + 1e-4 * fabs(sums[i])))
            FAIL("%s, variant %u: %lld rows over %lld: sum %lld is %g, not %g", run->what, run->variant,
                 (long long)run->rows, (long long)run->replicas, (long long)i, got, sums[i]);
    }
    free(sums);
}

/* Replicates or maps the case's graph. */
static inline pod_status batch_case(const replica_run *run, replica_case *c, pod_graph **result, pod_error *error)
{
    pod_placement output = run->sum ? POD_MIRRORED : POD_PER_REPLICA;
    pod_replicate_options options = {run->replicas, run->placements, &output, run->rows};
    bool mapped[MAX_CASE_PARAMETERS];
    if (run->rows != 0)
        return pod_graph_replicate(c->graph, &options, result, error);
    for (uint32_t i = 0; i < c->count; i++)
        mapped[i] = run->placements[i] == POD_PER_REPLICA;
    return pod_graph_map(c->graph, run->replicas, mapped, result, error);
}

static inline void add_sum(replica_case *c)
{
    pod_attributes attributes = {.reduction = POD_REDUCE_SUM};
    c->graph->outputs[0] = apply(c, POD_OP_ALL_REDUCE, &attributes, c->graph->outputs[0], NULL, NULL);
}

static inline void check_run(const replica_run *run)
{
    replica_case c;
    pod_error error;
    pod_graph *batched;
    pod_buffer *arguments[MAX_CASE_PARAMETERS], *result;
    build_case(run, run->chunk, &c);
    if (run->sum)
        add_sum(&c);
    pod_status status = batch_case(run, &c, &batched, &error);
    if (run->refused) {
        if (status != POD_ERROR_UNSUPPORTED || !strstr(error.message, "drop_remainder") ||
            !strstr(error.message, "step.lua:7"))
            FAIL("%s, variant %u is not refused: %s", run->what, run->variant, status == POD_OK ? "" : error.message);
        pod_graph_free(c.graph);
        return;
    }
    if (status != POD_OK)
        FAIL("%s, variant %u: %lld rows over %lld: %s", run->what, run->variant, (long long)run->rows,
             (long long)run->replicas, error.message);
    ASSERT_OK(pod_graph_verify(batched, &error));
    make_arguments(run, &c, arguments);
    status = evaluate_buffers(batched, arguments, &result, &error);
    if (status != POD_OK)
        FAIL("%s, variant %u: %s\n%s", run->what, run->variant, error.message, pod_graph_print(batched));
    if (run->sum)
        compare_sum(run, result, arguments);
    for (int64_t k = 0; k < run->replicas && !run->sum; k++) {
        if (run->rows != 0 && run_length(run, k) == 0)
            continue;
        pod_buffer *expected = expected_of(run, arguments, k);
        compare_replica(run, result, expected, k);
        pod_buffer_release(expected);
    }
    for (uint32_t i = 0; i < c.count; i++)
        pod_buffer_release(arguments[i]);
    pod_buffer_release(result);
    pod_graph_free(batched);
    pod_graph_free(c.graph);
}

#endif
