#ifndef POD_ADVISOR_RATES_H
#define POD_ADVISOR_RATES_H

/* rates - how fast TPUs were measured to be. */

#include "moonpod/chip.h"

typedef struct pod_rates {
    double mxu_share;  /* of the published peak that products reach */
    double hbm_share;  /* of the published rate of HBM that kernels reach */
    double copy_share; /* the same of kernels that copy an array into another layout */
    double exposed;    /* of a kernel's shorter parts, the share that does not hide behind the longest one: */
    double most;       /* at most so many seconds */
    double launch;     /* seconds of a kernel besides */
    double clock;      /* cycles a second */
} pod_rates;

/* As many times as HBM is the memory near the cores, in bytes a second (jax-ml/scaling-book, roofline.md). */
#define POD_RATE_ON_CHIP 22.0

/* Operations that a lane of the vector unit does a cycle: as the compiler estimates them (rates.c). Built are two to
 * four ALUs a lane (jax-ml/scaling-book, tpus.md). */
#define POD_RATE_VECTOR 1.0

/* Operations of the vector unit that exp, tanh or log takes, on v5 (openxla/xprof, custom_call_profiling.md). */
#define POD_RATE_TRANSCENDENTAL 2.0

/* What the compiler estimates: cycles that libtpu 0.0.51 says, for v5e, of some 80 kernels of an op or a few, most of
 * 64 MB to 1 GB. Products of bf16 reach the peak, and what lies near the cores costs them nothing. Loops go through all
 * that they touch at .806 of HBM's rate, wherever it lies and whatever they compute, up to 16 GELUs of four operations
 * a cycle: a register of f32 that is read or written takes 9.2 cycles, one of bf16 that is written 13.6, and an op that
 * no kernel shares 12 more (8 to 14). A reduction takes what it would if it wrote what it reads, in f32. */
#define POD_ESTIMATE_HBM     0.806
#define POD_ESTIMATE_NARROW  2.0 /* times its bytes, of what is written in 16 bits or fewer, besides */
#define POD_ESTIMATE_ALONE   12.0
#define POD_ESTIMATE_COPIES  0.54 /* of HBM's rate, of copies into another layout, in 32 bits an element */
#define POD_ESTIMATE_WIDENED 0.75 /* of what copies of fewer bits would be more in 32 */
#define POD_ESTIMATE_VECTOR  4.0  /* operations a lane and cycle */

/* Of a product's shorter parts what does not hide behind the longest. Kernels of a product alone have .1 to .5, 237 of
 * eight programs .3 to .4 with the compiler's own bytes of each; fitted to the 29 programs of tests/golden that were
 * asked, with the plan's. What is written in 16 bits counts as in loops, wherever it lies. */
#define POD_ESTIMATE_EXPOSED 0.65

/* Seconds until a device has the next step where the host waits for each: v6e's product of 8192 x 8192 took 1.4578 ms
 * by the host's clock, 1.3288 ms by the device's (AI-Hypercomputer/tpu-recipes, c8cfe2f). */
#define POD_RATE_HOST 0.129e-3

/* By how much longer at most whole programs took than the sum of their kernels. By the compiler's own timing of these
 * v7x, prefill of Qwen2.5-7B: 22.26 ms for 15.26 ms, its decoding 5.82 for 4.21 (primatrix/sim-pjrt). By the model's,
 * steps of Llama 3.1 8B on 8, 16 and 32 chips of v6e: 1.42 to 1.45 (tests/lua/calibration_spec.lua). */
#define POD_RATE_SLOWER 1.6

/* Of the rate of their links together, what exchanges along more than one axis of the torus reach: v6e-256, a sum of
 * 17408 x 17408 bf16 at 235.8 GB/s (AI-Hypercomputer/tpu-recipes, c8cfe2f). Along one axis they reach it all: v5e,
 * 34 MB gathered over four chips in 560 us (jax-ml/scaling-book, sharding.md). */
#define POD_RATE_AXES 0.655

/* Seconds from a chip to the next one (jax-ml/scaling-book, sharding.md). */
#define POD_RATE_HOP 1e-6

/* Returns the rates of a chip. */
pod_rates pod_advise_rates(const pod_chip *chip);

#endif
