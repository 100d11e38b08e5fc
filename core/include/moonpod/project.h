#ifndef MOONPOD_PROJECT_H
#define MOONPOD_PROJECT_H

/*
 * project - how long a step of a planned program would take on one device of a TPU.
 *
 *     pod_projection *projection;
 *     pod_slice slice;
 *     status = pod_slice_find("v3-8", &slice, &error);
 *     const pod_project_options options = {.slice = &slice};
 *     status = pod_project(context, plan, &options, &projection, &error);
 *     // POD_ERROR_UNSUPPORTED: the message says what is missing
 *     printf("%g to %g s\n", projection->low, projection->high);
 *     for (size_t i = 0; i < projection->kernel_count && i < 10; i++)
 *         puts(projection->kernels[i].cost->location);
 *     pod_projection_free(projection);
 *
 * A kernel takes as long as its slowest part: the MXUs, the vector unit, HBM, the memory near the cores, or the links
 * to other devices. Kernels run one after the other. The rates are published measurements (core/advisor/rates.c says
 * whose).
 */

#include "moonpod/advise.h"

POD_BEGIN_C

/* What a kernel waits for. */
typedef enum pod_bound {
    POD_BOUND_MXU,     /* dots and convolutions */
    POD_BOUND_VECTOR,  /* all else that is computed */
    POD_BOUND_HBM,     /* bytes between HBM and the cores */
    POD_BOUND_ON_CHIP, /* bytes between the memory near the cores and their registers */
    POD_BOUND_LINKS,   /* other devices */
    POD_BOUND_LAUNCH,  /* itself: it is short */
    POD_BOUND_INPUT,   /* of whole steps: data from the host */
    POD_BOUNDS
} pod_bound;

/* Returns "MXU", "vector unit", "HBM", "on-chip memory", "links", "launch", "input"; NULL for none. */
POD_API const char *pod_bound_name(pod_bound bound);

/* Seconds of a kernel in one run of the program: of its parts, were each alone, and of all. */
typedef struct pod_kernel_time {
    const pod_tpu_cost *cost; /* borrowed from the plan */
    double mxu, vector, hbm, on_chip, links, launch;
    double seconds;
    /* Seconds that libtpu would estimate, by rates that were fitted to its estimates for v5e: more than was measured
     * where a kernel's parts overlap. */
    double estimated;
    pod_bound bound;
} pod_kernel_time;

/* What a step depends on besides its program. All zero: one device that input waits for. */
typedef struct pod_project_options {
    const pod_slice *slice;      /* where it runs; NULL: on one device, and exchanges are refused */
    double infeed_bytes;         /* that a device gets from its host for a step */
    double input_seconds;        /* that the host takes for them */
    int64_t steps_per_execution; /* that the host starts at once; 0: 1 */
    bool known_alone; /* what takes time that is not known counts for nothing, and a loop of which the turns are not
                       * known for one turn; else pod_project() fails */
} pod_project_options;

/* A step on one device. */
typedef struct pod_projection {
    const pod_chip *chip;
    double device;    /* seconds: the sum of the kernels, and what HBM takes longer with all bytes */
    double exchanges; /* of those: with other devices */
    double input;     /* until the data of the next step is there, meanwhile */
    double host;      /* of each step, until the device has the next one, where the host waits for each execution */
    double low;       /* of the range: parts of kernels hide behind the longest one, whatever the chip's rates say */
    double high;      /* as much slower as measured programs were than such models, and the host; in both cases the
                       * input, where that takes longer than the device */
    double product_flops, other_flops, transcendentals; /* of the program, padding not counted */
    double bytes, hbm_bytes;                            /* that kernels read and write, with padding */
    double copied_bytes;                                /* between HBM and the memory near the cores meanwhile */
    double counted_copies;     /* of those with one turn of each loop, as XLA's cost analysis counts them */
    double cycles_per_second;  /* of each core: those of a device go in step */
    double peak_flops;         /* a second, of the device, in bf16 */
    double mfu_low, mfu_high;  /* model FLOPs utilisation: product_flops a second over the peak */
    double bounds[POD_BOUNDS]; /* seconds of the device, by what it waits for; of input besides those */
    pod_bound bound;           /* where most is spent */
    size_t kernel_count;
    pod_kernel_time *kernels; /* the longest first */
} pod_projection;

/* Returns the seconds that devices of a slice take for an exchange, as the links of its chips let them: `bytes` of the
 * array that is summed up, gathered or scattered, or that each device sends. `devices` do so together, along whole axes
 * of the torus where there are such; 0: all. Cores of one chip need no links. */
POD_API double pod_project_exchange(const pod_slice *slice, pod_tpu_exchange exchange, double bytes, int64_t devices);

/* Projects a plan, which must outlive the projection. `options` may be NULL. Fails with POD_ERROR_UNSUPPORTED where
 * the plan leaves out what takes time (but for `known_alone`), or exchanges values with devices that are not there. On
 * success *projection is the caller's, to end with pod_projection_free(); on failure it is NULL. */
POD_API POD_CHECKED pod_status pod_project(pod_context *context, const pod_tpu_plan *plan,
                                           const pod_project_options *options, pod_projection **projection,
                                           pod_error *error);

/* Writes the step as XProf's XSpace (xplane.pb): the device's kernels in the order of the schedule, one event for all
 * turns of a loop, its host, and the program with its buffers (of `facts`, which are of the same plan). The file is
 * there whole or not at all. POD_ERROR_UNSUPPORTED where there are no kernels. */
POD_API POD_CHECKED pod_status pod_projection_write_xplane(pod_context *context, const pod_projection *projection,
                                                           const pod_memory_facts *facts, const char *path,
                                                           pod_error *error);

/* Frees a projection. NULL is allowed. */
POD_API void pod_projection_free(pod_projection *projection);

POD_END_C

#endif
