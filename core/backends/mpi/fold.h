#ifndef POD_BACKENDS_MPI_FOLD_H
#define POD_BACKENDS_MPI_FOLD_H

/* fold - makes one array of those of all ranks. */

#include "program/meetings.h"

/* Writes to[i], the sum, product, maximum or minimum of from[0][i], from[1][i], ..., taken in this order. Floats of 16
 * bits are folded in f32 and rounded once. `to` may be one of `from`. */
void pod_mpi_fold(pod_dtype dtype, pod_reduction reduction, const void *const *from, int32_t ranks, void *to,
                  int64_t count);

#endif
