/*
 * The block kernels of one family: plain loops, vectorised by the compiler. See blocks.h.
 */

#include "kernels/blocks.h"

#include "kernels/block_folds.h"
#include "kernels/block_formats.h"
#include "kernels/block_gelu.h"
#include "kernels/block_loops.h"
#include "kernels/block_math.h"
#include "kernels/block_math_wide.h"
#include "kernels/block_moves.h"
#include "kernels/block_random.h"
#include "kernels/block_rows.h"
#include "kernels/scalar_math.h"

/* ---- floats: of f64 by the C library -------------------------------------------------------------------- */

/* A function of f32 and one of f64; `name` is a part of theirs. */
#define POD_FLOAT_MAP_1(name, of_f32, of_f64)                                                                          \
    MAP_1(f32_##name, float, float, of_f32)                                                                            \
    MAP_1(f64_##name, double, double, of_f64)
#define POD_FLOAT_MAP_2(name, of_f32, of_f64)                                                                          \
    MAP_2(f32_##name, float, float, of_f32)                                                                            \
    MAP_2(f64_##name, double, double, of_f64)
#define POD_FLOAT_MAP_3(name, of_f32, of_f64)                                                                          \
    MAP_3(f32_##name, float, float, of_f32)                                                                            \
    MAP_3(f64_##name, double, double, of_f64)

POD_FLOAT_MAP_1(negate, float_of(bits_of(p) ^ 0x80000000u), -p)
POD_FLOAT_MAP_1(abs, absolute(p), fabs(p))
POD_FLOAT_MAP_1(sign, p > 0 ? 1.0f : p < 0 ? -1.0f : p, pod_kernel_sign(p))
POD_FLOAT_MAP_1(exp, exp_f32(p), exp(p))
POD_FLOAT_MAP_1(expm1, expm1_f32(p), expm1(p))
POD_FLOAT_MAP_1(log, log_f32(p), log(p))
POD_FLOAT_MAP_1(log1p, log1p_f32(p), log1p(p))
POD_FLOAT_MAP_1(sqrt, sqrtf(p), sqrt(p))
POD_FLOAT_MAP_1(rsqrt, rsqrt_f32(p), 1 / sqrt(p))
POD_FLOAT_MAP_1(tanh, tanh_f32(p), tanh(p))
POD_FLOAT_MAP_1(logistic, logistic_f32(p), pod_kernel_logistic(p))
POD_FLOAT_MAP_1(erf, erf_f32(p), erf(p))
POD_FLOAT_MAP_1(erf_inv, erf_inv_f32(p), pod_kernel_erf_inv(p))
POD_FLOAT_MAP_1(floor, floor_f32(p), floor(p))
POD_FLOAT_MAP_1(ceil, ceil_f32(p), ceil(p))
POD_FLOAT_MAP_1(round, round_f32(p), rint(p))
MAP_1(f32_is_finite, int32_t, float, absolute(p) < INFINITY)
MAP_1(f64_is_finite, int32_t, double, fabs(p) < (double)INFINITY)
MAP_1(f32_round_bf16, float, float, round_bf16(p))

static void f32_round_f16(void *result, const void *a, const void *b, const void *c, size_t count)
{
    (void)b;
    (void)c;
    round_all_f16(result, a, count);
}

MAP_1(f32_gelu, float, float, gelu_f32(p))
MAP_1(f32_gelu_tanh, float, float, gelu_tanh_f32(p))
MAP_2(f32_gelu_gradient, float, float, gelu_gradient_f32(p, q))
MAP_2(f32_gelu_tanh_gradient, float, float, gelu_tanh_gradient_f32(p, q))
MAP_1(f32_gelu_rough, float, float, gelu_rough(p))
MAP_1(f32_gelu_tanh_rough, float, float, gelu_tanh_rough(p))
MAP_2(f32_gelu_gradient_rough, float, float, gelu_gradient_rough(p, q))
MAP_2(f32_gelu_tanh_gradient_rough, float, float, gelu_tanh_gradient_rough(p, q))

MAP_1(f32_sin_near, float, float, sin_f32(p))
MAP_1(f32_cos_near, float, float, cos_f32(p))
MAP_1(f32_tan_near, float, float, tan_f32(p))

/* Returns whether a block has elements that the functions above do not reach. */
static int is_far(const float *x, size_t count)
{
    uint32_t distant = 0;
    for (size_t i = 0; i < count; i++)
        distant |= absolute(x[i]) > TRIGONOMETRIC_LIMIT;
    return distant != 0;
}

/* Far elements, which are rare, go through the C library; near ones get the same bits in either
 * loop. */
#define TRIGONOMETRIC(name, near_block, nearby, distant)                                                               \
    static void name(void *result, const void *a, const void *b, const void *c, size_t count)                          \
    {                                                                                                                  \
        float *to = result;                                                                                            \
        const float *from = a;                                                                                         \
        if (!is_far(from, count)) {                                                                                    \
            near_block(result, a, b, c, count);                                                                        \
            return;                                                                                                    \
        }                                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                                           \
            float x = from[i];                                                                                         \
            to[i] = absolute(x) > TRIGONOMETRIC_LIMIT ? (float)distant((double)x) : nearby(x);                         \
        }                                                                                                              \
    }

TRIGONOMETRIC(f32_sin, f32_sin_near, sin_f32, sin)
TRIGONOMETRIC(f32_cos, f32_cos_near, cos_f32, cos)
TRIGONOMETRIC(f32_tan, f32_tan_near, tan_f32, tan)
MAP_1(f64_sin, double, double, sin(p))
MAP_1(f64_cos, double, double, cos(p))
MAP_1(f64_tan, double, double, tan(p))

POD_FLOAT_MAP_2(add, p + q, p + q)
POD_FLOAT_MAP_2(subtract, p - q, p - q)
POD_FLOAT_MAP_2(multiply, p *q, p *q)
POD_FLOAT_MAP_2(divide, p / q, p / q)
POD_FLOAT_MAP_2(remainder, fmodf(p, q), fmod(p, q))
POD_FLOAT_MAP_2(power, power_f32(p, q), pow(p, q))
POD_FLOAT_MAP_2(maximum, maximum_f32(p, q), pod_kernel_maximum(p, q))
POD_FLOAT_MAP_2(minimum, minimum_f32(p, q), pod_kernel_minimum(p, q))
POD_FLOAT_MAP_2(atan2, atan2_f32(p, q), atan2(p, q))
POD_FLOAT_MAP_3(multiply_add, mul_add(p, q, r), mul_add_double(p, q, r))
POD_FLOAT_MAP_3(clamp, minimum_f32(maximum_f32(p, q), r), pod_kernel_minimum(pod_kernel_maximum(p, q), r))

/* Of a row and one element of b. */
#define BY_ROW(name, operator)                                                                                         \
    static void name(void *result, const void *a, const void *b, size_t rows, size_t width)                            \
    {                                                                                                                  \
        float *to = result;                                                                                            \
        const float *from = a, *of_row = b;                                                                            \
        for (size_t row = 0; row < rows; row++, to += width, from += width) {                                          \
            float q = of_row[row];                                                                                     \
            _Pragma("GCC ivdep") for (size_t i = 0; i < width; i++) to[i] = from[i] operator q;                        \
        }                                                                                                              \
    }

BY_ROW(f32_add_by_row, +)
BY_ROW(f32_subtract_by_row, -)
BY_ROW(f32_multiply_by_row, *)
BY_ROW(f32_divide_by_row, /)

/* ---- integers; what is the same for both signs is under the unsigned name ---------------------------- */

#define INTEGER_MAPS(bits)                                                                                             \
    MAP_1(u##bits##_copy, uint##bits##_t, uint##bits##_t, p)                                                           \
    MAP_1(u##bits##_negate, uint##bits##_t, uint##bits##_t, 0 - p)                                                     \
    MAP_1(u##bits##_not, uint##bits##_t, uint##bits##_t, ~p)                                                           \
    MAP_1(u##bits##_logical_not, uint##bits##_t, uint##bits##_t, p == 0)                                               \
    MAP_1(u##bits##_abs, uint##bits##_t, uint##bits##_t, p)                                                            \
    MAP_1(u##bits##_sign, uint##bits##_t, uint##bits##_t, p != 0)                                                      \
    MAP_1(s##bits##_abs, uint##bits##_t, int##bits##_t, p < 0 ? 0 - (uint##bits##_t)p : (uint##bits##_t)p)             \
    MAP_1(s##bits##_sign, int##bits##_t, int##bits##_t, (p > 0) - (p < 0))                                             \
    MAP_2(u##bits##_add, uint##bits##_t, uint##bits##_t, p + q)                                                        \
    MAP_2(u##bits##_subtract, uint##bits##_t, uint##bits##_t, p - q)                                                   \
    MAP_2(u##bits##_multiply, uint##bits##_t, uint##bits##_t, p *q)                                                    \
    MAP_2(u##bits##_divide, uint##bits##_t, uint##bits##_t, q == 0 ? UINT##bits##_MAX : p / q)                         \
    MAP_2(u##bits##_remainder, uint##bits##_t, uint##bits##_t, q == 0 ? p : p % q)                                     \
    MAP_2(u##bits##_power, uint##bits##_t, uint##bits##_t, pod_kernel_power_unsigned(p, q))                            \
    MAP_2(u##bits##_maximum, uint##bits##_t, uint##bits##_t, p > q ? p : q)                                            \
    MAP_2(u##bits##_minimum, uint##bits##_t, uint##bits##_t, p < q ? p : q)                                            \
    MAP_2(u##bits##_and, uint##bits##_t, uint##bits##_t, p &q)                                                         \
    MAP_2(u##bits##_or, uint##bits##_t, uint##bits##_t, p | q)                                                         \
    MAP_2(u##bits##_xor, uint##bits##_t, uint##bits##_t, p ^ q)                                                        \
    MAP_2(u##bits##_shift_left, uint##bits##_t, uint##bits##_t, q > bits - 1 ? 0 : p << (q & (bits - 1)))              \
    MAP_2(u##bits##_shift_right, uint##bits##_t, uint##bits##_t, q > bits - 1 ? 0 : p >> (q & (bits - 1)))             \
    MAP_2(u##bits##_shift_right_arithmetic, uint##bits##_t, uint##bits##_t,                                            \
          (uint##bits##_t)((int##bits##_t)p >> (q > bits - 1 ? bits - 1 : q)))                                         \
    MAP_2(s##bits##_divide, int##bits##_t, int##bits##_t, pod_kernel_divide_signed(p, q))                              \
    MAP_2(s##bits##_remainder, int##bits##_t, int##bits##_t, pod_kernel_remainder_signed(p, q))                        \
    MAP_2(s##bits##_power, int##bits##_t, int##bits##_t, pod_kernel_power_signed(p, q))                                \
    MAP_2(s##bits##_maximum, int##bits##_t, int##bits##_t, p > q ? p : q)                                              \
    MAP_2(s##bits##_minimum, int##bits##_t, int##bits##_t, p < q ? p : q)                                              \
    MAP_3(u##bits##_multiply_add, uint##bits##_t, uint##bits##_t, p *q + r)                                            \
    MAP_3(u##bits##_clamp, uint##bits##_t, uint##bits##_t, (p > q ? p : q) < r ? (p > q ? p : q) : r)                  \
    MAP_3(s##bits##_clamp, int##bits##_t, int##bits##_t, (p > q ? p : q) < r ? (p > q ? p : q) : r)                    \
    MAP_3(u##bits##_select, uint##bits##_t, int32_t, p != 0 ? q : r)

INTEGER_MAPS(32)
INTEGER_MAPS(64)

MAP_1(s32_wrap_8, int32_t, int32_t, (int8_t)p)
MAP_1(s32_wrap_16, int32_t, int32_t, (int16_t)p)
MAP_1(u32_wrap_8, uint32_t, uint32_t, (uint8_t)p)
MAP_1(u32_wrap_16, uint32_t, uint32_t, (uint16_t)p)

/* ---- comparisons ------------------------------------------------------------------------------------ */

#define EQUALITY_MAPS(class_, type)                                                                                    \
    MAP_2(class_##_eq, int32_t, type, p == q)                                                                          \
    MAP_2(class_##_ne, int32_t, type, p != q)

#define ORDER_MAPS(class_, type)                                                                                       \
    MAP_2(class_##_lt, int32_t, type, p < q)                                                                           \
    MAP_2(class_##_le, int32_t, type, p <= q)                                                                          \
    MAP_2(class_##_gt, int32_t, type, p > q)                                                                           \
    MAP_2(class_##_ge, int32_t, type, p >= q)

EQUALITY_MAPS(f32, float)
EQUALITY_MAPS(f64, double)
EQUALITY_MAPS(u32, uint32_t)
EQUALITY_MAPS(u64, uint64_t)
ORDER_MAPS(f32, float)
ORDER_MAPS(f64, double)
ORDER_MAPS(s32, int32_t)
ORDER_MAPS(u32, uint32_t)
ORDER_MAPS(s64, int64_t)
ORDER_MAPS(u64, uint64_t)

/* ---- the table
 * ----------------------------------------------------------------------------------- */

/* A row of functions for all six classes, and one for the classes of floats. */
#define ALL(f32, f64, s32, u32, s64, u64)                                                                              \
    {                                                                                                                  \
        [POD_CLASS_F32] = f32, [POD_CLASS_F64] = f64, [POD_CLASS_S32] = s32, [POD_CLASS_U32] = u32,                    \
        [POD_CLASS_S64] = s64, [POD_CLASS_U64] = u64                                                                   \
    }
#define INTEGERS(s32, u32, s64, u64) ALL(NULL, NULL, s32, u32, s64, u64)
#define FLOATS(f32, f64)             ALL(f32, f64, NULL, NULL, NULL, NULL)

/* The functions of one name, for classes as POD_BLOCK_OP_LIST names them. */
#define OF_FLOATS(name)  FLOATS(f32_##name, f64_##name)
#define OF_BITS(name)    INTEGERS(u32_##name, u32_##name, u64_##name, u64_##name)
#define OF_ALL(name)     ALL(f32_##name, f64_##name, s32_##name, u32_##name, s64_##name, u64_##name)
#define OF_NUMBERS(name) ALL(f32_##name, f64_##name, u32_##name, u32_##name, u64_##name, u64_##name)
#define OF_SIZES(name)   ALL(u32_##name, u64_##name, u32_##name, u32_##name, u64_##name, u64_##name)
#define OF_F32(name)     FLOATS(f32_##name, NULL)
#define OF_32(name)      INTEGERS(s32_##name, u32_##name, NULL, NULL)

extern const pod_kernels POD_FAMILY_TABLE;

const pod_kernels POD_FAMILY_TABLE = {
    .element =
        {
#define X(op, operands, classes, name) [POD_BLOCK_OP_##op] = OF_##classes(name),
            POD_BLOCK_OP_LIST(X)
#undef X
        },
    .convert =
        {
            [POD_CLASS_F32] = ALL(u32_copy, f64_from_f32, s32_from_f32, u32_from_f32, s64_from_f32, u64_from_f32),
            [POD_CLASS_F64] = ALL(f32_from_f64, u64_copy, s32_from_f64, u32_from_f64, s64_from_f64, u64_from_f64),
            [POD_CLASS_S32] = ALL(f32_from_s32, f64_from_s32, u32_copy, u32_copy, s64_from_s32, u64_from_s32),
            [POD_CLASS_U32] = ALL(f32_from_u32, f64_from_u32, u32_copy, u32_copy, s64_from_u32, u64_from_u32),
            [POD_CLASS_S64] = ALL(f32_from_s64, f64_from_s64, s32_from_s64, u32_from_s64, u64_copy, u64_copy),
            [POD_CLASS_U64] = ALL(f32_from_u64, f64_from_u64, s32_from_u64, u32_from_u64, u64_copy, u64_copy),
        },
    .fold =
        {
            [POD_FOLD_SUM] = OF_NUMBERS(fold_sum),
            [POD_FOLD_PRODUCT] = OF_NUMBERS(fold_product),
            [POD_FOLD_MAX] = OF_ALL(fold_max),
            [POD_FOLD_MIN] = OF_ALL(fold_min),
            [POD_FOLD_AND] = OF_BITS(fold_and),
            [POD_FOLD_OR] = OF_BITS(fold_or),
        },
    .by_row = {f32_add_by_row, f32_subtract_by_row, f32_multiply_by_row, f32_divide_by_row},
    .fold_products = f32_fold_products,
    .load =
        {
            [POD_BOOL] = load_bool,
            [POD_S8] = load_s8,
            [POD_S16] = load_s16,
            [POD_S32] = move_32,
            [POD_S64] = move_64,
            [POD_U8] = load_u8,
            [POD_U16] = load_u16,
            [POD_U32] = move_32,
            [POD_U64] = move_64,
            [POD_F16] = load_f16,
            [POD_BF16] = load_bf16,
            [POD_F32] = move_32,
            [POD_F64] = move_64,
        },
    .store =
        {
            [POD_BOOL] = store_bool,
            [POD_S8] = store_8,
            [POD_S16] = store_16,
            [POD_S32] = move_32,
            [POD_S64] = move_64,
            [POD_U8] = store_8,
            [POD_U16] = store_16,
            [POD_U32] = move_32,
            [POD_U64] = move_64,
            [POD_F16] = store_f16,
            [POD_BF16] = store_bf16,
            [POD_F32] = move_32,
            [POD_F64] = move_64,
        },
    .random_bits = random_bits,
    .sparse_softmax_cross_entropy = sparse_softmax_cross_entropy,
    .adam = adam,
};
