#include "base/sizes.h"
#include "kernels/kernel_costs.h"
#include "kernels/dot.h"

double pod_kernel_dot_nanoseconds(const pod_kernels *kernels, const pod_dot_kernels *dot)
{
    if (dot->nanoseconds > 0)
        return dot->nanoseconds;
    return dot == &kernels->dot_f32 ? POD_COST_F32_ELSEWHERE : POD_COST_BF16_ELSEWHERE;
}

static double padded(int64_t size, int64_t unit)
{
    return (double)pod_round_up(size, unit);
}

static double time_of(double add, double pack, double m, double n, double k)
{
    return add * m * n * k + pack * k * (m + n);
}

const pod_dot_kernels *pod_kernel_dot_choose(const pod_kernels *kernels, pod_dtype dtype, bool rough, int64_t m,
                                             int64_t n, int64_t k)
{
    const pod_dot_kernels *split = rough ? &kernels->dot_f32_three : &kernels->dot_f32_six;
    if (dtype != POD_F32)
        return &kernels->dot_bf16;
    if (split->run == NULL)
        return &kernels->dot_f32;
    const double plain = time_of(POD_COST_F32, POD_COST_PACK_F32, (double)m, padded(n, 16), (double)k);
    const double by_parts =
        time_of(split->nanoseconds, POD_COST_PACK_SPLIT, padded(m, 32), padded(n, 16), padded(k, 32));
    return by_parts < POD_SPLIT_MUST_TAKE * plain ? split : &kernels->dot_f32;
}
