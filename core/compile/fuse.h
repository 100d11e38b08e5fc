#ifndef POD_COMPILE_FUSE_H
#define POD_COMPILE_FUSE_H

/*
 * fuse - decides which nodes run in one loop.
 *
 * Every node has a stage: one more than its operands', except that an elementwise node (or a reduction
 * of one) stays in the stage of operands whose loop it can join. So what lies between two nodes of one
 * stage is in their loop or nowhere, and loops never wait for each other in a circle. A loop may begin
 * with one matrix product, whose tiles it takes while they are in cache.
 *
 * Where rows fit a block, what a loop has folded of a row is there for the steps behind: mean, variance
 * and what they normalise are one loop.
 *
 * Loops run over `rows` x `columns` elements, counted row-major; which shape they have does not matter,
 * so reshapes cost nothing.
 */

#include "ir/views.h"
#include "kernels/kernels.h"

#define POD_NO_GROUP UINT32_MAX

typedef enum pod_role {
    POD_ROLE_NONE,      /* dead */
    POD_ROLE_LEAF,      /* parameters and literals: stored before the function begins */
    POD_ROLE_VIEW,      /* seen through: see views.h */
    POD_ROLE_ALIAS,     /* lies where its operand lies, which is stored */
    POD_ROLE_ELEMENT,   /* a step of a loop */
    POD_ROLE_ROW,       /* a step of a loop that folds rows: on one element for each */
    POD_ROLE_COPY,      /* a view that is stored after all, by a loop of its own */
    POD_ROLE_REDUCTION, /* a fold of a loop */
    POD_ROLE_PRODUCT,   /* a matrix product, which begins a loop */
    POD_ROLE_SINGLE     /* an instruction of its own */
} pod_role;

typedef enum pod_fold_shape {
    POD_FOLD_INNER,  /* [rows, columns, inner] -> [rows, inner] */
    POD_FOLD_COLUMNS /* [rows, columns] -> [columns]; columns 1: everything */
} pod_fold_shape;

/* A loop that is being put together. */
typedef struct pod_loop_group {
    uint32_t stage;
    int64_t elements;
    int64_t rows;                  /* 0: not settled */
    uint32_t product;              /* node, or POD_NO_GROUP */
    uint32_t first_node;           /* the earliest */
    uint32_t nodes, folds, leaves; /* counts, bounded */
    bool refuses_folds;            /* a product of several batches: its rows are not the chunks of a fold */
    bool needs_rows;               /* folds that take whole rows, which tiles of a product are not */
} pod_loop_group;

typedef struct pod_fusion {
    const pod_ir *ir;
    pod_arena *arena;
    const pod_kernels *kernels;
    pod_role *roles;    /* of each node */
    uint32_t *stages;   /* of each node */
    uint32_t *groups;   /* of each node: its loop, or POD_NO_GROUP */
    pod_view *views;    /* of each value */
    bool *stored;       /* of each value: it has memory of its own */
    bool *recomputed;   /* of each value: loops that read it compute it themselves, see recompute.c */
    uint32_t *pooled;   /* of each value: the max pooling that reads it, or POD_NO_GROUP */
    uint32_t *poolings; /* of each node: the max pooling whose positions it reads, or POD_NO_GROUP */
    bool *positions;    /* of each node: a max pooling that tells where its maxima are */
    pod_loop_group *loops;
    uint32_t *parents; /* of each loop: sets of those that are one, see base/sets.h */
    uint32_t loop_count, loop_room, parent_room;
    bool no_fusion;
    bool failed; /* no memory */
} pod_fusion;

/* Decides for all nodes. Returns false when there is no memory. */
bool pod_fuse(pod_fusion *fusion, pod_arena *arena, const pod_ir *ir, const pod_kernels *kernels);

/* The loop that a node is in, after unions. */
uint32_t pod_fusion_group(const pod_fusion *fusion, uint32_t node);

/* Moves nodes to the loops that use them: see sink.c. False when there is no memory. */
bool pod_sink_nodes(pod_fusion *fusion);

/* Sets `recomputed` by what would be stored without: see recompute.c. False when there is no memory. */
bool pod_find_recomputed(pod_fusion *fusion);

/* Whether a node finds what a view sees in a register of its own loop. */
bool pod_reads_register(const pod_fusion *fusion, uint32_t node, const pod_view *view);

/* Whether a value is one element for each row of the loop that makes it, and stays in a register there. */
bool pod_is_row_value(const pod_fusion *fusion, pod_ref value);

/* Whether what a view sees is made where it is used: it has no memory there. */
bool pod_is_generated(const pod_fusion *fusion, const pod_view *view);

/* Whether a product can read operand `operand` by the strides of a view, whose base then has to be stored.
 * Else the operand itself has to be stored, and the view is dense. */
bool pod_product_operand(const pod_fusion *fusion, const pod_ir_node *node, uint32_t operand, pod_view *view);

/* How [rows, columns, inner] a reduction sees its operand: kept, reduced, kept; false when the axes lie
 * otherwise. */
bool pod_reduction_split(const pod_ir *ir, const pod_ir_node *node, int64_t *rows, int64_t *columns, int64_t *inner);

/* The function of a block that computes an elementwise node; false when there is none. */
bool pod_element_of(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels, pod_block_op *element,
                    pod_class *class_);

/* The same of a call of a composite that is one function of blocks, of f32 or a narrower type `dtype`. */
bool pod_element_of_call(const pod_attributes *attributes, uint32_t inputs, pod_dtype dtype, pod_block_op *element);

/* The fold of a reduction; false when it is none of the table's. */
bool pod_fold_of(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels, pod_fold *fold);

/* Whether a node is the call of Adam that a kernel takes whole. */
bool pod_is_adam(const pod_ir_node *node);

/* Whether a convolution or gradient of one is computed by the products of the table. */
bool pod_is_convolution(const pod_ir *ir, const pod_ir_node *node, const pod_kernels *kernels);

/* Whether the tiles of its result come with rows in order. */
bool pod_convolution_in_order(const pod_ir_node *node);

/* The max pooling (of those in fusion->pooled) that can tell the gradient of one where the maxima are, so
 * that x need not be kept; the node's number, or POD_NO_GROUP. */
uint32_t pod_find_pooling(const pod_fusion *fusion, const pod_ir_node *gradient);

/* Whether a dot is computed by the products of the table. */
bool pod_is_product(const pod_ir *ir, const pod_ir_node *node);

#endif
