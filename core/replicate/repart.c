/* repart - a value that is divided one way is brought to another: what is sliced, exchanged and gathered for that. */

#include "replicate/dividing.h"

#include "base/arena.h"
#include "graph/build.h"

#include <string.h>

bool pod_replicate_partings_alike(const pod_parting *a, const pod_parting *b)
{
    return memcmp(a->axes, b->axes, sizeof a->axes) == 0;
}

bool pod_replicate_is_nested(const pod_mesh *mesh, const pod_parting *parting)
{
    for (int32_t m = 0; m < mesh->rank; m++)
        for (int32_t n = 0; n < m; n++)
            if (parting->axes[m] >= 0 && parting->axes[m] == parting->axes[n])
                return true;
    return false;
}

/* ---- where a device stands ---- */

/* How far apart in the order of devices those are that follow each other along an axis of the mesh. */
static int64_t stride_of(const pod_mesh *mesh, int32_t m)
{
    int64_t stride = 1;
    for (int32_t n = m + 1; n < mesh->rank; n++)
        stride *= mesh->sizes[n];
    return stride;
}

/* The place of a device along an axis of the mesh. */
static pod_node *place_along(const pod_dividing *to, int32_t m)
{
    pod_graph *graph = to->graph;
    pod_node *id = pod_graph_apply(graph, POD_OP_REPLICA_ID, NULL, 0, NULL, NULL, 0);
    const double stride = (double)stride_of(to->mesh, m), size = (double)to->mesh->sizes[m];
    if (stride > 1)
        id = pod_graph_binary(graph, POD_OP_DIVIDE, id, pod_graph_scalar(graph, POD_S32, stride, NULL));
    return m == 0 ? id : pod_graph_binary(graph, POD_OP_REMAINDER, id, pod_graph_scalar(graph, POD_S32, size, NULL));
}

pod_node *pod_replicate_own_start(const pod_dividing *to, const pod_parting *parting, int32_t axis, int64_t size)
{
    pod_graph *graph = to->graph;
    pod_node *start = NULL;
    for (int32_t m = 0; m < to->mesh->rank; m++) {
        if (parting->axes[m] != axis)
            continue;
        size /= to->mesh->sizes[m];
        pod_node *part = pod_graph_binary(graph, POD_OP_MULTIPLY, place_along(to, m),
                                          pod_graph_scalar(graph, POD_S32, (double)size, NULL));
        start = start ? pod_graph_binary(graph, POD_OP_ADD, start, part) : part;
    }
    return start ? start : pod_graph_scalar(graph, POD_S32, 0, NULL);
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

/* The part of an axis that a device has along an axis of the mesh, of a value that has all of it. */
static pod_node *own_part(const pod_dividing *to, pod_node *x, int32_t axis, int32_t m)
{
    pod_node *operands[POD_MAX_RANK + 1] = {x};
    pod_attributes attributes = {.shape = *pod_node_shape(x, 0)};
    pod_parting parting;
    if (!to->runs)
        return first_part(to->graph, x, axis, to->mesh->sizes[m]);
    memset(parting.axes, -1, sizeof parting.axes);
    parting.axes[m] = (int8_t)axis;
    for (int32_t k = 0; k < attributes.shape.rank; k++)
        operands[k + 1] = pod_replicate_own_start(to, &parting, k, attributes.shape.dims[k]);
    attributes.shape.dims[axis] /= to->mesh->sizes[m];
    return pod_graph_apply(to->graph, POD_OP_DYNAMIC_SLICE, operands, (size_t)attributes.shape.rank + 1, &attributes,
                           NULL, 0);
}

/* The own part as often as there are devices that have one. */
static pod_node *repeated(pod_graph *graph, pod_node *x, int32_t axis, int64_t count)
{
    pod_shape shape = *pod_node_shape(x, 0), wide = shape;
    pod_axes axes = {.count = shape.rank};
    if (!pod_node_is_valid(x) || shape.rank == POD_MAX_RANK)
        return pod_graph_fail(graph, POD_ERROR_UNSUPPORTED, "a value of %d axes cannot be gathered here", POD_MAX_RANK);
    for (int32_t k = 0; k < shape.rank; k++) {
        axes.axes[k] = k < axis ? k : k + 1;
        wide.dims[axes.axes[k]] = shape.dims[k];
    }
    wide.dims[axis] = count;
    wide.rank++;
    shape.dims[axis] *= count;
    return pod_graph_reshape(graph, pod_graph_broadcast_axes(graph, x, &wide, &axes), &shape);
}

/* What stands for a collective where a device is alone: as large. */
static pod_node *stand_in(const pod_dividing *to, pod_op op, pod_node *x, int64_t count, const pod_attributes *a)
{
    if (op == POD_OP_REDUCE_SCATTER)
        return first_part(to->graph, x, a->axis, count);
    if (op == POD_OP_ALL_GATHER)
        return repeated(to->graph, x, a->axis, count);
    if (op == POD_OP_ALL_TO_ALL)
        return repeated(to->graph, first_part(to->graph, x, a->axis, count), a->axes.axes[0], count);
    return x;
}

pod_node *pod_replicate_exchange(const pod_dividing *to, pod_op op, pod_node *x, int32_t m, pod_attributes attributes)
{
    attributes.count = to->mesh->sizes[m];
    if (to->alone)
        return stand_in(to, op, x, attributes.count, &attributes);
    if (to->runs)
        attributes.seed = (uint64_t)stride_of(to->mesh, m);
    return pod_graph_apply(to->graph, op, &x, 1, &attributes, NULL, 0);
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
            x = own_part(to, x, now->axes[m], m);
        }
    return x;
}

/* Exchanges parts of one axis for parts of another one, where that falls into equal ones as it is now. */
static pod_node *move_parts(const pod_dividing *to, pod_node *x, pod_parting *now, const pod_parting *wanted)
{
    for (int32_t m = 0; m < to->mesh->rank; m++) {
        const int8_t from = now->axes[m], axis = wanted->axes[m];
        if (from < 0 || axis < 0 || from == axis || !is_even(x, axis, to->mesh->sizes[m]))
            continue;
        now->axes[m] = axis;
        x = pod_replicate_exchange(to, POD_OP_ALL_TO_ALL, x, m,
                                   (pod_attributes){.axis = axis, .axes = {.count = 1, .axes = {from}}});
    }
    return x;
}

static pod_node *gather(const pod_dividing *to, pod_node *x, pod_parting *now, int32_t m)
{
    x = pod_replicate_exchange(to, POD_OP_ALL_GATHER, x, m, (pod_attributes){.axis = now->axes[m]});
    now->axes[m] = -1;
    return x;
}

/* Whether an axis of the value would be divided by one axis of the mesh while it still is by another. */
static bool crosses(const pod_mesh *mesh, const pod_parting *from, const pod_parting *wanted)
{
    for (int32_t m = 0; m < mesh->rank; m++)
        for (int32_t n = 0; n < mesh->rank; n++)
            if (m != n && from->axes[m] >= 0 && from->axes[m] == wanted->axes[n])
                return true;
    return pod_replicate_is_nested(mesh, from) || pod_replicate_is_nested(mesh, wanted);
}

/* What makes the value smaller comes first. What cannot be moved is gathered. Where several axes of the mesh divide one
 * axis, the last of them divides what the others have left: all is gathered in that order, and divided anew. */
pod_node *pod_replicate_repart(const pod_dividing *to, pod_node *x, const pod_parting *from, const pod_parting *wanted)
{
    pod_parting now = *from;
    if (pod_replicate_partings_alike(from, wanted))
        return x;
    if (to->runs && crosses(to->mesh, from, wanted)) {
        for (int32_t m = to->mesh->rank - 1; m >= 0; m--)
            if (now.axes[m] >= 0)
                x = gather(to, x, &now, m);
        return take_parts(to, x, &now, wanted);
    }
    for (int all = 0; all < 2; all++) {
        x = move_parts(to, take_parts(to, x, &now, wanted), &now, wanted);
        for (int32_t m = 0; m < to->mesh->rank; m++)
            if (now.axes[m] >= 0 && now.axes[m] != wanted->axes[m] && (all || wanted->axes[m] < 0))
                x = gather(to, x, &now, m);
    }
    return take_parts(to, x, &now, wanted);
}

pod_node *pod_replicate_operand_in(const pod_dividing *to, const pod_node *operand, pod_node *have,
                                   const pod_parting *wanted)
{
    const pod_parting *from = pod_replicate_parting_of(to->parted, operand, 0);
    if (pod_replicate_partings_alike(from, wanted))
        return have;
    for (pod_reparted *one = to->others[operand->id]; one != NULL; one = one->next)
        if (pod_replicate_partings_alike(&one->parting, wanted))
            return one->node;
    pod_reparted *made = pod_arena_allocate(to->arena, sizeof *made);
    if (made == NULL)
        return pod_graph_fail_memory(to->graph);
    *made = (pod_reparted){to->others[operand->id], pod_replicate_repart(to, have, from, wanted), *wanted};
    to->others[operand->id] = made;
    return made->node;
}
