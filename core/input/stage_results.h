#ifndef POD_INPUT_STAGE_RESULTS_H
#define POD_INPUT_STAGE_RESULTS_H

/*
 * stage_results - where a stage that makes elements one by one puts them: components whose sizes are known as rows
 * of blocks, which are used again once nobody shares them; others as buffers of their own.
 *
 * For one thread at a time.
 */

#include "input/spares.h"
#include "input/stage.h"
#include "moonpod/formats.h"

typedef struct pod_results {
    pod_context *context;
    const pod_component *components; /* borrowed */
    size_t width;
    pod_spares *spares;  /* one a component */
    pod_buffer **blocks; /* of the elements that are made now; NULL where sizes are not known */
} pod_results;

/* On failure it is still to be closed. */
pod_status pod_input_results_open(pod_results *results, pod_context *context, const pod_component *components,
                                  size_t width, pod_error *error);
void pod_input_results_close(pod_results *results);

/* Begins blocks of up to `count` elements. */
pod_status pod_input_results_begin(pod_results *results, size_t count, pod_error *error);

/* Ends the stage's own shares of the blocks. */
void pod_input_results_end(pod_results *results);

/* Gives the place of a component of element `row`: *part is shared for the taker, *data where its bytes go.
 * `shape` counts only where the component's own sizes are not known. */
pod_status pod_input_results_place(pod_results *results, size_t component, size_t row, const pod_shape *shape,
                                   pod_part *part, void **data, pod_error *error);

/* Decodes a picture to the place of a component, which is like `announced`. *decoder is made when it is NULL.
 * On failure there is no part. */
pod_status pod_input_results_decode(pod_results *results, pod_image_decoder **decoder, const pod_bytes *bytes,
                                    const pod_image_options *options, const pod_component *announced, size_t component,
                                    size_t row, pod_part *part, pod_error *error);

/* Checks that pictures by these options can be like `announced`, and the options. */
pod_status pod_input_check_image(const pod_image_options *options, const pod_component *announced, pod_error *error);

/* The most elements to make at once: as many as a budget of memory allows, 64 at most. */
size_t pod_input_results_block_size(const pod_dataset *dataset);

#endif
