#ifndef POD_SERVICE_LOCAL_STAGES_H
#define POD_SERVICE_LOCAL_STAGES_H

/*
 * local_stages - the last stages of a pipeline, which the consumer may run in the place of workers.
 *
 * Those are stages that make one element of one, whatever the others are: so a split has the same elements on either
 * side of them, and they may move from one side to the other between two splits.
 */

#include "input/recipe.h"
#include "service/consumer_session.h"
#include "service/cut.h"

/* Ways to cut a pipeline: by cut i the consumer runs the last i of the stages that may move. */
typedef struct pod_cuts {
    size_t count;                         /* 1: no stage may move */
    pod_dataset *remote[POD_MOST_CUTS];   /* what workers run; borrowed from the pipeline */
    pod_dataset *received[POD_MOST_CUTS]; /* its elements, as they come; shared; NULL of cut 0 */
    pod_dataset *moved[POD_MOST_MOVABLE]; /* stage i is here by the cuts behind i; borrowed */
} pod_cuts;

/* Finds the ways to cut `pipeline`, at most `most`; 0: all. On failure they are still to be freed. */
pod_status pod_service_cuts_find(pod_dataset *pipeline, size_t most, pod_cuts *cuts, pod_error *error);
void pod_service_cuts_free(pod_cuts *cuts);

/* Writes the names of the stages that the consumer runs by a cut, first to last. */
void pod_service_cuts_name(const pod_cuts *cuts, size_t cut, char *text, size_t size);

/* The stages that run here, over elements that come. */
typedef struct pod_local_stages {
    pod_stage *last;                     /* NULL: none runs here */
    pod_stage *stages[POD_MOST_MOVABLE]; /* as `moved` */
    size_t count;
} pod_local_stages;

/* Gives elements that came, as the function of a stage's class. */
typedef pod_status pod_received_next(pod_stage *consumer, pod_part *parts, size_t limit, size_t *count,
                                     pod_error *error);

/* Opens the stages of a cut for the stage `consumer`. */
pod_status pod_service_local_stages_open(const pod_cuts *cuts, size_t cut, pod_stage *consumer, pod_received_next *next,
                                         pod_local_stages *local, pod_error *error);

/* Closes them; none is allowed. */
void pod_service_local_stages_close(pod_local_stages *local);

#endif
