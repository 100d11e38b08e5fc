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

#define LOOP(field, type, expression)                                                                                  \
    for (int64_t i = 0; i < count; i++) {                                                                              \
        type a = x[0].field[i], b = x[1].field[i];                                                                     \
        (void)b;                                                                                                       \
        x[0].field[i] = (type)(expression);                                                                            \
    }                                                                                                                  \
    break;

/* Each function of lanes takes `count` lanes of each operand and puts what it makes of them into the first. */
#define KERNEL(name, float_, signed_, unsigned_)                                                                       \
    static void name##_lanes(const pod_kernel_call *call, pod_lanes *x, int64_t count)                                 \
    {                                                                                                                  \
        const pod_dtype dtype = call->inputs[0].dtype;                                                                 \
        const uint64_t bits = dtype == POD_BOOL ? 1 : 8 * pod_dtype_size(dtype);                                       \
        (void)bits;                                                                                                    \
        switch (pod_kernel_wide_kind_of(dtype)) {                                                                      \
        case POD_WIDE_FLOAT:                                                                                           \
            LOOP(f, double, float_)                                                                                    \
        case POD_WIDE_SIGNED:                                                                                          \
            LOOP(s, int64_t, signed_)                                                                                  \
        case POD_WIDE_UNSIGNED:                                                                                        \
            LOOP(u, uint64_t, unsigned_)                                                                               \
        }                                                                                                              \
    }
#define OTHER_KERNEL(name)
#include "kernels/reference/elementwise.def"

static void is_finite_lanes(const pod_kernel_call *call, pod_lanes *x, int64_t count)
{
    const bool is_float = pod_dtype_is_float(call->inputs[0].dtype);
    for (int64_t i = 0; i < count; i++)
        x->u[i] = !is_float || isfinite(x->f[i]);
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

static void compare_lanes(const pod_kernel_call *call, pod_lanes *x, int64_t count)
{
    const pod_wide_kind kind = pod_kernel_wide_kind_of(call->inputs[0].dtype);
    for (int64_t i = 0; i < count; i++)
        x[0].u[i] = holds(call->attributes->comparison, order(kind, &x[0], &x[1], i));
}

static void select_lanes(const pod_kernel_call *call, pod_lanes *x, int64_t count)
{
    (void)call;
    for (int64_t i = 0; i < count; i++)
        x[0].u[i] = x[0].u[i] != 0 ? x[1].u[i] : x[2].u[i];
}

static void clamp_lanes(const pod_kernel_call *call, pod_lanes *x, int64_t count)
{
    const pod_wide_kind kind = pod_kernel_wide_kind_of(call->inputs[0].dtype);
    for (int64_t i = 0; i < count; i++) {
        if (kind == POD_WIDE_FLOAT)
            x->f[i] = pod_kernel_minimum(pod_kernel_maximum(x->f[i], x[1].f[i]), x[2].f[i]);
        else if (kind == POD_WIDE_SIGNED)
            x->s[i] = pod_smaller(pod_larger(x->s[i], x[1].s[i]), x[2].s[i]);
        else {
            uint64_t raised = x->u[i] > x[1].u[i] ? x->u[i] : x[1].u[i];
            x->u[i] = raised < x[2].u[i] ? raised : x[2].u[i];
        }
    }
}

enum {
#define KERNEL(name, float_, signed_, unsigned_) FORM_##name,
#include "kernels/reference/elementwise.def"
};

static void (*const functions[])(const pod_kernel_call *call, pod_lanes *x, int64_t count) = {
#define KERNEL(name, float_, signed_, unsigned_) [FORM_##name] = name##_lanes,
#include "kernels/reference/elementwise.def"
};

static pod_status run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    pod_lanes x[3];
    int64_t count = 0;
    pod_kernel_lanes_fill(&x[1], (pod_wide){0}, POD_WIDE_LANES);
    for (int64_t first = begin * UNIT; (count = chunk_count(call, first, end)) > 0; first += count) {
        for (size_t i = 0; i < call->input_count; i++) {
            const pod_array *array = &call->inputs[i];
            pod_kernel_lanes_load(array->dtype, pod_kernel_array_at(array, first), 1, &x[i], count);
        }
        functions[call->form](call, x, count);
        pod_kernel_lanes_store(call->outputs[0].dtype, pod_kernel_array_at(&call->outputs[0], first), x, count);
    }
    return POD_OK;
}

static pod_status convert_run(const pod_kernel_call *call, int64_t begin, int64_t end)
{
    const pod_array *x = &call->inputs[0], *result = &call->outputs[0];
    const int64_t first = begin * UNIT, last = pod_smaller(end * UNIT, pod_shape_elements(&result->shape));
    if (first < last)
        pod_convert(x->dtype, pod_kernel_array_at(x, first), result->dtype, pod_kernel_array_at(result, first),
                    (size_t)(last - first));
    return POD_OK;
}

const pod_named_kernel pod_reference_elementwise[] = {
#define KERNEL(name, float_, signed_, unsigned_) {#name, NULL, {units, run, NULL, FORM_##name}},
#include "kernels/reference/elementwise.def"
    {"convert", NULL, {units, convert_run, NULL, 0}},
    {.op = NULL},
};
