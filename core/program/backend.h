#ifndef POD_PROGRAM_BACKEND_H
#define POD_PROGRAM_BACKEND_H

/*
 * backend - what compiles and runs programs in the place of core/compile and core/engine, which come here first: a
 * program that has a device is its backend's. All else of a program (signatures, checks of arguments) is as ever.
 */

#include "moonpod/device.h"
#include "program/compiled.h"

#include <stdatomic.h>

typedef struct pod_backend {
    /* Makes program->executable of a graph for options->device. */
    pod_status (*compile)(const pod_compile_options *options, const pod_graph *graph, pod_program *program,
                          pod_error *error);
    /* As pod_program_run(), of arguments that were checked. */
    pod_status (*run)(pod_program *program, pod_buffer *const *arguments, pod_buffer **results,
                      const pod_run_options *options, pod_run_report *report, pod_error *error);
    void (*end_program)(pod_program *program);
    void (*end)(pod_device *device);
} pod_backend;

/* What each device begins with. */
struct pod_device {
    const pod_backend *backend;
    pod_context *context; /* shared */
    atomic_uint shares;   /* with those of its programs and of buffers on it */
    pod_device_description description;
};

/* Shares a device once more and returns it. */
pod_device *pod_device_retain(pod_device *device);

#endif
