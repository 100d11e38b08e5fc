#ifndef POD_KERNELS_CONVOLUTION_PHASES_H
#define POD_KERNELS_CONVOLUTION_PHASES_H

/*
 * convolution_phases - what convolution.c calls, a way to compute each: convolution_rows.c has the
 * forward product and the input gradient, convolution_kernel_gradient.c the kernel gradient; both
 * gather patches. The functions of convolution_direct.h come before them where they fit.
 */

#include "kernels/convolution.h"
#include "kernels/patches.h"

/* The phases. */
enum {
    POD_CONVOLUTION_TURN,    /* the kernel: turned for the input gradient,
                              * [group][channel][tap][filter]; with    taps in the order of lines,
                              * [tap][channel][filter] */
    POD_CONVOLUTION_PACK,    /* the right operand, packed, group by group */
    POD_CONVOLUTION_PRODUCT, /* blocks of rows; kernel gradient: partial sums over a part of the
                                batch */
    POD_CONVOLUTION_SUM      /* kernel gradient: the parts added in order */
};

/* Bytes of patches in scratch: they stay in the L2 cache. */
#define POD_CONVOLUTION_GATHER_BYTES (256 * 1024)

/* Returns what places of the forward form read of x. */
pod_patches pod_kernel_convolution_patches(const pod_convolution_call *call);

/* Hands a finished tile to the call's epilogue and stores what it leaves in the result. */
void pod_kernel_convolution_finish(const pod_convolution_call *call, float *tile, int64_t stride, int64_t row,
                                   int64_t column, int64_t rows, int64_t columns);

/* The functions of convolution.h in one way to compute a call: by rows; of kernel gradients; of few channels; of one
 * channel and one filter a group, which families have their own of. */
typedef struct pod_convolution_way {
    int64_t (*units)(const pod_convolution_call *call, int phase);
    size_t (*shared_bytes)(const pod_convolution_call *call);
    size_t (*scratch_bytes)(const pod_convolution_call *call);
    void (*run)(const pod_convolution_call *call, int phase, int64_t begin, int64_t end, void *shared, void *scratch);
    bool (*fits)(const pod_convolution_call *call); /* NULL: the caller knows */
    /* As pod_kernel_convolution_finishes() of a call with whole vectors of columns; NULL: none. */
    bool (*finishes)(const pod_convolution_call *call, pod_dtype dtype);
} pod_convolution_way;

extern const pod_convolution_way pod_convolution_by_rows, pod_convolution_gradient, pod_convolution_direct;

#endif
