#ifndef POD_EXCHANGE_FOLDS_H
#define POD_EXCHANGE_FOLDS_H

/* folds - ops of two operands that reductions, windows, scatters and sums over replicas fold with. */

#include "graph/node.h"

typedef struct pod_exchange_fold {
    pod_op op;               /* of two operands */
    pod_op reduce;           /* reduces along axes with it */
    pod_reduction reduction; /* of scatters and replicas; POD_REDUCE_ASSIGN: they do not fold so */
} pod_exchange_fold;

/* Finds a fold by its op or by what reduces with it; NULL where there is none. */
const pod_exchange_fold *pod_exchange_find_fold(pod_op op);

/* Finds a fold by its reduction; NULL where there is none. */
const pod_exchange_fold *pod_exchange_fold_of_reduction(pod_reduction reduction);

/* Returns the value that folding with leaves each other value as it is; integers in f64, where the largest are rounded.
 */
double pod_exchange_fold_identity(pod_op op, pod_dtype dtype);

#endif
