#include "kernels/reference/wide.h"

#include "base/float16.h"

pod_wide_kind pod_kernel_wide_kind_of(pod_dtype dtype)
{
    switch (dtype) {
    case POD_F16:
    case POD_BF16:
    case POD_F32:
    case POD_F64:
        return POD_WIDE_FLOAT;
    case POD_S8:
    case POD_S16:
    case POD_S32:
    case POD_S64:
        return POD_WIDE_SIGNED;
    default:
        return POD_WIDE_UNSIGNED;
    }
}

#define LOAD(type, field, expression)                                                                                  \
    {                                                                                                                  \
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
    case POD_BOOL:
        LOAD(uint8_t, u, value != 0)
    case POD_S8:
        LOAD(int8_t, s, value)
    case POD_S16:
        LOAD(int16_t, s, value)
    case POD_S32:
        LOAD(int32_t, s, value)
    case POD_S64:
        LOAD(int64_t, s, value)
    case POD_U8:
        LOAD(uint8_t, u, value)
    case POD_U16:
        LOAD(uint16_t, u, value)
    case POD_U32:
        LOAD(uint32_t, u, value)
    case POD_U64:
        LOAD(uint64_t, u, value)
    case POD_F16:
        LOAD(uint16_t, f, (double)pod_widen_f16(value))
    case POD_BF16:
        LOAD(uint16_t, f, (double)pod_widen_bf16(value))
    case POD_F32:
        LOAD(float, f, (double)value)
    case POD_F64:
        LOAD(double, f, value)
    default:
        break;
    }
}

#define STORE(type, expression)                                                                                        \
    {                                                                                                                  \
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
    case POD_BOOL:
        STORE(uint8_t, value.u != 0)
    case POD_S8:
    case POD_U8:
        STORE(uint8_t, value.u)
    case POD_S16:
    case POD_U16:
        STORE(uint16_t, value.u)
    case POD_S32:
    case POD_U32:
        STORE(uint32_t, value.u)
    case POD_S64:
    case POD_U64:
        STORE(uint64_t, value.u)
    case POD_F16:
        STORE(uint16_t, pod_round_f16((float)value.f))
    case POD_BF16:
        STORE(uint16_t, pod_round_bf16((float)value.f))
    case POD_F32:
        STORE(float, value.f)
    case POD_F64:
        STORE(double, value.f)
    default:
        break;
    }
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
