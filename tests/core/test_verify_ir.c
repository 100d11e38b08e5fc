/*
 * What the verifier of irs (ir/verify_ir.c) refuses: one field of a good ir is changed at a time.
 */

#include "graph/build.h"
#include "ir/ir.h"
#include "test.h"

static pod_error error;
static pod_context *context;

static const pod_shape matrix = {2, {4, 3}}, row = {1, {3}}, turned = {2, {3, 4}};

/* w + sum of rows of x, and a cond of two bodies, in this order: x, w, sum, add, is, cond. */
enum { X, W, SUM, ADD, IS, COND, NODES };

static pod_graph *body(void)
{
    pod_graph *g;
    ASSERT_OK(pod_graph_new(context, "body", &g, &error));
    pod_node *x = pod_graph_parameter(g, POD_F32, &row, "x");
    pod_graph_add_output(g, pod_graph_negate(g, x));
    return g;
}

static pod_graph *make_graph(void)
{
    pod_graph *g, *bodies[2] = {body(), body()};
    ASSERT_OK(pod_graph_new(context, "whole", &g, &error));
    pod_node *x = pod_graph_parameter(g, POD_F32, &matrix, "x");
    pod_node *w = pod_graph_parameter(g, POD_F32, &row, "w");
    const pod_attributes rows = {.axes = {1, {0}}};
    pod_node *sum = pod_graph_apply(g, POD_OP_REDUCE_SUM, &x, 1, &rows, NULL, 0);
    pod_node *changed = pod_graph_add(g, w, sum);
    pod_node *is = pod_graph_parameter(g, POD_BOOL, &(pod_shape){0}, "is");
    pod_node *operands[] = {is, changed};
    pod_node *chosen = pod_graph_apply(g, POD_OP_COND, operands, 2, NULL, bodies, 2);
    pod_graph_add_output(g, changed);
    pod_graph_set_alias(g, 0, 1);
    pod_graph_add_output(g, chosen);
    ASSERT_OK(pod_graph_check(g, &error));
    return g;
}

typedef struct trial {
    pod_graph *graph;
    pod_arena arena;
    pod_ir *ir;
    pod_status status;
} trial;

static void begin(trial *t)
{
    t->graph = make_graph();
    pod_arena_init(&t->arena, context);
    ASSERT_OK(pod_ir_import(&t->arena, t->graph, NULL, POD_PRECISION_DEFAULT, &t->ir, &error));
    ASSERT_EQ(NODES, t->ir->node_count);
}

static void end(trial *t)
{
    t->status = pod_ir_verify(t->ir, true, "a change", &error);
    pod_arena_clear(&t->arena);
    pod_graph_free(t->graph);
}

#define BAD(text, ...)                                                                                                 \
    do {                                                                                                               \
        trial t;                                                                                                       \
        begin(&t);                                                                                                     \
        pod_ir *ir = t.ir;                                                                                             \
        pod_ir_node *nodes = ir->nodes;                                                                                \
        pod_ir_value *values = ir->values;                                                                             \
        (void)nodes, (void)values;                                                                                     \
        __VA_ARGS__;                                                                                                   \
        end(&t);                                                                                                       \
        if (t.status != POD_ERROR_STATE || !strstr(error.message, text) || !strstr(error.message, "after a change"))   \
            FAIL("%s: %s", #__VA_ARGS__, t.status == POD_OK ? "passes" : error.message);                               \
    } while (0)

TEST(what_is_imported_is_sound)
{
    trial t;
    begin(&t);
    end(&t);
    ASSERT_OK(t.status);
}

TEST(nodes_and_values_stand_in_their_order)
{
    BAD("node 2 (reduce_sum) has an operand that does not come before it",
        pod_ir_inputs(ir, &nodes[SUM])[0] = nodes[SUM].value_first);
    BAD("node 3 (add) has an operand that does not come before it",
        pod_ir_inputs(ir, &nodes[ADD])[1] = nodes[IS].value_first);
    BAD("node 3 (add) has an operand that does not come before it", pod_ir_inputs(ir, &nodes[ADD])[0] = POD_REF_NONE);
    BAD("node 3 (add) has its operands elsewhere", nodes[ADD].input_first--);
    BAD("node 5 (cond) has its operands elsewhere", nodes[COND].input_count++);
    BAD("node 3 (add) has its results elsewhere", nodes[ADD].value_first--);
    BAD("node 5 (cond) has its results elsewhere", nodes[COND].value_count++);
    BAD("node 6 (no op) has operands or results", ir->value_count++);
    BAD("node 6 (no op) has operands or results", ir->input_count++);
    BAD("node 3 (add) has a result that is another's", values[nodes[ADD].value_first].node = SUM);
    BAD("node 3 (add) has a result that is another's", values[nodes[ADD].value_first].result = 1);
}

TEST(nodes_are_of_the_table)
{
    BAD("node 3 (no op) is no node", nodes[ADD].op = POD_OP_COUNT);
    BAD("node 3 (no op) is no node", nodes[ADD].op = -1);
    BAD("node 3 (add) is no node", nodes[ADD].attributes = NULL);
    BAD("node 5 (cond) lacks a region", nodes[COND].regions[1] = NULL);
    BAD("node 3 (constant) has no elements", nodes[ADD].op = POD_OP_CONSTANT);
}

TEST(values_have_types)
{
    const pod_shape negative = {1, {-1}}, deep = {POD_MAX_RANK + 1, {0}};
    BAD("node 3 (add) has a result without a type", values[nodes[ADD].value_first].dtype = POD_DTYPE_NONE);
    BAD("node 3 (add) has a result without a type", values[nodes[ADD].value_first].dtype = POD_DTYPE_END);
    BAD("node 3 (add) has a result without a type", values[nodes[ADD].value_first].shape = NULL);
    BAD("node 3 (add) has a result without a type", values[nodes[ADD].value_first].shape = &negative);
    BAD("node 3 (add) has a result without a type", values[nodes[ADD].value_first].shape = &deep);
}

TEST(types_are_those_that_ops_give)
{
    BAD("node 2 (reduce_sum) has another type than its op gives", values[nodes[SUM].value_first].shape = &matrix);
    BAD("node 2 (reduce_sum) has another type than its op gives", values[nodes[SUM].value_first].dtype = POD_F64);
    BAD("node 3 (add) has operands or results that its op does not take",
        pod_ir_inputs(ir, &nodes[ADD])[1] = nodes[X].value_first);
    BAD("node 0 (parameter) has another type than its op gives", values[nodes[X].value_first].shape = &turned);
    BAD("node 3 (call) calls nothing", nodes[ADD].op = POD_OP_CALL);
}

TEST(regions_are_looked_at)
{
    BAD("node 1 (negate) has another type than its op gives", nodes[COND].regions[0]->values[1].dtype = POD_F64);
    BAD("node 5 (cond) has operands or results that its op does not take", nodes[COND].region_count = 1);
    BAD("node 5 (cond) has operands or results that its op does not take",
        pod_ir_inputs(ir, &nodes[COND])[1] = nodes[X].value_first);
}

TEST(parameters_and_outputs_are_values)
{
    BAD("is asked for as a parameter", ir->parameters[0] = POD_REF_NONE);
    BAD("is asked for as a parameter", ir->parameters[0] = nodes[ADD].value_first);
    BAD("is asked for as an output", ir->outputs[1] = ir->value_count);
    BAD("updates what is no parameter", ir->aliases[0] = -2);
    BAD("updates what is no parameter", ir->aliases[0] = ir->parameter_count);
    BAD("updates a parameter of another type", ir->aliases[0] = 0);
}

TEST_MAIN(context = test_context(NULL); RUN(what_is_imported_is_sound); RUN(nodes_and_values_stand_in_their_order);
          RUN(nodes_are_of_the_table); RUN(values_have_types); RUN(types_are_those_that_ops_give);
          RUN(regions_are_looked_at); RUN(parameters_and_outputs_are_values); pod_context_release(context))
