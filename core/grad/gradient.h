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

/* What the walk is from and to. */
typedef struct pod_gradient_request {
    pod_graph *graph;
    uint32_t first; /* only nodes from this number on are walked; sources may come before */
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

/* Fails with POD_ERROR_UNSUPPORTED, naming op and place. */
pod_status pod_gradient_refuse(const pod_node *node, const char *why, pod_error *error);

/* A graph that computes the gradient of a body: its parameters are the body's, then one cotangent
 * for each output with given[output]; its outputs are the cotangents of the parameters with
 * wanted[parameter], zeros where nothing depends on them. NULL after a failure. */
pod_graph *pod_gradient_of_body(const pod_graph *body, const bool *given, const bool *wanted,
                                pod_error *error);

/* ---- rules, by family ------------------------------------------------------------------------ */

pod_status pod_grad_negate(pod_pullback *back, pod_error *error);
pod_status pod_grad_abs(pod_pullback *back, pod_error *error);
pod_status pod_grad_exp(pod_pullback *back, pod_error *error);
pod_status pod_grad_expm1(pod_pullback *back, pod_error *error);
pod_status pod_grad_log(pod_pullback *back, pod_error *error);
pod_status pod_grad_log1p(pod_pullback *back, pod_error *error);
pod_status pod_grad_sqrt(pod_pullback *back, pod_error *error);
pod_status pod_grad_rsqrt(pod_pullback *back, pod_error *error);
pod_status pod_grad_sin(pod_pullback *back, pod_error *error);
pod_status pod_grad_cos(pod_pullback *back, pod_error *error);
pod_status pod_grad_tan(pod_pullback *back, pod_error *error);
pod_status pod_grad_tanh(pod_pullback *back, pod_error *error);
pod_status pod_grad_logistic(pod_pullback *back, pod_error *error);
pod_status pod_grad_erf(pod_pullback *back, pod_error *error);
pod_status pod_grad_erf_inv(pod_pullback *back, pod_error *error);
pod_status pod_grad_convert(pod_pullback *back, pod_error *error);
pod_status pod_grad_identity(pod_pullback *back, pod_error *error);
pod_status pod_grad_add(pod_pullback *back, pod_error *error);
pod_status pod_grad_subtract(pod_pullback *back, pod_error *error);
pod_status pod_grad_multiply(pod_pullback *back, pod_error *error);
pod_status pod_grad_divide(pod_pullback *back, pod_error *error);
pod_status pod_grad_remainder(pod_pullback *back, pod_error *error);
pod_status pod_grad_power(pod_pullback *back, pod_error *error);
pod_status pod_grad_maximum(pod_pullback *back, pod_error *error);
pod_status pod_grad_minimum(pod_pullback *back, pod_error *error);
pod_status pod_grad_atan2(pod_pullback *back, pod_error *error);
pod_status pod_grad_select(pod_pullback *back, pod_error *error);
pod_status pod_grad_clamp(pod_pullback *back, pod_error *error);

pod_status pod_grad_reshape(pod_pullback *back, pod_error *error);
pod_status pod_grad_transpose(pod_pullback *back, pod_error *error);
pod_status pod_grad_broadcast(pod_pullback *back, pod_error *error);
pod_status pod_grad_slice(pod_pullback *back, pod_error *error);
pod_status pod_grad_dynamic_slice(pod_pullback *back, pod_error *error);
pod_status pod_grad_dynamic_update_slice(pod_pullback *back, pod_error *error);
pod_status pod_grad_pad(pod_pullback *back, pod_error *error);
pod_status pod_grad_concatenate(pod_pullback *back, pod_error *error);
pod_status pod_grad_reverse(pod_pullback *back, pod_error *error);

pod_status pod_grad_gather(pod_pullback *back, pod_error *error);
pod_status pod_grad_scatter(pod_pullback *back, pod_error *error);
pod_status pod_grad_sort(pod_pullback *back, pod_error *error);
pod_status pod_grad_top_k(pod_pullback *back, pod_error *error);

pod_status pod_grad_reduce_sum(pod_pullback *back, pod_error *error);
pod_status pod_grad_reduce_product(pod_pullback *back, pod_error *error);
pod_status pod_grad_reduce_extreme(pod_pullback *back, pod_error *error);
pod_status pod_grad_cumulative_sum(pod_pullback *back, pod_error *error);

pod_status pod_grad_dot(pod_pullback *back, pod_error *error);
pod_status pod_grad_convolution(pod_pullback *back, pod_error *error);
pod_status pod_grad_convolution_input_gradient(pod_pullback *back, pod_error *error);
pod_status pod_grad_convolution_kernel_gradient(pod_pullback *back, pod_error *error);
pod_status pod_grad_pool_max(pod_pullback *back, pod_error *error);
pod_status pod_grad_pool_max_gradient(pod_pullback *back, pod_error *error);
pod_status pod_grad_pool_max_select(pod_pullback *back, pod_error *error);
pod_status pod_grad_pool_sum(pod_pullback *back, pod_error *error);
pod_status pod_grad_pool_sum_gradient(pod_pullback *back, pod_error *error);

pod_status pod_grad_call(pod_pullback *back, pod_error *error);
pod_status pod_grad_cond(pod_pullback *back, pod_error *error);
pod_status pod_grad_while(pod_pullback *back, pod_error *error);

pod_status pod_grad_all_reduce(pod_pullback *back, pod_error *error);
pod_status pod_grad_reduce_scatter(pod_pullback *back, pod_error *error);
pod_status pod_grad_all_gather(pod_pullback *back, pod_error *error);
pod_status pod_grad_all_to_all(pod_pullback *back, pod_error *error);
pod_status pod_grad_collective_permute(pod_pullback *back, pod_error *error);

#endif
