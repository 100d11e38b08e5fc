#ifndef POD_ADVISOR_OUT_OF_MEMORY_H
#define POD_ADVISOR_OUT_OF_MEMORY_H

/* out_of_memory - what a TPU's compiler prints when a program does not fit, of 2021 and of 2026. */

#include "advisor/advisor.h"

/* Both are forms of pod_memory_report(). */
POD_CHECKED pod_status pod_out_of_memory_2021(pod_context *context, const pod_memory_facts *facts,
                                              const pod_memory_options *options, char **text, pod_error *error);
POD_CHECKED pod_status pod_out_of_memory_2026(pod_context *context, const pod_memory_facts *facts,
                                              const pod_memory_options *options, char **text, pod_error *error);

#endif
