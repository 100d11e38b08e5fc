#ifndef POD_KERNELS_CONVOLUTION_WINOGRAD_H
#define POD_KERNELS_CONVOLUTION_WINOGRAD_H

/* convolution_winograd - convolutions with kernels of 3 x 3 and their input gradients in fewer products, by winograd.h.
 * For convolution.c. */

#include "kernels/convolution_phases.h"

/* Returns whether a call is computed here. It does not depend on how many images there are. */
bool pod_kernel_winograd_fits(const pod_convolution_call *call);

/* The products that its product phase makes, and the rows of each, as pod_kernel_convolution_products(). */
void pod_kernel_winograd_products(const pod_convolution_call *call, int64_t *products, int64_t *rows);

/* As pod_kernel_convolution_images(). */
int64_t pod_kernel_winograd_images(const pod_convolution_call *call);

extern const pod_convolution_way pod_convolution_winograd;

#endif
