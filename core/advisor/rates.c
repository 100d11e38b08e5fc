/* rates - see rates.h. */

#include "advisor/rates.h"

#include <math.h>
#include <string.h>

/* v7x, and the launch: fitted together to products of bf16, n x n of n = 128 ... 32768
 * (AI-Hypercomputer/accelerator-microbenchmarks, 6a306a8): eight points, which the formula meets within 7 %.
 *
 * v6e: its product of 8192 x 8192 (AI-Hypercomputer/tpu-recipes, c8cfe2f, microbenchmarks), and all else as v7x: its
 * HBM copy of 33.5 MB, measured there too, is met within 6 %.
 *
 * Of other chips nothing is published. Theirs are fitted to the cycles that libtpu 0.0.51 estimates of 14 programs of
 * tests/golden on v5e, of two of them on v3 and v4 too: 15 of those 18 sums are within 20 %. It adds up most of what a
 * kernel computes and moves, where the measurements on v7x show that all but 5 us of that overlaps.
 *
 * Copies into another layout: the geometric mean of what libtpu 0.0.51 estimates for v5e of seven, six of which are
 * small programs (.24 to .65 of HBM's rate: those of few columns are the slow ones). Of three that were not used,
 * caches of decoders, it says .41, .41 and .57. On v6e a copy of an array as it lies was measured, no other. */
static const struct {
    const char *chip;
    double mxu_share, hbm_share, copy_share, exposed, most;
} known[] = {
    {"v6e", 0.9, 0.9, 0.9, 1, 5e-6},
    {"v7x", 0.84, 0.9, 0.9, 1, 5e-6},
    {NULL, 0.96, 0.9, 0.4, 0.8, INFINITY},
};

#define LAUNCH 1.5e-6

pod_rates pod_advise_rates(const pod_chip *chip)
{
    const char *name = chip->based_on ? chip->based_on : chip->name;
    size_t at = 0;
    while (known[at].chip && strcmp(known[at].chip, name) != 0)
        at++;
    /* The clock is the published one; of v6e and v7x half of what the published peak takes of the published MXUs. */
    const double multiplies = (double)chip->cores * chip->mxus_per_core * chip->mxu_size * chip->mxu_size;
    return (pod_rates){.mxu_share = known[at].mxu_share,
                       .hbm_share = known[at].hbm_share,
                       .copy_share = known[at].copy_share,
                       .exposed = known[at].exposed,
                       .most = known[at].most,
                       .launch = LAUNCH,
                       .clock = chip->clock_mhz > 0 ? chip->clock_mhz * 1e6 : chip->bf16_flops / multiplies / 4};
}
