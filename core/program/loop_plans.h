#ifndef POD_PROGRAM_LOOP_PLANS_H
#define POD_PROGRAM_LOOP_PLANS_H

/*
 * loop_plans - what a loop can be run as besides block by block: the kernel behind products (kernels/finish.h), and
 * chains (kernels/chains.h). See find_finish.c, read_chains.c, write_chains.c.
 *
 * Plans are made at one place, pod_program_finish(), which a program goes through once, when it was compiled: no run
 * makes any.
 */

#include "base/arena.h"
#include "kernels/chains.h"
#include "kernels/finish.h"
#include "program/instructions.h"

/* ---- the kernel behind products ------------------------------------------------------------------------- */

/* Holds what a loop does to a tile, in this order. NULL: nothing of the kind. */
typedef struct pod_loop_finish {
    const pod_loop_load *tile, *bias, *scale, *shift, *add, *mask, *slope_at;
    bool relu, gelu;
    float most;
    pod_finish_rounding rounds;
    const pod_loop_fold *fold;
    const pod_loop_store *store, *before; /* before: of what gelu is taken of */
} pod_loop_finish;

/* Returns whether a loop does no more than that kernel; then *finish says what. */
bool pod_program_find_finish(const pod_kernels *kernels, const pod_loop *loop, pod_loop_finish *finish);

/* ---- chains --------------------------------------------------------------------------------------------- */

#define POD_CHAIN_VALUES 64
#define POD_CHAINS       8
#define POD_CHAIN_ENDS   8 /* folds, and stores */
#define POD_NO_VALUE     UINT8_MAX

/* The most rows that are taken through all chains together. */
#define POD_CHAIN_ROWS 16

typedef enum pod_chain_value_kind {
    POD_VALUE_STORED,   /* lies in memory */
    POD_VALUE_OF_ROW,   /* an element a row, or for all rows */
    POD_VALUE_MADE,     /* by an operation */
    POD_VALUE_POSITIVE, /* whether the value `of` is: only ever chosen by */
} pod_chain_value_kind;

/* Holds what a register holds from one step to another. */
typedef struct pod_chain_value {
    pod_chain_value_kind kind;
    pod_chain_operand operand; /* how it is read */
    const pod_loop_load *load; /* where it lies; NULL: in the scratch of the loop */
    int64_t row_bytes;         /* 0: the same for all rows. Of a tile and of what is kept whole only known when run */
    bool of_block;             /* there is only that of the rows at hand */
    bool kept;                 /* an operation reads it when it is not at hand any more */
    bool whole;                /* kept for a later chain */
    bool zero;                 /* the constant +0 */
    uint8_t chain;             /* MADE: that makes it; OF_ROW: the first before which it is there */
    uint8_t of;                /* of POSITIVE */
    bool is_view; /* rows of `load` do not all lie row_bytes apart: `period` do, and what the first row_dims of its */
    int32_t row_dims; /* dimensions tell apart lies as its strides say */
    int64_t period;
} pod_chain_value;

/* Holds what is done on elements of rows before a chain. */
typedef struct pod_row_action {
    pod_block_function function;
    uint8_t result, operands[3];
} pod_row_action;

/* A step of a chain. Its operand is a value, or where a store or a fold (SUM_COLUMNS) of the loop puts what is made. */
typedef struct pod_planned_step {
    uint8_t op, operand;
    uint8_t source; /* the value, or POD_NO_VALUE */
    uint8_t end;    /* the store or fold, where there is no value */
} pod_planned_step;

typedef struct pod_planned_chain {
    const pod_planned_step *steps;
    int32_t count;
    uint8_t sums; /* the value that its fold of rows makes, or POD_NO_VALUE */
} pod_planned_chain;

typedef struct pod_loop_chains {
    const pod_chain_value *values;
    const pod_row_action *row_actions;
    int32_t value_count, row_action_count;
    uint8_t last; /* chain */
    /* Of a row: the loop's, or, where `split` of them follow each other in a row of the loop, the inner ones of its
     * folds; else split is 1. */
    int64_t columns, split;
    uint8_t store_sources[POD_CHAIN_ENDS]; /* the value that a store takes */
    pod_planned_chain chains[POD_CHAINS];
} pod_loop_chains;

/* Finds the chains of a loop that runs by itself, or on tiles. False when there is no memory; *chains stays NULL for a
 * loop that is none. */
bool pod_program_plan_chains(const pod_kernels *kernels, const pod_loop *loop, bool tile, pod_arena *memory,
                             const pod_loop_chains **chains);

#endif
