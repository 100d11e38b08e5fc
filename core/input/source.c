/* source - datasets from memory, ranges and callbacks. */

#include "input/stage.h"
#include "input/recipe.h"

#include <stdio.h>
#include <string.h>

#include "tensor/shares.h"

#include "formats/crc32c.h"

/* ---- rows of buffers ---- */

typedef struct slices_dataset {
    pod_dataset base;
    bool whole; /* one element: the buffers themselves */
    int64_t rows;
    atomic_uint_fast64_t digest;             /* of the data; 0: not looked at yet */
    pod_buffer *buffers[POD_MAX_COMPONENTS]; /* shared */
} slices_dataset;

static pod_status slices_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    const slices_dataset *dataset = (const slices_dataset *)stage->dataset;
    (void)error;
    for (int64_t row = stage->given; *count < limit && row < dataset->rows; row++, ++*count)
        for (size_t i = 0; i < stage->width; i++)
            *parts++ = (pod_part){dataset->buffers[i], dataset->whole ? POD_WHOLE : row};
    for (size_t i = 0; i < stage->width; i++)
        pod_buffer_retain_many(dataset->buffers[i], (unsigned)*count);
    return *count > 0 ? POD_OK : POD_END;
}

static pod_status slices_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    (void)error;
    return pod_input_stage_pass_over_of(stage, ((const slices_dataset *)stage->dataset)->rows, count, passed);
}

static void slices_free(pod_dataset *dataset)
{
    pod_input_buffers_drop(((slices_dataset *)dataset)->buffers, dataset->width);
}

/* A checksum of all data, made when it is first asked for: buffers do not change. */
static uint64_t digest_of(slices_dataset *dataset)
{
    uint64_t digest = atomic_load(&dataset->digest);
    for (size_t i = 0; digest >> 32 == 0 && i < dataset->base.width; i++) {
        const uint32_t here =
            pod_format_crc32c(pod_buffer_data(dataset->buffers[i]), pod_buffer_bytes(dataset->buffers[i]));
        digest = (uint32_t)(digest * 31 + here);
    }
    atomic_store(&dataset->digest, digest | (uint64_t)1 << 32);
    return (uint32_t)digest;
}

static void slices_describe(const pod_dataset *dataset, char *text, size_t size)
{
    slices_dataset *self = (slices_dataset *)(uintptr_t)dataset;
    snprintf(text, size, "data %08llx", (unsigned long long)digest_of(self));
}

static const pod_stage_class slices_class = {
    .name = "from_tensor_slices",
    .dataset_size = sizeof(slices_dataset),
    .free = slices_free,
    .describe = slices_describe,
    .next = slices_next,
    .pass_over = slices_pass_over,
};

static const pod_stage_class buffers_class = {
    .name = "from_tensors",
    .dataset_size = sizeof(slices_dataset),
    .free = slices_free,
    .describe = slices_describe,
    .next = slices_next,
    .pass_over = slices_pass_over,
};

static pod_status describe_rows(pod_buffer *const *buffers, size_t count, pod_component *components, pod_error *error)
{
    char text[POD_SHAPE_TEXT_SIZE];
    for (size_t i = 0; i < count; i++) {
        const pod_shape *shape = pod_buffer_shape(buffers[i]);
        if (shape->rank == 0)
            return pod_error_set(error, POD_ERROR_SHAPE, "component %zu is a scalar, which has no rows to take apart",
                                 i);
        if (shape->dims[0] != pod_buffer_shape(buffers[0])->dims[0])
            return pod_error_set(error, POD_ERROR_SHAPE,
                                 "component %zu has shape %s, but component 0 has %lld rows; all have the "
                                 "same number",
                                 i, pod_shape_format(shape, text), (long long)pod_buffer_shape(buffers[0])->dims[0]);
        pod_input_part_shape(&(pod_part){buffers[i], 0}, &components[i].shape);
    }
    return POD_OK;
}

static pod_status new_slices(pod_context *context, pod_buffer *const *buffers, size_t count, bool whole,
                             pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS] = {0};
    *dataset = NULL;
    if (count == 0 || count > POD_MAX_COMPONENTS)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "a dataset of %zu components; there are 1 to %d", count,
                             POD_MAX_COMPONENTS);
    for (size_t i = 0; i < count; i++) {
        components[i].dtype = pod_buffer_dtype(buffers[i]);
        components[i].shape = *pod_buffer_shape(buffers[i]);
    }
    pod_status status = whole ? POD_OK : describe_rows(buffers, count, components, error);
    if (status == POD_OK)
        status = pod_dataset_new(context, whole ? &buffers_class : &slices_class, NULL, 0, components, count, dataset,
                                 error);
    if (status != POD_OK)
        return status;
    slices_dataset *made = (slices_dataset *)*dataset;
    made->whole = whole;
    made->rows = whole ? 1 : pod_buffer_shape(buffers[0])->dims[0];
    for (size_t i = 0; i < count; i++)
        made->buffers[i] = pod_buffer_retain(buffers[i]);
    made->base.cardinality = made->rows;
    made->base.in_memory = true;
    return POD_OK;
}

pod_status pod_dataset_from_slices(pod_context *context, pod_buffer *const *buffers, size_t count,
                                   pod_dataset **dataset, pod_error *error)
{
    return new_slices(context, buffers, count, false, dataset, error);
}

pod_status pod_dataset_from_buffers(pod_context *context, pod_buffer *const *buffers, size_t count,
                                    pod_dataset **dataset, pod_error *error)
{
    return new_slices(context, buffers, count, true, dataset, error);
}

/* ---- range ---- */

/* So many numbers nobody comes to the end of: they count what has no end itself. */
#define ENDLESS ((uint64_t)1 << 62)

typedef struct range_dataset {
    pod_dataset base;
    int64_t start, stop, step, count;
} range_dataset;

typedef struct range_stage {
    pod_stage base;
    pod_buffer *block; /* numbers from block_first on; its rows are the elements */
    int64_t block_first;
} range_stage;

/* Makes a new block of numbers: who holds elements of the old one keeps it. */
static pod_status range_fill(range_stage *self, int64_t first, pod_error *error)
{
    const range_dataset *dataset = (const range_dataset *)self->base.dataset;
    const int64_t left = dataset->count - first;
    const pod_shape shape = {1, {left < POD_STAGE_BLOCK ? left : POD_STAGE_BLOCK}};

    if (self->block == NULL || !pod_buffer_is_unique(self->block) ||
        !pod_shape_equal(&shape, pod_buffer_shape(self->block))) {
        pod_buffer_release(self->block);
        self->block = NULL;
        const pod_status status = pod_buffer_new(self->base.pass->context, POD_S64, &shape, &self->block, error);
        if (status != POD_OK)
            return status;
    }
    int64_t *numbers = pod_buffer_data(self->block);
    for (int64_t i = 0; i < shape.dims[0]; i++)
        numbers[i] = (int64_t)((uint64_t)dataset->start + (uint64_t)(first + i) * (uint64_t)dataset->step);
    self->block_first = first;
    return POD_OK;
}

static pod_status range_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    range_stage *self = (range_stage *)stage;
    int64_t index = stage->given;
    for (; *count < limit && index < ((const range_dataset *)stage->dataset)->count; index++, ++*count) {
        if (self->block == NULL || index - self->block_first >= pod_buffer_shape(self->block)->dims[0]) {
            const pod_status status = range_fill(self, index, error);
            if (status != POD_OK)
                return status;
        }
        *parts++ = (pod_part){pod_buffer_retain(self->block), index - self->block_first};
    }
    return *count > 0 ? POD_OK : POD_END;
}

/* The block that is there may end before the place; the next is made from there on. */
static pod_status range_pass_over(pod_stage *stage, int64_t count, int64_t *passed, pod_error *error)
{
    (void)error;
    return pod_input_stage_pass_over_of(stage, ((const range_dataset *)stage->dataset)->count, count, passed);
}

static void range_drop(pod_stage *stage)
{
    pod_input_buffers_drop(&((range_stage *)stage)->block, 1);
}

static const pod_stage_class range_class = {
    .name = "range",
    .dataset_size = sizeof(range_dataset),
    .iterator_size = sizeof(range_stage),
    .next = range_next,
    .pass_over = range_pass_over,
    .drop = range_drop,
};

pod_status pod_dataset_range(pod_context *context, int64_t start, int64_t stop, int64_t step, pod_dataset **dataset,
                             pod_error *error)
{
    const pod_component number = {.dtype = POD_S64};
    *dataset = NULL;
    if (step == 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "the step of a range is 0");
    const pod_status status = pod_dataset_new(context, &range_class, NULL, 0, &number, 1, dataset, error);
    if (status != POD_OK)
        return status;
    (*dataset)->together = POD_STAGE_BLOCK;
    /* unsigned: the distance of two s64 fits u64 */
    const bool any = step > 0 ? start < stop : start > stop;
    const uint64_t distance = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
    const uint64_t width = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    const uint64_t numbers = any ? (distance - 1) / width + 1 : 0;
    ((range_dataset *)*dataset)->start = start;
    ((range_dataset *)*dataset)->stop = stop;
    ((range_dataset *)*dataset)->step = step;
    pod_dataset_tell(*dataset, "from %lld by %lld", (long long)start, (long long)step);
    ((range_dataset *)*dataset)->count = numbers < INT64_MAX ? (int64_t)numbers : INT64_MAX;
    (*dataset)->cardinality = numbers < ENDLESS ? (int64_t)numbers : POD_CARDINALITY_INFINITE;
    return POD_OK;
}

/* ---- callbacks ---- */

typedef struct source_dataset {
    pod_dataset base;
    pod_source source;
} source_dataset;

typedef struct source_stage {
    pod_stage base;
    void *cursor;
    bool opened;
} source_stage;

static const pod_source *source_of(const pod_stage *stage)
{
    return &((const source_dataset *)stage->dataset)->source;
}

static pod_status source_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    source_stage *self = (source_stage *)stage;
    const pod_source *source = source_of(stage);
    pod_buffer *buffers[POD_MAX_COMPONENTS] = {0};
    (void)limit; /* one at a time: a callback may wait for its data */

    if (!self->opened && source->open != NULL) {
        const pod_status status =
            source->open(source->context, pod_input_stage_pass_number(stage), &self->cursor, error);
        if (status != POD_OK)
            return status;
    }
    self->opened = true;
    pod_status status = source->next(source->context, self->cursor, buffers, error);
    if (status != POD_OK)
        return pod_input_stage_explain(stage, stage->given, status, error);
    status = pod_input_check_buffers(stage->dataset, buffers, stage->given, error);
    for (size_t i = 0; status == POD_OK && i < stage->width; i++)
        parts[i] = (pod_part){buffers[i], POD_WHOLE};
    *count = status == POD_OK;
    return status;
}

static void source_drop(pod_stage *stage)
{
    source_stage *self = (source_stage *)stage;
    const pod_source *source = source_of(stage);
    if (self->opened && source->close != NULL)
        source->close(source->context, self->cursor);
    self->opened = false;
    self->cursor = NULL;
}

static const pod_stage_class source_class = {
    .name = "from_generator",
    .at_once = 1,
    .dataset_size = sizeof(source_dataset),
    .iterator_size = sizeof(source_stage),
    .counts_passes = true,
    .next = source_next,
    .drop = source_drop,
};

pod_status pod_dataset_from_source(pod_context *context, const pod_source *source, const pod_component *components,
                                   size_t count, int64_t cardinality, pod_dataset **dataset, pod_error *error)
{
    pod_status status = pod_dataset_new(context, &source_class, NULL, 0, components, count, dataset, error);
    status = pod_dataset_own(dataset, (pod_owned){source->context, source->release}, status);
    if (status != POD_OK)
        return status;
    ((source_dataset *)*dataset)->source = *source;
    (*dataset)->own_thread = !source->any_thread;
    (*dataset)->cardinality = cardinality;
    return POD_OK;
}

/* ---- in recipes ---- */

static pod_status slices_recipe(pod_recipe *recipe, bool whole, pod_dataset **made)
{
    const slices_dataset *from = (const slices_dataset *)recipe->from;
    pod_buffer *buffers[POD_MAX_COMPONENTS] = {0};
    size_t count = from != NULL ? from->base.width : 0;
    pod_status status = POD_OK;
    if (from != NULL)
        memcpy(buffers, from->buffers, count * sizeof buffers[0]);
    pod_input_recipe_count(recipe, &count, POD_MAX_COMPONENTS);
    pod_input_recipe_buffers(recipe, buffers, count);
    if (pod_input_recipe_is_read(recipe))
        status = new_slices(recipe->context, buffers, count, whole, made, recipe->error);
    if (from == NULL)
        pod_input_buffers_drop(buffers, count);
    return status;
}

pod_status pod_input_slices_recipe(pod_recipe *recipe, pod_dataset **made)
{
    return slices_recipe(recipe, false, made);
}

pod_status pod_input_slices_whole_recipe(pod_recipe *recipe, pod_dataset **made)
{
    return slices_recipe(recipe, true, made);
}

pod_status pod_input_range_recipe(pod_recipe *recipe, pod_dataset **made)
{
    int64_t start = 0, stop = 0, step = 0;
    if (recipe->from != NULL) {
        const range_dataset *from = (const range_dataset *)recipe->from;
        start = from->start;
        stop = from->stop;
        step = from->step;
    }
    pod_input_recipe_number(recipe, &start);
    pod_input_recipe_number(recipe, &stop);
    pod_input_recipe_number(recipe, &step);
    return pod_input_recipe_is_read(recipe) ? pod_dataset_range(recipe->context, start, stop, step, made, recipe->error)
                                            : POD_OK;
}
