/* map, filter - apply a graph to elements, a block of them in one run of a program. */

#include "input/runner.h"
#include "input/recipe.h"

#include <stdio.h>
#include <string.h>

typedef struct map_dataset {
    pod_dataset base;
    pod_graph *graph; /* of one element or of one row */
    pod_runner_mode mode;
    int64_t block; /* elements of a full block */
} map_dataset;

typedef struct map_stage {
    pod_stage base;
    pod_runner runner;
    int64_t row, rows; /* of the results: the next to give, and how many there are */
    pod_error failure; /* of the element behind them, where its status is none of POD_OK */
} map_stage;

static const map_dataset *map_of(const pod_stage *stage)
{
    return (const map_dataset *)stage->dataset;
}

/* Adds to an error where it was: `count` elements were taken from the input last. Rows of batches that all have one
 * size are elements, counted through. */
static pod_status explain(const map_stage *self, size_t count, pod_status status, pod_error *error)
{
    const pod_dataset *dataset = self->base.dataset;
    const char *label = pod_dataset_label(dataset);
    const int64_t last = self->base.inputs[0]->given - 1, first = last - (int64_t)count + 1;
    const int64_t row = self->runner.failed_row;
    if (status >= 0 || error == NULL)
        return status;
    if (map_of(&self->base)->mode == POD_RUN_ROWS && row >= 0) {
        const int64_t size = dataset->inputs[0]->components[0].shape.dims[0];
        if (size > 0)
            pod_error_prepend(error, "%s, element %lld (row %lld of batch %lld): ", label,
                              (long long)(last * size + row), (long long)row, (long long)last);
        else
            pod_error_prepend(error, "%s, row %lld of batch %lld: ", label, (long long)row, (long long)last);
    } else if (count <= 1 || row >= 0) {
        pod_error_prepend(error, "%s, element %lld: ", label, (long long)(row >= 0 ? first + row : last));
    } else {
        pod_error_prepend(error, "%s, elements %lld to %lld: ", label, (long long)first, (long long)last);
    }
    return status;
}

/* Tells why the element failed that is behind the rows which were given; POD_OK where none did. */
static pod_status tell_failure(map_stage *self, pod_error *error)
{
    const pod_status status = self->failure.status;
    self->failure.status = POD_OK;
    return status < 0 ? pod_error_set(error, status, "%s", self->failure.message) : POD_OK;
}

/* Pulls a block of elements and runs the graph on them. Where one fails, there are the rows before it. */
static pod_status run_block(map_stage *self, size_t *got, pod_part *kept, pod_error *error)
{
    const int64_t block = map_of(&self->base)->block;
    const size_t width = self->base.inputs[0]->width;
    pod_part *parts = self->base.taken;
    self->row = self->rows = 0;
    if (self->failure.status < 0)
        return tell_failure(self, error);
    pod_status status = pod_input_stage_next(self->base.inputs[0], parts, (size_t)block, got, error);
    if (status != POD_OK)
        return status;
    if (kept != NULL)
        pod_input_parts_share(parts, *got * width, kept);
    status = map_of(&self->base)->mode == POD_RUN_ALONE
                 ? pod_input_runner_run_element(&self->runner, parts, error)
                 : pod_input_runner_run_block(&self->runner, parts, *got, pod_input_runner_rows(*got, block), error);
    self->rows = status == POD_OK ? (int64_t)*got : self->runner.sound_rows;
    if (kept != NULL)
        pod_input_parts_release(kept + (size_t)self->rows * width, (*got - (size_t)self->rows) * width);
    status = explain(self, *got, status, error);
    if (self->rows == 0)
        return status;
    if (status < 0)
        pod_error_set(&self->failure, status, "%s", error->message);
    return POD_OK;
}

/* ---- map ---- */

/* Moves the results of a block that is not full to buffers of as many rows: elements that are kept hold no more than
 * themselves. */
static pod_status shorten_results(pod_runner *runner, int64_t count, pod_error *error)
{
    for (size_t i = 0; i < runner->results_width; i++) {
        pod_buffer *whole = runner->results[i], *shorter;
        pod_shape shape = *pod_buffer_shape(whole);
        if (shape.dims[0] <= count)
            continue;
        shape.dims[0] = count;
        const pod_status status = pod_buffer_new(runner->context, pod_buffer_dtype(whole), &shape, &shorter, error);
        if (status != POD_OK)
            return status;
        memcpy(pod_buffer_data(shorter), pod_buffer_data(whole), pod_buffer_bytes(shorter));
        pod_buffer_release(whole);
        runner->results[i] = shorter;
    }
    return POD_OK;
}

static pod_status map_elements(map_stage *self, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    size_t got;
    if (self->row >= self->rows) {
        pod_status status = run_block(self, &got, NULL, error);
        if (status == POD_OK)
            status = shorten_results(&self->runner, self->rows, error);
        if (status != POD_OK) {
            self->rows = 0;
            return status;
        }
    }
    for (; *count < limit && self->row < self->rows; self->row++, ++*count)
        for (size_t i = 0; i < self->base.width; i++)
            *parts++ = (pod_part){pod_buffer_retain(self->runner.results[i]), self->row};
    return POD_OK;
}

static pod_status map_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    map_stage *self = (map_stage *)stage;
    size_t got;
    if (map_of(stage)->mode == POD_RUN_BLOCKS)
        return map_elements(self, parts, limit, count, error);
    pod_status status = pod_input_stage_next(stage->inputs[0], stage->taken, 1, &got, error);
    if (status != POD_OK)
        return status;
    status = pod_input_runner_run_element(&self->runner, stage->taken, error);
    for (size_t i = 0; status == POD_OK && i < stage->width; i++)
        parts[i] = pod_input_runner_take_result(&self->runner, i);
    *count = status == POD_OK;
    return explain(self, 1, status, error);
}

static pod_status map_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    map_stage *self = (map_stage *)stage;
    const int64_t left = self->rows - self->row;
    const int64_t here = count < left ? count : left;
    int64_t rest;
    self->row += here;
    *passed = here;
    if (here < count && self->failure.status < 0)
        return tell_failure(self, error);
    const pod_status status = pod_input_stage_pass_over_input(stage, count - here, &rest, error);
    *passed += rest;
    return status;
}

static pod_status map_open(pod_stage *stage, pod_error *error)
{
    map_stage *self = (map_stage *)stage;
    const map_dataset *dataset = map_of(stage);
    const pod_dataset *input = stage->dataset->inputs[0];
    stage->taken = pod_input_hold(&stage->holdings, (size_t)dataset->block, input->width * sizeof *stage->taken);
    return pod_input_runner_open(&self->runner, stage->pass->context, dataset->graph, dataset->mode, input->components,
                                 input->width, error);
}

static void map_close(pod_stage *stage)
{
    pod_input_runner_close(&((map_stage *)stage)->runner);
}

static void map_drop(pod_stage *stage)
{
    map_stage *self = (map_stage *)stage;
    self->row = self->rows = 0;
    self->failure.status = POD_OK;
}

static bool counts_elements(const pod_dataset *dataset);

static int64_t map_host_bytes(const pod_dataset *dataset)
{
    const map_dataset *self = (const map_dataset *)dataset;
    const int64_t one = pod_dataset_element_bytes(dataset);
    const int64_t got = pod_dataset_at_once(dataset->inputs[0], self->block);
    const int64_t rows = pod_input_runner_rows((size_t)got, self->block);
    const bool counted = rows == 1 && counts_elements(dataset->inputs[0]);
    const int64_t input = counted ? 0 : pod_dataset_element_bytes(dataset->inputs[0]);
    return one < 0 || input < 0 || one > INT64_MAX - input ? -1 : pod_input_bytes_times(rows, one + input);
}

static size_t map_block_size(const pod_dataset *dataset)
{
    return (size_t)((const map_dataset *)dataset)->block;
}

static void map_describe(const pod_dataset *dataset, char *text, size_t size)
{
    snprintf(text, size, "graph %016llx", (unsigned long long)pod_graph_hash(((const map_dataset *)dataset)->graph));
}

static const pod_stage_class map_class = {
    .name = "map",
    .elementwise = true,
    .one_for_one = true,
    .block_size = map_block_size,
    .dataset_size = sizeof(map_dataset),
    .iterator_size = sizeof(map_stage),
    .host_bytes = map_host_bytes,
    .open = map_open,
    .describe = map_describe,
    .next = map_next,
    .pass_over = map_pass_over,
    .drop = map_drop,
    .close = map_close,
};

/* Returns whether elements are buffers that the stage counts which makes them: batches, and results of functions of
 * one. */
static bool counts_elements(const pod_dataset *dataset)
{
    while (dataset->together <= 1 && dataset->kind->host_bytes == NULL && dataset->input_count == 1)
        dataset = dataset->inputs[0];
    return dataset->together <= 1 && (dataset->kind->batch_size != NULL || dataset->kind == &map_class);
}

/* ---- filter ---- */

typedef struct filter_stage {
    map_stage map;
    pod_part *kept; /* the elements of the block, while the graph judges copies of them */
} filter_stage;

/* Moves the elements of the block that pass from the next row on into `parts`, and drops the others. */
static void give_passing(filter_stage *self, pod_part *parts, size_t limit, size_t *count)
{
    const size_t width = self->map.base.width;
    const uint8_t *passes = pod_buffer_data(self->map.runner.results[0]);
    for (; self->map.row < self->map.rows && *count < limit; self->map.row++) {
        pod_part *element = self->kept + (size_t)self->map.row * width;
        if (passes[self->map.row]) {
            memcpy(parts + *count * width, element, width * sizeof *element);
            ++*count;
        } else {
            pod_input_parts_release(element, width);
        }
    }
}

static pod_status filter_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    filter_stage *self = (filter_stage *)stage;
    size_t got;
    while (*count == 0) {
        if (self->map.row >= self->map.rows) {
            const pod_status status = run_block(&self->map, &got, self->kept, error);
            if (status != POD_OK)
                return status;
        }
        give_passing(self, parts, limit, count);
    }
    return POD_OK;
}

static void filter_drop(pod_stage *stage)
{
    filter_stage *self = (filter_stage *)stage;
    for (; self->map.row < self->map.rows; self->map.row++)
        pod_input_parts_release(self->kept + (size_t)self->map.row * stage->width, stage->width);
    map_drop(stage);
}

static pod_status filter_open(pod_stage *stage, pod_error *error)
{
    filter_stage *self = (filter_stage *)stage;
    self->kept = pod_input_hold(&stage->holdings, (size_t)map_of(stage)->block, stage->width * sizeof *self->kept);
    return map_open(stage, error);
}

static const pod_stage_class filter_class = {
    .name = "filter",
    .elementwise = true,
    .block_size = map_block_size,
    .dataset_size = sizeof(map_dataset),
    .iterator_size = sizeof(filter_stage),
    .open = filter_open,
    .describe = map_describe,
    .next = filter_next,
    .drop = filter_drop,
    .close = map_close,
};

/* ---- making ---- */

static void describe_outputs(const pod_dataset *input, const pod_graph *graph, bool of_rows, pod_component *components)
{
    for (size_t i = 0; i < pod_graph_output_count(graph); i++) {
        const pod_node *output = pod_graph_get_output(graph, i);
        const pod_shape *shape = pod_node_shape(output, 0);
        components[i] = (pod_component){.dtype = pod_node_dtype(output, 0), .shape = *shape};
        if (of_rows)
            components[i].shape = pod_input_shape_of_rows(shape, input->components[0].shape.dims[0]);
    }
}

/* Makes a stage of a graph, which it takes; `status` is that of what was checked before. */
static pod_status new_stage(const pod_stage_class *kind, pod_dataset *input, pod_graph *graph,
                            const pod_component *components, bool of_rows, pod_status status, pod_dataset **dataset,
                            pod_error *error)
{
    if (status == POD_OK)
        status =
            pod_dataset_new(input->context, kind, &input, 1, components, pod_graph_output_count(graph), dataset, error);
    status = pod_dataset_own(dataset, pod_input_runner_owned(graph), status);
    if (status != POD_OK)
        return status;
    map_dataset *made = (map_dataset *)*dataset;
    made->graph = graph;
    made->block = pod_input_runner_choose_block(pod_dataset_element_bytes(*dataset) + pod_dataset_element_bytes(input),
                                                &made->mode);
    if (of_rows) {
        made->mode = POD_RUN_ROWS;
        made->block = 1;
    }
    return POD_OK;
}

static pod_status new_map(pod_dataset *input, pod_graph *graph, bool of_rows, pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    pod_status status = pod_input_runner_check_graph(graph, input->components, input->width, of_rows, "map", error);
    if (status == POD_OK)
        describe_outputs(input, graph, of_rows, components);
    status = new_stage(&map_class, input, graph, components, of_rows, status, dataset, error);
    if (status == POD_OK)
        (*dataset)->together = pod_dataset_at_once(input, ((map_dataset *)*dataset)->block);
    return status;
}

pod_status pod_dataset_map(pod_dataset *input, pod_graph *graph, pod_dataset **dataset, pod_error *error)
{
    return new_map(input, graph, false, dataset, error);
}

pod_status pod_dataset_map_rows(pod_dataset *input, pod_graph *graph, pod_dataset **dataset, pod_error *error)
{
    return new_map(input, graph, true, dataset, error);
}

pod_status pod_dataset_filter(pod_dataset *input, pod_graph *graph, pod_dataset **dataset, pod_error *error)
{
    *dataset = NULL;
    pod_status status = pod_input_runner_check_graph(graph, input->components, input->width, false, "filter", error);
    if (status == POD_OK) {
        const pod_node *answer = pod_graph_get_output(graph, 0);
        if (pod_graph_output_count(graph) != 1 || pod_node_dtype(answer, 0) != POD_BOOL ||
            pod_node_shape(answer, 0)->rank != 0)
            status = pod_error_set(error, POD_ERROR_DTYPE, "filter: the function must return one bool, a scalar");
    }
    status = new_stage(&filter_class, input, graph, NULL, false, status, dataset, error);
    if (status == POD_OK && (*dataset)->cardinality != 0)
        (*dataset)->cardinality = POD_CARDINALITY_UNKNOWN;
    return status;
}

/* ---- in recipes ---- */

pod_status pod_input_map_recipe(pod_recipe *recipe, pod_dataset **made)
{
    const map_dataset *from = (const map_dataset *)recipe->from;
    bool of_rows = from != NULL && from->mode == POD_RUN_ROWS;
    pod_graph *graph;
    pod_input_recipe_flag(recipe, &of_rows);
    pod_input_recipe_graph(recipe, from != NULL ? from->graph : NULL, &graph);
    return pod_input_recipe_is_read(recipe) ? new_map(recipe->inputs[0], graph, of_rows, made, recipe->error) : POD_OK;
}

pod_status pod_input_filter_recipe(pod_recipe *recipe, pod_dataset **made)
{
    pod_graph *graph;
    pod_input_recipe_graph(recipe, recipe->from != NULL ? ((const map_dataset *)recipe->from)->graph : NULL, &graph);
    return pod_input_recipe_is_read(recipe) ? pod_dataset_filter(recipe->inputs[0], graph, made, recipe->error)
                                            : POD_OK;
}
