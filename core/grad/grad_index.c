#include "base/error.h"
#include "grad/gradient.h"

/* gather, scatter, sort and top_k. */

static pod_node *gather(pod_graph *graph, pod_node *x, pod_node *indices, const pod_attributes *place)
{
    pod_attributes attributes = {.axis = place->axis, .count = place->count};
    return pod_graph_apply(graph, POD_OP_GATHER, (pod_node *[]){x, indices}, 2, &attributes, NULL, 0);
}

static pod_node *scatter(pod_graph *graph, pod_node *x, pod_node *indices, pod_node *updates,
                         const pod_attributes *place, pod_reduction reduction)
{
    pod_attributes attributes = {.axis = place->axis, .count = place->count, .reduction = reduction};
    return pod_graph_apply(graph, POD_OP_SCATTER, (pod_node *[]){x, indices, updates}, 3, &attributes, NULL, 0);
}

/* The indices that a gather with the flag takes: those outside are clamped. */
static pod_node *taken_indices(pod_graph *graph, const pod_node *node)
{
    pod_node *indices = node->inputs[1];
    if (!node->attributes->flag)
        return indices;
    int64_t size = pod_node_shape(node->inputs[0], 0)->dims[node->attributes->axis];
    return pod_graph_clamp(graph, pod_graph_number_like(graph, indices, 0), indices,
                           pod_graph_number_like(graph, indices, (double)(size - 1)));
}

void pod_gradient_gather(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    const pod_node *node = back->node;
    pod_node *zeros = pod_graph_full_like(graph, node->inputs[0], 0);
    back->operands[0] =
        scatter(graph, zeros, taken_indices(graph, node), back->cotangents[0], node->attributes, POD_REDUCE_SUM);
}

/* ---- scatter --------------------------------------------------------------------------------- */

static void scatter_sum(pod_pullback *back)
{
    back->operands[0] = back->cotangents[0];
    if (back->needed[2])
        back->operands[2] = gather(back->graph, back->cotangents[0], back->node->inputs[1], back->node->attributes);
}

/* Numbers 0, 1, ... of all elements, in the shape of `like`. */
static pod_node *number_elements(pod_graph *graph, const pod_node *like)
{
    const pod_shape *shape = pod_node_shape(like, 0);
    pod_shape flat = {.rank = 1, .dims = {pod_shape_elements(shape)}};
    return pod_graph_reshape(graph, pod_graph_iota(graph, POD_S64, &flat, 0), shape);
}

/* Of several updates of one element the last wins: found by scattering their numbers the same way.
 */
static void scatter_assign(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    const pod_node *node = back->node;
    pod_node *g = back->cotangents[0], *indices = node->inputs[1], *updates = node->inputs[2];
    if (back->needed[0])
        back->operands[0] =
            scatter(graph, g, indices, pod_graph_full_like(graph, updates, 0), node->attributes, POD_REDUCE_ASSIGN);
    if (!back->needed[2])
        return;
    pod_node *numbers = number_elements(graph, updates);
    pod_node *last = pod_graph_scalar(graph, POD_S64, -1, pod_node_shape(node, 0));
    last = scatter(graph, last, indices, numbers, node->attributes, POD_REDUCE_ASSIGN);
    pod_node *wins = pod_graph_compare(graph, POD_COMPARE_EQ, gather(graph, last, indices, node->attributes), numbers);
    back->operands[2] =
        pod_graph_select(graph, wins, gather(graph, g, indices, node->attributes), pod_graph_number_like(graph, g, 0));
}

/* All that equal the extreme share g. */
static void scatter_extreme(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    pod_node *node = back->node, *indices = node->inputs[1], *updates = node->inputs[2];
    const pod_attributes *place = node->attributes;
    pod_node *kept = pod_gradient_equal_mask(graph, node->inputs[0], node);
    pod_node *taken = pod_gradient_equal_mask(graph, updates, gather(graph, node, indices, place));
    pod_node *count = scatter(graph, kept, indices, taken, place, POD_REDUCE_SUM);
    pod_node *share = pod_graph_divide(graph, back->cotangents[0], count);
    if (back->needed[0])
        back->operands[0] = pod_graph_multiply(graph, share, kept);
    if (back->needed[2])
        back->operands[2] = pod_graph_multiply(graph, gather(graph, share, indices, place), taken);
}

void pod_gradient_scatter(pod_pullback *back)
{
    pod_reduction reduction = back->node->attributes->reduction;
    if (back->node->attributes->flag)
        pod_error_set(back->error, POD_ERROR_UNSUPPORTED,
                      "scatter: there is no gradient where updates of indices outside are "
                      "dropped%s%s",
                      back->node->location ? ", at " : "", back->node->location ? back->node->location : "");
    else if (reduction == POD_REDUCE_SUM)
        scatter_sum(back);
    else if (reduction == POD_REDUCE_ASSIGN)
        scatter_assign(back);
    else
        scatter_extreme(back);
}

/* ---- orders ---------------------------------------------------------------------------------- */

static pod_axes to_last(int32_t axis, int32_t rank)
{
    pod_axes axes = {.count = rank};
    for (int32_t i = 0; i < rank; i++)
        axes.axes[i] = i < axis ? i : i + 1;
    axes.axes[rank - 1] = axis;
    return axes;
}

/* Makes [rows, n] with n elements along `axis`. */
static pod_node *as_rows(pod_graph *graph, pod_node *x, int32_t axis)
{
    pod_shape rows = {.rank = 2};
    const pod_shape *shape = pod_node_shape(x, 0);
    pod_axes axes = to_last(axis, shape->rank);
    rows.dims[1] = shape->dims[axis];
    rows.dims[0] = 1;
    for (int32_t i = 0; i < shape->rank; i++)
        rows.dims[0] *= i == axis ? 1 : shape->dims[i];
    return pod_graph_reshape(graph, pod_graph_transpose(graph, x, &axes), &rows);
}

/* Undoes as_rows(). */
static pod_node *from_rows(pod_graph *graph, pod_node *x, int32_t axis, const pod_shape *shape)
{
    pod_axes forth = to_last(axis, shape->rank);
    pod_shape moved = {.rank = shape->rank};
    for (int32_t i = 0; i < shape->rank; i++)
        moved.dims[i] = shape->dims[forth.axes[i]];
    return pod_graph_untranspose(graph, pod_graph_reshape(graph, x, &moved), &forth);
}

/* Puts g [.., k along axis, ..] at `places` (s32, of g's shape) along the axis of zeros of `shape`.
 */
static pod_node *put_back(pod_graph *graph, pod_node *g, pod_node *places, int32_t axis, const pod_shape *shape)
{
    static const pod_attributes in_rows = {.axis = 1, .count = 1};
    if (!pod_node_is_valid(g) || !pod_node_is_valid(places))
        return &graph->invalid;
    pod_node *rows = as_rows(graph, g, axis);
    pod_shape wide = *pod_node_shape(rows, 0);
    wide.dims[1] = shape->dims[axis];
    pod_node *zeros = pod_graph_scalar(graph, pod_node_dtype(g, 0), 0, &wide);
    pod_node *put = scatter(graph, zeros, as_rows(graph, places, axis), rows, &in_rows, POD_REDUCE_SUM);
    return from_rows(graph, put, axis, shape);
}

/* Returns where each element of the sorted operand stood before: the sort again, with numbers that follow.
 */
static pod_node *sorted_places(pod_graph *graph, pod_node *x, const pod_attributes *order)
{
    pod_node *numbers = pod_graph_iota(graph, POD_S32, pod_node_shape(x, 0), order->axis);
    pod_node *sorted = pod_graph_apply(graph, POD_OP_SORT, (pod_node *[]){x, numbers}, 2, order, NULL, 0);
    return pod_graph_result(graph, sorted, 1);
}

void pod_gradient_sort(pod_pullback *back)
{
    const pod_node *node = back->node;
    int32_t axis = node->attributes->axis;
    const pod_shape *shape = pod_node_shape(node, 0);
    if (shape->dims[axis] > INT32_MAX) {
        pod_gradient_refuse(back, "the sorted axis is longer than int32 counts");
        return;
    }
    pod_node *places = sorted_places(back->graph, node->inputs[0], node->attributes);
    for (uint32_t i = 0; i < node->input_count; i++) {
        if (back->needed[i] && back->cotangents[i])
            back->operands[i] = put_back(back->graph, back->cotangents[i], places, axis, shape);
    }
}

void pod_gradient_top_k(pod_pullback *back)
{
    pod_graph *graph = back->graph;
    const pod_shape *shape = pod_node_shape(back->node->inputs[0], 0);
    if (!back->cotangents[0])
        return;
    pod_node *places = pod_graph_result(graph, back->node, 1);
    back->operands[0] = put_back(graph, back->cotangents[0], places, shape->rank - 1, shape);
}
