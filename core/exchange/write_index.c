/* gather and scatter. */

#include "exchange/folds.h"
#include "exchange/write_parts.h"

#include "moonpod/exchange.h"

/* The axes of x in the result of a gather: before the indices' own and behind them. */
static pod_axes window_axes(const pod_node *node)
{
    const pod_attributes *a = node->attributes;
    int32_t rank = node->inputs[0]->results[0].shape.rank;
    int32_t own = node->inputs[1]->results[0].shape.rank - (int32_t)a->count;
    pod_axes list = {0};
    for (int32_t i = (int32_t)a->count; i < rank; i++) {
        if (i != a->axis)
            list.axes[list.count++] = i < a->axis ? i : i - 1 + own;
    }
    return list;
}

static void write_index_numbers(pod_module_writer *w, const pod_node *node, const char *const keys[6])
{
    const pod_attributes *a = node->attributes;
    pod_axes windows = window_axes(node), one = {.count = 1, .axes = {a->axis}};
    pod_axes batch = {.count = (int32_t)a->count};
    for (int32_t i = 0; i < batch.count; i++)
        batch.axes[i] = i;
    pod_text_format(&w->text, " <{%s", keys[0]);
    pod_exchange_write_list(w, "", keys[1], &windows);
    pod_exchange_write_list(w, ", ", keys[2], &one);
    pod_exchange_write_list(w, ", ", keys[3], &batch);
    pod_exchange_write_list(w, ", ", keys[4], &batch);
    pod_exchange_write_list(w, ", ", keys[5], &one);
    pod_text_format(&w->text, ", index_vector_dim = %d>, indices_are_sorted = false",
                    node->inputs[1]->results[0].shape.rank);
}

void pod_exchange_write_gather(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    static const char *const keys[6] = {"dimension_numbers = #stablehlo.gather<",
                                        "offset_dims",
                                        "collapsed_slice_dims",
                                        "operand_batching_dims",
                                        "start_indices_batching_dims",
                                        "start_index_map"};
    const pod_shape *x = &node->inputs[0]->results[0].shape;
    int64_t slice[POD_MAX_RANK];
    for (int32_t i = 0; i < x->rank; i++)
        slice[i] = i < node->attributes->count || i == node->attributes->axis ? 1 : x->dims[i];
    pod_exchange_write_head(w, frame, node, "stablehlo.gather");
    write_index_numbers(w, node, keys);
    pod_exchange_write_sizes(w, ", ", "slice_sizes", slice, x->rank);
    pod_text_append(&w->text, "}>");
    if (!node->attributes->flag)
        pod_exchange_write_mark(w, node);
    pod_exchange_write_end(w, node);
}

void pod_exchange_write_scatter(pod_module_writer *w, const pod_frame *frame, const pod_node *node)
{
    static const char *const keys[6] = {"scatter_dimension_numbers = #stablehlo.scatter<",
                                        "update_window_dims",
                                        "inserted_window_dims",
                                        "input_batching_dims",
                                        "scatter_indices_batching_dims",
                                        "scatter_dims_to_operand_dims"};
    const pod_exchange_fold *fold = pod_exchange_fold_of_reduction(node->attributes->reduction);
    pod_exchange_write_head(w, frame, node, "stablehlo.scatter");
    write_index_numbers(w, node, keys);
    pod_text_append(&w->text, ", unique_indices = false}>");
    pod_exchange_write_fold(w, fold ? fold->op : -1, node->results[0].dtype);
    if (!node->attributes->flag)
        pod_exchange_write_mark(w, node);
    pod_exchange_write_end(w, node);
}
