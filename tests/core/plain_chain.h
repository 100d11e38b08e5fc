#ifndef POD_TESTS_PLAIN_CHAIN_H
#define POD_TESTS_PLAIN_CHAIN_H

/*
 * plain_chain - what kernels/chains.h promises, by the block functions of the family that plain_kernels names: what
 * a family's
 * chains are held to, and what runs loops in chains where a family has none.
 */

#include "kernels/kernels.h"
#include "test.h"

/* The widest row of which a sum is made. */
#define PLAIN_CHAIN_COLUMNS 2048

static const pod_kernels *plain_kernels;

/* A piece of a row: y, the operand at hand, and what the row's sum takes, of the whole row. */
typedef struct plain_piece {
    int64_t column, width;
    float y[POD_CHAIN_NEAR_LANES], x[POD_CHAIN_NEAR_LANES];
    float *summands;
} plain_piece;

static void plain_apply(pod_block_op op, float *to, const float *a, const float *b, int64_t count)
{
    plain_kernels->element[op][POD_CLASS_F32](to, a, b, NULL, (size_t)count);
}

/* Where the elements of a step's operand are. */
static char *plain_place(const pod_chain_step *step, int64_t row, int64_t column)
{
    static const int64_t sizes[] = {
        [POD_CHAIN_F32] = 4, [POD_CHAIN_BF16] = 2, [POD_CHAIN_ROW] = 0, [POD_CHAIN_NEAR] = 0, [POD_CHAIN_BYTES] = 1};
    return step->at ? step->at + row * step->row_bytes + column * sizes[step->operand] : NULL;
}

static void plain_read(plain_piece *p, const pod_chain_step *step, const char *from)
{
    for (int64_t i = 0; step->operand == POD_CHAIN_ROW && i < p->width; i++)
        memcpy(&p->x[i], from, sizeof *p->x);
    if (step->operand != POD_CHAIN_ROW)
        plain_kernels->load[step->operand == POD_CHAIN_BF16 ? POD_BF16 : POD_F32](p->x, from, (size_t)p->width);
}

static void plain_step(plain_piece *p, const pod_chain_step *step, int64_t row)
{
    static const float zeros[POD_CHAIN_NEAR_LANES];
    int32_t chosen[POD_CHAIN_NEAR_LANES];
    const int64_t n = p->width;
    char *to = plain_place(step, row, p->column);
    if (step->operand == POD_CHAIN_NEAR && (uintptr_t)to % 64 != 0)
        abort(); /* what is near is read and written by vectors */
    float *y = p->y, *x = p->x;
    if (step->op < POD_CHAIN_OPERATIONS)
        plain_read(p, step, to);
    switch ((pod_chain_op)step->op) {
    case POD_CHAIN_LOAD:
        memcpy(y, x, (size_t)n * sizeof *y);
        break;
    case POD_CHAIN_ADD:
        plain_apply(POD_BLOCK_OP_ADD, y, y, x, n);
        break;
    case POD_CHAIN_SUBTRACT:
        plain_apply(POD_BLOCK_OP_SUBTRACT, y, y, x, n);
        break;
    case POD_CHAIN_SUBTRACT_FROM:
        plain_apply(POD_BLOCK_OP_SUBTRACT, y, x, y, n);
        break;
    case POD_CHAIN_MULTIPLY:
        plain_apply(POD_BLOCK_OP_MULTIPLY, y, y, x, n);
        break;
    case POD_CHAIN_SUM:
        memcpy(p->summands + p->column, y, (size_t)n * sizeof *y);
        break;
    case POD_CHAIN_SUM_PRODUCTS:
        plain_apply(POD_BLOCK_OP_MULTIPLY, p->summands + p->column, y, x, n);
        break;
    case POD_CHAIN_SUM_SQUARES:
        plain_apply(POD_BLOCK_OP_MULTIPLY, p->summands + p->column, y, y, n);
        break;
    case POD_CHAIN_SQUARE:
        plain_apply(POD_BLOCK_OP_MULTIPLY, y, y, y, n);
        break;
    case POD_CHAIN_NEGATE:
        plain_apply(POD_BLOCK_OP_NEGATE, y, y, NULL, n);
        break;
    case POD_CHAIN_POSITIVE:
        plain_apply(POD_BLOCK_OP_MAXIMUM, y, y, zeros, n);
        break;
    case POD_CHAIN_WHERE_POSITIVE:
        plain_kernels->element[POD_BLOCK_OP_GT][POD_CLASS_F32](chosen, x, zeros, NULL, (size_t)n);
        plain_kernels->element[POD_BLOCK_OP_SELECT][POD_CLASS_F32](y, chosen, y, zeros, (size_t)n);
        break;
    case POD_CHAIN_WHERE:
        plain_kernels->load[POD_BOOL](chosen, to, (size_t)n);
        plain_kernels->element[POD_BLOCK_OP_SELECT][POD_CLASS_F32](y, chosen, y, zeros, (size_t)n);
        break;
    case POD_CHAIN_ROUND:
        plain_apply(POD_BLOCK_OP_ROUND_BF16, y, y, NULL, n);
        break;
    case POD_CHAIN_STORE_F32:
        memcpy(to, y, (size_t)n * sizeof *y);
        break;
    case POD_CHAIN_STORE_BF16:
        plain_kernels->store[POD_BF16](to, y, (size_t)n);
        break;
    case POD_CHAIN_SUM_COLUMNS:
        if (row == 0 && step->first)
            memcpy(to, y, (size_t)n * sizeof *y);
        else
            plain_apply(POD_BLOCK_OP_ADD, (float *)to, (float *)to, y, n);
        break;
    }
}

static void plain_rows(const pod_chain *chain)
{
    if ((chain->sums && chain->columns > PLAIN_CHAIN_COLUMNS) || chain->columns % POD_CHAIN_LANES != 0)
        abort(); /* by any thread, so no check of a test */
    for (int64_t row = 0; row < chain->rows; row++) {
        float summands[PLAIN_CHAIN_COLUMNS];
        plain_piece piece = {.summands = summands};
        for (; piece.column < chain->columns; piece.column += piece.width) {
            const int64_t rest = chain->columns - piece.column;
            piece.width = rest < POD_CHAIN_NEAR_LANES ? rest : POD_CHAIN_NEAR_LANES;
            for (int32_t i = 0; i < chain->count; i++)
                plain_step(&piece, &chain->steps[i], row);
        }
        if (!chain->sums)
            continue;
        chain->sums[row] = 0;
        plain_kernels->fold[POD_FOLD_SUM][POD_CLASS_F32](&chain->sums[row], summands, (size_t)chain->columns);
    }
}

/* Several narrow rows that lie one behind the other, as those rows; what is the same for all rows is repeated for
 * the chain, and
 * what is near begins anew with each. */
static void plain_narrow_rows(const pod_chain *chain)
{
    const int64_t together = chain->columns / chain->narrow;
    pod_chain_step steps[POD_CHAIN_STEPS];
    for (int32_t i = 0; i < chain->count; i++) {
        steps[i] = chain->steps[i];
        steps[i].row_bytes /= together;
    }
    plain_rows(
        &(pod_chain){.rows = chain->rows * together, .columns = chain->narrow, .count = chain->count, .steps = steps});
}

/* The same as a family's chains do, a step at a time. */
static void plain_chain(const pod_chain *chain)
{
    if (chain->narrow)
        plain_narrow_rows(chain);
    else
        plain_rows(chain);
}

#endif
