#ifndef POD_PROGRAM_CHAIN_PLAN_H
#define POD_PROGRAM_CHAIN_PLAN_H

/* chain_plan - what read_chains.c makes of a loop and write_chains.c makes chains of: values and operations on them. */

#include "program/loop_plans.h"

#define POD_CHAIN_ACTIONS   96
#define POD_CHAIN_REGISTERS 64

/* Holds what a chain does: result = op(a, b), or a fold of rows. */
typedef struct pod_chain_action {
    pod_chain_op op;
    uint8_t result, a, b; /* values; b may be POD_NO_VALUE */
    uint8_t chain;
} pod_chain_action;

typedef struct pod_chain_plan {
    const pod_kernels *kernels;
    const pod_loop *loop;
    bool tile;                            /* runs on tiles of a product */
    int64_t columns, split;               /* see pod_loop_chains */
    int64_t scratch_left;                 /* bytes */
    uint8_t current[POD_CHAIN_REGISTERS]; /* the value that a register has */
    pod_chain_value values[POD_CHAIN_VALUES];
    pod_chain_action actions[POD_CHAIN_ACTIONS];
    pod_row_action row_actions[POD_CHAIN_VALUES];
    uint8_t value_count, chain; /* chain: the one at hand, in the end the last */
    int action_count, row_action_count;
    uint8_t sums[POD_CHAINS];            /* the value that a chain's fold of rows makes */
    uint8_t column_sums[POD_CHAIN_ENDS]; /* of a fold: what is added */
    pod_planned_step steps[POD_CHAINS][POD_CHAIN_STEPS];
    int32_t step_counts[POD_CHAINS];
} pod_chain_plan;

/* Reads the loop of a plan, whose fields up to `scratch_left` are set; false: it is none for chains. */
bool pod_program_read_chains(pod_chain_plan *plan);

#endif
