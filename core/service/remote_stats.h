#ifndef POD_SERVICE_REMOTE_STATS_H
#define POD_SERVICE_REMOTE_STATS_H

/* remote_stats - what stages did on workers: a worker sends how much its counts grew, the consumer sums that. */

#include "input/stage_stats.h"

/* So many stages of a pipeline, first to last, are counted. */
#define POD_MOST_REMOTE 64

#define POD_REMOTE_STAGE_BYTES 32

/* Times in nanoseconds, of all threads together. */
typedef struct pod_remote_stage {
    uint64_t elements, busy, waited, threads;
} pod_remote_stage;

typedef struct pod_remote_stats {
    size_t count;
    pod_remote_stage stages[POD_MOST_REMOTE];
} pod_remote_stats;

/* Lists the stages of a pipeline, each behind its inputs and once: in the same order on both ends. Returns how many
 * there are, `room` at most. */
size_t pod_service_remote_list(const pod_dataset *dataset, const pod_dataset **stages, size_t room);

/* Adds what an iterator over `dataset` counted so far. */
void pod_service_remote_count(pod_dataset_iterator *iterator, const pod_dataset *dataset, pod_remote_stats *stats);

/* Writes how much more than `before` there is now; `bytes` has room for POD_REMOTE_STAGE_BYTES a stage. Returns their
 * number. */
size_t pod_service_remote_write(const pod_remote_stats *now, const pod_remote_stats *before, unsigned char *bytes);

/* Reads that, for a pipeline of `count` stages; false where it is none. */
bool pod_service_remote_read(const void *bytes, size_t size, size_t count, pod_remote_stats *more);

/* Adds what came from a worker; of threads the most are kept. */
void pod_service_remote_add(pod_remote_stats *stats, const pod_remote_stats *more);

#endif
