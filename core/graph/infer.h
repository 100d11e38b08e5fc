#ifndef POD_GRAPH_INFER_H
#define POD_GRAPH_INFER_H

/*
 * Shape rules: from operands and attributes of a node to the types of its results. One rule an op,
 * in the op table, used when a node is made and when a graph is verified.
 */

#include "graph/node.h"
#include "graph/ops.h"

/* Holds what a rule sees. It sets every result with pod_infer_set() and may write defaults into the
 * attributes (a dtype that was not given, strides of 1). */
typedef struct pod_infer {
    const pod_graph *graph;
    pod_op op;
    pod_node *const *inputs;
    size_t input_count;
    pod_attributes *attributes;
    pod_graph *const *regions;
    size_t region_count;
    pod_type *results;
    size_t result_count;
    const char *location; /* added to messages; NULL when none */
    pod_error *error;
} pod_infer;

/* Finds out how many results a node will have, after checking the numbers of operands and regions
 * and that every operand is a value. Sets call->result_count. */
bool pod_infer_count(pod_infer *call);

/* The same for opaque, whose attributes tell. */
bool pod_infer_opaque_count(pod_infer *call);

/* Runs the op's rule. call->results has room for call->result_count types. */
bool pod_infer_run(pod_infer *call);

/* ---- for the rules --------------------------------------------------------------------------- */

/* Fails with "NAME: ... (LOCATION)". */
bool pod_infer_fail(pod_infer *call, pod_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns the type of operand `index`. */
const pod_type *pod_infer_operand(const pod_infer *call, size_t index);

/* Sets a result's type; fails when its bytes do not fit 63 bits or a size is negative. */
bool pod_infer_set(pod_infer *call, size_t index, pod_dtype dtype, const pod_shape *shape);

/* Fails unless 0 <= axis < rank; `what` names the attribute. */
bool pod_infer_axis(pod_infer *call, const char *what, int64_t axis, const pod_shape *shape);

/* Fails unless the axes are in range and each is there once. When `ascending`, sorts nothing but
 * asks for that order. */
bool pod_infer_axes(pod_infer *call, const char *what, const pod_axes *axes, const pod_shape *shape, bool ascending);

/* Fails unless operands `a` and `b` have one dtype. */
bool pod_infer_same_dtype(pod_infer *call, size_t a, size_t b);

/* Fails unless operands `a` and `b` have one shape. */
bool pod_infer_same_shape(pod_infer *call, size_t a, size_t b);

/* Returns the kind of a dtype. */
pod_kinds pod_graph_kind_of(pod_dtype dtype);

/* Fails unless operand `index` has a dtype of the given kinds. */
bool pod_infer_kind(pod_infer *call, size_t index, pod_kinds kinds);

/* Checks the attribute dtype of ops that may widen or narrow their result ("none" means the dtype
 * of operand 0) and clears it when it says nothing new. Returns the result's dtype through *dtype.
 */
bool pod_infer_result_dtype(pod_infer *call, pod_dtype *dtype);

/* Writes "float32 (32, 784)". */
#define POD_TYPE_TEXT_SIZE (POD_SHAPE_TEXT_SIZE + 16)
const char *pod_graph_type_format(const pod_type *type, char text[POD_TYPE_TEXT_SIZE]);

/* True when dtype and shape are equal. */
bool pod_graph_type_equal(const pod_type *a, const pod_type *b);

#endif
