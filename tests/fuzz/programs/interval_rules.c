/* interval_rules - what ops make of intervals: see intervals.h. */

#include "intervals.h"

#include "evaluate.h"

/* ---- ops that keep or turn an order -------------------------------------------------------------------------- */

/* How a result goes with each operand: u up, d down, e the operand must be certain; the last goes for the rest. NULL:
 * there is no such rule. */
static const char *directions_of(const pod_node *node)
{
    switch (node->op) {
    case POD_OP_NEGATE:
        return "d";
    case POD_OP_SUBTRACT:
        return "ud";
    case POD_OP_DYNAMIC_SLICE:
    case POD_OP_GATHER:
        return "ue";
    case POD_OP_DYNAMIC_UPDATE_SLICE:
        return "uue";
    case POD_OP_SCATTER:
        return "ueu";
    case POD_OP_POOL_MAX_GRADIENT:
    case POD_OP_POOL_MAX_SELECT:
        return "eu";
    case POD_OP_SORT:
        return node->input_count == 1 ? "u" : NULL;
    case POD_OP_AND:
    case POD_OP_OR:
        return pod_node_dtype(node, 0) == POD_BOOL ? "u" : NULL;
    case POD_OP_SIGN:
    case POD_OP_EXP:
    case POD_OP_EXPM1:
    case POD_OP_LOG:
    case POD_OP_LOG1P:
    case POD_OP_SQRT:
    case POD_OP_TANH:
    case POD_OP_LOGISTIC:
    case POD_OP_ERF:
    case POD_OP_ERF_INV:
    case POD_OP_FLOOR:
    case POD_OP_CEIL:
    case POD_OP_ROUND:
    case POD_OP_STOP_GRADIENT:
    case POD_OP_BARRIER:
    case POD_OP_ADD:
    case POD_OP_MAXIMUM:
    case POD_OP_MINIMUM:
    case POD_OP_CLAMP:
    case POD_OP_RESHAPE:
    case POD_OP_TRANSPOSE:
    case POD_OP_BROADCAST:
    case POD_OP_SLICE:
    case POD_OP_PAD:
    case POD_OP_CONCATENATE:
    case POD_OP_REVERSE:
    case POD_OP_REDUCE_SUM:
    case POD_OP_REDUCE_MAX:
    case POD_OP_REDUCE_MIN:
    case POD_OP_REDUCE_AND:
    case POD_OP_REDUCE_OR:
    case POD_OP_CUMULATIVE_SUM:
    case POD_OP_POOL_MAX:
    case POD_OP_POOL_SUM:
    case POD_OP_POOL_SUM_GRADIENT:
        return "u";
    default:
        return NULL;
    }
}

/* The op on numbers that an op on truth values is. */
static pod_op numeric(pod_op op)
{
    return op == POD_OP_AND          ? POD_OP_MINIMUM
           : op == POD_OP_OR         ? POD_OP_MAXIMUM
           : op == POD_OP_REDUCE_AND ? POD_OP_REDUCE_MIN
           : op == POD_OP_REDUCE_OR  ? POD_OP_REDUCE_MAX
                                     : op;
}

static char direction(const char *directions, uint32_t input)
{
    const size_t last = strlen(directions) - 1;
    return directions[input < last ? input : last];
}

/* Runs the kernel of a node on f64; false where it fails. */
static bool run_wide(const pod_node *node, const pod_array *inputs, pod_array *made)
{
    pod_error error;
    pod_node own = *node;
    own.op = numeric(node->op);
    *made = array_new(POD_F64, &node->results[0].shape);
    const bool done = evaluate_kernel(&own, inputs, made, &error) == POD_OK;
    if (!done)
        array_free(made);
    return done;
}

/* The least or the largest that a node gives. */
static bool run_end(const pod_node *node, const range *inputs, const char *directions, bool high, pod_array *made)
{
    pod_array all[64];
    for (uint32_t i = 0; i < node->input_count; i++) {
        const char way = direction(directions, i);
        all[i] = way == 'e' ? inputs[i].exact : array_new(POD_F64, &inputs[i].exact.shape);
        for (int64_t j = 0, end = way == 'e' ? 0 : count_of(&all[i]); j < end; j++)
            ((double *)all[i].data)[j] = (way == 'u') == high ? inputs[i].spans[j].high : inputs[i].spans[j].low;
    }
    const bool done = run_wide(node, all, made);
    for (uint32_t i = 0; i < node->input_count; i++)
        if (direction(directions, i) != 'e')
            array_free(&all[i]);
    return done;
}

/* Whether an element of a result may be made of what may be anything. */
static bool has_anything(const pod_node *node, const range *inputs, int64_t index)
{
    const bool each = pod_op_is_elementwise(node->op);
    for (uint32_t i = 0; i < node->input_count; i++)
        for (int64_t j = each ? index : 0, end = each ? index + 1 : count_of(&inputs[i].exact); j < end; j++)
            if (is_anything(inputs[i].spans[j]))
                return true;
    return false;
}

static bool by_ends(const pod_node *node, const range *inputs, const char *directions, range *result)
{
    pod_array low, high;
    if (!run_end(node, inputs, directions, false, &low))
        return false;
    if (!run_end(node, inputs, directions, true, &high)) {
        array_free(&low);
        return false;
    }
    for (int64_t i = 0, end = count_of(&low); i < end; i++) {
        const interval x = {((double *)low.data)[i], ((double *)high.data)[i]};
        result->spans[i] = isnan(x.low) && isnan(x.high) && has_anything(node, inputs, i) ? ANYTHING : x;
    }
    array_free(&low);
    array_free(&high);
    return true;
}

/* What some of the elements of an array give together, or none of them. */
static interval sums_of_some(const range *r)
{
    interval all = {0, 0};
    for (int64_t i = 0, end = count_of(&r->exact); i < end; i++) {
        if (!isfinite(r->spans[i].low) || !isfinite(r->spans[i].high))
            return ANYTHING;
        all = (interval){all.low + fmin(r->spans[i].low, 0), all.high + fmax(r->spans[i].high, 0)};
    }
    return all;
}

/* Where what must be certain is not: any element of the others, or what some of them give together. */
static void by_hull(const pod_node *node, const range *inputs, const char *directions, range *result)
{
    bool have = false;
    interval all = ANYTHING;
    for (uint32_t i = 0; i < node->input_count; i++)
        if (direction(directions, i) == 'u') {
            all = have ? hull(all, hull_of(&inputs[i])) : hull_of(&inputs[i]);
            have = true;
        }
    if (node->op == POD_OP_SCATTER && node->attributes->reduction == POD_REDUCE_SUM) {
        const interval some = sums_of_some(&inputs[2]), x = hull_of(&inputs[0]);
        all = is_anything(some) || is_anything(x) ? ANYTHING : (interval){x.low + some.low, x.high + some.high};
    }
    set_all(result, node->op == POD_OP_POOL_MAX_GRADIENT ? sums_of_some(&inputs[1]) : all);
}

/* ---- products --------------------------------------------------------------------------------------------------- */

typedef enum part { PART_MIDDLE, PART_SIZE, PART_RADIUS, PART_ANYTHING, PART_ONE } part;

static double part_of(interval x, part which)
{
    const bool any = !is_certain(x) && (!isfinite(x.low) || !isfinite(x.high));
    const double middle = any ? 0 : is_certain(x) ? x.low : x.low / 2 + x.high / 2;
    switch (which) {
    case PART_MIDDLE:
        return middle;
    case PART_SIZE:
        return isfinite(middle) ? fabs(middle) : 0;
    case PART_RADIUS:
        return any || is_certain(x) ? 0 : fmax(x.high - middle, middle - x.low);
    case PART_ANYTHING:
        return any;
    default:
        return 1;
    }
}

static pod_array parts_of(const range *r, part which)
{
    pod_array made = array_new(POD_F64, &r->exact.shape);
    for (int64_t i = 0, end = count_of(&made); i < end; i++)
        ((double *)made.data)[i] = part_of(r->spans[i], which);
    return made;
}

/* What a product of sums gives of these parts of its operands; false where it fails. */
static bool product_of(const pod_node *node, const range *inputs, part left, part right, pod_array *made)
{
    pod_array all[] = {parts_of(&inputs[0], left), parts_of(&inputs[1], right)};
    const bool done = run_wide(node, all, made);
    array_free(&all[0]);
    array_free(&all[1]);
    return done;
}

/* A middle and how far from it: |ab - a'b'| <= |a'| r + r |b'| + r r. */
static bool by_radius(const pod_node *node, const range *inputs, range *result)
{
    static const part pairs[][2] = {{PART_MIDDLE, PART_MIDDLE}, {PART_SIZE, PART_RADIUS},  {PART_RADIUS, PART_SIZE},
                                    {PART_RADIUS, PART_RADIUS}, {PART_ANYTHING, PART_ONE}, {PART_ONE, PART_ANYTHING}};
    pod_array made[6];
    for (int i = 0; i < 6; i++)
        if (!product_of(node, inputs, pairs[i][0], pairs[i][1], &made[i]))
            abort();
    for (int64_t i = 0, end = count_of(&result->exact); i < end; i++) {
        double x[6];
        for (int j = 0; j < 6; j++)
            x[j] = ((double *)made[j].data)[i];
        const double radius = x[1] + x[2] + x[3];
        result->spans[i] = x[4] + x[5] > 0 || (radius > 0 && !isfinite(x[0])) ? ANYTHING
                           : radius > 0                                       ? (interval){x[0] - radius, x[0] + radius}
                                                                              : (interval){x[0], x[0]};
    }
    evaluate_free(made, 6);
    return true;
}

/* ---- one node -------------------------------------------------------------------------------------------------- */

double largest_of_range(const range *r)
{
    double largest = 0;
    for (int64_t i = 0, end = count_of(&r->exact); i < end; i++)
        if (isfinite(size_of(r->spans[i])))
            largest = fmax(largest, size_of(r->spans[i]));
    return largest;
}

void widen_narrow(range *r, pod_dtype narrow, double units, double other)
{
    for (int64_t i = 0, end = count_of(&r->exact); i < end; i++)
        r->spans[i] =
            wider(r->spans[i], units * (other + size_of(r->spans[i])) * (narrow == POD_F16 ? 0x1p-10 : 0x1p-7));
}

/* A fold that adds or multiplies; it begins with an operand of one element, or with what changes nothing. */
static void by_fold(const pod_node *node, const range *inputs, range *result)
{
    const bool product = is_product(node);
    set_all(result, node->op == POD_OP_REDUCE ? inputs[1].spans[0] : (interval){1, 1});
    for (int64_t i = 0, end = count_of(&inputs[0].exact); i < end; i++) {
        interval *to = &result->spans[evaluate_reduced_place(&inputs[0].exact.shape, &node->attributes->axes, i)];
        const interval x = inputs[0].spans[i];
        *to = is_anything(*to) || is_anything(x) ? ANYTHING
              : product                          ? multiplied(*to, x)
                                                 : (interval){to->low + x.low, to->high + x.high};
    }
}

/* Any other fold goes through its elements one by one, each of which a region takes on. */
static void by_region(const pod_node *node, const range *inputs, const standing *at, range *result)
{
    static const pod_shape scalar;
    const pod_dtype dtype = inputs[0].exact.dtype;
    const int64_t count = count_of(&result->exact);
    range pair[2] = {range_of(evaluate_allocate(dtype, &scalar)), range_of(evaluate_allocate(dtype, &scalar))}, next;
    double *reached = calloc((size_t)count + 1, sizeof *reached);
    if (!reached)
        abort();
    for (int64_t i = 0; i < count; i++)
        reached[i] = array_get(&inputs[1].exact, 0);
    set_all(result, inputs[1].spans[0]);
    for (int64_t i = 0, end = count_of(&inputs[0].exact); i < end; i++) {
        const int64_t to = evaluate_reduced_place(&inputs[0].exact.shape, &node->attributes->axes, i);
        array_set(&pair[0].exact, 0, reached[to]);
        pair[0].spans[0] = result->spans[to];
        array_set(&pair[1].exact, 0, array_get(&inputs[0].exact, i));
        pair[1].spans[0] = inputs[0].spans[i];
        interval_walk(node->regions[0], pair, at, &next);
        reached[to] = array_get(&next.exact, 0);
        result->spans[to] = next.spans[0];
        range_free(&next);
    }
    free(reached);
    range_free(&pair[0]);
    range_free(&pair[1]);
}

void interval_rules(const pod_node *node, const range *inputs, const standing *at, range *results)
{
    const char *directions = directions_of(node);
    const bool told = node->op == POD_OP_DIVIDE || node->op == POD_OP_RSQRT || node->op == POD_OP_BITCAST ||
                      node->op == POD_OP_POWER || node->op == POD_OP_ATAN2;
    if (told && pod_dtype_is_float(pod_node_dtype(node->inputs[0], 0)) && interval_places(node, inputs, &results[0]))
        return;
    const bool folds = node->op == POD_OP_REDUCE && region_folds_by(node) == POD_OP_REDUCE;
    if (inputs_certain(inputs, 0, node->input_count) && !is_unrounded(node) && !folds)
        return; /* results are made so */
    if (node->op == POD_OP_WITH_ROWS || node->op == POD_OP_CHECK || node->op == POD_OP_PRINT) {
        memcpy(results[0].spans, inputs[0].spans, (size_t)count_of(&results[0].exact) * sizeof(interval));
        return;
    }
    if (node->op == POD_OP_DIMENSION_SIZE ||
        (node->op == POD_OP_RANDOM_BITS && all_certain(&inputs[0]))) /* of a shape alone */
        return;
    if (node->op == POD_OP_SORT && is_anything(hull_of(&inputs[0]))) /* what is no number stands last */
        directions = NULL;
    bool certain = directions != NULL;
    for (uint32_t i = 0; i < node->input_count && certain; i++)
        certain = direction(directions, i) != 'e' || all_certain(&inputs[i]);
    if (certain && by_ends(node, inputs, directions, &results[0]))
        return;
    if (directions && !certain) {
        by_hull(node, inputs, directions, &results[0]);
        return;
    }
    if (multiplies(node) && by_radius(node, inputs, &results[0]))
        return;
    if (is_product(node) || (node->op == POD_OP_REDUCE && !folds)) {
        by_fold(node, inputs, &results[0]);
        return;
    }
    if (folds) {
        by_region(node, inputs, at, &results[0]);
        return;
    }
    if (!directions && pod_op_is_elementwise(node->op) && interval_places(node, inputs, &results[0]))
        return;
    if (inputs_certain(inputs, 0, node->input_count)) { /* and not rounded: half of the last place is open */
        widen_narrow(&results[0], pod_node_dtype(node, 0), 0.5, 0);
        return;
    }
    for (uint32_t i = 0; i < node->result_count; i++) {
        const bool index =
            node->op == POD_OP_ARGMAX || node->op == POD_OP_ARGMIN || (node->op == POD_OP_TOP_K && i == 1);
        const pod_shape *shape = &inputs[0].exact.shape;
        const int32_t axis = node->op == POD_OP_TOP_K ? shape->rank - 1 : node->attributes->axis;
        set_all(&results[i], index                      ? (interval){0, (double)shape->dims[axis] - 1}
                             : node->op == POD_OP_SORT  ? hull_of(&inputs[i])
                             : node->op == POD_OP_TOP_K ? hull_of(&inputs[0])
                                                        : ANYTHING);
    }
}
