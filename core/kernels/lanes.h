#ifndef POD_KERNELS_LANES_H
#define POD_KERNELS_LANES_H

/*
 * lanes - vectors in the compiler's own types, as wide as the registers of the family that a file is built for, and how
 * they are rounded to bf16.
 */

#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX2__)
#define LANES 8
#else
#define LANES 4
#endif

#define LANES_INLINE static inline __attribute__((always_inline))

typedef float floats __attribute__((vector_size(LANES * 4)));
typedef uint32_t words __attribute__((vector_size(LANES * 4)));
typedef int32_t integers __attribute__((vector_size(LANES * 4)));
typedef uint16_t halves __attribute__((vector_size(LANES * 2)));
typedef uint16_t double_halves __attribute__((vector_size(LANES * 4))); /* of two vectors */

LANES_INLINE floats load(const float *from)
{
    floats x;
    memcpy(&x, from, sizeof x);
    return x;
}

#if defined(__AVX512F__) && !defined(__clang__) /* which has no such builtins */

#define ALL_LANES         ((uint16_t)-1)
#define CURRENT_ROUNDING  4
#define COMPARE_UNORDERED 3

/* max(x, 0), as block loops make it: NaN stays, no zero is negative. By a maximum that gives its second operand where
 * the two are equal or one is NaN. */
LANES_INLINE floats positive(floats x)
{
    const floats zero = {0};
    /* This builtin takes its mask as a signed number. */
    return __builtin_ia32_maxps512_mask(zero, x, zero, (int16_t)ALL_LANES, CURRENT_ROUNDING) + zero; /* -0 + 0 is 0 */
}

/* min(x, most), of which the second operand stays where one is NaN. */
LANES_INLINE floats at_most(floats x, float most)
{
    return __builtin_ia32_minps512_mask((floats){0} + most, x, x, (int16_t)ALL_LANES, CURRENT_ROUNDING);
}

/* Nearest even; the bf16 is in the upper half of each word. */
LANES_INLINE words round_to_bf16(floats x)
{
    words bits = (words)x, rounded = bits + 0x7FFF + (bits >> 16 & 1);
    uint16_t is_nan = (uint16_t)__builtin_ia32_cmpps512_mask(x, x, COMPARE_UNORDERED, ALL_LANES, CURRENT_ROUNDING);
    return (words)__builtin_ia32_blendmd_512_mask((integers)rounded, (integers)(bits | 0x400000), is_nan);
}

#else

LANES_INLINE floats positive(floats x)
{
    return (floats)((words)x & ~(words)(x <= 0.0f));
}

LANES_INLINE floats at_most(floats x, float most)
{
    const words above = (words)(x >= most);
    return (floats)(((words)x & ~above) | ((words)((floats){0} + most) & above)); /* NaN stays */
}

LANES_INLINE words round_to_bf16(floats x)
{
    words bits = (words)x, rounded = bits + 0x7FFF + (bits >> 16 & 1), nan = bits | 0x400000;
    words is_nan = (words)(x != x);
    return (rounded & ~is_nan) | (nan & is_nan);
}

#endif

/* Upper halves of two vectors of words. */
#define UPPER_4(n) (n) * 2 + 1, (n)*2 + 3, (n)*2 + 5, (n)*2 + 7
#if LANES == 16
#define UPPER_ALL UPPER_4(0), UPPER_4(4), UPPER_4(8), UPPER_4(12), UPPER_4(16), UPPER_4(20), UPPER_4(24), UPPER_4(28)
#elif LANES == 8
#define UPPER_ALL UPPER_4(0), UPPER_4(4), UPPER_4(8), UPPER_4(12)
#else
#define UPPER_ALL UPPER_4(0), UPPER_4(4)
#endif

LANES_INLINE double_halves narrow_two(floats a, floats b)
{
    return __builtin_shufflevector((double_halves)round_to_bf16(a), (double_halves)round_to_bf16(b), UPPER_ALL);
}

LANES_INLINE halves narrow_one(floats a)
{
    return __builtin_convertvector(round_to_bf16(a) >> 16, halves);
}

#endif
