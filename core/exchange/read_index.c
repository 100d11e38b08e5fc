/* gather and scatter, where they take from one axis or from pairs of rows. */

#include "exchange/folds.h"
#include "exchange/translate.h"
#include "graph/ops.h"

/* How one axis of x is indexed: the axes before `count` are shared by x and the indices. */
typedef struct indexing {
    int32_t axis, count;
    pod_node *indices; /* without the axis of index vectors */
} indexing;

static bool is_prefix(const pod_axes *axes)
{
    for (int32_t i = 0; i < axes->count; i++) {
        if (axes->axes[i] != i)
            return false;
    }
    return true;
}

/* Takes the axis of length 1 that holds index vectors off; false when it is no such axis. */
static bool take_indices(pod_call *call, int64_t vector_axis, indexing *found)
{
    pod_node *indices = call->inputs[1];
    pod_dtype dtype = pod_node_dtype(indices, 0);
    pod_shape shape = *pod_node_shape(indices, 0);
    if (vector_axis != shape.rank) {
        if (vector_axis < 0 || vector_axis >= shape.rank || shape.dims[vector_axis] != 1)
            return false;
        for (int32_t i = (int32_t)vector_axis; i + 1 < shape.rank; i++)
            shape.dims[i] = shape.dims[i + 1];
        shape.dims[--shape.rank] = 0;
        indices = pod_graph_reshape(call->graph, indices, &shape);
    }
    if (dtype != POD_S32 && dtype != POD_S64)
        indices = pod_graph_convert(call->graph, indices, pod_dtype_size(dtype) < 4 ? POD_S32 : POD_S64);
    found->indices = indices;
    return dtype != POD_U64;
}

/* Lists of axes of gather and scatter under their names there. */
typedef struct index_numbers {
    pod_axes windows;   /* of the result or the updates, that are axes of x */
    pod_axes collapsed; /* axes of x of which one element is taken */
    pod_axes x_batch, indices_batch;
    pod_axes map; /* axes of x that the index vector is for */
    int64_t vector_axis;
} index_numbers;

static bool read_numbers(pod_call *call, const char *key, const char *const names[5], index_numbers *n)
{
    pod_syntax_value table;
    pod_translator *t = call->translator;
    pod_axes *lists[5] = {&n->windows, &n->collapsed, &n->x_batch, &n->indices_batch, &n->map};
    n->vector_axis = 0;
    if (!pod_exchange_value_struct(t, pod_exchange_call_attribute(call, key, NULL), &table))
        return false;
    for (int i = 0; i < 5; i++) {
        if (!pod_exchange_value_axes(t, pod_exchange_syntax_find(&table, names[i]), lists[i]))
            return false;
    }
    const pod_syntax_value *vector = pod_exchange_syntax_find(&table, "index_vector_dim");
    return !vector || pod_exchange_value_integer(vector, &n->vector_axis);
}

/* Returns whether axis number `axis` of x is indexed alone, its batch axes come first on both sides, and
 * the other axes of x stand in the result around the indices' own as ours do. */
static bool is_one_axis(const index_numbers *n, const pod_shape *x, int32_t index_rank)
{
    int32_t batch = n->x_batch.count;
    if (n->map.count != 1 || n->collapsed.count != 1 || n->map.axes[0] != n->collapsed.axes[0] ||
        batch != n->indices_batch.count || !is_prefix(&n->x_batch) || !is_prefix(&n->indices_batch))
        return false;
    int32_t axis = n->map.axes[0], own = index_rank - batch, place = batch;
    if (axis < batch || axis >= x->rank || n->windows.count != x->rank - batch - 1)
        return false;
    for (int32_t i = 0; i < n->windows.count; i++, place++) {
        if (place == axis)
            place += own;
        if (n->windows.axes[i] != place)
            return false;
    }
    return true;
}

/* Old forms of take_along_axis count the rows themselves: not looked for. */
static bool find_indexing(pod_call *call, const index_numbers *n, indexing *found)
{
    const pod_shape *x = pod_node_shape(call->inputs[0], 0);
    const pod_shape *indices = pod_node_shape(call->inputs[1], 0);
    int32_t rank = indices->rank - (n->vector_axis < indices->rank);
    if (n->vector_axis < n->indices_batch.count || !is_one_axis(n, x, rank))
        return false;
    found->axis = n->map.axes[0];
    found->count = n->x_batch.count;
    return take_indices(call, n->vector_axis, found);
}

/* Whole axes are taken but for the one indexed and the batch. */
static bool takes_whole_axes(pod_call *call, const indexing *found)
{
    int64_t sizes[POD_MAX_RANK];
    const pod_shape *x = pod_node_shape(call->inputs[0], 0);
    int count = pod_exchange_value_integers(call->translator, pod_exchange_call_attribute(call, "slice_sizes", NULL),
                                            sizes, POD_MAX_RANK);
    if (count != x->rank)
        return false;
    for (int32_t i = 0; i < x->rank; i++) {
        bool one = i == found->axis || i < found->count;
        if (sizes[i] != (one ? 1 : x->dims[i]))
            return false;
    }
    return true;
}

static bool read_gather_numbers(pod_call *call, index_numbers *n)
{
    static const char *const names[5] = {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                                         "start_indices_batching_dims", "start_index_map"};
    return read_numbers(call, "dimension_numbers", names, n);
}

void pod_exchange_list_windows(pod_call *call, pod_axes *axes)
{
    index_numbers n;
    axes->count = 0;
    if (call->op->operand_count < 2 || !read_gather_numbers(call, &n))
        return;
    for (int indexed = 1; indexed >= 0; indexed--)
        for (int32_t axis = 0, window = 0; axis < pod_node_shape(call->inputs[0], 0)->rank; axis++) {
            if (pod_op_has_axis(&n.collapsed, axis) || pod_op_has_axis(&n.x_batch, axis) || window == n.windows.count)
                continue;
            if (pod_op_has_axis(&n.map, axis) == indexed)
                axes->axes[axes->count++] = n.windows.axes[window];
            window++;
        }
}

pod_outcome pod_exchange_read_gather(pod_call *call)
{
    index_numbers numbers;
    indexing found;
    if (!read_gather_numbers(call, &numbers))
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "dimension_numbers must list axes");
    if (!find_indexing(call, &numbers, &found) || !takes_whole_axes(call, &found))
        return POD_PLACED; /* several axes are indexed at once, or parts of them are taken */
    pod_attributes attributes = {.axis = found.axis, .count = found.count, .flag = true};
    pod_node *inputs[2] = {call->inputs[0], found.indices};
    return pod_exchange_call_give(call, POD_OP_GATHER, inputs, 2, &attributes);
}

static bool find_reduction(pod_op op, pod_reduction *reduction)
{
    const pod_exchange_fold *fold = pod_exchange_find_fold(op);
    *reduction = fold ? fold->reduction : POD_REDUCE_ASSIGN;
    if (fold && (*reduction == POD_REDUCE_ASSIGN || *reduction == POD_REDUCE_PRODUCT))
        return false;
    return fold || op == POD_FOLD_SECOND;
}

/* ---- a scatter of one window ------------------------------------------------------------------------------------- */

/* What one index vector is for: a window of x that the updates are put in the place of. */
typedef struct one_window {
    pod_shape shape;                /* of the window: x's rank */
    pod_node *starts[POD_MAX_RANK]; /* by axis of x */
    pod_node *is_inside;            /* NULL: it always is */
} one_window;

/* The window's shape; false where the indices are more than one vector, or are batched. */
static bool shape_window(pod_call *call, const index_numbers *n, pod_shape *shape)
{
    const pod_shape *x = pod_node_shape(call->inputs[0], 0), *updates = pod_node_shape(call->inputs[2], 0);
    if (n->x_batch.count > 0 || pod_shape_elements(pod_node_shape(call->inputs[1], 0)) != n->map.count ||
        n->windows.count + n->collapsed.count != x->rank)
        return false;
    *shape = (pod_shape){.rank = x->rank};
    int64_t elements = 1;
    for (int32_t axis = 0, window = 0; axis < x->rank; axis++) {
        const bool whole = !pod_op_has_axis(&n->collapsed, axis);
        if (whole && n->windows.axes[window] >= updates->rank)
            return false;
        shape->dims[axis] = whole ? updates->dims[n->windows.axes[window++]] : 1;
        elements *= shape->dims[axis];
        if (shape->dims[axis] > x->dims[axis])
            return false;
    }
    return elements == pod_shape_elements(updates);
}

/* The start along an axis that the index vector has at a place, and whether the window is inside x along it. */
static void find_start(pod_call *call, pod_node *vector, int32_t place, int32_t axis, one_window *window)
{
    const pod_shape scalar = {.rank = 0};
    const pod_attributes cut = {.low = {place}, .high = {place + 1}, .step = {1}};
    pod_graph *graph = call->graph;
    pod_node *start =
        pod_graph_reshape(graph, pod_graph_apply(graph, POD_OP_SLICE, &vector, 1, &cut, NULL, 0), &scalar);
    const double last = (double)(pod_node_shape(call->inputs[0], 0)->dims[axis] - window->shape.dims[axis]);
    pod_node *above = pod_graph_compare(graph, POD_COMPARE_GE, start, pod_graph_number_like(graph, start, 0));
    pod_node *below = pod_graph_compare(graph, POD_COMPARE_LE, start, pod_graph_number_like(graph, start, last));
    pod_node *both = pod_graph_and(graph, above, below);
    window->starts[axis] = start;
    window->is_inside = window->is_inside ? pod_graph_and(graph, window->is_inside, both) : both;
}

/* Reads a scatter of one window, as `x.at[layer, :, place].set(row)` is, as an update of a slice, where the window is
 * inside x, by what is there otherwise. */
static pod_outcome read_one_window(pod_call *call, const index_numbers *n)
{
    pod_graph *graph = call->graph;
    pod_node *x = call->inputs[0], *inputs[POD_MAX_RANK + 2], *from[POD_MAX_RANK + 1];
    const pod_dtype dtype = pod_node_dtype(call->inputs[1], 0);
    const pod_shape list = {.rank = 1, .dims = {n->map.count}};
    one_window window = {0};
    if (dtype != POD_S32 || !shape_window(call, n, &window.shape))
        return POD_PLACED;
    pod_node *vector = pod_graph_reshape(graph, call->inputs[1], &list);
    for (int32_t i = 0; i < n->map.count; i++)
        find_start(call, vector, i, n->map.axes[i], &window);
    from[0] = x;
    for (int32_t axis = 0; axis < window.shape.rank; axis++) {
        if (!window.starts[axis])
            window.starts[axis] = pod_graph_number_like(graph, vector, 0);
        from[axis + 1] = inputs[axis + 2] = window.starts[axis];
    }
    const pod_attributes size = {.shape = window.shape};
    const size_t rank = (size_t)window.shape.rank;
    pod_node *there = pod_graph_apply(graph, POD_OP_DYNAMIC_SLICE, from, rank + 1, &size, NULL, 0);
    pod_node *updates = pod_graph_reshape(graph, call->inputs[2], &window.shape);
    inputs[0] = x;
    inputs[1] = window.is_inside ? pod_graph_select(graph, window.is_inside, updates, there) : updates;
    return pod_exchange_call_give(call, POD_OP_DYNAMIC_UPDATE_SLICE, inputs, rank + 2, NULL);
}

pod_outcome pod_exchange_read_scatter(pod_call *call)
{
    static const char *const names[5] = {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                                         "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};
    const pod_syntax_op *op = call->op;
    index_numbers numbers;
    indexing found;
    pod_attributes attributes = {.flag = true};
    if (op->operand_count != 3 || op->result_count != 1 || op->region_count != 1)
        return POD_PLACED; /* into several arrays at once */
    if (!read_numbers(call, "scatter_dimension_numbers", names, &numbers))
        return pod_exchange_read_fail(call, POD_ERROR_FORMAT, "scatter_dimension_numbers must list axes");
    if (!find_reduction(pod_exchange_region_fold(call->translator, &op->regions[0]), &attributes.reduction))
        return POD_PLACED; /* another fold */
    if (attributes.reduction == POD_REDUCE_ASSIGN) {
        const pod_outcome outcome = read_one_window(call, &numbers);
        if (outcome != POD_PLACED)
            return outcome;
    }
    if (!find_indexing(call, &numbers, &found))
        return POD_PLACED; /* several axes are indexed at once, or parts of them are taken */
    attributes.axis = found.axis;
    attributes.count = found.count;
    pod_node *inputs[3] = {call->inputs[0], found.indices, call->inputs[2]};
    return pod_exchange_call_give(call, POD_OP_SCATTER, inputs, 3, &attributes);
}
