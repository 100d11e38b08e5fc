#ifndef POD_INPUT_STAGE_STATS_H
#define POD_INPUT_STAGE_STATS_H

/* stage_stats - gathers what the stages of an open iterator counted. */

#include "input/stage.h"

struct pod_stats_list {
    pod_stage_stats *stats;
    size_t count, room; /* `count` goes on behind `room` */
};

/* Adds a row for each stage of a tree, inputs first. */
void pod_input_stage_collect(pod_stage *stage, pod_stats_list *list);

/* Finds or adds the row of a dataset; NULL when there is no room. */
pod_stage_stats *pod_input_stats_list_row(pod_stats_list *list, const pod_dataset *dataset);

/* Seconds of a stage in next(), without those of its inputs: all on one thread. */
double pod_input_stage_busy(const pod_stage *stage);

static inline double pod_input_stage_seconds(const pod_stage *stage)
{
    return (double)atomic_load_explicit(&stage->counts.nanoseconds, memory_order_relaxed) * 1e-9;
}

static inline uint64_t pod_input_stage_elements(const pod_stage *stage)
{
    return atomic_load_explicit(&stage->counts.elements, memory_order_relaxed);
}

#endif
