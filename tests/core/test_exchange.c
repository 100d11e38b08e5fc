/* StableHLO read into graphs: what each form of the text becomes, and where what is wrong is told.
 */

#include "exchange_read.h"

#include "exchange/translate.h"

/* Compares the nodes that a text becomes, as they are printed, line by line without the indent. */
static void expect(const char *text, const char *printed)
{
    pod_exchange_module *module = read(text);
    char *found = pod_graph_print(pod_exchange_graph(module));
    ASSERT_TEXT(printed, found);
    pod_text_free(context, found);
    pod_exchange_free(module);
}

#define FUNCTION(arguments, results, body)                                                                             \
    "module @m {\n func.func public @main(" arguments ") -> (" results ") {\n" body " }\n}\n"

TEST(the_pretty_and_the_generic_form_give_one_graph)
{
    expect(FUNCTION("%x: tensor<2x3xf32>", "tensor<2x3xf32>",
                    "%0 = stablehlo.tanh %x : tensor<2x3xf32>\n"
                    "return %0 : tensor<2x3xf32>\n"),
           "graph m {\n"
           "  %0 = f32[2,3] parameter() name=\"x\" number=0\n"
           "  %1 = f32[2,3] tanh(%0)  # step.mlir:3\n"
           "  output %1\n"
           "}\n");
    expect("\"builtin.module\"() <{sym_name = \"m\"}> ({\n"
           "\"func.func\"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>,"
           " sym_name = \"main\"}> ({\n"
           "^bb0(%x: tensor<2x3xf32>):\n"
           "%0 = \"stablehlo.tanh\"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
           "\"func.return\"(%0) : (tensor<2x3xf32>) -> ()\n"
           "}) : () -> ()\n}) : () -> ()\n",
           "graph m {\n"
           "  %0 = f32[2,3] parameter() name=\"arg0\" number=0\n"
           "  %1 = f32[2,3] tanh(%0)  # step.mlir:4\n"
           "  output %1\n"
           "}\n");
}

TEST(an_op_that_is_not_known_becomes_opaque)
{
    pod_exchange_module *module = read(FUNCTION("%x: tensor<8xf32>", "tensor<5xcomplex<f32>>",
                                                "%0 = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<8xf32>) -> "
                                                "tensor<5xcomplex<f32>>\n"
                                                "return %0 : tensor<5xcomplex<f32>>\n"));
    ASSERT_EQ(1, pod_exchange_describe(module).unknown_count);
    pod_exchange_unknown unknown = pod_exchange_unknown_op(module, 0);
    ASSERT_TEXT("stablehlo.fft", unknown.name);
    ASSERT_EQ(3, unknown.line);
    ASSERT_EQ(6, unknown.column);
    ASSERT_EQ(1, unknown.count);
    const pod_node *node = pod_graph_get_output(pod_exchange_graph(module), 0);
    ASSERT_EQ(POD_OP_OPAQUE, node->op);
    ASSERT_EQ(POD_ELEMENT_C64, pod_node_element(node, 0));
    pod_exchange_free(module);
}

TEST(aliases_as_tensorflow_writes_them_are_read)
{
    pod_exchange_module *module =
        read("module @m attributes {mhlo.input_output_alias = [{alias = {kind = \"may_alias\", "
             "parameter_index = array<i64>, parameter_number = 1 : i64}, output_index = array<i64: 1>}, "
             "{alias = {parameter_number = 7 : i64}, output_index = array<i64: 0>}]} {\n"
             " func.func public @main(%x: tensor<2xf32>, %v: tensor<2xf32>) -> (tensor<2xf32>, "
             "tensor<2xf32>) {\n"
             "  %0 = stablehlo.add %x, %v : tensor<2xf32>\n"
             "  %1 = mhlo.copy %0 : tensor<2xf32>\n"
             "  return %x, %1 : tensor<2xf32>, tensor<2xf32>\n }\n}\n");
    ASSERT_EQ(-1, pod_exchange_get_parameter(module, 0).alias);
    ASSERT_EQ(1, pod_exchange_get_parameter(module, 1).alias);
    ASSERT(pod_exchange_get_parameter(module, 1).donated);
    ASSERT_EQ(0, pod_exchange_describe(module).unknown_count);
    pod_exchange_free(module);
}

TEST(names_must_be_defined_once_and_before)
{
    pod_exchange_module *module;
    static const char *const missing = FUNCTION("%x: tensor<f32>", "tensor<f32>", "return %y : tensor<f32>\n");
    static const char *const twice =
        FUNCTION("%x: tensor<f32>", "tensor<f32>", "%x = stablehlo.tanh %x : tensor<f32>\nreturn %x : tensor<f32>\n");
    ASSERT_FAILS(POD_ERROR_FORMAT, "step.mlir:3:8: %y is not defined here",
                 pod_exchange_read(context, missing, strlen(missing), "step.mlir", &module, &error));
    ASSERT(module == NULL);
    ASSERT_FAILS(POD_ERROR_FORMAT, "step.mlir:3:2: %x is defined a second time",
                 pod_exchange_read(context, twice, strlen(twice), "step.mlir", &module, &error));
}

static const pod_node *only_node(const pod_exchange_module *module, pod_op op)
{
    const pod_graph *graph = pod_exchange_graph(module);
    const pod_node *found = NULL;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i]->op != op)
            continue;
        ASSERT(found == NULL);
        found = graph->nodes[i];
    }
    ASSERT(found != NULL);
    return found;
}

TEST(locations_give_lines_and_scopes)
{
    pod_exchange_module *module = read("#loc1 = loc(\"x\")\n"
                                       "module @m {\nfunc.func public @main(%arg0: tensor<f32> loc(\"x\"(#loc1)))"
                                       " -> tensor<f32> {\n"
                                       "%0 = stablehlo.tanh %arg0 : tensor<f32> loc(#loc4)\n"
                                       "%1 = call @f(%0) : (tensor<f32>) -> tensor<f32> loc(#loc5)\n"
                                       "return %1 : tensor<f32> loc(#loc1)\n} loc(#loc1)\n"
                                       "func.func private @f(%a: tensor<f32>) -> tensor<f32> {\n"
                                       "%0 = stablehlo.sine %a : tensor<f32> loc(fused<\"m\">[\"inner/sin\", #loc2])\n"
                                       "return %0 : tensor<f32>\n}\n}\n"
                                       "#loc2 = loc(\"model.py\":12:4)\n"
                                       "#loc3 = loc(callsite(#loc2 at #loc1))\n"
                                       "#loc4 = loc(\"jit(step)/dense_1/tanh\"(#loc3))\n"
                                       "#loc5 = loc(\"jit(step)/dense_2\"(#loc2))\n");
    const pod_node *tanh_node = only_node(module, POD_OP_TANH), *sine = only_node(module, POD_OP_SIN);
    ASSERT_TEXT("jit(step)/dense_1", tanh_node->scope);
    ASSERT_TEXT("model.py:12", tanh_node->location);
    ASSERT_TEXT("jit(step)/dense_2/inner", sine->scope);
    ASSERT_TEXT("step.mlir:9", sine->location); /* the first part of what is fused has no line */
    ASSERT_TEXT("x", pod_exchange_get_parameter(module, 0).name);
    pod_exchange_free(module);
}

TEST(aliases_stand_at_arguments_or_at_the_module)
{
    pod_exchange_module *module =
        read("module @m attributes {mhlo.num_replicas = 4 : i32, mhlo.input_output_alias = [{alias ="
             " {kind = \"may_alias\", parameter_index = array<i64>, parameter_number = 1 : i64},"
             " output_index = array<i64: 0>}]} {\n"
             "func.func @main(%a: tensor<2xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<2xf32>,"
             " %c: tensor<2xf32> {jax.buffer_donor = true, mhlo.sharding = \"{replicated}\"})"
             " -> (tensor<2xf32>, tensor<2xf32>) {\n"
             "return %c, %b : tensor<2xf32>, tensor<2xf32>\n}\n}\n");
    ASSERT_EQ(4, pod_exchange_describe(module).replicas);
    ASSERT_EQ(1, pod_exchange_get_parameter(module, 0).alias);
    ASSERT_EQ(0, pod_exchange_get_parameter(module, 1).alias);
    ASSERT_EQ(-1, pod_exchange_get_parameter(module, 2).alias);
    ASSERT(pod_exchange_get_parameter(module, 2).donated);
    ASSERT_TEXT("{replicated}", pod_exchange_get_parameter(module, 2).sharding);
    ASSERT_EQ(1, pod_exchange_graph(module)->aliases[0]);
    pod_exchange_free(module);
}

TEST(what_the_memory_model_asks_for_is_kept)
{
    pod_exchange_module *module =
        read(FUNCTION("%x: tensor<2x3xf32>, %w: tensor<3x4xf32>", "tensor<2x4xf32>, tensor<2x3xf32>",
                      "%0:2 = stablehlo.optimization_barrier %x, %w : tensor<2x3xf32>,"
                      " tensor<3x4xf32>\n"
                      "%1 = stablehlo.dot_general %0#0, %0#1, contracting_dims = [1] x [0], precision ="
                      " [HIGHEST, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>\n"
                      "return %1, %0#0 : tensor<2x4xf32>, tensor<2x3xf32>\n"));
    const pod_node *dot = only_node(module, POD_OP_DOT);
    ASSERT_EQ(POD_PRECISION_HIGHEST, dot->attributes->precision);
    ASSERT_EQ(POD_OP_BARRIER, dot->inputs[0]->op);
    ASSERT(dot->inputs[0]->attributes->count != 0);
    ASSERT_EQ(dot->inputs[0]->attributes->count, dot->inputs[1]->attributes->count);
    pod_exchange_free(module);
}

/* They are the last ops of the text: behind their results is no value that could stand for one. */
TEST(an_op_without_results_is_not_known_by_those_that_read_one)
{
    static const char *const names[] = {"dot", "dot_general", "convolution", "convert", "iota"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 FUNCTION("%%x: tensor<2x3xf32>", "tensor<2x3xf32>",
                          "\"stablehlo.%s\"(%%x, %%x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()\n"
                          "return %%x : tensor<2x3xf32>\n"),
                 names[i]);
        pod_exchange_module *module = read(text);
        ASSERT_EQ(1, pod_exchange_describe(module).unknown_count);
        pod_exchange_free(module);
    }
}

/* With eight operands there is no room for a result behind them. */
TEST(a_constant_without_a_result_is_not_known)
{
    pod_exchange_module *module =
        read(FUNCTION("%x: tensor<f32>", "tensor<f32>",
                      "\"stablehlo.constant\"(%x, %x, %x, %x, %x, %x, %x, %x) <{value = dense<1.0> : tensor<f32>}> : "
                      "(tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, "
                      "tensor<f32>) -> ()\n"
                      "return %x : tensor<f32>\n"));
    ASSERT_EQ(1, pod_exchange_describe(module).unknown_count);
    pod_exchange_free(module);
}

TEST(readers_are_found_by_their_names)
{
    static const char *const names[] = {
#define X(name, ...) name,
#include "exchange/op_readers.def"
#undef X
        "tanh"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[64];
        const int length = snprintf(text, sizeof text, "stablehlo.%s", names[i]);
        if (!pod_exchange_find_op_reader((pod_span){text, (size_t)length}))
            FAIL("%s is not in its place in the order of op_readers.def", names[i]);
    }
}

TEST_MAIN(context = test_context(NULL); RUN(the_pretty_and_the_generic_form_give_one_graph);
          RUN(an_op_that_is_not_known_becomes_opaque); RUN(aliases_as_tensorflow_writes_them_are_read);
          RUN(names_must_be_defined_once_and_before); RUN(locations_give_lines_and_scopes);
          RUN(aliases_stand_at_arguments_or_at_the_module); RUN(what_the_memory_model_asks_for_is_kept);
          RUN(an_op_without_results_is_not_known_by_those_that_read_one); RUN(a_constant_without_a_result_is_not_known);
          RUN(readers_are_found_by_their_names); pod_context_release(context);)
