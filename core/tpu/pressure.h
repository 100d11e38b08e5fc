#ifndef POD_TPU_PRESSURE_H
#define POD_TPU_PRESSURE_H

/* pressure - what is left of a schedule when the compiler computes kernels again because memory is short. */

#include "tpu/lowering.h"

typedef struct pod_tpu_relief {
    bool known;      /* it was found out */
    uint32_t copies; /* kernels that are computed once more */
    int64_t bytes;   /* what temporaries in HBM take then */
} pod_tpu_relief;

/* Lets the compiler compute values again until temporaries take no more than `room`, as far as it can. */
bool pod_tpu_relieve(pod_tpu_lowering *lowering, int64_t room, pod_tpu_relief *relieved);

#endif
