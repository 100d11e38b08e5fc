/* put_element - the way of numbers into elements. */

#include "moonpod/tensor.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/decimal.h"

/* What an integer type holds; the most of u64 is beyond int64, and so are all numbers there that are put apart. */
static bool range_of(pod_dtype dtype, int64_t *least, uint64_t *most)
{
    static const int64_t lows[POD_DTYPE_END] = {
        [POD_S8] = INT8_MIN, [POD_S16] = INT16_MIN, [POD_S32] = INT32_MIN, [POD_S64] = INT64_MIN};
    static const uint64_t highs[POD_DTYPE_END] = {
        [POD_BOOL] = 1,         [POD_S8] = INT8_MAX,    [POD_S16] = INT16_MAX,
        [POD_S32] = INT32_MAX,  [POD_S64] = INT64_MAX,  [POD_U8] = UINT8_MAX,
        [POD_U16] = UINT16_MAX, [POD_U32] = UINT32_MAX, [POD_U64] = UINT64_MAX};
    *least = lows[dtype];
    *most = highs[dtype];
    return highs[dtype] > 0;
}

static pod_status refuse(pod_dtype dtype, const char *number, pod_error *error)
{
    int64_t least;
    uint64_t most;
    if (dtype == POD_BOOL)
        return pod_error_set(error, POD_ERROR_VALUE, "%s is no bool, which is false (0) or true (1)", number);
    if (!range_of(dtype, &least, &most))
        return pod_error_set(error, POD_ERROR_VALUE, "%s is too large for %s", number, pod_dtype_name(dtype));
    return pod_error_set(error, POD_ERROR_VALUE, "%s is no %s, which is an integer from %lld to %llu", number,
                         pod_dtype_name(dtype), (long long)least, (unsigned long long)most);
}

static pod_status refuse_integer(pod_dtype dtype, int64_t value, pod_error *error)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return refuse(dtype, text, error);
}

static pod_status refuse_real(pod_dtype dtype, double value, pod_error *error)
{
    char text[POD_NUMBER_TEXT_SIZE];
    return refuse(dtype, pod_number_text(value, text), error);
}

static bool is_infinite(pod_dtype dtype, const void *element)
{
    float value;
    pod_convert(dtype, element, POD_F32, &value, 1);
    return isinf(value);
}

pod_status pod_element_from_integer(pod_dtype dtype, int64_t value, void *element, pod_error *error)
{
    int64_t least;
    uint64_t most;
    if (range_of(dtype, &least, &most) && (value < least || (value > 0 && (uint64_t)value > most)))
        return refuse_integer(dtype, value, error);
    pod_convert(POD_S64, &value, dtype, element, 1);
    return dtype == POD_F16 && is_infinite(dtype, element) ? refuse_integer(dtype, value, error) : POD_OK;
}

pod_status pod_element_from_real(pod_dtype dtype, double value, void *element, pod_error *error)
{
    int64_t least;
    uint64_t most;
    if (dtype == POD_F32) { /* most of all: told by itself, as it is quick */
        const float narrow = (float)value;
        *(float *)element = narrow;
        return isinf(narrow) && !isinf(value) ? refuse_real(dtype, value, error) : POD_OK;
    }
    if (!range_of(dtype, &least, &most)) {
        pod_convert(POD_F64, &value, dtype, element, 1);
        return dtype != POD_F64 && !isinf(value) && is_infinite(dtype, element) ? refuse_real(dtype, value, error)
                                                                                : POD_OK;
    }
    if (value == floor(value) && value >= -0x1p63 && value < 0x1p63)
        return pod_element_from_integer(dtype, (int64_t)value, element, error);
    if (dtype != POD_U64 || !(value == floor(value)) || value < 0 || value >= 0x1p64)
        return refuse_real(dtype, value, error);
    pod_convert(POD_F64, &value, dtype, element, 1);
    return POD_OK;
}
