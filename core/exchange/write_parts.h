#ifndef POD_EXCHANGE_WRITE_PARTS_H
#define POD_EXCHANGE_WRITE_PARTS_H

/* write_parts - parts of ops, for the files that write them. */

#include "exchange/write.h"

/* `%v0_5:2 = "name"(` */
void pod_exchange_write_begin(pod_module_writer *writer, const pod_frame *frame, const pod_node *node,
                              const char *name);

/* The same with the operands and ")". */
void pod_exchange_write_head(pod_module_writer *writer, const pod_frame *frame, const pod_node *node, const char *name);

/* " -> (types) loc(..)" and the end of the line. */
void pod_exchange_write_results(pod_module_writer *writer, const pod_node *node);

/* " : (types of the operands)" and the results. */
void pod_exchange_write_end(pod_module_writer *writer, const pod_node *node);

/* The scalar that an op which folds its operands begins with, named %cFRAME_ID. */
void pod_exchange_write_scalar_of_fold(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);

/* Head and end of an op that folds its operands, with a scalar to begin with behind them, which comes before the op. */
void pod_exchange_write_head_of_fold(pod_module_writer *writer, const pod_frame *frame, const pod_node *node,
                                     const char *name);
void pod_exchange_write_end_of_fold(pod_module_writer *writer, const pod_node *node);

/* Returns the op of two operands that a node folds with. */
pod_op pod_exchange_fold_of_node(const pod_node *node);

/* The element of a dtype: "true", "0x3F800000", "-7". */
void pod_exchange_write_number(pod_module_writer *writer, pod_dtype dtype, const void *element);

/* A scalar constant named %cFRAME_ID of a number. */
void pod_exchange_write_scalar(pod_module_writer *writer, const pod_frame *frame, const pod_node *node, pod_dtype dtype,
                               double value);

/* " ({^bb0(%l: T, %r: T): ..})": a region of scalars that folds with an op of two operands; -1: with the second one. */
void pod_exchange_write_fold(pod_module_writer *writer, pod_op op, pod_dtype dtype);

/* `key = array<i64: ..>` after `open`. */
void pod_exchange_write_sizes(pod_module_writer *writer, const char *open, const char *key, const int64_t *values,
                              int32_t count);

/* ` <{key = array<i64: ..>}>`: axes as an op's only property. */
void pod_exchange_write_axes_property(pod_module_writer *writer, const char *key, const pod_axes *list);

/* `key = [0, 1]` after `open`. */
void pod_exchange_write_list(pod_module_writer *writer, const char *open, const char *key, const pod_axes *list);

/* ", precision_config = [..]" */
void pod_exchange_write_precision(pod_module_writer *writer, const pod_node *node);

/* A custom_call with a mark. */
void pod_exchange_write_custom(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);

/* Writers of single ops (write_index.c, write_order.c, write_window.c). */
void pod_exchange_write_convolution(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_input_gradient(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_kernel_gradient(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_pool(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_pool_sum_gradient(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_cumulative_sum(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_argument(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_sort(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_gather(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_scatter(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_reduction(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
void pod_exchange_write_reduce(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);

#endif
