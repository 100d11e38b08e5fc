/*
 * How shardings go through a graph. Each axis of the mesh goes its own way: from the values whose sharding is given
 * through ops that compute by element, then through all (graph/axis_ways.h says where an op takes an axis), forward and
 * back until nothing is new. A value keeps what came first.
 */

#include "replicate/parting.h"

#include <string.h>

#define MOST_ROUNDS 100 /* forward and back: a few do for what people write, whatever its length */

typedef struct pod_parting_walk {
    pod_arena *arena;
    const pod_division *division;
    bool all; /* ops; else those that compute by element */
    bool changed;
} pod_parting_walk;

/* A value at its place. */
typedef struct pod_parted_value {
    const pod_parted_graph *parted;
    const pod_node *node;
    uint32_t result;
} pod_parted_value;

pod_parting *pod_replicate_parting_of(const pod_parted_graph *parted, const pod_node *node, uint32_t result)
{
    return &parted->partings[parted->first[node->id] + result];
}

static bool is_opaque(const pod_node *node, const char *name)
{
    return node->op == POD_OP_OPAQUE && node->attributes->name && strcmp(node->attributes->name, name) == 0;
}

bool pod_replicate_is_sharding(const pod_node *node)
{
    return is_opaque(node, POD_SHARDING_NODE);
}

bool pod_replicate_is_passage(const pod_node *node, bool out)
{
    return is_opaque(node, out ? POD_LEAVE_NODE : POD_ENTER_NODE);
}

static bool is_any_passage(const pod_node *node)
{
    return pod_replicate_is_passage(node, false) || pod_replicate_is_passage(node, true);
}

pod_shape pod_replicate_part_shape(const pod_mesh *mesh, const pod_shape *shape, const pod_parting *parting)
{
    pod_shape part = *shape;
    for (int32_t m = 0; m < mesh->rank; m++)
        if (parting->axes[m] >= 0)
            part.dims[parting->axes[m]] /= mesh->sizes[m];
    return part;
}

/* ---- where ops take an axis ---- */

static bool is_convolution(pod_op op)
{
    return op == POD_OP_CONVOLUTION || op == POD_OP_CONVOLUTION_INPUT_GRADIENT ||
           op == POD_OP_CONVOLUTION_KERNEL_GRADIENT;
}

/* Channels and filters of a convolution without groups, or of its gradients: those that it sums over, and those that it
 * has. Other axes: *to stays. */
static pod_axis_fate fate_of_channels(const pod_node *node, uint32_t operand, int32_t axis, int32_t *to)
{
    const int32_t last = node->results[0].shape.rank - 1; /* of all operands, and the filters of a kernel */
    const bool gradient = node->op == POD_OP_CONVOLUTION_INPUT_GRADIENT;
    if (node->attributes->window.groups > 1)
        return POD_AXIS_CUT;
    if (node->op == POD_OP_CONVOLUTION_KERNEL_GRADIENT) {
        *to = operand == 0 ? last - 1 : last;
        return axis == last ? POD_AXIS_KEPT : POD_AXIS_CUT;
    }
    const int32_t summed = operand == 0 || gradient ? last : last - 1;
    *to = last;
    if (axis == summed)
        return POD_AXIS_REDUCED;
    return operand == 1 && axis == (gradient ? last - 1 : last) ? POD_AXIS_KEPT : POD_AXIS_CUT;
}

pod_axis_fate pod_replicate_part_way(const pod_mesh *mesh, int32_t m, const pod_node *node, uint32_t operand,
                                     int32_t axis, int32_t *to)
{
    const pod_op_sizes sizes = pod_node_sizes(node);
    const int64_t size = pod_node_type(node->inputs[operand])->shape.dims[axis];
    *to = axis;
    if (is_any_passage(node))
        return (uint32_t)node->attributes->axis >> m & 1 ? POD_AXIS_CUT : POD_AXIS_KEPT;
    if (size == 0 || size % mesh->sizes[m] != 0)
        return POD_AXIS_CUT;
    if (node->op == POD_OP_OPAQUE)
        return node->attributes->flag ? POD_AXIS_KEPT : POD_AXIS_CUT;
    if (node->op == POD_OP_SCATTER && operand == 0 && axis == node->attributes->axis)
        return POD_AXIS_KEPT; /* a device leaves out what goes to others */
    if (node->op == POD_OP_DIMENSION_SIZE)
        return POD_AXIS_REDUCED;
    const pod_axis_way way = pod_op_axis_way(&sizes, operand, axis, size / mesh->sizes[m]);
    if (way.fate == POD_AXIS_CUT && is_convolution(node->op))
        return fate_of_channels(node, operand, axis, to);
    *to = way.axis;
    return way.fate == POD_AXIS_LOCAL ? POD_AXIS_CUT : way.fate;
}

int32_t pod_replicate_part_source(const pod_mesh *mesh, int32_t m, const pod_node *node, uint32_t operand, int32_t axis)
{
    const pod_shape *shape = &pod_node_type(node->inputs[operand])->shape;
    int32_t to;
    for (int32_t k = 0; k < shape->rank; k++)
        if (pod_replicate_part_way(mesh, m, node, operand, k, &to) == POD_AXIS_KEPT && to == axis)
            return k;
    return -1;
}

/* ---- one value ---- */

/* Lets an axis of the mesh divide an axis of a value, where nothing is against it. */
static void put(pod_parting_walk *walk, pod_parted_value value, int32_t m, int32_t axis)
{
    const pod_mesh *mesh = &walk->division->mesh;
    pod_parting *parting = pod_replicate_parting_of(value.parted, value.node, value.result);
    const pod_shape *shape = &value.node->results[value.result].shape;
    if (parting->axes[m] >= 0 || parting->fixed[m] || axis >= shape->rank)
        return;
    if (value.node->op == POD_OP_CONSTANT && !value.node->attributes->flag)
        return;
    const int64_t size = pod_replicate_part_shape(mesh, shape, parting).dims[axis];
    if (size == 0 || size % mesh->sizes[m] != 0)
        return;
    parting->axes[m] = (int8_t)axis;
    walk->changed = true;
}

static void join(pod_parting_walk *walk, pod_parted_value a, pod_parted_value b)
{
    const pod_parting *first = pod_replicate_parting_of(a.parted, a.node, a.result);
    const pod_parting *second = pod_replicate_parting_of(b.parted, b.node, b.result);
    for (int32_t m = 0; m < walk->division->mesh.rank; m++) {
        if (first->axes[m] >= 0 && !first->stored)
            put(walk, b, m, first->axes[m]);
        else if (second->axes[m] >= 0)
            put(walk, a, m, second->axes[m]);
    }
}

/* ---- one node ---- */

static void go_forward(pod_parting_walk *walk, const pod_parted_graph *parted, const pod_node *node, uint32_t operand,
                       int32_t m)
{
    const pod_parting *parting = pod_replicate_parting_of(parted, node->inputs[operand], 0);
    const int32_t axis = parting->axes[m];
    int32_t to;
    if (axis < 0 || parting->stored)
        return;
    switch (pod_replicate_part_way(&walk->division->mesh, m, node, operand, axis, &to)) {
    case POD_AXIS_KEPT:
        for (uint32_t i = 0; i < node->result_count; i++)
            put(walk, (pod_parted_value){parted, node, i}, m, to);
        break;
    case POD_AXIS_REDUCED:
        for (uint32_t j = 0; j < node->input_count; j++)
            if (pod_op_axis_pair(node->op, node->attributes, operand, axis, j, &to))
                put(walk, (pod_parted_value){parted, node->inputs[j], 0}, m, to);
        break;
    default:
        break;
    }
}

static void go_back(pod_parting_walk *walk, const pod_parted_graph *parted, const pod_node *node, uint32_t operand,
                    int32_t m)
{
    const int32_t axis = pod_replicate_parting_of(parted, node, 0)->axes[m];
    const int32_t from = axis < 0 ? -1 : pod_replicate_part_source(&walk->division->mesh, m, node, operand, axis);
    if (from >= 0)
        put(walk, (pod_parted_value){parted, node->inputs[operand], 0}, m, from);
}

static bool is_plain(const pod_node *node)
{
    return pod_op_is_elementwise(node->op) || node->op == POD_OP_OPAQUE || node->op == POD_OP_TRANSPOSE ||
           node->op == POD_OP_RESHAPE || node->op == POD_OP_BARRIER;
}

static void join_regions(pod_parting_walk *walk, const pod_parted_graph *parted, const pod_node *node, bool back);

static void visit(pod_parting_walk *walk, const pod_parted_graph *parted, const pod_node *node, bool back)
{
    if (node->op == POD_OP_RESULT) {
        join(walk, (pod_parted_value){parted, node, 0},
             (pod_parted_value){parted, node->inputs[0], (uint32_t)node->attributes->axis});
    } else if (node->op == POD_OP_CALL || node->op == POD_OP_COND || node->op == POD_OP_WHILE) {
        join_regions(walk, parted, node, back);
    } else if (walk->all || is_plain(node)) {
        for (int32_t m = 0; m < walk->division->mesh.rank; m++)
            for (uint32_t j = 0; j < node->input_count; j++) {
                go_forward(walk, parted, node, j, m);
                go_back(walk, parted, node, j, m);
            }
    }
}

static void visit_graph(pod_parting_walk *walk, const pod_parted_graph *parted, bool back)
{
    const pod_graph *graph = parted->graph;
    for (uint32_t i = 0; i < graph->node_count; i++)
        visit(walk, parted, graph->nodes[back ? graph->node_count - 1 - i : i], back);
}

/* ---- regions ---- */

static void join_regions(pod_parting_walk *walk, const pod_parted_graph *parted, const pod_node *node, bool back)
{
    const uint32_t skipped = node->op == POD_OP_COND; /* the predicate */
    for (uint32_t r = 0; r < node->region_count; r++) {
        const pod_parted_graph *region = parted->regions[2 * (size_t)node->id + r];
        const bool tests = node->op == POD_OP_WHILE && r == 0;
        if (node->op == POD_OP_CALL && r == 1)
            continue; /* a gradient, which no device computes */
        for (uint32_t j = skipped; j < node->input_count; j++)
            join(walk, (pod_parted_value){parted, node->inputs[j], 0},
                 (pod_parted_value){region, region->graph->parameters[j - skipped], 0});
        for (uint32_t i = 0; i < node->result_count && !tests; i++)
            join(walk, (pod_parted_value){parted, node, i}, (pod_parted_value){region, region->graph->outputs[i], 0});
        for (uint32_t i = 0; i < node->result_count && node->op == POD_OP_WHILE; i++)
            join(walk, (pod_parted_value){parted, node, i},
                 (pod_parted_value){region, region->graph->parameters[i], 0});
        visit_graph(walk, region, back);
    }
}

/* What stands at several places must be divided alike there: what a loop carries as its results are, what branches give
 * as the first one does. */
static void settle(const pod_parted_graph *parted)
{
    for (uint32_t n = 0; n < parted->graph->node_count; n++) {
        const pod_node *node = parted->graph->nodes[n];
        const pod_parted_graph *first = parted->regions[2 * (size_t)n];
        for (uint32_t r = 0; r < node->region_count; r++) {
            const pod_parted_graph *region = parted->regions[2 * (size_t)n + r];
            const pod_graph *graph = region->graph;
            for (uint32_t i = 0; node->op == POD_OP_WHILE && i < node->result_count; i++)
                *pod_replicate_parting_of(region, graph->parameters[i], 0) = *pod_replicate_parting_of(parted, node, i);
            for (uint32_t j = 0; node->op == POD_OP_COND && r == 1 && j < graph->parameter_count; j++)
                *pod_replicate_parting_of(region, graph->parameters[j], 0) =
                    *pod_replicate_parting_of(first, first->graph->parameters[j], 0);
            settle(region);
            for (uint32_t i = 0; r == 1 && i < node->result_count; i++) {
                if (node->op == POD_OP_WHILE)
                    region->outputs[i] = *pod_replicate_parting_of(parted, node, i);
                else if (node->op == POD_OP_COND)
                    region->outputs[i] = first->outputs[i];
            }
        }
        for (uint32_t i = 0; (node->op == POD_OP_CALL || node->op == POD_OP_COND) && i < node->result_count; i++)
            *pod_replicate_parting_of(parted, node, i) = first->outputs[i];
    }
    for (uint32_t i = 0; i < parted->graph->output_count; i++)
        parted->outputs[i] = *pod_replicate_parting_of(parted, parted->graph->outputs[i], 0);
}

/* Lets outputs be computed as they are wanted, where nothing is against it. */
static void ask_for_outputs(pod_parting_walk *walk, const pod_parted_graph *parted)
{
    const pod_sharding *wanted = walk->division->outputs;
    for (uint32_t i = 0; wanted != NULL && i < parted->graph->output_count; i++)
        for (int32_t m = 0; m < walk->division->mesh.rank && wanted[i].given; m++)
            if (wanted[i].axes[m] >= 0)
                put(walk, (pod_parted_value){parted, parted->graph->outputs[i], 0}, m, wanted[i].axes[m]);
}

/* ---- the walk ---- */

static void give(const pod_mesh *mesh, pod_parting *parting, const pod_sharding *sharding)
{
    parting->stored = sharding->stored;
    for (int32_t m = 0; m < mesh->rank && sharding->given; m++) {
        parting->axes[m] = sharding->axes[m];
        parting->fixed[m] = sharding->axes[m] >= 0 || !(sharding->open >> m & 1);
    }
}

/* Inside of what is divided by hand those axes of the mesh divide nothing. */
static void close(const pod_mesh *mesh, pod_parting *parting, uint32_t axes)
{
    for (int32_t m = 0; m < mesh->rank; m++)
        parting->fixed[m] = axes >> m & 1;
}

static pod_parted_graph *make_parted(const pod_parting_walk *walk, const pod_graph *graph, bool inner)
{
    const size_t nodes = (size_t)graph->node_count + 1;
    uint32_t results = 0;
    pod_parted_graph *parted = pod_arena_allocate(walk->arena, sizeof *parted);
    if (parted == NULL)
        return NULL;
    parted->graph = graph;
    parted->first = pod_arena_array(walk->arena, nodes, sizeof *parted->first);
    parted->regions = pod_arena_array(walk->arena, 2 * nodes, sizeof(*parted->regions));
    for (uint32_t i = 0; i < graph->node_count && parted->first != NULL; i++) {
        parted->first[i] = results;
        results += graph->nodes[i]->result_count;
    }
    parted->partings = pod_arena_array(walk->arena, (size_t)results + 1, sizeof *parted->partings);
    parted->outputs = pod_arena_array(walk->arena, (size_t)graph->output_count + 1, sizeof *parted->outputs);
    if (parted->first == NULL || parted->regions == NULL || parted->partings == NULL || parted->outputs == NULL)
        return NULL;
    for (uint32_t i = 0; i < results; i++)
        memset(parted->partings[i].axes, -1, sizeof parted->partings[i].axes);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const pod_node *node = graph->nodes[i];
        const uint64_t number = node->attributes->seed;
        if (node->op == POD_OP_PARAMETER && !inner)
            give(&walk->division->mesh, pod_replicate_parting_of(parted, node, 0),
                 &walk->division->parameters[node->attributes->axis]);
        else if (pod_replicate_is_passage(node, false))
            close(&walk->division->mesh, pod_replicate_parting_of(parted, node, 0), (uint32_t)node->attributes->axis);
        else if ((pod_replicate_is_sharding(node) || pod_replicate_is_passage(node, true)) &&
                 number < walk->division->constraint_count)
            give(&walk->division->mesh, pod_replicate_parting_of(parted, node, 0),
                 &walk->division->constraints[number]);
        for (uint32_t k = 0; k < node->region_count; k++) {
            parted->regions[2 * (size_t)i + k] = make_parted(walk, node->regions[k], true);
            if (parted->regions[2 * (size_t)i + k] == NULL)
                return NULL;
        }
    }
    return parted;
}

pod_parted_graph *pod_replicate_part(pod_arena *arena, const pod_graph *graph, const pod_division *division)
{
    pod_parting_walk walk = {.arena = arena, .division = division};
    pod_parted_graph *parted = make_parted(&walk, graph, false);
    if (parted != NULL)
        ask_for_outputs(&walk, parted);
    for (int all = 0; all < 2 && parted != NULL; all++) {
        walk.all = all;
        walk.changed = true;
        for (int round = 0; walk.changed && round < MOST_ROUNDS; round++) {
            walk.changed = false;
            visit_graph(&walk, parted, false);
            visit_graph(&walk, parted, true);
        }
    }
    if (parted != NULL)
        settle(parted);
    for (uint32_t i = 0; parted != NULL && division->outputs != NULL && i < graph->output_count; i++)
        for (int32_t m = 0; m < division->mesh.rank && division->outputs[i].given; m++)
            parted->outputs[i].axes[m] = division->outputs[i].axes[m];
    return parted;
}
