#ifndef POD_KERNELS_CHAINS_H
#define POD_KERNELS_CHAINS_H

/*
 * chains - steps of a loop done one behind the other on a few columns of a row, which stay in registers between them:
 * so what lies between two sums over rows of a normalisation, its gradient or a residual net is one pass. The bits are
 * those of block functions one by one (blocks.h), folds of rows included.
 */

#include <stdbool.h>
#include <stdint.h>

/* Columns of a chain are a multiple. */
#define POD_CHAIN_LANES 16

/* Columns that are taken together at most, and elements that NEAR operands have room for. */
#define POD_CHAIN_NEAR_LANES 256

/* The most steps of a chain. */
#define POD_CHAIN_STEPS 48

/* What a step does with the value in registers, y, and with its operand, x. */
#define POD_CHAIN_OP_LIST(X)                                                                                           \
    X(LOAD)           /* y = x */                                                                                      \
    X(ADD)            /* y = y + x */                                                                                  \
    X(SUBTRACT)       /* y = y - x */                                                                                  \
    X(SUBTRACT_FROM)  /* y = x - y */                                                                                  \
    X(MULTIPLY)       /* y = y * x */                                                                                  \
    X(WHERE_POSITIVE) /* y = x > 0 ? y : 0 */                                                                          \
    X(SUM_PRODUCTS)   /* the row's sum takes y * x */

typedef enum pod_chain_op {
#define X(name) POD_CHAIN_##name,
    POD_CHAIN_OP_LIST(X)
#undef X
        POD_CHAIN_OPERATIONS,             /* those above have every operand */
    POD_CHAIN_SUM = POD_CHAIN_OPERATIONS, /* the row's sum takes y; no operand */
    POD_CHAIN_SUM_SQUARES,
    POD_CHAIN_SQUARE,
    POD_CHAIN_NEGATE,
    POD_CHAIN_POSITIVE,  /* y = max(y, 0) */
    POD_CHAIN_WHERE,     /* y = x ? y : 0, of bytes */
    POD_CHAIN_ROUND,     /* y is rounded to bf16 */
    POD_CHAIN_STORE_F32, /* y is stored where the operand is */
    POD_CHAIN_STORE_BF16,
    POD_CHAIN_SUM_COLUMNS, /* y is added to f32 where the operand is, for all rows the same, or stored at a first row */
} pod_chain_op;

/* Operands, by how the element of a row and column is found. */
typedef enum pod_chain_operand {
    POD_CHAIN_F32,   /* a matrix: at row * row_bytes + column * 4 */
    POD_CHAIN_BF16,  /* at row * row_bytes + column * 2 */
    POD_CHAIN_ROW,   /* one f32 for all columns, at row * row_bytes */
    POD_CHAIN_NEAR,  /* f32 of the columns at hand alone: kept and read again a few steps later */
    POD_CHAIN_BYTES, /* truth values, at row * row_bytes + column; of WHERE alone */
    POD_CHAIN_OPERANDS
} pod_chain_operand;

typedef struct pod_chain_step {
    uint8_t op, operand;
    bool first;        /* of SUM_COLUMNS: the first row of the call is the first of the sums */
    int64_t row_bytes; /* 0: the same for all rows */
    char *at;
} pod_chain_step;

typedef struct pod_chain {
    int64_t rows, columns;
    /* 0, or several rows of so many columns lie one behind the other as one: 16, 32, 64 or 128, of which 256 columns
     * are a multiple, and no step sums a row. SUM_COLUMNS then adds row after row. */
    int64_t narrow;
    int32_t count;
    const pod_chain_step *steps;
    float *sums; /* of rows, where a step makes them: each begins with 0, in the order of a fold */
} pod_chain;

typedef void (*pod_chain_function)(const pod_chain *chain);

/* Families with fewer registers have none. */
#if defined(__x86_64__)
void pod_kernel_chains_avx512(const pod_chain *chain);
#endif

#endif
