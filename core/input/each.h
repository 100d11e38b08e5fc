#ifndef POD_INPUT_EACH_H
#define POD_INPUT_EACH_H

/*
 * each - what stages share that make an element of each element by itself: a block of elements taken from
 * the first input, results that lie as rows of blocks, and a decoder of pictures.
 */

#include "input/results.h"

typedef struct pod_each_stage {
    pod_stage base;
    size_t block;    /* most elements at once */
    pod_part *input; /* the elements in hand, [row][component] */
    pod_results results;
    pod_image_decoder *decoder; /* made when it is first needed */
} pod_each_stage;

/* Makes the element of row `row` of the input. On failure nothing is left in `parts`. */
typedef pod_status (*pod_each_function)(pod_each_stage *self, size_t row, pod_part *parts,
                                        pod_error *error);

/* For the functions of a stage's class; on failure of opening it is still to be closed. */
pod_status pod_each_open(pod_stage *stage, pod_error *error);
void pod_each_close(pod_stage *stage);

/* Gives up to `limit` elements by `make`. A failure names the stage and the element. */
pod_status pod_each_next(pod_stage *stage, pod_each_function make, pod_part *parts, size_t limit,
                         size_t *count, pod_error *error);

#endif
