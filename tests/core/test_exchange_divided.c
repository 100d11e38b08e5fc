/* StableHLO of modules that are divided among devices by hand, and ops of which only memory is known. */

#include "exchange_read.h"

#include "graph/node.h"

static const pod_node *output(const pod_exchange_module *module, size_t index)
{
    return pod_graph_get_output(pod_exchange_graph(module), index);
}

static void expect_shape(const char *text, pod_shape shape)
{
    char found[POD_SHAPE_TEXT_SIZE];
    ASSERT_TEXT(text, pod_shape_format(&shape, found));
}

/* As JAX prints shard_map over two devices; `inside` is the body, `after` what follows. */
#define SHARDY(inside, after, result)                                                                                  \
    "module @jit_f attributes {mhlo.num_partitions = 2 : i32} {\n"                                                     \
    "sdy.mesh @mesh = <[\"d\"=2]>\n"                                                                                   \
    "func.func public @main(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (" result ") {\n"                             \
    "%0 = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{\"d\"}, {}]>, <@mesh, [{}, {}]>]"                     \
    " out_shardings=[<@mesh, [{\"d\"}, {}]>] manual_axes={\"d\"} (%a: tensor<4x4xf32>, %b:"                            \
    " tensor<4x3xf32> loc(\"b\")) {\n" inside "} : (tensor<8x4xf32>, tensor<4x3xf32>) -> "                             \
    "tensor<8x3xf32>\n" after "}\n}\n"

#define PRODUCT                                                                                                        \
    "%1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4xf32>, "                             \
    "tensor<4x3xf32>) -> tensor<4x3xf32>\nsdy.return %1 : tensor<4x3xf32>\n"

TEST(a_body_over_all_of_main_is_what_one_device_runs)
{
    pod_exchange_module *module = read(SHARDY(PRODUCT, "return %0 : tensor<8x3xf32>\n", "tensor<8x3xf32>"));
    ASSERT(pod_exchange_describe(module).local);
    ASSERT_EQ(0, pod_exchange_describe(module).unknown_count);
    expect_shape("(4, 4)", pod_exchange_get_parameter(module, 0).shape);
    expect_shape("(4, 3)", pod_exchange_get_parameter(module, 1).shape);
    expect_shape("(4, 3)", pod_exchange_get_output(module, 0).shape);
    ASSERT_EQ(POD_OP_DOT, output(module, 0)->op);
    pod_exchange_free(module);
}

TEST(where_main_computes_with_whole_arrays_they_stay_whole)
{
    pod_exchange_module *module = read(
        SHARDY(PRODUCT, "%2 = stablehlo.tanh %0 : tensor<8x3xf32>\nreturn %2 : tensor<8x3xf32>\n", "tensor<8x3xf32>"));
    ASSERT(!pod_exchange_describe(module).local);
    ASSERT_EQ(2, pod_exchange_describe(module).partitions);
    expect_shape("(8, 4)", pod_exchange_get_parameter(module, 0).shape);
    expect_shape("(8, 3)", pod_exchange_get_output(module, 0).shape);
    pod_exchange_free(module);
}

TEST(what_main_computes_before_it_is_divided_stays_whole)
{
    pod_exchange_module *module = read(
        "module @jit_f attributes {mhlo.num_partitions = 2 : i32} {\nsdy.mesh @mesh = <[\"d\"=2]>\n"
        "func.func public @main(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>) {\n%0 = stablehlo.tanh %x : tensor<8x4xf32>\n"
        "%1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{\"d\"}, {}]>] out_shardings=[<@mesh, "
        "[{\"d\"}, {}]>] manual_axes={\"d\"} (%a: tensor<4x4xf32>) {\nsdy.return %a : tensor<4x4xf32>\n"
        "} : (tensor<8x4xf32>) -> tensor<8x4xf32>\nreturn %1 : tensor<8x4xf32>\n}\n}\n");
    ASSERT(!pod_exchange_describe(module).local);
    ASSERT(pod_exchange_describe(module).divided);
    expect_shape("(8, 4)", pod_exchange_get_parameter(module, 0).shape);
    pod_exchange_free(module);
}

TEST(calls_that_divide_and_join_are_read_alike)
{
    pod_exchange_module *module =
        read("module @jit_f attributes {mhlo.num_partitions = 2 : i32} {\n"
             "func.func public @main(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>) {\n"
             "%0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = \"{devices=[2,1]<=[2]}\"} : "
             "(tensor<8x4xf32>) -> tensor<8x4xf32>\n"
             "%1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = \"{manual}\"} : "
             "(tensor<8x4xf32>) -> tensor<4x4xf32>\n"
             "%2 = call @body(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
             "%3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = \"{manual}\"} : "
             "(tensor<4x4xf32>) -> tensor<4x4xf32>\n"
             "%4 = stablehlo.custom_call @SPMDShardToFullShape(%3) : (tensor<4x4xf32>) -> "
             "tensor<8x4xf32>\nreturn %4 : tensor<8x4xf32>\n}\n"
             "func.func private @body(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>) {\n"
             "%0 = stablehlo.tanh %x : tensor<4x4xf32>\nreturn %0 : tensor<4x4xf32>\n}\n}\n");
    ASSERT(pod_exchange_describe(module).local);
    ASSERT_EQ(0, pod_exchange_describe(module).unknown_count);
    expect_shape("(4, 4)", pod_exchange_get_parameter(module, 0).shape);
    ASSERT_EQ(POD_OP_TANH, output(module, 0)->op);
    ASSERT_EQ(POD_OP_PARAMETER, output(module, 0)->inputs[0]->op);
    pod_exchange_free(module);
}

TEST(a_body_of_other_types_or_counts_is_refused_or_unknown)
{
    static const char *const bodies[] = {
        SHARDY("sdy.return %a, %a : tensor<4x4xf32>, tensor<4x4xf32>\n", "return %0 : tensor<8x3xf32>\n",
               "tensor<8x3xf32>"),
        SHARDY("%1 = stablehlo.tanh %a : tensor<4x4xf32>\n", "return %0 : tensor<8x3xf32>\n", "tensor<8x3xf32>"),
        SHARDY("sdy.return %c : tensor<4x3xf32>\n", "return %0 : tensor<8x3xf32>\n", "tensor<8x3xf32>"),
        SHARDY("", "return %0 : tensor<8x3xf32>\n", "tensor<8x3xf32>")};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        pod_exchange_module *module;
        if (pod_exchange_read(context, bodies[i], strlen(bodies[i]), "step.mlir", &module, &error) == POD_OK) {
            ASSERT_EQ(1, pod_exchange_describe(module).unknown_count);
            pod_exchange_free(module);
        } else {
            ASSERT(strncmp(error.message, "step.mlir:", 10) == 0);
        }
    }
}

#define TEN(text)  text text text text text text text text text text
#define MANY(text) TEN(TEN(TEN(text)))

/* An op of a dialect that is not known here may have any form. */
TEST(a_note_of_more_operands_than_results_is_none)
{
    pod_exchange_free(
        read(SHARDY(PRODUCT,
                    "\"sdy.sharding_constraint\"(" MANY("%0, ") "%0) ({\n\"sdy.return\"() : () -> ()\n}) : (" MANY(
                        "tensor<8x3xf32>, ") "tensor<8x3xf32>) -> ()\nreturn %0 : tensor<8x3xf32>\n",
                    "tensor<8x3xf32>")));
}

#define FUNCTION(arguments, results, body)                                                                             \
    "module @m {\n func.func public @main(" arguments ") -> (" results ") {\n" body " }\n}\n"

TEST(what_memory_needs_of_an_op_is_known_without_what_it_computes)
{
    pod_exchange_module *module = read(FUNCTION(
        "%x: tensor<8xf32>, %q: tensor<4x4xi4>", "tensor<8xf32>, tensor<16xf32>, tensor<4x4xbf16>",
        "%0 = chlo.lgamma %x : tensor<8xf32> -> tensor<8xf32>\n"
        "%1 = \"stablehlo.all_gather\"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : "
        "tensor<2x2xi64>}> : (tensor<8xf32>) -> tensor<16xf32>\n"
        "%2 = stablehlo.convert %q : (tensor<4x4xi4>) -> tensor<4x4xbf16>\n"
        "return %0, %1, %2 : tensor<8xf32>, tensor<16xf32>, tensor<4x4xbf16>\n"));
    ASSERT_EQ(0, pod_exchange_describe(module).unknown_count);
    ASSERT_EQ(POD_OP_OPAQUE, output(module, 0)->op);
    ASSERT(output(module, 0)->attributes->flag);
    ASSERT_TEXT("stablehlo.all_gather", output(module, 1)->attributes->name);
    ASSERT(!output(module, 1)->attributes->flag);
    ASSERT(output(module, 2)->attributes->flag);
    pod_exchange_free(module);
}

TEST(sizes_that_have_a_bound_are_as_large_as_that)
{
    pod_exchange_module *module =
        read(FUNCTION("%x: tensor<10x3xf32>, %n: tensor<i32>", "tensor<?x3xf32, #stablehlo.bounds<10, ?>>",
                      "%0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<10x3xf32>, tensor<i32>) -> "
                      "tensor<?x3xf32, #stablehlo.bounds<10, ?>>\n"
                      "%1 = stablehlo.tanh %0 : tensor<?x3xf32, #stablehlo.bounds<10, ?>>\n"
                      "return %1 : tensor<?x3xf32, #stablehlo.bounds<10, ?>>\n"));
    ASSERT_EQ(0, pod_exchange_describe(module).unknown_count);
    expect_shape("(10, 3)", pod_exchange_get_output(module, 0).shape);
    pod_exchange_free(module);
}

TEST(tuples_are_taken_apart)
{
    pod_exchange_module *module = read(FUNCTION(
        "%x: tensor<8xf32>, %y: tensor<4xf32>", "tensor<4xf32>, tensor<8xf32>, tensor<2xf32>",
        "%0 = stablehlo.tuple %x, %y : tuple<tensor<8xf32>, tensor<4xf32>>\n"
        "%1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<8xf32>, tensor<4xf32>>) -> tensor<4xf32>\n"
        "%2 = \"stablehlo.get_tuple_element\"(%0) <{index = 0 : i32}> : (tuple<tensor<8xf32>, tensor<4xf32>>) -> "
        "tensor<8xf32>\n"
        "%3 = stablehlo.custom_call @Qr(%x) : (tensor<8xf32>) -> tuple<tensor<8xf32>, tensor<2xf32>>\n"
        "%4 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<8xf32>, tensor<2xf32>>) -> tensor<2xf32>\n"
        "return %1, %2, %4 : tensor<4xf32>, tensor<8xf32>, tensor<2xf32>\n"));
    ASSERT_EQ(1, pod_exchange_describe(module).unknown_count);
    ASSERT_EQ(POD_OP_PARAMETER, output(module, 0)->op);
    ASSERT_EQ(POD_OP_PARAMETER, output(module, 1)->op);
    expect_shape("(2,)", pod_exchange_get_output(module, 2).shape);
    pod_exchange_free(module);
}

/* The message and its place for a text that is none of ours. */
static void expect_error(const char *text, const char *message)
{
    pod_exchange_module *module;
    ASSERT(pod_exchange_read(context, text, strlen(text), "step.mlir", &module, &error) != POD_OK);
    if (!strstr(error.message, message))
        FAIL("'%s' does not have '%s'", error.message, message);
}

TEST(other_texts_are_named)
{
    expect_error("HloModule jit_f, is_scheduled=true\nENTRY main {\n}\n", "step.mlir:1:1: this is HLO text");
    expect_error(FUNCTION("%x: tensor<4xf32>", "tensor<4xf32>",
                          "%0 = stablehlo.tuple %x : tuple<tensor<4xf32>>\n"
                          "%1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4xf32>>) -> tensor<4xf32>\n"
                          "return %1 : tensor<4xf32>\n"),
                 "step.mlir:4:6: the tuple has 1 elements");
    expect_error(FUNCTION("%x: tensor<2x?xf32>", "tensor<2xf32>", ""), "step.mlir:2:38: this shape is not static");
    expect_error(FUNCTION("%x: tensor<?x?xf32, #stablehlo.bounds<4, ?>>", "tensor<2xf32>", ""),
                 "step.mlir:2:36: this shape is not static");
    expect_error(FUNCTION("%x: tensor<*xf32>", "tensor<2xf32>", ""), "step.mlir:2:36: this shape is not static");
    expect_error(FUNCTION("%x: tensor<?xf32, #stablehlo.bounds<>>", "tensor<2xf32>", ""), "step.mlir:2:");
    expect_error(FUNCTION("%x: tensor<?xf32, #stablehlo.bounds<-3>>", "tensor<2xf32>", ""), "not static");
}

TEST_MAIN(context = test_context(NULL); RUN(a_body_over_all_of_main_is_what_one_device_runs);
          RUN(where_main_computes_with_whole_arrays_they_stay_whole);
          RUN(what_main_computes_before_it_is_divided_stays_whole); RUN(calls_that_divide_and_join_are_read_alike);
          RUN(a_note_of_more_operands_than_results_is_none); RUN(a_body_of_other_types_or_counts_is_refused_or_unknown);
          RUN(what_memory_needs_of_an_op_is_known_without_what_it_computes);
          RUN(sizes_that_have_a_bound_are_as_large_as_that); RUN(tuples_are_taken_apart); RUN(other_texts_are_named);
          pod_context_release(context);)
