#ifndef POD_INPUT_RUNNER_H
#define POD_INPUT_RUNNER_H

/*
 * runner - runs the graph of an element over blocks of elements, in a context of its own: input stages
 * compute beside the programs of the consumer and never wait for their turn.
 *
 * For one thread at a time.
 */

#include "input/spares.h"
#include "input/stage.h"

typedef enum pod_runner_mode {
    POD_RUN_BLOCKS, /* elements are stacked into blocks */
    POD_RUN_ROWS,   /* an element is a batch, and the graph is that of one of its rows */
    POD_RUN_ALONE   /* an element is run by itself, without a copy */
} pod_runner_mode;

/* A program for one number of rows. */
typedef struct pod_runner_program {
    int64_t rows;
    pod_program *program;
} pod_runner_program;

typedef struct pod_runner {
    pod_context *context; /* the stage's: of the memory */
    pod_holdings holdings;
    pod_context *beside;    /* of the programs */
    const pod_graph *graph; /* borrowed */
    pod_runner_mode mode;
    const pod_component *components; /* of the elements that come in; borrowed */
    size_t width, results_width;
    pod_runner_program programs[4];
    size_t program_count, oldest_program;
    pod_spares *spares; /* of gathered blocks; one a component */
    pod_spares *result_spares;
    pod_buffer **arguments; /* of the next run */
    pod_buffer **results;   /* of the last run */
    int64_t failed_row; /* of the last run: the element of the block, or the row of the batch, that made it fail; -1:
                         * none did alone */
    int64_t sound_rows; /* of the last run, where it failed: elements of the block before that one, whose results are
                         * there */
} pod_runner;

/* Makes a runner. On failure it is still to be closed. */
pod_status pod_input_runner_open(pod_runner *runner, pod_context *context, const pod_graph *graph, pod_runner_mode mode,
                                 const pod_component *components, size_t width, pod_error *error);
void pod_input_runner_close(pod_runner *runner);

/* Stacks `count` elements into blocks of `rows`, runs the graph, and releases the parts, also when that
 * fails. Behind the elements of a block lie copies of the first. */
pod_status pod_input_runner_run_block(pod_runner *runner, pod_part *parts, size_t count, int64_t rows,
                                      pod_error *error);

/* Runs the graph on one element: ROWS and ALONE. Takes the parts, also when that fails. */
pod_status pod_input_runner_run_element(pod_runner *runner, pod_part *parts, pod_error *error);

/* Gives result `index` away as a part of an element. */
pod_part pod_input_runner_take_result(pod_runner *runner, size_t index);

/* How many elements a block has: as many as a budget of memory allows; 1 and ALONE for large ones. */
int64_t pod_input_runner_choose_block(int64_t element_bytes, pod_runner_mode *mode);

/* A graph, as what a dataset owns. */
pod_owned pod_input_runner_owned(pod_graph *graph);

/* Checks that a graph takes elements like `components`; `stage` is for messages. of_rows leaves axis 0
 * out. */
pod_status pod_input_runner_check_graph(const pod_graph *graph, const pod_component *components, size_t width,
                                        bool of_rows, const char *stage, pod_error *error);

/* The size of a short block: single elements have a program of their own, other numbers share that of
 * the full block. */
static inline int64_t pod_input_runner_rows(size_t count, int64_t block)
{
    return count == 1 ? 1 : block;
}

#endif
