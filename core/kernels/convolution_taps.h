#ifndef POD_KERNELS_CONVOLUTION_TAPS_H
#define POD_KERNELS_CONVOLUTION_TAPS_H

/*
 * convolution_taps - kernel gradients with many channels, for convolution_kernel_gradient.c: it has
 * the phases and the partial sums. A tap's gradient is the product [filters, places] x [places,
 * channels] of g and of the places of x that the tap meets. x is packed once for each tap of the
 * last axis; taps of the other axes read other lines of the same packed places, so that no patch is
 * gathered, and sums stay where they are added: image by image in rising order, whoever calls for
 * how many.
 *
 * A partial sum lies as [group][filter][tap][channel], filters and channels padded to what the
 * kernels take.
 */

#include "kernels/convolution.h"

/* Returns whether a call is computed here; the functions below are for such calls. */
bool pod_kernel_taps_fit(const pod_convolution_call *call);

/* Bytes of a partial sum, a multiple of 64, and of scratch. */
size_t pod_kernel_taps_partial_bytes(const pod_convolution_call *call);
size_t pod_kernel_taps_scratch_bytes(const pod_convolution_call *call);

/* Adds what images begin .. end - 1 give to a partial sum. */
void pod_kernel_taps_add_images(const pod_convolution_call *call, int64_t begin, int64_t end, float *partial,
                                void *scratch);

/* Adds rows row .. row + rows - 1 of `parts` partial sums, `bytes` apart, in their order: as rows
 * [tap, channel] of all filters, `stride` elements apart in `tile`. */
void pod_kernel_taps_sum(const pod_convolution_call *call, const float *partials, size_t bytes, int64_t parts,
                         int64_t row, int64_t rows, float *tile, int64_t stride);

#endif
