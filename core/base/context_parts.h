#ifndef POD_BASE_CONTEXT_PARTS_H
#define POD_BASE_CONTEXT_PARTS_H

/* context_parts - what a context is made of: for context.c and context_new.c. */

#include "base/context.h"
#include "base/kept_blocks.h"

#include <stdatomic.h>

#define POD_THREADS_LIMIT 1024

struct pod_context {
    pod_allocator allocator;
    pod_kept_blocks kept; /* of the allocator, where the host gives none */
    void (*log)(void *log_context, pod_log_level level, const char *message);
    void *log_context;
    pod_cpu_family family;
    struct pod_workers *workers; /* see workers.h */
    void (*end_workers)(pod_context *context, struct pod_workers *workers);
    pod_context *account;     /* shared; NULL: its own */
    int all_threads;          /* 0: no limit */
    atomic_int other_threads; /* that were started, or have a place, of all whose account this is; see thread.h */
    pod_context *parent;      /* shared; NULL but for pod_context_new_beside() */
    atomic_uint shares;
    atomic_int threads;
    atomic_int nice;
    atomic_bool flushes_subnormals;
    atomic_bool interrupted;
    atomic_bool yields;
    _Atomic uint64_t current_bytes, peak_bytes, allocations;
    _Atomic uint64_t unpacked_bytes;
    _Atomic uint64_t memory_limit;                /* 0: none */
    _Atomic uint64_t deadline;                    /* of uv_hrtime(); 0: none */
    char *files;                                  /* the folder of all files; "": no files; NULL: any */
    int64_t short_run;                            /* nanoseconds; 0: the engine's own, negative: none */
    _Atomic(struct pod_recorder *) recorder;      /* NULL: nothing is recorded */
    _Atomic(struct pod_recorder *) kept_recorder; /* NULL: none was made yet */
    void (*end_recorder)(pod_context *context, struct pod_recorder *recorder);
    _Atomic(struct pod_ranks *) ranks; /* NULL: this process is alone */
    _Atomic uint64_t numbers;          /* given out by pod_context_next_number() */
};

/* Counts memory that is taken for a context; false, uncounted, where that would be more than it may hold. */
bool pod_context_count_taken(pod_context *context, size_t size);

#endif
