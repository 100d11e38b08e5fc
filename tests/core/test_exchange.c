/* StableHLO read into graphs: what each form of the text becomes, and where what is wrong is told. */

#include "test.h"

#include "graph/graph.h"
#include "moonpod/exchange.h"

static pod_context *context;
static pod_error error;

static pod_exchange_module *read(const char *text)
{
    pod_exchange_module *module;
    ASSERT_OK(pod_exchange_read(context, text, strlen(text), "step.mlir", &module, &error));
    ASSERT_OK(pod_graph_verify(pod_exchange_graph(module), &error));
    return module;
}

/* Compares the nodes that a text becomes, as they are printed, line by line without the indent. */
static void expect(const char *text, const char *printed)
{
    pod_exchange_module *module = read(text);
    char *found = pod_graph_print(pod_exchange_graph(module));
    ASSERT_TEXT(printed, found);
    pod_text_free(context, found);
    pod_exchange_free(module);
}

#define FUNCTION(arguments, results, body)                                                         \
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
    pod_exchange_module *module =
        read(FUNCTION("%x: tensor<8xf32>", "tensor<5xcomplex<f32>>",
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
    pod_exchange_module *module = read(
        "module @m attributes {mhlo.input_output_alias = [{alias = {kind = \"may_alias\", "
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
    static const char *const missing = FUNCTION("%x: tensor<f32>", "tensor<f32>",
                                                "return %y : tensor<f32>\n");
    static const char *const twice =
        FUNCTION("%x: tensor<f32>", "tensor<f32>",
                 "%x = stablehlo.tanh %x : tensor<f32>\nreturn %x : tensor<f32>\n");
    ASSERT_FAILS(POD_ERROR_FORMAT, "step.mlir:3:8: %y is not defined here",
                 pod_exchange_read(context, missing, strlen(missing), "step.mlir", &module, &error));
    ASSERT(module == NULL);
    ASSERT_FAILS(POD_ERROR_FORMAT, "step.mlir:3:2: %x is defined a second time",
                 pod_exchange_read(context, twice, strlen(twice), "step.mlir", &module, &error));
}

TEST_MAIN(context = test_context(NULL);
          RUN(the_pretty_and_the_generic_form_give_one_graph);
          RUN(an_op_that_is_not_known_becomes_opaque);
          RUN(aliases_as_tensorflow_writes_them_are_read);
          RUN(names_must_be_defined_once_and_before); pod_context_release(context);)
