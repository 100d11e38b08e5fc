/* rates - see rates.h. */

#include "advisor/rates.h"

#include <string.h>

/* Shares of the peaks, EXPOSED and LAUNCH were fitted together to products of bf16, n x n of n = 128 ... 32768, on v7x
 * (AI-Hypercomputer/accelerator-microbenchmarks, 6a306a8): eight points, which the formula meets within 7 %. Those of
 * v6e: its product of 8192 x 8192 and its HBM copy of 33.5 MB (AI-Hypercomputer/tpu-recipes, c8cfe2f,
 * microbenchmarks). Of other chips nothing is published: they have v7x's.
 *
 * A lane has 4 ALUs from v5e on (jax-ml/scaling-book, tpus.md), 2 on v4: 16 a column of 128 lanes (Jouppi et al., ISCA
 * 2023, table 4). It has 2 before, as v2 and v3 issue two vector operations a bundle (Jouppi et al., CACM 63(7),
 * 2020). */
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
    /* The clock is the published one; of v6e and v7x half of what the published peak takes of the published MXUs. */
    const double multiplies = (double)chip->cores * chip->mxus_per_core * chip->mxu_size * chip->mxu_size;
    return (pod_rates){.mxu_share = known[at].mxu_share,
                       .hbm_share = known[at].hbm_share,
                       .exposed = EXPOSED,
                       .launch = LAUNCH,
                       .alus = known[at].alus,
                       .clock = chip->clock_mhz > 0 ? chip->clock_mhz * 1e6 : chip->bf16_flops / multiplies / 4};
}
