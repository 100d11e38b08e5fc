/* local_stages - see local_stages.h. */

#include "service/local_stages.h"

#include <stdio.h>
#include <string.h>

/* ---- what comes from workers, as a stage ---- */

typedef struct received_stage {
    pod_stage base;
    pod_stage *consumer;
    pod_received_next *next;
} received_stage;

static pod_status received_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    const received_stage *self = (const received_stage *)stage;
    return self->next(self->consumer, parts, limit, count, error);
}

static void received_collect(pod_stage *stage, pod_stats_list *list)
{
    (void)stage; /* the consumer tells of it */
    (void)list;
}

static const pod_stage_class received_class = {
    .name = "received",
    .iterator_size = sizeof(received_stage),
    .opens_inputs_itself = true,
    .untimed = true,
    .next = received_next,
    .collect = received_collect,
};

/* ---- ways to cut ---- */

/* The stage that does the work: threads and queues around it are left out here. */
static pod_dataset *inner_of(pod_dataset *dataset)
{
    while (strcmp(dataset->kind->name, "parallel") == 0 || strcmp(dataset->kind->name, "prefetch") == 0)
        dataset = dataset->inputs[0];
    return dataset;
}

static bool may_move(const pod_dataset *dataset)
{
    static const char *const names[] = {"map", "decode", "parse_example"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(dataset->kind->name, names[i]) == 0)
            return dataset->kind->elementwise && dataset->kind->one_for_one && !dataset->own_thread;
    return false;
}

pod_status pod_service_cuts_find(pod_dataset *pipeline, size_t most, pod_cuts *cuts, pod_error *error)
{
    *cuts = (pod_cuts){.count = 1, .remote = {pipeline}};
    pod_status status = POD_OK;
    while (status == POD_OK && cuts->count < POD_MOST_CUTS && cuts->count <= most) {
        pod_dataset *moved = inner_of(cuts->remote[cuts->count - 1]);
        if (!may_move(moved))
            break;
        pod_dataset *remote = moved->inputs[0];
        status = pod_dataset_new(pipeline->context, &received_class, &remote, 1, NULL, 0, &cuts->received[cuts->count],
                                 error);
        if (status == POD_OK) {
            cuts->moved[cuts->count - 1] = moved;
            cuts->remote[cuts->count++] = remote;
        }
    }
    return status;
}

void pod_service_cuts_free(pod_cuts *cuts)
{
    for (size_t i = 1; i < cuts->count; i++)
        pod_dataset_release(cuts->received[i]);
    *cuts = (pod_cuts){0};
}

void pod_service_cuts_name(const pod_cuts *cuts, size_t cut, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = cut; i-- > 0 && length < size;) {
        const int written =
            snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", pod_dataset_label(cuts->moved[i]));
        length += written > 0 ? (size_t)written : 0;
    }
}

/* ---- running ---- */

pod_status pod_service_local_stages_open(const pod_cuts *cuts, size_t cut, pod_stage *consumer, pod_received_next *next,
                                         pod_local_stages *local, pod_error *error)
{
    *local = (pod_local_stages){0};
    if (cut == 0)
        return POD_OK;
    pod_status status =
        pod_input_stage_open(cuts->received[cut], consumer->pass, consumer->scope, NULL, &local->last, error);
    if (status == POD_OK) {
        ((received_stage *)local->last)->consumer = consumer;
        ((received_stage *)local->last)->next = next;
    }
    for (size_t i = cut; status == POD_OK && i-- > 0;) {
        pod_stage *behind;
        status = pod_input_stage_open(cuts->moved[i], consumer->pass, consumer->scope, local->last, &behind, error);
        if (status == POD_OK) {
            local->last->consumer = behind;
            local->last = local->stages[i] = behind;
            local->count++;
        }
    }
    if (status == POD_OK)
        local->last->consumer = consumer;
    else
        pod_service_local_stages_close(local);
    return status;
}

void pod_service_local_stages_close(pod_local_stages *local)
{
    pod_input_stage_close(local->last); /* and with it those before it */
    *local = (pod_local_stages){0};
}
