#ifndef POD_COMPILE_FUSION_H
#define POD_COMPILE_FUSION_H

/*
 * fusion - what is decided about the nodes of an ir before they become instructions: which of them share a loop, which
 * values are stored. fuse.c decides; what is here reads it.
 */

#include "ir/views.h"
#include "kernels/kernels.h"

#define POD_NO_LOOP UINT32_MAX
#define POD_NO_NODE UINT32_MAX

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
typedef struct pod_fused_loop {
    uint32_t stage;
    int64_t elements;
    int64_t rows;                  /* 0: not settled */
    uint32_t product;              /* node, or POD_NO_NODE */
    uint32_t first_node;           /* the earliest */
    uint32_t nodes, folds, leaves; /* counts, bounded */
    bool refuses_folds;            /* a product of several batches: its rows are not those of a partial */
    bool needs_rows;               /* folds that take whole rows, which tiles of a product are not */
} pod_fused_loop;

typedef struct pod_fusion {
    const pod_ir *ir;
    pod_arena *arena;
    const pod_kernels *kernels;
    pod_role *roles;    /* of each node */
    uint32_t *stages;   /* of each node */
    uint32_t *loop_of;  /* of each node: its loop, or POD_NO_LOOP */
    pod_view *views;    /* of each value */
    bool *stored;       /* of each value: it has memory of its own */
    bool *recomputed;   /* of each value: loops that read it compute it themselves, see recompute.c */
    uint32_t *pooled;   /* of each value: the max pooling that reads it, or POD_NO_NODE */
    uint32_t *poolings; /* of each node: the max pooling whose positions it reads, or POD_NO_NODE */
    bool *positions;    /* of each node: a max pooling that tells where its maxima are */
    pod_fused_loop *loops;
    uint32_t *parents; /* of each loop: sets of those that are one, see base/sets.h */
    uint32_t loop_count, loop_room, parent_room;
    uint32_t meeting; /* the stage of the last node in which ranks meet: they do in the order of nodes */
    bool no_fusion;
    bool predicts; /* see pod_lowering */
    bool failed;   /* no memory */
} pod_fusion;

/* The loop that a node is in, after unions. */
uint32_t pod_compile_loop_of_node(const pod_fusion *fusion, uint32_t node);

/* The value that is read where this one is: checks and prints give their operand, and have no memory of their own. */
pod_ref pod_compile_passed_on(const pod_ir *ir, pod_ref value);

/* Returns whether what a view sees is made where it is used: it has no memory there. */
bool pod_compile_is_generated(const pod_fusion *fusion, const pod_view *view);

/* Returns whether a loop over `elements` can have in a register what a view sees. */
bool pod_compile_can_join(const pod_fusion *fusion, const pod_view *view, int64_t elements);

/* The loop in which a value is a register of one element a row; POD_NO_LOOP for other values. */
uint32_t pod_compile_row_loop(const pod_fusion *fusion, pod_ref value);

/* Returns whether a value is one element for each row of the loop that makes it, and stays in a register there. */
bool pod_compile_is_row_value(const pod_fusion *fusion, pod_ref value);

/* Returns whether a loop over `elements` can spread a value of its rows over their columns to see this view. */
bool pod_compile_can_spread(const pod_fusion *fusion, const pod_view *view, int64_t elements);

/* Returns whether a node finds what a view sees in a register of its own loop. */
bool pod_compile_reads_register(const pod_fusion *fusion, uint32_t node, const pod_view *view);

#endif
