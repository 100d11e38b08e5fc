#ifndef POD_KERNELS_KERNEL_COSTS_H
#define POD_KERNELS_KERNEL_COSTS_H

/*
 * kernel_costs - nanoseconds of one thread by which kernels are chosen and work is shared out.
 *
 * Measured on Sapphire Rapids at about 4 GHz: tests/bench_dot prints GFLOP/s of each family, from which a
 * multiply-add takes 2 / GFLOP/s, and the time of packing b; tests/bench_peak what the machine can do at best.
 */

/* A multiply-add of each family with tiles, from the second cache. */
#define POD_COST_BF16_AMX      (2.0 / 1900)
#define POD_COST_F32_SIX_AMX   (2.0 / 320)
#define POD_COST_F32_THREE_AMX (2.0 / 580)

/* The same in f32 without tiles, where there are some, and of packing an element of either operand for it and for
 * products by parts: 1024 x 1024 x 784 and x 1024, f32 at 165 to 185 GFLOP/s a thread. Only the ratios matter. */
#define POD_COST_F32        (2.0 / 175)
#define POD_COST_PACK_F32   0.25
#define POD_COST_PACK_SPLIT 0.5

/* Products by parts are taken where they save a tenth. Chosen: on a margin smaller than that measurements of the two
 * change places. */
#define POD_SPLIT_MUST_TAKE 0.9

/* A multiply-add in f32 and in bf16 of families that do not say: 100 and 200 GFLOP/s, what tests/bench_dot prints for
 * AVX-512 with its bf16 on an EPYC. It decides how work is shared out, not which kernel runs. */
#define POD_COST_F32_ELSEWHERE  0.02
#define POD_COST_BF16_ELSEWHERE 0.01

/* The same for products of few rows, which read b where it lies: 117 GB/s from the third cache of an EPYC (Zen 5), one
 * row of 1024 x 1024. */
#define POD_COST_F32_FEW (4.0 / 117)

#endif
