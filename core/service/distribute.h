#ifndef POD_SERVICE_DISTRIBUTE_H
#define POD_SERVICE_DISTRIBUTE_H

/* distribute - the dataset whose elements workers make: what its making and its iterators share. */

#include "service/local_stages.h"
#include "service/receiver.h"

typedef struct distribute_dataset {
    pod_dataset base;
    pod_receiver_task task; /* all of it but the pass */
    pod_service_keys keys;
    char pipeline[POD_PIPELINE_NAME], alike[POD_PIPELINE_NAME];
    pod_cuts cuts;
    size_t first_cut; /* that iterators begin with */
    bool tunes;       /* they choose others */
} distribute_dataset;

extern const pod_stage_class pod_service_distribute_class;

/* Has an iterator of such a dataset go on by another cut, from the next split that nobody has in hand on. */
void pod_service_distribute_move(pod_stage *stage, size_t cut);

#endif
