#ifndef POD_COMPILE_NODE_KINDS_H
#define POD_COMPILE_NODE_KINDS_H

/*
 * node_kinds - what computes a node: a function of blocks or a fold (elements.c), the products of the table, or a
 * kernel that takes a call or a convolution whole (kernel_nodes.c).
 */

#include "ir/ir.h"
#include "kernels/kernels.h"

/* How a reduction sees its operand: kept, reduced, kept. */
typedef struct pod_reduction_split {
    int64_t rows, columns, inner; /* rows is 0 when the axes lie otherwise */
} pod_reduction_split;

/* That of a reduction whose operand has elements. */
pod_reduction_split pod_compile_reduction_split(const pod_ir *ir, const pod_ir_node *node);

/* The function of a block that computes an elementwise node; false when there is none. */
bool pod_compile_element_of(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels,
                            pod_block_op *element, pod_class *class_);

/* The same of a call of a composite that is one function of blocks, of f32 or a narrower type `dtype`. */
bool pod_compile_element_of_call(const pod_attributes *attributes, uint32_t inputs, pod_dtype dtype,
                                 pod_block_op *element);

/* The fold of a reduction; false when it is none of the table's. */
bool pod_compile_fold_of(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels, pod_fold *fold);

/* Returns whether a dot is computed by the products of the table. */
bool pod_compile_is_product(const pod_ir *ir, const pod_ir_node *node);

/* A constant of one repeated value that has more bytes is filled in by a loop or an instruction, and no literal. */
#define POD_LITERAL_BYTES 4096

/* Calls that instructions of their own take: see lower_call.c. */
#define POD_CALL_LOSS     "sparse_softmax_cross_entropy"
#define POD_CALL_GRADIENT "sparse_softmax_cross_entropy_gradient"

/* Returns whether a node is a call of that composite. */
bool pod_compile_is_call_of(const pod_ir_node *node, const char *name);

/* Returns whether a node is the call of Adam that a kernel takes whole. */
bool pod_compile_is_adam(const pod_ir_node *node);

/* Returns whether a convolution or gradient of one is computed by the products of the table, or, where a program
 * `predicts`, by what else hands its tiles to a loop: depthwise ones. In training folds of rows follow those, which
 * have loops of their own. */
bool pod_compile_is_convolution(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels, bool predicts);

/* Returns whether the tiles of its result come with rows in order. */
bool pod_compile_convolution_in_order(const pod_ir_node *node, const pod_shape *result);

/* Returns whether a kernel takes a call whole, so that its body is not inlined. For pod_ir_import(). */
bool pod_compile_keep_call(const pod_node *call, pod_precision precision);

#endif
