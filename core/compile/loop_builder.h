#ifndef POD_COMPILE_LOOP_BUILDER_H
#define POD_COMPILE_LOOP_BUILDER_H

/*
 * loop_builder - the code of a loop while it is made. Virtual registers are numbered in the order of their making. A
 * function here that has no memory sets `failed`.
 */

#include "compile/lower.h"

#define POD_NO_REGISTER UINT32_MAX
#define POD_UNROUNDED   (UINT32_MAX - 1) /* of rounded_of: what readers want is yet to be rounded */

typedef struct pod_loop_builder {
    pod_lowered *function;
    const pod_fusion *fusion;
    uint32_t number; /* of the loop */
    pod_loop *loop;
    uint32_t loads, steps, stores, folds, seen_room; /* room */
    const uint32_t *members;                         /* nodes of the loop, in order */
    uint32_t member_count;
    uint32_t *register_of; /* of each value of the ir: POD_NO_REGISTER at first */
    uint32_t *rounded_of;  /* of each value: the register that has it rounded; POD_NO_REGISTER: register_of has it */
    pod_ref *seen;         /* values that were loaded */
    uint32_t seen_count;
    uint32_t registers;
    uint32_t product; /* node whose tile is loaded, or POD_NO_NODE */
    bool *live;       /* of each member: something outside needs it, or a live member */
    bool *read;       /* of each member: a live member reads its register */
    bool wide;        /* some register has 8-byte elements */
    bool failed;
} pod_loop_builder;

/* The number of a new register. */
uint32_t pod_compile_builder_register(pod_loop_builder *b, pod_class class_);

/* Makes room for one more in one of the lists of the loop. */
void *pod_compile_builder_more(pod_loop_builder *b, void *list, uint32_t count, uint32_t *room, size_t size);

/* Each adds a load and returns its register: as it is given, of a scalar, of a value from where its base lies. */
uint32_t pod_compile_builder_load(pod_loop_builder *b, const pod_loop_load *load);
uint32_t pod_compile_builder_scalar(pod_loop_builder *b, pod_dtype dtype, double value);
uint32_t pod_compile_builder_view(pod_loop_builder *b, const pod_view *view);

/* Each adds a step and returns the register of its result. */
uint32_t pod_compile_builder_step(pod_loop_builder *b, pod_block_function function, pod_class result, uint32_t x,
                                  uint32_t y, uint32_t z);
uint32_t pod_compile_builder_element(pod_loop_builder *b, pod_block_op element, pod_class class_, uint32_t x,
                                     uint32_t y, uint32_t z);

/* Says that a value was computed here, so that it is to be rounded for its readers unless it is wide. */
void pod_compile_builder_computed(pod_loop_builder *b, pod_ref value);

/* Returns whether register_of[value] may hold more than its 16 bits. */
bool pod_compile_builder_is_unrounded(const pod_loop_builder *b, pod_ref value);

/* The register that has what readers of a value want: it is rounded now, if nobody did before. `rows`: it has one
 * element a row. */
uint32_t pod_compile_builder_rounded(pod_loop_builder *b, pod_ref value, bool rows);

#endif
