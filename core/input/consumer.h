#ifndef POD_INPUT_CONSUMER_H
#define POD_INPUT_CONSUMER_H

/* consumer - what the consumer of a dataset has: its iterator, for the files that this is made of. */

#include "input/stage.h"
#include "trace/recorder.h"

/* An element that is ready: one buffer a component; of those in `by_address` (bits) it has the addresses of rows. */
typedef struct pod_ready_element {
    pod_buffer *buffers[POD_MAX_COMPONENTS];
    uint64_t by_address;
} pod_ready_element;

struct pod_dataset_iterator {
    pod_context *context; /* shared */
    pod_dataset *dataset; /* shared */
    pod_holdings holdings;
    pod_pass pass;
    pod_pass_shared shared;
    pod_scope scope;
    pod_stage *stage;
    pod_part *parts;    /* one element on its way out */
    pod_spares *spares; /* of rows that are given alone; one a component */

    pod_ready_element *ready; /* a ring of elements that were prepared */
    size_t oldest, count, room;
    pod_error failure; /* of the element behind those; its status is POD_OK where there is none */

    pod_shape *last_shapes; /* of the element that the infeed gave last */
    bool has_last;
    uint64_t elements, nanoseconds_waited;
    uint64_t began, ended; /* the first and the last pull, by the clock; 0: none yet */
    bool numbered;         /* passes have numbers from the one that was asked for; else from those that began */
    int64_t position;      /* elements of this pass that were given or passed over */
    int64_t skip;          /* elements that are still to be passed over */

    bool busy;            /* within a call, which may call back: only cancelling and closing are possible then */
    bool closing;         /* closed by a function that it called: to be done behind the call */
    pod_lane *lane;       /* of the thread of this call; NULL: not recorded */
    pod_lane_state outer; /* where that was before */
};

/* Begins a call that asks the stages. */
pod_status pod_input_iterator_enter(pod_dataset_iterator *iterator, pod_error *error);

/* Ends it; returns the status. The iterator may be gone behind it. */
pod_status pod_input_iterator_leave(pod_dataset_iterator *iterator, pod_status status);

/* What a profile has of a call: it is between the two. */
void pod_input_feed_begin(pod_dataset_iterator *iterator);
void pod_input_feed_end(pod_dataset_iterator *iterator);

/* Pulls one element through the stages. */
pod_status pod_input_ready_pull(pod_dataset_iterator *iterator, pod_ready_element *element, pod_error *error);

/* Makes `count` elements ready, fewer where the data ends, one fails or the time of the pass is over; *ready receives
 * how many there are. A failure is told once they are taken. POD_END where the data has ended and there are none. */
pod_status pod_input_ready_make(pod_dataset_iterator *iterator, size_t count, size_t *ready, pod_error *error);

/* The stage that may stop before its element is done, and go on with the next call: it runs on the consumer's thread,
 * and what is behind it only hands its elements on. NULL: there is none. */
const pod_stage *pod_input_ready_divided(const pod_dataset_iterator *iterator);

/* Drops all that are ready, and the failure behind them. */
void pod_input_ready_drop(pod_dataset_iterator *iterator);

/* Begins a pass anew, within a call. */
pod_status pod_input_iterator_rewind(pod_dataset_iterator *iterator, pod_error *error);

#endif
