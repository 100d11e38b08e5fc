#ifndef POD_GRAD_GRADIENT_H
#define POD_GRAD_GRADIENT_H

/*
 * Reverse mode from the inside: the walk from targets back to sources, and one rule an op.
 *
 * A rule gets the cotangents of a node's results and writes those of its operands as new nodes of
 * the same graph (pod_pullback in graph/composites.h). Rules use differentiable ops only, so that
 * gradients of gradients work.
 */

#include "graph/build.h"
#include "graph/composites.h"

/* Holds what the walk is from and to. */
typedef struct pod_gradient_request {
    pod_graph *graph;
    uint32_t first; /* only nodes from this number on are walked; sources may come before */
    uint32_t since; /* nodes before this number that are no sources count as constants; 0: none do */
    pod_node *const *targets;
    pod_node *const *seeds; /* one a target: its cotangent; a target with NULL is left out */
    size_t target_count;
    pod_node *const *sources;
    size_t source_count;
    pod_node **gradients; /* one a source; NULL where no target depends on it. A source that is
                           * there several times gets its gradient the first time, then NULL */
} pod_gradient_request;

/* Adds the nodes that compute sum over targets of d(target . seed) / d(source). Fails where an op
 * on the way has no gradient; failures of building stay in the graph. */
pod_status pod_gradient_walk(const pod_gradient_request *request, pod_error *error);

/* Returns the rule of an op; NULL where the table has none. */
pod_pullback_rule pod_gradient_rule(pod_op op);

/* Returns what a rule gave as the cotangent of an operand, with the rows of that. The cotangent of a value counts along
 * the rows that the value has: an op that takes each element from its place hands those on, but any other may fold over
 * the rows of its operand, and then the cotangent is made of its shape alone. */
pod_node *pod_gradient_with_rows_of(const pod_node *node, uint32_t operand, pod_node *cotangent);

/* Returns the cotangent of a node's first result in the type of its first operand, which differs where the result was
 * asked to be wider. */
pod_node *pod_gradient_in_operand_type(const pod_pullback *back);

/* Returns 1 where a equals b, else 0, in the type of a. */
pod_node *pod_gradient_equal_mask(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns the cotangent of a node's result, as zeros where that is none. */
pod_node *pod_gradient_or_zero(const pod_pullback *back, uint32_t result);

/* Fails with POD_ERROR_UNSUPPORTED, naming op and place. */
void pod_gradient_refuse(pod_pullback *back, const char *why);

/* Returns zeroed memory that lives as long as the walk; NULL, with the error kept, when there is none. */
void *pod_gradient_room(pod_pullback *back, size_t count, size_t size);

/* A graph that computes the gradient of a body: its parameters are the body's, then one cotangent
 * for each output with given[output]; its outputs are the cotangents of the parameters with
 * wanted[parameter], zeros where nothing depends on them. NULL after a failure, which is kept. */
pod_graph *pod_gradient_of_body(pod_pullback *back, const pod_graph *body, const bool *given, const bool *wanted);

/* The rules that the op table names: pod_gradient_<rule>(). */
#define POD_RULE_DIFF(rule) void pod_gradient_##rule(pod_pullback *back);
#define POD_RULE_WALKED
#define POD_RULE_ZERO
#define POD_RULE_NONE
#define POD_OP_ROW(NAME, name, operands, results, shape, each, reads, gradient, ...) POD_RULE_##gradient
#include "graph/ops.def"
#undef POD_OP_ROW
#undef POD_RULE_DIFF
#undef POD_RULE_WALKED
#undef POD_RULE_ZERO
#undef POD_RULE_NONE

#endif
