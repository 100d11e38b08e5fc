/* make - programs of numbers: sizes, types and parameters, then ops, gradients and outputs. See programs.h. */

#include "programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

#define LARGEST 8000000 /* elements of any value */

/* ---- arrays ------------------------------------------------------------------------------------------- */

pod_array array_new(pod_dtype dtype, const pod_shape *shape)
{
    pod_array made = evaluate_allocate(dtype, shape);
    if (!made.data)
        abort();
    return made;
}

double array_get(const pod_array *array, int64_t index)
{
    double value;
    switch (array->dtype) { /* for speed */
    case POD_F32:
        return ((const float *)array->data)[index];
    case POD_F64:
        return ((const double *)array->data)[index];
    case POD_BF16: {
        const uint32_t bits = (uint32_t)((const uint16_t *)array->data)[index] << 16;
        float wide;
        memcpy(&wide, &bits, 4);
        return wide;
    }
    case POD_S32:
        return ((const int32_t *)array->data)[index];
    default:
        pod_convert(array->dtype, (const char *)array->data + (size_t)index * pod_dtype_size(array->dtype), POD_F64,
                    &value, 1);
        return value;
    }
}

void array_set(const pod_array *array, int64_t index, double value)
{
    if (array->dtype == POD_F32)
        ((float *)array->data)[index] = (float)value;
    else if (array->dtype == POD_F64)
        ((double *)array->data)[index] = value;
    else
        pod_convert(POD_F64, &value, array->dtype, (char *)array->data + (size_t)index * pod_dtype_size(array->dtype),
                    1);
}

void array_free(pod_array *array)
{
    evaluate_free(array, 1);
}

void program_free(program *p)
{
    const size_t count = pod_graph_parameter_count(p->graph);
    evaluate_free(p->arguments, count < MOST_PARAMETERS ? count : MOST_PARAMETERS);
    pod_graph_free(p->graph);
    free(p->kin);
    p->graph = NULL;
    p->kin = NULL;
}

/* ---- values -------------------------------------------------------------------------------------------- */

const pod_array *value_of(const maker *m, const pod_node *node)
{
    return m->program && node->id < m->evaluated ? &m->values[m->firsts[node->id]] : NULL;
}

/* Computes the nodes that came since; false where one cannot be. All that makes nodes keeps them small. */
static bool evaluate_new(maker *m)
{
    pod_error error;
    for (; m->program && m->evaluated < m->graph->node_count; m->evaluated++) {
        const uint32_t id = m->evaluated;
        if (id + 1 >= MOST_NODES)
            return false;
        if (pod_shape_elements(pod_node_shape(m->graph->nodes[id], 0)) > LARGEST) {
            fprintf(stderr, "programs: %llu has a value of %lld elements by %s\n", (unsigned long long)m->program->seed,
                    (long long)pod_shape_elements(pod_node_shape(m->graph->nodes[id], 0)),
                    pod_op_name(m->graph->nodes[id]->op));
            abort();
        }
        m->firsts[id + 1] = m->firsts[id] + m->graph->nodes[id]->result_count;
        if (m->firsts[id + 1] >= 2 * MOST_NODES ||
            evaluate_into(m->graph->nodes[id], m->program->arguments, m->firsts, m->values, &error) != POD_OK)
            return false;
    }
    return true;
}

/* An element of an argument. */
static double any_value(maker *m, pod_dtype dtype)
{
    static const double special[] = {0,     -0.0, 1,    -1,    INFINITY,   -INFINITY,   NAN,   1e30,       -1e30, 1e-30,
                                     1e-40, 127,  -128, 32767, 2147483647, 4294967295., 65504, 0.49999997, 0.5,   2.5};
    dice *d = &m->dice;
    if (dtype == POD_BOOL)
        return (double)below(d, 2);
    if (m->wild && chance(d, 15))
        return special[below(d, sizeof special / sizeof *special)];
    if (!pod_dtype_is_float(dtype) || m->whole)
        return (double)(below(d, 9) - (dtype >= POD_U8 && dtype <= POD_U64 ? 0 : 4));
    return unit(d) * (chance(d, 20) ? 30 : 2);
}

pod_node *new_parameter(maker *m, pod_dtype dtype, const pod_shape *shape)
{
    const size_t count = pod_graph_parameter_count(m->graph);
    pod_node *made = pod_graph_parameter(m->graph, dtype, shape, "p");
    if (m->program) {
        pod_array *argument = &m->program->arguments[count];
        *argument = array_new(dtype, shape);
        for (int64_t i = 0; i < pod_shape_elements(shape); i++)
            array_set(argument, i, any_value(m, dtype));
    }
    return made;
}

pod_node *number(maker *m, pod_dtype dtype, double value, const pod_shape *shape)
{
    return pod_graph_scalar(m->graph, dtype, value, shape);
}

/* ---- choices ------------------------------------------------------------------------------------------- */

pod_dtype any_type(maker *m)
{
    return m->types[below(&m->dice, 3)];
}

static int64_t any_size(maker *m)
{
    return m->sizes[below(&m->dice, MOST_SIZES)];
}

int64_t bulk_of(const pod_shape *shape)
{
    int64_t bulk = 1;
    for (int32_t i = 0; i < shape->rank; i++)
        bulk *= shape->dims[i] > 0 ? shape->dims[i] : 1;
    return bulk;
}

pod_shape any_shape(maker *m)
{
    pod_shape shape = {.rank = (int32_t)below(&m->dice, 5)};
    if (shape.rank == 0 && chance(&m->dice, 60))
        shape.rank = 2;
    for (int32_t i = 0; i < shape.rank; i++) {
        shape.dims[i] = any_size(m);
        if (bulk_of(&shape) > m->most)
            shape.dims[i] = 1;
    }
    return shape;
}

/* Later nodes more often, so that chains are long. */
pod_node *any_node(maker *m)
{
    const int64_t count = m->node_count, recent = count < 6 ? count : 6;
    return m->nodes[chance(&m->dice, 60) ? count - 1 - below(&m->dice, recent) : below(&m->dice, count)];
}

static pod_node *chosen(maker *m, bool (*fits)(pod_dtype))
{
    for (int i = 0; i < 20; i++) {
        pod_node *node = any_node(m);
        if (fits(pod_node_dtype(node, 0)))
            return node;
    }
    return NULL;
}

static bool is_number(pod_dtype dtype)
{
    return dtype != POD_BOOL;
}

pod_node *any_float(maker *m)
{
    return chosen(m, pod_dtype_is_float);
}

pod_node *any_number(maker *m)
{
    return chosen(m, is_number);
}

pod_node *fitted(maker *m, pod_node *x, pod_dtype dtype, const pod_shape *shape)
{
    if (pod_node_dtype(x, 0) != dtype)
        x = pod_graph_convert(m->graph, x, dtype);
    if (pod_shape_equal(pod_node_shape(x, 0), shape))
        return x;
    const int64_t have = pod_shape_elements(pod_node_shape(x, 0));
    if (have == pod_shape_elements(shape))
        return add_op(m, POD_OP_RESHAPE, &x, 1, &(pod_attributes){.shape = *shape});
    if (have == 0)
        return number(m, dtype, 1, shape);
    if (have != 1) {
        pod_axes all = {pod_node_shape(x, 0)->rank, {0, 1, 2, 3, 4, 5, 6, 7}};
        x = pod_graph_reduce(m->graph, dtype == POD_BOOL ? "reduce_or" : "reduce_max", x, &all, false);
    }
    x = add_op(m, POD_OP_RESHAPE, &x, 1, &(pod_attributes){0});
    return x ? add_op(m, POD_OP_BROADCAST, &x, 1, &(pod_attributes){.shape = *shape}) : NULL;
}

pod_node *like(maker *m, pod_dtype dtype, const pod_shape *shape)
{
    for (int i = 0; i < 12; i++) {
        pod_node *node = any_node(m);
        if (pod_node_dtype(node, 0) == dtype && pod_shape_equal(pod_node_shape(node, 0), shape))
            return node;
    }
    const int64_t way = below(&m->dice, 10);
    pod_node *made = NULL;
    if (way < 4)
        made = fitted(m, any_node(m), dtype, shape);
    else if (way < 8 && m->program && pod_graph_parameter_count(m->graph) + 4 < MOST_PARAMETERS)
        made = new_parameter(m, dtype, shape);
    else if (way == 8 && shape->rank > 0 && dtype != POD_BOOL)
        made = tamed(m, pod_graph_iota(m->graph, dtype, shape, (int32_t)below(&m->dice, shape->rank)));
    return made ? made : number(m, dtype, (double)below(&m->dice, 4), shape);
}

pod_node *index_node(maker *m, pod_dtype dtype, const pod_shape *shape, int64_t size)
{
    pod_node *x = like(m, dtype, shape), *low = number(m, dtype, 0, shape);
    pod_node *high = number(m, dtype, (double)(size - 1), shape);
    return add_op(m, POD_OP_CLAMP, (pod_node *[]){low, x, high}, 3, NULL);
}

/* ---- adding -------------------------------------------------------------------------------------------- */

static pod_node *accepted(maker *m, pod_node *made)
{
    if (pod_node_is_valid(made))
        return made;
    pod_graph_clear_error(m->graph);
    return NULL;
}

pod_node *add_regions(maker *m, pod_op op, pod_node *const *inputs, size_t count, const pod_attributes *attributes,
                      pod_graph **regions, size_t region_count)
{
    static const pod_attributes none;
    return accepted(
        m, pod_graph_apply(m->graph, op, inputs, count, attributes ? attributes : &none, regions, region_count));
}

pod_node *add_op(maker *m, pod_op op, pod_node *const *inputs, size_t count, const pod_attributes *attributes)
{
    return add_regions(m, op, inputs, count, attributes, NULL, 0);
}

pod_node *add_composite(maker *m, const char *name, pod_node *const *inputs, size_t count,
                        const pod_attributes *attributes)
{
    return accepted(m, pod_graph_composite(m->graph, name, inputs, count, attributes));
}

/* Whether all is finite, and the largest of it. */
static bool measure(const pod_array *value, double *largest)
{
    bool finite = true;
    *largest = 0;
    for (int64_t i = 0; i < pod_shape_elements(&value->shape); i++) {
        const double x = fabs(array_get(value, i));
        finite = finite && isfinite(x);
        *largest = x > *largest ? x : *largest;
    }
    return finite;
}

pod_node *tamed(maker *m, pod_node *x)
{
    pod_dtype dtype = pod_node_dtype(x, 0);
    if (dtype == POD_BOOL)
        return x;
    if (m->program && !evaluate_new(m))
        return NULL;
    const pod_array *value = value_of(m, x);
    double largest = 1e9;
    const bool finite = value ? measure(value, &largest) : true;
    if (!finite && !m->wild) {
        pod_node *fine = pod_graph_compare(m->graph, POD_COMPARE_LT, pod_graph_abs(m->graph, x),
                                           pod_graph_scalar(m->graph, dtype, 1000, NULL));
        x = pod_graph_select(m->graph, fine, x, pod_graph_scalar(m->graph, dtype, 1, NULL));
        largest = 1000;
    }
    const double allowed = m->whole ? 30 : dtype == POD_F16 ? 100 : 1e4;
    if (largest <= allowed || m->wild)
        return x;
    if (m->whole || !pod_dtype_is_float(dtype) || chance(&m->dice, 30))
        return pod_graph_remainder(m->graph, x, pod_graph_scalar(m->graph, dtype, 7, NULL));
    return pod_graph_tanh(m->graph, x);
}

static bool keep(maker *m, pod_node *made)
{
    if (!made || bulk_of(pod_node_shape(made, 0)) > m->most * 4)
        return false;
    pod_node *small = tamed(m, made);
    if (!small || !pod_node_is_valid(small) || (m->program && !evaluate_new(m)))
        return false;
    m->nodes[m->node_count++] = small;
    return true;
}

/* ---- ops ----------------------------------------------------------------------------------------------- */

typedef struct op_entry {
    pod_op op;
    op_maker make;
    int weight;
    bool regions; /* may stand in a region */
} op_entry;

#define EACH(op)                                                                                                       \
    {                                                                                                                  \
        POD_OP_##op, make_elementwise, 3, true                                                                         \
    }
#define VIEW(op)                                                                                                       \
    {                                                                                                                  \
        POD_OP_##op, make_view, 14, true                                                                               \
    }

static const op_entry ops[] = {
    {POD_OP_CONSTANT, make_constant, 2, true},
    {POD_OP_IOTA, make_iota, 6, true},
    EACH(NEGATE),
    EACH(ABS),
    EACH(SIGN),
    EACH(EXP),
    EACH(EXPM1),
    EACH(LOG),
    EACH(LOG1P),
    EACH(SQRT),
    EACH(RSQRT),
    EACH(SIN),
    EACH(COS),
    EACH(TAN),
    EACH(TANH),
    EACH(LOGISTIC),
    EACH(ERF),
    EACH(ERF_INV),
    EACH(FLOOR),
    EACH(CEIL),
    EACH(ROUND),
    EACH(IS_FINITE),
    EACH(NOT),
    EACH(ADD),
    EACH(ADD),
    EACH(ADD),
    EACH(SUBTRACT),
    EACH(SUBTRACT),
    EACH(MULTIPLY),
    EACH(MULTIPLY),
    EACH(MULTIPLY),
    EACH(DIVIDE),
    EACH(REMAINDER),
    EACH(POWER),
    EACH(MAXIMUM),
    EACH(MINIMUM),
    EACH(ATAN2),
    EACH(AND),
    EACH(OR),
    EACH(XOR),
    EACH(SHIFT_LEFT),
    EACH(SHIFT_RIGHT),
    EACH(SHIFT_RIGHT_ARITHMETIC),
    EACH(COMPARE),
    EACH(COMPARE),
    EACH(SELECT),
    EACH(SELECT),
    EACH(CLAMP),
    {POD_OP_CONVERT, make_convert, 12, true},
    {POD_OP_BITCAST, make_convert, 2, true},
    {POD_OP_STOP_GRADIENT, make_marked, 1, true},
    {POD_OP_BARRIER, make_marked, 2, true},
    {POD_OP_CHECK, make_marked, 2, false},
    {POD_OP_PRINT, make_marked, 1, false},
    {POD_OP_RANDOM_BITS, make_random_bits, 2, false},
    VIEW(RESHAPE),
    VIEW(TRANSPOSE),
    VIEW(BROADCAST),
    VIEW(SLICE),
    VIEW(REVERSE),
    {POD_OP_PAD, make_pad, 8, true},
    {POD_OP_CONCATENATE, make_concatenate, 8, true},
    {POD_OP_DYNAMIC_SLICE, make_dynamic_slice, 4, true},
    {POD_OP_DYNAMIC_UPDATE_SLICE, make_dynamic_slice, 4, true},
    {POD_OP_GATHER, make_gather, 5, true},
    {POD_OP_SCATTER, make_gather, 5, true},
    {POD_OP_SORT, make_sort, 2, true},
    {POD_OP_TOP_K, make_sort, 2, true},
    {POD_OP_DIMENSION_SIZE, make_along_axis, 1, true},
    {POD_OP_REDUCE_SUM, make_reduction, 14, true},
    {POD_OP_REDUCE_PRODUCT, make_reduction, 2, true},
    {POD_OP_REDUCE_MAX, make_reduction, 5, true},
    {POD_OP_REDUCE_MIN, make_reduction, 3, true},
    {POD_OP_REDUCE_AND, make_reduction, 2, true},
    {POD_OP_REDUCE_OR, make_reduction, 2, true},
    {POD_OP_ARGMAX, make_along_axis, 3, true},
    {POD_OP_ARGMIN, make_along_axis, 2, true},
    {POD_OP_CUMULATIVE_SUM, make_along_axis, 3, true},
    {POD_OP_REDUCE, make_reduce, 3, false},
    {POD_OP_DOT, make_dot, 14, true},
    {POD_OP_CONVOLUTION, make_convolution, 4, true},
    {POD_OP_CONVOLUTION_INPUT_GRADIENT, make_convolution, 3, true},
    {POD_OP_CONVOLUTION_KERNEL_GRADIENT, make_convolution, 3, true},
    {POD_OP_POOL_MAX, make_pooling, 2, true},
    {POD_OP_POOL_MAX_GRADIENT, make_pooling, 2, true},
    {POD_OP_POOL_MAX_SELECT, make_pooling, 1, true},
    {POD_OP_POOL_SUM, make_pooling, 2, true},
    {POD_OP_POOL_SUM_GRADIENT, make_pooling, 1, true},
    {POD_OP_CALL, make_call, 10, false},
    {POD_OP_COND, make_cond, 4, false},
    {POD_OP_WHILE, make_while, 4, false},
};

#define OP_ENTRIES (sizeof ops / sizeof *ops)

static const op_entry *any_op(maker *m)
{
    int64_t total = 0;
    for (size_t i = 0; i < OP_ENTRIES; i++)
        total += ops[i].weight;
    int64_t at = below(&m->dice, total);
    for (size_t i = 0; i < OP_ENTRIES; i++) {
        at -= ops[i].weight;
        if (at < 0)
            return &ops[i];
    }
    return NULL;
}

void make_nodes(maker *m, int count)
{
    for (int tries = 0; count > 0 && tries < 200 && m->node_count + 8 < MOST_NODES; tries++) {
        const op_entry *entry = any_op(m);
        const bool own = entry->op == POD_OP_CHECK || entry->op == POD_OP_PRINT || entry->op == POD_OP_RANDOM_BITS ||
                         entry->op == POD_OP_CALL || entry->op == POD_OP_POOL_MAX_SELECT ||
                         entry->op == POD_OP_REDUCE; /* which begins with any element, there one that changes none */
        const bool refused =
            entry->op == POD_OP_PRINT || entry->op == POD_OP_REDUCE || (m->depth > 0 && entry->op == POD_OP_CHECK);
        const bool steps = entry->op == POD_OP_CONVERT || entry->op == POD_OP_STOP_GRADIENT; /* not in slopes */
        if ((m->depth > 0 && !entry->regions) || (m->kind == PROGRAM_EXCHANGE && own) ||
            (m->kind == PROGRAM_DEVICES && refused) || (m->kind == PROGRAM_SMOOTH && steps))
            continue;
        if (keep(m, entry->make(m, entry->op)))
            count--;
    }
}

/* ---- regions ------------------------------------------------------------------------------------------- */

maker *region_open(maker *m)
{
    maker *made = calloc(1, sizeof *made);
    pod_error error;
    if (!made || pod_graph_new(m->context, "region", &made->graph, &error) != POD_OK)
        abort();
    made->context = m->context;
    made->dice.state = roll(&m->dice);
    made->kind = m->kind;
    made->whole = m->whole;
    made->wild = m->wild;
    memcpy(made->sizes, m->sizes, sizeof made->sizes);
    memcpy(made->types, m->types, sizeof made->types);
    made->most = m->most;
    made->depth = m->depth + 1;
    return made;
}

pod_graph *region_close(maker *region)
{
    pod_graph *made = region->graph;
    free(region);
    return made;
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static void choose_kind(maker *m)
{
    static const int64_t sizes[] = {1,  1,  2,  2,  3,  3,  4,  5,  6,  7,   8,   9,
                                    11, 13, 16, 17, 31, 33, 64, 65, 67, 128, 130, 257};
    static const int64_t most[] = {60, 60, 300, 300, 300, 300, 300, 300, 2000, 2000, 2000, 8000};
    static const pod_dtype types[] = {POD_F32,  POD_F32, POD_F32, POD_F32, POD_F32, POD_BF16,
                                      POD_BF16, POD_F16, POD_F64, POD_S32, POD_S64, POD_U8,
                                      POD_S8,   POD_U32, POD_S16, POD_U16, POD_U64, POD_BOOL};
    dice *d = &m->dice;
    m->whole = chance(d, 50) && m->kind != PROGRAM_SMOOTH;
    m->wild = chance(d, 10) && m->kind == PROGRAM_ANY; /* others lose the smallest numbers */
    m->most = most[below(d, sizeof most / sizeof *most)];
    if (below(d, 300) == 0)
        m->most = 40000;
    const int64_t range = m->most < 200 ? 12 : (int64_t)(sizeof sizes / sizeof *sizes);
    for (int i = 0; i < MOST_SIZES; i++)
        m->sizes[i] = chance(d, 2) ? 0 : sizes[below(d, range)];
    for (int i = 0; i < 3; i++)
        m->types[i] = i == 0 && chance(d, 70) ? POD_F32 : types[below(d, sizeof types / sizeof *types)];
    for (int i = 0; i < 3 && m->kind == PROGRAM_SMOOTH; i++)
        m->types[i] = POD_F64;
}

/* Some parameters become variables: an output of their type is their next value, often themselves with a part anew. */
static void make_variables(maker *m)
{
    const uint64_t seed = m->program->seed;
    const bool found = seed > 1000000 && seed < 100000000; /* found_programs are of these: they stay as they were */
    for (size_t i = 0; i < pod_graph_parameter_count(m->graph); i++) {
        pod_node *parameter = pod_graph_get_parameter(m->graph, i);
        if (!chance(&m->dice, 40) || pod_graph_output_count(m->graph) + 6 > MOST_OUTPUTS)
            continue;
        const bool in_part = !found && chance(&m->dice, 30) && m->node_count + 8 < MOST_NODES;
        for (int tries = 0; tries < 30; tries++) {
            pod_node *next = in_part ? make_dynamic_slice_of(m, POD_OP_DYNAMIC_UPDATE_SLICE, parameter) : any_node(m);
            if ((in_part && !keep(m, next)) || next == parameter ||
                pod_node_dtype(next, 0) != pod_node_dtype(parameter, 0) ||
                !pod_shape_equal(pod_node_shape(next, 0), pod_node_shape(parameter, 0)))
                continue;
            pod_graph_add_output(m->graph, next);
            pod_graph_set_alias(m->graph, pod_graph_output_count(m->graph) - 1, i);
            break;
        }
    }
}

/* The program without what no output needs, as all that is there is computed again and again. */
static void drop_dead(program *p)
{
    const pod_graph *g = p->graph;
    pod_graph *made;
    pod_error error;
    bool *live = calloc(g->node_count, sizeof *live);
    pod_node **map = calloc(g->node_count, sizeof *map), *inputs[POD_MAX_RANK + 64];
    if (!live || !map || pod_graph_new(g->context, "program", &made, &error) != POD_OK)
        abort();
    for (uint32_t i = 0; i < g->output_count; i++)
        live[g->outputs[i]->id] = true;
    for (uint32_t i = g->node_count; i-- > 0;)
        for (uint32_t j = 0; live[i] && j < g->nodes[i]->input_count; j++)
            live[g->nodes[i]->inputs[j]->id] = true;
    for (uint32_t i = 0; i < g->node_count; i++) {
        const pod_node *node = g->nodes[i];
        if (!live[i] && node->op != POD_OP_PARAMETER)
            continue;
        for (uint32_t j = 0; j < node->input_count; j++)
            inputs[j] = map[node->inputs[j]->id];
        map[i] = pod_graph_copy_node(made, node, inputs);
    }
    for (uint32_t i = 0; i < g->output_count; i++) {
        pod_graph_add_output(made, map[g->outputs[i]->id]);
        if (g->aliases[i] >= 0)
            pod_graph_set_alias(made, i, (size_t)g->aliases[i]);
    }
    pod_graph_free(p->graph);
    p->graph = made;
    free(live);
    free(map);
}

void program_make(program *made, pod_context *context, uint64_t seed, program_kind kind)
{
    maker *m = calloc(1, sizeof *m);
    pod_error error;
    *made = (program){.seed = seed, .steps = 1};
    if (!m || pod_graph_new(context, "program", &made->graph, &error) != POD_OK)
        abort();
    m->context = context;
    m->graph = made->graph;
    m->program = made;
    m->kind = kind;
    m->dice.state = seed * 0x2545f4914f6cdd1du + 1;
    choose_kind(m);
    const int64_t first = 1 + below(&m->dice, 4);
    for (int64_t i = 0; i < first; i++) {
        const pod_shape shape = any_shape(m);
        m->nodes[m->node_count++] = new_parameter(m, i == 0 ? m->types[0] : any_type(m), &shape);
    }
    evaluate_new(m);
    make_nodes(m, 3 + (int)below(&m->dice, 22));
    if (chance(&m->dice, 25) && kind != PROGRAM_SMOOTH)
        make_gradients(m);
    if (chance(&m->dice, 30) && kind == PROGRAM_ANY) {
        make_variables(m);
        made->steps = 1 + below(&m->dice, 3);
    }
    const int64_t outputs = 1 + below(&m->dice, 4);
    for (int64_t i = 0; i < outputs; i++)
        pod_graph_add_output(m->graph, i == 0 ? m->nodes[m->node_count - 1] : any_node(m));
    if (pod_graph_check(m->graph, &error) != POD_OK) {
        fprintf(stderr, "programs: %llu cannot be made: %s\n", (unsigned long long)seed, error.message);
        abort();
    }
    evaluate_free(m->values, m->firsts[m->evaluated]);
    if (!chance(&m->dice, 10))
        drop_dead(made);
    free(m);
}
