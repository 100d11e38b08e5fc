/*
 * rates - see rates.h. Where the numbers are from:
 *
 *   mxu_share, hbm_share, exposed, launch   fitted together to bf16 products n x n of n = 128 ... 32768 on v7x
 *                  (AI-Hypercomputer/accelerator-microbenchmarks, 6a306a8): eight points, which the formula meets
 * within 7 %. v6e: its product of 8192 x 8192 and its HBM copy of 33.5 MB (AI-Hypercomputer/tpu-recipes, c8cfe2f,
 * microbenchmarks). Of other chips nothing is published: they have v7x's. alus           8 x 128 lanes: 4 ALUs each
 * from v5e on (jax-ml/scaling-book, tpus.md), 16 a lane column of 128, so 2, on v4 (Jouppi et al., ISCA 2023, table 4);
 * 2 before, as v2 and v3 issue two vector operations a bundle (Jouppi et al., CACM 63(7), 2020) clock          the
 * published one; of v6e and v7x half of what the published peak would need of the published MXUs POD_RATE_ON_CHIP VMEM
 * is about 22 times as fast as HBM (jax-ml/scaling-book, roofline.md) POD_RATE_TRANSCENDENTAL cycles of exp, tanh and
 * log beside 1 of other f32 operations on v5 (openxla/xprof, docs/custom_call_profiling.md) POD_RATE_HOST v6e, product
 * of 8192 x 8192: 1.4578 ms by the host's clock, 1.3288 ms by the device's (tpu-recipes, the same) POD_RATE_SLOWER v7x,
 * prefill of Qwen2.5-7B: 22.26 ms measured, 15.26 ms by the compiler's own timing (primatrix/sim-pjrt); its
 * decoding 5.82 to 4.21 ms
 */

#include "advisor/rates.h"

#include <string.h>

static const struct {
    const char *chip;
    double mxu_share, hbm_share, alus;
} known[] = {
    {"v2", 0.84, 0.9, 2},  {"v3", 0.84, 0.9, 2},  {"v4", 0.84, 0.9, 2},  {"v5e", 0.84, 0.9, 4},
    {"v5p", 0.84, 0.9, 4}, {"v6e", 0.9, 0.83, 4}, {"v7x", 0.84, 0.9, 4},
};

#define EXPOSED 5e-6
#define LAUNCH  1.5e-6

pod_rates pod_advise_rates(const pod_chip *chip)
{
    const char *name = chip->based_on ? chip->based_on : chip->name;
    size_t at = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].chip, name) == 0)
            at = i;
    const double multiplies = (double)chip->cores * chip->mxus_per_core * chip->mxu_size * chip->mxu_size;
    return (pod_rates){.mxu_share = known[at].mxu_share,
                       .hbm_share = known[at].hbm_share,
                       .exposed = EXPOSED,
                       .launch = LAUNCH,
                       .alus = known[at].alus,
                       .clock = chip->clock_mhz > 0 ? chip->clock_mhz * 1e6 : chip->bf16_flops / multiplies / 4};
}
