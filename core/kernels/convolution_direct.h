#ifndef POD_KERNELS_CONVOLUTION_DIRECT_H
#define POD_KERNELS_CONVOLUTION_DIRECT_H

/*
 * convolution_direct - convolutions with few channels and their kernel gradients, by the kernels of direct.h
 * instead of products. For convolution.c: it has the phases and the partial sums.
 */

#include "kernels/convolution.h"

/* Returns whether a call is computed here; the functions below are for such calls. */
bool pod_kernel_direct_fits(const pod_convolution_call *call);

size_t pod_kernel_direct_scratch_bytes(const pod_convolution_call *call);

/* Adds what images begin .. end - 1 give to a kernel's gradient [taps, channels][filters], also through a pooling. */
void pod_kernel_direct_add_images(const pod_convolution_call *call, int64_t begin, int64_t end, float *gradient,
                                  void *scratch);

#endif
