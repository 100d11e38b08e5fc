#include "replicate/axis_marks.h"

#include "base/checked.h"
#include "base/error.h"
#include "graph/axis_ways.h"

#include <string.h>

static pod_axis_mark *mark_of(const pod_marked_graph *marked, const pod_node *node, uint32_t result)
{
    return &marked->marks[marked->first[node->id] + result];
}

const pod_axis_mark *pod_replicate_mark_of(const pod_marked_graph *marked, const pod_node *node, uint32_t result)
{
    return mark_of(marked, node, result);
}

int64_t pod_replicate_turns(int64_t size, int64_t was, int64_t now)
{
    int64_t turns;
    return pod_multiply_overflows(size / was, now, &turns) ? INT64_MAX : turns;
}

pod_shape pod_replicate_resized(const pod_shape *shape, const pod_axis_mark *mark, int64_t was, int64_t now)
{
    pod_shape resized = *shape;
    if (mark->before > 0)
        resized.dims[mark->axis] = pod_replicate_turns(shape->dims[mark->axis], was, now);
    return resized;
}

bool pod_replicate_refuse(pod_axis_walk *walk, const pod_node *node, const char *why)
{
    const bool named = (node->op == POD_OP_CALL || node->op == POD_OP_OPAQUE) && node->attributes->name;
    walk->refused = node->op;
    pod_error_set(walk->error, POD_ERROR_UNSUPPORTED, "%.250s%s'%.60s' %s", node->location ? node->location : "",
                  node->location ? ": " : "", named ? node->attributes->name : pod_op_name(node->op), why);
    return false;
}

/* ---- one value ---- */

static bool same_mark(const pod_axis_mark *a, const pod_axis_mark *b)
{
    return a->axis == b->axis && a->before == b->before && a->after == b->after;
}

/* Marks a result; false where it has another mark, or no such axis. */
static bool put(pod_axis_walk *walk, const pod_marked_graph *marked, const pod_node *node, uint32_t result,
                pod_axis_mark mark)
{
    pod_axis_mark *had = mark_of(marked, node, result);
    const pod_shape *shape = &node->results[result].shape;
    if (had->before > 0)
        return same_mark(had, &mark) || pod_replicate_refuse(walk, node, "has the axis at two places");
    if (mark.axis >= shape->rank || shape->dims[mark.axis] != mark.before * mark.after * walk->size)
        return pod_replicate_refuse(walk, node, "has no axis of this size at the place of its operands'");
    *had = mark;
    walk->changed = true;
    return true;
}

/* A value that has two places: in a region and outside, as an operand and as a result. */
typedef struct pod_marked_value {
    const pod_marked_graph *marked;
    const pod_node *node;
    uint32_t result;
} pod_marked_value;

static bool join(pod_axis_walk *walk, pod_marked_value a, pod_marked_value b)
{
    const pod_axis_mark *first = mark_of(a.marked, a.node, a.result), *second = mark_of(b.marked, b.node, b.result);
    if (first->before == 0 && second->before == 0)
        return true;
    if (first->before == 0)
        return put(walk, a.marked, a.node, a.result, *second);
    return put(walk, b.marked, b.node, b.result, *first);
}

/* ---- where ops take the axis ---- */

static int64_t product(const pod_shape *shape, int32_t first, int32_t end)
{
    int64_t size = 1;
    for (int32_t k = first; k < end; k++)
        size *= shape->dims[k];
    return size;
}

/* The axis of a shape of the same elements at which as many entries stand before and after; false: it is divided. */
static bool through_reshape(const pod_shape *from, const pod_shape *to, int64_t size, pod_axis_mark mark,
                            pod_axis_mark *found)
{
    if (pod_shape_elements(from) == 0) /* whose other sizes may be of any product */
        return false;
    const int64_t before = product(from, 0, mark.axis) * mark.before;
    const int64_t after = product(from, mark.axis + 1, from->rank) * mark.after;
    for (int32_t k = 0; k < to->rank; k++) {
        const int64_t outer = product(to, 0, k), inner = product(to, k + 1, to->rank);
        if (before % outer != 0 || after % inner != 0)
            continue;
        *found = (pod_axis_mark){k, before / outer, after / inner};
        if (to->dims[k] == found->before * found->after * size)
            return true;
    }
    return false;
}

/* Into how many parts a reshape divides an axis whose size does not stand in the result; 0: into none. */
static int64_t parts_of_reshape(const pod_shape *from, const pod_shape *to, int64_t size, pod_axis_mark mark)
{
    if (pod_shape_elements(from) == 0)
        return 0;
    const int64_t before = product(from, 0, mark.axis) * mark.before;
    for (int32_t k = 1; k < to->rank; k++) {
        const int64_t outer = product(to, 0, k);
        if (outer % before == 0 && outer > before && outer / before < size && size % (outer / before) == 0)
            return outer / before;
    }
    return 0;
}

/* A slice of whole turns of the axis has fewer of them. The first entry is there at every size. */
static pod_axis_way through_slice(const pod_node *node, int64_t turn, pod_axis_mark *mark)
{
    const pod_attributes *a = node->attributes;
    const int64_t low = a->low[mark->axis], high = a->high[mark->axis];
    if (low == 0 && high == mark->after && high < turn)
        return (pod_axis_way){.fate = POD_AXIS_REDUCED};
    if (a->step[mark->axis] != 1 || low % turn != 0 || high % turn != 0 || low == high)
        return (pod_axis_way){.fate = POD_AXIS_CUT};
    mark->before = (high - low) / turn;
    return (pod_axis_way){POD_AXIS_KEPT, mark->axis, mark->after};
}

/* Padding by whole turns adds some: the gradient of such a slice. */
static pod_axis_way through_pad(const pod_node *node, uint32_t operand, int64_t turn, pod_axis_mark *mark)
{
    const pod_attributes *a = node->attributes;
    const int64_t low = a->low[mark->axis], high = a->high[mark->axis];
    if (operand != 0 || a->step[mark->axis] != 0 || low % turn != 0 || high % turn != 0 || low < 0 || high < 0)
        return (pod_axis_way){.fate = POD_AXIS_CUT};
    mark->before += low / turn + high / turn;
    return (pod_axis_way){POD_AXIS_KEPT, mark->axis, mark->after};
}

/* The axis of the kernel that a convolution folds together with an axis of its first operand: the channels, which in
 * the gradient of a transposed convolution's kernel are the batch. False: it is another axis, or in groups. */
static bool find_channels(const pod_node *node, uint32_t operand, int32_t axis, uint32_t other, int32_t *found)
{
    const int32_t rank = node->results[0].shape.rank;
    const int32_t ends[2] = {rank - 1, node->op == POD_OP_CONVOLUTION ? rank - 2 : rank - 1};
    if ((node->op != POD_OP_CONVOLUTION && node->op != POD_OP_CONVOLUTION_INPUT_GRADIENT) ||
        node->attributes->window.groups > 1 || axis != ends[operand])
        return false;
    *found = ends[other];
    return true;
}

/* Where a node takes the mark of an operand, which becomes the result's. */
static pod_axis_fate follow(const pod_axis_walk *walk, const pod_node *node, uint32_t operand, pod_axis_mark *mark)
{
    const pod_op_sizes sizes = pod_node_sizes(node);
    const pod_shape *from = &pod_node_type(node->inputs[operand])->shape;
    pod_axis_way way = {POD_AXIS_KEPT, mark->axis, mark->after};
    switch (node->op) {
    case POD_OP_RESHAPE:
        return through_reshape(from, &node->results[0].shape, walk->size, *mark, mark) ? POD_AXIS_KEPT : POD_AXIS_CUT;
    case POD_OP_SLICE:
        way = through_slice(node, walk->size * mark->after, mark);
        break;
    case POD_OP_PAD:
        way = through_pad(node, operand, walk->size * mark->after, mark);
        break;
    case POD_OP_REVERSE: /* and what is sorted keeps its size, whatever moves */
    case POD_OP_SORT:
        break;
    case POD_OP_DIMENSION_SIZE: /* is a number */
        return POD_AXIS_REDUCED;
    case POD_OP_CHECK:
        if (operand == 1) /* what is checked of each entry */
            return POD_AXIS_REDUCED;
        break;
    case POD_OP_OPAQUE:
        if (!node->attributes->flag)
            way.fate = POD_AXIS_CUT;
        break;
    default:
        if (find_channels(node, operand, mark->axis, operand, &way.axis))
            return POD_AXIS_REDUCED;
        if (node->op != POD_OP_SCATTER || operand != 0) /* whose result has the size of what it adds to */
            way = pod_op_axis_way(&sizes, operand, mark->axis, mark->after);
    }
    mark->axis = way.axis;
    return way.fate == POD_AXIS_LOCAL ? POD_AXIS_KEPT : way.fate;
}

/* Operands along one axis behind each other: each has some turns of it. False where marks are missing or differ. */
static bool through_concatenate(const pod_marked_graph *marked, const pod_node *node, pod_axis_mark *mark)
{
    int64_t before = 0;
    for (uint32_t j = 0; j < node->input_count; j++) {
        const pod_axis_mark *one = mark_of(marked, node->inputs[j], 0);
        if (one->before == 0 || one->axis != mark->axis || one->after != mark->after)
            return false;
        before += one->before;
    }
    mark->before = before;
    return true;
}

static bool is_concatenated(const pod_node *node, const pod_axis_mark *mark)
{
    return node->op == POD_OP_CONCATENATE && mark->axis == node->attributes->axis && node->input_count > 1;
}

/* ---- one node ---- */

/* Marks what is folded together with an axis of an operand that is. */
static bool mark_pairs(pod_axis_walk *walk, const pod_marked_graph *marked, const pod_node *node, uint32_t operand,
                       pod_axis_mark mark)
{
    for (uint32_t other = 0; other < node->input_count; other++) {
        pod_axis_mark paired = mark;
        if ((find_channels(node, operand, mark.axis, other, &paired.axis) ||
             pod_op_axis_pair(node->op, node->attributes, operand, mark.axis, other, &paired.axis)) &&
            !put(walk, marked, node->inputs[other], 0, paired))
            return false;
    }
    return true;
}

static bool go_forward(pod_axis_walk *walk, const pod_marked_graph *marked, const pod_node *node, uint32_t operand)
{
    pod_axis_mark mark = *mark_of(marked, node->inputs[operand], 0);
    const pod_axis_mark own = mark;
    if (is_concatenated(node, &mark))
        return !through_concatenate(marked, node, &mark) || put(walk, marked, node, 0, mark);
    switch (follow(walk, node, operand, &mark)) {
    case POD_AXIS_REDUCED:
        return mark_pairs(walk, marked, node, operand, own);
    case POD_AXIS_CUT:
        if (node->op == POD_OP_RESHAPE)
            walk->split = parts_of_reshape(&pod_node_type(node->inputs[operand])->shape, &node->results[0].shape,
                                           walk->size, own);
        return pod_replicate_refuse(walk, node, "has no rule for another size of this axis");
    default:
        for (uint32_t i = 0; i < node->result_count; i++)
            if (!put(walk, marked, node, i, mark))
                return false;
        return true;
    }
}

/* Marks the axis of an operand that becomes that of the result, where there is one. */
static bool go_back(pod_axis_walk *walk, const pod_marked_graph *marked, const pod_node *node, uint32_t operand)
{
    const pod_axis_mark *wanted = mark_of(marked, node, 0);
    const pod_shape *shape = &pod_node_type(node->inputs[operand])->shape;
    if (wanted->before == 0 || is_concatenated(node, wanted))
        return true;
    if (node->op == POD_OP_RESHAPE) {
        pod_axis_mark from;
        return !through_reshape(&node->results[0].shape, shape, walk->size, *wanted, &from) ||
               put(walk, marked, node->inputs[operand], 0, from);
    }
    for (int32_t k = 0; k < shape->rank; k++) {
        pod_axis_mark from = {k, wanted->before, wanted->after}, to = from;
        if (shape->dims[k] == from.before * from.after * walk->size &&
            follow(walk, node, operand, &to) == POD_AXIS_KEPT && same_mark(&to, wanted))
            return put(walk, marked, node->inputs[operand], 0, from);
    }
    return true;
}

static bool visit_plain(pod_axis_walk *walk, const pod_marked_graph *marked, const pod_node *node)
{
    for (uint32_t j = 0; j < node->input_count; j++) {
        const bool has = mark_of(marked, node->inputs[j], 0)->before > 0;
        if (has ? !go_forward(walk, marked, node, j) : !go_back(walk, marked, node, j))
            return false;
    }
    return true;
}

/* ---- regions ---- */

static bool join_region(pod_axis_walk *walk, const pod_marked_graph *marked, const pod_node *node, uint32_t index)
{
    const pod_marked_graph *region = marked->regions[2 * (size_t)node->id + index];
    const pod_graph *graph = region->graph;
    const uint32_t skipped = node->op == POD_OP_COND; /* the predicate */
    for (uint32_t j = skipped; j < node->input_count; j++)
        if (!join(walk, (pod_marked_value){marked, node->inputs[j], 0},
                  (pod_marked_value){region, graph->parameters[j - skipped], 0}))
            return false;
    const bool tests = node->op == POD_OP_WHILE && index == 0;
    for (uint32_t i = 0; i < node->result_count && !tests; i++) {
        const pod_marked_value result = {marked, node, i};
        if (!join(walk, result, (pod_marked_value){region, graph->outputs[i], 0}))
            return false;
    }
    for (uint32_t i = 0; node->op == POD_OP_WHILE && i < node->input_count; i++)
        if (!join(walk, (pod_marked_value){marked, node->inputs[i], 0}, (pod_marked_value){marked, node, i}))
            return false;
    return true;
}

/* A custom gradient takes the operands and what the results have, and gives what the operands have. */
static bool join_gradient(pod_axis_walk *walk, const pod_marked_graph *marked, const pod_node *node)
{
    const pod_marked_graph *region = marked->regions[2 * (size_t)node->id + 1];
    const pod_graph *graph = region->graph;
    for (uint32_t j = 0; j < node->input_count; j++) {
        const pod_marked_value operand = {marked, node->inputs[j], 0};
        if (!join(walk, operand, (pod_marked_value){region, graph->parameters[j], 0}) ||
            !join(walk, operand, (pod_marked_value){region, graph->outputs[j], 0}))
            return false;
    }
    for (uint32_t i = 0; i < node->result_count; i++)
        if (!join(walk, (pod_marked_value){marked, node, i},
                  (pod_marked_value){region, graph->parameters[node->input_count + i], 0}))
            return false;
    return true;
}

static bool visit_graph(pod_axis_walk *walk, const pod_marked_graph *marked, bool back);

static bool visit(pod_axis_walk *walk, const pod_marked_graph *marked, const pod_node *node, bool back)
{
    switch (node->op) {
    case POD_OP_RESULT:
        return join(walk, (pod_marked_value){marked, node, 0},
                    (pod_marked_value){marked, node->inputs[0], (uint32_t)node->attributes->axis});
    case POD_OP_CALL:
    case POD_OP_COND:
    case POD_OP_WHILE:
        for (uint32_t i = 0; i < node->region_count; i++) {
            const bool gradient = node->op == POD_OP_CALL && i == 1;
            if (!(gradient ? join_gradient(walk, marked, node) : join_region(walk, marked, node, i)) ||
                !visit_graph(walk, marked->regions[2 * (size_t)node->id + i], back))
                return false;
        }
        return true;
    default: /* a reduction's region is of scalars */
        return visit_plain(walk, marked, node);
    }
}

/* Marks go far in the order in which nodes are visited: from operands to results, or (back) the other way. */
static bool visit_graph(pod_axis_walk *walk, const pod_marked_graph *marked, bool back)
{
    const pod_graph *graph = marked->graph;
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (!visit(walk, marked, graph->nodes[back ? graph->node_count - 1 - i : i], back))
            return false;
    return true;
}

/* ---- the walk ---- */

static pod_marked_graph *make_marked(pod_axis_walk *walk, const pod_graph *graph)
{
    uint32_t results = 0;
    pod_marked_graph *marked = pod_arena_allocate(&walk->arena, sizeof *marked);
    if (marked == NULL)
        return NULL;
    marked->graph = graph;
    marked->first = pod_arena_array(&walk->arena, (size_t)graph->node_count + 1, sizeof *marked->first);
    marked->regions = pod_arena_array(&walk->arena, 2 * ((size_t)graph->node_count + 1), sizeof(*marked->regions));
    for (uint32_t i = 0; i < graph->node_count && marked->first != NULL && marked->regions != NULL; i++) {
        const pod_node *node = graph->nodes[i];
        marked->first[i] = results;
        results += node->result_count;
        for (uint32_t k = 0; k < node->region_count; k++) {
            marked->regions[2 * (size_t)i + k] = make_marked(walk, node->regions[k]);
            if (marked->regions[2 * (size_t)i + k] == NULL)
                return NULL;
        }
    }
    marked->result_count = results;
    marked->marks = pod_arena_array(&walk->arena, (size_t)results + 1, sizeof *marked->marks);
    return marked->first != NULL && marked->regions != NULL && marked->marks != NULL ? marked : NULL;
}

/* What concatenates the axis needs all operands marked: asked when nothing is new. */
static bool check_concatenates(pod_axis_walk *walk, const pod_marked_graph *marked)
{
    for (uint32_t i = 0; i < marked->graph->node_count; i++) {
        const pod_node *node = marked->graph->nodes[i];
        for (uint32_t k = 0; k < node->region_count; k++)
            if (!check_concatenates(walk, marked->regions[2 * (size_t)i + k]))
                return false;
        for (uint32_t j = 0; j < node->input_count && node->op == POD_OP_CONCATENATE; j++) {
            pod_axis_mark mark = *mark_of(marked, node->inputs[j], 0);
            if (mark.before > 0 && is_concatenated(node, &mark) && !through_concatenate(marked, node, &mark))
                return pod_replicate_refuse(walk, node, "puts other entries behind those of this axis");
        }
    }
    return true;
}

/* Goes on until nothing is new. */
static bool settle(pod_axis_walk *walk, const pod_marked_graph *marked)
{
    do {
        walk->changed = false;
        if (!visit_graph(walk, marked, false) || !visit_graph(walk, marked, true))
            return false;
    } while (walk->changed);
    return check_concatenates(walk, marked);
}

/* ---- sizes that the program counted out of the axis's ---- */

/* Remembers all marks, or (`back`) takes those again. False: there is no memory. */
static bool keep_marks(pod_axis_walk *walk, pod_marked_graph *marked, bool back)
{
    const uint32_t count = marked->result_count;
    if (marked->kept == NULL && !back)
        marked->kept = pod_arena_array(&walk->arena, (size_t)count + 1, sizeof *marked->kept);
    if (marked->kept == NULL)
        return false;
    memcpy(back ? marked->marks : marked->kept, back ? marked->kept : marked->marks, count * sizeof *marked->marks);
    for (uint32_t i = 0; i < 2 * marked->graph->node_count; i++)
        if (marked->regions[i] != NULL && !keep_marks(walk, marked->regions[i], back))
            return false;
    return true;
}

/* Whether the marks of parameters are those remembered. */
static bool same_parameters(const pod_marked_graph *marked)
{
    for (uint32_t i = 0; i < marked->graph->parameter_count; i++) {
        const uint32_t at = marked->first[marked->graph->parameters[i]->id];
        if (marked->marks[at].before != marked->kept[at].before)
            return false;
    }
    return true;
}

/* Most counts that are tried: each is a walk of its own. */
#define MOST_COUNTS 64

/* Numbers that are counted out to a multiple of the axis's size, such as the places of experts, follow it where that
 * contradicts nothing and leaves the parameters alone. */
static bool mark_counts(pod_axis_walk *walk, pod_marked_graph *marked)
{
    const pod_graph *graph = marked->graph;
    pod_error *error = walk->error, ignored = {0};
    int tried = 0;
    for (uint32_t i = 0; i < graph->node_count && tried < MOST_COUNTS; i++) {
        const pod_node *node = graph->nodes[i];
        const int32_t axis = node->attributes->axis;
        const int64_t size = node->op == POD_OP_IOTA ? node->results[0].shape.dims[axis] : 0;
        if (size == 0 || size % walk->size != 0 || mark_of(marked, node, 0)->before > 0)
            continue;
        if (!keep_marks(walk, marked, false)) {
            pod_error_set(error, POD_ERROR_MEMORY, "there is no memory to follow an axis through a graph");
            return false;
        }
        tried++;
        walk->error = &ignored;
        if (!put(walk, marked, node, 0, (pod_axis_mark){axis, size / walk->size, 1}) || !settle(walk, marked) ||
            !same_parameters(marked))
            keep_marks(walk, marked, true);
        walk->error = error;
    }
    return true;
}

pod_marked_graph *pod_replicate_mark_axis(pod_axis_walk *walk, const pod_graph *graph, uint32_t parameter, int32_t axis,
                                          int64_t parts)
{
    const pod_node *from = graph->parameters[parameter];
    pod_marked_graph *marked = make_marked(walk, graph);
    if (marked == NULL) {
        pod_error_set(walk->error, POD_ERROR_MEMORY, "there is no memory to follow an axis through a graph");
        return NULL;
    }
    walk->size = from->results[0].shape.dims[axis] / parts;
    if (!put(walk, marked, from, 0, (pod_axis_mark){axis, parts, 1}) || !settle(walk, marked))
        return NULL;
    return !walk->counts || mark_counts(walk, marked) ? marked : NULL;
}
