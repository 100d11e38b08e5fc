#ifndef POD_KERNELS_SPECIAL_H
#define POD_KERNELS_SPECIAL_H

/*
 * Kernels of single ops that each CPU family has of its own, where the reference kernel is slow:
 * max pooling (multi/pools.c), other pooling and depthwise convolutions (multi/windows.c), scatters,
 * arguments and sums along lines (multi/lines.c). They keep the contract of pod_kernel; results may differ from the
 * reference kernel's by the rounding of sums, which are made in f32 here.
 *
 * Max pooling may be asked for a second result: positions, of the first tap with the maximum of each
 * window (u8, in the shape of the result). Its gradient takes them in the place of x.
 */

#include "kernels/reference.h"

extern const pod_named_kernel pod_windows_portable[], pod_lines_portable[], pod_pools_portable[],
    pod_depthwise_portable[];
extern const struct pod_convolution_way pod_depthwise_portable_way, pod_depthwise_neon_way, pod_depthwise_avx2_way,
    pod_depthwise_avx512_way;
extern const pod_named_kernel pod_windows_neon[], pod_lines_neon[], pod_pools_neon[], pod_depthwise_neon[];
extern const pod_named_kernel pod_windows_avx2[], pod_lines_avx2[], pod_pools_avx2[], pod_depthwise_avx2[];
extern const pod_named_kernel pod_windows_avx512[], pod_lines_avx512[], pod_pools_avx512[], pod_depthwise_avx512[];

/* Whether a type is one of those that the special kernels of windows take. */
static inline bool pod_kernel_is_narrow_float(pod_dtype dtype)
{
    return dtype == POD_F32 || dtype == POD_BF16 || dtype == POD_F16;
}

/* pod_kernel.units: a unit is a line of windows, all but the last spatial axis. */
int64_t pod_kernel_line_units(const pod_kernel_call *call);

struct pod_kernels;

/* Returns the kernel of the primitive op with this name for a call like this one (data may be
 * NULL): the family's own where it has one that fits, else the reference kernel; NULL where neither
 * is. */
const pod_kernel *pod_kernel_find(const struct pod_kernels *kernels, const char *op_name, const pod_kernel_call *call);

/* Returns the kernel that takes a call of the composite with this name whole; NULL where its body is to
 * be run. */
const pod_kernel *pod_kernel_of_composite(const char *name, const pod_kernel_call *call);

#endif
