#ifndef POD_PROGRAM_MEETINGS_H
#define POD_PROGRAM_MEETINGS_H

/*
 * meetings - what processes exchange that run one program together, each the replicas of its own, and meet where it
 * exchanges values. core/engine meets them by this alone; core/backends/mpi is behind it.
 */

#include "base/context.h"
#include "moonpod/graph.h"
#include "moonpod/ranks.h"

/* What becomes of an array that each rank has: all get its sum, product, maximum or minimum over the ranks, or all of
 * them in the order of ranks. */
typedef struct pod_meeting_way {
    bool gathers;            /* else it is reduced */
    pod_reduction reduction; /* of one that is */
} pod_meeting_way;

typedef struct pod_meeting_part {
    pod_meeting_way way;
    pod_dtype dtype;
    int64_t count;    /* elements that each rank gives */
    const void *from; /* they lie apart from `to` */
    void *to;         /* `count` elements, or as many from each rank */
} pod_meeting_part;

/* What ranks do together at one place of a program. */
typedef struct pod_meeting {
    const pod_meeting_part *parts;
    uint32_t count;
    uint64_t agreed;      /* the same on all ranks that run the same step of the same batch */
    const char *location; /* the user's line, for messages, or NULL */
} pod_meeting;

struct pod_ranks {
    int32_t rank, count; /* this one, from 0, and how many there are */
    /* Meets the others, for all parts at once. All ranks come to the same meetings in the same order, each with one
     * thread. What is reduced is so in one fixed order, so all get the same bits, each time. POD_ERROR_STATE: a rank
     * has ended, or stands elsewhere. */
    pod_status (*meet)(pod_ranks *ranks, const pod_meeting *meeting, pod_error *error);
    /* The same, while the caller does something else. What was begun, in this order on all ranks, goes on in advance(),
     * which does not wait, and has ended with finish(), which does: until then what the parts name stays as it is. */
    pod_status (*begin)(pod_ranks *ranks, const pod_meeting *meeting, pod_error *error);
    void (*advance)(pod_ranks *ranks);
    pod_status (*finish)(pod_ranks *ranks, pod_error *error);
    /* Gives up what was begun and has not ended, if there is anything: the ranks meet no more then. */
    void (*give_up)(pod_ranks *ranks);
};

#endif
