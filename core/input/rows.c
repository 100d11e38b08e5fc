/* rows - stages that choose and join without a look at elements: shard, concatenate, unbatch. */

#include "input/stage.h"
#include "input/recipe.h"

#include <string.h>

/* ---- shard ---- */

typedef struct shard_dataset {
    pod_dataset base;
    int64_t count, index; /* POD_SHARD_HINT: what the pass says */
} shard_dataset;

typedef struct shard_stage {
    pod_stage base;
    int64_t count, index;
} shard_stage;

static pod_status shard_open(pod_stage *stage, pod_error *error)
{
    (void)error;
    shard_stage *self = (shard_stage *)stage;
    self->count = ((const shard_dataset *)stage->dataset)->count;
    self->index = ((const shard_dataset *)stage->dataset)->index;
    return POD_OK;
}

static pod_status hint_open(pod_stage *stage, pod_error *error)
{
    shard_stage *self = (shard_stage *)stage;
    if (!stage->pass->options.at_marks || stage->pass->options.file_shards < 1)
        return pod_error_set(error, POD_ERROR_STATE,
                             "shard(SHARD_HINT, SHARD_HINT) marks where hosts divide the elements: only a "
                             "strategy's dataset with options { auto_shard = \"HINT\" } can be read, and "
                             "not where a function of elements makes the dataset");
    self->count = stage->pass->options.file_shards;
    self->index = stage->pass->options.file_shard;
    return POD_OK;
}

static pod_status shard_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    shard_stage *self = (shard_stage *)stage;
    const size_t width = stage->width;
    while (*count == 0) {
        size_t got;
        const pod_status status = pod_input_stage_next(stage->inputs[0], parts, limit, &got, error);
        if (status != POD_OK)
            return status;
        const int64_t first = stage->inputs[0]->given - (int64_t)got;
        for (size_t i = 0; i < got; i++) {
            if ((first + (int64_t)i) % self->count != self->index) {
                pod_input_parts_release(parts + i * width, width);
                continue;
            }
            memmove(parts + *count * width, parts + i * width, width * sizeof *parts);
            ++*count;
        }
    }
    return POD_OK;
}

static const pod_stage_class shard_class = {
    .name = "shard",
    .dataset_size = sizeof(shard_dataset),
    .iterator_size = sizeof(shard_stage),
    .open = shard_open,
    .next = shard_next,
};

static pod_status hint_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    const int64_t hosts = ((const shard_stage *)stage)->count;
    const pod_status status = shard_next(stage, parts, limit, count, error);
    const int64_t elements = stage->inputs[0]->given;
    if (status == POD_END && elements < hosts)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "shard(SHARD_HINT, SHARD_HINT): only %lld element%s come%s here, which is not "
                             "enough for %lld hosts; mark an earlier or later stage, or use auto_shard OFF",
                             (long long)elements, elements == 1 ? "" : "s", elements == 1 ? "s" : "", (long long)hosts);
    return status;
}

static const pod_stage_class hint_class = {
    .name = "shard_hint",
    .dataset_size = sizeof(shard_dataset),
    .iterator_size = sizeof(shard_stage),
    .open = hint_open,
    .next = hint_next,
};

/* A mark in place of a shard. How many elements a host gets is the pass's affair. */
static pod_status new_hint(pod_dataset *input, pod_dataset **dataset, pod_error *error)
{
    const pod_status status = pod_dataset_new(input->context, &hint_class, &input, 1, NULL, 0, dataset, error);
    if (status == POD_OK && input->cardinality >= 0)
        (*dataset)->cardinality = POD_CARDINALITY_UNKNOWN;
    return status;
}

pod_status pod_dataset_shard(pod_dataset *input, int64_t count, int64_t index, pod_dataset **dataset, pod_error *error)
{
    *dataset = NULL;
    if (count == POD_SHARD_HINT && index == POD_SHARD_HINT)
        return new_hint(input, dataset, error);
    if (count < 1 || index < 0 || index >= count)
        return pod_error_set(error, POD_ERROR_ARGUMENT,
                             "shard %lld of %lld; shards are numbered from 0 to their number - 1", (long long)index,
                             (long long)count);
    const pod_status status = pod_dataset_new(input->context, &shard_class, &input, 1, NULL, 0, dataset, error);
    if (status != POD_OK)
        return status;
    ((shard_dataset *)*dataset)->count = count;
    ((shard_dataset *)*dataset)->index = index;
    pod_dataset_tell(*dataset, "%lld of %lld", (long long)index, (long long)count);
    if (input->cardinality >= 0)
        (*dataset)->cardinality = input->cardinality / count + (index < input->cardinality % count);
    return POD_OK;
}

/* ---- concatenate ---- */

typedef struct concatenate_stage {
    pod_stage base;
    size_t input; /* that elements come from now */
} concatenate_stage;

static pod_status concatenate_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    concatenate_stage *self = (concatenate_stage *)stage;
    for (; self->input < stage->dataset->input_count; self->input++) {
        const pod_status status = pod_input_stage_next(stage->inputs[self->input], parts, limit, count, error);
        if (status != POD_END)
            return status;
    }
    return POD_END;
}

static void concatenate_drop(pod_stage *stage)
{
    ((concatenate_stage *)stage)->input = 0;
}

static const pod_stage_class concatenate_class = {
    .name = "concatenate",
    .iterator_size = sizeof(concatenate_stage),
    .next = concatenate_next,
    .drop = concatenate_drop,
};

static int64_t add_cardinality(int64_t a, int64_t b)
{
    if (a == POD_CARDINALITY_INFINITE || b == POD_CARDINALITY_INFINITE)
        return POD_CARDINALITY_INFINITE;
    if (a < 0 || b < 0)
        return POD_CARDINALITY_UNKNOWN;
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

pod_status pod_input_components_join(const pod_dataset *const *inputs, size_t count, const char *stage,
                                     pod_component *components, pod_error *error)
{
    char first[POD_SHAPE_TEXT_SIZE], here[POD_SHAPE_TEXT_SIZE];
    memcpy(components, inputs[0]->components, inputs[0]->width * sizeof *components);
    for (size_t i = 1; i < count; i++) {
        if (inputs[i]->width != inputs[0]->width)
            return pod_error_set(error, POD_ERROR_SHAPE,
                                 "%s: elements of dataset %zu have %zu components, those of the "
                                 "first %zu",
                                 stage, i, inputs[i]->width, inputs[0]->width);
        for (size_t j = 0; j < inputs[0]->width; j++) {
            const pod_component *other = &inputs[i]->components[j];
            if (other->dtype != components[j].dtype || other->text != components[j].text ||
                other->shape.rank != components[j].shape.rank)
                return pod_error_set(error, POD_ERROR_SHAPE,
                                     "%s: component %zu of dataset %zu is %s %s, that of the first "
                                     "%s %s",
                                     stage, j, i, pod_dtype_name(other->dtype), pod_shape_format(&other->shape, here),
                                     pod_dtype_name(components[j].dtype),
                                     pod_shape_format(&components[j].shape, first));
            for (int32_t axis = 0; axis < other->shape.rank; axis++)
                if (other->shape.dims[axis] != components[j].shape.dims[axis])
                    components[j].shape.dims[axis] = -1;
        }
    }
    return POD_OK;
}

pod_status pod_dataset_concatenate(pod_dataset *const *inputs, size_t count, pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    if (count == 0)
        return pod_error_set(error, POD_ERROR_ARGUMENT, "concatenate needs at least one dataset");
    pod_status status =
        pod_input_components_join((const pod_dataset *const *)inputs, count, "concatenate", components, error);
    if (status == POD_OK)
        status = pod_dataset_new(inputs[0]->context, &concatenate_class, inputs, count, components, inputs[0]->width,
                                 dataset, error);
    if (status != POD_OK)
        return status;
    pod_dataset_lies_as(*dataset, inputs, count);
    for (size_t i = 1; i < count; i++)
        (*dataset)->cardinality = add_cardinality((*dataset)->cardinality, inputs[i]->cardinality);
    return POD_OK;
}

/* ---- unbatch ---- */

typedef struct unbatch_stage {
    pod_stage base; /* `taken` is a batch of whole buffers while row < rows */
    int64_t row, rows;
} unbatch_stage;

static void unbatch_drop(pod_stage *stage)
{
    unbatch_stage *self = (unbatch_stage *)stage;
    if (self->rows > 0)
        pod_input_parts_release(stage->taken, stage->width);
    self->row = self->rows = 0;
}

/* A batch that is itself a row of a larger buffer becomes a view, so that its rows can be named. */
static pod_status make_whole(pod_part *part, pod_error *error)
{
    pod_buffer *view;
    pod_shape shape;
    if (part->row == POD_WHOLE)
        return POD_OK;
    pod_input_part_shape(part, &shape);
    const pod_status status = pod_buffer_view(part->buffer, (size_t)part->row * pod_input_part_bytes(part),
                                              pod_buffer_dtype(part->buffer), &shape, &view, error);
    if (status != POD_OK)
        return status;
    pod_buffer_release(part->buffer);
    *part = (pod_part){view, POD_WHOLE};
    return POD_OK;
}

static pod_status take_batch(unbatch_stage *self, pod_error *error)
{
    pod_part *batch = self->base.taken;
    size_t got;
    pod_status status = pod_input_stage_next(self->base.inputs[0], batch, 1, &got, error);
    if (status != POD_OK)
        return status;
    int64_t rows = -1;
    for (size_t i = 0; status == POD_OK && i < self->base.width; i++) {
        status = make_whole(&batch[i], error);
        const int64_t here = pod_buffer_shape(batch[i].buffer)->dims[0];
        if (status == POD_OK && rows >= 0 && here != rows)
            status = pod_error_set(error, POD_ERROR_SHAPE, "unbatch: component %zu has %lld rows, component 0 has %lld",
                                   i, (long long)here, (long long)rows);
        rows = here;
    }
    if (status != POD_OK || rows == 0)
        pod_input_parts_release(batch, self->base.width);
    self->row = 0;
    self->rows = status == POD_OK ? rows : 0;
    return status;
}

static pod_status unbatch_next(pod_stage *stage, pod_part *parts, size_t limit, size_t *count, pod_error *error)
{
    unbatch_stage *self = (unbatch_stage *)stage;
    while (self->row >= self->rows) {
        unbatch_drop(stage);
        const pod_status status = take_batch(self, error);
        if (status != POD_OK)
            return status;
    }
    for (; *count < limit && self->row < self->rows; self->row++, ++*count)
        for (size_t i = 0; i < stage->width; i++)
            *parts++ = (pod_part){pod_buffer_retain(stage->taken[i].buffer), self->row};
    return POD_OK;
}

static const pod_stage_class unbatch_class = {
    .name = "unbatch",
    .iterator_size = sizeof(unbatch_stage),
    .takes = 1,
    .next = unbatch_next,
    .drop = unbatch_drop,
};

pod_status pod_dataset_unbatch(pod_dataset *input, pod_dataset **dataset, pod_error *error)
{
    pod_component components[POD_MAX_COMPONENTS];
    *dataset = NULL;
    for (size_t i = 0; i < input->width; i++) {
        components[i] = input->components[i];
        if (components[i].shape.rank == 0 || components[i].text)
            return pod_error_set(error, POD_ERROR_SHAPE, "unbatch: component %zu is %s, which has no rows", i,
                                 components[i].text ? "text" : "a scalar");
        components[i].shape = pod_input_shape_of_row(&input->components[i].shape);
    }
    const int64_t rows = input->components[0].shape.dims[0], batches = input->cardinality;
    const pod_status status =
        pod_dataset_new(input->context, &unbatch_class, &input, 1, components, input->width, dataset, error);
    if (status != POD_OK)
        return status;
    (*dataset)->cardinality = batches <= 0                                           ? batches
                              : rows < 0 || (rows > 0 && batches > INT64_MAX / rows) ? POD_CARDINALITY_UNKNOWN
                                                                                     : batches * rows;
    pod_dataset_lies_as(*dataset, &input, 1);
    const int64_t most = rows > 0 ? rows : pod_dataset_most_rows(input), batches_together = (*dataset)->together;
    if (most > 0 && batches_together <= INT64_MAX / most)
        (*dataset)->together = most * (batches_together > 0 ? batches_together : 1);
    return POD_OK;
}

/* ---- in recipes ---- */

pod_status pod_input_shard_recipe(pod_recipe *recipe, pod_dataset **made)
{
    int64_t count = 0, index = 0;
    if (recipe->from != NULL) {
        count = ((const shard_dataset *)recipe->from)->count;
        index = ((const shard_dataset *)recipe->from)->index;
    }
    pod_input_recipe_number(recipe, &count);
    pod_input_recipe_number(recipe, &index);
    return pod_input_recipe_is_read(recipe) ? pod_dataset_shard(recipe->inputs[0], count, index, made, recipe->error)
                                            : POD_OK;
}

pod_status pod_input_concatenate_recipe(pod_recipe *recipe, pod_dataset **made)
{
    return pod_input_recipe_is_read(recipe)
               ? pod_dataset_concatenate(recipe->inputs, recipe->input_count, made, recipe->error)
               : POD_OK;
}

pod_status pod_input_unbatch_recipe(pod_recipe *recipe, pod_dataset **made)
{
    return pod_input_recipe_is_read(recipe) ? pod_dataset_unbatch(recipe->inputs[0], made, recipe->error) : POD_OK;
}
