#ifndef POD_KERNELS_BLOCK_F16_AVX2_H
#define POD_KERNELS_BLOCK_F16_AVX2_H

/*
 * f16 by the processor's conversions, which every family from avx2 on has: a part of block_formats.h.
 * They give the bits of base/float16.h, and ignore the processor's flags for subnormals. The compiler
 * does not put them in vectors by itself.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef float pod_eight_floats __attribute__((vector_size(32)));
typedef short pod_eight_halves __attribute__((vector_size(16)));

#define ROUND_TO_EVEN 0

static inline pod_eight_floats widen_eight_f16(pod_eight_halves stored)
{
    return __builtin_ia32_vcvtph2ps256(stored);
}

static inline pod_eight_halves narrow_eight_f16(pod_eight_floats x)
{
    return __builtin_ia32_vcvtps2ph256(x, ROUND_TO_EVEN);
}

#undef ROUND_TO_EVEN

static inline float widen_f16(uint16_t stored)
{
    return widen_eight_f16((pod_eight_halves){(short)stored})[0];
}

static inline uint16_t narrow_f16(float x)
{
    return (uint16_t)narrow_eight_f16((pod_eight_floats){x})[0];
}

/* Each of these works on `count` elements, eight at a time. */
static inline void widen_all_f16(float *to, const uint16_t *from, size_t count)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        pod_eight_halves stored;
        memcpy(&stored, from + i, sizeof stored);
        pod_eight_floats x = widen_eight_f16(stored);
        memcpy(to + i, &x, sizeof x);
    }
    for (; i < count; i++)
        to[i] = widen_f16(from[i]);
}

static inline void narrow_all_f16(uint16_t *to, const float *from, size_t count)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        pod_eight_floats x;
        memcpy(&x, from + i, sizeof x);
        pod_eight_halves stored = narrow_eight_f16(x);
        memcpy(to + i, &stored, sizeof stored);
    }
    for (; i < count; i++)
        to[i] = narrow_f16(from[i]);
}

/* Rounds elements to f16; the result may be the operand. */
static inline void round_all_f16(float *to, const float *from, size_t count)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        pod_eight_floats x;
        memcpy(&x, from + i, sizeof x);
        x = widen_eight_f16(narrow_eight_f16(x));
        memcpy(to + i, &x, sizeof x);
    }
    for (; i < count; i++)
        to[i] = widen_f16(narrow_f16(from[i]));
}

#endif
