#ifndef POD_TRACE_RECORDER_H
#define POD_TRACE_RECORDER_H

/*
 * recorder - where the engine and the input write down what they do. Without a recorder an event
 * costs one comparison.
 *
 *     const pod_recorder *recorder = pod_trace_recorder(context);
 *     uint64_t begin = pod_trace_begin(recorder);
 *     ... work ...
 *     pod_trace_end(recorder, "matmul", thread, begin, rows);
 */

#include <time.h>

#include "base/context.h"

typedef struct pod_recorder {
    /* Receives one event after it ended. `name` is borrowed for ever (a literal, or owned by the
     * program). Called from any thread, also from several at once; must not block. */
    void (*event)(void *context, const char *name, int thread, uint64_t begin_ns, uint64_t end_ns,
                  int64_t detail);
    void *context; /* borrowed */
} pod_recorder;

/* Sets the recorder of a context, borrowed until it is set to another or NULL. While no program
 * runs. */
static inline void pod_trace_set_recorder(pod_context *context, const pod_recorder *recorder)
{
    pod_context_set_recorder(context, recorder);
}

/* Returns the recorder of a context; NULL when there is none. */
static inline const pod_recorder *pod_trace_recorder(const pod_context *context)
{
    return pod_context_recorder(context);
}

/* Returns nanoseconds of the monotonic clock. */
static inline uint64_t pod_trace_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Begins an event; 0 without a recorder. */
static inline uint64_t pod_trace_begin(const pod_recorder *recorder)
{
    return recorder ? pod_trace_now() : 0;
}

/* Ends an event. `detail` is a number whose meaning the name tells. */
static inline void pod_trace_end(const pod_recorder *recorder, const char *name, int thread,
                                 uint64_t begin_ns, int64_t detail)
{
    if (recorder)
        recorder->event(recorder->context, name, thread, begin_ns, pod_trace_now(), detail);
}

#endif
