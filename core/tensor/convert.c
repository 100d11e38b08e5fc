#include "moonpod/tensor.h"

#include <string.h>

#include "base/float16.h"

/*
 * Conversions between element types. The 16-bit floats go through f32, in both directions, as
 * hardware and XLA do; everything else is one step. Integers to narrower integers keep their low
 * bits.
 */

#define CHUNK 256 /* elements that are widened at once */

/* True where a float truncates into the range: the limits themselves may not be floats. */
#define FITS_SIGNED(value, limit)   ((value) < (limit) && (value) >= -(limit))
#define FITS_UNSIGNED(value, limit) ((value) < (limit) && (value) > -1)

/* One function a pair of types: from `type` elements, with `expression` of each. */
#define EACH(type, expression)                                                                                         \
    do {                                                                                                               \
        type *out = destination;                                                                                       \
        for (size_t i = 0; i < count; i++)                                                                             \
            out[i] = (type)(expression);                                                                               \
        return;                                                                                                        \
    } while (0)

#define TO_SIGNED(type, limit, low, high)                                                                              \
    EACH(type, in[i] != in[i] ? 0 : FITS_SIGNED(in[i], limit) ? (type)in[i] : in[i] > 0 ? (high) : (low))

#define TO_UNSIGNED(type, limit, high)                                                                                 \
    EACH(type, in[i] != in[i] ? 0 : FITS_UNSIGNED(in[i], limit) ? (type)in[i] : in[i] > 0 ? (high) : 0)

/* Writes any type but the 16-bit floats, from elements of an integer type. */
#define FROM_INTEGER(in)                                                                                               \
    switch (dtype) {                                                                                                   \
    case POD_BOOL:                                                                                                     \
        EACH(uint8_t, (in)[i] != 0);                                                                                   \
    case POD_S8:                                                                                                       \
    case POD_U8:                                                                                                       \
        EACH(uint8_t, (in)[i]);                                                                                        \
    case POD_S16:                                                                                                      \
    case POD_U16:                                                                                                      \
        EACH(uint16_t, (in)[i]);                                                                                       \
    case POD_S32:                                                                                                      \
    case POD_U32:                                                                                                      \
        EACH(uint32_t, (in)[i]);                                                                                       \
    case POD_S64:                                                                                                      \
    case POD_U64:                                                                                                      \
        EACH(uint64_t, (in)[i]);                                                                                       \
    case POD_F32:                                                                                                      \
        EACH(float, (in)[i]);                                                                                          \
    case POD_F64:                                                                                                      \
        EACH(double, (in)[i]);                                                                                         \
    case POD_F16:                                                                                                      \
    case POD_BF16:                                                                                                     \
    case POD_DTYPE_NONE:                                                                                               \
    case POD_DTYPE_END:                                                                                                \
        break;                                                                                                         \
    }                                                                                                                  \
    return

/* The same from elements of f32 or f64. */
#define FROM_FLOAT(in)                                                                                                 \
    switch (dtype) {                                                                                                   \
    case POD_BOOL:                                                                                                     \
        EACH(uint8_t, (in)[i] != 0);                                                                                   \
    case POD_S8:                                                                                                       \
        EACH(int8_t, (in)[i] != (in)[i] ? 0 : (in)[i] >= 127 ? 127 : (in)[i] <= -128 ? -128 : (int)(in)[i]);           \
    case POD_S16:                                                                                                      \
        EACH(int16_t, (in)[i] != (in)[i] ? 0 : (in)[i] >= 32767 ? 32767 : (in)[i] <= -32768 ? -32768 : (int)(in)[i]);  \
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
        EACH(float, (in)[i]);                                                                                          \
    case POD_F64:                                                                                                      \
        EACH(double, (in)[i]);                                                                                         \
    case POD_F16:                                                                                                      \
    case POD_BF16:                                                                                                     \
    case POD_DTYPE_NONE:                                                                                               \
    case POD_DTYPE_END:                                                                                                \
        break;                                                                                                         \
    }                                                                                                                  \
    return

static void from_bool(const uint8_t *bits, pod_dtype dtype, void *destination, size_t count)
{
    /* Any byte that is not zero counts as one. */
    uint8_t in[CHUNK];
    for (size_t i = 0; i < count; i++)
        in[i] = bits[i] != 0;
    FROM_INTEGER(in);
}

static void from_s8(const int8_t *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_INTEGER(in);
}

static void from_s16(const int16_t *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_INTEGER(in);
}

static void from_s32(const int32_t *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_INTEGER(in);
}

static void from_s64(const int64_t *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_INTEGER(in);
}

static void from_u8(const uint8_t *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_INTEGER(in);
}

static void from_u16(const uint16_t *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_INTEGER(in);
}

static void from_u32(const uint32_t *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_INTEGER(in);
}

static void from_u64(const uint64_t *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_INTEGER(in);
}

static void from_f32(const float *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_FLOAT(in);
}

static void from_f64(const double *in, pod_dtype dtype, void *destination, size_t count)
{
    FROM_FLOAT(in);
}

/* At most CHUNK elements; the destination is no 16-bit float. */
static void convert_wide(pod_dtype source_dtype, const void *source, pod_dtype dtype, void *destination, size_t count)
{
    float wide[CHUNK];
    switch (source_dtype) {
    case POD_BOOL:
        from_bool(source, dtype, destination, count);
        break;
    case POD_S8:
        from_s8(source, dtype, destination, count);
        break;
    case POD_S16:
        from_s16(source, dtype, destination, count);
        break;
    case POD_S32:
        from_s32(source, dtype, destination, count);
        break;
    case POD_S64:
        from_s64(source, dtype, destination, count);
        break;
    case POD_U8:
        from_u8(source, dtype, destination, count);
        break;
    case POD_U16:
        from_u16(source, dtype, destination, count);
        break;
    case POD_U32:
        from_u32(source, dtype, destination, count);
        break;
    case POD_U64:
        from_u64(source, dtype, destination, count);
        break;
    case POD_F16:
        for (size_t i = 0; i < count; i++)
            wide[i] = pod_widen_f16(((const uint16_t *)source)[i]);
        from_f32(wide, dtype, destination, count);
        break;
    case POD_BF16:
        for (size_t i = 0; i < count; i++)
            wide[i] = pod_widen_bf16(((const uint16_t *)source)[i]);
        from_f32(wide, dtype, destination, count);
        break;
    case POD_F32:
        from_f32(source, dtype, destination, count);
        break;
    case POD_F64:
        from_f64(source, dtype, destination, count);
        break;
    case POD_DTYPE_NONE:
    case POD_DTYPE_END:
        break;
    }
}

/* At most CHUNK elements. */
static void convert_chunk(pod_dtype source_dtype, const void *source, pod_dtype dtype, void *destination, size_t count)
{
    float wide[CHUNK];
    uint16_t *narrow = destination;
    if (dtype != POD_F16 && dtype != POD_BF16) {
        convert_wide(source_dtype, source, dtype, destination, count);
        return;
    }
    convert_wide(source_dtype, source, POD_F32, wide, count);
    for (size_t i = 0; i < count; i++)
        narrow[i] = dtype == POD_F16 ? pod_round_f16(wide[i]) : pod_round_bf16(wide[i]);
}

void pod_convert(pod_dtype source_dtype, const void *source, pod_dtype destination_dtype, void *destination,
                 size_t count)
{
    const size_t source_size = pod_dtype_size(source_dtype);
    const size_t destination_size = pod_dtype_size(destination_dtype);
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
