/* batch - stacks elements: one copy a row into buffers that are used again. */

#include "input/stage.h"
#include "input/recipe.h"

#include <string.h>

typedef struct batch_dataset {
    pod_dataset base;
    pod_batch_options options;
} batch_dataset;

typedef struct batch_stage {
    pod_stage base;
    pod_buffer **stacks; /* the batch that is being made, one buffer a component */
    size_t *row_bytes;
    int64_t room;     /* rows that the stacks have, */
    int64_t filled;   /* and how many are there */
    bool *by_address; /* components of which the stack has the addresses of rows */
} batch_stage;

/* Rows that the buffers of a batch have: a batch cannot be larger than the data. */
static int64_t stack_rows(const batch_stage *self)
{
    const int64_t size = ((const batch_dataset *)self->base.dataset)->options.size;
    const int64_t all = self->base.inputs[0]->dataset->cardinality;
    return all > 0 && all < size ? all : size;
}

/* Rows with fewer bytes are copied in the time that it takes to note where they are. */
#define SMALL_ROW 64

/* Rows that stay where they are as long as the dataset lives need not be copied to be a batch. */
static uint64_t batch_by_address(const pod_dataset *dataset)
{
    const pod_dataset *input = dataset->inputs[0];
    uint64_t components = 0;
    for (size_t i = 0; input->in_memory && i < input->width; i++)
        if (pod_input_component_bytes(&input->components[i]) >= SMALL_ROW)
            components |= (uint64_t)1 << i;
    return components;
}

/* A batch of more begins with so many bytes, and grows, where nobody knows how many elements there will be. */
#define FIRST_BYTES ((size_t)64 << 20)

/* Rows that the buffers of a batch have before they grow. */
static int64_t first_rows(const batch_stage *self, const pod_part *first)
{
    const int64_t size = stack_rows(self);
    size_t largest = sizeof(uint64_t); /* an address */
    if (self->base.inputs[0]->dataset->cardinality >= 0)
        return size;
    for (size_t i = 0; i < self->base.width; i++) {
        const size_t bytes = pod_input_part_bytes(&first[i]);
        largest = bytes > largest ? bytes : largest;
    }
    const int64_t rows = (int64_t)(FIRST_BYTES / largest);
    const int64_t least = rows > POD_STAGE_BLOCK ? rows : POD_STAGE_BLOCK;
    return size < least ? size : least;
}

/* Takes buffers for a batch, of the shapes of its first element. */
static pod_status begin_batch(batch_stage *self, const pod_part *first, pod_error *error)
{
    const int64_t size = self->room = first_rows(self, first);
    const uint64_t by_address = atomic_load_explicit(&self->base.pass->shared->by_address, memory_order_relaxed);
    for (size_t i = 0; i < self->base.width; i++) {
        pod_shape row, stack = {.rank = 1, .dims = {size}};
        self->by_address[i] = by_address >> i & 1;
        self->row_bytes[i] = pod_input_part_bytes(&first[i]);
        pod_input_part_shape(&first[i], &row);
        if (!self->by_address[i])
            stack = pod_input_shape_of_rows(&row, size);
        const pod_dtype dtype = self->by_address[i] ? POD_U64 : pod_buffer_dtype(first[i].buffer);
        const pod_status status = pod_input_spares_take(&self->base.spares[i], dtype, &stack, &self->stacks[i], error);
        if (status != POD_OK)
            return status;
    }
    return POD_OK;
}

/* Writes where component `component` of a block of elements lies. */
static void note_rows(const batch_stage *self, size_t component, size_t count, uint64_t *rows)
{
    const pod_part *part = self->base.taken + component;
    const size_t bytes = self->row_bytes[component];
    const pod_buffer *buffer = NULL;
    uintptr_t data = 0;
    for (size_t i = 0; i < count; i++, part += self->base.width) {
        if (part->buffer != buffer)
            data = (uintptr_t)pod_buffer_data(buffer = part->buffer);
        rows[i] = part->row < 0 ? data : data + (size_t)part->row * bytes;
    }
}

/* Makes room for `rows` rows, of which `filled` are kept. */
static pod_status grow_batch(batch_stage *self, int64_t rows, int64_t filled, pod_error *error)
{
    const int64_t most = stack_rows(self), twice = self->room > most / 2 ? most : 2 * self->room;
    const int64_t room = twice > rows ? twice : rows;
    for (size_t i = 0; rows > self->room && i < self->base.width; i++) {
        pod_buffer *stack = self->stacks[i], *larger;
        const size_t row = self->by_address[i] ? sizeof(uint64_t) : self->row_bytes[i];
        pod_shape shape = *pod_buffer_shape(stack);
        shape.dims[0] = room;
        const pod_status status =
            pod_input_spares_take(&self->base.spares[i], pod_buffer_dtype(stack), &shape, &larger, error);
        if (status != POD_OK)
            return status;
        memcpy(pod_buffer_data(larger), pod_buffer_data(stack), (size_t)filled * row);
        pod_buffer_release(stack);
        self->stacks[i] = larger;
    }
    self->room = rows > self->room ? room : self->room;
    return POD_OK;
}

static void batch_drop(pod_stage *stage)
{
    ((batch_stage *)stage)->filled = 0;
    pod_input_buffers_drop(((batch_stage *)stage)->stacks, stage->width);
}

/* True when a part has the shape of a row of the stack. */
static bool fits_stack(const pod_part *part, const pod_buffer *stack)
{
    pod_shape shape;
    const pod_shape *whole = pod_buffer_shape(stack);
    pod_input_part_shape(part, &shape);
    return shape.rank == whole->rank - 1 &&
           memcmp(shape.dims, whole->dims + 1, (size_t)shape.rank * sizeof shape.dims[0]) == 0;
}

/* Where sizes may differ, all elements of a batch must have those of the first. */
static pod_status check_shapes(const batch_stage *self, size_t component, size_t count, int64_t filled,
                               pod_error *error)
{
    char first[POD_SHAPE_TEXT_SIZE], here[POD_SHAPE_TEXT_SIZE];
    const size_t width = self->base.width;
    if (pod_input_component_is_static(&self->base.inputs[0]->dataset->components[component]))
        return POD_OK;
    for (size_t i = 0; i < count; i++) {
        const pod_part *part = &self->base.taken[i * width + component];
        const int64_t element = self->base.inputs[0]->given - (int64_t)(count - i);
        pod_shape shape;
        if (fits_stack(part, self->stacks[component]))
            continue;
        pod_input_part_shape(part, &shape);
        pod_shape_format(&shape, here);
        pod_input_part_shape(&(pod_part){self->stacks[component], 0}, &shape);
        return pod_error_set(error, POD_ERROR_SHAPE,
                             "batch cannot stack element %lld: component %zu has shape %s, but the "
                             "first of the batch (element %lld) has %s; use padded_batch",
                             (long long)element, component, here, (long long)(element - (int64_t)i - filled),
                             pod_shape_format(&shape, first));
    }
    return POD_OK;
}

/* Copies a block of elements behind the `filled` rows that the batch has. */
static pod_status add_rows(batch_stage *self, size_t count, int64_t filled, pod_error *error)
{
    for (size_t i = 0; i < self->base.width; i++) {
        const pod_status status = check_shapes(self, i, count, filled, error);
        if (status != POD_OK)
            return status;
        char *rows = pod_buffer_data(self->stacks[i]);
        if (self->by_address[i]) {
            note_rows(self, i, count, (uint64_t *)(void *)rows + filled);
            continue;
        }
        pod_input_parts_gather(self->base.taken, self->base.width, i, count, self->row_bytes[i],
                               rows + (size_t)filled * self->row_bytes[i]);
    }
    return POD_OK;
}

/* The most elements to pull at once: where time is short, each is looked at by itself. */
static size_t next_block(const batch_stage *self, int64_t left)
{
    if (pod_input_stage_is_timed(&self->base))
        return 1;
    return left < POD_STAGE_BLOCK ? (size_t)left : POD_STAGE_BLOCK;
}

/* Pulls elements until the batch is full or there are no more. A batch that is left out where it is short may have
 * elements that do not fit: so these fail when it is full. */
static pod_status fill_batch(batch_stage *self, pod_error *error)
{
    const pod_batch_options *options = &((const batch_dataset *)self->base.dataset)->options;
    const int64_t size = options->size;
    pod_part *rows = self->base.taken;
    pod_status unfit = POD_OK;
    pod_error failure;
    while (self->filled < size) {
        size_t got;
        pod_status status =
            pod_input_stage_next(self->base.inputs[0], rows, next_block(self, size - self->filled), &got, error);
        if (status != POD_OK)
            return status;
        if (self->filled == 0)
            status = begin_batch(self, rows, error);
        if (status == POD_OK)
            status = grow_batch(self, self->filled + (int64_t)got, self->filled, error);
        if (status == POD_OK && unfit == POD_OK)
            unfit = add_rows(self, got, self->filled, &failure);
        pod_input_parts_release(rows, got * self->base.width);
        if (status != POD_OK)
            return status;
        self->filled += (int64_t)got;
        if (unfit != POD_OK && !options->drop_remainder)
            break;
        if (unfit == POD_OK && self->filled < size && pod_input_stage_is_late(&self->base))
            return POD_INPUT_LATER;
    }
    if (unfit != POD_OK && error != NULL)
        *error = failure;
    return unfit;
}

/* Gives a stack away, cut to its rows. */
static pod_status give_stack(batch_stage *self, size_t component, int64_t rows, pod_part *part, pod_error *error)
{
    pod_buffer *stack = self->stacks[component];
    pod_shape shape = *pod_buffer_shape(stack);
    pod_buffer *given = stack;
    if (rows < shape.dims[0]) {
        shape.dims[0] = rows;
        const pod_status status = pod_buffer_view(stack, 0, pod_buffer_dtype(stack), &shape, &given, error);
        if (status != POD_OK)
            return status;
        pod_buffer_release(stack); /* the view shares it */
    }
    self->stacks[component] = NULL;
    *part = (pod_part){given, self->by_address[component] ? POD_BY_ADDRESS : POD_WHOLE};
    return POD_OK;
}

static pod_status give_batch(batch_stage *self, int64_t rows, pod_part *parts, pod_error *error)
{
    for (size_t i = 0; i < self->base.width; i++) {
        const pod_status status = give_stack(self, i, rows, &parts[i], error);
        if (status != POD_OK) {
            pod_input_parts_release(parts, i);
            return status;
        }
    }
    return POD_OK;
}

static pod_status batch_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    batch_stage *self = (batch_stage *)stage;
    const batch_dataset *dataset = (const batch_dataset *)stage->dataset;
    (void)limit; /* one at a time: a batch is large */
    *count = 0;
    pod_status status = fill_batch(self, error);
    if (status == POD_INPUT_LATER)
        return status;
    if (status == POD_END && self->filled > 0 && !dataset->options.drop_remainder)
        status = POD_OK;
    if (status == POD_OK)
        status = give_batch(self, self->filled, parts, error);
    batch_drop(stage);
    *count = status == POD_OK;
    return status;
}

static pod_status batch_open(pod_stage *stage, pod_error *error)
{
    batch_stage *self = (batch_stage *)stage;
    (void)error; /* memory is checked behind it */
    self->stacks = pod_input_hold(&stage->holdings, stage->width, sizeof *self->stacks);
    self->row_bytes = pod_input_hold(&stage->holdings, stage->width, sizeof *self->row_bytes);
    self->by_address = pod_input_hold(&stage->holdings, stage->width, sizeof *self->by_address);
    return POD_OK;
}

static pod_status batch_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    const pod_batch_options *options = &((const batch_dataset *)stage->dataset)->options;
    int64_t rows;
    if (count > INT64_MAX / options->size || ((const batch_stage *)stage)->filled > 0)
        return pod_input_stage_pull_over(stage, count, passed, error);
    const pod_status status = pod_input_stage_pass_over(stage->inputs[0], count * options->size, &rows, error);
    *passed = rows / options->size;
    if (status == POD_END && rows % options->size > 0 && !options->drop_remainder)
        ++*passed;
    return status;
}

static int64_t batch_host_bytes(const pod_dataset *dataset)
{
    return pod_input_bytes_times(((const batch_dataset *)dataset)->options.size,
                                 pod_dataset_element_bytes(dataset->inputs[0]));
}

static int64_t batch_size(const pod_dataset *dataset)
{
    return ((const batch_dataset *)dataset)->options.size;
}

static const pod_stage_class batch_class = {
    .name = "batch",
    .divides = true,
    .reuses_buffers = true,
    .takes = POD_STAGE_BLOCK,
    .at_once = 1,
    .dataset_size = sizeof(batch_dataset),
    .iterator_size = sizeof(batch_stage),
    .host_bytes = batch_host_bytes,
    .batch_size = batch_size,
    .open = batch_open,
    .by_address = batch_by_address,
    .next = batch_next,
    .pass_over = batch_pass_over,
    .drop = batch_drop,
};

/* The size of the first axis: known when every batch is full. */
static int64_t batch_rows(const pod_dataset *input, const pod_batch_options *options)
{
    const int64_t elements = input->cardinality;
    if (elements > 0 && elements < options->size && !options->drop_remainder)
        return elements; /* there is one batch */
    const bool full = options->drop_remainder || elements == POD_CARDINALITY_INFINITE ||
                      (elements >= 0 && elements % options->size == 0);
    return full ? options->size : -1;
}

static pod_status stack_components(const pod_dataset *input, const pod_batch_options *options,
                                   pod_component *components, pod_error *error)
{
    for (size_t i = 0; i < input->width; i++) {
        const pod_component *row = &input->components[i];
        if (row->text)
            return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                                 "batch cannot stack component %zu, which is text: parse it to "
                                 "numbers first, or use padded_batch",
                                 i);
        if (row->shape.rank == POD_MAX_RANK)
            return pod_error_set(error, POD_ERROR_SHAPE, "batch cannot stack component %zu: it has %d axes already", i,
                                 POD_MAX_RANK);
        components[i] = *row;
        components[i].shape = pod_input_shape_of_rows(&row->shape, batch_rows(input, options));
    }
    return POD_OK;
}

pod_status pod_dataset_batch(pod_dataset *input, const pod_batch_options *options, pod_dataset **dataset,
                             pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    if (options->size < 1)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the size of a batch is %lld; it must be at least 1",
                             (long long)options->size);
    pod_status status = stack_components(input, options, components, error);
    if (status == POD_OK)
        status = pod_dataset_new(input->context, &batch_class, &input, 1, components, input->width, dataset, error);
    if (status != POD_OK)
        return status;
    ((batch_dataset *)*dataset)->options = *options;
    pod_dataset_tell(*dataset, "%lld%s", (long long)options->size, options->drop_remainder ? ", drop remainder" : "");
    if (input->cardinality > 0) {
        const int64_t full = input->cardinality / options->size;
        const bool rest = input->cardinality % options->size != 0 && !options->drop_remainder;
        (*dataset)->cardinality = full + rest;
    }
    return POD_OK;
}

pod_status pod_input_batch_recipe(pod_recipe *recipe, pod_dataset **made)
{
    pod_batch_options options = {0};
    if (recipe->from != NULL)
        options = ((const batch_dataset *)recipe->from)->options;
    pod_input_recipe_number(recipe, &options.size);
    pod_input_recipe_flag(recipe, &options.drop_remainder);
    return pod_input_recipe_is_read(recipe) ? pod_dataset_batch(recipe->inputs[0], &options, made, recipe->error)
                                            : POD_OK;
}
