#ifndef POD_KERNELS_REFERENCE_H
#define POD_KERNELS_REFERENCE_H

/*
 * A plain-C kernel for every primitive op: written to be read, correct for all types and shapes, the
 * oracle that every faster kernel is tested against, and what a program falls back to where no
 * faster kernel fits.
 */

#include "moonpod/graph.h"

/* A dense row-major array. */
typedef struct pod_array {
    pod_dtype dtype;
    pod_shape shape;
    void *data; /* borrowed */
} pod_array;

struct pod_kernels;

typedef struct pod_kernel_call {
    const pod_attributes *attributes;
    const pod_array *inputs;
    size_t input_count;
    pod_array *outputs; /* types and shapes are set, data is where results go; not overlapping */
    size_t output_count;
    pod_error *error;
    /* The table of the CPU family, for kernels made of others; NULL for those that are not. */
    const struct pod_kernels *kernels;
    /* Set by those who call a kernel's functions, below. */
    int form;      /* which of the ops that share the functions is asked for: a number of theirs */
    void *scratch; /* for run() */
} pod_kernel_call;

/* A kernel whose work falls into units that any thread may do, in any order: their number depends on
 * the call alone. */
typedef struct pod_kernel {
    /* Returns the number of units, from types, shapes and attributes: data may be NULL. NULL means
     * 1. */
    int64_t (*units)(const pod_kernel_call *call);
    /* Does units begin .. end - 1. Fails only for values found bad while running (an index out of
     * range). May not allocate, except through `scratch`. */
    pod_status (*run)(const pod_kernel_call *call, int64_t begin, int64_t end);
    /* Bytes of scratch that one run() needs, from the same; NULL means none. 64-aligned. */
    size_t (*scratch_bytes)(const pod_kernel_call *call);
    int form;
} pod_kernel;

/* Call the functions of a kernel, with its form. */
int64_t pod_kernel_units(const pod_kernel *kernel, const pod_kernel_call *call);
size_t pod_kernel_scratch_bytes(const pod_kernel *kernel, const pod_kernel_call *call);
pod_status pod_kernel_run(const pod_kernel *kernel, const pod_kernel_call *call, int64_t begin, int64_t end,
                          void *scratch);

/* A row of a table of kernels. */
typedef struct pod_named_kernel {
    const char *op; /* NULL ends a table */
    /* Whether the kernel takes these types, shapes and attributes; data is not looked at. NULL: whatever the op has. */
    bool (*fits)(const pod_kernel_call *call);
    pod_kernel kernel;
} pod_named_kernel;

/* Returns the reference kernel of the primitive op with this name ("transpose"), or NULL for ops that
 * are not computed from arrays alone: parameter, result, call, cond, while, reduce (its region is
 * run by the engine), print, check and the collectives (the replicate pass makes others of them). */
const pod_kernel *pod_kernel_reference_kernel(const char *op_name);

#endif
