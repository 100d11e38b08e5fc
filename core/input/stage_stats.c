/* stage_stats - gathers what the stages of an open iterator counted. */

#include "input/stage_stats.h"

pod_stage_stats *pod_input_stats_list_row(pod_stats_list *list, const pod_dataset *dataset)
{
    const size_t known = list->count < list->room ? list->count : list->room;
    for (size_t i = 0; i < known; i++)
        if (list->stats[i].dataset == dataset)
            return &list->stats[i];
    if (list->count++ >= list->room)
        return NULL;
    list->stats[list->count - 1] = (pod_stage_stats){.dataset = dataset};
    return &list->stats[list->count - 1];
}

double pod_input_stage_busy(const pod_stage *stage)
{
    double seconds = pod_input_stage_seconds(stage);
    for (size_t i = 0; i < stage->dataset->input_count; i++)
        if (stage->inputs[i] != NULL)
            seconds -= pod_input_stage_seconds(stage->inputs[i]);
    return seconds > 0 ? seconds : 0;
}

void pod_input_stage_collect(pod_stage *stage, pod_stats_list *list)
{
    if (stage->dataset->kind->collect != NULL) {
        stage->dataset->kind->collect(stage, list);
        return;
    }
    for (size_t i = 0; i < stage->dataset->input_count; i++)
        if (stage->inputs[i] != NULL)
            pod_input_stage_collect(stage->inputs[i], list);
    pod_stage_stats *row = pod_input_stats_list_row(list, stage->dataset);
    if (row == NULL)
        return;
    row->elements += pod_input_stage_elements(stage);
    row->seconds_busy += pod_input_stage_busy(stage);
    if (stage->dataset->kind->stage_stats != NULL)
        stage->dataset->kind->stage_stats(stage, row);
}
