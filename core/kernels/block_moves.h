#ifndef POD_KERNELS_BLOCK_MOVES_H
#define POD_KERNELS_BLOCK_MOVES_H

/*
 * Blocks from class to class, and from and to the types in which they are stored. Included by multi/blocks.c, once a
 * family.
 */

#include "kernels/block_formats.h"
#include "kernels/block_loops.h"
#include "kernels/scalar_math.h"

/* Truncates and saturates; NaN gives 0. The limits are the nearest floats inside the range. */
static inline int32_t s32_of_f32(float x)
{
    float y = x == x ? x : 0.0f;
    y = y < -0x1p31f ? -0x1p31f : y;
    int32_t inside = (int32_t)(y > 2147483520.0f ? 2147483520.0f : y);
    return y >= 0x1p31f ? INT32_MAX : inside;
}

static inline uint32_t u32_of_f32(float x)
{
    float y = x > 0.0f ? x : 0.0f;
    uint32_t inside = (uint32_t)(y > 4294967040.0f ? 4294967040.0f : y);
    return y >= 0x1p32f ? UINT32_MAX : inside;
}

static inline int32_t s32_of_f64(double x)
{
    double y = x == x ? x : 0.0;
    y = y < -0x1p31 ? -0x1p31 : y;
    return (int32_t)(y > 2147483647.0 ? 2147483647.0 : y);
}

static inline uint32_t u32_of_f64(double x)
{
    double y = x > 0.0 ? x : 0.0;
    return (uint32_t)(y > 4294967295.0 ? 4294967295.0 : y);
}

MAP_1(f64_from_f32, double, float, p)
MAP_1(s32_from_f32, int32_t, float, s32_of_f32(p))
MAP_1(u32_from_f32, uint32_t, float, u32_of_f32(p))
MAP_1(s64_from_f32, int64_t, float, pod_kernel_saturate_signed((double)p, INT64_MIN, INT64_MAX))
MAP_1(u64_from_f32, uint64_t, float, pod_kernel_saturate_unsigned((double)p, UINT64_MAX))
MAP_1(f32_from_f64, float, double, p)
MAP_1(s32_from_f64, int32_t, double, s32_of_f64(p))
MAP_1(u32_from_f64, uint32_t, double, u32_of_f64(p))
MAP_1(s64_from_f64, int64_t, double, pod_kernel_saturate_signed((double)p, INT64_MIN, INT64_MAX))
MAP_1(u64_from_f64, uint64_t, double, pod_kernel_saturate_unsigned((double)p, UINT64_MAX))

/* From an integer to floats and to integers of `bits` bits. */
#define INTEGER_CONVERTS(class_, type, bits)                                                                           \
    MAP_1(f32_from_##class_, float, type, p)                                                                           \
    MAP_1(f64_from_##class_, double, type, p)                                                                          \
    MAP_1(s##bits##_from_##class_, int##bits##_t, type, p)                                                             \
    MAP_1(u##bits##_from_##class_, uint##bits##_t, type, p)

INTEGER_CONVERTS(s32, int32_t, 64)
INTEGER_CONVERTS(u32, uint32_t, 64)
INTEGER_CONVERTS(s64, int64_t, 32)
INTEGER_CONVERTS(u64, uint64_t, 32)

/* Defines a load or a store of one stored type. */
#define MOVE(name, to_type, type, expression)                                                                          \
    static void name(void *destination, const void *source, size_t count)                                              \
    {                                                                                                                  \
        to_type *to = destination;                                                                                     \
        const type *from = source;                                                                                     \
        LOOP                                                                                                           \
        {                                                                                                              \
            type p = from[i];                                                                                          \
            to[i] = (to_type)(expression);                                                                             \
        }                                                                                                              \
    }

static void move_32(void *destination, const void *source, size_t count)
{
    memcpy(destination, source, count * 4);
}

static void move_64(void *destination, const void *source, size_t count)
{
    memcpy(destination, source, count * 8);
}

MOVE(load_bool, int32_t, uint8_t, p != 0)
MOVE(load_s8, int32_t, int8_t, p)
MOVE(load_s16, int32_t, int16_t, p)
MOVE(load_u8, uint32_t, uint8_t, p)
MOVE(load_u16, uint32_t, uint16_t, p)
MOVE(load_bf16, float, uint16_t, widen_bf16(p))
MOVE(store_bool, uint8_t, int32_t, p != 0)
MOVE(store_8, uint8_t, uint32_t, p)
MOVE(store_16, uint16_t, uint32_t, p)
MOVE(store_bf16, uint16_t, float, narrow_bf16(p))

static void load_f16(void *destination, const void *source, size_t count)
{
    widen_all_f16(destination, source, count);
}

static void store_f16(void *destination, const void *source, size_t count)
{
    narrow_all_f16(destination, source, count);
}

#endif
