/* The batching rule of every op. Ops that compute each element from those at its place alone need no row here, unless
 * sums may go through them. */

#include "replicate/replicate_emit.h"

#define ELEMENTWISE                                                                                                    \
    {                                                                                                                  \
        .axis = pod_axis_elementwise, .stacked = pod_stacked_elementwise                                               \
    }
#define LINEAR_EACH                                                                                                    \
    {                                                                                                                  \
        .axis = pod_axis_elementwise, .stacked = pod_stacked_elementwise, .sum = pod_sum_each                          \
    }
#define LINEAR_UNARY                                                                                                   \
    {                                                                                                                  \
        .axis = pod_axis_elementwise, .stacked = pod_stacked_elementwise, .sum = pod_sum_unary                         \
    }
#define REDUCTION                                                                                                      \
    {                                                                                                                  \
        .axis = pod_axis_reduction, .stacked = pod_stacked_reduction                                                   \
    }
#define ARG_REDUCTION                                                                                                  \
    {                                                                                                                  \
        .axis = pod_axis_arg_reduction, .stacked = pod_stacked_arg_reduction                                           \
    }
#define POOL                                                                                                           \
    {                                                                                                                  \
        .axis = pod_axis_pool, .stacked = pod_stacked_pool                                                             \
    }

static const pod_batching elementwise = ELEMENTWISE;

static const pod_batching rows[POD_OP_COUNT] = {
    [POD_OP_PARAMETER] = {.axis = pod_axis_none, .form = pod_form_of_leaf, .stacked = pod_stacked_elementwise},
    [POD_OP_CONSTANT] = {.axis = pod_axis_none, .form = pod_form_of_leaf, .stacked = pod_stacked_elementwise},
    [POD_OP_IOTA] = {.axis = pod_axis_none, .form = pod_form_of_leaf, .stacked = pod_stacked_elementwise},
    [POD_OP_RESULT] = {.axis = pod_axis_none, .stacked = pod_stacked_elementwise},

    [POD_OP_NEGATE] = LINEAR_UNARY,
    [POD_OP_CONVERT] = {.axis = pod_axis_elementwise, .stacked = pod_stacked_elementwise, .sum = pod_sum_convert},
    [POD_OP_STOP_GRADIENT] = LINEAR_UNARY,
    [POD_OP_BARRIER] = LINEAR_UNARY,
    [POD_OP_WITH_ROWS] = {.axis = pod_axis_elementwise,
                          .form = pod_form_of_with_rows,
                          .ask = pod_ask_of_with_rows,
                          .emit = pod_emit_with_rows,
                          .sum = pod_sum_with_rows},
    [POD_OP_CHECK] = {.axis = pod_axis_check,
                      .form = pod_form_of_check,
                      .ask = pod_ask_of_check,
                      .emit = pod_emit_check,
                      .sum = pod_sum_check},
    [POD_OP_PRINT] = ELEMENTWISE,

    [POD_OP_ADD] = LINEAR_EACH,
    [POD_OP_SUBTRACT] = LINEAR_EACH,
    [POD_OP_MULTIPLY] = {.axis = pod_axis_elementwise, .stacked = pod_stacked_elementwise, .sum = pod_sum_multiply},
    [POD_OP_DIVIDE] = {.axis = pod_axis_elementwise, .stacked = pod_stacked_elementwise, .sum = pod_sum_divide},
    [POD_OP_SELECT] = {.axis = pod_axis_elementwise, .stacked = pod_stacked_elementwise, .sum = pod_sum_select},

    [POD_OP_RANDOM_BITS] = {.axis = pod_axis_random,
                            .form = pod_form_of_random,
                            .ask = pod_ask_of_random,
                            .emit = pod_emit_random},

    [POD_OP_RESHAPE] = {.axis = pod_axis_reshape, .stacked = pod_stacked_reshape, .sum = pod_sum_unary},
    [POD_OP_TRANSPOSE] = {.axis = pod_axis_transpose, .stacked = pod_stacked_transpose, .sum = pod_sum_unary},
    [POD_OP_BROADCAST] = {.axis = pod_axis_broadcast, .stacked = pod_stacked_broadcast, .sum = pod_sum_unary},
    [POD_OP_SLICE] = {.axis = pod_axis_slice, .stacked = pod_stacked_slice, .sum = pod_sum_unary},
    [POD_OP_DYNAMIC_SLICE] = {.axis = pod_axis_dynamic_slice,
                              .stacked = pod_stacked_dynamic_slice,
                              .sum = pod_sum_unary},
    [POD_OP_DYNAMIC_UPDATE_SLICE] = {.axis = pod_axis_dynamic_update, .stacked = pod_stacked_dynamic_update},
    [POD_OP_PAD] = {.axis = pod_axis_pad, .stacked = pod_stacked_pad, .sum = pod_sum_pad},
    [POD_OP_CONCATENATE] = {.axis = pod_axis_concatenate, .stacked = pod_stacked_axis, .sum = pod_sum_each},
    [POD_OP_REVERSE] = {.axis = pod_axis_reverse, .stacked = pod_stacked_reverse, .sum = pod_sum_unary},
    [POD_OP_GATHER] = {.axis = pod_axis_gather, .stacked = pod_stacked_gather, .sum = pod_sum_unary},
    [POD_OP_SCATTER] = {.axis = pod_axis_scatter, .stacked = pod_stacked_scatter, .sum = pod_sum_scatter},
    [POD_OP_SORT] = {.axis = pod_axis_sort, .stacked = pod_stacked_axis},
    [POD_OP_TOP_K] = {.axis = pod_axis_top_k, .stacked = pod_stacked_elementwise},
    [POD_OP_DIMENSION_SIZE] = {.axis = pod_axis_none,
                               .form = pod_form_of_dimension,
                               .ask = pod_ask_of_dimension,
                               .emit = pod_emit_dimension,
                               .sum = pod_sum_dimension},

    [POD_OP_REDUCE_SUM] = {.axis = pod_axis_reduction,
                           .stacked = pod_stacked_reduction,
                           .sum = pod_sum_reduction,
                           .fold = pod_fold_reduction},
    [POD_OP_REDUCE_PRODUCT] = REDUCTION,
    [POD_OP_REDUCE_MAX] = REDUCTION,
    [POD_OP_REDUCE_MIN] = REDUCTION,
    [POD_OP_REDUCE_AND] = REDUCTION,
    [POD_OP_REDUCE_OR] = REDUCTION,
    [POD_OP_ARGMAX] = ARG_REDUCTION,
    [POD_OP_ARGMIN] = ARG_REDUCTION,
    [POD_OP_REDUCE] = {.axis = pod_axis_region_reduction, .stacked = pod_stacked_region_reduction},
    [POD_OP_CUMULATIVE_SUM] = {.axis = pod_axis_cumulative, .stacked = pod_stacked_cumulative, .sum = pod_sum_unary},

    [POD_OP_DOT] = {.axis = pod_axis_dot, .stacked = pod_stacked_dot, .sum = pod_sum_product, .fold = pod_fold_dot},
    [POD_OP_CONVOLUTION] = {.axis = pod_axis_convolution, .stacked = pod_stacked_convolution, .sum = pod_sum_bilinear},
    [POD_OP_CONVOLUTION_INPUT_GRADIENT] = {.axis = pod_axis_convolution,
                                           .stacked = pod_stacked_convolution,
                                           .sum = pod_sum_bilinear},
    [POD_OP_CONVOLUTION_KERNEL_GRADIENT] = {.axis = pod_axis_kernel_gradient,
                                            .stacked = pod_stacked_convolution,
                                            .sum = pod_sum_product,
                                            .fold = pod_fold_kernel_gradient},

    [POD_OP_POOL_MAX] = POOL,
    [POD_OP_POOL_MAX_GRADIENT] = POOL,
    [POD_OP_POOL_MAX_SELECT] = POOL,
    [POD_OP_POOL_SUM] = {.axis = pod_axis_pool, .stacked = pod_stacked_pool, .sum = pod_sum_unary},
    [POD_OP_POOL_SUM_GRADIENT] = {.axis = pod_axis_pool, .stacked = pod_stacked_pool, .sum = pod_sum_unary},

    [POD_OP_CALL] = {.axis = pod_axis_none,
                     .form = pod_form_of_call,
                     .need = pod_need_of_call,
                     .control = pod_emit_call},
    [POD_OP_COND] = {.axis = pod_axis_none,
                     .form = pod_form_of_cond,
                     .need = pod_need_of_cond,
                     .control = pod_emit_cond},
    [POD_OP_WHILE] = {.axis = pod_axis_none,
                      .form = pod_form_of_while,
                      .need = pod_need_of_while,
                      .control = pod_emit_while},

    [POD_OP_ALL_REDUCE] = {.axis = pod_axis_elementwise,
                           .form = pod_form_of_all_reduce,
                           .ask = pod_ask_of_collective,
                           .emit = pod_emit_all_reduce},
    [POD_OP_REDUCE_SCATTER] = {.axis = pod_axis_none,
                               .form = pod_form_of_reduce_scatter,
                               .ask = pod_ask_of_collective,
                               .emit = pod_emit_reduce_scatter},
    [POD_OP_ALL_GATHER] = {.axis = pod_axis_none,
                           .form = pod_form_of_all_gather,
                           .ask = pod_ask_of_collective,
                           .emit = pod_emit_all_gather},
    [POD_OP_ALL_TO_ALL] = {.axis = pod_axis_none,
                           .form = pod_form_of_exchange,
                           .ask = pod_ask_of_collective,
                           .emit = pod_emit_all_to_all},
    [POD_OP_COLLECTIVE_PERMUTE] = {.axis = pod_axis_none,
                                   .form = pod_form_of_exchange,
                                   .ask = pod_ask_of_collective,
                                   .emit = pod_emit_permute},
    [POD_OP_REPLICA_ID] = {.axis = pod_axis_none, .form = pod_form_of_replica_id, .emit = pod_emit_replica_id},
    [POD_OP_OPAQUE] = {.axis = pod_axis_none, .form = pod_form_of_opaque},
};

const pod_batching *pod_replicate_batching_get(pod_op op)
{
    return !rows[op].axis && pod_op_is_elementwise(op) ? &elementwise : &rows[op];
}
