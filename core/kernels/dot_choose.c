#include "base/sizes.h"
#include "kernels/dot.h"

/*
 * Nanoseconds that one thread takes for a multiply-add in f32 where there are tiles, and for packing an element of
 * either operand. Measured on Sapphire Rapids at about 4 GHz, 1024 x 1024 x 784 and x 1024: f32 at 165 to 185 GFLOP/s a
 * thread; those by parts say themselves. Only the ratios matter.
 */
static const double f32_add = 2.0 / 175;
static const double f32_pack = 0.25, split_pack = 0.5;

double pod_dot_nanoseconds(const pod_kernels *kernels, const pod_dot_kernels *dot)
{
    if (dot->nanoseconds > 0)
        return dot->nanoseconds;
    return dot == &kernels->dot_f32 ? 0.02 : 0.01;
}

static double padded(int64_t size, int64_t unit)
{
    return (double)pod_round_up(size, unit);
}

static double time_of(double add, double pack, double m, double n, double k)
{
    return add * m * n * k + pack * k * (m + n);
}

const pod_dot_kernels *pod_dot_choose(const pod_kernels *kernels, pod_dtype dtype, bool rough,
                                      int64_t m, int64_t n, int64_t k)
{
    const pod_dot_kernels *split = rough ? &kernels->dot_f32_three : &kernels->dot_f32_six;
    if (dtype != POD_F32)
        return &kernels->dot_bf16;
    if (split->run == NULL)
        return &kernels->dot_f32;
    const double plain = time_of(f32_add, f32_pack, (double)m, padded(n, 16), (double)k);
    const double by_parts = time_of(split->nanoseconds, split_pack, padded(m, 32),
                                    padded(n, 16), padded(k, 32));
    return by_parts < 0.9 * plain ? split : &kernels->dot_f32;
}
