/*
 * oracle - what a program gives when its nodes are computed one by one with the reference kernels, and how far other
 * results may be from it.
 *
 * Results of ops that kernels may round otherwise (the op table's `bound`) are moved at random by as much as the bound
 * allows, and the program is computed to its end, again and again. What results span is what they may be: nothing where
 * all is exact, and both ways of a comparison where a difference as small as an error decides it. What no such run
 * reaches is held to bounds that are followed through the program by rule: intervals.c.
 */

#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "graph/composites.h"
#include "replicate/replicate_plan.h"

/* ---- moving results ------------------------------------------------------------------------------------- */

/* A node whose region is computed, and the one whose region that node is in. */
typedef struct caller {
    const pod_node *node;
    const struct caller *outer;
} caller;

static struct {
    dice *dice;
    double scale;
    bool together; /* elements of a node are moved alike, as equal elements have equal errors */
    double shift;
    int rounds;           /* so many of 100 16-bit results within bodies of calls are rounded */
    bool readers;         /* each reader of such a result may round for itself */
    bool steps;           /* results may be computed in steps that round, as XLA's CPU compiler does */
    bool replicated;      /* the program is that of several replicas */
    const caller *caller; /* of the graph that is computed */
    /* Replicas side by side whose nodes are moved and rounded alike, as one loop does it; or NULL. */
    const program *alike;
    uint64_t alike_seed;
    envelope *envelope;
} shaking;

/* -1 .. 1 times the scale. */
static double shift(void)
{
    return (shaking.together ? shaking.shift : unit(shaking.dice)) * shaking.scale;
}

/* A region folds in any order that the reduction it stands for does: in parts, too, whose errors do not add up as those
 * of one term after the other, which are all of one sign where terms are alike. */
static void fold_in_parts(const pod_node *node, const pod_array *inputs, pod_array *result)
{
    enum { PARTS = 16 };
    const pod_op by = region_folds_by(node);
    if (by == POD_OP_REDUCE)
        return;
    const double none = by == POD_OP_ADD ? 0 : 1;
    const int64_t count = count_of(result);
    double *parts = malloc((size_t)(count * PARTS + 1) * sizeof *parts);
    int64_t *next = calloc((size_t)count + 1, sizeof *next);
    if (!parts || !next)
        abort();
    for (int64_t i = 0; i < count * PARTS; i++)
        parts[i] = none;
    for (int64_t i = 0, end = count_of(&inputs[0]); i < end; i++) {
        const int64_t place = evaluate_reduced_place(&inputs[0].shape, &node->attributes->axes, i);
        double *part = &parts[place * PARTS + next[place]++ % PARTS], x = array_get(&inputs[0], i);
        *part = by == POD_OP_ADD ? *part + x : *part * x;
    }
    for (int64_t i = 0; i < count; i++) {
        double x = array_get(&inputs[1], 0);
        for (int64_t j = 0; j < PARTS; j++)
            x = by == POD_OP_ADD ? x + parts[i * PARTS + j] : x * parts[i * PARTS + j];
        array_set(result, i, x);
    }
    free(parts);
    free(next);
}

/* EXEMPT: the sign of a zero that is a sum or an extreme: of each its own, or of all the same. */
static void shake_zeros(pod_array *result)
{
    const int positive = (int[]){50, 0, 100}[below(shaking.dice, 3)];
    for (int64_t i = 0, end = count_of(result); i < end; i++)
        if (array_get(result, i) == 0)
            array_set(result, i, chance(shaking.dice, positive) ? 0.0 : -0.0);
}

/* EXEMPT: products of many factors. In some order they are below all normal numbers in between, where each keeps fewer
 * bits, or none. */
static void shake_underflow(const pod_node *node, const pod_array *inputs, pod_array *result)
{
    const double lost = (result->dtype == POD_F64 ? 0x1p-1074 : 0x1p-149) * (double)count_of(&inputs[0]);
    pod_array least;
    if (!measure_terms(node, inputs, MEASURE_LEAST, &least))
        return;
    for (int64_t i = 0, end = count_of(result); i < end; i++) {
        const double x = array_get(result, i), smallest = ((double *)least.data)[i];
        const double share = lost < smallest ? lost / smallest : 1;
        if (share > 0x1p-60)
            array_set(result, i, x + x * share * shift());
    }
    array_free(&least);
}

/* EXEMPT: sums of many terms and products of many factors. In some order they leave what floats hold; the 16 bits of a
 * region's f16 hold least. */
static void shake_overflow(const pod_node *node, const pod_array *most, pod_array *result)
{
    const double limit = limit_of_sums(node);
    for (int64_t i = 0, end = count_of(result); i < end; i++)
        if (!(((double *)most->data)[i] < limit))
            array_set(result, i, (double[]){array_get(result, i), 0, INFINITY, -INFINITY, NAN}[below(shaking.dice, 5)]);
}

const pod_composite *kernel_called(const pod_node *node)
{
    const pod_composite *found =
        node->op == POD_OP_CALL && node->attributes->name ? pod_graph_composite_find(node->attributes->name) : NULL;
    return found && found->bound != 0 ? found : NULL;
}

/* Whether what is computed is a body in whose place a kernel may be, which has sums of its own. */
static bool in_place_of_kernel(void)
{
    const caller *by = shaking.caller;
    while (by && !kernel_called(by->node))
        by = by->outer;
    return by != NULL;
}

/* EXEMPT: a kernel of attention's gradient takes the sums over keys of shares times their gradients from what attention
 * gave, where that is rounded, so that they are not exact with what they are subtracted from. */
static bool sums_from_result(void)
{
    const caller *by = shaking.caller;
    while (by && !kernel_called(by->node))
        by = by->outer;
    return by && strncmp(by->node->attributes->name, "attention_gradient", 18) == 0;
}

/* Whether nothing is added: a sum over no axes, or axes of size 1, keeps the sign of a zero. */
static bool sums_single_elements(const pod_node *node)
{
    return node->op == POD_OP_REDUCE_SUM && !shaking.steps && !in_place_of_kernel() &&
           pod_shape_elements(pod_node_shape(node, 0)) == pod_shape_elements(pod_node_shape(node->inputs[0], 0));
}

static void shake_sums(const pod_node *node, const pod_array *inputs, pod_array *result)
{
    const bool is_f64 = result->dtype == POD_F64, product = is_product(node);
    const bool plain = !product && !multiplies(node) && !in_place_of_kernel();
    const int bits = bits_of_sums(node, result, shaking.steps);
    const double step = ldexp(bits < 24 ? 1 : 2, -bits);
    const double *terms;
    pod_array sums, most;
    if (node->op == POD_OP_REDUCE && chance(shaking.dice, 50))
        fold_in_parts(node, inputs, result);
    if (!sums_single_elements(node))
        shake_zeros(result);
    if (node->result_count != 1 || !measure_terms(node, inputs, MEASURE_SIZE, &sums))
        return;
    for (int64_t i = 0, i_end = count_of(result); multiplies(node) && !is_f64 && i < i_end; i++) /* EXEMPT: the same */
        if (((double *)sums.data)[i] < 0x1p-110 && chance(shaking.dice, 50))
            array_set(result, i, 0);
    if ((sums_from_result() || !sums_exactly(node, inputs, &sums, bits)) &&
        (terms = count_terms(shaking.envelope, node, inputs)))
        for (int64_t i = 0, i_end = count_of(result); i < i_end; i++) {
            /* EXEMPT: products below all normal numbers */
            const double lost = is_f64 || plain ? 0 : 0x1p-120;
            const double sum = ((double *)sums.data)[i] + lost;
            if ((terms[i] <= 1 && plain) || !isfinite(sum)) /* one term is the sum, and so is what is infinite */
                continue;
            const double ways = product ? 64 : fmax(terms[i], 1);
            const double old = array_get(result, i), room = sqrt(ways) * sum * step;
            /* Terms that cancel leave nothing at all in some order, or only what is small among them. */
            const bool cancels = fabs(old) < room && chance(shaking.dice, 20);
            const double rest = chance(shaking.dice, 50) ? ldexp(room * shift(), -(int)below(shaking.dice, 140)) : 0;
            array_set(result, i, cancels ? rest : old + room * shift());
        }
    if (product)
        shake_underflow(node, inputs, result);
    if (!product && !is_f64)
        shake_overflow(node, &sums, result);
    if (product && measure_terms(node, inputs, MEASURE_MOST, &most)) { /* a factor of 0 hides how large it gets */
        shake_overflow(node, &most, result);
        array_free(&most);
    }
    array_free(&sums);
}

/* By so many units in the last place. EXEMPT: what is below all normal numbers may be lost. */
static void shake_ulps(pod_array *result, int32_t bound)
{
    const bool is_f64 = result->dtype == POD_F64;
    const double least = is_f64 ? 0x1p-1022 : 0x1p-126;
    for (int64_t i = 0, i_end = count_of(result); i < i_end; i++) {
        int exponent;
        const double x = array_get(result, i);
        if (!isfinite(x))
            continue;
        frexp(x, &exponent);
        const double ulp = ldexp(1, (x == 0 ? -200 : exponent) - (is_f64 ? 53 : 24));
        array_set(result, i, fabs(x) < least && chance(shaking.dice, 50) ? 0 : x + ulp * bound * shift());
    }
}

/* Whether a value is a product, or becomes one when a compiler sees that a square has no sign to lose. */
static bool is_multiplied(const pod_node *node)
{
    while (node->op == POD_OP_ABS)
        node = node->inputs[0];
    return node->op == POD_OP_MULTIPLY;
}

/* A product that is added need not be rounded before: the sum is off by half of both last places at most. */
static void shake_fused(const pod_node *node, const pod_array *inputs, pod_array *result)
{
    const pod_dtype dtype = pod_node_dtype(node, 0);
    for (uint32_t i = 0; i < node->input_count && (dtype == POD_F32 || dtype == POD_F64); i++)
        for (int64_t j = 0, j_end = count_of(result); is_multiplied(node->inputs[i]) && j < j_end; j++) {
            const double old = array_get(result, j), both = fabs(array_get(&inputs[i], j)) + fabs(old);
            array_set(result, j, old + both * (dtype == POD_F64 ? 0x1p-53 : 0x1p-24) * unit(shaking.dice));
        }
}

bool is_narrow(pod_dtype dtype)
{
    return pod_dtype_is_float(dtype) && pod_dtype_size(dtype) == 2;
}

/* Whether a node moves elements, or gives its operand. */
static bool moves(const pod_node *node)
{
    const bool casts = node->op == POD_OP_CONVERT && pod_node_dtype(node, 0) == pod_node_dtype(node->inputs[0], 0);
    return casts || pod_op_get(node->op)->flops == POD_FLOPS_FREE || node->op == POD_OP_SELECT ||
           node->op == POD_OP_SORT || node->op == POD_OP_CHECK;
}

/* Whether any operand is wider than its type, and the op need not read it from memory. */
static bool reads_wide(const pod_node *node, const pod_array *inputs)
{
    bool wide = false;
    for (uint32_t i = 0; i < node->input_count; i++)
        wide = wide || inputs[i].dtype != pod_node_dtype(node->inputs[i], 0);
    return wide && node->op != POD_OP_REDUCE && node->op != POD_OP_BITCAST;
}

static double largest_of(const pod_array *array)
{
    double largest = 0;
    for (int64_t i = 0, i_end = count_of(array); i < i_end; i++)
        largest = fmax(largest, fabs(array_get(array, i)));
    return largest;
}

/* EXEMPT: 16-bit floats. Kernels of composites keep in f32 what the body rounds to 16 bits in between, and read an
 * operand of 16 bits as it is stored in one place and as it was computed in another. */
static void shake_narrow(const pod_node *node, const pod_array *inputs, pod_array *result)
{
    double largest = is_narrow(result->dtype) ? largest_of(result) : 0;
    pod_dtype dtype = is_narrow(result->dtype) ? result->dtype : POD_DTYPE_NONE;
    for (uint32_t i = 0; i < node->input_count && dtype == POD_DTYPE_NONE; i++)
        if (inputs[i].dtype == POD_F32 && is_narrow(pod_node_dtype(node->inputs[i], 0))) {
            dtype = pod_node_dtype(node->inputs[i], 0);
            largest = largest_of(&inputs[i]);
        }
    for (int64_t i = 0, i_end = count_of(result); i < i_end && dtype != POD_DTYPE_NONE; i++)
        array_set(result, i, array_get(result, i) + largest * shift() * (dtype == POD_F16 ? 0x1p-10 : 0x1p-7));
}

/* What a parameter of a region that is called stands for; NULL: another one, or one that changes. */
static const pod_node *argument_of(const pod_node *parameter)
{
    const caller *by = shaking.caller;
    const size_t index = (size_t)parameter->attributes->axis;
    for (; by; by = by->outer)
        for (uint32_t i = 0; i < by->node->region_count; i++)
            if (by->node->regions[i] == parameter->graph)
                return by->node->op == POD_OP_CALL   ? by->node->inputs[index]
                       : by->node->op == POD_OP_COND ? by->node->inputs[index + 1]
                                                     : NULL;
    return NULL;
}

/* Whether a node has the elements of its operand, of any float type. */
static bool is_view(const pod_node *node)
{
    switch (node->op) {
    case POD_OP_REDUCE_SUM:
    case POD_OP_REDUCE_PRODUCT:
    case POD_OP_REDUCE_MAX:
    case POD_OP_REDUCE_MIN:
        return pod_shape_elements(pod_node_shape(node, 0)) == pod_shape_elements(pod_node_shape(node->inputs[0], 0));
    case POD_OP_CONVERT:
    case POD_OP_RESHAPE:
    case POD_OP_TRANSPOSE:
    case POD_OP_BROADCAST:
    case POD_OP_SLICE:
    case POD_OP_REVERSE:
        return true;
    default:
        return false;
    }
}

/* The 16-bit type of what a node is a view of; POD_DTYPE_NONE: it is no view of such. */
static pod_dtype narrow_type_of(const pod_node *node)
{
    while (node && pod_dtype_is_float(pod_node_dtype(node, 0))) {
        if (is_narrow(pod_node_dtype(node, 0)))
            return pod_node_dtype(node, 0);
        node = node->op == POD_OP_PARAMETER ? argument_of(node) : is_view(node) ? node->inputs[0] : NULL;
    }
    return POD_DTYPE_NONE;
}

/* EXEMPT: 16-bit floats in bodies of calls. One reader may have a value as it is computed, another as it is stored. */
static void read_as_stored(pod_array *own, const pod_array *input, pod_dtype type)
{
    pod_array rounded = converted(input, type), wide = converted(&rounded, own->dtype);
    array_free(&rounded);
    if (own->data != input->data)
        array_free(own);
    *own = wide;
}

/* EXEMPT: 16-bit floats. What a region of 16 bits folds need not be rounded at each element. */
static void shake_narrow_fold(const pod_array *x, pod_array *result)
{
    const double terms = (double)count_of(x) / fmax(1, (double)count_of(result)) + 1;
    const double step = terms * (result->dtype == POD_F16 ? 0x1p-11 : 0x1p-8);
    pod_array last = converted(result, POD_F32);
    const double largest = largest_of(x);
    const bool whole = largest == 0 || lowest_bit(x) >= 1;
    for (int64_t i = 0, i_end = count_of(&last); i < i_end; i++) {
        const double old = array_get(&last, i);
        const bool exact = whole && largest < 16 && fabs(old) < 128 && old == rint(old);
        if (!exact)
            array_set(&last, i, old + (fabs(old) + largest) * step * unit(shaking.dice));
    }
    array_free(result);
    *result = last;
}

/* EXEMPT: kernels of composites know where functions end that bodies compute in steps, some of them infinite. */
static void shake_body_ends(pod_array *result)
{
    for (int64_t i = 0, end = count_of(result); i < end; i++)
        if (!isfinite(array_get(result, i)))
            array_set(result, i, (double[]){NAN, INFINITY, -INFINITY, unit(shaking.dice)}[below(shaking.dice, 4)]);
}

bool joins_replicas(const pod_node *node)
{
    const pod_node *stack = node->op == POD_OP_REDUCE_SUM ? node->inputs[0] : NULL;
    bool joins = stack && stack->op == POD_OP_CONCATENATE && node->attributes->axes.count == 1 &&
                 node->attributes->axes.axes[0] == 0;
    for (uint32_t i = 0; joins && i < stack->input_count; i++)
        joins = stack->inputs[i]->op == POD_OP_RESHAPE && pod_node_shape(stack->inputs[i], 0)->dims[0] == 1;
    return joins;
}

pod_dtype narrow_before(const pod_node *node, int depth)
{
    const pod_dtype dtype = pod_node_dtype(node, 0);
    if (!pod_replicate_batching_get(node->op)->sum || depth == 0 || !pod_dtype_is_float(dtype))
        return POD_DTYPE_NONE;
    pod_dtype found = is_narrow(dtype) ? dtype : POD_DTYPE_NONE;
    for (uint32_t i = 0; i < node->input_count && found == POD_DTYPE_NONE; i++)
        found = narrow_before(node->inputs[i], depth - 1);
    return found;
}

/* EXEMPT: 16-bit floats. A sum over replicas is that of one core with all rows: what is added is rounded once, as the
 * sum of all, and not on each replica. shards.c holds sums to that. */
static void shake_joined(const pod_node *node, const pod_array *inputs, pod_array *result)
{
    const pod_dtype narrow = narrow_before(node->inputs[0]->inputs[0]->inputs[0], 8);
    pod_array sums;
    if (narrow == POD_DTYPE_NONE || !measure_terms(node, inputs, MEASURE_SIZE, &sums))
        return;
    const double step = narrow == POD_F16 ? 0x1p-10 : 0x1p-7;
    for (int64_t i = 0, end = count_of(result); i < end; i++)
        array_set(result, i, array_get(result, i) + ((double *)sums.data)[i] * step * shift());
    array_free(&sums);
}

static void move(const pod_node *node, const pod_array *inputs, pod_array *result)
{
    const pod_op_row *row = pod_op_get(node->op);
    const pod_composite *composite = kernel_called(node);
    const int32_t bound = composite ? composite->bound : node->op == POD_OP_CALL ? 0 : row->bound;
    if (!pod_dtype_is_float(result->dtype) || count_of(result) == 0)
        return;
    if (bound == POD_BOUND_SUMS)
        shake_sums(node, inputs, result);
    else if (node->op == POD_OP_ADD || node->op == POD_OP_SUBTRACT || node->op == POD_OP_MAXIMUM ||
             node->op == POD_OP_MINIMUM || node->op == POD_OP_CLAMP || node->op == POD_OP_REDUCE_MAX ||
             node->op == POD_OP_REDUCE_MIN || node->op == POD_OP_POOL_MAX)
        shake_zeros(result);
    else if (bound > 0)
        shake_ulps(result, bound);
    if (shaking.steps && (node->op == POD_OP_ADD || node->op == POD_OP_SUBTRACT))
        shake_fused(node, inputs, result);
    if (shaking.steps && node->op == POD_OP_DIVIDE && node->inputs[1]->op == POD_OP_SQRT) /* there x * rsqrt(y) */
        shake_ulps(result, pod_op_get(POD_OP_RSQRT)->bound);
    if (shaking.steps && node->op == POD_OP_DIVIDE && /* there x / y / z is x / (y z), which rounds elsewhere */
        (node->inputs[0]->op == POD_OP_DIVIDE || node->inputs[1]->op == POD_OP_DIVIDE))
        shake_ulps(result, 2);
    if (shaking.replicated && node->op == POD_OP_DIVIDE && node->inputs[0]->op == POD_OP_REDUCE_SUM)
        shake_ulps(result, 1); /* a mean of what is the same on all replicas is that, without a sum */
    if (shaking.replicated && joins_replicas(node))
        shake_joined(node, inputs, result);
    if (composite) {
        shake_narrow(node, inputs, result);
        shake_body_ends(result);
    }
}

bool attends(const pod_node *node)
{
    return node->op == POD_OP_CALL && node->attributes->name && strncmp(node->attributes->name, "attention", 9) == 0;
}

/* EXEMPT: convolutions and attention of what is infinite or no number give anything. */
static bool gives_anything(const pod_node *node, const pod_array *inputs)
{
    for (uint32_t i = 0; i < node->input_count && (convolves(node) || attends(node)); i++)
        for (int64_t j = 0, j_end = count_of(&inputs[i]); j < j_end; j++)
            if (!(fabs(array_get(&inputs[i], j)) < 0x1p40))
                return true;
    return false;
}

/* Each element something else, or all the same: a fold tells nothing of one among others. What is computed is among it,
 * and numbers of any size. */
static void set_anything(pod_array *result)
{
    const int64_t common = below(shaking.dice, 12);
    for (int64_t i = 0, end = count_of(result); i < end; i++) {
        const double number = ldexp(unit(shaking.dice), (int)below(shaking.dice, 120));
        array_set(result, i,
                  (double[]){NAN, INFINITY, -INFINITY, unit(shaking.dice), number,
                             array_get(result, i)}[common < 6 ? common : below(shaking.dice, 6)]);
    }
}

bool has_kernel(const pod_node *node)
{
    static signed char known[POD_OP_COUNT];
    if (known[node->op] == 0)
        known[node->op] =
            pod_op_get(node->op)->flops != POD_FLOPS_REGION && pod_kernel_reference_kernel(pod_op_name(node->op)) ? 1
                                                                                                                  : -1;
    return known[node->op] > 0;
}

static bool has_factors_below(const pod_array *array, double least)
{
    for (int64_t i = 0, end = count_of(array); i < end; i++)
        if (array_get(array, i) != 0 && fabs(array_get(array, i)) < least)
            return true;
    return false;
}

/* EXEMPT: sums of products. A factor below all normal numbers may count as 0, however large the other one is. */
static void flush_factors(pod_array *own, const pod_array *input)
{
    const double least = 0x1p-126; /* no kernel of f64 does this */
    if (!pod_dtype_is_float(own->dtype) || own->dtype == POD_F64 || !has_factors_below(own, least))
        return;
    if (own->data == input->data)
        *own = evaluate_copy(input);
    for (int64_t i = 0, end = count_of(own); i < end; i++)
        if (fabs(array_get(own, i)) < least)
            array_set(own, i, 0);
}

static void round_as(pod_array *array, pod_dtype type)
{
    const pod_array rounded = converted(array, type);
    array_free(array);
    *array = rounded;
}

/* Whether what is computed is the body of a call: there 16-bit floats may keep what f32 holds, and only there. */
static bool in_body(void)
{
    const caller *by = shaking.caller;
    while (by && by->node->op != POD_OP_CALL)
        by = by->outer;
    return by != NULL;
}

/* Computes a node whose operands may be wider than their types, and moves the result. A result of 16 bits may stay as
 * wide as it is computed within the body of a call. */
static pod_status shake_node(const pod_node *node, const pod_array *inputs, pod_array *results, pod_error *error)
{
    pod_array own[64];
    const bool folds = node->op == POD_OP_REDUCE, reads = reads_wide(node, inputs);
    const bool kernel = has_kernel(node), body = in_body();
    const bool narrow_result = kernel && is_narrow(results[0].dtype);
    const bool computes = narrow_result && !moves(node) && node->op != POD_OP_CONVERT; /* in f32, to be moved there */
    const bool stays =
        body && narrow_result && (moves(node) ? reads : computes && !chance(shaking.dice, shaking.rounds));
    for (uint32_t i = 0; i < node->input_count; i++) {
        const pod_dtype type = pod_node_dtype(node->inputs[i], 0);
        const pod_dtype wanted = (reads || computes) && is_narrow(type) ? POD_F32 : type;
        own[i] = inputs[i].dtype == wanted ? inputs[i] : converted(&inputs[i], wanted);
        const pod_dtype narrow = narrow_type_of(node->inputs[i]);
        if (body && narrow && own[i].dtype != narrow && shaking.readers && chance(shaking.dice, shaking.rounds))
            read_as_stored(&own[i], &inputs[i], narrow);
    }
    const bool flushes = multiplies(node) && chance(shaking.dice, 30);
    for (uint32_t i = 0; i < node->input_count && flushes; i++)
        flush_factors(&own[i], &inputs[i]);
    const bool wide = computes || (reads && kernel && moves(node));
    for (uint32_t i = 0; wide && i < node->result_count; i++)
        if (is_narrow(results[i].dtype)) {
            array_free(&results[i]);
            results[i] = array_new(POD_F32, &node->results[i].shape);
        }
    shaking.together = chance(shaking.dice, 50);
    shaking.shift = unit(shaking.dice);
    const caller inner = {node, shaking.caller};
    shaking.caller = &inner;
    const pod_status status = evaluate_node(node, own, results, error);
    shaking.caller = inner.outer;
    if (status == POD_OK && folds && is_narrow(results[0].dtype))
        shake_narrow_fold(&own[0], &results[0]);
    const bool moved = chance(shaking.dice, 85); /* else as the reference has it, which later ops may depend on */
    for (uint32_t i = 0; status == POD_OK && moved && i < node->result_count; i++)
        move(node, own, &results[i]);
    if (status == POD_OK && shaking.steps && chance(shaking.dice, 50))
        steps_replace(node, own, &results[0]);
    for (uint32_t i = 0; status == POD_OK && i < node->result_count && gives_anything(node, own); i++)
        set_anything(&results[i]);
    const bool keeps = stays || (body && !kernel);
    for (uint32_t i = 0; status == POD_OK && !keeps && i < node->result_count; i++)
        if (results[i].dtype != node->results[i].dtype)
            round_as(&results[i], node->results[i].dtype);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (own[i].data != inputs[i].data)
            array_free(&own[i]);
    return status;
}

/* The same, by dice that all replicas' nodes of one node have in common. */
static pod_status shake(const pod_node *node, const pod_array *inputs, pod_array *results, pod_error *error)
{
    dice *const common = shaking.dice;
    const program *p = shaking.alike;
    const uint32_t kin = p && node->graph == p->graph ? p->kin[node->id] : 0;
    dice own = {shaking.alike_seed ^ kin * 0x9e3779b97f4a7c15u};
    if (kin)
        shaking.dice = &own;
    const pod_status status = shake_node(node, inputs, results, error);
    shaking.dice = common;
    return status;
}

/* ---- runs ----------------------------------------------------------------------------------------------- */

void oracle_run(const program *p, dice *dice_of_shaking, double scale, outcome *o)
{
    const pod_graph *g = p->graph;
    pod_error error = {0};
    *o = (outcome){.output_count = g->output_count, .parameter_count = g->parameter_count};
    for (uint32_t i = 0; i < g->parameter_count; i++)
        o->arguments[i] = evaluate_copy(&p->arguments[i]);
    shaking.dice = dice_of_shaking;
    shaking.scale = scale;
    /* Compilers round none, all, or the few that loops store for others. */
    shaking.rounds = dice_of_shaking ? (int[]){0, 10, 25, 50, 75, 100}[below(dice_of_shaking, 6)] : 100;
    shaking.readers = dice_of_shaking && chance(dice_of_shaking, 50);
    shaking.alike = dice_of_shaking && p->kin && chance(dice_of_shaking, 70) ? p : NULL;
    shaking.replicated = p->kin != NULL;
    shaking.alike_seed = shaking.alike ? roll(dice_of_shaking) : 0;
    evaluate_instead = dice_of_shaking ? shake : NULL;
    const long printed = evaluate_prints;
    const bool alike = dice_of_shaking && chance(dice_of_shaking, 50); /* a program rounds alike in all steps */
    const dice first = dice_of_shaking ? *dice_of_shaking : (dice){0};
    for (int64_t step = 0; step < p->steps; step++) {
        if (alike)
            *dice_of_shaking = first;
        evaluate_free(o->outputs, o->output_count);
        o->status = evaluate_graph(g, o->arguments, o->outputs, &error);
        if (o->status != POD_OK) {
            snprintf(o->message, sizeof o->message, "%s", error.message);
            break;
        }
        for (uint32_t i = 0; i < g->output_count; i++)
            if (g->aliases[i] >= 0)
                memcpy(o->arguments[g->aliases[i]].data, o->outputs[i].data,
                       (size_t)count_of(&o->outputs[i]) * pod_dtype_size(o->outputs[i].dtype));
    }
    o->prints = evaluate_prints - printed;
    evaluate_instead = NULL;
}

void oracle_sample(const program *p, envelope *kept, double scale, bool steps, outcome *o)
{
    shaking.envelope = kept;
    shaking.steps = steps;
    oracle_run(p, &kept->dice, scale, o);
    shaking.steps = false;
}
