#ifndef POD_TPU_PLAN_COSTS_H
#define POD_TPU_PLAN_COSTS_H

/* plan_costs - what the kernels of a plan cost, for times. */

#include "moonpod/tpu.h"

typedef struct pod_tpu_costs {
    pod_tpu_cost *list; /* in the order of the schedule; of loops the kernels of a turn */
    size_t count;
    double copied_bytes;   /* between HBM and the memory near the cores, while kernels run */
    double counted_copies; /* of those with one turn of each loop, as XLA's cost analysis counts them */
    const char *uncounted; /* what costs leave out, so that no time follows from them; NULL where they are all */
} pod_tpu_costs;

/* Returns what the plan costs, which the plan owns. */
const pod_tpu_costs *pod_tpu_plan_costs(const pod_tpu_plan *plan);

#endif
