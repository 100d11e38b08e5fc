#ifndef POD_ENGINE_LOOP_CHAINS_H
#define POD_ENGINE_LOOP_CHAINS_H

/*
 * loop_chains - what read_chains.c makes of a loop and run_chains.c makes chains of (kernels/chains.h): values, which
 * are what a register holds from one step to another, and operations on them.
 */

#include "engine/run_loop.h"

#define POD_CHAIN_VALUES    64
#define POD_CHAIN_ACTIONS   96
#define POD_CHAINS          8
#define POD_CHAIN_REGISTERS 64
#define POD_NO_VALUE        UINT8_MAX

/* The most rows that are taken through all chains together. */
#define POD_CHAIN_ROWS 16

/* Operands of narrow loops that are the same for all rows, at most: they are repeated. */
#define POD_CHAIN_REPEATED 8

typedef enum pod_chain_value_kind {
    POD_VALUE_STORED,   /* lies in memory: `at`, of row 0 of the loop, or of any row */
    POD_VALUE_OF_ROW,   /* an element a row, or for all rows */
    POD_VALUE_MADE,     /* by an operation */
    POD_VALUE_POSITIVE, /* whether the value `of` is: only ever chosen by */
} pod_chain_value_kind;

typedef struct pod_chain_value {
    pod_chain_value_kind kind;
    pod_chain_operand operand; /* how it is read */
    char *at;
    int64_t row_bytes;
    bool of_block;    /* `at` is of the first row of those at hand */
    bool kept;        /* an operation reads it when it is not at hand any more */
    uint8_t chain;    /* MADE: that makes it; OF_ROW: the first before which it is there */
    bool whole;       /* kept for a later chain */
    bool zero;        /* the constant +0 */
    uint8_t of;       /* of POSITIVE */
    /* NULL: all rows lie row_bytes apart; else `period` do, and what the first row_dims of the view's dimensions tell
     * apart lies as its strides say. */
    const pod_loop_load *view;
    int32_t row_dims;
    int64_t period;
} pod_chain_value;

/* What a chain does: result = op(a, b), or a fold of rows. */
typedef struct pod_chain_action {
    pod_chain_op op;
    uint8_t result, a, b; /* values; b may be POD_NO_VALUE */
    uint8_t chain;
} pod_chain_action;

/* What is done on elements of rows before a chain. */
typedef struct pod_row_action {
    pod_block_function function;
    uint8_t result, operands[3];
} pod_row_action;

typedef struct pod_chain_plan {
    pod_worker *worker;
    const pod_kernels *kernels;
    const pod_loop *loop;
    const pod_result_tile *tile;
    const pod_rectangle *r;
    char *room, *room_end; /* that is left */
    uint8_t current[POD_CHAIN_REGISTERS]; /* the value that a register has */
    pod_chain_value values[POD_CHAIN_VALUES];
    pod_chain_action actions[POD_CHAIN_ACTIONS];
    pod_row_action row_actions[POD_CHAIN_VALUES];
    uint8_t value_count, chain; /* chain: the one at hand, in the end the last */
    int action_count, row_action_count;
    uint8_t sums[POD_CHAINS]; /* the value that a chain's fold of rows makes */
    uint8_t column_sums[POD_CHAIN_VALUES]; /* of a fold: what is added */
    pod_chain_step steps[POD_CHAINS][POD_CHAIN_STEPS];
    uint8_t sources[POD_CHAINS][POD_CHAIN_STEPS]; /* the value that an operand belongs to, or POD_NO_VALUE */
    int32_t step_counts[POD_CHAINS];
    int64_t width, rows; /* rows: at a time */
    /* Of a row: the loop's, or, where `split` of them follow each other in a row of the loop, the inner. */
    int64_t columns;
    int64_t split;       /* ones of its folds; else 1 */
    int64_t narrow;      /* rows that a chain takes as one; 1: none */
    uint8_t repeated_count, repeated[POD_CHAIN_VALUES]; /* which repeated operand a value is, or POD_NO_VALUE */
    const char *repeated_from[POD_CHAIN_REPEATED];
    _Alignas(64) char repeats[POD_CHAIN_REPEATED][POD_CHAIN_NEAR_LANES * sizeof(float)];
} pod_chain_plan;

/* Room for something of the plan's, 64-aligned; NULL: there is no more. */
char *pod_chain_take_room(pod_chain_plan *plan, int64_t bytes);

/* Reads the loop of a plan, whose fields up to `room_end` are set; false: it is none for chains. */
bool pod_read_chains(pod_chain_plan *plan);

#endif
