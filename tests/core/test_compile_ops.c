/* Every op through compiling and running: against results computed elsewhere, and against the oracle. */

#include "golden_rows.h"
#include "grad_cases.h"
#include "graph/node.h"
#include "program_run.h"

/* ---- goldens --------------------------------------------------------------------------------------- */

/* The types and shapes that the graph infers for ops whose goldens leave them to the arrays. */
static pod_attributes golden_attributes(const golden *row)
{
    pod_attributes a = row->attributes;
    const golden_array *out = &row->outputs[0];
    if (!a.dtype)
        a.dtype = out->dtype;
    if (!a.shape.rank)
        a.shape = out->shape;
    return a;
}

/* Returns whether graphs take the op with these types; kernels take some more. */
static bool check_golden(pod_context *context, const golden *row)
{
    pod_error error;
    pod_graph *graph;
    pod_node *inputs[MOST_ARRAYS];
    pod_array arguments[MOST_ARRAYS], expected[MOST_ARRAYS];
    size_t count = 0, outputs = 0;
    ASSERT_OK(pod_graph_new(context, "golden", &graph, &error));
    for (; count < MOST_ARRAYS && row->inputs[count].dtype; count++) {
        const golden_array *from = &row->inputs[count];
        arguments[count] = evaluate_allocate(from->dtype, &from->shape);
        pod_convert(POD_F64, from->elements, from->dtype, arguments[count].data,
                    (size_t)pod_shape_elements(&from->shape));
        inputs[count] = pod_graph_parameter(graph, from->dtype, &from->shape, "x");
    }
    const pod_attributes attributes = golden_attributes(row);
    pod_node *node = pod_graph_apply(graph, pod_op_from_name(row->op), inputs, count, &attributes, NULL, 0);
    for (; outputs < MOST_ARRAYS && row->outputs[outputs].dtype; outputs++) {
        const golden_array *from = &row->outputs[outputs];
        expected[outputs] = evaluate_allocate(from->dtype, &from->shape);
        pod_convert(POD_F64, from->elements, from->dtype, expected[outputs].data,
                    (size_t)pod_shape_elements(&from->shape));
        pod_graph_add_output(graph, pod_graph_result(graph, node, outputs));
    }
    const bool taken = pod_graph_check(graph, &error) == POD_OK;
    for (int threads = 1; taken && threads <= 3; threads += 2) {
        outcome o = program_run(context, graph, arguments, false, threads, 1);
        for (size_t i = 0; i < outputs; i++)
            compare_arrays(row->op, i, &expected[i], o.results[i], golden_tolerance(expected[i].dtype));
        outcome_release(&o);
    }
    evaluate_free(arguments, count);
    evaluate_free(expected, outputs);
    pod_graph_free(graph);
    return taken;
}

TEST(compiled_ops_agree_with_numpy)
{
    pod_context *context = test_context(NULL);
    size_t refused = 0;
    for (size_t i = 0; i < GOLDEN_COUNT; i++)
        refused += !check_golden(context, &goldens[i]);
    ASSERT(refused * 20 < GOLDEN_COUNT);
    pod_context_release(context);
}

/* ---- gradients ------------------------------------------------------------------------------------- */

static pod_array random_array(const pod_shape *shape, double low, double high, uint64_t seed)
{
    pod_array array = evaluate_allocate(POD_F64, shape);
    for (int64_t i = 0; i < pod_shape_elements(shape); i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        ((double *)array.data)[i] = low + (high - low) * (double)(seed >> 11) * 0x1p-53;
    }
    return array;
}

static void check_gradient(pod_context *context, const grad_case *c, pod_dtype dtype, double relative)
{
    pod_error error;
    pod_graph *graph;
    pod_node *parameters[3], *wide[3], *gradients[3];
    pod_array arguments[3];
    ASSERT_OK(pod_graph_new(context, c->name, &graph, &error));
    for (int i = 0; i < c->count; i++) {
        pod_array exact = random_array(&c->shapes[i], c->low, c->high, (uint64_t)i + 1);
        arguments[i] = evaluate_allocate(dtype, &c->shapes[i]);
        pod_convert(POD_F64, exact.data, dtype, arguments[i].data, (size_t)pod_shape_elements(&exact.shape));
        evaluate_free(&exact, 1);
        parameters[i] = pod_graph_parameter(graph, dtype, &c->shapes[i], "p");
        wide[i] = pod_graph_convert(graph, parameters[i], POD_F64);
    }
    pod_node *value = c->build(graph, wide);
    ASSERT_OK(pod_graph_check(graph, &error));
    ASSERT_OK(pod_graph_gradient(graph, value, NULL, parameters, (size_t)c->count, gradients, &error));
    pod_graph_add_output(graph, value);
    for (int i = 0; i < c->count; i++)
        if (gradients[i])
            pod_graph_add_output(graph, gradients[i]);
    check_against_oracle(context, graph, arguments, c->name, relative);
    evaluate_free(arguments, (size_t)c->count);
    pod_graph_free(graph);
}

TEST(compiled_gradients_of_every_op_agree_with_the_oracle)
{
    pod_context *context = test_context(NULL);
    for (size_t i = 0; i < GRAD_CASE_COUNT; i++)
        check_gradient(context, &grad_cases[i], POD_F64, 1e-12);
    pod_context_release(context);
}

/* ---- random numbers -------------------------------------------------------------------------------- */

TEST(random_bits_are_those_of_the_oracle)
{
    static const pod_shape shapes[] = {{0}, {1, {700}}, {2, {33, 50}}, {3, {3, 40, 30}}, {2, {2, 5000}}};
    pod_context *context = test_context(NULL);
    uint64_t state[2] = {77, 5};
    const pod_array arguments[1] = {{POD_U64, {1, {2}}, state}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        pod_error error;
        pod_graph *g;
        ASSERT_OK(pod_graph_new(context, "random", &g, &error));
        pod_node *seed = pod_graph_parameter(g, POD_U64, &(pod_shape){1, {2}}, "state");
        for (uint64_t j = 0; j < 2; j++) {
            pod_attributes attributes = {.dtype = POD_U32, .shape = shapes[i], .seed = j + 3};
            pod_node *bits = pod_graph_apply(g, POD_OP_RANDOM_BITS, &seed, 1, &attributes, NULL, 0);
            pod_graph_add_output(g, bits);
            pod_graph_add_output(g, pod_graph_convert(g, bits, POD_F64));
        }
        check_against_oracle(context, g, arguments, "random_bits", 0);
        pod_graph_free(g);
    }
    pod_context_release(context);
}

TEST_MAIN(RUN(random_bits_are_those_of_the_oracle); RUN(compiled_ops_agree_with_numpy);
          RUN(compiled_gradients_of_every_op_agree_with_the_oracle))
