/* terms - what the elements of sums and products are made of: see oracle.h. */

#include "oracle.h"

#include <math.h>
#include <string.h>

#include "evaluate.h"

pod_array converted(const pod_array *array, pod_dtype dtype)
{
    pod_array made = array_new(dtype, &array->shape);
    pod_convert(array->dtype, array->data, dtype, made.data, (size_t)count_of(array));
    return made;
}

bool is_term(const pod_node *node, const pod_array *inputs, uint32_t index)
{
    return pod_dtype_is_float(inputs[index].dtype) && (node->op != POD_OP_POOL_MAX_GRADIENT || index > 0);
}

static double measured_term(double x, measured what)
{
    const double size = fabs(x);
    return what == MEASURE_SIZE     ? size
           : what == MEASURE_NUMBER ? 1
           : what == MEASURE_MOST   ? fmax(1, size)
           : size == 0              ? 1
                                    : fmin(1, size);
}

pod_op region_folds_by(const pod_node *node)
{
    const pod_graph *g = node->regions[0];
    const pod_node *last = g->outputs[0];
    const bool folds = (last->op == POD_OP_ADD || last->op == POD_OP_MULTIPLY) &&
                       last->inputs[0]->op == POD_OP_PARAMETER && last->inputs[1]->op == POD_OP_PARAMETER &&
                       last->inputs[0] != last->inputs[1];
    return folds ? last->op : POD_OP_REDUCE;
}

bool is_product(const pod_node *node)
{
    return node->op == POD_OP_REDUCE_PRODUCT || (node->op == POD_OP_REDUCE && region_folds_by(node) == POD_OP_MULTIPLY);
}

/* The same of a fold by a region, whose first term or factor is what it begins with. */
static bool measure_region(const pod_node *node, const pod_array *inputs, measured what, pod_array *made)
{
    const pod_op by = region_folds_by(node);
    if (by == POD_OP_REDUCE)
        return false;
    *made = array_new(POD_F64, &node->results[0].shape);
    double *results = made->data;
    for (int64_t i = 0, end = count_of(made); i < end; i++)
        results[i] = measured_term(array_get(&inputs[1], 0), what);
    for (int64_t i = 0, end = count_of(&inputs[0]); i < end; i++) {
        double *to = &results[evaluate_reduced_place(&inputs[0].shape, &node->attributes->axes, i)];
        const double x = measured_term(array_get(&inputs[0], i), what);
        *to = by == POD_OP_ADD || what == MEASURE_NUMBER ? *to + x : *to * x;
    }
    return true;
}

bool measure_terms(const pod_node *node, const pod_array *inputs, measured what, pod_array *made)
{
    pod_array all[8];
    pod_error error;
    if (node->op == POD_OP_REDUCE)
        return measure_region(node, inputs, what, made);
    if (node->input_count > 8)
        return false;
    for (uint32_t i = 0; i < node->input_count; i++) {
        all[i] = inputs[i];
        if (!is_term(node, inputs, i))
            continue;
        all[i] = converted(&inputs[i], POD_F64);
        double *elements = all[i].data;
        for (int64_t j = 0, j_end = count_of(&all[i]); j < j_end; j++)
            elements[j] = measured_term(elements[j], what);
    }
    *made = array_new(POD_F64, &node->results[0].shape);
    const bool done = evaluate_kernel(node, all, made, &error) == POD_OK;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (is_term(node, inputs, i))
            array_free(&all[i]);
    if (!done)
        array_free(made);
    return done;
}

const double *count_terms(envelope *kept, const pod_node *node, const pod_array *inputs)
{
    const bool told = node->op != POD_OP_SCATTER && node->op != POD_OP_POOL_MAX_GRADIENT;
    for (uint32_t i = 0; i < kept->count; i++)
        if (kept->nodes[i] == node && told)
            return kept->terms[i].data;
    if (kept->count == KEPT_TERMS)
        array_free(&kept->terms[--kept->count]);
    if (!measure_terms(node, inputs, MEASURE_NUMBER, &kept->terms[kept->count]))
        return NULL;
    kept->nodes[kept->count] = node;
    return kept->terms[kept->count++].data;
}

double lowest_bit(const pod_array *array)
{
    pod_array wide = converted(array, POD_F64);
    double lowest = 0;
    for (int64_t i = 0, i_end = count_of(array); i < i_end; i++) {
        uint64_t bits;
        memcpy(&bits, (double *)wide.data + i, 8);
        const uint64_t mantissa = (bits & 0xfffffffffffff) | 0x10000000000000, exponent = bits >> 52 & 0x7ff;
        if ((bits << 1) == 0)
            continue;
        const double bit = exponent == 0 || exponent == 0x7ff
                               ? 0x1p-1000
                               : ldexp((double)(mantissa & -mantissa), (int)exponent - 1075);
        lowest = lowest == 0 || bit < lowest ? bit : lowest;
    }
    array_free(&wide);
    return lowest;
}

bool convolves(const pod_node *node)
{
    return node->op == POD_OP_CONVOLUTION || node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT ||
           node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT;
}

bool multiplies(const pod_node *node)
{
    return node->op == POD_OP_DOT || convolves(node);
}

bool sums_exactly(const pod_node *node, const pod_array *inputs, const pod_array *sums, int bits)
{
    const bool products = multiplies(node);
    double bit = 0, largest = 0;
    for (uint32_t i = 0; i < node->input_count; i++) {
        const double own = is_term(node, inputs, i) ? lowest_bit(&inputs[i]) : 0;
        if (own != 0)
            bit = bit == 0 ? own : products ? bit * own : own < bit ? own : bit;
    }
    for (int64_t i = 0, i_end = count_of(sums); i < i_end; i++)
        largest = ((double *)sums->data)[i] > largest ? ((double *)sums->data)[i] : largest;
    if (is_product(node))
        return bit >= 1 && largest < ldexp(1, bits < 24 ? bits : 24);
    return largest <= ldexp(bit, bits);
}

int bits_of_sums(const pod_node *node, const pod_array *result, bool steps)
{
    const pod_dtype dtype = pod_node_dtype(node, 0);
    if (steps && !multiplies(node) && (dtype == POD_F16 || dtype == POD_BF16))
        return dtype == POD_F16 ? 11 : 8;
    return result->dtype == POD_F64 ? 53 : 24;
}

double limit_of_sums(const pod_node *node)
{
    return node->op == POD_OP_REDUCE && pod_node_dtype(node, 0) == POD_F16 ? 0x1p15 : 0x1p120;
}
