#ifndef POD_PROGRAM_LOOP_H
#define POD_PROGRAM_LOOP_H

/*
 * loop - a fused loop as the engine runs it: straight-line code over block registers, run for one block
 * of rows x columns after another. compile/lower_loop.c makes it, engine/run_loop.c runs it.
 *
 * A block is some whole rows, or a part of one row when rows are long; or, after a matrix product, a
 * part of its tile. In each block: loads, steps in order, then folds and stores. So a loop may store
 * into memory that it loads from at the same elements. After every POD_PACK_UNIT rows what they
 * stored is packed, where a product wants it so.
 */

#include "kernels/kernels.h"

/* How element (row, column) of a load is found */
typedef enum pod_access {
    POD_ACCESS_DENSE,   /* at row * columns + column */
    POD_ACCESS_SCALAR,  /* always the same element */
    POD_ACCESS_ROW,     /* one for each row, over its columns */
    POD_ACCESS_ROWS,    /* one for each row, by itself: for steps on rows */
    POD_ACCESS_COLUMN,  /* one for each column */
    POD_ACCESS_STRIDED, /* by the strides of a view */
    POD_ACCESS_COUNT,   /* the offset itself, not what lies there: iota */
    POD_ACCESS_TILE,    /* of the product that the loop follows */
    POD_ACCESS_RANDOM   /* random bits, by the element's number */
} pod_access;

/* Fills a register. Strides and offset are in elements of the slot's type. */
typedef struct pod_loop_load {
    pod_access access;
    uint32_t slot; /* UINT32_MAX: `element` holds the value; not for TILE and COUNT */
    uint32_t result;
    uint32_t at;     /* the step before which it is done */
    pod_dtype dtype; /* as stored */
    uint64_t element;
    int64_t offset;
    pod_shape shape; /* of STRIDED and COUNT: row-major over rows * columns */
    int64_t strides[POD_MAX_RANK];
    uint64_t seed;        /* of RANDOM */
    int64_t row_elements; /* of RANDOM: elements of a row of the tensor */
    bool once;            /* the register keeps for all blocks of a chunk */
    bool in_memory;       /* for Adam alone: the register points to the rows where they lie */
} pod_loop_load;

/* The stride of the rows of what a step reads or writes. */
typedef enum pod_row_stride {
    POD_ROWS_OF_BLOCK, /* one behind the other: a register */
    POD_ROWS_OF_LOOP,  /* in memory, as far as the loop has columns */
    POD_ROWS_OF_TILE,
    POD_ROWS_KINDS
} pod_row_stride;

/* Keras' Adam, by pod_kernels.adam. Operands are weight, m, v, gradient and alpha, which is one element; results are
 * the new weight, m and v. */
typedef struct pod_loop_adam {
    uint32_t operands[5], results[3];
    pod_row_stride rows[4]; /* of operands: those that no other step reads stay where they lie */
    uint32_t slots[3];      /* of results: where they are stored at once; UINT32_MAX: in a register */
    float rest_1, rest_2, epsilon;
} pod_loop_adam;

/* What a step works on. Steps on rows stand in loops whose blocks are whole rows: a register then has one
 * element for each. */
typedef enum pod_step_kind {
    POD_STEP_BLOCK,  /* elements of the block: registers[result] = function(registers[a], ...) */
    POD_STEP_ROWS,   /* the same, on one element a row */
    POD_STEP_FOLD,   /* each row of a, or of a * b, is folded into an element of the result */
    POD_STEP_SPREAD, /* each element of a is repeated over the columns of its row */
    POD_STEP_BY_ROW, /* as BLOCK, but b has one element a row: by pod_kernels.by_row. In all loops */
    POD_STEP_ADAM,   /* Adam, on elements of the block */
    POD_STEP_KINDS
} pod_step_kind;

typedef struct pod_loop_step {
    pod_block_function function; /* NULL: ADAM, FOLD, SPREAD */
    uint32_t result, a, b, c;
    pod_step_kind kind;
    pod_fold fold;       /* of FOLD */
    pod_class class_;    /* of FOLD and SPREAD */
    pod_by_row by_row;   /* of BY_ROW */
    uint64_t first;      /* of FOLD: the element to begin with */
    pod_loop_adam *adam; /* of ADAM, else NULL */
} pod_loop_step;

typedef struct pod_loop_store {
    uint32_t slot, source; /* source UINT32_MAX: a step has stored it */
    pod_dtype dtype;
    bool by_rows; /* one element a row */
} pod_loop_store;

/* Folds a register over the `columns / inner` middle elements of each row into [rows, inner]
 * (by_rows), or over rows into a partial of `inner` elements of the class for each `partial_rows` rows:
 * inner is columns, or 1 to fold everything. */
typedef struct pod_loop_fold {
    uint32_t slot, source;
    pod_fold fold;
    pod_class class_;
    pod_dtype dtype; /* of the result */
    bool by_rows;
    int64_t inner, partial_rows;
    uint64_t first;   /* the element to begin with */
    uint64_t scratch; /* where the accumulator lies in the thread's scratch */
} pod_loop_fold;

/* Packs a matrix that the loop has stored, rows x columns, as the right operand of products. */
typedef struct pod_loop_pack {
    uint32_t slot, source;
    pod_dtype dtype; /* as stored */
    const pod_dot_kernels *kernels;
    bool turned; /* rows of the loop are columns of the operand */
    bool kept;   /* for the next step of the run: not done in the last */
} pod_loop_pack;

/* A loop whose result is a function of one byte: see byte_tables.c. */
typedef struct pod_byte_table {
    uint32_t from, to; /* slots */
    int64_t offset;    /* of the first byte */
    uint16_t entries[POD_LOOKUP_ENTRIES];
} pod_byte_table;

/* Bytes of scratch in which elements are gathered and converted. */
#define POD_LOOP_STAGING (POD_BLOCK * 16)

typedef struct pod_loop {
    int64_t rows, columns;
    int64_t block; /* elements of a block at most */
    uint32_t register_count;
    uint32_t register_bytes; /* of each register */
    uint32_t load_count, step_count, store_count, fold_count;
    pod_loop_load *loads;
    pod_loop_step *steps;
    pod_loop_store *stores;
    pod_loop_fold *folds;
    uint32_t pack_count; /* with packs, rows are taken from multiples of POD_PACK_UNIT on, or as tiles come */
    pod_loop_pack *packs;
    uint64_t scratch_bytes;
    /* What it can be run as besides block by block, found when the program is made or loaded; NULL: not that. See
     * loop_plans.h. */
    const struct pod_byte_table *table;
    const struct pod_loop_finish *finish;
    const struct pod_loop_chains *chains;
} pod_loop;

/* The end of the rows from `row` on, before `end`, that belong to one partial of each fold over rows. */
int64_t pod_program_partial_end(const pod_loop *loop, int64_t row, int64_t end);

#endif
