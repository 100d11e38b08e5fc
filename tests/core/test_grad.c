/*
 * Gradients of all differentiable ops against central differences in f64, most of them to the
 * second order. The table in grad_cases.h must have a case for every op that the op table marks
 * DIFF.
 */

#include "grad_cases.h"
#include "grad_check.h"

#include "grad/gradient.h"

/* Collectives have no reference kernel: test_grad_rules.c looks at the nodes of their gradients. */
static bool is_collective(pod_op op)
{
    return op == POD_OP_ALL_REDUCE || op == POD_OP_REDUCE_SCATTER || op == POD_OP_ALL_GATHER ||
           op == POD_OP_ALL_TO_ALL || op == POD_OP_COLLECTIVE_PERMUTE;
}

TEST(every_differentiable_op_has_a_rule_and_a_case)
{
    for (pod_op op = 0; op < POD_OP_COUNT; op++) {
        bool has_case = is_collective(op);
        if (pod_op_get(op)->gradient != POD_GRADIENT_DIFF)
            continue;
        for (size_t i = 0; i < GRAD_CASE_COUNT; i++)
            has_case |= grad_cases[i].op == op;
        if (!has_case)
            FAIL("%s has no case in grad_cases.h", pod_op_name(op));
        if (op != POD_OP_RESULT && !pod_gradient_rule(op))
            FAIL("%s has no rule", pod_op_name(op));
    }
}

TEST(other_ops_have_no_rule)
{
    for (pod_op op = 0; op < POD_OP_COUNT; op++) {
        if (pod_op_get(op)->gradient != POD_GRADIENT_DIFF && pod_gradient_rule(op))
            FAIL("%s has a rule", pod_op_name(op));
    }
}

static void check_all(int order, double tolerance)
{
    for (size_t i = 0; i < GRAD_CASE_COUNT; i++) {
        const grad_case *c = &grad_cases[i];
        if (order > 1 && c->first_order)
            continue;
        /* f32 in between: differences see its rounding */
        const double allowed = c->op == POD_OP_CONVERT ? 5e-2 : tolerance;
        check_gradient(c->build, c->shapes, (size_t)c->count, c->low, c->high, order, allowed, c->name);
    }
}

TEST(gradients_are_the_slopes)
{
    check_all(1, 1e-7);
}

TEST(gradients_of_gradients_are_the_second_slopes)
{
    check_all(2, 1e-6);
}

TEST_MAIN(RUN(every_differentiable_op_has_a_rule_and_a_case); RUN(other_ops_have_no_rule);
          RUN(gradients_are_the_slopes); RUN(gradients_of_gradients_are_the_second_slopes))
