#ifndef POD_TESTS_FAULTY_H
#define POD_TESTS_FAULTY_H

/* faulty - an allocator that fails where a test wants it, and counts what it gave. */

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* An allocator of several threads of which the calls from `first` to `last` fail. */
typedef struct faulty {
    atomic_long calls, live;
    long first, last;
    uint64_t limit; /* of the context's memory; 0: none */
    _Atomic uint64_t held, peak;
} faulty;

static inline void *faulty_resize(void *context, void *pointer, size_t old_size, size_t new_size)
{
    faulty *self = context;
    if (new_size == 0) {
        atomic_fetch_sub(&self->live, pointer != NULL);
        atomic_fetch_sub(&self->held, pointer ? old_size : 0);
        free(pointer);
        return NULL;
    }
    const long call = atomic_fetch_add(&self->calls, 1);
    if (call >= self->first && call <= self->last)
        return NULL;
    void *block = realloc(pointer, new_size);
    atomic_fetch_add(&self->live, block != NULL && pointer == NULL);
    const uint64_t more = block ? new_size - (pointer ? old_size : 0) : 0;
    const uint64_t held = atomic_fetch_add(&self->held, more) + more;
    uint64_t peak = atomic_load(&self->peak);
    while (peak < held && !atomic_compare_exchange_weak(&self->peak, &peak, held)) {
    }
    return block;
}

#endif
