#ifndef POD_BASE_FLOAT16_H
#define POD_BASE_FLOAT16_H

/*
 * float16 - bf16 and f16 as bits. Rounding is to nearest, ties to even; a NaN stays a NaN (made
 * quiet). The public functions of moonpod/tensor.h are these.
 */

#include <stdint.h>
#include <string.h>

static inline uint32_t pod_f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float pod_f32_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint16_t pod_round_bf16(float value)
{
    const uint32_t bits = pod_f32_bits(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
        return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

static inline float pod_widen_bf16(uint16_t bits)
{
    return pod_f32_from_bits((uint32_t)bits << 16);
}

static inline uint16_t pod_round_f16(float value)
{
    const uint32_t bits = pod_f32_bits(value);
    const uint32_t sign = bits >> 16 & 0x8000u;
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u)
        return (uint16_t)(sign | 0x7E00u | (magnitude >> 13 & 0x3FFu));
    if (magnitude >= 0x477FF000u) /* 65520 and more: halfway to 2^16 or beyond */
        return (uint16_t)(sign | 0x7C00u);
    if (magnitude < 0x38800000u) { /* below 2^-14: subnormal */
        /* Adding 0.5 leaves the value in units of 2^-24 in the low bits, rounded by the FPU. */
        const float shifted = pod_f32_from_bits(magnitude) + 0.5f;
        return (uint16_t)(sign | (pod_f32_bits(shifted) - 0x3F000000u));
    }
    const uint32_t rebiased = magnitude - 0x38000000u; /* exponent bias 127 to 15 */
    return (uint16_t)(sign | (rebiased + 0xFFFu + (rebiased >> 13 & 1u)) >> 13);
}

static inline float pod_widen_f16(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    const uint32_t magnitude = half & 0x7FFFu;
    if (magnitude >= 0x7C00u) /* infinite, or NaN, which becomes quiet */
        return pod_f32_from_bits(sign | 0x7F800000u | magnitude << 13 | (magnitude > 0x7C00u ? 0x400000u : 0u));
    if (magnitude < 0x400u) { /* zero or subnormal: units of 2^-24 */
        const float value = (float)magnitude * 0x1p-24f;
        return sign ? -value : value;
    }
    return pod_f32_from_bits(sign | ((magnitude << 13) + 0x38000000u));
}

#endif
