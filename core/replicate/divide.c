/*
 * The graph of one device. A node is computed in parts where its operands have such: along the axis that its result is
 * wanted along, or as a sum of parts that are added up afterwards. Operands that stand otherwise are sliced, exchanged
 * or gathered first, once for all that read them alike.
 */

#include "replicate/parting.h"

#include "base/arena.h"
#include "base/context.h"
#include "base/error.h"
#include "graph/build.h"

#include <string.h>

/* A value in another parting. */
typedef struct pod_reparted {
    struct pod_reparted *next;
    pod_node *node;
    pod_parting parting;
} pod_reparted;

typedef struct pod_dividing {
    pod_arena *arena;
    const pod_mesh *mesh;
    const pod_parted_graph *parted;
    pod_graph *graph;      /* that is made */
    pod_parting *made;     /* of the nodes with several results: as they were computed */
    pod_reparted **others; /* of each node */
    pod_error *error;
} pod_dividing;

/* How a node is computed along one axis of the mesh. */
typedef struct pod_division_choice {
    int8_t result; /* the axis of the result that is divided then; -1: none */
    bool partial;  /* each device has a part of a sum */
} pod_division_choice;

static pod_node *refuse(const pod_dividing *to, const pod_node *node, const char *why)
{
    const bool named = (node->op == POD_OP_CALL || node->op == POD_OP_OPAQUE) && node->attributes->name;
    pod_error_set(to->error, POD_ERROR_UNSUPPORTED, "%.250s%s'%.60s' %s", node->location ? node->location : "",
                  node->location ? ": " : "", named ? node->attributes->name : pod_op_name(node->op), why);
    return pod_graph_fail_with(to->graph, to->error);
}

static const pod_parting *parting_of(const pod_dividing *to, const pod_node *node)
{
    return pod_replicate_parting_of(to->parted, node, 0);
}

static bool is_alike(const pod_parting *a, const pod_parting *b)
{
    return memcmp(a->axes, b->axes, sizeof a->axes) == 0;
}

static bool divides_evenly(const pod_mesh *mesh, const pod_shape *shape, const pod_parting *parting)
{
    int64_t parts[POD_MAX_RANK];
    for (int32_t k = 0; k < shape->rank; k++)
        parts[k] = 1;
    for (int32_t m = 0; m < mesh->rank; m++) {
        if (parting->axes[m] >= shape->rank)
            return false;
        if (parting->axes[m] >= 0)
            parts[parting->axes[m]] *= mesh->sizes[m];
    }
    for (int32_t k = 0; k < shape->rank; k++)
        if (shape->dims[k] % parts[k] != 0)
            return false;
    return true;
}

/* ---- collectives ---- */

static pod_node *first_part(pod_graph *graph, pod_node *x, int32_t axis, int64_t parts)
{
    pod_attributes attributes = {0};
    const pod_shape *shape = pod_node_shape(x, 0);
    for (int32_t k = 0; k < shape->rank; k++) {
        attributes.high[k] = k == axis ? shape->dims[k] / parts : shape->dims[k];
        attributes.step[k] = 1;
    }
    return pod_graph_apply(graph, POD_OP_SLICE, &x, 1, &attributes, NULL, 0);
}

static pod_node *exchange(pod_graph *graph, pod_op op, pod_node *x, pod_attributes attributes)
{
    return pod_graph_apply(graph, op, &x, 1, &attributes, NULL, 0);
}

static bool is_even(const pod_node *x, int32_t axis, int64_t parts)
{
    const pod_shape *shape = pod_node_shape(x, 0);
    return axis < shape->rank && shape->dims[axis] % parts == 0;
}

/* Takes those parts that are wanted of axes that fall into equal ones as they are now. */
static pod_node *take_parts(const pod_dividing *to, pod_node *x, pod_parting *now, const pod_parting *wanted)
{
    for (int32_t m = 0; m < to->mesh->rank; m++)
        if (now->axes[m] < 0 && wanted->axes[m] >= 0 && is_even(x, wanted->axes[m], to->mesh->sizes[m])) {
            now->axes[m] = wanted->axes[m];
            x = first_part(to->graph, x, now->axes[m], to->mesh->sizes[m]);
        }
    return x;
}

/* Exchanges parts of one axis for parts of another one, where that falls into equal ones as it is now. */
static pod_node *move_parts(const pod_dividing *to, pod_node *x, pod_parting *now, const pod_parting *wanted)
{
    for (int32_t m = 0; m < to->mesh->rank; m++) {
        const int8_t from = now->axes[m], axis = wanted->axes[m];
        const int64_t count = to->mesh->sizes[m];
        if (from < 0 || axis < 0 || from == axis || !is_even(x, axis, count))
            continue;
        now->axes[m] = axis;
        x = exchange(to->graph, POD_OP_ALL_TO_ALL, x,
                     (pod_attributes){.axis = axis, .axes = {.count = 1, .axes = {from}}, .count = count});
    }
    return x;
}

/* Brings a value from one parting to another: what makes it smaller comes first. What cannot be moved is gathered. */
static pod_node *repart(const pod_dividing *to, pod_node *x, const pod_parting *from, const pod_parting *wanted)
{
    pod_parting now = *from;
    for (int all = 0; all < 2; all++) {
        x = move_parts(to, take_parts(to, x, &now, wanted), &now, wanted);
        for (int32_t m = 0; m < to->mesh->rank; m++)
            if (now.axes[m] >= 0 && now.axes[m] != wanted->axes[m] && (all || wanted->axes[m] < 0)) {
                x = exchange(to->graph, POD_OP_ALL_GATHER, x,
                             (pod_attributes){.axis = now.axes[m], .count = to->mesh->sizes[m]});
                now.axes[m] = -1;
            }
    }
    return take_parts(to, x, &now, wanted);
}

/* An operand in the parting that an op wants, made once. */
static pod_node *operand_in(const pod_dividing *to, const pod_node *operand, pod_node *have, const pod_parting *wanted)
{
    const pod_parting *from = parting_of(to, operand);
    if (is_alike(from, wanted))
        return have;
    for (pod_reparted *one = to->others[operand->id]; one != NULL; one = one->next)
        if (is_alike(&one->parting, wanted))
            return one->node;
    pod_reparted *made = pod_arena_allocate(to->arena, sizeof *made);
    if (made == NULL)
        return pod_graph_fail_memory(to->graph);
    *made = (pod_reparted){to->others[operand->id], repart(to, have, from, wanted), *wanted};
    to->others[operand->id] = made;
    return made->node;
}

/* ---- along one axis of the mesh ---- */

/* Whether operands stand so that each device folds its part of an axis: all that are folded together. */
static bool folds_parts(const pod_dividing *to, const pod_node *node, int32_t m, bool half)
{
    bool folds = false;
    for (uint32_t j = 0; j < node->input_count; j++) {
        const int32_t axis = parting_of(to, node->inputs[j])->axes[m];
        int32_t other;
        if (axis < 0)
            continue;
        if (pod_replicate_part_way(to->mesh, m, node, j, axis, &other) != POD_AXIS_REDUCED)
            return false;
        for (uint32_t i = 0; i < node->input_count; i++) {
            const int32_t have = parting_of(to, node->inputs[i])->axes[m];
            if (pod_op_axis_pair(node->op, node->attributes, j, axis, i, &other) && have != other &&
                (!half || have >= 0))
                return false;
        }
        folds = true;
    }
    return folds && node->result_count == 1 && node->results[0].dtype != POD_BOOL;
}

/* What operands need so that the result is divided along an axis; returns how many have to be gathered or moved. */
static int parts_for(const pod_dividing *to, const pod_node *node, int32_t m, int32_t axis, pod_parting *wanted)
{
    int moved = 0;
    for (uint32_t j = 0; j < node->input_count; j++) {
        const int32_t have = parting_of(to, node->inputs[j])->axes[m];
        wanted[j].axes[m] = (int8_t)(axis < 0 ? -1 : pod_replicate_part_source(to->mesh, m, node, j, axis));
        moved += have >= 0 && have != wanted[j].axes[m];
    }
    return moved;
}

static void parts_of_fold(const pod_dividing *to, const pod_node *node, int32_t m, pod_parting *wanted)
{
    for (uint32_t j = 0; j < node->input_count; j++) {
        const int32_t axis = parting_of(to, node->inputs[j])->axes[m];
        int32_t other;
        for (uint32_t i = 0; axis >= 0 && i < node->input_count; i++)
            if (pod_op_axis_pair(node->op, node->attributes, j, axis, i, &other))
                wanted[i].axes[m] = (int8_t)other;
    }
}

/* The axis along which the result comes out where operands stay as they are; -1: there is none. */
static int32_t natural_axis(const pod_dividing *to, const pod_node *node, int32_t m)
{
    int32_t axis;
    for (uint32_t j = 0; j < node->input_count; j++) {
        const int32_t have = parting_of(to, node->inputs[j])->axes[m];
        if (have >= 0 && pod_replicate_part_way(to->mesh, m, node, j, have, &axis) == POD_AXIS_KEPT)
            return axis;
    }
    return -1;
}

/* Whether the result comes out in equal parts along an axis, as operands are wanted: some have what becomes it, or the
 * op makes as much as it is told. `made` has the axes of the mesh that were chosen before. */
static bool comes_in_parts(const pod_dividing *to, const pod_node *node, int32_t m, int32_t axis, pod_parting made,
                           const pod_parting *wanted)
{
    bool has = node->op == POD_OP_BROADCAST || node->op == POD_OP_DYNAMIC_SLICE || node->op == POD_OP_RANDOM_BITS;
    made.axes[m] = (int8_t)axis;
    bool even = divides_evenly(to->mesh, &node->results[0].shape, &made);
    for (uint32_t j = 0; j < node->input_count; j++) {
        has = has || wanted[j].axes[m] >= 0;
        even = even && divides_evenly(to->mesh, &pod_node_type(node->inputs[j])->shape, &wanted[j]);
    }
    return has && even;
}

/* What is wanted of the result comes first, unless sums of parts need nothing moved; whole operands come last. */
static pod_division_choice choose(const pod_dividing *to, const pod_node *node, int32_t m, const pod_parting *made,
                                  pod_parting *wanted)
{
    const int32_t target = parting_of(to, node)->axes[m];
    const bool folds = folds_parts(to, node, m, false);
    if (target >= 0 && (parts_for(to, node, m, target, wanted) == 0 || !folds) &&
        comes_in_parts(to, node, m, target, *made, wanted))
        return (pod_division_choice){(int8_t)target, false};
    parts_for(to, node, m, -1, wanted);
    if (folds || (target < 0 && folds_parts(to, node, m, true))) {
        parts_of_fold(to, node, m, wanted);
        return (pod_division_choice){-1, true};
    }
    const int32_t natural = natural_axis(to, node, m);
    if (natural >= 0 && parts_for(to, node, m, natural, wanted) == 0 &&
        comes_in_parts(to, node, m, natural, *made, wanted))
        return (pod_division_choice){(int8_t)natural, false};
    parts_for(to, node, m, -1, wanted);
    return (pod_division_choice){-1, false};
}

/* ---- attributes ---- */

static bool part_types(const pod_dividing *to, const pod_node *node, const pod_parting *parting,
                       pod_attributes *attributes)
{
    pod_value_type *types = pod_arena_array(to->arena, node->result_count, sizeof *types);
    for (uint32_t i = 0; types != NULL && i < node->result_count; i++) {
        types[i] = ((const pod_value_type *)node->attributes->data)[i];
        types[i].shape = pod_replicate_part_shape(to->mesh, &types[i].shape, parting);
    }
    attributes->data = types;
    return types != NULL;
}

static bool part_attributes(const pod_dividing *to, const pod_node *node, const pod_parting *parting,
                            pod_attributes *attributes)
{
    const pod_shape whole = node->results[0].shape;
    const pod_shape part = pod_replicate_part_shape(to->mesh, &whole, parting);
    if (pod_op_get(node->op)->reads & POD_FIELD_SHAPE && pod_shape_equal(&attributes->shape, &whole))
        attributes->shape = part;
    for (int32_t k = 0; node->op == POD_OP_SLICE && k < whole.rank; k++)
        if (part.dims[k] != whole.dims[k])
            attributes->high[k] = part.dims[k]; /* it is whole along this axis */
    if (node->op == POD_OP_CONSTANT)
        attributes->data = pod_node_constant_data(node);
    return node->op != POD_OP_OPAQUE || part_types(to, node, parting, attributes);
}

/* ---- nodes ---- */

/* Tells whether a module says how an output is divided. */
static bool is_said(const pod_node *output)
{
    return output->op == POD_OP_OPAQUE && strcmp(output->attributes->name, POD_SHARDING_NODE) == 0;
}

static pod_graph *divide_graph(const pod_dividing *outer, const pod_parted_graph *parted, pod_error *error);

/* An op with regions that compute with the same values: operands stand as they do in there. */
static pod_node *divide_regions(const pod_dividing *to, const pod_node *node, pod_node **inputs)
{
    pod_graph *regions[2] = {NULL, NULL};
    const pod_parted_graph *region = to->parted->regions[2 * (size_t)node->id];
    const uint32_t skipped = node->op == POD_OP_COND;
    const uint32_t count = node->op == POD_OP_CALL ? 1 : node->region_count;
    for (uint32_t j = skipped; j < node->input_count; j++)
        inputs[j] = operand_in(to, node->inputs[j], inputs[j],
                               pod_replicate_parting_of(region, region->graph->parameters[j - skipped], 0));
    for (uint32_t k = 0; k < count; k++) {
        regions[k] = divide_graph(to, to->parted->regions[2 * (size_t)node->id + k], to->error);
        if (regions[k] == NULL) {
            pod_graph_free(regions[0]);
            return pod_graph_fail_with(to->graph, to->error);
        }
    }
    return pod_graph_apply(to->graph, node->op, inputs, node->input_count, node->attributes, regions, count);
}

/* Adds up parts, and leaves the result as it is wanted. */
static pod_node *add_up(const pod_dividing *to, const pod_node *node, pod_node *x, pod_parting *made,
                        const pod_division_choice *choices)
{
    const pod_parting *target = parting_of(to, node);
    for (int32_t m = 0; m < to->mesh->rank; m++) {
        if (!choices[m].partial)
            continue;
        if (target->axes[m] >= 0)
            x = exchange(to->graph, POD_OP_REDUCE_SCATTER, x,
                         (pod_attributes){.axis = target->axes[m], .count = to->mesh->sizes[m]});
        else
            x = exchange(to->graph, POD_OP_ALL_REDUCE, x,
                         (pod_attributes){.reduction = POD_REDUCE_SUM, .count = to->mesh->sizes[m]});
        made->axes[m] = target->axes[m];
    }
    return x;
}

static bool is_as_wanted(const pod_dividing *to, const pod_node *node, const pod_node *made)
{
    bool same = made->result_count == node->result_count;
    for (uint32_t i = 0; same && i < node->result_count; i++) {
        const pod_shape part = pod_replicate_part_shape(to->mesh, &node->results[i].shape, &to->made[node->id]);
        same = pod_shape_equal(&made->results[i].shape, &part);
    }
    return same;
}

static bool is_divided(const pod_dividing *to, const pod_node *node)
{
    bool any = false;
    for (int32_t m = 0; m < to->mesh->rank; m++) {
        for (uint32_t j = 0; j < node->input_count; j++)
            any |= parting_of(to, node->inputs[j])->axes[m] >= 0;
        for (uint32_t i = 0; i < node->result_count; i++)
            any |= pod_replicate_parting_of(to->parted, node, i)->axes[m] >= 0;
    }
    return any;
}

static pod_node *divide_plain(const pod_dividing *to, const pod_node *node, pod_node **inputs)
{
    pod_division_choice choices[POD_MESH_AXES] = {{0}};
    pod_parting *wanted = pod_arena_array(to->arena, (size_t)node->input_count + 1, sizeof *wanted);
    pod_parting *made = &to->made[node->id];
    pod_attributes attributes = *node->attributes;
    if (wanted == NULL)
        return pod_graph_fail_memory(to->graph);
    memset(made->axes, -1, sizeof made->axes);
    for (uint32_t j = 0; j < node->input_count; j++)
        memset(wanted[j].axes, -1, sizeof wanted[j].axes);
    for (int32_t m = 0; m < to->mesh->rank; m++) {
        choices[m] = choose(to, node, m, made, wanted);
        made->axes[m] = choices[m].result;
    }
    for (uint32_t j = 0; j < node->input_count; j++)
        inputs[j] = operand_in(to, node->inputs[j], inputs[j], &wanted[j]);
    if (!part_attributes(to, node, made, &attributes))
        return pod_graph_fail_memory(to->graph);
    pod_node *x = pod_graph_copy_node_with(to->graph, node, inputs, &attributes);
    if (to->graph->error.status == POD_OK && !is_as_wanted(to, node, x))
        return refuse(to, node, "does not follow its operands' parts");
    if (node->result_count > 1)
        return x;
    x = repart(to, add_up(to, node, x, made, choices), made, parting_of(to, node));
    *made = *parting_of(to, node);
    return x;
}

static pod_node *divide_leaf(const pod_dividing *to, const pod_node *node)
{
    const pod_parting *target = parting_of(to, node);
    pod_attributes attributes = *node->attributes;
    to->made[node->id] = *target;
    if (!part_attributes(to, node, target, &attributes))
        return pod_graph_fail_memory(to->graph);
    if (node->op != POD_OP_CONSTANT || node->attributes->flag)
        return pod_graph_copy_node_with(to->graph, node, NULL, &attributes);
    pod_parting whole = *target;
    memset(whole.axes, -1, sizeof whole.axes);
    return repart(to, pod_graph_copy_node(to->graph, node, NULL), &whole, target);
}

/* A device has inside of what is divided by hand what it has outside: axes of the mesh that are not divided so go on.
 */
static pod_node *pass(const pod_dividing *to, const pod_node *node, pod_node *x)
{
    pod_parting wanted = *parting_of(to, node);
    const bool out = pod_replicate_is_passage(node, true);
    for (int32_t m = 0; m < to->mesh->rank && m < POD_MESH_AXES; m++)
        if ((uint32_t)node->attributes->axis >> m & 1)
            wanted.axes[m] = out ? -1 : parting_of(to, node->inputs[0])->axes[m];
    to->made[node->id] = *parting_of(to, node);
    x = operand_in(to, node->inputs[0], x, &wanted);
    const pod_shape part = pod_replicate_part_shape(to->mesh, &node->results[0].shape, parting_of(to, node));
    if (to->graph->error.status == POD_OK && !pod_shape_equal(pod_node_shape(x, 0), &part))
        return refuse(to, node, "is of other sizes inside than outside");
    return x;
}

static pod_node *divide_node(void *context, pod_graph *graph, const pod_node *node, pod_node **inputs,
                             pod_node *const *mapped)
{
    pod_dividing *to = context;
    (void)mapped;
    to->graph = graph;
    if (graph->error.status != POD_OK)
        return &graph->invalid;
    for (uint32_t i = 0; i < node->result_count; i++)
        if (!divides_evenly(to->mesh, &node->results[i].shape, pod_replicate_parting_of(to->parted, node, i)))
            return refuse(to, node, "is not divided into equal parts");
    pod_graph_set_place(graph, node->location, node->scope);
    if (pod_replicate_is_sharding(node)) {
        to->made[node->id] = *parting_of(to, node);
        return operand_in(to, node->inputs[0], inputs[0], parting_of(to, node));
    }
    if (pod_replicate_is_passage(node, false) || pod_replicate_is_passage(node, true))
        return pass(to, node, inputs[0]);
    if (node->op == POD_OP_RESULT) {
        const pod_node *of = node->inputs[0];
        const pod_parting *from = of->op == POD_OP_CALL || of->op == POD_OP_COND || of->op == POD_OP_WHILE
                                      ? pod_replicate_parting_of(to->parted, of, (uint32_t)node->attributes->axis)
                                      : &to->made[of->id];
        return repart(to, pod_graph_copy_node(graph, node, inputs), from, parting_of(to, node));
    }
    if (node->op == POD_OP_OPAQUE && !node->attributes->flag && is_divided(to, node))
        return refuse(to, node, "cannot be divided here");
    if (node->op == POD_OP_CALL || node->op == POD_OP_COND || node->op == POD_OP_WHILE)
        return divide_regions(to, node, inputs);
    return node->input_count == 0 ? divide_leaf(to, node) : divide_plain(to, node, inputs);
}

static pod_graph *divide_graph(const pod_dividing *outer, const pod_parted_graph *parted, pod_error *error)
{
    const pod_graph *graph = parted->graph;
    const size_t nodes = (size_t)graph->node_count + 1;
    pod_dividing to = {.arena = outer->arena, .mesh = outer->mesh, .parted = parted, .error = error};
    pod_graph *made;
    to.made = pod_arena_array(to.arena, nodes, sizeof *to.made);
    to.others = pod_arena_array(to.arena, nodes, sizeof(*to.others));
    if (to.made == NULL || to.others == NULL) {
        pod_error_memory(error, "dividing a graph", nodes);
        return NULL;
    }
    if (pod_graph_new(graph->context, graph->name, &made, error) != POD_OK)
        return NULL;
    made->wholes = pod_arena_array(&made->arena, (size_t)graph->output_count + 1, sizeof *made->wholes);
    pod_node **mapped = made->wholes == NULL ? NULL : pod_graph_copy_nodes(made, graph, divide_node, &to);
    if (made->wholes == NULL)
        pod_graph_fail(made, POD_ERROR_MEMORY, "no memory to divide graph '%s'", graph->name);
    for (uint32_t i = 0; mapped != NULL && i < graph->output_count; i++) {
        const pod_node *output = graph->outputs[i];
        const pod_parting *wanted = &parted->outputs[i];
        pod_graph_add_output(made, repart(&to, mapped[output->id], parting_of(&to, output), wanted));
        made->wholes[i] = *pod_node_shape(is_said(output) ? made->outputs[i] : output, 0);
        if (graph->aliases[i] >= 0 && is_alike(wanted, parting_of(&to, graph->parameters[graph->aliases[i]])))
            pod_graph_set_alias(made, i, (size_t)graph->aliases[i]);
    }
    pod_free(graph->context, mapped);
    if (pod_graph_check(made, error) == POD_OK)
        return made;
    pod_graph_free(made);
    return NULL;
}

pod_status pod_graph_of_device(const pod_graph *graph, const pod_division *division, pod_graph **divided,
                               pod_error *error)
{
    pod_error own = {0};
    pod_arena arena;
    error = error ? error : &own;
    *divided = NULL;
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    pod_arena_init(&arena, graph->context);
    pod_dividing to = {.arena = &arena, .mesh = &division->mesh};
    const pod_parted_graph *parted = pod_replicate_part(&arena, graph, division);
    if (parted == NULL)
        pod_error_memory(error, "dividing a graph", sizeof to);
    else
        *divided = divide_graph(&to, parted, error);
    pod_arena_clear(&arena);
    return *divided != NULL ? POD_OK : error->status;
}
