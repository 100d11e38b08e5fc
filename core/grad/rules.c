#include "grad/gradient.h"

/* The rule of each op that has one; `result` is the walk's own. */
static const pod_pullback_rule rules[POD_OP_COUNT] = {
#define RULE_DIFF(rule)                                                              pod_gradient_##rule
#define RULE_WALKED                                                                  NULL
#define RULE_ZERO                                                                    NULL
#define RULE_NONE                                                                    NULL
#define POD_OP_ROW(NAME, name, operands, results, shape, each, reads, gradient, ...) [POD_OP_##NAME] = RULE_##gradient,
#include "graph/ops.def"
#undef POD_OP_ROW
};

pod_node *pod_gradient_with_rows_of(const pod_node *node, uint32_t operand, pod_node *cotangent)
{
    if (pod_op_is_elementwise(node->op) || node->op == POD_OP_WITH_ROWS)
        return cotangent;
    return pod_graph_with_rows(node->graph, cotangent, node->inputs[operand]);
}

pod_pullback_rule pod_gradient_rule(pod_op op)
{
    return rules[op];
}
