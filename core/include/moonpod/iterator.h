#ifndef MOONPOD_ITERATOR_H
#define MOONPOD_ITERATOR_H

/* iterator - passes over a dataset, and what they give to a program; see data.h. */

#include "moonpod/dataset.h"
#include "moonpod/program.h"

POD_BEGIN_C

typedef struct pod_dataset_iterator pod_dataset_iterator;

/* A zero field means its default. */
typedef struct pod_iterator_options {
    int64_t epoch;          /* number of the first pass, from 1, on which orders and random numbers depend; default:
                             * one more than the passes that iterators began over the shuffles, draws and
                             * numbers of this dataset */
    int64_t repetition;     /* passes within this one that came before (see pod_pass_number) */
    int64_t skip;           /* elements of the first pass that are passed over: to go on where another
                             * iterator stopped, give its epoch and its position */
    int64_t file_shards;    /* of the files that are read, only number i, i + file_shards, ... of the input's */
    int64_t file_shard;     /* files, for this i; default: all */
    int64_t block_elements; /* of the elements of a source that is cut into blocks of so many (see the data service), */
    int64_t block;          /* only those of this block; default: all */
    bool at_marks;          /* not files are divided so, but elements at marks (POD_SHARD_HINT) */
    bool no_threads;        /* prepare everything on the thread that calls next() */
    bool unordered;         /* stages with POD_ORDER_DEFAULT may change the order */
    bool no_autotune;       /* POD_AUTOTUNE stays at what it begins with */
    int64_t cpu_budget;     /* most threads of a stage with POD_AUTOTUNE; default: those of the context */
    int64_t ram_budget;     /* bytes of elements in all queues with POD_AUTOTUNE; default 256 MiB */
} pod_iterator_options;

/* Begins a pass. `options` may be NULL. On success *iterator is the caller's, to end with
 * pod_dataset_iterator_close(); it shares the dataset. No thread starts before the first next(). */
POD_API POD_CHECKED pod_status pod_dataset_iterator_open(pod_dataset *dataset, const pod_iterator_options *options,
                                                         pod_dataset_iterator **iterator, pod_error *error);

/* Gives the next element: fills components[0 .. component_count-1] with buffers, each shared for the
 * taker. POD_END, or a failure once the elements made before it are taken, leaves them NULL, and so it
 * stays. Give buffers back soon: their memory is used for later batches. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_next(pod_dataset_iterator *iterator, pod_buffer **components,
                                                         pod_error *error);

/* Makes the next element ready and gives its types and shapes (those of the buffers themselves) in
 * components[0 .. component_count-1]. POD_END when there is none. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_peek(pod_dataset_iterator *iterator, pod_component *components,
                                                         pod_error *error);

/* Makes up to `count` elements ready on the calling thread, for runs during which callbacks must not
 * run; *ready receives how many there are (0 at the end of the data). A failure after the first is left
 * for next(). */
POD_API POD_CHECKED pod_status pod_dataset_iterator_prepare(pod_dataset_iterator *iterator, size_t count, size_t *ready,
                                                            pod_error *error);

/* The same, for about so many nanoseconds (0: for as long as it takes), and for one element where that is ready in
 * time: 0 are where it is not. Batches that the calling thread makes are stopped between two of their rows; the next
 * call, of whatever function, goes on there. POD_END where the data has ended and none is ready. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_prepare_for(pod_dataset_iterator *iterator, size_t count,
                                                                uint64_t nanoseconds, size_t *ready, pod_error *error);

/* Begins the next pass over the dataset; the iterator keeps its memory. Allowed at any time, also after
 * the end or a failure. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_rewind(pod_dataset_iterator *iterator, pod_error *error);

/* Tells where an iterator is, as bytes: the pass, the elements of it that were given, and what the stages
 * are. *state is the caller's, to free with pod_bytes_free(). Fails where threads decide about the order of
 * elements. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_get_state(pod_dataset_iterator *iterator, pod_bytes *state,
                                                              pod_error *error);

/* Goes to where another iterator was: the next element is the one that would have been its next, and so are
 * all that follow, in this pass and the later ones. The dataset must be made of the same stages with the same
 * seeds (prefetching and threads may differ), or the call fails and the iterator stays where it is. Elements
 * before that place are passed over with the first next(), stage by stage where that needs no element. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_set_state(pod_dataset_iterator *iterator, const void *bytes,
                                                              size_t size, pod_error *error);

/* The same with files, which are written whole or not at all. */
POD_API POD_CHECKED pod_status pod_dataset_iterator_save(pod_dataset_iterator *iterator, const char *path,
                                                         pod_error *error);
POD_API POD_CHECKED pod_status pod_dataset_iterator_load(pod_dataset_iterator *iterator, const char *path,
                                                         pod_error *error);

/* Returns an infeed that gives the iterator's elements; its context is borrowed from the iterator. As a
 * program has static shapes, the infeed ends a run before an element whose shapes differ from those of
 * the one before; pod_dataset_iterator_peek() then tells them and lets the next run have it. Where the
 * dataset needs the consumer's thread, the infeed gives only what was prepared, and ends a run then. */
POD_API pod_infeed pod_dataset_iterator_infeed(pod_dataset_iterator *iterator);

/* Makes every present and later next() return POD_ERROR_CANCELLED until a rewind. May be called from any
 * thread; returns at once. */
POD_API void pod_dataset_iterator_cancel(pod_dataset_iterator *iterator);

typedef struct pod_iterator_stats {
    uint64_t elements;       /* given so far, over all passes */
    int64_t epoch;           /* number of this pass; 0 before it began */
    int64_t position;        /* elements of this pass that were given or passed over */
    uint64_t waited;         /* how many of those the consumer had to wait for at a prefetch */
    double seconds_waited;   /* in next(), peek() and prepare() together */
    int64_t prefetch_buffer; /* elements that the outermost prefetch keeps now; 0: there is none */
} pod_iterator_stats;

/* Returns what the iterator counted so far. */
POD_API pod_iterator_stats pod_dataset_iterator_get_stats(const pod_dataset_iterator *iterator);

/* Holds what a stage did in an iterator, over all passes. */
typedef struct pod_stage_stats {
    const pod_dataset *dataset;      /* whose last stage it is; borrowed from the iterator */
    uint64_t elements;               /* that it gave */
    double seconds_busy;             /* that its threads worked, without what they waited for the stages before */
    double seconds_waited;           /* that the stage behind waited for its queue */
    int64_t threads;                 /* of its own, now; 0: it runs where it is asked */
    int64_t queue_count, queue_size; /* elements that wait now, and that may; both 0 without a queue */
    int64_t queue_bytes;             /* of those that wait, where they have memory of their own */
    bool tunes_threads, tunes_queue; /* POD_AUTOTUNE chooses these */
    int64_t received_bytes;          /* that came from workers of the data service */
    int64_t workers;                 /* of the data service, that did this: their counts are summed; 0: it ran here */
    double seconds_held;             /* that workers waited for this process to take elements, and */
    double seconds_idle;             /* for something to do: of all of them together */
    char cut[256];                   /* which stages workers run, and why; empty: nothing was to be chosen */
} pod_stage_stats;

/* Fills stats[0 .. ] with up to `room` stages, each behind its inputs, and returns how many there are.
 * A stage on several threads is one. On return *seconds receives the time from the first next() to the
 * end of the last one. From the thread of the iterator. */
POD_API size_t pod_dataset_iterator_get_stage_stats(pod_dataset_iterator *iterator, pod_stage_stats *stats, size_t room,
                                                    double *seconds);

/* Ends the threads and frees the iterator; one that is asking (a callback of its dataset may call this) when that call
 * returns. In a child of fork() an iterator with threads is left to the end of the process. NULL is allowed. */
POD_API void pod_dataset_iterator_close(pod_dataset_iterator *iterator);

POD_END_C

#endif
