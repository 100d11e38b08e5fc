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

/* ---- f32 ----------------------------------------------------------------------------------------
 */

MAP_1(f32_negate, float, float, float_of(bits_of(p) ^ 0x80000000u))
MAP_1(f32_abs, float, float, absolute(p))
MAP_1(f32_sign, float, float, p > 0 ? 1.0f : p < 0 ? -1.0f : p)
MAP_1(f32_exp, float, float, exp_f32(p))
MAP_1(f32_expm1, float, float, expm1_f32(p))
MAP_1(f32_log, float, float, log_f32(p))
MAP_1(f32_log1p, float, float, log1p_f32(p))
MAP_1(f32_sqrt, float, float, sqrtf(p))
MAP_1(f32_rsqrt, float, float, rsqrt_f32(p))
MAP_1(f32_tanh, float, float, tanh_f32(p))
MAP_1(f32_logistic, float, float, logistic_f32(p))
MAP_1(f32_erf, float, float, erf_f32(p))
MAP_1(f32_erf_inv, float, float, erf_inv_f32(p))
MAP_1(f32_floor, float, float, floor_f32(p))
MAP_1(f32_ceil, float, float, ceil_f32(p))
MAP_1(f32_round, float, float, round_f32(p))
MAP_1(f32_is_finite, int32_t, float, absolute(p) < INFINITY)
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

MAP_2(f32_add, float, float, p + q)
MAP_2(f32_subtract, float, float, p - q)
MAP_2(f32_multiply, float, float, p *q)
MAP_2(f32_divide, float, float, p / q)
MAP_2(f32_remainder, float, float, fmodf(p, q))
MAP_2(f32_power, float, float, power_f32(p, q))
MAP_2(f32_maximum, float, float, maximum_f32(p, q))
MAP_2(f32_minimum, float, float, minimum_f32(p, q))
MAP_2(f32_atan2, float, float, atan2_f32(p, q))
MAP_3(f32_multiply_add, float, float, mul_add(p, q, r))

MAP_3(f32_clamp, float, float, minimum_f32(maximum_f32(p, q), r))

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

/* ---- f64: by the C library
 * ------------------------------------------------------------------------ */

MAP_1(f64_negate, double, double, -p)
MAP_1(f64_abs, double, double, fabs(p))
MAP_1(f64_sign, double, double, pod_kernel_sign(p))
MAP_1(f64_exp, double, double, exp(p))
MAP_1(f64_expm1, double, double, expm1(p))
MAP_1(f64_log, double, double, log(p))
MAP_1(f64_log1p, double, double, log1p(p))
MAP_1(f64_sqrt, double, double, sqrt(p))
MAP_1(f64_rsqrt, double, double, 1 / sqrt(p))
MAP_1(f64_sin, double, double, sin(p))
MAP_1(f64_cos, double, double, cos(p))
MAP_1(f64_tan, double, double, tan(p))
MAP_1(f64_tanh, double, double, tanh(p))
MAP_1(f64_logistic, double, double, pod_kernel_logistic(p))
MAP_1(f64_erf, double, double, erf(p))
MAP_1(f64_erf_inv, double, double, pod_kernel_erf_inv(p))
MAP_1(f64_floor, double, double, floor(p))
MAP_1(f64_ceil, double, double, ceil(p))
MAP_1(f64_round, double, double, rint(p))
MAP_1(f64_is_finite, int32_t, double, fabs(p) < (double)INFINITY)
MAP_2(f64_add, double, double, p + q)
MAP_2(f64_subtract, double, double, p - q)
MAP_2(f64_multiply, double, double, p *q)
MAP_2(f64_divide, double, double, p / q)
MAP_2(f64_remainder, double, double, fmod(p, q))
MAP_2(f64_power, double, double, pow(p, q))
MAP_2(f64_maximum, double, double, pod_kernel_maximum(p, q))
MAP_2(f64_minimum, double, double, pod_kernel_minimum(p, q))
MAP_2(f64_atan2, double, double, atan2(p, q))
MAP_3(f64_multiply_add, double, double, mul_add_double(p, q, r))
MAP_3(f64_clamp, double, double, pod_kernel_minimum(pod_kernel_maximum(p, q), r))

/* ---- 32-bit integers; what is the same for both signs is under the unsigned name ----------------
 */

MAP_1(u32_copy, uint32_t, uint32_t, p)
MAP_1(u32_negate, uint32_t, uint32_t, 0 - p)
MAP_1(u32_not, uint32_t, uint32_t, ~p)
MAP_1(u32_logical_not, uint32_t, uint32_t, p == 0)
MAP_1(u32_sign, uint32_t, uint32_t, p != 0)
MAP_1(s32_abs, uint32_t, int32_t, p < 0 ? 0 - (uint32_t)p : (uint32_t)p)
MAP_1(s32_sign, int32_t, int32_t, (p > 0) - (p < 0))
MAP_2(u32_add, uint32_t, uint32_t, p + q)
MAP_2(u32_subtract, uint32_t, uint32_t, p - q)
MAP_2(u32_multiply, uint32_t, uint32_t, p *q)
MAP_2(u32_divide, uint32_t, uint32_t, q == 0 ? UINT32_MAX : p / q)
MAP_2(u32_remainder, uint32_t, uint32_t, q == 0 ? p : p % q)
MAP_2(u32_power, uint32_t, uint32_t, pod_kernel_power_unsigned(p, q))
MAP_2(u32_maximum, uint32_t, uint32_t, p > q ? p : q)
MAP_2(u32_minimum, uint32_t, uint32_t, p < q ? p : q)
MAP_2(u32_and, uint32_t, uint32_t, p &q)
MAP_2(u32_or, uint32_t, uint32_t, p | q)
MAP_2(u32_xor, uint32_t, uint32_t, p ^ q)
MAP_2(u32_shift_left, uint32_t, uint32_t, q > 31 ? 0 : p << (q & 31))
MAP_2(u32_shift_right, uint32_t, uint32_t, q > 31 ? 0 : p >> (q & 31))
MAP_2(u32_shift_right_arithmetic, uint32_t, uint32_t, (uint32_t)((int32_t)p >> (q > 31 ? 31 : q)))
MAP_2(s32_divide, int32_t, int32_t, pod_kernel_divide_signed(p, q))
MAP_2(s32_remainder, int32_t, int32_t, pod_kernel_remainder_signed(p, q))
MAP_2(s32_power, int32_t, int32_t, pod_kernel_power_signed(p, q))
MAP_2(s32_maximum, int32_t, int32_t, p > q ? p : q)
MAP_2(s32_minimum, int32_t, int32_t, p < q ? p : q)
MAP_3(u32_multiply_add, uint32_t, uint32_t, p *q + r)
MAP_3(u32_clamp, uint32_t, uint32_t, (p > q ? p : q) < r ? (p > q ? p : q) : r)
MAP_3(s32_clamp, int32_t, int32_t, (p > q ? p : q) < r ? (p > q ? p : q) : r)
MAP_3(u32_select, uint32_t, int32_t, p != 0 ? q : r)

/* ---- 64-bit integers; what is the same for both signs is under the unsigned name ----------------
 */

MAP_1(u64_copy, uint64_t, uint64_t, p)
MAP_1(u64_negate, uint64_t, uint64_t, 0 - p)
MAP_1(u64_not, uint64_t, uint64_t, ~p)
MAP_1(u64_logical_not, uint64_t, uint64_t, p == 0)
MAP_1(u64_sign, uint64_t, uint64_t, p != 0)
MAP_1(s64_abs, uint64_t, int64_t, p < 0 ? 0 - (uint64_t)p : (uint64_t)p)
MAP_1(s64_sign, int64_t, int64_t, (p > 0) - (p < 0))
MAP_2(u64_add, uint64_t, uint64_t, p + q)
MAP_2(u64_subtract, uint64_t, uint64_t, p - q)
MAP_2(u64_multiply, uint64_t, uint64_t, p *q)
MAP_2(u64_divide, uint64_t, uint64_t, q == 0 ? UINT64_MAX : p / q)
MAP_2(u64_remainder, uint64_t, uint64_t, q == 0 ? p : p % q)
MAP_2(u64_power, uint64_t, uint64_t, pod_kernel_power_unsigned(p, q))
MAP_2(u64_maximum, uint64_t, uint64_t, p > q ? p : q)
MAP_2(u64_minimum, uint64_t, uint64_t, p < q ? p : q)
MAP_2(u64_and, uint64_t, uint64_t, p &q)
MAP_2(u64_or, uint64_t, uint64_t, p | q)
MAP_2(u64_xor, uint64_t, uint64_t, p ^ q)
MAP_2(u64_shift_left, uint64_t, uint64_t, q > 63 ? 0 : p << (q & 63))
MAP_2(u64_shift_right, uint64_t, uint64_t, q > 63 ? 0 : p >> (q & 63))
MAP_2(u64_shift_right_arithmetic, uint64_t, uint64_t, (uint64_t)((int64_t)p >> (q > 63 ? 63 : q)))
MAP_2(s64_divide, int64_t, int64_t, pod_kernel_divide_signed(p, q))
MAP_2(s64_remainder, int64_t, int64_t, pod_kernel_remainder_signed(p, q))
MAP_2(s64_power, int64_t, int64_t, pod_kernel_power_signed(p, q))
MAP_2(s64_maximum, int64_t, int64_t, p > q ? p : q)
MAP_2(s64_minimum, int64_t, int64_t, p < q ? p : q)
MAP_3(u64_multiply_add, uint64_t, uint64_t, p *q + r)
MAP_3(u64_clamp, uint64_t, uint64_t, (p > q ? p : q) < r ? (p > q ? p : q) : r)
MAP_3(s64_clamp, int64_t, int64_t, (p > q ? p : q) < r ? (p > q ? p : q) : r)
MAP_3(u64_select, uint64_t, int32_t, p != 0 ? q : r)

MAP_1(s32_wrap_8, int32_t, int32_t, (int8_t)p)
MAP_1(s32_wrap_16, int32_t, int32_t, (int16_t)p)
MAP_1(u32_wrap_8, uint32_t, uint32_t, (uint8_t)p)
MAP_1(u32_wrap_16, uint32_t, uint32_t, (uint16_t)p)

/* ---- comparisons
 * --------------------------------------------------------------------------------- */

MAP_2(f32_eq, int32_t, float, p == q)
MAP_2(f32_ne, int32_t, float, p != q)
MAP_2(f32_lt, int32_t, float, p < q)
MAP_2(f32_le, int32_t, float, p <= q)
MAP_2(f32_gt, int32_t, float, p > q)
MAP_2(f32_ge, int32_t, float, p >= q)
MAP_2(f64_eq, int32_t, double, p == q)
MAP_2(f64_ne, int32_t, double, p != q)
MAP_2(f64_lt, int32_t, double, p < q)
MAP_2(f64_le, int32_t, double, p <= q)
MAP_2(f64_gt, int32_t, double, p > q)
MAP_2(f64_ge, int32_t, double, p >= q)
MAP_2(s32_lt, int32_t, int32_t, p < q)
MAP_2(s32_le, int32_t, int32_t, p <= q)
MAP_2(s32_gt, int32_t, int32_t, p > q)
MAP_2(s32_ge, int32_t, int32_t, p >= q)
MAP_2(u32_eq, int32_t, uint32_t, p == q)
MAP_2(u32_ne, int32_t, uint32_t, p != q)
MAP_2(u32_lt, int32_t, uint32_t, p < q)
MAP_2(u32_le, int32_t, uint32_t, p <= q)
MAP_2(u32_gt, int32_t, uint32_t, p > q)
MAP_2(u32_ge, int32_t, uint32_t, p >= q)
MAP_2(s64_lt, int32_t, int64_t, p < q)
MAP_2(s64_le, int32_t, int64_t, p <= q)
MAP_2(s64_gt, int32_t, int64_t, p > q)
MAP_2(s64_ge, int32_t, int64_t, p >= q)
MAP_2(u64_eq, int32_t, uint64_t, p == q)
MAP_2(u64_ne, int32_t, uint64_t, p != q)
MAP_2(u64_lt, int32_t, uint64_t, p < q)
MAP_2(u64_le, int32_t, uint64_t, p <= q)
MAP_2(u64_gt, int32_t, uint64_t, p > q)
MAP_2(u64_ge, int32_t, uint64_t, p >= q)

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

extern const pod_block_kernels POD_FAMILY_TABLE;

const pod_block_kernels POD_FAMILY_TABLE =
    {
        .element =
            {
                [POD_BLOCK_OP_COPY] = ALL(u32_copy, u64_copy, u32_copy, u32_copy, u64_copy, u64_copy),
                [POD_BLOCK_OP_NEGATE] = ALL(f32_negate, f64_negate, u32_negate, u32_negate, u64_negate, u64_negate),
                [POD_BLOCK_OP_ABS] = ALL(f32_abs, f64_abs, s32_abs, u32_copy, s64_abs, u64_copy),
                [POD_BLOCK_OP_SIGN] = ALL(f32_sign, f64_sign, s32_sign, u32_sign, s64_sign, u64_sign),
                [POD_BLOCK_OP_EXP] = FLOATS(f32_exp, f64_exp),
                [POD_BLOCK_OP_EXPM1] = FLOATS(f32_expm1, f64_expm1),
                [POD_BLOCK_OP_LOG] = FLOATS(f32_log, f64_log),
                [POD_BLOCK_OP_LOG1P] = FLOATS(f32_log1p, f64_log1p),
                [POD_BLOCK_OP_SQRT] = FLOATS(f32_sqrt, f64_sqrt),
                [POD_BLOCK_OP_RSQRT] = FLOATS(f32_rsqrt, f64_rsqrt),
                [POD_BLOCK_OP_SIN] = FLOATS(f32_sin, f64_sin),
                [POD_BLOCK_OP_COS] = FLOATS(f32_cos, f64_cos),
                [POD_BLOCK_OP_TAN] = FLOATS(f32_tan, f64_tan),
                [POD_BLOCK_OP_TANH] = FLOATS(f32_tanh, f64_tanh),
                [POD_BLOCK_OP_LOGISTIC] = FLOATS(f32_logistic, f64_logistic),
                [POD_BLOCK_OP_ERF] = FLOATS(f32_erf, f64_erf),
                [POD_BLOCK_OP_ERF_INV] = FLOATS(f32_erf_inv, f64_erf_inv),
                [POD_BLOCK_OP_FLOOR] = FLOATS(f32_floor, f64_floor),
                [POD_BLOCK_OP_CEIL] = FLOATS(f32_ceil, f64_ceil),
                [POD_BLOCK_OP_ROUND] = FLOATS(f32_round, f64_round),
                [POD_BLOCK_OP_IS_FINITE] = FLOATS(f32_is_finite, f64_is_finite),
                [POD_BLOCK_OP_NOT] = INTEGERS(u32_not, u32_not, u64_not, u64_not),
                [POD_BLOCK_OP_LOGICAL_NOT] =
                    INTEGERS(u32_logical_not, u32_logical_not, u64_logical_not, u64_logical_not),
                [POD_BLOCK_OP_ADD] = ALL(f32_add, f64_add, u32_add, u32_add, u64_add, u64_add),
                [POD_BLOCK_OP_SUBTRACT] =
                    ALL(f32_subtract, f64_subtract, u32_subtract, u32_subtract, u64_subtract, u64_subtract),
                [POD_BLOCK_OP_MULTIPLY] =
                    ALL(f32_multiply, f64_multiply, u32_multiply, u32_multiply, u64_multiply, u64_multiply),
                [POD_BLOCK_OP_DIVIDE] = ALL(f32_divide, f64_divide, s32_divide, u32_divide, s64_divide, u64_divide),
                [POD_BLOCK_OP_REMAINDER] =
                    ALL(f32_remainder, f64_remainder, s32_remainder, u32_remainder, s64_remainder, u64_remainder),
                [POD_BLOCK_OP_POWER] = ALL(f32_power, f64_power, s32_power, u32_power, s64_power, u64_power),
                [POD_BLOCK_OP_MAXIMUM] =
                    ALL(f32_maximum, f64_maximum, s32_maximum, u32_maximum, s64_maximum, u64_maximum),
                [POD_BLOCK_OP_MINIMUM] =
                    ALL(f32_minimum, f64_minimum, s32_minimum, u32_minimum, s64_minimum, u64_minimum),
                [POD_BLOCK_OP_ATAN2] = FLOATS(f32_atan2, f64_atan2),
                [POD_BLOCK_OP_AND] = INTEGERS(u32_and, u32_and, u64_and, u64_and),
                [POD_BLOCK_OP_OR] = INTEGERS(u32_or, u32_or, u64_or, u64_or),
                [POD_BLOCK_OP_XOR] = INTEGERS(u32_xor, u32_xor, u64_xor, u64_xor),
                [POD_BLOCK_OP_SHIFT_LEFT] = INTEGERS(u32_shift_left, u32_shift_left, u64_shift_left, u64_shift_left),
                [POD_BLOCK_OP_SHIFT_RIGHT] =
                    INTEGERS(u32_shift_right, u32_shift_right, u64_shift_right, u64_shift_right),
                [POD_BLOCK_OP_SHIFT_RIGHT_ARITHMETIC] =
                    INTEGERS(u32_shift_right_arithmetic, u32_shift_right_arithmetic, u64_shift_right_arithmetic,
                             u64_shift_right_arithmetic),
                [POD_BLOCK_OP_EQ] = ALL(f32_eq, f64_eq, u32_eq, u32_eq, u64_eq, u64_eq),
                [POD_BLOCK_OP_NE] = ALL(f32_ne, f64_ne, u32_ne, u32_ne, u64_ne, u64_ne),
                [POD_BLOCK_OP_LT] = ALL(f32_lt, f64_lt, s32_lt, u32_lt, s64_lt, u64_lt),
                [POD_BLOCK_OP_LE] = ALL(f32_le, f64_le, s32_le, u32_le, s64_le, u64_le),
                [POD_BLOCK_OP_GT] = ALL(f32_gt, f64_gt, s32_gt, u32_gt, s64_gt, u64_gt),
                [POD_BLOCK_OP_GE] = ALL(f32_ge, f64_ge, s32_ge, u32_ge, s64_ge, u64_ge),
                [POD_BLOCK_OP_SELECT] = ALL(u32_select, u64_select, u32_select, u32_select, u64_select, u64_select),
                [POD_BLOCK_OP_CLAMP] = ALL(f32_clamp, f64_clamp, s32_clamp, u32_clamp, s64_clamp, u64_clamp),
                [POD_BLOCK_OP_MULTIPLY_ADD] = ALL(f32_multiply_add, f64_multiply_add, u32_multiply_add,
                                                  u32_multiply_add, u64_multiply_add, u64_multiply_add),
                [POD_BLOCK_OP_ROUND_BF16] = FLOATS(f32_round_bf16, NULL),
                [POD_BLOCK_OP_ROUND_F16] = FLOATS(f32_round_f16, NULL),
                [POD_BLOCK_OP_GELU] = FLOATS(f32_gelu, NULL),
                [POD_BLOCK_OP_GELU_TANH] = FLOATS(f32_gelu_tanh, NULL),
                [POD_BLOCK_OP_GELU_GRADIENT] = FLOATS(f32_gelu_gradient, NULL),
                [POD_BLOCK_OP_GELU_TANH_GRADIENT] = FLOATS(f32_gelu_tanh_gradient, NULL),
                [POD_BLOCK_OP_GELU_ROUGH] = FLOATS(f32_gelu_rough, NULL),
                [POD_BLOCK_OP_GELU_TANH_ROUGH] = FLOATS(f32_gelu_tanh_rough, NULL),
                [POD_BLOCK_OP_GELU_GRADIENT_ROUGH] = FLOATS(f32_gelu_gradient_rough, NULL),
                [POD_BLOCK_OP_GELU_TANH_GRADIENT_ROUGH] = FLOATS(f32_gelu_tanh_gradient_rough, NULL),
                [POD_BLOCK_OP_WRAP_8] = INTEGERS(s32_wrap_8, u32_wrap_8, NULL, NULL),
                [POD_BLOCK_OP_WRAP_16] = INTEGERS(s32_wrap_16, u32_wrap_16, NULL, NULL),
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
                [POD_FOLD_SUM] =
                    ALL(f32_fold_sum, f64_fold_sum, u32_fold_sum, u32_fold_sum, u64_fold_sum, u64_fold_sum),
                [POD_FOLD_PRODUCT] = ALL(f32_fold_product, f64_fold_product, u32_fold_product, u32_fold_product,
                                         u64_fold_product, u64_fold_product),
                [POD_FOLD_MAX] =
                    ALL(f32_fold_max, f64_fold_max, s32_fold_max, u32_fold_max, s64_fold_max, u64_fold_max),
                [POD_FOLD_MIN] =
                    ALL(f32_fold_min, f64_fold_min, s32_fold_min, u32_fold_min, s64_fold_min, u64_fold_min),
                [POD_FOLD_AND] = INTEGERS(u32_fold_and, u32_fold_and, u64_fold_and, u64_fold_and),
                [POD_FOLD_OR] = INTEGERS(u32_fold_or, u32_fold_or, u64_fold_or, u64_fold_or),
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
