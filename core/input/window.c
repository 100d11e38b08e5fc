/* window - stacks of elements that may overlap and leave elements out. */

#include "input/stage.h"
#include "input/recipe.h"

#include <string.h>

typedef struct window_dataset {
    pod_dataset base;
    pod_window_options options;
} window_dataset;

typedef struct window_stage {
    pod_stage base;
    pod_part *held; /* elements from the window's first on, in order */
    size_t count, room;
    pod_part *chosen; /* the elements of a window */
    int64_t ahead;    /* elements of the input that are passed over before the next window */
    bool input_ended;
} window_stage;

static const pod_window_options *options_of(const pod_stage *stage)
{
    return &((const window_dataset *)stage->dataset)->options;
}

static void drop_first(window_stage *self, size_t count)
{
    const size_t width = self->base.width;
    pod_input_parts_release(self->held, count * width);
    self->count -= count;
    memmove(self->held, self->held + count * width, self->count * width * sizeof *self->held);
}

/* Passes over the elements between two windows. */
static pod_status pass_over(window_stage *self, pod_error *error)
{
    const size_t held = self->ahead < (int64_t)self->count ? (size_t)self->ahead : self->count;
    drop_first(self, held);
    self->ahead -= (int64_t)held;
    while (self->ahead > 0 && !self->input_ended) {
        size_t got;
        const size_t step = self->ahead < (int64_t)self->room ? (size_t)self->ahead : self->room;
        const pod_status status = pod_input_stage_next(self->base.inputs[0], self->held, step, &got, error);
        if (status < 0)
            return status;
        self->input_ended = status == POD_END;
        pod_input_parts_release(self->held, got * self->base.width);
        self->ahead -= (int64_t)got;
    }
    return POD_OK;
}

/* Pulls the elements up to the window's last. */
static pod_status fill(window_stage *self, pod_error *error)
{
    while (self->count < self->room && !self->input_ended) {
        size_t got;
        const pod_status status = pod_input_stage_next(
            self->base.inputs[0], self->held + self->count * self->base.width, self->room - self->count, &got, error);
        if (status < 0)
            return status;
        self->input_ended = status == POD_END;
        self->count += got;
    }
    return POD_OK;
}

/* Chooses the elements of the window, and returns how many. */
static size_t choose(window_stage *self)
{
    const pod_window_options *options = options_of(&self->base);
    const size_t width = self->base.width;
    size_t rows = 0;
    for (size_t i = 0; i < self->count && rows < (size_t)options->size; i += (size_t)options->stride)
        memcpy(self->chosen + rows++ * width, self->held + i * width, width * sizeof(pod_part));
    return rows;
}

static pod_status stack(window_stage *self, size_t component, size_t rows, pod_part *part, pod_error *error)
{
    pod_shape shape, row;
    pod_buffer *made;
    const size_t width = self->base.width;
    pod_input_part_shape(&self->chosen[component], &row);
    for (size_t i = 1; i < rows; i++) {
        pod_input_part_shape(&self->chosen[i * width + component], &shape);
        if (!pod_shape_equal(&shape, &row))
            return pod_error_set(error, POD_ERROR_SHAPE, "window: elements of one window have different shapes");
    }
    shape = pod_input_shape_of_rows(&row, (int64_t)rows);
    const pod_status status = pod_input_spares_take(
        &self->base.spares[component], pod_buffer_dtype(self->chosen[component].buffer), &shape, &made, error);
    if (status != POD_OK)
        return status;
    pod_input_parts_gather(self->chosen, width, component, rows, pod_buffer_bytes(made) / rows, pod_buffer_data(made));
    *part = (pod_part){made, POD_WHOLE};
    return POD_OK;
}

static pod_status window_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    window_stage *self = (window_stage *)stage;
    const pod_window_options *options = options_of(stage);
    size_t done = 0;
    (void)limit;
    pod_status status = pass_over(self, error);
    if (status == POD_OK)
        status = fill(self, error);
    if (status != POD_OK)
        return status;
    const size_t rows = choose(self);
    if (rows == 0 || (options->drop_remainder && rows < (size_t)options->size))
        return POD_END;
    for (; status == POD_OK && done < stage->width; done += status == POD_OK)
        status = stack(self, done, rows, &parts[done], error);
    if (status != POD_OK)
        pod_input_parts_release(parts, done);
    self->ahead = options->shift;
    *count = status == POD_OK;
    return status;
}

static pod_status window_open(pod_stage *stage, pod_error *error)
{
    window_stage *self = (window_stage *)stage;
    const pod_window_options *options = options_of(stage);
    self->room = (size_t)((options->size - 1) * options->stride + 1);
    const size_t bytes = self->room * stage->width * sizeof *self->held;
    self->held = pod_allocate(stage->pass->context, bytes); /* not cleared: data may be far shorter */
    self->chosen = pod_allocate(stage->pass->context, (size_t)options->size * stage->width * sizeof *self->chosen);
    return self->held != NULL && self->chosen != NULL ? POD_OK
                                                      : pod_error_memory(error, "an iterator of window", bytes);
}

static void window_drop(pod_stage *stage)
{
    window_stage *self = (window_stage *)stage;
    pod_input_parts_release(self->held, self->count * stage->width);
    self->count = 0;
    self->ahead = 0;
    self->input_ended = false;
}

static void window_close(pod_stage *stage)
{
    pod_free(stage->pass->context, ((window_stage *)stage)->held);
    pod_free(stage->pass->context, ((window_stage *)stage)->chosen);
}

static const pod_stage_class window_class = {
    .name = "window",
    .dataset_size = sizeof(window_dataset),
    .iterator_size = sizeof(window_stage),
    .reuses_buffers = true,
    .open = window_open,
    .next = window_next,
    .drop = window_drop,
    .close = window_close,
};

static int64_t count_windows(int64_t elements, const pod_window_options *options)
{
    const int64_t span = (options->size - 1) * options->stride + 1;
    if (elements <= 0)
        return elements;
    if (!options->drop_remainder)
        return (elements - 1) / options->shift + 1;
    return elements < span ? 0 : (elements - span) / options->shift + 1;
}

pod_status pod_dataset_window(pod_dataset *input, const pod_window_options *options, pod_dataset **dataset,
                              pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    pod_window_options chosen = *options;
    *dataset = NULL;
    chosen.shift = chosen.shift != 0 ? chosen.shift : chosen.size;
    chosen.stride = chosen.stride != 0 ? chosen.stride : 1;
    if (chosen.size < 1 || chosen.shift < 1 || chosen.stride < 1 || chosen.size > ((int64_t)1 << 31) / chosen.stride)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "a window of size %lld, shift %lld and stride %lld: each must be at least "
                             "1, and size times stride at most 2^31",
                             (long long)chosen.size, (long long)chosen.shift, (long long)chosen.stride);
    for (size_t i = 0; i < input->width; i++) {
        components[i] = input->components[i];
        if (components[i].text || components[i].shape.rank == POD_MAX_RANK)
            return pod_error_set(error, POD_ERROR_UNSUPPORTED,
                                 "window cannot stack component %zu: it is text or has %d axes", i, POD_MAX_RANK);
        components[i].shape =
            pod_input_shape_of_rows(&input->components[i].shape, chosen.drop_remainder ? chosen.size : -1);
    }
    const pod_status status =
        pod_dataset_new(input->context, &window_class, &input, 1, components, input->width, dataset, error);
    if (status != POD_OK)
        return status;
    ((window_dataset *)*dataset)->options = chosen;
    pod_dataset_tell(*dataset, "size %lld, shift %lld, stride %lld%s", (long long)chosen.size, (long long)chosen.shift,
                     (long long)chosen.stride, chosen.drop_remainder ? ", drop remainder" : "");
    (*dataset)->cardinality = count_windows(input->cardinality, &chosen);
    return POD_OK;
}

pod_status pod_input_window_recipe(pod_recipe *recipe, pod_dataset **made)
{
    pod_window_options options = {0};
    if (recipe->from != NULL)
        options = ((const window_dataset *)recipe->from)->options;
    pod_input_recipe_number(recipe, &options.size);
    pod_input_recipe_number(recipe, &options.shift);
    pod_input_recipe_number(recipe, &options.stride);
    pod_input_recipe_flag(recipe, &options.drop_remainder);
    return pod_input_recipe_is_read(recipe) ? pod_dataset_window(recipe->inputs[0], &options, made, recipe->error)
                                            : POD_OK;
}
