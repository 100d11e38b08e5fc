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

pod_status pod_mpi_meet_narrow(pod_ranks *base, const pod_meeting *meeting, pod_error *error)
{
    pod_context *context = ((pod_mpi_ranks *)base)->context;
    size_t elements = 0;
    for (uint32_t i = 0; i < meeting->count; i++)
        elements += is_narrowed(&meeting->parts[i]) ? (size_t)meeting->parts[i].count : 0;
    if (elements == 0)
        return pod_mpi_meet(base, meeting, error);
    pod_meeting_part *parts = pod_allocate(context, meeting->count * sizeof *parts);
    uint16_t *from = elements <= SIZE_MAX / 4 ? pod_allocate(context, elements * 4) : NULL;
    pod_status status = parts && from ? POD_OK : pod_error_memory(error, "what ranks exchange", elements * 4);
    size_t at = 0;
    for (uint32_t i = 0; status == POD_OK && i < meeting->count; i++) {
        parts[i] = meeting->parts[i];
        if (!is_narrowed(&parts[i]))
            continue;
        round_all(parts[i].from, from + at, parts[i].count);
        parts[i].dtype = POD_BF16;
        parts[i].from = from + at;
        parts[i].to = from + elements + at;
        at += (size_t)parts[i].count;
    }
    pod_meeting narrow = *meeting;
    narrow.parts = parts;
    if (status == POD_OK)
        status = pod_mpi_meet(base, &narrow, error);
    for (uint32_t i = 0; status == POD_OK && i < meeting->count; i++)
        if (is_narrowed(&meeting->parts[i]))
            widen_all(parts[i].to, meeting->parts[i].to, parts[i].count);
    pod_free(context, from);
    pod_free(context, parts);
    return status;
}
