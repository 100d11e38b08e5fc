/* The batching rule of every op. Ops that compute each element from those at its place need no row
 * here, unless sums may go through them. */

#include "replicate/replicate_emit.h"

static const pod_batching rows[POD_OP_COUNT] = {
    [POD_OP_PARAMETER] = {.form = pod_form_of_leaf},
    [POD_OP_CONSTANT] = {.form = pod_form_of_leaf},
    [POD_OP_IOTA] = {.form = pod_form_of_leaf},
    [POD_OP_RESULT] = {0}, /* is no node of its own, but a result of its operand's */

    [POD_OP_NEGATE] = {.sum = pod_sum_unary},
    [POD_OP_CONVERT] = {.sum = pod_sum_convert},
    [POD_OP_STOP_GRADIENT] = {.sum = pod_sum_unary},
    [POD_OP_BARRIER] = {.sum = pod_sum_unary},
    [POD_OP_WITH_ROWS] = {.form = pod_form_of_with_rows,
                          .ask = pod_ask_of_with_rows,
                          .emit = pod_emit_with_rows,
                          .sum = pod_sum_with_rows},
    [POD_OP_CHECK] = {.form = pod_form_of_check, .ask = pod_ask_of_check, .emit = pod_emit_check, .sum = pod_sum_check},
    [POD_OP_PRINT] = {.stacked = pod_stacked_shifted},

    [POD_OP_ADD] = {.sum = pod_sum_each},
    [POD_OP_SUBTRACT] = {.sum = pod_sum_each},
    [POD_OP_MULTIPLY] = {.sum = pod_sum_bilinear},
    [POD_OP_DIVIDE] = {.sum = pod_sum_divide},
    [POD_OP_SELECT] = {.sum = pod_sum_select},

    [POD_OP_RANDOM_BITS] = {.form = pod_form_of_random, .ask = pod_ask_of_random, .emit = pod_emit_random},

    [POD_OP_RESHAPE] = {.sum = pod_sum_unary},
    [POD_OP_TRANSPOSE] = {.sum = pod_sum_unary},
    [POD_OP_BROADCAST] = {.sum = pod_sum_unary},
    [POD_OP_SLICE] = {.sum = pod_sum_unary},
    [POD_OP_DYNAMIC_SLICE] = {.stacked = pod_stacked_dynamic_slice, .sum = pod_sum_unary},
    [POD_OP_DYNAMIC_UPDATE_SLICE] = {.stacked = pod_stacked_dynamic_update},
    [POD_OP_PAD] = {.stacked = pod_stacked_pad, .sum = pod_sum_pad},
    [POD_OP_CONCATENATE] = {.sum = pod_sum_each},
    [POD_OP_REVERSE] = {.sum = pod_sum_unary},
    [POD_OP_GATHER] = {.stacked = pod_stacked_gather, .sum = pod_sum_unary},
    [POD_OP_SCATTER] = {.stacked = pod_stacked_scatter, .sum = pod_sum_scatter},
    [POD_OP_SORT] = {.stacked = pod_stacked_shifted},
    [POD_OP_TOP_K] = {.stacked = pod_stacked_shifted},
    [POD_OP_DIMENSION_SIZE] = {.form = pod_form_of_dimension,
                               .ask = pod_ask_of_dimension,
                               .emit = pod_emit_dimension,
                               .sum = pod_sum_dimension},

    [POD_OP_REDUCE_SUM] = {.stacked = pod_stacked_reduction, .sum = pod_sum_reduction, .fold = pod_fold_reduction},
    [POD_OP_REDUCE_PRODUCT] = {.stacked = pod_stacked_reduction},
    [POD_OP_REDUCE_MAX] = {.stacked = pod_stacked_reduction},
    [POD_OP_REDUCE_MIN] = {.stacked = pod_stacked_reduction},
    [POD_OP_REDUCE_AND] = {.stacked = pod_stacked_reduction},
    [POD_OP_REDUCE_OR] = {.stacked = pod_stacked_reduction},
    [POD_OP_ARGMAX] = {.stacked = pod_stacked_reduction},
    [POD_OP_ARGMIN] = {.stacked = pod_stacked_reduction},
    [POD_OP_REDUCE] = {.stacked = pod_stacked_region_reduction},
    [POD_OP_CUMULATIVE_SUM] = {.stacked = pod_stacked_cumulative, .sum = pod_sum_unary},

    [POD_OP_DOT] = {.stacked = pod_stacked_dot, .sum = pod_sum_product, .fold = pod_fold_dot},
    [POD_OP_CONVOLUTION] = {.stacked = pod_stacked_convolution, .sum = pod_sum_bilinear},
    [POD_OP_CONVOLUTION_INPUT_GRADIENT] = {.stacked = pod_stacked_convolution, .sum = pod_sum_bilinear},
    [POD_OP_CONVOLUTION_KERNEL_GRADIENT] = {.stacked = pod_stacked_convolution,
                                            .sum = pod_sum_product,
                                            .fold = pod_fold_kernel_gradient},

    [POD_OP_POOL_MAX] = {.stacked = pod_stacked_pool},
    [POD_OP_POOL_MAX_GRADIENT] = {.stacked = pod_stacked_pool},
    [POD_OP_POOL_MAX_SELECT] = {.stacked = pod_stacked_pool},
    [POD_OP_POOL_SUM] = {.stacked = pod_stacked_pool, .sum = pod_sum_unary},
    [POD_OP_POOL_SUM_GRADIENT] = {.stacked = pod_stacked_pool, .sum = pod_sum_unary},

    [POD_OP_CALL] = {.form = pod_form_of_call, .need = pod_need_of_call, .control = pod_emit_call},
    [POD_OP_COND] = {.form = pod_form_of_cond, .need = pod_need_of_cond, .control = pod_emit_cond},
    [POD_OP_WHILE] = {.form = pod_form_of_while, .need = pod_need_of_while, .control = pod_emit_while},

    [POD_OP_ALL_REDUCE] = {.form = pod_form_of_collective, .ask = pod_ask_of_collective, .emit = pod_emit_collective},
    [POD_OP_REDUCE_SCATTER] = {.form = pod_form_of_collective,
                               .ask = pod_ask_of_collective,
                               .emit = pod_emit_collective},
    [POD_OP_ALL_GATHER] = {.form = pod_form_of_collective, .ask = pod_ask_of_collective, .emit = pod_emit_collective},
    [POD_OP_ALL_TO_ALL] = {.form = pod_form_of_collective, .ask = pod_ask_of_collective, .emit = pod_emit_collective},
    [POD_OP_COLLECTIVE_PERMUTE] = {.form = pod_form_of_collective,
                                   .ask = pod_ask_of_collective,
                                   .emit = pod_emit_collective},
    [POD_OP_REPLICA_ID] = {.form = pod_form_of_collective, .emit = pod_emit_collective},
    [POD_OP_OPAQUE] = {.form = pod_form_of_opaque},
};

const pod_batching *pod_replicate_batching_get(pod_op op)
{
    return &rows[op];
}
