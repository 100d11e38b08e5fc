#ifndef POD_ENGINE_RUN_ARGUMENTS_H
#define POD_ENGINE_RUN_ARGUMENTS_H

/* run_arguments - what a run is given: whether it has the types that the program was compiled for, and where it lies.
 */

#include "engine/run_worker.h"

/* The type of argument `index`, and of a buffer for it, NULL being none. */
pod_status pod_run_check_type(const pod_program *program, size_t index, pod_dtype dtype, const pod_shape *shape,
                              pod_error *error);
pod_status pod_run_check_buffer(const pod_program *program, size_t index, pod_buffer *buffer, pod_error *error);

/* All arguments of a run, but those of its infeed. */
pod_status pod_run_check_arguments(const pod_program *program, pod_buffer *const *arguments,
                                   const pod_run_options *options, pod_error *error);

/* Sets the pointers of slots in arguments or results; `rows` NULL: none have rows by address. */
void pod_run_set_pointers(const pod_run *run, pod_slot_kind kind, uint32_t first, uint32_t count,
                          pod_buffer *const *buffers, const pod_infeed_rows *rows);

#endif
