/* chains - see chains.h: y is up to sixteen vectors, the row's sum four. */

#include "kernels/chains.h"

#include <immintrin.h>
#include <string.h>

#include "kernels/lanes.h"
#include "kernels/unroll.h"

#define SUMS 4 /* vectors: 64 lanes, as folds of blocks have them */

/* Vectors that are taken together at most. */
#define WIDE (POD_CHAIN_NEAR_LANES / 16)

#define CHAIN_INLINE static inline __attribute__((always_inline))

CHAIN_INLINE floats load_f32(const char *from, int i)
{
    floats x;
    memcpy(&x, from + i * 64, sizeof x);
    return x;
}

CHAIN_INLINE floats load_bf16(const char *from, int i)
{
    halves x;
    memcpy(&x, from + i * 32, sizeof x);
    return (floats)((words)_mm512_cvtepu16_epi32((__m256i)x) << 16);
}

CHAIN_INLINE floats load_row(const char *from)
{
    float x;
    memcpy(&x, from, sizeof x);
    return x - (floats){0};
}

/* y where a mask is, else 0. */
CHAIN_INLINE floats masked(__mmask16 mask, floats y)
{
    return (floats)_mm512_maskz_mov_ps(mask, (__m512)y);
}

CHAIN_INLINE __mmask16 is_true(const char *from, int i)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(from + i * 16));
    return _mm_test_epi8_mask(bytes, bytes);
}

CHAIN_INLINE __mmask16 is_positive(floats x)
{
    return _mm512_cmp_ps_mask((__m512)x, _mm512_setzero_ps(), _CMP_GT_OQ);
}

CHAIN_INLINE void store_f32(char *to, int i, floats y)
{
    memcpy(to + i * 64, &y, sizeof y);
}

CHAIN_INLINE void store_two_bf16(char *to, floats a, floats b)
{
    const double_halves both = narrow_two(a, b);
    memcpy(to, &both, sizeof both);
}

CHAIN_INLINE void store_bf16(char *to, floats a)
{
    const halves upper = narrow_one(a);
    memcpy(to, &upper, sizeof upper);
}

/* As a fold of blocks does: half onto half. */
CHAIN_INLINE float fold_lanes(const floats sums[SUMS])
{
    typedef float eight __attribute__((vector_size(32)));
    typedef float four __attribute__((vector_size(16)));
    const floats sixteen = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    const eight lanes_8 = __builtin_shufflevector(sixteen, sixteen, 0, 1, 2, 3, 4, 5, 6, 7) +
                          __builtin_shufflevector(sixteen, sixteen, 8, 9, 10, 11, 12, 13, 14, 15);
    const four lanes_4 =
        __builtin_shufflevector(lanes_8, lanes_8, 0, 1, 2, 3) + __builtin_shufflevector(lanes_8, lanes_8, 4, 5, 6, 7);
    const four lanes_2 = lanes_4 + __builtin_shufflevector(lanes_4, lanes_4, 2, 3, 2, 3);
    return 0.0f + (lanes_2[0] + lanes_2[1]);
}

#define EACH POD_UNROLL (16, int i = 0; i < vectors; i++)

/* An operation with each of its operands; x stands for the operand's vector. */
#define CASES(name, statement)                                                                                         \
    case POD_CHAIN_##name *POD_CHAIN_OPERANDS + POD_CHAIN_F32:                                                         \
        EACH                                                                                                           \
        {                                                                                                              \
            const floats x = load_f32(p + column * 4, i);                                                              \
            statement;                                                                                                 \
        }                                                                                                              \
        break;                                                                                                         \
    case POD_CHAIN_##name *POD_CHAIN_OPERANDS + POD_CHAIN_BF16:                                                        \
        EACH                                                                                                           \
        {                                                                                                              \
            const floats x = load_bf16(p + column * 2, i);                                                             \
            statement;                                                                                                 \
        }                                                                                                              \
        break;                                                                                                         \
    case POD_CHAIN_##name *POD_CHAIN_OPERANDS + POD_CHAIN_ROW:                                                         \
        EACH                                                                                                           \
        {                                                                                                              \
            const floats x = load_row(p);                                                                              \
            statement;                                                                                                 \
        }                                                                                                              \
        break;                                                                                                         \
    case POD_CHAIN_##name *POD_CHAIN_OPERANDS + POD_CHAIN_NEAR:                                                        \
        EACH                                                                                                           \
        {                                                                                                              \
            const floats x = load_f32(p, i);                                                                           \
            statement;                                                                                                 \
        }                                                                                                              \
        break;

/* A step without operand, or with a sort of its own: by the smallest number it has. */
#define ALONE(name) case POD_CHAIN_##name *POD_CHAIN_OPERANDS

/* Adds vectors to the sums of columns at p, which repeat after `period` of them; they begin with the first. */
CHAIN_INLINE void sum_columns(char *p, const floats *y, int vectors, int period, bool first)
{
    POD_UNROLL (16, int j = 0; j < period; j++) {
        floats sum = first ? y[j] : load_f32(p, j) + y[j];
        POD_UNROLL (16, int i = j + period; i < vectors; i += period)
            sum += y[i];
        store_f32(p, j, sum);
    }
}

/* Columns column .. column + 16 * vectors - 1 of a row. */
CHAIN_INLINE void run_columns(const pod_chain *chain, int64_t row, int64_t column, int vectors, floats sums[SUMS])
{
    const pod_chain_step *steps = chain->steps;
    const int32_t count = chain->count;
    floats y[WIDE];
    EACH y[i] = (floats){0};
    for (const pod_chain_step *step = steps; step < steps + count; step++) {
        char *p = step->at + row * step->row_bytes;
        switch (step->op * POD_CHAIN_OPERANDS + step->operand) {
            CASES(LOAD, y[i] = x)
            CASES(ADD, y[i] += x)
            CASES(SUBTRACT, y[i] -= x)
            CASES(SUBTRACT_FROM, y[i] = x - y[i])
            CASES(MULTIPLY, y[i] *= x)
            CASES(WHERE_POSITIVE, y[i] = masked(is_positive(x), y[i]))
            CASES(SUM_PRODUCTS, sums[i % SUMS] += y[i] * x)
            ALONE(SUM) : EACH sums[i % SUMS] += y[i];
            break;
            ALONE(SUM_SQUARES) : EACH sums[i % SUMS] += y[i] * y[i];
            break;
            ALONE(SQUARE) : EACH y[i] *= y[i];
            break;
            ALONE(NEGATE) : EACH y[i] = -y[i];
            break;
            ALONE(POSITIVE) : EACH y[i] = positive(y[i]);
            break;
            ALONE(WHERE) + POD_CHAIN_BYTES : EACH y[i] = masked(is_true(p + column, i), y[i]);
            break;
            ALONE(ROUND) : EACH y[i] = (floats)(round_to_bf16(y[i]) & 0xFFFF0000u);
            break;
            ALONE(STORE_F32) + POD_CHAIN_F32 : EACH store_f32(p + column * 4, i, y[i]);
            break;
            ALONE(STORE_F32) + POD_CHAIN_NEAR : EACH store_f32(p, i, y[i]);
            break;
            ALONE(STORE_BF16) + POD_CHAIN_BF16 : POD_UNROLL (8, int i = 0; i + 1 < vectors; i += 2)
                                                     store_two_bf16(p + column * 2 + i * 32, y[i], y[i + 1]);
            if (vectors % 2 != 0)
                store_bf16(p + column * 2 + (vectors - 1) * 32, y[vectors - 1]);
            break;
            ALONE(SUM_COLUMNS) + POD_CHAIN_F32
                : if (vectors < WIDE || chain->narrow == 0)
                      sum_columns(p + column * 4, y, vectors, vectors, row == 0 && step->first);
            else if (chain->narrow == 16) sum_columns(p, y, WIDE, 1, row == 0 && step->first);
            else if (chain->narrow == 32) sum_columns(p, y, WIDE, 2, row == 0 && step->first);
            else if (chain->narrow == 64) sum_columns(p, y, WIDE, 4, row == 0 && step->first);
            else sum_columns(p, y, WIDE, 8, row == 0 && step->first);
            break;
        default:
            __builtin_unreachable();
        }
    }
}

void pod_kernel_chains_avx512(const pod_chain *chain)
{
    const int64_t rows = chain->rows, columns = chain->columns;
    float *row_sums = chain->sums;
    for (int64_t row = 0; row < rows; row++) {
        floats sums[SUMS];
        POD_UNROLL (4, int i = 0; i < SUMS; i++)
            sums[i] = -(floats){0};
        int64_t column = 0;
        for (; column + WIDE * 16 <= columns; column += WIDE * 16)
            run_columns(chain, row, column, WIDE, sums);
        if (column + 128 <= columns) {
            run_columns(chain, row, column, 8, sums);
            column += 128;
        }
        if (column + 64 <= columns) {
            run_columns(chain, row, column, 4, sums);
            column += 64;
        }
        if (columns - column == 48)
            run_columns(chain, row, column, 3, sums);
        else if (columns - column == 32)
            run_columns(chain, row, column, 2, sums);
        else if (columns - column == 16)
            run_columns(chain, row, column, 1, sums);
        if (row_sums)
            row_sums[row] = fold_lanes(sums);
    }
}
