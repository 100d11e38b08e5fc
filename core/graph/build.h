#ifndef POD_GRAPH_BUILD_H
#define POD_GRAPH_BUILD_H

/*
 * Builders for the floors of the library, besides those of moonpod/graph.h: what composites,
 * gradient rules and passes are written with. All of them return the invalid node after an error.
 */

#include "graph/node.h"

/* Returns whether x is a value of this graph, so that its type may be read. */
bool pod_graph_is_value(const pod_graph *graph, const pod_node *x);

/* Adds an op of one operand without attributes. */
pod_node *pod_graph_unary(pod_graph *graph, pod_op op, pod_node *x);

/* Adds an op of two operands, which broadcast. */
pod_node *pod_graph_binary(pod_graph *graph, pod_op op, pod_node *a, pod_node *b);

/* Adds an op of up to three operands after broadcasting them to one shape. */
pod_node *pod_graph_broadcasted(pod_graph *graph, pod_op op, pod_node *const *inputs, size_t count,
                                const pod_attributes *attributes);

/* Widens `shape` so that `other` fits; false when two sizes differ and none of them is 1. */
bool pod_graph_join_shapes(pod_shape *shape, const pod_shape *other);

/* Limits x to low .. high; all broadcast. */
pod_node *pod_graph_clamp(pod_graph *graph, pod_node *low, pod_node *x, pod_node *high);

/* Adds a constant of x's type and shape with every element `value`. */
pod_node *pod_graph_full_like(pod_graph *graph, const pod_node *x, double value);

/* Adds a scalar constant of x's type. */
pod_node *pod_graph_number_like(pod_graph *graph, const pod_node *x, double value);

/* x * value, x + value. */
pod_node *pod_graph_scale(pod_graph *graph, pod_node *x, double value);
pod_node *pod_graph_offset(pod_graph *graph, pod_node *x, double value);

/* Counts 0, 1, ... along `axis` of a shape. */
pod_node *pod_graph_iota(pod_graph *graph, pod_dtype dtype, const pod_shape *shape, int32_t axis);

/* Repeats x to a shape: axis i of x becomes axis axes[i]. */
pod_node *pod_graph_broadcast_axes(pod_graph *graph, pod_node *x, const pod_shape *shape, const pod_axes *axes);

/* Undoes a reduction of `axes`: repeats x to `shape` along them. */
pod_node *pod_graph_unreduce(pod_graph *graph, pod_node *x, const pod_shape *shape, const pod_axes *axes);

/* x, of which those rows count that count of `like`: see with_rows in ops.def. */
pod_node *pod_graph_with_rows(pod_graph *graph, pod_node *x, pod_node *like);

/* Sums over `axes` into `dtype` (POD_DTYPE_NONE: x's) and removes them; x itself for no axes. */
pod_node *pod_graph_sum_axes(pod_graph *graph, pod_node *x, const pod_axes *axes, pod_dtype dtype);

/* Multiplies with all four lists given. */
pod_node *pod_graph_dot(pod_graph *graph, pod_node *a, pod_node *b, const pod_attributes *lists);

/* Puts axes behind those of a list, which has room for them. */
void pod_graph_axes_append(pod_axes *axes, const pod_axes *more);

/* The list of all axes of a shape but those in `axes`, ascending; and but those of two lists. */
pod_axes pod_graph_axes_others(const pod_axes *axes, int32_t rank);
pod_axes pod_graph_axes_free(const pod_axes *batch, const pod_axes *contract, int32_t rank);

/* Undoes a transpose by `axes`. */
pod_node *pod_graph_untranspose(pod_graph *graph, pod_node *x, const pod_axes *axes);

#endif
