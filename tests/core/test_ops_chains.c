/*
 * Normalisations, residual sums and their gradients, whose loops run in chains (engine/run_chains.c): with the
 * numbers of
 * the oracle, the bits that run_loop.c has without chains, and the same on any number of threads. Where the family
 * has no
 * kernel for chains, block functions stand in for it (plain_chain.h), so that planning them is tested on any CPU.
 */

#include "program/compiled.h"
#include "graph/node.h"
#include "graph_setup.h"
#include "plain_chain.h"

/* The family's table, and its chains: taken out of it and put back. */
static pod_kernels *kernels;
static pod_chain_function chain;
static int calls;

static void count_call(const pod_chain *what)
{
    calls++;
    chain(what);
}

static void expect_same(const outcome *a, const outcome *b, const char *what)
{
    for (size_t i = 0; i < a->outputs; i++)
        if (memcmp(pod_buffer_data(a->results[i]), pod_buffer_data(b->results[i]), pod_buffer_bytes(a->results[i])) !=
            0)
            FAIL("%s: output %zu has other bits", what, i);
}

static void check(setup *s, const char *what, double tolerance)
{
    kernels->chain = chain;
    check_against_oracle(s->context, s->graph, s->arguments, what, tolerance);
    outcome one = program_run(s->context, s->graph, s->arguments, false, 1, 1);
    outcome two = program_run(s->context, s->graph, s->arguments, false, 2, 1);
    expect_same(&one, &two, what);
    outcome_release(&two);
    kernels->chain = NULL;
    outcome blocks = program_run(s->context, s->graph, s->arguments, false, 1, 1);
    expect_same(&one, &blocks, what);
    outcome_release(&blocks);
    kernels->chain = count_call;
    calls = 0;
    outcome counted = program_run(s->context, s->graph, s->arguments, false, 1, 1);
    if (calls == 0)
        FAIL("%s: nothing is done in chains", what);
    outcome_release(&counted);
    outcome_release(&one);
    kernels->chain = chain;
    setup_free(s);
}

static pod_node *dense(setup *s, pod_node *x, int64_t width, bool bias)
{
    const int64_t from = pod_node_shape(x, 0)->dims[1];
    const pod_dtype dtype = pod_node_dtype(x, 0);
    pod_graph *g = s->graph;
    pod_node *weights = parameter(s, dtype, &(pod_shape){2, {from, width}});
    pod_node *y = pod_graph_matmul(g, x, weights);
    return bias ? pod_graph_add(g, y, parameter(s, dtype, &(pod_shape){1, {width}})) : y;
}

/* The mean square of y and its gradients at the first `count` parameters. */
static void add_gradients(setup *s, pod_node *y, size_t count)
{
    pod_graph *g = s->graph;
    pod_node *gradients[MOST_ARGUMENTS];
    y = pod_graph_convert(g, y, POD_F32);
    pod_node *loss = pod_graph_mean(g, pod_graph_multiply(g, y, y), NULL, false);
    ASSERT_OK(pod_graph_check(g, &error));
    ASSERT_OK(pod_graph_gradient(g, loss, NULL, s->nodes, count, gradients, &error));
    pod_graph_add_output(g, loss);
    for (size_t i = 0; i < count; i++)
        pod_graph_add_output(g, gradients[i]);
}

static pod_node *normalize(setup *s, pod_node *x, const char *name)
{
    const int64_t width = pod_node_shape(x, 0)->dims[1];
    const bool layer = strcmp(name, "layer_normalization") == 0;
    pod_node *operands[3] = {x, parameter(s, POD_F32, &(pod_shape){1, {width}}), NULL};
    if (layer)
        operands[2] = parameter(s, POD_F32, &(pod_shape){1, {width}});
    return pod_graph_composite(s->graph, name, operands, layer ? 3 : 2, &(pod_attributes){.values = {1e-3}});
}

/* x + product of the normalised x, normalised again. */
static void add_block(setup *s, pod_dtype dtype, const char *name, int64_t rows, int64_t width)
{
    pod_graph *g = s->graph;
    pod_node *x = parameter(s, dtype, &(pod_shape){2, {rows, width}});
    pod_node *y = dense(s, normalize(s, x, name), width, true);
    y = normalize(s, pod_graph_add(g, x, y), name);
    add_gradients(s, y, s->count);
}

TEST(normalisations_and_their_gradients)
{
    static const int64_t sizes[][2] = {{37, 64}, {160, 128}, {70, 192}, {256, 256}, {33, 448}, {20, 1088}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 4; kind++) {
            setup s = setup_new("chains");
            const char *name = kind % 2 != 0 ? "rms_normalization" : "layer_normalization";
            char what[64];
            snprintf(what, sizeof what, "%s %s, %d columns", kind < 2 ? "f32" : "bf16", name, (int)sizes[i][1]);
            add_block(&s, kind < 2 ? POD_F32 : POD_BF16, name, sizes[i][0], sizes[i][1]);
            check(&s, what, kind < 2 ? 0x1p-11 : 0x1p-5);
        }
}

/* Several values that live from chain to chain, a value that is stored and read again, sums of what is loaded. */
TEST(values_that_are_read_again)
{
    setup s = setup_new("chains");
    pod_graph *g = s.graph;
    const pod_shape shape = {2, {300, 128}};
    pod_node *a = parameter(&s, POD_F32, &shape), *b = parameter(&s, POD_F32, &shape);
    const pod_axes rows = {1, {1}}, columns = {1, {0}};
    pod_node *sum = pod_graph_add(g, a, b), *difference = pod_graph_subtract(g, a, b);
    pod_node *first = pod_graph_reduce(g, "reduce_sum", pod_graph_multiply(g, sum, difference), &rows, true);
    pod_node *shifted = pod_graph_subtract(g, sum, first);
    pod_node *second = pod_graph_reduce(g, "reduce_sum", pod_graph_multiply(g, shifted, shifted), &rows, true);
    pod_node *scaled = pod_graph_multiply(g, pod_graph_multiply(g, difference, second), shifted);
    pod_graph_add_output(g, scaled);
    pod_graph_add_output(g, shifted);
    pod_graph_add_output(g, pod_graph_subtract(g, first, scaled));
    pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", scaled, &columns, false));
    pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", a, &columns, false));
    ASSERT_OK(pod_graph_check(g, &error));
    check(&s, "values", 0x1p-10);
}

/* What is dropped, what was not positive, and rows that repeat over batches. */
TEST(choices_and_views)
{
    for (int kind = 0; kind < 2; kind++) {
        setup s = setup_new("chains");
        pod_graph *g = s.graph;
        const pod_dtype dtype = kind == 0 ? POD_F32 : POD_BF16;
        pod_node *x = parameter(&s, dtype, &(pod_shape){3, {6, 40, 128}});
        pod_node *places = parameter(&s, dtype, &(pod_shape){2, {40, 128}});
        pod_node *gamma = parameter(&s, POD_F32, &(pod_shape){1, {128}});
        pod_node *kept = parameter(&s, POD_BOOL, &(pod_shape){3, {6, 40, 128}});
        for (int64_t i = 0; i < 6 * 40 * 128; i++)
            ((bool *)s.arguments[3].data)[i] = i % 3 != 0;
        pod_node *sum = pod_graph_add(g, x, places);
        pod_node *active = pod_graph_composite(g, "relu", &sum, 1, NULL);
        pod_node *zero = pod_graph_scalar(g, dtype, 0, NULL);
        pod_node *norm[2] = {pod_graph_select(g, kept, active, zero), gamma};
        pod_node *y = pod_graph_composite(g, "rms_normalization", norm, 2, &(pod_attributes){.values = {1e-3}});
        y = pod_graph_composite(g, "relu", &y, 1, NULL);
        add_gradients(&s, pod_graph_add(g, y, sum), 3);
        check(&s, kind == 0 ? "f32 choices" : "bf16 choices", kind == 0 ? 0x1p-11 : 0x1p-5);
    }
}

/* Batch normalisation of narrow rows, whose chains take several together, and its gradients; a number of rows that
 * is no
 * multiple of those. */
TEST(narrow_rows)
{
    static const int64_t widths[] = {16, 32, 48, 64, 80, 128};
    for (size_t i = 0; i < 2 * sizeof widths / sizeof *widths; i++) {
        setup s = setup_new("chains");
        pod_graph *g = s.graph;
        const int64_t width = widths[i / 2];
        const pod_dtype dtype = i % 2 == 0 ? POD_F32 : POD_BF16;
        pod_node *x = parameter(&s, dtype, &(pod_shape){2, {331, width}});
        pod_node *scale = parameter(&s, POD_F32, &(pod_shape){1, {width}});
        pod_node *wide = pod_graph_convert(g, x, POD_F32);
        pod_node *centred = pod_graph_subtract(g, wide, pod_graph_mean(g, wide, &(pod_axes){1, {0}}, true));
        pod_node *y = pod_graph_subtract(g, scale, pod_graph_multiply(g, centred, scale));
        y = pod_graph_convert(g, pod_graph_composite(g, "relu", &y, 1, NULL), dtype);
        char what[48];
        snprintf(what, sizeof what, "%d narrow columns of %s", (int)width, dtype == POD_F32 ? "f32" : "bf16");
        add_gradients(&s, y, 2);
        check(&s, what, dtype == POD_F32 ? 0x1p-11 : 0x1p-5);
    }
}

/* Sums of the rows of each of some parts, as replicas' own statistics are, of what is stored as well. */
TEST(sums_of_parts)
{
    static const int64_t shapes[][3] = {{8, 100, 16}, {3, 57, 32}, {2, 40, 64}, {4, 33, 80}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        setup s = setup_new("chains");
        pod_graph *g = s.graph;
        const pod_shape shape = {3, {shapes[i][0], shapes[i][1], shapes[i][2]}};
        pod_node *x = parameter(&s, POD_F32, &shape);
        pod_node *moved = parameter(&s, POD_F32, &(pod_shape){3, {shape.dims[0], 1, shape.dims[2]}});
        pod_node *centred = pod_graph_subtract(g, x, pod_graph_broadcast_to(g, moved, &shape));
        pod_node *squares = pod_graph_negate(g, pod_graph_multiply(g, centred, centred));
        const pod_axes rows = {1, {1}};
        pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", squares, &rows, false));
        pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", x, &rows, false));
        pod_graph_add_output(g, squares);
        ASSERT_OK(pod_graph_check(g, &error));
        check(&s, "sums of parts", 0x1p-11);
    }
}

/* ---- one step of each kind ------------------------------------------------------------------------------------- */

static pod_node *add_sum(setup *s, pod_node **in)
{
    return pod_graph_add(s->graph, in[0], in[1]);
}

static pod_node *add_difference(setup *s, pod_node **in)
{
    return pod_graph_subtract(s->graph, in[0], in[1]);
}

static pod_node *add_product(setup *s, pod_node **in)
{
    return pod_graph_multiply(s->graph, in[0], in[1]);
}

static pod_node *add_square(setup *s, pod_node **in)
{
    return pod_graph_multiply(s->graph, in[0], in[0]);
}

static pod_node *add_negative(setup *s, pod_node **in)
{
    return pod_graph_negate(s->graph, in[0]);
}

static pod_node *add_positive(setup *s, pod_node **in)
{
    return pod_graph_composite(s->graph, "relu", in, 1, NULL);
}

static pod_node *add_where_positive(setup *s, pod_node **in)
{
    pod_node *zero = pod_graph_scalar(s->graph, POD_F32, 0, NULL);
    return pod_graph_select(s->graph, pod_graph_compare(s->graph, POD_COMPARE_GT, in[0], zero), in[1], zero);
}

static pod_node *add_where(setup *s, pod_node **in)
{
    return pod_graph_select(s->graph, in[2], in[0], pod_graph_scalar(s->graph, POD_F32, 0, NULL));
}

static pod_node *add_rounding(setup *s, pod_node **in)
{
    return pod_graph_convert(s->graph, in[0], POD_BF16);
}

static pod_node *add_widening(setup *s, pod_node **in)
{
    return pod_graph_add(s->graph, in[0], pod_graph_convert(s->graph, in[3], POD_F32));
}

static pod_node *add_column(setup *s, pod_node **in)
{
    return pod_graph_multiply(s->graph, in[0], in[4]);
}

static pod_node *row_sum(setup *s, pod_node *x)
{
    return pod_graph_reduce(s->graph, "reduce_sum", x, &(pod_axes){1, {1}}, true);
}

static pod_node *add_row_sum(setup *s, pod_node **in)
{
    return pod_graph_subtract(s->graph, in[0], row_sum(s, in[0]));
}

static pod_node *add_row_sum_of_squares(setup *s, pod_node **in)
{
    return pod_graph_multiply(s->graph, in[0], row_sum(s, pod_graph_multiply(s->graph, in[0], in[0])));
}

static pod_node *add_row_sum_of_products(setup *s, pod_node **in)
{
    return pod_graph_add(s->graph, in[0], row_sum(s, pod_graph_multiply(s->graph, in[0], in[1])));
}

/* The row's deviation, by steps on rows. */
static pod_node *add_deviation(setup *s, pod_node **in)
{
    pod_graph *g = s->graph;
    pod_node *sum = row_sum(s, pod_graph_multiply(g, in[0], in[0]));
    pod_node *mean = pod_graph_multiply(g, sum, pod_graph_scalar(g, POD_F32, 1.0 / 128, NULL));
    return pod_graph_multiply(g, in[0],
                              pod_graph_rsqrt(g, pod_graph_add(g, mean, pod_graph_scalar(g, POD_F32, 1e-3, NULL))));
}

static pod_node *add_column_sums(setup *s, pod_node **in)
{
    pod_node *sum = pod_graph_add(s->graph, in[0], in[1]);
    pod_graph_add_output(s->graph, pod_graph_reduce(s->graph, "reduce_sum", sum, &(pod_axes){1, {0}}, false));
    return sum;
}

/* A loop of a single step, of a kind that chains have, is no loop of blocks. */
TEST(steps_of_every_kind_have_chains)
{
    static const struct {
        const char *name;
        pod_node *(*build)(setup *s, pod_node **in);
    } steps[] = {{"sum", add_sum},
                 {"difference", add_difference},
                 {"product", add_product},
                 {"square", add_square},
                 {"negative", add_negative},
                 {"positive", add_positive},
                 {"where positive", add_where_positive},
                 {"where", add_where},
                 {"rounding", add_rounding},
                 {"widening", add_widening},
                 {"column", add_column},
                 {"row sum", add_row_sum},
                 {"row sum of squares", add_row_sum_of_squares},
                 {"row sum of products", add_row_sum_of_products},
                 {"deviation", add_deviation},
                 {"column sums", add_column_sums}};
    static const int64_t widths[] = {16, 128, 320};
    const pod_dtype types[] = {POD_F32, POD_F32, POD_BOOL, POD_BF16};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (size_t j = 0; j < sizeof widths / sizeof *widths; j++) {
            setup s = setup_new("chains");
            pod_node *in[5];
            const pod_shape shape = {2, {45, widths[j]}};
            for (int k = 0; k < 4; k++)
                in[k] = parameter(&s, types[k], &shape);
            for (int64_t k = 0; k < 45 * widths[j]; k++)
                ((bool *)s.arguments[2].data)[k] = k % 3 != 0;
            in[4] = parameter(&s, POD_F32, &(pod_shape){1, {widths[j]}});
            pod_graph_add_output(s.graph, steps[i].build(&s, in));
            ASSERT_OK(pod_graph_check(s.graph, &error));
            check(&s, steps[i].name, 0x1p-7);
        }
}

/* Sums of columns of what is the same along each row. */
static pod_node *add_sums_of_rows(setup *s, pod_node **in)
{
    pod_node *spread = pod_graph_broadcast_to(s->graph, row_sum(s, in[0]), pod_node_shape(in[0], 0));
    pod_node *sum = pod_graph_add(s->graph, in[0], spread);
    pod_graph_add_output(s->graph, pod_graph_reduce(s->graph, "reduce_sum", sum, &(pod_axes){1, {0}}, false));
    pod_graph_add_output(s->graph, pod_graph_reduce(s->graph, "reduce_sum", spread, &(pod_axes){1, {0}}, false));
    return sum;
}

/* Chains have no such sums: blocks make them. */
TEST(sums_of_what_is_the_same_along_rows)
{
    setup s = setup_new("chains");
    pod_node *in = parameter(&s, POD_F32, &(pod_shape){2, {45, 128}});
    kernels->chain = chain;
    pod_graph_add_output(s.graph, add_sums_of_rows(&s, &in));
    ASSERT_OK(pod_graph_check(s.graph, &error));
    check_against_oracle(s.context, s.graph, s.arguments, "sums of rows", 0x1p-11);
    setup_free(&s);
}

static void choose(void)
{
    const pod_kernels *table;
    if (pod_kernel_choose_family(NULL, &table, &error) != POD_OK) {
        printf("Bail out! %s\n", error.message);
        exit(1);
    }
    kernels = (pod_kernels *)(uintptr_t)table; /* which is no constant: tests may change it */
    plain_kernels = table;
    chain = table->chain ? table->chain : plain_chain;
}

TEST_MAIN(choose(); RUN(normalisations_and_their_gradients); RUN(values_that_are_read_again); RUN(choices_and_views);
          RUN(narrow_rows); RUN(sums_of_parts); RUN(steps_of_every_kind_have_chains);
          RUN(sums_of_what_is_the_same_along_rows))
