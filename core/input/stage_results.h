#ifndef POD_INPUT_STAGE_RESULTS_H
#define POD_INPUT_STAGE_RESULTS_H

/*
 * stage_results - where a stage that makes elements one by one puts them: components whose sizes are known as rows
 * of blocks, which are used again once nobody shares them; others as buffers of their own.
 *
 * For one thread at a time.
 */

#include "input/stage.h"
#include "moonpod/formats.h"

/* The most elements that are made at once. */
#define POD_MOST_RESULTS 64

/* What the iterators of such stages begin with; their class says `reuses_buffers`. */
typedef struct pod_results_stage {
    pod_stage base;
    pod_buffer **blocks;        /* of the elements that are made now; NULL where sizes are not known */
    size_t *row_bytes;          /* of the blocks */
    pod_image_decoder *decoder; /* made when it is first needed */
} pod_results_stage;

/* What opens and closes one. */
pod_status pod_input_results_open(pod_stage *stage, pod_error *error);
void pod_input_results_close(pod_stage *stage);

/* Begins blocks of up to `count` elements. */
pod_status pod_input_results_begin(pod_results_stage *results, size_t count, pod_error *error);

/* Ends the stage's own shares of the blocks. */
void pod_input_results_end(pod_results_stage *results);

/* Makes an element of number `row` of those that were taken from the input. */
typedef pod_status (*pod_result_maker)(pod_stage *stage, size_t row, pod_part *parts, pod_error *error);

/* Takes elements of the input, as many as are made at once, and makes one of each: what `next` of a stage does. */
pod_status pod_input_results_next(pod_stage *stage, pod_result_maker make, pod_part *parts, size_t limit, size_t *count,
                                  pod_error *error);

/* Gives the place of a component of element `row`: *part is shared for the taker, *data where its bytes go.
 * `shape` counts only where the component's own sizes are not known. */
pod_status pod_input_results_place(pod_results_stage *results, size_t component, size_t row, const pod_shape *shape,
                                   pod_part *part, void **data, pod_error *error);

/* Gives bytes as a component of element `row`. */
pod_status pod_input_results_copy(pod_results_stage *results, size_t component, size_t row, const pod_shape *shape,
                                  const pod_bytes *bytes, pod_part *part, pod_error *error);

/* Decodes a picture to the place of a component. On failure there is no part. */
pod_status pod_input_results_decode(pod_results_stage *results, const pod_bytes *bytes,
                                    const pod_image_options *options, size_t component, size_t row, pod_part *part,
                                    pod_error *error);

/* Checks that pictures by these options can be like `announced`, and the options. */
pod_status pod_input_check_image(const pod_image_options *options, const pod_component *announced, pod_error *error);

/* The most elements to make at once: as many as a budget of memory allows, POD_MOST_RESULTS at most. */
size_t pod_input_results_block_size(const pod_dataset *dataset);

#endif
