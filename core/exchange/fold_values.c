/*
 * What small regions do, found by trying them: a region of scalars is computed for a few values
 * that tell the folds and orders apart. So a comparator or an argmax is known however it is
 * written. */

#include "exchange/fold_values.h"

#include <math.h>
#include <string.h>

#define MOST_VALUES 64

typedef struct trial {
    pod_translator *translator;
    const pod_syntax_region *region;
    double values[MOST_VALUES];
} trial;

static double *value_of(trial *t, uint32_t number)
{
    uint32_t index = number - t->region->first_value;
    return number >= t->region->first_value && index < MOST_VALUES ? &t->values[index] : NULL;
}

/* The number that a value is while the region is tried; also of a constant that is defined outside. */
static bool find_operand(trial *t, uint32_t number, double *operand)
{
    const double *value = value_of(t, number);
    if (value) {
        *operand = *value;
        return true;
    }
    const pod_translator *translator = t->translator;
    if (number < translator->first_value || number >= translator->end_value)
        return false;
    const pod_node *node = pod_exchange_translator_get(translator, number);
    return number < t->region->first_value && node && pod_node_is_splat(node, operand);
}

/* Floats as integers in the order of IEEE 754's totalOrder, for equal signs of NaN. */
static int total_order(double a, double b)
{
    bool a_nan = isnan(a), b_nan = isnan(b);
    if (a_nan || b_nan)
        return a_nan - b_nan;
    if (a == b)
        return (signbit(b) != 0) - (signbit(a) != 0);
    return a < b ? -1 : 1;
}

static bool compare(pod_comparison comparison, double a, double b)
{
    const bool less = a < b, equal = a == b;
    const bool greater = a > b;
    const bool holds[] = {
        [POD_COMPARE_EQ] = equal,         [POD_COMPARE_NE] = !equal,  [POD_COMPARE_LT] = less,
        [POD_COMPARE_LE] = less || equal, [POD_COMPARE_GT] = greater, [POD_COMPARE_GE] = greater || equal,
    };
    return holds[comparison];
}

static bool try_compare(trial *t, const pod_syntax_op *op, double a, double b, double *result)
{
    bool total;
    const pod_comparison comparison = pod_exchange_read_direction(t->translator, op, &total);
    if ((int)comparison < 0)
        return false;
    *result = total ? compare(comparison, total_order(a, b), 0) : compare(comparison, a, b);
    return true;
}

static bool try_constant(trial *t, const pod_syntax_op *op, double *result)
{
    const pod_syntax_value *value = pod_exchange_syntax_find(&op->attributes, "value");
    void *elements;
    bool splat;
    if (!value || value->kind != POD_VALUE_DENSE || value->type.foreign ||
        pod_shape_elements(&value->type.shape) != 1 ||
        !pod_exchange_read_dense(t->translator, value, &value->type, &elements, &splat))
        return false;
    pod_convert(value->type.dtype, elements, POD_F64, result, 1);
    pod_free(t->translator->context, elements);
    return true;
}

/* Computes an op; false for one that is not known here. */
static bool try_op(trial *t, const pod_syntax_op *op)
{
    double in[3] = {0};
    double *result = op->result_count == 1 ? value_of(t, op->first_result) : NULL;
    const pod_reader_row *row = t->translator->find_reader(op->name);
    if (!result || !row || op->operand_count > 3)
        return false;
    for (uint32_t i = 0; i < op->operand_count; i++) {
        if (!find_operand(t, op->operands[i], &in[i]))
            return false;
    }
    if (row->read == pod_exchange_read_constant)
        return try_constant(t, op, result);
    if (row->read == pod_exchange_read_compare && op->operand_count == 2)
        return try_compare(t, op, in[0], in[1], result);
    if (row->read == pod_exchange_read_select && op->operand_count == 3)
        *result = in[0] != 0 ? in[1] : in[2];
    else if (row->code == POD_OP_AND && op->operand_count == 2)
        *result = in[0] != 0 && in[1] != 0;
    else if (row->code == POD_OP_OR && op->operand_count == 2)
        *result = in[0] != 0 || in[1] != 0;
    else if (row->code == POD_OP_NOT && op->operand_count == 1)
        *result = in[0] == 0;
    else
        return false;
    return true;
}

/* Computes a region for `arguments`; false when it cannot be. results[i] is what it returns. */
static bool try_region(pod_translator *translator, const pod_syntax_region *region, const double *arguments,
                       double *results, uint32_t count)
{
    trial t = {.translator = translator, .region = region};
    if (region->argument_count > MOST_VALUES / 2 || !region->last || region->last->operand_count != count)
        return false;
    memcpy(t.values, arguments, region->argument_count * sizeof *arguments);
    for (const pod_syntax_op *op = region->first; op != region->last; op = op->next) {
        if (!try_op(&t, op))
            return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!find_operand(&t, region->last->operands[i], &results[i]))
            return false;
    }
    return true;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Returns whether the region (value, index, value, index) keeps the larger value, or the smaller, with its
 * index, the first of equals, and NaN before all. */
static bool picks(pod_translator *t, const pod_syntax_region *region, bool larger, bool floats)
{
    const double samples[] = {0, 1, NAN};
    int count = floats ? 3 : 2;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            double a = samples[i], b = samples[j], results[2];
            double arguments[4] = {a, 3, b, 5};
            bool second = !isnan(a) && (isnan(b) || (larger ? b > a : b < a));
            if (!try_region(t, region, arguments, results, 2) || !same(results[0], second ? b : a) ||
                results[1] != (second ? 5 : 3))
                return false;
        }
    }
    return true;
}

pod_op pod_exchange_region_picks(pod_translator *t, const pod_syntax_region *region, bool floats)
{
    if (region->argument_count != 4)
        return -1;
    if (picks(t, region, true, floats))
        return POD_OP_ARGMAX;
    return picks(t, region, false, floats) ? POD_OP_ARGMIN : -1;
}

pod_op pod_exchange_region_joins(pod_translator *t, const pod_syntax_region *region)
{
    int table = 0;
    for (int i = 0; i < 4; i++) {
        const double arguments[2] = {i / 2, i % 2};
        double result;
        if (region->argument_count != 2 || !try_region(t, region, arguments, &result, 1))
            return -1;
        table |= (result != 0) << i;
    }
    return table == 8 ? POD_OP_AND : table == 14 ? POD_OP_OR : -1;
}

/* Fills arguments of a comparator: its first pair is (a, b), the others tell themselves apart. */
static bool compares(pod_translator *t, const pod_syntax_region *region, double a, double b, int others, double *result)
{
    double arguments[MOST_VALUES];
    for (uint32_t i = 2; i < region->argument_count && i < MOST_VALUES; i++)
        arguments[i] = (i % 2 ? -1.0 : 1.0) * others * (i + 10);
    arguments[0] = a;
    arguments[1] = b;
    return try_region(t, region, arguments, result, 1);
}

bool pod_exchange_region_orders(pod_translator *t, const pod_syntax_region *region, bool floats, bool *descending)
{
    double less, greater, equal, first, second;
    for (int others = -1; others <= 1; others += 2) {
        if (!compares(t, region, 1, 2, others, &less) || !compares(t, region, 2, 1, others, &greater) ||
            !compares(t, region, 2, 2, others, &equal) || equal != 0 || less == greater)
            return false;
        if (others == 1 && *descending != (greater != 0))
            return false;
        *descending = greater != 0;
        if (!floats)
            continue;
        /* ours puts NaN last: a comparator that wants them first is another order */
        if (!compares(t, region, NAN, 1, others, &first) || !compares(t, region, 1, NAN, others, &second) ||
            (first != 0 && second == 0))
            return false;
    }
    return true;
}

pod_op pod_exchange_region_fold(pod_translator *t, const pod_syntax_region *region)
{
    const pod_syntax_op *op = region->first, *last = region->last;
    uint32_t a = region->first_value, b = a + 1;
    if (region->argument_count != 2 || !last || last->operand_count != 1)
        return POD_FOLD_OTHER;
    if (op == last)
        return op->operands[0] == b ? POD_FOLD_SECOND : POD_FOLD_OTHER;
    bool pair = op->next == last && op->operand_count == 2 && op->result_count == 1 &&
                last->operands[0] == op->first_result && op->operands[0] + op->operands[1] == a + b &&
                op->operands[0] != op->operands[1];
    const pod_dtype dtype = t->syntax->values[a].dtype;
    pod_op code = pair ? pod_exchange_find_binary(t, op->name, dtype) : -1;
    if (code < 0 && dtype == POD_BOOL)
        code = pod_exchange_region_joins(t, region);
    return code < 0 ? POD_FOLD_OTHER : code;
}
