#ifndef MOONPOD_BUILDERS_H
#define MOONPOD_BUILDERS_H

/*
 * builders - nodes by name: functions of elements, shapes, products and reductions.
 *
 * They return nodes of moonpod/graph.h, the invalid one after an error. Operands broadcast as NumPy's
 * do where the comment says so; they must have one type. An op that has no builder here is added with
 * pod_graph_apply(), or with pod_graph_elementwise(), which broadcasts.
 */

#include "moonpod/graph.h"

POD_BEGIN_C

/* ---- of one operand, element by element ------------------------------------------------------ */

/* Returns -x; of unsigned integers, modulo 2^bits. */
POD_API pod_node *pod_graph_negate(pod_graph *graph, pod_node *x);

/* Returns the magnitude of x. */
POD_API pod_node *pod_graph_abs(pod_graph *graph, pod_node *x);

/* Returns -1, 0 or 1, as x is below, at or above 0; NaN for NaN. */
POD_API pod_node *pod_graph_sign(pod_graph *graph, pod_node *x);

/* Returns e to the power of x. */
POD_API pod_node *pod_graph_exp(pod_graph *graph, pod_node *x);

/* Returns e to the power of x, less 1, exactly where x is small. */
POD_API pod_node *pod_graph_expm1(pod_graph *graph, pod_node *x);

/* Returns the natural logarithm of x. */
POD_API pod_node *pod_graph_log(pod_graph *graph, pod_node *x);

/* Returns the natural logarithm of 1 + x, exactly where x is small. */
POD_API pod_node *pod_graph_log1p(pod_graph *graph, pod_node *x);

/* Returns the square root of x. */
POD_API pod_node *pod_graph_sqrt(pod_graph *graph, pod_node *x);

/* Returns 1 over the square root of x. */
POD_API pod_node *pod_graph_rsqrt(pod_graph *graph, pod_node *x);

/* Returns the sine of x, in radians. */
POD_API pod_node *pod_graph_sin(pod_graph *graph, pod_node *x);

/* Returns the cosine of x, in radians. */
POD_API pod_node *pod_graph_cos(pod_graph *graph, pod_node *x);

/* Returns the tangent of x, in radians. */
POD_API pod_node *pod_graph_tan(pod_graph *graph, pod_node *x);

/* Returns the hyperbolic tangent of x. */
POD_API pod_node *pod_graph_tanh(pod_graph *graph, pod_node *x);

/* Returns 1 / (1 + exp(-x)). */
POD_API pod_node *pod_graph_logistic(pod_graph *graph, pod_node *x);

/* Returns the error function of x. */
POD_API pod_node *pod_graph_erf(pod_graph *graph, pod_node *x);

/* Returns the number whose error function is x. */
POD_API pod_node *pod_graph_erf_inv(pod_graph *graph, pod_node *x);

/* Returns the greatest whole number that is not above x. */
POD_API pod_node *pod_graph_floor(pod_graph *graph, pod_node *x);

/* Returns the least whole number that is not below x. */
POD_API pod_node *pod_graph_ceil(pod_graph *graph, pod_node *x);

/* Returns the whole number nearest to x; of two, the even one. */
POD_API pod_node *pod_graph_round(pod_graph *graph, pod_node *x);

/* Returns, as bool, whether x is neither infinite nor NaN. */
POD_API pod_node *pod_graph_is_finite(pod_graph *graph, pod_node *x);

/* Returns the bits of x inverted; of bool, whether x is false. */
POD_API pod_node *pod_graph_not(pod_graph *graph, pod_node *x);

/* ---- of two operands, which broadcast ---------------------------------------------------------- */

/* Returns a + b. */
POD_API pod_node *pod_graph_add(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns a - b. */
POD_API pod_node *pod_graph_subtract(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns a * b. */
POD_API pod_node *pod_graph_multiply(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns a / b; of integers, rounded towards zero, and all bits set where b is 0. */
POD_API pod_node *pod_graph_divide(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns what is left of a / b, with the sign of a; of integers, a where b is 0. */
POD_API pod_node *pod_graph_remainder(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns a to the power of b. */
POD_API pod_node *pod_graph_power(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns the greater one; NaN where either is NaN. */
POD_API pod_node *pod_graph_maximum(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns the smaller one; NaN where either is NaN. */
POD_API pod_node *pod_graph_minimum(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns the angle of the point (b, a), in radians. */
POD_API pod_node *pod_graph_atan2(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns the bits that both have; of bool, whether both are true. */
POD_API pod_node *pod_graph_and(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns the bits that either has; of bool, whether either is true. */
POD_API pod_node *pod_graph_or(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns the bits that one alone has; of bool, whether one alone is true. */
POD_API pod_node *pod_graph_xor(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns a with its bits moved up by b; 0 where b is not below their number. */
POD_API pod_node *pod_graph_shift_left(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns a with its bits moved down by b, zeros coming in from above. */
POD_API pod_node *pod_graph_shift_right(pod_graph *graph, pod_node *a, pod_node *b);

/* Returns a with its bits moved down by b, copies of the sign coming in from above. */
POD_API pod_node *pod_graph_shift_right_arithmetic(pod_graph *graph, pod_node *a, pod_node *b);

/* ---- others ------------------------------------------------------------------------------------ */

/* Any op that pod_op_elementwise_operands() has one or two operands for, which broadcast. */
POD_API pod_node *pod_graph_elementwise(pod_graph *graph, pod_op op, pod_node *const *inputs, size_t count);

/* Compares; the operands broadcast; the result is bool. */
POD_API pod_node *pod_graph_compare(pod_graph *graph, pod_comparison comparison, pod_node *a, pod_node *b);

/* Takes elements of `a` where `predicate` is true, of `b` elsewhere; all three broadcast. */
POD_API pod_node *pod_graph_select(pod_graph *graph, pod_node *predicate, pod_node *a, pod_node *b);

/* Converts to a type; returns x itself when it has it. */
POD_API pod_node *pod_graph_convert(pod_graph *graph, pod_node *x, pod_dtype dtype);

/* Gives the elements another shape; one size may be -1. */
POD_API pod_node *pod_graph_reshape(pod_graph *graph, pod_node *x, const pod_shape *shape);

/* Repeats axes of size 1 and adds leading axes, as NumPy's broadcast_to. */
POD_API pod_node *pod_graph_broadcast_to(pod_graph *graph, pod_node *x, const pod_shape *shape);

/* Permutes axes; axes NULL reverses them. */
POD_API pod_node *pod_graph_transpose(pod_graph *graph, pod_node *x, const pod_axes *axes);

/* Multiplies matrices as NumPy's matmul does: the last two axes, the leading ones broadcast; vectors
 * are allowed. */
POD_API pod_node *pod_graph_matmul(pod_graph *graph, pod_node *a, pod_node *b);

/* Reduces with one of the reduce ops ("reduce_sum", "reduce_max", ...) over `axes` (NULL: all;
 * negative count from the end); keeps them with size 1 when `keep` is set. */
POD_API pod_node *pod_graph_reduce(pod_graph *graph, const char *op, pod_node *x, const pod_axes *axes, bool keep);

/* Averages over `axes` as pod_graph_reduce(); divides by the true number of rows (see
 * dimension_size), so that uneven shards are exact. */
POD_API pod_node *pod_graph_mean(pod_graph *graph, pod_node *x, const pod_axes *axes, bool keep);

/* Adds a composite: a call of a known name with its body, such as "softmax_cross_entropy",
 * "layer_normalization" or "adam". core/graph/composites.def lists them with operands, results and
 * attributes. Passes may inline the body or pick a kernel by name. */
POD_API pod_node *pod_graph_composite(pod_graph *graph, const char *name, pod_node *const *inputs, size_t input_count,
                                      const pod_attributes *attributes);

POD_END_C

#endif
