#ifndef POD_KERNELS_REFERENCE_FAMILIES_H
#define POD_KERNELS_REFERENCE_FAMILIES_H

/* The tables that together are the reference kernels; each ends with a row without a name. */

#include "kernels/reference.h"

extern const pod_named_kernel pod_reference_elementwise[];
extern const pod_named_kernel pod_reference_fill[];      /* constant, iota, random_bits, ... */
extern const pod_named_kernel pod_reference_movement[];  /* transpose, slice, pad, ... */
extern const pod_named_kernel pod_reference_index[];     /* gather, scatter */
extern const pod_named_kernel pod_reference_order[];     /* sort, top_k */
extern const pod_named_kernel pod_reference_reduction[]; /* reduce_sum, argmax, cumulative_sum, ... */
extern const pod_named_kernel pod_reference_product[];   /* dot, convolution, ... */
extern const pod_named_kernel pod_reference_pooling[];

#endif
