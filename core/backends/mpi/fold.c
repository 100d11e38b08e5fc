/* fold - see fold.h. */

#include "backends/mpi/fold.h"

#include "base/float16.h"

#include <assert.h>

/* Elements folded at a time: with all ranks' they lie in a cache. */
#define BLOCK 2048

/* As maximum and minimum are everywhere: what is not a number stays. */
#define LARGER(a, b)  ((b) > (a) || (b) != (b) ? (b) : (a))
#define SMALLER(a, b) ((b) < (a) || (b) != (b) ? (b) : (a))

#define FOLD_BLOCK(name, type, sum, product)                                                                           \
    static void name(pod_reduction reduction, type *to, const type *from, int64_t count)                               \
    {                                                                                                                  \
        switch (reduction) {                                                                                           \
        case POD_REDUCE_PRODUCT:                                                                                       \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i] = (type)(product);                                                                               \
            break;                                                                                                     \
        case POD_REDUCE_MAX:                                                                                           \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i] = LARGER(to[i], from[i]);                                                                        \
            break;                                                                                                     \
        case POD_REDUCE_MIN:                                                                                           \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i] = SMALLER(to[i], from[i]);                                                                       \
            break;                                                                                                     \
        default:                                                                                                       \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i] = (type)(sum);                                                                                   \
        }                                                                                                              \
    }

/* Integers wrap around: bits of signed ones are those of unsigned ones. */
FOLD_BLOCK(fold_f32, float, to[i] + from[i], to[i] * from[i])
FOLD_BLOCK(fold_f64, double, to[i] + from[i], to[i] * from[i])
FOLD_BLOCK(fold_s8, int8_t, (uint8_t)to[i] + (uint8_t)from[i], (uint8_t)to[i] * (uint8_t)from[i])
FOLD_BLOCK(fold_u8, uint8_t, to[i] + from[i], to[i] * from[i])
FOLD_BLOCK(fold_s16, int16_t, (uint32_t)to[i] + (uint32_t)from[i], (uint32_t)to[i] * (uint32_t)from[i])
FOLD_BLOCK(fold_u16, uint16_t, (uint32_t)to[i] + from[i], (uint32_t)to[i] * from[i])
FOLD_BLOCK(fold_s32, int32_t, (uint32_t)to[i] + (uint32_t)from[i], (uint32_t)to[i] * (uint32_t)from[i])
FOLD_BLOCK(fold_u32, uint32_t, to[i] + from[i], to[i] * from[i])
FOLD_BLOCK(fold_s64, int64_t, (uint64_t)to[i] + (uint64_t)from[i], (uint64_t)to[i] * (uint64_t)from[i])
FOLD_BLOCK(fold_u64, uint64_t, to[i] + from[i], to[i] * from[i])

static void widen(pod_dtype dtype, const uint16_t *from, float *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = dtype == POD_BF16 ? pod_widen_bf16(from[i]) : pod_widen_f16(from[i]);
}

static void fold_halves(pod_dtype dtype, pod_reduction reduction, const void *const *from, int32_t ranks, void *to,
                        int64_t first, int64_t count)
{
    float sums[BLOCK], more[BLOCK];
    widen(dtype, (const uint16_t *)from[0] + first, sums, count);
    for (int32_t r = 1; r < ranks; r++) {
        widen(dtype, (const uint16_t *)from[r] + first, more, count);
        fold_f32(reduction, sums, more, count);
    }
    uint16_t *rounded = (uint16_t *)to + first;
    for (int64_t i = 0; i < count; i++)
        rounded[i] = dtype == POD_BF16 ? pod_round_bf16(sums[i]) : pod_round_f16(sums[i]);
}

/* X(type of the table, function, type of C): a bool is a byte that is 0 or 1. */
#define FOLDED(X)                                                                                                      \
    X(POD_F32, fold_f32, float)                                                                                        \
    X(POD_F64, fold_f64, double)                                                                                       \
    X(POD_S8, fold_s8, int8_t)                                                                                         \
    X(POD_U8, fold_u8, uint8_t)                                                                                        \
    X(POD_S16, fold_s16, int16_t)                                                                                      \
    X(POD_U16, fold_u16, uint16_t)                                                                                     \
    X(POD_S32, fold_s32, int32_t)                                                                                      \
    X(POD_U32, fold_u32, uint32_t)                                                                                     \
    X(POD_S64, fold_s64, int64_t)                                                                                      \
    X(POD_U64, fold_u64, uint64_t)

/* `sums` is apart from all that is read: the block of `to` is one of them, maybe. */
static void fold_block(pod_dtype dtype, pod_reduction reduction, const void *const *from, int32_t ranks, void *to,
                       int64_t first, int64_t count)
{
    switch (dtype) {
#define CASE(of_table, name, type)                                                                                     \
    case of_table: {                                                                                                   \
        type sums[BLOCK];                                                                                              \
        for (int64_t i = 0; i < count; i++)                                                                            \
            sums[i] = ((const type *)from[0])[first + i];                                                              \
        for (int32_t r = 1; r < ranks; r++)                                                                            \
            name(reduction, sums, (const type *)from[r] + first, count);                                               \
        for (int64_t i = 0; i < count; i++)                                                                            \
            ((type *)to)[first + i] = sums[i];                                                                         \
        break;                                                                                                         \
    }
        FOLDED(CASE)
#undef CASE
    default:
        assert(dtype == POD_BF16 || dtype == POD_F16);
        fold_halves(dtype, reduction, from, ranks, to, first, count);
    }
}

void pod_mpi_fold(pod_dtype dtype, pod_reduction reduction, const void *const *from, int32_t ranks, void *to,
                  int64_t count)
{
    for (int64_t first = 0; first < count; first += BLOCK)
        fold_block(dtype, reduction, from, ranks, to, first, count - first < BLOCK ? count - first : BLOCK);
}
