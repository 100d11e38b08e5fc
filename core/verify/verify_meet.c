/* verify_meet - proves what ranks do together: see pod_meet_detail. */

#ifndef NDEBUG

#include "verify/verify.h"

/* What was begun before has its results among its operands. */
static bool ends(pod_verifier *v, const pod_instruction *one)
{
    const uint32_t parts = one->result_count;
    bool good = one->meet.finishes && one->operand_count == 2 * parts;
    for (uint32_t i = 0; good && i < parts; i++) {
        const pod_slot *from = &v->program->slots[one->slots[i]], *to = &v->program->slots[one->slots[2 * parts + i]];
        good = from->kind == to->kind && from->bytes == to->bytes;
    }
    return good || pod_verify_fail(v, "a meeting ends for another value");
}

/* What is reduced is as large as what comes of it; what is gathered, as many times as there are ranks. */
bool pod_verify_meet(pod_verifier *v, const pod_instruction *one)
{
    const uint32_t parts = one->operand_count;
    const uint64_t scratch = parts * sizeof(pod_meeting_part);
    if (!one->meet.ways)
        return ends(v, one);
    if (one->result_count != parts || one->scratch_bytes < scratch || one->scratch_bytes - scratch > 64)
        return pod_verify_fail(v, "a meeting has not the slots and the scratch that it needs");
    for (uint32_t i = 0; i < parts; i++) {
        const pod_slot *from = &v->program->slots[one->slots[i]], *to = &v->program->slots[one->slots[parts + i]];
        const pod_meeting_way way = one->meet.ways[i];
        const int64_t wanted = pod_verify_times(pod_shape_elements(from->shape), way.gathers ? one->meet.ranks : 1);
        if (way.reduction < POD_REDUCE_SUM || way.reduction >= POD_REDUCE_MEAN || from->dtype != to->dtype ||
            pod_shape_elements(to->shape) != wanted)
            return pod_verify_fail(v, "ranks meet for another value");
    }
    return true;
}

#endif
