#ifndef MOONPOD_PROJECT_H
#define MOONPOD_PROJECT_H

/*
 * project - how long a step of a planned program would take on one device of a TPU.
 *
 *     pod_projection *projection;
 *     status = pod_project(context, plan, &projection, &error);
 *     // POD_ERROR_UNSUPPORTED: the message says what is missing
 *     printf("%g to %g s\n", projection->low, projection->high);
 *     for (size_t i = 0; i < projection->kernel_count && i < 10; i++)
 *         puts(projection->kernels[i].cost->location);
 *     pod_projection_free(projection);
 *
 * A kernel takes as long as its slowest part: the MXUs, the vector unit, HBM or the memory near the cores. Kernels run
 * one after the other. The rates are published measurements (core/advisor/rates.c says whose). No input is waited for.
 */

#include "moonpod/tpu.h"

POD_BEGIN_C

/* What a kernel waits for. */
typedef enum pod_bound {
    POD_BOUND_MXU,     /* dots and convolutions */
    POD_BOUND_VECTOR,  /* all else that is computed */
    POD_BOUND_HBM,     /* bytes between HBM and the cores */
    POD_BOUND_ON_CHIP, /* bytes between the memory near the cores and their registers */
    POD_BOUND_LAUNCH,  /* itself: it is short */
    POD_BOUNDS
} pod_bound;

/* Returns "MXU", "vector unit", "HBM", "on-chip memory", "launch"; NULL for none. */
POD_API const char *pod_bound_name(pod_bound bound);

/* Seconds of a kernel in one run of the program: of its parts, were each alone, and of all. */
typedef struct pod_kernel_time {
    const pod_tpu_cost *cost; /* borrowed from the plan */
    double mxu, vector, hbm, on_chip, launch;
    double seconds;
    pod_bound bound;
} pod_kernel_time;

/* A step on one device. */
typedef struct pod_projection {
    const pod_chip *chip;
    double device; /* seconds: the sum of the kernels, and what HBM takes longer with all bytes */
    double host;   /* until the device has the next step, where the host waits for each */
    double low;    /* of the range: the device, if nothing keeps it from being as busy as the model has it */
    double high;   /* the device as much slower as measured programs were than such models, and the host */
    double product_flops, other_flops, transcendentals; /* of the program, padding not counted */
    double bytes, hbm_bytes;                            /* that kernels read and write, with padding */
    double copied_bytes;                                /* between HBM and the memory near the cores meanwhile */
    double cycles_per_second;                           /* of the device's cores together */
    double peak_flops;                                  /* a second, of the device, in bf16 */
    double mfu_low, mfu_high;  /* model FLOPs utilisation: product_flops a second over the peak */
    double bounds[POD_BOUNDS]; /* seconds of the kernels that wait for each */
    pod_bound bound;           /* where most is spent */
    size_t kernel_count;
    pod_kernel_time *kernels; /* the longest first */
} pod_projection;

/* Projects a plan, which must outlive the projection. Fails with POD_ERROR_UNSUPPORTED where the plan leaves out what
 * takes time. On success *projection is the caller's, to end with pod_projection_free(); on failure it is NULL. */
POD_API POD_CHECKED pod_status pod_project(pod_context *context, const pod_tpu_plan *plan, pod_projection **projection,
                                           pod_error *error);

/* Frees a projection. NULL is allowed. */
POD_API void pod_projection_free(pod_projection *projection);

POD_END_C

#endif
