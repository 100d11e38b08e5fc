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
