#include "moonpod/tensor.h"

#include <string.h>

#include "base/float16.h"

/*
 * Conversions between element types. The 16-bit floats go through f32, in both directions, as
 * hardware and XLA do; everything else is one step. Integers to narrower integers keep their low
 * bits.
 */

#define CHUNK 256 /* elements that are widened at once */

/* `expression` of each element, as elements of `type`. */
#define EACH(type, expression)                                                                                         \
    do {                                                                                                               \
        type *out = destination;                                                                                       \
        for (size_t i = 0; i < count; i++)                                                                             \
            out[i] = (type)(expression);                                                                               \
        return;                                                                                                        \
    } while (0)

/* A float, or an integer, as an integer: `limit` is the first float beyond those of the type. Branches of 64 bits,
 * which compilers make no vectors of, begin with what is most likely. */
#define SIGNED_FROM_FLOAT(type, limit, low, high)                                                                      \
    EACH(type, sizeof(type) == 8 && in[i] < (limit) && in[i] > -(limit) ? (type)in[i]                                  \
               : in[i] != in[i]                                         ? 0                                            \
               : in[i] >= (limit)                                       ? (high)                                       \
               : in[i] <= -(limit)                                      ? (low)                                        \
                                                                        : (type)in[i])
#define UNSIGNED_FROM_FLOAT(type, limit, high) EACH(type, in[i] >= (limit) ? (high) : !(in[i] > -1) ? 0 : (type)in[i])
#define FROM_INTEGER(type, ...)                EACH(type, in[i])

/* Writes any type but the 16-bit floats from elements `in`. */
#define WRITE(TO_SIGNED, TO_UNSIGNED)                                                                                  \
    switch (dtype) {                                                                                                   \
    case POD_BOOL:                                                                                                     \
        EACH(uint8_t, in[i] != 0);                                                                                     \
    case POD_S8:                                                                                                       \
        TO_SIGNED(int8_t, 0x1p7f, INT8_MIN, INT8_MAX);                                                                 \
    case POD_S16:                                                                                                      \
        TO_SIGNED(int16_t, 0x1p15f, INT16_MIN, INT16_MAX);                                                             \
    case POD_S32:                                                                                                      \
        TO_SIGNED(int32_t, 0x1p31f, INT32_MIN, INT32_MAX);                                                             \
    case POD_S64:                                                                                                      \
        TO_SIGNED(int64_t, 0x1p63f, INT64_MIN, INT64_MAX);                                                             \
    case POD_U8:                                                                                                       \
        TO_UNSIGNED(uint8_t, 0x1p8f, UINT8_MAX);                                                                       \
    case POD_U16:                                                                                                      \
        TO_UNSIGNED(uint16_t, 0x1p16f, UINT16_MAX);                                                                    \
    case POD_U32:                                                                                                      \
        TO_UNSIGNED(uint32_t, 0x1p32f, UINT32_MAX);                                                                    \
    case POD_U64:                                                                                                      \
        TO_UNSIGNED(uint64_t, 0x1p64f, UINT64_MAX);                                                                    \
    case POD_F32:                                                                                                      \
        EACH(float, in[i]);                                                                                            \
    case POD_F64:                                                                                                      \
        EACH(double, in[i]);                                                                                           \
    default:                                                                                                           \
        return;                                                                                                        \
    }

/* From elements of one type; at most CHUNK of them. */
#define CONVERTER(name, type, TO_SIGNED, TO_UNSIGNED)                                                                  \
    static void name(const void *source, pod_dtype dtype, void *destination, size_t count)                             \
    {                                                                                                                  \
        const type *in = source;                                                                                       \
        WRITE(TO_SIGNED, TO_UNSIGNED)                                                                                  \
    }

CONVERTER(from_s8, int8_t, FROM_INTEGER, FROM_INTEGER)
CONVERTER(from_s16, int16_t, FROM_INTEGER, FROM_INTEGER)
CONVERTER(from_s32, int32_t, FROM_INTEGER, FROM_INTEGER)
CONVERTER(from_s64, int64_t, FROM_INTEGER, FROM_INTEGER)
CONVERTER(from_u8, uint8_t, FROM_INTEGER, FROM_INTEGER)
CONVERTER(from_u16, uint16_t, FROM_INTEGER, FROM_INTEGER)
CONVERTER(from_u32, uint32_t, FROM_INTEGER, FROM_INTEGER)
CONVERTER(from_u64, uint64_t, FROM_INTEGER, FROM_INTEGER)
CONVERTER(from_f32, float, SIGNED_FROM_FLOAT, UNSIGNED_FROM_FLOAT)
CONVERTER(from_f64, double, SIGNED_FROM_FLOAT, UNSIGNED_FROM_FLOAT)

/* The same of types that are made another first; any byte that is not zero is a bool of one. */
#define WIDENED_CONVERTER(name, type, wide_type, expression, from)                                                     \
    static void name(const void *source, pod_dtype dtype, void *destination, size_t count)                             \
    {                                                                                                                  \
        const type *in = source;                                                                                       \
        wide_type wide[CHUNK];                                                                                         \
        for (size_t i = 0; i < count; i++)                                                                             \
            wide[i] = expression;                                                                                      \
        from(wide, dtype, destination, count);                                                                         \
    }

WIDENED_CONVERTER(from_bool, uint8_t, uint8_t, in[i] != 0, from_u8)
WIDENED_CONVERTER(from_f16, uint16_t, float, pod_widen_f16(in[i]), from_f32)
WIDENED_CONVERTER(from_bf16, uint16_t, float, pod_widen_bf16(in[i]), from_f32)

static void (*const converters[POD_DTYPE_END])(const void *source, pod_dtype dtype, void *destination, size_t count) = {
    [POD_BOOL] = from_bool, [POD_S8] = from_s8,   [POD_S16] = from_s16, [POD_S32] = from_s32, [POD_S64] = from_s64,
    [POD_U8] = from_u8,     [POD_U16] = from_u16, [POD_U32] = from_u32, [POD_U64] = from_u64, [POD_F16] = from_f16,
    [POD_BF16] = from_bf16, [POD_F32] = from_f32, [POD_F64] = from_f64};

/* At most CHUNK elements. */
static void convert_chunk(pod_dtype source_dtype, const void *source, pod_dtype dtype, void *destination, size_t count)
{
    float wide[CHUNK];
    uint16_t *narrow = destination;
    if (dtype != POD_F16 && dtype != POD_BF16) {
        converters[source_dtype](source, dtype, destination, count);
        return;
    }
    converters[source_dtype](source, POD_F32, wide, count);
    for (size_t i = 0; i < count; i++)
        narrow[i] = dtype == POD_F16 ? pod_round_f16(wide[i]) : pod_round_bf16(wide[i]);
}

void pod_convert(pod_dtype source_dtype, const void *source, pod_dtype destination_dtype, void *destination,
                 size_t count)
{
    const size_t source_size = pod_dtype_size(source_dtype);
    const size_t destination_size = pod_dtype_size(destination_dtype);
    if (source_size == 0 || destination_size == 0) /* no types */
        return;
    if (source_dtype == destination_dtype && source_dtype != POD_BOOL) {
        if (count > 0)
            memcpy(destination, source, count * source_size);
        return;
    }
    for (size_t i = 0; i < count; i += CHUNK) {
        const size_t part = count - i < CHUNK ? count - i : CHUNK;
        convert_chunk(source_dtype, (const char *)source + i * source_size, destination_dtype,
                      (char *)destination + i * destination_size, part);
    }
}
