/* Graphs for another batch: random ones are built for two sizes, and that for the second must be what rescaling makes
 * of the first. */

#include "base/arena_apart.h"
#include "graph/build.h"
#include "moonpod/replicate.h"
#include "replica_cases.h"
#include "same_graph.h"

#define FEATURES 8

static pod_error error;

/* A program that is being built for a batch of `rows`. */
typedef struct program {
    pod_graph *g;
    uint64_t state;
    int64_t rows;
    pod_node *weights, *table, *numbers;
} program;

static uint32_t below(program *p, uint32_t bound)
{
    p->state = p->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(p->state >> 33) % bound;
}

static pod_node *make(program *p, pod_op op, pod_node *const *inputs, size_t count, const pod_attributes *attributes)
{
    return pod_graph_apply(p->g, op, inputs, count, attributes, NULL, 0);
}

/* Each takes [rows, FEATURES] of f32 and gives the same type. */
static pod_node *add_constants(program *p, pod_node *x)
{
    static const float numbers[FEATURES] = {1, 2, 3, 4, 5, 6, 7, 8};
    pod_node *zeros = pod_graph_scalar(p->g, POD_F32, 0, SHAPE(p->rows, FEATURES));
    pod_node *each = pod_graph_constant(p->g, POD_F32, SHAPE(FEATURES), numbers);
    pod_node *count = pod_graph_iota(p->g, POD_F32, SHAPE(p->rows, FEATURES), (int32_t)below(p, 2));
    return pod_graph_maximum(p->g, pod_graph_add(p->g, pod_graph_add(p->g, x, each), count), zeros);
}

static pod_node *multiply_weights(program *p, pod_node *x)
{
    return pod_graph_tanh(p->g, pod_graph_matmul(p->g, x, p->weights));
}

static pod_node *merge_axes(program *p, pod_node *x)
{
    x = pod_graph_reshape(p->g, x, SHAPE(p->rows * 2, FEATURES / 2));
    x = pod_graph_reshape(p->g, pod_graph_exp(p->g, x), SHAPE(p->rows * FEATURES));
    return pod_graph_reshape(p->g, pod_graph_negate(p->g, x), SHAPE(p->rows, FEATURES));
}

/* The batch stands inside: [FEATURES, rows] as one axis. */
static pod_node *merge_behind(program *p, pod_node *x)
{
    x = pod_graph_reshape(p->g, pod_graph_transpose(p->g, x, NULL), SHAPE(FEATURES * p->rows));
    x = pod_graph_reshape(p->g, pod_graph_abs(p->g, x), SHAPE(2, FEATURES / 2 * p->rows));
    return pod_graph_transpose(p->g, pod_graph_reshape(p->g, x, SHAPE(FEATURES, p->rows)), NULL);
}

/* Two batches behind each other, of which the second is taken. */
static pod_node *concatenate(program *p, pod_node *x)
{
    pod_node *both = make(p, POD_OP_CONCATENATE, (pod_node *[]){x, pod_graph_abs(p->g, x)}, 2,
                          &(pod_attributes){.axis = (int32_t)below(p, 2)});
    pod_attributes part = {.step = {1, 1}};
    for (int32_t k = 0; k < 2; k++) {
        const int64_t all = pod_node_shape(both, 0)->dims[k], one = pod_node_shape(x, 0)->dims[k];
        part.low[k] = all - one;
        part.high[k] = all;
    }
    return make(p, POD_OP_SLICE, &both, 1, &part);
}

static pod_node *reorder(program *p, pod_node *x)
{
    pod_node *turned = make(p, POD_OP_REVERSE, &x, 1, &(pod_attributes){.axes = {1, {(int32_t)below(p, 2)}}});
    return make(p, POD_OP_CUMULATIVE_SUM, &turned, 1, &(pod_attributes){.axis = (int32_t)below(p, 2)});
}

static pod_node *normalize(program *p, pod_node *x)
{
    return pod_graph_subtract(p->g, x, pod_graph_mean(p->g, x, &(pod_axes){1, {(int32_t)below(p, 2)}}, true));
}

static pod_node *look_up(program *p, pod_node *x)
{
    pod_node *rows = make(p, POD_OP_GATHER, (pod_node *[]){p->table, p->numbers}, 2, &(pod_attributes){.axis = 0});
    return pod_graph_add(p->g, x, rows);
}

/* The first row for all, which is there at every size. */
static pod_node *add_first(program *p, pod_node *x)
{
    pod_attributes first = {.high = {1, FEATURES}, .step = {1, 1}};
    return pod_graph_add(p->g, x, make(p, POD_OP_SLICE, &x, 1, &first));
}

/* Rows of a table are added to some of the batch's. */
static pod_node *add_to_some(program *p, pod_node *x)
{
    pod_node *inputs[] = {pod_graph_scalar(p->g, POD_F32, 0, SHAPE(p->rows, FEATURES)),
                          pod_graph_scalar(p->g, POD_S32, 1, SHAPE(5)), p->table};
    pod_attributes attributes = {.reduction = POD_REDUCE_SUM, .flag = true};
    return pod_graph_add(p->g, x, make(p, POD_OP_SCATTER, inputs, 3, &attributes));
}

/* A convolution whose channels are the batch, as in the gradient of a transposed one's kernel. */
static pod_node *fold_channels(program *p, pod_node *x)
{
    pod_node *inputs[] = {pod_graph_reshape(p->g, pod_graph_transpose(p->g, x, NULL), SHAPE(FEATURES, 1, p->rows)),
                          pod_graph_reshape(p->g, x, SHAPE(1, p->rows, FEATURES))};
    pod_attributes attributes = {.dtype = POD_F32, .window = {.rank = 1, .groups = 1, .stride = {1}, .dilation = {1}}};
    pod_node *square = make(p, POD_OP_CONVOLUTION, inputs, 2, &attributes);
    return pod_graph_matmul(p->g, x, pod_graph_reshape(p->g, square, SHAPE(FEATURES, FEATURES)));
}

/* Three turns of a loop whose state is a batch and a number. */
static pod_node *loop(program *p, pod_node *x)
{
    pod_graph *test, *body;
    pod_node *number = pod_graph_scalar(p->g, POD_S32, 0, NULL), *state[2], *next;
    ASSERT_OK(pod_graph_new(p->g->context, "test", &test, &error));
    ASSERT_OK(pod_graph_new(p->g->context, "body", &body, &error));
    state[0] = pod_graph_parameter(test, POD_F32, SHAPE(p->rows, FEATURES), "x");
    state[1] = pod_graph_parameter(test, POD_S32, &(pod_shape){0}, "i");
    pod_graph_add_output(test,
                         pod_graph_compare(test, POD_COMPARE_LT, state[1], pod_graph_scalar(test, POD_S32, 3, NULL)));
    state[0] = pod_graph_parameter(body, POD_F32, SHAPE(p->rows, FEATURES), "x");
    state[1] = pod_graph_parameter(body, POD_S32, &(pod_shape){0}, "i");
    next = pod_graph_add(body, state[0], pod_graph_scalar(body, POD_F32, 1, SHAPE(p->rows, FEATURES)));
    pod_graph_add_output(body, next);
    pod_graph_add_output(body, pod_graph_add(body, state[1], pod_graph_scalar(body, POD_S32, 1, NULL)));
    pod_node *made = pod_graph_apply(p->g, POD_OP_WHILE, (pod_node *[]){x, number}, 2, &(pod_attributes){0},
                                     (pod_graph *[]){test, body}, 2);
    return pod_graph_result(p->g, made, 0);
}

typedef pod_node *(*part)(program *p, pod_node *x);

/* What has no gradient comes last: a step begins with parts that have one. */
static const part parts[] = {add_constants, multiply_weights, merge_axes, merge_behind, concatenate,   reorder,
                             normalize,     look_up,          add_first,  add_to_some,  fold_channels, loop};
#define PARTS     (sizeof parts / sizeof *parts)
#define GRADIENTS (PARTS - 2)

/* A step of some parts: the loss, and new weights by its gradient where all parts have one. */
static pod_graph *build(pod_context *context, uint64_t seed, int64_t rows)
{
    program p = {.state = seed * 977 + 3, .rows = rows};
    ASSERT_OK(pod_graph_new(context, "step", &p.g, &error));
    const uint32_t kinds = below(&p, 2) ? PARTS : GRADIENTS;
    p.weights = pod_graph_parameter(p.g, POD_F32, SHAPE(FEATURES, FEATURES), "w");
    p.table = pod_graph_parameter(p.g, POD_F32, SHAPE(5, FEATURES), "table");
    p.numbers = pod_graph_parameter(p.g, POD_S32, SHAPE(rows), "numbers");
    pod_node *x = pod_graph_parameter(p.g, POD_F32, SHAPE(rows, FEATURES), "x");
    for (int i = 0; i < 6; i++)
        x = parts[below(&p, kinds)](&p, x);
    x = multiply_weights(&p, x);
    pod_node *loss = pod_graph_mean(p.g, pod_graph_multiply(p.g, x, x), NULL, false), *gradient;
    pod_graph_add_output(p.g, x);
    pod_graph_add_output(p.g, loss);
    if (kinds == GRADIENTS) {
        ASSERT_OK(pod_graph_gradient(p.g, loss, NULL, &p.weights, 1, &gradient, &error));
        pod_graph_add_output(p.g, pod_graph_subtract(p.g, p.weights, gradient));
        pod_graph_set_alias(p.g, 2, 0);
    }
    ASSERT_OK(pod_graph_check(p.g, &error));
    return p.g;
}

TEST(a_rescaled_graph_is_what_building_it_for_that_size_gives)
{
    pod_context *context = test_context(NULL);
    for (uint64_t seed = 0; seed < 300; seed++) {
        const int64_t few = 3 + (int64_t)(seed % 7), many = 11 + (int64_t)(seed % 3);
        pod_graph *first = build(context, seed, many), *second = build(context, seed, few), *made;
        const pod_batch_axis axis = {.parameter = 3, .axis = 0};
        ASSERT_OK(pod_graph_rescale(first, &axis, few, &made, &error));
        ASSERT(same_graph(made, second));
        pod_graph_free(made);
        ASSERT_OK(pod_graph_rescale(second, &axis, many, &made, &error));
        ASSERT(same_graph(made, first));
        pod_graph_free(made);
        pod_graph_free(first);
        pod_graph_free(second);
    }
    pod_context_release(context);
}

TEST(the_batch_is_found_among_the_arguments)
{
    pod_context *context = test_context(NULL);
    pod_batch_axis found;
    for (uint64_t seed = 0; seed < 100; seed++) {
        pod_graph *graph = build(context, seed, FEATURES); /* as large as the axes of the weights */
        ASSERT_OK(pod_graph_find_batch(graph, 0, &found, &error));
        ASSERT(found.parameter >= 2 && found.axis == 0 && found.size == FEATURES);
        ASSERT_FAILS(POD_ERROR_ARGUMENT, "no argument that is only read has an axis of 77 entries",
                     pod_graph_find_batch(graph, 77, &found, &error));
        pod_graph_free(graph);
    }
    pod_context_release(context);
}

/* A step that adds up three parts of its batch. */
static pod_graph *build_parts(pod_context *context, int64_t rows)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "step", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(3 * rows, FEATURES), "x");
    pod_node *split = pod_graph_reshape(graph, pod_graph_exp(graph, x), SHAPE(3, rows, FEATURES));
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", split, &(pod_axes){1, {0}}, false));
    return graph;
}

TEST(a_batch_in_parts_has_smaller_parts)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = build_parts(context, 4), *wanted = build_parts(context, 2), *made;
    pod_batch_axis found;
    ASSERT_OK(pod_graph_find_batch(graph, 0, &found, &error));
    ASSERT(found.axis == 0 && found.size == 12 && found.parts == 3);
    ASSERT_OK(pod_graph_rescale(graph, &found, 6, &made, &error));
    ASSERT(same_graph(made, wanted));
    pod_graph_free(made);
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "an axis of 3 parts cannot have 7 entries",
                 pod_graph_rescale(graph, &found, 7, &made, &error));
    pod_graph_free(wanted);
    pod_graph_free(graph);
    pod_context_release(context);
}

/* Twice as many places as there are rows, counted out, to which no op leads from the rows. */
static pod_graph *build_places(pod_context *context, int64_t rows, int64_t places, bool updates)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "step", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(rows, FEATURES), "x");
    pod_node *kept = pod_graph_parameter(graph, POD_S32, SHAPE(places), "kept");
    pod_node *numbers = pod_graph_iota(graph, POD_S32, SHAPE(places), 0);
    if (updates)
        numbers = pod_graph_add(graph, kept, numbers);
    pod_node *taken =
        pod_graph_apply(graph, POD_OP_GATHER, (pod_node *[]){x, numbers}, 2, &(pod_attributes){.flag = true}, NULL, 0);
    pod_graph_add_output(graph, pod_graph_reduce(graph, "reduce_sum", taken, NULL, false));
    return graph;
}

TEST(what_is_counted_out_of_the_batch_may_follow_it)
{
    pod_context *context = test_context(NULL);
    for (int counts = 0; counts < 2; counts++)
        for (int updates = 0; updates < 2; updates++) {
            const int64_t few = counts && !updates ? 4 : 8; /* what a parameter has stays */
            pod_graph *graph = build_places(context, 4, 8, updates), *made;
            ASSERT_OK(pod_graph_rescale(graph, &(pod_batch_axis){.counts = counts}, 2, &made, &error));
            const pod_node *taken = made->outputs[0]->inputs[0];
            ASSERT(pod_node_shape(taken, 0)->dims[0] == few);
            pod_graph_free(made);
            pod_graph_free(graph);
        }
    pod_context_release(context);
}

/* ---- refusals ---- */

/* Refuses to rescale x [4, 2], of which a graph makes one output, with a message that has `words`. */
static void refuse(const char *words, pod_node *(*build_one)(pod_graph *g, pod_node *x))
{
    pod_context *context = test_context(NULL);
    pod_graph *graph, *made;
    ASSERT_OK(pod_graph_new(context, "step", &graph, &error));
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(4, 2), "x");
    pod_graph_set_location(graph, "net.py:7");
    pod_graph_add_output(graph, build_one(graph, x));
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, words,
                 pod_graph_rescale(graph, &(pod_batch_axis){.parameter = 0, .axis = 0}, 2, &made, &error));
    ASSERT(made == NULL && strstr(error.message, "net.py:7") != NULL);
    pod_graph_free(graph);
    pod_context_release(context);
}

static pod_node *split_rows(pod_graph *g, pod_node *x)
{
    return pod_graph_reshape(g, x, SHAPE(2, 2, 2));
}

static pod_node *half(pod_graph *g, pod_node *x)
{
    return pod_graph_apply(g, POD_OP_SLICE, &x, 1, &(pod_attributes){.high = {2, 2}, .step = {1, 1}}, NULL, 0);
}

static pod_node *pad_rows(pod_graph *g, pod_node *x)
{
    pod_node *inputs[] = {x, pod_graph_scalar(g, POD_F32, 0, NULL)};
    return pod_graph_apply(g, POD_OP_PAD, inputs, 2, &(pod_attributes){.low = {1}}, NULL, 0);
}

static pod_node *numbers_of_rows(pod_graph *g, pod_node *x)
{
    static const float numbers[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    return pod_graph_add(g, x, pod_graph_constant(g, POD_F32, SHAPE(4, 2), numbers));
}

static pod_node *square(pod_graph *g, pod_node *x)
{
    return pod_graph_matmul(g, x, pod_graph_transpose(g, x, NULL));
}

static pod_node *behind_others(pod_graph *g, pod_node *x)
{
    pod_node *inputs[] = {x, pod_graph_scalar(g, POD_F32, 0, SHAPE(1, 2))};
    return pod_graph_apply(g, POD_OP_CONCATENATE, inputs, 2, &(pod_attributes){.axis = 0}, NULL, 0);
}

TEST(ops_without_a_rule_are_refused_by_name)
{
    refuse("'reshape' has no rule", split_rows);
    refuse("'slice' has no rule", half);
    refuse("'pad' has no rule", pad_rows);
    refuse("'constant' has other numbers", numbers_of_rows);
    refuse("'dot' has the axis at two places", square);
    refuse("'concatenate' puts other entries behind", behind_others);
}

TEST(axes_and_sizes_that_are_none_are_refused)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = build(context, 1, 4), *made;
    const pod_batch_axis axis = {.parameter = 3, .axis = 0};
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "no axis 2 of parameter 3",
                 pod_graph_rescale(graph, &(pod_batch_axis){.parameter = 3, .axis = 2}, 2, &made, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "no axis 0 of parameter 4",
                 pod_graph_rescale(graph, &(pod_batch_axis){.parameter = 4, .axis = 0}, 2, &made, &error));
    ASSERT_FAILS(POD_ERROR_ARGUMENT, "cannot have 0", pod_graph_rescale(graph, &axis, 0, &made, &error));
    ASSERT_FAILS(POD_ERROR_SHAPE, "more bytes than 63 bits count",
                 pod_graph_rescale(graph, &axis, INT64_MAX, &made, &error));
    pod_graph_free(graph);
    pod_context_release(context);
}

TEST(a_constant_of_more_entries_than_are_counted_is_refused)
{
    static const float numbers[8] = {1, 2, 1, 2, 1, 2, 1, 2};
    pod_context *context = test_context(NULL);
    pod_graph *graph, *made;
    ASSERT_OK(pod_graph_new(context, "step", &graph, &error));
    pod_node *first = pod_graph_constant(graph, POD_F32, SHAPE(4, 2), numbers); /* before what refuses the size */
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(4, 2), "x");
    pod_graph_add_output(graph, pod_graph_add(graph, x, first));
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "'constant' has too many entries",
                 pod_graph_rescale(graph, &(pod_batch_axis){.parameter = 0}, INT64_MAX, &made, &error));
    pod_graph_free(graph);
    pod_context_release(context);
}

static pod_status rescale_parts(pod_context *context, pod_error *why)
{
    pod_graph *graph, *made = NULL;
    pod_batch_axis found;
    pod_status status = pod_graph_new(context, "step", &graph, why);
    if (status != POD_OK)
        return status;
    program p = {.g = graph, .rows = 4};
    pod_node *x = pod_graph_parameter(graph, POD_F32, SHAPE(4, FEATURES), "x");
    pod_graph_add_output(graph, concatenate(&p, add_constants(&p, x)));
    pod_graph_add_output(graph, pod_graph_iota(graph, POD_S32, SHAPE(8), 0));
    status = pod_graph_find_batch(graph, 4, &found, why);
    found.counts = true;
    if (status == POD_OK)
        status = pod_graph_rescale(graph, &found, 2, &made, why);
    pod_graph_free(made);
    pod_graph_free(graph);
    return status;
}

TEST(every_allocation_may_be_refused)
{
    pod_arenas_apart = true;
    every_allocation_may_fail(rescale_parts);
    pod_arenas_apart = false;
}

TEST_MAIN(RUN(a_rescaled_graph_is_what_building_it_for_that_size_gives); RUN(the_batch_is_found_among_the_arguments);
          RUN(a_batch_in_parts_has_smaller_parts); RUN(what_is_counted_out_of_the_batch_may_follow_it);
          RUN(ops_without_a_rule_are_refused_by_name); RUN(axes_and_sizes_that_are_none_are_refused);
          RUN(a_constant_of_more_entries_than_are_counted_is_refused); RUN(every_allocation_may_be_refused);)
