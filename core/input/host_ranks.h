#ifndef POD_INPUT_HOST_RANKS_H
#define POD_INPUT_HOST_RANKS_H

/* host_ranks - ranks tell each other how many rows each has read for a step, and give them where they must move. */

#include "input/stage.h"
#include "program/meetings.h"

typedef struct pod_host_ranks {
    pod_context *context; /* borrowed */
    pod_ranks *ranks;     /* borrowed: the context's */
    size_t words;         /* of what a rank tells */
    int64_t *own, *all;
    int64_t pieces;    /* replicas of a rank */
    int64_t rows;      /* of the step, on all ranks */
    int64_t first_row; /* of those, this rank's */
    bool move;         /* not every rank has the rows that its replicas take */
} pod_host_ranks;

/* Fills in what a stage's iterator needs, of its holdings; *hosts and *host receive how many ranks there are, and which
 * this is. POD_ERROR_STATE: the context has none. */
pod_status pod_input_host_ranks_open(pod_host_ranks *self, pod_stage *stage, int64_t pieces, int64_t *hosts,
                                     int64_t *host, pod_error *error);

/* Begins a step: so many rows are here, and whether this rank has no more behind them. */
void pod_input_host_ranks_begin(pod_host_ranks *self, int64_t rows, bool ended);

/* Says which shape a component of these rows has; its first axis is that of rows. */
void pod_input_host_ranks_tell(pod_host_ranks *self, size_t component, const pod_shape *shape);

/* All ranks come here. POD_END: none has more. POD_ERROR_SHAPE: rows are not alike. Else fills in rows, first_row. */
pod_status pod_input_host_ranks_meet(pod_host_ranks *self, pod_error *error);

/* The shape of a component of the step, but for its first axis. */
void pod_input_host_ranks_row(const pod_host_ranks *self, size_t component, pod_shape *shape);

/* Fetches the other ranks' rows of a component of the step, where they must move; this rank's are there. All ranks come
 * here. */
pod_status pod_input_host_ranks_complete(pod_host_ranks *self, char *rows, size_t row_bytes, pod_error *error);

#endif
