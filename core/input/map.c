/* map - applies a graph to elements, a block of them in one run of a program. */

#include "input/stage.h"

#include <string.h>

#include "input/pool.h"

#define BLOCK_BYTES ((int64_t)4 << 20)  /* of the inputs and outputs of a block, at most */
#define LARGE_BYTES ((int64_t)128 << 10) /* of the inputs and outputs of an element mapped alone */

typedef struct map_dataset {
    pod_dataset base;
    pod_graph *graph;  /* of one element or of one row */
    bool of_rows;      /* elements are batches, and the graph is that of a row */
    bool alone;        /* elements are large: each is mapped by itself, without a copy */
    int64_t block;     /* elements of a full block */
} map_dataset;

/* A program for blocks of one size. */
typedef struct map_program {
    int64_t rows;
    pod_program *program;
} map_program;

typedef struct map_stage {
    pod_stage base;
    pod_context *context; /* of the programs: they run beside those of the consumer */
    map_program programs[4];
    size_t program_count, oldest_program;
    size_t input_width;
    pod_part *parts;      /* elements of the input */
    pod_pool *pools;      /* of gathered blocks; one an input component */
    pod_buffer **arguments, **results;
    int64_t row, rows; /* of `results`: the next to give, and how many there are */
} map_stage;

static const map_dataset *map_of(const pod_stage *stage)
{
    return (const map_dataset *)stage->dataset;
}

/* ---- programs ---- */

static pod_status compile(map_stage *self, int64_t rows, pod_program **program, pod_error *error)
{
    const map_dataset *dataset = map_of(&self->base);
    pod_graph *mapped;
    if (dataset->alone)
        return pod_program_compile(self->context, dataset->graph, NULL, program, error);
    pod_status status = pod_graph_map(dataset->graph, rows, NULL, &mapped, error);
    if (status != POD_OK)
        return status;
    status = pod_program_compile(self->context, mapped, NULL, program, error);
    pod_graph_free(mapped);
    return status;
}

/* Finds or makes the program for `rows` elements. The oldest gives way: batches have few sizes. */
static pod_status find_program(map_stage *self, int64_t rows, pod_program **program,
                               pod_error *error)
{
    const size_t most = sizeof self->programs / sizeof self->programs[0];
    for (size_t i = 0; i < self->program_count; i++) {
        *program = self->programs[i].program;
        if (self->programs[i].rows == rows)
            return POD_OK;
    }
    const pod_status status = compile(self, rows, program, error);
    if (status != POD_OK)
        return status;
    const size_t place =
        self->program_count < most ? self->program_count++ : self->oldest_program++ % most;
    pod_program_free(self->programs[place].program);
    self->programs[place] = (map_program){rows, *program};
    return POD_OK;
}

static void drop_buffers(pod_buffer **buffers, size_t count)
{
    for (size_t i = 0; buffers != NULL && i < count; i++) {
        pod_buffer_release(buffers[i]);
        buffers[i] = NULL;
    }
}

/* Runs the program for `rows` on the arguments; the results are new. */
static pod_status run(map_stage *self, int64_t rows, pod_error *error)
{
    pod_program *program;
    drop_buffers(self->results, self->base.width);
    pod_status status = find_program(self, rows, &program, error);
    if (status == POD_OK)
        status = pod_program_run(program, self->arguments, self->results, NULL, NULL, error);
    drop_buffers(self->arguments, self->input_width);
    if (status < 0 && error != NULL)
        pod_error_prepend(error, "map: ");
    return status;
}

/* ---- elements ---- */

/* Stacks elements into the arguments of a block; what lies behind them is left as it is. */
static pod_status gather(map_stage *self, size_t count, int64_t rows, pod_error *error)
{
    for (size_t i = 0; i < self->input_width; i++) {
        const pod_component *component = &self->base.inputs[0]->dataset->components[i];
        pod_shape shape = component->shape;
        memmove(shape.dims + 1, shape.dims, (size_t)shape.rank * sizeof shape.dims[0]);
        shape.dims[0] = rows;
        shape.rank++;
        const pod_status status = pod_pool_take(&self->pools[i], component->dtype, &shape,
                                                &self->arguments[i], error);
        if (status != POD_OK)
            return status;
        pod_parts_gather(self->parts, self->input_width, i, count,
                         pod_buffer_bytes(self->arguments[i]) / (size_t)rows,
                         pod_buffer_data(self->arguments[i]));
    }
    return POD_OK;
}

/* Maps a block of elements. Short blocks are run at full size, so that there is one program besides that
 * of single elements. */
static pod_status map_block(map_stage *self, pod_error *error)
{
    const int64_t block = map_of(&self->base)->block;
    size_t got;
    self->rows = 0;
    pod_status status =
        pod_stage_next(self->base.inputs[0], self->parts, (size_t)block, &got, error);
    if (status != POD_OK)
        return status;
    const int64_t rows = got == 1 ? 1 : block;
    status = gather(self, got, rows, error);
    pod_parts_release(self->parts, got * self->input_width);
    if (status == POD_OK)
        status = run(self, rows, error);
    if (status == POD_OK) {
        self->row = 0;
        self->rows = (int64_t)got;
    }
    return status;
}

static pod_status next_elements(map_stage *self, pod_part *parts, size_t limit, size_t *count,
                                pod_error *error)
{
    if (self->row >= self->rows) {
        const pod_status status = map_block(self, error);
        if (status != POD_OK)
            return status;
    }
    for (; *count < limit && self->row < self->rows; self->row++, ++*count)
        for (size_t i = 0; i < self->base.width; i++)
            *parts++ = (pod_part){pod_buffer_retain(self->results[i]), self->row};
    return POD_OK;
}

/* ---- batches, and elements that are mapped alone ---- */

/* Makes the parts of one batch the arguments, and returns its rows; 0 when they do not agree. */
static int64_t take_batch(map_stage *self)
{
    int64_t rows = -1;
    for (size_t i = 0; i < self->input_width; i++) {
        self->arguments[i] = self->parts[i].buffer;
        if (map_of(&self->base)->alone)
            continue;
        const int64_t here = pod_buffer_shape(self->arguments[i])->dims[0];
        rows = rows < 0 || rows == here ? here : 0;
    }
    return rows;
}

/* A batch is a whole buffer, or a row of a larger one that must be copied. */
static pod_status own_batch(map_stage *self, pod_error *error)
{
    for (size_t i = 0; i < self->input_width; i++) {
        pod_part *part = &self->parts[i];
        pod_buffer *copy;
        pod_shape shape;
        if (part->row == POD_WHOLE)
            continue;
        pod_part_shape(part, &shape);
        const pod_status status = pod_pool_take(&self->pools[i], pod_buffer_dtype(part->buffer),
                                                &shape, &copy, error);
        if (status != POD_OK)
            return status;
        memcpy(pod_buffer_data(copy), pod_part_data(part), pod_part_bytes(part));
        pod_buffer_release(part->buffer);
        *part = (pod_part){copy, POD_WHOLE};
    }
    return POD_OK;
}

static pod_status next_batch(map_stage *self, pod_part *parts, size_t *count, pod_error *error)
{
    size_t got;
    pod_status status = pod_stage_next(self->base.inputs[0], self->parts, 1, &got, error);
    if (status != POD_OK)
        return status;
    status = own_batch(self, error);
    if (status != POD_OK) {
        pod_parts_release(self->parts, self->input_width);
        return status;
    }
    const int64_t rows = take_batch(self);
    if (rows == 0) {
        drop_buffers(self->arguments, self->input_width);
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "map: the components of a batch have different numbers of rows, or "
                             "none");
    }
    status = run(self, rows, error);
    for (size_t i = 0; status == POD_OK && i < self->base.width; i++) {
        parts[i] = (pod_part){self->results[i], POD_WHOLE};
        self->results[i] = NULL;
    }
    *count = status == POD_OK;
    return status;
}

static pod_status map_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count,
                           pod_error *error)
{
    map_stage *self = (map_stage *)stage;
    if (map_of(stage)->of_rows || map_of(stage)->alone)
        return next_batch(self, parts, count, error);
    return next_elements(self, parts, limit, count, error);
}

/* ---- life ---- */

static pod_status map_open(pod_stage *stage, pod_error *error)
{
    map_stage *self = (map_stage *)stage;
    pod_context *context = stage->pass->context;
    const size_t width = stage->inputs[0]->width;
    const size_t parts = (size_t)map_of(stage)->block * width * sizeof(pod_part);

    const pod_status status = pod_context_new_beside(context, 1, &self->context, error);
    if (status != POD_OK)
        return status;
    self->input_width = width;
    self->parts = pod_allocate(context, parts);
    self->pools = pod_allocate_zeroed(context, width, sizeof *self->pools);
    self->arguments = pod_allocate_zeroed(context, width, sizeof *self->arguments);
    self->results = pod_allocate_zeroed(context, stage->width, sizeof *self->results);
    for (size_t i = 0; self->pools != NULL && i < width; i++)
        pod_pool_init(&self->pools[i], context);
    if (self->parts == NULL || self->pools == NULL || self->arguments == NULL ||
        self->results == NULL)
        return pod_error_memory(error, "an iterator of map", parts);
    return POD_OK;
}

static void map_close(pod_stage *stage)
{
    map_stage *self = (map_stage *)stage;
    pod_context *context = stage->pass->context;
    drop_buffers(self->arguments, self->input_width);
    drop_buffers(self->results, stage->width);
    for (size_t i = 0; i < self->program_count; i++)
        pod_program_free(self->programs[i].program);
    for (size_t i = 0; self->pools != NULL && i < self->input_width; i++)
        pod_pool_clear(&self->pools[i]);
    pod_free(context, self->results);
    pod_free(context, self->arguments);
    pod_free(context, self->pools);
    pod_free(context, self->parts);
    pod_context_release(self->context);
}

static pod_status map_rewind(pod_stage *stage, pod_rewind what, pod_error *error)
{
    map_stage *self = (map_stage *)stage;
    self->row = self->rows = 0;
    return pod_stage_rewind_inputs(stage, what, error);
}

static void map_free(pod_dataset *dataset)
{
    pod_graph_free(((map_dataset *)dataset)->graph);
}

static int64_t map_host_bytes(const pod_dataset *dataset)
{
    const map_dataset *self = (const map_dataset *)dataset;
    const int64_t one = pod_dataset_element_bytes(dataset);
    const int64_t input = pod_dataset_element_bytes(dataset->inputs[0]);
    if (one < 0 || input < 0 || one > INT64_MAX - input ||
        one + input > INT64_MAX / self->block)
        return -1;
    return (one + input) * self->block;
}

static const pod_stage_class map_class = {
    .name = "map",
    .dataset_size = sizeof(map_dataset),
    .iterator_size = sizeof(map_stage),
    .free = map_free,
    .host_bytes = map_host_bytes,
    .open = map_open,
    .next = map_next,
    .rewind = map_rewind,
    .close = map_close,
};

/* ---- making ---- */

/* Checks parameter `index` of the graph against a component of the input; of_rows leaves out axis 0. */
static pod_status check_parameter(const pod_dataset *input, const pod_graph *graph, size_t index,
                                  bool of_rows, pod_error *error)
{
    char wants[POD_SHAPE_TEXT_SIZE], has[POD_SHAPE_TEXT_SIZE];
    const pod_node *parameter = pod_graph_get_parameter(graph, index);
    const pod_shape *wanted = pod_node_shape(parameter, 0);
    pod_component here = input->components[index];
    if (of_rows && here.shape.rank > 0) {
        here.shape.rank--;
        memmove(here.shape.dims, here.shape.dims + 1,
                (size_t)here.shape.rank * sizeof here.shape.dims[0]);
    } else if (of_rows) {
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "map over rows: component %zu is a scalar, which has none", index);
    }
    if (!pod_component_is_static(&here))
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "map: component %zu is %s %s, whose sizes are not all known; compiled "
                             "functions need them: batch with drop_remainder, or pad",
                             index, pod_dtype_name(here.dtype),
                             pod_shape_format(&here.shape, has));
    if (pod_node_dtype(parameter, 0) == here.dtype && pod_shape_equal(wanted, &here.shape))
        return POD_OK;
    return pod_error_set(error, POD_ERROR_SHAPE,
                         "map: component %zu is %s %s, but the function was traced for %s %s", index,
                         pod_dtype_name(here.dtype), pod_shape_format(&here.shape, has),
                         pod_dtype_name(pod_node_dtype(parameter, 0)),
                         pod_shape_format(wanted, wants));
}

static pod_status check_graph(const pod_dataset *input, const pod_graph *graph, bool of_rows,
                              pod_error *error)
{
    pod_status status = pod_graph_check(graph, error);
    if (status != POD_OK)
        return status;
    if (pod_graph_parameter_count(graph) != input->width)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "map: elements have %zu components, but the function takes %zu",
                             input->width, pod_graph_parameter_count(graph));
    const size_t outputs = pod_graph_output_count(graph);
    if (outputs == 0 || outputs > POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "map: the function returns %zu values; it must return 1 to %d",
                             outputs, POD_MAX_COMPONENTS);
    for (size_t i = 0; status == POD_OK && i < input->width; i++)
        status = check_parameter(input, graph, i, of_rows, error);
    for (size_t i = 0; status == POD_OK && i < outputs; i++)
        if (pod_node_shape(pod_graph_get_output(graph, i), 0)->rank == POD_MAX_RANK)
            status = pod_error_set(error, POD_ERROR_SHAPE,
                                   "map: value %zu has %d axes, which leaves none for the batch", i,
                                   POD_MAX_RANK);
    return status;
}

static void describe_outputs(const pod_dataset *input, const pod_graph *graph, bool of_rows,
                             pod_component *components)
{
    for (size_t i = 0; i < pod_graph_output_count(graph); i++) {
        const pod_node *output = pod_graph_get_output(graph, i);
        pod_shape shape = *pod_node_shape(output, 0);
        if (of_rows) {
            memmove(shape.dims + 1, shape.dims, (size_t)shape.rank * sizeof shape.dims[0]);
            shape.dims[0] = input->components[0].shape.dims[0];
            shape.rank++;
        }
        components[i] = (pod_component){.dtype = pod_node_dtype(output, 0), .shape = shape};
    }
}

/* The bytes of an element before and after. */
static int64_t both_bytes(const pod_dataset *dataset)
{
    return pod_dataset_element_bytes(dataset) + pod_dataset_element_bytes(dataset->inputs[0]);
}

/* As many elements a block as the budget of memory allows. */
static int64_t choose_block(const pod_dataset *dataset)
{
    const int64_t bytes = both_bytes(dataset);
    const int64_t fitting = bytes > 0 ? BLOCK_BYTES / bytes : POD_STAGE_BLOCK;
    return fitting < 1 ? 1 : fitting < POD_STAGE_BLOCK ? fitting : POD_STAGE_BLOCK;
}

static pod_status new_map(pod_dataset *input, pod_graph *graph, bool of_rows,
                          pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    pod_status status = check_graph(input, graph, of_rows, error);
    if (status == POD_OK) {
        describe_outputs(input, graph, of_rows, components);
        status = pod_dataset_new(input->context, &map_class, &input, 1, components,
                                 pod_graph_output_count(graph), dataset, error);
    }
    if (status != POD_OK) {
        pod_graph_free(graph);
        return status;
    }
    map_dataset *made = (map_dataset *)*dataset;
    made->graph = graph;
    made->of_rows = of_rows;
    made->alone = !of_rows && both_bytes(*dataset) >= LARGE_BYTES;
    made->block = of_rows || made->alone ? 1 : choose_block(*dataset);
    return POD_OK;
}

pod_status pod_dataset_map(pod_dataset *input, pod_graph *graph, pod_dataset **dataset,
                           pod_error *error)
{
    return new_map(input, graph, false, dataset, error);
}

pod_status pod_dataset_map_rows(pod_dataset *input, pod_graph *graph, pod_dataset **dataset,
                                pod_error *error)
{
    return new_map(input, graph, true, dataset, error);
}
