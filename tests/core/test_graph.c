/*
 * Building graphs: nodes, errors, places, outputs, text, hash, copies, verification.
 */

#include "graph/build.h"
#include "moonpod/program.h"
#include "test.h"

static pod_context *context;
static pod_error error;

static pod_graph *new_graph(void)
{
    pod_graph *graph;
    context = test_context(&(pod_context_options){.threads = 1});
    ASSERT_OK(pod_graph_new(context, "step", &graph, &error));
    return graph;
}

static void end_graph(pod_graph *graph)
{
    pod_graph_free(graph);
    pod_context_release(context);
}

static pod_node *parameter(pod_graph *graph, pod_dtype dtype, pod_shape shape, const char *name)
{
    return pod_graph_parameter(graph, dtype, &shape, name);
}

#define MATRIX(rows, columns) ((pod_shape){2, {rows, columns}})
#define VECTOR(size)          ((pod_shape){1, {size}})

/* ---- nodes ----------------------------------------------------------------------------------- */

TEST(nodes_are_numbered_in_order_and_know_what_they_are)
{
    pod_graph *graph = new_graph();
    pod_graph_set_location(graph, "model.lua:3");
    pod_graph_set_scope(graph, "dense");
    pod_node *x = parameter(graph, POD_F32, MATRIX(2, 3), "x");
    pod_graph_set_location(graph, NULL);
    pod_node *y = pod_graph_exp(graph, x);
    const pod_node_description d = pod_node_describe(y);
    ASSERT_EQ(1, d.id);
    ASSERT_TEXT("exp", pod_op_name(d.op));
    ASSERT_TEXT("exponential", pod_op_stablehlo_name(d.op));
    ASSERT_EQ(1, d.input_count);
    ASSERT(d.inputs[0] == x && pod_graph_get_node(graph, 0) == x);
    ASSERT(!pod_graph_get_node(graph, 2));
    ASSERT(!d.location);
    ASSERT_TEXT("dense", d.scope);
    ASSERT_TEXT("model.lua:3", pod_node_describe(x).location);
    ASSERT_TEXT("x", pod_node_describe(x).attributes->name);
    ASSERT_EQ(POD_F32, pod_node_dtype(y, 0));
    ASSERT_EQ(POD_DTYPE_NONE, pod_node_dtype(y, 1));
    ASSERT_EQ(2, pod_node_shape(y, 0)->rank);
    ASSERT_EQ(2, pod_graph_node_count(graph));
    end_graph(graph);
}

TEST(ops_are_found_by_name)
{
    for (pod_op op = 0; op < pod_op_count(); op++)
        ASSERT_EQ(op, pod_op_from_name(pod_op_name(op)));
    ASSERT_EQ(-1, pod_op_from_name("frobnicate"));
    ASSERT_EQ(-1, pod_op_from_name(NULL));
    ASSERT(!pod_op_name(-1) && !pod_op_name(pod_op_count()) && !pod_op_stablehlo_name(-1));
}

TEST(equal_places_are_kept_once)
{
    pod_graph *graph = new_graph();
    char text[32];
    const char *first = NULL;
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "model.lua:%d", i % 100);
        pod_graph_set_location(graph, text);
        const pod_node *node = pod_graph_scalar(graph, POD_F32, i, NULL);
        if (i == 0)
            first = node->location;
        if (i % 100 == 0)
            ASSERT(node->location == first);
        ASSERT_TEXT(text, node->location);
    }
    end_graph(graph);
}

TEST(attributes_that_an_op_does_not_read_are_cleared)
{
    pod_graph *graph = new_graph();
    pod_node *x = parameter(graph, POD_F32, MATRIX(2, 3), NULL);
    pod_attributes attributes = {.axis = 1, .count = 9, .flag = true, .name = "x", .dtype = POD_F64};
    pod_node *y = pod_graph_apply(graph, POD_OP_CONVERT, &x, 1, &attributes, NULL, 0);
    ASSERT_EQ(0, y->attributes->axis);
    ASSERT_EQ(0, y->attributes->count);
    ASSERT(!y->attributes->name && !y->attributes->flag);
    ASSERT_EQ(POD_F64, y->attributes->dtype);
    end_graph(graph);
}

TEST(windows_are_completed)
{
    pod_graph *graph = new_graph();
    pod_node *inputs[] = {parameter(graph, POD_F32, (pod_shape){3, {2, 9, 4}}, NULL),
                          parameter(graph, POD_F32, (pod_shape){3, {3, 4, 5}}, NULL)};
    pod_attributes attributes = {.window = {.rank = 1, .size = {0, 7}}};
    const pod_node *y = pod_graph_apply(graph, POD_OP_CONVOLUTION, inputs, 2, &attributes, NULL, 0);
    const pod_window *window = &y->attributes->window;
    ASSERT(window->size[0] == 3 && window->stride[0] == 1 && window->dilation[0] == 1);
    ASSERT(window->size[1] == 0 && window->groups == 1);
    end_graph(graph);
}

TEST(many_nodes_are_no_trouble)
{
    pod_graph *graph = new_graph();
    pod_node *x = parameter(graph, POD_F32, VECTOR(2), NULL);
    for (int i = 0; i < 200000; i++)
        x = pod_graph_negate(graph, x);
    pod_graph_add_output(graph, x);
    ASSERT_OK(pod_graph_verify(graph, &error));
    pod_graph *copy = pod_graph_copy(graph, &error);
    ASSERT_EQ(pod_graph_hash(graph), pod_graph_hash(copy));
    pod_graph_free(copy);
    end_graph(graph);
}

/* ---- errors ---------------------------------------------------------------------------------- */

TEST(the_first_error_is_kept_and_invalid_nodes_pass_through)
{
    pod_graph *graph = new_graph();
    pod_node *x = parameter(graph, POD_F32, MATRIX(2, 3), NULL);
    pod_node *y = parameter(graph, POD_F32, MATRIX(4, 5), NULL);
    pod_graph_set_location(graph, "model.lua:5");
    pod_node *bad = pod_graph_add(graph, x, y);
    pod_graph_set_location(graph, "model.lua:6");
    pod_node *worse = pod_graph_matmul(graph, bad, pod_graph_exp(graph, bad));
    ASSERT(!pod_node_is_valid(bad) && worse == bad);
    ASSERT_FAILS(POD_ERROR_SHAPE, "add: the shapes (2, 3) and (4, 5) do not broadcast", pod_graph_check(graph, &error));
    ASSERT_CONTAINS("(model.lua:5)", error.message);
    ASSERT_FAILS(POD_ERROR_SHAPE, "do not broadcast", pod_graph_verify(graph, &error));
    pod_graph_clear_error(graph);
    ASSERT_OK(pod_graph_check(graph, &error));
    ASSERT(pod_node_is_valid(pod_graph_exp(graph, x)));
    pod_graph_exp(graph, bad);
    ASSERT_FAILS(POD_ERROR_STATE, "exp: operand 0 could not be made", pod_graph_check(graph, &error));
    end_graph(graph);
}

TEST(every_op_passes_an_invalid_node_through)
{
    for (pod_op op = 0; op < POD_OP_COUNT; op++) {
        pod_graph *graph = new_graph(), *region;
        pod_node *bad = parameter(graph, POD_DTYPE_NONE, VECTOR(2), NULL), *inputs[] = {bad, bad, bad};
        pod_attributes attributes = {.dtype = POD_F32};
        ASSERT_OK(pod_graph_new(context, "region", &region, &error));
        if (pod_op_get(op)->operands != 0) {
            pod_node *node = pod_graph_apply(graph, op, inputs, 3, &attributes, &region, 1);
            ASSERT(node == bad);
        } else {
            pod_graph_free(region);
        }
        ASSERT_FAILS(POD_ERROR_DTYPE, "parameter: the type", pod_graph_check(graph, &error));
        ASSERT_EQ(0, pod_graph_node_count(graph));
        end_graph(graph);
    }
}

typedef pod_node *(*unary_builder)(pod_graph *, pod_node *);
typedef pod_node *(*binary_builder)(pod_graph *, pod_node *, pod_node *);

TEST(every_builder_passes_an_invalid_node_through)
{
    static const unary_builder unary[] = {
        pod_graph_negate, pod_graph_abs,       pod_graph_sign,  pod_graph_exp,     pod_graph_expm1, pod_graph_log,
        pod_graph_log1p,  pod_graph_sqrt,      pod_graph_rsqrt, pod_graph_sin,     pod_graph_cos,   pod_graph_tan,
        pod_graph_tanh,   pod_graph_logistic,  pod_graph_erf,   pod_graph_erf_inv, pod_graph_floor, pod_graph_ceil,
        pod_graph_round,  pod_graph_is_finite, pod_graph_not};
    static const binary_builder binary[] = {
        pod_graph_add,        pod_graph_subtract,    pod_graph_multiply,
        pod_graph_divide,     pod_graph_remainder,   pod_graph_power,
        pod_graph_maximum,    pod_graph_minimum,     pod_graph_atan2,
        pod_graph_and,        pod_graph_or,          pod_graph_xor,
        pod_graph_shift_left, pod_graph_shift_right, pod_graph_shift_right_arithmetic,
        pod_graph_matmul};
    pod_graph *graph = new_graph();
    pod_node *x = parameter(graph, POD_F32, MATRIX(2, 3), NULL);
    pod_node *bad = parameter(graph, POD_DTYPE_NONE, VECTOR(2), NULL);
    pod_shape shape = VECTOR(6);
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
        ASSERT(unary[i](graph, bad) == bad);
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        ASSERT(binary[i](graph, x, bad) == bad && binary[i](graph, bad, x) == bad);
    ASSERT(pod_graph_compare(graph, POD_COMPARE_EQ, bad, x) == bad);
    ASSERT(pod_graph_select(graph, bad, x, x) == bad);
    ASSERT(pod_graph_convert(graph, bad, POD_F32) == bad);
    ASSERT(pod_graph_reshape(graph, bad, &shape) == bad);
    ASSERT(pod_graph_broadcast_to(graph, bad, &shape) == bad);
    ASSERT(pod_graph_transpose(graph, bad, NULL) == bad);
    ASSERT(pod_graph_reduce(graph, "reduce_sum", bad, NULL, true) == bad);
    ASSERT(pod_graph_mean(graph, bad, NULL, true) == bad);
    ASSERT(pod_graph_result(graph, bad, 0) == bad);
    ASSERT(pod_graph_composite(graph, "relu", &bad, 1, NULL) == bad);
    ASSERT_EQ(1, pod_graph_node_count(graph));
    end_graph(graph);
}

static void expect_error(pod_graph *graph, pod_status status, const char *message)
{
    ASSERT_FAILS(status, message, pod_graph_check(graph, &error));
    pod_graph_clear_error(graph);
}

TEST(wrong_operands_are_refused)
{
    pod_graph *graph = new_graph(), *other, *region;
    pod_attributes attributes = {.count = 1};
    ASSERT_OK(pod_graph_new(context, "other", &other, &error));
    pod_node *x = parameter(graph, POD_F32, VECTOR(3), NULL);
    pod_node *foreign = parameter(other, POD_F32, VECTOR(3), NULL);
    pod_node *top = pod_graph_apply(graph, POD_OP_TOP_K, &x, 1, &attributes, NULL, 0);
    pod_graph_add(graph, x, NULL);
    expect_error(graph, POD_ERROR_ARGUMENT, "add: operand 1 is NULL");
    pod_graph_add(graph, x, foreign);
    expect_error(graph, POD_ERROR_ARGUMENT, "operand 1 is a node of another graph ('other')");
    pod_graph_exp(graph, top);
    expect_error(graph, POD_ERROR_ARGUMENT, "operand 0 is a top_k with 2 results; take one");
    pod_graph_apply(graph, 12345, &x, 1, NULL, NULL, 0);
    expect_error(graph, POD_ERROR_ARGUMENT, "12345 is the number of no op");
    pod_graph_reduce(graph, "reduce_all", x, NULL, false);
    expect_error(graph, POD_ERROR_ARGUMENT, "'reduce_all' is no reduction");
    pod_graph_reduce(graph, "reduce_sum", x, &(pod_axes){1, {1}}, false);
    expect_error(graph, POD_ERROR_SHAPE, "reduce_sum: axis 1 is not one of the 1 axes");
    pod_graph_mean(graph, pod_graph_convert(graph, x, POD_S32), NULL, false);
    expect_error(graph, POD_ERROR_DTYPE, "mean: the operand is int32");
    pod_graph_reshape(graph, x, &(pod_shape){2, {-1, 2}});
    expect_error(graph, POD_ERROR_SHAPE, "reshape: (3,) cannot become (-1, 2)");
    pod_graph_broadcast_to(graph, x, &(pod_shape){0});
    expect_error(graph, POD_ERROR_SHAPE, "has more axes than ()");
    pod_graph_scalar(graph, POD_DTYPE_NONE, 1, NULL);
    expect_error(graph, POD_ERROR_DTYPE, "constant: its type is not given");
    ASSERT_OK(pod_graph_new(context, "region", &region, &error));
    pod_graph_exp(region, NULL);
    pod_graph_apply(graph, POD_OP_CALL, NULL, 0, NULL, &region, 1);
    expect_error(graph, POD_ERROR_ARGUMENT, "in a region of call: exp: operand 0 is NULL");
    ASSERT_OK(pod_graph_new(context, "region", &region, &error));
    pod_graph_apply(graph, POD_OP_CALL, NULL, 0, NULL, &region, 1);
    expect_error(graph, POD_ERROR_ARGUMENT, "region 0 has no output");
    pod_graph_free(other);
    pod_node *many[POD_MAX_OPERANDS + 1];
    for (size_t i = 0; i < POD_MAX_OPERANDS + 1; i++)
        many[i] = x;
    pod_graph_apply(graph, POD_OP_CONCATENATE, many, POD_MAX_OPERANDS + 1, &(pod_attributes){0}, NULL, 0);
    expect_error(graph, POD_ERROR_ARGUMENT, "operands are given;");
    pod_graph_apply(graph, POD_OP_COLLECTIVE_PERMUTE, &x, 1,
                    &(pod_attributes){.count = 2, .data = (int32_t[]){0, 1, 1, -2}}, NULL, 0);
    expect_error(graph, POD_ERROR_VALUE, "pair 1 names replica -2");
    pod_graph_add_output(graph, top);
    expect_error(graph, POD_ERROR_ARGUMENT, "output 0 is a top_k with 2 results; take one of them");
    end_graph(graph);
}

TEST(regions_may_nest_but_not_without_bound)
{
    pod_graph *graph = new_graph(), *inner;
    ASSERT_OK(pod_graph_new(context, "inner", &inner, &error));
    pod_graph_add_output(inner, pod_graph_scalar(inner, POD_F32, 1, NULL));
    for (int i = 0; pod_graph_check(inner, NULL) == POD_OK; i++) {
        pod_graph *outer;
        ASSERT(i < 100);
        ASSERT_OK(pod_graph_new(context, "outer", &outer, &error));
        pod_node *call = pod_graph_apply(outer, POD_OP_CALL, NULL, 0, NULL, &inner, 1);
        if (pod_node_is_valid(call))
            pod_graph_add_output(outer, call);
        inner = outer;
    }
    ASSERT_FAILS(POD_ERROR_UNSUPPORTED, "nested more than 64 deep", pod_graph_check(inner, &error));
    pod_graph_free(inner);
    end_graph(graph);
}

/* ---- outputs --------------------------------------------------------------------------------- */

TEST(outputs_may_be_aliases_of_parameters)
{
    pod_graph *graph = new_graph();
    pod_node *w = parameter(graph, POD_F32, VECTOR(3), "w"), *x = parameter(graph, POD_F32, VECTOR(2), "x");
    pod_graph_add_output(graph, pod_graph_exp(graph, w));
    pod_graph_add_output(graph, x);
    pod_graph_set_alias(graph, 0, 0);
    ASSERT_OK(pod_graph_verify(graph, &error));
    ASSERT_EQ(2, pod_graph_output_count(graph));
    ASSERT_EQ(2, pod_graph_parameter_count(graph));
    ASSERT(pod_graph_get_output(graph, 1) == x && pod_graph_get_parameter(graph, 0) == w);
    ASSERT(!pod_graph_get_output(graph, 2) && !pod_graph_get_parameter(graph, 2));
    pod_graph_set_alias(graph, 1, 0);
    expect_error(graph, POD_ERROR_SHAPE,
                 "output 1 is float32 (2,) and cannot be the new parameter 0 'w', which is float32 (3,)");
    pod_graph_set_alias(graph, 1, 7);
    expect_error(graph, POD_ERROR_ARGUMENT, "output 1 cannot be the new parameter 7");
    pod_graph_add_output(graph, w);
    pod_graph_set_alias(graph, 2, 0);
    expect_error(graph, POD_ERROR_ARGUMENT, "outputs 0 and 2 cannot both be the new parameter 0");
    pod_graph_add_output(graph, NULL);
    expect_error(graph, POD_ERROR_ARGUMENT, "an output of graph 'step' must be a node of it");
    end_graph(graph);
}

/* ---- text, hash, copies ---------------------------------------------------------------------- */

/* A graph with one of everything that prints differently. */
static pod_graph *sample_graph(const char *location)
{
    static const float numbers[12] = {0.5f, -1, 1e30f};
    pod_graph *graph = new_graph(), *body;
    pod_graph_set_scope(graph, "dense");
    pod_graph_set_location(graph, location);
    pod_node *x = parameter(graph, POD_BF16, MATRIX(32, 784), "x");
    pod_node *w = parameter(graph, POD_BF16, MATRIX(784, 4), "w");
    pod_attributes lists = {.lhs_contract = {1, {1}}, .rhs_contract = {1, {0}}, .dtype = POD_F32};
    pod_node *y = pod_graph_dot(graph, x, w, &lists);
    pod_graph_set_scope(graph, NULL);
    y = pod_graph_multiply(graph, y, pod_graph_scalar(graph, POD_F32, 2.5, NULL));
    pod_attributes top = {.count = 2};
    pod_node *best = pod_graph_apply(graph, POD_OP_TOP_K, &y, 1, &top, NULL, 0);
    pod_graph_set_location(graph, NULL);
    ASSERT_OK(pod_graph_new(context, "body", &body, &error));
    pod_node *p = parameter(body, POD_S32, MATRIX(32, 2), NULL);
    pod_graph_add_output(body, pod_graph_compare(body, POD_COMPARE_GE, p, p));
    pod_node *argument = pod_graph_result(graph, best, 1);
    pod_attributes named = {.name = "a \"name\"", .values = {0.5, 0, 3}};
    pod_graph_add_output(graph, pod_graph_apply(graph, POD_OP_CALL, &argument, 1, &named, &body, 1));
    pod_attributes cut = {.low = {1, 0}, .high = {3, 4}, .step = {2, 1}};
    pod_node *c = pod_graph_constant(graph, POD_F32, &MATRIX(3, 4), numbers);
    pod_graph_add_output(graph, pod_graph_apply(graph, POD_OP_SLICE, &c, 1, &cut, NULL, 0));
    pod_graph_add_output(graph, w);
    pod_graph_set_alias(graph, 2, 1);
    ASSERT_OK(pod_graph_verify(graph, &error));
    return graph;
}

TEST(a_graph_is_printed_one_line_a_node)
{
    pod_graph *graph = sample_graph("model.lua:12");
    char *text = pod_graph_print(graph);
    ASSERT_TEXT("graph step {\n"
                "  %0 = bf16[32,784] parameter() name=\"x\" number=0  # dense model.lua:12\n"
                "  %1 = bf16[784,4] parameter() name=\"w\" number=1  # dense model.lua:12\n"
                "  %2 = f32[32,4] dot(%0, %1) lhs_contract={1} rhs_contract={0}  # dense model.lua:12\n"
                "  %3 = f32[] constant(2.5)  # model.lua:12\n"
                "  %4 = f32[32,4] broadcast(%3)  # model.lua:12\n"
                "  %5 = f32[32,4] multiply(%2, %4)  # model.lua:12\n"
                "  %6 = (f32[32,2], s32[32,2]) top_k(%5) count=2  # model.lua:12\n"
                "  %7 = s32[32,2] result(%6) axis=1\n"
                "  %8 = pred[32,2] call(%7) name=\"a \\\"name\\\"\" values={0.5,0,3}\n"
                "    region 0 {\n"
                "      %0 = s32[32,2] parameter() number=0\n"
                "      %1 = pred[32,2] compare(%0, %0) ge\n"
                "      output %1\n"
                "    }\n"
                "  %9 = f32[3,4] constant({0.5, -1, 1e+30, 0, 0, 0, 0, 0, ...})\n"
                "  %10 = f32[1,4] slice(%9) low={1,0} high={3,4} step={2,1}\n"
                "  output %8\n"
                "  output %10\n"
                "  output %1 -> parameter 1\n"
                "}\n",
                text);
    pod_text_free(context, text);
    end_graph(graph);
}

TEST(equal_graphs_have_one_hash_whatever_their_names_and_places)
{
    pod_graph *graph = sample_graph("model.lua:12");
    const uint64_t hash = pod_graph_hash(graph);
    pod_graph *copy = pod_graph_copy(graph, &error);
    ASSERT_EQ(hash, pod_graph_hash(copy));
    pod_graph_add_output(copy, pod_graph_get_node(copy, 3));
    ASSERT(pod_graph_hash(copy) != hash);
    pod_graph_free(copy);
    end_graph(graph);
    graph = sample_graph("other.lua:1");
    ASSERT_EQ(hash, pod_graph_hash(graph));
    end_graph(graph);
}

static uint64_t hash_of_constant(double value, pod_dtype dtype)
{
    pod_graph *graph = new_graph();
    float many[4] = {1, 2, 3, (float)value};
    pod_graph_scalar(graph, dtype, value, &VECTOR(4));
    pod_graph_constant(graph, POD_F32, &VECTOR(4), many);
    const uint64_t hash = pod_graph_hash(graph);
    end_graph(graph);
    return hash;
}

TEST(hashes_tell_constants_apart)
{
    ASSERT_EQ(hash_of_constant(1, POD_F32), hash_of_constant(1, POD_F32));
    ASSERT(hash_of_constant(1, POD_F32) != hash_of_constant(2, POD_F32));
    ASSERT(hash_of_constant(1, POD_F32) != hash_of_constant(1, POD_F64));
    ASSERT(hash_of_constant(0, POD_F32) != hash_of_constant(-0.0, POD_F32));
}

TEST(attributes_are_compared_by_what_they_mean)
{
    pod_graph *graph = new_graph();
    static const float a[] = {1, 2}, b[] = {1, 2}, c[] = {1, 3};
    const pod_node *first = pod_graph_constant(graph, POD_F32, &VECTOR(2), a);
    ASSERT(pod_node_same_attributes(first, pod_graph_constant(graph, POD_F32, &VECTOR(2), b)));
    ASSERT(!pod_node_same_attributes(first, pod_graph_constant(graph, POD_F32, &VECTOR(2), c)));
    pod_node *x = parameter(graph, POD_F32, MATRIX(2, 2), "x");
    const pod_node *sum = pod_graph_reduce(graph, "reduce_sum", x, &(pod_axes){1, {0}}, false);
    ASSERT(!pod_node_same_attributes(sum, pod_graph_reduce(graph, "reduce_sum", x, &(pod_axes){1, {1}}, false)));
    ASSERT(!pod_node_same_attributes(sum, x));
    ASSERT(!pod_node_same_attributes(
        pod_graph_apply(graph, POD_OP_PRINT, &x, 1, &(pod_attributes){.name = "a"}, NULL, 0),
        pod_graph_apply(graph, POD_OP_PRINT, &x, 1, &(pod_attributes){.name = "b"}, NULL, 0)));
    end_graph(graph);
}

TEST(copies_share_the_elements_of_constants)
{
    pod_graph *graph = new_graph();
    float *numbers = calloc(1 << 20, sizeof *numbers);
    pod_node *c = pod_graph_constant(graph, POD_F32, &VECTOR(1 << 20), numbers);
    free(numbers);
    pod_graph_add_output(graph, c);
    const uint64_t before = pod_context_memory(context).current_bytes;
    pod_graph *copy = pod_graph_copy(graph, &error);
    ASSERT(pod_context_memory(context).current_bytes - before < 100000);
    pod_graph_free(graph);
    ASSERT_NUMBER(0, ((const float *)pod_node_constant_data(pod_graph_get_output(copy, 0)))[99]);
    end_graph(copy);
}

TEST(bodies_are_inlined_with_their_places)
{
    pod_graph *graph = sample_graph("model.lua:12");
    pod_graph *into;
    pod_node *arguments[2], *results[3];
    ASSERT_OK(pod_graph_new(context, "into", &into, &error));
    arguments[0] = parameter(into, POD_BF16, MATRIX(32, 784), NULL);
    arguments[1] = parameter(into, POD_BF16, MATRIX(784, 4), NULL);
    pod_graph_set_location(into, "caller.lua:1");
    pod_graph_inline(into, graph, arguments, results);
    ASSERT_OK(pod_graph_verify(into, &error));
    ASSERT(results[2] == arguments[1]);
    ASSERT_TEXT("model.lua:12", pod_graph_get_node(into, 2)->location);
    ASSERT_TEXT("dense", pod_graph_get_node(into, 2)->scope);
    ASSERT_TEXT("caller.lua:1", results[0]->location);
    pod_graph_free(into);
    end_graph(graph);
}

TEST(a_pure_copy_leaves_prints_and_checks_out)
{
    pod_graph *graph = new_graph(), *body;
    ASSERT_OK(pod_graph_new(context, "body", &body, &error));
    pod_node *p = parameter(body, POD_F32, VECTOR(2), NULL);
    pod_attributes attributes = {.name = "x"};
    p = pod_graph_apply(body, POD_OP_PRINT, &p, 1, &attributes, NULL, 0);
    pod_node *inputs[] = {p, pod_graph_is_finite(body, p)};
    pod_graph_add_output(body, pod_graph_apply(body, POD_OP_CHECK, inputs, 2, &attributes, NULL, 0));
    pod_node *x = parameter(graph, POD_F32, VECTOR(2), NULL), *result;
    pod_graph_inline_pure(graph, body, &x, &result);
    ASSERT(result == x);
    pod_graph_free(body);
    end_graph(graph);
}

/* ---- verification ---------------------------------------------------------------------------- */

TEST(broken_graphs_are_found)
{
    pod_graph *graph = sample_graph("model.lua:12");
    pod_node *node = pod_graph_get_node(graph, 5);
    node->results[0].shape.dims[0]++;
    ASSERT_FAILS(POD_ERROR_STATE, "node %5 (multiply) has another type than its op gives",
                 pod_graph_verify(graph, &error));
    node->results[0].shape.dims[0]--;
    node->inputs[0] = node;
    ASSERT_FAILS(POD_ERROR_STATE, "has an operand that does not come before it", pod_graph_verify(graph, &error));
    node->inputs[0] = pod_graph_get_node(graph, 2);
    node->id = 6;
    ASSERT_FAILS(POD_ERROR_STATE, "does not stand at its number", pod_graph_verify(graph, &error));
    node->id = 5;
    graph->aliases[2] = 0;
    ASSERT_FAILS(POD_ERROR_STATE, "is an alias of a parameter of another type", pod_graph_verify(graph, &error));
    graph->aliases[2] = 1;
    node->op = POD_OP_COUNT;
    ASSERT_FAILS(POD_ERROR_STATE, "graph 'step' is broken: node 5 is not a node of it",
                 pod_graph_verify(graph, &error));
    node->op = POD_OP_MULTIPLY;
    pod_node *top = pod_graph_get_node(graph, 6);
    top->result_count = 1;
    ASSERT_FAILS(POD_ERROR_STATE, "node %6 (top_k) has another number of results", pod_graph_verify(graph, &error));
    top->result_count = 2;
    graph->parameters[1] = graph->parameters[0];
    ASSERT_FAILS(POD_ERROR_STATE, "node %1 (parameter) is not the parameter that its number says",
                 pod_graph_verify(graph, &error));
    graph->parameters[1] = pod_graph_get_node(graph, 1);
    pod_node *output = graph->outputs[0];
    graph->outputs[0] = top;
    ASSERT_FAILS(POD_ERROR_STATE, "output 0 is not a value of it", pod_graph_verify(graph, &error));
    graph->outputs[0] = output;
    ASSERT_OK(pod_graph_verify(graph, &error));
    end_graph(graph);
}

/* What the sample has none of: windows, reductions, pairs, precisions, flags, truths, and names that no terminal takes.
 */
TEST(attributes_are_printed_where_they_are_unusual)
{
    pod_graph *graph = new_graph();
    const pod_shape picture = {4, {1, 4, 4, 1}};
    pod_node *x = parameter(graph, POD_F32, picture, "a\tname");
    const pod_window plain = {2, {2, 2}, {1, 1}, {0}, {0}, {1, 1}, 1};
    const pod_window strange = {2, {2, 2}, {2, 1}, {1, 0}, {0, 1}, {1, 2}, 1};
    pod_graph_apply(graph, POD_OP_POOL_MAX, &x, 1, &(pod_attributes){.window = plain}, NULL, 0);
    pod_graph_apply(graph, POD_OP_POOL_SUM, &x, 1, &(pod_attributes){.window = strange}, NULL, 0);
    pod_graph_apply(graph, POD_OP_ALL_REDUCE, &x, 1, &(pod_attributes){.reduction = POD_REDUCE_MAX}, NULL, 0);
    pod_graph_apply(graph, POD_OP_COLLECTIVE_PERMUTE, &x, 1,
                    &(pod_attributes){.count = 2, .data = (int32_t[]){0, 1, 1, 0}}, NULL, 0);
    pod_graph_apply(graph, POD_OP_CUMULATIVE_SUM, &x, 1, &(pod_attributes){.axis = 1, .flag = true}, NULL, 0);
    pod_graph_constant(graph, POD_BOOL, &VECTOR(2), (const bool[]){true, false});
    pod_node *m = parameter(graph, POD_F32, MATRIX(2, 2), NULL);
    const pod_attributes product = {
        .lhs_contract = {1, {1}}, .rhs_contract = {1, {0}}, .precision = POD_PRECISION_HIGHEST};
    pod_graph_apply(graph, POD_OP_DOT, (pod_node *[]){m, m}, 2, &product, NULL, 0);
    ASSERT_OK(pod_graph_check(graph, &error));
    char *text = pod_graph_print(graph);
    ASSERT_CONTAINS("name=\"a\\x09name\"", text);
    ASSERT_CONTAINS("pool_max(%0) size={2,2}\n", text);
    ASSERT_CONTAINS("pool_sum(%0) size={2,2} stride={2,1} pad_low={1,0} pad_high={0,1} dilation={1,2}\n", text);
    ASSERT_CONTAINS("all_reduce(%0) max\n", text);
    ASSERT_CONTAINS("collective_permute(%0) count=2 pairs={0->1,1->0}\n", text);
    ASSERT_CONTAINS("cumulative_sum(%0) axis=1 flag\n", text);
    ASSERT_CONTAINS("constant({true, false})\n", text);
    ASSERT_CONTAINS("dot(%7, %7) lhs_contract={1} rhs_contract={0} precision=highest\n", text);
    pod_text_free(context, text);
    end_graph(graph);
}

/* ---- flops ----------------------------------------------------------------------------------- */

TEST(flops_are_counted_by_class)
{
    pod_graph *graph = sample_graph("model.lua:12");
    ASSERT_NUMBER(0, pod_node_flops(pod_graph_get_node(graph, 0)));
    ASSERT_NUMBER(2.0 * 32 * 784 * 4, pod_node_flops(pod_graph_get_node(graph, 2)));
    ASSERT_NUMBER(32 * 4, pod_node_flops(pod_graph_get_node(graph, 5)));
    ASSERT_NUMBER(32 * 2, pod_node_flops(pod_graph_get_node(graph, 8)));
    pod_attributes pool = {.window = {.rank = 1, .size = {2}, .stride = {2}}};
    pod_node *x = parameter(graph, POD_F32, (pod_shape){3, {2, 8, 4}}, NULL);
    pod_node *k = parameter(graph, POD_F32, (pod_shape){3, {3, 4, 5}}, NULL);
    pod_node *y = pod_graph_apply(graph, POD_OP_POOL_MAX, &x, 1, &pool, NULL, 0);
    ASSERT_NUMBER(2 * 4 * 4 * 2, pod_node_flops(y));
    pod_attributes conv = {.window = {.rank = 1}, .shape = {3, {3, 4, 5}}};
    y = pod_graph_apply(graph, POD_OP_CONVOLUTION, (pod_node *[]){x, k}, 2, &conv, NULL, 0);
    ASSERT_NUMBER(2.0 * (2 * 6 * 5) * (3 * 4), pod_node_flops(y));
    y = pod_graph_apply(graph, POD_OP_CONVOLUTION_KERNEL_GRADIENT, (pod_node *[]){x, y}, 2, &conv, NULL, 0);
    ASSERT_NUMBER(2.0 * (2 * 6 * 5) * (3 * 4), pod_node_flops(y));
    end_graph(graph);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static pod_status build_and_copy(pod_context *from, pod_error *failure)
{
    static const float numbers[6];
    pod_graph *graph, *copy = NULL;
    pod_status status = pod_graph_new(from, "step", &graph, failure);
    if (status != POD_OK)
        return status;
    pod_graph_set_location(graph, "model.lua:1");
    pod_node *x = pod_graph_parameter(graph, POD_F32, &MATRIX(2, 3), "x");
    pod_node *y = pod_graph_matmul(graph, x, pod_graph_constant(graph, POD_F32, &MATRIX(3, 2), numbers));
    pod_attributes attributes = {.axis = -1};
    y = pod_graph_composite(graph, "softmax", &y, 1, &attributes);
    for (int i = 0; i < 40; i++)
        y = pod_graph_offset(graph, y, i);
    pod_graph_add_output(graph, y);
    status = pod_graph_check(graph, failure);
    if (status == POD_OK)
        status = pod_graph_verify(graph, failure);
    if (status == POD_OK)
        copy = pod_graph_copy(graph, failure);
    if (status == POD_OK && !copy)
        status = failure->status;
    pod_graph_free(copy);
    pod_graph_free(graph);
    return status;
}

TEST(every_allocation_of_building_may_fail)
{
    every_allocation_may_fail(build_and_copy);
}

TEST(nothing_is_freed_for_null)
{
    pod_graph_free(NULL);
}

TEST_MAIN(RUN(nodes_are_numbered_in_order_and_know_what_they_are); RUN(ops_are_found_by_name);
          RUN(equal_places_are_kept_once); RUN(attributes_that_an_op_does_not_read_are_cleared);
          RUN(windows_are_completed); RUN(many_nodes_are_no_trouble);
          RUN(the_first_error_is_kept_and_invalid_nodes_pass_through); RUN(every_op_passes_an_invalid_node_through);
          RUN(every_builder_passes_an_invalid_node_through); RUN(wrong_operands_are_refused);
          RUN(regions_may_nest_but_not_without_bound); RUN(outputs_may_be_aliases_of_parameters);
          RUN(a_graph_is_printed_one_line_a_node); RUN(equal_graphs_have_one_hash_whatever_their_names_and_places);
          RUN(hashes_tell_constants_apart); RUN(attributes_are_compared_by_what_they_mean);
          RUN(copies_share_the_elements_of_constants); RUN(bodies_are_inlined_with_their_places);
          RUN(a_pure_copy_leaves_prints_and_checks_out); RUN(broken_graphs_are_found);
          RUN(attributes_are_printed_where_they_are_unusual); RUN(flops_are_counted_by_class);
          RUN(every_allocation_of_building_may_fail); RUN(nothing_is_freed_for_null))
