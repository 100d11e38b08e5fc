#ifndef POD_ADVISOR_OUT_OF_MEMORY_H
#define POD_ADVISOR_OUT_OF_MEMORY_H

/* out_of_memory - what a TPU's compiler prints when a program does not fit, of 2021 and of 2026. */

#include "advisor/advisor.h"

/* An entry of the list of 2021. Text that is NULL leaves its line out. */
typedef struct pod_oom_allocation {
    pod_layout_bytes bytes;
    const char *op_type, *op_name; /* "OneHot", "model/loss/one_hot" */
    const char *shape;             /* "s32[29360128,10]{1,0:T(8,128)}" */
    const char *label;             /* after "XLA label: " */
    const char *type;              /* "HLO temp" */
} pod_oom_allocation;

/* The numbers of the error of 2021. Its sums:
 *
 *     program = global + scoped + temp
 *     used    = program + arguments + (output - shared)
 *     total   = used + reserved, at least
 *     utilization = unpadded / padded, fragmentation = temp - padded, printed with its share of temp */
typedef struct pod_oom_2021 {
    int64_t limit_bytes, reserved_bytes;
    int64_t argument_bytes, output_bytes, shared_bytes;
    int64_t global_bytes, scoped_bytes, temp_bytes;
    pod_layout_bytes peak; /* of temp: what lives at the peak */
    const pod_oom_allocation *allocations;
    size_t allocation_count;
} pod_oom_2021;

/* Writes the error of 2021 for given numbers. */
POD_CHECKED pod_status pod_advise_oom_2021(pod_context *context, const pod_oom_2021 *numbers, char **text,
                                           pod_error *error);

/* Both are forms of pod_memory_report(). */
POD_CHECKED pod_status pod_advise_out_of_memory_2021(pod_context *context, const pod_memory_facts *facts,
                                                     const pod_memory_options *options, char **text, pod_error *error);
POD_CHECKED pod_status pod_advise_out_of_memory_2026(pod_context *context, const pod_memory_facts *facts,
                                                     const pod_memory_options *options, char **text, pod_error *error);

#endif
