#ifndef POD_TPU_PLAN_COSTS_H
#define POD_TPU_PLAN_COSTS_H

/* plan_costs - what the kernels of a plan cost, for times. */

#include "moonpod/tpu.h"

/* What each kernel costs, in the order of the schedule, of loops the kernels of a turn; borrowed from the plan. */
const pod_tpu_cost *pod_tpu_plan_costs(const pod_tpu_plan *plan, size_t *count);

/* Returns what costs leave out, so that no time follows from them, borrowed from the plan; NULL where they are all. */
const char *pod_tpu_plan_uncounted(const pod_tpu_plan *plan);

#endif
