#ifndef POD_KERNELS_OPENBLAS_H
#define POD_KERNELS_OPENBLAS_H

/*
 * openblas - the library for f32 products, loaded the first time that one is wanted: a serial build of
 * OpenBLAS, whose calls from several threads of ours at once are correct and do not disturb each
 * other. A threaded build is used only where it has been set to one thread already (by
 * OPENBLAS_NUM_THREADS=1, say); nothing of the process is changed.
 *
 * Where it is looked for: the file that the environment variable MOONPOD_OPENBLAS names ("none": nowhere),
 * then the serial builds of the usual systems, then the plain name. OPENBLAS_CORETYPE picks its
 * kernels when it is loaded; if the environment does not set it, it is set for the family of
 * kernels in use, so that MOONPOD_ISA binds OpenBLAS as well.
 *
 * May be called from any thread.
 */

#include "kernels/kernels.h"

/* cblas_sgemm with the row-major layout: c[m, n] = a[m, k] * b[k, n], operands transposed on
 * request. Strides are between rows as stored. */
typedef void (*pod_sgemm)(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k,
                          const float *a, int64_t a_stride, const float *b, int64_t b_stride,
                          float *c, int64_t c_stride);

/* Returns the product of the library, loading it first; NULL where there is none. */
pod_sgemm pod_openblas_sgemm(void);

/* Sets the family for which the library picks its kernels when it is loaded. Later calls than the
 * first product have no effect. */
void pod_openblas_set_isa(const char *isa);

/* Returns the library of f32 products and its kernels' name, "OpenBLAS 0.3.21 (SkylakeX)", or
 * "own kernels" and why. Loads it. The text is static. */
const char *pod_kernels_f32_library(void);

#endif
