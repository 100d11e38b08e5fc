/* What a TPU does with ops: a verdict for every op on every chip, and what is found in graphs. */

#include "test.h"

#include "graph/build.h"
#include "graph/ops.h"
#include "moonpod/compatibility.h"
#include "moonpod/exchange.h"

static pod_context *context;
static pod_error error;

TEST(every_op_has_a_verdict_for_every_chip_and_host)
{
    for (size_t i = 0; i < pod_chip_count(); i++)
        for (int host = POD_HOST_VM; host <= POD_HOST_NODE; host++)
            for (pod_op op = 0; op < pod_op_count(); op++) {
                pod_op_rule rule = pod_chip_op_rule(pod_chip_at(i), (pod_host_kind)host, op);
                ASSERT(rule.support != POD_SUPPORT_NONE);
                if (rule.support == POD_SUPPORT_FULL) {
                    ASSERT(rule.reason == NULL && rule.instead == NULL);
                } else if (!rule.reason || !rule.instead) {
                    test_fail(__FILE__, __LINE__, "'%s' has no row in compatibility.def", pod_op_name(op));
                }
            }
}

TEST(a_node_refuses_what_a_vm_only_slows)
{
    const pod_chip *chip = pod_chip_find("v3");
    pod_op print = pod_op_from_name("print");
    ASSERT_EQ(POD_SUPPORT_SLOW, pod_chip_op_rule(chip, POD_HOST_VM, print).support);
    ASSERT_EQ(POD_SUPPORT_REFUSED, pod_chip_op_rule(chip, POD_HOST_NODE, print).support);
    ASSERT_EQ(POD_SUPPORT_FULL, pod_chip_op_rule(chip, POD_HOST_NODE, pod_op_from_name("dot")).support);
    ASSERT_EQ(POD_SUPPORT_NONE, pod_chip_op_rule(chip, POD_HOST_VM, pod_op_count()).support);
    ASSERT_EQ(POD_SUPPORT_NONE, pod_chip_op_rule(chip, POD_HOST_VM, -1).support);
}

TEST(chips_with_sparse_cores_are_told_of_them)
{
    pod_op gather = pod_op_from_name("gather");
    ASSERT(strstr(pod_chip_op_rule(pod_chip_find("v5p"), POD_HOST_VM, gather).instead, "SparseCores"));
    ASSERT(!strstr(pod_chip_op_rule(pod_chip_find("v3"), POD_HOST_VM, gather).instead, "SparseCores"));
}

/* Checks a graph and writes "support kind op*count" of each finding, divided by "; ". */
static const char *findings_of(const pod_graph *graph, pod_host_kind host)
{
    static char text[1024];
    pod_compatibility *check;
    ASSERT_OK(pod_compatibility_check(graph, pod_chip_find("v3"), host, &check, &error));
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < pod_compatibility_count(check); i++) {
        const pod_finding *one = pod_compatibility_finding(check, i);
        ASSERT(one->reason[0] != '\0' && one->instead[0] != '\0');
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s %s %s*%zu", i > 0 ? "; " : "",
                               pod_support_name(one->support), one->kind, one->op, one->count);
    }
    ASSERT(pod_compatibility_finding(check, pod_compatibility_count(check)) == NULL);
    pod_compatibility_free(check);
    return text;
}

TEST(a_graph_of_plain_float32_has_no_findings)
{
    pod_graph *g;
    ASSERT_OK(pod_graph_new(context, "plain", &g, &error));
    pod_node *x = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {32, 128}}, "x");
    pod_node *w = pod_graph_parameter(g, POD_F32, &(pod_shape){2, {128, 10}}, "w");
    pod_graph_add_output(g, pod_graph_tanh(g, pod_graph_matmul(g, x, w)));
    ASSERT_TEXT("", findings_of(g, POD_HOST_NODE));
    pod_graph_free(g);
}

TEST(types_of_64_bits_and_float16_are_found_once_a_line)
{
    pod_graph *g;
    ASSERT_OK(pod_graph_new(context, "types", &g, &error));
    pod_graph_set_location(g, "model.lua:1");
    pod_node *d = pod_graph_parameter(g, POD_F64, &(pod_shape){1, {8}}, "d");
    pod_graph_set_location(g, "model.lua:2");
    pod_node *sum = pod_graph_add(g, d, d);
    pod_graph_add_output(g, pod_graph_add(g, sum, d));
    pod_graph_set_location(g, "model.lua:3");
    pod_node *n = pod_graph_parameter(g, POD_S64, &(pod_shape){2, {8, 8}}, "n");
    pod_graph_add_output(g, pod_graph_matmul(g, n, n));
    pod_graph_set_location(g, "model.lua:4");
    pod_graph_add_output(g, pod_graph_parameter(g, POD_F16, &(pod_shape){1, {8}}, "h"));
    ASSERT_OK(pod_graph_check(g, &error));
    ASSERT_TEXT("refused 64-bit dot_general*1; slow 64-bit parameter*1; slow 64-bit add*2; slow "
                "64-bit parameter*1; "
                "slow float16 parameter*1",
                findings_of(g, POD_HOST_VM));
    pod_graph_free(g);
}

TEST(one_hot_values_are_found_and_other_comparisons_are_not)
{
    pod_graph *g;
    ASSERT_OK(pod_graph_new(context, "one_hot", &g, &error));
    pod_shape shape = {2, {64, 10}};
    pod_node *labels = pod_graph_parameter(g, POD_S32, &(pod_shape){2, {64, 1}}, "y");
    pod_node *classes = pod_graph_iota(g, POD_S32, &shape, 1);
    pod_node *hot = pod_graph_compare(g, POD_COMPARE_EQ, pod_graph_broadcast_to(g, labels, &shape), classes);
    pod_graph_add_output(g, pod_graph_convert(g, hot, POD_F32));
    pod_graph_add_output(g, pod_graph_compare(g, POD_COMPARE_EQ, classes, classes));
    ASSERT_OK(pod_graph_check(g, &error));
    ASSERT_TEXT("slow one-hot one_hot*1", findings_of(g, POD_HOST_VM));
    pod_graph_free(g);
}

TEST(foreign_calls_are_known_host_callbacks_or_refused)
{
    static const char text[] = "module @m {\n func.func public @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                               "%0 = stablehlo.custom_call @Sharding(%x) : (tensor<8xf32>) -> tensor<8xf32>\n"
                               "%1 = stablehlo.custom_call @xla_python_cpu_callback(%0) : (tensor<8xf32>) -> "
                               "tensor<8xf32>\n"
                               "%2 = stablehlo.custom_call @my_kernel(%1) : (tensor<8xf32>) -> tensor<8xf32>\n"
                               "return %2 : tensor<8xf32>\n }\n}\n";
    pod_exchange_module *module;
    ASSERT_OK(pod_exchange_read(context, text, strlen(text), "step.mlir", &module, &error));
    ASSERT_TEXT("refused custom call my_kernel*1; slow host callback xla_python_cpu_callback*1",
                findings_of(pod_exchange_graph(module), POD_HOST_VM));
    ASSERT_TEXT("refused host callback xla_python_cpu_callback*1; refused custom call my_kernel*1",
                findings_of(pod_exchange_graph(module), POD_HOST_NODE));
    pod_exchange_free(module);
}

TEST_MAIN(context = test_context(NULL); RUN(every_op_has_a_verdict_for_every_chip_and_host);
          RUN(a_node_refuses_what_a_vm_only_slows); RUN(chips_with_sparse_cores_are_told_of_them);
          RUN(a_graph_of_plain_float32_has_no_findings); RUN(types_of_64_bits_and_float16_are_found_once_a_line);
          RUN(one_hot_values_are_found_and_other_comparisons_are_not);
          RUN(foreign_calls_are_known_host_callbacks_or_refused); pod_context_release(context);)
