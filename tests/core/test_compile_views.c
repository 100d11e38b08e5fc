/* Values that loops generate or see through views, against the oracle: counts, repeated constants and random bits
 * under every chain of views, and conversions, which round wherever they stand. */

#include "test.h"

#include "graph/build.h"
#include "program_run.h"

static pod_error error;

#define SHAPE(...) (&(pod_shape){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}})

/* ---- views of what has no memory ------------------------------------------------------------------- */

/* The views in chains. Each takes [rows, columns], or what another made of it. */
typedef enum turn {
    FLATTEN, /* to one axis */
    SWAP,    /* the last two axes */
    REPEAT,  /* twice, along a new first axis */
    EVERY,   /* second element of the last axis, from the second on */
    MIRROR,  /* the first axis */
    WIDEN,   /* to a type with 8 bytes */
    PAIRS,   /* of elements, along a new last axis, where there are pairs */
    TURNS
} turn;

static pod_node *take(pod_graph *g, turn which, pod_node *x)
{
    const pod_shape *shape = pod_node_shape(x, 0);
    const int32_t rank = shape->rank;
    const int64_t elements = pod_shape_elements(shape);
    pod_attributes a = {0};
    switch (which) {
    case FLATTEN:
        return pod_graph_reshape(g, x, SHAPE(-1));
    case SWAP:
        if (rank < 2)
            return x;
        a.axes.count = rank;
        for (int32_t i = 0; i < rank; i++)
            a.axes.axes[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
        return pod_graph_apply(g, POD_OP_TRANSPOSE, &x, 1, &a, NULL, 0);
    case REPEAT:
        a.shape = (pod_shape){rank + 1, {2}};
        a.axes.count = rank;
        for (int32_t i = 0; i < rank; i++) {
            a.axes.axes[i] = i + 1;
            a.shape.dims[i + 1] = shape->dims[i];
        }
        return pod_graph_apply(g, POD_OP_BROADCAST, &x, 1, &a, NULL, 0);
    case EVERY:
        for (int32_t i = 0; i < rank; i++) {
            a.low[i] = i == rank - 1;
            a.high[i] = shape->dims[i];
            a.step[i] = i == rank - 1 ? 2 : 1;
        }
        return shape->dims[rank - 1] < 2 ? x : pod_graph_apply(g, POD_OP_SLICE, &x, 1, &a, NULL, 0);
    case MIRROR:
        a.axes = (pod_axes){1, {0}};
        return pod_graph_apply(g, POD_OP_REVERSE, &x, 1, &a, NULL, 0);
    case WIDEN:
        return pod_graph_convert(g, x, pod_dtype_is_float(pod_node_dtype(x, 0)) ? POD_F64 : POD_S64);
    default:
        return elements % 2 ? x : pod_graph_reshape(g, x, SHAPE(elements / 2, 2));
    }
}

/* What a value is read by: a step that it is the only operand of, a fold, a product, and nothing at all. */
static void add_readers(pod_graph *g, pod_node *x)
{
    pod_graph_add_output(g, x);
    pod_graph_add_output(g, pod_graph_add(g, x, pod_graph_number_like(g, x, 3)));
    const int32_t rank = pod_node_shape(x, 0)->rank;
    pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", x, &(pod_axes){1, {rank - 1}}, false));
    if (pod_node_dtype(x, 0) != POD_F32 || rank < 2 || rank > 4)
        return;
    pod_attributes a = {.lhs_contract = {1, {rank - 1}}, .rhs_contract = {1, {rank - 1}}};
    pod_graph_add_output(g, pod_graph_dot(g, x, x, &a));
}

/* Every chain of three views of a generator; the first view has readers of its own, so that what is copied for
 * the last one is generated for others. */
static void check_chains(pod_context *context, pod_dtype dtype, const pod_shape *shape, int32_t axis)
{
    for (int chain = 0; chain < TURNS * TURNS * TURNS; chain++) {
        pod_graph *g;
        ASSERT_OK(pod_graph_new(context, "views", &g, &error));
        pod_node *x = axis >= 0 ? pod_graph_iota(g, dtype, shape, axis) : pod_graph_scalar(g, dtype, 3, shape);
        for (int i = 0, rest = chain; i < 3; i++, rest /= TURNS) {
            pod_node *seen = take(g, (turn)(rest % TURNS), x);
            if (i == 0)
                pod_graph_add_output(g, pod_graph_negate(g, x));
            x = seen;
        }
        add_readers(g, x);
        check_against_oracle(context, g, NULL, "views", 0);
        pod_graph_free(g);
    }
}

TEST(counts_are_the_same_under_all_views)
{
    pod_context *context = test_context(NULL);
    check_chains(context, POD_F32, SHAPE(4, 4), 0);
    check_chains(context, POD_F32, SHAPE(4, 6), 1);
    check_chains(context, POD_S32, SHAPE(3, 1, 4), 0);
    check_chains(context, POD_F32, SHAPE(2, 3, 4), 1);
    pod_context_release(context);
}

TEST(repeated_constants_are_the_same_under_all_views)
{
    pod_context *context = test_context(NULL);
    check_chains(context, POD_F32, SHAPE(4, 6), -1);
    check_chains(context, POD_S32, SHAPE(3, 5), -1);
    pod_context_release(context);
}

/* ---- conversions ------------------------------------------------------------------------------------ */

/* x times w that was narrowed and widened again, on either side. */
static void check_rounded_operand(pod_context *context, pod_dtype narrow, bool right, bool turned)
{
    enum { SIZE = 40 };
    static float elements[2][SIZE * SIZE];
    pod_graph *g;
    ASSERT_OK(pod_graph_new(context, "rounded", &g, &error));
    for (int i = 0; i < SIZE * SIZE; i++) {
        elements[0][i] = (float)(i % 3); /* sums of 0, 1 and 2 times what is rounded are exact */
        elements[1][i] = 1 + (float)(i % 97) / 8192;
    }
    pod_node *x = pod_graph_parameter(g, POD_F32, SHAPE(SIZE, SIZE), "x");
    pod_node *w = pod_graph_parameter(g, POD_F32, SHAPE(SIZE, SIZE), "w");
    pod_node *rounded = pod_graph_convert(g, pod_graph_convert(g, w, narrow), POD_F32);
    pod_attributes a = {.lhs_contract = {1, {1}}, .rhs_contract = {1, {turned}}, .precision = POD_PRECISION_HIGHEST};
    pod_graph_add_output(g, right ? pod_graph_dot(g, x, rounded, &a) : pod_graph_dot(g, rounded, x, &a));
    const pod_array arguments[] = {{POD_F32, {2, {SIZE, SIZE}}, elements[0]},
                                   {POD_F32, {2, {SIZE, SIZE}}, elements[1]}};
    check_against_oracle(context, g, arguments, "rounded", 0x1p-22);
    pod_graph_free(g);
}

TEST(products_take_what_was_rounded)
{
    pod_context *context = test_context(NULL);
    for (int i = 0; i < 8; i++)
        check_rounded_operand(context, i & 1 ? POD_BF16 : POD_F16, (i & 2) != 0, (i & 4) != 0);
    pod_context_release(context);
}

/* From each type through another to a third: what the second cannot hold is gone. */
TEST(conversions_through_a_type_leave_what_it_holds)
{
    static const double elements[] = {0, 1, -1, 2.5, -3.75, 100.4375, 255, 300, -129, 1.00390625, 65537, 1e9, 0.1};
    enum { COUNT = sizeof elements / sizeof *elements };
    pod_context *context = test_context(NULL);
    for (pod_dtype from = POD_BOOL; from < POD_DTYPE_END; from++) {
        pod_array argument = evaluate_allocate(from, SHAPE(COUNT));
        pod_convert(POD_F64, elements, from, argument.data, COUNT);
        for (pod_dtype through = POD_BOOL; through < POD_DTYPE_END; through++) {
            pod_graph *g;
            ASSERT_OK(pod_graph_new(context, "conversions", &g, &error));
            pod_node *x = pod_graph_parameter(g, from, SHAPE(COUNT), "x");
            pod_node *y = pod_graph_convert(g, x, through);
            for (pod_dtype to = POD_BOOL; to < POD_DTYPE_END; to++) {
                pod_node *z = pod_graph_convert(g, y, to);
                pod_graph_add_output(g, z);
                pod_graph_add_output(g, pod_graph_select(g, pod_graph_compare(g, POD_COMPARE_EQ, z, z), z, z));
                if (to != POD_BOOL)
                    pod_graph_add_output(g, pod_graph_maximum(g, z, pod_graph_number_like(g, z, 1)));
            }
            char what[64];
            snprintf(what, sizeof what, "%s through %s", pod_dtype_name(from), pod_dtype_name(through));
            check_against_oracle(context, g, &argument, what, 0);
            pod_graph_free(g);
        }
        evaluate_free(&argument, 1);
    }
    pod_context_release(context);
}

TEST_MAIN(RUN(counts_are_the_same_under_all_views); RUN(repeated_constants_are_the_same_under_all_views);
          RUN(products_take_what_was_rounded); RUN(conversions_through_a_type_leave_what_it_holds))
