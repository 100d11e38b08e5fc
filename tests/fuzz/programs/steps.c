/*
 * steps - results as XLA's CPU compiler computes them: from other ops, each of which rounds its result.
 *
 * Moonpod computes functions of 16 bits in f32 and rounds once, which is nearer: of all 65536 values of f16 that
 * compiler rounds 10343 logistics and 10360 of e^x - 1 otherwise, by two units in the last place at most, or to 0 where
 * e^-x is infinite. Its other functions of 16 bits round once, too, and in bf16 only the logistic does not.
 */

#include "programs.h"

#include <math.h>

static double rounded(pod_dtype dtype, double x)
{
    uint16_t narrow;
    double wide;
    pod_convert(POD_F64, &x, dtype, &narrow, 1);
    pod_convert(dtype, &narrow, POD_F64, &wide, 1);
    return wide;
}

/* 1 / (1 + e^-x) */
static double logistic(pod_dtype dtype, double x)
{
    const double power = rounded(dtype, exp(-x));
    return rounded(dtype, 1 / rounded(dtype, 1 + power));
}

/* tanh(x / 2) (e^x + 1) for small x, else e^x - 1 */
static double expm1_of_f16(double x)
{
    const double power = rounded(POD_F16, exp(x));
    if (!(fabs(x) < 0.5))
        return rounded(POD_F16, power - 1);
    const double half = rounded(POD_F16, tanh(rounded(POD_F16, x / 2)));
    return rounded(POD_F16, half * rounded(POD_F16, power + 1));
}

static void functions(const pod_node *node, pod_dtype dtype, const pod_array *input, pod_array *result)
{
    for (int64_t i = 0, end = pod_shape_elements(&result->shape); i < end; i++) {
        const double x = rounded(dtype, array_get(input, i));
        array_set(result, i, node->op == POD_OP_LOGISTIC ? logistic(dtype, x) : expm1_of_f16(x));
    }
}

/* The divisor may be inverted once for a whole row. */
static void quotients(bool is_f64, const pod_array *inputs, pod_array *result)
{
    for (int64_t i = 0, end = pod_shape_elements(&result->shape); i < end; i++) {
        const double x = array_get(&inputs[0], i), inverse = 1 / array_get(&inputs[1], i);
        if (isnormal((float)inverse))
            array_set(result, i, x * (is_f64 ? inverse : (double)(float)inverse));
    }
}

/* An angle is no number there where both are 0 and one value, which is 0 by IEEE-754. */
static void angles(const pod_array *inputs, pod_array *result)
{
    for (int64_t i = 0, end = pod_shape_elements(&result->shape); i < end; i++)
        if (array_get(&inputs[0], i) == 0)
            array_set(result, i, (double)NAN);
}

static bool slices(const pod_node *node)
{
    return node->op == POD_OP_DYNAMIC_SLICE || node->op == POD_OP_GATHER;
}

/* A slice of a slice is one there, whose start is the sum of both: where one of them begins out of range it has other
 * elements, as each start is limited by itself. */
static void slices_of_slices(pod_array *result)
{
    static const double anything[2] = {-0x1p70, 0x1p70};
    const bool is_float = pod_dtype_is_float(result->dtype);
    static int turn;
    turn = !turn;
    for (int64_t i = 0, end = pod_shape_elements(&result->shape); i < end; i++)
        array_set(result, i, is_float ? (double)NAN : result->dtype == POD_BOOL ? turn : anything[turn]);
}

void steps_replace(const pod_node *node, const pod_array *inputs, pod_array *result)
{
    const pod_dtype dtype = pod_node_dtype(node, 0);
    const bool narrow = dtype == POD_F16 || dtype == POD_BF16;
    if ((node->op == POD_OP_LOGISTIC && narrow) || (node->op == POD_OP_EXPM1 && dtype == POD_F16))
        functions(node, dtype, &inputs[0], result);
    if (node->op == POD_OP_DIVIDE && (dtype == POD_F32 || dtype == POD_F64))
        quotients(dtype == POD_F64, inputs, result);
    if (node->op == POD_OP_ATAN2 && node->inputs[0] == node->inputs[1])
        angles(inputs, result);
    if (slices(node) && slices(node->inputs[0]))
        slices_of_slices(result);
}
