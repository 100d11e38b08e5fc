/* meet_narrow - ranks exchange large sums of f32 as bf16: half the bytes. What each has is rounded, and so is the sum,
 * which is taken in f32. So all ranks have the same bits, as ever. */

#include "backends/mpi/mpi_ranks.h"

#include "base/error.h"
#include "base/float16.h"

#define SMALL 1024 /* elements of the largest array that crosses as it is: losses, counts, biases */

static bool is_narrowed(const pod_meeting_part *part)
{
    return !part->way.gathers && part->way.reduction == POD_REDUCE_SUM && part->dtype == POD_F32 && part->count > SMALL;
}

static void round_all(const float *from, uint16_t *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = pod_round_bf16(from[i]);
}

static void widen_all(const uint16_t *from, float *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = pod_widen_bf16(from[i]);
}

pod_status pod_mpi_narrow(pod_context *context, pod_meeting_part *parts, uint32_t count, pod_mpi_narrowed *narrowed,
                          pod_error *error)
{
    size_t elements = 0, at = 0;
    for (uint32_t i = 0; i < count; i++)
        elements += is_narrowed(&parts[i]) ? (size_t)parts[i].count : 0;
    if (elements == 0)
        return POD_OK;
    narrowed->to = pod_allocate_zeroed(context, count, sizeof *narrowed->to);
    narrowed->room = elements <= SIZE_MAX / 4 ? pod_allocate(context, elements * 4) : NULL;
    if (narrowed->to == NULL || narrowed->room == NULL)
        return pod_error_memory(error, "what ranks exchange", elements * 4);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_narrowed(&parts[i]))
            continue;
        round_all(parts[i].from, narrowed->room + at, parts[i].count);
        narrowed->to[i] = parts[i].to;
        parts[i].dtype = POD_BF16;
        parts[i].from = narrowed->room + at;
        parts[i].to = narrowed->room + elements + at;
        at += (size_t)parts[i].count;
    }
    return POD_OK;
}

void pod_mpi_widen(const pod_mpi_narrowed *narrowed, const pod_meeting_part *parts, uint32_t count)
{
    for (uint32_t i = 0; narrowed->to != NULL && i < count; i++)
        if (narrowed->to[i] != NULL)
            widen_all(parts[i].to, narrowed->to[i], parts[i].count);
}

void pod_mpi_narrowed_free(pod_context *context, pod_mpi_narrowed *narrowed)
{
    pod_free(context, narrowed->room);
    pod_free(context, narrowed->to);
}
