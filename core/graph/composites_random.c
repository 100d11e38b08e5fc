#include <math.h>

#include "base/decimal.h"
#include "graph/build.h"
#include "graph/composites.h"

/* Random numbers of a distribution from random bits. */

#define TWO_TO_32 4294967296.0

/* Adds random bits of u32 or u64; `like` gives the shape, or is NULL for the attributes'. */
static pod_node *random_bits(pod_body *body, pod_node *state, pod_node *like, pod_dtype dtype)
{
    pod_attributes attributes = {.dtype = dtype, .shape = body->attributes.shape, .seed = body->attributes.seed};
    pod_node *inputs[] = {state, like};
    return pod_graph_apply(body->graph, POD_OP_RANDOM_BITS, inputs, like ? 2 : 1, &attributes, NULL, 0);
}

static pod_node *bits_for(pod_body *body, pod_dtype dtype)
{
    pod_node *like = body->operand_count > 1 ? body->operands[1] : NULL;
    return random_bits(body, body->operands[0], like, dtype);
}

/* Completes the dtype of the result; false, with an error, when it is not a float. */
static bool expect_float_result(pod_body *body)
{
    if (body->attributes.dtype == POD_DTYPE_NONE)
        body->attributes.dtype = POD_F32;
    if (pod_dtype_is_float(body->attributes.dtype))
        return true;
    return pod_graph_body_fail(body, POD_ERROR_DTYPE, "the result is a float type, not %s",
                               pod_dtype_name(body->attributes.dtype));
}

/* Unsigned bits shifted right, as a float. */
static pod_node *high_bits(pod_body *body, pod_node *bits, int shift, pod_dtype dtype)
{
    pod_node *high = pod_graph_shift_right(body->graph, bits, pod_graph_number_like(body->graph, bits, shift));
    return pod_graph_convert(body->graph, high, dtype);
}

/* The type in which a float result is computed, and how many bits its significand holds. */
static pod_dtype computed_in(const pod_body *body)
{
    return body->attributes.dtype == POD_F64 ? POD_F64 : POD_F32;
}

/* Uniform in [0, 1): multiples of 2^-24, of 2^-53 for f64. */
static pod_node *unit(pod_body *body)
{
    if (computed_in(body) == POD_F64)
        return pod_graph_scale(body->graph, high_bits(body, bits_for(body, POD_U64), 11, POD_F64), 0x1p-53);
    return pod_graph_scale(body->graph, high_bits(body, bits_for(body, POD_U32), 8, POD_F32), 0x1p-24);
}

/* Uniform in (-1, 1), symmetric, without the ends and 0: odd multiples of 2^-23, of 2^-52 for f64.
 */
static pod_node *symmetric_unit(pod_body *body)
{
    bool is_f64 = computed_in(body) == POD_F64;
    double step = is_f64 ? 0x1p-51 : 0x1p-22;
    pod_node *x = is_f64 ? high_bits(body, bits_for(body, POD_U64), 12, POD_F64)
                         : high_bits(body, bits_for(body, POD_U32), 9, POD_F32);
    /* exact: the product is below 2 and the sum a multiple of step / 2 */
    return pod_graph_offset(body->graph, pod_graph_scale(body->graph, x, step), step / 2 - 1);
}

/* Adds x, converted to the wanted type, as the result. */
static void finish(pod_body *body, pod_node *x)
{
    pod_graph_add_output(body->graph, pod_graph_convert(body->graph, x, body->attributes.dtype));
}

/* ---- uniform --------------------------------------------------------------------------------- */

/* The largest number of a float type below `high`. */
static double below(pod_dtype dtype, double high)
{
    uint64_t bits = 0, sign = UINT64_C(1) << (8 * pod_dtype_size(dtype) - 1);
    double value;
    pod_convert(POD_F64, &high, dtype, &bits, 1);
    pod_convert(dtype, &bits, POD_F64, &value, 1);
    if (value < high)
        return value;
    if (bits & sign) /* away from 0 */
        bits++;
    else
        bits = bits > 0 ? bits - 1 : sign + 1;
    pod_convert(dtype, &bits, POD_F64, &value, 1);
    return value;
}

static void uniform_floats(pod_body *body, double low, double high)
{
    pod_graph *graph = body->graph;
    pod_node *x = pod_graph_offset(graph, pod_graph_scale(graph, unit(body), high - low), low);
    x = pod_graph_convert(graph, x, body->attributes.dtype);
    /* rounding may have made it `high`, which is not in the range */
    double most = below(body->attributes.dtype, high);
    finish(body, pod_graph_minimum(graph, x, pod_graph_number_like(graph, x, most)));
}

/* low + floor(u * range), u a fraction of 32 bits: the product of integers, shifted right. */
static void uniform_integers(pod_body *body, double low, double high)
{
    pod_graph *graph = body->graph;
    pod_node *bits = pod_graph_convert(graph, bits_for(body, POD_U32), POD_U64);
    pod_node *product = pod_graph_scale(graph, bits, high - low);
    pod_node *x = pod_graph_shift_right(graph, product, pod_graph_number_like(graph, product, 32));
    x = pod_graph_convert(graph, x, POD_S64);
    finish(body, pod_graph_offset(graph, x, low));
}

void pod_body_random_uniform(pod_body *body)
{
    double low = body->attributes.values[0], high = body->attributes.values[1];
    char texts[2][POD_NUMBER_TEXT_SIZE];
    if (body->attributes.dtype == POD_DTYPE_NONE)
        body->attributes.dtype = POD_F32;
    if (!(low < high) || !isfinite(high - low)) {
        pod_graph_body_fail(body, POD_ERROR_VALUE,
                            "values are low and high, with low < high; they are "
                            "%s and %s",
                            pod_number_text(low, texts[0]), pod_number_text(high, texts[1]));
        return;
    }
    if (pod_dtype_is_float(body->attributes.dtype)) {
        uniform_floats(body, low, high);
    } else if (!pod_dtype_is_integer(body->attributes.dtype)) {
        pod_graph_body_fail(body, POD_ERROR_DTYPE,
                            "the result is a float or integer type, not bool; use "
                            "bernoulli");
    } else if (low != floor(low) || high != floor(high) || high - low >= TWO_TO_32 || fabs(low) > 0x1p53 ||
               fabs(high) > 0x1p53) {
        pod_graph_body_fail(body, POD_ERROR_VALUE,
                            "low and high of integers must be integers less than 2^32 apart; they are %s "
                            "and %s",
                            pod_number_text(low, texts[0]), pod_number_text(high, texts[1]));
    } else {
        uniform_integers(body, low, high);
    }
}

/* ---- normal ---------------------------------------------------------------------------------- */

/* mean + deviation * sqrt(2) * erf_inv(x) */
static pod_node *normal_from(pod_body *body, pod_node *x)
{
    pod_graph *graph = body->graph;
    double mean = body->attributes.values[0], deviation = body->attributes.values[1];
    pod_node *z = pod_graph_scale(graph, pod_graph_erf_inv(graph, x), M_SQRT2 * deviation);
    return mean == 0 ? z : pod_graph_offset(graph, z, mean);
}

void pod_body_random_normal(pod_body *body)
{
    if (expect_float_result(body))
        finish(body, normal_from(body, symmetric_unit(body)));
}

/* By inversion: x uniform in the part of (-1, 1) that lies within two deviations. */
void pod_body_truncated_normal(pod_body *body)
{
    if (!expect_float_result(body))
        return;
    pod_graph *graph = body->graph;
    double mean = body->attributes.values[0], reach = 2 * fabs(body->attributes.values[1]);
    pod_node *x = pod_graph_scale(graph, symmetric_unit(body), erf(M_SQRT2));
    pod_node *z = normal_from(body, x);
    finish(body, pod_graph_clamp(graph, pod_graph_number_like(graph, z, mean - reach), z,
                                 pod_graph_number_like(graph, z, mean + reach)));
}

/* ---- choices --------------------------------------------------------------------------------- */

/* Fails unless values[0] is a probability. */
static bool expect_probability(pod_body *body, const char *what)
{
    double p = body->attributes.values[0];
    if (p >= 0 && p <= 1)
        return true;
    char text[POD_NUMBER_TEXT_SIZE];
    return pod_graph_body_fail(body, POD_ERROR_VALUE, "%s is %s; it must be from 0 to 1", what,
                               pod_number_text(p, text));
}

/* bits < p * 2^32, for 0 <= p < 1. */
static pod_node *happens(pod_body *body, pod_node *bits, double p)
{
    double limit = floor(p * TWO_TO_32 + 0.5);
    if (limit >= TWO_TO_32)
        limit = TWO_TO_32 - 1;
    return pod_graph_compare(body->graph, POD_COMPARE_LT, bits, pod_graph_number_like(body->graph, bits, limit));
}

void pod_body_bernoulli(pod_body *body)
{
    if (body->attributes.dtype == POD_DTYPE_NONE)
        body->attributes.dtype = POD_BOOL;
    if (!expect_probability(body, "the probability"))
        return;
    double p = body->attributes.values[0];
    pod_node *bits = bits_for(body, POD_U32);
    if (p < 1)
        finish(body, happens(body, bits, p));
    else
        finish(body, pod_graph_full_like(body->graph, bits, 1));
}

void pod_body_dropout(pod_body *body)
{
    pod_graph *graph = body->graph;
    double rate = body->attributes.values[0];
    pod_node *x = body->operands[0];
    if (!pod_graph_body_expect_float(body, 0) || !expect_probability(body, "the rate"))
        return;
    pod_node *zero = pod_graph_full_like(graph, x, 0);
    if (rate == 0 || rate == 1) {
        pod_graph_add_output(graph, rate == 0 ? x : zero);
        return;
    }
    pod_node *dropped = happens(body, random_bits(body, body->operands[1], x, POD_U32), rate);
    pod_node *kept = pod_graph_scale(graph, x, 1 / (1 - rate));
    pod_graph_add_output(graph, pod_graph_select(graph, dropped, zero, kept));
}

/* Dropout is linear in x: the same draw drops the same elements of the cotangent. */
void pod_graph_pullback_dropout(pod_pullback *back)
{
    pod_node *inputs[] = {back->cotangents[0], back->node->inputs[1]};
    if (back->needed[0])
        back->operands[0] = pod_graph_composite(back->graph, "dropout", inputs, 2, back->node->attributes);
}
