#include "base/sizes.h"
#include "kernels/reference/families.h"
#include "kernels/reference/wide.h"
#include "kernels/scalar_math.h"

/* A unit of work, in elements. */
#define UNIT (16 * POD_WIDE_LANES)

static int64_t units(const pod_kernel_call *call)
{
    return pod_part_count(pod_shape_elements(&call->outputs[0].shape), UNIT);
}

/* Returns where a chunk of elements ends that starts at `first`, in units up to `end`. */
static int64_t chunk_count(const pod_kernel_call *call, int64_t first, int64_t end)
{
    int64_t elements = pod_shape_elements(&call->outputs[0].shape);
    int64_t last = end * UNIT < elements ? end * UNIT : elements;
    return last - first < POD_WIDE_LANES ? last - first : POD_WIDE_LANES;
}

static void load(const pod_kernel_call *call, size_t input, int64_t first, pod_lanes *lanes, int64_t count)
{
    const pod_array *array = &call->inputs[input];
    pod_kernel_lanes_load(array->dtype, pod_kernel_array_at(array, first), 1, lanes, count);
}

/*
 * Each of the following defines a kernel from its expressions in the three wide types: of a for one
 * operand, of a and b for two. `bits` is the width of the stored type.
 */
#define LOOP(field, type, expression)                                                                                  \
    for (int64_t i = 0; i < count; i++) {                                                                              \
        type a = x.field[i], b = y.field[i];                                                                           \
        (void)b;                                                                                                       \
        (void)bits;                                                                                                    \
        x.field[i] = (type)(expression);                                                                               \
    }

#define KERNEL(name, operands, float_, signed_, unsigned_)                                                             \
    static pod_status name(const pod_kernel_call *call, int64_t begin, int64_t end, void *scratch)                     \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        pod_lanes x, y;                                                                                                \
        pod_dtype dtype = call->inputs[0].dtype;                                                                       \
        uint64_t bits = dtype == POD_BOOL ? 1 : 8 * pod_dtype_size(dtype);                                             \
        int64_t count = 0;                                                                                             \
        pod_kernel_lanes_fill(&y, (pod_wide){0}, POD_WIDE_LANES);                                                      \
        for (int64_t first = begin * UNIT; (count = chunk_count(call, first, end)) > 0; first += count) {              \
            load(call, 0, first, &x, count);                                                                           \
            if (operands > 1)                                                                                          \
                load(call, 1, first, &y, count);                                                                       \
            switch (pod_kernel_wide_kind_of(dtype)) {                                                                  \
            case POD_WIDE_FLOAT:                                                                                       \
                LOOP(f, double, float_)                                                                                \
                break;                                                                                                 \
            case POD_WIDE_SIGNED:                                                                                      \
                LOOP(s, int64_t, signed_)                                                                              \
                break;                                                                                                 \
            case POD_WIDE_UNSIGNED:                                                                                    \
                LOOP(u, uint64_t, unsigned_)                                                                           \
                break;                                                                                                 \
            }                                                                                                          \
            pod_kernel_lanes_store(call->outputs[0].dtype, pod_kernel_array_at(&call->outputs[0], first), &x, count);  \
        }                                                                                                              \
        return POD_OK;                                                                                                 \
    }

KERNEL(run_negate, 1, -a, 0 - (uint64_t)a, 0 - a)
KERNEL(run_abs, 1, fabs(a), a < 0 ? 0 - (uint64_t)a : (uint64_t)a, a)
KERNEL(run_sign, 1, pod_kernel_sign(a), (a > 0) - (a < 0), a != 0)
KERNEL(run_floor, 1, floor(a), a, a)
KERNEL(run_ceil, 1, ceil(a), a, a)
KERNEL(run_round, 1, rint(a), a, a)
KERNEL(run_not, 1, a, ~a, bits == 1 ? !a : ~a)

/* Functions of floats only: the op table's shape rules refuse integers. */
#define FLOAT_KERNEL(name, operands, expression) KERNEL(name, operands, expression, a, a)

FLOAT_KERNEL(run_exp, 1, exp(a))
FLOAT_KERNEL(run_expm1, 1, expm1(a))
FLOAT_KERNEL(run_log, 1, log(a))
FLOAT_KERNEL(run_log1p, 1, log1p(a))
FLOAT_KERNEL(run_sqrt, 1, sqrt(a))
FLOAT_KERNEL(run_rsqrt, 1, 1 / sqrt(a))
FLOAT_KERNEL(run_sin, 1, sin(a))
FLOAT_KERNEL(run_cos, 1, cos(a))
FLOAT_KERNEL(run_tan, 1, tan(a))
FLOAT_KERNEL(run_tanh, 1, tanh(a))
FLOAT_KERNEL(run_logistic, 1, pod_kernel_logistic(a))
FLOAT_KERNEL(run_erf, 1, erf(a))
FLOAT_KERNEL(run_erf_inv, 1, pod_kernel_erf_inv(a))
FLOAT_KERNEL(run_atan2, 2, atan2(a, b))

/* Sums and products of bool are OR and AND, because storing asks for "not zero". */
KERNEL(run_add, 2, a + b, (uint64_t)a + (uint64_t)b, a + b)
KERNEL(run_subtract, 2, a - b, (uint64_t)a - (uint64_t)b, a - b)
KERNEL(run_multiply, 2, a *b, (uint64_t)a *(uint64_t)b, a *b)
KERNEL(run_divide, 2, a / b, pod_kernel_divide_signed(a, b), b == 0 ? UINT64_MAX : a / b)
KERNEL(run_remainder, 2, fmod(a, b), pod_kernel_remainder_signed(a, b), b == 0 ? a : a % b)
KERNEL(run_power, 2, pow(a, b), pod_kernel_power_signed(a, b), pod_kernel_power_unsigned(a, b))
KERNEL(run_maximum, 2, pod_kernel_maximum(a, b), a > b ? a : b, a > b ? a : b)
KERNEL(run_minimum, 2, pod_kernel_minimum(a, b), a < b ? a : b, a < b ? a : b)
KERNEL(run_and, 2, a, a &b, a &b)
KERNEL(run_or, 2, a, a | b, a | b)
KERNEL(run_xor, 2, a, a ^ b, a ^ b)

/* A shift by the width or more leaves zeros, or the sign; a negative amount is a large one. */
KERNEL(run_shift_left, 2, a, (uint64_t)b >= bits ? 0 : (uint64_t)a << b, b >= bits ? 0 : a << b)
KERNEL(run_shift_right, 2, a, (uint64_t)b >= bits ? 0 : ((uint64_t)a & (UINT64_MAX >> (64 - bits))) >> b,
       b >= bits ? 0 : a >> b)
/* Of unsigned integers it copies the topmost bit too. */
KERNEL(run_shift_right_arithmetic, 2, a, a >> ((uint64_t)b >= bits ? 63 : b),
       (uint64_t)((int64_t)(a << (64 - bits)) >> (b >= bits ? 63 : b + 64 - bits)))

static pod_status run_is_finite(const pod_kernel_call *call, int64_t begin, int64_t end, void *scratch)
{
    (void)scratch;
    pod_lanes x;
    bool is_float = pod_dtype_is_float(call->inputs[0].dtype);
    int64_t count = 0;
    for (int64_t first = begin * UNIT; (count = chunk_count(call, first, end)) > 0; first += count) {
        load(call, 0, first, &x, count);
        for (int64_t i = 0; i < count; i++)
            x.u[i] = !is_float || isfinite(x.f[i]);
        pod_kernel_lanes_store(POD_BOOL, pod_kernel_array_at(&call->outputs[0], first), &x, count);
    }
    return POD_OK;
}

/* Compares one lane: -1 below, 0 equal, 1 above, 2 when one is NaN. */
static int order(pod_wide_kind kind, const pod_lanes *a, const pod_lanes *b, int64_t i)
{
    switch (kind) {
    case POD_WIDE_FLOAT:
        return a->f[i] < b->f[i] ? -1 : a->f[i] > b->f[i] ? 1 : a->f[i] == b->f[i] ? 0 : 2;
    case POD_WIDE_SIGNED:
        return a->s[i] < b->s[i] ? -1 : a->s[i] > b->s[i];
    default:
        return a->u[i] < b->u[i] ? -1 : a->u[i] > b->u[i];
    }
}

static bool holds(pod_comparison comparison, int found)
{
    switch (comparison) {
    case POD_COMPARE_EQ:
        return found == 0;
    case POD_COMPARE_NE:
        return found != 0;
    case POD_COMPARE_LT:
        return found == -1;
    case POD_COMPARE_LE:
        return found <= 0;
    case POD_COMPARE_GT:
        return found == 1;
    default:
        return found == 0 || found == 1;
    }
}

static pod_status run_compare(const pod_kernel_call *call, int64_t begin, int64_t end, void *scratch)
{
    (void)scratch;
    pod_lanes x, y, result;
    pod_wide_kind kind = pod_kernel_wide_kind_of(call->inputs[0].dtype);
    int64_t count = 0;
    for (int64_t first = begin * UNIT; (count = chunk_count(call, first, end)) > 0; first += count) {
        load(call, 0, first, &x, count);
        load(call, 1, first, &y, count);
        for (int64_t i = 0; i < count; i++)
            result.u[i] = holds(call->attributes->comparison, order(kind, &x, &y, i));
        pod_kernel_lanes_store(POD_BOOL, pod_kernel_array_at(&call->outputs[0], first), &result, count);
    }
    return POD_OK;
}

static pod_status run_select(const pod_kernel_call *call, int64_t begin, int64_t end, void *scratch)
{
    (void)scratch;
    pod_lanes predicate, x, y;
    int64_t count = 0;
    for (int64_t first = begin * UNIT; (count = chunk_count(call, first, end)) > 0; first += count) {
        load(call, 0, first, &predicate, count);
        load(call, 1, first, &x, count);
        load(call, 2, first, &y, count);
        for (int64_t i = 0; i < count; i++)
            x.u[i] = predicate.u[i] != 0 ? x.u[i] : y.u[i];
        pod_kernel_lanes_store(call->outputs[0].dtype, pod_kernel_array_at(&call->outputs[0], first), &x, count);
    }
    return POD_OK;
}

static void clamp(pod_wide_kind kind, const pod_lanes *low, pod_lanes *x, const pod_lanes *high, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (kind == POD_WIDE_FLOAT) {
            x->f[i] = pod_kernel_minimum(pod_kernel_maximum(low->f[i], x->f[i]), high->f[i]);
        } else if (kind == POD_WIDE_SIGNED) {
            int64_t raised = low->s[i] > x->s[i] ? low->s[i] : x->s[i];
            x->s[i] = raised < high->s[i] ? raised : high->s[i];
        } else {
            uint64_t raised = low->u[i] > x->u[i] ? low->u[i] : x->u[i];
            x->u[i] = raised < high->u[i] ? raised : high->u[i];
        }
    }
}

static pod_status run_clamp(const pod_kernel_call *call, int64_t begin, int64_t end, void *scratch)
{
    (void)scratch;
    pod_lanes low, x, high;
    pod_dtype dtype = call->inputs[0].dtype;
    int64_t count = 0;
    for (int64_t first = begin * UNIT; (count = chunk_count(call, first, end)) > 0; first += count) {
        load(call, 0, first, &low, count);
        load(call, 1, first, &x, count);
        load(call, 2, first, &high, count);
        clamp(pod_kernel_wide_kind_of(dtype), &low, &x, &high, count);
        pod_kernel_lanes_store(dtype, pod_kernel_array_at(&call->outputs[0], first), &x, count);
    }
    return POD_OK;
}

/* Truncates lanes of floats to what an integer type holds. */
static void saturate(pod_dtype to, pod_lanes *x, int64_t count)
{
    int bits = (int)(8 * pod_dtype_size(to));
    for (int64_t i = 0; i < count; i++) {
        if (to == POD_BOOL)
            x->u[i] = x->f[i] != 0;
        else if (pod_kernel_wide_kind_of(to) == POD_WIDE_SIGNED)
            x->s[i] = pod_kernel_saturate_signed(x->f[i], INT64_MIN >> (64 - bits), INT64_MAX >> (64 - bits));
        else
            x->u[i] = pod_kernel_saturate_unsigned(x->f[i], UINT64_MAX >> (64 - bits));
    }
}

/* Makes floats of lanes of integers. Types narrower than f64 are rounded to f32 here, at once. */
static void to_float(pod_dtype from, pod_dtype to, pod_lanes *x, int64_t count)
{
    bool is_signed = pod_kernel_wide_kind_of(from) == POD_WIDE_SIGNED;
    for (int64_t i = 0; i < count; i++) {
        if (to == POD_F64)
            x->f[i] = is_signed ? (double)x->s[i] : (double)x->u[i];
        else
            x->f[i] = (double)(is_signed ? (float)x->s[i] : (float)x->u[i]);
    }
}

static pod_status run_convert(const pod_kernel_call *call, int64_t begin, int64_t end, void *scratch)
{
    (void)scratch;
    pod_lanes x;
    pod_dtype from = call->inputs[0].dtype, to = call->outputs[0].dtype;
    int64_t count = 0;
    for (int64_t first = begin * UNIT; (count = chunk_count(call, first, end)) > 0; first += count) {
        load(call, 0, first, &x, count);
        if (pod_dtype_is_float(from) && !pod_dtype_is_float(to))
            saturate(to, &x, count);
        else if (!pod_dtype_is_float(from) && pod_dtype_is_float(to))
            to_float(from, to, &x, count);
        pod_kernel_lanes_store(to, pod_kernel_array_at(&call->outputs[0], first), &x, count);
    }
    return POD_OK;
}

const pod_named_kernel pod_reference_elementwise[] = {
    {"negate", {units, run_negate, NULL}},
    {"abs", {units, run_abs, NULL}},
    {"sign", {units, run_sign, NULL}},
    {"exp", {units, run_exp, NULL}},
    {"expm1", {units, run_expm1, NULL}},
    {"log", {units, run_log, NULL}},
    {"log1p", {units, run_log1p, NULL}},
    {"sqrt", {units, run_sqrt, NULL}},
    {"rsqrt", {units, run_rsqrt, NULL}},
    {"sin", {units, run_sin, NULL}},
    {"cos", {units, run_cos, NULL}},
    {"tan", {units, run_tan, NULL}},
    {"tanh", {units, run_tanh, NULL}},
    {"logistic", {units, run_logistic, NULL}},
    {"erf", {units, run_erf, NULL}},
    {"erf_inv", {units, run_erf_inv, NULL}},
    {"floor", {units, run_floor, NULL}},
    {"ceil", {units, run_ceil, NULL}},
    {"round", {units, run_round, NULL}},
    {"is_finite", {units, run_is_finite, NULL}},
    {"not", {units, run_not, NULL}},
    {"convert", {units, run_convert, NULL}},
    {"add", {units, run_add, NULL}},
    {"subtract", {units, run_subtract, NULL}},
    {"multiply", {units, run_multiply, NULL}},
    {"divide", {units, run_divide, NULL}},
    {"remainder", {units, run_remainder, NULL}},
    {"power", {units, run_power, NULL}},
    {"maximum", {units, run_maximum, NULL}},
    {"minimum", {units, run_minimum, NULL}},
    {"atan2", {units, run_atan2, NULL}},
    {"and", {units, run_and, NULL}},
    {"or", {units, run_or, NULL}},
    {"xor", {units, run_xor, NULL}},
    {"shift_left", {units, run_shift_left, NULL}},
    {"shift_right", {units, run_shift_right, NULL}},
    {"shift_right_arithmetic", {units, run_shift_right_arithmetic, NULL}},
    {"compare", {units, run_compare, NULL}},
    {"select", {units, run_select, NULL}},
    {"clamp", {units, run_clamp, NULL}},
    {NULL, {NULL, NULL, NULL}},
};
