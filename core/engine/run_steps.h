#ifndef POD_ENGINE_RUN_STEPS_H
#define POD_ENGINE_RUN_STEPS_H

/* run_steps - the loop over a run's steps: infeed, entry, phases, and where it stops. */

#include "engine/execute.h"

/* Runs steps, as work of the context's workers, until all are done or the run pauses: `paused` tells. Behind a pause it
 * is to be called again with `paused` false. `argument` is the run. */
void pod_run_steps(void *argument, int thread, int threads);

void pod_run_release_buffers(pod_buffer **buffers, size_t count);

#endif
