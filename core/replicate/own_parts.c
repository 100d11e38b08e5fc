/* own_parts - ops whose result depends on where a device's part begins. */

#include "replicate/dividing.h"

#include "graph/build.h"
#include "graph/composites.h"

#include <string.h>

bool pod_replicate_joins(const pod_node *node, pod_reduction *reduction)
{
    *reduction = POD_REDUCE_SUM;
    switch (node->op) {
    case POD_OP_REDUCE_SUM:
    case POD_OP_DOT:
    case POD_OP_CONVOLUTION:
    case POD_OP_CONVOLUTION_INPUT_GRADIENT:
    case POD_OP_CONVOLUTION_KERNEL_GRADIENT:
    case POD_OP_GATHER:
        return true;
    case POD_OP_SCATTER:
        *reduction = node->attributes->reduction;
        return *reduction == POD_REDUCE_SUM || *reduction == POD_REDUCE_MAX || *reduction == POD_REDUCE_MIN;
    case POD_OP_REDUCE_MAX:
        *reduction = POD_REDUCE_MAX;
        return true;
    case POD_OP_REDUCE_MIN:
        *reduction = POD_REDUCE_MIN;
        return true;
    case POD_OP_REDUCE_PRODUCT:
        *reduction = POD_REDUCE_PRODUCT;
        return true;
    default:
        return false;
    }
}

static const pod_shape *whole_shape(const pod_node *node)
{
    return &pod_node_type(node)->shape;
}

/* x plus a number that is not known before the device is. */
static pod_node *shifted(pod_graph *graph, pod_op op, pod_node *x, pod_node *by)
{
    return pod_graph_binary(graph, op, x, pod_graph_convert(graph, by, pod_node_dtype(x, 0)));
}

/* ---- what no operand gives ---- */

static pod_node *counted(const pod_dividing *to, const pod_node *node, const pod_parting *made)
{
    const int32_t axis = node->attributes->axis;
    const pod_shape *whole = whole_shape(node), part = pod_replicate_part_shape(to->mesh, whole, made);
    pod_node *x = pod_graph_iota(to->graph, node->results[0].dtype, &part, axis);
    if (part.dims[axis] == whole->dims[axis])
        return x;
    return shifted(to->graph, POD_OP_ADD, x, pod_replicate_own_start(to, made, axis, whole->dims[axis]));
}

/* Bits are those of the whole, of which each device takes its part. Like a value that all have they are the same on
 * all. */
static pod_node *drawn(const pod_dividing *to, const pod_node *node, pod_node *state, const pod_parting *made)
{
    pod_parting whole = *made;
    memset(whole.axes, -1, sizeof whole.axes);
    pod_node *like = pod_graph_scalar(to->graph, POD_S32, 0, whole_shape(node));
    const pod_attributes attributes = {.dtype = node->results[0].dtype, .seed = node->attributes->seed};
    pod_node *bits =
        pod_graph_apply(to->graph, POD_OP_RANDOM_BITS, (pod_node *[]){state, like}, 2, &attributes, NULL, 0);
    return pod_replicate_repart(to, bits, &whole, made);
}

/* ---- rows that are found by numbers ---- */

/* Indices into the part of an axis that a device has; those of others are outside. Where the op fails for indices that
 * nobody has, so does looking them up among all. */
static pod_node *own_indices(const pod_dividing *to, const pod_node *node, pod_node *indices, const pod_parting *rows,
                             int64_t size)
{
    if (!node->attributes->flag) {
        pod_node *all = pod_graph_iota(to->graph, pod_node_dtype(indices, 0), &(pod_shape){1, {size}}, 0);
        indices =
            pod_graph_apply(to->graph, POD_OP_GATHER, (pod_node *[]){all, indices}, 2, &(pod_attributes){0}, NULL, 0);
    } else if (node->op == POD_OP_GATHER) { /* which clamps */
        indices = pod_graph_clamp(to->graph, pod_graph_number_like(to->graph, indices, 0), indices,
                                  pod_graph_number_like(to->graph, indices, (double)(size - 1)));
    }
    return shifted(to->graph, POD_OP_SUBTRACT, indices,
                   pod_replicate_own_start(to, rows, node->attributes->axis, size));
}

/* Rows that others have are 0: the sum over the devices is what is looked up. */
static pod_node *own_rows(const pod_dividing *to, const pod_node *node, pod_node **inputs, const pod_parting *rows)
{
    pod_graph *graph = to->graph;
    pod_attributes attributes = *node->attributes;
    const int32_t axis = attributes.axis, count = (int32_t)attributes.count;
    const int64_t size = whole_shape(node->inputs[0])->dims[axis], part = pod_node_shape(inputs[0], 0)->dims[axis];
    pod_node *indices = own_indices(to, node, inputs[1], rows, size);
    pod_node *low = pod_graph_compare(graph, POD_COMPARE_GE, indices, pod_graph_number_like(graph, indices, 0));
    pod_node *high =
        pod_graph_compare(graph, POD_COMPARE_LT, indices, pod_graph_number_like(graph, indices, (double)part));
    attributes.flag = true;
    pod_node *found = pod_graph_copy_node_with(graph, node, (pod_node *[]){inputs[0], indices}, &attributes);
    if (graph->error.status != POD_OK)
        return &graph->invalid;
    pod_axes axes = {.count = pod_node_shape(indices, 0)->rank};
    for (int32_t k = 0; k < axes.count; k++)
        axes.axes[k] = k < count ? k : axis + k - count;
    pod_node *own = pod_graph_binary(graph, POD_OP_AND, low, high);
    own = pod_graph_broadcast_axes(graph, own, pod_node_shape(found, 0), &axes);
    return pod_graph_select(graph, own, found, pod_graph_full_like(graph, found, 0));
}

/* What updates are added to counts on one device alone. */
static pod_node *counted_once(const pod_dividing *to, pod_node *x, uint32_t partial)
{
    pod_graph *graph = to->graph;
    for (int32_t m = 0; m < to->mesh->rank; m++) {
        if (!(partial >> m & 1))
            continue;
        pod_parting along;
        memset(along.axes, -1, sizeof along.axes);
        along.axes[m] = 0;
        pod_node *place = pod_replicate_own_start(to, &along, 0, to->mesh->sizes[m]);
        pod_node *first = pod_graph_compare(graph, POD_COMPARE_EQ, place, pod_graph_number_like(graph, place, 0));
        first = pod_graph_broadcast_axes(graph, first, pod_node_shape(x, 0), &(pod_axes){0});
        x = pod_graph_select(graph, first, x, pod_graph_full_like(graph, x, 0));
    }
    return x;
}

static bool is_divided_along(const pod_mesh *mesh, const pod_parting *parting, int32_t axis)
{
    for (int32_t m = 0; m < mesh->rank; m++)
        if (parting->axes[m] == axis)
            return true;
    return false;
}

static pod_node *scattered(const pod_dividing *to, const pod_node *node, pod_node **inputs, const pod_parting *wanted,
                           uint32_t partial)
{
    pod_attributes attributes = *node->attributes;
    const bool rows = is_divided_along(to->mesh, &wanted[0], attributes.axis);
    const bool adds = partial != 0 && attributes.reduction == POD_REDUCE_SUM;
    pod_node *operands[3] = {inputs[0], inputs[1], inputs[2]};
    if (!rows && !adds)
        return NULL;
    if (adds)
        operands[0] = counted_once(to, inputs[0], partial);
    if (rows) {
        operands[1] = own_indices(to, node, inputs[1], &wanted[0], whole_shape(node->inputs[0])->dims[attributes.axis]);
        attributes.flag = true;
    }
    return pod_graph_copy_node_with(to->graph, node, operands, &attributes);
}

pod_node *pod_replicate_own_leaf(const pod_dividing *to, const pod_node *node, pod_node **inputs, pod_parting *made)
{
    pod_parting whole;
    memset(whole.axes, -1, sizeof whole.axes);
    switch (node->op) {
    case POD_OP_IOTA:
        return counted(to, node, made);
    case POD_OP_RANDOM_BITS:
        return drawn(to, node, pod_replicate_operand_in(to, node->inputs[0], inputs[0], &whole), made);
    case POD_OP_DIMENSION_SIZE:
        return pod_graph_scalar(to->graph, node->results[0].dtype,
                                (double)whole_shape(node->inputs[0])->dims[node->attributes->axis], NULL);
    default:
        return NULL;
    }
}

pod_node *pod_replicate_own_rows(const pod_dividing *to, const pod_node *node, pod_node **inputs,
                                 const pod_parting *wanted, uint32_t partial)
{
    if (node->op == POD_OP_SCATTER)
        return scattered(to, node, inputs, wanted, partial);
    if (node->op == POD_OP_GATHER && is_divided_along(to->mesh, &wanted[0], node->attributes->axis))
        return own_rows(to, node, inputs, &wanted[0]);
    return NULL;
}
