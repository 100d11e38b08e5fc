#ifndef POD_EXCHANGE_FOLD_VALUES_H
#define POD_EXCHANGE_FOLD_VALUES_H

/* fold_values - what regions of scalars do, found by trying them on a few values. */

#include "exchange/translate.h"

/* Returns POD_OP_ARGMAX or POD_OP_ARGMIN where a region (value, index, value, index) -> (value,
 * index) picks so, the first of equals; else -1. */
pod_op pod_exchange_region_picks(pod_translator *translator, const pod_syntax_region *region, bool floats);

/* Returns POD_OP_AND or POD_OP_OR where a region of two bools computes that; else -1. */
pod_op pod_exchange_region_joins(pod_translator *translator, const pod_syntax_region *region);

/* Returns whether a comparator orders by its first pair alone, and how. */
bool pod_exchange_region_orders(pod_translator *translator, const pod_syntax_region *region, bool floats,
                                bool *descending);

/* Reads a comparison from its words ("LT", "TOTALORDER"); returns -1 where it is none. *total: floats are compared in
 * the order of IEEE 754's totalOrder. */
pod_comparison pod_exchange_read_direction(pod_translator *translator, const pod_syntax_op *op, bool *total);

#endif
