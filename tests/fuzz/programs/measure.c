/*
 * measure - how far plain f32 and the kernels are from f64, op by op: what the op table's `bound` is made of.
 *
 * Plain f32 is what C's functions of float give, or the formula written with them, and of sums one term after the
 * other; composites are computed op by op with the reference kernels. Functions are told in units in the last place of
 * f64's result; sums in 2^-24 times the sum of the magnitudes and the square root of their number; composites in units
 * in the last place of the largest element.
 */

#include "programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "graph/composites.h"

#define COUNT 16384

/* ---- what plain f32 gives --------------------------------------------------------------------------------- */

/* Giles' polynomials, in f32. */
static float plain_erf_inv(float x)
{
    static const float central[] = {2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f, 0.00021858087f,
                                    -0.00125372503f, -0.00417768164f, 0.246640727f,    1.50140941f};
    static const float tail[] = {-0.000200214257f, 0.000100950558f, 0.00134934322f, -0.00367342844f, 0.00573950773f,
                                 -0.0076224613f,   0.00943887047f,  1.00167406f,    2.83297682f};
    float w = -log1pf(-x * x);
    const float *coefficients = w < 5 ? central : tail;
    w = w < 5 ? w - 2.5f : sqrtf(w) - 3;
    float p = coefficients[0];
    for (int i = 1; i < 9; i++)
        p = coefficients[i] + p * w;
    return p * x;
}

static float plain(pod_op op, float x, float y)
{
    switch (op) {
    case POD_OP_EXP:
        return expf(x);
    case POD_OP_EXPM1:
        return expm1f(x);
    case POD_OP_LOG:
        return logf(x);
    case POD_OP_LOG1P:
        return log1pf(x);
    case POD_OP_RSQRT:
        return 1 / sqrtf(x);
    case POD_OP_SIN:
        return sinf(x);
    case POD_OP_COS:
        return cosf(x);
    case POD_OP_TAN:
        return sinf(x) / cosf(x);
    case POD_OP_TANH: {
        const float power = expm1f(2 * fabsf(x));
        return fabsf(x) > 20 ? copysignf(1, x) : copysignf(power / (power + 2), x);
    }
    case POD_OP_LOGISTIC:
        return 1 / (1 + expf(-x));
    case POD_OP_ERF:
        return erff(x);
    case POD_OP_ERF_INV:
        return plain_erf_inv(x);
    case POD_OP_POWER:
        return powf(x, y);
    case POD_OP_ATAN2:
        return atan2f(x, y);
    default:
        return NAN;
    }
}

/* ---- runs ---------------------------------------------------------------------------------------------------- */

typedef struct errors {
    double plain, kernels[MOST_FAMILIES];
} errors;

static void raise_to(double *most, double x)
{
    if (x > *most)
        *most = x;
}

static double ulp_of(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

/* Runs a graph of f32 by one family; its first output. */
static pod_array run(pod_context *context, pod_graph *g, const pod_array *arguments)
{
    program p = {.graph = g, .steps = 1};
    outcome o;
    memcpy(p.arguments, arguments, g->parameter_count * sizeof *arguments);
    const char *wrong = program_run_once(context, &p, &o);
    if (wrong || o.status != POD_OK) {
        fprintf(stderr, "measure: %s\n", wrong ? wrong : o.message);
        abort();
    }
    pod_array made = o.outputs[0];
    o.outputs[0].data = NULL;
    outcome_free(&o);
    return made;
}

static pod_graph *new_graph(pod_context *context)
{
    pod_graph *made;
    pod_error error;
    if (pod_graph_new(context, "measured", &made, &error) != POD_OK)
        abort();
    return made;
}

/* The same arguments in f64. */
static void widen(const pod_array *from, size_t count, pod_array *to)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = array_new(from[i].dtype == POD_F32 ? POD_F64 : from[i].dtype, &from[i].shape);
        pod_convert(from[i].dtype, from[i].data, to[i].dtype, to[i].data, (size_t)pod_shape_elements(&from[i].shape));
    }
}

static pod_array evaluated(pod_graph *g, const pod_array *arguments)
{
    pod_array outputs[MOST_OUTPUTS];
    pod_error error;
    if (evaluate_graph(g, arguments, outputs, &error) != POD_OK) {
        fprintf(stderr, "measure: %s\n", error.message);
        abort();
    }
    for (uint32_t i = 1; i < g->output_count; i++)
        array_free(&outputs[i]);
    return outputs[0];
}

/* `bound` is told from the rounded result, and below 0 not at all. */
static bool tell(machine *m, const char *name, const errors *e, double bound)
{
    double most = 0;
    for (int i = 0; i < m->families; i++)
        raise_to(&most, e->kernels[i]);
    const bool within = most <= 4 * e->plain;
    printf("%-34s plain %7.3f, 4 times %7.3f; kernels", name, e->plain, 4 * e->plain);
    for (int i = 0; i < m->families; i++)
        printf(" %7.3f", e->kernels[i]);
    const bool bounded = bound < 0 || (most <= bound + 0.5 && bound <= 4 * e->plain + 0.5);
    if (bound >= 0)
        printf("; bound %.1f", bound);
    printf("%s%s\n", within ? "" : "  BEYOND 4 TIMES", bounded ? "" : "  THE BOUND IS OFF");
    return within && bounded;
}

/* ---- functions ------------------------------------------------------------------------------------------------- */

typedef struct function {
    pod_op op;
    double low, high; /* of the first operand */
    bool orders;      /* all orders of magnitude up to `high` */
    double other;     /* the second one lies between this and its negative */
} function;

static const function functions[] = {
    {POD_OP_EXP, -80, 80, false, 0},    {POD_OP_EXPM1, -15, 15, false, 0},   {POD_OP_LOG, 0, 1e30, true, 0},
    {POD_OP_LOG, 0.5, 2, false, 0},     {POD_OP_LOG1P, -0.99, 20, false, 0}, {POD_OP_RSQRT, 0, 1e30, true, 0},
    {POD_OP_SIN, -100, 100, false, 0},  {POD_OP_COS, -100, 100, false, 0},   {POD_OP_TAN, -100, 100, false, 0},
    {POD_OP_TANH, -9, 9, false, 0},     {POD_OP_TANH, -0.7, 0.7, false, 0},  {POD_OP_LOGISTIC, -20, 20, false, 0},
    {POD_OP_ERF, -4, 4, false, 0},      {POD_OP_ERF_INV, -1, 1, false, 0},   {POD_OP_POWER, 0.01, 10, false, 20},
    {POD_OP_ATAN2, -10, 10, false, 10},
};

static bool measure_function(machine *m, const function *f, dice *d, int64_t rounds)
{
    const pod_shape shape = {1, {COUNT}};
    const int operands = pod_op_get(f->op)->operands;
    errors e = {0};
    pod_graph *graphs[2];
    for (int i = 0; i < 2; i++) {
        pod_node *inputs[2];
        graphs[i] = new_graph(m->one[0]);
        for (int j = 0; j < operands; j++)
            inputs[j] = pod_graph_parameter(graphs[i], i ? POD_F64 : POD_F32, &shape, "p");
        const pod_attributes none = {0};
        pod_graph_add_output(graphs[i], pod_graph_apply(graphs[i], f->op, inputs, (size_t)operands, &none, NULL, 0));
    }
    for (int64_t round = 0; round < rounds; round++) {
        pod_array arguments[2], wide[2];
        for (int j = 0; j < operands; j++)
            arguments[j] = array_new(POD_F32, &shape);
        for (int64_t i = 0; i < COUNT; i++) {
            const double share = (unit(d) + 1) / 2;
            array_set(&arguments[0], i, f->orders ? f->high * exp2(-120 * share) : f->low + (f->high - f->low) * share);
            if (operands > 1)
                array_set(&arguments[1], i, unit(d) * f->other);
        }
        widen(arguments, (size_t)operands, wide);
        const pod_array right = evaluated(graphs[1], wide);
        const double *expected = right.data;
        for (int family = -1; family < m->families; family++) {
            pod_array got = family >= 0 ? run(m->one[family], graphs[0], arguments) : array_new(POD_F32, &shape);
            for (int64_t i = 0; i < COUNT; i++) {
                if (family < 0)
                    array_set(&got, i,
                              plain(f->op, ((float *)arguments[0].data)[i],
                                    operands > 1 ? ((float *)arguments[1].data)[i] : 0));
                if (isfinite(expected[i]) && fabs(expected[i]) < 3e38 && fabs(expected[i]) > 0x1p-126)
                    raise_to(family < 0 ? &e.plain : &e.kernels[family],
                             fabs(array_get(&got, i) - expected[i]) / ulp_of(expected[i]));
            }
            array_free(&got);
        }
        array_free((pod_array *)&right);
        evaluate_free(arguments, (size_t)operands);
        evaluate_free(wide, (size_t)operands);
    }
    for (int i = 0; i < 2; i++)
        pod_graph_free(graphs[i]);
    char name[64];
    snprintf(name, sizeof name, "%s %g .. %g", pod_op_name(f->op), f->low, f->high);
    return tell(m, name, &e, pod_op_get(f->op)->bound);
}

/* ---- sums ------------------------------------------------------------------------------------------------------ */

/* Products of two matrices of so many terms an element, or sums of rows where the second has one column of ones. */
static bool measure_sums(machine *m, dice *d, int64_t terms, bool product, int64_t rounds)
{
    const pod_shape shapes[2] = {{2, {8, terms}}, {2, {terms, 8}}};
    const int64_t columns = product ? 8 : 1;
    errors e = {0};
    pod_graph *g = new_graph(m->one[0]);
    pod_node *x = pod_graph_parameter(g, POD_F32, &shapes[0], "p");
    if (product) {
        pod_node *inputs[] = {x, pod_graph_parameter(g, POD_F32, &shapes[1], "p")};
        const pod_attributes a = {
            .lhs_contract = {1, {1}}, .rhs_contract = {1, {0}}, .precision = POD_PRECISION_HIGHEST};
        pod_graph_add_output(g, pod_graph_apply(g, POD_OP_DOT, inputs, 2, &a, NULL, 0));
    } else {
        pod_graph_add_output(g, pod_graph_reduce(g, "reduce_sum", x, &(pod_axes){1, {1}}, false));
    }
    for (int64_t round = 0; round < rounds; round++) {
        pod_array arguments[2];
        for (int j = 0; j < 2; j++) {
            arguments[j] = array_new(POD_F32, &shapes[j]);
            for (int64_t i = 0; i < 8 * terms; i++)
                array_set(&arguments[j], i, product || j == 0 ? unit(d) + (round % 2 ? 1 : 0) : 1);
        }
        const float *a = arguments[0].data, *b = arguments[1].data;
        for (int family = -1; family < m->families; family++) {
            pod_array got = {0};
            if (family >= 0)
                got = run(m->one[family], g, arguments);
            for (int64_t i = 0; i < 8 * columns; i++) {
                double right = 0, size = 0;
                float one = 0;
                for (int64_t k = 0; k < terms; k++) {
                    const float factor = product ? b[k * 8 + i % columns] : 1;
                    const float term = a[i / columns * terms + k] * factor;
                    one += term;
                    right += (double)a[i / columns * terms + k] * (double)factor;
                    size += fabs((double)a[i / columns * terms + k] * (double)factor);
                }
                const double error = fabs((family < 0 ? (double)one : array_get(&got, i)) - right);
                raise_to(family < 0 ? &e.plain : &e.kernels[family], error / (size * sqrt((double)terms) * 0x1p-24));
            }
            if (family >= 0)
                array_free(&got);
        }
        evaluate_free(arguments, 2);
    }
    pod_graph_free(g);
    char name[64];
    snprintf(name, sizeof name, "%s of %lld", product ? "dot" : "reduce_sum", (long long)terms);
    return tell(m, name, &e, 2);
}

/* ---- composites ---------------------------------------------------------------------------------------------- */

typedef struct composed {
    const char *name;
    pod_attributes attributes;
    int count;
    pod_shape shapes[6];
    pod_dtype dtypes[6]; /* POD_DTYPE_NONE: f32 */
    double sizes[6];     /* elements lie between this and its negative; below 0: between 0 and its negative */
} composed;

#define ROWS                                                                                                           \
    {                                                                                                                  \
        2,                                                                                                             \
        {                                                                                                              \
            64, 33                                                                                                     \
        }                                                                                                              \
    }
#define LABEL                                                                                                          \
    {                                                                                                                  \
        1,                                                                                                             \
        {                                                                                                              \
            64                                                                                                         \
        }                                                                                                              \
    }
#define HEADS                                                                                                          \
    {                                                                                                                  \
        4,                                                                                                             \
        {                                                                                                              \
            2, 3, 17, 8                                                                                                \
        }                                                                                                              \
    }

static const composed composites[] = {
    {"gelu", {0}, 1, {ROWS}, {0}, {6}},
    {"gelu", {.flag = true}, 1, {ROWS}, {0}, {6}},
    {"gelu_gradient", {0}, 2, {ROWS, ROWS}, {0}, {6, 1}},
    {"gelu_gradient", {.flag = true}, 2, {ROWS, ROWS}, {0}, {6, 1}},
    {"sparse_softmax_cross_entropy", {0}, 2, {ROWS, LABEL}, {0, POD_S32}, {8, -33}},
    {"sparse_softmax_cross_entropy_gradient", {0}, 3, {ROWS, LABEL, LABEL}, {0, POD_S32, 0}, {8, -33, 1}},
    {"attention", {0}, 3, {HEADS, HEADS, HEADS}, {0}, {2, 2, 2}},
    {"attention", {.flag = true}, 3, {HEADS, HEADS, HEADS}, {0}, {2, 2, 2}},
    {"attention_gradient", {0}, 4, {HEADS, HEADS, HEADS, HEADS}, {0}, {2, 2, 2, 1}},
    {"adam", {.values = {0.9, 0.99, 1e-3}}, 5, {ROWS, ROWS, ROWS, ROWS, {0}}, {0}, {1, 1, -1, 1, 0.1}},
    {"adamw", {.values = {0.9, 0.99, 1e-3, 0.1}}, 6, {ROWS, ROWS, ROWS, ROWS, {0}, {0}}, {0}, {1, 1, -1, 1, 0.1, 0.1}},
};

static double largest_of(const pod_array *x)
{
    double most = 0;
    for (int64_t i = 0, end = pod_shape_elements(&x->shape); i < end; i++)
        raise_to(&most, fabs(array_get(x, i)));
    return most;
}

static bool measure_composite(machine *m, const composed *c, dice *d, int64_t rounds)
{
    errors e = {0};
    pod_graph *graphs[2];
    for (int i = 0; i < 2; i++) {
        pod_node *inputs[6];
        graphs[i] = new_graph(m->one[0]);
        for (int j = 0; j < c->count; j++)
            inputs[j] = pod_graph_parameter(graphs[i],
                                            c->dtypes[j] ? c->dtypes[j]
                                            : i          ? POD_F64
                                                         : POD_F32,
                                            &c->shapes[j], "p");
        if (i && (c->count == 5 || c->count == 6)) /* rates are of f32 */
            for (int j = 4; j < c->count; j++)
                inputs[j] = pod_graph_convert(graphs[i], inputs[j], POD_F32);
        pod_node *made = pod_graph_composite(graphs[i], c->name, inputs, (size_t)c->count, &c->attributes);
        pod_graph_add_output(graphs[i], pod_graph_result(graphs[i], made, 0));
    }
    for (int64_t round = 0; round < rounds; round++) {
        pod_array arguments[6], wide[6];
        for (int j = 0; j < c->count; j++) {
            arguments[j] = array_new(c->dtypes[j] ? c->dtypes[j] : POD_F32, &c->shapes[j]);
            for (int64_t i = 0, end = pod_shape_elements(&c->shapes[j]); i < end; i++)
                array_set(&arguments[j], i,
                          c->sizes[j] < 0 ? (unit(d) + 1) * -0.49999 * c->sizes[j] : unit(d) * c->sizes[j]);
        }
        widen(arguments, (size_t)c->count, wide);
        pod_array right = evaluated(graphs[1], wide);
        const double unit_of_result = ulp_of(largest_of(&right));
        for (int family = -1; family < m->families; family++) {
            pod_array got = family < 0 ? evaluated(graphs[0], arguments) : run(m->one[family], graphs[0], arguments);
            for (int64_t i = 0, end = pod_shape_elements(&right.shape); i < end; i++)
                raise_to(family < 0 ? &e.plain : &e.kernels[family],
                         fabs(array_get(&got, i) - array_get(&right, i)) / unit_of_result);
            array_free(&got);
        }
        array_free(&right);
        evaluate_free(arguments, (size_t)c->count);
        evaluate_free(wide, (size_t)c->count);
    }
    for (int i = 0; i < 2; i++)
        pod_graph_free(graphs[i]);
    const int32_t bound = pod_graph_composite_find(c->name)->bound;
    return tell(m, c->name, &e, bound ? bound : -1); /* what has no kernel of its own is as its body */
}

void measure_ops(machine *m, uint64_t seed, int64_t rounds, long counts[2])
{
    dice d = {seed};
    printf("kernels:");
    for (int i = 0; i < m->families; i++)
        printf(" %s", pod_context_isa(m->one[i]));
    puts("");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        counts[!measure_function(m, &functions[i], &d, rounds)]++;
    static const int64_t terms[] = {2, 3, 10, 100, 1000, 5000};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        counts[!measure_sums(m, &d, terms[i], false, rounds)]++;
        counts[!measure_sums(m, &d, terms[i], true, rounds)]++;
    }
    for (size_t i = 0; i < sizeof composites / sizeof *composites; i++)
        counts[!measure_composite(m, &composites[i], &d, rounds)]++;
}
