/* remote_stats - see remote_stats.h. */

#include "service/remote_stats.h"

#include <string.h>

#include "base/bytes.h"

/* ---- which stages ---- */

static bool is_listed(const pod_dataset *dataset, const pod_dataset *const *stages, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (stages[i] == dataset)
            return true;
    return false;
}

static size_t list(const pod_dataset *dataset, const pod_dataset **stages, size_t room, size_t count)
{
    for (size_t i = 0; i < dataset->input_count; i++)
        count = list(dataset->inputs[i], stages, room, count);
    /* only the worker's pipeline has the stage that cuts a source into blocks */
    if (count < room && strcmp(dataset->kind->name, "source_block") != 0 && !is_listed(dataset, stages, count))
        stages[count++] = dataset;
    return count;
}

size_t pod_service_remote_list(const pod_dataset *dataset, const pod_dataset **stages, size_t room)
{
    return list(dataset, stages, room, 0);
}

/* ---- counting ---- */

static uint64_t nanoseconds(double seconds)
{
    return seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
}

void pod_service_remote_count(pod_dataset_iterator *iterator, const pod_dataset *dataset, pod_remote_stats *stats)
{
    pod_stage_stats rows[POD_MOST_REMOTE];
    const pod_dataset *stages[POD_MOST_REMOTE];
    double seconds;
    const size_t have = pod_dataset_iterator_get_stage_stats(iterator, rows, POD_MOST_REMOTE, &seconds);
    stats->count = pod_service_remote_list(dataset, stages, POD_MOST_REMOTE);
    for (size_t i = 0; i < stats->count; i++)
        for (size_t j = 0; j < have && j < POD_MOST_REMOTE; j++) {
            if (rows[j].dataset != stages[i])
                continue;
            stats->stages[i].elements += rows[j].elements;
            stats->stages[i].busy += nanoseconds(rows[j].seconds_busy);
            stats->stages[i].waited += nanoseconds(rows[j].seconds_waited);
            stats->stages[i].threads = rows[j].threads > 0 ? (uint64_t)rows[j].threads : 0;
        }
}

/* ---- on the way ---- */

static uint64_t grown(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

size_t pod_service_remote_write(const pod_remote_stats *now, const pod_remote_stats *before, unsigned char *bytes)
{
    unsigned char *to = bytes;
    for (size_t i = 0; i < now->count; i++) {
        const pod_remote_stage *here = &now->stages[i], *then = &before->stages[i];
        to = pod_put_little_u64(to, grown(here->elements, then->elements));
        to = pod_put_little_u64(to, grown(here->busy, then->busy));
        to = pod_put_little_u64(to, grown(here->waited, then->waited));
        to = pod_put_little_u64(to, here->threads);
    }
    return (size_t)(to - bytes);
}

bool pod_service_remote_read(const void *bytes, size_t size, size_t count, pod_remote_stats *more)
{
    const unsigned char *at = bytes;
    *more = (pod_remote_stats){.count = count};
    if (count > POD_MOST_REMOTE || size != count * POD_REMOTE_STAGE_BYTES)
        return false;
    for (size_t i = 0; i < count; i++, at += POD_REMOTE_STAGE_BYTES)
        more->stages[i] = (pod_remote_stage){pod_little_u64(at), pod_little_u64(at + 8), pod_little_u64(at + 16),
                                             pod_little_u64(at + 24)};
    return true;
}

void pod_service_remote_add(pod_remote_stats *stats, const pod_remote_stats *more)
{
    stats->count = more->count > stats->count ? more->count : stats->count;
    for (size_t i = 0; i < more->count; i++) {
        pod_remote_stage *to = &stats->stages[i];
        const pod_remote_stage *from = &more->stages[i];
        to->elements += from->elements;
        to->busy += from->busy;
        to->waited += from->waited;
        to->threads = from->threads > to->threads ? from->threads : to->threads;
    }
}
