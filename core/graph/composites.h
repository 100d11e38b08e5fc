#ifndef POD_GRAPH_COMPOSITES_H
#define POD_GRAPH_COMPOSITES_H

/*
 * Composites from the inside: how bodies are written, and how calls hand gradients back.
 */

#include "graph/node.h"

/* A body that is being written: the builder makes nodes of the operands and adds the outputs. It
 * may write defaults into the attributes: the call gets them. */
typedef struct pod_body {
    pod_graph *graph;
    pod_node *operands[8]; /* the body's parameters; NULL where none */
    size_t operand_count;
    pod_attributes attributes;
} pod_body;

typedef void (*pod_body_builder)(pod_body *body);

/* A node on the way back: from the cotangents of its results to those of its operands. */
typedef struct pod_pullback {
    pod_graph *graph;
    pod_node *node;
    pod_node *const *cotangents; /* one a result; NULL where it is zero, not all of them */
    const bool *needed;          /* one an operand: whether its cotangent is asked for */
    pod_node **operands;         /* one an operand: where its cotangent goes; stays NULL for zero */
    pod_arena *arena;            /* what rules take of it lives as long as the walk */
    pod_error *error;            /* of a rule that has none for these attributes, or no memory */
} pod_pullback;

/* Writes the cotangents of the operands. Failures of building stay in the graph. */
typedef void (*pod_pullback_rule)(pod_pullback *back);

/* A row of composites.def. */
typedef struct pod_composite {
    const char *name;
    uint8_t fewest, most; /* operands */
    pod_body_builder body;
    pod_pullback_rule gradient; /* NULL: differentiate the body */
    int32_t bound;              /* of kernels that take it whole, in units in the last place; 0: none do */
} pod_composite;

/* Returns the composite of a name, or NULL. */
const pod_composite *pod_graph_composite_find(const char *name);

/* Returns row `index` of composites.def, or NULL behind the last. */
const pod_composite *pod_graph_composite_get(size_t index);

/* ---- for the bodies -------------------------------------------------------------------------- */

/* Keeps an error with the composite's name before it; returns false. */
bool pod_graph_body_fail(pod_body *body, pod_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The type that a float type is computed in: f32 for 16 bits. */
pod_dtype pod_graph_wide_dtype(pod_dtype dtype);

/* Converts a float to the type it is computed in. */
pod_node *pod_graph_widen(pod_graph *graph, pod_node *x);

/* Fails unless operand `index` is a float; false after that. */
bool pod_graph_body_expect_float(pod_body *body, size_t index);

/* Fails unless operand `index` has the given shape; false after that. */
bool pod_graph_body_expect_shape(pod_body *body, size_t index, const pod_shape *shape);

/* Fails unless operands a and b have one type; false after that. */
bool pod_graph_body_expect_same_dtype(pod_body *body, size_t a, size_t b);

/* Makes attributes.axis count from 0; false, with an error, when x has no such axis. */
bool pod_graph_body_normalize_axis(pod_body *body, const pod_node *x);

/* Holds what softmax over `axis` is made of. */
typedef struct pod_exponentials {
    pod_node *shifted; /* x - max */
    pod_node *exp;     /* exp(shifted) */
    pod_node *sum;     /* of exp, without the axis */
} pod_exponentials;
pod_exponentials pod_graph_exponentials(pod_graph *graph, pod_node *x, int32_t axis);

/* Reduces one axis, which is removed. */
pod_node *pod_graph_reduce_axis(pod_graph *graph, const char *op, pod_node *x, int32_t axis);

/* Repeats x, which lacks `axis`, over it: the shape is that of `like`. */
pod_node *pod_graph_over_axis(pod_graph *graph, pod_node *x, const pod_node *like, int32_t axis);

#define POD_COMPOSITE_ROW(name, fewest, most, body, gradient, bound) void body(pod_body *);
#include "composites.def"
#undef POD_COMPOSITE_ROW

void pod_graph_pullback_gelu(pod_pullback *back);
void pod_graph_pullback_relu(pod_pullback *back);
void pod_graph_pullback_softplus(pod_pullback *back);
void pod_graph_pullback_softmax(pod_pullback *back);
void pod_graph_pullback_log_softmax(pod_pullback *back);
void pod_graph_pullback_sparse_softmax_cross_entropy(pod_pullback *back);
void pod_graph_pullback_softmax_cross_entropy(pod_pullback *back);
void pod_graph_pullback_sigmoid_cross_entropy(pod_pullback *back);
void pod_graph_pullback_attention(pod_pullback *back);
void pod_graph_pullback_dropout(pod_pullback *back);

#endif
