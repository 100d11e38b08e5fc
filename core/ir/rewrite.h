#ifndef POD_IR_REWRITE_H
#define POD_IR_REWRITE_H

/*
 * rewrite - one walk over an ir that makes a smaller one: dead nodes are left out, and each node that
 * is added goes through folding of constants (fold_constants.c), simplification (simplify.c) and the
 * table of nodes that are there already (merge_common.c).
 */

#include "ir/ir.h"

typedef struct pod_rewriter pod_rewriter;

/* A node that is being rewritten: its operands are values of the new ir. */
typedef struct pod_subject {
    pod_rewriter *r;
    const pod_ir_node *node;
    const pod_ref *inputs;
    pod_dtype dtype;
    const pod_shape *shape;
} pod_subject;

struct pod_rewriter {
    pod_ir *to;
    pod_arena *arena;
    /* All rules for a node, then the node itself: what rules add is rewritten, too. */
    pod_ref (*rewrite)(const pod_subject *subject);
    uint32_t *table; /* of merge_common.c: nodes of `to` + 1 by hash */
    uint32_t table_mask;
    pod_precision precision;      /* of f32 products that ask for none: see precision.c */
    const char *location, *scope; /* of the node being rewritten */
    bool wide;                    /* of the node being rewritten, and of those that rules make for it */
    pod_ref unshared;             /* what a transpose that is being rewritten reads alone; else POD_REF_NONE */
    bool failed;                  /* no memory */
};

/* Rewrites *ir and the irs of its regions. False when there is no memory. */
bool pod_ir_rewrite(pod_arena *arena, pod_ir **ir, pod_precision precision);

/* Finds a precision by name (NULL: "highest"); false for a name that is none. */
bool pod_ir_precision_named(const char *name, pod_precision *precision);

/* Adds a node with one result by `rewrite`, or returns a value that is the same. */
pod_ref pod_ir_rewrite_emit(pod_rewriter *rewriter, pod_op op, const pod_ref *inputs, uint32_t input_count,
                            const pod_attributes *attributes, pod_dtype dtype, const pod_shape *shape);

/* Returns whether a value has the type of the subject's result. */
bool pod_ir_rewrite_has_type(const pod_subject *subject, pod_ref value);

/* Adds a node as it is, or returns the result of one that is the same. */
pod_ref pod_ir_rewrite_add(const pod_subject *subject);

/* Adds the constant of this shape with these elements, or (splat) whose every element is that one; copies them. */
pod_ref pod_ir_rewrite_constant(pod_rewriter *rewriter, pod_dtype dtype, const pod_shape *shape, bool splat,
                                const void *elements);

/* Each adds an op on a value by `rewrite`; POD_REF_NONE goes through. */
pod_ref pod_ir_rewrite_convert(pod_rewriter *rewriter, pod_ref value, pod_dtype dtype);
pod_ref pod_ir_rewrite_reshape(pod_rewriter *rewriter, pod_ref value, const pod_shape *shape);

/* Marks in live[] (false at first) the nodes that outputs, checks and prints depend on. */
void pod_ir_mark_live(const pod_ir *ir, bool *live);

/* Each returns a value that equals the node's, or POD_REF_NONE when it knows none. */
pod_ref pod_ir_simplify(const pod_subject *subject);
pod_ref pod_ir_lower_precision(const pod_subject *subject);
pod_ref pod_ir_fold_constants(const pod_subject *subject);
pod_ref pod_ir_find_common(const pod_subject *subject, uint64_t *hash);

/* The same of a select and of a sum whose operand is the gradient of a max pooling. */
pod_ref pod_ir_simplify_masked_pooling(const pod_subject *subject);
pod_ref pod_ir_simplify_pooled_sum(const pod_subject *subject);

/* The same of a sum of arrays of which some are 0 but for a part, and of a convolution or a kernel's gradient: see
 * simplify_pads.c. */
pod_ref pod_ir_simplify_padded_sum(const pod_subject *subject);
pod_ref pod_ir_simplify_padded_operand(const pod_subject *subject);

/* Returns whether a dot has the form [batch..., m, k] times [batch..., k, n] without batch axes of size 1. */
bool pod_ir_is_normal_dot(const pod_attributes *attributes, const pod_shape *left, const pod_shape *right);

/* A value that equals a dot's, by a dot of that form. */
pod_ref pod_ir_normalize_dot(const pod_subject *subject);

/* Enters a node of `to` into the table under its hash. */
bool pod_ir_enter_common(pod_rewriter *rewriter, uint32_t node, uint64_t hash);

#endif
