#ifndef POD_KERNELS_BLOCK_F16_AVX2_H
#define POD_KERNELS_BLOCK_F16_AVX2_H

/*
 * f16 by the processor's conversions, which every family from avx2 on has: a part of block_formats.h.
 * They give the bits of base/float16.h, and ignore the processor's flags for subnormals. The compiler
 * does not put them in vectors by itself.
 */

#if defined(__clang__)
#include <immintrin.h> /* it has no builtin that widens any more */
#endif
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef float pod_eight_floats __attribute__((vector_size(32)));
typedef short pod_eight_halves __attribute__((vector_size(16)));

#define ROUND_TO_EVEN 0

static inline pod_eight_floats widen_eight_f16(pod_eight_halves stored)
{
#if defined(__clang__)
    return (pod_eight_floats)_mm256_cvtph_ps((__m128i)stored);
#else
    return __builtin_ia32_vcvtph2ps256(stored);
#endif
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

/* Defines a function over `count` elements: `eight` is what it makes of the eight in x, `single` of from[i], of those
 * that are left. The result may be the operand. */
#define ALL_F16(name, to_type, to_eight, from_type, from_eight, eight, single)                                         \
    static inline void name(to_type *to, const from_type *from, size_t count)                                          \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        for (; i + 8 <= count; i += 8) {                                                                               \
            from_eight x;                                                                                              \
            memcpy(&x, from + i, sizeof x);                                                                            \
            to_eight y = eight;                                                                                        \
            memcpy(to + i, &y, sizeof y);                                                                              \
        }                                                                                                              \
        for (; i < count; i++)                                                                                         \
            to[i] = single;                                                                                            \
    }

ALL_F16(widen_all_f16, float, pod_eight_floats, uint16_t, pod_eight_halves, widen_eight_f16(x), widen_f16(from[i]))
ALL_F16(narrow_all_f16, uint16_t, pod_eight_halves, float, pod_eight_floats, narrow_eight_f16(x), narrow_f16(from[i]))
ALL_F16(round_all_f16, float, pod_eight_floats, float, pod_eight_floats, widen_eight_f16(narrow_eight_f16(x)),
        widen_f16(narrow_f16(from[i])))

#endif
