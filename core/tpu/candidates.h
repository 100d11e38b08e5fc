#ifndef POD_TPU_CANDIDATES_H
#define POD_TPU_CANDIDATES_H

/* candidates - the values that compete for places near the cores, for on_chip.c: which steps touch each, and what the
 * compiler thinks that a place is worth. */

#include "tpu/lowering.h"

/* How often the operands of a kernel's product are read; by their elements. */
typedef struct pod_tpu_reloads {
    int64_t left, right;
    double left_times, right_times;
} pod_tpu_reloads;

/* Seconds of a kernel that reads and writes so many bytes of HBM: of its products, and of the bytes. */
typedef struct pod_tpu_kernel_time {
    double compute, memory;
    bool sparse; /* sparse cores compute it meanwhile */
    pod_tpu_reloads reloads;
} pod_tpu_kernel_time;

/* A value that competes for places: a temporary, an argument or an output; or the scratch of a step. */
typedef struct pod_tpu_candidate {
    pod_ref value; /* POD_REF_NONE: scratch */
    double worth;  /* over the root of the bytes */
    int64_t bytes;
    uint32_t event_first, event_count; /* the steps that touch it, ascending; of scratch the first is its step */
    uint32_t steps;                    /* from the first to the last */
    bool temporary;                    /* its place saves HBM */
    bool leaves;                       /* an output, or an argument in whose place one is made: is copied to HBM */
} pod_tpu_candidate;

typedef struct pod_tpu_placement {
    pod_tpu_lowering *lowering;
    const pod_tpu_near *nearby;
    pod_tpu_kernel_time *times;     /* of steps */
    double *begins;                 /* seconds before each step, all in HBM */
    int64_t *used;                  /* of that memory, in each step */
    uint32_t *events, *event_first; /* steps by value */
    float *shares;                  /* of events: how much of the value's elements the step makes or reads */
    bool *updated;                  /* of arguments: an output is made in its place */
    pod_tpu_candidate *list;
    uint32_t count;
} pod_tpu_placement;

/* HBM's bytes a second, as far as places are judged by them. */
double pod_tpu_hbm_rate(const pod_tpu_placement *placement);

/* Tells whether a sparse core makes what a kernel makes: rows of 32-bit elements, or single ones, from a table; more
 * than some, and not so many that they come faster from a table which is on the chip. */
bool pod_tpu_is_offloaded(const pod_tpu_lowering *lowering, const pod_tpu_kernel *kernel);

/* Lists the steps that touch each value's buffer, and the seconds of steps; false when there is no memory. */
bool pod_tpu_list_events(pod_tpu_placement *placement);

/* Lists the candidates, those whose place saves most first. */
void pod_tpu_list_candidates(pod_tpu_placement *placement);

#endif
