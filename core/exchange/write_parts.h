#ifndef POD_EXCHANGE_WRITE_PARTS_H
#define POD_EXCHANGE_WRITE_PARTS_H

/* write_parts - parts of ops, for the files that write them. */

#include "exchange/write.h"

/* `%v0_5:2 = "name"(` */
void pod_exchange_write_begin(pod_module_writer *writer, const pod_frame *frame, const pod_node *node,
                              const char *name);

/* The operands from `first` on. */
void pod_exchange_write_operands(pod_module_writer *writer, const pod_frame *frame, const pod_node *node,
                                 uint32_t first);

/* " -> (types) loc(..)" and the end of the line; returns true. */
bool pod_exchange_write_results(pod_module_writer *writer, const pod_node *node);

/* " : (types of the operands)" and the results. */
bool pod_exchange_write_end(pod_module_writer *writer, const pod_node *node);

/* A scalar constant named %cFRAME_ID of a number. */
void pod_exchange_write_scalar(pod_module_writer *writer, const pod_frame *frame, const pod_node *node, pod_dtype dtype,
                               double value);

/* " ({^bb0(%l: T, %r: T): ..})": a region of scalars that folds with an op of StableHLO. */
void pod_exchange_write_fold(pod_module_writer *writer, const char *op, pod_dtype dtype);

/* The same without the parentheses around the list of regions. */
void pod_exchange_write_fold_region(pod_module_writer *writer, const char *op, pod_dtype dtype);

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
bool pod_exchange_write_custom(pod_module_writer *writer, const pod_frame *frame, const pod_node *node);

#endif
