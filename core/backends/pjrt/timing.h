#ifndef POD_PJRT_TIMING_H
#define POD_PJRT_TIMING_H

/* timing - what a compiler estimates of the time that its program takes. */

#include "moonpod/compiler.h"
#include "plugin.h"

/* Reads the optimised program of an executable and its cost analysis. In the child: what is allocated ends with it. */
POD_CHECKED pod_status pod_pjrt_read_times(pod_context *context, const pod_pjrt_plugin *plugin, void *executable,
                                           pod_compiled_time *time, pod_error *error);

#endif
