#ifndef POD_KERNELS_OPENBLAS_H
#define POD_KERNELS_OPENBLAS_H

/*
 * openblas - OpenBLAS for f32 products, loaded the first time that one asks for it. It is a serial build, which
 * does not bear calls of several threads at once: they take turns. A threaded build is used only
 * where it is set to one thread already (by OPENBLAS_NUM_THREADS=1, say); no setting of the process
 * is changed.
 *
 * It is looked for in the file that the environment variable MOONPOD_OPENBLAS names (an empty value: not
 * at all), then where the usual systems keep their serial builds, then by its plain name.
 * OPENBLAS_CORETYPE picks its kernels; where the environment does not set it and a family was
 * asked for, it is set while the library is loaded, so that MOONPOD_ISA binds OpenBLAS as well.
 *
 * It computes the products of the portable family, for CPUs that we have no kernels for. Those of the AVX
 * families are our own: wide ones are faster (b is packed once for all rows and threads), narrow ones are as
 * fast on two threads, for which they need not wait (tests/bench/bench_dot.c).
 *
 * All of it may be called from any thread.
 */

#include "kernels/kernels.h"

/* Returns whether the library is there, loading it first. */
bool pod_kernel_openblas_found(void);

/* Runs a part of a product whose b is plain, as pod_dot_kernels.run() does. Each piece of
 * row_granularity x panel_columns is a call of its own, so that bits do not depend on the cut. */
void pod_kernel_openblas_run(const pod_dot_kernels *kernels, const pod_dot_call *call, int64_t row_begin,
                             int64_t row_end, int64_t column_begin, int64_t column_end, void *scratch);

/* Bytes of scratch that pod_kernel_openblas_run() needs. */
size_t pod_kernel_openblas_scratch_bytes(const pod_dot_kernels *kernels, const pod_dot_call *call);

/* Asks for the kernels of a family ("avx2") when the library is loaded; too late after that. `isa` must
 * live on. */
void pod_kernel_openblas_prefer(const char *isa);

/* Returns what computes f32 products that are OpenBLAS' by the rule above: its version and kernels, or
 * why it is not used and our own kernels stand in. Loads it. The text is static. */
const char *pod_kernel_f32_library(void);

#endif
