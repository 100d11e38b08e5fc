/*
 * The shape rule of each op: operands and attributes in, types out, or the message of a refusal.
 * The table must have a case that succeeds for every op.
 */

#include "op_cases.h"

static void append_type(char *text, size_t size, const pod_type *type)
{
    size_t length = strlen(text);
    length +=
        (size_t)snprintf(text + length, size - length, "%s%s[", length > 0 ? " " : "", pod_dtype_xla_name(type->dtype));
    for (int32_t i = 0; i < type->shape.rank; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%lld", i > 0 ? "," : "", (long long)type->shape.dims[i]);
    snprintf(text + length, size - length, "]");
}

/* ---- the test -------------------------------------------------------------------------------- */

static void describe(const shape_case *c, char *text, size_t size)
{
    snprintf(text, size, "%s(%s)", pod_op_name(c->op), c->operands);
}

static void check_results(const shape_case *c, const pod_graph *graph, const pod_node *node)
{
    char name[256], results[256] = "";
    pod_error error = {0};
    describe(c, name, sizeof name);
    if (pod_graph_check(graph, &error) != POD_OK)
        FAIL("%s: %s", name, error.message);
    for (uint32_t i = 0; i < node->result_count; i++)
        append_type(results, sizeof results, &node->results[i]);
    if (strcmp(results, c->results) != 0)
        FAIL("%s gives %s, expected %s", name, results, c->results);
    ASSERT_OK(pod_graph_verify(graph, &error));
}

static void check_message(const shape_case *c, const pod_graph *graph, const pod_node *node)
{
    char name[256];
    pod_error error = {0};
    describe(c, name, sizeof name);
    if (pod_graph_check(graph, &error) == POD_OK)
        FAIL("%s is accepted, expected \"%s\"", name, c->message);
    ASSERT(!pod_node_is_valid(node));
    if (!strstr(error.message, c->message))
        FAIL("%s says \"%s\", expected \"%s\"", name, error.message, c->message);
    if (strstr(error.message, "in a region") == NULL) {
        ASSERT_EQ(0, strncmp(error.message, pod_op_name(c->op), strlen(pod_op_name(c->op))));
        ASSERT_CONTAINS("(model.lua:7)", error.message);
    }
}

static void check_case(pod_context *context, const shape_case *c)
{
    pod_node *node;
    pod_graph *graph = build_case(context, c, &node);
    if (c->results)
        check_results(c, graph, node);
    else
        check_message(c, graph, node);
    pod_graph_free(graph);
}

TEST(every_op_has_a_case_that_succeeds)
{
    for (pod_op op = 0; op < POD_OP_COUNT; op++) {
        bool found = false;
        for (size_t i = 0; i < CASE_COUNT; i++)
            found |= cases[i].op == op && cases[i].results;
        if (!found)
            FAIL("%s has no case in ops_shape_cases.h", pod_op_name(op));
    }
}

TEST(types_of_results_follow_from_operands_and_attributes)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    for (size_t i = 0; i < CASE_COUNT; i++)
        check_case(context, &cases[i]);
    pod_context_release(context);
}

/* The number of operands that an op with a fixed number has is checked for all of them. */
TEST(a_wrong_number_of_operands_is_refused)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    for (pod_op op = 0; op < POD_OP_COUNT; op++) {
        pod_graph *graph;
        pod_error error;
        pod_node *x[4];
        int32_t operands = pod_op_get(op)->operands;
        if (operands < 0 || op == POD_OP_CONSTANT)
            continue;
        ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
        for (int i = 0; i < 4; i++)
            x[i] = pod_graph_parameter(graph, POD_F32, &three, NULL);
        pod_graph_apply(graph, op, x, (size_t)operands + 1, NULL, NULL, 0);
        ASSERT_FAILS(POD_ERROR_ARGUMENT, "operand", pod_graph_check(graph, &error));
        pod_graph_free(graph);
    }
    pod_context_release(context);
}

/* Regions where none belong are refused, and freed. */
TEST(regions_of_ops_without_are_refused)
{
    pod_context *context = test_context(&(pod_context_options){.threads = 1});
    for (pod_op op = 0; op < POD_OP_COUNT; op++) {
        pod_graph *graph, *regions[3];
        pod_error error;
        pod_node *x[3];
        int32_t operands = pod_op_get(op)->operands;
        ASSERT_OK(pod_graph_new(context, "test", &graph, &error));
        for (int i = 0; i < 3; i++) {
            x[i] = pod_graph_parameter(graph, POD_F32, &scalar, NULL);
            ASSERT_OK(pod_graph_new(context, "region", &regions[i], &error));
        }
        pod_attributes attributes = {.dtype = POD_F32, .data = numbers};
        pod_graph_apply(graph, op, x, operands < 0 ? 1 : (size_t)operands, &attributes, regions, 3);
        ASSERT_FAILS(POD_ERROR_ARGUMENT, "regions, but 3 are given", pod_graph_check(graph, &error));
        pod_graph_free(graph);
    }
    pod_context_release(context);
}

TEST_MAIN(RUN(every_op_has_a_case_that_succeeds); RUN(types_of_results_follow_from_operands_and_attributes);
          RUN(a_wrong_number_of_operands_is_refused); RUN(regions_of_ops_without_are_refused))
