/*
 * The graph of one device. A node is computed in parts where its operands have such: along the axis that its result is
 * wanted along, or as a sum of parts that are added up afterwards. Operands that stand otherwise are sliced, exchanged
 * or gathered first, once for all that read them alike.
 */

#include "replicate/dividing.h"

#include "base/arena.h"
#include "base/context.h"
#include "base/error.h"
#include "graph/build.h"

#include <string.h>

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
    pod_reduction reduction;
    return folds && node->result_count == 1 && node->results[0].dtype != POD_BOOL &&
           (!to->runs || pod_replicate_joins(node, &reduction));
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

/* What operands need so that each device folds its part; false where an axis does not fall into so many. */
static bool parts_of_fold(const pod_dividing *to, const pod_node *node, int32_t m, pod_parting *wanted)
{
    for (uint32_t j = 0; j < node->input_count; j++) {
        const int32_t axis = parting_of(to, node->inputs[j])->axes[m];
        int32_t other;
        for (uint32_t i = 0; axis >= 0 && i < node->input_count; i++)
            if (pod_op_axis_pair(node->op, node->attributes, j, axis, i, &other))
                wanted[i].axes[m] = (int8_t)other;
    }
    bool even = true;
    for (uint32_t j = 0; j < node->input_count; j++)
        even = even && divides_evenly(to->mesh, &pod_node_type(node->inputs[j])->shape, &wanted[j]);
    return even;
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
    bool has = node->op == POD_OP_BROADCAST || node->op == POD_OP_RANDOM_BITS ||
               (node->op == POD_OP_DYNAMIC_SLICE && !to->runs); /* from where depends on the device */
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
    if ((folds || (target < 0 && folds_parts(to, node, m, true))) && parts_of_fold(to, node, m, wanted))
        return (pod_division_choice){-1, true};
    parts_for(to, node, m, -1, wanted);
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

static bool exchanges(const pod_graph *graph)
{
    bool any = false;
    for (uint32_t i = 0; i < graph->node_count && !any; i++) {
        const pod_node *node = graph->nodes[i];
        any = node->op == POD_OP_ALL_REDUCE || node->op == POD_OP_REDUCE_SCATTER || node->op == POD_OP_ALL_GATHER ||
              node->op == POD_OP_ALL_TO_ALL || node->op == POD_OP_REPLICA_ID;
        for (uint32_t r = 0; r < node->region_count; r++)
            any = any || exchanges(node->regions[r]);
    }
    return any;
}

/* An op with regions that compute with the same values: operands stand as they do in there. */
static pod_node *divide_regions(const pod_dividing *to, const pod_node *node, pod_node **inputs)
{
    pod_graph *regions[2] = {NULL, NULL};
    const pod_parted_graph *region = to->parted->regions[2 * (size_t)node->id];
    const uint32_t skipped = node->op == POD_OP_COND;
    const uint32_t count = node->op == POD_OP_CALL ? 1 : node->region_count;
    for (uint32_t j = skipped; j < node->input_count; j++)
        inputs[j] =
            pod_replicate_operand_in(to, node->inputs[j], inputs[j],
                                     pod_replicate_parting_of(region, region->graph->parameters[j - skipped], 0));
    for (uint32_t k = 0; k < count; k++) {
        regions[k] = divide_graph(to, to->parted->regions[2 * (size_t)node->id + k], to->error);
        if (regions[k] == NULL) {
            pod_graph_free(regions[0]);
            return pod_graph_fail_with(to->graph, to->error);
        }
    }
    pod_attributes attributes = *node->attributes;
    if (to->runs && node->op == POD_OP_CALL && exchanges(regions[0]))
        attributes.name = NULL; /* a kernel of that name would fold what it has alone */
    return pod_graph_apply(to->graph, node->op, inputs, node->input_count, &attributes, regions, count);
}

/* Whether each device may keep its part of a sum along axis `m` of the mesh: nothing else divides the axis that the
 * result is wanted along. */
static bool may_scatter(const pod_dividing *to, const pod_parting *target, const pod_parting *made, int32_t m)
{
    bool may = target->axes[m] >= 0;
    for (int32_t n = 0; n < to->mesh->rank; n++)
        may = may && (n == m || (target->axes[n] != target->axes[m] && made->axes[n] != target->axes[m]));
    return may;
}

/* Joins parts, and leaves the result as it is wanted. */
static pod_node *add_up(const pod_dividing *to, const pod_node *node, pod_node *x, pod_parting *made, uint32_t partial)
{
    const pod_parting *target = parting_of(to, node);
    pod_reduction reduction = POD_REDUCE_SUM;
    if (to->runs)
        pod_replicate_joins(node, &reduction);
    for (int32_t m = 0; m < to->mesh->rank; m++) {
        if (!(partial >> m & 1))
            continue;
        const bool scatters = reduction == POD_REDUCE_SUM && may_scatter(to, target, made, m);
        if (scatters)
            x = pod_replicate_exchange(to, POD_OP_REDUCE_SCATTER, x, m, (pod_attributes){.axis = target->axes[m]});
        else
            x = pod_replicate_exchange(to, POD_OP_ALL_REDUCE, x, m, (pod_attributes){.reduction = reduction});
        made->axes[m] = scatters ? target->axes[m] : -1;
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
    uint32_t partial = 0;
    pod_parting *wanted = pod_arena_array(to->arena, (size_t)node->input_count + 1, sizeof *wanted);
    pod_parting *made = &to->made[node->id];
    pod_attributes attributes = *node->attributes;
    if (wanted == NULL)
        return pod_graph_fail_memory(to->graph);
    memset(made->axes, -1, sizeof made->axes);
    for (uint32_t j = 0; j < node->input_count; j++)
        memset(wanted[j].axes, -1, sizeof wanted[j].axes);
    for (int32_t m = 0; m < to->mesh->rank; m++) {
        const pod_division_choice choice = choose(to, node, m, made, wanted);
        made->axes[m] = choice.result;
        partial |= (uint32_t)choice.partial << m;
    }
    for (uint32_t j = 0; j < node->input_count; j++)
        inputs[j] = pod_replicate_operand_in(to, node->inputs[j], inputs[j], &wanted[j]);
    if (!part_attributes(to, node, made, &attributes))
        return pod_graph_fail_memory(to->graph);
    pod_node *x = to->runs ? pod_replicate_own_rows(to, node, inputs, wanted, partial) : NULL;
    if (x == NULL)
        x = pod_graph_copy_node_with(to->graph, node, inputs, &attributes);
    if (to->graph->error.status == POD_OK && !is_as_wanted(to, node, x))
        return refuse(to, node, "does not follow its operands' parts");
    if (node->result_count > 1)
        return x;
    x = pod_replicate_repart(to, add_up(to, node, x, made, partial), made, parting_of(to, node));
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
    return pod_replicate_repart(to, pod_graph_copy_node(to->graph, node, NULL), &whole, target);
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
    x = pod_replicate_operand_in(to, node->inputs[0], x, &wanted);
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
        return pod_replicate_operand_in(to, node->inputs[0], inputs[0], parting_of(to, node));
    }
    if (pod_replicate_is_passage(node, false) || pod_replicate_is_passage(node, true))
        return pass(to, node, inputs[0]);
    if (node->op == POD_OP_RESULT) {
        const pod_node *of = node->inputs[0];
        const pod_parting *from = of->op == POD_OP_CALL || of->op == POD_OP_COND || of->op == POD_OP_WHILE
                                      ? pod_replicate_parting_of(to->parted, of, (uint32_t)node->attributes->axis)
                                      : &to->made[of->id];
        return pod_replicate_repart(to, pod_graph_copy_node(graph, node, inputs), from, parting_of(to, node));
    }
    if (node->op == POD_OP_OPAQUE && !node->attributes->flag && is_divided(to, node))
        return refuse(to, node, "cannot be divided here");
    if (to->runs) {
        to->made[node->id] = *parting_of(to, node);
        pod_node *own = pod_replicate_own_leaf(to, node, inputs, &to->made[node->id]);
        if (own != NULL)
            return own;
    }
    if (node->op == POD_OP_CALL || node->op == POD_OP_COND || node->op == POD_OP_WHILE)
        return divide_regions(to, node, inputs);
    return node->input_count == 0 ? divide_leaf(to, node) : divide_plain(to, node, inputs);
}

static pod_graph *divide_graph(const pod_dividing *outer, const pod_parted_graph *parted, pod_error *error)
{
    const pod_graph *graph = parted->graph;
    const size_t nodes = (size_t)graph->node_count + 1;
    pod_dividing to = *outer;
    pod_graph *made;
    to.parted = parted;
    to.error = error;
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
        pod_graph_add_output(made, pod_replicate_repart(&to, mapped[output->id], parting_of(&to, output), wanted));
        made->wholes[i] = *pod_node_shape(is_said(output) ? made->outputs[i] : output, 0);
        if (graph->aliases[i] >= 0 &&
            pod_replicate_partings_alike(wanted, parting_of(&to, graph->parameters[graph->aliases[i]])))
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
    pod_dividing to = {.arena = &arena, .mesh = &division->mesh, .runs = division->runs, .alone = division->alone};
    const pod_parted_graph *parted = pod_replicate_part(&arena, graph, division);
    if (parted == NULL)
        pod_error_memory(error, "dividing a graph", sizeof to);
    else
        *divided = divide_graph(&to, parted, error);
    pod_arena_clear(&arena);
    return *divided != NULL ? POD_OK : error->status;
}
