#ifndef POD_KERNELS_CONVOLUTION_H
#define POD_KERNELS_CONVOLUTION_H

/*
 * convolution - the three products of a convolution as matrix products: what a row of the product
 * reads (a patch) is gathered block by block into scratch, and the kernels of pod_dot_kernels do
 * the rest. The matrix of patches never exists as a whole.
 *
 *     forward           [places of the result] x [taps, channels] x [filters]
 *     input gradient    [places of x] x [taps, filters] x [channels], with the kernel turned
 *     kernel gradient   [taps, channels] x [places of the result] x [filters]
 *
 * A call runs in phases, one after the other; in a phase, units may run on any thread in any order:
 *
 *     for (int phase = 0; phase < POD_CONVOLUTION_PHASES; phase++)
 *         pod_kernel_convolution_run(&call, phase, 0, pod_kernel_convolution_units(&call, phase), shared,
 * scratch);
 *
 * The number of units depends on the call alone, and bits do not depend on who runs them.
 */

#include "kernels/kernels.h"
#include "kernels/window_geometry.h"

#define POD_CONVOLUTION_PHASES 4

typedef enum pod_convolution_kind {
    POD_CONVOLVE,
    POD_CONVOLVE_INPUT_GRADIENT,
    POD_CONVOLVE_KERNEL_GRADIENT
} pod_convolution_kind;

/* A max pooling without padding behind a convolution, as the kernel's gradient sees it. */
typedef struct pod_convolution_pooling {
    int64_t size[POD_MAX_SPATIAL], stride[POD_MAX_SPATIAL], out[POD_MAX_SPATIAL];
    const uint8_t *positions; /* of each window's maximum in each filter: the number of the tap */
} pod_convolution_pooling;

typedef struct pod_convolution_call {
    pod_convolution_kind kind;
    pod_window_sizes sizes;
    pod_dtype dtype;                             /* of both operands: f32 or bf16 */
    const pod_dot_kernels *dot;                  /* for this type */
    const pod_direct_kernels *direct;            /* for few channels; NULL: always by products */
    const struct pod_convolution_way *depthwise; /* for one channel and one filter a group; NULL: by products */
    const struct pod_winograd_kernels *winograd; /* for kernels of 3 x 3 in fewer products; NULL: by products alone */
    const void *left;                            /* x, or g for the input gradient */
    const void *right;                           /* the kernel, or g for the kernel gradient */
    /* As in pod_dot_call, for the result as a matrix whose columns are its last axis: filters, or
     * channels for the input gradient. */
    pod_dot_epilogue epilogue;
    void *epilogue_context;
    float *result;
    int64_t result_stride;
    /* In the place of epilogue and result, for calls for which pod_kernel_convolution_finishes(); else NULL. */
    const pod_sums_finish *finish;
    /* Of a kernel's gradient for which pod_kernel_convolution_pools(): `right` is the gradient of what the pooling
     * gives, and that of what it reads is never made. */
    bool is_pooled;
    pod_convolution_pooling pooling;
} pod_convolution_call;

/* Units of a phase; 0 when this call does not need it. */
int64_t pod_kernel_convolution_units(const pod_convolution_call *call, int phase);

/* Returns whether a call is computed by call->depthwise. */
bool pod_kernel_convolution_is_depthwise(const pod_convolution_call *call);

/* Returns whether a call can store in a result of type `dtype` what a pod_sums_finish makes of its sums. */
bool pod_kernel_convolution_finishes(const pod_convolution_call *call, pod_dtype dtype);

/* Returns whether a kernel's gradient can read through call->pooling. */
bool pod_kernel_convolution_pools(const pod_convolution_call *call);

/* The products that a phase makes: *products of [*rows, *depth] x [*depth, *columns]; 0 when it makes none. */
void pod_kernel_convolution_products(const pod_convolution_call *call, int phase, int64_t *products, int64_t *rows,
                                     int64_t *columns, int64_t *depth);

/* Images that take less time in one call than in several, some of many: 1 where they are alike. */
int64_t pod_kernel_convolution_images(const pod_convolution_call *call);

/* Images that a partial sum of a kernel's gradient is of, where each is of as many and has all taps; else 0. */
int64_t pod_kernel_convolution_part_images(const pod_convolution_call *call);

/* The product phase of a kernel's gradient that has such parts, some images at a time: adds what images begin .. end -
 * 1 give to the sums of their parts, which begin anew at a part's first image. The images of a part come in rising
 * order, not at the same time. */
void pod_kernel_convolution_add_images(const pod_convolution_call *call, int64_t begin, int64_t end, void *shared,
                                       void *scratch);

/* Bytes that all threads share from the first phase to the last, and bytes of scratch of a thread.
 */
size_t pod_kernel_convolution_shared_bytes(const pod_convolution_call *call);
size_t pod_kernel_convolution_scratch_bytes(const pod_convolution_call *call);

/* Does units begin .. end - 1 of a phase. Both memories are 64-aligned. */
void pod_kernel_convolution_run(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared,
                                void *scratch);

#endif
