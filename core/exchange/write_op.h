#ifndef POD_EXCHANGE_WRITE_OP_H
#define POD_EXCHANGE_WRITE_OP_H

/* write_op - writers of single ops, of which the table of rows is made. */

#include "exchange/write_parts.h"

/* The value that a fold by that reduction or pooling starts with. */
double pod_exchange_write_identity(pod_op op, pod_dtype dtype);

/* Writers of single ops (write_index.c, write_order.c, write_reduce.c, write_window.c). */
bool pod_exchange_write_convolution(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_input_gradient(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_kernel_gradient(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_pool(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_pool_max_gradient(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_pool_sum_gradient(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_cumulative_sum(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_argument(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_sort(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_gather(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_scatter(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_reduction(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);
bool pod_exchange_write_reduce(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);

#endif
