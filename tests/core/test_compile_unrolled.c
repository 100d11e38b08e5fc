/* Compiling loops that were unrolled: sums of what slices hand back, weights that many products share, and how many
 * phases that takes. */

#include "program/compiled.h"
#include "graph/build.h"
#include "grad/gradient.h"
#include "program_run.h"

static pod_error error;

#define SHAPE(...) (&(pod_shape){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}})

static pod_graph *new_graph(pod_context *context)
{
    pod_graph *graph;
    ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
    return graph;
}

/* Multiples of 1/8, whose sums are exact in any order. */
static pod_array numbers(const pod_shape *shape, int first)
{
    pod_array made = evaluate_allocate(POD_F32, shape);
    for (int64_t i = 0; i < pod_shape_elements(shape); i++)
        ((float *)made.data)[i] = (float)((first + 7 * i) % 23 - 11) * 0.125f;
    return made;
}

static pod_node *padded(pod_graph *g, pod_node *x, int32_t axis, int64_t low, int64_t size)
{
    pod_attributes around = {0};
    around.low[axis] = low;
    around.high[axis] = size - low - x->results[0].shape.dims[axis];
    pod_node *zero = pod_graph_scalar(g, POD_F32, 0, NULL);
    return pod_graph_apply(g, POD_OP_PAD, (pod_node *[]){x, zero}, 2, &around, NULL, 0);
}

static uint32_t count_of(const pod_program *program, pod_instruction_kind kind, pod_op op)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->function->instruction_count; i++) {
        const pod_instruction *one = program->function->instructions[i];
        count += one->kind == kind && (kind != POD_DO_KERNEL || one->op == op);
    }
    return count;
}

/* The sum of so many parts [at[i], at[i] + 3) of an axis, in that order, and maybe of another array; returns the pads
 * that are left. */
static uint32_t pads_of_sum(const int64_t *at, uint32_t count, int32_t axis, bool another)
{
    pod_context *context = test_context(NULL);
    pod_graph *graph = new_graph(context);
    pod_array arguments[MOST_VALUES];
    pod_node *sum = NULL;
    size_t given = 0;
    const int64_t size = 3 * count;
    const pod_shape *whole = axis == 0 ? SHAPE(size, 20) : SHAPE(20, size);
    if (another) {
        sum = pod_graph_parameter(graph, POD_F32, whole, "x");
        arguments[given++] = numbers(whole, 5);
    }
    for (uint32_t i = 0; i < count; i++) {
        const pod_shape *part = axis == 0 ? SHAPE(3, 20) : SHAPE(20, 3);
        pod_node *x = pod_graph_parameter(graph, POD_F32, part, "x");
        arguments[given++] = numbers(part, (int)i);
        x = padded(graph, pod_graph_negate(graph, x), axis, at[i], size);
        sum = sum ? pod_graph_add(graph, sum, x) : x;
    }
    pod_graph_add_output(graph, sum);
    check_against_oracle(context, graph, arguments, "sum of pads", 0);
    pod_program *program;
    ASSERT_OK(pod_program_compile(context, graph, NULL, &program, &error));
    uint32_t pads = count_of(program, POD_DO_KERNEL, POD_OP_PAD);
    pod_program_free(program);
    evaluate_free(arguments, given);
    pod_graph_free(graph);
    pod_context_release(context);
    return pads;
}

TEST(parts_side_by_side_are_concatenated)
{
    ASSERT_EQ(0, pads_of_sum((int64_t[]){9, 6, 3, 0}, 4, 1, false));
    ASSERT_EQ(0, pads_of_sum((int64_t[]){9, 0, 6, 3}, 4, 1, false));
    ASSERT_EQ(0, pads_of_sum((int64_t[]){0, 6, 3, 9}, 4, 0, true));
    ASSERT_EQ(2, pads_of_sum((int64_t[]){6, 6, 3, 9}, 4, 1, false)); /* one place twice */
    int64_t many[40];
    for (int64_t i = 0; i < 40; i++)
        many[i] = 3 * (39 - i);
    ASSERT_EQ(0, pads_of_sum(many, 40, 1, false));
    ASSERT_EQ(0, pads_of_sum(many, 40, 1, true));
}

/* A recurrence of `steps` steps over x [rows, steps, units] and the gradient of its last state. */
static void unrolled(pod_context *context, int64_t rows, int64_t steps, pod_program **program)
{
    enum { UNITS = 24 };
    pod_graph *g = new_graph(context);
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(rows, steps, UNITS), "x");
    pod_node *w = pod_graph_parameter(g, POD_F32, SHAPE(UNITS, UNITS), "w");
    pod_node *h = NULL, *sources[2] = {x, w}, *gradients[2];
    uint32_t first = g->node_count;
    for (int64_t t = 0; t < steps; t++) {
        pod_attributes cut = {.step = {1, 1, 1}};
        cut.low[1] = t;
        cut.high[0] = rows, cut.high[1] = t + 1, cut.high[2] = UNITS;
        pod_node *now = pod_graph_apply(g, POD_OP_SLICE, &x, 1, &cut, NULL, 0);
        now = pod_graph_reshape(g, now, SHAPE(rows, UNITS));
        h = pod_graph_tanh(g, h ? pod_graph_add(g, now, pod_graph_matmul(g, h, w)) : now);
    }
    pod_node *seed = pod_graph_number_like(g, h, 1);
    const pod_gradient_request request = {.graph = g,
                                          .first = first,
                                          .targets = &h,
                                          .seeds = &seed,
                                          .target_count = 1,
                                          .sources = sources,
                                          .source_count = 2,
                                          .gradients = gradients};
    ASSERT_OK(pod_gradient_walk(&request, &error));
    for (int i = 0; i < 2; i++)
        pod_graph_add_output(g, gradients[i]);
    pod_array arguments[2] = {numbers(SHAPE(rows, steps, UNITS), 1), numbers(SHAPE(UNITS, UNITS), 4)};
    check_against_oracle(context, g, arguments, "unrolled", 1e-4);
    ASSERT_OK(pod_program_compile(context, g, NULL, program, &error));
    evaluate_free(arguments, 2);
    pod_graph_free(g);
}

/* The weight is packed once for each direction, what x's slices hand back is padded nowhere, and rows of a batch go
 * through all steps without a barrier of the threads. */
TEST(unrolled_steps_are_one_group)
{
    static const int64_t rows[] = {128, 8};
    pod_context *context = test_context(NULL);
    for (int i = 0; i < 2; i++) {
        pod_program *few, *many;
        unrolled(context, rows[i], 4, &few);
        unrolled(context, rows[i], 12, &many);
        ASSERT_EQ(0, count_of(many, POD_DO_KERNEL, POD_OP_PAD));
        ASSERT_EQ(1, count_of(many, POD_DO_KERNEL, POD_OP_CONCATENATE));
        ASSERT(many->function->phase_count <= few->function->phase_count + 1);
        pod_program_free(few);
        pod_program_free(many);
    }
    pod_context_release(context);
}

TEST_MAIN(RUN(parts_side_by_side_are_concatenated); RUN(unrolled_steps_are_one_group))
