#include "kernels/reference/wide.h"

#include "base/float16.h"

pod_wide_kind pod_kernel_wide_kind_of(pod_dtype dtype)
{
    if (dtype >= POD_F16 && dtype <= POD_F64)
        return POD_WIDE_FLOAT;
    return dtype >= POD_S8 && dtype <= POD_S64 ? POD_WIDE_SIGNED : POD_WIDE_UNSIGNED;
}

#define LOAD(stored, type, field, expression)                                                                          \
    case stored: {                                                                                                     \
        const type *from = source;                                                                                     \
        for (int64_t i = 0; i < count; i++) {                                                                          \
            type value = from[i * step];                                                                               \
            lanes->field[i] = expression;                                                                              \
        }                                                                                                              \
        break;                                                                                                         \
    }

void pod_kernel_lanes_load(pod_dtype dtype, const void *source, int64_t step, pod_lanes *lanes, int64_t count)
{
    switch (dtype) {
        LOAD(POD_BOOL, uint8_t, u, value != 0)
        LOAD(POD_S8, int8_t, s, value)
        LOAD(POD_S16, int16_t, s, value)
        LOAD(POD_S32, int32_t, s, value)
        LOAD(POD_S64, int64_t, s, value)
        LOAD(POD_U8, uint8_t, u, value)
        LOAD(POD_U16, uint16_t, u, value)
        LOAD(POD_U32, uint32_t, u, value)
        LOAD(POD_U64, uint64_t, u, value)
        LOAD(POD_F16, uint16_t, f, (double)pod_widen_f16(value))
        LOAD(POD_BF16, uint16_t, f, (double)pod_widen_bf16(value))
        LOAD(POD_F32, float, f, (double)value)
        LOAD(POD_F64, double, f, value)
    default:
        break;
    }
}

#define STORE(stored, type, expression)                                                                                \
    case stored: {                                                                                                     \
        type *to = destination;                                                                                        \
        for (int64_t i = 0; i < count; i++) {                                                                          \
            pod_wide value = {.u = lanes->u[i]};                                                                       \
            to[i] = (type)(expression);                                                                                \
        }                                                                                                              \
        break;                                                                                                         \
    }

void pod_kernel_lanes_store(pod_dtype dtype, void *destination, const pod_lanes *lanes, int64_t count)
{
    switch (dtype) {
        STORE(POD_BOOL, uint8_t, value.u != 0)
    case POD_S8:
        STORE(POD_U8, uint8_t, value.u)
    case POD_S16:
        STORE(POD_U16, uint16_t, value.u)
    case POD_S32:
        STORE(POD_U32, uint32_t, value.u)
    case POD_S64:
        STORE(POD_U64, uint64_t, value.u)
        STORE(POD_F16, uint16_t, pod_round_f16((float)value.f))
        STORE(POD_BF16, uint16_t, pod_round_bf16((float)value.f))
        STORE(POD_F32, float, value.f)
        STORE(POD_F64, double, value.f)
    default:
        break;
    }
}

void pod_kernel_lanes_store_sum(pod_dtype from, const pod_array *result, int64_t first, pod_lanes *sum, int64_t count)
{
    const pod_wide_kind kind = pod_kernel_wide_kind_of(from);
    const bool turns_float = kind != POD_WIDE_FLOAT && pod_dtype_is_float(result->dtype);
    for (int64_t i = 0; i < count && turns_float; i++)
        sum->f[i] = kind == POD_WIDE_SIGNED ? (double)sum->s[i] : (double)sum->u[i];
    pod_kernel_lanes_store(result->dtype, pod_kernel_array_at(result, first), sum, count);
}

void pod_kernel_lanes_fill(pod_lanes *lanes, pod_wide value, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        lanes->u[i] = value.u;
}

pod_wide pod_kernel_wide_load(pod_dtype dtype, const void *source)
{
    pod_lanes lanes;
    lanes.u[0] = 0;
    pod_kernel_lanes_load(dtype, source, 1, &lanes, 1);
    return (pod_wide){.u = lanes.u[0]};
}

void pod_kernel_wide_store(pod_dtype dtype, void *destination, pod_wide value)
{
    pod_lanes lanes;
    lanes.u[0] = value.u;
    pod_kernel_lanes_store(dtype, destination, &lanes, 1);
}
