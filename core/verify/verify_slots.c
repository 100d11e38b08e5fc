/* verify_slots - what all parts of the proof ask of slots and sizes: see verify.h. */

#ifndef NDEBUG

#include "base/checked.h"
#include "verify/verify.h"

#include <assert.h>

bool pod_verify_fail(pod_verifier *v, const char *what)
{
    assert(what);
    if (!v->what)
        v->what = what;
    return false;
}

void *pod_verify_array(pod_verifier *v, size_t count, size_t size)
{
    void *made = pod_arena_array(v->scratch, count, size);
    v->lacks_memory = v->lacks_memory || !made;
    return made;
}

int64_t pod_verify_times(int64_t a, int64_t b)
{
    int64_t product;
    return a < 0 || b < 0 || pod_multiply_overflows(a, b, &product) ? -1 : product;
}

int64_t pod_verify_reach(int64_t offset, int count, const int64_t *sizes, const int64_t *strides)
{
    int64_t low = offset, high = offset, last;
    for (int i = 0; i < count; i++)
        if (sizes[i] == 0)
            return 0;
    for (int i = 0; i < count; i++) {
        int64_t *end = strides[i] < 0 ? &low : &high;
        if (sizes[i] < 0 || pod_multiply_overflows(sizes[i] - 1, strides[i], &last) ||
            pod_add_overflows(*end, last, end))
            return -1;
    }
    assert(low <= offset && offset <= high);
    return low < 0 || high == INT64_MAX ? -1 : high + 1;
}

bool pod_verify_slot(pod_verifier *v, uint32_t slot, int64_t count, int64_t size)
{
    const pod_program *program = v->program;
    int64_t bytes = pod_verify_times(count, size);
    if (slot >= program->slot_count)
        return pod_verify_fail(v, "there is no such slot");
    const pod_slot *found = &program->slots[slot];
    return (found->kind != POD_SLOT_NONE && bytes >= 0 && (uint64_t)bytes <= found->bytes) ||
           pod_verify_fail(v, "a slot is too small for what it is read or written as");
}

bool pod_verify_written(pod_verifier *v, uint32_t slot, int64_t count, int64_t size)
{
    if (!pod_verify_slot(v, slot, count, size))
        return false;
    const pod_slot *written = &v->program->slots[slot];
    const bool is_argument = written->kind == POD_SLOT_PARAMETER && v->program->parameters[written->index].alias < 0;
    return (written->kind != POD_SLOT_LITERAL && !is_argument) ||
           pod_verify_fail(v, "an instruction writes a constant, or an argument that is no variable");
}

#endif
